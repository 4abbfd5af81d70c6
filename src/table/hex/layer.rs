//! What lies on a board: by hex, and by hexside.

use super::{Grid, Hex, Side};
use std::ops::{Index, IndexMut};

/// Something for each hex of a board: terrain, level, who stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer<T>(Vec<T>);

impl<T> Layer<T> {
    /// What the function gives for each hex.
    pub fn new(grid: &Grid, of: impl FnMut(Hex) -> T) -> Layer<T> {
        Layer(grid.hexes().map(of).collect())
    }
    /// Reads strings that stand for the rows of a board from the first on, one character for each column; `None` where their
    /// number, their length or a character does not fit.
    pub fn of_rows<S: AsRef<str>>(grid: &Grid, rows: &[S], read: impl Fn(char) -> Option<T>) -> Option<Layer<T>> {
        let (wide, high) = grid.size();
        let cells: Vec<Vec<char>> = rows.iter().map(|row| row.as_ref().chars().collect()).collect();
        if cells.len() != usize::from(high) || cells.iter().any(|row| row.len() != usize::from(wide)) {
            return None;
        }
        let at = |hex: Hex| cells[hex.index() % usize::from(high)][hex.index() / usize::from(high)];
        grid.hexes().map(|hex| read(at(hex))).collect::<Option<Vec<T>>>().map(Layer)
    }
    /// The hexes with what they have, in the order of their ids.
    pub fn each(&self) -> impl Iterator<Item = (Hex, &T)> {
        // A layer is as long as its board.
        self.0.iter().enumerate().map(|(place, one)| (Hex(place as u16), one))
    }
}

impl<T> Index<Hex> for Layer<T> {
    type Output = T;
    fn index(&self, hex: Hex) -> &T {
        &self.0[hex.index()]
    }
}

impl<T> IndexMut<Hex> for Layer<T> {
    fn index_mut(&mut self, hex: Hex) -> &mut T {
        &mut self.0[hex.index()]
    }
}

/// Something for each hexside of a board: streams, slopes, cliffs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides<T>(Vec<T>);

impl<T: Clone + Default> Sides<T> {
    /// Nothing on any side.
    pub fn new(grid: &Grid) -> Sides<T> {
        Sides(vec![T::default(); grid.len() * 3])
    }
    /// What the function gives for each side.
    pub fn of(grid: &Grid, mut of: impl FnMut(Side) -> T) -> Sides<T> {
        let mut sides = Sides::new(grid);
        grid.sides().for_each(|side| sides[side] = of(side));
        sides
    }
    /// What lies between two neighbours; the default between others.
    pub fn between(&self, grid: &Grid, a: Hex, b: Hex) -> T {
        grid.side(a, b).map_or_else(T::default, |side| self[side].clone())
    }
}

impl<T> Index<Side> for Sides<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        &self.0[side.index()]
    }
}

impl<T> IndexMut<Side> for Sides<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side.index()]
    }
}
