//! Sides, Commanders, troops and cards at the start of a Turn (3.3, 3.5, 4.2, 4.3).

pub mod army;
pub mod chiefs;
mod tribes;

pub use self::chiefs::{
    at_the_start_of_the_turn, divide_teton_chiefs, is_divided_at_start, is_unsure, keep_to_division, tell_division,
};
use super::{
    State, T,
    card::Card,
    cards::civil_war,
    solitaire,
    state::{CivilWar, Held},
    survival::{by_dice, roll_each},
    variant::Scenario,
};
use postrider_table::Seat;

/// Determines the US player by a public draw among all who may play the US (3.31, 11.2A, 12.2). The
/// others are Indians this Turn. With two players and one of them excluded, the other plays the US
/// without a draw.
pub fn sides(t: &T, g: &mut State) {
    for tally in &mut g.tally {
        tally.at_start = tally.vps;
    }
    // Each hat keeps its side (11.3).
    if g.variant.solitaire {
        return;
    }
    let left_out = left_out(g);
    let drawing: Vec<Seat> = g.seats().filter(|&s| left_out != Some(s)).collect();
    g.us = drawing[t.draw("us player", drawing.len())];
    t.tell(|| {
        let switch = if drawing.len() == 1 { "The players switch sides: " } else { "" };
        format!("{switch}@{} plays the US this Turn.", g.chair(g.us))
    });
}

/// Returns the player who may not play the US this Turn (3.3): in the Basic Game its player of the
/// last Turn, in the Campaign Game the player who has played it in the last two Turns. With
/// alternate side determination there is none (12.2).
fn left_out(g: &State) -> Option<Seat> {
    if g.variant.alternate_sides {
        return None;
    }
    match g.variant.scenario {
        Scenario::Basic => g.us_before,
        Scenario::Campaign => g.us_before.filter(|_| g.us_in_a_row >= 2),
    }
}

/// Distributes everything at the start of a Turn (4.1B, 4.2).
pub async fn distribute(t: &T, g: &mut State) {
    if is_first_turn(g) && !g.is_campaign() {
        army::place_first_columns(t, g).await;
    }
    army::new_troops(t, g).await;
    army::commanders(t, g).await;
    if is_first_turn(g) && g.is_campaign() {
        army::place_three_columns(t, g).await;
    }
    if g.turn == civil_war::LATEST_TURN && g.fx.civil_war == CivilWar::ToCome {
        civil_war::by_itself(t, g).await;
    }
    chiefs::assign_teton_chiefs(g);
    if g.variant.solitaire {
        return solitaire::distribute(t, g);
    }
    let choosing = tribes::choosing_order(t, g);
    tribes::initial_tribes(t, g, &choosing).await;
    tribes::deal(t, g, &choosing);
    shaman_cards(t, g);
    at_the_start_of_the_turn(t, g).await;
}

/// Returns `true` on the first Turn, when nobody has scored and dice decide what VPs decide later
/// (3.32, 4.21, 4.3).
fn is_first_turn(g: &State) -> bool {
    g.turn == g.turns.0
}

/// Returns the number of Shaman Cards of each player, by the number of players (3.5D).
pub(super) fn shaman_hand(players: u8) -> usize {
    match players {
        ..=2 => 15,
        3 => 7,
        4 => 5,
        _ => 4,
    }
}

/// Returns the Shaman Deck without the cards that are out of the game (2.23, 3.42).
pub fn shaman_deck(g: &State) -> Vec<Card> {
    let mut deck = Vec::new();
    for card in Card::all() {
        let out = g.removed.iter().filter(|&&c| c == card).count();
        deck.extend(std::iter::repeat_n(card, card.count().saturating_sub(out)));
    }
    deck
}

/// Shuffles the Shaman Deck and deals it (2.23, 3.5D, 4.21).
fn shaman_cards(t: &T, g: &mut State) {
    let deck = shaman_deck(g);
    let shuffle = t.shuffle("shaman", deck.iter().map(|card| card.name().to_owned()).collect());
    g.shaman_epoch = shuffle.epoch;
    let each = shaman_hand(g.players).min(deck.len() / usize::from(g.players));
    g.dealt = each as u32;
    for seat in g.seats() {
        let from = seat.index() * each;
        t.deal("shaman", shuffle.epoch, Some(seat), from, each);
        let held = |pos: usize| Held { card: deck[shuffle.order[pos] as usize], pos };
        g.hands[seat.index()] = (from..from + each).map(held).collect();
    }
    t.tell(|| format!("Shaman Cards dealt: {each} to each player."));
}

/// Returns the player of the first Round (4.3). On the first Turn this is the high roller; later
/// the player with the fewest VPs, with ties going to the high roller. Tied dice are rolled again.
/// Play proceeds clockwise from there.
pub fn who_goes_first(t: &T, g: &State) -> Seat {
    if g.variant.solitaire {
        return solitaire::who_goes_first(t, g);
    }
    let among: Vec<Seat> = if is_first_turn(g) {
        g.seats().collect()
    } else {
        let fewest = g.tally.iter().map(|s| s.vps).min();
        g.seats().filter(|s| Some(g.tally[s.index()].vps) == fewest).collect()
    };
    let first = high_roller(t, g, "first round", "The first Round", among);
    t.tell(|| format!("{} has the first Round.", g.who(first)));
    first
}

/// Returns the player who rolls highest. Only those who tie for the highest DR roll again.
fn high_roller(t: &T, g: &State, label: &'static str, what: &str, mut among: Vec<Seat>) -> Seat {
    // If the dice never break the tie (as with a truncated record), the first seat is chosen.
    for _ in 0..super::survival::REROLLS {
        if among.len() == 1 {
            break;
        }
        let dice = roll_each(t, label, what, among, &|s| g.who(s));
        let high = dice.iter().map(|&(dr, _)| dr).max();
        among = dice.into_iter().filter(|&(dr, _)| Some(dr) == high).map(|(_, s)| s).collect();
    }
    among[0]
}

/// Sorts seats by VPs, fewest first. Ties are broken by dice, the high roller first (3.32, 4.21).
pub fn fewest_first(t: &T, g: &State, mut seats: Vec<Seat>) -> Vec<Seat> {
    let vps = |s: Seat| g.tally[s.index()].vps;
    seats.sort_by_key(|&s| vps(s));
    seats
        .chunk_by(|&a, &b| vps(a) == vps(b))
        .flat_map(|tied| by_dice(t, "vp tie", "Equal VPs", tied.to_vec(), &|s| g.who(s)))
        .collect()
}

#[cfg(test)]
mod tests;
