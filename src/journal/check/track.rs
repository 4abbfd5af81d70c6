//! What a checker remembers of seed chains and of the shuffles whose secret is still hidden.

use std::collections::VecDeque;

use postrider_dice::{
    ChainFault, ChainTip, Hash, card_commitment, card_salt, deck_seed, earlier_origin, published_length, shuffle,
};

/// A shuffle whose secret is not public yet.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub(super) struct Generation {
    pub(super) tip: ChainTip,
    /// n of the entry that made `tip` public.
    pub(super) tip_at: u64,
    /// n of the entry that published the chain: `opened` or a rewind.
    pub(super) begun_at: u64,
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

/// The s_0 of a generation that `closed` has laid open.
#[derive(Debug, Clone, Copy)]
struct LaidOpen {
    generation: usize,
    origin: Hash,
    /// n of the `closed` entry.
    at: u64,
}

/// What a s_0 opens: how many links, and every shuffle that was still hidden, with its secret, oldest first.
#[derive(Debug, Default)]
pub(super) struct Unfolded {
    pub(super) links: u64,
    pub(super) epochs: Vec<(Epoch, Hash)>,
}

/// Why a s_0 cannot be that of the chain in use.
#[derive(Debug)]
pub(super) enum FalseOrigin {
    /// It does not lead to the last public link of a generation, which stands in this line.
    Chain(ChainFault, u64),
    /// The s_0 of an earlier generation would be this one, and another was laid open in this line.
    Other(Hash, u64),
}

/// All that is known of one label: the chain of `opened`, those of the rewinds, the last of them in use.
#[derive(Clone, Debug)]
pub(super) struct Track {
    label: String,
    /// How many shuffles there were, over all rewinds.
    pub(super) epochs: u64,
    /// From generation 0 on; never empty.
    generations: Vec<Generation>,
    laid_open: Option<LaidOpen>,
}

impl Track {
    pub(super) fn new(label: &str, tip: Hash, at: u64) -> Track {
        let mut track = Track { label: label.to_owned(), epochs: 0, generations: Vec::new(), laid_open: None };
        track.renew(tip, at);
        track
    }

    /// A rewind gives the label a new chain.
    pub(super) fn renew(&mut self, tip: Hash, at: u64) {
        // Labels are checked where they enter, so every label here has a length; 0 would only refuse every use.
        let length = published_length(&self.label).unwrap_or(0);
        let tip = ChainTip::new(&self.label, length, tip);
        self.generations.push(Generation { tip, tip_at: at, begun_at: at, open: VecDeque::new() });
    }

    /// The chain in use.
    pub(super) fn current(&mut self) -> &mut Generation {
        self.generations.last_mut().expect("new() makes one and none is ever dropped")
    }

    /// How many rewinds there were.
    pub(super) fn rewinds(&self) -> u64 {
        self.generations.len() as u64 - 1
    }

    /// The open shuffle of this number.
    pub(super) fn epoch(&mut self, number: u64) -> Option<&mut Epoch> {
        self.generation_of(number)?.open.iter_mut().find(|epoch| epoch.epoch == number)
    }

    /// The chain from which the open shuffle of this number took its link.
    pub(super) fn generation_of(&mut self, number: u64) -> Option<&mut Generation> {
        self.generations.iter_mut().rev().find(|generation| generation.open.iter().any(|epoch| epoch.epoch == number))
    }

    /// Accepts `origin` as the s_0 of the chain in use, laid open in line `at`. Those of the earlier generations follow from
    /// it, so every chain of the label is followed from its s_0 to its last public link, back to the first or to one that
    /// was laid open before; but where somebody is only `looking`, those of which nothing is hidden are not followed. Nothing
    /// of the label is hidden any more, and nothing may be drawn from it.
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
            // The newest comes first here.
            unfolded.epochs.extend(std::mem::take(&mut generation.open).into_iter().zip(links).rev());
            s_0 = earlier_origin(&self.label, k as u64, &s_0);
        }
        unfolded.epochs.reverse();
        self.laid_open = Some(LaidOpen { generation: self.generations.len() - 1, origin, at });
        Ok(unfolded)
    }

    /// n of every rewind whose chain of this label is not known to follow from that of `opened`: its s_0 is not laid open.
    pub(super) fn unproved(&self) -> impl Iterator<Item = u64> + '_ {
        let from = self.laid_open.map_or(1, |known| known.generation + 1);
        self.generations.iter().skip(from).map(|generation| generation.begun_at)
    }

    /// Every shuffle that is still hidden.
    pub(super) fn open(&self) -> impl Iterator<Item = &Epoch> {
        self.generations.iter().flat_map(|generation| &generation.open)
    }
}
