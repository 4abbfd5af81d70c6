//! A player takes his seat.

use crate::{
    journal::{Body, Joined, address_commitment},
    office::{error::OfficeError, services::Services, session::GameSession},
    store::Player,
    table::Seat,
};

impl GameSession {
    /// A player takes his seat. The line is not yet appended.
    pub fn join(&mut self, services: &Services, seat: Seat, luck: &str) -> Result<(), OfficeError> {
        let Some(player) = self.seats.player(seat).cloned() else { return Ok(()) };
        self.line(services, &joined(&player, luck))?;
        self.live.join(seat, luck);
        Ok(())
    }
}

pub(crate) fn joined(player: &Player, luck: &str) -> Body<'static> {
    Body::Joined(Joined {
        seat: player.seat.to_string().into(),
        address: address_commitment(&player.salt, &player.address),
        luck: luck.to_owned().into(),
    })
}
