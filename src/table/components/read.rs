//! Reading typed values out of a TOML tree, noting every fault with its place and going on.
//!
//! A value that is wrong is noted and replaced by one that fits, so that one slip does not hide the others; the caller
//! throws the result away if anything was noted.

use std::{collections::HashMap, ops::Range, ops::RangeInclusive};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use serde::{de::DeserializeOwned, de::IntoDeserializer};

use super::fault::{Fault, FaultKind, nearest};

/// Collects the faults of one file.
pub struct Reader<'t> {
    text: &'t str,
    pub(super) faults: Vec<Fault>,
}

/// A table of the file: the whole of it, a `[table]` or one `[[row]]`.
pub struct Row<'v, 't> {
    /// Its name in keys of faults; empty for the whole file.
    name: &'static str,
    table: &'v DeTable<'t>,
    /// Where it stands, in bytes of the file.
    pub span: Range<usize>,
    /// Keys that are only misspelt here; they are not reported as missing as well.
    misspelt: Vec<&'static str>,
}

/// A text of the file and where it stands.
#[derive(Clone)]
pub struct Word {
    /// The text.
    pub text: String,
    /// Where it stands, in bytes of the file.
    pub span: Range<usize>,
}

/// Names seen so far and the lines they stand on.
pub type Seen = HashMap<String, usize>;

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, faults: Vec::new() }
    }

    /// Notes what is wrong at a place of the file, under a key of its tables.
    pub fn fault(&mut self, span: &Range<usize>, key: impl Into<String>, kind: FaultKind) {
        let (line, column) = self.place(span.start);
        self.faults.push(Fault { line, column, key: key.into(), kind });
    }

    /// Line and column, from 1, of a byte of the text.
    fn place(&self, byte: usize) -> (usize, usize) {
        let before = self.text.get(..byte).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }

    /// The line, from 1, where something begins.
    pub fn line(&self, span: &Range<usize>) -> usize {
        self.place(span.start).0
    }

    /// Opens a table, noting keys that it should not have.
    pub fn open<'v>(
        &mut self,
        name: &'static str,
        table: &'v DeTable<'t>,
        span: Range<usize>,
        keys: &[&'static str],
    ) -> Row<'v, 't> {
        let mut row = Row { name, table, span, misspelt: Vec::new() };
        for key in table.keys() {
            let found: &str = key.get_ref();
            if keys.contains(&found) {
                continue;
            }
            let free = keys.iter().copied().filter(|known| row.get(known).is_none());
            let near = nearest(found, free.clone()).and_then(|near| free.clone().find(|known| *known == near));
            row.misspelt.extend(near);
            let kind = FaultKind::UnknownKey {
                nearest: near.map(str::to_owned),
                allowed: keys.iter().map(|&known| known.to_owned()).collect(),
            };
            self.fault(&key.span(), row.key(found), kind);
        }
        row
    }

    /// The `[[key]]` tables of the file.
    pub fn rows<'v>(&mut self, file: &Row<'v, 't>, key: &'static str, keys: &[&'static str]) -> Vec<Row<'v, 't>> {
        let right = format!("[[{key}]] tables");
        let Some(value) = self.value(file, key, &right) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array().filter(|array| !array.is_empty()) else {
            self.wrong(value, file.key(key), right);
            return Vec::new();
        };
        let mut rows = Vec::with_capacity(array.len());
        for item in array.iter() {
            match item.get_ref().as_table() {
                Some(table) => rows.push(self.open(key, table, item.span(), keys)),
                None => self.wrong(item, file.key(key), right.clone()),
            }
        }
        rows
    }

    /// The `[key]` table of the file.
    pub fn table<'v>(&mut self, file: &Row<'v, 't>, key: &'static str, keys: &[&'static str]) -> Option<Row<'v, 't>> {
        let right = format!("a [{key}] table");
        let value = self.value(file, key, &right)?;
        match value.get_ref().as_table() {
            Some(table) => Some(self.open(key, table, value.span(), keys)),
            None => {
                self.wrong(value, file.key(key), right);
                None
            }
        }
    }

    fn value<'v>(&mut self, row: &Row<'v, 't>, key: &'static str, right: &str) -> Option<&'v Spanned<DeValue<'t>>> {
        let value = row.get(key);
        if value.is_none() && !row.misspelt.contains(&key) {
            self.fault(&row.span, row.key(key), FaultKind::MissingKey { right: right.to_owned() });
        }
        value
    }

    /// Notes a value that cannot stand where it stands.
    pub fn wrong(&mut self, value: &Spanned<DeValue<'t>>, key: String, right: String) {
        let found = self.text.get(value.span()).unwrap_or("this value").to_owned();
        self.fault(&value.span(), key, FaultKind::Value { found, right });
    }

    /// A whole number in a range; the lowest one if it is missing or wrong.
    pub fn int(&mut self, row: &Row<'_, 't>, key: &'static str, range: RangeInclusive<i32>) -> i32 {
        let right = format!("a whole number from {} to {}", range.start(), range.end());
        let Some(value) = self.value(row, key, &right) else { return *range.start() };
        match whole(value.get_ref()).filter(|number| range.contains(number)) {
            Some(number) => number,
            None => {
                self.wrong(value, row.key(key), right);
                *range.start()
            }
        }
    }

    /// As [`Reader::int`], or nothing where the key is not there.
    pub fn optional_int(&mut self, row: &Row<'_, 't>, key: &'static str, range: RangeInclusive<i32>) -> Option<i32> {
        row.get(key).map(|_| self.int(row, key, range))
    }

    /// True or false; false if it is missing or wrong.
    pub fn flag(&mut self, row: &Row<'_, 't>, key: &'static str) -> bool {
        let right = "true or false";
        let Some(value) = self.value(row, key, right) else { return false };
        value.get_ref().as_bool().unwrap_or_else(|| {
            self.wrong(value, row.key(key), right.to_owned());
            false
        })
    }

    /// As [`Reader::flag`], false where the key is not there.
    pub fn optional_flag(&mut self, row: &Row<'_, 't>, key: &'static str) -> bool {
        row.get(key).is_some() && self.flag(row, key)
    }

    /// A word that stands for a value of this type, one of an enum that serde reads; nothing if it is missing or another.
    pub fn one_of<E: DeserializeOwned>(&mut self, row: &Row<'_, 't>, key: &'static str) -> Option<E> {
        let word = self.text(row, key);
        let read: Result<E, serde::de::value::Error> = E::deserialize(word.text.as_str().into_deserializer());
        match read {
            Ok(value) => Some(value),
            // A key that is missing, or no text, was noted when it was read.
            Err(_) if word.text.is_empty() => None,
            Err(why) => {
                self.fault(&word.span, row.key(key), FaultKind::Other(why.to_string()));
                None
            }
        }
    }

    /// A text, perhaps empty.
    pub fn text(&mut self, row: &Row<'_, 't>, key: &'static str) -> Word {
        match self.value(row, key, "a text in quotes") {
            Some(value) => self.word(value, row.key(key)),
            None => Word { text: String::new(), span: row.span.clone() },
        }
    }

    /// A text that must not be empty.
    pub fn name(&mut self, row: &Row<'_, 't>, key: &'static str) -> Word {
        let word = self.text(row, key);
        if let Some(value) = row.get(key).filter(|value| value.get_ref().is_str() && word.text.trim().is_empty()) {
            self.wrong(value, row.key(key), "a name".to_owned());
        }
        word
    }

    /// The free text of `known`: empty where the row is made of house values.
    pub fn known(&mut self, row: &Row<'_, 't>) -> String {
        let text = row.get("known").map(|_| self.text(row, "known").text).unwrap_or_default();
        if text == "-" { String::new() } else { text }
    }

    /// A list of texts.
    pub fn words(&mut self, row: &Row<'_, 't>, key: &'static str) -> Vec<Word> {
        let right = "a list of texts, [\"…\", \"…\"]";
        let Some(value) = self.value(row, key, right) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong(value, row.key(key), right.to_owned());
            return Vec::new();
        };
        array.iter().map(|item| self.word(item, row.key(key))).collect()
    }

    /// A list of pairs of texts, each with the place where it stands.
    pub fn pairs(&mut self, row: &Row<'_, 't>, key: &'static str) -> Vec<(Word, Word)> {
        let right = "a list of pairs, [[\"…\", \"…\"]]";
        let Some(value) = self.value(row, key, right) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong(value, row.key(key), right.to_owned());
            return Vec::new();
        };
        let mut pairs = Vec::with_capacity(array.len());
        for item in array.iter() {
            match item.get_ref().as_array().map(|pair| &pair[..]) {
                Some([a, b]) => pairs.push((self.word(a, row.key(key)), self.word(b, row.key(key)))),
                _ => self.wrong(item, row.key(key), "a pair, [\"…\", \"…\"]".to_owned()),
            }
        }
        pairs
    }

    fn word(&mut self, value: &Spanned<DeValue<'t>>, key: String) -> Word {
        let text = value.get_ref().as_str().map(str::to_owned).unwrap_or_else(|| {
            self.wrong(value, key, "a text in quotes".to_owned());
            String::new()
        });
        Word { text, span: value.span() }
    }

    /// The position of a word among names that exist; notes the word if it is none of them.
    pub fn find(&mut self, word: &Word, key: String, what: &'static str, names: &[String]) -> Option<usize> {
        let found = names.iter().position(|name| *name == word.text);
        // An empty word was noted when it was read, or stands for a missing key.
        if found.is_none() && !word.text.is_empty() {
            let near = nearest(&word.text, names.iter().map(String::as_str)).map(str::to_owned);
            let kind =
                FaultKind::UnknownName { what, found: word.text.clone(), nearest: near, allowed: names.to_vec() };
            self.fault(&word.span, key, kind);
        }
        found
    }

    /// The neighbours of each row, as positions in the order of its list. `names` are the rows' own names, `all` those that there
    /// can be. A neighbour stands once in a list, is another row, and lists this one in turn.
    pub fn neighbours(
        &mut self,
        rows: &[Row<'_, 't>],
        key: &'static str,
        what: &'static str,
        names: &[String],
        all: &[String],
    ) -> Vec<Vec<usize>> {
        let lists: Vec<Vec<Word>> = rows.iter().map(|row| self.words(row, key)).collect();
        let mut neighbours = vec![Vec::new(); rows.len()];
        for (here, list) in lists.iter().enumerate() {
            let mut seen = Seen::new();
            for word in list {
                let at = rows[here].key(key);
                // A name whose row is missing was noted once; not again for every neighbour.
                if self.find(word, at.clone(), what, all).is_none() {
                    continue;
                }
                self.once(&mut seen, word, &word.text, at.clone());
                let Some(there) = names.iter().position(|name| *name == word.text) else { continue };
                if there == here {
                    self.fault(&word.span, at, FaultKind::WithItself { name: word.text.clone() });
                    continue;
                }
                if !lists[there].iter().any(|back| back.text == names[here]) {
                    let line = self.line(&rows[there].get(key).map_or(rows[there].span.clone(), Spanned::span));
                    let (here, there) = (names[here].clone(), word.text.clone());
                    self.fault(&word.span, at, FaultKind::OneSided { here, there, line });
                    continue;
                }
                if !neighbours[here].contains(&there) {
                    neighbours[here].push(there);
                }
            }
        }
        neighbours
    }

    /// Notes a name that was seen before.
    pub fn once(&mut self, seen: &mut Seen, word: &Word, name: &str, key: String) {
        let line = self.line(&word.span);
        if name.trim().is_empty() {
            return;
        }
        if let Some(&first_line) = seen.get(name) {
            self.fault(&word.span, key, FaultKind::Duplicate { name: name.to_owned(), first_line });
        } else {
            seen.insert(name.to_owned(), line);
        }
    }
}

impl<'v, 't> Row<'v, 't> {
    /// The value of a key, if it is there.
    pub fn get(&self, key: &str) -> Option<&'v Spanned<DeValue<'t>>> {
        self.table.iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value)
    }

    /// The key as faults name it.
    pub fn key(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }
}

fn whole(value: &DeValue<'_>) -> Option<i32> {
    let integer = value.as_integer()?;
    i32::from_str_radix(integer.as_str(), integer.radix()).ok()
}
