#![doc = include_str!("README.md")]

mod bot;
mod cards;
mod chance;
pub mod chart;
mod choose;
pub mod components;
mod dyn_game;
mod entry;
mod event;
mod form;
mod game;
mod help;
pub mod hex;
mod kind;
mod law;
pub mod map;
mod next;
mod order;
mod outcome;
mod pick;
mod points;
mod prompt;
mod rows;
mod ruleset;
mod ruling;
mod session;
mod setup;
pub mod status;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod ticket;
mod visibility;

pub use self::{
    bot::{Below, Bot, BotDecision, Bots, Mind, NamedBot, Question, RANDOM, Thinking, best},
    cards::{Hands, Held, make_up},
    chance::{
        Chance, ChanceFault, Die, NotedChance, Recorded, RecordedChance, RecordedShuffle, RolledDie, SeededChance,
        Shuffle,
    },
    choose::{Asking, Named, choose},
    dyn_game::{Asked, DynGame, Listed, Understood},
    entry::Entry,
    event::{Decision, Event, Told, Watch, Whom},
    form::{Form, List, Number, Numbers, Terse, each, flags},
    help::{Explained, NoHelp, Subject, Subjects, topics},
    kind::{Kind, ahead, binding, repeats},
    law::Law,
    map::{GameMap, steps},
    next::{follows, order_kind},
    order::AnyOrder,
    outcome::{Better, Counted, Finish, Outcome, Standing},
    pick::{Candidate, NO, OneOr, Pick, PickOrder, Word, YES},
    points::{LEADS, SCORES, VPS, change_of_vps, story_of_vps, vps},
    prompt::{AnyPrompt, Choice, Description, Prompt, Refusal, foresee, refuse},
    rows::{joined, rows},
    ruleset::{ByTurns, Figure, Introduction, Ruleset},
    ruling::{Effect, EffectKind, MARKERS, Mended, SCORE, carry_out, mended, named, ruled, seat_named},
    session::{Rejected, Session},
    setup::{Absent, OptionalRule, Setup, SetupFault, every_setup},
    ticket::{Draws, OpenTicket, Snapshot, Table, Ticket},
};
pub use postrider_orders::Names;
pub use postrider_standing::Fact;
use serde::{Serialize, de::DeserializeOwned};
pub use serde_json::Value as Json;
use std::{fmt, future::Future, pin::Pin};

/// A place at the table, counted from 0 in the order of the journal's `opened.seats`. Sides may move between seats
/// during a game; seats never do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(pub u8);

impl Seat {
    /// The position of this seat in lists that have one entry a seat.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
    /// The seat that is [shown](fmt::Display) as this one letter, A to Z.
    pub fn from_letter(letter: &str) -> Option<Seat> {
        match letter.as_bytes() {
            [letter @ b'A'..=b'Z'] => Some(Seat(letter - b'A')),
            _ => None,
        }
    }
    /// The seat of this name among the names of all seats, in the order of the journal's `opened.seats`.
    pub fn among<S: AsRef<str>>(names: &[S], name: &str) -> Option<Seat> {
        let at = names.iter().position(|seat| seat.as_ref() == name)?;
        u8::try_from(at).ok().map(Seat)
    }
}

/// `Seat(0)` is shown as `A`, as in journals.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'A' + self.0))
    }
}

/// The ordinal of a prompt over a whole game, counted from 0 in the order in which the rules opened them.
pub type PromptId = u32;

/// The running rules of a game: they end with the last state.
pub type Rules<G> = Pin<Box<dyn Future<Output = <G as Game>::State>>>;

/// A game: a first state, rules, views and an outcome. The rules learn of the world through their [`Table`] alone, so a
/// game never knows whether it runs live, in a replay, in a test or for a bot.
pub trait Game: Sized + 'static {
    /// Everything there is to know about a position. Cloned when somebody looks, so keep it small.
    type State: Clone + fmt::Debug + 'static;
    /// What a seat can answer. Written into the journal as JSON: enum variants with named fields, so that an order is
    /// always an object.
    type Order: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned + 'static;
    /// The kinds of questions that its rules ask (see [`kinds!`](crate::kinds)).
    type Kind: Kind;

    /// The rulebook, from set-up to the last point.
    fn play(table: Table<Self>, state: Self::State) -> Rules<Self>;
    /// A question of each kind at its widest, with every candidate that it could list (see [`foresee`]). Orders for questions
    /// that are not open yet are read by these, and so are standing orders. `state` is what the seat may see.
    fn foreseen(_state: &Self::State, _seat: Seat) -> Vec<Box<dyn AnyPrompt<Self>>> {
        Vec::new()
    }
    /// What one seat (or, with `None`, a spectator) may see. The one door between a state and anybody's eyes. It is given a
    /// [masked](Game::masked) position, so what is hidden is not there to be shown.
    fn view(state: &Self::State, seat: Option<Seat>) -> serde_json::Value;
    /// Adds to `out` the public form of a position: everything that a spectator may see, and nothing else, as canonical JSON.
    /// Its digest stands in the journal at every Round, so it changes whenever the spectator's view does, and it is made
    /// often: a game with large views writes something terser of its own.
    fn public(state: &Self::State, out: &mut String) {
        // The objects of a Value are sorted, and views hold neither nulls nor fractions.
        out.push_str(&Self::view(state, None).to_string());
    }
    /// A position that looks the same to this seat (or, with `None`, to a spectator), with everything hidden from it made up
    /// anew: what views are made from, and what bots are shown. It must follow from what the seat can see and from `below`
    /// alone: two positions that differ only in what is hidden give the same one. Without it nothing is hidden.
    /// [`visibility!`](crate::visibility) writes it.
    fn masked(state: &Self::State, _seat: Option<Seat>, _below: &mut Below<'_>) -> Self::State {
        state.clone()
    }
    /// What is wrong with a position between two decisions, in words; empty for every position that the rules can reach. Tests
    /// of whole games ask it everywhere, and no ruling may make a position that has a fault.
    fn faults(_state: &Self::State) -> Vec<String> {
        Vec::new()
    }
    /// Does to a position what a director rules; `effect` is a JSON object that is not empty. Says in words what it did. It
    /// comes between two decisions, and the questions that are open then stay open. What is refused, leaves a position with
    /// [faults](Game::faults) or leaves it as it is has changed nothing ([`ruled`]); [`effect`], [`named`] and [`Markers`] help to write it.
    ///
    /// # Errors
    /// [`Refusal`] with what is wrong, or that this game knows no such effect.
    fn rule(_state: &mut Self::State, _effect: &serde_json::Value) -> Result<String, Refusal> {
        refuse("-", "this game knows no rulings with an effect; one in words alone can be given")
    }
    /// `true` if one mail cannot mean both orders, although questions of this kind may be answered several times;
    /// `earlier` is above `later`.
    fn contradict(_kind: Self::Kind, _earlier: &Self::Order, _later: &Self::Order) -> bool {
        false
    }
    /// How the game ended; asked of finished states only. The journal keeps it.
    fn outcome(state: &Self::State) -> Outcome;
    /// What else people look back on, for [`Ruleset::end_template`]: under `view` what a spectator
    /// sees, if the game does not say otherwise. Unlike the outcome it is not in the journal, so it
    /// may grow.
    fn ending(state: &Self::State) -> serde_json::Value {
        // What is made up is not shown.
        serde_json::json!({ "view": Self::view(&Self::masked(state, None, &mut |_| 0), None) })
    }
    /// The names by which the story calls what a seat has on the table: a letter tells it first what befell these. They are looked
    /// for in what the seat is told anyway, and only there, so that hidden ones may be among them.
    fn pieces(_state: &Self::State, _seat: Seat) -> Vec<String> {
        Vec::new()
    }
    /// What conditions of standing orders can compare at every question of a seat, such as the Turn and its VPs.
    /// [`Ruleset::facts`] declares each.
    fn facts(_state: &Self::State, _seat: Seat) -> Vec<Fact> {
        Vec::new()
    }
    /// The names that a fact of this name can have, for facts that are names.
    fn fact_names(_state: &Self::State, _fact: &str) -> Vec<String> {
        Vec::new()
    }
    /// What an order of a seat would do on the map, as far as that is known before it is done; none for orders that move nothing there.
    fn ways(_state: &Self::State, _order: &Self::Order) -> Vec<map::Way> {
        Vec::new()
    }
    /// Figures of a finished game for statistics, by name: how its course compares with others.
    fn figures(_state: &Self::State) -> Vec<(&'static str, i64)> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_found_by_its_letter_and_by_its_name() {
        for seat in (0..26).map(Seat) {
            assert_eq!(Seat::from_letter(&seat.to_string()), Some(seat));
        }
        for none in ["", "a", "AA", "[", "É"] {
            assert_eq!(Seat::from_letter(none), None, "{none}");
        }
        let names = ["red", "blue"];
        assert_eq!(["blue", "A"].map(|name| Seat::among(&names, name)), [Some(Seat(1)), None]);
    }
}
