//! Stories that tell what dice have decided.

use crate::ruleset::RULES;
use postrider_dice::{DiceStream, h};
use postrider_table::{Event, Ruleset as _, SeededChance, Setup, Watch, every_setup};
use std::collections::BTreeMap;

/// The numbers of some lines, each with how often it stands there.
fn numbers(lines: &[String]) -> BTreeMap<i64, usize> {
    let mut all = BTreeMap::new();
    for word in lines.iter().flat_map(|line| line.split(|c: char| !c.is_ascii_digit())) {
        if let Ok(n) = word.parse() {
            *all.entry(n).or_default() += 1;
        }
    }
    all
}

/// Dice of a game played at random that no line of the same step tells; `rolled` counts those of each label.
fn untold(setup: &Setup, rolled: &mut BTreeMap<String, u32>) -> Vec<String> {
    let mut game = RULES.open(setup, Box::new(SeededChance::new(11)), Watch { digests: false, ..Watch::ALL }).unwrap();
    let mut stream = DiceStream::new(h("postrider/test/v1", &[&setup.scenario]));
    let mut missing = Vec::new();
    for _ in 0..1_500 {
        let lines: Vec<String> = game.take_told().into_iter().map(|told| told.line).collect();
        let mut told = numbers(&lines);
        for event in game.take_events() {
            let Event::Rolled { label, low, got, .. } = event else { continue };
            *rolled.entry(label.to_string()).or_default() += 1;
            // A draw is told by what is drawn.
            let is_told = match low {
                1 => told.get_mut(&got).filter(|n| **n > 0).map(|n| *n -= 1).is_some(),
                _ => lines.iter().any(|line| line.contains("drawn")),
            };
            if !is_told {
                missing.push(format!("{}, {label} {got}: {lines:?}", setup.scenario));
            }
        }
        let Some(asked) = game.asked().unwrap().into_iter().find(|asked| asked.required) else { break };
        let order = game.sample(asked.id, &mut |n| stream.below(n)).unwrap();
        game.decide(asked.seat, asked.id, &order).unwrap();
    }
    missing
}

/// dark-and-bloody-ground 4.1, 6.0.2, 10.4, 12.0.3
#[test]
fn every_die_is_told() {
    let mut rolled = BTreeMap::new();
    let setups = every_setup(&RULES).into_iter().filter(|setup| setup.options.is_empty());
    let missing: Vec<String> = setups.flat_map(|setup| untold(&setup, &mut rolled)).collect();
    assert!(missing.is_empty(), "{} dice, as {:#?}", missing.len(), &missing[..missing.len().min(8)]);
    assert!(rolled.len() > 30, "{rolled:?}");
}
