//! The two decks of the Solitaire Game (11.32 to 11.34): dealt to nobody, drawn card by card, shown to all.

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

/// 11.32: how many Shaman Cards, and so Rounds, a Turn has.
pub const SHAMAN_CARDS: usize = 30;
/// 11.32: how many Tribal Cards are drawn for a Turn.
const TRIBAL_CARDS: usize = 18;
/// 11.34: Tribes that are always among them.
const ALWAYS: [&str; 6] = ["Sioux", "Apache", "Kiowa", "Comanche", "Cheyenne", "Arapaho"];
/// 11.36: how far Tribal Alliances looks ahead.
const AHEAD: usize = 5;

/// 11.33, 11.34: makes up this Turn's decks.
pub fn distribute(t: &T, g: &mut State) {
    tribal_deck(t, g);
    let deck = shaman_deck(g);
    let shuffle = t.shuffle("shaman", deck.iter().map(|card| card.name().to_owned()).collect());
    g.shaman_epoch = shuffle.epoch;
    let count = SHAMAN_CARDS.min(deck.len());
    t.deal("shaman", shuffle.epoch, None, 0, count);
    g.solo.shaman = (0..count).rev().map(|pos| Held { card: deck[shuffle.order[pos] as usize], pos }).collect();
    // A Round a card, and as many for each hat.
    g.dealt = count as u32 / u32::from(g.players);
    t.tell(|| format!("The Shaman Deck of this Turn has {count} cards."));
}

/// 11.34: the six named Tribes, others at random up to eighteen, shuffled. House reading: which Tribes are drawn is known
/// (public dice), only their order is not. A named Tribe that is out of play is replaced by one more drawn.
fn tribal_deck(t: &T, g: &mut State) {
    let named = |tribe: &TribeId| ALWAYS.contains(&g.c[*tribe].name.as_str());
    let in_play = g.c.tribe_ids().filter(|&tribe| g.tribe_in_play(tribe));
    let (mut deck, mut others): (Vec<TribeId>, Vec<TribeId>) = in_play.partition(named);
    while deck.len() < TRIBAL_CARDS && !others.is_empty() {
        // Where all of the others are needed there is nothing to draw.
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

/// 11.35: draws the Shaman Card of a Round.
pub fn draw_shaman_card(t: &T, g: &mut State, seat: Seat) -> Option<Card> {
    let held = g.solo.shaman.pop()?;
    t.show("shaman", g.shaman_epoch, held.pos, held.card.name(), None);
    t.tell(|| format!("{} draws {}.", g.who(seat), held.card.name()));
    g.pile.push((seat, held.card, Use::Played));
    Some(held.card)
}

/// 11.35: draws and activates the next Tribal Card. House reading: the card of a Tribe that has died out meanwhile is passed
/// over; when no card is left, Indian Rounds go by without a Tribe.
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
    // 6.51: the Sioux divide their Chiefs as soon as they are there.
    if let Some(v) = g.c[card.tribe].villages.iter().copied().find(|&v| g.player_of(v).is_some()) {
        unmask_village(t, g, v).await;
    }
}

/// 11.36: Tribal Alliances shows the next five Tribal Cards.
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

/// 11.36: a Tribe that joins the Alliance is taken out of the deck and activated; the rest keep their order.
pub async fn take_out(t: &T, g: &mut State, tribe: TribeId) {
    let Some(at) = g.solo.tribal.iter().position(|card| card.tribe == tribe) else { return };
    let card = g.solo.tribal.remove(at);
    // Only cards that have been looked at are taken.
    g.solo.seen = g.solo.seen.saturating_sub(1);
    t.tell(|| format!("The {} are taken out of the deck.", g.c[tribe].name));
    activate(t, g, card).await;
}
