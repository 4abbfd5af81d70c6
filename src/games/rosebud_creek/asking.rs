//! What can be chosen, by name, and what is asked between orders.

pub use crate::table::{Named, choose};

use super::{
    Ask, RosebudCreek, State, T,
    components::{Side, UnitId},
    view,
};
use crate::table::{self, Candidate, Description, Pick, Prompt, hex::Hex};

/// What is asked, by which rule, under which title.
pub type Asking = table::Asking<Ask>;

/// A unit that can be chosen, by its id or its name.
pub fn unit<V: Clone + 'static>(g: &State, u: UnitId, value: V) -> Named<V> {
    Named::new(g.name(u), value).or(g.c[u].name.clone()).note(g.short(u))
}

/// Asks for one of several things at a place: says why, and shows the map around it. A single one is not asked for.
pub async fn choose_at<C: Candidate<RosebudCreek>>(
    t: &T,
    g: &mut State,
    side: Side,
    asking: Asking,
    among: Vec<C>,
    (line, at): (String, Option<Hex>),
) -> C {
    if let [only] = &among[..] {
        return only.clone();
    }
    let telling = move |g: &State, d: Description| {
        let near: Vec<Hex> = at.map(|at| g.charts.grid.within(at, 2).collect()).unwrap_or_default();
        d.line(line.clone()).drawing(view::around(g, &near))
    };
    t.ask(g, g.seat(side), Pick::new(asking.kind, asking.rule, asking.title, among).telling(telling)).await
}

/// Asks a side what it does next, between its orders: then all is in place.
pub async fn settled<P: Prompt<RosebudCreek>>(t: &T, g: &mut State, side: Side, prompt: P) -> P::Answer {
    g.resolving = false;
    let answer = t.ask(g, g.seat(side), prompt).await;
    g.resolving = true;
    answer
}
