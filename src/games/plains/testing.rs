//! Test helpers: constructed positions, and dice by their faces.

use super::{
    Plains, State,
    components::{Components, Faction, Kit as _, RegionId, Spot},
    setup,
    state::Cubes,
    variant::Variant,
};
use postrider_table::testing;
use std::sync::Arc;

/// A trial of one rule in one position.
pub type Trial = testing::Trial<Plains>;
/// A rule in progress.
pub type Running = testing::Running<Plains>;

pub fn pieces() -> Arc<Components> {
    Components::builtin().clone()
}

pub fn bare(players: u8) -> State {
    setup::position(pieces(), Variant { players, ..Variant::default() })
}

pub fn at(g: &State, id: &str) -> RegionId {
    g.c.region(id).unwrap_or_else(|| panic!("no region {id}"))
}

/// Replaces the cubes of a region or box by these, taken from the Ready Box.
pub fn set(g: &mut State, id: &str, cubes: &[(Faction, u8)]) {
    let spot = g.c.spot(id).or_else(|| g.c.region(id).map(Spot::Region)).unwrap_or_else(|| panic!("no spot {id}"));
    let old = std::mem::take(g.cubes_mut(spot));
    g.ready += old;
    for &(faction, n) in cubes {
        assert_eq!(g.muster(faction, spot, n), n, "{faction:?}");
    }
}

pub fn here(g: &State, id: &str) -> Cubes {
    *g.cubes(g.c.spot(id).unwrap_or_else(|| Spot::Region(at(g, id))))
}

pub fn faces(g: &State, faction: Faction, letters: &str) -> Vec<i64> {
    use super::components::Face;
    let die = &g.c.pieces[faction.index()].die;
    let wanted = letters.chars().map(|letter| match letter {
        'b' => Face::Blank,
        't' => Face::Treaty,
        _ => Face::Weapon,
    });
    wanted.map(|face| die.iter().position(|&f| f == face).expect("a face of this die") as i64 + 1).collect()
}

/// Dice of this game's tests, set before a trial starts.
pub trait Rolls {
    fn rolls(self, faction: Faction, letters: &str) -> Self;
}

impl Rolls for Trial {
    fn rolls(self, faction: Faction, letters: &str) -> Self {
        const LABELS: [&str; 6] = ["green die", "orange die", "blue die", "brown die", "purple die", "white die"];
        let dice = faces(&self.state, faction, letters);
        self.dice(LABELS[faction.index()], dice)
    }
}
