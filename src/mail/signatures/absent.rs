//! In place of signatures, in a program built without the feature `signatures`.

use crate::FoundToken;

use super::{DkimFault, KeyLookup, LookupFault, Signed, Unsigned};

/// A key that cannot be made.
#[derive(Debug)]
pub enum DkimKey {}

impl DkimKey {
    /// Fails, because this build cannot sign.
    ///
    /// # Errors
    /// [`DkimFault::Absent`], always.
    pub fn new(_domain: &str, _selector: &str, _pem: &[u8]) -> Result<DkimKey, DkimFault> {
        Err(DkimFault::Absent)
    }

    /// Fails, because this build cannot sign.
    ///
    /// # Errors
    /// [`DkimFault::Absent`], always.
    pub fn new_pem() -> Result<String, DkimFault> {
        Err(DkimFault::Absent)
    }

    /// Returns the name of the required TXT record.
    #[must_use]
    pub fn name(&self) -> String {
        match *self {}
    }

    /// Returns the content of that record.
    #[must_use]
    pub fn record(&self) -> &str {
        match *self {}
    }

    /// Signs a message.
    ///
    /// # Errors
    /// None.
    pub fn sign(&self, _raw: &[u8]) -> Result<Vec<u8>, DkimFault> {
        match *self {}
    }
}

/// Returns that the mail was not checked.
///
/// # Errors
/// None.
pub fn check_signatures(
    _raw: &[u8],
    _claim: (&str, &[FoundToken]),
    _sealers: &[String],
    _keys: &dyn KeyLookup,
) -> Result<Signed, LookupFault> {
    Ok(Signed::Nobody { why: Unsigned::Unchecked })
}
