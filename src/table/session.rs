//! A running game: the future of its rules, fed one decision at a time.

use super::{
    Chance, ChanceFault, Decision, Event, Game, Outcome, PromptId, Refusal, Rules, Seat, Snapshot, Table, Told, Watch,
    ticket::{Draws, Inner, Ruled},
};
use std::{
    any::Any,
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    task::{Context, Poll, Waker},
};

/// Why a decision was not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Rejected {
    /// The rules refuse it; nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The dice or cards at hand do not fit what the rules asked for. The rules ended where they asked; the session is of no
    /// more use.
    #[error("the rules and the recorded dice or cards part ways: {0}")]
    Chance(ChanceFault),
    /// The rules themselves broke; the session is of no more use and must be rebuilt from its journal.
    #[error("the rules broke down: {0}")]
    Panicked(String),
    /// The game has ended.
    #[error("the game is over")]
    Over,
}

/// A running game.
pub struct Session<G: Game> {
    rules: Option<Rules<G>>,
    table: Table<G>,
    over: Option<G::State>,
    broken: Option<Rejected>,
    seen: Option<Snapshot<G>>,
}

impl<G: Game> Session<G> {
    /// Starts the rules on a first state and runs them to the first question. A breakdown on the way is kept for the
    /// first [`submit`](Session::submit) (and told by [`fault`](Session::fault)).
    pub fn start(state: G::State, chance: Box<dyn Chance>, watch: Watch) -> Self {
        Self::start_with(|table| G::play(table, state), chance, watch)
    }
    /// Starts other rules of the game than the whole rulebook: a single chapter, to try it by itself.
    pub fn start_with(rules: impl FnOnce(Table<G>) -> Rules<G>, chance: Box<dyn Chance>, watch: Watch) -> Self {
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
            freeze: None,
            frozen: None,
        })));
        let mut session = Session { rules: Some(rules(table.clone())), table, over: None, broken: None, seen: None };
        session.broken = session.run().err();
        session
    }
    /// Gives one decision to the rules, which run on to the next question.
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
    /// Does to the position what a director rules, between two decisions. `effect` is what [`Game::rule`] takes, or empty for a
    /// ruling in words alone; everybody is told `told` and what it did.
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
    /// Puts a position in the place of this one that looks the same to a seat, with everything hidden from it made up anew
    /// ([`Game::masked`]). From here on it is a game that could be the true one for all that the seat knows, and not the true one.
    ///
    /// # Errors
    /// [`Rejected`] when the game is broken or over.
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
        let Some(rules) = self.rules.as_mut() else { return Err(Rejected::Over) };
        let polled = catch_unwind(AssertUnwindSafe(|| rules.as_mut().poll(&mut Context::from_waker(Waker::noop()))));
        match polled {
            Err(panic) => {
                self.rules = None;
                // A roll that fails ends the rules so; anything else is their own breakdown.
                return Err(match panic.downcast::<ChanceFault>() {
                    Ok(fault) => Rejected::Chance(*fault),
                    Err(panic) => Rejected::Panicked(panic_text(&*panic)),
                });
            }
            Ok(Poll::Ready(end)) => {
                self.over = Some(end);
                self.rules = None;
            }
            Ok(Poll::Pending) => {}
        }
        let mut t = self.table.0.borrow_mut();
        match t.refused.take() {
            Some(why) => Err(Rejected::Refused(why)),
            None => {
                self.seen = None;
                Ok(())
            }
        }
    }
    /// The position and the open questions. Cheap enough to call after every decision.
    pub fn look(&mut self) -> Result<&Snapshot<G>, Rejected> {
        if self.seen.is_none() {
            self.seen = Some(match (&self.over, self.rules.as_mut()) {
                (Some(end), _) => Snapshot { state: end.clone(), tickets: Vec::new() },
                (None, Some(rules)) => {
                    self.table.0.borrow_mut().look = true;
                    // A poll without a decision can only end in Pending: it makes the copy and changes nothing.
                    let _ = rules.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                    self.table.0.borrow_mut().snapshot.take().ok_or(Rejected::Over)?
                }
                (None, None) => return Err(self.broken.clone().unwrap_or(Rejected::Over)),
            });
        }
        self.seen.as_ref().ok_or(Rejected::Over)
    }
    /// Keeps the position at the beginning of the Round that is called so, before its dice, when the rules come to it next.
    pub fn freeze_at(&mut self, label: &str) {
        self.table.0.borrow_mut().freeze = Some(label.to_owned());
    }
    /// Takes the position that was kept.
    pub fn take_frozen(&mut self) -> Option<G::State> {
        self.table.0.borrow_mut().frozen.take()
    }
    /// Takes what the rules have done since it was last taken.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.table.0.borrow_mut().events)
    }
    /// Takes the story told since it was last taken.
    pub fn take_told(&mut self) -> Vec<Told> {
        std::mem::take(&mut self.table.0.borrow_mut().told)
    }
    /// How many decisions have been taken.
    pub fn decisions(&self) -> u32 {
        self.table.0.borrow().decisions
    }
    /// The kind of the question that the last accepted decision answered; none before the first.
    pub fn answered(&self) -> Option<G::Kind> {
        self.table.0.borrow().answered
    }
    /// The number that the next question will have: how many were put so far.
    pub fn next_prompt(&self) -> PromptId {
        self.table.0.borrow().next_id
    }
    /// From now on keeps this much of what it sees.
    pub fn set_watch(&mut self, watch: Watch) {
        self.table.0.borrow_mut().watch = watch;
    }
    /// What broke the session, if anything did.
    pub fn fault(&self) -> Option<&Rejected> {
        self.broken.as_ref()
    }
    /// The last state, once the game is over.
    pub fn over(&self) -> Option<&G::State> {
        self.over.as_ref()
    }
    /// How the game ended, once it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.over.as_ref().map(G::outcome)
    }
}

/// What a panic said.
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

    /// Rules that are given to the session; nothing is ever asked.
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

    /// Plays what rolls and shuffles so, on a record of dice from 1 to 6 and one shuffle of a deck; says how far it came.
    fn played(dice: &[i64], rules: impl FnOnce(&Table<Rolling>) -> i64 + 'static) -> (Session<Rolling>, bool) {
        let came = Rc::new(Cell::new(false));
        let there = came.clone();
        let die = |&got| RolledDie { label: "die".into(), low: 1, high: 6, got };
        let shuffle = RecordedShuffle { deck: "deck".into(), list: vec!["card".into()], epoch: 3, order: None };
        let record = Recorded { dice: dice.iter().map(die).collect(), shuffles: [shuffle].into() };
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
    fn a_roll_that_fails_ends_the_rules_there() {
        let until_six = |t: &Table<Rolling>| {
            // On any face that is made up these rules would go on without end, or come to their own.
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
