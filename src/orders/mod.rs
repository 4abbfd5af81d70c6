//! What every order language shares: words with their columns, names with near misses, diagnostics that point.
//!
//! A line of a mail is split into [`clauses`]; each is a [`Phrase`] of words. A prompt reads a phrase with a [`Reader`],
//! a cursor that eats keywords, numbers and [`Names`]. What it cannot read becomes a [`Misread`], which points at the
//! words and offers the nearest names. Several prompts may try the same phrase; the misreading that got furthest is the
//! one to report ([`Misread::best`]).
//!
//! ```
//! use postrider::orders::{Misread, Names, Phrase};
//!
//! #[derive(Clone, Copy, PartialEq, Debug)]
//! enum Leader { Geronimo, Cochise }
//!
//! # fn main() -> Result<(), Misread> {
//! let leaders = Names::from_iter("leader", [("Geronimo", Leader::Geronimo), ("Cochise", Leader::Cochise)]);
//! let places = Names::from_iter("place", [("Arizona", 1), ("AZ", 1), ("New Mexico", 2), ("NM", 2)]);
//!
//! let phrase = Phrase::new("War party of 4 with Geronimo attacks mine in Ariz.");
//! let mut order = phrase.reader();
//! assert!(order.eat_phrase("war party"));
//! order.skip(&["of"]);
//! assert_eq!(order.number(), Some(4));
//! order.skip(&["with"]);
//! assert_eq!(order.name(&leaders)?, Leader::Geronimo);
//! order.expect("attack")?;
//! order.expect("mine")?;
//! order.skip(&["in", "the"]);
//! assert_eq!(order.name(&places)?, 1);
//! order.end()?;
//! # Ok(())
//! # }
//! ```

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
pub use text::{list_and, list_or, near};
