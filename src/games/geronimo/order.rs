//! The orders of players, as the journal records them.
//!
//! Pieces have the names that players use (a Village or an Area by its name, a Column by its
//! Commander's surname), so that a journal can be read without the component file.

use serde::{Deserialize, Serialize};

/// An order. Every variant has named fields, so that the journal's `order` is always an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// Chooses one of the listed candidates, the answer to most questions.
    Pick {
        one: String,
    },
    /// Plays or discards a Shaman Card (4.4B).
    Play {
        card: String,
    },
    Discard {
        card: String,
    },
    /// Places a Column in set-up (3.45).
    SetUp {
        area: String,
        bps: i32,
        guns: i32,
        fort: bool,
    },
    /// Column plays (5.341 to 5.343, 5.45).
    Move {
        column: String,
        to: String,
    },
    /// A change of status (5.6), by all Columns that are combined unless `alone` (5.723).
    EnterFort {
        column: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        alone: bool,
    },
    LeaveFort {
        column: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        alone: bool,
    },
    Reinforce {
        column: String,
        bps: i32,
    },
    NewColumn {
        commander: String,
        bps: i32,
        guns: i32,
        gatlings: i32,
        area: String,
        fort: bool,
    },
    Divide {
        column: String,
        commander: String,
        bps: i32,
        guns: i32,
        gatlings: i32,
    },
    /// An attack by one Column, or by up to three that try to coordinate (5.7); the first leads.
    /// With `alone`, those that are combined separate first (5.723).
    ColumnAttack {
        columns: Vec<String>,
        target: Target,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        alone: bool,
    },
    /// Reaction to an Indian action (5.35), with Columns in the order in which they try; without
    /// Columns there is no reaction. With `alone`, combined Columns separate, and each tries alone
    /// (5.723).
    React {
        columns: Vec<String>,
        coordinate: bool,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        alone: bool,
    },
    /// An Indian action (6.1).
    Relocate {
        village: String,
        to: String,
    },
    Raid {
        village: String,
        area: String,
        target: Target,
    },
    /// A new War Party from a Village.
    WarParty {
        village: String,
        bps: i32,
        chiefs: Vec<String>,
        area: String,
        target: Target,
    },
    /// An attack by a War Party that is already out.
    PartyAttack {
        party: String,
        area: String,
        target: Target,
    },
    MissionParty {
        village: String,
    },
    /// A Tribal Alliance (6.7): its members, their contributions and its target.
    Alliance {
        area: String,
        with: Vec<Contribution>,
        target: Target,
    },
    /// The contribution of another Indian player to an Alliance (6.76).
    Volunteer {
        with: Vec<Contribution>,
    },
    /// Ends the actions, or takes none.
    Pass {},
    /// Several names at once: Columns that lose BPs to Attrition (5.38), or Teton Chiefs (6.51).
    List {
        names: Vec<String>,
    },
    /// Treaties (8.11).
    Offer {
        village: String,
        vps: i32,
    },
    Withdraw {
        village: String,
    },
    Accept {
        village: String,
    },
    Refuse {
        village: String,
    },
    /// Federales, out of turn (9.2I).
    Federales {},
}

/// The target of an attack or Raid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Target {
    Village {
        name: String,
    },
    Party {
        name: String,
    },
    Column {
        name: String,
    },
    Settlement {},
    Town {},
    Railroad {},
    /// By value, because Mines of the same value in an Area are equivalent targets.
    Mine {
        value: i32,
    },
    Mission {},
    Mexico {},
}

/// The contribution of one Village to a Tribal Alliance: a new War Party of `bps` BPs, or for 0 the
/// one that is already out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Contribution {
    pub village: String,
    pub bps: i32,
    pub chiefs: Vec<String>,
}

postrider_table::picks!(Order::Pick { one });

/// Returns what an order uses: a card, a piece with what it does, or the Treaty of a Village.
pub fn uses(order: &Order) -> Vec<String> {
    match order {
        Order::Discard { card } => vec![format!("discard {card}")],
        Order::Move { column, .. } => vec![format!("move {column}")],
        Order::EnterFort { column, .. } | Order::LeaveFort { column, .. } => vec![format!("fort {column}")],
        Order::Reinforce { column, .. } => vec![format!("reinforce {column}")],
        Order::NewColumn { commander, .. } => vec![format!("new {commander}")],
        Order::Divide { column, .. } => vec![format!("divide {column}")],
        Order::ColumnAttack { columns, .. } => columns.iter().map(|column| format!("attack {column}")).collect(),
        Order::Accept { village } | Order::Refuse { village } => vec![format!("treaty {village}")],
        _ => Vec::new(),
    }
}
