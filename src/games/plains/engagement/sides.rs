//! The two sides of an engagement: their deciding players and fighting cubes.

use crate::{
    components::{Faction, RegionId},
    state::State,
};
use postrider_table::Seat;

/// Returns the player who decides for a side in a region: the owner of its largest faction there,
/// or a default player if it has no cubes.
pub fn leader(g: &State, r: RegionId, indian: bool) -> Seat {
    let here = g.region(r);
    let factions = Faction::FIGHTING.into_iter().filter(|f| f.is_indian() == indian);
    // The first of equal factions.
    let largest = factions.rev().max_by_key(|&f| here[f]).unwrap_or(Faction::Npt);
    let none = if indian { Faction::Npt } else { Faction::Cavalry };
    g.owner(if here[largest] > 0 { largest } else { none })
}

/// Returns the player who decides whether Wagons are attacked (12.0, 12.1.2.1): the player whose
/// disc was drawn if that player has cubes in the region, otherwise the ally.
pub fn speaker(g: &State, r: RegionId, active: Faction) -> Seat {
    let seat = g.owner(active);
    let own = Faction::FIGHTING.into_iter().any(|f| f.is_indian() && g.owner(f) == seat && g.region(r)[f] > 0);
    if own { seat } else { leader(g, r, true) }
}

/// Returns the number of fighting cubes of a side.
pub fn fighters(g: &State, r: RegionId, indian: bool, out: Option<Faction>) -> u8 {
    let here = g.region(r);
    here.side(indian) - if indian { 0 } else { out.map_or(0, |f| here[f]) }
}
