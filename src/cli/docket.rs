//! The formats of `postrider log --docket` and `--ledger`.

use super::{CliError, Output};
use postrider_analysis::Row;

/// The formats of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text for people.
    Text,
    /// JSON.
    Json,
    /// As comma-separated values (RFC 4180).
    Csv,
}

/// Formats rows as a table. `note` gives the reason if the rows do not reach the end of the
/// journal.
///
/// # Errors
///
/// Returns [`CliError::Broken`] if a row cannot be written.
pub fn table<R: Row>(rows: &[R], form: Form, note: Option<&str>) -> Result<Output, CliError> {
    let output = match form {
        Form::Json => Output::json(rows)?,
        Form::Text => {
            let rows = rows.iter().map(|row| row.line() + "\n").collect::<String>();
            return Ok(Output::from(rows + &note.map(|note| format!("\n({note})\n")).unwrap_or_default()));
        }
        Form::Csv => {
            let mut csv = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
            let broken = |why: csv::Error| CliError::Broken(why.to_string());
            csv.write_record(R::COLUMNS).map_err(broken)?;
            for row in rows {
                csv.write_record(row.cells().into_iter().map(no_formula)).map_err(broken)?;
            }
            let bytes = csv.into_inner().map_err(|why| CliError::Broken(why.to_string()))?;
            Output::from(String::from_utf8(bytes).map_err(|why| CliError::Broken(why.to_string()))?)
        }
    };
    Ok(Output { note: note.map(str::to_owned), ..output })
}

/// Escapes a cell that a spreadsheet would take for a formula. Numbers remain numbers.
fn no_formula(text: String) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@']) && text.parse::<i64>().is_err();
    if is_formula { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::{Form, Row, table};
    use postrider_analysis::Change;

    #[test]
    fn a_table_is_csv_with_its_header_and_without_formulas() {
        let row = |player: &str, change, led_to: &[&str]| Change {
            entry: 7,
            seat: "A".to_owned(),
            player: player.to_owned(),
            change,
            sum: -3,
            rule: "7.26".to_owned(),
            led_to: led_to.iter().map(|&line| line.to_owned()).collect(),
        };
        let csv = |rows: &[Change]| table(rows, Form::Csv, None).unwrap().text;
        assert_eq!(csv(&[]), "entry,seat,player,change,sum,rule,led_to\r\n");
        let rows = [row("=1+1", 4, &["One.", "Two, too."]), row("A \"B\"", -4, &[])];
        let right = "entry,seat,player,change,sum,rule,led_to\r\n7,A,'=1+1,4,-3,7.26,\"One. Two, too.\"\r\n7,A,\"A \"\"B\"\"\",-4,-3,7.26,\r\n";
        assert_eq!(csv(&rows), right);
        let members = serde_json::to_value(&rows[0]).unwrap();
        assert!(Change::COLUMNS.iter().all(|column| members.get(column).is_some()), "{members}");
    }

    #[test]
    fn a_table_says_how_far_it_goes() {
        let note = Some("not seen further than entry 5");
        let all = [Form::Text, Form::Csv, Form::Json].map(|form| table::<Change>(&[], form, note).unwrap());
        assert!(all[0].text.contains("(not seen further than entry 5)") && all[0].note.is_none());
        assert!(all[1..].iter().all(|said| said.note.as_deref() == note && !said.text.contains("further")));
    }
}
