//! Decisions of the bot on the battle board.

use super::{
    super::{
        Order, State, battle,
        components::{Ground, Side, Toll},
        order::{Lot, Path, Shot},
        state::UnitId,
    },
    Sight,
};
use postrider_table::{PickOrder, hex::Hex, status::Condition};
use std::collections::BTreeMap;

/// Weight of the best shot from a hex, relative to the exposure there.
const SHOT: f64 = 1.0;
/// Cost of each enemy that has the hex in range and line of fire.
const EXPOSED: f64 = 0.18;
/// Value of woods for warriors.
const COVER: f64 = 0.25;
/// Cost per hex of distance from the nearest enemy.
const WAY: f64 = 0.08;
/// Cost of a unit's retreat in a melee, in lost units.
const RETREAT: f64 = 0.4;
/// Minimum expected gain of a melee, in units.
const MELEE: f64 = 0.15;

/// Returns the probability of a hit.
fn hits(g: &State, i: usize, j: usize, from: Hex, to: Hex) -> f64 {
    let (strength, drm) = (battle::power(g, i).1, battle::modifiers(g, from, to, j));
    f64::from((1..=6).filter(|&die| battle::hits(die, &drm, strength)).count() as u8) / 6.0
}

/// Returns the value of hitting an enemy; Disrupted and Routed ones are worth more.
fn prize(g: &State, j: usize) -> f64 {
    let piece = &g.battle().pieces[j];
    let led = piece.stand.hex().is_some_and(|hex| g.heads_in(hex).next().is_some());
    let state = match g.unit(piece.unit).condition {
        Condition::Normal => 1.0,
        Condition::Disrupted => 1.3,
        Condition::Routed => 2.0,
    };
    state + if led { 0.3 } else { 0.0 }
}

fn find(g: &State, label: &str) -> Option<usize> {
    g.battle().pieces.iter().position(|piece| piece.label == label)
}

impl Sight<'_> {
    fn enemies(&self) -> Vec<(usize, Hex)> {
        let g = self.g;
        g.on_board(self.side.enemy()).filter_map(|j| Some((j, g.battle().pieces[j].stand.hex()?))).collect()
    }
    /// Returns the value of a hex to a unit, by the targets and enemy fire there.
    fn ground(&self, hex: Hex, range: u16, warrior: bool, enemies: &[(usize, Hex)]) -> f64 {
        let g = self.g;
        let grid = &g.field().grid;
        let mut targets = 0.0_f64;
        let mut exposed = 0.0;
        for &(j, at) in enemies {
            let distance = grid.distance(hex, at);
            if distance <= range.max(battle::power(g, j).0) && battle::sees(g, g.season, hex, at) {
                if distance <= range {
                    targets = targets.max(prize(g, j));
                }
                if g.unit(g.battle().pieces[j].unit).condition == Condition::Normal {
                    exposed += f64::from(u8::from(distance <= battle::power(g, j).0));
                }
            }
        }
        let woods = g.field().ground[hex] == Ground::Woods;
        let cover = if woods && warrior { COVER } else { 0.0 };
        let far = grid.nearest(hex, enemies.iter().map(|enemy| enemy.1)).unwrap_or(0);
        SHOT * targets - EXPOSED * exposed + cover - WAY * f64::from(far)
    }
    /// Returns one order that moves every unit to its best hex, and leaders to the largest groups.
    pub fn battle_move(&self) -> Option<Order> {
        let g = self.g;
        let grid = g.field().grid.clone();
        let enemies = self.enemies();
        if enemies.is_empty() {
            return Some(Order::Pass {});
        }
        let mut paths: BTreeMap<String, Vec<Path>> = BTreeMap::new();
        for order in self.q.orders() {
            if let Order::March { ways } = order {
                for path in ways {
                    paths.entry(path.who.clone()).or_default().push(path);
                }
            }
        }
        let mut known: BTreeMap<(Hex, u16, bool), f64> = BTreeMap::new();
        let mut crowd: BTreeMap<Hex, Vec<UnitId>> = BTreeMap::new();
        for i in g.on_board(self.side) {
            crowd.entry(g.battle().pieces[i].stand.hex()?).or_default().push(g.battle().pieces[i].unit);
        }
        let mut ways: Vec<Path> = Vec::new();
        let units: Vec<usize> = (0..g.battle().pieces.len()).collect();
        for i in units {
            let piece = &g.battle().pieces[i];
            let Some(mine) = paths.get(&piece.label) else { continue };
            let range = battle::power(g, i).0;
            let warrior = g.nation_of(piece.unit).is_some();
            let value = |hex: Hex, known: &mut BTreeMap<_, f64>| {
                *known.entry((hex, range, warrior)).or_insert_with(|| self.ground(hex, range, warrior, &enemies))
            };
            // 10.4.1: if too many units have retreated into a hex, some must leave.
            let crowded = |hex: Hex| crowd.get(&hex).is_some_and(|here| here.len() > g.hex_limit(hex));
            let stands = piece.stand.hex().filter(|&hex| !crowded(hex));
            let stay = stands.map_or(f64::MIN, |hex| value(hex, &mut known) + 0.05);
            let mut found: Vec<(f64, Hex, &Path)> = Vec::new();
            for path in mine {
                let Some(hex) = path.way.last().and_then(|id| grid.hex(id)) else { continue };
                let worth = value(hex, &mut known);
                if worth > stay && self.fits(hex, piece.unit, crowd.get(&hex)) {
                    found.push((worth, hex, path));
                }
            }
            found.sort_by(|a, b| b.0.total_cmp(&a.0));
            for (_, hex, path) in found.into_iter().take(4) {
                ways.push(path.clone());
                if self.q.is_legal(&Order::March { ways: ways.clone() }) {
                    if let Some(from) = piece.stand.hex() {
                        crowd.entry(from).or_default().retain(|&unit| unit != piece.unit);
                    }
                    crowd.entry(hex).or_default().push(piece.unit);
                    break;
                }
                ways.pop();
            }
        }
        for head in g.battle().heads.iter().filter(|head| g.c[head.leader].side == self.side) {
            let Some(mine) = paths.get(&g.c[head.leader].name) else { continue };
            let company = |hex: Hex| {
                crowd
                    .iter()
                    .filter(|(at, _)| grid.distance(**at, hex) <= 1)
                    .map(|(_, units)| units.len())
                    .sum::<usize>()
            };
            let stands = |hex: Hex| crowd.get(&hex).is_some_and(|units| !units.is_empty());
            let stay = head.stand.hex().filter(|&hex| stands(hex)).map_or(0, |hex| company(hex) + 1);
            let best = mine
                .iter()
                .filter_map(|path| {
                    Some((company(path.way.last().and_then(|id| grid.hex(id)).filter(|&hex| stands(hex))?), path))
                })
                .max_by_key(|(n, _)| *n)
                .filter(|(n, _)| *n > stay);
            if let Some((_, path)) = best {
                ways.push(path.clone());
                if !self.q.is_legal(&Order::March { ways: ways.clone() }) {
                    ways.pop();
                }
            }
        }
        Some(if ways.is_empty() { Order::Pass {} } else { Order::March { ways } })
    }
    /// Returns `true` if a unit may stack with others in a hex: within the limit, and of one nation
    /// (10.4.1).
    fn fits(&self, hex: Hex, unit: UnitId, there: Option<&Vec<UnitId>>) -> bool {
        let g = self.g;
        there.is_none_or(|units| {
            units.len() < g.hex_limit(hex) && units.iter().all(|&other| g.nation_of(other) == g.nation_of(unit))
        })
    }
    /// Returns an order with the best shot of every unit, by probability and value.
    pub fn battle_fire(&self) -> Option<Order> {
        let g = self.g;
        let mut best: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
        for order in self.q.orders() {
            let Order::Fire { shots } = order else { continue };
            let [Shot { who, at }] = &shots[..] else { continue };
            let (Some(i), Some(j)) = (find(g, who), find(g, at)) else { continue };
            let (Some(from), Some(to)) = (g.battle().pieces[i].stand.hex(), g.battle().pieces[j].stand.hex()) else {
                continue;
            };
            let worth = hits(g, i, j, from, to) * prize(g, j);
            if worth > best.get(&i).map_or(0.0, |known| known.0) {
                best.insert(i, (worth, j));
            }
        }
        let label = |i: usize| g.battle().pieces[i].label.clone();
        let shots: Vec<Shot> = best.into_iter().map(|(i, (_, j))| Shot { who: label(i), at: label(j) }).collect();
        Some(if shots.is_empty() { Order::Pass {} } else { Order::Fire { shots } })
    }
    /// Returns the melee with the highest expected gain, or a pass.
    pub fn battle_melee(&self) -> Option<Order> {
        let g = self.g;
        let cost = |toll: Toll, n: usize| {
            let lost = usize::from(toll.lost).min(n) as f64;
            lost + if toll.retreat { RETREAT * (n as f64 - lost).max(0.0) } else { 0.0 }
        };
        self.q.best(|order| match order {
            Order::Pass {} => Some(MELEE),
            Order::Melee { at, with } => {
                let hex = g.field().grid.hex(at)?;
                let attackers: Vec<usize> = with.iter().filter_map(|label| find(g, label)).collect();
                let odds = battle::odds(g, &attackers, hex);
                let defenders = g.in_hex(hex).count();
                let one = |die: i32| {
                    let result = g.charts.melee.at(die + odds.drm.total(), odds.column);
                    cost(result.defender, defenders) - cost(result.attacker, attackers.len())
                };
                Some((1..=6).map(one).sum::<f64>() / 6.0)
            }
            _ => None,
        })
    }
    /// Returns a retreat that stays on the board, if possible, and ends far from enemies.
    pub fn battle_retreat(&self) -> Option<Order> {
        let grid = &self.g.field().grid;
        let enemies = self.enemies();
        self.q.best(|order| {
            let hex = grid.hex(order.picked()?);
            Some(hex.map_or(-1.0, |hex| f64::from(grid.nearest(hex, enemies.iter().map(|enemy| enemy.1)).unwrap_or(0))))
        })
    }
    /// Returns the unit in the worst state.
    pub fn battle_loss(&self) -> Option<Order> {
        let g = self.g;
        self.q.best(|order| {
            let unit = g.battle().pieces[find(g, order.picked()?)?].unit;
            Some(f64::from(g.unit(unit).condition as u8) - f64::from(u8::from(g.unit(unit).rifle)))
        })
    }
    /// Returns the listed set-up with the best total value, or the lettered hex with the most cover
    /// around it for NA and the least for the US.
    pub fn battle_set_up(&self) -> Option<Order> {
        let g = self.g;
        let (grid, ground) = (&g.field().grid, &g.field().ground);
        let enemies = self.enemies();
        self.q.best(|order| match order {
            Order::Put { lots } => Some(lots.iter().map(|lot| self.begins(lot, &enemies)).sum()),
            order => {
                let (_, hex) =
                    *g.field().letters.iter().find(|(letter, _)| order.picked() == Some(&*letter.to_string()))?;
                let woods = grid.within(hex, 2).filter(|&hex| ground[hex] == Ground::Woods).count() as f64;
                Some(if self.side == Side::Na { woods } else { -woods })
            }
        })
    }
    fn begins(&self, lot: &Lot, enemies: &[(usize, Hex)]) -> f64 {
        let g = self.g;
        let (Some(hex), Some(kind)) = (g.field().grid.hex(&lot.at), g.c.kind(&lot.what)) else { return 0.0 };
        let range = g.c.fire[g.c[kind].class.index()].range.into();
        f64::from(lot.n) * self.ground(hex, range, g.c[kind].nation.is_some(), enemies)
    }
}
