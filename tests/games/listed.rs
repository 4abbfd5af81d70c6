//! Listed answers in whole games: none leads into a confirmation unannounced, and those that end
//! what is asked come last.

use crate::agreement::{players, watched};
use postrider::{games::rulesets, letters, table::Ruleset};
use std::collections::BTreeSet;

fn faults(rules: &dyn Ruleset, game: &dyn postrider::table::DynGame, found: &mut BTreeSet<String>) -> usize {
    let mut lists = 0;
    let seats: BTreeSet<_> = game.asked().expect("the rules run").iter().map(|asked| asked.seat).collect();
    for seat in seats {
        let listed = letters::questions(rules, game, seat).expect("questions");
        let (asked, open) = letters::shown(&listed, &players(rules.seats().end().to_owned()));
        for question in asked.iter().chain(&open) {
            lists += 1;
            let one = &listed[question.no - 1];
            let kind = one.asked.kind;
            let passes =
                rules.by_turns().iter().any(|by_turns| question.options.iter().any(|o| o.words == by_turns.pass));
            let ends = |words: &str| {
                rules.enough().contains(&words)
                    || passes && rules.by_turns().iter().any(|by_turns| by_turns.pass == words)
            };
            let first = question.options.iter().position(|option| ends(&option.words));
            if first.is_some_and(|first| question.options[first..].iter().any(|option| !ends(&option.words))) {
                found.insert(format!("{kind}: what ends it is not last"));
            }
            for (option, choice) in question.options.iter().zip(&one.choices) {
                if option.note.is_empty() && !game.dangers(one.asked.id, &choice.order).is_empty() {
                    found.insert(format!("{kind}: {} asks for a yes", option.words));
                }
            }
        }
    }
    lists
}

#[test]
fn no_listed_answer_leads_into_a_confirmation() {
    let (mut found, mut lists) = (BTreeSet::new(), 0);
    for rules in rulesets() {
        watched(*rules, 1, &mut |game, _| lists += faults(*rules, game, &mut found));
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(lists > 5_000, "{lists}");
}
