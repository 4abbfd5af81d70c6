//! The Battle of Rosebud Creek (Indian Wars of the American West, volume II): 17 June 1876, for two players.
//!
//! One file a chapter of the rulebook; a function's doc comment names its rule. Start at [`play`], the Sequence of Play; the
//! [`state`] says what there is, [`order`] what can be ordered, [`doctrine`] what is done where nobody is asked.

mod aim;
mod ammo;
mod ask;
mod asking;
mod before;
mod bot;
mod breastworks;
mod charge;
pub mod components;
mod doctrine;
mod drawn;
mod duties;
mod eagle;
mod entry;
mod facts;
mod fire;
mod foreseen;
mod help;
mod horses;
mod leaders;
mod legal;
mod map;
mod march;
mod melee;
mod mode;
mod morale;
pub mod movement;
mod naming;
mod order;
mod pack;
mod play;
mod pursuit;
mod rally;
mod reaction;
mod retreat;
mod rout;
pub mod ruleset;
mod ruling;
mod run;
mod scatter;
pub mod setup;
pub mod sight;
mod standing;
mod state;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod variant;
mod victory;
pub mod view;
mod village;
mod visibility;
mod volley;
mod ways;
mod who;
mod words;
mod zoc;

pub use self::{ask::Ask, order::Order, state::State};

postrider_table::game! {
    /// The Battle of Rosebud Creek as the table knows it.
    pub struct RosebudCreek of State, Order, Ask, at T;
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
    ways = drawn::ways,
    pieces = view::pieces,
}
