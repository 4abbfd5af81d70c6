//! The command that opens a game.

use crate::{
    error::OfficeError,
    service::Office,
    transaction::opening::{NewGame, create},
};

impl Office {
    /// Opens a game and puts the invitations into the outbox. Returns the game's id.
    ///
    /// # Errors
    /// [`OfficeError::Use`] or [`OfficeError::Setup`] if the request is invalid; nothing has been
    /// written then.
    pub fn new_game(&mut self, new: &NewGame) -> Result<String, OfficeError> {
        let game = create(&mut self.services, new)?;
        // Opening the game does the rest: it begins if all have joined, and the letters are
        // written.
        self.open_game(&game)?;
        // From now on a clock that jumps is noticed.
        self.check_clock(false)?;
        Ok(game)
    }
}
