//! Odds as exact fractions, and the odds columns of a chart.

use std::{cmp::Ordering, fmt, iter::Sum, ops::Add};

/// A nonnegative exact fraction in lowest terms: odds, or a strength that may be halved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ratio {
    over: u32,
    under: u32,
}

impl Ratio {
    /// Creates the ratio `over` to `under`; `None` if `under` is 0.
    pub fn new(over: u32, under: u32) -> Option<Ratio> {
        (under != 0).then(|| Ratio::lowest(over.into(), under.into()))
    }
    /// Creates a whole number.
    pub const fn whole(n: u32) -> Ratio {
        Ratio { over: n, under: 1 }
    }
    /// Reduces a fraction. Strengths are sums of a few small numbers, so both parts fit into 32
    /// bits; a larger part becomes `u32::MAX`.
    fn lowest(over: u64, under: u64) -> Ratio {
        let (mut a, mut b) = (over, under);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let fit = |n: u64| u32::try_from(n / a.max(1)).unwrap_or(u32::MAX);
        Ratio { over: fit(over), under: fit(under) }
    }
    /// Returns half of it.
    pub fn half(self) -> Ratio {
        Ratio::lowest(self.over.into(), u64::from(self.under) * 2)
    }
    /// Returns `n` times the ratio.
    pub fn times(self, n: u32) -> Ratio {
        Ratio::lowest(u64::from(self.over) * u64::from(n), self.under.into())
    }
    /// Returns the odds of this strength to another: the quotient, or `None` if the other is 0.
    pub fn to(self, other: Ratio) -> Option<Ratio> {
        let (over, under) =
            (u64::from(self.over) * u64::from(other.under), u64::from(self.under) * u64::from(other.over));
        (under != 0).then(|| Ratio::lowest(over, under))
    }
    /// Rounds down to a whole number.
    pub fn floor(self) -> u32 {
        self.over / self.under
    }
    /// Returns numerator and denominator, in lowest terms.
    pub fn parts(self) -> (u32, u32) {
        (self.over, self.under)
    }
    /// Returns `true` if it is 0.
    pub fn is_zero(self) -> bool {
        self.over == 0
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        let cross = |a: &Ratio, b: &Ratio| u64::from(a.over) * u64::from(b.under);
        cross(self, other).cmp(&cross(other, self))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for Ratio {
    type Output = Ratio;
    fn add(self, other: Ratio) -> Ratio {
        let wide = u64::from;
        let over = wide(self.over) * wide(other.under) + wide(other.over) * wide(self.under);
        Ratio::lowest(over, wide(self.under) * wide(other.under))
    }
}

impl Sum for Ratio {
    fn sum<I: Iterator<Item = Ratio>>(all: I) -> Ratio {
        all.fold(Ratio::whole(0), Add::add)
    }
}

/// Writes `7` or `3/2`.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.under {
            1 => write!(f, "{}", self.over),
            under => write!(f, "{}/{under}", self.over),
        }
    }
}

/// The odds columns of a chart, from the worst for the attacker to the best.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns(Vec<(String, Ratio)>);

impl Columns {
    /// Parses labels such as `1-3` and `2-1`. Returns `None` if there are none, if one is
    /// malformed, or if they do not strictly increase.
    pub fn read<S: AsRef<str>>(labels: &[S]) -> Option<Columns> {
        let odds = |label: &str| {
            let (attack, defence) = label.split_once('-')?;
            Ratio::new(attack.parse().ok()?, defence.parse().ok()?)
        };
        let columns: Option<Vec<_>> =
            labels.iter().map(|label| Some((label.as_ref().to_owned(), odds(label.as_ref())?))).collect();
        let columns = columns.filter(|columns| !columns.is_empty())?;
        columns.windows(2).all(|two| two[0].1 < two[1].1).then_some(Columns(columns))
    }
    /// Returns the column for these strengths, rounded in favour of the defender: the last column
    /// whose odds the attacker reaches, or the first. Against a strength of 0 it is the last
    /// column.
    pub fn find(&self, attack: Ratio, defence: Ratio) -> usize {
        let odds = attack.to(defence);
        let reached = self.0.iter().rposition(|(_, column)| odds.is_none_or(|odds| odds >= *column));
        reached.unwrap_or(0)
    }
    /// Shifts a column to the right, or to the left if `by` is negative, without leaving the chart.
    pub fn shifted(&self, column: usize, by: i32) -> usize {
        let last = i64::try_from(self.0.len() - 1).unwrap_or(i64::MAX);
        let at = i64::try_from(column).unwrap_or(last) + i64::from(by);
        // The result is between 0 and the last column.
        at.clamp(0, last) as usize
    }
    /// Returns the number of columns.
    pub fn count(&self) -> usize {
        self.0.len()
    }
    /// Returns the heading of a column; an index beyond the chart means the last column.
    pub fn label(&self, column: usize) -> &str {
        &self.0[column.min(self.0.len() - 1)].0
    }
    /// Returns the odds of a column, as given by its label.
    pub fn odds(&self, column: usize) -> Ratio {
        self.0[column.min(self.0.len() - 1)].1
    }
}
