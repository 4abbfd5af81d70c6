//! Decks: an order that is committed to at the shuffle, revealed card by card, and proved as a
//! whole at the end (section 7).

use super::{
    hash::{Decimal, Hash, h},
    stream::DiceStream,
};

/// Returns the seed of a shuffle: `H("postrider/deck/v1", game, deck, epoch, secret, luck)`.
#[must_use]
pub fn deck_seed(game: &str, deck: &str, epoch: u64, secret: &Hash, luck: &Hash) -> Hash {
    let (epoch, secret, luck) = (Decimal::new(epoch), secret.text(), luck.text());
    h("postrider/deck/v1", &[game, deck, epoch.as_str(), secret.as_str(), luck.as_str()])
}

/// Shuffles `list` by the Fisher–Yates algorithm, from the highest index down, with
/// [`DiceStream::below`].
///
/// # Panics
/// If the list has more than 2^32 − 1 items.
pub fn shuffle<T>(seed: Hash, list: &mut [T]) {
    let mut stream = DiceStream::new(seed);
    for i in (1..list.len()).rev() {
        let choices = u32::try_from(i + 1).expect("a deck has fewer than 2^32 cards");
        list.swap(i, stream.below(choices) as usize);
    }
}

/// Returns the salt of position `pos`: `H("postrider/salt/v1", secret, pos)`.
#[must_use]
pub fn card_salt(secret: &Hash, pos: u64) -> Hash {
    h("postrider/salt/v1", &[secret.text().as_str(), Decimal::new(pos).as_str()])
}

/// Returns the published commitment for position `pos`: `H("postrider/card/v1", game, deck, epoch,
/// pos, card, salt)`.
#[must_use]
pub fn card_commitment(game: &str, deck: &str, epoch: u64, pos: u64, card: &str, salt: &Hash) -> Hash {
    let (epoch, pos, salt) = (Decimal::new(epoch), Decimal::new(pos), salt.text());
    h("postrider/card/v1", &[game, deck, epoch.as_str(), pos.as_str(), card, salt.as_str()])
}

/// Returns `true` if a card revealed with its salt is the one committed to at that position.
#[must_use]
pub fn is_committed(commitment: &Hash, game: &str, deck: &str, epoch: u64, pos: u64, card: &str, salt: &Hash) -> bool {
    card_commitment(game, deck, epoch, pos, card, salt) == *commitment
}

/// A shuffled deck as the operator knows it, with all cards and salts. It is secret until the epoch
/// is revealed.
#[derive(Clone)]
pub struct Shuffled {
    game: String,
    deck: String,
    epoch: u64,
    secret: Hash,
    order: Vec<String>,
}

impl Shuffled {
    /// Shuffles `list`, the card ids in the order published by the `shuffled` entry.
    ///
    /// `secret` is the next link of the deck's chain, and `luck` is the value in the `started`
    /// entry. The epochs of a deck are 0, 1, 2 ….
    #[must_use]
    pub fn new(game: &str, deck: &str, epoch: u64, secret: Hash, luck: &Hash, list: Vec<String>) -> Shuffled {
        let mut order = list;
        shuffle(deck_seed(game, deck, epoch, &secret, luck), &mut order);
        Shuffled { game: game.to_owned(), deck: deck.to_owned(), epoch, secret, order }
    }

    /// Returns the cards by position. Position 0 is dealt first.
    #[must_use]
    pub fn order(&self) -> &[String] {
        &self.order
    }

    /// Returns the salt of position `pos`.
    #[must_use]
    pub fn salt(&self, pos: u64) -> Hash {
        card_salt(&self.secret, pos)
    }

    /// Returns the commitment for position `pos`, or `None` if the deck has no such position.
    #[must_use]
    pub fn commitment(&self, pos: u64) -> Option<Hash> {
        let card = self.order.get(usize::try_from(pos).ok()?)?;
        Some(card_commitment(&self.game, &self.deck, self.epoch, pos, card, &self.salt(pos)))
    }

    /// Returns the commitments for all positions in order: `cards` of a `shuffled` entry.
    pub fn commitments(&self) -> impl Iterator<Item = Hash> {
        (0..).map_while(|pos| self.commitment(pos))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(count: usize) -> Vec<String> {
        (1..=count).map(|k| format!("card-{k}")).collect()
    }

    #[test]
    fn a_shuffle_keeps_every_card() {
        let shuffled = Shuffled::new("game", "events", 0, Hash([1; 32]), &Hash([2; 32]), cards(52));
        assert_ne!(shuffled.order(), cards(52));
        let mut sorted = shuffled.order().to_vec();
        sorted.sort_unstable_by_key(|card| card["card-".len()..].parse::<u32>().unwrap());
        assert_eq!(sorted, cards(52));
    }

    #[test]
    fn every_order_of_three_comes_up() {
        let mut seen = std::collections::BTreeMap::new();
        for k in 0..600_u64 {
            let mut list = [0, 1, 2];
            shuffle(h("postrider/test", &[Decimal::new(k).as_str()]), &mut list);
            *seen.entry(list).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|times| (60..140).contains(times)), "{seen:?}");
    }

    #[test]
    fn a_commitment_fits_one_card_only() {
        let shuffled = Shuffled::new("game", "events", 3, Hash([1; 32]), &Hash([2; 32]), cards(8));
        let published: Vec<Hash> = shuffled.commitments().collect();
        assert_eq!(published.len(), 8);
        for (pos, commitment) in (0..).zip(&published) {
            let fits = |pos, card: &str| is_committed(commitment, "game", "events", 3, pos, card, &shuffled.salt(pos));
            let fitting: Vec<_> = cards(8).into_iter().filter(|card| fits(pos, card)).collect();
            assert_eq!(fitting, shuffled.order()[pos as usize..=pos as usize]);
            assert!(!fits(pos + 1, &fitting[0]));
        }
        assert_eq!(shuffled.commitment(8), None);
    }

    #[test]
    fn empty_and_single_decks_are_decks() {
        for count in [0, 1] {
            let shuffled = Shuffled::new("game", "events", 0, Hash([1; 32]), &Hash([2; 32]), cards(count));
            assert_eq!(shuffled.order(), cards(count));
        }
    }
}
