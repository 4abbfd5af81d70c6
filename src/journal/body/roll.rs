//! A roll in the form of section 4: `[label, low, high, got, …]`.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, SeqAccess},
    ser::SerializeSeq,
};

use super::text::Text;

/// Identical dice rolled for one purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll<'a> {
    /// The purpose, in the words of the rules.
    pub label: Text<'a>,
    /// The lowest face.
    pub low: i64,
    /// The highest face.
    pub high: i64,
    /// The results in order; at least one.
    pub got: Vec<i64>,
}

impl Serialize for Roll<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_seq(Some(3 + self.got.len()))?;
        items.serialize_element(&self.label)?;
        [self.low, self.high].iter().chain(&self.got).try_for_each(|number| items.serialize_element(number))?;
        items.end()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Roll<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Roll<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a roll: [label, low, high, got, …]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
                let short = |length: usize| de::Error::invalid_length(length, &self);
                let label = items.next_element()?.ok_or_else(|| short(0))?;
                let low = items.next_element()?.ok_or_else(|| short(1))?;
                let high = items.next_element()?.ok_or_else(|| short(2))?;
                let mut got = Vec::new();
                while let Some(die) = items.next_element()? {
                    got.push(die);
                }
                Ok(Roll { label, low, high, got })
            }
        }
        deserializer.deserialize_seq(Visitor)
    }
}
