//! Going back: a director rewinds a game, a seat takes its last order back.
//!
//! Both are a `rewound` line. Nothing is deleted; what is undone stays in the journal, and everybody is told what was learned
//! there. Where dice or cards were drawn there, fresh seed chains see to it that none comes as it did before.

use crate::{
    error::OfficeError,
    game::undoing::{self, Point, RewindReport},
    misuse::Misuse,
    post::settle,
    service::Office,
    services::Services,
    transaction::{Back, Transaction},
};
use postrider_audit::Disclosed;
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

/// Longer texts are not taken for a reason or a ruling.
const LONGEST: usize = 1_000;

impl Office {
    /// Rewinds a game: writes the line, and everybody a letter with the reason, what was learned and what is asked now.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when it makes no sense; nothing has been written then.
    pub fn rewind(&mut self, game: &str, wanted: &RewindGame) -> Result<Rewinding, OfficeError> {
        let work = |services: &mut Services, tx: &mut Transaction| {
            let (by, reason) =
                (one_line("the name of who rewinds", &wanted.by)?, one_line("a reason", &wanted.reason)?);
            if tx.live.opened.seats.contains(&by) || Seat::from_letter(&by).is_some() {
                return Err(Misuse::BySeat { by }.into());
            }
            let (point, end) = (undoing::find(tx, services, &wanted.to)?, tx.head().n);
            let disclosed = Disclosed::between(&tx.source, point.to, end)?;
            let story: Vec<StoryLine> = tx.live.story.iter().filter(|line| line.n > point.to).cloned().collect();
            let told =
                disclosed.report(None, &tx.seats, &letters::story(&story, letters::Reader::at(None), None, &tx.seats));
            let what = if wanted.dry_run { "would be rewound" } else { "is rewound" };
            let heading = format!(
                "{game} {what} to entry {} ({}), by {by}: {reason}. Entries {} to {end} {} undone.",
                point.to,
                point.place,
                point.to + 1,
                if wanted.dry_run { "would be" } else { "are" }
            );
            let report = vec![Section::paragraph(heading), told];
            let mut done = None;
            if !wanted.dry_run {
                // Answers that are in the mail were written by somebody who did not know of this.
                let back = Back { by: by.clone(), reason: reason.clone(), of: None, from: 0, mail: None };
                tx.undo(services, &point, back)?;
                let report = RewindReport { place: point.place.clone(), disclosed: disclosed.clone(), story };
                tx.news.rewinds.0.insert(tx.live.head.n, report);
                done = Some(tx.head().n);
                settle::settle(tx, services, None)?;
            }
            let Point { to, place, .. } = point;
            Ok(Rewinding { game: game.to_owned(), to, place, by, reason, disclosed, done, report })
        };
        if wanted.dry_run { self.dry_run(game, work) } else { self.change(game, work) }
    }
}

/// A text of somebody's for the journal: one line, not empty, not too long.
pub(crate) fn one_line(what: &'static str, text: &str) -> Result<String, OfficeError> {
    let text = text.trim();
    if text.is_empty() || text.chars().any(char::is_control) || text.chars().count() > LONGEST {
        return Err(Misuse::NotOneLine { what, longest: LONGEST }.into());
    }
    Ok(text.to_owned())
}
