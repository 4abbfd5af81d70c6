//! Geronimo! (2nd edition): the wars for the American West, 1850 to 1890, for two to five players.
//!
//! One file a chapter of the rulebook; a function's doc comment names its rule. Start at [`play`], the Sequence of Play;
//! the [`state`] says what there is, [`order`] what can be ordered.

pub mod alliance;
pub mod ask;
pub mod battle;
pub mod bot;
pub mod campaign;
pub mod card;
pub mod cards;
pub mod column_words;
pub mod columns;
pub mod components;
pub mod deal;
pub mod end_of_turn;
pub mod events;
mod facts;
mod foreseen;
pub mod help;
pub mod indian;
pub mod legal;
pub mod losses;
pub mod map;
pub mod muster;
pub mod naming;
pub mod order;
pub mod play;
pub mod raids;
pub mod ratings;
pub mod reaction;
pub mod relocation;
pub mod reservation;
pub mod resources;
pub mod restraint;
pub mod ruleset;
pub mod ruling;
pub mod setup;
pub mod solitaire;
pub mod state;
pub mod statehood;
pub mod survival;
pub mod tally;
pub mod target_words;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
mod things;
pub mod variant;
pub mod view;
pub mod village_action;
pub mod village_words;
pub mod visibility;
pub mod war_party;

pub use self::{ask::Ask, order::Order, state::State};

postrider_table::game! {
    /// Geronimo! as the table knows it.
    pub struct Geronimo of State, Order, Ask, at T;
    play = play::play,
    foreseen = foreseen::foreseen,
    view = view::view,
    public = visibility::public,
    masked = visibility::masked,
    faults = legal::faults,
    rule = ruling::rule,
    outcome = view::outcome,
    facts = facts::everywhere,
    fact_names = facts::names,
    figures = view::figures,
    contradict = order::contradict,
    ending = view::ending,
    pieces = view::pieces,
}
