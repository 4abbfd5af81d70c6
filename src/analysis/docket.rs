//! Tables of all decisions of a game, and of all changes of VPs.

use super::{Course, Waited, lasted};
use chrono::SecondsFormat;
use postrider_audit::words_of;
use postrider_dice::Hash;
use postrider_journal::{Body, Checked, ClockEvent, Via, unix};
use postrider_mail::Incoming;
use postrider_replay::{
    LiveGame, Projection, ReplayFault,
    index::JournalIndex,
    step_log::{Cause, When},
};
use postrider_store::{GameSecrets, Players};
use postrider_table::{Seat, Whom, rule_rows};
use serde::Serialize;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// A row of a table.
pub trait Row: Serialize {
    /// The columns, in the order of the cells.
    const COLUMNS: &'static [&'static str];
    /// Returns the number of its entry.
    fn entry(&self) -> u64;
    /// Returns the cells, in the order of the columns.
    fn cells(&self) -> Vec<String> {
        let members = serde_json::to_value(self).unwrap_or_default();
        let cell = |column: &&str| match &members[*column] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
            other => other.to_string(),
        };
        Self::COLUMNS.iter().map(cell).collect()
    }
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
    /// The number of seconds from the deadline to its receipt.
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
                words: format!("(the deadline of question {} has passed)", clock.prompt),
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
fn led_to(live: &LiveGame, players: &Players, n: u64) -> Vec<String> {
    let told = live.story.iter().filter(|line| line.n == n && line.told.whom == Whom::All);
    told.map(|line| players.named_at(n, &line.told.line)).collect()
}

impl Docket {
    /// Returns the complete rows. `course` reads all lines; `kept` gives the mails of orders, of
    /// which `taken` has the copies that the host still keeps.
    ///
    /// # Errors
    ///
    /// Returns a [`ReplayFault`] if the replay differs from the journal.
    pub fn rows(
        self,
        live: &LiveGame,
        course: &Course<'_>,
        kept: &GameSecrets,
        taken: &Path,
    ) -> Result<Vec<Decided>, ReplayFault> {
        let (undone, players) = (JournalIndex::of(course.source)?.undone(u64::MAX), course.players);
        let (mut waited, mut rows) = (course.read()?.waited, self.0);
        for row in &mut rows {
            let n = row.entry;
            row.undone_by = undone.by(n).map(|rewind| rewind.at);
            let player = Seat::from_letter(&row.seat).and_then(|seat| players.player_at(seat, n));
            row.player = player.map_or_else(|| row.seat.clone(), |player| player.name.clone());
            if let Some(Waited { seconds, deadline, order }) = waited.remove(&n) {
                row.seconds = seconds;
                row.deadline = deadline.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true));
                row.late =
                    deadline.zip(unix(&row.at)).map(|(until, at)| at - until.timestamp()).filter(|late| *late > 0);
                row.words = order.map_or_else(|| row.words.clone(), |words| players.named_at(n, &words));
            }
            if let Some((mail, digest)) = kept.mail_of(n).zip(row.digest) {
                row.look_into(&live.game, &taken.join(&live.game).join(format!("{mail}.eml")), &digest);
            }
            row.led_to = led_to(live, players, n);
        }
        Ok(rows)
    }
}

impl Decided {
    /// Takes the words and the date from the mail, if the host still has it.
    fn look_into(&mut self, game: &str, path: &Path, digest: &Hash) {
        let Some(mail) = fs_err::read(path).ok().and_then(|raw| Incoming::parse(&raw).ok()) else { return };
        self.dated = mail.date.map(|date| date.to_rfc3339_opts(SecondsFormat::Secs, true));
        if let Some(words) = words_of(&mail, game, &self.seat, digest) {
            (self.words, self.own) = (words, true);
        }
    }
}

/// The source of the VPs that a fork begins with.
const INHERITED: &str = "from the game that this one continues";

/// A change of VPs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The number of the entry whose step changed them.
    pub entry: u64,
    /// The seat.
    pub seat: String,
    /// The player of the seat at that time.
    pub player: String,
    /// The difference.
    pub change: i64,
    /// The VPs of the seat afterwards.
    pub sum: i64,
    /// The rule that gave or took them; empty if a director did. The first entry of a fork has the
    /// VPs that the fork inherits.
    pub rule: String,
    /// The consequences of the entry, as told to everyone.
    pub led_to: Vec<String>,
}

/// Returns every change of VPs in a game; the sum of a seat's changes is its score.
///
/// # Errors
///
/// Returns a [`ReplayFault`] if the replay differs from the journal.
pub fn ledger(live: &LiveGame, players: &Players) -> Result<Vec<Change>, ReplayFault> {
    let mut rows = Vec::new();
    // A rule without a number in the rulebook has only a title.
    let titles: BTreeMap<&str, &str> =
        rule_rows(live.opened.ruleset.rules()).map(|row| (row.number, row.title)).collect();
    let titled = |rule: &str| match titles.get(rule) {
        Some(title) if !rule.starts_with(|c: char| c.is_ascii_digit()) => (*title).to_owned(),
        _ => rule.to_owned(),
    };
    let mut had: BTreeMap<Seat, (i64, BTreeMap<&'static str, i64>)> = BTreeMap::new();
    live.each_step(&mut |when, step, dyn_game| {
        let ruled = matches!(step.cause, Cause::Ruling { .. });
        for (seat, letter) in (0..).map(Seat).zip(&live.opened.seats).filter(|_| when == When::After) {
            let Some(vps) = dyn_game.vps(seat) else { continue };
            let by_rule: BTreeMap<&'static str, i64> = dyn_game.earned(seat).into_iter().collect();
            let earlier = had.insert(seat, (vps, by_rule.clone()));
            let inherited = earlier.is_none() && live.opened.parent.is_some();
            let (mut sum, before) = earlier.unwrap_or_default();
            let since = |rule| by_rule.get(rule).unwrap_or(&0) - before.get(rule).unwrap_or(&0);
            // VPs set by a director or inherited from the parent of a fork came by no rule.
            let (by_none, other) = (ruled || inherited, if inherited { INHERITED } else { "" });
            let rules: BTreeSet<&str> = by_rule.keys().chain(before.keys()).copied().filter(|_| !by_none).collect();
            let mut changes: Vec<(&str, i64)> = rules.into_iter().map(|rule| (rule, since(rule))).collect();
            changes.push((other, vps - sum - changes.iter().map(|(_, change)| change).sum::<i64>()));
            for (rule, change) in changes.into_iter().filter(|(_, change)| *change != 0) {
                sum += change;
                let player = players.player_at(seat, step.n).map_or(letter, |player| &player.name).clone();
                let (seat, rule, led_to) = (letter.clone(), titled(rule), led_to(live, players, step.n));
                rows.push(Change { entry: step.n, seat, player, change, sum, rule, led_to });
            }
        }
    })?;
    Ok(rows)
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
    fn line(&self) -> String {
        let Decided { entry, at, via, player, seat, words, .. } = self;
        let way = if via == "expired" { String::new() } else { format!(" by {via}") };
        let mut line = format!("{entry:>6}  {at}  {player} ({seat}){way}: {words}");
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
    fn line(&self) -> String {
        let Change { entry, player, seat, change, sum, rule, .. } = self;
        let rule = match rule.chars().next() {
            None => String::new(),
            Some('0'..='9') => format!(" (rule {rule})"),
            Some(_) => format!(" ({rule})"),
        };
        above(format!("{entry:>6}  {player} ({seat}): {change:+}, {sum} in all{rule}"), &self.led_to)
    }
}
