//! What can be chosen, by name.

use super::{Ask, RosebudCreek, State, T, components::Side};
use crate::table::{Candidate, Description, Pick, Prompt, Seat};
use std::borrow::Cow;

/// Something with a name, a note for the reader, and what it means.
#[derive(Clone, Debug)]
pub struct Named<V> {
    pub name: String,
    pub note: String,
    pub value: V,
}

impl<V: Clone + 'static> Named<V> {
    pub fn new(name: impl Into<String>, value: V) -> Self {
        Named { name: name.into(), note: String::new(), value }
    }
    pub fn note(self, note: impl Into<String>) -> Self {
        Named { note: note.into(), ..self }
    }
}

impl<V: Clone + 'static> Candidate<RosebudCreek> for Named<V> {
    fn key<'g>(&self, _: &'g State) -> Cow<'g, str> {
        self.name.clone().into()
    }
    fn note(&self, _: &State) -> String {
        self.note.clone()
    }
}

/// What is asked, by which rule, under which title.
#[derive(Clone, Copy)]
pub struct Asking {
    pub kind: Ask,
    pub rule: &'static str,
    pub title: &'static str,
}

/// Asks for one of several things and says why; a single one is not asked for.
pub async fn choose<C: Candidate<RosebudCreek>>(
    t: &T,
    g: &mut State,
    seat: Seat,
    asking: Asking,
    among: Vec<C>,
    line: impl Fn(&State) -> String + 'static,
) -> C {
    if let [only] = &among[..] {
        return only.clone();
    }
    let telling = move |g: &State, d: Description| match line(g) {
        line if line.is_empty() => d,
        line => d.line(line),
    };
    t.ask(g, seat, Pick::new(asking.kind, asking.rule, asking.title, among).telling(telling)).await
}

/// Asks a side what it does next, between its orders: then all is in place.
pub async fn settled<P: Prompt<RosebudCreek>>(t: &T, g: &mut State, side: Side, prompt: P) -> P::Answer {
    g.resolving = false;
    let answer = t.ask(g, g.seat(side), prompt).await;
    g.resolving = true;
    answer
}
