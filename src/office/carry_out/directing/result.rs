//! A game's result, decided by a director.

use crate::{
    carry_out::directing::looks,
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
use postrider_analysis::AdjudicateFault;
use postrider_journal::{Body, RolledOut, What};
use postrider_replay::{Moment, rollouts_in_words};
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

/// A result as a director gives it.
pub(crate) struct Given<'g> {
    /// The places.
    pub what: What,
    /// The reason.
    pub reason: &'g str,
    /// `true` if it is based on rollouts from the last entry.
    pub adjudicated: bool,
}

/// Checks that a director can give a game a result now. Returns a clause that describes the effect,
/// and the motion.
///
/// # Errors
/// [`OfficeError::Use`], or the reason why bots cannot play on.
pub(crate) fn check(
    tx: &Transaction,
    services: &Services,
    by: &By<'_>,
    given: Given<'_>,
) -> Result<(String, Proposal), OfficeError> {
    let (name, reason) = (one_line("the name of who decides", by.name)?, one_line("a reason", given.reason)?);
    if tx.live.closed {
        return Err(Misuse::Over { game: tx.id.clone() }.into());
    }
    if tx.live.seat(&name).is_some() {
        return Err(Misuse::BySeat { by: name }.into());
    }
    directors::check(tx, &name)?;
    let rollouts = given.adjudicated.then(|| rolled_out(tx, services)).transpose()?;
    let mut said = motions::in_words(tx, &given.what, None);
    said.extend(rollouts.as_ref().map(|one| format!(", after {}", tx.seats.named(&rollouts_in_words(one)))));
    let (via, words) = (changes::via(by.words), by.words);
    let proposal = Proposal { by: name, what: given.what, reason, rollouts, via, words };
    let heard = tx.live.motions.clone().hear(tx.next_line(), &services.at(), &Body::Motion(proposal.motion()));
    heard.map_err(|why| Misuse::Motion { why: motions::refusal(tx, services, &why) })?;
    Ok((said, proposal))
}

/// Has bots play on from the last entry.
fn rolled_out(game: &Game, services: &Services) -> Result<RolledOut, OfficeError> {
    let found = looks::rollouts(game, services, Some(Moment::after(game.head().n))).map_err(|why| match why {
        AdjudicateFault::Replay(why) => OfficeError::from(why),
        why => Misuse::Motion { why: why.to_string() }.into(),
    })?;
    Ok(found.rollouts.recorded(game.head().n))
}

/// Gives a game a result. Returns a report of one sentence.
///
/// # Errors
/// As for [`check`]; nothing has been written then.
pub(crate) fn decide(
    tx: &mut Transaction,
    services: &Services,
    by: &By<'_>,
    given: Given<'_>,
) -> Result<String, OfficeError> {
    let (said, proposal) = check(tx, services, by, given)?;
    match changes::propose(tx, services, &proposal) {
        Ok(_) => Ok(format!("{}: {said}.", tx.id)),
        Err(NotDone::Refused(why)) => Err(Misuse::Motion { why: why.why }.into()),
        Err(NotDone::Error(why)) => Err(why),
    }
}
