//! The games, one folder each, and the list of those that can be played.

pub use postrider_bloody_ground as bloody_ground;
pub use postrider_geronimo as geronimo;
pub use postrider_plains as plains;
pub use postrider_rosebud_creek as rosebud_creek;

use postrider_table::Ruleset;

/// Returns every ruleset of this release.
#[must_use]
pub fn rulesets() -> &'static [&'static dyn Ruleset] {
    static RULESETS: [&dyn Ruleset; 4] = [
        &geronimo::ruleset::RULES,
        &plains::ruleset::RULES,
        &bloody_ground::ruleset::RULES,
        &rosebud_creek::ruleset::RULES,
    ];
    &RULESETS
}

/// Returns the ruleset with this name.
#[must_use]
pub fn ruleset(name: &str) -> Option<&'static dyn Ruleset> {
    rulesets().iter().copied().find(|ruleset| ruleset.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_table::every_setup;
    use std::collections::BTreeSet;

    /// Journals and standing orders identify a kind of question by its name alone.
    #[test]
    fn no_two_kinds_of_questions_share_a_name() {
        for rules in rulesets() {
            let kinds = rules.every_kind();
            assert_eq!(kinds.iter().collect::<BTreeSet<_>>().len(), kinds.len(), "{}", rules.name());
        }
    }

    #[test]
    fn invitations_say_who_plays_what_what_for_and_how_long() {
        for rules in rulesets() {
            let setups = every_setup(*rules);
            assert!(!setups.is_empty(), "{}", rules.name());
            for setup in setups {
                let said = rules.introduction(&setup);
                // No sides are listed if they are assigned during the game.
                let sides = said.sides.len();
                assert!(sides == 0 || sides == usize::from(setup.seats), "{}: {setup:?}", rules.name());
                assert!(said.sides.iter().all(|side| !side.is_empty()), "{said:?}");
                assert!(said.goal.ends_with('.') && said.length.ends_with('.'), "{said:?}");
            }
        }
    }
}
