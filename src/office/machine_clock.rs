//! The machine's clock, doubted when it jumps or differs from the dates of mails. As long as it is
//! doubted, no deadline passes.

use crate::{environment::Environment, error::OfficeError};
use chrono::{DateTime, Duration, Utc};
use postrider_disk as disk;
use postrider_orders::list_and;
use postrider_store::{Host, StoreError};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt,
    path::{Path, PathBuf},
};

/// A difference that no clock has by itself within a day, in seconds.
pub(crate) const JUMP: i64 = 300;

/// A difference between a mail's `Date` and its arrival that needs an explanation, in seconds.
const LATE: i64 = 3_600;

/// The number of mails, by at least two authors, that must be that late.
const LATE_MAILS: usize = 3;

/// The time for which a machine may have been off without its clock being doubted afterwards, and
/// the longest time for which the doubt lasts, in seconds.
const OFF: i64 = 86_400;

/// The interval at which the anchor is moved forward, in seconds.
const MOVE_ON: i64 = 60;

/// What the clock showed while it was not doubted, in seconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Anchor {
    /// The moment from which a jump is measured, at most a day before `at`, so that small steps add
    /// up to one: the start of the machine, and the seconds from then to that moment.
    ran: Option<(String, i64)>,
    /// The time that the clock showed at that moment.
    from: i64,
    /// The last time that it showed.
    at: i64,
    /// The time at which the host confirmed the clock.
    #[serde(default)]
    confirmed: i64,
}

impl Anchor {
    /// Returns the reason to doubt a clock that shows `now`. The anchor is the last activity of the
    /// host's folder: entries may be months old. If the machine was started since, only mails can
    /// distinguish a clock that is ahead from a machine that was off.
    fn doubt(&self, now: i64, ran: Option<&(String, i64)>, dates: &MailDates) -> Option<String> {
        let by = |seconds: i64| Duration::seconds(seconds.abs()).num_minutes();
        let time = |at: i64| DateTime::from_timestamp(at, 0).unwrap_or_default().format("%F %T UTC");
        match (&self.ran, ran) {
            (Some((start, before)), Some((now_start, since))) if start == now_start => {
                let jump = now - self.from - (since - before);
                let where_to = if jump > 0 { "forward" } else { "back" };
                (jump.abs() > JUMP).then(|| {
                    format!(
                        "this machine's clock was set {where_to} by {} minutes since it showed {}",
                        by(jump),
                        time(self.from)
                    )
                })
            }
            (_, Some((_, since))) if now > self.at + OFF && *since < OFF && !dates.agree(self.at) => Some(format!(
                "this machine was started since {}, and its clock shows {} hours more; a player's mail of now confirms it",
                time(self.at),
                by(now - self.at) / 60
            )),
            _ => (now < self.at - JUMP).then(|| {
                format!(
                    "this machine's clock is {} minutes before {}, which it has shown",
                    by(now - self.at),
                    time(self.at)
                )
            }),
        }
    }

    /// Returns the anchor after a look at which the clock was not doubted.
    fn moved(self, now: i64, ran: Option<(String, i64)>) -> Anchor {
        let holds = match (&self.ran, &ran) {
            (Some((start, before)), Some((now_start, since))) => start == now_start && since - before < OFF,
            _ => false,
        };
        if holds { Anchor { at: now, ..self } } else { Anchor { ran, from: now, at: now, ..self } }
    }
}

/// A doubt about the machine's clock. Its `Display` output is a sentence with the consequence,
/// without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The reason, as a sentence without a full stop.
    pub why: String,
    /// The games whose deadlines do not pass.
    pub stops: Stops,
}

/// The games whose deadlines do not pass while the clock is doubted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stops {
    /// All.
    All,
    /// These.
    Games(BTreeSet<String>),
    /// None, because deadlines follow the clock of the database.
    Nothing,
}

impl Doubt {
    fn of_all(why: String) -> Doubt {
        Doubt { why, stops: Stops::All }
    }

    /// Returns `true` if no deadline of this game passes.
    pub(crate) fn stops(&self, game: &str) -> bool {
        match &self.stops {
            Stops::All => true,
            Stops::Games(games) => games.contains(game),
            Stops::Nothing => false,
        }
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = match self.stops {
            Stops::All => "in a game of this folder",
            Stops::Games(_) => "there",
            Stops::Nothing => return write!(f, "{}; deadlines follow the database", self.why),
        };
        write!(
            f,
            "{}. No deadline passes {games} until the clock is right, or you confirm it by `postrider tick --clock-is-right`",
            self.why
        )
    }
}

/// The `Date` of a mail from a player.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Dated {
    game: String,
    author: String,
    /// Seconds from the date to the arrival.
    late: i64,
    /// The time of the arrival, in seconds since 1970.
    at: i64,
}

/// The dates of the last mails from players, of all and of each game. Anyone can write any date, so
/// mails by players of one game stop the deadlines of that game only.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct MailDates {
    last: VecDeque<Dated>,
    by_game: BTreeMap<String, VecDeque<Dated>>,
}

impl MailDates {
    /// Reads the dates that the last process of this host kept. They are lost in a database, whose
    /// clock counts.
    pub fn kept(host: &Host) -> MailDates {
        let kept = fs_err::read(dates(host)).ok().and_then(|text| serde_json::from_slice(&text).ok());
        kept.unwrap_or_default()
    }

    /// Keeps the dates for the next process. Of the games, only those with a late mail matter.
    pub fn keep(&self, host: &Host) -> Result<(), OfficeError> {
        let late = |mails: &VecDeque<Dated>| mails.iter().any(|one| one.late.abs() > LATE);
        let by_game = self.by_game.iter().filter(|(_, mails)| late(mails));
        let by_game = by_game.map(|(game, mails)| (game.clone(), mails.clone())).collect();
        put(&dates(host), &MailDates { last: self.last.clone(), by_game })
    }

    /// Records a mail that a player of this game wrote.
    pub fn note(&mut self, game: &str, author: &str, date: DateTime<Utc>, now: DateTime<Utc>) {
        let (late, at) = ((now - date).num_seconds(), now.timestamp());
        let dated = Dated { game: game.to_owned(), author: author.to_owned(), late, at };
        for mails in [&mut self.last, self.by_game.entry(game.to_owned()).or_default()] {
            mails.push_back(dated.clone());
            if mails.len() > LATE_MAILS {
                mails.pop_front();
            }
        }
    }

    /// Returns `true` if a mail that arrived after this time agrees with the clock.
    fn agree(&self, since: i64) -> bool {
        self.last.iter().any(|one| one.at > since && one.late.abs() <= LATE)
    }

    fn doubt(&self, confirmed: i64) -> Option<Doubt> {
        let of_games = |mails: &VecDeque<Dated>| mails.iter().any(|one| one.game != mails[0].game);
        if let Some(why) = MailDates::differ(&self.last, confirmed).filter(|_| of_games(&self.last)) {
            return Some(Doubt::of_all(format!("{why} the dates of the last {LATE_MAILS} mails")));
        }
        let mut differing =
            self.by_game.iter().filter_map(|(game, mails)| Some((game, MailDates::differ(mails, confirmed)?)));
        let (first, why) = differing.next()?;
        let games: BTreeSet<String> = differing.map(|(game, _)| game).chain([first]).cloned().collect();
        let why = format!(
            "{why} the dates of the last {LATE_MAILS} mails of {}",
            list_and(&games.iter().collect::<Vec<_>>())
        );
        Some(Doubt { why, stops: Stops::Games(games) })
    }

    /// Returns how the clock differs from the dates of these mails, if it differs from all alike.
    fn differ(mails: &VecDeque<Dated>, confirmed: i64) -> Option<String> {
        let known: Vec<&Dated> = mails.iter().filter(|one| one.at > confirmed).collect();
        let all = |holds: fn(i64) -> bool| known.iter().all(|one| holds(one.late));
        let authors = known.iter().any(|one| one.author != known[0].author);
        if known.len() < LATE_MAILS || !authors || !(all(|late| late > LATE) || all(|late| late < -LATE)) {
            return None;
        }
        // A wrong clock makes all mails late by the same time; mails that waited for a server are
        // not.
        let lates = || known.iter().map(|one| one.late);
        if lates().max()? - lates().min()? > JUMP {
            return None;
        }
        let least = lates().map(i64::abs).min().unwrap_or_default() / 60;
        let which = if known[0].late > 0 { "ahead of" } else { "behind" };
        Some(format!("this machine's clock is {least} minutes {which}"))
    }
}

fn path(host: &Host) -> PathBuf {
    host.root().join("mail").join("clock.json")
}

fn dates(host: &Host) -> PathBuf {
    host.root().join("mail").join("dates.json")
}

fn put(path: &Path, kept: &impl Serialize) -> Result<(), OfficeError> {
    fs_err::create_dir_all(path.parent().unwrap_or(path)).map_err(StoreError::from)?;
    let text = serde_json::to_vec(kept).map_err(StoreError::from)?;
    Ok(disk::put_helper(path, &text).map_err(StoreError::from)?)
}

/// Checks the machine's clock against how long the machine has run since it was last checked, and
/// against the dates of mails; where the `store` has a clock, against that. `confirmed`: the host
/// says that it is right.
pub(crate) fn doubt(
    host: &Host,
    environment: &Environment,
    dates: &MailDates,
    store: Option<i64>,
    confirmed: bool,
) -> Result<Option<Doubt>, OfficeError> {
    let (now, ran) = (environment.now().timestamp(), environment.ran());
    if let Some(store) = store {
        // Deadlines follow the store's clock.
        let off = now - store;
        return Ok((off.abs() > JUMP).then(|| {
            let minutes = off.abs() / 60;
            let why = format!("this machine's clock differs by {minutes} minutes from that of the database");
            Doubt { why, stops: Stops::Nothing }
        }));
    }
    let before = match fs_err::read(path(host)) {
        Ok(text) if !confirmed => match serde_json::from_slice::<Anchor>(&text) {
            Ok(before) => Some(before),
            Err(why) => return Ok(Some(Doubt::of_all(format!("{} is damaged: {why}", path(host).display())))),
        },
        _ => None,
    };
    let Some(before) = before else {
        let confirmed = if confirmed { now } else { 0 };
        put(&path(host), &Anchor { ran, from: now, at: now, confirmed })?;
        return Ok(dates.doubt(confirmed));
    };
    let doubt = before.doubt(now, ran.as_ref(), dates).map(Doubt::of_all).or_else(|| dates.doubt(before.confirmed));
    if doubt.is_none() && (now - before.at).abs() >= MOVE_ON {
        put(&path(host), &before.moved(now, ran))?;
    }
    Ok(doubt)
}
