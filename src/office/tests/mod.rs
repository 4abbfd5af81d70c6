//! Complete games through the office.

mod adjudicating;
mod attacks;
mod away;
pub(crate) mod by_mail;
mod clocks;
mod conditions;
mod crashes;
mod database;
mod deadlines;
mod directors;
mod drafts;
mod forking;
mod hostile;
mod layers;
mod motions;
mod people;
mod press;
mod proposals;
mod reading;
mod returns;
mod rewinding;
mod senders;
mod stand_ins;
mod taken;
mod tokens;
mod versions;
mod watching;

/// The tests' imports from lower layers.
mod needed {
    pub(crate) use crate::*;
    pub(crate) use postrider_audit::{Ancestor, Bundle, Evidence, Report, testing::independent_check, verify};
    pub(crate) use postrider_demo::{Demo, play_demo};
    pub(crate) use postrider_letters::text::WIDTH;
    pub(crate) use postrider_replay::{
        AtFlag, Catalog, Checkpoint, Deadline, Deadlines, Moment, Replay, Source, Terms, rebuild,
    };
    pub(crate) use postrider_store::{Host, MailFolder, SETTINGS};
    pub(crate) use std::collections::BTreeMap;
}
