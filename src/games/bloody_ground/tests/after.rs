//! The consequences of a battle on the map (10.7).

use super::{
    super::{
        battle::{self, Stand},
        components::*,
        state::*,
        testing::*,
    },
    board::{board, head, set, stand},
};
use postrider_table::{Seat, status::Condition};

pub fn at_area(id: &str) -> State {
    let mut g = board(Terrain::Settled);
    let a = at(&g, id);
    g.battle_mut().area = Some(a);
    g
}

/// Returns the end of a battle with a Routed regular in a force led by Hamtramck; Wayne, the US
/// primary leader, is elsewhere.
fn over() -> State {
    let mut g = at_area("S4");
    let routed = stand(&mut g, "regular", "0306");
    let s4 = at(&g, "S4");
    let u = g.battle().pieces[routed].unit;
    g.unit_mut(u).spot = Spot::On(s4);
    set(&mut g, routed, Condition::Routed);
    g.battle_mut().start = [6, 6];
    let (hamtramck, wayne) = (lead(&mut g, "Hamtramck", "S4"), lead(&mut g, "Wayne", "U1"));
    g.battle_mut().primary[0] = Some(hamtramck);
    g.primary[0] = Some(wayne);
    g.commitment = 3;
    g
}

fn settled(g: &State, dice: &[i64]) -> Running {
    let a = g.battle().area.expect("an area");
    Trial::new(g.clone(), move |t, mut g| async move {
        battle::settle_for_tests(&t, &mut g, a).await;
        g
    })
    .any_dice(dice.iter().copied())
    .start()
}

/// dark-and-bloody-ground 10.7
#[test]
fn the_primary_leader_of_the_side_helps_the_routed() {
    let g = over();
    // 4 less Hamtramck's 2 would pass against 3; but he is not the primary leader.
    let lives = |g: &State| {
        let mut trial = settled(g, &[4]);
        trial.all_first();
        trial.over().unit(g.battle().pieces[0].unit).spot != Spot::Gone
    };
    assert!(!lives(&g));
    let mut led = g.clone();
    led.primary[0] = led.battle().primary[0];
    assert!(lives(&led));
}

/// dark-and-bloody-ground 10.7
#[test]
fn the_routed_of_both_sides_roll_once() {
    let mut g = over();
    let s4 = at(&g, "S4");
    let dead = ["regular", "Shawnee"].map(|kind| {
        let i = stand(&mut g, kind, "0308");
        set(&mut g, i, Condition::Routed);
        g.battle_mut().pieces[i].stand = Stand::Dead;
        let u = g.battle().pieces[i].unit;
        g.unit_mut(u).spot = Spot::Gone;
        u
    });
    let warrior = stand(&mut g, "Shawnee", "0310");
    set(&mut g, warrior, Condition::Routed);
    let units = [0, warrior].map(|i| g.battle().pieces[i].unit);
    g.unit_mut(units[1]).spot = Spot::On(s4);
    g.tribe_mut(nation(&g, "Shawnee")).ml = 1;
    for (dice, live) in [([3, 1], [true, true]), ([3, 2], [true, false]), ([4, 1], [false, true])] {
        let mut run = settled(&g, &dice);
        run.all_first();
        let end = run.over();
        assert_eq!(units.map(|u| end.unit(u).spot != Spot::Gone), live, "{dice:?}");
        assert!(dead.iter().all(|&u| end.unit(u).spot == Spot::Gone));
    }
}

/// dark-and-bloody-ground 10.7.1
#[test]
fn settlers_and_warriors_go_where_their_owner_says() {
    let mut g = at_area("K5");
    let k5 = at(&g, "K5");
    g.land_mut(k5).settlers = 2;
    let village = at(&g, "K2");
    g.land_mut(village).village = true;
    put(&mut g, "Shawnee", 1, "K5");
    // A draw: the warriors leave as well.
    let mut trial = settled(&g, &[]);
    assert_eq!(trial.asked(), [(Seat(1), "battle-relocate")]);
    trial.say("1 shawnee at o2");
    assert_eq!(trial.asked(), [(Seat(0), "battle-relocate")]);
    assert!(trial.try_say("2 settler at k2").is_err(), "villages do not count");
    trial.say("1 settler at u2, 1 settler at p1");
    let end = trial.over();
    let fled = |id: &str| end.land(at(&end, id)).fled;
    assert_eq!((fled("U2"), fled("P1"), end.people(k5), count(&end, "Shawnee", "O2")), (1, 1, 0, 1));
}

/// dark-and-bloody-ground 10.7.1
#[test]
fn agents_alone_after_a_battle_go_to_a_fort_or_to_warriors() {
    let mut g = at_area("S4");
    let girty = lead(&mut g, "Girty", "S4");
    // Without any warriors on the map, only British forts remain for him.
    let forts = g.c.area_ids().filter(|&b| g.open_fort(b, Side::Na)).count();
    assert!(forts > 1);
    // A leader with raiders is not of the force that leaves.
    let mut raider = g.clone();
    raider.chief_mut(girty).raiding = true;
    assert_eq!(settled(&raider, &[]).over().chief(girty).spot, Spot::On(at(&g, "S4")));
    let mut trial = settled(&g, &[]);
    trial.all_first();
    let end = trial.over();
    assert!(end.chief(girty).spot.area().is_some_and(|b| end.open_fort(b, Side::Na)), "{:?}", end.chief(girty).spot);
    assert!(settled(&g, &[]).try_say("1 girty at m5").is_err(), "no warriors are there");
    put(&mut g, "Miami", 1, "M5");
    let mut trial = settled(&g, &[]);
    trial.say("1 girty at m5");
    assert_eq!(trial.over().chief(girty).spot, Spot::On(at(&g, "M5")));
}

/// dark-and-bloody-ground 10.7.1, 14.0.3
#[test]
fn tecumseh_leaves_a_battle_with_others_or_to_them() {
    let mut g = at_area("S4");
    put(&mut g, "Shawnee", 1, "S4");
    lead(&mut g, "Tecumseh", "S4");
    put(&mut g, "Miami", 1, "M1");
    for (to, may) in [("s5", true), ("m1", true), ("s3", false)] {
        let said = settled(&g, &[]).try_say(&format!("1 shawnee at s5, 1 tecumseh at {to}"));
        assert_eq!(said.is_ok(), may, "{to}: {said:?}");
    }
}

/// dark-and-bloody-ground 10.7, 11.2.2
#[test]
fn some_of_a_force_go_into_the_fort_after_a_battle() {
    let mut g = over();
    us_fort(&mut g, "S4");
    let s4 = at(&g, "S4");
    let sound = stand(&mut g, "regular", "0307");
    let u = g.battle().pieces[sound].unit;
    g.unit_mut(u).spot = Spot::On(s4);
    let routed = g.battle().pieces[0].unit;
    // The fort subtracts 1 from the die of a Routed unit: 4 passes against 3.
    let mut trial = settled(&g, &[4]);
    assert_eq!(trial.asked(), [(Seat(0), "shelter")]);
    trial.check_options(6);
    trial.say("1 routed regular at fort");
    let now = trial.now();
    assert_eq!(
        (now.unit(routed).inside, now.unit(routed).condition, now.unit(u).inside),
        (true, Condition::Normal, false)
    );
    // Nine units are already inside, so there is room for one.
    put(&mut g, "regular", 9, "S4").into_iter().for_each(|u| g.unit_mut(u).inside = true);
    let mut trial = settled(&g, &[]);
    assert!(trial.refused("1 regular, 1 routed regular at fort").contains("there is room for 1, not for 2"));
    // Leaders take no room.
    let hamtramck = leader(&g, "Hamtramck");
    let mut trial = settled(&g, &[4]);
    trial.say("1 regular at fort, 1 hamtramck at fort");
    let now = trial.now();
    assert_eq!((now.unit(u).inside, now.chief(hamtramck).inside), (true, true));
    // With ten inside, he alone can go in.
    put(&mut g, "regular", 1, "S4").into_iter().for_each(|u| g.unit_mut(u).inside = true);
    let trial = settled(&g, &[]);
    assert!(trial.read("1 regular at fort").is_err() && trial.read("1 hamtramck at fort").is_ok());
}

/// dark-and-bloody-ground 10.7, 11.2.2
#[test]
fn two_of_a_kind_go_into_the_fort_together() {
    let mut g = over();
    us_fort(&mut g, "S4");
    let s4 = at(&g, "S4");
    let sound = ["0307", "0308"].map(|hex| {
        let i = stand(&mut g, "regular", hex);
        let u = g.battle().pieces[i].unit;
        g.unit_mut(u).spot = Spot::On(s4);
        u
    });
    let mut trial = settled(&g, &[4]);
    assert!(trial.refused("3 regular at fort").contains('2'));
    trial.say("2 regular at fort");
    let now = trial.now();
    assert_eq!(sound.map(|u| now.unit(u).inside), [true, true]);
}

/// A third of the force lost, its primary leader fallen, or the last unit walked off: the other
/// side has 4 VPs and stays.
///
/// dark-and-bloody-ground 10.7.1, 10.7.2
#[test]
fn who_is_beaten_leaves_and_the_other_scores() {
    struct Case {
        lost: [u8; 2],
        headless: [bool; 2],
        walked: [bool; 2],
        vps: [i32; 2],
        leaves: [bool; 2],
    }
    let none = Case { lost: [0; 2], headless: [false; 2], walked: [false; 2], vps: [0; 2], leaves: [true; 2] };
    for case in [
        Case { ..none },
        // A third of 11 is 3, of 6 it is 2.
        Case { lost: [3, 0], vps: [0, 4], leaves: [true, false], ..none },
        Case { lost: [2, 0], ..none },
        Case { lost: [0, 2], vps: [4, 0], leaves: [false, true], ..none },
        Case { lost: [0, 1], ..none },
        Case { lost: [3, 2], ..none },
        Case { headless: [true, false], vps: [0, 4], leaves: [true, false], ..none },
        Case { headless: [false, true], vps: [4, 0], leaves: [false, true], ..none },
        Case { walked: [true, false], vps: [0, 4], leaves: [true, false], ..none },
        Case { walked: [false, true], headless: [true, false], ..none },
    ] {
        let mut g = at_area("S4");
        put(&mut g, "regular", 1, "S4");
        put(&mut g, "Shawnee", 1, "S4");
        let s4 = at(&g, "S4");
        g.land_mut(s4).settlers = 1;
        let fight = g.battle_mut();
        fight.start = [11, 6];
        (fight.lost, fight.headless, fight.walked) = (case.lost, case.headless, case.walked);
        let mut run = settled(&g, &[]);
        run.all_first();
        let end = run.over();
        let gone = ["regular", "Shawnee"].map(|kind| count(&end, kind, "S4") == 0);
        let which = (case.lost, case.headless, case.walked);
        assert_eq!((end.vps, gone), (case.vps, case.leaves), "{which:?}");
        // Settlers stay where the US does.
        assert_eq!(end.people(s4), u8::from(!case.leaves[0]), "{which:?}");
        assert!(end.fight.is_none());
    }
}

/// In 1790 only Miami and Shawnee land, Cincinnati and U3 are open: who leaves a battle goes there.
///
/// dark-and-bloody-ground 10.7.1, 15.1.3
#[test]
fn who_leaves_keeps_to_the_land_of_the_scenario() {
    let mut g = at_area("S4");
    put(&mut g, "regular", 1, "S4");
    put(&mut g, "Shawnee", 1, "S4");
    let begin = |scenario: &str| {
        let mut g = g.clone();
        g.scenario = g.c.scenarios.iter().position(|s| s.id == scenario).expect("a scenario");
        settled(&g, &[])
    };
    // After a draw both sides leave. Of the towns only U1 is in bounds, so only the Indians are
    // asked; elsewhere the US would choose among U1, U2 and P1.
    let mut run = begin("harmar-1790");
    assert_eq!(run.asked(), [(Seat(1), "battle-relocate")]);
    assert!(run.try_say("1 shawnee at w2").is_err());
    run.say("1 shawnee at s5");
    let end = run.over();
    assert_eq!((count(&end, "regular", "U1"), count(&end, "Shawnee", "S5")), (1, 1));
    let run = begin("ohio-1790");
    assert!(run.asked().contains(&(Seat(0), "battle-relocate")));
}

/// dark-and-bloody-ground 10.7.1, 11.2.2
#[test]
fn who_leaves_for_a_fort_is_inside() {
    let mut g = at_area("S4");
    let u = put(&mut g, "regular", 1, "S4")[0];
    let hamtramck = lead(&mut g, "Hamtramck", "S4");
    us_fort(&mut g, "U3");
    (g.battle_mut().start, g.battle_mut().headless) = ([6, 6], [true, false]);
    let mut run = settled(&g, &[]);
    run.say("1 regular at u3, 1 hamtramck at u3");
    let end = run.over();
    let u3 = Spot::On(at(&end, "U3"));
    assert_eq!((end.unit(u).spot, end.unit(u).inside), (u3, true));
    assert_eq!((end.chief(hamtramck).spot, end.chief(hamtramck).inside), (u3, true));
    // In a town without a fort they are outside.
    let mut run = settled(&g, &[]);
    run.say("1 regular at u1, 1 hamtramck at u1");
    let end = run.over();
    assert_eq!(
        (end.unit(u).spot, end.unit(u).inside, end.chief(hamtramck).inside),
        (Spot::On(at(&end, "U1")), false, false)
    );
}

/// Warriors in the fort and raiders are not of the force.
///
/// dark-and-bloody-ground 10.7.1
#[test]
fn a_leader_falls_with_the_last_of_his_warriors() {
    for (left, inside, raids, falls) in [
        (None, false, false, true),
        (Some("Shawnee"), false, false, false),
        (Some("Miami"), false, false, true),
        (Some("Shawnee"), true, false, true),
        (Some("Shawnee"), false, true, true),
    ] {
        let mut g = at_area("S4");
        let dead = stand(&mut g, "Shawnee", "0806");
        g.slay(dead);
        g.vps = [0; 2];
        let s4 = at(&g, "S4");
        g.land_mut(s4).fort = Some(Fort::of(Side::Na));
        if let Some(kind) = left {
            let u = if inside || raids {
                put(&mut g, kind, 1, "S4")[0]
            } else {
                let i = stand(&mut g, kind, "0306");
                g.battle().pieces[i].unit
            };
            let unit = g.unit_mut(u);
            (unit.spot, unit.inside, unit.raiding) = (Spot::On(s4), inside, raids);
        }
        head(&mut g, "Blue Jacket", "0806");
        let blue_jacket = lead(&mut g, "Blue Jacket", "S4");
        g.battle_mut().start = [6, 6];
        let mut run = settled(&g, &[]);
        run.all_first();
        let end = run.over();
        assert_eq!(
            (end.chief(blue_jacket).spot == Spot::Gone, end.vps),
            (falls, [if falls { 3 } else { 0 }, 0]),
            "{left:?}, inside {inside}, raids {raids}"
        );
    }
}

/// dark-and-bloody-ground 10.7.1, 15.4.5
#[test]
fn a_force_with_nowhere_to_go_is_eliminated() {
    let mut g = at_area("S4");
    put(&mut g, "Shawnee", 2, "S4");
    let girty = lead(&mut g, "Girty", "S4");
    for a in g.c.area_ids().collect::<Vec<_>>() {
        g.land_mut(a).pillaged = true;
        g.land_mut(a).fort = None;
    }
    let fight = g.battle_mut();
    (fight.start, fight.headless) = ([6, 6], [false, true]);
    let jacket = lead(&mut g, "Blue Jacket", "S4");
    let end = settled(&g, &[]).over();
    assert_eq!((count(&end, "Shawnee", "S4"), end.chief(girty).spot), (0, Spot::Gone));
    // The battle is worth 4, each unit 2, and the leaders their ranks.
    assert_eq!(end.vps, [4 + 2 * 2 + 1 + 3, 0]);
    // Blue Jacket's replacement finds no warriors left.
    assert_eq!([end.chief(jacket).spot, end.chief(leader(&end, "Shawnee replacement")).spot], [Spot::Gone, Spot::Pool]);
}

/// Girty, alone after a battle, goes neither to warriors in pillaged land nor to warriors outside
/// the land of all nations, and does not stay with warriors at peace in the area of the battle.
///
/// dark-and-bloody-ground 10.7.1
#[test]
fn an_agent_alone_leaves_for_whole_land_with_warriors() {
    let mut g = at_area("S4");
    let girty = lead(&mut g, "Girty", "S4");
    // The Wyandot are at peace: face down, they do not fight, but he may join them.
    for id in ["S4", "W1", "W3", "U3"] {
        put(&mut g, "Wyandot", 1, id);
    }
    let w3 = at(&g, "W3");
    g.land_mut(w3).pillaged = true;
    for id in ["s4", "w3", "u3"] {
        assert!(settled(&g, &[]).try_say(&format!("1 girty at {id}")).is_err(), "{id}");
    }
    let mut trial = settled(&g, &[]);
    trial.say("1 girty at w1");
    assert_eq!(trial.over().chief(girty).spot, Spot::On(at(&g, "W1")));
}

/// Nobody is relocated to an area that the enemy holds with units or a fort (house reading).
///
/// dark-and-bloody-ground 10.7.1
#[test]
fn who_leaves_does_not_go_where_enemies_are() {
    let mut g = at_area("S4");
    put(&mut g, "Shawnee", 1, "S4");
    put(&mut g, "regular", 1, "S5");
    us_fort(&mut g, "S6");
    // A draw: the warriors leave.
    let mut run = settled(&g, &[]);
    assert_eq!(run.asked(), [(Seat(1), "battle-relocate")]);
    for held in ["s5", "s6"] {
        assert!(run.try_say(&format!("1 shawnee at {held}")).is_err(), "{held}");
    }
    run.say("1 shawnee at s3");
    assert_eq!(count(&run.over(), "Shawnee", "S3"), 1);
}
