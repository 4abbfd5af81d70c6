//! The claim of step 10: the times of entries, and what they make of deadlines.
//!
//! Times are the operator's word. What can be judged is whether they agree with each other and with the terms of the game: no deadline
//! passes before its time or while the game is paused, and none is answered for a seat before it has passed. A time that lies before
//! the last one leaves the claim open: a clock can be set back.

use super::claim::{Claim, Contradiction, Grade, TIMES, name};
use postrider_journal::{Body, Checked, Via};
use postrider_replay::{Deadlines, deadlines::unix};

/// The times of a journal while it goes by.
#[derive(Default)]
pub(super) struct Times {
    /// The time of the last line, in seconds since 1970.
    last: Option<i64>,
    /// n of each line whose time lies before that of the line before it.
    back: Vec<u64>,
    /// Whether the game has deadlines.
    timed: bool,
    /// Lines about deadlines, and answers that were given at one.
    events: u64,
    contradictions: Vec<Contradiction>,
}

impl Times {
    /// Takes the next line.
    pub fn hear(&mut self, checked: &Checked<'_>) {
        let n = checked.line.n;
        match &checked.body {
            Body::Opened(opened) => self.timed = Deadlines::of(opened.clock.get()).terms().is_some(),
            Body::Clock(_) => self.events += 1,
            Body::Decision(decision) if decision.via == Via::Deadline => self.events += 1,
            _ => {}
        }
        if let Some(at) = unix(checked.line.at) {
            self.back.extend(self.last.replace(at).filter(|before| at < *before).map(|_| n));
        }
    }

    /// Takes what the deadlines say against lines.
    pub fn wrong(&mut self, lines: Vec<(u64, String)>) {
        let bad = |(n, what)| Contradiction { line: n + 1, step: TIMES, what, contradicts: None, right: None };
        self.contradictions.extend(lines.into_iter().map(bad));
    }

    /// The claim, and what cannot be true. `whole`: all lines have been read and replayed.
    pub fn judge(self, lines: u64, whole: bool) -> (Claim, Vec<Contradiction>) {
        let mut unproved = Vec::new();
        if self.timed && !whole {
            unproved.push("the deadlines of entries to which the replay does not come".to_owned());
        }
        if let Some(first) = self.back.first() {
            let count = self.back.len();
            unproved.push(format!(
                "the times from entry {first} on: it is dated before the entry before it (such entries: {count}); the operator's clock \
                 was set back, or a time was changed"
            ));
        }
        let grade = match (self.contradictions.is_empty(), lines) {
            (false, _) => Grade::Contradicted,
            (true, 0) => Grade::NotJudged,
            (true, _) if !unproved.is_empty() => Grade::Unproved,
            (true, _) => Grade::ProvedByJournal,
        };
        let proved = [("deadlines", self.events)].into();
        (Claim { step: TIMES, name: name(TIMES), grade, proved, unproved, notes: Vec::new() }, self.contradictions)
    }
}
