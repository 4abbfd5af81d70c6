//! What a position is worth to the Indians, in VPs; to the US it is worth as much less.

use super::super::{
    components::{Face, Faction, Kind, RegionId, Spot},
    control::Holding,
    state::{Cubes, State},
};

/// What a cube is worth beside the region that it holds: it can be placed again, but takes a card to do so.
const CUBE: f64 = 0.15;
/// A Cavalry cube more: two of them are a VP to the Indians.
const CAVALRY: f64 = 0.25;
/// A Purple region: a VP only where an area is held (4.6).
const PURPLE: f64 = 0.5;
/// A Wagon that Indians stand beside and nobody protects; it would be a VP for them instead of one for the US.
const WAGON: f64 = 0.5;
/// A Brown cube beside a railhead, up to three.
const BUILDER: f64 = 0.3;
/// What is feared of the strongest enemy next door.
const THREAT: f64 = 0.3;
/// What it costs to be a region away from where there is something to do.
const WAY: f64 = 0.03;

/// Hits that a die of a faction brings on the average.
fn hits(g: &State, faction: Faction) -> f64 {
    let die = &g.c.pieces[faction.index()].die;
    die.iter().filter(|&&face| face == Face::Weapon).count() as f64 / die.len().max(1) as f64
}

/// Cubes of a side, and the hits they bring in a roll of the dice (12.1.2).
fn force(g: &State, cubes: &Cubes, indian: bool) -> (f64, f64) {
    let mut sum = (0.0, 0.0);
    for (faction, n) in cubes.each().filter(|&(f, _)| Faction::FIGHTING.contains(&f) && f.is_indian() == indian) {
        sum.0 += f64::from(n);
        sum.1 += f64::from(n.min(2)) * hits(g, faction);
    }
    sum
}

/// The chance that the first of two forces is left over: each needs so many rolls to remove the other.
fn wins((cubes, hits): (f64, f64), (others, their_hits): (f64, f64)) -> f64 {
    let (own, their) = (cubes * hits, others * their_hits);
    if own + their <= 0.0 { 0.5 } else { own * own / (own * own + their * their) }
}

/// The chance that the Indians win an engagement of these cubes.
pub fn indians_win(g: &State, cubes: &Cubes) -> f64 {
    wins(force(g, cubes, true), force(g, cubes, false))
}

/// How far every region is from the nearest one that is wanted; large where there is none.
fn distances(g: &State, wanted: impl Fn(RegionId) -> bool) -> Vec<f64> {
    let mut far = vec![9.0; g.c.regions.len()];
    let mut edge: Vec<RegionId> = g.c.region_ids().filter(|&r| wanted(r)).collect();
    edge.iter().for_each(|r| far[usize::from(r.0)] = 0.0);
    let mut steps = 0.0;
    while !edge.is_empty() {
        steps += 1.0;
        let mut next = Vec::new();
        for &near in edge.iter().flat_map(|&r| &g.c[r].adjacent) {
            let at = usize::from(near.0);
            if far[at] > steps {
                far[at] = steps;
                next.push(near);
            }
        }
        edge = next;
    }
    far
}

/// What a region is worth to whoever holds it.
fn region_worth(kind: Kind) -> f64 {
    if kind.is_purple() { PURPLE } else { 1.0 }
}

/// What the whole position is worth to the Indians.
pub fn worth(g: &State) -> f64 {
    let to_us = distances(g, |r| g.region(r).us() > 0 || g.region(r)[Faction::Wagons] > 0);
    let to_open = distances(g, |r| g.holding(r) == Holding::Indians && !g.c[r].kind.is_purple());
    let mut sum = 0.0;
    for r in g.c.region_ids() {
        let here = *g.region(r);
        let (indian, us) = (here.indian(), here.us());
        let value = region_worth(g.c[r].kind);
        // Purple cubes deny a region but do not score it (4.6).
        let us_value =
            if here[Faction::Cavalry] + here[Faction::Settlers] > 0 && !g.c[r].kind.is_purple() { value } else { 0.0 };
        let blue = f64::from(here[Faction::Cavalry]) * CAVALRY;
        if indian > 0 && us > 0 {
            let p = indians_win(g, &here);
            sum += p * (value + f64::from(us) * CUBE + blue) - (1.0 - p) * (us_value + f64::from(indian) * CUBE);
        } else {
            sum += match g.holding(r) {
                Holding::Indians => value,
                Holding::Us => -us_value,
                Holding::Contested | Holding::Nobody => 0.0,
            };
            let strongest = |side: bool| {
                let near = g.c[r].adjacent.iter().map(|&b| force(g, g.region(b), side));
                near.max_by(|a, b| (a.0 * a.1).total_cmp(&(b.0 * b.1))).unwrap_or_default()
            };
            if us > 0 {
                let fear = wins(strongest(true), force(g, &here, false));
                sum += THREAT * fear * (value + us_value + f64::from(us) * CUBE + blue);
            } else if indian > 0 {
                let fear = wins(strongest(false), force(g, &here, true));
                sum -= THREAT * fear * (value + f64::from(indian) * CUBE);
            }
            if indian > 0 && us == 0 {
                // Two hits in one roll are wanted: one die can never do it (12.1.2.1).
                let dice = here[Faction::Npt].min(2) + here[Faction::Spt].min(2);
                sum += WAGON * f64::from(here[Faction::Wagons]) * f64::from(dice.saturating_sub(1)) / 3.0;
            }
        }
        let at = usize::from(r.0);
        sum -= f64::from(indian) * WAY * to_us[at];
        sum += f64::from(us) * WAY * to_open[at];
    }
    for beside in Spot::BESIDE.map(|(spot, ..)| *g.cubes(spot)) {
        sum += 6.0 * WAY * (f64::from(beside.us()) - f64::from(beside.indian()));
    }
    sum - BUILDER * builders(g)
}

/// Brown cubes beside the railheads, up to three each (6.7).
fn builders(g: &State) -> f64 {
    let brown = |space: usize| -> u8 {
        g.c.rail[space]
            .regions
            .iter()
            .map(|&r| g.region(r))
            .filter(|c| c.indian() == 0)
            .map(|c| c[Faction::Settlers])
            .sum()
    };
    if g.joined() {
        return 0.0;
    }
    let east = brown(g.east.saturating_sub(1)).min(3);
    let west = if g.through_mountains() { brown(g.c.rail.len() - g.west).min(3) } else { 0 };
    f64::from(east + west)
}
