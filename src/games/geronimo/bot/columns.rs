//! The Columns: guarding, chasing and reacting (5.3, 5.35, 5.7).

use super::{
    fight::{Means, against, against_bps},
    on,
    sight::Sight,
};
use crate::{
    Geronimo, Order, State,
    columns::{allied, indian_targets, may_separate, reserve_commanders, together, worn_out},
    components::{AreaId, VillageId},
    order::Target,
    ratings::{Force, Troops, speed},
    restraint,
    state::{COLUMN_ARTILLERY, COLUMN_BPS, Column, ColumnId},
};
use postrider_table::{Question, best};

/// Preferred BPs of a new Column: fast enough to react and strong enough to fight.
const FAST: i32 = 6;
/// BPs from which a Column is better divided into two.
const LARGE: i32 = 2 * FAST - 1;
/// Minimum value of a Column play.
const LEAST: f64 = 0.04;

/// Returns the value of a Battle to the US. Losses of opponents count less than VPs earned.
fn battle(sight: &Sight<'_>, force: &Force, means: &Means) -> f64 {
    let villages = force.villages(sight.g);
    let others = sight.others();
    // In the Solitaire Game a Village whose card may still be drawn is worth attacking in advance.
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

/// Returns the value of attacking a Village, which loses a BP, is Devastated, and may be forced On
/// Reservation for 2 VPs (7.41, 8.14).
fn village(sight: &Sight<'_>, v: VillageId, means: &Means) -> f64 {
    let g = sight.g;
    let hit = means.theirs.min(1.0);
    let reduced = (g.total_bps(v) - 1) * 2 <= g.c[v].size;
    let reservation = if reduced { 2.0 * on(g.c[v].survival - 1) } else { 0.25 };
    let others = sight.others();
    hit * (reservation + others * sight.bp(v)) + 0.15 * (means.theirs - 1.0).max(0.0) + others * 3.0 * means.wiped
}

/// Returns the value of an attack, considering that Indians evade if they can.
fn chase(sight: &Sight<'_>, troops: &Troops, force: &Force) -> f64 {
    let g = sight.g;
    let caught = match force.may_evade(g) {
        true => 1.0 - on(force.evasion_capability(g)) * (1.0 - on(troops.pursuit_capability(g))),
        false => 1.0,
    };
    caught * battle(sight, force, &against(sight, troops, force, true))
}

/// Returns the Indians that an order names as its target.
fn force(sight: &Sight<'_>, area: AreaId, target: &Target) -> Option<Force> {
    crate::columns::column_target(sight.g, area, target).ok()
}

/// Returns the value of guarding an Area: the cost of losing points that nearby Indians could
/// attack.
fn at_stake(sight: &Sight<'_>, a: AreaId) -> f64 {
    let (g, area) = (sight.g, sight.g.area(a));
    let most = [(area.town_points() > 0, 1), (area.towns > 0, 2), (area.rrs > 0, 2)];
    let points = most.into_iter().filter(|&(there, _)| there).map(|(_, points)| points).max();
    let near = |v: &VillageId| g.area_of(*v).is_some_and(|b| a == b || g.c.adjacent(a, b));
    let threat: f64 = g.village_ids().filter(near).map(|v| sight.threat(v)).sum();
    let hunted: f64 = g.villages_in(a).map(|v| 0.1 * sight.threat(v).min(1.0)).sum();
    points.map_or(0.0, |points| (sight.loss_of(a, points) + 0.4) * threat.min(3.0) / 3.0) + hunted
}

/// Returns the same value divided among the Columns that already guard the Area, not counting
/// `but`.
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

/// Returns the Area that needs a Column most.
pub(super) fn post(sight: &Sight<'_>) -> Option<AreaId> {
    let g = sight.g;
    g.area_ids().max_by(|&a, &b| unguarded(sight, a, None).total_cmp(&unguarded(sight, b, None)))
}

/// Chooses the best Column play, or none (5.33).
pub(super) fn play(sight: &Sight<'_>, legal: &dyn Fn(&Order) -> bool) -> Option<Order> {
    let g = sight.g;
    let mut plays: Vec<(Order, f64)> = Vec::new();
    let ready: Vec<&Column> = g.columns.iter().filter(|k| k.commander.is_some() && !worn_out(g, k)).collect();
    for column in &ready {
        let name = g.column_name(column.id).to_owned();
        if column.in_fort {
            plays.extend(in_fort(sight, column));
            continue;
        }
        plays.extend(into_fort(sight, column));
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

/// Returns the plays of a Column In Fort (5.342, 5.45). Since it guards nothing there, it leaves
/// unless it is weak and can be reinforced, or a strong enemy is near.
fn in_fort(sight: &Sight<'_>, column: &Column) -> Vec<(Order, f64)> {
    let g = sight.g;
    let name = || g.column_name(column.id).to_owned();
    let leave = Order::LeaveFort { column: name(), alone: may_separate(g, column.id) };
    let mut plays = vec![(leave, 0.3 - 0.3 * danger(sight, column))];
    let room = (COLUMN_BPS - column.bps).min(g.reserve.bps);
    let wanted = if column.bps < FAST { FAST - column.bps } else { room };
    let more = room.min(wanted);
    if more > 0 && (column.bps < FAST || reserve_commanders(g).next().is_none()) {
        let weak = if column.bps < FAST { 0.3 } else { 0.05 };
        plays.push((Order::Reinforce { column: name(), bps: more }, weak + 0.03 * f64::from(more)));
    }
    if column.bps >= LARGE
        && let Some(commander) = best_commander(g)
    {
        let order = Order::Divide { column: name(), commander, bps: column.bps / 2, guns: 0, gatlings: 0 };
        plays.push((order, 0.32 + unguarded(sight, column.area, Some(column))));
    }
    plays
}

/// Returns the play of entering a Fort (5.6). This is good for safety from attackers, for a weak
/// Column to be reinforced if the Reserve cannot form a new one, and for a large slow Column to be
/// divided.
fn into_fort(sight: &Sight<'_>, column: &Column) -> Option<(Order, f64)> {
    let g = sight.g;
    let commander = reserve_commanders(g).next().is_some();
    let here = standing(sight, column, column.area);
    let safe = 0.5 * danger(sight, column) - here;
    let weak = match column.bps < FAST / 2 && g.reserve.bps >= FAST / 2 && !commander {
        true => 0.2 - 0.5 * here,
        false => f64::NEG_INFINITY,
    };
    let large = match column.bps >= LARGE && commander && g.reserve.bps < FAST / 2 {
        true => 0.5 * unguarded(sight, column.area, Some(column)) - 0.25 * here,
        false => f64::NEG_INFINITY,
    };
    let (name, alone) = (g.column_name(column.id).to_owned(), may_separate(g, column.id));
    Some((Order::EnterFort { column: name, alone }, safe.max(weak).max(large)))
}

/// Returns the VPs that the strongest War Party in reach could win from a Column On Patrol (7.33),
/// less the cost of its own losses.
fn danger(sight: &Sight<'_>, column: &Column) -> f64 {
    let g = sight.g;
    let troops = Troops(vec![column.id]);
    let near = |v: &VillageId| g.area_of(*v).is_some_and(|b| column.area == b || g.c.adjacent(column.area, b));
    let villages = g.village_ids().filter(near).filter(|&v| sight.threat(v) > 0.0);
    let attack = |v: VillageId| {
        let force = Force::Village(v);
        let means = against_bps(sight, &troops, g.village(v).bps, force.chief_combat(g) + force.tribal_drms(g), false);
        sight.others() * (sight.vps(means.excess) - 0.3 * means.theirs) + 0.8 * means.lost
    };
    villages.map(attack).fold(0.0, f64::max)
}

/// Returns the Commander in Reserve who makes a Column fastest.
fn best_commander(g: &State) -> Option<String> {
    let best = reserve_commanders(g).max_by_key(|&m| (g.c[m].pursuit, g.c[m].combat))?;
    Some(g.c[best].surname.clone())
}

/// Returns the value of a Column in an Area: what it guards there, and what it could attack in a
/// later Round.
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
        plays.push((Order::ColumnAttack { columns: vec![name(column)], target: target.clone(), alone: false }, alone));
        let mate = ready.iter().find(|k| k.area == column.area && !k.in_fort && k.id != column.id);
        if let Some(mate) = mate {
            // The second Column joins by a DR, and counts as played in any case (5.72).
            let both = chase(sight, &Troops(vec![column.id, mate.id]), &force);
            let joins = on(speed(g, mate));
            let worth = joins * both + (1.0 - joins) * alone - 0.25;
            plays.push((Order::ColumnAttack { columns: vec![name(column), name(mate)], target, alone: false }, worth));
        }
    }
    plays
}

/// Returns the best new Column (5.343). BPs in Reserve guard nothing.
fn new_column(sight: &Sight<'_>) -> Option<(Order, f64)> {
    let (g, a) = (sight.g, post(sight)?);
    let better = |m: &crate::components::CommanderId| (g.c[*m].pursuit, g.c[*m].combat);
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

/// A Column that could react, with its expected value.
struct Able {
    name: String,
    id: ColumnId,
    area: AreaId,
    /// Value of the attack if it takes place.
    attack: f64,
    /// Chance that the Column reacts.
    reacts: f64,
    /// `true` if it does better without the Columns with which it is combined (5.723).
    alone: bool,
    target: Force,
}

/// Chooses the reactions (5.35). Every Column with an advantage tries, the most promising first; a
/// failure costs nothing.
pub(super) fn reaction(sight: &Sight<'_>, question: &Question<'_, Geronimo>) -> Option<Order> {
    let g = sight.g;
    let mut able: Vec<Able> = Vec::new();
    for choice in question.prompt.options(g, sight.me) {
        let Order::React { columns, coordinate: false, alone: false } = choice.order else { continue };
        let [name] = columns.as_slice() else { continue };
        let Some(column) = g.column_named(name) else { continue };
        // The target belongs to the acting player: a War Party in reach, or a relocating Village.
        let acting = |v: VillageId| g.active.is_none() || g.player_of(v) == g.active;
        let parties = g.parties.iter().filter(|p| acting(p.village) && restraint::may_react(g, column, p.area));
        let mut targets: Vec<Force> = parties.map(|p| Force::party(p.id)).collect();
        if targets.is_empty() {
            let near = |v: &VillageId| g.area_of(*v).is_some_and(|a| restraint::may_react(g, column, a));
            targets = g.village_ids().filter(|&v| acting(v)).filter(near).map(Force::Village).collect();
        }
        let tries = |troops: Troops, alone: bool| {
            let attack = |force: Force| (chase(sight, &troops, &force), force);
            let (attack, target) = targets.iter().cloned().map(attack).max_by(|a, b| a.0.total_cmp(&b.0))?;
            let reacts = on(if alone { speed(g, column) } else { troops.speed(g) });
            Some(Able { name: name.clone(), id: column.id, area: column.area, attack, reacts, alone, target })
        };
        let mut ways: Vec<Able> = tries(Troops(vec![column.id]), true).into_iter().collect();
        ways.extend(tries(Troops(together(g, column.id)), false));
        ways.retain(|way| way.attack > 0.0);
        able.extend(ways.into_iter().max_by(|a, b| (a.attack * a.reacts).total_cmp(&(b.attack * b.reacts))));
    }
    able.sort_by(|a, b| (b.attack * b.reacts).total_cmp(&(a.attack * a.reacts)));
    let legal = |order: &Order| question.prompt.check(g, sight.me, order).is_ok();
    let mut orders: Vec<(Order, f64)> = Vec::new();
    let named = |able: &[&Able], coordinate: bool, alone: bool| {
        let columns = able.iter().map(|one| one.name.clone()).collect();
        Order::React { columns, coordinate, alone }
    };
    let all: Vec<&Able> = able.iter().collect();
    if !all.is_empty() {
        orders.push((named(&all, false, all.iter().any(|one| one.alone)), 1.0));
        orders.push((named(&all, false, false), 0.9));
    }
    if let Some(mates) = coordinated(sight, &able) {
        orders.push((named(&mates, true, false), 2.0));
    }
    orders.push((Order::Pass {}, 0.0));
    best(orders.into_iter().filter(|(order, _)| legal(order))).map(|(order, _)| order)
}

/// Returns the best Column together with others that react jointly (5.71), if that is worth more
/// than separate reactions later, when the targets go home. Each Column tries only once.
fn coordinated<'a>(sight: &Sight<'_>, able: &'a [Able]) -> Option<Vec<&'a Able>> {
    let g = sight.g;
    let (first, rest) = able.split_first()?;
    let mates: Vec<&Able> =
        rest.iter().filter(|one| one.area == first.area && one.target == first.target).take(2).collect();
    let joining = mates.iter().map(|one| one.id);
    let both = chase(sight, &Troops(std::iter::once(first.id).chain(joining).collect()), &first.target);
    let joins = mates.iter().filter_map(|one| g.column(one.id)).map(|k| on(speed(g, k))).fold(1.0, f64::min);
    let later = mates.iter().map(|one| one.attack).fold(0.0, f64::max);
    let gains = !mates.is_empty() && joins * (both - first.attack) > 0.3 * later;
    gains.then(|| std::iter::once(first).chain(mates).collect())
}

/// Returns the value of pursuing the Indians that have just evaded (7.53): the chance to catch
/// them, times the value of the Battle with and without an Ambush (7.54), less a BP under Winter
/// Campaigning (9.2HH).
pub(super) fn pursuit(sight: &Sight<'_>) -> f64 {
    let g = sight.g;
    let parties = g.parties.iter().filter(|p| p.attacked_in == g.round).map(|p| allied(g, p.id));
    let villages = g.village_ids().filter(|&v| g.village(v).attacked_in == g.round).map(Force::Village);
    let one = |force: Force| {
        let a = force.area(g)?;
        let column = g.columns_in(a).filter(|k| !k.in_fort && k.commander.is_some()).max_by_key(|k| k.bps)?;
        let troops = Troops(together(g, column.id));
        let open = battle(sight, &force, &against(sight, &troops, &force, true));
        let drm = force.chief_combat(g) + force.tribal_drms(g) + force.battle_rating(g) + AMBUSH;
        let ambushed = battle(sight, &force, &against_bps(sight, &troops, force.bps(g), drm, force.is_village()));
        let ambush = on(force.ambush_capability(g));
        Some(on(troops.pursuit_capability(g)) * (ambush * ambushed + (1.0 - ambush) * open))
    };
    let price = if g.fx.winter_campaigning { 0.25 } else { 0.0 };
    parties.chain(villages).filter_map(one).fold(f64::NEG_INFINITY, f64::max) - price
}

/// The DRM of an Ambush for the Indians (7.31).
const AMBUSH: i32 = 3;

/// Returns `true` if Columns that have just attacked together should stay combined (5.723): if a
/// possible target in the same Area is much too strong for each alone, and Rounds remain.
pub(super) fn stay_together(sight: &Sight<'_>) -> bool {
    let g = sight.g;
    if g.hands[g.us.index()].len() < 2 {
        return false;
    }
    g.area_ids().any(|a| {
        let here: Vec<ColumnId> =
            g.columns_in(a).filter(|k| !k.in_fort && k.played_in == g.us_rounds).map(|k| k.id).collect();
        here.len() > 1
            && indian_targets(g, a).iter().filter_map(|(target, _)| force(sight, a, target)).any(|force| {
                let alone = here.iter().map(|&id| chase(sight, &Troops(vec![id]), &force)).fold(0.0, f64::max);
                chase(sight, &Troops(here.clone()), &force) > alone + 0.4
            })
    })
}
