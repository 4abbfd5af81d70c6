//! The version of the format that a line names, and what depends on it.

/// The version that lines are written in, and the newest that is read.
pub const VERSION: u64 = 1;

/// What a checker does about a member that the version of its line does not list (section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlisted {
    /// It is passed over and reported.
    Reported,
    /// It contradicts.
    Refused,
}

impl Unlisted {
    /// By the version that the line names.
    #[must_use]
    pub const fn of(version: u64) -> Unlisted {
        match version {
            0 | 1 => Unlisted::Reported,
            _ => Unlisted::Refused,
        }
    }
}
