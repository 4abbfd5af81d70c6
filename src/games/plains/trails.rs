//! Wagons on their way west (6.6.1, 12.1.4.4).

use super::{
    Ask, Plains, T,
    components::{Faction, RegionId, Route, Spot},
    state::State,
};
use crate::table::Pick;

/// Moves Wagons one region west along their trails (6.6.1, 12.1.4.4); where trails part the Settlers player divides them.
pub async fn advance(t: &T, g: &mut State, r: RegionId, n: u8, spare: bool) {
    let mut ways: Vec<Spot> = Vec::new();
    for trail in &g.c.trails {
        let Some(at) = trail.regions.iter().position(|&x| x == r) else { continue };
        let next = trail.regions.get(at + 1).map_or(Spot::Rockies, |&x| Spot::Region(x));
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

/// How many Wagons take a trail; the others take the other one.
fn trail(g: &State, r: RegionId, n: u8, to: Spot) -> Pick<Plains, u8> {
    let line = format!(
        "{} in {} may part: how many go to {}? The others take the other trail.",
        wagons(n),
        g.name(r),
        g.c.told(to)
    );
    Pick::new(Ask::Trail, "6.6.1", "How the Wagons divide where the trails part", (0..=n).collect())
        .telling(move |_, d| d.line(line.clone()))
}

fn one_region_west(t: &T, g: &mut State, r: RegionId, n: u8, to: Spot, spare: bool) {
    if n == 0 {
        return;
    }
    g.region_mut(r)[Faction::Wagons] -= n;
    // Those that nothing spares go first.
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

/// `1 Wagon`, `3 Wagons`.
pub fn wagons(n: u8) -> String {
    format!("{n} Wagon{}", if n == 1 { "" } else { "s" })
}

/// The route on which a region lies (15.4).
pub fn route_of(g: &State, r: RegionId) -> Route {
    g.c.trails.iter().find(|trail| trail.regions.contains(&r)).map_or(Route::North, |trail| trail.route)
}
