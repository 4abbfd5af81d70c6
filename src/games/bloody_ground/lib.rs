//! A Dark and Bloody Ground (2nd edition): the war for Ohio, 1790 to 1795, for two players.
//!
//! There is about one file per chapter of the rulebook; the doc comments cite the rules. Start at
//! `play`, the Sequence of Play; [`state`] defines the position, and `order` the orders.

pub mod action;
mod activation;
mod area_set;
mod army;
mod ask;
mod asking;
mod atrocity;
mod battle;
mod board_map;
mod bot;
mod british;
mod cautions;
mod chart_help;
mod combat;
mod commitment;
pub mod components;
mod drops;
mod end;
mod events;
mod facts;
mod foreseen;
mod fort;
mod help;
mod homes;
mod leaders;
mod legal;
mod map;
mod mobilization;
mod movement;
mod order;
mod pieces;
mod pillage;
mod placing;
mod play;
mod raid;
mod ranking;
mod reaction;
pub mod ruleset;
mod ruling;
mod settlers;
pub mod setup;
mod skirmish;
pub mod state;
mod supply;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod variant;
mod victory;
pub mod view;
mod visibility;

pub use self::{ask::Ask, order::Order, state::State};

postrider_table::game! {
    /// The game type of A Dark and Bloody Ground for the table.
    pub struct BloodyGround of State, Order, Ask, at T;
    play = play::play,
    foreseen = foreseen::foreseen,
    view = view::view,
    public = visibility::public,
    masked = visibility::masked,
    faults = legal::faults,
    effects = ruling::EFFECTS,
    may_rule = ruling::may_rule,
    after_ruling = |g| g.told = g.vps,
    outcome = view::outcome,
    facts = facts::everywhere,
    fact_names = facts::names,
    figures = view::figures,
    tell_points = victory::tell_points,
    earned = |g, seat| g.earned.of(facts::side(g, seat)),
    uses = order::uses,
}
