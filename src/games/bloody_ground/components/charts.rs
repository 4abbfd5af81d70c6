//! The charts and boards of the box, prepared for lookups.

use super::{AreaId, Army, Components, KindId, Kit as _, LeaderId, Side, Terrain, Ways};
use postrider_orders::Names;
use postrider_table::{
    chart::{Bands, Both, Chart, Columns},
    hex::{Grid, Hex, HexSet, Layer, Low, Sides},
    named,
};
use std::{
    fmt,
    str::FromStr,
    sync::{Arc, OnceLock},
};

named! {
    /// The terrain of a hex (T:battle-board-terrain-effects-chart).
    pub enum Ground {
        Clear = ".", "clear";
        Woods = "woods", "woods";
        Swamp = "swamp", "swamp";
        Cultivated = "cultivated", "cultivated";
    }
}

/// A result of the Melee Combat Results Table for one side: the units lost, and if the others
/// retreat (T:mcrt-results).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Toll {
    pub lost: u8,
    pub retreat: bool,
}

impl FromStr for Toll {
    type Err = ();
    fn from_str(text: &str) -> Result<Toll, ()> {
        if text == "--" {
            return Ok(Toll::default());
        }
        let (lost, retreat) = text.strip_suffix('R').map_or((text, false), |lost| (lost, true));
        let lost = if lost.is_empty() && retreat { 0 } else { lost.parse().map_err(|_| ())? };
        Ok(Toll { lost, retreat })
    }
}

impl fmt::Display for Toll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lost, self.retreat) {
            (0, false) => write!(f, "--"),
            (0, true) => write!(f, "R"),
            (lost, false) => write!(f, "{lost}"),
            (lost, true) => write!(f, "{lost}R"),
        }
    }
}

/// A battle board, prepared for play.
#[derive(Clone, Debug)]
pub struct Battlefield {
    pub grid: Grid,
    pub ground: Layer<Ground>,
    /// Hexes of level 1; the others are level 0.
    pub high: HexSet,
    pub stream: Sides<bool>,
    /// The hexes of the trail, from edge to edge.
    pub trail: Vec<Hex>,
    /// The lettered hexes (10.2), `A` first.
    pub letters: Vec<(char, Hex)>,
}

impl Battlefield {
    /// Returns `true` if the trail connects two hexes.
    pub fn on_trail(&self, from: Hex, to: Hex) -> bool {
        self.trail.windows(2).any(|two| two == [from, to] || two == [to, from])
    }
}

/// The charts of the box.
#[derive(Clone, Debug)]
pub struct Charts {
    /// Number of new regulars by die and Commitment Level (8.3).
    pub army: Chart<u8>,
    /// The odds columns of melee combat; `melee` holds the results (10.6.1).
    pub odds: Columns,
    pub melee: Chart<Both<Toll>>,
    /// Index of a row in [`Components::skirmish`] by the difference of the dice (11.1.2).
    pub skirmish: Bands<usize>,
    /// Index of a row in [`Components::raid`] by the modified die (12.0.3).
    pub raid: Bands<usize>,
    /// The battle boards, by terrain.
    pub boards: Vec<Battlefield>,
    /// The connections of each area.
    pub ways: Vec<Ways>,
    /// The names that orders use.
    pub called: Called,
    /// The leaders named in the rules, in the order of [`PERSONS`].
    pub persons: [LeaderId; PERSONS.len()],
}

/// The leaders that many rules name.
pub const PERSONS: [&str; 5] = ["Tecumseh", "McKee", "Girty", "Dorchester", "Blue Jacket"];

/// The names that orders use, built once per game.
#[derive(Clone, Debug)]
pub struct Called {
    /// Areas by id and name.
    pub areas: Names<AreaId>,
    /// Areas by lower-case id, sorted.
    ids: Vec<(String, AreaId)>,
    /// Starting places of forces: areas, and `None` for off the map.
    pub origins: Names<Option<AreaId>>,
    /// Kinds of units, by side.
    pub kinds: [Names<KindId>; 2],
    /// Kinds of units and leaders, by side.
    pub pieces: [Names<Known>; 2],
    pub leaders: Names<LeaderId>,
}

/// A kind of unit or a leader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    Kind(KindId),
    Leader(LeaderId),
}

impl Called {
    fn of(c: &Components) -> Called {
        let areas = || c.area_ids().flat_map(|a| [(&c[a].id, a), (&c[a].name, a)]);
        let mut called = Called {
            areas: Names::new("area"),
            ids: c.area_ids().map(|a| (c[a].id.to_ascii_lowercase(), a)).collect(),
            origins: Names::new("place"),
            kinds: Side::ALL.map(|_| Names::new("unit")),
            pieces: Side::ALL.map(|_| Names::new("unit or leader")),
            leaders: Names::new("leader"),
        };
        for (name, a) in areas() {
            called.areas.add(name, a);
            called.origins.add(name, Some(a));
        }
        called.ids.sort();
        called.ids.dedup_by(|next, first| next.0 == first.0);
        called.origins.add("edge", None);
        for kind in c.kind_ids() {
            let side = c[kind].class.side().index();
            called.kinds[side].add(&c[kind].id, kind);
            called.pieces[side].add(&c[kind].id, Known::Kind(kind));
        }
        for l in c.leader_ids() {
            // `leader` alone is any of them, not the Mingo leader.
            called.pieces[c[l].side.index()].add(&c[l].name, Known::Leader(l)).add("leader", Known::Leader(l));
            called.leaders.add(&c[l].name, l);
        }
        called
    }
    /// Returns the area with this id, ignoring case.
    pub fn area(&self, id: &str) -> Option<AreaId> {
        let lower = id.bytes().map(|byte| byte.to_ascii_lowercase());
        let at = self.ids.binary_search_by(|(known, _)| known.bytes().cmp(lower.clone())).ok()?;
        Some(self.ids[at].1)
    }
}

type Wrong = (&'static str, usize, String);

impl Charts {
    /// Builds the charts from the components.
    ///
    /// # Errors
    /// The table and row of a chart that is incomplete, and the reason.
    pub fn of(c: &Components) -> Result<Charts, Wrong> {
        let army = |row: &Army| (row.die.parse().unwrap_or(0), row.got.iter().map(u8::to_string).collect::<Vec<_>>());
        let army = Chart::load(5, &c.army.iter().map(army).collect::<Vec<_>>());
        let army = army.map_err(|why| ("army", 0, why.to_string()))?;
        let odds = c.odds.first().and_then(|row| Columns::read(&row.labels));
        let odds = odds.ok_or(("odds", 0, "odds as \"1-2\", from the worst to the best".to_owned()))?;
        let melee = c.melee.iter().map(|row| (row.die.parse().unwrap_or(i32::MAX), row.cells.clone()));
        let melee = Chart::load(odds.count(), &melee.collect::<Vec<_>>());
        let melee = melee.map_err(|why| ("melee", 0, why.to_string()))?;
        let skirmish = bands(c.skirmish.iter().map(|row| row.max)).map_err(|why| ("skirmish", 0, why))?;
        let raid = bands(c.raid.iter().map(|row| row.max)).map_err(|why| ("raid", 0, why))?;
        let boards = (0..c.boards.len()).map(|at| board(c, at).map_err(|why| ("board", at, why)));
        let boards = boards.collect::<Result<_, _>>()?;
        // The check of the file guarantees that every leader named in the rules exists.
        let persons = PERSONS.map(|name| c.leader(name).unwrap_or(LeaderId(0)));
        Ok(Charts { army, odds, melee, skirmish, raid, boards, ways: Ways::of(c), called: Called::of(c), persons })
    }
    /// Returns the charts of checked components; those of the built-in ones are built only once.
    pub fn shared(c: &Arc<Components>) -> Arc<Charts> {
        static BUILTIN: OnceLock<Arc<Charts>> = OnceLock::new();
        // The reader of the file has already built them successfully.
        let made = || Arc::new(Charts::of(c).unwrap_or_else(|(table, ..)| unreachable!("{table} was checked")));
        if Arc::ptr_eq(c, Components::builtin()) { BUILTIN.get_or_init(made).clone() } else { made() }
    }
    /// Returns the board of a terrain (10.0).
    pub fn board(&self, terrain: Terrain) -> &Battlefield {
        &self.boards[terrain.index()]
    }
}

/// Builds consecutive bands from the upper ends of rows; the last band has no upper end.
fn bands(ends: impl Iterator<Item = Option<u8>>) -> Result<Bands<usize>, String> {
    let mut from = None;
    let mut list = Vec::new();
    for (row, end) in ends.enumerate() {
        let end = end.map(i32::from);
        list.push((from, end, row));
        from = end.map(|end| end + 1);
    }
    Bands::load(list).map_err(|why| why.to_string())
}

fn board(c: &Components, at: usize) -> Result<Battlefield, String> {
    let board = &c.boards[at];
    let wide = board.rows.first().map_or(0, |row| row.chars().count());
    let small = |n: usize| u8::try_from(n).ok().filter(|&n| (1..=99).contains(&n)).ok_or("1 to 99 rows and columns");
    let grid = Grid::new(1..=small(wide)?, 1..=small(board.rows.len())?, Low::Odd);
    let ground = |letter| {
        Some(match letter {
            'W' => Ground::Woods,
            's' => Ground::Swamp,
            'c' => Ground::Cultivated,
            '.' => Ground::Clear,
            _ => return None,
        })
    };
    let ground = Layer::of_rows(&grid, &board.rows, ground).ok_or("rows of one length, of the letters W . s c")?;
    let hex = |id: &String| grid.hex(id).ok_or(format!("{id} is no hex of the board"));
    let trail = board.trail.iter().map(hex).collect::<Result<Vec<_>, _>>()?;
    if trail.windows(2).any(|two| !grid.adjacent(two[0], two[1])) {
        return Err("the hexes of the trail join".to_owned());
    }
    let high = board.high.iter().map(hex).collect::<Result<HexSet, _>>()?;
    let mut stream = Sides::new(&grid);
    for id in &board.stream {
        let side = grid.side_of(id).ok_or(format!("{id} is no hexside of the board"))?;
        stream[side] = true;
    }
    let letter = |(letter, id): &(String, String)| {
        let letter = letter.chars().next().ok_or("a letter".to_owned())?;
        Ok::<_, String>((letter, hex(id)?))
    };
    let letters = board.letters.iter().map(letter).collect::<Result<Vec<_>, _>>()?;
    if letters.is_empty() {
        return Err("some hexes are lettered (10.2)".to_owned());
    }
    Ok(Battlefield { grid, ground, high, stream, trail, letters })
}
