//! What statistics are told of a finished game.

use super::super::{components::*, testing::*, victory::Ending, view};

/// dark-and-bloody-ground 15.4.5, 16.1.3
#[test]
fn the_winner_of_the_figures_is_the_first_of_the_ranking() {
    let mut g = bare("harmars-defeat");
    for (winner, named) in [(Some(Side::Us), "US"), (Some(Side::Na), "nations"), (None, "nobody")] {
        g.ending = Some(Ending { winner, level: "victory", why: "more VPs (16.1.3)".into() });
        assert_eq!(view::figures(&g)["winners"], serde_json::json!([named]));
        let outcome = view::outcome(&g);
        let ranking = outcome["ranking"].as_array().expect("a ranking");
        let first = ranking.iter().filter(|row| row["rank"] == 1).map(|row| row["side"].as_str().expect("a side"));
        let wanted: Vec<&str> = winner.map_or(vec!["us", "na"], |side| vec![side.word()]);
        assert_eq!(first.collect::<Vec<_>>(), wanted);
    }
    let names: Vec<&str> = view::FIGURES.iter().map(|figure| figure.name).collect();
    assert!(names.iter().all(|name| view::figures(&g)[name].is_number()), "{names:?}");
}
