//! Signatures of mail servers (DKIM, RFC 6376): whose domain vouches for a mail that came in, and ours under one that goes out.
//!
//! [`check_signatures`] looks keys up by a [`KeyLookup`], so that tests have keys of their own and ask nobody; [`Dns`] is the one that asks
//! the network. [`DkimKey`] signs.

mod dns;
mod results;
mod sign;
mod verify;

pub use dns::Dns;
pub use sign::{DkimFault, DkimKey};
pub use verify::{KeyLookup, LookupFault, Signed, Unsigned, check_signatures};
