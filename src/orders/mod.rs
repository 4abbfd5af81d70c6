#![doc = include_str!("README.md")]

mod misread;
mod names;
mod option;
mod phrase;
mod reader;
#[cfg(test)]
mod tests;
mod text;

pub use misread::Misread;
pub use names::Names;
pub use option::{OptionRef, option_ref};
pub use phrase::{Phrase, Word, clauses};
pub use reader::Reader;
pub use text::{WIDTH, capital, fill, list_and, list_or, near, spelt};
