//! The checker, which proves a journal line by line: steps 1 to 7 of section 9. The steps are in
//! files of their own.

mod chains;
mod claims;
mod decks;
mod dice;
mod fault;
mod frame;
mod known;
mod seals;
#[cfg(test)]
mod tests;
mod track;

use std::{collections::BTreeMap, io::Read};

pub use self::{
    claims::{Claim, Claims, Note, PhraseDoubt, Unproved},
    fault::{Fault, Step, Wrong},
    known::Drawn,
    seals::can_answer,
};
use self::{
    fault::Found,
    known::{Seal, Seat},
    track::Track,
};
use super::{
    body::Body,
    entry::{Line, LineFault},
    leave::Leaves,
    lines::{Lines, LinesFault},
    motions::Motions,
    receipt::Head,
};
use postrider_dice::Hash;

/// A checked line and its body, ready to be replayed.
#[derive(Debug, Clone)]
pub struct Checked<'l> {
    /// The line.
    pub line: Line<'l>,
    /// Its body.
    pub body: Body<'l>,
    /// The `n` of the entry that caused the step to which the line belongs: the last `started`,
    /// `decision` or `ruling` up to this line, or 0.
    pub cause: u64,
}

#[derive(Clone, Debug, Default)]
struct Counts {
    joined: u64,
    links: u64,
    rolled: u64,
    dice: u64,
    shuffled: u64,
    shown: u64,
    cards: u64,
    unsealed: u64,
}

/// Checks a journal while it is read, starting at the first line. Its memory grows with the hidden
/// shuffles and seals, not with the length of the journal.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    expected_key: Option<Hash>,
    /// `true` to skip proving chains that have no hidden shuffles.
    looking: bool,
    game: String,
    n: u64,
    prev: Hash,
    /// The `n` of the last entry that caused a step of the rules.
    cause: u64,
    operator_seats: Vec<String>,
    seats: Vec<Seat>,
    /// The luck of the game, and the `n` of its entry.
    started: Option<(Hash, u64)>,
    tracks: BTreeMap<String, Track>,
    /// The `n` of the last entries that drew or revealed dice and cards.
    drawn: Drawn,
    /// The rewinds that undid dice or cards.
    undone: Vec<Note>,
    seals: BTreeMap<u64, Seal>,
    /// The last one that was opened.
    opened: Option<seals::Opened>,
    unexplained: seals::Unexplained,
    /// Unknown kinds: the number of entries, and the `n` of the first.
    kinds: BTreeMap<String, (u64, u64)>,
    motions: Motions,
    leaves: Leaves,
    counts: Counts,
    failed: Option<Fault>,
}

impl Checker {
    /// Creates a checker for the first line.
    #[must_use]
    pub fn new() -> Checker {
        Checker::default()
    }

    /// Creates a checker that also compares `opened.key` with the public key in the players' mails.
    #[must_use]
    pub fn expecting_key(key: Hash) -> Checker {
        Checker { expected_key: Some(key), ..Checker::default() }
    }

    /// Returns the expected key, if one is set.
    #[must_use]
    pub fn expected_key(&self) -> Option<Hash> {
        self.expected_key
    }

    /// Skips proofs that the position does not need: a published s_0 is followed only through
    /// chains with hidden shuffles, whose secrets come from it.
    #[must_use]
    pub fn for_the_position(self) -> Checker {
        Checker { looking: true, ..self }
    }

    /// Checks the next line, given without its newline.
    ///
    /// # Errors
    /// The first [`Fault`] of the line. Lines after a fault prove nothing, so all later calls
    /// return the same fault.
    pub fn feed<'l>(&mut self, text: &'l [u8]) -> Result<Checked<'l>, Fault> {
        if let Some(fault) = &self.failed {
            return Err(fault.clone());
        }
        self.next(text).map_err(|found| self.fail(found))
    }

    /// Checks all lines of a journal.
    ///
    /// # Errors
    /// The first [`Fault`], including a file that cannot be read or ends in a torn line.
    pub fn feed_all<R: Read>(&mut self, lines: &mut Lines<R>) -> Result<(), Fault> {
        loop {
            match lines.next_line() {
                Ok(Some(text)) => self.feed(text)?,
                Ok(None) => return Ok(()),
                Err(fault) => {
                    let (LinesFault::Io { n, .. } | LinesFault::TooLong { n } | LinesFault::Torn { n, .. }) = fault;
                    self.n = n;
                    return Err(self.fail(Found::new(Step::Lines, Wrong::File(fault.to_string()))));
                }
            };
        }
    }

    fn fail(&mut self, found: Found) -> Fault {
        let Found { step, wrong, contradicts, right } = found;
        let fault = Fault { n: self.n, step, wrong, contradicts, right };
        self.failed = Some(fault.clone());
        fault
    }

    fn next<'l>(&mut self, text: &'l [u8]) -> Result<Checked<'l>, Found> {
        let line = Line::parse(text).map_err(|fault| match fault {
            LineFault::Member { .. } => Found::new(Step::Entries, fault),
            LineFault::TooLong(_) | LineFault::Canon(_) => Found::new(Step::Lines, fault),
        })?;
        self.place(&line)?;
        let body = line.read_body().map_err(|fault| {
            Found::new(Step::Entries, Wrong::Body { kind: line.kind.to_owned(), what: fault.to_string() })
        })?;
        self.meaning(&line, &body)?;
        if matches!(body, Body::Started(_) | Body::Decision(_) | Body::Ruling(_)) {
            self.cause = self.n;
        }
        if let Body::Rewound(rewound) = &body {
            self.cause = rewound.within.unwrap_or(self.cause);
        }
        self.n += 1;
        self.prev = line.hash;
        Ok(Checked { line, body, cause: self.cause })
    }

    /// Step 2: checks that the line continues the hash chain.
    fn place(&self, line: &Line<'_>) -> Result<(), Found> {
        let hash = line.entry_hash();
        let wrong = |wrong| Found::new(Step::Entries, wrong);
        let last = self.n.checked_sub(1);
        let against = |found: Found| Found { contradicts: last, ..found };
        if line.hash != hash {
            return Err(wrong(Wrong::Hash(line.hash)).right(hash));
        }
        if line.n != self.n {
            return Err(against(wrong(Wrong::N(line.n))).right(self.n));
        }
        if line.prev != self.prev {
            return Err(against(wrong(Wrong::Prev(line.prev))).right(self.prev));
        }
        Ok(())
    }

    /// Steps 3 to 7: checks that the line is consistent with those before it.
    fn meaning(&mut self, line: &Line<'_>, body: &Body<'_>) -> Result<(), Found> {
        let first = self.n == 0;
        match body {
            Body::Opened(opened) if first => self.opened(opened)?,
            _ if first => return Err(Found::new(Step::Frame, Wrong::NotOpened(line.kind.to_owned()))),
            Body::Opened(_) => return Err(Found::new(Step::Frame, Wrong::OpenedAgain).against(0)),
            Body::Joined(joined) => self.joined(joined)?,
            Body::Reseated(reseated) => self.reseated(reseated)?,
            Body::StandIn(one) => _ = self.seat(&one.seat)?,
            Body::Started(started) => self.started(started)?,
            Body::Decision(decision) => self.decided(decision)?,
            Body::Clock(clock) => _ = self.seat(&clock.seat)?,
            Body::Zone(moved) => _ = self.seat(&moved.seat)?,
            Body::Rolled(rolled) => self.rolled(rolled)?,
            Body::Shuffled(shuffled) => self.shuffled(shuffled)?,
            Body::Dealt(dealt) => self.dealt(dealt)?,
            Body::Shown(shown) => self.shown(shown)?,
            Body::Revealed(revealed) => self.revealed(revealed)?,
            Body::Sealed(sealed) => self.sealed(sealed)?,
            Body::Unsealed(unsealed) => self.unsealed(unsealed)?,
            Body::Rewound(rewound) => self.rewound(rewound)?,
            Body::Closed(closed) => self.closed(closed)?,
            // Messages are stored outside the journal.
            Body::Press(_) => {}
            // Rounds and rulings depend on the rules, which a replay checks (step 8).
            Body::Round(_) | Body::Ruling(_) => {}
            Body::Motion(_) => {}
            Body::Vote(vote) => _ = self.seat(&vote.seat)?,
            Body::Leave(leave) => {
                let heard = self.leaves.hear(line.at, leave);
                heard.map_err(|why| Found::new(Step::Frame, Wrong::Leave(why)))?;
            }
            Body::Appeal(appeal) => _ = self.seat(&appeal.seat)?,
            Body::Other { .. } => match self.kinds.get_mut(line.kind) {
                Some((count, _)) => *count += 1,
                None => _ = self.kinds.insert(line.kind.to_owned(), (1, self.n)),
            },
        }
        let heard = self.motions.hear(self.n, line.at, body);
        heard.map_err(|why| Found::new(Step::Frame, Wrong::Motion(why)))?;
        self.drawn.note(self.n, body);
        Ok(())
    }

    /// Returns the last line checked, or `None` before the first.
    #[must_use]
    pub fn head(&self) -> Option<Head> {
        let n = self.n.checked_sub(1)?;
        Some(Head { game: self.game.clone(), n, hash: self.prev })
    }
}
