//! What must hold of a position.

/// Collects what is wrong with a position, in words, for [`Game::faults`](super::Game::faults).
#[derive(Default)]
pub struct Law(Vec<String>);

impl Law {
    /// This must hold; where it does not, the words say what is wrong.
    pub fn holds(&mut self, that: bool, wrong: impl FnOnce() -> String) {
        if !that {
            self.0.push(wrong());
        }
    }
    /// All that does not hold.
    pub fn faults(self) -> Vec<String> {
        self.0
    }
}
