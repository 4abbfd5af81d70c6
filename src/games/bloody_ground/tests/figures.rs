//! The result and the statistics of a finished game.

use super::super::{components::*, testing::*, victory::Ending, view};

/// dark-and-bloody-ground 15.4.5, 16.1.3
#[test]
fn the_winner_comes_first_whatever_the_vps_are() {
    let mut g = bare("harmars-defeat");
    g.vps = [9, 1];
    for winner in [Some(Side::Us), Some(Side::Na), None] {
        g.ending = Some(Ending { winner, level: None, why: "more VPs (16.1.3)".into() });
        let outcome = view::outcome(&g);
        let wanted: Vec<_> = winner.map_or(Side::ALL.to_vec(), |side| vec![side]);
        assert_eq!(outcome.winners(), wanted.iter().map(|&side| g.seat(side)).collect::<Vec<_>>());
        assert_eq!(outcome.ranking()[0].seat, g.seat(wanted[0]));
        assert_eq!((outcome.is_draw(), outcome.sides()), (winner.is_none(), vec![winner.map_or("draw", Side::name)]));
    }
    let names: Vec<&str> = view::FIGURES.iter().map(|figure| figure.name).collect();
    assert_eq!(names, view::figures(&g).iter().map(|(name, _)| *name).collect::<Vec<_>>());
}
