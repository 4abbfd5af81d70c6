//! Invariants of a position, for tests and for rulings that would break them.

use super::{
    components::{Event, Faction, Spot},
    engagement::losses::CUSTER_VPS,
    movement::may_stand,
    state::*,
};
use postrider_table::{Law, vps};

/// Returns everything that is wrong with a position between two decisions; empty for a legal one.
pub fn faults(g: &State) -> Vec<String> {
    let mut law = Law::default();
    // Cubes are conserved by colour (3.0).
    for faction in Faction::ALL.into_iter().take(6) {
        let on_map: u32 = g.map.iter().map(|cubes| u32::from(cubes[faction])).sum();
        let gone = match faction {
            Faction::Wagons => g.arrived[0] + g.arrived[1] + g.destroyed,
            _ => 0,
        };
        let all = on_map + [g.ready[faction], g.casualties[faction], gone].map(u32::from).iter().sum::<u32>();
        let right = u32::from(g.c.pieces[faction.index()].cubes);
        law.holds(all == right, || format!("{all} {} cubes, not {right} (3.0)", faction.cubes()));
    }
    let cubes = usize::from(g.c.pieces[Faction::Railroad.index()].cubes);
    let fits = g.east + g.west <= cubes.min(g.c.rail.len());
    law.holds(fits, || format!("{cubes} Black cubes, {} and {} on the track (6.7)", g.east, g.west));
    let plains = g.c.rail.iter().filter(|space| !space.mountain).count();
    law.holds(g.east <= plains, || format!("the Union Pacific has {plains} spaces, not {} (6.7.2)", g.east));
    law.holds(g.battle_vps >= 0, || format!("{} for battles (VP)", vps(g.battle_vps)));
    // His force has been placed, and is no longer counted (9.2.2).
    let came = g.deck(Faction::Cavalry).discards.iter().any(|&k| g.c[k].event == Some(Event::Custer));
    let fallen = g.custer_vps == CUSTER_VPS && came && g.custer.is_empty();
    law.holds(g.custer_vps == 0 || fallen, || format!("{} for Custer (9.2.2)", vps(g.custer_vps)));
    for spot in g.c.spots() {
        for (faction, n) in g.cubes(spot).each() {
            let may = match (faction, spot) {
                (Faction::Wagons, Spot::Region(r)) => g.c.trails.iter().any(|trail| trail.regions.contains(&r)),
                (Faction::Wagons, _) => spot == Spot::StLouis,
                _ => may_stand(g, faction, spot),
            };
            law.holds(may, || format!("{n} {} in {} (4.4)", faction.cubes(), g.c.told(spot)));
        }
    }
    // Over the limit only until movement has ended (4.4, 9.1).
    for r in g.c.region_ids().filter(|_| !g.moving) {
        for n in [true, false].map(|indian| g.region(r).side(indian)) {
            law.holds(n <= STACK, || format!("{n} friendly cubes in {} (4.4)", g.name(r)));
        }
    }
    for faction in Faction::CARDED {
        let deck = g.deck(faction);
        let (hand, drawn, up) = (deck.held(), deck.drawn, deck.discards.len());
        law.holds(deck.is_sound(HAND), || {
            format!("{}: {hand} cards in hand, {drawn} drawn, {} known (9)", faction.name(), hand + up)
        });
    }
    law.faults()
}
