//! Tests of the Relocation of Villages (6.2).

use super::*;
use crate::state::Place;

/// geronimo 6.2, 6.21, 6.22, 6.8
#[test]
fn a_village_moves_to_the_next_area_twice_a_turn() {
    let mut g = field();
    hold(&mut g, "Cheyenne", B);
    let (north, south) = (village(&g, "Northern"), village(&g, "Southern"));
    let mut trial = b_round(g.clone()).start();
    trial.check_options(30);
    refused_by(&mut trial, "6.21", "southern cheyenne relocate to texas");
    refused_by(&mut trial, "6.21", "southern cheyenne relocate to mexico");
    refused_by(&mut trial, "6.21", "northern cheyenne moves to canada");
    trial.say("southern cheyenne relocate to new mexico");
    g = trial.over();
    assert_eq!((g.area_of(south), g.area_of(north)), (Some(area(&g, "NM")), Some(area(&g, "WY"))));
    g.round = 2;
    let mut trial = b_round(g).start();
    trial.say("move southern cheyenne to TX");
    g = trial.over();
    assert!(g.village(south).finished && !g.village(north).finished);
    g.round = 3;
    let mut trial = b_round(g).start();
    refused_by(&mut trial, "6.8", "southern cheyenne relocate to new mexico");
    trial.say("northern cheyenne relocate to utah");
    assert_eq!(trial.over().village(north).actions, 1);
}

/// geronimo 6.23, 6.24
#[test]
fn across_the_border_and_back() {
    let mut g = field();
    hold(&mut g, "Apache", B);
    let v = village(&g, "Chiricahua");
    let mut trial = b_round(g.clone()).start();
    trial.say("chiricahua relocate to mexico");
    let mut g = trial.over();
    let az = area(&g, "AZ");
    assert_eq!((g.village(v).place, g.in_play(v), g.area_of(v)), (Place::Mexico { from: az }, true, None));
    g.round = 2;
    let mut trial = b_round(g.clone()).start();
    trial.check_options(30);
    refused_by(&mut trial, "6.24", "chiricahua relocate to utah");
    refused_by(&mut trial, "6.24", "chiricahua relocate to mexico");
    refused_by(&mut trial, "6.23", "chiricahua war party of 3 attacks settlement in arizona");
    let mut raid = b_after(g.clone(), After::Raid { any_tribe: true }).start();
    refused_by(&mut raid, "6.41", "chiricahua raid settlement in arizona");
    trial.say("chiricahua return to california");
    let end = trial.over();
    assert_eq!((end.area_of(v), end.village(v).finished), (Some(area(&end, "CA")), true));
    // 6.24: no Column can reach it there.
    column(&mut g, "Miles", "AZ", 5);
    let trial = us_round(g).start();
    assert!(trial.read("miles attacks chiricahua village").is_err());
    assert!(trial.options().iter().all(|option| !option.words.contains("chiricahua")));
}

/// geronimo 6.24, 6.23
#[test]
fn back_from_canada() {
    let mut g = field();
    hold(&mut g, "Sioux", B);
    let (v, mt) = (village(&g, "Teton 1"), area(&g, "MT"));
    g.village_mut(v).place = Place::Area(mt);
    let mut trial = b_round(g).start();
    trial.say("teton sioux 1 relocate to canada");
    let mut g = trial.over();
    assert_eq!(g.village(v).place, Place::Canada { from: mt });
    g.round = 2;
    for (to, back) in [("montana", true), ("north dakota", true), ("wyoming", false), ("minnesota", false)] {
        let mut trial = b_round(g.clone()).start();
        let order = format!("teton sioux 1 relocate to {to}");
        match back {
            true => assert_eq!(trial.say(&order).over().area_of(v), g.c.area_by_name(&spelt(to)), "{to}"),
            false => refused_by(&mut trial, "6.24", &order),
        }
    }
}

/// `north dakota` as the map has it.
fn spelt(name: &str) -> String {
    name.split(' ').map(crate::campaign::capitalised).collect::<Vec<_>>().join(" ")
}
