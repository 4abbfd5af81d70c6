//! The value of a hex to a unit: terrain, nearby friends and enemies.

use super::{
    super::{
        State,
        components::{Class, Num, Side, UnitId, Vp},
        zoc,
    },
    stands,
};
use postrider_table::{hex::Hex, steps};
use std::cell::OnceCell;

/// The VPs of the objectives (17), in order.
const HILLS: [Vp; 3] = [Vp::CrooksHill, Vp::ConicalHill, Vp::AndrewsPoint];

/// A position from a side's point of view.
pub struct Field<'g> {
    g: &'g State,
    side: Side,
    /// `true` for the Indians; see [`Steady`](super::Steady).
    wary: bool,
    /// Distance to the nearest enemy by hex; `None` if there is no enemy.
    enemies: Vec<Option<u8>>,
    friends: Vec<Hex>,
    /// Strengths by side and hex, computed on first use because each hex is evaluated for many
    /// units.
    strengths: [OnceCell<Vec<u32>>; 2],
}

impl<'g> Field<'g> {
    pub fn new(g: &'g State, side: Side, wary: bool) -> Field<'g> {
        let hexes = |side: Side| {
            let units =
                g.on_map(side).filter(|&u| g.class(u).is_combat() && !g.class(u).is_holder() && !g.unit(u).routed);
            let mut hexes: Vec<Hex> = units.filter_map(|u| g.hex(u)).collect();
            hexes.sort_unstable();
            hexes.dedup();
            hexes
        };
        let grid = &g.charts.grid;
        let beside = |hex: usize| grid.neighbours(Hex(hex as u16)).map(Hex::index);
        let enemies = steps(grid.len(), hexes(side.enemy()).into_iter().map(Hex::index), beside);
        Field { g, side, wary, enemies, friends: hexes(side), strengths: Default::default() }
    }
    /// Returns `true` if an enemy is within `far` hexes.
    pub fn near(&self, hex: Hex, far: u8) -> bool {
        self.enemies[hex.index()].is_some_and(|n| n <= far)
    }
    /// Returns the value of a hex to a unit.
    pub fn worth(&self, u: UnitId, hex: Hex) -> f64 {
        let g = self.g;
        if !zoc::fits(g, hex, u) {
            return f64::MIN;
        }
        let grid = &g.charts.grid;
        let far = self.enemies[hex.index()].map_or(20.0, f64::from);
        let cf = f64::from(g.cf(u));
        // Weak units keep away. Strong ones come within two hexes, from where they can fire, or
        // closer where they outnumber the enemy.
        let weak = cf <= 2.0 || matches!(g.class(u), Class::Hq | Class::Train | Class::Personnel);
        let wanted = if weak { 6.0 } else { 2.0 };
        let distance = -(far - wanted).abs() * if weak { 0.5 } else { 0.3 };
        let (own, theirs) = (self.strength(hex, self.side) + cf, self.strength(hex, self.side.enemy()));
        let daring = match self.wary {
            true => self.risk(far, own, theirs),
            false if far <= 1.0 && !weak => (own - theirs).clamp(-12.0, 6.0) * 0.15,
            false => 0.0,
        };
        let cover = if self.wary { 1.0 } else { 0.6 };
        let ground =
            f64::from(-g.c.terrains[g.ground(hex).index()].fire) * cover + f64::from(g.charts.level[hex]) * 0.25;
        let line =
            grid.neighbours(hex).filter(|&near| stands(g, near, self.side) && g.hex(u) != Some(near)).count().min(2);
        let apart =
            grid.nearest(hex, self.friends.iter().copied().filter(|&at| g.hex(u) != Some(at))).map_or(0.0, f64::from);
        let zones = zoc::exerting(g, hex, self.side.enemy()).count();
        let crowd = f64::from(g.stacked(hex)) * 0.06;
        let prey = if self.wary && far <= 1.0 && self.hunts(hex) { 1.5 } else { 0.0 };
        prey + distance + daring + ground + line as f64 * 0.35
            - (apart - 2.0).max(0.0) * 0.15
            - zones as f64 * 0.2
            - crowd
            + self.objective(u, hex)
    }
    /// Returns the risk of a hex for Indians: adjacent to enemies they want about equal strength,
    /// and two hexes away at least 70 per cent of it. After heavy losses, when casualties soon
    /// count double (16.F), they stay farther away.
    fn risk(&self, far: f64, own: f64, theirs: f64) -> f64 {
        let g = self.g;
        let spent =
            g.variant.casualty_limit() && i32::from(g.losses[self.side.index()]) + 3 >= g.c.n(Num::CasualtyLimit);
        let wanted = if far <= 1.0 { 0.9 } else { 0.7 };
        let near = match far {
            far if far <= 1.0 => 0.25,
            far if far <= 2.0 => 0.0,
            _ => return 0.0,
        };
        near + (own - theirs * wanted).clamp(-14.0, 3.0) * 0.12 - if spent { 0.8 } else { 0.0 }
    }
    /// Returns `true` if Holders with horses are alone in an adjacent hex (16.B).
    fn hunts(&self, hex: Hex) -> bool {
        let g = self.g;
        let enemy = self.side.enemy();
        g.charts.grid.neighbours(hex).any(|near| {
            let mut there = g.of_side(near, enemy).peekable();
            there.peek().is_some() && there.all(|u| g.class(u).is_holder() && !g.unit(u).mountless)
        })
    }
    /// Returns the strength of a side within two hexes.
    fn strength(&self, hex: Hex, side: Side) -> f64 {
        let g = self.g;
        let all = self.strengths[side.index()].get_or_init(|| {
            let mut all = vec![0; g.charts.grid.len()];
            for u in g.on_map(side).filter(|&u| !g.class(u).is_holder() && !g.unit(u).routed) {
                for near in g.hex(u).into_iter().flat_map(|at| g.charts.grid.within(at, 2)) {
                    all[near.index()] += u32::from(g.cf(u));
                }
            }
            all
        });
        f64::from(all[hex.index()])
    }
    /// Returns the value of guarding hills that the US has not entered: their VPs for a unit on the
    /// hill, less for one adjacent to it (17).
    fn guard(&self, u: UnitId, hex: Hex) -> f64 {
        let g = self.g;
        let of = |i: usize| {
            let (hill, points) = (g.charts.objectives[i], f64::from(g.c.vp(HILLS[i])));
            let held = g.of_side(hill, self.side).any(|o| o != u && !g.class(o).is_holder());
            match g.charts.grid.distance(hex, hill) {
                0 if !held => points * 1.2,
                0 => points * 0.15,
                1 => points * 0.4,
                far => points * -0.04 * f64::from(far.min(12)),
            }
        };
        (0..3).filter(|&i| !g.entered[i]).map(of).sum()
    }
    /// Returns the value of being on or near an objective for US companies (17).
    fn objective(&self, u: UnitId, hex: Hex) -> f64 {
        let g = self.g;
        if self.wary {
            return self.guard(u, hex);
        }
        if self.side == Side::Indian || !matches!(g.class(u), Class::Cavalry | Class::Infantry) {
            return 0.0;
        }
        let open = (0..3).filter(|&i| !g.entered[i]).map(|i| g.charts.objectives[i]);
        match g.charts.grid.nearest(hex, open) {
            Some(0) => 2.0,
            Some(far) => -f64::from(far.min(12)) * 0.08,
            None => 0.0,
        }
    }
}
