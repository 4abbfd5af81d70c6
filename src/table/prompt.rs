//! Questions of the rules to a seat, and the answers allowed.

use super::{Game, Seat};
use postrider_orders::{Grammar, Misread, Phrase};
use postrider_standing::Fact;
use std::rc::Rc;

/// The refusal of an order, with the rule that it violates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}{}", if *rule == "-" { String::new() } else { format!(" ({rule})") })]
pub struct Refusal {
    /// The rule's number as the rulebook prints it, `7.52`.
    pub rule: &'static str,
    /// The problem and its correction, in a sentence or two.
    pub why: String,
}

/// Refuses an order: `return refuse("7.51", "only a defender may evade")`.
#[cfg_attr(any(test, feature = "testing"), track_caller)]
pub fn refuse<T>(rule: &'static str, why: impl Into<String>) -> Result<T, Refusal> {
    let refusal = Refusal { rule, why: why.into() };
    #[cfg(any(test, feature = "testing"))]
    super::testing::refusals::log(std::panic::Location::caller(), &refusal);
    Err(refusal)
}

/// A legal answer, in words that can be sent as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<O> {
    /// The order.
    pub order: O,
    /// The words for the order: `war party of 4 attacks mine in arizona`.
    pub words: String,
    /// The effect of the order, in a few words; may be empty.
    pub note: String,
}

impl<O> Choice<O> {
    /// Creates a choice without a note.
    pub fn new(order: O, words: impl Into<String>) -> Self {
        Choice { order, words: words.into(), note: String::new() }
    }
    /// Creates a choice whose words are those that `grammar` reads as the order.
    pub fn said(order: O, grammar: &Grammar<'_, O>) -> Self
    where
        O: 'static,
    {
        // The grammar has words for every listed order; tests of whole games read every option
        // back.
        let words = grammar.say(&order).unwrap_or_default();
        Choice::new(order, words)
    }
    /// Sets the remark for the reader.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}

/// The text of a question in a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The title: one line, without a period at the end.
    pub title: String,
    /// The rule that asks, `4.4B`.
    pub rule: &'static str,
    /// The information needed to decide: odds, strengths, consequences.
    pub lines: Vec<String>,
    /// A text drawing of the situation, as lines of at most 76 characters that are not reformatted.
    pub drawing: Vec<String>,
    /// `true` if [`Prompt::options`] lists every legal answer, `false` if it lists only examples.
    pub complete: bool,
    /// Number of options to show in a letter, if a long list would hide the best; the others can
    /// still be ordered.
    pub enough: Option<usize>,
}

impl Description {
    /// Creates the description of a question whose options are all listed.
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
    /// Marks the options as examples: there are more legal answers than can be listed.
    pub fn examples(mut self) -> Self {
        self.complete = false;
        self
    }
    /// Marks the options as examples, of which a letter shows the first `enough`.
    pub fn few(mut self, enough: usize) -> Self {
        self.enough = Some(enough);
        self.examples()
    }
}

/// A question that the rules ask a seat.
///
/// Only [`accept`](Prompt::accept) decides whether an order is legal, both live and in a replay.
/// All other methods serve the reader: the text of the question, the list of answers, the
/// conversion of words to an order.
pub trait Prompt<G: Game>: 'static {
    /// The value returned to the rules.
    type Answer: 'static;
    /// Returns the kind of question.
    fn kind(&self) -> G::Kind;
    /// Accepts an order or refuses it with a reason. It must be fast (it runs in every replay) and
    /// must depend only on its arguments.
    fn accept(&self, g: &G::State, seat: Seat, order: &G::Order) -> Result<Self::Answer, Refusal>;
    /// Describes the question.
    fn describe(&self, g: &G::State, seat: Seat) -> Description;
    /// Reads words as an order. The order need not be legal, but must be what the player meant.
    fn read(&self, g: &G::State, seat: Seat, said: &Phrase) -> Result<G::Order, Misread>;
    /// Returns legal answers: all of them, or (see [`Description::complete`]) the most obvious
    /// ones.
    fn options(&self, g: &G::State, seat: Seat) -> Vec<Choice<G::Order>>;
    /// Returns a random legal answer, or `None` if no answer is legal; `below(n)` returns a number
    /// from 0 to n − 1.
    fn sample(&self, g: &G::State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<G::Order> {
        let mut options = self.options(g, seat);
        if options.is_empty() {
            return None;
        }
        let at = below(u32::try_from(options.len()).unwrap_or(u32::MAX)) as usize;
        Some(options.swap_remove(at).order)
    }
    /// Returns the answer that applies if the deadline passes.
    fn at_deadline(&self, g: &G::State, seat: Seat) -> Option<G::Order> {
        self.options(g, seat).into_iter().next().map(|choice| choice.order)
    }
    /// Returns `true` if an optional question justifies a letter of its own, for example because an
    /// offer has arrived.
    fn urgent(&self, _g: &G::State, _seat: Seat) -> bool {
        false
    }
    /// Returns the facts that conditions of standing orders can compare at this question, in
    /// addition to those known at [every question](Game::facts); with an order, also the facts
    /// about that answer. `g` is masked for the seat.
    fn facts(&self, _g: &G::State, _seat: Seat, _order: Option<&G::Order>) -> Vec<Fact> {
        Vec::new()
    }
    /// Returns reasons why a legal order might not be carried out as written, and its side effects,
    /// as sentences for previews and proposals. `g` is masked for the seat.
    fn cautions(&self, _g: &G::State, _seat: Seat, _order: &G::Order) -> Vec<String> {
        Vec::new()
    }
    /// Returns effects of a legal order that its author probably neither noticed nor wants, as
    /// sentences. Such an order in a mail is executed only after its author confirms it. `g` is
    /// masked for the seat.
    fn dangers(&self, _g: &G::State, _seat: Seat, _order: &G::Order) -> Vec<String> {
        Vec::new()
    }
    /// Returns words that [`read`](Prompt::read) converts to the same order: those of the choice,
    /// if the order is listed.
    fn say(&self, g: &G::State, seat: Seat, order: &G::Order) -> Option<String> {
        self.options(g, seat).into_iter().find(|choice| choice.order == *order).map(|choice| choice.words)
    }
}

/// A [`Prompt`] with its answer type erased, as used outside the rules.
pub trait AnyPrompt<G: Game> {
    /// See [`Prompt::kind`].
    fn kind(&self) -> G::Kind;
    /// Returns an error if [`Prompt::accept`] would refuse the order.
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

/// A prompt with its answer type erased.
pub(super) struct Erased<P>(pub Rc<P>);

/// Wraps a question that may be asked later, for [`Game::foreseen`].
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
