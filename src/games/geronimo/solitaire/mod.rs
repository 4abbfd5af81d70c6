//! The Solitaire Game (11.3): one player has two hats, and only the number of States counts.
//!
//! Inside the rules there are two seats, [`US`] and [`INDIANS`], as with two players; [`hats`]
//! directs the questions to both to the one seat at the table. In a Round a Shaman Card is drawn,
//! and then a Column is played or the next Tribe activated ([`decks`]). [`events`] has the cards
//! with different effects; if a card only has fewer targets, this is handled where the card is
//! implemented.
//!
//! House reading: 11.2 is for two players, and where 11.3 says nothing the general rules apply. So
//! War Parties may attack any Enemy (6.33), and Columns roll for Coordination one by one (5.72).

pub mod decks;
pub mod events;
pub mod hats;
#[cfg(test)]
mod tests;

pub use self::decks::{distribute, take_out};
use super::{
    State, T,
    card::Card,
    cards::After,
    columns,
    components::{AreaId, TribeId, VillageId},
    events::card_and_event,
    indian,
    reaction::Action,
    resources::resource_allotment,
    village_action::VillageAction,
};
use postrider_table::{Refusal, Seat, refuse};

/// The hat of the US.
pub const US: Seat = Seat(0);
/// The hat of the Indians.
pub const INDIANS: Seat = Seat(1);

/// Number of States with which the player has bettered history (11.31).
pub const STATES: usize = 14;
/// The Turn by whose end the Transcontinental Railroad must be complete (11.31).
pub const RAILROAD_TURN: u8 = 6;

/// Prepares the position of the Solitaire Game, without the Federales (11.33).
pub fn prepare(g: &mut State) {
    g.us = US;
    g.removed.push(super::card::Card::Federales);
}

/// Returns the side of the first Round (11.35): the US in Turn 1, otherwise the US on an odd DR.
pub fn who_goes_first(t: &T, g: &State) -> Seat {
    if g.turn == 1 {
        t.tell(|| format!("{} has the first Round.", g.who(US)));
        return US;
    }
    let dr = t.d10("first round");
    let first = if dr % 2 == 1 { US } else { INDIANS };
    t.tell(|| format!("{} has the first Round: DR {dr}, the US on an odd one.", g.who(first)));
    first
}

/// Plays a Round: draws a Shaman Card, then plays a Column or activates a Tribe (11.35 to 11.38).
pub async fn round(t: &T, g: &mut State, seat: Seat) {
    resource_allotment(t, g).await;
    let Some(card) = decks::draw_shaman_card(t, g, seat) else { return };
    if seat == US {
        events_of(t, g, seat, card).await;
        columns::operations(t, g).await;
    } else {
        decks::draw_tribe(t, g).await;
        let after = events_of(t, g, seat, card).await;
        let last = operations(t, g, after).await;
        to_rest(t, g, last).await;
    }
    g.fx.atrocity = None;
    g.fx.rampage = false;
    g.solo.tribe = None;
}

/// Carries out the card and, if it has no effect, a random event (12.11). Nothing is discarded here
/// (11.36), so the Round continues.
async fn events_of(t: &T, g: &mut State, seat: Seat, card: Card) -> After {
    card_and_event(t, g, seat, card).await.unwrap_or(After::Operation)
}

/// Carries out one action with each Village of the drawn Tribe, or two with an Alliance (11.36,
/// 11.37). Returns the last action.
async fn operations(t: &T, g: &mut State, card: After) -> Action {
    // An attack compelled by Bad Blood was the action of its Village, not of the others (9.2D).
    let mut after = if card == After::Nothing { After::Operation } else { card };
    let mut last = Action::default();
    while can_act(g, after)
        && let Some(action) = indian::operation(t, g, INDIANS, after).await
    {
        last = action;
        if after != After::Alliance || !g.alliances.is_empty() {
            after = After::Operation;
        }
    }
    last
}

/// Returns `true` if any action is possible, so that no pointless question is asked.
fn can_act(g: &State, after: After) -> bool {
    !VillageAction { after, compelled: None }.acts(g, INDIANS).is_empty()
}

/// Returns War Parties to their Villages, and makes all activated Villages Finished (11.37). Those
/// of an Alliance that acted only once return because of that action (5.35).
async fn to_rest(t: &T, g: &mut State, mut action: Action) {
    while let Some(v) = g.parties.first().map(|party| party.village) {
        indian::finish(t, g, &mut action, v).await;
    }
    g.alliances.clear();
    for v in g.village_ids().filter(|&v| g.player_of(v).is_some()).collect::<Vec<_>>() {
        g.village_mut(v).finished = true;
    }
}

/// Returns `true` if a Shaman Card may apply to a Village: always, but in the Solitaire Game only
/// for the drawn Tribe (11.36).
pub fn concerns(g: &State, v: VillageId) -> bool {
    !g.variant.solitaire || g.solo.tribe == Some(g.c[v].tribe)
}

/// Returns `true` if a Tribe was drawn in this Round or is in the Alliance; always in other games.
pub fn is_up(g: &State, tribe: TribeId) -> bool {
    let allied = || g.alliances.iter().flat_map(|a| &a.villages).any(|&v| g.c[v].tribe == tribe);
    !g.variant.solitaire || g.solo.tribe == Some(tribe) || allied()
}

/// Checks that a Village of the drawn Tribe takes part in an Alliance (11.36; house reading).
///
/// # Errors
///
/// A [`Refusal`] if none does. Never in other games.
pub fn alliance(g: &State, villages: &[VillageId]) -> Result<(), Refusal> {
    if g.variant.solitaire && !villages.iter().any(|&v| concerns(g, v)) {
        return refuse("11.36", "A Village of the Tribe drawn in this Round must be in the Alliance.");
    }
    Ok(())
}

/// The result of the Solitaire Game (11.31).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// At least as many States as in history.
    Bettered,
    /// Fewer States.
    Worse,
    /// No Transcontinental Railroad in time.
    SuddenDeath,
}

impl Verdict {
    /// Returns the words of the rulebook, as a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Bettered => "The US wins: it has bettered history",
            Verdict::Worse => "The Indians have fared better than in history",
            Verdict::SuddenDeath => {
                "The US has lost by Sudden Death: no Transcontinental Railroad by the end of Turn 6"
            }
        }
    }
}

/// Returns the States.
pub fn states(g: &State) -> impl Iterator<Item = AreaId> + '_ {
    g.area_ids().filter(|&a| g.area(a).state)
}

/// Returns the result if the game ends in this position (11.31).
pub fn verdict(g: &State) -> Verdict {
    match g.transcontinental {
        Some(turn) if turn <= RAILROAD_TURN => {
            if states(g).count() >= STATES {
                Verdict::Bettered
            } else {
                Verdict::Worse
            }
        }
        _ => Verdict::SuddenDeath,
    }
}

/// Ends a Turn without VPs, and returns `true` if it was the last one (11.31).
pub fn turn_ends(t: &T, g: &State) -> bool {
    let late = g.turn >= RAILROAD_TURN && g.transcontinental.is_none();
    t.tell(|| {
        let (states, villages) = (states(g).count(), g.village_ids().filter(|&v| g.in_play(v)).count());
        format!("Turn {} ends: {states} States, {villages} Villages in play.", g.turn)
    });
    let over = late || g.turn == g.turns.1;
    if over {
        t.tell(|| format!("{}.", verdict(g).words()));
    }
    over
}
