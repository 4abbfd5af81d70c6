//! Retreat Before Melee (10.H).

use super::{
    Ask, State, T,
    asking::{self, Asking, Named, choose_at},
    components::{Drm, LeaderId, Num, UnitId},
    doctrine::BeforeWill,
    duties,
    facts::Scene,
    leaders, melee, morale, pack, reaction,
    retreat::{self, Came, Fire, Flight, Step},
    state::Mode,
    zoc,
};
use postrider_table::{chart::Modifiers, hex::Hex};

/// The units that try to retreat, and how they roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plan {
    Stand,
    Singly,
    Together,
    /// Only mounted units, each with its own die.
    Mounted,
    /// Only this unit; then the owner is asked about the others.
    One(UnitId),
}

/// An attack that units may retreat from.
#[derive(Clone, Copy)]
struct Scare<'u> {
    at: Hex,
    attackers: &'u [UnitId],
    /// The hex that the units must move away from (10.I).
    enemy: Hex,
    /// `true` if the owner is asked which units go, and how far.
    asks: bool,
    /// `true` if the doctrine limits mounted units to one hex.
    short: bool,
}

/// Returns the modifiers of the die for these units, which roll as one if there are several
/// (10.H.1).
pub fn modifiers(g: &State, units: &[UnitId]) -> Modifiers {
    let mut drm = Modifiers::new();
    let heads = units.iter().flat_map(|&u| leaders::attached(g, u).collect::<Vec<LeaderId>>());
    if let Some(l) = leaders::senior(g, heads) {
        drm.add(g.c[l].id.clone(), leaders::rating(g, l));
    }
    let rows = [
        (units.iter().all(|&u| g.posture(u) == Mode::Mounted), Drm::BeforeMounted),
        (units.iter().any(|&u| g.unit(u).disrupted), Drm::BeforeDisrupted),
        (units.iter().any(|&u| g.unit(u).routed), Drm::BeforeRouted),
    ];
    for (applies, row) in rows {
        drm.add_if(applies, row.name(), g.c.drm(row));
    }
    drm
}

/// Returns the plan that the doctrine gives for an attack; `None` if the owner must be asked. Units
/// that are all Routed try at any odds (10.F).
fn settled(g: &State, units: &[UnitId], attackers: &[UnitId], at: Hex) -> Option<Plan> {
    Some(match g.doctrine[g.side(units[0]).index()].before {
        BeforeWill::Stand => Plan::Stand,
        BeforeWill::Odds { at: least, mounted, together, .. } => {
            let battle = melee::reckon(g, attackers, at);
            let column = g.charts.odds.odds(battle.column);
            let tries = column >= postrider_table::chart::Ratio::whole(least.into());
            match tries || units.iter().all(|&u| g.unit(u).routed) {
                false => Plan::Stand,
                true if mounted => Plan::Mounted,
                true if together => Plan::Together,
                true => Plan::Singly,
            }
        }
        BeforeWill::Ask => return None,
    })
}

/// Asks the owner for a plan. One die is for the `whole` stack only, with its Routed units (10.H.1).
async fn asked(t: &T, g: &mut State, units: &[UnitId], whole: bool, attackers: &[UnitId], at: Hex) -> Plan {
    let asking = Asking { kind: Ask::BeforeMelee, rule: "10.H", title: "Whether units Retreat before melee" };
    let (routed, willing): (Vec<UnitId>, Vec<UnitId>) = units.iter().partition(|&&u| g.unit(u).routed);
    let mut all = vec![Named::new("singly", Plan::Singly)];
    if !willing.is_empty() {
        all.insert(0, Named::new("stand", Plan::Stand));
    }
    if whole && units.len() > 1 {
        all.push(Named::new("together", Plan::Together));
    }
    if units.len() > 1 && !willing.is_empty() {
        all.push(Named::new("mounted only", Plan::Mounted));
        all.extend(willing.iter().map(|&u| asking::unit(g, u, Plan::One(u))));
    }
    let battle = melee::reckon(g, attackers, at);
    let must = match &routed[..] {
        [] => String::new(),
        _ => format!(" {} in any case.", g.all_do(&routed, "tries")),
    };
    let line = format!(
        "{} in {} are attacked by {}: odds {}.{must}",
        g.all_called(units),
        g.id(at),
        g.all_called(attackers),
        g.charts.odds.label(battle.column)
    );
    let scene = Scene { at: Some(at), units: units.to_vec(), attackers: attackers.to_vec() };
    choose_at(t, g, g.side(units[0]), asking, all, (line, scene)).await.value
}

/// Returns the groups of a plan, each of which rolls one die. Routed units try in any plan (10.F).
fn groups(g: &State, plan: Plan, units: &[UnitId]) -> Vec<Vec<UnitId>> {
    let tries = |u: UnitId| match plan {
        _ if g.unit(u).routed => true,
        Plan::Stand => false,
        Plan::Together | Plan::Singly => true,
        Plan::Mounted => g.posture(u) == Mode::Mounted,
        Plan::One(one) => u == one,
    };
    let all = units.iter().copied().filter(|&u| tries(u));
    if plan == Plan::Together { vec![all.collect()] } else { all.map(|u| vec![u]).collect() }
}

/// Resolves Retreat Before Melee: defenders may try, and Routed ones must, first or with the whole
/// stack (10.F, 10.H.1). Returns the units that left.
pub async fn retreat(t: &T, g: &mut State, at: Hex, attackers: &[UnitId], leading: Option<Hex>) -> Vec<UnitId> {
    let Some(enemy) = attackers.first().map(|&u| g.side(u)) else { return Vec::new() };
    let mut left: Vec<UnitId> =
        g.of_side(at, enemy.enemy()).filter(|&u| !g.unit(u).pinned && !g.unit(u).abandoned).collect();
    left.sort_by_key(|&u| !g.unit(u).routed);
    let will = g.doctrine[enemy.enemy().index()].before;
    let scare = Scare {
        at,
        attackers,
        enemy: melee::strongest_hex(g, attackers, at, leading).unwrap_or(at),
        asks: will == BeforeWill::Ask,
        short: matches!(will, BeforeWill::Odds { short: true, .. }),
    };
    let (mut gone, mut whole) = (Vec::new(), true);
    // An owner who is asked decides until every unit has tried or the others stand.
    while !left.is_empty() {
        let plan = match settled(g, &left, attackers, at) {
            Some(plan) => plan,
            None => asked(t, g, &left, whole, attackers, at).await,
        };
        for group in groups(g, plan, &left) {
            gone.extend(attempt(t, g, group, scare).await);
        }
        let Plan::One(one) = plan else { break };
        left.retain(|&u| u != one && g.hex(u) == Some(at) && !g.unit(u).pinned && !g.unit(u).routed);
        whole = false;
    }
    gone
}

/// Rolls one die for a group (10.H.1). Returns the units that left.
async fn attempt(t: &T, g: &mut State, group: Vec<UnitId>, scare: Scare<'_>) -> Vec<UnitId> {
    let group: Vec<UnitId> = group.into_iter().filter(|&u| g.hex(u) == Some(scare.at)).collect();
    if group.is_empty() {
        return Vec::new();
    }
    let drm = modifiers(g, &group);
    let die = t.d6("retreat before melee");
    let result = g.charts.before.at(die as i32 + drm.total()).clone();
    t.tell(|| {
        format!(
            "{} to Retreat before melee: {}: {}.",
            g.all_do(&group, "tries"),
            drm.told(die),
            result.replace("no-disrupted", "no, Disrupted")
        )
    });
    match &*result {
        "yes" => go(t, g, &group, scare).await,
        "no-disrupted" => {
            group.iter().for_each(|&u| morale::set_disrupted(g, u));
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// Adds the Holders that units deployed when Opportunity Fire dismounted them; they retreat on foot
/// together (10.H.1).
fn with_holders(g: &State, group: Vec<UnitId>, ridden: &[UnitId], there: &[UnitId], at: Hex) -> Vec<UnitId> {
    let mut new: Vec<UnitId> = g.here(at).filter(|u| !there.contains(u)).collect();
    let mut all = Vec::new();
    for u in group {
        all.push(u);
        if ridden.contains(&u) && g.hex(u) == Some(at) && g.unit(u).mode != Mode::Mounted {
            let kind = super::mode::holders(g.class(u));
            let own = new.iter().position(|&h| Some(g.class(h)) == kind);
            all.extend(own.map(|own| new.remove(own)));
        }
    }
    all
}

/// Returns the number of hexes that a unit goes: one on foot, two mounted, or fewer if the owner
/// chooses so (10.H.1). Only a Routed unit must go.
async fn how_far(t: &T, g: &mut State, u: UnitId, scare: Scare<'_>) -> u16 {
    let most = most(g, u);
    let least = if scare.short { 1 } else { most };
    if !scare.asks {
        return most.min(least);
    }
    let number = |n: u16| match n {
        0 => Named::new("stay", 0),
        1 => Named::new("one hex", 1).or("one"),
        2 => Named::new("two hexes", 2).or("two"),
        n => Named::new(format!("{n} hexes"), n).or(n.to_string()),
    };
    let first = u16::from(g.unit(u).routed);
    let all: Vec<_> = (first..=most).rev().map(number).collect();
    let asking = Asking { kind: Ask::HowFar, rule: "10.H.1", title: "How far a unit Retreats before melee" };
    let line = format!("{} leave {}.", g.does(u, "may"), g.id(scare.at));
    let scene = Scene { at: Some(scare.at), units: vec![u], attackers: Vec::new() };
    choose_at(t, g, g.side(u), asking, all, (line, scene)).await.value
}

/// Returns `true` if a unit is mounted in a Retreat Before Melee or a pursuit. The HQ counts as
/// mounted, because these are movement (5, 12.E.3).
pub fn rides(g: &State, u: UnitId) -> bool {
    g.unit(u).mode == Mode::Mounted
}

/// Returns the maximum number of hexes for a unit in its current mode.
fn most(g: &State, u: UnitId) -> u16 {
    let mounted = rides(g, u);
    g.c.steps(if mounted { Num::BeforeMounted } else { Num::BeforeDismounted })
}

/// Returns `true` if any of these steps enters no enemy ZOC (10.F).
fn is_calm(g: &State, u: UnitId, among: &[Step]) -> bool {
    among.iter().any(|step| match step {
        Step::To(hex) => !zoc::threatens(g, *hex, u),
        Step::Off => true,
    })
}

/// Returns the next steps of a retreating unit (10.I). A unit that is not Routed may not leave the
/// map (7.J), and stays near Crook or the Eagle's Nest if it must (12.E.5, 16.D).
fn ways(g: &State, u: UnitId, at: Hex, scare: Scare<'_>) -> Vec<Step> {
    let free = !g.unit(u).routed;
    let kept = |to: Hex| !free || duties::lets(g, u, at, to);
    let mut all = retreat::steps_where(g, u, at, (scare.enemy, scare.attackers), kept);
    if free {
        all.retain(|&step| step != Step::Off);
    }
    all
}

/// Resolves Opportunity Fire when the second hex of a Retreat Before Melee leaves a ZOC (5, 9.F).
/// Returns `true` if the unit can continue.
async fn leaves_again(t: &T, g: &mut State, u: UnitId, taken: u16, scare: Scare<'_>) -> bool {
    let (from, routed) = (g.hex(u), g.unit(u).routed);
    reaction::opportunity_but(t, g, &[u], scare.attackers).await;
    // A unit that was dismounted has no second hex.
    g.hex(u) == from && !g.unit(u).pinned && g.unit(u).routed == routed && taken < most(g, u)
}

/// Moves a group by the rules of Retreats, under Opportunity Fire from units that do not take part
/// in the melee (10.H.1).
async fn go(t: &T, g: &mut State, group: &[UnitId], scare: Scare<'_>) -> Vec<UnitId> {
    let Scare { at, attackers, enemy, .. } = scare;
    // 10.F: a Routed unit that could only enter a ZOC stays.
    let stays = |g: &State, u: UnitId| {
        let among = ways(g, u, at, scare);
        among.is_empty() || g.unit(u).routed && !is_calm(g, u, &among)
    };
    let mut going: Vec<(UnitId, u16)> = Vec::new();
    for &u in group {
        if !stays(g, u) {
            going.push((u, how_far(t, g, u, scare).await));
        }
    }
    going.retain(|&(_, hexes)| hexes > 0);
    let group: Vec<UnitId> = going.iter().map(|&(u, _)| u).collect();
    let ridden: Vec<UnitId> = group.iter().copied().filter(|&u| g.unit(u).mode == Mode::Mounted).collect();
    let there: Vec<UnitId> = g.here(at).collect();
    reaction::opportunity_but(t, g, &group, attackers).await;
    let group = with_holders(g, group, &ridden, &there, at);
    let mut gone = Vec::new();
    for u in group {
        // 15.B: a train that fire has Routed stays, abandoned.
        if g.hex(u) != Some(at) || g.unit(u).pinned || g.unit(u).abandoned {
            continue;
        }
        // Holders that were just deployed go as far as they can.
        let wanted = going.iter().find(|one| one.0 == u).map_or(u16::MAX, |one| one.1);
        let hexes = most(g, u).min(wanted);
        if g.unit(u).mode == Mode::Prone {
            g.unit_mut(u).mode = Mode::Dismounted;
        }
        let flight = Flight { enemy, foes: attackers, hexes, rout: false, melee: false, quiet: true };
        for taken in 0..hexes {
            let Some(here) = g.hex(u) else { break };
            let mut among = ways(g, u, here, scare);
            let off = matches!(among[..], [Step::Off]);
            if among.is_empty() || off && here != at {
                break;
            }
            if taken > 0 {
                let shuns = g.unit(u).routed && !is_calm(g, u, &among);
                if shuns || !leaves_again(t, g, u, taken, scare).await {
                    break;
                }
                among = ways(g, u, here, scare);
                if among.is_empty() {
                    break;
                }
                retreat::passes(t, g, u, here);
            }
            let flight = Flight { hexes: hexes - taken, ..flight };
            let next = retreat::pick(t, g, u, among, flight).await;
            if retreat::step_under_fire(t, g, u, next, Fire { comes: false, begins: taken == 0 }).await != Came::There {
                break;
            }
        }
        retreat::room(t, g, u, flight).await;
        if let Some(end) = g.hex(u) {
            leaders::join(t, g, end);
            t.tell(|| format!("{} before melee to {}.", g.does(u, "Retreats"), g.id(end)));
        }
        if g.hex(u) != Some(at) {
            gone.push(pack::rejoin(t, g, u));
        }
    }
    leaders::join(t, g, at);
    gone
}
