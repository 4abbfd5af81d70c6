//! Supply (4.3, 7).

use super::{
    Ask, State, T,
    area_set::AreaSet,
    asking::Asking,
    components::{AreaId, Border, Class, LeaderId, NationId, Post, Season, Side, Stance},
    events::by_kind,
    order::Lot,
    placing::{Item, Lots, put},
    state::{GARRISON, Spot, UnitId},
};
use postrider_orders::counted;
use postrider_table::refuse;

/// Number of warriors that an un-besieged British fort supplies (7.0.2).
const FED: usize = 5;

/// Returns `true` if rivers can be used: not in winter or severe weather (7.0.1, 9.4.3).
pub fn rivers_open(g: &State) -> bool {
    g.season != Season::Winter && !g.severe
}

/// Returns the maximum length of a supply line over land, in areas (7.0.1 to 7.0.3).
fn length(g: &State) -> u8 {
    if rivers_open(g) { 3 } else { 2 }
}

/// The constraints on supply lines of a kind of unit.
struct Lines {
    /// Areas that no line passes through.
    barred: AreaSet,
    /// `true` if lines also follow rivers, which adds no length.
    rivers: bool,
}

impl Lines {
    /// Returns the constraints for the US (7.0.1).
    fn us(g: &State) -> Lines {
        Lines { barred: g.c.area_ids().filter(|&a| bars_us(g, a)).collect(), rivers: rivers_open(g) }
    }
    /// Returns the constraints for warriors (7.0.2).
    fn warriors(g: &State) -> Lines {
        Lines { barred: g.c.area_ids().filter(|&a| bars_warriors(g, a)).collect(), rivers: false }
    }
    /// Returns the constraints for British and Canadians (7.0.3).
    fn british(g: &State) -> Lines {
        Lines { barred: g.c.area_ids().filter(|&a| bars_british(g, a)).collect(), rivers: false }
    }
    /// Returns the areas within a line of at most `most` areas. Lines may begin and end in a barred
    /// area.
    fn reach(&self, g: &State, from: AreaId, most: u8) -> AreaSet {
        let mut reached: AreaSet = [from].into_iter().collect();
        // Areas from which lines continue.
        let mut open = reached;
        for left in (0..=most).rev() {
            // First along rivers as far as they go, if the line may use them.
            let along = |open: AreaSet, reached: AreaSet| union(open, |a| g.charts.ways[a.index()].along) & !reached;
            let mut next = if self.rivers { along(open, reached) } else { AreaSet::NONE };
            while !next.is_empty() {
                reached |= next;
                open |= next & !self.barred;
                next = along(open, reached);
            }
            if left == 0 || open.is_empty() {
                break;
            }
            let next = union(open, |a| g.charts.ways[a.index()].beside) & !reached;
            reached |= next;
            open = next & !self.barred;
        }
        reached
    }
}

/// Returns the union of the sets of some areas.
fn union(areas: AreaSet, of: impl Fn(AreaId) -> AreaSet) -> AreaSet {
    areas.iter().fold(AreaSet::NONE, |all, a| all | of(a))
}

/// Returns `true` if no US line may pass through an area (7.0.1).
fn bars_us(g: &State, a: AreaId) -> bool {
    let peaceful = g.c[a].nation.is_some_and(|n| g.c[n].fixed == 0 && g.tribe(n).stance == Stance::Peaceful);
    let led = || g.leaders_in(a, Side::Na).any(|l| g.fighters(a, Side::Na).any(|u| g.leads(l, u)));
    g.land(a).pillaged || peaceful || g.open_fort(a, Side::Na) || led()
}

/// Returns `true` if no line of warriors may pass through an area (7.0.2).
fn bars_warriors(g: &State, a: AreaId) -> bool {
    g.land(a).pillaged || g.is_settled(a) || g.open_fort(a, Side::Us)
}

/// Returns `true` if no British line may pass through an area (7.0.3).
fn bars_british(g: &State, a: AreaId) -> bool {
    g.open_fort(a, Side::Us) || g.land(a).pillaged || g.fighters(a, Side::Us).next().is_some()
}

/// The supply sources of the pieces in an area.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Source {
    /// A source for any number of units.
    Free,
    /// Only these forts, each with a limited capacity.
    Forts(Vec<AreaId>),
    None,
}

impl Source {
    fn of(forts: AreaSet) -> Source {
        if forts.is_empty() { Source::None } else { Source::Forts(forts.iter().collect()) }
    }
}

/// The supply lines and sources of a position.
pub struct Network {
    us: Lines,
    warriors: Lines,
    british: Lines,
    /// Areas that supply any number of US units (7.0.1).
    plenty: AreaSet,
    /// Un-besieged forts, by side.
    forts: [AreaSet; 2],
}

impl Network {
    pub fn of(g: &State) -> Network {
        let edge = |a: AreaId| !g.land(a).pillaged && (g.c[a].borders(Border::East) || g.c[a].borders(Border::South));
        Network {
            us: Lines::us(g),
            warriors: Lines::warriors(g),
            british: Lines::british(g),
            plenty: g.c.area_ids().filter(|&a| g.town(a) || edge(a)).collect(),
            forts: Side::ALL.map(|side| g.c.area_ids().filter(|&a| g.open_fort(a, side)).collect()),
        }
    }
    /// Returns the source of US units in an area (7.0.1).
    fn us_source(&self, g: &State, a: AreaId) -> Source {
        let reached = self.us.reach(g, a, length(g));
        if reached.meets(self.plenty) { Source::Free } else { Source::of(reached & self.forts[Side::Us.index()]) }
    }
    /// Returns `true` if US units in an area have a source.
    pub fn feeds_us(&self, g: &State, a: AreaId) -> bool {
        self.us.reach(g, a, length(g)).meets(self.plenty | self.forts[Side::Us.index()])
    }
    /// Returns the source of warriors of a nation, or of an agent for `None`, in an area (7.0.2).
    fn na_source(&self, g: &State, a: AreaId, nation: Option<NationId>) -> Source {
        let fixed = nation.is_some_and(|n| g.c[n].fixed > 0);
        let home = |b: AreaId| g.c[b].nation.is_some() && (nation.is_none() || g.c[b].nation == nation);
        if !fixed && self.warriors.reach(g, a, u8::MAX).iter().any(home) {
            return Source::Free;
        }
        let british = g.units_in(a, Side::Na).any(|u| g.class(u).is_british())
            || g.leaders_in(a, Side::Na).any(|l| g.c[l].kind == Post::British || g.c[l].name == "McKee");
        let most = if british { u8::MAX } else { length(g) };
        Source::of(self.warriors.reach(g, a, most) & self.forts[Side::Na.index()])
    }
    /// Returns `true` if British units in an area are supplied (7.0.3).
    fn feeds_british(&self, g: &State, a: AreaId) -> bool {
        let most = if rivers_open(g) { u8::MAX } else { 2 };
        self.british.reach(g, a, most).meets(self.forts[Side::Na.index()])
    }
    /// Returns `true` if a unit has no source in its area, without regard to the capacity of forts.
    pub fn feeds_nobody(&self, g: &State, u: UnitId) -> bool {
        let Some(a) = g.unit(u).spot.area() else { return false };
        match g.side_of(u) {
            Side::Us => !self.feeds_us(g, a),
            Side::Na if g.class(u).is_british() => !self.feeds_british(g, a),
            Side::Na => self.na_source(g, a, g.nation_of(u)) == Source::None,
        }
    }
    fn starves(&self, g: &State, l: LeaderId, a: AreaId) -> bool {
        if g.chief(l).inside && g.besieged(a) {
            return false;
        }
        match (g.c[l].side, g.c[l].kind) {
            (Side::Us, _) => !self.feeds_us(g, a),
            (_, Post::British) => !self.feeds_british(g, a),
            _ if g.c[l].name == "McKee" => !self.feeds_british(g, a),
            _ if !g.is_up(l) => false,
            _ => self.na_source(g, a, g.c[l].nation) == Source::None,
        }
    }
}

/// Returns `true` if US supply lines of this season's length lead from one area to another,
/// possibly in several legs linked by un-besieged US forts, villages and permanent settlements
/// (15.1.4).
pub fn linked(g: &State, from: AreaId, to: AreaId) -> bool {
    let lines = Lines::us(g);
    let links: AreaSet = g.c.area_ids().filter(|&a| g.town(a) || g.open_fort(a, Side::Us)).collect();
    let mut reached = AreaSet::NONE;
    let mut due: AreaSet = [from].into_iter().collect();
    let mut seen = due;
    while !due.is_empty() {
        reached |= union(due, |a| lines.reach(g, a, length(g)));
        due = reached & links & !seen;
        seen |= due;
    }
    reached.has(to)
}

/// Marks all pieces that are Out of Supply until the next Supply Phase (4.3).
pub async fn phase(t: &T, g: &mut State) {
    g.units.iter_mut().for_each(|unit| unit.starved = false);
    g.chiefs.iter_mut().for_each(|chief| chief.starved = false);
    let network = Network::of(g);
    // Capacity of each fort.
    let mut room: Vec<usize> = vec![0; g.land.len()];
    for a in g.c.area_ids() {
        if let Some(fort) = g.fort(a) {
            room[a.index()] = if fort.side == Side::Us { GARRISON } else { FED };
        }
    }
    let mut starved: Vec<UnitId> = Vec::new();
    // Units that depend on forts; those with fewest forts come first.
    let mut groups: Vec<Dependants> = Vec::new();
    for a in g.c.area_ids() {
        if g.units_at(Spot::On(a)).next().is_none() {
            continue;
        }
        // At most ten units are inside a besieged fort, which supplies them.
        let shut = |g: &State, u: UnitId| g.unit(u).inside && g.besieged(a);
        let us: Vec<UnitId> = g.units_in(a, Side::Us).filter(|&u| !shut(g, u)).collect();
        if !us.is_empty() {
            sort(network.us_source(g, a), us, &mut groups, &mut starved);
        }
        let na: Vec<UnitId> = g.units_in(a, Side::Na).filter(|&u| !shut(g, u)).collect();
        if na.is_empty() {
            continue;
        }
        for n in g.c.nation_ids() {
            let own = |u: &UnitId| g.nation_of(*u) == Some(n) && g.is_face_up(*u);
            let units: Vec<UnitId> = na.iter().copied().filter(own).collect();
            if !units.is_empty() {
                sort(network.na_source(g, a, Some(n)), units, &mut groups, &mut starved);
            }
        }
        let british: Vec<UnitId> = na.into_iter().filter(|&u| g.class(u).is_british()).collect();
        if !british.is_empty() && !network.feeds_british(g, a) {
            starved.extend(british);
        }
    }
    groups.sort_by_key(|(forts, _)| forts.len());
    for side in Side::ALL {
        let own = |(_, units): &&Dependants| units.iter().all(|&u| g.side_of(u) == side);
        let own: Vec<Dependants> = groups.iter().filter(own).cloned().collect();
        starved.extend(share(t, g, side, own, room.clone()).await);
    }
    for u in starved {
        g.unit_mut(u).starved = true;
    }
    for l in g.c.leader_ids() {
        let Spot::On(a) = g.chief(l).spot else { continue };
        g.chief_mut(l).starved = network.starves(g, l, a);
    }
    let count = g.units.iter().filter(|unit| unit.starved).count();
    if count > 0 {
        t.tell(|| format!("Out of Supply: {}.", counted(count, "unit")));
    }
}

/// Assigns units by their source.
fn sort(source: Source, units: Vec<UnitId>, groups: &mut Vec<Dependants>, starved: &mut Vec<UnitId>) {
    match source {
        _ if units.is_empty() => {}
        Source::Free => {}
        Source::Forts(forts) => groups.push((forts, units)),
        Source::None => starved.extend(units),
    }
}

/// Units in one area that depend on the same forts.
type Dependants = (Vec<AreaId>, Vec<UnitId>);

/// Returns the units without room in any fort under the best distribution; their owner chooses them
/// (7.0.1, 7.0.2).
async fn share(t: &T, g: &mut State, side: Side, groups: Vec<Dependants>, room: Vec<usize>) -> Vec<UnitId> {
    let all: usize = groups.iter().map(|(_, units)| units.len()).sum();
    let most = fed(&sizes(&groups), &room);
    let short = all - most;
    if short == 0 {
        return Vec::new();
    }
    let mut depend: Vec<(String, Vec<(String, u8)>)> = Vec::new();
    for (_, units) in &groups {
        let Some(at) = units.first().and_then(|&u| g.unit(u).spot.area()) else { continue };
        for (kind, n) in by_kind(g, units) {
            let (what, at) = (g.c[kind].id.clone(), g.c[at].id.clone());
            match depend.iter_mut().find(|known| known.0 == what) {
                Some((_, places)) => places.push((at, n)),
                None => depend.push((what, vec![(at, n)])),
            }
        }
    }
    let items = depend.into_iter().map(|(what, places)| {
        let n = places.iter().map(|place| place.1).sum();
        Item { what, n, places: places.into(), must: false }
    });
    let items: Vec<Item> = items.collect();
    let lots = match only_loss(g, &groups, &room, &items, short) {
        Some(only) => only,
        None => {
            let asking = Asking { kind: Ask::Supply, rule: "7.0.1", title: "Who goes Out of Supply" };
            let (last, known) = ((groups.clone(), room.clone()), (groups.clone(), room));
            let lots = Lots::new(asking, items)
                .exactly(short as u8)
                .line(format!("Forts supply {most} of {} that depend on them.", counted(all, "unit")))
                .check(move |g, lots: &[Lot]| match lack(g, &last.0, &last.1, lots) {
                    0 => Ok(()),
                    lack => refuse("7.0.1", format!("Forts cannot supply {lack} of the others.")),
                })
                .apt(move |g, lots, what, at| {
                    let mut lots = lots.to_vec();
                    lots.push(Lot { n: 1, what: what.to_owned(), at: at.to_owned() });
                    fed(&sizes(&without(g, &known.0, &lots)), &known.1) == most
                });
            put(t, g, g.seat(side), lots).await
        }
    };
    let left: Vec<UnitId> = without(g, &groups, &lots).into_iter().flat_map(|(_, units)| units).collect();
    groups.into_iter().flat_map(|(_, units)| units).filter(|u| !left.contains(u)).collect()
}

/// Returns the number of units that forts cannot supply even if those in the lots go without.
fn lack(g: &State, groups: &[Dependants], room: &[usize], lots: &[Lot]) -> usize {
    let left = without(g, groups, lots);
    left.iter().map(|(_, units)| units.len()).sum::<usize>() - fed(&sizes(&left), room)
}

/// Returns the units that must go without if there is only one solution by kind and area.
fn only_loss(g: &State, groups: &[Dependants], room: &[usize], items: &[Item], short: usize) -> Option<Vec<Lot>> {
    let places = items.iter().flat_map(|item| item.places.iter().map(|(at, n)| (item.what.clone(), at.clone(), *n)));
    let mut found: Vec<(Lot, u8)> = places.map(|(what, at, most)| (Lot { n: 0, what, at }, most)).collect();
    let lots = |found: &[(Lot, u8)]| found.iter().map(|(lot, _)| lot.clone()).collect::<Vec<Lot>>();
    for left in (0..short).rev() {
        let fits = (0..found.len()).find(|&i| {
            let mut more = found.clone();
            more[i].0.n += 1;
            more[i].0.n <= more[i].1 && lack(g, groups, room, &lots(&more)) == left
        })?;
        found[fits].0.n += 1;
    }
    let swapped = |from: usize, to: usize| {
        let mut other = found.clone();
        (other[from].0.n, other[to].0.n) = (other[from].0.n.saturating_sub(1), other[to].0.n + 1);
        let possible = found[from].0.n > 0 && other[to].0.n <= other[to].1;
        possible && lack(g, groups, room, &lots(&other)) == 0
    };
    let another = (0..found.len()).any(|from| (0..found.len()).any(|to| from != to && swapped(from, to)));
    (!another).then(|| lots(&found))
}

/// Returns the groups without the units in the lots.
fn without(g: &State, groups: &[Dependants], lots: &[Lot]) -> Vec<Dependants> {
    let mut left = groups.to_vec();
    for lot in lots {
        for _ in 0..lot.n {
            let of = |u: &UnitId| {
                g.c[g.unit(*u).kind].id == lot.what && g.unit(*u).spot.area().is_some_and(|a| g.c[a].id == lot.at)
            };
            let found = left.iter_mut().find_map(|(_, units)| units.iter().position(of).map(|at| (units, at)));
            if let Some((units, at)) = found {
                units.remove(at);
            }
        }
    }
    left
}

/// Returns the forts and size of each group.
fn sizes(groups: &[Dependants]) -> Vec<(&[AreaId], usize)> {
    groups.iter().map(|(forts, units)| (&forts[..], units.len())).collect()
}

/// Returns the maximum number of units that forts with these capacities supply: a maximum bipartite
/// matching with augmenting paths.
fn fed(groups: &[(&[AreaId], usize)], room: &[usize]) -> usize {
    let mut held: Vec<Vec<usize>> = vec![Vec::new(); room.len()];
    let mut fed = 0;
    for (group, (_, units)) in groups.iter().enumerate() {
        for _ in 0..*units {
            fed += usize::from(takes(group, groups, room, &mut held, &mut AreaSet::NONE.clone()));
        }
    }
    fed
}

/// Finds a place for a unit of a group, moving other units if necessary. `held` lists the groups of
/// the units that each fort supplies.
fn takes(
    group: usize,
    groups: &[(&[AreaId], usize)],
    room: &[usize],
    held: &mut [Vec<usize>],
    seen: &mut AreaSet,
) -> bool {
    for &fort in groups[group].0 {
        if seen.has(fort) {
            continue;
        }
        seen.add(fort);
        let at = fort.index();
        if held[at].len() < room[at] {
            held[at].push(group);
            return true;
        }
        for i in 0..held[at].len() {
            if takes(held[at][i], groups, room, held, seen) {
                held[at][i] = group;
                return true;
            }
        }
    }
    false
}

/// Returns `true` if a unit is a warrior in supply, and so may raid (7.0.4).
pub fn may_raid(g: &State, u: UnitId) -> bool {
    g.class(u) == Class::Warrior && !g.unit(u).starved
}

#[cfg(test)]
mod tests {
    use super::*;

    /// dark-and-bloody-ground 7.0.1
    #[test]
    fn forts_supply_as_many_as_they_can_between_them() {
        let [a, b, c] = [0, 1, 2].map(AreaId);
        // The first could fill `a` completely, but the second needs it more.
        let (first, second, third) = ([a, b], [a, c], [c]);
        assert_eq!(fed(&[(&first, 10), (&second, 15)], &[10, 10, 10]), 25);
        assert_eq!(fed(&[(&first, 10), (&second, 15), (&third, 6)], &[10, 10, 10]), 30);
        assert_eq!(fed(&[(&first, 3)], &[0, 2, 9]), 2);
    }
}
