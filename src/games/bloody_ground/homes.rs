//! The return of the nations' pieces at the end of a turn, in one answer where the rules allow it:
//! raiders, McKee, and in winter all warriors (12.0.4, 14.0.5, 13.0).

use super::{
    Ask, State, T,
    asking::Asking,
    components::{AreaId, LeaderId, NationId, Season, Side, Stance},
    end, leaders,
    order::Lot,
    placing::{Item, Lots, item, put},
    raid,
    state::{GARRISON, Spot, UnitId},
};
use postrider_table::refuse;

/// Returns raiders in the Raid Phase if attrition follows, whose losses could open or close a place
/// to them (4.6, 12.0.4). Otherwise [`asked`] returns them with the others, which is the same.
pub async fn after_raids(t: &T, g: &mut State) {
    if !g.unit_ids().any(|u| end::attrition_due(g, u).is_some()) {
        return;
    }
    lost(t, g).await;
    let asking = Asking { kind: Ask::Home, rule: "12.0.4", title: "Where raiders return" };
    let lots = put(t, g, g.seat(Side::Na), Lots::new(asking, raiders_home(g))).await;
    go(t, g, &lots);
}

/// Asks for all of these at once, and moves raiders and McKee. Returns the winter homes of
/// warriors, which take effect only if the game continues.
pub async fn asked(t: &T, g: &mut State) -> Vec<Lot> {
    lost(t, g).await;
    let goes_on = g.turn < u32::from(g.c.scenarios[g.scenario].turns);
    let questions = [Some(now(g)), (g.season == Season::Winter && goes_on).then(|| in_winter(g))];
    let (mut answers, mut open) = ([Vec::new(), Vec::new()], Vec::new());
    for (at, lots) in questions.into_iter().enumerate() {
        let Some(lots) = lots else { continue };
        match lots.only_answer(g) {
            Some(only) => answers[at] = only,
            None => open.push(t.open(g.seat(Side::Na), lots).map(move |lots| (at, lots))),
        }
    }
    for (at, lots) in t.all(g, open).await {
        answers[at] = lots;
    }
    let [now, winter] = answers;
    go(t, g, &now);
    winter
}

/// Returns the raiders of a nation, or those without a nation for `None`.
fn raiders(g: &State, nation: Option<NationId>) -> (Vec<UnitId>, Vec<LeaderId>) {
    let units = g.unit_ids().filter(|&u| g.unit(u).raiding && nation.is_some() && g.nation_of(u) == nation).collect();
    let goes = |&l: &LeaderId| g.chief(l).raiding && g.c[l].nation == nation && leaders::in_play(g, l);
    (units, g.c.leader_ids().filter(goes).collect())
}

fn nations(g: &State) -> Vec<Option<NationId>> {
    g.c.nation_ids().map(Some).chain([None]).collect()
}

/// Eliminates raiders without a place to return to.
async fn lost(t: &T, g: &mut State) {
    for nation in nations(g) {
        let (units, chiefs) = raiders(g, nation);
        if raid::homes(g, nation).is_empty() {
            units.into_iter().for_each(|u| g.eliminate(u));
            for l in chiefs {
                leaders::fall_on_map(t, g, l).await;
            }
        }
    }
}

/// Returns the raiders, with the places to which they may return.
fn raiders_home(g: &State) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for nation in nations(g) {
        let (units, chiefs) = raiders(g, nation);
        let places: Vec<String> = raid::homes(g, nation).into_iter().map(|a| g.c[a].id.clone()).collect();
        if let Some(n) = nation {
            items.push(item(g.c[g.c.warriors(n)].id.clone(), units.len() as u8, places.clone(), true));
        }
        items.extend(chiefs.into_iter().map(|l| item(g.c[l].name.clone(), 1, places.clone(), true)));
    }
    items
}

/// Returns the question where raiders and McKee go.
fn now(g: &State) -> Lots {
    let mut items = raiders_home(g);
    let raiding = items.iter().any(|item| item.n > 0);
    if let Some((l, places)) = end::mckee_may_go(g) {
        items.push(item(g.c[l].name.clone(), 1, places.into_iter().map(|a| g.c[a].id.clone()), true));
    }
    let asking = match raiding {
        true => Asking { kind: Ask::Home, rule: "12.0.4, 14.0.5", title: "Where raiders return and McKee goes" },
        false => Asking { kind: Ask::Home, rule: "14.0.5", title: "Where McKee goes" },
    };
    Lots::new(asking, items)
}

/// Returns the pieces of a nation that go home at the end of winter: of a peaceful nation those in
/// besieged forts, of any other all warriors and leaders.
fn going_home(g: &State, n: NationId) -> (Vec<UnitId>, Vec<LeaderId>) {
    let abroad = g.tribe(n).stance != Stance::Peaceful;
    let goes = |u: &UnitId| if abroad { g.unit(*u).spot.area().is_some() } else { g.is_shut_in(*u) };
    let leads_home = |l: &LeaderId| {
        let chief = g.chief(*l);
        let here = |a: AreaId| abroad || chief.inside && g.besieged(a);
        g.c[*l].nation == Some(n) && chief.spot.area().is_some_and(here)
    };
    (g.of_kind(g.c.warriors(n)).filter(goes).collect(), g.c.leader_ids().filter(leads_home).collect())
}

/// Returns the question of where warriors and their leaders go in winter: home, or to British forts
/// with ten units each.
fn in_winter(g: &State) -> Lots {
    let mut after = g.clone();
    end::militia_home(&mut after);
    let going: Vec<UnitId> = g.c.nation_ids().flat_map(|n| going_home(&after, n).0).collect();
    // 11.2.2: units outside a fort do not count against its capacity.
    let others =
        |a: AreaId| after.units_in(a, Side::Na).filter(|&u| !going.contains(&u) && after.unit(u).inside).count();
    let forts: Vec<(String, usize)> =
        g.c.area_ids()
            .filter(|&a| after.open_fort(a, Side::Na) && g.in_bounds(a))
            .map(|a| (g.c[a].id.clone(), GARRISON.saturating_sub(others(a))))
            .collect();
    let mut items = Vec::new();
    for n in g.c.nation_ids() {
        let (units, chiefs) = going_home(&after, n);
        let places = places(&after, n, &forts);
        items.push(item(g.c[g.c.warriors(n)].id.clone(), units.len() as u8, places.clone(), true));
        items.extend(chiefs.into_iter().map(|l| item(g.c[l].name.clone(), 1, places.clone(), true)));
    }
    // Warriors in land of their own need no room in its fort.
    let guests = |g: &State, lot: &Lot| {
        let nation = g.c.nation_ids().find(|&n| g.c[g.c.warriors(n)].id == lot.what);
        nation.is_some_and(|n| g.area(&lot.at).is_some_and(|a| g.c[a].nation != Some(n)))
    };
    let full = move |g: &State, lots: &[Lot]| {
        let in_it = |at: &str| {
            let guests = lots.iter().filter(|lot| lot.at == at && guests(g, lot));
            guests.map(|lot| usize::from(lot.n)).sum::<usize>()
        };
        forts.iter().find(|(at, room)| in_it(at) > *room).map(|(at, _)| at.clone())
    };
    let apt = full.clone();
    let asking = Asking { kind: Ask::Home, rule: "13.0", title: "Where warriors spend the time to spring" };
    Lots::new(asking, items)
        .check(move |g, lots| match full(g, lots) {
            Some(at) => refuse("13.0", format!("The fort at {at} has no room for so many.")),
            None => Ok(()),
        })
        .apt(move |g, lots, what, at| {
            let one = Lot { n: 1, what: what.to_owned(), at: at.to_owned() };
            apt(g, &lots.iter().cloned().chain([one]).collect::<Vec<_>>()).is_none()
        })
}

/// Returns the areas of a nation without enemies, then the other forts with room. If the enemy is
/// in all of its areas, its warriors return to them all the same (13.0).
fn places(g: &State, n: NationId, forts: &[(String, usize)]) -> Vec<String> {
    let own = g.c.area_ids().filter(|&a| g.c[a].nation == Some(n));
    let (held, free): (Vec<AreaId>, Vec<AreaId>) = own.partition(|&a| g.enemy_in(a, Side::Na));
    let id = |a: AreaId| g.c[a].id.clone();
    let open = forts.iter().filter(|(_, room)| *room > 0).map(|(at, _)| at.clone());
    let last = held.into_iter().filter(|_| free.is_empty()).map(id);
    let mut places: Vec<String> = Vec::new();
    for at in free.iter().copied().map(id).chain(open).chain(last) {
        if !places.contains(&at) {
            places.push(at);
        }
    }
    places
}

/// Moves raiders and McKee to their places.
fn go(t: &T, g: &mut State, lots: &[Lot]) {
    for lot in lots {
        let Some(a) = g.area(&lot.at) else { continue };
        if let Some(l) = g.c.leader(&lot.what) {
            let chief = g.chief_mut(l);
            if chief.spot != Spot::On(a) {
                chief.inside = false;
            }
            (chief.spot, chief.raiding) = (Spot::On(a), false);
            g.take_in_leader(l);
        } else if let Some(kind) = g.c.kind(&lot.what) {
            let units: Vec<UnitId> = g.of_kind(kind).filter(|&u| g.unit(u).raiding).take(lot.n.into()).collect();
            for u in units {
                let unit = g.unit_mut(u);
                (unit.spot, unit.raiding) = (Spot::On(a), false);
                g.take_in(u);
            }
        }
        t.tell(|| format!("{} at {}.", super::placing::said(g, lot.n, &lot.what), g.name(a)));
    }
}

/// Moves warriors and their leaders to their winter places (13.0).
pub fn winter(g: &mut State, lots: &[Lot]) {
    let mut placed: Vec<(bool, UnitId)> = Vec::new();
    for n in g.c.nation_ids().collect::<Vec<_>>() {
        let mut units = going_home(g, n).0.into_iter().rev();
        let kind = g.c[g.c.warriors(n)].id.clone();
        for lot in lots {
            let Some(a) = g.area(&lot.at) else { continue };
            let inside = g.fort_of(a, Side::Na);
            let own = g.c[a].nation == Some(n);
            if let Some(l) = g.c.leader(&lot.what).filter(|&l| g.c[l].nation == Some(n)) {
                let chief = g.chief_mut(l);
                (chief.spot, chief.inside) = (Spot::On(a), inside);
            } else if lot.what == kind {
                for u in units.by_ref().take(lot.n.into()) {
                    let unit = g.unit_mut(u);
                    (unit.spot, unit.inside) = (Spot::On(a), false);
                    placed.push((own, u));
                }
            }
        }
    }
    // Guests of another nation's land are inside its fort, its owners as far as there is room.
    placed.sort_by_key(|(own, _)| *own);
    placed.into_iter().for_each(|(_, u)| g.take_in(u));
}
