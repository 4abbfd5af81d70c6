//! The two sides of an engagement: who speaks for one, and who fights on it.

use crate::{
    components::{Faction, RegionId},
    state::State,
};
use postrider_table::Seat;

/// The player who decides for a side in a region: the owner of its largest faction there; of none,
/// its first player.
pub fn leader(g: &State, r: RegionId, indian: bool) -> Seat {
    let here = g.region(r);
    let factions = Faction::FIGHTING.into_iter().filter(|f| f.is_indian() == indian);
    // Of several equal ones the first.
    let largest = factions.rev().max_by_key(|&f| here[f]).unwrap_or(Faction::Npt);
    let none = if indian { Faction::Npt } else { Faction::Cavalry };
    g.owner(if here[largest] > 0 { largest } else { none })
}

/// The player who decides whether Wagons are attacked (12.1.2.1, 12.0): the player whose disc was
/// drawn, while he has cubes in the region; then his ally.
pub fn speaker(g: &State, r: RegionId, active: Faction) -> Seat {
    let seat = g.owner(active);
    let own = Faction::FIGHTING.into_iter().any(|f| f.is_indian() && g.owner(f) == seat && g.region(r)[f] > 0);
    if own { seat } else { leader(g, r, true) }
}

/// Cubes that fight on one side.
pub fn fighters(g: &State, r: RegionId, indian: bool, out: Option<Faction>) -> u8 {
    let here = g.region(r);
    here.side(indian) - if indian { 0 } else { out.map_or(0, |f| here[f]) }
}
