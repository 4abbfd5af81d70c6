//! The services that all games of a host share: folder, rules, key, letters, outbox, clock and
//! randomness.

use crate::{
    environment::Environment,
    error::OfficeError,
    machine_clock::{Doubt, MailDates},
};
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use postrider_dice::Hash;
use postrider_disk as disk;
use postrider_journal::{ReceiptKey, Secret, SecretsFile};
use postrider_letters::Letters;
use postrider_mail::{Incoming, KeyLookup, Signed, Unsigned, check_signatures, find_tokens};
use postrider_replay::Catalog;
use postrider_store::{Host, HostStore, InHand, Store, first_key};
use postrider_table::Seat;
use postrider_wire::Dns;
use std::{cell::Cell, fs::File, sync::Arc, time::Duration};

/// Timeout for name servers when a command takes in one mail. `serve` uses a shorter one.
const LONGEST_LOOKUP: Duration = Duration::from_secs(5);

/// The time that a mail waits in the inbox for name servers. After that it counts as unsigned.
const LONGEST_WAIT: TimeDelta = TimeDelta::days(1);

/// The services that all games of a host share.
pub struct Services {
    pub(crate) host: Host,
    pub(crate) store: Box<dyn Store>,
    pub(crate) catalog: Catalog,
    pub(crate) key_seed: Hash,
    pub(crate) key: ReceiptKey,
    pub(crate) letters: Letters,
    pub(crate) environment: Environment,
    /// The source of other domains' keys, made at the first lookup.
    pub(crate) keys: Option<Box<dyn KeyLookup>>,
    /// The games that a mail has created, to be opened when it has been handled.
    pub(crate) created: Vec<String>,
    /// The mail being taken in.
    pub(crate) in_hand: Option<Arc<InHand>>,
    /// The time at which that mail came in, if its name says it.
    pub(crate) came_in: Option<DateTime<Utc>>,
    /// The game that was to be changed when something failed last.
    pub(crate) failed: Option<String>,
    /// The time of the command under way: everything that it writes has this time.
    pub(crate) moment: Cell<Option<DateTime<Utc>>>,
    /// The dates of mails, by which the machine's clock is checked.
    pub(crate) mail_dates: MailDates,
    /// The reason for which the machine's clock is doubted, so that deadlines do not pass.
    pub(crate) clock_doubted: Option<Doubt>,
}

impl Services {
    /// Returns the time of the command under way, or without one that of the environment, in whole
    /// seconds.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.moment.get().unwrap_or_else(|| self.environment.now())
    }

    /// Returns the same in the format of journals.
    pub(crate) fn at(&self) -> String {
        self.now().to_rfc3339_opts(SecondsFormat::Secs, true)
    }

    /// Returns the current time: that of the store's clock if it has one, since machines that share
    /// a store must agree, else that of the environment.
    pub(crate) fn time(&self) -> Result<DateTime<Utc>, OfficeError> {
        Ok(self.time_by(self.store.now()?))
    }

    /// Returns the same, if this is the time of the store's clock in seconds since 1970.
    pub(crate) fn time_by(&self, store: Option<i64>) -> DateTime<Utc> {
        let of_store = store.filter(|_| matches!(self.environment, Environment::System));
        of_store.and_then(|at| DateTime::from_timestamp(at, 0)).unwrap_or_else(|| self.environment.now())
    }

    /// Returns the domain that vouches for a mail. For a mail that has waited for [`LONGEST_WAIT`],
    /// silent name servers count as no signature.
    ///
    /// # Errors
    /// [`OfficeError::Lookup`] if this cannot be determined at the moment.
    pub(crate) fn signed(&mut self, raw: &[u8], mail: &Incoming, author: &str) -> Result<Signed, OfficeError> {
        let waited = self.came_in.is_some_and(|since| self.now() - since >= LONGEST_WAIT);
        self.blame_mail(false);
        let tokens = find_tokens(mail, &self.host.addresses);
        let settings = &self.host.settings;
        let keys = match &mut self.keys {
            Some(keys) => keys,
            none => none.insert(Box::new(Dns::new(settings.resolver, LONGEST_LOOKUP)?)),
        };
        let signed = match check_signatures(raw, (author, &tokens), &settings.arc_sealers, &**keys) {
            Err(_) if waited => Signed::Nobody { why: Unsigned::Silence },
            signed => signed?,
        };
        self.blame_mail(true);
        Ok(signed)
    }

    /// Uses the store. If the process ends meanwhile, no mail is blamed.
    pub(crate) fn on_disk<T, E>(&self, work: impl FnOnce(&dyn Store) -> Result<T, E>) -> Result<T, E> {
        self.blame_mail(false);
        let done = work(&*self.store)?;
        self.blame_mail(true);
        Ok(done)
    }

    /// Records whether the mail being taken in is to blame if the process ends now.
    pub(crate) fn blame_mail(&self, blamed: bool) {
        if let Some(mail) = &self.in_hand {
            mail.blame(blamed);
        }
    }

    /// Counts an answer to `whose` if fewer than `most` were counted within the last hour.
    /// Otherwise returns the time from which the next one counts.
    pub(crate) fn count_answer(&self, whose: &str, most: usize) -> Result<Option<DateTime<Utc>>, OfficeError> {
        let now = self.now();
        let again = self.on_disk(|store| store.count_answer(whose, now.timestamp(), most))?;
        Ok(again.map(|again| DateTime::from_timestamp(again, 0).unwrap_or(now)))
    }

    /// Counts an answer to an address without a seat. Returns the time from which the next one
    /// counts if the address has had its number within the hour.
    pub(crate) fn answers_too_many_to(&self, address: &str) -> Result<Option<DateTime<Utc>>, OfficeError> {
        match self.host.settings.answers_per_hour {
            0 => Ok(None),
            most => self.count_answer(address, most),
        }
    }

    /// Counts an answer to a seat and to an address. Returns the time from which the next one
    /// counts if either has had its number within the hour.
    pub(crate) fn answers_too_many(
        &self,
        game: &str,
        seat: Seat,
        address: &str,
    ) -> Result<Option<DateTime<Utc>>, OfficeError> {
        let most = self.host.settings.answers_per_hour;
        if most == 0 {
            return Ok(None);
        }
        match self.count_answer(&format!("{game} {seat}"), most)? {
            None => self.count_answer(address, most * 2),
            again => Ok(again),
        }
    }
}

/// Opens the store named in a host's settings. If no games are stored yet, the service's key is
/// made first, because it encrypts the contents of a database.
///
/// # Errors
/// [`OfficeError`] if the store cannot be reached or belongs to another key.
pub fn open_store(host: &Host, environment: &mut Environment) -> Result<HostStore, OfficeError> {
    if !host.keeps_files() && HostStore::wants_key(host)? {
        host.make_folders()?;
        service_key(host, environment)?;
    }
    Ok(HostStore::open(host)?)
}

/// Returns the seed of the service's signing key, which is made before the first game.
///
/// # Errors
/// [`OfficeError::KeyMissing`] if there are games: they were opened with another one.
pub(crate) fn service_key(host: &Host, environment: &mut Environment) -> Result<Hash, OfficeError> {
    let path = host.service_secrets();
    let known = || -> Result<Option<Hash>, OfficeError> {
        let there = path.try_exists()?;
        Ok(if there { first_key(&SecretsFile::open_safe(&path)?.text()?) } else { None })
    };
    if let Some(seed) = known()? {
        return Ok(seed);
    }
    // Commands that start together must not make two keys.
    let alone = File::create(path.with_extension("lock"))?;
    alone.lock()?;
    if let Some(seed) = known()? {
        return Ok(seed);
    }
    if host.has_secrets()? {
        return Err(OfficeError::KeyMissing { path });
    }
    // The file gets its final name once it is synced, so a key found under that name is safe.
    let draft = path.with_extension("new");
    let mut file = if draft.try_exists()? { SecretsFile::open(&draft)? } else { SecretsFile::create(&draft)? };
    let seed = match first_key(&file.text()?) {
        Some(seed) => seed,
        None => {
            let seed = environment.secret()?;
            file.keep(&Secret::Key { seed })?;
            seed
        }
    };
    disk::rename(&draft, &path)?;
    disk::sync_folder_of(&path)?;
    Ok(seed)
}
