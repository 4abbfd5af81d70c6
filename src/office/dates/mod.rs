//! Parsing of days and times in a player's words: `away until Monday`, `1 December 18:00`.

mod absence;
mod until;

pub(crate) use absence::{Absence, about_absence};
pub(crate) use until::Until;
