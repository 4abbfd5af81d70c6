//! The state of the process: counters and current problems, for the status page.

use chrono::{DateTime, SecondsFormat, Utc};
use postrider_mail::Redacted;
use postrider_office::Outcome;
use postrider_store::Pulse;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Time after which a failing part makes the process unhealthy; shorter failures may be temporary.
const PATIENCE: Duration = Duration::from_secs(300);

/// Time without a sign of life after which the worker counts as hanging, as with a commit for which
/// no standby is there.
const SILENCE: Duration = Duration::from_secs(60);

/// The state shared by all threads.
#[derive(Debug)]
pub(super) struct State {
    /// `true` if the process is to end.
    stopping: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    began: DateTime<Utc>,
    /// The parts, with the current error of each and its start.
    parts: BTreeMap<&'static str, Option<(String, Instant)>>,
    /// Mails stored in `mail/in`, by source.
    put: BTreeMap<&'static str, u64>,
    /// Mails processed, by outcome.
    taken: BTreeMap<&'static str, u64>,
    /// Total and maximum processing time of a mail, in seconds.
    seconds: (f64, f64),
    sent: u64,
    refused: u64,
    inbox: usize,
    outbox: usize,
    games: usize,
    unopened: usize,
    ticked: Option<DateTime<Utc>>,
    /// The state of the database, if there is one.
    pulse: Option<Pulse>,
    alive: Instant,
}

/// The health of the process, for monitoring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Health {
    /// Everything works.
    Well,
    /// There is a problem that may be temporary.
    Worried(String),
    /// Something does not work.
    Ill(String),
}

impl State {
    pub fn new() -> State {
        let inner = Inner {
            began: Utc::now(),
            parts: BTreeMap::from([("worker", None)]),
            put: BTreeMap::new(),
            taken: BTreeMap::new(),
            seconds: (0.0, 0.0),
            sent: 0,
            refused: 0,
            inbox: 0,
            outbox: 0,
            games: 0,
            unopened: 0,
            ticked: None,
            pulse: None,
            alive: Instant::now(),
        };
        State { stopping: AtomicBool::new(false), inner: Mutex::new(inner) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Counters remain valid after a panic.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all threads to end.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
    }

    /// Returns `true` if all threads are to end.
    pub fn stops(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Records that a part works.
    pub fn works(&self, part: &'static str) {
        if self.inner().parts.insert(part, None).flatten().is_some() {
            tracing::info!(part, "works again");
        }
    }

    /// Records that a part fails. A new error is logged.
    pub fn fails(&self, part: &'static str, why: &str) {
        let why = without_addresses(why);
        let known = self.inner().parts.get(part).cloned().flatten();
        if known.as_ref().is_none_or(|(known, _)| *known != why) {
            tracing::error!(part, why, "does not work for now");
        }
        let since = known.map_or_else(Instant::now, |(_, since)| since);
        self.inner().parts.insert(part, Some((why, since)));
    }

    /// Records a mail stored in `mail/in`.
    pub fn put(&self, way: &'static str) {
        *self.inner().put.entry(way).or_default() += 1;
    }

    /// Records a processed mail and its processing time.
    pub fn taken(&self, outcome: &Outcome, time: Duration) {
        let mut inner = self.inner();
        *inner.taken.entry(name(outcome)).or_default() += 1;
        inner.seconds = (inner.seconds.0 + time.as_secs_f64(), inner.seconds.1.max(time.as_secs_f64()));
    }

    /// Records letters sent and refused, and the number still waiting.
    pub fn sent(&self, sent: usize, refused: usize, waiting: usize) {
        let mut inner = self.inner();
        inner.sent += sent as u64;
        inner.refused += refused as u64;
        inner.outbox = waiting;
    }

    /// Records the number of mails waiting in `mail/in`.
    pub fn waiting(&self, mails: usize) {
        self.inner().inbox = mails;
    }

    /// Records a pass over all games: the number of games, of games that cannot be opened, and of
    /// letters waiting.
    pub fn ticked(&self, games: usize, unopened: usize, letters: usize) {
        let mut inner = self.inner();
        (inner.games, inner.unopened, inner.ticked) = (games, unopened, Some(Utc::now()));
        inner.outbox = letters;
    }

    /// Records the state of the database; `None` while it is unknown.
    pub fn feels(&self, pulse: Option<Pulse>) {
        self.inner().pulse = pulse;
    }

    /// Records a sign of life of the worker.
    pub fn alive(&self) {
        self.inner().alive = Instant::now();
    }

    /// Returns the health of the process.
    pub fn health(&self) -> Health {
        let inner = self.inner();
        if inner.alive.elapsed() > SILENCE {
            return Health::Ill("worker: at work on one thing for a minute".to_owned());
        }
        let mut worst = Health::Well;
        for (part, trouble) in &inner.parts {
            let Some((why, since)) = trouble else { continue };
            let said = format!("{part}: {why}");
            match worst {
                _ if *part == "worker" || since.elapsed() >= PATIENCE => return Health::Ill(said),
                Health::Well => worst = Health::Worried(said),
                _ => {}
            }
        }
        worst
    }

    /// Formats the status page for people.
    pub fn page(&self) -> String {
        let health = self.health();
        let inner = self.inner();
        let mut text = match health {
            Health::Well => "All is well.\n".to_owned(),
            Health::Worried(why) => format!("It works, but {why}\n"),
            Health::Ill(why) => format!("NOT WELL: {why}\n"),
        };
        let began = inner.began.to_rfc3339_opts(SecondsFormat::Secs, true);
        let _ = writeln!(text, "\nPostrider {}, serving since {began}.\n", env!("CARGO_PKG_VERSION"));
        let _ = writeln!(text, "{} games, {} of them cannot be opened", inner.games, inner.unopened);
        let _ = writeln!(text, "{} mails wait in mail/in, {} letters in mail/out", inner.inbox, inner.outbox);
        let taken: Vec<_> = inner.taken.iter().map(|(what, count)| format!("{count} {what}")).collect();
        let _ =
            writeln!(text, "mails taken in: {}", if taken.is_empty() { "none".to_owned() } else { taken.join(", ") });
        let _ = writeln!(text, "letters sent: {}, refused: {}", inner.sent, inner.refused);
        for (part, trouble) in &inner.parts {
            let how = trouble.as_ref().map_or("works", |(why, _)| why);
            let _ = writeln!(text, "{part}: {how}");
        }
        text
    }

    /// Formats the metrics in the text format of Prometheus (version 0.0.4).
    pub fn metrics(&self) -> String {
        let well = !matches!(self.health(), Health::Ill(_));
        let inner = self.inner();
        let mut text = String::new();
        let mut metric = |name: &str, kind: &str, help: &str, rows: Vec<(String, f64)>| {
            let _ = writeln!(text, "# HELP postrider_{name} {help}\n# TYPE postrider_{name} {kind}");
            for (labels, value) in rows {
                let _ = writeln!(text, "postrider_{name}{labels} {value}");
            }
        };
        let one = |value: f64| vec![(String::new(), value)];
        let by = |label: &str, counts: &BTreeMap<&'static str, u64>| {
            counts.iter().map(|(key, count)| (format!("{{{label}=\"{key}\"}}"), *count as f64)).collect::<Vec<_>>()
        };
        let count: u64 = inner.taken.values().sum();
        metric("healthy", "gauge", "1 if all required parts work.", one(f64::from(u8::from(well))));
        let parts = inner.parts.iter();
        let parts = parts.map(|(part, how)| (format!("{{part=\"{part}\"}}"), f64::from(u8::from(how.is_none()))));
        metric("part_works", "gauge", "1 if this part works.", parts.collect());
        metric("mails_put_total", "counter", "Mails that came in, by way.", by("way", &inner.put));
        metric("mails_taken_total", "counter", "Processed mails, by outcome.", by("outcome", &inner.taken));
        metric("mail_seconds_sum", "counter", "Total processing time of mails, in seconds.", one(inner.seconds.0));
        metric("mail_seconds_count", "counter", "Mails whose taking in was timed.", one(count as f64));
        metric("mail_seconds_max", "gauge", "The longest time that one mail took.", one(inner.seconds.1));
        metric("letters_sent_total", "counter", "Letters handed over.", one(inner.sent as f64));
        metric("letters_refused_total", "counter", "Letters refused for good.", one(inner.refused as f64));
        metric("inbox_mails", "gauge", "Mails that wait in mail/in.", one(inner.inbox as f64));
        metric("outbox_letters", "gauge", "Letters that wait in mail/out.", one(inner.outbox as f64));
        metric("games", "gauge", "Games of this host.", one(inner.games as f64));
        metric("games_unopened", "gauge", "Games that cannot be opened.", one(inner.unopened as f64));
        let ticked = inner.ticked.map_or(0.0, |at| at.timestamp() as f64);
        metric("ticked_timestamp_seconds", "gauge", "Time of the last check of all games.", one(ticked));
        metric("began_timestamp_seconds", "gauge", "When the process began.", one(inner.began.timestamp() as f64));
        if let Some(pulse) = inner.pulse {
            let queue = |mails: f64, letters: f64| {
                vec![("{queue=\"in\"}".to_owned(), mails), ("{queue=\"out\"}".to_owned(), letters)]
            };
            let waits = queue(pulse.inbox.0 as f64, pulse.outbox.0 as f64);
            metric("store_queue", "gauge", "Mails and letters of all workers that wait in the database.", waits);
            let oldest = queue(pulse.inbox.1, pulse.outbox.1);
            metric("store_oldest_seconds", "gauge", "Age of the oldest of them, in seconds.", oldest);
            metric("store_leases", "gauge", "Games leased by a worker.", one(pulse.leases as f64));
            metric("store_standbys", "gauge", "Synchronous standbys that follow now.", one(pulse.standbys as f64));
            metric(
                "store_behind_bytes",
                "gauge",
                "Lag of the slowest standby, in bytes of the log.",
                one(pulse.behind as f64),
            );
            metric("store_bytes", "gauge", "The size of the database.", one(pulse.bytes as f64));
        }
        text
    }
}

/// Returns a word for the outcome of a mail.
pub(super) fn name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Filed(_) => "filed",
        Outcome::Again => "again",
        Outcome::Report { .. } => "report",
        Outcome::Poison(_) => "poison",
        Outcome::Kept { .. } => "kept",
        Outcome::Answered { .. } => "answered",
    }
}

/// Hides the mail addresses in a text, such as a server's message.
pub(super) fn without_addresses(text: &str) -> String {
    let ends = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '"' | '\'' | ',' | ';');
    let hidden = |piece: &str| {
        let end = piece.chars().next_back().filter(|&c| ends(c));
        let word = piece.trim_end_matches(ends);
        if word.contains('@') {
            format!("{}{}", Redacted(word), end.map(String::from).unwrap_or_default())
        } else {
            piece.to_owned()
        }
    };
    text.split_inclusive(ends).map(hidden).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_hosts_page() {
        let state = State::new();
        state.works("clock");
        let pulse = Pulse { leases: 3, inbox: (4, 5.5), outbox: (6, 7.0), standbys: 1, behind: 8, bytes: 9 };
        state.feels(Some(pulse));
        let text = state.metrics();
        for line in [
            "postrider_healthy 1",
            "postrider_store_leases 3",
            "postrider_store_queue{queue=\"in\"} 4",
            "postrider_store_oldest_seconds{queue=\"in\"} 5.5",
            "postrider_store_queue{queue=\"out\"} 6",
            "postrider_store_oldest_seconds{queue=\"out\"} 7",
            "postrider_store_standbys 1",
            "postrider_store_behind_bytes 8",
            "postrider_store_bytes 9",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
        let page = include_str!("../../docs/scale.md");
        let watch = &page[page.find("### What to watch").expect("a section")..];
        let named: Vec<&str> = watch.split('`').filter(|word| word.starts_with("postrider_")).collect();
        assert!(named.len() > 8, "{named:?}");
        for name in named {
            assert!(text.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}");
        }
        // Each metric has its help and type once, before its values.
        let mut known = BTreeMap::new();
        for line in text.lines() {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["#", "HELP", name, ..] => assert!(known.insert(name.to_owned(), "").is_none(), "{name} twice"),
                ["#", "TYPE", name, kind] => {
                    assert!(["gauge", "counter"].contains(&kind));
                    known.insert(name.to_owned(), "typed");
                }
                [row, value] => {
                    let name = row.split('{').next().unwrap_or_default();
                    assert_eq!(known.get(name), Some(&"typed"), "{line}");
                    assert!(value.parse::<f64>().is_ok(), "{line}");
                }
                _ => panic!("{line}"),
            }
        }
    }

    #[test]
    fn what_fails_is_known_and_what_fails_for_long_is_ill() {
        let state = State::new();
        assert_eq!(state.health(), Health::Well);
        state.fails("imap", "550 <ben@example.net>: no such user");
        let Health::Worried(why) = state.health() else { panic!("{:?}", state.health()) };
        assert_eq!(why, "imap: 550 <b…@example.net>: no such user");
        assert!(state.metrics().contains("postrider_part_works{part=\"imap\"} 0\n"), "{}", state.metrics());
        state.works("imap");
        assert_eq!(state.health(), Health::Well);
        state.fails("worker", "the disk is full");
        assert!(matches!(state.health(), Health::Ill(_)));
        assert!(state.page().starts_with("NOT WELL: worker: the disk is full\n"), "{}", state.page());
    }
}
