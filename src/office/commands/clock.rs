//! Deadlines: recording those that are due.

use crate::{
    error::OfficeError,
    machine_clock::{self, Doubt, JUMP},
    post::reseating,
    service::Office,
    services::Services,
    transaction::ticking::{self, Held, Ticked},
};
use chrono::DateTime;

/// The result of [`Office::tick_due`].
#[derive(Debug, Default)]
pub struct TickedGame {
    /// The deadlines and reminders handled.
    pub ticked: Ticked,
    /// `true` if a deadline would have passed if it had not been held.
    pub waits: bool,
    /// The error if the game could not be opened.
    pub fault: Option<OfficeError>,
}

impl Office {
    /// Handles a game that is [due](Office::due). A game that cannot be opened must not delay the
    /// others, so its error is part of the result. The deadlines of the seats `held` do not pass.
    ///
    /// # Errors
    /// Only [fatal](OfficeError::is_fatal) ones.
    pub fn tick_due(&mut self, game: &str, held: &Held) -> Result<TickedGame, OfficeError> {
        match self.tick_but(game, held) {
            Ok((ticked, waits)) => Ok(TickedGame { ticked, waits, fault: None }),
            // The game was never opened: its first line was only partly written, and has been cut
            // off.
            Err(OfficeError::NoGame(_)) => Ok(TickedGame::default()),
            Err(why) if why.is_fatal() => Err(why),
            Err(why) => Ok(TickedGame { fault: Some(why), ..TickedGame::default() }),
        }
    }

    /// Takes in mails whose delay has passed. Then writes reminders and expired deadlines into the
    /// journal, and the letters about them. No deadline passes while the clock is doubted, or is
    /// before the time of the journal's last line.
    ///
    /// # Errors
    /// [`OfficeError`] if the game cannot be opened.
    pub fn tick(&mut self, game: &str) -> Result<Ticked, OfficeError> {
        Ok(self.tick_but(game, &Held::Nobody)?.0)
    }

    fn tick_but(&mut self, game: &str, held: &Held) -> Result<(Ticked, bool), OfficeError> {
        self.change(game, |services, tx| {
            reseating::lapse(tx, services)?;
            // Before any deadline of a player on leave expires.
            tx.follow(services)?;
            let last = DateTime::parse_from_rfc3339(&tx.facts.last_at).map_or(0, |at| at.timestamp());
            let doubted = services.clock_doubted.as_ref().is_some_and(|doubt| doubt.stops(game));
            if doubted || services.now().timestamp() < last - JUMP {
                return Ok((Ticked::default(), false));
            }
            ticking::tick(tx, services, held)
        })
    }

    /// Checks the machine's clock, and returns the reason for doubting it. While it is doubted, no
    /// deadline passes in a game of the host's folder, or in the games that the reason concerns;
    /// games in a database follow the clock of its server. `confirmed`: the host says that the
    /// clock is right.
    ///
    /// # Errors
    /// [`OfficeError::Store`] when the clock that counts cannot be asked.
    pub fn check_clock(&mut self, confirmed: bool) -> Result<Option<Doubt>, OfficeError> {
        let Services { host, environment, mail_dates, store, .. } = &self.services;
        let doubt = machine_clock::doubt(host, environment, mail_dates, store.now()?, confirmed)?;
        self.services.clock_doubted.clone_from(&doubt);
        Ok(doubt)
    }
}
