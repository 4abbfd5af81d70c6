//! A quick scan of a whole journal before it is replayed: its rewinds, Rounds, and revealed
//! secrets.

use super::{secret_book::SecretBook, source::Source};
use postrider_dice::{SeedChain, earlier_origin, published_length};
use postrider_journal::{Body, Line, LinesFault, Rewound};
use std::io;

/// A rewind in line `at`: play continues after line `to`, and the lines between are undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewind {
    pub to: u64,
    pub at: u64,
    /// If line `to` begins a Round within a step, which is played again from there on: the `n` of
    /// the line that caused the step.
    pub within: Option<u64>,
}

impl Rewind {
    /// Returns the rewind in line `at`.
    pub fn of(rewound: &Rewound<'_>, at: u64) -> Rewind {
        Rewind { to: rewound.to, at, within: rewound.within }
    }
}

/// The data that a replay needs before it begins: the rewinds of the journal and the secrets that
/// it reveals.
#[derive(Clone, Default)]
pub struct JournalIndex {
    pub rewinds: Vec<Rewind>,
    /// The number of rewinds with new seed chains.
    pub generations: u64,
    /// The `n` of every line that marks a Round.
    pub rounds: Vec<u64>,
    pub book: SecretBook,
}

impl JournalIndex {
    /// Scans a journal. Skips damaged lines, which are reported when the lines are read in order.
    pub fn of(source: &Source) -> Result<JournalIndex, io::Error> {
        let mut index = JournalIndex::default();
        let mut lines = source.lines()?;
        loop {
            match lines.next_line() {
                Ok(Some(text)) => match tail_kind(text) {
                    Some(b"revealed" | b"closed" | b"rewound") => _ = index.note(text),
                    Some(b"round") => index.rounds.push(lines.count() - 1),
                    _ => {}
                },
                Ok(None) | Err(LinesFault::TooLong { .. } | LinesFault::Torn { .. }) => return Ok(index),
                Err(LinesFault::Io { error, .. }) => return Err(error),
            }
        }
    }
    fn note(&mut self, text: &[u8]) -> Option<()> {
        let line = Line::parse(text).ok().filter(|line| line.entry_hash() == line.hash)?;
        match line.read_body().ok()? {
            Body::Revealed(revealed) => {
                self.book.revealed.entry((revealed.deck.to_string(), revealed.epoch)).or_insert(revealed.secret);
            }
            Body::Closed(closed) => {
                for (label, &origin) in closed.secrets.iter().filter(|(label, _)| label.starts_with("deck:")) {
                    // The chains of earlier generations follow from this one.
                    let (length, mut s_0) = (published_length(label)?, origin);
                    for k in (0..=self.generations).rev() {
                        self.book.add(SeedChain::new(label, length, s_0));
                        s_0 = earlier_origin(label, k, &s_0);
                    }
                }
            }
            Body::Rewound(rewound) => {
                self.rewinds.push(Rewind::of(&rewound, line.n));
                self.generations += u64::from(!rewound.chains.is_empty());
            }
            _ => {}
        }
        Some(())
    }
    /// Returns the last line up to `until` that marks a Round and is not undone.
    pub(crate) fn last_round(&self, until: u64) -> Option<u64> {
        let undone = self.undone(until);
        self.rounds.iter().copied().rfind(|&n| n <= until && !undone.holds(n))
    }
    /// Returns the lines that are undone in the history of line `until`.
    pub fn undone(&self, until: u64) -> Undone {
        Undone::of(&self.rewinds, until)
    }
}

/// The lines that rewinds have undone.
#[derive(Clone, Debug, Default)]
pub struct Undone(Vec<Rewind>);

impl Undone {
    /// Returns the lines that are undone in the history of line `until`.
    ///
    /// The history of a rewind is the history of the line to which it returns. So only the last
    /// rewind up to `until` counts, then the last one before the line to which that one returns,
    /// and so on. A rewind that is itself undone undoes nothing.
    pub fn of(rewinds: &[Rewind], until: u64) -> Undone {
        let mut ranges = Vec::new();
        let mut end = until;
        for rewind in rewinds.iter().rev() {
            if rewind.at <= end {
                ranges.push(*rewind);
                end = rewind.to;
            }
        }
        ranges.reverse();
        Undone(ranges)
    }
    /// Returns `true` if line `n` is undone.
    pub fn holds(&self, n: u64) -> bool {
        self.by(n).is_some()
    }
    /// Returns the rewind that undid line `n`, if any.
    pub fn by(&self, n: u64) -> Option<Rewind> {
        // The ranges are in order and do not overlap.
        let next = self.0.partition_point(|rewind| rewind.at <= n);
        self.0.get(next).copied().filter(|rewind| rewind.to < n)
    }
}

/// Returns the kind of a line, read from its end without parsing. The text after the kind is short
/// and has a fixed form.
pub fn tail_kind(text: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"\"kind\":\"";
    let tail = &text[text.len().saturating_sub(160)..];
    // Comparing one rare byte first, the `k`, avoids most full comparisons.
    let from = tail.windows(NAME.len()).rposition(|window| window[1] == NAME[1] && window == NAME)? + NAME.len();
    tail[from..].split(|&byte| byte == b'"').next()
}
