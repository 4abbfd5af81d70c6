//! Signed heads in players' mails that contradict the journal.

use crate::{error::OfficeError, services::Services, transaction::Transaction};
use postrider_audit::{Evidence, Receipt};
use postrider_journal::verify_receipt;
use postrider_mail::Incoming;
use postrider_mailbox::SavedMail;
use postrider_store::{Contradicting, Kept, LetterId};
use postrider_table::Seat;

/// The maximum number of heads that are stored per game.
const MOST: usize = 20;

/// Stores the heads that a mail quotes from letters of this service, if the journal has other
/// entries in their places: lines were lost, or rewritten. Directors see them.
///
/// # Errors
/// [`OfficeError`] if they cannot be stored.
pub(crate) fn note(
    tx: &mut Transaction,
    services: &Services,
    (mail, raw): (&Incoming, &[u8]),
    seat: Seat,
) -> Result<(), OfficeError> {
    let on_chain = |n: u64, start: &str| {
        let known = usize::try_from(n).ok().and_then(|n| tx.facts.hashes.get(n));
        known.is_some_and(|hash| hash.to_string().starts_with(start))
    };
    // The quoted heads are only read if the Message-ID gives a reason to.
    if LetterId::answered_in(mail, &tx.id, seat).all(|id| on_chain(id.n, id.hash)) {
        return Ok(());
    }
    let mut evidence = Evidence::default();
    evidence.add(&SavedMail { place: String::new(), raw: raw.to_vec() }, false);
    let signed = |one: &Receipt| verify_receipt(&services.key.public(), &one.head(), &one.signature).is_ok();
    let other = |one: &Receipt| one.game == tx.id && !on_chain(one.n, &one.hash.to_string()) && signed(one);
    let found: Vec<Receipt> = evidence.receipts.into_iter().filter(other).collect();
    for Receipt { n, hash, mail, .. } in found {
        let known = &tx.secrets.contradicting;
        if known.len() < MOST && !known.iter().any(|one| one.hash == hash) {
            tx.keep(Kept::Contradicting(Contradicting { seat, n, hash, mail }))?;
        }
    }
    Ok(())
}
