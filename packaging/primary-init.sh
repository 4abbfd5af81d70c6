#!/bin/bash
# Creates the roles of packaging/compose.yaml. The database's image runs this once, after it has created the database.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
    -v worker="$(cat /run/secrets/worker-password)" -v copier="$(cat /run/secrets/copier-password)" <<'SQL'
CREATE ROLE postrider LOGIN PASSWORD :'worker';
CREATE ROLE copier LOGIN REPLICATION PASSWORD :'copier';
GRANT pg_read_all_stats TO postrider;
-- From the next start on, which follows at once, commits wait for the standby with this application_name (see compose.yaml).
ALTER SYSTEM SET synchronous_standby_names = 'standby';
-- Keep enough of the log for a standby that was offline for a while.
ALTER SYSTEM SET wal_keep_size = '1GB';
SQL
echo "host replication copier all scram-sha-256" >>"$PGDATA/pg_hba.conf"
