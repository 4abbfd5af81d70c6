#![doc = include_str!("README.md")]

pub(crate) mod bug;
pub(crate) mod commands;
pub(crate) mod environment;
pub(crate) mod error;
pub(crate) mod intake;
pub(crate) mod misuse;
pub(crate) mod service;
pub(crate) mod services;
pub(crate) mod session;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use self::commands::{ForkGame, MessagesOf, NewWatcher, Recovered, TERMINAL};
pub(crate) use self::services::open_store;
pub use self::{
    bug::Bug,
    commands::{Glance, Invitee, NewGame, RewindGame, Rewinding, Ruled, RulingGiven, RulingTried, TickedGame},
    environment::Environment,
    error::OfficeError,
    intake::{Outcome, Processed},
    misuse::Misuse,
    service::Office,
    session::Ticked,
};
