//! Where a host's games are kept.
//!
//! [`Store`] is the door, and [`Lease`] the one through which a game is changed; [`FileStore`] leads to the files of a host's
//! folder ([`Host`]), which is the default. [`Players`], [`GameSecrets`] and [`TokenIssuer`] are made of what is kept beside a journal.

mod contract;
mod error;
pub(crate) mod files;
pub(crate) mod folder;
mod index;
pub(crate) mod lines;
mod mail_in;
#[cfg(test)]
mod memory;
pub(crate) mod messages;
pub(crate) mod outbox;
pub(crate) mod players;
pub(crate) mod secrets;
pub(crate) mod sending;
#[cfg(test)]
mod tests;
pub(crate) mod tokens;
pub(crate) mod watchers;

#[cfg(test)]
pub(crate) use self::memory::MemoryStore;
pub(crate) use self::{
    contract::{DAY, HOUR, HandedOver, OutboxRow, TakenMail, Undelivered},
    lines::Strange,
    mail_in::*,
    messages::{Message, Messages, Party},
    outbox::*,
    secrets::{
        AddressAsked, AdviceTerms, Append, Away, GameSecrets, Hours, LetterLength, Pace, Proposed, Renewed,
        SealedContent, Undoing, Waiting, WhenAway, WhyRenewed, Written,
    },
    sending::*,
    tokens::{Bond, TokenIssuer},
    watchers::{Digest, Watcher},
};
pub use self::{
    contract::{Games, Index, Lease, Listed, Mails, Mark, Store},
    error::StoreError,
    files::FileStore,
    folder::*,
    index::{Awaited, GameStatus},
    lines::{KeptLines, StrangeLine},
    players::*,
    secrets::Kept,
};
