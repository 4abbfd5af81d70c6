//! The Eagle's Nest (16.D).

use super::{
    State, T,
    amendment::Amendment,
    components::{Class, LeaderId, Num, Side, UnitId},
    movement::{self, Mover},
    order::Act,
    state::{Spot, Wound},
};
use crate::table::{Refusal, hex::Hex, refuse};

/// The two companies.
pub fn companies(g: &State) -> impl Iterator<Item = UnitId> + '_ {
    g.charts.companies.iter().copied()
}

/// Whether the order holds a unit or Leader: the two companies, and Van Vliet while he can command.
fn is_held(g: &State, mover: Mover) -> bool {
    let leads = |l: LeaderId| {
        g.amended(Amendment::VanVlietHeld)
            && g.c[l].id == "Van Vliet"
            && g.chief(l).wound.index() < Wound::Severe.index()
    };
    !g.eagle_free
        && match mover {
            Mover::Unit(u) => companies(g).any(|held| held == u),
            Mover::Leader(l) => leads(l),
        }
}

/// 16.D: moves stay within three hexes, or lead nearer until they are.
pub fn allows(g: &State, mover: Mover, from: Hex, to: Hex) -> Result<(), Refusal> {
    if !is_held(g, mover) {
        return Ok(());
    }
    let (grid, nest) = (&g.charts.grid, g.charts.eagles_nest);
    let radius = g.c.steps(Num::EagleRadius);
    if grid.distance(to, nest) <= radius || grid.distance(to, nest) < grid.distance(from, nest) {
        return Ok(());
    }
    refuse("16.D", format!("{} has to stay within {radius} hexes of the Eagle's Nest, {}.", mover.name(g), g.id(nest)))
}

/// 16.D: whether a pursuit or an advance may take a unit, and the Leaders with it, into a hex.
pub fn lets(g: &State, u: UnitId, from: Hex, to: Hex) -> bool {
    let all = std::iter::once(Mover::Unit(u)).chain(super::leaders::attached(g, u).map(Mover::Leader));
    !g.amended(Amendment::NestHolds) || all.into_iter().all(|mover| allows(g, mover, from, to).is_ok())
}

/// 16.D: what ends the order: warriors near a company, one of them gone, or turn 15.
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

/// 16.D: the order ends.
pub fn free(t: &T, g: &mut State) {
    if !g.eagle_free {
        g.eagle_free = true;
        t.tell(|| "Van Vliet and his companies are free to leave the Eagle's Nest.".to_owned());
    }
}

/// 16.D: who was forced away goes back at the first opportunity: at the end of movement, if he has not moved and no ZOC bars him.
/// Gives the hexes that were entered.
pub fn go_back(t: &T, g: &mut State) -> Vec<Hex> {
    let mut trail = Vec::new();
    for u in companies(g).filter(|&u| is_held(g, Mover::Unit(u)) && g.class(u) == Class::Cavalry).collect::<Vec<_>>() {
        let start = g.hex(u);
        // Step by step toward the hex, as far as the rules let it.
        while let Some(at) = g.hex(u) {
            let (grid, nest) = (&g.charts.grid, g.charts.eagles_nest);
            let far = grid.distance(at, nest);
            let near = grid.neighbours(at).filter(|&to| grid.distance(to, nest) < far);
            let free = near
                .filter(|&to| super::zoc::exerting(g, at, Side::Indian).next().is_none() && super::zoc::fits(g, to, u));
            let Some(to) =
                free.min_by_key(|&to| movement::cost(g, Side::Us, Mover::Unit(u).gait(g), at, to).unwrap_or(u16::MAX))
            else {
                break;
            };
            let id = g.id(to);
            if far <= g.c.steps(Num::EagleRadius) || movement::act(g, Mover::Unit(u), &Act::Go { hex: id }).is_err() {
                break;
            }
            trail.push(to);
            for l in super::leaders::attached(g, u).collect::<Vec<_>>() {
                g.chief_mut(l).spot = Spot::On(to);
            }
        }
        if let Some(end) = g.hex(u).filter(|_| g.hex(u) != start) {
            t.tell(|| format!("{} has to go back toward the Eagle's Nest (16.D): {}.", g.called(u), g.id(end)));
        }
    }
    trail
}
