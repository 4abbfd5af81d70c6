//! The post office: what stands between the mails of a game and its journal.
//!
//! A decision comes in by mail or on the command line, is read and given to the rules, and appended to the journal with all
//! that follows from it; only then are the letters written that tell of it. One command is one append; mails have names that
//! stay the same when the same work is done twice. So a crash at any point neither loses nor repeats anything: opening a
//! game again makes good what was left undone.
//!
//! An [`Office`] is a host's folder with its settings, secrets and open games. [`Office::new_game`] invites players,
//! [`Office::receive`] takes a mail in, [`Office::order`] an order from the command line.

pub(crate) mod commands;
pub(crate) mod environment;
pub(crate) mod error;
pub(crate) mod intake;
pub(crate) mod service;
pub(crate) mod services;
pub(crate) mod session;
#[cfg(test)]
pub(crate) mod tests;

pub use self::{
    commands::*,
    environment::Environment,
    error::OfficeError,
    intake::{Outcome, Processed},
    service::Office,
    services::Services,
    session::{Queue, Ticked},
};
