//! Plains Indian Wars: the struggle for the Great Plains, for two to four players.
//!
//! There is one file for each chapter of the rulebook, and a function's doc comment names its rule.
//! Start at `play`, the Sequence of Play. `state` defines the position, and `order` the
//! orders.

mod ask;
mod asking;
mod bot;
mod cards;
pub mod components;
mod control;
mod discs;
mod engagement;
mod events;
mod facts;
mod foreseen;
mod hand;
mod help;
mod legal;
mod map;
mod march;
mod movement;
mod naming;
mod order;
mod placement;
mod play;
mod prospects;
pub mod ruleset;
mod ruling;
mod scoring;
mod setup;
mod state;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod trails;
mod variant;
pub mod view;
mod visibility;
mod words;

pub use self::{ask::Ask, order::Order, state::State};

postrider_table::game! {
    /// Plains Indian Wars, as defined for the table.
    pub struct Plains of State, Order, Ask, at T;
    play = play::play,
    foreseen = foreseen::foreseen,
    view = view::view,
    public = visibility::public,
    masked = visibility::masked,
    faults = legal::faults,
    effects = ruling::EFFECTS,
    uses = order::uses,
    may_rule = ruling::may_rule,
    after_ruling = scoring::set_told,
    outcome = view::outcome,
    facts = facts::everywhere,
    fact_names = facts::names,
    figures = view::figures,
    tell_points = scoring::tell_points,
    earned = scoring::earned,
    pieces = view::pieces,
}
