//! Postrider plays board wargames by mail.
//!
//! Every decision of a game is a line in an append-only, hash-chained [`journal`]; dice and cards come from seeds that
//! were committed before anybody could know what they would decide ([`dice`]). The rules of a game run on the [`table`],
//! speak through the [`orders`] language and know nothing of mail. [`replay`] makes a game of a journal again, [`audit`]
//! says what a journal proves, and the [`office`] takes mail in, appends, and sends the answers. Each layer knows only the
//! layers below it; `docs/architecture.md` draws them.

pub(crate) mod analysis;
pub mod audit;
pub mod cli;
pub mod demo;
pub mod dice;
mod disk;
pub mod drawing;
pub mod games;
pub mod journal;
pub mod letters;
pub mod mail;
pub mod office;
pub mod orders;
pub mod page;
pub mod replay;
pub(crate) mod serve;
pub mod store;
pub mod table;
#[cfg(test)]
pub(crate) mod test_games;
