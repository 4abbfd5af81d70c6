//! Tests of the facts that conditions of standing orders can use, over whole games of every system.

use postrider::{
    games::rulesets,
    orders::Phrase,
    standing::FactKind,
    table::{Bots, DynGame, RANDOM, Ruleset, Seat, SeededChance, Setup, Watch},
};
use std::collections::{BTreeMap, BTreeSet};

/// Number of questions answered in each game.
const QUESTIONS: usize = 300;

/// Orders that a side gives in a phase, so that it is asked questions that are otherwise settled
/// beforehand.
const ASK_ME: &[(&str, &str, &[&str])] = &[(
    "rosebud-creek",
    "movement",
    &[
        "doctrine opportunity fire: ask",
        "doctrine retreat fire: ask",
        "doctrine before melee: ask",
        "doctrine fall back: ask",
        "doctrine rout: ask",
    ],
)];

/// Gives these orders for a seat, once.
fn ask_me(rules: &dyn Ruleset, game: &mut dyn DynGame, said: &mut BTreeSet<Seat>) {
    let lines = ASK_ME.iter().find(|(name, ..)| *name == rules.name());
    let Some((_, kind, lines)) = lines else { return };
    for asked in game.asked().expect("open questions").into_iter().filter(|asked| asked.kind == *kind) {
        if said.insert(asked.seat) {
            for line in *lines {
                let order = game.read(asked.seat, &Phrase::new(line)).unwrap_or_else(|why| panic!("{line}: {why}"));
                game.decide(asked.seat, order.prompt, &order.order).unwrap_or_else(|why| panic!("{line}: {why:?}"));
            }
            return;
        }
    }
}

fn first_bot(rules: &dyn Ruleset) -> &'static str {
    rules.bots().first().unwrap_or(&RANDOM).name
}

/// The values of each fact, and the number of questions of each kind.
#[derive(Default)]
struct Seen {
    facts: BTreeMap<&'static str, BTreeSet<String>>,
    kinds: BTreeMap<&'static str, usize>,
}

fn declared<'f>(facts: &'f [FactKind], name: &str, kind: &str) -> &'f FactKind {
    let found = facts.iter().find(|fact| fact.name == name);
    let found = found.unwrap_or_else(|| panic!("{name} is not declared"));
    assert!(found.known_at(Some(kind)), "{name} is given at {kind}, where it is not declared");
    found
}

/// Checks every fact at an open question, including those about the listed answers.
fn look(rules: &dyn Ruleset, game: &dyn DynGame, seen: &mut Seen) {
    for asked in game.asked().expect("open questions") {
        *seen.kinds.entry(asked.kind).or_default() += 1;
        let choices = game.listed(asked.id).expect("a question").map(|listed| listed.choices).unwrap_or_default();
        let orders = std::iter::once(None).chain(choices.iter().take(5).map(|choice| Some(&choice.order)));
        for order in orders {
            for fact in game.facts(asked.id, order) {
                let kind = declared(rules.facts(), fact.name, asked.kind);
                assert!(kind.fits(&fact), "{fact} at {}", asked.kind);
                seen.facts.entry(kind.name).or_default().insert(fact.to_string());
            }
        }
    }
}

#[test]
fn every_fact_is_declared_and_lies_within_its_bounds() {
    for rules in rulesets().iter().filter(|rules| !rules.facts().is_empty()) {
        let mut seen = Seen::default();
        for seed in 0..3 {
            let setup = Setup {
                seats: *rules.seats().end().min(&4),
                scenario: rules.scenarios()[0].to_owned(),
                options: BTreeMap::new(),
                components: rules.components().into(),
            };
            let mut game = rules.open(&setup, Box::new(SeededChance::new(seed)), Watch::NONE).expect("a game");
            let bot = || rules.bot(first_bot(*rules));
            let mut said = BTreeSet::new();
            let mut bots = Bots::new((0..setup.seats).map(|_| bot()).collect());
            let mut last = seed as u32;
            for _ in 0..QUESTIONS {
                ask_me(*rules, &mut *game, &mut said);
                look(*rules, &*game, &mut seen);
                let mut below = |n: u32| {
                    last = last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (last >> 8) % n
                };
                let Some(decision) = bots.decide(&*game, &mut below).expect("it goes on") else { break };
                game.decide(decision.asked.seat, decision.asked.id, &decision.order).expect("a legal order");
            }
            if rules.facts().iter().all(|fact| seen.facts.contains_key(fact.name)) {
                break;
            }
        }
        for fact in rules.facts() {
            assert!(
                seen.facts.contains_key(fact.name),
                "{}: {} was never known, of {:?}",
                rules.name(),
                fact.name,
                seen.kinds
            );
            assert!(!fact.about.is_empty() && fact.name == fact.name.to_lowercase());
            let at = |kind: &&str| rules.every_kind().contains(kind);
            assert!(fact.kinds.iter().all(at), "{}: {} is for kinds that there are", rules.name(), fact.name);
        }
    }
}

/// Number of questions of each game for which advice is requested.
const ADVISED: usize = 80;

#[test]
fn advice_is_legal_and_no_answer_is_advised_twice() {
    for rules in rulesets() {
        let setup = Setup {
            seats: rules.seats().find(|&seats| seats > 1).unwrap_or(1),
            scenario: rules.scenarios()[0].to_owned(),
            options: BTreeMap::new(),
            components: rules.components().into(),
        };
        let mut game = rules.open(&setup, Box::new(SeededChance::new(3)), Watch::NONE).expect("a game");
        let mut several = 0;
        for _ in 0..ADVISED {
            let open = game.asked().expect("open questions");
            let Some(asked) = open.into_iter().find(|asked| asked.required) else { break };
            let mut bot = rules.bot(first_bot(*rules)).expect("a bot");
            let ranked = bot.ranked(&*game, &asked, &mut |_| 0, 3);
            several += usize::from(ranked.len() > 1);
            for (at, order) in ranked.iter().enumerate() {
                assert_eq!(game.check(asked.seat, asked.id, order), Ok(()), "{}: {}", asked.kind, order.json());
                assert!(!ranked[..at].contains(order), "{} is advised twice", order.json());
            }
            let answer = bot.answer(&*game, &asked, &mut |_| 0).expect("an answer");
            assert!(ranked.is_empty() || ranked[0] == answer, "{}: the best is what it would answer", asked.kind);
            game.decide(asked.seat, asked.id, &answer).expect("a legal order");
        }
        assert!(several > 0, "{}: one answer at most to each question", rules.name());
    }
}

#[test]
fn the_standing_orders_to_begin_with_are_for_kinds_that_there_are() {
    for rules in rulesets() {
        for line in rules.standing().lines() {
            let kind = line.strip_prefix("standing ").and_then(|rest| rest.split(" always:").next());
            assert!(kind.is_some_and(|kind| rules.every_kind().contains(&kind)), "{}: {line}", rules.name());
        }
    }
}
