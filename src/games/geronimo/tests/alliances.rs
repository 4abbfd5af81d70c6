//! Tribal Alliances: 6.7.

use super::*;
use crate::games::geronimo::{
    ratings::Force,
    state::{Alliance, Place},
};

/// The position of the examples: two Teton Villages in Montana, the Arapaho in Wyoming, the Assiniboine in North Dakota.
fn montana() -> State {
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
        // Blood Lust: nobody asks whether they evade. BPs are lost, so the spell is broken if it is there.
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
    trial.say(CALL);
    // The US may react to the Alliance, and to the Assiniboine on their way home.
    trial.say("no reaction").say("no reaction").say("stay");
    let mut g = trial.over();
    assert!(g.village(assiniboine).finished && g.village(assiniboine).bps == 3);
    let force = Force::Parties(g.alliances[0].parties.clone());
    assert_eq!((force.bps(&g), force.tribal_drms(&g), force.may_evade(&g)), (17, 2, false));
    // Used once more, all are Finished.
    g.round = 2;
    let mut trial = b_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    refused_by(&mut trial, "6.75", "arapaho war party attacks column miles in montana");
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
    // The Crow are meant, not the Chief Little Crow.
    refused_by(&mut trial, "6.71", "alliance in montana with teton sioux 1 6 bps, crow 3 bps attacks column miles");
    refused_by(&mut trial, "6.71", "alliance in montana with teton sioux 1 6 and blackfoot 3 attacks column miles");
    refused_by(&mut trial, "6.71", "alliance in montana with teton sioux 1 6 attacks column miles");
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
    trial.say("alliance invite in montana with teton sioux 1 6 bps attacks column miles");
    assert_eq!(trial.asked().len(), 2, "every other Indian player is asked, whatever he holds");
    trial.check_options(5);
    trial.say("join with arapaho 5 bps with black bear").say("stay out");
    // 11 to 10: 1-1; the Indians roll 7 + Black Bear 1 + Blood Lust 2 = 10: 2 BPs.
    trial.say("no reaction").say("stay");
    assert_eq!(trial.asked(), [(B, "share")]);
    trial.check_options(5);
    trial.say("give C").say("keep");
    let end = trial.over();
    assert_eq!((vps(&end, B), vps(&end, C)), (1, 1));
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
    trial.say("alliance attacks column miles in montana").say("no reaction").say("stay");
    assert_eq!(trial.asked(), [(B, "share")]);
    trial.say("keep");
    assert!(trial.over().tally[C.index()].operation_used);
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
        trial.say("alliance in wyoming with teton sioux 1 6 bps, arapaho 5 attacks column miles").say("no reaction");
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
    // C's Alliance has lost its War Parties; each of its Villages has one action and Chiefs left.
    g.alliances.push(Alliance { leader: C, villages: vec![one, two], parties: Vec::new() });
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
    assert_eq!(end.alliances.iter().filter(|a| a.leader == B).count(), 1);
    assert!(legal::faults(&end).is_empty());
}
