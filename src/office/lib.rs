#![doc = include_str!("README.md")]

pub(crate) mod admission;
pub(crate) mod bug;
pub(crate) mod carry_out;
pub(crate) mod commands;
pub(crate) mod dates;
pub(crate) mod environment;
pub(crate) mod error;
pub(crate) mod game;
pub(crate) mod machine_clock;
mod misuse;
pub(crate) mod post;
pub(crate) mod reading;
pub(crate) mod service;
pub(crate) mod services;
pub(crate) mod standing;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod transaction;

pub use self::{
    admission::outcome::{Outcome, Passing, Processed},
    bug::Bug,
    carry_out::directing::{
        rewinding::{RewindGame, Rewinding},
        ruling::{RulingGiven, RulingTried},
    },
    commands::{Directing, ForkGame, Glance, Lost, MessagesOf, NewWatcher, Ruled, Terminal, TickedGame, concedes},
    environment::Environment,
    error::OfficeError,
    game::invitee::{Invitee, TERMINAL},
    machine_clock::{Doubt, Stops},
    misuse::Misuse,
    reading::effect::effect,
    service::Office,
    services::open_store,
    transaction::{
        bots::bot_called,
        opening::NewGame,
        ticking::{Held, Ticked},
    },
};
