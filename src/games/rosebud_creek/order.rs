//! The orders of players, as the journal records them.
//!
//! Hexes, units and Leaders are identified by id, so that a journal can be read without the box.
//! Groups, tribes and unspecified paths are recorded in full.

use super::{rout::Willing, state::Mode};
use serde::{Deserialize, Serialize};

/// An order. Every variant has named fields, so that the journal's `order` is always an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// Chooses one of the listed options.
    Pick { one: String },
    /// Ends the phase for the side that is asked.
    Done {},
    /// Sets a doctrine (see `doctrine.rs`).
    Doctrine { about: String, how: String },
    /// Places units at set-up (18.1); Scouts also choose a mode.
    Place { who: Vec<String>, hex: String, mode: String },
    /// Tries to Rally these units (13.B).
    Rally { who: Vec<String> },
    /// Attaches a Leader to a unit in his hex (12.A).
    Attach { leader: String, unit: String },
    /// Re-supplies a unit (14.C): from a Pack Train ([`Order::TRAIN`] or its id) or with an Ammo
    /// Point ([`Order::OWN`]). Without `from` it uses a train if possible, and otherwise a point.
    /// With the ammo roster it takes a number of boxes, by default all that are missing (14.F).
    Resupply {
        unit: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        from: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        boxes: Option<u8>,
    },
    /// Transfers boxes between units (14.G).
    CrossLevel { from: String, to: String, boxes: u8 },
    /// Brings on a Replacement Leader (12.D.6).
    Lieutenant { hex: String },
    /// Routs a unit voluntarily (10.J.1); the unit may change mode once, after a number of hexes
    /// (see `Willing`).
    Rout {
        who: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<Mode>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<u16>,
    },
    /// Fires units at their targets, one after another (9). With `best`, a chance of a Casualty
    /// Point in percent, all other units then take their best shots of at least this chance, each
    /// chosen in turn. Omitted fields are not in the journal.
    Fire {
        shots: Vec<Shot>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        best: Option<u8>,
    },
    /// Moves units and Leaders, one group after another (7).
    Move { moves: Vec<Going> },
    /// Builds Breastworks (16.C).
    Build { who: String },
    /// Loads Breastworks onto a Pack Train (16.C).
    Load { who: String },
    /// Abandons the mounts of a Holder (16.B).
    Abandon { who: String },
    /// Transfers strength points of Personnel to a unit (15.B).
    Personnel { from: String, to: String, points: u8 },
    /// Searches for the village (16.E).
    Search {},
    /// Attacks a hex if the odds are at least `odds`, with or without pursuit and advance (10).
    /// Omitted fields are not in the journal.
    Melee {
        at: String,
        with: Vec<String>,
        odds: String,
        pursue: bool,
        advance: bool,
        /// The units that pursue (10.H.2); empty means all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pursuing: Vec<String>,
        /// The condition for another attack by pursuers (10.H.2): odds, which also apply to the
        /// pursuit, [`Order::NEVER`], or [`Order::ASK`], also about the pursuit of each stack; empty
        /// means always.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        again: String,
        /// The units that advance (10.H.3); empty means all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        advancing: Vec<String>,
        /// The attackers' hex that the defenders retreat from, among those with the greatest
        /// strength (10.I).
        #[serde(default, skip_serializing_if = "String::is_empty")]
        from: String,
    },
}

/// Returns what an order uses: a unit or Leader with what it does, or a doctrine.
pub fn uses(order: &Order) -> Vec<String> {
    let all = |does: &str, who: &[String]| who.iter().map(|one| format!("{does} {one}")).collect();
    let one = |does: &str, who: &str| vec![format!("{does} {who}")];
    match order {
        Order::Doctrine { about, .. } => one("doctrine", about),
        Order::Place { who, .. } => all("place", who),
        Order::Rally { who } => all("rally", who),
        Order::Attach { leader, .. } => one("attach", leader),
        Order::Resupply { unit, .. } => one("resupply", unit),
        Order::CrossLevel { from, to, .. } => one("cross-level", &format!("{from} {to}")),
        Order::Lieutenant { hex } => one("lieutenant", hex),
        Order::Rout { who, .. } => one("act", who),
        Order::Fire { shots, .. } => shots.iter().map(|shot| format!("fire {}", shot.who)).collect(),
        Order::Move { moves } => moves.iter().flat_map(|going| &going.who).map(|who| format!("act {who}")).collect(),
        Order::Build { who } | Order::Load { who } | Order::Abandon { who } => one("act", who),
        Order::Personnel { from, to, .. } => one("personnel", &format!("{from} {to}")),
        Order::Search {} => one("search", "the village"),
        Order::Melee { at, with, .. } => {
            with.iter().map(|who| format!("melee {who}")).chain([format!("at {at}")]).collect()
        }
        _ => Vec::new(),
    }
}

impl Order {
    /// Pursuers do not attack again.
    pub const NEVER: &'static str = "never";
    /// The player is asked who pursues, and if pursuers attack again.
    pub const ASK: &'static str = "ask";

    /// Ammunition from a Pack Train.
    pub const TRAIN: &'static str = "train";
    /// Ammunition from saddle bags, for an Ammo Point.
    pub const OWN: &'static str = "own";

    /// Returns an order to re-supply from the preferred source.
    pub fn resupply(unit: String) -> Order {
        Order::Resupply { unit, from: String::new(), boxes: None }
    }
    /// Returns an order for a Voluntary Rout.
    pub fn rout(who: String, Willing { mode, after }: Willing) -> Order {
        Order::Rout { who, mode, after }
    }
    /// Returns an order for these shots only.
    pub fn fire(shots: Vec<Shot>) -> Order {
        Order::Fire { shots, best: None }
    }
    /// Returns an attack whose pursuers, if any, attack again, and after which all units advance or
    /// none.
    pub fn melee(at: String, with: Vec<String>, pursue: bool, advance: bool) -> Order {
        let (odds, pursuing, again, advancing, from) = Default::default();
        Order::Melee { at, with, odds, pursue, advance, pursuing, again, advancing, from }
    }
}

/// A shot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    pub who: String,
    pub at: String,
    /// `true` for half strength (4.B, 14.D).
    pub half: bool,
}

/// A group that moves as a stack, and its acts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Going {
    pub who: Vec<String>,
    pub acts: Vec<Act>,
}

/// An act of a move, in the order of execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Act {
    /// Moves to an adjacent hex; for entering units, the first hex.
    Go {
        hex: String,
    },
    Mount {},
    Dismount {},
    Prone {},
    /// Recovers from Disruption (7.E).
    Recover {},
    /// Low Crawls one hex (7.F).
    Crawl {
        hex: String,
    },
    /// Makes the rest of the move a charge at this hex (16.A).
    Charge {
        hex: String,
    },
    /// Leaves the map from an edge hex (7.J).
    Exit {},
    /// Attaches a Leader who has entered a hex to a unit (12.A).
    Attach {
        unit: String,
    },
    /// Fires at a unit as Hit & Run (16.G), or as Advance Fire after the move (4.E).
    Fire {
        at: String,
    },
}

postrider_table::picks!(Order::Pick { one });
