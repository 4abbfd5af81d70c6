//! What letters say, as trees of blocks, and what they look like.
//!
//! `block` is what a letter says; `templates` makes it of a game, with templates that a host can replace and that write
//! blocks (`records`); [`render`] makes text and HTML of it.

mod block;
mod error;
mod outcome;
mod records;
pub mod render;
pub mod templates;
#[cfg(test)]
mod tests;
mod words;

pub use self::{block::*, outcome::outcome, render::html, templates::*, words::*};
pub use self::{error::LetterError, render::text};
pub use postrider_orders::capital;
