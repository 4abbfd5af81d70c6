//! What hexes of units have in common: how a unit fares, checks against a level, and how many may stand together.

use super::chart::Modifiers;

/// How a unit fares. What each state forbids, a game says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Condition {
    /// In order.
    #[default]
    Normal,
    /// Shaken.
    Disrupted,
    /// In flight.
    Routed,
}

impl Condition {
    /// The state in a word; empty for a unit in order.
    pub fn word(self) -> &'static str {
        match self {
            Condition::Normal => "",
            Condition::Disrupted => "Disrupted",
            Condition::Routed => "Routed",
        }
    }
    /// One state worse; `None` where nothing is worse.
    pub fn worse(self) -> Option<Condition> {
        match self {
            Condition::Normal => Some(Condition::Disrupted),
            Condition::Disrupted => Some(Condition::Routed),
            Condition::Routed => None,
        }
    }
    /// One state better; a unit in order stays so.
    pub fn better(self) -> Condition {
        match self {
            Condition::Routed => Condition::Disrupted,
            _ => Condition::Normal,
        }
    }
}

crate::numbers! { Condition: |condition| condition as i64 }

/// A die against a level: it passes when the die with all that is added is not above the level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelCheck {
    /// The level (of commitment, of mobilization, of morale).
    pub level: i32,
    /// What is added to the die.
    pub drm: Modifiers,
}

impl LevelCheck {
    /// Against this level, nothing added.
    pub fn new(level: impl Into<i32>) -> LevelCheck {
        LevelCheck { level: level.into(), drm: Modifiers::new() }
    }
    /// With a part added to the die, where it is not 0.
    pub fn with(mut self, name: impl Into<std::borrow::Cow<'static, str>>, by: i32) -> LevelCheck {
        self.drm.add(name, by);
        self
    }
    /// Whether a die passes.
    pub fn passes(&self, die: i64) -> bool {
        die + i64::from(self.drm.total()) <= i64::from(self.level)
    }
    /// How many faces of a die from 1 to `faces` pass: the odds of the check.
    pub fn passing(&self, faces: i64) -> i64 {
        (i64::from(self.level) - i64::from(self.drm.total())).clamp(0, faces)
    }
    /// A die told against the level: `4, DRM -2: Harmar -2, is 2 against 3: passed`.
    pub fn told(&self, die: i64) -> String {
        let end = if self.passes(die) { "passed" } else { "failed" };
        format!("{} against {}: {end}", self.drm.told(die), self.level)
    }
}

/// How many of those who stand together are too many, at the moment when stacking is checked.
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
