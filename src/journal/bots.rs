//! Bots: seats that a bot has for good, and seats in which it stands in for an absent player.

use crate::body::StandIn;
use std::collections::{BTreeMap, BTreeSet};

/// The seats that are played by bots.
///
/// A bot has a seat from the entry that gives it the seat to the next one that gives the seat to
/// anyone else. It stands in for a player until an entry says that the player is back, or until the
/// seat is given to anyone else. No rewind changes any of this.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bots {
    own: BTreeSet<String>,
    /// The names of the bots that stand in, by seat.
    stand_ins: BTreeMap<String, String>,
}

/// The reason an entry about stand-ins contradicts those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each means")]
pub enum BotFault {
    #[error("no bot plays seat {0}")]
    None(String),
    #[error("a bot has seat {0}, and nobody is absent")]
    Own(String),
}

impl Bots {
    /// Returns `true` if a bot has the seat.
    #[must_use]
    pub fn have(&self, seat: &str) -> bool {
        self.own.contains(seat)
    }

    /// Returns the bot that stands in for a seat's player.
    #[must_use]
    pub fn stand_in(&self, seat: &str) -> Option<&str> {
        self.stand_ins.get(seat).map(String::as_str)
    }

    /// Records that a seat is given to a bot or to a person.
    pub(crate) fn seated(&mut self, seat: &str, bot: bool) {
        self.stand_ins.remove(seat);
        if bot {
            self.own.insert(seat.to_owned());
        } else {
            self.own.remove(seat);
        }
    }

    /// Records that a bot stands in for a player, or no longer does.
    pub(crate) fn stands_in(&mut self, entry: &StandIn<'_>) -> Result<(), BotFault> {
        let seat = entry.seat.to_string();
        match &entry.bot {
            Some(_) if self.have(&seat) => Err(BotFault::Own(seat)),
            Some(bot) => {
                self.stand_ins.insert(seat, bot.to_string());
                Ok(())
            }
            None => self.stand_ins.remove(&seat).map(drop).ok_or(BotFault::None(seat)),
        }
    }

    /// Checks that a bot can answer for a seat.
    pub(crate) fn play(&self, seat: &str) -> Result<(), BotFault> {
        let plays = self.have(seat) || self.stand_ins.contains_key(seat);
        if plays { Ok(()) } else { Err(BotFault::None(seat.to_owned())) }
    }
}
