//! Why a demonstration cannot go on.

use postrider_mail::MaildirFault;
use postrider_office::{Misuse, OfficeError};
use postrider_store::StoreError;
use std::io;

/// Why a game that plays itself was broken off. All but the first are faults of this program: its own players answer its own letters.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The office could not go on.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// A letter cannot be read as mail.
    #[error("a fault of this program: letter {number}, to {player}, cannot be read as mail")]
    NotAMail {
        /// The player's name.
        player: String,
        /// The letter's number, from 1.
        number: usize,
    },
    /// A player's mail was not taken for an answer.
    #[error("a fault of this program: the players' mail {mails} was filed: {why}")]
    Filed {
        /// Its number, from 1.
        mails: usize,
        /// Why it was not taken.
        why: String,
    },
    /// A player's mail was taken for an older one.
    #[error("a fault of this program: the players' mail {mails} counted as one seen before")]
    SeenBefore {
        /// Its number, from 1.
        mails: usize,
    },
    /// So many mails in a row carried out no order.
    #[error("a fault of this program: {mails} mails brought {game} no further")]
    Fruitless {
        /// The game.
        game: String,
        /// How many mails.
        mails: usize,
    },
    /// The game is not over, and nobody has a letter to answer.
    #[error("a fault of this program: {game} stands still after {mails} mails: nobody has a letter to answer")]
    Standstill {
        /// The game.
        game: String,
        /// How many mails the players wrote.
        mails: usize,
    },
}

/// What the layers below the office say reads the same whether it comes through the office or not.
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
