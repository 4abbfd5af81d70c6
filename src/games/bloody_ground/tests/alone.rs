//! Leaders left alone by fire, and the arrival of their replacements (10.5.3, 10.6.2).

use super::{
    super::{
        battle::{self, Stand},
        components::*,
        state::{Spot, State},
        testing::*,
    },
    after::at_area,
    board::{board, head, set, stand},
};
use postrider_table::status::Condition;

/// Returns a Shawnee adjacent to a Routed regular with Harmar, and two regulars elsewhere.
fn exposed() -> State {
    let mut g = board(Terrain::Settled);
    stand(&mut g, "Shawnee", "0806");
    let routed = stand(&mut g, "regular", "0807");
    set(&mut g, routed, Condition::Routed);
    stand(&mut g, "regular", "0810");
    stand(&mut g, "regular", "0306");
    head(&mut g, "Harmar", "0807");
    g
}

/// Fires with the Shawnee; the dice are those of the shot and of the leader.
fn fired(g: &State, dice: &[i64]) -> Running {
    let mut trial = Trial::new(g.clone(), |t, mut g| async move {
        battle::fire_for_tests(&t, &mut g, Side::Na).await;
        g
    })
    .any_dice(dice.iter().copied())
    .start();
    trial.say("fire shawnee 1 at regular 1");
    trial
}

fn stands(g: &State, name: &str) -> Option<String> {
    let l = leader(g, name);
    let head = g.battle().heads.iter().find(|head| head.leader == l && head.stand != Stand::Dead)?;
    head.stand.hex().map(|hex| g.field().grid.id(hex))
}

/// dark-and-bloody-ground 10.5.3
#[test]
fn a_leader_whose_last_unit_fire_takes_goes_to_any_friendly_unit_or_stays() {
    let g = exposed();
    for (words, at) in [("0306", "0306"), ("0810", "0810"), ("nearest", "0810"), ("stay", "0807")] {
        let mut trial = fired(&g, &[1, 1]);
        trial.check_options(3);
        trial.say(words);
        assert_eq!(stands(&trial.over(), "Harmar").as_deref(), Some(at), "{words}");
    }
    assert!(fired(&g, &[1, 1]).try_say("0806").is_err(), "no friend stands there");
    // After a miss he stays with his unit, and nothing is asked.
    assert_eq!(stands(&fired(&g, &[6]).over(), "Harmar").as_deref(), Some("0807"));
}

/// dark-and-bloody-ground 10.5.3, 10.4
#[test]
fn a_leader_run_over_must_go_and_his_owner_says_where() {
    let mut g = exposed();
    let alone = 1;
    g.battle_mut().pieces[alone].stand = Stand::Dead;
    let marched = |g: &State| {
        let mut trial = Trial::new(g.clone(), |t, mut g| async move {
            battle::march_for_tests(&t, &mut g, Side::Na).await;
            g
        })
        .start();
        trial.say("shawnee 1 0806-0807");
        trial
    };
    let mut trial = marched(&g);
    assert!(trial.try_say("stay").is_err());
    trial.say("0306");
    assert_eq!(stands(&trial.over(), "Harmar").as_deref(), Some("0306"));
}

/// dark-and-bloody-ground 10.6.2, 10.5.3
#[test]
fn a_replacement_stands_with_the_unit_that_his_owner_names() {
    let mut g = exposed();
    let mut trial = fired(&g, &[1, 6]);
    trial.check_options(2);
    trial.say("0306");
    let end = trial.over();
    let heads = &end.battle().heads;
    assert_eq!(heads[0].stand, Stand::Dead);
    assert_eq!(heads[1].stand.hex().map(|hex| end.field().grid.id(hex)).as_deref(), Some("0306"));
    // With a single possible hex nothing is asked.
    g.battle_mut().pieces[3].stand = Stand::Dead;
    let end = fired(&g, &[1, 6]).over();
    assert_eq!(end.battle().heads[1].stand, end.battle().pieces[2].stand);
}

/// Resolves the fall of the first leader of the battle.
fn fallen(g: &State) -> State {
    let mut trial = Trial::new(g.clone(), |t, mut g| async move {
        battle::fall(&t, &mut g, 0).await;
        g
    })
    .start();
    trial.all_first();
    trial.over()
}

/// dark-and-bloody-ground 8.5.3, 10.7.1
#[test]
fn dorchester_scores_and_does_not_lose_the_battle() {
    let mut g = at_area("W5");
    stand(&mut g, "british-regular", "0806");
    head(&mut g, "Dorchester", "0806");
    g.british = true;
    g.battle_mut().primary[1] = Some(leader(&g, "Dorchester"));
    let end = fallen(&g);
    assert_eq!((end.vps, end.battle().headless), ([3, 0], [false; 2]));
    assert_ne!(end.battle().heads[0].stand, Stand::Dead);
}

/// dark-and-bloody-ground 10.5.3, 10.6.2
#[test]
fn a_replacement_scores_and_stays() {
    for mut g in [board(Terrain::Settled), at_area("S4")] {
        stand(&mut g, "regular", "0806");
        head(&mut g, "US replacement 2", "0806");
        let place = g.battle().heads[0].stand;
        let now = fallen(&g);
        assert_eq!((now.vps, now.battle().heads.len(), now.battle().heads[0].stand), ([0, 2], 1, place));
    }
}

/// On the map a leader scores his rank and is replaced by one of his rank, nation or state who
/// stands with units of his in the battle.
///
/// dark-and-bloody-ground 10.5.3, 10.6.2, 10.7.1
#[test]
fn a_leader_who_falls_on_the_map_is_replaced_in_the_battle() {
    for (name, unit, next, vps) in [
        ("Hamtramck", "regular", "US replacement 2", [0, 2]),
        ("Harmar", "kentucky-militia", "US replacement 3", [0, 3]),
        ("Trotter", "kentucky-militia", "Kentucky replacement", [0, 1]),
        ("Blue Jacket", "Shawnee", "Shawnee replacement", [3, 0]),
        ("Little Turtle", "Miami", "Miami replacement", [3, 0]),
    ] {
        for primary in [true, false] {
            let mut g = at_area("S4");
            stand(&mut g, unit, "0806");
            head(&mut g, name, "0806");
            let (l, side) = (leader(&g, name), g.c[leader(&g, name)].side.index());
            g.battle_mut().primary[side] = primary.then_some(l);
            let waiting = leader(&g, next);
            g.chief_mut(waiting).waits = true;
            let end = fallen(&g);
            assert!(!end.chief(waiting).waits, "{next} has come");
            let fight = end.battle();
            let mut headless = [false; 2];
            headless[side] = primary;
            assert_eq!((end.vps, fight.headless, fight.heads[0].stand), (vps, headless, Stand::Dead), "{name}");
            assert_eq!((fight.heads[1].leader, fight.heads[1].stand), (leader(&end, next), fight.pieces[0].stand));
            let now = |name: &str| end.chief(leader(&end, name)).spot;
            assert_eq!((now(name), now(next)), (Spot::Gone, Spot::On(at(&end, "S4"))), "{name}");
        }
    }
}

/// dark-and-bloody-ground 10.6.2, 14.0.7
#[test]
fn a_replacement_without_units_in_the_battle_goes_elsewhere() {
    for (name, elsewhere, next, spot) in [
        ("Trotter", Some(("kentucky-militia", "K1")), "Kentucky replacement", Spot::On(at(&war(), "K1"))),
        ("Trotter", None, "Kentucky replacement", Spot::Pool),
        ("Blue Jacket", Some(("Shawnee", "O2")), "Shawnee replacement", Spot::On(at(&war(), "O2"))),
    ] {
        let mut g = at_area("S4");
        stand(&mut g, "pennsylvania-militia", "0806");
        stand(&mut g, "Miami", "0306");
        head(&mut g, name, "0806");
        if let Some((kind, area)) = elsewhere {
            put(&mut g, kind, 1, area);
        }
        let end = fallen(&g);
        let chief = end.chief(leader(&end, next));
        assert_eq!((chief.spot, end.battle().heads.len()), (spot, 1), "{name}, {elsewhere:?}");
        assert_eq!(chief.waits, elsewhere.is_none());
    }
}

/// dark-and-bloody-ground 10.6.2, 14.0.3
#[test]
fn agents_are_not_replaced() {
    for (name, vps) in [("Girty", 1), ("McKee", 2), ("Tecumseh", 5)] {
        let mut g = at_area("S4");
        stand(&mut g, "Shawnee", "0806");
        head(&mut g, name, "0806");
        let die = (name == "Tecumseh").then_some(5);
        let trial = Trial::new(g, |t, mut g| async move {
            battle::fall(&t, &mut g, 0).await;
            g
        });
        let end = trial.any_dice(die).start().over();
        assert_eq!(
            (end.vps, end.battle().heads.len(), end.battle().heads[0].stand),
            ([vps, 0], 1, Stand::Dead),
            "{name}"
        );
        assert_eq!(end.chief(leader(&end, name)).spot, Spot::Gone);
    }
}

/// dark-and-bloody-ground 16.1.3, 16.3.3, 10.6.2
#[test]
fn leaders_of_the_battle_scenarios_score_their_rank() {
    for (scenario, name, unit, vps, next) in [
        ("harmars-defeat", "Tecumseh", "Shawnee", [2, 0], None),
        ("harmars-defeat", "McKee", "Shawnee", [2, 0], None),
        ("fallen-timbers", "Tecumseh", "Shawnee", [7, 0], None),
        ("fallen-timbers", "McKee", "Shawnee", [7, 0], None),
        ("fallen-timbers", "Blue Jacket", "Shawnee", [3, 0], Some("Shawnee replacement")),
        ("fallen-timbers", "Blue Jacket", "Miami", [3, 0], None),
        ("fallen-timbers", "Wayne", "kentucky-militia", [0, 3], Some("US replacement 3")),
        ("fallen-timbers", "Kenton", "regular", [0, 1], None),
        ("fallen-timbers", "Kenton", "kentucky-militia", [0, 1], Some("Kentucky replacement")),
    ] {
        let mut g = board(Terrain::Wilderness);
        g.scenario = g.c.scenarios.iter().position(|s| s.id == scenario).expect("a scenario");
        stand(&mut g, unit, "0806");
        head(&mut g, name, "0806");
        let end = fallen(&g);
        let heads: Vec<&str> = end.battle().heads.iter().skip(1).map(|head| &*end.c[head.leader].name).collect();
        assert_eq!((end.vps, heads), (vps, next.into_iter().collect()), "{scenario}: {name} with {unit}");
        assert_eq!(end.battle().heads[0].stand, Stand::Dead);
    }
    // A second general of rank 2 who falls is replaced by the second counter.
    let mut g = board(Terrain::Wilderness);
    stand(&mut g, "regular", "0806");
    head(&mut g, "Butler", "0806");
    head(&mut g, "US replacement 2", "0806");
    let end = fallen(&g);
    assert_eq!(end.c[end.battle().heads[2].leader].name, "Second US replacement 2");
}
