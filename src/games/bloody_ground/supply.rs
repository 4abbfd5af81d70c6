//! Supply (4.3, 7).

use super::{
    Ask, State, T,
    area_set::AreaSet,
    asking::Asking,
    components::{AreaId, Border, Class, LeaderId, NationId, Post, Season, Side, Stance},
    events::by_kind,
    lots::{Item, Lots, put},
    state::{GARRISON, Spot, UnitId},
};

/// 7.0.2: warriors whom an un-besieged British fort supplies.
const FED: usize = 5;

/// 7.0.1, 9.4.3: no rivers in winter and in severe weather.
pub fn rivers_open(g: &State) -> bool {
    g.season != Season::Winter && !g.severe
}

/// 7.0.1 to 7.0.3: how many areas a land line may be long.
fn length(g: &State) -> u8 {
    if rivers_open(g) { 3 } else { 2 }
}

/// How lines of supply lead for somebody.
struct Lines {
    /// What no line goes through.
    barred: AreaSet,
    /// Lines lead along rivers too, which takes no length.
    rivers: bool,
}

impl Lines {
    /// 7.0.1: of the US.
    fn us(g: &State) -> Lines {
        Lines { barred: g.c.area_ids().filter(|&a| bars_us(g, a)).collect(), rivers: rivers_open(g) }
    }
    /// 7.0.2: of warriors.
    fn warriors(g: &State) -> Lines {
        Lines { barred: g.c.area_ids().filter(|&a| bars_warriors(g, a)).collect(), rivers: false }
    }
    /// 7.0.3: of British and Canadians.
    fn british(g: &State) -> Lines {
        Lines { barred: g.c.area_ids().filter(|&a| bars_british(g, a)).collect(), rivers: false }
    }
    /// The areas to which lines of at most so many areas lead from an area. A line ends at what is barred, but may begin there.
    fn reach(&self, g: &State, from: AreaId, most: u8) -> AreaSet {
        let mut reached: AreaSet = [from].into_iter().collect();
        // Those from which lines go on, and those that are as far as they.
        let mut open = reached;
        for left in (0..=most).rev() {
            // Along rivers as far as they lead, where they count at all.
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

/// All areas of the sets that belong to some areas.
fn union(areas: AreaSet, of: impl Fn(AreaId) -> AreaSet) -> AreaSet {
    areas.iter().fold(AreaSet::NONE, |all, a| all | of(a))
}

/// 7.0.1: what no US line goes through.
fn bars_us(g: &State, a: AreaId) -> bool {
    let peaceful = g.c[a].nation.is_some_and(|n| g.c[n].fixed == 0 && g.tribe(n).stance == Stance::Peaceful);
    let led = || g.leaders_in(a, Side::Na).any(|l| g.fighters(a, Side::Na).any(|u| g.leads(l, u)));
    g.land(a).pillaged || peaceful || g.open_fort(a, Side::Na) || led()
}

/// 7.0.2: what no line of warriors goes through.
fn bars_warriors(g: &State, a: AreaId) -> bool {
    g.land(a).pillaged || g.is_settled(a) || g.open_fort(a, Side::Us)
}

/// 7.0.3: what no British line goes through.
fn bars_british(g: &State, a: AreaId) -> bool {
    g.open_fort(a, Side::Us) || g.land(a).pillaged || g.fighters(a, Side::Us).next().is_some()
}

/// What an area's pieces can draw on.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Source {
    /// Any number of units.
    Free,
    /// These forts, each for so many.
    Forts(Vec<AreaId>),
    None,
}

impl Source {
    fn of(forts: AreaSet) -> Source {
        if forts.is_empty() { Source::None } else { Source::Forts(forts.iter().collect()) }
    }
}

/// The lines of supply of a position, and to what they lead.
pub struct Network {
    us: Lines,
    warriors: Lines,
    british: Lines,
    /// 7.0.1: areas that supply any number of US units.
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
    /// 7.0.1: what US pieces in an area can draw on.
    fn us_source(&self, g: &State, a: AreaId) -> Source {
        let reached = self.us.reach(g, a, length(g));
        if reached.meets(self.plenty) { Source::Free } else { Source::of(reached & self.forts[Side::Us.index()]) }
    }
    /// Whether US units in an area can draw on anything.
    pub fn feeds_us(&self, g: &State, a: AreaId) -> bool {
        self.us.reach(g, a, length(g)).meets(self.plenty | self.forts[Side::Us.index()])
    }
    /// 7.0.2: what warriors of a nation, or with `None` an agent, can draw on in an area.
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
    /// 7.0.3: whether British in an area are supplied.
    fn feeds_british(&self, g: &State, a: AreaId) -> bool {
        let most = if rivers_open(g) { u8::MAX } else { 2 };
        self.british.reach(g, a, most).meets(self.forts[Side::Na.index()])
    }
    /// Whether a unit draws on nothing where it stands, forts taken for full.
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
            (_, _) if g.c[l].nation.is_some_and(|n| g.tribe(n).stance == Stance::Peaceful) => false,
            _ => self.na_source(g, a, g.c[l].nation) == Source::None,
        }
    }
}

/// Whether a US line leads from one area to another at this season's length, by areas, rivers and what stands between: un-besieged
/// US forts and villages link it anew (15.1.4).
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

/// 4.3: marks all that is Out of Supply, until the next Supply Phase.
pub async fn phase(t: &T, g: &mut State) {
    g.units.iter_mut().for_each(|unit| unit.starved = false);
    g.chiefs.iter_mut().for_each(|chief| chief.starved = false);
    let network = Network::of(g);
    // What each fort still supplies.
    let mut room: Vec<usize> = vec![0; g.land.len()];
    for a in g.c.area_ids() {
        if let Some(fort) = g.fort(a) {
            room[a.index()] = if fort.side == Side::Us { GARRISON } else { FED };
        }
    }
    let mut starved: Vec<UnitId> = Vec::new();
    for a in g.c.area_ids() {
        besieged(t, g, a, &mut starved).await;
    }
    // Who depends on forts, those first that have fewest to draw on.
    let mut groups: Vec<(Vec<AreaId>, Vec<UnitId>)> = Vec::new();
    for a in g.c.area_ids() {
        let shut = |g: &State, u: UnitId| g.unit(u).inside && g.besieged(a);
        let us: Vec<UnitId> = g.units_in(a, Side::Us).filter(|&u| !shut(g, u)).collect();
        if !us.is_empty() {
            sort(network.us_source(g, a), us, &mut groups, &mut starved);
        }
        for n in g.c.nation_ids() {
            let own = |u: &UnitId| g.nation_of(*u) == Some(n) && g.is_face_up(*u) && !shut(g, *u);
            let units: Vec<UnitId> = g.units_in(a, Side::Na).filter(own).collect();
            if !units.is_empty() {
                sort(network.na_source(g, a, Some(n)), units, &mut groups, &mut starved);
            }
        }
        let british = g.units_in(a, Side::Na).filter(|&u| g.class(u).is_british() && !shut(g, u));
        let british: Vec<UnitId> = british.collect();
        if !british.is_empty() && !network.feeds_british(g, a) {
            starved.extend(british);
        }
    }
    groups.sort_by_key(|(forts, _)| forts.len());
    for (forts, units) in groups {
        let mut fed = 0;
        for fort in forts {
            let here = room[fort.index()].min(units.len() - fed);
            room[fort.index()] -= here;
            fed += here;
        }
        let short = units.len() - fed;
        starved.extend(which(t, g, units, short).await);
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
        t.tell(|| format!("Out of Supply: {count} units."));
    }
}

/// Units by what they draw on.
fn sort(source: Source, units: Vec<UnitId>, groups: &mut Vec<(Vec<AreaId>, Vec<UnitId>)>, starved: &mut Vec<UnitId>) {
    match source {
        _ if units.is_empty() => {}
        Source::Free => {}
        Source::Forts(forts) => groups.push((forts, units)),
        Source::None => starved.extend(units),
    }
}

/// 7.0.1, 7.0.3: in a besieged fort ten units are supplied.
async fn besieged(t: &T, g: &mut State, a: AreaId, starved: &mut Vec<UnitId>) {
    if !g.besieged(a) {
        return;
    }
    let inside = Side::ALL.into_iter().flat_map(|side| g.units_in(a, side).collect::<Vec<_>>());
    let inside: Vec<UnitId> = inside.filter(|&u| g.unit(u).inside).collect();
    let short = inside.len().saturating_sub(GARRISON);
    starved.extend(which(t, g, inside, short).await);
}

/// Which of some units go without: the owner says, where they differ.
async fn which(t: &T, g: &mut State, units: Vec<UnitId>, short: usize) -> Vec<UnitId> {
    let kinds = by_kind(g, &units);
    if short == 0 || kinds.is_empty() {
        return Vec::new();
    }
    if short >= units.len() {
        return units;
    }
    let side = g.side_of(units[0]);
    let here = "out-of-supply".to_owned();
    let items = kinds.iter().map(|&(kind, n)| Item {
        what: g.c[kind].id.clone(),
        n,
        places: vec![(here.clone(), n)],
        must: false,
    });
    if let [(kind, _)] = kinds[..] {
        // Like units: none is asked for.
        return units.into_iter().filter(|&u| g.unit(u).kind == kind).take(short).collect();
    }
    let asking = Asking { kind: Ask::Supply, rule: "7.0.1", title: "Who goes Out of Supply" };
    let lots = Lots::new(asking, items.collect()).exactly(short as u8);
    let lots = put(t, g, g.seat(side), lots).await;
    let mut out = Vec::new();
    for lot in lots {
        let of = |u: &&UnitId| g.c[g.unit(**u).kind].id == lot.what;
        out.extend(units.iter().filter(of).take(usize::from(lot.n)).copied());
    }
    out
}

/// Whether a unit is a warrior who cannot raid for want of supply (7.0.4).
pub fn may_raid(g: &State, u: UnitId) -> bool {
    g.class(u) == Class::Warrior && !g.unit(u).starved
}
