//! Whole games of Plains Indian Wars by random players, in addition to the standard tests.

use crate::whole::{Tried as _, Whole, games};
use postrider::{
    games::plains::{Plains, components::Faction, view},
    table::Snapshot,
};

fn play(seed: u64, look: impl FnMut(&Snapshot<Plains>)) -> Whole<Plains> {
    Whole::play(Plains::way(seed), seed, look)
}

/// plains-indian-wars 2.0, 14.0, 14.1, 15.0
#[test]
fn games_of_two_to_four_end_by_the_rules() {
    for seed in 0..games(48) {
        let whole = play(seed, |_| ());
        let end = whole.end();
        assert!(end.finished && end.bag.is_empty(), "the last disc of the turn is drawn");
        let spent = Faction::CARDED.into_iter().any(|f| end.deck(f).is_spent());
        assert!(end.joined() || spent, "{}", whole.at());
        // Every round uses at least one of fifteen cards.
        assert!((5..=15).contains(&end.turn), "{}: {} turns", whole.at(), end.turn);
        assert_eq!(view::outcome(&end).ranking().len(), usize::from(whole.setup.seats));
    }
}

/// plains-indian-wars 9.2.1, 8.0
#[test]
fn enduring_instructions_end_with_the_turn() {
    let (mut in_force, mut from_before) = (0, 0);
    for seed in 600..600 + games(6) {
        play(seed, |seen| {
            let g = &seen.state;
            let endure = |f: &Faction| g.enduring(*f).is_some();
            in_force += Faction::CARDED.iter().filter(|f| endure(f)).count();
            // Only factions whose disc is on this turn's track can have played one.
            from_before += Faction::CARDED.iter().filter(|f| endure(f) && !g.drawn.contains(f)).count();
        });
    }
    assert!(in_force > 20, "some cards endured: {in_force}");
    assert_eq!(from_before, 0);
}
