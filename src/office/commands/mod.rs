//! Commands of a host, director or player other than answers to a game's questions, one file each.

mod abandon;
mod clock;
mod fork;
mod messages;
pub(crate) mod new_game;
mod new_token;
mod notice;
mod order;
mod people;
mod recover;
mod resend;
mod rewind;
mod ruling;
mod sender_check;
mod stand_in;
mod taken;
mod terminal;
mod watch;

pub use self::{
    clock::TickedGame,
    fork::ForkGame,
    messages::MessagesOf,
    order::concedes,
    recover::Lost,
    ruling::Ruled,
    terminal::{Glance, Terminal},
    watch::NewWatcher,
};
