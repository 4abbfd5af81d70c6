//! Whole games through the office.

mod attacks;
mod away;
pub(crate) mod by_mail;
mod conditions;
mod crashes;
mod database;
mod deadlines;
mod drafts;
mod forking;
mod hostile;
mod other_store;
mod people;
mod press;
mod proposals;
mod replies;
mod returns;
mod rewinding;
mod senders;
mod taken;
mod tokens;
mod versions;
mod watching;

/// What these tests need of the layers below.
mod needed {
    pub(crate) use crate::{
        audit::{Ancestor, Bundle, Evidence, Report, tests::independent_check, verify},
        demo::{Demo, play_demo},
        letters::text::WIDTH,
        office::*,
        replay::{AtDeadline, Catalog, Checkpoint, Deadline, Deadlines, Replay, Source, Terms, rebuild},
        store::{Host, MailFolder, SETTINGS},
    };
    pub(crate) use std::collections::BTreeMap;
}
