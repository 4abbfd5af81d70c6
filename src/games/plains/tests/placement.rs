//! Tests of placing cubes (10), of casualties that come back (11.4), and of the limit of a region
//! (4.4).

use super::{
    super::{
        State, components::*, engagement::limit::keep_to_the_limit, march::*, movement::*, placement::reinforce,
        state::*, testing::*,
    },
    movement::marching,
};
use Faction::*;
use postrider_table::Seat;

/// plains-indian-wars 4.3, 12.0, 12.1.2.1
#[test]
fn placing_cubes_beside_wagons_attacks_nothing() {
    let place = |g: State, then: &'static str| {
        let rule = |t, mut g| async move {
            let mut plan = March::of_card(Npt, 1, 1);
            reinforce(&t, &mut g, Npt, 2, &mut plan).await;
            march(&t, &mut g, plan).await;
            g
        };
        let mut trial = Trial::new(g, rule).start();
        trial.say("place 2 in north platte").say(then);
        if !trial.asked().is_empty() {
            trial.say("done");
        }
        trial.over()
    };
    let mut g = bare(2);
    set(&mut g, "N3", &[(Npt, 1), (Wagons, 1)]);
    // This holds whether the placed cubes stay or move on.
    for then in ["done", "move 2 from north platte to cheyenne"] {
        assert_eq!(place(g.clone(), then).contested, []);
    }
    // A group move to stay and engage attacks.
    assert_eq!(place(g.clone(), "attack wagons in north platte").contested, [at(&g, "N3")]);
    // An Event that places cubes attacks US cubes in the region, but not Wagons alone.
    use super::super::events::play;
    let rule = |t, mut g: State| async move {
        play(&t, &mut g, Npt, Event::BozemanTrail, 2).await;
        g
    };
    let bozeman = |g: State, to: &str| {
        let mut trial = Trial::new(g, rule).start();
        trial.say(to);
        trial.over().contested
    };
    set(&mut g, "N4", &[(Settlers, 1), (Wagons, 1)]);
    assert_eq!(bozeman(g.clone(), "to north platte"), []);
    assert_eq!(bozeman(g.clone(), "to cheyenne"), [at(&g, "N4")]);
}

/// plains-indian-wars 10.1, 12.0, 4.5
#[test]
fn where_an_engagement_waits_nothing_is_placed_as_in_a_region_of_ones_own() {
    use super::super::placement::homes;
    let mut g = bare(2);
    set(&mut g, "N4", &[(Npt, 2), (Settlers, 1)]);
    g.contested = vec![at(&g, "N4")];
    let cheyenne = Spot::Region(at(&g, "N4"));
    assert!(!homes(&g, Npt).contains(&cheyenne));
    g.contested.clear();
    assert!(homes(&g, Npt).contains(&cheyenne), "Green outnumbers Brown");
}

/// plains-indian-wars 10.1, 15.4.1, 10.1.1
#[test]
fn of_allies_each_places_in_regions_of_its_own() {
    let place = |g: State, faction: Faction| {
        let rule = move |t, mut g| async move {
            let mut plan = March::of_card(faction, 2, 2);
            reinforce(&t, &mut g, faction, 1, &mut plan).await;
            g
        };
        Trial::new(g, rule).start()
    };
    let mut g = bare(4);
    for r in g.c.region_ids().filter(|&r| g.c[r].kind == Kind::North).collect::<Vec<_>>() {
        *g.region_mut(r) = Cubes::of(Settlers, 1);
    }
    // Empty, Orange alone, equal numbers, more Green.
    for (id, cubes) in [("N4", [0, 0]), ("N5", [0, 2]), ("N6", [1, 1]), ("N7", [2, 1])] {
        let r = at(&g, id);
        *g.region_mut(r) = Cubes([cubes[0], cubes[1], 0, 0, 0, 0]);
    }
    let words = |trial: Running| trial.words();
    assert_eq!(words(place(g.clone(), Npt)), ["place 1 green in white river", "place 1 green in cheyenne"]);
    // A player with both factions places in all four.
    g.variant.players = 2;
    assert_eq!(words(place(g.clone(), Npt)).len(), 4);
    (g.variant.players, g.variant.indian_allies) = (3, true);
    assert_eq!(words(place(g, Npt)).len(), 2, "Indian allies of three players");
}

/// plains-indian-wars 11.4, 10.0
#[test]
fn a_group_move_empties_the_casualty_box() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 1)]);
    set(&mut g, "N5", &[(Npt, 1)]);
    g.ready[Npt] = 0;
    g.casualties[Npt] = 28;
    let rule = |t, mut g| async move {
        let mut plan = March::of_card(Npt, 2, 2);
        reinforce(&t, &mut g, Npt, 3, &mut plan).await;
        march(&t, &mut g, plan).await;
        g
    };
    let mut trial = Trial::new(g, rule).start();
    assert_eq!(trial.words().last().map(String::as_str), Some("recover casualties"));
    trial.check_options(10);
    trial.say("recover casualties");
    trial.say("place 3 in n7");
    trial.say("move 4 from n7 to n8");
    // That was the second of two groups, so N5 does not move.
    let g = trial.over();
    assert_eq!((here(&g, "N8")[Npt], g.ready[Npt], g.casualties[Npt]), (4, 25, 0));
}

/// plains-indian-wars 10.1, 10.1.1
#[test]
fn war_party_cubes_go_to_controlled_regions_or_beside_the_map() {
    let place = |g: State| {
        let rule = |t, mut g| async move {
            let mut plan = March::of_card(Npt, 2, 2);
            reinforce(&t, &mut g, Npt, 2, &mut plan).await;
            g
        };
        Trial::new(g, rule).start()
    };
    let mut g = bare(2);
    for r in g.c.region_ids().filter(|&r| g.c[r].kind == Kind::North).collect::<Vec<_>>() {
        *g.region_mut(r) = Cubes::of(Settlers, 1);
    }
    let n4 = at(&g, "N4");
    let mut free = g.clone();
    *free.region_mut(n4) = Cubes::default();
    assert_eq!(here(&place(free).over(), "N4")[Npt], 2, "the only one is not asked for");
    let mut trial = place(g);
    trial.check_options(9);
    assert_eq!(trial.words(), ["place 2 green in rockies", "place 2 green in canada"]);
    trial.say("place 1 in canada and 1 in the rockies");
    let g = trial.over();
    assert_eq!((here(&g, "Canada")[Npt], here(&g, "Rockies")[Npt]), (1, 1));
    // With too few ready and none lost, there is nothing to recover.
    let mut few = bare(2);
    few.ready[Npt] = 1;
    let mut trial = place(few);
    assert!(trial.refused("recover casualties").contains("cannot be emptied now"));
}

/// plains-indian-wars 10.2, 10.2.1, 10.3, 10.3.1
#[test]
fn us_cubes_come_to_the_boxes() {
    let place = |faction: Faction, n: u8| {
        let rule = move |t, mut g| async move {
            let mut plan = March::of_card(faction, 2, 2);
            reinforce(&t, &mut g, faction, n, &mut plan).await;
            g
        };
        Trial::new(bare(2), rule).start()
    };
    let mut trial = place(Settlers, 5);
    assert_eq!(trial.words(), ["0", "1", "2", "3", "4"]);
    trial.say("4");
    let g = trial.over();
    assert_eq!((here(&g, "St. Louis")[Settlers], here(&g, "Sacramento")[Settlers]), (1, 4));
    let mut trial = place(Cavalry, 4);
    assert_eq!(trial.words(), ["0", "1"]);
    trial.say("1");
    let g = trial.over();
    assert_eq!((here(&g, "St. Louis")[Cavalry], here(&g, "Sacramento")[Cavalry]), (3, 1));
    // Only new cubes go to Sacramento.
    let mut g = bare(2);
    set(&mut g, "St. Louis", &[(Cavalry, 2)]);
    g.ready[Cavalry] = 0;
    let rule = |t, mut g| async move {
        reinforce(&t, &mut g, Cavalry, 4, &mut March::of_card(Cavalry, 2, 2)).await;
        g
    };
    let end = Trial::new(g, rule).start().over();
    assert_eq!((here(&end, "St. Louis")[Cavalry], here(&end, "Sacramento")[Cavalry]), (2, 0));
}

/// plains-indian-wars 11.4, 10.2
#[test]
fn casualties_may_come_back_before_too_few_are_placed() {
    for (ready, lost, groups, asked) in
        [(3, 2, 2, "recover"), (4, 2, 2, "to-sacramento"), (3, 0, 2, "to-sacramento"), (3, 2, 0, "to-sacramento")]
    {
        let mut g = bare(2);
        (g.ready[Settlers], g.casualties[Settlers]) = (ready, lost);
        let trial = Trial::new(g, move |t, mut g| async move {
            reinforce(&t, &mut g, Settlers, 4, &mut March::of_card(Settlers, groups, 2)).await;
            g
        })
        .start();
        assert_eq!(trial.asked()[0].1, asked, "{ready} {lost} {groups}");
    }
}

/// plains-indian-wars 10.2.1
#[test]
fn the_story_says_where_new_cubes_are() {
    for (west, told) in [
        (0, "4 Brown placed in St. Louis."),
        (1, "4 Brown placed: 3 in St. Louis, 1 in Sacramento."),
        (4, "4 Brown placed in Sacramento."),
    ] {
        let mut trial = Trial::new(bare(2), |t, mut g| async move {
            reinforce(&t, &mut g, Settlers, 4, &mut March::of_card(Settlers, 2, 2)).await;
            g
        })
        .start();
        trial.say(&west.to_string());
        assert_eq!(trial.story()[1..], [told]);
    }
}

/// plains-indian-wars 4.4, 9.1, 10.5
#[test]
fn what_is_over_the_limit_is_sent_away_by_the_opponent() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 7), (Spt, 3)]);
    set(&mut g, "N2", &[(Settlers, 1)]);
    let rule = |t, mut g| async move {
        keep_to_the_limit(&t, &mut g).await;
        g
    };
    // All cubes in one order.
    let mut trial = Trial::new(g.clone(), rule).start();
    assert_eq!(trial.asked(), [(Seat(1), "over-limit")]);
    trial.check_options(12);
    assert!(trial.refused("send 1 orange to james river").contains("2 must go, not 1"));
    assert!(trial.refused("send 1 orange to james river, 1 to denver").contains("cannot go to Denver"));
    assert!(trial.refused("send 1 blue to james river, 1 orange to james river").contains("1 Blue cannot go"));
    trial.say("send 1 orange to james river, 1 green to black hills");
    let end = trial.over();
    assert_eq!((here(&end, "N7").0, here(&end, "N10")[Spt], here(&end, "N8")[Npt]), ([6, 2, 0, 0, 0, 0], 1, 1));
    // If the nearest region is full after one cube, the next cube goes to another.
    for id in ["N2", "N3", "N6", "N8", "N10"] {
        set(&mut g, id, &[(Settlers, 1)]);
    }
    set(&mut g, "N7", &[(Npt, 10)]);
    set(&mut g, "N11", &[(Npt, 7)]);
    let mut trial = Trial::new(g, rule).start();
    trial.check_options(4);
    let now = trial.now();
    assert_eq!((here(&now, "N7")[Npt], here(&now, "N11")[Npt]), (9, 8));
    assert!(trial.refused("send 1 green to grand river").contains("nearest places are"));
    trial.say("send 1 to fort union");
    assert_eq!(here(&trial.over(), "N12")[Npt], 1);
}

/// plains-indian-wars 10.5, 4.4, 12.1.3
#[test]
fn what_is_over_the_limit_and_has_nowhere_to_go_is_a_casualty() {
    let rule = |t, mut g| async move {
        keep_to_the_limit(&t, &mut g).await;
        g
    };
    let mut g = bare(2);
    for r in g.c.region_ids().collect::<Vec<_>>() {
        g.region_mut(r)[Settlers] = 1;
    }
    set(&mut g, "N7", &[(Npt, 8), (Spt, 2)]);
    let lost = g.casualties;
    let mut trial = Trial::new(g.clone(), rule).start();
    assert_eq!((trial.asked(), trial.words()), (vec![(Seat(1), "over-limit")], vec!["green".into(), "orange".into()]));
    trial.say("orange").say("green");
    let end = trial.over();
    assert_eq!(here(&end, "N7").0, [7, 1, 0, 0, 0, 0]);
    assert_eq!((end.casualties[Npt], end.casualties[Spt], end.ready), (lost[Npt] + 1, lost[Spt] + 1, g.ready));
    // If there is room for a cube, it goes there before any is removed.
    set(&mut g, "PS5", &[]);
    let end = Trial::new(g, rule).start().over();
    assert_eq!((here(&end, "N7").0, here(&end, "PS5")[Spt]), ([8, 0, 0, 0, 0, 0], 2), "Big Bend is for Orange (6.1)");
}

/// plains-indian-wars 10.5, 15.4, 4.4
#[test]
fn nothing_over_the_limit_goes_to_a_region_that_wagons_hold() {
    let rule = |t, mut g| async move {
        keep_to_the_limit(&t, &mut g).await;
        g
    };
    // Indian Territory, with nine Orange, has three neighbours: US cubes in one, Wagons in another.
    let position = |players: u8| {
        let mut g = bare(players);
        set(&mut g, "S5", &[(Spt, 9)]);
        set(&mut g, "S1", &[(Wagons, 1)]);
        set(&mut g, "S6", &[(Settlers, 1)]);
        g
    };
    let end = Trial::new(position(4), rule).start().over();
    assert_eq!((here(&end, "S5")[Spt], here(&end, "S9")[Spt]), (8, 1), "the only one is not asked for");
    // With two players, Wagons do not hold a region.
    let trial = Trial::new(position(2), rule).start();
    assert_eq!(trial.options().len(), 2);
    assert!(trial.words().iter().any(|words| words.ends_with("to kansas river")));
}

/// plains-indian-wars 11.4
#[test]
fn only_a_movement_card_brings_casualties_back() {
    let mut g = bare(2);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    (g.casualties[Enemies], g.ready[Enemies]) = (3, 16);
    let mut trial = marching(g, March::new(Enemies, 1, 2));
    assert!(trial.refused("recover casualties").contains("movement card"));
}

/// plains-indian-wars 11.4, 10.0
#[test]
fn the_us_empties_its_casualty_box_too() {
    let begun = || {
        let mut g = bare(2);
        set(&mut g, "St. Louis", &[(Settlers, 2)]);
        (g.ready[Settlers], g.casualties[Settlers]) = (1, 3);
        let rule = |t, mut g| async move {
            let mut plan = March::of_card(Settlers, 2, 1);
            reinforce(&t, &mut g, Settlers, 4, &mut plan).await;
            march(&t, &mut g, plan).await;
            g
        };
        Trial::new(g, rule).start()
    };
    let mut trial = begun();
    assert_eq!(trial.words(), ["go on", "recover"]);
    trial.say("recover");
    assert!(trial.story().contains(&"3 Brown go from the Casualty Box back to the Ready Box.".to_owned()));
    // All four are placed, four of them may go west; one group move is left.
    assert_eq!(trial.words().len(), 5);
    trial.say("2");
    let now = trial.now();
    assert_eq!((here(&now, "St. Louis")[Settlers], here(&now, "Sacramento")[Settlers]), (4, 2));
    assert_eq!((now.ready[Settlers], now.casualties[Settlers]), (0, 0));
    assert!(trial.reads().lines[0].starts_with("Group moves left: 1, each a region."), "{:?}", trial.reads());
    // Without it the one that is ready comes, and the Casualty Box can be emptied by a group move
    // still.
    let mut trial = begun();
    trial.say("go on").say("0");
    assert_eq!(trial.story().last().map(String::as_str), Some("1 Brown placed in St. Louis."));
    trial.say("recover casualties");
    let now = trial.now();
    assert_eq!((now.ready[Settlers], now.casualties[Settlers], here(&now, "St. Louis")[Settlers]), (3, 0, 3));
    assert!(trial.reads().lines[0].starts_with("Group moves left: 1,"), "{:?}", trial.reads());
    trial.say("move 1 from st louis to kansas river").say("done");
    trial.over();
}

/// plains-indian-wars 10.0, 10.1.1
#[test]
fn where_nothing_can_be_placed_that_is_told() {
    let mut g = bare(2);
    (g.ready[Npt], g.casualties[Npt]) = (0, 4);
    // Without a group move left the casualties stay where they are.
    let rule = |t, mut g| async move {
        let mut plan = March::of_card(Npt, 0, 1);
        reinforce(&t, &mut g, Npt, 3, &mut plan).await;
        g
    };
    let mut trial = Trial::new(g, rule).start();
    assert_eq!(trial.over().casualties[Npt], 4);
    assert_eq!(trial.story(), ["No Green can be placed."]);
}
