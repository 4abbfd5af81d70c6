//! Deadlines at work: what is due is written into the journal, pauses, deadlines that a ruling moves, and what letters say
//! of all that.

use crate::{
    carry_out::{delay, directing::clock as stopping},
    error::OfficeError,
    post::settle,
    service::Office,
    transaction::ticking::{self, Ticked},
};

/// What was found in a game that was due.
#[derive(Debug, Default)]
pub struct TickedGame {
    /// The deadlines that were seen to.
    pub ticked: Ticked,
    /// Why it could not be opened.
    pub fault: Option<OfficeError>,
}

impl Office {
    /// Sees to a game that is [due](Office::due): one that cannot be opened must not keep the others waiting, so its fault is no
    /// error here.
    ///
    /// # Errors
    /// A [fatal](OfficeError::is_fatal) one.
    pub fn tick_due(&mut self, game: &str) -> Result<TickedGame, OfficeError> {
        match self.tick(game) {
            Ok(ticked) => Ok(TickedGame { ticked, fault: None }),
            // What was half written of the first line is cut off then: the game was never opened.
            Err(OfficeError::NoGame(_)) => Ok(TickedGame::default()),
            Err(why) if why.is_fatal() => Err(why),
            Err(why) => Ok(TickedGame { ticked: Ticked::default(), fault: Some(why) }),
        }
    }

    /// Takes in the mails whose orders have waited long enough, then looks at the deadlines of a game: writes reminders and deadlines that have passed into the journal, and the
    /// letters about them.
    ///
    /// # Errors
    /// [`OfficeError`] when it cannot be opened.
    pub fn tick(&mut self, game: &str) -> Result<Ticked, OfficeError> {
        self.change(game, |services, tx| {
            delay::take_waiting(tx, services)?;
            // Before any deadline of somebody who is away passes.
            settle::settle(tx, services, None)?;
            let ticked = ticking::tick(tx, services)?;
            settle::settle(tx, services, None)?;
            Ok(ticked)
        })
    }

    /// Has the clock of a game stand still for all its questions, or (`false`) run again. Everybody is told. Gives what was
    /// done in a sentence.
    ///
    /// # Errors
    /// [`OfficeError::Use`] where nothing would change; nothing has been written then.
    pub fn pause(&mut self, game: &str, pause: bool) -> Result<String, OfficeError> {
        self.change(game, |services, tx| {
            stopping::set(tx, services, pause)?;
            settle::settle(tx, services, None)?;
            Ok(match pause {
                true => format!("{game} is paused: its deadlines stand still."),
                false => format!("{game} goes on: its deadlines run again."),
            })
        })
    }
}
