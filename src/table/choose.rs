//! A choice among named items, with the question that most rules ask for it.

use super::{Candidate, Description, Game, Pick, PickOrder, Seat, Table};
use std::borrow::Cow;

/// An item to choose: its name, other names, a note for the reader, and its value.
#[derive(Clone, Debug)]
pub struct Named<V> {
    /// The name, unique within its question; it is recorded in the journal.
    pub name: String,
    /// Other names for it that a player may write.
    pub aliases: Vec<String>,
    /// A remark for the reader; may be empty.
    pub note: String,
    /// The value chosen.
    pub value: V,
}

impl<V: Clone + 'static> Named<V> {
    /// Creates an item with this name.
    pub fn new(name: impl Into<String>, value: V) -> Self {
        Named { name: name.into(), aliases: Vec::new(), note: String::new(), value }
    }
    /// Adds another name.
    pub fn or(mut self, name: impl Into<String>) -> Self {
        self.aliases.push(name.into());
        self
    }
    /// Sets the remark for the reader.
    pub fn note(self, note: impl Into<String>) -> Self {
        Named { note: note.into(), ..self }
    }
}

impl<G: Game, V: Clone + 'static> Candidate<G> for Named<V> {
    fn key<'g>(&self, _: &'g G::State) -> Cow<'g, str> {
        self.name.clone().into()
    }
    fn aliases(&self, _: &G::State) -> Vec<String> {
        self.aliases.clone()
    }
    fn note(&self, _: &G::State) -> String {
        self.note.clone()
    }
}

/// The kind, rule and title of a question.
#[derive(Clone, Copy)]
pub struct Asking<K> {
    /// The kind of question.
    pub kind: K,
    /// The number of the rule that asks.
    pub rule: &'static str,
    /// The title: one line, without a period at the end.
    pub title: &'static str,
}

/// Asks a seat to choose one of several items. `line` explains why, unless it returns an empty
/// string. A single item is chosen without asking.
///
/// `among` must not be empty.
pub async fn choose<G: Game<Order: PickOrder>, C: Candidate<G>>(
    t: &Table<G>,
    g: &mut G::State,
    seat: Seat,
    asking: Asking<G::Kind>,
    among: Vec<C>,
    line: impl Fn(&G::State) -> String + 'static,
) -> C {
    if let [only] = &among[..] {
        return only.clone();
    }
    let telling = move |g: &G::State, d: Description| match line(g) {
        line if line.is_empty() => d,
        line => d.line(line),
    };
    t.ask(g, seat, Pick::new(asking.kind, asking.rule, asking.title, among).telling(telling)).await
}
