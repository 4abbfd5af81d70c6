//! Text laid out for mails: 76 columns, hanging indents, columns that line up.

pub use crate::orders::{WIDTH, capital, fill, spelt};

/// One choice of a question as a mail lists it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Row {
    /// Its letter.
    pub letter: String,
    /// The words that order it.
    pub words: String,
    /// What it means; may be empty.
    pub note: String,
}

/// Words up to this long share their line with a note, be it broken into several.
const WORDS_COLUMN: usize = 30;

/// Choices below each other: letter, words, and the notes in a column of their own. The column is as wide as the longest
/// words that leave room for nearly all notes; the other notes stand behind their words or, where they do not fit, below.
pub fn table(rows: &[Row]) -> String {
    let long = |text: &str| text.chars().count();
    let letters = rows.iter().map(|row| row.letter.len()).max().unwrap_or(1);
    let room = WIDTH.saturating_sub("     ".len() + letters + "  ".len());
    let fits = |words: usize, row: &Row| words + "  ".len() + long(&row.note) <= room;
    let roomy = |&words: &usize| {
        let noted: Vec<&Row> = rows.iter().filter(|row| !row.note.is_empty() && long(&row.words) <= words).collect();
        words <= WORDS_COLUMN || noted.iter().filter(|row| fits(words, row)).count() * 4 >= noted.len() * 3
    };
    let words = rows.iter().map(|row| long(&row.words)).filter(roomy).max().unwrap_or(0);
    let mut out = String::new();
    for row in rows {
        if !out.is_empty() {
            out.push('\n');
        }
        let lead = format!("     {:<letters$}  ", row.letter);
        let indent = " ".repeat(lead.chars().count());
        if row.note.is_empty() {
            out.push_str(&fill(&row.words, &lead, &format!("{indent}  ")));
        } else if long(&row.words) <= words && (words <= WORDS_COLUMN || fits(words, row)) {
            let first = format!("{lead}{:<words$}  ", row.words);
            out.push_str(&fill(&row.note, &first, &" ".repeat(first.chars().count())));
        } else if fits(long(&row.words), row) {
            out.push_str(&format!("{lead}{}  {}", row.words, row.note));
        } else {
            out.push_str(&fill(&row.words, &lead, &format!("{indent}  ")));
            out.push('\n');
            let below = format!("{indent}    ");
            out.push_str(&fill(&row.note, &below, &below));
        }
    }
    out
}

/// The letter of a choice counted from 0: `a` to `z`, then `aa`, `ab` and so on.
pub fn letter(index: usize) -> String {
    let mut left = index + 1;
    let mut letters = Vec::new();
    while left > 0 {
        left -= 1;
        // At most 25.
        letters.push(char::from(b'a' + (left % 26) as u8));
        left /= 26;
    }
    letters.iter().rev().collect()
}

/// A JSON value in plain words, for what no template knows: members below each other, lists with commas.
pub fn plain(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            items.iter().map(inline).collect::<Vec<_>>().join("\n")
        }
        Value::Object(members) => {
            let line = |(key, item): (&String, &Value)| {
                let (key, text) = (key.replace('_', " "), plain(item));
                if text.contains('\n') {
                    format!("{key}:\n  {}", text.replace('\n', "\n  "))
                } else {
                    format!("{key}: {text}")
                }
            };
            members.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        other => inline(other),
    }
}

fn inline(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
        Value::Array(items) => items.iter().map(inline).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            members.iter().map(|(key, item)| format!("{key} {}", inline(item))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on_after_z() {
        assert_eq!([0, 25, 26, 27, 701].map(letter), ["a", "z", "aa", "ab", "zz"]);
    }

    #[test]
    fn notes_stand_in_a_column() {
        let row = |letter: &str, words: &str, note: &str| Row {
            letter: letter.into(),
            words: words.into(),
            note: note.into(),
        };
        let rows =
            [row("a", "play raid", "then raid with a Raider tribe"), row("b", "pass", ""), row("c", "wait", "x")];
        insta::assert_snapshot!(table(&rows), @r"
             a  play raid  then raid with a Raider tribe
             b  pass
             c  wait       x
        ");
    }

    #[test]
    fn a_long_order_keeps_its_short_note_on_its_line() {
        let row = |letter: &str, words: &str, note: &str| Row {
            letter: letter.into(),
            words: words.into(),
            note: note.into(),
        };
        let rows = [
            row("a", "comanche attacks town in texas", "5 VPs on 8 or less"),
            row("b", "southern cheyenne attacks settlement in colorado", "2 VPs on 8"),
            row("c", "comanche attacks mimbres apache village in new mexico", "odds 3-2 v 6 BPs"),
            row("d", "comanche relocate to new mexico", "12/5"),
            row("e", "pass", "no action; unused Villages double their SPs"),
        ];
        insta::assert_snapshot!(table(&rows), @r"
             a  comanche attacks town in texas                    5 VPs on 8 or less
             b  southern cheyenne attacks settlement in colorado  2 VPs on 8
             c  comanche attacks mimbres apache village in new mexico
                    odds 3-2 v 6 BPs
             d  comanche relocate to new mexico                   12/5
             e  pass  no action; unused Villages double their SPs
        ");
    }
}
