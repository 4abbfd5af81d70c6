//! The post office: what stands between the mails of a game and its journal.

mod house;
#[cfg(test)]
pub(crate) mod raffle;
pub mod replay;
mod shelf;
mod source;
mod step;
#[cfg(test)]
mod tests;
pub mod verify;

pub use self::{
    house::HouseChance,
    replay::{Begun, Mark, Replay, ReplayFault, Replayed, Running, StoryLine, rebuild},
    shelf::{Opened, Shelf, ShelfFault},
    source::Source,
    step::{Difference, LiveFault, Step},
    verify::{Report, verify},
};
