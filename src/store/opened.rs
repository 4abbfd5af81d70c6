//! The store that a host's settings name.

use super::{
    FileStore, Host, MailFolder, Mails, PgStore, Store, StoreError,
    contract::HandedOver,
    folder::{FILES, is_store},
    postgres::{PgTurn, PgWatch, Pulse, Queue},
};
use postrider_mail::MAX_MESSAGE_BYTES;
use postrider_replay::Catalog;

/// Where a host's games are kept.
#[derive(Clone)]
pub enum HostStore {
    /// In its folder.
    Files(Box<FileStore>),
    /// In a database.
    Postgres(PgStore),
}

impl HostStore {
    /// The one that the settings name.
    ///
    /// # Errors
    /// As [`PgStore::open`].
    pub fn open(host: &Host) -> Result<HostStore, StoreError> {
        HostStore::at(host, &host.settings.store)
    }

    /// The one of this name: `files`, or the address of a database.
    ///
    /// # Errors
    /// As [`PgStore::open`]; [`StoreError::Settings`] for any other name.
    pub fn at(host: &Host, name: &str) -> Result<HostStore, StoreError> {
        if name == FILES {
            return Ok(HostStore::Files(Box::new(FileStore::new(host))));
        }
        if !is_store(name) {
            let why = format!(
                "{name:?} is neither \"{FILES}\" nor the address of a database as in postgres://user@host/name"
            );
            return Err(StoreError::Settings { path: host.settings_path(), why });
        }
        Ok(HostStore::Postgres(PgStore::at(host, name)?))
    }

    /// Whether a key for signing letters may be made in a host's folder that has none: not where games are kept that need another.
    ///
    /// # Errors
    /// As [`PgStore::open`].
    pub fn wants_key(host: &Host) -> Result<bool, StoreError> {
        Ok(host.keeps_files() || host.service_seed()?.is_none() && PgStore::is_unclaimed(host)?)
    }

    /// The store.
    pub fn as_store(&self) -> &dyn Store {
        match self {
            HostStore::Files(store) => &**store,
            HostStore::Postgres(store) => store,
        }
    }

    /// The same for whoever keeps it.
    pub fn boxed(self) -> Box<dyn Store> {
        match self {
            HostStore::Files(store) => store,
            HostStore::Postgres(store) => Box::new(store),
        }
    }

    /// The rules, with a database as the place in which parents of forks are looked for. In a folder they are found without it.
    pub fn shelf(&self, catalog: Catalog) -> Catalog {
        match self {
            HostStore::Files(_) => catalog,
            HostStore::Postgres(store) => {
                let store = store.clone();
                catalog.with_shelf(move |game| super::Games::journal(&store, game).ok().flatten())
            }
        }
    }

    /// Whose turn it is to do what one of several processes does for all; `None` where there is one process only.
    pub fn turn(&self, what: &str) -> Option<PgTurn> {
        match self {
            HostStore::Files(_) => None,
            HostStore::Postgres(store) => Some(store.turn(what)),
        }
    }

    /// How the database does; `None` where there is none.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn pulse(&self) -> Result<Option<Pulse>, StoreError> {
        match self {
            HostStore::Files(_) => Ok(None),
            HostStore::Postgres(store) => store.pulse().map(Some),
        }
    }

    /// What is told of mails and letters that others put into the database; `None` where they lie in the folder.
    pub fn watch(&self, what: Queue) -> Option<PgWatch> {
        match self {
            HostStore::Files(_) => None,
            HostStore::Postgres(store) => Some(store.watch(what)),
        }
    }
}

/// Where games are kept in a database, the folder's `mail/in` is a way in: what lies there goes into the database. Says how many there
/// were.
///
/// # Errors
/// [`StoreError`]; what could not be put there stays where it is.
pub fn bring_in(host: &Host, store: &dyn Mails) -> Result<usize, StoreError> {
    let folder = FileStore::new(host);
    let mails = folder.inbox()?;
    for mail in &mails {
        let mut raw = folder.read(mail)?;
        raw.truncate(MAX_MESSAGE_BYTES + 1);
        store.comes_in(mail, &raw)?;
        folder.taken_in(mail)?;
    }
    Ok(mails.len())
}

/// Where games are kept in a database and letters leave by no mail server, the folder's `mail/out` is the way out: what waits goes there,
/// for the mail system of this machine. Says how many there were.
///
/// # Errors
/// [`StoreError`]; what could not be put there waits on.
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
