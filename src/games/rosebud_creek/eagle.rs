//! The Eagle's Nest (16.D).

use super::{
    State, T,
    components::{Class, LeaderId, Num, Side, UnitId},
    movement::{self, Mover},
    order::Act,
    state::{Mode, Spot, Wound},
};
use postrider_table::{Refusal, hex::Hex, refuse};

/// The two companies.
pub fn companies(g: &State) -> impl Iterator<Item = UnitId> + '_ {
    g.charts.companies.iter().copied()
}

/// `true` if the order holds a unit or Leader: the two companies, and Van Vliet while he can
/// command.
fn is_held(g: &State, mover: Mover) -> bool {
    let leads = |l: LeaderId| g.c[l].id == "Van Vliet" && g.chief(l).wound.index() < Wound::Severe.index();
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

/// 16.D: `true` if a pursuit or an advance may take a unit, and the Leaders with it, into a hex.
pub fn lets(g: &State, u: UnitId, from: Hex, to: Hex) -> bool {
    let mut all = std::iter::once(Mover::Unit(u)).chain(super::leaders::attached(g, u).map(Mover::Leader));
    all.all(|mover| allows(g, mover, from, to).is_ok())
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
/// Gives the hexes that units have entered.
pub fn go_back(t: &T, g: &mut State) -> Vec<Hex> {
    let mut trail = Vec::new();
    let of_cavalry = |u: &UnitId| is_held(g, Mover::Unit(*u)) && g.class(*u) == Class::Cavalry;
    let mut held: Vec<Mover> = companies(g).filter(of_cavalry).map(Mover::Unit).collect();
    // Van Vliet goes with a company of his, or by himself.
    let apart = |l: &LeaderId| g.chief(*l).with.is_none_or(|u| !held.contains(&Mover::Unit(u)));
    let leader = g.c.leader("Van Vliet").filter(|&l| is_held(g, Mover::Leader(l))).filter(apart);
    held.extend(leader.map(Mover::Leader));
    for mover in held {
        let start = mover.spot(g).hex();
        gets_up(t, g, mover);
        // Step by step toward the hex, as far as the rules let it.
        while let Some(at) = mover.spot(g).hex() {
            let (grid, nest) = (&g.charts.grid, g.charts.eagles_nest);
            let far = grid.distance(at, nest);
            let near = grid.neighbours(at).filter(|&to| grid.distance(to, nest) < far);
            let room = |to: Hex| match mover {
                Mover::Unit(u) => super::zoc::fits(g, to, u),
                Mover::Leader(_) => !g.holds(to, Side::Indian),
            };
            let free = near.filter(|&to| is_clear(g, at) && room(to));
            let Some(to) =
                free.min_by_key(|&to| movement::cost(g, Side::Us, mover.gait(g), at, to).unwrap_or(u16::MAX))
            else {
                break;
            };
            let id = g.id(to);
            if far <= g.c.steps(Num::EagleRadius) || movement::act(g, mover, &Act::Go { hex: id }).is_err() {
                break;
            }
            if let Mover::Unit(u) = mover {
                trail.push(to);
                for l in super::leaders::attached(g, u).collect::<Vec<_>>() {
                    g.chief_mut(l).spot = Spot::On(to);
                }
                super::victory::objective(t, g, u);
            }
        }
        if let Some(end) = mover.spot(g).hex().filter(|_| mover.spot(g).hex() != start) {
            t.tell(|| format!("{} has to go back toward the Eagle's Nest (16.D): {}.", mover.called(g), g.id(end)));
        }
    }
    trail
}

/// `true` if no enemy ZOC holds anybody in a hex.
fn is_clear(g: &State, at: Hex) -> bool {
    super::zoc::exerting(g, at, Side::Indian).next().is_none()
}

/// A company that lies Prone too far away gets up, to go back.
fn gets_up(t: &T, g: &mut State, mover: Mover) {
    let Mover::Unit(u) = mover else { return };
    let away = |at: Hex| g.charts.grid.distance(at, g.charts.eagles_nest) > g.c.steps(Num::EagleRadius);
    if g.unit(u).mode == Mode::Prone && g.hex(u).is_some_and(|at| away(at) && is_clear(g, at)) {
        // Who has no MPs left stays where he is.
        if movement::act(g, mover, &Act::Dismount {}).is_ok() {
            t.tell(|| format!("{} is no longer Prone.", g.called(u)));
        }
    }
}
