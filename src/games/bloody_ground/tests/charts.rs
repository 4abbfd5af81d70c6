//! Charts, cell by cell, and the modifiers that use them.

use super::super::{components::*, raid, settlers, testing::*};
use postrider_table::chart::{Both, Ratio};

/// dark-and-bloody-ground T:melee-combat-results-table, 10.6.1
#[test]
fn every_cell_of_the_melee() {
    let g = war();
    let rows = [
        "2R/-- 2R/-- 2R/-- 2R/-- 1R/-- 1R/-- --/--",
        "2R/-- 2R/-- 2R/-- 1R/-- 1R/-- --/-- --/--",
        "2R/-- 2R/-- 1R/-- 1R/-- --/-- --/-- --/--",
        "2R/-- 1R/-- 1R/-- 1R/-- --/-- --/-- --/R",
        "1R/-- 1R/-- 1R/-- --/-- --/-- --/-- 1/R",
        "1R/-- 1R/-- --/-- --/-- --/-- 1/R 1/R",
        "1R/-- --/-- --/-- --/-- 1/1 1/R --/1R",
        "R/1 --/-- --/-- 1/1 1/R 1/1R 1/1R",
        "R/-- 1/-- 1/-- 1/-- --/R --/1R 1/2R",
        "--/-- 1/R 1/R --/R --/1R 1/2R --/2R",
        "--/-- --/R --/R --/1R --/1R --/2R --/2R",
        "1/R --/R --/1R --/1R --/1R --/2R --/2R",
    ];
    let mut cells = 0;
    for (die, row) in (-2..).zip(rows) {
        for (column, cell) in row.split(' ').enumerate() {
            assert_eq!(g.charts.melee.at(die, column).to_string(), cell, "{die} in {}", g.charts.odds.label(column));
            cells += 1;
        }
    }
    assert_eq!((cells, g.charts.melee.rows()), (84, (-2, 9)));
    let toll = |lost, retreat| Toll { lost, retreat };
    assert_eq!(*g.charts.melee.at(-7, 0), Both { attacker: toll(2, true), defender: toll(0, false) });
    assert_eq!(*g.charts.melee.at(12, 6), Both { attacker: toll(0, false), defender: toll(2, true) });
}

/// dark-and-bloody-ground T:battle-board-terrain-effects-chart
#[test]
fn every_cell_of_the_board() {
    let c = Components::builtin();
    let rows: Vec<(&str, &[u8])> = c.board_costs.iter().map(|row| (&*row.id, &row.mps[..])).collect();
    let wanted: [(&str, &[u8]); 10] = [
        ("clear-regular", &[2, 1, 1, 2]),
        ("clear-other", &[1, 1, 1, 2]),
        ("woods-warrior", &[1, 1, 1, 2]),
        ("woods-other", &[2, 2, 2, 2]),
        ("swamp-warrior", &[3, 2, 1, 4]),
        ("swamp-other", &[2, 3, 1, 4]),
        ("cultivated", &[2, 1, 2, 1]),
        ("stream-hexside", &[2, 1, 1, 0]),
        ("slope-hexside", &[1, 1, 1, 1]),
        ("trail", &[1, 1, 1, 1]),
    ];
    assert_eq!(rows, wanted);
}

/// dark-and-bloody-ground 10.6, T:melee-combat-modifiers
#[test]
fn odds_favour_the_defender() {
    let g = war();
    let odds = |a, d| g.charts.odds.label(g.charts.odds.find(Ratio::whole(a), Ratio::whole(d))).to_owned();
    assert_eq!([odds(7, 3), odds(2, 3), odds(3, 7), odds(1, 5), odds(20, 2)], ["2-1", "1-2", "1-3", "1-3", "5-1"]);
}

/// dark-and-bloody-ground T:settler-generation-chart, 6.0.1
#[test]
fn settlers_by_season_and_commitment() {
    let mut g = war();
    g.commitment = 3;
    let mut total = |season: Season, commitment: u8| {
        (g.season, g.commitment) = (season, commitment);
        settlers::generation(&g).total()
    };
    // A natural 5 with +2 gives 7 settlers.
    assert_eq!(5 + total(Season::Spring, 3), 7);
    assert_eq!([1, 2, 3, 4, 5].map(|commitment| total(Season::Fall, commitment)), [-2, -1, 0, 1, 2]);
    assert_eq!([total(Season::Summer, 3), total(Season::Summer, 5)], [1, 3]);
    assert_eq!([1, 3].map(|die| settlers::shares(7, die)), [(4, 4), (4, 4)]);
    assert_eq!([settlers::shares(7, 4), settlers::shares(6, 5), settlers::shares(7, 6)], [(4, 5), (4, 4), (0, 7)]);
}

/// dark-and-bloody-ground T:raid-resolution-chart, T:raid-resolution-results, 12.0.3
#[test]
fn raids_by_distance_and_die() {
    let g = war();
    assert_eq!([1, 12, 13, 19, 23, 24, 35, 36].map(raid::far), [0, 0, 1, 1, 1, 2, 2, 3]);
    let name = |die: i32| g.c.raid[*g.charts.raid.at(die)].name.clone();
    let dice = [-4, 0, 1, 2, 3, 4, 6, 7, 15];
    assert_eq!(
        dice.map(name),
        [
            "fiasco",
            "fiasco",
            "unsuccessful",
            "unsuccessful",
            "no effect",
            "successful",
            "successful",
            "legend",
            "legend",
        ]
    );
    let row = |die: i32| &g.c.raid[*g.charts.raid.at(die)];
    assert_eq!(
        [0, 2, 3, 4, 7].map(|die| (row(die).warriors, row(die).militia, row(die).settlers, row(die).vps)),
        [(2, 2, 0, 0), (1, 1, 0, 0), (0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2),]
    );
    assert_eq!([0, 2, 3, 4, 7].map(|die| row(die).marker_stays), [false, false, true, true, true]);
}

/// dark-and-bloody-ground T:skirmish-combat-results, T:fire-combat-summary, T:random-events-table
#[test]
fn other_charts() {
    let g = war();
    assert_eq!([0, 1, 2, 5, 6, 9].map(|n| *g.charts.skirmish.at(n)), [0, 0, 1, 1, 2, 2]);
    let fire: Vec<_> = g.c.fire.iter().map(|row| (row.range, row.rifle, row.open, row.woods)).collect();
    assert_eq!(fire, [(4, 4, 3, 1), (3, 3, 2, 1), (4, 4, 3, 1), (3, 3, 2, 1), (1, 3, 1, 2)]);
    use Event::*;
    let events: Vec<Event> = g.c.events.iter().map(|row| row.event).collect();
    assert_eq!(
        events,
        [GoodOmens, BadOmens, Funds, SevereWeather, Rifles, None, Iroquois, Girty, Girty, GoodOmens, BadOmens,]
    );
}
