//! A choice among things that have a name, and the question for it that most rules ask.

use super::{Candidate, Description, Game, Pick, PickOrder, Seat, Table};
use std::borrow::Cow;

/// Something that can be chosen: its name, other names, a note for the reader, and what it means.
#[derive(Clone, Debug)]
pub struct Named<V> {
    /// The name, unique in its question; it goes into the journal.
    pub name: String,
    /// Other names under which a player may know it.
    pub aliases: Vec<String>,
    /// What the reader may want to know of it; may be empty.
    pub note: String,
    /// What is chosen.
    pub value: V,
}

impl<V: Clone + 'static> Named<V> {
    /// Something of this name.
    pub fn new(name: impl Into<String>, value: V) -> Self {
        Named { name: name.into(), aliases: Vec::new(), note: String::new(), value }
    }
    /// The same, known by another name as well.
    pub fn or(mut self, name: impl Into<String>) -> Self {
        self.aliases.push(name.into());
        self
    }
    /// The same with a remark for the reader.
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

/// What is asked, by which rule, under which title.
#[derive(Clone, Copy)]
pub struct Asking<K> {
    /// The kind of question.
    pub kind: K,
    /// The number of the rule that asks.
    pub rule: &'static str,
    /// Its title: one line, without a full stop.
    pub title: &'static str,
}

/// Asks for one of several things and says why, unless `line` is empty; a single one is not asked for.
///
/// `among` has at least one thing.
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
