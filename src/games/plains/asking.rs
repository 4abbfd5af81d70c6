//! Questions that the rules of several chapters ask: the choice of a spot or of a colour.

use super::{
    Ask, Plains, T,
    components::{Faction, Spot},
    state::{State, tell_cubes},
};
use postrider_table::{Candidate, Pick, Seat};
use std::borrow::Cow;

/// A spot as a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(pub Spot);

impl Candidate<Plains> for Place {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.c.spot_name(self.0).into()
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        match self.0 {
            Spot::Region(r) => vec![g.c[r].id.clone()],
            _ => Vec::new(),
        }
    }
    fn note(&self, g: &State) -> String {
        let cubes = g.cubes(self.0);
        if cubes.is_empty() { String::new() } else { tell_cubes(cubes) }
    }
}

/// A colour as a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub Faction);

impl Candidate<Plains> for Colour {
    fn key<'g>(&self, _: &'g State) -> Cow<'g, str> {
        self.0.cubes().into()
    }
    fn aliases(&self, _: &State) -> Vec<String> {
        vec![self.0.name().to_owned()]
    }
}

/// Asks for one of several spots. If there is only one, it is returned without a question.
pub async fn one_spot(
    t: &T,
    g: &mut State,
    seat: Seat,
    kind: Ask,
    rule: &'static str,
    title: &'static str,
    ways: Vec<Spot>,
) -> Spot {
    if let [only] = ways[..] {
        return only;
    }
    let pick = Pick::new(kind, rule, title, ways.into_iter().map(Place).collect()).verbs(&["to"]);
    t.ask(g, seat, pick).await.0
}

/// The kind of a question, its rule and its title.
pub struct Asking {
    pub kind: Ask,
    pub rule: &'static str,
    pub title: &'static str,
}

/// Asks for one of several spots, with a line of explanation. If there is only one, it is returned
/// without a question.
pub async fn one_spot_told(
    t: &T,
    g: &mut State,
    seat: Seat,
    asking: Asking,
    ways: Vec<Spot>,
    line: impl Fn(&State) -> String + 'static,
) -> Spot {
    if let [only] = ways[..] {
        return only;
    }
    let pick = Pick::new(asking.kind, asking.rule, asking.title, ways.into_iter().map(Place).collect())
        .verbs(&["to"])
        .telling(move |g, d| d.line(line(g)));
    t.ask(g, seat, pick).await.0
}
