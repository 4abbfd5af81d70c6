//! Making, voting on and carrying out motions.

use crate::{
    error::{NotDone, OfficeError},
    game::{clock, motions, undoing},
    services::Services,
    transaction::{Back, Transaction, ticking},
};
use chrono::SecondsFormat;
use postrider_dice::Hash;
use postrider_journal::{ALL_PLAYERS, Ballot, Body, ClockEvent, Json, Motion, RolledOut, Ruling, Via, Vote, What};
use postrider_replay::deadlines::{Effect, MovedDeadline};
use postrider_table::Seat;
use std::collections::BTreeSet;

/// A motion as its proposer makes it.
pub(crate) struct Proposal {
    /// The seat, or the name of the director.
    pub by: String,
    /// The proposal.
    pub what: What,
    /// The reason; "" if none is given.
    pub reason: String,
    /// The rollouts that support a director's result.
    pub rollouts: Option<RolledOut>,
    /// The way in which it came.
    pub via: Via,
    /// The digest of the mail's line that contains it.
    pub words: Option<Hash>,
}

impl Proposal {
    /// Returns the body of its entry.
    pub fn motion(&self) -> Motion<'_> {
        let Proposal { by, what, reason, rollouts, via, words } = self;
        let (by, reason) = (by.as_str().into(), reason.as_str().into());
        Motion { by, what: what.clone(), reason, rollouts: rollouts.clone(), via: *via, words: *words }
    }
}

/// Makes a motion. One that needs no vote is carried out at once. Returns the number of its entry.
pub(crate) fn propose(tx: &mut Transaction, services: &Services, proposal: &Proposal) -> Result<u64, NotDone> {
    let n = make(tx, services, &Body::Motion(proposal.motion()))?;
    if tx.live.motions.carried(n).is_some() {
        carry_out(tx, services, n)?;
    }
    Ok(n)
}

/// Has seats lose the game because they have not answered in time. They tie, and if that ends the
/// game, nobody wins because of the order of the entries. Returns the number of seats that lost.
pub(crate) fn forfeit(tx: &mut Transaction, services: &Services, seats: &[Seat]) -> Result<usize, OfficeError> {
    let mut lost = Vec::new();
    for seat in seats {
        let (by, what) = (tx.live.seat_name(*seat).to_owned(), What::Forfeit {});
        let (reason, rollouts) = (String::new(), None);
        let proposal = Proposal { by, what, reason, rollouts, via: Via::Deadline, words: None };
        match make(tx, services, &Body::Motion(proposal.motion())) {
            Ok(n) => lost.push(n),
            Err(why) => why.only_errors()?,
        }
    }
    if let Some(last) = lost.last() {
        carry_out(tx, services, *last)?;
    }
    Ok(lost.len())
}

/// Votes on the motion of entry `of`; the last vote needed carries it out.
pub(crate) fn vote(
    tx: &mut Transaction,
    services: &Services,
    seat: String,
    (of, vote): (u64, Ballot),
    words: Option<Hash>,
) -> Result<(), NotDone> {
    make(tx, services, &Body::Vote(Vote { of, seat: seat.into(), vote, via: via(words), words }))?;
    if vote == Ballot::Agree && tx.live.motions.carried(of).is_some() {
        carry_out(tx, services, of)?;
    }
    Ok(())
}

/// Returns [`Via::Mail`] if there is a digest of a mail's words, and [`Via::Cli`] otherwise.
pub(crate) const fn via(words: Option<Hash>) -> Via {
    if words.is_some() { Via::Mail } else { Via::Cli }
}

/// Makes the line of a motion or a vote, if it is allowed.
fn make(tx: &mut Transaction, services: &Services, body: &Body<'_>) -> Result<u64, NotDone> {
    let at = services.at();
    let heard = tx.live.motions.clone().hear(tx.next_line(), &at, body);
    heard.map_err(|why| NotDone::why(motions::refusal(tx, services, &why)))?;
    Ok(tx.line(services, body)?)
}

/// Carries out a motion that was carried.
fn carry_out(tx: &mut Transaction, services: &Services, n: u64) -> Result<(), OfficeError> {
    let Some(motion) = tx.live.motions.carried(n).cloned() else { return Ok(()) };
    let why = format!("agreed on in entry {n}");
    match motion.what {
        // A bot plays the seat from now on.
        What::Concede {} | What::Forfeit {} if tx.live.motions.places(n).is_none() => Ok(()),
        What::Concede {} | What::Forfeit {} | What::Result(_) => {
            let at = tx.next_line();
            let closed = tx.live.end_by_motion(at, n)?;
            tx.line(services, &closed).map(drop)
        }
        What::Back { to, within } => {
            let point = undoing::at(tx, services, to, within.is_some())?;
            tx.undo(
                services,
                &point,
                Back { by: ALL_PLAYERS.to_owned(), reason: why, of: Some(n), from: 0, mail: None, said: (None, None) },
            )
        }
        What::Extend { seconds } => extend(tx, services, (seconds, n), &why),
        What::Pause { .. } => {
            if !tx.live.deadlines.paused() {
                for asked in clock::clocked(tx)? {
                    ticking::clock_line(tx, services, &asked, ClockEvent::Paused)?;
                }
            }
            Ok(())
        }
    }
}

/// Extends the deadlines of all seats with open questions.
fn extend(tx: &mut Transaction, services: &Services, (seconds, n): (u64, u64), why: &str) -> Result<(), OfficeError> {
    let seats: BTreeSet<Seat> = clock::clocked(tx)?.into_iter().map(|asked| asked.seat).collect();
    let now = services.now().timestamp();
    for seat in seats {
        let Some(until) = tx.live.deadlines.extended(seat, now, seconds) else { continue };
        let seat = tx.live.seat_name(seat).to_owned();
        let until = until.to_rfc3339_opts(SecondsFormat::Secs, true);
        let effect = Json::new(&Effect { deadline: MovedDeadline { seat, until } })
            .map_err(|why| crate::bug::Bug::NotJson { what: "a moved deadline", why })?;
        tx.rule(services, Ruling { of: Some(n), ..Ruling::new(ALL_PLAYERS, why.to_owned(), effect) })?;
    }
    Ok(())
}

/// Resumes the clocks after the end of a pause that all players agreed on. The lines are not yet
/// appended.
pub(crate) fn go_on(tx: &mut Transaction, services: &Services) -> Result<(), OfficeError> {
    if clock::paused_until(tx).is_some_and(|until| until <= services.now().timestamp()) {
        for asked in clock::clocked(tx)? {
            ticking::clock_line(tx, services, &asked, ClockEvent::Resumed)?;
        }
    }
    Ok(())
}
