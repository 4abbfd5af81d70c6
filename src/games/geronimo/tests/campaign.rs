//! Tests of Evasion, Pursuit and Ambush (7.5).

use super::*;
use crate::ratings::Force;
use serde_json::json;

fn crook_and_quanah() -> State {
    let mut g = field();
    g.turn = 5;
    let id = column(&mut g, "Crook", "TX", 11);
    g.column_mut(id).expect("the Column").guns = 1;
    hold(&mut g, "Comanche", B);
    party(&mut g, "Comanche", 5, &["Quanah Parker"], "TX");
    g
}

/// geronimo 7.55, 7.52, 7.53, 7.54, 7.5
#[test]
fn crook_hunts_quanah() {
    let mut trial = us_round(crook_and_quanah()).dice("evasion", [4]).dice("pursuit", [2]).dice("ambush", [9]).start();
    trial.say("column crook attacks comanche war party");
    assert_eq!(trial.asked(), [(B, "evasion")]);
    let lines = trial.reads().lines.join(" ");
    assert!(
        lines.contains("Speed 2") && lines.contains("a DR of 6 or less") && lines.contains("on 3 or less"),
        "{lines}"
    );
    trial.check_options(5);
    trial.say("evade");
    assert_eq!(trial.asked(), [(US, "pursuit")]);
    trial.check_options(5);
    trial.say("pursue");
    assert!(trial.reads().lines.iter().any(|line| line.contains("3 or less")));
    trial.check_options(5);
    trial.say("ambush").say("done");
    let end = trial.over();
    assert_eq!((end.parties[0].bps, end.columns[0].bps), (4, 11));
    assert_eq!((vps(&end, US), vps(&end, B)), (0, 0));
}

/// geronimo 4.4, 7.53
#[test]
fn directors_rule_between_actions_only() {
    let mut trial = us_round(crook_and_quanah()).dice("evasion", [6]).start();
    let home = json!({ "war-party": { "party": "comanche", "home": true } });
    let away = json!({ "column": { "commander": "crook", "area": "oregon" } });
    let off = json!({ "village": { "village": "comanche", "off": "reservation" } });
    trial.say("crook attacks comanche war party");
    for words in ["evade", "let go"] {
        for effect in [&home, &away, &off] {
            let why = trial.session.rule(effect, "").unwrap_err().to_string();
            assert!(why.contains("not while one is carried out: rule then"), "{words}, {effect}: {why}");
        }
        trial.say(words);
    }
    trial.session.rule(&home, "").unwrap();
    trial.say("done");
    assert!(trial.over().parties.is_empty());
}

/// geronimo 7.53
#[test]
fn without_pursuit_there_is_no_battle() {
    let mut trial = us_round(crook_and_quanah()).dice("evasion", [6]).start();
    trial.say("crook attacks comanche war party").say("evade").say("let go").say("done");
    assert_eq!(trial.over().parties[0].bps, 5);
    let mut trial = us_round(crook_and_quanah()).dice("evasion", [6]).dice("pursuit", [4]).start();
    trial.say("crook attacks comanche war party").say("evade").say("pursue").say("done");
    assert_eq!(trial.over().parties[0].bps, 5);
}

/// geronimo 7.52, 7.51
#[test]
fn a_failed_evasion_is_a_battle_and_a_zero_costs_a_bp() {
    let mut trial =
        us_round(crook_and_quanah()).dice("evasion", [7]).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("crook attacks comanche war party").say("evade").say("done");
    trial.over();
    let mut trial = us_round(crook_and_quanah()).dice("evasion", [0]).start();
    trial.say("crook attacks comanche war party").say("evade").say("let go").say("done");
    assert_eq!(trial.over().parties[0].bps, 4);
}

/// geronimo 7.54, 7.31
#[test]
fn an_ambush_adds_three_and_turns_the_odds() {
    let mut trial = us_round(crook_and_quanah())
        .dice("evasion", [3])
        .dice("pursuit", [3])
        .dice("ambush", [3])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .start();
    trial.say("crook attacks comanche war party").say("evade").say("pursue").say("ambush");
    // 11 to 5 is 2-1 in an Ambush: US 2 + Crook 2 + gun 1; Indians -2 + Quanah 3 + Tribe 2 + Ambush
    // 3.
    let story = trial.story().join(" ");
    assert!(story.contains("the US rolls 0 +5 = 5, the Indians 0 +6 = 6"), "{story}");
    // The Column may lose a gun instead of a BP.
    trial.say("crook field gun").say("done");
    assert_eq!(trial.over().columns[0].guns, 0);
}

/// geronimo 7.52, 7.54
#[test]
fn capabilities_are_sums() {
    let mut g = field();
    g.turn = 6;
    hold(&mut g, "Apache", B);
    let v = village(&g, "Chiricahua");
    // For both capabilities: the Tribe 3, Geronimo 3, Guerillas in the mountains 1.
    let home = Force::Village(v);
    assert_eq!((home.evasion_capability(&g), home.ambush_capability(&g)), (7, 7));
    let p = party(&mut g, "Chiricahua", 2, &["Juh"], "NM");
    let out = Force::party(p);
    assert_eq!((out.evasion_capability(&g), out.ambush_capability(&g)), (3 + 2 + 1 + 3, 3 + 2 + 1));
    g.parties[0].area = area(&g, "KS");
    assert_eq!(out.evasion_capability(&g), 8, "Kansas is Plains");
    g.fx.winter_campaigning = true;
    assert_eq!(out.evasion_capability(&g), 7);
}

/// geronimo 7.55, 7.54
#[test]
fn an_empty_village_evades_at_the_cost_of_devastation_and_cannot_ambush() {
    let mut g = field();
    column(&mut g, "Miles", "CO", 5);
    hold(&mut g, "Cheyenne", B);
    let v = village(&g, "Southern");
    let bps = g.village(v).bps;
    party(&mut g, "Southern", bps, &[], "KS");
    let mut trial = us_round(g).dice("evasion", [0]).dice("pursuit", [0]).dice("battle, US", [0]).start();
    trial.say("miles attacks southern cheyenne village").say("evade").say("pursue").say("done");
    let end = trial.over();
    // 0 + 6 + 2 = 8: two losses, and one more from the evasion before.
    assert_eq!((end.village(v).devastation, end.total_bps(v)), (3, bps));
}

/// geronimo 7.51
#[test]
fn inactive_tribes_and_attackers_do_not_evade() {
    let mut g = field();
    column(&mut g, "Miles", "CO", 5);
    let mut trial = us_round(g.clone()).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("miles attacks southern cheyenne village");
    assert_eq!(trial.asked(), [(US, "column-play")]);
    hold(&mut g, "Cheyenne", B);
    let mut trial = b_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("southern cheyenne war party of 3 attacks column miles in colorado");
    assert_eq!(trial.asked(), [(US, "reaction")]);
}

/// geronimo 6.76, 7.52, 9.2HH
#[test]
fn the_leader_of_an_alliance_says_who_is_lost_on_the_run() {
    let mut g = field();
    g.fx.winter_campaigning = true;
    hold(&mut g, "Sioux", B);
    let parties: Vec<_> =
        [("Teton 1", 5), ("Teton 2", 3)].map(|(name, bps)| party(&mut g, name, bps, &[], "MT")).into();
    let villages = vec![village(&g, "Teton 1"), village(&g, "Teton 2")];
    g.alliances.push(crate::state::Alliance { leader: B, villages, parties });
    for name in ["Miles", "Terry"] {
        let id = column(&mut g, name, "MT", 5);
        g.column_mut(id).expect("the Column").group = Some(99);
    }
    let mut trial = us_round(g).dice("evasion", [2]).dice("pursuit", [9]).start();
    trial.say("miles and terry attack teton sioux 1 war party").say("evade");
    assert_eq!(trial.asked(), [(B, "alliance-loss")]);
    trial.say("teton sioux 2").say("pursue");
    assert_eq!(trial.asked(), [(US, "pursuit-loss")]);
    trial.check_options(5);
    trial.say("lose terry bp");
    let end = trial.over();
    assert_eq!(end.parties.iter().map(|p| p.bps).collect::<Vec<_>>(), [5, 2]);
    assert_eq!(end.columns.iter().map(|k| k.bps).collect::<Vec<_>>(), [5, 4]);
}

/// geronimo 9.2C, 7.53
#[test]
fn revenge_that_is_evaded_costs_a_point() {
    let mut g = field();
    (g.turn, g.fx.atrocity) = (6, Some(US));
    column(&mut g, "Crook", "NM", 5);
    hold(&mut g, "Apache", B);
    party(&mut g, "Chiricahua", 2, &["Geronimo"], "NM");
    party(&mut g, "Mimbres", 2, &[], "NM");
    for (name, cost) in [("chiricahua", -1), ("mimbres", 0)] {
        let mut trial = us_round(g.clone()).dice("evasion", [1]).start();
        trial.say(&format!("crook attacks {name} war party")).say("evade").say("let go").say("done");
        assert_eq!(vps(&trial.over(), US), cost, "{name}: only a Chief of Aggression 2 or more is worth revenge");
    }
}

/// geronimo 7.5, 8.1
#[test]
fn an_attack_shows_the_card_of_its_target() {
    let mut g = field();
    g.active = Some(US);
    column(&mut g, "Sheridan", "CO", 5);
    hold(&mut g, "Cheyenne", B);
    let cheyenne = g.c.tribe_by_name("Cheyenne").expect("a Tribe");
    g.tribes[cheyenne.index()].revealed = false;
    let mut trial = us_round(g).start();
    trial.say("sheridan attacks southern cheyenne village");
    assert!(trial.now().tribes[cheyenne.index()].revealed);
}

/// geronimo 5.71, 5.72, 5.721, 9.2R
#[test]
fn the_first_column_attacks_whatever_the_others_do() {
    let mut g = field();
    (g.active, g.fx.peace_policy) = (Some(US), true);
    column(&mut g, "Sheridan", "CO", 5);
    column(&mut g, "Chivington", "CO", 5);
    hold(&mut g, "Cheyenne", B);
    let start = |dice: &[(&'static str, i64)]| {
        let mut trial = us_round(g.clone());
        for &(label, dr) in dice {
            trial = trial.dice(label, [dr]);
        }
        trial.start()
    };
    refused_by(&mut start(&[]), "9.2R", "sheridan attacks southern cheyenne village");
    // Chivington has an Aggression of exactly three.
    start(&[]).try_say("chivington attacks southern cheyenne village").expect("three are enough");
    let attack = "sheridan with chivington attacks southern cheyenne village";
    // Chivington does not join, so Sheridan attacks alone.
    let mut trial = start(&[("coordination", 9), ("battle, US", 0), ("battle, Indians", 0)]);
    trial.say(attack).say("wait").say("stand");
    assert!(trial.story().iter().any(|line| line.starts_with("Battle in Colorado: Sheridan, 5 BPs")));
    trial.say("done");
    assert!(trial.over().columns.iter().all(|k| k.played_in == 5), "both were played all the same");
    // Evasion comes before the Coordination DR, so only Sheridan may pursue.
    let mut trial = start(&[("evasion", 9), ("battle, US", 0), ("battle, Indians", 0)]);
    trial.say(attack).say("evade");
    let told = trial.story().join(" ");
    assert!(told.contains("fails to evade") && told.contains("Battle in Colorado: Sheridan, 5 BPs"), "{told}");
    let mut trial = start(&[("coordination", 0), ("battle, US", 0), ("battle, Indians", 0)]);
    trial.say(attack).say("wait").say("stand").say("separate");
    assert!(trial.story().iter().any(|line| line.starts_with("Battle in Colorado: Sheridan and Chivington")));
}

/// geronimo 7.54, 7.55
#[test]
fn an_ambush_fails_or_is_not_tried() {
    let tried = [4, 8, 9].map(|dr| ("ambush", Some(dr)));
    for (words, ambush) in [("accept battle", None)].into_iter().chain(tried) {
        let fought = ambush != Some(9);
        let mut trial = us_round(crook_and_quanah()).dice("evasion", [3]).dice("pursuit", [3]).dice("ambush", ambush);
        if fought {
            trial = trial.dice("battle, US", [0]).dice("battle, Indians", [0]);
        }
        let mut trial = trial.start();
        trial.say("crook attacks comanche war party").say("evade").say("pursue").say(words).say("done");
        let story = trial.story().join(" ");
        assert_eq!(story.contains("Battle in Texas"), fought, "{story}");
        assert_eq!(story.contains("the Ambush fails"), ambush.is_some_and(|dr| dr < 9), "{story}");
        // 11 and a Gun to 5 are 2-1: 2, 1 for the Gun and 2 for Crook are one BP; who gets away
        // after all loses one, too.
        assert_eq!(trial.over().parties[0].bps, 4, "{words}, {ambush:?}");
    }
}

/// In winter an evading side loses a BP, and so do the pursuers, before the result is known: a
/// Column of one BP is eliminated.
///
/// geronimo 9.2HH, 7.8
#[test]
fn winter_takes_its_bp_from_both() {
    for (bps, pursuit, left) in [(11, Some(9), 10), (1, None, 0)] {
        let mut g = crook_and_quanah();
        g.fx.winter_campaigning = true;
        g.columns[0].bps = bps;
        g.columns[0].guns = 0;
        let mut trial = us_round(g).dice("evasion", [3]).dice("pursuit", pursuit).start();
        trial.say("crook attacks comanche war party").say("evade").say("pursue");
        if !trial.asked().is_empty() {
            trial.say("done");
        }
        let end = trial.over();
        assert_eq!((end.parties[0].bps, end.columns.iter().map(|k| k.bps).sum::<i32>()), (4, left));
        let story = trial.story().join(" ");
        assert!(story.contains("Crook loses a BP to the winter."), "{story}");
        assert_eq!(story.contains("Crook's Column is lost"), left == 0);
    }
}

/// geronimo 7.52, 7.41
#[test]
fn a_village_on_the_run_loses_a_bp() {
    let mut g = crook_and_quanah();
    let v = village(&g, "Comanche");
    let bps = g.village(v).bps;
    let mut trial = us_round(g.clone()).dice("evasion", [0]).start();
    trial.say("crook attacks comanche village").say("evade").say("let go").say("done");
    let end = trial.over();
    assert_eq!((end.village(v).bps, end.village(v).devastation), (bps - 1, 0));
    assert!(trial.story().iter().any(|line| line.contains("loses a BP on the run.")));
    g.village_mut(v).bps = 0;
    let mut trial = us_round(g).dice("evasion", [0]).start();
    trial.say("crook attacks comanche village").say("evade").say("let go").say("done");
    let end = trial.over();
    assert_eq!((end.village(v).bps, end.village(v).devastation), (0, 1));
    assert!(!trial.story().iter().any(|line| line.contains("on the run")));
}

/// geronimo 9.2Q, 9.2R, 9.2W, 9.2Y, 7.34
#[test]
fn villages_that_may_not_be_attacked() {
    type Change = fn(&mut State);
    // Crook's Aggression is 1, Custer's 3.
    let cases: [(&str, &str, Change); 5] = [
        ("9.2Q", "crook", |g| g.village_mut(village(&basic(4), "Comanche")).peace_chief = true),
        ("9.2Y", "crook", |g| g.village_mut(village(&basic(4), "Comanche")).scouting = true),
        ("7.34", "crook", |g| g.village_mut(village(&basic(4), "Comanche")).attacked_in = g.round),
        ("9.2R", "crook", |g| g.fx.peace_policy = true),
        ("9.2W", "crook", |g| g.fx.reform_movement = true),
    ];
    for (rule, who, change) in cases {
        let mut g = crook_and_quanah();
        column(&mut g, "Custer", "TX", 5);
        change(&mut g);
        let mut trial = us_round(g).start();
        refused_by(&mut trial, rule, &format!("column {who} attacks comanche village"));
        if matches!(rule, "9.2R" | "9.2W") {
            trial.say("column custer attacks comanche village");
        }
    }
}

/// geronimo 7.34
#[test]
fn a_war_party_is_attacked_once_a_round() {
    let mut g = crook_and_quanah();
    column(&mut g, "Custer", "TX", 5);
    let mut trial = us_round(g).dice("evasion", [6]).start();
    trial.say("crook attacks comanche war party").say("evade").say("let go");
    refused_by(&mut trial, "7.34", "custer attacks comanche war party");
    trial.say("done");
}

/// geronimo 9.2HH, 7.53
#[test]
fn a_pursuit_in_winter_needs_what_the_question_says() {
    let mut g = crook_and_quanah();
    g.fx.winter_campaigning = true;
    g.columns[0].guns = 0;
    // 3 - 2 for 11 BPs + 2 for Crook + 1 in Texas - 2 in winter.
    let mut trial = us_round(g).dice("evasion", [3]).dice("pursuit", [3]).start();
    trial.say("crook attacks comanche war party").say("evade");
    assert!(trial.reads().lines.join(" ").contains("on a DR of 2 or less"));
    trial.say("pursue").say("done");
    assert!(trial.story().join(" ").contains("Pursuit DR 3, needed 2 or less"));
    assert_eq!(trial.over().columns[0].bps, 10);
}
