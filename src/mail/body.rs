//! Extraction of the order text from a reply.

use std::{borrow::Cow, collections::HashSet};

use mail_parser::{
    Encoding, Message, MessagePart, MimeHeaders, PartType,
    decoders::{base64::base64_decode, charsets::map::charset_decoder, quoted_printable::quoted_printable_decode},
};

use super::{
    answered::{Answered, essence},
    flowed::{self, Format, Line},
    html,
    order_text::{BodyDoubt, MAX_BODY_BYTES, MAX_ORDER_LINES, Marked, Note, OrderLine, OrderText},
    quote::{self, Stripped},
};

/// Minimum share of common words in two versions of a signature, in percent.
const SHARED_WORDS: usize = 70;

/// The text of a message in its renderings, before anything is removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body {
    doubt: Option<BodyDoubt>,
    plain: Option<Rendering>,
    /// `None` also if the plain text is the only rendering.
    html: Option<Rendering>,
}

/// A rendering of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rendering {
    lines: Vec<Line>,
    charset: Option<String>,
    damaged: bool,
    /// `true` if a part was decoded in another character set than the stated one.
    other_charset: bool,
    from_html: bool,
}

/// A rendering after quoted lines and the signature were removed.
struct Candidate<'b> {
    rendering: &'b Rendering,
    stripped: Stripped,
}

impl Body {
    /// Creates the body of a message that is too large to be read.
    pub(super) fn too_large() -> Body {
        Body { doubt: Some(BodyDoubt::MessageTooLarge), plain: None, html: None }
    }

    /// Extracts the text of a message.
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

    /// Finds the order lines. `answered` is the letter to which the mail replies, if available.
    pub(super) fn order_text(&self, answered: Option<&Answered>) -> Result<OrderText, BodyDoubt> {
        if let Some(doubt) = &self.doubt {
            return Err(doubt.clone());
        }
        let candidate = |rendering| Candidate { rendering, stripped: strip(rendering, answered) };
        match (self.plain.as_ref().map(candidate), self.html.as_ref().map(candidate)) {
            (None, None) => Err(BodyDoubt::NoText),
            (Some(one), None) | (None, Some(one)) => finish(one),
            (Some(plain), Some(html)) => finish(agreed(plain, html)?),
        }
    }
}

fn strip(rendering: &Rendering, answered: Option<&Answered>) -> Stripped {
    quote::strip(rendering.lines.clone(), answered)
}

impl Candidate<'_> {
    fn own_texts(&self) -> Vec<String> {
        texts(&self.stripped.own)
    }

    /// Returns the lines that only the HTML marks as a signature. They may be unmarked in the plain
    /// text.
    fn marked(&self) -> Vec<String> {
        let marked = self.rendering.lines.iter().filter(|line| line.signature && line.depth == 0);
        marked.map(|line| line.text.trim().to_string()).collect()
    }
}

fn texts<'l>(lines: impl IntoIterator<Item = &'l Line>) -> Vec<String> {
    lines.into_iter().map(|line| line.text.trim().to_string()).collect()
}

/// Chooses between two renderings of the same words. HTML is preferred, because the writer saw it:
/// it shows where lines end, and what is quoted or struck out.
///
/// # Errors
/// [`BodyDoubt::Differ`] if they do not contain the same words.
fn agreed<'b>(plain: Candidate<'b>, html: Candidate<'b>) -> Result<Candidate<'b>, BodyDoubt> {
    let (in_plain, in_html) = (plain.own_texts(), html.own_texts());
    // Some programs write an empty text part.
    if in_plain.is_empty() && !plain.stripped.notes.contains(&Note::OnlyQuoted) {
        return Ok(html);
    }
    // The HTML is empty.
    if html.rendering.lines.is_empty() {
        return Ok(plain);
    }
    if bare(&in_plain) == bare(&in_html) {
        // Only the plain text contains the numbers of a list, which may be those of questions.
        let counted = |lines: &[String]| lines.iter().filter(|line| is_numbered(line)).count();
        let whole = in_plain.len() == in_html.len();
        return Ok(if whole && counted(&in_plain) > counted(&in_html) { plain } else { html });
    }
    if is_without_accents(&in_plain, &in_html) {
        return Ok(html);
    }
    // Text that is hidden or marked as a signature in the HTML is either unmarked in the plain text
    // or missing there.
    let shown = texts(html.stripped.own.iter().filter(|line| line.marked.is_none()));
    let with_signature: Vec<String> = in_html.iter().cloned().chain(html.marked()).collect();
    if [shown, with_signature].iter().any(|said| bare(&in_plain) == bare(said)) {
        return Ok(html);
    }
    // Only the plain text contains the separator above a signature.
    if !plain.stripped.signature.is_empty() {
        let signature = texts(&plain.stripped.signature);
        let signed: Vec<String> = in_plain.iter().chain(&signature).cloned().collect();
        // Also if the signatures differ in the words around the same links.
        let signs = || below(&in_html, &in_plain).is_some_and(|rest| shares_words(rest, &signature));
        if bare(&signed) == bare(&in_html) || signs() {
            return Ok(plain);
        }
    }
    // One of them marks quoted text that is unmarked in the other.
    if has_quoted_besides(&in_plain, &in_html, &html.stripped) {
        return Ok(html);
    }
    if has_quoted_besides(&in_html, &in_plain, &plain.stripped) {
        return Ok(plain);
    }
    Err(BodyDoubt::Differ { plain: in_plain, html: in_html })
}

/// Returns the lines of `more` after those with the words of `own`, or `None` if it does not begin
/// with those.
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

/// Returns `true` if most words of `lines` also occur in `others`.
fn shares_words(lines: &[String], others: &[String]) -> bool {
    let text = |lines: &[String]| lines.join(" ").to_lowercase();
    let (text, other) = (text(lines), text(others));
    let words = |text| str::split(text, |c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let known: HashSet<&str> = words(&other).collect();
    let (all, shared) = (words(&text).count(), words(&text).filter(|word| known.contains(word)).count());
    all > 0 && shared * 100 >= all * SHARED_WORDS
}

/// Returns the letters and digits that two renderings of the same words share. Line breaks,
/// emphasis and spaces may differ, as may addresses of links and pictures, and list numbers and
/// bullets.
fn bare(lines: &[String]) -> String {
    let unlisted = |line: &String| {
        // Outlook writes a bullet as the letter o.
        let rest = line.strip_prefix("o ").or_else(|| line.strip_prefix("o\t")).unwrap_or(line);
        if is_numbered(rest) { rest.trim_start_matches(|c: char| c.is_ascii_digit()) } else { rest }.to_owned()
    };
    let lines: Vec<String> = lines.iter().map(unlisted).collect();
    essence(&without_links(&lines.join(" "))).collect()
}

/// Returns `true` if a line begins with a list number: `2. `, `2) `.
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.len() > rest.len() && line.len() - rest.len() <= 3 && rest.starts_with([')', '.'])
}

/// Returns `true` if the only difference is `?` in the plain text for letters that its character
/// set lacks.
fn is_without_accents(plain: &[String], html: &[String]) -> bool {
    let marks = plain.iter().flat_map(|line| line.chars()).filter(|&c| c == '?').count();
    let (plain, html) = (bare(plain), bare(html));
    let lost = html.chars().filter(|c| !c.is_ascii()).count();
    let kept = html.chars().filter(char::is_ascii);
    plain.is_ascii() && (1..=marks).contains(&lost) && kept.eq(plain.chars())
}

/// Removes links and pictures: `<https://…>`, `<mailto:…>`, `[cid:…]`, and plain web addresses.
fn without_links(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '[']) {
        kept.push_str(&rest[..at]);
        let close = if rest[at..].starts_with('<') { '>' } else { ']' };
        let inner = rest[at + 1..].find(close).map(|end| &rest[at + 1..at + 1 + end]);
        let is_link = |inner: &&str| {
            let lower = inner.trim().to_lowercase();
            close == ']' || ["://", "@", "tel:", "cid:", "www."].iter().any(|sign| lower.contains(sign))
        };
        kept.push(' ');
        rest = &rest[at + 1 + inner.filter(is_link).map_or(0, |inner| inner.len() + 1)..];
    }
    kept.push_str(rest);
    let is_page = |word: &&str| !["http://", "https://", "www."].iter().any(|s| word.starts_with(s));
    kept.split_whitespace().filter(is_page).collect::<Vec<_>>().join(" ")
}

/// Returns `true` if `more` consists of the words of `own` and lines that `shown`, the rendering of
/// `own`, marks as quoted.
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

/// Converts the sender's own lines to order lines.
fn finish(candidate: Candidate<'_>) -> Result<OrderText, BodyDoubt> {
    let Candidate { rendering, stripped } = candidate;
    let mut notes = stripped.notes;
    if rendering.other_charset {
        notes.push(Note::OtherCharset);
    }
    let lines = stripped.own;
    if rendering.damaged || lines.iter().any(|line| is_damaged(line.text.trim())) {
        return Err(BodyDoubt::Undecodable { charset: rendering.charset.clone() });
    }
    if lines.len() > MAX_ORDER_LINES {
        return Err(BodyDoubt::TooLong(lines.len()));
    }
    let line =
        |Line { text, after_blank, marked, .. }: Line| OrderLine { text: text.trim().to_owned(), after_blank, marked };
    let signature = stripped.signature.into_iter().filter(|line| !line.is_blank() && line.text != "-- ");
    let signature = signature.map(|signs| OrderLine { marked: Some(Marked::Signature), ..line(signs) });
    Ok(OrderText { lines: lines.into_iter().map(line).collect(), signature: signature.collect(), notes })
}

/// Returns `true` if a text contains a character that could not be decoded, or the escape of an
/// unknown character set.
fn is_damaged(text: &str) -> bool {
    text.chars().any(|c| c == char::REPLACEMENT_CHARACTER || c.is_control() && !c.is_whitespace())
}

/// Decodes a part that is not in its stated character set, as UTF-8 or Windows-1252. Returns `None`
/// if it is neither.
fn in_other_charset(message: &Message<'_>, part: &MessagePart<'_>) -> Option<String> {
    let raw = raw_body(message, part)?;
    let bytes = match part.encoding {
        Encoding::None => raw.to_vec(),
        Encoding::QuotedPrintable => quoted_printable_decode(raw)?,
        Encoding::Base64 => base64_decode(raw)?,
    };
    if let Ok(text) = std::str::from_utf8(&bytes) {
        return Some(text.to_owned());
    }
    let text = charset_decoder(b"windows-1252")?(&bytes);
    let is_utf8 = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    (!is_utf8 && !is_damaged(&text)).then_some(text)
}

fn text_size(message: &Message<'_>, parts: &[u32]) -> usize {
    let texts = parts.iter().filter_map(|&id| message.parts.get(id as usize)?.text_contents());
    texts.map(str::len).sum()
}

/// Renders the given parts in sequence. Returns `None` if none of them is text.
fn rendering(message: &Message<'_>, parts: &[u32]) -> Option<Rendering> {
    let mut all: Vec<Line> = Vec::new();
    let mut result =
        Rendering { lines: Vec::new(), charset: None, damaged: false, other_charset: false, from_html: false };
    let mut any = false;
    for part in parts.iter().filter_map(|&id| message.parts.get(id as usize)).filter(|part| is_body_text(part)) {
        let (PartType::Html(text) | PartType::Text(text)) = &part.body else { continue };
        let other = if is_damaged(text) { in_other_charset(message, part) } else { None };
        result.other_charset |= other.is_some();
        let text = other.map_or(Cow::Borrowed(&**text), Cow::Owned);
        let mut lines = match &part.body {
            PartType::Html(_) => {
                result.from_html = true;
                let mut lines = html::lines(&text);
                lines.iter_mut().for_each(flowed::take_marks);
                lines
            }
            _ => flowed::lines(&text, format_of(part)),
        };
        any = true;
        // The part is labeled as Base64 but is not, so that nothing was decoded.
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

/// Returns `true` if the encoded part contains more than white space.
fn says_something(message: &Message<'_>, part: &MessagePart<'_>) -> bool {
    raw_body(message, part).is_some_and(|raw| !raw.trim_ascii().is_empty())
}

fn raw_body<'m>(message: &'m Message<'_>, part: &MessagePart<'_>) -> Option<&'m [u8]> {
    message.raw_message().get(part.raw_body_offset() as usize..part.raw_end_offset() as usize)
}

/// Returns `true` for text that is part of the message. Other types of text/* are attachments that
/// programs show inline.
fn is_body_text(part: &MessagePart<'_>) -> bool {
    part.content_type().is_none_or(|ct| {
        // A part whose type is invalid is plain text (RFC 2045 section 5.2).
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
    use crate::{BodyDoubt, Incoming, Marked, Note};

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
    fn lines_are_joined_where_the_html_says_so_and_struck_ones_stay_struck() {
        let order = "play raid: comanche raid mexico with quanah parker and four war parties from texas";
        let wrapped = order.replace(" from", "\nfrom");
        assert_eq!(both(&wrapped, &format!("<p>{order}</p>")), [order]);
        let orders = |raw: String| Incoming::parse(raw.as_bytes()).unwrap().orders.unwrap();
        let alone = orders(format!("From: ben@example.net\n\n{wrapped}\n"));
        assert_eq!(alone.lines.len(), 2, "nothing says that they are one");
        let html = "From: ben@example.net\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n1a\n1b\n--b\n\
                    Content-Type: text/html\n\n<p><s>1a</s></p><p>1b</p>\n--b--\n";
        let marks: Vec<_> = orders(html.to_owned()).lines.into_iter().map(|line| line.marked).collect();
        assert_eq!(marks, [Some(Marked::Struck), None]);
    }

    #[test]
    fn a_text_that_is_not_in_its_character_set_is_read_as_windows_1252() {
        for charset in ["utf-8", "us-ascii", "x-no-such-set", "iso-8859-8"] {
            for (coding, text) in [("8bit", &b"gr\xfc\xdfe \x96 1a"[..]), ("quoted-printable", b"gr=FC=DFe =96 1a")] {
                let head = format!(
                    "From: ben@example.net\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {coding}\n\n"
                );
                let orders = Incoming::parse(&[head.as_bytes(), text].concat()).unwrap().orders.unwrap();
                assert_eq!(orders.lines[0].text, "grüße – 1a", "{charset} {coding}");
                assert_eq!(orders.notes.contains(&Note::OtherCharset), charset != "us-ascii", "{charset}");
            }
        }
        let damaged = b"From: ben@example.net\nContent-Type: text/plain; charset=utf-8\n\ngr\xc3\xbc\xdfe\n";
        let charset = Some("utf-8".to_owned());
        assert_eq!(Incoming::parse(damaged).unwrap().orders, Err(BodyDoubt::Undecodable { charset }));
    }
}
