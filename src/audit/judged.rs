//! The result of checking the heads and cards in mails against a journal, and its form in a report.

use super::evidence::{HeldCard, ReadFile, Receipt};
use postrider_mailbox::NotRead;
use serde::Serialize;
use std::fmt;

/// The maximum number of files listed in a report on the terminal.
const MOST_LISTED: usize = 20;

/// The result of checking a head against a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Signed by the service, and the journal has this line.
    OnChain,
    /// Signed by the service, but the journal or another signed head has a different line there.
    Contradicts,
    /// Signed by the service, but the journal ends before this line.
    Beyond,
    /// Signed by the service, but the journal is contradicted before this line, so it was not
    /// checked.
    NotReached,
    /// Signed by a different key, which the mail itself names.
    OtherKey,
    /// The signature matches no known key.
    Forged,
    /// There is no signature.
    Unsigned,
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Standing::OnChain => "signed, on the chain",
            Standing::Contradicts => "signed, CONTRADICTS",
            Standing::Beyond => "signed, beyond the end",
            Standing::NotReached => "signed, not reached",
            Standing::OtherKey => "signed by another key",
            Standing::Forged => "signature does not fit",
            Standing::Unsigned => "not signed",
        })
    }
}

/// The result of checking a card against a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CardStanding {
    /// The shuffle committed to this card at this position.
    Fits,
    /// The shuffle committed to another card there, or has no such position.
    Other,
    /// The journal deals this position to another seat, or to none.
    NotDealt,
    /// The journal ends before this shuffle or deal.
    NotReached,
    /// The letter has no signed head, and the card was not given with `--hand`.
    NotJudged,
}

impl fmt::Display for CardStanding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            CardStanding::Fits => "as it was sealed",
            CardStanding::Other => "NOT what was sealed",
            CardStanding::NotDealt => "NOT dealt to this seat",
            CardStanding::NotReached => "not reached",
            CardStanding::NotJudged => "not judged: no signed head next to it",
        })
    }
}

/// A head with the result of its check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedReceipt {
    /// The head.
    #[serde(flatten)]
    pub receipt: Receipt,
    /// The result.
    pub standing: Standing,
}

/// A card with the result of its check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JudgedCard {
    /// The card.
    #[serde(flatten)]
    pub card: HeldCard,
    /// The seat to which the letter was sent; "" if unknown.
    pub seat: String,
    /// The place of the mail.
    pub place: String,
    /// The result.
    pub standing: CardStanding,
}

/// The results of checking all mails against one journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// The number of mails read, of any game.
    pub mails: u64,
    /// The number of heads of other games, which are not judged.
    pub others: u64,
    /// Mails with an incomplete receipt of this game, or of a game that cannot be determined.
    pub damaged: Vec<String>,
    /// Files that hold mails without a letter of any game.
    pub without: Vec<ReadFile>,
    /// Files that were not read.
    pub not_read: Vec<NotRead>,
    /// The number of lines proved by receipts: all up to the newest signed head on the chain.
    pub held: u64,
    /// Every head of this game, oldest first.
    pub receipts: Vec<JudgedReceipt>,
    /// Every card, once per seat and result.
    pub cards: Vec<JudgedCard>,
    /// Mailboxes without a signed head of this game.
    pub headless: Vec<String>,
}

impl Judged {
    /// Returns the newest head with this standing.
    pub(super) fn newest(&self, standing: Standing) -> Option<&Receipt> {
        let all = self.receipts.iter().filter(|one| one.standing == standing).map(|one| &one.receipt);
        all.max_by_key(|receipt| receipt.n)
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.receipts.is_empty() {
            writeln!(f, "HEADS IN MAILS: entry, hash, seat, standing, mail")?;
        }
        for JudgedReceipt { receipt, standing } in &self.receipts {
            let hash = receipt.hash.to_string();
            let seat = if receipt.seat.is_empty() { "?" } else { &receipt.seat };
            writeln!(f, "{:>6}  {}  {seat:<8} {standing:<22}  {}", receipt.n, &hash[..16], receipt.place)?;
        }
        if !self.cards.is_empty() {
            writeln!(
                f,
                "{}CARDS IN HANDS: place, card, seat, standing, mail",
                if self.receipts.is_empty() { "" } else { "\n" }
            )?;
        }
        for JudgedCard { card, seat, place, standing } in &self.cards {
            let at = format!("{}, epoch {}, position {}", card.deck, card.epoch, card.pos);
            let seat = if seat.is_empty() { "?" } else { seat };
            writeln!(f, "  {at:<32} {:<26} {seat:<8} {standing:<22}  {place}", card.card)?;
        }
        let mut begun = !(self.receipts.is_empty() && self.cards.is_empty());
        let mut list = |title: &str, lines: Vec<String>| -> fmt::Result {
            if lines.is_empty() {
                return Ok(());
            }
            writeln!(f, "{}{title}", if std::mem::replace(&mut begun, true) { "\n" } else { "" })?;
            lines.iter().take(MOST_LISTED).try_for_each(|line| writeln!(f, "  {line}"))?;
            match lines.len().saturating_sub(MOST_LISTED) {
                0 => Ok(()),
                more => writeln!(f, "  and {more} more, which --json lists"),
            }
        };
        let not_read = |one: &NotRead| format!("{}: {}", one.place, one.why);
        list("NOT READ: file, why", self.not_read.iter().map(not_read).collect())?;
        let without = |file: &ReadFile| match (file.mails, file.letters) {
            (1, _) => file.place.clone(),
            (mails, letters) => format!("{}: {} of its {mails} mails", file.place, mails - letters),
        };
        list("READ, AND NO LETTER OF A GAME IN IT", self.without.iter().map(without).collect())?;
        Ok(())
    }
}
