//! Deadlines: their state, their wording, and changes by rulings.

use crate::{
    bug::Bug,
    dates::Until,
    error::OfficeError,
    game::{
        Game, absence, hours,
        local_time::{at_local, local_day},
    },
    misuse::Misuse,
    services::Services,
};
use chrono::{DateTime, SecondsFormat};
use postrider_journal::{CarriedMotion, ClockEvent, unix};
use postrider_orders::list_and;
use postrider_replay::{
    AtFlag, Deadline,
    deadlines::{Effect, LONGEST, MovedDeadline, What, brief_moment, moment, span},
};
use postrider_table::{Asked, PromptId, Seat};
use serde::Deserialize as _;
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns the questions that the game waits for, if its deadlines can be changed.
pub(crate) fn clocked(game: &Game) -> Result<Vec<Asked>, OfficeError> {
    let id = game.id.clone();
    match &game.live {
        live if live.deadlines.terms().is_none() => Err(Misuse::NoDeadlines { game: id }.into()),
        live if live.started.is_none() => Err(Misuse::NotBegun { game: id }.into()),
        live if live.closed => Err(Misuse::Over { game: id }.into()),
        _ => Ok(game.asked()?.into_iter().filter(|asked| asked.required).collect()),
    }
}

/// Returns the end of the pause that all players agreed on, in seconds since 1970, while it lasts.
pub(crate) fn paused_until(game: &Game) -> Option<i64> {
    let pause = |(_, carried): (u64, &CarriedMotion)| match &carried.what {
        postrider_journal::What::Pause { until } => Some((carried.at, unix(until)?)),
        _ => None,
    };
    let (at, until) = game.live.motions.all_carried().filter_map(pause).max()?;
    // The motion paused the clocks, and they have not been resumed since.
    let has = |what| game.live.deadlines.events.iter().any(|event| event.n > at && event.what == What::Clock(what));
    let lasts = has(ClockEvent::Paused) && !has(ClockEvent::Resumed);
    (game.live.deadlines.paused() && lasts).then_some(until)
}

/// Checks an effect that moves a deadline. Returns it as written in journals, with a sentence that
/// describes it, or `None` if the effect is the game's own.
///
/// # Errors
/// [`OfficeError::Use`] if the effect is impossible now.
pub(crate) fn moving(game: &Game, services: &Services, effect: &Value) -> Result<Option<(Value, String)>, OfficeError> {
    let Some(deadline) = effect.get("deadline") else { return Ok(None) };
    let wrong = |why: Misuse| Err(why.into());
    if effect.as_object().is_some_and(|members| members.len() > 1) {
        return wrong(Misuse::TwoRulings);
    }
    let MovedDeadline { seat, until } = match MovedDeadline::deserialize(deadline) {
        Ok(moved) => moved,
        Err(source) => return wrong(Misuse::DeadlineForm { source }),
    };
    // A day or hour given by the host is in the host's time zone.
    let (zone, now) = (&services.host.settings.time_zone, services.now());
    let until = match Until::read(&until, local_day(zone, now)) {
        Some(Until::At(at)) => at,
        Some(Until::Local(at)) => at_local(zone, at),
        Some(Until::In(delta)) => now + delta,
        None => return wrong(Misuse::NoDeadline { text: until }),
    };
    let id = game.id.clone();
    let waiting = clocked(game)?;
    if game.live.deadlines.paused() {
        return wrong(Misuse::Paused { game: id });
    }
    let named = game.live.opened.seats.iter().find(|name| name.eq_ignore_ascii_case(&seat));
    let Some(whose) = named.and_then(|name| game.live.seat(name)) else {
        return wrong(Misuse::NoSeat { seat, game: id });
    };
    if !waiting.iter().any(|asked| asked.seat == whose) {
        return wrong(Misuse::NotAwaited { game: id, seat: whose });
    }
    if game.live.deadlines.held(whose) {
        return wrong(Misuse::Held { seat: whose });
    }
    let ahead = until.timestamp() - services.now().timestamp();
    match ahead {
        ..=0 => return wrong(Misuse::Past { at: until }),
        1..=LONGEST => {}
        _ => return wrong(Misuse::TooFar { at: until }),
    }
    let mine = waiting.iter().filter(|asked| asked.seat == whose);
    if { mine }.all(|asked| game.live.deadlines.deadline(asked.id) == Some(Deadline::Until(until))) {
        return wrong(Misuse::SameDeadline { seat: whose, at: until });
    }
    let seat = game.live.seat_name(whose).to_owned();
    let effect = Effect { deadline: MovedDeadline { seat, until: until.to_rfc3339_opts(SecondsFormat::Secs, true) } };
    let effect = serde_json::to_value(effect).map_err(|why| Bug::NotJson { what: "a moved deadline", why })?;
    let said = format!("The deadline of {} is {} now.", game.seats.called(whose), moment(until, "UTC"));
    Ok(Some((effect, said)))
}

/// Returns the deadline of a question in the words of a letter; "" if it has none.
pub(crate) fn deadline(game: &Game, services: &Services, seat: Seat, prompt: PromptId) -> String {
    match (hours::deadline_of(game, services, seat, prompt), game.live.deadlines.terms()) {
        (Some(deadline), Some(terms)) => deadline.words(terms, game.zone(services, seat)),
        _ => String::new(),
    }
}

/// Returns the deadline of a question in short, in a reader's time zone: `by Thu 12 Nov, 14:00
/// UTC`.
fn deadline_in_short(game: &Game, services: &Services, seat: Seat, prompt: PromptId, zone: &str) -> Option<String> {
    match hours::deadline_of(game, services, seat, prompt)? {
        Deadline::Until(until) => Some(format!("by {}", brief_moment(until, zone))),
        Deadline::Expired(_) => Some("overdue".to_owned()),
        Deadline::Paused(_) => None,
    }
}

/// Lists the players for whom the game waits, since when and until when; "" if there are none.
pub(crate) fn awaited(game: &Game, services: &Services, reader: Option<Seat>, zone: &str, all: &[Asked]) -> String {
    let mut awaited: BTreeMap<Seat, PromptId> = BTreeMap::new();
    for asked in all.iter().filter(|asked| asked.required) {
        awaited.entry(asked.seat).or_insert(asked.id);
    }
    let one = |(&seat, &prompt): (&Seat, &PromptId)| {
        let since = game.live.deadlines.asked_since(prompt);
        let since = since.map(|at| format!("since {}", brief_moment(at, zone)));
        let by = deadline_in_short(game, services, seat, prompt, zone);
        let away = absence::until(game, services, seat, zone).map(|until| format!("away until {until}"));
        let times: Vec<String> = away.into_iter().chain(since).chain(by).collect();
        let name = match Some(seat) == reader {
            true => "you".to_owned(),
            false => game.seats.called(seat),
        };
        if times.is_empty() { name } else { format!("{name} ({})", times.join("; ")) }
    };
    let names: Vec<String> = awaited.iter().map(one).collect();
    if names.is_empty() { String::new() } else { format!("The game waits for {}.", list_and(&names)) }
}

/// Returns the events of deadlines after line `after`, for a letter to a seat, one paragraph each.
pub(crate) fn clock_notes(game: &Game, services: &Services, seat: Seat, after: u64, open: &[Asked]) -> Vec<String> {
    let name = |seat: Seat| game.seats.player(seat).map_or_else(|| seat.to_string(), |player| player.name.clone());
    let (mut late, mut notes) = (BTreeMap::<(Seat, bool), u64>::new(), Vec::new());
    let mut clock = None;
    for event in game.live.deadlines.events.iter().filter(|event| event.n > after) {
        match &event.what {
            What::Clock(ClockEvent::Reminded) => {}
            What::Clock(ClockEvent::Expired) => {
                let waits = open.iter().any(|asked| asked.id == event.prompt && asked.seat == event.seat);
                late.insert((event.seat, waits), event.n);
            }
            What::Clock(ClockEvent::Held | ClockEvent::Sent) => {}
            What::Clock(other) => clock = Some(*other),
            What::Low(left) if event.seat == seat => {
                let left = span(*left - *left % 3_600);
                notes.push(format!("Your clock is low: {left} are left for all your answers."));
            }
            What::Low(_) | What::Late(_) => {}
            What::Moved(until, why) => {
                let until = DateTime::from_timestamp(*until, 0).map(|at| moment(at, game.zone(services, seat)));
                let note = format!("{}'s deadline is {} now: {why}", name(event.seat), until.unwrap_or_default());
                if notes.last() != Some(&note) {
                    notes.push(note);
                }
            }
        }
    }
    for waits in [true, false] {
        let whom: Vec<String> =
            late.iter().filter(|((_, w), _)| *w == waits).map(|((seat, _), _)| name(*seat)).collect();
        if whom.is_empty() {
            continue;
        }
        let has = if whom.len() == 1 { "has" } else { "have" };
        let then = match (waits, game.live.deadlines.terms().map(|terms| terms.at_flag)) {
            (true, Some(AtFlag::Forfeit(grace))) => {
                format!("; without an answer within {} from then on the game is lost", span(grace))
            }
            (true, _) => "; the game waits on".to_owned(),
            (false, Some(AtFlag::Play)) => "; the game continued as the rules prescribe".to_owned(),
            (false, _) => String::new(),
        };
        notes.push(format!("{} {has} not answered in time{then}.", list_and(&whom)));
    }
    match clock {
        Some(ClockEvent::Paused) => notes.push("The game is paused: all clocks are stopped.".to_owned()),
        Some(_) => notes.push("The game is resumed: all clocks run again.".to_owned()),
        None => {}
    }
    notes
}

/// Returns `true` if all clocks were stopped until the director's or agreed rewind of entry `n`,
/// which ends every pause.
pub(crate) fn cut_short(game: &Game, n: u64) -> bool {
    let stops = |what: &What| matches!(what, What::Clock(ClockEvent::Paused | ClockEvent::Resumed));
    let last = game.live.deadlines.events.iter().rfind(|event| event.n < n && stops(&event.what));
    last.is_some_and(|last| {
        let between = |other: u64| last.n < other && other < n;
        let before = game.facts.rewinds.iter().any(|other| other.taken_back().is_none() && between(other.n));
        last.what == What::Clock(ClockEvent::Paused) && !before
    })
}

/// Returns the time when the next waiting mail is due, in seconds since 1970.
pub(crate) fn waits_until(game: &Game) -> Option<i64> {
    game.secrets.waiting.iter().map(|(_, one)| one.until).min()
}
