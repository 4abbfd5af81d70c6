//! What can stand under a key of a row: names, numbers, words, rows of other tables.
//!
//! A value that is wrong is noted and replaced by one that fits: the lowest number, the default word, the first row.

use std::{collections::HashMap, fmt::Display, ops::Range, ops::RangeInclusive};

use serde::de::{DeserializeOwned, IntoDeserializer as _};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{FaultKind, File, Id};

/// A row of a table of the file, or a table that has no rows.
pub struct Row<'f, 'v, 't> {
    pub(super) file: &'f mut File<'v, 't>,
    /// All rows of its table.
    pub(super) rows: &'f [Place<'v, 't>],
    /// Which of them this is.
    pub(super) at: usize,
    /// The names seen so far that must not repeat, by key, each with where it stands.
    pub(super) seen: &'f mut HashMap<&'static str, HashMap<String, Range<usize>>>,
}

/// Where a row stands, and what it holds.
pub(super) struct Place<'v, 't> {
    /// Its table's name in keys of faults; empty for the whole file.
    name: &'static str,
    pub table: &'v DeTable<'t>,
    /// Where it stands, in bytes of the file.
    pub span: Range<usize>,
    /// Keys that are only misspelt here; they are not noted as missing as well.
    pub misspelt: Vec<&'static str>,
}

impl<'v, 't> Place<'v, 't> {
    pub fn new(name: &'static str, table: &'v DeTable<'t>, span: Range<usize>) -> Self {
        Self { name, table, span, misspelt: Vec::new() }
    }
    pub fn get(&self, key: &str) -> Option<&'v Spanned<DeValue<'t>>> {
        self.table.iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value)
    }
    /// Where the value of a key stands, or the row where the key is not there.
    pub fn span_of(&self, key: &str) -> Range<usize> {
        self.get(key).map_or(self.span.clone(), Spanned::span)
    }
    /// The key as faults name it.
    pub fn key(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }
}

/// A text of the file and where it stands.
#[derive(Clone, Debug)]
pub struct Word {
    /// The text.
    pub text: String,
    /// Where it stands, in bytes of the file.
    pub(super) span: Range<usize>,
}

impl<'v, 't> Row<'_, 'v, 't> {
    /// Its place in its table, from 0.
    pub fn at(&self) -> usize {
        self.at
    }
    /// The file, for names of other tables.
    pub fn file(&self) -> &File<'v, 't> {
        self.file
    }
    /// The value of a key, if it is there.
    pub fn get(&self, key: &str) -> Option<&'v Spanned<DeValue<'t>>> {
        self.rows[self.at].get(key)
    }
    /// Whether a key is there.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Notes what is wrong with the value of a key, or with the row where the key is not there.
    pub fn fault(&mut self, key: &str, kind: FaultKind) {
        self.file.note(&self.rows[self.at].span_of(key), self.rows[self.at].key(key), kind);
    }
    /// Notes what is wrong with a word that stands under a key.
    pub fn fault_of(&mut self, word: &Word, key: &str, kind: FaultKind) {
        self.file.note(&word.span, self.rows[self.at].key(key), kind);
    }
    /// Notes that the value of a key cannot stand there, and what would be right.
    pub fn wrong(&mut self, key: &str, right: impl Display) {
        if let Some(value) = self.get(key) {
            self.file.wrong(value, self.rows[self.at].key(key), right.to_string());
        }
    }

    /// The value of a key that must be there.
    fn value(&mut self, key: &str, right: impl Display) -> Option<&'v Spanned<DeValue<'t>>> {
        let value = self.get(key);
        if value.is_none() && !self.rows[self.at].misspelt.contains(&key) {
            self.fault(key, FaultKind::MissingKey { right: right.to_string() });
        }
        value
    }

    /// Whatever a function of the game makes of it.
    pub fn with<T>(&mut self, key: &'static str, read: fn(&mut Self, &'static str) -> T) -> T {
        read(self, key)
    }

    /// A whole number in a range.
    pub fn number<N: TryFrom<i32> + Default>(&mut self, key: &str, range: RangeInclusive<i32>) -> N {
        // It is spelt out only where something is wrong.
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
    /// A whole number in a range, or nothing where the key is not there.
    pub fn number_if<N: TryFrom<i32> + Default>(&mut self, key: &str, range: RangeInclusive<i32>) -> Option<N> {
        self.has(key).then(|| self.number(key, range))
    }
    /// A whole number in a range, 0 where the key is not there.
    pub fn number_or_0<N: TryFrom<i32> + Default>(&mut self, key: &str, range: RangeInclusive<i32>) -> N {
        self.number_if(key, range).unwrap_or_default()
    }
    /// A list of so many whole numbers in a range; `right` says how it is written.
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
    /// True or false.
    pub fn flag(&mut self, key: &str) -> bool {
        let right = "true or false";
        let Some(value) = self.value(key, right) else { return false };
        value.get_ref().as_bool().unwrap_or_else(|| {
            self.wrong(key, right);
            false
        })
    }
    /// True or false; false where the key is not there.
    pub fn flag_if(&mut self, key: &str) -> bool {
        self.has(key) && self.flag(key)
    }

    /// A text, perhaps empty.
    pub fn text(&mut self, key: &str) -> String {
        self.text_at(key).text
    }
    /// A text with its place.
    pub fn text_at(&mut self, key: &str) -> Word {
        match self.value(key, "a text in quotes") {
            Some(value) => self.word_of(value, key),
            None => Word { text: String::new(), span: self.rows[self.at].span.clone() },
        }
    }
    /// A text that must not be empty.
    pub fn name(&mut self, key: &str) -> String {
        self.name_at(key).text
    }
    /// A text that must not be empty, with its place.
    pub fn name_at(&mut self, key: &str) -> Word {
        let word = self.text_at(key);
        if word.text.trim().is_empty() && self.get(key).is_some_and(|value| value.get_ref().is_str()) {
            self.wrong(key, "a name");
        }
        word
    }
    /// A name that stands once in its table.
    pub fn label(&mut self, key: &'static str) -> String {
        let word = self.name_at(key);
        self.once(&word, &word.text, key);
        word.text
    }
    /// Notes a name that was given under this key before.
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
    /// The free text of `known`: empty where the row is made of house values.
    pub fn known(&mut self, key: &str) -> String {
        let text = if self.has(key) { self.text(key) } else { String::new() };
        if text == "-" { String::new() } else { text }
    }

    /// A word that stands for a value of this type, one of an enum that serde reads.
    pub fn word<E: DeserializeOwned + Default>(&mut self, key: &str) -> E {
        let word = self.text_at(key);
        let read: Result<E, serde::de::value::Error> = E::deserialize(word.text.as_str().into_deserializer());
        read.unwrap_or_else(|why| {
            // A key that is missing, or no text, was noted when it was read.
            if !word.text.is_empty() {
                self.fault_of(&word, key, FaultKind::Other(why.to_string()));
            }
            E::default()
        })
    }
    /// As [`Row::word`], or nothing where the key is not there.
    pub fn word_if<E: DeserializeOwned + Default>(&mut self, key: &str) -> Option<E> {
        self.has(key).then(|| self.word(key))
    }
    /// As [`Row::word`], one of those that can stand here; `why` says what is wrong with another one.
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
    /// As [`Row::word`], in a table that has a row for each value, in this order; `name` gives the word of a value.
    pub fn in_order<E>(&mut self, key: &str, all: &[E], name: fn(E) -> &'static str) -> E
    where
        E: DeserializeOwned + Default + Copy + PartialEq,
    {
        let word = self.word(key);
        if let Some(&right) = all.get(self.at).filter(|&&right| right != word && self.has(key)) {
            self.fault(key, FaultKind::Other(format!("{} stands where {} belongs", name(word), name(right))));
        }
        word
    }
    /// A text in which so many letters stand for a value each, as the faces of a die; `right` says how it is written.
    pub fn letters<T>(&mut self, key: &str, count: usize, read: fn(&str) -> Option<T>, right: &str) -> Vec<T> {
        let text = self.text(key);
        let values: Vec<T> = text.split("").filter_map(read).collect();
        if text.len() != count || values.len() != count {
            self.wrong(key, right);
        }
        values
    }
    /// The place of a word among those that can stand there; `what` says in messages what such a word is.
    pub fn choice(&mut self, key: &str, what: &str, among: &[&str]) -> Option<usize> {
        let word = self.text_at(key);
        self.find(&word, key, what, among)
    }
    /// The place of a word among names.
    pub fn find<S: AsRef<str>>(&mut self, word: &Word, key: &str, what: &str, among: &[S]) -> Option<usize> {
        self.file.find(word, || self.rows[self.at].key(key), what, among)
    }

    /// A row of another table, which was read before, by its name.
    pub fn of<I: Id>(&mut self, key: &str, table: &str) -> I {
        let word = self.name_at(key);
        I::at(self.row_of(&word, key, table).unwrap_or(0))
    }
    /// A list of rows of a table that was read before, by their names.
    pub fn list_of<I: Id>(&mut self, key: &str, table: &str) -> Vec<I> {
        let words = self.words(key);
        words.iter().filter_map(|word| self.row_of(word, key, table)).map(I::at).collect()
    }
    /// The place of the row of this name in a table that was read before.
    pub fn row_of(&mut self, word: &Word, key: &str, table: &str) -> Option<usize> {
        let names = self.file.names.get(table)?.clone();
        self.find(word, key, &names.what, &names.all)
    }
    /// The rows of its own table that lie beside it. Each stands once, is another row, and lists this one in turn.
    pub fn neighbours<I: Id>(&mut self, key: &'static str) -> Vec<I> {
        let names = self.file.names.get(self.rows[self.at].name).cloned().unwrap_or_default();
        self.neighbours_among(key, &names.all)
    }
    /// As [`Row::neighbours`], among names some of whose rows may be missing; what is missing is noted elsewhere.
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

    /// A list of texts.
    pub fn words(&mut self, key: &str) -> Vec<Word> {
        let right = "a list of texts, [\"…\", \"…\"]";
        let Some(value) = self.value(key, right) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong(key, right);
            return Vec::new();
        };
        array.iter().map(|item| self.word_of(item, key)).collect()
    }
    /// A list of texts, empty where the key is not there.
    pub fn words_if(&mut self, key: &str) -> Vec<Word> {
        if self.has(key) { self.words(key) } else { Vec::new() }
    }
    /// A list of texts, perhaps none, each of which `read` makes something of; `right` says how such a text is written.
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
    /// A list of pairs of texts.
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
