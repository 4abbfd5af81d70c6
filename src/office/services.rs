//! What every game of a host is worked with: its folder, rules, key, letters, outbox, clock and randomness.

use super::{environment::Environment, error::OfficeError};
use crate::{
    dice::Hash,
    journal::{ReceiptKey, Secret, SecretsFile},
    letters::Letters,
    mail::{Dns, KeyLookup, Signed, check_signatures},
    replay::Catalog,
    store::{Host, Store},
    table::Seat,
};

/// What every game session is worked with.
pub struct Services {
    pub(crate) host: Host,
    pub(crate) store: Box<dyn Store>,
    pub(crate) catalog: Catalog,
    pub(crate) key_seed: Hash,
    pub(crate) key: ReceiptKey,
    pub(crate) letters: Letters,
    pub(crate) environment: Environment,
    /// Where keys of other domains are looked up; made when the first is wanted.
    pub(crate) keys: Option<Box<dyn KeyLookup>>,
}

impl Services {
    /// Whose domain vouches for a mail.
    ///
    /// # Errors
    /// [`OfficeError::Lookup`]: that cannot be told for now.
    pub(crate) fn signed(&mut self, raw: &[u8], author: &str) -> Result<Signed, OfficeError> {
        let settings = &self.host.settings;
        let keys = match &mut self.keys {
            Some(keys) => keys,
            none => none.insert(Box::new(Dns::new(settings.resolver)?)),
        };
        Ok(check_signatures(raw, author, &settings.arc_sealers, &**keys)?)
    }

    /// Counts one more answer to an address that has no seat, and says whether it has had its number within the hour.
    pub(crate) fn answers_too_many_to(&self, address: &str) -> Result<bool, OfficeError> {
        let most = self.host.settings.answers_per_hour;
        let count = |now| self.store.count_answer(address, now);
        Ok(most > 0 && count(self.environment.now().timestamp())? > most)
    }

    /// Counts one more answer to a seat and to an address, and says whether either has had its number within the hour.
    pub(crate) fn answers_too_many(&self, game: &str, seat: Seat, address: &str) -> Result<bool, OfficeError> {
        let most = self.host.settings.answers_per_hour;
        if most == 0 {
            return Ok(false);
        }
        let now = self.environment.now().timestamp();
        let of_seat = self.store.count_answer(&format!("{game} {seat}"), now)?;
        let of_address = self.store.count_answer(address, now)?;
        Ok(of_seat > most || of_address > most * 2)
    }
}

/// The seed of the service's signing key, made when it is first wanted.
pub(crate) fn service_key(host: &Host, environment: &mut Environment) -> Result<Hash, OfficeError> {
    let path = host.service_secrets();
    let mut file = if path.try_exists()? { SecretsFile::open(&path)? } else { SecretsFile::create(&path)? };
    let known = file.read()?.into_iter().find_map(|value| match serde_json::from_value(value) {
        Ok(Secret::Key { seed }) => Some(seed),
        _ => None,
    });
    if let Some(seed) = known {
        return Ok(seed);
    }
    let seed = environment.secret()?;
    file.keep(&Secret::Key { seed })?;
    Ok(seed)
}
