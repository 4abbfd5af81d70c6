//! The two decks of the Solitaire Game (11.32 to 11.34), which are not dealt but drawn publicly
//! card by card.

use super::{
    super::{
        State, T,
        campaign::unmask_village,
        card::Card,
        components::TribeId,
        deal::shaman_deck,
        state::{Held, TribalCard, Use},
    },
    INDIANS,
};
use postrider_orders::list_and;
use postrider_table::Seat;

/// Number of Shaman Cards, and so of Rounds, in a Turn (11.32).
pub const SHAMAN_CARDS: usize = 30;
/// Number of Tribal Cards in a Turn's deck (11.32).
const TRIBAL_CARDS: usize = 18;
/// Tribes that are always in the deck (11.34).
const ALWAYS: [&str; 6] = ["Sioux", "Apache", "Kiowa", "Comanche", "Cheyenne", "Arapaho"];
/// Number of Tribal Cards that Tribal Alliances looks at (11.36).
const AHEAD: usize = 5;

/// Prepares this Turn's decks (11.33, 11.34).
pub fn distribute(t: &T, g: &mut State) {
    tribal_deck(t, g);
    let deck = shaman_deck(g);
    let shuffle = t.shuffle("shaman", deck.iter().map(|card| card.name().to_owned()).collect());
    g.shaman_epoch = shuffle.epoch;
    let count = SHAMAN_CARDS.min(deck.len());
    t.deal("shaman", shuffle.epoch, None, 0, count);
    g.solo.shaman = (0..count).rev().map(|pos| Held { card: deck[shuffle.order[pos] as usize], pos }).collect();
    // One Round for each card, and the same number for each hat.
    g.dealt = count as u32 / u32::from(g.players);
    t.tell(|| format!("The Shaman Deck of this Turn has {count} cards."));
}

/// Prepares the Tribal Deck: the six named Tribes and random others up to eighteen, shuffled
/// (11.34). The drawn Tribes are public, and only their order is hidden (house reading). A named
/// Tribe that is out of play is replaced by another random one.
fn tribal_deck(t: &T, g: &mut State) {
    let named = |tribe: &TribeId| ALWAYS.contains(&g.c[*tribe].name.as_str());
    let in_play = g.c.tribe_ids().filter(|&tribe| g.tribe_in_play(tribe));
    let (mut deck, mut others): (Vec<TribeId>, Vec<TribeId>) = in_play.partition(named);
    while deck.len() < TRIBAL_CARDS && !others.is_empty() {
        // If all of the others are needed, no draw is necessary.
        let at = if deck.len() + others.len() <= TRIBAL_CARDS { 0 } else { t.draw("tribe", others.len()) };
        deck.push(others.remove(at));
    }
    deck.sort_unstable();
    let shuffle = t.shuffle("tribal", deck.iter().map(|&tribe| g.c[tribe].name.clone()).collect());
    g.tribal_epoch = shuffle.epoch;
    t.deal("tribal", shuffle.epoch, None, 0, deck.len());
    t.tell(|| {
        let names: Vec<&str> = deck.iter().map(|&tribe| g.c[tribe].name.as_str()).collect();
        format!("The Tribal Deck of this Turn has {} cards: {}.", deck.len(), list_and(&names))
    });
    g.solo.tribal =
        (0..deck.len()).rev().map(|pos| TribalCard { tribe: deck[shuffle.order[pos] as usize], pos }).collect();
    g.solo.seen = 0;
}

/// Draws the Shaman Card of a Round (11.35).
pub fn draw_shaman_card(t: &T, g: &mut State, seat: Seat) -> Option<Card> {
    let held = g.solo.shaman.pop()?;
    t.show("shaman", g.shaman_epoch, held.pos, held.card.name(), None);
    t.tell(|| format!("{} draws {}.", g.who(seat), held.card.name()));
    g.pile.push((seat, held.card, Use::Played));
    Some(held.card)
}

/// Draws and activates the next Tribal Card (11.35). A Tribe that has become extinct is skipped,
/// and when no card is left, Indian Rounds have no Tribe (house reading).
pub async fn draw_tribe(t: &T, g: &mut State) {
    while let Some(card) = g.solo.tribal.pop() {
        let shown = g.solo.seen > 0;
        g.solo.seen = g.solo.seen.saturating_sub(1);
        if !shown {
            t.show("tribal", g.tribal_epoch, card.pos, &g.c[card.tribe].name, None);
        }
        if g.tribe_in_play(card.tribe) {
            t.tell(|| format!("The {} are activated.", g.c[card.tribe].name));
            g.solo.tribe = Some(card.tribe);
            activate(t, g, card).await;
            return;
        }
        t.tell(|| format!("The {} are no longer in play: another card is drawn.", g.c[card.tribe].name));
    }
    t.tell(|| "All Tribal Cards have been drawn: no Tribe is activated.".to_owned());
}

async fn activate(t: &T, g: &mut State, card: TribalCard) {
    let state = &mut g.tribes[card.tribe.index()];
    (state.holder, state.revealed, state.pos) = (Some(INDIANS), true, Some(card.pos));
    // The Sioux divide their Chiefs when they are activated (6.51).
    if let Some(v) = g.c[card.tribe].villages.iter().copied().find(|&v| g.player_of(v).is_some()) {
        unmask_village(t, g, v).await;
    }
}

/// Reveals the next five Tribal Cards for Tribal Alliances (11.36).
pub fn look_ahead(t: &T, g: &mut State) {
    let count = AHEAD.min(g.solo.tribal.len());
    let next: Vec<TribalCard> = g.solo.tribal.iter().rev().take(count).copied().collect();
    for card in &next[g.solo.seen.min(count)..] {
        t.show("tribal", g.tribal_epoch, card.pos, &g.c[card.tribe].name, None);
    }
    g.solo.seen = g.solo.seen.max(count);
    t.tell(|| {
        let names: Vec<&str> = next.iter().map(|card| g.c[card.tribe].name.as_str()).collect();
        let names = if names.is_empty() { "none".to_owned() } else { list_and(&names) };
        format!("The next Tribal Cards: {names}.")
    });
}

/// Takes a Tribe that joins the Alliance out of the deck and activates it (11.36). The other cards
/// keep their order.
pub async fn take_out(t: &T, g: &mut State, tribe: TribeId) {
    let Some(at) = g.solo.tribal.iter().position(|card| card.tribe == tribe) else { return };
    let card = g.solo.tribal.remove(at);
    // Only cards that have been looked at are taken.
    g.solo.seen = g.solo.seen.saturating_sub(1);
    t.tell(|| format!("The {} are taken out of the deck.", g.c[tribe].name));
    activate(t, g, card).await;
}
