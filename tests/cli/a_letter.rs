//! The letter in docs/a-letter.md and its picture in README.md match the current output of the
//! program: a demonstration game is played, and one of its letters, the answer and the reply are
//! compared with the page.
//!
//! `POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- a_letter` updates both.

use mail_parser::MessageParser;
use snapbox::cmd::cargo_bin;
use std::{env, fmt::Write as _, fs, path::Path, process::Command};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/a-letter.md");
const PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/a-letter.svg");
/// The same letter's HTML part.
const PHONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/a-letter-html.svg");
const RENEW: &str = "POSTRIDER_WRITE_DOCS=1 cargo test --test cli -- a_letter writes it anew";

/// The question in the letter shown.
const ASKED: &str = "1. An action of one Village";

/// A mail as its reader sees it.
struct Mail {
    date: String,
    from: String,
    reply_to: String,
    to: String,
    subject: String,
    text: String,
    html: String,
}

impl Mail {
    fn read(raw: &[u8]) -> Mail {
        let mail = MessageParser::default().parse(raw).expect("a mail");
        let address = |list: Option<&mail_parser::Address<'_>>| {
            let one = list.and_then(mail_parser::Address::first).expect("an address");
            format!("{} <{}>", one.name().unwrap_or_default(), one.address().expect("an address"))
        };
        Mail {
            date: mail.date().expect("a date").to_rfc822(),
            from: address(mail.from()),
            reply_to: address(mail.reply_to()),
            to: address(mail.to()),
            subject: mail.subject().expect("a subject").to_owned(),
            text: mail.body_text(0).expect("text").replace("\r\n", "\n").trim_end().to_owned(),
            html: mail.body_html(0).expect("an HTML part").replace("\r\n", "\n"),
        }
    }

    fn head(&self) -> String {
        let Mail { date, from, reply_to, to, subject, .. } = self;
        format!("Date: {date}\nFrom: {from}\nReply-To: {reply_to}\nTo: {to}\nSubject: {subject}")
    }

    /// Splits the text into parts; each begins with an unindented line after an empty one.
    fn parts(&self) -> Vec<Vec<&str>> {
        let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
        for line in self.text.lines() {
            let last = parts.last().and_then(|part| part.last());
            if last.is_some_and(|last| last.is_empty()) && line.starts_with(|c: char| !c.is_whitespace()) {
                parts.push(Vec::new());
            }
            parts.last_mut().expect("there is one").push(line);
        }
        for part in &mut parts {
            while part.last().is_some_and(|line| line.is_empty()) {
                part.pop();
            }
        }
        parts
    }
}

/// Returns the words of the player's orders as executed, if a letter answers them and all were
/// executed.
fn orders_done(letter: &Mail) -> Option<Vec<String>> {
    let mut done: Vec<String> = Vec::new();
    let mut within = false;
    for line in letter.text.lines() {
        if let Some(order) = line.strip_prefix("  done      ") {
            done.push(order.to_owned());
            within = true;
        } else if let Some(rest) = line.strip_prefix("            ").filter(|_| within) {
            let order = done.last_mut().expect("it goes on from one");
            *order += &format!(" {}", rest.trim_start());
        } else {
            within = false;
        }
    }
    let all = !done.is_empty() && !letter.text.contains("  not done  ");
    all.then_some(done)
}

/// Plays the game of the page; returns Anna's letter, her orders, and the reply.
fn played(page: &str) -> (Mail, Vec<String>, Mail) {
    let folder = tempfile::tempdir().expect("there is room");
    let command = page.lines().find_map(|line| line.strip_prefix("postrider ")).expect("the page names the command");
    let output = Command::new(cargo_bin!("postrider"))
        .current_dir(folder.path())
        .env_remove("POSTRIDER_ROOT")
        .args(command.split_whitespace())
        .output()
        .expect("the program can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut letters: Vec<_> = fs::read_dir(folder.path().join("demo/players/anna/new"))
        .expect("a Maildir")
        .map(|file| file.expect("it can be listed").path())
        .collect();
    letters.sort();
    let letters: Vec<Mail> = letters.iter().map(|path| Mail::read(&fs::read(path).expect("a letter"))).collect();
    let mut pairs = letters.into_iter().peekable();
    while let Some(letter) = pairs.next() {
        if !letter.text.contains(ASKED) {
            continue;
        }
        if let Some(done) = pairs.peek().and_then(orders_done) {
            return (letter, done, pairs.next().expect("it was looked at"));
        }
    }
    panic!("no letter to Anna asks for an action and was answered");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns the lines of a letter that the picture shows: a number of lines from its beginning, and
/// from the parts with these first words.
fn shown<'m>(letter: &'m Mail, most: &[(&str, usize)]) -> Vec<&'m str> {
    let mut lines: Vec<&str> = Vec::new();
    let mut left_out = false;
    for (nth, part) in letter.parts().into_iter().enumerate() {
        let first = if nth == 0 { "" } else { part[0] };
        let most = most.iter().find(|(begin, _)| first == *begin || !begin.is_empty() && first.starts_with(begin));
        let Some((_, most)) = most else {
            left_out = true;
            continue;
        };
        if left_out {
            lines.extend(["…", ""]);
        }
        left_out = false;
        lines.extend(part.iter().take(*most));
        if part.len() > *most {
            lines.push("     …");
        }
        lines.push("");
    }
    lines.pop();
    lines
}

/// A window of a mail program.
struct Window<'m> {
    title: String,
    fields: Vec<(&'static str, &'m str)>,
    lines: Vec<&'m str>,
}

impl Window<'_> {
    const WIDTH: usize = 650;
    const BAR: usize = 28;
    const FIELD: usize = 20;
    const ROW: usize = 17;
    const MARGIN: usize = 24;
    /// The width of a text column.
    const COLUMN: f64 = 7.8;

    fn height(&self) -> usize {
        Self::BAR + self.fields.len() * Self::FIELD + self.lines.len() * Self::ROW + Self::MARGIN + 18
    }

    /// Draws it with its upper edge at `top`.
    fn draw(&self, top: usize, svg: &mut String) -> std::fmt::Result {
        let Self { title, fields, lines } = self;
        let (inner, height) = (Self::WIDTH - 2, self.height());
        writeln!(svg, "<rect class=\"window\" x=\"1\" y=\"{top}\" width=\"{inner}\" height=\"{height}\" rx=\"8\"/>")?;
        let bar = format!("M2 {} v-20 a7 7 0 0 1 7 -7 h{} a7 7 0 0 1 7 7 v20 z", top + Self::BAR, Self::WIDTH - 18);
        writeln!(svg, "<path class=\"bar\" d=\"{bar}\"/>")?;
        for x in [18, 34, 50] {
            writeln!(svg, "<circle class=\"dot\" cx=\"{x}\" cy=\"{}\" r=\"5\"/>", top + 15)?;
        }
        writeln!(svg, "<text class=\"field\" x=\"70\" y=\"{}\">{}</text>", top + 19, escaped(title))?;
        let mut y = top + Self::BAR + 5;
        for (name, value) in fields {
            y += Self::FIELD;
            writeln!(svg, "<text class=\"field name\" x=\"{}\" y=\"{y}\">{name}</text>", Self::MARGIN)?;
            writeln!(svg, "<text class=\"field\" x=\"80\" y=\"{y}\">{}</text>", escaped(value))?;
        }
        y += 16;
        for line in lines {
            y += Self::ROW;
            let text = line.trim_start();
            let (indent, columns) = (line.len() - text.len(), text.chars().count());
            assert!(indent + columns <= 76, "{line} is too wide");
            if columns == 0 {
                continue;
            }
            let first = text.split(',').next().unwrap_or_default();
            let heading = indent == 0 && first.len() > 5 && first.to_uppercase() == first;
            // Each line has the width of its columns, whatever font is used.
            let x = Self::MARGIN as f64 + indent as f64 * Self::COLUMN;
            writeln!(
                svg,
                "<text{} x=\"{x:.1}\" y=\"{y}\" textLength=\"{:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
                 xml:space=\"preserve\">{}</text>",
                if heading { " class=\"h\"" } else { "" },
                columns as f64 * Self::COLUMN,
                escaped(text)
            )?;
        }
        Ok(())
    }
}

const STYLE: &str = "<style>
.window { fill: #fff; stroke: #b9bec6 } .bar { fill: #e9ecf0 } .dot { fill: #b9bec6 }
text { fill: #24292f; font: 13px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre }
.field { font: 13px system-ui, 'DejaVu Sans', sans-serif } .name { fill: #6a737d } .h { font-weight: bold; fill: #8a3b12 }
@media (prefers-color-scheme: dark) {
.window { fill: #161b22; stroke: #444c56 } .bar { fill: #22272e } .dot { fill: #586069 }
text { fill: #d6dbe1 } .name { fill: #8b949e } .h { fill: #f0a26b }
}
</style>";

/// Draws the picture: the letter in a window of a mail program, the player's answer, and the
/// beginning of the reply.
fn picture(letter: &Mail, orders: &[String], reply: &Mail) -> String {
    let head = |mail: &Mail| format!("Re: {}", mail.subject.trim_start_matches("Re: "));
    let windows = [
        Window {
            title: letter.subject.clone(),
            fields: vec![("From", &letter.from), ("To", &letter.to), ("Date", &letter.date)],
            lines: shown(letter, &[("", 18), ("ANSWER", 1), ("SINCE YOUR LAST MAIL", 12), ("YOU", 6)]),
        },
        Window {
            title: head(letter),
            fields: vec![("From", &letter.to)],
            lines: orders.iter().map(String::as_str).collect(),
        },
        Window {
            title: head(reply),
            fields: vec![("From", &reply.from)],
            lines: shown(reply, &[("", 12), ("ANSWER", 1), ("  done", 2), ("SINCE YOUR LAST MAIL", 8)]),
        },
    ];
    let gap = Window::MARGIN / 2;
    let (width, height) = (Window::WIDTH, windows.iter().map(|window| window.height() + gap).sum::<usize>() + 2 - gap);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\">\n<title>A letter, its answer, and what came back</title>\n{STYLE}\n"
    );
    let mut top = 1;
    for window in windows {
        window.draw(top, &mut svg).expect("a String takes whatever is written");
        top += window.height() + gap;
    }
    svg + "</svg>\n"
}

/// The size of the screen of a phone, twice as high.
const SCREEN: (usize, usize) = (390, 1_400);

/// Draws the HTML part of a letter on a phone. Browsers show HTML within an SVG picture if it is
/// well-formed XML; its links are left out.
fn on_a_phone(letter: &Mail) -> String {
    let part = |begin: &str, end: &str| {
        let (_, rest) = letter.html.split_once(begin).unwrap_or_else(|| panic!("no {begin}"));
        rest.split_once(end).unwrap_or_else(|| panic!("no {end}")).0
    };
    let style = part("<style>", "</style>").replace('&', "&amp;").replace('<', "&lt;");
    let body = part("<body", "</body>");
    let body = body.split_once('>').expect("the tag ends").1.replace("&nbsp;", "\u{a0}");
    let mut parts = body.split(" href=\"");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    parts.for_each(|rest| whole += rest.split_once('"').expect("the link ends").1);
    for void in ["<br", "<hr", "<img"] {
        let mut parts = whole.split(void);
        let first = parts.next().unwrap_or_default().to_owned();
        whole = parts.fold(first, |before, rest| {
            let (tag, rest) = rest.split_once('>').expect("the tag ends");
            format!("{before}{void}{}/>{rest}", tag.trim_end_matches('/'))
        });
    }
    let (width, height) = SCREEN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\">\n<title>A letter on a phone</title>\n<foreignObject width=\"{width}\" height=\"{height}\">\n\
         <div xmlns=\"http://www.w3.org/1999/xhtml\" class=\"g\" style=\"height:{height}px;overflow:hidden;background:#f6f4ee\">\n\
         <style>{style}</style>{}\n</div>\n</foreignObject>\n</svg>\n",
        whole.trim()
    )
}

#[test]
fn the_page_and_its_picture_show_a_letter_of_today() {
    let mut page = fs::read_to_string(PAGE).expect("the page is part of the project");
    let (letter, orders, reply) = played(&page);
    let mut answer: Vec<&str> = reply.text.lines().collect();
    let end = answer.iter().position(|line| line.starts_with("YOUR HIDDEN CARDS") || line.starts_with("Journal "));
    answer.truncate(end.expect("a letter ends with its head"));
    let blocks = [
        ("letter", format!("{}\n\n{}", letter.head(), letter.text)),
        ("answer", orders.join("\n")),
        ("reply", format!("{}\n\n…", answer.join("\n").trim_end())),
    ];
    let mut wrong = Vec::new();
    for (name, shown) in blocks {
        let (begin, end) = (format!("<!-- run: {name} -->\n"), format!("<!-- end of {name} -->"));
        let from = page.find(&begin).unwrap_or_else(|| panic!("the page has no {begin}")) + begin.len();
        let to = from + page[from..].find(&end).unwrap_or_else(|| panic!("the page has no {end}"));
        let right = format!("```text\n{shown}\n```\n");
        if page[from..to] != right {
            wrong.push(format!("docs/a-letter.md, {name}, should be\n{right}"));
            page.replace_range(from..to, &right);
        }
    }
    let drawn = picture(&letter, &orders, &reply);
    assert!(drawn.len() < 100_000, "{} bytes", drawn.len());
    let phone = on_a_phone(&letter);
    assert!(phone.len() < 40_000, "{} bytes", phone.len());
    if env::var_os("POSTRIDER_WRITE_DOCS").is_some() {
        fs::write(PAGE, page).expect("docs/ can be written");
        fs::write(PHONE, phone).expect("docs/ can be written");
        return fs::write(PICTURE, drawn).expect("docs/ can be written");
    }
    assert_eq!(fs::read_to_string(PHONE).unwrap_or_default(), phone, "{RENEW}");
    assert!(wrong.is_empty(), "{}{RENEW}", wrong.concat());
    assert!(Path::new(PICTURE).exists(), "{RENEW}");
    assert_eq!(fs::read_to_string(PICTURE).expect("a picture"), drawn, "{RENEW}");
}
