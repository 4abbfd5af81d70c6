//! Mails in files.
//!
//! Mails wait in a [`Maildir`] in both directions. A [`Mailbox`] reads mails that were saved, and
//! lists those that it could not read. It never writes.

mod archive;
mod maildir;
mod mbox;
mod saved;

pub use archive::{MOST_NESTED, NotRead, Unreadable, is_archive};
pub use maildir::{Delivery, Maildir, MaildirEntry, MaildirFault, MaildirFolder};
pub use saved::{Mailbox, Saved, SavedMail};
