//! Proving a journal, line by line: steps 1 to 7 of section 9. A file for each step; here is the way through a line.

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
};
use self::{
    fault::Found,
    known::{Drawn, Seal, Seat},
    track::Track,
};
use super::{
    body::Body,
    entry::{Line, LineFault},
    lines::{Lines, LinesFault},
    receipt::Head,
};
use postrider_dice::Hash;

/// A line that holds, with its body read: a caller may go on to replay it.
#[derive(Debug, Clone)]
pub struct Checked<'l> {
    /// The line.
    pub line: Line<'l>,
    /// Its body.
    pub body: Body<'l>,
    /// n of the entry whose step it belongs to: the last `started`, `decision` or `ruling` up to here; 0 before the first.
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

/// Proves a journal while it is read, from the first line on. Its memory grows with what is still hidden (shuffles,
/// seals), not with the length of the journal.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    expected_key: Option<Hash>,
    /// Whether every chain is passed over of which nothing is hidden.
    looking: bool,
    game: String,
    n: u64,
    prev: Hash,
    /// n of the last entry from which a step of the rules follows.
    cause: u64,
    operator_seats: Vec<String>,
    seats: Vec<Seat>,
    /// The luck of the game, and n of the entry that says it.
    started: Option<(Hash, u64)>,
    tracks: BTreeMap<String, Track>,
    /// n of the last entries by which dice and cards were drawn or became known.
    drawn: Drawn,
    /// The rewinds that brought fresh chains.
    renewed: Vec<Note>,
    seals: BTreeMap<u64, Seal>,
    /// Kinds not known: how many, and n of the first.
    kinds: BTreeMap<String, (u64, u64)>,
    counts: Counts,
    failed: Option<Fault>,
}

impl Checker {
    /// A checker that waits for the first line.
    #[must_use]
    pub fn new() -> Checker {
        Checker::default()
    }

    /// Also holds `opened.key` against the public key that the players' mails give.
    #[must_use]
    pub fn expecting_key(key: Hash) -> Checker {
        Checker { expected_key: Some(key), ..Checker::default() }
    }

    /// The key that `opened` is held against, if one is.
    #[must_use]
    pub fn expected_key(&self) -> Option<Hash> {
        self.expected_key
    }

    /// For who only wants the position, whatever a s_0 that is laid open may prove: follows it through no chain but those with
    /// shuffles that are still hidden, whose secrets come from it.
    #[must_use]
    pub fn for_the_position(self) -> Checker {
        Checker { looking: true, ..self }
    }

    /// Checks the next line, given without its newline.
    ///
    /// # Errors
    /// The first [`Fault`] of the line. What follows a fault proves nothing, so the same fault is given ever after.
    pub fn feed<'l>(&mut self, text: &'l [u8]) -> Result<Checked<'l>, Fault> {
        if let Some(fault) = &self.failed {
            return Err(fault.clone());
        }
        self.next(text).map_err(|found| self.fail(found))
    }

    /// Checks all lines of a journal, however long.
    ///
    /// # Errors
    /// The first [`Fault`]; also when the file cannot be read or ends in a torn line.
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
        self.n += 1;
        self.prev = line.hash;
        Ok(Checked { line, body, cause: self.cause })
    }

    /// Step 2: the line continues the chain.
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

    /// Steps 3 to 7: what the line says fits what the lines before it said.
    fn meaning(&mut self, line: &Line<'_>, body: &Body<'_>) -> Result<(), Found> {
        let first = self.n == 0;
        match body {
            Body::Opened(opened) if first => self.opened(opened)?,
            _ if first => return Err(Found::new(Step::Frame, Wrong::NotOpened(line.kind.to_owned()))),
            Body::Opened(_) => return Err(Found::new(Step::Frame, Wrong::OpenedAgain).against(0)),
            Body::Joined(joined) => self.joined(joined)?,
            Body::Reseated(reseated) => self.reseated(reseated)?,
            Body::Started(started) => self.started(started)?,
            Body::Decision(decision) => _ = self.seat(&decision.seat)?,
            Body::Clock(clock) => _ = self.seat(&clock.seat)?,
            Body::Rolled(rolled) => self.rolled(rolled)?,
            Body::Shuffled(shuffled) => self.shuffled(shuffled)?,
            Body::Dealt(dealt) => self.dealt(dealt)?,
            Body::Shown(shown) => self.shown(shown)?,
            Body::Revealed(revealed) => self.revealed(revealed)?,
            Body::Sealed(sealed) => self.sealed(sealed)?,
            Body::Unsealed(unsealed) => self.unsealed(unsealed)?,
            Body::Rewound(rewound) => self.rewound(rewound)?,
            Body::Closed(closed) => self.closed(closed)?,
            // What is said stands beside the journal.
            Body::Press(_) => {}
            // Rounds and rulings speak of the rules, which a replay (step 8) knows.
            Body::Round(_) | Body::Ruling(_) => {}
            Body::Other { .. } => match self.kinds.get_mut(line.kind) {
                Some((count, _)) => *count += 1,
                None => _ = self.kinds.insert(line.kind.to_owned(), (1, self.n)),
            },
        }
        self.drawn.note(self.n, body);
        Ok(())
    }

    #[must_use]
    pub fn head(&self) -> Option<Head> {
        let n = self.n.checked_sub(1)?;
        Some(Head { game: self.game.clone(), n, hash: self.prev })
    }
}
