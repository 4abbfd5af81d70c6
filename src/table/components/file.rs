//! A component file that is being read: its tables, and the faults found in them.

use std::{collections::HashMap, ops::Range, rc::Rc};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    ComponentFault, Fault, FaultKind, Piece, Row, Table,
    fault::nearest,
    row::{Place, Word},
};

/// Maximum number of rows of a table; ids are a byte.
const MOST: usize = 200;

/// Maximum number of faults reported. Finding the line of each requires a scan of the whole file.
const MOST_FAULTS: usize = 100;

/// Reads a component file with these tables; `file_name` is used only in messages.
///
/// An invalid value is noted and replaced by a valid one, so that one mistake does not hide others;
/// the result of `build` is then discarded.
///
/// # Errors
///
/// Returns [`ComponentFault`] with all faults: invalid TOML, or those noted while reading.
pub fn read<T>(
    text: &str,
    file_name: &str,
    tables: &[Table],
    build: impl FnOnce(&mut File<'_, '_>) -> T,
) -> Result<T, ComponentFault> {
    let (root, errors) = DeTable::parse_recoverable(text);
    let root = root.into_inner();
    let mut file = File {
        text,
        root: &root,
        tables: tables.iter().copied().collect(),
        faults: Vec::new(),
        places: HashMap::new(),
        names: HashMap::new(),
    };
    for error in &errors {
        let span = error.span().unwrap_or(0..0);
        file.note(&span, "file".to_owned(), FaultKind::Syntax(error.message().to_owned()));
    }
    let pieces = errors.is_empty().then(|| {
        let mut whole = Place::new("", &root, 0..0);
        let names: Vec<&'static str> = tables.iter().map(|table| table.0).collect();
        file.open(&mut whole, &names);
        build(&mut file)
    });
    match pieces.filter(|_| file.faults.is_empty()) {
        Some(pieces) => Ok(pieces),
        None => {
            file.faults.sort_by_key(|fault| (fault.line, fault.column));
            Err(ComponentFault { file: file_name.to_owned(), faults: file.faults })
        }
    }
}

/// A component file that is being read.
pub struct File<'v, 't> {
    pub(super) text: &'t str,
    root: &'v DeTable<'t>,
    /// The valid keys of each table's rows.
    tables: HashMap<&'static str, &'static [&'static str]>,
    faults: Vec<Fault>,
    /// The rows of each table read so far.
    places: HashMap<&'static str, Rc<[Place<'v, 't>]>>,
    /// The names by which rows of other tables refer to the rows of a table.
    pub(super) names: HashMap<&'static str, Rc<Names>>,
}

/// The names of the rows of a table.
#[derive(Default)]
pub(super) struct Names {
    /// The kind of these names in messages: "region", "area code".
    pub what: String,
    /// The names, by row.
    pub all: Vec<String>,
}

impl<'v, 't> File<'v, 't> {
    /// Reads all pieces of a kind, in the order of the file.
    pub fn pieces<P: Piece>(&mut self) -> Vec<P> {
        self.rows(P::TABLE.0, P::read)
    }

    /// Reads the `[[table]]` rows with `read`.
    pub fn rows<T>(&mut self, table: &'static str, mut read: impl FnMut(&mut Row<'_, 'v, 't>) -> T) -> Vec<T> {
        let keys = self.tables.get(table).copied().unwrap_or_default();
        let right = format!("[[{table}]] tables");
        let Some(value) = self.value(table, &right) else { return Vec::new() };
        let Some(array) = value.get_ref().as_array().filter(|array| !array.is_empty()) else {
            self.wrong(value, table.to_owned(), right);
            return Vec::new();
        };
        let mut places = Vec::with_capacity(array.len());
        for item in array.iter() {
            let Some(row) = item.get_ref().as_table() else {
                self.wrong(item, table.to_owned(), right.clone());
                continue;
            };
            if places.len() == MOST {
                let (found, right) = (format!("row {}", MOST + 1), format!("at most {MOST} [[{table}]] tables"));
                self.note(&item.span(), table.to_owned(), FaultKind::Value { found, right });
                break;
            }
            let mut place = Place::new(table, row, item.span());
            self.open(&mut place, keys);
            places.push(place);
        }
        let places: Rc<[_]> = places.into();
        self.places.insert(table, places.clone());
        // Names come first, because rows may refer to rows below them.
        if let Some(label) = keys.first().copied() {
            let what = if matches!(label, "id" | "name") { table.to_owned() } else { format!("{table} {label}") };
            let name = |place: &Place<'v, 't>| place.get(label).and_then(|value| value.get_ref().as_str());
            let all = places.iter().map(|place| name(place).unwrap_or_default().to_owned()).collect();
            self.names.insert(table, Names { what, all }.into());
        }
        let mut seen = HashMap::new();
        (0..places.len()).map(|at| read(&mut Row { file: self, rows: &places, at, seen: &mut seen })).collect()
    }

    /// Reads the `[table]` with `read`; `None` if it is missing.
    pub fn table<T>(&mut self, table: &'static str, read: impl FnOnce(&mut Row<'_, 'v, 't>) -> T) -> Option<T> {
        let keys = self.tables.get(table).copied().unwrap_or_default();
        let right = format!("a [{table}] table");
        let value = self.value(table, &right)?;
        let Some(row) = value.get_ref().as_table() else {
            self.wrong(value, table.to_owned(), right);
            return None;
        };
        let mut place = Place::new(table, row, value.span());
        self.open(&mut place, keys);
        let places: Rc<[_]> = [place].into();
        self.places.insert(table, places.clone());
        Some(read(&mut Row { file: self, rows: &places, at: 0, seen: &mut HashMap::new() }))
    }

    /// Defines names that rows can refer to although no table defines them.
    pub fn name(&mut self, what: &'static str, all: impl IntoIterator<Item = String>) {
        self.names.insert(what, Names { what: what.to_owned(), all: all.into_iter().collect() }.into());
    }

    /// Returns the names known so far by which rows refer to this table.
    pub fn names(&self, table: &str) -> &[String] {
        self.names.get(table).map_or(&[], |names| &names.all)
    }

    /// Returns `true` if no fault has been found so far.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }

    /// Returns `true` if a table has readable rows.
    pub fn has(&self, table: &str) -> bool {
        self.places.get(table).is_some_and(|places| !places.is_empty())
    }

    /// Notes a fault of a table as a whole, at its first row.
    pub fn fault(&mut self, table: &'static str, kind: FaultKind) {
        self.fault_at(table, 0, "", kind);
    }

    /// Notes a fault of a row of a table, counted from 0, or of the value of one of its keys.
    pub fn fault_at(&mut self, table: &'static str, row: usize, key: &str, kind: FaultKind) {
        let place = self.places.get(table).and_then(|places| places.get(row));
        let (span, key) = match place {
            Some(place) if !key.is_empty() => (place.span_of(key), place.key(key)),
            Some(place) => (place.span.clone(), table.to_owned()),
            None => (0..0, table.to_owned()),
        };
        self.note(&span, key, kind);
    }

    /// Notes a number of pieces that differs from the number in a rule. Does nothing if the table
    /// is missing, because that is noted already.
    pub fn count(&mut self, table: &'static str, what: &str, found: usize, want: usize, rule: &'static str) {
        if found != want && self.has(table) {
            self.fault(table, FaultKind::Count { what: what.to_owned(), found, want, rule });
        }
    }

    /// Notes a fault at a span of the file, under a key of its tables.
    pub(super) fn note(&mut self, span: &Range<usize>, key: String, kind: FaultKind) {
        if self.faults.len() == MOST_FAULTS {
            return;
        }
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let (line, column) = (before.matches('\n').count() + 1, before[start..].chars().count() + 1);
        self.faults.push(Fault { line, column, key, kind });
    }

    /// Notes an invalid value.
    pub(super) fn wrong(&mut self, value: &Spanned<DeValue<'t>>, key: String, right: String) {
        let found = self.text.get(value.span()).unwrap_or("this value").to_owned();
        self.note(&value.span(), key, FaultKind::Value { found, right });
    }

    /// Returns the line, from 1, of the start of a span.
    pub(super) fn line(&self, span: &Range<usize>) -> usize {
        self.text.get(..span.start).unwrap_or(self.text).matches('\n').count() + 1
    }

    /// Returns the index of a word among valid names; notes the word if it is not among them.
    pub(super) fn find<S: AsRef<str>>(
        &mut self,
        word: &Word,
        key: impl FnOnce() -> String,
        what: &str,
        names: &[S],
    ) -> Option<usize> {
        let found = names.iter().position(|name| name.as_ref() == word.text);
        // An empty word was noted when it was read, or replaces a missing key.
        if found.is_none() && !word.text.is_empty() {
            let near = nearest(&word.text, names.iter().map(AsRef::as_ref)).map(str::to_owned);
            let (what, found) = (what.to_owned(), word.text.clone());
            let allowed = names.iter().map(|name| name.as_ref().to_owned()).collect();
            self.note(&word.span, key(), FaultKind::UnknownName { what, found, nearest: near, allowed });
        }
        found
    }

    fn value(&mut self, table: &'static str, right: &str) -> Option<&'v Spanned<DeValue<'t>>> {
        let value = self.root.iter().find(|(key, _)| key.get_ref() == table).map(|(_, value)| value);
        if value.is_none() {
            self.note(&(0..0), table.to_owned(), FaultKind::MissingKey { right: right.to_owned() });
        }
        value
    }

    /// Notes the invalid keys of a table.
    fn open(&mut self, place: &mut Place<'v, 't>, keys: &[&'static str]) {
        let free: Vec<&'static str> = keys.iter().copied().filter(|known| place.get(known).is_none()).collect();
        for key in place.table.keys() {
            let found: &str = key.get_ref();
            if keys.contains(&found) {
                continue;
            }
            if self.faults.len() == MOST_FAULTS {
                break;
            }
            let near = nearest(found, free.iter().copied()).and_then(|near| free.iter().find(|&&known| known == near));
            place.misspelt.extend(near);
            let kind = FaultKind::UnknownKey {
                nearest: near.map(|&near| near.to_owned()),
                allowed: keys.iter().map(|&known| known.to_owned()).collect(),
            };
            self.note(&key.span(), place.key(found), kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_nothing_but_faults_is_read_no_further_than_people_do() {
        let unknown: String = (0..30_000).map(|n| format!("k{n} = 1\n")).collect();
        let began = std::time::Instant::now();
        for text in [unknown, "= 1\n".repeat(60_000), "[[\n".repeat(60_000)] {
            let Err(fault) = read(&text, "x.toml", &[("piece", &["id"])], |_| ()) else { panic!("it is no file") };
            assert_eq!(fault.faults.len(), MOST_FAULTS);
        }
        assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    }
}
