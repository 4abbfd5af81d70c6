//! Players' absences and leave, and stand-in bots.

use crate::{
    dates::Absence,
    error::OfficeError,
    game::{
        directors::{By, SERVICE},
        local_time::{begins, local_day},
        motions::is_out,
    },
    services::Services,
    transaction::{Transaction, bots, motions},
};
use chrono::{DateTime, NaiveDate, SecondsFormat};
use postrider_dice::Hash;
use postrider_journal::{Body, Leave, StandIn};
use postrider_replay::deadlines::{moment, span};
use postrider_store::{Away, Kept};
use postrider_table::Seat;

/// A player's statement about an absence.
pub(crate) struct Written<'w> {
    pub seat: Seat,
    /// The words after `away`.
    pub words: &'w [String],
    /// The digest of the mail's line that contains it.
    pub digest: Option<Hash>,
}

/// Records an absence, and takes leave for it. Returns the text for the player.
pub(crate) fn absence(tx: &mut Transaction, services: &Services, written: &Written<'_>) -> Result<String, OfficeError> {
    let seat = written.seat;
    let zone = tx.zone(services, seat).to_owned();
    let words: Vec<&str> = written.words.iter().map(String::as_str).collect();
    let (from, until) = match Absence::read(&words, local_day(&zone, services.now())) {
        Err(why) => return Ok(format!("Your absence was not noted: {why}.")),
        Ok(Absence::Over) => return back_again(tx, services, written),
        Ok(Absence::Days(from, until)) => (from, until),
    };
    let after = until.succ_opt().unwrap_or(until);
    if is_out(tx, seat) {
        return Ok("Your seat is out of the game: nothing waits for you, and no absence was noted.".to_owned());
    }
    let noted = Away {
        from: begins(&zone, from),
        until: begins(&zone, after),
        // The new days also apply to a bot that stands in.
        stands_in: tx.secrets.away.get(&seat).is_some_and(|away| away.stands_in),
    };
    let now = services.now().timestamp();
    let replaced =
        tx.secrets.away.get(&seat).filter(|old| old.until > now && (old.from, old.until) != (noted.from, noted.until));
    let replaced = replaced.map(|old| (old.from, old.until));
    let granted = leave(tx, services, written, (noted.from, noted.until))?;
    tx.keep(Kept::Away(seat, Some(noted)))?;
    let day = |day: NaiveDate| day.format("%a %-d %b %Y").to_string();
    let granted = granted.map(|granted| granted.words(&zone));
    let then = match (&tx.secrets.away_bot, granted) {
        (Some(bot), granted) => {
            let granted = granted.map(|words| format!(" {words}")).unwrap_or_default();
            format!("The bot {bot} plays for you then, as this table has agreed.{granted}")
        }
        (None, Some(granted)) => granted,
        (None, None) => "While the game waits for you then, the others read it in their letters.".to_owned(),
    };
    // The last day of an earlier absence ends before its `until`.
    let on = |at: i64| day(local_day(&zone, DateTime::from_timestamp(at, 0).unwrap_or_default()));
    let replaced =
        replaced.map(|(from, until)| format!(" This replaces your absence from {} to {}.", on(from), on(until - 1)));
    let replaced = replaced.unwrap_or_default();
    Ok(format!(
        "You are away from {} to the end of {} ({zone}).{replaced} {then} What you order meanwhile counts all the same; `away off` says that \
         you are back.",
        day(from),
        day(until)
    ))
}

/// The leave that a seat gets for an absence.
struct Granted {
    /// Its beginning and end, in seconds since 1970; equal if no leave is left.
    from: i64,
    until: i64,
    /// `true` if the absence is longer than the leave.
    is_short: bool,
    /// The leave that remains for later, in seconds.
    left: i64,
}

impl Granted {
    fn words(&self, zone: &str) -> String {
        let until = DateTime::from_timestamp(self.until, 0).map(|at| moment(at, zone)).unwrap_or_default();
        match (self.is_short, self.left) {
            (true, _) if self.from == self.until => "You have no leave left: your clock runs meanwhile.".to_owned(),
            (true, _) => format!("Your leave ends on {until}; from then on your clock runs."),
            (false, 0) => "Your clock stands still then; no leave is left after that.".to_owned(),
            (false, left) => format!("Your clock stands still then; {} of leave are left after that.", roughly(left)),
        }
    }
}

/// Formats a duration in whole days, or in hours if it is shorter than two days.
fn roughly(seconds: i64) -> String {
    const HOUR: i64 = 3_600;
    span(if seconds >= 48 * HOUR { seconds - seconds % (24 * HOUR) } else { seconds })
}

/// Makes the line by which a seat takes leave for an absence, as far as it has any left. Returns
/// `None` in a game without leave, and for a player who is back and took none.
fn leave(
    tx: &mut Transaction,
    services: &Services,
    written: &Written<'_>,
    (from, until): (i64, i64),
) -> Result<Option<Granted>, OfficeError> {
    let now = services.now().timestamp();
    if tx.live.closed || tx.live.deadlines.terms().is_none_or(|terms| terms.leave == 0) {
        return Ok(None);
    }
    let name = tx.live.seat_name(written.seat).to_owned();
    let (left, from) = (tx.live.leaves.left(&name, now), from.max(now));
    let ahead = tx.live.leaves.of_seat(&name).iter().any(|(_, end)| *end > now);
    if from == until && !ahead {
        return Ok(None);
    }
    let end = until.min(from.saturating_add(left)).max(from);
    // The same mail did this before the program ended.
    if written.digest.is_none_or(|digest| !tx.facts.moved.contains(&digest)) {
        let time = |at| DateTime::from_timestamp(at, 0).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Secs, true);
        let (seat, via, words) = (name.clone().into(), motions::via(written.digest), written.digest);
        tx.line(services, &Body::Leave(Leave { seat, from: time(from).into(), until: time(end).into(), via, words }))?;
    }
    Ok(Some(Granted { from, until: end, is_short: end < until, left: tx.live.leaves.left(&name, i64::MAX) }))
}

fn back_again(tx: &mut Transaction, services: &Services, written: &Written<'_>) -> Result<String, OfficeError> {
    let seat = written.seat;
    let Some(away) = tx.secrets.away.get(&seat).copied() else {
        return Ok(match tx.stand_in(seat) {
            Some(bot) => format!(
                "You were not away: nothing was changed. The bot {bot} stands in for you; with `tell host: …` you can ask to play again."
            ),
            None => "You were not away: nothing was changed.".to_owned(),
        });
    };
    if away.stands_in && tx.stand_in(seat).is_some() {
        replaced(tx, services, seat, None, &SERVICE)?;
    }
    let now = services.now().timestamp();
    leave(tx, services, written, (now, now))?;
    tx.keep(Kept::Away(seat, None))?;
    Ok("You are back.".to_owned())
}

/// Has a bot play for a player, or stop doing so (`None`). Returns a report of one sentence.
pub(crate) fn replaced(
    tx: &mut Transaction,
    services: &Services,
    seat: Seat,
    bot: Option<&str>,
    by: &By<'_>,
) -> Result<String, OfficeError> {
    let (via, words) = by.said(tx);
    let entry = StandIn { seat: seat.to_string().into(), bot: bot.map(Into::into), by: by.name.into(), via, words };
    tx.line(services, &Body::StandIn(entry))?;
    Ok(match bot {
        Some(bot) => format!("The bot {bot} plays for {}.", tx.seats.called(seat)),
        None => format!("{} plays again.", tx.seats.called(seat)),
    })
}

/// If the table agreed on it, has bots play for absent players, and stop when these are back.
pub(crate) fn seat_all(tx: &mut Transaction, services: &Services) -> Result<(), OfficeError> {
    if tx.live.started.is_none() || tx.live.closed {
        return Ok(());
    }
    let now = services.now().timestamp();
    for (seat, away) in tx.secrets.away.clone() {
        let is_away = away.from <= now && now < away.until;
        match &tx.secrets.away_bot {
            Some(bot) if is_away && bots::played_by(tx, seat).is_none() => {
                let bot = bot.clone();
                tx.keep(Kept::Away(seat, Some(Away { stands_in: true, ..away })))?;
                replaced(tx, services, seat, Some(&bot), &SERVICE)?;
            }
            _ if !is_away && away.stands_in => {
                if tx.stand_in(seat).is_some() {
                    replaced(tx, services, seat, None, &SERVICE)?;
                }
                tx.keep(Kept::Away(seat, Some(Away { stands_in: false, ..away })))?;
            }
            _ => {}
        }
    }
    Ok(())
}
