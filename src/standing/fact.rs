//! The facts of a question, which conditions of standing orders compare, and their declarations.

use postrider_orders::list_or;
use std::fmt;

/// A fact at the time of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its name in the game's list of facts.
    pub name: &'static str,
    /// Its current value.
    pub value: Value,
}

/// The value of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer: points, pieces, a Turn.
    Number(i64),
    /// A chance in percent, from 0 to 100, rounded down.
    Percent(i64),
    /// The ratio of one strength to another, such as 4 to 2; neither is negative.
    Ratio(i64, i64),
    /// One or more names: a place, the participants.
    Names(Vec<String>),
    /// A truth value.
    Yes(bool),
}

impl Fact {
    /// Creates a fact with an integer.
    pub fn number(name: &'static str, value: impl Into<i64>) -> Fact {
        Fact { name, value: Value::Number(value.into()) }
    }
    /// Creates a fact with `so_many` as a percentage of `of`, rounded down and limited to 0 to 100;
    /// 0 if `of` is 0.
    pub fn share(name: &'static str, so_many: i64, of: i64) -> Fact {
        let percent = (100 * so_many).checked_div(of).unwrap_or(0);
        Fact { name, value: Value::Percent(percent.clamp(0, 100)) }
    }
    /// Creates a fact with the ratio of two strengths. Negative strengths become 0.
    pub fn ratio(name: &'static str, one: impl Into<i64>, other: impl Into<i64>) -> Fact {
        Fact { name, value: Value::Ratio(one.into().max(0), other.into().max(0)) }
    }
    /// Creates a fact with one name.
    pub fn is(name: &'static str, value: impl Into<String>) -> Fact {
        Fact { name, value: Value::Names(vec![value.into()]) }
    }
    /// Creates a fact with several names.
    pub fn among(name: &'static str, values: impl IntoIterator<Item = String>) -> Fact {
        Fact { name, value: Value::Names(values.into_iter().collect()) }
    }
    /// Creates a fact that is true or false.
    pub fn whether(name: &'static str, yes: bool) -> Fact {
        Fact { name, value: Value::Yes(yes) }
    }
}

impl fmt::Display for Fact {
    /// Writes `chance 40 %`, `outnumbered 3 to 1`, `area Colorado`, `not alone`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Number(value) => write!(f, "{} {value}", self.name),
            Value::Percent(value) => write!(f, "{} {value} %", self.name),
            Value::Ratio(one, other) => write!(f, "{} {one} to {other}", self.name),
            Value::Names(names) if names.is_empty() => write!(f, "{} none", self.name),
            Value::Names(names) => write!(f, "{} {}", self.name, list_or(names)),
            Value::Yes(true) => f.write_str(self.name),
            Value::Yes(false) => write!(f, "not {}", self.name),
        }
    }
}

/// The measure of a fact and its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// An integer between these bounds, both included.
    Number(i64, i64),
    /// A percentage from 0 to 100.
    Percent,
    /// A ratio of two strengths.
    Ratio,
    /// Names of this kind, in the singular: "Area", "Column".
    Name(&'static str),
    /// True or false.
    YesNo,
}

/// The declaration of a fact by a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactKind {
    /// Its name in conditions, in lower case, one word or a few.
    pub name: &'static str,
    /// Synonyms of the name.
    pub also: &'static [&'static str],
    /// The kinds of questions at which it is known. If empty, it is known at every question.
    pub kinds: &'static [&'static str],
    /// Its measure.
    pub measure: Measure,
    /// Its meaning, in a few words.
    pub about: &'static str,
    /// The facts that name the people whose number this is. A change is only measured between
    /// questions at which one of them names the same people. Empty for a number of the reader or of
    /// the game.
    pub of: &'static [&'static str],
}

impl FactKind {
    /// Declares a fact that is known at these kinds of questions.
    pub const fn new(
        name: &'static str,
        measure: Measure,
        kinds: &'static [&'static str],
        about: &'static str,
    ) -> FactKind {
        FactKind { name, also: &[], kinds, measure, about, of: &[] }
    }
    /// Adds synonyms for the name.
    pub const fn or(self, also: &'static [&'static str]) -> FactKind {
        FactKind { also, ..self }
    }
    /// Declares the facts that name the people whose number this is.
    pub const fn of(self, of: &'static [&'static str]) -> FactKind {
        FactKind { of, ..self }
    }
    /// Returns `true` if the fact is known at questions of this kind, or if `kind` is `None`.
    pub fn known_at(&self, kind: Option<&str>) -> bool {
        self.kinds.is_empty() || kind.is_none_or(|kind| self.kinds.contains(&kind))
    }
    /// Returns `true` if a value has this measure and is within its bounds.
    pub fn fits(&self, fact: &Fact) -> bool {
        match (self.measure, &fact.value) {
            (Measure::Number(least, most), Value::Number(value)) => (least..=most).contains(value),
            (Measure::Percent, Value::Percent(value)) => (0..=100).contains(value),
            (Measure::Ratio, Value::Ratio(one, other)) => *one >= 0 && *other >= 0,
            (Measure::Name(_), Value::Names(_)) | (Measure::YesNo, Value::Yes(_)) => true,
            _ => false,
        }
    }
    /// Returns an example of a condition on this fact.
    pub fn example(&self) -> String {
        match self.measure {
            // 3 is a plausible bound if it is in the range.
            Measure::Number(least, most) => format!("{} at least {}", self.name, 3.clamp((least + 1).min(most), most)),
            Measure::Percent => format!("{} at least 40 %", self.name),
            Measure::Ratio => format!("{} 2 to 1", self.name),
            Measure::Name(what) => format!("{} is {}", self.name, what.to_uppercase()),
            Measure::YesNo => self.name.to_owned(),
        }
    }
}
