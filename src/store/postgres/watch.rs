//! Notifications of data that other processes put into the database (`LISTEN`).

use super::{Inner, PgStore, database::Connection};
use crate::Queue;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The maximum time between two looks without a notification: one may be lost with its connection,
/// and a process that ended may have left a mail.
const ANYWAY: Duration = Duration::from_secs(2);

/// A watch for new data in a queue.
pub struct PgWatch {
    inner: Arc<Inner>,
    connection: Option<Connection>,
    listen: &'static str,
    looked: Option<Instant>,
}

impl PgStore {
    /// Returns a watch for a queue.
    pub fn watch(&self, what: Queue) -> PgWatch {
        let listen = match what {
            Queue::In => "LISTEN postrider_in",
            Queue::Out => "LISTEN postrider_out",
        };
        PgWatch { inner: Arc::clone(&self.inner), connection: None, listen, looked: None }
    }
}

impl PgWatch {
    /// Returns `true` if there may be new data since the last call.
    pub fn changed(&mut self) -> bool {
        let mut changed = self.hears() || self.looked.is_none_or(|at| at.elapsed() >= ANYWAY);
        if self.connection.as_ref().is_none_or(Connection::is_closed) && changed {
            // Look for data that came before the connection listens.
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
