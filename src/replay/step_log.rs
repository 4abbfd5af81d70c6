//! What the rules of a running game were fed: enough to have an earlier position again without reading its journal.
//!
//! The lines of a journal are checked and compared when they are read. What is left of them here is what the rules need to
//! take the same steps again, and nothing to compare them with. It grows with the game.

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

/// What made the rules take a step.
#[derive(Clone, Debug)]
pub enum Cause {
    Started,
    Decision { seat: Seat, prompt: PromptId, order: Box<str> },
    Ruling { effect: Box<str>, told: Box<str> },
}

/// When the rules are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before a step.
    Before,
    /// After it.
    After,
}

/// One step.
#[derive(Clone, Debug)]
pub struct LoggedStep {
    /// n of the line that caused it.
    pub n: u64,
    /// n of the last line that followed from it.
    pub last: u64,
    pub cause: Cause,
    /// The kind of question that was answered; "" where none was.
    pub kind: Box<str>,
    /// The number of the first question that this step could ask.
    pub asks_from: PromptId,
    /// The dice and cards that it drew.
    pub chance: Recorded,
    /// The Rounds that began in it.
    pub marks: Vec<RoundMark>,
}

/// The steps of a game, in the order of their lines. What a rewind has undone may be missing.
#[derive(Clone, Debug, Default)]
pub struct StepLog {
    /// What a fork goes on from.
    before: Option<Box<StepLog>>,
    steps: Vec<LoggedStep>,
    /// All rewinds of the journal so far.
    rewinds: Vec<Rewind>,
}

impl StepLog {
    /// For a journal with these rewinds, which are known before its steps are.
    pub fn new(rewinds: Vec<Rewind>) -> StepLog {
        StepLog { before: None, steps: Vec::new(), rewinds }
    }
    /// This is the log of a fork, and that of the game from which it goes on.
    pub fn go_on_from(&mut self, parent: StepLog) {
        self.before = Some(Box::new(parent));
    }
    pub fn push(&mut self, step: LoggedStep) {
        self.steps.push(step);
    }
    /// n of the last line of the step to which line `n` belongs, in a journal whose last line is `head`; `None` where that
    /// step is undone, so that it may not be here.
    pub fn end_of_step(&self, n: u64, head: u64) -> Option<u64> {
        if Undone::of(&self.rewinds, head).holds(n) {
            return None;
        }
        let behind = self.steps.partition_point(|step| step.n <= n);
        let last = behind.checked_sub(1).map_or(0, |step| self.steps[step].last);
        Some(n.max(last))
    }
    /// The step that line `n` caused, unless it is undone.
    pub fn step(&self, n: u64) -> Option<&LoggedStep> {
        let at = self.steps.binary_search_by_key(&n, |step| step.n).ok()?;
        self.steps.get(at)
    }
    /// The last Round that had begun by line `n`.
    pub fn mark(&self, n: u64) -> Option<RoundMark> {
        let mut marks = self.steps.iter().rev().flat_map(|step| step.marks.iter().rev());
        let mark = marks.find(|mark| mark.n <= n).cloned();
        mark.or_else(|| self.before.as_ref()?.mark(u64::MAX))
    }
    /// Line `at` has undone the steps after line `to`.
    pub fn rewound(&mut self, rewind: Rewind) {
        self.steps.retain(|step| step.n <= rewind.to);
        self.rewinds.push(rewind);
    }
    /// The rules where the steps that are `wanted` bring them; `None` where play has not begun. Nothing is kept of what they
    /// tell and do on the way. Their chance is that of `ledger`, which must draw nothing of its own meanwhile.
    pub fn play(
        &self,
        wanted: &dyn Fn(u64) -> bool,
        opened: &Opened,
        ledger: &Rc<RefCell<ChanceLedger>>,
    ) -> Result<Option<Box<dyn DynGame>>, ReplayFault> {
        self.play_with(wanted, opened, ledger, &mut |_, _, _| {})
    }
    /// As [`StepLog::play`] with all steps that count, and shows the rules before and after each; before the first there are none.
    pub fn each(
        &self,
        opened: &Opened,
        ledger: &Rc<RefCell<ChanceLedger>>,
        see: &mut dyn FnMut(When, &LoggedStep, &mut dyn DynGame),
    ) -> Result<(), ReplayFault> {
        self.play_with(&|_| true, opened, ledger, see).map(|_| ())
    }
    /// The step in which the Round that line `n` marks began and ended, without a question between: n of it, and the next Round.
    pub fn passed(&self, n: u64) -> Option<(u64, &RoundMark)> {
        let step = self.steps.iter().find(|step| (step.n..=step.last).contains(&n))?;
        Some((step.n, step.marks.iter().find(|mark| mark.n > n)?))
    }
    /// n of the step that put a question.
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
                // A fork begins where its parent stands.
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

/// What a fork begins with.
pub struct Past {
    /// The parent's rules at work, as they stand at the line.
    pub dyn_game: Box<dyn DynGame>,
    /// The last Round that has begun.
    pub mark: Option<RoundMark>,
    /// What they were fed.
    pub step_log: StepLog,
}
