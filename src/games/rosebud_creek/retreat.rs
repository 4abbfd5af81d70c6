//! Retreats (10.I), and the choice of their paths.

use super::{
    Ask, State, T,
    asking::{Asking, Named, choose_at},
    components::{Class, Num, Side, UnitId},
    doctrine::WayWill,
    eagle,
    facts::Scene,
    fire::Cause,
    leaders, mode, morale, pack, reaction,
    state::{Phase, Spot},
    zoc,
};
use postrider_table::hex::Hex;

/// A step of a retreat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    To(Hex),
    /// Off the map.
    Off,
}

/// Eliminates a unit that is surrounded, or that has no first hex for a Rout (10.I); in melee its
/// Leaders die with it (12.D.5).
pub async fn lost(t: &T, g: &mut State, u: UnitId, at: Hex, melee: bool) {
    t.tell(|| format!("{} fall back from {}: eliminated.", g.does(u, "cannot"), g.id(at)));
    super::fire::eliminate(t, g, u);
    leaders::bereft(t, g, u, melee).await;
}

/// Returns `true` if enemies and cliffs block all adjacent hexes (10.I).
pub fn is_surrounded(g: &State, u: UnitId, at: Hex) -> bool {
    g.charts.grid.neighbours(at).all(|to| !is_open(g, at, to, g.side(u)))
}

/// Returns `true` if a unit can retreat into a hex: no cliff, and no enemies except Leaders and
/// Pony Holders.
pub fn is_open(g: &State, from: Hex, to: Hex, side: Side) -> bool {
    let barred = g.of_side(to, side.enemy()).any(|u| g.class(u) != Class::PonyHolder && !g.unit(u).abandoned);
    !g.charts.cliff(from, to) && !barred
}

/// Returns `true` if a hex is not next to any enemy of the combat (10.I).
fn is_clear_of(g: &State, to: Hex, foes: &[UnitId]) -> bool {
    !foes.iter().filter_map(|&foe| g.hex(foe)).any(|at| g.charts.grid.distance(to, at) <= 1)
}

/// Returns the hexes outside enemy ZOCs, or all if there are none (10.I). Lone Leaders have no ZOC,
/// Pony Holders have one in their hex (5); both are eliminated by the retreat.
pub fn calm(g: &State, u: UnitId, among: Vec<Hex>) -> Vec<Step> {
    let free: Vec<Hex> = among.iter().copied().filter(|&hex| !zoc::threatens(g, hex, u)).collect();
    let among = if free.is_empty() { among } else { free };
    among.into_iter().map(Step::To).collect()
}

/// Returns the next steps of a retreat: hexes farther from the enemy and not adjacent to any enemy
/// of the combat, of the best preference; off the map only if there are none (10.I).
pub fn steps(g: &State, u: UnitId, at: Hex, enemy: Hex, foes: &[UnitId]) -> Vec<Step> {
    steps_where(g, u, at, (enemy, foes), |_| true)
}

/// Like [`steps`], but only hexes for which `holds` is true.
pub fn steps_where(
    g: &State,
    u: UnitId,
    at: Hex,
    (enemy, foes): (Hex, &[UnitId]),
    holds: impl Fn(Hex) -> bool,
) -> Vec<Step> {
    let grid = &g.charts.grid;
    let fair = |to: &Hex| {
        is_open(g, at, *to, g.side(u))
            && grid.distance(*to, enemy) > grid.distance(at, enemy)
            && is_clear_of(g, *to, foes)
            && holds(*to)
    };
    let near: Vec<Hex> = grid.neighbours(at).filter(fair).collect();
    if near.is_empty() && grid.on_edge(at) { vec![Step::Off] } else { calm(g, u, near) }
}

/// The circumstances of a retreat: the enemy, and the number of hexes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flight<'u> {
    /// The hex of the enemy; `foes` are all enemies in the combat.
    pub enemy: Hex,
    pub foes: &'u [UnitId],
    /// Number of hexes left.
    pub hexes: u16,
    /// `true` for a Rout, which may end earlier (10.J.2.b).
    pub rout: bool,
    /// `true` if caused by a melee: Leaders die with a unit that is eliminated (12.D.5).
    pub melee: bool,
    /// `true` if it draws no Retreat Fire: a Retreat Before Melee.
    pub quiet: bool,
}

impl<'u> Flight<'u> {
    /// Returns a flight of one hex with no enemy of the combat, for making room or going step by
    /// step.
    pub fn step(enemy: Hex) -> Flight<'u> {
        Flight { enemy, foes: &[], hexes: 1, rout: false, melee: false, quiet: false }
    }
}

/// A complete retreat path.
struct Route {
    hexes: Vec<Hex>,
    /// `true` if it ends off the map.
    off: bool,
    /// Number of hexes missing at its end.
    short: u16,
}

/// Returns all paths that begin with one of these steps, in the current position (10.I).
fn routes(g: &State, u: UnitId, among: Vec<Step>, flight: Flight<'_>) -> Vec<Route> {
    let mut all = Vec::new();
    let mut way = Vec::new();
    trace(g, u, among, flight, &mut way, &mut all);
    all
}

fn trace(g: &State, u: UnitId, among: Vec<Step>, flight: Flight<'_>, way: &mut Vec<Hex>, all: &mut Vec<Route>) {
    if among.is_empty() {
        let short = flight.hexes.saturating_sub(way.len() as u16);
        all.push(Route { hexes: way.clone(), off: false, short });
    }
    for step in among {
        let Step::To(to) = step else {
            all.push(Route { hexes: way.clone(), off: true, short: 0 });
            continue;
        };
        way.push(to);
        if way.len() >= usize::from(flight.hexes) || flight.rout && may_rest(g, u, to) {
            all.push(Route { hexes: way.clone(), off: false, short: 0 });
        } else {
            trace(g, u, steps(g, u, to, flight.enemy, flight.foes), flight, way, all);
        }
        way.pop();
    }
}

/// Returns the steps from which a unit can retreat its full number of hexes on the map, or the best
/// ones if there are none (10.I).
fn whole(g: &State, u: UnitId, among: Vec<Step>, flight: Flight<'_>) -> Vec<Step> {
    if among.len() < 2 {
        return among;
    }
    let least = |step: &Step| routes(g, u, vec![*step], flight).into_iter().map(|way| (way.off, way.short)).min();
    let best = among.iter().map(least).min().flatten();
    among.into_iter().filter(|step| least(step) == best).collect()
}

/// The cost of a path: its drawbacks, most important first.
type Price = (bool, u16, bool, usize, usize, u32, bool, usize, Option<u16>, u32);

/// Returns the cost of a path: leaving the map, missing hexes, a full end hex, units Disrupted on
/// the way, enemy ZOCs entered, distance from the hex of the doctrine, moving behind the enemy,
/// ZOCs at the end, distance to the nearest friend, and total distance to the friends.
fn price(g: &State, u: UnitId, start: Hex, route: &Route) -> Price {
    let (side, grid) = (g.side(u), &g.charts.grid);
    let end = route.hexes.last().copied().unwrap_or(start);
    let on_way = route.hexes.len().saturating_sub(1);
    let jostles = |hex: &&Hex| !zoc::fits(g, **hex, u) && jostled(g, u, **hex).is_some();
    let full = !zoc::fits(g, end, u);
    let disrupts = route.hexes[..on_way].iter().filter(jostles).count() + usize::from(full && jostles(&&end));
    let drawn = route.hexes.iter().filter(|&&hex| zoc::threatens(g, hex, u)).count();
    let combat = |side: Side| g.on_map(side).filter(|&o| o != u && g.class(o).is_combat()).filter_map(|o| g.hex(o));
    let far = |from: Hex, side: Side| combat(side).map(|at| u32::from(grid.distance(at, from))).sum::<u32>();
    let behind = far(end, side.enemy()) < far(start, side.enemy());
    let wanted = match g.doctrine[side.index()].way {
        WayWill::Toward(to) => u32::from(grid.distance(end, to)),
        _ => 0,
    };
    let threats = zoc::exerting(g, end, side.enemy()).count();
    let friends = g.on_map(side).filter(|&o| o != u && !g.class(o).is_holder()).filter_map(|o| g.hex(o));
    let nearest = friends.map(|at| grid.distance(at, end)).min();
    (route.off, route.short, full, disrupts, drawn, wanted, behind, threats, nearest, far(end, side))
}

/// Returns the first step of the path that the doctrine prefers.
fn foreseen(g: &State, u: UnitId, among: Vec<Step>, flight: Flight<'_>) -> Step {
    let Some(start) = g.hex(u) else { return Step::Off };
    let all = routes(g, u, among, flight);
    let best = all.into_iter().min_by_key(|route| (price(g, u, start, route), route.hexes.clone()));
    best.and_then(|route| route.hexes.first().copied()).map_or(Step::Off, Step::To)
}

/// Returns the step that a unit takes: the one its owner's doctrine prefers, or the one its owner
/// chooses.
pub async fn pick(t: &T, g: &mut State, u: UnitId, among: Vec<Step>, flight: Flight<'_>) -> Step {
    let side = g.side(u);
    if g.doctrine[side.index()].way != WayWill::Ask {
        return foreseen(g, u, among, flight);
    }
    let named = |step: Step| if let Step::To(hex) = step { Some(Named::new(g.id(hex), hex)) } else { None };
    let all: Vec<_> = among.into_iter().filter_map(named).collect();
    if all.is_empty() {
        return Step::Off;
    }
    let asking = Asking { kind: Ask::FallBack, rule: "10.I", title: "Where a unit falls back to" };
    let at = g.hex(u);
    let line = format!("{} back from {}.", g.does(u, "falls"), at.map(|hex| g.id(hex)).unwrap_or_default());
    let scene = Scene { at, units: vec![u], attackers: Vec::new() };
    Step::To(choose_at(t, g, side, asking, all, (line, scene)).await.value)
}

/// Moves a unit and its Leaders into a hex in a Retreat or Rout.
pub fn enter(t: &T, g: &mut State, u: UnitId, along: &[super::components::LeaderId], to: Hex) {
    let side = g.side(u);
    for pony in g.of_side(to, side.enemy()).filter(|&o| g.class(o) == Class::PonyHolder).collect::<Vec<_>>() {
        t.tell(|| format!("{} ridden down in {}.", g.does(pony, "is"), g.id(to)));
        super::fire::eliminate(t, g, pony);
    }
    leaders::overrun(t, g, to, side);
    g.put(u, Spot::On(to));
    for &l in along {
        g.chief_mut(l).spot = Spot::On(to);
    }
    eagle::watch(t, g);
}

/// Removes a unit that leaves the map by a result, without VPs (10.I, 10.J.2).
pub fn leave(t: &T, g: &mut State, u: UnitId, along: &[super::components::LeaderId]) {
    t.tell(|| format!("{} the map.", g.does(u, "leaves")));
    super::fire::remove(g, u, Spot::Off);
    for &l in along {
        let chief = g.chief_mut(l);
        (chief.spot, chief.with) = (Spot::Off, None);
    }
}

/// Returns `true` if a unit that enters a ZOC now draws Retreat Fire: in the Movement and Rally
/// Phases only a Routing one does (9.G).
fn draws_fire(g: &State, u: UnitId) -> bool {
    g.unit(u).routed || !matches!(g.phase, Phase::Movement | Phase::Rally)
}

/// The outcome of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// The unit arrived and can continue.
    There,
    /// A result has stopped or replaced the movement.
    Stopped,
    /// The unit is off the map or eliminated.
    Gone,
}

/// Takes one step of a Retreat or a Rout, with Retreat Fire if it enters a ZOC (9.G).
pub async fn step(t: &T, g: &mut State, u: UnitId, next: Step, begins: bool) -> Came {
    step_under_fire(t, g, u, next, Fire { comes: true, begins }).await
}

/// The options of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fire {
    /// `true` if it draws Retreat Fire; a Retreat Before Melee does not.
    pub comes: bool,
    /// `true` for the first step of a movement, when Leaders decide to go along or stay (12.A).
    pub begins: bool,
}

/// Like [`step`], with or without Retreat Fire.
pub async fn step_under_fire(t: &T, g: &mut State, u: UnitId, step: Step, fire: Fire) -> Came {
    let Some(at) = g.hex(u) else { return Came::Gone };
    let marks = |g: &State| (g.unit(u).pinned, g.unit(u).routed, g.unit(u).abandoned);
    let before = marks(g);
    let along = if fire.begins { leaders::part(t, g, u, at).await } else { leaders::attached(g, u).collect() };
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
                // A result met on the way replaces the rest of it, also where it leaves the unit.
                Some(hex) if hex != to || marks(g) != before => Came::Stopped,
                Some(_) => Came::There,
            }
        }
    }
}

/// Retreats a unit from the enemy that fired at it (10.I).
pub async fn fall_back(t: &T, g: &mut State, u: UnitId, hexes: u16, cause: Cause) {
    let foes = [cause.foe];
    driven(t, g, u, Flight { foes: &foes, hexes, ..Flight::step(cause.from) }).await;
}

/// Returns `true` if the first move of a Rout may end in a hex: for Indians and Scouts, three hexes
/// from every enemy (10.J.2.b).
fn may_rest(g: &State, u: UnitId, at: Hex) -> bool {
    let flees = g.side(u) == Side::Indian || g.class(u) == Class::Scout;
    flees && super::rout::may_stop(g, u, at)
}

/// Retreats a unit from all enemies of a melee (10.I).
pub async fn fall_back_from(t: &T, g: &mut State, u: UnitId, hexes: u16, enemy: Hex, foes: &[UnitId]) {
    driven(t, g, u, Flight { foes, hexes, melee: true, ..Flight::step(enemy) }).await;
}

/// Moves a unit in a Retreat or in the first move of a Rout (10.J.2), which may end earlier
/// (10.J.2.b).
pub async fn driven(t: &T, g: &mut State, u: UnitId, flight: Flight<'_>) {
    let Flight { enemy, foes, hexes, rout, melee, .. } = flight;
    let Some(start) = g.hex(u) else { return };
    for taken in 0..hexes {
        let Some(at) = g.hex(u) else { return };
        // 9.D: a unit dismounted on the way continues at the dismounted rate.
        if rout && taken >= super::rout::first_move(g, u) {
            break;
        }
        if rout && taken > 0 && may_rest(g, u, at) {
            break;
        }
        let flight = Flight { hexes: hexes - taken, ..flight };
        let among = whole(g, u, steps(g, u, at, enemy, foes), flight);
        if among.is_empty() {
            // 10.J.2: a Rout without a first hex eliminates the unit; a Retreat only stops, unless
            // all adjacent hexes are blocked.
            if taken == 0 && (rout || is_surrounded(g, u, at)) {
                return lost(t, g, u, at, melee).await;
            }
            if taken == 0 {
                let how = if g.unit(u).routed { "" } else { ", Disrupted" };
                t.tell(|| format!("{} in {}{how}: there is no hex to fall back to.", g.does(u, "stays"), g.id(at)));
            }
            break;
        }
        if taken > 0 {
            passes(t, g, u, at);
        }
        if taken == 0 {
            // 8.C: who falls back is no longer Prone.
            mode::rise(t, g, u);
        }
        let next = pick(t, g, u, among, flight).await;
        if step(t, g, u, next, taken == 0).await != Came::There {
            break;
        }
    }
    room(t, g, u, flight).await;
    if let Some(end) = g.hex(u) {
        leaders::join(t, g, end);
        if end != start {
            t.tell(|| format!("{} back to {}.", g.does(u, "falls"), g.id(end)));
        }
        pack::rejoin(t, g, u);
    }
}

/// Returns a unit in a hex that a passing unit Disrupts, if any is not yet Disrupted (10.I).
fn jostled(g: &State, u: UnitId, at: Hex) -> Option<UnitId> {
    let fit = |o: &UnitId| *o != u && !g.unit(*o).disrupted && !g.unit(*o).routed && !g.unit(*o).abandoned;
    g.of_side(at, g.side(u)).find(fit)
}

/// Disrupts one unit in a hex that another passes through (10.I).
fn jostle(t: &T, g: &mut State, u: UnitId, at: Hex) {
    if let Some(other) = jostled(g, u, at) {
        morale::set_disrupted(g, other);
        t.tell(|| format!("{} Disrupted by those who pass.", g.does(other, "is")));
    }
}

/// Disrupts a unit in a hex that a retreating unit leaves because it could not end there (10.I).
pub fn passes(t: &T, g: &mut State, u: UnitId, at: Hex) {
    let limit = i64::from(g.c.n(Num::Stacking));
    if i64::from(g.stacked(at)) > limit {
        jostle(t, g, u, at);
    }
}

/// Moves a unit on from hexes over the stacking limit; a unit in each such hex is Disrupted. If no
/// hex is farther from the enemy, any other with room that is not next to the enemies of the combat
/// will do; without one the unit leaves the map, or is eliminated (10.I).
pub async fn room(t: &T, g: &mut State, u: UnitId, flight: Flight<'_>) {
    let Flight { enemy, foes, melee, .. } = flight;
    let limit = i64::from(g.c.n(Num::Stacking));
    // The size of the map bounds the number of steps.
    for _ in 0..g.charts.grid.len() {
        let Some(at) = g.hex(u) else { return };
        if i64::from(g.stacked(at)) <= limit || pack::home(g, u, at).is_some() {
            return;
        }
        jostle(t, g, u, at);
        let mut among = steps(g, u, at, enemy, foes);
        if matches!(among[..], [] | [Step::Off]) {
            let near = g.charts.grid.neighbours(at);
            let free = |&to: &Hex| is_open(g, at, to, g.side(u)) && is_clear_of(g, to, foes) && zoc::fits(g, to, u);
            let open = calm(g, u, near.filter(free).collect());
            among = if open.is_empty() { among } else { open };
        }
        if among.is_empty() {
            t.tell(|| format!("There is no room for {}: eliminated.", g.the(u)));
            super::fire::eliminate(t, g, u);
            leaders::bereft(t, g, u, melee).await;
            return;
        }
        let next = pick(t, g, u, among, Flight { hexes: 1, rout: false, ..flight }).await;
        let _ = step_under_fire(t, g, u, next, Fire { comes: !flight.quiet, begins: false }).await;
    }
}
