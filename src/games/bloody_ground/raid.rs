//! Raids (4.6, 12), and the death of McKee (14.0.5).

use super::{
    Ask, Order, State, T, activation,
    area_set::AreaSet,
    asking::{Asking, Named, Place, choose},
    combat,
    components::{AreaId, Class, Drm, KindId, LeaderId, NationId, Post, Side, Stance, Terrain},
    homes, leaders,
    movement::{Leg, Mover, legs},
    placing::{Item, Lots, put, tally},
    settlers,
    state::{Force, Spot, UnitId},
    supply,
};
use postrider_orders::{counted, with_article};
use postrider_table::{Refusal, chart::Modifiers, refuse, status::LevelCheck};
use std::cmp::Reverse;

/// The route of raiders to their target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Journey {
    pub to: AreaId,
    /// MPs spent by the warriors.
    pub mps: u16,
    /// Number of areas entered that have a US fort.
    pub forts: u8,
    /// The same areas, as a bit set.
    pub fortified: u64,
    /// `true` if the route crosses the Ohio.
    pub ohio: bool,
    /// `true` if it leads through a pillaged area (12.0.4).
    pub waste: bool,
}

impl Journey {
    /// Returns the journey of one step.
    fn step(g: &State, leg: &Leg) -> Journey {
        // 12.0.2: forts passed along a river count as well.
        let entered = || leg.via.iter().copied().chain([leg.to]);
        Journey {
            to: leg.to,
            mps: leg.cost,
            forts: entered().filter(|&a| g.fort_of(a, Side::Us)).count() as u8,
            fortified: entered().map(|a| fortified(g, a)).fold(0, |all, one| all | one),
            ohio: leg.crosses,
            waste: false,
        }
    }
    /// Returns this journey extended by a step.
    fn then(&self, g: &State, step: &Journey) -> Journey {
        Journey {
            to: step.to,
            mps: self.mps + step.mps,
            forts: self.forts + step.forts,
            fortified: self.fortified | step.fortified,
            ohio: self.ohio || step.ohio,
            waste: self.waste || (self.mps > 0 && g.land(self.to).pillaged),
        }
    }
    /// Returns the class of a journey. Only journeys of one class are compared by MPs: same area,
    /// number of forts, crossing of the Ohio, and pillaged area. `forts` is the number of forts on
    /// the map; a route enters each at most once.
    fn sort(&self, forts: u8) -> usize {
        let of_area = usize::from(forts) + 1;
        let place = of_area * self.to.index() + usize::from(self.forts);
        4 * place + 2 * usize::from(self.ohio) + usize::from(self.waste)
    }
    /// Returns the modifier that the journey adds to the die; the best journey has the highest
    /// (T:raid-resolution-chart).
    fn worth(&self) -> i32 {
        -far(self.mps) - i32::from(self.forts) - i32::from(self.ohio)
    }
}

/// Returns the bit of an area if it has a US fort; there are fewer than 64 areas.
fn fortified(g: &State, a: AreaId) -> u64 {
    u64::from(g.fort_of(a, Side::Us)) << a.index()
}

/// Returns the number of penalties for distance: one per full 12 MPs, but none for exactly 12, and
/// one for 13 to 23 (12.0.1).
pub fn far(mps: u16) -> i32 {
    match mps {
        ..=12 => 0,
        more => i32::from(more / 12),
    }
}

/// The queue of journeys to be extended.
struct Due {
    /// The MPs of each journey, in a separate array to speed up the search for the minimum.
    mps: Vec<u16>,
    ways: Vec<(Spot, Journey)>,
}

impl Due {
    fn add(&mut self, at: Spot, way: Journey) {
        self.mps.push(way.mps);
        self.ways.push((at, way));
    }
    /// Removes and returns the first journey with the fewest MPs; the last takes its place.
    fn next(&mut self) -> Option<(Spot, Journey)> {
        const SOME: usize = 32;
        let least = self.mps.iter().copied().min()?;
        let skipped = self.mps.chunks(SOME).take_while(|some| !some.contains(&least)).count() * SOME;
        let at = skipped + self.mps[skipped..].iter().position(|&mps| mps == least)?;
        self.mps.swap_remove(at);
        Some(self.ways.swap_remove(at))
    }
}

/// Returns the best journey of raiders to each area, by forts, the Ohio and MPs.
pub fn journeys(g: &State, mckee: bool, from: Spot) -> Vec<Option<Journey>> {
    all_journeys(g, mckee, from, None)
}

/// Returns the best journey to one area.
pub fn journey(g: &State, from: Spot, to: AreaId) -> Option<Journey> {
    all_journeys(g, false, from, Some(to))[to.index()]
}

/// Returns the best journeys, explored in order of MPs. If only one area is wanted, the search
/// stops when no better journey to it is possible.
fn all_journeys(g: &State, mckee: bool, from: Spot, wanted: Option<AreaId>) -> Vec<Option<Journey>> {
    let mover = Mover::raider(mckee);
    let mut best: Vec<Option<Journey>> = vec![None; g.land.len()];
    // The MPs of the cheapest journey of each class.
    let forts = g.c.area_ids().filter(|&a| g.fort_of(a, Side::Us)).count() as u8;
    let mut known: Vec<u16> = vec![u16::MAX; 4 * (usize::from(forts) + 1) * g.land.len()];
    let mut due = Due { mps: Vec::with_capacity(256), ways: Vec::with_capacity(256) };
    due.add(from, Journey { to: AreaId(0), mps: 0, forts: 0, fortified: 0, ohio: false, waste: false });
    // An area may be expanded several times, once for each journey there that is not dominated.
    let steps = |at: Spot| -> Vec<Journey> {
        let legs = legs(g, mover, at);
        legs.iter().filter(|leg| Spot::On(leg.to) != from).map(|leg| Journey::step(g, leg)).collect()
    };
    let mut steps_from: Vec<Option<Vec<Journey>>> = vec![None; g.land.len()];
    let walled = wanted.map_or(0, |to| i32::from(g.fort_of(to, Side::Us)));
    while let Some((at, so_far)) = due.next() {
        // All further journeys take more MPs than this one.
        let best_left = (-far(so_far.mps + 1) - walled, true, Reverse(so_far.mps + 1));
        let found = wanted.and_then(|to| best[to.index()]);
        if found.is_some_and(|way| (way.worth(), !way.waste, Reverse(way.mps)) >= best_left) {
            break;
        }
        if at != from && known[so_far.sort(forts)] < so_far.mps {
            continue;
        }
        let steps = match at {
            Spot::On(area) => &*steps_from[area.index()].get_or_insert_with(|| steps(at)),
            _ => &steps(at),
        };
        for step in steps {
            let journey = so_far.then(g, step);
            if journey.forts > forts {
                continue;
            }
            let known = &mut known[journey.sort(forts)];
            if *known <= journey.mps {
                continue;
            }
            *known = journey.mps;
            let old = &mut best[step.to.index()];
            let better =
                |old: Journey| (journey.worth(), !journey.waste, old.mps) > (old.worth(), !old.waste, journey.mps);
            if old.is_none_or(better) {
                *old = Some(journey);
            }
            due.add(Spot::On(step.to), journey);
        }
    }
    best
}

/// Checks that a force may raid an area, and returns its journey: warriors must be mobilized and in
/// supply, no member may have acted, and the target must be a US area (12.0.1).
///
/// # Errors
/// A [`Refusal`] if a member may not raid, or the area is not a valid target.
pub fn may_raid(g: &State, from: Spot, force: &Force, to: AreaId) -> Result<Journey, Refusal> {
    may_go(g, from, force, to, || journey(g, from, to))
}

/// Like [`may_raid`], with a function that finds the best journey.
///
/// # Errors
/// As for [`may_raid`].
pub fn may_go(
    g: &State,
    from: Spot,
    force: &Force,
    to: AreaId,
    way: impl FnOnce() -> Option<Journey>,
) -> Result<Journey, Refusal> {
    raiders(g, force, to)?;
    if !is_target(g, to) {
        return refuse("12.0.1", format!("{} is no US area.", g.name(to)));
    }
    if from == Spot::On(to) {
        return Ok(Journey {
            to,
            mps: 0,
            forts: u8::from(g.fort_of(to, Side::Us)),
            fortified: fortified(g, to),
            ohio: false,
            // They move through no area.
            waste: false,
        });
    }
    if !g.in_bounds(to) {
        return refuse("15.1.3", format!("{} lies outside the area of this scenario.", g.name(to)));
    }
    match way() {
        Some(journey) => Ok(journey),
        None => refuse("12.0.1", format!("No way leads to {}.", g.name(to))),
    }
}

/// Returns `true` if an area can be raided: US areas, and any area with US units or a US fort
/// (12.0.1).
fn is_target(g: &State, a: AreaId) -> bool {
    g.us_area(a) || g.units_in(a, Side::Us).next().is_some() || g.fort_of(a, Side::Us)
}

/// Returns `true` if warriors already raid an area this turn, so that leaders may join them.
fn joinable(g: &State, to: AreaId) -> bool {
    g.units_in(to, Side::Na).any(|u| g.unit(u).raiding)
}

fn raiders(g: &State, force: &Force, to: AreaId) -> Result<(), Refusal> {
    if activation::is_second(g, force) {
        return refuse("12.0.1", "Who has acted does not raid.");
    }
    if force.units.is_empty() && !joinable(g, to) {
        return refuse("12.0.1", "Leaders raid with warriors: with them, or where warriors raid already.");
    }
    if !force.units.iter().all(|&u| supply::may_raid(g, u)) {
        return refuse("7.0.4", "Warriors in supply raid, with or without leaders.");
    }
    let beaten = |u: &&UnitId| g.nation_of(**u).is_some_and(|n| g.tribe(n).stance != Stance::Warpath);
    if let Some(&u) = force.units.iter().find(beaten) {
        return refuse("12.0.1", format!("{} warriors are not at war.", g.c[g.unit(u).kind].id));
    }
    let idle = |l: &&LeaderId| g.c[**l].nation.is_some_and(|n| g.tribe(n).stance != Stance::Warpath);
    if let Some(&l) = force.leaders.iter().find(idle) {
        return refuse("12.0.1", format!("The nation of {} is not at war.", g.c[l].name));
    }
    if let Some(&l) = force.leaders.iter().find(|&&l| g.chief(l).starved) {
        return refuse("12.0.1", format!("{} is Out of Supply.", g.c[l].name));
    }
    let barred = |l: &LeaderId| g.c[*l].kind == Post::British || matches!(&*g.c[*l].name, "Tecumseh" | "McKee");
    match force.leaders.iter().find(|l| barred(l)) {
        Some(&l) => {
            let rule = match &*g.c[l].name {
                "Tecumseh" => "14.0.3",
                "McKee" => "14.0.5",
                _ => "12.0.4",
            };
            refuse(rule, format!("{} does not raid.", g.c[l].name))
        }
        None => Ok(()),
    }
}

/// Maximum number of raid targets listed.
const TARGETS: usize = 8;

/// Returns the raids from a spot that options list: each kind of warriors, alone and with a leader,
/// and all with him.
pub fn orders(g: &State, from: Spot) -> Vec<Order> {
    let worth = |a: AreaId| {
        is_target(g, a) && (g.people(a) > 0 || g.units_in(a, Side::Us).any(|u| g.class(u) == Class::Militia))
    };
    let ways = journeys(g, false, from);
    let reached = |&a: &AreaId| ways[a.index()].is_some() || from == Spot::On(a);
    let mut targets: Vec<AreaId> = g.c.area_ids().filter(|&a| worth(a)).filter(reached).collect();
    // Only the best few, so that the list stays readable.
    targets.sort_by_key(|&a| {
        let militia = g.units_in(a, Side::Us).filter(|&u| g.class(u) == Class::Militia).count();
        let way = ways[a.index()].map_or(0, |journey| journey.worth());
        let militia = g.c.drm(Drm::RaidMilitia) * i32::try_from(militia).unwrap_or(0);
        (Reverse(way + militia + i32::from(g.people(a))), a)
    });
    targets.truncate(TARGETS);
    let mut orders = Vec::new();
    let joined = g.c.area_ids().filter(|&a| reached(&a) && is_target(g, a) && joinable(g, a));
    let joined: Vec<AreaId> = joined.filter(|a| !targets.contains(a)).collect();
    for force in activation::stacks(g, Side::Na, from) {
        let who = activation::counts(g, &force);
        let joined = joined.iter().filter(|_| force.units.is_empty());
        for &to in targets.iter().chain(joined).filter(|&&to| raiders(g, &force, to).is_ok()) {
            let from = super::action::words::spot(g, from);
            orders.push(Order::Raid { from, who: who.clone(), to: g.c[to].id.clone(), more: Vec::new() });
        }
    }
    orders
}

/// Moves raiders to their target under a Raid marker (12.0.1).
pub fn set_out(t: &T, g: &mut State, force: &Force, path: &Journey) {
    go(g, force, path);
    t.tell(|| format!("{} raid {} ({}).", activation::told(g, force), g.name(path.to), counted(path.mps, "MP")));
}

/// Changes the position for the start of a raid.
pub fn go(g: &mut State, force: &Force, path: &Journey) {
    super::movement::put(g, force, Spot::On(path.to));
    activation::finish(g, force);
    force.units.iter().for_each(|&u| g.unit_mut(u).raiding = true);
    force.leaders.iter().for_each(|&l| g.chief_mut(l).raiding = true);
    g.raids[path.to.index()].push((force.clone(), *path));
}

/// Returns the journeys of the raiders in an area, each with those who took it and still raid there
/// (12.0.2).
fn ways(g: &State, a: AreaId) -> impl Iterator<Item = (Force, Journey)> + '_ {
    let left = party(g, a);
    g.raids[a.index()].iter().map(move |(force, way)| (force.without(&force.without(&left)), *way))
}

/// Returns the raiders in an area.
fn party(g: &State, a: AreaId) -> Force {
    let units = g.units_in(a, Side::Na).filter(|&u| g.unit(u).raiding).collect();
    Force { units, leaders: g.leaders_in(a, Side::Na).filter(|&l| g.chief(l).raiding).collect() }
}

/// Returns `true` if there are raiders in an area.
fn raided(g: &State, a: AreaId) -> bool {
    g.units_in(a, Side::Na).any(|u| g.unit(u).raiding) || g.leaders_in(a, Side::Na).any(|l| g.chief(l).raiding)
}

/// Returns the modifiers of T:raid-resolution-chart.
pub fn modifiers(g: &State, a: AreaId) -> Modifiers {
    let mut drm = Modifiers::new();
    let party = party(g, a);
    let (mut mps, mut fortified, mut ohio) = (0, 0_u64, false);
    for (force, way) in ways(g, a).filter(|(force, _)| !force.is_empty()) {
        fortified |= way.fortified;
        // MPs and crossings of the Ohio count for warriors only, not for leaders.
        if !force.units.is_empty() {
            (mps, ohio) = (way.mps.max(mps), way.ohio || ohio);
        }
    }
    let mut add = |name: String, by: i32| {
        drm.add(name, by);
    };
    let row = |row: Drm, times: i32| (row.name().to_owned(), g.c.drm(row) * times);
    let militia = g.units_in(a, Side::Us).filter(|&u| g.class(u) == Class::Militia).count();
    let terrain = g.terrain(a);
    let girty = g.named("Girty");
    for (name, by) in [
        row(Drm::RaidMilitia, i32::try_from(militia).unwrap_or(0)),
        (format!("{mps} MPs"), g.c.drm(Drm::RaidFar) * far(mps)),
        row(Drm::RaidFort, fortified.count_ones() as i32),
        row(Drm::RaidOhio, ohio.into()),
    ] {
        add(name, by);
    }
    // 14.0.3: Tecumseh takes no part in raids, and does not raise a rating in them.
    let rating = |l: LeaderId| i32::from(g.c[l].command);
    let best = party.leaders.iter().filter(|&&l| l != girty).max_by_key(|&&l| rating(l));
    let best = best.or(party.leaders.iter().find(|&&l| l == girty));
    if let Some(&l) = best {
        add(g.c[l].name.clone(), rating(l));
    }
    let defender = g.leaders_in(a, Side::Us).max_by_key(|&l| g.c[l].command);
    if let Some(l) = defender {
        add(g.c[l].name.clone(), -rating(l));
    }
    for (name, by) in [
        row(Drm::RaidGirty, party.leaders.contains(&girty).into()),
        row(Drm::RaidRough, (terrain == Terrain::Rough).into()),
        row(Drm::RaidWilderness, (terrain == Terrain::Wilderness).into()),
        row(Drm::RaidSettled, (terrain == Terrain::Settled).into()),
        row(Drm::RaidSevere, g.severe.into()),
    ] {
        add(name, by);
    }
    drm
}

/// Resolves all raids in the order that NA names (4.6, 12.0.2).
pub async fn phase(t: &T, g: &mut State) {
    let mut done = AreaSet::NONE;
    loop {
        let due = |a: &AreaId| !done.has(*a) && raided(g, *a);
        let areas: Vec<AreaId> = g.c.area_ids().filter(due).collect();
        if areas.is_empty() {
            break;
        }
        // Parties without warriors are resolved first, because their order does not matter.
        let over = |a: &AreaId| party(g, *a).units.is_empty();
        if let Some(at) = areas.iter().copied().find(over) {
            done.add(at);
            resolve(t, g, at).await;
            continue;
        }
        let asking = Asking { kind: Ask::RaidOrder, rule: "12.0.2", title: "Which raid is resolved next" };
        let at =
            choose(t, g, g.seat(Side::Na), asking, areas.into_iter().map(Place).collect(), |_| String::new()).await.0;
        done.add(at);
        resolve(t, g, at).await;
    }
    g.raids.iter_mut().for_each(Vec::clear);
    leaders::settle_militia(t, g).await;
    homes::after_raids(t, g).await;
}

/// Resolves one raid (12.0.2, 12.0.3).
async fn resolve(t: &T, g: &mut State, a: AreaId) {
    if party(g, a).units.is_empty() {
        t.tell(|| format!("No warriors are left to raid {}.", g.name(a)));
        return home(t, g, a).await;
    }
    let drm = modifiers(g, a);
    let die = t.d6("raid");
    let row = *g.charts.raid.at((die as i32) + drm.total());
    let result = g.c.raid[row].clone();
    t.tell(|| format!("Raid on {}: {}: {}.", g.name(a), drm.told(die), result.name));
    let raiders = party(g, a).units;
    let militia: Vec<UnitId> = g.units_in(a, Side::Us).filter(|&u| g.class(u) == Class::Militia).collect();
    // A fiasco takes one warrior if fewer than two militia defend; a legend takes one militia if
    // there is a single raider.
    let spared = g.variant.raid_losses && militia.is_empty();
    let warriors = match result.warriors {
        _ if spared => 0,
        2.. if result.leader_check == Some(Side::Na) && militia.len() < 2 => 1,
        n => n,
    };
    let defenders = match result.militia {
        2.. if result.leader_check == Some(Side::Us) && raiders.len() < 2 => 1,
        n => n,
    };
    losses(t, g, a, Side::Na, raiders, warriors).await;
    losses(t, g, a, Side::Us, militia, defenders).await;
    g.land_mut(a).raid = result.marker_stays;
    g.score(Side::Na, result.vps.into(), "12.0.3");
    for _ in 0..result.settlers {
        settlers::strike(t, g, a).await;
    }
    let exposed: Vec<LeaderId> = match result.leader_check {
        Some(Side::Na) => party(g, a).leaders,
        Some(Side::Us) => g.leaders_in(a, Side::Us).collect(),
        None => Vec::new(),
    };
    for l in exposed {
        let die = t.d6("leader in a raid");
        let end = if die == 6 { "he falls" } else { "he is unhurt" };
        t.tell(|| format!("{} in the raid: {die}, 6 needed: {end}.", g.c[l].name));
        if die == 6 {
            leaders::fall_on_map(t, g, l).await;
        }
    }
    home(t, g, a).await;
}

/// Returns a kind of unit as a choice for a loss; militia can also be named by its state.
pub fn lost_of_kind(g: &State, kind: KindId) -> Named<KindId> {
    let id = &g.c[kind].id;
    let named = Named::new(id.clone(), kind).or(format!("we lose {id}")).or(format!("lose {id}"));
    match id.rsplit_once('-') {
        Some((state, _)) => named.or(state),
        None => named,
    }
}

/// Eliminates units chosen by their owner; a second one is lost only if it fails a level check
/// (12.0.3).
async fn losses(t: &T, g: &mut State, a: AreaId, side: Side, mut units: Vec<UnitId>, n: u8) {
    for nth in 0..n {
        if units.is_empty() {
            return;
        }
        let kinds = super::events::by_kind(g, &units);
        let kind = if kinds.len() > 1 {
            let among = kinds.iter().map(|&(kind, n)| lost_of_kind(g, kind).note(format!("{n} there")));
            let asking = Asking { kind: Ask::Loss, rule: "12.0.3", title: "Which unit is lost" };
            let line = match (nth, n) {
                (0, 1) => format!("The raid on {} costs one unit.", g.name(a)),
                (0, _) => format!(
                    "The raid on {} costs one unit, and a second one if that fails a check: this is the first. Two lines answer both.",
                    g.name(a)
                ),
                _ => format!("The raid on {}: this is the second, which is lost if it fails a check.", g.name(a)),
            };
            choose(t, g, g.seat(side), asking, among.collect(), move |_| line.clone()).await.value
        } else {
            kinds[0].0
        };
        // Among like units, the one with least to lose.
        let like = units.iter().copied().filter(|&u| g.unit(u).kind == kind);
        let Some(u) = like.min_by_key(|&u| g.unit(u).rifle) else { return };
        units.retain(|&other| other != u);
        let id = g.c[g.unit(u).kind].id.clone();
        if nth > 0 {
            let check = LevelCheck::new(g.level(u));
            let die = t.d6("second loss");
            let end = if check.passes(die) { "it is not lost" } else { "it is lost too" };
            t.tell(|| format!("A second unit, {id}: {}: {end}.", check.told(die)));
            if check.passes(die) {
                continue;
            }
        }
        g.eliminate(u);
        t.tell(|| format!("One {id} is eliminated."));
    }
}

/// Returns the areas to which raiders and their leaders return: areas of their nation that are
/// neither pillaged nor settled and free of enemies, or un-besieged British forts outside pillaged
/// areas (12.0.4).
pub fn homes(g: &State, nation: Option<NationId>) -> Vec<AreaId> {
    let own = |a: &AreaId| {
        let land = g.c[*a].nation.is_some() && (nation.is_none() || g.c[*a].nation == nation);
        let quiet = !g.land(*a).pillaged && !g.is_settled(*a) && !g.enemy_in(*a, Side::Na);
        // 9.5.2: raiders do not return to a pillaged area, even with a fort.
        (land && quiet) || (g.open_fort(*a, Side::Na) && !g.land(*a).pillaged)
    };
    g.bounded(g.c.area_ids().filter(own).collect())
}

/// Raiders who went through a pillaged area must pass a check on their way home or are eliminated
/// (12.0.4). The survivors return when all raids are resolved.
async fn home(t: &T, g: &mut State, a: AreaId) {
    let party = party(g, a);
    let waste: Vec<Force> = ways(g, a).filter(|(_, way)| way.waste).map(|(force, _)| force).collect();
    for nation in g.c.nation_ids().map(Some).chain([None]) {
        let own = |u: &UnitId| g.nation_of(*u) == nation && waste.iter().any(|force| force.units.contains(u));
        for u in party.units.iter().copied().filter(own).collect::<Vec<_>>() {
            let check = LevelCheck::new(g.level(u));
            let die = t.d6("way home");
            let end = if check.passes(die) { "comes through" } else { "is eliminated" };
            let kind = with_article(&g.c[g.unit(u).kind].id);
            t.tell(|| format!("Home through pillaged land, {kind}: {}: it {end}.", check.told(die)));
            if !check.passes(die) {
                g.eliminate(u);
            }
        }
        let own = |l: &LeaderId| g.c[*l].nation == nation && waste.iter().any(|force| force.leaders.contains(l));
        for l in party.leaders.iter().copied().filter(own).collect::<Vec<_>>() {
            let check = LevelCheck::new(activation::leader_level(g, l));
            let die = t.d6("way home");
            let end = if check.passes(die) { "he comes through" } else { "he is lost" };
            t.tell(|| format!("Home through pillaged land, {}: {}: {end}.", g.c[l].name, check.told(die)));
            if !check.passes(die) {
                leaders::fall_on_map(t, g, l).await;
            }
        }
    }
}

/// Rolls a third die for doubles at the initiative: if it is the same, McKee dies, every level
/// falls by 1, and each nation at war rolls for warriors who leave (14.0.5).
pub async fn mckee(t: &T, g: &mut State, doubles: i64) {
    let mckee = g.named("McKee");
    if g.chief(mckee).spot.area().is_none() {
        return;
    }
    let die = t.d6("McKee");
    if die != doubles {
        t.tell(|| format!("Doubles, a third die for McKee: {die}, {doubles} needed: he lives."));
        return;
    }
    g.retire(mckee);
    t.tell(|| format!("Doubles, a third die for McKee: {die}: he dies, and every Mobilization Level falls by 1."));
    for n in g.c.nation_ids() {
        if g.c[n].fixed == 0 {
            let tribe = g.tribe_mut(n);
            tribe.ml = tribe.ml.saturating_sub(1);
        }
    }
    for n in g.c.nation_ids().filter(|&n| g.is_at_war(n)).collect::<Vec<_>>() {
        let (die, level) = (t.d6("McKee's death"), i64::from(g.tribe(n).ml));
        let lost = (die - level).max(0) as usize;
        // Those who wait off the map are in play too (T:random-events-table, 8).
        let mut all: Vec<UnitId> = g.warriors(n).collect();
        all.sort_by_key(|&u| g.unit(u).rifle);
        let units = deserters(t, g, all, lost).await;
        let go = match units.len() {
            1 => "1 warrior goes".to_owned(),
            n => format!("{n} warriors go"),
        };
        t.tell(|| format!("The {}: {die} against {level}, {go}.", g.c[n].name));
        for u in units {
            g.waste(u);
        }
    }
    // Warriors who left may have besieged a fort.
    combat::lift(g);
}

/// Returns the warriors who leave at McKee's death; NA says from which areas.
async fn deserters(t: &T, g: &mut State, all: Vec<UnitId>, lost: usize) -> Vec<UnitId> {
    let place = |u: UnitId| super::action::words::spot(g, g.unit(u).spot);
    let places = tally(all.iter().map(|&u| place(u)));
    if lost == 0 || lost >= all.len() || places.len() < 2 {
        return all.into_iter().take(lost).collect();
    }
    let item = Item { what: g.c[g.unit(all[0]).kind].id.clone(), n: lost as u8, places: places.into(), must: true };
    let asking = Asking { kind: Ask::Loss, rule: "14.0.5", title: "From where warriors desert" };
    let mut gone: Vec<UnitId> = Vec::new();
    for lot in put(t, g, g.seat(Side::Na), Lots::new(asking, vec![item])).await {
        let here = |u: &&UnitId| super::action::words::spot(g, g.unit(**u).spot) == lot.at;
        gone.extend(all.iter().filter(here).take(usize::from(lot.n)));
    }
    gone
}
