//! The discs without cards: Wagons (6.6, 10.5), the Railroad (6.7), the Enemies (6.4, 10.4).

use super::{
    Ask, T,
    components::{Event, Face, Faction, RegionId, Route, Spot},
    engagement::{dice::roll, engagements, limit::keep_to_the_limit},
    march::march,
    movement::March,
    placement::place,
    scoring::tell_points,
    state::State,
    trails::{advance, route_of, to_the_rockies, wagons as wagons_told, waiting},
};
use postrider_table::Pick;

/// 10.5: Wagons that come with the White disc.
const NEW_WAGONS: u8 = 2;
/// 6.7: Railroad cubes a disc places at each railhead.
const RAILS: usize = 3;
/// Union Pacific Railroad (B11): more of them at its railhead.
const MORE_RAILS: usize = 4;
/// 6.7.2: dice for the mountains.
const MOUNTAIN_DICE: usize = 2;
/// 6.4: how far the Enemies of one region go.
const ENEMY_MOVES: u8 = 2;

/// 6.6.1, 7: every Wagon on a trail goes one region west, two new ones come to St. Louis and all there set out.
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
    tell_points(t, g);
    set_out(t, g).await;
}

/// Every Wagon on the map goes one region west; those that were moved do not move again. The
/// foremost go first, so that no Wagon comes to one that a Treaty spares before that one has gone
/// on (12.1.2.1).
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

/// 6.6, 15.4: Wagons leave St. Louis for the first region of either route; with four players one for each route.
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

/// 6.7: both railheads go on as far as Brown cubes and dice let them.
pub fn railroad(t: &T, g: &mut State) {
    union_pacific(t, g);
    central_pacific(t, g);
    if g.joined() {
        g.ending = true;
        t.tell(|| "The Transcontinental Railroad is joined.".to_owned());
    }
}

/// 6.7.1: one cube for every Brown one beside the railhead.
fn union_pacific(t: &T, g: &mut State) {
    if g.endures(Event::TornUpTrack) {
        t.tell(|| "Torn-up Track: the Union Pacific is not extended.".to_owned());
        return;
    }
    let more = g.endures(Event::UnionPacificRailroad);
    let head = g.east.saturating_sub(1);
    let mut beside = g.c.rail[head].regions.clone();
    if more && head > 0 {
        let back = g.c.rail[..head].iter().rev().find(|s| s.regions != beside).map(|s| s.regions.clone());
        beside.extend(back.unwrap_or_default());
        beside.sort();
        beside.dedup();
    }
    let brown: usize = beside.iter().map(|&r| usize::from(g.region(r)[Faction::Settlers])).sum();
    let placed = lay(g, brown.min(if more { MORE_RAILS } else { RAILS }), true);
    t.tell(|| format!("Union Pacific: {brown} Brown beside the railhead, {}, {} in all.", built(placed), g.east));
}

/// `1 space built`.
fn built(n: usize) -> String {
    format!("{n} space{} built", if n == 1 { "" } else { "s" })
}

/// 6.7.2: through the mountains by dice, then as in the east.
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

/// Fills spaces while there are spaces and cubes.
fn lay(g: &mut State, n: usize, from_east: bool) -> usize {
    let mut free = g.c.rail.len() - g.east - g.west;
    if from_east {
        // 6.7.2: the mountains are the Central Pacific's to cross.
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

/// 10.4: where a Purple cube may be placed: a Purple region, Canada or Mexico.
pub fn enemy_places(g: &State) -> Vec<Spot> {
    let purple = g.c.region_ids().filter(|&r| g.c[r].kind.is_purple()).map(Spot::Region);
    purple.chain([Spot::Canada, Spot::Mexico]).collect()
}

/// 6.4, 10.4: a new Purple cube, then the cubes of one spot move.
pub async fn enemies(t: &T, g: &mut State) {
    g.moving = true;
    place(t, g, Faction::Enemies, 1, enemy_places(g), "10.4", "Where the new Purple cube goes").await;
    tell_points(t, g);
    march(t, g, March { controlled: true, ..March::new(Faction::Enemies, 1, ENEMY_MOVES) }).await;
    keep_to_the_limit(t, g).await;
    engagements(t, g, Faction::Enemies).await;
}
