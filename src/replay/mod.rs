#![doc = include_str!("README.md")]

pub(crate) mod catalog;
pub(crate) mod chance_ledger;
pub(crate) mod checkpoint;
mod clock;
pub(crate) mod deadlines;
pub(crate) mod facts;
pub(crate) mod fault;
pub(crate) mod index;
pub(crate) mod live_game;
pub(crate) mod marks;
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
    facts::Decided,
    fault::ReplayFault,
    live_game::{FromMail, LiveGame, Then},
    marks::{Answered, Begun, RoundMark, StoryLine},
    projection::Projection,
    rebuild::{Replay, Replayed, rebuild, rebuild_with},
    source::Source,
    step::{Difference, LiveFault, Step},
};
