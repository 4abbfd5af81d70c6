//! What a director decides beside the rules: a ruling, a seat given to another player.

use super::{new_game::Invitee, rewind::one_line};
use crate::{
    journal::{Json, Ruling},
    office::{error::OfficeError, misuse::Misuse, service::Office},
    store::Kept,
    table::Seat,
};
use serde::Serialize;

/// A ruling as it is given.
#[derive(Clone, Debug)]
pub struct RulingGiven {
    /// Who rules.
    pub by: String,
    /// The ruling in words, for everybody.
    pub text: String,
    /// What it does, an object that the game understands; empty for a ruling in words alone.
    pub effect: serde_json::Value,
}

/// A ruling that was given.
#[derive(Clone, Debug, Serialize)]
pub struct Ruled {
    /// The game.
    pub game: String,
    /// n of its line.
    pub n: u64,
    /// How it is told.
    pub told: Vec<String>,
}

impl Office {
    /// Writes a ruling down and does what it says; everybody is written to. The effect `{"deadline": {"seat": …, "until": …}}`
    /// moves the deadline of everything that is asked of a seat now, in any game that has deadlines; every other effect is the
    /// game's own.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when the effect is refused, with what would be wrong then; nothing has changed.
    pub fn rule(&mut self, game: &str, given: &RulingGiven) -> Result<Ruled, OfficeError> {
        self.with_session(game, |services, session| {
            let (by, text) = (one_line("the name of who rules", &given.by)?, one_line("a ruling", &given.text)?);
            let (effect, moved) = match session.moving(services, &given.effect)? {
                Some((effect, said)) => (effect, Some(said)),
                None => (given.effect.clone(), None),
            };
            let effect = Json::new(&effect).map_err(|why| Misuse::NotJson { why: why.to_string() })?;
            let (n, mut told) = session.rule(services, Ruling { by: by.into(), text: text.into(), effect })?;
            told.extend(moved);
            session.run_pending(services, None)?;
            Ok(Ruled { game: game.to_owned(), n, told })
        })
    }

    /// Gives a seat to another player, or the same one another address. He is written to as if he had read nothing yet; letters
    /// of the player before him are good for nothing any more, since orders count from the new address alone. Before the game has begun
    /// this corrects an invitation; where it was answered already, the seat has joined and its words for luck stay.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when it makes no sense; nothing has been written then.
    pub fn reseat(&mut self, game: &str, seat: Seat, who: &Invitee) -> Result<(), OfficeError> {
        self.with_session(game, |services, session| {
            let Some(old) = session.seats.player(seat).cloned() else {
                return Err(Misuse::NoSeat { seat: seat.to_string(), game: game.to_owned() }.into());
            };
            let others = session.seats.players.iter().filter(|player| player.seat != seat);
            if others.into_iter().any(|other| other.name.eq_ignore_ascii_case(&who.name)) {
                return Err(Misuse::NameTaken { name: who.name.clone() }.into());
            }
            let zone = who.zone.clone().or_else(|| old.zone.filter(|_| old.name == who.name));
            let check = who.sender_check.map(|check| Kept::SenderCheck(seat, check)).into_iter().collect();
            if session.live.started.is_none() && !session.has_joined(seat) {
                return session.correct(services, (seat, &who.name, &who.address, zone), check);
            }
            session.reseat(services, (seat, &who.name, &who.address, zone), check, None)
        })
    }
}
