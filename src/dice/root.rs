//! All chains that one label will ever have, from one secret (section 5).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    chain::{SeedChain, published_length},
    hash::{Hash, h},
};

/// How many chains a label can have in one journal: that of `opened` and those of 4,095 rewinds.
pub const GENERATIONS: u64 = 4_096;

/// The s_0 of generation `k` − 1 from that of generation `k` (1, 2 …, the ordinal of the rewind that began it):
/// `H("postrider/rewound/v1", label, k, s_0)`.
#[must_use]
pub fn earlier_origin(label: &str, k: u64, s_0: &Hash) -> Hash {
    h("postrider/rewound/v1", &[label, &k.to_string(), s_0.hex().as_str()])
}

/// The operator's side of every chain of one label: the secret from which the s_0 of each generation follows, the last
/// generation's first. Kept in `secrets/` and never laid open.
///
/// `opened` commits to the chain of generation 0, and by that to all of them: nobody can look for a s_0 whose dice he likes
/// better when a game is rewound. And a s_0 that is laid open tells of the generations before it, never of a later one, so
/// that a closed game can still be rewound and played on.
///
/// Its `Debug` form shows no secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainRoot {
    label: String,
    /// s_0 of the last generation.
    secret: Hash,
}

impl ChainRoot {
    /// For a label that [`published_length`] knows, from 32 secret random bytes; `None` for any other label.
    #[must_use]
    pub fn new(label: &str, secret: Hash) -> Option<ChainRoot> {
        published_length(label).map(|_| ChainRoot { label: label.to_owned(), secret })
    }

    /// `dice` or `deck:<id>`.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The s_0 of a generation, counted from 0; `None` beyond the last. Costs as many hashes as generations follow it.
    #[must_use]
    pub fn origin(&self, generation: u64) -> Option<Hash> {
        let later = generation + 1..GENERATIONS;
        (generation < GENERATIONS).then(|| later.rev().fold(self.secret, |s_0, k| earlier_origin(&self.label, k, &s_0)))
    }

    /// The chain of a generation; `None` beyond the last.
    #[must_use]
    pub fn chain(&self, generation: u64) -> Option<SeedChain> {
        Some(SeedChain::new(&self.label, published_length(&self.label)?, self.origin(generation)?))
    }
}

impl fmt::Debug for ChainRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChainRoot").field("label", &self.label).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generation_follows_from_the_next() {
        let root = ChainRoot::new("deck:events", Hash([0x5a; 32])).unwrap();
        assert_eq!(root.origin(GENERATIONS - 1), Some(Hash([0x5a; 32])));
        assert_eq!(root.origin(GENERATIONS), None);
        for k in [1, 2, 700, GENERATIONS - 1] {
            let s_0 = root.origin(k).unwrap();
            assert_eq!(root.origin(k - 1), Some(earlier_origin("deck:events", k, &s_0)));
            assert_eq!(root.chain(k).unwrap(), SeedChain::new("deck:events", 256, s_0));
            // The ordinal and the label are part of it.
            assert_ne!(root.origin(k - 1), Some(earlier_origin("deck:events", k + 1, &s_0)));
            assert_ne!(root.origin(k - 1), Some(earlier_origin("dice", k, &s_0)));
        }
        assert!(!format!("{root:?}").contains("5a5a"));
        assert!(ChainRoot::new("cards", Hash([1; 32])).is_none());
    }
}
