//! A board of hexes as a drawing: where each lies, its corners, and the sides between two of them.

use super::{Point, Shapes};
use crate::hex::{Grid, Hex, Low};

/// How a board of flat-topped hexes is drawn, in units of the drawing.
pub struct Board<'g> {
    /// The hexes.
    pub grid: &'g Grid,
    /// From the middle of a hex to its left and right corners.
    pub side: i32,
    /// From there to its upper and lower sides.
    pub half: i32,
    /// Free room around the board.
    pub edge: i32,
}

impl Board<'_> {
    /// The middle of a hex; every second column lies half a hex lower.
    pub fn middle(&self, hex: Hex) -> Point {
        let place = |hex: Hex| (i32::from(self.grid.column(hex)), i32::from(self.grid.row(hex)));
        let ((column, row), first) = (place(hex), self.grid.hexes().next().map_or((0, 0), place));
        let (across, down) = (column - first.0, row - first.1);
        let lower = (column % 2 == 1) == (self.grid.low() == Low::Odd);
        let x = self.edge + self.side + across * self.side * 3 / 2;
        [x, self.edge + self.half + down * 2 * self.half + if lower { self.half } else { 0 }]
    }

    /// Its corners, from the right one on, against the clock.
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

    /// The two corners between hexes that lie beside each other; none of others.
    pub fn hexside(&self, a: Hex, b: Hex) -> Vec<Point> {
        shared(&self.corners(a), &self.corners(b))
    }

    /// The part of the drawing that shows most of these hexes, with some around them, and has them in its middle: left, top, width,
    /// height. It has so many columns and rows at least and at most, and no more than the board. `None` of no hexes.
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
            // The middle of those that fit; of as many, the ones that lie nearest to its middle.
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

    /// Width and height of the drawing.
    pub fn size(&self) -> Point {
        let ends = self.grid.hexes().map(|hex| self.middle(hex));
        let (wide, high) = ends.fold((0, 0), |(w, h), [x, y]| (w.max(x), h.max(y)));
        [wide + self.side + self.edge, high + self.half + self.edge]
    }
}

/// Corners of one outline that another one has too. Halves of odd numbers leave them a point or two apart.
pub(super) fn shared(one: &[Point], other: &[Point]) -> Vec<Point> {
    let near = |a: i32, b: i32| a.abs_diff(b) < 3;
    one.iter().copied().filter(|[x, y]| other.iter().any(|[u, v]| near(*x, *u) && near(*y, *v))).collect()
}

impl Shapes {
    /// Whether it is a board of hexes: each has an outline of its own.
    pub fn is_board(&self) -> bool {
        self.areas.iter().all(|face| face.ring.is_empty())
    }

    /// An empty drawing of this size, for one that a program makes.
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
