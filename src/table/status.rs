//! Common rules for units on hexes: their condition, checks against a level, and stacking limits.

use super::chart::Modifiers;

/// The condition of a unit. Each game defines the effects of the conditions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Condition {
    /// In good order.
    #[default]
    Normal,
    /// Disrupted.
    Disrupted,
    /// Fleeing.
    Routed,
}

impl Condition {
    /// Returns the word for it; empty for a unit in good order.
    pub fn word(self) -> &'static str {
        match self {
            Condition::Normal => "",
            Condition::Disrupted => "Disrupted",
            Condition::Routed => "Routed",
        }
    }
    /// Returns the next worse condition, if any.
    pub fn worse(self) -> Option<Condition> {
        match self {
            Condition::Normal => Some(Condition::Disrupted),
            Condition::Disrupted => Some(Condition::Routed),
            Condition::Routed => None,
        }
    }
    /// Returns the next better condition; good order remains.
    pub fn better(self) -> Condition {
        match self {
            Condition::Routed => Condition::Disrupted,
            _ => Condition::Normal,
        }
    }
}

crate::numbers! { Condition: |condition| condition as i64 }

/// A die roll against a level: it passes if the modified roll does not exceed the level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelCheck {
    /// The level (of commitment, of mobilization, of morale).
    pub level: i32,
    /// The modifiers of the roll.
    pub drm: Modifiers,
}

impl LevelCheck {
    /// Creates a check against this level, without modifiers.
    pub fn new(level: impl Into<i32>) -> LevelCheck {
        LevelCheck { level: level.into(), drm: Modifiers::new() }
    }
    /// Adds a modifier, unless it is 0.
    pub fn with(mut self, name: impl Into<std::borrow::Cow<'static, str>>, by: i32) -> LevelCheck {
        self.drm.add(name, by);
        self
    }
    /// Returns `true` if a roll passes.
    pub fn passes(&self, die: i64) -> bool {
        die + i64::from(self.drm.total()) <= i64::from(self.level)
    }
    /// Returns the number of faces of a die from 1 to `faces` that pass: the odds of the check.
    pub fn passing(&self, faces: i64) -> i64 {
        (i64::from(self.level) - i64::from(self.drm.total())).clamp(0, faces)
    }
    /// Describes a roll against the level: `4, DRM -2: Harmar -2, is 2 against 3: passed`.
    pub fn told(&self, die: i64) -> String {
        let end = if self.passes(die) { "passed" } else { "failed" };
        format!("{} against {}: {end}", self.drm.told(die), self.level)
    }
}

/// Returns the number of units over the stacking limit.
pub fn excess(standing: usize, limit: usize) -> usize {
    standing.saturating_sub(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_counts_its_own_odds() {
        for level in 0..=6 {
            for by in -4..=4 {
                let check = LevelCheck::new(level).with("a leader", by);
                let passing = (1..=6).filter(|&die| check.passes(die)).count() as i64;
                assert_eq!(check.passing(6), passing, "{level} {by}");
            }
        }
        let check = LevelCheck::new(3).with("Harmar", -1);
        assert_eq!(check.told(5), "5, DRM -1: Harmar -1, is 4 against 3: failed");
        assert_eq!(LevelCheck::new(3).told(3), "3 against 3: passed");
    }

    #[test]
    fn states_follow_each_other() {
        let mut condition = Condition::Normal;
        let mut words = Vec::new();
        while let Some(worse) = condition.worse() {
            assert!(worse.better() == condition && worse > condition);
            condition = worse;
            words.push(condition.word());
        }
        assert_eq!(words, ["Disrupted", "Routed"]);
        assert_eq!((Condition::Normal.better(), excess(5, 3), excess(2, 3)), (Condition::Normal, 2, 0));
    }
}
