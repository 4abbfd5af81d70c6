//! Contents of letters that do not follow from the journal, kept so that the letters can be written
//! again as they were.

use crate::{
    bug::Bug,
    error::OfficeError,
    services::Services,
    transaction::{
        Transaction,
        news::{Answer, News},
        reply::Reply,
    },
};
use chrono::{DateTime, Utc};
use postrider_dice::Hash;
use postrider_store::Told;
use postrider_table::Seat;
use serde::{Deserialize, Serialize};

/// The part of [`News`] that does not follow from the journal.
#[derive(Default, Serialize, Deserialize)]
struct Says {
    reply: Option<Reply>,
    /// Remarks by seat.
    notes: Vec<(String, String)>,
}

/// Returns the data to store before the letters about a command are written, while the line with
/// this hash is the journal's last; `None` if the letters follow from the journal alone.
pub(crate) fn to_keep(tx: &Transaction, services: &Services, head: Hash) -> Result<Option<Told>, OfficeError> {
    let reply = tx.news.reply();
    if tx.is_atomic() || reply.is_none() && tx.news.notes.is_empty() {
        return Ok(None);
    }
    let notes = tx.news.notes.iter().map(|(seat, note)| (seat.to_string(), note.clone())).collect();
    let says = Says { reply: reply.map(|(_, reply)| reply.clone()), notes };
    let says = serde_json::to_string(&says).map_err(|why| Bug::NotJson { what: "a reply", why })?;
    Ok(Some(Told { head, at: services.now().timestamp(), by: tx.news.mail(), says }))
}

/// Returns the time of a game's last command, and the part of its letters that does not follow from
/// the journal, if a mail is not answered yet.
pub(crate) fn of_last_command(tx: &Transaction) -> (Option<DateTime<Utc>>, News) {
    let head = tx.head().hash;
    let of_head = tx.secrets.told.as_ref().filter(|told| told.head == head);
    let Some(told) = of_head.filter(|told| told.by.is_none_or(|(_, mail)| !tx.secrets.handled.contains(&mail))) else {
        let at = DateTime::parse_from_rfc3339(&tx.facts.last_at).ok().map(|at| at.to_utc());
        return (at, News::default());
    };
    let says: Says = serde_json::from_str(&told.says).unwrap_or_else(|why| {
        tracing::error!(game = tx.id, %why, "a reply that was kept cannot be read");
        Says::default()
    });
    let notes = says.notes.into_iter().filter_map(|(seat, note)| Some((Seat::from_letter(&seat)?, note)));
    let answer = told.by.zip(says.reply).map(|((seat, _), reply)| Answer::Player(seat, reply));
    (DateTime::from_timestamp(told.at, 0), News { answer, notes: notes.collect(), ..News::default() })
}
