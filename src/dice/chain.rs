//! Hash chains of secrets, committed to by their tip and revealed backwards (section 5).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::hash::{Hash, h, sha256};

/// The label of the chain for dice.
pub const DICE_CHAIN: &str = "dice";

/// The prefix of a deck's id in the label of its chain.
const DECK_PREFIX: &str = "deck:";

/// Returns the distance between two stored links of a chain of `length` links, which is the maximum
/// number of hashes for any link. Chains of decks are short, and a running game asks for their
/// links often.
const fn stride(length: u64) -> u64 {
    if length <= 256 { 16 } else { 256 }
}

/// Returns the label of the chain for shuffles of `deck`.
#[must_use]
pub fn deck_chain(deck: &str) -> String {
    format!("{DECK_PREFIX}{deck}")
}

/// Returns the length N of a journal's chain (section 5): 65,536 for `dice`, 256 for `deck:<id>`
/// with a non-empty id, and `None` for any other label.
#[must_use]
pub fn published_length(label: &str) -> Option<u64> {
    match label.strip_prefix(DECK_PREFIX) {
        Some("") => None,
        Some(_) => Some(256),
        None => (label == DICE_CHAIN).then_some(65_536),
    }
}

/// The reason a link was not returned or not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChainFault {
    /// All links have been used; a new tip must be committed to first.
    #[error("chain {label} is used up: it has {length} links")]
    Exhausted {
        /// The label of the chain.
        label: String,
        /// Its number of links, N.
        length: u64,
    },
    /// The link does not hash to the tip.
    #[error("the link of chain {label} hashes to {hashed}, not to the tip {tip}")]
    NotNext {
        /// The label of the chain.
        label: String,
        /// The hash of the given link.
        hashed: Hash,
        /// The tip that it should hash to.
        tip: Hash,
    },
    /// The stored links of the chain do not hash to each other.
    #[error("the secrets of chain {label} are damaged: they do not lead to what the journal commits to")]
    Damaged {
        /// The label of the chain.
        label: String,
    },
}

/// Returns the hash of `link`: `H("postrider/link/v1", label, link)`.
fn next(label: &str, link: &Hash) -> Hash {
    h("postrider/link/v1", &[label, link.text().as_str()])
}

/// [`next`] for many links of one chain. The text to hash is built once; only the characters of the
/// link change.
struct Step {
    text: Vec<u8>,
}

impl Step {
    fn new(label: &str) -> Step {
        Step { text: format!("postrider/link/v1\n{label}\n{}\n", Hash::ZERO).into_bytes() }
    }

    fn next(&mut self, link: &Hash) -> Hash {
        let link = link.text();
        let (end, length) = (self.text.len() - 1, link.as_str().len());
        self.text[end - length..end].copy_from_slice(link.as_str().as_bytes());
        sha256(&self.text)
    }
}

/// The operator's copy of a chain, which contains all its secrets. It is stored in `secrets/`,
/// never in a journal.
///
/// Its `Debug` output shows no secret, so that log lines cannot leak one.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedChain {
    label: String,
    n: u64,
    s_0: Hash,
    /// Every [`stride`]-th link and s_N, from which any other link is computed quickly.
    checkpoints: Vec<Hash>,
}

impl SeedChain {
    /// Creates a chain of `length` links (N) from 32 secret random bytes. Costs `length` hashes.
    #[must_use]
    pub fn new(label: &str, length: u64, s_0: Hash) -> SeedChain {
        // Tests create the same chains again and again.
        #[cfg(any(test, feature = "testing"))]
        let chain = made_once(label, length, s_0);
        #[cfg(not(any(test, feature = "testing")))]
        let chain = SeedChain::made(label, length, s_0);
        chain
    }

    fn made(label: &str, length: u64, s_0: Hash) -> SeedChain {
        let mut checkpoints = Vec::new();
        let stride = stride(length);
        let (mut link, mut step) = (s_0, Step::new(label));
        for k in 1..=length {
            link = step.next(&link);
            if k % stride == 0 || k == length {
                checkpoints.push(link);
            }
        }
        SeedChain { label: label.to_owned(), n: length, s_0, checkpoints }
    }

    /// Returns the label: `dice` or `deck:<id>`.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns N, the number of times that the chain can be used.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.n
    }

    /// Returns s_0, from which the whole chain follows. It is published when a game is closed.
    #[must_use]
    pub fn origin(&self) -> Hash {
        self.s_0
    }

    /// Returns s_N, which is published before anyone chooses a luck phrase.
    #[must_use]
    pub fn tip(&self) -> Hash {
        self.checkpoints.last().copied().unwrap_or(self.s_0)
    }

    /// Returns `true` if every stored link follows from s_0. Costs N hashes.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        *self == SeedChain::new(&self.label, self.n, self.s_0)
    }

    /// Returns s_k for 0 ≤ `k` ≤ N, or `None` if `k` is out of range or the stored links are
    /// damaged there. Costs at most 256 hashes.
    #[must_use]
    pub fn link(&self, k: u64) -> Option<Hash> {
        if k >= self.n {
            return (k == self.n).then(|| self.tip());
        }
        let stride = stride(self.n);
        let kept = (k / stride) as usize;
        let mut link = if kept == 0 { self.s_0 } else { *self.checkpoints.get(kept - 1)? };
        let mut step = Step::new(&self.label);
        for _ in 0..k % stride {
            link = step.next(&link);
        }
        let end = (k - k % stride + stride).min(self.n);
        let next = (k..end).fold(link, |link, _| step.next(&link));
        (self.checkpoints.get(kept) == Some(&next)).then_some(link)
    }

    /// Returns the link to reveal after `used` uses: s_{N−1−used}.
    ///
    /// # Errors
    /// [`ChainFault::Exhausted`] if all N links have been used, [`ChainFault::Damaged`] if the
    /// stored links do not hash to each other.
    pub fn reveal(&self, used: u64) -> Result<Hash, ChainFault> {
        let exhausted = || ChainFault::Exhausted { label: self.label.clone(), length: self.n };
        let k = self.n.checked_sub(used).and_then(|left| left.checked_sub(1)).ok_or_else(exhausted)?;
        self.link(k).ok_or_else(|| ChainFault::Damaged { label: self.label.clone() })
    }
}

impl fmt::Debug for SeedChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeedChain")
            .field("label", &self.label)
            .field("n", &self.n)
            .field("tip", &self.tip())
            .finish_non_exhaustive()
    }
}

/// The public part of a chain: the last link revealed and the number of links used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainTip {
    /// `dice` or `deck:<id>`.
    pub label: String,
    /// The length N of the chain.
    pub length: u64,
    /// s_{N−used}, to which the next link must hash.
    pub tip: Hash,
    /// The number of links accepted.
    pub used: u64,
}

impl ChainTip {
    /// Creates the public part of a chain of which only the tip (s_N) has been published.
    #[must_use]
    pub fn new(label: &str, length: u64, tip: Hash) -> ChainTip {
        ChainTip { label: label.to_owned(), length, tip, used: 0 }
    }

    /// Accepts `secret` as the next link, which becomes the new tip.
    ///
    /// # Errors
    /// [`ChainFault`] if no link is left or `secret` is not the next one. The tip then stays
    /// unchanged.
    pub fn reveal(&mut self, secret: Hash) -> Result<(), ChainFault> {
        if self.used >= self.length {
            return Err(ChainFault::Exhausted { label: self.label.clone(), length: self.length });
        }
        let hashed = next(&self.label, &secret);
        if hashed != self.tip {
            return Err(ChainFault::NotNext { label: self.label.clone(), hashed, tip: self.tip });
        }
        self.tip = secret;
        self.used += 1;
        Ok(())
    }

    /// Checks `origin` as s_0, which proves all remaining links at once, and returns up to `wanted`
    /// unused links in the order of their use. Costs N − used hashes. The tip stays unchanged.
    ///
    /// # Errors
    /// [`ChainFault::NotNext`] if s_0 does not lead to the tip.
    pub fn unfold(&self, origin: Hash, wanted: usize) -> Result<Vec<Hash>, ChainFault> {
        let left = self.length.saturating_sub(self.used);
        let wanted = left.min(wanted as u64);
        let mut links = Vec::new();
        let (mut link, mut step) = (origin, Step::new(&self.label));
        for k in 0..left {
            if left - k <= wanted {
                links.push(link);
            }
            link = step.next(&link);
        }
        if link != self.tip {
            return Err(ChainFault::NotNext { label: self.label.clone(), hashed: link, tip: self.tip });
        }
        links.reverse();
        Ok(links)
    }
}

/// Returns a cached chain, or creates it.
#[cfg(any(test, feature = "testing"))]
fn made_once(label: &str, length: u64, s_0: Hash) -> SeedChain {
    use std::{
        collections::HashMap,
        sync::{LazyLock, Mutex, PoisonError},
    };
    type Made = HashMap<(String, u64, Hash), SeedChain>;
    static MADE: LazyLock<Mutex<Made>> = LazyLock::new(Mutex::default);
    let key = (label.to_owned(), length, s_0);
    let known = MADE.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    known.unwrap_or_else(|| {
        let chain = SeedChain::made(label, length, s_0);
        MADE.lock().unwrap_or_else(PoisonError::into_inner).insert(key, chain.clone());
        chain
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns s_0 … s_N, computed directly from the definition.
    fn plainly(label: &str, length: u64, s_0: Hash) -> Vec<Hash> {
        let mut links = vec![s_0];
        for k in 0..length as usize {
            links.push(h("postrider/link/v1", &[label, &links[k].to_string()]));
        }
        links
    }

    #[test]
    fn steps_are_what_next_is() {
        let (mut link, mut step) = (Hash([3; 32]), Step::new("deck:tribal"));
        for _ in 0..3 {
            assert_eq!(step.next(&link), next("deck:tribal", &link));
            link = step.next(&link);
        }
    }

    #[test]
    fn links_are_what_the_definition_says() {
        for length in [0, 1, 2, 15, 16, 17, 255, 256, 257, 512, 700] {
            let chain = SeedChain::new("dice", length, Hash([3; 32]));
            let links = plainly("dice", length, Hash([3; 32]));
            for (k, link) in links.iter().enumerate() {
                assert_eq!(chain.link(k as u64), Some(*link), "s_{k} of {length}");
            }
            assert_eq!(chain.link(length + 1), None);
            assert_eq!(chain.tip(), links[length as usize]);
        }
    }

    #[test]
    fn no_link_is_given_that_does_not_lead_on() {
        for length in [300, 256, 700] {
            let chain = SeedChain::new("deck:events", length, Hash([3; 32]));
            assert!(chain.is_whole());
            for at in 0..=chain.checkpoints.len() {
                let mut damaged = chain.clone();
                let secret = if at == 0 { &mut damaged.s_0 } else { &mut damaged.checkpoints[at - 1] };
                secret.0[7] ^= 1;
                assert!(!damaged.is_whole());
                for used in 0..length {
                    let link = damaged.reveal(used);
                    assert!(link.is_err() || link == chain.reveal(used), "link {used} of {length}, {at} damaged");
                }
            }
        }
    }

    #[test]
    fn every_link_is_accepted_once_and_then_the_chain_is_exhausted() {
        let chain = SeedChain::new("deck:events", 300, Hash([9; 32]));
        let mut tip = ChainTip::new("deck:events", 300, chain.tip());
        for used in 0..300 {
            let link = chain.reveal(used).unwrap();
            assert_eq!(Some(link), chain.link(299 - used));
            tip.reveal(link).unwrap();
            assert!(matches!(tip.reveal(link), Err(ChainFault::NotNext { .. } | ChainFault::Exhausted { .. })));
        }
        let exhausted = ChainFault::Exhausted { label: "deck:events".into(), length: 300 };
        assert_eq!(chain.reveal(300), Err(exhausted.clone()));
        assert_eq!(chain.reveal(u64::MAX), Err(exhausted.clone()));
        assert_eq!(tip.reveal(Hash([1; 32])), Err(exhausted));
    }

    #[test]
    fn a_link_out_of_turn_or_of_another_label_is_refused() {
        let chain = SeedChain::new("dice", 300, Hash([9; 32]));
        let mut tip = ChainTip::new("dice", 300, chain.tip());
        assert!(tip.reveal(chain.reveal(1).unwrap()).is_err());
        let mut other = ChainTip::new("deck:x", 300, chain.tip());
        assert!(other.reveal(chain.reveal(0).unwrap()).is_err());
        assert_eq!(tip.used, 0);
        tip.reveal(chain.reveal(0).unwrap()).unwrap();
    }

    #[test]
    fn s_0_unfolds_the_rest() {
        let chain = SeedChain::new("dice", 300, Hash([9; 32]));
        let mut tip = ChainTip::new("dice", 300, chain.tip());
        for used in 0..10 {
            tip.reveal(chain.reveal(used).unwrap()).unwrap();
        }
        let rest = tip.unfold(chain.origin(), 3).unwrap();
        assert_eq!(rest, (10..13).map(|used| chain.reveal(used).unwrap()).collect::<Vec<_>>());
        assert_eq!(tip.unfold(chain.origin(), 1000).unwrap().len(), 290);
        assert!(tip.unfold(Hash([8; 32]), 3).is_err());
    }

    #[test]
    fn a_chain_survives_its_file_and_shows_no_secret() {
        let chain = SeedChain::new("dice", 700, Hash([0x5a; 32]));
        let json = serde_json::to_string(&chain).unwrap();
        assert_eq!(serde_json::from_str::<SeedChain>(&json).unwrap(), chain);
        assert!(!format!("{chain:?}").contains("5a5a"));
    }

    #[test]
    fn only_dice_and_decks_have_chains() {
        assert_eq!(published_length("dice"), Some(65_536));
        assert_eq!(published_length(&deck_chain("shaman")), Some(256));
        assert_eq!(published_length("deck:"), None);
        assert_eq!(published_length("cards"), None);
    }
}
