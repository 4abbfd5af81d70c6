//! The versions of the format, and what each lists (section 4).

/// A version of the format. All lines of a journal are of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// The first. Members that it does not list are passed over and reported.
    One,
    /// `joined` says how it came, a `decision` by mail commits to its words, a rewind behind which nothing was drawn keeps its
    /// chains. Members that it does not list contradict.
    Two,
}

impl Version {
    /// The version in which new games are written, and the newest that is read.
    pub const NEWEST: Version = Version::Two;

    /// As the member `v` of a line has it.
    #[must_use]
    pub const fn number(self) -> u64 {
        match self {
            Version::One => 1,
            Version::Two => 2,
        }
    }

    /// Whether a member that the version does not list contradicts; otherwise it is passed over and reported.
    #[must_use]
    pub const fn refuses_unlisted(self) -> bool {
        !matches!(self, Version::One)
    }
}
