//! Tests of movement (11).

use super::super::{
    State, components::*, engagement::limit::keep_to_the_limit, march::*, movement::*, state::Cubes, testing::*,
};
use Faction::*;

pub(super) fn marching(g: State, plan: March) -> Running {
    let rule = move |t, mut g| async move {
        march(&t, &mut g, plan).await;
        g
    };
    Trial::new(g, rule).start()
}

/// plains-indian-wars 4.3, 4.7, 11.0
#[test]
fn a_group_may_part_and_stops_at_the_enemy() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 4)]);
    set(&mut g, "N3", &[(Settlers, 1)]);
    let mut trial = marching(g, March::new(Npt, 1, 2));
    trial.check_options(60);
    // Cheyenne is beyond North Platte: three regions away, or through the enemy.
    assert!(trial.refused("move 1 from white river to cheyenne").contains("farther than the 2 regions"));
    assert!(trial.refused("move 5 from n7 to n8").contains("4 Green"));
    assert!(trial.refused("move 1 from n7 to st. louis").contains("may not enter St. Louis"));
    trial.say("move 2 from white river to fort laramie");
    trial.say("move 1 green from white river to north platte");
    // The cubes that moved may not move again, but the rest of the group may still go.
    assert!(trial.refused("move 1 from fort laramie to black hills").contains("no cube that can still move"));
    trial.say("done");
    let g = trial.over();
    assert_eq!([here(&g, "N7"), here(&g, "N9"), here(&g, "N3")].map(|c| c[Npt]), [1, 2, 1]);
    assert_eq!(g.contested, [at(&g, "N3")]);
}

/// plains-indian-wars 11.1
#[test]
fn a_group_by_railroad_takes_a_group_move() {
    let mut g = bare(2);
    (g.east, g.west) = (7, 5);
    set(&mut g, "St. Louis", &[(Cavalry, 2)]);
    set(&mut g, "Sacramento", &[(Cavalry, 2)]);
    let rails = |trial: &mut Running| trial.words().iter().filter(|words| words.starts_with("rail")).count();
    let mut trial = marching(g.clone(), March::of_card(Cavalry, 2, 2));
    assert!(rails(&mut trial) > 0);
    trial.say("rail 1 from st louis to kansas river");
    assert!(rails(&mut trial) > 0, "from Sacramento, by the other group move");
    let mut trial = marching(g, March::of_card(Cavalry, 1, 2));
    trial.say("rail 1 from st louis to kansas river");
    assert!(trial.asked().is_empty() || rails(&mut trial) == 0, "the only group move is used");
}

/// Eight friendly cubes fit into a region; the letter warns of a ninth.
///
/// plains-indian-wars 4.4, 10.5
#[test]
fn who_would_fill_a_region_is_warned() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 4)]);
    set(&mut g, "N8", &[(Npt, 6)]);
    let trial = marching(g, March::new(Npt, 1, 2));
    assert!(trial.dangers("move 2 from white river to black hills").is_empty());
    assert!(trial.dangers("move 3 from white river to black hills").concat().contains("9 cubes would stand"));
}

/// plains-indian-wars 11.0
#[test]
fn a_way_that_is_named_is_one_that_the_group_can_go() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 4)]);
    set(&mut g, "N3", &[(Settlers, 1)]);
    let mut trial = marching(g, March::new(Npt, 1, 2));
    let plain = trial.read("move 2 from white river to fort laramie").expect("an order");
    for way in [
        "move 2 from white river to fort laramie via black hills",
        "2 from n7 via n8 to n9",
        "move 2 from white river through the black hills to fort laramie",
    ] {
        assert_eq!(trial.read(way).ok().as_ref(), Some(&plain), "{way}");
    }
    // North Platte ends movement, the way by Fort Union is too long, and Denver is not on the way.
    for way in ["n3", "fort union", "denver", "n8 and fort union"] {
        assert!(trial.read(&format!("move 2 from white river to fort laramie via {way}")).is_err(), "{way}");
    }
    // If there is no way at all, the question says why.
    assert!(trial.refused("move 1 from white river to cheyenne").contains("farther than the 2 regions"));
}

/// plains-indian-wars 4.4, 10.5, 13.0
#[test]
fn settlers_over_the_limit_do_not_go_to_enemies_alone() {
    let mut g = bare(2);
    set(&mut g, "N9", &[(Settlers, 10)]);
    set(&mut g, "N8", &[(Enemies, 2)]);
    let crowded = |mut g: State| {
        g.moving = true;
        let rule = |t, mut g| async move {
            keep_to_the_limit(&t, &mut g).await;
            g
        };
        Trial::new(g, rule).start()
    };
    let to_the_hills = "send 2 brown to black hills";
    let mut trial = crowded(g.clone());
    assert!(trial.refused(to_the_hills).contains("cannot go to Black Hills"));
    // With Cavalry, Settlers and Enemies stay together.
    set(&mut g, "N8", &[(Enemies, 2), (Cavalry, 1)]);
    crowded(g.clone()).say(to_the_hills);
    // Nor do Enemies go to Settlers; Purple and Brown cubes cannot be sent to the same region in
    // one order.
    let mut g = bare(2);
    set(&mut g, "N9", &[(Cavalry, 8), (Settlers, 1), (Enemies, 1)]);
    for id in ["N3", "N4", "N5", "PN1", "PN5"] {
        set(&mut g, id, &[(Npt, 1)]);
    }
    let both = "send 1 brown to black hills, 1 purple to black hills";
    let mut trial = crowded(g);
    assert!(trial.refused(both).contains("cannot go to Black Hills"));
    trial.say("send 1 brown to black hills, 1 blue to black hills");
    assert_eq!(here(&trial.over(), "N8").0, [0, 0, 1, 1, 0, 0]);
}

/// plains-indian-wars 11.0, 4.4, 4.7
#[test]
fn an_empty_indian_region_ends_the_way_of_the_us() {
    let mut g = bare(2);
    set(&mut g, "St. Louis", &[(Cavalry, 2)]);
    let mut trial = marching(g.clone(), March::of_card(Cavalry, 1, 2));
    assert!(trial.refused("move 2 from st louis to fort kearny").contains("end movement"));
    // The way continues through a region of the group's own side.
    set(&mut g, "N1", &[(Settlers, 1)]);
    let mut trial = marching(g, March::of_card(Cavalry, 1, 2));
    trial.say("move 2 blue from saint louis to fort kearny");
    assert_eq!(here(&trial.over(), "N2")[Cavalry], 2);
}

/// plains-indian-wars 4.7, 11.0, 12.0
#[test]
fn an_engagement_that_waits_ends_movement_too() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 4)]);
    set(&mut g, "N3", &[(Settlers, 1)]);
    let mut trial = marching(g, March::new(Npt, 1, 2));
    trial.say("move 3 from white river to north platte");
    // Three against one would be control, but not before the engagement; Denver is beyond.
    assert!(trial.refused("move 1 from white river to denver").contains("ends movement"));
    trial.say("move 1 from white river to north platte");
    assert_eq!(here(&trial.over(), "N3").0, [4, 0, 0, 1, 0, 0]);
}

/// plains-indian-wars 11.0
#[test]
fn groups_are_counted_by_where_they_start() {
    let mut g = bare(2);
    for id in ["N6", "N7", "N8"] {
        set(&mut g, id, &[(Npt, 2)]);
    }
    let mut trial = marching(g, March::new(Npt, 2, 1));
    trial.say("move 1 from n6 to n10").say("move 1 from n7 to n11");
    assert!(trial.refused("move 1 from n8 to n12").contains("group moves are used up"));
    trial.say("move 1 from n6 to n1").say("move 1 from n7 to n2");
    // Both groups have left, so there is nothing more to ask.
    let g = trial.over();
    assert_eq!(["N1", "N2", "N8", "N10", "N11"].map(|id| here(&g, id)[Npt]), [1, 1, 2, 1, 1]);
}

/// plains-indian-wars 11.2, 11.2.1
#[test]
fn allies_go_along_by_their_ratios() {
    for (active, own, ally, fits) in [
        (Cavalry, 1, Settlers, 2),
        (Cavalry, 1, Enemies, 1),
        (Cavalry, 2, Enemies, 2),
        (Settlers, 2, Cavalry, 1),
        (Settlers, 3, Cavalry, 1),
        (Enemies, 2, Cavalry, 1),
        (Npt, 2, Spt, 1),
        (Npt, 5, Spt, 2),
        (Spt, 4, Npt, 2),
    ] {
        let mut g = bare(2);
        set(&mut g, "N8", &[(active, own), (ally, fits + 1)]);
        let mut trial = marching(g, March::new(active, 1, 1));
        trial.check_options(20);
        let order = |n: u8| format!("move {own} {} and {n} {} from n8 to n9", active.word(), ally.word());
        let why = trial.refused(&order(fits + 1));
        assert!(why.contains("11.2.1"), "{active:?}: {why}");
        trial.say(&order(fits));
    }
    let mut g = bare(2);
    set(&mut g, "N8", &[(Settlers, 4), (Enemies, 1), (Cavalry, 1)]);
    let mut trial = marching(g.clone(), March::new(Settlers, 1, 1));
    assert!(trial.refused("move 4 brown and 1 purple from n8 to n9").contains("do not move with"));
    // Each Blue may take two Brown or one Purple along, but not both.
    let mut trial = marching(g, March::new(Cavalry, 1, 1));
    assert!(trial.refused("move 1 blue and 1 brown and 1 purple from n8 to n9").contains("11.2.1"));
    // A player may not move cubes of an ally.
    let mut four = bare(4);
    set(&mut four, "N8", &[(Npt, 4), (Spt, 1)]);
    let mut trial = marching(four, March::new(Npt, 1, 1));
    assert!(trial.refused("move 2 green and 1 orange from n8 to n9").contains("not yours"));
}

/// plains-indian-wars 11.2, 11.2.1
#[test]
fn the_most_allies_that_a_group_can_take_are_an_option() {
    for (active, own, ally, there, most) in [
        (Npt, 5, Spt, 3, 2),
        (Spt, 4, Npt, 1, 1),
        (Cavalry, 1, Settlers, 3, 2),
        (Cavalry, 2, Enemies, 3, 2),
        (Settlers, 5, Cavalry, 3, 2),
        (Enemies, 2, Cavalry, 1, 1),
    ] {
        let mut g = bare(2);
        set(&mut g, "N9", &[(active, own), (ally, there)]);
        let words = marching(g, March::new(active, 1, 1)).words();
        let to = |cubes: String| format!("move {cubes} from fort laramie to black hills");
        let alone = to(format!("{own} {}", active.word()));
        let both = [(active, own), (ally, most)].map(|(f, n)| format!("{n} {}", f.word()));
        let orders = [[0, 1], [1, 0]].map(|[i, j]| to(format!("{} and {}", both[i], both[j])));
        assert!(words.contains(&alone) && words.iter().any(|said| orders.contains(said)), "{orders:?}: {words:?}");
    }
}

/// plains-indian-wars 11.4
#[test]
fn the_last_group_move_may_empty_the_casualty_box() {
    let mut g = bare(2);
    g.casualties[Npt] = 2;
    let mut trial = marching(g.clone(), March::of_card(Npt, 1, 1));
    assert_eq!(trial.words(), ["recover casualties", "done"]);
    trial.say("recover casualties");
    assert_eq!((trial.asked(), trial.over().casualties[Npt]), (vec![], 0));
    assert_eq!(marching(g, March::of_card(Npt, 0, 1)).asked(), []);
}

/// plains-indian-wars 4.7, 11.0, 12.0
#[test]
fn without_indians_no_engagement_ends_movement() {
    let mut g = bare(2);
    set(&mut g, "N1", &[(Cavalry, 2)]);
    set(&mut g, "N6", &[(Settlers, 2)]);
    g.contested = vec![at(&g, "N6")];
    let mut trial = marching(g.clone(), March::new(Cavalry, 1, 2));
    trial.say("move 2 from council bluffs to james river");
    assert_eq!(here(&trial.over(), "N10")[Cavalry], 2);
    set(&mut g, "N6", &[(Settlers, 2), (Npt, 1)]);
    assert!(marching(g, March::new(Cavalry, 1, 2)).refused("move 2 from n1 to n10").contains("11.0"));
}

/// plains-indian-wars 11.0, 11.2
#[test]
fn allies_may_be_dropped_off_on_the_way() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 2), (Spt, 1)]);
    let mut trial = marching(g.clone(), March::new(Npt, 1, 2));
    trial.say("move 2 green and 1 orange from white river to black hills");
    trial.check_options(20);
    assert!(trial.reads().lines.iter().any(|line| line.contains("may go on up to 1 region")), "{:?}", trial.reads());
    assert!(trial.refused("move 2 green from black hills to denver").contains("does not get to"), "two regions more");
    assert!(trial.refused("move 1 orange from black hills to fort laramie").contains("at least one Green"));
    trial.say("move 2 green from black hills to fort laramie");
    let end = trial.over();
    assert_eq!([here(&end, "N8"), here(&end, "N9")].map(|c| (c[Npt], c[Spt])), [(0, 1), (2, 0)]);
    assert!(end.fresh(Spot::Region(at(&end, "N9"))).is_empty(), "they have moved");
    // No cubes are picked up on the way, and a group stops when it has used up its range.
    set(&mut g, "N8", &[(Npt, 1), (Spt, 1)]);
    let mut trial = marching(g.clone(), March::new(Npt, 1, 2));
    trial.say("move 2 green and 1 orange from white river to black hills");
    assert!(trial.refused("move 3 green from black hills to fort laramie").contains("11.0"));
    assert!(trial.refused("move 3 green and 1 orange from black hills to fort laramie").contains("can still move"));
    trial.say("done");
    // Cubes elsewhere that could also go on are not those that have come here.
    set(&mut g, "N6", &[(Npt, 2), (Spt, 1)]);
    let mut trial = marching(g.clone(), March::new(Npt, 2, 2));
    trial.say("move 2 green and 1 orange from white river to black hills");
    trial.say("move 2 green from fort randall to white river");
    assert!(trial.refused("move 2 green from white river to knife river").contains("no cube that can still move"));
    trial.say("done");
    set(&mut g, "N6", &[]);
    let mut trial = marching(g.clone(), March::new(Npt, 1, 1));
    trial.say("move 2 green and 1 orange from white river to black hills");
    assert_eq!(trial.over().contested, []);
    // Nor does it go on from an enemy.
    set(&mut g, "N8", &[(Settlers, 1)]);
    let mut trial = marching(g, March::new(Npt, 1, 2));
    trial.say("move 2 green and 1 orange from white river to black hills");
    assert_eq!(trial.over().contested.len(), 1);
}

/// plains-indian-wars 11.0, 12.1.2.1
#[test]
fn a_group_that_goes_on_past_wagons_does_not_attack_them() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 2), (Spt, 1)]);
    set(&mut g, "N3", &[(Npt, 1), (Wagons, 1)]);
    let with_them = "move 2 green and 1 orange from white river to north platte";
    let all_on = "move 2 green and 1 orange from north platte to cheyenne";
    let contested = |order: &str| {
        let mut trial = marching(g.clone(), March::new(Npt, 1, 2));
        trial.say(with_them).say(order);
        trial.over().contested
    };
    assert_eq!(contested(all_on), [], "the cube that was there has not come to attack");
    assert_eq!(contested("move 2 green from north platte to cheyenne"), [at(&g, "N3")], "the Orange one has");
}

/// plains-indian-wars 11.1, 6.3, 6.5, 6.7.2
#[test]
fn groups_go_by_railroad_from_either_box() {
    let mut g = bare(2);
    set(&mut g, "St. Louis", &[(Cavalry, 2), (Settlers, 3)]);
    set(&mut g, "Sacramento", &[(Settlers, 2)]);
    let mut trial = marching(g.clone(), March::of_card(Cavalry, 2, 2));
    assert!(trial.refused("rail 1 from st louis to council bluffs").contains("nowhere yet"));
    g.east = 7;
    let mut trial = marching(g.clone(), March::of_card(Cavalry, 2, 2));
    trial.check_options(40);
    assert!(trial.refused("rail 1 from st louis to denver").contains("Dodge City"));
    trial.say("rail 1 blue and 2 brown from st louis to dodge city");
    assert!(trial.refused("rail 1 from st louis to kansas river").contains("No more group"));
    trial.say("done");
    assert_eq!(here(&trial.over(), "S2").0, [0, 0, 1, 2, 0, 0]);
    // Sacramento is closed until the mountains are crossed.
    g.west = 4;
    let mut trial = marching(g.clone(), March::of_card(Settlers, 2, 2));
    assert!(trial.refused("rail 2 from sacramento to green river").contains("M spaces"));
    assert!(trial.refused("move 2 from sacramento to green river").contains("by railroad only"));
    g.west = 5;
    let mut trial = marching(g.clone(), March::of_card(Settlers, 2, 2));
    trial.say("rail 2 from sacramento to green river").say("done");
    assert_eq!(here(&trial.over(), "N5")[Settlers], 2);
    // An Event card used to move does not allow movement by railroad.
    let mut trial = marching(g, March::new(Settlers, 2, 2));
    assert!(trial.refused("rail 2 from sacramento to green river").contains("Engagement and Migration cards only"));
}

/// plains-indian-wars 11.3, 4.4, 6.1, 6.2, 6.3, 6.4, 6.5, 15.3
#[test]
fn who_may_stand_and_cross_where() {
    let g = bare(2);
    let spots = ["N8", "S8", "PN1", "PS1", "Canada", "Mexico", "Rockies"];
    let stands = |g: &State, f: Faction| {
        spots.map(|id| may_stand(g, f, g.c.spot(id).unwrap_or_else(|| Spot::Region(at(g, id)))))
    };
    assert_eq!(stands(&g, Npt), [true, true, true, false, true, false, true]);
    assert_eq!(stands(&g, Spt), [true, true, false, true, false, true, true]);
    assert_eq!(stands(&g, Cavalry), [true, true, true, true, false, false, true]);
    assert_eq!(stands(&g, Settlers), [true, true, false, false, false, false, true]);
    assert_eq!(stands(&bare(3), Settlers), [true, true, true, true, false, false, true]);
    assert_eq!(stands(&g, Enemies), [true, true, true, true, true, true, true]);
    assert!(!may_stand(&g, Enemies, Spot::Region(at(&g, "N7"))), "no Purple region is beside it");
    let step = |f, a: &str, b: Spot| may_step(&g, f, Spot::Region(at(&g, a)), b);
    assert!(step(Npt, "N10", Spot::Canada) && !step(Npt, "N8", Spot::Canada) && !step(Enemies, "N10", Spot::Canada));
    assert!(step(Spt, "S11", Spot::Mexico) && step(Enemies, "PS3", Spot::Mexico));
    assert!(step(Cavalry, "PN2", Spot::Rockies) && !step(Settlers, "PN2", Spot::Rockies));
    assert!(!step(Cavalry, "N1", Spot::StLouis), "only by retreat");
}

/// plains-indian-wars 4.4, 11.3
#[test]
fn a_group_may_go_through_an_area_beside_the_map() {
    let mut g = bare(2);
    set(&mut g, "PN2", &[(Enemies, 2)]);
    set(&mut g, "N10", &[(Npt, 2)]);
    for id in ["N7", "N11"] {
        set(&mut g, id, &[(Settlers, 1)]);
    }
    // Each area counts as a region of the way, and northern Enemies may join southern ones.
    let mut trial = marching(g.clone(), March::new(Enemies, 1, 2));
    trial.say("move 2 from bighorn to santa fe");
    assert_eq!(here(&trial.over(), "PS1")[Enemies], 2);
    let mut trial = marching(g.clone(), March::new(Enemies, 1, 1));
    assert!(trial.refused("move 2 from bighorn to santa fe").contains("farther than the 1 region"));
    let mut trial = marching(g, March::new(Npt, 1, 2));
    trial.say("move 2 from james river to fort union");
    assert_eq!(here(&trial.over(), "N12")[Npt], 2, "by Canada: enemies end the other ways");
}

/// plains-indian-wars 4.3, 12.1.2.1
#[test]
fn indians_may_stay_to_attack_wagons() {
    let mut g = bare(2);
    set(&mut g, "N3", &[(Npt, 2), (Wagons, 1)]);
    let mut trial = marching(g.clone(), March::new(Npt, 1, 1));
    trial.check_options(20);
    trial.say("attack wagons in north platte");
    let end = trial.over();
    assert_eq!(end.contested, [at(&end, "N3")]);
    // This is the group's move. Before the group stays, some of its cubes may go elsewhere by the
    // same group move.
    let mut trial = marching(g.clone(), March::new(Npt, 1, 1));
    trial.say("move 1 from north platte to cheyenne").say("attack wagons in north platte");
    let end = trial.over();
    assert_eq!((here(&end, "N4")[Npt], &end.contested[..]), (1, &[at(&end, "N3")][..]));
    let mut trial = marching(g.clone(), March::new(Npt, 2, 1));
    trial.say("attack wagons in north platte");
    assert_eq!(trial.over().contested.len(), 1, "two group moves, and nobody left to move");
    set(&mut g, "N3", &[(Npt, 2)]);
    let mut trial = marching(g, March::new(Npt, 1, 1));
    assert!(trial.refused("attack wagons in north platte").contains("No group of yours"));
}

/// plains-indian-wars 12.1.2.1, 4.3, 11.0
#[test]
fn wagons_that_a_treaty_spares_are_no_target() {
    let mut g = bare(2);
    set(&mut g, "N3", &[(Npt, 2), (Wagons, 1)]);
    set(&mut g, "N7", &[(Npt, 1)]);
    let n3 = at(&g, "N3");
    g.spared[usize::from(n3.0)] = 1;
    let mut trial = marching(g.clone(), March::new(Npt, 1, 1));
    assert!(trial.refused("attack wagons in north platte").contains("No group of yours"));
    trial.say("move 1 from white river to north platte");
    assert_eq!(trial.over().contested, []);
    // One Green cube and one Wagon are enough for an attack, which is listed.
    let mut one = bare(2);
    set(&mut one, "N3", &[(Npt, 1), (Wagons, 1)]);
    let words = marching(one, March::new(Npt, 1, 1)).words();
    assert!(words.contains(&"attack wagons in north platte".to_owned()), "{words:?}");
    // Another Wagon in the region is a target.
    set(&mut g, "N3", &[(Npt, 2), (Wagons, 2)]);
    let mut trial = marching(g.clone(), March::new(Npt, 1, 1));
    trial.say("move 1 from white river to north platte");
    assert_eq!(trial.over().contested, [at(&g, "N3")]);
}

/// plains-indian-wars 4.5, 4.7, 12.0, 15.4.1.1
#[test]
fn a_region_of_indians_and_wagons_alone_does_not_end_movement() {
    for players in [2, 3, 4] {
        let mut g = bare(players);
        set(&mut g, "S3", &[(Spt, 5)]);
        for id in ["S1", "S2"] {
            set(&mut g, id, &[(Wagons, 1)]);
        }
        let mut trial = marching(g, March::new(Spt, 1, 2));
        let on = "move 2 from denver to kansas river";
        if players == 4 {
            // 15.4: Wagons count as Settlers, so Dodge City is theirs until more Indian cubes are
            // there.
            assert!(trial.refused(on).contains("ends movement"));
        }
        trial.say("move 3 from denver to dodge city").say(on);
        let g = trial.over();
        assert_eq!([here(&g, "S2"), here(&g, "S1")].map(|c| c[Spt]), [3, 2], "{players} players");
        assert_eq!(g.contested, [at(&g, "S2"), at(&g, "S1")], "both attack Wagons");
    }
}

/// plains-indian-wars 4.7, 11.0, 12.0
#[test]
fn two_groups_pass_from_denver_to_kansas_river() {
    let mut g = bare(2);
    set(&mut g, "S3", &[(Spt, 5), (Npt, 2)]);
    for id in ["S1", "S2"] {
        set(&mut g, id, &[(Wagons, 1)]);
    }
    let mut trial = marching(g, March::new(Spt, 1, 2));
    trial.say("move 2 orange and 1 green from denver to dodge city");
    trial.say("move 2 orange and 1 green from denver to kansas river");
    trial.say("done");
    let g = trial.over();
    assert_eq!(["S1", "S2", "S3"].map(|id| (here(&g, id)[Spt], here(&g, id)[Npt])), [(2, 1), (2, 1), (1, 0)]);
}

/// plains-indian-wars 6.3, 11.1
#[test]
fn one_group_of_each_box_goes_by_railroad() {
    let mut g = bare(2);
    set(&mut g, "St. Louis", &[(Cavalry, 2)]);
    set(&mut g, "Sacramento", &[(Cavalry, 1)]);
    (g.east, g.west) = (3, 6);
    let mut trial = marching(g, March::of_card(Cavalry, 2, 2));
    assert!(trial.refused("rail 1 from sacramento to rockies").contains("goes to Green River or Grand River"));
    trial.say("rail 2 from st. louis to kansas river").say("rail 1 from sacramento to grand river");
    let g = trial.over();
    assert_eq!((here(&g, "S1")[Cavalry], here(&g, "S4")[Cavalry]), (2, 1));
}

/// plains-indian-wars 13.0, 11.0, 7.0
#[test]
fn enemies_do_not_attack_wagons_nor_settlers() {
    use super::super::engagement::engagements;
    let rule = |t, mut g: State| async move {
        march(&t, &mut g, March::new(Enemies, 1, 1)).await;
        engagements(&t, &mut g, Enemies).await;
        g
    };
    let mut g = bare(2);
    set(&mut g, "PN1", &[(Enemies, 3)]);
    set(&mut g, "N9", &[(Wagons, 2)]);
    set(&mut g, "N8", &[(Settlers, 2)]);
    set(&mut g, "N7", &[(Settlers, 1)]);
    let mut trial = Trial::new(g, rule).start();
    trial.say("move 1 from powder river to fort laramie").say("move 2 from powder river to black hills");
    // There is no engagement; the Settlers, left alone with Enemies, go to their friends.
    let g = trial.over();
    assert_eq!((here(&g, "N9").0, here(&g, "N8").0), ([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 0]));
    assert_eq!(here(&g, "N7")[Settlers], 3);
}

/// plains-indian-wars 13.0, 15.3, 15.4, 6.5
#[test]
fn settlers_enter_purple_regions_when_three_or_four_play() {
    use super::super::engagement::engagements;
    let rule = |t, mut g: State| async move {
        march(&t, &mut g, March::of_card(Settlers, 1, 1)).await;
        engagements(&t, &mut g, Settlers).await;
        g
    };
    for (players, left) in [(3, [0, 0, 0, 2, 0, 0]), (4, [0, 0, 0, 2, 1, 0])] {
        let mut g = bare(players);
        set(&mut g, "N9", &[(Settlers, 2)]);
        set(&mut g, "PN1", &[(Enemies, 1)]);
        set(&mut g, "PN2", &[(Enemies, 1)]);
        for id in ["PN3", "PN5", "N8", "N12"] {
            set(&mut g, id, &[(Npt, 1)]);
        }
        let mut trial = Trial::new(g, rule).start();
        trial.say("move 2 from fort laramie to powder river");
        // With three players the Enemy in the region must leave; with four players it may stay.
        if players == 3 {
            trial.say("to bighorn");
        }
        assert_eq!(here(&trial.over(), "PN1").0, left, "{players} players");
    }
    let mut two = bare(2);
    set(&mut two, "N9", &[(Settlers, 2)]);
    let mut trial = Trial::new(two, rule).start();
    assert!(trial.refused("move 2 from fort laramie to powder river").contains("which Settlers never enter"));
}

/// plains-indian-wars 6.4, 7.0, 10.4
#[test]
fn the_purple_disc_moves_cubes_of_a_purple_controlled_region() {
    use super::super::discs::enemies;
    let rule = |t, mut g: State| async move {
        enemies(&t, &mut g).await;
        g
    };
    let mut g = bare(2);
    set(&mut g, "N8", &[(Cavalry, 3), (Enemies, 1)]);
    set(&mut g, "N9", &[(Cavalry, 1), (Enemies, 2)]);
    set(&mut g, "Canada", &[(Enemies, 1)]);
    let mut trial = Trial::new(g, rule).start();
    trial.say("place 1 in bighorn");
    assert!(trial.refused("move 1 from black hills to powder river").contains("not Purple controlled"));
    let ways = trial.words();
    for (place, may) in [("black hills", false), ("fort laramie", true), ("bighorn", true), ("canada", true)] {
        assert_eq!(ways.iter().any(|way| way.contains(&format!("purple from {place} to"))), may, "{place}");
    }
    trial.say("move 2 from fort laramie to powder river");
    assert_eq!(here(&trial.over(), "PN1")[Enemies], 2);
}

/// plains-indian-wars 4.4, 6.1, 6.2, 6.3, 6.4, 6.5, 11.0, 11.3
#[test]
fn each_colour_is_told_why_it_may_not_go() {
    let around = [("N1", Settlers), ("N10", Settlers), ("N2", Settlers), ("N7", Settlers)];
    for (active, from, to, others, rule, words) in [
        (Npt, "S8", "santa fe", &[][..], "6.1", "Santa Fe is a Purple region of the south"),
        (Spt, "N8", "powder river", &[], "6.2", "Powder River is a Purple region of the north"),
        (Settlers, "N8", "powder river", &[], "6.5", "a Purple region, which Settlers never enter"),
        (Enemies, "N8", "white river", &[], "6.4", "neither a Purple region nor beside one"),
        (Npt, "S11", "mexico", &[], "4.4", "Mexico is for Orange cubes and the Southern Enemies"),
        (Spt, "N10", "canada", &[], "4.4", "Canada is for Green cubes and the Northern Enemies"),
        (Npt, "N1", "st. louis", &[], "4.4", "St. Louis is for the Cavalry, the Settlers and Wagons"),
        (Cavalry, "N1", "st. louis", &[], "6.3", "Nobody moves into St. Louis"),
        (Settlers, "N5", "sacramento", &[], "6.3", "Nobody moves into Sacramento"),
        // Enemies end every way out of Fort Randall.
        (Npt, "N6", "canada", &around, "11.3", "only where an arrow of their colour leads"),
        (Npt, "N6", "north platte", &around, "11.0", "There is no way from Fort Randall to North Platte"),
    ] {
        let mut g = bare(2);
        set(&mut g, from, &[(active, 2)]);
        for &(id, faction) in others {
            set(&mut g, id, &[(faction, 1)]);
        }
        let from = g.name(at(&g, from)).to_lowercase();
        let mut trial = marching(g, March::new(active, 1, 1));
        let why = trial.refused(&format!("move 1 from {from} to {to}"));
        assert!(why.contains(rule) && why.contains(words), "{active:?} to {to}: {why}");
    }
}

/// plains-indian-wars 11.1, 11.2.2, 12.0
#[test]
fn a_group_by_railroad_attacks_where_it_arrives() {
    let mut g = bare(2);
    g.east = 7;
    set(&mut g, "St. Louis", &[(Cavalry, 1), (Settlers, 3)]);
    set(&mut g, "S2", &[(Spt, 2)]);
    let mut trial = marching(g, March::of_card(Cavalry, 1, 1));
    trial.say("rail 1 blue and 2 brown from st louis to dodge city");
    let g = trial.over();
    let s2 = at(&g, "S2");
    assert_eq!((here(&g, "S2").0, &g.contested[..]), ([0, 2, 1, 2, 0, 0], &[s2][..]));
    assert_eq!(g.together, [(s2, [Cavalry, Settlers])]);
    assert_eq!(g.fresh(Spot::Region(s2)).0, [0, 2, 0, 0, 0, 0]);
}

/// plains-indian-wars 11.0, 11.2, 6.7
#[test]
fn a_group_without_a_number_is_the_whole_of_it() {
    let mut g = bare(2);
    set(&mut g, "N7", &[(Npt, 4)]);
    set(&mut g, "N3", &[(Npt, 2), (Spt, 2)]);
    let trial = marching(g, March::new(Npt, 2, 1));
    let all = trial.read("move 4 green from white river to black hills");
    for words in ["move all from white river to black hills", "move all of the green cubes from white river to n8"] {
        assert_eq!(trial.read(words).ok(), all.as_ref().ok().cloned(), "{words}");
    }
    for (words, why) in [
        ("move all from north platte to cheyenne", "say how many of each colour go from North Platte: 2 Green, or"),
        ("move all orange from north platte to cheyenne", "how many of each colour go"),
        ("move all from denver to cheyenne", "in Denver stands no green cube that can still move"),
        ("move 1 black from white river to black hills", "Black cubes lie on the railroad and never move"),
    ] {
        let told = trial.read(words).expect_err(words).to_string();
        assert!(told.contains(why), "{words}: {told}");
    }
}

/// One enemy cube is enough, even where the group's own side has the majority and no engagement waits.
///
/// plains-indian-wars 4.7, 11.0, 12.0
#[test]
fn a_single_enemy_cube_ends_movement() {
    for (enemies, passes) in [(0, true), (1, false)] {
        let mut g = bare(2);
        set(&mut g, "N7", &[(Npt, 1)]);
        set(&mut g, "N3", &[(Npt, 3), (Settlers, enemies)]);
        let far = reach(&g, Npt, Spot::Region(at(&g, "N7")), &Cubes::of(Npt, 1), 2);
        assert_eq!(g.stops(Spot::Region(at(&g, "N3")), true), !passes);
        assert!(far.contains(&Spot::Region(at(&g, "N3"))));
        assert_eq!(far.contains(&Spot::Region(at(&g, "N4"))), passes);
    }
}
