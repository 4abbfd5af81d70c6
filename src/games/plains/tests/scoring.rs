//! Tests of victory (14.1, 15.3, 15.4).

use super::super::{State, cards, components::*, scoring::Score, state::Cubes, testing::*};
use Faction::*;
use postrider_table::{Hands, Seat};

fn finished(mut g: State) -> State {
    g.finished = true;
    g
}

/// plains-indian-wars VP, 4.6, 14.1, 15.2
#[test]
fn two_players_by_the_schedule() {
    let mut g = bare(2);
    let score = |g: &State| [0, 1].map(|s| g.score(Seat(s)));
    // On an empty map the Indians control all 24 green and orange regions, and the railroads are
    // apart.
    let [indians, us] = score(&finished(g.clone()));
    assert_eq!(indians, Score { railroad: 3, plains: 24, ..Score::default() });
    assert_eq!(us, Score::default());
    set(&mut g, "N1", &[(Settlers, 1)]);
    set(&mut g, "N2", &[(Cavalry, 2), (Enemies, 3)]);
    set(&mut g, "N3", &[(Wagons, 2)]);
    (g.arrived, g.destroyed, g.battle_vps, g.custer_vps) = ([1, 2], 4, 1, 2);
    // The table counts the railroad in its present state.
    let [indians, us] = score(&g);
    assert_eq!(indians, Score { railroad: 3, plains: 21, wagons: 4, battles: 3, ..Score::default() });
    assert_eq!(us, Score { plains: 1, wagons: 5, ..Score::default() });
    // Purple regions count once the Indians have three in an area.
    for (id, n) in [("PN1", 1), ("PN2", 1)] {
        set(&mut g, id, &[(Npt, n)]);
    }
    assert_eq!(score(&g)[0].purple, 0);
    set(&mut g, "PN3", &[(Npt, 1)]);
    assert_eq!(score(&g)[0].purple, 3);
    // A US majority in the southern area costs the Indians three; Purple regions give the US
    // nothing.
    for id in ["PS1", "PS2"] {
        set(&mut g, id, &[(Enemies, 1)]);
    }
    assert_eq!(score(&g)[0].purple, 3);
    set(&mut g, "PS3", &[(Cavalry, 1)]);
    assert_eq!((score(&g)[0].purple, score(&g)[1].purple), (0, 0));
    // A joined railroad.
    (g.east, g.west) = (20, 5);
    let [indians, us] = score(&finished(g));
    assert_eq!((indians.railroad, us.railroad), (0, 3));
}

/// plains-indian-wars 2.0, 14.1, VP
#[test]
fn a_railroad_that_is_joined_after_the_last_card_comes_too_late() {
    for (before, railroad) in [(true, [0, 3]), (false, [3, 0])] {
        let mut g = bare(2);
        let join = |g: &mut State| (g.east, g.west) = (20, 5);
        if before {
            join(&mut g);
        }
        let order = vec![g.c.card_named("Gall").expect("a card")];
        *g.deck_mut(Npt) = Hands { drawn: 1, order, ..Hands::default() };
        let rule = |t, mut g: State| async move {
            cards::refill(&t, &mut g, Npt).await;
            g
        };
        let mut g = Trial::new(g, rule).start().over();
        join(&mut g);
        assert!(g.ending());
        assert_eq!([0, 1].map(|s| g.score(Seat(s)).railroad), railroad, "{before}");
    }
}

/// plains-indian-wars 14.1, VP
#[test]
fn every_change_of_points_is_told_with_its_parts() {
    use super::super::{discs::wagons, engagement::engagements, march::march, movement::March, scoring::tell_points};
    let rule = |t, mut g: State| async move {
        tell_points(&t, &mut g);
        march(&t, &mut g, March::new(Npt, 1, 1)).await;
        engagements(&t, &mut g, Npt).await;
        wagons(&t, &mut g).await;
        tell_points(&t, &mut g);
        g
    };
    let mut g = bare(2);
    set(&mut g, "N2", &[(Npt, 1)]);
    set(&mut g, "N3", &[(Npt, 2)]);
    set(&mut g, "N1", &[(Settlers, 1)]);
    set(&mut g, "N4", &[(Wagons, 1)]);
    let mut trial = Trial::new(g, rule).rolls(Npt, "ww").rolls(Wagons, "tt").start();
    assert_eq!(told(&mut trial), ["VPs: Indians 25 (+22 Plains, +3 Railroad), US 2 (+1 Plains, +1 Wagons)."]);
    trial.say("move 2 from north platte to cheyenne").say("attack");
    let all = told(&mut trial);
    assert_eq!(all[0], "VPs: Indians 26 (+1 Plains).", "Cheyenne is no longer the Wagon's alone");
    assert_eq!(all[1], "VPs: Indians 27 (+1 Wagons), US 1 (-1 Wagons).");
    trial.say("2");
    assert_eq!(told(&mut trial), ["VPs: US 3 (+2 Wagons)."], "on Council Bluffs, which the Settlers hold");
    // The changes told add up to the score.
    let end = trial.over();
    assert_eq!([0, 1].map(|seat| end.score(Seat(seat)).total()), [27, 3]);
}

fn told(trial: &mut Running) -> Vec<String> {
    trial.story().into_iter().filter(|line| line.starts_with("VPs:")).collect()
}

/// plains-indian-wars 15.3, VP
#[test]
fn two_allies_count_their_regions_double() {
    let mut g = bare(3);
    set(&mut g, "N1", &[(Settlers, 1)]);
    set(&mut g, "N2", &[(Cavalry, 1)]);
    set(&mut g, "PN1", &[(Cavalry, 1)]);
    set(&mut g, "PN2", &[(Npt, 1)]);
    g.arrived = [1, 1];
    let g = finished(g);
    let scores = [0, 1, 2].map(|s| g.score(Seat(s)));
    assert_eq!(scores[0], Score { railroad: 3, plains: 22, purple: 1, ..Score::default() });
    assert_eq!(scores[1], Score { plains: 2, wagons: 2, ..Score::default() });
    assert_eq!(scores[2], Score { plains: 2, purple: 2, wagons: 2, ..Score::default() });
    assert_eq!(g.ranking(), [Seat(0), Seat(2), Seat(1)]);
    // The sum of two players counts half: 16 points are more than 22 of two.
    let mut many = bare(3);
    for id in ["N1", "N2", "N3", "N4", "N5", "N6", "N7", "N8", "N9", "N10", "N11"] {
        set(&mut many, id, &[(Settlers, 1)]);
    }
    let many = finished(many);
    assert_eq!([0, 1, 2].map(|s| many.score(Seat(s)).total()), [16, 22, 0]);
    assert_eq!(many.ranking()[0], Seat(0));
    let mut other = bare(3);
    other.variant.indian_allies = true;
    set(&mut other, "S1", &[(Npt, 2)]);
    let other = finished(other);
    let scores = [0, 1, 2].map(|s| other.score(Seat(s)));
    assert_eq!((scores[0].plains, scores[1].plains, scores[2].plains), (26, 22, 0));
    assert_eq!((scores[0].railroad, scores[1].railroad), (3, 3));
}

/// plains-indian-wars 15.4, 15.4.1, VP
#[test]
fn with_four_players_wagons_count_by_their_routes() {
    let mut g = bare(4);
    set(&mut g, "N3", &[(Wagons, 1)]);
    set(&mut g, "S7", &[(Wagons, 2)]);
    (g.arrived, g.destroyed) = ([2, 5], 3);
    let g = finished(g);
    let scores = [0, 1, 2, 3].map(|s| g.score(Seat(s)));
    assert_eq!(scores.clone().map(|s| s.wagons), [3, 3, 7, 3]);
    assert_eq!(scores.clone().map(|s| s.plains), [11, 11, 2, 0]);
    assert_eq!(scores.map(|s| s.railroad), [3, 3, 0, 0]);
    // The winning side comes first.
    assert_eq!(g.ranking()[..2], [Seat(0), Seat(1)]);
}

/// plains-indian-wars 15.4.1, VP
#[test]
fn common_points_count_once_for_a_side() {
    let mut g = bare(4);
    set(&mut g, "N3", &[(Wagons, 1)]);
    set(&mut g, "S7", &[(Wagons, 2)]);
    (g.arrived, g.destroyed, g.battle_vps, g.custer_vps) = ([2, 5], 3, 4, 2);
    let g = finished(g);
    let sides = |g: &State| [true, false].map(|indian| g.side_total(indian));
    // The Indians have 22 regions, the railroad 3, Wagons 3 and battles 6; the US has 2 regions and
    // Wagons 3 and 7.
    assert_eq!(sides(&g), [22 + 12, 2 + 10]);
    // With four players, each ally has the common points in his own tally. With fewer players the
    // sides compare means, in which these points count only once.
    let tallies = |g: &State, indian| g.variant.seats_of(indian).into_iter().map(|s| g.score(s).total()).sum::<i32>();
    assert_eq!([true, false].map(|indian| tallies(&g, indian)), [22 + 2 * 12, 2 + 10]);
    for players in [2, 3] {
        let mut fewer = bare(players);
        (fewer.destroyed, fewer.battle_vps) = (3, 4);
        assert_eq!(sides(&fewer), [true, false].map(|indian| tallies(&fewer, indian)));
    }
}

/// plains-indian-wars 15.4.1, 15.4, 14.1, VP
#[test]
fn the_side_with_more_points_wins_whatever_its_allies_have_each() {
    let mut g = bare(4);
    // Eight regions each for the Settlers and the Cavalry; the other eight are the tribes', four
    // each.
    let plains: Vec<RegionId> = g.c.region_ids().filter(|&r| !g.c[r].kind.is_purple()).collect();
    for (at, &r) in plains.iter().enumerate() {
        *g.region_mut(r) =
            Cubes::of([Settlers, Cavalry, if g.c[r].kind == Kind::North { Npt } else { Spt }][at % 3], 1);
    }
    (g.arrived, g.destroyed, g.battle_vps, g.custer_vps) = ([2, 3], 4, 1, 2);
    let g = finished(g);
    // Each ally's tally follows the schedule.
    let totals = |g: &State| [0, 1, 2, 3].map(|s| g.score(Seat(s)).total());
    assert_eq!(totals(&g), [14, 14, 11, 10]);
    // Regions 8, railroad 3, Wagons 4, battles 3; against 16 regions and 5 Wagons.
    assert_eq!([true, false].map(|indian| g.side_total(indian)), [18, 21]);
    assert_eq!(g.ranking(), [2, 3, 0, 1].map(Seat));
    // A joined railroad is worth three points to the US, not six.
    let mut joined = g.clone();
    (joined.east, joined.west) = (20, 5);
    assert_eq!([true, false].map(|indian| joined.side_total(indian)), [15, 24]);
}

/// plains-indian-wars 14.1, VP
#[test]
fn ties_go_by_purple_regions_then_by_casualties() {
    let mut g = bare(2);
    for r in g.c.region_ids().collect::<Vec<_>>() {
        if !g.c[r].kind.is_purple() {
            // A region with equal forces is not controlled.
            g.region_mut(r)[Npt] = 1;
            g.region_mut(r)[Settlers] = 1;
        }
    }
    (g.east, g.west) = (20, 5);
    g.destroyed = 3;
    let g = finished(g);
    assert_eq!([0, 1].map(|s| g.score(Seat(s)).total()), [3, 3]);
    let mut purple = g.clone();
    set(&mut purple, "PN1", &[(Cavalry, 1)]);
    assert_eq!(purple.ranking(), [Seat(1), Seat(0)]);
    let mut lost = g.clone();
    lost.casualties[Npt] = 2;
    lost.casualties[Enemies] = 1;
    assert_eq!(lost.ranking(), [Seat(1), Seat(0)]);
}

/// plains-indian-wars 4.6, VP, 15.4
#[test]
fn purple_regions_by_areas_or_a_point_each() {
    let hold = |g: &mut State, held: &[(&str, Faction)]| {
        for (id, faction) in held {
            set(g, id, &[(*faction, 1)]);
        }
    };
    // Two players: four in the north count, two in the south do not; three southern ones held by
    // Enemies cost three.
    let mut g = bare(2);
    hold(&mut g, &[("PN1", Npt), ("PN2", Npt), ("PN3", Npt), ("PN4", Npt), ("PS1", Spt), ("PS2", Spt)]);
    assert_eq!(g.score(Seat(0)).purple, 4);
    hold(&mut g, &[("PS3", Enemies), ("PS4", Enemies), ("PS5", Enemies)]);
    assert_eq!(g.score(Seat(0)).purple, 1);
    // Four players: a point each, also for the US players; Purple cubes alone give none.
    let mut four = bare(4);
    hold(
        &mut four,
        &[("PN1", Npt), ("PN2", Cavalry), ("PN3", Enemies), ("PS1", Spt), ("PS2", Settlers), ("PS3", Settlers)],
    );
    assert_eq!([0, 1, 2, 3].map(|s| four.score(Seat(s)).purple), [1, 1, 2, 1]);
}

/// The criterion that decided the game: VPs, then Purple regions, then the cubes lost.
///
/// plains-indian-wars 14.1, VP, 15.4.1
#[test]
fn what_has_decided_is_told() {
    let decided = |g: &State| g.decided_by();
    let mut g = bare(2);
    assert_eq!(decided(&g), "more VPs (14.1)");
    // 27 VPs of the Indians for 24 regions and the railroad; as many for Wagons that came through.
    g.arrived = [27, 0];
    assert_eq!([0, 1].map(|seat| g.score(Seat(seat)).total()), [27, 27]);
    assert_eq!(decided(&g), "as many VPs, Purple regions and lost cubes (14.1)");
    g.casualties[Npt] = 1;
    assert_eq!(decided(&g), "as many VPs and Purple regions, fewer cubes lost (14.1)");
    set(&mut g, "PN1", &[(Npt, 1)]);
    assert_eq!(decided(&g), "as many VPs, more Purple regions (14.1)");
    let g = bare(4);
    let [indians, us] = g.sides().expect("sides");
    assert_eq!(decided(&g), format!("more VPs for the side ({indians} to {us}), then for the player (15.4.1)"));
    let mut g = bare(3);
    g.arrived = [1, 0];
    let [one, others] = [0, 1].map(|seat| g.score(Seat(seat)).total());
    assert!(decided(&g).contains(" to ") && one != others, "{}", decided(&g));
}

/// plains-indian-wars 14.0, 15.4.1
#[test]
fn the_end_of_the_game_tells_who_has_won() {
    for (players, east, told) in [
        (2, 0, vec!["The game is over: a deck is at its end. @A (Indians) wins."]),
        (2, 20, vec!["The game is over: the Transcontinental Railroad is joined. @A (Indians) wins."]),
        (
            4,
            0,
            vec![
                "The game is over: a deck is at its end. @A (NPT) wins.",
                "By sides, what is scored once counted once: Indians 27, US 0.",
            ],
        ),
    ] {
        let mut g = bare(players);
        (g.east, g.west) = (east, if east > 0 { 5 } else { 0 });
        let rule = |t, mut g| async move {
            super::super::play::finish(&t, &mut g);
            g
        };
        let mut trial = Trial::new(g, rule).start();
        let story = trial.story();
        assert!(story.ends_with(&told.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()), "{story:?}");
        assert!(trial.over().finished);
    }
}
