//! From the lines of a journal to a game.
//!
//! A game is nothing but its journal replayed. [`rebuild`] reads the lines of a [`Source`] one by one, finds the rules in the
//! [`Catalog`](Shelf) and feeds them what was decided; what comes out is a live game ([`LiveGame`]). Nothing here knows of mail or of
//! a host's folder.

pub(crate) mod catalog;
pub(crate) mod chance_ledger;
pub(crate) mod checkpoint;
pub(crate) mod deadlines;
pub(crate) mod facts;
pub(crate) mod index;
pub(crate) mod live_game;
pub(crate) mod parent;
mod projection;
pub(crate) mod rebuild;
pub(crate) mod secret_book;
pub(crate) mod source;
pub(crate) mod step;
pub(crate) mod step_log;

pub use self::{
    catalog::{Catalog, CatalogFault, Opened},
    chance_ledger::LedgerChance,
    checkpoint::{Checkpoint, CheckpointError},
    deadlines::{AtDeadline, Deadline, Deadlines, Terms, TermsError},
    live_game::{Begun, LiveGame, RoundMark, StoryLine, Then},
    projection::Projection,
    rebuild::{Replay, ReplayFault, Replayed, rebuild, rebuild_with},
    source::Source,
    step::{Difference, LiveFault, Step},
};
