#![doc = include_str!("README.md")]

mod absence;
mod clause;
mod condition;
mod courtesy;
mod doubt;
mod everyday;
mod fact;
mod grammar;
mod misread;
mod names;
mod option;
mod phrase;
mod reader;
#[cfg(test)]
mod tests;
mod text;
mod until;
mod visible;

pub use absence::{Absence, AbsenceFault, LONGEST_ABSENCE, about_absence, is_date};
pub use clause::{Clause, even_if};
pub use condition::{Against, Condition, Test, Vocabulary};
pub use courtesy::{is_closing, is_confirmation, is_greeting, is_silent, is_telling, peels, sentences};
pub use doubt::{
    Doubt, corrects, denies, doubt, doubt_beside, is_idiom, is_struck, limits, looks_back, puts_off, replaces,
};
pub use everyday::is_everyday;
pub use fact::{Fact, FactKind, Measure, Value};
pub use grammar::{Grammar, OneOf, filler, flag, just, named, nothing, number, one_of, word, word_as};
pub use misread::Misread;
pub use names::Names;
pub use option::{OptionRef, option_ref};
pub use phrase::{Phrase, Word, clauses};
pub use reader::Reader;
pub use text::{capital, list_and, list_or, near, spelt};
pub use until::Until;
pub use visible::{is_hidden, visible, visible_json};
