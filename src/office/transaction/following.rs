//! The automatic consequences of a change.

use crate::{
    error::OfficeError,
    game::Game,
    services::Services,
    transaction::{Transaction, answering, settings, stand_ins},
};

impl Transaction {
    /// Carries out everything that happens automatically: begins the game when all have joined, and
    /// lets standing orders and bots answer. Repeating it changes nothing.
    pub(crate) fn follow(&mut self, services: &Services) -> Result<(), OfficeError> {
        self.touched = true;
        if begins(self) {
            let n = self.next_line();
            let step = self.live.start(n)?;
            for body in &step.bodies {
                self.line(services, body)?;
            }
        }
        settings::show_zones(self, services)?;
        stand_ins::seat_all(self, services)?;
        answering::answer_all(self, services)?;
        if self.live.closed {
            // When a game is over, nothing needs to stay hidden; with these texts all of it can be
            // proved.
            let sealed: Vec<u64> = self.facts.standing.iter().chain(&self.facts.forgotten).map(|one| one.n).collect();
            for n in sealed {
                self.unseal(services, n)?;
            }
        }
        Ok(())
    }
}

/// Returns `true` if nothing is missing for play to begin.
pub(crate) fn begins(game: &Game) -> bool {
    let open = game.live.started.is_none() && !game.live.closed;
    open && game.live.joined.iter().all(Option::is_some) && game.secrets.declined.is_empty()
}
