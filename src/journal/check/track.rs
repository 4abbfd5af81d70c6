//! What a checker remembers of seed chains and of the shuffles whose secret is still hidden.

use std::collections::VecDeque;

use crate::dice::{ChainFault, ChainTip, Hash, card_commitment, card_salt, deck_seed, published_length, shuffle};

/// A shuffle whose secret is not public yet.
#[derive(Debug)]
pub(super) struct Epoch {
    pub(super) epoch: u64,
    /// n of its `shuffled` entry.
    pub(super) at: u64,
    pub(super) list: Vec<String>,
    pub(super) cards: Vec<Hash>,
    /// Which positions some `dealt` entry covered.
    pub(super) dealt: Vec<bool>,
}

/// A position whose commitment is not what the secret makes it.
#[derive(Debug)]
pub(super) struct WrongCard {
    pub(super) pos: u64,
    pub(super) right: Hash,
}

impl Epoch {
    /// Shuffles anew with the revealed secret and compares every commitment; gives the number of cards.
    pub(super) fn prove(mut self, game: &str, deck: &str, secret: &Hash, luck: &Hash) -> Result<u64, WrongCard> {
        shuffle(deck_seed(game, deck, self.epoch, secret, luck), &mut self.list);
        for ((pos, card), commitment) in (0..).zip(&self.list).zip(&self.cards) {
            let right = card_commitment(game, deck, self.epoch, pos, card, &card_salt(secret, pos));
            if right != *commitment {
                return Err(WrongCard { pos, right });
            }
        }
        Ok(self.cards.len() as u64)
    }
}

/// A chain from the publication of its tip to the next rewind, with the shuffles that took links of it and have not
/// revealed them, oldest first.
#[derive(Debug)]
pub(super) struct Generation {
    pub(super) tip: ChainTip,
    /// n of the entry that made `tip` public.
    pub(super) tip_at: u64,
    pub(super) open: VecDeque<Epoch>,
}

impl Generation {
    /// The next shuffle takes a link. It stays hidden, but it is used.
    pub(super) fn take(&mut self, epoch: Epoch) -> Result<(), ChainFault> {
        if self.tip.used + self.open.len() as u64 >= self.tip.length {
            return Err(ChainFault::Exhausted { label: self.tip.label.clone(), length: self.tip.length });
        }
        self.open.push_back(epoch);
        Ok(())
    }
}

/// All that is known of one label: the chain in use and, before it, those that a rewind replaced while shuffles of
/// theirs were still hidden.
#[derive(Debug)]
pub(super) struct Track {
    label: String,
    /// How many shuffles there were, over all rewinds.
    pub(super) epochs: u64,
    generations: Vec<Generation>,
}

impl Track {
    pub(super) fn new(label: &str, tip: Hash, at: u64) -> Track {
        let mut track = Track { label: label.to_owned(), epochs: 0, generations: Vec::new() };
        track.renew(tip, at);
        track
    }

    /// A rewind gives the label a new chain.
    pub(super) fn renew(&mut self, tip: Hash, at: u64) {
        self.generations.retain(|generation| !generation.open.is_empty());
        // Labels are checked where they enter, so every label here has a length; 0 would only refuse every use.
        let length = published_length(&self.label).unwrap_or(0);
        let tip = ChainTip::new(&self.label, length, tip);
        self.generations.push(Generation { tip, tip_at: at, open: VecDeque::new() });
    }

    /// The chain in use.
    pub(super) fn current(&mut self) -> &mut Generation {
        self.generations.last_mut().expect("new() makes one and renew() adds one after it drops any")
    }

    /// The open shuffle of this number.
    pub(super) fn epoch(&mut self, number: u64) -> Option<&mut Epoch> {
        self.generations.iter_mut().flat_map(|generation| &mut generation.open).find(|epoch| epoch.epoch == number)
    }

    /// The chain from which the open shuffle of this number took its link.
    pub(super) fn generation_of(&mut self, number: u64) -> Option<&mut Generation> {
        self.generations.iter_mut().find(|generation| generation.open.iter().any(|epoch| epoch.epoch == number))
    }

    /// Every shuffle that is still hidden.
    pub(super) fn open(&self) -> impl Iterator<Item = &Epoch> {
        self.generations.iter().flat_map(|generation| &generation.open)
    }
}
