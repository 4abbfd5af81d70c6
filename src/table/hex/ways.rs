//! Movement: the hexes that units can reach, and the paths there.

use super::{Grid, Hex};

/// A step from a hex into a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The cost in movement points; at least 1.
    pub cost: u16,
    /// `true` if movement ends in the hex entered.
    pub ends: bool,
}

impl Step {
    /// Creates a step with this cost.
    pub fn of(cost: u16) -> Step {
        Step { cost: cost.max(1), ends: false }
    }
    /// Ends movement with this step if `ends` is true.
    pub fn ends(self, ends: bool) -> Step {
        Step { ends: self.ends || ends, ..self }
    }
}

/// The cheapest path into a hex.
#[derive(Clone, Copy)]
struct Mark {
    cost: u16,
    from: Hex,
    /// The number of paths with this cost.
    ways: u16,
}

/// The hexes that a unit can reach, with the paths there.
pub struct Reach {
    start: Hex,
    /// The cheapest path into each hex.
    arrived: Vec<Option<Mark>>,
    /// The cheapest path into each hex from which movement can continue.
    passing: Vec<Option<Mark>>,
}

impl Reach {
    /// Returns the cost to reach a hex: 0 for the starting hex, `None` if it is out of reach.
    pub fn cost(&self, to: Hex) -> Option<u16> {
        if to == self.start { Some(0) } else { self.arrived[to.index()].map(|mark| mark.cost) }
    }
    /// Returns the hexes in reach with their costs, in the order of ids, without the starting hex.
    pub fn each(&self) -> impl Iterator<Item = (Hex, u16)> + '_ {
        let marked = self.arrived.iter().enumerate();
        let one = |(place, mark): (usize, &Option<Mark>)| mark.map(|mark| (Hex(place as u16), mark.cost));
        marked.filter_map(one).filter(|&(hex, _)| hex != self.start)
    }
    /// Returns a cheapest path, including both ends; `None` if the hex is out of reach.
    pub fn way(&self, to: Hex) -> Option<Vec<Hex>> {
        self.cost(to)?;
        let mut way = vec![to];
        let mut mark = self.arrived[to.index()].filter(|_| to != self.start);
        while let Some(Mark { from, .. }) = mark {
            way.push(from);
            mark = self.passing[from.index()].filter(|_| from != self.start);
        }
        way.reverse();
        Some(way)
    }
    /// Returns `true` if there is only one cheapest path, so that the player need not name it.
    pub fn is_plain(&self, to: Hex) -> bool {
        to == self.start || self.arrived[to.index()].is_some_and(|mark| mark.ways == 1)
    }
}

/// The part of a named path that a unit can move along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    /// The number of steps taken.
    pub steps: usize,
    /// The cost of these steps.
    pub cost: u16,
    /// `true` if the last step ended movement.
    pub ended: bool,
}

impl Grid {
    /// Returns the hexes that a unit can reach with this allowance of movement points. `step`
    /// returns the cost of a step and whether it ends movement, or `None` if the step is
    /// impossible.
    pub fn reach(&self, start: Hex, allowance: u16, mut step: impl FnMut(Hex, Hex) -> Option<Step>) -> Reach {
        let mut reach = Reach { start, arrived: vec![None; self.len()], passing: vec![None; self.len()] };
        let mut due: Vec<Vec<Hex>> = vec![Vec::new(); usize::from(allowance) + 1];
        reach.passing[start.index()] = Some(Mark { cost: 0, from: start, ways: 1 });
        due[0].push(start);
        for spent in 0..=allowance {
            // A step costs at least 1, so no hex is added to the list for the current cost.
            for at in std::mem::take(&mut due[usize::from(spent)]) {
                let Some(here) = reach.passing[at.index()].filter(|mark| mark.cost == spent) else { continue };
                for to in self.neighbours(at) {
                    let Some(Step { cost, ends }) = step(at, to) else { continue };
                    let cost = spent.saturating_add(cost.max(1));
                    if cost > allowance || to == start {
                        continue;
                    }
                    let mark = Mark { cost, from: at, ways: here.ways };
                    better(&mut reach.arrived[to.index()], mark);
                    if !ends && better(&mut reach.passing[to.index()], mark) {
                        due[usize::from(cost)].push(to);
                    }
                }
            }
        }
        reach
    }
    /// Extends [`reach`](Self::reach) by a minimum move: a unit may always take one possible step,
    /// at the cost of all its movement points.
    pub fn reach_at_least_one(
        &self,
        start: Hex,
        allowance: u16,
        mut step: impl FnMut(Hex, Hex) -> Option<Step>,
    ) -> Reach {
        let mut reach = self.reach(start, allowance, &mut step);
        for to in self.neighbours(start) {
            if reach.arrived[to.index()].is_none() && step(start, to).is_some() {
                reach.arrived[to.index()] = Some(Mark { cost: allowance, from: start, ways: 1 });
            }
        }
        reach
    }
    /// Moves along a named path, given with both ends, with this allowance of movement points.
    /// Returns the part completed: to its end, to a hex where movement ends, or to the last hex
    /// before a step that is impossible, too expensive, or not to a neighbour. If `minimum` is
    /// true, the first step may cost all points.
    pub fn walk(
        &self,
        way: &[Hex],
        allowance: u16,
        minimum: bool,
        mut step: impl FnMut(Hex, Hex) -> Option<Step>,
    ) -> Walk {
        let mut walk = Walk { steps: 0, cost: 0, ended: false };
        for pair in way.windows(2) {
            let next = if self.adjacent(pair[0], pair[1]) { step(pair[0], pair[1]) } else { None };
            let Some(next) = next.filter(|_| !walk.ended) else { break };
            let cost = walk.cost.saturating_add(next.cost.max(1));
            let all = walk.steps == 0 && minimum && cost > allowance;
            if cost > allowance && !all {
                break;
            }
            walk = Walk { steps: walk.steps + 1, cost: cost.min(allowance), ended: next.ends || all };
        }
        walk
    }
}

/// Keeps the cheaper path, or the first of equals. Returns `true` if `mark` replaced the old path,
/// so that the hex must be processed at its new cost.
fn better(best: &mut Option<Mark>, mark: Mark) -> bool {
    match best {
        Some(old) if old.cost < mark.cost => false,
        Some(old) if old.cost == mark.cost => {
            old.ways = old.ways.saturating_add(mark.ways);
            false
        }
        _ => {
            *best = Some(mark);
            true
        }
    }
}
