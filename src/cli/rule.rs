//! `postrider rule`: gives a director's ruling.

use super::{
    CliError, Output,
    working::{office, send_waiting},
};
use postrider_office::{Ruled, RulingGiven, RulingTried};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::{fmt, path::Path};

/// The arguments of `rule`.
#[derive(clap::Args, Debug)]
pub struct Rule {
    /// The game's id
    game: String,
    /// The ruling in words: what is ruled and why; everybody reads it
    #[arg(long, alias = "text", value_name = "TEXT")]
    reason: String,
    /// What it does to the position, as "NAME: MEMBER=VALUE, MEMBER=VALUE" or as JSON; nothing without it
    #[arg(long, value_name = "EFFECT")]
    effect: Option<String>,
    /// Who rules
    #[arg(long, value_name = "NAME", default_value = "director")]
    by: String,
    /// Say what the ruling would change, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the ruling's line and how it is told as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Rule, root: &Path) -> Result<Output, CliError> {
    let effect = match &args.effect {
        Some(text) => effect(text)?,
        None => Value::Object(Map::new()),
    };
    let mut office = office(root)?;
    let given = RulingGiven { by: args.by.clone(), text: args.reason.clone(), effect };
    if args.dry_run {
        let tried = office.try_ruling(&args.game, &given)?;
        return if args.json { Output::json(&tried) } else { Ok(would_be(&tried).into()) };
    }
    let ruled = office.rule(&args.game, &given)?;
    send_waiting(&office);
    if args.json {
        return Output::json(&ruled);
    }
    Ok(format!("{}\nAll players are told by mail.\n", told(&ruled)).into())
}

/// Formats a ruling as told to everyone, with its entry.
pub(super) fn told(ruled: &Ruled) -> String {
    format!("entry {}: {}", ruled.n, ruled.told.join(" "))
}

/// Formats a ruling that was only tried, with the changes it would make.
fn would_be(tried: &RulingTried) -> String {
    let mut text = format!("would be entry {}: {}\n", tried.n, tried.told.join(" "));
    text += match tried.changes.is_empty() {
        true => "\nThe position, as everybody sees it, would stay as it is.\n",
        false => "\nThe position, as everybody sees it, would change in these lines (- now, + then):\n",
    };
    for line in &tried.changes {
        text += &format!("{}\n", line.trim_end());
    }
    text + "\nNothing was done.\n"
}

/// Parses `NAME: KEY=VALUE, KEY=VALUE` as `{"NAME": {"KEY": VALUE, …}}`; a value that is not JSON
/// is a text. A duplicate member is refused, because it would be unclear which one is meant.
fn effect(text: &str) -> Result<Value, CliError> {
    let wrong = || {
        CliError::Usage(format!(
            "\"{text}\" is no effect; say \"NAME: MEMBER=VALUE, MEMBER=VALUE\" with those of the game, or JSON"
        ))
    };
    if text.trim_start().starts_with('{') {
        return match serde_json::from_str::<Once>(text) {
            Ok(Once(effect)) => Ok(effect),
            Err(why) if why.to_string().starts_with(TWICE) => Err(twice(text)),
            Err(_) => Err(wrong()),
        };
    }
    let (name, members) = text.split_once(':').ok_or_else(wrong)?;
    let mut all = Map::new();
    for member in members.split(',') {
        let (key, value) = member.split_once('=').ok_or_else(wrong)?;
        let value = value.trim();
        let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
        if all.insert(key.trim().to_owned(), value).is_some() {
            return Err(twice(text));
        }
    }
    Ok(Value::Object(Map::from_iter([(name.trim().to_owned(), Value::Object(all))])))
}

/// The beginning of the error for a duplicate member.
const TWICE: &str = "a member comes twice";

fn twice(text: &str) -> CliError {
    CliError::Usage(format!("{TWICE} in the effect \"{text}\"; say each once"))
}

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
            assert!(told.contains("a member comes twice"), "{told}");
        }
    }
}
