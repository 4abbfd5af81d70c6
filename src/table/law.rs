//! Invariants of a position.

/// A collection of violated invariants, in words, for [`Game::faults`](super::Game::faults).
#[derive(Default)]
pub struct Law(Vec<String>);

impl Law {
    /// Checks an invariant; `wrong` describes the violation.
    pub fn holds(&mut self, that: bool, wrong: impl FnOnce() -> String) {
        if !that {
            self.0.push(wrong());
        }
    }
    /// Returns all violations.
    pub fn faults(self) -> Vec<String> {
        self.0
    }
}
