//! Where every way in puts its mails, and from where the worker takes them.

use super::state::State;
use postrider_mail::Maildir;
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

/// Something happened for which a thread is to look up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Woken;

/// Where a way in puts its mails.
#[derive(Clone)]
pub(super) struct Inbox {
    store: HostStore,
    state: Arc<State>,
    worker: Sender<Woken>,
}

/// Mails of one process within one microsecond are told apart by it.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl Inbox {
    pub fn of(store: HostStore, state: Arc<State>, worker: Sender<Woken>) -> Inbox {
        Inbox { store, state, worker }
    }

    /// Puts a mail there, of whose bytes [`MAX_MESSAGE_BYTES`](postrider_mail::MAX_MESSAGE_BYTES) and one more are enough. It is safe
    /// when this returns.
    ///
    /// # Errors
    /// [`StoreError`]; whoever brought the mail must keep it.
    pub fn put(&self, way: &'static str, raw: &[u8]) -> Result<(), StoreError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // As mail systems name their files, so that names sort by time.
        let (process, micros) = (std::process::id(), since.subsec_micros());
        let unique = format!("{}.M{micros:06}P{process}Q{number}.{way}", since.as_secs());
        self.store.as_store().comes_in(&unique, raw)?;
        self.state.put(way);
        tracing::info!(way, bytes = raw.len(), "a mail came in");
        // A worker that is gone ends the process.
        let _ = self.worker.send(Woken);
        Ok(())
    }

    /// As [`Inbox::put`], beside whatever else is going on.
    pub async fn put_beside(&self, way: &'static str, raw: Vec<u8>) -> Result<(), String> {
        let inbox = self.clone();
        let put = tokio::task::spawn_blocking(move || inbox.put(way, &raw)).await;
        put.map_err(|why| why.to_string())?.map_err(|why| why.to_string())
    }
}

/// Sees that something came into a queue of the host's, whoever put it there.
pub(super) enum Watch {
    /// A Maildir of its folder.
    Folder(FolderWatch),
    /// One of the database.
    Database(Box<PgWatch>),
}

impl Watch {
    /// What sees to mails that come in, or to letters that are to leave.
    ///
    /// # Errors
    /// [`StoreError::Maildir`].
    pub fn of(host: &Host, store: &HostStore, queue: Queue) -> Result<Watch, StoreError> {
        if let Some(watch) = store.watch(queue) {
            return Ok(Watch::Database(Box::new(watch)));
        }
        let folder = if queue == Queue::In { MailFolder::In } else { MailFolder::Out };
        Ok(Watch::Folder(FolderWatch::of(&host.mail(folder)?)))
    }

    /// Whether something may have changed since this was asked last.
    pub fn changed(&mut self) -> bool {
        match self {
            Watch::Folder(watch) => watch.changed(),
            Watch::Database(watch) => watch.changed(),
        }
    }
}

/// Sees that something changed in a Maildir, whoever did it.
pub(super) struct FolderWatch {
    folders: Vec<PathBuf>,
    seen: Vec<Option<SystemTime>>,
}

/// Files that appear within one tick of the file system's clock leave the same time behind.
const SAME_TIME: Duration = Duration::from_secs(2);

impl FolderWatch {
    pub fn of(maildir: &Maildir) -> FolderWatch {
        let folders = vec![maildir.root().join("new"), maildir.root().join("cur")];
        FolderWatch { seen: vec![None; folders.len()], folders }
    }

    /// Whether something may have changed since this was asked last.
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
