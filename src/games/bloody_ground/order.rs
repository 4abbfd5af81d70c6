//! What players can order, as the journal keeps it.
//!
//! Areas and hexes go by their ids, units by their kinds and leaders by their names, so that a journal can be read without the
//! box.

use super::Ask;
use serde::{Deserialize, Serialize};

/// One order. Every variant has named fields, so that the journal's `order` is always an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// Chooses one of the things listed.
    Pick { one: String },
    /// Puts so many of something at places: set-up, settlers, reinforcements, losses, pairings.
    Put { lots: Vec<Lot> },
    /// Moves a force along a way of areas (9.4.1), the last of which may be entered into the fort (11.2.2).
    Move {
        from: String,
        who: Vec<Count>,
        way: Vec<String>,
        fort: bool,
        /// Units that stay at areas of the way (9.4.1).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        drops: Vec<Lot>,
    },
    /// Sends a force raiding (12.0.1).
    Raid { from: String, who: Vec<Count>, to: String },
    /// Builds a fort (11.2.1); nobody named stands for all who can.
    Build {
        at: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        who: Vec<Count>,
    },
    /// Takes a fort down (11.2.1); nobody named stands for all who can.
    Dismantle {
        at: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        who: Vec<Count>,
    },
    /// Pillages an area (9.5.1).
    Pillage { at: String, who: Vec<Count> },
    /// Places an Atrocity marker in an area (9.2.1).
    Atrocity { at: String },
    /// Ambushes a unit (9.2.2).
    Ambush { at: String, unit: String },
    /// Tries to assassinate a leader (9.2.3).
    Assassinate { leader: String },
    /// The order in which nations roll; those that are not named follow (8.1).
    Rank { of: Vec<String> },
    /// Does nothing.
    Pass {},
    /// Rallies these Routed units (10.3).
    Rally { who: Vec<String> },
    /// Moves on the battle board, a way for each piece that moves (10.4).
    March { ways: Vec<Path> },
    /// Fires: each unit at a target, one after the other (10.5).
    Fire { shots: Vec<Shot> },
    /// Declares a melee against a hex (10.6).
    Melee { at: String, with: Vec<String> },
    /// Fires with every unit, one after the other, each at what the first of these aims means that it hits on so many faces of six; then
    /// the impulse is over (10.5).
    Volley { aims: Vec<Aim>, least: u8 },
    /// Attacks hexes, the best odds first, as long as they are as good as this column of the table after shifts; then the impulse is
    /// over (10.6).
    Attack { odds: String },
}

/// So many of something, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lot {
    pub n: u8,
    pub what: String,
    pub at: String,
}

/// So many of something: a kind of unit, or a leader, who is one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    pub n: u8,
    pub what: String,
    /// Which of like units are meant; without it those that can do most, of equal ones those with least to lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub which: Option<Which>,
}

impl Count {
    /// So many of a kind, or a leader: any of them.
    pub fn new(n: u8, what: impl Into<String>) -> Count {
        Count { n, what: what.into(), which: None }
    }
}

/// What like units are told apart by (9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Which {
    /// Not activated in this turn.
    Fresh,
    /// Activated once.
    Acted,
    /// With a Rifle marker (14.0.2).
    Rifled,
    /// Without one.
    Unrifled,
    /// Disrupted.
    Disrupted,
    /// Not Disrupted.
    Sound,
}

impl Which {
    /// All of them.
    pub const ALL: [Which; 6] =
        [Which::Fresh, Which::Acted, Which::Rifled, Which::Unrifled, Which::Disrupted, Which::Sound];
    /// The word in orders.
    pub fn word(self) -> &'static str {
        match self {
            Which::Fresh => "fresh",
            Which::Acted => "acted",
            Which::Rifled => "rifled",
            Which::Unrifled => "unrifled",
            Which::Disrupted => "disrupted",
            Which::Sound => "sound",
        }
    }
}

/// The way of a piece on the board, from where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    pub who: String,
    pub way: Vec<String>,
}

/// The target of a unit's fire: `best`, `nearest`, a state or kind of unit, a unit by its name, or
/// a hex; perhaps only until it is shaken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aim {
    pub at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
}

/// The state in which a target is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// Disrupted or Routed.
    Disrupted,
    Routed,
}

/// A unit that fires, and at whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    pub who: String,
    pub at: String,
}

postrider_table::picks!(Order::Pick { one });

/// After `stay` nobody reacts to the move at hand (9.4.5).
pub fn contradict(kind: Ask, earlier: &Order, later: &Order) -> bool {
    kind == Ask::Reaction && matches!((earlier, later), (Order::Pass {}, Order::Move { .. }))
}
