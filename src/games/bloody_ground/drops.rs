//! Units dropped from a stack during its move (9.4.1).

use super::{
    State, T, activation,
    components::{AreaId, Side},
    movement::{self, Gout, Leg, Mover, Walk},
    order::Dropped,
    state::{Force, Spot, UnitId},
};
use postrider_table::{Refusal, refuse};

/// An area of a route where units are dropped.
pub struct Stop {
    at: AreaId,
    here: Force,
    /// Those who go into the fort there (11.2.2).
    inside: Vec<UnitId>,
}

/// The areas of a route where units are dropped.
pub type Drops = Vec<Stop>;

/// Returns the units that a route drops.
pub fn dropped(drops: &Drops) -> Vec<UnitId> {
    drops.iter().flat_map(|stop| stop.here.units.clone()).collect()
}

/// Returns the MPs of a unit on the map.
fn mps(g: &State, u: UnitId) -> u16 {
    movement::allowance(g, &Force { units: vec![u], leaders: Vec::new() })
}

/// Returns the units that an order drops, by area in the order of the route. Among like units it
/// drops the slowest.
fn named(g: &State, side: Side, force: &Force, way: &[AreaId], lots: &[Dropped]) -> Result<Drops, Refusal> {
    let mut drops: Drops = Vec::new();
    let mut left = force.clone();
    for &a in way.iter().take(way.len().saturating_sub(1)) {
        let mut stop = Stop { at: a, here: Force::default(), inside: Vec::new() };
        for lot in lots.iter().filter(|lot| lot.at == g.c[a].id) {
            let mut of: Vec<UnitId> =
                left.units.iter().copied().filter(|&u| g.c[g.unit(u).kind].id == lot.what).collect();
            of.sort_by_key(|&u| mps(g, u));
            if lot.n == 0 || of.len() < usize::from(lot.n) {
                return refuse("9.4.1", format!("{} {} go along there, not {}.", of.len(), lot.what, lot.n));
            }
            if lot.fort && !g.fort_of(a, side) {
                let end = "before `dropping`, `into the fort` means the end of the way";
                return refuse("11.2.2", format!("You have no fort at {}; {end}.", g.name(a)));
            }
            of.truncate(usize::from(lot.n));
            if lot.fort {
                stop.inside.extend(&of);
            }
            stop.here.units.extend(of);
            left = left.without(&stop.here);
        }
        if !stop.here.units.is_empty() {
            drops.push(stop);
        }
    }
    let wanted: usize = lots.iter().map(|lot| usize::from(lot.n)).sum();
    if dropped(&drops).len() != wanted {
        return refuse("9.4.1", "Units are dropped at areas that the way enters before its end, each area once.");
    }
    Ok(drops)
}

/// Returns the legs of a route and the units dropped on it (9.4.1). Only units slower than those
/// that continue may be dropped. The others continue with the rest of their own MPs.
///
/// # Errors
/// A [`Refusal`] with the step or unit that is not possible.
pub fn walk(
    g: &State,
    side: Side,
    from: Spot,
    force: &Force,
    way: &[AreaId],
    lots: &[Dropped],
) -> Result<(Vec<Leg>, Drops), Refusal> {
    if lots.is_empty() && movement::in_place(g, side, from, way)? {
        return Ok((Vec::new(), Vec::new()));
    }
    let drops = named(g, side, force, way, lots)?;
    let mps = |force: &Force| movement::allowance(g, force);
    let (mut left, mut rest, mut walk) = (force.clone(), way, Walk::from(from));
    for Stop { at, here, .. } in &drops {
        let until = rest.iter().position(|a| a == at).map_or(rest.len(), |found| found + 1);
        let (stretch, further) = rest.split_at(until);
        walk.on(g, Mover::of(g, side, &left), stretch, mps(&left))?;
        left = left.without(here);
        leaves_slower(g, here, &left)?;
        rest = further;
    }
    walk.on(g, Mover::of(g, side, &left), rest, mps(&left))?;
    keeps_leaders(g, force, &drops)?;
    activation::may_act(g, &left)?;
    Ok((walk.legs()?, drops))
}

/// Checks that some units continue, and that each dropped unit is slower than they are.
fn leaves_slower(g: &State, here: &Force, on: &Force) -> Result<(), Refusal> {
    if on.is_empty() {
        return refuse("9.4.1", "Somebody goes on: else the way ends there.");
    }
    let least = movement::allowance(g, on);
    match here.units.iter().find(|&&u| mps(g, u) >= least) {
        Some(&u) => refuse(
            "9.4.1",
            format!("{} is not slower than those who go on: only slower units are dropped.", g.c[g.unit(u).kind].id),
        ),
        None => Ok(()),
    }
}

/// Checks that each militia leader who continues has a unit of his state with him (14.0.7).
fn keeps_leaders(g: &State, force: &Force, drops: &Drops) -> Result<(), Refusal> {
    let last = drops.iter().fold(force.clone(), |left, stop| left.without(&stop.here));
    for &l in &last.leaders {
        let Some(state) = g.c[l].state else { continue };
        if !last.units.iter().any(|&u| g.c[g.unit(u).kind].state == Some(state)) {
            return refuse("14.0.7", format!("{} stays with militia of {}.", g.c[l].name, state.name()));
        }
    }
    Ok(())
}

/// Returns the areas where dropped units remain.
pub fn left_at(g: &State, drops: &Drops) -> impl Iterator<Item = AreaId> {
    let stay = |stop: &&Stop| stop.here.units.iter().any(|&u| g.unit(u).spot == Spot::On(stop.at));
    drops.iter().filter(stay).map(|stop| stop.at)
}

/// Returns the part of a route that the gout allows. A stack goes as far as half the MPs of the
/// slowest who are still with it, those to be dropped further on included (14.0.1, 9.4.1).
pub fn within(
    g: &State,
    side: Side,
    (from, force): (Spot, &Force),
    way: &[Leg],
    drops: &Drops,
    gout: Gout,
) -> Vec<Leg> {
    let (mut left, mut spent) = (force.clone(), 0);
    let half = |(i, leg): &(usize, &Leg)| {
        spent += leg.cost;
        let fits = *i == 0 || spent <= movement::allowance(g, &left) / 2;
        drops.iter().filter(|stop| stop.at == leg.to).for_each(|stop| left = left.without(&stop.here));
        fits
    };
    let first = |leg: &Leg| movement::first_area(g, Mover::of(g, side, force), from, leg);
    match gout {
        Gout::AllMps => way.to_vec(),
        Gout::HalfMps => way.iter().enumerate().take_while(half).map(|(_, leg)| leg.clone()).collect(),
        Gout::OneArea => way.first().map(first).into_iter().collect(),
    }
}

/// Moves a force along a route and drops units, which have then completed their actions and
/// may go into a fort (9.4.1, 11.2.2). Returns the final spot and the pieces that reached it.
pub async fn go(t: &T, g: &mut State, side: Side, force: &Force, way: &[Leg], drops: &Drops) -> (Spot, Force) {
    let (mut left, mut rest, mut end) = (force.clone(), way, Spot::Edge);
    for Stop { at, here, inside } in drops {
        let Some(until) = rest.iter().position(|leg| leg.to == *at) else { break };
        let (stretch, further) = rest.split_at(until + 1);
        let ended;
        (end, ended) = movement::go_on(t, g, side, &left, stretch).await;
        if ended || end != Spot::On(*at) {
            return (end, left);
        }
        let came = |units: &[UnitId]| {
            let units = units.iter().copied().filter(|u| left.units.contains(u)).collect();
            Force { units, leaders: Vec::new() }
        };
        let (here, inside) = (came(&here.units), came(inside));
        here.units.iter().for_each(|&u| g.unit_mut(u).done = true);
        t.tell(|| format!("{} stay at {}.", activation::told(g, &here), g.name(*at)));
        movement::shelter(t, g, side, &inside).await;
        (left, rest) = (left.without(&here), further);
    }
    if (!rest.is_empty() || drops.is_empty()) && !left.is_empty() {
        end = movement::go_on(t, g, side, &left, rest).await.0;
    }
    (end, left)
}
