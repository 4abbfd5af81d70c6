//! The state of the database, for monitoring.

use super::PgStore;
use crate::StoreError;

/// Measurements at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pulse {
    /// The number of games that are leased.
    pub leases: i64,
    /// The number of mails in the inbox, and the age of the oldest in seconds.
    pub inbox: (i64, f64),
    /// The number of letters in the outbox, and the age of the oldest in seconds.
    pub outbox: (i64, f64),
    /// The number of connected standbys that commits wait for.
    pub standbys: i64,
    /// The number of bytes of the log that the slowest of them has not yet written to disk; 0 if
    /// there is none.
    pub behind: i64,
    /// The size of the database, in bytes.
    pub bytes: i64,
}

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
}

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
