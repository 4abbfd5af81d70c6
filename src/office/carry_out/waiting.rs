//! `stop` and `new token`: take back waiting mails, and invalidate letters.

use crate::{
    error::OfficeError,
    reading::Origin,
    transaction::{Transaction, settings},
};
use postrider_store::{Kept, Player, Waiting, WhyRenewed};
use postrider_table::Seat;

/// Issues new tokens for a player on request. Returns a report.
pub(crate) fn renewed(tx: &mut Transaction, seat: Seat, from: &Origin<'_>) -> Result<String, OfficeError> {
    if !tx.seats.player(seat).is_some_and(Player::by_mail) {
        return Ok("Nobody at this seat gets mail, so there is no token to renew.".to_owned());
    }
    let mail = match from {
        Origin::Mail { hash, .. } => Some(*hash),
        Origin::Cli => None,
    };
    settings::renew(tx, seat, WhyRenewed::Asked, mail)?;
    let waits = match tx.secrets.waiting.iter().any(|(whose, _)| *whose == seat) {
        true => " Orders that wait were sent before and will be done; `stop` takes them back.",
        false => "",
    };
    Ok(format!(
        "Your seat has a new token: all earlier letters are void, whoever has them. Please answer this letter or a \
         newer one.{waits}"
    ))
}

/// Takes back all of a seat's waiting mails. Returns a report.
pub(crate) fn stop_waiting(tx: &mut Transaction, seat: Seat) -> Result<String, OfficeError> {
    let mine: Vec<Waiting> =
        tx.secrets.waiting.iter().filter(|(whose, _)| *whose == seat).map(|(_, one)| one.clone()).collect();
    if mine.is_empty() {
        return Ok(
            "None of your orders waits, so there was nothing to take back. `back` takes an order back that was done."
                .to_owned(),
        );
    }
    let lines: Vec<String> = mine.iter().flat_map(|one| &one.lines).map(|(_, line)| format!("\"{line}\"")).collect();
    for waiting in &mine {
        tx.keep(Kept::Waited(waiting.mail))?;
    }
    Ok(format!("Taken back, and never done: {}.", lines.join("; ")))
}
