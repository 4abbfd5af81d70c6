//! What players can order, as the journal keeps it.
//!
//! Hexes, units and leaders go by their ids, so that a journal can be read without the box. Groups, tribes and ways that somebody
//! left open are written out.

use super::{rout::Willing, state::Mode};
use serde::{Deserialize, Serialize};

/// One order. Every variant has named fields, so that the journal's `order` is always an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// Chooses one of the things listed.
    Pick { one: String },
    /// Ends the phase, for what it asks.
    Done {},
    /// Says what is done where nobody is asked (see `doctrine.rs`).
    Doctrine { about: String, how: String },
    /// Places units at set-up (18.1), Scouts in a mode.
    Place { who: Vec<String>, hex: String, mode: String },
    /// These units try to Rally (13.B).
    Rally { who: Vec<String> },
    /// Attaches a Leader to a unit of his hex (12.A).
    Attach { leader: String, unit: String },
    /// Replenishes ammunition (14.C): from a Pack Train ([`Order::TRAIN`] or its id) or for an Ammo Point ([`Order::OWN`]); where
    /// nothing stands, from a train that can give, else for a point.
    Resupply {
        unit: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        from: String,
    },
    /// Takes boxes from one unit to another one (14.G).
    CrossLevel { from: String, to: String, boxes: u8 },
    /// A Replacement Leader comes (12.D.6).
    Lieutenant { hex: String },
    /// Voluntary Rout (10.J.1), in which the unit changes to a mode once, after so many hexes (see [`Willing`]).
    Rout {
        who: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<Mode>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<u16>,
    },
    /// Fires, each unit at its target, one after the other (9); then, where `best` has a chance of a Casualty Point in percent, all
    /// others, each best shot chosen when its turn comes. What is left out stands in no journal.
    Fire {
        shots: Vec<Shot>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        best: Option<u8>,
    },
    /// Moves units and Leaders, one group after the other (7).
    Move { moves: Vec<Going> },
    /// Builds Breastworks (16.C).
    Build { who: String },
    /// Takes Breastworks back to a Pack Train (16.C).
    Load { who: String },
    /// Lets the mounts of a Holder go (16.B).
    Abandon { who: String },
    /// Hands strength of the Personnel to a unit (15.B).
    Personnel { from: String, to: String, points: u8 },
    /// Looks for the village (16.E).
    Search {},
    /// Attacks a hex (10), if the odds are at least so many to one; pursues and advances or not. What is left out stands in no
    /// journal.
    Melee {
        at: String,
        with: Vec<String>,
        odds: String,
        pursue: bool,
        advance: bool,
        /// Whether pursuers attack again (10.H.2): from these odds on, which hold for the pursuit too, [`Order::NEVER`] or
        /// [`Order::ASK`]; always where nothing stands.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        again: String,
        /// Who alone advances (10.H.3); all where nobody is named.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        advancing: Vec<String>,
        /// Of the hexes of most strength the one that the others fall back from (10.I).
        #[serde(default, skip_serializing_if = "String::is_empty")]
        from: String,
    },
}

impl Order {
    /// Pursuers do not attack again.
    pub const NEVER: &'static str = "never";
    /// The player is asked whether they do.
    pub const ASK: &'static str = "ask";

    /// Ammunition comes from a Pack Train.
    pub const TRAIN: &'static str = "train";
    /// Ammunition comes from saddle bags, for an Ammo Point.
    pub const OWN: &'static str = "own";

    /// Ammunition from where it comes first.
    pub fn resupply(unit: String) -> Order {
        Order::Resupply { unit, from: String::new() }
    }
    /// A Voluntary Rout.
    pub fn rout(who: String, Willing { mode, after }: Willing) -> Order {
        Order::Rout { who, mode, after }
    }
    /// These shots alone.
    pub fn fire(shots: Vec<Shot>) -> Order {
        Order::Fire { shots, best: None }
    }
    /// An attack whose pursuers, if any, attack again, and of which all advance or nobody does.
    pub fn melee(at: String, with: Vec<String>, pursue: bool, advance: bool) -> Order {
        let (odds, again, advancing, from) = Default::default();
        Order::Melee { at, with, odds, pursue, advance, again, advancing, from }
    }
}

/// A shot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    pub who: String,
    pub at: String,
    /// At half strength (4.B, 14.D).
    pub half: bool,
}

/// A group that moves as a stack, and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Going {
    pub who: Vec<String>,
    pub acts: Vec<Act>,
}

/// A part of a move, in the order of doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// Into a neighbouring hex; the first one of units that enter.
    Go {
        hex: String,
    },
    Mount {},
    Dismount {},
    Prone {},
    /// From Disruption (7.E).
    Recover {},
    /// Low Crawl (7.F).
    Crawl {
        hex: String,
    },
    /// What follows is a charge at this hex (16.A).
    Charge {
        hex: String,
    },
    /// Off the map, from its edge (7.J).
    Exit {},
    /// Of a Leader who has come into a hex: the unit to which he is attached (12.A).
    Attach {
        unit: String,
    },
    /// Hit & Run at this unit (16.G), or Advance Fire behind the move (4.E).
    Fire {
        at: String,
    },
}

postrider_table::picks!(Order::Pick { one });
