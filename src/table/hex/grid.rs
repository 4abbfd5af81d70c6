//! The geometry of a board: ids, neighbours, distances, edges, hexsides.

use std::ops::RangeInclusive;

/// A hex of a board, as its index in the order of ids (column by column). Only its [`Grid`] knows
/// its location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hex(pub u16);

impl Hex {
    /// Returns the index in lists by hex.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

crate::numbers! { Hex: |hex| hex.0.into() }

/// The six directions from a flat-topped hex, clockwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    North,
    Northeast,
    Southeast,
    South,
    Southwest,
    Northwest,
}

impl Direction {
    /// All directions, clockwise from the north.
    pub const ALL: [Direction; 6] = [
        Direction::North,
        Direction::Northeast,
        Direction::Southeast,
        Direction::South,
        Direction::Southwest,
        Direction::Northwest,
    ];
    /// Returns the step in axial coordinates.
    pub(super) fn step(self) -> Axial {
        const STEPS: [(i32, i32); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];
        let (q, r) = STEPS[self as usize];
        Axial { q, r }
    }
}

/// The columns that are half a hex lower than the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Low {
    /// The odd columns.
    Odd,
    /// The even columns.
    Even,
}

/// An edge of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edge {
    North,
    East,
    South,
    West,
}

/// Axial coordinates, in which a step in a given direction is the same from every hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Axial {
    pub q: i32,
    pub r: i32,
}

impl Axial {
    pub fn plus(self, other: Axial) -> Axial {
        Axial { q: self.q + other.q, r: self.r + other.r }
    }
    pub fn minus(self, other: Axial) -> Axial {
        Axial { q: self.q - other.q, r: self.r - other.r }
    }
    /// Returns the number of steps from the origin.
    pub fn length(self) -> u16 {
        let most = self.q.abs().max(self.r.abs()).max((self.q + self.r).abs());
        // Boards are at most 100 by 100.
        most as u16
    }
}

/// The side between two neighbouring hexes; the same from both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side {
    low: Hex,
    high: Hex,
    /// The index in lists by side.
    place: u16,
}

impl Side {
    /// Returns the two hexes, in the order of their ids.
    pub fn hexes(self) -> (Hex, Hex) {
        (self.low, self.high)
    }
    /// Returns the index in lists by hexside; it is less than three times the number of hexes.
    pub fn index(self) -> usize {
        usize::from(self.place)
    }
    /// Returns `true` if it is a side of this hex.
    pub fn is_of(self, hex: Hex) -> bool {
        self.low == hex || self.high == hex
    }
}

/// The marker for a missing neighbour.
const NONE: u16 = u16::MAX;

/// A rectangle of flat-topped hexes with ids of two digits each for column and row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    columns: (u8, u8),
    rows: (u8, u8),
    low: Low,
    near: Vec<[u16; 6]>,
    axial: Vec<Axial>,
}

impl Grid {
    /// Creates a board with these columns and rows, from 0 to 99. If either range is empty, the
    /// board has no hexes.
    pub fn new(columns: RangeInclusive<u8>, rows: RangeInclusive<u8>, low: Low) -> Grid {
        let limit = |range: RangeInclusive<u8>| (*range.start(), (*range.end()).min(99));
        let mut grid = Grid { columns: limit(columns), rows: limit(rows), low, near: Vec::new(), axial: Vec::new() };
        let (wide, high) = grid.size();
        grid.axial = (0..wide * high).map(|place| grid.lies(place)).collect();
        grid.near = (grid.axial.iter())
            .map(|&at| Direction::ALL.map(|to| grid.found(at.plus(to.step())).map_or(NONE, |hex| hex.0)))
            .collect();
        grid
    }
    /// Returns the columns that are half a hex lower.
    pub fn low(&self) -> Low {
        self.low
    }
    /// Returns the number of columns and the number of rows.
    pub fn size(&self) -> (u16, u16) {
        let count = |(first, last): (u8, u8)| (u16::from(last) + 1).saturating_sub(first.into());
        (count(self.columns), count(self.rows))
    }
    /// Returns the number of hexes.
    pub fn len(&self) -> usize {
        self.axial.len()
    }
    /// Returns `true` if there are no hexes.
    pub fn is_empty(&self) -> bool {
        self.axial.is_empty()
    }
    /// Returns all hexes, in the order of their ids.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + Clone + use<> {
        // At most 100 by 100.
        (0..self.axial.len() as u16).map(Hex)
    }
    /// Returns the hex in a column and row.
    pub fn at(&self, column: u8, row: u8) -> Option<Hex> {
        let inside = |(first, last): (u8, u8), n: u8| (first..=last).contains(&n).then(|| u16::from(n - first));
        let (column, row) = (inside(self.columns, column)?, inside(self.rows, row)?);
        Some(Hex(column * self.size().1 + row))
    }
    /// Returns the number of its column.
    pub fn column(&self, hex: Hex) -> u8 {
        // Less than 100 for every hex of the board.
        self.columns.0 + (hex.0 / self.size().1) as u8
    }
    /// Returns the number of its row.
    pub fn row(&self, hex: Hex) -> u8 {
        self.rows.0 + (hex.0 % self.size().1) as u8
    }
    /// Returns the hex with an id such as `0512`.
    pub fn hex(&self, id: &str) -> Option<Hex> {
        if id.len() != 4 || !id.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        self.at(id[..2].parse().ok()?, id[2..].parse().ok()?)
    }
    /// Returns the id of a hex, such as `0512`.
    pub fn id(&self, hex: Hex) -> String {
        // Does not use `format!`, because rules ask for the ids of whole boards.
        let two = |n: u8| [b'0' + n / 10 % 10, b'0' + n % 10].map(char::from);
        [self.column(hex), self.row(hex)].into_iter().flat_map(two).collect()
    }
    /// Formats a path as ids, such as `0809-0808-0707`.
    pub fn said(&self, way: &[Hex]) -> String {
        way.iter().map(|&hex| self.id(hex)).collect::<Vec<_>>().join("-")
    }
    /// Returns the hexside with an id such as `0603/0604`.
    pub fn side_of(&self, id: &str) -> Option<Side> {
        let (a, b) = id.split_once('/')?;
        self.side(self.hex(a)?, self.hex(b)?)
    }

    fn lies(&self, place: u16) -> Axial {
        let (column, row) = (i32::from(self.column(Hex(place))), i32::from(self.row(Hex(place))));
        Axial { q: column, r: row - self.drop(column) }
    }
    /// Returns the difference between row and axial coordinate `r` in a column.
    fn drop(&self, column: i32) -> i32 {
        match self.low {
            Low::Odd => (column - (column & 1)) / 2,
            Low::Even => (column + (column & 1)) / 2,
        }
    }
    pub(super) fn axial(&self, hex: Hex) -> Axial {
        self.axial[hex.index()]
    }
    pub(super) fn found(&self, at: Axial) -> Option<Hex> {
        let row = at.r + self.drop(at.q);
        self.at(u8::try_from(at.q).ok()?, u8::try_from(row).ok()?)
    }

    /// Returns the neighbour in a direction.
    pub fn step(&self, hex: Hex, to: Direction) -> Option<Hex> {
        let near = self.near[hex.index()][to as usize];
        (near != NONE).then_some(Hex(near))
    }
    /// Returns the neighbours, clockwise from the north.
    pub fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex> + use<> {
        self.near[hex.index()].into_iter().filter(|&near| near != NONE).map(Hex)
    }
    /// Returns the direction of a neighbour.
    pub(crate) fn direction(&self, from: Hex, to: Hex) -> Option<Direction> {
        let at = self.near[from.index()].iter().position(|&near| near == to.0)?;
        Some(Direction::ALL[at])
    }
    /// Returns `true` if two hexes share a side.
    pub fn adjacent(&self, a: Hex, b: Hex) -> bool {
        self.near[a.index()].contains(&b.0)
    }
    /// Returns the side between two neighbours.
    pub fn side(&self, a: Hex, b: Hex) -> Option<Side> {
        let (low, high) = (a.min(b), a.max(b));
        // Each side is the north, northeast or southeast side of exactly one hex, whose index
        // determines that of the side.
        let to = self.direction(a, b)? as u16;
        let place = if to < 3 { a.0 * 3 + to } else { b.0 * 3 + to - 3 };
        Some(Side { low, high, place })
    }
    /// Returns each side between two hexes of the board, once.
    pub fn sides(&self) -> impl Iterator<Item = Side> + '_ {
        let later = move |a: Hex| self.neighbours(a).filter(move |&b| a < b).map(move |b| (a, b));
        self.hexes().flat_map(later).filter_map(|(a, b)| self.side(a, b))
    }
    /// Returns the distance between two hexes, in steps.
    pub fn distance(&self, a: Hex, b: Hex) -> u16 {
        self.axial(a).minus(self.axial(b)).length()
    }
    /// Returns the distance to the nearest of some hexes; `None` if there are none.
    pub fn nearest(&self, from: Hex, to: impl IntoIterator<Item = Hex>) -> Option<u16> {
        to.into_iter().map(|hex| self.distance(from, hex)).min()
    }
    /// Returns the hexes at exactly this distance.
    pub fn ring(&self, from: Hex, distance: u16) -> impl Iterator<Item = Hex> + '_ {
        self.within(from, distance).filter(move |&hex| self.distance(from, hex) == distance)
    }
    /// Returns the hexes within this distance, including the hex itself, in the order of their ids.
    pub fn within(&self, from: Hex, distance: u16) -> impl Iterator<Item = Hex> + '_ {
        let (at, far) = (self.axial(from), i32::from(distance));
        (-far..=far).flat_map(move |q| {
            let rows = (-far).max(-q - far)..=far.min(-q + far);
            rows.filter_map(move |r| self.found(at.plus(Axial { q, r })))
        })
    }
    /// Returns the number of hexes to an edge, counting the hex itself: 1 at the edge.
    pub fn to_edge(&self, hex: Hex, edge: Edge) -> u16 {
        let ((wide, high), column, row) = (self.size(), hex.0 / self.size().1, hex.0 % self.size().1);
        1 + match edge {
            Edge::North => row,
            Edge::South => high - 1 - row,
            Edge::West => column,
            Edge::East => wide - 1 - column,
        }
    }
    /// Returns `true` if it is at an edge.
    pub fn on_edge(&self, hex: Hex) -> bool {
        [Edge::North, Edge::East, Edge::South, Edge::West].into_iter().any(|edge| self.to_edge(hex, edge) == 1)
    }
}

/// A set of hexes, as a bit set.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HexSet(Vec<u64>);

impl HexSet {
    /// Creates an empty set.
    pub fn new() -> HexSet {
        HexSet::default()
    }
    /// Adds a hex.
    pub fn insert(&mut self, hex: Hex) {
        let (word, bit) = (hex.index() / 64, hex.index() % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << bit;
    }
    /// Returns `true` if a hex is in the set.
    pub fn has(&self, hex: Hex) -> bool {
        self.0.get(hex.index() / 64).is_some_and(|word| word >> (hex.index() % 64) & 1 == 1)
    }
}

impl FromIterator<Hex> for HexSet {
    fn from_iter<I: IntoIterator<Item = Hex>>(hexes: I) -> HexSet {
        let mut set = HexSet::new();
        hexes.into_iter().for_each(|hex| set.insert(hex));
        set
    }
}
