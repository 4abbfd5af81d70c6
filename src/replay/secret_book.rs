//! The secrets of a game that are known: with them the order of a shuffle and the salts of its cards can be made.

use postrider_dice::{Hash, SeedChain};
use std::{collections::HashMap, rc::Rc};

/// What is known of the secrets of a game: the operator's chains, those that `closed` lays open, and single links that
/// `revealed` names. Grows with the number of shuffles, not with the journal.
#[derive(Clone, Default)]
pub struct SecretBook {
    /// By published tip, which tells the chains of one label apart.
    pub chains: HashMap<Hash, Rc<SeedChain>>,
    pub revealed: HashMap<(String, u64), Hash>,
}

impl SecretBook {
    pub fn add(&mut self, chain: SeedChain) {
        self.chains.insert(chain.tip(), Rc::new(chain));
    }
    /// The chain with this published tip.
    pub fn chain(&self, tip: Hash) -> Option<&SeedChain> {
        self.chains.get(&tip).map(|chain| &**chain)
    }
    /// The secret of a shuffle that took link number `used` of the chain with this tip.
    pub fn secret(&self, tip: Hash, used: u64, deck: &str, epoch: u64) -> Option<Hash> {
        // A link that stands in the journal costs nothing; one of a kept chain costs up to 256 hashes.
        let revealed = self.revealed.get(&(deck.to_owned(), epoch)).copied();
        revealed.or_else(|| self.chain(tip).and_then(|chain| chain.reveal(used).ok()))
    }
}

/// One label's chain in use: its published tip and how many of its links are taken.
#[derive(Clone, Debug)]
pub struct InUse {
    pub tip: Hash,
    pub used: u64,
}

impl From<Hash> for InUse {
    fn from(tip: Hash) -> Self {
        InUse { tip, used: 0 }
    }
}
