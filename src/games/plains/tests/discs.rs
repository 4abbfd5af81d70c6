//! Tests of Wagons (6.6), the Railroad (6.7) and Enemies (6.4).

use super::super::{State, components::*, discs, testing::*};
use Faction::*;
use postrider_table::Seat;

fn wagons(g: State) -> Running {
    let rule = |t, mut g| async move {
        discs::wagons(&t, &mut g).await;
        g
    };
    Trial::new(g, rule).start()
}

fn railroad(g: State, brown: &str) -> State {
    let rule = |t, mut g| async move {
        discs::railroad(&t, &mut g);
        g
    };
    Trial::new(g, rule).rolls(Settlers, brown).start().over()
}

/// plains-indian-wars 1.3, 6.6, 6.6.1, 6.6.2, 7.0, 10.5
#[test]
fn wagons_set_out_and_go_west() {
    let mut g = bare(2);
    set(&mut g, "St. Louis", &[(Wagons, 2)]);
    set(&mut g, "N2", &[(Wagons, 1), (Npt, 3)]);
    set(&mut g, "N5", &[(Wagons, 2)]);
    set(&mut g, "PS1", &[(Wagons, 1)]);
    let mut trial = wagons(g);
    assert_eq!((trial.asked(), trial.options().len()), (vec![(Seat(1), "wagons-north")], 5));
    trial.check_options(3);
    assert_eq!(trial.read("three").ok(), trial.read("3").ok());
    assert_eq!(trial.read("zero").ok(), trial.read("0").ok());
    assert!(trial.read("o").is_err() && trial.read("z").is_err(), "no word cut short is a number");
    let said = trial.reads().lines.join(" ");
    for trail in
        ["North, Oregon Trail: 3 Green in ", "North, California Trail: ", "South, Santa Fe Trail: nobody on the way"]
    {
        assert!(said.contains(trail), "{said}");
    }
    trial.say("3");
    let g = trial.over();
    assert_eq!((here(&g, "N1")[Wagons], here(&g, "S1")[Wagons], here(&g, "N3")[Wagons]), (3, 1, 1));
    assert_eq!((g.arrived, here(&g, "St. Louis")[Wagons], g.contested.len()), ([2, 1], 0, 0));
}

/// plains-indian-wars 6.6.1
#[test]
fn where_trails_part_each_is_named_with_whoever_stands_along_it() {
    let mut g = bare(2);
    set(&mut g, "N3", &[(Wagons, 2)]);
    set(&mut g, "N4", &[(Npt, 2)]);
    set(&mut g, "PN5", &[(Enemies, 1)]);
    let trial = wagons(g.clone());
    assert_eq!(trial.asked(), [(Seat(1), "trail")]);
    let asks = trial.reads();
    let other = |name: &str| ["Oregon Trail", "California Trail"].into_iter().find(|other| *other != name);
    let taken =
        ["Oregon Trail", "California Trail"].into_iter().find(|name| asks.title.ends_with(name)).expect("a trail");
    assert!(
        asks.title.starts_with(&format!("How many Wagons in {} take the ", g.name(at(&g, "N3")))),
        "{}",
        asks.title
    );
    assert!(
        asks.lines[0].ends_with(&format!("The others take the {}.", other(taken).expect("two trails"))),
        "{asks:?}"
    );
    let (n4, pn5) = (g.name(at(&g, "N4")), g.name(at(&g, "PN5")));
    assert!(asks.lines.contains(&format!("California Trail: 2 Green in {n4}; then the Rockies.")), "{asks:?}");
    assert!(asks.lines.contains(&format!("Oregon Trail: 1 Purple in {pn5}; then the Rockies.")), "{asks:?}");
}

/// plains-indian-wars 12.1.2.1, 6.6.1
#[test]
fn a_spared_wagon_keeps_its_spare_on_the_way() {
    let advanced = |g: State| {
        let rule = |t, mut g: State| async move {
            discs::all_advance(&t, &mut g, false).await;
            g
        };
        Trial::new(g, rule).start()
    };
    for (east, west, end) in [("N1", "N2", "N3"), ("S1", "S2", "S7")] {
        let mut g = bare(2);
        set(&mut g, east, &[(Wagons, 1)]);
        set(&mut g, west, &[(Wagons, 1)]);
        let beside = usize::from(at(&g, west).0);
        g.spared[beside] = 1;
        let targets = |g: &State| [west, end].map(|id| (here(g, id)[Wagons], g.targets(at(g, id))));
        assert_eq!(targets(&advanced(g).over()), [(1, 1), (1, 0)]);
    }
    // At a fork, those that are not spared go first to the trail named in the question.
    let mut g = bare(2);
    set(&mut g, "N3", &[(Wagons, 3)]);
    let n3 = usize::from(at(&g, "N3").0);
    g.spared[n3] = 1;
    let mut trial = advanced(g);
    let said = trial.reads().lines[0].clone();
    let n4 = said.contains("how many go to Cheyenne");
    let (asked, other) = if n4 { ("N4", "N9") } else { ("N9", "N4") };
    assert!(said.contains("A Treaty spares 1 of them; those that it does not spare are the first to go to "), "{said}");
    trial.say("2");
    let g = trial.over();
    let targets = [asked, other].map(|id| (here(&g, id)[Wagons], g.targets(at(&g, id))));
    assert_eq!(targets, [(2, 2), (1, 0)]);
}

/// plains-indian-wars 15.4
#[test]
fn with_four_players_one_wagon_takes_each_route() {
    let g = wagons(bare(4)).over();
    assert_eq!((here(&g, "N1")[Wagons], here(&g, "S1")[Wagons]), (1, 1));
    // Of three, the northern route has one more.
    let mut three = bare(4);
    set(&mut three, "St. Louis", &[(Wagons, 1)]);
    let g = wagons(three).over();
    assert_eq!((here(&g, "N1")[Wagons], here(&g, "S1")[Wagons]), (2, 1));
}

/// plains-indian-wars 9.2.1
#[test]
fn a_closed_trail_stops_the_southern_route() {
    let mut g = bare(2);
    set(&mut g, "S2", &[(Wagons, 1)]);
    set(&mut g, "N2", &[(Wagons, 1)]);
    g.set_enduring(Spt, Some(Event::SantaFeTrailClosed));
    let mut trial = wagons(g);
    trial.say("0");
    let story = trial.story().join(" ");
    assert!(story.contains("The Santa Fe Trail is closed"), "{story}");
    assert!(story.contains("2 Wagons set out") && !story.contains("0 Wagons"), "{story}");
    let g = trial.over();
    assert_eq!((here(&g, "S2")[Wagons], here(&g, "N3")[Wagons], here(&g, "S1")[Wagons]), (1, 1, 2));
}

/// plains-indian-wars 6.7, 6.7.1, 7.0
#[test]
fn a_space_for_every_brown_cube_beside_the_railhead() {
    let mut g = bare(2);
    set(&mut g, "N1", &[(Settlers, 2)]);
    set(&mut g, "S1", &[(Settlers, 1)]);
    assert_eq!(railroad(g.clone(), "bb").east, 3, "before the first cube the railhead is P1");
    set(&mut g, "S1", &[(Settlers, 3)]);
    let g = railroad(g, "bb");
    assert_eq!((g.east, g.west), (3, 0), "three at the most");
    // P7 borders N2 and S2.
    let mut far = g.clone();
    far.east = 7;
    assert_eq!(railroad(far.clone(), "bb").east, 7);
    set(&mut far, "S2", &[(Settlers, 1)]);
    assert_eq!(railroad(far, "bb").east, 8);
}

/// plains-indian-wars 6.7.2
#[test]
fn through_the_mountains_by_dice() {
    let mut g = bare(2);
    assert_eq!(railroad(g.clone(), "wt").west, 2);
    assert_eq!(railroad(g.clone(), "wb").west, 1);
    g.west = 4;
    // The last M space and the first one of the Plains.
    assert_eq!(railroad(g.clone(), "tt").west, 6);
    g.west = 5;
    let rule = |t, mut g| async move {
        discs::railroad(&t, &mut g);
        g
    };
    set(&mut g, "S4", &[(Settlers, 2)]);
    let g = Trial::new(g, rule).start().over();
    assert_eq!(g.west, 7, "no more dice");
}

/// Brown cubes build next to both railheads, in the west only beyond the mountains, and nowhere
/// after the two have met.
///
/// plains-indian-wars 6.7, 6.7.1, 6.7.2
#[test]
fn where_brown_cubes_build() {
    let heads = |east: usize, west: usize| {
        let mut g = bare(2);
        (g.east, g.west) = (east, west);
        g.railheads().into_iter().map(|r| g.c[r].id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(heads(5, 4), ["N2", "S1"]);
    assert_eq!(heads(7, 4), ["N2", "S2"]);
    assert_eq!(heads(7, 5), ["N2", "S2", "N5", "S4"]);
    assert_eq!(heads(15, 10), [""; 0]);
}

/// From the east only the spaces before the mountains can be filled: twenty of twenty-five.
///
/// plains-indian-wars 6.7.1, 6.7.2
#[test]
fn the_union_pacific_does_not_build_in_the_mountains() {
    let mut g = bare(2);
    (g.east, g.west) = (18, 0);
    for r in g.c.rail[17].regions.clone() {
        let id = g.c[r].id.clone();
        set(&mut g, &id, &[(Settlers, 3)]);
    }
    assert_eq!(railroad(g.clone(), "bb").east, 20, "two of three");
    // The Central Pacific still has its five.
    g.east = 20;
    let end = railroad(g.clone(), "bb");
    assert_eq!((end.east, end.west, end.ending()), (20, 0, false));
    let end = railroad(State { west: 3, ..g }, "tw");
    assert_eq!((end.east, end.west, end.ending()), (20, 5, true));
}

/// plains-indian-wars 9.2.1, 2.0, 14.0
#[test]
fn enduring_cards_of_the_railroad() {
    let mut g = bare(2);
    set(&mut g, "N1", &[(Settlers, 4)]);
    g.set_enduring(Settlers, Some(Event::UnionPacificRailroad));
    assert_eq!(railroad(g.clone(), "bb").east, 4);
    // One region back counts as well: P5 borders N2 and S1, P4 borders N1 and S1.
    g.east = 5;
    assert_eq!(railroad(g.clone(), "bb").east, 9);
    // A region that borders both counts once.
    let mut both = g.clone();
    set(&mut both, "N1", &[]);
    set(&mut both, "S1", &[(Settlers, 2)]);
    assert_eq!(railroad(both, "bb").east, 7);
    // In a conflict, the Indian card has priority.
    g.set_enduring(Npt, Some(Event::TornUpTrack));
    assert_eq!(railroad(g.clone(), "bb").east, 5);
    // Filling the last space ends the game.
    let mut end = bare(2);
    (end.east, end.west) = (14, 10);
    set(&mut end, "N4", &[(Settlers, 3)]);
    let rule = |t, mut g| async move {
        discs::railroad(&t, &mut g);
        g
    };
    let end = Trial::new(end, rule).start().over();
    assert_eq!((end.east + end.west, end.ending()), (25, true));
}

/// plains-indian-wars 6.4, 6.4.1, 6.4.2, 10.4
#[test]
fn the_enemies_place_one_and_move_one_region() {
    let mut g = bare(2);
    set(&mut g, "PN2", &[(Enemies, 2)]);
    set(&mut g, "N9", &[(Npt, 1)]);
    let rule = |t, mut g| async move {
        discs::enemies(&t, &mut g).await;
        g
    };
    let mut trial = Trial::new(g, rule).rolls(Npt, "bb").rolls(Enemies, "w").start();
    assert_eq!((trial.asked(), trial.options().len()), (vec![(Seat(1), "placement")], 12));
    trial.say("place 1 in canada");
    trial.check_options(40);
    trial.say("move 1 from bighorn to fort laramie");
    assert!(trial.refused("move 1 from canada to judith basin").contains("group moves are used up"));
    trial.say("move 1 purple from bighorn to yellowstone");
    let g = trial.over();
    assert_eq!((here(&g, "Canada")[Enemies], here(&g, "N9").0, here(&g, "PN3")[Enemies]), (1, [0, 0, 0, 0, 1, 0], 1));
    assert!(!g.moving, "from now on no region may be over the limit");
}

/// plains-indian-wars 6.4, 10.4, 7.0
#[test]
fn a_purple_disc_without_a_cube_says_so() {
    let rule = |t, mut g| async move {
        discs::enemies(&t, &mut g).await;
        g
    };
    let mut g = bare(2);
    g.casualties[Enemies] = std::mem::take(&mut g.ready[Enemies]);
    let mut trial = Trial::new(g, rule).start();
    assert_eq!(trial.story(), ["No Purple cube is ready."]);
    assert!(trial.over().contested.is_empty());
}

/// plains-indian-wars 6.6.1, 10.0, 10.5
#[test]
fn as_many_wagons_come_as_are_ready() {
    for (ready, told) in
        [(0, "No more Wagons are ready."), (1, "1 Wagon comes to St. Louis."), (3, "2 Wagons come to St. Louis.")]
    {
        let mut g = bare(2);
        g.ready[Wagons] = ready;
        let mut trial = wagons(g);
        assert_eq!(trial.story()[0], told);
        if ready > 0 {
            trial.say("1");
        }
        let end = trial.over();
        assert_eq!(end.ready[Wagons], ready.saturating_sub(2));
        assert_eq!(
            [here(&end, "N1")[Wagons], here(&end, "S1")[Wagons]],
            [ready.min(1), ready.min(2).saturating_sub(1)]
        );
    }
}

/// Journeys are counted by their route, in addition to those of earlier rounds.
///
/// plains-indian-wars 6.6.2
#[test]
fn wagons_that_arrive_are_added_to_those_before() {
    let mut g = bare(2);
    g.arrived = [3, 5];
    set(&mut g, "N5", &[(Wagons, 2)]);
    set(&mut g, "PS1", &[(Wagons, 1)]);
    let mut trial = wagons(g);
    trial.say("0");
    assert_eq!(trial.over().arrived, [5, 6]);
}
