//! A board of hexes as a drawing: the positions of hexes, their corners, and the sides between
//! them.

use super::{Point, Shapes};
use crate::hex::{Grid, Hex, Low};

/// The dimensions of a drawn board of flat-topped hexes, in units of the drawing.
pub struct Board<'g> {
    /// The hexes.
    pub grid: &'g Grid,
    /// Distance from the centre of a hex to its left and right corners.
    pub side: i32,
    /// Distance from the centre of a hex to its upper and lower sides.
    pub half: i32,
    /// Width of the margin around the board.
    pub edge: i32,
}

impl Board<'_> {
    /// Returns the centre of a hex; every second column is half a hex lower.
    pub fn middle(&self, hex: Hex) -> Point {
        let place = |hex: Hex| (i32::from(self.grid.column(hex)), i32::from(self.grid.row(hex)));
        let ((column, row), first) = (place(hex), self.grid.hexes().next().map_or((0, 0), place));
        let (across, down) = (column - first.0, row - first.1);
        let lower = (column % 2 == 1) == (self.grid.low() == Low::Odd);
        let x = self.edge + self.side + across * self.side * 3 / 2;
        [x, self.edge + self.half + down * 2 * self.half + if lower { self.half } else { 0 }]
    }

    /// Returns the corners, counterclockwise from the right one.
    pub fn corners(&self, hex: Hex) -> [Point; 6] {
        let ([x, y], half) = (self.middle(hex), self.side / 2);
        [
            [x + self.side, y],
            [x + half, y - self.half],
            [x - half, y - self.half],
            [x - self.side, y],
            [x - half, y + self.half],
            [x + half, y + self.half],
        ]
    }

    /// Returns the two corners shared by adjacent hexes; empty if the hexes are not adjacent.
    pub fn hexside(&self, a: Hex, b: Hex) -> Vec<Point> {
        shared(&self.corners(a), &self.corners(b))
    }

    /// Returns the part of the drawing that shows as many of these hexes as possible, centred on
    /// them and with a margin around them, as left, top, width and height. `least` and `most` limit
    /// its columns and rows; it is never larger than the board. Returns `None` if there are no
    /// hexes.
    pub fn around(&self, hexes: &[Hex], least: [i32; 2], most: [i32; 2]) -> Option<[i32; 4]> {
        let (wide, high) = self.grid.size();
        let first = self.grid.hexes().next()?;
        let place = |hex: &Hex| {
            let [column, row] = [self.grid.column(*hex), self.grid.row(*hex)].map(i32::from);
            [column - i32::from(self.grid.column(first)), row - i32::from(self.grid.row(first))]
        };
        let near: Vec<[i32; 2]> = hexes.iter().map(place).collect();
        let best = |axis: usize, whole: i32| {
            let of = || near.iter().map(move |place| place[axis]);
            let (low, top) = (of().min()?, of().max()?);
            let count = (top - low + 3).clamp(least[axis], most[axis]).min(whole);
            // Prefers the range that contains the most hexes; among equals, the one whose middle is
            // nearest to them.
            let rank = |&from: &i32| {
                let inside = of().filter(|at| (from..from + count).contains(at)).count();
                let off: i32 = of().map(|at| (2 * at + 1 - 2 * from - count).abs()).sum();
                (inside, std::cmp::Reverse(off))
            };
            Some(((0..=whole - count).max_by_key(rank)?, count))
        };
        let ((left, columns), (upper, rows)) = (best(0, wide.into())?, best(1, high.into())?);
        let x = self.edge + left * self.side * 3 / 2;
        let y = self.edge + upper * 2 * self.half;
        let (wide, high) = (columns * self.side * 3 / 2 + self.side / 2, rows * 2 * self.half + self.half);
        Some([x - 4, y - 4, wide + 8, high + 8])
    }

    /// Returns width and height of the drawing.
    pub fn size(&self) -> Point {
        let ends = self.grid.hexes().map(|hex| self.middle(hex));
        let (wide, high) = ends.fold((0, 0), |(w, h), [x, y]| (w.max(x), h.max(y)));
        [wide + self.side + self.edge, high + self.half + self.edge]
    }
}

/// Returns the corners of one outline that another also has. Rounding may put a shared corner up to
/// two units apart.
pub(super) fn shared(one: &[Point], other: &[Point]) -> Vec<Point> {
    let near = |a: i32, b: i32| a.abs_diff(b) < 3;
    one.iter().copied().filter(|[x, y]| other.iter().any(|[u, v]| near(*x, *u) && near(*y, *v))).collect()
}

impl Shapes {
    /// Returns `true` if it is a board of hexes, in which each hex has its own outline.
    pub(crate) fn is_board(&self) -> bool {
        self.areas.iter().all(|face| face.ring.is_empty())
    }

    /// Creates an empty drawing of this size, to be filled by a program.
    pub fn empty(size: Point) -> Shapes {
        Shapes {
            about: "Made of the component file.".to_owned(),
            size,
            roles: Vec::new(),
            kinds: Vec::new(),
            areas: Vec::new(),
            beside: Vec::new(),
            gaps: Vec::new(),
            corners: Vec::new(),
            track: None,
            arrows: Vec::new(),
            trails: Vec::new(),
            rivers: Vec::new(),
            towns: Vec::new(),
            arcs: Vec::new(),
        }
    }
}
