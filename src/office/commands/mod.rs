//! What a host, a director or a player can have done to a game beside answering its questions: a file for each.

pub(crate) mod bots;
pub(crate) mod clock;
mod fork;
mod new_game;
pub(crate) mod rewind;
mod ruling;
mod terminal;

pub use self::{
    clock::Ticked,
    fork::{ForkGame, Forked},
    new_game::{Invitee, NewGame},
    rewind::{RewindGame, Rewinding},
    ruling::{Ruled, RulingGiven},
    terminal::{Glance, TERMINAL},
};
