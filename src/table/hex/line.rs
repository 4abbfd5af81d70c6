//! The straight line between the centres of two hexes.

use super::{Direction, Grid, Hex, grid::Axial};

/// A part of the board that a line passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// The line goes through a hex.
    Through(Hex),
    /// The line runs along the side between two hexes. At the edge of the board one of them is
    /// missing.
    Between([Option<Hex>; 2]),
}

/// Everything that a line passes between its first and its last hex, without these two.
pub struct Line<'g> {
    grid: &'g Grid,
    /// The start of the line, and its direction and length.
    from: Axial,
    along: Axial,
    /// The current hex.
    at: Axial,
    /// The hex at the far end of the side that the line runs along.
    behind: Option<Axial>,
}

impl Grid {
    /// Returns everything that the line between two hexes passes. A corner that the line only
    /// touches is not passed.
    pub fn line(&self, from: Hex, to: Hex) -> Line<'_> {
        let (from, to) = (self.axial(from), self.axial(to));
        Line { grid: self, from, along: to.minus(from), at: from, behind: None }
    }
    /// Returns `true` if one hex sees another. `clear` returns `true` if sight continues from a hex
    /// into the next; the last hex is the one looked at. Where the line runs along a side, one of
    /// its two hexes must let it pass.
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

/// Returns the cross product of two vectors, positive if the second is clockwise of the first.
fn turn(along: Axial, other: Axial) -> i32 {
    along.q * other.r - along.r * other.q
}

/// Returns the corner between a direction and the next one clockwise, in thirds of a step from the
/// centre.
fn corner(i: usize) -> Axial {
    Direction::ALL[i].step().plus(Direction::ALL[(i + 1) % 6].step())
}

impl Line<'_> {
    fn arrive(&mut self, at: Axial) -> Option<Passed> {
        self.at = at;
        if at == self.from.plus(self.along) {
            return None;
        }
        // A line between two hexes of a rectangle leaves the board only along hexsides, if at all.
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
        // The line leaves the hex where the corners, taken clockwise, change from its left to its
        // right.
        let i = (0..6).find(|&i| offsets[(i + 5) % 6] < 0 && offsets[i] >= 0)?;
        let beside = [Direction::ALL[i], Direction::ALL[(i + 1) % 6]].map(|to| self.at.plus(to.step()));
        if offsets[i] > 0 {
            return self.arrive(beside[0]);
        }
        // It leaves through a corner: along the side that begins there, or into one of the two
        // hexes.
        match turn(self.along, corner(i)) {
            0 => {
                self.behind = Some(self.at.plus(corner(i)));
                Some(Passed::Between(beside.map(|at| self.grid.found(at))))
            }
            clockwise => self.arrive(beside[usize::from(clockwise < 0)]),
        }
    }
}
