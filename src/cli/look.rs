//! Read access to a game, rebuilt as far as the available information allows.

use super::{
    CliError,
    files::Found,
    number::{any, positive},
    working::no_seat,
};
use postrider_replay::{
    Catalog, Checkpoint, LiveGame, Moment, Projection, ReplayFault, Source,
    index::{JournalIndex, Rewind},
    rebuild_with,
};
use postrider_store::Players;
use postrider_table::{Seat, Watch};

/// A game as far as it can be rebuilt.
pub struct Looked {
    /// The game.
    pub live: LiveGame,
    /// The names of the players at the time shown.
    pub seats: Players,
    /// The last entry shown and the reason, if it is not the last of the journal.
    pub note: Option<String>,
}

/// Rebuilds a game up to and including the step of line `upto`, or as far as possible without the
/// operator's secrets.
///
/// # Errors
///
/// Returns [`CliError::Replay`] if the journal is damaged.
pub fn look(found: &Found, catalog: &Catalog, upto: Option<u64>) -> Result<Looked, CliError> {
    look_with(found, catalog, upto, &mut [])
}

/// Rebuilds a game as [`look`] does, and passes every line read to `projections`. If the game
/// cannot be replayed to its end, they get all lines again from the first.
///
/// # Errors
///
/// See [`look`].
pub fn look_with(
    found: &Found,
    catalog: &Catalog,
    upto: Option<u64>,
    projections: &mut [&mut dyn Projection],
) -> Result<Looked, CliError> {
    let watch = Watch { tell: true, events: true, ..Watch::NONE };
    let kept = found.kept().kept;
    let seats = |live: &LiveGame| {
        let mut players = Players::named_in(&kept, live.opened.seats.len());
        players.sit(&live.seatings);
        players.at(live.head.n)
    };
    let (source, torn) = whole_lines(found)?;
    let note = |live: &LiveGame, why: &str| format!("not seen further than entry {}: {why}", live.head.n);
    let chains = found.chains().filter(|chains| !chains.is_empty());
    let mut again = |upto| rebuild_with(&source, catalog, chains.clone(), upto, watch, projections);
    // Digests are not compared here; `verify` does that.
    let (before, why) = match again(upto) {
        Ok(live) => {
            let note = torn.map(|why| note(&live, &why));
            return Ok(Looked { seats: seats(&live), live, note });
        }
        Err(why @ ReplayFault::Hidden { n, .. }) => (n, why),
        Err(why @ ReplayFault::Incomplete { from, .. }) => (from, why),
        Err(why) => return Err(why.into()),
    };
    let live = again(Some(before.saturating_sub(1)))?;
    let torn = torn.map(|why| format!("; {why}")).unwrap_or_default();
    let note = Some(note(&live, &(further(&why) + &torn)));
    Ok(Looked { seats: seats(&live), live, note })
}

/// Describes the reason why a game is not shown further, and a way to see more.
fn further(why: &ReplayFault) -> String {
    match why {
        ReplayFault::Hidden { n, deck, epoch } => format!(
            "entry {n} goes on with the order of the deck \"{deck}\", epoch {epoch}, of which cards are hidden still; the host's own \
             folder, with the secrets, shows all"
        ),
        other => other.to_string(),
    }
}

/// Returns the journal without a torn last line, and the fault of that line, if there is one.
pub(super) fn whole_lines(found: &Found) -> Result<(Source, Option<String>), CliError> {
    let (source, torn) = Source::whole(&found.journal)?;
    Ok((source, torn.map(|why| why.to_string())))
}

/// Describes the last entry of a journal with this number of lines.
pub(super) fn goes_to(lines: u64) -> String {
    format!("the last one is entry {} (line {lines} of the file)", lines.saturating_sub(1))
}

// A moment in the history of a game.
#[derive(clap::Args, Debug)]
pub(super) struct At {
    /// At the beginning of this Turn or Round: "turn 5 round 3"
    #[arg(long, value_name = "WHEN", conflicts_with_all = ["line", "entry"])]
    at: Option<String>,
    /// After the step of this journal entry (the first is 0)
    #[arg(long, value_name = "N", conflicts_with = "line", value_parser = any)]
    entry: Option<u64>,
    /// The same by the line of the journal file: line 1 is entry 0
    #[arg(long, value_name = "N", value_parser = positive)]
    line: Option<u64>,
}

impl At {
    /// Returns the point, if one is given.
    ///
    /// # Errors
    ///
    /// Returns [`CliError::Checkpoint`] if the text names none.
    pub fn checkpoint(&self) -> Result<Option<Checkpoint>, CliError> {
        let at = self.at.as_ref().map(|at| at.parse()).transpose()?;
        Ok(at.or_else(|| self.entry.or_else(|| self.line.map(|line| line - 1)).map(Checkpoint::Line)))
    }

    /// Returns the moment, if one is given; otherwise the present one is meant.
    ///
    /// # Errors
    ///
    /// Returns [`CliError::Usage`] if the journal does not have it.
    pub fn moment(&self, found: &Found, catalog: &Catalog) -> Result<Option<Moment>, CliError> {
        match self.checkpoint()? {
            None => Ok(None),
            Some(Checkpoint::Line(n)) => match lines_of(found)? {
                lines if n < lines => Ok(Some(Moment::after(n))),
                lines => Err(CliError::Usage(format!("there is no entry {n}: {}", goes_to(lines)))),
            },
            Some(at) => {
                let Looked { live, note, .. } = look(found, catalog, None)?;
                live.moment(&at).map(Some).map_err(|why| note.map_or_else(|| why.into(), CliError::Usage))
            }
        }
    }
}

/// Returns a remark on an entry that a rewind has undone; `None` for any other.
pub(super) fn undone(found: &Found, n: u64) -> Result<Option<String>, CliError> {
    let (source, _) = whole_lines(found)?;
    let rewind = JournalIndex::of(&source)?.undone(u64::MAX).by(n);
    Ok(rewind
        .map(|Rewind { to, at, .. }| format!("entry {n} is undone: entry {at} continues the game after entry {to}")))
}

/// Returns the number of complete lines of a journal.
pub(super) fn lines_of(found: &Found) -> Result<u64, CliError> {
    let (source, _) = whole_lines(found)?;
    let (mut lines, mut count) = (source.lines()?, 0);
    while lines.next_line().map_err(ReplayFault::from)?.is_some() {
        count += 1;
    }
    Ok(count)
}

impl Looked {
    /// Returns the seat with this letter, or with a player of this name, ignoring case.
    ///
    /// # Errors
    ///
    /// Returns [`CliError::Usage`] if the game has no such seat.
    pub fn seat(&self, name: &str) -> Result<Seat, CliError> {
        let seats = &self.live.opened.seats;
        let found = seats.iter().find(|seat| seat.eq_ignore_ascii_case(name)).and_then(|seat| self.live.seat(seat));
        let called = || match self.seats.seats_named(name)[..] {
            [seat] => Some(seat),
            _ => None,
        };
        found.or_else(called).ok_or_else(|| no_seat(name, &self.seats))
    }
    /// Returns the name of the moment shown.
    pub fn moment(&self) -> &str {
        match self.live.marks.last() {
            Some(mark) => &mark.label,
            None if self.live.started.is_some() => "just begun",
            None if self.note.is_some() => "no position is proved",
            None => "not begun",
        }
    }
}
