//! What is asked together, or not at all, from version 4 of the rules on.

use super::{
    super::{components::*, events, leaders, mobilization, settlers, skirmish, state::*, testing::*},
    board::{board, set, stand},
};
use crate::table::{Seat, status::Condition};

const US: Seat = Seat(0);
const NA: Seat = Seat(1);

fn mobilized(g: State) -> Trial {
    Trial::new(g, |t, mut g| async move {
        mobilization::phase(&t, &mut g).await;
        g
    })
}

/// Two nations that roll; all others are out of the war.
fn two_left(vps: i32) -> State {
    let mut g = war();
    for n in g.c.nation_ids().filter(|&n| !matches!(&*g.c[n].name, "Ottawa" | "Miami")).collect::<Vec<_>>() {
        g.tribe_mut(n).stance = Stance::Surrendered;
    }
    g.vps = [vps, 0];
    put(&mut g, "Ottawa", 2, "O2");
    lead(&mut g, "Little Turtle", "M1");
    g
}

/// dark-and-bloody-ground 8.1, 8.6.3
#[test]
fn the_order_and_the_treaties_are_plans() {
    let mut trial = mobilized(two_left(5)).dice("mobilization", [1, 2]).start();
    assert_eq!(trial.asked(), [(NA, "next-nation"), (US, "treaties")]);
    trial.check_options(5);
    trial.say("miami, ottawa");
    assert_eq!(trial.asked(), [(US, "treaties")]);
    assert!(trial.try_say("1 treaty at miami").is_err(), "Little Turtle is on the map");
    trial.say("2 treaties for ottawa");
    trial.all_first();
    let g = trial.over();
    // The Ottawa roll last: two less two is none. Four VPs for the treaties, five for the surrender.
    assert_eq!(g.tribe(nation(&g, "Ottawa")).stance, Stance::Surrendered);
    assert_eq!(g.vps, [5 - 4 + 5, 0]);
}

/// dark-and-bloody-ground 8.6.3
#[test]
fn treaties_are_paid_as_far_as_vps_reach() {
    let mut trial = mobilized(two_left(3)).dice("mobilization", [6, 5]).start();
    trial.say("as listed").say("2 treaties at ottawa");
    trial.all_first();
    assert_eq!(trial.over().vps[0], 1, "one of the two");
    // Below two VPs there is nothing to ask.
    let mut trial = mobilized(two_left(1)).dice("mobilization", [6, 5]).start();
    assert_eq!(trial.asked(), [(NA, "next-nation")]);
    // Before version 4 each is asked in its turn.
    let mut old = two_left(5);
    old.variant.version = 3;
    let mut trial = mobilized(old).dice("mobilization", [6, 5]).start();
    assert_eq!(trial.asked(), [(NA, "next-nation")]);
    trial.say("ottawa");
    assert_eq!(trial.asked(), [(US, "treaties")]);
}

fn settled(g: State, event: bool) -> Trial {
    Trial::new(g, move |t, mut g| async move {
        let event = if event { events::phase(&t, &mut g).await } else { None };
        settlers::phase(&t, &mut g, event).await;
        g
    })
}

/// Settlers of K1 who had time to settle down.
fn three_at_k1() -> State {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    let k1 = at(&g, "K1");
    g.land_mut(k1).settlers = 3;
    g.settled[k1.index()] = true;
    g
}

/// dark-and-bloody-ground 4.2, 6.0.1, 6.0.3
#[test]
fn villages_and_settlers_are_one_order() {
    let mut trial = settled(three_at_k1(), false).any_dice([3, 6]).start();
    trial.check_options(2);
    assert!(trial.refused("2 settler at k1").contains("no room"), "three are there");
    trial.say("village at k1, 2 settler at k1, 2 settler at k2");
    let g = trial.over();
    let (k1, k2) = (at(&g, "K1"), at(&g, "K2"));
    assert_eq!((g.land(k1).village, g.land(k1).settlers, g.land(k2).settlers), (true, 2, 2));
    // One area became settled anew.
    assert_eq!(g.vps[0], 1);
    // In winter nobody comes, and a village can be made all the same (4.2).
    let mut winter = three_at_k1();
    winter.season = Season::Winter;
    let mut trial = settled(winter, false).start();
    assert_eq!(trial.asked(), [(US, "settlers")]);
    trial.say("none");
    assert!(!trial.over().land(k1).village);
}

/// dark-and-bloody-ground 4.1, 4.2, 5.0
#[test]
fn what_an_event_asks_of_the_us_comes_with_the_settlers() {
    // One and three: Congress Appropriates More Funds, two militia of Kentucky; then the settlers.
    let dice = [1, 3, 2, 0, 0, 3, 6];
    let mut trial = settled(three_at_k1(), true).any_dice(dice).start();
    assert_eq!(trial.asked(), [(US, "muster"), (US, "settlers")]);
    trial.say("2 kentucky-militia at u1").say("4 settler at k2");
    let g = trial.over();
    assert_eq!((count(&g, "kentucky-militia", "U1"), g.people(at(&g, "K2"))), (2, 4));
    let mut old = three_at_k1();
    old.variant.version = 3;
    let mut trial = settled(old, true).any_dice(dice).start();
    assert_eq!(trial.asked(), [(US, "muster")]);
    trial.say("2 kentucky-militia at u1");
    assert_eq!(trial.asked(), [(US, "settlers")], "whether there is a village comes first");
    trial.say("no").say("4 settler at k2");
    trial.over();
}

/// dark-and-bloody-ground 14.0.8
#[test]
fn the_us_says_who_is_relieved() {
    let relieved = |version: u32, words: Option<&str>| {
        let mut g = war();
        g.variant.version = version;
        for name in ["Harmar", "Wayne", "Hamtramck", "Butler", "US replacement 2"] {
            lead(&mut g, name, "U1");
        }
        let before = ["Harmar", "Hamtramck", "US replacement 2"].map(|name| leader(&g, name));
        let mut trial = Trial::new(g, move |t, mut g| async move {
            leaders::limit(&t, &mut g, &before).await;
            g
        })
        .start();
        if let Some(words) = words {
            assert_eq!(trial.asked(), [(US, "removal")]);
            assert!(trial.try_say("butler").is_err(), "he has just come");
            trial.say(words);
        }
        let g = trial.over();
        ["Harmar", "Wayne", "Hamtramck", "Butler", "US replacement 2"].map(|name| g.chief(leader(&g, name)).spot)
    };
    let here = Spot::On(at(&war(), "U1"));
    assert_eq!(relieved(4, Some("hamtramck")), [Spot::Gone, here, Spot::Gone, here, here]);
    assert_eq!(relieved(4, Some("US replacement 2")), [Spot::Gone, here, here, here, Spot::Pool]);
    assert_eq!(relieved(3, None), [Spot::Gone, here, here, here, Spot::Pool], "the program picked");
}

/// dark-and-bloody-ground 11.1, 11.1.1
#[test]
fn like_units_one_to_one_are_paired_unasked() {
    let skirmish = |version: u32, nations: &[&str]| {
        let mut g = war();
        (g.variant.version, g.commitment, g.initiative) = (version, 3, Side::Us);
        put(&mut g, "regular", 2, "S5");
        for &name in nations {
            at_war(&mut g, name, 3);
            put(&mut g, name, 2 / nations.len(), "S5");
        }
        let s5 = at(&g, "S5");
        Trial::new(g, move |t, mut g| async move {
            skirmish::open(&t, &mut g, s5).await;
            g
        })
        .dice("skirmish, US", [3, 3])
        .dice("skirmish, NA", [3, 3])
        .start()
    };
    assert_eq!(skirmish(4, &["Shawnee"]).asked(), []);
    assert_eq!(skirmish(3, &["Shawnee"]).asked(), [(US, "pairing")]);
    // Who fights first counts where the enemies differ, who fights whom does not: the regulars are alike.
    assert_eq!(skirmish(4, &["Shawnee", "Miami"]).asked(), [(US, "pair-order")]);
}

/// dark-and-bloody-ground 10.4.1
#[test]
fn of_like_units_too_many_in_a_hex_one_goes_unasked() {
    let crowded = |version: u32, shaken: bool| {
        let mut g = board(Terrain::Wilderness);
        g.variant.version = version;
        let woods = g.field().grid.hexes().find(|&hex| g.field().ground[hex] == Ground::Woods).expect("woods");
        let id = g.field().grid.id(woods);
        let units: Vec<usize> = (0..3).map(|_| stand(&mut g, "Shawnee", &id)).collect();
        if shaken {
            set(&mut g, units[2], Condition::Disrupted);
        }
        let mut trial = Trial::new(g, |t, mut g| async move {
            super::super::battle::march_for_tests(&t, &mut g, Side::Na).await;
            g
        })
        .start();
        let told = trial.cautions("done").join(" ");
        assert!(told.contains(&format!("1 unit is too many in {id}")), "{told}");
        trial.say("done");
        trial.asked()
    };
    assert_eq!(crowded(4, false), []);
    assert_eq!(crowded(4, true), [(NA, "battle-stack")], "they differ");
    assert_eq!(crowded(3, false), [(NA, "battle-stack")]);
}

/// dark-and-bloody-ground 12.0.4, 13.0, 14.0.5
#[test]
fn homes_are_asked_for_in_one_letter() {
    use super::super::homes;
    let mut g = war();
    g.season = Season::Winter;
    for name in ["Shawnee", "Miami"] {
        at_war(&mut g, name, 3);
    }
    put(&mut g, "Miami", 7, "M1");
    put(&mut g, "Shawnee", 3, "S5");
    let raiders = put(&mut g, "Shawnee", 2, "K2");
    let jacket = lead(&mut g, "Blue Jacket", "K2");
    raiders.iter().for_each(|&u| g.unit_mut(u).raiding = true);
    g.chief_mut(jacket).raiding = true;
    lead(&mut g, "McKee", "W2");
    let mut trial = Trial::new(g, |t, mut g| async move {
        let winter = homes::asked(&t, &mut g).await;
        assert!(g.unit_ids().all(|u| !g.unit(u).raiding));
        homes::winter(&mut g, &winter);
        g
    })
    .start();
    assert_eq!(trial.asked(), [(NA, "home"), (NA, "home")]);
    trial.check_options(5);
    assert!(trial.try_say("2 shawnee at k2, blue jacket at s5, mckee at m1").is_err(), "no home of theirs");
    trial.say("2 shawnee at s5, blue jacket at s5, mckee at m1");
    // A fort has room for ten, whoever they are.
    let refused = trial.refused("5 shawnee at w2, blue jacket at s5, 7 miami at w2");
    assert!(refused.contains("no room"), "{refused}");
    trial.say("3 shawnee at w2, 2 shawnee at s4, blue jacket at s5, 7 miami at w2");
    let g = trial.over();
    let inside = g.unit_ids().filter(|&u| g.unit(u).inside && g.unit(u).spot == Spot::On(at(&g, "W2"))).count();
    assert_eq!((inside, count(&g, "Shawnee", "S4"), g.chief(jacket).spot), (10, 2, Spot::On(at(&g, "S5"))));
    assert_eq!(g.chief(leader(&g, "McKee")).spot, Spot::On(at(&g, "M1")));
}

/// dark-and-bloody-ground 8.3.2, 8.4.1, 8.5.2
#[test]
fn all_that_comes_in_spring_is_placed_in_one_letter() {
    let mut g = war();
    (g.commitment, g.season, g.year) = (2, Season::Spring, 1791);
    put(&mut g, "regular", 6, "U1");
    lead(&mut g, "Harmar", "U1");
    let mut trial = Trial::new(g, |t, mut g| async move {
        super::super::army::together(&t, &mut g, true, true, true).await;
        g
    })
    .dice("US Army", [6])
    .dice("militia call", [1])
    .dice("cost of a group", [1])
    .dice("militia of a group", [1])
    .dice("militia", [0; 3])
    .start();
    assert_eq!(trial.asked(), [(US, "group")]);
    // Two regulars are on their way: the group brings what fifteen lack then.
    trial.say("yes");
    assert_eq!(trial.asked(), [(US, "muster"), (US, "muster"), (US, "muster")]);
    trial.check_options(3);
    trial.say("2 regular at u1");
    trial.all_first();
    let g = trial.over();
    let regulars =
        g.units.iter().filter(|u| g.c[u.kind].class == Class::Regular && matches!(u.spot, Spot::On(_) | Spot::Edge));
    assert_eq!((regulars.count(), count(&g, "regular", "U1") >= 8), (15, true));
    // No counter of militia was drawn twice.
    let militia = g.units.iter().filter(|u| g.c[u.kind].class == Class::Militia && u.spot != Spot::Pool).count();
    let called = 1 + super::super::army::militia_modifiers(&g).total().max(0) as usize;
    assert!(militia >= 2, "{militia} of {called}");
}
