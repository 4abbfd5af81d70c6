//! Tests of the set-up (5).

use super::super::{components::*, ruleset::RULES, setup::set_up, state::*, testing::*};
use postrider_table::{Ruleset, Seat, SeededChance, Setup, Watch};

/// plains-indian-wars 5.0, 6.1, 6.2, 6.4.1, 6.4.2
#[test]
fn the_board_of_the_start() {
    let rule = |t, mut g| async move {
        set_up(&t, &mut g).await;
        g
    };
    let mut trial = Trial::new(bare(2), rule).start();
    assert_eq!(trial.asked(), [(Seat(0), "placement"); 2], "both at once");
    assert!(Faction::CARDED.into_iter().all(|f| trial.now().hand(f).len() == HAND), "with his hands before him");
    trial.check_options(30);
    assert!(trial.refused("place 2 in cheyenne").contains("3 cubes"));
    assert!(trial.refused("3 in denver").contains("no place"));
    assert!(trial.refused("3 orange in cheyenne").contains("Green cubes are placed here"));
    for too_little in ["cheyenne", "it in cheyenne"] {
        assert!(trial.read(too_little).is_err(), "of several cubes a place alone says too little");
    }
    trial.say("place 2 in black hills, 1 green in cheyenne");
    trial.say("put them all in denver");
    let g = trial.over();
    let sum = g.map.iter().fold(Cubes::default(), |mut sum, cubes| {
        sum += *cubes;
        sum
    });
    assert_eq!(sum.0, [15, 15, 2, 6, 14, 2]);
    assert_eq!((here(&g, "N8")[Faction::Npt], here(&g, "N4")[Faction::Npt], here(&g, "S3")[Faction::Spt]), (3, 2, 4));
    assert_eq!((here(&g, "Canada").0, here(&g, "Mexico").0), ([0, 0, 0, 0, 2, 0], [0, 0, 0, 0, 2, 0]));
    assert_eq!(here(&g, "St. Louis").0, [0, 0, 1, 3, 0, 2]);
    assert_eq!(here(&g, "Sacramento").0, [0, 0, 1, 3, 0, 0]);
    assert!(g.c.region_ids().filter(|&r| g.c[r].kind.is_purple()).all(|r| g.region(r).0 == [0, 0, 0, 0, 1, 0]));
    assert!(Faction::CARDED.into_iter().all(|f| g.hand(f).len() == HAND));
}

/// plains-indian-wars 15.1, 15.0
#[test]
fn nobody_plays_alone() {
    let rules: &dyn Ruleset = &RULES;
    let setup = |seats| Setup {
        seats,
        scenario: "standard".into(),
        options: Default::default(),
        components: rules.components().into(),
    };
    let open = |seats| rules.open(&setup(seats), Box::new(SeededChance::new(0)), Watch::NONE);
    let why = open(1).err().expect("the Solitaire Game has a booklet of its own").to_string();
    assert_eq!(why, "Plains Indian Wars is for 2 to 4 players, not 1 (15)");
    assert!(open(2).is_ok());
    let introduced = super::super::setup::introduction(&setup(3));
    assert_eq!(introduced.sides.len(), 3);
    assert!(introduced.sides.iter().all(|side| side.starts_with("US: ") || side.starts_with("Indians: ")));
}

/// plains-indian-wars 10.4
#[test]
fn a_single_cube_goes_where_it_is_said() {
    let rule = |t, mut g| async move {
        crate::discs::enemies(&t, &mut g).await;
        g
    };
    for words in ["put it in powder river", "powder river", "place the purple cube in powder river"] {
        let mut trial = Trial::new(bare(2), rule).start();
        trial.say(words);
    }
}

/// plains-indian-wars 9.2.2, 5.0
#[test]
fn custer_in_the_first_hand_is_played_at_once_and_replaced() {
    let rule = |t, mut g| async move {
        set_up(&t, &mut g).await;
        g
    };
    // Custer is the eleventh card of the deck.
    let order = [0, 10, 1].into_iter().chain([2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14]).collect();
    let mut trial = Trial::new(bare(2), rule)
        .shuffled("cavalry", order)
        .rolls(Faction::Npt, "b")
        .dice("blue die", faces(&bare(2), Faction::Cavalry, "ww"))
        .dice("green die", faces(&bare(2), Faction::Npt, "b"))
        .start();
    trial.say("3 in cheyenne").say("3 in denver");
    assert_eq!(trial.asked(), [(Seat(1), "custer")]);
    assert_eq!(trial.options().len(), 12);
    trial.check_options(12);
    // A single Green cube ambushes first.
    trial.say("to james river");
    let g = trial.over();
    assert_eq!(here(&g, "N10").0, [0, 0, 4, 0, 0, 0]);
    assert_eq!((g.hand(Faction::Cavalry).len(), g.deck(Faction::Cavalry).discards.len()), (3, 1));
    assert_eq!(g.custer_vps, 0);
}

/// plains-indian-wars 5.0, 15.3, 15.4
#[test]
fn each_indian_player_places_his_own() {
    let rule = |t, mut g| async move {
        set_up(&t, &mut g).await;
        g
    };
    for (players, allies, asked) in [(2, false, [0, 0]), (3, false, [0, 0]), (3, true, [0, 1]), (4, false, [0, 1])] {
        let mut g = bare(players);
        g.variant.indian_allies = allies;
        let trial = Trial::new(g, rule).start();
        assert_eq!(trial.asked().into_iter().map(|k| k.0.0).collect::<Vec<_>>(), asked, "{players} players");
        let g = trial.now();
        // 30 - 12, 30 - 12, 25 - 2, 35 - 6, 20 - 14 and 20 - 2 are ready.
        assert_eq!(g.ready.0, [18, 18, 23, 29, 6, 18]);
    }
}
