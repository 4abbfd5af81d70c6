//! Going back: a director rewinds a game, a seat takes its last order back.
//!
//! Both are a `rewound` line. Nothing is deleted; what is undone stays in the journal, and everybody is told what was learned
//! there. Where dice or cards were drawn there, fresh seed chains see to it that none comes as it did before.

use crate::{
    carry_out::directing::rewinding::{self, RewindGame, Rewinding},
    error::OfficeError,
    post::settle,
    service::Office,
};

impl Office {
    /// Rewinds a game: writes the line, and everybody a letter with the reason, what was learned and what is asked now.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when it makes no sense; nothing has been written then.
    pub fn rewind(&mut self, game: &str, wanted: &RewindGame) -> Result<Rewinding, OfficeError> {
        if wanted.dry_run {
            return self.dry_run(game, |services, tx| rewinding::rewind(tx, services, wanted, None));
        }
        self.change(game, |services, tx| {
            let done = rewinding::rewind(tx, services, wanted, None)?;
            settle::settle(tx, services, None)?;
            Ok(done)
        })
    }
}
