//! The log of inputs to the rules of a running game, from which an earlier position can be
//! recomputed without its journal.
//!
//! Lines are checked and compared when they are read. The log keeps only what the rules need to
//! repeat the same steps, not what is needed to compare them. It grows with the game.

use super::{
    catalog::Opened,
    chance_ledger::{ChanceLedger, LedgerChance},
    fault::ReplayFault,
    index::{Rewind, Undone},
    marks::RoundMark,
    step::Difference,
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
    /// n of the line that caused it.
    pub n: u64,
    /// n of the last line that followed from it.
    pub last: u64,
    pub cause: Cause,
    /// The kind of the question that was answered; "" if none was.
    pub kind: Box<str>,
    /// The number of the first question that this step could ask.
    pub asks_from: PromptId,
    /// The dice and shuffles that it used.
    pub chance: Recorded,
    /// The Rounds that began in this step.
    pub marks: Vec<RoundMark>,
}

/// The steps of a game, in the order of their lines. Undone steps may be missing.
#[derive(Clone, Debug, Default)]
pub struct StepLog {
    /// For a fork, the log of its parent.
    before: Option<Box<StepLog>>,
    steps: Vec<LoggedStep>,
    /// All rewinds of the journal so far.
    rewinds: Vec<Rewind>,
}

impl StepLog {
    /// Creates a log for a journal with these rewinds, which are known before its steps are.
    pub fn new(rewinds: Vec<Rewind>) -> StepLog {
        StepLog { before: None, steps: Vec::new(), rewinds }
    }
    /// Makes this the log of a fork of a game with the log `parent`.
    pub(crate) fn go_on_from(&mut self, parent: StepLog) {
        self.before = Some(Box::new(parent));
    }
    pub fn push(&mut self, step: LoggedStep) {
        self.steps.push(step);
    }
    /// Returns the n of the last line of the step to which line `n` belongs, in a journal whose
    /// last line is `head`. Returns `None` if that step is undone and may be missing.
    pub(crate) fn end_of_step(&self, n: u64, head: u64) -> Option<u64> {
        if Undone::of(&self.rewinds, head).holds(n) {
            return None;
        }
        let behind = self.steps.partition_point(|step| step.n <= n);
        let last = behind.checked_sub(1).map_or(0, |step| self.steps[step].last);
        Some(n.max(last))
    }
    /// Returns the step that line `n` caused, unless it is undone.
    pub fn step(&self, n: u64) -> Option<&LoggedStep> {
        let at = self.steps.binary_search_by_key(&n, |step| step.n).ok()?;
        self.steps.get(at)
    }
    /// Returns the last Round that had begun by line `n`.
    pub fn mark(&self, n: u64) -> Option<RoundMark> {
        let mut marks = self.steps.iter().rev().flat_map(|step| step.marks.iter().rev());
        let mark = marks.find(|mark| mark.n <= n).cloned();
        mark.or_else(|| self.before.as_ref()?.mark(u64::MAX))
    }
    /// Removes the steps after line `to`, which line `at` has undone.
    pub fn rewound(&mut self, rewind: Rewind) {
        self.steps.retain(|step| step.n <= rewind.to);
        self.rewinds.push(rewind);
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
        self.play_with(wanted, opened, ledger, &mut |_, _, _| {})
    }
    /// Replays all steps as [`StepLog::play`] does, and calls `see` with the rules before and after
    /// each; there is no call before the first.
    pub fn each(
        &self,
        opened: &Opened,
        ledger: &Rc<RefCell<ChanceLedger>>,
        see: &mut dyn FnMut(When, &LoggedStep, &mut dyn DynGame),
    ) -> Result<(), ReplayFault> {
        self.play_with(&|_| true, opened, ledger, see).map(|_| ())
    }
    /// Returns the step in which the Round marked by line `n` both began and ended without a
    /// question: its n, and the next Round.
    pub fn passed(&self, n: u64) -> Option<(u64, &RoundMark)> {
        let step = self.steps.iter().find(|step| (step.n..=step.last).contains(&n))?;
        Some((step.n, step.marks.iter().find(|mark| mark.n > n)?))
    }
    /// Returns the n of the step that asked a question.
    pub fn put_by(&self, prompt: PromptId) -> Option<u64> {
        self.steps.iter().rfind(|step| step.asks_from <= prompt).map(|step| step.n)
    }
    fn play_with(
        &self,
        wanted: &dyn Fn(u64) -> bool,
        opened: &Opened,
        ledger: &Rc<RefCell<ChanceLedger>>,
        see: &mut dyn FnMut(When, &LoggedStep, &mut dyn DynGame),
    ) -> Result<Option<Box<dyn DynGame>>, ReplayFault> {
        let mut dyn_game: Option<Box<dyn DynGame>> = None;
        for step in self.steps.iter().filter(|step| wanted(step.n)) {
            if let Some(dyn_game) = &mut dyn_game {
                see(When::Before, step, &mut **dyn_game);
            }
            ledger.borrow_mut().record(step.chance.clone());
            let differs = |what| ReplayFault::Differs { n: step.n, cause: step.n, what: Box::new(what) };
            let result = match (&step.cause, &mut dyn_game) {
                // A fork begins at the position of its parent.
                (Cause::Started, dyn_game) if self.before.is_some() => {
                    *dyn_game =
                        self.before.as_ref().map_or(Ok(None), |parent| parent.play(&|_| true, opened, ledger))?;
                    Ok(())
                }
                (Cause::Started, dyn_game) => {
                    let begun = opened.open(Box::new(LedgerChance(ledger.clone())), Watch::NONE);
                    let begun = begun.map_err(|why| differs(Difference::Setup(why.to_string())))?;
                    let result = begun.fault().cloned().map_or(Ok(()), Err);
                    *dyn_game = Some(begun);
                    result
                }
                (Cause::Decision { seat, prompt, order }, Some(dyn_game)) => dyn_game.submit(*seat, *prompt, order),
                (Cause::Ruling { effect, told }, Some(dyn_game)) => dyn_game.rule(effect, told),
                (_, None) => Err(Rejected::Over),
            };
            result.map_err(|why| differs(Difference::Refused(why.to_string())))?;
            if let Some(dyn_game) = &mut dyn_game {
                see(When::After, step, &mut **dyn_game);
            }
        }
        Ok(dyn_game)
    }
}

/// The state from which a fork begins.
pub struct Past {
    /// The parent's rules at the position of the fork.
    pub dyn_game: Box<dyn DynGame>,
    /// The last Round that had begun.
    pub mark: Option<RoundMark>,
    /// The inputs of the parent's rules.
    pub step_log: StepLog,
}
