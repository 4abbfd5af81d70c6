//! Invariants of all positions.

use super::{
    components::{Class, Num, Side},
    leaders,
    state::{Phase, Spot, State},
};
use postrider_table::Law;

/// Returns the faults of a position between two decisions; empty for a legal one.
pub fn faults(g: &State) -> Vec<String> {
    let mut law = Law::default();
    for hex in g.charts.grid.hexes() {
        let here: Vec<_> = g.here(hex).collect();
        law.holds(here.windows(2).all(|two| two[0] < two[1]), || {
            format!("the counters of {} are out of order", g.id(hex))
        });
        law.holds(here.iter().all(|&u| g.hex(u) == Some(hex)), || format!("a counter of {} is elsewhere", g.id(hex)));
        let us = here.iter().filter(|&&u| g.side(u) == Side::Us && !g.unit(u).abandoned).count();
        let indians = here.iter().filter(|&&u| g.side(u) == Side::Indian).count();
        law.holds(us == 0 || indians == 0, || format!("both sides are in {} (7.C)", g.id(hex)));
        // 6: the limit applies at the end of a phase, but every order must end within it.
        let limit = g.c.n(Num::Stacking);
        law.holds(g.resolving || i64::from(g.stacked(hex)) <= i64::from(limit), || {
            format!("{} Combat Factors in {} (6.A)", g.stacked(hex), g.id(hex))
        });
    }
    let listed: usize = g.charts.grid.hexes().map(|hex| g.here(hex).count()).sum();
    let there = g.c.unit_ids().filter(|&u| g.hex(u).is_some()).count();
    law.holds(listed == there, || format!("{there} counters on the map, {listed} in its hexes"));
    for u in g.c.unit_ids() {
        let (unit, class) = (g.unit(u), g.class(u));
        let name = &g.c[u].id;
        law.holds(
            unit.spot.hex().is_none() || class == Class::PonyHolder || class == Class::HqHolder || g.cf(u) > 0,
            || format!("{name} has no strength (11)"),
        );
        law.holds(!class.walks() || unit.mode != super::state::Mode::Mounted, || format!("{name} rides (8)"));
        law.holds(!unit.pinned || g.posture(u) != super::state::Mode::Mounted, || {
            format!("{name} is mounted and Pinned (8.A)")
        });
        law.holds(unit.spot != Spot::Dead || unit.is_good(), || format!("{name} is dead and has a marker"));
        law.holds(!unit.abandoned || unit.is_good(), || format!("{name} is abandoned and has a marker (15.B)"));
        law.holds(!unit.routed || unit.mode != super::state::Mode::Prone, || {
            format!("{name} is Routed and Prone (8.C)")
        });
        law.holds(class != Class::PonyHolder || !unit.pinned && !unit.routed, || {
            format!("{name} is Pinned or Routed (16.B)")
        });
        let boxes = g.c[u].boxes * 2;
        law.holds(unit.used <= boxes, || format!("{name} has used more than its boxes (14.D)"));
        law.holds(unit.spot != Spot::Waiting || g.turn <= 1, || format!("{name} has not entered (18.1)"));
    }
    for l in g.c.leader_ids().filter(|_| !g.resolving) {
        let chief = g.chief(l);
        let with = chief.with.is_none_or(|u| g.hex(u).is_some() && g.hex(u) == chief.spot.hex());
        law.holds(with, || format!("{} is not where his unit is (12.A)", g.c[l].id));
        let company = chief.spot.hex().is_some_and(|hex| leaders::largest(g, hex, g.c[l].side, None).is_some());
        law.holds(chief.with.is_some() || !company || g.phase == Phase::SetUp, || {
            format!("{} is attached to no unit (12.A)", g.c[l].id)
        });
        let enemy = chief.spot.hex().is_some_and(|hex| g.holds(hex, g.c[l].side.enemy()));
        law.holds(!enemy, || format!("{} is among enemies (12.D.5)", g.c[l].id));
    }
    let points: i32 = Side::ALL.into_iter().map(|side| i32::from(g.losses[side.index()])).sum();
    law.holds(points >= 0 && i32::from(g.ammo_points) <= g.c.n(Num::AmmoPoints), || "the tracks".to_owned());
    law.faults()
}
