//! Test helpers: positions made by hand.

use super::{
    BloodyGround, State,
    components::{AreaId, Components, Kit as _, LeaderId, NationId, Season, Side, Special, Stance},
    setup,
    state::{Fort, Spot, UnitId},
    variant::Variant,
};
use postrider_table::testing;

/// A single rule applied to a position.
pub type Trial = testing::Trial<BloodyGround>;
/// A rule in progress.
pub type Running = testing::Running<BloodyGround>;

/// Returns a scenario with British forts only.
pub fn bare(scenario: &str) -> State {
    let mut g = setup::position(Components::builtin().clone(), scenario, Variant::default());
    for a in g.c.area_ids().filter(|&a| g.c[a].is(Special::BritishFort)).collect::<Vec<_>>() {
        g.land_mut(a).fort = Some(Fort::of(Side::Na));
    }
    for n in g.c.nation_ids() {
        g.tribe_mut(n).stance = Stance::Peaceful;
    }
    g.turn = 2;
    for a in g.c.area_ids() {
        g.settled[a.index()] = g.scores(a);
    }
    g
}

/// Returns the long campaign with nothing placed.
pub fn war() -> State {
    bare("ohio-1790")
}

pub fn at(g: &State, id: &str) -> AreaId {
    g.c.area(id).unwrap_or_else(|| panic!("no area {id}"))
}

pub fn leader(g: &State, name: &str) -> LeaderId {
    g.c.leader(name).unwrap_or_else(|| panic!("no leader {name}"))
}

pub fn nation(g: &State, name: &str) -> NationId {
    g.c.nation(name).unwrap_or_else(|| panic!("no nation {name}"))
}

pub fn put(g: &mut State, kind: &str, n: usize, id: &str) -> Vec<UnitId> {
    let (kind, a) = (g.c.kind(kind).unwrap_or_else(|| panic!("no kind {kind}")), at(g, id));
    let units: Vec<UnitId> = g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::Pool).take(n).collect();
    assert_eq!(units.len(), n, "enough counters");
    units.iter().for_each(|&u| g.unit_mut(u).spot = Spot::On(a));
    units
}

pub fn lead(g: &mut State, name: &str, id: &str) -> LeaderId {
    let (l, a) = (leader(g, name), at(g, id));
    g.chief_mut(l).spot = Spot::On(a);
    l
}

pub fn at_war(g: &mut State, name: &str, ml: u8) -> NationId {
    let n = nation(g, name);
    let tribe = g.tribe_mut(n);
    (tribe.stance, tribe.ml) = (Stance::Warpath, ml);
    n
}

pub fn us_fort(g: &mut State, id: &str) {
    let a = at(g, id);
    g.land_mut(a).fort = Some(Fort::of(Side::Us));
}

/// Returns a pseudo-random map with pillaged areas, forts of both sides, and scattered units, in
/// any season.
pub fn disorder(seed: u32) -> State {
    let mut g = war();
    let mut drawn = seed;
    let mut below = |n: u32| {
        drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (drawn >> 8) % n
    };
    (g.season, g.severe) = (Season::ALL[below(4) as usize], below(4) == 0);
    at_war(&mut g, "Shawnee", 3);
    let areas: Vec<AreaId> = g.c.area_ids().collect();
    for &a in &areas {
        g.land_mut(a).pillaged = below(4) == 0;
        g.land_mut(a).village = below(6) == 0;
        if below(4) == 0 {
            let side = Side::ALL[below(2) as usize];
            g.land_mut(a).fort = Some(Fort::of(side));
        }
    }
    for u in g.unit_ids().filter(|_| below(3) == 0).collect::<Vec<_>>() {
        g.unit_mut(u).spot = Spot::On(areas[below(areas.len() as u32) as usize]);
    }
    g
}

pub fn count(g: &State, kind: &str, id: &str) -> usize {
    let (kind, a) = (g.c.kind(kind).unwrap_or_else(|| panic!("no kind {kind}")), at(g, id));
    g.of_kind(kind).filter(|&u| g.unit(u).spot == Spot::On(a)).count()
}

/// Helpers for running games.
pub trait Play {
    /// Answers every question with its first option until none is left; returns the number of
    /// answers.
    fn all_first(&mut self) -> usize;
}

impl Play for Running {
    fn all_first(&mut self) -> usize {
        let mut asked = 0;
        while !self.asked().is_empty() {
            let first = self.options().remove(0);
            self.order(first.order).unwrap_or_else(|why| panic!("{}: {why}", first.words));
            asked += 1;
        }
        asked
    }
}
