//! Tests of the bot's decisions in clear situations.

use super::{Ask, BOTS, Steady, hat, sight::Sight};
use crate::{
    Geronimo, Order,
    card::Card,
    cards::After,
    order::Target,
    reservation::{ask, open_desks},
    resources::resource_allotment,
    setup,
    state::{Held, MexicoRaid, Phase},
    testing::{Running, Trial, area, basic, column, deal_to, pieces, village},
    variant::{Scenario, Variant},
    village_action::VillageAction,
};
use postrider_dice::{DiceStream, h};
use postrider_table::{
    Bot, BotDecision, Bots, Decision, DynGame, Mind, Pick, Question, RANDOM, Seat, SeededChance, Session, Watch,
};
use std::collections::BTreeMap;

fn steady() -> Box<dyn Bot> {
    (BOTS[0].make)()
}

fn stream(name: &str, seed: u64) -> DiceStream {
    DiceStream::new(h("postrider/test/v1", &[name, &seed.to_string()]))
}

fn opinion(trial: &Running, seat: Seat, required: bool) -> Option<Order> {
    let seen = trial.session.look().expect("the session runs");
    let ticket = seen.tickets.iter().find(|k| k.seat == seat && k.required == required).expect("something is asked");
    let question = Question { state: &seen.state, seat, prompt: &*ticket.prompt, required };
    Steady.answer(&question, &mut |_| 0)
}

fn game(players: u8, seed: u64, bots: Vec<Box<dyn Bot>>) -> Vec<i32> {
    let mut session = Session::<Geronimo>::start(basic(players), Box::new(SeededChance::new(seed)), Watch::NONE);
    let mut bots = Bots::new(bots.into_iter().map(Some).collect());
    let mut below = stream("steady", seed);
    while session.over().is_none() {
        let decided = bots.decide(&session, &mut |n| below.below(n)).expect("nothing breaks");
        let BotDecision { asked, order } = decided.expect("somebody is asked");
        DynGame::decide(&mut session, asked.seat, asked.id, &order).expect("bots order what is legal");
    }
    session.over().map(|g| g.tally.iter().map(|tally| tally.vps).collect()).unwrap_or_default()
}

#[test]
fn it_earns_far_more_than_chance_on_either_side() {
    let mut ahead = 0;
    for seed in 0..4 {
        for players in 3..=4 {
            let at = (seed % u64::from(players)) as usize;
            let bots = (0..usize::from(players)).map(|s| if s == at { steady() } else { (RANDOM.make)() });
            let vps = game(players, seed, bots.collect());
            let others = vps.iter().enumerate().filter(|(s, _)| *s != at).map(|(_, vps)| *vps).max();
            ahead += i32::from(Some(vps[at]) > others);
        }
    }
    assert!(ahead >= 7, "ahead of all others in {ahead} of 8 games");
}

/// 10.2: the next Settlement goes to the Area that is closest to becoming a State, but not to one
/// that already has enough of them.
#[test]
fn it_builds_states() {
    let mut g = basic(4);
    (g.us, g.dealt, g.round, g.phase) = (Seat(0), 5, 1, Phase::CardPlay);
    for a in g.area_ids() {
        let level = g.c[a].statehood;
        let state = g.area_mut(a);
        state.mines.clear();
        (state.towns, state.rrs, state.broke) = (0, 0, 0);
        state.settlements = if state.state { level } else { 0 };
    }
    let (ne, wy) = (area(&g, "NE"), area(&g, "WY"));
    g.area_mut(ne).settlements = g.c[ne].statehood - 1;
    g.area_mut(wy).settlements = g.c[wy].statehood - 4;
    let rule = |t, mut g| async move {
        resource_allotment(&t, &mut g).await;
        g
    };
    let trial = Trial::new(g, rule).dice("resource", [1]).start();
    assert_eq!(opinion(&trial, Seat(0), true), Some(Order::Pick { one: "Nebraska".into() }));
}

/// 4.4A, 11.2C: the bot does not count on more Settlements than the Turn will bring.
#[test]
fn it_knows_how_many_settlements_are_to_come() {
    for (players, dealt, round, left) in [(4, 5, 1, 20), (4, 5, 20, 1), (2, 15, 1, 20), (2, 15, 20, 1), (2, 15, 21, 0)]
    {
        let mut g = basic(players);
        (g.dealt, g.round) = (dealt, round);
        assert_eq!(Sight::new(&g, Seat(0)).settlements_left(), left, "Round {round} of {players} players");
    }
}

/// 8.11: as the US, the bot accepts a Treaty that costs only the free VPs and refuses one that
/// costs its own.
#[test]
fn it_signs_treaties_that_cost_it_nothing() {
    for (vps, accepts) in [(5, true), (6, false)] {
        let mut g = basic(4);
        (g.us, g.phase) = (Seat(0), Phase::CardPlay);
        (g.tally[0].vps, g.tally[0].at_start) = (20, 20);
        deal_to(&mut g, "Ute", Seat(2));
        let rule = |t, mut g| async move {
            open_desks(&t, &mut g);
            let pick = Pick::new(Ask::Group, "x", "x", vec![postrider_table::Word::new("x")]);
            ask(&t, &mut g, Seat(1), pick).await;
            g
        };
        let mut trial = Trial::new(g, rule).start();
        let seen = trial.session.look().expect("the session runs");
        let desk = seen.tickets.iter().find(|k| k.seat == Seat(2) && !k.required).expect("a desk").id;
        let order = Order::Offer { village: "Ute".to_owned(), vps };
        trial.session.submit(&Decision { seat: Seat(2), prompt: desk, order }).expect("an offer");
        let village = "Ute".to_owned();
        let order = if accepts { Order::Accept { village } } else { Order::Refuse { village } };
        assert_eq!(opinion(&trial, Seat(0), false), Some(order), "for {vps} VPs");
    }
}

/// 7.5: the bot evades a fight that would cost it a Village and accepts one against a weak
/// attacker.
#[test]
fn it_evades_the_stronger_and_stands_against_the_weak() {
    for (name, place, bps, one) in [("Modoc", "OR", 20, "evade"), ("Comanche", "TX", 1, "stand")] {
        let mut g = basic(4);
        (g.us, g.round, g.active) = (Seat(0), 3, Some(Seat(0)));
        deal_to(&mut g, name, Seat(1));
        let v = village(&g, name);
        let pope = column(&mut g, "Pope", place, bps);
        let rule = move |t, mut g| async move {
            use crate::{
                campaign::{Attack, attack},
                ratings::{Force, Troops},
            };
            attack(&t, &mut g, &mut Attack::new(Troops(vec![pope]), Vec::new(), Force::Village(v))).await;
            g
        };
        let trial = Trial::new(g, rule).start();
        assert_eq!(opinion(&trial, Seat(1), true), Some(Order::Pick { one: one.into() }), "against {bps} BPs");
    }
}

/// 8.11, 9.2I: even if Federales could answer a Raid and the desk is urgent for that reason.
#[test]
fn it_makes_no_offer_that_the_us_would_refuse() {
    for raid in [None, Some(MexicoRaid { raider: Seat(2), vps: 0 })] {
        let mut g = basic(4);
        // The last Turn: B has acted and is ahead, so the US would refuse a Treaty.
        (g.us, g.phase, g.active, g.turn) = (Seat(0), Phase::CardPlay, Some(Seat(1)), 7);
        g.tally[1].vps = 20;
        deal_to(&mut g, "Ute", Seat(1));
        let v = village(&g, "Ute");
        g.village_mut(v).finished = true;
        g.hands[1].push(Held { card: Card::Federales, pos: 0 });
        g.fx.mexico_raid = raid;
        let rule = |t, mut g| async move {
            open_desks(&t, &mut g);
            let pick = Pick::new(Ask::Group, "x", "x", vec![postrider_table::Word::new("x")]);
            ask(&t, &mut g, Seat(1), pick).await;
            g
        };
        let mut trial = Trial::new(g, rule).start();
        let mut bots = Bots::new((0..4).map(|_| Some(steady())).collect());
        let mut said = Vec::new();
        while trial.session.over().is_none() && said.len() < 10 {
            let decided = bots.decide(&trial.session, &mut |_| 0).expect("nothing breaks");
            let BotDecision { asked, order } = decided.expect("somebody is asked");
            DynGame::decide(&mut trial.session, asked.seat, asked.id, &order).expect("bots order what is legal");
            said.push((asked.seat, asked.kind));
        }
        assert_eq!(said, [(Seat(1), "group")]);
    }
}

/// geronimo 11.3
#[test]
fn in_the_solitaire_game_it_answers_for_the_side_that_is_asked() {
    let mut asked = BTreeMap::new();
    for (seed, scenario) in [(1, Scenario::Basic), (2, Scenario::Campaign)] {
        let variant = Variant { scenario, solitaire: true, random_events: true, ..Variant::default() };
        let start = setup::position(pieces(), 1, variant);
        let mut session = Session::<Geronimo>::start(start, Box::new(SeededChance::new(seed)), Watch::NONE);
        let mut bots = Bots::new(vec![Some(steady())]);
        let mut below = stream("solitaire", seed);
        while session.over().is_none() {
            let seen = session.look().expect("the session runs");
            for ticket in &seen.tickets {
                let (g, kind) = (&seen.state, ticket.prompt.kind());
                let title = ticket.prompt.describe(g, ticket.seat).title;
                let side = g.side(hat(g, ticket.seat, kind));
                assert!(title.starts_with(&format!("{side}: ")), "{kind}: {title}, thought to be for the {side}");
                *asked.entry(side).or_insert(0) += 1;
            }
            let decided = bots.decide(&session, &mut |n| below.below(n)).expect("nothing breaks");
            let BotDecision { asked, order } = decided.expect("somebody is asked");
            DynGame::decide(&mut session, asked.seat, asked.id, &order).expect("bots order what is legal");
        }
    }
    assert!(asked.values().all(|&n| n > 100) && asked.len() == 2, "{asked:?}");
}

/// geronimo 5.241
#[test]
fn it_sees_the_line_from_edge_to_edge() {
    let mut g = basic(4);
    for a in g.area_ids() {
        g.area_mut(a).rrs = 0;
    }
    for code in ["KS", "CO", "CA"] {
        let a = area(&g, code);
        g.area_mut(a).rrs = 1;
    }
    let sight = Sight::new(&g, g.us);
    assert_eq!(sight.gaps(None), Some(1));
    // Colorado touches Arizona at a corner, and Arizona borders California.
    let closing: Vec<&str> =
        g.area_ids().filter(|&a| sight.gaps(Some(a)) == Some(0)).map(|a| g.c[a].code.as_str()).collect();
    assert_eq!(closing, ["AZ"]);
}

/// Before any Tribe is dealt, every Village may come into play.
/// geronimo 3.45
#[test]
fn it_sets_up_where_villages_are() {
    let mut g = basic(4);
    g.us = Seat(0);
    let a = super::columns::post(&Sight::new(&g, Seat(0))).expect("a post");
    let near = |v| g.area_of(v).is_some_and(|b| a == b || g.c.adjacent(a, b));
    assert!(g.village_ids().filter(|&v| near(v)).count() > 2, "{}", g.c[a].name);
}

/// geronimo 6.71, 7.23
#[test]
fn it_allies_against_what_one_village_cannot_take() {
    let mut g = basic(4);
    (g.us, g.round, g.active, g.phase) = (Seat(0), 3, Some(Seat(1)), Phase::CardPlay);
    deal_to(&mut g, "Arapaho", Seat(1));
    deal_to(&mut g, "Cheyenne", Seat(1));
    for name in ["Arapaho", "Northern Cheyenne", "Southern Cheyenne"] {
        let v = village(&g, name);
        g.village_mut(v).bps = 4;
    }
    for a in g.area_ids() {
        let state = g.area_mut(a);
        state.mines.clear();
        (state.settlements, state.towns, state.rrs, state.broke) = (0, 0, 0, 0);
    }
    let co = area(&g, "CO");
    g.area_mut(co).towns = 1;
    let rule = |t, mut g| async move {
        ask(&t, &mut g, Seat(1), VillageAction { after: After::Alliance, compelled: None }).await;
        g
    };
    let trial = Trial::new(g, rule).start();
    match opinion(&trial, Seat(1), true) {
        Some(Order::Alliance { with, target: Target::Town {}, .. }) => assert!(with.len() >= 2, "{with:?}"),
        other => panic!("{other:?}"),
    }
}
