//! The hash function of the journal format, and its 32-byte values.

use std::{fmt, str};

use data_encoding::{BASE64URL_NOPAD, DecodeKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

/// A value of 32 bytes: a hash, a link of a seed chain, a salt or a public key.
///
/// It is written as 43 characters of base64url without padding. The two unused bits of the last
/// character must be 0, so that each value has exactly one spelling.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Hash(pub [u8; 32]);

/// The number of characters in the spelling of a [`Hash`].
const CHARACTERS: usize = 43;

/// The reason a text is not a [`Hash`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HashFault {
    /// The length in bytes is not 43.
    #[error("a hash has 43 characters, this text has {0} bytes")]
    Length(usize),
    /// The byte at this position is not in the alphabet `A-Za-z0-9-_`.
    #[error("byte {0} is not a character of base64url")]
    Character(usize),
    /// The unused bits of the last character are not 0.
    #[error("the last character has spare bits that are not 0")]
    SpareBits,
}

impl Hash {
    /// 32 zero bytes: `prev` of a journal's first line.
    pub const ZERO: Hash = Hash([0; 32]);

    /// Returns the spelling without allocating.
    #[must_use]
    pub fn text(&self) -> HashText {
        let mut out = [0; CHARACTERS];
        BASE64URL_NOPAD.encode_mut(&self.0, &mut out);
        HashText(out)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text().as_str())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl str::FromStr for Hash {
    type Err = HashFault;

    fn from_str(text: &str) -> Result<Hash, HashFault> {
        let mut out = [0; 32];
        if text.len() != CHARACTERS {
            return Err(HashFault::Length(text.len()));
        }
        match BASE64URL_NOPAD.decode_mut(text.as_bytes(), &mut out) {
            Ok(_) => Ok(Hash(out)),
            Err(partial) if partial.error.kind == DecodeKind::Trailing => Err(HashFault::SpareBits),
            Err(partial) => Err(HashFault::Character(partial.error.position)),
        }
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text().as_str())
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Hash;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("43 characters of base64url")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Hash, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

/// The spelling of a [`Hash`], on the stack.
#[derive(Clone, Copy)]
pub struct HashText([u8; CHARACTERS]);

impl HashText {
    /// Returns the 43 characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).expect("base64url is ASCII")
    }
}

/// The decimal spelling of a number in a field of [`h`], without leading zeros or a sign. On the
/// stack.
#[derive(Clone, Copy)]
pub struct Decimal {
    digits: [u8; 20],
    start: usize,
}

impl Decimal {
    /// Returns the decimal spelling of `number`.
    #[must_use]
    pub fn new(mut number: u64) -> Decimal {
        let mut digits = [b'0'; 20];
        let mut start = digits.len() - 1;
        loop {
            digits[start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                return Decimal { digits, start };
            }
            start -= 1;
        }
    }

    /// Returns the digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.digits[self.start..]).expect("decimal digits are ASCII")
    }
}

/// The function `H` of section 2, for callers with a variable number of fields.
///
/// A field must not contain a newline, because different lists of fields could then hash the same
/// bytes. Names are checked when they enter a journal; here only debug builds check them.
#[derive(Clone)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Creates a hasher and adds `tag` with a newline.
    #[must_use]
    pub fn new(tag: &str) -> Hasher {
        Hasher(Sha256::new()).field(tag)
    }

    /// Adds a field with a newline.
    #[must_use]
    pub fn field(mut self, field: &str) -> Hasher {
        debug_assert!(!field.contains('\n'), "a field of H holds a newline: {field:?}");
        self.0.update(field);
        self.0.update(b"\n");
        self
    }

    /// Returns the hash of the tag and all fields.
    #[must_use]
    pub fn finish(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}

/// Returns `H(tag, fields…)` of section 2: the SHA-256 of the tag and all fields, each followed by
/// a newline.
///
/// No field may contain a newline (see [`Hasher`]). Numbers are spelled by [`Decimal`], hashes by
/// [`Hash::text`].
#[must_use]
pub fn h(tag: &str, fields: &[&str]) -> Hash {
    // Most inputs are short, and hashing them in one piece is faster than field by field.
    let mut text = [0; 512];
    let mut end = 0;
    for field in std::iter::once(&tag).chain(fields) {
        debug_assert!(!field.contains('\n'), "a field of H holds a newline: {field:?}");
        let Some(place) = text.get_mut(end..end + field.len() + 1) else {
            return fields.iter().fold(Hasher::new(tag), |hasher, field| hasher.field(field)).finish();
        };
        place[..field.len()].copy_from_slice(field.as_bytes());
        place[field.len()] = b'\n';
        end += place.len();
    }
    sha256(&text[..end])
}

/// Returns the SHA-256 of `bytes`. Free text enters a field of [`h`] as this hash.
#[must_use]
pub fn sha256(bytes: &[u8]) -> Hash {
    Hash(Sha256::digest(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn h_is_sha256_over_lines() {
        assert_eq!(h("postrider/x", &["a", "", "12"]), sha256(b"postrider/x\na\n\n12\n"));
        for length in [480, 498, 499, 500, 501, 600] {
            let field = "x".repeat(length);
            let text = format!("postrider/x\n{field}\n");
            assert_eq!(h("postrider/x", &[&field]), sha256(text.as_bytes()), "{length}");
        }
    }

    #[test]
    fn sha256_of_the_standard_example() {
        // The base64url form (RFC 4648 section 5) of ba7816bf 8f01cfea 414140de 5dae2223 b00361a3
        // 96177a9c b410ff61 f20015ad.
        let abc = "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0";
        assert_eq!(sha256(b"abc").to_string(), abc);
        assert_eq!(abc.parse(), Ok(sha256(b"abc")));
    }

    #[test]
    fn a_hash_has_one_spelling() {
        assert_eq!("A".repeat(42).parse::<Hash>(), Err(HashFault::Length(42)));
        assert_eq!(format!("{}=", "A".repeat(43)).parse::<Hash>(), Err(HashFault::Length(44)));
        assert_eq!(Hash::ZERO.to_string(), "A".repeat(43));
        for (place, byte) in (0..43).cycle().zip(0..=127_u8) {
            let text = format!("{}{}{}", "A".repeat(place), char::from(byte), "A".repeat(42 - place));
            let right = match char::from(byte) {
                // The last character carries 4 bits of the value.
                letter @ ('A'..='Z' | 'a'..='z' | '0'..='9' | '-' | '_') if place == 42 => {
                    "AEIMQUYcgkosw048".contains(letter).then_some(()).ok_or(HashFault::SpareBits)
                }
                'A'..='Z' | 'a'..='z' | '0'..='9' | '-' | '_' => Ok(()),
                _ => Err(HashFault::Character(place)),
            };
            let read = text.parse::<Hash>();
            assert_eq!(read.map(|_| ()), right, "{text:?}");
            assert!(read.is_err() || read.unwrap().to_string() == text, "{text:?}");
        }
        let hash = sha256(b"");
        let json = serde_json::to_string(&hash).unwrap();
        assert_eq!(json, format!("\"{hash}\""));
        assert_eq!(serde_json::from_str::<Hash>(&json).unwrap(), hash);
    }

    #[test]
    fn numbers_are_spelt_as_display_spells_them() {
        for number in [0, 1, 9, 10, 65_536, u64::MAX] {
            assert_eq!(Decimal::new(number).as_str(), number.to_string());
        }
    }
}
