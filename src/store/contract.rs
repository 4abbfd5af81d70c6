#![doc = include_str!("contract.md")]

use super::{StoreError, index::GameStatus, lines::KeptLines, secrets::Kept};
use postrider_dice::Hash;
use postrider_journal::Head;
use postrider_mail::{Composed, Delivery};
use postrider_replay::Source;

/// How a game stood at a moment. Two equal marks mean that nothing was changed between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The last line of the journal; `None` while it has none.
    pub head: Option<Head>,
    /// The size of the journal, in a unit of the store's own.
    pub journal: u64,
    /// The size of what is kept beside it, in a unit of the store's own.
    pub secrets: u64,
}

/// A mail that waits to be handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    /// Its name, in which nothing changes when the same mail is written again: `lone-pine.B.412.letter`.
    pub unique: String,
    /// The mail with its envelope. Nobody looks into the mail to find out who is to get it.
    pub mail: Composed,
}

/// The right to change one game, held for one command. Nobody else holds one for the same game meanwhile; others can look at
/// the game all the time. Dropping it gives the right back without a word about what was not yet safe.
pub trait Lease {
    /// The last line of the journal; `None` while it has none.
    fn head(&self) -> Option<&Head>;

    /// The last line, by number and hash, when somebody last worked on the game, as far as the index remembers: a journal without it
    /// is not the one that was worked on.
    fn remembered(&self) -> Option<(u64, Hash)>;

    /// The journal as it is now, for reading.
    fn journal(&self) -> Source;

    /// Appends whole lines, of which the first has the number `expected`. They are there all or not at all unless the program
    /// ends in the middle of it.
    ///
    /// # Errors
    /// [`StoreError::Journal`] when the lines do not continue the chain, or `expected` is not the next number: nothing was written
    /// then. A [fatal](StoreError::is_fatal) one when writing failed.
    fn append(&mut self, expected: u64, lines: &[u8]) -> Result<(), StoreError>;

    /// Cuts off all lines after line `n`; `None` leaves no line. Only for the rest of a command that was appended in part when a
    /// program ended, and of which therefore nobody has heard.
    ///
    /// # Errors
    /// [`StoreError::Journal`] when there is no such line.
    fn cut_after(&mut self, n: Option<u64>) -> Result<(), StoreError>;

    /// All that is kept beside the journal, oldest first, and what of it could not be read.
    ///
    /// # Errors
    /// [`StoreError::Secrets`] when it cannot be read at all.
    fn kept(&mut self) -> Result<KeptLines, StoreError>;

    /// Keeps one thing more.
    ///
    /// # Errors
    /// A [fatal](StoreError::is_fatal) one when writing failed.
    fn keep(&mut self, kept: &Kept) -> Result<(), StoreError>;

    /// Takes away for ever what is to be forgotten: a message, what is known of a person. Says whether there was anything. Whoever
    /// asks for it answers for what the journal needs to be proved: no chain, no root and no standing order is taken away.
    ///
    /// # Errors
    /// A [fatal](StoreError::is_fatal) one when nobody knows what is kept now.
    fn forget(&mut self, gone: &dyn Fn(&Kept) -> bool) -> Result<bool, StoreError>;

    /// Puts a mail into the outbox. One of the same name that is there already, handed over or not, is left as it is.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Io`]; the mail is not there then, and putting it again may help.
    fn put(&mut self, mail: &OutboxRow) -> Result<Delivery, StoreError>;

    /// Gives the right back, and enters how the game stands now into the index (`None`: nobody knows). All that was done is safe
    /// when this returns; gives the mark by which it is known that nothing was changed since.
    ///
    /// # Errors
    /// A [fatal](StoreError::is_fatal) one when nobody knows whether it is safe.
    fn release(self: Box<Self>, status: Option<&GameStatus>) -> Result<Mark, StoreError>;
}

/// A game as a store lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its id.
    pub game: String,
    /// How it stands; `None` where that is not known, or no longer true, and must be found by opening the game.
    pub status: Option<GameStatus>,
}

/// What became of a mail that was to be handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandedOver {
    /// It was taken.
    Taken,
    /// It was put off: it waits on.
    Later,
    /// It will never be taken; why.
    Never(String),
    /// Nothing can be handed over now: this mail and all behind it wait on.
    Stop,
}

/// The games of a host: their journals and what is kept beside them. Everything here can be done while others hold leases, and
/// keeps nobody waiting.
pub trait Games {
    /// The ids of all games that have at least one line, sorted.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn games(&self) -> Result<Vec<String>, StoreError>;

    /// The journal of a game as far as it is whole; `None` if there is no such game. Somebody may be appending to it: of his
    /// command a part may be there.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn journal(&self, game: &str) -> Result<Option<Source>, StoreError>;

    /// What is kept beside a journal. Read after the journal it holds every secret that the journal commits to.
    ///
    /// # Errors
    /// [`StoreError::Secrets`] or [`StoreError::Io`] when it cannot be read.
    fn kept(&self, game: &str) -> Result<KeptLines, StoreError>;

    /// How a game stands now; a last line that is being written does not count.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn mark(&self, game: &str) -> Result<Mark, StoreError>;

    /// Makes a new game, without a line yet, and leases it. One whose making was broken off before its first line is made again.
    ///
    /// # Errors
    /// [`StoreError::Exists`] when it has a line.
    fn create(&self, game: &str) -> Result<Box<dyn Lease>, StoreError>;

    /// Leases a game: waits a while for whoever has it. `known` is how it stood when the caller gave it back, if he had it. `None` if
    /// there is no such game.
    ///
    /// # Errors
    /// [`StoreError::Journal`] with `Locked` when somebody keeps it too long.
    fn lease(&self, game: &str, known: Option<&Mark>) -> Result<Option<Box<dyn Lease>>, StoreError>;
}

/// The index of a host's games.
pub trait Index {
    /// Every game with its status where that is known; sorted by id.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn listed(&self) -> Result<Vec<Listed>, StoreError>;

    /// The games in which this address sits at a seat, or sat, or was about to; sorted. There may be more than there should be,
    /// never fewer: an address is entered before the journal commits to it. Case does not matter.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn games_of(&self, address: &str) -> Result<Vec<String>, StoreError>;

    /// Takes out that an address sits in a game, where nothing says so any more.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn leave(&self, game: &str, address: &str) -> Result<(), StoreError>;

    /// Forgets everything, which is found again when it is next needed.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn forget(&self) -> Result<(), StoreError>;
}

/// For so many seconds answers are counted.
pub const HOUR: i64 = 3_600;

/// Kept mails are looked through once in so many seconds.
pub const DAY: i64 = 24 * HOUR;

/// A letter that did not reach its reader, and will not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undelivered {
    /// Its name.
    pub unique: String,
    /// What the mail servers say.
    pub why: String,
}

/// A mail that is kept as it came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenMail {
    /// Its SHA-256, which the journal names.
    pub hash: Hash,
    /// When it was taken in, in seconds since 1970.
    pub at: i64,
}

/// Mails that wait to be handed over, and mails that have come in.
pub trait Mails {
    /// Offers every waiting mail to `take`, oldest name first, and keeps in mind what became of it. One mail is offered to one
    /// caller at a time. A mail that was taken is not offered again, unless the program ends before that is kept in mind.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Io`].
    fn hand_over(&self, take: &mut dyn FnMut(&OutboxRow) -> HandedOver) -> Result<(), StoreError>;

    /// The letters that were refused for good or came back, by name.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Io`].
    fn undelivered(&self) -> Result<Vec<Undelivered>, StoreError>;

    /// Notes that a letter that was handed over came back; says which. It is known by the beginning of its name; of several that begin so
    /// it is the newest.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Io`].
    fn came_back(&self, begins: &str, why: &str) -> Result<Option<String>, StoreError>;

    /// Forgets what is noted of letters whose names begin so, since another one is on its way.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Io`].
    fn forgive(&self, begins: &str) -> Result<(), StoreError>;

    /// The names of the mails that wait, sorted.
    ///
    /// # Errors
    /// [`StoreError::Maildir`].
    fn waiting(&self) -> Result<Vec<String>, StoreError>;

    /// The bytes of a mail that was put into the outbox, handed over or not; `None` where it is there no more.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Io`].
    fn letter(&self, unique: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Puts a mail that came in among those that wait to be taken in; it is safe when this returns. One of the same name that is
    /// there already is left as it is. Their names sort by time.
    ///
    /// # Errors
    /// [`StoreError::Maildir`]; whoever brought the mail must keep it.
    fn comes_in(&self, unique: &str, raw: &[u8]) -> Result<Delivery, StoreError>;

    /// The names of mails that have come in and wait to be taken in, oldest first; where several processes take mails in, without those
    /// that another has in hand.
    ///
    /// # Errors
    /// [`StoreError::Maildir`].
    fn inbox(&self) -> Result<Vec<String>, StoreError>;

    /// The bytes of a mail that has come in; of one beyond [`MAX_MESSAGE_BYTES`](postrider_mail::MAX_MESSAGE_BYTES) one byte more than that.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] when it is gone, or another process has it in hand.
    fn read(&self, unique: &str) -> Result<Vec<u8>, StoreError>;

    /// Removes a mail from the inbox, after everything that follows from it is safe.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn taken_in(&self, unique: &str) -> Result<(), StoreError>;

    /// Files a mail that cannot be handled, with the reason. The same bytes are filed once, with the last reason.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Io`].
    fn poison(&self, raw: &[u8], why: &str) -> Result<(), StoreError>;

    /// Counts one more answer to somebody at a time, in seconds since 1970, and says how many there were within the last [`HOUR`],
    /// this one among them. What was counted may be lost by a crash.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn count_answer(&self, whose: &str, now: i64) -> Result<usize, StoreError>;

    /// Files a mail that is not answered. The same bytes are filed once.
    ///
    /// # Errors
    /// [`StoreError::Maildir`].
    fn refuse(&self, raw: &[u8]) -> Result<(), StoreError>;

    /// Keeps a mail to a game as it came in, at a time in seconds since 1970; says whether it was not there yet. It may be lost by a
    /// power cut.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn keep_taken(&self, game: &str, raw: &[u8], at: i64) -> Result<bool, StoreError>;

    /// The games of which mails are kept, sorted, be they still there or not.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn games_of_taken(&self) -> Result<Vec<String>, StoreError>;

    /// The mails that are kept of a game, by hash.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn taken(&self, game: &str) -> Result<Vec<TakenMail>, StoreError>;

    /// Removes a mail that is kept of a game, if it is there.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn forget_taken(&self, game: &str, mail: &Hash) -> Result<(), StoreError>;

    /// The bytes of a mail that is kept of a game; `None` where it is not.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn read_taken(&self, game: &str, mail: &Hash) -> Result<Option<Vec<u8>>, StoreError>;

    /// The names of all letters that begin so, waiting, handed over or refused; sorted.
    ///
    /// # Errors
    /// [`StoreError::Maildir`].
    fn letters(&self, begins: &str) -> Result<Vec<String>, StoreError>;

    /// Removes a letter, waiting or not, and what is noted of it, if it is there.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Io`].
    fn forget_letter(&self, unique: &str) -> Result<(), StoreError>;

    /// Removes those of the mails that are filed unanswered, or could not be handled, of which this is said; says how many they were.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Io`].
    fn forget_filed(&self, gone: &dyn Fn(&[u8]) -> bool) -> Result<usize, StoreError>;

    /// Puts a mail into the outbox that belongs to no game: one to the host. As [`Lease::put`].
    ///
    /// # Errors
    /// As [`Lease::put`].
    fn put_notice(&self, mail: &OutboxRow) -> Result<Delivery, StoreError>;

    /// The mails that could not be handled, by name, each with its reason.
    ///
    /// # Errors
    /// [`StoreError::Maildir`] or [`StoreError::Io`].
    fn poisoned(&self) -> Result<Vec<Undelivered>, StoreError>;

    /// Whether nobody has looked for a day whether kept mails are to be removed; whoever asks is to look.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn sweep_due(&self, now: i64) -> Result<bool, StoreError>;
}

/// Where a host's games are kept.
pub trait Store: Games + Index + Mails {}

impl<S: Games + Index + Mails> Store for S {}
