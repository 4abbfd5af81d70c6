//! Finding the order text in a reply.

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::{
    flowed::{self, Format, Line},
    html,
    order_text::{BodyDoubt, MAX_BODY_BYTES, MAX_ORDER_LINES, Note, OrderLine, OrderText},
    quote::{self, Stripped},
};

/// One rendering of the body, stripped.
struct Candidate {
    stripped: Stripped,
    charset: Option<String>,
    damaged: bool,
    /// Lines that only HTML marks as a signature: the plain text beside it may hold them unmarked.
    marked: Vec<String>,
    from_html: bool,
    format: Format,
}

/// Finds the order lines of a message.
pub(super) fn order_text(message: &Message<'_>) -> Result<OrderText, BodyDoubt> {
    if is_encrypted(message) {
        return Err(BodyDoubt::Encrypted);
    }
    let size = [&message.text_body, &message.html_body].map(|parts| text_size(message, parts)).into_iter().max();
    if let Some(size) = size.filter(|&size| size > MAX_BODY_BYTES) {
        return Err(BodyDoubt::TooLarge(size));
    }
    let plain = candidate(message, &message.text_body);
    let html = candidate(message, &message.html_body);
    let same_parts = message.text_body == message.html_body;
    let chosen = match (plain, html) {
        (None, None) => return Err(BodyDoubt::NoText),
        (Some(one), None) | (None, Some(one)) => one,
        (Some(plain), Some(_)) if same_parts => plain,
        (Some(plain), Some(html)) => agreed(plain, html)?,
    };
    finish(chosen)
}

/// Both renderings are there: they must say the same.
fn agreed(plain: Candidate, html: Candidate) -> Result<Candidate, BodyDoubt> {
    let (in_plain, in_html) = (own_texts(&plain), own_texts(&html));
    let with_marked: Vec<String> = in_html.iter().chain(&html.marked).cloned().collect();
    if essence(&in_plain) == essence(&in_html) {
        if plain.stripped.unclear && !html.stripped.unclear {
            // HTML marks quotes by elements, which no wrapping breaks.
            return Ok(html);
        }
        if plain.format == Format::Fixed && is_rewrap(&in_plain, &in_html) {
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
    if !html.marked.is_empty() && essence(&in_plain) == essence(&with_marked) {
        return Ok(html);
    }
    Err(BodyDoubt::Differ { plain: in_plain, html: in_html })
}

fn own_texts(candidate: &Candidate) -> Vec<String> {
    candidate.stripped.own.iter().map(|line| line.text.trim().to_string()).collect()
}

/// What two renderings of the same words share: letters and digits. Line breaks, emphasis marks and spaces differ.
fn essence(lines: &[String]) -> String {
    lines.iter().flat_map(|line| line.chars()).filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether `wrapped` is `whole` with long lines broken where a program breaks them, and nowhere else.
fn is_rewrap(wrapped: &[String], whole: &[String]) -> bool {
    /// Programs break at 65 columns or later.
    const SHORTEST: usize = 60;
    let mut parts = wrapped.iter().peekable();
    let mut rewrapped = false;
    for line in whole {
        let wanted = essence(std::slice::from_ref(line));
        let mut got = String::new();
        while got.len() < wanted.len() {
            let Some(part) = parts.next() else { return false };
            got.push_str(&essence(std::slice::from_ref(part)));
            if got.len() < wanted.len() {
                let next_word = parts.peek().and_then(|next| next.split_whitespace().next()).unwrap_or_default();
                if part.chars().count() + 1 + next_word.chars().count() < SHORTEST {
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

fn finish(candidate: Candidate) -> Result<OrderText, BodyDoubt> {
    if candidate.damaged {
        return Err(BodyDoubt::Undecodable { charset: candidate.charset });
    }
    let mut notes = candidate.stripped.notes;
    if candidate.from_html && !notes.contains(&Note::Unwrapped) {
        notes.insert(0, Note::FromHtml);
    }
    let mut lines = Vec::new();
    for line in candidate.stripped.own {
        let text = line.text.trim();
        if text.starts_with("//") || text.starts_with('#') {
            if !notes.contains(&Note::Comments) {
                notes.push(Note::Comments);
            }
            continue;
        }
        // A character that could not be decoded, or the escape of a character set that is not known here.
        if text.chars().any(|c| c == char::REPLACEMENT_CHARACTER || c.is_control()) {
            return Err(BodyDoubt::Undecodable { charset: candidate.charset });
        }
        lines.push(OrderLine { text: text.to_string(), line_no: line.no });
    }
    if candidate.stripped.unclear {
        return Err(BodyDoubt::QuoteUnclear);
    }
    if lines.len() > MAX_ORDER_LINES {
        return Err(BodyDoubt::TooLong(lines.len()));
    }
    Ok(OrderText { lines, notes })
}

fn text_size(message: &Message<'_>, parts: &[u32]) -> usize {
    let texts = parts.iter().filter_map(|&id| message.parts.get(id as usize)?.text_contents());
    texts.map(str::len).sum()
}

/// Renders the given parts one after the other; `None` if none of them is text.
fn candidate(message: &Message<'_>, parts: &[u32]) -> Option<Candidate> {
    let mut all: Vec<Line> = Vec::new();
    let mut result = Candidate {
        stripped: Stripped::default(),
        charset: None,
        damaged: false,
        marked: Vec::new(),
        from_html: false,
        format: Format::Fixed,
    };
    let mut any = false;
    for part in parts.iter().filter_map(|&id| message.parts.get(id as usize)).filter(|part| is_body_text(part)) {
        let mut lines = match &part.body {
            PartType::Html(text) => {
                result.from_html = true;
                html::lines(text)
            }
            PartType::Text(text) => {
                result.format = format_of(part);
                flowed::lines(text, result.format)
            }
            _ => continue,
        };
        any = true;
        result.damaged |= part.is_encoding_problem;
        let charset = part.content_type().and_then(|ct| ct.attribute("charset")).map(str::to_lowercase);
        result.charset = result.charset.take().or(charset);
        let before = all.last().map_or(0, |line| line.no);
        lines.iter_mut().for_each(|line| line.no += before);
        all.extend(lines);
    }
    if !any {
        return None;
    }
    result.marked =
        all.iter().filter(|line| line.signature && line.depth == 0).map(|line| line.text.trim().to_string()).collect();
    result.stripped = quote::strip(all);
    Some(result)
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
