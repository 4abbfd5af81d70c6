//! What a player is told who takes his seat.

use super::From;
use crate::{
    error::OfficeError,
    services::Services,
    session::{Game, Transaction},
};
use postrider_orders::list_and;
use postrider_store::Player;
use postrider_table::Seat;

impl Game {
    /// Who has not joined yet.
    pub(super) fn waiting(&self) -> String {
        let open = |player: &&Player| self.live.joined.get(player.seat.index()).is_some_and(Option::is_none);
        let names: Vec<&str> = self.seats.players.iter().filter(open).map(|player| player.name.as_str()).collect();
        format!(
            "The game begins when {} joined too.",
            match names.as_slice() {
                [one] => format!("{one} has"),
                several => format!("{} have", list_and(several)),
            }
        )
    }
}

impl Transaction {
    pub(super) fn joining(
        &mut self,
        services: &Services,
        seat: Seat,
        luck: &str,
        from: &From<'_>,
    ) -> Result<String, OfficeError> {
        if self.live.closed {
            return Ok("You have not joined: this game is abandoned.".to_owned());
        }
        if self.has_joined(seat) || self.live.started.is_some() {
            return Ok("You have joined already.".to_owned());
        }
        let mail = match from {
            From::Mail { hash, .. } => Some(*hash),
            From::Cli => None,
        };
        self.join(services, seat, luck, mail)?;
        if self.live.joined.iter().all(Option::is_some) {
            return Ok("You have joined, and so have all: the game begins.".to_owned());
        }
        Ok(format!("You have joined. {}", self.waiting()))
    }
}
