//! The bodies that had fewer members in version 1 of the format.

use serde::Deserialize;

use super::{Json, Text, Via};
use crate::dice::Hash;

/// [`super::Joined`] without what version 2 added.
#[derive(Deserialize)]
pub(super) struct Joined<'a> {
    #[serde(borrow)]
    seat: Text<'a>,
    address: Hash,
    luck: Text<'a>,
}

impl<'a> From<Joined<'a>> for super::Joined<'a> {
    fn from(Joined { seat, address, luck }: Joined<'a>) -> Self {
        super::Joined { seat, address, luck, via: None, mail: None }
    }
}

/// [`super::Decision`] without what version 2 added.
#[derive(Deserialize)]
pub(super) struct Decision<'a> {
    #[serde(borrow)]
    seat: Text<'a>,
    prompt: u64,
    ask: Text<'a>,
    order: Json<'a>,
    via: Via,
    #[serde(default)]
    mail: Option<Hash>,
}

impl<'a> From<Decision<'a>> for super::Decision<'a> {
    fn from(Decision { seat, prompt, ask, order, via, mail }: Decision<'a>) -> Self {
        super::Decision { seat, prompt, ask, order, via, mail, words: None }
    }
}
