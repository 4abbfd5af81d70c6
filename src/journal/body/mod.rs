//! The bodies of section 4, read in place where they can be and written canonically.

mod fault;
mod members;
#[cfg(test)]
mod tests;
mod text;

pub use self::{
    fault::{BodyFault, ShapeFault},
    members::{
        Clock, ClockEvent, Closed, Dealt, Decision, Joined, Opened, Parent, Reseated, Revealed, Rewound, Roll, Rolled,
        Round, Ruleset, Ruling, Sealed, Shown, Shuffled, Started, Unsealed, Via,
    },
    text::{Json, Text},
};

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    canon::to_canon,
    spelling::{is_game_id, is_kind, is_name},
};
use crate::dice::{Hash, deck_chain, faces, published_length};

/// What a line says, by kind.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each variant is the type of its name")]
pub enum Body<'a> {
    Opened(Opened<'a>),
    Joined(Joined<'a>),
    Started(Started),
    Decision(Decision<'a>),
    Rolled(Rolled<'a>),
    Shuffled(Shuffled<'a>),
    Dealt(Dealt<'a>),
    Shown(Shown<'a>),
    Revealed(Revealed<'a>),
    Sealed(Sealed<'a>),
    Unsealed(Unsealed<'a>),
    Round(Round<'a>),
    Rewound(Rewound<'a>),
    Ruling(Ruling<'a>),
    Reseated(Reseated<'a>),
    Clock(Clock<'a>),
    Closed(Closed<'a>),
    /// A kind that this release does not know.
    Other {
        /// The kind.
        kind: Text<'a>,
        /// Its body, an object.
        body: Json<'a>,
    },
}

/// The kinds that have a type.
const KNOWN: [&str; 17] = [
    "opened", "joined", "started", "decision", "rolled", "shuffled", "dealt", "shown", "revealed", "sealed",
    "unsealed", "round", "rewound", "ruling", "reseated", "clock", "closed",
];

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

impl<'a> Body<'a> {
    /// The kind, as the line spells it.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Body::Opened(_) => "opened",
            Body::Joined(_) => "joined",
            Body::Started(_) => "started",
            Body::Decision(_) => "decision",
            Body::Rolled(_) => "rolled",
            Body::Shuffled(_) => "shuffled",
            Body::Dealt(_) => "dealt",
            Body::Shown(_) => "shown",
            Body::Revealed(_) => "revealed",
            Body::Sealed(_) => "sealed",
            Body::Unsealed(_) => "unsealed",
            Body::Round(_) => "round",
            Body::Rewound(_) => "rewound",
            Body::Ruling(_) => "ruling",
            Body::Reseated(_) => "reseated",
            Body::Clock(_) => "clock",
            Body::Closed(_) => "closed",
            Body::Other { kind, .. } => kind,
        }
    }

    /// Reads the body of a line of this kind. Members beyond those of section 4 are passed over.
    ///
    /// # Errors
    /// [`BodyFault`] when members are missing, of the wrong type, or break a rule of section 4.
    pub fn read(kind: &'a str, body: &'a str) -> Result<Body<'a>, BodyFault> {
        let read = match kind {
            "opened" => Body::Opened(serde_json::from_str(body)?),
            "joined" => Body::Joined(serde_json::from_str(body)?),
            "started" => Body::Started(serde_json::from_str(body)?),
            "decision" => Body::Decision(serde_json::from_str(body)?),
            "rolled" => Body::Rolled(serde_json::from_str(body)?),
            "shuffled" => Body::Shuffled(serde_json::from_str(body)?),
            "dealt" => Body::Dealt(serde_json::from_str(body)?),
            "shown" => Body::Shown(serde_json::from_str(body)?),
            "revealed" => Body::Revealed(serde_json::from_str(body)?),
            "sealed" => Body::Sealed(serde_json::from_str(body)?),
            "unsealed" => Body::Unsealed(serde_json::from_str(body)?),
            "round" => Body::Round(serde_json::from_str(body)?),
            "rewound" => Body::Rewound(serde_json::from_str(body)?),
            "ruling" => Body::Ruling(serde_json::from_str(body)?),
            "reseated" => Body::Reseated(serde_json::from_str(body)?),
            "clock" => Body::Clock(serde_json::from_str(body)?),
            "closed" => Body::Closed(serde_json::from_str(body)?),
            _ => Body::Other { kind: kind.into(), body: serde_json::from_str(body)? },
        };
        read.shape()?;
        Ok(read)
    }

    /// The body's canonical text.
    ///
    /// # Errors
    /// [`BodyFault`] when it breaks a rule of section 4 or holds what has no canonical form.
    pub fn to_text(&self) -> Result<String, BodyFault> {
        self.shape()?;
        Ok(to_canon(&self.to_value()?)?)
    }

    fn to_value(&self) -> Result<Value, serde_json::Error> {
        match self {
            Body::Opened(body) => serde_json::to_value(body),
            Body::Joined(body) => serde_json::to_value(body),
            Body::Started(body) => serde_json::to_value(body),
            Body::Decision(body) => serde_json::to_value(body),
            Body::Rolled(body) => serde_json::to_value(body),
            Body::Shuffled(body) => serde_json::to_value(body),
            Body::Dealt(body) => serde_json::to_value(body),
            Body::Shown(body) => serde_json::to_value(body),
            Body::Revealed(body) => serde_json::to_value(body),
            Body::Sealed(body) => serde_json::to_value(body),
            Body::Unsealed(body) => serde_json::to_value(body),
            Body::Round(body) => serde_json::to_value(body),
            Body::Rewound(body) => serde_json::to_value(body),
            Body::Ruling(body) => serde_json::to_value(body),
            Body::Reseated(body) => serde_json::to_value(body),
            Body::Clock(body) => serde_json::to_value(body),
            Body::Closed(body) => serde_json::to_value(body),
            Body::Other { body, .. } => serde_json::to_value(body),
        }
    }

    /// The rules of section 4 that types alone do not hold.
    fn shape(&self) -> Result<(), ShapeFault> {
        match self {
            Body::Opened(body) => body.shape(),
            Body::Joined(Joined { seat, .. })
            | Body::Reseated(Reseated { seat, .. })
            | Body::Sealed(Sealed { seat, .. })
            | Body::Clock(Clock { seat, .. }) => name("seat", seat),
            Body::Decision(body) => {
                name("seat", &body.seat)?;
                object("order", &body.order)?;
                if (body.via == Via::Mail) == body.mail.is_some() { Ok(()) } else { Err(ShapeFault::Mail) }
            }
            Body::Rolled(body) => {
                if body.rolls.is_empty() {
                    return Err(ShapeFault::Empty("rolls"));
                }
                for roll in &body.rolls {
                    faces(roll.low, roll.high).ok_or(ShapeFault::Die)?;
                    if roll.got.is_empty() {
                        return Err(ShapeFault::Empty("got"));
                    }
                }
                Ok(())
            }
            Body::Shuffled(body) => {
                name("deck", &body.deck)?;
                body.list.iter().try_for_each(|card| name("a card", card))?;
                if body.list.len() == body.cards.len() { Ok(()) } else { Err(ShapeFault::Cards) }
            }
            Body::Dealt(body) => {
                name("deck", &body.deck)?;
                if body.count == 0 { Err(ShapeFault::Empty("count")) } else { Ok(()) }
            }
            Body::Shown(body) => {
                name("deck", &body.deck)?;
                name("card", &body.card)
            }
            Body::Revealed(body) => name("chain", &body.chain),
            Body::Rewound(body) => labels(&body.chains),
            Body::Ruling(body) => object("effect", &body.effect),
            Body::Closed(body) => {
                object("outcome", &body.outcome)?;
                labels(&body.secrets)
            }
            Body::Other { kind, body } => {
                object("body", body)?;
                if is_kind(kind) && !KNOWN.contains(&&**kind) { Ok(()) } else { Err(ShapeFault::Kind) }
            }
            Body::Started(_) | Body::Unsealed(_) | Body::Round(_) => Ok(()),
        }
    }
}

impl Opened<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
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
        if !self.operator_seats.iter().all(|seat| self.seats.contains(seat)) {
            return Err(ShapeFault::OperatorSeat);
        }
        match &self.parent {
            Some(parent) if !is_game_id(&parent.game) => Err(ShapeFault::Game),
            Some(parent) => {
                let counts = |deck: &str, count: u64| count > 0 && self.chains.contains_key(deck_chain(deck).as_str());
                let whole = parent.epochs.iter().all(|(deck, &count)| counts(deck, count));
                if whole { Ok(()) } else { Err(ShapeFault::Epochs) }
            }
            None => Ok(()),
        }
    }
}
