//! What the conditions of standing orders can compare: the facts of a question, and the list in which a game declares them.

use postrider_orders::list_or;
use std::fmt;

/// A fact as it stands at a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its name in the game's list of facts.
    pub name: &'static str,
    /// What it is now.
    pub value: Value,
}

/// The value of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number: points, pieces, a Turn.
    Number(i64),
    /// A chance, in whole per cent from 0 to 100, rounded down.
    Percent(i64),
    /// One strength against another, such as 4 to 2; neither is negative.
    Ratio(i64, i64),
    /// One or several names: where something happens, who takes part.
    Names(Vec<String>),
    /// Whether something is so.
    Yes(bool),
}

impl Fact {
    /// A whole number.
    pub fn number(name: &'static str, value: impl Into<i64>) -> Fact {
        Fact { name, value: Value::Number(value.into()) }
    }
    /// So many per cent of `of`, rounded down; 0 where `of` is 0.
    pub fn share(name: &'static str, so_many: i64, of: i64) -> Fact {
        let percent = (100 * so_many).checked_div(of).unwrap_or(0);
        Fact { name, value: Value::Percent(percent.clamp(0, 100)) }
    }
    /// One strength against another; what is negative counts as nothing.
    pub fn ratio(name: &'static str, one: impl Into<i64>, other: impl Into<i64>) -> Fact {
        Fact { name, value: Value::Ratio(one.into().max(0), other.into().max(0)) }
    }
    /// A name.
    pub fn is(name: &'static str, value: impl Into<String>) -> Fact {
        Fact { name, value: Value::Names(vec![value.into()]) }
    }
    /// Several names.
    pub fn among(name: &'static str, values: impl IntoIterator<Item = String>) -> Fact {
        Fact { name, value: Value::Names(values.into_iter().collect()) }
    }
    /// Whether something is so.
    pub fn whether(name: &'static str, yes: bool) -> Fact {
        Fact { name, value: Value::Yes(yes) }
    }
}

impl fmt::Display for Fact {
    /// `chance 40 %`, `outnumbered 3 to 1`, `area Colorado`, `not alone`.
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

/// How a fact is measured, and between which bounds it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A whole number from the first to the second, both included.
    Number(i64, i64),
    /// From 0 to 100 per cent.
    Percent,
    /// One strength against another.
    Ratio,
    /// Names of this kind, in the singular: "Area", "Column".
    Name(&'static str),
    /// Whether it is so.
    YesNo,
}

/// A fact as a game declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactKind {
    /// Its name in conditions: lower case, of one or a few words.
    pub name: &'static str,
    /// Other words for it.
    pub also: &'static [&'static str],
    /// The kinds of questions at which it is known; none for a fact that is known at every question.
    pub kinds: &'static [&'static str],
    /// How it is measured.
    pub measure: Measure,
    /// What it means, in a few words.
    pub about: &'static str,
    /// The facts that name those whose number it is: a number has changed only where one of these is the same as before. None for what
    /// is the reader's, or the game's.
    pub of: &'static [&'static str],
}

impl FactKind {
    /// A fact of this name that is known at these kinds of questions.
    pub const fn new(
        name: &'static str,
        measure: Measure,
        kinds: &'static [&'static str],
        about: &'static str,
    ) -> FactKind {
        FactKind { name, also: &[], kinds, measure, about, of: &[] }
    }
    /// With other words for it.
    pub const fn or(self, also: &'static [&'static str]) -> FactKind {
        FactKind { also, ..self }
    }
    /// A number of those whom these facts name.
    pub const fn of(self, of: &'static [&'static str]) -> FactKind {
        FactKind { of, ..self }
    }
    /// Whether it is known at questions of this kind; of any kind where none is given.
    pub fn known_at(&self, kind: Option<&str>) -> bool {
        self.kinds.is_empty() || kind.is_none_or(|kind| self.kinds.contains(&kind))
    }
    /// Whether the fact has the measure of its kind and lies within its bounds.
    pub fn fits(&self, fact: &Fact) -> bool {
        match (self.measure, &fact.value) {
            (Measure::Number(least, most), Value::Number(value)) => (least..=most).contains(value),
            (Measure::Percent, Value::Percent(value)) => (0..=100).contains(value),
            (Measure::Ratio, Value::Ratio(one, other)) => *one >= 0 && *other >= 0,
            (Measure::Name(_), Value::Names(_)) | (Measure::YesNo, Value::Yes(_)) => true,
            _ => false,
        }
    }
    /// How it is written in a condition, with a value for an example.
    pub fn example(&self) -> String {
        match self.measure {
            // Few is a likely bound, where it is one at all.
            Measure::Number(least, most) => format!("{} at least {}", self.name, 3.clamp(least + 1, most)),
            Measure::Percent => format!("{} at least 40 %", self.name),
            Measure::Ratio => format!("{} 2 to 1", self.name),
            Measure::Name(what) => format!("{} is {}", self.name, what.to_uppercase()),
            Measure::YesNo => self.name.to_owned(),
        }
    }
}
