//! Why a seat is written to.

/// Why a seat is written to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Due {
    /// The reader has taken the seat over.
    pub(crate) taken: bool,
    pub(crate) fresh: bool,
    pub(crate) turn: bool,
    pub(crate) over: bool,
    pub(crate) invitation: bool,
    pub(crate) rewound: bool,
    pub(crate) ruled: bool,
    /// A deadline passed or was moved, or the clock stopped or went on.
    pub(crate) clock: bool,
    /// Half of the time for a question is gone.
    pub(crate) reminded: bool,
    /// Others have written to him.
    pub(crate) words: bool,
    /// He collects what happens, and it is time for it.
    pub(crate) digest: bool,
}

impl Due {
    pub(crate) fn any(self) -> bool {
        self.is_news() || self.reminded || self.words
    }

    /// Whether something has happened that he is to be told.
    pub(crate) fn is_news(self) -> bool {
        let game = self.fresh || self.turn || self.over || self.invitation;
        game || self.taken || self.rewound || self.ruled || self.clock || self.digest
    }

    /// Whether it is worth the whole position.
    pub(crate) fn in_full(self) -> bool {
        self.turn || self.over || self.taken || self.rewound || self.ruled || self.digest
    }

    /// Whether it is for a reminder alone.
    pub(crate) fn reminds(self) -> bool {
        self.reminded && !self.is_news()
    }

    /// Whether it is for what others have written alone.
    pub(crate) fn only_words(self) -> bool {
        self.words && !self.reminded && !self.is_news()
    }
}
