//! Columns: where they stand guard, whom they chase, when they react (5.3, 5.35, 5.7).

use super::{
    fight::{Means, against},
    on,
    sight::Sight,
};
use crate::{
    games::geronimo::{
        Geronimo, Order,
        columns::{indian_targets, reserve_commanders, speed, worn_out},
        components::{AreaId, VillageId},
        order::Target,
        ratings::{Force, Troops},
        restraint,
        state::{COLUMN_ARTILLERY, Column},
    },
    table::{Question, best},
};

/// A new Column has so many BPs if it can: fast enough to react, strong enough to stand.
const FAST: i32 = 6;
/// A play must be worth this much, or the Column rests.
const LEAST: f64 = 0.04;

/// What it is worth to the US to fight this Battle. What is taken from others counts less than what is earned.
fn battle(sight: &Sight<'_>, force: &Force, means: &Means) -> f64 {
    let villages = force.villages(sight.g);
    let others = sight.others();
    // In the Solitaire Game a Village whose card is still to come is worth hitting first.
    let active = villages.iter().any(|&v| sight.g.player_of(v).is_some() || sight.threat(v) > 0.0);
    let hurt = match force {
        Force::Village(v) if active => village(sight, *v, means),
        Force::Village(_) => 0.02,
        Force::Parties(_) => {
            let bp = villages.first().map_or(0.3, |&v| sight.bp(v));
            sight.vps(means.won) + others * (means.theirs.min(f64::from(force.bps(sight.g))) * bp)
        }
    };
    let given = if active { others * sight.vps(means.excess) } else { 0.0 };
    hurt - given - 0.12 * means.ours - 0.8 * means.lost
}

/// A Village loses a BP, is Devastated, and may be forced On Reservation for 2 VPs (7.41, 8.14).
fn village(sight: &Sight<'_>, v: VillageId, means: &Means) -> f64 {
    let g = sight.g;
    let hit = means.theirs.min(1.0);
    let reduced = (g.total_bps(v) - 1) * 2 <= g.c[v].size;
    let reservation = if reduced { 2.0 * on(g.c[v].survival - 1) } else { 0.25 };
    let others = sight.others();
    hit * (reservation + others * sight.bp(v)) + 0.15 * (means.theirs - 1.0).max(0.0) + others * 3.0 * means.wiped
}

/// What an attack is worth: Indians who can get away will try to.
fn chase(sight: &Sight<'_>, troops: &Troops, force: &Force) -> f64 {
    let g = sight.g;
    let caught = match force.may_evade(g) {
        true => 1.0 - on(force.evasion_capability(g)) * (1.0 - on(troops.pursuit_capability(g))),
        false => 1.0,
    };
    caught * battle(sight, force, &against(g, troops, force, true))
}

/// The Indians that an order names as its target.
fn force(sight: &Sight<'_>, area: AreaId, target: &Target) -> Option<Force> {
    crate::games::geronimo::columns::column_target(sight.g, area, target).ok()
}

/// What there is to guard in an Area: the points that Indians near it could take, at what their loss costs.
fn at_stake(sight: &Sight<'_>, a: AreaId) -> f64 {
    let (g, area) = (sight.g, sight.g.area(a));
    let most = [(area.town_points() > 0, 1), (area.towns > 0, 2), (area.rrs > 0, 2)];
    let points = most.into_iter().filter(|&(there, _)| there).map(|(_, points)| points).max();
    let near = |v: &VillageId| g.area_of(*v).is_some_and(|b| a == b || g.c.adjacent(a, b));
    let threat: f64 = g.village_ids().filter(near).map(|v| sight.threat(v)).sum();
    let hunted: f64 = g.villages_in(a).map(|v| 0.1 * sight.threat(v).min(1.0)).sum();
    points.map_or(0.0, |points| (sight.loss_of(a, points) + 0.4) * threat.min(3.0) / 3.0) + hunted
}

/// The same, shared among the Columns that guard it already; `but` is not counted.
fn unguarded(sight: &Sight<'_>, a: AreaId, but: Option<&Column>) -> f64 {
    let others = sight.g.columns.iter().filter(|k| but.is_none_or(|b| b.id != k.id));
    let guards: f64 = others
        .filter(|k| !k.in_fort)
        .map(|k| {
            if k.area == a {
                1.0
            } else if sight.guards(k, a) {
                0.4
            } else {
                0.0
            }
        })
        .sum();
    at_stake(sight, a) / (1.0 + guards)
}

/// Where a Column is needed most.
pub(super) fn post(sight: &Sight<'_>) -> Option<AreaId> {
    let g = sight.g;
    g.area_ids().max_by(|&a, &b| unguarded(sight, a, None).total_cmp(&unguarded(sight, b, None)))
}

/// 5.33: the best play, or no more.
pub(super) fn play(sight: &Sight<'_>, legal: &dyn Fn(&Order) -> bool) -> Option<Order> {
    let g = sight.g;
    let mut plays: Vec<(Order, f64)> = Vec::new();
    let ready: Vec<&Column> = g.columns.iter().filter(|k| k.commander.is_some() && !worn_out(g, k)).collect();
    for column in &ready {
        let name = g.column_name(column.id).to_owned();
        if column.in_fort {
            plays.push((Order::LeaveFort { column: name }, 0.3));
            continue;
        }
        plays.extend(attacks(sight, column, &ready));
        let here = standing(sight, column, column.area);
        for &to in &g.c[column.area].adjacent {
            let gain = standing(sight, column, to) - here;
            plays.push((Order::Move { column: name.clone(), to: g.c[to].name.clone() }, 0.5 * gain));
        }
    }
    plays.extend(new_column(sight));
    plays.sort_by(|a, b| b.1.total_cmp(&a.1));
    let good = plays.into_iter().take_while(|(_, worth)| *worth > LEAST);
    Some(good.map(|(order, _)| order).find(legal).unwrap_or(Order::Pass {}))
}

/// What a Column is worth where it stands: what it guards, and whom it could attack in a later Round.
fn standing(sight: &Sight<'_>, column: &Column, a: AreaId) -> f64 {
    let g = sight.g;
    let troops = Troops(vec![column.id]);
    let hunted = g.villages_in(a).map(Force::Village);
    let prey = hunted.map(|force| chase(sight, &troops, &force)).fold(0.0, f64::max);
    unguarded(sight, a, Some(column)) + 0.6 * prey
}

fn attacks(sight: &Sight<'_>, column: &Column, ready: &[&Column]) -> Vec<(Order, f64)> {
    let g = sight.g;
    let mut plays = Vec::new();
    for (target, _) in indian_targets(g, column.area) {
        let Some(force) = force(sight, column.area, &target) else { continue };
        let name = |k: &Column| g.column_name(k.id).to_owned();
        let alone = chase(sight, &Troops(vec![column.id]), &force);
        plays.push((Order::ColumnAttack { columns: vec![name(column)], target: target.clone() }, alone));
        let mate = ready.iter().find(|k| k.area == column.area && !k.in_fort && k.id != column.id);
        if let Some(mate) = mate {
            // 5.72: the mate joins by a DR; whether it does or not it has been played.
            let both = chase(sight, &Troops(vec![column.id, mate.id]), &force);
            let joins = on(speed(g, mate));
            let worth = joins * both + (1.0 - joins) * alone - 0.25;
            plays.push((Order::ColumnAttack { columns: vec![name(column), name(mate)], target }, worth));
        }
    }
    plays
}

/// 5.343: BPs in Reserve guard nothing.
fn new_column(sight: &Sight<'_>) -> Option<(Order, f64)> {
    let (g, a) = (sight.g, post(sight)?);
    let better = |m: &crate::games::geronimo::components::CommanderId| (g.c[*m].pursuit, g.c[*m].combat);
    let m = reserve_commanders(g).max_by_key(better)?;
    let r = g.reserve;
    let bps = if r.bps < 2 * FAST { r.bps.min(9) } else { FAST };
    if bps < 3 {
        return None;
    }
    let guns = r.guns.min(1);
    let gatlings = r.gatlings.min(COLUMN_ARTILLERY - guns);
    let (commander, area) = (g.c[m].surname.clone(), g.c[a].name.clone());
    let order = Order::NewColumn { commander, bps, guns, gatlings, area, fort: false };
    Some((order, unguarded(sight, a, None) + 0.15))
}

/// 5.35: every Column that would gain by it tries, the likeliest first. Whoever fails has lost nothing.
pub(super) fn reaction(sight: &Sight<'_>, question: &Question<'_, Geronimo>) -> Option<Order> {
    let g = sight.g;
    let mut able: Vec<(String, f64)> = Vec::new();
    for choice in question.prompt.options(g, sight.me) {
        let Order::React { columns, coordinate: false, alone: false } = choice.order else { continue };
        let [name] = columns.as_slice() else { continue };
        let Some(column) = g.column_named(name) else { continue };
        let troops = Troops(vec![column.id]);
        // Whoever acts is the target: his War Parties in reach, or a Village of his that relocates.
        let acting = |v: VillageId| g.active.is_none() || g.player_of(v) == g.active;
        let parties = g.parties.iter().filter(|p| acting(p.village) && restraint::may_react(g, column, p.area));
        let mut targets: Vec<Force> = parties.map(|p| Force::party(p.id)).collect();
        if targets.is_empty() {
            let near = |v: &VillageId| g.area_of(*v).is_some_and(|a| restraint::may_react(g, column, a));
            targets = g.village_ids().filter(|&v| acting(v)).filter(near).map(Force::Village).collect();
        }
        let worth = targets.iter().map(|force| chase(sight, &troops, force)).fold(f64::NEG_INFINITY, f64::max);
        if worth > 0.0 {
            able.push((name.clone(), worth * on(speed(g, column))));
        }
    }
    able.sort_by(|a, b| b.1.total_cmp(&a.1));
    let columns: Vec<String> = able.into_iter().map(|(name, _)| name).collect();
    let order = Order::React { columns, coordinate: false, alone: false };
    let orders = [(order, 1.0), (Order::Pass {}, 0.0)];
    best(orders.into_iter().filter(|(order, _)| question.prompt.check(g, sight.me, order).is_ok()))
        .map(|(order, _)| order)
        .map(
            |order| {
                if matches!(&order, Order::React { columns, .. } if columns.is_empty()) {
                    Order::Pass {}
                } else {
                    order
                }
            },
        )
}
