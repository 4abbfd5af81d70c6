//! The tables: created and updated by the role that owns them, used by another role without that
//! right.

use super::database::{Connection, Database, fault};
use crate::{Host, StoreError};

mod schema {
    refinery::embed_migrations!("postgres/schema");
}

/// Returns the newest version of the tables known to this release.
fn newest() -> i64 {
    schema::migrations::runner().get_migrations().iter().map(|one| i64::from(one.version())).max().unwrap_or(0)
}

/// Creates or updates the tables as the role in the address, and grants the role `user` the rights
/// to work with them. That role may read and write, but not change or remove a line of a journal.
/// Returns the names of the versions applied.
///
/// # Errors
/// Returns [`StoreError::Database`] or [`StoreError::Settings`].
pub fn prepare(host: &Host, address: &str, user: &str) -> Result<Vec<String>, StoreError> {
    let database = Database::at(host, address)?;
    let mut connection = database.bare()?;
    let place = database.place();
    may_own(&mut connection, place)?;
    let made = schema::migrations::runner().run(connection.client()).map_err(|why| StoreError::Database {
        place: place.to_owned(),
        why: format!("the tables cannot be made: {why}"),
    })?;
    let quoted =
        connection.row("SELECT quote_ident($1)", &[&user])?.map(|row| row.get::<_, String>(0)).unwrap_or_default();
    let rights = format!(
        "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC;
         GRANT USAGE ON SCHEMA public TO {quoted};
         GRANT SELECT ON refinery_schema_history TO {quoted};
         GRANT SELECT, INSERT ON events TO {quoted};
         GRANT SELECT, INSERT, UPDATE ON meta, games TO {quoted};
         GRANT SELECT, INSERT, UPDATE, DELETE ON secrets, players, outbox, inbox, filed, taken, answers, leases TO {quoted};
         GRANT USAGE ON SEQUENCE tokens, handed_over TO {quoted};"
    );
    connection.client().batch_execute(&rights).map_err(|why| fault(place, &why))?;
    // Only some roles can see which standbys are connected, and a database's owner alone may not
    // grant that.
    let seen = "SELECT pg_has_role($1, 'pg_read_all_stats', 'USAGE')";
    let sees = connection.row(seen, &[&user])?.is_some_and(|row| row.get(0));
    if !sees && let Err(why) = connection.client().batch_execute(&format!("GRANT pg_read_all_stats TO {quoted}")) {
        tracing::warn!(why = %fault(place, &why), "this role may not see which standbys follow: have a superuser GRANT pg_read_all_stats");
    }
    Ok(made.applied_migrations().iter().map(ToString::to_string).collect())
}

/// Checks that the role of the connection can make or change the tables.
///
/// # Errors
/// Returns [`StoreError::WrongRole`] with the role to use.
fn may_own(connection: &mut Connection, place: &str) -> Result<(), StoreError> {
    let row = connection.row(
        "SELECT current_user::text, pg_get_userbyid(coalesce(owned.relowner, datdba)), \
         pg_has_role(current_user, coalesce(owned.relowner, datdba), 'USAGE') \
         OR owned.relowner IS NULL AND has_schema_privilege('public', 'CREATE') \
         FROM pg_database LEFT JOIN pg_class AS owned ON owned.oid = to_regclass('refinery_schema_history') \
         WHERE datname = current_database()",
        &[],
    )?;
    match row.map(|row| (row.get(0), row.get(1), row.get(2))) {
        Some((role, owner, false)) => Err(StoreError::WrongRole { place: place.to_owned(), role, owner }),
        _ => Ok(()),
    }
}

/// Checks that this release can work with the tables: they have its version, or a newer one that
/// declares itself compatible. So the tables can be updated while workers of an older release
/// continue.
///
/// # Errors
/// Returns [`StoreError::Unprepared`].
pub(super) fn check(connection: &mut Connection, place: &str) -> Result<(), StoreError> {
    let there = connection.row("SELECT to_regclass('refinery_schema_history') IS NOT NULL", &[])?;
    let found: i64 = match there.is_some_and(|row| row.get(0)) {
        true => connection
            .row("SELECT coalesce(max(version), 0)::bigint FROM refinery_schema_history", &[])?
            .map_or(0, |row| row.get(0)),
        false => 0,
    };
    let newest = newest();
    if found == newest || found > newest && least_form(connection)? <= newest {
        return Ok(());
    }
    Err(StoreError::Unprepared { place: place.to_owned(), found, newest })
}

/// Returns the oldest version that a program must know to work with the current tables.
fn least_form(connection: &mut Connection) -> Result<i64, StoreError> {
    let row = connection.row("SELECT value::bigint FROM meta WHERE name = 'least_form'", &[])?;
    Ok(row.map_or(i64::MAX, |row| row.get(0)))
}
