//! All present and future chains of one label, derived from one secret (section 5).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    chain::{SeedChain, published_length},
    hash::{Hash, h},
};

/// Maximum number of chains that a label can have in a journal: that of `opened` and those of 4,095
/// rewinds.
pub const GENERATIONS: u64 = 4_096;

/// Distance between two generations whose s_0 is stored. Any other s_0 costs fewer hashes than
/// this.
const STRIDE: u64 = 64;

/// Returns the s_0 of generation `k` − 1, computed from the s_0 of generation `k`:
/// `H("postrider/rewound/v1", label, k, s_0)`. `k` is the ordinal (1, 2 …) of the rewind that began
/// generation `k`.
#[must_use]
pub fn earlier_origin(label: &str, k: u64, s_0: &Hash) -> Hash {
    h("postrider/rewound/v1", &[label, &k.to_string(), s_0.text().as_str()])
}

/// The operator's secret for all chains of one label: the s_0 of the last generation, from which
/// those of all earlier generations follow. It is stored in `secrets/` and never published.
///
/// `opened` commits to the chain of generation 0 and so to all of them, so that nobody can search
/// for a s_0 with better dice when a game is rewound. A published s_0 reveals earlier generations,
/// but never a later one, so that a closed game can still be rewound and continued.
///
/// Its `Debug` output shows no secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainRoot {
    label: String,
    /// The s_0 of the last generation.
    secret: Hash,
    /// The s_0 of generations 64, 128 … 4,032.
    kept: Vec<Hash>,
}

impl ChainRoot {
    /// Creates the root of a label from 32 secret random bytes. Returns `None` if
    /// [`published_length`] does not know the label. Costs 4,031 hashes.
    #[must_use]
    pub fn new(label: &str, secret: Hash) -> Option<ChainRoot> {
        published_length(label)?;
        let (mut s_0, mut kept) = (secret, Vec::new());
        for k in (STRIDE..GENERATIONS - 1).rev() {
            s_0 = earlier_origin(label, k + 1, &s_0);
            if k % STRIDE == 0 {
                kept.push(s_0);
            }
        }
        kept.reverse();
        Some(ChainRoot { label: label.to_owned(), secret, kept })
    }

    /// Returns the label: `dice` or `deck:<id>`.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the s_0 of a generation, counted from 0, or `None` if it is out of range. Costs at
    /// most 64 hashes.
    fn origin(&self, generation: u64) -> Option<Hash> {
        if generation >= GENERATIONS {
            return None;
        }
        // The first stored generation at or after this one.
        let at = generation.div_ceil(STRIDE).max(1);
        let kept = usize::try_from(at - 1).ok().and_then(|place| self.kept.get(place));
        let (from, s_0) = kept.map_or((GENERATIONS - 1, self.secret), |&kept| (at * STRIDE, kept));
        Some((generation + 1..=from).rev().fold(s_0, |s_0, k| earlier_origin(&self.label, k, &s_0)))
    }

    /// Returns the chain of generation 0, whose tip is committed to in `opened`, or `None` if the
    /// label has no chains.
    #[must_use]
    pub fn first(&self) -> Option<SeedChain> {
        Some(SeedChain::new(&self.label, published_length(&self.label)?, self.origin(0)?))
    }

    /// Returns the chain of a generation. `tip` is the published tip of generation 0. Returns
    /// `None` if the generation is out of range or does not lead back to `tip`.
    #[must_use]
    pub fn chain(&self, generation: u64, tip: Hash) -> Option<SeedChain> {
        let (length, s_0) = (published_length(&self.label)?, self.origin(generation)?);
        let first = (1..=generation).rev().fold(s_0, |s_0, k| earlier_origin(&self.label, k, &s_0));
        let leads_back = SeedChain::new(&self.label, length, first).tip() == tip;
        leads_back.then(|| SeedChain::new(&self.label, length, s_0))
    }

    /// Returns `true` if the chains of all generations lead back to the chain with this tip.
    #[must_use]
    pub fn is_whole(&self, tip: Hash) -> bool {
        self.chain(0, tip).is_some() && ChainRoot::new(&self.label, self.secret).as_ref() == Some(self)
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
    fn what_is_kept_lies_on_the_way() {
        let root = ChainRoot::new("dice", Hash([3; 32])).unwrap();
        assert_eq!(root.kept.len(), 63);
        let mut plainly = root.secret;
        for k in (0..GENERATIONS).rev() {
            assert_eq!(root.origin(k), Some(plainly), "{k}");
            plainly = earlier_origin("dice", k, &plainly);
        }
        let text = serde_json::to_string(&root).unwrap();
        assert_eq!(serde_json::from_str::<ChainRoot>(&text).unwrap(), root);
    }

    #[test]
    fn every_generation_follows_from_the_next() {
        let root = ChainRoot::new("deck:events", Hash([0x5a; 32])).unwrap();
        assert_eq!(root.origin(GENERATIONS - 1), Some(Hash([0x5a; 32])));
        assert_eq!(root.origin(GENERATIONS), None);
        for k in [1, 2, 700, GENERATIONS - 1] {
            let s_0 = root.origin(k).unwrap();
            assert_eq!(root.origin(k - 1), Some(earlier_origin("deck:events", k, &s_0)));
            let tip = root.first().unwrap().tip();
            assert_eq!(root.chain(k, tip), Some(SeedChain::new("deck:events", 256, s_0)));
            assert_eq!(root.chain(k, s_0), None, "another chain was committed to");
            // The hash also covers the ordinal and the label.
            assert_ne!(root.origin(k - 1), Some(earlier_origin("deck:events", k + 1, &s_0)));
            assert_ne!(root.origin(k - 1), Some(earlier_origin("dice", k, &s_0)));
        }
        assert!(!format!("{root:?}").contains("5a5a"));
        let tip = root.first().unwrap().tip();
        assert!(root.is_whole(tip));
        for at in [0, 1, 11, 62] {
            let mut damaged = root.clone();
            damaged.kept[at].0[7] ^= 1;
            assert!(!damaged.is_whole(tip));
            for k in (0..GENERATIONS - 1).step_by(32) {
                let chain = damaged.chain(k, tip);
                assert!(chain.is_none() || chain == root.chain(k, tip), "generation {k}, {at} damaged");
            }
        }
        assert!(ChainRoot::new("cards", Hash([1; 32])).is_none());
    }
}
