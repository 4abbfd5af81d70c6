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
mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
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
    points::{Earned, LEADS, SCORES, VPS, change_of_vps, story_of_vps, tell_vps, vps},
    prompt::{AnyPrompt, Choice, Description, Prompt, Refusal, foresee, refuse},
    rows::{joined, rows},
    ruleset::{ByTurns, Figure, Introduction, RuleRow, Ruleset, rule_rows},
    ruling::{Effect, EffectKind, Mended, SCORE, mended, named, ruled, seat_named},
    session::{Rejected, Session},
    setup::{Absent, OptionalRule, Setup, SetupFault, every_setup, players},
    table::{Draws, OpenTicket, Snapshot, Table, Ticket},
};
pub use postrider_orders::Names;
pub use postrider_standing::Fact;
use serde::{Serialize, de::DeserializeOwned};
pub use serde_json::Value as Json;
use std::{fmt, future::Future, pin::Pin};

/// A place at the table, counted from 0 in the order of the journal's `opened.seats`. Sides may
/// move between seats during a game; seats never do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(pub u8);

impl Seat {
    /// Returns the index of this seat in lists with one entry per seat.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
    /// Returns the seat [displayed](fmt::Display) as this letter, A to Z.
    pub fn from_letter(letter: &str) -> Option<Seat> {
        match letter.as_bytes() {
            [letter @ b'A'..=b'Z'] => Some(Seat(letter - b'A')),
            _ => None,
        }
    }
    /// Returns the seat with this name among the names of all seats, in the order of the journal's
    /// `opened.seats`.
    pub fn among<S: AsRef<str>>(names: &[S], name: &str) -> Option<Seat> {
        let at = names.iter().position(|seat| seat.as_ref() == name)?;
        u8::try_from(at).ok().map(Seat)
    }
}

/// Writes `Seat(0)` as `A`, as in journals.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'A' + self.0))
    }
}

/// The number of a prompt within a whole game, from 0, in the order in which the rules opened the
/// prompts.
pub type PromptId = u32;

/// The running rules of a game; they return the final state.
pub type Rules<G> = Pin<Box<dyn Future<Output = <G as Game>::State>>>;

/// A game: rules, views and an outcome. The rules interact with the world only through their
/// [`Table`], so a game never knows whether it runs live, in a replay, in a test or for a bot.
pub trait Game: Sized + 'static {
    /// The complete position. It is cloned at each look, so keep it small.
    type State: Clone + fmt::Debug + 'static;
    /// An answer of a seat. It is written to the journal as JSON; use enum variants with named
    /// fields, so that an order is always an object.
    type Order: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned + 'static;
    /// The kinds of questions asked by the rules (see [`kinds!`](crate::kinds)).
    type Kind: Kind;

    /// The effects of directors' rulings, corrections of the position by hand. Rulings come between
    /// two decisions; open questions remain open. A ruling that is refused, results in a position
    /// with [faults](Game::faults), or changes nothing has no effect ([`ruled`]). Without effects,
    /// rulings are in words only.
    const EFFECTS: &'static [EffectKind<Self::State>] = &[];

    /// Runs the rules, from the setup to the final score.
    fn play(table: Table<Self>, state: Self::State) -> Rules<Self>;
    /// Returns a question of each kind in its most general form, with every candidate that it could
    /// list (see [`foresee`]). Standing orders and orders for questions that are not open yet are
    /// read with these. `state` is masked for the seat.
    fn foreseen(_state: &Self::State, _seat: Seat) -> Vec<Box<dyn AnyPrompt<Self>>> {
        Vec::new()
    }
    /// Returns the view of a seat (or, with `None`, of a spectator). Everything that people see is
    /// made from a view. The position is already [masked](Game::masked), so hidden information is
    /// not available here.
    fn view(state: &Self::State, seat: Option<Seat>) -> serde_json::Value;
    /// Appends the public form of a position to `out`: everything that a spectator may see, and
    /// nothing else, as canonical JSON. The journal contains its digest at every Round, so it must
    /// change whenever the spectator's view does. It is computed often; a game with large views
    /// should write a more compact form.
    fn public(state: &Self::State, out: &mut String) {
        // `serde_json` sorts the members of objects, and views contain neither nulls nor fractions.
        out.push_str(&Self::view(state, None).to_string());
    }
    /// Returns a position that looks the same to this seat (or, with `None`, to a spectator), with
    /// everything hidden from it replaced by random values. Views are made from it, and bots are
    /// shown it. It must depend only on what the seat can see and on `below`: two positions that
    /// differ only in hidden information give the same result. By default nothing is hidden.
    /// [`visibility!`](crate::visibility) generates it.
    fn masked(state: &Self::State, _seat: Option<Seat>, _below: &mut Below<'_>) -> Self::State {
        state.clone()
    }
    /// Returns the faults of a position between two decisions, in words; empty for every position
    /// that the rules can reach. Tests of whole games call it at every decision, and no ruling may
    /// produce a position with a fault.
    fn faults(_state: &Self::State) -> Vec<String> {
        Vec::new()
    }
    /// Returns an error while no effect of a ruling is possible, for example in the middle of a
    /// battle.
    ///
    /// # Errors
    ///
    /// Returns a [`Refusal`] that says when one is.
    fn may_rule(_state: &Self::State) -> Result<(), Refusal> {
        Ok(())
    }
    /// Returns what an order uses, such as a unit with what it does. One mail cannot answer a
    /// question that [repeats](Kind::repeats) with different orders that use the same.
    fn uses(_order: &Self::Order) -> Vec<String> {
        Vec::new()
    }
    /// Completes the effect of a ruling, for example by marking its VPs as told.
    fn after_ruling(_state: &mut Self::State) {}
    /// Returns the outcome of a finished game. It is recorded in the journal.
    fn outcome(state: &Self::State) -> Outcome;
    /// Returns further data on a finished game for [`Ruleset::end_template`]; by default the
    /// spectator's view under `view`. Unlike the outcome it is not in the journal, so it may be
    /// extended later.
    fn ending(state: &Self::State) -> serde_json::Value {
        // The numbers do not matter, because views do not show made-up values.
        serde_json::json!({ "view": Self::view(&Self::masked(state, None, &mut |_| 0), None) })
    }
    /// Returns the names that the story uses for the seat's pieces. A letter first tells what
    /// happened to these. They are looked up only in lines that the seat may read anyway, so the
    /// list may contain hidden pieces.
    fn pieces(_state: &Self::State, _seat: Seat) -> Vec<String> {
        Vec::new()
    }
    /// Returns the facts that conditions of standing orders can compare at every question of a
    /// seat, such as the Turn and its VPs. [`Ruleset::facts`] declares each.
    fn facts(_state: &Self::State, _seat: Seat) -> Vec<Fact> {
        Vec::new()
    }
    /// Returns the possible values of a fact whose values are names.
    fn fact_names(_state: &Self::State, _fact: &str) -> Vec<String> {
        Vec::new()
    }
    /// Returns the effects of an order on the map, as far as they are known beforehand; empty for
    /// orders that move nothing.
    fn ways(_state: &Self::State, _order: &Self::Order) -> Vec<map::Way> {
        Vec::new()
    }
    /// Tells the VPs that have changed since they were last told. It is called before each question
    /// and each new Round, so that a change is told with its entry.
    fn tell_points(_table: &Table<Self>, _state: &mut Self::State) {}
    /// Returns the VPs of a seat by the rules that gave or took them, each rule once, as in the
    /// [table of rules](Ruleset::rules). VPs set by a director are not among them.
    fn earned(_state: &Self::State, _seat: Seat) -> Vec<(&'static str, i64)> {
        Vec::new()
    }
    /// Returns named figures of a finished game, for statistics on the course of games.
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
