//! Parser for authentication results in a header field (RFC 8601 section 2.2).
//!
//! Senders choose some of the text in such a field (`smtp.mailfrom`), so the grammar of quoted
//! strings, comments and quoted pairs is followed exactly. A field that does not match it is
//! ignored.

use std::{iter::Peekable, str::Chars};

/// A result, such as `dkim=pass header.d=mail.example.net`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MethodResult {
    /// The method in lower case, without its version.
    pub method: String,
    /// The result in lower case.
    pub result: String,
    /// The properties in order, with names such as `header.d` in lower case, and their values.
    pub properties: Vec<(String, String)>,
}

impl MethodResult {
    /// Returns the value of a property that occurs exactly once.
    pub fn property(&self, name: &str) -> Option<&str> {
        let mut values = self.properties.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        values.next().filter(|_| values.next().is_none())
    }
}

/// Parses the value of an `Authentication-Results` field, or of an `ARC-Authentication-Results`
/// field, which begins with an instance (`i=1;`). Returns `None` if it does not match the grammar.
pub(super) fn results(value: &str) -> Option<Vec<MethodResult>> {
    let tokens = tokens(value)?;
    let mut parts = tokens.split(|token| *token == Token::Mark(';'));
    let mut server = parts.next()?;
    if let [Token::Word(instance), Token::Mark('='), Token::Word(_)] = server
        && instance == "i"
    {
        server = parts.next()?;
    }
    // The server's name, optionally followed by a version.
    let ([Token::Word(_) | Token::Quoted(_)] | [Token::Word(_) | Token::Quoted(_), Token::Word(_)]) = server else {
        return None;
    };
    let parts: Vec<&[Token]> = parts.filter(|part| !part.is_empty()).collect();
    match parts[..] {
        [[Token::Word(none)]] if none.eq_ignore_ascii_case("none") => Some(Vec::new()),
        _ => parts.into_iter().map(result).collect(),
    }
}

/// Parses `method=result` and its properties.
fn result(part: &[Token]) -> Option<MethodResult> {
    let mut pairs = Vec::new();
    let mut rest = part;
    while let [Token::Word(name), Token::Mark('='), Token::Word(value) | Token::Quoted(value), more @ ..] = rest {
        pairs.push((name.to_ascii_lowercase(), value.clone()));
        rest = more;
    }
    if !rest.is_empty() || pairs.is_empty() {
        return None;
    }
    let (method, result) = pairs.remove(0);
    let method = method.split('/').next().unwrap_or_default().to_owned();
    Some(MethodResult { method, result: result.to_ascii_lowercase(), properties: pairs })
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// An atom, or adjacent atoms and quoted strings that begin with an atom.
    Word(String),
    /// The same, beginning with a quoted string.
    Quoted(String),
    /// `;` or `=`.
    Mark(char),
}

/// Splits a value into tokens, without comments and folding white space. Returns `None` if a quoted
/// string or a comment is not closed.
fn tokens(value: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut chars = value.chars().peekable();
    while let Some(&next) = chars.peek() {
        match next {
            c if c.is_ascii_whitespace() => _ = chars.next(),
            '(' => comment(&mut chars)?,
            ';' | '=' => tokens.push(Token::Mark(chars.next()?)),
            _ => tokens.push(word(&mut chars)?),
        }
    }
    Some(tokens)
}

fn word(chars: &mut Peekable<Chars<'_>>) -> Option<Token> {
    let quoted = chars.peek() == Some(&'"');
    let mut text = String::new();
    while let Some(&next) = chars.peek() {
        match next {
            '"' => {
                chars.next();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => text.push(chars.next()?),
                        c => text.push(c),
                    }
                }
            }
            c if c.is_ascii_whitespace() || "();=".contains(c) => break,
            c => {
                text.push(c);
                chars.next();
            }
        }
    }
    Some(if quoted { Token::Quoted(text) } else { Token::Word(text) })
}

fn comment(chars: &mut Peekable<Chars<'_>>) -> Option<()> {
    let mut depth = 0;
    loop {
        match chars.next()? {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(()),
            ')' => depth -= 1,
            '\\' => _ = chars.next()?,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_by_the_grammar_of_rfc_8601() {
        let read = results(
            "i=1; mx.example 1; spf=pass (it says \\) so) smtp.mailfrom=a@b.example;\r\n\tdkim/1 = pass reason=\"good; yes\" \
             header.d=b.example",
        );
        let one = |method: &str, properties: &[(&str, &str)]| MethodResult {
            method: method.to_owned(),
            result: "pass".to_owned(),
            properties: properties.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        };
        let expected = [
            one("spf", &[("smtp.mailfrom", "a@b.example")]),
            one("dkim", &[("reason", "good; yes"), ("header.d", "b.example")]),
        ];
        assert_eq!(read.as_deref(), Some(&expected[..]));
        assert_eq!(results("mx.example; none"), Some(Vec::new()));
        for broken in
            ["", "mx.example; dkim", "mx.example; dkim=", "mx.example; a=\"b", "mx.example; (a=b", "a b c; d=e"]
        {
            assert_eq!(results(broken), None, "{broken}");
        }
    }

    #[test]
    fn a_property_that_stands_twice_has_no_value() {
        let read = results("mx.example; dmarc=pass header.from=a.example header.from=b.example").unwrap();
        assert_eq!(read[0].property("header.from"), None);
    }
}
