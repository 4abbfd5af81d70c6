//! Mobilization and reinforcements (8).

use super::{
    super::{army, british, commitment, components::*, events, mobilization, state::*, testing::*},
    activation::acting,
};
use postrider_table::Seat;

const US: Seat = Seat(0);
const NA: Seat = Seat(1);

/// dark-and-bloody-ground 8.1.1, 8.6.2
#[test]
fn levels_are_the_base_at_the_beginning_of_spring() {
    let mut g = war();
    let (miami, mingo) = (nation(&g, "Miami"), nation(&g, "Mingo"));
    for (season, level) in [(Season::Spring, g.c[miami].base), (Season::Summer, 5)] {
        g.season = season;
        (g.tribe_mut(miami).ml, g.tribe_mut(mingo).ml) = (5, 0);
        g.tribe_mut(mingo).stance = Stance::Surrendered;
        let rule = |t, mut g| async move {
            super::super::play::turn(&t, &mut g).await;
            g
        };
        let run = Trial::new(g.clone(), rule).any_dice([1; 20]).start();
        let now = run.now();
        assert_eq!((now.tribe(miami).ml, now.tribe(mingo).ml), (level, 0), "{season:?}");
    }
}

/// dark-and-bloody-ground 8.1, T:native-american-mobilization-chart, 14.0.3
#[test]
fn what_moves_a_nation() {
    let mut g = war();
    let shawnee = nation(&g, "Shawnee");
    let total = |g: &State, treaties: i32| mobilization::modifiers(g, shawnee, treaties).total();
    assert_eq!(total(&g, 0), 0);
    lead(&mut g, "Black Hoof", "S5");
    assert_eq!(total(&g, 0), 2);
    lead(&mut g, "Tecumseh", "S5");
    // His own +1, and the +1 that he gives the leader.
    assert_eq!(total(&g, 0), 4);
    g.vps = [12, 2];
    assert_eq!(total(&g, 0), 5);
    g.vps = [2, 12];
    assert_eq!(total(&g, 0), 3);
    g.vps = [0, 0];
    let (s1, s2, s3) = (at(&g, "S1"), at(&g, "S2"), at(&g, "S3"));
    g.land_mut(s1).village = true;
    g.land_mut(s2).pillaged = true;
    g.land_mut(s3).atrocity = [2, 0];
    assert_eq!(total(&g, 2), 4 - 1 - 1 + 2 - 2);
    put(&mut g, "Shawnee", 2, "W2");
    assert_eq!(total(&g, 0), 5);
    let k = g.kekionga();
    g.land_mut(k).pillaged = true;
    assert_eq!(total(&g, 0), 4);
}

/// dark-and-bloody-ground 14.0.3, 8.1
#[test]
fn tecumseh_raises_one_leader_for_mobilization() {
    let mut g = only(war(), &["Wyandot", "Ottawa"]);
    let leaders = ["Tarhe", "Egushawa", "Tecumseh"].map(|name| lead(&mut g, name, "W2"));
    let ratings = |g: &State| [g.rating(leaders[0]), g.rating(leaders[1])];
    let printed = [0, 1].map(|at| i32::from(g.c[leaders[at]].command));
    for (named, raised) in [("tarhe", [1, 0]), ("egushawa", [0, 1])] {
        let mut trial = phase(g.clone()).start();
        assert_eq!(trial.asked()[0].1, "rating");
        trial.check_options(2);
        trial.say(named);
        assert_eq!(ratings(&trial.now()), [printed[0] + raised[0], printed[1] + raised[1]], "{named}");
    }
    g.chief_mut(leaders[0]).inside = true;
    assert_eq!(ratings(&g), [printed[0], printed[1] + 1]);
}

fn phase(g: State) -> Trial {
    Trial::new(g, |t, mut g| async move {
        mobilization::phase(&t, &mut g).await;
        g
    })
}

fn only(mut g: State, names: &[&str]) -> State {
    for n in g.c.nation_ids() {
        if !names.contains(&&*g.c[n].name) {
            g.tribe_mut(n).stance = Stance::Surrendered;
        }
    }
    g
}

/// dark-and-bloody-ground 4.4, 8.0, 8.1, 8.1.1
#[test]
fn nations_roll_against_their_base() {
    let mut g = only(war(), &["Wyandot", "Ottawa"]);
    put(&mut g, "Wyandot", 2, "W1");
    put(&mut g, "Wyandot", 1, "W3");
    lead(&mut g, "Tarhe", "W3");
    let mut trial = phase(g).dice("mobilization", [2, 1]).start();
    trial.check_options(2);
    // 2 plus Tarhe's 2 exceeds the base of 3: war, and the warriors gather.
    trial.say("wyandot, ottawa").say("2 warrior at w1");
    let g = trial.over();
    let (wyandot, ottawa) = (g.tribe(nation(&g, "Wyandot")), g.tribe(nation(&g, "Ottawa")));
    assert_eq!((wyandot.stance, wyandot.ml, wyandot.rose), (Stance::Warpath, 4, 1));
    assert_eq!((ottawa.stance, ottawa.ml), (Stance::Peaceful, 1));
    assert_eq!(count(&g, "Wyandot", "W3"), 3);
}

/// dark-and-bloody-ground 8.6, 8.6.1, 8.6.2, 8.6.3, 15.4.5
#[test]
fn treaties_and_surrender() {
    let mut g = only(war(), &["Ottawa", "Miami"]);
    g.vps = [5, 0];
    put(&mut g, "Ottawa", 2, "O2");
    let inside = put(&mut g, "Ottawa", 1, "O1")[0];
    lead(&mut g, "Little Turtle", "M1");
    let (ottawa, miami) = (nation(&g, "Ottawa"), nation(&g, "Miami"));
    assert_eq!((mobilization::offers(&g, ottawa), mobilization::offers(&g, miami)), (2, 0));
    lead(&mut g, "Tecumseh", "O4");
    assert_eq!(mobilization::offers(&g, ottawa), 0, "Tecumseh is with them");
    g.chief_mut(leader(&g, "Tecumseh")).spot = Spot::Pool;
    let mut trial = phase(g).dice("mobilization", [2, 1]).start();
    trial.say("ottawa, miami");
    assert_eq!(trial.asked(), [(US, "treaties")]);
    trial.say("2 treaties at ottawa");
    trial.all_first();
    let g = trial.over();
    assert_eq!(g.tribe(ottawa).stance, Stance::Surrendered);
    // -4 for the treaties, +5 for the surrender.
    assert_eq!(g.vps, [5 - 4 + 5, 0]);
    assert_eq!((count(&g, "Ottawa", "O2"), g.unit(inside).spot), (0, Spot::On(at(&g, "O1"))));
    assert_eq!(g.level(inside), 0);
}

/// dark-and-bloody-ground 8.1.1
#[test]
fn the_rating_may_be_held_back() {
    let mut g = only(war(), &["Ottawa"]);
    g.variant.rating_after_roll = true;
    lead(&mut g, "Egushawa", "O2");
    let mut trial = phase(g.clone()).dice("mobilization", [1]).start();
    assert_eq!(trial.asked(), [(NA, "rating")]);
    trial.say("no");
    assert_eq!(trial.over().tribe(nation(&g, "Ottawa")).stance, Stance::Peaceful);
    let mut trial = phase(g.clone()).dice("mobilization", [1]).start();
    assert_eq!(trial.say("yes").over().tribe(nation(&g, "Ottawa")).stance, Stance::Warpath);
}

/// dark-and-bloody-ground 8.1.3
#[test]
fn the_iroquois_leave_with_the_last_war() {
    let mut g = war();
    let n = at_war(&mut g, "Iroquois", 2);
    put(&mut g, "Iroquois", 2, "I3");
    at_war(&mut g, "Shawnee", 3);
    let leave = |g: &State| {
        let trial = Trial::new(g.clone(), |t, mut g| async move {
            super::super::events::iroquois_leave(&t, &mut g);
            g
        });
        let end = trial.start().over();
        (count(&end, "Iroquois", "I3"), end.tribe(n).stance)
    };
    assert_eq!(leave(&g), (2, Stance::Warpath));
    let shawnee = nation(&g, "Shawnee");
    g.tribe_mut(shawnee).stance = Stance::Peaceful;
    assert_eq!(leave(&g), (0, Stance::Peaceful));
}

/// dark-and-bloody-ground 8.1.2, 8.1.3
#[test]
fn trespass_wakes_a_nation() {
    let mut g = war();
    put(&mut g, "regular", 1, "M5");
    let (miami, iroquois) = (nation(&g, "Miami"), nation(&g, "Iroquois"));
    let roll = |g: State, n: NationId, die: Option<i64>| {
        Trial::new(g, move |t, mut g| async move {
            mobilization::trespass(&t, &mut g, n).await;
            g
        })
        .any_dice(die)
        .start()
        .over()
    };
    assert_eq!(roll(g.clone(), miami, Some(1)).tribe(miami).stance, Stance::Peaceful);
    let end = roll(g.clone(), miami, Some(2));
    assert_eq!((end.tribe(miami).stance, end.tribe(miami).ml), (Stance::Warpath, 3));
    assert_eq!(roll(g, iroquois, None).tribe(iroquois).stance, Stance::Peaceful);
}

/// dark-and-bloody-ground 8.2, T:us-commitment-level-chart
#[test]
fn commitment_follows_the_war() {
    let mut g = war();
    let total = |g: &State| commitment::modifiers(g).total();
    assert_eq!(total(&g), -2, "no nation is at war");
    at_war(&mut g, "Miami", 3);
    assert_eq!(total(&g), -2, "but one");
    at_war(&mut g, "Shawnee", 3);
    assert_eq!(total(&g), -1);
    at_war(&mut g, "Wyandot", 3);
    assert_eq!(total(&g), 0);
    g.vps = [0, 3];
    g.forts_destroyed = 2;
    g.land_mut(at(&g, "K2")).atrocity = [0, 1];
    g.general_lost = [true, false];
    assert_eq!(total(&g), 1 + 2 + 1 + 1);
    g.british = true;
    g.vps = [3, 0];
    at_war(&mut g, "Iroquois", 2);
    put(&mut g, "Iroquois", 1, "I3");
    assert_eq!(total(&g), 2 + 1 + 1 - 2 - 1 - 1);
    let roll = |commitment: u8, die: i64| {
        let mut g = war();
        g.commitment = commitment;
        for name in ["Miami", "Shawnee", "Wyandot"] {
            at_war(&mut g, name, 3);
        }
        Trial::new(g, |t, mut g| async move {
            commitment::roll(&t, &mut g);
            g
        })
        .any_dice([die])
        .start()
        .over()
        .commitment
    };
    assert_eq!([roll(3, 1), roll(3, 2), roll(3, 5), roll(3, 6), roll(1, 1), roll(5, 6)], [2, 3, 3, 4, 1, 5]);
}

/// dark-and-bloody-ground 8.3, 8.3.1, 8.3.2, T:us-army-mobilization-chart
#[test]
fn regulars_come_in_spring_up_to_the_limit() {
    let army = |g: State, die: i64| {
        let mut trial = Trial::new(g, |t, mut g| async move {
            army::phase(&t, &mut g, true, false, false).await;
            g
        })
        .any_dice([die])
        .start();
        trial.all_first();
        trial.over()
    };
    let mut g = war();
    (g.commitment, g.season) = (2, Season::Spring);
    put(&mut g, "regular", 6, "U1");
    let there = |g: &State| {
        g.units
            .iter()
            .filter(|u| g.c[u.kind].class == Class::Regular && matches!(u.spot, Spot::On(_) | Spot::Edge))
            .count()
    };
    assert_eq!([1, 2].map(|die| there(&army(g.clone(), die))), [7, 8]);
    assert_eq!(there(&army(g.clone(), 6)), 8, "four times Commitment");
    g.commitment = 1;
    let end = army(g.clone(), 6);
    assert_eq!((there(&end), end.vps), (4, [0, 0]), "the excess goes");
    g.units.iter_mut().for_each(|unit| unit.starved = true);
    let end = army(g, 6);
    assert_eq!((there(&end), end.vps), (6, [0, 2]), "who is Out of Supply stays, for 1 VP each");
}

/// dark-and-bloody-ground 8.4, 8.4.1, 8.4.2, 8.4.3, T:us-militia-mobilize-chart
#[test]
fn militia_comes_and_goes() {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Summer);
    // Three permanent settlements, and summer.
    assert_eq!(army::militia_modifiers(&g).total(), 4);
    assert_eq!([4, 5].map(|commitment| army::militia_modifiers(&State { commitment, ..g.clone() }).total()), [4, 5]);
    (g.season, g.commitment, g.raid_total, g.vps) = (Season::Fall, 1, 3, [2, 0]);
    g.land_mut(at(&g, "K2")).atrocity = [0, 3];
    assert_eq!(army::militia_modifiers(&g).total(), 3 - 1 - 2 - 3 - 1 - 1);
    let militia = |g: State, dice: &[i64]| {
        let mut trial = Trial::new(g, |t, mut g| async move {
            army::phase(&t, &mut g, false, true, false).await;
            g
        })
        .any_dice(dice.iter().copied())
        .start();
        trial.check_options(2);
        trial.all_first();
        trial.over()
    };
    let mut more = war();
    (more.commitment, more.season) = (3, Season::Fall);
    let end = militia(more, &[1, 0, 0, 0]);
    // The first three counters are from Kentucky and must be placed there.
    let placed: Vec<AreaId> =
        end.units.iter().filter(|u| end.c[u.kind].class == Class::Militia).filter_map(|u| u.spot.area()).collect();
    assert!(placed.len() == 3 && placed.iter().all(|&a| end.c[a].state == Province::Kentucky), "{placed:?}");
    // The result is -1: a unit must leave, or stay in its town.
    put(&mut g, "kentucky-militia", 1, "K3");
    let before = g.vps;
    let end = militia(g, &[4]);
    assert_eq!((count(&end, "kentucky-militia", "K3"), end.vps), (0, before));
}

/// dark-and-bloody-ground 8.5.2, 14.0.8
#[test]
fn group_a_fills_up_to_fifteen() {
    let mut g = war();
    (g.commitment, g.season, g.year) = (1, Season::Spring, 1791);
    put(&mut g, "regular", 7, "U1");
    put(&mut g, "pennsylvania-militia", 1, "P1");
    lead(&mut g, "Harmar", "U1");
    lead(&mut g, "Hamtramck", "U1");
    let mut trial = Trial::new(g, |t, mut g| async move {
        army::phase(&t, &mut g, false, false, true).await;
        g
    })
    .dice("militia of a group", [1])
    .dice("militia", [0])
    .start();
    trial.check_options(2);
    trial.say("yes");
    trial.all_first();
    let g = trial.over();
    let regulars =
        g.units.iter().filter(|u| g.c[u.kind].class == Class::Regular && matches!(u.spot, Spot::On(_) | Spot::Edge));
    assert_eq!((regulars.count(), g.groups, g.vps), (15, 1, [0, 0]));
    let on_map = |name: &str| g.chief(leader(&g, name)).spot.area().is_some();
    assert!(["St. Clair", "Butler", "Hamtramck", "Truby"].into_iter().all(on_map) && !on_map("Harmar"));
}

/// dark-and-bloody-ground 8.5, 8.5.3
#[test]
fn the_british_intervene_below_their_number() {
    let mut g = war();
    (g.commitment, g.season) = (2, Season::Summer);
    for name in ["Miami", "Wyandot", "Ottawa"] {
        at_war(&mut g, name, 3);
    }
    g.tribe_mut(nation(&g, "Mingo")).stance = Stance::Surrendered;
    put(&mut g, "regular", 1, "W2");
    assert_eq!(british::number(&g), 1);
    let phase = |g: State, dice: &[i64]| {
        let mut trial = Trial::new(g, |t, mut g| async move {
            british::phase(&t, &mut g).await;
            g
        })
        .any_dice(dice.iter().copied())
        .start();
        trial.all_first();
        trial.over()
    };
    assert!(!phase(g.clone(), &[]).british, "no die is below 1");
    g.forts_destroyed = 2;
    assert!(!phase(g.clone(), &[3]).british);
    let end = phase(g.clone(), &[2, 4]);
    let units =
        |class: Class| end.units.iter().filter(|u| end.c[u.kind].class == class && u.spot.area().is_some()).count();
    assert_eq!((end.british, units(Class::British), units(Class::Canadian)), (true, 6, 6));
    assert_eq!(end.level(end.unit_ids().find(|&u| end.class(u) == Class::British).expect("a unit")), MORALE);
    g.commitment = 5;
    assert!(!phase(g, &[]).british);
}

/// dark-and-bloody-ground 8.5.4, 14.0.7
#[test]
fn a_fallen_leader_is_replaced_by_his_state() {
    use super::super::leaders;
    let mut g = war();
    put(&mut g, "kentucky-militia", 2, "K2");
    let trotter = lead(&mut g, "Trotter", "K2");
    let end = Trial::new(g.clone(), move |t, mut g| async move {
        leaders::fall_on_map(&t, &mut g, trotter).await;
        g
    })
    .start()
    .over();
    assert_eq!(end.chief(leader(&end, "Kentucky replacement")).spot, Spot::On(at(&end, "K2")));
    assert_eq!((end.vps, end.chief(trotter).spot), ([0, 1], Spot::Gone));
    // Without a unit of his state he waits off the map.
    g.units.iter_mut().for_each(|unit| unit.spot = Spot::Pool);
    let end = Trial::new(g, |t, mut g| async move {
        leaders::settle_militia(&t, &mut g).await;
        g
    })
    .start()
    .over();
    assert_eq!(end.chief(trotter).spot, Spot::Pool);
}

/// dark-and-bloody-ground T:native-american-mobilization-chart
#[test]
fn two_warriors_stand_at_one_british_fort() {
    let mut g = war();
    let wyandot = nation(&g, "Wyandot");
    let total = |g: &State| mobilization::modifiers(g, wyandot, 0).total();
    put(&mut g, "Wyandot", 1, "W2");
    put(&mut g, "Wyandot", 1, "W5");
    assert_eq!(total(&g), 0);
    put(&mut g, "Wyandot", 1, "W5");
    assert_eq!(total(&g), 1);
}

/// dark-and-bloody-ground 8.1
#[test]
fn warriors_outside_a_british_fort_gather() {
    let mut g = war();
    let wyandot = nation(&g, "Wyandot");
    let at_fort = put(&mut g, "Wyandot", 2, "W5");
    g.unit_mut(at_fort[0]).inside = true;
    lead(&mut g, "Tarhe", "W1");
    let mut trial = Trial::new(g, move |t, mut g| async move {
        mobilization::to_war(&t, &mut g, wyandot).await;
        g
    })
    .start();
    assert!(trial.refused("2 warrior at w5").contains("1"), "who is inside stays");
    trial.say("1 warrior at w5");
    assert_eq!(count(&trial.over(), "Wyandot", "W1"), 1);
}

/// dark-and-bloody-ground 8.3.2
#[test]
fn new_regulars_come_to_leaders_of_the_army() {
    let mut g = war();
    (g.commitment, g.season) = (3, Season::Spring);
    put(&mut g, "kentucky-militia", 1, "K2");
    lead(&mut g, "Trotter", "K2");
    lead(&mut g, "Harmar", "K1");
    let arrive = |at: &str| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            army::phase(&t, &mut g, true, false, false).await;
            g
        })
        .any_dice([1])
        .start();
        trial.try_say(&format!("2 regular at {at}")).is_ok()
    };
    assert_eq!([arrive("k1"), arrive("k2")], [true, false]);
}

/// dark-and-bloody-ground 8.5.2
#[test]
fn leaders_of_a_group_may_enter_by_the_edge() {
    let mut g = war();
    (g.commitment, g.season, g.year) = (1, Season::Spring, 1791);
    let mut trial = Trial::new(g.clone(), |t, mut g| async move {
        army::phase(&t, &mut g, false, false, true).await;
        g
    })
    .any_dice([1, 0])
    .start();
    trial.say("yes");
    while trial.asked() != [(US, "militia-leader")] {
        let first = trial.options().remove(0);
        trial.order(first.order).expect("an option");
    }
    trial.say("edge");
    trial.all_first();
    let mut end = trial.over();
    let st_clair = leader(&end, "St. Clair");
    assert_eq!(end.chief(st_clair).spot, Spot::Edge);
    // He enters like a unit.
    end.c.leader_ids().filter(|&l| l != st_clair).for_each(|l| end.chief_mut(l).spot = Spot::Gone);
    let mut enters = acting(end, Side::Us, 1);
    enters.say("move st. clair from edge to p2");
    assert_eq!(enters.now().chief(st_clair).spot, Spot::On(at(&g, "P2")));
}

/// dark-and-bloody-ground 8.2, 8.5.3, T:us-commitment-level-chart, T:random-events-table
#[test]
fn the_iroquois_are_at_war_as_long_as_they_are_in_play() {
    let mut g = war();
    at_war(&mut g, "Miami", 3);
    let iroquois = at_war(&mut g, "Iroquois", 2);
    // The last of them is dead.
    let (number, total) = (british::number(&g), commitment::modifiers(&g).total());
    assert_eq!(g.at_war(), 1);
    // Warriors waiting off the map are in play for all modifiers.
    let u = put(&mut g, "Iroquois", 1, "I1")[0];
    for spot in [Spot::Edge, Spot::On(at(&g, "I1"))] {
        g.unit_mut(u).spot = spot;
        assert_eq!((g.at_war(), british::number(&g)), (2, number + 1));
        let [two, peace, iroquois] =
            [Drm::CommitmentTwoAtWar, Drm::CommitmentPeace, Drm::CommitmentIroquois].map(|row| g.c.drm(row));
        assert_eq!(commitment::modifiers(&g).total(), total - peace + two + iroquois);
    }
    // The event brings nobody if no counter is left.
    let mut g = war();
    for u in g.of_kind(g.c.warriors(iroquois)).collect::<Vec<_>>() {
        g.unit_mut(u).spot = Spot::Gone;
    }
    let mut trial = Trial::new(g, |t, mut g| async move {
        events::phase(&t, &mut g).await;
        g
    })
    .any_dice([4, 4, 3])
    .start();
    trial.all_first();
    assert_eq!(trial.over().tribe(iroquois).stance, Stance::Peaceful);
}

/// Returns a position in which two nations roll; all others have surrendered.
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
    let mut trial = phase(two_left(5)).dice("mobilization", [1, 2]).start();
    assert_eq!(trial.asked(), [(NA, "next-nation"), (US, "treaties")]);
    trial.check_options(5);
    trial.say("miami, ottawa");
    assert_eq!(trial.asked(), [(US, "treaties")]);
    assert!(trial.try_say("1 treaty at miami").is_err(), "Little Turtle is on the map");
    trial.say("2 treaties for ottawa");
    trial.all_first();
    let g = trial.over();
    // The Ottawa roll last: 2 less 2 is 0. -4 VPs for the treaties, +5 for the surrender.
    assert_eq!(g.tribe(nation(&g, "Ottawa")).stance, Stance::Surrendered);
    assert_eq!(g.vps, [5 - 4 + 5, 0]);
}

/// dark-and-bloody-ground 8.6.3
#[test]
fn treaties_are_paid_as_far_as_vps_reach() {
    let mut trial = phase(two_left(3)).dice("mobilization", [6, 5]).start();
    trial.say("as listed").say("2 treaties at ottawa");
    trial.all_first();
    assert_eq!(trial.over().vps[0], 1, "one of the two");
    // With fewer than two VPs no treaty can be offered.
    let trial = phase(two_left(1)).dice("mobilization", [6, 5]).start();
    assert_eq!(trial.asked(), [(NA, "next-nation")]);
}

/// dark-and-bloody-ground 8.4.1
#[test]
fn ohio_militia_comes_to_no_nations_land_that_is_unsettled() {
    let mut g = war();
    let comes = |g: &State| army::militia_places(g, g.c.kind("ohio-militia").expect("a kind"));
    assert!(!comes(&g).contains(&"S4".to_owned()));
    let s4 = at(&g, "S4");
    g.land_mut(s4).village = true;
    assert!(comes(&g).contains(&"S4".to_owned()), "a village is a town");
    assert!(g.c.area_ids().any(|a| g.c[a].nation.is_none() && comes(&g).contains(&g.c[a].id)));
}

/// dark-and-bloody-ground 8.3.2, 8.4.1, 8.5.2
#[test]
fn all_that_comes_in_spring_is_placed_in_one_letter() {
    let mut g = war();
    (g.commitment, g.season, g.year) = (2, Season::Spring, 1791);
    put(&mut g, "regular", 6, "U1");
    lead(&mut g, "Harmar", "U1");
    let mut trial = Trial::new(g, |t, mut g| async move {
        army::phase(&t, &mut g, true, true, true).await;
        g
    })
    .dice("US Army", [6])
    .dice("militia call", [1])
    .dice("cost of a group", [1])
    .dice("militia of a group", [1])
    .dice("militia", [0; 3])
    .start();
    assert_eq!(trial.asked(), [(US, "group")]);
    // Two regulars are on their way, so the group brings the rest of its fifteen.
    trial.say("yes");
    assert_eq!(trial.asked(), [(US, "muster"), (US, "muster"), (US, "muster")]);
    trial.check_options(3);
    trial.say("2 regular at u1");
    trial.all_first();
    let g = trial.over();
    let regulars =
        g.units.iter().filter(|u| g.c[u.kind].class == Class::Regular && matches!(u.spot, Spot::On(_) | Spot::Edge));
    assert_eq!((regulars.count(), count(&g, "regular", "U1") >= 8), (15, true));
    // No militia counter was drawn twice.
    let militia = g.units.iter().filter(|u| g.c[u.kind].class == Class::Militia && u.spot != Spot::Pool).count();
    let called = 1 + army::militia_modifiers(&g).total().max(0) as usize;
    assert!(militia >= 2, "{militia} of {called}");
}

/// dark-and-bloody-ground 15.1.2
#[test]
fn the_other_warriors_come_in_their_own_land() {
    let mut g = war();
    let shawnee = nation(&g, "Shawnee");
    let own: Vec<AreaId> = g.c.area_ids().filter(|&a| g.c[a].nation == Some(shawnee)).collect();
    let [pillaged, settled, free, ..] = own[..] else { panic!("fewer than three areas") };
    g.land_mut(pillaged).pillaged = true;
    g.land_mut(settled).settlers = 1;
    let id = |a: AreaId| g.c[a].id.to_lowercase();
    let (pillaged, settled, to) = (id(pillaged), id(settled), id(free));
    // Only the Shawnee have warriors who are not on the map.
    for n in g.c.nation_ids().filter(|&n| n != shawnee).collect::<Vec<_>>() {
        g.tribe_mut(n).stance = Stance::Surrendered;
    }
    let all = g.of_kind(g.c.warriors(shawnee)).count();
    let mut trial = Trial::new(g, |t, mut g| async move {
        mobilization::reserves(&t, &mut g).await;
        g
    })
    .start();
    for area in [&*pillaged, &*settled, "k1"] {
        assert!(trial.try_say(&format!("{all} shawnee at {area}")).is_err(), "{area}");
    }
    trial.say(&format!("{all} shawnee at {to}"));
    let end = trial.over();
    assert_eq!(count(&end, "Shawnee", &end.c[free].id), all);
}

/// dark-and-bloody-ground 8.5.3
#[test]
fn the_british_enter_at_forts_of_the_north_edge_that_are_not_besieged() {
    let intervention = |british_edge, besieged: bool| {
        let mut g = war();
        (g.commitment, g.season, g.forts_destroyed) = (2, Season::Summer, 5);
        g.variant.british_edge = british_edge;
        at_war(&mut g, "Miami", 3);
        if besieged {
            put(&mut g, "regular", 1, "M6");
        }
        let rule = |t, mut g| async move {
            british::phase(&t, &mut g).await;
            g
        };
        Trial::new(g, rule).any_dice([1, 1]).start()
    };
    let mut trial = intervention(false, false);
    assert_eq!(trial.asked(), [(Seat(1), "british-entry")]);
    trial.check_options(5);
    let named = |words: &[String], place: &str| words.iter().any(|words| words.to_lowercase().contains(place));
    let words = trial.words();
    assert!(["m6", "w5"].iter().all(|place| named(&words, place)), "{words:?}");
    assert!(!["w2", "o1", "i3"].iter().any(|place| named(&words, place)), "{words:?}");
    trial.say("6 british-regular and dorchester at m6, 3 canadian-militia at w5");
    let end = trial.over();
    assert_eq!((count(&end, "british-regular", "M6"), count(&end, "canadian-militia", "W5")), (6, 3));
    assert_eq!(end.chief(leader(&end, "Dorchester")).spot, Spot::On(at(&end, "M6")));
    // With the option any fort and the edge are open, except besieged forts.
    let mut trial = intervention(true, true);
    trial.check_options(5);
    let words = trial.words();
    assert!(!named(&words, "m6"), "it is besieged: {words:?}");
    trial.say("6 british-regular and dorchester at w2, 3 canadian-militia at o3");
    assert_eq!(count(&trial.over(), "canadian-militia", "O3"), 3);
}

/// dark-and-bloody-ground 8.2, T:us-commitment-level-chart
#[test]
fn a_general_in_need_raises_commitment() {
    let total = |g: &State| commitment::modifiers(g).total();
    for (name, inside, siege, more) in [
        ("Harmar", true, true, 1),
        ("Harmar", true, false, 0),
        ("Harmar", false, true, 0),
        ("Hamtramck", true, true, 0),
        ("Trotter", true, true, 0),
    ] {
        let mut g = war();
        us_fort(&mut g, "S4");
        let before = total(&g);
        put(&mut g, "regular", 1, "S4").into_iter().for_each(|u| g.unit_mut(u).inside = true);
        let l = lead(&mut g, name, "S4");
        g.chief_mut(l).inside = inside;
        if siege {
            // One nation at war is as little as none.
            at_war(&mut g, "Shawnee", 3);
            put(&mut g, "Shawnee", 1, "S4");
        }
        assert_eq!(total(&g) - before, more, "{name}, inside {inside}, besieged {siege}");
        g.general_lost = [true, false];
        assert_eq!(total(&g) - before, 1, "it counts once");
    }
}

/// dark-and-bloody-ground 8.1.2
#[test]
fn a_move_into_peaceful_land_may_end_there() {
    // Cincinnati, and two areas of the Shawnee, who go to war at 3; each area with US units adds 1.
    for (die, to, stance, level) in
        [(1, "S3", Stance::Peaceful, 2), (2, "S4", Stance::Warpath, 3), (6, "S4", Stance::Warpath, 5)]
    {
        let mut g = war();
        (g.season, g.commitment) = (Season::Summer, 3);
        put(&mut g, "regular", 1, "U1");
        lead(&mut g, "Harmar", "U1");
        let mut run = super::activation::acting(g, Side::Us, die);
        run.say("move 1 regular, harmar from u1 to s4 to s3");
        let now = run.now();
        let shawnee = nation(&now, "Shawnee");
        assert_eq!(count(&now, "regular", to), 1, "{die}");
        assert_eq!((now.tribe(shawnee).stance, now.tribe(shawnee).ml), (stance, level), "{die}");
        let rolls = run.story().iter().filter(|line| line.starts_with("The Shawnee roll for trespass")).count();
        assert_eq!(rolls, if to == "S3" { 2 } else { 1 });
    }
    // Nobody rolls for a force of the Native Americans.
    let mut g = war();
    at_war(&mut g, "Miami", 3);
    put(&mut g, "Miami", 1, "S1");
    let mut run = super::activation::acting(g, Side::Na, 6);
    run.say("move 1 miami from s1 to s2");
    assert!(!run.story().iter().any(|line| line.contains("trespass")));
}

/// Nobody rolls for the British at a number of 1, at 2 a die of 1 is enough, and without an open
/// fort on the north edge there is no die at all.
///
/// dark-and-bloody-ground 8.5.3
#[test]
fn when_a_die_is_rolled_for_the_british() {
    let comes = |g: &State, dice: &[i64]| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            british::phase(&t, &mut g).await;
            g
        })
        .any_dice(dice.iter().copied())
        .start();
        trial.all_first();
        // All dice must have been rolled, and no others.
        trial.over().british
    };
    let mut g = war();
    (g.commitment, g.season) = (2, Season::Summer);
    for name in ["Miami", "Wyandot", "Ottawa"] {
        at_war(&mut g, name, 3);
    }
    assert_eq!((british::number(&g), comes(&g, &[])), (1, false));
    g.forts_destroyed = 1;
    assert_eq!(british::number(&g), 2);
    // The second die is that of the Canadians.
    assert_eq!([comes(&g, &[1, 4]), comes(&g, &[2])], [true, false]);
    for id in ["M6", "W5"] {
        let a = at(&g, id);
        g.land_mut(a).fort = None;
    }
    assert!(!comes(&g, &[]));
}

/// dark-and-bloody-ground 8.3, 8.4, 4.4
#[test]
fn troops_are_raised_in_their_seasons() {
    use super::super::play;
    for (season, army, militia) in [
        (Season::Spring, true, true),
        (Season::Summer, false, true),
        (Season::Fall, false, true),
        (Season::Winter, false, false),
    ] {
        let mut g = war();
        (g.season, g.year) = (season, 1792);
        let mut run = Trial::new(g, |t, mut g| async move {
            play::mobilize(&t, &mut g, &[]).await;
            g
        })
        .any_dice([3; 90])
        .start();
        run.all_first();
        let story = run.story();
        let told = |words: &str| story.iter().any(|line| line.starts_with(words));
        assert_eq!((told("US Army, die"), told("Militia: ")), (army, militia), "{season:?}: {story:?}");
    }
}

/// Dice of 1 to 6 at Commitment 3, with three nations at war: the first lower it, the last raise
/// it.
///
/// dark-and-bloody-ground 8.2, T:us-commitment-level-chart
#[test]
fn each_condition_of_commitment_moves_its_die() {
    let towns = |g: &mut State, n: i32| {
        let ohio = |g: &State, a: AreaId| g.c[a].state == Province::Ohio;
        for a in g.c.area_ids().filter(|&a| ohio(g, a)).collect::<Vec<_>>() {
            g.land_mut(a).village = !g.town(a) && g.towns(|a| ohio(g, a)) < n;
        }
    };
    let marked = |g: &mut State, id: &str, atrocity| {
        let a = at(g, id);
        g.land_mut(a).atrocity = atrocity;
    };
    let peace = |g: &mut State, nations: &[&str]| {
        nations.iter().for_each(|name| g.tribe_mut(nation(g, name)).stance = Stance::Peaceful);
    };
    type Row<'a> = (i64, &'a dyn Fn(&mut State));
    let rows: [Row<'_>; 18] = [
        (0, &|_| ()),
        (1, &|g| g.vps = [0, 1]),
        (-1, &|g| g.vps = [1, 0]),
        (0, &|g| towns(g, 14)),
        (1, &|g| towns(g, 15)),
        (1, &|g| towns(g, 29)),
        (2, &|g| towns(g, 30)),
        (1, &|g| marked(g, "K2", [0, 1])),
        (2, &|g| marked(g, "P2", [1, 1])),
        (0, &|g| marked(g, "V2", [0, 1])),
        (1, &|g| g.general_lost = [true, false]),
        (0, &|g| g.general_lost = [false, true]),
        (2, &|g| g.forts_destroyed = 2),
        (-1, &|g| _ = put(g, "Iroquois", 1, "I1")),
        (-1, &|g| peace(g, &["Miami"])),
        (-2, &|g| peace(g, &["Miami", "Shawnee"])),
        (-2, &|g| peace(g, &["Miami", "Shawnee", "Wyandot"])),
        (-2, &|g| g.british = true),
    ];
    for (nth, (by, change)) in rows.into_iter().enumerate() {
        let mut g = war();
        g.commitment = 3;
        ["Miami", "Shawnee", "Wyandot"].iter().for_each(|name| _ = at_war(&mut g, name, 3));
        change(&mut g);
        for die in 1..=6 {
            let rule = |t, mut g| async move {
                commitment::roll(&t, &mut g);
                g
            };
            let end = Trial::new(g.clone(), rule).any_dice([die]).start().over();
            let wanted = if die + by <= 1 { 2 } else { 3 + u8::from(die + by >= 6) };
            assert_eq!(end.commitment, wanted, "row {nth}, die {die}");
        }
    }
}

/// The modified die becomes the level of the nation: a 3 of the Mingo, whose leader is off the map.
///
/// dark-and-bloody-ground 8.1, 8.1.1, 14.0.3, T:native-american-mobilization-chart
#[test]
fn each_condition_of_mobilization_moves_its_die() {
    let marked = |g: &mut State, ids: [&str; 2], change: &dyn Fn(&mut Land)| {
        ids.into_iter().for_each(|id| change(g.land_mut(at(g, id))));
    };
    type Row<'a> = (u8, &'a dyn Fn(&mut State));
    let rows: [Row<'_>; 20] = [
        (3, &|_| ()),
        (3, &|g| g.vps = [9, 0]),
        (4, &|g| g.vps = [10, 0]),
        (3, &|g| g.vps = [0, 9]),
        (2, &|g| g.vps = [0, 10]),
        (3, &|g| _ = put(g, "Mingo", 1, "W2")),
        (4, &|g| _ = put(g, "Mingo", 3, "W2")),
        (3, &|g| _ = (put(g, "Mingo", 1, "W2"), put(g, "Mingo", 1, "O1"))),
        (5, &|g| marked(g, ["G1", "G2"], &|land| land.atrocity = [1, 0])),
        (3, &|g| marked(g, ["G1", "G2"], &|land| (land.atrocity, land.settlers) = ([1, 0], 1))),
        (3, &|g| marked(g, ["S5", "S6"], &|land| (land.atrocity, land.pillaged, land.village) = ([1, 0], true, true))),
        (1, &|g| marked(g, ["G1", "G2"], &|land| land.village = true)),
        (1, &|g| marked(g, ["G1", "G2"], &|land| land.pillaged = true)),
        (2, &|g| marked(g, ["M1", "M1"], &|land| land.pillaged = true)),
        (2, &|g| marked(g, ["M1", "M1"], &|land| land.settlers = 1)),
        (2, &|g| us_fort(g, "M1")),
        (4, &|g| _ = lead(g, "Mingo leader", "G1")),
        (4, &|g| _ = lead(g, "Tecumseh", "G1")),
        (4, &|g| g.tribe_mut(nation(g, "Mingo")).omens = 1),
        (2, &|g| g.tribe_mut(nation(g, "Mingo")).omens = -1),
    ];
    for (nth, (level, change)) in rows.into_iter().enumerate() {
        let mut g = war();
        for n in g.c.nation_ids().filter(|&n| n != nation(&g, "Mingo")).collect::<Vec<_>>() {
            g.tribe_mut(n).stance = Stance::Surrendered;
        }
        change(&mut g);
        let rule = |t, mut g| async move {
            mobilization::phase(&t, &mut g).await;
            g
        };
        let mut run = Trial::new(g, rule).dice("mobilization", [3]).start();
        run.all_first();
        assert_eq!(run.now().tribe(nation(&run.now(), "Mingo")).ml, level, "row {nth}");
    }
}

/// dark-and-bloody-ground 9.1.2, 13.0
#[test]
fn winter_ends_the_order_in_which_nations_rose() {
    let mut g = war();
    g.season = Season::Winter;
    for (name, id, head, rose) in [("Miami", "M1", "Little Turtle", 1), ("Shawnee", "S5", "Blue Jacket", 2)] {
        let n = at_war(&mut g, name, 3);
        g.tribe_mut(n).rose = rose;
        put(&mut g, name, 1, id);
        let l = lead(&mut g, head, id);
        g.primary[Side::Na.index()].get_or_insert(l);
    }
    let rule = |t, mut g: State| async move {
        super::super::end::phase(&t, &mut g).await;
        g.season = Season::Spring;
        let shawnee = nation(&g, "Shawnee");
        mobilization::to_war(&t, &mut g, shawnee).await;
        super::super::leaders::primaries(&t, &mut g).await;
        g
    };
    let mut run = Trial::new(g, rule).start();
    run.all_first();
    let end = run.over();
    assert_eq!(end.primary[Side::Na.index()], Some(leader(&end, "Blue Jacket")));
}

/// dark-and-bloody-ground 9.1.2
#[test]
fn dorchester_is_primary_while_he_is_in_play() {
    for (british, spot, primary) in
        [(true, "O2", "Dorchester"), (true, "", "Little Turtle"), (false, "", "Little Turtle")]
    {
        let mut g = war();
        g.british = british;
        let miami = at_war(&mut g, "Miami", 3);
        g.tribe_mut(miami).rose = 1;
        lead(&mut g, "Little Turtle", "M1");
        if !spot.is_empty() {
            lead(&mut g, "Dorchester", spot);
        }
        let now = acting(g, Side::Na, 6).now();
        assert_eq!(now.primary[Side::Na.index()], Some(leader(&now, primary)), "{british} {spot}");
    }
}

/// A nation's area with any settler is settled (house reading), and so open to the militia of Ohio.
///
/// dark-and-bloody-ground 8.4.1
#[test]
fn ohio_militia_comes_to_settlers_in_a_nations_land() {
    let mut g = war();
    let s4 = at(&g, "S4");
    for (settlers, comes) in [(0, false), (1, true)] {
        g.land_mut(s4).settlers = settlers;
        let places = army::militia_places(&g, g.c.kind("ohio-militia").expect("a kind"));
        assert_eq!(places.contains(&"S4".to_owned()), comes, "{settlers}");
    }
}
