//! Signatures of mail servers (DKIM, RFC 6376): verification of incoming mails, and signing of
//! outgoing ones.
//!
//! [`check_signatures`] looks up keys with a [`KeyLookup`], so that tests can supply their own keys
//! without a network. [`DkimKey`] signs.

mod results;
mod sign;
mod verify;

pub use sign::{DkimFault, DkimKey};
pub use verify::{KeyLookup, LookupFault, Signed, Unsigned, check_signatures};
