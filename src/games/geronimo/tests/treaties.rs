//! Tests of Treaties and Reservations (8.1, 8.2, 7.81).

use super::*;
use crate::{
    Ask, Order,
    reservation::{open_desks, unrest_after_massacre},
    state::Place,
};
use postrider_orders::Phrase;
use postrider_table::{Decision, Rejected};

/// Returns a trial of B's Operations Segment with the desks open.
fn with_desks(g: State) -> Trial {
    Trial::new(g, |t: T, mut g| async move {
        open_desks(&t, &mut g);
        operation(&t, &mut g, B, After::Operation).await;
        g
    })
}

pub(super) fn order_at_desk(trial: &mut Running, seat: Seat, order: Order) -> Result<(), Rejected> {
    let seen = trial.session.look().expect("the session runs");
    let desk = seen.tickets.iter().find(|k| k.seat == seat && k.prompt.kind() == Ask::Desk).expect("a desk");
    let decision = Decision { seat, prompt: desk.id, order };
    trial.session.submit(&decision)
}

/// Answers in words at a desk; returns the refusal, or an empty string.
pub(super) fn at_desk(trial: &mut Running, seat: Seat, words: &str) -> String {
    let seen = trial.session.look().expect("the session runs");
    let desk = seen.tickets.iter().find(|k| k.seat == seat && k.prompt.kind() == Ask::Desk).expect("a desk");
    let order = desk.prompt.read(&seen.state, seat, &Phrase::new(words)).unwrap_or_else(|why| panic!("{words}: {why}"));
    order_at_desk(trial, seat, order).map_or_else(|why| why.to_string(), |()| String::new())
}

fn comanche() -> State {
    let mut g = field();
    deal_to(&mut g, "Comanche", B);
    g.tally[0].at_start = 2;
    (g.tally[0].vps, g.tally[1].vps) = (2, 0);
    g
}

/// geronimo 8.11, 8.12, 8.15, 8.17, 7.81
#[test]
fn a_treaty_for_seven_vps() {
    let mut trial = with_desks(comanche()).start();
    assert_eq!(at_desk(&mut trial, US, "treaty comanche for 7 vp"), "");
    trial.check_options(0);
    assert_eq!(at_desk(&mut trial, B, "accept"), "");
    assert_eq!(trial.asked()[0], (US, "prison"));
    trial.say("imprison quanah parker");
    trial.say("pass");
    let end = trial.over();
    let v = village(&end, "Comanche");
    assert_eq!(end.village(v).place, Place::Reservation { from: area(&end, "TX") });
    assert_eq!(end.village(v).bps, 10);
    // 2 for the Reservation, less 2 of its own; the first five are free.
    assert_eq!((vps(&end, US), vps(&end, B)), (2, 7));
    assert!(end.chiefs[chief(&end, "Quanah Parker").index()].prison);
}

/// geronimo 8.11
#[test]
fn a_tournament_caps_a_treaty_at_ten_vps() {
    let mut g = comanche();
    g.tally[0].at_start = 40;
    let reads = |g: &State, seat| {
        let trial = with_desks(g.clone()).start();
        let seen = trial.session.look().expect("the session runs");
        let desk = seen.tickets.iter().find(|k| k.seat == seat && k.prompt.kind() == Ask::Desk).expect("a desk");
        desk.prompt.describe(&seen.state, seat).lines.join(" ")
    };
    assert!(reads(&g, US).contains("up to 45 VPs"));
    assert_eq!(at_desk(&mut with_desks(g.clone()).start(), US, "treaty comanche for 11"), "");
    g.variant.treaty_cap = true;
    assert!(reads(&g, US).contains("up to 10 VPs"));
    assert!(reads(&g, B).contains("at most 10 VPs"));
    let mut trial = with_desks(g.clone()).start();
    for seat in [US, B] {
        let why = at_desk(&mut trial, seat, "treaty comanche for 11");
        assert!(why.contains("at most 10 VPs") && why.ends_with("(8.11)"), "{why}");
    }
    assert_eq!(at_desk(&mut trial, US, "treaty comanche for 10"), "");
    // The VPs that the US had at the start of the Turn are still the limit.
    g.tally[0].at_start = 2;
    assert!(reads(&g, US).contains("up to 7 VPs"));
    assert!(at_desk(&mut with_desks(g).start(), US, "treaty comanche for 8").ends_with("(8.11)"));
}

/// geronimo 7.81, 8.11
#[test]
fn the_prisoner_is_a_chief_of_the_village_that_signs() {
    let mut g = field();
    hold(&mut g, "Cheyenne", B);
    let (southern, northern) = (village(&g, "Southern"), village(&g, "Northern"));
    assert!(g.chiefs_of(southern).count() > 1 && g.chiefs_of(northern).count() > 0);
    // A Chief who is out with a War Party may be chosen, too.
    party(&mut g, "Southern", 2, &["Roman Nose"], "KS");
    let mut trial = with_desks(g.clone()).start();
    assert_eq!(at_desk(&mut trial, US, "treaty southern cheyenne for 0"), "");
    assert_eq!(at_desk(&mut trial, B, "accept"), "");
    assert_eq!(trial.asked()[0], (US, "prison"));
    trial.check_options(5);
    let mut listed: Vec<String> = trial.options().into_iter().map(|o| o.words).collect();
    let mut expected: Vec<String> =
        g.chiefs_of(southern).map(|h| format!("imprison {}", g.c[h].name.to_lowercase())).collect();
    expected.push("imprison nobody".into());
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
    let theirs = g.chiefs_of(northern).map(|h| g.c[h].name.to_lowercase()).next().expect("a Chief");
    assert!(trial.read(&format!("imprison {theirs}")).is_err());
    trial.say("imprison roman nose");
    assert!(trial.now().chiefs[chief(&g, "Roman Nose").index()].prison);
}

/// geronimo 8.11
#[test]
fn treaties_that_cannot_be_offered() {
    let mut trial = with_desks(comanche()).start();
    assert!(at_desk(&mut trial, US, "treaty comanche for 8 vps").ends_with("(8.11)"));
    assert!(at_desk(&mut trial, US, "offer comanche 99999999999999").ends_with("(8.11)"));
    assert!(at_desk(&mut trial, C, "treaty comanche for 5").ends_with("(8.11)"));
    assert!(at_desk(&mut trial, US, "treaty klamath for 5").ends_with("(8.11)"), "they are On Reservation");
    for vps in [-1, i32::MIN, i32::MAX] {
        assert!(order_at_desk(&mut trial, US, Order::Offer { village: "Comanche".into(), vps }).is_err());
    }
    for village in ["", "Nobody", "Comanche"] {
        let village = || village.to_owned();
        assert!(order_at_desk(&mut trial, B, Order::Accept { village: village() }).is_err());
        assert!(order_at_desk(&mut trial, B, Order::Refuse { village: village() }).is_err());
        assert!(order_at_desk(&mut trial, B, Order::Withdraw { village: village() }).is_err());
    }
    // The player who made an offer cannot accept it.
    assert_eq!(at_desk(&mut trial, B, "offer comanche for 0"), "");
    assert!(at_desk(&mut trial, B, "accept treaty comanche").ends_with("(8.11)"));
    assert_eq!(at_desk(&mut trial, US, "refuse treaty comanche"), "");
    assert!(at_desk(&mut trial, US, "accept treaty comanche").ends_with("(8.11)"));
}

/// geronimo 8.11, 8.17
#[test]
fn an_indian_may_offer_for_nothing_and_withdraw() {
    let mut trial = with_desks(comanche()).start();
    assert_eq!(at_desk(&mut trial, B, "treaty comanche for 3 vp"), "");
    assert_eq!(at_desk(&mut trial, B, "withdraw comanche"), "");
    assert!(at_desk(&mut trial, US, "accept treaty comanche").ends_with("(8.11)"));
    assert_eq!(at_desk(&mut trial, B, "treaty comanche for 0 vp"), "");
    assert_eq!(at_desk(&mut trial, US, "accept treaty with comanche"), "");
    trial.say("nobody").say("pass");
    let end = trial.over();
    assert_eq!((vps(&end, US), vps(&end, B)), (4, 0));
}

/// geronimo 8.11, 8.15
#[test]
fn a_treaty_signed_during_an_action_waits_for_its_end() {
    let mut g = comanche();
    hold(&mut g, "Comanche", B);
    let mut trial = with_desks(g).dice("resource attack", [9]).start();
    trial.say("comanche war party of 4 attacks town in texas");
    assert_eq!(at_desk(&mut trial, US, "treaty comanche for 5"), "");
    assert_eq!(at_desk(&mut trial, B, "accept"), "");
    assert!(trial.now().area_of(village(&basic(4), "Comanche")).is_some());
}

/// geronimo 8.16, 8.15
#[test]
fn a_tribe_on_reservation_is_out_of_play() {
    let mut g = field();
    hold(&mut g, "Klamath", B);
    column(&mut g, "Miles", "OR", 5);
    let v = village(&g, "Klamath");
    assert!(!g.in_play(v) && g.player_of(v).is_none());
    let mut trial = us_round(g.clone()).start();
    assert!(trial.read("miles attacks klamath village").is_err());
    let target = crate::order::Target::Village { name: "Klamath".into() };
    assert!(trial.order(Order::ColumnAttack { columns: vec!["Miles".into()], target, alone: false }).is_err());
    let trial = b_round(g).start();
    assert_eq!(trial.asked(), [], "nothing to act with");
    trial.over();
}

/// geronimo 8.2, 8.21, 8.17, 8.24
#[test]
fn a_massacre_brings_tribes_back() {
    let g = field();
    let or = area(&g, "OR");
    let on: Vec<_> = g.village_ids().filter(|&v| g.village(v).place == Place::Reservation { from: or }).collect();
    let names: Vec<&str> = on.iter().map(|&v| g.c[v].name.as_str()).collect();
    assert_eq!(names, ["Klamath", "Rogues", "Umatilla"]);
    // Their totals are 1, 2 and 0.
    let mut trial = Trial::new(g, move |t: T, mut g| async move {
        unrest_after_massacre(&t, &mut g, or);
        g
    })
    .dice("unrest", [1, 3, 0])
    .start();
    let end = trial.over();
    let back: Vec<bool> = on.iter().map(|&v| end.area_of(v) == Some(or)).collect();
    assert_eq!((back, vps(&end, US)), (vec![true, false, true], -2));
    assert!(end.village(on[0]).dormant, "its card must be dealt first");
    let told = "The Klamath leave the Reservation and return to Oregon: @A (US) loses 1 VP.";
    assert!(trial.story().contains(&told.to_owned()));
}

/// geronimo 8.18
#[test]
fn villages_of_one_tribe_go_one_by_one() {
    let mut g = field();
    hold(&mut g, "Cheyenne", B);
    let mut trial = with_desks(g).start();
    assert_eq!(at_desk(&mut trial, US, "treaty southern cheyenne for 2"), "");
    assert_eq!(at_desk(&mut trial, B, "accept"), "");
    trial.say("nobody");
    let now = trial.now();
    assert!(!now.in_play(village(&now, "Southern")) && now.in_play(village(&now, "Northern")));
    assert!(now.tribe_in_play(tribe(&now, "Cheyenne")));
}

/// geronimo 8.11
#[test]
fn a_treaty_that_lapses_costs_nothing() {
    use crate::{
        reservation::keep_treaties,
        state::{Offer, Place},
    };
    let mut g = field();
    hold(&mut g, "Crow", B);
    let v = village(&g, "Crow");
    (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Extinct, 0);
    g.tally[0].at_start = 3;
    (g.desk.given, g.desk.signed) = (3, vec![Offer { village: v, vps: 8, by: US }]);
    let trial = Trial::new(g, |t: T, mut g| async move {
        keep_treaties(&t, &mut g).await;
        g
    })
    .start();
    let end = trial.over();
    assert_eq!((end.desk.given, vps(&end, US), vps(&end, B)), (0, 0, 0));
}

/// geronimo 8.11, 8.12
#[test]
fn a_village_that_has_signed_is_offered_nothing_more() {
    let mut g = comanche();
    let v = village(&g, "Comanche");
    party(&mut g, "Comanche", 4, &[], "TX");
    mine(&mut g, "NM", 2);
    g.fx.rampage = false;
    let mut trial = with_desks(g).dice("resource attack", [9]).start();
    trial.say("comanche war party attacks mine in new mexico");
    // The question about the return of the War Party comes in the middle of the action.
    assert_eq!(trial.asked(), [(B, "post-action")]);
    assert_eq!(at_desk(&mut trial, US, "treaty comanche for 7"), "");
    assert_eq!(at_desk(&mut trial, B, "accept"), "");
    for seat in [US, B] {
        let why = at_desk(&mut trial, seat, "offer comanche 2");
        assert!(why.ends_with("(8.12)"), "{why}");
    }
    let now = trial.now();
    assert!(now.area_of(v).is_some() && now.desk.offers.is_empty() && now.desk.signed.len() == 1);
}

/// geronimo 8.11, 6.23
#[test]
fn an_offer_lapses_when_its_village_leaves_the_map() {
    let mut g = comanche();
    let v = village(&g, "Comanche");
    let mut trial = with_desks(g.clone()).start();
    assert_eq!(at_desk(&mut trial, US, "treaty comanche for 5"), "");
    trial.say("relocate comanche to mexico");
    let end = trial.over();
    assert!(matches!(end.village(v).place, Place::Mexico { .. }) && end.desk.offers.is_empty());
    // Also when it is forced On Reservation.
    let mut trial = with_desks(g.clone()).start();
    assert_eq!(at_desk(&mut trial, US, "treaty comanche for 5"), "");
    let rule = move |t, mut g| async move {
        crate::reservation::go_on_reservation(&t, &mut g, v);
        g
    };
    let now = trial.now();
    assert_eq!(now.desk.offers.len(), 1);
    assert!(Trial::new(now, rule).start().over().desk.offers.is_empty());
    // Both sides have made offers: accepting one of them also settles the other.
    g.village_mut(v).actions = 0;
    let mut trial = with_desks(g).start();
    assert_eq!(at_desk(&mut trial, US, "treaty comanche for 5"), "");
    assert_eq!(at_desk(&mut trial, B, "offer comanche 6"), "");
    assert_eq!(at_desk(&mut trial, US, "accept"), "");
    assert!(trial.now().desk.offers.is_empty());
}

/// geronimo 8.11
#[test]
fn one_mail_accepts_an_offer_or_refuses_it() {
    let accept = |name: &str| crate::order::uses(&Order::Accept { village: name.into() });
    let refuse = |name: &str| crate::order::uses(&Order::Refuse { village: name.into() });
    assert_eq!(accept("Comanche"), refuse("Comanche"));
    assert_ne!(accept("Comanche"), refuse("Crow"));
}

/// geronimo 8.11
#[test]
fn a_treaty_may_be_refused() {
    let mut trial = with_desks(comanche()).start();
    assert_eq!(at_desk(&mut trial, US, "treaty comanche for 5"), "");
    assert_eq!(at_desk(&mut trial, B, "refuse comanche"), "");
    assert!(trial.now().desk.offers.is_empty());
    let story = trial.story();
    assert!(
        story.iter().any(|line| line.starts_with("@B ") && line.ends_with(" refuses the Treaty for the Comanche."))
    );
}
