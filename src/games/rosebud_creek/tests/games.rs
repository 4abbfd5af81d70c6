//! Whole games by random players: they end, and every position is legal.

use super::super::{
    RosebudCreek,
    components::{Components, Kit as _},
    legal, setup,
    variant::Variant,
};
use postrider_table::{Decision, SeededChance, Session, Watch};

/// Returns a generator of numbers from a seed.
fn draws(seed: u32) -> impl FnMut(u32) -> u32 {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    move |n: u32| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) % n.max(1)
    }
}

/// Plays one game. Returns the number of decisions.
fn play(seed: u32) -> u32 {
    let scenario = ["historical", "pack-train"][seed as usize % 2];
    let on = |bit: u32| seed > 2 && seed.wrapping_mul(0x9e37_79b9) >> (20 + bit) & 1 == 1;
    let variant = Variant {
        no_casualty_limit: on(0),
        first_shot_free: on(1),
        ammo_roster: on(2),
        indian_resupply: on(3),
        hit_and_run: on(4),
        village_every_turn: on(5),
    };
    let g = setup::position(Components::builtin().clone(), scenario, variant);
    let chance = Box::new(SeededChance::new(seed.into()));
    let mut session: Session<RosebudCreek> = Session::start(g, chance, Watch::NONE);
    let mut below = draws(seed);
    while session.over().is_none() {
        assert!(session.fault().is_none(), "seed {seed}: {:?}", session.fault());
        let decision = {
            let seen = session.look().expect("it runs");
            let faults = legal::faults(&seen.state);
            assert!(faults.is_empty(), "seed {seed}, turn {}, {:?}: {faults:?}", seen.state.turn, seen.state.phase);
            let ticket = &seen.tickets[0];
            let order = ticket.prompt.sample(&seen.state, ticket.seat, &mut below).expect("something is legal");
            Decision { seat: ticket.seat, prompt: ticket.id, order }
        };
        session.submit(&decision).unwrap_or_else(|why| panic!("seed {seed}: {:?}: {why}", decision.order));
        assert!(session.decisions() < 60_000, "seed {seed} does not end");
    }
    let end = session.over().expect("over");
    assert!(end.ending.is_some() && end.turn <= 19, "seed {seed}");
    session.decisions()
}

/// rosebud-creek 4, 18.1, 18.2
#[test]
fn random_games_end_by_the_rules() {
    let games = std::env::var("POSTRIDER_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let from = std::env::var("POSTRIDER_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let decisions: Vec<u32> = (from..from + games).map(play).collect();
    assert!(decisions.iter().all(|&n| n > 100), "{decisions:?}");
}
