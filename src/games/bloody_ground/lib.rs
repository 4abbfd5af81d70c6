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
use postrider_table::{AnyPrompt, Below, Game, Outcome, Refusal, Rules, Seat, Table};

/// A Dark and Bloody Ground as the table knows it.
pub struct BloodyGround;

/// The table at which A Dark and Bloody Ground is played.
pub type T = Table<BloodyGround>;

impl Game for BloodyGround {
    type State = State;
    type Order = Order;
    type Kind = Ask;
    fn play(t: T, g: State) -> Rules<Self> {
        Box::pin(play::play(t, g))
    }
    /// After `stay` nobody reacts to the move at hand (9.4.5).
    fn contradict(kind: Ask, earlier: &Order, later: &Order) -> bool {
        kind == Ask::Reaction && matches!((earlier, later), (Order::Pass {}, Order::Move { .. }))
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
}
