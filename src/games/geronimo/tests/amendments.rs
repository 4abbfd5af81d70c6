//! What version 2 amends, each rule on both versions: what it was, and what it is (docs/geronimo.md, "Amendments").

use super::*;
use crate::games::geronimo::{
    card::Card,
    cards::{can_raid, play},
    losses::devastate,
    state::{ColumnId, Place},
    survival::survival_phase,
    testing::column,
};

/// The same position under another version of the rules.
pub(super) fn under(g: &State, version: u32) -> State {
    let mut g = g.clone();
    g.variant.version = version;
    g
}

/// geronimo 6.64, 7.41
#[test]
fn devastated_markers_add_up() {
    let mut g = field();
    hold(&mut g, "Cheyenne", B);
    let v = village(&g, "Southern");
    for (version, markers) in [(1, 3), (2, 4)] {
        let rule = move |t: T, mut g: State| async move {
            for strength in [1, 2, 1] {
                devastate(&t, &mut g, v, strength);
            }
            g
        };
        let end = Trial::new(under(&g, version), rule).start().over();
        assert_eq!(end.village(v).devastation, markers, "version {version}: -1, -2 and -1");
        let rule = move |t: T, mut g: State| async move {
            devastate(&t, &mut g, v, 5);
            g
        };
        let end = Trial::new(under(&g, version), rule).start().over();
        assert_eq!(end.village(v).devastation, 3, "a marker is -3 at the most");
        assert!(legal::faults(&end).is_empty());
    }
}

/// geronimo 2.22, 8.18, 8.23, 9.2X
#[test]
fn reservation_unrest_draws_a_card() {
    let mut g = field();
    for v in g.village_ids() {
        g.village_mut(v).place = Place::Extinct;
        g.village_mut(v).bps = 0;
    }
    let away = ["Teton 1", "Teton 2", "Ute"].map(|name| village(&g, name));
    for v in away {
        (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Reservation { from: g.c[v].area }, 2);
    }
    let back = |version: u32, draw: i64| {
        let rule = |t: T, mut g: State| async move {
            play(&t, &mut g, US, Card::ReservationUnrest).await;
            g
        };
        let end = Trial::new(under(&g, version), rule).dice("reservation unrest", [draw]).start().over();
        away.map(|v| end.area_of(v).is_some())
    };
    let (sioux, ute) = ([true, true, false], [false, false, true]);
    let drawn = |version: u32, cards: i64| (0..cards).map(|draw| back(version, draw)).collect::<Vec<_>>();
    // Two Tribes, each as likely as the other; then three cards, of which the Sioux have two.
    let of = |all: &[[bool; 3]], tribe: [bool; 3]| all.iter().filter(|one| **one == tribe).count();
    let (first, second) = (drawn(1, 2), drawn(2, 3));
    assert_eq!((of(&first, sioux), of(&first, ute)), (1, 1));
    assert_eq!((of(&second, sioux), of(&second, ute)), (2, 1), "all Villages of the Tribe return");
}

/// Custer and Terry, united in Wyoming, and the Arapaho who come there.
fn united() -> (State, [ColumnId; 3]) {
    let mut g = field();
    let ids = ["Custer", "Terry", "Miles"].map(|name| {
        let id = column(&mut g, name, "WY", 5);
        g.column_mut(id).expect("just placed").group = Some(99);
        id
    });
    hold(&mut g, "Arapaho", B);
    mine(&mut g, "WY", 2);
    (g, ids)
}

/// geronimo 5.723, 5.35
#[test]
fn united_columns_may_separate_to_react() {
    let attack = "arapaho war party of 4 attacks mine in wyoming";
    let (g, [custer, terry, miles]) = united();
    let mut trial = b_round(under(&g, 1)).dice("resource attack", [9]).start();
    trial.say(attack);
    assert!(trial.read("react custer alone").is_err(), "version 1 does not know the word");
    let alone = crate::games::geronimo::Order::React { columns: vec!["Custer".into()], coordinate: false, alone: true };
    assert!(trial.order(alone).is_err());
    // The 15 BPs of all are slower than Custer's 5 alone, which have Speed 6.
    let mut trial = b_round(under(&g, 2))
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
    let end = trial.over();
    let groups = [custer, terry, miles].map(|id| end.column(id).and_then(|k| k.group));
    assert_eq!(groups, [None, Some(99), Some(99)], "the others stay together");
    // One after the other, each by itself; whoever is left alone is in no group.
    let mut trial = b_round(under(&g, 2)).dice("resource attack", [9]).dice("reaction", [9, 9]).start();
    trial.say(attack).say("react custer, terry alone").say("stay");
    let end = trial.over();
    assert!(end.columns.iter().all(|k| k.group.is_none() && k.bps == 5));
    // As before where they stay together: 15 BPs try as one.
    let mut trial = b_round(under(&g, 2)).dice("resource attack", [9]).dice("reaction", [9]).start();
    trial.say(attack).say("react custer, terry").say("stay");
    assert!(trial.over().columns.iter().all(|k| k.group == Some(99)));
    let mut other = under(&g, 2);
    other.columns.iter_mut().for_each(|k| k.group = None);
    let mut trial = b_round(other).dice("resource attack", [9]).start();
    trial.say(attack);
    refused_by(&mut trial, "5.723", "react custer alone");
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
    let call = "alliance in wyoming with teton sioux 1 6 bps, arapaho 5 attacks column miles";
    let acted = |version: u32| {
        let mut trial =
            b_after(under(&g, version), After::Alliance).dice("battle, US", [0]).dice("battle, Indians", [0]).start();
        trial.say(call).say("no reaction");
        assert_eq!(trial.asked(), [(B, "post-action")]);
        trial.check_options(10);
        trial
    };
    let mut first = acted(1);
    assert_eq!(first.words(), ["stay", "return"]);
    assert!(first.read("return arapaho").is_err());
    let mut second = acted(2);
    assert_eq!(second.words(), ["stay", "return", "return teton sioux 1", "return arapaho"]);
    second.say("arapaho returns").say("no reaction");
    assert_eq!((second.asked(), second.words()), (vec![(B, "post-action")], vec!["stay".into(), "return".into()]));
    second.say("stay");
    let end = second.over();
    assert_eq!(end.parties.iter().map(|p| p.village).collect::<Vec<_>>(), [teton]);
    assert!(end.village(arapaho).finished && !end.village(teton).finished);
    let mut all = acted(2);
    all.say("return").say("no reaction").say("no reaction");
    assert!(all.over().parties.is_empty());
}

/// geronimo 9.2AA, 6.64
#[test]
fn smallpox_flips_the_marker() {
    let mut g = field();
    hold(&mut g, "Bannock", B);
    let (v, idaho) = (village(&g, "Bannock"), area(&g, "ID"));
    for other in g.village_ids().filter(|&other| other != v) {
        g.villages[other.index()].place = Place::Reservation { from: idaho };
    }
    // It stands alone, with as many Survival Points as half of what it needs.
    let needs = g.c[v].survival;
    (g.village_mut(v).place, g.village_mut(v).bps) = (Place::Area(idaho), g.c[v].size);
    let points = g.survival_points(idaho);
    g.area_mut(idaho).settlements += points - (needs + 1) / 2;
    g.village_mut(v).finished = true;
    for (version, lost) in [(1, 0), (2, 1)] {
        let rule = |t: T, mut g: State| async move {
            survival_phase(&t, &mut g).await;
            g
        };
        let end = Trial::new(under(&g, version), rule).dice("attrition", [0]).start().over();
        assert_eq!(g.village(v).bps - end.village(v).bps, lost, "version {version}");
    }
    g.village_mut(v).finished = false;
    let rule = |t: T, mut g: State| async move {
        survival_phase(&t, &mut g).await;
        g
    };
    let end = Trial::new(under(&g, 2), rule).dice("attrition", [0]).start().over();
    assert_eq!(end.village(v).bps, g.village(v).bps, "without Smallpox it did nothing");
}

/// geronimo 9.2Y, 6.41
#[test]
fn scouts_may_raid_and_nothing_else() {
    let mut g = field();
    hold(&mut g, "Pawnee", B);
    let v = village(&g, "Pawnee");
    g.village_mut(v).scouting = true;
    assert!(!can_raid(&under(&g, 1), v, true) && can_raid(&under(&g, 2), v, true));
    let raid = |version: u32| b_after(under(&g, version), After::Raid { any_tribe: true }).dice("raid", [0]).start();
    let words = "pawnee raid settlement in nebraska";
    assert!(raid(1).try_say(words).is_err());
    let mut trial = raid(2);
    trial.say(words);
    assert_eq!(vps(&trial.over(), B), 1);
    let mut trial = b_round(under(&g, 2)).start();
    refused_by(&mut trial, "9.2Y", "pawnee relocate to kansas");
    refused_by(&mut trial, "9.2Y", "pawnee war party of 1 attacks settlement in nebraska");
}

/// geronimo 5.36, 5.35
#[test]
fn a_village_that_enters_is_not_turned_back() {
    let mut g = field();
    g.fx.telegraph = false;
    column(&mut g, "Miles", "KS", 5);
    hold(&mut g, "Cheyenne", B);
    let v = village(&g, "Southern");
    let moved = |g: State, order: &str| {
        let mut trial = b_round(g).dice("reaction", [0]).dice("battle, US", [9]).dice("battle, Indians", [0]).start();
        trial.say(order).say("react miles").say("stand");
        let end = trial.over();
        g_name(&end, v)
    };
    // It loses more each time.
    let enter = "southern cheyenne relocate to kansas";
    assert_eq!([1, 2].map(|version| moved(under(&g, version), enter)), ["CO", "KS"]);
    let ks = area(&g, "KS");
    g.village_mut(v).place = Place::Area(ks);
    let leave = "southern cheyenne relocate to colorado";
    assert_eq!([1, 2].map(|version| moved(under(&g, version), leave)), ["KS", "KS"]);
}

/// The code of the Area that a Village is in.
fn g_name(g: &State, v: crate::games::geronimo::components::VillageId) -> String {
    g.area_of(v).map_or_else(String::new, |a| g.c[a].code.clone())
}

/// geronimo 9.2GG
#[test]
fn tribal_unrest_may_leave_every_peace_chief() {
    let mut g = field();
    let v = village(&g, "Crow");
    g.village_mut(v).peace_chief = true;
    let unrest = |version: u32| {
        let rule = |t: T, mut g: State| async move {
            play(&t, &mut g, B, Card::TribalUnrest).await;
            g
        };
        Trial::new(under(&g, version), rule).start()
    };
    assert!(!unrest(1).over().village(v).peace_chief, "the only one is taken without a question");
    let mut trial = unrest(2);
    assert_eq!(trial.words(), ["unrest nobody", "unrest crow"]);
    trial.check_options(5);
    trial.say("nobody");
    assert!(trial.over().village(v).peace_chief);
    assert!(!unrest(2).say("crow").over().village(v).peace_chief);
}
