//! The storage of a host's games.
//!
//! [`Store`] is the interface, and [`Lease`] the one for changing a game. [`FileStore`], the
//! default, stores games as files in a host's folder ([`Host`]). [`Players`], [`GameSecrets`] and
//! [`TokenIssuer`] are made from the secrets kept next to a journal.

mod contract;
mod copy;
mod error;
pub mod files;
pub mod folder;
mod index;
mod letter_id;
pub mod lines;
mod mail_in;
pub mod messages;
mod opened;
pub mod outbox;
mod player;
pub mod players;
#[cfg_attr(not(feature = "postgres"), path = "no_postgres.rs")]
mod postgres;
pub mod secrets;
pub mod sending;
pub mod settings_file;
#[cfg(test)]
mod tests;
pub mod tokens;
pub mod watchers;

#[cfg(any(test, feature = "testing"))]
pub use self::postgres::{
    faults::{self as database_faults, Fault as DatabaseFault},
    testing::Servers,
};
pub use self::{
    contract::{DAY, HOUR, HandedOver, OutboxRow, TakenMail, Undelivered},
    copy::{Copied, Progress, copy},
    letter_id::LetterId,
    lines::Strange,
    mail_in::*,
    messages::{Message, Messages, Party},
    opened::{HostStore, Pulse, Queue, bring_in, put_out},
    outbox::*,
    postgres::{PgTurn, PgWatch, prepare},
    secrets::{
        AddressAsked, AdviceTerms, Answered, Append, Away, Boilerplate, Contradicting, Directed, Draft, GameSecrets,
        Hours, LetterLength, Pace, Proposed, Renewed, SealedContent, Told, Undoing, Waiting, Whose, WhyRenewed,
        Written,
    },
    sending::*,
    tokens::{Bond, TokenIssuer},
    watchers::{Digest, Watcher},
};
pub use self::{
    contract::{Games, Index, Lease, Listed, Mails, Mark, Store},
    error::StoreError,
    files::{
        FileStore,
        backup::{Backup, backup, restore},
    },
    folder::*,
    index::{Awaited, GameStatus},
    lines::{KeptLines, StrangeLine},
    player::*,
    players::*,
    postgres::PgStore,
    secrets::Kept,
};
