//! The Battle of Rosebud Creek (Indian Wars of the American West, volume II): 17 June 1876, for two
//! players.
//!
//! There is about one file per chapter of the rulebook; the doc comments cite the rules. Start at
//! `play`, the Sequence of Play; `state` defines the position, `order` the orders, and
//! `doctrine` the decisions made in advance.

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
    /// The game type of The Battle of Rosebud Creek for the table.
    pub struct RosebudCreek of State, Order, Ask, at T;
    play = play::play,
    foreseen = foreseen::foreseen,
    view = view::view,
    public = visibility::public,
    masked = visibility::masked,
    faults = legal::faults,
    effects = ruling::EFFECTS,
    uses = order::uses,
    may_rule = ruling::may_rule,
    after_ruling = victory::set_told,
    outcome = view::outcome,
    facts = facts::everywhere,
    fact_names = facts::names,
    figures = view::figures,
    tell_points = victory::tell_points,
    earned = facts::earned,
    ways = drawn::ways,
    pieces = view::pieces,
}
