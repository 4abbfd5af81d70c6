//! A line of a journal, read in place (section 3).

use super::{
    body::{Body, BodyFault},
    canon::{self, CanonFault, MAX_INTEGER, Scanner},
    spelling::{is_kind, is_timestamp},
};
use postrider_dice::Hash;

/// Maximum length of a line in bytes, including its newline.
pub const MAX_LINE: usize = 64 * 1024;

/// The prefix of the bytes hashed for an entry, which separates this hash from all others of the
/// format.
pub(super) const ENTRY_DOMAIN: &str = "postrider/entry/v1\n";

/// A canonical line split into its members without copying.
///
/// The body is parsed only by [`Line::read_body`], so that following the hash chain stays cheap.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The time at which the operator claims to have written it; informational only.
    pub at: &'a str,
    /// The canonical JSON of the body.
    pub body: &'a str,
    /// The stated hash, to be compared with [`Line::entry_hash`].
    pub hash: Hash,
    /// The kind, known or not.
    pub kind: &'a str,
    /// Its number, counted from 0.
    pub n: u64,
    /// The hash of the preceding line.
    pub prev: Hash,
    /// The text before and after the `hash` member.
    around_hash: (&'a str, &'a str),
}

/// The reason bytes are not a line of a journal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// More than 64 KiB including the newline.
    #[error("the line has {0} bytes with its newline; {MAX_LINE} are allowed")]
    TooLong(usize),
    /// Not canonical JSON.
    #[error("not canonical JSON: {0}")]
    Canon(#[from] CanonFault),
    /// Canonical JSON, but without exactly the members of section 3 (at, body, hash, kind, n, prev)
    /// and their types.
    #[error("not an entry: {member} is missing, misplaced or malformed")]
    Member {
        /// The member that was expected.
        member: &'static str,
    },
}

impl<'a> Line<'a> {
    /// Reads one line, given without its newline. The hash is not compared and the body is not
    /// parsed.
    ///
    /// # Errors
    /// [`LineFault`] if it is too long, not canonical, or does not have exactly the members of
    /// section 3.
    pub fn parse(text: &'a [u8]) -> Result<Line<'a>, LineFault> {
        if text.len() >= MAX_LINE {
            return Err(LineFault::TooLong(text.len() + 1));
        }
        // If the members are wrong, the text may still be canonical. Report which of the two is
        // wrong.
        Line::cut(text).map_err(|fault| canon::check(text).map_or_else(LineFault::Canon, |()| fault))
    }

    fn cut(text: &'a [u8]) -> Result<Line<'a>, LineFault> {
        let mut scanner = Scanner::new(text)?;
        let at = member(&mut scanner, "{\"at\":", "at")?;
        let body = member(&mut scanner, ",\"body\":", "body")?;
        // The comma before "hash" belongs to the text before it, the comma after it to the member.
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

    /// Returns the correct hash of this line: the hash of its bytes without the `hash` member.
    #[must_use]
    pub fn entry_hash(&self) -> Hash {
        entry_hash(self.around_hash.0, self.around_hash.1)
    }

    /// Parses the body by its kind. Returns [`Body::Other`] for a kind that this release does not
    /// know.
    ///
    /// # Errors
    /// [`BodyFault`] if the members are not those of section 4.
    pub fn read_body(&self) -> Result<Body<'a>, BodyFault> {
        Body::read(self.kind, self.body)
    }

    /// Returns the id of the game if this is the first line of a journal.
    #[must_use]
    pub fn opened_game(&self) -> Option<String> {
        match self.read_body() {
            Ok(Body::Opened(opened)) => Some(opened.game.into_owned()),
            _ => None,
        }
    }
}

/// Returns the hash of an entry, given the canonical text before and after its `hash` member.
pub(super) fn entry_hash(before: &str, after: &str) -> Hash {
    use sha2::{Digest, Sha256};
    Hash(Sha256::new().chain_update(ENTRY_DOMAIN).chain_update(before).chain_update(after).finalize().into())
}

/// Skips `lead` and the value after it, and returns the value.
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
