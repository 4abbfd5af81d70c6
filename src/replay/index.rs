//! What one quick look through a whole journal tells before it is replayed: rewinds, Rounds, and the secrets that it reveals.

use super::{secret_book::SecretBook, source::Source};
use postrider_dice::{SeedChain, earlier_origin, published_length};
use postrider_journal::{Body, Line, LinesFault};
use std::io;

/// A rewind: play goes on after line `to`; the lines between that and `at` are undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewind {
    pub to: u64,
    pub at: u64,
}

/// What a replay must know before it begins: which lines later ones undo, and the secrets that later ones reveal.
#[derive(Clone, Default)]
pub struct JournalIndex {
    pub rewinds: Vec<Rewind>,
    /// How many of them brought fresh chains.
    pub generations: u64,
    /// n of every line that marks a Round.
    pub rounds: Vec<u64>,
    pub book: SecretBook,
}

impl JournalIndex {
    /// Looks through a journal. Lines that are damaged are passed over here: whoever reads them in order reports them.
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
                    // The chains before each rewind follow from this one.
                    let (length, mut s_0) = (published_length(label)?, origin);
                    for k in (0..=self.generations).rev() {
                        self.book.add(SeedChain::new(label, length, s_0));
                        s_0 = earlier_origin(label, k, &s_0);
                    }
                }
            }
            Body::Rewound(rewound) => {
                self.rewinds.push(Rewind { to: rewound.to, at: line.n });
                self.generations += u64::from(!rewound.chains.is_empty());
            }
            _ => {}
        }
        Some(())
    }
    /// The last line up to `until` that marks a Round and is not undone.
    pub fn last_round(&self, until: u64) -> Option<u64> {
        let undone = self.undone(until);
        self.rounds.iter().copied().rfind(|&n| n <= until && !undone.holds(n))
    }
    /// The lines that are undone in the history of line `until`.
    pub fn undone(&self, until: u64) -> Undone {
        Undone::of(&self.rewinds, until)
    }
}

/// Lines that rewinds have undone.
#[derive(Clone, Debug, Default)]
pub struct Undone(Vec<Rewind>);

impl Undone {
    /// Those that are undone in the history of line `until`.
    ///
    /// The history of a rewind is that of the line to which it goes back, so only the last rewind counts of those before
    /// `until`, then the last one before the line to which that goes back, and so on: a rewind that is itself undone undoes
    /// nothing.
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
    /// Whether line `n` is one of them.
    pub fn holds(&self, n: u64) -> bool {
        self.by(n).is_some()
    }
    /// The rewind that has undone line `n`, if it is one of them.
    pub fn by(&self, n: u64) -> Option<Rewind> {
        // They lie behind each other.
        let next = self.0.partition_point(|rewind| rewind.at <= n);
        self.0.get(next).copied().filter(|rewind| rewind.to < n)
    }
}

/// The kind of a line, read from its end without parsing: what follows the kind has a known, short form.
pub fn tail_kind(text: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"\"kind\":\"";
    let tail = &text[text.len().saturating_sub(160)..];
    // Few bytes are a `k`: those alone are looked at closely.
    let from = tail.windows(NAME.len()).rposition(|window| window[1] == NAME[1] && window == NAME)? + NAME.len();
    tail[from..].split(|&byte| byte == b'"').next()
}
