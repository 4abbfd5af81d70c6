//! Tools for tests of games: scripted dice and shuffles, and a session that runs one rule on one
//! position.
//!
//! ```ignore
//! let mut trial = Trial::new(g, |t, mut g| async move { survival_phase(&t, &mut g).await; g })
//!     .dice("attrition", [3])
//!     .start();
//! trial.say("crook gun, miles and howard");
//! assert_eq!(trial.over().columns.len(), 3);
//! ```

pub mod refusals;

use super::{
    Chance, ChanceFault, Choice, Decision, Description, Event, Game, Kind, OpenTicket, Rejected, Rules, Seat, Session,
    Shuffle, Table, Watch,
};
use postrider_orders::{Misread, Phrase};
use std::{
    cell::RefCell,
    collections::{HashMap, VecDeque},
    future::Future,
    rc::Rc,
};

/// Scripted dice by label, dice for any label, and shuffles by deck.
#[derive(Default)]
struct Script {
    labelled: HashMap<&'static str, VecDeque<i64>>,
    any: VecDeque<i64>,
    shuffles: HashMap<&'static str, VecDeque<Vec<u32>>>,
    epochs: HashMap<&'static str, u32>,
}

/// Chance that follows the script: it uses a die for the label if one is left, then one for any
/// label, then fails. A deck without a scripted order remains in the order of its list.
struct ScriptedChance(Rc<RefCell<Script>>);

impl Chance for ScriptedChance {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        let mut script = self.0.borrow_mut();
        let labelled = script.labelled.get_mut(label).and_then(VecDeque::pop_front);
        let got = labelled
            .or_else(|| script.any.pop_front())
            .ok_or_else(|| ChanceFault::NoDie { label: label.to_owned() })?;
        assert!((low..=high).contains(&got), "the script has {got} for \"{label}\" from {low} to {high}");
        Ok(got)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let mut script = self.0.borrow_mut();
        let scripted = script.shuffles.get_mut(deck).and_then(VecDeque::pop_front);
        let order = scripted.unwrap_or_else(|| (0..list.len() as u32).collect());
        assert_eq!(order.len(), list.len(), "the scripted order of \"{deck}\" fits its list");
        let next = script.epochs.entry(deck).or_insert(0);
        let epoch = *next;
        *next += 1;
        Ok(Shuffle { epoch, order })
    }
}

/// Checks the text, the facts and the default answer of a question that a test answers.
fn check_question<G: Game>(g: &G::State, ticket: &OpenTicket<G>, answer: &G::Order) {
    let reads = ticket.prompt.describe(g, ticket.seat);
    assert!(!reads.title.is_empty() && !reads.title.ends_with('.'), "the title of a question: {reads:?}");
    assert!(!reads.rule.is_empty(), "the rule that asks: {reads:?}");
    let is_line = |line: &String| !line.is_empty() && !line.contains("  ");
    assert!(reads.lines.iter().all(is_line), "the lines of a question: {reads:?}");
    for order in [None, Some(answer)] {
        let facts = ticket.prompt.facts(g, ticket.seat, order);
        let is_twice = |at: usize| facts[..at].iter().any(|fact| fact.name == facts[at].name);
        assert!(!(0..facts.len()).any(is_twice), "a fact comes twice: {facts:?}");
    }
    if let Some(order) = ticket.prompt.at_deadline(g, ticket.seat) {
        assert_eq!(ticket.prompt.check(g, ticket.seat, &order), Ok(()), "at the deadline: {order:?}");
    }
}

type Rule<G> = Box<dyn FnOnce(Table<G>, <G as Game>::State) -> Rules<G>>;

/// A rule to run on a position, with scripted chance.
pub struct Trial<G: Game> {
    /// The position before the rule.
    pub state: G::State,
    rule: Rule<G>,
    script: Script,
}

impl<G: Game> Trial<G> {
    pub fn new<F>(state: G::State, rule: impl FnOnce(Table<G>, G::State) -> F + 'static) -> Self
    where
        F: Future<Output = G::State> + 'static,
    {
        Trial { state, rule: Box::new(move |t, g| Box::pin(rule(t, g))), script: Script::default() }
    }
    pub fn dice(mut self, label: &'static str, dice: impl IntoIterator<Item = i64>) -> Self {
        self.script.labelled.entry(label).or_default().extend(dice);
        self
    }
    /// Adds dice for labels that have none of their own left.
    pub fn any_dice(mut self, dice: impl IntoIterator<Item = i64>) -> Self {
        self.script.any.extend(dice);
        self
    }
    /// Adds the result of a shuffle of a deck. Decks without one remain in the order of the list.
    pub fn shuffled(mut self, deck: &'static str, order: Vec<u32>) -> Self {
        self.script.shuffles.entry(deck).or_default().push_back(order);
        self
    }
    pub fn start(self) -> Running<G> {
        let Trial { state, rule, script } = self;
        let script = Rc::new(RefCell::new(script));
        let chance = Box::new(ScriptedChance(script.clone()));
        let session = Session::start_with(move |t| rule(t, state), chance, Watch { digests: false, ..Watch::ALL });
        Running { session, script }
    }
}

/// A running rule. Its methods use only required questions; optional ones are available through
/// [`session`](Running::session).
pub struct Running<G: Game> {
    pub session: Session<G>,
    script: Rc<RefCell<Script>>,
}

impl<G: Game> Running<G> {
    fn sound(&self) {
        if let Some(why) = self.session.fault() {
            panic!("the rules broke: {why}");
        }
    }
    /// Returns the current position and the first required question.
    fn first(&self) -> (&G::State, &OpenTicket<G>) {
        self.sound();
        let seen = self.session.look().expect("the session runs");
        (&seen.state, seen.tickets.iter().find(|k| k.required).expect("something is asked"))
    }
    pub fn now(&self) -> G::State {
        self.sound();
        self.session.look().expect("the session runs").state.clone()
    }
    /// Returns the position at the end of the rule. All scripted dice must have been rolled.
    pub fn over(&self) -> G::State {
        self.sound();
        let asked = self.asked();
        let script = self.script.borrow();
        let left: Vec<_> = script.labelled.iter().filter(|(_, dice)| !dice.is_empty()).collect();
        assert!(left.is_empty() && script.any.is_empty(), "dice never rolled: {left:?} {:?}", script.any);
        self.session.over().unwrap_or_else(|| panic!("the rule still asks {asked:?}")).clone()
    }
    pub fn asked(&self) -> Vec<(Seat, &'static str)> {
        self.sound();
        let seen = self.session.look().expect("the session runs");
        seen.tickets.iter().filter(|k| k.required).map(|k| (k.seat, k.prompt.kind().name())).collect()
    }
    pub fn reads(&self) -> Description {
        let (g, ticket) = self.first();
        ticket.prompt.describe(g, ticket.seat)
    }
    /// Returns the options of the first required question.
    pub fn options(&self) -> Vec<Choice<G::Order>> {
        let (g, ticket) = self.first();
        ticket.prompt.options(g, ticket.seat)
    }
    pub fn words(&self) -> Vec<String> {
        self.options().into_iter().map(|choice| choice.words).collect()
    }
    /// Reads words as an answer to the first required question.
    pub fn read(&self, words: &str) -> Result<G::Order, Misread> {
        let (g, ticket) = self.first();
        ticket.prompt.read(g, ticket.seat, &Phrase::new(words))
    }
    /// Returns the cautions of the first required question for an answer.
    pub fn cautions(&self, words: &str) -> Vec<String> {
        let (g, ticket) = self.first();
        let order =
            ticket.prompt.read(g, ticket.seat, &Phrase::new(words)).unwrap_or_else(|why| panic!("{words}: {why}"));
        ticket.prompt.cautions(g, ticket.seat, &order)
    }
    /// Returns the dangers of the first required question for an answer.
    pub fn dangers(&self, words: &str) -> Vec<String> {
        let (g, ticket) = self.first();
        let order =
            ticket.prompt.read(g, ticket.seat, &Phrase::new(words)).unwrap_or_else(|why| panic!("{words}: {why}"));
        ticket.prompt.dangers(g, ticket.seat, &order)
    }
    /// Answers the first required question with an order, after a check of the question itself.
    pub fn order(&mut self, order: G::Order) -> Result<(), Rejected> {
        let (g, ticket) = self.first();
        check_question(g, ticket, &order);
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        self.session.submit(&decision)
    }
    /// Answers the first required question in words; returns the error if they are not understood
    /// or refused.
    pub fn try_say(&mut self, words: &str) -> Result<(), String> {
        let order = self.read(words).map_err(|why| why.to_string())?;
        self.order(order).map_err(|why| why.to_string())
    }
    /// Answers the first required question in words, which must be understood and legal.
    pub fn say(&mut self, words: &str) -> &mut Self {
        self.try_say(words).unwrap_or_else(|why| panic!("{words}: {why}"));
        self
    }
    /// Answers in words that must be understood but refused; returns the refusal.
    pub fn refused(&mut self, words: &str) -> String {
        let order = self.read(words).unwrap_or_else(|why| panic!("{words}: {why}"));
        match self.order(order) {
            Err(Rejected::Refused(why)) => why.to_string(),
            other => panic!("{words}: not refused, but {other:?}"),
        }
    }
    /// Checks that every option is legal and that its words are read as the same order, and that
    /// `n` samples are legal.
    pub fn check_options(&self, n: u32) {
        let seen = self.session.look().expect("the session runs");
        for ticket in &seen.tickets {
            for choice in ticket.prompt.options(&seen.state, ticket.seat) {
                assert_eq!(ticket.prompt.check(&seen.state, ticket.seat, &choice.order), Ok(()), "{}", choice.words);
                let read = ticket.prompt.read(&seen.state, ticket.seat, &Phrase::new(&choice.words));
                assert_eq!(read.as_ref(), Ok(&choice.order), "{}", choice.words);
            }
            let mut seed = 1_u32;
            let mut below = |k: u32| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 8) % k.max(1)
            };
            for _ in 0..n {
                let order = ticket.prompt.sample(&seen.state, ticket.seat, &mut below).expect("something is legal");
                assert_eq!(ticket.prompt.check(&seen.state, ticket.seat, &order), Ok(()), "{order:?}");
                // The words for an order must be read back as the same order.
                if let Some(words) = ticket.prompt.say(&seen.state, ticket.seat, &order) {
                    let read = ticket.prompt.read(&seen.state, ticket.seat, &Phrase::new(&words));
                    assert_eq!(read.as_ref(), Ok(&order), "{words}");
                }
            }
        }
    }
    pub fn story(&mut self) -> Vec<String> {
        self.session.take_told().into_iter().map(|told| told.line).collect()
    }
    pub fn events(&mut self) -> Vec<Event> {
        self.session.take_events()
    }
}
