//! Geronimo! (2nd edition): the wars for the American West, 1850 to 1890, for two to five players.
//!
//! One file a chapter of the rulebook; a function's doc comment names its rule. Start at [`play`], the Sequence of Play;
//! the [`state`] says what there is, [`order`] what can be ordered.

pub mod alliance;
pub mod ask;
pub mod battle;
pub mod bot;
pub mod campaign;
pub mod card;
pub mod cards;
pub mod column_words;
pub mod columns;
pub mod components;
pub mod deal;
pub mod end_of_turn;
pub mod events;
mod facts;
mod foreseen;
pub mod help;
pub mod indian;
pub mod legal;
pub mod losses;
pub mod map;
pub mod muster;
pub mod naming;
pub mod order;
pub mod play;
pub mod raids;
pub mod ratings;
pub mod reaction;
pub mod relocation;
pub mod reservation;
pub mod resources;
pub mod restraint;
pub mod ruleset;
pub mod ruling;
pub mod setup;
pub mod solitaire;
pub mod state;
pub mod statehood;
pub mod survival;
pub mod tally;
pub mod target_words;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
mod things;
pub mod variant;
pub mod view;
pub mod village_action;
pub mod village_words;
pub mod visibility;
pub mod war_party;

pub use self::{ask::Ask, order::Order, state::State};
use postrider_table::{AnyPrompt, Below, Game, Outcome, Refusal, Rules, Seat, Table};

/// Geronimo! as the table knows it.
pub struct Geronimo;

/// The table at which Geronimo! is played.
pub type T = Table<Geronimo>;

impl Game for Geronimo {
    type State = State;
    type Order = Order;
    type Kind = Ask;
    fn play(t: T, g: State) -> Rules<Self> {
        Box::pin(play::play(t, g))
    }
    /// An offer is accepted or refused (8.11).
    fn contradict(_: Ask, earlier: &Order, later: &Order) -> bool {
        match (earlier, later) {
            (Order::Accept { village }, Order::Refuse { village: other })
            | (Order::Refuse { village }, Order::Accept { village: other }) => village == other,
            _ => false,
        }
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
    fn ending(g: &State) -> serde_json::Value {
        view::ending(g)
    }
    fn pieces(g: &State, seat: Seat) -> Vec<String> {
        if seat == g.us {
            return g.columns.iter().map(|column| g.column_name(column.id).to_owned()).collect();
        }
        let own = g.village_ids().filter(|&v| g.player_of(v) == Some(seat));
        own.map(|v| g.c[v].name.clone()).collect()
    }
    fn facts(g: &State, seat: Seat) -> Vec<postrider_standing::Fact> {
        facts::everywhere(g, seat)
    }
    fn fact_names(g: &State, fact: &str) -> Vec<String> {
        facts::names(g, fact)
    }
    fn figures(g: &State) -> Vec<(&'static str, i64)> {
        view::figures(g)
    }
}
