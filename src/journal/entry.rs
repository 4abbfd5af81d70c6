//! One line of a journal, read in place (section 3).

use super::{
    body::{Body, BodyFault},
    canon::{self, CanonFault, MAX_INTEGER, Scanner},
    spelling::{is_kind, is_timestamp},
};
use postrider_dice::Hash;

/// The longest line, in bytes, its newline counted.
pub const MAX_LINE: usize = 64 * 1024;

/// Where an entry's hash begins: the domain that keeps it apart from every other hash of the format.
pub(super) const ENTRY_DOMAIN: &str = "postrider/entry/v1\n";

/// One canonical line with its members cut out, nothing copied.
///
/// The body stays text until [`Line::read_body`] is asked for it: a reader that only follows the chain never pays for it.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// When the operator says it was written; advice only.
    pub at: &'a str,
    /// The canonical JSON of the body.
    pub body: &'a str,
    /// The hash that the line states; compare it with [`Line::entry_hash`].
    pub hash: Hash,
    /// The kind, known or not.
    pub kind: &'a str,
    /// Its place, from 0.
    pub n: u64,
    /// The hash of the line before it.
    pub prev: Hash,
    /// The text before and after the `hash` member.
    around_hash: (&'a str, &'a str),
}

/// Why bytes are no line of a journal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// More than 64 KiB with the newline.
    #[error("the line has {0} bytes with its newline; {MAX_LINE} are allowed")]
    TooLong(usize),
    /// Not canonical JSON.
    #[error("not canonical JSON: {0}")]
    Canon(#[from] CanonFault),
    /// Canonical, but not the members of section 3 (at, body, hash, kind, n, prev), each of its type.
    #[error("not an entry: {member} is missing, misplaced or malformed")]
    Member {
        /// The member that was expected.
        member: &'static str,
    },
}

impl<'a> Line<'a> {
    /// Reads one line without its newline.
    ///
    /// # Errors
    /// [`LineFault`] when it is too long, not canonical, or not made of exactly the members of section 3. The hash is
    /// not yet compared and the body not yet read.
    pub fn parse(text: &'a [u8]) -> Result<Line<'a>, LineFault> {
        if text.len() >= MAX_LINE {
            return Err(LineFault::TooLong(text.len() + 1));
        }
        // Where the envelope ends too early or goes astray, the text may still be canonical: say which it is.
        Line::cut(text).map_err(|fault| canon::check(text).map_or_else(LineFault::Canon, |()| fault))
    }

    fn cut(text: &'a [u8]) -> Result<Line<'a>, LineFault> {
        let mut scanner = Scanner::new(text)?;
        let at = member(&mut scanner, "{\"at\":", "at")?;
        let body = member(&mut scanner, ",\"body\":", "body")?;
        // The comma before "hash" goes with what is before it, the comma after it with the member itself.
        let before = scanner.at() + 1;
        let hash = member(&mut scanner, ",\"hash\":", "hash")?;
        let after = scanner.at() + 1;
        let kind = member(&mut scanner, ",\"kind\":", "kind")?;
        let n = member(&mut scanner, ",\"n\":", "n")?;
        let prev = member(&mut scanner, ",\"prev\":", "prev")?;
        if !scanner.literal("}") {
            return Err(LineFault::Member { member: "another member" });
        }
        scanner.end()?;

        let whole = scanner.text();
        let string = |value: &'a str| value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        let wanted = |member| LineFault::Member { member };
        let bytes = |value| string(value).and_then(|value| value.parse::<Hash>().ok());
        Ok(Line {
            at: string(at).filter(|at| is_timestamp(at)).ok_or_else(|| wanted("at"))?,
            body: Some(body).filter(|body| body.starts_with('{')).ok_or_else(|| wanted("body"))?,
            hash: bytes(hash).ok_or_else(|| wanted("hash"))?,
            kind: string(kind).filter(|kind| is_kind(kind)).ok_or_else(|| wanted("kind"))?,
            n: n.parse().ok().filter(|&n| n <= MAX_INTEGER as u64).ok_or_else(|| wanted("n"))?,
            prev: bytes(prev).ok_or_else(|| wanted("prev"))?,
            around_hash: (&whole[..before], &whole[after..]),
        })
    }

    /// What the hash of this line must be: over its own bytes with the `hash` member cut out.
    #[must_use]
    pub fn entry_hash(&self) -> Hash {
        entry_hash(self.around_hash.0, self.around_hash.1)
    }

    /// The body as its kind says; [`Body::Other`] for a kind that this release does not know.
    ///
    /// # Errors
    /// [`BodyFault`] when the members are not those of section 4.
    pub fn read_body(&self) -> Result<Body<'a>, BodyFault> {
        Body::read(self.kind, self.body)
    }

    /// The id of the game, if this is the first line of a journal.
    #[must_use]
    pub fn opened_game(&self) -> Option<String> {
        match self.read_body() {
            Ok(Body::Opened(opened)) => Some(opened.game.into_owned()),
            _ => None,
        }
    }
}

/// Hash of an entry from the canonical text before and after its `hash` member.
pub(super) fn entry_hash(before: &str, after: &str) -> Hash {
    use sha2::{Digest, Sha256};
    Hash(Sha256::new().chain_update(ENTRY_DOMAIN).chain_update(before).chain_update(after).finalize().into())
}

/// Steps over `lead` and the value after it.
fn member<'a>(scanner: &mut Scanner<'a>, lead: &str, member: &'static str) -> Result<&'a str, LineFault> {
    if !scanner.literal(lead) {
        return Err(LineFault::Member { member });
    }
    Ok(scanner.value(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_dice::sha256;

    fn text(with: impl Fn(String) -> String) -> String {
        let zeros = Hash::ZERO;
        with(format!(
            r#"{{"at":"2026-02-28T23:59:59Z","body":{{}},"hash":"{zeros}","kind":"x","n":7,"prev":"{zeros}"}}"#
        ))
    }

    #[test]
    fn a_line_is_cut_into_its_members() {
        let text = text(|line| line.replace("{}", r#"{"a":"}\","}"#));
        let line = Line::parse(text.as_bytes()).unwrap();
        assert_eq!((line.at, line.kind, line.n), ("2026-02-28T23:59:59Z", "x", 7));
        assert_eq!(line.body, r#"{"a":"}\","}"#);
        let without = text.replacen(&format!("\"hash\":\"{}\",", Hash::ZERO), "", 1);
        assert_eq!(line.entry_hash(), sha256(format!("postrider/entry/v1\n{without}").as_bytes()));
    }

    #[test]
    fn other_members_types_and_spellings_are_refused() {
        let cases: &[(&str, &str, &str)] = &[
            ("\"}", "\",\"v\":1}", "another member"),
            ("{\"at\"", "{\"as\":1,\"at\"", "at"),
            (",\"hash\"", ",\"game\":\"abc\",\"hash\"", "hash"),
            ("02-28T", "02-29T", "at"),
            ("{}", "[]", "body"),
            ("\"hash\":\"A", "\"hash\":\"+", "hash"),
            ("A\",\"kind\"", "B\",\"kind\"", "hash"),
            ("\"x\"", "\"\"", "kind"),
            ("\"n\":7", "\"n\":-7", "n"),
            ("\"n\":7", "\"n\":\"7\"", "n"),
            ("\"prev\":\"A", "\"prev\":\"", "prev"),
        ];
        for &(from, to, member) in cases {
            let text = text(|line| line.replacen(from, to, 1));
            assert_eq!(Line::parse(text.as_bytes()).unwrap_err(), LineFault::Member { member }, "{text}");
        }
        assert!(matches!(Line::parse(text(|line| line + " ").as_bytes()), Err(LineFault::Canon(_))));
        assert!(matches!(Line::parse(text(|line| line.replace(":7", ": 7")).as_bytes()), Err(LineFault::Canon(_))));
        assert!(matches!(Line::parse(b""), Err(LineFault::Canon(_))));
        let long = text(|line| line.replace("{}", &format!("{{\"a\":\"{}\"}}", "x".repeat(MAX_LINE))));
        assert!(matches!(Line::parse(long.as_bytes()), Err(LineFault::TooLong(_))));
    }
}
