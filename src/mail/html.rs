//! An HTML body as the lines a reader sees, with what the program that wrote it marks as quoted or as a signature.
//!
//! This is no browser. It knows block elements, line breaks, white space, what is not shown, and how Gmail, Outlook,
//! Apple Mail, Thunderbird, Yahoo and Proton Mail mark the message that is answered.

use mail_parser::decoders::html::add_html_token;

use super::flowed::Line;

/// Elements that begin and end a line of their own.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "tr",
    "ul",
];

/// Elements without an end tag.
const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// Elements whose content is text that is never shown; it ends at their own end tag alone.
const RAW: &[&str] = &["script", "style", "title", "textarea", "xmp"];

/// How far up an end tag looks for its start tag. Beyond it is ignored: text then stays quoted rather than becoming
/// the sender's own, and no input makes this slow.
const MAX_SEARCH: usize = 512;

/// What an element does to the text inside it.
#[derive(Clone, Copy, Default)]
struct Effect {
    quote: bool,
    hidden: bool,
    pre: bool,
    signature: bool,
}

/// Turns HTML into lines. `no` counts the lines made, from 1, blank ones left out.
pub(super) fn lines(html: &str) -> Vec<Line> {
    let mut page = Page::default();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        page.text(&rest[..start]);
        rest = &rest[start..];
        let Some(tag) = Tag::read(rest) else {
            // A bare "<", as people write it.
            page.text("<");
            rest = &rest[1..];
            continue;
        };
        rest = &rest[tag.length..];
        if RAW.contains(&tag.name.as_str()) && !tag.closing {
            let end = find_end_tag(rest, &tag.name);
            rest = &rest[end..];
        }
        page.tag(&tag);
    }
    page.text(rest);
    page.end_line();
    page.lines
}

/// The offset of `</name` in any case, or the end.
fn find_end_tag(text: &str, name: &str) -> usize {
    let bytes = text.as_bytes();
    (0..bytes.len())
        .find(|&at| {
            bytes[at..].starts_with(b"</")
                && bytes
                    .get(at + 2..at + 2 + name.len())
                    .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        })
        .unwrap_or(text.len())
}

/// A tag, comment or declaration at the start of a text.
#[derive(Debug, Default)]
struct Tag {
    /// In lower case; empty for comments and declarations.
    name: String,
    closing: bool,
    attributes: Vec<(String, String)>,
    /// Its length in bytes, brackets included.
    length: usize,
}

impl Tag {
    fn read(text: &str) -> Option<Tag> {
        if let Some(comment) = text.strip_prefix("<!--") {
            let end = comment.find("-->").map_or(text.len(), |end| 4 + end + 3);
            return Some(Tag { length: end, ..Tag::default() });
        }
        let after = &text[1..];
        let closing = after.starts_with('/');
        let name_start = 1 + usize::from(closing);
        match text[name_start..].chars().next()? {
            '!' | '?' => {
                let end = text.find('>').map_or(text.len(), |end| end + 1);
                return Some(Tag { length: end, ..Tag::default() });
            }
            c if c.is_ascii_alphabetic() => {}
            _ => return None,
        }
        let name_len = text[name_start..]
            .find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))
            .unwrap_or(text.len() - name_start);
        let mut tag =
            Tag { name: text[name_start..name_start + name_len].to_ascii_lowercase(), closing, ..Tag::default() };
        let mut at = name_start + name_len;
        loop {
            at += text[at..].len() - text[at..].trim_start_matches(|c: char| c.is_whitespace() || c == '/').len();
            let here = &text[at..];
            if here.is_empty() || here.starts_with('>') {
                tag.length = (at + 1).min(text.len());
                return Some(tag);
            }
            let key_len = here.find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/')).unwrap_or(here.len());
            // A stray "=" is a name of length 0: it is stepped over below.
            let key = here[..key_len].to_ascii_lowercase();
            at += key_len;
            let trimmed = text[at..].trim_start();
            let Some(value) = trimmed.strip_prefix('=') else {
                tag.attributes.push((key, String::new()));
                continue;
            };
            let value = value.trim_start();
            at = text.len() - value.len();
            let (content, taken) = match value.chars().next() {
                Some(quote @ ('"' | '\'')) => match value[1..].find(quote) {
                    Some(end) => (&value[1..1 + end], end + 2),
                    None => (&value[1..], value.len()),
                },
                _ => {
                    let end = value.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(value.len());
                    (&value[..end], end)
                }
            };
            tag.attributes.push((key, content.to_ascii_lowercase()));
            at += taken;
        }
    }

    fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    fn has_class(&self, wanted: &[&str]) -> bool {
        self.attribute("class").split_whitespace().any(|class| wanted.contains(&class))
    }

    /// Where the quoted message begins in programs that do not enclose it in an element.
    fn begins_original(&self) -> bool {
        let id = self.attribute("id");
        if matches!(id, "appendonsend" | "divrplyfwdmsg" | "stopspelling" | "mail-editor-reference-message-container") {
            return true;
        }
        // Outlook on the desktop: the rule above "From: … Sent: …" is the border of a div, in one of two colours.
        let style = self.attribute("style").replace([' ', '\t', '\r', '\n'], "");
        self.name == "div"
            && style.contains("border:none")
            && style.contains("border-top:solid")
            && ["#e1e1e1", "#b5c4df"].iter().any(|colour| style.contains(colour))
    }

    fn effect(&self) -> Effect {
        let style = self.attribute("style").replace([' ', '\t', '\r', '\n'], "");
        let id = self.attribute("id");
        Effect {
            quote: self.name == "blockquote"
                || self.has_class(&["gmail_attr", "moz-cite-prefix", "yahoo_quoted", "moz-email-headers-table"])
                || id.starts_with("yahoo_quoted"),
            hidden: matches!(self.name.as_str(), "head" | "template" | "noscript" | "select" | "svg" | "math")
                || RAW.contains(&self.name.as_str())
                || self.attributes.iter().any(|(key, _)| key == "hidden")
                || style.contains("display:none"),
            pre: self.name == "pre" || style.contains("white-space:pre"),
            signature: self.has_class(&[
                "gmail_signature",
                "gmail_signature_prefix",
                "moz-signature",
                "protonmail_signature_block",
            ]) || matches!(id, "signature" | "ms-outlook-mobile-signature" | "applemailsignature"),
        }
    }
}

/// What holds at a place: the effects of every element around it.
#[derive(Clone, Copy, Default)]
struct Inside {
    quotes: usize,
    hidden: bool,
    pre: bool,
    signature: bool,
}

impl Inside {
    fn within(self, effect: Effect) -> Inside {
        Inside {
            quotes: self.quotes + usize::from(effect.quote),
            hidden: self.hidden || effect.hidden,
            pre: self.pre || effect.pre,
            signature: self.signature || effect.signature,
        }
    }
}

/// The lines made so far, and where we are.
#[derive(Default)]
struct Page {
    lines: Vec<Line>,
    current: String,
    /// Whether `current` holds signature text.
    signature: bool,
    /// The open elements, outermost first.
    open: Vec<(String, Inside)>,
    /// Set once the original message has begun without an element around it.
    original: bool,
}

impl Page {
    fn inside(&self) -> Inside {
        self.open.last().map(|(_, inside)| *inside).unwrap_or_default()
    }

    fn depth(&self) -> usize {
        self.inside().quotes + usize::from(self.original)
    }

    fn close(&mut self, name: &str) {
        let from_top = self.open.iter().rev().take(MAX_SEARCH);
        let found = if BLOCKS.contains(&name) {
            from_top.into_iter().position(|(open, _)| open == name)
        } else {
            // An inline end tag closes nothing beyond the block it stands in (HTML 13.2.6.4.7, "any other end tag").
            from_top.take_while(|(open, _)| !BLOCKS.contains(&open.as_str())).position(|(open, _)| open == name)
        };
        if let Some(levels) = found {
            self.open.truncate(self.open.len() - levels - 1);
        }
    }

    fn end_line(&mut self) {
        let text = std::mem::take(&mut self.current);
        if !text.trim().is_empty() {
            let no = self.lines.len() + 1;
            self.lines.push(Line { depth: self.depth(), text, no, signature: self.signature });
        }
        self.signature = false;
    }

    /// White space between words: one space, none at the beginning.
    fn space(&mut self) {
        if !self.current.is_empty() && !self.current.ends_with(' ') {
            self.current.push(' ');
        }
    }

    fn tag(&mut self, tag: &Tag) {
        let name = tag.name.as_str();
        match name {
            "" => return,
            "br" => return self.end_line(),
            "td" | "th" => self.space(),
            _ if BLOCKS.contains(&name) => self.end_line(),
            _ => {}
        }
        if tag.closing {
            return self.close(name);
        }
        // These end tags may be left out.
        let implied = |(open, _): &(String, Inside)| match open.as_str() {
            "p" => BLOCKS.contains(&name),
            "li" => name == "li",
            _ => false,
        };
        if self.open.last().is_some_and(implied) {
            self.open.pop();
        }
        if tag.begins_original() {
            self.end_line();
            self.original = true;
        }
        if !VOID.contains(&name) {
            let effect = tag.effect();
            if effect.quote || effect.signature {
                self.end_line();
            }
            self.open.push((tag.name.clone(), self.inside().within(effect)));
        }
    }

    fn text(&mut self, raw: &str) {
        let Inside { hidden, pre, signature, .. } = self.inside();
        if raw.is_empty() || hidden {
            return;
        }
        for c in decoded(raw).chars() {
            match c {
                '\n' if pre => self.end_line(),
                // A reference to a non-breaking space keeps it: it is no white space to HTML.
                ' ' | '\t' | '\n' | '\r' | '\u{c}' if !pre => {
                    self.space();
                }
                '\r' => {}
                _ => {
                    self.current.push(c);
                    self.signature |= signature;
                }
            }
        }
    }
}

/// Resolves character references (`&amp;`, `&#8217;`).
fn decoded(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(start) = rest.find('&') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        // The longest name is 31 letters; beyond that the "&" stands for itself.
        let end = rest.bytes().take(34).position(|byte| byte == b';');
        match end {
            Some(end) if end > 1 && rest[1..end].bytes().all(|c| c.is_ascii_alphanumeric() || c == b'#') => {
                add_html_token(&mut text, &rest.as_bytes()[..=end], false);
                rest = &rest[end + 1..];
            }
            _ => {
                text.push('&');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &str) -> Vec<(usize, String)> {
        lines(html).into_iter().map(|line| (line.depth, line.text.trim().to_string())).collect()
    }

    fn own(html: &str) -> Vec<String> {
        read(html).into_iter().filter(|(depth, _)| *depth == 0).map(|(_, text)| text).collect()
    }

    #[test]
    fn blocks_and_breaks_make_lines() {
        assert_eq!(
            own("<div>refuse  treaty\n navajo</div><div>pass<br>evade</div>x"),
            ["refuse treaty navajo", "pass", "evade", "x"]
        );
        assert_eq!(own("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>"), ["a b", "c"]);
        assert_eq!(own("<pre>one\n  two</pre>"), ["one", "two"]);
    }

    #[test]
    fn entities_and_bare_signs() {
        assert_eq!(own("a &amp; b &lt;c&gt; d&#8217;e &eacute;&#xE9;"), ["a & b <c> d’e éé"]);
        assert_eq!(own("2 < 3 & 4 &unknown; &;"), ["2 < 3 & 4 &unknown; &;"]);
    }

    #[test]
    fn what_is_not_shown_is_not_read() {
        let html = "<head><title>no</title><style>p > a {}</style></head><!-- no <p>no</p> -->\
            <!--[if mso]>no<![endif]--><script>if (a<b) no()</script><span style='display: none'>no</span>yes";
        assert_eq!(own(html), ["yes"]);
    }

    #[test]
    fn quotes_are_seen_in_every_dress() {
        for html in [
            "pass<blockquote type=cite>q</blockquote>",
            "pass<div class=\"gmail_quote gmail_quote_container\"><div dir=ltr class='x gmail_attr'>q</div>\
             <blockquote class=\"gmail_quote\">q</blockquote></div>",
            "pass<div id=\"yahoo_quoted_123\" class=\"yahoo_quoted\"><div>q</div></div>",
            "pass<div id=appendonsend></div><hr>q<div>q</div>",
            "<p>pass</p><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p>q</p></div><p>q</p>",
        ] {
            assert_eq!(own(html), ["pass"], "{html}");
            assert!(read(html).iter().any(|(depth, text)| *depth > 0 && text == "q"), "{html}");
        }
        assert_eq!(own("<blockquote>q</blockquote>between<blockquote>q</blockquote>"), ["between"]);
    }

    #[test]
    fn careless_nesting_does_not_free_quoted_text() {
        for html in [
            "pass<span><blockquote>q</span>q</blockquote>",
            "pass<blockquote>q<p>q<p>q</p></p>q</blockquote>",
            "pass<p style='display:none'>hidden<p>pass",
        ] {
            assert!(own(html).iter().all(|text| text == "pass"), "{html}");
        }
        let unclosed = "<font>".repeat(1000) + "pass<blockquote>q</blockquote>pass";
        assert_eq!(own(&unclosed), ["pass", "pass"]);
    }

    #[test]
    fn broken_html_ends() {
        for html in
            ["<", "<a", "<a href", "<a href=", "<a href=\"", "</", "<!--", "<style>", "&", "&#x;", "<=>", "<a =b>"]
        {
            lines(html);
        }
        let deep = "<div>".repeat(100_000) + "pass";
        assert_eq!(own(&deep), ["pass"]);
    }
}
