#![doc = include_str!("contract.md")]

use super::{StoreError, index::GameStatus, lines::KeptLines, secrets::Kept};
use postrider_dice::Hash;
use postrider_journal::Head;
use postrider_mail::Composed;
use postrider_mailbox::Delivery;
use postrider_replay::Source;

/// The state of a game at one moment. If two marks are equal, nothing was changed between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The last line of the journal; `None` while it has none.
    pub head: Option<Head>,
    /// The size of the journal, in a unit of the store's own.
    pub journal: u64,
    /// The size of the secrets, in a unit of the store's own.
    pub secrets: u64,
}

/// A mail in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    /// Its name, which is the same if the mail is written again, such as `lone-pine.B.412.letter`.
    pub unique: String,
    /// The mail with its envelope. The recipients are taken from the envelope only, never from the
    /// mail.
    pub mail: Composed,
}

/// The exclusive right to change one game, held for one command. Meanwhile others can still read
/// the game. Dropping a lease releases it without reporting whether everything is safely stored.
pub trait Lease {
    /// Returns the last line of the journal; `None` while there is none.
    fn head(&self) -> Option<&Head>;

    /// Returns the current journal, for reading.
    fn journal(&self) -> Source;

    /// Appends whole lines, the first of which has the number `expected`. Either all are appended
    /// or none, unless the program ends meanwhile.
    ///
    /// # Errors
    /// Returns [`StoreError::Journal`] if the lines do not continue the chain or `expected` is not
    /// the next number; nothing was written then. Returns a [fatal](StoreError::is_fatal) error if
    /// writing failed.
    fn append(&mut self, expected: u64, lines: &[u8]) -> Result<(), StoreError>;

    /// Cuts off all lines after line `n`; `None` removes all lines. Only for the rest of a command
    /// that was appended in part when a program ended, and of which therefore no one was told.
    ///
    /// # Errors
    /// Returns [`StoreError::Journal`] if there is no such line.
    fn cut_after(&mut self, n: Option<u64>) -> Result<(), StoreError>;

    /// Returns the secrets kept next to the journal, oldest first, and the lines that could not be
    /// read.
    ///
    /// # Errors
    /// Returns [`StoreError::Secrets`] if the secrets cannot be read at all.
    fn kept(&mut self) -> Result<KeptLines, StoreError>;

    /// Adds one item to the secrets.
    ///
    /// # Errors
    /// Returns a [fatal](StoreError::is_fatal) error if writing failed.
    fn keep(&mut self, kept: &Kept) -> Result<(), StoreError>;

    /// Adds several items, which are safe together.
    ///
    /// # Errors
    /// As [`Lease::keep`].
    fn keep_all(&mut self, all: &[Kept]) -> Result<(), StoreError> {
        all.iter().try_for_each(|kept| self.keep(kept))
    }

    /// Returns `true` if a crash leaves either all changes made under this lease or none.
    fn is_atomic(&self) -> bool {
        false
    }

    /// Returns the time at which the lease was taken by the store's own clock, in seconds since
    /// 1970; `None` if it has none.
    fn now(&self) -> Option<i64> {
        None
    }

    /// Permanently removes items such as a message or a person's data, selected by `gone`; returns
    /// `true` if there were any. The caller must not remove anything that the journal needs to be
    /// proved: no chain, root or standing order.
    ///
    /// # Errors
    /// Returns a [fatal](StoreError::is_fatal) error if the stored contents are now unknown.
    fn forget(&mut self, gone: &dyn Fn(&Kept) -> bool) -> Result<bool, StoreError>;

    /// Puts a mail into the outbox. If there is already one with the same name, handed over or not,
    /// that one stays unchanged.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`]; the mail is then not there, and a
    /// retry may succeed.
    fn put(&mut self, mail: &OutboxRow) -> Result<Delivery, StoreError>;

    /// Releases the lease and records the game's status in the index (`None` if unknown).
    /// Everything done under the lease is safely stored when this returns. Returns a mark by which
    /// later changes can be detected.
    ///
    /// # Errors
    /// Returns a [fatal](StoreError::is_fatal) error if it is unknown whether everything is stored.
    fn release(self: Box<Self>, status: Option<&GameStatus>) -> Result<Mark, StoreError>;
}

/// A game in a store's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub game: String,
    /// Its status; `None` if that is unknown or out of date, and the game must be opened to find
    /// it.
    pub status: Option<GameStatus>,
}

/// The result of handing over a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandedOver {
    /// The mail was accepted.
    Taken,
    /// The mail was deferred and stays in the outbox.
    Later,
    /// The mail will never be accepted, for this reason.
    Never(String),
    /// No mail can be handed over now: this one and all later ones stay in the outbox.
    Stop,
}

/// A host's games: their journals and secrets. All these methods can be used while others hold
/// leases, and do not block them.
pub trait Games {
    /// Returns the ids of all games that have at least one line, sorted.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn games(&self) -> Result<Vec<String>, StoreError>;

    /// Returns the journal of a game, without an incomplete last line; `None` if there is no such
    /// game. If another process is appending to it, part of a command may be included.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn journal(&self, game: &str) -> Result<Option<Source>, StoreError>;

    /// Returns the secrets kept next to a journal. If they are read after the journal, they include
    /// every secret that it commits to.
    ///
    /// # Errors
    /// Returns [`StoreError::Secrets`] or [`StoreError::Io`] if they cannot be read.
    fn kept(&self, game: &str) -> Result<KeptLines, StoreError>;

    /// Returns the current mark of a game. An incomplete last line does not count.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn mark(&self, game: &str) -> Result<Mark, StoreError>;

    /// Returns the time of the store's own clock in seconds since 1970; `None` if it has none.
    ///
    /// # Errors
    /// Returns [`StoreError::Database`].
    fn now(&self) -> Result<Option<i64>, StoreError> {
        Ok(None)
    }

    /// Creates a new game without lines, and leases it. If an earlier creation ended before the
    /// first line, this starts again.
    ///
    /// # Errors
    /// Returns [`StoreError::Exists`] if the game has a line.
    fn create(&self, game: &str) -> Result<Box<dyn Lease>, StoreError>;

    /// Leases a game; waits for a while if another process holds it. `known` is the mark of the
    /// caller's last release, if any. Returns `None` if there is no such game.
    ///
    /// # Errors
    /// Returns [`StoreError::Journal`] with `Locked` if another process holds it too long.
    fn lease(&self, game: &str, known: Option<&Mark>) -> Result<Option<Box<dyn Lease>>, StoreError>;
}

/// The index of a host's games.
pub trait Index {
    /// Returns every game with its status, if that is known; sorted by id.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn listed(&self) -> Result<Vec<Listed>, StoreError>;

    /// Returns the games in which this address has, had, or was about to get a seat; sorted. There
    /// may be too many but never too few, because an address is entered before the journal commits
    /// to it. Case does not matter.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn games_of(&self, address: &str) -> Result<Vec<String>, StoreError>;

    /// Returns number and hash of the last line at the end of the last change to a game, if known.
    /// A journal without that line is not the one that was changed.
    ///
    /// # Errors
    /// Returns [`StoreError::Database`].
    fn remembered(&self, game: &str) -> Result<Option<(u64, Hash)>, StoreError>;

    /// Removes the entry of an address in a game that no longer refers to it.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn leave(&self, game: &str, address: &str) -> Result<(), StoreError>;

    /// Clears the index; its content is found again when next needed.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn forget(&self) -> Result<(), StoreError>;
}

/// The period over which answers are counted, in seconds.
pub const HOUR: i64 = 3_600;

/// Returns the time from which an answer counts again, if these answers of the last [`HOUR`],
/// oldest first, are as many as count.
pub(crate) fn counts_again(recent: &[i64], most: usize) -> Option<i64> {
    let oldest = recent.len().checked_sub(most).and_then(|first| recent.get(first));
    oldest.map(|oldest| oldest + HOUR)
}

/// The interval between searches for outdated mails, in seconds.
pub const DAY: i64 = 24 * HOUR;

/// A letter that did not and will not reach its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undelivered {
    /// Its name.
    pub unique: String,
    /// The mail servers' reason.
    pub why: String,
}

/// A mail that is kept as it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenMail {
    /// Its SHA-256, which the journal names.
    pub hash: Hash,
    /// The time at which it was taken in, in seconds since 1970.
    pub at: i64,
}

/// The outbox, and the mails that came in.
pub trait Mails {
    /// Offers every waiting mail to `take`, oldest name first, and records the results. A mail is
    /// offered to one caller at a time. A mail that was accepted is not offered again, unless the
    /// program ends before that is recorded.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`].
    fn hand_over(&self, take: &mut dyn FnMut(&OutboxRow) -> HandedOver) -> Result<(), StoreError>;

    /// Returns the letters that were refused for good or bounced, by name.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`].
    fn undelivered(&self) -> Result<Vec<Undelivered>, StoreError>;

    /// Records that a letter bounced after it was handed over, and returns its name. It is the
    /// newest letter whose name begins with `begins`.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`].
    fn came_back(&self, begins: &str, why: &str) -> Result<Option<String>, StoreError>;

    /// Clears the delivery failures of letters whose names begin with `begins`, because a new
    /// letter is on its way.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`].
    fn forgive(&self, begins: &str) -> Result<(), StoreError>;

    /// Returns the names of the mails in the outbox, sorted.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`].
    fn waiting(&self) -> Result<Vec<String>, StoreError>;

    /// Returns the bytes of a mail that was put into the outbox, handed over or not; `None` if it
    /// is gone.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`].
    fn letter(&self, unique: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Adds an incoming mail to the inbox; it is safely stored when this returns. If there is
    /// already one with the same name, that one stays unchanged. Names must sort by time.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`]; the caller must then keep the mail.
    fn comes_in(&self, unique: &str, raw: &[u8]) -> Result<Delivery, StoreError>;

    /// Returns the names of the mails in the inbox, oldest first. If several processes take mails
    /// in, those that another process is handling are left out.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`].
    fn inbox(&self) -> Result<Vec<String>, StoreError>;

    /// Returns the bytes of a mail in the inbox, at most one more than
    /// [`MAX_MESSAGE_BYTES`](postrider_mail::MAX_MESSAGE_BYTES).
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] if it is gone or another process is handling it.
    fn read(&self, unique: &str) -> Result<Vec<u8>, StoreError>;

    /// Removes a mail from the inbox after all its consequences are safely stored.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn taken_in(&self, unique: &str) -> Result<(), StoreError>;

    /// Files a mail that cannot be handled, with the reason. The same bytes are filed once, with
    /// the last reason.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`].
    fn poison(&self, raw: &[u8], why: &str) -> Result<(), StoreError>;

    /// Moves a mail that cannot even be read out of the inbox, to those that cannot be handled,
    /// with the reason. Returns `false` if that is not possible here, and the mail stays.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`].
    fn set_aside(&self, _unique: &str, _why: &str) -> Result<bool, StoreError> {
        Ok(false)
    }

    /// Counts an answer to `whose` at the time `now`, in seconds since 1970, unless there were
    /// `most` within the last [`HOUR`]. Then it is not counted, and the time from which an answer
    /// counts again is returned. A crash may lose counts.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn count_answer(&self, whose: &str, now: i64, most: usize) -> Result<Option<i64>, StoreError>;

    /// Files a mail that is not answered. The same bytes are filed once.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`].
    fn refuse(&self, raw: &[u8]) -> Result<(), StoreError>;

    /// Keeps a mail to a game as it came in, with the time in seconds since 1970; returns `true` if
    /// it was not there yet. A power failure may lose it.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn keep_taken(&self, game: &str, raw: &[u8], at: i64) -> Result<bool, StoreError>;

    /// Returns the games of which mails are kept, sorted, including games that no longer exist.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn games_of_taken(&self) -> Result<Vec<String>, StoreError>;

    /// Returns the kept mails of a game, sorted by hash.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn taken(&self, game: &str) -> Result<Vec<TakenMail>, StoreError>;

    /// Removes a kept mail of a game, if it is there.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn forget_taken(&self, game: &str, mail: &Hash) -> Result<(), StoreError>;

    /// Returns the bytes of a kept mail of a game; `None` if it is not there.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn read_taken(&self, game: &str, mail: &Hash) -> Result<Option<Vec<u8>>, StoreError>;

    /// Returns the names of all letters that begin with `begins`, waiting, handed over or refused;
    /// sorted.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`].
    fn letters(&self, begins: &str) -> Result<Vec<String>, StoreError>;

    /// Removes a letter, waiting or not, and its recorded failure, if it is there.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`].
    fn forget_letter(&self, unique: &str) -> Result<(), StoreError>;

    /// Removes those filed mails, unanswered or not handled, that `gone` selects; returns their
    /// number.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`].
    fn forget_filed(&self, gone: &dyn Fn(&[u8]) -> bool) -> Result<usize, StoreError>;

    /// Puts a mail that belongs to no game into the outbox, such as one to the host. Works like
    /// [`Lease::put`].
    ///
    /// # Errors
    /// As [`Lease::put`].
    fn put_notice(&self, mail: &OutboxRow) -> Result<Delivery, StoreError>;

    /// Adds letters from another store, each with the outcome of its delivery there. Letters that
    /// are already here stay unchanged. Returns the number of letters added; all are safely stored
    /// by then.
    ///
    /// # Errors
    /// As [`Lease::put`] and [`Mails::hand_over`].
    fn bring_letters(&self, letters: &[(OutboxRow, HandedOver)]) -> Result<usize, StoreError> {
        let mut count = 0;
        for (row, became) in letters {
            count += usize::from(self.put_notice(row)? == Delivery::Stored);
            let of_it = |other: &OutboxRow| other.unique == row.unique;
            if *became != HandedOver::Later {
                self.hand_over(&mut |other| if of_it(other) { became.clone() } else { HandedOver::Later })?;
            }
        }
        Ok(count)
    }

    /// Returns the mails that could not be handled, by name, each with its reason.
    ///
    /// # Errors
    /// Returns [`StoreError::Maildir`] or [`StoreError::Io`].
    fn poisoned(&self) -> Result<Vec<Undelivered>, StoreError>;

    /// Returns `true` if no one has searched for outdated mails for a day; the caller must then do
    /// so.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`].
    fn sweep_due(&self, now: i64) -> Result<bool, StoreError>;
}

/// The storage of a host's games and mails.
pub trait Store: Games + Index + Mails {}

impl<S: Games + Index + Mails> Store for S {}
