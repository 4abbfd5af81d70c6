//! Signatures of mail servers (DKIM, RFC 6376): verification of incoming mails, and signing of
//! outgoing ones.
//!
//! [`check_signatures`] looks up keys with a [`KeyLookup`], so that tests can supply their own keys
//! without a network. [`DkimKey`] signs.

#[cfg(not(feature = "signatures"))]
mod absent;
#[cfg(feature = "signatures")]
mod results;
#[cfg(feature = "signatures")]
mod sign;
#[cfg(feature = "signatures")]
mod verify;

#[cfg(not(feature = "signatures"))]
pub use absent::{DkimKey, check_signatures};
#[cfg(feature = "signatures")]
pub use {sign::DkimKey, verify::check_signatures};

use serde::{Deserialize, Serialize};

/// `true` if this program checks signatures and can sign.
pub const SIGNATURES: bool = cfg!(feature = "signatures");

/// A source of public keys and policies of domains.
pub trait KeyLookup {
    /// Returns the TXT records of a name, each with its parts joined. The list is empty if the name
    /// or the record does not exist.
    ///
    /// # Errors
    /// [`LookupFault`] for a temporary failure.
    fn txt(&self, name: &str) -> Result<Vec<Vec<u8>>, LookupFault>;

    /// Announces names that will be looked up, so that they can be queried concurrently.
    fn ahead(&self, _names: &[String]) {}
}

/// A temporary failure to look up a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("DNS lookup of {name} failed: {why}")]
pub struct LookupFault {
    /// The name.
    pub name: String,
    /// The failure.
    pub why: String,
}

/// The result of verifying that a mail comes from its author's domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum Signed {
    /// A valid signature of the author's domain, or of one with the same owner.
    Dkim {
        /// The domain.
        domain: String,
    },
    /// A trusted domain confirmed such a signature before it changed and sealed the mail.
    Arc {
        /// The trusted domain.
        sealer: String,
    },
    /// The mail is not verified.
    Nobody {
        /// The reason.
        why: Unsigned,
    },
}

/// The reason a mail is not verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "lowercase")]
pub enum Unsigned {
    /// The program cannot check signatures.
    #[error("this program was built without signatures (Cargo's feature `signatures`)")]
    Unchecked,
    /// There is no signature.
    #[error("it has no signature (DKIM)")]
    Missing,
    /// There are only signatures of other domains.
    #[error("it is signed by {0}, which is not the domain of its author")]
    Other(String),
    /// The signature of the author's domain is invalid.
    #[error("the signature of {domain} is invalid: {why}")]
    Broken {
        /// The domain.
        domain: String,
        /// The reason it is invalid.
        why: String,
    },
    /// A field occurs twice, so that it is ambiguous which one is signed.
    #[error("it has two {0} fields")]
    Twice(String),
    /// There are more signatures or fields than in an ordinary mail.
    #[error("its header has too many signatures or fields")]
    Many,
    /// The header cannot be read, or does not have the expected author.
    #[error("its header cannot be read")]
    Unreadable,
    /// No name server gave the key of the author's domain as long as the mail could wait.
    #[error("no name server gave the key of its author's domain within a day")]
    Silence,
}

impl Signed {
    /// Returns `true` if the mail is verified.
    #[must_use]
    pub fn holds(&self) -> bool {
        !matches!(self, Signed::Nobody { .. })
    }
}

impl std::fmt::Display for Signed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Signed::Dkim { domain } => write!(f, "signed by {domain} (DKIM)"),
            Signed::Arc { sealer } => write!(f, "passed on by {sealer}, which says that it was signed (ARC)"),
            Signed::Nobody { why } => write!(f, "not signed: {why}"),
        }
    }
}

/// The reason a key cannot be used for signing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DkimFault {
    /// There is no private key in a supported format.
    #[error(
        "there is no private key in it: an RSA or Ed25519 key in PEM form is needed (PKCS #8, for RSA also PKCS #1)"
    )]
    NoKey,
    /// A selector or domain that cannot be part of a DNS name.
    #[error("`{0}` cannot be part of a name in the DNS: letters, digits, hyphens and dots")]
    Name(String),
    /// The program cannot sign.
    #[error("this program was built without signatures (Cargo's feature `signatures`)")]
    Absent,
    /// An error of the library.
    #[error("nothing can be signed with it: {0}")]
    Refused(String),
}
