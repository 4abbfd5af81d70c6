//! Supply (4.3, 7).

use super::{
    Ask, State, T,
    asking::Asking,
    components::{AreaId, Border, Class, LeaderId, NationId, Post, Season, Side, Stance},
    events::by_kind,
    lots::{Item, Lots, put},
    state::{GARRISON, Spot, UnitId},
};
use std::collections::VecDeque;

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

/// 9.4.3: areas that the same river connects with this one, each a step along it. The Ohio connects its banks.
pub fn along_rivers(g: &State, a: AreaId) -> Vec<AreaId> {
    let shares = |b: &AreaId| g.c[*b].rivers.iter().any(|river| g.c[a].rivers.contains(river));
    let mut found: Vec<AreaId> = g.c[a].adjacent.iter().copied().filter(shares).collect();
    let reaches = &g.c.reaches;
    let lies = |i: &usize| reaches[*i].north == a || reaches[*i].south == a;
    for i in (0..reaches.len()).filter(lies) {
        for near in [i.checked_sub(1), Some(i), Some(i + 1)].into_iter().flatten() {
            for bank in reaches.get(near).into_iter().flat_map(|reach| [reach.north, reach.south]) {
                if bank != a && !g.c[a].across.contains(&bank) && !found.contains(&bank) {
                    found.push(bank);
                }
            }
        }
    }
    found
}

/// How long the shortest line to each area is: the areas entered by land; a line goes through no area that is barred.
fn lines(g: &State, from: AreaId, rivers: bool, barred: impl Fn(AreaId) -> bool) -> Vec<Option<u8>> {
    let mut far = vec![None; g.land.len()];
    far[from.index()] = Some(0);
    let mut due = VecDeque::from([(from, 0_u8)]);
    while let Some((a, d)) = due.pop_front() {
        if far[a.index()] != Some(d) || (a != from && barred(a)) {
            continue;
        }
        if rivers {
            for b in along_rivers(g, a) {
                if far[b.index()].is_none_or(|old| d < old) {
                    far[b.index()] = Some(d);
                    due.push_front((b, d));
                }
            }
        }
        for b in g.beside(a) {
            if far[b.index()].is_none_or(|old| d + 1 < old) {
                far[b.index()] = Some(d + 1);
                due.push_back((b, d + 1));
            }
        }
    }
    far
}

/// 7.0.1: what no US line goes through.
fn bars_us(g: &State, a: AreaId) -> bool {
    let peaceful = g.c[a].nation.is_some_and(|n| g.c[n].fixed == 0 && g.tribe(n).stance == Stance::Peaceful);
    // Who leads is looked for last, and among few: that takes longest.
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

/// 7.0.1: what US pieces in an area can draw on.
fn us_source(g: &State, a: AreaId) -> Source {
    let far = lines(g, a, rivers_open(g), |b| bars_us(g, b));
    let most = length(g);
    let within = |b: &AreaId| far[b.index()].is_some_and(|d| d <= most);
    let edge = |b: AreaId| !g.land(b).pillaged && (g.c[b].borders(Border::East) || g.c[b].borders(Border::South));
    let reached: Vec<AreaId> = g.c.area_ids().filter(within).collect();
    if reached.iter().any(|&b| g.town(b) || edge(b)) {
        return Source::Free;
    }
    forts(reached.into_iter().filter(|&b| g.open_fort(b, Side::Us)).collect())
}

/// Whether US units in an area can draw on anything.
pub fn feeds_us(g: &State, a: AreaId) -> bool {
    us_source(g, a) != Source::None
}

fn forts(forts: Vec<AreaId>) -> Source {
    if forts.is_empty() { Source::None } else { Source::Forts(forts) }
}

/// 7.0.2: what warriors of a nation, or with `None` an agent, can draw on in an area.
fn na_source(g: &State, a: AreaId, nation: Option<NationId>) -> Source {
    let far = lines(g, a, false, |b| bars_warriors(g, b));
    let fixed = nation.is_some_and(|n| g.c[n].fixed > 0);
    let home = |b: AreaId| g.c[b].nation.is_some() && (nation.is_none() || g.c[b].nation == nation);
    let reached = |b: &AreaId| far[b.index()].is_some();
    if !fixed && g.c.area_ids().filter(reached).any(home) {
        return Source::Free;
    }
    let british = g.units_in(a, Side::Na).any(|u| g.class(u).is_british())
        || g.leaders_in(a, Side::Na).any(|l| g.c[l].kind == Post::British || g.c[l].name == "McKee");
    let most = if british { u8::MAX } else { length(g) };
    let near = |b: &AreaId| far[b.index()].is_some_and(|d| d <= most) && g.open_fort(*b, Side::Na);
    forts(g.c.area_ids().filter(near).collect())
}

/// 7.0.3: whether British in an area are supplied.
fn british_fed(g: &State, a: AreaId) -> bool {
    let far = lines(g, a, false, |b| bars_british(g, b));
    let most = if rivers_open(g) { u8::MAX } else { 2 };
    g.c.area_ids().any(|b| far[b.index()].is_some_and(|d| d <= most) && g.open_fort(b, Side::Na))
}

/// Whether a US line leads from one area to another at this season's length, by areas, rivers and what stands between: un-besieged
/// US forts and villages link it anew (15.1.4).
pub fn linked(g: &State, from: AreaId, to: AreaId) -> bool {
    let mut seen = vec![from];
    let mut at = 0;
    while let Some(&a) = seen.get(at) {
        at += 1;
        let far = lines(g, a, rivers_open(g), |b| bars_us(g, b));
        for b in g.c.area_ids().filter(|&b| far[b.index()].is_some_and(|d| d <= length(g))) {
            if b == to {
                return true;
            }
            if (g.town(b) || g.open_fort(b, Side::Us)) && !seen.contains(&b) {
                seen.push(b);
            }
        }
    }
    false
}

/// 4.3: marks all that is Out of Supply, until the next Supply Phase.
pub async fn phase(t: &T, g: &mut State) {
    g.units.iter_mut().for_each(|unit| unit.starved = false);
    g.chiefs.iter_mut().for_each(|chief| chief.starved = false);
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
            sort(us_source(g, a), us, &mut groups, &mut starved);
        }
        for n in g.c.nation_ids() {
            let own = |u: &UnitId| g.nation_of(*u) == Some(n) && g.is_face_up(*u) && !shut(g, *u);
            let units: Vec<UnitId> = g.units_in(a, Side::Na).filter(own).collect();
            if !units.is_empty() {
                sort(na_source(g, a, Some(n)), units, &mut groups, &mut starved);
            }
        }
        let british = g.units_in(a, Side::Na).filter(|&u| g.class(u).is_british() && !shut(g, u));
        let british: Vec<UnitId> = british.collect();
        if !british.is_empty() && !british_fed(g, a) {
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
        g.chief_mut(l).starved = leader_starves(g, l, a);
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

fn leader_starves(g: &State, l: LeaderId, a: AreaId) -> bool {
    if g.chief(l).inside && g.besieged(a) {
        return false;
    }
    match (g.c[l].side, g.c[l].kind) {
        (Side::Us, _) => us_source(g, a) == Source::None,
        (_, Post::British) => !british_fed(g, a),
        _ if g.c[l].name == "McKee" => !british_fed(g, a),
        (_, _) if g.c[l].nation.is_some_and(|n| g.tribe(n).stance == Stance::Peaceful) => false,
        _ => na_source(g, a, g.c[l].nation) == Source::None,
    }
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
