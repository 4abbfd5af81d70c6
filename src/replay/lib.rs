#![doc = include_str!("README.md")]

pub mod catalog;
pub mod chance_ledger;
pub mod checkpoint;
mod chronicle;
mod clock;
pub mod deadlines;
pub mod facts;
pub mod fault;
pub mod index;
pub mod live_game;
pub mod marks;
mod moment;
pub mod parent;
mod pending;
mod projection;
pub mod rebuild;
pub mod seatings;
pub mod secret_book;
pub mod source;
pub mod step;
pub mod step_log;
mod zone;

pub use self::{
    catalog::{Catalog, CatalogFault, Opened},
    chance_ledger::LedgerChance,
    checkpoint::{Checkpoint, CheckpointError},
    chronicle::Chronicle,
    deadlines::{AtFlag, Deadline, Deadlines, Terms, TermsError},
    facts::Decided,
    fault::ReplayFault,
    live_game::{FromMail, LiveGame, Then, rollouts_in_words},
    marks::{Answered, Begun, RoundMark, StoryLine},
    moment::{Moment, Within},
    projection::{Projection, project},
    rebuild::{Replay, Replayed, rebuild, rebuild_with},
    seatings::{Seating, Seatings},
    source::Source,
    step::{Difference, LiveFault, Step},
    zone::Zone,
};
