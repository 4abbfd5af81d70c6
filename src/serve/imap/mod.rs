//! Mails from a mailbox by IMAP (RFC 9051, RFC 3501). The server reports new mails by IDLE (RFC
//! 2177), or is polled.
//!
//! A mail is stored in `mail/in` before it is marked, deleted or moved in the mailbox. If the
//! process ends in between, the mail is fetched again, and the duplicate has no effect. New mails
//! are recognized by their UIDs, so that a person may also read the mailbox. At the first start,
//! and after the server has renumbered the mailbox (UIDVALIDITY), all unread mails count as new.

mod connection;
mod limits;

pub use self::connection::{ImapFault, Server};

use self::connection::Connection;
#[cfg(any(test, feature = "testing"))]
pub(super) use self::connection::client;
use super::{error::ServeError, inbox::Inbox, state::State};
use async_imap::{
    Session,
    error::Error,
    types::{Capabilities, UnsolicitedResponse},
};
use futures_util::{FutureExt as _, TryStreamExt as _};
use postrider_disk as disk;
use postrider_mail::MAX_MESSAGE_BYTES;
use postrider_store::{Host, Imap, ImapDone, PgTurn};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    panic::AssertUnwindSafe,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::time::timeout;

/// Interval at which IDLE is restarted. It is well below the 29 minutes of RFC 2177, because a
/// connection may end unnoticed.
const IDLE: Duration = Duration::from_secs(300);

/// Delay before reconnecting after an error; it doubles with every failure up to `LONGEST_REST`.
const FIRST_REST: Duration = Duration::from_secs(2);
const LONGEST_REST: Duration = Duration::from_secs(300);

/// Maximum number of attempts to fetch a mail that the server cannot deliver.
const MOST_TRIES: u32 = 3;

/// A mailbox from which mails are fetched.
pub(super) struct Mailbox {
    server: Server,
    name: String,
    done: ImapDone,
    poll: Duration,
    inbox: Inbox,
    /// The turn, if several processes share a database.
    turn: Option<Turn>,
    state: Arc<State>,
    /// The file that records the last mail read.
    note: PathBuf,
    /// The identity of the mailbox in that file.
    whose: String,
    /// The number of failed attempts, by UID.
    failed: BTreeMap<u32, u32>,
    /// Mails that are in `mail/in` but not yet deleted or moved in the mailbox, by UIDVALIDITY and
    /// UID.
    put: BTreeSet<(u32, u32)>,
}

/// The turn to read a mailbox; it is requested in a separate thread.
pub(super) type Turn = Arc<Mutex<PgTurn>>;

/// Interval at which a process asks for its turn to read the mailbox.
const ASK_TURN: Duration = Duration::from_secs(3);

/// The last mail read from a mailbox. If it is lost, all unread mails count as new.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    whose: String,
    validity: u32,
    uid: u32,
}

impl Mailbox {
    /// Creates a mailbox from the settings.
    ///
    /// # Errors
    ///
    /// Returns [`ServeError`] if the password or the certificates cannot be read.
    pub fn of(
        host: &Host,
        imap: &Imap,
        inbox: Inbox,
        state: Arc<State>,
        turn: Option<Turn>,
    ) -> Result<Mailbox, ServeError> {
        Ok(Mailbox {
            server: Server::of(host, imap)?,
            name: imap.mailbox.clone(),
            done: imap.done.clone(),
            poll: Duration::from_secs(imap.poll.clamp(5, 3_600)),
            inbox,
            state,
            turn,
            note: host.root().join("index").join("mailbox.json"),
            whose: format!("{} {} {}", imap.host, imap.user, imap.mailbox),
            failed: BTreeMap::new(),
            put: BTreeSet::new(),
        })
    }

    /// Fetches mails from the mailbox forever.
    pub async fn watch(mut self) {
        let mut failures = 0;
        loop {
            if !self.is_our_turn().await {
                tokio::time::sleep(ASK_TURN).await;
                continue;
            }
            let mut reached = false;
            // `read` returns only on an error or the end of the turn. A panic of the library on a
            // server's answer must not end the thread.
            let failed = AssertUnwindSafe(self.read(&mut reached)).catch_unwind().await;
            if let Err(why) = failed.unwrap_or(Err(ImapFault::Nonsense { what: "a command" })) {
                self.state.fails("imap", &why.to_string());
            }
            failures = if reached { 1 } else { failures + 1 };
            let whole = FIRST_REST.saturating_mul(1 << (failures - 1).min(10)).min(LONGEST_REST);
            let less = getrandom::u32().map_or(0.0, |random| f64::from(random) / f64::from(u32::MAX) / 4.0);
            tokio::time::sleep(whole.mul_f64(1.0 - less)).await;
        }
    }

    /// Returns `true` if this process reads the mailbox; only one of all processes with the same
    /// database does.
    async fn is_our_turn(&self) -> bool {
        let Some(turn) = self.turn.clone() else { return true };
        let asked =
            tokio::task::spawn_blocking(move || turn.lock().unwrap_or_else(PoisonError::into_inner).is_ours()).await;
        match asked {
            Ok(Ok(ours)) => {
                if !ours {
                    self.state.works("imap");
                }
                ours
            }
            Ok(Err(why)) => {
                self.state.fails("imap", &why.to_string());
                false
            }
            Err(_) => false,
        }
    }

    /// Reads the mailbox over one connection, until that fails.
    async fn read(&mut self, reached: &mut bool) -> Result<(), ImapFault> {
        let server = self.server.clone();
        let mut session = server.log_in().await?;
        let can = server.wait("CAPABILITY", session.capabilities()).await?;
        let mailbox = server.wait("SELECT", session.select(&self.name)).await?;
        // Without UIDVALIDITY, UIDs are valid only for this connection (RFC 3501, section 2.3.1.1).
        let (validity, next) = (mailbox.uid_validity.unwrap_or_default(), mailbox.uid_next.unwrap_or(1));
        *reached = true;
        self.state.works("imap");
        let news = session.unsolicited_responses.clone();
        let tells = || {
            let mut tells = false;
            while let Ok(said) = news.try_recv() {
                tells |= matches!(said, UnsolicitedResponse::Exists(_) | UnsolicitedResponse::Recent(_));
            }
            tells
        };
        loop {
            tells();
            if !self.is_our_turn().await {
                return Ok(());
            }
            self.take_new(&mut session, &can, (validity, next)).await?;
            // The server will not report again a mail that arrived meanwhile.
            if tells() {
                continue;
            }
            if !can.has_str("IDLE") {
                tokio::time::sleep(self.poll).await;
                server.wait("NOOP", session.noop()).await?;
                continue;
            }
            let mut idle = session.idle();
            server.wait("IDLE", idle.init()).await?;
            if !tells() {
                let (heard, _interrupt) = idle.wait_with_timeout(IDLE);
                heard.await.map_err(|why| server.fault("IDLE", why))?;
            }
            session = server.wait("DONE", idle.done()).await?;
        }
    }

    /// Fetches all new mails; `next` is the UIDNEXT reported when the mailbox was selected.
    async fn take_new(
        &mut self,
        session: &mut Session<Connection>,
        can: &Capabilities,
        (validity, next): (u32, u32),
    ) -> Result<(), ImapFault> {
        let note = self.noted().filter(|note| note.validity == validity && validity != 0);
        let first = note.is_none();
        let (from, query) = match (&self.done, note) {
            (ImapDone::Seen, Some(note)) => (note.uid, format!("UID {}:* UNDELETED", note.uid.saturating_add(1))),
            (ImapDone::Seen, None) => (0, "UNSEEN UNDELETED".to_owned()),
            // Processed mails are no longer in the mailbox.
            _ => (0, "UNDELETED".to_owned()),
        };
        let found = self.server.wait("SEARCH", session.uid_search(query)).await?;
        // A range that starts after the last UID still includes the last one (RFC 3501, section
        // 6.4.8).
        let new: BTreeSet<u32> = found.into_iter().filter(|uid| *uid > from).collect();
        // Includes read mails with greater UIDs that were there before the first start, so that
        // they never count as new.
        let read_to = new.last().copied().unwrap_or(0).max(next.saturating_sub(1));
        for uid in new {
            if self.failed.get(&uid).is_some_and(|tries| *tries >= MOST_TRIES) {
                continue;
            }
            if !self.put.contains(&(validity, uid)) {
                match self.fetch(session, uid).await {
                    Ok(Some(raw)) => {
                        let put = self.inbox.put_beside("imap", raw).await;
                        put.map_err(|why| ImapFault::NotKept { why })?;
                        self.failed.remove(&uid);
                    }
                    // The mail has been deleted.
                    Ok(None) if self.is_gone(session, uid).await? => continue,
                    Ok(None) => {
                        let why = "it gives none".to_owned();
                        return Err(self.not_given(uid, ImapFault::Refused { what: "a mail", why }));
                    }
                    Err(why) if why.is_an_answer() => return Err(self.not_given(uid, why)),
                    Err(why) => return Err(why),
                }
            }
            match self.done {
                ImapDone::Seen if first => {}
                ImapDone::Seen => self.keep(&Note { whose: self.whose.clone(), validity, uid }),
                _ => drop(self.put.insert((validity, uid))),
            }
            self.finish(session, can, uid).await?;
            self.put.remove(&(validity, uid));
        }
        if first && self.done == ImapDone::Seen {
            self.keep(&Note { whose: self.whose.clone(), validity, uid: read_to });
        }
        Ok(())
    }

    /// Counts a failed attempt to fetch a mail; after [`MOST_TRIES`] attempts the mail is skipped.
    fn not_given(&mut self, uid: u32, why: ImapFault) -> ImapFault {
        let tries = self.failed.entry(uid).or_default();
        *tries += 1;
        if *tries >= MOST_TRIES {
            tracing::error!(uid, %why, "a mail cannot be fetched and is left in the mailbox");
        }
        why
    }

    async fn is_gone(&self, session: &mut Session<Connection>, uid: u32) -> Result<bool, ImapFault> {
        let found = self.server.wait("SEARCH", session.uid_search(format!("UID {uid}"))).await?;
        Ok(!found.contains(&uid))
    }

    /// Fetches the raw mail; of an oversized mail, one byte more than the limit. Returns `None` if
    /// the mail does not exist any more.
    async fn fetch(&self, session: &mut Session<Connection>, uid: u32) -> Result<Option<Vec<u8>>, ImapFault> {
        let query = format!("(UID BODY.PEEK[]<0.{}>)", MAX_MESSAGE_BYTES + 1);
        let whole = async {
            let mut found = None;
            let mut answers = session.uid_fetch(uid.to_string(), query).await?;
            while let Some(answer) = answers.try_next().await? {
                // Servers may send updates on other mails in between.
                if answer.uid == Some(uid)
                    && let Some(body) = answer.body()
                {
                    found = Some(body.to_vec());
                }
            }
            Ok::<_, Error>(found)
        };
        // A large mail over a slow connection takes longer than a short answer.
        let seconds = self.server.patience.saturating_mul(10);
        let silent = |_| ImapFault::Silent { what: "FETCH", seconds: seconds.as_secs() };
        timeout(seconds, whole).await.map_err(silent)?.map_err(|why| self.server.fault("FETCH", why))
    }

    /// Marks, moves or deletes a fetched mail, as set.
    async fn finish(&self, session: &mut Session<Connection>, can: &Capabilities, uid: u32) -> Result<(), ImapFault> {
        let (server, set) = (&self.server, uid.to_string());
        let flag = match &self.done {
            ImapDone::Seen => "+FLAGS.SILENT (\\Seen)",
            ImapDone::Move(other) if can.has_str("MOVE") => {
                return server.wait("MOVE", session.uid_mv(&set, other)).await;
            }
            ImapDone::Move(other) => {
                server.wait("COPY", session.uid_copy(&set, other)).await?;
                "+FLAGS.SILENT (\\Seen \\Deleted)"
            }
            ImapDone::Delete => "+FLAGS.SILENT (\\Seen \\Deleted)",
        };
        let store = async { session.uid_store(&set, flag).await?.try_for_each(|_| async { Ok(()) }).await };
        server.wait("STORE", store).await?;
        // Without UIDPLUS, EXPUNGE would remove all mails marked as deleted, including those that
        // others marked (RFC 4315).
        if self.done != ImapDone::Seen && can.has_str("UIDPLUS") {
            let expunge = async { session.uid_expunge(&set).await?.try_for_each(|_| async { Ok(()) }).await };
            server.wait("EXPUNGE", expunge).await?;
        }
        Ok(())
    }

    fn noted(&self) -> Option<Note> {
        let note: Note = serde_json::from_slice(&std::fs::read(&self.note).ok()?).ok()?;
        (note.whose == self.whose).then_some(note)
    }

    /// Writes the note. If that fails, mails are read again, and the duplicates have no effect.
    fn keep(&self, note: &Note) {
        let text = serde_json::to_vec(note).unwrap_or_default();
        let folder = self.note.parent().map_or(Ok(()), std::fs::create_dir_all);
        if let Err(why) = folder.and_then(|()| disk::put_helper(&self.note, &text)) {
            tracing::warn!(%why, "how far the mailbox was read cannot be noted");
        }
    }
}
