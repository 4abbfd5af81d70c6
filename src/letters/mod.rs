//! What letters say, and how it is laid out as text.

mod error;
pub(crate) mod templates;
pub mod text;

pub use self::{error::LetterError, templates::*, text::*};
