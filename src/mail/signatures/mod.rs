//! Signatures of mail servers (DKIM, RFC 6376): whose domain vouches for a mail that came in, and ours under one that goes out.
//!
//! [`check_signatures`] looks keys up by a [`KeyLookup`], so that tests have keys of their own and ask nobody. [`DkimKey`] signs.

mod results;
mod sign;
mod verify;

pub use sign::{DkimFault, DkimKey};
pub use verify::{KeyLookup, LookupFault, Signed, Unsigned, check_signatures};
