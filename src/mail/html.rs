//! Conversion of an HTML body to the lines that a reader sees, including the marks for quotes and
//! signatures set by mail programs.
//!
//! This is not a browser. It handles block elements, line breaks, white space, hidden content, and
//! the ways in which Gmail, Outlook, Apple Mail, Thunderbird, Yahoo and Proton Mail mark the
//! original message.

use std::{borrow::Cow, collections::HashMap};

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use super::{
    flowed::{Line, ends_line},
    order_text::Marked,
};

/// Elements that begin and end a line.
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

/// Elements whose content is not text.
const NO_TEXT: &[&str] = &["head", "script", "style", "svg", "title"];

/// Elements whose content most mail programs do not show.
const HIDDEN: &[&str] = &["iframe", "math", "noembed", "noframes", "noscript", "select", "template", "textarea", "xmp"];

/// Elements that show something other than text. They are represented by U+FFFC (object replacement
/// character).
const SHOWN_OTHERWISE: &[&str] = &["audio", "canvas", "embed", "object", "svg", "video"];

/// Number of open elements searched for the start tag of an end tag. If it is not found, the end
/// tag is ignored: text then stays quoted instead of becoming the sender's own, and no input is
/// slow.
const MAX_SEARCH: usize = 512;

/// The beginnings of style rules that hide an element.
const OUT_OF_SIGHT: &[&str] = &[
    "display:none",
    "visibility:hidden",
    "mso-hide:all",
    "color:transparent",
    "left:-9",
    "text-indent:-9",
    "font-size:0",
    "font-size:1p",
    "opacity:0",
    "max-height:0",
    "max-width:0",
    "height:0",
    "width:0",
];

/// Returns `true` if a style rule hides an element; `font-size:0.9em` and `opacity:0.8` do not.
fn hides(rule: &str) -> bool {
    OUT_OF_SIGHT.iter().any(|begins| {
        rule.strip_prefix(begins).is_some_and(|rest| {
            !rest.trim_start_matches(['.', '0']).starts_with(|c: char| c.is_ascii_digit()) || begins.contains(":-9")
        })
    })
}

/// The effect of an element on the text inside it.
#[derive(Clone, Copy, Default)]
struct Effect {
    quote: bool,
    no_text: bool,
    marked: Option<Marked>,
    /// Letters in this font are symbols: Outlook writes J for a smiley.
    symbols: bool,
    pre: bool,
    signature: bool,
}

/// Converts HTML to lines. `no` is the number of the line, counted from 1, without blank lines.
pub(super) fn lines(html: &str) -> Vec<Line> {
    let mut emitter = DefaultEmitter::default();
    // The content of `<style>` and similar elements is text up to their end tag.
    emitter.naively_switch_states(true);
    let mut page = Page { sheet: Sheet::of(html), ..Page::default() };
    for token in Tokenizer::new_with_emitter(html, emitter) {
        // Reading from memory cannot fail.
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => page.start(Tag::new(&tag)),
            Token::EndTag(tag) => page.end(&text_of(&tag.name)),
            Token::String(text) => page.text(&text_of(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    page.end_line();
    page.lines
}

/// Converts the tokenizer's bytes back to text; the HTML was valid text.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// A start tag.
struct Tag {
    /// The name in lower case.
    name: String,
    /// Names and values in lower case.
    attributes: Vec<(String, String)>,
}

impl Tag {
    fn new(tag: &StartTag<()>) -> Tag {
        let attributes = tag.attributes.iter();
        Tag {
            name: text_of(&tag.name).into_owned(),
            attributes: attributes
                .map(|(name, value)| (text_of(name).into_owned(), text_of(value).to_ascii_lowercase()))
                .collect(),
        }
    }

    fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    fn has_class(&self, wanted: &[&str]) -> bool {
        self.attribute("class").split_whitespace().any(|class| wanted.contains(&class))
    }

    /// Returns `true` if the quoted message begins here, in programs that do not enclose it in an
    /// element.
    fn begins_original(&self) -> bool {
        // Outlook on the web puts "x_" before ids that it found in the original message.
        let id = self.attribute("id").trim_start_matches("x_");
        let known = ["divrplyfwdmsg", "stopspelling", "mail-editor-reference-message-container", "zwchr"];
        if known.contains(&id) {
            return true;
        }
        // Outlook on the desktop: the rule above "From: … Sent: …" is the border of a div, in one
        // of two colors or in the color of a theme.
        let style = self.attribute("style").replace([' ', '\t', '\r', '\n'], "");
        self.name == "div"
            && style.contains("border:none")
            && style.contains("border-top:solid")
            && ["#e1e1e1", "#b5c4df", "1.0pt;padding:3.0pt"].iter().any(|sign| style.contains(sign))
    }

    /// Returns `true` if Outlook on the web would put the original here. Text that the sender types
    /// after it is above the rule that follows.
    fn precedes_original(&self) -> bool {
        self.attribute("id").trim_start_matches("x_") == "appendonsend"
    }

    /// Returns `true` for the element that Gmail and others use for a paragraph indented by hand.
    fn is_indentation(&self) -> bool {
        let style = self.attribute("style").replace(' ', "");
        let no_border = ["border:none", "border:medium", "border:0"].iter().any(|rule| style.contains(rule));
        no_border
            && !style.contains("border-left")
            && self.attribute("type").is_empty()
            && self.attribute("class").is_empty()
    }

    fn effect(&self, sheet: &Sheet) -> Effect {
        let style = self.attribute("style").replace([' ', '\t', '\r', '\n'], "");
        let id = self.attribute("id");
        Effect {
            quote: (self.name == "blockquote" && !self.is_indentation())
                || self.has_class(&["gmail_attr", "moz-cite-prefix", "yahoo_quoted", "moz-email-headers-table"])
                || id.starts_with("yahoo_quoted"),
            no_text: NO_TEXT.contains(&self.name.as_str()),
            marked: if HIDDEN.contains(&self.name.as_str())
                || self.attributes.iter().any(|(key, _)| key == "hidden")
                || style.split(';').any(hides)
                || sheet.marks(self) == Some(Marked::Hidden)
            {
                Some(Marked::Hidden)
            } else if matches!(self.name.as_str(), "s" | "del" | "strike")
                || style.contains("line-through")
                || sheet.marks(self) == Some(Marked::Struck)
            {
                Some(Marked::Struck)
            } else {
                None
            },
            symbols: style.contains("font-family:wingdings"),
            pre: self.name == "pre" || style.contains("white-space:pre"),
            signature: self.has_class(&[
                "gmail_signature",
                "gmail_signature_prefix",
                "moz-signature",
                "protonmail_signature_block",
            ]) || matches!(
                id,
                "signature" | "ms-outlook-mobile-signature" | "applemailsignature" | "composer_signature"
            ) || self.attribute("name") == "messagesignaturesection",
        }
    }
}

/// The classes and ids that a page's style rules hide or strike out, each by its first rule.
#[derive(Default)]
struct Sheet(HashMap<String, Marked>);

impl Sheet {
    /// Reads the style rules of a page. Every class or id in a selector counts as hidden, even if
    /// only together with others. The cost of an error is small: the sender must confirm the text
    /// with `yes`.
    fn of(html: &str) -> Sheet {
        let lower = html.to_ascii_lowercase();
        let mut names = HashMap::new();
        for block in lower.split("<style").skip(1) {
            let block = block.split("</style").next().unwrap_or_default();
            for rule in block.split('}') {
                // Within `@media (…) {`, the selector follows the last brace.
                let Some((selector, style)) = rule.rsplit_once('{') else { continue };
                let selector = selector.rsplit('{').next().unwrap_or_default();
                let style = style.replace([' ', '\t', '\r', '\n'], "");
                let marked = match style.split(';').any(hides) {
                    true => Marked::Hidden,
                    false if style.contains("line-through") => Marked::Struck,
                    false => continue,
                };
                let parts = selector.split(|c: char| !(c.is_alphanumeric() || "-_.#".contains(c)));
                let named = parts.flat_map(|part| {
                    part.split_inclusive(['.', '#']).skip(1).map(|name| name.trim_end_matches(['.', '#']))
                });
                for name in named.filter(|name| !name.is_empty()) {
                    names.entry(name.to_owned()).or_insert(marked);
                }
            }
        }
        Sheet(names)
    }

    fn marks(&self, tag: &Tag) -> Option<Marked> {
        let mut names = tag.attribute("class").split_whitespace().chain([tag.attribute("id")]);
        names.find_map(|name| self.0.get(name).copied())
    }
}

/// The combined effects of all elements around a position.
#[derive(Clone, Copy, Default)]
struct Inside {
    quotes: usize,
    no_text: bool,
    marked: Option<Marked>,
    symbols: bool,
    pre: bool,
    signature: bool,
}

impl Inside {
    fn within(self, effect: Effect) -> Inside {
        Inside {
            quotes: self.quotes + usize::from(effect.quote),
            no_text: self.no_text || effect.no_text,
            marked: self.marked.or(effect.marked),
            symbols: self.symbols || effect.symbols,
            pre: self.pre || effect.pre,
            signature: self.signature || effect.signature,
        }
    }
}

/// The lines so far and the current position.
#[derive(Default)]
struct Page {
    sheet: Sheet,
    lines: Vec<Line>,
    current: String,
    /// The struck out and hidden parts of the current line.
    aside: Vec<(Marked, String)>,
    /// `true` if `current` contains text of a signature.
    signature: bool,
    /// `true` if there was a blank line since the last line with text.
    blank: bool,
    /// The open elements, outermost first.
    open: Vec<(String, Inside)>,
    /// The open lists, with the number of the current item if the list is numbered.
    lists: Vec<Option<u32>>,
    /// The number of an item of which no text has been added to a line yet.
    item: Option<u32>,
    /// `true` if the next rule begins the original message.
    rule_begins_original: bool,
    /// `true` after the original message has begun without an enclosing element.
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
            // An inline end tag closes nothing outside its block (HTML 13.2.6.4.7, "any other end
            // tag").
            from_top.take_while(|(open, _)| !BLOCKS.contains(&open.as_str())).position(|(open, _)| open == name)
        };
        if let Some(levels) = found {
            self.open.truncate(self.open.len() - levels - 1);
        }
    }

    fn end_line(&mut self) {
        let mut text = std::mem::take(&mut self.current);
        let aside = std::mem::take(&mut self.aside);
        if !text.trim().is_empty() {
            // `b` as the second item answers the second question.
            let lettered = text.trim().chars().count() <= 2 && text.trim().chars().all(|c| c.is_ascii_alphabetic());
            if let Some(number) = self.item.take().filter(|_| lettered) {
                text = format!("{number}. {}", text.trim());
            }
            self.push(text, None);
        } else if text.contains('\u{a0}') {
            // Some programs write a blank line as a single non-breaking space.
            self.blank = true;
        }
        // Programs hide white space and markers, which contain no words.
        for (marked, text) in aside.into_iter().filter(|(_, text)| text.chars().any(char::is_alphanumeric)) {
            self.push(text, Some(marked));
        }
        self.signature = false;
    }

    fn push(&mut self, text: String, marked: Option<Marked>) {
        let (depth, no, signature) = (self.depth(), self.lines.len() + 1, self.signature);
        let after_blank = std::mem::take(&mut self.blank);
        self.lines.push(Line { depth, text, no, signature, after_blank, marked });
    }

    /// Adds a space between words, but not at the beginning.
    fn space(&mut self) {
        if !self.current.is_empty() && !self.current.ends_with(' ') {
            self.current.push(' ');
        }
    }

    /// Applies the effect of an element's start or end tag on the current line.
    fn part(&mut self, name: &str) {
        match name {
            "td" | "th" => self.space(),
            "br" if self.current.trim().is_empty() => {
                self.blank = true;
                self.end_line();
            }
            _ if name == "br" || BLOCKS.contains(&name) => self.end_line(),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        self.part(name);
        self.close(name);
        if matches!(name, "ol" | "ul") {
            self.lists.pop();
        }
    }

    fn start(&mut self, tag: Tag) {
        let name = tag.name.as_str();
        self.part(name);
        // These end tags may be omitted.
        let implied = |(open, _): &(String, Inside)| match open.as_str() {
            "p" => BLOCKS.contains(&name),
            "li" => name == "li",
            _ => false,
        };
        if self.open.last().is_some_and(implied) {
            self.open.pop();
        }
        // Inside a quote, it belongs to the quoted text and ends with it.
        if self.inside().quotes == 0 {
            self.rule_begins_original |= tag.precedes_original();
            if tag.begins_original() || (name == "hr" && self.rule_begins_original) {
                self.end_line();
                self.original = true;
            }
        }
        match name {
            "ol" => {
                let before = tag.attribute("start").parse::<u32>().map_or(0, |start| start.saturating_sub(1));
                self.lists.push(Some(before));
            }
            "ul" => self.lists.push(None),
            "li" => {
                if let Some(Some(number)) = self.lists.last_mut() {
                    *number = number.saturating_add(1);
                    self.item = Some(*number);
                }
            }
            _ => {}
        }
        if name == "input" && tag.attribute("type") == "checkbox" {
            let ticked = tag.attributes.iter().any(|(key, _)| key == "checked");
            self.text(if ticked { "[x] " } else { "[ ] " });
        }
        // Programs write an emoji as a picture whose alternative text is the character.
        let alt = tag.attribute("alt");
        if name == "img" && !alt.is_ascii() && !alt.contains(|c: char| c.is_ascii_alphanumeric()) {
            self.text(alt);
        }
        let field = name == "input" && !["checkbox", "hidden"].contains(&tag.attribute("type"));
        if field || SHOWN_OTHERWISE.contains(&name) {
            self.text("\u{fffc}");
        }
        if !VOID.contains(&name) {
            let effect = tag.effect(&self.sheet);
            if effect.quote || effect.signature {
                self.end_line();
            }
            self.open.push((tag.name, self.inside().within(effect)));
        }
    }

    fn text(&mut self, text: &str) {
        let Inside { no_text, marked, symbols, pre, signature, .. } = self.inside();
        if no_text || (symbols && text.trim().chars().count() <= 1) {
            return;
        }
        if let Some(marked) = marked.or(symbols.then_some(Marked::Hidden)) {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            match self.aside.last_mut() {
                Some((before, said)) if *before == marked => said.extend([" ", &words]),
                _ => self.aside.push((marked, words)),
            }
            self.signature |= signature;
            return;
        }
        for c in text.chars() {
            match c {
                '\n' if pre => self.end_line(),
                c if ends_line(c) => self.end_line(),
                // A non-breaking space is kept, because it is not white space in HTML.
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
    fn what_is_no_text_is_not_read() {
        let html = "<head><title>no</title><style>p > a {}</style></head><!-- no <p>no</p> -->\
            <!--[if mso]>no<![endif]--><script>if (a<b) no()</script>yes";
        assert_eq!(own(html), ["yes"]);
    }

    #[test]
    fn many_classes_are_read_at_once() {
        let rules: String = (0..20_000).map(|k| format!(".a{k}{{display:none}}")).collect();
        let began = std::time::Instant::now();
        let html = format!("<style>{rules}</style><p class='{}'>yes</p><p class=a7>no</p>", "b ".repeat(100_000));
        let shown: Vec<_> =
            lines(&html).into_iter().filter(|line| line.marked.is_none()).map(|line| line.text).collect();
        assert_eq!(shown, ["yes"]);
        assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    }

    #[test]
    fn the_first_rule_of_a_class_counts() {
        let marked = |style: &str| lines(&format!("<style>{style}</style><p class=a>x</p>"))[0].marked;
        assert_eq!(marked(".a{text-decoration:line-through}.a{display:none}"), Some(Marked::Struck));
        assert_eq!(marked(".a{display:none}.a{text-decoration:line-through}"), Some(Marked::Hidden));
    }

    #[test]
    fn quotes_are_seen_in_every_dress() {
        for html in [
            "pass<blockquote type=cite>q</blockquote>",
            "pass<div class=\"gmail_quote gmail_quote_container\"><div dir=ltr class='x gmail_attr'>q</div>\
             <blockquote class=\"gmail_quote\">q</blockquote></div>",
            "pass<div id=\"yahoo_quoted_123\" class=\"yahoo_quoted\"><div>q</div></div>",
            "pass<div id=appendonsend></div><hr>q<div>q</div>",
            "pass<div id=x_divRplyFwdMsg>q</div>q",
            "<div>pass</div><hr id=zwchr>q<div>q</div>",
            "<p>pass</p><div style='border:none;border-top:solid #CCCCCC 1.0pt;padding:3.0pt 0in 0in 0in'><p>q</p></div>q",
            "<p>pass</p><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p>q</p></div><p>q</p>",
        ] {
            assert_eq!(own(html), ["pass"], "{html}");
            assert!(read(html).iter().any(|(depth, text)| *depth > 0 && text == "q"), "{html}");
        }
        assert_eq!(own("<blockquote>q</blockquote>between<blockquote>q</blockquote>"), ["between"]);
        let indented = "pass<blockquote style='margin: 0 0 0 40px; border: none; padding: 0px'>raid utah</blockquote>";
        assert_eq!(own(indented), ["pass", "raid utah"]);
    }

    #[test]
    fn an_original_inside_a_quotation_ends_with_it() {
        let inner = "<div id=divRplyFwdMsg>q</div>q<div style='border:none;border-top:solid #E1E1E1 1.0pt'>q</div>";
        assert_eq!(own(&format!("<blockquote type=cite>{inner}</blockquote><p>pass</p>")), ["pass"]);
        assert_eq!(own(&format!("<p>pass</p>{inner}<p>q</p>")), ["pass"]);
    }

    #[test]
    fn what_is_typed_below_the_place_of_the_original_is_the_senders() {
        let quote = "<hr tabindex=-1><div id=divRplyFwdMsg>q</div><div>q</div>";
        assert_eq!(
            own(&format!("<p>pass</p><div id=appendonsend></div><p>discard raid</p>{quote}")),
            ["pass", "discard raid"]
        );
        assert_eq!(own("<p>pass</p><div id=appendonsend>evade</div><hr>q<p>q</p>"), ["pass", "evade"]);
    }

    #[test]
    fn letters_of_a_font_of_signs_are_no_words() {
        assert_eq!(own("pass <span style='font-family: Wingdings'>J</span>"), ["pass"]);
    }

    fn marked(html: &str) -> Vec<(String, Option<Marked>)> {
        lines(html).into_iter().map(|line| (line.text, line.marked)).collect()
    }

    #[test]
    fn what_is_struck_out_or_hidden_is_a_line_of_its_own() {
        let html = "<div>settle <s>kansas</s> texas</div><div>1b</div>";
        let struck = ("kansas".to_owned(), Some(Marked::Struck));
        assert_eq!(marked(html), [("settle texas".to_owned(), None), struck, ("1b".to_owned(), None)]);
        for (open, mark) in [
            ("<s>", Marked::Struck),
            ("<del>", Marked::Struck),
            ("<strike>", Marked::Struck),
            ("<span style='text-decoration: line-through'>", Marked::Struck),
            ("<span style='color:red;text-decoration-line:line-through'>", Marked::Struck),
            ("<span style='display: none'>", Marked::Hidden),
            ("<span style='font-size:0px'>", Marked::Hidden),
            ("<span style='visibility: hidden'>", Marked::Hidden),
            ("<span style='opacity:0.0'>", Marked::Hidden),
            ("<span style='position:absolute;left:-9999px'>", Marked::Hidden),
            ("<span style='font-family: wingdings'>", Marked::Hidden),
            ("<span hidden>", Marked::Hidden),
            ("<style>p {color: red} .a, td.gone {display: none}</style><span class='b gone'>", Marked::Hidden),
            ("<style>@media screen {#x {text-decoration: line-through}}</style><span id=x>", Marked::Struck),
            ("<textarea>", Marked::Hidden),
        ] {
            let name = open.trim_start_matches('<').split([' ', '>']).next().unwrap();
            let html = format!("<div>{open}1a</{name}></div><div>1b</div>");
            assert_eq!(marked(&html), [("1a".to_owned(), Some(mark)), ("1b".to_owned(), None)], "{open}");
        }
        for seen in ["font-size:10px", "opacity:0.5", "font-size:0.9em", "text-decoration:none"] {
            assert_eq!(marked(&format!("<p style='{seen}'>1a</p>")), [("1a".to_owned(), None)], "{seen}");
        }
        assert_eq!(own("pass <img alt='👎' src='cid:1'>"), ["pass 👎"]);
        assert_eq!(own("pass<img alt='Our logo' src='cid:1'>"), ["pass"]);
        assert_eq!(own("<p>pass</p><input type=text value='not yet'>"), ["pass", "\u{fffc}"]);
        assert_eq!(own("<p>pass</p><svg><text>not yet</text></svg>"), ["pass", "\u{fffc}"]);
        assert_eq!(own("<div style='display:none'>&nbsp;&zwnj; &#847;</div>pass"), ["pass"]);
        assert_eq!(
            own("<input type=checkbox>raid utah<br><input type=checkbox checked>pass"),
            ["[ ] raid utah", "[x] pass"]
        );
    }

    #[test]
    fn letters_in_a_counted_list_have_its_numbers() {
        assert_eq!(own("<ol><li>b</li><li>c</li></ol>"), ["1. b", "2. c"]);
        assert_eq!(own("<ol start=2><li>b</ol><ul><li>c</ul>"), ["2. b", "c"]);
        assert_eq!(own("<ol><li>raid utah<li>pass</ol>"), ["raid utah", "pass"]);
    }

    #[test]
    fn careless_nesting_does_not_free_quoted_text() {
        for html in ["pass<span><blockquote>q</span>q</blockquote>", "pass<blockquote>q<p>q<p>q</p></p>q</blockquote>"]
        {
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
