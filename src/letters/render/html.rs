//! HTML for mail programs, with tables for layout, inline styles, and no external resources.
//!
//! Features that Gmail, Outlook and similar programs remove are not used: scripts, forms, remote
//! pictures, CSS positions. The single `style` element contains only optional styles: shapes of
//! buttons, and colours for dark mode. Options are buttons that open an answer containing the
//! order, so a move takes two taps.

use super::{
    grouped::{Group, grouped},
    kept::kept_sentences,
};
use crate::{
    Block, CardShown, Column, HeadShown, Heading, LONGEST_LOG, OrderReport, Paragraph, Part, Question, QuestionOption,
    Run, Section, Stays, Table, runs,
};
use minijinja::HtmlEscape;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use postrider_mail::{CUT_LINE_MARK, PICTURE, QUIET_CUT_LINE_MARK};
use postrider_orders::{capital, visible};
use std::fmt::{self, Display};

/// The address and subject of an answer to a letter, for links that open one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerTo {
    /// The address, including the token, if any.
    pub address: String,
    /// The subject of the answer.
    pub subject: String,
}

impl AnswerTo {
    /// Returns a link that opens an answer containing this order (RFC 6068).
    pub fn link(&self, order: &str) -> String {
        let coded = |text: &str| utf8_percent_encode(text, UNRESERVED).to_string();
        let (local, domain) = self.address.rsplit_once('@').unwrap_or((&self.address, ""));
        // The `@` is kept; everything else is encoded, so a `+` in the address means itself.
        let address = format!("{}@{}", coded(local), coded(domain));
        format!("mailto:{address}?subject={}&body={}", coded(&self.subject), coded(&format!("{order}\r\n")))
    }
}

/// The characters to encode: all except the unreserved characters of RFC 3986, section 2.3.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

const FONT: &str = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO: &str = "font-family:Menlo,Consolas,'Courier New',monospace";
const INK: &str = "#1d2226";
const SOFT: &str = "#5b646a";
const GROUND: &str = "#f6f4ee";
const CARD: &str = "#ffffff";
const DEEP: &str = "#12405c";
const BUTTON: &str = "background:#e8eff4;color:#12405c;padding:6px 9px;text-decoration:none";
const DONE: &str = "background:#e3f0e6;color:#1e4d2b";

/// Commands shown as links wherever a text names them.
const COMMANDS: &[&str] = &["yes", "confirm", "back", "status", "preview", "help"];

/// Shapes of buttons, and colours for dark mode; a letter is usable without them.
const STYLE: &str = ":root{color-scheme:light dark}\
    .b{display:inline-block;font-size:15px;line-height:1.3;margin:3px 5px 3px 0;border:1px solid #c3d3de;border-radius:8px}\
    .b small{font-size:12px}\
    .c{border:1px solid #ddd8cc;border-radius:10px}\
    .o{border-radius:8px}\
    @media (prefers-color-scheme:dark){\
    .g{background:#15181b!important}\
    .i{color:#e8e6e1!important}\
    .s{color:#a9b0b5!important}\
    .k{color:#8ec5ea!important}\
    .c{background:#1e2327!important;border-color:#353c42!important}\
    .o{background:#1d3326!important;color:#bfe6cb!important}\
    .b{background:#2a333a!important;color:#e8f1f7!important;border-color:#46535d!important}}";

/// Maximum number of sentences of a story, and of those about the reader, which precede others.
const MOST_SENTENCES: usize = 12;
const MOST_OWN: usize = 30;

/// Maximum number of remarks on a question; the first [`FIRST_REMARKS`] are above its options.
const MOST_REMARKS: usize = 6;
const FIRST_REMARKS: usize = 2;

/// If all options, with their notes, have at most this many characters, they are buttons side by
/// side; otherwise each gets a row.
const BUTTON_LENGTH: usize = 60;

/// Renders a letter as an HTML page. `title` is its subject.
pub fn render(sections: &[Section], title: &str, answer: &AnswerTo) -> String {
    let here: Vec<&Section> = sections.iter().filter(|section| shows(section)).collect();
    let picture = here.iter().flat_map(|section| &section.blocks).any(|block| matches!(block, Block::Picture(_)));
    let mut out = Page { html: String::with_capacity(16 * 1024), answer, picture };
    out.put(format_args!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"supported-color-schemes\" content=\"light dark\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body class=\"g\" style=\"margin:0;padding:0;background:{GROUND}\">\n\
         <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" class=\"g\" \
         style=\"background:{GROUND}\">\n<tr><td align=\"center\" style=\"padding:10px\">\n\
         <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" \
         style=\"max-width:640px;table-layout:fixed;text-align:left\">\n\
         <tr><td class=\"i\" style=\"{FONT};font-size:16px;line-height:1.4;color:{INK}\">\n",
        shown(title)
    ));
    out.sections(here);
    out.html.push_str("</td></tr>\n</table>\n</td></tr>\n</table>\n</body>\n</html>\n");
    out.html
}

/// Renders sections as a part of another HTML page, without links that open an answer.
pub fn fragment(sections: &[Section]) -> String {
    let mut out = Page { html: String::new(), answer: &AnswerTo::default(), picture: false };
    out.sections(sections.iter().filter(|section| shows(section)));
    out.html
}

/// Returns `true` if a section is part of the HTML.
fn shows(section: &Section) -> bool {
    section.stays != Stays::Text && !section.is_empty()
}

/// Escapes text for HTML, with control characters made visible.
fn shown(text: &str) -> impl Display {
    struct Shown(String);
    impl Display for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            HtmlEscape(&self.0).fmt(f)
        }
    }
    Shown(visible(text).into_owned())
}

/// A page under construction.
struct Page<'a> {
    html: String,
    answer: &'a AnswerTo,
    /// `true` if the letter contains a picture of the map.
    picture: bool,
}

impl Page<'_> {
    fn put(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = fmt::Write::write_fmt(&mut self.html, text);
    }

    /// Writes sections. Folded ones are under the heading of the first; a program that cannot fold
    /// shows them.
    fn sections<'s>(&mut self, sections: impl IntoIterator<Item = &'s Section>) {
        let mut folded = false;
        for section in sections {
            let folds = section.stays == Stays::Folded;
            let begins = folds && section.heading.is_some();
            if folded && (begins || !folds) {
                self.html.push_str("</details>\n");
            }
            folded = folds && (folded || begins);
            if begins {
                self.html.push_str("<details style=\"margin:12px 0\"><summary style=\"cursor:pointer\">");
            }
            self.heading(section.heading.as_ref(), begins);
            section.blocks.iter().for_each(|block| self.block(block));
        }
        if folded {
            self.html.push_str("</details>\n");
        }
    }

    fn heading(&mut self, heading: Option<&Heading>, folds: bool) {
        if let Some(Heading { text, aside }) = heading {
            let shape = if folds { "display:inline" } else { "margin:16px 0 4px" };
            self.put(format_args!("<h2 style=\"font-size:15px;line-height:1.3;{shape}\">{}", shown(text)));
            if !aside.is_empty() {
                self.put(format_args!(
                    " <span class=\"s\" style=\"font-weight:normal;color:{SOFT}\">{}</span>",
                    shown(aside)
                ));
            }
            self.html.push_str(if folds { "</h2></summary>\n" } else { "</h2>\n" });
        }
    }

    /// Writes words, with orders between backticks in the style of orders.
    fn words(&mut self, text: &str) {
        for run in runs(text) {
            match run {
                Run::Words(words) => self.put(format_args!("{}", shown(words))),
                Run::Order(order) => self.order(order),
            }
        }
    }

    /// Writes an order in running text. A command that needs no arguments becomes a link.
    fn order(&mut self, order: &str) {
        if COMMANDS.contains(&order) && !self.answer.address.is_empty() {
            return self.link(order, order);
        }
        self.put(format_args!("<span style=\"{MONO};font-size:14px\">{}</span>", shown(order)));
    }

    fn paragraph(&mut self, text: &str, level: usize, more: &str) {
        self.put(format_args!("<p style=\"margin:6px 0 6px {}px{more}\">", indent(level)));
        self.words(text);
        self.html.push_str("</p>\n");
    }

    fn soft(&mut self, text: &str, level: usize) {
        self.put(format_args!(
            "<p class=\"s\" style=\"margin:3px 0 3px {}px;color:{SOFT};font-size:14px\">",
            indent(level)
        ));
        self.words(text);
        self.html.push_str("</p>\n");
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Paragraph(Paragraph { text, level, .. }) => self.paragraph(text, *level, ""),
            Block::Entry { text, details } => {
                self.paragraph(text, 0, ";margin-bottom:0");
                details.iter().for_each(|detail| self.soft(detail, 1));
            }
            Block::Story { parts, level, whole } => self.story(parts, *level, *whole),
            Block::Table(table) => self.table(table),
            Block::Question(question) => self.question(question),
            Block::OrderReport(report) => self.order_report(report),
            Block::Said(lines) => {
                self.put(format_args!(
                    "<blockquote style=\"margin:6px 0 6px {}px;padding-left:10px;border-left:3px solid {SOFT}\">\n",
                    indent(1)
                ));
                lines.iter().for_each(|line| self.paragraph(line, 0, ""));
                self.html.push_str("</blockquote>\n");
            }
            Block::Preview { pointed, says } => {
                self.lines(pointed);
                says.iter().for_each(|says| self.paragraph(says, 1, ""));
            }
            Block::Explanation { title, text, orders } => {
                self.paragraph(title, 0, ";font-weight:bold");
                if !text.is_empty() {
                    self.paragraph(text, 0, "");
                }
                orders.iter().for_each(|order| self.paragraph(order, 0, ""));
            }
            Block::AnswerAbove(_) => {
                self.soft(&format!("{CUT_LINE_MARK}, or tap an answer and send the mail that opens."), 0);
            }
            Block::WriteAbove => self.soft(&format!("{QUIET_CUT_LINE_MARK}."), 0),
            Block::Orders(orders) => {
                for order in orders {
                    self.html.push_str("<p style=\"margin:10px 0\">");
                    // Text for the reader to complete ends with an ellipsis, which is not sent.
                    self.button(order.trim_end_matches('…'), order, "");
                    self.html.push_str("</p>\n");
                }
            }
            Block::Seals(cards) => {
                let line = |CardShown { place, name, salt }: &CardShown| format!("{place}: {name}\nsalt {salt}");
                self.lines(&cards.iter().map(line).collect::<Vec<_>>());
            }
            Block::SignedHead(head) => self.signed_head(head),
            Block::Key(key) => self.lines(&[format!("key {key}")]),
            Block::Map(map) => map.words.iter().for_each(|block| self.block(block)),
            Block::Picture(words) => self.map(words),
            Block::Lines(lines) => self.drawing(lines),
        }
    }

    /// Writes the picture of the map; tapping it requests the whole position.
    fn map(&mut self, words: &str) {
        let link = self.answer.link("status");
        self.put(format_args!(
            "<p style=\"margin:10px 0\"><a href=\"{}\"><img src=\"cid:{PICTURE}\" width=\"100%\" alt=\"{}\" \
             style=\"display:block;width:100%;max-width:640px;height:auto;border:0\"></a></p>\n",
            HtmlEscape(&link),
            shown(words)
        ));
    }

    /// Writes a link that opens an answer containing an order.
    fn link(&mut self, order: &str, text: &str) {
        let link = self.answer.link(order);
        self.put(format_args!(
            "<a href=\"{}\" class=\"k\" style=\"color:{DEEP}\">{}</a>",
            HtmlEscape(&link),
            shown(text)
        ));
    }

    fn story(&mut self, parts: &[Part], level: usize, whole: bool) {
        let all = parts.iter().map(|part| part.lines.len()).sum::<usize>();
        let most = if whole { all } else { MOST_SENTENCES };
        let kept = kept_sentences(parts, most, MOST_OWN);
        for (at, part) in parts.iter().enumerate() {
            let stays = |line: &usize| kept.contains(&(at, *line));
            let lines: Vec<usize> = (0..part.lines.len()).filter(stays).collect();
            if !part.under.is_empty() && (!lines.is_empty() || part.lines.is_empty()) {
                self.soft(&part.under, level);
            }
            for line in lines {
                self.put(format_args!("<p style=\"margin:3px 0 3px {}px\">", indent(level)));
                self.words(&part.lines[line].text);
                self.html.push_str("</p>\n");
            }
        }
        if let left @ 1.. = all.saturating_sub(kept.len()) {
            let sentences = if left == 1 { "sentence" } else { "sentences" };
            let log = all.min(LONGEST_LOG);
            self.soft(&format!("... and {left} more {sentences}: reply `log {log}`."), level);
        }
    }

    fn question(&mut self, question: &Question) {
        let Question { no, title, rule, lines, deadline, complete, options, more, drawing } = question;
        let rule = if matches!(rule.as_str(), "" | "-") { String::new() } else { format!(" (rule {rule})") };
        self.put(format_args!(
            "<h3 style=\"font-size:19px;line-height:1.25;margin:10px 0 4px\">{no}. {}<span class=\"s\" \
             style=\"font-weight:normal;font-size:14px;color:{SOFT}\">{}</span></h3>\n",
            shown(&capital(title)),
            shown(&rule)
        ));
        if !deadline.is_empty() {
            self.paragraph(deadline, 0, ";margin:4px 0;font-weight:bold");
        }
        // A single remaining remark is shown, because it takes no more room than a note about it.
        let said = if lines.len() > MOST_REMARKS + 1 { MOST_REMARKS } else { lines.len() };
        let (first, others) = lines[..said].split_at(said.min(FIRST_REMARKS));
        first.iter().for_each(|line| self.soft(line, 0));
        if !options.is_empty() {
            self.options(options, *complete, *more);
        }
        others.iter().for_each(|line| self.soft(line, 0));
        if said < lines.len() {
            self.soft(&format!("... and {} more to know: reply `status`.", lines.len() - said), 0);
        }
        if !drawing.is_empty() && !self.picture {
            self.drawing(drawing);
        }
    }

    fn options(&mut self, options: &[QuestionOption], complete: bool, more: usize) {
        if !complete {
            self.soft("For example:", 0);
        }
        grouped(options).iter().for_each(|group| self.group(group));
        if more > 0 {
            self.soft(&format!("... and {more} more: reply `status`."), 0);
        }
    }

    /// Writes a group of options: what they share, and a button for each.
    fn group(&mut self, group: &Group<'_>) {
        let Group { lead, note, options } = group;
        self.put(format_args!("<div class=\"c\" style=\"background:{CARD};padding:7px 10px;margin:6px 0\">"));
        if !lead.is_empty() {
            self.put(format_args!("<b>{}</b>", shown(&capital(lead))));
        }
        if !note.is_empty() {
            self.put(format_args!(" <span class=\"s\" style=\"color:{SOFT};font-size:14px\">"));
            self.words(note);
            self.html.push_str("</span>");
        }
        let own = |option: &QuestionOption| if note.is_empty() { option.note.clone() } else { String::new() };
        let long = |(rest, option): &(String, &QuestionOption)| {
            rest.chars().count() + own(option).chars().count() > BUTTON_LENGTH
        };
        let rows = options.iter().any(long);
        if !rows {
            self.html.push_str("<div style=\"line-height:2.4\">");
        }
        for (rest, option) in options {
            let note = own(option);
            match rows {
                true => {
                    self.html.push_str("<div style=\"line-height:1.3;margin:5px 0\">");
                    self.button(&option.words, rest, "");
                    self.put(format_args!(" <span class=\"s\" style=\"color:{SOFT};font-size:14px\">"));
                    self.words(&note);
                    self.html.push_str("</span></div>\n");
                }
                false => {
                    self.button(&option.words, rest, &note);
                    self.html.push('\n');
                }
            }
        }
        self.html.push_str(if rows { "</div>\n" } else { "</div></div>\n" });
    }

    /// Writes a button that opens an answer containing an order.
    fn button(&mut self, order: &str, text: &str, note: &str) {
        let link = self.answer.link(order);
        self.put(format_args!("<a class=\"b\" href=\"{}\" style=\"{BUTTON}\">{}", HtmlEscape(&link), shown(text)));
        if !note.is_empty() {
            self.put(format_args!(" <small>{}</small>", shown(&note.replace('`', ""))));
        }
        self.html.push_str("</a>");
    }

    fn order_report(&mut self, report: &OrderReport) {
        if !report.done.is_empty() {
            self.put(format_args!("<p class=\"o\" style=\"{DONE};padding:7px 10px;margin:6px 0\">Done: "));
            self.put(format_args!("{}</p>\n", shown(&report.done.join("; "))));
        }
        let Some(failed) = &report.failed else { return };
        self.paragraph("Not done:", 0, ";font-weight:bold;margin-bottom:0");
        self.lines(&failed.pointed);
        self.paragraph(&failed.why, 1, "");
        for order in &report.left {
            self.soft(&format!("Skipped: `{}`", order.replace('`', "'")), 0);
        }
    }

    /// Writes preformatted lines that may wrap.
    fn lines(&mut self, lines: &[String]) {
        self.put(format_args!(
            "<pre style=\"{MONO};font-size:13px;line-height:1.4;margin:6px 0;white-space:pre-wrap;word-break:break-word\">"
        ));
        for line in lines {
            self.put(format_args!("{}\n", shown(line)));
        }
        self.html.push_str("</pre>\n");
    }

    /// Writes a text drawing. Its lines do not wrap, but scroll horizontally. The fixed table
    /// layout keeps it from widening the whole letter.
    fn drawing(&mut self, lines: &[String]) {
        if lines.iter().any(|line| line.chars().count() > PHONE_DRAWN) {
            self.soft("A wide drawing: it scrolls sideways.", 0);
        }
        self.put(format_args!(
            "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" \
             style=\"table-layout:fixed\"><tr><td><pre style=\"{MONO};font-size:11px;line-height:1.3;margin:10px 0;\
             white-space:pre;overflow-x:auto\">"
        ));
        for line in lines {
            self.put(format_args!("{}\n", shown(line)));
        }
        self.html.push_str("</pre></td></tr></table>\n");
    }

    fn signed_head(&mut self, head: &HeadShown) {
        let lines = super::text::signed_head(head);
        self.put(format_args!(
            "<pre class=\"s\" style=\"{MONO};font-size:11px;line-height:1.3;margin:18px 0 6px;color:{SOFT};\
             white-space:pre-wrap;word-break:break-all\">"
        ));
        for line in lines {
            self.put(format_args!("{}\n", shown(&line)));
        }
        self.html.push_str("</pre>\n");
    }

    fn table(&mut self, table: &Table) {
        // Words are never broken; a table wider than a phone scrolls horizontally.
        let wide = least_width(table) > PHONE;
        if wide {
            self.soft("A wide table: it scrolls sideways.", 0);
            self.html.push_str("<div style=\"overflow-x:auto\">");
        }
        self.put(format_args!(
            "<table cellpadding=\"3\" cellspacing=\"0\" border=\"0\" style=\"margin:10px 0 8px {}px;font-size:14px;\
             line-height:1.3\">\n",
            indent(table.level.saturating_sub(1))
        ));
        let side = |at: usize| match table.columns.get(at) {
            Some(Column { right: true, .. }) => " align=\"right\"",
            _ => "",
        };
        if table.columns.iter().any(|column| !column.head.is_empty()) {
            self.html.push_str("<tr>");
            for (at, column) in table.columns.iter().enumerate() {
                self.put(format_args!(
                    "<th class=\"s\"{} style=\"color:{SOFT};font-weight:normal\">{}</th>",
                    side(at),
                    shown(&column.head)
                ));
            }
            self.html.push_str("</tr>\n");
        }
        for row in &table.rows {
            self.html.push_str("<tr valign=\"top\">");
            for (at, cell) in row.cells.iter().enumerate() {
                self.put(format_args!("<td{}>", side(at)));
                self.words(cell);
                self.html.push_str("</td>");
            }
            self.html.push_str("</tr>\n");
            for detail in &row.details {
                self.put(format_args!(
                    "<tr><td colspan=\"{}\" class=\"s\" style=\"padding-left:14px;color:{SOFT}\">",
                    table.columns.len().max(1)
                ));
                self.words(detail);
                self.html.push_str("</td></tr>\n");
            }
        }
        self.html.push_str(if wide { "</table></div>\n" } else { "</table>\n" });
    }
}

/// Number of characters, at the font size of tables, that fit the width of a phone.
const PHONE: usize = 48;

/// The same at the font size of text drawings.
const PHONE_DRAWN: usize = 56;

/// Returns the minimum width of a table in characters: the sum of the longest words of its columns
/// and the gaps.
fn least_width(table: &Table) -> usize {
    let longest = |text: &str| text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
    let column = |(at, column): (usize, &Column)| {
        let cells = table.rows.iter().filter_map(|row| row.cells.get(at)).map(|cell| longest(cell));
        cells.chain([longest(&column.head)]).max().unwrap_or(0) + 1
    };
    table.columns.iter().enumerate().map(column).sum()
}

/// Returns the indentation of a level in pixels.
fn indent(level: usize) -> usize {
    14 * level.min(4)
}
