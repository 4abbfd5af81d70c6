//! Geronimo! (2nd edition): the wars for the American West, 1850 to 1890, for one to five players.
//!
//! There is one file for each chapter of the rulebook, and a function's doc comment names its rule.
//! Start at `play`, the Sequence of Play. [`state`] defines the position, and `order` the
//! orders.

mod alliance;
mod ask;
mod battle;
mod bot;
mod campaign;
pub mod card;
mod cards;
mod column_words;
mod columns;
pub mod components;
mod deal;
mod end_of_turn;
mod events;
mod facts;
mod foreseen;
mod help;
mod indian;
mod legal;
mod losses;
mod map;
mod muster;
mod naming;
mod order;
mod piece_help;
mod play;
mod raids;
mod ratings;
mod reaction;
mod relocation;
mod reservation;
mod resources;
mod restraint;
pub mod ruleset;
mod ruling;
pub mod setup;
mod solitaire;
pub mod state;
mod statehood;
mod survival;
mod tally;
mod target_words;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod variant;
pub mod view;
mod village_action;
mod village_words;
pub mod visibility;
mod war_party;

pub use self::{ask::Ask, order::Order, state::State};

postrider_table::game! {
    /// Geronimo!, as defined for the table.
    pub struct Geronimo of State, Order, Ask, at T;
    play = play::play,
    foreseen = foreseen::foreseen,
    view = view::view,
    public = visibility::public,
    masked = visibility::masked,
    faults = legal::faults,
    effects = ruling::EFFECTS,
    outcome = view::outcome,
    facts = facts::everywhere,
    fact_names = facts::names,
    figures = view::figures,
    earned = |g, seat| g.tally[seat.index()].earned.of(()),
    uses = order::uses,
    may_rule = ruling::may_rule,
    ending = view::ending,
    pieces = view::pieces,
}
