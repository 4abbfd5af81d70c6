//! Going back: a director rewinds a game, or a seat takes back its last order.
//!
//! Both write a `rewound` line. Nothing is deleted: undone entries stay in the journal, and all
//! players are told what these revealed. If dice or cards were drawn in them, new seed chains
//! ensure that they will not be the same again.

use crate::{
    carry_out::directing::rewinding::{self, RewindGame, Rewinding},
    error::OfficeError,
    service::Office,
};

impl Office {
    /// Rewinds a game: writes the line, and a letter to all players with the reason, the
    /// information revealed and the open questions.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if the request is invalid; nothing has been written then.
    pub fn rewind(&mut self, game: &str, wanted: &RewindGame) -> Result<Rewinding, OfficeError> {
        if wanted.dry_run {
            return self.dry_run(game, |services, tx| rewinding::rewind(tx, services, wanted, None));
        }
        self.change(game, |services, tx| {
            let done = rewinding::rewind(tx, services, wanted, None)?;
            Ok(done)
        })
    }
}
