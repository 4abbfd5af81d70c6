//! Component files as plain-text tables, for `games components`.
//!
//! Every row ends with its source: `known: …` for values given by the rules text, `house` for the
//! rest. Lines are at most 100 columns wide; long lists and notes wrap within their columns.

use std::fmt::Write as _;

use toml::de::{DeTable, DeValue};

use super::Table;

/// Maximum width of a line, in characters.
const WIDTH: usize = 100;

/// If fewer characters than this are left next to the columns, a row's notes go below it.
const NOTES: usize = 24;

/// Formats a checked component file for people: each table with its keys as columns and a line per
/// row. Columns without values are omitted. Flags that are set appear in the notes, followed by the
/// source of the row. The text ends with a newline.
pub fn print(text: &str, tables: &[Table]) -> String {
    let (root, _) = DeTable::parse_recoverable(text);
    let root = root.into_inner();
    let sheets = tables.iter().filter_map(|&(table, keys)| {
        let value = root.iter().find(|(key, _)| key.get_ref() == table)?.1.get_ref();
        let (many, rows): (&str, Vec<&DeTable<'_>>) = match value {
            DeValue::Array(rows) => ("S", rows.iter().filter_map(|row| row.get_ref().as_table()).collect()),
            DeValue::Table(row) => ("", vec![row]),
            _ => return None,
        };
        let columns =
            keys.iter().copied().filter(|&key| key != "known" && rows.iter().any(|row| !cell(row, key).is_empty()));
        let columns: Vec<&str> = columns.collect();
        let heads = columns.iter().map(|key| key.replace('_', " ")).collect();
        let mut sheet = Sheet { rows: vec![(heads, "source".to_owned())] };
        for row in rows {
            sheet.rows.push((columns.iter().map(|key| cell(row, key)).collect(), notes(row, keys)));
        }
        Some(format!("{}{many}\n{sheet}", table.to_uppercase()))
    });
    sheets.collect::<Vec<_>>().join("\n")
}

fn value<'v, 't>(row: &'v DeTable<'t>, key: &str) -> Option<&'v DeValue<'t>> {
    row.iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value.get_ref())
}

/// Returns the value of a key, formatted for a column.
fn cell(row: &DeTable<'_>, key: &str) -> String {
    value(row, key).map_or(String::new(), |value| shown(value, ", "))
}

/// Returns the set flags of a row and its source.
fn notes(row: &DeTable<'_>, keys: &[&str]) -> String {
    let flags = keys.iter().filter(|key| value(row, key).and_then(DeValue::as_bool) == Some(true));
    let mut notes: Vec<String> = flags.map(|key| key.replace('_', " ")).collect();
    notes.push(match cell(row, "known").as_str() {
        "" | "-" => "house".to_owned(),
        known => format!("known: {known}"),
    });
    notes.join("; ")
}

/// Formats a value for people; flags are shown elsewhere.
fn shown(value: &DeValue<'_>, between: &str) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Datetime(time) => time.to_string(),
        // Lists may contain pairs.
        DeValue::Array(list) => list.iter().map(|item| shown(item.get_ref(), "/")).collect::<Vec<_>>().join(between),
        DeValue::Boolean(_) | DeValue::Table(_) => String::new(),
    }
}

/// Rows of cells, each with notes; the headings come first.
struct Sheet {
    rows: Vec<(Vec<String>, String)>,
}

impl Sheet {
    /// Returns the widths of the columns, each that of its widest cell. While the table is too wide
    /// for the page, the widest column is narrowed.
    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.rows[0].0.len()];
        for (row, _) in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        // Cells break only at spaces, so a column is at least as wide as its longest word.
        let least = (0..widths.len()).map(|column| {
            let cells = self.rows.iter().flat_map(|(row, _)| row[column].split(' '));
            cells.map(|word| word.chars().count()).max().unwrap_or(0)
        });
        let least: Vec<usize> = least.collect();
        while widths.iter().sum::<usize>() + 2 * widths.len() > WIDTH {
            let wide = widths.iter_mut().zip(&least).filter(|(width, least)| **width > **least);
            let Some((widest, _)) = wide.max_by_key(|(width, _)| **width) else { break };
            *widest -= 1;
        }
        widths
    }
}

impl std::fmt::Display for Sheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut widths = self.widths();
        let room = WIDTH.saturating_sub(widths.iter().sum::<usize>() + 2 * widths.len());
        let beside = room >= NOTES || self.rows.iter().all(|(_, notes)| notes.chars().count() <= room);
        widths.push(room);
        // `format!` accepts no larger width.
        widths.iter_mut().for_each(|width| *width = (*width).min(u16::MAX.into()));
        for (at, (row, notes)) in self.rows.iter().enumerate() {
            let mut cells: Vec<Vec<String>> = row.iter().zip(&widths).map(|(cell, &width)| wrap(cell, width)).collect();
            if beside {
                cells.push(wrap(notes, room));
            }
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let mut out = String::new();
                for (cell, &width) in cells.iter().zip(&widths) {
                    let part = cell.get(line).map_or("", String::as_str);
                    // Writing to a String cannot fail.
                    let _ = write!(out, "{part:width$}  ");
                }
                writeln!(f, "{}", out.trim_end())?;
            }
            if !beside && at > 0 {
                for line in wrap(notes, WIDTH - 4) {
                    writeln!(f, "    {line}")?;
                }
            }
        }
        Ok(())
    }
}

/// Breaks a text at spaces into lines of at most `width` characters; longer words remain whole.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last =
            lines.last_mut().filter(|line| line.is_empty() || line.chars().count() + 1 + word.chars().count() <= width);
        match last {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}
