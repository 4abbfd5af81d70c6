//! The value of a position on the map to a side, in VPs.

use super::super::{
    components::{AreaId, Class, Side},
    raid,
    state::{Spot, State},
    supply::Network,
};
use postrider_table::steps;

/// Value of a combat unit: the VPs that the enemy gets for its elimination (15.4.5).
const UNIT: f64 = 2.0;
/// Weight of the balance of forces in an unresolved combat.
const FIGHT: f64 = 0.5;
/// Value of each area by which a unit is closer to its goal.
const STEP: f64 = 0.06;
/// Value of a settled area.
const SETTLED: f64 = 1.0;
/// Value of militia in an area with settlers, for up to two units.
const GUARD: f64 = 0.25;
/// Cost of a unit Out of Supply.
const HUNGER: f64 = 0.5;
/// Distance assumed if there is no route.
const FAR: f64 = 12.0;

/// The values shared by the comparison of all orders: distances, and the areas where the US is
/// supplied.
pub struct Judge {
    side: Side,
    to_kekionga: Vec<f64>,
    /// Distance to the nearest US army, of at least three units outside forts.
    to_army: Vec<f64>,
    fed: Vec<bool>,
}

/// The pieces in an area, by side.
#[derive(Clone, Copy, Default)]
struct Here {
    units: [f64; 2],
    force: [f64; 2],
    /// The best rating of a leader.
    rating: [Option<i32>; 2],
    guards: u8,
}

impl Judge {
    /// Creates the judge of a side for a position.
    pub fn new(g: &State, side: Side) -> Judge {
        let near = |a: usize| g.beside(AreaId(a as u8)).map(AreaId::index).collect::<Vec<_>>();
        let far = |from: Vec<usize>| {
            let steps = steps(g.land.len(), from, near);
            steps.into_iter().map(|steps| steps.map_or(FAR, f64::from).min(FAR)).collect::<Vec<f64>>()
        };
        let army = |&a: &AreaId| g.outside(a, Side::Us).nth(2).is_some();
        let to_army = far(g.c.area_ids().filter(army).map(AreaId::index).collect());
        // US supply is taken to be the same for all orders of NA, so only the US computes it.
        let network = Network::of(g);
        let fed = |a| side == Side::Na || network.feeds_us(g, a);
        let fed = g.c.area_ids().map(fed).collect();
        Judge { side, to_kekionga: far(vec![g.kekionga().index()]), to_army, fed }
    }
    /// Returns the value of a position to the side; to the enemy it is the negative.
    pub fn worth(&self, g: &State) -> f64 {
        let us = self.for_us(g);
        if self.side == Side::Us { us } else { -us }
    }
    fn for_us(&self, g: &State) -> f64 {
        let mut sum = f64::from(g.lead());
        let mut here = vec![Here::default(); g.land.len()];
        let settled: Vec<bool> = g.c.area_ids().map(|a| g.is_settled(a)).collect();
        for u in g.unit_ids() {
            let unit = g.unit(u);
            let (class, side) = (g.class(u), g.side_of(u));
            let Spot::On(a) = unit.spot else {
                // Units off the map are of no use yet.
                let by = if unit.spot == Spot::Edge { STEP * FAR } else { 0.0 };
                sum += if side == Side::Us { -by } else { by };
                continue;
            };
            if unit.raiding || !g.is_face_up(u) {
                continue;
            }
            let at = &mut here[a.index()];
            let ground = match (class, settled[a.index()]) {
                (Class::Warrior, false) => 1.25,
                (Class::Warrior, true) => 0.9,
                (Class::Militia, false) => 0.8,
                _ => 1.0,
            };
            at.units[side.index()] += 1.0;
            at.force[side.index()] += ground * if unit.inside { 2.0 } else { 1.0 };
            match side {
                Side::Us if !self.fed[a.index()] => sum -= HUNGER,
                _ => {}
            }
            match side {
                _ if unit.inside => {}
                Side::Us if class == Class::Militia && g.people(a) > 0 => at.guards += 1,
                Side::Us => sum -= STEP * self.to_kekionga[a.index()],
                // Warriors gather near a US army and at Kekionga.
                Side::Na => sum += STEP * self.to_army[a.index()].min(self.to_kekionga[a.index()] + 1.0),
            }
        }
        for l in g.c.leader_ids() {
            if let Spot::On(a) = g.chief(l).spot {
                let best = &mut here[a.index()].rating[g.c[l].side.index()];
                *best = (*best).max(Some(i32::from(g.c[l].command)));
            }
        }
        for a in g.c.area_ids() {
            let at = &here[a.index()];
            let force = |i: usize| at.force[i] * at.rating[i].map_or(0.8, |rating| 1.0 + 0.1 * f64::from(rating));
            let ([us, na], [n_us, n_na]) = ([force(0), force(1)], at.units);
            if n_us > 0.0 && n_na > 0.0 {
                let wins = us * us / (us * us + na * na);
                sum += FIGHT * UNIT * (wins * n_na - (1.0 - wins) * n_us).clamp(-6.0, 6.0);
            }
            if g.people(a) > 0 || g.land(a).village {
                sum += SETTLED;
            }
            sum += GUARD * f64::from(at.guards.min(2));
        }
        sum
    }
}

/// Returns the expected value of a raid to NA: VPs, settlers and units of both sides.
pub fn raid_worth(g: &State, a: AreaId) -> f64 {
    if !g.units_in(a, Side::Na).any(|u| g.unit(u).raiding) {
        return 0.0;
    }
    let drm = raid::modifiers(g, a).total();
    let militia = g.units_in(a, Side::Us).filter(|&u| g.class(u) == Class::Militia).count();
    let one = |die: i32| {
        let row = &g.c.raid[*g.charts.raid.at(die + drm)];
        let lost = f64::from(row.warriors.min(1)) + 0.5 * f64::from(row.warriors.saturating_sub(1));
        let killed = f64::from(row.militia.min(militia.min(255) as u8).min(1));
        let settlers = f64::from(row.settlers.min(g.people(a)));
        f64::from(row.vps) + UNIT * (killed - lost) + SETTLED * settlers + f64::from(u8::from(row.marker_stays)) * -0.2
    };
    (1..=6).map(one).sum::<f64>() / 6.0
}
