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
use postrider_table::{AnyPrompt, Below, Game, Outcome, Refusal, Rules, Seat, Table};

/// Plains Indian Wars as the table knows it.
pub struct Plains;

/// The table at which Plains Indian Wars is played.
pub type T = Table<Plains>;

impl Game for Plains {
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
    fn figures(g: &State) -> Vec<(&'static str, i64)> {
        view::figures(g)
    }
    fn facts(g: &State, seat: Seat) -> Vec<postrider_standing::Fact> {
        facts::everywhere(g, seat)
    }
    fn fact_names(g: &State, fact: &str) -> Vec<String> {
        facts::names(g, fact)
    }
    fn pieces(g: &State, seat: Seat) -> Vec<String> {
        let own = g.variant.factions_of(seat);
        own.flat_map(|faction| [faction.name().to_owned(), faction.word().to_owned()]).collect()
    }
}
