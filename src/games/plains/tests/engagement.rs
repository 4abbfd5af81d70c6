//! Tests of engagements (12, 13).

use super::super::{State, components::*, engagement::*, march::march, movement::March, state::Cubes, testing::*};
use Faction::*;
use postrider_table::Seat;

pub(super) fn fight(g: State, id: &str, active: Faction, dice: &[(Faction, &str)]) -> Running {
    let r = at(&g, id);
    let rule = move |t, mut g| async move {
        engage(&t, &mut g, r, active).await;
        g
    };
    let mut trial = Trial::new(g, rule);
    for &(faction, letters) in dice {
        trial = trial.rolls(faction, letters);
    }
    trial.start()
}

/// Returns an empty map with these cubes in one region.
pub(super) fn with(players: u8, id: &str, cubes: &[(Faction, u8)]) -> State {
    let mut g = bare(players);
    set(&mut g, id, cubes);
    g
}

/// plains-indian-wars 12.0, 12.1, 12.1.2, 12.1.2.1, 12.1.3, 12.1.4, 12.1.4.4, 12.1.6, 12.1.7
#[test]
fn the_example_in_three_parts() {
    let mut g = with(2, "N2", &[(Cavalry, 1), (Settlers, 2), (Wagons, 1), (Npt, 6), (Spt, 1)]);
    set(&mut g, "N1", &[(Settlers, 1)]);
    let dice = [(Npt, "ww"), (Spt, "t"), (Settlers, "ww"), (Cavalry, "b")];
    let dice2 = [(Npt, "wb"), (Spt, "b"), (Wagons, "wb")];
    let mut trial = fight(g, "N2", Npt, &[dice.as_slice(), &dice2].concat());
    // The attacker has lost two Green and rolled no Blank. Brown, with two cubes, takes the first
    // loss; then Brown and Blue are equal.
    assert_eq!(trial.asked(), [(Seat(1), "loss")]);
    let now = trial.now();
    assert_eq!(here(&now, "N2").0, [4, 1, 1, 1, 0, 1]);
    trial.check_options(5);
    trial.say("lose brown");
    assert_eq!(trial.asked(), [(Seat(1), "retreat")]);
    trial.check_options(5);
    trial.say("retreat 1 blue to council bluffs");
    assert_eq!(trial.asked(), [(Seat(0), "wagons")]);
    trial.check_options(5);
    trial.say("attack");
    // One hit is ignored; the Wagon's hit costs a Green cube. The attacker declines to use his
    // Blanks before the Wagon moves.
    assert_eq!(trial.asked(), [(Seat(0), "retreat")]);
    assert_eq!(here(&trial.now(), "N2")[Wagons], 1);
    trial.say("stay");
    let g = trial.over();
    assert_eq!(here(&g, "N2").0, [3, 1, 0, 0, 0, 0]);
    assert_eq!(here(&g, "N1").0, [0, 0, 1, 1, 0, 0]);
    assert_eq!(here(&g, "N3")[Wagons], 1, "it has escaped west");
    assert_eq!((g.casualties[Npt], g.casualties[Settlers], g.casualties[Cavalry]), (3, 2, 0));
    assert_eq!((g.destroyed, g.battle_vps), (0, 0));
}

/// plains-indian-wars 12.1.1
#[test]
fn a_single_indian_cube_strikes_first() {
    // The largest enemy group is Brown; after the hit, one Blue and one Brown are left to fight.
    let g = with(2, "N7", &[(Npt, 1), (Cavalry, 1), (Settlers, 2)]);
    let trial = fight(g.clone(), "N7", Cavalry, &[(Npt, "wb"), (Cavalry, "w"), (Settlers, "w")]);
    let end = trial.over();
    assert_eq!((here(&end, "N7").0, end.casualties.0), ([0, 0, 1, 1, 0, 0], [1, 0, 0, 1, 0, 0]));
    // A Treaty or a Blank has no effect, and there is no ambush when the Indians attack.
    for letter in ["tb", "bb"] {
        let trial = fight(g.clone(), "N7", Cavalry, &[(Npt, letter), (Cavalry, "w"), (Settlers, "tt")]);
        assert_eq!(here(&trial.over(), "N7").0, [0, 0, 1, 2, 0, 0]);
    }
    let trial = fight(g.clone(), "N7", Npt, &[(Npt, "b"), (Cavalry, "w"), (Settlers, "tt")]);
    assert_eq!(here(&trial.over(), "N7").0, [0, 0, 1, 2, 0, 0]);
    // If the groups are equal, the ambusher chooses.
    let g = with(2, "N7", &[(Npt, 1), (Cavalry, 2), (Settlers, 2)]);
    let mut trial = fight(g, "N7", Cavalry, &[(Npt, "wb"), (Cavalry, "w"), (Settlers, "tt")]);
    assert_eq!(trial.asked(), [(Seat(0), "ambush")]);
    trial.check_options(3);
    trial.say("ambush blue");
    assert_eq!(here(&trial.over(), "N7").0, [0, 0, 1, 2, 0, 0]);
}

/// plains-indian-wars 12.1.2
#[test]
fn a_treaty_ends_the_fight_and_the_stronger_side_sends_the_weaker_away() {
    let g = with(2, "N7", &[(Npt, 3), (Cavalry, 2)]);
    // Hits of the same roll do not count.
    let end = fight(g.clone(), "N7", Npt, &[(Npt, "tw"), (Cavalry, "tw")]).over();
    // All regions around are empty green ones, which the Indians control, and the US has no region
    // at all: the cubes go back to the Ready Box.
    assert_eq!((here(&end, "N7").0, end.ready[Cavalry]), ([3, 0, 0, 0, 0, 0], g.ready[Cavalry] + 2));
    let mut g = g;
    set(&mut g, "N2", &[(Settlers, 1)]);
    set(&mut g, "N3", &[(Wagons, 1)]);
    let mut trial = fight(g, "N7", Npt, &[(Npt, "tw"), (Cavalry, "tw")]);
    trial.check_options(4);
    assert_eq!(trial.words(), ["to fort kearny", "to north platte"]);
    trial.say("to north platte");
    let g = trial.over();
    assert_eq!((here(&g, "N7").0, here(&g, "N3").0), ([3, 0, 0, 0, 0, 0], [0, 0, 2, 0, 0, 1]));
    assert!(g.casualties.is_empty());
    // A Treaty of only one side has no effect.
    let g = with(2, "N7", &[(Npt, 2), (Cavalry, 1)]);
    let trial = fight(g, "N7", Npt, &[(Npt, "tw"), (Cavalry, "w")]);
    assert_eq!(here(&trial.over(), "N7").0, [1, 0, 0, 0, 0, 0]);
}

/// plains-indian-wars 12.1.2, 12.1.2.1
#[test]
fn a_treaty_ends_the_fight_for_the_wagons_too() {
    let mut g = with(2, "N2", &[(Npt, 3), (Cavalry, 1), (Wagons, 1)]);
    set(&mut g, "N1", &[(Settlers, 1)]);
    let end = fight(g, "N2", Npt, &[(Npt, "tw"), (Cavalry, "t")]).over();
    assert_eq!((here(&end, "N2").0, here(&end, "N1").0), ([3, 0, 0, 0, 0, 1], [0, 0, 1, 1, 0, 0]));
    assert_eq!(end.targets(at(&end, "N2")), 1, "nothing spares it from whoever comes next");
}

/// plains-indian-wars 12.1.2
#[test]
fn of_equal_sides_the_defender_sends_the_attacker_away() {
    let mut g = with(2, "N7", &[(Npt, 2), (Cavalry, 2)]);
    set(&mut g, "N2", &[(Settlers, 1)]);
    let trial = fight(g.clone(), "N7", Cavalry, &[(Npt, "tb"), (Cavalry, "tw")]);
    let end = trial.over();
    assert_eq!((here(&end, "N7").0, here(&end, "N2").0), ([2, 0, 0, 0, 0, 0], [0, 0, 2, 1, 0, 0]));
    let mut trial = fight(g.clone(), "N7", Npt, &[(Npt, "tb"), (Cavalry, "tw")]);
    assert_eq!(trial.asked(), [(Seat(1), "treaty")]);
    trial.say("to n6");
    assert_eq!(here(&trial.over(), "N6")[Npt], 2);
    // With no region to go to, they return to the Ready Box.
    set(&mut g, "N2", &[]);
    let ready = g.ready[Cavalry];
    let trial = fight(g, "N7", Cavalry, &[(Npt, "tb"), (Cavalry, "tw")]);
    assert_eq!(trial.over().ready[Cavalry], ready + 2);
}

/// plains-indian-wars 12.1.2, 12.1.4, 12.1.4.1, 12.1.4.2, 12.1.4.3
#[test]
fn where_cubes_may_retreat() {
    use super::super::engagement::retreat::retreats;
    let mut g = bare(2);
    let names = |g: &State, faction, id: &str| {
        let mut names: Vec<String> =
            retreats(g, faction, at(g, id)).into_iter().map(|s| g.c.spot_name(s).to_owned()).collect();
        names.sort();
        names
    };
    // Indians: friendly or empty Plains regions, and areas next to the map by their arrows.
    set(&mut g, "N12", &[(Npt, 1), (Cavalry, 1)]);
    // A vacant Purple region counts as a Plains region for the tribes that may enter it.
    assert_eq!(
        names(&g, Npt, "N12"),
        ["Black Hills", "Canada", "Judith Basin", "Knife River", "Powder River", "Yellowstone"]
    );
    for id in ["PN1", "PN3", "PN4"] {
        set(&mut g, id, &[(Enemies, 1)]);
    }
    assert_eq!(names(&g, Npt, "N12"), ["Black Hills", "Canada", "Knife River"]);
    set(&mut g, "N11", &[(Settlers, 1)]);
    assert_eq!(names(&g, Npt, "N12"), ["Black Hills", "Canada"]);
    assert_eq!(names(&g, Spt, "N12"), ["Black Hills"]);
    // Enemies: Purple regions of their own, empty regions next to Purple ones, and Canada only by
    // its arrow.
    assert_eq!(names(&g, Enemies, "N12"), ["Black Hills", "Judith Basin", "Powder River", "Yellowstone"]);
    // Cavalry and Settlers: friendly regions first.
    assert_eq!(names(&g, Cavalry, "N12"), ["Judith Basin", "Knife River", "Powder River", "Yellowstone"]);
    assert_eq!(names(&g, Settlers, "N12"), ["Knife River"]);
    set(&mut g, "N11", &[]);
    assert_eq!(names(&g, Cavalry, "N12"), ["Judith Basin", "Powder River", "Yellowstone"], "of its Enemies");
    for id in ["PN1", "PN3", "PN4"] {
        set(&mut g, id, &[]);
    }
    assert_eq!(names(&g, Cavalry, "N12"), ["Black Hills", "Knife River"], "vacant ones at the last");
    set(&mut g, "N5", &[(Npt, 1), (Settlers, 1)]);
    assert_eq!(names(&g, Settlers, "N5"), ["Rockies"]);
    set(&mut g, "N1", &[(Npt, 1), (Settlers, 1)]);
    assert_eq!(names(&g, Settlers, "N1"), ["St. Louis"]);
    set(&mut g, "PN1", &[(Enemies, 1)]);
    set(&mut g, "N8", &[(Npt, 1), (Settlers, 1), (Cavalry, 1)]);
    assert_eq!(names(&g, Cavalry, "N8"), ["Fort Union", "Powder River"]);
    assert_eq!(names(&g, Settlers, "N8"), ["Fort Union"], "no Purple region for Settlers");
    // A Blank of an Orange cube in the far south, and one of a Purple cube.
    set(&mut g, "S12", &[(Spt, 1), (Cavalry, 1), (Enemies, 1)]);
    assert_eq!(names(&g, Spt, "S12"), ["Big Bend", "Brazos", "Mexico", "Pecos", "Staked Plain"]);
    assert_eq!(
        names(&g, Enemies, "S12"),
        ["Big Bend", "Pecos", "Staked Plain"],
        "no Purple region is beside the Brazos"
    );
    // With four players, Wagons hold a region for the US.
    let mut four = bare(4);
    set(&mut four, "N2", &[(Npt, 1), (Cavalry, 1)]);
    set(&mut four, "N3", &[(Wagons, 1)]);
    assert_eq!(names(&four, Cavalry, "N2"), ["North Platte"]);
    assert!(!names(&four, Npt, "N2").contains(&"North Platte".to_owned()));
    // A full region cannot be entered.
    set(&mut g, "N12", &[(Cavalry, 8)]);
    assert_eq!(names(&g, Settlers, "N8"), ["Fort Laramie", "Knife River", "North Platte", "White River"]);
}

/// plains-indian-wars 12.1.4, 12.1.4.1, 12.1.4.3, 6.3, 12.0, 4.5
#[test]
fn where_an_engagement_waits_cubes_may_retreat_and_fight_again() {
    use super::super::engagement::retreat::retreats;
    let names = |g: &State, faction| -> Vec<String> {
        let spots = retreats(g, faction, at(g, "N7"));
        spots.into_iter().map(|s| g.c.spot_name(s).to_owned()).collect()
    };
    // Three Green have moved in on a Brown cube at Fort Kearny, and one on Wagons at North Platte.
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 2), (Cavalry, 1)]);
    set(&mut g, "N2", &[(Npt, 3), (Settlers, 1)]);
    set(&mut g, "N3", &[(Npt, 1), (Wagons, 1)]);
    set(&mut g, "N8", &[(Npt, 1), (Wagons, 1)]);
    g.contested = vec![at(&g, "N2"), at(&g, "N3")];
    // An attack on Wagons alone contests nothing, so North Platte belongs to the Indians.
    assert_eq!(names(&g, Cavalry), ["Fort Kearny"]);
    assert!(names(&g, Npt).contains(&"Fort Kearny".to_owned()), "Indians may reinforce theirs, too");
    // Without a pending engagement, a majority of Indians controls a region, so Blue may go only to
    // empty regions.
    g.contested.clear();
    assert_eq!(names(&g, Cavalry), ["Fort Randall", "James River", "Knife River"]);
    assert!(names(&g, Npt).contains(&"Fort Kearny".to_owned()));
}

/// plains-indian-wars 12.1.8, 12.1.4, 12.1.4.3, 15.4
#[test]
fn who_retreats_among_enemies_fights_again() {
    // With four players a Wagon contests North Platte, so that Blue may retreat to it.
    let mut g = with(4, "N2", &[(Npt, 2), (Cavalry, 2)]);
    set(&mut g, "N3", &[(Spt, 1), (Wagons, 1)]);
    g.contested = vec![at(&g, "N2")];
    for active in [Cavalry, Npt] {
        let rule = move |t, mut g| async move {
            engagements(&t, &mut g, active).await;
            g
        };
        let trial = Trial::new(g.clone(), rule);
        let trial = trial.rolls(Npt, "bb").rolls(Cavalry, "bbww");
        let mut trial = trial.rolls(Spt, if active == Cavalry { "bb" } else { "b" }).start();
        while trial.asked() == [(Seat(0), "retreat")] {
            trial.say("stay");
        }
        trial.say("retreat 2 blue to north platte");
        let end = trial.over();
        assert!(trial.story().iter().any(|line| line.starts_with("Engagement in North Platte")));
        assert_eq!((here(&end, "N2").0, here(&end, "N3").0), ([2, 0, 0, 0, 0, 0], [0, 0, 2, 0, 0, 1]));
    }
}

/// plains-indian-wars 12.1.2, 12.0, 4.5
#[test]
fn a_treaty_sends_nobody_to_where_an_engagement_waits() {
    let mut g = with(2, "N7", &[(Npt, 1), (Cavalry, 3)]);
    for id in ["N2", "N3", "N6", "N8", "N10"] {
        set(&mut g, id, &[(Settlers, 1)]);
    }
    set(&mut g, "N11", &[(Npt, 3), (Settlers, 1)]);
    g.contested = vec![at(&g, "N11")];
    let sent = |g: State| fight(g, "N7", Npt, &[(Npt, "t"), (Cavalry, "tb")]);
    // They are not sent to the three friends in Knife River, but to the nearest region of their
    // own.
    let trial = sent(g.clone());
    assert_eq!(trial.asked(), [(Seat(1), "treaty")]);
    assert!(!trial.words().contains(&"to knife river".to_owned()));
    g.contested.clear();
    assert_eq!(here(&sent(g).over(), "N11")[Npt], 4, "where none waits they control it");
}

/// plains-indian-wars 12.1.4, 11.2.2
#[test]
fn one_cube_retreats_for_each_blank() {
    let mut g = with(2, "N7", &[(Npt, 3), (Cavalry, 2), (Settlers, 1)]);
    set(&mut g, "N2", &[(Settlers, 1)]);
    let mut trial = fight(g, "N7", Npt, &[(Npt, "bbt"), (Cavalry, "btt"), (Settlers, "b")]);
    assert_eq!(trial.asked(), [(Seat(0), "retreat")], "the attacker first");
    let asks = trial.reads();
    let place = trial.now().name(at(&bare(2), "N7")).to_owned();
    assert_eq!(asks.title, format!("Whether cubes retreat from 2 Blue and 1 Brown in {place}"));
    assert!(asks.lines[0].contains(&format!("The enemy is {}.", bare(2).who(Seat(1)))), "{asks:?}");
    assert!(trial.refused("retreat 3 green to james river").contains("2 at the most"));
    assert!(trial.refused("retreat 1 orange to james river").contains("No Orange cube"));
    assert!(trial.refused("retreat 1 green to fort kearny").contains("can retreat to"));
    trial.say("retreat 1 to james river, 1 to fort randall");
    assert_eq!(trial.reads().title, format!("Whether cubes retreat from 1 Green in {place}"));
    // The Blank of Blue and the Blank of Brown apply to their own factions only.
    assert!(trial.refused("retreat 2 blue to fort kearny").contains("of the faction that rolled it"));
    trial.say("retreat 1 blue to fort kearny, 1 brown to fort kearny");
    let now = trial.now();
    assert_eq!(here(&now, "N7").0, [1, 0, 1, 0, 0, 0]);
    assert_eq!((here(&now, "N10")[Npt], here(&now, "N6")[Npt], here(&now, "N2").0), (1, 1, [0, 0, 1, 2, 0, 0]));
    assert_eq!(trial.asked(), [(Seat(1), "treaty")], "one against one: the defender moves the attacker");
}

/// plains-indian-wars 12.1.2, 11.2.2
#[test]
fn a_blank_is_for_its_own_faction_or_for_those_who_came_with_it() {
    // Only Brown rolled a Blank, and the Blue cubes did not come with Brown.
    let mut g = with(2, "N7", &[(Npt, 4), (Cavalry, 2), (Settlers, 1)]);
    set(&mut g, "N2", &[(Settlers, 1)]);
    let mut trial = fight(g, "N7", Npt, &[(Npt, "tt"), (Cavalry, "ww"), (Settlers, "b")]);
    assert_eq!(trial.words(), ["stay", "retreat 1 brown to fort kearny"]);
    assert!(trial.refused("retreat 1 blue to fort kearny").contains("No Blue cube"));
    // Two Brown came with a Blue that was not there before, so each Blank applies to either
    // faction.
    let rule = |t, mut g: State| async move {
        march(&t, &mut g, March::new(Settlers, 1, 1)).await;
        engagements(&t, &mut g, Settlers).await;
        g
    };
    let came = |blue: &str, brown: &str| {
        let mut g = with(2, "N7", &[(Npt, 2), (Cavalry, 0)]);
        set(&mut g, "N2", &[(Settlers, 2), (Cavalry, 1)]);
        set(&mut g, "N3", &[(Settlers, 1)]);
        let trial = Trial::new(g, rule).rolls(Npt, "tttt").rolls(Cavalry, blue).rolls(Settlers, brown);
        let mut trial = trial.start();
        trial.say("move 2 brown and 1 blue from fort kearny to white river");
        trial
    };
    let words = ["stay", "retreat 1 blue to north platte", "retreat 1 brown to north platte"];
    assert_eq!(came("b", "ww").words(), words);
    assert_eq!(came("w", "bw").words(), words);
    let mut trial = came("bt", "bw");
    assert!(trial.reads().lines.iter().any(|line| line.starts_with("Up to 2 cubes")), "{:?}", trial.reads());
    trial.say("retreat 2 brown to north platte");
    assert_eq!(here(&trial.now(), "N3")[Settlers], 3);
    // Only one of the two Brown cubes, the one that came with Blue, retreats by a Blank of Blue.
    let mut g = with(2, "N9", &[(Npt, 5), (Cavalry, 2), (Settlers, 2)]);
    set(&mut g, "N8", &[(Cavalry, 1)]);
    let r = at(&g, "N9");
    (g.moved[usize::from(r.0)][Cavalry], g.moved[usize::from(r.0)][Settlers]) = (2, 1);
    g.together = vec![(r, [Cavalry, Settlers])];
    let mut trial = fight(g, "N9", Cavalry, &[(Npt, "tt"), (Cavalry, "bb"), (Settlers, "ww")]);
    assert!(trial.refused("retreat 2 brown to black hills").contains("12.1.4"));
    assert!(trial.words().contains(&"retreat 1 brown to black hills".to_owned()));
    // A Blank of Blue is for one cube, of either colour that came with it.
    let mut g = with(2, "N9", &[(Npt, 5), (Cavalry, 2), (Settlers, 1), (Enemies, 1)]);
    set(&mut g, "N8", &[(Cavalry, 1)]);
    let r = at(&g, "N9");
    g.moved[usize::from(r.0)] = *g.region(r);
    g.together = vec![(r, [Cavalry, Settlers]), (r, [Cavalry, Enemies])];
    let mut trial = fight(g, "N9", Cavalry, &[(Npt, "tt"), (Cavalry, "bw"), (Settlers, "w"), (Enemies, "w")]);
    trial.say("leave out purple");
    assert!(trial.refused("retreat 1 brown to black hills, 1 blue to black hills").contains("1 at the most"));
    assert!(trial.words().contains(&"retreat 1 brown to black hills".to_owned()));
}

/// plains-indian-wars 12.1.4, 12.1.6
#[test]
fn the_attacker_may_retreat_from_a_fight_that_he_wins() {
    // His roll removes the only defender; before that he is asked, as in the second part of the
    // Example.
    let mut trial = fight(with(2, "N7", &[(Npt, 3), (Cavalry, 1)]), "N7", Npt, &[(Npt, "wb"), (Cavalry, "w")]);
    assert_eq!(trial.asked(), [(Seat(0), "retreat")]);
    assert_eq!(here(&trial.now(), "N7").0, [2, 0, 1, 0, 0, 0]);
    trial.say("retreat 1 green to james river");
    let end = trial.over();
    assert_eq!((here(&end, "N7").0, here(&end, "N10")[Npt]), ([1, 0, 0, 0, 0, 0], 1));
    // 12.1.7: once the attackers are gone, no defender retreats.
    let end = fight(with(2, "N7", &[(Npt, 1), (Cavalry, 2)]), "N7", Npt, &[(Npt, "w"), (Cavalry, "wb")]).over();
    assert_eq!(here(&end, "N7").0, [0, 0, 1, 0, 0, 0]);
}

/// plains-indian-wars 12.1.6, 15.3, 15.4
#[test]
fn between_allies_a_coin_says_who_loses() {
    let g = with(4, "N7", &[(Npt, 2), (Spt, 2), (Cavalry, 1)]);
    let r = at(&g, "N7");
    let rule = move |t, mut g| async move {
        engage(&t, &mut g, r, Npt).await;
        g
    };
    let mut trial = Trial::new(g, rule).rolls(Npt, "tt").rolls(Spt, "tw").rolls(Cavalry, "w").dice("coin", [1]).start();
    assert!(trial.story().contains(&"A coin between Green and Orange: Orange.".to_owned()), "{:?}", trial.story());
    let g = trial.over();
    assert_eq!(here(&g, "N7").0, [2, 1, 0, 0, 0, 0]);
}

/// plains-indian-wars 14.1, 9.2.2
#[test]
fn every_two_cavalry_of_a_battle_are_a_point() {
    let g = with(2, "N7", &[(Npt, 4), (Cavalry, 3)]);
    let trial = fight(g, "N7", Npt, &[(Npt, "wwww"), (Cavalry, "ttt")]);
    let g = trial.over();
    assert_eq!((here(&g, "N7")[Cavalry], g.battle_vps), (0, 1));
}

/// plains-indian-wars 9.2.2, VP
#[test]
fn the_whole_of_custers_force_is_worth_two_more_within_the_turn() {
    let mut g = with(2, "N7", &[(Npt, 4), (Cavalry, 5)]);
    g.send_custer(at(&g, "N7"), 4);
    // Of five Blue, the four of Custer fall first: two pairs, and two points for his force.
    let end = fight(g.clone(), "N7", Cavalry, &[(Cavalry, "ttttt"), (Npt, "wwwwtw")]).over();
    assert_eq!((here(&end, "N7").0, end.casualties[Cavalry]), ([4, 0, 0, 0, 0, 0], 4));
    assert_eq!((end.battle_vps, end.custer_vps), (2, 2));
    // Three fell in one engagement, and the last one falls in another of the same turn.
    set(&mut g, "N7", &[(Npt, 4), (Cavalry, 1)]);
    g.send_custer(at(&g, "N7"), 1);
    let end = fight(g.clone(), "N7", Npt, &[(Npt, "ww"), (Cavalry, "t")]).over();
    assert_eq!((end.battle_vps, end.custer_vps, end.custer.len()), (0, 2, 0));
    // A Treaty that sends Custer back to the Ready Box does not eliminate him.
    let end = fight(g.clone(), "N7", Npt, &[(Npt, "tw"), (Cavalry, "t")]).over();
    assert_eq!((end.casualties[Cavalry], end.custer_vps, end.custer.len()), (0, 0, 0));
    // When cubes move on from Custer's region, other Blue cubes go before his.
    set(&mut g, "N2", &[(Cavalry, 3)]);
    g.send_custer(at(&g, "N2"), 2);
    let [n1, n2] = ["N1", "N2"].map(|id| at(&g, id));
    g.shift(Spot::Region(n2), Spot::Region(n1), Cubes::of(Cavalry, 2));
    assert_eq!((g.custer[usize::from(n1.0)], g.custer[usize::from(n2.0)]), (1, 1));
}

/// plains-indian-wars 12.1.2.1
#[test]
fn wagons_are_attacked_one_at_a_time() {
    let g = with(2, "N3", &[(Npt, 3), (Wagons, 3)]);
    // Two hits destroy the first Wagon.
    let mut trial = fight(g, "N3", Npt, &[(Npt, "ww"), (Wagons, "ww")]);
    trial.say("attack");
    assert_eq!(here(&trial.now(), "N3").0, [1, 0, 0, 0, 0, 2], "Wagons hit too");
    let destroyed = "A Wagon in North Platte is destroyed: 1 VP for the Indians.";
    assert!(trial.story().contains(&destroyed.to_owned()));
    assert_eq!(trial.now().destroyed, 1);
    // The attack may be called off at any time.
    let dice = [(Npt, "wwtb"), (Wagons, "tbtb")];
    let mut trial = fight(with(2, "N3", &[(Npt, 2), (Wagons, 3)]), "N3", Npt, &dice);
    trial.say("attack");
    assert_eq!(trial.now().destroyed, 1);
    trial.say("attack");
    assert_eq!(here(&trial.now(), "N3")[Wagons], 2, "the Treaty leaves it there");
    trial.say("call off");
    assert_eq!(here(&trial.over(), "N3").0, [2, 0, 0, 0, 0, 2]);
}

/// plains-indian-wars 12.1.2.1, 12.0
#[test]
fn indians_who_were_attacked_leave_the_wagons_alone() {
    let g = with(2, "N3", &[(Npt, 2), (Cavalry, 1), (Wagons, 1)]);
    let dice = [(Npt, "ww"), (Cavalry, "t"), (Wagons, "tt")];
    assert_eq!(fight(g.clone(), "N3", Cavalry, &dice).asked(), []);
    assert_eq!(fight(g, "N3", Npt, &dice).asked(), [(Seat(0), "wagons")]);
}

/// plains-indian-wars 12.1.2.1
#[test]
fn a_treaty_spares_a_wagon_for_the_turn() {
    let mut g = with(2, "N2", &[(Npt, 2), (Wagons, 1)]);
    let mut trial = fight(g.clone(), "N2", Npt, &[(Npt, "tb"), (Wagons, "tb")]);
    trial.say("attack");
    let end = trial.over();
    assert_eq!((here(&end, "N2")[Wagons], end.targets(at(&end, "N2"))), (1, 0));
    // The SPT's disc of the same turn finds it spared, and it stays spared after it has moved.
    assert_eq!(fight(end.clone(), "N2", Spt, &[]).over().destroyed, 0);
    let rule = |t, mut g: State| async move {
        super::super::discs::all_advance(&t, &mut g, false).await;
        g
    };
    let west = Trial::new(end, rule).start().over();
    assert_eq!((here(&west, "N3")[Wagons], west.targets(at(&west, "N3"))), (1, 0));
    // Another Wagon in the region may be attacked, and is the first to go.
    let n2 = usize::from(at(&g, "N2").0);
    g.spared[n2] = 1;
    set(&mut g, "N2", &[(Npt, 2), (Wagons, 2)]);
    let mut trial = fight(g, "N2", Npt, &[(Npt, "tw"), (Wagons, "bw")]);
    trial.say("attack");
    let end = trial.over();
    assert_eq!((end.targets(at(&end, "N2")), here(&end, "N2")[Wagons], here(&end, "N3")[Wagons]), (0, 1, 1));
    assert_eq!(end.targets(at(&end, "N3")), 0, "it has escaped in this round");
    assert_eq!(end.spared[usize::from(at(&end, "N3").0)], 0, "which a later disc ends");
}

/// plains-indian-wars 12.1.4.4, 6.6.1
#[test]
fn an_escaping_wagon_takes_a_trail_of_its_players_choice() {
    let g = with(2, "N3", &[(Npt, 1), (Wagons, 1)]);
    let mut trial = fight(g, "N3", Npt, &[(Npt, "t"), (Wagons, "bb")]);
    trial.say("attack");
    assert_eq!(trial.asked(), [(Seat(1), "trail")]);
    trial.check_options(4);
    assert_eq!(trial.words(), ["0", "1"]);
    trial.say("1");
    let g = trial.over();
    assert_eq!((here(&g, "N3")[Wagons], here(&g, "N4")[Wagons], here(&g, "N9")[Wagons]), (0, 1, 0));
}

/// plains-indian-wars 12.1.8
#[test]
fn the_attacker_orders_his_engagements() {
    let mut g = with(2, "N7", &[(Npt, 2), (Settlers, 1)]);
    set(&mut g, "N6", &[(Npt, 2), (Settlers, 1)]);
    g.contested = vec![at(&g, "N6"), at(&g, "N7"), at(&g, "N1")];
    let rule = |t, mut g: State| async move {
        engagements(&t, &mut g, Npt).await;
        g
    };
    let mut trial = Trial::new(g, rule).rolls(Npt, "wtwt").rolls(Settlers, "wt").start();
    assert_eq!(trial.words(), ["engage fort randall", "engage white river"]);
    trial.check_options(4);
    trial.say("engage white river");
    let g = trial.over();
    assert_eq!((here(&g, "N7")[Npt], here(&g, "N6")[Npt]), (1, 2));
}

/// plains-indian-wars 12.1.2.1, 12.1.4
#[test]
fn the_attacker_of_wagons_retreats_before_they_escape_or_fall() {
    let g = with(2, "N2", &[(Npt, 3), (Wagons, 3)]);
    let mut trial = fight(g, "N2", Npt, &[(Npt, "bbwwwb"), (Wagons, "ttttbt")]);
    assert_eq!(trial.words(), ["attack", "call off"]);
    trial.say("attack");
    assert_eq!(trial.asked(), [(Seat(0), "retreat")]);
    trial.check_options(9);
    trial.say("retreat 1 to white river").say("attack");
    assert_eq!((trial.asked(), trial.now().destroyed), (vec![(Seat(0), "wagons")], 1));
    trial.say("attack");
    assert_eq!((trial.asked(), here(&trial.now(), "N2")[Wagons]), (vec![(Seat(0), "retreat")], 2));
    // The cube retreats, and the Wagon that rolled a Blank still advances.
    trial.say("retreat 1 to white river").say("call off");
    let end = trial.over();
    assert_eq!((here(&end, "N2").0, here(&end, "N7")[Npt], here(&end, "N3")[Wagons]), ([1, 0, 0, 0, 0, 1], 2, 1));
}

/// plains-indian-wars 11.0, 12.1.4, 4.3
#[test]
fn a_cube_that_retreats_has_still_moved() {
    // Three Green join the one in White River; one of the four retreats by the Blank.
    let mut g = with(2, "N7", &[(Npt, 1), (Cavalry, 2)]);
    set(&mut g, "N10", &[(Npt, 3)]);
    let rule = |t, mut g: State| async move {
        march(&t, &mut g, March::new(Npt, 1, 1)).await;
        engagements(&t, &mut g, Npt).await;
        g
    };
    let mut trial = Trial::new(g, rule).rolls(Npt, "bwtt").rolls(Cavalry, "ttt").start();
    trial.say("move 3 from james river to white river").say("retreat 1 to knife river");
    let g = trial.over();
    let fresh = |id: &str| g.fresh(Spot::Region(at(&g, id)))[Npt];
    assert_eq!((here(&g, "N11")[Npt], fresh("N11")), (1, 0), "no Medicine Line for it in this round");
    assert_eq!((here(&g, "N7")[Npt], fresh("N7")), (3, 1));
}

/// plains-indian-wars 12.1.4.2, 6.4
#[test]
fn enemies_retreat_to_friendly_controlled_regions_of_every_colour() {
    use super::super::engagement::retreat::retreats;
    let mut g = with(2, "N9", &[(Npt, 2), (Enemies, 2)]);
    set(&mut g, "N8", &[(Enemies, 3)]);
    for id in ["PN1", "PN5", "N5", "N3", "N4"] {
        set(&mut g, id, &[(Npt, 1)]);
    }
    assert_eq!(retreats(&g, Enemies, at(&g, "N9")), [Spot::Region(at(&g, "N8"))]);
    set(&mut g, "N8", &[(Cavalry, 1)]);
    assert_eq!(retreats(&g, Enemies, at(&g, "N9")), [Spot::Region(at(&g, "N8"))], "the Cavalry is their friend");
}

/// plains-indian-wars 6.5, 12.1.4.3
#[test]
fn settlers_never_retreat_to_purple_regions() {
    use super::super::engagement::{limit::keep_to_the_limit, retreat::retreats};
    for players in [2, 3, 4] {
        let mut g = with(players, "N8", &[(Npt, 2), (Cavalry, 1), (Settlers, 1)]);
        set(&mut g, "PN1", &[(Cavalry, 1)]);
        for id in ["N3", "N7", "N9", "N11", "N12"] {
            set(&mut g, id, &[(Npt, 1)]);
        }
        let purple = [Spot::Region(at(&g, "PN1"))];
        let ways = [Settlers, Cavalry].map(|f| retreats(&g, f, at(&g, "N8")));
        assert_eq!(ways, [vec![], purple.to_vec()], "{players} players");
        // Nor does the enemy send them there when the region is over the limit (10.5).
        set(&mut g, "N8", &[(Settlers, 9)]);
        let rule = |t, mut g| async move {
            keep_to_the_limit(&t, &mut g).await;
            g
        };
        let end = Trial::new(g, rule).start().now();
        assert_eq!(here(&end, "PN1").0, [0, 0, 1, 0, 0, 0]);
    }
}

/// plains-indian-wars 12.1.1
#[test]
fn every_us_faction_can_be_ambushed_but_no_wagon() {
    // A single Orange cube against Enemies; the White cubes are the largest group, but no target.
    let g = with(2, "S7", &[(Spt, 1), (Enemies, 2), (Wagons, 3)]);
    let trial = fight(g, "S7", Enemies, &[(Spt, "wb"), (Enemies, "w")]);
    let end = trial.over();
    assert_eq!((here(&end, "S7").0, end.casualties.0), ([0, 0, 0, 0, 1, 3], [0, 1, 0, 0, 1, 0]));
    // Two Indian cubes do not ambush, even if they are of two factions.
    let g = with(2, "S7", &[(Npt, 1), (Spt, 1), (Cavalry, 2)]);
    let trial = fight(g, "S7", Cavalry, &[(Npt, "t"), (Spt, "t"), (Cavalry, "ww")]);
    assert_eq!(here(&trial.over(), "S7").0, [0, 0, 2, 0, 0, 0]);
}

/// plains-indian-wars 12.1.2
#[test]
fn two_dice_at_the_most_for_each_faction() {
    // Five Green and three Orange roll four dice; six Blue and two Brown roll four.
    let g = with(2, "N7", &[(Npt, 5), (Spt, 3), (Cavalry, 6), (Settlers, 2)]);
    let dice = [(Npt, "wt"), (Spt, "wt"), (Cavalry, "wt"), (Settlers, "wt")];
    let trial = fight(g, "N7", Npt, &dice);
    // Both sides rolled Treaties, so no hit counts. The sides are equal with eight cubes each, so
    // the defender moves the attacker.
    assert_eq!(trial.asked(), [(Seat(1), "treaty")]);
    assert!(trial.now().casualties.is_empty());
}

/// plains-indian-wars 12.1.2
#[test]
fn the_weaker_side_goes_to_its_nearest_region_where_enemies_are_all_around() {
    let mut g = with(2, "N7", &[(Npt, 4), (Cavalry, 2)]);
    for id in ["N2", "N3", "N6", "N8", "N10", "N11"] {
        set(&mut g, id, &[(Npt, 1)]);
    }
    // Two such regions are two regions away: the stronger player decides.
    for id in ["S1", "S3", "S12"] {
        set(&mut g, id, &[(Settlers, 1)]);
    }
    let mut trial = fight(g.clone(), "N7", Npt, &[(Npt, "tb"), (Cavalry, "tb")]);
    assert_eq!(trial.asked(), [(Seat(0), "treaty")]);
    assert_eq!(trial.words(), ["to kansas river", "to denver"]);
    trial.say("to denver");
    assert_eq!(here(&trial.over(), "S3").0, [0, 0, 2, 1, 0, 0]);
    // With only one there is no question.
    set(&mut g, "S1", &[]);
    set(&mut g, "S3", &[]);
    assert_eq!(here(&fight(g, "N7", Npt, &[(Npt, "tb"), (Cavalry, "tb")]).over(), "S12").0, [0, 0, 2, 1, 0, 0]);
}

/// plains-indian-wars 12.1.2.1, 12.0, 15.3, 15.4
#[test]
fn the_tribe_whose_disc_was_drawn_says_whether_wagons_are_attacked() {
    let g = with(4, "N2", &[(Npt, 2), (Spt, 3), (Wagons, 1)]);
    let asked = |g: &State, active| fight(g.clone(), "N2", active, &[]).asked();
    assert_eq!((asked(&g, Npt), asked(&g, Spt)), (vec![(Seat(0), "wagons")], vec![(Seat(1), "wagons")]));
    // When his last cube is gone, his ally decides whether to go on.
    let g = with(4, "N2", &[(Npt, 1), (Spt, 1), (Wagons, 2)]);
    let r = at(&g, "N2");
    let rule = move |t, mut g| async move {
        engage(&t, &mut g, r, Npt).await;
        g
    };
    let trial = Trial::new(g, rule).rolls(Npt, "b").rolls(Spt, "b").rolls(Wagons, "wt").dice("coin", [0]);
    let mut trial = trial.start();
    assert_eq!(trial.asked(), [(Seat(0), "wagons")]);
    trial.say("attack");
    assert_eq!(trial.asked(), [(Seat(1), "retreat")]);
    trial.say("stay");
    assert_eq!(trial.asked(), [(Seat(1), "wagons")]);
    trial.say("call off");
    assert_eq!(here(&trial.over(), "N2").0, [0, 1, 0, 0, 0, 2]);
}

/// plains-indian-wars 12.1.4, 12.1.4.3
#[test]
fn a_cube_retreats_to_where_it_can_when_the_one_before_it_has_gone() {
    // Fort Kearny has room for one more; only after that is St. Louis open to Blue.
    let mut g = with(2, "N1", &[(Npt, 3), (Cavalry, 2)]);
    set(&mut g, "N2", &[(Settlers, 7)]);
    let attacked = |g: State| fight(g, "N1", Npt, &[(Npt, "tt"), (Cavalry, "bb")]);
    let both = "retreat 1 blue to fort kearny, 1 blue to st. louis";
    for order in [both, "retreat 1 blue to st. louis, 1 to fort kearny"] {
        let mut trial = attacked(g.clone());
        trial.check_options(3);
        assert_eq!(trial.read("all stay").ok(), trial.read("stay").ok());
        assert!(trial.reads().lines.contains(&format!("Up to 2 cubes in one order: `{both}`.")), "{:?}", trial.reads());
        assert!(trial.refused("retreat 2 blue to st. louis").contains("can retreat to Fort Kearny"));
        assert!(trial.refused("retreat 2 blue to fort kearny").contains("holds 8 friendly cubes"));
        trial.say(order);
        let end = trial.over();
        assert_eq!((here(&end, "N2").0, here(&end, "St. Louis")[Cavalry]), ([0, 0, 1, 7, 0, 0], 1));
    }
    // Regions that are open at first stay open: both vacant regions, even after Blue has entered
    // one of them.
    let mut g = with(2, "N7", &[(Npt, 3), (Cavalry, 2)]);
    set(&mut g, "N2", &[(Npt, 1)]);
    let mut trial = fight(g, "N7", Npt, &[(Npt, "tt"), (Cavalry, "bb")]);
    trial.say("retreat 1 to james river, 1 to knife river");
    assert_eq!(["N10", "N11"].map(|id| here(&trial.over(), id)[Cavalry]), [1, 1]);
}

/// plains-indian-wars 9.2, 12.1.2
#[test]
fn an_offer_of_a_card_that_is_declined_stays_open() {
    let mut g = with(2, "N7", &[(Npt, 2), (Cavalry, 3)]);
    (g.fx.winter, g.fx.black_kettle) = (true, true);
    let mut trial = fight(g, "N7", Cavalry, &[(Npt, "tb"), (Cavalry, "ww")]);
    assert_eq!(trial.asked(), [(Seat(1), "winter-campaign")]);
    trial.say("no");
    assert_eq!(trial.asked(), [(Seat(0), "black-kettle")]);
    // Fewer Indian cubes would be sent away.
    let line = "This roll's hits would not count, and the Indian cubes are sent away.";
    assert!(trial.reads().lines[0].ends_with(line), "{:?}", trial.reads());
    trial.say("no");
    // Two dice of Blue, which hit twice: the engagement is over.
    let end = trial.over();
    assert_eq!((here(&end, "N7").0, end.fx.winter, end.fx.black_kettle), ([0, 0, 3, 0, 0, 0], true, true));
    // A single Indian cube is enough for Black Kettle.
    let mut g = with(2, "N7", &[(Npt, 1), (Cavalry, 1)]);
    g.fx.black_kettle = true;
    let mut trial = fight(g, "N7", Npt, &[(Npt, "b"), (Cavalry, "t")]);
    assert_eq!(trial.asked(), [(Seat(0), "black-kettle")]);
    trial.say("yes");
    assert!(!trial.now().fx.black_kettle);
}
