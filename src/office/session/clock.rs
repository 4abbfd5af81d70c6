//! Deadlines at work: what is due is written into the journal, a ruling moves one, letters tell of them.

use super::local_time::{at_local, local_day};
use crate::{
    bug::Bug,
    error::OfficeError,
    misuse::Misuse,
    services::Services,
    session::{Game, Transaction},
};
use chrono::{DateTime, SecondsFormat};
use postrider_journal::{Body, Clock, ClockEvent, Via};
use postrider_orders::{Until, list_and};
use postrider_replay::{
    AtDeadline, Deadline, LiveFault,
    deadlines::{Effect, LONGEST, MovedDeadline, What, brief_moment, moment},
};
use postrider_store::check_zone;
use postrider_table::{Asked, PromptId, Seat, Understood};
use serde::{Deserialize as _, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// More deadlines than this do not pass in one go: a game that asks so often asks for ever.
const MOST: usize = 10_000;

/// What `Office::tick` found in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ticked {
    /// Reminders that were due.
    pub reminded: usize,
    /// Deadlines that had passed.
    pub expired: usize,
    /// Questions of those that were answered.
    pub played: usize,
}

impl Game {
    /// The questions that the game waits for, in a game whose deadlines can be changed.
    pub(crate) fn clocked(&mut self, game: &str) -> Result<Vec<Asked>, OfficeError> {
        let game = game.to_owned();
        match &self.live {
            live if live.deadlines.terms.is_none() => Err(Misuse::NoDeadlines { game }.into()),
            live if live.started.is_none() => Err(Misuse::NotBegun { game }.into()),
            live if live.closed => Err(Misuse::Over { game }.into()),
            _ => Ok(self.asked()?.into_iter().filter(|asked| asked.required).collect()),
        }
    }

    /// Checks an effect that moves a deadline and spells it as journals do; gives it with what it does in a sentence. `None` where
    /// the effect is the game's own.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when it makes no sense now.
    pub(crate) fn moving(
        &mut self,
        services: &Services,
        effect: &Value,
    ) -> Result<Option<(Value, String)>, OfficeError> {
        let Some(deadline) = effect.get("deadline") else { return Ok(None) };
        let wrong = |why: Misuse| Err(why.into());
        if effect.as_object().is_some_and(|members| members.len() > 1) {
            return wrong(Misuse::TwoRulings);
        }
        let MovedDeadline { seat, until } = match MovedDeadline::deserialize(deadline) {
            Ok(moved) => moved,
            Err(source) => return wrong(Misuse::DeadlineForm { source }),
        };
        // A day and an hour are those of the host's zone: it is he who says them.
        let (zone, now) = (&services.host.settings.time_zone, services.environment.now());
        let until = match Until::read(&until, local_day(zone, now)) {
            Some(Until::At(at)) => at,
            Some(Until::Local(at)) => at_local(zone, at),
            Some(Until::In(delta)) => now + delta,
            None => return wrong(Misuse::NoDeadline { text: until }),
        };
        let game = self.id.clone();
        let waiting = self.clocked(&game)?;
        if self.live.deadlines.paused() {
            return wrong(Misuse::Paused { game });
        }
        let named = self.live.opened.seats.iter().find(|name| name.eq_ignore_ascii_case(&seat));
        let Some(whose) = named.and_then(|name| self.live.seat(name)) else {
            return wrong(Misuse::NoSeat { seat, game });
        };
        if !waiting.iter().any(|asked| asked.seat == whose) {
            return wrong(Misuse::NotAwaited { game, seat: whose });
        }
        let ahead = until.timestamp() - services.environment.now().timestamp();
        match ahead {
            ..=0 => return wrong(Misuse::Past { at: until }),
            1..=LONGEST => {}
            _ => return wrong(Misuse::TooFar { at: until }),
        }
        let mine = waiting.iter().filter(|asked| asked.seat == whose);
        if { mine }.all(|asked| self.live.deadlines.deadline(asked.id) == Some(Deadline::Until(until))) {
            return wrong(Misuse::SameDeadline { seat: whose, at: until });
        }
        let seat = self.live.seat_name(whose).to_owned();
        let effect =
            Effect { deadline: MovedDeadline { seat, until: until.to_rfc3339_opts(SecondsFormat::Secs, true) } };
        let effect = serde_json::to_value(effect).map_err(|why| Bug::NotJson { what: "a moved deadline", why })?;
        let said = format!("The deadline of {} is {} now.", self.seats.called(whose), moment(until, "UTC"));
        Ok(Some((effect, said)))
    }

    /// How the deadline of a question reads for a player; "" if it has none.
    pub(crate) fn deadline(&self, services: &Services, seat: Seat, prompt: PromptId) -> String {
        match (self.deadline_of(services, seat, prompt), self.live.deadlines.terms) {
            (Some(deadline), Some(terms)) => deadline.words(terms, self.zone(services, seat)),
            _ => String::new(),
        }
    }

    /// The same in short, in a reader's zone: `by Thu 12 Nov, 14:00 UTC`.
    pub(crate) fn deadline_in_short(
        &self,
        services: &Services,
        seat: Seat,
        prompt: PromptId,
        zone: &str,
    ) -> Option<String> {
        match self.deadline_of(services, seat, prompt)? {
            Deadline::Until(until) => Some(format!("by {}", brief_moment(until, zone))),
            Deadline::Expired(_) => Some("overdue".to_owned()),
            Deadline::Paused(_) => None,
        }
    }

    /// Whom the game waits for, since when and until when, as a reader is told it; "" if for nobody.
    pub(crate) fn awaited(&self, services: &Services, reader: Option<Seat>, zone: &str, all: &[Asked]) -> String {
        let mut awaited: BTreeMap<Seat, PromptId> = BTreeMap::new();
        for asked in all.iter().filter(|asked| asked.required) {
            awaited.entry(asked.seat).or_insert(asked.id);
        }
        let one = |(&seat, &prompt): (&Seat, &PromptId)| {
            let since = self.live.deadlines.asked_since(prompt);
            let since = since.map(|at| format!("since {}", brief_moment(at, zone)));
            let by = self.deadline_in_short(services, seat, prompt, zone);
            let away = self.away_until(services, seat, zone).map(|until| format!("away until {until}"));
            let times: Vec<String> = away.into_iter().chain(since).chain(by).collect();
            let name = match Some(seat) == reader {
                true => "you".to_owned(),
                false => self.seats.called(seat),
            };
            if times.is_empty() { name } else { format!("{name} ({})", times.join("; ")) }
        };
        let names: Vec<String> = awaited.iter().map(one).collect();
        if names.is_empty() { String::new() } else { format!("The game waits for {}.", list_and(&names)) }
    }

    pub(crate) fn zone<'a>(&'a self, services: &'a Services, seat: Seat) -> &'a str {
        let named = self.secrets.zones.get(&seat).map(String::as_str);
        let own = named.or_else(|| self.seats.player(seat)?.zone.as_deref());
        own.filter(|zone| check_zone(zone).is_ok()).unwrap_or(&services.host.settings.time_zone)
    }

    /// What became of deadlines after line `after`, for a letter to a seat: a paragraph each.
    pub(crate) fn clock_notes(&self, services: &Services, seat: Seat, after: u64, open: &[Asked]) -> Vec<String> {
        let name = |seat: Seat| self.seats.player(seat).map_or_else(|| seat.to_string(), |player| player.name.clone());
        let (mut late, mut notes) = (BTreeMap::<(Seat, bool), u64>::new(), Vec::new());
        let mut clock = None;
        for event in self.live.deadlines.events.iter().filter(|event| event.n > after) {
            match &event.what {
                What::Clock(ClockEvent::Reminded) => {}
                What::Clock(ClockEvent::Expired) => {
                    let waits = open.iter().any(|asked| asked.id == event.prompt && asked.seat == event.seat);
                    late.insert((event.seat, waits), event.n);
                }
                What::Clock(other) => clock = Some(*other),
                What::Moved(until, why) => {
                    let until = DateTime::from_timestamp(*until, 0).map(|at| moment(at, self.zone(services, seat)));
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
            let then = match (waits, self.live.deadlines.terms.map(|terms| terms.at_deadline)) {
                (true, _) => "; the game waits on",
                (false, Some(AtDeadline::Play)) => "; the game went on as the rules have it for this case",
                (false, _) => "",
            };
            notes.push(format!("{} {has} not answered in time{then}.", list_and(&whom)));
        }
        match clock {
            Some(ClockEvent::Paused) => {
                let away = |asked: &&Asked| asked.required && self.away_until(services, asked.seat, "UTC").is_some();
                let whom: BTreeSet<Seat> = open.iter().filter(away).map(|asked| asked.seat).collect();
                let until = |whose: &Seat| {
                    let until = self.away_until(services, *whose, self.zone(services, seat)).unwrap_or_default();
                    format!(" {} is away until {until}.", name(*whose))
                };
                let why: String = whom.iter().map(until).collect();
                notes.push(format!("The game is paused: all deadlines stand still.{why}"));
            }
            Some(_) => notes.push("The game goes on: all deadlines run again.".to_owned()),
            None => {}
        }
        notes
    }
}

impl Transaction {
    pub(crate) fn clock_line(
        &mut self,
        services: &Services,
        asked: &Asked,
        event: ClockEvent,
    ) -> Result<(), OfficeError> {
        let seat = self.live.seat_name(asked.seat).to_owned().into();
        self.line(services, &Body::Clock(Clock { prompt: u64::from(asked.id), seat, event }))?;
        Ok(())
    }

    /// Writes what is due by the wall clock. The lines are not yet appended.
    pub(crate) fn tick(&mut self, services: &Services) -> Result<Ticked, OfficeError> {
        let mut ticked = Ticked::default();
        let Some(terms) = self.live.deadlines.terms else { return Ok(ticked) };
        let now = services.environment.now();
        for _ in 0..MOST {
            let asked = self.asked()?.into_iter().filter(|asked| asked.required);
            let due = { asked }.find_map(|asked| Some((self.due_for(services, asked.seat, asked.id, now)?, asked)));
            let Some((event, asked)) = due else { break };
            self.clock_line(services, &asked, event)?;
            if event == ClockEvent::Reminded {
                ticked.reminded += 1;
                continue;
            }
            ticked.expired += 1;
            if terms.at_deadline == AtDeadline::Play && self.answer_for(services, &asked)? {
                ticked.played += 1;
            }
        }
        Ok(ticked)
    }

    /// Answers a question as the rules have it for a deadline that has passed; says whether they have an answer.
    pub(crate) fn answer_for(&mut self, services: &Services, asked: &Asked) -> Result<bool, OfficeError> {
        let order = self.live.dyn_game.as_mut().and_then(|dyn_game| dyn_game.at_deadline(asked.id));
        let Some(order) = order else { return Ok(false) };
        let understood = Understood::answer(asked, order);
        match self.decide(services, asked.seat, &understood, Via::Deadline, None) {
            Ok(()) => Ok(true),
            Err(OfficeError::Live(LiveFault::Rejected(why))) => {
                let game = &self.id;
                tracing::error!(game, kind = asked.kind, %why, "the answer at a deadline was refused; the game waits");
                // Where the rules broke down, the game was rebuilt; the line that the deadline has passed is safe.
                Ok(false)
            }
            Err(other) => Err(other),
        }
    }
}
