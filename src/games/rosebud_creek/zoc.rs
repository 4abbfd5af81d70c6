//! Zones of Control (5) and stacking (6).

use super::{
    State,
    components::{Class, Num, Side, UnitId},
    pack,
};
use postrider_table::hex::Hex;

/// Returns `true` if a unit has a full ZOC: all combat units except Holders, Routed units and
/// abandoned Pack Trains (5, 15.B).
pub fn is_full(g: &State, u: UnitId) -> bool {
    let unit = g.unit(u);
    g.c.class(g.class(u)).full_zoc && !unit.routed && !unit.abandoned
}

/// Returns the units of a side whose ZOC extends into an adjacent hex; cliffs block it (5).
pub fn exerting(g: &State, hex: Hex, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    let near = g.charts.grid.neighbours(hex).filter(move |&near| g.holds(near, side) && !g.charts.cliff(near, hex));
    near.flat_map(|near| g.here(near)).filter(|&u| is_full(g, u))
}

/// Returns `true` if a hex is in the ZOC of a side (5).
pub fn reaches(g: &State, hex: Hex, side: Side) -> bool {
    g.holds(hex, side) || exerting(g, hex, side).next().is_some()
}

/// Returns `true` if a hex is in an enemy ZOC that no other friendly unit negates, for Retreats,
/// Routs and the fire at them (5).
pub fn threatens(g: &State, hex: Hex, mover: UnitId) -> bool {
    let side = g.side(mover);
    let friend = g.of_side(hex, side).any(|u| u != mover);
    !friend && reaches(g, hex, side.enemy())
}

/// Returns `true` if an enemy combat unit is in an adjacent hex, even across a cliff.
pub fn beside_enemy(g: &State, hex: Hex, side: Side) -> bool {
    let mut near = g.charts.grid.neighbours(hex);
    near.any(|near| g.of_side(near, side.enemy()).any(|u| g.class(u).is_combat()))
}

/// Returns the distance to the nearest enemy unit, also a Pony Holder (10.J.2.b).
pub fn enemy_distance(g: &State, hex: Hex, side: Side) -> Option<u16> {
    g.on_map(side.enemy()).filter_map(|u| g.hex(u)).map(|at| g.charts.grid.distance(hex, at)).min()
}

/// Returns the maximum number of Pony Holders that may stack with a number of Indian combat units
/// (6.E).
pub fn pony_limit(g: &State, warriors: usize) -> usize {
    warriors.max(g.c.steps(Num::PonyHolders).into())
}

/// Returns `true` if a hex has room for the Pony Holder of a unit that dismounts there (6.E).
pub fn stables(g: &State, hex: Hex, u: UnitId) -> bool {
    let ponies = g.here(hex).filter(|&h| g.class(h) == Class::PonyHolder).count();
    let units = g.of_side(hex, g.side(u)).filter(|&o| g.class(o).is_combat()).count();
    g.class(u) != Class::Warrior || ponies < pony_limit(g, units)
}

/// Returns how a hex exceeds its limits at the end of a phase: by how much, and in words (6).
pub fn crowded(g: &State, hex: Hex) -> Option<(u32, String)> {
    let (points, limit) = (g.stacked(hex), g.c.steps(Num::Stacking).into());
    if points > limit {
        let why = format!("{} would hold {points} Combat Factors, more than {limit}", g.id(hex));
        return Some((points - limit, why));
    }
    let units = g.of_side(hex, Side::Indian).filter(|&u| g.class(u).is_combat()).count();
    let ponies = g.here(hex).filter(|&u| g.class(u) == Class::PonyHolder).count();
    let limit = pony_limit(g, units);
    let why = || format!("{} would hold {ponies} Pony Holders, more than {limit}", g.id(hex));
    (ponies > limit).then(|| ((ponies - limit) as u32, why()))
}

/// Returns `true` if a unit fits into a hex at the end of a phase (6.A). Personnel add nothing to the
/// train that they rejoin (15.B).
pub fn fits(g: &State, hex: Hex, u: UnitId) -> bool {
    let adds = g.hex(u) != Some(hex) && pack::home(g, u, hex).is_none();
    let here = if adds { g.stacking(u) } else { 0 };
    i64::from(g.stacked(hex) + here) <= i64::from(g.c.n(Num::Stacking))
}
