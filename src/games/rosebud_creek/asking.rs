//! Questions with named choices, and questions between orders.

pub use postrider_table::{Named, choose};

use super::{
    Ask, RosebudCreek, State, T,
    components::{Side, UnitId},
    facts::Scene,
    play, view,
};
use postrider_table::{self as table, Candidate, Description, Pick, Prompt, hex::Hex};

/// The kind, rule and title of a question.
pub type Asking = table::Asking<Ask>;

/// Returns a unit as a choice, by its id or name.
pub fn unit<V: Clone + 'static>(g: &State, u: UnitId, value: V) -> Named<V> {
    Named::new(g.name(u), value).or(g.c[u].name.clone()).note(g.short(u))
}

/// Asks for one of several choices about units in a place, with a reason and a map of the
/// surroundings. A single choice is taken without asking.
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

/// Asks a side for its next order, at a time when no order is in progress. Only here a director may
/// rule, also on the turn.
pub async fn settled<P: Prompt<RosebudCreek>>(t: &T, g: &mut State, side: Side, prompt: P) -> P::Answer {
    let turn = g.turn;
    g.resolving = false;
    let answer = t.ask(g, g.seat(side), prompt).await;
    g.resolving = true;
    if g.turn != turn {
        play::head(t, g);
    }
    answer
}
