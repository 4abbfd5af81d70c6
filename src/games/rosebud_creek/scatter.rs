//! Indian Scatter (7.K).

use super::{
    Ask, State, T,
    asking::{Asking, Named, choose_at},
    components::{Class, Num, Side, UnitId},
    doctrine::{ScatterWill, WayWill},
    eagle,
    facts::Scene,
    leaders,
    movement::{self, Mover},
    order::Act,
    reaction,
    state::{Doings, Mode, Spot},
    zoc,
};
use postrider_table::hex::Hex;

/// Lets warriors within two hexes Scatter after a US unit has entered a hex; they move at once and
/// are then Routed (7.K).
///
/// Returns `true` if any could.
pub async fn near(t: &T, g: &mut State, at: Hex) -> bool {
    let will = g.doctrine[Side::Indian.index()].scatter;
    if will == ScatterWill::Never {
        return false;
    }
    let within = g.c.steps(Num::Scatter);
    let fit = |&u: &UnitId| {
        let unit = g.unit(u);
        g.class(u) == Class::Warrior && !unit.routed && !unit.pinned
    };
    let close: Vec<UnitId> =
        g.charts.grid.within(at, within).flat_map(|hex| g.of_side(hex, Side::Indian)).filter(fit).collect();
    let any = !close.is_empty();
    for u in close {
        let Some(from) = g.hex(u).filter(|_| !g.unit(u).routed && !g.unit(u).pinned) else { continue };
        let strength: u32 = g
            .charts
            .grid
            .within(from, within)
            .flat_map(|hex| g.of_side(hex, Side::Us))
            .map(|o| u32::from(g.cf(o)))
            .sum();
        let flight = match will {
            ScatterWill::Strength(n) if strength >= u32::from(n) => away(g, u),
            ScatterWill::Ask => ask(t, g, u).await,
            _ => None,
        };
        if let Some(flight) = flight {
            scatter(t, g, u, flight).await;
            eagle::watch(t, g);
        }
    }
    any
}

/// The destination of a Scatter, and the change of mode before it (7.K).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Flight {
    change: Option<Change>,
    to: Hex,
}

/// A change of mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Change {
    Mount,
    Dismount,
}

/// Returns what a unit does before a Scatter: it changes mode, or gets up if it is Prone.
fn readies(g: &State, u: UnitId, change: Option<Change>) -> Option<Act> {
    match (change, g.unit(u).mode) {
        (Some(Change::Mount), _) => Some(Act::Mount {}),
        (Some(Change::Dismount), _) | (None, Mode::Prone) => Some(Act::Dismount {}),
        (None, _) => None,
    }
}

/// Returns the destinations with room that a unit can reach with its whole allowance after a change
/// of mode.
fn ends(g: &State, u: UnitId, change: Option<Change>) -> Vec<Flight> {
    let mut after = g.clone();
    after.unit_mut(u).did = Doings::default();
    if readies(&after, u, change).is_some_and(|act| movement::act(&mut after, Mover::Unit(u), &act).is_err()) {
        return Vec::new();
    }
    let reach = movement::reach(&after, Mover::Unit(u));
    let ends = reach.map(|reach| reach.each().map(|(hex, _)| hex).collect::<Vec<_>>()).unwrap_or_default();
    ends.into_iter().filter(|&hex| zoc::fits(g, hex, u)).map(|to| Flight { change, to }).collect()
}

/// Returns all ways to Scatter, mounted first. Only a mounted unit dismounts.
fn flights(g: &State, u: UnitId) -> Vec<Flight> {
    let dismount = (g.unit(u).mode == Mode::Mounted).then_some(Some(Change::Dismount));
    [Some(Change::Mount), None].into_iter().chain(dismount).flat_map(|change| ends(g, u, change)).collect()
}

/// Returns the destination that the doctrine chooses; this is a house rule, since the rulebook
/// leaves the choice to the owner. It is the hex farthest from enemies, or nearest to the hex of
/// `doctrine fall back`; among equals the unit does not change mode.
fn away(g: &State, u: UnitId) -> Option<Flight> {
    let far = |hex: Hex| zoc::enemy_distance(g, hex, Side::Indian).unwrap_or(u16::MAX);
    let all = flights(g, u).into_iter();
    match g.doctrine[Side::Indian.index()].way {
        WayWill::Toward(goal) => all.min_by_key(|way| {
            (g.charts.grid.distance(way.to, goal), std::cmp::Reverse(far(way.to)), way.change, way.to)
        }),
        _ => all.max_by_key(|way| (far(way.to), std::cmp::Reverse((way.change, way.to)))),
    }
}

async fn ask(t: &T, g: &mut State, u: UnitId) -> Option<Flight> {
    let stay = Named::new("stay", None);
    let named = |way: Flight| {
        let mode = match way.change {
            Some(Change::Mount) => "mounted ",
            Some(Change::Dismount) => "dismounted ",
            None => "",
        };
        Named::new(format!("{mode}{}", g.id(way.to)), Some(way))
    };
    let all: Vec<_> = std::iter::once(stay).chain(flights(g, u).into_iter().map(named)).collect();
    let asking = Asking { kind: Ask::Scatter, rule: "7.K", title: "Whether a unit Scatters, and where to" };
    let at = g.hex(u);
    let line = format!(
        "{} in {}: the US has come near. Who Scatters is Routed.",
        g.called(u),
        at.map(|hex| g.id(hex)).unwrap_or_default()
    );
    let scene = Scene { at, units: vec![u], attackers: Vec::new() };
    choose_at(t, g, Side::Indian, asking, all, (line, scene)).await.value
}

/// Moves the unit, with Opportunity Fire if it leaves a ZOC, and then marks it as Routed in its
/// hex.
async fn scatter(t: &T, g: &mut State, u: UnitId, Flight { change, to }: Flight) {
    // Its record of activities starts fresh, because this is not its own turn.
    g.unit_mut(u).did = Doings { reacted: g.unit(u).did.reacted, ..Doings::default() };
    if let Some(act) = readies(g, u, change)
        && movement::act(g, Mover::Unit(u), &act).is_ok()
    {
        let does = match change {
            Some(Change::Mount) => "mounts",
            Some(Change::Dismount) => "dismounts",
            None => "gets up",
        };
        t.tell(|| format!("{} {does}.", g.called(u)));
    }
    let way = movement::reach(g, Mover::Unit(u)).and_then(|reach| reach.way(to)).unwrap_or_default();
    for hex in way.into_iter().skip(1) {
        let before = g.unit(u).spot;
        reaction::opportunity(t, g, &[u]).await;
        if g.unit(u).spot != before || g.unit(u).pinned || g.unit(u).routed {
            break;
        }
        let along: Vec<_> = leaders::attached(g, u).collect();
        let id = g.id(hex);
        if movement::act(g, Mover::Unit(u), &Act::Go { hex: id }).is_err() {
            break;
        }
        for l in along {
            g.chief_mut(l).spot = Spot::On(hex);
        }
        leaders::overrun(t, g, hex, Side::Indian);
    }
    if let Some(end) = g.hex(u) {
        ends_there(t, g, u, end).await;
    }
}

/// Marks a unit as Routed in the hex where its Scatter ends (7.K).
pub async fn ends_there(t: &T, g: &mut State, u: UnitId, end: Hex) {
    let unit = g.unit_mut(u);
    (unit.routed, unit.pinned, unit.rout_from) = (true, false, Some(end));
    leaders::pin(g, u, false);
    leaders::join(t, g, end);
    t.tell(|| format!("{} Scatters to {}.", g.called(u), g.id(end)));
    let enemy = zoc::exerting(g, end, Side::Us).next().and_then(|o| g.hex(o)).unwrap_or(end);
    super::retreat::room(t, g, u, super::retreat::Flight::step(enemy)).await;
}
