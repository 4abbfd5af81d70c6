//! Tests of War Parties and their attacks on Resources (6.1, 6.3, 6.8, 7.1, 7.2).

use super::*;
use crate::{Order, order::Target, village_action::VillageAction};

fn cheyenne() -> State {
    let mut g = field();
    hold(&mut g, "Cheyenne", B);
    let v = village(&g, "Southern");
    g.village_mut(v).bps = 6;
    mine(&mut g, "CO", 3);
    g
}

/// geronimo 6.32, 6.31, 6.35
#[test]
fn two_war_parties_of_the_southern_cheyenne() {
    let mut trial = b_round(cheyenne()).dice("resource attack", [9]).start();
    trial.check_options(40);
    refused_by(&mut trial, "6.31", "southern cheyenne war party of 7 with bull bear attacks mine in colorado");
    refused_by(&mut trial, "6.31", "southern cheyenne war party of 0 with bull bear attacks mine in colorado");
    trial.say("war party of 3 with bull bear attacks mine in colorado").say("stay");
    let mut g = trial.over();
    g.round = 2;
    let mut trial = b_round(g).dice("resource attack", [9]).start();
    refused_by(&mut trial, "6.32", "southern cheyenne war party of 2 attacks settlement in colorado");
    trial.say("southern cheyenne war party of 2 with roman nose attacks settlement in co");
    let end = trial.over();
    let v = village(&end, "Southern");
    assert_eq!(end.village(v).bps, 6, "its second action: all are home again");
    assert!(end.village(v).finished && end.parties.is_empty());
    // While both are out, one BP and Tall Bull are left.
    let mut g = cheyenne();
    party(&mut g, "Southern", 3, &["Bull Bear"], "CO");
    party(&mut g, "Southern", 2, &["Roman Nose"], "CO");
    assert_eq!(g.village(v).bps, 1);
    assert!(g.chiefs_at(v).eq([chief(&g, "Tall Bull")]));
    let mut trial = b_round(g).start();
    refused_by(&mut trial, "6.32", "southern cheyenne war party of 1 with tall bull attacks mine in colorado");
}

/// geronimo 6.32
#[test]
fn no_second_war_party_when_the_first_is_home_or_there_is_one_chief() {
    let mut g = cheyenne();
    let p = party(&mut g, "Southern", 3, &["Bull Bear"], "CO");
    g.bring_home(p);
    let mut trial = b_round(g).start();
    refused_by(&mut trial, "6.32", "southern cheyenne war party of 2 with roman nose attacks mine in colorado");
    let mut g = field();
    hold(&mut g, "Arapaho", B);
    mine(&mut g, "WY", 2);
    party(&mut g, "Arapaho", 3, &[], "WY");
    let mut trial = b_round(g).start();
    refused_by(&mut trial, "6.32", "arapaho war party of 2 with black bear attacks mine in wyoming");
}

/// geronimo 6.32
#[test]
fn a_second_war_party_goes_when_the_first_fell_with_its_chief() {
    let mut g = cheyenne();
    mine(&mut g, "WY", 2);
    let v = village(&g, "Northern");
    party(&mut g, "Northern", 2, &["Little Wolf"], "WY");
    g.parties.clear();
    let fallen = chief(&g, "Little Wolf").index();
    (g.chiefs[fallen].killed, g.chiefs[fallen].with) = (true, None);
    g.village_mut(v).actions = 1;
    assert_eq!(g.chiefs_of(v).count(), 1, "Dull Knife alone is left");
    let mut trial = b_round(g).dice("resource attack", [9]).start();
    trial.say("northern cheyenne war party of 2 with dull knife attacks mine in wyoming");
    assert!(trial.over().village(v).finished);
}

/// geronimo 6.32
#[test]
fn the_first_war_party_must_have_been_sent_with_a_chief() {
    let mut g = cheyenne();
    let v = village(&g, "Southern");
    let second = "southern cheyenne war party of 2 with roman nose attacks mine in colorado";
    let may = |g: &State| b_round(g.clone()).any_dice([9]).start().try_say(second).is_ok();
    // Its Chief has fallen, and the War Party is still out.
    let mut fell = g.clone();
    party(&mut fell, "Southern", 2, &["Bull Bear"], "CO");
    fell.village_mut(v).actions = 1;
    assert!(may(&fell));
    let bear = chief(&fell, "Bull Bear").index();
    (fell.chiefs[bear].killed, fell.chiefs[bear].with) = (true, None);
    fell.parties[0].chiefs.clear();
    assert!(may(&fell));
    // It was sent without a Chief and is eliminated.
    party(&mut g, "Southern", 2, &[], "CO");
    g.village_mut(v).actions = 1;
    assert!(!may(&g));
    g.parties.clear();
    assert!(!may(&g));
}

/// geronimo 6.33, 7.1, 5.62
#[test]
fn targets_of_war_parties() {
    let mut g = field();
    hold(&mut g, "Arapaho", B);
    let fort = column(&mut g, "Miles", "MT", 5);
    g.column_mut(fort).expect("the Column").in_fort = true;
    party(&mut g, "Northern", 2, &[], "MT");
    party(&mut g, "Blackfoot", 1, &[], "MT");
    let mut trial = b_round(g.clone()).start();
    refused_by(&mut trial, "6.33", "arapaho war party of 3 attacks blackfoot village in montana");
    refused_by(&mut trial, "6.33", "arapaho war party of 3 attacks northern cheyenne war party in montana");
    refused_by(&mut trial, "5.62", "arapaho war party of 3 attacks column miles in montana");
    refused_by(&mut trial, "7.22", "arapaho war party of 3 attacks town in montana");
    let legal = |g: &State, target: &str| {
        let mut trial = b_round(g.clone()).dice("battle, attacker", [0]).dice("battle, defender", [0]).start();
        trial.say(&format!("arapaho war party of 3 attacks {target} in montana"));
        trial.asked().len() == 1
    };
    assert!(legal(&g, "crow village"), "an Enemy");
    assert!(legal(&g, "blackfoot war party"), "no Friend");
    let (v, by) = (village(&g, "Arapaho"), tribe(&g, "Blackfoot"));
    g.village_mut(v).attacked_by.insert(by);
    assert!(legal(&g, "blackfoot village"), "they attacked first");
}

/// geronimo 6.36, 7.21
#[test]
fn war_parties_stay_within_two_areas() {
    let mut g = field();
    hold(&mut g, "Apache", B);
    mine(&mut g, "SD", 3);
    mine(&mut g, "AZ", 3);
    let mut trial = b_round(g.clone()).start();
    refused_by(&mut trial, "6.36", "chiricahua war party of 4 attacks mine in south dakota");
    refused_by(&mut trial, "6.36", "chiricahua war party of 4 attacks town in texas");
    for place in ["Mexico", "Canada", "Ohio", ""] {
        let order = Order::WarParty {
            village: "Chiricahua Apache".into(),
            bps: 4,
            chiefs: vec![],
            area: place.into(),
            target: Target::Mine { value: 3 },
        };
        assert!(trial.order(order).is_err(), "{place}");
    }
    // A War Party that is out moves by one Area and stays within two Areas of its Village.
    assert_eq!(g.c.distance(area(&g, "AZ"), area(&g, "SD")), Some(3));
    party(&mut g, "Chiricahua", 4, &[], "CO");
    let mut trial = b_round(g).dice("resource attack", [9]).start();
    refused_by(&mut trial, "6.36", "chiricahua war party attacks mine in south dakota");
    refused_by(&mut trial, "6.36", "chiricahua war party attacks settlement in oregon");
    trial.say("chiricahua war party attacks settlement in kansas");
    assert_eq!(trial.now().parties[0].area, area(&basic(4), "KS"));
}

/// geronimo 6.36, 6.72, 7.21
#[test]
fn by_the_historical_range_war_parties_stay_next_to_their_village() {
    let mut g = field();
    g.variant.historical_range = true;
    hold(&mut g, "Apache", B);
    // A War Party in Colorado, next to Arizona; Kansas would be the second Area.
    party(&mut g, "Chiricahua", 4, &[], "CO");
    let mut trial = b_round(g.clone()).dice("resource attack", [9]).start();
    trial.check_options(40);
    let why = trial.refused("chiricahua war party attacks settlement in kansas");
    assert!(why.contains("Kansas is not adjacent to the Village in Arizona") && why.ends_with("(6.36)"), "{why}");
    assert!(!trial.options().iter().any(|o| o.words.contains("kansas")));
    let seen = |g: &State| {
        let view = view::view(g, Some(B));
        let reach = view["you"]["reach"].as_array().expect("what is in reach").clone();
        reach.iter().any(|r| r["area"] == "Kansas")
    };
    assert!(!seen(&g));
    assert!(legal::faults(&g).is_empty());
    // An Area next to its Village is still within range.
    trial.say("chiricahua war party attacks settlement in utah");
    assert_eq!(trial.now().parties[0].area, area(&basic(4), "UT"));
    // Without the option the usual range applies.
    g.variant.historical_range = false;
    assert!(seen(&g));
    b_round(g.clone()).dice("resource attack", [9]).start().say("chiricahua war party attacks settlement in kansas");
    // A War Party can be three Areas from home only during a Relocation, and not even then with the
    // historical range.
    g.parties[0].area = area(&g, "SD");
    assert!(legal::faults(&g).is_empty());
    g.variant.historical_range = true;
    assert!(legal::faults(&g)[0].contains("6.36"));
}

/// geronimo 6.3, 6.34, 6.35, 6.8
#[test]
fn a_second_action_brings_the_war_party_home() {
    let mut g = cheyenne();
    let v = village(&g, "Southern");
    let mut trial = b_round(g).dice("resource attack", [9]).start();
    trial.say("southern cheyenne war party of 4 attacks settlement in colorado");
    assert_eq!(trial.asked(), [(B, "post-action")]);
    trial.check_options(5);
    trial.say("stay");
    g = trial.over();
    assert!(!g.village(v).finished && g.parties[0].actions == 1);
    g.round = 2;
    let mut trial = b_round(g.clone()).dice("resource attack", [9]).start();
    trial.say("southern cheyenne war party attacks settlement in colorado");
    let end = trial.over();
    assert!(end.village(v).finished && end.parties.is_empty() && end.village(v).bps == 6);
    // The same applies if the Village itself takes the second action.
    let mut trial = b_round(g).start();
    trial.say("southern cheyenne relocate to utah");
    let mut end = trial.over();
    assert!(end.village(v).finished && end.parties.is_empty());
    end.round = 3;
    // It has taken both its actions, and so it is Finished even if nothing else says so.
    assert_eq!(end.village(v).actions, 2);
    end.village_mut(v).finished = false;
    let mut trial = b_round(end).start();
    refused_by(&mut trial, "6.8", "southern cheyenne relocate to colorado");
    trial.say("pass");
}

/// geronimo 6.35, 6.8
#[test]
fn going_home_early_finishes_the_village() {
    let mut trial = b_round(cheyenne()).dice("resource attack", [9]).start();
    trial.say("southern cheyenne war party of 4 attacks settlement in colorado").say("return");
    let end = trial.over();
    assert!(end.village(village(&end, "Southern")).finished && end.parties.is_empty());
}

/// geronimo 7.25, 7.23, 7.24, 7.26
#[test]
fn geronimo_attacks_a_mine() {
    let mut g = field();
    g.turn = 6;
    hold(&mut g, "Apache", B);
    mine(&mut g, "AZ", 3);
    let mut trial = b_round(g).dice("resource attack", [5]).start();
    trial.say("war party of 4 with geronimo attacks mine in arizona");
    assert!(trial.story().iter().any(|line| line.contains("needed 6 or less")));
    trial.say("stay");
    let mut g = trial.over();
    let az = area(&g, "AZ");
    assert_eq!((vps(&g, B), g.area(az).massacres, g.area(az).mines[0].hit), (3, 0, true));
    assert_eq!(g.resource_points(az), 1 + 3, "a Mine that was hit still counts");
    g.round = 2;
    let mut trial = b_round(g).start();
    refused_by(&mut trial, "7.22", "chiricahua war party attacks 3 mine in arizona");
}

/// geronimo 7.25, 7.24, 7.2
#[test]
fn inkpaduta_attacks_a_town() {
    let mut g = field();
    hold(&mut g, "Sioux", B);
    let v = village(&g, "Santee");
    g.village_mut(v).place = crate::state::Place::Area(area(&g, "MN"));
    g.village_mut(v).bps = 7;
    let run = |massacre: i64| {
        let mut trial = b_round(g.clone()).dice("resource attack", [2]).dice("massacre", [massacre]).start();
        trial.say("santee war party of 7 with inkpaduta attacks town in minnesota").say("stay");
        trial.over()
    };
    let end = run(3);
    let mn = area(&end, "MN");
    assert_eq!((vps(&end, B), end.area(mn).towns, end.area(mn).settlements, end.area(mn).massacres), (5, 1, 3, 1));
    assert!(end.fx.indian_massacre);
    assert_eq!(run(4).area(mn).massacres, 0);
    let mut trial = b_round(g).dice("resource attack", [4]).start();
    trial.say("santee war party of 7 with inkpaduta attacks town in minnesota").say("stay");
    assert_eq!(vps(&trial.over(), B), 0, "4 + 5 is more than 8");
    assert!(trial.story().iter().any(|line| line.ends_with("DR 4 + 5 = 9, needed 8 or less: it fails.")));
}

/// geronimo 7.24, 7.22, 7.26
#[test]
fn settlements_go_and_rrs_break() {
    let mut g = field();
    hold(&mut g, "Cheyenne", B);
    let co = area(&g, "CO");
    g.area_mut(co).rrs = 1;
    let mut trial = b_round(g.clone()).dice("resource attack", [5]).start();
    trial.say("southern cheyenne war party of 5 attacks rr in colorado").say("stay");
    let mut end = trial.over();
    assert_eq!((vps(&end, B), end.area(co).rrs, end.area(co).broke), (2, 0, 1));
    end.round = 2;
    let mut trial = b_round(end).start();
    refused_by(&mut trial, "7.22", "southern cheyenne war party attacks railroad in colorado");
    let mut trial = b_round(g).dice("resource attack", [3]).start();
    trial.say("southern cheyenne war party of 5 attacks a settlement in colorado").say("stay");
    let end = trial.over();
    assert_eq!((vps(&end, B), end.area(co).settlements), (2, 2));
}

/// geronimo 6.1
#[test]
fn hostile_orders_to_villages_are_refused() {
    let mut g = cheyenne();
    hold(&mut g, "Sioux", C);
    let mut trial = b_round(g).start();
    let southern = || "Southern Cheyenne".to_owned();
    let party = |bps, chiefs: Vec<String>, target| Order::WarParty {
        village: southern(),
        bps,
        chiefs,
        area: "Colorado".into(),
        target,
    };
    for order in [
        party(i32::MAX, vec![], Target::Settlement {}),
        party(i32::MIN, vec![], Target::Settlement {}),
        party(2, vec!["Nobody".into()], Target::Settlement {}),
        party(2, vec!["Bull Bear".into(); 5000], Target::Settlement {}),
        party(2, vec![], Target::Mine { value: i32::MAX }),
        party(2, vec![], Target::Mexico {}),
        party(2, vec![], Target::Mission {}),
        party(2, vec![], Target::Column { name: String::new() }),
        party(2, vec![], Target::Party { name: "alliance".into() }),
        Order::PartyAttack { party: "alliance".into(), area: "Colorado".into(), target: Target::Town {} },
        Order::PartyAttack { party: String::new(), area: String::new(), target: Target::Town {} },
        Order::Alliance { area: "Colorado".into(), with: vec![], target: Target::Town {} },
        Order::Relocate { village: southern(), to: "Nowhere".into() },
        Order::Relocate { village: "Teton Sioux 1".into(), to: "Wyoming".into() },
        Order::Raid { village: southern(), area: "Colorado".into(), target: Target::Settlement {} },
        Order::MissionParty { village: southern() },
        Order::Pick { one: "evade".into() },
        Order::React { columns: vec![], coordinate: false, alone: false },
    ] {
        let shown = format!("{order:.80?}");
        assert!(trial.order(order).is_err(), "{shown}");
    }
    for words in
        ["", "attack", "war party", "southern cheyenne", "southern cheyenne war party of 3 attacks", "cheyene relocat"]
    {
        assert!(trial.read(words).is_err(), "{words}");
    }
}

/// geronimo 6.1, 6.31
#[test]
fn one_order_in_several_wordings() {
    let trial = b_round(cheyenne()).start();
    let want = trial.read("southern cheyenne war party of 3 with roman nose attacks mine in colorado").expect("plain");
    for words in [
        "war party of 3 with roman nose attacks mine in colorado",
        "Southern Cheyenne war party of 3 BPs with Roman Nose attacks the 3 mine in Colorado.",
        "southern war party of 3 under roman nose attack mine in CO",
        "war party of 3 from the southern cheyenne with roman nose attacks a mine in colorado",
        "southern war party of 3 with roman nos attacks mine in colorad",
        "southern cheyenne war party of 3 attacks mine in colorado with roman nose, please",
    ] {
        assert_eq!(trial.read(words).as_ref(), Ok(&want), "{words}");
    }
}

/// geronimo 6.31, 6.53
#[test]
fn unless_it_is_said_who_goes_everybody_goes() {
    let g = cheyenne();
    let v = village(&g, "Southern Cheyenne");
    let home: Vec<String> = g.chiefs_at(v).map(|h| g.c[h].name.clone()).collect();
    let bps = g.village(v).bps;
    assert!(home.len() > 1 && bps > 1);
    let trial = b_round(g).start();
    let sent = |words: &str| match trial.read(words) {
        Ok(Order::WarParty { bps, chiefs, .. }) => (bps, chiefs),
        other => panic!("{words}: {other:?}"),
    };
    assert_eq!(sent("southern cheyenne attacks mine in colorado"), (bps, home.clone()));
    assert_eq!(sent("southern cheyenne war party attacks mine"), (bps, home));
    assert_eq!(sent("southern cheyenne war party of 2 attacks mine"), (2, Vec::new()));
    assert_eq!(sent("southern cheyenne with tall bull attacks mine"), (bps, vec!["Tall Bull".to_owned()]));
}

/// geronimo 6.31, 6.32
#[test]
fn a_village_is_never_taken_for_a_war_party_of_nearly_the_same_name() {
    let mut g = cheyenne();
    let (v, co) = (village(&g, "Southern Cheyenne"), area(&g, "CO"));
    g.send_party(v, 2, &[], co);
    let trial = b_round(g).start();
    match trial.read("northern cheyenne attacks settlement in colorado") {
        Ok(Order::WarParty { village, .. }) => assert_eq!(village, "Northern Cheyenne"),
        other => panic!("{other:?}"),
    }
    match trial.read("southern cheyenne attacks settlement in colorado") {
        Ok(Order::PartyAttack { party, .. }) => assert_eq!(party, "Southern Cheyenne"),
        other => panic!("{other:?}"),
    }
}

/// geronimo 6.3, 6.34, 6.43
#[test]
fn a_second_name_never_takes_the_place_of_the_first() {
    let mut g = cheyenne();
    column(&mut g, "Miles", "CO", 4);
    hold(&mut g, "Comanche", B);
    let trial = b_round(g.clone()).start();
    let alliance = "together they go in an Alliance (6.7)";
    for (words, why) in [
        ("attack column miles in colorado with comanche and southern cheyenne", alliance),
        ("attack column miles with comanche, southern cheyenne", alliance),
        ("attack column miles with comanche southern cheyenne", alliance),
        ("war party from the comanche attacks miles with southern cheyenne", alliance),
        ("comanche and southern cheyenne attack column miles", alliance),
        ("southern cheyenne goes to kansas and attacks settlement in colorado", "Kansas or Colorado?"),
        ("southern cheyenne attacks settlement in kansas with tall bull in colorado", "in colorado"),
    ] {
        let refused = trial.read(words).expect_err(words).to_string();
        assert!(refused.contains(why), "{words}: {refused}");
    }
    let raid = b_after(g, After::Raid { any_tribe: true }).start();
    let refused = raid.read("southern cheyenne raid colorado with comanche").expect_err("two Tribes").to_string();
    assert!(refused.contains("Southern Cheyenne or the Comanche"), "{refused}");
}

/// geronimo 6.33, 6.36
#[test]
fn what_stands_in_one_place_is_attacked_there() {
    let mut g = cheyenne();
    let (v, co) = (village(&g, "Southern Cheyenne"), area(&g, "CO"));
    column(&mut g, "Miles", "WY", 4);
    let mut trial = b_round(g.clone()).start();
    let there = |order: Result<Order, _>| match order {
        Ok(Order::WarParty { area, .. }) => area,
        other => panic!("{other:?}"),
    };
    assert_eq!(there(trial.read("southern cheyenne attacks miles")), "Wyoming");
    assert_eq!(there(trial.read("southern cheyenne attacks ute village")), "Utah");
    // A Resource without a place is one in the Area of the Village, unless there are others in
    // reach.
    let settled: Vec<String> = g
        .area_ids()
        .filter(|&a| VillageAction::in_reach(&g, (co, v, false), a) && g.area(a).settlements > 0)
        .map(|a| format!("`settlement in {}`", g.c[a].name))
        .collect();
    assert!(settled.len() > 1 && g.area(co).settlements > 0);
    let misread = |trial: &Running, words: &str| trial.read(words).expect_err(words).to_string();
    let why = misread(&trial, "southern cheyenne attacks settlement");
    assert!(settled.iter().all(|one| why.contains(one)), "{why}");
    assert_eq!(there(trial.read("southern cheyenne attacks mine")), "Colorado", "the only one");
    let mut none = g.clone();
    none.area_mut(co).mines.clear();
    let why = b_round(none.clone()).start().refused("southern cheyenne attacks mine");
    assert!(why.contains("There is not a Mine to attack in Colorado"), "{why}");
    mine(&mut none, "NM", 2);
    let why = misread(&b_round(none).start(), "southern cheyenne attacks 2 mine");
    assert!(why.contains("`2 mine in New Mexico`"), "{why}");
    let mut two = g;
    mine(&mut two, "CO", 2);
    let two = b_round(two).start();
    for words in ["southern cheyenne attacks mine in colorado", "southern cheyenne attacks mine"] {
        let why = misread(&two, words);
        assert!(why.contains("`2 mine in Colorado` or `3 mine in Colorado`"), "{words}: {why}");
    }
    assert_eq!(there(two.read("southern cheyenne attacks 2 mine")), "Colorado");
    let why = trial.refused("southern cheyenne attacks town in minnesota");
    assert!(why.contains("Minnesota is out of reach") && why.contains("Kansas"), "{why}");
}

/// geronimo 9.2V, 7.26
#[test]
fn a_rampage_takes_another_settlement_only_if_there_was_another_one() {
    let mut g = field();
    hold(&mut g, "Arapaho", B);
    let ne = area(&g, "NE");
    (g.fx.rampage, g.area_mut(ne).settlements) = (true, 2);
    let mut trial = b_round(g.clone()).dice("resource attack", [5, 5]).start();
    trial.say("arapaho war party of 9 attacks settlement in nebraska");
    assert_eq!(trial.asked(), [(B, "rampage")]);
    trial.say("attack settlement").say("stay");
    let end = trial.over();
    assert_eq!((end.area(ne).settlements, vps(&end, B)), (0, 4));
    // A single Settlement that was missed is no other target.
    g.area_mut(ne).settlements = 1;
    let mut trial = b_round(g).dice("resource attack", [9]).start();
    trial.say("arapaho war party of 1 attacks settlement in nebraska");
    assert!(trial.options().iter().all(|choice| !choice.words.contains("settlement")));
}

/// geronimo 6.8, 6.35
#[test]
fn a_war_party_of_a_finished_village_does_not_attack() {
    let mut g = field();
    column(&mut g, "Miles", "CO", 3);
    for name in ["Arapaho", "Crow"] {
        hold(&mut g, name, B);
    }
    party(&mut g, "Arapaho", 3, &[], "CO");
    let v = village(&g, "Arapaho");
    let said = "arapaho war party attacks column miles in colorado";
    assert!(b_round(g.clone()).start().read(said).is_ok());
    g.village_mut(v).finished = true;
    refused_by(&mut b_round(g).start(), "6.8", said);
}
