//! What a game is opened with.

use super::Ruleset;
use crate::orders::list_or;
use std::{collections::BTreeMap, sync::Arc};

/// What a game is opened with; all of it stands in the journal's first line.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How many seats play.
    pub seats: u8,
    /// The ruleset version that the journal names.
    pub version: u32,
    /// Which of the game's scenarios.
    pub scenario: String,
    /// Optional rules and the like.
    pub options: BTreeMap<String, serde_json::Value>,
    /// The text of the component file in use.
    pub components: Arc<str>,
}

impl Setup {
    /// Makes sure that a game of this kind is played so: the number of players (settled by the rule of this number), the version,
    /// the scenario, and of the options that each exists and is true or false. What does not go together only the game knows.
    ///
    /// # Errors
    /// [`SetupFault`] with what is wrong and what there is.
    pub fn fits(&self, rules: &dyn Ruleset, seats_rule: &str) -> Result<(), SetupFault> {
        let wrong = |why: String| Err(SetupFault(why));
        let title = rules.title();
        if !rules.seats().contains(&self.seats) {
            let (least, most) = rules.seats().into_inner();
            return wrong(format!("{title} is for {least} to {most} players, not {} ({seats_rule})", self.seats));
        }
        if self.version == 0 || self.version > rules.version() {
            let (newest, version) = (rules.version(), self.version);
            return wrong(format!("this release plays {title} up to version {newest}, not {version}"));
        }
        if !rules.scenarios().contains(&self.scenario.as_str()) {
            let known = list_or(rules.scenarios());
            return wrong(format!("there is no scenario \"{}\"; there is {known}", self.scenario));
        }
        for (name, value) in &self.options {
            if !value.is_boolean() {
                return wrong(format!("the option \"{name}\" is true or false, not {value}"));
            }
            if !rules.options().iter().any(|option| option.name == name) {
                let known: Vec<&str> = rules.options().iter().map(|option| option.name).collect();
                return wrong(format!("there is no option \"{name}\"; there is {}", list_or(&known)));
            }
        }
        Ok(())
    }
    /// Whether an optional rule is on.
    pub fn has(&self, option: &str) -> bool {
        self.options.get(option).and_then(serde_json::Value::as_bool).unwrap_or(false)
    }
}

/// Why a game cannot be opened so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupFault(pub String);

/// An optional rule of a game: on or off for the whole game, off unless the host turns it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionalRule {
    /// Its name on the command line and in `opened`.
    pub name: &'static str,
    /// What it does, in a few words, with its rule.
    pub about: &'static str,
}
