//! How far units come, and by which way.

use super::{Grid, Hex};

/// A step from a hex into the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Movement points; at least 1.
    pub cost: u16,
    /// Nobody moves on from there.
    pub ends: bool,
}

impl Step {
    /// A step that costs so much.
    pub fn of(cost: u16) -> Step {
        Step { cost: cost.max(1), ends: false }
    }
    /// The same step, but movement ends with it where that is so.
    pub fn ends(self, ends: bool) -> Step {
        Step { ends: self.ends || ends, ..self }
    }
}

/// The cheapest way into a hex.
#[derive(Clone, Copy)]
struct Mark {
    cost: u16,
    from: Hex,
    /// How many ways cost as little.
    ways: u16,
}

/// Where a unit can come, and how.
pub struct Reach {
    start: Hex,
    /// By hex: the cheapest way to arrive.
    arrived: Vec<Option<Mark>>,
    /// By hex: the cheapest way to arrive and go on from there.
    passing: Vec<Option<Mark>>,
}

impl Reach {
    /// What it costs to come there; 0 where the unit stands, `None` out of reach.
    pub fn cost(&self, to: Hex) -> Option<u16> {
        if to == self.start { Some(0) } else { self.arrived[to.index()].map(|mark| mark.cost) }
    }
    /// Where the unit can come, with the cost, in the order of ids; not where it stands.
    pub fn each(&self) -> impl Iterator<Item = (Hex, u16)> + '_ {
        let marked = self.arrived.iter().enumerate();
        let one = |(place, mark): (usize, &Option<Mark>)| mark.map(|mark| (Hex(place as u16), mark.cost));
        marked.filter_map(one).filter(|&(hex, _)| hex != self.start)
    }
    /// A cheapest way, both ends included; `None` out of reach.
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
    /// Whether only one way is the cheapest, so that it need not be named.
    pub fn is_plain(&self, to: Hex) -> bool {
        to == self.start || self.arrived[to.index()].is_some_and(|mark| mark.ways == 1)
    }
}

/// A way that somebody has named, as far as it goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    /// How many of its steps were taken.
    pub steps: usize,
    /// What they cost.
    pub cost: u16,
    /// The last step taken ended movement.
    pub ended: bool,
}

impl Grid {
    /// Where a unit comes with so many movement points; `step` says what a step costs and whether movement ends with it, `None`
    /// where nobody goes.
    pub fn reach(&self, start: Hex, allowance: u16, mut step: impl FnMut(Hex, Hex) -> Option<Step>) -> Reach {
        let mut reach = Reach { start, arrived: vec![None; self.len()], passing: vec![None; self.len()] };
        let mut due: Vec<Vec<Hex>> = vec![Vec::new(); usize::from(allowance) + 1];
        reach.passing[start.index()] = Some(Mark { cost: 0, from: start, ways: 1 });
        due[0].push(start);
        for spent in 0..=allowance {
            // A step costs at least 1, so nothing more becomes due now.
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
    /// The same with a minimum move: one step for all movement points, wherever a unit can go at all.
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
    /// Takes a named way step by step with so many movement points, both ends included, and says how far it goes: to its end,
    /// to where movement ends, or to where the next step is none, costs too much or leads to no neighbour. The first step may cost
    /// all points where `minimum` holds.
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

/// Keeps the cheaper way; says whether the place is newly due at this cost. Of ways that cost the same the first is kept.
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
