//! Estimates from a sample, with confidence intervals that hold for small samples too.

use serde::Serialize;

/// The 97.5 % quantile of the normal distribution: a two-sided 95 % interval in standard errors.
const NORMAL_95: f64 = 1.959_964;

/// The minimum sample size for an interval.
pub const LEAST: usize = 5;

/// The sample size from which results can be trusted. In a smaller sample a rare result may not
/// occur at all, and then no interval can allow for it.
pub const ENOUGH: usize = 30;

/// A value estimated from a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The best estimate.
    pub value: f64,
    /// The lower end of the 95 % confidence interval; `None` if the sample is too small or does not
    /// vary.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl Estimate {
    /// Returns an estimate without uncertainty.
    pub fn certain(value: f64) -> Estimate {
        Estimate { value, low: Some(value), high: Some(value) }
    }

    /// Estimates a mean. The interval is Student's, widened to that of Hall's transformation, which
    /// allows for skewness. There is no interval if the sample has fewer than [`LEAST`] values or
    /// if all values are equal.
    pub(crate) fn of_mean(values: &[f64]) -> Estimate {
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

    /// Estimates a share from values between 0 and 1, with Wilson's interval if there are at least
    /// [`LEAST`] values.
    pub(crate) fn of_share(values: &[f64]) -> Estimate {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        if values.len() < LEAST {
            return Estimate { value, low: None, high: None };
        }
        let (low, high) = wilson(value, count);
        Estimate { value, low: Some(low), high: Some(high) }
    }
}

/// Returns how many standard errors the true mean is below the estimate if Hall's transformation of
/// the studentised mean equals `t`.
fn hall(t: f64, skewness: f64, count: f64) -> f64 {
    let third = skewness / 3.0;
    if third.abs() < 1e-6 {
        return t;
    }
    let root = count.sqrt();
    ((1.0 + 3.0 * third * (t / root - skewness / (6.0 * count))).cbrt() - 1.0) / third * root
}

/// Returns the half-width, in standard errors, of a two-sided 95 % interval of Student's
/// distribution with `freedom` degrees of freedom (at least 4). Uses the Cornish-Fisher expansion,
/// which is exact to three decimal places here.
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

/// Returns Wilson's 95 % interval of a share among `count` independent cases. It stays within 0 and
/// 1, and does not treat an event as impossible only because it never happened.
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
        // 2, 4, 4, 4, 6: mean 4, variance 2, no skewness, so the half-width is 2.776 × √(2 ÷ 5) =
        // 1.756.
        let even = Estimate::of_mean(&[2.0, 4.0, 4.0, 4.0, 6.0]);
        let ends = |estimate: Estimate| (estimate.low.unwrap(), estimate.high.unwrap());
        assert!((ends(even).0 - 2.244).abs() < 1e-3 && (ends(even).1 - 5.756).abs() < 1e-3, "{even:?}");
        // A long upper tail lengthens the interval upwards.
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

    /// Returns the fraction of 4000 samples of size `count` whose interval holds the true value,
    /// among those that have an interval.
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

    /// Points in a position that is nearly decided: in one game of four they are far below those of
    /// the other games.
    fn skewed(stream: &mut DiceStream) -> f64 {
        let share = f64::from(stream.below(1_000_000) + 1) / 1e6;
        (40.0 + 6.0 * share.ln()).floor()
    }

    /// The plain normal interval, for comparison: 1.96 standard errors to each side.
    fn normal(values: &[f64]) -> Estimate {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        let square = values.iter().map(|one| (one - value).powi(2)).sum::<f64>() / (count - 1.0);
        let within = NORMAL_95 * (square / count).sqrt();
        Estimate { value, low: Some(value - within), high: Some(value + within) }
    }

    #[test]
    fn ninety_five_of_a_hundred_holds_for_few_games_of_a_skewed_position() {
        // The mean of the floor of 40 - X, where X is exponential with mean 6.
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
