//! Movement on the map (9.4.1 to 9.4.4).

use super::{
    Ask, State, T, activation,
    area_set::AreaSet,
    asking::Asking,
    components::{AreaId, Border, Province, Season, Side, Special},
    events, leaders, mobilization,
    placing::{FORT, Lots, item, put as asked_for},
    state::{Force, GARRISON, Spot, UnitId},
    supply::rivers_open,
};
use postrider_table::{Refusal, refuse};
use std::collections::BTreeMap;

/// MPs of a leader (9.4.1).
pub const LEADER_MA: u16 = 8;

/// A step on the map: by land, across the Ohio or along a river.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leg {
    pub to: AreaId,
    pub cost: u16,
    /// Areas passed along a river.
    pub via: Vec<AreaId>,
    /// `true` if it crosses the Ohio.
    pub crosses: bool,
}

/// Returns the MPs to enter an area by land (T:main-map-terrain-effects-chart).
pub fn entering(g: &State, side: Side, a: AreaId) -> u16 {
    let winter = g.season == Season::Winter || (g.severe && !g.variant.severe_doubled);
    let column = match g.season {
        _ if winter => 3,
        Season::Spring => 0,
        Season::Summer => 1,
        _ => 2,
    };
    let row = &g.c.map_costs[g.terrain(a).index()].mps;
    let mut cost = u16::from(row[2 * column + side.index()]);
    if g.severe && g.variant.severe_doubled {
        cost *= 2;
    }
    if g.land(a).pillaged { cost * 2 } else { cost }
}

/// The properties of a moving force that affect its routes.
#[derive(Clone, Copy)]
pub struct Mover {
    pub side: Side,
    /// `true` if McKee is with it (14.0.5).
    pub mckee: bool,
    held: Held,
}

/// The areas where a move ends.
#[derive(Clone, Copy)]
enum Held {
    /// None, for raiders (11.2.2).
    Nowhere,
    /// Determined from the position for each area.
    Asked,
    /// A precomputed set.
    At(AreaSet),
}

impl Mover {
    pub fn of(g: &State, side: Side, force: &Force) -> Mover {
        let mckee = force.leaders.contains(&g.named("McKee"));
        Mover { side, mckee, held: Held::Asked }
    }
    /// Returns the mover for raiders.
    pub fn raider(mckee: bool) -> Mover {
        Mover { side: Side::Na, mckee, held: Held::Nowhere }
    }
    /// Returns this mover with the ending areas precomputed, for many queries.
    fn prepared(self, g: &State) -> Mover {
        match self.held {
            Held::Asked => {
                Mover { held: Held::At(g.c.area_ids().filter(|&a| g.enemy_in(a, self.side)).collect()), ..self }
            }
            _ => self,
        }
    }
    /// Checks that the force may be in an area (15.1.3, 14.0.5).
    ///
    /// # Errors
    /// A [`Refusal`] with the rule that bars it.
    pub fn may_enter(&self, g: &State, a: AreaId) -> Result<(), Refusal> {
        if !g.in_bounds(a) {
            return refuse("15.1.3", format!("{} lies outside the area of this scenario.", g.name(a)));
        }
        if self.mckee && g.c[a].state != Province::Ohio {
            return refuse("14.0.5", "McKee goes neither south of the Ohio nor into Pennsylvania.");
        }
        Ok(())
    }
    /// Returns `true` if the force may be in an area.
    fn enters(&self, g: &State, a: AreaId) -> bool {
        g.in_bounds(a) && !(self.mckee && g.c[a].state != Province::Ohio)
    }
    /// Returns `true` if a move ends on entering an area (9.4.1).
    fn stops(&self, g: &State, a: AreaId) -> bool {
        match self.held {
            Held::Nowhere => false,
            Held::Asked => g.enemy_in(a, self.side),
            Held::At(areas) => areas.has(a),
        }
    }
}

/// Collects the steps from an area: the cheapest to each area, and the first of equally cheap ones.
struct Legs<'g> {
    g: &'g State,
    mover: Mover,
    /// If set, only steps to this area are collected.
    only: Option<AreaId>,
    found: Vec<Leg>,
}

impl Legs<'_> {
    /// Adds a step by land or across the Ohio, with MPs in addition to those of the terrain.
    fn step(&mut self, to: AreaId, more: u16, crosses: bool) {
        if self.wants(to) {
            self.add(to, entering(self.g, self.mover.side, to) + more, crosses, Vec::new);
        }
    }
    fn wants(&self, to: AreaId) -> bool {
        self.only.is_none_or(|only| only == to)
    }
    fn add(&mut self, to: AreaId, cost: u16, crosses: bool, via: impl FnOnce() -> Vec<AreaId>) {
        if !self.wants(to) {
            return;
        }
        let known = self.found.iter().position(|leg| leg.to == to);
        // 12.0.2: among steps of equal cost, raiders prefer the one past fewer forts.
        let raids = self.by_forts();
        let worse = known.is_some_and(|at| self.found[at].cost < cost || !raids && self.found[at].cost == cost);
        if worse || !self.mover.enters(self.g, to) {
            return;
        }
        let leg = Leg { to, cost, via: via(), crosses };
        match known {
            Some(at) if self.found[at].cost == cost && self.forts(&self.found[at]) <= self.forts(&leg) => {}
            Some(at) => self.found[at] = leg,
            None => self.found.push(leg),
        }
    }
    /// Returns `true` if steps are distinguished by the forts they pass.
    fn by_forts(&self) -> bool {
        matches!(self.mover.held, Held::Nowhere)
    }
    /// Returns the number of US forts that a step passes.
    fn forts(&self, leg: &Leg) -> usize {
        leg.via.iter().filter(|&&a| self.g.fort_of(a, Side::Us)).count()
    }
}

/// Returns the cheapest step to each area that can be reached in one step, in order of areas.
pub fn legs(g: &State, mover: Mover, from: Spot) -> Vec<Leg> {
    let mut legs = Legs { g, mover, only: None, found: Vec::with_capacity(16) };
    find(&mut legs, from);
    legs.found.sort_by_key(|leg| leg.to);
    legs.found
}

/// Returns the cheapest step from one area to another.
pub fn leg(g: &State, mover: Mover, from: Spot, to: AreaId) -> Option<Leg> {
    let mut legs = Legs { g, mover, only: Some(to), found: Vec::new() };
    find(&mut legs, from);
    legs.found.pop()
}

/// Returns the cheapest step from one area to another along a river.
fn along_one(g: &State, mover: Mover, from: AreaId, river: usize, to: AreaId) -> Option<Leg> {
    let mut legs = Legs { g, mover, only: Some(to), found: Vec::new() };
    along(from, river, &mut legs);
    legs.found.pop()
}

fn find(legs: &mut Legs<'_>, from: Spot) {
    let (g, side) = (legs.g, legs.mover.side);
    if let Spot::On(a) = from {
        g.c[a].adjacent.iter().for_each(|&b| legs.step(b, 0, false));
        let open = rivers_open(g);
        match side {
            Side::Na => {
                let more = u16::from(open || (g.severe && g.variant.severe_doubled && g.season != Season::Winter));
                g.c[a].across.iter().for_each(|&b| legs.step(b, more, true));
            }
            Side::Us if g.severe => {}
            Side::Us if !open => g.c[a].across.iter().for_each(|&b| legs.step(b, 0, true)),
            Side::Us => ohio(a, legs),
        }
        if open {
            rivers(a, legs);
        }
    } else {
        // 8.3.2, T:random-events-table: entry from off the map.
        let opens = |b: &AreaId| match side {
            Side::Us => g.c[*b].borders(Border::East),
            Side::Na => g.c[*b].is(Special::IroquoisEnter),
        };
        g.c.area_ids().filter(opens).for_each(|b| legs.step(b, 0, false));
    }
}

/// Returns `true` if a force can take any step from a spot. Areas where moves end do not affect the
/// first step.
pub fn leads_on(g: &State, side: Side, force: &Force, from: Spot) -> bool {
    let mover = Mover { side, mckee: force.leaders.contains(&g.named("McKee")), held: Held::Nowhere };
    let beside = |a: AreaId| g.c[a].adjacent.iter().any(|&b| b != a && mover.enters(g, b));
    from.area().is_some_and(beside) || legs(g, mover, from).iter().any(|leg| Spot::On(leg.to) != from)
}

/// Adds the steps of the US along the Ohio: 1 MP for any distance plus the terrain landed on; they
/// end at a bank with an enemy (9.4.4).
fn ohio(a: AreaId, legs: &mut Legs<'_>) {
    let (g, mover) = (legs.g, legs.mover);
    let reaches = &g.c.reaches;
    let banks = |i: usize| [reaches[i].north, reaches[i].south];
    let held = |i: usize| banks(i).into_iter().any(|b| mover.stops(g, b));
    let north = |b: AreaId| g.c[b].state == Province::Ohio;
    for start in (0..reaches.len()).filter(|&i| banks(i).contains(&a)) {
        for down in [true, false] {
            let (mut i, mut pillaged) = (start, false);
            loop {
                pillaged |= banks(i).into_iter().any(|b| b != a && g.land(b).pillaged);
                for to in banks(i).into_iter().filter(|&to| to != a) {
                    legs.step(to, if pillaged { 2 } else { 1 }, north(a) != north(to));
                }
                let next = if down { Some(i + 1) } else { i.checked_sub(1) };
                match next.filter(|&next| next < reaches.len() && !held(i)) {
                    Some(next) => i = next,
                    None => break,
                }
            }
        }
    }
}

/// Adds the steps along the rivers of an area (9.4.3).
fn rivers(a: AreaId, legs: &mut Legs<'_>) {
    let g = legs.g;
    g.charts.ways[a.index()].rivers.iter().for_each(|bend| along(a, bend.river, legs));
}

/// Adds the steps along one river through areas: 1 MP, or 2 for the US if a pillaged area is passed;
/// NA may use it in no pillaged area, not even where the leg begins (9.4.3). A leg stays on its river and ends at an enemy. All
/// routes are explored that differ in what they pass: pillaged areas and, for raiders, forts.
fn along(a: AreaId, river: usize, legs: &mut Legs<'_>) {
    let (g, mover) = (legs.g, legs.mover);
    if g.land(a).pillaged && mover.side == Side::Na {
        return;
    }
    let by_forts = legs.by_forts();
    // The areas reached, each with the index of the area before it and what the route there passes;
    // less is better.
    let mut gone: Vec<(AreaId, usize, Passed)> = Vec::with_capacity(16);
    gone.push((a, 0, Passed::default()));
    let mut at = 0;
    while let Some(&(here, _, passed_by)) = gone.get(at) {
        let goes_on = at == 0 || !mover.stops(g, here);
        let near = if goes_on { g.charts.ways[here.index()].near(river) } else { &[] };
        for &to in near {
            let waste = g.land(to).pillaged;
            if to == a || !mover.enters(g, to) || (waste && mover.side == Side::Na) {
                continue;
            }
            let forts = passed_by.forts + u8::from(by_forts && g.fort_of(to, Side::Us));
            let by = Passed { pillaged: passed_by.pillaged || waste, forts };
            if gone
                .iter()
                .any(|(known, _, other)| *known == to && other.pillaged <= by.pillaged && other.forts <= forts)
            {
                continue;
            }
            legs.add(to, if by.pillaged { 2 } else { 1 }, false, || passed(&gone, at));
            gone.push((to, at, by));
        }
        at += 1;
    }
}

/// The obstacles that a route along a river passes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Passed {
    /// `true` if it passes a pillaged area.
    pillaged: bool,
    /// Number of US forts passed, for raiders.
    forts: u8,
}

/// Returns the areas on the route to an entry of the list, including that entry but not the start.
fn passed(gone: &[(AreaId, usize, Passed)], mut at: usize) -> Vec<AreaId> {
    let mut via = Vec::new();
    while at > 0 {
        via.push(gone[at].0);
        at = gone[at].1;
    }
    via.reverse();
    via
}

/// Returns the MPs of a force: those of its slowest member (9.4.1, 7.0.4).
pub fn allowance(g: &State, force: &Force) -> u16 {
    let units = force.units.iter().map(|&u| {
        let unit = g.unit(u);
        u16::from(g.c[unit.kind].ma) - u16::from(unit.starved)
    });
    let leaders = force.leaders.iter().map(|&l| LEADER_MA - u16::from(g.chief(l).starved));
    units.chain(leaders).min().unwrap_or(0)
}

/// Returns the areas that a force can reach, each with the cost and a cheapest route.
pub fn reach(g: &State, mover: Mover, from: Spot, mps: u16) -> BTreeMap<AreaId, (u16, Vec<AreaId>)> {
    let mover = mover.prepared(g);
    let mut found: BTreeMap<AreaId, (u16, Vec<AreaId>)> = BTreeMap::new();
    let mut due: Vec<(u16, Spot, Vec<AreaId>)> = vec![(0, from, Vec::new())];
    while let Some(next) = due.iter().enumerate().min_by_key(|(_, d)| (d.0, d.2.len())).map(|(i, _)| i) {
        let (spent, at, way) = due.swap_remove(next);
        if at.area().is_some_and(|a| found.get(&a).is_some_and(|known| known.0 < spent)) {
            continue;
        }
        for leg in legs(g, mover, at) {
            // A unit can always move one area, for all its MPs.
            let cost = spent + leg.cost;
            let first = way.is_empty();
            if Spot::On(leg.to) == from || (cost > mps && !first) {
                continue;
            }
            let whole = cost > mps;
            let cost = cost.min(mps);
            if found.get(&leg.to).is_some_and(|known| known.0 <= cost) {
                continue;
            }
            let mut further = way.clone();
            further.push(leg.to);
            found.insert(leg.to, (cost, further.clone()));
            if !whole && !mover.stops(g, leg.to) {
                due.push((cost, Spot::On(leg.to), further));
            }
        }
    }
    found
}

/// A route under way (9.4.1).
pub struct Walk {
    at: Spot,
    spent: u16,
    legs: Vec<Leg>,
    /// The rivers along which the last step may have led, each with the MPs of that leg so far.
    afloat: Vec<(usize, u16)>,
}

impl Walk {
    pub fn from(from: Spot) -> Walk {
        Walk { at: from, spent: 0, legs: Vec::new(), afloat: Vec::new() }
    }
    /// Goes on through the given areas with a force that has this many MPs for the whole route.
    ///
    /// # Errors
    /// A [`Refusal`] with the step that is not possible.
    pub fn on(&mut self, g: &State, mover: Mover, way: &[AreaId], mps: u16) -> Result<(), Refusal> {
        for &to in way {
            mover.may_enter(g, to)?;
            let first = self.legs.is_empty();
            if !first && self.at.area().is_some_and(|a| mover.stops(g, a)) {
                let at = self.at.area().map_or(String::new(), |a| g.name(a));
                return refuse("9.4.1", format!("The move ends at {at}."));
            }
            let Some(leg) = self.step(g, mover, to) else { return self.no_step(g, mover, to, mps) };
            self.spent += leg.cost;
            if self.spent > mps && !first {
                return refuse("9.4.1", format!("That takes {} MPs; the force has {}.", self.spent, mps));
            }
            if self.spent > mps && way.len() > 1 {
                return refuse("9.4.1", format!("The first step takes all {} MPs.", mps));
            }
            self.at = Spot::On(to);
            self.legs.push(leg);
        }
        Ok(())
    }
    /// Returns the legs of the whole route.
    ///
    /// # Errors
    /// A [`Refusal`] if there are none.
    pub fn legs(self) -> Result<Vec<Leg>, Refusal> {
        if self.legs.is_empty() { refuse("9.4.1", "Say where the force goes.") } else { Ok(self.legs) }
    }
    /// Returns the cheapest step to an area. Consecutive steps along one river are one leg: such a
    /// step costs what it adds to the leg (9.4.3).
    fn step(&mut self, g: &State, mover: Mover, to: AreaId) -> Option<Leg> {
        let rivers = self.at.area().filter(|_| rivers_open(g)).into_iter().flat_map(|a| {
            let here = g.charts.ways[a.index()].rivers.iter();
            here.filter_map(move |bend| Some((bend.river, along_one(g, mover, a, bend.river, to)?)))
        });
        let afloat: Vec<(usize, u16, Leg)> = rivers
            .map(|(river, leg)| {
                let paid = self.afloat.iter().find(|known| known.0 == river).map_or(0, |known| known.1);
                let mps = paid.max(leg.cost);
                (river, mps, Leg { cost: mps - paid, ..leg })
            })
            .collect();
        let all = leg(g, mover, self.at, to).into_iter().chain(afloat.iter().map(|(.., leg)| leg.clone()));
        let best = all.min_by_key(|leg| leg.cost)?;
        let goes_on = afloat.into_iter().filter(|(.., leg)| leg.cost == best.cost);
        self.afloat = goes_on.map(|(river, mps, _)| (river, mps)).collect();
        Some(best)
    }
    /// Refuses a step that does not exist, with the cheapest way to its area.
    fn no_step<A>(&self, g: &State, mover: Mover, to: AreaId, mps: u16) -> Result<A, Refusal> {
        let over = self.at.area().is_some_and(|a| g.c[a].across.contains(&to) && !g.c[a].adjacent.contains(&to));
        if over && mover.side == Side::Us && g.severe {
            return refuse("9.4.4", "In severe weather the US does not cross the Ohio.");
        }
        let known = reach(g, mover, self.at, mps.saturating_sub(self.spent)).remove(&to).map(|(cost, way)| {
            let way: Vec<String> = way.into_iter().map(|a| g.c[a].id.to_lowercase()).collect();
            format!(" The cheapest way there: `to {}`, {cost} MPs.", way.join(", "))
        });
        let known = known.unwrap_or_else(|| " It is out of reach.".to_owned());
        refuse("9.4.1", format!("No step leads to {}.{known}", g.name(to)))
    }
}

/// Returns the legs of a given route.
///
/// # Errors
/// A [`Refusal`] with the step that is not possible.
pub fn walk(g: &State, mover: Mover, from: Spot, way: &[AreaId], mps: u16) -> Result<Vec<Leg>, Refusal> {
    let mut walk = Walk::from(from);
    walk.on(g, mover, way, mps)?;
    walk.legs()
}

/// Checks that a move leaves every militia leader with a unit of his state (14.0.7).
///
/// # Errors
/// A [`Refusal`] if it would not.
pub fn keeps_militia_led(g: &State, side: Side, from: Spot, force: &Force) -> Result<(), Refusal> {
    for l in g.leaders_at(from).filter(|&l| g.c[l].side == side) {
        let Some(state) = g.c[l].state else { continue };
        let goes = force.leaders.contains(&l);
        let mut own = g.units_at(from).filter(|&u| g.c[g.unit(u).kind].state == Some(state));
        if !own.any(|u| force.units.contains(&u) == goes) {
            return refuse("14.0.7", format!("{} stays with militia of {}.", g.c[l].name, state.name()));
        }
    }
    Ok(())
}

/// Checks that Tecumseh ends a move with a unit or leader of his side: one of the arriving force,
/// or one already there (14.0.3).
///
/// # Errors
/// A [`Refusal`] if he would be alone.
pub fn keeps_tecumseh(g: &State, force: &Force, dropped: &[UnitId], end: AreaId) -> Result<(), Refusal> {
    let tecumseh = g.named("Tecumseh");
    if !force.leaders.contains(&tecumseh) {
        return Ok(());
    }
    let comes = force.leaders.len() > 1 || force.units.iter().any(|u| !dropped.contains(u));
    if comes || leaders::has_company(g, end) {
        return Ok(());
    }
    refuse("14.0.3", "Tecumseh stays with a unit or leader of your side.")
}

/// Returns `true` if a route only enters or leaves the fort in the force's own area (11.2.2).
///
/// # Errors
/// A [`Refusal`] if the side has no fort there.
pub fn in_place(g: &State, side: Side, from: Spot, way: &[AreaId]) -> Result<bool, Refusal> {
    if !matches!(way, [only] if Spot::On(*only) == from) {
        return Ok(false);
    }
    if g.fort_of(way[0], side) { Ok(true) } else { refuse("11.2.2", "You have no fort there to go into or out of.") }
}

/// Moves a force along a route. Returns its final spot.
pub async fn go(t: &T, g: &mut State, side: Side, force: &Force, way: &[Leg]) -> Spot {
    go_on(t, g, side, force, way).await.0
}

/// Like [`go`], and also returns `true` if the move has ended: at an enemy, or because a trespassed
/// nation went to war (8.1.2).
pub async fn go_on(t: &T, g: &mut State, side: Side, force: &Force, way: &[Leg]) -> (Spot, bool) {
    let mut at = Spot::Edge;
    if way.is_empty() {
        // 11.2.2: the force enters or leaves the fort of its area.
        at = standing(g, force);
        put(g, force, at);
    }
    for leg in way {
        for &a in leg.via.iter().chain([&leg.to]) {
            at = Spot::On(a);
            put(g, force, at);
            let nation = g.c[a].nation.filter(|_| side == Side::Us && !force.units.is_empty());
            let Some(n) = nation else { continue };
            if mobilization::trespass(t, g, n).await {
                return (at, true);
            }
        }
        if g.enemy_in(leg.to, side) {
            return (at, true);
        }
    }
    (at, false)
}

/// Returns the spot of a force.
pub fn standing(g: &State, force: &Force) -> Spot {
    let unit = force.units.first().map(|&u| g.unit(u).spot);
    unit.or_else(|| force.leaders.first().map(|&l| g.chief(l).spot)).unwrap_or(Spot::Edge)
}

/// Puts a force in a spot, outside any fort. If it leaves its area, it abandons its work on a fort
/// (11.2.1).
pub fn put(g: &mut State, force: &Force, spot: Spot) {
    if standing(g, force) != spot {
        super::fort::abandon(g, force);
    }
    for &u in &force.units {
        let unit = g.unit_mut(u);
        unit.spot = spot;
        unit.inside = false;
    }
    for &l in &force.leaders {
        let chief = g.chief_mut(l);
        chief.spot = spot;
        chief.inside = false;
    }
}

/// Puts a force inside the fort of its area, up to the capacity of ten units; if there is room for
/// some only, the owner chooses (11.2.2).
pub async fn shelter(t: &T, g: &mut State, side: Side, force: &Force) {
    let Spot::On(a) = standing(g, force) else { return };
    if !g.fort_of(a, side) {
        return;
    }
    let there: Vec<UnitId> = force.units.iter().copied().filter(|&u| g.unit(u).spot == Spot::On(a)).collect();
    let inside = g.units_in(a, side).filter(|&u| g.unit(u).inside).count();
    let room = GARRISON.saturating_sub(inside);
    let kinds = events::by_kind(g, &there);
    let mut in_order = there;
    if in_order.len() > room && room > 0 && kinds.len() > 1 {
        let items = kinds.into_iter().map(|(kind, n)| item(g.c[kind].id.clone(), n, [FORT.to_owned()], false));
        let asking = Asking { kind: Ask::Shelter, rule: "11.2.2", title: "Who goes into the fort" };
        let lots = Lots::new(asking, items.collect()).exactly(room as u8).line(format!(
            "The fort at {} has room for {}.",
            g.name(a),
            postrider_orders::counted(room, "unit")
        ));
        let lots = asked_for(t, g, g.seat(side), lots).await;
        let left = |u: &UnitId| !lots.iter().any(|lot| lot.what == g.c[g.unit(*u).kind].id);
        let chosen = lots.iter().flat_map(|lot| {
            let of = |u: &UnitId| g.c[g.unit(*u).kind].id == lot.what;
            in_order.iter().copied().filter(of).take(lot.n.into()).collect::<Vec<_>>()
        });
        let others = in_order.iter().copied().filter(left);
        in_order = chosen.chain(others).collect();
    }
    in_order.into_iter().take(room).for_each(|u| g.unit_mut(u).inside = true);
    for &l in &force.leaders {
        if g.chief(l).spot == Spot::On(a) {
            g.chief_mut(l).inside = true;
        }
    }
}

/// Returns the first area of a leg: where a river or the Ohio leads on, the next area adjacent to
/// the one in which it begins (14.0.1).
pub fn first_area(g: &State, mover: Mover, from: Spot, leg: &Leg) -> Leg {
    if let Some(&to) = leg.via.first() {
        return Leg { to, via: Vec::new(), ..leg.clone() };
    }
    let Some(from_area) = from.area().filter(|&a| !g.beside(a).any(|b| b == leg.to)) else { return leg.clone() };
    let near = |a: usize| g.beside(g.c.area_ids().nth(a).unwrap_or(leg.to)).map(AreaId::index).collect::<Vec<_>>();
    let far = postrider_table::steps(g.land.len(), [leg.to.index()], near);
    let bank = |b: &AreaId| g.c.reaches.iter().any(|reach| reach.north == *b || reach.south == *b);
    let next = g.beside(from_area).filter(bank).filter_map(|b| self::leg(g, mover, from, b));
    next.min_by_key(|one| (far[one.to.index()].unwrap_or(u8::MAX), one.to)).unwrap_or_else(|| leg.clone())
}

/// The movement that the gout allows a force that began an activation with St. Clair (14.0.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gout {
    AllMps,
    HalfMps,
    OneArea,
}

/// Rolls the gout die if St. Clair moves with a force (14.0.1).
pub fn gout(t: &T, g: &State, force: &Force) -> Gout {
    if !force.leaders.iter().any(|&l| g.c[l].name == "St. Clair") {
        return Gout::AllMps;
    }
    let die = t.d6("gout");
    let (gout, told) = match die {
        1 | 2 => (Gout::AllMps, "all MPs"),
        3 | 4 => (Gout::HalfMps, "half the MPs"),
        _ => (Gout::OneArea, "one area"),
    };
    t.tell(|| format!("St. Clair's gout, {die}: {told}."));
    gout
}

/// Returns the spots with pieces of a side that can act.
pub fn spots(g: &State, side: Side) -> Vec<Spot> {
    let mut spots: Vec<Spot> = g
        .unit_ids()
        .filter(|&u| g.side_of(u) == side && activation::can_act(g, u))
        .map(|u| g.unit(u).spot)
        .chain(g.c.leader_ids().filter(|&l| g.c[l].side == side && activation::can_lead(g, l)).map(|l| g.chief(l).spot))
        .filter(|spot| spot.is_in_play())
        .collect();
    spots.sort();
    spots.dedup();
    spots
}
