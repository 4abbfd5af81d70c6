//! `postrider log --docket` and `--ledger`: tables of all decisions of a game, and of all changes
//! of VPs.

use super::{
    CliError, Output,
    files::Found,
    look::{Looked, whole_lines},
};
use chrono::SecondsFormat;
use postrider_analysis::{Course, Waited, lasted};
use postrider_audit::words_of;
use postrider_dice::Hash;
use postrider_journal::{Body, Checked, ClockEvent, Via, unix};
use postrider_mail::Incoming;
use postrider_replay::{
    Catalog, Projection,
    index::JournalIndex,
    step_log::{Cause, When},
};
use postrider_store::GameSecrets;
use postrider_table::{Seat, Whom};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

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

/// A row of a table.
pub trait Row: Serialize {
    /// The columns, in the order of the cells.
    const COLUMNS: &'static [&'static str];
    /// Returns the number of its entry.
    fn entry(&self) -> u64;
    /// Returns the cells, in the order of the columns.
    fn cells(&self) -> Vec<String>;
    /// Formats the row for people.
    fn line(&self) -> String;
}

/// A decision, or a deadline that passed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Decided {
    /// The number of its entry.
    entry: u64,
    /// The time at which it was received, according to the operator's clock.
    at: String,
    /// The `Date` of its mail, as set by the sender; `None` if the host no longer has the mail.
    dated: Option<String>,
    /// `mail`, `cli`, `standing`, `deadline` or `bot`; `expired` for a deadline that passed.
    via: String,
    /// The seat.
    seat: String,
    /// The player of the seat at that time.
    player: String,
    /// The words of the player's mail if the host still has it; otherwise the order in words.
    words: String,
    /// `true` if these are the player's own words, unchanged.
    own: bool,
    /// Its consequences, as told to everyone.
    led_to: Vec<String>,
    /// The number of seconds for which the question was open, without pauses, leave and weekends
    /// that are off.
    seconds: Option<i64>,
    /// The deadline of the question at that time, if its clock ran.
    deadline: Option<String>,
    /// How many seconds after the deadline it was received.
    late: Option<i64>,
    /// The number of the rewind that undid it.
    undone_by: Option<u64>,
    #[serde(skip)]
    digest: Option<Hash>,
}

/// The decisions of a journal, collected as its lines are read.
#[derive(Default)]
pub struct Docket(Vec<Decided>);

impl Projection for Docket {
    fn apply(&mut self, checked: &Checked<'_>, _undone: bool) {
        let (entry, at) = (checked.line.n, checked.line.at.to_owned());
        let row = match &checked.body {
            // If a game cannot be replayed to its end, all lines are read again.
            Body::Opened(_) => return self.0.clear(),
            Body::Clock(clock) if clock.event == ClockEvent::Expired => Decided {
                via: "expired".to_owned(),
                seat: clock.seat.to_string(),
                words: format!("(the time for question {} is over)", clock.prompt),
                ..Decided::default()
            },
            Body::Decision(decision) => Decided {
                via: serde_json::to_value(decision.via)
                    .ok()
                    .and_then(|via| Some(via.as_str()?.to_owned()))
                    .unwrap_or_default(),
                seat: decision.seat.to_string(),
                words: decision.order.get().to_owned(),
                digest: decision.words.filter(|_| decision.via == Via::Mail),
                ..Decided::default()
            },
            _ => return,
        };
        self.0.push(Decided { entry, at, ..row });
    }
}

/// Returns the consequences of an entry, as told to everyone.
fn led_to(seen: &Looked, n: u64) -> Vec<String> {
    let told = seen.live.story.iter().filter(|line| line.n == n && line.told.whom == Whom::All);
    told.map(|line| seen.seats.named_at(n, &line.told.line)).collect()
}

impl Docket {
    /// Returns the complete rows.
    ///
    /// # Errors
    ///
    /// Returns [`CliError::Replay`] if the replay differs from the journal.
    pub fn rows(self, seen: &Looked, found: &Found, catalog: &Catalog, taken: &Path) -> Result<Vec<Decided>, CliError> {
        let (live, secrets) = (&seen.live, GameSecrets::of(found.kept().kept));
        let source = whole_lines(found)?.0;
        let undone = JournalIndex::of(&source)?.undone(u64::MAX);
        let chains = found.chains().unwrap_or_default();
        let (source, chains, players) = (&source, chains.as_slice(), &seen.seats);
        let mut waited = Course { source, catalog, chains, upto: None, now: None, players }.read()?.waited;
        let mut rows = self.0;
        for row in &mut rows {
            let n = row.entry;
            row.undone_by = undone.by(n).map(|rewind| rewind.at);
            let player = Seat::from_letter(&row.seat).and_then(|seat| seen.seats.player_at(seat, n));
            row.player = player.map_or_else(|| row.seat.clone(), |player| player.name.clone());
            if let Some(Waited { seconds, deadline, order }) = waited.remove(&n) {
                row.seconds = Some(seconds);
                row.deadline = deadline.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
                row.late =
                    deadline.zip(unix(&row.at)).map(|(until, at)| at - until.timestamp()).filter(|late| *late > 0);
                row.words = order.map_or_else(|| row.words.clone(), |words| seen.seats.named_at(n, &words));
            }
            if let Some((mail, digest)) = secrets.mail_of(n).zip(row.digest) {
                row.look_into(&live.game, &taken.join(&live.game).join(format!("{mail}.eml")), &digest);
            }
            row.led_to = led_to(seen, n);
        }
        Ok(rows)
    }
}

impl Decided {
    /// Takes the words and the date from the mail, if the host still has it.
    fn look_into(&mut self, game: &str, path: &Path, digest: &Hash) {
        let Some(mail) = fs_err::read(path).ok().and_then(|raw| Incoming::parse(&raw).ok()) else { return };
        self.dated = mail.date.map(|date| date.to_rfc3339());
        if let Some(words) = words_of(&mail, game, &self.seat, digest) {
            (self.words, self.own) = (words, true);
        }
    }
}

/// A change of VPs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The number of the entry whose step changed them.
    entry: u64,
    /// The seat.
    seat: String,
    /// The player of the seat at that time.
    player: String,
    /// The difference.
    change: i64,
    /// The VPs of the seat afterwards.
    sum: i64,
    /// The rule that gave or took them; empty if a director did.
    rule: String,
    /// The consequences of the entry, as told to everyone.
    led_to: Vec<String>,
}

/// Returns every change of VPs in a game; the sum of a seat's changes is its score.
///
/// # Errors
///
/// Returns [`CliError::Replay`] if the replay differs from the journal.
pub fn ledger(seen: &Looked) -> Result<Vec<Change>, CliError> {
    let (live, mut rows) = (&seen.live, Vec::new());
    let mut had: BTreeMap<Seat, (i64, BTreeMap<&'static str, i64>)> = BTreeMap::new();
    live.each_step(&mut |when, step, dyn_game| {
        let ruled = matches!(step.cause, Cause::Ruling { .. });
        for (seat, letter) in (0..).map(Seat).zip(&live.opened.seats).filter(|_| when == When::After) {
            let Some(vps) = dyn_game.vps(seat) else { continue };
            let by_rule: BTreeMap<&'static str, i64> = dyn_game.earned(seat).into_iter().collect();
            let (mut sum, before) = had.insert(seat, (vps, by_rule.clone())).unwrap_or_default();
            let since = |rule| by_rule.get(rule).unwrap_or(&0) - before.get(rule).unwrap_or(&0);
            // What a director has set came by no rule.
            let rules: BTreeSet<&str> = by_rule.keys().chain(before.keys()).copied().filter(|_| !ruled).collect();
            let mut changes: Vec<(&str, i64)> = rules.into_iter().map(|rule| (rule, since(rule))).collect();
            changes.push(("", vps - sum - changes.iter().map(|(_, change)| change).sum::<i64>()));
            for (rule, change) in changes.into_iter().filter(|(_, change)| *change != 0) {
                sum += change;
                let player = seen.seats.player_at(seat, step.n).map_or(letter, |player| &player.name).clone();
                let (seat, rule, led_to) = (letter.clone(), rule.to_owned(), led_to(seen, step.n));
                rows.push(Change { entry: step.n, seat, player, change, sum, rule, led_to });
            }
        }
    })?;
    Ok(rows)
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

/// Appends the consequences to a row of text, one line each.
fn above(mut line: String, led_to: &[String]) -> String {
    led_to.iter().for_each(|told| line += &format!("\n          {told}"));
    line
}

impl Row for Decided {
    const COLUMNS: &'static [&'static str] = &[
        "entry",
        "at",
        "dated",
        "via",
        "seat",
        "player",
        "words",
        "own",
        "led_to",
        "seconds",
        "deadline",
        "late",
        "undone_by",
    ];

    fn entry(&self) -> u64 {
        self.entry
    }
    fn cells(&self) -> Vec<String> {
        let Decided {
            entry, at, dated, via, seat, player, words, own, led_to, seconds, deadline, late, undone_by, ..
        } = self;
        let number = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
        vec![
            entry.to_string(),
            at.clone(),
            dated.clone().unwrap_or_default(),
            via.clone(),
            seat.clone(),
            player.clone(),
            words.clone(),
            own.to_string(),
            led_to.join(" "),
            number(*seconds),
            deadline.clone().unwrap_or_default(),
            number(*late),
            undone_by.map(|n| n.to_string()).unwrap_or_default(),
        ]
    }
    fn line(&self) -> String {
        let Decided { entry, at, via, player, seat, words, .. } = self;
        let mut line = format!("{entry:>6}  {at}  {player} ({seat}) by {via}: {words}");
        if let Some(dated) = &self.dated {
            line += &format!(" [dated {dated}]");
        }
        if let Some(seconds) = self.seconds {
            line += &format!(" (after {})", lasted(seconds));
        }
        match (&self.deadline, self.late) {
            (Some(deadline), Some(late)) => line += &format!(" ({} after the deadline of {deadline})", lasted(late)),
            (Some(deadline), None) => line += &format!(" (deadline {deadline})"),
            (None, _) => {}
        }
        if let Some(n) = self.undone_by {
            line += &format!(" (undone by entry {n})");
        }
        above(line, &self.led_to)
    }
}

impl Row for Change {
    const COLUMNS: &'static [&'static str] = &["entry", "seat", "player", "change", "sum", "rule", "led_to"];

    fn entry(&self) -> u64 {
        self.entry
    }
    fn cells(&self) -> Vec<String> {
        let Change { entry, seat, player, change, sum, rule, led_to } = self;
        let (entry, change, sum) = (entry.to_string(), change.to_string(), sum.to_string());
        vec![entry, seat.clone(), player.clone(), change, sum, rule.clone(), led_to.join(" ")]
    }
    fn line(&self) -> String {
        let Change { entry, player, seat, change, sum, rule, .. } = self;
        let rule = if rule.is_empty() { String::new() } else { format!(" (rule {rule})") };
        above(format!("{entry:>6}  {player} ({seat}): {change:+}, {sum} in all{rule}"), &self.led_to)
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Form, Row, table};

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
