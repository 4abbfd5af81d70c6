//! What a rule asks of a seat, and what may be answered.

use super::{Game, Seat};
use postrider_orders::{Grammar, Misread, Phrase};
use postrider_standing::Fact;
use std::rc::Rc;

/// Why an order was refused, and by which rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why} ({rule})")]
pub struct Refusal {
    /// The rule's number as the rulebook prints it, `7.52`.
    pub rule: &'static str,
    /// What was wrong and what would be right, in a sentence or two.
    pub why: String,
}

/// Refuses an order: `return refuse("7.51", "only a defender may evade")`.
#[cfg_attr(any(test, feature = "testing"), track_caller)]
pub fn refuse<T>(rule: &'static str, why: impl Into<String>) -> Result<T, Refusal> {
    #[cfg(any(test, feature = "testing"))]
    super::testing::refusals::log(std::panic::Location::caller());
    Err(Refusal { rule, why: why.into() })
}

/// One legal answer, in words that can be sent back as they stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<O> {
    /// The order itself.
    pub order: O,
    /// The words that order it, `war party of 4 attacks mine in arizona`.
    pub words: String,
    /// What it would mean, in a few words; may be empty.
    pub note: String,
}

impl<O> Choice<O> {
    /// A choice without a note.
    pub fn new(order: O, words: impl Into<String>) -> Self {
        Choice { order, words: words.into(), note: String::new() }
    }
    /// A choice in the words of the grammar that reads it.
    pub fn said(order: O, grammar: &Grammar<'_, O>) -> Self
    where
        O: 'static,
    {
        // What a question lists it has words for: whole games in tests read every option back.
        let words = grammar.say(&order).unwrap_or_default();
        Choice::new(order, words)
    }
    /// The same choice with a remark for the reader.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}

/// How a question reads in a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// One line, without a full stop.
    pub title: String,
    /// The rule that asks, `4.4B`.
    pub rule: &'static str,
    /// What the reader needs to know to decide: odds, strengths, what follows.
    pub lines: Vec<String>,
    /// A drawing in letters that shows what the question is about: lines of at most 76 characters, which stay as they are.
    pub drawing: Vec<String>,
    /// Whether [`Prompt::options`] lists every legal answer or only examples.
    pub complete: bool,
    /// How many options are enough for a letter, where a long list would hide the best; the others can be ordered all the same.
    pub enough: Option<usize>,
}

impl Description {
    /// A question whose options are all listed.
    pub fn new(title: impl Into<String>, rule: &'static str) -> Self {
        Description { title: title.into(), rule, lines: Vec::new(), drawing: Vec::new(), complete: true, enough: None }
    }
    /// Adds a line of explanation.
    pub fn line(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }
    /// Adds a drawing.
    pub fn drawing(mut self, lines: Vec<String>) -> Self {
        self.drawing = lines;
        self
    }
    /// Says that the options are examples: more answers are legal than can be listed.
    pub fn examples(mut self) -> Self {
        self.complete = false;
        self
    }
    /// Examples of which the first so many are enough for a letter.
    pub fn few(mut self, enough: usize) -> Self {
        self.enough = Some(enough);
        self.examples()
    }
}

/// A question that rules put to a seat.
///
/// [`accept`](Prompt::accept) is the law: it alone decides whether an order is legal, live and in replay. Everything else
/// serves the reader: how the question is told, which answers are listed, how words become an order.
pub trait Prompt<G: Game>: 'static {
    /// What the rules get back.
    type Answer: 'static;
    /// The kind of question.
    fn kind(&self) -> G::Kind;
    /// Takes an order or says why not. Must be quick (it runs in every replay) and must not depend on anything but its
    /// arguments.
    fn accept(&self, g: &G::State, seat: Seat, order: &G::Order) -> Result<Self::Answer, Refusal>;
    /// How the question reads.
    fn describe(&self, g: &G::State, seat: Seat) -> Description;
    /// Makes an order of words. It need not be legal; it must be what was meant.
    fn read(&self, g: &G::State, seat: Seat, said: &Phrase) -> Result<G::Order, Misread>;
    /// Legal answers, all of them or (see [`Description::complete`]) the ones that come to mind first.
    fn options(&self, g: &G::State, seat: Seat) -> Vec<Choice<G::Order>>;
    /// A random legal answer; `below(n)` gives a number from 0 to n − 1. `None` where only silence is legal.
    fn sample(&self, g: &G::State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<G::Order> {
        let mut options = self.options(g, seat);
        if options.is_empty() {
            return None;
        }
        let at = below(u32::try_from(options.len()).unwrap_or(u32::MAX)) as usize;
        Some(options.swap_remove(at).order)
    }
    /// What counts as the answer when the deadline passes.
    fn at_deadline(&self, g: &G::State, seat: Seat) -> Option<G::Order> {
        self.options(g, seat).into_iter().next().map(|choice| choice.order)
    }
    /// Whether an optional question is worth a mail of its own now (an offer has come in, say).
    fn urgent(&self, _g: &G::State, _seat: Seat) -> bool {
        false
    }
    /// What conditions of standing orders can compare at this question, beside what is known at [every one](Game::facts); with an
    /// order also what is known of that answer. `g` is what the seat may see.
    fn facts(&self, _g: &G::State, _seat: Seat, _order: Option<&G::Order>) -> Vec<Fact> {
        Vec::new()
    }
    /// What may keep an order that is legal from being done as it says, and what it brings about beside it: a sentence each, for
    /// previews and proposals. `g` is what the seat may see.
    fn cautions(&self, _g: &G::State, _seat: Seat, _order: &G::Order) -> Vec<String> {
        Vec::new()
    }
    /// What an order that is legal would bring about that its writer can hardly want, and may not have seen: a sentence each. Such an order in
    /// a mail is not done before its writer has said yes. `g` is what the seat may see.
    fn dangers(&self, _g: &G::State, _seat: Seat, _order: &G::Order) -> Vec<String> {
        Vec::new()
    }
    /// An order in words of which [`read`](Prompt::read) makes the same order: those of its choice where it is listed.
    fn say(&self, g: &G::State, seat: Seat, order: &G::Order) -> Option<String> {
        self.options(g, seat).into_iter().find(|choice| choice.order == *order).map(|choice| choice.words)
    }
}

/// A [`Prompt`] whose answer type is forgotten: what the outside sees of a question.
pub trait AnyPrompt<G: Game> {
    /// See [`Prompt::kind`].
    fn kind(&self) -> G::Kind;
    /// Whether [`Prompt::accept`] would take the order.
    fn check(&self, g: &G::State, seat: Seat, order: &G::Order) -> Result<(), Refusal>;
    /// See [`Prompt::describe`].
    fn describe(&self, g: &G::State, seat: Seat) -> Description;
    /// See [`Prompt::read`].
    fn read(&self, g: &G::State, seat: Seat, said: &Phrase) -> Result<G::Order, Misread>;
    /// See [`Prompt::options`].
    fn options(&self, g: &G::State, seat: Seat) -> Vec<Choice<G::Order>>;
    /// See [`Prompt::sample`].
    fn sample(&self, g: &G::State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<G::Order>;
    /// See [`Prompt::at_deadline`].
    fn at_deadline(&self, g: &G::State, seat: Seat) -> Option<G::Order>;
    /// See [`Prompt::urgent`].
    fn urgent(&self, g: &G::State, seat: Seat) -> bool;
    /// See [`Prompt::facts`].
    fn facts(&self, g: &G::State, seat: Seat, order: Option<&G::Order>) -> Vec<Fact>;
    /// See [`Prompt::cautions`].
    fn cautions(&self, g: &G::State, seat: Seat, order: &G::Order) -> Vec<String>;
    /// See [`Prompt::dangers`].
    fn dangers(&self, g: &G::State, seat: Seat, order: &G::Order) -> Vec<String>;
    /// See [`Prompt::say`].
    fn say(&self, g: &G::State, seat: Seat, order: &G::Order) -> Option<String>;
}

/// Forgets the answer type of a prompt.
pub(super) struct Erased<P>(pub Rc<P>);

/// A question as it could come, for [`Game::foreseen`].
pub fn foresee<G: Game>(prompt: impl Prompt<G>) -> Box<dyn AnyPrompt<G>> {
    Box::new(Erased(Rc::new(prompt)))
}

impl<G: Game, P: Prompt<G>> AnyPrompt<G> for Erased<P> {
    fn kind(&self) -> G::Kind {
        self.0.kind()
    }
    fn check(&self, g: &G::State, seat: Seat, order: &G::Order) -> Result<(), Refusal> {
        self.0.accept(g, seat, order).map(drop)
    }
    fn describe(&self, g: &G::State, seat: Seat) -> Description {
        self.0.describe(g, seat)
    }
    fn read(&self, g: &G::State, seat: Seat, said: &Phrase) -> Result<G::Order, Misread> {
        self.0.read(g, seat, said)
    }
    fn options(&self, g: &G::State, seat: Seat) -> Vec<Choice<G::Order>> {
        self.0.options(g, seat)
    }
    fn sample(&self, g: &G::State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<G::Order> {
        self.0.sample(g, seat, below)
    }
    fn at_deadline(&self, g: &G::State, seat: Seat) -> Option<G::Order> {
        self.0.at_deadline(g, seat)
    }
    fn urgent(&self, g: &G::State, seat: Seat) -> bool {
        self.0.urgent(g, seat)
    }
    fn facts(&self, g: &G::State, seat: Seat, order: Option<&G::Order>) -> Vec<Fact> {
        self.0.facts(g, seat, order)
    }
    fn cautions(&self, g: &G::State, seat: Seat, order: &G::Order) -> Vec<String> {
        self.0.cautions(g, seat, order)
    }
    fn dangers(&self, g: &G::State, seat: Seat, order: &G::Order) -> Vec<String> {
        self.0.dangers(g, seat, order)
    }
    fn say(&self, g: &G::State, seat: Seat, order: &G::Order) -> Option<String> {
        self.0.say(g, seat, order)
    }
}
