//! Tests of the Survival Phase in small positions.

use super::*;
use crate::{
    state::CommanderPlace,
    testing::{Running, Trial, area, basic, chief, column, deal_to, tribe, village},
};

/// Returns a position with every Village On Reservation and no Tribal Cards dealt; A plays the US.
fn empty(players: u8) -> State {
    let mut g = basic(players);
    for v in g.village_ids() {
        g.villages[v.index()].place = Place::Reservation { from: g.c[v].area };
    }
    for a in &mut g.areas {
        (a.settlements, a.towns, a.rrs, a.broke) = (0, 0, 0, 0);
        a.mines.clear();
    }
    g
}

fn place(g: &mut State, name: &str, bps: i32, actions: u8) -> VillageId {
    let v = village(g, name);
    let at = g.c[v].area;
    let state = g.village_mut(v);
    (state.place, state.bps, state.actions) = (Place::Area(at), bps, actions);
    v
}

fn phase(g: State, attrition: i64) -> Trial {
    let rule = |t, mut g| async move {
        survival_phase(&t, &mut g).await;
        g
    };
    Trial::new(g, rule).dice("attrition", [attrition])
}

/// The example of 6.65: Idaho with three active Tribes that have all acted.
fn idaho() -> (State, [VillageId; 3]) {
    let mut g = empty(4);
    let id = area(&g, "ID");
    let state = g.area_mut(id);
    (state.settlements, state.rrs, state.broke) = (3, 2, 1);
    let villages = [place(&mut g, "Nez Perce", 7, 1), place(&mut g, "Shoshone", 5, 1), place(&mut g, "Bannock", 4, 1)];
    for name in ["Nez Perce", "Shoshone", "Bannock"] {
        deal_to(&mut g, name, Seat(1));
    }
    (g, villages)
}

fn bps(g: &State, villages: [VillageId; 3]) -> [i32; 3] {
    villages.map(|v| g.village(v).bps)
}

/// geronimo 6.6, 6.62, 6.63, 6.65
#[test]
fn idaho_feeds_two_tribes_of_three() {
    let (g, villages) = idaho();
    let id = area(&g, "ID");
    assert_eq!((g.resource_points(id), g.survival_points(id)), (7, 11));
    assert_eq!(shares(11, &[7, 5, 4]).points, [4, 4, 3]);
    let end = phase(g, 0).start().over();
    assert_eq!(bps(&end, villages), [7, 5, 3]);
}

/// geronimo 6.64, 6.65
#[test]
fn a_mission_feeds_the_bannock() {
    let (mut g, villages) = idaho();
    let id = area(&g, "ID");
    g.area_mut(id).mission = true;
    assert_eq!(earned(3, 0, false, true), 6);
    let end = phase(g, 0).start().over();
    assert_eq!(bps(&end, villages), [7, 5, 4]);
}

/// geronimo 6.64, 6.65
#[test]
fn doing_nothing_doubles_again() {
    assert_eq!(earned(3, 0, true, true), 12);
    assert_eq!(earned(3, 1, false, false), 2);
    assert_eq!(earned(3, 1, true, false), 4);
    assert_eq!(earned(3, 1, true, true), 8);
    assert_eq!(earned(2, 3, true, true), 0);
    // Inaction alone is enough for them, too.
    let (mut g, villages) = idaho();
    g.village_mut(villages[2]).actions = 0;
    g.village_mut(villages[2]).devastation = 1;
    assert_eq!(bps(&phase(g.clone(), 0).start().over(), villages), [7, 5, 4]);
    g.village_mut(villages[2]).actions = 1;
    assert_eq!(bps(&phase(g, 0).start().over(), villages), [7, 5, 3]);
}

/// geronimo 9.2AA, 6.64
#[test]
fn smallpox_flips_the_marker_of_a_village_that_did_nothing() {
    let (mut g, villages) = idaho();
    let bannock = villages[2];
    g.village_mut(bannock).actions = 0;
    assert_eq!(bps(&phase(g.clone(), 0).start().over(), villages), [7, 5, 4]);
    // A Village that has not acted can be Finished for no other reason.
    g.village_mut(bannock).finished = true;
    assert_eq!(bps(&phase(g, 0).start().over(), villages), [7, 5, 3]);
}

/// geronimo 6.61, 6.63
#[test]
fn inactive_tribes_take_their_share_but_are_not_checked() {
    let (mut g, villages) = idaho();
    for name in ["Nez Perce", "Bannock"] {
        let id = tribe(&g, name);
        g.tribes[id.index()].holder = None;
    }
    let id = area(&g, "ID");
    g.area_mut(id).settlements = 18;
    let end = phase(g, 0).start().over();
    assert_eq!(bps(&end, villages), [7, 4, 4]);
}

/// geronimo 6.63
#[test]
fn leftover_points_go_to_the_largest_and_ties_to_the_dice() {
    assert_eq!(shares(11, &[4, 7, 5]).points, [3, 4, 4]);
    assert_eq!(shares(9, &[4, 7, 5]).points, [3, 3, 3]);
    assert_eq!(shares(2, &[4, 7, 5]).points, [0, 1, 1]);
    let tie = shares(11, &[5, 7, 5]);
    assert_eq!((tie.points, tie.tied, tie.left), (vec![3, 4, 3], vec![0, 2], 1));
    let (mut g, villages) = idaho();
    g.village_mut(villages[2]).bps = 5;
    // Bannock and Shoshone have 5 each: equal dice are rolled again.
    let trial = phase(g, 0).dice("survival share", [4, 4, 2, 6]).start();
    assert_eq!(bps(&trial.over(), villages), [7, 5, 4]);
}

/// geronimo 6.65, 6.66
#[test]
fn the_last_point_lost_is_extinction() {
    let mut g = empty(4);
    let v = place(&mut g, "Bannock", 1, 1);
    deal_to(&mut g, "Bannock", Seat(2));
    let id = area(&g, "ID");
    g.area_mut(id).settlements = 20;
    let end = phase(g, 0).start().over();
    assert_eq!(end.village(v).place, Place::Extinct);
    assert_eq!(end.tally[2].vps, -3);
}

/// geronimo 6.65
#[test]
fn war_parties_count_and_lose_when_nobody_is_at_home() {
    let (mut g, villages) = idaho();
    let party = g.send_party(villages[2], 4, &[], area(&g, "MT"));
    let end = phase(g, 0).start().over();
    assert_eq!(end.village(villages[2]).bps, 0);
    assert_eq!(end.party(party).map(|p| p.bps), Some(3));
}

fn abroad(place: fn(AreaId) -> Place, name: &str, bps: i32) -> (State, VillageId) {
    let mut g = empty(4);
    let v = village(&g, name);
    let from = g.c[v].area;
    let state = g.village_mut(v);
    (state.place, state.bps) = (place(from), bps);
    (g, v)
}

/// geronimo 6.25, 6.24, 2.4
#[test]
fn mexico_keeps_drives_out_or_destroys() {
    let (g, v) = abroad(|from| Place::Mexico { from }, "Chiricahua", 7);
    let stays = phase(g.clone(), 0).dice("foreign government", [5]).start().over();
    assert_eq!(stays.village(v).place, g.village(v).place);

    let mut trial = phase(g.clone(), 0).dice("foreign government", [6]).start();
    assert_eq!(trial.asked(), [(Seat(0), "driven-out")]);
    trial.check_options(9);
    // Utah and Nevada border Arizona, but not Mexico.
    assert_eq!(
        trial.options().iter().map(|o| o.words.as_str()).collect::<Vec<_>>(),
        ["place arizona", "place california", "place new mexico"]
    );
    trial.say("new mexico");
    let out = trial.over();
    assert_eq!(out.village(v).place, Place::Area(area(&g, "NM")));
    assert_eq!(out.village(v).bps, 4, "half of 7 are lost, rounded down: 3");

    let mut g = g;
    deal_to(&mut g, "Apache", Seat(3));
    let end = phase(g, 0).dice("foreign government", [9]).start().over();
    assert_eq!(end.village(v).place, Place::Extinct);
    assert_eq!(end.tally[3].vps, -3);
}

/// geronimo 6.25, 8.14
#[test]
fn a_village_without_another_area_is_not_asked_about_and_may_be_forced_at_once() {
    let mut g = empty(4);
    let v = village(&g, "Yakima");
    let wa = area(&g, "WA");
    let state = g.village_mut(v);
    (state.place, state.bps) = (Place::Canada { from: wa }, 6);
    deal_to(&mut g, "Yakima", Seat(1));
    let mut trial = phase(g, 0).dice("foreign government", [8]).dice("reservation", [3]).start();
    // Washington and Idaho border Canada.
    trial.say("id");
    let end = trial.over();
    assert_eq!(end.village(v).bps, 3);
    assert_eq!(end.village(v).place, Place::Reservation { from: area(&end, "ID") });
}

/// Runs the Survival Phase with a Village alone in its Area, held but without an action, and its
/// Reservation DR.
fn forced(name: &str, bps: i32, dr: Option<i64>) -> (Running, VillageId) {
    let mut g = empty(4);
    let v = place(&mut g, name, bps, 0);
    let tribe_name = g.c[g.c[v].tribe].name.clone();
    deal_to(&mut g, &tribe_name, Seat(1));
    (phase(g, 0).dice("reservation", dr).start(), v)
}

/// geronimo 8.14, 8.1, 8.17
#[test]
fn the_mimbres_are_tested_at_three_and_go_on_0_or_1() {
    let (trial, v) = forced("Mimbres", 4, None);
    assert!(trial.over().in_play(v));
    for (dr, goes) in [(0, true), (1, true), (2, false), (9, false)] {
        let (trial, v) = forced("Mimbres", 3, Some(dr));
        let end = trial.over();
        assert_eq!(end.in_play(v), !goes, "DR {dr}");
        assert_eq!(end.tally[0].vps, if goes { 2 } else { 0 });
    }
}

/// geronimo 8.14
#[test]
fn the_klamath_are_tested_at_one_and_go_below_5() {
    assert!(at_half(3, 7) && !at_half(4, 7) && at_half(1, 2) && at_half(1, 3) && !at_half(2, 3));
    for (dr, goes) in [(4, true), (5, false)] {
        let (trial, v) = forced("Klamath", 1, Some(dr));
        assert_eq!(trial.over().in_play(v), !goes, "DR {dr}");
    }
    let (trial, v) = forced("Klamath", 2, None);
    assert!(trial.over().in_play(v));
}

/// geronimo 8.14, 7.81
#[test]
fn chiefs_go_to_prison_with_a_village_forced_and_war_parties_come_along() {
    let mut g = empty(4);
    let v = place(&mut g, "Mimbres", 2, 1);
    deal_to(&mut g, "Apache", Seat(1));
    let victorio = chief(&g, "Victorio");
    let nm = area(&g, "NM");
    g.send_party(v, 1, &[victorio], nm);
    let end = phase(g, 0).dice("reservation", [0]).start().over();
    assert_eq!(end.village(v).place, Place::Reservation { from: nm });
    assert_eq!(end.village(v).bps, 2);
    assert!(end.chiefs[victorio.index()].prison && end.chiefs[victorio.index()].with.is_none());
    assert!(!end.chiefs[chief(&end, "Nana").index()].prison, "not his Turn");
}

/// geronimo 8.14
#[test]
fn inactive_tribes_are_not_forced() {
    let mut g = empty(4);
    let v = place(&mut g, "Klamath", 1, 0);
    assert!(phase(g, 0).start().over().in_play(v));
}

fn army() -> State {
    let mut g = empty(4);
    for (surname, code, bps) in [("Crook", "AZ", 5), ("Miles", "TX", 1), ("Howard", "ID", 8)] {
        column(&mut g, surname, code, bps);
    }
    g.columns[0].guns = 1;
    g
}

/// geronimo 5.38, 5.55
#[test]
fn the_us_names_the_columns_that_take_attrition() {
    let mut trial = phase(army(), 2).start();
    assert_eq!(trial.asked(), [(Seat(0), "attrition")]);
    trial.check_options(60);
    assert!(trial.refused("crook").contains("5.38"));
    assert!(trial.refused("crook and crook gun").contains("5.38"));
    assert!(trial.refused("howard gatling and crook").contains("5.55"));
    let names = vec!["Nobody".to_owned(), "Crook  gun".to_owned()];
    assert!(trial.order(Order::List { names }).is_err());
    trial.say("Crook gun, Howard");
    let end = trial.over();
    assert_eq!(end.columns.iter().map(|k| (k.bps, k.guns)).collect::<Vec<_>>(), [(5, 0), (1, 0), (7, 0)]);
}

/// geronimo 5.38, 7.8
#[test]
fn no_column_is_asked_about_when_all_lose_one() {
    let mut g = army();
    g.columns[0].guns = 0;
    let end = phase(g.clone(), 9).start().over();
    assert_eq!(end.columns.iter().map(|k| k.bps).collect::<Vec<_>>(), [4, 7]);
    let miles = end.c.commander_by_name("Miles").unwrap();
    assert_eq!(end.commanders[miles.index()], CommanderPlace::Dead);
    // If any Column has Artillery, there is a choice.
    g.columns[2].gatlings = 1;
    let mut trial = phase(g.clone(), 3).start();
    trial.check_options(20);
    trial.say("miles, crook and howard gatling");
    assert_eq!(trial.over().columns.len(), 2);
    g.columns.clear();
    assert!(phase(g, 9).start().over().columns.is_empty());
}

/// geronimo 4.5, 6.61
#[test]
fn the_phase_shows_every_card_in_hand() {
    let (g, _) = idaho();
    let mut trial = phase(g, 0).start();
    trial.over();
    let story = trial.story().join("\n");
    assert!(story.contains("@B (Indians) shows the Bannock card."), "{story}");
}
