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
use postrider_table::{AnyPrompt, Below, Game, Outcome, Refusal, Rules, Seat, Table};

/// The Battle of Rosebud Creek as the table knows it.
pub struct RosebudCreek;

/// The table at which The Battle of Rosebud Creek is played.
pub type T = Table<RosebudCreek>;

impl Game for RosebudCreek {
    type State = State;
    type Order = Order;
    type Kind = Ask;
    fn play(t: T, g: State) -> Rules<Self> {
        Box::pin(play::play(t, g))
    }
    fn foreseen(g: &State, seat: Seat) -> Vec<Box<dyn AnyPrompt<Self>>> {
        foreseen::foreseen(g, seat)
    }
    fn view(g: &State, seat: Option<Seat>) -> serde_json::Value {
        view::view(g, seat)
    }
    fn public(g: &State, out: &mut String) {
        visibility::public(g, out);
    }
    fn masked(g: &State, seat: Option<Seat>, below: &mut Below<'_>) -> State {
        visibility::masked(g, seat, below)
    }
    fn faults(g: &State) -> Vec<String> {
        legal::faults(g)
    }
    fn rule(g: &mut State, effect: &serde_json::Value) -> Result<String, Refusal> {
        ruling::rule(g, effect)
    }
    fn outcome(g: &State) -> Outcome {
        view::outcome(g)
    }
    fn facts(g: &State, seat: Seat) -> Vec<postrider_standing::Fact> {
        facts::everywhere(g, seat)
    }
    fn fact_names(g: &State, fact: &str) -> Vec<String> {
        facts::names(g, fact)
    }
    fn ways(g: &State, order: &Order) -> Vec<postrider_table::map::Way> {
        drawn::ways(g, order)
    }
    fn figures(g: &State) -> Vec<(&'static str, i64)> {
        view::figures(g)
    }
    fn pieces(g: &State, seat: Seat) -> Vec<String> {
        view::pieces(g, seat)
    }
}
