//! What `help <subject>` answers: each action in a few lines, with orders that can be sent and the rule's number.

use super::{
    components::{Components, Kit as _},
    events::card_line,
};
use crate::{
    orders::Phrase,
    table::{Explained, Topic, explain, topics},
};
use std::sync::LazyLock;

static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| topics(include_str!("help.md")));

/// Explains a subject that a player names in his own words. `None` where no one subject is meant.
pub fn help(subject: &Phrase) -> Option<Explained> {
    let c = Components::builtin();
    let cards = c.card_ids().map(|card| (c[card].name.clone(), card));
    explain(subject, &TOPICS, "the name of a card", cards, |&card| {
        let title = format!("{} ({}, rule 9)", c[card].name, c[card].deck.name());
        Explained::new(title, card_line(c, card))
    })
}
