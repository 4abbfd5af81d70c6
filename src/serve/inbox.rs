//! The inbox, which receives mails from all sources and from which the worker takes them.

use super::state::State;
use postrider_mailbox::Maildir;
use postrider_store::{Host, HostStore, MailFolder, PgWatch, Queue, StoreError};
use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::Sender,
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tokio::{sync::Semaphore, time::timeout};

/// A notification that wakes a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Woken;

/// The inbox, as used by a source of mails.
#[derive(Clone)]
pub(super) struct Inbox {
    store: HostStore,
    state: Arc<State>,
    worker: Sender<Woken>,
    /// Limits the number of mails that are being stored.
    room: Arc<Semaphore>,
}

/// Maximum number of mails that are stored at once, and the timeout for storing one: a database may
/// wait for a standby for hours.
const MOST_AT_ONCE: usize = 32;
const PUT_TIME: Duration = Duration::from_secs(9);

/// Distinguishes mails that one process receives within the same microsecond.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl Inbox {
    pub fn of(store: HostStore, state: Arc<State>, worker: Sender<Woken>) -> Inbox {
        Inbox { store, state, worker, room: Arc::new(Semaphore::new(MOST_AT_ONCE)) }
    }

    /// Stores a mail. At most [`MAX_MESSAGE_BYTES`](postrider_mail::MAX_MESSAGE_BYTES) and one more
    /// of its bytes are needed. The mail is safe on disk when this function returns.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError`]; the sender must then keep the mail.
    pub fn put(&self, way: &'static str, raw: &[u8]) -> Result<(), StoreError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // A Maildir file name; such names sort by time.
        let (process, micros) = (std::process::id(), since.subsec_micros());
        let unique = format!("{}.M{micros:06}P{process}Q{number}.{way}", since.as_secs());
        self.store.as_store().comes_in(&unique, raw)?;
        self.state.put(way);
        tracing::info!(way, bytes = raw.len(), "a mail came in");
        // If the worker has ended, the process is ending as well.
        let _ = self.worker.send(Woken);
        Ok(())
    }

    /// Stores a mail as [`Inbox::put`] does, in a separate thread. If that takes too long, it may
    /// still be stored later, which does no harm: the sender's next copy has no second effect.
    pub async fn put_beside(&self, way: &'static str, raw: Vec<u8>) -> Result<(), String> {
        let (inbox, room) = (self.clone(), Arc::clone(&self.room));
        let put = async {
            let permit = room.acquire_owned().await.map_err(|why| why.to_string())?;
            let put = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                inbox.put(way, &raw)
            });
            put.await.map_err(|why| why.to_string())?.map_err(|why| why.to_string())
        };
        let late = |_| format!("it was not safe within {} seconds", PUT_TIME.as_secs_f32());
        timeout(PUT_TIME, put).await.map_err(late)?
    }
}

/// Detects new entries in a queue of the host, from any process.
pub(super) enum Watch {
    /// A Maildir in the host's folder.
    Folder(FolderWatch),
    /// A queue in the database.
    Database(Box<PgWatch>),
}

impl Watch {
    /// Watches for incoming mails or for letters to be sent.
    ///
    /// # Errors
    ///
    /// Returns [`StoreError::Maildir`].
    pub fn of(host: &Host, store: &HostStore, queue: Queue) -> Result<Watch, StoreError> {
        if let Some(watch) = store.watch(queue) {
            return Ok(Watch::Database(Box::new(watch)));
        }
        let folder = if queue == Queue::In { MailFolder::In } else { MailFolder::Out };
        Ok(Watch::Folder(FolderWatch::of(&host.mail(folder)?)))
    }

    /// Returns `true` if something may have changed since the last call.
    pub fn changed(&mut self) -> bool {
        match self {
            Watch::Folder(watch) => watch.changed(),
            Watch::Database(watch) => watch.changed(),
        }
    }
}

/// Detects changes in a Maildir, by any process.
pub(super) struct FolderWatch {
    folders: Vec<PathBuf>,
    seen: Vec<Option<SystemTime>>,
}

/// The age below which a modification time may hide a later change within the same tick of the file
/// system's clock.
const SAME_TIME: Duration = Duration::from_secs(2);

impl FolderWatch {
    pub fn of(maildir: &Maildir) -> FolderWatch {
        let folders = vec![maildir.root().join("new"), maildir.root().join("cur")];
        FolderWatch { seen: vec![None; folders.len()], folders }
    }

    /// Returns `true` if something may have changed since the last call.
    pub fn changed(&mut self) -> bool {
        let now = SystemTime::now();
        let mut changed = false;
        for (folder, seen) in self.folders.iter().zip(&mut self.seen) {
            let time = fs::metadata(folder).and_then(|about| about.modified()).ok();
            let young = time.is_some_and(|time| now.duration_since(time).is_ok_and(|age| age < SAME_TIME));
            changed |= young || *seen != time;
            *seen = time;
        }
        changed
    }
}
