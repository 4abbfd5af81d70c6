//! The known secrets of a game, from which the order of a shuffle and the salts of its cards
//! follow.

use postrider_dice::{Hash, SeedChain};
use std::{collections::HashMap, rc::Rc};

/// The known secrets of a game: the operator's chains, chains published by `closed`, and single
/// links published by `revealed`. Its size depends on the number of shuffles, not on the length of
/// the journal.
#[derive(Clone, Default)]
pub struct SecretBook {
    /// The chains by published tip, which distinguishes chains with the same label.
    pub chains: HashMap<Hash, Rc<SeedChain>>,
    pub revealed: HashMap<(String, u64), Hash>,
}

impl SecretBook {
    pub fn add(&mut self, chain: SeedChain) {
        self.chains.insert(chain.tip(), Rc::new(chain));
    }
    /// Returns the chain with this published tip.
    pub fn chain(&self, tip: Hash) -> Option<&SeedChain> {
        self.chains.get(&tip).map(|chain| &**chain)
    }
    /// Returns the secret of a shuffle that used link number `used` of the chain with this tip.
    pub fn secret(&self, tip: Hash, used: u64, deck: &str, epoch: u64) -> Option<Hash> {
        // A link in the journal costs nothing; deriving one from a chain costs up to 256 hashes.
        let revealed = self.revealed.get(&(deck.to_owned(), epoch)).copied();
        revealed.or_else(|| self.chain(tip).and_then(|chain| chain.reveal(used).ok()))
    }
}

/// A chain in use: its published tip, and the number of its links that are taken.
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
