//! The effect of journal lines on the deadlines of a game.

use super::{
    Zone,
    deadlines::{AtFlag, Deadline, Event, Heard, Step, What as Change, exact, moment, moved, moved_deadline},
    live_game::LiveGame,
};
use postrider_journal::{Body, Clock, ClockEvent, Decision, Via, What, unix};
use postrider_table::{DynGame, PromptId, Seat};

impl LiveGame {
    /// Passes a line that is not a step of the rules to the deadlines, with its time.
    pub fn hear_time(&mut self, n: u64, at: &str, body: &Body<'_>) {
        if let Body::Leave(leave) = body
            && let (Ok(()), Some(seat)) = (self.leaves.hear(at, leave), self.seat(&leave.seat))
        {
            self.deadlines.hear(n, Heard::Leave(seat, self.leaves.of_seat(&leave.seat).to_vec()));
        }
        if let Body::Zone(moved) = body
            && let (Some(at), Some(seat), Some(zone)) = (unix(at), self.seat(&moved.seat), Zone::named(&moved.zone))
        {
            self.deadlines.hear(n, Heard::Zone { at, seat, zone });
        }
        // Games without deadlines also record the time since which a question is open.
        let timed = self.deadlines.terms.is_some();
        let draws = matches!(body, Body::Rolled(_) | Body::Shuffled(_) | Body::Dealt(_));
        let matters = (draws || matches!(body, Body::Clock(_) | Body::Ruling(_) | Body::Round(_))) && timed
            || matches!(body, Body::Rewound(_));
        let Some(at) = matters.then(|| unix(at)).flatten() else { return };
        match body {
            Body::Round(_) => self.deadlines.hear(n, Heard::Round),
            _ if draws => self.deadlines.hear(n, Heard::Drawn),
            Body::Clock(clock) => {
                let Some(seat) = self.seat(&clock.seat) else { return };
                let Ok(prompt) = PromptId::try_from(clock.prompt) else { return };
                let event = Event::new(n, prompt, seat, Change::Clock(clock.event));
                self.deadlines.hear(n, Heard::Event { at, event });
            }
            // A player who takes back an order gains no time by it.
            Body::Rewound(rewound) if self.seat(&rewound.by).is_none() => {
                self.deadlines.hear(n, Heard::Rewound { at });
            }
            Body::Ruling(ruling) => {
                let Some((seat, until)) = moved(ruling.effect.get()) else { return };
                let Some(seat) = self.seat(&seat) else { return };
                let asked = self.dyn_game.as_ref().and_then(|dyn_game| dyn_game.asked().ok()).unwrap_or_default();
                for one in asked.into_iter().filter(|one| one.required && one.seat == seat) {
                    let what = Change::Moved(until, ruling.text.to_string());
                    let event = Event::new(n, one.id, seat, what);
                    self.deadlines.hear(n, Heard::Event { at, event });
                }
            }
            _ => {}
        }
    }

    /// Returns the contradiction between a line about a deadline and the lines before it, if there
    /// is one: a deadline that expires or is reminded of before it is due, an answer at a deadline
    /// that is not the game's own, a deadline that a ruling moves into the past, or a time zone that
    /// does not exist.
    pub(crate) fn wrong_time(&self, at: &str, body: &Body<'_>) -> Option<String> {
        let at = unix(at)?;
        if let Some(n) = self.ignored(at, body) {
            return Some(format!("the motion of entry {n} was carried just before, and this is not its effect"));
        }
        match body {
            Body::Clock(clock) => self.deadlines.wrong(at, PromptId::try_from(clock.prompt).ok()?, clock.event),
            Body::Decision(decision) if decision.via == Via::Deadline => self.wrong_at_deadline(decision),
            Body::Ruling(ruling) => {
                self.deadlines.terms()?;
                let (seat, until) = moved_deadline(ruling.effect.get())?;
                if let Some(of) = ruling.of
                    && let What::Extend { seconds } = self.motions.carried(of)?.what
                {
                    let right = self.deadlines.extended(self.seat(&seat)?, at, seconds);
                    let told = right.map_or_else(|| "nothing".to_owned(), exact);
                    let why = format!(
                        "the motion of entry {of} moves the deadline of seat {seat} to {told}, not to {}",
                        exact(until)
                    );
                    return (right != Some(until)).then_some(why);
                }
                let is_past = until.timestamp() < at;
                is_past
                    .then(|| format!("the deadline of seat {seat} is moved into the past: to {}", moment(until, "UTC")))
            }
            Body::Zone(moved) if Zone::named(&moved.zone).is_none() => {
                Some(format!("{:?} is not a time zone", moved.zone))
            }
            Body::Zone(_) if !self.deadlines.terms().is_some_and(|terms| terms.weekends_off) => {
                Some("no clock of this game stops at weekends, so it has no time zones".to_owned())
            }
            Body::Motion(motion) if motion.what == (What::Forfeit {}) => {
                let lost = self.seat(&motion.by).is_some_and(|seat| self.deadlines.forfeits(seat, at));
                let why = format!("the time in which seat {} could still answer has not passed", motion.by);
                (!lost).then_some(why)
            }
            _ => None,
        }
    }

    /// Returns the `n` of the agreement on a pause or on more time that the previous line carried,
    /// if this line does not put it into effect. It has no effect if no clock runs.
    fn ignored(&self, at: i64, body: &Body<'_>) -> Option<u64> {
        let (n, carried) = self.motions.all_carried().find(|(_, carried)| carried.at == self.head.n)?;
        let awaited = required(&**self.dyn_game.as_ref()?);
        let ignored = match carried.what {
            What::Pause { .. } => {
                let is_paused = matches!(body, Body::Clock(clock) if clock.event == ClockEvent::Paused);
                !is_paused && !self.deadlines.paused() && !awaited.is_empty()
            }
            What::Extend { seconds } => {
                let extends =
                    |(_, seat, _): &(PromptId, Seat, _)| self.deadlines.extended(*seat, at, seconds).is_some();
                !matches!(body, Body::Ruling(ruling) if ruling.of == Some(n)) && awaited.iter().any(extends)
            }
            _ => return None,
        };
        (ignored && self.deadlines.terms().is_some()).then_some(n)
    }

    /// Returns why a decision cannot be the answer that the game itself gives at a deadline.
    fn wrong_at_deadline(&self, decision: &Decision<'_>) -> Option<String> {
        let prompt = PromptId::try_from(decision.prompt).ok()?;
        let said = format!("question {prompt} is answered at its deadline");
        if !matches!(self.deadlines.deadline(prompt), Some(Deadline::Expired(_))) {
            return Some(format!("{said}, which no entry before says has passed"));
        }
        if self.deadlines.terms()?.at_flag != AtFlag::Play {
            return Some(format!("{said}, but in this game nothing is answered for a player"));
        }
        let given = serde_json::from_str(decision.order.get()).ok();
        let right = self.dyn_game.as_ref()?.at_deadline(prompt).map(|order| order.value());
        (right != given).then(|| {
            let right = right.map_or_else(|| "nothing".to_owned(), |right| right.to_string());
            format!("{said} by {}, and the rules provide {right}", decision.order.get())
        })
    }

    /// Passes a step of the rules to the deadlines, with its time. Line `n` is `first`, which
    /// caused it, or the rewind that restarted it from one of its Rounds.
    pub fn hear_step(&mut self, n: u64, first: u64, at: Option<i64>, answered: Option<u64>) {
        let (Some(at), Some(dyn_game)) = (at, &self.dyn_game) else { return };
        let answered = answered.and_then(|prompt| PromptId::try_from(prompt).ok());
        let put = dyn_game.next_prompt();
        let awaited = match self.deadlines.terms {
            Some(_) => required(&**dyn_game),
            None => Vec::new(),
        };
        self.deadlines.hear(n, Heard::Step(Step { first, at, answered, put, awaited }));
    }

    /// Returns `true` if a `clock` line names an open question.
    pub fn is_open(&self, clock: &Clock<'_>) -> bool {
        let seat = self.seat(&clock.seat);
        let asked = self.dyn_game.as_ref().and_then(|dyn_game| dyn_game.asked().ok()).unwrap_or_default();
        asked.iter().any(|one| u64::from(one.id) == clock.prompt && Some(one.seat) == seat)
    }
}

/// Returns the required questions that are open.
pub fn required(dyn_game: &dyn DynGame) -> Vec<(PromptId, Seat, &'static str)> {
    let asked = dyn_game.asked().unwrap_or_default();
    asked.into_iter().filter(|asked| asked.required).map(|asked| (asked.id, asked.seat, asked.kind)).collect()
}
