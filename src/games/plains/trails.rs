//! The movement of Wagons (6.6.1, 12.1.4.4).

use super::{
    Ask, Plains, T,
    components::{Faction, RegionId, Route, Spot, Trail},
    state::{State, tell_cubes},
};
use postrider_orders::{counted, list_and};
use postrider_table::Pick;

/// Moves Wagons one region west along their trails (6.6.1, 12.1.4.4). If trails divide, the
/// Settlers player chooses how many take each.
pub async fn advance(t: &T, g: &mut State, r: RegionId, n: u8, spare: bool) {
    let mut ways: Vec<Spot> = Vec::new();
    for trail in &g.c.trails {
        let Some(at) = trail.regions.iter().position(|&x| x == r) else { continue };
        let next = next(trail, at + 1);
        if !ways.contains(&next) {
            ways.push(next);
        }
    }
    let mut left = n;
    while let Some(to) = ways.pop().filter(|_| left > 0) {
        let going =
            if ways.is_empty() { left } else { t.ask(g, g.owner(Faction::Wagons), trail(g, r, left, to)).await };
        left -= going;
        one_region_west(t, g, r, going, to, spare);
    }
}

/// Returns the question of how many Wagons take a trail; the rest take the other one.
fn trail(g: &State, r: RegionId, n: u8, to: Spot) -> Pick<Plains, u8> {
    let from_here = |trail: &Trail| trail.regions.iter().position(|&x| x == r).map(|at| at + 1);
    let goes_on = |trail: &&Trail| from_here(trail).is_some_and(|at| next(trail, at) == to);
    let (these, others): (Vec<&Trail>, Vec<&Trail>) =
        g.c.trails.iter().filter(|trail| from_here(trail).is_some()).partition(goes_on);
    let named =
        |trails: &[&Trail]| list_and(&trails.iter().map(|trail| format!("the {}", trail.name)).collect::<Vec<_>>());
    let title = format!("How many Wagons in {} take {}", g.name(r), named(&these));
    // Wagons that stay behind remain spared as far as the number allows.
    let spared = g.spared[usize::from(r.0)].saturating_sub(g.region(r)[Faction::Wagons] - n);
    let treaty = match spared {
        0 => String::new(),
        all if all == n => String::new(),
        some => format!(
            " A Treaty spares {some} of them; those that it does not spare are the first to go to {}.",
            g.c.told(to)
        ),
    };
    let line = format!(
        "{} in {} may part: how many go to {} on {}? The others take {}.{treaty}",
        wagons(n),
        g.name(r),
        g.c.told(to),
        named(&these),
        named(&others)
    );
    let ahead: Vec<String> =
        these.iter().chain(&others).filter_map(|trail| Some(waiting(g, trail, from_here(trail)?))).collect();
    Pick::new(Ask::Trail, "6.6.1", "How the Wagons divide where the trails part", (0..=n).collect()).telling(
        move |_, mut d| {
            d.title.clone_from(&title);
            ahead.iter().fold(d.line(line.clone()), postrider_table::Description::line)
        },
    )
}

/// Returns the spot at an index of a trail, counted from 0; the Rockies follow its last region.
fn next(trail: &Trail, at: usize) -> Spot {
    trail.regions.get(at).map_or(Spot::Rockies, |&r| Spot::Region(r))
}

/// Describes the cubes along a trail from an index on:
/// `Oregon Trail: 2 Green in Casper; then the Rockies.`
pub fn waiting(g: &State, trail: &Trail, from: usize) -> String {
    let along = trail.regions.get(from..).unwrap_or_default().iter();
    let taken = along.filter(|&&r| !g.region(r).is_empty());
    let stand: Vec<String> = taken.map(|&r| format!("{} in {}", tell_cubes(g.region(r)), g.name(r))).collect();
    let stand = if stand.is_empty() { "nobody on the way".to_owned() } else { stand.join(", ") };
    format!("{}: {stand}; then {}.", trail.name, g.c.told(Spot::Rockies))
}

fn one_region_west(t: &T, g: &mut State, r: RegionId, n: u8, to: Spot, spare: bool) {
    if n == 0 {
        return;
    }
    g.region_mut(r)[Faction::Wagons] -= n;
    // Wagons that are not spared go first.
    let at = usize::from(r.0);
    let left = g.region(r)[Faction::Wagons];
    let spared = g.spared[at].saturating_sub(left);
    g.spared[at] -= spared;
    g.escaped[at] = g.escaped[at].min(left);
    let going = if n == 1 { "A Wagon goes".to_owned() } else { format!("{n} Wagons go") };
    if let Spot::Region(next) = to {
        g.region_mut(next)[Faction::Wagons] += n;
        g.spared[usize::from(next.0)] += spared;
        if spare {
            g.escaped[usize::from(next.0)] += n;
        }
        t.tell(|| format!("{going} from {} to {}.", g.name(r), g.name(next)));
    } else {
        g.arrived[usize::from(route_of(g, r) == Route::South)] += n;
        t.tell(|| format!("{going} from {} into the Rockies.", g.name(r)));
    }
}

/// Formats a number of Wagons, such as `1 Wagon` or `3 Wagons`.
pub fn wagons(n: u8) -> String {
    counted(n, "Wagon")
}

/// Returns the number of regions of its trail that are west of a region.
pub fn to_the_rockies(g: &State, r: RegionId) -> usize {
    let left = |trail: &Trail| trail.regions.iter().rev().position(|&x| x == r);
    g.c.trails.iter().filter_map(left).max().unwrap_or(0)
}

/// Returns the route of a region (15.4).
pub fn route_of(g: &State, r: RegionId) -> Route {
    g.c.trails.iter().find(|trail| trail.regions.contains(&r)).map_or(Route::North, |trail| trail.route)
}
