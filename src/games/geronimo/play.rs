//! The Sequence of Play (4.1): Turns, their phases, and the Rounds of the Card Play Phase.

use super::{
    State, T,
    card::Card,
    cards::{After, ShamanChoice},
    columns, deal, end_of_turn, events, indian,
    reservation::{ask_at_rest_unless, close_desks, keep_treaties, open_desks},
    resources, setup, solitaire,
    state::{Phase, Use},
    statehood, survival,
};
use postrider_table::Seat;

/// Plays all Turns (4.1).
pub async fn play(t: T, mut g: State) -> State {
    let t = &t;
    let g_ = &mut g;
    setup::set_up(t, g_).await;
    for turn in g_.turns.0..=g_.turns.1 {
        g_.turn = turn;
        one_turn(t, g_).await;
        if g_.variant.solitaire && solitaire::turn_ends(t, g_) {
            break;
        }
    }
    g_.finished = true;
    g
}

/// Plays one Turn (4.1 A to G).
async fn one_turn(t: &T, g: &mut State) {
    enter(t, g, Phase::Sides);
    deal::sides(t, g);
    enter(t, g, Phase::Cards);
    deal::distribute(t, g).await;
    enter(t, g, Phase::Order);
    let first = deal::who_goes_first(t, g);
    enter(t, g, Phase::CardPlay);
    card_play(t, g, first).await;
    enter(t, g, Phase::Survival);
    survival::survival_phase(t, g).await;
    enter(t, g, Phase::Statehood);
    statehood::statehood_phase(t, g);
    enter(t, g, Phase::EndOfTurn);
    end_of_turn::end_of_turn(t, g);
}

/// Starts a phase. Phases are recorded in the journal like Rounds.
fn enter(t: &T, g: &mut State, phase: Phase) {
    g.phase = phase;
    if phase != Phase::CardPlay {
        g.round = 0;
        g.active = None;
        t.round(g, u32::from(g.turn), 0, &format!("Turn {}, {}", g.turn, phase.name()));
    }
}

/// Plays Rounds clockwise until every Shaman Card is played or discarded (4.4).
pub(super) async fn card_play(t: &T, g: &mut State, first: Seat) {
    open_desks(t, g);
    let mut seat = first;
    for round in 1..=g.rounds() {
        g.round = round;
        g.active = Some(seat);
        t.round(g, u32::from(g.turn), round, &format!("Turn {}, Round {round}", g.turn));
        one_round(t, g, seat).await;
        resources::transcontinental(t, g);
        seat = g.after(seat);
    }
    close_desks(g);
}

/// Plays one Round: Resource Allotment, Shaman Card Choice, Operations (4.4).
async fn one_round(t: &T, g: &mut State, seat: Seat) {
    if seat == g.us {
        g.us_rounds += 1;
    }
    if g.variant.solitaire {
        return solitaire::round(t, g, seat).await;
    }
    resources::resource_allotment(t, g).await;
    let after = shaman_card(t, g, seat).await;
    keep_treaties(t, g).await;
    let Some(after) = after else { return };
    if seat == g.us {
        columns::operations(t, g).await;
    } else if std::mem::take(&mut g.tally[seat.index()].operation_used) {
        t.tell(|| format!("{} has already conducted the Operation of this Round out of turn.", g.who(seat)));
    } else {
        indian::operation(t, g, seat, after).await;
    }
    keep_treaties(t, g).await;
    g.fx.atrocity = None;
    g.fx.rampage = false;
}

/// Asks for a Shaman Card (4.4B, 9.1). A played card opens the Operations Segment; a discarded one
/// ends the Round, and `None` is returned.
async fn shaman_card(t: &T, g: &mut State, seat: Seat) -> Option<After> {
    let used = move |g: &State| g.tally[seat.index()].card_used;
    // Federales, played earlier or instead of this choice, is the player's card of the Round
    // (9.2I).
    let chosen = if used(g) { None } else { ask_at_rest_unless(t, g, seat, ShamanChoice, used).await };
    let Some((card, kind)) = chosen else {
        g.tally[seat.index()].card_used = false;
        t.tell(|| format!("{} has played Federales as the card of this Round.", g.who(seat)));
        return Some(After::Operation);
    };
    g.fx.mexico_raid = None;
    take_from_hand(t, g, seat, card, kind);
    match kind {
        Use::Discarded => {
            t.tell(|| format!("{} discards {}.", g.who(seat), card.name()));
            // This Round counts as the one that an out-of-turn attack used up (9.2D, 9.2F).
            g.tally[seat.index()].operation_used = false;
            None
        }
        Use::Played => {
            t.tell(|| format!("{} plays {}.", g.who(seat), card.name()));
            let after = events::card_and_event(t, g, seat, card).await;
            if after.is_none() {
                // A discarded event ends the Round like a discarded card (12.13).
                g.tally[seat.index()].operation_used = false;
            }
            after
        }
    }
}

fn take_from_hand(t: &T, g: &mut State, seat: Seat, card: Card, kind: Use) {
    let hand = &mut g.hands[seat.index()];
    // The choice was accepted only because the card is there.
    let Some(at) = hand.iter().position(|h| h.card == card) else { return };
    let held = hand.remove(at);
    t.show("shaman", g.shaman_epoch, held.pos, card.name(), Some(seat));
    g.pile.push((seat, card, kind));
}
