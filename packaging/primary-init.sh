#!/bin/bash
# The roles of packaging/compose.yaml: the database's image runs this once, when it has made the database.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
    -v worker="$(cat /run/secrets/worker-password)" -v copier="$(cat /run/secrets/copier-password)" <<'SQL'
CREATE ROLE postrider LOGIN PASSWORD :'worker';
CREATE ROLE copier LOGIN REPLICATION PASSWORD :'copier';
GRANT pg_read_all_stats TO postrider;
-- From the next start on, which follows at once, commits wait for the standby of this name (application_name in compose.yaml).
ALTER SYSTEM SET synchronous_standby_names = 'standby';
-- A standby that was away for a while still finds what it missed.
ALTER SYSTEM SET wal_keep_size = '1GB';
SQL
echo "host replication copier all scram-sha-256" >>"$PGDATA/pg_hba.conf"
