//! The format in which templates write trees of blocks: a text with one block per line.
//!
//! A template calls functions such as `paragraph` or `table`. Each writes one block as JSON after a
//! record separator (U+001E), as in RFC 7464. [`read`] converts the output of a template to
//! sections; a heading or an empty line begins a new section. Templates can therefore arrange
//! blocks by ordinary template syntax, place parts of a letter that are passed to them as text, and
//! contain plain lines. The alternatives are worse: views written in code could not be changed by a
//! host, and a single JSON document would require templates to manage commas.

use super::{Block, Column, Heading, Map, Paragraph, Place, Row, Section, Stays, Table};
use minijinja::{Environment, Error, ErrorKind, Value, value::Kwargs};
use serde::{Deserialize, Serialize};

/// The character before a record. It is removed from all texts by players (`super::jinja`).
pub(super) const SEPARATOR: char = '\u{1e}';

/// The content of a line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Record {
    /// The start of a section.
    Heading(Heading),
    /// The formats that show the following sections.
    Stays(Stays),
    /// A block of the section.
    Block(Block),
    /// A row of the preceding table.
    Row(Row),
    /// A detail of the preceding entry or row.
    Detail(String),
    /// The pieces in an area of the preceding map. Blocks after a map are its description in words.
    Place(Place),
}

impl Record {
    fn write(&self) -> Result<String, serde_json::Error> {
        Ok(format!("{SEPARATOR}{}", serde_json::to_string(self)?))
    }
}

/// Parses the sections that a template wrote.
pub(super) fn read(text: &str) -> Result<Vec<Section>, Error> {
    let mut sections = vec![Section::default()];
    let mut stays = Stays::Always;
    let begin = |section: Section, sections: &mut Vec<Section>| match sections.last_mut() {
        Some(last) if last.is_empty() => *last = section,
        _ => sections.push(section),
    };
    for line in text.lines().map(str::trim_end) {
        let record = match line.trim_start().strip_prefix(SEPARATOR) {
            _ if line.is_empty() => {
                begin(Section { stays, ..Section::default() }, &mut sections);
                continue;
            }
            None => Record::Block(Block::Lines(vec![line.to_owned()])),
            Some(json) => serde_json::from_str(json).map_err(|why| wrong(format!("a line is no block: {why}")))?,
        };
        match record {
            Record::Heading(heading) => {
                begin(Section { heading: Some(heading), blocks: Vec::new(), stays }, &mut sections);
                continue;
            }
            Record::Stays(from_here) => {
                stays = from_here;
                begin(Section { stays, ..Section::default() }, &mut sections);
                continue;
            }
            _ => {}
        }
        // There is a section from the beginning.
        let Some(section) = sections.last_mut() else { continue };
        match (section.blocks.last_mut(), record) {
            (Some(Block::Map(map)), Record::Place(place)) => map.places.push(place),
            (_, Record::Place(_)) => return Err(wrong("`place` must follow a map".to_owned())),
            (Some(Block::Map(map)), record) => put(&mut map.words, record)?,
            (_, record) => put(&mut section.blocks, record)?,
        }
    }
    sections.retain(|section| !section.is_empty());
    Ok(sections)
}

/// Appends a record to blocks.
fn put(blocks: &mut Vec<Block>, record: Record) -> Result<(), Error> {
    match (blocks.last_mut(), record) {
        (Some(Block::Table(table)), Record::Row(row)) => table.rows.push(row),
        (Some(Block::Entry { details, .. }), Record::Detail(detail)) => details.push(detail),
        (Some(Block::Table(Table { rows, .. })), Record::Detail(detail)) if !rows.is_empty() => {
            rows.iter_mut().last().into_iter().for_each(|row| row.details.push(detail.clone()));
        }
        (Some(Block::Lines(above)), Record::Block(Block::Lines(lines))) => above.extend(lines),
        (_, Record::Block(block)) => blocks.push(block),
        (_, Record::Heading(_) | Record::Stays(_)) => return Err(wrong("a heading begins a section".to_owned())),
        (_, Record::Row(_)) => return Err(wrong("`row` must follow a table or a row".to_owned())),
        (_, _) => return Err(wrong("`detail` must follow an entry or a row".to_owned())),
    }
    Ok(())
}

/// Formats sections as text that a template can place.
pub(super) fn write(sections: &[Section]) -> Result<String, serde_json::Error> {
    let mut parts = Vec::with_capacity(sections.len());
    for section in sections {
        let (begins, ends) = match section.stays {
            Stays::Always => (None, None),
            stays => (Some(Record::Stays(stays).write()), Some(Record::Stays(Stays::Always).write())),
        };
        let heading = section.heading.iter().map(|heading| Record::Heading(heading.clone()).write());
        let blocks = section.blocks.iter().map(|block| Record::Block(block.clone()).write());
        parts.push(
            begins.into_iter().chain(heading).chain(blocks).chain(ends).collect::<Result<Vec<_>, _>>()?.join("\n"),
        );
    }
    Ok(parts.join("\n\n"))
}

/// Adds the template functions that write blocks.
pub(super) fn add_functions(env: &mut Environment<'static>) {
    env.add_function("heading", |text: String, kwargs: Kwargs| {
        let heading = Heading { text, aside: kwargs.get::<Option<String>>("aside")?.unwrap_or_default() };
        done(&kwargs, &Record::Heading(heading))
    });
    let from_here = |stays: Stays| move |begins: bool| one(&Record::Stays(if begins { stays } else { Stays::Always }));
    env.add_function("in_text", from_here(Stays::Text));
    env.add_function("in_html", from_here(Stays::Html));
    env.add_function("spare", from_here(Stays::WithRoom));
    env.add_function("folded", from_here(Stays::Folded));
    env.add_function("paragraph", |text: String, kwargs: Kwargs| {
        let (level, item) = (size(&kwargs, "level", 0)?, kwargs.get::<Option<bool>>("item")?.unwrap_or_default());
        done(&kwargs, &Record::Block(Block::Paragraph(Paragraph { text, level, item })))
    });
    env.add_function("entry", |text: String| one(&Record::Block(Block::Entry { text, details: Vec::new() })));
    env.add_function("detail", |text: String| one(&Record::Detail(text)));
    env.add_function("table", |columns: Value, kwargs: Kwargs| {
        let columns = serde_json::to_value(&columns).and_then(serde_json::from_value::<Vec<Column>>);
        let columns = columns.map_err(|why| wrong(format!("columns of a table: {why}")))?;
        let level = size(&kwargs, "level", 1)?;
        let beside_heading = kwargs.get::<Option<bool>>("beside_heading")?.unwrap_or_default();
        let table = Table { level, columns, beside_heading, rows: Vec::new() };
        done(&kwargs, &Record::Block(Block::Table(table)))
    });
    env.add_function("row", |cells: Vec<Value>| {
        let cells = cells.iter().map(ToString::to_string).collect();
        one(&Record::Row(Row { cells, details: Vec::new() }))
    });
    env.add_function("answer_above", |rest: String| one(&Record::Block(Block::AnswerAbove(rest))));
    env.add_function("write_above", || one(&Record::Block(Block::WriteAbove)));
    env.add_function("orders", |orders: Vec<String>| one(&Record::Block(Block::Orders(orders))));
    env.add_function("key", |key: String| one(&Record::Block(Block::Key(key))));
    env.add_function("picture_here", |words: String| one(&Record::Block(Block::Picture(words))));
    env.add_function("map", |id: String| one(&Record::Block(Block::Map(Map { id, ..Map::default() }))));
    env.add_function("place", |at: String, what: Vec<String>| one(&Record::Place(Place { at, what })));
}

fn one(record: &Record) -> Result<String, Error> {
    record.write().map_err(|why| wrong(why.to_string()))
}

fn done(kwargs: &Kwargs, record: &Record) -> Result<String, Error> {
    kwargs.assert_all_used()?;
    one(record)
}

fn size(kwargs: &Kwargs, name: &str, else_: usize) -> Result<usize, Error> {
    Ok(kwargs.get::<Option<usize>>(name)?.unwrap_or(else_))
}

fn wrong(why: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, why)
}
