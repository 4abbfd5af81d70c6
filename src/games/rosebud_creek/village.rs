//! The search for the Indian village (16.E).

use super::{
    Ask, State, T,
    asking::{Asking, Named, choose},
    components::{Class, LeaderId, Num, Side, UnitId, Vp},
    leaders,
    state::{Phase, Spot},
};
use postrider_table::{Refusal, refuse};

/// Returns each Leader who can take a column off the map, with the companies in good order near the
/// north edge that are within his radius, at least five; largest columns come first (16.E).
fn columns(g: &State) -> Vec<(LeaderId, Vec<UnitId>)> {
    let rows = g.c.n(Num::VillageRows);
    let fit = |u: &UnitId| {
        let near = g.hex(*u).is_some_and(|hex| i32::from(g.charts.grid.row(hex)) < rows);
        g.class(*u) == Class::Cavalry && near && g.unit(*u).is_good()
    };
    let units: Vec<UnitId> = g.on_map(Side::Us).filter(fit).collect();
    let all = g.c.leader_ids().filter(|l| g.c[*l].side == Side::Us).filter_map(|l| {
        let (at, radius) = (g.chief(l).spot.hex()?, leaders::radius(g, l)?);
        let near = |u: &UnitId| g.hex(*u).is_some_and(|hex| g.charts.grid.distance(hex, at) <= radius);
        let near: Vec<UnitId> = units.iter().copied().filter(near).collect();
        (near.len() >= g.c.n(Num::VillageUnits) as usize).then_some((l, near))
    });
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|(l, units)| (std::cmp::Reverse(units.len()), leaders::is_staff(g, *l), *l));
    all
}

/// Checks that the US may search for the village now, at the beginning of its Movement Phase.
/// Returns the Leader of the largest column (16.E).
///
/// # Errors
/// A [`Refusal`] with the reason why it may not.
pub fn may_search(g: &State, side: Side) -> Result<LeaderId, Refusal> {
    if side != Side::Us || g.phase != Phase::Movement {
        return refuse("16.E", "The US looks for the village at the beginning of its Movement Phase.");
    }
    if g.searched_now || g.searched && !g.variant.village_every_turn {
        return refuse("16.E", "The village was looked for already.");
    }
    // Routed units move before any order (4.C).
    if g.ordered {
        return refuse(
            "16.E",
            "That is declared at the beginning of the Movement Phase, before units and Leaders move or build.",
        );
    }
    match columns(g).first() {
        Some((l, _)) => Ok(*l),
        None => refuse(
            "16.E",
            "Five companies of cavalry in good order, in the two northern rows and in one Leader's radius, are needed.",
        ),
    }
}

/// Rolls for the report of the Scouts, and asks which Leader leaves with his column (16.E).
pub async fn search(t: &T, g: &mut State) {
    let columns = columns(g);
    if columns.is_empty() {
        return;
    }
    (g.searched, g.searched_now) = (true, true);
    let points = g.c.vp(Vp::VillageSearch);
    g.score(Side::Us, points, "16.E");
    let die = t.d6("village");
    let near = die >= i64::from(g.c.n(Num::VillageLeave));
    t.tell(|| {
        let report = if near { "a village may be near" } else { "no village, and a possible ambush" };
        format!("The Scouts look for the village: {die}: {report}. The US scores {points}.")
    });
    if !near {
        return;
    }
    let asking =
        Asking { kind: Ask::Village, rule: "16.E", title: "Whether the column leaves the map to find the village" };
    let line = "A Leader and the companies in his radius, with their Holders, would leave for the rest of the game.";
    let mut all = vec![Named::new("no", None)];
    all.extend(columns.iter().map(|column| {
        let (l, units) = column;
        let named = Named::new(&g.c[*l].id, Some(column.clone())).note(format!("with {} companies", units.len()));
        if columns.len() == 1 { named.or("yes") } else { named }
    }));
    if let Some((l, units)) = choose(t, g, g.seat(Side::Us), asking, all, |_| line.to_owned()).await.value {
        leave(t, g, l, &units);
    }
}

/// Removes the companies, their Leader, and those of their Holders in the same hexes from the map,
/// without VPs (16.E).
fn leave(t: &T, g: &mut State, l: LeaderId, units: &[UnitId]) {
    let mut all = units.to_vec();
    // 12.E.2: the staff and the Column HQ are one counter.
    let hq = Some(l).filter(|&l| leaders::is_staff(g, l)).and_then(|l| g.chief(l).with);
    all.extend(hq);
    let hexes: Vec<_> = all.iter().filter_map(|&u| g.hex(u)).collect();
    let along = |h: &UnitId| g.hex(*h).is_some_and(|at| hexes.contains(&at));
    all.extend(all.clone().into_iter().filter_map(|u| g.charts.helper[u.index()]).filter(along));
    let mut along: Vec<LeaderId> = units.iter().chain(&hq).flat_map(|&u| leaders::attached(g, u)).collect();
    along.push(l);
    for &u in &all {
        super::fire::remove(g, u, Spot::Off);
    }
    for l in along {
        let chief = g.chief_mut(l);
        (chief.spot, chief.with) = (Spot::Off, None);
    }
    let hexes: Vec<_> = g.c.leader_ids().filter_map(|l| g.chief(l).spot.hex()).collect();
    hexes.into_iter().for_each(|hex| leaders::join(t, g, hex));
    g.seekers.extend(units);
    t.tell(|| {
        let leave = if all.len() == 1 { "leaves" } else { "leave" };
        format!("{} {leave} the map with {}.", postrider_orders::counted(all.len(), "unit"), g.c[l].id)
    });
}

/// Rolls for the outcome of the search at the end of the game (16.E).
pub fn outcome(t: &T, g: &mut State) {
    if g.seekers.is_empty() {
        return;
    }
    let die = t.d6("village");
    if die == i64::from(g.c.n(Num::VillageTrail)) {
        let points = g.c.vp(Vp::VillageTrail);
        g.score(Side::Us, points, "16.E");
        t.tell(|| {
            format!(
                "The column off the map: {die}: the trail of the village is found, {}.",
                postrider_table::vps(points)
            )
        });
    } else if die == i64::from(g.c.n(Num::VillageAmbush)) {
        let lost = t.d6("ambush");
        t.tell(|| format!("The column off the map: {die}: an ambush, {lost} casualties."));
        // A die of at most 6.
        g.casualties(Side::Us, lost as u8);
    } else {
        t.tell(|| format!("The column off the map: {die}: nothing is found."));
    }
}
