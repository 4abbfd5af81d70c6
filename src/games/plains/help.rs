//! What `help <subject>` answers: each action in a few lines, with orders that can be sent and the rule's number.

use super::{
    components::{Components, Kit as _},
    events::card_line,
    ruleset::RULES,
};
use crate::{
    orders::Phrase,
    table::{Explained, explain},
};

/// Explains a subject that a player names in his own words. `None` where no one subject is meant.
pub fn help(subject: &Phrase) -> Option<Explained> {
    let c = Components::builtin();
    let cards = c.card_ids().map(|card| {
        let title = format!("{} ({}, rule 9)", c[card].name, c[card].deck.name());
        (c[card].name.clone(), Explained::new(title, card_line(c, RULES.version, card)))
    });
    explain(subject, include_str!("help.md"), "the name of a card", cards)
}
