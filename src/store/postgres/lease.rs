//! A lease on a game for one command. The changes are collected and written in one transaction on
//! release.

use super::{
    Inner, JournalCopy,
    database::{Connection, hash_of},
    mails::envelope_and_mail,
};
use crate::{
    GameStatus, Kept, KeptLines, Lease, Mark, OutboxRow, StoreError,
    lines::{lines_of, written},
};
use postrider_dice::Hash;
use postrider_journal::{FileFault, Head, Line, PATIENCE};
use postrider_mailbox::Delivery;
use postrider_replay::Source;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

/// The time after which others may take over a lease, in seconds. The previous holder can then
/// change nothing.
pub(super) const TERM: f64 = 60.0;

/// The waiting time before the next attempt to take a lease: at first, and at most.
const FIRST_WAIT: Duration = Duration::from_millis(5);
const LONGEST_WAIT: Duration = Duration::from_millis(80);

/// The time to keep trying to find out whether a transaction was committed after its connection
/// broke.
const FIND_OUT: Duration = if cfg!(test) { Duration::from_millis(400) } else { Duration::from_secs(10) };

/// A game's status as stored in its row.
#[derive(Serialize, Deserialize)]
pub(super) struct Form {
    release: String,
    status: GameStatus,
}

impl Form {
    /// Wraps a status with the current release.
    pub fn of(status: &GameStatus) -> Form {
        Form { release: env!("CARGO_PKG_VERSION").to_owned(), status: status.clone() }
    }

    /// Returns `true` if this release made it.
    pub fn is_ours(&self) -> bool {
        self.release == env!("CARGO_PKG_VERSION")
    }

    /// Returns the status.
    pub fn status(self) -> GameStatus {
        self.status
    }
}

/// A row of `games`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GameRow {
    pub lines: i64,
    pub head: Option<Hash>,
    pub kept: i64,
    pub changes: i64,
    pub status: Option<Vec<u8>>,
    pub status_of: (Option<i64>, Option<i64>),
}

impl GameRow {
    /// Returns the row of a game, if there is one.
    pub fn read(connection: &mut Connection, game: &str) -> Result<Option<GameRow>, StoreError> {
        let row = connection.row(
            "SELECT lines, head, kept, changes, status, status_lines, status_changes FROM games WHERE game = $1",
            &[&game],
        )?;
        Ok(row.map(|row| GameRow {
            lines: row.get(0),
            head: hash_of(&row, 1),
            kept: row.get(2),
            changes: row.get(3),
            status: row.get(4),
            status_of: (row.get(5), row.get(6)),
        }))
    }

    pub fn head(&self, game: &str) -> Option<Head> {
        let n = u64::try_from(self.lines).ok()?.checked_sub(1)?;
        Some(Head { game: game.to_owned(), n, hash: self.head? })
    }

    pub fn mark(&self, game: &str) -> Mark {
        Mark { head: self.head(game), journal: self.lines.unsigned_abs(), secrets: self.changes.unsigned_abs() }
    }

    /// Returns `true` if its status is up to date.
    pub(crate) fn status_is_true(&self) -> bool {
        self.status_of == (Some(self.lines), Some(self.changes))
    }
}

/// Returns the place of a row of secrets, to which its seal is bound.
pub(super) fn secret_place(game: &str, k: i64) -> String {
    format!("secrets/{game}/{k}")
}

/// Returns the place of a game's status, to which its seal is bound.
pub(super) fn status_place(game: &str) -> String {
    format!("status/{game}")
}

/// The lease on a game: a row of `leases`, whose token is checked again in the transaction that
/// writes. It belongs to one connection, and ends with it.
pub(super) struct PgLease {
    inner: Arc<Inner>,
    game: String,
    /// The connection; `None` after the release.
    connection: Option<Connection>,
    token: i64,
    /// The time at which the lease was taken, by the server's clock.
    at: i64,
    /// The game's row when the lease was taken.
    found: GameRow,
    /// The last line after the changes.
    head: Option<Head>,
    journal: JournalCopy,
    appended: usize,
    kept: Vec<String>,
    gone: BTreeSet<i64>,
    addresses: Vec<Vec<u8>>,
    letters: Vec<OutboxRow>,
}

impl PgLease {
    /// Waits for the lease on a game; returns `None` if there is no such game.
    ///
    /// # Errors
    /// Returns [`StoreError::Journal`] with `Locked` if another process holds it too long, or
    /// [`StoreError::Database`].
    pub fn take(inner: &Arc<Inner>, game: &str) -> Result<Option<PgLease>, StoreError> {
        let mut connection = inner.database.connection()?;
        if GameRow::read(&mut connection, game)?.is_none() {
            inner.database.give_back(connection);
            return Ok(None);
        }
        let (token, at) = take(&mut connection, game, inner.term)?;
        // Read only now that the lease is held: the previous holder has committed.
        let mut lease = PgLease {
            inner: Arc::clone(inner),
            game: game.to_owned(),
            connection: Some(connection),
            token,
            at,
            found: GameRow::default(),
            head: None,
            journal: JournalCopy::default(),
            appended: 0,
            kept: Vec::new(),
            gone: BTreeSet::new(),
            addresses: Vec::new(),
            letters: Vec::new(),
        };
        lease.found = GameRow::read(lease.connection()?, game)?.unwrap_or_default();
        lease.head = lease.found.head(game);
        let (inner, found) = (Arc::clone(inner), lease.found.clone());
        lease.journal = inner.journal_of(lease.connection()?, game, &found)?;
        Ok(Some(lease))
    }

    fn connection(&mut self) -> Result<&mut Connection, StoreError> {
        self.connection.as_mut().ok_or(StoreError::ReadOnly)
    }

    fn not_next(&self, what: String) -> StoreError {
        FileFault::NotNext { path: PathBuf::from(&self.game), what }.into()
    }

    /// Returns the current rows of secrets with their numbers.
    fn rows(&mut self) -> Result<Vec<(i64, String)>, StoreError> {
        let (inner, game, next) = (Arc::clone(&self.inner), self.game.clone(), self.found.kept);
        let mut rows = inner.secrets_of(self.connection()?, &game)?;
        rows.retain(|(k, _)| !self.gone.contains(k));
        rows.extend((next..).zip(self.kept.iter().cloned()));
        Ok(rows)
    }

    /// Returns `true` if there are changes other than to the status.
    fn is_changed(&self) -> bool {
        self.appended > 0 || !self.kept.is_empty() || !self.gone.is_empty() || !self.letters.is_empty()
    }

    /// Returns the game's row after the changes.
    fn becomes(&self, status: Option<&GameStatus>) -> Result<GameRow, StoreError> {
        let lines = self.found.lines + i64::try_from(self.appended).unwrap_or(i64::MAX);
        let changed = !self.kept.is_empty() || !self.gone.is_empty();
        let changes = self.found.changes + i64::from(changed);
        let sealed = match status {
            Some(status) => Some(self.inner.seal(&status_place(&self.game), &serde_json::to_vec(&Form::of(status))?)?),
            None => None,
        };
        Ok(GameRow {
            lines,
            head: self.head.as_ref().map(|head| head.hash),
            kept: self.found.kept + i64::try_from(self.kept.len()).unwrap_or(i64::MAX),
            changes,
            status_of: if sealed.is_some() { (Some(lines), Some(changes)) } else { (None, None) },
            status: sealed,
        })
    }

    /// Returns `true` if the row already has this status.
    fn says(&self, status: Option<&GameStatus>) -> bool {
        let known = self.inner.status_of(&self.game, &self.found).filter(|_| self.found.status_is_true());
        known.as_ref() == status && known.is_some() == self.found.status.is_some()
    }

    /// Writes all changes in a transaction, without committing it.
    fn write(&mut self, next: &GameRow) -> Result<(), StoreError> {
        let (game, token, found) = (self.game.clone(), self.token, self.found.clone());
        let lines = self.journal.last(self.appended);
        let numbers: Vec<i64> = (found.lines..next.lines).collect();
        let secrets = { (found.kept..).zip(&self.kept) }
            .map(|(k, line)| self.inner.seal(&secret_place(&game, k), line.as_bytes()))
            .collect::<Result<Vec<_>, _>>()?;
        let places: Vec<i64> = (found.kept..next.kept).collect();
        let gone: Vec<i64> = self.gone.iter().copied().collect();
        let addresses = std::mem::take(&mut self.addresses);
        let names: Vec<String> = self.letters.iter().map(|row| row.unique.clone()).collect();
        let mails = { self.letters.iter() }
            .map(|row| self.inner.seal(&super::mails::letter_place(&row.unique), &envelope_and_mail(&row.mail)?))
            .collect::<Result<Vec<_>, _>>()?;
        let connection = self.connection()?;
        connection.batch("BEGIN")?;
        // The lease is locked until the commit, so no one can take it over meanwhile.
        if connection.row("SELECT 1 FROM leases WHERE name = $1 AND token = $2 FOR UPDATE", &[&game, &token])?.is_none()
        {
            return Err(StoreError::LeaseLost { game });
        }
        let head = next.head.map(|hash| hash.0.to_vec());
        let done = connection.run(
            "UPDATE games SET lines = $3, head = $4, kept = $5, changes = $6, status = $7, status_lines = $8, \
             status_changes = $9, token = $10 WHERE game = $1 AND lines = $2 AND token < $10",
            &[
                &game,
                &found.lines,
                &next.lines,
                &head,
                &next.kept,
                &next.changes,
                &next.status,
                &next.status_of.0,
                &next.status_of.1,
                &token,
            ],
        )?;
        if done != 1 {
            return Err(StoreError::LeaseLost { game });
        }
        if !lines.is_empty() {
            connection.run(
                "INSERT INTO events (game, n, line) SELECT $1, n, line FROM unnest($2::bigint[], $3::bytea[]) AS new (n, line)",
                &[&game, &numbers, &lines],
            )?;
        }
        if !gone.is_empty() {
            // The empty row shows that it was not lost.
            connection.run("UPDATE secrets SET sealed = '' WHERE game = $1 AND k = ANY ($2)", &[&game, &gone])?;
        }
        if !secrets.is_empty() {
            connection.run(
                "INSERT INTO secrets (game, k, sealed) SELECT $1, k, sealed FROM unnest($2::bigint[], $3::bytea[]) AS new (k, sealed)",
                &[&game, &places, &secrets],
            )?;
        }
        if !addresses.is_empty() {
            connection.run(
                "INSERT INTO players (address, game) SELECT address, $1 FROM unnest($2::bytea[]) AS new (address) \
                 ON CONFLICT DO NOTHING",
                &[&game, &addresses],
            )?;
        }
        if !names.is_empty() {
            connection.run(
                "INSERT INTO outbox (letter, sealed) SELECT letter, sealed FROM unnest($1::text[], $2::bytea[]) AS new (letter, sealed) \
                 ON CONFLICT DO NOTHING",
                &[&names, &mails],
            )?;
            connection.batch("NOTIFY postrider_out")?;
        }
        connection.run("UPDATE leases SET until = '-infinity' WHERE name = $1 AND token = $2", &[&game, &token])?;
        Ok(())
    }

    /// Commits. If the connection breaks before the answer, another connection is used to find out
    /// whether the commit happened.
    fn commit(&mut self) -> Result<(), StoreError> {
        let why = match self.connection()?.batch("COMMIT") {
            Ok(()) => return Ok(()),
            Err(why) => why,
        };
        self.connection = None;
        let asked = Instant::now();
        while asked.elapsed() < FIND_OUT {
            if let Ok(mut connection) = self.inner.database.connection() {
                let row = connection.row("SELECT token FROM games WHERE game = $1", &[&self.game])?;
                // A newer token belongs to a later holder, who has read the current state.
                return match row.map(|row| row.get::<_, i64>(0)) {
                    // The connection may have broken before the standby had the commit. A further
                    // commit waits for both.
                    Some(token) if token == self.token => {
                        connection.run("UPDATE games SET token = token WHERE game = $1", &[&self.game]).map(drop)
                    }
                    _ => Err(why),
                };
            }
            thread::sleep(LONGEST_WAIT);
        }
        Err(why)
    }

    /// Releases the lease without writing.
    fn give_back(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        let free = "UPDATE leases SET until = '-infinity' WHERE name = $1 AND token = $2";
        // If that fails, the connection is dropped, which ends the lease.
        if connection.run(free, &[&self.game, &self.token]).is_ok() {
            self.inner.database.give_back(connection);
        }
    }
}

/// Waits for a lease; returns its token and the server's time.
pub(super) fn take(connection: &mut Connection, name: &str, term: f64) -> Result<(i64, i64), StoreError> {
    let (asked, mut wait) = (Instant::now(), FIRST_WAIT);
    loop {
        if let Some(taken) = try_take(connection, name, term)? {
            return Ok(taken);
        }
        if asked.elapsed() >= PATIENCE {
            return Err(FileFault::Locked { path: PathBuf::from(name) }.into());
        }
        thread::sleep(wait);
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

/// Takes a lease if it is free: if its holder released it, has held it too long, or has lost the
/// connection. Returns its token and the server's time.
pub(super) fn try_take(connection: &mut Connection, name: &str, term: f64) -> Result<Option<(i64, i64)>, StoreError> {
    let row = connection.row(
        "INSERT INTO leases AS had (name, token, pid, started, until) \
         SELECT $1, nextval('tokens'), pid, backend_start, clock_timestamp() + $2 * interval '1 second' \
         FROM pg_stat_get_activity(pg_backend_pid()) \
         ON CONFLICT (name) DO UPDATE SET token = excluded.token, pid = excluded.pid, started = excluded.started, until = excluded.until \
         WHERE had.until < clock_timestamp() OR NOT EXISTS \
         (SELECT FROM pg_stat_get_activity(had.pid) AS there WHERE there.backend_start = had.started) \
         RETURNING token, extract(epoch FROM clock_timestamp())::bigint",
        &[&name, &term],
    )?;
    Ok(row.map(|row| (row.get(0), row.get(1))))
}

impl Lease for PgLease {
    fn is_atomic(&self) -> bool {
        true
    }

    fn now(&self) -> Option<i64> {
        Some(self.at)
    }

    fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    fn journal(&self) -> Source {
        self.journal.source()
    }

    fn append(&mut self, expected: u64, lines: &[u8]) -> Result<(), StoreError> {
        let next = self.head.as_ref().map_or(0, |head| head.n + 1);
        if expected != next {
            return Err(self.not_next(format!("line n = {expected} comes where n = {next} belongs")));
        }
        let mut head = self.head.clone();
        let mut count = 0;
        if !lines.ends_with(b"\n") {
            return Err(self.not_next("the last line has no newline".to_owned()));
        }
        for text in lines.split_inclusive(|&byte| byte == b'\n') {
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            let line = Line::parse(text).map_err(|why| self.not_next(why.to_string()))?;
            let follows = head.as_ref().map_or((0, Hash::ZERO), |head| (head.n + 1, head.hash));
            if (line.n, line.prev) != follows || line.hash != line.entry_hash() {
                return Err(self.not_next(format!("line n = {} does not continue the chain", line.n)));
            }
            head = Some(Head { game: self.game.clone(), n: line.n, hash: line.hash });
            count += 1;
        }
        self.journal.append(lines);
        self.appended += count;
        self.head = head;
        Ok(())
    }

    fn cut_after(&mut self, n: Option<u64>) -> Result<(), StoreError> {
        let there = self.head.as_ref().map_or(0, |head| head.n + 1);
        let keep = n.map_or(0, |n| n + 1);
        let cut = there.checked_sub(keep).and_then(|cut| usize::try_from(cut).ok());
        let Some(cut) = cut else {
            return Err(self.not_next(format!("there is no line n = {}", keep.saturating_sub(1))));
        };
        // Commands are written completely or not at all, so no stored lines ever need to be cut
        // off.
        if cut > self.appended {
            return Err(self.not_next("lines that are in the database are never cut off".to_owned()));
        }
        self.journal.cut(cut);
        self.appended -= cut;
        let last = self.journal.last(1);
        self.head = match last.first().map(|text| Line::parse(text.strip_suffix(b"\n").unwrap_or(text))) {
            Some(Ok(line)) => Some(Head { game: self.game.clone(), n: line.n, hash: line.hash }),
            Some(Err(why)) => return Err(self.not_next(why.to_string())),
            None => None,
        };
        Ok(())
    }

    fn kept(&mut self) -> Result<KeptLines, StoreError> {
        Ok(KeptLines::of_lines(self.rows()?.into_iter().map(|(_, line)| line)))
    }

    fn keep(&mut self, kept: &Kept) -> Result<(), StoreError> {
        self.addresses.extend(super::address_of(kept).map(|address| self.inner.lookup(address)));
        for line in written(kept)? {
            self.kept.push(line.to_string());
        }
        Ok(())
    }

    fn forget(&mut self, gone: &dyn Fn(&Kept) -> bool) -> Result<bool, StoreError> {
        let rows = self.rows()?;
        let text: String = rows.iter().map(|(_, line)| format!("{line}\n")).collect();
        let places = lines_of(&text, gone);
        let first = self.found.kept;
        let own = |k: i64| usize::try_from(k - first).ok();
        let mut unwritten: BTreeSet<usize> = BTreeSet::new();
        for (k, _) in places.iter().filter_map(|&at| rows.get(at)) {
            match own(*k) {
                Some(at) => _ = unwritten.insert(at),
                None => _ = self.gone.insert(*k),
            }
        }
        let mut at = 0..;
        self.kept.retain(|_| !at.next().is_some_and(|at| unwritten.contains(&at)));
        Ok(!places.is_empty())
    }

    fn put(&mut self, mail: &OutboxRow) -> Result<Delivery, StoreError> {
        if self.letters.iter().any(|one| one.unique == mail.unique) {
            return Ok(Delivery::AlreadyThere);
        }
        let there = self.connection()?.row("SELECT 1 FROM outbox WHERE letter = $1", &[&mail.unique])?.is_some();
        if there {
            return Ok(Delivery::AlreadyThere);
        }
        self.letters.push(mail.clone());
        Ok(Delivery::Stored)
    }

    fn release(mut self: Box<Self>, status: Option<&GameStatus>) -> Result<Mark, StoreError> {
        if !self.is_changed() && self.says(status) {
            self.give_back();
            return Ok(self.found.mark(&self.game));
        }
        let next = self.becomes(status)?;
        if let Err(why) = self.write(&next) {
            // Dropping the connection rolls back the transaction.
            self.connection = None;
            return Err(why);
        }
        self.commit()?;
        if let Some(connection) = self.connection.take() {
            self.inner.database.give_back(connection);
        }
        self.inner.remember(&self.game, &self.journal);
        Ok(next.mark(&self.game))
    }
}

impl Drop for PgLease {
    fn drop(&mut self) {
        self.give_back();
    }
}
