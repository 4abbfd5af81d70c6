//! Retreats by a number of hexes, with or without passing enemies, and off the board if allowed.

use super::{Direction, Grid, Hex};
use std::collections::BTreeMap;

/// A path of retreat.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Way {
    /// The hexes entered, in order.
    pub hexes: Vec<Hex>,
    /// The sum of the penalties of its steps.
    pub penalty: u16,
    /// `true` if it ends off the board, with a step from the last of its hexes (or from the start).
    pub leaves: bool,
}

impl Way {
    /// Returns the hex where it ends; `None` if that is off the board.
    pub fn end(&self, from: Hex) -> Option<Hex> {
        if self.leaves { None } else { Some(self.hexes.last().copied().unwrap_or(from)) }
    }
}

/// The form of a retreat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retreat {
    /// The number of hexes.
    pub steps: u16,
    /// `true` if every step must increase the distance from the start, so that no path bends back.
    pub straight: bool,
    /// `true` if units may leave the board from a hex at the edge; leaving takes a step.
    pub leaves: bool,
}

impl Grid {
    /// Returns the possible retreats: one path for each destination, with the least penalty, sorted
    /// by destination, the one off the board first. `step` returns the penalty of a step into a
    /// hex, 0 for none, or `None` if the step is forbidden. The rules decide which of these paths
    /// the owner may choose.
    pub fn retreats(&self, from: Hex, how: Retreat, mut step: impl FnMut(Hex, Hex) -> Option<u16>) -> Vec<Way> {
        let mut best: BTreeMap<Option<Hex>, Way> = BTreeMap::new();
        let mut begun = vec![Way { hexes: Vec::new(), penalty: 0, leaves: false }];
        for taken in 1..=how.steps {
            let mut next: BTreeMap<Hex, Way> = BTreeMap::new();
            for way in begun {
                let at = way.hexes.last().copied().unwrap_or(from);
                if how.leaves && self.on_edge(at) {
                    keep(&mut best, None, Way { leaves: true, ..way.clone() });
                }
                for to in self.neighbours(at) {
                    if how.straight && self.distance(from, to) != taken {
                        continue;
                    }
                    let Some(more) = step(at, to) else { continue };
                    let mut further = way.clone();
                    further.hexes.push(to);
                    further.penalty = further.penalty.saturating_add(more);
                    keep(&mut next, to, further);
                }
            }
            begun = next.into_values().collect();
        }
        for way in begun.into_iter().filter(|way| !way.hexes.is_empty()) {
            keep(&mut best, way.end(from), way);
        }
        best.into_values().collect()
    }
    /// Returns the steps that increase the distance to the nearest threat; `None` in the result
    /// means a step off the board. Without threats every step qualifies. `open` returns `true` if a
    /// hex can be entered at all.
    pub fn away(&self, at: Hex, threats: &[Hex], mut open: impl FnMut(Hex) -> bool) -> Vec<Option<Hex>> {
        let far = |place| threats.iter().map(|&hex| self.axial(hex).minus(place).length()).min();
        let here = far(self.axial(at));
        let mut ways = Vec::new();
        for direction in Direction::ALL {
            let place = self.axial(at).plus(direction.step());
            let to = self.found(place);
            if far(place).is_some_and(|there| Some(there) <= here) || ways.contains(&to) {
                continue;
            }
            if to.is_none_or(&mut open) {
                ways.push(to);
            }
        }
        ways
    }
}

fn keep<K: Ord>(best: &mut BTreeMap<K, Way>, end: K, way: Way) {
    match best.get(&end) {
        Some(old) if (old.penalty, &old.hexes) <= (way.penalty, &way.hexes) => {}
        _ => {
            best.insert(end, way);
        }
    }
}
