//! Settlers and villages (4.2, 6, 15.4.5).

use super::{
    super::{army, components::*, events, settlers, setup, state::*, testing::*},
    activation::acting,
};
use postrider_table::Seat;

const US: Seat = Seat(0);

fn settling(g: State, event: bool) -> Trial {
    Trial::new(g, move |t, mut g| async move {
        let event = if event { events::phase(&t, &mut g).await } else { None };
        settlers::phase(&t, &mut g, event).await;
        g
    })
}

/// Returns a position with three settlers at K1 who have already scored.
fn three_at_k1() -> State {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    let k1 = at(&g, "K1");
    g.land_mut(k1).settlers = 3;
    g.settled[k1.index()] = true;
    g
}

/// dark-and-bloody-ground 6.0.2, 6.0.3, 4.2
#[test]
fn settlers_who_fled_count_for_a_village() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Winter, 3);
    let u1 = at(&g, "U1");
    (g.land_mut(u1).settlers, g.land_mut(u1).fled) = (1, 3);
    let mut trial = settling(g.clone(), false).start();
    trial.check_options(2);
    trial.say("village at u1");
    let end = trial.over();
    let land = end.land(u1);
    assert_eq!((land.village, land.settlers, land.fled), (true, 0, 1), "who fled goes last");
    // Settlers who move on do not count for the exchange.
    g.season = Season::Summer;
    let mut trial = settling(g.clone(), false).any_dice([3, 6]).start();
    trial.check_options(2);
    assert!(trial.refused("village at u1, 2 refugee-of-u1 at u3").contains("6.0.3"));
    trial.say("village at u1, 1 refugee-of-u1 at u3, 4 settler at u1");
    let end = trial.over();
    let land = end.land(u1);
    assert_eq!((land.village, land.settlers, land.fled, end.people(at(&g, "U3"))), (true, 4, 0, 1));
}

/// dark-and-bloody-ground 15.4.5
#[test]
fn settled_ground_scores_nothing_for_settlers() {
    let award = |id: &str| {
        let mut g = war();
        let a = at(&g, id);
        g.land_mut(a).settlers = 1;
        let trial = Trial::new(g, |t, mut g| async move {
            settlers::award(&t, &mut g);
            g
        });
        trial.start().over().vps
    };
    assert_eq!([award("U1"), award("K3"), award("K1")], [[0, 0], [0, 0], [1, 0]]);
}

/// dark-and-bloody-ground 15.4.5, 6.0.1
#[test]
fn what_the_set_up_settles_scores_nothing() {
    let g = setup::position(Components::builtin().clone(), "harmar-1790", Default::default());
    let mut trial = Trial::new(g, |t, mut g| async move {
        setup::campaign(&t, &mut g).await;
        settlers::award(&t, &mut g);
        g
    })
    .start();
    trial.all_first();
    assert_eq!(trial.over().vps, [0, 0]);
}

/// dark-and-bloody-ground 6.0.3, 8.4
#[test]
fn a_village_beside_a_permanent_settlement_counts() {
    let mut g = war();
    let u1 = at(&g, "U1");
    let before = army::militia_modifiers(&g).total();
    g.land_mut(u1).village = true;
    assert_eq!(army::militia_modifiers(&g).total(), before + 1);
    assert_eq!((g.towns(|a| g.c[a].state == Province::Ohio), g.towns(|_| true)), (3, 4));
}

/// dark-and-bloody-ground 6.0.2, 9.5.2
#[test]
fn nobody_flees_into_a_pillaged_town() {
    let mut g = war();
    g.commitment = 3;
    let (k2, u1) = (at(&g, "K2"), at(&g, "U1"));
    (g.land_mut(k2).settlers, g.land_mut(u1).pillaged) = (1, true);
    let mut trial = Trial::new(g, move |t, mut g| async move {
        settlers::strike(&t, &mut g, k2).await;
        g
    })
    .any_dice([1])
    .start();
    trial.all_first();
    let end = trial.over();
    assert_eq!((end.people(u1), end.land.iter().map(|land| land.fled).sum::<u8>()), (0, 1));
}

/// dark-and-bloody-ground 4.2, 6.0.1, 6.0.3
#[test]
fn villages_and_settlers_are_one_order() {
    let mut trial = settling(three_at_k1(), false).any_dice([3, 6]).start();
    trial.check_options(2);
    assert!(trial.refused("2 settler at k1").contains("no room"), "three are there");
    trial.say("village at k1, 2 settler at k1, 2 settler at k2");
    let g = trial.over();
    let (k1, k2) = (at(&g, "K1"), at(&g, "K2"));
    assert_eq!((g.land(k1).village, g.land(k1).settlers, g.land(k2).settlers), (true, 2, 2));
    // One more area became settled.
    assert_eq!(g.vps[0], 1);
    // No settlers come in winter, but a village can still be exchanged (4.2).
    let mut winter = three_at_k1();
    winter.season = Season::Winter;
    let mut trial = settling(winter, false).start();
    assert_eq!(trial.asked(), [(US, "settlers")]);
    trial.say("none");
    assert!(!trial.over().land(k1).village);
}

/// dark-and-bloody-ground 4.1, 4.2, 5.0
#[test]
fn what_an_event_asks_of_the_us_comes_with_the_settlers() {
    // 1 and 3: Congress Appropriates More Funds, two Kentucky militia; then the settlers.
    let dice = [1, 3, 2, 0, 0, 3, 6];
    let mut trial = settling(three_at_k1(), true).any_dice(dice).start();
    assert_eq!(trial.asked(), [(US, "muster"), (US, "settlers")]);
    trial.say("2 kentucky-militia at u1").say("4 settler at k2");
    let g = trial.over();
    assert_eq!((count(&g, "kentucky-militia", "U1"), g.people(at(&g, "K2"))), (2, 4));
}

/// dark-and-bloody-ground 4.2, 6.0, 6.0.1, 6.0.3, 15.4.5
#[test]
fn settlers_spread_from_what_is_settled() {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    let (u1, s4) = (at(&g, "U1"), at(&g, "S4"));
    let settled: Vec<bool> = g.c.area_ids().map(|a| g.is_settled(a)).collect();
    assert!(settlers::may_settle(&g, s4, &settled), "beside Cincinnati");
    assert!(!settlers::may_settle(&g, at(&g, "M1"), &settled), "far from all settlements");
    put(&mut g, "Shawnee", 1, "S4");
    assert!(settlers::may_settle(&g, s4, &settled), "face down");
    at_war(&mut g, "Shawnee", 3);
    assert!(!settlers::may_settle(&g, s4, &settled), "face-up warriors");
    g.land_mut(u1).atrocity = [0, 1];
    assert!(!settlers::may_settle(&g, u1, &settled), "an Atrocity marker");
    g.land_mut(u1).atrocity = [0, 0];
    g.land_mut(u1).pillaged = true;
    assert!(!settlers::may_settle(&g, u1, &settled), "pillaged");
    g.land_mut(u1).pillaged = false;
    g.land_mut(at(&g, "K1")).settlers = 3;
    let k1 = at(&g, "K1");
    g.settled[k1.index()] = true;
    let before = g.vps;
    let mut trial = settling(g, false).any_dice([3, 6]).start();
    assert!(trial.refused("5 settler at u1").contains("There are 4"));
    trial.say("village at k1, 2 settler at u3, 2 settler at k2");
    let g = trial.over();
    assert!(g.land(at(&g, "K1")).village && g.people(at(&g, "K1")) == 0);
    assert_eq!(g.terrain(at(&g, "K1")), Terrain::Settled);
    // Two areas became settled; the village had already scored as settlers.
    assert_eq!(g.vps[0], before[0] + 2);
}

/// dark-and-bloody-ground 6.0.2
#[test]
fn settlers_are_lost_or_flee() {
    let mut g = war();
    g.commitment = 2;
    let k2 = at(&g, "K2");
    g.land_mut(k2).settlers = 2;
    let strike = |g: State, die: i64| {
        let mut trial = Trial::new(g, move |t, mut g| async move {
            settlers::strike(&t, &mut g, k2).await;
            g
        })
        .any_dice([die])
        .start();
        trial.all_first();
        trial.over()
    };
    let lost = strike(g.clone(), 3);
    // The US has no VP to lose, so NA gets it in addition to the one for the settler.
    assert_eq!((lost.people(k2), lost.vps), (1, [0, 2]));
    let fled = strike(g, 2);
    assert_eq!((fled.people(k2), fled.vps, fled.land(at(&fled, "U1")).fled), (1, [0, 0], 1));
}

/// Even a single settler goes to Ohio on a 1 to 3, where half are placed, rounded up; on a 4 to 5
/// two thirds of one are rounded up or down, and on a 6 he goes anywhere.
///
/// dark-and-bloody-ground 6.0.1, T:settler-generation-chart
#[test]
fn a_single_settler_goes_where_the_second_die_says() {
    for (die, ohio, east) in [(3, true, false), (4, true, true), (6, true, true)] {
        let mut g = war();
        // 2 in summer at Commitment 1: +1 and -2.
        (g.season, g.commitment) = (Season::Summer, 1);
        let answers = settling(g, false).any_dice([2, die]).start().words().join(" ").to_lowercase();
        let comes = |ids: &[&str]| ids.iter().any(|id| answers.contains(&format!("at {id}")));
        assert_eq!((comes(&["g", "u", "s", "m", "d"]), comes(&["k", "v", "p"])), (ohio, east), "{die}: {answers}");
    }
}

/// dark-and-bloody-ground 15.4.5, 9.2.1
#[test]
fn an_area_settled_again_scores_again() {
    for (settlers, vps) in [(1, 1), (2, 0)] {
        let mut g = war();
        (g.season, g.commitment) = (Season::Summer, 3);
        let k1 = at(&g, "K1");
        g.land_mut(k1).settlers = settlers;
        g.settled[k1.index()] = true;
        let mut run = acting(g, Side::Na, 6);
        run.say("atrocity k1");
        let mut g = run.now();
        assert_eq!(g.people(k1), settlers - 1);
        (g.land_mut(k1).atrocity, g.vps) = ([0; 2], [0; 2]);
        let mut run = settling(g, false).any_dice([1, 6]).start();
        run.say("1 settler at k1");
        assert_eq!(run.over().vps[0], vps, "{settlers}");
    }
}
