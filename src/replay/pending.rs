//! A step of a journal while its derived lines are still being read.

use super::{
    chance_ledger::{ChanceLedger, Lack},
    deadlines::Heard,
    fault::ReplayFault,
    index::Rewind,
    live_game::LiveGame,
    marks::RoundMark,
    step::{Derived, Difference, EventLine, LiveFault, seat_name},
    step_log::{self, Again, LoggedStep, rounds_before},
};
use postrider_table::{ChanceFault, PromptId, Rejected, Seat, Watch};
use std::{cell::RefCell, rc::Rc};

/// A step, caused by a decision, a ruling or `started`, whose derived lines are still being read.
pub(super) struct Pending {
    /// The `n` of the line that caused it.
    pub(super) first: u64,
    /// The `n` of the rewind that restarts it from one of its Rounds; otherwise `first`.
    pub(super) n: u64,
    /// The time of that line in seconds since 1970, for the deadlines.
    pub(super) at: Option<i64>,
    pub(super) cause: Cause,
    /// The lines that followed from it; if a rewind restarts it, those after the rewind.
    pub(super) derived: Vec<(u64, Derived)>,
    /// The rewinds in force that restart it.
    pub(super) again: Vec<Again>,
    /// The number of its Rounds that a fork beginning within it inherits from its parent.
    pub(super) skipped: usize,
    /// The Rounds that began in it after `skipped` and before `derived`.
    pub(super) marks: Vec<RoundMark>,
    /// `true` if the deadlines know which question it answered.
    pub(super) heard: bool,
}

impl Pending {
    pub(super) fn new(n: u64, at: Option<i64>, cause: Cause) -> Pending {
        let (derived, again, marks) = (Vec::new(), Vec::new(), Vec::new());
        Pending { first: n, n, at, cause, derived, again, skipped: 0, marks, heard: false }
    }
    /// Restarts it from the Round to which a rewind, dated `at`, leads. Returns the number of
    /// Rounds before that one; `None` if there is none.
    pub(super) fn play_again(&mut self, rewind: Rewind, at: Option<i64>) -> Option<usize> {
        let rounds = self.rounds_before(rewind.to)?;
        self.marks = self.marks().into_iter().filter(|mark| mark.n <= rewind.to).collect();
        (self.n, self.at, self.heard) = (rewind.at, at, false);
        self.derived.clear();
        self.again.retain(|again| again.rounds < rounds);
        self.again.push(Again { rounds, at: rewind.at });
        Some(rounds)
    }
    pub(super) fn rounds_before(&self, n: u64) -> Option<usize> {
        rounds_before(self.first, self.skipped, &self.marks(), n)
    }
    /// Returns the `n` of its last line so far.
    pub(super) fn last(&self) -> u64 {
        self.derived.last().map_or(self.n, |&(n, _)| n)
    }
    /// Returns the fault that a record is missing; at the `end` of a journal it may still come.
    pub(super) fn missing(&self, what: String, end: bool) -> ReplayFault {
        match end {
            true => ReplayFault::Incomplete { from: self.n, missing: what },
            false => differs(self.last() + 1, self.first, Difference::Missing(what)),
        }
    }
    /// Returns the number of the question that it answers, unless it is played again.
    pub(super) fn answers(&self) -> Option<u64> {
        self.cause.answers().filter(|_| self.again.is_empty())
    }
    /// Returns the Rounds that began in it so far.
    pub(super) fn marks(&self) -> Vec<RoundMark> {
        let new = self.derived.iter().filter_map(|(n, derived)| derived.mark(*n));
        self.marks.iter().cloned().chain(new).collect()
    }
}

pub(super) enum Cause {
    Started,
    Decision { seat: String, prompt: u64, ask: String, order: String },
    Ruling { told: String, effect: String },
}

impl Cause {
    /// Returns the number of the question that it answers.
    pub(super) fn answers(&self) -> Option<u64> {
        match self {
            Cause::Started | Cause::Ruling { .. } => None,
            Cause::Decision { prompt, .. } => Some(*prompt),
        }
    }
    /// Returns the kind of the question that it answers; "" if it answers none.
    pub(super) fn kind(&self) -> &str {
        match self {
            Cause::Decision { ask, .. } => ask,
            _ => "",
        }
    }
    /// Returns the cause of a logged step.
    pub(super) fn of(step: &LoggedStep, seats: &[String]) -> Cause {
        match &step.cause {
            step_log::Cause::Started => Cause::Started,
            step_log::Cause::Decision { seat, prompt, order } => Cause::Decision {
                seat: seat_name(seats, Some(*seat)).to_owned(),
                prompt: (*prompt).into(),
                ask: step.kind.to_string(),
                order: order.to_string(),
            },
            step_log::Cause::Ruling { effect, told } => {
                Cause::Ruling { told: told.to_string(), effect: effect.to_string() }
            }
        }
    }
    /// Returns the cause as the step log records it.
    pub(super) fn logged(&self, seats: &[String]) -> Option<step_log::Cause> {
        Some(match self {
            Cause::Started => step_log::Cause::Started,
            Cause::Decision { seat, prompt, order, .. } => {
                let (seat, prompt) = (Seat::among(seats, seat)?, PromptId::try_from(*prompt).ok()?);
                step_log::Cause::Decision { seat, prompt, order: order.as_str().into() }
            }
            Cause::Ruling { told, effect } => {
                step_log::Cause::Ruling { effect: effect.as_str().into(), told: told.as_str().into() }
            }
        })
    }
}

/// Tells the deadlines of the draws and Rounds of a step.
pub(super) fn hear_derived(live: &mut LiveGame, pending: &Pending) {
    if live.deadlines.terms.is_none() {
        return;
    }
    for (n, derived) in &pending.derived {
        let heard = [(derived.draws(), Heard::Drawn), (derived.is_round(), Heard::Round)];
        heard.into_iter().filter(|(is, _)| *is).for_each(|(_, heard)| live.deadlines.hear(*n, heard));
    }
}

pub(super) fn differs(n: u64, cause: u64, what: Difference) -> ReplayFault {
    ReplayFault::Differs { n, cause, what: Box::new(what) }
}

/// Returns the `n` of the first derived line that matches, or else of the decision.
pub(super) fn first(pending: &Pending, sort: impl Fn(&Derived) -> bool) -> u64 {
    pending.derived.iter().find(|(_, derived)| sort(derived)).map_or(pending.n, |&(n, _)| n)
}

/// The reason why a step could not be replayed.
pub(super) enum Stop {
    Fault(ReplayFault),
    /// A record is missing; this is a fault unless the journal ends here.
    Missing(String),
}

/// Lets the rules take the step.
pub(super) fn act(
    live: &mut LiveGame,
    ledger: &Rc<RefCell<ChanceLedger>>,
    pending: &Pending,
    watch: Watch,
) -> Result<(), Stop> {
    let n = pending.n;
    let stop = |what| Stop::Fault(differs(n, n, what));
    let result = match &pending.cause {
        Cause::Started => match live.begin(n, watch) {
            Err(LiveFault::Rejected(why)) => Err(why),
            Err(why) => return Err(stop(why.into())),
            Ok(()) => Ok(()),
        },
        Cause::Decision { seat, prompt, ask, order } => {
            let early = Difference::OutOfTime("a decision before the game began");
            let Some(dyn_game) = &mut live.dyn_game else { return Err(stop(early)) };
            let seat = Seat::among(&live.opened.seats, seat);
            let (Some(seat), Ok(prompt)) = (seat, PromptId::try_from(*prompt)) else {
                return Err(stop(Difference::Refused("there is no such question".into())));
            };
            dyn_game.set_watch(watch);
            let before = dyn_game.decisions();
            let result = dyn_game.submit(seat, prompt, order);
            if watch.events {
                // Looking up the questions copies the state, so it is only done if none was
                // answered.
                let asked = match dyn_game.decisions() == before {
                    false => Some(dyn_game.answered()),
                    true => {
                        (dyn_game.asked().ok()).and_then(|all| Some(all.iter().find(|open| open.id == prompt)?.kind))
                    }
                };
                if let Some(asked) = asked.filter(|asked| asked != ask) {
                    return Err(stop(Difference::Ask { asked: asked.to_owned(), recorded: ask.clone() }));
                }
            }
            result
        }
        Cause::Ruling { told, effect } => match &mut live.dyn_game {
            Some(dyn_game) => {
                dyn_game.set_watch(watch);
                dyn_game.rule(effect, told)
            }
            None if effect == "{}" => Ok(()),
            None => return Err(stop(Difference::OutOfTime("a ruling with an effect before the game began"))),
        },
    };
    let why = match result {
        Ok(()) => return Ok(()),
        Err(Rejected::Chance(why)) => why,
        Err(Rejected::Over) => return Err(stop(Difference::OutOfTime("a decision or a ruling after the game's end"))),
        Err(why) if matches!(pending.cause, Cause::Ruling { .. }) => {
            return Err(stop(Difference::Ruling(why.to_string())));
        }
        Err(why) => return Err(stop(Difference::Refused(why.to_string()))),
    };
    let rolled = pending.derived.iter().any(|(_, derived)| matches!(derived, Derived::Rolled));
    let lack = ledger.borrow().lack();
    Err(match (lack, why) {
        (Some(Lack::Order), ChanceFault::Hidden { deck, epoch }) => {
            Stop::Fault(ReplayFault::Hidden { n, deck, epoch: u64::from(epoch) })
        }
        (Some(Lack::Shuffle), why) => Stop::Missing(why.to_string()),
        // All dice of a step are in one entry: if there is one, the step is not incomplete but
        // wrong.
        (Some(Lack::Die), why) if !rolled => Stop::Missing(why.to_string()),
        (_, why) => {
            let other = matches!(why, ChanceFault::OtherList { .. });
            let at = first(pending, |d| {
                matches!(d, Derived::Event(EventLine::Shuffled { .. })) == other && !matches!(d, Derived::Closed { .. })
            });
            Stop::Fault(differs(at, n, Difference::Chance(why.to_string())))
        }
    })
}
