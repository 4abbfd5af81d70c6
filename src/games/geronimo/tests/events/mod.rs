//! Tests of random events (12.1).

mod no_event;
mod sand_creek;

use super::*;
use crate::{
    battle::{Fight, fight, tribal_fight},
    card::Card,
    cards,
    end_of_turn::end_of_turn,
    events::{self, Event},
    legal,
    play::card_play,
    ratings::{Force, Troops},
    state::{Events, Held, Place},
    statehood::statehood_phase,
    survival::survival_phase,
};
use postrider_table::Event as Done;
use std::{cell::Cell, rc::Rc};

const D: Seat = Seat(3);

/// Returns the position of `field` with random events turned on.
fn prairie() -> State {
    let mut g = field();
    g.variant.random_events = true;
    g
}

/// Returns a trial of a seat's chance of a random event with this DR; the cell tells if the Round
/// goes on.
fn rolled(g: State, seat: Seat, dr: i64) -> (Trial, Rc<Cell<Option<bool>>>) {
    let goes_on = Rc::new(Cell::new(None));
    let said = goes_on.clone();
    let rule = move |t: T, mut g| async move {
        said.set(Some(events::random_event(&t, &mut g, seat).await));
        g
    };
    (Trial::new(g, rule).dice("random event", [dr]), goes_on)
}

/// Rolls for an event and plays it; the test answers the questions that follow.
fn played(g: State, seat: Seat, dr: i64) -> Running {
    let mut trial = rolled(g, seat, dr).0.start();
    trial.check_options(4);
    trial.say("roll");
    if trial.asked().first().is_some_and(|asked| asked.1 == "event") {
        trial.check_options(4);
        trial.say("play");
    }
    trial
}

fn battle(g: State, id: ColumnId, force: Force) -> Trial {
    Trial::new(g, move |t: T, mut g| async move {
        let mut troops = Troops(vec![id]);
        fight(&t, &mut g, Fight { troops: &mut troops, force: &force, attacker: None, ambush: false }).await;
        g
    })
}

fn words(trial: &Running) -> Vec<String> {
    trial.options().into_iter().map(|choice| choice.words).collect()
}

fn withdraw(g: &mut State) {
    g.columns.clear();
    g.commanders.fill(CommanderPlace::Cup);
}

fn sound(g: &State) {
    assert_eq!(legal::faults(g), Vec::<String>::new());
}

/// geronimo 12.1, 12.13
#[test]
fn every_dr_brings_an_event_and_the_wrong_side_ignores_it() {
    let names: Vec<&str> = (0..=9).map(|dr| Event::of(dr).name()).collect();
    assert_eq!(
        names,
        [
            "Gunrunners",
            "Gunrunners",
            "Buffalo Hunter Campaign",
            "Telegraph Lines Cut",
            "Siege",
            "Stronghold",
            "Sand Creek Massacre",
            "Horse Killers",
            "Hostages",
            "Hostages"
        ]
    );
    let mut g = prairie();
    hold(&mut g, "Comanche", B);
    for (seat, ignored) in [(US, [0, 2, 3, 4, 5].as_slice()), (B, &[7, 8])] {
        for &dr in ignored {
            let (trial, goes_on) = rolled(g.clone(), seat, dr);
            let mut trial = trial.start();
            trial.say("roll");
            let end = trial.over();
            assert!(trial.story().iter().any(|line| line.contains("is Ignored")), "{dr}");
            assert_eq!((goes_on.get(), end.events == Events::default()), (Some(true), true), "{dr}");
        }
    }
}

/// Plays the Card Play Phase from B's Round on, with these hands for A to D.
fn rounds(mut g: State, hands: [&[Card]; 4], drs: &[i64]) -> Running {
    g.dealt = hands[0].len() as u32;
    let count = hands.iter().map(|hand| hand.len()).sum();
    for (hand, cards) in g.hands.iter_mut().zip(hands) {
        *hand = cards.iter().enumerate().map(|(pos, &card)| Held { card, pos }).collect();
    }
    let rule = |t: T, mut g| async move {
        card_play(&t, &mut g, B).await;
        g
    };
    Trial::new(g, rule).dice("resource", vec![5; count]).dice("random event", drs.iter().copied()).start()
}

/// geronimo 12.1, 12.11, 12.12, 9.13, 9.14
#[test]
fn only_a_card_without_effect_lets_its_player_roll_and_only_once_a_turn() {
    let mut g = prairie();
    for (name, seat) in [("Comanche", B), ("Crow", C), ("Ute", D)] {
        hold(&mut g, name, seat);
    }
    let hands = [
        [Card::Raid, Card::ShamanMedicine],
        [Card::Federales, Card::Federales],
        [Card::Parole, Card::Parole],
        [Card::WinterCampaigning, Card::Parole],
    ];
    let mut trial = rounds(g, [&hands[0], &hands[1], &hands[2], &hands[3]], &[7, 7, 3]);
    let (mut offered, mut turned_down) = (Vec::new(), 0);
    while let Some(&(seat, kind)) = trial.asked().first() {
        let now = trial.now();
        let said = match kind {
            "settlement" => "settle kansas".to_owned(),
            "shaman-card" if seat == D && now.round > 4 => "discard parole".to_owned(),
            "shaman-card" if seat == D => "play winter campaigning".to_owned(),
            "shaman-card" => words(&trial).into_iter().find(|words| words.starts_with("play")).expect("a card"),
            // The US may Ignore Shaman Medicine and does so.
            "shaman-medicine" => "nobody".to_owned(),
            "random-event" => {
                offered.push((now.round, seat));
                turned_down += u32::from(seat == US && now.round == 4);
                if seat == US && now.round == 4 { "no roll" } else { "roll" }.to_owned()
            }
            "column-play" => "done".to_owned(),
            "event" => "play".to_owned(),
            _ => "pass".to_owned(),
        };
        trial.say(&said);
    }
    // B and C roll with their first cards and may not roll again. D's first card has an effect, and
    // his second is discarded. The US declines its first chance and takes the second.
    assert_eq!(offered, [(1, B), (2, C), (4, US), (8, US)]);
    assert_eq!(turned_down, 1);
    let end = trial.over();
    assert_eq!([US, B, C, D].map(|s| end.tally[s.index()].event_rolled), [true, true, true, false]);
}

/// geronimo 9.2C, 12.1, 12.12
#[test]
fn revenge_that_nobody_takes_brings_no_roll() {
    let mut g = prairie();
    hold(&mut g, "Comanche", B);
    let hands: [&[Card]; 4] = [&[Card::Parole], &[Card::AtrocityAndReprisal], &[Card::Parole], &[Card::Parole]];
    let mut trial = rounds(g, hands, &[5, 5, 5]);
    let mut offered = Vec::new();
    while let Some(&(seat, kind)) = trial.asked().first() {
        let said = match kind {
            "settlement" => "settle kansas".to_owned(),
            "shaman-card" => words(&trial).into_iter().find(|words| words.starts_with("play")).expect("a card"),
            "random-event" => {
                offered.push(seat);
                "no roll".to_owned()
            }
            "column-play" => "done".to_owned(),
            _ => "pass".to_owned(),
        };
        trial.say(&said);
    }
    // B does not attack, so his card is finally Ignored, but it is too late for a roll (12.1).
    assert_eq!(offered, [C, D, US]);
}

/// geronimo 12.1, 12.11
#[test]
fn without_the_option_nobody_is_asked() {
    let mut g = field();
    hold(&mut g, "Comanche", B);
    let hands: [&[Card]; 4] = [&[Card::Raid], &[Card::Federales], &[Card::Parole], &[Card::Parole]];
    let mut trial = rounds(g, hands, &[]);
    while let Some(&(_, kind)) = trial.asked().first() {
        assert_ne!(kind, "random-event");
        let said = match kind {
            "settlement" => "settle kansas".to_owned(),
            "shaman-card" => words(&trial).swap_remove(0),
            "column-play" => "done".to_owned(),
            _ => "pass".to_owned(),
        };
        trial.say(&said);
    }
    trial.over();
}

/// geronimo 12.13, 9.11
#[test]
fn an_event_discarded_ends_the_round() {
    let mut g = prairie();
    hold(&mut g, "Comanche", B);
    let (trial, goes_on) = rolled(g.clone(), B, 5);
    let mut trial = trial.start();
    trial.say("roll").say("discard");
    assert_eq!((goes_on.get(), trial.over().events), (Some(false), Events::default()));
    // The Round then ends without an Operation and clears the mark of one used up out of turn.
    g.tally[B.index()].operation_used = true;
    let hands: [&[Card]; 4] = [&[], &[Card::Federales], &[], &[]];
    let mut trial = rounds(g, [&[Card::Raid], hands[1], &[Card::Raid], &[Card::Raid]], &[5]);
    trial.say("settle kansas").say("play federales").say("roll").say("discard");
    assert_eq!(trial.asked(), [(US, "settlement")]);
    let now = trial.now();
    assert_eq!((now.round, now.tally[B.index()].operation_used), (2, false));
}

/// geronimo 12.13, 7.31, 6.73
#[test]
fn gunrunners_arm_a_tribe_and_its_allies() {
    let mut g = prairie();
    let sibley = column(&mut g, "Sibley", "SD", 10);
    deal_to(&mut g, "Sioux", B);
    deal_to(&mut g, "Comanche", C);
    hold(&mut g, "Crow", C);
    let mut trial = played(g, B, 1);
    assert_eq!(words(&trial), ["gunrunners for crow", "gunrunners for sioux"], "the Comanche are hidden");
    trial.say("gunrunners for sioux");
    while let Some(&(_, "teton-chiefs")) = trial.asked().first() {
        let said = words(&trial).swap_remove(0);
        trial.say(&said);
    }
    let mut g = trial.over();
    sound(&g);
    assert_eq!(g.known_player_of(village(&g, "Teton 1")), Some(B), "the marker shows who plays the Tribe");
    let crow = village(&g, "Crow");
    // Crazy Horse against Sibley as in 7.32, with one more for the Gunrunners.
    for state in &mut g.chiefs {
        state.assigned = None;
    }
    let teton = village(&g, "Teton 1");
    let crazy_horse = chief(&g, "Crazy Horse");
    g.chiefs[crazy_horse.index()].assigned = Some(teton);
    let id = party(&mut g, "Teton 1", 5, &["Crazy Horse"], "SD");
    let other = party(&mut g, "Teton 2", 2, &[], "SD");
    let ally = party(&mut g, "Crow", 2, &[], "SD");
    let drms = |ids: &[PartyId]| Force::Parties(ids.to_vec()).tribal_drms(&g);
    assert_eq!([drms(&[id]), drms(&[id, ally]), drms(&[id, other]), drms(&[ally])], [1, 1, 1, 0]);
    assert_eq!(Force::Village(crow).tribal_drms(&g), 0);
    let mut trial = Trial::new(g, move |t: T, mut g| async move {
        let (mut troops, force) = (Troops(vec![sibley]), Force::party(id));
        let attacker = force.player(&g);
        fight(&t, &mut g, Fight { troops: &mut troops, force: &force, attacker, ambush: false }).await;
        g
    })
    .dice("battle, Indians", [4])
    .dice("battle, US", [3])
    .start();
    trial.over();
    assert!(trial.story().iter().any(|line| line.contains("the US rolls 3 +3 = 6, the Indians 4 +2 = 6")));
}

/// geronimo 12.13, 9.2G
#[test]
fn a_campaign_keeps_new_buffalo_skulls_out_of_its_area() {
    let mut g = prairie();
    deal_to(&mut g, "Comanche", B);
    deal_to(&mut g, "Ute", B);
    let tx = area(&g, "TX");
    g.area_mut(tx).skulls = 1;
    let p = party(&mut g, "Ute", 2, &[], "CO");
    let hunt = |g: State| {
        let trial = Trial::new(g, |t: T, mut g| async move {
            cards::play(&t, &mut g, US, Card::BuffaloHunters).await;
            g
        })
        .start();
        words(&trial)
    };
    assert!(hunt(g.clone()).contains(&"skull texas".to_owned()));
    let mut trial = played(g.clone(), B, 2);
    let home = g.area_of(village(&g, "Ute")).expect("on the map");
    let listed: &[&str] = match g.c[home].buffalo {
        true => &["campaign of comanche", "campaign of ute", "campaign of war party ute"],
        false => &["campaign of comanche", "campaign of war party ute"],
    };
    assert_eq!(words(&trial), listed);
    trial.say("campaign of comanche");
    let end = trial.over();
    sound(&end);
    assert_eq!((end.area(tx).skulls, end.skulls_left()), (1, g.skulls_left()), "those that are there stay");
    assert_eq!(end.known_player_of(village(&end, "Comanche")), Some(B));
    assert_eq!(end.known_player_of(village(&end, "Ute")), None);
    // One campaign in an Area is enough.
    let mut held = g.clone();
    held.events.buffalo_campaigns.push(tx);
    assert!(!words(&played(held, B, 2)).contains(&"campaign of comanche".to_owned()));
    let left = hunt(end);
    assert!(!left.contains(&"skull texas".to_owned()) && left.contains(&"skull colorado".to_owned()));
    // A War Party will do as well as a Village.
    let mut trial = played(g.clone(), B, 2);
    trial.say("campaign of war party ute");
    let end = trial.over();
    assert_eq!(end.events.buffalo_campaigns, [area(&end, "CO")]);
    assert!(end.party(p).is_some() && end.known_player_of(village(&end, "Ute")) == Some(B));
    // With no Tribe in a Buffalo Area, the event is No Event.
    let mut g = prairie();
    hold(&mut g, "Modoc", B);
    let mut trial = played(g, B, 2);
    assert_eq!(trial.over().events, Events::default());
    assert!(trial.story().iter().any(|line| line.starts_with("No Event")));
}

/// geronimo 12.13, 5.351
#[test]
fn nobody_reacts_over_lines_that_are_cut() {
    let mut g = prairie();
    column(&mut g, "Sheridan", "CO", 13);
    let attack = "arapaho war party of 4 attacks mine in wyoming";
    hold(&mut g, "Arapaho", B);
    mine(&mut g, "WY", 2);
    let reacts = |g: &State| {
        let mut trial = b_round(g.clone()).dice("resource attack", [9]).start();
        trial.say(attack);
        trial.asked()[0].1 == "reaction"
    };
    assert!(reacts(&g));
    // With the lines cut in the Area of the attack or in that of the Column, there is no Reaction.
    let mut trial = played(g.clone(), B, 3);
    assert_eq!(trial.words().len(), 1, "there is one Tribe to choose");
    let only = trial.words().remove(0);
    let cut = trial.say(&only).over();
    sound(&cut);
    assert_eq!(cut.events.lines_cut, [area(&cut, "WY")]);
    assert!(!reacts(&cut));
    let mut other = g.clone();
    other.events.lines_cut = vec![area(&g, "CO")];
    assert!(!reacts(&other));
    // A Column in the Area of the attack needs no Telegraph.
    let mut near = cut.clone();
    column(&mut near, "Miles", "WY", 5);
    assert!(reacts(&near));
    // Lines are cut once, so nobody else is there to cut them.
    let mut again = g.clone();
    again.events.lines_cut = vec![area(&g, "WY")];
    let mut trial = played(again, B, 3);
    assert!(trial.asked().is_empty());
    assert!(trial.story().iter().any(|line| line.starts_with("No Event")), "{:?}", trial.story());
    // Before the Telegraph, the event is No Event.
    g.fx.telegraph = false;
    let trial = played(g, B, 3);
    assert_eq!(trial.over().events, Events::default());
}

/// Returns a position with Howard In Fort in Texas, next to a War Party of B's Comanche; Miles and
/// Terry are elsewhere.
fn invested() -> State {
    let mut g = prairie();
    for (name, code, bps) in [("Howard", "TX", 4), ("Miles", "WY", 5), ("Terry", "WY", 9)] {
        column(&mut g, name, code, bps);
    }
    g.columns[0].in_fort = true;
    hold(&mut g, "Comanche", B);
    party(&mut g, "Comanche", 2, &[], "TX");
    g
}

/// geronimo 7.8, 12.13
#[test]
fn what_was_besieged_or_strong_is_told_once() {
    let mut g = invested();
    let howard = g.columns[0].id;
    g.events.sieges.push(howard);
    let v = village(&g, "Comanche");
    let rule = move |t: T, mut g: State| async move {
        crate::losses::destroy_column(&t, &mut g, howard);
        crate::events::lose_stronghold(&t, &mut g, v);
        crate::reservation::offers_lapse(&t, &mut g, v);
        g
    };
    let mut run = Trial::new(g.clone(), rule).start();
    assert!(run.over().events.sieges.is_empty());
    let story = run.story().join(" ");
    assert!(!story.contains("Stronghold") && !story.contains("Treaty"), "{story}");
    g.events.strongholds.push(v);
    let story = Trial::new(g, rule).start().story().join(" ");
    assert!(story.contains("The Comanche lose their Stronghold."), "{story}");
}

/// geronimo 12.13
#[test]
fn cutting_the_lines_shows_the_card() {
    let mut g = invested();
    let comanche = g.c.tribe_by_name("Comanche").expect("a Tribe");
    g.tribes[comanche.index()].revealed = false;
    let trial = Trial::new(g, |t: T, mut g: State| async move {
        crate::events::indian::telegraph_lines_cut(&t, &mut g, B).await;
        g
    });
    let mut run = trial.start();
    let first = run.options().remove(0);
    run.order(first.order).expect("an option");
    assert!(run.over().tribes[comanche.index()].revealed && !run.over().events.lines_cut.is_empty());
}

/// geronimo 12.13, 5.342, 5.45
#[test]
fn a_siege_keeps_a_column_in_its_fort() {
    let mut g = invested();
    let v = village(&g, "Comanche");
    g.village_mut(v).finished = true;
    assert_eq!(played(g.clone(), B, 4).over().events, Events::default(), "a Finished Village besieges nobody");
    g.village_mut(v).finished = false;
    let mut g = played(g, B, 4).over();
    sound(&g);
    let howard = g.columns[0].id;
    assert_eq!(g.events.sieges, [howard]);
    assert_eq!(g.village(v).actions, 0, "it is no action");
    // The siege stays in effect without the War Party.
    let id = g.parties[0].id;
    g.bring_home(id);
    g.active = Some(US);
    g.reserve.bps = 5;
    in_reserve(&mut g, "Crook");
    let mut trial = us_round(g).start();
    trial.check_options(20);
    assert!(!words(&trial).iter().any(|words| words.contains("howard")));
    for order in ["howard leaves fort", "reinforce howard with 2", "divide howard into crook with 2"] {
        refused_by(&mut trial, "12.13", order);
    }
    trial.say("done");
    sound(&trial.over());
}

/// geronimo 12.13, 5.38, 5.55
#[test]
fn attrition_falls_on_the_besieged_whatever_the_dr() {
    let mut g = played(invested(), B, 4).over();
    let survival = |g: &State, dr: i64| {
        let mut g = g.clone();
        // Without Tribes in play, no Tribe is checked.
        g.tribes.fill_with(Default::default);
        Trial::new(g, |t: T, mut g| async move {
            survival_phase(&t, &mut g).await;
            g
        })
        .dice("attrition", [dr])
        .start()
    };
    let bps = |g: &State| g.columns.iter().map(|k| k.bps).collect::<Vec<_>>();
    assert_eq!(bps(&survival(&g, 0).over()), [3, 5, 9]);
    assert_eq!(bps(&survival(&g, 1).over()), [3, 5, 9], "it is the one of the DR");
    let mut trial = survival(&g, 2);
    trial.check_options(10);
    refused_by(&mut trial, "12.13", "miles and terry");
    trial.say("terry and howard");
    assert_eq!(bps(&trial.over()), [3, 5, 8]);
    // Artillery may be lost instead of the BP.
    g.columns[0].guns = 1;
    let mut trial = survival(&g, 0);
    trial.check_options(10);
    trial.say("howard gun");
    let end = trial.over();
    assert_eq!((bps(&end), end.columns[0].guns), (vec![4, 5, 9], 0));
}

/// Returns a position in which B's Southern Cheyenne in Colorado are a Stronghold, and Miles is
/// there with 15 BPs.
fn stronghold() -> (State, ColumnId, Force) {
    let mut g = prairie();
    let id = column(&mut g, "Miles", "CO", 15);
    hold(&mut g, "Cheyenne", B);
    let mut trial = played(g, B, 5);
    trial.say("stronghold for southern");
    let g = trial.over();
    sound(&g);
    let force = Force::Village(village(&g, "Southern"));
    (g, id, force)
}

/// geronimo 12.13, 7.31
#[test]
fn whoever_attacks_a_stronghold_has_three_less() {
    let (g, id, force) = stronghold();
    // 15 to 5 is 3-1: + 4, Miles + 2, less 3.
    let mut trial = battle(g.clone(), id, force.clone()).dice("battle, US", [7]).dice("battle, Indians", [0]).start();
    trial.over();
    let story = trial.story();
    assert!(story.iter().any(|line| line.contains("the US rolls 7 +3 = 10")), "{story:?}");
    // The Crow, 6 to 5 (1-1), with a Battle rating of their own.
    let mut g = g;
    let crow = party(&mut g, "Crow", 6, &[], "CO");
    let plain = g.c[village(&g, "Crow")].battle + g.c[village(&g, "Crow")].poison_arrows;
    let mut trial = Trial::new(g, move |t: T, mut g| async move {
        tribal_fight(&t, &mut g, (B, &Force::party(crow)), &force, false).await;
        g
    })
    .dice("battle, attacker", [5])
    .dice("battle, defender", [0])
    .start();
    trial.over();
    let (drm, story) = (plain - 3, trial.story());
    assert!(story.iter().any(|line| line.contains(&format!(": 5 {drm:+} = {} against", 5 + drm))), "{story:?}");
}

/// geronimo 12.13
#[test]
fn a_stronghold_is_lost_by_devastation_evasion_moves_and_an_empty_village() {
    let (g, id, force) = stronghold();
    let v = village(&g, "Southern");
    let gone = |g: &State| {
        sound(g);
        g.events.strongholds.is_empty()
    };
    // 9 + 3 = 12 Devastates; 0 + 3 = 3 does not.
    for (dr, lost) in [(9, true), (0, false)] {
        let trial = battle(g.clone(), id, force.clone()).dice("battle, US", [dr]).dice("battle, Indians", [0]).start();
        let end = trial.over();
        assert_eq!((gone(&end), end.village(v).devastation > 0), (lost, lost), "DR {dr}");
    }
    // An attempt at Evasion before the Battle, even if it fails, loses it.
    let mut us = g.clone();
    us.active = Some(US);
    let mut trial = us_round(us).dice("evasion", [9]).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("miles attacks southern cheyenne village").say("evade").say("done");
    assert!(gone(&trial.over()));
    let story = trial.story();
    assert!(story.iter().any(|line| line.contains("the US rolls 0 +6 = 6")), "{story:?}");
    // A Relocation loses it, but not one that is turned back.
    let mut quiet = g.clone();
    withdraw(&mut quiet);
    let mut trial = b_round(quiet.clone()).start();
    trial.say("southern cheyenne relocate to kansas");
    assert!(gone(&trial.over()));
    // It is lost if all BPs leave, but not if one stays at home.
    let bps = g.village(v).bps;
    let tx = area(&g, "KS");
    quiet.area_mut(tx).settlements = 3;
    for (sent, lost) in [(bps, true), (bps - 1, false)] {
        let mut trial = b_round(quiet.clone()).dice("resource attack", [9]).start();
        trial.say(&format!("southern cheyenne war party of {sent} attacks settlement in kansas")).say("stay");
        assert_eq!(gone(&trial.over()), lost, "{sent} of {bps} go");
    }
}

/// geronimo 12.13, 7.52, 6.36, 6.43
#[test]
fn a_village_without_horses_evades_badly_and_stays_at_home() {
    let mut g = prairie();
    let id = column(&mut g, "Miles", "WY", 20);
    hold(&mut g, "Arapaho", B);
    let v = village(&g, "Arapaho");
    let force = Force::Village(v);
    let mut g = {
        let trial = played(g, US, 7);
        trial.over()
    };
    assert!(g.events.horse_killers);
    let before = force.evasion_capability(&g);
    g.village_mut(v).bps = 7;
    let old = g.send_party(v, 2, &[], area(&g, "CO"));
    let out = Force::party(old).evasion_capability(&g);
    // A Battle that does not Devastate raises no question.
    let trial = battle(g.clone(), id, force.clone()).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    assert_eq!(trial.over().village(v).devastation, 0);
    let mut trial = battle(g.clone(), id, force.clone()).dice("battle, US", [9]).dice("battle, Indians", [0]).start();
    assert_eq!(trial.asked(), [(US, "horse-killers")]);
    trial.check_options(2);
    trial.say("kill the horses");
    let mut g = trial.over();
    sound(&g);
    assert_eq!((g.events.no_horses.as_slice(), g.events.horse_killers), ([v].as_slice(), false), "once");
    assert_eq!(force.evasion_capability(&g), before - 2);
    assert_eq!(Force::party(old).evasion_capability(&g), out, "War Parties have theirs");
    withdraw(&mut g);
    mine(&mut g, "WY", 2);
    for code in ["CO", "NE"] {
        let a = area(&g, code);
        g.area_mut(a).settlements = 2;
    }
    // The War Party that was already out may still move.
    let mut trial = b_round(g.clone()).dice("resource attack", [9]).start();
    trial.check_options(30);
    trial.say("arapaho war party attacks settlement in colorado").say("return");
    trial.over();
    // A new War Party may not leave the Area; the same applies to a Raid.
    g.bring_home(old);
    g.village_mut(v).party_returned = false;
    g.village_mut(v).parties_sent = 0;
    let mut trial = b_round(g.clone()).dice("resource attack", [9]).start();
    trial.check_options(30);
    refused_by(&mut trial, "12.13", "arapaho war party of 3 attacks settlement in colorado");
    trial.say("arapaho war party of 3 attacks mine in wyoming").say("stay");
    let out = trial.over();
    assert!(out.parties[0].on_foot);
    let mut trial = b_round(out).start();
    refused_by(&mut trial, "12.13", "arapaho war party attacks settlement in nebraska");
    let mut trial = b_after(g, After::Raid { any_tribe: false }).dice("raid", [9]).start();
    trial.check_options(10);
    refused_by(&mut trial, "12.13", "arapaho raid settlement in colorado");
    trial.say("arapaho raid mine in wyoming");
    trial.over();
}

/// Returns a position with Chivington and B's Southern Cheyenne in Colorado, one War Party of 2 BPs
/// out, and the Ute On Reservation. The US has rolled the hostages event.
fn washita() -> (State, ColumnId, Force) {
    let mut g = prairie();
    let id = column(&mut g, "Chivington", "CO", 10);
    hold(&mut g, "Cheyenne", B);
    let (v, co) = (village(&g, "Southern"), area(&g, "CO"));
    let mut g = played(g, US, 9).over();
    assert!(g.events.hostages);
    let ute = village(&g, "Ute");
    g.village_mut(ute).place = Place::Reservation { from: co };
    party(&mut g, "Southern", 2, &[], "KS");
    (g, id, Force::Village(v))
}

/// geronimo 12.13, 8.14, 7.81, 8.21
#[test]
fn hostages_instead_of_a_massacre() {
    let (g, id, force) = washita();
    let (v, co) = (village(&g, "Southern"), area(&g, "CO"));
    let chiefs: Vec<_> = g.chiefs_of(v).collect();
    let (bps, before) = (g.total_bps(v), vps(&g, US));
    // 10 to 3 is 3-1: 9 + 4 = 13, 3[M3].
    let run = || battle(g.clone(), id, force.clone()).dice("battle, US", [9]).dice("battle, Indians", [0]);
    let mut trial = run().start();
    assert_eq!(trial.asked(), [(US, "hostages")]);
    trial.check_options(2);
    trial.say("take hostages");
    let end = trial.over();
    sound(&end);
    assert_eq!((end.area(co).massacres, end.village(v).place), (0, Place::Reservation { from: co }));
    assert_eq!((vps(&end, US), end.parties.len(), end.total_bps(v)), (before + 2, 0, bps - 1));
    assert!(!chiefs.is_empty() && chiefs.iter().all(|h| end.chiefs[h.index()].prison));
    assert!(!end.events.hostages, "once a Turn");
    // Without hostages there is a Massacre: it counts, and the Ute may leave the Reservation.
    let mut trial = run().dice("unrest", [9]).start();
    trial.say("no hostages");
    let end = trial.over();
    assert_eq!((end.area(co).massacres, end.area_of(v), end.events.hostages), (1, Some(co), true));
}

/// geronimo 12.14
#[test]
fn markers_come_off_when_the_turn_ends() {
    let mut g = sand_creek::undealt();
    let (co, v) = (area(&g, "CO"), village(&g, "Comanche"));
    let id = column(&mut g, "Howard", "TX", 4);
    g.columns[0].in_fort = true;
    g.events = Events {
        gunrunners: vec![tribe(&g, "Comanche")],
        buffalo_campaigns: vec![co],
        lines_cut: vec![co],
        sieges: vec![id],
        strongholds: vec![v],
        no_horses: vec![v],
        sand_creek: Some(co),
        horse_killers: true,
        hostages: true,
        sand_creek_over: true,
    };
    g.tally[B.index()].event_rolled = true;
    sound(&g);
    let rule = |t: T, mut g| async move {
        end_of_turn(&t, &mut g);
        g
    };
    let end = Trial::new(g, rule).start().over();
    assert_eq!(end.events, Events { sand_creek_over: true, ..Events::default() });
    assert!(!end.tally[B.index()].event_rolled);
}

/// geronimo 12.13, 7.42, 7.8, 6.66
#[test]
fn markers_go_with_who_is_no_more() {
    let mut g = invested();
    let (v, id, howard) = (village(&g, "Comanche"), g.parties[0].id, g.columns[0].id);
    (g.events.no_horses, g.events.strongholds, g.events.sieges) = (vec![v], vec![v], vec![howard]);
    let after = |g: &State, lose: fn(&T, &mut State, crate::components::VillageId, PartyId, ColumnId)| {
        let rule = move |t: T, mut g: State| async move {
            lose(&t, &mut g, v, id, howard);
            g
        };
        let end = Trial::new(g.clone(), rule).start().over();
        (end.events.no_horses.len(), end.events.strongholds.len(), end.events.sieges.len())
    };
    let bps = g.village(v).bps;
    assert!(bps > 1);
    assert_eq!(after(&g, |t, g, v, _, _| _ = crate::losses::village_loses(t, g, v, 1)), (1, 1, 1));
    // Nobody is left at home, but a War Party is out: no Stronghold, and still a Village without
    // horses.
    assert_eq!(after(&g, |t, g, v, _, _| _ = crate::losses::village_loses(t, g, v, 99)), (1, 0, 1));
    // The War Party falls, and the Village is at home: nothing changes.
    assert_eq!(after(&g, |t, g, _, id, _| _ = crate::losses::party_loses(t, g, id, 99)), (1, 1, 1));
    // With nobody at home the Village is Extinct.
    g.village_mut(v).bps = 0;
    assert_eq!(after(&g, |t, g, _, id, _| _ = crate::losses::party_loses(t, g, id, 99)), (0, 0, 1));
    assert_eq!(after(&g, |t, g, _, _, k| crate::losses::destroy_column(t, g, k)), (1, 0, 0));
}

/// geronimo 12.13, 8.12, 8.15, 8.17
#[test]
fn a_stronghold_is_given_up_on_reservation() {
    let mut g = invested();
    let v = village(&g, "Comanche");
    let (home, bps) = (g.area_of(v).expect("on the map"), g.total_bps(v));
    (g.events.strongholds, g.events.no_horses) = (vec![v], vec![v]);
    let rule = move |t: T, mut g: State| async move {
        crate::reservation::go_on_reservation(&t, &mut g, v);
        g
    };
    let mut run = Trial::new(g, rule).start();
    let end = run.over();
    assert_eq!(
        (end.village(v).place, end.village(v).bps, end.parties.len()),
        (Place::Reservation { from: home }, bps, 0)
    );
    assert_eq!(vps(&end, US), 2);
    assert!(end.events.strongholds.is_empty() && end.events.no_horses.is_empty());
    assert!(run.story().contains(&"The Comanche lose their Stronghold.".to_owned()));
}

/// A Stronghold keeps its advantage while a BP is at home, so a Village whose BPs are all out cannot be one.
///
/// geronimo 12.13
#[test]
fn an_empty_village_does_not_become_a_stronghold() {
    let mut g = prairie();
    for name in ["Comanche", "Crow", "Ute"] {
        hold(&mut g, name, B);
    }
    let all = ["stronghold for comanche", "stronghold for crow", "stronghold for ute"];
    assert_eq!(words(&played(g.clone(), B, 5)), all);
    let bps = g.village(village(&g, "Comanche")).bps;
    party(&mut g, "Comanche", bps, &[], "TX");
    assert_eq!(words(&played(g, B, 5)), all[1..]);
}
