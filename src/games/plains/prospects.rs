//! The prospects of a march (11): the enemies in reach, and the order in which a letter lists
//! moves.

use super::{
    components::{Faction, Spot},
    control::Holding,
    engagement::odds::{force, indians_win, two_hits, wins},
    movement::Step,
    state::{Cubes, STACK, State, tell_cubes},
};
use std::cmp::Reverse;

/// Number of moves that a letter lists.
pub const NAMED: usize = 9;
/// The deduction for another move to or from the same spot, in thousandths.
const SAME_TARGET: i32 = 400;
const SAME_START: i32 = 150;

/// Returns the enemies that cubes of a side meet at a spot: fighting cubes and, for Indians,
/// Wagons. There is no fighting in areas next to the map (4.4).
pub fn facing(g: &State, to: Spot, indian: bool) -> Cubes {
    let mut enemies = Cubes::default();
    if to.region().is_some() {
        for (f, n) in g.cubes(to).each().filter(|&(f, _)| f.is_indian() != indian) {
            enemies[f] = n;
        }
    }
    // Except spared ones (12.1.2.1).
    if let Some(r) = to.region() {
        enemies[Faction::Wagons] = if indian { g.targets(r) } else { 0 };
    }
    enemies
}

/// Returns the note about a spot for the option that goes there.
pub fn note(g: &State, to: Spot, cubes: &Cubes) -> String {
    let indian = cubes.indian() > 0;
    let enemies = facing(g, to, indian);
    let own = g.cubes(to).side(indian);
    let mut notes = Vec::new();
    if !enemies.is_empty() {
        notes.push(format!("against {}", tell_cubes(&enemies)));
    }
    let free = to.region().filter(|_| own == 0 && enemies.is_empty()).map(|r| (g.holding(r), g.c[r].kind.is_purple()));
    match (free, indian) {
        (Some((Holding::Indians, _)), false) => notes.push("empty: won without a fight".to_owned()),
        (Some((Holding::Nobody, true)), true) => notes.push("empty: won without a fight".to_owned()),
        (Some(_), _) => notes.push("empty".to_owned()),
        (None, _) => {}
    }
    if to.region().is_some() && own > 0 {
        let sum = own + cubes.side(indian);
        let over = if sum > STACK { format!(": over the limit of {STACK}") } else { String::new() };
        notes.push(format!("{sum} cubes there then{over}"));
    }
    notes.join("; ")
}

/// Returns a line for every region with an engagement in reach:
/// `Council Bluffs (5 Blue): 5 from Fort Kearny`.
pub fn in_reach(g: &State, active: Faction, steps: &[Step]) -> Vec<String> {
    let ways = |wanted: Spot| {
        let from = steps.iter().filter_map(move |step| match step {
            Step::Move { from, to, cubes } if *to == wanted && *cubes == Cubes::of(active, cubes[active]) => {
                Some(format!("{} from {}", cubes[active], g.c.told(*from)))
            }
            Step::Rail { from, to, cubes } if *to == wanted && *cubes == Cubes::of(active, cubes[active]) => {
                Some(format!("{} by railroad from {}", cubes[active], g.c.told(*from)))
            }
            _ => None,
        });
        from.collect::<Vec<_>>()
    };
    let mut lines = Vec::new();
    for spot in g.c.spots() {
        let enemies = facing(g, spot, active.is_indian());
        if enemies.is_empty() {
            continue;
        }
        let ways = ways(spot);
        if !ways.is_empty() {
            lines.push(format!("{} ({}): {}.", g.c.told(spot), tell_cubes(&enemies), ways.join(", ")));
        }
    }
    lines
}

/// Sorts steps for a letter: the most promising moves first, with varied starts and destinations,
/// then `recover` and `done`, then the remaining moves.
pub fn by_use(g: &State, active: Faction, mut steps: Vec<Step>) -> Vec<Step> {
    let goes = |step: &Step| matches!(step, Step::Move { .. } | Step::Rail { .. } | Step::Stay(_));
    let (mut moves, mut others): (Vec<Step>, Vec<Step>) = steps.drain(..).partition(goes);
    // In thousandths, because sorting needs a total order.
    let mut ranked: Vec<(i32, Step)> =
        moves.drain(..).map(|step| ((1000.0 * use_of(g, active, &step)) as i32, step)).collect();
    ranked.sort_by_key(|&(worth, _)| Reverse(worth));
    let mut named: Vec<Step> = Vec::new();
    while named.len() < NAMED && !ranked.is_empty() {
        let tired = |step: &Step| {
            let (from, to) = ends(step);
            let same = |other: &&Step| ends(other).1 == to;
            let start = |other: &&Step| ends(other).0 == from;
            SAME_TARGET * named.iter().filter(same).count() as i32
                + SAME_START * named.iter().filter(start).count() as i32
        };
        let at = (0..ranked.len()).max_by_key(|&i| (ranked[i].0 - tired(&ranked[i].1), Reverse(i))).unwrap_or(0);
        named.push(ranked.remove(at).1);
    }
    named.append(&mut others);
    named.extend(ranked.into_iter().map(|(_, step)| step));
    named
}

/// Returns the start and the destination of a step.
fn ends(step: &Step) -> (Option<Spot>, Option<Spot>) {
    match *step {
        Step::Move { from, to, .. } | Step::Rail { from, to, .. } => (Some(from), Some(to)),
        Step::Stay(r) => (Some(Spot::Region(r)), Some(Spot::Region(r))),
        Step::Recover | Step::Done => (None, None),
    }
}

/// Returns the estimated usefulness of a step: good odds, regions to win, builders at the railhead.
fn use_of(g: &State, active: Faction, step: &Step) -> f64 {
    let indian = active.is_indian();
    let (to, cubes) = match *step {
        Step::Move { to, cubes, .. } | Step::Rail { to, cubes, .. } => (to, cubes),
        Step::Stay(r) => return 2.0 + two_hits(g, g.region(r)),
        Step::Recover | Step::Done => return 0.0,
    };
    let Some(r) = to.region() else { return -0.5 };
    let mut there = *g.region(r);
    let enemies = facing(g, to, indian);
    there += cubes;
    let crowded = if there.side(indian) > STACK { 1.0 } else { 0.0 };
    if !enemies.is_empty() {
        if enemies.fighting() == 0 {
            return 1.0 + 3.0 * two_hits(g, &there) - crowded;
        }
        let p = if indian { indians_win(g, &there) } else { 1.0 - indians_win(g, &there) };
        return 2.0 * p - crowded;
    }
    let own = if indian { Holding::Indians } else { Holding::Us };
    let won = match (g.holding(r) == own, g.c[r].kind.is_purple()) {
        (true, _) => 0.1,
        (false, true) => 0.7,
        (false, false) => 1.2,
    };
    let threat = g.c[r].adjacent.iter().map(|&b| force(g, g.region(b), !indian));
    let safe = threat.map(|enemy| wins(force(g, &there, indian), enemy)).fold(1.0, f64::min);
    let builds = if active == Faction::Settlers && g.railheads().contains(&r) { 0.6 } else { 0.0 };
    won * (0.5 + 0.5 * safe) + builds - crowded
}
