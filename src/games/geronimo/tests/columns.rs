//! Tests of Columns (5.3 to 5.7).

use super::*;
use crate::{
    Order,
    columns::{speed, together},
    order::Target,
    ratings::{Troops, speed_of},
};

/// geronimo 5.32, 5.42, 5.54
#[test]
fn speed_of_miles_and_of_pope() {
    let mut g = field();
    let miles = column(&mut g, "Miles", "CO", 16);
    let pope = column(&mut g, "Pope", "CO", 20);
    for (id, guns, gatlings) in [(miles, 1, 1), (pope, 3, 0)] {
        let k = g.column_mut(id).expect("the Column");
        (k.guns, k.gatlings) = (guns, gatlings);
    }
    assert_eq!(speed(&g, g.column(miles).expect("the Column")), 2);
    assert_eq!(speed(&g, g.column(pope).expect("the Column")), 0);
    assert_eq!((speed_of(16, 1, 3), speed_of(20, 3, -1), speed_of(5, 0, 0), speed_of(6, 0, 0)), (2, 0, 3, 2));
}

/// geronimo 5.33, 5.3, 5.341
#[test]
fn four_players_give_three_column_plays_and_each_column_rests() {
    let mut g = field();
    for name in ["Miles", "Crook", "Terry", "Howard"] {
        column(&mut g, name, "CO", 5);
    }
    let mut trial = us_round(g.clone()).start();
    trial.check_options(40);
    trial.say("column miles moves to arizona");
    refused_by(&mut trial, "5.33", "miles moves to utah");
    trial.say("crook enters fort").say("Terry move to kansas.");
    let end = trial.over();
    let played: Vec<bool> = end.columns.iter().map(|k| k.played_in == 5).collect();
    assert_eq!(played, [true, true, true, false]);
    assert_eq!(end.columns[0].area, area(&end, "AZ"), "Colorado and Arizona touch at the corner");
    // Columns must rest in the next US Round, even across Turns; they are free in the one after
    // that.
    g = end;
    g.us_rounds = 6;
    let mut trial = us_round(g.clone()).start();
    refused_by(&mut trial, "5.33", "miles moves to utah");
    trial.say("howard moves to utah").say("done");
    g = trial.over();
    g.us_rounds = 7;
    us_round(g).start().say("miles moves to utah").say("done");
}

/// geronimo 5.341
#[test]
fn a_column_moves_one_area_and_does_not_attack_afterwards() {
    let mut g = field();
    column(&mut g, "Miles", "CO", 5);
    let mut trial = us_round(g).start();
    refused_by(&mut trial, "5.341", "miles moves to texas");
    refused_by(&mut trial, "5.341", "miles attacks kiowa village");
    trial.say("miles moves to wyoming");
    refused_by(&mut trial, "5.33", "miles attacks arapaho village");
}

/// geronimo 5.34, 5.342, 5.6, 5.61, 5.62, 5.344
#[test]
fn a_column_in_fort_goes_on_patrol_or_is_reinforced() {
    let mut g = field();
    let id = column(&mut g, "Miles", "CO", 15);
    g.column_mut(id).expect("the Column").in_fort = true;
    column(&mut g, "Crook", "CO", 4);
    let mut trial = us_round(g.clone()).start();
    trial.check_options(40);
    refused_by(&mut trial, "5.62", "miles moves to kansas");
    refused_by(&mut trial, "5.62", "miles attacks southern cheyenne village");
    refused_by(&mut trial, "5.342", "reinforce crook with 2");
    refused_by(&mut trial, "5.342", "crook leaves fort");
    refused_by(&mut trial, "5.31", "reinforce miles with 6");
    refused_by(&mut trial, "5.342", "reinforce miles with 0");
    refused_by(&mut trial, "5.342", "reinforce miles with 99999999999");
    trial.say("reinforce miles with 5 bps");
    let now = trial.now();
    assert_eq!((now.reserve.bps, now.columns[0].bps), (25, 20));
    trial.say("done");
    let mut trial = us_round(g).start();
    trial.say("miles leaves fort");
    refused_by(&mut trial, "5.33", "miles attacks southern cheyenne village");
    assert!(!trial.now().columns[0].in_fort);
}

/// geronimo 5.31, 5.343, 5.344, 5.41, 5.52, 5.53
#[test]
fn new_columns_come_from_the_reserve() {
    let mut g = field();
    in_reserve(&mut g, "Miles");
    in_reserve(&mut g, "Pope");
    g.reserve.gatlings = 3;
    let mut trial = us_round(g).start();
    trial.check_options(60);
    refused_by(&mut trial, "5.343", "new column crook with 5 in kansas");
    refused_by(&mut trial, "5.31", "new column miles with 21 in kansas");
    refused_by(&mut trial, "5.31", "new column miles with 0 in kansas");
    refused_by(&mut trial, "5.52", "new column miles with 5 2 guns 2 gatlings in kansas");
    refused_by(&mut trial, "5.343", "new column miles with 5 3 guns in kansas");
    trial.say("new column under nelson miles with 8 bps and 1 gun in wyoming on patrol");
    let why = trial.refused("new column miles with 5 in kansas");
    assert!(why.contains("Miles is not in the Reserve; there: Pope."), "{why}");
    refused_by(&mut trial, "5.33", "miles attacks arapaho village");
    trial.say("new column pope with 20 in KS in fort").say("done");
    let end = trial.over();
    assert_eq!((end.reserve.bps, end.reserve.guns), (2, 1));
    let shape: Vec<_> = end.columns.iter().map(|k| (k.bps, k.guns, k.in_fort, k.played_in)).collect();
    assert_eq!(shape, [(8, 1, false, 5), (20, 0, true, 5)]);
}

/// geronimo 5.341, 5.343
#[test]
fn columns_are_ordered_in_several_wordings() {
    let mut g = field();
    hold(&mut g, "Crow", B);
    column(&mut g, "Miles", "MT", 6);
    in_reserve(&mut g, "Crook");
    (g.reserve.bps, g.reserve.guns) = (10, 2);
    let trial = us_round(g).start();
    for (plain, others) in [
        ("miles moves to idaho", ["move miles to idaho", "column miles goes to idaho"]),
        ("miles attacks crow village", ["attack crow village with miles", "miles atacks crow"]),
        (
            "new column crook with 6 bps 1 gun in utah on patrol",
            ["new column crook in utah with 6 and a gun", "new column crook on patrol in utah, 1 gun, 6 bps"],
        ),
    ] {
        let want = trial.read(plain).expect(plain);
        for words in others {
            assert_eq!(trial.read(words).as_ref(), Ok(&want), "{words}");
        }
    }
    // Nothing that is said counts for nothing.
    for (words, why) in [
        ("new column crook with 6 bps 1 gun 2 guns in utah", "is said before"),
        ("new column crook with 6 bps in utah in fort on patrol", "on patrol"),
        ("miles attacks crow village in utah", "is in Montana, not in Utah"),
    ] {
        let misread = trial.read(words).expect_err(words).to_string();
        assert!(misread.contains(why), "{words}: {misread}");
    }
    let misspelt = trial.read("new column crook with 6 bps 1 gatlngs in utah");
    assert_eq!(misspelt, trial.read("new column crook with 6 bps 1 gatling in utah"));
}

/// geronimo 5.45
#[test]
fn a_column_in_fort_divides() {
    let mut g = field();
    let id = column(&mut g, "Miles", "CO", 9);
    in_reserve(&mut g, "Crook");
    let mut trial = us_round(g.clone()).start();
    refused_by(&mut trial, "5.342", "divide miles into crook with 4");
    let old = g.column_mut(id).expect("the Column");
    (old.in_fort, old.guns) = (true, 1);
    let mut trial = us_round(g).start();
    refused_by(&mut trial, "5.343", "divide miles into crook with 9");
    refused_by(&mut trial, "5.343", "divide miles into terry with 4");
    trial.say("divide miles into crook with 4 and 1 gun").say("done");
    let end = trial.over();
    let shape: Vec<_> = end.columns.iter().map(|k| (k.bps, k.guns, k.in_fort)).collect();
    assert_eq!(shape, [(5, 0, true), (4, 1, false)]);
}

/// geronimo 5.45, 5.33
#[test]
fn a_column_in_fort_divides_into_more_than_two() {
    let mut g = field();
    let id = column(&mut g, "Miles", "CO", 9);
    g.column_mut(id).expect("the Column").in_fort = true;
    for name in ["Crook", "Terry", "Howard"] {
        in_reserve(&mut g, name);
    }
    g.reserve.bps = 0;
    let mut trial = us_round(g.clone()).start();
    trial.say("divide miles into crook with 4");
    // The rest of the Column may only go on dividing; the new Column has been played.
    trial.check_options(40);
    assert!(trial.options().iter().any(|o| o.words == "divide miles into terry with 2 bps"));
    refused_by(&mut trial, "5.33", "miles leaves fort");
    refused_by(&mut trial, "5.33", "crook moves to utah");
    trial.say("divide miles into terry with 3").say("divide miles into howard with 1");
    // Three new Columns are three plays, the limit with four players.
    let end = trial.over();
    let shape: Vec<_> = end.columns.iter().map(|k| (k.bps, k.in_fort, k.played_in)).collect();
    assert_eq!(shape, [(1, true, 5), (4, false, 5), (3, false, 5), (1, false, 5)]);
    // In the next US Round all of them rest.
    g = end;
    (g.us_rounds, g.round) = (6, 3);
    g.reserve.bps = 3;
    in_reserve(&mut g, "Canby");
    refused_by(&mut us_round(g).start(), "5.33", "divide miles into canby with 1");
}

/// geronimo 5.71, 5.72, 5.724
#[test]
fn with_three_players_three_columns_coordinate() {
    let mut g = basic(3);
    (g.phase, g.round, g.us_rounds, g.active) = (Phase::CardPlay, 1, 5, Some(US));
    for name in ["Custer", "Miles", "Terry"] {
        column(&mut g, name, "CO", 5);
    }
    let mut trial = us_round(g).dice("coordination", [9, 9]).any_dice([0, 0]).start();
    trial.check_options(60);
    trial.say("custer with miles and terry attacks southern cheyenne village");
    assert_eq!(
        trial.over().columns.iter().filter(|k| k.played_in == 5).count(),
        3,
        "two in a Round is for single plays"
    );
}

/// geronimo 5.7, 5.71, 5.72, 5.722, 5.724
#[test]
fn the_fastest_attacks_and_others_try_to_join() {
    let mut g = field();
    for (name, bps) in [("Custer", 5), ("Miles", 6), ("Terry", 10), ("Crook", 5)] {
        column(&mut g, name, "CO", bps);
    }
    column(&mut g, "Howard", "KS", 5);
    let mut trial =
        us_round(g.clone()).dice("coordination", [5, 3]).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.check_options(60);
    refused_by(&mut trial, "5.71", "terry with custer attacks southern cheyenne village");
    refused_by(&mut trial, "5.71", "custer with howard attacks southern cheyenne village");
    refused_by(&mut trial, "5.71", "custer with miles and terry and crook attacks southern cheyenne village");
    refused_by(&mut trial, "5.71", "custer with custer attacks southern cheyenne village");
    // Miles has Speed 5, Terry 2: a 5 joins, a 3 does not. A joint attack takes the whole Round.
    trial.say("custer with miles and terry attacks southern cheyenne village").say("separate");
    let end = trial.over();
    let played: Vec<bool> = end.columns.iter().map(|k| k.played_in == 5).collect();
    assert_eq!(played, [true, true, true, false, false]);
    let both = Troops(vec![end.columns[0].id, end.columns[1].id]);
    assert_eq!((both.bps(&end), both.combat(&end), both.aggression(&end)), (11, 3, 4));
    assert_eq!(both.speed(&end), 4, "3 - 2 for 11 BPs, + 3 for the best Pursuit rating");
    // No attack can be coordinated after another play.
    let mut trial = us_round(g).start();
    trial.say("howard moves to nebraska");
    refused_by(&mut trial, "5.724", "custer with miles attacks southern cheyenne village");
}

/// geronimo 5.72, 5.33
#[test]
fn a_column_that_fails_to_coordinate_has_been_played() {
    let mut g = field();
    for name in ["Custer", "Terry", "Howard", "Pope"] {
        column(&mut g, name, "CO", 5);
    }
    let mut trial =
        us_round(g).dice("coordination", [9, 9]).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("custer with howard and terry attacks southern cheyenne village");
    let end = trial.over();
    assert_eq!(end.columns.iter().filter(|k| k.played_in == 5).count(), 3, "three plays, and there are no more");
}

/// geronimo 5.721, 7.51
#[test]
fn indians_may_evade_before_the_others_have_joined() {
    let mut g = field();
    for name in ["Custer", "Miles", "Terry"] {
        column(&mut g, name, "CO", 5);
    }
    hold(&mut g, "Cheyenne", B);
    let mut trial = us_round(g).dice("coordination", [0]).dice("evasion", [1]).start();
    trial.say("custer, miles and terry attack southern cheyenne village");
    trial.check_options(10);
    assert_eq!(trial.asked(), [(B, "evasion")]);
    trial.say("wait").say("evade").say("let go").say("separate");
    let end = trial.over();
    let played: Vec<bool> = end.columns.iter().map(|k| k.played_in == 5).collect();
    assert_eq!(played, [true, true, false], "nobody rolled for Terry");
}

/// geronimo 5.723, 5.724, 5.33
#[test]
fn columns_that_stay_together_operate_alone() {
    let mut g = field();
    for name in ["Custer", "Miles", "Terry"] {
        column(&mut g, name, "CO", 5);
    }
    let mut trial =
        us_round(g).dice("coordination", [0, 9]).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("custer, miles and terry attack southern cheyenne village").say("stay together");
    let mut g = trial.over();
    assert_eq!(together(&g, g.columns[0].id), [g.columns[0].id, g.columns[1].id], "Terry did not join");
    (g.us_rounds, g.round) = (7, 3);
    let mut trial = us_round(g.clone()).start();
    refused_by(&mut trial, "5.723", "custer with terry attacks southern cheyenne village");
    trial.say("terry moves to kansas");
    refused_by(&mut trial, "5.724", "custer attacks southern cheyenne village");
    let mut trial = us_round(g.clone()).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("custer attacks southern cheyenne village");
    assert_eq!(trial.over().columns.iter().filter(|k| k.played_in == 7).count(), 2);
    // A Column that leaves the Area leaves alone; the other becomes an ordinary Column.
    let mut trial = us_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("miles moves to kansas").say("custer attacks southern cheyenne village").say("terry enters fort");
    assert_eq!(trial.over().columns[0].area, area(&basic(4), "CO"));
}

/// geronimo 5.33, 7.1
#[test]
fn hostile_orders_to_columns_are_refused_and_change_nothing() {
    let mut g = field();
    column(&mut g, "Miles", "CO", 5);
    in_reserve(&mut g, "Pope");
    let mut trial = us_round(g).start();
    let miles = || "Miles".to_owned();
    let nobody = || "Nobody".to_owned();
    let village = Target::Village { name: "Southern Cheyenne".into() };
    for order in [
        Order::ColumnAttack { columns: vec![], target: village.clone(), alone: false },
        Order::ColumnAttack { columns: vec![miles(); 900], target: village.clone(), alone: false },
        Order::ColumnAttack { columns: vec![miles(), nobody()], target: village, alone: false },
        Order::ColumnAttack { columns: vec![miles()], target: Target::Mexico {}, alone: false },
        Order::ColumnAttack { columns: vec![miles()], target: Target::Mine { value: i32::MIN }, alone: false },
        Order::ColumnAttack { columns: vec![miles()], target: Target::Party { name: String::new() }, alone: false },
        Order::Move { column: nobody(), to: "Utah".into() },
        Order::Move { column: miles(), to: String::new() },
        Order::Reinforce { column: miles(), bps: i32::MAX },
        Order::NewColumn {
            commander: "Pope".into(),
            bps: 5,
            guns: i32::MAX,
            gatlings: 1,
            area: "Utah".into(),
            fort: true,
        },
        Order::NewColumn {
            commander: "Pope".into(),
            bps: 5,
            guns: 0,
            gatlings: i32::MIN,
            area: "Utah".into(),
            fort: true,
        },
        Order::NewColumn {
            commander: "Pope".into(),
            bps: i32::MIN,
            guns: 0,
            gatlings: 0,
            area: "Utah".into(),
            fort: true,
        },
        Order::NewColumn { commander: "Pope".into(), bps: 5, guns: 0, gatlings: 0, area: "Mexico".into(), fort: true },
        Order::Divide { column: miles(), commander: "Pope".into(), bps: i32::MAX, guns: 0, gatlings: 0 },
        Order::React { columns: vec![], coordinate: true, alone: false },
        Order::List { names: vec![] },
    ] {
        let shown = format!("{order:?}");
        assert!(trial.order(order).is_err(), "{shown}");
    }
    assert_eq!((trial.now().columns.len(), trial.now().reserve.bps), (1, 30));
    for words in
        ["colum", "miles", "miles flies to utah", "attack", "new column", "miles moves to", "", "miles attacks"]
    {
        assert!(trial.read(words).is_err(), "{words}");
    }
}

/// geronimo 5.33, 5.35, 6.1, 7.51
#[test]
fn silence_does_something_legal_that_starts_nothing() {
    let mut g = field();
    column(&mut g, "Miles", "WY", 9);
    hold(&mut g, "Arapaho", B);
    let quiet = |trial: &mut Running| {
        let seen = trial.session.look().expect("the session runs");
        let k = seen.tickets.iter().find(|k| k.required).expect("something is asked");
        let order = k.prompt.at_deadline(&seen.state, k.seat);
        assert!(order.iter().all(|order| k.prompt.check(&seen.state, k.seat, order).is_ok()), "{order:?}");
        order
    };
    assert_eq!(quiet(&mut us_round(g.clone()).start()), Some(Order::Pass {}));
    let mut trial = b_round(g).start();
    assert_eq!(quiet(&mut trial), Some(Order::Pass {}));
    trial.say("arapaho relocate to montana");
    assert_eq!(quiet(&mut trial), Some(Order::Pass {}));
}

/// geronimo 5.723, 5.33, 5.724
#[test]
fn united_columns_may_separate_to_attack() {
    let (mut g, ids) = wyoming();
    g.columns.iter_mut().for_each(|k| k.group = Some(99));
    party(&mut g, "Arapaho", 4, &[], "WY");
    let alone = "custer alone attacks arapaho war party";
    let battle = |g: &State| us_round(g.clone()).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    // It counts as one play, so two more are left, even for a Column that stayed together with
    // Custer.
    let mut trial = battle(&g);
    trial.check_options(60);
    assert!(trial.words().contains(&alone.to_owned()), "{:?}", trial.words());
    assert_eq!(trial.read("attack arapaho war party with custer alone"), trial.read(alone));
    trial.say(alone).say("stand");
    assert!(trial.story().iter().any(|line| line.starts_with("Battle in Wyoming: Custer, 5 BPs")));
    assert_eq!(groups(&trial.now(), &ids), [None, Some(99), Some(99)], "the others stay together");
    refused_by(&mut trial, "5.33", "custer attacks arapaho village");
    refused_by(&mut trial, "5.724", "terry attacks arapaho village");
    trial.say("terry moves to montana").say("done");
    let end = trial.over();
    assert_eq!(ids.map(|id| end.column(id).is_some_and(|k| k.played_in == 5)), [true, true, false]);
    // Without the word "alone" all of them attack, and the attack takes the whole Round.
    let mut trial = battle(&g);
    trial.say("custer attacks arapaho war party").say("stand");
    assert!(trial.story().iter().any(|line| line.contains("15 BPs")));
    assert_eq!(groups(&trial.over(), &ids), [Some(99); 3]);
    // A Column that has not combined with another is always alone.
    g.columns.iter_mut().for_each(|k| k.group = None);
    let mut trial = us_round(g).start();
    refused_by(&mut trial, "5.723", alone);
    assert!(trial.words().iter().all(|words| !words.contains("alone")));
}

/// geronimo 5.723, 5.724, 5.6
#[test]
fn united_columns_enter_and_leave_the_fort_as_one() {
    let (mut g, ids) = wyoming();
    g.columns.iter_mut().for_each(|k| k.group = Some(99));
    let now = |g: &State| ids.map(|id| g.column(id).map(|k| (k.in_fort, k.group)));
    let mut trial = us_round(g).start();
    trial.check_options(60);
    let mut g = trial.say("custer enters fort").over();
    assert_eq!(now(&g), [Some((true, Some(99))); 3]);
    (g.us_rounds, g.round, g.reserve.bps) = (7, 3, 9);
    let all = us_round(g.clone()).start().say("terry leaves fort").over();
    assert_eq!(now(&all), [Some((false, Some(99))); 3]);
    let mut trial = us_round(g.clone()).start();
    trial.check_options(60);
    trial.say("custer alone leaves fort");
    refused_by(&mut trial, "5.724", "miles leaves fort");
    let end = trial.say("reinforce miles with 3").say("done").over();
    assert_eq!(now(&end), [false, true, true].map(|inside| Some((inside, None))));
}

/// geronimo 5.723, 5.724, 5.71
#[test]
fn a_united_column_joins_no_attack_without_the_others() {
    let (mut g, ids) = wyoming();
    for &id in &ids[1..] {
        g.column_mut(id).expect("just placed").group = Some(99);
    }
    for words in ["custer with miles attacks arapaho village", "custer with miles and terry attacks arapaho village"] {
        refused_by(&mut us_round(g.clone()).start(), "5.723", words);
    }
    let mut trial = us_round(g).dice("coordination", [0]).any_dice([0; 2]).start();
    trial.say("custer with miles alone attacks arapaho village").say("wait").say("stand").say("separate");
    let end = trial.over();
    assert_eq!(groups(&end, &ids), [None; 3]);
    assert_eq!(ids.map(|id| end.column(id).is_some_and(|k| k.played_in == 5)), [true, false, true]);
}

/// geronimo 5.723, 5.71, 5.72
#[test]
fn columns_that_separate_may_try_to_coordinate_again() {
    let (mut g, ids) = wyoming();
    for &id in &ids[..2] {
        g.column_mut(id).expect("just placed").group = Some(99);
    }
    let mut trial = us_round(g).dice("coordination", [9, 0]).any_dice([0; 2]).start();
    refused_by(&mut trial, "5.723", "custer with miles attacks arapaho village");
    trial.say("custer with terry and miles alone attacks arapaho village");
    trial.say("wait").say("wait").say("stand").say("stay together");
    let end = trial.over();
    let now = groups(&end, &ids);
    assert!(now[0].is_some() && now[0] == now[2] && now[1].is_none(), "Terry did not join: {now:?}");
    assert!(end.columns.iter().all(|k| k.played_in == 5));
}
