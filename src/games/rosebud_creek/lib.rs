//! The Battle of Rosebud Creek (Indian Wars of the American West, volume II): 17 June 1876, for two players.
//!
//! One file a chapter of the rulebook; a function's doc comment names its rule. Start at [`play`], the Sequence of Play; the
//! [`state`] says what there is, [`order`] what can be ordered, [`doctrine`] what is done where nobody is asked.

pub mod aim;
pub mod ammo;
pub mod ask;
pub mod asking;
pub mod before;
pub mod bot;
pub mod breastworks;
pub mod charge;
pub mod components;
pub mod doctrine;
pub mod drawn;
pub mod duties;
pub mod eagle;
pub mod entry;
pub mod facts;
pub mod fire;
mod foreseen;
pub mod help;
pub mod horses;
pub mod leaders;
pub mod legal;
pub mod map;
pub mod march;
pub mod melee;
pub mod mode;
pub mod morale;
pub mod movement;
pub mod naming;
pub mod order;
pub mod pack;
pub mod play;
pub mod pursuit;
pub mod rally;
pub mod reaction;
pub mod retreat;
pub mod rout;
pub mod ruleset;
pub mod ruling;
pub mod run;
pub mod scatter;
pub mod setup;
pub mod sight;
pub mod standing;
pub mod state;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod variant;
pub mod victory;
pub mod view;
pub mod village;
pub mod visibility;
pub mod volley;
pub mod ways;
pub mod who;
pub mod words;
pub mod zoc;

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
