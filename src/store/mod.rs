//! Where a host's games are kept: the folder with its settings, the players and secrets of each game, and the outbox.

mod error;
pub(crate) mod folder;
pub(crate) mod outbox;
pub(crate) mod seats;

pub use self::{error::StoreError, folder::*, outbox::*, seats::*};
