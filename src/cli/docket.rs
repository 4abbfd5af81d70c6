//! `postrider log --docket` and `--ledger`: every decision of a game in a row of a table, and every change of VPs.

use super::{CliError, Output, files::Found, look::Looked};
use chrono::{DateTime, Utc};
use postrider_dice::Hash;
use postrider_journal::{Body, Checked, Via, words_digest};
use postrider_mail::Incoming;
use postrider_orders::visible;
use postrider_replay::{
    Projection,
    step_log::{Cause, When},
};
use postrider_store::GameSecrets;
use postrider_table::{Seat, Whom};
use serde::Serialize;
use serde_json::Value;
use std::{collections::BTreeMap, path::Path};

/// How a table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text,
    /// As JSON.
    Json,
    /// As comma-separated values (RFC 4180).
    Csv,
}

/// A decision.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Decided {
    /// n of its entry.
    entry: u64,
    /// When it was taken in, by the operator's clock.
    at: String,
    /// The `Date` of the mail that gave it, where the host has it still: its sender's word.
    dated: Option<String>,
    /// `mail`, `cli`, `standing`, `deadline` or `bot`.
    via: String,
    /// The seat.
    seat: String,
    /// Who sat there then.
    player: String,
    /// The words of the player's mail, where the host has it still, or else the order in words.
    words: String,
    /// Whether those are the player's own, word for word.
    own: bool,
    /// What came of it, as everybody was told.
    led_to: Vec<String>,
    /// For how many seconds the question had been open; none of an order that is undone.
    seconds: Option<i64>,
    /// n of the rewind that has undone it.
    undone_by: Option<u64>,
    /// Whether no rewind has undone it for good: one of a rewind brings back what that had undone.
    #[serde(skip)]
    counts: bool,
    #[serde(skip)]
    prompt: u32,
    #[serde(skip)]
    digest: Option<Hash>,
}

/// Every decision of a journal, while it goes by.
#[derive(Default)]
pub struct Docket {
    rows: Vec<Decided>,
    /// When each line was written.
    times: BTreeMap<u64, DateTime<Utc>>,
    /// n of each rewind, and of the line to which it goes back.
    rewinds: Vec<(u64, u64)>,
}

impl Projection for Docket {
    fn apply(&mut self, checked: &Checked<'_>, undone: bool) {
        let (n, at) = (checked.line.n, checked.line.at);
        // Where a game is not seen to its end all lines come once more.
        if n == 0 {
            *self = Docket::default();
        }
        if let Ok(at) = DateTime::parse_from_rfc3339(at) {
            self.times.insert(n, at.to_utc());
        }
        match &checked.body {
            Body::Rewound(rewound) => {
                self.rewinds.push((n, rewound.to));
                for row in self.rows.iter_mut().filter(|row| row.entry > rewound.to) {
                    row.undone_by.get_or_insert(n);
                }
            }
            Body::Decision(decision) => self.rows.push(Decided {
                entry: n,
                at: at.to_owned(),
                via: serde_json::to_value(decision.via)
                    .ok()
                    .and_then(|via| Some(via.as_str()?.to_owned()))
                    .unwrap_or_default(),
                seat: decision.seat.to_string(),
                words: decision.order.get().to_owned(),
                prompt: u32::try_from(decision.prompt).unwrap_or(u32::MAX),
                digest: decision.words.filter(|_| decision.via == Via::Mail),
                counts: !undone,
                ..Decided::default()
            }),
            _ => {}
        }
    }
}

impl Docket {
    /// The rows with all that is known of them.
    pub fn rows(mut self, seen: &Looked, found: &Found, taken: &Path) -> Result<Vec<Decided>, CliError> {
        let (live, secrets) = (&seen.live, GameSecrets::of(found.kept().kept));
        let mut said: BTreeMap<u64, String> = BTreeMap::new();
        live.each_step(&mut |when, step, dyn_game| {
            if let (When::Before, Cause::Decision { prompt, order, .. }) = (when, &step.cause) {
                let words = dyn_game.order(order).ok().and_then(|order| dyn_game.say(*prompt, &order));
                said.extend(words.map(|words| (step.n, words)));
            }
        })?;
        for row in &mut self.rows {
            let n = row.entry;
            row.undone_by = row.undone_by.filter(|_| !row.counts);
            let player = Seat::from_letter(&row.seat).and_then(|seat| seen.seats.player_at(seat, n));
            row.player = player.map_or_else(|| row.seat.clone(), |player| player.name.clone());
            if let Some(words) = said.remove(&n) {
                row.words = seen.seats.named_at(n, &words);
                let put = live.step_log.put_by(row.prompt).and_then(|put| self.times.get(&put));
                let again = self.rewinds.iter().rfind(|(at, _)| *at < n);
                let since = put.max(again.and_then(|(at, _)| self.times.get(at)));
                row.seconds = since.zip(self.times.get(&n)).map(|(since, at)| (*at - *since).num_seconds().max(0));
            }
            if let Some((mail, digest)) = secrets.mail_of(n).zip(row.digest) {
                row.look_into(&live.game, &taken.join(&live.game).join(format!("{mail}.eml")), &digest);
            }
            let told = live.story.iter().filter(|line| line.n == n && line.told.whom == Whom::All);
            row.led_to = told.map(|line| seen.seats.named_at(n, &line.told.line)).collect();
        }
        Ok(self.rows)
    }
}

impl Decided {
    /// Takes the words and the Date from the mail, if it is there still.
    fn look_into(&mut self, game: &str, path: &Path, digest: &Hash) {
        let Some(mail) = fs_err::read(path).ok().and_then(|raw| Incoming::parse(&raw).ok()) else { return };
        self.dated = mail.date.map(|date| date.to_rfc3339());
        let id = mail.message_id.as_deref().unwrap_or_default();
        let lines = mail.orders.iter().flat_map(|orders| &orders.lines).map(|line| line.text.trim());
        if let Some(line) = { lines }.find(|line| words_digest(game, &self.seat, id, [*line]) == *digest) {
            (self.words, self.own) = (line.to_owned(), true);
        }
    }
}

/// A change of VPs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// n of the entry whose step changed them.
    entry: u64,
    /// The seat.
    seat: String,
    /// Who sat there then.
    player: String,
    /// VPs more, or less below 0.
    change: i64,
    /// What the seat has then.
    sum: i64,
    /// What the entry led to, as everybody was told.
    led_to: Vec<String>,
}

/// Every change of VPs of a game: the sum of a seat's changes is its score.
///
/// # Errors
/// [`CliError::Replay`] when the rules do not do again what they did.
pub fn ledger(seen: &Looked) -> Result<Vec<Change>, CliError> {
    let (live, mut rows) = (&seen.live, Vec::new());
    let mut had: BTreeMap<Seat, i64> = BTreeMap::new();
    live.each_step(&mut |when, step, dyn_game| {
        for (seat, letter) in (0..).map(Seat).zip(&live.opened.seats).filter(|_| when == When::After) {
            let Some(sum) = dyn_game.vps(seat) else { continue };
            let change = sum - had.insert(seat, sum).unwrap_or(0);
            if change != 0 {
                let player = seen.seats.player_at(seat, step.n).map_or(letter, |player| &player.name).clone();
                let told = live.story.iter().filter(|line| line.n == step.n && line.told.whom == Whom::All);
                let led_to = told.map(|line| seen.seats.named_at(step.n, &line.told.line)).collect();
                rows.push(Change { entry: step.n, seat: letter.clone(), player, change, sum, led_to });
            }
        }
    })?;
    Ok(rows)
}

/// A table of these rows, each an object whose members are its columns.
///
/// # Errors
/// When a row is no JSON.
pub fn table<R: Serialize>(rows: &[R], form: Form, line: impl Fn(&R) -> String) -> Result<Output, CliError> {
    match form {
        Form::Json => Output::json(&rows),
        Form::Text => Ok(rows.iter().map(|row| visible(&line(row)).into_owned() + "\n").collect::<String>().into()),
        Form::Csv => {
            let rows = serde_json::to_value(rows).map_err(|why| CliError::Broken(why.to_string()))?;
            let mut text = String::new();
            for (at, row) in rows.as_array().into_iter().flatten().filter_map(Value::as_object).enumerate() {
                if at == 0 {
                    text += &format!("{}\r\n", row.keys().map(String::as_str).collect::<Vec<_>>().join(","));
                }
                text += &format!("{}\r\n", row.values().map(cell).collect::<Vec<_>>().join(","));
            }
            Ok(visible(&text.replace("\r\n", "\n")).into_owned().into())
        }
    }
}

/// A cell of a CSV table. What a spreadsheet would take for a formula is not one.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        other => return other.to_string(),
    };
    let text = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

impl Decided {
    /// The row for people.
    pub fn line(&self) -> String {
        let Decided { entry, at, via, player, seat, words, .. } = self;
        let mut line = format!("{entry:>6}  {at}  {player} ({seat}) by {via}: {words}");
        if let Some(dated) = &self.dated {
            line += &format!(" [dated {dated}]");
        }
        if let Some(seconds) = self.seconds {
            line += &format!(" (after {seconds} s)");
        }
        if let Some(n) = self.undone_by {
            line += &format!(" (undone by entry {n})");
        }
        self.led_to.iter().for_each(|told| line += &format!("\n          {told}"));
        line
    }
    /// n of its entry.
    pub fn entry(&self) -> u64 {
        self.entry
    }
}

impl Change {
    /// The row for people.
    pub fn line(&self) -> String {
        let Change { entry, player, seat, change, sum, .. } = self;
        let mut line = format!("{entry:>6}  {player} ({seat}): {change:+}, {sum} in all");
        self.led_to.iter().for_each(|told| line += &format!("\n          {told}"));
        line
    }
    /// n of its entry.
    pub fn entry(&self) -> u64 {
        self.entry
    }
}

#[cfg(test)]
mod tests {
    use super::cell;
    use serde_json::json;

    #[test]
    fn cells_are_quoted_and_are_no_formulas() {
        let cells =
            [json!("bid 4"), json!("a \"b\", c"), json!(["One.", "Two, too."]), json!(null), json!(-3), json!("=1+1")];
        let right = ["bid 4", "\"a \"\"b\"\", c\"", "\"One. Two, too.\"", "", "-3", "'=1+1"];
        assert_eq!(cells.each_ref().map(cell), right);
    }
}
