//! Retreat and rout (10.4).

use super::{
    super::{
        battle::{self, Stand},
        components::*,
        state::*,
        testing::*,
    },
    board::{board, head, set, stand},
};
use postrider_table::{Seat, hex::Hex, status::Condition};

/// dark-and-bloody-ground 10.4, T:melee-combat-results-table
#[test]
fn a_routed_unit_that_is_cornered_in_woods_makes_its_check() {
    let empty = board(Terrain::Wilderness);
    let grid = &empty.field().grid;
    let ground = |hex| empty.field().ground[hex];
    let around = |hex| grid.neighbours(hex).count() == 6;
    // Enemies on all sides except one, which is woods, and one beyond it: the unit must go there.
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
        let trial = Trial::new(g, move |t, mut g| async move {
            battle::run(&t, &mut g, runs, true).await;
            g
        });
        let mut run = trial.any_dice([die.unwrap_or(1), 6, 6]).start();
        run.all_first();
        // Its rolls after that are not tested here.
        let lives = run.session.over().expect("it has run").battle().pieces[runs].stand.hex().is_some();
        assert_eq!(lives, die == Some(1), "woods {woods}, die {die:?}");
    }
}

/// dark-and-bloody-ground 10.4
#[test]
fn the_owner_of_the_routed_chooses_between_the_board_and_its_edge() {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "Shawnee", "0109");
    let routed = stand(&mut g, "regular", "0106");
    set(&mut g, routed, Condition::Routed);
    let begun = || {
        Trial::new(g.clone(), |t, mut g| async move {
            battle::rally_for_tests(&t, &mut g, Side::Us).await;
            g
        })
        .start()
    };
    let mut trial = begun();
    trial.check_options(2);
    trial.say("off");
    assert_eq!(trial.over().battle().pieces[routed].stand, Stand::Off);
    let mut trial = begun();
    let on = trial.words().into_iter().find(|way| !way.contains("off")).expect("a hex");
    trial.say(&on);
    trial.all_first();
    assert_ne!(trial.over().battle().pieces[routed].stand.hex(), g.battle().pieces[routed].stand.hex());
}

/// Starts a rally with a Routed regular at 0806, one Shawnee two hexes away and another three.
fn running(change: impl Fn(&mut State)) -> (Running, usize) {
    let mut g = board(Terrain::Settled);
    let routed = stand(&mut g, "regular", "0806");
    set(&mut g, routed, Condition::Routed);
    for id in ["0804", "0809"] {
        stand(&mut g, "Shawnee", id);
    }
    change(&mut g);
    let trial = Trial::new(g, |t, mut g| async move {
        battle::rally_for_tests(&t, &mut g, Side::Us).await;
        g
    });
    (trial.any_dice([4, 4, 4]).start(), routed)
}

/// dark-and-bloody-ground 10.4
#[test]
fn the_routed_run_from_the_nearest_alone() {
    // 0807 is farther from the nearest enemy, and closer to the other one.
    assert!(running(|_| ()).0.words().iter().any(|way| way.contains("0807")));
}

/// dark-and-bloody-ground 10.2
#[test]
fn who_is_caught_by_surprise_does_not_run() {
    let stays = |surprise: bool| {
        let (trial, routed) = running(|g| g.battle_mut().surprise = surprise);
        let at = trial.now().battle().pieces[routed].stand;
        trial.asked().is_empty() && at == trial.now().battle().pieces[routed].stand
    };
    assert!(stays(true) && !stays(false));
}

/// dark-and-bloody-ground T:mcrt-results, 10.4
#[test]
fn no_leader_helps_in_the_check_of_a_retreat() {
    let mut g = board(Terrain::Settled);
    let i = stand(&mut g, "regular", "0806");
    head(&mut g, "Wayne", "0806");
    // Commitment 3; Wayne's rating only helps in a recovery.
    assert!(!g.check_alone(i).passes(5) && g.battle_check(i).passes(5));
}

/// Blue Jacket and Little Turtle would both take 3 from the die of their warriors, the other one at least takes 3 still.
///
/// dark-and-bloody-ground 14.0.3, 10.3
#[test]
fn tecumseh_raises_one_leader_of_a_hex() {
    let mut g = board(Terrain::Settled);
    let units = ["Shawnee", "Wyandot"].map(|kind| stand(&mut g, kind, "0806"));
    at_war(&mut g, "Wyandot", 3);
    ["Blue Jacket", "Tarhe", "Tecumseh"].iter().for_each(|name| head(&mut g, name, "0806"));
    let ratings = |g: &State| units.map(|i| -g.battle_check(i).drm.total());
    assert_eq!(ratings(&g), [4, 2]);
    // Alone with Tarhe he raises him.
    g.battle_mut().heads[0].stand = Stand::Off;
    assert_eq!(ratings(&g), [0, 3]);
}

/// dark-and-bloody-ground 10.3
#[test]
fn some_of_the_routed_rally() {
    let mut g = board(Terrain::Settled);
    let routed = ["0806", "0807"].map(|id| stand(&mut g, "regular", id));
    head(&mut g, "Wayne", "0806");
    routed.iter().for_each(|&i| set(&mut g, i, Condition::Routed));
    let rally = |words: &str| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            battle::rally_for_tests(&t, &mut g, Side::Us).await;
            g
        })
        .any_dice([1, 1])
        .start();
        trial.check_options(3);
        trial.say(words);
        let now = trial.now();
        routed.map(|i| now.unit(now.battle().pieces[i].unit).condition == Condition::Disrupted)
    };
    assert_eq!(
        [rally("yes"), rally("rally regular 2"), rally("rally regulars 1 and 2")],
        [[true; 2], [false, true], [true; 2]]
    );
    assert_eq!(rally("no"), [false; 2]);
    let mut trial = Trial::new(g, |t, mut g| async move {
        battle::rally_for_tests(&t, &mut g, Side::Us).await;
        g
    })
    .start();
    assert!(trial.refused("rally regular 1, regular 1").contains("regular 1 cannot rally now"));
}

/// dark-and-bloody-ground 10.3, 9.3
#[test]
fn who_rallies_a_routed_unit_and_from_where() {
    for (name, id, may) in [
        ("Blue Jacket", "0806", true),
        ("Blue Jacket", "0807", true),
        ("Blue Jacket", "0808", false),
        ("McKee", "0807", true),
        ("Little Turtle", "0806", false),
        ("Girty", "0807", false),
        ("Tecumseh", "0806", false),
    ] {
        let mut g = board(Terrain::Settled);
        let routed = stand(&mut g, "Shawnee", "0806");
        set(&mut g, routed, Condition::Routed);
        stand(&mut g, "regular", "0803");
        head(&mut g, name, id);
        let trial = Trial::new(g, |t, mut g| async move {
            battle::rally_for_tests(&t, &mut g, Side::Na).await;
            g
        })
        .start();
        // Without a rally the unit runs, which may be a question too.
        assert_eq!(trial.asked().first().is_some_and(|asked| asked.1 == "battle-rally"), may, "{name} at {id}");
    }
}

/// dark-and-bloody-ground 10.4
#[test]
fn a_cornered_unit_runs_toward_the_furthest_enemy() {
    let mut g = board(Terrain::Settled);
    let grid = g.field().grid.clone();
    let (at, beyond) = (grid.hex("0806").expect("a hex"), grid.hex("0803").expect("a hex"));
    let near = |hex: &Hex| grid.distance(*hex, beyond);
    let to = grid.neighbours(at).min_by_key(near).expect("a hex");
    let back = grid.neighbours(at).max_by_key(near).expect("a hex");
    let routed = stand(&mut g, "regular", "0806");
    set(&mut g, routed, Condition::Routed);
    for hex in grid.neighbours(at).filter(|&hex| hex != to && hex != back) {
        stand(&mut g, "Shawnee", &grid.id(hex));
    }
    stand(&mut g, "Miami", "0803");
    let rule = |t, mut g| async move {
        battle::rally_for_tests(&t, &mut g, Side::Us).await;
        g
    };
    // It has no choice, and fails its check next to the enemies.
    let run = Trial::new(g, rule).any_dice([6]).start();
    assert_eq!(run.over().battle().pieces[routed].stand, Stand::Dead);
}

/// Enemies north and south leave two ways out; the furthest enemies stand at the end of both.
///
/// dark-and-bloody-ground 10.4
#[test]
fn a_cornered_unit_runs_toward_either_of_the_furthest() {
    let mut g = board(Terrain::Settled);
    let grid = g.field().grid.clone();
    let [at, north, south] = ["0806", "0803", "0809"].map(|id| grid.hex(id).expect("a hex"));
    let routed = stand(&mut g, "regular", "0806");
    set(&mut g, routed, Condition::Routed);
    let open = |hex: &Hex| [north, south].iter().any(|&to| grid.distance(*hex, to) == 2);
    for hex in grid.neighbours(at).filter(|hex| !open(hex)) {
        stand(&mut g, "Shawnee", &grid.id(hex));
    }
    ["0803", "0809"].iter().for_each(|id| _ = stand(&mut g, "Miami", id));
    let rule = |t, mut g| async move {
        battle::rally_for_tests(&t, &mut g, Side::Us).await;
        g
    };
    let run = Trial::new(g, rule).start();
    assert_eq!(run.words().len(), 2, "{:?}", run.words());
}

/// The word `leader` means the path to the hex nearest to a leader of the unit's own side.
///
/// dark-and-bloody-ground 10.4
#[test]
fn a_routed_unit_runs_toward_its_own_leader() {
    for (own, enemy) in [("0606", "1006"), ("1006", "0606")] {
        let (mut run, routed) = running(|g| {
            head(g, "Harmar", own);
            head(g, "Blue Jacket", enemy);
        });
        run.say("leader");
        let now = run.now();
        let grid = &now.field().grid;
        let to = now.battle().pieces[routed].stand.hex().expect("a hex");
        let far = |id: &str| grid.distance(to, grid.hex(id).expect("a hex"));
        assert!(far(own) < far(enemy), "{} and not {enemy}", grid.id(to));
    }
}

/// The Shawnee at 0106 runs or walks off the board in step 2 of round 1, alone or with Blue Jacket, who stands far from
/// it. Only a unit that walks ends the round before the regular, Routed beside Wayne, can rally in step 6.
///
/// dark-and-bloody-ground 10.1, 10.3, 10.7, 16.1.3
#[test]
fn a_round_is_played_to_its_end_unless_the_last_unit_walks_off() {
    let rallies = (Seat(0), "battle-rally");
    for (state, words, rallied, vps) in [
        (Condition::Routed, &["done"][..], true, [5, 0]),
        (Condition::Routed, &["blue jacket 0111-off"], true, [5, 0]),
        (Condition::Normal, &["shawnee 1 0106-off", "done"], false, [5, 5]),
    ] {
        let mut g = board(Terrain::Settled);
        let shawnee = stand(&mut g, "Shawnee", "0106");
        set(&mut g, shawnee, state);
        head(&mut g, "Blue Jacket", "0111");
        let regular = stand(&mut g, "regular", "1206");
        set(&mut g, regular, Condition::Routed);
        head(&mut g, "Wayne", "1206");
        let mut run = Trial::new(g, |t, mut g| async move {
            battle::rounds_for_tests(&t, &mut g).await;
            g
        })
        .any_dice(rallied.then_some(1))
        .start();
        words.iter().for_each(|said| _ = run.say(said));
        assert_eq!(run.asked().contains(&rallies), rallied, "{words:?}");
        while let Some(asked) = run.asked().first() {
            let said = if *asked == rallies { "yes" } else { "done" };
            run.say(said);
        }
        let end = run.over();
        assert_eq!((end.battle().round, end.vps, end.battle().walked), (1, vps, [false, !rallied]), "{words:?}");
    }
}
