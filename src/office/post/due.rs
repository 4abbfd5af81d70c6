//! The reasons to write to a player.

use crate::{
    game::{Game, messages, motions, watching},
    services::Services,
};
use postrider_store::{Messages, Player, Written};
use postrider_table::{Asked, PromptId};

/// A player who may be written to, with the reasons.
pub(crate) struct Addressee {
    /// The player.
    pub player: Player,
    /// The mark of the player's last letter.
    pub old: Written,
    /// The `n` of the line after which the news begins.
    pub since: u64,
    /// The player's open questions.
    pub asked: Vec<PromptId>,
    /// The reasons.
    pub due: Due,
}

impl Addressee {
    /// Returns the reasons to write to a player now; `all` are all open questions.
    pub fn of(game: &Game, services: &Services, player: Player, all: &[Asked]) -> Addressee {
        let seat = player.seat;
        let mut old = game.secrets.written.get(&seat).cloned().unwrap_or_default();
        let moved = old.to.is_some_and(|to| to != player.commitment());
        // A player who takes over a seat has had no letters, but need not be told about earlier
        // decisions.
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
            turn: game.turn() > old.turn && !collects || game.live.started.is_some_and(|begun| begun.n > since),
            digest: watching::digest_due(game, services, seat, &old, since),
            over: game.live.closed && !old.over,
            invitation: (!old.invited || moved) && game.live.started.is_none() && !game.live.closed,
            words: game.pace(seat).messages == Messages::Now
                && !collects
                && !messages::messages_to(game, seat, since).is_empty(),
            ruled: game.facts.rulings.iter().any(|&n| n > since),
            replaced: game.facts.stand_ins.iter().any(|&(n, _)| n > since),
            proposed: motions::awaits(game, services, seat, since),
            moved: game.live.motions.is_decided_after(since)
                || motions::lapsed(game, services, seat, old.lapsed).is_some(),
            rewound: game.facts.rewinds.iter().any(|r| r.n > since && r.taken_back().is_none()),
        };
        Addressee { player, old, since, asked, due }
    }
}

/// The reasons to write to a seat.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Due {
    /// The player has taken over the seat.
    pub(crate) taken: bool,
    pub(crate) fresh: bool,
    /// A Turn has begun, or the game.
    pub(crate) turn: bool,
    pub(crate) over: bool,
    pub(crate) invitation: bool,
    pub(crate) rewound: bool,
    pub(crate) ruled: bool,
    /// A bot stands in for a player, or no longer does.
    pub(crate) replaced: bool,
    /// A proposal awaits the player's vote.
    pub(crate) proposed: bool,
    /// A proposal was decided, or the player's own has lapsed.
    pub(crate) moved: bool,
    /// A deadline expired or was moved, or the clock was paused or resumed.
    pub(crate) clock: bool,
    /// Half of the time for a question has passed.
    pub(crate) reminded: bool,
    /// There are messages for the player.
    pub(crate) words: bool,
    /// The player's digest is due.
    pub(crate) digest: bool,
}

impl Due {
    pub(crate) fn any(self) -> bool {
        self.is_news() || self.reminded || self.words
    }

    /// Returns `true` if there is news for the player.
    pub(crate) fn is_news(self) -> bool {
        let game = self.fresh || self.turn || self.over || self.invitation || self.replaced;
        game || self.taken || self.rewound || self.ruled || self.proposed || self.moved || self.clock || self.digest
    }

    /// Returns `true` if the letter should show the whole position.
    pub(crate) fn in_full(self) -> bool {
        self.turn || self.over || self.taken || self.rewound || self.ruled || self.digest
    }

    /// Returns `true` if the only reason is a reminder.
    pub(crate) fn reminds(self) -> bool {
        self.reminded && !self.is_news()
    }

    /// Returns `true` if the only reason is messages of others.
    pub(crate) fn only_words(self) -> bool {
        self.words && !self.reminded && !self.is_news()
    }
}
