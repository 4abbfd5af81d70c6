//! Finding the order text in a reply.

use std::collections::HashSet;

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::{
    answered::{Answered, essence},
    flowed::{self, Format, Line},
    html,
    order_text::{BodyDoubt, MAX_BODY_BYTES, MAX_ORDER_LINES, Note, OrderLine, OrderText},
    quote::{self, Stripped},
};
use crate::orders::Phrase;

/// Programs break long lines at 65 columns or later.
const SHORTEST_WRAPPED: usize = 60;

/// A line that a program has broken would have gone beyond this column with its next word, and is itself no longer than
/// [`LONGEST_WRAPPED`].
const WRAP_COLUMN: usize = 72;

/// RFC 5322 section 2.1.1 and what programs make of it.
const LONGEST_WRAPPED: usize = 80;

/// Two signatures are the same if they share so many of their words, in percent.
const SHARED_WORDS: usize = 70;

/// The text of a message in its renderings, before anything is taken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body {
    doubt: Option<BodyDoubt>,
    plain: Option<Rendering>,
    /// `None` also where the plain text is the only one.
    html: Option<Rendering>,
}

/// One rendering of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rendering {
    lines: Vec<Line>,
    charset: Option<String>,
    damaged: bool,
    from_html: bool,
    format: Format,
}

/// A rendering of which the foreign lines were taken off.
struct Candidate<'b> {
    rendering: &'b Rendering,
    stripped: Stripped,
}

impl Body {
    /// The body of a message that is too large to be read.
    pub(super) fn too_large() -> Body {
        Body { doubt: Some(BodyDoubt::MessageTooLarge), plain: None, html: None }
    }

    /// Takes the text out of a message.
    pub(super) fn of(message: &Message<'_>) -> Body {
        let mut body = Body { doubt: None, plain: None, html: None };
        if is_encrypted(message) {
            body.doubt = Some(BodyDoubt::Encrypted);
            return body;
        }
        let size = [&message.text_body, &message.html_body].map(|parts| text_size(message, parts)).into_iter().max();
        if let Some(size) = size.filter(|&size| size > MAX_BODY_BYTES) {
            body.doubt = Some(BodyDoubt::TooLarge(size));
            return body;
        }
        body.plain = rendering(message, &message.text_body);
        if message.text_body != message.html_body || body.plain.is_none() {
            body.html = rendering(message, &message.html_body);
        }
        if body.plain.is_none() && body.html.is_none() {
            body.doubt = Some(BodyDoubt::NoText);
        }
        body
    }

    /// Finds the order lines, with the letter that is answered beside it if that is at hand.
    pub(super) fn order_text(&self, answered: Option<&Answered>) -> Result<OrderText, BodyDoubt> {
        if let Some(doubt) = &self.doubt {
            return Err(doubt.clone());
        }
        let candidate = |rendering| Candidate { rendering, stripped: strip(rendering, answered) };
        match (self.plain.as_ref().map(candidate), self.html.as_ref().map(candidate)) {
            (None, None) => Err(BodyDoubt::NoText),
            (Some(one), None) | (None, Some(one)) => finish(one, true),
            (Some(plain), Some(html)) => finish(agreed(plain, html)?, false),
        }
    }
}

fn strip(rendering: &Rendering, answered: Option<&Answered>) -> Stripped {
    quote::strip(rendering.lines.clone(), rendering.from_html, answered)
}

impl Candidate<'_> {
    fn own_texts(&self) -> Vec<String> {
        texts(&self.stripped.own)
    }

    /// Lines that only HTML marks as a signature: the plain text beside it may hold them unmarked.
    fn marked(&self) -> Vec<String> {
        let marked = self.rendering.lines.iter().filter(|line| line.signature && line.depth == 0);
        marked.map(|line| line.text.trim().to_string()).collect()
    }
}

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|line| line.text.trim().to_string()).collect()
}

/// Both renderings are there: they must say the same.
fn agreed<'b>(plain: Candidate<'b>, html: Candidate<'b>) -> Result<Candidate<'b>, BodyDoubt> {
    let (in_plain, in_html) = (plain.own_texts(), html.own_texts());
    if core(&in_plain) == core(&in_html) {
        if plain.stripped.unclear && !html.stripped.unclear {
            // HTML marks quotes by elements, which no wrapping breaks.
            return Ok(html);
        }
        if plain.rendering.format == Format::Fixed && is_rewrap(&in_plain, &in_html) {
            let mut html = html;
            html.stripped.notes.push(Note::Unwrapped);
            return Ok(html);
        }
        return Ok(plain);
    }
    // Some programs write a text part that is blank.
    if in_plain.is_empty() && !plain.stripped.notes.contains(&Note::OnlyQuoted) {
        return Ok(html);
    }
    // Nothing at all stands in the HTML.
    if html.rendering.lines.is_empty() {
        return Ok(plain);
    }
    // In plain text a program spells links and pictures out.
    if bare(&in_plain) == bare(&in_html) {
        return Ok(html);
    }
    if unnumbered(&in_plain) == unnumbered(&in_html) {
        // The numbers of a list are text in the plain one alone; they may be those of questions.
        let counted = |lines: &[String]| lines.iter().filter(|line| is_numbered(line)).count();
        let whole = in_plain.len() == in_html.len() && !plain.stripped.unclear;
        return Ok(if whole && counted(&in_plain) > counted(&in_html) { plain } else { html });
    }
    if is_without_accents(&in_plain, &in_html) {
        return Ok(html);
    }
    let marked = html.marked();
    if !marked.is_empty() {
        let with_marked: Vec<String> = in_html.iter().chain(&marked).cloned().collect();
        if bare(&in_plain) == bare(&with_marked) {
            return Ok(html);
        }
    }
    // The mark above a signature stands in the plain text alone.
    if !plain.stripped.signature.is_empty() {
        let signature = texts(&plain.stripped.signature);
        let signed: Vec<String> = in_plain.iter().chain(&signature).cloned().collect();
        if bare(&signed) == bare(&in_html) {
            return Ok(plain);
        }
        // The same with other words about the same links.
        if below(&in_html, &in_plain).is_some_and(|rest| shares_words(rest, &signature)) {
            return Ok(plain);
        }
    }
    // One of them shows what is quoted where the other one does not.
    if has_quoted_besides(&in_plain, &in_html, &html.stripped) {
        return Ok(html);
    }
    if has_quoted_besides(&in_html, &in_plain, &plain.stripped) {
        return Ok(plain);
    }
    Err(BodyDoubt::Differ { plain: in_plain, html: in_html })
}

/// The lines of `more` below those that say what `own` says; `None` if it does not begin with them.
fn below<'l>(more: &'l [String], own: &[String]) -> Option<&'l [String]> {
    let own = bare(own);
    let mut wanted = own.as_str();
    for (at, line) in more.iter().enumerate() {
        if wanted.is_empty() {
            return Some(&more[at..]);
        }
        wanted = wanted.strip_prefix(bare(std::slice::from_ref(line)).as_str())?;
    }
    None
}

/// Whether most words of `lines` stand in `others` too.
fn shares_words(lines: &[String], others: &[String]) -> bool {
    let text = |lines: &[String]| lines.join(" ").to_lowercase();
    let (text, other) = (text(lines), text(others));
    let words = |text| str::split(text, |c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let known: HashSet<&str> = words(&other).collect();
    let (all, shared) = (words(&text).count(), words(&text).filter(|word| known.contains(word)).count());
    all > 0 && shared * 100 >= all * SHARED_WORDS
}

/// What two renderings of the same words share: letters and digits. Line breaks, emphasis marks and spaces differ.
fn core(lines: &[String]) -> String {
    lines.iter().flat_map(|line| essence(line)).collect()
}

/// The same without addresses of links and pictures.
fn bare(lines: &[String]) -> String {
    essence(&without_links(&lines.join(" "), false)).collect()
}

/// Whether a line begins with the number of a list: `2. `, `2) `.
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.len() > rest.len() && line.len() - rest.len() <= 3 && rest.starts_with([')', '.'])
}

/// The same without the numbers and the alternative words that a program may put in place of a list or a picture.
fn unnumbered(lines: &[String]) -> String {
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| {
            // Outlook spells the sign of a list out.
            if let Some(rest) = line.strip_prefix("o ").or_else(|| line.strip_prefix("o\t")) {
                return rest;
            }
            let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
            if is_numbered(line) { rest } else { line.as_str() }
        })
        .collect();
    essence(&without_links(&lines.join(" "), true)).collect()
}

/// Whether a program wrote `?` in the plain text for letters that its character set lacks, and nothing else differs.
fn is_without_accents(plain: &[String], html: &[String]) -> bool {
    let marks = plain.iter().flat_map(|line| line.chars()).filter(|&c| c == '?').count();
    let (plain, html) = (bare(plain), bare(html));
    let lost = html.chars().filter(|c| !c.is_ascii()).count();
    let kept = html.chars().filter(char::is_ascii);
    plain.is_ascii() && (1..=marks).contains(&lost) && kept.eq(plain.chars())
}

/// Takes out what stands for a link or a picture: `<https://…>`, `<mailto:…>`, `[cid:…]`, `[image: …]`, bare addresses of
/// pages; with `all_brackets` whatever stands between square brackets.
fn without_links(text: &str, all_brackets: bool) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '[']) {
        kept.push_str(&rest[..at]);
        let close = if rest[at..].starts_with('<') { '>' } else { ']' };
        let inner = rest[at + 1..].find(close).map(|end| &rest[at + 1..at + 1 + end]);
        let goes = inner.is_some_and(|inner| {
            let lower = inner.trim().to_lowercase();
            let link = lower.contains("://")
                || lower.contains('@')
                || ["tel:", "cid:", "www."].iter().any(|s| lower.starts_with(s));
            let picture = close == ']'
                && (all_brackets
                    || ["image", "inline image", "bild", "logo", "photo", "picture"]
                        .iter()
                        .any(|s| lower.starts_with(s))
                    || [".png", ".jpg", ".jpeg", ".gif", ".svg"].iter().any(|s| lower.contains(s)));
            link || picture
        });
        match inner.filter(|_| goes) {
            Some(inner) => {
                kept.push(' ');
                rest = &rest[at + 2 + inner.len()..];
            }
            None => {
                kept.push_str(&rest[at..=at]);
                rest = &rest[at + 1..];
            }
        }
    }
    kept.push_str(rest);
    let is_page = |word: &&str| !["http://", "https://", "www."].iter().any(|s| word.starts_with(s));
    kept.split_whitespace().filter(is_page).collect::<Vec<_>>().join(" ")
}

/// Whether `more` says what `own` says and, besides, nothing but what the rendering of `own` shows as quoted.
fn has_quoted_besides(more: &[String], own: &[String], shown: &Stripped) -> bool {
    let own = bare(own);
    let quoted = bare(&texts(&shown.foreign));
    let mut wanted = own.as_str();
    for line in more {
        let line = bare(std::slice::from_ref(line));
        if let Some(rest) = wanted.strip_prefix(line.as_str()) {
            wanted = rest;
        } else if !quoted.contains(&line) {
            return false;
        }
    }
    !own.is_empty() && wanted.is_empty()
}

/// Whether `wrapped` is `whole` with long lines broken where a program breaks them, and nowhere else.
fn is_rewrap(wrapped: &[String], whole: &[String]) -> bool {
    let mut parts = wrapped.iter().peekable();
    let mut rewrapped = false;
    for line in whole {
        let wanted = core(std::slice::from_ref(line));
        let mut got = String::new();
        while got.len() < wanted.len() {
            let Some(part) = parts.next() else { return false };
            got.push_str(&core(std::slice::from_ref(part)));
            if got.len() < wanted.len() {
                let next_word = parts.peek().and_then(|next| next.split_whitespace().next()).unwrap_or_default();
                if part.chars().count() + 1 + next_word.chars().count() < SHORTEST_WRAPPED {
                    return false;
                }
                rewrapped = true;
            }
        }
        if got != wanted {
            return false;
        }
    }
    rewrapped
}

/// Makes order lines of what is left. `alone` says that there was no second rendering, by which wrapped lines would be known.
fn finish(candidate: Candidate<'_>, alone: bool) -> Result<OrderText, BodyDoubt> {
    let Candidate { rendering, stripped } = candidate;
    let undecodable = || BodyDoubt::Undecodable { charset: rendering.charset.clone() };
    if rendering.damaged {
        return Err(undecodable());
    }
    let mut notes = stripped.notes;
    if rendering.from_html && !notes.contains(&Note::Unwrapped) {
        notes.insert(0, Note::FromHtml);
    }
    let own = if alone && !rendering.from_html && rendering.format == Format::Fixed {
        unwrapped(stripped.own, &mut notes)
    } else {
        stripped.own.into_iter().map(|line| (line, Vec::new())).collect()
    };
    // `#1: sioux` names a question.
    let numbers = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let is_comment = |line: &Line| {
        let text = line.text.trim();
        text.starts_with("//") || text.strip_prefix('#').is_some_and(|rest| !numbers(rest))
    };
    if own.iter().any(|(line, _)| is_comment(line)) {
        notes.push(Note::Comments);
    }
    let as_orders = |lines: Vec<(Line, Vec<String>)>| {
        let mut orders = Vec::new();
        for (line, pieces) in lines.into_iter().filter(|(line, _)| !is_comment(line)) {
            let text = line.text.trim();
            // A character that could not be decoded, or the escape of a character set that is not known here.
            if text.chars().any(|c| c == char::REPLACEMENT_CHARACTER || c.is_control()) {
                return None;
            }
            orders.push(OrderLine { text: text.to_string(), line_no: line.no, after_blank: line.after_blank, pieces });
        }
        Some(orders)
    };
    let lines = as_orders(own).ok_or_else(undecodable)?;
    let unread = stripped.unread.into_iter().map(|line| (line, Vec::new())).collect();
    let unread = worth_naming(as_orders(unread).unwrap_or_default());
    if stripped.unclear {
        return Err(BodyDoubt::QuoteUnclear);
    }
    if lines.len() > MAX_ORDER_LINES {
        return Err(BodyDoubt::TooLong(lines.len()));
    }
    Ok(OrderText { lines, unread, notes })
}

/// The lines that may say something: a greeting, or `Regards, Roman` below a quote, is nothing that its writer would miss.
fn worth_naming(lines: Vec<OrderLine>) -> Vec<OrderLine> {
    lines.into_iter().filter(|line| !quote::says_nothing(&line.text)).collect()
}

/// Joins lines that a program has broken: a long line whose next word would not have fitted goes on in the next one. Half an
/// order is worse than two that are taken for one: that one is refused. Each goes with the lines that were joined in it.
fn unwrapped(lines: Vec<Line>, notes: &mut Vec<Note>) -> Vec<(Line, Vec<String>)> {
    let mut joined: Vec<(Line, Vec<String>)> = Vec::new();
    // The last piece as it stood, and its number.
    let mut last: Option<(usize, usize, bool)> = None;
    for line in lines {
        let text = line.text.trim_end();
        let word = text.split_whitespace().next().unwrap_or_default();
        let length = text.chars().count();
        let breaks = last.is_some_and(|(before, no, whole)| {
            !whole
                && line.no == no + 1
                && (SHORTEST_WRAPPED..=LONGEST_WRAPPED).contains(&before)
                && before + 1 + word.chars().count() > WRAP_COLUMN
                && !word.starts_with("//")
                && !word.starts_with(['#', '-', '*', '•'])
                && !is_standing(text)
        });
        let whole = text.ends_with(['.', ';', '!', '?'])
            || text.trim_start().starts_with("//")
            || text.trim_start().starts_with('#');
        last = Some((length, line.no, whole));
        match joined.last_mut() {
            Some((before, pieces)) if breaks => {
                if pieces.is_empty() {
                    pieces.push(before.text.trim().to_owned());
                }
                pieces.push(text.trim().to_owned());
                before.text = format!("{} {}", before.text.trim_end(), text.trim_start());
                if !notes.contains(&Note::Unwrapped) {
                    notes.push(Note::Unwrapped);
                }
            }
            _ => joined.push((line, Vec::new())),
        }
    }
    joined
}

/// Whether a line leaves a standing order, or orders for the next Round: it begins them whatever stands above it.
fn is_standing(text: &str) -> bool {
    let head = Phrase::new(text.split_once(':').map_or("", |(head, _)| head));
    let words: Vec<&str> = head.words().iter().map(|word| word.text.as_str()).collect();
    matches!(words[..], ["standing", _, ..] | ["next", "round"])
}

fn text_size(message: &Message<'_>, parts: &[u32]) -> usize {
    let texts = parts.iter().filter_map(|&id| message.parts.get(id as usize)?.text_contents());
    texts.map(str::len).sum()
}

/// Renders the given parts one after the other; `None` if none of them is text.
fn rendering(message: &Message<'_>, parts: &[u32]) -> Option<Rendering> {
    let mut all: Vec<Line> = Vec::new();
    let mut result =
        Rendering { lines: Vec::new(), charset: None, damaged: false, from_html: false, format: Format::Fixed };
    let mut any = false;
    for part in parts.iter().filter_map(|&id| message.parts.get(id as usize)).filter(|part| is_body_text(part)) {
        let mut lines = match &part.body {
            PartType::Html(text) => {
                result.from_html = true;
                let mut lines = html::lines(text);
                lines.iter_mut().for_each(flowed::take_marks);
                lines
            }
            PartType::Text(text) => {
                result.format = format_of(part);
                flowed::lines(text, result.format)
            }
            _ => continue,
        };
        any = true;
        // What was sent is no base64 though it is called so: nothing of it is left.
        let vanished = lines.iter().all(Line::is_blank) && says_something(message, part);
        result.damaged |= part.is_encoding_problem || (vanished && !result.from_html);
        let charset = part.content_type().and_then(|ct| ct.attribute("charset")).map(str::to_lowercase);
        result.charset = result.charset.take().or(charset);
        let before = all.last().map_or(0, |line| line.no);
        lines.iter_mut().for_each(|line| line.no += before);
        all.extend(lines);
    }
    if !any {
        return None;
    }
    result.lines = all;
    Some(result)
}

/// Whether there is more than white space in a part as it was sent.
fn says_something(message: &Message<'_>, part: &MessagePart<'_>) -> bool {
    let (from, to) = (part.raw_body_offset() as usize, part.raw_end_offset() as usize);
    message.raw_message().get(from..to).is_some_and(|raw| !raw.trim_ascii().is_empty())
}

/// Text that is meant to be read as the message: other kinds of text/* are attachments that a program shows inline.
fn is_body_text(part: &MessagePart<'_>) -> bool {
    part.content_type().is_none_or(|ct| {
        // A part whose type could not be parsed is plain text (RFC 2045 section 5.2).
        !ct.ctype().eq_ignore_ascii_case("text")
            || ct.subtype().is_none_or(|sub| ["plain", "html", "markdown"].iter().any(|s| sub.eq_ignore_ascii_case(s)))
    })
}

pub(super) fn format_of(part: &MessagePart<'_>) -> Format {
    let Some(ct) = part.content_type() else { return Format::Fixed };
    let is = |name: &str, value: &str| ct.attribute(name).is_some_and(|found| found.eq_ignore_ascii_case(value));
    if is("format", "flowed") { Format::Flowed { delsp: is("delsp", "yes") } } else { Format::Fixed }
}

fn is_encrypted(message: &Message<'_>) -> bool {
    let by_type = message.parts.iter().any(|part| {
        part.content_type().is_some_and(|ct| {
            let sub = ct.subtype().unwrap_or_default().to_ascii_lowercase();
            match ct.ctype().to_ascii_lowercase().as_str() {
                "multipart" => sub == "encrypted",
                "application" => {
                    matches!(sub.as_str(), "pkcs7-mime" | "x-pkcs7-mime")
                        && !ct.attribute("smime-type").is_some_and(|kind| kind.eq_ignore_ascii_case("signed-data"))
                }
                _ => false,
            }
        })
    });
    by_type
        || message.text_bodies().any(|part| {
            part.text_contents().is_some_and(|text| text.trim_start().starts_with("-----BEGIN PGP MESSAGE-----"))
        })
}

#[cfg(test)]
mod tests {
    use crate::mail::Incoming;

    fn both(plain: &str, html: &str) -> Vec<String> {
        let raw = format!(
            "From: ben@example.net\nSubject: Re: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; \
             charset=utf-8\n\n{plain}\n--b\nContent-Type: text/html; charset=utf-8\n\n{html}\n--b--\n"
        );
        let orders = Incoming::parse(raw.as_bytes()).unwrap().orders;
        orders.map(|orders| orders.lines.into_iter().map(|line| line.text).collect()).unwrap_or_default()
    }

    #[test]
    fn letters_that_the_plain_text_lacks_and_signs_of_lists_make_no_difference() {
        assert_eq!(
            both("raid utah\nJ?rgen M?ller", "<p>raid utah</p><p>Jürgen Müller</p>"),
            ["raid utah", "Jürgen Müller"]
        );
        assert_eq!(both("raid utah?", "<p>raid utahs?</p>"), [""; 0]);
        assert_eq!(both("o  raid utah\no  pass", "<ul><li>raid utah<li>pass</ul>"), ["raid utah", "pass"]);
    }

    #[test]
    fn an_address_in_a_line_that_html_sets_off_from_the_quote_makes_it_no_heading() {
        let html = "<div>pass, write to ben@example.org from now on</div><div><br></div><div>Sent from my iPhone</div><br>\
                    <blockquote>On 23 Nov 2026, at 9:12, Postrider wrote:<br>q</blockquote>";
        let raw = format!("From: ben@example.net\nSubject: Re: x\nContent-Type: text/html; charset=utf-8\n\n{html}\n");
        let orders = Incoming::parse(raw.as_bytes()).unwrap().orders.unwrap();
        assert_eq!(orders.lines[0].text, "pass, write to ben@example.org from now on");
    }

    #[test]
    fn a_closing_below_the_quote_is_not_missed_and_an_order_there_is_named() {
        let raw = "From: ben@example.net\nSubject: Re: x\n\npass\n\nOn Mon, 23 Nov 2026 at 09:12, Postrider wrote:\n> q\n\n\
                   Regards, Ben\nraid utah\n";
        let orders = Incoming::parse(raw.as_bytes()).unwrap().orders.unwrap();
        let unread: Vec<&str> = orders.unread.iter().map(|line| line.text.as_str()).collect();
        assert_eq!((orders.lines[0].text.as_str(), unread), ("pass", vec!["raid utah"]));
    }
}
