//! What can be chosen, by name.

pub use crate::table::{Named, choose};

use super::{Ask, BloodyGround, State, components::AreaId};
use crate::table::{self, Candidate};
use std::borrow::Cow;

/// What is asked, by which rule, under which title.
pub type Asking = table::Asking<Ask>;

/// An area that can be chosen, by its id or its name.
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
