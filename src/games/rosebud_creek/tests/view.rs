//! The parts of the view that letters use.

use super::super::{state::State, testing::*, variant::Variant, view};
use postrider_table::Seat;

fn lines(g: &State) -> Vec<String> {
    let seen = view::view(g, Some(Seat(0)));
    let windows = seen["windows"].as_array().expect("windows").clone();
    let all = windows.iter().flat_map(|window| window["lines"].as_array().expect("lines").clone());
    all.filter_map(|line| line.as_str().map(str::to_owned)).collect()
}

#[test]
fn windows_show_who_stands_where() {
    let mut g = bare();
    foot(&mut g, "3A", "2707");
    foot(&mut g, "3E", "2707");
    ride(&mut g, "H1", "2808");
    let all = lines(&g);
    assert_eq!(all[0], "   26  27  28  29");
    let row = |id: &str| all.iter().position(|line| line.starts_with(id)).expect("a row");
    let (high, low) = (&all[row("08")], &all[row("07") + 1]);
    assert_eq!((high.find("I6b"), low.find("U10a")), (Some(3 + 8 + 1), Some(3 + 4 + 1)));
    let g = game(Variant::default());
    assert!(lines(&g).iter().all(|line| line.chars().count() <= 76), "{:#?}", lines(&g));
    let seen = view::view(&g, None);
    assert_eq!(
        (seen["turns"].as_i64(), seen["clock"].as_str(), seen["ammo"].as_i64()),
        (Some(19), Some("08:00"), Some(4))
    );
    assert_eq!(seen["waiting"].as_array().map(Vec::len), Some(27), "24 warriors and three Leaders");
    assert_eq!(view::outcome(&g).ranking().len(), 2);
}

/// rosebud-creek 17
#[test]
fn every_figure_of_the_balance_report_is_counted() {
    let mut g = bare();
    (g.vps, g.losses, g.entered[1]) = ([4, 7], [3, 9], true);
    let figures = view::figures(&g);
    let expected = [
        ("turns", 2),
        ("vps_us", 4),
        ("vps_indian", 7),
        ("lost_us", 3),
        ("lost_indian", 9),
        ("hills", 1),
        ("units", 0),
    ];
    assert_eq!(figures, expected);
    assert_eq!(view::FIGURES.map(|figure| figure.name), expected.map(|(name, _)| name));
}
