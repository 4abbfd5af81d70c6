//! Questions that offer named choices.

pub use postrider_table::{Named, choose};

use super::{
    Ask, BloodyGround, State, T,
    components::{AreaId, Side},
};
use postrider_standing::Fact;
use postrider_table::{self as table, Candidate, Description, Pick};
use std::borrow::Cow;

/// The kind, rule and title of a question.
pub type Asking = table::Asking<Ask>;

/// Like [`choose`], with facts that conditions of standing orders can compare.
pub async fn choose_knowing<C: Candidate<BloodyGround>>(
    t: &T,
    g: &mut State,
    side: Side,
    asking: Asking,
    among: Vec<C>,
    line: impl Fn(&State) -> String + 'static,
    knowing: impl Fn(&State) -> Vec<Fact> + 'static,
) -> C {
    if let [only] = &among[..] {
        return only.clone();
    }
    let telling = move |g: &State, d: Description| match line(g) {
        line if line.is_empty() => d,
        line => d.line(line),
    };
    let pick = Pick::new(asking.kind, asking.rule, asking.title, among).telling(telling).knowing(knowing);
    t.ask(g, g.seat(side), pick).await
}

/// An area as a choice, by its id or name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(pub AreaId);

impl Candidate<BloodyGround> for Place {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        (&*g.c[self.0].id).into()
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        vec![g.c[self.0].name.clone()]
    }
    fn note(&self, g: &State) -> String {
        g.c[self.0].name.clone()
    }
}
