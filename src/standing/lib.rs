//! The language of standing orders: clauses (`evade if outnumbered 2 to 1`), conditions, and the
//! facts that conditions compare.
//!
//! A game declares its facts ([`FactKind`]) and provides their values at each question ([`Fact`]).
//! A player's words are split into [`Clause`]s. A [`Vocabulary`] reads the words after `if` as a
//! [`Condition`], which is then evaluated against the facts.

mod clause;
mod condition;
mod fact;

pub use clause::{Clause, even_if};
pub use condition::{Against, Condition, Test, Vocabulary};
pub use fact::{Fact, FactKind, Measure, Value};
