//! Mails from a mailbox by IMAP (RFC 9051, RFC 3501): the server tells of new ones by IDLE (RFC 2177), or is asked.
//!
//! A mail is put into `mail/in` first and marked, deleted or moved after that; so one that was fetched when the process ended is fetched
//! again, and acts once. Which mails are new is known by their UID, so that a person may read them meanwhile; at the first start, and when
//! the server has numbered the mailbox anew (UIDVALIDITY), those that nobody has read count as new.

mod connection;
mod limits;

pub use self::connection::{ImapFault, Server};

use self::connection::Connection;
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

/// IDLE is begun anew so often: well before the 29 minutes of RFC 2177, because a connection may end without a word.
const IDLE: Duration = Duration::from_secs(300);

/// A server that cannot be read is left alone for so long, and each time for twice as long.
const FIRST_REST: Duration = Duration::from_secs(2);
const LONGEST_REST: Duration = Duration::from_secs(300);

/// A mail that the server cannot give is tried so often.
const MOST_TRIES: u32 = 3;

/// A mailbox from which mails are taken.
pub(super) struct Mailbox {
    server: Server,
    name: String,
    done: ImapDone,
    poll: Duration,
    inbox: Inbox,
    /// Where several processes share a database: whether it is this one's turn.
    turn: Option<Turn>,
    state: Arc<State>,
    /// Where it is noted how far it was read.
    note: PathBuf,
    /// Which mailbox that note is about.
    whose: String,
    /// Mails that the server could not give, and how often they were tried.
    failed: BTreeMap<u32, u32>,
    /// Mails that are in `mail/in` and not yet deleted or moved.
    put: BTreeSet<(u32, u32)>,
}

/// The turn to read a mailbox, which is asked for beside whatever else is going on.
pub(super) type Turn = Arc<Mutex<PgTurn>>;

/// So often a process asks whether it is its turn to read the mailbox.
const ASK_TURN: Duration = Duration::from_secs(3);

/// How far a mailbox was read. It can be lost: then what nobody has read counts as new.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    whose: String,
    validity: u32,
    uid: u32,
}

impl Mailbox {
    /// As the settings have it.
    ///
    /// # Errors
    /// [`ServeError`] when the password or the certificates cannot be read.
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

    /// Takes mails from the mailbox, for ever.
    pub async fn watch(mut self) {
        let mut failures = 0;
        loop {
            if !self.is_our_turn().await {
                tokio::time::sleep(ASK_TURN).await;
                continue;
            }
            let mut reached = false;
            // It goes on until something fails. What a server says must not end the thread, whatever the library makes of it.
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

    /// Whether this process reads the mailbox: one of all that work on the same database does.
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

    /// Reads the mailbox over one connection as long as that lasts.
    async fn read(&mut self, reached: &mut bool) -> Result<(), ImapFault> {
        let server = self.server.clone();
        let mut session = server.log_in().await?;
        let can = server.wait("CAPABILITY", session.capabilities()).await?;
        let mailbox = server.wait("SELECT", session.select(&self.name)).await?;
        // RFC 3501 section 2.3.1.1: without it the numbers are good for this connection alone.
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
            // Of a mail that came meanwhile nothing more is said later.
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

    /// Takes every mail that is new; `next` is the number that the next mail had when the mailbox was opened.
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
            // What was taken is there no more.
            _ => (0, "UNDELETED".to_owned()),
        };
        let found = self.server.wait("SEARCH", session.uid_search(query)).await?;
        // RFC 3501 section 6.4.8: a range that begins behind the last one holds the last one all the same.
        let new: BTreeSet<u32> = found.into_iter().filter(|uid| *uid > from).collect();
        // What was read before the first start, and lies behind one that was not, never counts as new.
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
                    // Somebody deleted it.
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

    /// Counts that the server could not give a mail: after some tries it is passed over.
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

    /// A mail as it lies there; of one that is too large one byte more than is read. `None` where it is gone.
    async fn fetch(&self, session: &mut Session<Connection>, uid: u32) -> Result<Option<Vec<u8>>, ImapFault> {
        let query = format!("(UID BODY.PEEK[]<0.{}>)", MAX_MESSAGE_BYTES + 1);
        let whole = async {
            let mut found = None;
            let mut answers = session.uid_fetch(uid.to_string(), query).await?;
            while let Some(answer) = answers.try_next().await? {
                // Servers tell of other mails in between.
                if answer.uid == Some(uid)
                    && let Some(body) = answer.body()
                {
                    found = Some(body.to_vec());
                }
            }
            Ok::<_, Error>(found)
        };
        // A large mail over a slow line takes longer than an answer.
        let seconds = self.server.patience.saturating_mul(10);
        let silent = |_| ImapFault::Silent { what: "FETCH", seconds: seconds.as_secs() };
        timeout(seconds, whole).await.map_err(silent)?.map_err(|why| self.server.fault("FETCH", why))
    }

    /// Does with a mail that was taken what the settings want.
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
        // Without it all that anybody has marked as deleted would go (RFC 4315).
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

    /// What cannot be noted is read again, and acts once all the same.
    fn keep(&self, note: &Note) {
        let text = serde_json::to_vec(note).unwrap_or_default();
        let folder = self.note.parent().map_or(Ok(()), std::fs::create_dir_all);
        if let Err(why) = folder.and_then(|()| disk::put_helper(&self.note, &text)) {
            tracing::warn!(%why, "how far the mailbox was read cannot be noted");
        }
    }
}
