//! What version 7 of the rules does otherwise.

use super::{
    super::{
        atrocity, battle,
        components::{Ground, Season, Side, Stance, Terrain},
        movement::{self, Mover, Range},
        raid, reaction,
        state::{Force, Spot, State},
        testing::*,
    },
    board::*,
};
use crate::table::status::Condition;

/// The same position in a game of version 6.
fn old(g: &State) -> State {
    let mut g = g.clone();
    g.variant.version = 6;
    g
}

/// Summer, with some nations at war.
fn summer(nations: &[&str]) -> State {
    let mut g = war();
    (g.season, g.commitment) = (Season::Summer, 3);
    for nation in nations {
        at_war(&mut g, nation, 3);
    }
    g
}

/// A fort on a river shields what lies below it, as a fort that is entered does.
///
/// dark-and-bloody-ground 11.2.2, 12.0.2, T:raid-resolution-chart
#[test]
fn a_fort_that_raiders_pass_on_a_river_counts() {
    let mut g = summer(&["Shawnee"]);
    for id in ["U3", "S4", "S7"] {
        us_fort(&mut g, id);
    }
    let forts = |g: &State, from: &str| raid::journey(g, Spot::On(at(g, from)), at(g, "U1")).expect("a way").forts;
    let by_river = movement::leg(&g, Mover::raider(false), Spot::On(at(&g, "S3")), at(&g, "U1")).expect("a leg");
    assert_eq!((by_river.via, by_river.cost), (vec![at(&g, "U3")], 1));
    assert_eq!((forts(&g, "S3"), forts(&old(&g), "S3")), (1, 0));
}

/// A militia leader whose militia cannot react keeps the regulars beside him from nothing.
///
/// dark-and-bloody-ground 9.4.5, 14.0.7
#[test]
fn others_react_without_a_militia_leader() {
    let mut g = summer(&["Shawnee"]);
    put(&mut g, "regular", 3, "U1");
    let k = put(&mut g, "kentucky-militia", 1, "U1")[0];
    let (hamtramck, trotter) = (lead(&mut g, "Hamtramck", "U1"), lead(&mut g, "Trotter", "U1"));
    put(&mut g, "Shawnee", 2, "S4");
    let s4 = at(&g, "S4");
    let offered = |g: &State| {
        Trial::new(g.clone(), move |t, mut g| async move {
            reaction::offer(&t, &mut g, Side::Us, &[s4]).await;
            g
        })
        .any_dice([6, 6])
        .start()
    };
    let asked = |g: &State| !offered(g).asked().is_empty();
    assert!(asked(&g) && asked(&old(&g)));
    g.unit_mut(k).condition = Condition::Disrupted;
    assert!(asked(&g) && !asked(&old(&g)));
    let stack = &reaction::stacks(&g, Side::Us, &[s4], &[])[0];
    assert!(stack.force.leaders == [hamtramck] && !stack.force.units.contains(&k));
    offered(&g).check_options(20);
    g.unit_mut(k).condition = Condition::Normal;
    g.unit_mut(k).done = true;
    assert!(asked(&g) && !asked(&old(&g)), "pledged militia stays");
    // After the militia has tried and failed the regulars are asked.
    g.unit_mut(k).done = false;
    let mut run = offered(&g);
    run.say("move 1 kentucky-militia, trotter from u1 to s4");
    assert!(!run.asked().is_empty());
    // Alone with him nobody reacts.
    g.chief_mut(hamtramck).spot = Spot::Pool;
    g.unit_mut(k).condition = Condition::Disrupted;
    assert!(!asked(&g) && g.chief(trotter).spot == Spot::On(at(&g, "U1")));
}

/// Leaders of a nation that has surrendered lead a Reaction as they lead an action.
///
/// dark-and-bloody-ground 8.6.2, 9.4.5
#[test]
fn who_has_surrendered_reacts() {
    let mut g = summer(&[]);
    let wyandot = at_war(&mut g, "Wyandot", 0);
    put(&mut g, "Wyandot", 2, "W2");
    lead(&mut g, "Tarhe", "W2");
    put(&mut g, "regular", 1, "W1");
    let w1 = at(&g, "W1");
    let stacks = |g: &State| reaction::stacks(g, Side::Na, &[w1], &[]).len();
    for (stance, new, before) in [(Stance::Warpath, 1, 1), (Stance::Surrendered, 1, 0), (Stance::Peaceful, 0, 0)] {
        g.tribe_mut(wyandot).stance = stance;
        assert_eq!((stacks(&g), stacks(&old(&g))), (new, before), "{stance:?}");
    }
}

/// A US town is safe for US leaders, not for those who come to raid it.
///
/// dark-and-bloody-ground 9.2.3
#[test]
fn enemy_towns_are_not_safe() {
    let mut g = summer(&["Shawnee"]);
    g.atrocities = [2, 2];
    let blue_jacket = lead(&mut g, "Blue Jacket", "K1");
    let harmar = lead(&mut g, "Harmar", "K1");
    let k1 = at(&g, "K1");
    g.land_mut(k1).village = true;
    let falls = |g: &State| atrocity::may_assassinate(g, Side::Us, blue_jacket).is_ok();
    assert!(falls(&g) && !falls(&old(&g)));
    assert!(atrocity::may_assassinate(&g, Side::Na, harmar).is_err());
}

/// Along a river the way goes round pillaged areas, and areas that are named on it are one leg.
///
/// dark-and-bloody-ground 9.4.3, 9.5.2
#[test]
fn the_way_along_a_river_is_the_owners() {
    let mut g = summer(&["Miami", "Shawnee", "Wyandot"]);
    let units = put(&mut g, "regular", 1, "M1");
    let force = Force { units, leaders: Vec::new() };
    let from = Spot::On(at(&g, "M1"));
    let mps =
        |g: &State, to: &str| movement::leg(g, Mover::of(g, Side::Us, &force), from, at(g, to)).expect("a leg").cost;
    let o2 = at(&g, "O2");
    g.land_mut(o2).pillaged = true;
    assert_eq!((mps(&g, "O1"), mps(&old(&g), "O1")), (1, 2), "by O3, which is not pillaged");
    // Where every way leads through one it costs two.
    let mut waste = g.clone();
    let by = |g: &State| movement::leg(g, Mover::of(g, Side::Us, &force), from, at(g, "O1")).expect("a leg");
    while by(&waste).cost == 1 {
        let passed = by(&waste).via[0];
        waste.land_mut(passed).pillaged = true;
    }
    assert_eq!((mps(&waste, "O1"), mps(&old(&waste), "O1")), (2, 2));
    g.land_mut(o2).pillaged = false;
    let walked = |g: &State, way: &[&str]| {
        let way: Vec<_> = way.iter().map(|id| at(g, id)).collect();
        let range = Range { mps: 8, one_area: false };
        let legs = movement::walk(g, Mover::of(g, Side::Us, &force), from, &way, range).expect("a way");
        legs.iter().map(|leg| leg.cost).collect::<Vec<_>>()
    };
    assert_eq!((walked(&g, &["O3", "O1"]), walked(&old(&g), &["O3", "O1"])), (vec![1, 0], vec![1, 1]));
    // A pillaged area on it makes the whole cost two.
    let o3 = at(&g, "O3");
    g.land_mut(o3).pillaged = true;
    assert_eq!(walked(&g, &["O3", "O1"]), [2, 0]);
}

/// Units that have retreated into a hex do not help its defenders, nor weaken them.
///
/// dark-and-bloody-ground 10.4.1
#[test]
fn who_has_retreated_into_a_hex_has_no_part_in_its_melee() {
    let mut g = board(Terrain::Settled);
    for _ in 0..2 {
        stand(&mut g, "regular", "0806");
    }
    let attackers = [stand(&mut g, "Shawnee", "0805"), stand(&mut g, "Shawnee", "0805")];
    let hex = g.field().grid.hex("0806").expect("a hex");
    let odds = |g: &State| {
        let odds = battle::odds(g, &attackers, hex);
        (odds.defence, odds.column, odds.shifts.total())
    };
    let alone = odds(&g);
    let came = stand(&mut g, "kentucky-militia", "0806");
    set(&mut g, came, Condition::Disrupted);
    assert_ne!(odds(&g), alone, "one that stood there before counts");
    g.battle_mut().pieces[came].used = true;
    assert_eq!(odds(&g), alone);
    assert_ne!(odds(&old(&g)), alone);
    // Where nobody else defends it counts.
    let before: Vec<usize> = g.in_hex(hex).filter(|&i| i != came).collect();
    before.into_iter().for_each(|i| g.slay(i));
    let counted = odds(&g);
    g.battle_mut().pieces[came].used = false;
    assert_eq!(odds(&g), counted);
}

/// A leader who is Out of Supply has one MP less on the board, as he has on the map.
///
/// dark-and-bloody-ground 7.0.4
#[test]
fn a_leader_out_of_supply_is_slower_on_the_board() {
    let mut g = board(Terrain::Settled);
    head(&mut g, "Harmar", "0806");
    let harmar = leader(&g, "Harmar");
    let reached = |g: &State| {
        let grid = &g.field().grid;
        grid.hexes().filter(|&hex| battle::cheapest(g, "Harmar", &grid.id(hex)).is_some()).count()
    };
    let all = reached(&g);
    g.chief_mut(harmar).starved = true;
    assert!(reached(&g) < all);
    assert_eq!(reached(&old(&g)), all);
}

/// A Routed unit that a melee forces past an enemy in woods makes its check; in the open it is eliminated.
///
/// dark-and-bloody-ground 10.4, T:melee-combat-results-table
#[test]
fn a_routed_unit_that_is_cornered_in_woods_makes_its_check() {
    let empty = board(Terrain::Wilderness);
    let grid = &empty.field().grid;
    let ground = |hex| empty.field().ground[hex];
    let around = |hex| grid.neighbours(hex).count() == 6;
    // Enemies on all sides but one, which is woods, and one beyond it: it runs there.
    let find = |woods: bool| {
        let pairs = grid.hexes().filter(|&at| around(at)).flat_map(|at| grid.neighbours(at).map(move |to| (at, to)));
        let fits = |&(at, to): &_| {
            let only = grid.neighbours(to).filter(|&hex| grid.distance(at, hex) == 2).count();
            (ground(to) == Ground::Woods) == woods && around(to) && only > 0
        };
        pairs.into_iter().find(fits)
    };
    for (woods, die) in [(true, Some(1)), (true, Some(6)), (false, None)] {
        let (at, to) = find(woods).expect("a board has such hexes");
        let mut g = empty.clone();
        let runs = stand(&mut g, "kentucky-militia", &grid.id(at));
        set(&mut g, runs, Condition::Routed);
        for enemy in grid.neighbours(at).filter(|&hex| hex != to) {
            stand(&mut g, "Shawnee", &grid.id(enemy));
        }
        let beyond =
            grid.hexes().find(|&hex| grid.distance(at, hex) == 3 && grid.distance(to, hex) == 2).expect("a hex");
        stand(&mut g, "Miami", &grid.id(beyond));
        let ends = |g: &State| {
            let trial = Trial::new(g.clone(), move |t, mut g| async move {
                battle::run(&t, &mut g, runs, true).await;
                g
            });
            let mut run = trial.any_dice([die.unwrap_or(1), 6, 6]).start();
            run.all_first();
            // What it rolls behind that is another matter.
            run.session.over().expect("it has run").battle().pieces[runs].stand.hex().is_some()
        };
        assert_eq!((ends(&g), ends(&old(&g))), (die == Some(1), false), "woods {woods}, die {die:?}");
    }
}
