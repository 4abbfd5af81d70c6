//! A Dark and Bloody Ground (2nd edition): the war for Ohio, 1790 to 1795, for two players.
//!
//! One file a chapter of the rulebook; a function's doc comment names its rule. Start at [`play`], the Sequence of Play; the
//! [`state`] says what there is, [`order`] what can be ordered.

pub mod action;
pub mod activation;
pub mod area_set;
pub mod army;
pub mod ask;
pub mod asking;
pub mod atrocity;
pub mod battle;
pub mod board_map;
pub mod bot;
pub mod british;
pub mod cautions;
pub mod combat;
pub mod commitment;
pub mod components;
pub mod drops;
pub mod end;
pub mod events;
pub mod facts;
mod foreseen;
pub mod fort;
pub mod help;
pub mod homes;
pub mod leaders;
pub mod legal;
pub mod lots;
pub mod map;
pub mod mobilization;
pub mod movement;
pub mod order;
pub mod pieces;
pub mod pillage;
pub mod play;
pub mod raid;
pub mod ranking;
pub mod reaction;
pub mod ruleset;
pub mod ruling;
pub mod settlers;
pub mod setup;
pub mod sheets;
pub mod skirmish;
pub mod state;
pub mod supply;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod variant;
pub mod victory;
pub mod view;
pub mod visibility;

pub use self::{ask::Ask, order::Order, state::State};

postrider_table::game! {
    /// A Dark and Bloody Ground as the table knows it.
    pub struct BloodyGround of State, Order, Ask, at T;
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
}
