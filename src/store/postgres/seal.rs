//! The encryption of data that the database must not be able to read.
//!
//! The key is derived from the seed of the service's signing key, which is in the host's folder.
//! Each value is sealed with XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha) under its own nonce and
//! bound to the name of its place, so that a value moved to another row cannot be opened.

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use postrider_dice::{Hash, h};

/// The first byte of sealed data, which identifies this format.
const FORM: u8 = 1;

/// The length of a nonce, in bytes.
const NONCE: usize = 24;

/// The keys for sealing data and for looking up names.
#[derive(Clone)]
pub(super) struct Sealer {
    cipher: XChaCha20Poly1305,
    lookup: Hash,
}

/// A failure to seal or open data.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unopened;

impl Sealer {
    /// Derives the keys from the seed of the service's signing key.
    pub fn new(seed: &Hash) -> Sealer {
        let derived = |domain: &str| h(domain, &[seed.text().as_str()]);
        let key = derived("postrider/store/seal/v1");
        Sealer { cipher: XChaCha20Poly1305::new(&key.0.into()), lookup: derived("postrider/store/lookup/v1") }
    }

    /// Seals a value for a place.
    ///
    /// # Errors
    /// Returns an error if the system has no randomness.
    pub fn seal(&self, place: &str, open: &[u8]) -> Result<Vec<u8>, Unopened> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).map_err(|_| Unopened)?;
        let payload = Payload { msg: open, aad: place.as_bytes() };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| Unopened)?;
        Ok([&[FORM][..], &nonce, &sealed].concat())
    }

    /// Opens data that was sealed for this place.
    ///
    /// # Errors
    /// Returns an error if it was sealed with another key or for another place, or was changed.
    pub fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>, Unopened> {
        let (form, rest) = sealed.split_first().ok_or(Unopened)?;
        let (nonce, rest) = rest.split_first_chunk::<NONCE>().ok_or(Unopened)?;
        if *form != FORM {
            return Err(Unopened);
        }
        let payload = Payload { msg: rest, aad: place.as_bytes() };
        self.cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| Unopened)
    }

    /// Returns the keyed hash by which an address, or a sender whose answers are counted, is looked
    /// up. Without the key it reveals nothing.
    pub(crate) fn lookup(&self, what: &str) -> Vec<u8> {
        let one_line: String = what.chars().map(|c| if c == '\n' { ' ' } else { c }).collect();
        h("postrider/store/name/v1", &[self.lookup.text().as_str(), &one_line]).0.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_with_its_key_at_its_place_and_nowhere_else() {
        let sealer = Sealer::new(&Hash([1; 32]));
        let sealed = sealer.seal("secrets/lone-pine/0", b"a root").unwrap();
        assert_eq!(sealer.open("secrets/lone-pine/0", &sealed).unwrap(), b"a root");
        assert!(!sealed.windows(6).any(|bytes| bytes == b"a root"));
        assert_ne!(sealer.seal("secrets/lone-pine/0", b"a root").unwrap(), sealed, "each has a nonce of its own");
        assert_eq!(sealer.open("secrets/lone-pine/1", &sealed), Err(Unopened));
        assert_eq!(Sealer::new(&Hash([2; 32])).open("secrets/lone-pine/0", &sealed), Err(Unopened));
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert_eq!(sealer.open("secrets/lone-pine/0", &changed), Err(Unopened), "{at}");
        }
        assert_eq!(sealer.open("", &[]), Err(Unopened));
    }

    #[test]
    fn an_address_is_found_by_who_has_the_key() {
        let [one, other] = [1, 2].map(|byte| Sealer::new(&Hash([byte; 32])));
        assert_eq!(one.lookup("anna@example.net"), one.lookup("anna@example.net"));
        assert_ne!(one.lookup("anna@example.net"), other.lookup("anna@example.net"));
        assert_ne!(one.lookup("anna@example.net"), one.lookup("ben@example.net"));
    }
}
