//! What one of several processes does for all of them, as reading a mailbox: whose turn it is.

use super::{Inner, PgStore, database::Connection, lease::try_take};
use crate::StoreError;
use std::sync::Arc;

/// So long it stays with one process whose connection is there, in seconds: for ever.
const STAYS: f64 = 1e9;

/// A turn that one process has, or waits for. It has it as long as its connection is there.
pub struct PgTurn {
    inner: Arc<Inner>,
    /// No game's id begins so.
    name: String,
    held: Option<(Connection, i64)>,
}

impl PgStore {
    /// The turn to do this.
    pub fn turn(&self, what: &str) -> PgTurn {
        PgTurn { inner: Arc::clone(&self.inner), name: format!("_{what}"), held: None }
    }
}

impl PgTurn {
    /// Whether it is this process's turn; takes it if nobody has it.
    ///
    /// # Errors
    /// [`StoreError::Database`].
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
            Some(token) => {
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
