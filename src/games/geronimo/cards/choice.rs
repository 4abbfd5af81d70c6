//! The choice of a Shaman Card to play or discard (4.4B, 9.11, 9.12).

use super::{Standing, army::SPRINGFIELD_TURN, civil_war, help, standing};
use crate::{Ask, Geronimo, Order, State, card::Card, state::Use};
use postrider_orders::{Grammar, Misread, Names, Phrase, Reader, one_of, variant};
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};

/// The question of which Shaman Card to play or discard (4.4B).
pub struct ShamanChoice;

/// Optional words between the verb and the card, and after the card.
const FILLERS: &[&str] = &["the", "a", "an", "my", "shaman", "card"];

/// Returns `true` if Reservation Unrest must come before the other cards in the hand, as in the
/// last Turn (8.23, 9.2X).
fn unrest_first(g: &State, seat: Seat) -> bool {
    g.turn == g.turns.1 && holds(g, seat, Card::ReservationUnrest)
}

fn holds(g: &State, seat: Seat, card: Card) -> bool {
    g.hands[seat.index()].iter().any(|held| held.card == card)
}

/// Returns the cards that may be chosen, each kind once, sorted by name.
fn choosable(g: &State, seat: Seat) -> Vec<Card> {
    let mut cards: Vec<Card> = g.hands[seat.index()].iter().map(|held| held.card).collect();
    if unrest_first(g, seat) {
        cards.retain(|&card| card == Card::ReservationUnrest);
    }
    cards.sort_by_key(|card| card.name());
    cards.dedup();
    cards
}

/// Returns the reason why a card can only be discarded, with the rule: the American Civil War after
/// its player has played another card this Turn (9.2A), or the Springfield Rifle in the first Turns
/// (9.2BB).
fn only_discarded(g: &State, seat: Seat, card: Card) -> Option<(&'static str, String)> {
    match card {
        Card::AmericanCivilWar if civil_war::is_too_late(g, seat) => {
            Some(("9.2A", "The American Civil War can only be discarded: you have played another card.".to_owned()))
        }
        Card::SpringfieldRifle if g.turn < SPRINGFIELD_TURN => Some((
            "9.2BB",
            format!("The Springfield Rifle can only be discarded: it is not played before Turn {SPRINGFIELD_TURN}."),
        )),
        _ => None,
    }
}

/// Returns the possible uses of each card.
fn uses(g: &State, seat: Seat) -> Vec<(Card, Use)> {
    let both = choosable(g, seat).into_iter().flat_map(|card| [(card, Use::Played), (card, Use::Discarded)]);
    both.filter(|&(card, kind)| kind == Use::Discarded || only_discarded(g, seat, card).is_none()).collect()
}

fn order(card: Card, kind: Use) -> Order {
    let card = card.name().to_owned();
    match kind {
        Use::Played => Order::Play { card },
        Use::Discarded => Order::Discard { card },
    }
}

/// `play raid` · `discard raid`.
fn grammar(g: &State, seat: Seat) -> Grammar<'_, Order> {
    let mine = move || {
        let held = g.hands[seat.index()].iter().map(|held| (held.card.name(), held.card));
        Names::from_iter("card in your hand", held)
    };
    let card = move || {
        let read = move |words: &mut Reader<'_>| {
            words.skip(FILLERS);
            let mine = mine();
            // The name of a card that is not in this hand is accepted here and refused later.
            let any = || Names::from_iter("card", Card::all().map(|card| (card.name(), card)));
            let found = words.try_name(&mine).or_else(|| words.try_name(&any()));
            let card = found.map_or_else(|| words.name(&mine), Ok)?;
            words.skip(FILLERS);
            Ok(card.name().to_owned())
        };
        Grammar::leaf(read, |name: &String| Some(name.clone()))
    };
    let no_verb = move |words: &mut Reader<'_>| {
        let start = words.clone();
        words.skip(FILLERS);
        Err(match words.try_name(&mine()) {
            Some(card) => {
                let name = card.name().to_lowercase();
                words
                    .fail_from(start.understood(), format!("say what to do with it: “play {name}” or “discard {name}”"))
            }
            None => start.fail("a Shaman Card is played or discarded: “play …” or “discard …”"),
        })
    };
    one_of()
        .on(&["play"], variant!(card() => card => Order::Play { card }))
        .on(&["discard"], variant!(card() => card => Order::Discard { card }))
        .otherwise(Grammar::leaf(no_verb, |_| None))
}

impl Prompt<Geronimo> for ShamanChoice {
    type Answer = (Card, Use);
    fn kind(&self) -> Ask {
        Ask::ShamanCard
    }
    fn accept(&self, g: &State, seat: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        let (name, kind) = match order {
            Order::Play { card } => (card, Use::Played),
            Order::Discard { card } => (card, Use::Discarded),
            _ => return refuse("4.4B", "A Shaman Card must be played or discarded now."),
        };
        match Card::named(name) {
            None => refuse("4.4B", format!("There is no Shaman Card called {name}.")),
            Some(card) if !holds(g, seat, card) => refuse("4.4B", format!("You do not hold {name}.")),
            Some(card) if card != Card::ReservationUnrest && unrest_first(g, seat) => refuse(
                "9.2X",
                "In the last Turn Reservation Unrest must be played or discarded before any other card you hold.",
            ),
            Some(card) => match only_discarded(g, seat, card).filter(|_| kind == Use::Played) {
                Some((rule, why)) => refuse(rule, why),
                None => Ok((card, kind)),
            },
        }
    }
    fn describe(&self, g: &State, seat: Seat) -> Description {
        let held = g.hands[seat.index()].len();
        let mut d = Description::new("Your Shaman Card of this Round", "4.4B").line(format!(
            "You hold {held}. A card played opens your Operations Segment; a card discarded ends your Round (9.11, 9.12)."
        ));
        if unrest_first(g, seat) {
            d = d.line("In the last Turn Reservation Unrest goes first (9.2X).");
        }
        if holds(g, seat, Card::AmericanCivilWar) && !civil_war::is_too_late(g, seat) {
            d = d.line("The American Civil War is the first card that you play this Turn, or you discard it (9.2A).");
        }
        for card in choosable(g, seat) {
            if let Some((rule, why)) = only_discarded(g, seat, card) {
                d = d.line(format!("{why} ({rule})"));
            }
        }
        d
    }
    fn read(&self, g: &State, seat: Seat, said: &Phrase) -> Result<Order, Misread> {
        grammar(g, seat).whole(said)
    }
    fn say(&self, g: &State, seat: Seat, order: &Order) -> Option<String> {
        grammar(g, seat).say(order)
    }
    fn options(&self, g: &State, seat: Seat) -> Vec<Choice<Order>> {
        let grammar = grammar(g, seat);
        let mut options = Vec::new();
        for (card, kind) in uses(g, seat) {
            let choice = Choice::said(order(card, kind), &grammar);
            if kind == Use::Discarded {
                options.push(choice.note("ends your Round"));
                continue;
            }
            let note = match standing(g, seat, card) {
                Standing::Effect => help(card).lines().next().unwrap_or_default().to_owned(),
                Standing::NoEvent(why) => format!("No Event now: {why}"),
                Standing::Ignored(why) => format!("Ignored: {why}"),
            };
            options.push(choice.note(note));
        }
        options
    }
    fn sample(&self, g: &State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let uses = uses(g, seat);
        if uses.is_empty() {
            return None;
        }
        // A hand has at most 15 cards.
        let (card, kind) = uses[below(uses.len() as u32) as usize];
        Some(order(card, kind))
    }
    fn at_deadline(&self, g: &State, seat: Seat) -> Option<Order> {
        choosable(g, seat).first().map(|&card| order(card, Use::Discarded))
    }
}
