//! HTML for mail programs: tables for layout, styles at the elements, nothing from elsewhere.
//!
//! What Gmail, Outlook and their like strip is not used: no script, no form, no remote picture, no position by style. The one
//! `style` element holds only what may be missing: colours for dark mode. Options are links that open an answer in which the
//! order is written already, so a move is two taps. All sections are shown, also those that a short text leaves out.

use crate::{
    Block, CardShown, HeadShown, Heading, OrderReport, Paragraph, Part, Question, QuestionOption, Run, Section, Table,
    runs,
};
use minijinja::HtmlEscape;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use postrider_mail::{CUT_LINE_MARK, PICTURE};
use postrider_orders::{capital, visible};
use std::fmt::{self, Display};

/// Where an answer to a letter goes, for links that open one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerTo {
    /// The address, with the token if it carries one.
    pub address: String,
    /// The subject of the answer.
    pub subject: String,
}

impl AnswerTo {
    /// A link that opens an answer with this order in it (RFC 6068).
    pub fn link(&self, order: &str) -> String {
        let coded = |text: &str| utf8_percent_encode(text, UNRESERVED).to_string();
        let (local, domain) = self.address.rsplit_once('@').unwrap_or((&self.address, ""));
        // The address's own sign stays what it is; a `+` in it means itself.
        let address = format!("{}@{}", coded(local), coded(domain));
        format!("mailto:{address}?subject={}&body={}", coded(&self.subject), coded(&format!("{order}\r\n")))
    }
}

/// All but letters, digits and the marks that RFC 3986 section 2.3 leaves as they are.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

const FONT: &str = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONO: &str = "font-family:Menlo,Consolas,'Courier New',monospace";
const INK: &str = "#22252a";
const SOFT: &str = "#5b616b";
const RULE: &str = "#d9d5ca";
const DEEP: &str = "#14344d";
const GROUND: &str = "#fbfaf6";

/// Commands that a letter offers as buttons wherever it names them.
const COMMANDS: &[&str] = &["yes", "confirm", "back", "status", "preview", "help"];

/// Colours for dark mode, and nothing that a letter could not do without.
const STYLE: &str = ":root{color-scheme:light dark}\
    @media (prefers-color-scheme:dark){\
    body,.g{background:#17191d!important}\
    .i,.i p,.i td,.i th,.i h2,.i h3{color:#e7e5df!important}\
    .s{color:#a3a8b0!important}\
    .r{border-color:#383c43!important}\
    .o a{color:#dbe9f4!important}\
    .b{background:#2d4f6b!important;color:#ffffff!important}}";

/// A letter as a page of HTML. `title` is its subject.
pub fn render(sections: &[Section], title: &str, answer: &AnswerTo) -> String {
    let mut out = Page { html: String::with_capacity(16 * 1024), answer };
    out.put(format_args!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"supported-color-schemes\" content=\"light dark\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body style=\"margin:0;padding:0;background:{GROUND}\">\n\
         <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" class=\"g\" \
         style=\"background:{GROUND}\">\n<tr><td align=\"center\" style=\"padding:12px 10px\">\n\
         <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" class=\"i\" \
         style=\"max-width:640px;text-align:left\">\n<tr><td style=\"{FONT};font-size:16px;line-height:1.45;color:{INK}\">\n",
        shown(title)
    ));
    for section in sections.iter().filter(|section| !section.is_empty()) {
        if let Some(Heading { text, aside }) = &section.heading {
            out.put(format_args!(
                "<h2 class=\"r\" style=\"font-size:15px;line-height:1.3;margin:22px 0 6px;padding-top:10px;\
                 border-top:1px solid {RULE}\">{}",
                shown(text)
            ));
            if !aside.is_empty() {
                out.put(format_args!(
                    " <span class=\"s\" style=\"font-weight:normal;color:{SOFT}\">{}</span>",
                    shown(aside)
                ));
            }
            out.html.push_str("</h2>\n");
        }
        section.blocks.iter().for_each(|block| out.block(block));
    }
    out.html.push_str("</td></tr>\n</table>\n</td></tr>\n</table>\n</body>\n</html>\n");
    out.html
}

/// Text as HTML shows it: without control characters that are none, and with no mark of its own.
fn shown(text: &str) -> impl Display {
    struct Shown(String);
    impl Display for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            HtmlEscape(&self.0).fmt(f)
        }
    }
    Shown(visible(text).into_owned())
}

/// HTML that grows.
struct Page<'a> {
    html: String,
    answer: &'a AnswerTo,
}

impl Page<'_> {
    fn put(&mut self, text: fmt::Arguments<'_>) {
        // A string takes everything.
        let _ = fmt::Write::write_fmt(&mut self.html, text);
    }

    /// Words in which orders between backticks look like orders.
    fn words(&mut self, text: &str) {
        for run in runs(text) {
            match run {
                Run::Words(words) => self.put(format_args!("{}", shown(words))),
                Run::Order(order) => self.order(order),
            }
        }
    }

    /// An order or a command in running text. A command that says everything by itself is a button.
    fn order(&mut self, order: &str) {
        if COMMANDS.contains(&order) {
            let link = self.answer.link(order);
            let link = HtmlEscape(&link);
            self.put(format_args!(
                "<a href=\"{link}\" class=\"b\" style=\"display:inline-block;padding:2px 9px;background:{DEEP};border-radius:6px;\
                 color:#ffffff;text-decoration:none;font-weight:bold\">{}</a>",
                shown(order)
            ));
            return;
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
            "<p class=\"s\" style=\"margin:2px 0 2px {}px;color:{SOFT};font-size:14px\">",
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
            Block::Story { parts, level } => self.story(parts, *level),
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
            Block::AnswerAbove(rest) => {
                self.put(format_args!("<p class=\"s\" style=\"margin:10px 0;color:{SOFT};font-size:14px\">"));
                self.words(&format!("{CUT_LINE_MARK}{rest}"));
                self.html.push_str("</p>\n");
            }
            Block::Orders(orders) => {
                for order in orders {
                    self.html.push_str("<p style=\"margin:4px 0 4px 16px\">");
                    self.link(order, order);
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
            Block::Picture(words) => self.put(format_args!(
                "<p style=\"margin:12px 0\"><img src=\"cid:{PICTURE}\" width=\"100%\" alt=\"{}\" \
                 style=\"display:block;width:100%;max-width:640px;height:auto;border:0\"></p>\n",
                shown(words)
            )),
            Block::Lines(lines) => self.drawing(lines),
        }
    }

    /// A link that opens an answer with an order in it.
    fn link(&mut self, order: &str, text: &str) {
        let link = self.answer.link(order);
        self.put(format_args!("<a href=\"{}\" style=\"color:{DEEP}\">{}</a>", HtmlEscape(&link), shown(text)));
    }

    fn story(&mut self, parts: &[Part], level: usize) {
        for part in parts {
            if !part.under.is_empty() {
                self.soft(&part.under, level);
            }
            for line in &part.lines {
                self.put(format_args!("<p style=\"margin:3px 0 3px {}px\">", indent(level + 1)));
                self.words(&line.text);
                self.html.push_str("</p>\n");
            }
        }
    }

    fn question(&mut self, question: &Question) {
        let Question { no, title, rule, lines, deadline, complete, options, more, drawing } = question;
        let rule = if matches!(rule.as_str(), "" | "-") { String::new() } else { format!(" (rule {rule})") };
        self.put(format_args!(
            "<h3 style=\"font-size:17px;line-height:1.3;margin:12px 0 4px\">{no}. {}<span class=\"s\" \
             style=\"font-weight:normal;font-size:14px;color:{SOFT}\">{}</span></h3>\n",
            shown(&capital(title)),
            shown(&rule)
        ));
        lines.iter().for_each(|line| self.paragraph(line, 0, ";margin:4px 0"));
        if !deadline.is_empty() {
            self.paragraph(deadline, 0, ";margin:4px 0;font-weight:bold");
        }
        if !options.is_empty() {
            self.options(options, *complete, *more);
        }
        if !drawing.is_empty() {
            self.drawing(drawing);
        }
    }

    fn options(&mut self, options: &[QuestionOption], complete: bool, more: usize) {
        if !complete {
            self.soft("For example:", 0);
        }
        self.html.push_str(
            "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" class=\"o\">\n",
        );
        options.iter().for_each(|option| self.option(option));
        self.html.push_str("</table>\n");
        if more > 0 {
            self.soft(&format!("... and {more} more."), 0);
        }
    }

    /// An option: a button with its letter, its words as a link, its note below.
    fn option(&mut self, QuestionOption { letter, words, note }: &QuestionOption) {
        let link = self.answer.link(words);
        let link = HtmlEscape(&link);
        self.put(format_args!(
            "<tr><td width=\"44\" valign=\"top\" style=\"padding:3px 8px 3px 0\"><table role=\"presentation\" \
             width=\"36\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"><tr><td align=\"center\" class=\"b\" \
             bgcolor=\"{DEEP}\" style=\"background:{DEEP};border-radius:6px\"><a href=\"{link}\" class=\"b\" \
             style=\"display:block;padding:7px 0;color:#ffffff;text-decoration:none;font-weight:bold\">{}</a></td></tr></table></td>\
             <td class=\"r\" valign=\"middle\" style=\"padding:7px 0;border-bottom:1px solid {RULE}\">\
             <a href=\"{link}\" style=\"color:{DEEP};text-decoration:none\">{}</a>",
            shown(letter),
            shown(words)
        ));
        if !note.is_empty() {
            self.put(format_args!(" <span class=\"s\" style=\"color:{SOFT};font-size:14px\">&nbsp; "));
            self.words(note);
            self.html.push_str("</span>");
        }
        self.html.push_str("</td></tr>\n");
    }

    fn order_report(&mut self, report: &OrderReport) {
        for order in &report.done {
            self.paragraph(&format!("Done: `{}`", order.replace('`', "'")), 0, "");
        }
        let Some(failed) = &report.failed else { return };
        self.paragraph("Not done:", 0, ";font-weight:bold;margin-bottom:0");
        self.lines(&failed.pointed);
        self.paragraph(&failed.why, 1, "");
        for order in &report.left {
            self.soft(&format!("Skipped: `{}`", order.replace('`', "'")), 0);
        }
    }

    /// Lines whose columns count.
    fn lines(&mut self, lines: &[String]) {
        self.put(format_args!(
            "<pre style=\"{MONO};font-size:13px;line-height:1.4;margin:6px 0;white-space:pre-wrap;word-break:break-word\">"
        ));
        for line in lines {
            self.put(format_args!("{}\n", shown(line)));
        }
        self.html.push_str("</pre>\n");
    }

    /// A drawing in letters: a wrapped line would tear it, so what is wider than the screen is scrolled to. Columns of fixed width
    /// keep it from widening the whole letter.
    fn drawing(&mut self, lines: &[String]) {
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
        // Many columns must fit on a telephone too: less room between them, and long words may be broken.
        let (size, gap) = if table.columns.len() >= WIDE { ("12px;overflow-wrap:anywhere", 4) } else { ("14px", 9) };
        self.put(format_args!(
            "<table cellpadding=\"0\" cellspacing=\"0\" border=\"0\" style=\"margin:6px 0 6px {}px;font-size:{size};\
             line-height:1.35\">\n",
            indent(table.level.saturating_sub(1))
        ));
        let side = |at: usize| if table.columns.get(at).is_some_and(|column| column.right) { "right" } else { "left" };
        if table.columns.iter().any(|column| !column.head.is_empty()) {
            self.html.push_str("<tr>");
            for (at, column) in table.columns.iter().enumerate() {
                self.put(format_args!(
                    "<th class=\"s\" align=\"{}\" style=\"padding:1px {gap}px 1px 0;color:{SOFT};font-weight:normal\">{}</th>",
                    side(at),
                    shown(&column.head)
                ));
            }
            self.html.push_str("</tr>\n");
        }
        for row in &table.rows {
            self.html.push_str("<tr>");
            for (at, cell) in row.cells.iter().enumerate() {
                self.put(format_args!(
                    "<td align=\"{}\" valign=\"top\" style=\"padding:1px {gap}px 1px 0\">",
                    side(at)
                ));
                self.words(cell);
                self.html.push_str("</td>");
            }
            self.html.push_str("</tr>\n");
            for detail in &row.details {
                self.put(format_args!(
                    "<tr><td colspan=\"{}\" class=\"s\" style=\"padding:0 0 3px 14px;color:{SOFT}\">",
                    table.columns.len().max(1)
                ));
                self.words(detail);
                self.html.push_str("</td></tr>\n");
            }
        }
        self.html.push_str("</table>\n");
    }
}

/// A table of so many columns is wide.
const WIDE: usize = 7;

/// How many pixels a level is set in.
fn indent(level: usize) -> usize {
    14 * level.min(4)
}
