//! Rewinds by a director.

use crate::{
    error::OfficeError,
    game::{
        directors::{self, By, one_line},
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
use postrider_replay::{Checkpoint, StoryLine};
use postrider_table::Seat;
use serde::Serialize;

/// What a rewind is asked for with.
#[derive(Clone, Debug)]
pub struct RewindGame {
    /// Where play is to go on.
    pub to: Checkpoint,
    /// Who decided it, as the journal names him; no seat.
    pub by: String,
    /// Why.
    pub reason: String,
    /// Only say what it would do.
    pub dry_run: bool,
}

/// What a rewind does, or would do.
#[derive(Clone, Debug, Serialize)]
pub struct Rewinding {
    /// The game.
    pub game: String,
    /// n of the line after which play goes on.
    pub to: u64,
    /// Turn and Round there.
    pub place: String,
    /// Who decided it.
    pub by: String,
    /// Why.
    pub reason: String,
    /// What was learned in what is undone.
    pub disclosed: Disclosed,
    /// n of the `rewound` line, once it is written.
    pub done: Option<u64>,
    /// The whole report for people.
    #[serde(skip)]
    pub report: Vec<Section>,
}

/// Rewinds a game, or says what that would do. `words`: the digest of the line of a mail by which
/// it came.
///
/// # Errors
/// [`OfficeError::Use`] when it makes no sense; nothing has been written then.
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
    let disclosed = Disclosed::between(&tx.source, point.to, end)?;
    let story: Vec<StoryLine> = tx.live.story.iter().filter(|line| line.n > point.to).cloned().collect();
    let told = disclosed.report(None, &tx.seats, &letters::story(&story, letters::Reader::at(None), None, &tx.seats));
    let what = if wanted.dry_run { "would be rewound" } else { "is rewound" };
    let heading = format!(
        "{} {what} to entry {} ({}), by {by}: {reason}. Entries {} to {end} {} undone.",
        tx.id,
        point.to,
        point.place,
        point.to + 1,
        if wanted.dry_run { "would be" } else { "are" }
    );
    let report = vec![Section::paragraph(heading), told];
    let mut done = None;
    if !wanted.dry_run {
        // Answers that are in the mail were written by somebody who did not know of this.
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
