//! The cells of a chart.

use std::{fmt, fmt::Write as _, str::FromStr};

/// The reasons why a chart cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChartFault {
    /// There are no rows.
    #[error("the chart has no rows")]
    Empty,
    /// A number has no row, or more than one.
    #[error("after the row of {after} comes that of {next}; every number has one row, in order")]
    Gap {
        /// The number of the row before.
        after: i32,
        /// The number of the row that follows.
        next: i32,
    },
    /// A row has more or fewer cells than the chart has columns.
    #[error("the row of {row} has {found} cells, not {wanted}")]
    Cells {
        /// The number of the row.
        row: i32,
        /// The number of cells found.
        found: usize,
        /// The number of columns.
        wanted: usize,
    },
    /// A cell does not contain a result.
    #[error("\"{cell}\" in the row of {row} is not a result")]
    Result {
        /// The number of the row.
        row: i32,
        /// The text of the cell.
        cell: String,
    },
    /// A number belongs to no band, or to two.
    #[error("the bands leave a gap or overlap at {at}: each must begin right above the one before")]
    Bands {
        /// The first number that is wrong.
        at: i32,
    },
}

/// A chart with columns and a row for each modified die roll; rolls beyond the first or last row
/// use that row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chart<R> {
    first: i32,
    columns: usize,
    cells: Vec<R>,
}

impl<R: FromStr> Chart<R> {
    /// Reads a chart of `columns` columns from rows, each with its die number and the words in its
    /// cells.
    ///
    /// # Errors
    ///
    /// Returns [`ChartFault`] if a row or a cell is missing, duplicated, or not a result.
    pub fn load<S: AsRef<str>>(columns: usize, rows: &[(i32, Vec<S>)]) -> Result<Chart<R>, ChartFault> {
        let &(first, _) = rows.first().ok_or(ChartFault::Empty)?;
        if let Some(two) = rows.windows(2).find(|two| two[1].0 != two[0].0 + 1) {
            return Err(ChartFault::Gap { after: two[0].0, next: two[1].0 });
        }
        let mut cells = Vec::with_capacity(columns * rows.len());
        for (row, words) in rows {
            if words.len() != columns {
                return Err(ChartFault::Cells { row: *row, found: words.len(), wanted: columns });
            }
            for cell in words {
                let cell = cell.as_ref();
                cells.push(cell.parse().map_err(|_| ChartFault::Result { row: *row, cell: cell.to_owned() })?);
            }
        }
        Ok(Chart { first, columns, cells })
    }
}

impl<R> Chart<R> {
    /// Returns the cell for a modified die roll and a column; values outside the chart are clamped
    /// to its edges.
    pub fn at(&self, die: i32, column: usize) -> &R {
        let last = self.cells.len() / self.columns - 1;
        let row = usize::try_from(die - self.first).unwrap_or(0).min(last);
        &self.cells[row * self.columns + column.min(self.columns - 1)]
    }
    /// Returns the numbers of the first and the last row.
    pub fn rows(&self) -> (i32, i32) {
        // A chart has only a few rows.
        (self.first, self.first + (self.cells.len() / self.columns) as i32 - 1)
    }
    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }
}

impl<R: fmt::Display> Chart<R> {
    /// Formats the chart as a plain-text table: the column headings, then a line for each row.
    pub fn print(&self, heads: &[impl AsRef<str>]) -> String {
        let (first, last) = self.rows();
        let mut lines = vec![[String::new()].into_iter().chain(heads.iter().map(|h| h.as_ref().to_owned())).collect()];
        for die in first..=last {
            let cells = (0..self.columns).map(|column| self.at(die, column).to_string());
            lines.push([die.to_string()].into_iter().chain(cells).collect::<Vec<_>>());
        }
        let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|c| c.chars().count()).max();
        let widths: Vec<usize> = (0..=self.columns).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for line in &lines {
            let cells = line.iter().zip(&widths).map(|(cell, &wide)| format!("{cell:>wide$}"));
            let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        }
        text
    }
}

/// Formats a table as lines: the first column left-aligned, the others right-aligned, with two
/// spaces in between.
pub fn laid_out(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| wide(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cell = |(at, cell): (usize, &String)| {
            let wide = widths[at];
            if at == 0 { format!("{cell:<wide$}") } else { format!("  {cell:>wide$}") }
        };
        row.iter().enumerate().map(cell).collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Results by contiguous ranges of a number; the first and the last range are open-ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bands<R>(Vec<(i32, R)>);

impl<R> Bands<R> {
    /// Creates bands from their bounds; the first has no lower bound, the last no upper bound.
    ///
    /// # Errors
    ///
    /// Returns [`ChartFault`] if there are no bands, or if they leave a gap or overlap.
    pub fn load(bands: Vec<(Option<i32>, Option<i32>, R)>) -> Result<Bands<R>, ChartFault> {
        let mut next = None;
        let (mut kept, count) = (Vec::with_capacity(bands.len()), bands.len());
        for (i, (min, max, result)) in bands.into_iter().enumerate() {
            let at = match (i, min, next) {
                (0, None, _) => i32::MIN,
                (0, Some(min), _) => return Err(ChartFault::Bands { at: min }),
                (_, Some(min), Some(next)) if min == next => min,
                (_, min, next) => return Err(ChartFault::Bands { at: min.or(next).unwrap_or(i32::MIN) }),
            };
            match (i + 1 == count, max) {
                (true, Some(max)) => return Err(ChartFault::Bands { at: max }),
                (false, Some(max)) if max > at || at == max => {}
                (true, None) => {}
                (false, _) => return Err(ChartFault::Bands { at }),
            }
            next = max.map(|max| max + 1);
            kept.push((at, result));
        }
        if kept.is_empty() { Err(ChartFault::Empty) } else { Ok(Bands(kept)) }
    }
    /// Returns the result for a number.
    pub fn at(&self, number: i32) -> &R {
        // The first band has no lower bound.
        let at = self.0.iter().rposition(|&(from, _)| from <= number).unwrap_or(0);
        &self.0[at].1
    }
    /// Returns the bands in order, each with its lower bound (`None` for the first) and its result.
    pub fn each(&self) -> impl Iterator<Item = (Option<i32>, &R)> {
        self.0.iter().map(|(from, result)| ((*from != i32::MIN).then_some(*from), result))
    }
}

/// A result for both sides, such as `1R/--`; the attacker's comes before the slash.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Both<R> {
    /// The result for the attacker.
    pub attacker: R,
    /// The result for the defender.
    pub defender: R,
}

impl<R: FromStr> FromStr for Both<R> {
    type Err = Option<R::Err>;
    fn from_str(text: &str) -> Result<Both<R>, Self::Err> {
        let (attacker, defender) = text.split_once('/').ok_or(None)?;
        let side = |text: &str| text.parse().map_err(Some);
        Ok(Both { attacker: side(attacker)?, defender: side(defender)? })
    }
}

impl<R: fmt::Display> fmt::Display for Both<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.attacker, self.defender)
    }
}
