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

pub use self::{
    bug::Bug,
    commands::{
        ForkGame, Glance, Invitee, MessagesOf, NewGame, NewWatcher, Recovered, RewindGame, Rewinding, Ruled,
        RulingGiven, RulingTried, TERMINAL, TickedGame,
    },
    environment::Environment,
    error::OfficeError,
    intake::{Outcome, Processed},
    misuse::Misuse,
    service::Office,
    services::open_store,
    session::{Ticked, bot_called},
};
