//! What can be chosen, by name, and what is asked between orders.

pub use crate::table::{Named, choose};

use super::{
    Ask, RosebudCreek, State, T,
    components::{Side, UnitId},
};
use crate::table::{self, Prompt};

/// What is asked, by which rule, under which title.
pub type Asking = table::Asking<Ask>;

/// A unit that can be chosen, by its id or its name.
pub fn unit<V: Clone + 'static>(g: &State, u: UnitId, value: V) -> Named<V> {
    Named::new(g.name(u), value).or(g.c[u].name.clone()).note(g.short(u))
}

/// Asks a side what it does next, between its orders: then all is in place.
pub async fn settled<P: Prompt<RosebudCreek>>(t: &T, g: &mut State, side: Side, prompt: P) -> P::Answer {
    g.resolving = false;
    let answer = t.ask(g, g.seat(side), prompt).await;
    g.resolving = true;
    answer
}
