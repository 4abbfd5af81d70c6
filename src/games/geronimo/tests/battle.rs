//! Tests of battles, attacks on Villages, and Massacres (7.3, 7.4, 7.6, 7.8, 5.5).

use super::*;
use crate::{
    battle::{Fight, fight, tribal_fight, tribal_odds, us_odds},
    components::Odds,
    losses::devastate,
    ratings::{Force, Troops},
    state::Place,
};

fn battle(g: State, id: ColumnId, force: Force, us_attacks: bool, ambush: bool) -> Trial {
    Trial::new(g, move |t: T, mut g| async move {
        let mut troops = Troops(vec![id]);
        let attacker = force.player(&g).filter(|_| !us_attacks);
        fight(&t, &mut g, Fight { troops: &mut troops, force: &force, attacker, ambush }).await;
        g
    })
}

/// geronimo 7.31
#[test]
fn odds_of_nine_to_four_of_eight_to_three_and_of_ten_to_four() {
    let g = field();
    assert_eq!(us_odds(9, 4, false), Odds::ThreeOne);
    assert_eq!((g.c.odds.drm(us_odds(9, 4, false)), g.c.odds.drm(us_odds(9, 4, false).inverse())), (4, -4));
    assert_eq!((g.c.odds.drm(us_odds(9, 4, true)), g.c.odds.drm(us_odds(9, 4, true).inverse())), (2, -2));
    assert_eq!(tribal_odds(8, 3, false), Odds::ThreeOne);
    assert_eq!(tribal_odds(10, 4, false), Odds::TwoOne);
    assert_eq!(tribal_odds(4, 10, false), Odds::OneThree, "the inactive side has 3-1");
    // The nearest printed ratio; 5 to 4 is as near to 1-1 as to 3-2.
    for waits in [false, true] {
        let rows = [(4, 4), (3, 2), (2, 3), (2, 1), (1, 2), (3, 1), (1, 3), (9, 1)];
        let odds = rows.map(|(attacker, defender)| tribal_odds(attacker, defender, waits));
        use Odds::*;
        assert_eq!(odds, [OneOne, ThreeTwo, TwoThree, TwoOne, OneTwo, ThreeOne, OneThree, ThreeOne], "{waits}");
    }
    assert_eq!([true, false].map(|waits| tribal_odds(5, 4, waits)), [Odds::ThreeTwo, Odds::OneOne]);
    for (us, indians, odds) in [
        (1, 9, Odds::OneThree),
        (1, 2, Odds::OneTwo),
        (5, 8, Odds::TwoThree),
        (5, 5, Odds::OneOne),
        (60, 1, Odds::ThreeOne),
    ] {
        assert_eq!(us_odds(us, indians, false), odds, "{us} to {indians}");
    }
}

/// geronimo 7.32, 7.31, 7.33
#[test]
fn crazy_horse_attacks_sibley() {
    let mut g = field();
    let sibley = column(&mut g, "Sibley", "SD", 10);
    hold(&mut g, "Sioux", B);
    let id = party(&mut g, "Teton 1", 5, &["Crazy Horse"], "SD");
    let mut trial =
        battle(g, sibley, Force::party(id), false, false).dice("battle, Indians", [4]).dice("battle, US", [3]).start();
    let end = trial.over();
    assert!(trial.story().iter().any(|line| line.contains("the US rolls 3 +3 = 6, the Indians 4 +1 = 5")));
    assert_eq!((end.columns[0].bps, end.parties[0].bps), (9, 4));
    assert_eq!((vps(&end, US), vps(&end, B)), (0, 0));
}

/// geronimo 7.33, 10.11, 10.12
#[test]
fn spoils_go_to_the_us_as_attacker_only_and_to_indians_by_the_difference() {
    let mut g = field();
    let id = column(&mut g, "Sibley", "WY", 9);
    hold(&mut g, "Arapaho", B);
    let p = party(&mut g, "Arapaho", 9, &[], "WY");
    let run = |us_attacks, us: i64, indians: i64| {
        let trial = battle(g.clone(), id, Force::party(p), us_attacks, false)
            .dice("battle, US", [us])
            .dice("battle, Indians", [indians])
            .start();
        let end = trial.over();
        (9 - end.columns[0].bps, 9 - end.parties[0].bps, vps(&end, US), vps(&end, B))
    };
    // Sibley adds 1; the Arapaho add 1 only when they defend (7.31).
    assert_eq!(run(true, 9, 0), (0, 2, 1, 0));
    assert_eq!(run(false, 9, 0), (0, 2, 0, 0));
    assert_eq!(run(true, 0, 7), (2, 0, 0, 2));
    assert_eq!(run(false, 0, 7), (1, 0, 0, 1));
    assert_eq!(run(false, 3, 8), (2, 1, 0, 1));
}

/// geronimo 7.31, 5.53, 5.54, 9.2BB
#[test]
fn drms_are_cut_at_eight_and_gatlings_must_work() {
    let mut g = field();
    let id = column(&mut g, "Custer", "WY", 18);
    let k = g.column_mut(id).expect("the Column");
    (k.guns, k.gatlings) = (1, 2);
    hold(&mut g, "Arapaho", B);
    let p = party(&mut g, "Arapaho", 9, &[], "WY");
    // 2-1 gives 2, Custer 2, a gun 1, one of the two Gatlings 1: 6.
    let mut trial = battle(g.clone(), id, Force::party(p), true, false)
        .dice("gatling", [4, 7])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .start();
    trial.over();
    assert!(trial.story().iter().any(|line| line.contains("rolls 0 +6 = 6")));
    // Odd DRs work, even ones jam: both Gatlings make 7, none 5.
    for (drs, drm) in [([3, 5], 7), ([0, 6], 5)] {
        let mut trial = battle(g.clone(), id, Force::party(p), true, false)
            .dice("gatling", drs)
            .dice("battle, US", [0])
            .dice("battle, Indians", [0])
            .start();
        trial.over();
        let told = format!("rolls 0 +{drm} = {drm}");
        assert!(trial.story().iter().any(|line| line.contains(&told)), "{drs:?}: {:?}", trial.story());
    }
    // 3-1, Springfields and the rest make 10, which counts as 8.
    g.fx.springfield = true;
    g.parties[0].bps = 6;
    let mut trial = battle(g, id, Force::party(p), true, false)
        .dice("gatling", [1, 7])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .start();
    trial.over();
    assert!(trial.story().iter().any(|line| line.contains("rolls 0 +8 = 8")));
}

/// geronimo 5.55, 5.5, 5.37
#[test]
fn artillery_can_be_lost_for_a_bp() {
    let mut g = field();
    let id = column(&mut g, "Terry", "WY", 3);
    g.column_mut(id).expect("the Column").guns = 1;
    hold(&mut g, "Arapaho", B);
    let p = party(&mut g, "Arapaho", 9, &[], "WY");
    // 3-1 against the US: 9 + 4 = 13, 3 BPs.
    let mut trial =
        battle(g, id, Force::party(p), false, false).dice("battle, US", [0]).dice("battle, Indians", [9]).start();
    assert_eq!(trial.asked(), [(US, "column-loss")]);
    trial.check_options(10);
    // After that there is nothing to choose.
    trial.say("lose terry field gun");
    let end = trial.over();
    assert_eq!((end.columns[0].bps, end.columns[0].guns), (1, 0));
}

/// geronimo 7.8, 5.43, 7.42, 6.66
#[test]
fn leaders_fall_only_with_all_of_theirs() {
    let mut g = field();
    let id = column(&mut g, "Terry", "CO", 1);
    hold(&mut g, "Cheyenne", B);
    let v = village(&g, "Southern");
    g.village_mut(v).bps = 1;
    let p = party(&mut g, "Southern", 1, &["Roman Nose"], "CO");
    let trial = battle(g.clone(), id, Force::party(p), true, false)
        .dice("battle, US", [9])
        .dice("battle, Indians", [9])
        .start();
    let end = trial.over();
    let (nose, bear) = (chief(&end, "Roman Nose"), chief(&end, "Bull Bear"));
    assert!(end.chiefs[nose.index()].killed && end.parties.is_empty());
    assert!(end.columns.is_empty());
    assert_eq!(end.commanders[commander(&end, "Terry").index()], CommanderPlace::Dead);
    assert_eq!((end.village(v).place, vps(&end, B)), (Place::Extinct, -3));
    assert!(end.chiefs[bear.index()].killed, "the Village went with them");
}

/// geronimo 7.62, 7.4, 7.41, 7.6, 7.64
#[test]
fn chivington_attacks_an_empty_village() {
    let mut g = field();
    column(&mut g, "Chivington", "CO", 5);
    let v = village(&g, "Southern");
    let bps = g.village(v).bps;
    party(&mut g, "Southern", bps, &["Roman Nose"], "KS");
    let mut trial = us_round(g).dice("battle, US", [8]).start();
    trial.say("column chivington attacks southern cheyenne village in colorado").say("done");
    let end = trial.over();
    assert_eq!((end.village(v).devastation, end.area(area(&end, "CO")).massacres), (3, 1));
    assert_eq!((end.total_bps(v), end.columns[0].bps), (bps, 5), "nobody is killed, and nobody shoots back");
    assert_eq!(vps(&end, US), 0);
}

/// geronimo 7.63, 7.62, 5.42
#[test]
fn who_has_no_aggression_makes_no_massacre() {
    let mut g = field();
    let id = column(&mut g, "Canby", "CO", 5);
    let v = village(&g, "Southern");
    let bps = g.village(v).bps;
    party(&mut g, "Southern", bps, &[], "KS");
    let trial = battle(g.clone(), id, Force::Village(v), true, false).dice("battle, US", [9]).start();
    let end = trial.over();
    assert_eq!((end.village(v).devastation, end.area(area(&end, "CO")).massacres), (3, 0));
    // With Custer the sum is 2, enough for the M2 of a 15.
    let custer = column(&mut g, "Custer", "CO", 5);
    let trial = Trial::new(g, move |t: T, mut g| async move {
        let mut troops = Troops(vec![custer, id]);
        let force = Force::Village(v);
        fight(&t, &mut g, Fight { troops: &mut troops, force: &force, attacker: None, ambush: false }).await;
        g
    })
    .dice("battle, US", [7])
    .start();
    assert_eq!(trial.over().area(area(&basic(4), "CO")).massacres, 1);
}

/// geronimo 7.41, 7.42
#[test]
fn devastation_takes_what_exceeds_one_bp() {
    let mut g = field();
    let id = column(&mut g, "Miles", "CO", 15);
    let v = village(&g, "Southern");
    let run = |g: State, us: i64| {
        let trial =
            battle(g, id, Force::Village(v), true, false).dice("battle, US", [us]).dice("battle, Indians", [0]).start();
        trial.over()
    };
    // 15 to 5 is 3-1: + 4, Miles + 2.
    let end = run(g.clone(), 0);
    assert_eq!((end.village(v).bps, end.village(v).devastation), (4, 0), "6: one BP");
    let end = run(g.clone(), 7);
    assert_eq!((end.village(v).bps, end.village(v).devastation), (4, 2), "13: 3, of which 2 are Devastation");
    g.village_mut(v).devastation = 2;
    let end = run(g.clone(), 9);
    assert_eq!((end.village(v).bps, end.village(v).devastation), (4, 5), "a marker is -3 at the most, and both count");
    g.fx.springfield = true;
    g.column_mut(id).expect("the Column").guns = 1;
    let end = run(g.clone(), 9);
    assert_eq!(end.village(v).place, Place::Extinct, "17 is All");
    assert!(g.chiefs_of(v).all(|h| end.chiefs[h.index()].killed));
    // While a War Party is out, All does not eliminate the Tribe.
    party(&mut g, "Southern", 2, &["Roman Nose"], "KS");
    let end = run(g, 9);
    assert_eq!((end.village(v).bps, end.village(v).devastation, end.total_bps(v)), (0, 5, 2));
    assert!(end.in_play(v) && !end.chiefs[chief(&end, "Roman Nose").index()].killed);
}

/// geronimo 10.12, 7.33, 7.41
#[test]
fn devastation_keeps_no_vps_from_the_indians() {
    let mut g = field();
    let id = column(&mut g, "Miles", "CO", 15);
    hold(&mut g, "Cheyenne", B);
    let v = village(&g, "Southern");
    // 3-1 and Miles make 9: 2 losses. 1-3, the Tribe and its Chiefs also make 9.
    let trial =
        battle(g, id, Force::Village(v), true, false).dice("battle, US", [3]).dice("battle, Indians", [9]).start();
    let end = trial.over();
    assert_eq!((end.columns[0].bps, end.village(v).bps, end.village(v).devastation), (13, 4, 1));
    assert_eq!((vps(&end, US), vps(&end, B)), (0, 1));
}

/// geronimo 6.64, 7.41
#[test]
fn devastated_markers_add_up() {
    let mut g = field();
    hold(&mut g, "Cheyenne", B);
    let v = village(&g, "Southern");
    for (markers, total) in [(vec![1, 2, 1], 4), (vec![5], 3)] {
        let rule = move |t: T, mut g: State| async move {
            for strength in markers {
                devastate(&t, &mut g, v, strength);
            }
            g
        };
        let end = Trial::new(g.clone(), rule).start().over();
        assert_eq!(end.village(v).devastation, total, "a marker is -3 at the most");
        assert!(legal::faults(&end).is_empty());
    }
}

/// geronimo 7.3, 7.33, 7.61, 7.41, 6.33, 7.34
#[test]
fn indians_fight_indians_without_devastation_or_massacre() {
    let mut g = field();
    hold(&mut g, "Arapaho", B);
    hold(&mut g, "Crow", C);
    let v = village(&g, "Crow");
    let p = party(&mut g, "Arapaho", 9, &["Black Bear"], "MT");
    g.village_mut(v).bps = 2;
    let clash = |g: &State, attacker: i64, defender: i64| {
        let trial = Trial::new(g.clone(), move |t: T, mut g| async move {
            tribal_fight(&t, &mut g, (B, &Force::party(p)), &Force::Village(v), false).await;
            g
        })
        .dice("battle, attacker", [attacker])
        .dice("battle, defender", [defender])
        .start();
        trial.over()
    };
    // 3-1: 4 + 1 for the Tribe + 1 for Black Bear; 9 makes 15, a result with a Massacre.
    let end = clash(&g, 9, 0);
    assert_eq!((end.village(v).place, end.village(v).devastation), (Place::Extinct, 0));
    assert_eq!((end.area(area(&end, "MT")).massacres, vps(&end, B), vps(&end, C)), (0, 1, -3));
    g.village_mut(v).bps = 6;
    let end = clash(&g, 0, 9);
    // 9 to 6 is 3-2: the Crow roll 9 - 1 + 1 = 9, 2 BPs; the Arapaho 0 + 1 + 1 + 1 = 3, no loss.
    assert_eq!((end.parties[0].bps, end.village(v).bps, vps(&end, B), vps(&end, C)), (7, 6, 0, 1));
    assert!(end.village(v).attacked_by.contains(tribe(&end, "Arapaho")));
    // 7.4: an empty Village does not roll and has no BPs to lose.
    let all = g.village(v).bps;
    party(&mut g, "Crow", all, &[], "ID");
    let trial = Trial::new(g, move |t: T, mut g| async move {
        tribal_fight(&t, &mut g, (B, &Force::party(p)), &Force::Village(v), false).await;
        g
    })
    .dice("battle, attacker", [9])
    .start();
    let end = trial.over();
    assert_eq!((end.total_bps(v), end.village(v).devastation, vps(&end, B)), (6, 0, 0));
}

/// geronimo 7.34, 5.341
#[test]
fn a_target_is_attacked_once_a_round() {
    let mut g = field();
    for name in ["Miles", "Crook"] {
        column(&mut g, name, "CO", 5);
    }
    let mut trial = us_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("miles attacks southern cheyenne village");
    refused_by(&mut trial, "7.34", "crook attacks southern cheyenne village");
    trial.say("done");
}

/// geronimo 7.4
#[test]
fn an_inactive_tribe_defends_with_all_it_has_and_earns_nothing() {
    let mut g = field();
    column(&mut g, "Terry", "CO", 5);
    let mut trial = us_round(g).dice("battle, US", [0]).dice("battle, Indians", [9]).start();
    // 1-1: the Cheyenne add 1 for the Tribe and 3 for their Chiefs: 13, 3 BPs.
    trial.say("terry attacks southern cheyenne village").say("done");
    let end = trial.over();
    assert_eq!(end.columns[0].bps, 2);
    assert!(end.tally.iter().all(|x| x.vps == 0));
}

/// geronimo 7.32, 5.55
#[test]
fn a_column_that_loses_everything_is_not_asked_for_each_bp() {
    let mut g = field();
    let id = column(&mut g, "Terry", "WY", 7);
    g.column_mut(id).expect("the Column").guns = 2;
    let trial = Trial::new(g, move |t: T, mut g| async move {
        let lost = crate::losses::columns_lose(&t, &mut g, &[id], i32::MAX).await;
        assert_eq!(lost, 7, "Artillery counts only where it is given for a BP");
        g
    })
    .start();
    let end = trial.over();
    assert!(end.columns.is_empty());
    assert_eq!(end.commanders[commander(&end, "Terry").index()], CommanderPlace::Dead);
}

/// geronimo 7.62, 7.8
#[test]
fn a_commander_who_falls_can_still_have_made_a_massacre() {
    let mut g = field();
    let id = column(&mut g, "Chivington", "CO", 1);
    g.column_mut(id).expect("the Column").guns = 3;
    g.fx.springfield = true;
    let v = village(&g, "Southern");
    g.village_mut(v).bps = 1;
    // 9 + 3 guns + 1 = 13: 3[M3].
    let mut trial =
        battle(g, id, Force::Village(v), true, false).dice("battle, US", [9]).dice("battle, Indians", [9]).start();
    trial.say("lose chivington bp");
    let end = trial.over();
    assert!(end.columns.is_empty());
    assert_eq!(end.area(area(&end, "CO")).massacres, 1);
}

/// geronimo 9.2Z, 7.41
#[test]
fn devastation_does_not_break_shaman_medicine() {
    let mut g = field();
    let id = column(&mut g, "Miles", "CO", 5);
    hold(&mut g, "Cheyenne", B);
    let v = village(&g, "Southern");
    let bps = g.village(v).bps;
    party(&mut g, "Southern", bps, &[], "KS");
    g.village_mut(v).shaman_medicine = true;
    let trial = battle(g, id, Force::Village(v), true, false).dice("battle, US", [5]).start();
    let end = trial.over();
    assert!(end.village(v).devastation > 0 && end.village(v).shaman_medicine);
}

/// geronimo 7.64, 9.2R, 9.2W
#[test]
fn a_massacre_ends_peace_policy_and_reform_movement() {
    let after = |policy: bool, reform: bool| {
        let mut g = field();
        (g.fx.peace_policy, g.fx.reform_movement) = (policy, reform);
        let mut run = Trial::new(g, |t: T, mut g: State| async move {
            let at = area(&g, "UT");
            crate::battle::indian_massacre(&t, &mut g, at);
            g
        })
        .start();
        let (story, end) = (run.story().join(" "), run.over());
        assert!(!end.fx.peace_policy && !end.fx.reform_movement);
        ["Peace Policy", "Reform Movement"].map(|what| story.contains(&format!("The {what} is at an end.")))
    };
    for ends in [[true, false], [false, true], [true; 2], [false; 2]] {
        assert_eq!(after(ends[0], ends[1]), ends);
    }
}

/// geronimo 7.8
#[test]
fn the_chiefs_fall_with_their_war_party() {
    let mut g = field();
    let id = column(&mut g, "Miles", "CO", 15);
    hold(&mut g, "Cheyenne", B);
    let p = party(&mut g, "Southern", 2, &["Roman Nose", "Tall Bull"], "CO");
    let trial = battle(g, id, Force::party(p), true, false).dice("battle, US", [9]).dice("battle, Indians", [0]);
    let end = trial.start().over();
    assert!(end.parties.is_empty());
    let killed = ["Roman Nose", "Tall Bull", "Bull Bear"].map(|name| end.chiefs[chief(&end, name).index()].killed);
    assert_eq!(killed, [true, true, false]);
}

/// geronimo 5.55, 7.32
#[test]
fn a_column_gives_one_thing_for_a_lost_bp() {
    for (gives, left) in [("bp", [4, 3, 3]), ("gun", [5, 2, 3]), ("gatling", [5, 3, 2])] {
        let mut g = field();
        let id = column(&mut g, "Terry", "WY", 5);
        let terry = g.column_mut(id).expect("the Column");
        (terry.guns, terry.gatlings) = (3, 3);
        let rule = move |t: T, mut g| async move {
            crate::losses::columns_lose(&t, &mut g, &[id], 1).await;
            g
        };
        let mut run = Trial::new(g, rule).start();
        run.say(&format!("lose terry {gives}"));
        let end = run.over();
        assert_eq!([end.columns[0].bps, end.columns[0].guns, end.columns[0].gatlings], left, "{gives}");
    }
}
