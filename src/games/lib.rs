//! The games, one folder each, and the list of those that can be played.

pub use postrider_bloody_ground as bloody_ground;
pub use postrider_geronimo as geronimo;
pub use postrider_plains as plains;
pub use postrider_rosebud_creek as rosebud_creek;

use postrider_table::Ruleset;

/// Every ruleset of this release.
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

/// The ruleset of this name.
#[must_use]
pub fn ruleset(name: &str) -> Option<&'static dyn Ruleset> {
    rulesets().iter().copied().find(|ruleset| ruleset.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_dice::{DiceStream, h};
    use postrider_orders::Phrase;
    use postrider_table::{Kind, SeededChance, Setup, Watch, every_setup};
    use std::collections::{BTreeMap, BTreeSet};

    /// Journals and standing orders know a kind of question by its name alone.
    fn names_are_distinct<K: Kind>() {
        let names: BTreeSet<&str> = K::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), K::ALL.len());
    }

    #[test]
    fn no_two_kinds_of_questions_share_a_name() {
        names_are_distinct::<geronimo::Ask>();
        names_are_distinct::<plains::Ask>();
        names_are_distinct::<bloody_ground::Ask>();
        names_are_distinct::<rosebud_creek::Ask>();
    }

    #[test]
    fn invitations_say_who_plays_what_what_for_and_how_long() {
        for rules in rulesets() {
            let setups = every_setup(*rules);
            assert!(setups.len() > rules.scenarios().len() * rules.seats().count());
            for setup in setups {
                let said = rules.introduction(&setup);
                assert_eq!(said.sides.len(), usize::from(setup.seats), "{}: {setup:?}", rules.name());
                assert!(said.sides.iter().all(|side| !side.is_empty()), "{said:?}");
                assert!(said.goal.len() > 60 && said.goal.ends_with('.'), "{said:?}");
                assert!(said.length.contains("Turn") || said.length.contains("turn"), "{said:?}");
            }
        }
    }

    /// The listed answers of a game played at random whose kind is foreseen but whose words are not read
    /// as one of that kind: the first and the last of each question. Counts those that are read.
    fn not_foreseen(rules: &dyn Ruleset, setup: &Setup, read: &mut BTreeMap<&'static str, u32>) -> Vec<String> {
        let mut game = rules.open(setup, Box::new(SeededChance::new(7)), Watch::NONE).unwrap();
        let mut stream = DiceStream::new(h("postrider/test/v1", &[setup.scenario.as_str()]));
        let mut missed = Vec::new();
        for _ in 0..1_000 {
            let asked = game.asked().unwrap();
            let Some(asked) = asked.into_iter().find(|asked| asked.required) else { break };
            if game.foreseen_kinds(asked.seat).contains(&asked.kind) {
                let choices = game.listed(asked.id).unwrap().unwrap().choices;
                let ends = choices.first().into_iter().chain(choices.last());
                for choice in ends.filter(|choice| !choice.words.is_empty()) {
                    if game.reads_ahead(asked.seat, asked.kind, &Phrase::new(&choice.words)).is_ok() {
                        *read.entry(asked.kind).or_default() += 1;
                    } else {
                        missed.push(format!("{}: {}", asked.kind, choice.words));
                    }
                }
            }
            let order = game.sample(asked.id, &mut |n| stream.below(n)).unwrap();
            game.decide(asked.seat, asked.id, &order).unwrap();
        }
        missed
    }

    /// An order that comes before its question is read by the grammar by which it is read afterwards.
    #[test]
    fn listed_answers_are_foreseen() {
        let foreseeing: [&dyn Ruleset; 3] =
            [&plains::ruleset::RULES, &bloody_ground::ruleset::RULES, &rosebud_creek::ruleset::RULES];
        for rules in foreseeing {
            let mut read = BTreeMap::new();
            let mut setups = every_setup(rules);
            setups.retain(|setup| setup.options.is_empty());
            let missed: BTreeSet<String> =
                setups.iter().flat_map(|setup| not_foreseen(rules, setup, &mut read)).collect();
            assert!(missed.is_empty(), "{}: {missed:#?}", rules.name());
            assert!(read.len() > 5 && read.values().sum::<u32>() > 200, "{}: {read:?}", rules.name());
        }
    }
}
