//! The one hash construction of the format, and the 32-byte value it makes.

use std::{fmt, str};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

/// 32 bytes that are always written as 64 lower-case hex digits: a hash, a link of a seed chain, a salt, a public key.
///
/// Upper-case digits are refused when reading, so that a value has one spelling only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Hash(pub [u8; 32]);

/// Why a text is no [`Hash`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HashFault {
    /// The text has another length, in bytes, than 64.
    #[error("64 hex digits are wanted, not {0} bytes")]
    Length(usize),
    /// The byte at this place is not one of `0-9a-f`.
    #[error("byte {0} is not a lower-case hex digit")]
    Digit(usize),
}

impl Hash {
    /// What `prev` of a journal's first line says: 64 zeros.
    pub const ZERO: Hash = Hash([0; 32]);

    /// The hex digits, without an allocation.
    #[must_use]
    pub fn hex(&self) -> Hex {
        let mut out = [0; 64];
        HEXLOWER.encode_mut(&self.0, &mut out);
        Hex(out)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.hex().as_str())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.hex().as_str())
    }
}

/// What a byte that is no lower-case hex digit stands for in [`DIGITS`]: more than any digit.
const NO_DIGIT: u8 = 16;

/// What each byte stands for as a lower-case hex digit. Every line of a journal has some: by a table they are read at once.
const DIGITS: [u8; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut value = 0;
    while value < NO_DIGIT {
        digits[b"0123456789abcdef"[value as usize] as usize] = value;
        value += 1;
    }
    digits
};

impl str::FromStr for Hash {
    type Err = HashFault;

    fn from_str(text: &str) -> Result<Hash, HashFault> {
        let (digits, mut out) = (text.as_bytes(), [0; 32]);
        if digits.len() != 2 * out.len() {
            return Err(HashFault::Length(digits.len()));
        }
        // A plain loop: unoptimised, as tests run, iterators would be a tenth of opening a journal.
        let (mut seen, mut at) = (0, 0);
        while at < out.len() {
            let (high, low) = (DIGITS[digits[2 * at] as usize], DIGITS[digits[2 * at + 1] as usize]);
            seen |= high | low;
            out[at] = high << 4 | low & 15;
            at += 1;
        }
        if seen < NO_DIGIT {
            return Ok(Hash(out));
        }
        let wrong = text.bytes().position(|digit| DIGITS[usize::from(digit)] == NO_DIGIT);
        Err(HashFault::Digit(wrong.unwrap_or_default()))
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.hex().as_str())
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Hash;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("64 lower-case hex digits")
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
pub struct Hex([u8; 64]);

impl Hex {
    /// The 64 digits as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).expect("hex digits are ASCII")
    }
}

/// A number as a field of [`h`] spells it: decimal, no leading zeros, no sign. On the stack.
#[derive(Clone, Copy)]
pub struct Decimal {
    digits: [u8; 20],
    start: usize,
}

impl Decimal {
    /// The decimal spelling of `number`.
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

    /// The digits as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.digits[self.start..]).expect("decimal digits are ASCII")
    }
}

/// `H` of section 2, fed field by field; for callers whose number of fields is not fixed.
///
/// A field must not hold a newline: two different lists of fields could then make the same bytes. Names are checked
/// where they enter a journal; here it is only asserted in debug builds.
#[derive(Clone)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Begins with `tag` and its newline.
    #[must_use]
    pub fn new(tag: &str) -> Hasher {
        Hasher(Sha256::new()).field(tag)
    }

    /// Adds one field and its newline.
    #[must_use]
    pub fn field(mut self, field: &str) -> Hasher {
        debug_assert!(!field.contains('\n'), "a field of H holds a newline: {field:?}");
        self.0.update(field);
        self.0.update(b"\n");
        self
    }

    /// The hash over all that was fed.
    #[must_use]
    pub fn finish(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}

/// `H(tag, fields…)` of section 2: SHA-256 over the tag and each field, every one followed by one newline.
///
/// No field may hold a newline (see [`Hasher`]). Numbers are spelt by [`Decimal`], hashes by [`Hash::hex`].
#[must_use]
pub fn h(tag: &str, fields: &[&str]) -> Hash {
    // Most are short, and to hash them in one piece costs less than field by field.
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

/// Plain SHA-256: how free text enters a field of [`h`].
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
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc").to_string(), abc);
        assert_eq!(abc.parse(), Ok(sha256(b"abc")));
    }

    #[test]
    fn a_hash_has_one_spelling() {
        assert_eq!("0".repeat(63).parse::<Hash>(), Err(HashFault::Length(63)));
        assert_eq!("A".repeat(64).parse::<Hash>(), Err(HashFault::Digit(0)));
        assert_eq!(format!("{}é", "0".repeat(62)).parse::<Hash>(), Err(HashFault::Digit(62)));
        // Each place, each byte.
        for (place, byte) in (0..64).cycle().zip(0..=127_u8) {
            let text = format!("{}{}{}", "7".repeat(place), char::from(byte), "7".repeat(63 - place));
            let right = match char::from(byte) {
                letter @ ('0'..='9' | 'a'..='f') => Ok(letter.to_digit(16).unwrap() as u8),
                _ => Err(HashFault::Digit(place)),
            };
            let read = text.parse::<Hash>().map(|hash| hash.0[place / 2] >> (4 * (1 - place % 2)) & 15);
            assert_eq!(read, right, "{text:?}");
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
