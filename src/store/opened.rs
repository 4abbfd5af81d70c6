//! The store named in a host's settings.

use super::{
    FileStore, Host, MailFolder, Mails, PgStore, Store, StoreError,
    contract::HandedOver,
    folder::{FILES, is_store},
    postgres::{PgTurn, PgWatch},
};
use postrider_mail::MAX_MESSAGE_BYTES;
use postrider_replay::Catalog;

/// The store of a host.
#[derive(Clone)]
pub enum HostStore {
    /// Files in its folder.
    Files(Box<FileStore>),
    /// A database.
    Postgres(PgStore),
}

/// Measurements of a database at one moment.
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

/// A queue in a database that can be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Incoming mails.
    In,
    /// Letters to be sent.
    Out,
}

#[cfg_attr(
    not(feature = "postgres"),
    allow(unreachable_code, unused_variables, reason = "no database can be opened then")
)]
impl HostStore {
    /// Opens the store named in the settings.
    ///
    /// # Errors
    /// As [`PgStore::open`].
    pub fn open(host: &Host) -> Result<HostStore, StoreError> {
        HostStore::at(host, &host.settings.store)
    }

    /// Opens a store by its name: `files`, or the address of a database.
    ///
    /// # Errors
    /// As [`PgStore::open`], and [`StoreError::Settings`] for any other name.
    pub fn at(host: &Host, name: &str) -> Result<HostStore, StoreError> {
        if name == FILES {
            return Ok(HostStore::Files(Box::new(FileStore::new(host))));
        }
        if !is_store(name) {
            let why = format!(
                "{name:?} is neither \"{FILES}\" nor the address of a database as in postgres://user@host/name"
            );
            return Err(host.wrong(why));
        }
        Ok(HostStore::Postgres(PgStore::at(host, name)?))
    }

    /// Returns `true` if a signing key may be created in a host's folder without one: not if there
    /// are games that need another key.
    ///
    /// # Errors
    /// As [`PgStore::open`].
    pub fn wants_key(host: &Host) -> Result<bool, StoreError> {
        Ok(host.keeps_files() || host.service_seed()?.is_none() && PgStore::is_unclaimed(host)?)
    }

    /// Returns the store.
    pub fn as_store(&self) -> &dyn Store {
        match self {
            HostStore::Files(store) => &**store,
            HostStore::Postgres(store) => store.as_store(),
        }
    }

    /// Returns the store, boxed.
    pub fn boxed(self) -> Box<dyn Store> {
        match self {
            HostStore::Files(store) => store,
            HostStore::Postgres(store) => store.boxed(),
        }
    }

    /// Adds a database to the catalog, for finding parents of forks. In a folder they are found
    /// without it.
    pub fn shelf(&self, catalog: Catalog) -> Catalog {
        match self {
            HostStore::Files(_) => catalog,
            HostStore::Postgres(store) => {
                let store = store.clone();
                catalog.with_shelf(move |game| store.as_store().journal(game).ok().flatten())
            }
        }
    }

    /// Returns the turn for a task that one of several processes does for all; `None` if there is
    /// only one process.
    pub fn turn(&self, what: &str) -> Option<PgTurn> {
        match self {
            HostStore::Files(_) => None,
            HostStore::Postgres(store) => Some(store.turn(what)),
        }
    }

    /// Returns the state of the database; `None` if there is none.
    ///
    /// # Errors
    /// Returns [`StoreError::Database`].
    pub fn pulse(&self) -> Result<Option<Pulse>, StoreError> {
        match self {
            HostStore::Files(_) => Ok(None),
            HostStore::Postgres(store) => store.pulse().map(Some),
        }
    }

    /// Returns a watch for mails or letters that others put into the database; `None` for a folder.
    pub fn watch(&self, what: Queue) -> Option<PgWatch> {
        match self {
            HostStore::Files(_) => None,
            HostStore::Postgres(store) => Some(store.watch(what)),
        }
    }
}

/// Moves mails from the folder's `mail/in` into a database, for which that folder is a way in.
/// Returns their number.
///
/// # Errors
/// Returns the first [`StoreError`], after the other mails were moved; mails that could not be
/// moved stay where they are.
pub fn bring_in(host: &Host, store: &dyn Mails) -> Result<usize, StoreError> {
    let folder = FileStore::new(host);
    let (mails, mut failed) = (folder.inbox()?, None);
    for mail in &mails {
        let moved = folder.read(mail).and_then(|mut raw| {
            raw.truncate(MAX_MESSAGE_BYTES + 1);
            store.comes_in(mail, &raw)?;
            folder.taken_in(mail)
        });
        if let Err(why) = moved {
            failed.get_or_insert(why);
        }
    }
    failed.map_or(Ok(mails.len()), Err)
}

/// Moves letters from a database to the folder's `mail/out`, for the mail system of this machine.
/// Used if no mail server sends letters. Returns their number.
///
/// # Errors
/// Returns a [`StoreError`]; letters that could not be moved stay in the database.
pub fn put_out(host: &Host, store: &dyn Mails) -> Result<usize, StoreError> {
    let out = host.mail(MailFolder::Out)?;
    let (mut put, mut failed) = (0, None);
    store.hand_over(&mut |row| match out.deliver(&row.unique, &row.mail.filed()) {
        Ok(_) => {
            put += 1;
            HandedOver::Taken
        }
        Err(why) => {
            failed = Some(why);
            HandedOver::Stop
        }
    })?;
    failed.map_or(Ok(put), |why| Err(why.into()))
}
