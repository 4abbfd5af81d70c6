//! Tests of Raids and Missions (6.4, 7.7).

use super::*;
use crate::{card::Card, cards::raids::can_raid, state::Held};

const RAID: After = After::Raid { any_tribe: false };

/// geronimo 6.4, 6.41, 6.43, 6.44
#[test]
fn the_apache_raid_mexico() {
    let mut g = field();
    hold(&mut g, "Apache", B);
    let mut trial = b_round(g.clone()).start();
    refused_by(&mut trial, "6.41", "chiricahua raid mexico");
    for (dr, earned) in [(6, 2), (7, 0)] {
        let mut trial = b_after(g.clone(), RAID).dice("raid", [dr]).start();
        trial.check_options(20);
        trial.say("chiricahua raids mexico");
        let end = trial.over();
        // Federales may answer even a Raid that failed: they close the border (9.2I).
        assert_eq!((vps(&end, B), end.fx.mexico_raid.map(|raid| raid.vps)), (earned, Some(earned)));
        assert_eq!(end.village(village(&end, "Chiricahua")).actions, 1);
    }
}

/// geronimo 6.41, 6.42, 6.43, 6.44
#[test]
fn raiders_reach_the_next_area_and_harm_nothing() {
    let mut g = field();
    hold(&mut g, "Arapaho", B);
    hold(&mut g, "Nez Perce", B);
    let mut trial = b_after(g.clone(), RAID).dice("raid", [4]).start();
    refused_by(&mut trial, "6.43", "arapaho raid town in kansas");
    refused_by(&mut trial, "6.43", "arapaho raid mexico");
    refused_by(&mut trial, "6.43", "arapaho raid mission in colorado");
    refused_by(&mut trial, "6.41", "nez perce raid settlement in nevada");
    refused_by(&mut trial, "6.41", "arapaho relocate to montana");
    trial.say("arapaho raid settlement in colorado");
    let end = trial.over();
    assert_eq!((vps(&end, B), end.area(area(&end, "CO")).settlements), (1, 3));
    // Any Tribe May Raid: a Tribe that is no Raider has a rating of 2.
    for (dr, earned) in [(2, 1), (3, 0)] {
        let mut trial = b_after(g.clone(), After::Raid { any_tribe: true }).dice("raid", [dr]).start();
        trial.check_options(20);
        trial.say("nez perce raid settlement in nevada");
        assert_eq!(vps(&trial.over(), B), earned);
    }
}

/// geronimo 9.2B, 6.1
#[test]
fn any_tribe_may_raid_or_do_something_else() {
    let mut g = field();
    hold(&mut g, "Nez Perce", B);
    let mut trial = b_after(g.clone(), After::Raid { any_tribe: true }).start();
    trial.check_options(20);
    trial.say("nez perce relocate to montana");
    let end = trial.over();
    assert_eq!(end.area_of(village(&end, "Nez Perce")), Some(area(&end, "MT")));
}

/// geronimo 6.45, 7.6, 7.64, 6.44
#[test]
fn a_raid_destroys_a_mission() {
    let mut g = field();
    hold(&mut g, "Arapaho", B);
    let wy = area(&g, "WY");
    g.area_mut(wy).mission = true;
    let mut trial = b_after(g.clone(), RAID).dice("raid", [4]).start();
    trial.say("arapaho raid mission in wyoming");
    let end = trial.over();
    assert_eq!((vps(&end, B), end.area(wy).mission, end.area(wy).massacres), (0, false, 1));
    let mut trial = b_after(g, RAID).dice("raid", [5]).start();
    trial.say("arapaho raid mission in wyoming");
    assert!(trial.over().area(wy).mission);
}

/// geronimo 7.7, 7.71, 7.72
#[test]
fn a_mission_keeps_war_parties_and_villages_unless_one_rises_against_it() {
    let mut g = field();
    hold(&mut g, "Arapaho", B);
    let (wy, v) = (area(&g, "WY"), village(&g, "Arapaho"));
    g.area_mut(wy).mission = true;
    let mut trial = b_round(g.clone()).start();
    trial.check_options(20);
    refused_by(&mut trial, "7.7", "arapaho relocate to montana");
    refused_by(&mut trial, "7.7", "arapaho war party of 3 attacks settlement in colorado");
    // The Tribe 1, Black Bear 1.
    let mut trial = b_round(g.clone()).dice("mission war party", [2]).start();
    trial.say("arapaho mission war party");
    let end = trial.over();
    assert_eq!((end.area(wy).mission, end.area(wy).massacres, end.village(v).finished), (false, 1, false));
    let mut trial = b_round(g.clone()).dice("mission war party", [3]).start();
    trial.say("arapaho mission");
    let end = trial.over();
    assert!(end.area(wy).mission && end.village(v).finished);
    // A Tribe that could raid the Mission must do so instead.
    g.hands[1].push(Held { card: Card::Raid, pos: 0 });
    let mut trial = b_round(g.clone()).start();
    refused_by(&mut trial, "7.71", "arapaho mission war party");
    g.hands[1].clear();
    g.village_mut(v).peace_chief = true;
    let mut trial = b_round(g).start();
    refused_by(&mut trial, "7.72", "arapaho mission war party");
}

/// The Arikara do not raid, so only a card that lets any Tribe raid bars their Mission War Party.
///
/// geronimo 7.71, 6.41
#[test]
fn who_cannot_raid_the_mission_rises_against_it() {
    for (card, may) in [(Card::Raid, true), (Card::AnyTribeMayRaid, false), (Card::GoodWeather, true)] {
        let mut g = field();
        hold(&mut g, "Arikara", B);
        let nd = area(&g, "ND");
        g.area_mut(nd).mission = true;
        g.hands[B.index()].push(Held { card, pos: 0 });
        let mut run = b_round(g).dice("mission war party", [9]).start();
        match may {
            true => _ = run.say("arikara mission war party"),
            false => refused_by(&mut run, "7.71", "arikara mission war party"),
        }
    }
}

/// geronimo 7.26, 6.43, 6.41
#[test]
fn a_mine_that_was_hit_can_be_raided_again_and_again() {
    let mut g = field();
    hold(&mut g, "Arapaho", B);
    mine(&mut g, "WY", 2);
    let wy = area(&g, "WY");
    g.area_mut(wy).mines[0].hit = true;
    // It is also offered where nothing else can be raided.
    let mut bare = g.clone();
    let there = bare.area_mut(wy);
    (there.settlements, there.towns, there.rrs, there.broke) = (0, 0, 0, 0);
    let offered = b_after(bare, RAID).start().options();
    let raids: Vec<_> = offered.iter().filter(|choice| choice.words.contains("wyoming")).collect();
    assert_eq!(raids.len(), 1, "{offered:?}");
    let mut trial = b_after(g, RAID).dice("raid", [0]).start();
    trial.say("raid mine in wyoming with the arapaho");
    let mut g = trial.over();
    g.round = 2;
    let mut trial = b_after(g, RAID).dice("raid", [0]).start();
    trial.say("arapaho raid 2 mine in wyoming");
    let mut g = trial.over();
    assert_eq!((vps(&g, B), g.village(village(&g, "Arapaho")).finished), (2, true));
    g.round = 3;
    let mut trial = b_after(g, RAID).start();
    refused_by(&mut trial, "6.8", "arapaho raid mine in wyoming");
    trial.say("pass");
}

/// geronimo 9.2Y, 9.2T, 6.41
#[test]
fn scouts_for_the_us_may_raid_and_nothing_else() {
    let mut g = field();
    hold(&mut g, "Pawnee", B);
    let v = village(&g, "Pawnee");
    g.village_mut(v).scouting = true;
    assert!(can_raid(&g, v, true));
    let mut trial = b_after(g.clone(), After::Raid { any_tribe: true }).dice("raid", [0]).start();
    trial.say("pawnee raid settlement in nebraska");
    assert_eq!(vps(&trial.over(), B), 1);
    let mut trial = b_round(g).start();
    refused_by(&mut trial, "9.2Y", "pawnee relocate to kansas");
    refused_by(&mut trial, "9.2Y", "pawnee war party of 1 attacks settlement in nebraska");
}
