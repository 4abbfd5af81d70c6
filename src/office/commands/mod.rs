//! What a host, a director or a player can have done to a game beside answering its questions: a file for each.

mod clock;
mod fork;
mod messages;
mod new_game;
mod new_token;
mod page;
mod recover;
mod resend;
mod rewind;
mod ruling;
mod stand_in;
mod taken;
mod terminal;

pub use self::{
    clock::TickedGame,
    fork::{ForkGame, Forked},
    messages::{MessageShown, MessagesOf},
    new_game::{Invitee, NewGame},
    recover::Recovered,
    rewind::{RewindGame, Rewinding},
    ruling::{Ruled, RulingGiven},
    terminal::{Glance, TERMINAL},
};
