//! The answers to `help <subject>`: each action in a few lines, with valid orders and the rule's
//! number.

use super::{
    components::{Components, Kit as _},
    events::card_line,
};
use postrider_table::{Explained, Subject, Subjects};

/// The page with the subjects.
const PAGE: &str = include_str!("help.md");

/// Returns all subjects of the game with these components: those of its page, and its cards.
pub fn help(components: &str) -> Subjects {
    let c = &*Components::of(components).unwrap_or_else(|_| Components::builtin().clone());
    let cards = c.card_ids().map(|card| {
        let title = format!("{} ({}, rule 9)", c[card].name, c[card].deck.name());
        Subject::thing(&c[card].name, Explained::new(title, card_line(c, card)))
    });
    Subjects::of(PAGE).and("the name of a card", cards)
}
