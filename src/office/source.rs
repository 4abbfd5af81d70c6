//! Where the lines of a journal are read from, and what a quick look through all of them tells beforehand.

use crate::{
    dice::{Hash, SeedChain, earlier_origin, published_length},
    journal::{Body, Line, Lines, LinesFault},
};
use std::{
    collections::HashMap,
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

/// A journal that can be read from its start as often as needed.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file on disk.
    File(PathBuf),
    /// Its bytes in memory.
    Bytes(Arc<[u8]>),
}

impl From<&Path> for Source {
    fn from(path: &Path) -> Self {
        Source::File(path.to_owned())
    }
}

impl From<&[u8]> for Source {
    fn from(bytes: &[u8]) -> Self {
        Source::Bytes(bytes.into())
    }
}

impl Source {
    /// All its bytes.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn bytes(&self) -> io::Result<Arc<[u8]>> {
        match self {
            Source::File(path) => Ok(fs_err::read(path)?.into()),
            Source::Bytes(bytes) => Ok(bytes.clone()),
        }
    }

    /// Its lines, from the first one.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn lines(&self) -> io::Result<Lines<Box<dyn Read>>> {
        #[cfg(test)]
        READ.set(READ.get() + 1);
        Ok(Lines::new(match self {
            Source::File(path) => Box::new(fs_err::File::open(path)?),
            Source::Bytes(bytes) => Box::new(Cursor::new(bytes.clone())),
        }))
    }
}

#[cfg(test)]
thread_local! {
    /// How often this thread has begun to read a journal.
    pub(super) static READ: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// What is known of the secrets of a game: the operator's chains, those that `closed` lays open, and single links that
/// `revealed` names. Grows with the number of shuffles, not with the journal.
#[derive(Clone, Default)]
pub(super) struct Book {
    /// By published tip, which tells the chains of one label apart.
    chains: HashMap<Hash, Rc<SeedChain>>,
    revealed: HashMap<(String, u64), Hash>,
}

impl Book {
    pub fn add(&mut self, chain: SeedChain) {
        self.chains.insert(chain.tip(), Rc::new(chain));
    }
    /// The chain with this published tip.
    pub fn chain(&self, tip: Hash) -> Option<&SeedChain> {
        self.chains.get(&tip).map(|chain| &**chain)
    }
    /// The secret of a shuffle that took link number `used` of the chain with this tip.
    pub fn secret(&self, tip: Hash, used: u64, deck: &str, epoch: u64) -> Option<Hash> {
        // A link that stands in the journal costs nothing; one of a kept chain costs up to 256 hashes.
        let revealed = self.revealed.get(&(deck.to_owned(), epoch)).copied();
        revealed.or_else(|| self.chain(tip).and_then(|chain| chain.reveal(used).ok()))
    }
}

/// A rewind: play goes on after line `to`; the lines between that and `at` are undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rewind {
    pub to: u64,
    pub at: u64,
}

/// What a replay must know before it begins: which lines later ones undo, and the secrets that later ones reveal.
#[derive(Clone, Default)]
pub(super) struct Survey {
    pub rewinds: Vec<Rewind>,
    /// n of every line that marks a Round.
    pub rounds: Vec<u64>,
    pub book: Book,
}

impl Survey {
    /// Looks through a journal. Lines that are damaged are passed over here: whoever reads them in order reports them.
    pub fn of(source: &Source) -> Result<Survey, io::Error> {
        let mut survey = Survey::default();
        let mut lines = source.lines()?;
        loop {
            match lines.next_line() {
                Ok(Some(text)) => match tail_kind(text) {
                    Some(b"revealed" | b"closed" | b"rewound") => _ = survey.note(text),
                    Some(b"round") => survey.rounds.push(lines.count() - 1),
                    _ => {}
                },
                Ok(None) | Err(LinesFault::TooLong { .. } | LinesFault::Torn { .. }) => return Ok(survey),
                Err(LinesFault::Io { error, .. }) => return Err(error),
            }
        }
    }
    fn note(&mut self, text: &[u8]) -> Option<()> {
        let line = Line::parse(text).ok().filter(|line| line.entry_hash() == line.hash)?;
        match line.read_body().ok()? {
            Body::Revealed(revealed) => {
                let deck = revealed.chain.strip_prefix("deck:")?.to_owned();
                self.book.revealed.entry((deck, revealed.epoch)).or_insert(revealed.secret);
            }
            Body::Closed(closed) => {
                for (label, &origin) in closed.secrets.iter().filter(|(label, _)| label.starts_with("deck:")) {
                    // The chains before each rewind follow from this one.
                    let (length, mut s_0) = (published_length(label)?, origin);
                    for k in (0..=self.rewinds.len() as u64).rev() {
                        self.book.add(SeedChain::new(label, length, s_0));
                        s_0 = earlier_origin(label, k, &s_0);
                    }
                }
            }
            Body::Rewound(rewound) => self.rewinds.push(Rewind { to: rewound.to, at: line.n }),
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
pub(super) struct Undone(Vec<Rewind>);

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
        // They lie behind each other.
        let next = self.0.partition_point(|rewind| rewind.at <= n);
        self.0.get(next).is_some_and(|rewind| rewind.to < n)
    }
}

/// The kind of a line, read from its end without parsing: what follows the kind has a known, short form.
fn tail_kind(text: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"\"kind\":\"";
    let tail = &text[text.len().saturating_sub(160)..];
    let from = tail.windows(NAME.len()).rposition(|window| window == NAME)? + NAME.len();
    tail[from..].split(|&byte| byte == b'"').next()
}

/// One label's chain in use: its published tip and how many of its links are taken.
#[derive(Clone, Debug)]
pub(super) struct InUse {
    pub tip: Hash,
    pub used: u64,
}

impl From<Hash> for InUse {
    fn from(tip: Hash) -> Self {
        InUse { tip, used: 0 }
    }
}
