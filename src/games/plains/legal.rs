//! What no position may ever be: for tests, and for rulings that would make it so.

use super::{
    components::{Event, Faction},
    engagement::CUSTER_VPS,
    movement::may_stand,
    state::*,
};

/// Everything that is wrong with a position between two decisions; empty for a legal one.
pub fn faults(g: &State) -> Vec<String> {
    let mut faults = Vec::new();
    // Cubes are conserved, by colour (3.0).
    for faction in Faction::ALL.into_iter().take(6) {
        let on_map: u32 = g.map.iter().map(|cubes| u32::from(cubes[faction])).sum();
        let gone = match faction {
            Faction::Wagons => u32::from(g.arrived[0]) + u32::from(g.arrived[1]) + u32::from(g.destroyed),
            _ => 0,
        };
        let all = on_map + u32::from(g.ready[faction]) + u32::from(g.casualties[faction]) + gone;
        let right = u32::from(g.c.pieces[faction.index()].cubes);
        if all != right {
            faults.push(format!("{all} {} cubes, not {right} (3.0)", faction.cubes()));
        }
    }
    let black = usize::from(g.black) + g.east + g.west;
    if black != usize::from(g.c.pieces[Faction::Railroad.index()].cubes) || g.east + g.west > g.c.rail.len() {
        faults.push(format!("{black} Black cubes, {} and {} on the track (6.7)", g.east, g.west));
    }
    let plains = g.c.rail.iter().filter(|space| !space.mountain).count();
    if g.east > plains {
        faults.push(format!("the Union Pacific has {} spaces of {plains} (6.7.2)", g.east));
    }
    if g.battle_vps < 0 {
        faults.push(format!("{} VPs for battles (VP)", g.battle_vps));
    }
    // 9.2.2: his force has come, and counts no more.
    let came = g.deck(Faction::Cavalry).discards.iter().any(|&k| g.c[k].event == Some(Event::Custer));
    let fallen = g.custer_vps == CUSTER_VPS && came && g.custer.is_empty();
    if g.custer_vps != 0 && !fallen {
        faults.push(format!("{} VPs for Custer (9.2.2)", g.custer_vps));
    }
    for spot in g.c.spots() {
        for (faction, n) in g.cubes(spot).each() {
            let trail = spot.region().is_some_and(|r| g.c.trails.iter().any(|t| t.regions.contains(&r)));
            let may = match faction {
                Faction::Wagons => trail || g.c.spot_name(spot) == "St. Louis",
                _ => may_stand(g, faction, spot),
            };
            if !may {
                faults.push(format!("{n} {} in {} (4.4)", faction.cubes(), g.c.told(spot)));
            }
        }
    }
    // 4.4, 9.1: over the limit only until movement has ended.
    for r in g.c.region_ids().filter(|_| !g.moving) {
        for indian in [true, false] {
            let n = g.region(r).side(indian);
            if n > STACK {
                faults.push(format!("{n} friendly cubes in {} (4.4)", g.name(r)));
            }
        }
    }
    for faction in Faction::CARDED {
        let deck = g.deck(faction);
        let known = deck.hand.len() + deck.discards.len();
        if deck.hand.len() > HAND || known != deck.drawn || deck.drawn > deck.order.len() {
            let (hand, drawn) = (deck.hand.len(), deck.drawn);
            faults.push(format!("{}: {hand} cards in hand, {drawn} drawn, {known} known (9)", faction.name()));
        }
    }
    faults
}
