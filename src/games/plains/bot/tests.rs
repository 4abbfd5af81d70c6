//! Tests of the bot: its valuation of positions, and its advantage over random play.

use super::{super::testing::*, *};
use Faction::*;
use postrider_dice::{DiceStream, h};
use postrider_table::{Bot, BotDecision, Bots, DynGame, RANDOM, Seat, SeededChance, Session, Watch};

fn stream(name: &str, seed: u64) -> DiceStream {
    DiceStream::new(h("postrider/test/v1", &[name, &seed.to_string()]))
}

fn steady() -> Box<dyn Bot> {
    (BOTS[0].make)()
}

fn game(players: u8, seed: u64, bots: Vec<Box<dyn Bot>>) -> State {
    let start = super::super::setup::position(pieces(), bare(players).variant);
    let mut session = Session::<Plains>::start(start, Box::new(SeededChance::new(seed)), Watch::NONE);
    let mut bots = Bots::new(bots.into_iter().map(Some).collect());
    let mut below = stream("steady", seed);
    while session.over().is_none() {
        let decided = bots.decide(&session, &mut |n| below.below(n)).expect("nothing breaks");
        let BotDecision { asked, order } = decided.expect("somebody is asked");
        DynGame::decide(&mut session, asked.seat, asked.id, &order).expect("bots order what is legal");
    }
    session.over().cloned().expect("the game is over")
}

/// Four players, one of them steady, in each seat in turn. An ally who plays at random is little
/// help.
#[test]
fn it_wins_far_more_often_than_chance_from_every_seat() {
    let mut first = 0;
    for seed in 0..8_u64 {
        let at = (seed % 4) as usize;
        let bots = (0..4).map(|s| if s == at { steady() } else { (RANDOM.make)() });
        let end = game(4, seed, bots.collect());
        first += u32::from(end.ranking()[0] == Seat(at as u8));
    }
    // By chance it would be first in two of eight.
    assert!(first >= 6, "first in {first} of 8 games");
}

fn gain(change: impl Fn(&mut State)) -> f64 {
    let mut g = bare(2);
    set(&mut g, "N3", &[(Settlers, 1)]);
    set(&mut g, "N7", &[(Npt, 3)]);
    let npt = g.owner(Npt);
    let before = worth(&g, npt);
    change(&mut g);
    worth(&g, npt) - before
}

#[test]
fn prices_are_of_the_right_sign() {
    // Three Green against one Brown are good for the Indians, three against one Brown and five Blue
    // are not.
    let attack = |g: &mut State| {
        set(g, "N7", &[]);
        set(g, "N3", &[(Npt, 3), (Settlers, 1)]);
    };
    assert!(gain(attack) > 0.3);
    let folly = |g: &mut State| {
        set(g, "N7", &[(Npt, 2)]);
        set(g, "N3", &[(Npt, 1), (Settlers, 1), (Cavalry, 5)]);
    };
    let guarded = |g: &mut State| set(g, "N3", &[(Settlers, 1), (Cavalry, 5)]);
    assert!(gain(folly) < gain(guarded));
    // A region taken by the US costs two points: one lost, one scored by the enemy.
    assert!(gain(|g| set(g, "N5", &[(Settlers, 1)])) < -1.5);
    // Builders next to the railhead.
    assert!(gain(|g| set(g, "S1", &[(Settlers, 3)])) < gain(|g| set(g, "S9", &[(Settlers, 3)])));
}
