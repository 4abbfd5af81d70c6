use super::*;
use proptest::prelude::*;

#[test]
fn modifiers_add_up_and_print_themselves() {
    let mut drm = Modifiers::new();
    drm.add("militia", -2).add("15 MPs", -1).add("fort", -1).add("Ohio", -1).add("nobody", 0);
    drm.add_if(true, "Blue Jacket", 3).add_if(false, "Girty", 1).add_if(true, "wilderness", 1);
    let told = "DRM -1: militia -2, 15 MPs -1, fort -1, Ohio -1, Blue Jacket +3, wilderness +1";
    assert_eq!((drm.total(), drm.to_string().as_str(), drm.parts().count()), (-1, told, 6));
    assert_eq!(drm.told(5), format!("5, {told}, is 4"));
    assert_eq!((Modifiers::new().told(3), Modifiers::new().to_string()), ("3".to_owned(), "DRM 0".to_owned()));
}

#[test]
fn odds_are_exact_and_favour_the_defender() {
    let columns = Columns::read(&["1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1"]).expect("columns");
    let find = |a: Ratio, d: Ratio| columns.label(columns.find(a, d)).to_owned();
    let whole = |a, d| find(Ratio::whole(a), Ratio::whole(d));
    assert_eq!(
        [whole(7, 3), whole(3, 7), whole(2, 3), whole(9, 9), whole(1, 9), whole(40, 2)],
        ["2-1", "1-3", "1-2", "1-1", "1-3", "5-1"]
    );
    assert_eq!([whole(4, 0), whole(0, 4), whole(0, 0)], ["5-1", "1-3", "5-1"]);
    // Halves are exact: 5/2 against 1 is 2-1, and 3/2 against 1/2 is 3-1.
    assert_eq!(find(Ratio::whole(5).half(), Ratio::whole(1)), "2-1");
    assert_eq!(find(Ratio::whole(3).half(), Ratio::whole(1).half()), "3-1");
    assert_eq!([-9, -1, 0, 2, 9].map(|by| columns.shifted(3, by)), [0, 2, 3, 5, 6]);
    assert_eq!((columns.count(), columns.odds(1)), (7, Ratio::new(1, 2).expect("a half")));
    for wrong in [&["2-1", "1-1"][..], &["1-0"], &["1"], &[], &["1-1", "2-2"]] {
        assert_eq!(Columns::read(wrong), None, "{wrong:?}");
    }
    let sum: Ratio = [Ratio::whole(1), Ratio::whole(1).half(), Ratio::whole(3).times(2)].into_iter().sum();
    assert_eq!((sum.to_string().as_str(), sum.floor(), sum.is_zero()), ("15/2", 7, false));
    assert_eq!((Ratio::new(1, 0), Ratio::whole(3).to(Ratio::whole(0))), (None, None));
}

type Cells = Result<Chart<Both<u8>>, ChartFault>;

#[test]
fn a_chart_is_complete_or_not_loaded() {
    let good: Cells = Chart::load(2, &[(-1, vec!["0/1", "1/1"]), (0, vec!["2/0", "3/4"])]);
    let chart = good.expect("a chart");
    assert_eq!((chart.rows(), chart.columns()), ((-1, 0), 2));
    assert_eq!(*chart.at(-9, 0), Both { attacker: 0, defender: 1 });
    assert_eq!(*chart.at(9, 9), Both { attacker: 3, defender: 4 });
    assert_eq!(chart.print(&["1-1", "2-1"]), "    1-1  2-1\n-1  0/1  1/1\n 0  2/0  3/4\n");
    let none: Cells = Chart::load::<&str>(2, &[]);
    assert_eq!(none, Err(ChartFault::Empty));
    let gap: Cells = Chart::load(1, &[(1, vec!["0/1"]), (3, vec!["0/1"])]);
    assert_eq!(gap, Err(ChartFault::Gap { after: 1, next: 3 }));
    let few: Cells = Chart::load(2, &[(1, vec!["0/1"])]);
    assert_eq!(few, Err(ChartFault::Cells { row: 1, found: 1, wanted: 2 }));
    for cell in ["x/1", "1", "1/"] {
        let bad: Cells = Chart::load(1, &[(1, vec![cell])]);
        assert_eq!(bad, Err(ChartFault::Result { row: 1, cell: cell.to_owned() }));
    }
}

#[test]
fn bands_join() {
    let bands = Bands::load(vec![(None, Some(0), "a"), (Some(1), Some(2), "b"), (Some(3), None, "c")]).expect("bands");
    assert_eq!([-7, 0, 1, 2, 3, 99].map(|n| *bands.at(n)), ["a", "a", "b", "b", "c", "c"]);
    assert_eq!(bands.each().map(|(from, _)| from).collect::<Vec<_>>(), [None, Some(1), Some(3)]);
    for (wrong, at) in [
        (vec![(Some(0), None, ())], 0),
        (vec![(None, Some(0), ()), (Some(2), None, ())], 2),
        (vec![(None, Some(3), ()), (Some(2), None, ())], 2),
        (vec![(None, Some(0), ()), (Some(1), Some(5), ())], 5),
        (vec![(None, None, ()), (Some(1), None, ())], i32::MIN),
    ] {
        assert_eq!(Bands::load(wrong), Err(ChartFault::Bands { at }));
    }
    assert_eq!(Bands::<()>::load(Vec::new()), Err(ChartFault::Empty));
}

proptest! {
    /// Computes the column for whole strengths in a second way: by how often one side goes into the
    /// other.
    #[test]
    fn odds_agree_with_division(a in 1_u32..60, d in 1_u32..60) {
        let columns = Columns::read(&["1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1"]).expect("columns");
        let wanted = if a >= d { 1 + (a / d).min(5) } else { 3 - d.div_ceil(a).min(3) };
        prop_assert_eq!(columns.find(Ratio::whole(a), Ratio::whole(d)), wanted as usize);
        // Halving both sides does not change the odds.
        prop_assert_eq!(columns.find(Ratio::whole(a).half(), Ratio::whole(d).half()), wanted as usize);
    }

    #[test]
    fn fractions_compare_as_they_are(a in 0_u32..99, b in 1_u32..99, c in 0_u32..99, d in 1_u32..99) {
        let (x, y) = (Ratio::new(a, b).expect("not by 0"), Ratio::new(c, d).expect("not by 0"));
        prop_assert_eq!(x.cmp(&y), (a * d).cmp(&(c * b)));
        let sum = x + y;
        prop_assert_eq!(sum, Ratio::new(a * d + c * b, b * d).expect("not by 0"));
        prop_assert_eq!(sum.floor(), (a * d + c * b) / (b * d));
    }
}
