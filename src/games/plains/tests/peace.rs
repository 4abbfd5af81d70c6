//! Tests of Settlers and Enemies in one region (13).

use super::{
    super::{State, components::*, engagement::*, testing::*},
    engagement::{fight, with},
};
use Faction::*;
use postrider_table::Seat;

/// plains-indian-wars 13.0
#[test]
fn settlers_and_enemies_do_not_fight_side_by_side() {
    let mut g = with(2, "N8", &[(Npt, 2), (Cavalry, 1), (Settlers, 1), (Enemies, 1)]);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    let mut trial = fight(g, "N8", Npt, &[(Npt, "ww"), (Cavalry, "t"), (Settlers, "t")]);
    assert_eq!(trial.asked(), [(Seat(1), "stays-out")]);
    trial.check_options(3);
    trial.say("leave out purple");
    // Both are lost, so the Enemies must leave.
    assert_eq!(trial.asked()[0].1, "withdraw");
    trial.say("to powder river");
    let g = trial.over();
    assert_eq!((here(&g, "N8").0, here(&g, "PN1")[Enemies]), ([2, 0, 0, 0, 0, 0], 2));
}

/// plains-indian-wars 13.0
#[test]
fn one_indian_cube_is_enough_that_somebody_stays_out() {
    let three = [(Npt, 1), (Cavalry, 1), (Settlers, 1), (Enemies, 1)];
    let g = with(2, "N8", &three);
    let mut trial = fight(g, "N8", Npt, &[(Npt, "w"), (Cavalry, "t"), (Settlers, "w")]);
    assert_eq!(trial.asked(), [(Seat(1), "stays-out")]);
    trial.say("leave out purple");
    // Blue and Brown have one cube each: the owner says which is lost for the hit.
    assert_eq!(here(&trial.now(), "N8")[Npt], 0, "the Weapon of Brown counts");
    // If it wins, the one Green cube alone makes them leave.
    let mut g = with(2, "N8", &three);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    let mut trial = fight(g, "N8", Npt, &[(Npt, "ww"), (Cavalry, "t"), (Settlers, "tt")]);
    trial.say("leave out purple").say("lose blue").say("to powder river");
    let end = trial.over();
    assert_eq!((here(&end, "N8").0, here(&end, "PN1")[Enemies]), ([1, 0, 0, 0, 0, 0], 2));
    for absent in [Settlers, Enemies] {
        let g = with(2, "N8", &three.map(|(f, n)| (f, if f == absent { 0 } else { n })));
        let trial = fight(g, "N8", Npt, &[(Npt, "w"), (Cavalry, "t"), (Settlers, "w"), (Enemies, "w")]);
        assert!(!trial.asked().contains(&(Seat(1), "stays-out")), "{absent:?}");
    }
}

/// plains-indian-wars 13.0, 12.1.2
#[test]
fn who_stays_out_is_no_part_of_the_force() {
    let mut g = with(2, "N8", &[(Npt, 2), (Cavalry, 1), (Settlers, 1), (Enemies, 2)]);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    set(&mut g, "N7", &[(Cavalry, 1)]);
    // Two against two: the defender moves the attacker, although four US cubes are in the region.
    let mut trial = fight(g.clone(), "N8", Cavalry, &[(Npt, "tb"), (Cavalry, "t"), (Settlers, "b")]);
    trial.say("leave out purple");
    assert_eq!(trial.asked(), [(Seat(0), "treaty")]);
    trial.say("to white river");
    // The Settlers, who may not enter a Purple region, have no other way. The Enemies are then
    // alone with the Indians and must leave.
    assert_eq!(trial.asked(), [(Seat(1), "withdraw")]);
    trial.say("to powder river");
    let end = trial.over();
    assert_eq!(here(&end, "N8").0, [2, 0, 0, 0, 0, 0]);
    assert_eq!((here(&end, "N7").0, here(&end, "PN1")[Enemies]), ([0, 0, 2, 1, 0, 0], 3));
    // A Blank of Blue does not let the Enemies retreat either.
    let mut trial = fight(g, "N8", Npt, &[(Npt, "tt"), (Cavalry, "b"), (Settlers, "w")]);
    trial.say("leave out purple");
    assert_eq!(trial.asked(), [(Seat(1), "retreat")]);
    assert!(trial.refused("retreat 1 purple to powder river").contains("No Purple cube"));
}

/// plains-indian-wars 13.0
#[test]
fn settlers_and_enemies_do_not_stay_together_without_cavalry() {
    let rule = |active: Faction| {
        move |t, mut g: State| async move {
            g.contested.clear();
            engagements(&t, &mut g, active).await;
            g
        }
    };
    let mut g = with(2, "N8", &[(Settlers, 2), (Enemies, 1)]);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    set(&mut g, "N7", &[(Settlers, 1)]);
    // Settlers that have arrived drive the Enemies out.
    let mut moved = g.clone();
    moved.moved[usize::from(at(&g, "N8").0)][Settlers] = 1;
    let mut trial = Trial::new(moved, rule(Settlers)).start();
    trial.say("to powder river");
    assert_eq!(here(&trial.over(), "N8").0, [0, 0, 0, 2, 0, 0]);
    // Otherwise the Settlers leave, also when the Cavalry has left them in their own round.
    for active in [Enemies, Settlers, Cavalry] {
        let trial = Trial::new(g.clone(), rule(active)).start();
        assert_eq!(here(&trial.over(), "N7")[Settlers], 3, "{active:?}");
    }
    // With Cavalry in the region the Settlers stay; with four players they always stay.
    let mut guarded = g.clone();
    set(&mut guarded, "N8", &[(Settlers, 2), (Enemies, 1), (Cavalry, 1)]);
    assert_eq!(here(&Trial::new(guarded, rule(Enemies)).start().over(), "N8").0, [0, 0, 1, 2, 1, 0]);
    let four = with(4, "N8", &[(Settlers, 2), (Enemies, 1)]);
    assert_eq!(here(&Trial::new(four, rule(Enemies)).start().over(), "N8").0, [0, 0, 0, 2, 1, 0]);
}

/// plains-indian-wars 13.0, 4.4, 10.5
#[test]
fn who_withdraws_does_not_count_against_the_limit() {
    let mut g = with(2, "N8", &[(Settlers, 6), (Enemies, 4)]);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    let n8 = at(&g, "N8");
    (g.moving, g.moved[usize::from(n8.0)][Settlers]) = (true, 6);
    let rule = |t, mut g: State| async move {
        g.contested.clear();
        engagements(&t, &mut g, Settlers).await;
        g
    };
    let mut trial = Trial::new(g, rule).start();
    assert_eq!(trial.asked(), [(Seat(1), "withdraw")]);
    trial.say("to powder river");
    let end = trial.over();
    assert_eq!((here(&end, "N8").0, here(&end, "PN1")[Enemies]), ([0, 0, 0, 6, 0, 0], 5));
}

/// plains-indian-wars 13.0, 10.5
#[test]
fn settlers_leave_the_enemies_when_the_limit_sends_the_cavalry_away() {
    let mut g = with(2, "N8", &[(Settlers, 4), (Enemies, 4), (Cavalry, 1)]);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    set(&mut g, "N7", &[(Settlers, 1)]);
    g.moving = true;
    let rule = |t, mut g: State| async move {
        engagements(&t, &mut g, Enemies).await;
        g
    };
    let mut trial = Trial::new(g, rule).start();
    trial.say("send 1 blue to powder river");
    while trial.asked().iter().any(|(_, kind)| *kind == "withdraw") {
        let first = trial.options().swap_remove(0).words;
        trial.say(&first);
    }
    let end = trial.over();
    assert_eq!((here(&end, "N8")[Settlers], here(&end, "N8")[Enemies], here(&end, "PN1")[Cavalry]), (0, 4, 1));
}

/// plains-indian-wars 13.0
#[test]
fn settlers_leave_the_enemies_when_the_cavalry_has_fallen() {
    let mut g = with(2, "N8", &[(Npt, 1), (Cavalry, 1), (Settlers, 1), (Enemies, 1)]);
    set(&mut g, "N7", &[(Settlers, 1)]);
    g.contested = vec![at(&g, "N8")];
    let rule = |t, mut g: State| async move {
        engagements(&t, &mut g, Npt).await;
        g
    };
    let mut trial = Trial::new(g, rule).rolls(Npt, "w").rolls(Cavalry, "t").rolls(Settlers, "w").start();
    trial.say("leave out purple").say("lose blue");
    let end = trial.over();
    assert_eq!((here(&end, "N8").0, here(&end, "N7")[Settlers]), ([0, 0, 0, 0, 1, 0], 2));
}

/// plains-indian-wars 13.0, 12.1.4.2, 12.1.4.3, 12.1.4
#[test]
fn no_cube_retreats_to_those_with_whom_it_cannot_stay() {
    use super::super::engagement::retreat::retreats;
    let to = |g: &State, faction, id: &str| {
        let to = Spot::Region(at(g, id));
        retreats(g, faction, at(g, "N8")).contains(&to)
    };
    // An engagement is pending at Fort Laramie, where Green has come to Settlers.
    let mut g = with(2, "N8", &[(Npt, 2), (Enemies, 2)]);
    set(&mut g, "N9", &[(Npt, 3), (Settlers, 2)]);
    g.contested = vec![at(&g, "N9")];
    assert!(!to(&g, Enemies, "N9"), "the Settlers would leave and not be fought with");
    // With Cavalry, or with four players, Settlers and Enemies stay together.
    g.region_mut(at(&bare(2), "N9"))[Cavalry] = 1;
    assert!(to(&g, Enemies, "N9"));
    let mut four = with(4, "N9", &[(Npt, 1), (Settlers, 2)]);
    assert!(to(&four, Enemies, "N9"));
    // A Purple region held by Settlers alone is friendly to the Enemies only with four players.
    for (g, may) in [(&mut four, true), (&mut bare(3), false)] {
        set(g, "PN1", &[(Settlers, 1)]);
        assert_eq!(to(g, Enemies, "PN1"), may);
    }
    // Nor do Settlers retreat to Enemies alone.
    let mut g = with(2, "N7", &[(Enemies, 1)]);
    assert!(!to(&g, Settlers, "N7") && to(&g, Cavalry, "N7"));
    set(&mut g, "N7", &[(Enemies, 1), (Cavalry, 1)]);
    assert!(to(&g, Settlers, "N7"));
}

/// plains-indian-wars 12.1.2, 13.0, 4.4
#[test]
fn a_treaty_sends_nobody_to_those_with_whom_he_cannot_stay() {
    // Settlers can go to Settlers at Fort Kearny, but not to Enemies in the Black Hills.
    let mut g = with(2, "N7", &[(Npt, 3), (Settlers, 2)]);
    set(&mut g, "N2", &[(Settlers, 1)]);
    set(&mut g, "N8", &[(Enemies, 2)]);
    let sent = |g: State| fight(g, "N7", Npt, &[(Npt, "tb"), (Settlers, "tb")]);
    assert_eq!(here(&sent(g.clone()).over(), "N2")[Settlers], 3);
    // The same applies to regions farther away: Enemies alone do not make a region friendly.
    set(&mut g, "N2", &[]);
    set(&mut g, "N8", &[]);
    set(&mut g, "N9", &[(Enemies, 1)]);
    let ready = g.ready[Settlers];
    let end = sent(g).over();
    assert_eq!((here(&end, "N9").0, end.ready[Settlers]), ([0, 0, 0, 0, 1, 0], ready + 2));
    // Enemies cannot go to Settlers at Fort Laramie, but Powder River is empty.
    let mut g = with(2, "N8", &[(Npt, 3), (Enemies, 2)]);
    set(&mut g, "N9", &[(Settlers, 1)]);
    let sent = |g: State| fight(g, "N8", Npt, &[(Npt, "tb"), (Enemies, "tb")]);
    assert_eq!(here(&sent(g).over(), "PN1")[Enemies], 2);
}

/// plains-indian-wars 13.0, 12.1.4
#[test]
fn cubes_that_withdraw_may_part() {
    let mut g = with(2, "N8", &[(Settlers, 2), (Enemies, 3)]);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    let n8 = usize::from(at(&g, "N8").0);
    g.moved[n8][Settlers] = 2;
    let came = |g: State| {
        let rule = |t, mut g: State| async move {
            engagements(&t, &mut g, Settlers).await;
            g
        };
        Trial::new(g, rule).start()
    };
    let stand = |g: &State| ["N8", "PN1", "N9", "N7"].map(|id| here(g, id)[Enemies]);
    for all in ["to powder river", "powder river", "withdraw all to powder river"] {
        let mut trial = came(g.clone());
        trial.check_options(9);
        trial.say(all);
        assert_eq!(stand(&trial.over()), [0, 4, 0, 0]);
    }
    let mut trial = came(g.clone());
    assert_eq!(trial.asked(), [(Seat(1), "withdraw")]);
    assert!(trial.reads().lines.iter().any(|line| line.contains("some here and some there")), "{:?}", trial.reads());
    assert!(trial.refused("4 to powder river").contains("3 Purple withdraw here, not 4"));
    assert!(trial.refused("2 to powder river, 1 to canada").contains("withdraw to"));
    assert!(trial.refused("1 brown to white river").contains("not Brown"));
    trial.say("2 to powder river, 1 to fort laramie");
    assert_eq!(stand(&trial.over()), [0, 3, 1, 0]);
    // A player who names only some of them is asked about the others.
    let mut trial = came(g);
    trial.say("send 1 purple to fort laramie");
    assert_eq!(trial.asked(), [(Seat(1), "withdraw")]);
    trial.say("to powder river");
    assert_eq!(stand(&trial.over()), [0, 3, 1, 0]);
}

/// plains-indian-wars 13.0
#[test]
fn who_cannot_withdraw_is_ready_again() {
    let mut g = with(2, "N8", &[(Settlers, 2), (Enemies, 1)]);
    for id in ["N3", "N7", "N9", "N11", "N12", "PN1"] {
        set(&mut g, id, &[(Npt, 1)]);
    }
    let rule = |t, mut g: State| async move {
        engagements(&t, &mut g, Enemies).await;
        g
    };
    let ready = g.ready[Settlers];
    let mut trial = Trial::new(g, rule).start();
    let end = trial.over();
    assert_eq!((here(&end, "N8").0, end.ready[Settlers]), ([0, 0, 0, 0, 1, 0], ready + 2));
    assert!(trial.story().contains(&"2 Brown cannot stay in Black Hills and go back to the Ready Box.".to_owned()));
}
