//! The state of the database, for monitoring and for `doctor`.

use super::PgStore;
use crate::{Pulse, StoreError};

impl PgStore {
    /// Measures the current state.
    ///
    /// # Errors
    /// Returns [`StoreError::Database`].
    pub fn pulse(&self) -> Result<Pulse, StoreError> {
        let row = self.inner.database.with(|connection| connection.row(PULSE, &[]))?;
        Ok(row.map_or_else(Pulse::default, |row| Pulse {
            leases: row.get(0),
            inbox: (row.get(1), row.get(2)),
            outbox: (row.get(3), row.get(4)),
            standbys: row.get(5),
            behind: row.get(6),
            bytes: row.get(7),
        }))
    }

    /// Returns the number of rows of a game's secrets that are missing.
    ///
    /// # Errors
    /// Returns [`StoreError::Database`].
    pub fn missing_secrets(&self, game: &str) -> Result<i64, StoreError> {
        let row = self.inner.database.with(|connection| connection.row(MISSING, &[&game]))?;
        Ok(row.map_or(0, |row| row.get(0)))
    }
}

/// Every row up to the number of the next one exists, since none is ever deleted.
const MISSING: &str = "SELECT kept - (SELECT count(*) FROM secrets WHERE secrets.game = games.game AND k < kept) FROM games \
    WHERE game = $1";

/// Names of turns begin with an underscore, and no game's id does.
const PULSE: &str = "SELECT \
    (SELECT count(*) FROM leases WHERE until > clock_timestamp() AND NOT starts_with(name, '_') AND EXISTS \
        (SELECT FROM pg_stat_get_activity(leases.pid) AS there WHERE there.backend_start = leases.started)), \
    incoming.count, incoming.age, outgoing.count, outgoing.age, following.count, following.behind, \
    pg_database_size(current_database()) \
    FROM (SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0)::float8 AS age FROM inbox) AS incoming, \
    (SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0)::float8 AS age FROM outbox \
        WHERE state = 'waiting') AS outgoing, \
    (SELECT count(*), coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)), 0)::bigint AS behind \
        FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS following";
