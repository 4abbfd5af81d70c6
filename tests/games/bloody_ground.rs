//! Whole games of A Dark and Bloody Ground by random players, in addition to the standard tests.

use crate::whole::{Tried as _, Whole, games};
use postrider::{
    games::bloody_ground::{BloodyGround, view},
    table::Snapshot,
};

fn play(seed: u64, look: impl FnMut(&Snapshot<BloodyGround>)) -> Whole<BloodyGround> {
    Whole::play(BloodyGround::way(seed), seed, look)
}

/// dark-and-bloody-ground 4.0, 10.1, 15.0, 16.0
#[test]
fn campaigns_and_battles_end_by_the_rules() {
    for seed in 0..games(7) {
        let whole = play(seed, |_| ());
        let end = whole.end();
        let scenario = &end.c.scenarios[end.scenario];
        assert!(end.ending.is_some() && end.turn <= scenario.turns.into(), "{}", whole.at());
        assert_eq!(end.fight.is_some(), scenario.turns == 0, "{}", whole.at());
        assert_eq!(view::outcome(&end).ranking().len(), 2);
    }
}
