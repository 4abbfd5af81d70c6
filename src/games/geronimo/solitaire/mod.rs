//! The Solitaire Game (11.3): one person wears two hats, and the West is won by States alone.
//!
//! Inside the rules there are two seats, [`US`] and [`INDIANS`], as with two players; [`hats`] gives both their questions to
//! the one seat at the table. A Round draws a Shaman Card and plays a Column or activates the next Tribe ([`decks`]). What
//! single cards do otherwise stands in [`events`] and, where it is only a narrower choice, beside each card.
//! House reading: 11.2 is for two players; where 11.3 is silent the general rules hold, so that War Parties may attack any
//! Enemy (6.33), and Columns that coordinate roll one by one (5.72).

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

/// 11.31: with so many States or more the player has bettered history.
pub const STATES: usize = 14;
/// 11.31: by the end of this Turn the Transcontinental Railroad must be complete.
pub const RAILROAD_TURN: u8 = 6;

/// 11.33: the Federales are out of play.
pub fn prepare(g: &mut State) {
    g.us = US;
    g.removed.push(super::card::Card::Federales);
}

/// 11.35: in Turn 1 the US begins; in all others a DR says who does, odd numbers mean the US.
pub fn who_goes_first(t: &T, g: &State) -> Seat {
    if g.turn == 1 {
        t.tell(|| format!("{} has the first Round.", g.who(US)));
        return US;
    }
    let dr = t.roll("first round", 0, 9);
    let first = if dr % 2 == 1 { US } else { INDIANS };
    t.tell(|| format!("{} has the first Round: DR {dr}, the US on an odd one.", g.who(first)));
    first
}

/// 11.35 to 11.38: a Round draws a Shaman Card, and then plays a Column or activates a Tribe.
pub async fn round(t: &T, g: &mut State, seat: Seat) {
    resource_allotment(t, g).await;
    let Some(card) = decks::draw_shaman_card(t, g, seat) else { return };
    if seat == US {
        events_of(t, g, seat, card).await;
        columns::operations(t, g).await;
    } else {
        decks::draw_tribe(t, g).await;
        let after = events_of(t, g, seat, card).await;
        operations(t, g, after).await;
        to_rest(t, g).await;
    }
    g.fx.atrocity = None;
    g.fx.rampage = false;
    g.solo.tribe = None;
}

/// The card, and the random event that it may bring where it has no effect (12.11): here nothing is discarded (11.36), so the
/// Round goes on.
async fn events_of(t: &T, g: &mut State, seat: Seat, card: Card) -> After {
    card_and_event(t, g, seat, card).await.unwrap_or(After::Operation)
}

/// 11.37: one action with each Village of the Tribe drawn; an Alliance has two (11.36).
async fn operations(t: &T, g: &mut State, card: After) {
    // 9.2D: what Bad Blood made a Village do was its own action, not the others'.
    let mut after = if card == After::Nothing { After::Operation } else { card };
    while can_act(g, after) && indian::operation(t, g, INDIANS, after).await {
        if after != After::Alliance || !g.alliances.is_empty() {
            after = After::Operation;
        }
    }
}

/// `true` if any action is left; nobody is asked for nothing.
fn can_act(g: &State, after: After) -> bool {
    !VillageAction { after, compelled: None }.acts(g, INDIANS).is_empty()
}

/// 11.37: War Parties return to their Villages, and whoever was activated is Finished.
async fn to_rest(t: &T, g: &mut State) {
    let mut action = Action::default();
    while let Some(v) = g.parties.first().map(|party| party.village) {
        indian::finish(t, g, &mut action, v).await;
    }
    g.alliances.clear();
    for v in g.village_ids().filter(|&v| g.player_of(v).is_some()).collect::<Vec<_>>() {
        g.village_mut(v).finished = true;
    }
}

/// Villages to which a Shaman Card may apply: all, but in the Solitaire Game only those of the Tribe drawn (11.36).
pub fn concerns(g: &State, v: VillageId) -> bool {
    !g.variant.solitaire || g.solo.tribe == Some(g.c[v].tribe)
}

/// `true` if a Tribe is up: drawn in this Round, or in its Alliance. In other games all are.
pub fn is_up(g: &State, tribe: TribeId) -> bool {
    let allied = || g.alliances.iter().flat_map(|a| &a.villages).any(|&v| g.c[v].tribe == tribe);
    !g.variant.solitaire || g.solo.tribe == Some(tribe) || allied()
}

/// 11.36: an Alliance is the one of the Tribe drawn. House reading: a Village of it must take part.
///
/// # Errors
/// [`Refusal`] of an Alliance without it; never in other games.
pub fn alliance(g: &State, villages: &[VillageId]) -> Result<(), Refusal> {
    if g.variant.solitaire && !villages.iter().any(|&v| concerns(g, v)) {
        return refuse("11.36", "A Village of the Tribe drawn in this Round must be in the Alliance.");
    }
    Ok(())
}

/// How the Solitaire Game ends (11.31).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As many States as history had, or more.
    Bettered,
    /// Fewer.
    Worse,
    /// No Transcontinental Railroad in time.
    SuddenDeath,
}

impl Verdict {
    /// In the words of the rulebook, as a sentence.
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

/// The States.
pub fn states(g: &State) -> impl Iterator<Item = AreaId> + '_ {
    g.area_ids().filter(|&a| g.area(a).state)
}

/// 11.31: what the position comes to, if the game ends now.
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

/// 11.31: the end of a Turn in which nobody scores; says whether it was the last one.
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
