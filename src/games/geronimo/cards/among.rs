//! The candidates in the questions of cards.

use super::super::{
    Geronimo, State, T,
    components::{AreaId, TribeId, VillageId},
    losses::Defender,
    reservation::ask,
    state::{PartyId, Place},
};
use postrider_orders::counted;
use postrider_table::{Candidate, Pick, Seat, Word};
use std::borrow::Cow;

/// Asks for one of the candidates. A single candidate is returned without a question, and `None` if
/// there are none.
pub async fn choose<C: Candidate<Geronimo>>(
    t: &T,
    g: &mut State,
    seat: Seat,
    mut among: Vec<C>,
    question: impl FnOnce(Vec<C>) -> Pick<Geronimo, C>,
) -> Option<C> {
    match among.len() {
        0 | 1 => among.pop(),
        _ => Some(ask(t, g, seat, question(among)).await),
    }
}

/// Asks for one of the candidates, even if there is only one. The candidates depend on Tribal Cards
/// that only the seat knows, so omitting the question would reveal how many Tribes it holds. In the
/// Solitaire Game nothing is hidden, and a single candidate is returned without a question.
pub async fn choose_by_hand<C: Candidate<Geronimo>>(
    t: &T,
    g: &mut State,
    seat: Seat,
    among: Vec<C>,
    question: impl FnOnce(Vec<C>) -> Pick<Geronimo, C>,
) -> Option<C> {
    match among.is_empty() || g.variant.solitaire {
        true => choose(t, g, seat, among, question).await,
        false => Some(ask(t, g, seat, question(among)).await),
    }
}

/// An Area, by its name or code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InArea(pub AreaId);

impl Candidate<Geronimo> for InArea {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.c[self.0].name.as_str().into()
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        vec![g.c[self.0].code.clone()]
    }
    fn note(&self, g: &State) -> String {
        let here: Vec<_> = g.villages_in(self.0).map(|v| g.c[v].name.as_str()).collect();
        let here = if here.is_empty() { String::new() } else { format!("; {}", here.join(", ")) };
        format!("SPs {}{here}", g.survival_points(self.0))
    }
}

/// A Village, by its full or short name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OneVillage(pub VillageId);

impl Candidate<Geronimo> for OneVillage {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.c[self.0].name.as_str().into()
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        vec![g.c[self.0].short.clone()]
    }
    fn note(&self, g: &State) -> String {
        let place = match g.village(self.0).place {
            Place::Area(a) => g.c[a].name.as_str(),
            Place::Mexico { .. } => "Mexico",
            Place::Canada { .. } => "Canada",
            Place::Reservation { .. } => "the Reservation",
            Place::Extinct => "no place",
        };
        let bps = g.village(self.0).bps;
        format!("in {place}, {} at home", counted(bps, "BP"))
    }
}

/// No Village or Chief.
pub const NOBODY: Word = Word::new("nobody").or(&["none", "no one"]);

/// A Tribe, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OneTribe(pub TribeId);

impl Candidate<Geronimo> for OneTribe {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        g.c[self.0].name.as_str().into()
    }
}

/// A War Party, by its Village's name, with `2` for the second one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OneParty(pub PartyId);

impl Candidate<Geronimo> for OneParty {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        // A War Party that no longer exists is in no list.
        g.party(self.0).map_or("".into(), |party| g.party_name(party).into())
    }
    fn note(&self, g: &State) -> String {
        g.party(self.0).map_or_else(String::new, |party| counted(party.bps, "BP"))
    }
}

/// A Village, or a War Party as `war party comanche`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Indians(pub Defender);

impl Candidate<Geronimo> for Indians {
    fn key<'g>(&self, g: &'g State) -> Cow<'g, str> {
        match self.0 {
            Defender::Village(v) => OneVillage(v).key(g),
            Defender::Party(id) => format!("War Party {}", OneParty(id).key(g)).into(),
        }
    }
    fn aliases(&self, g: &State) -> Vec<String> {
        match self.0 {
            Defender::Village(v) => vec![g.c[v].short.clone(), format!("Village {}", g.c[v].name)],
            Defender::Party(id) => vec![format!("{} War Party", OneParty(id).key(g))],
        }
    }
    fn note(&self, g: &State) -> String {
        match self.0 {
            Defender::Village(v) => OneVillage(v).note(g),
            Defender::Party(id) => OneParty(id).note(g),
        }
    }
}
