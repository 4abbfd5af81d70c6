//! What a letter says, before anybody decides what it looks like.
//!
//! A letter is a list of [`Section`]s; a section is a list of [`Block`]s under a heading that may be missing. Blocks say what
//! something *is*: a question with its options, a table, a part of the story. How wide a line is, where it breaks and which
//! marks stand at its beginning is up to a renderer ([`super::text`] is the one for plain text), so that nobody else needs to
//! know. The tree is plain data: it can be stored and compared, and whatever a reader is to see stands in it.
//!
//! Texts are words with single blanks between them. Two signs in them mean something to renderers:
//! - words between backticks are an order that can be sent as it stands ([`runs`] finds them);
//! - a figure space (U+2007) is a blank as wide as a digit, and no line breaks at it.
//!
//! Templates write trees too, a line for each block: see [`super::records`].

use serde::{Deserialize, Serialize};
use std::ops::Not;

/// The figure space: a blank as wide as a digit.
pub const FIGURE_SPACE: char = '\u{2007}';

/// Blocks that belong together, perhaps under a heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Section {
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<Heading>,
    /// What it says.
    pub blocks: Vec<Block>,
    /// Where it is shown.
    #[serde(skip_serializing_if = "Stays::is_always")]
    pub stays: Stays,
}

/// Where a [`Section`] is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stays {
    /// Everywhere.
    #[default]
    Always,
    /// Everywhere but in a text with too little room for what is asked.
    WithRoom,
    /// In the text alone.
    Text,
    /// In HTML alone.
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
    /// Its words.
    pub text: String,
    /// A remark beside it, less important than the heading; "" for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub aside: String,
}

/// One thing that a letter says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// Sentences.
    Paragraph(Paragraph),
    /// An item of a list, and what else is to be said of it.
    Entry {
        /// The item.
        text: String,
        /// What belongs to it, a paragraph each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        details: Vec<String>,
    },
    /// What happened, under the headings of its Rounds.
    Story {
        /// The parts, in order.
        parts: Vec<Part>,
        /// How deep it stands under what it belongs to.
        #[serde(default, skip_serializing_if = "is_zero")]
        level: usize,
    },
    /// Things in rows and columns.
    Table(Table),
    /// Something that is asked.
    Question(Question),
    /// What became of the reader's orders.
    OrderReport(OrderReport),
    /// An order that was only looked at, as it was written (perhaps with a line of marks below), and what it would mean.
    Preview {
        /// The order's line or lines.
        pointed: Vec<String>,
        /// What it would mean, a paragraph each.
        says: Vec<String>,
    },
    /// A subject, explained to somebody who asked for `help`.
    Explanation {
        /// What it is called, and its rule.
        title: String,
        /// The explanation; may be empty.
        text: String,
        /// Orders that can be sent as they stand.
        orders: Vec<String>,
    },
    /// The line above which a reader writes his answer; where it is quoted, no order is looked for below it. What is to be
    /// said behind it stands here.
    AnswerAbove(String),
    /// The same line in a letter that asks nothing.
    WriteAbove,
    /// Orders that can be sent as they stand, one a line.
    Orders(Vec<String>),
    /// Hidden cards of the reader, with what he needs to check them.
    Seals(Vec<CardShown>),
    /// The journal's head, signed: a copy of it is a receipt, wherever it was pasted.
    SignedHead(HeadShown),
    /// The public key of the service's signatures, 43 characters of base64url.
    Key(String),
    /// Where things stand on the game's map.
    Map(Map),
    /// The picture of the map that goes along with the letter, and what is to be seen on it for whoever sees none. Text has none:
    /// there the map comes in words, or on `map`.
    Picture(String),
    /// What somebody wrote to the reader, a line each. Each is marked as mails mark what is quoted, however it is broken, so that no
    /// line of it passes for the letter's own; and where an answer holds a copy of it, no order is read in it.
    Said(Vec<String>),
    /// Lines that somebody laid out by hand, in a template of the host's say; they stay as they are.
    Lines(Vec<String>),
}

/// Sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Paragraph {
    /// The sentences.
    pub text: String,
    /// How deep it stands under what it belongs to; 0 for the letter itself.
    #[serde(skip_serializing_if = "is_zero")]
    pub level: usize,
    /// Whether it is one of several below each other, whose beginnings are to be seen.
    #[serde(skip_serializing_if = "Not::not")]
    pub item: bool,
}

/// A part of the story: lines under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Part {
    /// The Round or phase; "" for none.
    pub under: String,
    /// What happened.
    pub lines: Vec<Sentence>,
}

/// A sentence of the story.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sentence {
    /// What happened.
    pub text: String,
    /// Whom it is about: where there is little room, what is about the reader stays.
    #[serde(skip_serializing_if = "About::is_table")]
    pub about: About,
}

/// Whom a [`Sentence`] is about, the nearest to the reader first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// The reader is named in it, or it is told to him alone.
    Reader,
    /// Another player is.
    Player,
    /// Nobody is.
    #[default]
    Table,
}

impl About {
    // Serde hands over references.
    #[expect(clippy::trivially_copy_pass_by_ref)]
    fn is_table(&self) -> bool {
        *self == About::Table
    }
}

/// Things in rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Table {
    /// How deep it stands under what it belongs to.
    #[serde(skip_serializing_if = "is_zero")]
    pub level: usize,
    /// Its columns; the last one may hold sentences, the others a word or a few.
    pub columns: Vec<Column>,
    /// Whether its heads may stand on the line of its section's heading.
    #[serde(skip_serializing_if = "Not::not")]
    pub beside_heading: bool,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A column of a [`Table`]. How wide it is follows from what stands in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Column {
    /// What stands above it; "" for nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub head: String,
    /// Whether its cells end below each other, as numbers do.
    #[serde(skip_serializing_if = "Not::not")]
    pub right: bool,
}

/// A row of a [`Table`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Row {
    /// A cell for each column.
    pub cells: Vec<String>,
    /// What else is to be said of it, below it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

/// A question as a letter shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its number in this letter, from 1.
    pub no: usize,
    /// What is asked.
    pub title: String,
    /// The rule that asks; `-` for none.
    pub rule: String,
    /// What the reader needs to know.
    pub lines: Vec<String>,
    /// Until when it is to be answered; "" for no deadline.
    pub deadline: String,
    /// Whether the options are all there are.
    pub complete: bool,
    /// The options that are listed.
    pub options: Vec<QuestionOption>,
    /// How many options are left out.
    pub more: usize,
    /// What the question is about as a drawing in letters; its lines stay as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawing: Vec<String>,
}

/// One choice of a [`Question`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionOption {
    /// Its letter.
    pub letter: String,
    /// The words that order it.
    pub words: String,
    /// What it means; may be empty.
    pub note: String,
}

/// The order of a mail that was not carried out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// The order's line, and perhaps a line of marks below it.
    pub pointed: Vec<String>,
    /// What was wrong.
    pub why: String,
}

/// What became of the orders of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderReport {
    /// The orders that were carried out.
    pub done: Vec<String>,
    /// The one that was not.
    pub failed: Option<Failed>,
    /// Those after it.
    pub left: Vec<String>,
    /// How many there were.
    pub total: usize,
}

/// A card of the reader's hand, with what he needs to check it against the journal (section 7).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardShown {
    /// Deck, epoch and position.
    pub place: String,
    /// The card's id.
    pub name: String,
    /// Its salt.
    pub salt: String,
}

/// The journal's head as a letter names it, whole: a copy of it is a receipt, wherever it was pasted
/// ([`postrider_audit`] reads it back).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadShown {
    /// The game's id.
    pub game: String,
    /// The seat that the mail goes to; empty for whoever watches.
    pub seat: String,
    /// n of the last line.
    pub n: u64,
    /// Its hash, 43 characters of base64url.
    pub hash: String,
    /// Its signature, 86 characters of base64url.
    pub signature: String,
    /// The service's public key, 43 characters of base64url.
    pub key: String,
}

/// Where things stand on a game's map: what a drawing needs, and the same in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Map {
    /// The id of the map, by which its shapes are found.
    pub id: String,
    /// What stands where, area by area.
    pub places: Vec<Place>,
    /// The same for whoever sees no drawing.
    pub words: Vec<Block>,
}

/// What stands in one area of a [`Map`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// The area's id on the map.
    pub at: String,
    /// What stands there, in the game's words.
    pub what: Vec<String>,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run<'t> {
    /// Words.
    Words(&'t str),
    /// An order that can be sent as it stands, without its backticks.
    Order(&'t str),
}

/// The pieces of a text: orders stand between backticks. A backtick without another is one.
pub fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if let Some((order, after)) = rest.strip_prefix('`').and_then(|inner| inner.split_once('`')) {
            rest = after;
            return Some(Run::Order(order));
        }
        // The backtick at the beginning, if there is one, has no other.
        let end = rest.char_indices().skip(1).find(|(at, c)| *c == '`' && rest[at + 1..].contains('`'));
        let (words, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = after;
        (!words.is_empty()).then_some(Run::Words(words))
    })
}

impl Section {
    /// Blocks without a heading.
    pub fn of(blocks: impl IntoIterator<Item = Block>) -> Section {
        Section { blocks: blocks.into_iter().collect(), ..Section::default() }
    }

    /// Blocks under a heading.
    pub fn headed(heading: impl Into<String>, blocks: impl IntoIterator<Item = Block>) -> Section {
        let heading = Heading { text: heading.into(), ..Heading::default() };
        Section { heading: Some(heading), blocks: blocks.into_iter().collect(), stays: Stays::Always }
    }

    /// One paragraph.
    pub fn paragraph(text: impl Into<String>) -> Section {
        Section::of([Block::paragraph(text, 0)])
    }

    /// Whether it says nothing.
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
    /// A paragraph that stands so deep.
    pub fn paragraph(text: impl Into<String>, level: usize) -> Block {
        Block::Paragraph(Paragraph { text: text.into(), level, ..Paragraph::default() })
    }

    /// A paragraph that is one of several below each other.
    pub fn item(text: impl Into<String>, level: usize) -> Block {
        Block::Paragraph(Paragraph { text: text.into(), level, item: true })
    }
}

impl Table {
    /// A table without rows.
    pub fn new(level: usize, columns: impl IntoIterator<Item = Column>) -> Table {
        Table { level, columns: columns.into_iter().collect(), ..Table::default() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(Row { cells: cells.into_iter().collect(), details: Vec::new() });
    }
}

impl Column {
    /// A column of words.
    pub fn words(head: &str) -> Column {
        Column { head: head.to_owned(), right: false }
    }

    /// A column of numbers.
    pub fn numbers(head: &str) -> Column {
        Column { head: head.to_owned(), right: true }
    }
}

// Serde hands over references.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
