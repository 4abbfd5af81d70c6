//! The orders of players, as the journal records them.
//!
//! Areas and hexes are identified by id, units by kind, and leaders by name, so that a journal can
//! be read without the box.

use serde::{Deserialize, Serialize};

/// An order. Every variant has named fields, so that the journal's `order` is always an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// Chooses one of the listed options.
    Pick { one: String },
    /// Places things: set-up, settlers, reinforcements, losses, pairings.
    Put { lots: Vec<Lot> },
    /// Moves a force along a route of areas (9.4.1); `fort` enters the fort in the last one
    /// (11.2.2).
    Move {
        from: String,
        who: Vec<Count>,
        way: Vec<String>,
        fort: bool,
        /// Units dropped in areas of the route (9.4.1).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        drops: Vec<Dropped>,
    },
    /// Sends a force raiding, and others from elsewhere with it (12.0.1).
    Raid {
        from: String,
        who: Vec<Count>,
        to: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        more: Vec<Band>,
    },
    /// Builds a fort (11.2.1); an empty `who` means all who can.
    Build {
        at: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        who: Vec<Count>,
    },
    /// Dismantles a fort (11.2.1); an empty `who` means all who can.
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
    /// Attempts to assassinate a leader (9.2.3).
    Assassinate { leader: String },
    /// Sets the order in which nations roll; nations not named come last (8.1).
    Rank { of: Vec<String> },
    /// Passes.
    Pass {},
    /// Rallies these Routed units (10.3).
    Rally { who: Vec<String> },
    /// Moves pieces on the battle board, each along a path (10.4).
    March { ways: Vec<Path> },
    /// Fires units at targets, one after another (10.5).
    Fire { shots: Vec<Shot> },
    /// Declares a melee against a hex (10.6).
    Melee { at: String, with: Vec<String> },
    /// Fires every unit, one after another, at a target of the first aim that fits and is hit on at
    /// least `least` of six die faces; then the impulse is over (10.5).
    Volley { aims: Vec<Aim>, least: u8 },
    /// Attacks hexes, best odds first, while they are at least those of this column after shifts;
    /// then the impulse is over (10.6).
    Attack { odds: String },
}

/// A number of things at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lot {
    pub n: u8,
    pub what: String,
    pub at: String,
}

/// A number of units dropped in an area of a route (9.4.1); `fort` takes them into the fort there
/// (11.2.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dropped {
    pub n: u8,
    pub what: String,
    pub at: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fort: bool,
}

/// Further raiders of an order, from another place (12.0.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    pub from: String,
    pub who: Vec<Count>,
}

/// A number of units of a kind, or one leader.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    pub n: u8,
    pub what: String,
    /// Selects among like units. `None` takes those that can do most, and among equals those with
    /// least to lose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub which: Option<Which>,
}

impl Count {
    /// Returns a count of a kind or a leader, without selection.
    pub fn new(n: u8, what: impl Into<String>) -> Count {
        Count { n, what: what.into(), which: None }
    }
}

/// A state that distinguishes like units (9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Which {
    /// Not activated this turn.
    Fresh,
    /// Activated once.
    Acted,
    /// With a Rifle marker (14.0.2).
    Rifled,
    /// Without a Rifle marker.
    Unrifled,
    /// Disrupted.
    Disrupted,
    /// Not Disrupted.
    Sound,
}

impl Which {
    /// All states.
    pub const ALL: [Which; 6] =
        [Which::Fresh, Which::Acted, Which::Rifled, Which::Unrifled, Which::Disrupted, Which::Sound];
    /// Returns the word in orders.
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

/// The path of a piece on the board, from its hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    pub who: String,
    pub way: Vec<String>,
}

/// An aim of a unit's fire: `best`, `nearest`, a state or kind of unit, a unit's name, or a hex;
/// optionally only until the target reaches a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aim {
    pub at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
}

/// The state in which a target is not fired at any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// Disrupted or Routed.
    Disrupted,
    Routed,
}

/// A unit that fires, and its target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    pub who: String,
    pub at: String,
}

postrider_table::picks!(Order::Pick { one });

/// Returns what an order uses: the settlers, units of an area, a leader, a piece on the battle
/// board, or an area. What else is placed may be placed in parts.
pub fn uses(order: &Order) -> Vec<String> {
    let names = |names: &[String]| names.to_vec();
    let used = |from: &String, who: &[Count]| -> Vec<String> {
        who.iter().map(|one| format!("{} {from}", one.what)).collect()
    };
    match order {
        Order::Move { from, who, .. } => used(from, who),
        Order::Raid { from, who, more, .. } => {
            let more = more.iter().flat_map(|band| used(&band.from, &band.who));
            used(from, who).into_iter().chain(more).collect()
        }
        Order::Build { at, .. } | Order::Dismantle { at, .. } | Order::Pillage { at, .. } => vec![at.clone()],
        Order::Atrocity { at } => vec![format!("atrocity {at}")],
        Order::Ambush { at, unit } => vec![format!("{unit} {at}")],
        Order::Assassinate { leader } => vec![format!("assassinate {leader}")],
        Order::Rally { who } => names(who),
        Order::Put { lots } if lots.iter().any(|lot| lot.what == "settler") => vec!["settlers".to_owned()],
        Order::Fire { shots } => shots.iter().map(|shot| shot.who.clone()).collect(),
        Order::Melee { with, .. } => names(with),
        _ => Vec::new(),
    }
}
