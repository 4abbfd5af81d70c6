//! Mails in and mails out, as text: this crate asks nobody and sends nothing.
//!
//! This layer knows what a mail is and nothing of games; of journals only how the id of a game is spelt. Coming in, a raw message is parsed once into an
//! [`Incoming`]: who says he wrote it, whether a machine did ([`LoopRisk`]), and the lines that the sender himself wrote
//! ([`OrderText`]) as opposed to what his program quoted, signed or wrapped. Where that cannot be told, a [`BodyDoubt`]
//! says why, so that the sender can be asked; nothing is ever guessed. [`check_sender`] and [`find_tokens`] then answer
//! whose mail it is and which prompt it belongs to.
//!
//! Going out, an [`Outgoing`] becomes the bytes of a message, the same bytes each time, with its [`Envelope`]. A [`Maildir`] is where mails wait on either side.
//!
//! A [`Mailbox`] reads the mails that somebody saved and names what it could not read, a [`SavedMessage`] is what one says and
//! carries along.

mod address;
mod answered;
mod archive;
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
mod mailbox;
mod maildir;
mod marks;
mod mbox;
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
pub use archive::MOST_NESTED;
pub use archive::{NotRead, Unreadable};
pub use auth::check_sender;
pub use bounce::Bounce;
pub use envelope::{Composed, Envelope};
pub use fault::MailFault;
pub use incoming::Incoming;
pub use incoming::MAX_MESSAGE_BYTES;
pub use loops::LoopRisk;
pub use mailbox::SavedMail;
pub use mailbox::{Mailbox, Saved};
pub use maildir::{Delivery, Maildir, MaildirEntry, MaildirFault, MaildirFolder};
pub use order_text::{BodyDoubt, Marked, Note, OrderLine, OrderText};
pub use outgoing::ComposeFault;
pub use outgoing::{Attached, AutoSubmitted, Content, Outgoing, PICTURE};
pub use quote::{CUT_LINE_MARK, QUIET_CUT_LINE_MARK};
pub use safe::{forward_safe, without_tokens};
pub use saved::SavedMessage;
pub use signatures::{DkimFault, DkimKey, LookupFault};
pub use signatures::{KeyLookup, Signed, Unsigned, check_signatures};
#[cfg(any(test, feature = "testing"))]
pub use testing::Keys;
pub use token::{AddressBookConfig, AddressFault, FoundToken, Token, TokenPlace, coded_recipients, find_tokens};
