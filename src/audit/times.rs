//! The claim of step 10: the times of entries and their effect on deadlines.
//!
//! Times are the operator's word. They must agree with each other and with the terms of the game:
//! no deadline passes before its time or while the game is paused, no question is answered at its
//! deadline before that has passed, and no ruling moves a deadline into the past. A time earlier
//! than that of the entry before leaves the claim open: a clock can be set back.

use super::claim::{Claim, Contradiction, Grade, TIMES, name};
use postrider_journal::{Body, Checked, Via};
use postrider_replay::{Deadlines, deadlines::unix};

/// The times of a journal while it goes by.
#[derive(Default)]
pub(super) struct Times {
    /// The time of the last line, in seconds since 1970.
    last: Option<i64>,
    /// n of each line whose time is earlier than that of the line before it.
    back: Vec<u64>,
    /// Set for a game with deadlines.
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

    /// Takes contradictions between deadlines and lines.
    pub fn wrong(&mut self, lines: Vec<(u64, String)>) {
        let bad = |(n, what)| Contradiction { line: n + 1, step: TIMES, what, contradicts: None, right: None };
        self.contradictions.extend(lines.into_iter().map(bad));
    }

    /// The claim and its contradictions. `damage` says how far the journal could be read,
    /// `replayed` that the replay came to its end.
    pub fn judge(self, lines: u64, damage: Option<&str>, replayed: bool) -> (Claim, Vec<Contradiction>) {
        let mut unproved: Vec<String> = damage.map(str::to_owned).into_iter().collect();
        if self.timed && !replayed && damage.is_none() {
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
            (true, _) if !unproved.is_empty() => Grade::Unproved,
            (true, 0) => Grade::NotJudged,
            (true, _) => Grade::ProvedByJournal,
        };
        let proved = [("deadlines", self.events)].into();
        (Claim { step: TIMES, name: name(TIMES), grade, proved, unproved, notes: Vec::new() }, self.contradictions)
    }
}
