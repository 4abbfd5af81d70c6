//! A list of named modifiers.

use std::{borrow::Cow, fmt};

/// The modifiers of a die roll (or of a column), each with a name. They print themselves: `DRM -1:
/// militia -2, 15 MPs -1, fort -1, Blue Jacket +3`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Modifiers(Vec<(Cow<'static, str>, i32)>);

impl Modifiers {
    /// Creates an empty list.
    pub fn new() -> Modifiers {
        Modifiers::default()
    }
    /// Adds a modifier, unless it is 0.
    pub fn add(&mut self, name: impl Into<Cow<'static, str>>, by: i32) -> &mut Self {
        if by != 0 {
            self.0.push((name.into(), by));
        }
        self
    }
    /// Adds a modifier if it applies.
    pub fn add_if(&mut self, applies: bool, name: impl Into<Cow<'static, str>>, by: i32) -> &mut Self {
        if applies { self.add(name, by) } else { self }
    }
    /// Returns the sum.
    pub fn total(&self) -> i32 {
        self.0.iter().map(|part| part.1).sum()
    }
    /// Returns `true` if there are no modifiers.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Returns the modifiers in the order in which they were added.
    pub fn parts(&self) -> impl Iterator<Item = (&str, i32)> {
        self.0.iter().map(|(name, by)| (&**name, *by))
    }
    /// Describes a die roll with its modifiers, `5, DRM -1: militia -2, Blue Jacket +1, is 4`, or
    /// the roll alone if there are none.
    pub fn told(&self, die: i64) -> String {
        if self.is_empty() { die.to_string() } else { format!("{die}, {self}, is {}", die + i64::from(self.total())) }
    }
}

impl fmt::Display for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |by: i32| if by == 0 { "0".to_owned() } else { format!("{by:+}") };
        write!(f, "DRM {}", sign(self.total()))?;
        for (i, (name, by)) in self.0.iter().enumerate() {
            write!(f, "{} {name} {}", if i == 0 { ":" } else { "," }, sign(*by))?;
        }
        Ok(())
    }
}
