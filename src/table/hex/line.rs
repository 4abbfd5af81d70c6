//! The straight line from the centre of a hex to that of another one.

use super::{Direction, Grid, Hex, grid::Axial};

/// What a line passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// It goes through a hex.
    Through(Hex),
    /// It runs along the side of two hexes. At the border of the board one of them is missing.
    Between([Option<Hex>; 2]),
}

/// All that a line passes, from the hex where it begins to the one where it ends, without these two.
pub struct Line<'g> {
    grid: &'g Grid,
    /// Where the line begins, and where it goes from there.
    from: Axial,
    along: Axial,
    /// The hex that it is in.
    at: Axial,
    /// The hex behind the side that it ran along last.
    behind: Option<Axial>,
}

impl Grid {
    /// What lies between two hexes. A corner that the line only touches is not passed.
    pub fn line(&self, from: Hex, to: Hex) -> Line<'_> {
        let (from, to) = (self.axial(from), self.axial(to));
        Line { grid: self, from, along: to.minus(from), at: from, behind: None }
    }
    /// Whether one hex sees another: `clear` says whether sight goes on from a hex into the next one, the last of which is the
    /// hex looked at. Where the line runs along a side, one of the two hexes has to let it pass.
    pub fn sees(&self, from: Hex, to: Hex, mut clear: impl FnMut(Hex, Hex) -> bool) -> bool {
        let mut at = from;
        let mut pair: Option<[Option<Hex>; 2]> = None;
        for passed in self.line(from, to).chain([Passed::Through(to)]) {
            match passed {
                Passed::Between(sides) => pair = Some(sides),
                Passed::Through(next) => {
                    let goes_on = match pair.take() {
                        None => clear(at, next),
                        Some(sides) => sides.into_iter().flatten().any(|side| clear(at, side) && clear(side, next)),
                    };
                    if !goes_on {
                        return false;
                    }
                    at = next;
                }
            }
        }
        true
    }
}

/// Twice the area between two directions: positive where the second lies clockwise of the first.
fn turn(along: Axial, other: Axial) -> i32 {
    along.q * other.r - along.r * other.q
}

/// The corner between a direction and the next one clockwise, in thirds of a step from the centre.
fn corner(i: usize) -> Axial {
    Direction::ALL[i].step().plus(Direction::ALL[(i + 1) % 6].step())
}

impl Line<'_> {
    fn arrive(&mut self, at: Axial) -> Option<Passed> {
        self.at = at;
        if at == self.from.plus(self.along) {
            return None;
        }
        // Between two hexes of a rectangle a line leaves it along hexsides at most.
        self.grid.found(at).map(Passed::Through)
    }
}

impl Iterator for Line<'_> {
    type Item = Passed;
    fn next(&mut self) -> Option<Passed> {
        if let Some(behind) = self.behind.take() {
            return self.arrive(behind);
        }
        if self.at == self.from.plus(self.along) {
            return None;
        }
        let here = self.at.minus(self.from);
        let offset = |i: usize| {
            let v = corner(i);
            turn(self.along, Axial { q: 3 * here.q + v.q, r: 3 * here.r + v.r })
        };
        let offsets: [i32; 6] = std::array::from_fn(offset);
        // The line leaves where the corners, clockwise, change from its left to its right.
        let i = (0..6).find(|&i| offsets[(i + 5) % 6] < 0 && offsets[i] >= 0)?;
        let beside = [Direction::ALL[i], Direction::ALL[(i + 1) % 6]].map(|to| self.at.plus(to.step()));
        if offsets[i] > 0 {
            return self.arrive(beside[0]);
        }
        // It leaves by a corner: along the side that begins there, or into one of the two hexes.
        match turn(self.along, corner(i)) {
            0 => {
                self.behind = Some(self.at.plus(corner(i)));
                Some(Passed::Between(beside.map(|at| self.grid.found(at))))
            }
            clockwise => self.arrive(beside[usize::from(clockwise < 0)]),
        }
    }
}
