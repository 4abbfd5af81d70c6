//! Exceptions and limits that no other test would catch.

use super::*;
use crate::{
    columns::{barred, worn_out},
    order::Target,
    raids::{RaidTarget, raid_target},
    ratings::{Force, Troops},
    state::Place,
};

/// geronimo 9.2Y, 5.32
#[test]
fn scouts_help_columns_in_and_next_to_their_area() {
    let mut g = field();
    let k = column(&mut g, "Miles", "NE", 5);
    let v = village(&g, "Pawnee");
    let speed = |g: &State| Troops(vec![k]).speed(g);
    let alone = speed(&g);
    g.village_mut(v).scouting = true;
    for (code, more) in [("NE", 1), ("KS", 1), ("WA", 0)] {
        let a = area(&g, code);
        g.village_mut(v).place = Place::Area(a);
        assert_eq!(speed(&g), alone + more, "{code}");
    }
}

/// Under the Reform Movement a Column needs an Aggression of 2 to attack a Village, under the Peace
/// Policy one of 3. It may react with less.
///
/// geronimo 9.2R, 9.2W
#[test]
fn policies_bar_columns_below_their_aggression() {
    let bar = |aggression: i32, peace: bool, reform: bool, reacting: bool| {
        let mut g = field();
        hold(&mut g, "Navajo", B);
        let m = g.c.commander_ids().find(|&m| g.c[m].aggression == aggression).expect("a Commander");
        let surname = g.c[m].surname.clone();
        let k = column(&mut g, &surname, "AZ", 5);
        (g.fx.peace_policy, g.fx.reform_movement) = (peace, reform);
        let navajo = village(&g, "Navajo");
        let at = g.area_of(navajo).expect("an Area");
        g.column_mut(k).expect("a Column").area = at;
        barred(&g, &Troops(vec![k]), &Force::Village(navajo), reacting).err().map(|why| why.rule)
    };
    assert_eq!([1, 2, 3].map(|n| bar(n, false, true, false)), [Some("9.2W"), None, None]);
    assert_eq!([1, 2, 3].map(|n| bar(n, true, false, false)), [Some("9.2R"), Some("9.2R"), None]);
    assert_eq!([bar(1, true, true, true), bar(1, false, false, false)], [None, None]);
}

/// geronimo 5.33
#[test]
fn a_column_rests_for_a_round() {
    let worn = |us_rounds: u32, played_in: u32| {
        let mut g = field();
        let k = column(&mut g, "Miles", "NE", 5);
        g.us_rounds = us_rounds;
        g.column_mut(k).expect("a Column").played_in = played_in;
        worn_out(&g, g.column(k).expect("a Column"))
    };
    assert_eq!([5, 4, 3, 0].map(|played_in| worn(5, played_in)), [true, true, false, false]);
    assert_eq!([1, 0].map(|played_in| worn(1, played_in)), [true, false]);
}

/// geronimo 6.43
#[test]
fn a_raid_needs_its_target() {
    let mut g = field();
    hold(&mut g, "Arapaho", B);
    let v = village(&g, "Arapaho");
    let home = g.area_of(v).expect("an Area");
    let name = g.c[home].name.clone();
    for (n, found) in [(0, false), (1, true)] {
        let there = g.area_mut(home);
        (there.settlements, there.towns, there.rrs, there.broke, there.mission) = (n, n, 0, n, n > 0);
        for target in [Target::Settlement {}, Target::Town {}, Target::Railroad {}] {
            let got = raid_target(&g, v, &name, &target);
            assert_eq!(got.ok(), found.then_some(RaidTarget::Resource(home)), "{target:?} {n}");
        }
        let mission = raid_target(&g, v, &name, &Target::Mission {}).ok();
        assert_eq!(mission, found.then_some(RaidTarget::Mission(home)), "{n}");
    }
}
