//! Cards that not everybody sees: a deck with a hand, and making up what is hidden.

use super::{Below, Shuffle};

/// A card in hand, and the place in its deck from which it came: what the journal's proof of a deal names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held<C> {
    /// The card.
    pub card: C,
    /// Its place in the deck, from the top, from 0.
    pub pos: usize,
}

/// A deck from which one seat draws, with that seat's hand and the cards face up.
#[derive(Clone, Debug)]
pub struct Deck<C> {
    /// Which shuffle of the deck.
    pub epoch: u32,
    /// The order of the cards: hidden but for those in hand or played.
    pub order: Vec<C>,
    /// How many have been drawn.
    pub drawn: usize,
    /// Hidden from the others.
    pub hand: Vec<Held<C>>,
    /// Face up, the last one on top.
    pub discards: Vec<C>,
    /// A card that is played as soon as it is drawn, and so is in no hand.
    pub at_once: Option<C>,
}

impl<C> Default for Deck<C> {
    fn default() -> Self {
        Deck { epoch: 0, order: Vec::new(), drawn: 0, hand: Vec::new(), discards: Vec::new(), at_once: None }
    }
}

impl<C: Copy + Ord> Deck<C> {
    /// These cards as they lie after a shuffle.
    pub fn shuffled(shuffle: &Shuffle, cards: &[C]) -> Deck<C> {
        let order = shuffle.order.iter().map(|&at| cards[at as usize]).collect();
        Deck { epoch: shuffle.epoch, order, ..Deck::default() }
    }
    /// How many cards are still to be drawn.
    pub fn left(&self) -> usize {
        self.order.len() - self.drawn
    }
    /// Whether its last card has been played.
    pub fn is_spent(&self) -> bool {
        self.hand.is_empty() && self.drawn == self.order.len() && self.drawn > 0
    }
    /// Whether every card drawn is in the hand, of at most so many, or face up.
    pub fn is_sound(&self, most: usize) -> bool {
        let known = self.hand.len() + self.discards.len();
        self.hand.len() <= most && known == self.drawn && self.drawn <= self.order.len()
    }
    /// The cards in hand.
    pub fn cards(&self) -> impl Iterator<Item = C> {
        self.hand.iter().map(|held| held.card)
    }
    /// Takes so many cards from the top into the hand, or as many as there are; says how many.
    pub fn draw(&mut self, most: usize) -> usize {
        let n = most.min(self.left());
        let drawn = self.drawn..self.drawn + n;
        self.hand.extend(drawn.map(|pos| Held { card: self.order[pos], pos }));
        self.drawn += n;
        n
    }
    /// Puts a card of the hand face up on top of the discards; `None` where it is not in the hand.
    pub fn play(&mut self, card: C) -> Option<Held<C>> {
        let at = self.hand.iter().position(|held| held.card == card)?;
        self.discards.push(card);
        Some(self.hand.remove(at))
    }
    /// Makes up what is hidden: the order of the cards to come, and the hand of somebody else (`own` is false).
    pub fn make_up(&mut self, own: bool, below: &mut Below<'_>) {
        let mut pool = self.order.split_off(self.drawn);
        let held = if own { 0 } else { self.hand.len() };
        pool.extend(self.hand[..held].iter().map(|held| held.card));
        make_up(&mut pool, below);
        let undealt = pool.len() - held;
        if let Some(at) = pool[undealt..].iter().position(|&card| Some(card) == self.at_once)
            && undealt > 0
        {
            pool.swap(undealt + at, 0);
        }
        for (held, card) in self.hand.iter_mut().zip(pool.drain(undealt..)) {
            held.card = card;
            self.order[held.pos] = card;
        }
        self.order.extend(pool);
    }
}

/// Puts what is hidden into an order that hangs on chance alone, not on what is true.
pub fn make_up<T: Ord>(hidden: &mut [T], below: &mut Below<'_>) {
    hidden.sort_unstable();
    for last in (1..hidden.len()).rev() {
        // Decks have dozens of cards.
        hidden.swap(last, below(last as u32 + 1) as usize);
    }
}
