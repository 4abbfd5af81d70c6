//! Looking at a game: rebuilt as far as it can be seen from here.

use super::{CliError, files::Found};
use postrider_journal::LinesFault;
use postrider_replay::{
    Catalog, Checkpoint, LiveGame, Projection, ReplayFault, Source,
    index::{JournalIndex, Rewind},
    rebuild_with,
};
use postrider_store::Players;
use postrider_table::{Seat, Watch};

/// A game as it can be seen.
pub struct Looked {
    /// The game.
    pub live: LiveGame,
    /// The names of the players who sat there then.
    pub seats: Players,
    /// The last entry that is seen and the reason, if that is not the last of the journal.
    pub note: Option<String>,
}

/// Rebuilds a game up to and including the step of line `upto`, or as far as it can be seen without the operator's
/// secrets.
///
/// # Errors
/// [`CliError::Replay`] when the journal is damaged.
pub fn look(found: &Found, catalog: &Catalog, upto: Option<u64>) -> Result<Looked, CliError> {
    look_with(found, catalog, upto, &mut [])
}

/// As [`look`], and feeds `projections` every line that is read; where the game is not seen to its end they are fed from the
/// first line once more.
///
/// # Errors
/// As [`look`].
pub fn look_with(
    found: &Found,
    catalog: &Catalog,
    upto: Option<u64>,
    projections: &mut [&mut dyn Projection],
) -> Result<Looked, CliError> {
    let watch = Watch { tell: true, events: true, digests: false };
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
    // Without digests the Rounds cannot be compared; whoever doubts them has `verify`.
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
    let note = Some(note(&live, &further(&why)));
    Ok(Looked { seats: seats(&live), live, note })
}

/// The reason why a game is not seen further, and a way to see more.
fn further(why: &ReplayFault) -> String {
    match why {
        ReplayFault::Hidden { n, deck, epoch } => format!(
            "entry {n} goes on with the order of the deck \"{deck}\", epoch {epoch}, of which cards are hidden still; the host's own \
             folder, with the secrets, shows all"
        ),
        other => other.to_string(),
    }
}

/// The journal without a torn last line, and why there is one if there is: somebody is writing it just now, or it will be cut off
/// when the game is next played on.
pub(super) fn whole_lines(found: &Found) -> Result<(Source, Option<String>), CliError> {
    let source = Source::from(found.journal.as_path());
    let mut lines = source.lines()?;
    loop {
        match lines.next_line() {
            Ok(Some(_)) => {}
            Ok(None) => return Ok((source, None)),
            Err(why @ LinesFault::Torn { .. }) => {
                let mut bytes = fs_err::read(&found.journal)?;
                bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1));
                return Ok((Source::from(bytes.as_slice()), Some(why.to_string())));
            }
            Err(why) => return Err(ReplayFault::from(why).into()),
        }
    }
}

/// The end of a journal with this number of lines, in words.
pub(super) fn goes_to(lines: u64) -> String {
    format!("the last one is entry {} (line {lines} of the file)", lines.saturating_sub(1))
}

/// The entry that a command looks at, by its n or by its line in the file.
#[derive(clap::Args, Debug)]
pub(super) struct AtEntry {
    /// After the step to which this entry of the journal belongs, as `log` and letters number them; the first is entry 0
    #[arg(long, value_name = "N", conflicts_with = "line")]
    entry: Option<u64>,
    /// The same by the line of the journal's file, as editors count: line 1 is entry 0
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    line: Option<u64>,
}

impl AtEntry {
    /// n of the line that is meant, if one is.
    pub fn n(&self) -> Option<u64> {
        self.entry.or_else(|| self.line.map(|line| line - 1))
    }
    /// The same of a journal that has it.
    ///
    /// # Errors
    /// [`CliError::Usage`] when it does not come to it.
    pub fn within(&self, found: &Found) -> Result<Option<u64>, CliError> {
        let Some(n) = self.n() else { return Ok(None) };
        let lines = lines_of(found)?;
        match n < lines {
            true => Ok(Some(n)),
            false => Err(CliError::Usage(format!("there is no entry {n}: {}", goes_to(lines)))),
        }
    }
}

/// A remark on an entry that a rewind has undone; `None` for any other.
pub(super) fn undone(found: &Found, n: u64) -> Result<Option<String>, CliError> {
    let (source, _) = whole_lines(found)?;
    let rewind = JournalIndex::of(&source)?.undone(u64::MAX).by(n);
    Ok(rewind.map(|Rewind { to, at }| {
        format!(
            "entry {n} is undone: entry {at} has the game go on after entry {to}; what is shown here counts no more"
        )
    }))
}

/// The number of whole lines of a journal.
pub(super) fn lines_of(found: &Found) -> Result<u64, CliError> {
    let (source, _) = whole_lines(found)?;
    let (mut lines, mut count) = (source.lines()?, 0);
    while lines.next_line().map_err(ReplayFault::from)?.is_some() {
        count += 1;
    }
    Ok(count)
}

impl Looked {
    /// The seat of this letter, or of the player of this name, in any case.
    ///
    /// # Errors
    /// [`CliError::Usage`] when the game has none such.
    pub fn seat(&self, name: &str) -> Result<Seat, CliError> {
        let seats = &self.live.opened.seats;
        let found = seats.iter().find(|seat| seat.eq_ignore_ascii_case(name)).and_then(|seat| self.live.seat(seat));
        let called = || match self.seats.seats_named(name)[..] {
            [seat] => Some(seat),
            _ => None,
        };
        found.or_else(called).ok_or_else(|| {
            let seats = postrider_orders::list_and(seats);
            CliError::Usage(format!(
                "there is no seat \"{name}\"; the seats are {seats}, and a player's name means his"
            ))
        })
    }
    /// n of the entry that begins the moment of this name.
    ///
    /// # Errors
    /// [`CliError::Usage`] when the words name none, or the game is not seen as far as that.
    pub fn find(&self, moment: &str) -> Result<u64, CliError> {
        let found = moment.parse::<Checkpoint>()?.find(&self.live.marks);
        found.map_err(|why| match &self.note {
            Some(note) => CliError::Usage(format!("{why}; it is {note}")),
            None => why.into(),
        })
    }
    /// The name of the moment.
    pub fn moment(&self) -> &str {
        match self.live.marks.last() {
            Some(mark) => &mark.label,
            None if self.live.started.is_some() => "just begun",
            None => "not begun",
        }
    }
}
