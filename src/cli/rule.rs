//! `postrider rule`: gives a director's ruling.

use super::{
    CliError, Output,
    working::{office, send_waiting},
};
use crate::office::{Ruled, RulingGiven};
use serde_json::{Map, Value};
use std::path::Path;

/// The arguments of `rule`.
#[derive(clap::Args, Debug)]
pub struct Rule {
    /// The game's id
    game: String,
    /// The ruling in words; everybody reads it
    #[arg(long, value_name = "TEXT")]
    text: String,
    /// What it does to the position, as "area: area=Kansas, settlements=3" or as JSON; nothing without it
    #[arg(long, value_name = "EFFECT")]
    effect: Option<String>,
    /// Who rules
    #[arg(long, value_name = "NAME", default_value = "director")]
    by: String,
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
    let given = RulingGiven { by: args.by.clone(), text: args.text.clone(), effect };
    let ruled = office.rule(&args.game, &given)?;
    send_waiting(&office);
    if args.json {
        return Output::json(&ruled);
    }
    Ok(format!("{}\nAll players are told by mail.\n", told(&ruled)).into())
}

/// A ruling as everybody is told it, with its line.
pub(super) fn told(ruled: &Ruled) -> String {
    format!("line {}: {}", ruled.n + 1, ruled.told.join(" "))
}

/// Reads `NAME: KEY=VALUE, KEY=VALUE` as `{"NAME": {"KEY": VALUE, …}}`; what is no JSON is text.
fn effect(text: &str) -> Result<Value, CliError> {
    let wrong =
        || CliError::Usage(format!("\"{text}\" is no effect; say \"area: area=Kansas, settlements=3\", or JSON"));
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|_| wrong());
    }
    let (name, members) = text.split_once(':').ok_or_else(wrong)?;
    let mut all = Map::new();
    for member in members.split(',') {
        let (key, value) = member.split_once('=').ok_or_else(wrong)?;
        let value = value.trim();
        all.insert(key.trim().to_owned(), serde_json::from_str(value).unwrap_or_else(|_| value.into()));
    }
    Ok(Value::Object(Map::from_iter([(name.trim().to_owned(), Value::Object(all))])))
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
}
