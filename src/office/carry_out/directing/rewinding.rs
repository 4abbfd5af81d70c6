//! Rewinds by directors.

use crate::{
    error::OfficeError,
    game::{
        Game,
        directors::{self, By, one_line},
        motions,
        undoing::{self, Point, RewindReport},
    },
    misuse::Misuse,
    services::Services,
    transaction::{Back, Transaction},
};
use postrider_audit::Disclosed;
use postrider_dice::Hash;
use postrider_letters as letters;
use postrider_letters::Section;
use postrider_orders::list_and;
use postrider_replay::{Checkpoint, StoryLine};
use postrider_table::Seat;
use serde::Serialize;

/// A request for a rewind.
#[derive(Clone, Debug)]
pub struct RewindGame {
    /// The point from which play is to continue.
    pub to: Checkpoint,
    /// The name of the person who decided it, for the journal; not a seat.
    pub by: String,
    /// The reason.
    pub reason: String,
    /// `true` if the effect is only to be described.
    pub dry_run: bool,
}

/// The effect of a rewind that was carried out or tried.
#[derive(Clone, Debug, Serialize)]
pub struct Rewinding {
    /// The game.
    pub game: String,
    /// The `n` of the line after which play continues.
    pub to: u64,
    /// The Turn and Round of that line.
    pub place: String,
    /// The name of the person who decided it.
    pub by: String,
    /// The reason.
    pub reason: String,
    /// The information revealed by the undone entries.
    pub disclosed: Disclosed,
    /// The `n` of the `rewound` line, once it is written.
    pub done: Option<u64>,
    /// The full report as text.
    #[serde(skip)]
    pub report: Vec<Section>,
}

/// Returns the rewind to just before the motion that ended a game.
///
/// # Errors
/// [`Misuse::NotEnded`] if no motion has ended it.
pub(crate) fn reopening(game: &Game, by: &str, reason: &str, dry_run: bool) -> Result<RewindGame, Misuse> {
    let of = game.live.motions.ended_by().and_then(|of| of.checked_sub(1));
    let to = Checkpoint::Line(of.ok_or_else(|| Misuse::NotEnded { game: game.id.clone() })?);
    Ok(RewindGame { to, by: by.to_owned(), reason: reason.to_owned(), dry_run })
}

/// Rewinds a game, or describes the effect. `words` is the digest of the mail's line that requested
/// it.
///
/// # Errors
/// [`OfficeError::Use`] if the request is invalid; nothing has been written then.
pub(crate) fn rewind(
    tx: &mut Transaction,
    services: &Services,
    wanted: &RewindGame,
    words: Option<Hash>,
) -> Result<Rewinding, OfficeError> {
    let (by, reason) = (one_line("the name of who rewinds", &wanted.by)?, one_line("a reason", &wanted.reason)?);
    if tx.live.opened.seats.contains(&by) || Seat::from_letter(&by).is_some() {
        return Err(Misuse::BySeat { by }.into());
    }
    directors::check(tx, &by)?;
    let (point, end) = (undoing::find(tx, services, &wanted.to)?, tx.head().n);
    tx.can_undo(&point)?;
    let disclosed = Disclosed::between(&tx.source, point.to, end)?;
    let story: Vec<StoryLine> = tx.live.undone_story(point.to, point.within).cloned().collect();
    let told = disclosed.report(None, &tx.seats, &letters::story(&story, letters::Reader::at(None), None, &tx.seats));
    let what = if wanted.dry_run { "would be rewound" } else { "is rewound" };
    let why = reason.trim_end_matches('.');
    let mut undone = match end - point.to {
        0 => Vec::new(),
        1 => vec![format!("Entry {end} {} undone.", if wanted.dry_run { "would be" } else { "is" })],
        _ => vec![format!(
            "Entries {} to {end} {} undone.",
            point.to + 1,
            if wanted.dry_run { "would be" } else { "are" }
        )],
    };
    undone.extend(point.within.map(|n| {
        format!("Play continues at the beginning of that Round, in the middle of what followed from entry {n}; dice after it are rolled again.")
    }));
    undone.extend(motions::play_again(tx, tx.live.motions.conceded_after(point.to), wanted.dry_run));
    let seats = tx.seats.players.iter().map(|player| player.seat);
    let bots: Vec<String> =
        seats.filter(|&seat| tx.stand_in(seat).is_some()).map(|seat| tx.seats.called(seat)).collect();
    if !bots.is_empty() {
        undone.push(format!("A bot plays for {}.", list_and(&bots)));
    }
    let heading = format!(
        "{} {what} to entry {} ({}), by {}: {why}. {}",
        tx.id,
        point.to,
        point.place,
        motions::called(tx, &by),
        undone.join(" ")
    );
    let report = vec![Section::paragraph(heading), told];
    let mut done = None;
    if !wanted.dry_run {
        // Players who have mails on their way do not know of this rewind, so these do not count.
        let said = By { name: &by, words }.said(tx);
        let back = Back { of: None, from: 0, mail: None, said, by: by.clone(), reason: reason.clone() };
        tx.undo(services, &point, back)?;
        let report = RewindReport { place: point.place.clone(), disclosed: disclosed.clone(), story };
        tx.news.rewinds.0.insert(tx.live.head.n, report);
        done = Some(tx.head().n);
    }
    let Point { to, place, .. } = point;
    Ok(Rewinding { game: tx.id.clone(), to, place, by, reason, disclosed, done, report })
}
