//! Hearing of what others put into the database (`LISTEN`).

use super::{Inner, PgStore, database::Connection};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// What may be watched in a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Mails that come in.
    In,
    /// Letters that are to leave.
    Out,
}

/// Without a word for so long it is looked all the same: a notification may be lost with its connection, and a mail left by who died.
const ANYWAY: Duration = Duration::from_secs(2);

/// Tells whether something new may be there.
pub struct PgWatch {
    inner: Arc<Inner>,
    connection: Option<Connection>,
    listen: &'static str,
    looked: Option<Instant>,
}

impl PgStore {
    /// What hears of a queue.
    pub fn watch(&self, what: Queue) -> PgWatch {
        let listen = match what {
            Queue::In => "LISTEN postrider_in",
            Queue::Out => "LISTEN postrider_out",
        };
        PgWatch { inner: Arc::clone(&self.inner), connection: None, listen, looked: None }
    }
}

impl PgWatch {
    /// Whether something may have come since this was asked last.
    pub fn changed(&mut self) -> bool {
        let mut changed = self.hears() || self.looked.is_none_or(|at| at.elapsed() >= ANYWAY);
        if self.connection.as_ref().is_none_or(Connection::is_closed) && changed {
            // Whatever came before it listens is looked for now.
            self.connection = self.inner.database.connection().ok();
            let listens = self.connection.as_mut().map(|connection| connection.batch(self.listen));
            if !matches!(listens, Some(Ok(()))) {
                self.connection = None;
            }
            changed = true;
        }
        if changed {
            self.looked = Some(Instant::now());
        }
        changed
    }

    fn hears(&mut self) -> bool {
        self.connection.as_mut().is_some_and(Connection::was_notified)
    }
}
