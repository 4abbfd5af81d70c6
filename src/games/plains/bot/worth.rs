//! The value of a position to a player, in VPs.

use super::super::{
    components::{Faction, Kind, RegionId, Spot},
    control::Holding,
    engagement::odds::{force, indians_win, two_hits, wins},
    state::{Cubes, State},
};
use postrider_table::{Seat, steps};

/// Value of a cube, apart from the region that it holds. A lost cube can be placed again, but that
/// takes a card.
const CUBE: f64 = 0.15;
/// Additional value of a Cavalry cube, since two of them are a VP for the Indians.
const CAVALRY: f64 = 0.25;
/// Value of a region that neither of two equally strong allies scores; one more cube would give it
/// to one of them.
const TIED: f64 = 0.3;
/// Value of a region that the player scores instead of an ally.
const OWN: f64 = 0.35;
/// Value of an unprotected Wagon in a region with Indians. Destroyed, it is a VP for them instead
/// of one for the US.
const WAGON: f64 = 0.5;
/// The chance of two hits at which a Wagon is valued at [`WAGON`].
const A_THIRD: f64 = 1.0 / 3.0;
/// Value of a Brown cube next to a railhead, for up to three cubes.
const BUILDER: f64 = 0.3;
/// Weight of the threat from the strongest adjacent enemy.
const THREAT: f64 = 0.3;
/// Cost of each region of distance from the nearest objective.
const WAY: f64 = 0.03;

/// Maximum distance that is considered.
const FAR: f64 = 9.0;

/// Returns the distance of every region from the nearest wanted one, at most [`FAR`].
fn distances(g: &State, wanted: impl Fn(RegionId) -> bool) -> Vec<f64> {
    let from = g.c.region_ids().filter(|&r| wanted(r)).map(RegionId::index);
    let far = steps(g.c.regions.len(), from, |at| g.c.regions[at].adjacent.iter().map(|r| r.index()));
    far.into_iter().map(|steps| steps.map_or(FAR, f64::from).min(FAR)).collect()
}

/// Returns the value of a region to the Indians if they hold it, and to the US if they hold it. A
/// region is not scored if separate allies are equally strong there (15.4.1), or if Purple cubes
/// outnumber the others of the US (4.6).
fn stakes(g: &State, r: RegionId, here: &Cubes) -> (f64, f64) {
    let purple = g.c[r].kind.is_purple();
    let wagons = if g.variant.players == 4 { here[Faction::Wagons] } else { 0 };
    let (green, orange) = (here[Faction::Npt], here[Faction::Spt]);
    let (brown, blue) = (here[Faction::Settlers] + wagons, here[Faction::Cavalry]);
    let indians_tied = g.variant.separate_indians() && green == orange && green > 0;
    let us_tied = g.variant.separate_us() && brown == blue;
    let strongest = if g.variant.separate_us() { brown.max(blue) } else { brown + blue };
    let us_holds = strongest > 0 && !us_tied && here[Faction::Enemies] <= strongest;
    // With two players Purple regions count by area, and never for the US.
    let (indian, us) = if g.variant.players == 2 && purple { (0.0, 0.0) } else { (1.0, 1.0) };
    (if indians_tied { indian * TIED } else { indian }, if us_holds { us } else { 0.0 })
}

/// Returns a value of a table by linear interpolation between whole numbers.
fn between(table: [f64; 6], at: f64) -> f64 {
    let low = (at.max(0.0) as usize).min(4);
    table[low] + (at - low as f64).clamp(0.0, 1.0) * (table[low + 1] - table[low])
}

/// Returns the value of a Purple area to the Indians in a game of two players (4.6), if they hold
/// `held` regions and the US and the Enemies hold `lost`.
fn area_worth(held: f64, lost: f64) -> f64 {
    between([0.0, 0.7, 1.6, 3.2, 4.1, 5.0], held) - between([0.0, 0.3, 0.9, 3.0, 3.0, 3.0], lost)
}

/// Returns the value of a position to a player: the points of the player's side less those of the
/// other side, plus a share of the lead over an ally.
pub fn worth(g: &State, seat: Seat) -> f64 {
    let indian = g.variant.is_indian(seat);
    let common = if indian { for_indians(g) } else { -for_indians(g) };
    let allies = g.variant.seats_of(indian);
    let [a, b] = allies[..] else { return common };
    let ally = if a == seat { b } else { a };
    let score = |whose: Seat| g.c.region_ids().filter(|&r| g.controller(r) == Some(whose)).count() as f64;
    common + OWN * (score(seat) - score(ally))
}

/// Returns the value of a position to the Indians; its negative is the value to the US.
fn for_indians(g: &State) -> f64 {
    let to_us = distances(g, |r| g.region(r).us() > 0 || g.region(r)[Faction::Wagons] > 0);
    let holdings: Vec<Holding> = g.c.region_ids().map(|r| g.holding(r)).collect();
    let to_open = distances(g, |r| holdings[r.index()] == Holding::Indians && !g.c[r].kind.is_purple());
    let two = g.variant.players == 2;
    // For each region the forces of the US and of the Indians, computed once because every
    // neighbour needs them.
    let both = |cubes: &Cubes| [force(g, cubes, false), force(g, cubes, true)];
    let forces: Vec<[(f64, f64); 2]> = g.c.region_ids().map(|r| both(g.region(r))).collect();
    let mut sum = 0.0;
    // For each Purple area the regions held by the Indians, and those held by the US and the
    // Enemies.
    let mut areas = [(0.0, 0.0); 2];
    for r in g.c.region_ids() {
        let (here, holding) = (*g.region(r), holdings[r.index()]);
        let (indian, us) = (here.indian(), here.us());
        let (value, us_value) = stakes(g, r, &here);
        let blue = f64::from(here[Faction::Cavalry]) * CAVALRY;
        let fought = here.both_sides();
        let p = if fought { indians_win(g, &here) } else { f64::from(u8::from(holding == Holding::Indians)) };
        if two && g.c[r].kind.is_purple() {
            let area = &mut areas[usize::from(g.c[r].kind == Kind::PurpleSouth)];
            area.0 += p;
            area.1 += if us > 0 { 1.0 - p } else { 0.0 };
        }
        if fought {
            sum += p * (value + f64::from(us) * CUBE + blue) - (1.0 - p) * (us_value + f64::from(indian) * CUBE);
        } else {
            sum += match holding {
                Holding::Indians => value,
                Holding::Us => -us_value,
                Holding::Contested | Holding::Nobody => 0.0,
            };
            let strongest = |side: bool| {
                let near = g.c[r].adjacent.iter().map(|b| forces[b.index()][usize::from(side)]);
                near.max_by(|a, b| (a.0 * a.1).total_cmp(&(b.0 * b.1))).unwrap_or_default()
            };
            if us > 0 {
                let fear = wins(strongest(true), forces[r.index()][0]);
                sum += THREAT * fear * (value + us_value + f64::from(us) * CUBE + blue);
            } else if indian > 0 {
                let fear = wins(strongest(false), forces[r.index()][1]);
                sum -= THREAT * fear * (value + f64::from(indian) * CUBE);
            }
            if indian > 0 && us == 0 && here[Faction::Wagons] > 0 {
                sum += WAGON * f64::from(here[Faction::Wagons]) * two_hits(g, &here) / A_THIRD;
            }
        }
        let at = usize::from(r.0);
        sum -= f64::from(indian) * WAY * to_us[at];
        sum += f64::from(us) * WAY * to_open[at];
    }
    if two {
        sum += areas.iter().map(|&(held, lost)| area_worth(held, lost)).sum::<f64>();
    }
    for beside in Spot::BESIDE.map(|(spot, ..)| *g.cubes(spot)) {
        sum += 6.0 * WAY * (f64::from(beside.us()) - f64::from(beside.indian()));
    }
    sum - BUILDER * builders(g)
}

/// Returns the number of Brown cubes next to the railheads, at most three each (6.7).
fn builders(g: &State) -> f64 {
    let west = (g.through_mountains() && !g.joined()).then(|| g.c.rail.len() - g.west);
    builders_east(g) + west.map_or(0.0, |space| beside(g, space))
}

/// Returns the number next to the railhead of the Union Pacific, at most three.
pub fn builders_east(g: &State) -> f64 {
    if g.joined() { 0.0 } else { beside(g, g.east.saturating_sub(1)) }
}

/// Returns the number of Brown cubes next to a railroad space, at most three; regions with Indians
/// do not count.
fn beside(g: &State, space: usize) -> f64 {
    let regions = g.c.rail[space].regions.iter().map(|&r| g.region(r)).filter(|cubes| cubes.indian() == 0);
    f64::from(regions.map(|cubes| cubes[Faction::Settlers]).sum::<u8>().min(3))
}
