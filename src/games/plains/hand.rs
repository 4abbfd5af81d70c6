//! Decks and hands (7, 9): drawing, and discarding face up.

use super::{
    T,
    components::{CardId, Faction},
    state::State,
};

/// Moves a card from the hand to the top of the discard pile, face up.
pub fn discard(t: &T, g: &mut State, faction: Faction, card: CardId) {
    let (seat, name) = (g.owner(faction), g.c[card].name.clone());
    let enduring = g.c[card].event.filter(|e| e.endures());
    if g.deck_mut(faction).play(t, seat, card, &name) {
        // Another card covers the previous one (9.2.1).
        g.set_enduring(faction, enduring);
    }
}

/// Draws cards until the hand has `most`, or the deck is empty.
pub fn draw(t: &T, g: &mut State, faction: Faction, most: usize) {
    let seat = g.owner(faction);
    g.deck_mut(faction).fill(t, seat, most);
}
