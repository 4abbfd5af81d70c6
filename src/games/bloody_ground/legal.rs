//! What no position may ever be.

use super::state::*;
use crate::table::Law;

/// Everything that is wrong with a position between two decisions; empty for a legal one.
pub fn faults(g: &State) -> Vec<String> {
    let mut law = Law::default();
    for kind in g.c.kind_ids() {
        let n = g.of_kind(kind).count();
        law.holds(n == usize::from(g.c[kind].count), || format!("{n} counters of {} (8.4.3)", g.c[kind].id));
    }
    law.holds((1..=5).contains(&g.commitment), || format!("Commitment {} (8.2)", g.commitment));
    law.holds(g.vps.iter().all(|&vps| vps >= 0), || format!("VPs {:?} (15.4.5)", g.vps));
    for n in g.c.nation_ids() {
        law.holds(g.tribe(n).ml <= 5, || format!("level {} of the {} (8.1.1)", g.tribe(n).ml, g.c[n].name));
    }
    for a in g.c.area_ids() {
        let land = g.land(a);
        law.holds(land.settlers <= SETTLERS, || format!("{} settlers in {} (6.0.1)", land.settlers, g.name(a)));
        let inside: Vec<UnitId> = g.units_at(Spot::On(a)).filter(|&u| g.unit(u).inside).collect();
        let fits = inside.is_empty() || land.fort.is_some_and(|fort| inside.iter().all(|&u| g.side_of(u) == fort.side));
        law.holds(fits && inside.len() <= GARRISON, || {
            format!("{} units in a fort at {} (11.2.2)", inside.len(), g.name(a))
        });
    }
    let rifles = g.units.iter().filter(|unit| unit.rifle).count();
    law.holds(rifles <= usize::from(g.c.markers("rifle")), || format!("{rifles} rifles (14.0.2)"));
    for u in g.unit_ids() {
        let unit = g.unit(u);
        let off = unit.spot.area().is_none() && unit.spot != Spot::Edge;
        law.holds(!off || *unit == Unit { spot: unit.spot, ..Unit::new(unit.kind) }, || {
            format!("{unit:?} is not in play")
        });
    }
    law.faults()
}
