//! The Eagle's Nest (16.D).

use super::{
    State, T,
    components::{Class, LeaderId, Num, Side, UnitId},
    duties,
    movement::{self, Mover},
    order::Act,
    state::{Spot, Wound},
};
use postrider_table::{Refusal, hex::Hex, refuse};

/// Returns the two companies.
pub fn companies(g: &State) -> impl Iterator<Item = UnitId> + '_ {
    g.charts.companies.iter().copied()
}

/// Returns `true` if the restriction applies to a unit or Leader: the two companies, and Van Vliet
/// while he is able to command.
fn is_held(g: &State, mover: Mover) -> bool {
    let leads = |l: LeaderId| g.c[l].id == "Van Vliet" && g.chief(l).wound.index() < Wound::Severe.index();
    !g.eagle_free
        && match mover {
            Mover::Unit(u) => companies(g).any(|held| held == u),
            Mover::Leader(l) => leads(l),
        }
}

/// Checks that a voluntary step stays within three hexes of the Eagle's Nest, or leads closer to it
/// from outside (16.D); `None` is off the map (7.J).
pub fn allows(g: &State, mover: Mover, from: Hex, to: Option<Hex>) -> Result<(), Refusal> {
    let (nest, radius) = (g.charts.eagles_nest, g.c.steps(Num::EagleRadius));
    let far = |hex: Hex| g.charts.grid.distance(hex, nest);
    if !is_held(g, mover) || to.is_some_and(|to| far(to) <= radius || far(to) < far(from)) {
        return Ok(());
    }
    refuse("16.D", format!("{} has to stay within {radius} hexes of the Eagle's Nest, {}.", mover.name(g), g.id(nest)))
}

/// Lifts the restriction the instant that its conditions are met: warriors near a company, a company
/// eliminated, or turn 15 (16.D). Each step that brings a unit into a hex calls this; a Rout calls
/// [`free`] directly.
pub fn watch(t: &T, g: &mut State) {
    if g.eagle_free || g.turn == 0 {
        return;
    }
    let near = |u: UnitId| {
        let Some(at) = g.hex(u) else { return false };
        let within = g.c.steps(Num::EagleWithin);
        let warriors = g.on_map(Side::Indian).filter(|&o| g.class(o) == Class::Warrior).filter_map(|o| g.hex(o));
        warriors.filter(|&hex| g.charts.grid.distance(hex, at) <= within).count() >= g.c.n(Num::EagleWarriors) as usize
    };
    let late = i32::from(g.turn) >= g.c.n(Num::EagleTurn);
    let fallen = companies(g).any(|u| g.unit(u).spot == Spot::Dead);
    if late || fallen || companies(g).any(near) {
        free(t, g);
    }
}

/// Lifts the restriction (16.D).
pub fn free(t: &T, g: &mut State) {
    if !g.eagle_free {
        g.eagle_free = true;
        t.tell(|| "Van Vliet and his companies are free to leave the Eagle's Nest.".to_owned());
    }
}

/// Moves companies and Van Vliet back toward the Eagle's Nest at the end of movement if they were
/// forced away, have not moved, and are not in an enemy ZOC (16.D). Returns the hexes that units
/// entered.
pub fn go_back(t: &T, g: &mut State) -> Vec<Hex> {
    let mut trail = Vec::new();
    let of_cavalry = |u: &UnitId| is_held(g, Mover::Unit(*u)) && g.class(*u) == Class::Cavalry;
    let mut held: Vec<Mover> = companies(g).filter(of_cavalry).map(Mover::Unit).collect();
    // Van Vliet moves with one of his companies, or alone.
    let apart = |l: &LeaderId| g.chief(*l).with.is_none_or(|u| !held.contains(&Mover::Unit(u)));
    let leader = g.c.leader("Van Vliet").filter(|&l| is_held(g, Mover::Leader(l))).filter(apart);
    held.extend(leader.map(Mover::Leader));
    for mover in held {
        // A step of another one may have lifted the restriction.
        if g.eagle_free {
            break;
        }
        let start = mover.spot(g).hex();
        gets_up(t, g, mover);
        // By steps that the rules allow, and not out of an enemy ZOC.
        let free = |from: Hex, to: Hex| is_clear(g, from) && allows(g, mover, from, Some(to)).is_ok();
        let far = |hex: Hex| g.charts.grid.distance(hex, g.charts.eagles_nest).max(g.c.steps(Num::EagleRadius));
        let Some((from, reach)) = start.zip(movement::reach_where(g, mover, free)) else { continue };
        let ends = reach.each().filter(|&(hex, _)| far(hex) < far(from) && duties::has_room(g, mover, hex));
        if let Some((end, _)) = ends.min_by_key(|&(hex, cost)| (far(hex), cost, hex)) {
            duties::walk(t, g, mover, (&reach, end), &mut trail);
        }
        if let Some(end) = mover.spot(g).hex().filter(|_| mover.spot(g).hex() != start) {
            t.tell(|| format!("{} to go back toward the Eagle's Nest (16.D): {}.", mover.does(g, "has"), g.id(end)));
        }
    }
    trail
}

/// Returns `true` if no enemy ZOC extends into a hex.
fn is_clear(g: &State, at: Hex) -> bool {
    super::zoc::exerting(g, at, Side::Indian).next().is_none()
}

/// Returns `true` if a unit or Leader has to go back now: it is held, outside the radius, able to move
/// and in no enemy ZOC (16.D).
pub fn is_due(g: &State, mover: Mover) -> bool {
    let away = |at: Hex| g.charts.grid.distance(at, g.charts.eagles_nest) > g.c.steps(Num::EagleRadius);
    is_held(g, mover)
        && movement::barred(g, mover).is_ok()
        && mover.spot(g).hex().is_some_and(|at| away(at) && is_clear(g, at))
}

/// Makes a Prone company outside the radius get up, so that it can return.
fn gets_up(t: &T, g: &mut State, mover: Mover) {
    let Mover::Unit(u) = mover else { return };
    // A unit without MPs stays Prone.
    if movement::lies(g, u) && is_due(g, mover) && movement::act(g, mover, &Act::Dismount {}).is_ok() {
        t.tell(|| format!("{} no longer Prone.", g.does(u, "is")));
    }
}
