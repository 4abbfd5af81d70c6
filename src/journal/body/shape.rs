//! The rules of section 4 that the types of the members do not express.

use std::collections::BTreeMap;

use super::{
    Appeal, Clock, Closed, Dealt, Decision, FORMAT, Joined, Json, Leave, Motion, Opened, Press, Reseated, Revealed,
    Rewound, Rolled, RolledOut, Round, Ruling, Sealed, ShapeFault, Shown, Shuffled, StandIn, Started, Text, Unsealed,
    Via, Vote, What, Zone,
};
use crate::{
    directors::{ALL_PLAYERS, SERVICE},
    spelling::{is_game_id, is_kind, is_name, is_timestamp},
};
use postrider_dice::{Hash, deck_chain, faces, published_length};

/// A body whose members can have the right types and still break a rule.
pub(super) trait Shape {
    /// Returns the first broken rule as an error.
    fn shape(&self) -> Result<(), ShapeFault> {
        Ok(())
    }
}

fn name(what: &'static str, text: &str) -> Result<(), ShapeFault> {
    if is_name(text) { Ok(()) } else { Err(ShapeFault::Name(what)) }
}

fn object(what: &'static str, json: &Json<'_>) -> Result<(), ShapeFault> {
    if json.is_object() { Ok(()) } else { Err(ShapeFault::Object(what)) }
}

fn labels(chains: &BTreeMap<Text<'_>, Hash>) -> Result<(), ShapeFault> {
    for label in chains.keys() {
        name("a chain's label", label)?;
        published_length(label).ok_or(ShapeFault::Label)?;
    }
    Ok(())
}

/// Checks that an entry has the digest of its words if it came by mail, and only then.
fn mail_or_other(via: Via, words: Option<Hash>) -> Result<(), ShapeFault> {
    if (via == Via::Mail) == words.is_some() { Ok(()) } else { Err(ShapeFault::Words) }
}

/// Checks that `via`, if present, says that the host entered it for a director.
fn cli_or_none(via: Option<Via>) -> Result<(), ShapeFault> {
    if via.is_none_or(|via| via == Via::Cli) { Ok(()) } else { Err(ShapeFault::Entered) }
}

/// Checks a body of a kind that has no type.
pub(super) fn further(kind: &str, body: &Json<'_>, known: &[&str]) -> Result<(), ShapeFault> {
    object("body", body)?;
    if is_kind(kind) && !known.contains(&kind) { Ok(()) } else { Err(ShapeFault::Kind) }
}

impl Shape for Opened<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        if self.format != FORMAT {
            return Err(ShapeFault::Format(self.format));
        }
        if !is_game_id(&self.game) {
            return Err(ShapeFault::Game("game"));
        }
        object("options", &self.options)?;
        object("clock", &self.clock)?;
        labels(&self.chains)?;
        if self.ruleset.version == 0 {
            return Err(ShapeFault::Version);
        }
        if self.seats.is_empty() {
            return Err(ShapeFault::Empty("seats"));
        }
        for (list, what) in [(&self.seats, "seats"), (&self.operator_seats, "operator_seats")] {
            for (k, seat) in list.iter().enumerate() {
                name("a seat", seat)?;
                if list[..k].contains(seat) {
                    return Err(ShapeFault::Twice(what));
                }
            }
        }
        for (k, director) in self.directors.iter().enumerate() {
            name("a director", director)?;
            if self.directors[..k].contains(director) {
                return Err(ShapeFault::Twice("directors"));
            }
            if self.seats.contains(director) || [SERVICE, ALL_PLAYERS].contains(&&**director) {
                return Err(ShapeFault::Director);
            }
        }
        if !self.operator_seats.iter().all(|seat| self.seats.contains(seat)) {
            return Err(ShapeFault::OperatorSeat);
        }
        match &self.parent {
            Some(parent) if !is_game_id(&parent.game) => Err(ShapeFault::Game("parent.game")),
            Some(parent) => {
                let counts = |deck: &str, count: u64| count > 0 && self.chains.contains_key(deck_chain(deck).as_str());
                let whole = parent.epochs.iter().all(|(deck, &count)| counts(deck, count));
                if whole { Ok(()) } else { Err(ShapeFault::Epochs) }
            }
            None => Ok(()),
        }
    }
}

impl Shape for Joined<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("seat", &self.seat)?;
        match (self.via, self.mail) {
            (Via::Mail, Some(_)) | (Via::Cli | Via::Bot, None) => Ok(()),
            _ => Err(ShapeFault::Joined),
        }
    }
}

impl Shape for Reseated<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("seat", &self.seat)?;
        if self.via.is_none_or(|via| via == Via::Bot) { Ok(()) } else { Err(ShapeFault::Reseated) }
    }
}

impl Shape for StandIn<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("seat", &self.seat)?;
        self.bot.iter().try_for_each(|bot| name("bot", bot))?;
        cli_or_none(self.via)
    }
}

impl Shape for Sealed<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("seat", &self.seat)
    }
}

impl Shape for Clock<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("seat", &self.seat)
    }
}

impl Shape for Zone<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("seat", &self.seat)?;
        name("zone", &self.zone)
    }
}

impl Shape for Leave<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("seat", &self.seat)?;
        if !is_timestamp(&self.from) || !is_timestamp(&self.until) {
            return Err(ShapeFault::Time);
        }
        mail_or_other(self.via, self.words)
    }
}

impl Shape for Decision<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("seat", &self.seat)?;
        object("order", &self.order)?;
        mail_or_other(self.via, self.words)
    }
}

impl Shape for Motion<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("by", &self.by)?;
        match &self.what {
            What::Pause { until } if !is_timestamp(until) => return Err(ShapeFault::Time),
            What::Extend { seconds: 0 } => return Err(ShapeFault::Empty("seconds")),
            What::Result(places) => places.keys().try_for_each(|seat| name("a seat", seat))?,
            _ => {}
        }
        if let Some(RolledOut { bot, count, wins, .. }) = &self.rollouts {
            name("a bot", bot)?;
            wins.keys().try_for_each(|seat| name("a seat", seat))?;
            if *count == 0 || wins.values().flatten().any(|share| *share > 1_000) {
                return Err(ShapeFault::Rollouts);
            }
        }
        mail_or_other(self.via, self.words)
    }
}

impl Shape for Vote<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("seat", &self.seat)?;
        mail_or_other(self.via, self.words)
    }
}

impl Shape for Rolled<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        if self.rolls.is_empty() {
            return Err(ShapeFault::Empty("rolls"));
        }
        for roll in &self.rolls {
            faces(roll.low, roll.high).ok_or(ShapeFault::Die)?;
            if roll.got.is_empty() {
                return Err(ShapeFault::Empty("got"));
            }
        }
        Ok(())
    }
}

impl Shape for Shuffled<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("deck", &self.deck)?;
        self.list.iter().try_for_each(|card| name("a card", card))?;
        if self.list.len() == self.cards.len() { Ok(()) } else { Err(ShapeFault::Cards) }
    }
}

impl Shape for Dealt<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("deck", &self.deck)?;
        if self.count == 0 { Err(ShapeFault::Empty("count")) } else { Ok(()) }
    }
}

impl Shape for Shown<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("deck", &self.deck)?;
        name("card", &self.card)
    }
}

impl Shape for Revealed<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("deck", &self.deck)
    }
}

impl Shape for Rewound<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        cli_or_none(self.via)?;
        labels(&self.chains)
    }
}

impl Shape for Appeal<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        name("seat", &self.seat)?;
        mail_or_other(self.via, self.words)
    }
}

impl Shape for Ruling<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        cli_or_none(self.via)?;
        object("effect", &self.effect)
    }
}

impl Shape for Closed<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        object("outcome", &self.outcome)?;
        labels(&self.secrets)
    }
}

// The types of these ensure all rules.
impl Shape for Press {}
impl Shape for Started {}
impl Shape for Unsealed<'_> {}
impl Shape for Round<'_> {}
