//! Parsing of a ruling's effect: `NAME: MEMBER=VALUE, MEMBER=VALUE`, or JSON.

use crate::misuse::Misuse;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// Parses `NAME: KEY=VALUE, KEY=VALUE` as `{"NAME": {"KEY": VALUE, …}}`. A value that is not JSON
/// is a string.
///
/// # Errors
/// [`Misuse::Effect`], and [`Misuse::EffectTwice`] for a duplicate member, because it would be
/// unclear which one is meant.
pub fn effect(text: &str) -> Result<Value, Misuse> {
    if text.trim_start().starts_with('{') {
        return match json(text)? {
            (effect, rest) if rest.trim().is_empty() => Ok(effect),
            _ => Err(wrong(text)),
        };
    }
    let (name, members) = text.split_once(':').ok_or_else(|| wrong(text))?;
    let mut all = Map::new();
    for member in members.split(',') {
        let (key, value) = member.split_once('=').ok_or_else(|| wrong(text))?;
        let value = value.trim();
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        if all.insert(key.trim().to_owned(), value).is_some() {
            return Err(Misuse::EffectTwice { text: text.to_owned() });
        }
    }
    Ok(Value::Object(Map::from_iter([(name.trim().to_owned(), Value::Object(all))])))
}

/// Parses an effect followed by a colon, a space and a text: `vps: seat=B, change=-3: counted
/// twice`.
///
/// # Errors
/// As for [`effect`].
pub(crate) fn effect_and_text(line: &str) -> Result<(Value, &str), Misuse> {
    let line = line.trim_start();
    if line.starts_with('{') {
        let (effect, rest) = json(line)?;
        let text = rest.trim_start().strip_prefix(':').ok_or_else(|| wrong(line))?;
        return Ok((effect, text));
    }
    let (name, members) = line.split_once(':').ok_or_else(|| wrong(line))?;
    // The colons in a time have no space after them.
    let at = members.find(": ").ok_or_else(|| wrong(line))?;
    Ok((effect(&line[..name.len() + 1 + at])?, &members[at + 1..]))
}

/// Returns the JSON at the beginning of a text, and the rest of the text.
fn json(text: &str) -> Result<(Value, &str), Misuse> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Once>();
    match values.next() {
        Some(Ok(Once(effect))) => Ok((effect, &text[values.byte_offset()..])),
        Some(Err(why)) if why.to_string().starts_with(TWICE) => Err(Misuse::EffectTwice { text: text.to_owned() }),
        _ => Err(wrong(text)),
    }
}

fn wrong(text: &str) -> Misuse {
    Misuse::Effect { text: text.to_owned() }
}

/// The beginning of serde's error for a duplicate member.
const TWICE: &str = "a member comes twice";

/// JSON in which no object has duplicate members; serde_json would silently take the last one.
struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Once, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }
            fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
                Ok(value.into())
            }
            fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
                Ok(value.into())
            }
            fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
                Ok(value.into())
            }
            fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
                Ok(value.into())
            }
            fn visit_str<E>(self, value: &str) -> Result<Value, E> {
                Ok(value.into())
            }
            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
                let mut all = Vec::new();
                while let Some(Once(value)) = from.next_element()? {
                    all.push(value);
                }
                Ok(all.into())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
                let mut all = Map::new();
                while let Some((key, Once(value))) = from.next_entry::<String, Once>()? {
                    if all.insert(key, value).is_some() {
                        return Err(A::Error::custom(TWICE));
                    }
                }
                Ok(all.into())
            }
        }
        from.deserialize_any(Members).map(Once)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_effect_is_read_from_words_or_json() {
        let words = effect("area: area=Dakota Territory, settlements=3, mission=true").unwrap();
        let right = json!({ "area": { "area": "Dakota Territory", "settlements": 3, "mission": true } });
        assert_eq!(words, right);
        assert_eq!(effect(&right.to_string()).unwrap(), right);
        let (read, why) = effect_and_text("deadline: seat=C, until=2026-12-01T12:00:00Z: a train: late").unwrap();
        assert_eq!((read["deadline"]["until"].as_str(), why), (Some("2026-12-01T12:00:00Z"), " a train: late"));
        let line = format!("{right}: so it was");
        let (read, why) = effect_and_text(&line).unwrap();
        assert_eq!((read, why), (right, " so it was"));
        assert!(effect_and_text("vps: seat=B, change=-3").is_err());
        assert!(effect("more vps").is_err() && effect("vps: seat").is_err() && effect("{").is_err());
    }

    #[test]
    fn a_member_that_comes_twice_is_refused() {
        for text in [
            "area: area=Kansas, towns=2, area=Texas",
            r#"{"area": {"area": "Kansas", "towns": 2, "towns": 3}}"#,
            r#"{"vps": {"seat": "A"}, "vps": {"seat": "B"}}"#,
        ] {
            let told = effect(text).unwrap_err().to_string();
            assert!(told.contains("has a member twice"), "{told}");
        }
    }
}
