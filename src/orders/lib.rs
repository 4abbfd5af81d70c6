#![doc = include_str!("README.md")]

mod courtesy;
mod grammar;
mod misread;
mod names;
mod option;
mod phrase;
mod reader;
#[cfg(test)]
mod tests;
mod text;
mod visible;

pub use courtesy::{People, is_confirmation, is_courtesy, is_greeting, is_surrounding, sentences, without_courtesies};
pub use grammar::{Grammar, OneOf, filler, flag, just, named, nothing, number, one_of, word, word_as};
pub use misread::Misread;
pub use names::{Names, denies, is_function_word};
pub use option::{OptionRef, option_letter, option_ref};
pub use phrase::{Phrase, Word, clauses};
pub use reader::Reader;
pub use text::{capital, counted, list_and, list_or, near, spelt, with_article};
pub use visible::{is_hidden, visible, visible_json};
