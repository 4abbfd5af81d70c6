//! Tests of Reaction (5.35, 5.351, 5.36).

use super::*;
use crate::{Order, reaction::Action};

fn arapaho_near_sheridan() -> State {
    let mut g = field();
    column(&mut g, "Sheridan", "CO", 13);
    hold(&mut g, "Arapaho", B);
    mine(&mut g, "WY", 2);
    g
}

/// geronimo 5.351
#[test]
fn sheridan_reacts_by_telegraph_with_one_more_on_the_die() {
    let attack = "arapaho war party of 4 attacks mine in wyoming";
    let mut trial = b_round(arapaho_near_sheridan()).dice("resource attack", [9]).dice("reaction", [3]).start();
    trial.say(attack);
    assert_eq!(trial.asked(), [(US, "reaction")]);
    assert!(trial.reads().lines.iter().any(|line| line.contains("reacts on 2 or less")));
    trial.check_options(10);
    for words in ["no reaction", "no reac", "no", "pass"] {
        assert_eq!(trial.read(words), Ok(Order::Pass {}), "{words}");
    }
    trial.say("react sheridan").say("stay");
    let end = trial.over();
    assert_eq!(end.columns[0].area, area(&end, "CO"), "3 + 1 is more than Speed 3");
    let mut trial = b_round(arapaho_near_sheridan())
        .dice("resource attack", [9])
        .dice("reaction", [2])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .start();
    trial.say(attack).say("react with column sheridan").say("stand").say("stay");
    let end = trial.over();
    assert_eq!(end.columns[0].area, area(&end, "WY"));
    assert!(!end.columns[0].in_fort && end.columns[0].played_in == 0, "On Patrol, and free for the next US Round");
}

/// geronimo 5.351, 5.35
#[test]
fn without_the_telegraph_only_columns_of_the_area_react() {
    let mut g = arapaho_near_sheridan();
    g.fx.telegraph = false;
    let mut trial = b_round(g).dice("resource attack", [9]).start();
    trial.say("arapaho war party of 4 attacks mine in wyoming");
    assert_eq!(trial.asked(), [(B, "post-action")]);
    assert!(trial.reads().lines.contains(&"No Column can react to its return.".to_owned()));
}

/// geronimo 6.35, 5.351
#[test]
fn whether_to_go_home_names_the_columns_that_can_react() {
    let mut trial = b_round(arapaho_near_sheridan()).dice("resource attack", [9]).start();
    trial.say("arapaho war party of 4 attacks mine in wyoming").say("no reaction");
    assert_eq!(trial.asked(), [(B, "post-action")]);
    let said = trial.reads().lines.join(" ");
    assert!(said.contains("To its return can react, on a Reaction DR: Sheridan on 2 or less."), "{said}");
}

/// geronimo 5.35, 7.34
#[test]
fn a_war_party_that_has_attacked_a_column_can_be_reacted_to() {
    let mut g = field();
    let id = column(&mut g, "Miles", "WY", 10);
    g.column_mut(id).expect("the Column").played_in = 5;
    hold(&mut g, "Arapaho", B);
    let mut trial = b_round(g).dice("battle, US", [0, 9]).dice("battle, Indians", [0, 0]).dice("reaction", [0]).start();
    trial.say("arapaho war party of 9 attacks column miles in wyoming");
    assert_eq!(trial.asked(), [(US, "reaction")], "also Columns that were played may react");
    trial.say("react miles").say("stand").say("stay");
    // 10 to 9 is 3-2: 9 + 1 + 2 for Miles = 12: 3 BPs, worth a VP.
    let end = trial.over();
    assert_eq!((end.parties[0].bps, vps(&end, US)), (6, 1));
}

/// geronimo 5.35
#[test]
fn nobody_reacts_to_battles_among_indians_nor_to_raids() {
    let mut g = field();
    column(&mut g, "Miles", "WY", 5);
    hold(&mut g, "Arapaho", B);
    party(&mut g, "Crow", 2, &[], "WY");
    let mut trial = b_round(g.clone()).dice("battle, attacker", [0]).dice("battle, defender", [0]).start();
    trial.say("arapaho war party of 5 attacks crow war party in wyoming");
    assert_eq!(trial.asked(), [(B, "post-action")]);
    // The return may be reacted to.
    trial.say("return");
    assert_eq!(trial.asked(), [(US, "reaction")]);
    mine(&mut g, "WY", 2);
    let mut trial = b_after(g, After::Raid { any_tribe: false }).dice("raid", [9]).start();
    trial.say("arapaho raid mine in wyoming");
    trial.over();
}

/// geronimo 5.35, 5.71, 5.72
#[test]
fn several_columns_try_and_may_coordinate() {
    let mut g = field();
    for name in ["Custer", "Miles", "Terry"] {
        column(&mut g, name, "WY", 5);
    }
    let fort = column(&mut g, "Howard", "WY", 5);
    g.column_mut(fort).expect("the Column").in_fort = true;
    column(&mut g, "Pope", "TX", 5);
    hold(&mut g, "Arapaho", B);
    mine(&mut g, "WY", 2);
    let attack = "arapaho war party of 4 attacks mine in wyoming";
    let mut trial = b_round(g.clone())
        .dice("resource attack", [9])
        .dice("reaction", [9, 0])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .start();
    trial.say(attack);
    trial.check_options(10);
    refused_by(&mut trial, "5.35", "react howard");
    refused_by(&mut trial, "5.35", "react pope");
    refused_by(&mut trial, "5.35", "react miles, miles");
    // Terry fails and Miles reacts, so Custer does not roll.
    trial.say("react terry, miles and custer").say("stand").say("stay");
    trial.over();
    // Together: Custer and Miles react, Terry does not; Miles then tries to join Custer.
    let mut trial = b_round(g)
        .dice("resource attack", [9])
        .dice("reaction", [0, 0, 9])
        .dice("coordination", [0])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .start();
    trial.say(attack).say("react custer miles terry together").say("wait").say("stand").say("separate").say("stay");
    assert!(trial.story().iter().any(|line| line.contains("Miles joins the attack")));
    trial.over();
}

/// geronimo 5.36, 5.35, 6.2
#[test]
fn a_relocation_is_stopped_only_by_greater_losses() {
    let mut g = field();
    column(&mut g, "Miles", "WY", 9);
    hold(&mut g, "Arapaho", B);
    let with = |us: i64, indians: i64| {
        let mut trial = b_round(g.clone())
            .dice("reaction", [0])
            .dice("battle, US", [us])
            .dice("battle, Indians", [indians])
            .start();
        trial.say("arapaho relocate to montana").say("react miles").say("stand");
        trial.over()
    };
    // 9 to 9, Miles 2: 9 + 2 = 11 costs a BP and a Devastated -1; the Indians roll 0 + 1 for their
    // Battle rating.
    let end = with(9, 0);
    let v = village(&end, "Arapaho");
    assert_eq!((end.area_of(v), end.village(v).bps, end.village(v).devastation), (Some(area(&end, "WY")), 8, 1));
    assert_eq!((end.village(v).actions, vps(&end, US)), (1, 0), "no VP against a Village (10.11)");
    let end = with(3, 4);
    assert_eq!(end.area_of(v), Some(area(&end, "MT")), "one BP each: it gets through");
    assert_eq!((end.village(v).bps, end.columns[0].bps), (8, 8));
}

/// geronimo 5.723, 5.35, 5.32
#[test]
fn columns_that_stay_together_react_as_one() {
    let mut g = field();
    for name in ["Custer", "Terry"] {
        let id = column(&mut g, name, "WY", 5);
        g.column_mut(id).expect("the Column").group = Some(99);
    }
    hold(&mut g, "Arapaho", B);
    mine(&mut g, "WY", 2);
    let attack = "arapaho war party of 4 attacks mine in wyoming";
    // Custer alone has Speed 6; with 10 BPs together the Columns have Speed 5.
    let mut trial = b_round(g.clone()).dice("resource attack", [9]).dice("reaction", [6]).start();
    trial.say(attack).say("react custer, terry").say("stay");
    trial.over();
    let mut trial = b_round(g)
        .dice("resource attack", [9])
        .dice("reaction", [5])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .start();
    trial.say(attack).say("react custer").say("stand").say("stay");
    assert!(trial.story().iter().any(|line| line.contains("Custer and Terry, 10 BPs")));
    trial.over();
}

/// geronimo 5.35
#[test]
fn hostile_reactions_are_refused() {
    use crate::Order;
    let mut g = field();
    column(&mut g, "Miles", "WY", 5);
    hold(&mut g, "Arapaho", B);
    let mut trial = b_round(g).start();
    trial.say("arapaho relocate to montana");
    for columns in [vec!["Nobody".to_owned()], vec!["Miles".to_owned(); 4000], vec![String::new()]] {
        for coordinate in [false, true] {
            assert!(trial.order(Order::React { columns: columns.clone(), coordinate, alone: false }).is_err());
        }
    }
    for words in ["", "react", "react nobody", "miles", "react miles quickly"] {
        assert!(trial.read(words).is_err(), "{words}");
    }
    let miles = trial.read("react miles").expect("plain");
    for words in ["React with column Miles.", "react nelson miles", "react nelson mils"] {
        assert_eq!(trial.read(words).as_ref(), Ok(&miles), "{words}");
    }
    trial.say("no");
    trial.over();
}

/// geronimo 5.35, 5.36
#[test]
fn a_village_on_the_move_is_met_where_the_column_is() {
    let mut g = field();
    g.fx.telegraph = false;
    column(&mut g, "Miles", "KS", 5);
    hold(&mut g, "Cheyenne", B);
    let (v, ks) = (village(&g, "Southern"), area(&g, "KS"));
    let moved = |us: i64| {
        let mut trial =
            b_round(g.clone()).dice("reaction", [0]).dice("battle, US", [us]).dice("battle, Indians", [0]).start();
        trial.say("southern cheyenne relocate to kansas").say("react miles").say("stand");
        let story = trial.story();
        assert!(story.iter().any(|line| line.starts_with("Battle in Kansas")), "{story:?}");
        trial.over().area_of(v)
    };
    assert_eq!(moved(0), Some(ks));
    assert_eq!(moved(9), Some(ks), "it lost more, but it comes in: who leaves would be turned back");
}

/// geronimo 5.35, 5.3
#[test]
fn nobody_reacts_in_a_us_round() {
    let mut g = field();
    column(&mut g, "Miles", "WY", 5);
    hold(&mut g, "Arapaho", B);
    let v = village(&g, "Arapaho");
    party(&mut g, "Arapaho", 3, &[], "WY");
    let recalled = |mut g: State, active| {
        g.active = Some(active);
        Trial::new(g, move |t: T, mut g| async move {
            crate::indian::finish(&t, &mut g, &mut Action::default(), v).await;
            g
        })
        .start()
    };
    assert_eq!(recalled(g.clone(), C).asked(), [(US, "reaction")]);
    assert!(recalled(g, US).over().parties.is_empty());
}

/// geronimo 7.34, 5.723
#[test]
fn columns_that_stay_together_are_one_target() {
    let mut g = field();
    for name in ["Miles", "Crook"] {
        let id = column(&mut g, name, "WY", 5);
        g.column_mut(id).expect("the Column").group = Some(99);
    }
    hold(&mut g, "Arapaho", B);
    g.fx.rampage = true;
    let mut trial = b_round(g).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
    trial.say("arapaho war party of 9 attacks column crook in wyoming");
    assert_eq!(trial.asked(), [(US, "reaction")], "Wyoming has no second target for the Rampage");
}

/// geronimo 5.723, 5.35
#[test]
fn united_columns_may_separate_to_react() {
    let attack = "arapaho war party of 4 attacks mine in wyoming";
    let (mut g, ids) = wyoming();
    g.columns.iter_mut().for_each(|k| k.group = Some(99));
    // Custer's 5 BPs alone have Speed 6; the 15 BPs of all three are slower.
    let mut trial = b_round(g.clone())
        .dice("resource attack", [9])
        .dice("reaction", [6])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .start();
    trial.say(attack);
    trial.check_options(20);
    assert!(trial.words().contains(&"react custer alone".to_owned()));
    trial.say("react custer alone").say("stand").say("stay");
    assert!(trial.story().iter().any(|line| line.starts_with("Battle in Wyoming: Custer, 5 BPs")));
    assert_eq!(groups(&trial.over(), &ids), [None, Some(99), Some(99)], "the others stay together");
    // They react one after the other, each alone; the one left over is in no group.
    let mut trial = b_round(g.clone()).dice("resource attack", [9]).dice("reaction", [9, 9]).start();
    trial.say(attack).say("react custer, terry alone").say("stay");
    let end = trial.over();
    assert!(end.columns.iter().all(|k| k.group.is_none() && k.bps == 5));
    // If they stay together, all 15 BPs try as one.
    let mut trial = b_round(g.clone()).dice("resource attack", [9]).dice("reaction", [9]).start();
    trial.say(attack).say("react custer, terry").say("stay");
    assert!(trial.over().columns.iter().all(|k| k.group == Some(99)));
    g.columns.iter_mut().for_each(|k| k.group = None);
    let mut trial = b_round(g).dice("resource attack", [9]).start();
    trial.say(attack);
    refused_by(&mut trial, "5.723", "react custer alone");
}

/// Plays an attack of the Arapaho on the Mine in Wyoming, with dice for two Columns that react and
/// coordinate.
fn attacked(g: &State) -> Running {
    let mut trial = b_round(g.clone())
        .dice("resource attack", [9])
        .dice("reaction", [0, 0])
        .dice("coordination", [0])
        .dice("battle, US", [0])
        .dice("battle, Indians", [0])
        .start();
    trial.say("arapaho war party of 4 attacks mine in wyoming");
    trial
}

/// geronimo 5.723, 5.35, 5.71
#[test]
fn columns_that_coordinated_a_reaction_may_stay_together() {
    let (g, ids) = wyoming();
    let reacted = || {
        let mut trial = attacked(&g);
        trial.say("react custer, terry together").say("wait").say("stand");
        trial
    };
    let mut trial = reacted();
    assert_eq!(trial.asked(), [(US, "group")]);
    trial.check_options(5);
    trial.say("stay together").say("stay");
    let united = trial.over();
    let now = groups(&united, &ids);
    assert!(now[0].is_some() && now[0] == now[1] && now[2].is_none(), "{now:?}");
    assert_eq!(groups(&reacted().say("separate").say("stay").over(), &ids), [None; 3]);

    // Two combined Columns count as two of the three that can coordinate; with a third, either all
    // stay together or all separate.
    let mut g = united;
    let crook = column(&mut g, "Crook", "WY", 5);
    for party in g.parties.iter().map(|p| p.id).collect::<Vec<_>>() {
        g.bring_home(party);
    }
    for v in g.village_ids().collect::<Vec<_>>() {
        (g.village_mut(v).actions, g.village_mut(v).finished) = (0, false);
        (g.village_mut(v).party_returned, g.village_mut(v).parties_sent) = (false, 0);
    }
    g.round += 1;
    let mut trial = attacked(&g);
    trial.check_options(10);
    refused_by(&mut trial, "5.71", "react custer, miles, crook together");
    trial.say("react custer, miles together").say("wait").say("stand");
    assert_eq!(trial.asked(), [(US, "group")]);
    trial.say("separate").say("stay");
    let end = trial.over();
    assert_eq!(groups(&end, &ids), [None; 3]);
    assert_eq!(groups(&end, &[crook]), [None]);
}

/// geronimo 5.723, 5.35, 5.71, 5.72
#[test]
fn united_columns_join_a_reaction_as_one() {
    let (mut g, ids) = wyoming();
    for &id in &ids[1..] {
        g.column_mut(id).expect("just placed").group = Some(99);
    }
    // Miles alone has Speed 6; with the 5 BPs of Terry it is 5.
    let joins = |words: &str, reaction: i64, dr: i64| {
        let mut trial = b_round(g.clone())
            .dice("resource attack", [9])
            .dice("reaction", [0, reaction])
            .dice("coordination", [dr])
            .dice("battle, US", [0])
            .dice("battle, Indians", [0])
            .start();
        trial.say("arapaho war party of 4 attacks mine in wyoming").say(words).say("wait").say("stand");
        trial
    };
    for words in ["react custer, miles together", "react custer, miles, terry together"] {
        let mut trial = joins(words, 5, 5);
        assert!(trial.story().iter().any(|line| line.contains("15 BPs")), "{words}: {:?}", trial.story());
        trial.say("stay together").say("stay");
        let now = groups(&trial.over(), &ids);
        assert!(now[0].is_some() && now.iter().all(|group| *group == now[0]), "{words}: {now:?}");
    }
    let mut trial = joins("react custer, miles together", 5, 6);
    assert!(trial.story().iter().any(|line| line.starts_with("Battle in Wyoming: Custer, 5 BPs")));
    trial.say("stay");
    assert_eq!(groups(&trial.over(), &ids), [None, Some(99), Some(99)]);
}

/// geronimo 5.35, 6.32, 9.2AA
#[test]
fn each_column_tries_once_against_two_war_parties_of_one_village() {
    let mut g = field();
    column(&mut g, "Miles", "CO", 5);
    hold(&mut g, "Cheyenne", B);
    for chief in ["Bull Bear", "Roman Nose"] {
        party(&mut g, "Southern", 2, &[chief], "CO");
    }
    let v = village(&g, "Southern");
    let rule = move |t: T, mut g: State| async move {
        crate::indian::finish(&t, &mut g, &mut Action::default(), v).await;
        g
    };
    let mut trial = Trial::new(g, rule).dice("reaction", [9]).start();
    trial.say("react miles");
    assert!(trial.over().parties.is_empty());
}

/// geronimo 5.71, 5.35
#[test]
fn columns_elsewhere_do_not_coordinate_a_reaction() {
    for (areas, may) in [(["WY", "WY"], true), (["WY", "CO"], false), (["CO", "CO"], false)] {
        let mut g = field();
        for (name, code) in ["Custer", "Miles"].into_iter().zip(areas) {
            column(&mut g, name, code, 5);
        }
        g.fx.telegraph = true;
        hold(&mut g, "Arapaho", B);
        mine(&mut g, "WY", 2);
        let mut run = b_round(g).dice("resource attack", [9]).any_dice([9; 4]).start();
        run.say("arapaho war party of 4 attacks mine in wyoming");
        match may {
            true => _ = run.say("react custer, miles together"),
            false => refused_by(&mut run, "5.71", "react custer, miles together"),
        }
    }
}
