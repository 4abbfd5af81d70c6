//! The content of a letter, independent of its layout.
//!
//! A letter is a list of [`Section`]s; a section is a list of [`Block`]s under an optional heading.
//! Blocks say what something *is*: a question with its options, a table, a part of the story. Line
//! widths, line breaks and list markers are up to a renderer ([`super::text`] for plain text,
//! [`super::html`] for HTML). The tree is plain data: it can be stored and compared, and contains
//! everything that a reader is to see.
//!
//! Texts are words separated by single spaces. Two kinds of characters have a meaning for
//! renderers:
//! - Words between backticks are an order that can be sent as it is ([`runs`] finds them).
//! - A figure space (U+2007) is a space as wide as a digit; lines do not break at it.
//!
//! Templates also produce trees, with one line per block: see [`super::records`].

use serde::{Deserialize, Serialize};
use std::ops::Not;

/// The figure space: a space as wide as a digit.
pub const FIGURE_SPACE: char = '\u{2007}';

/// Related blocks with an optional heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Section {
    /// The heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<Heading>,
    /// The content.
    pub blocks: Vec<Block>,
    /// The formats that show it.
    #[serde(skip_serializing_if = "Stays::is_always")]
    pub stays: Stays,
}

/// The formats that show a [`Section`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stays {
    /// All.
    #[default]
    Always,
    /// All, except a text without enough room for the questions.
    WithRoom,
    /// All; the HTML folds it under its heading.
    Folded,
    /// Only the text.
    Text,
    /// Only the HTML.
    Html,
}

impl Stays {
    fn is_always(&self) -> bool {
        *self == Stays::Always
    }
}

/// The heading of a [`Section`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Heading {
    /// The text.
    pub text: String,
    /// A remark next to it, less important than the heading; "" for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub aside: String,
}

/// A unit of content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// Sentences.
    Paragraph(Paragraph),
    /// An item of a list, with details.
    Entry {
        /// The item.
        text: String,
        /// The details, one paragraph each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        details: Vec<String>,
    },
    /// The events, under the headings of their Rounds.
    Story {
        /// The parts, in order.
        parts: Vec<Part>,
        /// The indentation level.
        #[serde(default, skip_serializing_if = "is_zero")]
        level: usize,
        /// `true` if nothing may be omitted, because the reader asked for these lines.
        #[serde(default, skip_serializing_if = "Not::not")]
        whole: bool,
    },
    /// A table.
    Table(Table),
    /// A question to the reader.
    Question(Question),
    /// The results of the reader's orders.
    OrderReport(OrderReport),
    /// An order that was only checked, as written (possibly with a line of marks below), and its
    /// effect.
    Preview {
        /// The order's line or lines.
        pointed: Vec<String>,
        /// The effect, one paragraph each.
        says: Vec<String>,
    },
    /// The explanation of a subject, in answer to `help`.
    Explanation {
        /// Its name and rule.
        title: String,
        /// The explanation; may be empty.
        text: String,
        /// Orders that can be sent as they are.
        orders: Vec<String>,
    },
    /// The line above which a reader writes the answer; if it is quoted, no order is looked for
    /// below it. The text follows on the same line.
    AnswerAbove(String),
    /// The same line in a letter that does not ask anything.
    WriteAbove,
    /// Orders that can be sent as they are, one per line.
    Orders(Vec<String>),
    /// Hidden cards of the reader, with the values to verify them.
    Seals(Vec<CardShown>),
    /// The signed head of the journal. A copy of it is a receipt, wherever it was pasted.
    SignedHead(HeadShown),
    /// The public key that verifies the service's signatures, 43 characters of base64url.
    Key(String),
    /// The state of the game's map.
    Map(Map),
    /// The attached picture of the map, with an alternative text. Plain text omits it; there the
    /// map comes in words, or in answer to `map`.
    Picture(String),
    /// A message from a person, by line. Every line, including wrapped ones, has a quotation mark
    /// as in mails, so that none can be mistaken for the letter's own text, and no order is read
    /// from a quoted copy in an answer.
    Said(Vec<String>),
    /// Lines laid out by hand, for example in a host's template; they are not reformatted.
    Lines(Vec<String>),
}

/// Sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Paragraph {
    /// The sentences.
    pub text: String,
    /// The indentation level; 0 for the letter itself.
    #[serde(skip_serializing_if = "is_zero")]
    pub level: usize,
    /// `true` if it is one of several items, whose beginnings should be visible.
    #[serde(skip_serializing_if = "Not::not")]
    pub item: bool,
}

/// A part of the story: lines under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// The Round or phase; "" for none.
    pub under: String,
    /// The events.
    pub lines: Vec<Sentence>,
}

/// A sentence of the story.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sentence {
    /// The event.
    pub text: String,
    /// Its relation to the reader: if space is short, sentences about the reader are kept.
    #[serde(skip_serializing_if = "About::is_table")]
    pub about: About,
}

/// The person that a [`Sentence`] is about, in order of importance to the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// The reader, who is named in it or is the only one told.
    Reader,
    /// Another player, who is named in it.
    Player,
    /// Nobody.
    #[default]
    Table,
}

impl About {
    // Serde passes references.
    #[expect(clippy::trivially_copy_pass_by_ref)]
    fn is_table(&self) -> bool {
        *self == About::Table
    }
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Table {
    /// The indentation level.
    #[serde(skip_serializing_if = "is_zero")]
    pub level: usize,
    /// The columns; the last one may contain sentences, the others only a few words.
    pub columns: Vec<Column>,
    /// `true` if the column headings may share the line of the section's heading.
    #[serde(skip_serializing_if = "Not::not")]
    pub beside_heading: bool,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A column of a [`Table`]. Its width depends on its cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Column {
    /// The heading; "" for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub head: String,
    /// `true` if its cells are right-aligned, as numbers are.
    #[serde(skip_serializing_if = "Not::not")]
    pub right: bool,
}

/// A row of a [`Table`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Row {
    /// One cell per column.
    pub cells: Vec<String>,
    /// Details, shown below the row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

/// A question, as shown in a letter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its number in this letter, from 1.
    pub no: usize,
    /// The title.
    pub title: String,
    /// The rule that asks; `-` for none.
    pub rule: String,
    /// The information needed to decide.
    pub lines: Vec<String>,
    /// The deadline for the answer; "" for none.
    pub deadline: String,
    /// `true` if there are no options other than those listed and counted here.
    pub complete: bool,
    /// The options listed.
    pub options: Vec<QuestionOption>,
    /// The number of options omitted.
    pub more: usize,
    /// A text drawing of the situation; its lines are not reformatted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawing: Vec<String>,
}

/// An option of a [`Question`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionOption {
    /// Its letter.
    pub letter: String,
    /// The words for the order.
    pub words: String,
    /// Its effect; may be empty.
    pub note: String,
}

/// The order of a mail that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// The order's line, possibly with a line of marks below it.
    pub pointed: Vec<String>,
    /// The reason.
    pub why: String,
}

/// The results of the orders of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderReport {
    /// The orders executed.
    pub done: Vec<String>,
    /// The order that failed.
    pub failed: Option<Failed>,
    /// The orders after it.
    pub left: Vec<String>,
    /// The number of orders.
    pub total: usize,
}

/// A card in the reader's hand, with the values to verify it against the journal (section 7).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardShown {
    /// Deck, epoch and position.
    pub place: String,
    /// The card's id.
    pub name: String,
    /// Its salt.
    pub salt: String,
}

/// The head of the journal in full. A copy of it is a receipt, wherever it was pasted
/// (`postrider_audit` parses it).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadShown {
    /// The game's id.
    pub game: String,
    /// The recipient's seat; empty for a spectator.
    pub seat: String,
    /// The number of the last line.
    pub n: u64,
    /// Its hash, 43 characters of base64url.
    pub hash: String,
    /// Its signature, 86 characters of base64url.
    pub signature: String,
    /// The service's public key, 43 characters of base64url.
    pub key: String,
}

/// The state of a game's map: data for a drawing, and the same in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Map {
    /// The id of the map, which identifies its shapes.
    pub id: String,
    /// The pieces, area by area.
    pub places: Vec<Place>,
    /// The same in words, for readers without the drawing.
    pub words: Vec<Block>,
}

/// The pieces in one area of a [`Map`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// The area's id on the map.
    pub at: String,
    /// The pieces, in the game's words.
    pub what: Vec<String>,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run<'t> {
    /// Plain words.
    Words(&'t str),
    /// An order that can be sent as it is, without its backticks.
    Order(&'t str),
}

/// Splits a text into words and orders; orders are between backticks. An unpaired backtick is an
/// ordinary character.
pub fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if let Some((order, after)) = rest.strip_prefix('`').and_then(|inner| inner.split_once('`')) {
            rest = after;
            return Some(Run::Order(order));
        }
        // A backtick at the beginning is unpaired here.
        let end = rest.char_indices().skip(1).find(|(at, c)| *c == '`' && rest[at + 1..].contains('`'));
        let (words, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = after;
        (!words.is_empty()).then_some(Run::Words(words))
    })
}

/// The maximum number of lines of the story that `log` sends.
pub const LONGEST_LOG: usize = 200;

impl Section {
    /// Creates a section without a heading.
    pub fn of(blocks: impl IntoIterator<Item = Block>) -> Section {
        Section { blocks: blocks.into_iter().collect(), ..Section::default() }
    }

    /// Creates a section with a heading.
    pub fn headed(heading: impl Into<String>, blocks: impl IntoIterator<Item = Block>) -> Section {
        let heading = Heading { text: heading.into(), ..Heading::default() };
        Section { heading: Some(heading), blocks: blocks.into_iter().collect(), stays: Stays::Always }
    }

    /// Creates a section of one paragraph.
    pub fn paragraph(text: impl Into<String>) -> Section {
        Section::of([Block::paragraph(text, 0)])
    }

    /// Returns `true` if it has no content.
    pub fn is_empty(&self) -> bool {
        self.heading.is_none() && self.blocks.is_empty()
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Sentence {
        Sentence { text, about: About::Table }
    }
}

impl Block {
    /// Creates a paragraph at an indentation level.
    pub fn paragraph(text: impl Into<String>, level: usize) -> Block {
        Block::Paragraph(Paragraph { text: text.into(), level, ..Paragraph::default() })
    }

    /// Creates a paragraph that is one of several items.
    pub fn item(text: impl Into<String>, level: usize) -> Block {
        Block::Paragraph(Paragraph { text: text.into(), level, item: true })
    }
}

impl Table {
    /// Creates a table without rows.
    pub fn new(level: usize, columns: impl IntoIterator<Item = Column>) -> Table {
        Table { level, columns: columns.into_iter().collect(), ..Table::default() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(Row { cells: cells.into_iter().collect(), details: Vec::new() });
    }
}

impl Column {
    /// Creates a column of words.
    pub fn words(head: &str) -> Column {
        Column { head: head.to_owned(), right: false }
    }

    /// Creates a column of numbers.
    pub fn numbers(head: &str) -> Column {
        Column { head: head.to_owned(), right: true }
    }
}

// Serde passes references.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
