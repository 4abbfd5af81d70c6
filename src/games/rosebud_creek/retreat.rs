//! Retreats (10.I), and the ways on which units fall back.

use super::{
    Ask, State, T,
    amendment::Amendment,
    asking::{Asking, Named, choose_at},
    components::{Class, Num, Side, UnitId},
    doctrine::WayWill,
    facts::Scene,
    fire::Cause,
    leaders, morale, reaction,
    state::{Mode, Phase, Spot},
    zoc,
};
use crate::table::hex::Hex;

/// Where a step can lead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    To(Hex),
    /// Off the map.
    Off,
}

/// How good a hex is to fall back to (10.I).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Tier {
    Free,
    InZoc,
    /// Only enemy Leaders or Pony Holders, who are eliminated.
    Trampled,
}

/// 10.I: a unit that is surrounded, or finds no hex in its first move of a Rout, is eliminated.
pub fn lost(t: &T, g: &mut State, u: UnitId, at: Hex) {
    t.tell(|| format!("{} cannot fall back from {} and is eliminated.", g.called(u), g.id(at)));
    super::fire::eliminate(t, g, u);
    leaders::bereft(t, g, u, false);
}

/// 10.I: whether enemies and cliffs bar all hexes around.
pub fn is_surrounded(g: &State, u: UnitId, at: Hex) -> bool {
    g.charts.grid.neighbours(at).all(|to| !is_open(g, at, to, g.side(u)))
}

/// Whether a unit can fall back into a hex at all: no cliff, no enemies but Leaders and Pony Holders.
pub fn is_open(g: &State, from: Hex, to: Hex, side: Side) -> bool {
    let barred = g.of_side(to, side.enemy()).any(|u| g.class(u) != Class::PonyHolder && !g.unit(u).abandoned);
    !g.charts.cliff(from, to) && !barred
}

fn tier(g: &State, u: UnitId, to: Hex) -> Tier {
    let enemy = g.side(u).enemy();
    let alone = g.leaders_in(to).any(|l| g.c[l].side == enemy);
    if g.holds(to, enemy) || alone {
        Tier::Trampled
    } else if zoc::threatens(g, to, u) {
        Tier::InZoc
    } else {
        Tier::Free
    }
}

/// 10.I: the hexes that a unit may fall back to next: each farther from the enemy, none beside an enemy of that combat; the best
/// kind of them, and the edge only where there is none.
pub fn steps(g: &State, u: UnitId, at: Hex, enemy: Hex, foes: &[UnitId]) -> Vec<Step> {
    let grid = &g.charts.grid;
    let foes: Vec<Hex> = foes.iter().filter_map(|&foe| g.hex(foe)).collect();
    let fair = |to: &Hex| {
        is_open(g, at, *to, g.side(u))
            && grid.distance(*to, enemy) > grid.distance(at, enemy)
            && !foes.iter().any(|&foe| grid.distance(*to, foe) <= 1)
    };
    let near: Vec<(Tier, Hex)> = grid.neighbours(at).filter(fair).map(|to| (tier(g, u, to), to)).collect();
    match near.iter().map(|(tier, _)| *tier).min() {
        Some(best) => near.into_iter().filter(|(tier, _)| *tier == best).map(|(_, to)| Step::To(to)).collect(),
        None if grid.on_edge(at) => vec![Step::Off],
        None => Vec::new(),
    }
}

/// The owner's choice among equal steps.
pub async fn pick(t: &T, g: &mut State, u: UnitId, among: Vec<Step>) -> Step {
    let hexes: Vec<Hex> =
        among.iter().filter_map(|step| if let Step::To(hex) = step { Some(*hex) } else { None }).collect();
    let side = g.side(u);
    let grid = &g.charts.grid;
    let natural = |hex: &Hex| {
        let threats = zoc::exerting(g, *hex, side.enemy()).count();
        let friends = g.on_map(side).filter(|&o| o != u && !g.class(o).is_holder()).filter_map(|o| g.hex(o));
        (threats, friends.map(|at| grid.distance(at, *hex)).min(), *hex)
    };
    let best = match g.doctrine[side.index()].way {
        WayWill::Toward(to) => hexes.iter().copied().min_by_key(|&hex| (grid.distance(hex, to), natural(&hex))),
        WayWill::Nearest => hexes.iter().copied().min_by_key(natural),
        WayWill::Ask => {
            let asking = Asking { kind: Ask::FallBack, rule: "10.I", title: "Where a unit falls back to" };
            let all: Vec<_> = hexes.iter().map(|&hex| Named::new(g.id(hex), hex)).collect();
            if all.is_empty() {
                None
            } else {
                let at = g.hex(u);
                let line = format!("{} falls back from {}.", g.called(u), at.map(|hex| g.id(hex)).unwrap_or_default());
                let scene = Scene { at, units: vec![u], attackers: Vec::new() };
                Some(choose_at(t, g, side, asking, all, (line, scene)).await.value)
            }
        }
    };
    best.map_or(Step::Off, Step::To)
}

/// A unit and the Leaders who go along enter a hex in a Retreat or Rout.
pub fn enter(t: &T, g: &mut State, u: UnitId, along: &[super::components::LeaderId], to: Hex) {
    let side = g.side(u);
    for pony in g.of_side(to, side.enemy()).filter(|&o| g.class(o) == Class::PonyHolder).collect::<Vec<_>>() {
        t.tell(|| format!("{} is ridden down in {}.", g.called(pony), g.id(to)));
        super::fire::eliminate(t, g, pony);
    }
    leaders::overrun(t, g, to, side);
    g.put(u, Spot::On(to));
    for &l in along {
        g.chief_mut(l).spot = Spot::On(to);
    }
}

/// A unit leaves the map by a result: nothing is scored (10.I, 10.J.2).
pub fn leave(t: &T, g: &mut State, u: UnitId, along: &[super::components::LeaderId]) {
    t.tell(|| format!("{} leaves the map.", g.called(u)));
    super::fire::remove(g, u, Spot::Off);
    for &l in along {
        let chief = g.chief_mut(l);
        (chief.spot, chief.with) = (Spot::Off, None);
    }
}

/// 9.G: whether a unit that enters a hex now draws Retreat Fire: in the Movement and Rally Phase only a Routing one.
fn draws_fire(g: &State, u: UnitId) -> bool {
    g.unit(u).routed || !matches!(g.phase, Phase::Movement | Phase::Rally)
}

/// What became of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// There, and it can go on.
    There,
    /// A result has stopped or replaced the movement.
    Stopped,
    /// Off the map or dead.
    Gone,
}

/// One step of a Retreat or a Rout, with Retreat Fire where it enters a ZOC (9.G).
pub async fn step(t: &T, g: &mut State, u: UnitId, next: Step, begins: bool) -> Came {
    step_under_fire(t, g, u, next, Fire { comes: true, begins }).await
}

/// How a step is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fire {
    /// It draws Retreat Fire; a Retreat Before Melee does not.
    pub comes: bool,
    /// It is the first of its movement, where a Leader goes along or stays (12.A).
    pub begins: bool,
}

/// The same, with or without such fire.
pub async fn step_under_fire(t: &T, g: &mut State, u: UnitId, step: Step, fire: Fire) -> Came {
    let Some(at) = g.hex(u) else { return Came::Gone };
    let was_pinned = g.unit(u).pinned;
    let along = if fire.begins || !g.amended(Amendment::LeadersChoose) {
        leaders::part(t, g, u, at).await
    } else {
        leaders::attached(g, u).collect()
    };
    match step {
        Step::Off => {
            leave(t, g, u, &along);
            Came::Gone
        }
        Step::To(to) => {
            let threatened = zoc::threatens(g, to, u);
            enter(t, g, u, &along, to);
            if fire.comes && threatened && draws_fire(g, u) {
                reaction::retreat_fire(t, g, u).await;
            }
            match g.hex(u) {
                None => Came::Gone,
                Some(hex) if hex != to || g.unit(u).pinned && !was_pinned => Came::Stopped,
                // 15.B: the train stays where its Personnel left it.
                Some(_) if g.unit(u).abandoned && g.amended(Amendment::AbandonedTrain) => Came::Stopped,
                Some(_) => Came::There,
            }
        }
    }
}

/// 10.I: a unit falls back so many hexes from an enemy, the unit that fired or the hex of most strength.
pub async fn fall_back(t: &T, g: &mut State, u: UnitId, hexes: u16, cause: Cause) {
    fall_back_from(t, g, u, hexes, cause.from, &[cause.foe]).await;
}

/// 10.J.2.b: whether a unit that Routs has come far enough: Indians and Scouts at three hexes from every enemy.
fn rests(g: &State, u: UnitId) -> bool {
    let flees = g.side(u) == Side::Indian || g.class(u) == Class::Scout;
    flees && g.amended(Amendment::StopsAtThree) && g.hex(u).is_some_and(|at| super::rout::may_stop(g, u, at))
}

/// 10.I, against all enemies of a melee.
pub async fn fall_back_from(t: &T, g: &mut State, u: UnitId, hexes: u16, enemy: Hex, foes: &[UnitId]) {
    driven_from(t, g, u, hexes, (enemy, foes), false).await;
}

/// The same as a Retreat or as the first move of a Rout (10.J.2), which may end before (10.J.2.b).
pub async fn driven_from(t: &T, g: &mut State, u: UnitId, hexes: u16, (enemy, foes): (Hex, &[UnitId]), rout: bool) {
    let Some(start) = g.hex(u) else { return };
    if g.unit(u).mode == Mode::Prone {
        g.unit_mut(u).mode = Mode::Dismounted;
    }
    let routs = if g.amended(Amendment::NoWayOut) { rout } else { g.unit(u).routed };
    for taken in 0..hexes {
        let Some(at) = g.hex(u) else { return };
        // 9.D: who was dismounted on the way goes on at the rate on foot.
        if rout && g.amended(Amendment::RoutOnFoot) && taken >= super::rout::first_move(g, u) {
            break;
        }
        if rout && taken > 0 && rests(g, u) {
            break;
        }
        let among = steps(g, u, at, enemy, foes);
        if among.is_empty() {
            // 10.J.2: a Rout needs a first hex; a Retreat is only stopped, unless all is barred.
            if taken == 0 && (routs || is_surrounded(g, u, at)) {
                return lost(t, g, u, at);
            }
            break;
        }
        if taken > 0 {
            passes(t, g, u, at);
        }
        let next = pick(t, g, u, among).await;
        if step(t, g, u, next, taken == 0).await != Came::There {
            break;
        }
    }
    room(t, g, u, enemy, foes).await;
    if let Some(end) = g.hex(u) {
        // 7.A: only Pinned and Routed units end their move by it.
        let goes_on = g.phase == Phase::Movement && g.side(u) == g.phasing && g.amended(Amendment::PushedBack);
        g.unit_mut(u).did.halted |= !goes_on || g.unit(u).pinned || g.unit(u).routed;
        leaders::settle(g, end);
        if end != start {
            t.tell(|| format!("{} falls back to {}.", g.called(u), g.id(end)));
        }
    }
}

/// 10.I: a unit of the hex that those who pass Disrupt, if there is one that is not so yet.
fn jostle(t: &T, g: &mut State, u: UnitId, at: Hex) {
    let other = g.of_side(at, g.side(u)).find(|&o| o != u && !g.unit(o).disrupted && !g.unit(o).routed);
    if let Some(other) = other {
        morale::disrupt(g, other);
        t.tell(|| format!("{} is Disrupted by those who pass.", g.called(other)));
    }
}

/// 10.I: who goes on from a hex in which it could not have ended has a unit Disrupted there.
pub fn passes(t: &T, g: &mut State, u: UnitId, at: Hex) {
    let limit = i64::from(g.c.n(Num::Stacking));
    if g.amended(Amendment::PassesThrough) && i64::from(g.stacked(at)) > limit {
        jostle(t, g, u, at);
    }
}

/// 10.I: who would end in a hex over the stacking limit goes on, and each such hex has a unit Disrupted.
pub async fn room(t: &T, g: &mut State, u: UnitId, enemy: Hex, foes: &[UnitId]) {
    let limit = i64::from(g.c.n(Num::Stacking));
    // A map has an end.
    for _ in 0..g.charts.grid.len() {
        let Some(at) = g.hex(u) else { return };
        if i64::from(g.stacked(at)) <= limit {
            return;
        }
        jostle(t, g, u, at);
        let fair = steps(g, u, at, enemy, foes);
        let open = || {
            let near = g.charts.grid.neighbours(at);
            near.filter(|&to| is_open(g, at, to, g.side(u)) && zoc::fits(g, to, u)).map(Step::To).collect::<Vec<_>>()
        };
        let among = if fair.is_empty() { open() } else { fair };
        if among.is_empty() {
            t.tell(|| format!("There is no room for {}, which is eliminated.", g.called(u)));
            super::fire::eliminate(t, g, u);
            leaders::bereft(t, g, u, false);
            return;
        }
        let next = pick(t, g, u, among).await;
        let _ = step(t, g, u, next, false).await;
    }
}
