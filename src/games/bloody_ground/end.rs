//! The End Phase (4.7, 13).

use super::{
    State, T, british,
    components::{AreaId, Class, Drm, LeaderId, Post, Province, Season, Side, Stance},
    fort, homes, leaders,
    order::Lot,
    state::{Chief, Spot, UnitId},
    victory,
};
use postrider_table::status::{Condition, LevelCheck};

/// Runs the End Phase: removes markers, and resolves attrition, forts and victory; in winter the
/// armies go home (4.7, 13.0).
pub async fn phase(t: &T, g: &mut State) {
    g.raid_total = g.land.iter().filter(|land| land.raid).count() as u8;
    g.land.iter_mut().for_each(|land| land.raid = false);
    for unit in &mut g.units {
        (unit.acts, unit.done) = (0, false);
        unit.condition = Condition::Normal;
    }
    for chief in &mut g.chiefs {
        (chief.acts, chief.done) = (0, false);
    }
    attrition(t, g);
    fort::finish(t, g);
    leaders::settle_militia(t, g).await;
    super::combat::lift(g);
    british::dorchester_leaves(t, g);
    let homes = homes::asked(t, g).await;
    g.general_lost = [g.general_lost[1], false];
    victory::end_of_turn(t, g);
    let last = if g.variant.pillage_until_winter { Season::Winter } else { Season::Fall };
    if g.season == last {
        g.land.iter_mut().for_each(|land| land.pillaged = false);
    }
    surrendered_leave(t, g);
    if g.season == Season::Winter && g.ending.is_none() {
        winter(t, g, &homes);
        super::combat::lift(g);
    }
    g.severe = false;
}

/// Returns the attrition check of a unit that is Out of Supply or in a besieged fort, if it needs
/// one (T:end-phase-attrition-table).
pub fn attrition_check(g: &State, u: UnitId) -> Option<LevelCheck> {
    let unit = g.unit(u);
    let Spot::On(a) = unit.spot else { return None };
    let check = LevelCheck::new(g.level(u));
    let row = |row: Drm, n: i32| (row.name(), g.c.drm(row) * n);
    if unit.inside && g.besieged(a) {
        let n = g.fort(a).map_or(0, |fort| fort.siege);
        let (name, by) = row(Drm::AttritionSiege, n.into());
        return Some(check.with(name, by));
    }
    if !unit.starved {
        return None;
    }
    let rows = [
        row(Drm::AttritionSummer, (g.season == Season::Summer).into()),
        row(Drm::AttritionWinter, (g.season == Season::Winter).into()),
        row(Drm::AttritionSevere, g.severe.into()),
        row(Drm::AttritionPillaged, g.land(a).pillaged.into()),
    ];
    Some(rows.into_iter().fold(check, |check, (name, by)| check.with(name, by)))
}

/// Returns the attrition check of a unit that rolls for it. Units inside a besieged fort do even if
/// their nation is at peace.
pub fn attrition_due(g: &State, u: UnitId) -> Option<LevelCheck> {
    attrition_check(g, u).filter(|_| g.is_face_up(u) || g.is_shut_in(u))
}

/// Rolls attrition for each unit that is Out of Supply or in a besieged fort (13.0). A fort whose
/// garrison is eliminated falls (11.3.2).
fn attrition(t: &T, g: &mut State) {
    let forts: Vec<AreaId> = g.c.area_ids().filter(|&a| g.besieged(a) && fort::is_manned(g, a)).collect();
    let mut lost = Vec::new();
    for u in g.unit_ids() {
        let Some(check) = attrition_due(g, u) else { continue };
        let die = t.d6("attrition");
        t.tell(|| {
            let at = g.unit(u).spot.area().map_or(String::new(), |a| format!(" at {}", g.name(a)));
            let end = if check.passes(die) { "it holds out" } else { "it is eliminated" };
            format!("Attrition, 1 {}{at}: {}: {end}.", g.c[g.unit(u).kind].id, check.told(die))
        });
        if !check.passes(die) {
            lost.push(u);
        }
    }
    lost.into_iter().for_each(|u| g.eliminate(u));
    for a in forts {
        if !fort::is_manned(g, a) {
            fort::destroy(t, g, a);
        }
    }
}

/// Returns McKee and the areas where he may relocate: his own first, then areas of nations and
/// British forts (14.0.5). `None` if he is not in play.
pub fn mckee_may_go(g: &State) -> Option<(LeaderId, Vec<AreaId>)> {
    let mckee = g.named("McKee");
    let Spot::On(at) = g.chief(mckee).spot else { return None };
    let eligible = |a: &AreaId| {
        // A British fort is open to him even if besieged.
        let open = g.fort_of(*a, Side::Na) || (g.c[*a].nation.is_some() && !g.enemy_in(*a, Side::Na));
        open && g.in_bounds(*a) && g.c[*a].state == Province::Ohio
    };
    let others = g.c.area_ids().filter(|a| eligible(a) && *a != at);
    Some((mckee, [at].into_iter().chain(others).collect()))
}

/// Removes the warriors of surrendered nations at British forts at the end of the next fall turn
/// (8.1, 8.6.2).
fn surrendered_leave(t: &T, g: &mut State) {
    if g.season != Season::Fall {
        return;
    }
    for n in g.c.nation_ids() {
        let tribe = *g.tribe(n);
        if tribe.stance != Stance::Surrendered || tribe.gave_up == g.turn {
            continue;
        }
        let units: Vec<UnitId> = g.of_kind(g.c.warriors(n)).filter(|&u| g.unit(u).spot.area().is_some()).collect();
        if !units.is_empty() {
            t.tell(|| format!("The last {} leave.", g.c[n].name));
        }
        units.into_iter().for_each(|u| g.remove(u, Spot::Gone));
        for l in g.c.leader_ids().filter(|&l| g.c[l].nation == Some(n)).collect::<Vec<_>>() {
            if leaders::in_play(g, l) {
                *g.chief_mut(l) = Chief { spot: Spot::Gone, ..Chief::default() };
            }
        }
    }
}

/// Sends the militia home, except in besieged forts, and the warriors home or to British forts, at
/// the end of winter (13.0, 8.4.3).
fn winter(t: &T, g: &mut State, homes: &[Lot]) {
    militia_home(g);
    t.tell(|| "Winter ends: the militia goes home.".to_owned());
    homes::winter(g, homes);
    // Nations return to peace at the end of the year (8.1.1).
    for n in g.c.nation_ids() {
        let fixed = g.c[n].fixed;
        let tribe = g.tribe_mut(n);
        tribe.rose = 0;
        if tribe.stance == Stance::Warpath && fixed == 0 {
            tribe.stance = Stance::Peaceful;
        }
    }
    g.primary[Side::Na.index()] = None;
}

/// Removes the militia that is not in a besieged fort (8.4.3).
pub fn militia_home(g: &mut State) {
    let militia = |u: &UnitId| g.class(*u) == Class::Militia && g.unit(*u).spot.is_in_play();
    let goes: Vec<UnitId> = g.unit_ids().filter(militia).filter(|&u| !g.is_shut_in(u)).collect();
    goes.into_iter().for_each(|u| g.remove(u, Spot::Pool));
    for l in g.c.leader_ids().filter(|&l| g.c[l].kind == Post::Militia && leaders::in_play(g, l)).collect::<Vec<_>>() {
        let with = g
            .chief(l)
            .spot
            .area()
            .is_some_and(|a| g.units_in(a, Side::Us).any(|u| g.c[g.unit(u).kind].state == g.c[l].state));
        if !with {
            leaders::wait(g, l);
        }
    }
}
