//! The resources of the US, and small questions to its player.

use super::{columns, sight::Sight};
use crate::{
    Ask, Order,
    columns::reserve_commanders,
    components::{AreaId, ChiefId, VillageId},
    state::{COLUMN_BPS, RR_POINTS},
};

/// Number of points beyond the Level that are useful, since Indians destroy a Settlement or two.
const MARGIN: i32 = 2;

/// Returns the value of additional points in an Area. Each point is worth more the closer the Area
/// is to its goal.
fn points(sight: &Sight<'_>, a: AreaId, points: i32) -> f64 {
    let (lacks, left) = (sight.lacks(a), sight.settlements_left());
    let worth = sight.statehood(a);
    let area = sight.g.area(a);
    match lacks {
        // An Area that cannot reach its goal this Turn helps only the next US player.
        lacks if lacks > left + left / 3 => 0.001 * f64::from(points) / f64::from(lacks),
        1.. => worth / f64::from((lacks - points + 1).max(1)),
        // A margin, of decreasing value; none for States far above their Level.
        _ if lacks > -MARGIN => {
            let near: f64 = near_villages(sight, a).map(|v| sight.threat(v)).sum();
            let price = if area.state { 0.2 } else { 1.0 };
            price * near.min(4.0) * 0.25 / f64::from(1 - lacks)
        }
        _ => 0.0,
    }
}

/// Returns the Villages in an Area and next to it.
fn near_villages<'s>(sight: &'s Sight<'_>, a: AreaId) -> impl Iterator<Item = VillageId> + 's {
    let near = move |b: AreaId| a == b || sight.g.c.adjacent(a, b);
    sight.g.village_ids().filter(move |&v| sight.g.area_of(v).is_some_and(near))
}

/// Returns the value of a candidate in a question to the US, if this file handles it.
pub(super) fn pick(sight: &Sight<'_>, kind: Ask, key: &str) -> Option<f64> {
    let g = sight.g;
    let area = || g.c.area_by_name(key);
    match kind {
        Ask::Settlement => area().map(|a| points(sight, a, 1) + on_the_way(sight, a)),
        Ask::Railroad => Some(area().map_or(0.0, |a| points(sight, a, RR_POINTS) + line(sight, a))),
        Ask::Pursuit => Some(if key == "pursue" { columns::pursuit(sight) } else { 0.0 }),
        Ask::Group => Some(f64::from(u8::from((key == "separate") != columns::stay_together(sight)))),
        Ask::Gatling => Some(f64::from(u8::from(key == "Gatling"))),
        Ask::GhostTown => Some(f64::from(u8::from(key == "Settlement"))),
        // The weakest Columns keep their BPs, the strongest their Artillery.
        Ask::ColumnLoss | Ask::PursuitLoss => {
            let (name, what) = key.rsplit_once(' ').map(|(name, what)| (name.trim_end_matches(" Field"), what))?;
            let column = g.column_named(name)?;
            Some(match what {
                "BP" => f64::from(column.bps),
                "Gun" => 3.5,
                _ => 3.0,
            })
        }
        Ask::DrivenOut => area().map(|a| -f64::from(g.survival_points(a))),
        Ask::Prison => Some(g.c.chief_by_name(key).map_or(0.0, |h| chief(sight, h))),
        _ => None,
    }
}

fn chief(sight: &Sight<'_>, h: ChiefId) -> f64 {
    let chief = &sight.g.c[h];
    f64::from(chief.combat + chief.evasion + chief.aggression) + 1.0
}

/// Returns the value of an RR marker for the Transcontinental Railroad (5.241).
fn line(sight: &Sight<'_>, a: AreaId) -> f64 {
    if sight.g.area(a).all_rrs() == 0 && sight.gaps(Some(a)) < sight.gaps(None) { sight.gap() } else { 0.01 }
}

/// Returns the value of a Settlement where the line should continue but no RR can be placed yet
/// (5.24).
fn on_the_way(sight: &Sight<'_>, a: AreaId) -> f64 {
    let g = sight.g;
    let bare = g.area(a).town_points() == 0 && g.area(a).all_rrs() == 0;
    let next = || g.c[a].adjacent.iter().any(|&b| g.area(b).all_rrs() > 0);
    if bare && next() && line(sight, a) > 1.0 { 1.0 } else { 0.0 }
}

/// Places a Column at set-up (3.45): small fast ones where there is something to guard.
pub(super) fn set_up(sight: &Sight<'_>, legal: &dyn Fn(&Order) -> bool) -> Option<Order> {
    let g = sight.g;
    let a = columns::post(sight)?;
    let guns = i32::from(g.reserve.guns > 0 && g.columns.iter().all(|k| k.guns == 0));
    let area = g.c[a].name.clone();
    let place = |bps: i32, guns: i32| Order::SetUp { area: area.clone(), bps, guns, fort: false };
    let bps = [6].into_iter().chain(1..=COLUMN_BPS);
    // The last Column may have to take all remaining Guns (3.45).
    bps.flat_map(|bps| [place(bps, guns), place(bps, 0), place(bps, g.reserve.guns)]).find(|order| legal(order))
}

/// Places a Column in the same way, under the Commander who makes it fastest (9.2A, 11.11).
pub(super) fn deployment(sight: &Sight<'_>, legal: &dyn Fn(&Order) -> bool) -> Option<Order> {
    let g = sight.g;
    let a = columns::post(sight)?;
    let commander = reserve_commanders(g).max_by_key(|&m| (g.c[m].pursuit, g.c[m].combat))?;
    let (commander, area) = (g.c[commander].surname.clone(), g.c[a].name.clone());
    let place = |bps: i32| Order::NewColumn {
        commander: commander.clone(),
        bps,
        guns: 0,
        gatlings: 0,
        area: area.clone(),
        fort: false,
    };
    [6].into_iter().chain(1..=COLUMN_BPS).map(place).find(|order| legal(order))
}
