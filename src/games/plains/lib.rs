//! Plains Indian Wars: the struggle for the Great Plains, for two to four players.
//!
//! One file a chapter of the rulebook; a function's doc comment names its rule. Start at [`play`], the Sequence of Play; the
//! [`state`] says what there is, [`order`] what can be ordered.

pub mod ask;
pub mod asking;
pub mod bot;
pub mod cards;
pub mod components;
pub mod control;
pub mod discs;
pub mod engagement;
pub mod events;
mod facts;
mod foreseen;
pub mod hand;
pub mod help;
pub mod legal;
pub mod map;
pub mod march;
pub mod movement;
pub mod naming;
pub mod order;
pub mod placement;
pub mod play;
pub mod prospects;
pub mod ruleset;
pub mod ruling;
pub mod scoring;
pub mod setup;
pub mod state;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod trails;
pub mod variant;
pub mod view;
pub mod visibility;
mod words;

pub use self::{ask::Ask, order::Order, state::State};

postrider_table::game! {
    /// Plains Indian Wars as the table knows it.
    pub struct Plains of State, Order, Ask, at T;
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
    pieces = view::pieces,
}
