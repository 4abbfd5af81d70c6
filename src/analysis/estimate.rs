//! Numbers that are known from a sample, with intervals that hold for few games too.

use serde::Serialize;

/// So many standard errors to each side hold 95 of 100 cases of a normal distribution.
const NORMAL_95: f64 = 1.959_964;

/// With fewer games than these nothing is said of how exact a figure is.
pub const LEAST: usize = 5;

/// With fewer games than these a rare result may not have occurred at all, and then no interval can
/// allow for it.
pub const ENOUGH: usize = 30;

/// A number that is known from a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The best guess.
    pub value: f64,
    /// The lower end of the interval that holds the true number in 95 of 100 cases; absent where
    /// the sample does not tell.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}

impl Estimate {
    /// A number of which there is no doubt.
    pub fn certain(value: f64) -> Estimate {
        Estimate { value, low: Some(value), high: Some(value) }
    }

    /// The mean of a sample. Its interval is Student's, widened to that of Hall's transformation,
    /// which allows for skewness. A sample that is too small or in which all values are equal has
    /// none.
    pub fn of_mean(values: &[f64]) -> Estimate {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        let moment = |power: i32| values.iter().map(|one| (one - value).powi(power)).sum::<f64>();
        let deviation = (moment(2) / (count - 1.0)).sqrt();
        if values.len() < LEAST || deviation == 0.0 {
            return Estimate { value, low: None, high: None };
        }
        let skewness = moment(3) * count / ((count - 1.0) * (count - 2.0)) / deviation.powi(3);
        let (error, t) = (deviation / count.sqrt(), student(count - 1.0));
        let below = hall(t, skewness, count).max(t);
        let above = hall(-t, skewness, count).min(-t);
        Estimate { value, low: Some(value - below * error), high: Some(value - above * error) }
    }

    /// A share, by Wilson's interval.
    pub fn of_share(values: &[f64]) -> Estimate {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        if values.len() < LEAST {
            return Estimate { value, low: None, high: None };
        }
        let (low, high) = wilson(value, count);
        Estimate { value, low: Some(low), high: Some(high) }
    }
}

/// How many standard errors below the estimate the mean lies where Hall's transformation of the
/// studentised mean is `t`.
fn hall(t: f64, skewness: f64, count: f64) -> f64 {
    let third = skewness / 3.0;
    if third.abs() < 1e-6 {
        return t;
    }
    let root = count.sqrt();
    ((1.0 + 3.0 * third * (t / root - skewness / (6.0 * count))).cbrt() - 1.0) / third * root
}

/// So many standard errors to each side hold 95 of 100 cases of Student's distribution with at
/// least four degrees of freedom: the expansion of Cornish and Fisher, exact to three decimal
/// places.
pub fn student(freedom: f64) -> f64 {
    let z = NORMAL_95;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z) / 92_160.0,
    ];
    z + terms.iter().zip(1..).map(|(term, power)| term / freedom.powi(power)).sum::<f64>()
}

/// Wilson's interval of a share of so many independent cases. It stays within 0 and 1 and does not
/// call certain what merely never happened.
pub fn wilson(share: f64, count: f64) -> (f64, f64) {
    let square = NORMAL_95 * NORMAL_95;
    let middle = (share + square / (2.0 * count)) / (1.0 + square / count);
    let root = (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
    let within = NORMAL_95 * root / (1.0 + square / count);
    ((middle - within).max(0.0), (middle + within).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use postrider_dice::{DiceStream, h};

    #[test]
    fn students_factors_are_those_of_the_tables() {
        for (freedom, factor) in [(4.0, 2.776), (11.0, 2.201), (29.0, 2.045), (1e6, 1.960)] {
            assert!((student(freedom) - factor).abs() < 1e-3, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn intervals_are_those_worked_by_hand() {
        // 2, 4, 4, 4, 6: the mean 4, the variance 2, no skewness, so 2.776 × √(2 ÷ 5) = 1.756 to
        // each side.
        let even = Estimate::of_mean(&[2.0, 4.0, 4.0, 4.0, 6.0]);
        let ends = |estimate: Estimate| (estimate.low.unwrap(), estimate.high.unwrap());
        assert!((ends(even).0 - 2.244).abs() < 1e-3 && (ends(even).1 - 5.756).abs() < 1e-3, "{even:?}");
        // A long tail above makes the interval longer there.
        let skewed = Estimate::of_mean(&[2.0, 2.0, 2.0, 3.0, 11.0]);
        assert!(ends(skewed).1 - 4.0 > 1.5 * (4.0 - ends(skewed).0), "{skewed:?}");
        // 30 of 120: Wilson's interval is 0.181 to 0.334.
        let (low, high) = wilson(0.25, 120.0);
        assert!((low - 0.181).abs() < 1e-3 && (high - 0.334).abs() < 1e-3, "{low} {high}");
    }

    #[test]
    fn a_sample_that_tells_nothing_has_no_interval() {
        for values in [vec![7.0], vec![1.0, 2.0, 9.0, 4.0], vec![3.0; 200]] {
            let mean = Estimate::of_mean(&values);
            assert_eq!((mean.low, mean.high), (None, None), "{values:?}");
        }
        assert_eq!(Estimate::of_share(&[1.0, 0.0, 1.0]).low, None);
        assert!(Estimate::of_share(&[1.0; 20]).low.is_some_and(|low| low < 0.9));
    }

    /// How often the interval holds the true number, in so many samples of `count`.
    fn coverage(count: usize, truth: f64, of: fn(&[f64]) -> Estimate, draw: fn(&mut DiceStream) -> f64) -> f64 {
        let mut stream = DiceStream::new(h("postrider/coverage/v1", &[&count.to_string()]));
        let (mut held, mut told) = (0.0, 0.0);
        for _ in 0..4000 {
            let sample: Vec<f64> = (0..count).map(|_| draw(&mut stream)).collect();
            if let Estimate { low: Some(low), high: Some(high), .. } = of(&sample) {
                told += 1.0;
                held += f64::from(u8::from(low <= truth && truth <= high));
            }
        }
        held / told
    }

    /// Points of a position that is nearly decided: in one game of four they go far below those of
    /// the others.
    fn skewed(stream: &mut DiceStream) -> f64 {
        let share = f64::from(stream.below(1_000_000) + 1) / 1e6;
        (40.0 + 6.0 * share.ln()).floor()
    }

    /// The interval of before, two normal errors to each side.
    fn normal(values: &[f64]) -> Estimate {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        let square = values.iter().map(|one| (one - value).powi(2)).sum::<f64>() / (count - 1.0);
        let within = NORMAL_95 * (square / count).sqrt();
        Estimate { value, low: Some(value - within), high: Some(value + within) }
    }

    #[test]
    fn ninety_five_of_a_hundred_holds_for_few_games_of_a_skewed_position() {
        // The floor of 40 less an exponential of mean 6 lies this far below 40.
        let truth = 40.0 - 1.0 / (1.0 - (-1.0_f64 / 6.0).exp());
        for count in [5, 12, 30, 200] {
            let found = coverage(count, truth, Estimate::of_mean, skewed);
            assert!((0.925..0.985).contains(&found), "{count}: {found}");
        }
        assert!(coverage(5, truth, normal, skewed) < 0.84, "two normal errors are too few");
    }

    #[test]
    fn ninety_five_of_a_hundred_holds_for_rare_wins() {
        let one_of_five = |stream: &mut DiceStream| f64::from(u8::from(stream.below(5) == 0));
        let even = |stream: &mut DiceStream| f64::from(stream.below(2));
        for count in [5, 12, 30, 200] {
            for (truth, draw) in [(0.2, one_of_five as fn(&mut DiceStream) -> f64), (0.5, even)] {
                let found = coverage(count, truth, Estimate::of_share, draw);
                assert!((0.92..=0.999).contains(&found), "{count}, {truth}: {found}");
            }
        }
    }
}
