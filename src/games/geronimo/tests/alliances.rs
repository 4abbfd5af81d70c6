//! Tests of Tribal Alliances (6.7).

use super::*;
use crate::{
    ratings::Force,
    state::{Alliance, Place},
};

/// Returns the position of the examples: two Teton Villages in Montana, the Arapaho in Wyoming and
/// the Assiniboine in North Dakota.
pub(super) fn montana() -> State {
    let mut g = field();
    for name in ["Sioux", "Arapaho", "Assiniboine"] {
        hold(&mut g, name, B);
    }
    for (name, code, bps) in
        [("Teton 1", "MT", 6), ("Teton 2", "MT", 6), ("Arapaho", "WY", 5), ("Assiniboine", "ND", 3)]
    {
        let (v, a) = (village(&g, name), area(&g, code));
        let state = g.village_mut(v);
        (state.place, state.bps) = (Place::Area(a), bps);
    }
    let (arapaho, assiniboine) = (village(&g, "Arapaho"), village(&g, "Assiniboine"));
    g.village_mut(arapaho).blood_lust = true;
    g.village_mut(assiniboine).shaman_medicine = true;
    for (name, v) in [("Sitting Bull", "Teton 1"), ("Crazy Horse", "Teton 2")] {
        let (h, v) = (chief(&g, name), village(&g, v));
        g.chiefs[h.index()].assigned = Some(v);
    }
    column(&mut g, "Miles", "MT", 10);
    g
}

/// Answers for the others that nobody joins the Alliance.
fn alone(trial: &mut Running) -> &mut Running {
    while trial.asked().first().is_some_and(|&(_, kind)| kind == "join-alliance") {
        trial.say("stay out");
    }
    trial
}

/// Adds an Alliance of B in Montana with a War Party of 5 BPs for each name.
pub(super) fn combined(g: &mut State, names: &[&str]) {
    let parties = names.iter().map(|name| party(g, name, 5, &[], "MT")).collect();
    let villages = names.iter().map(|name| village(g, name)).collect();
    g.alliances.push(Alliance { leader: B, villages, parties });
}

const CALL: &str =
    "alliance in montana with teton sioux 1 6 bps, teton sioux 2 6, arapaho 5 and assiniboine 3 attacks column miles";

/// geronimo 6.73, 6.74
#[test]
fn four_war_parties_fight_as_one() {
    let mut g = montana();
    let parties = [("Teton 1", 6), ("Teton 2", 6), ("Arapaho", 5), ("Assiniboine", 3)];
    let ids: Vec<_> = parties.iter().map(|&(name, bps)| party(&mut g, name, bps, &[], "MT")).collect();
    let force = Force::Parties(ids.clone());
    assert_eq!(
        (force.bps(&g), force.battle_rating(&g), force.tribal_aggression(&g), force.tribal_drms(&g)),
        (20, 2, 3, 4)
    );
    assert_eq!(force.evasion_capability(&g), 2 + 3, "2, and 3 for a War Party");
    assert!(!force.may_evade(&g));
    for (at, name) in [(0, "Sitting Bull"), (1, "Crazy Horse"), (2, "Black Bear")] {
        let h = chief(&g, name);
        g.parties[at].chiefs.push(h);
    }
    assert_eq!((force.chief_combat(&g), force.evasion_capability(&g)), (4, 2 + 3 + 3));
    assert_eq!(force.massacre_aggression(&g) - force.tribal_aggression(&g), 4);
    let rest = Force::Parties(ids[..3].to_vec());
    assert_eq!((rest.bps(&g), rest.tribal_drms(&g), rest.may_evade(&g)), (17, 2, false));
}

/// geronimo 6.73, 6.75, 9.2Z
#[test]
fn shaman_medicine_fails_every_chief_of_the_alliance_while_the_assiniboine_are_in_it() {
    for (with, dice, killed) in [(4, [0, 1, 2].as_slice(), [true, false, true]), (3, &[], [false; 3])] {
        let mut g = montana();
        let all: [(&str, i32, &[&str]); 4] = [
            ("Teton 1", 6, &["Sitting Bull"]),
            ("Teton 2", 6, &["Crazy Horse"]),
            ("Arapaho", 5, &["Black Bear"]),
            ("Assiniboine", 3, &[]),
        ];
        let parties: Vec<_> =
            all[..with].iter().map(|(name, bps, chiefs)| party(&mut g, name, *bps, chiefs, "MT")).collect();
        let villages = all[..with].iter().map(|(name, ..)| village(&g, name)).collect();
        g.alliances.push(Alliance { leader: B, villages, parties });
        // Blood Lust prevents the question about evasion. BPs are lost, so the medicine is broken
        // if it is there.
        let mut trial = us_round(g)
            .dice("battle, US", [9])
            .dice("battle, Indians", [0])
            .dice("shaman medicine", dice.iter().copied())
            .start();
        trial.say("miles attacks teton sioux 1 war party");
        while trial.asked() == [(B, "alliance-loss")] {
            trial.say("teton sioux 1");
        }
        trial.say("done");
        let end = trial.over();
        assert!(end.parties.iter().map(|p| p.bps).sum::<i32>() < all[..with].iter().map(|one| one.1).sum());
        let fell =
            ["Sitting Bull", "Crazy Horse", "Black Bear"].map(|name| end.chiefs[chief(&end, name).index()].killed);
        assert_eq!(fell, killed, "an even DR kills");
        // The others stay with their War Parties.
        let there = |name: &str| end.parties.iter().any(|p| p.chiefs.contains(&chief(&end, name)));
        assert_eq!(["Sitting Bull", "Crazy Horse"].map(there), [!killed[0], !killed[1]]);
        assert_eq!(end.village(village(&end, "Assiniboine")).shaman_medicine, with == 3);
    }
}

/// geronimo 6.75, 6.7, 6.71, 6.72
#[test]
fn the_assiniboine_go_home_after_the_first_action() {
    let mut g = montana();
    let assiniboine = village(&g, "Assiniboine");
    g.village_mut(assiniboine).actions = 1;
    let mut trial = b_after(g, After::Alliance).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.check_options(20);
    alone(trial.say(CALL));
    // The US may react to the Alliance, and to the Assiniboine on their way home.
    trial.say("no reaction").say("no reaction").say("stay");
    let mut g = trial.over();
    assert!(g.village(assiniboine).finished && g.village(assiniboine).bps == 3);
    let force = Force::Parties(g.alliances[0].parties.clone());
    assert_eq!((force.bps(&g), force.tribal_drms(&g), force.may_evade(&g)), (17, 2, false));
    // After their second action, all are Finished.
    g.round = 2;
    let mut trial = b_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("alliance attacks column miles in montana");
    while trial.asked() == [(US, "reaction")] {
        trial.say("no reaction");
    }
    let end = trial.over();
    assert!(end.parties.is_empty());
    assert!(["Teton 1", "Teton 2", "Arapaho"].iter().all(|name| end.village(village(&end, name)).finished));
}

/// geronimo 6.71, 6.72, 6.1
#[test]
fn who_can_be_in_an_alliance() {
    let mut g = montana();
    hold(&mut g, "Crow", B);
    hold(&mut g, "Blackfoot", B);
    let mut trial = b_round(g.clone()).start();
    refused_by(&mut trial, "6.71", CALL);
    let mut trial = b_after(g.clone(), After::Alliance).start();
    refused_by(&mut trial, "6.71", "alliance in montana with teton sioux 1 6 and crow 3 attacks column miles");
    // "crow" means the Tribe, not the Chief Little Crow.
    refused_by(&mut trial, "6.71", "alliance in montana with teton sioux 1 6 bps, crow 3 bps attacks column miles");
    refused_by(&mut trial, "6.71", "alliance in montana with teton sioux 1 6 and blackfoot 3 attacks column miles");
    refused_by(&mut trial, "6.71", "alliance in montana with arapaho 2 and arapaho 2 attacks column miles");
    refused_by(&mut trial, "6.31", "alliance in montana with arapaho 2 and teton sioux 1 7 attacks column miles");
    let v = village(&g, "Arapaho");
    g.village_mut(v).place = Place::Area(area(&g, "TX"));
    let mut trial = b_after(g, After::Alliance).start();
    refused_by(&mut trial, "6.36", "alliance in montana with arapaho 2 and teton sioux 1 5 attacks column miles");
}

/// geronimo 6.76
#[test]
fn another_player_joins_and_the_leader_shares() {
    let mut g = montana();
    hold(&mut g, "Arapaho", C);
    let mut trial = b_after(g, After::Alliance).dice("battle, US", [0]).dice("battle, Indians", [7]).start();
    trial.say("alliance in montana with teton sioux 1 6 bps attacks column miles");
    assert_eq!(trial.asked().len(), 2, "every other Indian player is asked, whatever he holds");
    trial.check_options(5);
    trial.say("join with arapaho 5 bps with black bear").say("stay out");
    // 11 to 10 is 1-1; the Indians roll 7 + Black Bear 1 + Blood Lust 2 = 10: 2 BPs.
    assert_eq!(trial.asked(), [(B, "share")]);
    trial.check_options(5);
    trial.say("give C").say("keep").say("no reaction").say("stay");
    let end = trial.over();
    assert_eq!((vps(&end, B), vps(&end, C)), (1, 1));
    let story = trial.story();
    assert!(story.iter().any(|line| line.starts_with("@B ") && line.contains(" gives 1 VP to @C")), "{story:?}");
    assert!(end.tally[2].operation_used && end.village(village(&end, "Arapaho")).actions == 1);
}

/// geronimo 6.76, 6.75
#[test]
fn a_volunteer_pays_for_the_second_operation_too() {
    let mut g = montana();
    hold(&mut g, "Arapaho", C);
    let parties: Vec<_> =
        [("Teton 1", 6), ("Arapaho", 5)].map(|(name, bps)| party(&mut g, name, bps, &[], "MT")).into();
    let villages = vec![village(&g, "Teton 1"), village(&g, "Arapaho")];
    g.alliances.push(Alliance { leader: B, villages, parties });
    let mut trial = b_round(g).dice("battle, US", [0]).dice("battle, Indians", [9]).start();
    trial.say("alliance attacks column miles in montana");
    assert_eq!(trial.asked(), [(B, "share")]);
    trial.say("keep").say("no reaction").say("stay");
    assert!(trial.over().tally[C.index()].operation_used);
}

/// geronimo 6.7, 6.75
#[test]
fn one_war_party_alone_is_no_alliance() {
    for (names, combined_two) in [(["Teton 1", "Arapaho"].as_slice(), true), (&["Teton 1"], false)] {
        let mut g = montana();
        combined(&mut g, names);
        let mut trial = b_round(g).dice("battle, US", [0]).dice("battle, Indians", [9]).start();
        let listed = trial.options().iter().any(|choice| choice.words.starts_with("alliance attacks"));
        let said = trial.try_say("alliance attacks column miles in montana").is_ok();
        assert_eq!((listed, said), (combined_two, combined_two), "{names:?}");
    }
}

/// geronimo 6.76
#[test]
fn a_volunteer_stays_in_the_alliance_of_its_leader() {
    let mut g = montana();
    hold(&mut g, "Arapaho", C);
    hold(&mut g, "Kiowa", C);
    let (v, mt) = (village(&g, "Kiowa"), area(&g, "MT"));
    (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Area(mt), 7);
    combined(&mut g, &["Teton 1", "Arapaho"]);
    let by_c = |after| {
        Trial::new(g.clone(), move |t: T, mut g: State| async move {
            operation(&t, &mut g, C, after).await;
            g
        })
    };
    refused_by(&mut by_c(After::Operation).start(), "6.76", "arapaho war party attacks column miles in montana");
    let call = "alliance in montana with arapaho, kiowa 4 attacks column miles";
    refused_by(&mut by_c(After::Alliance).start(), "6.76", call);
    // Once its War Party is the only one left on the map, its own player controls it again.
    let mut g = g.clone();
    let teton = g.parties[0].id;
    g.bring_home(teton);
    let mut trial = Trial::new(g, |t: T, mut g: State| async move {
        operation(&t, &mut g, C, After::Operation).await;
        g
    });
    trial = trial.dice("battle, US", [0]).dice("battle, Indians", [0]);
    trial.start().say("arapaho war party attacks column miles in montana");
}

/// geronimo 6.76
#[test]
fn who_joins_an_alliance_shows_his_tribe() {
    let mut g = montana();
    hold(&mut g, "Arapaho", C);
    let arapaho = g.c.tribe_by_name("Arapaho").expect("a Tribe");
    g.tribes[arapaho.index()].revealed = false;
    let mut trial = b_after(g, After::Alliance).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("alliance in montana with teton sioux 1 6 bps, teton sioux 2 6 attacks column miles");
    let join = trial.options().into_iter().find(|choice| choice.words.contains("arapaho")).expect("an offer");
    trial.order(join.order).expect("an option");
    // The others who may join stay out.
    while trial.words().contains(&"stay out".to_owned()) {
        trial.say("stay out");
    }
    assert!(trial.now().tribes[arapaho.index()].revealed);
}

/// geronimo 4.4, 6.71, 9.2FF
#[test]
fn a_call_that_nobody_follows_costs_no_operation() {
    let mut trial = b_after(montana(), After::Alliance).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("alliance in montana with teton sioux 1 6 bps attacks column miles");
    alone(&mut trial);
    assert_eq!(trial.asked().first().map(|(seat, _)| *seat), Some(B));
    refused_by(&mut trial, "6.71", "alliance in montana with teton sioux 1 6 bps attacks column miles");
    trial.say("teton sioux 1 war party attacks column miles in montana").say("no reaction").say("stay");
    let end = trial.over();
    assert_eq!((end.alliances.len(), end.village(village(&end, "Teton 1")).actions), (0, 1));
}

/// geronimo 6.75, 6.76
#[test]
fn a_volunteer_may_join_the_second_war_party() {
    let mut g = montana();
    hold(&mut g, "Arapaho", C);
    let villages = vec![village(&g, "Teton 1"), village(&g, "Arapaho")];
    g.alliances.push(Alliance { leader: B, villages, parties: Vec::new() });
    let called = |trial: Trial| {
        let mut trial = trial.start();
        trial.say("alliance in montana with teton sioux 1 6 bps attacks column miles");
        assert_eq!(trial.asked(), [(C, "join-alliance")], "nobody else is in it");
        trial
    };
    let mut trial = called(b_round(g.clone()).dice("battle, US", [0]).dice("battle, Indians", [0]));
    trial.say("join with arapaho 5 bps");
    assert!(trial.story().join(" ").contains("the War Party of the Teton Sioux 1 and Arapaho, 11 BPs"));
    assert!(trial.now().tally[C.index()].operation_used);
    // If he stays out, B acts with one Village, and does not call again.
    let mut trial = called(b_round(g));
    trial.say("stay out");
    refused_by(&mut trial, "6.71", "alliance in montana with teton sioux 1 6 bps attacks column miles");
    trial.say("pass");
    assert!(!trial.over().tally[C.index()].operation_used);
}

/// geronimo 6.75, 6.76, 10.12
#[test]
fn the_leader_earns_what_a_volunteer_wins_alone() {
    for target in ["column miles in montana", "settlement in montana"] {
        let mut g = montana();
        hold(&mut g, "Arapaho", C);
        combined(&mut g, &["Teton 1", "Arapaho"]);
        let (teton, mt) = (village(&g, "Teton 1"), area(&g, "MT"));
        g.area_mut(mt).settlements = 1;
        // The Teton War Party is held back.
        g.village_mut(teton).peace_chief = true;
        let mut trial = b_round(g)
            .dice("battle, US", [0])
            .dice("battle, Indians", [9])
            .dice("resource attack", [3])
            .dice("massacre", [9])
            .start();
        trial.say(&format!("alliance attacks {target}"));
        assert_eq!(trial.asked(), [(B, "share")], "{target}");
        trial.say("keep");
        let now = trial.now();
        assert!(vps(&now, B) > 0 && vps(&now, C) == 0, "{target}");
    }
}

/// geronimo 6.76, 9.2F
#[test]
fn a_compelled_attack_of_an_alliance_is_an_operation_of_its_volunteers() {
    let mut g = montana();
    hold(&mut g, "Arapaho", C);
    combined(&mut g, &["Teton 1", "Arapaho"]);
    let teton = village(&g, "Teton 1");
    let mut trial = Trial::new(g, move |t: T, mut g: State| async move {
        crate::indian::compelled_attack(&t, &mut g, &[teton], crate::indian::Compelled::BloodLust).await;
        g
    });
    trial = trial.dice("battle, US", [0]).dice("battle, Indians", [0]);
    let mut trial = trial.start();
    trial.say("alliance attacks column miles in montana").say("no reaction").say("stay");
    assert!(trial.over().tally[C.index()].operation_used);
}

/// geronimo 6.76, 7.23
#[test]
fn vps_are_shared_when_the_resource_is_gone() {
    let mut g = montana();
    hold(&mut g, "Arapaho", C);
    combined(&mut g, &["Teton 1", "Arapaho"]);
    let mt = area(&g, "MT");
    g.area_mut(mt).settlements = 3;
    let mut trial = b_round(g).dice("resource attack", [5]).start();
    trial.say("alliance attacks settlement in montana");
    assert_eq!((trial.asked(), trial.now().area(mt).settlements), (vec![(B, "share")], 2));
}

/// geronimo 6.35, 6.75
#[test]
fn each_war_party_of_an_alliance_stays_or_returns() {
    let mut g = field();
    for name in ["Sioux", "Arapaho"] {
        hold(&mut g, name, B);
    }
    let wy = area(&g, "WY");
    let (teton, arapaho) = (village(&g, "Teton 1"), village(&g, "Arapaho"));
    for v in [teton, arapaho] {
        (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Area(wy), 6);
    }
    column(&mut g, "Miles", "WY", 10);
    let acted = || {
        let mut trial =
            b_after(g.clone(), After::Alliance).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
        trial.say("alliance in wyoming with teton sioux 1 6 bps, arapaho 5 attacks column miles");
        alone(&mut trial).say("no reaction");
        assert_eq!(trial.asked(), [(B, "post-action")]);
        trial.check_options(10);
        trial
    };
    let mut one = acted();
    assert_eq!(one.words(), ["stay", "return", "return teton sioux 1", "return arapaho"]);
    one.say("arapaho returns").say("no reaction");
    assert_eq!((one.asked(), one.words()), (vec![(B, "post-action")], vec!["stay".into(), "return".into()]));
    one.say("stay");
    let end = one.over();
    assert_eq!(end.parties.iter().map(|p| p.village).collect::<Vec<_>>(), [teton]);
    assert!(end.village(arapaho).finished && !end.village(teton).finished);
    let mut all = acted();
    all.say("return").say("no reaction").say("no reaction");
    assert!(all.over().parties.is_empty());
}

/// geronimo 6.75
#[test]
fn an_alliance_without_war_parties_lasts() {
    let mut g = field();
    for (tribe, seat) in [("Sioux", B), ("Cheyenne", C)] {
        hold(&mut g, tribe, seat);
    }
    let [one, two] = ["Northern", "Southern"].map(|name| village(&g, name));
    let wy = area(&g, "WY");
    for name in ["Northern", "Southern", "Teton 1", "Teton 2"] {
        let v = village(&g, name);
        (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Area(wy), 5);
    }
    column(&mut g, "Miles", "WY", 10);
    // C's Alliance has lost its War Parties; each of its Villages has one action and some Chiefs
    // left.
    g.alliances.push(Alliance { leader: C, villages: vec![one, two], parties: Vec::new() });
    // So has one of B, whose Villages are not those that B combines now.
    let others = vec![village(&g, "Santee"), village(&g, "Teton 1")];
    g.alliances.push(Alliance { leader: B, villages: others, parties: Vec::new() });
    for (v, name) in [(one, "Little Wolf"), (two, "Bull Bear")] {
        (g.village_mut(v).actions, g.village_mut(v).parties_sent) = (1, 1);
        let fallen = chief(&g, name).index();
        (g.chiefs[fallen].used, g.chiefs[fallen].killed) = (true, true);
    }
    let mut trial = b_after(g, After::Alliance).any_dice([0; 2]).start();
    trial.say("alliance in wyoming with teton sioux 1 2 bps, teton sioux 2 2 attacks column miles");
    while let Some(&(_, kind)) = trial.asked().first() {
        let words = trial.words();
        trial.say(match kind {
            "post-action" => "stay",
            "reaction" => "no reaction",
            _ => &words[0],
        });
    }
    let mut g = trial.over();
    g.round += 1;
    let rule = |t: T, mut g: State| async move {
        operation(&t, &mut g, C, After::Operation).await;
        g
    };
    let mut trial = Trial::new(g, rule).any_dice([0; 2]).start();
    trial.say(
        "alliance in wyoming with northern cheyenne 2 bps with dull knife, southern cheyenne 2 bps with roman nose \
         attacks column miles",
    );
    let end = trial.now();
    assert_eq!(end.alliances.iter().filter(|a| a.leader == C).count(), 1, "it is the same Alliance");
    assert_eq!(end.alliances.iter().filter(|a| a.leader == B).count(), 2);
    assert!(legal::faults(&end).is_empty());
}

/// geronimo 5.35, 6.71, 6.75
#[test]
fn each_column_tries_once_against_all_who_go_home_by_one_action() {
    let mut g = montana();
    for name in ["Teton 1", "Teton 2", "Arapaho"] {
        let v = village(&g, name);
        g.village_mut(v).actions = 1;
    }
    let mut trial =
        b_after(g, After::Alliance).dice("battle, US", [0]).dice("battle, Indians", [0]).dice("reaction", [9]).start();
    alone(
        trial.say("alliance in montana with teton sioux 1 6 bps, teton sioux 2 6 and arapaho 5 attacks column miles"),
    );
    // The Alliance attacks, then the first War Party goes home. Miles has tried to react, and the
    // other two go home by the same action.
    trial.say("no reaction").say("react miles");
    assert!(trial.story().iter().any(|line| line == "@A (US) does not react."));
    assert!(trial.over().parties.is_empty());
}

/// geronimo 6.33, 6.73
#[test]
fn whoever_is_combined_with_a_friend_is_no_target() {
    let mut g = montana();
    combined(&mut g, &["Teton 1", "Arapaho"]);
    let mt = area(&g, "MT");
    for (name, bps) in [("Kiowa", 7), ("Nez Perce", 6)] {
        hold(&mut g, name, C);
        let v = village(&g, name);
        (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Area(mt), bps);
    }
    g.active = Some(C);
    let rule = |t: T, mut g: State| async move {
        operation(&t, &mut g, C, After::Operation).await;
        g
    };
    let mut trial = Trial::new(g, rule).dice("battle, attacker", [0]).dice("battle, defender", [0]).start();
    refused_by(&mut trial, "6.33", "kiowa war party of 3 attacks arapaho war party in montana");
    // The Sioux are no Friends of the Kiowa, but the Arapaho, who fight with them, are.
    refused_by(&mut trial, "6.33", "kiowa war party of 3 attacks teton sioux 1 war party in montana");
    trial.say("nez perce war party of 5 attacks teton sioux 1 war party in montana");
    let told = trial.story().join(" ");
    assert!(told.contains("the War Party of the Teton Sioux 1 and Arapaho, 10 BPs"), "{told}");
}

/// geronimo 6.33, 9.2D
#[test]
fn an_alliance_with_the_attackers_own_tribe_is_no_target() {
    let mut g = montana();
    let mt = area(&g, "MT");
    for name in ["Kiowa", "Crow"] {
        hold(&mut g, name, C);
        let v = village(&g, name);
        (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Area(mt), 7);
    }
    // The Arapaho, Friends of both, have gone home.
    combined(&mut g, &["Teton 1", "Kiowa"]);
    let teton = village(&g, "Teton 2");
    let bad_blood = |g| {
        let rule = move |t: T, mut g: State| async move {
            crate::indian::compelled_attack(&t, &mut g, &[teton], crate::indian::Compelled::BadBlood).await;
            g
        };
        Trial::new(g, rule).dice("battle, attacker", [0]).dice("battle, defender", [0]).start()
    };
    let attack = "teton sioux 2 war party of 3 attacks kiowa war party in montana";
    refused_by(&mut b_round(g.clone()).start(), "6.33", attack);
    let mut compelled = bad_blood(g.clone());
    refused_by(&mut compelled, "6.33", attack);
    assert!(compelled.words().iter().all(|words| !words.contains("kiowa war party")), "{:?}", compelled.words());
    g.alliances.clear();
    bad_blood(g).say(attack);
}

/// geronimo 9.2Q, 6.75
#[test]
fn an_alliance_acts_without_the_tribe_that_has_a_peace_chief() {
    let mut g = montana();
    combined(&mut g, &["Teton 1", "Teton 2", "Arapaho"]);
    let arapaho = village(&g, "Arapaho");
    g.village_mut(arapaho).peace_chief = true;
    let mut trial = b_round(g.clone()).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.check_options(20);
    refused_by(&mut trial, "9.2Q", "arapaho war party attacks column miles in montana");
    trial.say("alliance attacks column miles in montana");
    let told = trial.story().join(" ");
    assert!(told.contains("Of the Alliance the Arapaho stay where they are."), "{told}");
    assert!(told.contains("the War Party of the Teton Sioux 1 and Teton Sioux 2, 10 BPs"), "{told}");
    trial.say("no reaction").say("stay");
    let end = trial.over();
    assert_eq!((end.parties.len(), end.village(arapaho).actions), (3, 0));
    // One War Party acts alone; the others stay combined.
    let mut trial = b_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("teton sioux 1 war party attacks column miles in montana").say("no reaction").say("stay");
    let end = trial.over();
    let standing: Vec<usize> = end.alliances.iter().map(|a| a.parties.len()).collect();
    assert_eq!((standing, legal::faults(&end)), (vec![1, 2], Vec::new()));
}

/// geronimo 6.75
#[test]
fn every_group_of_a_parted_alliance_may_act() {
    let mut g = montana();
    combined(&mut g, &["Teton 1", "Teton 2"]);
    combined(&mut g, &["Arapaho", "Assiniboine"]);
    let mut trial = b_round(g.clone()).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.check_options(40);
    refused_by(&mut trial, "6.75", "alliance attacks column miles in montana");
    trial.say("alliance of the arapaho attacks column miles");
    let told = trial.story().join(" ");
    assert!(told.contains("the War Party of the Arapaho and Assiniboine, 10 BPs"), "{told}");
    // A Peace Chief stops the first group, so only the other can attack.
    let teton = ["Teton 1", "Teton 2"].map(|name| village(&g, name));
    teton.iter().for_each(|&v| g.village_mut(v).peace_chief = true);
    let mut trial = b_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("alliance attacks column miles in montana");
    let told = trial.story().join(" ");
    assert!(told.contains("the War Party of the Arapaho and Assiniboine, 10 BPs"), "{told}");
}

/// geronimo 6.7
#[test]
fn allied_war_parties_stand_in_one_area() {
    let mut g = montana();
    combined(&mut g, &["Teton 1", "Teton 2"]);
    assert_eq!(legal::faults(&g), Vec::<String>::new());
    g.parties[1].area = area(&g, "WY");
    assert!(legal::faults(&g).iter().any(|fault| fault.contains("(6.7)")));
}

/// geronimo 6.76, 9.2FF
#[test]
fn a_volunteer_may_be_the_friend_whom_another_one_needs() {
    let mut g = montana();
    hold(&mut g, "Arapaho", C);
    hold(&mut g, "Kiowa", Seat(3));
    let (v, mt) = (village(&g, "Kiowa"), area(&g, "MT"));
    (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Area(mt), 7);
    let call = "alliance in montana with teton sioux 1 6 bps attacks column miles";
    let mut trial = b_after(g.clone(), After::Alliance).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say(call).say("join with arapaho 5 bps").say("join with kiowa 4 bps");
    let told = trial.story().join(" ");
    assert!(told.contains("the War Party of the Teton Sioux 1, Arapaho and Kiowa, 15 BPs"), "{told}");
    // The Arapaho stay out, so the Kiowa have no Friend in the Alliance.
    let mut trial = b_after(g.clone(), After::Alliance).start();
    trial.say(call).say("stay out").say("join with kiowa 4 bps");
    let told = trial.story().join(" ");
    assert!(told.contains("The Kiowa cannot join the Alliance: ") && told.contains("(6.71)"), "{told}");
    trial.say("pass");
    assert!(trial.over().parties.is_empty(), "one Village is no Alliance");
    // Crow and Sioux are Enemies, so the Crow are refused at once.
    hold(&mut g, "Crow", C);
    let mut trial = b_after(g, After::Alliance).start();
    trial.say(call);
    refused_by(&mut trial, "6.76", "join with crow 1 bp");
}

/// geronimo 6.76
#[test]
fn an_alliance_that_is_attacked_shares_what_it_wins_and_says_who_bears_a_loss() {
    let mut g = montana();
    hold(&mut g, "Arapaho", C);
    combined(&mut g, &["Teton 1", "Arapaho"]);
    g.active = Some(US);
    // 1-1. The Indians roll 9; the 4 of the US costs them a BP. Blood Lust prevents evasion.
    let mut trial = us_round(g).dice("battle, US", [4]).dice("battle, Indians", [9]).start();
    trial.say("miles attacks teton sioux 1 war party");
    while trial.asked() == [(B, "alliance-loss")] {
        trial.say("arapaho");
    }
    let told = trial.story().join(" ");
    assert!(told.contains("Of the Alliance the Arapaho lose 1 BP."), "{told}");
    assert_eq!(trial.asked(), [(B, "share")], "{told}");
    trial.say("give C");
    while trial.asked() == [(B, "share")] {
        trial.say("keep");
    }
    trial.say("done");
    let end = trial.over();
    assert!(vps(&end, B) > 0 && vps(&end, C) == 1);
}
