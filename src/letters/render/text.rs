//! Plain text: 76 columns, hanging indents, columns that line up. Nothing else knows how wide a line is.

use super::kept::{kept_options, kept_sentences};
use crate::{
    Block, CardShown, Column, FIGURE_SPACE, HeadShown, Heading, OrderReport, Paragraph, Part, Question, QuestionOption,
    Row, Section, Sentence, Stays, Table, templates::titled,
};
use data_encoding::BASE64URL_NOPAD;
use postrider_mail::{CUT_LINE_MARK, QUIET_CUT_LINE_MARK};
use postrider_orders::{capital, visible};
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The width of mails, in characters: quoted once or twice they still fit into 80.
pub const WIDTH: usize = 76;

/// The width of explanations.
const EXPLAINED_WIDTH: usize = 74;

/// Options up to this long share their line with a note, be it broken into several.
const WORDS_COLUMN: usize = 30;

/// Cells up to this long widen their column.
const CELL: usize = 28;

/// How deep what belongs to a question or an entry stands.
const DETAIL: usize = 5;

/// How long a line of a signed head's digits is.
const PROOF_LINE: usize = 64;

/// So many of them stand together: three groups a line.
const PROOF_GROUP: usize = 22;

/// Orders that can be sent as they stand are set apart so far.
const ORDERS: usize = 5;

/// What stands before each line of somebody's words.
const SAID: &str = "  > ";

/// How much of what can be cut stands in a text; `None` for all of it.
#[derive(Clone, Copy)]
struct Room {
    /// Whether sections stand here that can be spared.
    spare: bool,
    /// So many options of each question.
    options: Option<usize>,
    /// Lists of up to so many options, and of not many more lines, stay whole nevertheless.
    lists: usize,
    /// So many sentences of each story.
    sentences: Option<usize>,
    /// So many remarks to each question.
    remarks: Option<usize>,
    /// Whether the drawings of questions stand here.
    drawings: bool,
    /// So many lines of each row of a table, and of each order that was done.
    rows: Option<usize>,
    /// Whether each option takes one line, without a note for which there is no room.
    one_line: bool,
    /// Whether there is no empty line above a section without a heading, and orders of which the same became share lines.
    close: bool,
}

/// Nothing that can be cut is cut.
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

/// From plenty of room to little: what [`render_within`] tries one after the other. What is asked gives way last: a dozen options
/// stay before any section that can be spared.
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

/// Without what can be spared and without drawings.
const SPARE: Room = Room { spare: false, drawings: false, ..AMPLE };

/// As much in few lines as can be read.
const CLOSE: Room = Room { close: true, rows: Some(2), ..SPARE };

/// Nothing but the options, and a sentence.
const NARROW: Room = Room { sentences: Some(1), remarks: Some(1), one_line: true, rows: Some(1), ..CLOSE };

/// What is tried for a letter that says only what has changed: what stood in the letter before is spared at once. Its options
/// are the next thing to do, so a list of a dozen is the last that is cut; most letters of the options that are left out then
/// stand in a row, where they can be used. The reader's own orders share lines before the first remark of the question or its
/// list is cut.
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
    // Orders of many lines each, such as those that set a battle up.
    Room { options: Some(2), lists: 0, ..NARROW },
    Room { options: Some(1), lists: 0, ..NARROW },
];

/// A list of fewer options is cut only where a letter would be longer than it may be by more than [`MORE`] lines.
const FEW: usize = 6;
const MORE: usize = 10;

/// A list of so many options is short.
const SHORT_LIST: usize = 12;

/// A letter, or part of one, as text: its sections with an empty line between them.
pub fn render(sections: &[Section]) -> String {
    rendered(sections, ROOMS[0])
}

/// How short a text is to be, in lines of [`WIDTH`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// A letter that stands alone.
    Letter(usize),
    /// A letter that says only what has changed since another one.
    Changes(usize),
}

/// A letter as text of at most so many lines, if that can be reached by leaving out what stands elsewhere too: sections that are
/// only for letters with room, the less important sentences of the story, options that are much like those before them.
/// What is left out is said, with how many there are.
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
    // Where it is too long in any case, cutting its list to the last option helps nobody.
    let listed = rooms.iter().rev().find(|room| room.options.is_some_and(|most| most >= FEW));
    listed.map(|&room| rendered(sections, room)).filter(|text| text.lines().count() <= lines + MORE).unwrap_or(text)
}

fn rendered(sections: &[Section], room: Room) -> String {
    let mut out = Lines::new(room);
    let stays = |section: &&Section| match section.stays {
        Stays::Always | Stays::Text => !section.is_empty(),
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

/// Whether a section can be told from what stands above it without an empty line: orders that were done by their column, and
/// what is said of them.
fn stands_close(section: &Section) -> bool {
    let close = |block: &Block| matches!(block, Block::OrderReport(_) | Block::Paragraph(_));
    section.heading.is_none() && section.blocks.first().is_some_and(close)
}

/// A question with its options for whoever sits at a terminal; `1a` orders the first option of the first question.
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

/// Text that grows by whole lines.
struct Lines {
    text: String,
    room: Room,
    /// Whether something stands above for which the game waits, so that a question below a heading gives way to it.
    asked: bool,
    /// Whether the section has a heading.
    headed: bool,
}

impl Lines {
    fn new(room: Room) -> Lines {
        Lines { text: String::new(), room, asked: false, headed: false }
    }

    /// Adds lines, without blanks at their ends.
    fn line(&mut self, lines: &str) {
        for line in lines.lines() {
            self.text.push_str(line.replace(FIGURE_SPACE, " ").trim_end());
            self.text.push('\n');
        }
    }

    /// An empty line, unless there is one or nothing stands above it.
    fn empty(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A paragraph whose first line begins at one column and whose others begin at another.
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
            Block::Story { parts, level } => self.story(parts, 2 * level),
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
            // An order stays whole, so that it can be copied.
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

    fn story(&mut self, parts: &[Part], deep: usize) {
        let all = parts.iter().map(|part| part.lines.len()).sum::<usize>();
        let kept = self.room.sentences.filter(|&most| most < all).map(|most| kept_sentences(parts, most));
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
            self.fill(&format!("... and {left} more {lines}: reply `status`."), deep + 2, deep + 2);
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
            // A last remark takes no more room than the word that there is one.
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
        // The last of a list mostly passes.
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

    /// A question that nothing waits for, beside one that the game waits for, where there is little room.
    fn question_beside(&mut self, question: &Question) {
        let Question { no, title, rule, options, more, .. } = question;
        self.line(&fill(&titled(title, rule), &format!("  {no}. "), &blanks(DETAIL)));
        match packed("", &options.iter().collect::<Vec<_>>(), &[]) {
            Some(lines) if *more == 0 => self.line(&lines),
            _ => self.line(&format!("     {} answers: reply `status` for all.", options.len() + more)),
        }
    }

    /// Whether a list is short enough to stay whole.
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

    /// Orders of a mail of which the same became.
    fn orders(&mut self, became: &str, orders: &[String], said: impl Fn(&str) -> String) {
        if self.room.close && orders.len() > 1 {
            self.line(&fill(&orders.join("; "), &format!("  {became:<9} "), &blanks(12)));
        } else {
            orders.iter().for_each(|order| self.line(&said(order)));
        }
    }

    /// An order that is pointed at. Marks below it count its columns, so it is broken only where there are none.
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

/// A signed head in three short lines, which [`postrider_audit::Evidence`] reads back (section 8 of docs/journal-format.md).
pub(super) fn signed_head(head: &HeadShown) -> [String; 3] {
    let HeadShown { game, seat, n, hash, signature, .. } = head;
    // 32 and 64 bytes are two lines of 64 characters and two spaces, so that no mail program breaks one.
    let bytes = [hash, signature].map(|text| BASE64URL_NOPAD.decode(text.as_bytes()).unwrap_or_default());
    let proof = BASE64URL_NOPAD.encode(&bytes.concat());
    let (first, second) = proof.split_at_checked(PROOF_LINE).unwrap_or((&proof, ""));
    let whose = if seat.is_empty() { String::new() } else { format!(" for seat {seat},") };
    [format!("Journal {game}, entry {n},{whose} signed"), in_groups(first), in_groups(second)]
}

/// A line of a proof in groups: filters take 30 letters and digits in a row for the address of an account in Bitcoin.
fn in_groups(proof: &str) -> String {
    let groups = proof.as_bytes().chunks(PROOF_GROUP).map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(" ")
}

/// So many lines may take the options that do not get one of their own.
const PACKED_LINES: usize = 3;

/// Options one behind the other, each with its letter and without the words that all of them begin with, if that makes few lines. Who reads
/// only the ends of them takes them for the ends of those `above`: where these begin otherwise, what is left out is said once.
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
    // No line breaks within one of them.
    let bound = |words: &[&str]| words.join(&FIGURE_SPACE.to_string());
    let all: Vec<String> = options
        .iter()
        .zip(&words)
        .map(|(option, words)| format!("{}{FIGURE_SPACE}{}", option.letter, bound(&words[common..])))
        .collect();
    // What is long or has commas of its own does not go into a row.
    if all.iter().any(|one| long(one) > CELL || one.contains(',')) {
        return None;
    }
    let lines = fill(&format!("{lead}{}", all.join(", ")), &blanks(DETAIL), &blanks(2 * DETAIL));
    (lines.lines().count() <= PACKED_LINES).then_some(lines)
}

/// A table whose columns have found their places.
struct Measured<'t> {
    table: &'t Table,
    /// Where each column begins and how wide it is.
    columns: Vec<(usize, usize)>,
}

impl<'t> Measured<'t> {
    /// A column is as wide as what stands in it; single cells of a great length do not widen it, but reach beyond it.
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

    /// The heads of the columns, on the line of a heading if there is one.
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

    /// The last cell stands behind the others if there is room, else below itself.
    fn last(&self, lead: &str, cell: &str, at: usize) -> String {
        let whole = format!("{lead}{cell}");
        let below = blanks(at);
        if long(whole.trim_end()) <= WIDTH {
            whole
        } else if long(lead) < WIDTH {
            let filled = fill(cell, lead, &below);
            // Other cells may leave the last one too little room.
            if filled.lines().all(|line| long(line) <= WIDTH) { filled } else { self.broken(&whole) }
        } else {
            self.broken(&whole)
        }
    }

    fn broken(&self, line: &str) -> String {
        fitting(line, &blanks(self.indent()), &blanks(self.indent() + 2))
    }
}

/// The first so many lines of a text, with a mark where others are left out.
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

/// A line as it is where it fits, else broken like a paragraph.
fn fitting(line: &str, first: &str, rest: &str) -> String {
    if long(line.trim_end()) <= WIDTH { line.to_owned() } else { fill(line, first, rest) }
}

fn headline(heading: &Heading) -> String {
    let Heading { text, aside } = heading;
    let apart = if aside.is_empty() { "" } else { "  " };
    fitting(&format!("{text}{apart}{aside}"), "", "")
}

/// The text with blanks behind it, so many at least, up to this column.
fn pad(mut text: String, least: usize, column: usize) -> String {
    let missing = column.saturating_sub(long(&text)).max(least);
    text.push_str(&blanks(missing));
    text
}

/// The options of a question below each other: letter, words, and the notes in a column of their own. The column is as wide
/// as the longest words that leave room for nearly all notes; the other notes stand behind their words or, where they do not
/// fit, below. With `one_line` they are cut or left out.
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

/// Breaks a paragraph into lines of at most [`WIDTH`] characters, the first after `first`, the others after `rest`. A word
/// that is too long for any line stands on one of its own, whole, since it may be an address or an order.
fn fill(text: &str, first: &str, rest: &str) -> String {
    fill_to(WIDTH, text, first, rest)
}

fn fill_to(width: usize, text: &str, first: &str, rest: &str) -> String {
    // No line breaks at a figure space.
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
