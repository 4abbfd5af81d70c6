//! The reasons to write to a player.

use crate::{
    game::{Game, messages, motions, watching},
    services::Services,
};
use postrider_store::{Messages, Player, Written};
use postrider_table::{Asked, PromptId};

/// A player who may be written to, and why.
pub(crate) struct Addressee {
    /// The player.
    pub player: Player,
    /// What he was last written.
    pub old: Written,
    /// n of the line after which he is told what happened.
    pub since: u64,
    /// n of the line by which he took his seat over, if he has read nothing since.
    pub taken: Option<u64>,
    /// What is asked of him.
    pub asked: Vec<PromptId>,
    /// The reasons.
    pub due: Due,
}

impl Addressee {
    /// The reasons to write to a player now; `all` is what is asked of anybody.
    pub fn of(game: &Game, services: &Services, player: Player, all: &[Asked]) -> Addressee {
        let seat = player.seat;
        let mut old = game.secrets.written.get(&seat).cloned().unwrap_or_default();
        // Who takes a seat over has read nothing yet; what was decided before him he need not be told.
        let taken = game.facts.reseated.get(&seat).copied().filter(|&n| n > old.n);
        let since = taken.unwrap_or(old.n);
        if taken.is_some() {
            old = Written { invited: true, ..Written::default() };
        }
        let mine = all.iter().filter(|asked| asked.seat == seat && (asked.required || asked.urgent));
        let asked: Vec<PromptId> = mine.map(|asked| asked.id).collect();
        let (clock, reminded) = game.live.deadlines.news(seat, since, &asked);
        let collects = game.pace(seat).digest.is_some();
        let due = Due {
            taken: taken.is_some(),
            clock,
            reminded,
            fresh: asked.iter().any(|id| !old.asked.contains(id)),
            turn: game.turn() > old.turn && !collects,
            digest: watching::digest_due(game, services, seat, &old, since),
            over: game.live.closed && !old.over,
            invitation: (!old.invited || taken.is_some()) && game.live.started.is_none() && !game.live.closed,
            words: game.pace(seat).messages == Messages::Now
                && !collects
                && !messages::messages_to(game, seat, since).is_empty(),
            ruled: game.facts.rulings.iter().any(|&n| n > since),
            proposed: motions::awaits(game, services, seat, since),
            moved: game.live.motions.is_decided_after(since),
            rewound: game.facts.rewinds.iter().any(|r| r.n > since && r.taken_back().is_none()),
        };
        Addressee { player, old, since, taken, asked, due }
    }
}

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
    /// A proposal awaits the reader's vote.
    pub(crate) proposed: bool,
    /// A proposal was decided.
    pub(crate) moved: bool,
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
        game || self.taken || self.rewound || self.ruled || self.proposed || self.moved || self.clock || self.digest
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
