//! The games, one folder each, and the list of those that can be played.

pub mod bloody_ground;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Kind;
    use std::collections::BTreeSet;

    /// Journals and standing orders know a kind of question by its name alone.
    fn names_are_distinct<K: Kind>() {
        let names: BTreeSet<&str> = K::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), K::ALL.len());
    }

    #[test]
    fn no_two_kinds_of_questions_share_a_name() {
        names_are_distinct::<geronimo::Ask>();
        names_are_distinct::<plains::Ask>();
    }
}
