//! A game's result, decided by a director.

use crate::{
    error::{NotDone, OfficeError},
    game::{
        Game,
        directors::{self, By, one_line},
        motions,
    },
    misuse::Misuse,
    services::Services,
    transaction::{
        Transaction,
        motions::{self as changes, Proposal},
    },
};
use postrider_journal::{Body, Motion, Via, What};
use std::collections::BTreeMap;

/// Parses places such as `anna 1, ben 2`. In a `draw` every player has place 1.
///
/// # Errors
/// [`Misuse::Place`].
pub(crate) fn places(game: &Game, text: &str) -> Result<BTreeMap<String, u64>, Misuse> {
    let wrong = |text: &str| Misuse::Place { text: text.to_owned() };
    if text.trim().eq_ignore_ascii_case("draw") {
        return Ok(game.live.opened.seats.iter().map(|seat| (seat.clone(), 1)).collect());
    }
    let mut places = BTreeMap::new();
    for part in text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
        let place = part.rsplit_once(' ').and_then(|(name, place)| Some((name, place.parse::<u64>().ok()?)));
        let (name, place) = place.ok_or_else(|| wrong(part))?;
        let [seat] = game.seats.seats_named(name.trim())[..] else { return Err(wrong(part)) };
        if places.insert(game.live.seat_name(seat).to_owned(), place).is_some() {
            return Err(wrong(text));
        }
    }
    if places.is_empty() { Err(wrong(text)) } else { Ok(places) }
}

/// Checks that a director can give a game a result now. Returns a clause that describes the effect,
/// and the texts for the journal.
///
/// # Errors
/// [`OfficeError::Use`].
pub(crate) fn check(
    tx: &Transaction,
    services: &Services,
    by: &By<'_>,
    (what, reason): (&What, &str),
) -> Result<(String, String, String), OfficeError> {
    let (name, reason) = (one_line("the name of who decides", by.name)?, one_line("a reason", reason)?);
    if tx.live.closed {
        return Err(Misuse::Over { game: tx.id.clone() }.into());
    }
    if tx.live.seat(&name).is_some() {
        return Err(Misuse::BySeat { by: name }.into());
    }
    directors::check(tx, &name)?;
    let (what, said) = (what.clone(), motions::in_words(tx, what, None));
    let motion = Motion { by: name.clone().into(), what, reason: reason.clone().into(), via: Via::Cli, words: None };
    let heard = tx.live.motions.clone().hear(tx.next_line(), &services.at(), &Body::Motion(motion));
    heard.map_err(|why| Misuse::Motion { why: motions::refusal(tx, services, &why) })?;
    Ok((said, name, reason))
}

/// Gives a game a result. Returns a report of one sentence.
///
/// # Errors
/// As for [`check`]; nothing has been written then.
pub(crate) fn decide(
    tx: &mut Transaction,
    services: &Services,
    by: &By<'_>,
    (what, reason): (What, &str),
) -> Result<String, OfficeError> {
    let (said, name, reason) = check(tx, services, by, (&what, reason))?;
    match changes::propose(
        tx,
        services,
        Proposal { by: name, what, reason, via: changes::via(by.words), words: by.words },
    ) {
        Ok(_) => Ok(format!("{}: {said}.", tx.id)),
        Err(NotDone::Refused(why)) => Err(Misuse::Motion { why: why.why }.into()),
        Err(NotDone::Error(why)) => Err(why),
    }
}
