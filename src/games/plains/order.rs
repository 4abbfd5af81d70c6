//! The orders of players, as the journal records them.
//!
//! Regions and cards are identified by their names and cubes by their colours, so that a journal
//! can be read without the game's components.

use super::{
    components::{Components, Faction, Spot},
    state::Cubes,
};
use serde::{Deserialize, Serialize};

/// An order. Every variant has named fields, so that the journal's `order` is always an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// Chooses one of the listed candidates.
    Pick { one: String },
    /// Plays a card for its text (9).
    Play { card: String },
    /// Plays an Event card to move two groups, if the hand has no movement card (9.2).
    Activate { card: String },
    /// Ends the round (9.0).
    End {},
    /// Places cubes on the map, or retreats them (5, 10.1, 12.1.4).
    Put { lots: Vec<Lot> },
    /// Moves part or all of a group (11).
    Move { from: String, to: String, cubes: Vec<Count> },
    /// Moves a group by railroad (11.1).
    Rail { from: String, to: String, cubes: Vec<Count> },
    /// Stays to attack Wagons (4.3).
    Stay { region: String },
    /// Spends a group move to empty the Casualty Box (11.4).
    Recover {},
    /// Ends the moves.
    Done {},
}

/// A number of cubes of a colour, and their destination.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lot {
    pub colour: Faction,
    pub n: u8,
    pub to: String,
}

/// A number of cubes of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    pub colour: Faction,
    pub n: u8,
}

postrider_table::picks!(Order::Pick { one });

/// Returns what an order uses: a card, the cubes of a colour in a region, or those that stay there.
pub fn uses(order: &Order) -> Vec<String> {
    match order {
        Order::Play { card } | Order::Activate { card } => vec![card.clone()],
        Order::Move { from, cubes, .. } | Order::Rail { from, cubes, .. } => {
            cubes.iter().map(|count| format!("{} {from}", count.colour.cubes())).collect()
        }
        Order::Put { lots } => lots.iter().map(|lot| format!("{} to place", lot.colour.cubes())).collect(),
        Order::Stay { region } => vec![region.clone()],
        Order::Recover {} => vec!["the Casualty Box".to_owned()],
        _ => Vec::new(),
    }
}

/// Returns cubes in the form that the journal records.
pub fn counts(cubes: &Cubes) -> Vec<Count> {
    cubes.each().map(|(colour, n)| Count { colour, n }).collect()
}

/// Returns lots of single cubes with their destinations, combined by colour and destination.
pub fn lots(c: &Components, cubes: impl IntoIterator<Item = (Faction, Spot)>) -> Vec<Lot> {
    let mut lots: Vec<Lot> = Vec::new();
    for (colour, spot) in cubes {
        let to = c.spot_name(spot);
        match lots.iter_mut().find(|lot| lot.colour == colour && lot.to == to) {
            Some(lot) => lot.n += 1,
            None => lots.push(Lot { colour, n: 1, to: to.to_owned() }),
        }
    }
    lots
}

/// Returns the cubes of these counts; `None` if any are the Railroad's, or if a sum overflows.
pub fn cubes(counts: &[Count]) -> Option<Cubes> {
    let mut sum = Cubes::default();
    for count in counts {
        if count.colour == Faction::Railroad {
            return None;
        }
        sum[count.colour] = sum[count.colour].checked_add(count.n)?;
    }
    Some(sum)
}
