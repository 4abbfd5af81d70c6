//! Plain text in 76 columns, with hanging indents and aligned columns. Only this module knows the
//! width of a line.

use super::kept::{kept_options, kept_sentences};
use crate::{
    Block, CardShown, Column, FIGURE_SPACE, HeadShown, Heading, LONGEST_LOG, OrderReport, Paragraph, Part, Question,
    QuestionOption, Row, Section, Sentence, Stays, Table, templates::titled,
};
use data_encoding::BASE64URL_NOPAD;
use postrider_mail::{CUT_LINE_MARK, QUIET_CUT_LINE_MARK};
use postrider_orders::{capital, visible};
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The width of mails, in characters, so that they fit into 80 columns even when quoted twice.
pub const WIDTH: usize = 76;

/// The width of explanations.
const EXPLAINED_WIDTH: usize = 74;

/// Maximum length of options that share their line with a note, even if the note needs several
/// lines.
const WORDS_COLUMN: usize = 30;

/// Maximum length of cells that widen their column.
const CELL: usize = 28;

/// The indentation of details of a question or an entry.
const DETAIL: usize = 5;

/// The number of digits in a line of a signed head's proof.
const PROOF_LINE: usize = 64;

/// The number of digits in a group; a line has three groups.
const PROOF_GROUP: usize = 22;

/// The indentation of orders that can be sent as they are.
const ORDERS: usize = 5;

/// The prefix of every line of a person's message.
const SAID: &str = "  > ";

/// The space for the parts of a text that can be shortened; `None` means unlimited.
#[derive(Clone, Copy)]
struct Room {
    /// `true` if optional sections are included.
    spare: bool,
    /// Maximum number of options per question.
    options: Option<usize>,
    /// Lists of at most this many options, and not many more lines, are never shortened.
    lists: usize,
    /// Maximum number of sentences per story.
    sentences: Option<usize>,
    /// Maximum number of remarks per question.
    remarks: Option<usize>,
    /// `true` if the drawings of questions are included.
    drawings: bool,
    /// Maximum number of lines per row of a table, and per order that was executed.
    rows: Option<usize>,
    /// `true` if each option takes one line; a note that does not fit is omitted.
    one_line: bool,
    /// `true` if there is no empty line before a section without a heading, and orders with the
    /// same result share lines.
    close: bool,
}

/// Nothing is shortened.
const AMPLE: Room = Room {
    spare: true,
    options: None,
    lists: SHORT_LIST,
    sentences: None,
    remarks: None,
    drawings: true,
    rows: None,
    one_line: false,
    close: false,
};

/// The spaces that [`render_within`] tries in turn, from large to small. Lists keep at least 12
/// options until the optional sections have been dropped.
const ROOMS: [Room; 13] = [
    AMPLE,
    Room { options: Some(24), sentences: Some(16), ..AMPLE },
    Room { options: Some(20), sentences: Some(12), ..AMPLE },
    Room { options: Some(16), sentences: Some(9), ..AMPLE },
    Room { options: Some(12), sentences: Some(6), ..AMPLE },
    Room { options: Some(12), sentences: Some(4), ..AMPLE },
    Room { options: Some(12), sentences: Some(3), remarks: Some(8), ..AMPLE },
    Room { options: Some(12), sentences: Some(2), remarks: Some(5), rows: Some(3), ..AMPLE },
    Room { spare: false, options: Some(16), sentences: Some(6), remarks: Some(8), rows: Some(3), ..AMPLE },
    Room { spare: false, options: Some(12), sentences: Some(3), remarks: Some(5), rows: Some(3), ..AMPLE },
    Room { spare: false, options: Some(12), sentences: Some(2), remarks: Some(3), rows: Some(2), ..AMPLE },
    Room { options: Some(8), lists: 0, sentences: Some(2), remarks: Some(3), rows: Some(2), ..SPARE },
    Room { options: Some(6), lists: 0, sentences: Some(2), remarks: Some(2), rows: Some(2), ..SPARE },
];

/// No optional sections and no drawings.
const SPARE: Room = Room { spare: false, drawings: false, ..AMPLE };

/// As much as possible in few lines.
const CLOSE: Room = Room { close: true, rows: Some(2), ..SPARE };

/// The options, and one sentence.
const NARROW: Room = Room { sentences: Some(1), remarks: Some(1), one_line: true, rows: Some(1), ..CLOSE };

/// The spaces for a letter that tells only changes. Optional sections, which were in the previous
/// letter, are dropped at once. The options are what the reader needs next, so a list of up to 12
/// options is shortened last, and most omitted options are then packed into a few lines, where they
/// can still be used. The reader's own orders are joined into lines before any list, or the last
/// remark of a question, is shortened.
const ROOMS_OF_CHANGES: [Room; 13] = [
    AMPLE,
    Room { spare: false, sentences: Some(12), ..AMPLE },
    Room { options: Some(12), sentences: Some(6), remarks: Some(5), ..SPARE },
    Room { options: Some(12), sentences: Some(4), remarks: Some(4), ..CLOSE },
    Room { options: Some(12), sentences: Some(3), remarks: Some(3), ..CLOSE },
    Room { options: Some(10), sentences: Some(3), remarks: Some(3), ..CLOSE },
    Room { options: Some(10), sentences: Some(2), remarks: Some(2), one_line: true, ..CLOSE },
    Room { options: Some(8), sentences: Some(2), remarks: Some(1), one_line: true, ..CLOSE },
    Room { options: Some(8), lists: 0, ..NARROW },
    Room { options: Some(6), lists: 0, ..NARROW },
    Room { options: Some(4), lists: 0, ..NARROW },
    // For orders of many lines each, such as those that set up a battle.
    Room { options: Some(2), lists: 0, ..NARROW },
    Room { options: Some(1), lists: 0, ..NARROW },
];

/// Lists shorter than this are shortened only if the letter would otherwise exceed its maximum
/// length by more than [`MORE`] lines.
const FEW: usize = 6;
const MORE: usize = 10;

/// Maximum number of options of a short list.
const SHORT_LIST: usize = 12;

/// Renders a letter, or a part of one, as text: its sections, separated by empty lines.
pub fn render(sections: &[Section]) -> String {
    rendered(sections, ROOMS[0])
}

/// The maximum length of a text, in lines of [`WIDTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// A letter that is complete in itself.
    Letter(usize),
    /// A letter that tells only the changes since another one.
    Changes(usize),
}

/// Renders a letter as text of at most this many lines, if that is possible by omitting less
/// important parts: optional sections, less important sentences of the story, and options similar
/// to those before them. The text states how much is omitted.
pub fn render_within(sections: &[Section], length: Length) -> String {
    let (rooms, lines) = match length {
        Length::Letter(lines) => (&ROOMS[..], lines),
        Length::Changes(lines) => (&ROOMS_OF_CHANGES[..], lines),
    };
    let mut text = String::new();
    for &room in rooms {
        text = rendered(sections, room);
        if text.lines().count() <= lines {
            return text;
        }
    }
    // If the text is too long in any case, shortening its list to the last option does not help.
    let listed = rooms.iter().rev().find(|room| room.options.is_some_and(|most| most >= FEW));
    listed.map(|&room| rendered(sections, room)).filter(|text| text.lines().count() <= lines + MORE).unwrap_or(text)
}

fn rendered(sections: &[Section], room: Room) -> String {
    let mut out = Lines::new(room);
    let stays = |section: &&Section| match section.stays {
        Stays::Always | Stays::Text | Stays::Folded => !section.is_empty(),
        Stays::WithRoom => !section.is_empty() && room.spare,
        Stays::Html => false,
    };
    for section in sections.iter().filter(stays) {
        if !(room.close && stands_close(section)) {
            out.empty();
        }
        out.headed = section.heading.is_some();
        match (&section.heading, section.blocks.split_first()) {
            (Some(heading), Some((Block::Table(table), rest))) if table.beside_heading => {
                out.line(&Measured::of(table).heads(&headline(heading)));
                out.rows(table);
                rest.iter().for_each(|block| out.block(block));
            }
            (heading, _) => {
                heading.iter().for_each(|heading| out.line(&headline(heading)));
                section.blocks.iter().for_each(|block| out.block(block));
            }
        }
    }
    visible(&out.text).into_owned()
}

/// Returns `true` if a section needs no empty line before it: a report of orders, which has a
/// column of its own, or remarks on them.
fn stands_close(section: &Section) -> bool {
    let close = |block: &Block| matches!(block, Block::OrderReport(_) | Block::Paragraph(_));
    section.heading.is_none() && section.blocks.first().is_some_and(close)
}

/// Renders a question with its options for a player at a terminal, where `1a` orders the first
/// option of the first question.
pub fn at_the_terminal(question: &Question) -> String {
    let mut out = Lines::new(ROOMS[0]);
    let rule = if question.rule == "-" { String::new() } else { format!(" (rule {})", question.rule) };
    out.fill(&capital(&format!("{}. {}{rule}", question.no, question.title)), 2, DETAIL);
    question.lines.iter().for_each(|line| out.fill(line, DETAIL, DETAIL));
    let widest = question.options.iter().map(|option| long(&option.words)).max().unwrap_or(0).min(WIDTH / 2);
    for QuestionOption { letter, words, note } in &question.options {
        let note = if note.is_empty() { String::new() } else { format!("  ({note})") };
        let line = format!("{words:widest$}{note}");
        out.line(&fill(line.trim_end(), &format!("     {letter:<3}"), &blanks(10)));
    }
    if question.more > 0 || !question.complete {
        out.line("     … and more can be ordered than is listed");
    }
    question.drawing.iter().for_each(|line| out.line(line));
    out.text
}

/// A text under construction, by whole lines.
struct Lines {
    text: String,
    room: Room,
    /// `true` if there is a question above that the game waits for, which takes precedence over
    /// questions below a heading.
    asked: bool,
    /// `true` if the section has a heading.
    headed: bool,
}

impl Lines {
    fn new(room: Room) -> Lines {
        Lines { text: String::new(), room, asked: false, headed: false }
    }

    /// Adds lines, without trailing spaces.
    fn line(&mut self, lines: &str) {
        for line in lines.lines() {
            self.text.push_str(line.replace(FIGURE_SPACE, " ").trim_end());
            self.text.push('\n');
        }
    }

    /// Adds an empty line, unless there is one already or the text is empty.
    fn empty(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Adds a paragraph with the indentation `first` for its first line and `rest` for the others.
    fn fill(&mut self, text: &str, first: usize, rest: usize) {
        self.line(&fill(text, &blanks(first), &blanks(rest)));
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(paragraph) => self.paragraph(paragraph),
            Block::Entry { text, details } => {
                self.fill(text, 2, DETAIL);
                details.iter().for_each(|detail| self.fill(detail, DETAIL, DETAIL));
            }
            Block::Story { parts, level, whole } => self.story(parts, 2 * level, *whole),
            Block::Table(table) => self.table(table),
            Block::Question(question) => self.question(question),
            Block::OrderReport(report) => self.order_report(report),
            Block::Said(lines) => {
                lines.iter().for_each(|line| self.line(fill(line, SAID, SAID).trim_end()));
            }
            Block::Preview { pointed, says } => {
                self.pointed(pointed, "  ", "  ");
                says.iter().for_each(|says| self.fill(says, 6, 6));
            }
            Block::Explanation { title, text, orders } => {
                self.fill(title, 0, 2);
                let paragraphs = [text].into_iter().chain(orders);
                paragraphs.for_each(|text| self.line(&fill_to(EXPLAINED_WIDTH, text, "", "")));
            }
            Block::AnswerAbove(rest) => self.line(&fill(&format!("{CUT_LINE_MARK}{rest}"), "", "")),
            Block::WriteAbove => self.line(&format!("{QUIET_CUT_LINE_MARK}.")),
            // Orders are never broken, so that they can be copied.
            Block::Orders(orders) => orders.iter().for_each(|order| self.line(&(blanks(ORDERS) + order))),
            Block::Seals(cards) => cards.iter().for_each(|card| self.seal(card)),
            Block::SignedHead(head) => self.signed_head(head),
            Block::Key(key) => self.line(&format!("     key {key}")),
            Block::Map(map) => map.words.iter().for_each(|block| self.block(block)),
            Block::Picture(_) => {}
            Block::Lines(lines) => lines.iter().for_each(|line| match line.trim().is_empty() {
                true => self.empty(),
                false => self.line(line),
            }),
        }
    }

    fn paragraph(&mut self, paragraph: &Paragraph) {
        let Paragraph { text, level, item } = paragraph;
        let first = 2 * level;
        self.fill(text, first, if *item { first + 2 } else { first });
    }

    fn story(&mut self, parts: &[Part], deep: usize, whole: bool) {
        let all = parts.iter().map(|part| part.lines.len()).sum::<usize>();
        let most = self.room.sentences.filter(|&most| most < all && !whole);
        let kept = most.map(|most| kept_sentences(parts, most, usize::MAX));
        for (at, part) in parts.iter().enumerate() {
            let stays = |line: usize| kept.as_ref().is_none_or(|kept| kept.contains(&(at, line)));
            let lines: Vec<&Sentence> =
                part.lines.iter().enumerate().filter(|(line, _)| stays(*line)).map(|(_, line)| line).collect();
            if !part.under.is_empty() && (!lines.is_empty() || part.lines.is_empty()) {
                self.fill(&part.under, deep + 2, deep + 2);
            }
            lines.iter().for_each(|line| self.fill(&line.text, deep + 4, deep + 6));
        }
        if let left @ 1.. = kept.map_or(0, |kept| all - kept.len()) {
            let lines = if left == 1 { "sentence" } else { "sentences" };
            let log = all.min(LONGEST_LOG);
            self.fill(&format!("... and {left} more {lines}: reply `log {log}`."), deep + 2, deep + 2);
        }
    }

    fn question(&mut self, question: &Question) {
        if self.room.close && self.asked && self.headed {
            return self.question_beside(question);
        }
        self.asked |= !self.headed;
        let Question { no, title, rule, lines, deadline, complete, options, more, drawing } = question;
        self.line(&fill(&titled(title, rule), &format!("  {no}. "), &blanks(DETAIL)));
        let said = match self.room.remarks {
            // A single remaining remark is shown if it takes no more room than a note about it.
            Some(most) if lines.len() == most + 1 && long(&lines[most]) + DETAIL <= WIDTH => lines.len(),
            Some(most) => most.min(lines.len()),
            None => lines.len(),
        };
        let rows = if self.room.close { self.room.rows.map(|most| most + 1) } else { None };
        lines[..said].iter().for_each(|line| self.line(&cut(&fill(line, &blanks(DETAIL), &blanks(DETAIL)), rows)));
        if said < lines.len() {
            self.line(&format!("     ... and {} more to know: reply `status` for all.", lines.len() - said));
        }
        if !deadline.is_empty() {
            self.fill(deadline, DETAIL, DETAIL);
        }
        if !complete && !options.is_empty() {
            self.line("     For example:");
        }
        let listed = match self.room.options {
            Some(most) if most < options.len() && !self.stays_whole(options) => kept_options(options, most),
            _ => options.iter().collect(),
        };
        self.line(&choices(&listed, self.room.one_line));
        let left: Vec<&QuestionOption> =
            options.iter().filter(|option| !listed.iter().any(|kept| kept.letter == option.letter)).collect();
        // The last option of a list usually passes.
        let above: Vec<&QuestionOption> = listed
            .iter()
            .copied()
            .filter(|kept| options.last().is_none_or(|last| last.letter != kept.letter))
            .collect();
        match (left.len(), packed("also", &left, &above)) {
            (0, _) if *more > 0 => self.line(&format!("     ... and {more} more.")),
            (0, _) => {}
            (_, Some(lines)) if *more == 0 => self.line(&lines),
            (left, _) => self.line(&format!("     ... and {} more: reply `status` for all.", left + more)),
        }
        if !drawing.is_empty() && self.room.drawings {
            self.empty();
            drawing.iter().for_each(|line| self.line(line));
        }
    }

    /// Adds an optional question in compact form, because the letter also contains a question that
    /// the game waits for and space is short.
    fn question_beside(&mut self, question: &Question) {
        let Question { no, title, rule, options, more, .. } = question;
        self.line(&fill(&titled(title, rule), &format!("  {no}. "), &blanks(DETAIL)));
        match packed("", &options.iter().collect::<Vec<_>>(), &[]) {
            Some(lines) if *more == 0 => self.line(&lines),
            _ => self.line(&format!("     {} answers: reply `status` for all.", options.len() + more)),
        }
    }

    /// Returns `true` if a list is too short to be shortened.
    fn stays_whole(&self, options: &[QuestionOption]) -> bool {
        let most = self.room.lists;
        options.len() <= most
            && choices(&options.iter().collect::<Vec<_>>(), self.room.one_line).lines().count() <= most + most / 3
    }

    fn order_report(&mut self, report: &OrderReport) {
        let below = blanks(12);
        let rows = self.room.rows;
        self.orders("done", &report.done, |order| cut(&fill(order, "  done      ", &below), rows));
        let Some(failed) = &report.failed else { return };
        self.pointed(&failed.pointed, "  not done  ", &below);
        self.line(&fill(&failed.why, &below, &below));
        self.orders("skipped", &report.left, |order| fill(order, "  skipped   ", &below));
    }

    /// Adds the orders of a mail that had the same result.
    fn orders(&mut self, became: &str, orders: &[String], said: impl Fn(&str) -> String) {
        if self.room.close && orders.len() > 1 {
            self.line(&fill(&orders.join("; "), &format!("  {became:<9} "), &blanks(12)));
        } else {
            orders.iter().for_each(|order| self.line(&said(order)));
        }
    }

    /// Adds an order with marks. A line of marks refers to the order's columns, so an order is
    /// wrapped only if it has no marks.
    fn pointed(&mut self, pointed: &[String], first: &str, rest: &str) {
        match pointed {
            [order] => self.line(&fill(order, first, rest)),
            several => {
                for (at, line) in several.iter().enumerate() {
                    self.line(&format!("{}{line}", if at == 0 { first } else { rest }));
                }
            }
        }
    }

    fn seal(&mut self, card: &CardShown) {
        self.fill(&format!("{}: {}", card.place, card.name), 2, 4);
        self.line(&format!("    salt {}", card.salt));
    }

    fn signed_head(&mut self, head: &HeadShown) {
        signed_head(head).iter().for_each(|line| self.line(&fill(line, "", "")));
    }

    fn table(&mut self, table: &Table) {
        if table.columns.iter().any(|column| !column.head.is_empty()) {
            self.line(&Measured::of(table).heads(""));
        }
        self.rows(table);
    }

    fn rows(&mut self, table: &Table) {
        let measured = Measured::of(table);
        for row in &table.rows {
            self.line(&cut(&measured.row(row), self.room.rows));
            row.details.iter().for_each(|detail| self.fill(detail, DETAIL, DETAIL));
        }
    }
}

/// Formats a signed head as three short lines, which `postrider_audit::Evidence` parses (section
/// 8 of docs/journal-format.md).
pub(super) fn signed_head(head: &HeadShown) -> [String; 3] {
    let HeadShown { game, seat, n, hash, signature, .. } = head;
    // The 96 bytes of hash and signature take two lines of 64 digits with two spaces each, short
    // enough not to be wrapped by mail programs.
    let bytes = [hash, signature].map(|text| BASE64URL_NOPAD.decode(text.as_bytes()).unwrap_or_default());
    let proof = BASE64URL_NOPAD.encode(&bytes.concat());
    let (first, second) = proof.split_at_checked(PROOF_LINE).unwrap_or((&proof, ""));
    let whose = if seat.is_empty() { String::new() } else { format!(" for seat {seat},") };
    [format!("Journal {game}, entry {n},{whose} signed"), in_groups(first), in_groups(second)]
}

/// Splits a line of a proof into groups, because spam filters take 30 letters and digits in a row
/// for the address of a Bitcoin account.
fn in_groups(proof: &str) -> String {
    let groups = proof.as_bytes().chunks(PROOF_GROUP).map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(" ")
}

/// Maximum number of lines for options without a line of their own.
const PACKED_LINES: usize = 3;

/// Packs options into lines, each with its letter and without the words common to all of them;
/// `None` if that takes too many lines. Readers complete such an option with the beginning of the
/// options `above` it; if those begin differently, the common words are stated once.
fn packed(lead: &str, options: &[&QuestionOption], above: &[&QuestionOption]) -> Option<String> {
    let words: Vec<Vec<&str>> = options.iter().map(|option| option.words.split(' ').collect()).collect();
    let first = words.first()?;
    let alike = |at: usize| words.iter().all(|words| words.len() > at + 1 && words.get(at) == first.get(at));
    let common = (0..first.len()).take_while(|&at| alike(at)).count();
    let begins = first[..common].join(" ");
    let as_above = |option: &&QuestionOption| option.words.split(' ').take(common).eq(first[..common].iter().copied());
    let lead = match above.iter().all(as_above) {
        true if lead.is_empty() => String::new(),
        true => format!("{lead}: "),
        false => format!("{lead} `{begins}` ...: "),
    };
    // Lines do not break within an option.
    let bound = |words: &[&str]| words.join(&FIGURE_SPACE.to_string());
    let all: Vec<String> = options
        .iter()
        .zip(&words)
        .map(|(option, words)| format!("{}{FIGURE_SPACE}{}", option.letter, bound(&words[common..])))
        .collect();
    // Options that are long or contain commas cannot be packed.
    if all.iter().any(|one| long(one) > CELL || one.contains(',')) {
        return None;
    }
    let lines = fill(&format!("{lead}{}", all.join(", ")), &blanks(DETAIL), &blanks(2 * DETAIL));
    (lines.lines().count() <= PACKED_LINES).then_some(lines)
}

/// A table with the positions of its columns.
struct Measured<'t> {
    table: &'t Table,
    /// The start and the width of each column.
    columns: Vec<(usize, usize)>,
}

impl<'t> Measured<'t> {
    /// Measures a table. A column is as wide as its cells, except that single very long cells do
    /// not widen it, but extend beyond it.
    fn of(table: &'t Table) -> Measured<'t> {
        let last = table.columns.len().saturating_sub(1);
        let measure = |(at, column): (usize, &Column)| {
            let cells = table.rows.iter().filter_map(|row| row.cells.get(at)).map(|cell| long(cell));
            cells.filter(|&cell| cell <= CELL).chain([long(&column.head)]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = table.columns.iter().enumerate().map(measure).collect();
        let indent = 2 * table.level;
        let whole = |gap: usize| indent + widths.iter().sum::<usize>() + gap * last;
        let gap = if whole(2) <= WIDTH { 2 } else { 1 };
        let mut at = indent;
        let mut columns = Vec::with_capacity(widths.len());
        for width in widths {
            columns.push((at, width));
            at += width + gap;
        }
        Measured { table, columns }
    }

    fn indent(&self) -> usize {
        2 * self.table.level
    }

    /// Formats the column headings, on the line of a section heading if there is one.
    fn heads(&self, heading: &str) -> String {
        let mut line = heading.to_owned();
        for (column, (at, width)) in self.table.columns.iter().zip(&self.columns) {
            let start = if column.right { at + width.saturating_sub(long(&column.head)) } else { *at };
            if !column.head.is_empty() {
                let apart = usize::from(!line.trim().is_empty());
                line = pad(line, apart, start) + &column.head;
            }
        }
        fitting(&line, &blanks(self.indent()), &blanks(self.indent() + 2))
    }

    fn row(&self, row: &Row) -> String {
        let mut line = String::new();
        let last = self.columns.len().saturating_sub(1);
        for (k, (column, &(at, width))) in self.table.columns.iter().zip(&self.columns).enumerate() {
            let cell = row.cells.get(k).map_or("", String::as_str);
            let start = if column.right { at + width.saturating_sub(long(cell)) } else { at };
            line = pad(line, usize::from(k > 0), start);
            if k == last && !column.right {
                return self.last(&line, cell, at);
            }
            line.push_str(cell);
        }
        fitting(line.trim_end(), &blanks(self.indent()), &blanks(self.indent() + 2))
    }

    /// Appends the last cell to the others if there is room; otherwise it is wrapped within its
    /// column.
    fn last(&self, lead: &str, cell: &str, at: usize) -> String {
        let whole = format!("{lead}{cell}");
        let below = blanks(at);
        if long(whole.trim_end()) <= WIDTH {
            whole
        } else if long(lead) < WIDTH {
            let filled = fill(cell, lead, &below);
            // Other cells may leave too little room for the last one.
            if filled.lines().all(|line| long(line) <= WIDTH) { filled } else { self.broken(&whole) }
        } else {
            self.broken(&whole)
        }
    }

    fn broken(&self, line: &str) -> String {
        fitting(line, &blanks(self.indent()), &blanks(self.indent() + 2))
    }
}

/// Returns the first `most` lines of a text, with an ellipsis if others are omitted.
fn cut(text: &str, most: Option<usize>) -> String {
    const MARK: &str = " ...";
    let Some(most) = most.filter(|&most| text.lines().count() > most) else { return text.to_owned() };
    let mut kept: Vec<String> = text.lines().take(most).map(str::to_owned).collect();
    if let Some(last) = kept.last_mut() {
        while long(last) + MARK.len() > WIDTH
            && let Some((start, _)) = last.trim_end().rsplit_once(' ')
        {
            *last = start.to_owned();
        }
        last.truncate(last.trim_end_matches([' ', ',', ';']).len());
        last.push_str(MARK);
    }
    kept.join("\n")
}

/// Returns a line unchanged if it fits; otherwise wraps it like a paragraph.
fn fitting(line: &str, first: &str, rest: &str) -> String {
    if long(line.trim_end()) <= WIDTH { line.to_owned() } else { fill(line, first, rest) }
}

fn headline(heading: &Heading) -> String {
    let Heading { text, aside } = heading;
    let apart = if aside.is_empty() { "" } else { "  " };
    fitting(&format!("{text}{apart}{aside}"), "", "")
}

/// Appends spaces up to a column, but at least `least`.
fn pad(mut text: String, least: usize, column: usize) -> String {
    let missing = column.saturating_sub(long(&text)).max(least);
    text.push_str(&blanks(missing));
    text
}

/// Lists the options of a question, one below the other: letter, words, and notes in a column of
/// their own. The words column is as wide as the longest words that leave room for at least three
/// quarters of the notes; the other notes follow their words or, if they do not fit, go below. With
/// `one_line` they are shortened or omitted.
fn choices(options: &[&QuestionOption], one_line: bool) -> String {
    let letters = options.iter().map(|option| option.letter.len()).max().unwrap_or(1);
    let room = WIDTH.saturating_sub("     ".len() + letters + "  ".len());
    let fits = |words: usize, option: &QuestionOption| words + "  ".len() + long(&option.note) <= room;
    let roomy = |&words: &usize| {
        let noted = options.iter().filter(|option| !option.note.is_empty() && long(&option.words) <= words);
        let noted: Vec<&&QuestionOption> = noted.collect();
        words <= WORDS_COLUMN || noted.iter().filter(|option| fits(words, option)).count() * 4 >= noted.len() * 3
    };
    let words = options.iter().map(|option| long(&option.words)).filter(roomy).max().unwrap_or(0);
    let mut out = String::new();
    for option in options {
        if !out.is_empty() {
            out.push('\n');
        }
        let lead = format!("     {:<letters$}  ", option.letter);
        let indent = blanks(long(&lead));
        if option.note.is_empty() {
            out.push_str(&fill(&option.words, &lead, &format!("{indent}  ")));
        } else if long(&option.words) <= words && (words <= WORDS_COLUMN || fits(words, option)) {
            let first = format!("{lead}{:<words$}  ", option.words);
            out.push_str(&cut(&fill(&option.note, &first, &blanks(long(&first))), one_line.then_some(1)));
        } else if fits(long(&option.words), option) {
            out.push_str(&format!("{lead}{}  {}", option.words, option.note));
        } else if one_line {
            out.push_str(&fill(&option.words, &lead, &format!("{indent}  ")));
        } else {
            out.push_str(&fill(&option.words, &lead, &format!("{indent}  ")));
            out.push('\n');
            let below = format!("{indent}    ");
            out.push_str(&fill(&option.note, &below, &below));
        }
    }
    out
}

fn long(text: &str) -> usize {
    text.chars().count()
}

fn blanks(count: usize) -> String {
    " ".repeat(count)
}

/// Wraps a paragraph into lines of at most [`WIDTH`] characters, with the prefix `first` for the
/// first line and `rest` for the others. A word too long for any line gets a line of its own
/// unbroken, since it may be an address or an order.
fn fill(text: &str, first: &str, rest: &str) -> String {
    fill_to(WIDTH, text, first, rest)
}

fn fill_to(width: usize, text: &str, first: &str, rest: &str) -> String {
    // Lines do not break at a figure space.
    let blank = |c: char| c.is_whitespace() && c != FIGURE_SPACE;
    let words: Vec<&str> = text.split(blank).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return first.to_owned();
    }
    let options = Options::new(width)
        .initial_indent(first)
        .subsequent_indent(rest)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::fill(&words.join(" "), options)
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
