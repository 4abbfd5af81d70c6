//! The consequences of a battle on the map (10.7).

use super::{
    super::{
        Ask, State, T,
        asking::Asking,
        components::{AreaId, Drm, LeaderId, Post, Side, Special},
        events, leaders,
        order::Lot,
        placing::{FORT, Item, Lots, item, put, said},
        settlers, setup,
        state::{Force, GARRISON, Spot, UnitId},
    },
    Stand,
};
use postrider_table::{
    refuse,
    status::{Condition, LevelCheck},
};
use std::rc::Rc;

/// Returns a third of a force, rounded down, and at least one: the number of lost units at which it
/// is defeated (10.7.1).
pub fn third(start: u8) -> u8 {
    (start / 3).max(1)
}

/// Determines the survivors, the winner, and the units that leave the area (10.7, 10.7.1, 10.7.2).
pub async fn settle(t: &T, g: &mut State, a: AreaId) {
    for side in Side::ALL {
        sheltered(t, g, a, side).await;
        recover(t, g, a, side);
    }
    let beaten = Side::ALL.map(|side| {
        let fight = g.battle();
        let i = side.index();
        fight.headless[i] || fight.lost[i] >= third(fight.start[i]) || fight.walked[i]
    });
    let force = Force {
        units: g.battle().pieces.iter().map(|piece| piece.unit).collect(),
        leaders: g.battle().heads.iter().map(|head| head.leader).collect(),
    };
    g.fight = None;
    last_warriors(t, g, a, &force).await;
    let loser = match beaten {
        [true, false] => Some(Side::Us),
        [false, true] => Some(Side::Na),
        _ => None,
    };
    match loser {
        Some(loser) => {
            g.score(loser.enemy(), 4, "10.7");
            t.tell(|| format!("The {} have won the battle: +4 VPs.", loser.enemy().name()));
            relocate(t, g, a, loser).await;
        }
        None => {
            t.tell(|| "The battle is a draw: both sides leave.".to_owned());
            for side in Side::ALL {
                relocate(t, g, a, side).await;
            }
        }
    }
    if loser != Some(Side::Na) {
        settlers_leave(t, g, a).await;
    }
    leaders::settle_militia(t, g).await;
}

/// Moves the settlers of the area to un-besieged forts or permanent settlements that the US names
/// (10.7.1). They do not count toward the limit of four settlers there.
async fn settlers_leave(t: &T, g: &mut State, a: AreaId) {
    let n = g.people(a);
    let open = |b: &AreaId| {
        *b != a
            && !g.enemy_in(*b, Side::Us)
            && !g.land(*b).pillaged
            && (g.c[*b].is(Special::Town) || g.open_fort(*b, Side::Us))
    };
    let places: Vec<String> = g.c.area_ids().filter(open).map(|b| g.c[b].id.clone()).collect();
    for _ in 0..n {
        g.take_settler(a);
        if places.is_empty() {
            settlers::flee(t, g, a).await;
        }
    }
    if n == 0 || places.is_empty() {
        return;
    }
    let asking = Asking { kind: Ask::BattleRelocate, rule: "10.7.1", title: "Where the settlers of the area go" };
    for lot in put(t, g, g.seat(Side::Us), Lots::new(asking, vec![item("settler", n, places, true)])).await {
        let Some(to) = g.c.area(&lot.at) else { continue };
        g.land_mut(to).fled += lot.n;
        t.tell(|| format!("{} of the settlers go to {}.", lot.n, g.name(to)));
    }
}

/// Asks the owner which units enter his un-besieged fort in the area, up to its capacity (10.7,
/// 11.2.2).
async fn sheltered(t: &T, g: &mut State, a: AreaId, side: Side) {
    let units: Vec<UnitId> = alive(g, side);
    let inside = g.units_in(a, side).filter(|&u| g.unit(u).inside).count();
    let room = GARRISON.saturating_sub(inside) as u8;
    if units.is_empty() || !g.fort_of(a, side) {
        return;
    }
    let fort = || [FORT.to_owned()];
    let called = |g: &State, u: UnitId| match g.unit(u).condition {
        Condition::Routed => format!("routed-{}", g.c[g.unit(u).kind].id),
        _ => g.c[g.unit(u).kind].id.clone(),
    };
    let mut names: Vec<String> = units.iter().map(|&u| called(g, u)).collect();
    names.sort();
    names.dedup();
    names.retain(|_| room > 0);
    let count = |name: &String| units.iter().filter(|&&u| called(g, u) == *name).count() as u8;
    let mut items: Vec<Item> = names.iter().map(|name| item(name.clone(), count(name), fort(), false)).collect();
    let leaders: Vec<LeaderId> = g.leaders_up(a, side).collect();
    items.extend(leaders.iter().map(|&l| item(g.c[l].name.clone(), 1, fort(), false)));
    let asking = Asking { kind: Ask::Shelter, rule: "10.7", title: "Who goes into the fort" };
    let lots = Lots::new(asking, items)
        .line(format!(
            "The fort at {} has room for {}; leaders take none.",
            g.name(a),
            postrider_orders::counted(room, "unit")
        ))
        .check(move |g, lots| {
            match lots.iter().filter(|lot| g.c.leader(&lot.what).is_none()).map(|lot| lot.n).sum::<u8>() {
                n if n > room => {
                    refuse("11.2.2", format!("A fort holds {GARRISON} units: there is room for {room}, not for {n}."))
                }
                _ => Ok(()),
            }
        })
        .apt(move |g, lots, what, _| {
            let units = lots.iter().filter(|lot| g.c.leader(&lot.what).is_none()).map(|lot| lot.n).sum::<u8>();
            g.c.leader(what).is_some() || units < room
        });
    for lot in put(t, g, g.seat(side), lots).await {
        if let Some(l) = g.c.leader(&lot.what) {
            g.chief_mut(l).inside = true;
        }
        let of = |u: &UnitId| called(g, *u) == lot.what;
        for u in units.iter().copied().filter(of).take(lot.n.into()).collect::<Vec<_>>() {
            g.unit_mut(u).inside = true;
        }
        t.tell(|| format!("{} {} into the fort.", said(g, lot.n, &lot.what), if lot.n == 1 { "goes" } else { "go" }));
    }
}

/// Returns the surviving units of a side.
fn alive(g: &State, side: Side) -> Vec<UnitId> {
    let lives = |p: &&super::Piece| p.stand != Stand::Dead && g.side_of(p.unit) == side;
    g.battle().pieces.iter().filter(lives).map(|p| p.unit).collect()
}

/// Returns Disrupted units to normal; each Routed unit must pass a check or is eliminated (10.7).
fn recover(t: &T, g: &mut State, a: AreaId, side: Side) {
    // The primary leader of the side, not the leader of the force.
    let primary = g.primary[side.index()].filter(|&l| g.chief(l).spot == Spot::On(a));
    for i in 0..g.battle().pieces.len() {
        let piece = g.battle().pieces[i].clone();
        if piece.stand == Stand::Dead || g.side_of(piece.unit) != side {
            continue;
        }
        if g.unit(piece.unit).condition == Condition::Routed {
            let mut roll = LevelCheck::new(g.level(piece.unit));
            if let Some(l) = primary {
                roll = roll.with(g.c[l].name.clone(), -g.rating(l));
            }
            if g.unit(piece.unit).inside {
                roll = roll.with(Drm::RallyFort.name(), g.c.drm(Drm::RallyFort));
            }
            let die = t.d6("after the battle");
            let end = if roll.passes(die) { "in order again" } else { "it is eliminated" };
            t.tell(|| format!("After the battle, {}, Routed: {}: {end}.", piece.label, roll.told(die)));
            if !roll.passes(die) {
                g.slay(i);
                continue;
            }
        }
        g.unit_mut(piece.unit).condition = Condition::Normal;
    }
}

/// Eliminates a nation's leader with the last of its warriors in the force (10.7.1): the garrison of
/// the fort and raiders are not of it. Agents without warriors may move to other warriors.
async fn last_warriors(t: &T, g: &mut State, a: AreaId, force: &Force) {
    for &l in &force.leaders {
        let here = |u: &&UnitId| g.unit(**u).spot == Spot::On(a);
        let own = |u: &&UnitId| g.c[l].nation.is_some() && g.nation_of(**u) == g.c[l].nation;
        let last = force.units.iter().any(|u| own(&u)) && !force.units.iter().filter(own).any(|u| here(&u));
        let alone = g.c[l].kind == Post::Agent && !force.units.iter().filter(here).any(|&u| g.side_of(u) == Side::Na);
        let lost = alone && !refuges(g, a).into_iter().any(|b| leaders::may_go(g, l, b));
        if g.chief(l).spot == Spot::On(a) && (last || lost) {
            leaders::fall_on_map(t, g, l).await;
        }
    }
}

/// Returns the areas to which Tecumseh, Girty and McKee may move if they are alone: those with
/// un-besieged forts, and un-pillaged areas of nations with warriors, face-up or not (10.7.1).
fn refuges(g: &State, a: AreaId) -> Vec<AreaId> {
    let warriors = |b: AreaId| g.units_in(b, Side::Na).any(|u| g.nation_of(u).is_some());
    let land = |b: AreaId| g.c[b].nation.is_some() && !g.land(b).pillaged && warriors(b);
    g.bounded(g.c.area_ids().filter(|&b| b != a && (g.open_fort(b, Side::Na) || land(b))).collect())
}

/// Returns the areas to which a side that leaves may move: those with un-besieged forts or
/// permanent settlements, or un-pillaged areas of nations (10.7.1).
fn havens(g: &State, a: AreaId, side: Side) -> Vec<AreaId> {
    let haven = |b: &AreaId| {
        let land = match side {
            Side::Us => g.c[*b].is(Special::Town),
            Side::Na => g.c[*b].nation.is_some() && !g.land(*b).pillaged,
        };
        *b != a && !g.enemy_in(*b, side) && (g.open_fort(*b, side) || land)
    };
    g.bounded(g.c.area_ids().filter(haven).collect())
}

async fn relocate(t: &T, g: &mut State, a: AreaId, side: Side) {
    let units: Vec<UnitId> = g.outside(a, side).collect();
    let leaders: Vec<LeaderId> = g.leaders_outside(a, side).collect();
    let ids =
        |g: &State, areas: Vec<AreaId>| areas.into_iter().map(|b| (g.c[b].id.clone(), u8::MAX)).collect::<Rc<[_]>>();
    let havens = havens(g, a, side);
    let mut items: Vec<Item> = Vec::new();
    for (kind, n) in events::by_kind(g, &units) {
        items.push(Item { what: g.c[kind].id.clone(), n, places: ids(g, havens.clone()), must: true });
    }
    for &l in &leaders {
        let alone = g.c[l].kind == Post::Agent && units.is_empty();
        let mut to = if alone { refuges(g, a) } else { havens.clone() };
        to.retain(|&b| leaders::may_go(g, l, b));
        let places = ids(g, to);
        items.push(Item { what: g.c[l].name.clone(), n: 1, places, must: true });
    }
    // Pieces that have nowhere to go are eliminated.
    if havens.is_empty() {
        units.iter().for_each(|&u| g.eliminate(u));
    }
    for item in items.iter().filter(|item| item.places.is_empty()) {
        if let Some(l) = g.c.leader(&item.what) {
            leaders::fall_on_map(t, g, l).await;
        }
    }
    let asking = Asking { kind: Ask::BattleRelocate, rule: "10.7.1", title: "Where your force goes after the battle" };
    let mut lots = Lots::new(asking, items);
    if !units.is_empty() {
        let apt = |g: &State, lots: &[Lot], what: &str, at: &str| what != "Tecumseh" || setup::hosts(g, lots, what, at);
        lots = lots.check(setup::keeps_tecumseh).apt(apt);
    }
    let lots = put(t, g, g.seat(side), lots).await;
    let mut left = units;
    for lot in lots {
        let Some(to) = g.area(&lot.at) else { continue };
        if let Some(l) = g.c.leader(&lot.what) {
            let chief = g.chief_mut(l);
            (chief.spot, chief.inside) = (Spot::On(to), false);
            g.take_in_leader(l);
            t.tell(|| format!("{} goes to {}.", g.c[l].name, g.name(to)));
            continue;
        }
        for _ in 0..lot.n {
            let of = |u: &UnitId| g.c[g.unit(*u).kind].id == lot.what && g.unit(*u).spot == Spot::On(a);
            if let Some(at) = left.iter().position(of) {
                let u = left.remove(at);
                let unit = g.unit_mut(u);
                (unit.spot, unit.inside) = (Spot::On(to), false);
                g.take_in(u);
            }
        }
        let go = if lot.n == 1 { "goes" } else { "go" };
        t.tell(|| format!("{} {} {go} to {}.", lot.n, lot.what, g.name(to)));
    }
}
