//! Commands of a host, director or player other than answers to a game's questions, one file each.

mod clock;
mod directing;
mod fork;
mod messages;
pub(crate) mod new_game;
mod new_token;
mod notice;
mod order;
mod people;
mod recover;
mod resend;
mod taken;
mod terminal;
mod watch;

pub use self::{
    clock::TickedGame,
    directing::{Directing, Ruled},
    fork::ForkGame,
    messages::MessagesOf,
    order::concedes,
    recover::Lost,
    terminal::{Glance, Terminal},
    watch::NewWatcher,
};
