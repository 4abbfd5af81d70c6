//! The content of letters, as trees of blocks, and their layout.
//!
//! `block` defines the content; `templates` produces it from a game, using templates that write
//! blocks (`records`) and that a host can replace; [`render`] converts it to text and HTML.

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
