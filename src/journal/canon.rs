//! Canonical JSON, which has one spelling for every value (section 1: a subset of RFC 8785).
//!
//! [`check`] reads the bytes once and allocates nothing, so that it can run on every line of a
//! journal. [`to_canon`] writes. They agree, as the tests verify: `check(x)` accepts exactly those
//! `x` for which `to_canon(parse(x)) == x`.

use std::{fmt::Write, str};

use serde_json::Value;

/// Maximum absolute value of an integer, 2^53 − 1. All JSON readers represent such integers
/// exactly.
pub const MAX_INTEGER: i64 = (1 << 53) - 1;

/// Maximum nesting depth of arrays and objects. The outermost has depth 1.
pub const MAX_DEPTH: u32 = 64;

/// The reason a text is not canonical, or a value has no canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {wrong}")]
pub struct CanonFault {
    /// The offset of the first wrong byte, counted from 0. For writing, the length of the output
    /// before the value.
    pub at: usize,
    /// The error.
    pub wrong: CanonWrong,
}

/// A violation of the canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CanonWrong {
    /// Not UTF-8.
    #[error("not UTF-8")]
    Utf8,
    /// The text ends too early.
    #[error("the text ends here, but the value does not")]
    End,
    /// Something follows the value.
    #[error("the value ends here, but the text does not")]
    Trailing,
    /// White space between tokens.
    #[error("white space between tokens")]
    Space,
    /// A byte that the grammar does not allow here.
    #[error("not a value, or an unexpected character after one")]
    Syntax,
    /// `null`, which the format does not allow.
    #[error("null is not allowed")]
    Null,
    /// A fraction or an exponent.
    #[error("only integers are allowed")]
    Float,
    /// A leading zero, or −0.
    #[error("integers have no leading zeros, and zero has no sign")]
    Zero,
    /// An integer beyond ±(2^53 − 1).
    #[error("integers must be within ±(2^53 − 1)")]
    Range,
    /// A control character that is not escaped, or an escape other than that of RFC 8785.
    #[error("not the RFC 8785 spelling of this character")]
    Escape,
    /// A key with a byte other than printable ASCII without `"` and `\`.
    #[error("keys are printable ASCII without quotation mark and backslash")]
    Key,
    /// A key that is not greater than the one before it.
    #[error("keys must be sorted by byte and unique")]
    Order,
    /// Nesting that is too deep.
    #[error("nested deeper than 64 levels")]
    Depth,
}

/// Checks that `text` is exactly one canonical value. Reads the bytes once and allocates nothing.
///
/// # Errors
/// [`CanonFault`] with the offset of the first wrong byte.
pub fn check(text: &[u8]) -> Result<(), CanonFault> {
    let mut scanner = Scanner::new(text)?;
    scanner.value(0)?;
    scanner.end()
}

/// Writes `value` canonically.
///
/// # Errors
/// [`CanonFault`] if the value contains something without a canonical form: null, a float, an
/// integer out of range, a key that is not printable ASCII, or too many levels.
pub fn to_canon(value: &Value) -> Result<String, CanonFault> {
    let mut out = String::new();
    write_value(value, 0, &mut out)?;
    Ok(out)
}

fn write_value(value: &Value, depth: u32, out: &mut String) -> Result<(), CanonFault> {
    let fault = |out: &String, wrong| Err(CanonFault { at: out.len(), wrong });
    match value {
        Value::Null => return fault(out, CanonWrong::Null),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => match number.as_i64() {
            Some(integer) if (-MAX_INTEGER..=MAX_INTEGER).contains(&integer) => {
                write!(out, "{integer}").expect("a String takes every write");
            }
            None if number.is_f64() => return fault(out, CanonWrong::Float),
            _ => return fault(out, CanonWrong::Range),
        },
        Value::String(text) => write_string(text, out),
        Value::Array(_) | Value::Object(_) if depth == MAX_DEPTH => return fault(out, CanonWrong::Depth),
        Value::Array(items) => {
            out.push('[');
            for (k, item) in items.iter().enumerate() {
                if k > 0 {
                    out.push(',');
                }
                write_value(item, depth + 1, out)?;
            }
            out.push(']');
        }
        Value::Object(members) => {
            // Do not rely on the map's order: another crate could switch serde_json to insertion
            // order.
            if members.keys().is_sorted() {
                write_members(members.iter(), depth, out)?;
            } else {
                let mut sorted: Vec<_> = members.iter().collect();
                sorted.sort_unstable_by_key(|(key, _)| key.as_bytes());
                write_members(sorted.into_iter(), depth, out)?;
            }
        }
    }
    Ok(())
}

/// Writes an object whose members are sorted.
fn write_members<'v>(
    members: impl Iterator<Item = (&'v String, &'v Value)>,
    depth: u32,
    out: &mut String,
) -> Result<(), CanonFault> {
    out.push('{');
    for (k, (key, item)) in members.enumerate() {
        if k > 0 {
            out.push(',');
        }
        if !key.bytes().all(is_key_byte) {
            return Err(CanonFault { at: out.len(), wrong: CanonWrong::Key });
        }
        out.push('"');
        out.push_str(key);
        out.push_str("\":");
        write_value(item, depth + 1, out)?;
    }
    out.push('}');
    Ok(())
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        if PLAIN[usize::from(byte)] {
            continue;
        }
        out.push_str(&text[written..at]);
        written = at + 1;
        match short_escape(byte) {
            Some(letter) => {
                out.push('\\');
                out.push(char::from(letter));
            }
            None => write!(out, "\\u{byte:04x}").expect("a String takes every write"),
        }
    }
    out.push_str(&text[written..]);
    out.push('"');
}

/// The bytes that are allowed in a key.
const KEY: [bool; 256] = {
    let mut key = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        key[byte] = is_key_byte(byte as u8);
        byte += 1;
    }
    key
};

const fn is_key_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\'
}

/// The bytes that are not escaped in a string.
const PLAIN: [bool; 256] = {
    let mut plain = [true; 256];
    let mut byte = 0;
    while byte < 0x20 {
        plain[byte] = false;
        byte += 1;
    }
    plain[b'"' as usize] = false;
    plain[b'\\' as usize] = false;
    plain
};

/// Returns `true` if `eight` has eight bytes, none of which is escaped in a string. It tests them
/// all at once.
fn all_plain(eight: &[u8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    let Ok(eight) = eight.try_into().map(u64::from_le_bytes) else { return false };
    // The subtraction sets the high bit of every byte less than `than`. It may also set that of
    // bytes above such a byte, which does not change whether the result is 0.
    let less = |bytes: u64, than: u64| bytes.wrapping_sub(than * ONES) & !bytes & HIGH;
    let equal = |byte: u8| less(eight ^ (u64::from(byte) * ONES), 1);
    less(eight, 0x20) | equal(b'"') | equal(b'\\') == 0
}

/// Returns the letter of the two-character escape that RFC 8785 requires for this character, if
/// any.
fn short_escape(byte: u8) -> Option<u8> {
    Some(match byte {
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0c => b'f',
        b'\r' => b'r',
        b'"' | b'\\' => byte,
        _ => return None,
    })
}

/// A cursor over bytes that must be canonical. [`super::entry`] also uses it to find an entry's
/// members.
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a [u8]) -> Result<Scanner<'a>, CanonFault> {
        match str::from_utf8(text) {
            Ok(text) => Ok(Scanner { text, at: 0 }),
            Err(error) => Err(CanonFault { at: error.valid_up_to(), wrong: CanonWrong::Utf8 }),
        }
    }

    /// Returns the offset of the cursor.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Skips `literal` if it comes next.
    pub(super) fn literal(&mut self, literal: &str) -> bool {
        let stands = self.text.as_bytes()[self.at..].starts_with(literal.as_bytes());
        if stands {
            self.at += literal.len();
        }
        stands
    }

    /// Skips one value at nesting depth `depth` and returns its text.
    pub(super) fn value(&mut self, depth: u32) -> Result<&'a str, CanonFault> {
        let start = self.at;
        match self.peek()? {
            b'"' => self.string()?,
            b'{' => self.object(depth + 1)?,
            b'[' => self.array(depth + 1)?,
            b'-' | b'0'..=b'9' => self.integer()?,
            b't' if self.literal("true") => {}
            b'f' if self.literal("false") => {}
            b'n' if self.literal("null") => return Err(CanonFault { at: start, wrong: CanonWrong::Null }),
            byte => return Err(self.unexpected(byte)),
        }
        // Each step above ends after an ASCII byte, so both offsets are character boundaries.
        Ok(&self.text[start..self.at])
    }

    /// Checks that nothing is left.
    pub(super) fn end(&self) -> Result<(), CanonFault> {
        match self.text.as_bytes().get(self.at) {
            None => Ok(()),
            Some(b' ' | b'\t' | b'\n' | b'\r') => self.fault(CanonWrong::Space),
            Some(_) => self.fault(CanonWrong::Trailing),
        }
    }

    fn fault<T>(&self, wrong: CanonWrong) -> Result<T, CanonFault> {
        Err(CanonFault { at: self.at, wrong })
    }

    fn peek(&self) -> Result<u8, CanonFault> {
        match self.text.as_bytes().get(self.at) {
            Some(&byte) => Ok(byte),
            None => self.fault(CanonWrong::End),
        }
    }

    fn unexpected(&self, byte: u8) -> CanonFault {
        let space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        CanonFault { at: self.at, wrong: if space { CanonWrong::Space } else { CanonWrong::Syntax } }
    }

    fn object(&mut self, depth: u32) -> Result<(), CanonFault> {
        if depth > MAX_DEPTH {
            return self.fault(CanonWrong::Depth);
        }
        self.at += 1;
        if self.literal("}") {
            return Ok(());
        }
        let mut before: Option<&str> = None;
        loop {
            let start = self.at;
            let key = self.key()?;
            if before.is_some_and(|before| before.as_bytes() >= key.as_bytes()) {
                return Err(CanonFault { at: start, wrong: CanonWrong::Order });
            }
            before = Some(key);
            self.value(depth)?;
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => break,
                byte => return Err(self.unexpected(byte)),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Skips a key and its colon, and returns the key.
    fn key(&mut self) -> Result<&'a str, CanonFault> {
        match self.peek()? {
            b'"' => self.at += 1,
            byte => return Err(self.unexpected(byte)),
        }
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        self.at += rest.iter().position(|&byte| !KEY[usize::from(byte)]).unwrap_or(rest.len());
        self.peek()?;
        let key = &self.text[start..self.at];
        if self.peek()? != b'"' {
            return self.fault(CanonWrong::Key);
        }
        self.at += 1;
        match self.peek()? {
            b':' => self.at += 1,
            byte => return Err(self.unexpected(byte)),
        }
        Ok(key)
    }

    fn array(&mut self, depth: u32) -> Result<(), CanonFault> {
        if depth > MAX_DEPTH {
            return self.fault(CanonWrong::Depth);
        }
        self.at += 1;
        if self.literal("]") {
            return Ok(());
        }
        loop {
            self.value(depth)?;
            match self.peek()? {
                b',' => self.at += 1,
                b']' => break,
                byte => return Err(self.unexpected(byte)),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<(), CanonFault> {
        let bytes = self.text.as_bytes();
        self.at += 1;
        loop {
            while let Some(eight) = bytes.get(self.at..self.at + 8).filter(|eight| all_plain(eight)) {
                self.at += eight.len();
            }
            let plain = bytes[self.at..].iter().position(|&byte| !PLAIN[usize::from(byte)]);
            self.at = plain.map_or(bytes.len(), |plain| self.at + plain);
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.escape()?,
                _ => return self.fault(CanonWrong::Escape),
            }
        }
    }

    /// Skips an escape if it is the canonical one for its character.
    fn escape(&mut self) -> Result<(), CanonFault> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        let length = match rest {
            [b'b' | b't' | b'n' | b'f' | b'r' | b'"' | b'\\', ..] => 2,
            [b'u', b'0', b'0', high @ (b'0' | b'1'), low @ (b'0'..=b'9' | b'a'..=b'f'), ..] => {
                let low = if low.is_ascii_digit() { low - b'0' } else { low - b'a' + 10 };
                if short_escape((high - b'0') * 16 + low).is_some() {
                    return self.fault(CanonWrong::Escape);
                }
                6
            }
            _ => return self.fault(CanonWrong::Escape),
        };
        self.at += length;
        Ok(())
    }

    fn integer(&mut self) -> Result<(), CanonFault> {
        let start = self.at;
        let negative = self.literal("-");
        let digits = self.at;
        let mut size: i64 = 0;
        while let Some(&digit @ b'0'..=b'9') = self.text.as_bytes().get(self.at) {
            size = size.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
            self.at += 1;
        }
        if self.at == digits {
            self.peek()?;
            return self.fault(CanonWrong::Syntax);
        }
        if matches!(self.text.as_bytes().get(self.at), Some(b'.' | b'e' | b'E')) {
            return self.fault(CanonWrong::Float);
        }
        let leading_zero = self.text.as_bytes()[digits] == b'0' && self.at > digits + 1;
        let wrong = if leading_zero || negative && size == 0 {
            CanonWrong::Zero
        } else if size > MAX_INTEGER {
            CanonWrong::Range
        } else {
            return Ok(());
        };
        Err(CanonFault { at: start, wrong })
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection, prelude::*};
    use serde_json::json;

    use super::*;

    fn canonical(text: &[u8]) -> bool {
        let parsed = serde_json::from_slice::<Value>(text);
        parsed.is_ok_and(|value| to_canon(&value).is_ok_and(|canon| canon.as_bytes() == text))
    }

    fn agree(text: &[u8]) -> Result<(), TestCaseError> {
        let checked = check(text);
        prop_assert_eq!(checked.is_ok(), canonical(text), "{:?}: {:?}", String::from_utf8_lossy(text), checked);
        Ok(())
    }

    /// Generates values of every kind, including some without a canonical form.
    fn values() -> impl Strategy<Value = Value> {
        let text = prop_oneof![any::<String>(), "[\\x00-\\x7f]{0,8}", Just("\u{2028}\u{7f}😀".to_owned())];
        let leaf = prop_oneof![
            4 => (-MAX_INTEGER..=MAX_INTEGER).prop_map(Value::from),
            4 => (-3_i64..3).prop_map(Value::from),
            4 => text.prop_map(Value::from),
            2 => any::<bool>().prop_map(Value::from),
            1 => prop_oneof![Just(json!(null)), Just(json!(1.5)), Just(json!(MAX_INTEGER + 1)), Just(json!(u64::MAX))],
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                collection::btree_map("[a-c ]{0,3}|é|\\PC{0,2}", inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_accepted_and_means_the_same(value in values()) {
            if let Ok(canon) = to_canon(&value) {
                prop_assert_eq!(check(canon.as_bytes()), Ok(()));
                prop_assert_eq!(serde_json::from_str::<Value>(&canon).unwrap(), value.clone());
            }
            agree(serde_json::to_string(&value).unwrap().as_bytes())?;
            agree(serde_json::to_string_pretty(&value).unwrap().as_bytes())?;
        }

        #[test]
        fn an_edit_is_judged_alike(value in values(), place in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut text = serde_json::to_vec(&value).unwrap();
            let place = place.index(text.len());
            text[place] = byte;
            agree(&text)?;
            text.remove(place);
            agree(&text)?;
            text.insert(place, b"\"\\{}[],:-0e.u "[usize::from(byte) % 14]);
            agree(&text)?;
        }

        #[test]
        fn soups_of_tokens_are_judged_alike(
            tokens in collection::vec(prop::sample::select(vec![
                "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\"", "0", "-", "-0", "01", "9007199254740991",
                "9007199254740992", "1.0", "1e2", "true", "false", "null", " ", "\\n", "\\u000a", "\\u001F", "\\u001f",
                "\\/", "\\ud800", "\n", "\u{7f}", "é",
            ]), 0..7)
        ) {
            agree(tokens.concat().as_bytes())?;
        }
    }

    #[test]
    fn faults_name_their_place() {
        use CanonWrong::*;
        let faults: &[(&[u8], usize, CanonWrong)] = &[
            (b"", 0, End),
            (b"{\"a\":1", 6, End),
            (b"{\"a\":1} ", 7, Space),
            (b"{\"a\":1}x", 7, Trailing),
            (b"{\"a\": 1}", 5, Space),
            (b"{\"a\":1,}", 7, Syntax),
            (b"[nil]", 1, Syntax),
            (b"[null]", 1, Null),
            (b"[1.0]", 2, Float),
            (b"[1E5]", 2, Float),
            (b"[-0]", 1, Zero),
            (b"[007]", 1, Zero),
            (b"[-]", 2, Syntax),
            (b"9007199254740992", 0, Range),
            (b"-9007199254740992", 0, Range),
            (b"99999999999999999999999999", 0, Range),
            (b"\"\\u0041\"", 1, Escape),
            (b"\"\\u001F\"", 1, Escape),
            (b"\"\\u0009\"", 1, Escape),
            (b"\"\\/\"", 1, Escape),
            (b"\"\\ud83d\\ude00\"", 1, Escape),
            (b"\"a\nb\"", 2, Escape),
            (b"\"a\xff\"", 2, Utf8),
            ("{\"é\":1}".as_bytes(), 2, Key),
            (b"{\"\\n\":1}", 2, Key),
            (b"{\"b\":1,\"a\":2}", 7, Order),
            (b"{\"a\":1,\"a\":2}", 7, Order),
        ];
        for &(text, at, wrong) in faults {
            assert_eq!(check(text), Err(CanonFault { at, wrong }), "{}", String::from_utf8_lossy(text));
            assert!(!canonical(text));
        }
    }

    #[test]
    fn eight_bytes_are_plain_when_each_of_them_is() {
        for place in 0..8 {
            for byte in 0..=255_u8 {
                for around in [b' ', b'a', 0x7f, 0x80, 0xff] {
                    let mut eight = [around; 8];
                    eight[place] = byte;
                    assert_eq!(all_plain(&eight), PLAIN[usize::from(byte)], "{eight:?}");
                }
            }
        }
        assert!(!all_plain(b"seven b"));
    }

    #[test]
    fn depth_has_a_limit() {
        let nested = |levels: usize| [vec![b'['; levels], vec![b']'; levels]].concat();
        assert_eq!(check(&nested(64)), Ok(()));
        assert!(canonical(&nested(64)));
        assert_eq!(check(&nested(65)), Err(CanonFault { at: 64, wrong: CanonWrong::Depth }));
        assert!(!canonical(&nested(65)));
        assert!(check(&vec![b'['; 60_000]).is_err());
    }
}
