//! What can be chosen, by name, and what is asked between orders.

pub use postrider_table::{Named, choose};

use super::{
    Ask, RosebudCreek, State, T,
    components::{Side, UnitId},
    facts::Scene,
    view,
};
use postrider_table::{self as table, Candidate, Description, Pick, Prompt, hex::Hex};

/// What is asked, by which rule, under which title.
pub type Asking = table::Asking<Ask>;

/// A unit that can be chosen, by its id or its name.
pub fn unit<V: Clone + 'static>(g: &State, u: UnitId, value: V) -> Named<V> {
    Named::new(g.name(u), value).or(g.c[u].name.clone()).note(g.short(u))
}

/// Asks for one of several things at a place about units there: says why, and shows the map around it. A single one is not asked for.
pub async fn choose_at<C: Candidate<RosebudCreek>>(
    t: &T,
    g: &mut State,
    side: Side,
    asking: Asking,
    among: Vec<C>,
    (line, scene): (String, Scene),
) -> C {
    if let [only] = &among[..] {
        return only.clone();
    }
    let at = scene.at;
    let telling = move |g: &State, d: Description| {
        let near: Vec<Hex> = at.map(|at| g.charts.grid.within(at, 2).collect()).unwrap_or_default();
        d.line(line.clone()).drawing(view::around(g, &near))
    };
    let pick = Pick::new(asking.kind, asking.rule, asking.title, among).telling(telling);
    t.ask(g, g.seat(side), pick.knowing(move |g: &State| scene.facts(g))).await
}

/// Asks a side what it does next, between its orders: then all is in place.
pub async fn settled<P: Prompt<RosebudCreek>>(t: &T, g: &mut State, side: Side, prompt: P) -> P::Answer {
    g.resolving = false;
    let answer = t.ask(g, g.seat(side), prompt).await;
    g.resolving = true;
    answer
}
