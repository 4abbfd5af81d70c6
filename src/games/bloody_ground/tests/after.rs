//! The consequences of a battle on the map (10.7).

use super::{
    super::{battle, components::*, state::*, testing::*},
    board::{board, set, stand},
};
use postrider_table::{Seat, status::Condition};

/// Returns a battle at an area of the map.
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
    assert!(trial.refused("1 regular, 1 routed regular at fort").contains("1 find room, not 2"));
}
