//! The discs without cards: Wagons (6.6, 10.5), the Railroad (6.7) and the Enemies (6.4, 10.4).

use super::{
    Ask, T,
    components::{Event, Face, Faction, RegionId, Route, Spot},
    engagement::{dice::roll, engagements},
    march::march,
    movement::March,
    placement::place,
    state::State,
    trails::{advance, route_of, to_the_rockies, wagons as wagons_told, waiting},
};
use postrider_orders::counted;
use postrider_table::Pick;

/// Number of Wagons that arrive with the White disc (10.5).
const NEW_WAGONS: u8 = 2;
/// Maximum number of Railroad cubes placed at a railhead with one disc (6.7).
const RAILS: usize = 3;
/// The same for the Union Pacific while Union Pacific Railroad (B11) is in force.
const MORE_RAILS: usize = 4;
/// Number of dice for the mountains (6.7.2).
const MOUNTAIN_DICE: usize = 2;
/// Number of regions that the Enemies may move (6.4).
const ENEMY_MOVES: u8 = 2;

/// Resolves the White disc: every Wagon on a trail moves one region west, two new ones arrive in
/// St. Louis, and all Wagons there set out (6.6.1, 7).
pub async fn wagons(t: &T, g: &mut State) {
    let new = g.muster(Faction::Wagons, Spot::StLouis, NEW_WAGONS);
    t.tell(|| match new {
        0 => "No more Wagons are ready.".to_owned(),
        1 => "1 Wagon comes to St. Louis.".to_owned(),
        _ => format!("{new} Wagons come to St. Louis."),
    });
    let closed = g.endures(Event::SantaFeTrailClosed);
    if closed {
        t.tell(|| "The Santa Fe Trail is closed: Wagons on the southern route do not move.".to_owned());
    }
    all_advance(t, g, closed).await;
    set_out(t, g).await;
}

/// Moves every Wagon on the map one region west, each only once. The foremost go first, so that no
/// Wagon joins one that a Treaty spares before that one has moved on (12.1.2.1).
pub async fn all_advance(t: &T, g: &mut State, south_closed: bool) {
    let mut standing: Vec<(RegionId, u8)> =
        g.c.region_ids().map(|r| (r, g.region(r)[Faction::Wagons])).filter(|&(_, n)| n > 0).collect();
    standing.sort_by_key(|&(r, _)| to_the_rockies(g, r));
    for (r, n) in standing {
        if !(south_closed && route_of(g, r) == Route::South) {
            advance(t, g, r, n, false).await;
        }
    }
}

/// Moves the Wagons in St. Louis to the first region of either route; with four players half of
/// them take each route (6.6, 15.4).
pub async fn set_out(t: &T, g: &mut State) {
    let n = g.cubes(Spot::StLouis)[Faction::Wagons];
    let first =
        |route: Route| g.c.trails.iter().find(|trail| trail.route == route).and_then(|trail| trail.regions.first());
    let (Some(&north), Some(&south)) = (first(Route::North), first(Route::South)) else { return };
    if n == 0 {
        return;
    }
    let to_north = if g.variant.players == 4 {
        n.div_ceil(2)
    } else {
        let pick = Pick::new(Ask::WagonsNorth, "6.6", "How many Wagons take the northern route", (0..=n).collect())
            .telling(move |g: &State, d| {
                let way = |r: RegionId| match g.region(r) {
                    here if here.is_empty() => format!("{}, now empty", g.name(r)),
                    here => format!("{}, where {} stand", g.name(r), super::state::tell_cubes(here)),
                };
                let d = d.line(format!(
                    "{} in St. Louis, and all set out: on the northern route to {}; the others on the southern one to {}.",
                    wagons_told(n),
                    way(north),
                    way(south)
                ));
                let northern_first =
                    [Route::North, Route::South].into_iter().flat_map(|route| g.c.trails.iter().filter(move |t| t.route == route));
                northern_first.fold(d, |d, trail| {
                    let route = if trail.route == Route::North { "North" } else { "South" };
                    d.line(format!("{route}, {}", waiting(g, trail, 0)))
                })
            });
        t.ask(g, g.owner(Faction::Wagons), pick).await
    };
    for (r, n) in [(north, to_north), (south, n - to_north)] {
        g.cubes_mut(Spot::StLouis)[Faction::Wagons] -= n;
        g.region_mut(r)[Faction::Wagons] += n;
        if n > 0 {
            let verb = if n == 1 { "sets" } else { "set" };
            t.tell(|| format!("{} {verb} out to {}.", wagons_told(n), g.name(r)));
        }
    }
}

/// Extends both railheads as far as Brown cubes and dice allow (6.7).
pub fn railroad(t: &T, g: &mut State) {
    union_pacific(t, g);
    central_pacific(t, g);
    if g.joined() {
        t.tell(|| "The Transcontinental Railroad is joined.".to_owned());
    }
}

/// Extends the Union Pacific by one cube for every Brown cube next to its railhead (6.7.1).
fn union_pacific(t: &T, g: &mut State) {
    if g.endures(Event::TornUpTrack) {
        t.tell(|| "Torn-up Track: the Union Pacific is not extended.".to_owned());
        return;
    }
    let more = g.endures(Event::UnionPacificRailroad);
    let head = g.east.saturating_sub(1);
    let mut beside = g.c.rail[head].regions.clone();
    if more {
        let back = g.c.rail[..head].iter().rev().find(|s| s.regions != beside).map(|s| s.regions.clone());
        beside.extend(back.unwrap_or_default());
        beside.sort();
        beside.dedup();
    }
    let brown: usize = beside.iter().map(|&r| usize::from(g.region(r)[Faction::Settlers])).sum();
    let placed = lay(g, brown.min(if more { MORE_RAILS } else { RAILS }), true);
    t.tell(|| format!("Union Pacific: {brown} Brown beside the railhead, {}, {} in all.", built(placed), g.east));
}

/// Formats a number of spaces, such as `1 space built`.
fn built(n: usize) -> String {
    format!("{} built", counted(n, "space"))
}

/// Extends the Central Pacific: by dice through the mountains, then like the Union Pacific (6.7.2).
fn central_pacific(t: &T, g: &mut State) {
    if g.joined() {
        return;
    }
    if !g.through_mountains() {
        let faces: Vec<Face> = (0..MOUNTAIN_DICE).map(|_| roll(t, g, Faction::Settlers)).collect();
        let symbols = faces.iter().filter(|&&face| face != Face::Blank).count();
        let placed = lay(g, symbols, false);
        t.tell(|| {
            let symbols = if symbols == 1 { "1 symbol".to_owned() } else { format!("{symbols} symbols") };
            let names: Vec<&str> = faces.iter().map(|face| face.name()).collect();
            let dice = format!("{} {}", Faction::Settlers.cubes(), names.join(", "));
            format!("Central Pacific: {dice}; {symbols} for the mountains, {}, {} in all.", built(placed), g.west)
        });
        return;
    }
    let head = g.c.rail.len() - g.west;
    let brown: usize = g.c.rail[head].regions.iter().map(|&r| usize::from(g.region(r)[Faction::Settlers])).sum();
    let placed = lay(g, brown.min(RAILS), false);
    t.tell(|| format!("Central Pacific: {brown} Brown beside the railhead, {}, {} in all.", built(placed), g.west));
}

/// Fills up to `n` spaces while spaces and cubes are left, and returns the number filled.
fn lay(g: &mut State, n: usize, from_east: bool) -> usize {
    let mut free = g.c.rail.len() - g.east - g.west;
    if from_east {
        // Only the Central Pacific builds in the mountains (6.7.2).
        let mountains = g.c.rail.iter().filter(|s| s.mountain).count();
        free -= mountains.saturating_sub(g.west);
    }
    let placed = n.min(free).min(g.black());
    if from_east {
        g.east += placed;
    } else {
        g.west += placed;
    }
    placed
}

/// Returns the spots where a Purple cube may be placed: Purple regions, Canada and Mexico (10.4).
pub fn enemy_places(g: &State) -> Vec<Spot> {
    let purple = g.c.region_ids().filter(|&r| g.c[r].kind.is_purple()).map(Spot::Region);
    purple.chain([Spot::Canada, Spot::Mexico]).collect()
}

/// Resolves the Purple disc: places a new Purple cube, then moves the cubes of one spot (6.4,
/// 10.4).
pub async fn enemies(t: &T, g: &mut State) {
    g.moving = true;
    place(t, g, Faction::Enemies, 1, enemy_places(g), "10.4", "Where the new Purple cube goes").await;
    march(t, g, March { controlled: true, ..March::new(Faction::Enemies, 1, ENEMY_MOVES) }).await;
    engagements(t, g, Faction::Enemies).await;
}
