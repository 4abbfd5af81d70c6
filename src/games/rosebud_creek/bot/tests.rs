use super::*;
use crate::{
    components::{Components, Kit as _},
    legal, setup,
    variant::Variant,
};
use postrider_table::{Decision, Seat, SeededChance, Session, Watch};

/// Plays a whole game of two steady bots. Returns the final position, and the number of decisions
/// by the bots and by default.
fn game(seed: u32, scenario: &str) -> (State, u32, u32) {
    let mut bot = Steady { version: 1 + (seed / 2) as u8 % NEWEST };
    let g = setup::position(Components::builtin().clone(), scenario, Variant::default());
    let mut session: Session<RosebudCreek> = Session::start(g, Box::new(SeededChance::new(seed.into())), Watch::NONE);
    let (mut own, mut drawn) = (0, 0);
    while session.over().is_none() {
        assert!(session.fault().is_none(), "seed {seed}: {:?}", session.fault());
        let decision = {
            let seen = session.look().expect("it runs");
            assert!(legal::faults(&seen.state).is_empty(), "seed {seed}: {:?}", legal::faults(&seen.state));
            let ticket = &seen.tickets[0];
            let q = Question { state: &seen.state, seat: ticket.seat, prompt: &*ticket.prompt, required: true };
            let opinion = bot.answer(&q, &mut |_| 0).filter(|order| q.is_legal(order));
            let order = opinion.inspect(|_| own += 1).unwrap_or_else(|| {
                drawn += 1;
                Order::Done {}
            });
            Decision { seat: ticket.seat, prompt: ticket.id, order }
        };
        session.submit(&decision).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        assert!(session.decisions() < 20_000, "seed {seed} does not end");
    }
    (session.over().expect("over").clone(), own, drawn)
}

#[test]
fn two_bots_play_whole_battles() {
    let games = std::env::var("POSTRIDER_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let mut lost = [0; 2];
    for seed in 0..games {
        let scenario = ["historical", "pack-train"][seed as usize % 2];
        let (end, own, drawn) = game(seed, scenario);
        assert!(drawn == 0 && own > 100, "{own} {drawn}");
        assert!(end.ending.is_some());
        lost[0] += end.losses[0];
        lost[1] += end.losses[1];
        if games > 4 {
            println!("{seed}: turn {} losses {:?} VPs {:?} {:?}", end.turn, end.losses, end.vps, end.ending);
        }
    }
    assert!(lost.iter().all(|&lost| lost > 0), "they fight: {lost:?}");
}

#[test]
fn it_attacks_where_it_expects_to_gain() {
    use crate::testing::*;
    let mut g = bare();
    for id in ["3A", "3E", "3I"] {
        foot(&mut g, id, "1610");
    }
    foot(&mut g, "H1", "1611");
    let strong: Vec<UnitId> = ["3A", "3E", "3I"].map(|id| unit(&g, id)).to_vec();
    let many = promise(&g, &melee::reckon(&g, &strong, hex(&g, "1611")));
    let one = promise(&g, &melee::reckon(&g, &strong[..1], hex(&g, "1611")));
    assert!(many > one && one < WORTH_A_MELEE, "{many} {one}");
    assert_eq!(Side::ALL[Seat(1).index()], Side::Indian);
}
