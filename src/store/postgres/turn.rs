//! Turns: tasks that one of several processes does for all, such as reading a mailbox.

use super::{Inner, PgStore, database::Connection, lease::try_take};
use crate::StoreError;
use std::sync::Arc;

/// The time after which others may take over a turn, in seconds: practically never, as long as its
/// connection exists.
const STAYS: f64 = 1e9;

/// One process's claim to a turn. A process that has the turn keeps it as long as its connection
/// exists.
pub struct PgTurn {
    inner: Arc<Inner>,
    /// The name of its lease; no game's id begins with an underscore.
    name: String,
    held: Option<(Connection, i64)>,
}

impl PgStore {
    /// Returns the turn for a task.
    pub fn turn(&self, what: &str) -> PgTurn {
        PgTurn { inner: Arc::clone(&self.inner), name: format!("_{what}"), held: None }
    }
}

impl PgTurn {
    /// Returns `true` if this process has the turn; takes it if it is free.
    ///
    /// # Errors
    /// Returns [`StoreError::Database`].
    pub fn is_ours(&mut self) -> Result<bool, StoreError> {
        if let Some((mut connection, token)) = self.held.take() {
            let ours =
                connection.row("SELECT 1 FROM leases WHERE name = $1 AND token = $2", &[&self.name, &token])?.is_some();
            if ours {
                self.held = Some((connection, token));
                return Ok(true);
            }
        }
        let mut connection = self.inner.database.connection()?;
        match try_take(&mut connection, &self.name, STAYS)? {
            Some((token, _)) => {
                self.held = Some((connection, token));
                Ok(true)
            }
            None => {
                self.inner.database.give_back(connection);
                Ok(false)
            }
        }
    }
}
