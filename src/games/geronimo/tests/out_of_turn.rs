//! Tests of cards that affect another player's Round (9.15, 9.2C, 9.2D, 9.2F, 9.2I, 9.2K, 9.2AA).

use super::{
    treaties::{at_desk, order_at_desk},
    *,
};
use crate::{
    Order,
    battle::{Fight, fight, tribal_fight},
    card::Card,
    cards,
    play::card_play,
    ratings::{Force, Troops},
    state::{Held, Place, Use},
};

/// The Indian player after C.
const D: Seat = Seat(3);

fn played(g: State, card: Card) -> Trial {
    Trial::new(g, move |t: T, mut g| async move {
        cards::play(&t, &mut g, B, card).await;
        g
    })
}

/// Returns a trial of the Card Play Phase from B's Round on, with these hands for A to D; no
/// Resource DR brings anything.
fn card_phase(mut g: State, hands: [&[Card]; 4]) -> Trial {
    g.dealt = hands.iter().map(|hand| hand.len()).max().unwrap_or(0) as u32;
    let count = hands.iter().map(|hand| hand.len()).sum();
    for (hand, cards) in g.hands.iter_mut().zip(hands) {
        *hand = cards.iter().enumerate().map(|(pos, &card)| Held { card, pos }).collect();
    }
    let rule = |t: T, mut g| async move {
        card_play(&t, &mut g, B).await;
        g
    };
    Trial::new(g, rule).dice("resource", vec![5; count])
}

fn rounds(g: State, hands: [&[Card]; 4]) -> Running {
    card_phase(g, hands).start()
}

/// Returns a position in which C holds the Crow and D their Enemies, the Blackfoot; B has the
/// Comanche to pass with.
fn feud() -> State {
    let mut g = field();
    for (name, seat) in [("Comanche", B), ("Crow", C), ("Blackfoot", D)] {
        deal_to(&mut g, name, seat);
    }
    g
}

const CROW_ATTACK: &str = "crow war party of 6 attacks blackfoot village in montana";

/// geronimo 9.15, 9.11, 9.12
#[test]
fn the_phase_ends_with_the_last_card_and_lasting_cards_stay_in_view() {
    let mut g = field();
    deal_to(&mut g, "Comanche", B);
    let mut trial =
        rounds(g, [&[Card::PeacePolicy], &[Card::ReformMovement], &[Card::WinterCampaigning], &[Card::Parole]]);
    let mut cards = 0;
    while let Some(&(seat, kind)) = trial.asked().first() {
        let now = trial.now();
        let left: usize = now.hands.iter().map(Vec::len).sum();
        assert_eq!((left, kind == "settlement" && cards == 4), (4 - cards, false), "not a Round more");
        let words = match kind {
            "settlement" => "settle kansas",
            "shaman-card" if seat == B => "play reform movement",
            "shaman-card" if seat == C => "discard winter campaigning",
            "shaman-card" if seat == D => "discard parole",
            "shaman-card" => "play peace policy",
            "column-play" => "done",
            _ => "pass",
        };
        trial.say(words);
        cards += usize::from(kind == "shaman-card");
    }
    let end = trial.over();
    assert_eq!((cards, end.round), (4, 4));
    let in_view = crate::view::view(&end, None)["effects"].to_string();
    assert!(in_view.contains("Peace Policy") && in_view.contains("Reform Movement"), "{in_view}");
    assert!(!in_view.contains("Winter Campaigning"), "it was discarded: {in_view}");
}

/// geronimo 9.2D, 9.15
#[test]
fn bad_blood_makes_another_player_attack_at_once_and_uses_up_his_operation() {
    let mut trial = rounds(feud(), [&[Card::Raid], &[Card::BadBlood], &[Card::Parole], &[Card::Parole]]);
    trial.say("settle kansas").say("play bad blood").say("bad blood crow");
    assert_eq!(trial.asked()[0].0, C, "out of his Round");
    trial.check_options(0);
    let barred = trial.refused("crow relocate to wyoming");
    assert!(barred.ends_with("(9.2D)"), "{barred}");
    assert!(trial.order(Order::Pass {}).is_err(), "he must attack");
    let mut trial = {
        let mut g = feud();
        let (crow, blackfoot) = (village(&g, "Crow"), village(&g, "Blackfoot"));
        (g.village_mut(crow).bps, g.village_mut(blackfoot).bps) = (6, 3);
        // 2-1 for the Crow: their roll of 8 causes more losses than the 0 of the other side.
        played(g, Card::BadBlood).dice("battle, attacker", [8]).dice("battle, defender", [0]).start()
    };
    trial.say("bad blood crow").say(CROW_ATTACK).say("stay");
    let end = trial.over();
    let crow = village(&end, "Crow");
    assert!(end.tally[C.index()].operation_used && !end.tally[B.index()].operation_used);
    assert_eq!((end.village(crow).actions, end.village(crow).finished), (1, false));
    assert_eq!(vps(&end, C), 2, "doubled");
    assert!(end.total_bps(village(&end, "Blackfoot")) < 3);
}

/// geronimo 9.2D, 4.4
#[test]
fn after_bad_blood_he_plays_a_card_but_has_no_operation() {
    let mut g = feud();
    g.tally[C.index()].operation_used = true;
    let mut trial = rounds(g, [&[Card::Raid], &[Card::GoodWeather], &[Card::Parole], &[Card::Raid]]);
    trial.say("settle kansas").say("discard good weather").say("settle kansas");
    assert_eq!(trial.asked()[0], (C, "shaman-card"));
    trial.story();
    trial.say("play parole");
    assert_eq!(trial.asked()[0], (US, "settlement"), "D's Round: nothing more is asked of C");
    assert!(trial.story().iter().any(|line| line.contains("already conducted the Operation")));
    assert!(!trial.now().tally[C.index()].operation_used, "one Round only");
}

/// geronimo 9.2D
#[test]
fn bad_blood_of_ones_own_tribe_is_the_operation() {
    let mut g = feud();
    deal_to(&mut g, "Crow", B);
    let mut trial = rounds(g, [&[Card::Raid], &[Card::BadBlood], &[Card::Parole], &[Card::Parole]]);
    trial.say("settle kansas").say("play bad blood").say("bad blood crow");
    assert_eq!(trial.asked()[0].0, B);
    assert!(trial.read(CROW_ATTACK).is_ok());
    let mut g = feud();
    deal_to(&mut g, "Crow", B);
    let rule = |t: T, mut g| async move {
        let after = cards::play(&t, &mut g, B, Card::BadBlood).await;
        operation(&t, &mut g, B, after).await;
        g
    };
    let mut trial = Trial::new(g, rule).dice("battle, attacker", [0]).dice("battle, defender", [0]).start();
    trial.say("bad blood crow").say(CROW_ATTACK).say("stay");
    let end = trial.over();
    assert!(end.tally.iter().all(|tally| !tally.operation_used), "the Round is over; the next one is whole");
}

/// geronimo 9.2F, 9.2D
#[test]
fn blood_lust_makes_another_players_village_attack_without_doubling() {
    let mut g = field();
    g.turn = 4;
    for (name, seat) in [("Blackfoot", C), ("Crow", D)] {
        deal_to(&mut g, name, seat);
    }
    let (blackfoot, crow) = (village(&g, "Blackfoot"), village(&g, "Crow"));
    assert!(g.chiefs_of(blackfoot).next().is_some());
    (g.village_mut(blackfoot).bps, g.village_mut(crow).bps) = (3, 3);
    let mut trial = played(g, Card::BloodLust).dice("battle, attacker", [8]).dice("battle, defender", [0]).start();
    trial.say("blood lust blackfoot");
    assert_eq!(trial.asked()[0].0, C);
    trial.check_options(20);
    trial.say("blackfoot war party of 3 attacks crow village in montana").say("stay");
    let end = trial.over();
    assert!(end.tally[C.index()].operation_used && end.village(blackfoot).blood_lust);
    assert_eq!((end.village(blackfoot).actions, vps(&end, C)), (1, 1));
    // The Tribe's + 1 and the 2 of Blood Lust at odds of 1-1; no Chief went along.
    let told = trial.story();
    assert!(told.iter().any(|line| line.contains(": 8 +3 = 11 against 0 ")), "{told:#?}");
}

/// geronimo 9.2AA, 6.35
#[test]
fn smallpox_recalls_war_parties_and_spares_them() {
    let mut g = field();
    deal_to(&mut g, "Comanche", C);
    let v = village(&g, "Comanche");
    let all = g.village(v).bps;
    let near = party(&mut g, "Comanche", 3, &[], "TX");
    let far = party(&mut g, "Comanche", all - 4, &[], "NM");
    // The Column can reach New Mexico, but not Texas.
    column(&mut g, "Crook", "AZ", 4);
    assert_eq!(g.village(v).bps, 1);
    let mut trial = played(g, Card::Smallpox).dice("smallpox", [9]).start();
    trial.say("smallpox comanche");
    // The US may react to the return.
    assert_eq!(trial.asked()[0], (US, "reaction"));
    let now = trial.now();
    assert_eq!((now.village(v).finished, now.village(v).place), (true, Place::Area(area(&now, "TX"))));
    assert!(now.party(near).is_none() && now.party(far).is_some_and(|p| p.bps == all - 4), "one is home already");
    trial.say("pass");
    let end = trial.over();
    assert_eq!((end.village(v).bps, end.parties.len()), (all - 1, 0), "the second BP was not there to lose");
}

/// geronimo 9.2K, 5.22, 5.24
#[test]
fn what_a_played_out_mine_leaves_behind_is_settled_up() {
    let mut g = field();
    let wy = area(&g, "WY");
    mine(&mut g, "WY", 2);
    for a in g.area_ids().collect::<Vec<_>>() {
        if a != wy {
            g.area_mut(a).mines.clear();
        }
    }
    let run = |settlements, towns, rrs, broke, words: Option<&str>| {
        let mut g = g.clone();
        let state = g.area_mut(wy);
        (state.settlements, state.towns, state.rrs, state.broke) = (settlements, towns, rrs, broke);
        let mut trial = played(g, Card::GhostTowns).dice("mine played out", [5]).start();
        if let Some(words) = words {
            trial.say(words);
        }
        let end = trial.over();
        let state = end.area(wy);
        assert!(state.mines.is_empty());
        (state.settlements, state.towns, state.rrs, state.broke)
    };
    assert_eq!(run(4, 2, 0, 0, Some("remove town")), (2, 2, 0, 0), "seven Settlements are a Town and two");
    assert_eq!(run(2, 0, 1, 1, None), (1, 0, 1, 0), "one Settlement carries one RR; the Broke one goes");
    assert_eq!(run(0, 1, 4, 0, None), (3, 0, 3, 0), "three Settlements carry three");
}

/// Plays a Raid of B's Chiricahua into Mexico; C, whose Round is next, and D hold these cards.
fn mexico(hands: [&[Card]; 4]) -> Running {
    let mut g = field();
    deal_to(&mut g, "Apache", B);
    deal_to(&mut g, "Comanche", C);
    g.tally[B.index()].vps = 1;
    let mut trial = card_phase(g, hands).dice("raid", [6]).start();
    trial.say("settle kansas").say("play raid").say("chiricahua raid mexico");
    assert_eq!(vps(&trial.now(), B), 3);
    trial
}

/// geronimo 9.2I
#[test]
fn federales_undo_a_raid_out_of_turn_and_count_as_the_next_card() {
    let mut trial =
        mexico([&[Card::Raid], &[Card::Raid, Card::Parole], &[Card::Federales, Card::GoodWeather], &[Card::Parole]]);
    trial.check_options(0);
    assert_eq!(at_desk(&mut trial, C, "federales"), "");
    let now = trial.now();
    assert_eq!((vps(&now, B), now.fx.mexico_closed, now.fx.mexico_raid.is_none()), (1, true, true));
    assert_eq!(now.pile.last(), Some(&(C, Card::Federales, Use::Played)));
    // In C's own Round the card has been played already, but not the Operation.
    trial.say("settle kansas");
    let (seat, kind) = trial.asked()[0];
    assert_eq!(seat, C);
    assert_ne!(kind, "shaman-card");
    trial.say("pass");
    let now = trial.now();
    assert_eq!((now.hands[C.index()].len(), now.tally[C.index()].card_used), (1, false), "Good Weather is left");
    // The border is closed to Raids for the rest of the Turn.
    let mut raid = b_after(now, After::Raid { any_tribe: false }).start();
    refused_by(&mut raid, "9.2I", "mimbres raid mexico");
}

/// geronimo 9.2I
#[test]
fn federales_while_their_player_chooses_are_his_card_of_the_round() {
    // It is C's only card, so there is nothing else to play or discard.
    let mut trial = mexico([&[Card::Raid], &[Card::Raid, Card::Parole], &[Card::Federales], &[Card::Parole]]);
    trial.say("settle kansas");
    assert_eq!(trial.asked(), [(C, "shaman-card")]);
    assert_eq!(at_desk(&mut trial, C, "federales"), "");
    let (seat, kind) = trial.asked()[0];
    assert_eq!(seat, C);
    assert_ne!(kind, "shaman-card");
    let now = trial.now();
    assert_eq!((now.hands[C.index()].len(), now.tally[C.index()].card_used), (0, false));
}

/// geronimo 9.2I
#[test]
fn federales_wait_for_a_raid_of_somebody_else_and_for_no_later_card() {
    let mut trial =
        mexico([&[Card::Raid], &[Card::Raid, Card::Federales], &[Card::Parole, Card::Parole], &[Card::Federales]]);
    let why = order_at_desk(&mut trial, B, Order::Federales {}).expect_err("his own Raid").to_string();
    assert!(why.ends_with("(9.2I)"), "{why}");
    let why = order_at_desk(&mut trial, C, Order::Federales {}).expect_err("no such card").to_string();
    assert!(why.contains("do not hold") && why.ends_with("(9.2I)"), "{why}");
    trial.say("settle kansas").say("discard parole");
    // C has chosen his Shaman Card, so the Raid can no longer be undone.
    let why = order_at_desk(&mut trial, D, Order::Federales {}).expect_err("too late").to_string();
    assert!(why.ends_with("(9.2I)"), "{why}");
    let now = trial.now();
    assert_eq!((vps(&now, B), now.fx.mexico_closed), (3, false));
}

/// Plays one Battle of a Column against a War Party of B with the dice of the US and the Indians;
/// returns the VPs of both.
fn revenge(atrocity: Option<Seat>, us_attacks: bool, commander: &str, chiefs: &[&str], dice: [i64; 2]) -> (i32, i32) {
    let mut g = field();
    g.turn = 4;
    let id: ColumnId = column(&mut g, commander, "MT", 3);
    deal_to(&mut g, "Blackfoot", B);
    let p = party(&mut g, "Blackfoot", 3, chiefs, "MT");
    g.fx.atrocity = atrocity;
    let rule = move |t: T, mut g| async move {
        let mut troops = Troops(vec![id]);
        let force = Force::party(p);
        let attacker = force.player(&g).filter(|_| !us_attacks);
        fight(&t, &mut g, Fight { troops: &mut troops, force: &force, attacker, ambush: false }).await;
        g
    };
    let [us, indians] = dice;
    let trial = Trial::new(g, rule).dice("battle, US", [us]).dice("battle, Indians", [indians]).start();
    let end = trial.over();
    (vps(&end, US), vps(&end, B))
}

/// geronimo 9.2C, 7.33
#[test]
fn atrocity_and_reprisal_doubles_or_costs_a_vp() {
    let g = field();
    let chief_of = |name: &str| {
        let v = village(&g, name);
        let mut g = g.clone();
        g.turn = 4;
        g.chiefs_of(v).next().map(|h| (g.c[h].name.clone(), g.c[h].aggression)).expect("a Chief")
    };
    let (chief, aggression) = chief_of("Blackfoot");
    assert!(aggression >= 2);
    let chief = [chief.as_str()];
    let terry = g.c[commander(&g, "Terry")].aggression;
    let custer = g.c[commander(&g, "Custer")].aggression;
    assert!(terry < 2 && custer >= 2);
    // Revenge by the US requires a Chief with an Aggression of 2 or more.
    assert_eq!(revenge(None, true, "Terry", &chief, [9, 0]).0, 1);
    assert_eq!(revenge(Some(US), true, "Terry", &chief, [9, 0]).0, 2);
    assert_eq!(revenge(Some(US), true, "Terry", &chief, [0, 0]).0, -1);
    assert_eq!(revenge(Some(US), true, "Terry", &[], [9, 0]).0, 1, "no Chief");
    assert_eq!(revenge(Some(C), true, "Terry", &chief, [9, 0]).0, 1, "somebody else's card");
    // Revenge by the Indians requires such a Commander.
    let plain = revenge(None, false, "Custer", &[], [0, 9]).1;
    assert!(plain > 0);
    assert_eq!(revenge(Some(B), false, "Custer", &[], [0, 9]).1, 2 * plain);
    assert_eq!(revenge(Some(B), false, "Custer", &[], [0, 0]).1, -1);
    let terry = revenge(None, false, "Terry", &[], [0, 9]).1;
    assert_eq!(revenge(Some(B), false, "Terry", &[], [0, 9]).1, terry, "nobody hates Terry");
    // An Aggression of exactly 2 is enough, of 1 it is not.
    let of = |aggression: i32| {
        let found = g.c.commanders.iter().find(|m| m.aggression == aggression && m.surname != "Terry");
        found.expect("such a Commander").surname.clone()
    };
    for (aggression, times) in [(2, 2), (1, 1)] {
        let name = of(aggression);
        let plain = revenge(None, false, &name, &[], [0, 9]).1;
        assert_eq!(revenge(Some(B), false, &name, &[], [0, 9]).1, times * plain, "{name}");
    }
}

/// geronimo 9.2C, 9.2D
#[test]
fn bad_blood_and_revenge_between_tribes() {
    let run = |double, atrocity, attacker: i64| {
        let mut g = field();
        g.turn = 4;
        for (name, seat) in [("Crow", B), ("Blackfoot", C)] {
            deal_to(&mut g, name, seat);
        }
        let hated = g.chiefs_of(village(&g, "Blackfoot")).next().map(|h| g.c[h].name.clone()).expect("a Chief");
        let crow = party(&mut g, "Crow", 3, &[], "MT");
        let target = party(&mut g, "Blackfoot", 3, &[&hated], "MT");
        g.fx.atrocity = atrocity;
        let rule = move |t: T, mut g| async move {
            tribal_fight(&t, &mut g, (B, &Force::party(crow)), &Force::party(target), double).await;
            g
        };
        let trial = Trial::new(g, rule).dice("battle, attacker", [attacker]).dice("battle, defender", [0]).start();
        vps(&trial.over(), B)
    };
    assert_eq!([run(false, None, 9), run(true, None, 9), run(false, Some(B), 9)], [1, 2, 2]);
    assert_eq!([run(true, Some(B), 9), run(true, Some(B), 0), run(true, None, 0)], [4, -1, 0]);
}

/// geronimo 7.31, 9.2D
#[test]
fn an_even_choice_of_odds_is_for_the_player_whose_round_it_is_not() {
    let fought = |defender, active| {
        let mut g = field();
        for (name, seat) in [("Comanche", B), ("Crow", C), ("Blackfoot", defender)] {
            hold(&mut g, name, seat);
        }
        g.active = Some(active);
        let (crow, blackfoot) = (village(&g, "Crow"), village(&g, "Blackfoot"));
        (g.village_mut(crow).bps, g.village_mut(blackfoot).bps) = (5, 2);
        let mut trial = played(g, Card::BadBlood).dice("battle, attacker", [0]).dice("battle, defender", [0]).start();
        trial.say("bad blood crow").say("crow war party of 5 attacks blackfoot village in montana");
        trial.story().join(" ")
    };
    // 5 to 2 is as close to 3-1 as to 2-1. B plays the card in his own Round, and C attacks him, so
    // C has the choice.
    let told = fought(B, B);
    assert!(told.contains("(odds 3-1)"), "{told}");
    // If it is neither player's Round, the attacker is active and the defender has the choice.
    let told = fought(D, B);
    assert!(told.contains("(odds 2-1)"), "{told}");
}

/// geronimo 9.2J, 9.2BB, 9.2CC
#[test]
fn equipment_of_the_us_lasts() {
    for (card, told) in [
        (Card::GatlingGuns, "From now on the US may take a Gatling as one of its Artillery markers each Turn."),
        (Card::SpringfieldRifle, "From now on the US adds 1 to all its Battle DRs."),
        (Card::Telegraph, "From now on Columns may React into adjacent Areas, with 1 added to the DR."),
    ] {
        let mut g = field();
        g.removed.clear();
        (g.fx.gatlings, g.fx.springfield, g.fx.telegraph) = (false, false, false);
        let mut run = played(g, card).start();
        let end = run.over();
        let fx = [end.fx.gatlings, end.fx.springfield, end.fx.telegraph];
        let which = [Card::GatlingGuns, Card::SpringfieldRifle, Card::Telegraph].map(|other| other == card);
        assert_eq!((end.removed, fx), (vec![card], which));
        assert!(run.story().contains(&told.to_owned()));
    }
}

/// Only the attacks of the player whose card it is count for more, or cost a VP.
///
/// geronimo 9.2C
#[test]
fn the_revenge_of_one_is_not_that_of_another() {
    for dice in [[0, 9], [0, 0]] {
        let plain = revenge(None, false, "Custer", &[], dice).1;
        for other in [US, C] {
            assert_eq!(revenge(Some(other), false, "Custer", &[], dice).1, plain, "{other:?} {dice:?}");
        }
    }
}
