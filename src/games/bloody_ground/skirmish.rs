//! Skirmishes and assaults on forts (11.1).

use super::{
    Ask, State, T,
    asking::{Asking, Named, Place, choose},
    components::{AreaId, Class, Drm, Side, Stance, Terrain},
    fort, leaders,
    order::Lot,
    placing::{Item, Lots, item, put, tally},
    state::{Spot, UnitId},
};
use postrider_orders::with_article;
use postrider_table::{chart::Modifiers, status::LevelCheck, steps};
use std::rc::Rc;

/// Returns the Skirmish Factors of a side's forts (11.1.3).
fn factors(side: Side) -> u8 {
    match side {
        Side::Us => 1,
        Side::Na => 2,
    }
}

/// One side of a pairing: units, and Skirmish Factors of a fort.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Party {
    pub units: Vec<UnitId>,
    pub walls: u8,
}

impl Party {
    fn count(&self) -> i32 {
        i32::try_from(self.units.len()).unwrap_or(0) + i32::from(self.walls)
    }
}

/// A pairing of two parties, indexed by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    pub sides: [Party; 2],
}

/// Returns a side's die roll modifiers in the open (T:skirmish-resolution-chart).
pub fn open_modifiers(g: &State, a: AreaId, pairing: &Pairing, side: Side) -> Modifiers {
    let own = &pairing.sides[side.index()];
    let mut drm = Modifiers::new();
    let mut add = |row: Drm, times: i32| {
        drm.add(row.name(), g.c.drm(row) * times);
    };
    let terrain = g.terrain(a);
    let has = |class: Class| own.units.iter().any(|&u| g.class(u) == class);
    add(Drm::SkirmishMoreUnits, own.count() - 1);
    add(Drm::SkirmishMilitia, i32::from(has(Class::Militia) && terrain == Terrain::Wilderness));
    add(Drm::SkirmishRough, i32::from(has(Class::Warrior) && terrain == Terrain::Rough));
    add(Drm::SkirmishSettled, i32::from(has(Class::Warrior) && terrain == Terrain::Settled));
    add(Drm::SkirmishCommitment, i32::from(side == Side::Us && g.commitment <= 2));
    add(Drm::SkirmishSurrendered, i32::from(beaten(g, own)));
    drm
}

/// Returns `true` if the nation of any of these warriors has surrendered.
fn beaten(g: &State, party: &Party) -> bool {
    party.units.iter().any(|&u| g.nation_of(u).is_some_and(|n| g.tribe(n).stance == Stance::Surrendered))
}

/// Returns a side's die roll modifiers in an assault on a fort (T:skirmish-resolution-chart).
pub fn fort_modifiers(g: &State, a: AreaId, pairing: &Pairing, side: Side) -> Modifiers {
    let own = &pairing.sides[side.index()];
    let Some(fort) = g.fort(a) else { return Modifiers::new() };
    let inside = side == fort.side;
    let mut drm = Modifiers::new();
    let mut add = |row: Drm, times: i32| {
        drm.add(row.name(), g.c.drm(row) * times);
    };
    add(Drm::AssaultInside, i32::from(inside));
    let regulars = own.units.iter().any(|&u| g.class(u).is_regular());
    add(Drm::AssaultRegular, i32::from(!inside && regulars));
    add(Drm::AssaultMoreUnits, own.count() - 1);
    add(Drm::AssaultSiege, if inside { fort.siege.into() } else { 0 });
    add(Drm::AssaultCommitment, i32::from(side == Side::Us && g.commitment <= 2));
    add(Drm::AssaultSurrendered, i32::from(beaten(g, own)));
    drm
}

/// Resolves a skirmish in the open (11.1).
pub async fn open(t: &T, g: &mut State, a: AreaId) {
    let units = Side::ALL.map(|side| g.outside(a, side).collect::<Vec<_>>());
    let parties = units.map(|units| Party { units, walls: 0 });
    let pairings = pair(t, g, a, parties).await;
    rounds(t, g, a, pairings, false).await;
    for side in Side::ALL {
        lone_leaders(t, g, a, side).await;
    }
}

/// Resolves an assault on a fort, whose Skirmish Factors fight as units (11.1.3).
pub async fn assault(t: &T, g: &mut State, a: AreaId, besieger: Side) {
    let inside = besieger.enemy();
    let party = |side: Side| {
        if side == inside {
            let units = g.fighters(a, side).filter(|&u| g.unit(u).inside).collect();
            Party { units, walls: factors(inside) }
        } else {
            Party { units: g.outside(a, side).collect(), walls: 0 }
        }
    };
    let parties = Side::ALL.map(party);
    let pairings = pair(t, g, a, parties).await;
    rounds(t, g, a, pairings, true).await;
}

/// Returns the name of a unit in a pairing: its kind, or `walls` for a Skirmish Factor.
fn label(g: &State, u: Option<UnitId>) -> String {
    u.map_or("walls".to_owned(), |u| g.c[g.unit(u).kind].id.clone())
}

/// Returns `true` if the units are the same in every respect that matters in a fight.
fn all_alike(g: &State, units: &[Option<UnitId>]) -> bool {
    let sort = |u: UnitId| {
        let unit = g.unit(u);
        (unit.kind, unit.condition, unit.starved, unit.rifle, unit.inside)
    };
    let first = units.first().copied().flatten();
    first.is_some_and(|first| units.iter().all(|u| u.is_some_and(|u| sort(u) == sort(first))))
}

/// Returns the units of the smaller side as targets with names such as `regular 1`. The owner of a
/// British fort chooses if its Skirmish Factors fight together, separately, or with units of the
/// garrison (11.1.3).
async fn targets(t: &T, g: &mut State, a: AreaId, side: Side, party: &Party) -> Vec<(String, Party)> {
    let mut all: Vec<(String, Party)> = Vec::new();
    for &u in &party.units {
        let kind = label(g, Some(u));
        let nth = 1 + all.iter().filter(|(name, _)| name.rsplit_once(' ').is_some_and(|(k, _)| k == kind)).count();
        all.push((format!("{kind} {nth}"), Party { units: vec![u], walls: 0 }));
    }
    let alone = (1..=party.walls).map(|n| (format!("walls {n}"), Party::default()));
    if party.walls < 2 {
        all.extend(alone.map(|(name, _)| (name, Party { walls: 1, ..Party::default() })));
        return all;
    }
    // By default they fight together.
    let mut groups: Vec<(String, Party)> = alone.collect();
    groups.extend(all);
    let places = groups.iter().map(|(name, _)| name.clone());
    let asking = Asking { kind: Ask::Pairing, rule: "11.1.3", title: "How the Skirmish Factors of the fort fight" };
    let lots = Lots::new(asking, vec![item("walls", party.walls, places, true)]).line(format!(
        "The fort at {} is assaulted: its {} Skirmish Factors fight together, each alone, or beside units inside.",
        g.name(a),
        party.walls
    ));
    for lot in put(t, g, g.seat(side), lots).await {
        groups.iter_mut().filter(|(name, _)| *name == lot.at).for_each(|(_, party)| party.walls += lot.n);
    }
    groups.retain(|(_, party)| party.count() > 0);
    // Units come first, as in other lists.
    groups.sort_by_key(|(_, party)| party.units.is_empty());
    groups
}

/// Pairs the units one to one (11.1). The side with more units chooses the pairings, and places or
/// withholds its excess.
async fn pair(t: &T, g: &mut State, a: AreaId, parties: [Party; 2]) -> Vec<Pairing> {
    let counts = Side::ALL.map(|side| parties[side.index()].count());
    let many = match counts[0].cmp(&counts[1]) {
        std::cmp::Ordering::Greater => Side::Us,
        std::cmp::Ordering::Less => Side::Na,
        std::cmp::Ordering::Equal => g.initiative,
    };
    let few = many.enemy();
    let list = |side: Side| -> Vec<Option<UnitId>> {
        let party = &parties[side.index()];
        party.units.iter().copied().map(Some).chain((0..party.walls).map(|_| None)).collect()
    };
    let targets = targets(t, g, a, few, &parties[few.index()]).await;
    let mut own = list(many);
    own.sort_by_key(|u| u.is_some_and(|u| g.unit(u).rifle));
    let names: Vec<String> = targets.iter().map(|(name, _)| name.clone()).collect();
    let kinds = tally(own.iter().map(|&u| label(g, u)));
    // In a one-to-one pairing with all units of one side alike, the choice makes no difference.
    let singly = |(_, party): &(String, Party)| party.units.first().copied().filter(|_| party.count() == 1);
    let fought: Vec<Option<UnitId>> = targets.iter().map(singly).collect();
    let one_to_one = own.len() == targets.len() && (all_alike(g, &own) || all_alike(g, &fought));
    let lots = if targets.len() == 1 && own.len() == 1 || one_to_one {
        let each = own.iter().zip(&names).map(|(&u, name)| Lot { n: 1, what: label(g, u), at: name.clone() });
        each.collect()
    } else {
        let places: Rc<[(String, u8)]> = names.iter().map(|name| (name.clone(), u8::MAX)).collect();
        let items =
            kinds.iter().map(|(what, n)| Item { what: what.clone(), n: *n, places: places.clone(), must: false });
        let asking = Asking { kind: Ask::Pairing, rule: "11.1", title: "Who fights whom" };
        let (names_, least) = (names.clone(), targets.len() as u8);
        let lots = Lots::new(asking, items.collect())
            .each(names.clone())
            .line(format!(
                "At {}: each enemy has at least one against him; the excess is placed or withheld.",
                g.name(a)
            ))
            .check(move |_, lots: &[Lot]| {
                let bare = names_.iter().find(|name| !lots.iter().any(|lot| lot.at == **name && lot.n > 0));
                match bare {
                    Some(name) => {
                        postrider_table::refuse("11.1", format!("Nobody fights {name}; {least} must be fought."))
                    }
                    None => Ok(()),
                }
            });
        put(t, g, g.seat(many), lots).await
    };
    let mut free = own;
    let mut pairings = Vec::new();
    for (name, target) in targets {
        let mut sides = [Party::default(), Party::default()];
        sides[few.index()] = target;
        let add = |party: &mut Party, u: Option<UnitId>| match u {
            Some(u) => party.units.push(u),
            None => party.walls += 1,
        };
        for lot in lots.iter().filter(|lot| lot.at == name) {
            for _ in 0..lot.n {
                if let Some(at) = free.iter().position(|&u| label(g, u) == lot.what) {
                    add(&mut sides[many.index()], free.remove(at));
                }
            }
        }
        pairings.push(Pairing { sides });
    }
    pairings
}

/// Resolves the pairings in the order that the side with the initiative chooses (11.1.1).
async fn rounds(t: &T, g: &mut State, a: AreaId, mut pairings: Vec<Pairing>, fort: bool) {
    while !pairings.is_empty() {
        let told = |g: &State, pairing: &Pairing, i: usize| {
            let side = |party: &Party| {
                let units =
                    super::events::by_kind(g, &party.units).into_iter().map(|(k, n)| format!("{n} {}", g.c[k].id));
                let walls = (party.walls > 0).then(|| format!("{} SF", party.walls));
                units.chain(walls).collect::<Vec<_>>().join(" and ")
            };
            Named::new((i + 1).to_string(), i).note(format!(
                "{} against {}",
                side(&pairing.sides[0]),
                side(&pairing.sides[1])
            ))
        };
        let among = pairings.iter().enumerate().map(|(i, pairing)| told(g, pairing, i)).collect();
        let asking = Asking { kind: Ask::PairOrder, rule: "11.1.1", title: "Which pairing fights next" };
        let alike = |other: &Pairing| {
            let sides = |pairing: &Pairing| Side::ALL.map(|side| pairing.sides[side.index()].clone());
            let same = sides(other).into_iter().zip(sides(&pairings[0]));
            same.into_iter().all(|(one, first)| {
                let both: Vec<Option<UnitId>> = one.units.iter().chain(&first.units).copied().map(Some).collect();
                one.units.len() == first.units.len()
                    && one.walls == first.walls
                    && (both.is_empty() || all_alike(g, &both))
            })
        };
        let i = match pairings.iter().all(alike) {
            true => 0,
            false => choose(t, g, g.seat(g.initiative), asking, among, |_| String::new()).await.value,
        };
        let pairing = pairings.remove(i);
        fight(t, g, a, pairing, fort).await;
        if fort && g.fort(a).is_none() {
            return;
        }
    }
}

/// Resolves one pairing by the difference of two dice (11.1.1, 11.1.2).
async fn fight(t: &T, g: &mut State, a: AreaId, pairing: Pairing, fort: bool) {
    let drm = Side::ALL
        .map(|side| if fort { fort_modifiers(g, a, &pairing, side) } else { open_modifiers(g, a, &pairing, side) });
    let dice = [t.d6("skirmish, US"), t.d6("skirmish, NA")];
    let totals = [0, 1].map(|i| dice[i] + i64::from(drm[i].total()));
    let by = totals[0] - totals[1];
    let low = if by > 0 { Side::Na } else { Side::Us };
    let row = *g.charts.skirmish.at(by.unsigned_abs() as i32);
    t.tell(|| {
        let end = match row {
            0 => "nothing".to_owned(),
            1 => format!("the {} retreat", low.name()),
            _ => format!("the {} are eliminated", low.name()),
        };
        format!("Skirmish at {}: US {}; NA {}: {end}.", g.name(a), drm[0].told(dice[0]), drm[1].told(dice[1]))
    });
    if row == 0 {
        return;
    }
    let party = &pairing.sides[low.index()];
    let inside = fort && g.fort_of(a, low);
    if row >= 2 || inside {
        // T:skirmish-combat-results: a retreat result eliminates Skirmish Factors that fight alone,
        // but losing a garrison's units does not eliminate the fort.
        let falls = row >= 2 || (party.walls > 0 && party.units.is_empty());
        party.units.iter().for_each(|&u| g.eliminate(u));
        if inside && falls && !fort::is_manned(g, a) {
            // 11.1.3, 11.3.2: the fort falls if no other unit defends it.
            fort::destroy(t, g, a);
        }
        return;
    }
    retreat(t, g, a, low, &party.units).await;
}

/// Returns the destinations of a retreat from a skirmish: adjacent areas without enemies, or the
/// nearest fort or town. The flag is `true` if every way there, however long, leads through pillaged
/// areas or past enemies (T:skirmish-combat-results).
pub fn retreats(g: &State, a: AreaId, side: Side) -> Vec<(AreaId, bool)> {
    let free = |b: AreaId| !g.enemy_in(b, side);
    let mut ways: Vec<(AreaId, bool)> = g.beside(a).filter(|&b| free(b)).map(|b| (b, false)).collect();
    let haven = |b: AreaId| b != a && free(b) && (g.open_fort(b, side) || (side == Side::Us && g.town(b)));
    let clear = |b: usize| {
        let b = AreaId(b as u8);
        free(b) && !g.land(b).pillaged && g.in_bounds(b)
    };
    let near = |b: usize| g.beside(AreaId(b as u8)).map(AreaId::index);
    let far = steps(g.land.len(), [a.index()], near);
    let nearest = g.c.area_ids().filter(|&b| haven(b)).filter_map(|b| far[b.index()]).min();
    let quiet = steps(g.land.len(), [a.index()], |b| {
        let goes_on = b == a.index() || clear(b);
        near(b).filter(move |_| goes_on)
    });
    for b in g.c.area_ids().filter(|&b| haven(b) && far[b.index()] == nearest && nearest.is_some()) {
        if !ways.iter().any(|way| way.0 == b) {
            ways.push((b, quiet[b.index()].is_none()));
        }
    }
    let inside = g.bounded(ways.iter().map(|way| way.0).collect());
    ways.retain(|way| inside.contains(&way.0));
    ways.sort();
    ways.dedup_by_key(|way| way.0);
    ways
}

/// Retreats the losing side of a pairing; past enemies or through pillaged areas each unit must
/// pass a level check (11.1.2).
async fn retreat(t: &T, g: &mut State, a: AreaId, side: Side, units: &[UnitId]) {
    let ways = retreats(g, a, side);
    if ways.is_empty() {
        units.iter().for_each(|&u| g.eliminate(u));
        t.tell(|| "There is nowhere to retreat: they are eliminated.".to_owned());
        return;
    }
    let among = ways.iter().map(|&(b, hard)| {
        let note = format!("{}{}", g.c[b].name, if hard { ", past enemies or pillaged land" } else { "" });
        Named::new(g.c[b].id.clone(), (b, hard)).note(note)
    });
    let asking = Asking { kind: Ask::Retreat, rule: "11.1.2", title: "Where units retreat" };
    let (to, hard) =
        choose(t, g, g.seat(side), asking, among.collect(), move |g| format!("From {}.", g.name(a))).await.value;
    for &u in units {
        if hard {
            let check = LevelCheck::new(g.level(u));
            let die = t.d6("retreat");
            let unit = with_article(&g.c[g.unit(u).kind].id);
            let end = if check.passes(die) { "it comes through" } else { "it is eliminated" };
            t.tell(|| format!("Retreat of {unit}: {}: {end}.", check.told(die)));
            if !check.passes(die) {
                g.eliminate(u);
                continue;
            }
        }
        let unit = g.unit_mut(u);
        (unit.spot, unit.inside) = (Spot::On(to), false);
        g.take_in(u);
    }
    t.tell(|| format!("They retreat to {}.", g.name(to)));
    leaders::settle_militia(t, g).await;
}

/// Moves leaders without units away from enemies, as in a retreat; they do not fight (11.1).
pub async fn lone_leaders(t: &T, g: &mut State, a: AreaId, side: Side) {
    let enemy = g.outside(a, side.enemy()).next().is_some();
    if !enemy || g.outside(a, side).next().is_some() {
        return;
    }
    for l in g.leaders_outside(a, side).collect::<Vec<_>>() {
        let ways = retreats(g, a, side).into_iter().map(|way| way.0);
        let mut ways: Vec<Place> = ways.filter(|&to| leaders::may_go(g, l, to)).map(Place).collect();
        // 14.0.3: Tecumseh goes to others if he can.
        let joins = |to: &Place| leaders::has_company(g, to.0);
        if l == g.named("Tecumseh") && ways.iter().any(joins) {
            ways.retain(joins);
        }
        if ways.is_empty() {
            leaders::fall_on_map(t, g, l).await;
            continue;
        }
        let asking = Asking { kind: Ask::Retreat, rule: "11.1", title: "Where a lone leader goes" };
        let name = g.c[l].name.clone();
        let to = choose(t, g, g.seat(side), asking, ways, move |_| format!("{name} leaves.")).await.0;
        let chief = g.chief_mut(l);
        (chief.spot, chief.inside) = (Spot::On(to), false);
        g.take_in_leader(l);
        t.tell(|| format!("{} goes to {}.", g.c[l].name, g.name(to)));
    }
}
