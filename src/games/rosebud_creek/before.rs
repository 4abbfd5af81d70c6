//! Retreat Before Melee (10.H).

use super::{
    Ask, State, T,
    amendment::Amendment,
    asking::{Asking, Named, choose_at},
    components::{Drm, LeaderId, Num, UnitId},
    doctrine::BeforeWill,
    facts::Scene,
    leaders, melee, morale, reaction,
    retreat::{self, Came, Fire, Step},
    state::Mode,
    zoc,
};
use crate::table::{chart::Modifiers, hex::Hex};

/// Who tries to go, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plan {
    Stand,
    Singly,
    Together,
    /// Only the mounted ones, singly.
    Mounted,
}

/// 10.H.1: what is added to the die of these units, who roll as one if they are several.
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

async fn plan(t: &T, g: &mut State, units: &[UnitId], attackers: &[UnitId], at: Hex) -> Plan {
    let side = g.side(units[0]);
    match g.doctrine[side.index()].before {
        BeforeWill::Stand => Plan::Stand,
        BeforeWill::Odds { at: least, mounted, together } => {
            let battle = melee::reckon(g, attackers, at);
            let column = g.charts.odds.odds(battle.column);
            match column >= crate::table::chart::Ratio::whole(least.into()) {
                false => Plan::Stand,
                true if mounted => Plan::Mounted,
                true if together => Plan::Together,
                true => Plan::Singly,
            }
        }
        BeforeWill::Ask => {
            let asking = Asking { kind: Ask::BeforeMelee, rule: "10.H", title: "Whether units Retreat before melee" };
            let mut all = vec![Named::new("stand", Plan::Stand), Named::new("singly", Plan::Singly)];
            if units.len() > 1 {
                all.push(Named::new("together", Plan::Together));
                all.push(Named::new("mounted only", Plan::Mounted));
            }
            let battle = melee::reckon(g, attackers, at);
            let line = format!(
                "{} in {} are attacked by {}: odds {}.",
                g.all_called(units),
                g.id(at),
                g.all_called(attackers),
                g.charts.odds.label(battle.column)
            );
            let scene = Scene { at: Some(at), units: units.to_vec(), attackers: attackers.to_vec() };
            choose_at(t, g, side, asking, all, (line, scene)).await.value
        }
    }
}

/// 10.H.1: the defenders may go before a melee, Routed ones must try; gives who went, with where.
pub async fn retreat(t: &T, g: &mut State, at: Hex, attackers: &[UnitId]) -> Vec<UnitId> {
    let Some(enemy) = attackers.first().map(|&u| g.side(u)) else { return Vec::new() };
    let free: Vec<UnitId> =
        g.of_side(at, enemy.enemy()).filter(|&u| !g.unit(u).pinned && !g.unit(u).abandoned).collect();
    let willing: Vec<UnitId> = free.iter().copied().filter(|&u| !g.unit(u).routed).collect();
    let plan = if willing.is_empty() { Plan::Stand } else { plan(t, g, &willing, attackers, at).await };
    let mut groups: Vec<Vec<UnitId>> = free.iter().copied().filter(|&u| g.unit(u).routed).map(|u| vec![u]).collect();
    match plan {
        Plan::Stand => {}
        Plan::Together => groups.push(willing),
        Plan::Singly => groups.extend(willing.into_iter().map(|u| vec![u])),
        Plan::Mounted => {
            let mounted = willing.into_iter().filter(|&u| g.posture(u) == Mode::Mounted);
            groups.extend(mounted.map(|u| vec![u]).collect::<Vec<_>>());
        }
    }
    let mut gone = Vec::new();
    for group in groups {
        let group: Vec<UnitId> = group.into_iter().filter(|&u| g.hex(u) == Some(at)).collect();
        if group.is_empty() {
            continue;
        }
        let drm = modifiers(g, &group);
        let die = t.roll("retreat before melee", 1, 6);
        let result = g.charts.before.at(die as i32 + drm.total()).clone();
        t.tell(|| {
            format!(
                "{} {} to Retreat before melee: {}: {}.",
                g.all_called(&group),
                if group.len() == 1 { "tries" } else { "try" },
                drm.told(die),
                result.replace("no-disrupted", "no, Disrupted")
            )
        });
        match &*result {
            "yes" => gone.extend(go(t, g, &group, at, attackers).await),
            "no-disrupted" => group.iter().for_each(|&u| morale::disrupt(g, u)),
            _ => {}
        }
    }
    gone
}

/// 10.H.1: who was mounted and is dismounted by fire goes on foot, and the Holder that he has just put down with him.
fn with_holders(g: &State, group: Vec<UnitId>, ridden: &[UnitId], there: &[UnitId], at: Hex) -> Vec<UnitId> {
    if !g.amended(Amendment::HolderGoes) {
        return group;
    }
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

/// 10.H.1: a group goes: one hex on foot, two mounted, by the rules of Retreats, under Opportunity Fire of those who do not fight.
async fn go(t: &T, g: &mut State, group: &[UnitId], at: Hex, attackers: &[UnitId]) -> Vec<UnitId> {
    let enemy = melee::strongest_hex(g, attackers, at).unwrap_or(at);
    // 10.F: a Routed unit that could only go into a ZOC stays.
    let stays = |g: &State, u: UnitId| {
        let among = retreat::steps(g, u, at, enemy, attackers);
        let calm = among.iter().any(|step| match step {
            Step::To(hex) => !zoc::threatens(g, *hex, u),
            Step::Off => true,
        });
        among.is_empty() || g.unit(u).routed && !calm
    };
    let group: Vec<UnitId> = group.iter().copied().filter(|&u| !stays(g, u)).collect();
    let ridden: Vec<UnitId> = group.iter().copied().filter(|&u| g.unit(u).mode == Mode::Mounted).collect();
    let there: Vec<UnitId> = g.here(at).collect();
    reaction::opportunity_but(t, g, &group, attackers).await;
    let group = with_holders(g, group, &ridden, &there, at);
    let mut gone = Vec::new();
    for u in group {
        if g.hex(u) != Some(at) || g.unit(u).pinned {
            continue;
        }
        let mounted = g.posture(u) == Mode::Mounted;
        let hexes = g.c.steps(if mounted { Num::BeforeMounted } else { Num::BeforeDismounted });
        if g.unit(u).mode == Mode::Prone {
            g.unit_mut(u).mode = Mode::Dismounted;
        }
        for taken in 0..hexes {
            let Some(here) = g.hex(u) else { break };
            let among = retreat::steps(g, u, here, enemy, attackers);
            let off = matches!(among[..], [Step::Off]);
            if among.is_empty() || off && here != at {
                break;
            }
            let next = retreat::pick(t, g, u, among).await;
            if retreat::step_under_fire(t, g, u, next, Fire { comes: false, begins: taken == 0 }).await != Came::There {
                break;
            }
        }
        retreat::room(t, g, u, enemy, attackers).await;
        if let Some(end) = g.hex(u) {
            leaders::settle(g, end);
            t.tell(|| format!("{} Retreats before melee to {}.", g.called(u), g.id(end)));
        }
        if g.hex(u) != Some(at) {
            gone.push(u);
        }
    }
    leaders::settle(g, at);
    gone
}
