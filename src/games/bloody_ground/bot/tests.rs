//! Tests that the bot gives legal orders and plays better than chance.

use super::{super::setup, *};
use crate::{
    components::{Components, Kit as _},
    variant::Variant,
};
use postrider_dice::{DiceStream, h};
use postrider_table::{AnyOrder, Bot, BotDecision, Bots, DynGame, RANDOM, SeededChance, Session, Watch};
use std::collections::BTreeSet;

fn steady() -> Box<dyn Bot> {
    (BOTS[0].make)()
}

/// Plays a game of bots, the US first. Returns the final position, or `None` if the game is not
/// over after `most` orders. `seen` receives each order.
fn game(
    scenario: &str,
    seed: u64,
    bots: [Box<dyn Bot>; 2],
    most: usize,
    mut seen: impl FnMut(&AnyOrder),
) -> Option<State> {
    let start = setup::position(Components::builtin().clone(), scenario, Variant::default());
    let mut session = Session::<BloodyGround>::start(start, Box::new(SeededChance::new(seed)), Watch::NONE);
    let mut bots = Bots::new(bots.into_iter().map(Some).collect());
    let mut stream = DiceStream::new(h("postrider/test/v1", &["steady", &seed.to_string()]));
    for _ in 0..most {
        if session.over().is_some() {
            break;
        }
        let decided = bots.decide(&session, &mut |n| stream.below(n)).expect("nothing breaks");
        let BotDecision { asked, order } = decided.expect("somebody is asked");
        seen(&order);
        DynGame::decide(&mut session, asked.seat, asked.id, &order).expect("bots order what is legal");
    }
    session.over().cloned()
}

/// dark-and-bloody-ground 16.1, 16.2, 16.3.1
#[test]
fn it_wins_battles_against_chance_from_both_sides() {
    let (mut won, mut played) = (0, 0);
    for (seed, scenario) in (0..).zip(["harmars-defeat", "st-clairs-surprise", "fallen-timbers", "harmars-defeat"]) {
        for side in Side::ALL {
            let bots = Side::ALL.map(|of| if of == side { steady() } else { (RANDOM.make)() });
            let end = game(scenario, seed, bots, usize::MAX, |_| ()).expect("battles end");
            won += u32::from(end.ending.is_some_and(|ending| ending.winner == Some(side)));
            played += 1;
        }
    }
    // Random play would win about four of eight.
    assert!(won >= 6, "{won} of {played}");
}

/// dark-and-bloody-ground 9.4, 12.0.1, 9.2, 10.4, 10.5, 10.6
#[test]
fn it_uses_the_actions_of_the_rules() {
    let mut used = BTreeSet::new();
    // Raids are possible once settlers are in reach, as in the first summer of St. Clair's
    // campaign.
    for (seed, scenario, most) in [(1, "harmar-1790", 60), (1, "harmars-defeat", 60), (1, "st-clair-1791", 60)] {
        game(scenario, seed, [steady(), steady()], most, |order| {
            let json: serde_json::Value = serde_json::from_str(&order.json()).expect("an order is JSON");
            used.extend(json.as_object().into_iter().flat_map(|order| order.keys().cloned()));
        });
    }
    for kind in ["move", "raid", "atrocity", "pass", "march", "fire", "melee", "put"] {
        assert!(used.contains(kind), "never {kind}: {used:?}");
    }
    assert!(["ambush", "assassinate", "pillage", "build"].iter().any(|kind| used.contains(*kind)), "{used:?}");
}
