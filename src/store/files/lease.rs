//! A lease on a game's files.

use super::index::FileIndex;
use crate::{
    GameStatus, Host, Lease, MailFolder, Mark, OutboxRow, StoreError,
    lines::{KeptLines, lines_of, written},
    secrets::Kept,
};
use postrider_journal::{FileFault, Head, JournalFile, SecretsFile};
use postrider_mailbox::{Delivery, Maildir};
use postrider_replay::Source;
use std::io::ErrorKind;

/// The lease on a game in a host's folder: the lock of its journal. The effects of each call are
/// safely stored when it returns, except that letters are safe only when the next item is kept or
/// the lease is released.
pub struct FileLease {
    game: String,
    index: FileIndex,
    journal: JournalFile,
    secrets: SecretsFile,
    out: Maildir,
    sent: Maildir,
    refused: Maildir,
    /// `true` if names of letters still have to be made safe.
    put: bool,
}

impl FileLease {
    /// Waits for a game's lock up to [`PATIENCE`](postrider_journal::PATIENCE), and cuts off torn
    /// last lines. `known` is the game's mark at an earlier release; if it still matches, nothing
    /// has to be read or made safe again. Anything that an earlier process wrote to the journal is
    /// made safe before further changes build on it.
    ///
    /// # Errors
    /// Returns [`StoreError::Journal`] if another process holds the lock too long, or the error of
    /// opening the files.
    pub fn open(host: &Host, index: &FileIndex, game: &str, known: Option<&Mark>) -> Result<FileLease, StoreError> {
        let before = known.and_then(|mark| Some((mark.head.as_ref()?, mark.journal)));
        let journal = JournalFile::open_known(host.journal(game), before)?;
        if journal.cut() > 0 {
            tracing::warn!(game, bytes = journal.cut(), "a torn last line was cut off");
        }
        let secrets = SecretsFile::open_known(host.secrets(game), known.map(|mark| mark.secrets))?;
        FileLease::of(host, index, game, journal, secrets)
    }

    /// Creates the files of a new game. A crash before its first line may have left both files;
    /// nothing depends on such secrets.
    ///
    /// # Errors
    /// Returns [`StoreError::Exists`] if the game already has a line, or the error of creating the
    /// files.
    pub fn create(host: &Host, index: &FileIndex, game: &str) -> Result<FileLease, StoreError> {
        let (path, kept) = (host.journal(game), host.secrets(game));
        // The lock comes first: if two processes create the same game, one waits here and then
        // finds it.
        let journal = match JournalFile::create(&path) {
            Err(FileFault::Io { error, .. }) if error.kind() == ErrorKind::AlreadyExists => JournalFile::open(&path)?,
            made => made?,
        };
        if journal.head().is_some() {
            return Err(StoreError::Exists { game: game.to_owned() });
        }
        let secrets = match kept.try_exists()? {
            true => SecretsFile::open(&kept)?,
            false => SecretsFile::create(&kept)?,
        };
        FileLease::of(host, index, game, journal, secrets)
    }

    fn of(
        host: &Host,
        index: &FileIndex,
        game: &str,
        journal: JournalFile,
        secrets: SecretsFile,
    ) -> Result<FileLease, StoreError> {
        let (out, sent) = (host.mail(MailFolder::Out)?, host.mail(MailFolder::Sent)?);
        let refused = host.mail(MailFolder::Refused)?;
        Ok(FileLease { game: game.to_owned(), index: index.clone(), journal, secrets, out, sent, refused, put: false })
    }

    /// Makes everything durable that is not yet: lines that an earlier process wrote to the
    /// journal, and the names of letters.
    fn settle(&mut self) -> Result<(), StoreError> {
        self.journal.settle()?;
        if self.put {
            self.out.settle_new()?;
            self.put = false;
        }
        Ok(())
    }
}

impl Lease for FileLease {
    fn head(&self) -> Option<&Head> {
        self.journal.head()
    }

    fn journal(&self) -> Source {
        Source::from(self.journal.path())
    }

    fn append(&mut self, expected: u64, lines: &[u8]) -> Result<(), StoreError> {
        let next = self.journal.head().map_or(0, |head| head.n + 1);
        if expected != next {
            let what = format!("line n = {expected} comes where n = {next} belongs");
            return Err(FileFault::NotNext { path: self.journal.path().to_owned(), what }.into());
        }
        Ok(self.journal.append(lines)?)
    }

    fn cut_after(&mut self, n: Option<u64>) -> Result<(), StoreError> {
        Ok(self.journal.truncate_after(n)?)
    }

    fn kept(&mut self) -> Result<KeptLines, StoreError> {
        Ok(KeptLines::of_text(&self.secrets.text()?))
    }

    fn keep(&mut self, kept: &Kept) -> Result<(), StoreError> {
        self.keep_all(std::slice::from_ref(kept))
    }

    fn keep_all(&mut self, all: &[Kept]) -> Result<(), StoreError> {
        self.settle()?;
        let mut lines = Vec::new();
        for kept in all {
            self.index.learn(&self.game, kept)?;
            lines.extend(written(kept)?);
        }
        Ok(self.secrets.append(&lines)?)
    }

    fn forget(&mut self, gone: &dyn Fn(&Kept) -> bool) -> Result<bool, StoreError> {
        self.journal.settle()?;
        let lines = lines_of(&self.secrets.text()?, gone);
        Ok(!lines.is_empty() && self.secrets.retain(|at| !lines.contains(&at))?)
    }

    fn put(&mut self, mail: &OutboxRow) -> Result<Delivery, StoreError> {
        self.journal.settle()?;
        // In the order in which a letter moves, so that one that is handed over meanwhile is found.
        for folder in [&self.out, &self.sent, &self.refused] {
            if folder.find(&mail.unique)?.is_some() {
                return Ok(Delivery::AlreadyThere);
            }
        }
        let delivered = self.out.deliver_unsettled(&mail.unique, &mail.mail.filed())?;
        self.put |= delivered == Delivery::Stored;
        Ok(delivered)
    }

    fn release(mut self: Box<Self>, status: Option<&GameStatus>) -> Result<Mark, StoreError> {
        // The author of the command is told that it is done, even if an earlier process did it.
        self.settle()?;
        self.index.put(&self.game, status)?;
        Ok(Mark {
            head: self.journal.head().cloned(),
            journal: self.journal.length()?,
            secrets: self.secrets.length()?,
        })
    }
}
