//! The letters that are due after a change.

pub(crate) mod due;
pub(crate) mod farewell;
pub(crate) mod heading;
pub(crate) mod host;
pub(crate) mod invitation;
pub(crate) mod letter;
pub(crate) mod notify;
pub(crate) mod offers;
pub(crate) mod reseating;
pub(crate) mod settle;
pub(crate) mod watchers;
