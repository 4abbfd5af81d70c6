//! Numbers and articles agree in everything that a player reads in whole games: story, questions,
//! positions, endings and help.

use crate::english::Texts;
use postrider::{
    dice::{DiceStream, h},
    games::rulesets,
    letters::{Letters, View},
    store::{Host, Players},
    table::{Bots, DynGame, Ruleset, SeededChance, Setup, Watch},
};
use std::collections::BTreeMap;

/// Number of decisions between two positions that are read.
const EVERY: usize = 7;

/// Units whose names, as orders have them, do not change with their number.
const UNCHANGED: &[&str] = &["regular", "warrior", "wall"];

pub(crate) fn players(seats: u8) -> Players {
    let mut players = Players::named_in([], seats.into());
    let names = ["Anna", "Ben", "Carl", "Dora", "Emil"];
    players.players.iter_mut().zip(names).for_each(|(player, name)| player.name = name.to_owned());
    players
}

/// Plays games of every scenario between bots, steady and random ones in turn, and calls `see` with
/// each position and the number of decisions before it.
pub(crate) fn watched(rules: &dyn Ruleset, games: u64, see: &mut dyn FnMut(&mut dyn DynGame, usize)) {
    for seed in 0..games {
        for (at, scenario) in rules.scenarios().iter().enumerate() {
            let seats: Vec<u8> = rules.seats().collect();
            let setup = Setup {
                seats: seats[(at + seed as usize) % seats.len()],
                scenario: (*scenario).to_owned(),
                options: BTreeMap::new(),
                components: rules.components().into(),
            };
            let bot = if (at as u64 + seed).is_multiple_of(2) { rules.bots()[0].name } else { "random" };
            // Not every scenario allows this number of seats.
            let Ok(mut game) = rules.open(&setup, Box::new(SeededChance::new(seed)), Watch::ALL) else { continue };
            let mut bots = Bots::new((0..setup.seats).map(|_| rules.bot(bot)).collect());
            let mut stream = DiceStream::new(h("postrider/test-agreement/v1", &[&seed.to_string()]));
            for n in 0..20_000 {
                see(&mut *game, n);
                let Ok(Some(decision)) = bots.decide(&*game, &mut |n| stream.below(n)) else { break };
                // An illegal attempt of a bot is refused.
                let _ = game.decide(decision.asked.seat, decision.asked.id, &decision.order);
            }
        }
    }
}

/// Adds what a position shows: its story, questions and, if `in_full`, the positions of all seats.
fn read(game: &mut dyn DynGame, rules: &dyn Ruleset, letters: &Letters, in_full: bool, texts: &mut Texts) {
    let seats = players(*rules.seats().end());
    game.take_told().iter().for_each(|told| texts.add(&seats.named(&told.line)));
    for asked in game.asked().expect("the rules run") {
        let Some(listed) = game.listed(asked.id).expect("the rules run") else { continue };
        let text = &listed.text;
        let options = listed.choices.iter().flat_map(|choice| [&choice.words, &choice.note]);
        for text in std::iter::once(&text.title).chain(&text.lines).chain(options) {
            texts.add(&seats.named(text));
        }
    }
    if let Some(outcome) = game.outcome() {
        let ending = letters.ending(rules, Some(&outcome), game, &seats).expect("the template works");
        texts.add_all(&serde_json::to_value(ending).expect("a tree"));
    }
    let reader = game.asked().expect("the rules run").first().map(|asked| asked.seat);
    for seat in [reader, None].into_iter().filter(|_| in_full) {
        let view = View::of(game.view(seat).expect("a view"), &seats);
        for sections in [letters.view(rules, &view), letters.brief(rules, &view)] {
            texts.add_all(&serde_json::to_value(sections.expect("the template works")).expect("a tree"));
        }
    }
}

#[test]
fn numbers_and_articles_agree() {
    let games = std::env::var("POSTRIDER_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let folder = tempfile::tempdir().expect("a folder");
    let host = Host::open_or_create(folder.path()).expect("a host's folder");
    let mut faults = Vec::new();
    for rules in rulesets() {
        let mut letters = Letters::load(&host).expect("templates");
        letters.add_view(&host, *rules).expect("templates");
        let mut texts = Texts::with_unchanged(UNCHANGED);
        watched(*rules, games, &mut |game, n| {
            let in_full = n.is_multiple_of(EVERY) || game.outcome().is_some();
            read(game, *rules, &letters, in_full, &mut texts);
        });
        for subject in rules.subjects(rules.components()).all() {
            let explained = &subject.explained;
            [&explained.title, &explained.text].into_iter().chain(&explained.orders).for_each(|text| texts.add(text));
        }
        assert!(texts.len() > 5_000, "{}: {} texts", rules.name(), texts.len());
        faults.extend(texts.faults().into_iter().map(|fault| format!("{}: {fault}", rules.name())));
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
