//! The log of inputs to the rules of a running game, from which an earlier position can be
//! recomputed without its journal.
//!
//! Lines are checked and compared when they are read. The log keeps only what the rules need to
//! repeat the same steps, not what is needed to compare them. It grows with the game.

use super::{
    catalog::Opened,
    chance_ledger::{ChanceLedger, Given, LedgerChance},
    fault::ReplayFault,
    index::{Rewind, Undone},
    marks::RoundMark,
    step::LiveFault,
};
use postrider_table::{DynGame, PromptId, Recorded, Rejected, Seat, Watch};
use std::{cell::RefCell, rc::Rc};

/// The input that made the rules take a step.
#[derive(Clone, Debug)]
pub enum Cause {
    Started,
    Decision { seat: Seat, prompt: PromptId, order: Box<str> },
    Ruling { effect: Box<str>, told: Box<str> },
}

/// The moment at which the rules are shown to a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before a step.
    Before,
    /// After a step.
    After,
}

/// A logged step.
#[derive(Clone, Debug)]
pub struct LoggedStep {
    /// The `n` of the line that caused it, or of the rewind that restarts it from one of its
    /// Rounds.
    pub n: u64,
    /// The `n` of the line that caused it.
    pub first: u64,
    /// The rewinds in force that restart it from one of its Rounds.
    pub again: Vec<Again>,
    /// The `n` of the last line that followed from it.
    pub last: u64,
    pub cause: Cause,
    /// The kind of the question that was answered; "" if none was.
    pub kind: Box<str>,
    /// The number of the first question that this step could ask.
    pub asks_from: PromptId,
    /// The dice and shuffles that it used.
    pub chance: Recorded,
    /// The Rounds that began in this step, without those that a fork inherits from its parent.
    pub marks: Vec<RoundMark>,
    /// For each Round that began in this step, the number of its dice and shuffles that were used
    /// before.
    pub given_before: Vec<Given>,
}

/// A rewind that restarts a step from one of its Rounds.
#[derive(Clone, Copy, Debug)]
pub struct Again {
    /// The number of Rounds that begin in the step before that one.
    pub rounds: usize,
    /// The `n` of the `rewound` line.
    pub at: u64,
}

impl LoggedStep {
    /// Returns the number of Rounds of this step that a fork beginning within it inherits from its
    /// parent.
    pub(crate) fn skipped(&self) -> usize {
        self.given_before.len().saturating_sub(self.marks.len())
    }
    /// Returns the number of this game's dice in this step before the Round that line `n` marks.
    pub fn dice_before(&self, n: u64) -> Option<usize> {
        let dice = |rounds: usize| self.given_before.get(rounds).map(|given| given.dice);
        let of_parent = self.skipped().checked_sub(1).and_then(dice).unwrap_or(0);
        Some(dice(self.rounds_before(n)?)? - of_parent)
    }
    /// Returns the `n` of the line that led to the story told after this number of Rounds of the
    /// step.
    pub(crate) fn told_in(&self, rounds: usize) -> u64 {
        self.again.iter().rfind(|again| rounds > again.rounds).map_or(self.first, |again| again.at)
    }
    /// Returns the number of Rounds that begin in this step before the one marked by line `n`;
    /// `None` if that line marks no Round of it.
    pub fn rounds_before(&self, n: u64) -> Option<usize> {
        rounds_before(self.first, self.skipped(), &self.marks, n)
    }
}

/// Returns the number of Rounds that begin in a step before the one marked by line `n`. If a fork
/// begins within the step, its first line `first` marks the last of the `skipped` Rounds.
pub(crate) fn rounds_before(first: u64, skipped: usize, marks: &[RoundMark], n: u64) -> Option<usize> {
    match marks.iter().position(|mark| mark.n == n) {
        Some(at) => Some(skipped + at),
        None => skipped.checked_sub(1).filter(|_| n == first),
    }
}

/// A step that is to be played again from one of its Rounds on.
#[derive(Clone, Debug)]
pub struct Half {
    /// The `n` of the line that caused it.
    pub first: u64,
    /// The input that caused it; in a fork of a fork, that of the first parent's step.
    pub cause: Cause,
    /// The number of Rounds that begin in it before that one.
    pub rounds: usize,
}

/// The steps of a game, in the order of their lines. Undone steps may be missing.
#[derive(Clone, Debug, Default)]
pub struct StepLog {
    /// For a fork, the log of its parent, and the step within which it begins, if it does.
    before: Option<Box<(StepLog, Option<Half>)>>,
    steps: Vec<LoggedStep>,
    /// All rewinds of the journal so far.
    rewinds: Vec<Rewind>,
}

impl StepLog {
    /// Creates a log for a journal with these rewinds, which are known before its steps are.
    pub fn new(rewinds: Vec<Rewind>) -> StepLog {
        StepLog { before: None, steps: Vec::new(), rewinds }
    }
    /// Makes this the log of a fork of a game with the log `parent`, which begins within the step
    /// `half` or after a step.
    pub(crate) fn go_on_from(&mut self, parent: StepLog, half: Option<Half>) {
        self.before = Some(Box::new((parent, half)));
    }
    /// Returns the step within which this fork begins; `None` for another game, `Some(None)` if it
    /// begins after a step.
    pub(crate) fn fork(&self) -> Option<Option<&Half>> {
        self.before.as_deref().map(|(_, half)| half.as_ref())
    }
    /// Returns the rules as they were when play began: none, or those of a fork's parent.
    pub(crate) fn first(
        &self,
        opened: &Opened,
        ledger: &Rc<RefCell<ChanceLedger>>,
    ) -> Result<Option<Box<dyn DynGame>>, ReplayFault> {
        self.before.as_deref().map_or(Ok(None), |(parent, _)| parent.play(&|_| true, opened, ledger))
    }
    pub fn push(&mut self, step: LoggedStep) {
        self.steps.push(step);
    }
    /// Returns the `n` of the last line of the step to which line `n` belongs, in a journal whose
    /// last line is `head`. Returns `None` if that step is undone and may be missing.
    pub(crate) fn end_of_step(&self, n: u64, head: u64) -> Option<u64> {
        if Undone::of(&self.rewinds, head).holds(n) {
            return None;
        }
        let last = self.steps.iter().rfind(|step| step.first <= n).map_or(0, |step| step.last);
        Some(n.max(last))
    }
    /// Returns the step that line `n` caused, unless it is undone.
    pub fn step(&self, n: u64) -> Option<&LoggedStep> {
        self.steps.iter().rfind(|step| step.first <= n).filter(|step| step.first == n)
    }
    /// Returns the last Round that had begun by line `n`.
    pub fn mark(&self, n: u64) -> Option<RoundMark> {
        let mut marks = self.steps.iter().rev().flat_map(|step| step.marks.iter().rev());
        let mark = marks.find(|mark| mark.n <= n).cloned();
        mark.or_else(|| self.before.as_ref()?.0.mark(u64::MAX))
    }
    /// Removes the steps after line `to`, which line `at` has undone, and the step within which it
    /// is, if that is to be played again.
    pub fn rewound(&mut self, rewind: Rewind) {
        self.steps.retain(|step| step.n <= rewind.to && Some(step.first) != rewind.within);
        self.rewinds.push(rewind);
    }
    /// Returns the step in which the Round marked by line `n` begins, if it goes on after that:
    /// with other lines, with dice or with shuffles.
    pub fn goes_on(&self, n: u64) -> Option<&LoggedStep> {
        let step = self.with_round(n)?;
        let before = step.given_before.get(step.rounds_before(n)?)?;
        (step.last > n || *before != Given::of(&step.chance)).then_some(step)
    }
    /// Returns the last step in which line `n` marks a Round.
    pub fn with_round(&self, n: u64) -> Option<&LoggedStep> {
        self.steps.iter().rfind(|step| step.rounds_before(n).is_some())
    }
    /// Returns the rules after the steps that `wanted` selects; `None` if play had not begun.
    /// Discards the events and story of these steps. Dice and shuffles come from `ledger`, which
    /// must not be live meanwhile.
    pub fn play(
        &self,
        wanted: &dyn Fn(u64) -> bool,
        opened: &Opened,
        ledger: &Rc<RefCell<ChanceLedger>>,
    ) -> Result<Option<Box<dyn DynGame>>, ReplayFault> {
        self.play_with(wanted, opened, ledger, None, &mut |_, _, _| {})
    }
    /// Replays all steps as [`StepLog::play`] does, and calls `see` with the rules before and after
    /// each; there is no call before the first.
    pub fn each(
        &self,
        opened: &Opened,
        ledger: &Rc<RefCell<ChanceLedger>>,
        see: &mut dyn FnMut(When, &LoggedStep, &dyn DynGame),
    ) -> Result<(), ReplayFault> {
        self.play_with(&|_| true, opened, ledger, None, see).map(|_| ())
    }
    /// Returns the view of a seat, or of a spectator, at the beginning of the Round marked by line
    /// `n`; `None` if there is no such Round.
    pub(crate) fn view_at(
        &self,
        n: u64,
        seat: Option<Seat>,
        opened: &Opened,
        ledger: &Rc<RefCell<ChanceLedger>>,
    ) -> Result<Option<serde_json::Value>, ReplayFault> {
        let Some(step) = self.with_round(n) else { return Ok(None) };
        let (mut view, split) = (None, step.rounds_before(n).map(|rounds| (step.n, rounds)));
        self.play_with(&|n| n <= step.n, opened, ledger, split, &mut |when, seen, dyn_game| {
            if when == When::After && seen.n == step.n {
                view = dyn_game.frozen_view(seat);
            }
        })?;
        Ok(view)
    }
    /// Returns the steps that `wanted` selects, without those that a later one plays again.
    fn selected(&self, wanted: &dyn Fn(u64) -> bool) -> Vec<&LoggedStep> {
        let mut steps: Vec<&LoggedStep> = Vec::new();
        for step in self.steps.iter().filter(|step| wanted(step.n)) {
            while steps.pop_if(|before| before.first == step.first).is_some() {}
            steps.push(step);
        }
        steps
    }
    /// Replays the steps that `wanted` selects. `split`: the step to [split](Watch::split), and at
    /// which Round.
    fn play_with(
        &self,
        wanted: &dyn Fn(u64) -> bool,
        opened: &Opened,
        ledger: &Rc<RefCell<ChanceLedger>>,
        split: Option<(u64, usize)>,
        see: &mut dyn FnMut(When, &LoggedStep, &dyn DynGame),
    ) -> Result<Option<Box<dyn DynGame>>, ReplayFault> {
        let mut dyn_game: Option<Box<dyn DynGame>> = None;
        for step in self.selected(wanted) {
            if let Some(dyn_game) = &dyn_game {
                see(When::Before, step, &**dyn_game);
            }
            let split = split.filter(|(n, _)| *n == step.n).map(|(_, round)| round);
            let watch = Watch { split, ..Watch::NONE };
            let mut cause = Some(&step.cause);
            if let (Cause::Started, Some(half)) = (&step.cause, self.fork()) {
                // A fork begins at the position of its parent, or within a step of it.
                (dyn_game, cause) = (self.first(opened, ledger)?, half.map(|half| &half.cause));
            }
            ledger.borrow_mut().record(step.chance.clone());
            if let Some(cause) = cause {
                let done = run(cause, &mut dyn_game, opened, ledger, watch);
                let fault = |what| ReplayFault::Differs { n: step.n, cause: step.first, what: Box::new(what) };
                done.map_err(|why| fault(why.into()))?;
            }
            if let Some(dyn_game) = &mut dyn_game {
                see(When::After, step, &**dyn_game);
                dyn_game.set_watch(Watch::NONE);
            }
        }
        // The rules were given the same values before.
        ledger.borrow_mut().take_given();
        Ok(dyn_game)
    }
}

/// Has the rules take a step for this cause.
///
/// # Errors
/// Returns an error if they refuse it, or break down.
pub(crate) fn run(
    cause: &Cause,
    dyn_game: &mut Option<Box<dyn DynGame>>,
    opened: &Opened,
    ledger: &Rc<RefCell<ChanceLedger>>,
    watch: Watch,
) -> Result<(), LiveFault> {
    match (cause, &mut *dyn_game) {
        (Cause::Started, dyn_game) => {
            let begun = opened.open(Box::new(LedgerChance(ledger.clone())), watch)?;
            dyn_game.insert(begun).fault().cloned().map_or(Ok(()), |why| Err(why.into()))
        }
        (_, None) => Err(Rejected::Over.into()),
        (Cause::Decision { seat, prompt, order }, Some(dyn_game)) => {
            dyn_game.set_watch(watch);
            Ok(dyn_game.submit(*seat, *prompt, order)?)
        }
        (Cause::Ruling { effect, told }, Some(dyn_game)) => {
            dyn_game.set_watch(watch);
            Ok(dyn_game.rule(effect, told)?)
        }
    }
}

/// The state from which a fork begins.
pub struct Past {
    /// The parent's rules at the position of the fork, or before the step within which it begins;
    /// `None` if that is the beginning of play.
    pub dyn_game: Option<Box<dyn DynGame>>,
    /// The step within which it begins, if it does.
    pub half: Option<Half>,
    /// The last Round that had begun.
    pub mark: Option<RoundMark>,
    /// The inputs of the parent's rules.
    pub step_log: StepLog,
}
