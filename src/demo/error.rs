//! Errors of a demonstration.

use postrider_mailbox::MaildirFault;
use postrider_office::{Misuse, OfficeError};
use postrider_store::StoreError;
use std::io;

/// An error that stops a demonstration. All but the first are faults of this program, because its
/// own players answer its own letters.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The office failed.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// A letter could not be parsed as mail.
    #[error("a fault of this program: letter {number}, to {player}, cannot be read as mail")]
    NotAMail {
        /// The player's name.
        player: String,
        /// The letter's number, from 1.
        number: usize,
    },
    /// A player's mail was not accepted as an answer.
    #[error("a fault of this program: the players' mail {mails} was filed: {why}")]
    Filed {
        /// The mail's number, from 1.
        mails: usize,
        /// The reason.
        why: String,
    },
    /// A player's mail was taken for a duplicate.
    #[error("a fault of this program: the players' mail {mails} counted as one seen before")]
    SeenBefore {
        /// The mail's number, from 1.
        mails: usize,
    },
    /// Too many mails in a row carried out no order.
    #[error("a fault of this program: {mails} mails brought {game} no further")]
    Fruitless {
        /// The game's id.
        game: String,
        /// The number of mails.
        mails: usize,
    },
    /// The game is not over, but nobody has a letter to answer.
    #[error("a fault of this program: {game} stands still after {mails} mails: nobody has a letter to answer")]
    Standstill {
        /// The game's id.
        game: String,
        /// The number of mails that the players wrote.
        mails: usize,
    },
}

/// Wraps errors of lower layers in an [`OfficeError`], so that they read the same with or without
/// the office in between.
macro_rules! as_the_office_has_it {
    ($($error:ty),+) => {
        $(impl From<$error> for DemoError {
            fn from(why: $error) -> Self {
                DemoError::Office(why.into())
            }
        })+
    };
}
as_the_office_has_it!(io::Error, MaildirFault, Misuse, StoreError);
