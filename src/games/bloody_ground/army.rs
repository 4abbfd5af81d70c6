//! The US Army, militia and reinforcements (8.3 to 8.5.2).

use super::{
    Ask, State, T,
    action::words,
    asking::{Asking, choose},
    components::{AreaId, Class, Drm, KindId, LeaderId, Post, Province, Season, Side, Special},
    events::{by_kind, draw_militia, draw_others, muster},
    leaders,
    order::Lot,
    placing::{Item, Lots, item, put, tally},
    state::{Spot, UnitId},
};
use postrider_table::{NO, YES, chart::Modifiers};

/// The leaders and units of a reinforcement group, and the leaders it replaces (8.5.2).
struct Group {
    leaders: &'static [&'static str],
    regulars: u8,
    militia: u8,
    withdraw: &'static [&'static str],
}

const GROUPS: [Group; 2] = [
    Group {
        leaders: &["St. Clair", "Butler", "Hamtramck", "Truby"],
        regulars: 15,
        militia: 0,
        withdraw: &["Harmar", "Hardin"],
    },
    Group { leaders: &["Wayne", "Kenton"], regulars: 20, militia: 4, withdraw: &["St. Clair", "Butler"] },
];

/// Returns the number of regulars in play.
fn regulars(g: &State) -> u8 {
    g.of_kind(g.c.of_class(Class::Regular)).filter(|&u| g.unit(u).spot.is_in_play()).count() as u8
}

/// Returns the places where new regulars may enter: with a leader of the US Army, at a permanent
/// settlement, or by the east edge (8.3.2).
fn army_places(g: &State) -> Vec<String> {
    let led = |a: AreaId| g.leaders_in(a, Side::Us).any(|l| g.c[l].kind == Post::Regular);
    let at = g.c.area_ids().filter(|&a| led(a) || g.c[a].is(Special::Town)).map(|a| g.c[a].id.clone());
    at.chain(["edge".to_owned()]).collect()
}

/// Units that enter, and the question of where to place them.
struct Coming {
    lots: Lots,
    /// The counters reserved for them.
    units: Vec<UnitId>,
}

/// Runs the arrival of regulars, militia and reinforcements (8.3 to 8.5.2). All dice are rolled
/// first; then one letter asks where to place the units.
pub async fn phase(t: &T, g: &mut State, regulars: bool, militia: bool, reinforcements: bool) {
    let mut coming: Vec<Coming> = Vec::new();
    if regulars {
        coming.extend(regulars_coming(t, g).await);
    }
    if militia {
        coming.extend(militia_coming(t, g).await);
    }
    let mut group = None;
    if reinforcements {
        let taken: Vec<UnitId> = coming.iter().flat_map(|coming| coming.units.iter().copied()).collect();
        group = group_coming(t, g, &taken).await;
    }
    let leaders = group.map(|(more, leaders)| {
        coming.push(more);
        leaders
    });
    let mut answers: Vec<Vec<Lot>> = coming.iter().map(|_| Vec::new()).collect();
    let mut open = Vec::new();
    for (at, Coming { lots, .. }) in coming.into_iter().enumerate() {
        match lots.only_answer(g) {
            Some(only) => answers[at] = only,
            None => open.push(t.open(g.seat(Side::Us), lots).map(move |lots| (at, lots))),
        }
    }
    for (at, lots) in t.all(g, open).await {
        answers[at] = lots;
    }
    for lots in &answers {
        muster(t, g, lots);
    }
    if let Some(leaders) = leaders {
        leaders.arrive(t, g).await;
    }
}

/// Rolls for new regulars in spring, and enforces the limit of four times the Commitment Level
/// (8.3, 8.3.1).
async fn regulars_coming(t: &T, g: &mut State) -> Option<Coming> {
    // 8.3.2: regulars lost during the year may be raised again.
    let kind = g.c.of_class(Class::Regular);
    let lost: Vec<UnitId> = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::Gone).collect();
    lost.into_iter().for_each(|u| g.unit_mut(u).spot = Spot::Pool);
    let mut drm = Modifiers::new();
    drm.add_if(g.lead() < 0, Drm::ArmyVpsBehind.name(), g.c.drm(Drm::ArmyVpsBehind));
    let die = t.d6("US Army");
    let column = usize::from(g.commitment - 1);
    let got = *g.charts.army.at((die as i32) + drm.total(), column);
    let cap = 4 * g.commitment;
    let have = regulars(g);
    t.tell(|| format!("US Army, die {}: {got} regulars; at most {cap} in play, {have} are.", drm.told(die)));
    if have > cap {
        let fined = removal(t, g, have - cap, Class::Regular, "8.3.1").await;
        g.score(Side::Us, -i32::from(fined), "8.3.1");
        return None;
    }
    let units: Vec<UnitId> = in_pool(g, kind).take(usize::from(got.min(cap - have))).collect();
    let asking = Asking { kind: Ask::Muster, rule: "8.3.2", title: "Where new regulars come" };
    let lots = Lots::new(asking, vec![item(g.c[kind].id.clone(), units.len() as u8, army_places(g), true)]);
    Some(Coming { lots, units })
}

/// Returns the unused counters of a kind.
fn in_pool(g: &State, kind: KindId) -> impl Iterator<Item = UnitId> + '_ {
    g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::Pool)
}

/// Removes up to `n` units of a class that are in supply and not in a besieged fort (8.3.1, 8.4.2).
/// Returns the number that could not be removed.
async fn removal(t: &T, g: &mut State, n: u8, class: Class, rule: &'static str) -> u8 {
    let may = |u: &UnitId| {
        let unit = g.unit(*u);
        // 8.4.2: a pledged unit already cancels a removal, so it cannot be removed as well.
        let pledged = class == Class::Militia && unit.done;
        g.class(*u) == class
            && !unit.starved
            && !pledged
            && match unit.spot {
                Spot::On(a) => !(unit.inside && g.besieged(a)),
                Spot::Edge => true,
                _ => false,
            }
    };
    let units: Vec<UnitId> = g.unit_ids().filter(may).collect();
    let goes = n.min(units.len() as u8);
    let asking = Asking { kind: Ask::Removal, rule, title: "Which units are removed" };
    let lots = Lots::new(asking, by_place(g, &units)).exactly(goes).line(format!("{goes} must go."));
    let lots = put(t, g, g.seat(Side::Us), lots).await;
    for lot in lots {
        let units = chosen(g, &units, &lot);
        units.into_iter().for_each(|u| g.remove(u, Spot::Pool));
        t.tell(|| format!("{} {} of {} are removed.", lot.n, lot.what, lot.at));
    }
    n - goes
}

/// Returns the units by kind as things of a question, with their places.
fn by_place(g: &State, units: &[UnitId]) -> Vec<Item> {
    let item = |(kind, n): (KindId, u8)| {
        let of = units.iter().filter(|&&u| g.unit(u).kind == kind);
        let places = tally(of.map(|&u| words::spot(g, g.unit(u).spot)));
        Item { what: g.c[kind].id.clone(), n, places: places.into(), must: false }
    };
    by_kind(g, units).into_iter().map(item).collect()
}

/// Returns those of the units that an answer names by kind and place.
fn chosen(g: &State, units: &[UnitId], lot: &Lot) -> Vec<UnitId> {
    let of = |u: &&UnitId| g.c[g.unit(**u).kind].id == lot.what && words::spot(g, g.unit(**u).spot) == lot.at;
    units.iter().filter(of).take(lot.n.into()).copied().collect()
}

/// Returns the die roll modifiers of T:us-militia-mobilize-chart.
pub fn militia_modifiers(g: &State) -> Modifiers {
    let mut drm = Modifiers::new();
    let mut add = |row: Drm, times: i32| {
        drm.add(row.name(), g.c.drm(row) * times);
    };
    let lead = g.lead();
    add(Drm::MilitiaVpsBehind, i32::from(lead < 0));
    add(Drm::MilitiaTown, g.towns(|_| true));
    add(Drm::MilitiaCommitment5, i32::from(g.commitment == 5));
    add(Drm::MilitiaSummer, i32::from(g.season == Season::Summer));
    add(Drm::MilitiaRaid, g.raid_total.into());
    let atrocities: u8 = g.land.iter().map(|land| land.atrocity[Side::Na.index()]).sum();
    add(Drm::MilitiaAtrocity, i32::from(atrocities / 2));
    add(Drm::MilitiaCommitment2, i32::from(g.commitment == 2));
    add(Drm::MilitiaSpringOrFall, i32::from(matches!(g.season, Season::Spring | Season::Fall)));
    add(Drm::MilitiaVpsAhead, i32::from(lead > 0));
    add(Drm::MilitiaCommitment1, i32::from(g.commitment == 1));
    drm
}

/// Returns the places where new militia may enter, all in its own state: with a leader, in a town,
/// a fort or an un-pillaged area (8.4.1). An area that has only the last is closed to them if enemy
/// units or an enemy fort are there, and Ohio militia may not enter a nation's unsettled area for
/// being un-pillaged.
pub fn militia_places(g: &State, kind: KindId) -> Vec<String> {
    let state = g.c[kind].state;
    let at = |a: &AreaId| {
        let land = g.land(*a);
        let wild = state == Some(Province::Ohio) && g.c[*a].nation.is_some() && !g.is_settled(*a);
        let led = g.leaders_in(*a, Side::Us).next().is_some();
        let held = led || g.town(*a) || g.fort_of(*a, Side::Us);
        let good = held || (!land.pillaged && !wild);
        Some(g.c[*a].state) == state && good && (held || !g.enemy_in(*a, Side::Us))
    };
    g.c.area_ids().filter(at).map(|a| g.c[a].id.clone()).collect()
}

/// Rolls for militia: units enter, or leave if the result is below 0 (8.4).
async fn militia_coming(t: &T, g: &mut State) -> Option<Coming> {
    let drm = militia_modifiers(g);
    let die = t.d6("militia call");
    let n = die + i64::from(drm.total());
    t.tell(|| format!("Militia: {}.", drm.told(die)));
    if n >= 0 {
        let drawn = draw_militia(t, g, n.min(60) as u8);
        let kinds = by_kind(g, &drawn);
        let items =
            kinds.into_iter().map(|(kind, n)| item(g.c[kind].id.clone(), n, militia_places(g, kind), true)).collect();
        let asking = Asking { kind: Ask::Muster, rule: "8.4.1", title: "Where new militia comes" };
        return Some(Coming { lots: Lots::new(asking, items), units: first_in_pool(g, &drawn) });
    }
    let must = (-n).min(60) as u8;
    let must = must - pledges(t, g, must).await;
    let fined = removal(t, g, must, Class::Militia, "8.4.2").await;
    if fined > 0 {
        g.score(Side::Us, -i32::from(fined), "8.4.2");
        t.tell(|| format!("{fined} militia cannot be removed: US {}.", postrider_table::vps(-i32::from(fined))));
    }
    None
}

/// Returns the counters to place for the kinds drawn: the first unused ones of each kind.
fn first_in_pool(g: &State, drawn: &[UnitId]) -> Vec<UnitId> {
    let kinds = by_kind(g, drawn);
    kinds.into_iter().flat_map(|(kind, n)| in_pool(g, kind).take(usize::from(n)).collect::<Vec<_>>()).collect()
}

/// Asks which militia stays in towns this turn to cancel removals (8.4.2). Returns the number of
/// units pledged.
async fn pledges(t: &T, g: &mut State, must: u8) -> u8 {
    let may = |u: &UnitId| {
        let unit = g.unit(*u);
        g.class(*u) == Class::Militia && !unit.done && unit.spot.area().is_some_and(|a| g.town(a))
    };
    let units: Vec<UnitId> = g.unit_ids().filter(may).collect();
    let items = by_place(g, &units);
    if items.is_empty() {
        return 0;
    }
    let asking = Asking { kind: Ask::Pledge, rule: "8.4.2", title: "Which militia stays in towns this turn" };
    let lots = Lots::new(asking, items)
        .line(format!("{must} militia must be removed; each that stays in its town this turn cancels one."));
    let lots = put(t, g, g.seat(Side::Us), lots.at_most(must)).await;
    let mut n = 0;
    for lot in lots {
        let pledged = chosen(g, &units, &lot);
        n += pledged.len() as u8;
        pledged.into_iter().for_each(|u| g.unit_mut(u).done = true);
    }
    n
}

/// Returns the places where reinforcements may enter: towns adjacent to the Ohio, or the east edge
/// (8.5.2).
fn group_places(g: &State) -> Vec<String> {
    let bank = |a: AreaId| g.c.reaches.iter().any(|reach| reach.north == a || reach.south == a);
    let at = g.c.area_ids().filter(|&a| g.town(a) && bank(a)).map(|a| g.c[a].id.clone());
    at.chain(["edge".to_owned()]).collect()
}

/// The leaders of a reinforcement group that has been taken.
struct GroupLeaders {
    group: &'static Group,
    places: Vec<String>,
    /// The leaders in play before the group was taken.
    before: Vec<LeaderId>,
}

impl GroupLeaders {
    async fn arrive(self, t: &T, g: &mut State) {
        for name in self.group.leaders {
            let l = g.named(name);
            if g.chief(l).spot == Spot::Pool {
                leaders::arrive(t, g, l, &self.places).await;
            }
        }
        leaders::limit(t, g, &self.before).await;
    }
}

/// Asks if the US takes a reinforcement group, once a year in spring, and returns what it brings
/// (8.5.2). Counters in `taken` count as in play.
async fn group_coming(t: &T, g: &mut State, taken: &[UnitId]) -> Option<(Coming, GroupLeaders)> {
    let group = GROUPS.get(usize::from(g.groups))?;
    let kind = g.c.of_class(Class::Regular);
    let pending = taken.iter().filter(|&&u| g.unit(u).kind == kind).count() as u8;
    let asking = Asking { kind: Ask::Group, rule: "8.5.2", title: "Whether reinforcements come" };
    let line = move |g: &State| {
        let cost = if g.commitment == 1 { "no VPs".to_owned() } else { format!("{} VPs and a die", g.commitment) };
        let n = group.regulars.saturating_sub(regulars(g) + pending);
        format!("{}; {n} regulars and a die of militia and {}, for {cost}.", group.leaders.join(", "), group.militia)
    };
    if choose(t, g, g.seat(Side::Us), asking, vec![NO, YES], line).await == NO {
        return None;
    }
    g.groups += 1;
    if g.commitment > 1 {
        let die = t.d6("cost of a group");
        let cost = i32::from(g.commitment) + die as i32;
        g.score(Side::Us, -cost, "8.5.2");
        t.tell(|| format!("The reinforcements cost {cost} VPs: Commitment {} and a die of {die}.", g.commitment));
    }
    let before: Vec<LeaderId> = g.c.leader_ids().filter(|&l| leaders::in_play(g, l)).collect();
    for name in group.withdraw {
        if let Some(l) = g.c.leader(name).filter(|&l| g.chief(l).spot != Spot::Pool) {
            g.retire(l);
        }
    }
    let n = group.regulars.saturating_sub(regulars(g) + pending);
    let units: Vec<UnitId> = in_pool(g, kind).filter(|u| !taken.contains(u)).take(n.into()).collect();
    let places = group_places(g);
    let mut items = vec![item(g.c[kind].id.clone(), units.len() as u8, places.clone(), true)];
    let die = t.d6("militia of a group");
    let militia = group.militia + die as u8;
    t.tell(|| match group.militia {
        0 => format!("With them {militia} militia, by a die of {die}."),
        more => format!("With them {militia} militia: {more} and a die of {die}."),
    });
    let drawn = draw_others(t, g, militia, taken);
    for (kind, n) in by_kind(g, &drawn) {
        items.push(item(g.c[kind].id.clone(), n, places.clone(), true));
    }
    let asking = Asking { kind: Ask::Muster, rule: "8.5.2", title: "Where the reinforcements come" };
    let leaders = GroupLeaders { group, places, before };
    Some((Coming { lots: Lots::new(asking, items), units }, leaders))
}
