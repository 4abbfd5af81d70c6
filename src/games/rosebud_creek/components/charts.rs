//! The map and the charts of the box, prepared for lookups.

use super::{BandTable, Components, Crossing, Ground, LeaderId, Side, UnitId};
use postrider_table::{
    chart::{Bands, Columns, Ratio},
    hex::{Edge, Grid, Hex, HexSet, Layer, Low, Sides},
};
use std::{fmt, str::FromStr};

/// A result of Fire Combat, from mildest to most severe (9.D).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    None,
    Mc,
    Mc1,
    One,
    Two,
}

impl Outcome {
    /// Returns the number of Casualty Points.
    pub fn casualties(self) -> u8 {
        match self {
            Outcome::One => 1,
            Outcome::Two => 2,
            _ => 0,
        }
    }
    /// Returns the result as printed in the table.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::None => "no effect",
            Outcome::Mc => "MC",
            Outcome::Mc1 => "MC-1",
            Outcome::One => "1",
            Outcome::Two => "2",
        }
    }
}

/// A melee result for one side (10.C): Casualty Points, and the hexes of a Retreat or a Rout.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    pub lost: u8,
    pub retreat: u16,
    pub rout: bool,
}

impl FromStr for Score {
    type Err = ();
    fn from_str(text: &str) -> Result<Score, ()> {
        let mut score = Score::default();
        for word in text.split(' ').filter(|word| *word != "-") {
            if word == "Rt" {
                score.rout = true;
            } else if let Some(n) = word.strip_prefix('c') {
                score.lost = n.parse().map_err(|_| ())?;
            } else if let Some(n) = word.strip_prefix('r') {
                score.retreat = n.parse().map_err(|_| ())?;
            } else {
                return Err(());
            }
        }
        Ok(score)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        if self.lost > 0 {
            words.push(format!("c{}", self.lost));
        }
        if self.retreat > 0 {
            words.push(format!("r{}", self.retreat));
        }
        if self.rout {
            words.push("Rt".to_owned());
        }
        if words.is_empty() { f.write_str("-") } else { f.write_str(&words.join(" ")) }
    }
}

/// The map and the charts.
#[derive(Clone, Debug)]
pub struct Charts {
    pub grid: Grid,
    pub level: Layer<i32>,
    pub ground: Layer<Ground>,
    pub crossing: Sides<Option<Crossing>>,
    /// The hexes where Scouts may set up (17).
    pub scout_band: HexSet,
    /// The Eagle's Nest (16.D); `objectives` holds the three objectives in the order of their VPs
    /// (17).
    pub eagles_nest: Hex,
    /// The leader counter of the Column HQ (12.E).
    pub staff: Option<LeaderId>,
    /// The companies of Van Vliet (16.D).
    pub companies: Vec<UnitId>,
    pub objectives: [Hex; 3],
    /// Entry hexes of turn 1: north, west, east (18.1).
    pub entries: [Vec<Hex>; 3],
    /// Thresholds for mounted, dismounted and prone firers, by column of the Fire Combat Matrix;
    /// `None` for no effect.
    pub fire: Vec<[Option<[i32; 4]>; 3]>,
    /// Minimum strength of each column, by side.
    pub strengths: [Vec<u32>; 2],
    pub odds: Columns,
    pub melee: Vec<[Score; 2]>,
    /// The modified die of the first row of `melee`.
    pub melee_first: i32,
    pub density: Vec<(u32, i32)>,
    pub factors: Vec<Ratio>,
    pub morale: Bands<String>,
    pub before: Bands<String>,
    pub leader_loss: Bands<String>,
    pub wound: Bands<String>,
    /// The Holder, or the Personnel, that belongs to each unit.
    pub helper: Vec<Option<UnitId>>,
}

type Wrong = (&'static str, usize, String);

/// Returns the results of fire by column: mounted, dismounted, prone.
fn fire(c: &Components) -> Result<Vec<[Option<[i32; 4]>; 3]>, Wrong> {
    let letters = |name: &str| -> Result<Option<[i32; 4]>, Wrong> {
        if name == "-" {
            return Ok(None);
        }
        let row = c.fire_results.iter().find(|row| row.id == name);
        let least = row.and_then(|row| <[i32; 4]>::try_from(row.least.clone()).ok());
        least.map(Some).ok_or_else(|| ("fire_column", 0, format!("there is no column {name} of results")))
    };
    let mut fire = Vec::new();
    for row in &c.fire_columns {
        fire.push([letters(&row.mounted)?, letters(&row.dismounted)?, letters(&row.prone)?]);
    }
    if fire.is_empty() {
        return Err(("fire_column", 0, "there is no column".to_owned()));
    }
    Ok(fire)
}

/// Returns the results of melee by row: attacker, defender.
fn melee(c: &Components) -> Result<Vec<[Score; 2]>, Wrong> {
    let mut melee = Vec::new();
    for (at, row) in c.melee.iter().enumerate() {
        let score = |text: &str| text.parse::<Score>().map_err(|()| ("melee", at, format!("{text} is no result")));
        if row.id.parse() != Ok(c.melee[0].id.parse::<i32>().unwrap_or(0) + at as i32) {
            return Err(("melee", at, "the rows are the numbers from the first on".to_owned()));
        }
        melee.push([score(&row.attacker)?, score(&row.defender)?]);
    }
    Ok(melee)
}

/// Returns the modifiers by density, each from a number on.
fn density(c: &Components) -> Result<Vec<(u32, i32)>, Wrong> {
    let density: Vec<(u32, i32)> = c.densities.iter().filter_map(|row| Some((row.id.parse().ok()?, row.drm))).collect();
    if density.len() != c.densities.len() || density.first().is_none_or(|row| row.0 != 0) {
        return Err(("density", 0, "rows begin at 0, each at a number".to_owned()));
    }
    Ok(density)
}

/// Returns the factors of range.
fn factors(c: &Components) -> Result<Vec<Ratio>, Wrong> {
    let mut factors = Vec::new();
    for (at, row) in c.factors.iter().enumerate() {
        let (over, under) = row.times.split_once('/').unwrap_or((&row.times, "1"));
        let ratio = over.parse().ok().zip(under.parse().ok()).and_then(|(over, under)| Ratio::new(over, under));
        factors.push(ratio.ok_or_else(|| ("factor", at, format!("{} is no fraction", row.times)))?);
    }
    Ok(factors)
}

impl Charts {
    /// Builds the charts from the components.
    ///
    /// # Errors
    /// The table and row of an incomplete entry, and the reason.
    pub fn of(c: &Components) -> Result<Charts, Wrong> {
        let wide = c.lines.first().map_or(0, |line| line.levels.len());
        let last = |first: u8, n: usize| u8::try_from(usize::from(first) + n.saturating_sub(1)).unwrap_or(99);
        if wide == 0 || wide > 80 || c.lines.len() > 99 {
            return Err(("line", 0, "the map has at most 80 columns and 99 rows".to_owned()));
        }
        let grid = Grid::new(FIRST_COLUMN..=last(FIRST_COLUMN, wide), 0..=last(0, c.lines.len()), Low::Odd);
        let rows = |of: fn(&super::Line) -> &str| c.lines.iter().map(of).collect::<Vec<_>>();
        let digit = |ch: char| ch.to_digit(10).map(|n| n as i32);
        let bad = || ("line", 0, "every row has a level and a terrain for each column".to_owned());
        let level = Layer::of_rows(&grid, &rows(|line| &line.levels), digit).ok_or_else(bad)?;
        let ground = |ch: char| Ground::of_word(ch.encode_utf8(&mut [0; 4]));
        let ground = Layer::of_rows(&grid, &rows(|line| &line.terrain), ground).ok_or_else(bad)?;
        let mut crossing: Sides<Option<Crossing>> = Sides::new(&grid);
        for (at, row) in c.hexsides.iter().enumerate() {
            for id in &row.sides {
                let side = grid.side_of(id).ok_or_else(|| ("hexside", at, format!("{id} is no hexside")))?;
                if crossing[side].is_some() {
                    return Err(("hexside", at, format!("{id} stands twice")));
                }
                crossing[side] = Some(row.id);
            }
        }
        let place = |id: &str| {
            let row = c.places.iter().position(|place| place.id == id);
            let hex = row.and_then(|row| grid.hex(&c.places[row].hex));
            hex.ok_or_else(|| ("place", row.unwrap_or(0), format!("{id} is missing, or no hex")))
        };
        let area = |id: &str| -> Result<Vec<Hex>, Wrong> {
            let row =
                c.areas.iter().find(|area| area.id == id).ok_or_else(|| ("area", 0, format!("{id} is missing")))?;
            let inside = |hex: &Hex| {
                (row.columns[0]..=row.columns[1]).contains(&grid.column(*hex))
                    && (row.rows[0]..=row.rows[1]).contains(&grid.row(*hex))
            };
            Ok(grid.hexes().filter(inside).collect())
        };
        let entries = [area("north-edge")?, area("west-entry")?, area("east-entry")?];
        let scout_band = scout_band(&grid, &crossing).ok_or_else(|| ("area", 0, "2603 is missing (17)".to_owned()))?;
        let (eagles_nest, objectives) =
            (place("eagles-nest")?, [place("crooks-hill")?, place("conical-hill")?, place("andrews-point")?]);
        let strengths =
            [c.fire_columns.iter().map(|row| row.us).collect(), c.fire_columns.iter().map(|row| row.indian).collect()];
        let labels: Vec<&str> = c.odds.iter().map(|row| &*row.id).collect();
        let odds = Columns::read(&labels).ok_or_else(|| ("odds", 0, "odds rise from column to column".to_owned()))?;
        let helper = c.unit_ids().map(|u| c.unit_ids().find(|&h| c[h].of == c[u].id)).collect();
        let bands = |table: BandTable, among: &[&str]| bands(c, table, among);
        Ok(Charts {
            level,
            ground,
            crossing,
            scout_band,
            eagles_nest,
            staff: c.leader("Staff"),
            companies: ["3C", "3G"].into_iter().filter_map(|id| c.unit(id)).collect(),
            objectives,
            entries,
            fire: fire(c)?,
            strengths,
            odds,
            melee: melee(c)?,
            melee_first: c.melee[0].id.parse().unwrap_or(0),
            density: density(c)?,
            factors: factors(c)?,
            morale: bands(BandTable::Morale, &["routed", "pinned", "r2", "r1", "disrupted", "none"])?,
            before: bands(BandTable::Before, &["no-disrupted", "no", "yes"])?,
            leader_loss: bands(BandTable::LeaderLoss, &["killed", "wounded", "none"])?,
            wound: bands(BandTable::Wound, &["mortal", "severe", "moderate", "light"])?,
            helper,
            grid,
        })
    }

    /// Returns the melee results of attacker and defender for a score; scores beyond the table use
    /// its first or last row.
    pub fn melee_at(&self, score: i32) -> [Score; 2] {
        let row = (score - self.melee_first).clamp(0, self.melee.len() as i32 - 1);
        self.melee[row as usize]
    }
    /// Returns the last column of the Fire Combat Matrix whose minimum strength is reached; `None`
    /// for no effect (9.B.4).
    pub fn column(&self, side: Side, strength: Ratio) -> Option<usize> {
        self.strengths[side.index()].iter().rposition(|&least| Ratio::whole(least) <= strength)
    }
    /// Returns the modifier for a number of stacking points (9.B.2).
    pub fn density_drm(&self, points: u32) -> i32 {
        self.density.iter().rev().find(|row| row.0 <= points).map_or(0, |row| row.1)
    }
    /// Returns the creek or cliff between two adjacent hexes.
    pub fn between(&self, a: Hex, b: Hex) -> Option<Crossing> {
        self.crossing.between(&self.grid, a, b)
    }
    /// Returns `true` if there is a cliff between two adjacent hexes.
    pub fn cliff(&self, a: Hex, b: Hex) -> bool {
        self.between(a, b) == Some(Crossing::Cliff)
    }
}

/// The first column of the map (18.1).
const FIRST_COLUMN: u8 = 11;

/// Returns a table of results by die; each result must appear once, from the lowest die up.
fn bands(c: &Components, table: BandTable, among: &[&str]) -> Result<Bands<String>, Wrong> {
    let rows: Vec<(usize, &super::Band)> = c.bands.iter().enumerate().filter(|(_, row)| row.table == table).collect();
    let first = rows.first().map_or(0, |row| row.0);
    if !rows.iter().map(|(_, row)| &*row.result).eq(among.iter().copied()) {
        return Err(("band", first, format!("the results of {} are {}", table.name(), among.join(", "))));
    }
    let least: Vec<Option<i32>> = rows.iter().map(|(_, row)| row.least).collect();
    let next = |at: usize| least.get(at + 1).copied().flatten().map(|n| n - 1);
    let made = rows.iter().enumerate().map(|(at, (_, row))| (row.least, next(at), row.result.clone())).collect();
    Bands::load(made).map_err(|why| ("band", first, why.to_string()))
}

/// Returns the hexes where Scouts may set up: four to eight hexes from the north, west or east
/// edge, and west of Rosebud Creek, that is, connected to 2603 without crossing it (17).
fn scout_band(grid: &Grid, crossing: &Sides<Option<Crossing>>) -> Option<HexSet> {
    let start = grid.hex("2603")?;
    let mut reached = HexSet::from_iter([start]);
    let mut due = vec![start];
    while let Some(at) = due.pop() {
        for next in grid.neighbours(at) {
            if !reached.has(next) && crossing.between(grid, at, next) != Some(Crossing::Rosebud) {
                reached.insert(next);
                due.push(next);
            }
        }
    }
    let band = |hex: &Hex| {
        let edge = [Edge::North, Edge::West, Edge::East].into_iter().map(|edge| grid.to_edge(*hex, edge)).min();
        reached.has(*hex) && edge.is_some_and(|n| (4..=8).contains(&n))
    };
    Some(grid.hexes().filter(band).collect())
}
