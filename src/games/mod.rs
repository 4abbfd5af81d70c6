//! The games, one folder each, and the list of those that can be played.

pub mod geronimo;
pub mod plains;

use crate::table::Ruleset;

/// Every ruleset of this release.
#[must_use]
pub fn rulesets() -> &'static [&'static dyn Ruleset] {
    static RULESETS: [&dyn Ruleset; 2] = [&geronimo::ruleset::RULES, &plains::ruleset::RULES];
    &RULESETS
}

/// The ruleset of this name.
#[must_use]
pub fn ruleset(name: &str) -> Option<&'static dyn Ruleset> {
    rulesets().iter().copied().find(|ruleset| ruleset.name() == name)
}
