//! Component files as tables of plain text, for `games components`.
//!
//! Every row ends with where it comes from: `known: …` for what the rules text gives, `house` for the rest. No line is wider
//! than 100 columns: long lists and notes go on below themselves.

use std::fmt::Write as _;

use toml::de::{DeTable, DeValue};

use super::Table;

/// No line is wider, in characters.
const WIDTH: usize = 100;

/// A checked component file as people read it: these tables with these keys as columns, a row each. A column in which
/// nothing stands is left out. The tables stand one below the other; the text ends with a newline.
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
        let cell = |row: &DeTable<'_>, key: &str| {
            let value = row.iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value.get_ref());
            match key {
                "known" => source(&value.map_or(String::new(), |value| shown(key, value))),
                _ => value.map_or(String::new(), |value| shown(key, value)),
            }
        };
        let filled: Vec<&str> =
            keys.iter().copied().filter(|key| rows.iter().any(|row| !cell(row, key).is_empty())).collect();
        let heads: Vec<String> =
            filled.iter().map(|&key| if key == "known" { "source".into() } else { key.replace('_', " ") }).collect();
        let mut sheet = Sheet::new(format!("{}{many}", table.to_uppercase()), heads);
        for row in rows {
            sheet.row(filled.iter().map(|key| cell(row, key)).collect());
        }
        Some(sheet.to_string())
    });
    sheets.collect::<Vec<_>>().join("\n")
}

/// A value as people read it: a flag by its name where it is set, a list by its members.
fn shown(key: &str, value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Boolean(set) => if *set { key.replace('_', " ") } else { String::new() },
        DeValue::Array(list) => {
            let parts: Vec<String> = list.iter().map(|item| shown(key, item.get_ref())).collect();
            parts.join(if parts.iter().any(|part| part.contains(' ')) { ", " } else { " " })
        }
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Table(_) => String::new(),
    }
}

/// Where a row comes from, by what stands under `known`.
fn source(known: &str) -> String {
    if matches!(known, "" | "-") { "house".to_owned() } else { format!("known: {known}") }
}

/// Rows of cells under a title and heads, columns as wide as they must be.
struct Sheet {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// A table without rows.
    fn new(title: String, heads: Vec<String>) -> Self {
        Self { title, rows: vec![heads] }
    }

    /// Adds a row, which has a cell for each head.
    fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// As wide as the widest cell; while that is too wide for the page, the widest column gives way.
    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.rows[0].len()];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        while widths.iter().sum::<usize>() + 2 * widths.len() > WIDTH + 2 {
            let Some(widest) = widths.iter_mut().max_by_key(|width| **width) else { break };
            *widest -= 1;
        }
        widths
    }
}

impl std::fmt::Display for Sheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let widths = self.widths();
        writeln!(f, "{}", self.title)?;
        for row in &self.rows {
            let cells: Vec<Vec<String>> = row.iter().zip(&widths).map(|(cell, &width)| wrap(cell, width)).collect();
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
        }
        Ok(())
    }
}

/// Breaks a text at spaces into lines of at most `width` characters; a longer word stays whole.
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
