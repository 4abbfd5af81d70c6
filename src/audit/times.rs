//! The claim of step 10: the times of entries and their effect on deadlines.
//!
//! Times are claimed by the operator. They must agree with each other and with the terms of the
//! game: no deadline passes early or while the game is paused, no question is answered at its
//! deadline before that has passed, and no ruling moves a deadline into the past. A time earlier
//! than that of the entry before leaves the claim unproved, because a clock can be set back. So
//! does a letter dated before the entry whose signed head it carries, because it was written after
//! that entry.

use super::{
    claim::{Claim, Contradiction, Grade, TIMES, name},
    evidence::{Evidence, Receipt},
    judged::{Judged, Standing},
};
use postrider_journal::{Body, Checked, Via, unix};
use postrider_replay::Deadlines;
use std::collections::{BTreeMap, BTreeSet};

/// The times of a journal, collected while it is read.
#[derive(Default)]
pub(super) struct Times {
    /// The time of the last line, in seconds since 1970.
    last: Option<i64>,
    /// The `n` of each line whose time is earlier than the previous line's.
    back: Vec<u64>,
    /// `true` for a game with deadlines.
    timed: bool,
    /// The number of lines about deadlines and of answers at a deadline.
    events: u64,
    /// The entries whose heads are in letters.
    wanted: BTreeSet<u64>,
    /// The times of those entries.
    at: BTreeMap<u64, String>,
    contradictions: Vec<Contradiction>,
}

impl Times {
    /// Creates a collector for a journal to which these mails refer.
    pub fn beside(evidence: &Evidence) -> Times {
        Times { wanted: evidence.receipts.iter().map(|receipt| receipt.n).collect(), ..Times::default() }
    }

    /// Processes the next line.
    pub fn hear(&mut self, checked: &Checked<'_>) {
        let n = checked.line.n;
        match &checked.body {
            Body::Opened(opened) => {
                self.timed = Deadlines::of(opened.clock.get()).is_some_and(|all| all.terms().is_some());
            }
            Body::Clock(_) => self.events += 1,
            Body::Decision(decision) if decision.via == Via::Deadline => self.events += 1,
            _ => {}
        }
        if self.wanted.contains(&n) {
            self.at.insert(n, checked.line.at.to_owned());
        }
        if let Some(at) = unix(checked.line.at) {
            self.back.extend(self.last.replace(at).filter(|before| at < *before).map(|_| n));
        }
    }

    /// Adds contradictions between deadlines and lines.
    pub fn wrong(&mut self, lines: Vec<(u64, String)>) {
        let bad = |(n, what)| Contradiction { line: n + 1, step: TIMES, what, contradicts: None, right: None };
        self.contradictions.extend(lines.into_iter().map(bad));
    }

    /// Returns the letters on the chain that are dated no earlier than their entries, and those
    /// that are dated earlier.
    fn letters<'r>(&self, judged: Option<&'r Judged>) -> (Vec<&'r Receipt>, Vec<&'r Receipt>) {
        let dated = judged.into_iter().flat_map(|judged| &judged.receipts);
        let dated = dated.filter(|one| one.standing == Standing::OnChain && one.receipt.dated.is_some());
        dated.map(|one| &one.receipt).partition(|receipt| receipt.dated.as_ref() >= self.at.get(&receipt.n))
    }

    /// Returns the claim and its contradictions. `damage` describes how far the journal could be
    /// read, `replayed` is `true` if the replay reached the end, and `judged` holds the results of
    /// mails.
    pub fn judge(
        self,
        lines: u64,
        damage: Option<&str>,
        replayed: bool,
        judged: Option<&Judged>,
    ) -> (Claim, Vec<Contradiction>) {
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
        let (fit, early) = self.letters(judged);
        if let Some(Receipt { n, place, dated, .. }) = early.first().copied() {
            unproved.push(format!(
                "the time of entry {n}: the letter with its head is dated {}, before it ({place}; such letters: {}); dates of letters are \
                 not signed",
                dated.as_deref().unwrap_or_default(),
                early.len()
            ));
        }
        let grade = match (self.contradictions.is_empty(), lines) {
            (false, _) => Grade::Contradicted,
            (true, _) if !unproved.is_empty() => Grade::Unproved,
            (true, 0) => Grade::NotJudged,
            (true, _) if !fit.is_empty() => Grade::ProvedByReceipts,
            (true, _) => Grade::ProvedByJournal,
        };
        let letters = Some(("letters", fit.len() as u64)).filter(|_| judged.is_some());
        let proved = [("deadlines", self.events)].into_iter().chain(letters).collect();
        (Claim { step: TIMES, name: name(TIMES), grade, proved, unproved, notes: Vec::new() }, self.contradictions)
    }
}
