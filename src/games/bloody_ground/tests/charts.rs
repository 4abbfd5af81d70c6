//! Charts, and the modifiers that use them.

use super::super::{components::*, raid, settlers, testing::*};

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
