//! The checker's knowledge of seed chains and of shuffles whose secret is hidden.

use std::collections::VecDeque;

use postrider_dice::{
    ChainFault, ChainTip, Hash, card_commitment, card_salt, deck_seed, earlier_origin, published_length, shuffle,
};

/// A shuffle whose secret is not yet public.
#[derive(Clone, Debug)]
pub(super) struct Epoch {
    pub(super) epoch: u64,
    /// The `n` of its `shuffled` entry.
    pub(super) at: u64,
    pub(super) list: Vec<String>,
    pub(super) cards: Vec<Hash>,
    /// For each position, `true` if a `dealt` entry covered it.
    pub(super) dealt: Vec<bool>,
}

/// A position whose commitment does not match the secret.
#[derive(Debug)]
pub(super) struct WrongCard {
    pub(super) pos: u64,
    pub(super) right: Hash,
}

impl Epoch {
    /// Repeats the shuffle with the revealed secret and compares all commitments. Returns the
    /// number of cards.
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

/// A chain from the publication of its tip to the next rewind, and the shuffles that used links of
/// it and have not been revealed, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Generation {
    pub(super) tip: ChainTip,
    /// The `n` of the entry that published `tip`.
    pub(super) tip_at: u64,
    /// The `n` of the entry that published the chain: `opened` or a rewind.
    pub(super) begun_at: u64,
    pub(super) open: VecDeque<Epoch>,
}

impl Generation {
    /// Uses a link for the next shuffle. The link stays hidden.
    pub(super) fn take(&mut self, epoch: Epoch) -> Result<(), ChainFault> {
        if self.tip.used + self.open.len() as u64 >= self.tip.length {
            return Err(ChainFault::Exhausted { label: self.tip.label.clone(), length: self.tip.length });
        }
        self.open.push_back(epoch);
        Ok(())
    }
}

/// The s_0 of a generation, published by `closed`.
#[derive(Debug, Clone, Copy)]
struct LaidOpen {
    generation: usize,
    origin: Hash,
    /// The `n` of the `closed` entry.
    at: u64,
}

/// The number of links and the hidden shuffles revealed by publishing a s_0, with their secrets,
/// oldest first.
#[derive(Debug, Default)]
pub(super) struct Unfolded {
    pub(super) links: u64,
    pub(super) epochs: Vec<(Epoch, Hash)>,
}

/// The reason a s_0 does not belong to the chain in use.
#[derive(Debug)]
pub(super) enum FalseOrigin {
    /// It does not hash to the last public link of a generation, published by the line with this
    /// `n`.
    Chain(ChainFault, u64),
    /// It gives this hash as the s_0 of an earlier generation, but the line with this `n` published
    /// a different one.
    Other(Hash, u64),
}

/// All knowledge of one label: the chains of `opened` and of the rewinds. The last one is in use.
#[derive(Clone, Debug)]
pub(super) struct Track {
    label: String,
    /// The number of shuffles, including those before rewinds.
    pub(super) epochs: u64,
    /// By generation, from 0; never empty.
    generations: Vec<Generation>,
    laid_open: Option<LaidOpen>,
}

impl Track {
    pub(super) fn new(label: &str, tip: Hash, at: u64) -> Track {
        let mut track = Track { label: label.to_owned(), epochs: 0, generations: Vec::new(), laid_open: None };
        track.renew(tip, at);
        track
    }

    /// Starts a new generation after a rewind.
    pub(super) fn renew(&mut self, tip: Hash, at: u64) {
        // Labels are checked in the entries, so every label has a length. With 0, every use would
        // fail.
        let length = published_length(&self.label).unwrap_or(0);
        let tip = ChainTip::new(&self.label, length, tip);
        self.generations.push(Generation { tip, tip_at: at, begun_at: at, open: VecDeque::new() });
    }

    /// Returns the chain in use.
    pub(super) fn current(&mut self) -> &mut Generation {
        self.generations.last_mut().expect("new() makes one and none is ever dropped")
    }

    /// Returns the number of rewinds.
    pub(super) fn rewinds(&self) -> u64 {
        self.generations.len() as u64 - 1
    }

    /// Returns the hidden shuffle with this number.
    pub(super) fn epoch(&mut self, number: u64) -> Option<&mut Epoch> {
        self.generation_of(number)?.open.iter_mut().find(|epoch| epoch.epoch == number)
    }

    /// Returns the chain whose link the hidden shuffle with this number used.
    pub(super) fn generation_of(&mut self, number: u64) -> Option<&mut Generation> {
        self.generations.iter_mut().rev().find(|generation| generation.open.iter().any(|epoch| epoch.epoch == number))
    }

    /// Accepts `origin` as the s_0 of the chain in use, published in line `at`.
    ///
    /// The s_0 of earlier generations follow from it. Each chain is followed from its s_0 to its
    /// last public link, back to the first generation or to one whose s_0 was published before.
    /// With `looking`, chains without hidden shuffles are not followed. After that, no shuffle of
    /// the label is hidden, and nothing may be drawn from it.
    pub(super) fn lay_open(&mut self, origin: Hash, at: u64, looking: bool) -> Result<Unfolded, FalseOrigin> {
        let mut s_0 = origin;
        let mut unfolded = Unfolded::default();
        for (k, generation) in self.generations.iter_mut().enumerate().rev() {
            if let Some(known) = self.laid_open.filter(|known| known.generation == k) {
                if known.origin != s_0 {
                    return Err(FalseOrigin::Other(s_0, known.at));
                }
                break;
            }
            let tip = &mut generation.tip;
            if looking && generation.open.is_empty() {
                tip.used = tip.length;
                s_0 = earlier_origin(&self.label, k as u64, &s_0);
                continue;
            }
            let links = tip.unfold(s_0, generation.open.len());
            let links = links.map_err(|fault| FalseOrigin::Chain(fault, generation.tip_at))?;
            unfolded.links += tip.length - tip.used;
            tip.used = tip.length;
            // Newest first; reversed below.
            unfolded.epochs.extend(std::mem::take(&mut generation.open).into_iter().zip(links).rev());
            s_0 = earlier_origin(&self.label, k as u64, &s_0);
        }
        unfolded.epochs.reverse();
        self.laid_open = Some(LaidOpen { generation: self.generations.len() - 1, origin, at });
        Ok(unfolded)
    }

    /// Returns the `n` of every rewind whose chain is not yet proved to follow from that of
    /// `opened`, because its s_0 is not published.
    pub(super) fn unproved(&self) -> impl Iterator<Item = u64> + '_ {
        let from = self.laid_open.map_or(1, |known| known.generation + 1);
        self.generations.iter().skip(from).map(|generation| generation.begun_at)
    }

    /// Returns all shuffles that are still hidden.
    pub(super) fn open(&self) -> impl Iterator<Item = &Epoch> {
        self.generations.iter().flat_map(|generation| &generation.open)
    }
}
