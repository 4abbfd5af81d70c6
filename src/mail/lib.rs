//! Incoming and outgoing mails as text. This crate uses no network.
//!
//! It knows nothing of games, and of journals only the syntax of a game's id. A raw message is
//! parsed once into an [`Incoming`]: its author, whether a machine sent it ([`LoopRisk`]), and the
//! lines that the sender wrote ([`OrderText`]), without the lines that the mail program quoted,
//! added as a signature or wrapped. If these cannot be determined, a [`BodyDoubt`] contains the
//! reason, so that the sender can be asked; nothing is guessed. [`check_sender`] and
//! [`find_tokens`] then determine whose mail it is and which prompt it answers.
//!
//! An [`Outgoing`] is composed into a message with its [`Envelope`]; the same values always give
//! the same bytes. A [`SavedMessage`] contains the text and attachments of a mail that was saved.

mod address;
mod answered;
mod auth;
mod body;
mod bounce;
mod envelope;
mod fault;
mod flowed;
mod headers;
mod html;
mod incoming;
mod loops;
mod marks;
mod nested;
mod order_text;
mod outgoing;
mod quote;
mod safe;
mod saved;
mod signatures;
#[cfg(any(test, feature = "testing"))]
mod testing;
mod token;

pub use address::Redacted;
pub use address::is_address;
pub use answered::Answered;
pub use auth::check_sender;
pub use bounce::Bounce;
pub use envelope::{Composed, Envelope};
pub use fault::MailFault;
pub use incoming::MAX_MESSAGE_BYTES;
pub use incoming::{Incoming, bare_subject};
pub use loops::LoopRisk;
pub use nested::has_too_many_fields;
pub use order_text::{BodyDoubt, Marked, Note, OrderLine, OrderText};
pub use outgoing::ComposeFault;
pub use outgoing::{Attached, AutoSubmitted, Content, Outgoing, PICTURE};
pub use quote::{CUT_LINE_MARK, QUIET_CUT_LINE_MARK};
pub use safe::{forward_safe, without_tokens};
pub use saved::SavedMessage;
pub use signatures::{DkimFault, DkimKey, LookupFault, SIGNATURES};
pub use signatures::{KeyLookup, Signed, Unsigned, check_signatures};
#[cfg(any(test, feature = "testing"))]
pub use testing::Keys;
pub use token::{AddressBookConfig, AddressFault, FoundToken, Token, coded_recipients, find_tokens};
