//! What letters say, as trees of blocks, and what they look like.
//!
//! `block` is what a letter says; `templates` makes it of a game, with templates that a host can replace and that write
//! blocks (`records`); [`render`] makes text and HTML of it.

mod block;
mod error;
mod records;
pub mod render;
pub(crate) mod templates;
#[cfg(test)]
mod tests;
mod words;

pub use self::{
    block::*,
    error::LetterError,
    render::{html, text},
    templates::*,
    words::*,
};
pub use crate::orders::{capital, spelt};
