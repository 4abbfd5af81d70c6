//! A running game: the future of its rules, which receives one decision at a time.

use super::{
    Chance, ChanceFault, Decision, Event, Game, Outcome, PromptId, Refusal, Rules, Seat, Snapshot, Table, Told, Watch,
    table::{Draws, Inner, Ruled},
};
use std::{
    any::Any,
    cell::{OnceCell, RefCell},
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    task::{Context, Poll, Waker},
};

/// The reasons why a decision was not executed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Rejected {
    /// The rules refused it; nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The rules asked for dice or cards that are not available or do not match the record. The
    /// rules ended at that request; the session can no longer be used.
    #[error("the rules and the recorded dice or cards differ: {0}")]
    Chance(ChanceFault),
    /// The rules panicked; the session can no longer be used and must be rebuilt from its journal.
    #[error("the rules failed: {0}")]
    Panicked(String),
    /// The game has ended.
    #[error("the game is over")]
    Over,
}

/// A running game.
pub struct Session<G: Game> {
    /// Borrowed to run the rules to the next question, and to have them copy the position.
    rules: RefCell<Option<Rules<G>>>,
    table: Table<G>,
    over: Option<G::State>,
    broken: Option<Rejected>,
    /// The position, copied when it is first looked at.
    seen: OnceCell<Snapshot<G>>,
}

impl<G: Game> Session<G> {
    /// Starts the rules on a first state and runs them to the first question. An error on the way
    /// is returned by the first [`submit`](Session::submit) (and by [`fault`](Session::fault)).
    pub fn start(state: G::State, chance: Box<dyn Chance>, watch: Watch) -> Self {
        Self::start_with(|table| G::play(table, state), chance, watch)
    }
    /// Starts other rules than those of the whole game, for example a single chapter to be tested
    /// alone.
    pub(crate) fn start_with(rules: impl FnOnce(Table<G>) -> Rules<G>, chance: Box<dyn Chance>, watch: Watch) -> Self {
        let table = Table(Rc::new(RefCell::new(Inner {
            inbox: None,
            ruling: None,
            made_up: None,
            refused: None,
            next_id: 0,
            decisions: 0,
            answered: None,
            chance,
            watch,
            events: Vec::new(),
            told: Vec::new(),
            mark: "".into(),
            look: false,
            snapshot: None,
            rounds: 0,
            frozen: None,
        })));
        let rules = RefCell::new(Some(rules(table.clone())));
        let mut session = Session { rules, table, over: None, broken: None, seen: OnceCell::new() };
        session.broken = session.run().err();
        session
    }
    /// Passes a decision to the rules, which run to the next question.
    pub fn submit(&mut self, decision: &Decision<G::Order>) -> Result<(), Rejected> {
        if let Some(why) = &self.broken {
            return Err(why.clone());
        }
        if self.over.is_some() {
            return Err(Rejected::Over);
        }
        {
            let mut t = self.table.0.borrow_mut();
            t.inbox = Some(decision.clone());
        }
        let result = self.run();
        if let Err(why @ (Rejected::Chance(_) | Rejected::Panicked(_))) = &result {
            self.broken = Some(why.clone());
        }
        result
    }
    /// Applies a director's ruling to the position, between two decisions. `effect` is an argument
    /// for [`Game::rule`], or an empty object for a ruling that changes nothing. All players are
    /// told `told` and the effect.
    pub fn rule(&mut self, effect: &serde_json::Value, told: &str) -> Result<(), Rejected> {
        if let Some(why) = &self.broken {
            return Err(why.clone());
        }
        if self.over.is_some() {
            return Err(Rejected::Over);
        }
        if effect.as_object().is_some_and(serde_json::Map::is_empty) {
            self.table.0.borrow_mut().tell(told.to_owned());
            return Ok(());
        }
        self.table.0.borrow_mut().ruling = Some(Ruled { effect: effect.clone(), told: told.to_owned() });
        let result = self.run();
        if let Err(why @ (Rejected::Chance(_) | Rejected::Panicked(_))) = &result {
            self.broken = Some(why.clone());
        }
        result
    }
    /// Replaces the position by one that looks the same to a seat, with everything hidden from it
    /// made up ([`Game::masked`]). From then on it is a game that is consistent with the seat's
    /// knowledge, but not the true one.
    ///
    /// # Errors
    ///
    /// Returns [`Rejected`] if the game is broken or over.
    pub fn make_up(&mut self, seat: Seat, below: Draws) -> Result<(), Rejected> {
        if let Some(why) = &self.broken {
            return Err(why.clone());
        }
        if self.over.is_some() {
            return Err(Rejected::Over);
        }
        self.table.0.borrow_mut().made_up = Some((seat, below));
        self.run()
    }
    fn run(&mut self) -> Result<(), Rejected> {
        let Some(rules) = self.rules.get_mut() else { return Err(Rejected::Over) };
        {
            let mut t = self.table.0.borrow_mut();
            (t.rounds, t.frozen) = (0, None);
        }
        let polled = catch_unwind(AssertUnwindSafe(|| rules.as_mut().poll(&mut Context::from_waker(Waker::noop()))));
        match polled {
            Err(panic) => {
                self.rules.take();
                // A failed roll unwinds with a `ChanceFault`; anything else is a panic of the
                // rules.
                return Err(match panic.downcast::<ChanceFault>() {
                    Ok(fault) => Rejected::Chance(*fault),
                    Err(panic) => Rejected::Panicked(panic_text(&*panic)),
                });
            }
            Ok(Poll::Ready(end)) => {
                self.over = Some(end);
                self.rules.take();
            }
            Ok(Poll::Pending) => {}
        }
        let mut t = self.table.0.borrow_mut();
        match t.refused.take() {
            Some(why) => Err(Rejected::Refused(why)),
            None => {
                self.seen.take();
                Ok(())
            }
        }
    }
    /// Returns the position and the open questions. Cheap enough to call after every decision.
    pub fn look(&self) -> Result<&Snapshot<G>, Rejected> {
        if let Some(seen) = self.seen.get() {
            return Ok(seen);
        }
        let seen = match (&self.over, self.rules.borrow_mut().as_mut()) {
            (Some(end), _) => Snapshot { state: end.clone(), tickets: Vec::new() },
            (None, Some(rules)) => {
                self.table.0.borrow_mut().look = true;
                // A poll without a decision always returns Pending: it copies the position and
                // changes nothing.
                let _ = rules.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                self.table.0.borrow_mut().snapshot.take().ok_or(Rejected::Over)?
            }
            (None, None) => return Err(self.broken.clone().unwrap_or(Rejected::Over)),
        };
        Ok(self.seen.get_or_init(|| seen))
    }
    /// Returns the position at the Round at which the last step was [split](Watch::split), before
    /// that Round's dice.
    pub(crate) fn frozen(&self) -> Option<G::State> {
        self.table.0.borrow().frozen.clone()
    }
    /// Takes the events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.table.0.borrow_mut().events)
    }
    /// Takes the story since the last call.
    pub fn take_told(&mut self) -> Vec<Told> {
        std::mem::take(&mut self.table.0.borrow_mut().told)
    }
    /// Returns the number of decisions executed.
    pub fn decisions(&self) -> u32 {
        self.table.0.borrow().decisions
    }
    /// Returns the kind of the question that the last accepted decision answered; `None` before the
    /// first.
    pub fn answered(&self) -> Option<G::Kind> {
        self.table.0.borrow().answered
    }
    /// Returns the number of the next prompt, which is the number of prompts so far.
    pub fn next_prompt(&self) -> PromptId {
        self.table.0.borrow().next_id
    }
    /// Sets the records to keep from now on.
    pub fn set_watch(&mut self, watch: Watch) {
        self.table.0.borrow_mut().watch = watch;
    }
    /// Returns the error that broke the session, if any.
    pub fn fault(&self) -> Option<&Rejected> {
        self.broken.as_ref()
    }
    /// Returns the final state if the game is over.
    pub fn over(&self) -> Option<&G::State> {
        self.over.as_ref()
    }
    /// Returns the outcome if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.over.as_ref().map(G::outcome)
    }
}

/// Returns the message of a panic.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no reason given").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counted, Recorded, RecordedChance, RecordedShuffle, RolledDie, Seat, Standing};
    use std::cell::Cell;

    crate::kinds! {
        enum Ask {
            ahead { Nothing = "nothing" }
        }
    }

    /// A game whose rules are passed to the session; it never asks a question.
    struct Rolling;

    impl Game for Rolling {
        type State = i64;
        type Order = ();
        type Kind = Ask;
        fn play(_: Table<Self>, state: i64) -> Rules<Self> {
            Box::pin(async move { state })
        }
        fn view(state: &i64, _: Option<Seat>) -> serde_json::Value {
            (*state).into()
        }
        fn outcome(state: &i64) -> Outcome {
            Outcome::by_points(Counted::more("points"), [Standing::new(Seat(0), *state)], "the dice fell so (1)")
        }
    }

    /// Runs rules on a record of dice from 1 to 6 and one shuffle of a deck. The flag is `true` if
    /// the rules ran to their end.
    fn played(dice: &[i64], rules: impl FnOnce(&Table<Rolling>) -> i64 + 'static) -> (Session<Rolling>, bool) {
        played_with(dice.iter().map(|&got| (1, 6, got)), rules)
    }

    /// Like [`played`], with dice of any range.
    fn played_with(
        dice: impl IntoIterator<Item = (i64, i64, i64)>,
        rules: impl FnOnce(&Table<Rolling>) -> i64 + 'static,
    ) -> (Session<Rolling>, bool) {
        let came = Rc::new(Cell::new(false));
        let there = came.clone();
        let die = |(low, high, got)| RolledDie { label: "die".into(), low, high, got };
        let shuffle = RecordedShuffle { deck: "deck".into(), list: vec!["card".into()], epoch: 3, order: None };
        let record = Recorded { dice: dice.into_iter().map(die).collect(), shuffles: [shuffle].into() };
        let chance = Box::new(RecordedChance(Rc::new(RefCell::new(record))));
        let rules = |table: Table<Rolling>| -> Rules<Rolling> {
            Box::pin(async move {
                let end = rules(&table);
                there.set(true);
                end
            })
        };
        (Session::start_with(rules, chance, Watch::ALL), came.get())
    }

    #[test]
    fn a_forged_order_is_refused_in_words() {
        let (session, _) = played(&[], |_| 0);
        let why = crate::DynGame::order(&session, r#"{"do":"bribe"}"#).err().map(|why| why.to_string());
        assert_eq!(why.as_deref(), Some("no question of this game takes such an order"));
    }

    #[test]
    fn a_roll_that_fails_ends_the_rules_there() {
        let until_six = |t: &Table<Rolling>| {
            // If a failed roll returned made-up faces, these rules would loop forever, or reach
            // their end.
            while t.roll("die", 1, 6) < 6 {}
            t.roll("die", 1, 6)
        };
        let (mut session, came) = played(&[4, 6, 2], until_six);
        assert_eq!((session.over(), came), (Some(&2), true));
        assert_eq!(session.take_events().len(), 3);
        let why = Rejected::Chance(ChanceFault::NoDie { label: "die".into() });
        for dice in [&[][..], &[1, 5], &[6]] {
            let (mut session, came) = played(dice, until_six);
            assert_eq!((session.fault(), session.over(), came), (Some(&why), None, false), "{dice:?}");
            assert_eq!(session.take_events().len(), dice.len(), "what fell before is known");
            let decision = Decision { seat: Seat(0), prompt: 0, order: () };
            assert_eq!(session.submit(&decision), Err(why.clone()));
            assert_eq!(session.look().map(|_| ()), Err(why.clone()));
        }
    }

    #[test]
    fn dice_have_six_and_ten_sides() {
        let rules = |t: &Table<Rolling>| 100 * t.d6("die") + t.d10("die");
        let (session, _) = played_with([(1, 6, 6), (0, 9, 9)], rules);
        assert_eq!(session.over(), Some(&609));
        for other in [[(0, 6, 6), (0, 9, 9)], [(1, 7, 6), (0, 9, 9)], [(1, 6, 6), (1, 9, 9)], [(1, 6, 6), (0, 10, 9)]] {
            let (session, _) = played_with(other, rules);
            assert!(session.fault().is_some(), "{other:?}");
        }
    }

    #[test]
    fn a_shuffle_that_fails_ends_the_rules_there() {
        let shuffle =
            |card: &'static str| move |t: &Table<Rolling>| i64::from(t.shuffle("deck", vec![card.into()]).epoch);
        for (card, why) in [
            ("card", ChanceFault::Hidden { deck: "deck".into(), epoch: 3 }),
            ("other", ChanceFault::OtherList { deck: "deck".into() }),
        ] {
            let (mut session, came) = played(&[], shuffle(card));
            assert_eq!((session.fault(), came), (Some(&Rejected::Chance(why)), false));
            assert!(session.take_events().is_empty());
        }
    }

    #[test]
    fn rules_that_break_down_say_why() {
        let (session, _) = played(&[], |_| panic!("no such Area"));
        assert_eq!(session.fault(), Some(&Rejected::Panicked("no such Area".into())));
    }
}
