//! Cards hidden from some seats: a deck with the hands drawn from it, and sampling of hidden cards.

use super::{Below, Form, Game, List, Number, Seat, Table, Terse};
use std::collections::BTreeMap;

/// A card in hand and its position in the deck, which the journal's proof of a deal names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held<C> {
    /// The card.
    pub card: C,
    /// Its position in the deck, from the top, from 0.
    pub pos: usize,
}

/// A deck from which seats draw, with their hands and the discards.
///
/// In [`visibility!`](crate::visibility) it is hidden: `deck => |g, seat, below|
/// g.deck.make_up(seat, below)`. Its public form is the number of cards drawn, the size of each
/// hand, and the discards.
#[derive(Clone, Debug)]
pub struct Hands<C> {
    /// The name of the deck, one of [`Ruleset::decks`](super::Ruleset::decks).
    pub deck: &'static str,
    /// The number of this shuffle of the deck.
    pub epoch: u32,
    /// The order of the cards. A seat knows only the cards in its own hand and those already
    /// played.
    pub order: Vec<C>,
    /// The number of cards drawn.
    pub drawn: usize,
    /// The hands of the seats that have drawn, each hidden from the other seats.
    pub hands: BTreeMap<Seat, Vec<Held<C>>>,
    /// The cards face up, the last one on top.
    pub discards: Vec<C>,
    /// A card that is played as soon as it is drawn, and therefore is never in a hand.
    pub at_once: Option<C>,
}

impl<C> Default for Hands<C> {
    fn default() -> Self {
        let (order, hands, discards) = (Vec::new(), BTreeMap::new(), Vec::new());
        Hands { deck: "", epoch: 0, order, drawn: 0, hands, discards, at_once: None }
    }
}

impl<C: Copy + Ord> Hands<C> {
    /// Shuffles these cards; `name` gives the name of each in the journal.
    pub fn shuffled<G: Game>(t: &Table<G>, deck: &'static str, cards: &[C], name: impl Fn(C) -> String) -> Self {
        let shuffle = t.shuffle(deck, cards.iter().map(|&card| name(card)).collect());
        let order = shuffle.order.iter().map(|&at| cards[at as usize]).collect();
        Hands { deck, epoch: shuffle.epoch, order, ..Hands::default() }
    }
    /// Returns the number of cards not drawn yet.
    pub fn left(&self) -> usize {
        self.order.len() - self.drawn
    }
    /// Returns the number of cards in all hands.
    pub fn held(&self) -> usize {
        self.hands.values().map(Vec::len).sum()
    }
    /// Returns `true` if all cards have been drawn and all hands are empty.
    pub fn is_spent(&self) -> bool {
        self.held() == 0 && self.drawn == self.order.len() && self.drawn > 0
    }
    /// Returns true if every card drawn is face up or in a hand, and no hand has more than `most`
    /// cards.
    pub fn is_sound(&self, most: usize) -> bool {
        let known = self.held() + self.discards.len();
        self.hands.values().all(|hand| hand.len() <= most) && known == self.drawn && self.drawn <= self.order.len()
    }
    /// Returns the cards in the hand of a seat.
    pub fn hand(&self, seat: Seat) -> impl ExactSizeIterator<Item = C> + Clone {
        self.hands.get(&seat).map_or(&[][..], Vec::as_slice).iter().map(|held| held.card)
    }
    /// Deals a seat cards from the top until it holds `most` or none is left; returns the number
    /// dealt.
    pub fn fill<G: Game>(&mut self, t: &Table<G>, seat: Seat, most: usize) -> usize {
        let (from, left) = (self.drawn, self.left());
        let hand = self.hands.entry(seat).or_default();
        let count = most.saturating_sub(hand.len()).min(left);
        hand.extend((from..from + count).map(|pos| Held { card: self.order[pos], pos }));
        self.drawn += count;
        if count > 0 {
            t.deal(self.deck, self.epoch, Some(seat), from, count);
        }
        count
    }
    /// Plays a card from a seat's hand, face up on top of the discards; `name` is its name in the
    /// journal. Returns `false` if the card is not in the hand.
    pub fn play<G: Game>(&mut self, t: &Table<G>, seat: Seat, card: C, name: &str) -> bool {
        let Some(hand) = self.hands.get_mut(&seat) else { return false };
        let Some(at) = hand.iter().position(|held| held.card == card) else { return false };
        let held = hand.remove(at);
        self.discards.push(card);
        t.show(self.deck, self.epoch, held.pos, name, Some(seat));
        true
    }
    /// Returns a discarded card to a seat's hand, or to the top of the discards if it belongs to an
    /// earlier shuffle.
    pub fn take_back(&mut self, seat: Seat, card: C) {
        self.discards.retain(|&other| other != card);
        match self.order.iter().position(|&other| other == card) {
            Some(pos) => self.hands.entry(seat).or_default().push(Held { card, pos }),
            None => self.discards.push(card),
        }
    }
    /// Replaces everything hidden from a seat, or from a spectator, by random cards: the order of
    /// the cards not drawn yet, and the other hands.
    pub fn make_up(&mut self, seat: Option<Seat>, below: &mut Below<'_>) {
        let mut pool = self.order.split_off(self.drawn);
        let others = || self.hands.iter().filter(|(of, _)| Some(**of) != seat).flat_map(|(_, hand)| hand);
        let held = others().count();
        pool.extend(others().map(|held| held.card));
        make_up(&mut pool, below);
        let undealt = pool.len() - held;
        if let Some(at) = pool[undealt..].iter().position(|&card| Some(card) == self.at_once)
            && undealt > 0
        {
            pool.swap(undealt + at, 0);
        }
        let others = self.hands.iter_mut().filter(|(of, _)| Some(**of) != seat).flat_map(|(_, hand)| hand);
        for (held, card) in others.zip(pool.drain(undealt..)) {
            held.card = card;
            self.order[held.pos] = card;
        }
        self.order.extend(pool);
    }
}

impl<C: Number + Terse> Terse for Hands<C> {
    fn write(&self, form: &mut Form<'_>) {
        let hands = List(|form: &mut Form<'_>| self.hands.values().for_each(|hand| hand.len().write(form)));
        crate::list![self.drawn, hands, self.discards].write(form);
    }
}

/// Shuffles hidden items. The result depends only on the set of items and the random numbers, not
/// on their true order.
pub fn make_up<T: Ord>(hidden: &mut [T], below: &mut Below<'_>) {
    hidden.sort_unstable();
    for last in (1..hidden.len()).rev() {
        // Decks have dozens of cards.
        hidden.swap(last, below(last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five of eight cards drawn: two in each of two hands, one face up.
    fn dealt(order: [u8; 8]) -> Hands<u8> {
        let held = |pos: usize| Held { card: order[pos], pos };
        let hands = BTreeMap::from([(Seat(0), vec![held(0), held(2)]), (Seat(1), vec![held(1), held(3)])]);
        Hands { order: order.to_vec(), drawn: 5, hands, discards: vec![order[4]], ..Hands::default() }
    }

    #[test]
    fn what_is_made_up_depends_on_what_is_known_alone() {
        let made = |order, seat| {
            let (mut hands, mut last) = (dealt(order), 7_u32);
            hands.make_up(seat, &mut |n| {
                last = last.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (last >> 8) % n
            });
            hands
        };
        // The second deck differs from the first only in the hand of B and in the cards not drawn.
        let (one, other) = ([1, 2, 3, 4, 5, 6, 7, 8], [1, 7, 3, 2, 5, 8, 4, 6]);
        assert_eq!(format!("{:?}", made(one, Some(Seat(0)))), format!("{:?}", made(other, Some(Seat(0)))));
        let known = made(one, Some(Seat(0)));
        assert!(known.hand(Seat(0)).eq([1, 3]) && known.order[4] == 5 && known.is_sound(2) && !known.is_sound(1));
        assert!(known.hands.values().flatten().all(|held| known.order[held.pos] == held.card));
        let mut all = known.order.clone();
        all.sort_unstable();
        assert_eq!(all, one);
        // A spectator knows the card that is face up, and no other.
        let open = made(one, None);
        assert_eq!(format!("{open:?}"), format!("{:?}", made([8, 7, 6, 4, 5, 3, 2, 1], None)));
        assert!(!open.hand(Seat(0)).eq([1, 3]));
    }
}
