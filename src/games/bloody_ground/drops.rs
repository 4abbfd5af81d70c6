//! Units dropped from a stack during its move (9.4.1).

use super::{
    State, T, activation,
    components::{AreaId, Side},
    movement::{self, Gout, Leg, Mover, Walk},
    order::Lot,
    state::{Force, Spot, UnitId},
};
use postrider_table::{Refusal, refuse};

/// The areas of a route where units are dropped, with those units.
pub type Drops = Vec<(AreaId, Force)>;

/// Returns the MPs of a unit on the map.
fn mps(g: &State, u: UnitId) -> u16 {
    movement::allowance(g, &Force { units: vec![u], leaders: Vec::new() })
}

/// Returns a force without the members of another.
fn without(force: &Force, gone: &Force) -> Force {
    Force {
        units: force.units.iter().copied().filter(|u| !gone.units.contains(u)).collect(),
        leaders: force.leaders.iter().copied().filter(|l| !gone.leaders.contains(l)).collect(),
    }
}

/// Returns the units that an order drops, by area in the order of the route. Among like units it
/// drops the slowest.
fn named(g: &State, force: &Force, way: &[AreaId], lots: &[Lot]) -> Result<Drops, Refusal> {
    let mut drops: Drops = Vec::new();
    let mut left = force.clone();
    for &a in way.iter().take(way.len().saturating_sub(1)) {
        let mut here = Force::default();
        for lot in lots.iter().filter(|lot| lot.at == g.c[a].id) {
            let mut of: Vec<UnitId> =
                left.units.iter().copied().filter(|&u| g.c[g.unit(u).kind].id == lot.what).collect();
            of.sort_by_key(|&u| mps(g, u));
            if lot.n == 0 || of.len() < usize::from(lot.n) {
                return refuse("9.4.1", format!("{} {} go along there, not {}.", of.len(), lot.what, lot.n));
            }
            here.units.extend(of.into_iter().take(usize::from(lot.n)));
            left = without(&left, &here);
        }
        if !here.units.is_empty() {
            drops.push((a, here));
        }
    }
    let wanted: usize = lots.iter().map(|lot| usize::from(lot.n)).sum();
    if drops.iter().map(|(_, here)| here.units.len()).sum::<usize>() != wanted {
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
    lots: &[Lot],
) -> Result<(Vec<Leg>, Drops), Refusal> {
    if lots.is_empty() && movement::in_place(g, side, from, way)? {
        return Ok((Vec::new(), Vec::new()));
    }
    let drops = named(g, force, way, lots)?;
    let mps = |force: &Force| movement::allowance(g, force);
    let (mut left, mut rest, mut walk) = (force.clone(), way, Walk::from(from));
    for (a, here) in &drops {
        let until = rest.iter().position(|b| b == a).map_or(rest.len(), |found| found + 1);
        let (stretch, further) = rest.split_at(until);
        walk.on(g, Mover::of(g, side, &left), stretch, mps(&left))?;
        left = without(&left, here);
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
    let last = drops.iter().fold(force.clone(), |left, (_, here)| without(&left, here));
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
    let stay = |(a, here): &&(AreaId, Force)| here.units.iter().any(|&u| g.unit(u).spot == Spot::On(*a));
    drops.iter().filter(stay).map(|(a, _)| *a)
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
        drops.iter().filter(|(a, _)| *a == leg.to).for_each(|(_, here)| left = without(&left, here));
        fits
    };
    let first = |leg: &Leg| movement::first_area(g, Mover::of(g, side, force), from, leg);
    match gout {
        Gout::AllMps => way.to_vec(),
        Gout::HalfMps => way.iter().enumerate().take_while(half).map(|(_, leg)| leg.clone()).collect(),
        Gout::OneArea => way.first().map(first).into_iter().collect(),
    }
}

/// Moves a force along a route and drops units, which have then completed their actions. Returns
/// the final spot and the pieces that reached it.
pub async fn go(t: &T, g: &mut State, side: Side, force: &Force, way: &[Leg], drops: &Drops) -> (Spot, Force) {
    let (mut left, mut rest, mut end) = (force.clone(), way, Spot::Edge);
    for (a, here) in drops {
        let Some(until) = rest.iter().position(|leg| leg.to == *a) else { break };
        let (stretch, further) = rest.split_at(until + 1);
        let ended;
        (end, ended) = movement::go_on(t, g, side, &left, stretch).await;
        if ended || end != Spot::On(*a) {
            return (end, left);
        }
        let here =
            Force { units: here.units.iter().copied().filter(|u| left.units.contains(u)).collect(), ..here.clone() };
        here.units.iter().for_each(|&u| g.unit_mut(u).done = true);
        t.tell(|| format!("{} stay at {}.", activation::told(g, &here), g.name(*a)));
        (left, rest) = (without(&left, &here), further);
    }
    if (!rest.is_empty() || drops.is_empty()) && !left.is_empty() {
        end = movement::go_on(t, g, side, &left, rest).await.0;
    }
    (end, left)
}
