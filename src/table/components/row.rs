//! Readers for the values of a row: names, numbers, words, rows of other tables.
//!
//! An invalid value is noted and replaced by a valid one: the lowest number, the default word, the
//! first row.

use std::{collections::HashMap, fmt::Display, ops::Range, ops::RangeInclusive};

use serde::de::{DeserializeOwned, IntoDeserializer as _};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{FaultKind, File, Id};

/// A row of a table of the file, or a table without rows.
pub struct Row<'f, 'v, 't> {
    pub(super) file: &'f mut File<'v, 't>,
    /// All rows of its table.
    pub(super) rows: &'f [Place<'v, 't>],
    /// The index of this row.
    pub(super) at: usize,
    /// The names seen so far that must be unique, by key, each with its location.
    pub(super) seen: &'f mut HashMap<&'static str, HashMap<String, Range<usize>>>,
}

/// The location and contents of a row.
pub(super) struct Place<'v, 't> {
    /// The table's name in the keys of faults; empty for the whole file.
    name: &'static str,
    pub table: &'v DeTable<'t>,
    /// The location, in bytes of the file.
    pub span: Range<usize>,
    /// Valid keys that are misspelt in this row; they are not also noted as missing.
    pub misspelt: Vec<&'static str>,
}

impl<'v, 't> Place<'v, 't> {
    pub fn new(name: &'static str, table: &'v DeTable<'t>, span: Range<usize>) -> Self {
        Self { name, table, span, misspelt: Vec::new() }
    }
    pub fn get(&self, key: &str) -> Option<&'v Spanned<DeValue<'t>>> {
        self.table.iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value)
    }
    /// Returns the location of a key's value, or of the row if the key is missing.
    pub(crate) fn span_of(&self, key: &str) -> Range<usize> {
        self.get(key).map_or(self.span.clone(), Spanned::span)
    }
    /// Returns the key as named in faults.
    pub fn key(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }
}

/// A text of the file and its location.
#[derive(Clone, Debug)]
pub struct Word {
    /// The text.
    pub text: String,
    /// The location, in bytes of the file.
    pub(super) span: Range<usize>,
}

impl<'v, 't> Row<'_, 'v, 't> {
    /// Returns the row's index in its table, from 0.
    pub fn at(&self) -> usize {
        self.at
    }
    /// Returns the file, for the names of other tables.
    pub fn file(&self) -> &File<'v, 't> {
        self.file
    }
    /// Returns the value of a key, if present.
    pub fn get(&self, key: &str) -> Option<&'v Spanned<DeValue<'t>>> {
        self.rows[self.at].get(key)
    }
    /// Returns `true` if a key is present.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Notes a fault of a key's value, or of the row if the key is missing.
    pub fn fault(&mut self, key: &str, kind: FaultKind) {
        self.file.note(&self.rows[self.at].span_of(key), self.rows[self.at].key(key), kind);
    }
    /// Notes a fault of a word in a key's value.
    pub fn fault_of(&mut self, word: &Word, key: &str, kind: FaultKind) {
        self.file.note(&word.span, self.rows[self.at].key(key), kind);
    }
    /// Notes an invalid value of a key, and describes the valid ones.
    pub fn wrong(&mut self, key: &str, right: impl Display) {
        if let Some(value) = self.get(key) {
            self.file.wrong(value, self.rows[self.at].key(key), right.to_string());
        }
    }

    /// Returns the value of a required key.
    fn value(&mut self, key: &str, right: impl Display) -> Option<&'v Spanned<DeValue<'t>>> {
        let value = self.get(key);
        if value.is_none() && !self.rows[self.at].misspelt.contains(&key) {
            self.fault(key, FaultKind::MissingKey { right: right.to_string() });
        }
        value
    }

    /// Reads a key with a function of the game.
    pub fn with<T>(&mut self, key: &'static str, read: fn(&mut Self, &'static str) -> T) -> T {
        read(self, key)
    }

    /// Reads a whole number in a range.
    pub fn number<N: TryFrom<i32> + Default>(&mut self, key: &str, range: RangeInclusive<i32>) -> N {
        // Formatted only if there is a fault.
        let right = format_args!("a whole number from {} to {}", range.start(), range.end());
        let found = self.value(key, right).and_then(|value| {
            let found = whole(value.get_ref()).filter(|number| range.contains(number));
            if found.is_none() {
                self.wrong(key, right);
            }
            found
        });
        N::try_from(found.unwrap_or(*range.start())).unwrap_or_default()
    }
    /// Reads a whole number in a range; `None` if the key is missing.
    pub fn number_if<N: TryFrom<i32> + Default>(&mut self, key: &str, range: RangeInclusive<i32>) -> Option<N> {
        self.has(key).then(|| self.number(key, range))
    }
    /// Reads a whole number in a range; 0 if the key is missing.
    pub fn number_or_0<N: TryFrom<i32> + Default>(&mut self, key: &str, range: RangeInclusive<i32>) -> N {
        self.number_if(key, range).unwrap_or_default()
    }
    /// Reads a list of `count` whole numbers in a range.
    pub fn numbers<N: TryFrom<i32>>(&mut self, key: &str, count: usize, range: RangeInclusive<i32>) -> Vec<N> {
        let right = format_args!("a list of {count} whole numbers from {} to {}", range.start(), range.end());
        let found = self.value(key, right).map(|value| {
            let items =
                value.get_ref().as_array().map(|array| array.iter().map(|item| whole(item.get_ref())).collect());
            let items: Vec<Option<i32>> = items.unwrap_or_default();
            let made = items.iter().flatten().filter(|number| range.contains(number));
            let made: Vec<N> = made.filter_map(|&number| N::try_from(number).ok()).collect();
            if made.len() != count || items.len() != count {
                self.wrong(key, right);
            }
            made
        });
        found.unwrap_or_default()
    }
    /// Reads `true` or `false`.
    pub fn flag(&mut self, key: &str) -> bool {
        let right = "true or false";
        let Some(value) = self.value(key, right) else { return false };
        value.get_ref().as_bool().unwrap_or_else(|| {
            self.wrong(key, right);
            false
        })
    }
    /// Reads `true` or `false`; `false` if the key is missing.
    pub fn flag_if(&mut self, key: &str) -> bool {
        self.has(key) && self.flag(key)
    }

    /// Reads a text, possibly empty.
    pub fn text(&mut self, key: &str) -> String {
        self.text_at(key).text
    }
    /// Reads a text with its location.
    pub fn text_at(&mut self, key: &str) -> Word {
        match self.value(key, "a text in quotes") {
            Some(value) => self.word_of(value, key),
            None => Word { text: String::new(), span: self.rows[self.at].span.clone() },
        }
    }
    /// Reads a text that must not be empty.
    pub fn name(&mut self, key: &str) -> String {
        self.name_at(key).text
    }
    /// Reads a text that must not be empty, with its location.
    pub fn name_at(&mut self, key: &str) -> Word {
        let word = self.text_at(key);
        if word.text.trim().is_empty() && self.get(key).is_some_and(|value| value.get_ref().is_str()) {
            self.wrong(key, "a name");
        }
        word
    }
    /// Reads a name that must be unique in its table.
    pub fn label(&mut self, key: &'static str) -> String {
        let word = self.name_at(key);
        self.once(&word, &word.text, key);
        word.text
    }
    /// Notes a name that has occurred under this key before.
    pub fn once(&mut self, word: &Word, name: &str, key: &'static str) {
        if name.trim().is_empty() {
            return;
        }
        let seen = self.seen.entry(key).or_default();
        if let Some(first) = seen.get(name) {
            let first_line = self.file.line(first);
            self.fault_of(word, key, FaultKind::Duplicate { name: name.to_owned(), first_line });
        } else {
            seen.insert(name.to_owned(), word.span.clone());
        }
    }
    /// Reads the free text of `known`: empty if the row consists of house values.
    pub fn known(&mut self, key: &str) -> String {
        let text = if self.has(key) { self.text(key) } else { String::new() };
        if text == "-" { String::new() } else { text }
    }

    /// Reads a word as a value of an enum that implements `Deserialize`.
    pub fn word<E: DeserializeOwned + Default>(&mut self, key: &str) -> E {
        let word = self.text_at(key);
        let read: Result<E, serde::de::value::Error> = E::deserialize(word.text.as_str().into_deserializer());
        read.unwrap_or_else(|why| {
            // A missing key or an empty text was noted when it was read.
            if !word.text.is_empty() {
                self.fault_of(&word, key, FaultKind::Other(why.to_string()));
            }
            E::default()
        })
    }
    /// Reads as [`Row::word`] does; `None` if the key is missing.
    pub fn word_if<E: DeserializeOwned + Default>(&mut self, key: &str) -> Option<E> {
        self.has(key).then(|| self.word(key))
    }
    /// Reads as [`Row::word`] does, but accepts only the values in `among`; `why` describes the
    /// fault of another value.
    pub fn word_among<E>(&mut self, key: &str, among: &[E], why: fn(E) -> String) -> E
    where
        E: DeserializeOwned + Default + Copy + PartialEq,
    {
        let word = self.word(key);
        if !among.contains(&word) {
            self.fault(key, FaultKind::Other(why(word)));
        }
        word
    }
    /// Reads as [`Row::word`] does, in a table with one row for each value of `all`, in this order;
    /// `name` returns the word for a value.
    pub fn in_order<E>(&mut self, key: &str, all: &[E], name: fn(E) -> &'static str) -> E
    where
        E: DeserializeOwned + Default + Copy + PartialEq,
    {
        let word = self.word(key);
        if let Some(&right) = all.get(self.at).filter(|&&right| right != word && self.has(key)) {
            self.fault(
                key,
                FaultKind::Other(format!(
                    "the rows are out of order: this one must be {}, not {}",
                    name(right),
                    name(word)
                )),
            );
        }
        word
    }
    /// Reads a text of `count` letters that each represent a value, such as the faces of a die;
    /// `right` describes the valid format.
    pub fn letters<T>(&mut self, key: &str, count: usize, read: fn(&str) -> Option<T>, right: &str) -> Vec<T> {
        let text = self.text(key);
        let values: Vec<T> = text.split("").filter_map(read).collect();
        if text.len() != count || values.len() != count {
            self.wrong(key, right);
        }
        values
    }
    /// Returns the index of a word among the valid ones; `what` is the noun for such a word in
    /// messages.
    pub fn choice(&mut self, key: &str, what: &str, among: &[&str]) -> Option<usize> {
        let word = self.text_at(key);
        self.find(&word, key, what, among)
    }
    /// Returns the index of a word among names.
    pub fn find<S: AsRef<str>>(&mut self, word: &Word, key: &str, what: &str, among: &[S]) -> Option<usize> {
        self.file.find(word, || self.rows[self.at].key(key), what, among)
    }

    /// Reads the name of a row of another table, which must have been read before.
    pub fn of<I: Id>(&mut self, key: &str, table: &str) -> I {
        let word = self.name_at(key);
        I::at(self.row_of(&word, key, table).unwrap_or(0))
    }
    /// Reads a list of names of rows of a table, which must have been read before.
    pub fn list_of<I: Id>(&mut self, key: &str, table: &str) -> Vec<I> {
        let words = self.words(key);
        words.iter().filter_map(|word| self.row_of(word, key, table)).map(I::at).collect()
    }
    /// Returns the index of the row with this name in a table that was read before.
    pub fn row_of(&mut self, word: &Word, key: &str, table: &str) -> Option<usize> {
        let names = self.file.names.get(table)?.clone();
        self.find(word, key, &names.what, &names.all)
    }
    /// Reads the neighbours of this row within its own table. Each is listed once, is another row,
    /// and must list this one in turn.
    pub fn neighbours<I: Id>(&mut self, key: &'static str) -> Vec<I> {
        let names = self.file.names.get(self.rows[self.at].name).cloned().unwrap_or_default();
        self.neighbours_among(key, &names.all)
    }
    /// Reads as [`Row::neighbours`] does, among names that may lack rows; missing rows are noted
    /// elsewhere.
    pub fn neighbours_among<I: Id, S: AsRef<str>>(&mut self, key: &'static str, all: &[S]) -> Vec<I> {
        let rows = self.rows;
        let names = self.file.names.get(rows[self.at].name).cloned().unwrap_or_default();
        let (mut near, mut lines) = (Vec::<usize>::new(), HashMap::<String, Range<usize>>::new());
        for word in self.words(key) {
            if self.find(&word, key, &names.what, all).is_none() {
                continue;
            }
            if let Some(first) = lines.insert(word.text.clone(), word.span.clone()) {
                let first_line = self.file.line(&first);
                self.fault_of(&word, key, FaultKind::Duplicate { name: word.text.clone(), first_line });
                continue;
            }
            let Some(there) = names.all.iter().position(|name| *name == word.text) else { continue };
            let here = &names.all[self.at];
            if there == self.at {
                self.fault_of(&word, key, FaultKind::WithItself { name: here.clone() });
                continue;
            }
            let back = rows[there].get(key);
            let listed = back.and_then(|value| value.get_ref().as_array());
            if listed.is_some_and(|list| list.iter().any(|name| name.get_ref().as_str() == Some(here))) {
                near.push(there);
                continue;
            }
            let line = self.file.line(&rows[there].span_of(key));
            let (here, there) = (here.clone(), word.text.clone());
            self.fault_of(&word, key, FaultKind::OneSided { here, key, there, line });
        }
        near.into_iter().map(I::at).collect()
    }

    /// Reads a list of texts.
    pub fn words(&mut self, key: &str) -> Vec<Word> {
        let right = "a list of texts, [\"…\", \"…\"]";
        let Some(value) = self.value(key, right) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong(key, right);
            return Vec::new();
        };
        array.iter().map(|item| self.word_of(item, key)).collect()
    }
    /// Reads a list of texts; empty if the key is missing.
    pub fn words_if(&mut self, key: &str) -> Vec<Word> {
        if self.has(key) { self.words(key) } else { Vec::new() }
    }
    /// Reads a list of texts, converting each with `read`; empty if the key is missing. `right`
    /// describes the valid format of a text.
    pub fn each_if<T>(&mut self, key: &str, right: &str, read: fn(&str) -> Option<T>) -> Vec<T> {
        let mut made = Vec::new();
        for word in self.words_if(key) {
            match read(&word.text) {
                Some(one) => made.push(one),
                None => {
                    let (found, right) = (format!("{:?}", word.text), right.to_owned());
                    self.fault_of(&word, key, FaultKind::Value { found, right });
                }
            }
        }
        made
    }
    /// Reads a list of pairs of texts.
    pub fn pairs(&mut self, key: &str) -> Vec<(Word, Word)> {
        let right = "a list of pairs, [[\"…\", \"…\"]]";
        let Some(value) = self.value(key, right) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong(key, right);
            return Vec::new();
        };
        let mut pairs = Vec::with_capacity(array.len());
        for item in array.iter() {
            match item.get_ref().as_array().map(|pair| &pair[..]) {
                Some([a, b]) => pairs.push((self.word_of(a, key), self.word_of(b, key))),
                _ => self.file.wrong(item, self.rows[self.at].key(key), "a pair, [\"…\", \"…\"]".to_owned()),
            }
        }
        pairs
    }

    fn word_of(&mut self, value: &Spanned<DeValue<'t>>, key: &str) -> Word {
        let text = value.get_ref().as_str().map(str::to_owned).unwrap_or_else(|| {
            self.file.wrong(value, self.rows[self.at].key(key), "a text in quotes".to_owned());
            String::new()
        });
        Word { text, span: value.span() }
    }
}

fn whole(value: &DeValue<'_>) -> Option<i32> {
    let integer = value.as_integer()?;
    i32::from_str_radix(integer.as_str(), integer.radix()).ok()
}
