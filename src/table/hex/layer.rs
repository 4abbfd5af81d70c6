//! Values on a board, by hex and by hexside.

use super::{Grid, Hex, Side};
use std::ops::{Index, IndexMut};

/// A value for each hex of a board: terrain, level, occupant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer<T>(Vec<T>);

impl<T> Layer<T> {
    /// Creates a layer with the value that the function returns for each hex.
    pub fn new(grid: &Grid, of: impl FnMut(Hex) -> T) -> Layer<T> {
        Layer(grid.hexes().map(of).collect())
    }
    /// Parses one string per row of the board, with one character per column. Returns `None` if the
    /// number of rows, the length of a row, or a character is wrong.
    pub fn of_rows<S: AsRef<str>>(grid: &Grid, rows: &[S], read: impl Fn(char) -> Option<T>) -> Option<Layer<T>> {
        let (wide, high) = grid.size();
        let cells: Vec<Vec<char>> = rows.iter().map(|row| row.as_ref().chars().collect()).collect();
        if cells.len() != usize::from(high) || cells.iter().any(|row| row.len() != usize::from(wide)) {
            return None;
        }
        let at = |hex: Hex| cells[hex.index() % usize::from(high)][hex.index() / usize::from(high)];
        grid.hexes().map(|hex| read(at(hex))).collect::<Option<Vec<T>>>().map(Layer)
    }
    /// Returns the hexes with their values, in the order of their ids.
    pub fn each(&self) -> impl Iterator<Item = (Hex, &T)> {
        // A layer has as many values as its board has hexes.
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

/// A value for each hexside of a board: streams, slopes, cliffs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides<T>(Vec<T>);

impl<T: Clone + Default> Sides<T> {
    /// Creates a layer with default values.
    pub fn new(grid: &Grid) -> Sides<T> {
        Sides(vec![T::default(); grid.len() * 3])
    }
    /// Creates a layer with the value that the function returns for each side.
    pub fn of(grid: &Grid, mut of: impl FnMut(Side) -> T) -> Sides<T> {
        let mut sides = Sides::new(grid);
        grid.sides().for_each(|side| sides[side] = of(side));
        sides
    }
    /// Returns the value between two neighbours; the default if the hexes are not neighbours.
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
