//! The language of standing orders: clauses (`evade if outnumbered 2 to 1`), their conditions, and the facts that conditions compare.
//!
//! A game declares its facts ([`FactKind`]) and states them at a question ([`Fact`]). A player's words are parted into
//! [`Clause`]s; the words behind `if` become a [`Condition`] by a [`Vocabulary`], which is then held against the facts.

mod clause;
mod condition;
mod fact;

pub use clause::{Clause, even_if};
pub use condition::{Against, Condition, Test, Vocabulary};
pub use fact::{Fact, FactKind, Measure, Value};
