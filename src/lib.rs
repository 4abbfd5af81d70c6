//! Postrider plays board wargames by mail.
//!
//! Every decision of a game is a line in an append-only, hash-chained [`journal`]; dice and cards come from seeds that
//! were committed before anybody could know what they would decide ([`dice`]). The rules of a game run on the [`table`],
//! speak through the [`orders`] language and know nothing of mail; the [`office`] takes mail in, appends, and owes the
//! answers. Each floor knows only the floors below it.

pub mod cli;
pub mod dice;
mod disk;
pub mod games;
pub mod journal;
pub mod mail;
pub mod office;
pub mod orders;
pub mod table;
