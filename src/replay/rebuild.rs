//! The replay of a journal into a running game.
//!
//! [`rebuild`] reads the lines one by one. A decision and the lines that follow from it (dice,
//! cards, marks) make one step, which is passed to the rules and compared with the result. With the
//! operator's secrets the rebuilt game is live: [`LiveGame::decide`] accepts the next decision and
//! returns the lines to append.
//!
//! Undone lines are not replayed, but their dice and shuffles still count.

use super::{
    catalog::Catalog,
    chance_ledger::ChanceLedger,
    clock::required,
    deadlines::{Deadlines, stops_or_starts},
    fault::ReplayFault,
    index::{JournalIndex, Rewind, Undone},
    live_game::{LiveGame, for_game, ruled},
    marks::{Begun, mark},
    parent,
    pending::{Cause, Pending, Stop, act, differs, first, hear_derived},
    projection::Projection,
    seatings::Seatings,
    source::Source,
    step::{Derived, Difference, EventLine},
    step_log::{Half, LoggedStep, Past, StepLog},
};
use postrider_dice::SeedChain;
use postrider_journal::{Body, Checked, Checker, Head, Leaves, Line, Motions, Rewound, unix};
use postrider_orders::Phrase;
use postrider_table::{Event, PromptId, Seat, Watch};
use std::{cell::RefCell, rc::Rc};

/// Rebuilds a game.
///
/// `secrets` are the operator's seed chains of all generations. With them and without `upto`, the
/// game is live; without them it can only be replayed as far as its decks are revealed. `upto`
/// stops after the whole step to which that line belongs.
///
/// Every line is checked before it is used, so a damaged journal is never continued. Only the check
/// of a published `s_0` is limited, to chains whose secrets the replay needs. Digests of the
/// spectator's view are compared at the last Round only: if that position is right, earlier ones do
/// not matter for continuing. The `verify` function of the audit crate compares them all.
///
/// # Errors
/// Returns the first [`ReplayFault`].
pub fn rebuild(
    source: &Source,
    catalog: &Catalog,
    secrets: Option<Vec<SeedChain>>,
    upto: Option<u64>,
    watch: Watch,
) -> Result<LiveGame, ReplayFault> {
    rebuild_with(source, catalog, secrets, upto, watch, &mut [])
}

/// Rebuilds a game as [`rebuild`] does, and passes every line to `projections` in the same pass.
///
/// # Errors
/// Returns the first [`ReplayFault`]; the projections are then incomplete.
pub fn rebuild_with(
    source: &Source,
    catalog: &Catalog,
    secrets: Option<Vec<SeedChain>>,
    upto: Option<u64>,
    watch: Watch,
    projections: &mut [&mut dyn Projection],
) -> Result<LiveGame, ReplayFault> {
    let playable = secrets.is_some() && upto.is_none();
    let (replay, checker) = read(source, catalog, secrets, (upto, false), watch, projections)?;
    let mut live = replay.finish()?;
    if let Some(dyn_game) = &mut live.dyn_game {
        dyn_game.set_watch(watch);
    }
    if playable {
        live.ledger.borrow_mut().go_live().map_err(ReplayFault::Secrets)?;
        live.checker = Some(checker);
    }
    Ok(live)
}

/// Rebuilds a game from its public lines up to line `n`, which begins a Round within a step, and
/// returns it as it was before that step, and the step.
///
/// # Errors
/// Returns the first [`ReplayFault`].
pub fn rebuild_within(
    source: &Source,
    catalog: &Catalog,
    n: u64,
    watch: Watch,
) -> Result<(LiveGame, Half), ReplayFault> {
    let (replay, _) = read(source, catalog, None, (Some(n), true), watch, &mut [])?;
    replay.within(n)
}

/// Reads the lines of a game; stops after line `upto` if `exactly`, or after its step.
fn read<'s>(
    source: &Source,
    catalog: &'s Catalog,
    secrets: Option<Vec<SeedChain>>,
    (upto, exactly): (Option<u64>, bool),
    watch: Watch,
    projections: &mut [&mut dyn Projection],
) -> Result<(Replay<'s>, Checker), ReplayFault> {
    // Later lines say which earlier ones are undone, so the bytes are scanned before they are
    // parsed. The file is read once.
    let source = Source::Bytes(source.bytes()?);
    let mut index = JournalIndex::of(&source)?;
    let mut checker = Checker::new().for_the_position();
    for chain in secrets.into_iter().flatten() {
        index.book.add(chain);
    }
    let digest_at = index.last_round(upto.unwrap_or(u64::MAX));
    let mut replay =
        Replay { digest_at: Some(digest_at), logged: Some(u64::MAX), ..Replay::new(catalog, index, upto, watch) };
    let mut lines = source.lines()?;
    while let Some(text) = lines.next_line()? {
        let checked = checker.feed(text).map_err(|fault| ReplayFault::Journal(fault.into()))?;
        if replay.is_past(&checked) || exactly && checked.line.n > replay.until {
            break;
        }
        replay.feed(&checked)?;
        let undone = replay.undone.holds(checked.line.n);
        for projection in projections.iter_mut() {
            projection.apply(&checked, undone);
        }
    }
    Ok((replay, checker))
}

/// A replay that is fed line by line. Unless the story is watched, it holds one step at a time, not
/// the journal.
pub struct Replay<'s> {
    catalog: &'s Catalog,
    index: JournalIndex,
    undone: Undone,
    until: u64,
    watch: Watch,
    /// The `n` of the only Round whose digest is compared, if any; outer `None` to compare all.
    digest_at: Option<Option<u64>>,
    live: Option<LiveGame>,
    ledger: Rc<RefCell<ChanceLedger>>,
    pending: Option<Pending>,
    counts: Replayed,
    /// The `n` of the last step that may have to be replayed after a rewind, if there is one.
    logged: Option<u64>,
    /// The rewinds so far, in a replay that also replays undone lines; `None` in any other.
    rewinds: Option<Vec<Rewind>>,
    /// The rewind that was fed last, in such a replay: it is carried out before the next line.
    goes_back: Option<Rewind>,
    /// The contradictions in the times of lines, by n.
    wrong_times: Vec<(u64, String)>,
    /// The time of the last line, in seconds since 1970.
    at: Option<i64>,
}

/// Counters of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// The number of decisions replayed, including rulings and the beginning of play.
    pub steps: u64,
    /// The number of derived lines compared.
    pub derived: u64,
    /// The number of digests of the public position compared.
    pub digests: u64,
    /// The number of steps replayed from the step log after rewinds.
    pub again: u64,
}

impl<'s> Replay<'s> {
    fn new(catalog: &'s Catalog, index: JournalIndex, upto: Option<u64>, watch: Watch) -> Self {
        let ledger = Rc::new(RefCell::new(ChanceLedger::new(index.book.clone())));
        let until = upto.unwrap_or(u64::MAX);
        Replay {
            catalog,
            undone: index.undone(until),
            index,
            until,
            watch,
            digest_at: None,
            live: None,
            ledger,
            pending: None,
            counts: Replayed::default(),
            logged: None,
            rewinds: None,
            goes_back: None,
            wrong_times: Vec::new(),
            at: None,
        }
    }
    /// Returns the required questions that are open, as of before the step that was fed last.
    pub fn asked(&self) -> Vec<(PromptId, Seat)> {
        let dyn_game = self.live.as_ref().and_then(|live| live.dyn_game.as_ref());
        let asked = dyn_game.map(|dyn_game| required(&**dyn_game)).unwrap_or_default();
        asked.into_iter().map(|(prompt, seat, _)| (prompt, seat)).collect()
    }
    /// Returns an order in words, as of before the step that was fed last.
    #[must_use]
    pub fn say(&self, prompt: PromptId, order: &str) -> Option<String> {
        let dyn_game = self.live.as_ref()?.dyn_game.as_ref()?;
        dyn_game.say(prompt, &dyn_game.order(order).ok()?)
    }
    /// Returns the order, as JSON, that the rules read in a seat's words before the step that was
    /// fed last; `None` if the words are not an order.
    #[must_use]
    pub fn reads(&self, seat: &str, prompt: PromptId, words: &str) -> Option<String> {
        let live = self.live.as_ref()?;
        let seat = live.seat(seat)?;
        let read = live.dyn_game.as_ref()?.read_at(seat, prompt, &Phrase::new(words)).ok()?;
        Some(read.order.json())
    }
    /// Creates a replay of every line of this journal up to `upto`, including undone ones. Hidden
    /// cards are known from the operator's `chains`, if there are any.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be read.
    pub fn of_all(
        source: &Source,
        catalog: &'s Catalog,
        chains: &[SeedChain],
        upto: Option<u64>,
    ) -> Result<Self, ReplayFault> {
        let mut index = JournalIndex::of(source)?;
        let logged = index.rewinds.drain(..).map(|rewind| rewind.to).max();
        for chain in chains {
            index.book.add(chain.clone());
        }
        let watch = Watch { events: true, digests: true, ..Watch::NONE };
        Ok(Replay { logged, rewinds: Some(Vec::new()), ..Replay::new(catalog, index, upto, watch) })
    }
    /// Checks and replays all lines of a journal, and calls `see` after each with the replay as of
    /// before its step; without it from the first line that cannot be replayed.
    ///
    /// # Errors
    /// Returns a fault of the lines at once, and that of the replay after the last line.
    pub fn run(
        &mut self,
        source: &Source,
        see: &mut dyn FnMut(&Checked<'_>, Option<&mut Self>),
    ) -> Result<(), ReplayFault> {
        let (mut checker, mut lines) = (Checker::new().for_the_position(), source.lines()?);
        let mut replayed = Ok(());
        while let Some(text) = lines.next_line()? {
            let checked = checker.feed(text).map_err(|fault| ReplayFault::Journal(fault.into()))?;
            if self.is_past(&checked) {
                break;
            }
            if replayed.is_ok() {
                replayed = self.feed(&checked);
            }
            see(&checked, replayed.is_ok().then_some(&mut *self));
        }
        replayed.and_then(|()| self.end())
    }
    /// Returns the deadlines as of the line that was fed last; `None` before the first.
    #[must_use]
    pub fn deadlines(&self) -> Option<&Deadlines> {
        self.live.as_ref().map(|live| &live.deadlines)
    }
    /// Returns how much leave a seat has taken by a time (in seconds since 1970), in seconds.
    #[must_use]
    pub fn leave(&self, seat: Seat, at: i64) -> i64 {
        let taken = self.live.as_ref().map(|live| live.leaves.of_seat(live.seat_name(seat))).unwrap_or_default();
        taken.iter().map(|(from, until)| (until.min(&at) - from).max(0)).sum()
    }
    /// Returns the number of dice of a step before the Round from which a rewind restarts it.
    #[must_use]
    pub fn dice_before(&self, rewound: &Rewound<'_>) -> Option<usize> {
        let step = self.live.as_ref()?.step_log.with_round(rewound.to)?;
        step.dice_before(rewound.to).filter(|_| rewound.within == Some(step.first))
    }
    /// Takes the contradictions in times found since the last call.
    pub fn take_wrong_times(&mut self) -> Vec<(u64, String)> {
        std::mem::take(&mut self.wrong_times)
    }
    /// Returns the counters so far.
    #[must_use]
    pub fn counts(&self) -> Replayed {
        self.counts
    }
    /// Returns `true` if the line is after `upto` and does not belong to the step of that line.
    pub fn is_past(&self, checked: &Checked<'_>) -> bool {
        let goes_on = self.pending.is_some() || self.goes_back.is_some_and(|rewind| rewind.within.is_some());
        checked.line.n > self.until && !(goes_on && Derived::of(&checked.body).is_some())
    }
    /// Processes the next line, which a [`Checker`] has accepted.
    ///
    /// # Errors
    /// Returns the first [`ReplayFault`] up to this line. A fault in the last step is reported only
    /// after the step is complete.
    pub fn feed(&mut self, checked: &Checked<'_>) -> Result<(), ReplayFault> {
        let (line, body) = (&checked.line, &checked.body);
        let n = line.n;
        if let Body::Opened(opened) = body {
            return self.open(line, opened);
        }
        self.go_back()?;
        let undone = self.undone.holds(n);
        let derived = if undone { None } else { Derived::of(body) };
        let again = self.plays_again(n, undone);
        if again.is_some() {
            self.suspend();
        } else if derived.is_none() {
            self.flush(false)?;
        }
        self.at = unix(line.at);
        if self.live.is_none() {
            return Ok(());
        }
        self.hear(checked, undone)?;
        if let (Some(rewind), Some(pending)) = (again.filter(|rewind| rewind.at == n), &mut self.pending) {
            let rounds = pending.play_again(rewind, self.at);
            self.ledger.borrow_mut().turn_at(rounds.ok_or_else(|| no_round(rewind))?);
        }
        self.draw(body, undone);
        self.apply(n, body, undone)?;
        let Some(live) = &mut self.live else { return Ok(()) };
        if let Some(derived) = derived {
            let Some(pending) = &mut self.pending else {
                return Err(differs(n, n, Difference::Orphan(derived.words())));
            };
            if self.watch.tell {
                live.marks.extend(mark(n, body));
            }
            pending.derived.push((n, derived));
        }
        live.head = Head { game: std::mem::take(&mut live.head.game), n, hash: line.hash };
        Ok(())
    }
    /// Passes a line to the seats, the motions and the deadlines.
    fn hear(&mut self, checked: &Checked<'_>, undone: bool) -> Result<(), ReplayFault> {
        let (Checked { line, body, .. }, Some(live)) = (checked, &mut self.live) else { return Ok(()) };
        let n = line.n;
        live.seatings.hear(n, body);
        // The checker has heard it before, so it is not a fault here.
        let _ = live.motions.hear(n, line.at, body);
        if !undone {
            self.wrong_times.extend(live.wrong_time(line.at, body).map(|why| (n, why)));
        }
        match body {
            Body::Clock(clock) if !undone && !live.is_open(clock) => {
                let (prompt, seat) = (clock.prompt, clock.seat.to_string());
                return Err(differs(n, n, Difference::NotOpen { prompt, seat }));
            }
            // Pauses, leave and time zones are not part of play, so taking back an order does not end them.
            Body::Clock(clock) if stops_or_starts(clock.event) => {
                live.hear_time(n, line.at, body);
            }
            Body::Leave(_) | Body::Zone(_) => live.hear_time(n, line.at, body),
            // The step that it belongs to comes first.
            Body::Round(_) | Body::Rolled(_) | Body::Shuffled(_) | Body::Dealt(_) => {}
            _ if !undone => live.hear_time(n, line.at, body),
            _ => {}
        }
        Ok(())
    }
    /// Passes the dice, cards and chains of a line to the ledger.
    fn draw(&mut self, body: &Body<'_>, undone: bool) {
        let mut ledger = self.ledger.borrow_mut();
        match body {
            Body::Rolled(rolled) => ledger.rolled(rolled, undone),
            Body::Shuffled(shuffled) => ledger.shuffled(shuffled, undone),
            Body::Revealed(revealed) if undone => ledger.revealed(&revealed.deck, revealed.epoch),
            Body::Closed(closed) if undone || closed.of.is_some() => {
                ledger.laid_open(closed.secrets.keys().map(|label| &**label));
            }
            Body::Rewound(rewound) if !rewound.chains.is_empty() => ledger.renew(&rewound.chains),
            Body::Started(started) => ledger.started(started.luck),
            _ => {}
        }
    }
    /// Applies the effect of a line to the game; steps of the rules become pending.
    fn apply(&mut self, n: u64, body: &Body<'_>, undone: bool) -> Result<(), ReplayFault> {
        let Some(live) = &mut self.live else { return Ok(()) };
        let cause = match body {
            Body::Round(_) if undone && self.watch.tell => {
                live.undone_marks.extend(mark(n, body));
                return Ok(());
            }
            Body::Rewound(rewound) => {
                self.goes_back = self.rewinds.is_some().then(|| Rewind::of(rewound, n));
                // The end of the game may have been undone or restored.
                live.closed = live.dyn_game.as_ref().is_some_and(|dyn_game| dyn_game.outcome().is_some())
                    || live.motions.closed().is_some();
                return Ok(());
            }
            Body::Closed(closed) if !undone && closed.of.is_some() => return ends_by_motion(live, n, closed),
            Body::Joined(joined) => {
                set_luck(live, &joined.seat, &joined.luck);
                return Ok(());
            }
            Body::Reseated(reseated) => {
                set_luck(live, &reseated.seat, &reseated.luck);
                return Ok(());
            }
            Body::Started(started) => {
                live.started = Some(Begun { n, luck: started.luck });
                let half = live.past.as_ref().and_then(|past| past.half.as_ref());
                let skipped = half.map_or(0, |half| half.rounds + 1);
                self.pending = Some(Pending { skipped, ..Pending::new(n, self.at, Cause::Started) });
                return Ok(());
            }
            Body::Decision(decision) if !undone => Cause::Decision {
                seat: decision.seat.to_string(),
                prompt: decision.prompt,
                ask: decision.ask.to_string(),
                order: decision.order.get().to_owned(),
            },
            Body::Ruling(ruling) if !undone => {
                Cause::Ruling { told: ruled(ruling), effect: for_game(ruling.effect.get()).to_owned() }
            }
            _ => return Ok(()),
        };
        self.pending = Some(Pending::new(n, self.at, cause));
        Ok(())
    }
    /// Returns the rewind that restarts the pending step from one of its Rounds, if line `n` is
    /// that rewind or was undone by it.
    fn plays_again(&self, n: u64, undone: bool) -> Option<Rewind> {
        let first = self.pending.as_ref()?.first;
        let rewind = match undone {
            true => self.undone.by(n),
            false => self.index.rewinds.iter().copied().find(|rewind| rewind.at == n),
        };
        rewind.filter(|rewind| rewind.within == Some(first))
    }
    /// Tells the deadlines which question the pending step answered, and its Rounds so far,
    /// although it will be played again.
    fn suspend(&mut self) {
        let (Some(pending), Some(live)) = (&mut self.pending, &mut self.live) else { return };
        if let (false, Some(at)) = (std::mem::replace(&mut pending.heard, true), pending.at) {
            let answered = pending.answers().and_then(|prompt| PromptId::try_from(prompt).ok());
            live.deadlines.hear_answer(pending.n, pending.first, at, answered);
            hear_derived(live, pending);
        }
    }
    /// Ends the replay before the pending step, at line `n`, which begins a Round within it.
    fn within(mut self, n: u64) -> Result<(LiveGame, Half), ReplayFault> {
        let no_round = || differs(n, n, Difference::NoRound(n));
        let (pending, mut live) = (self.pending.take().ok_or_else(no_round)?, self.live.ok_or(ReplayFault::Empty)?);
        if live.head.n < n {
            return Err(ReplayFault::Incomplete { from: live.head.n, missing: format!("entry {n}") });
        }
        let rounds = pending.rounds_before(n).ok_or_else(no_round)?;
        let mut cause = pending.cause.logged(&live.opened.seats).ok_or_else(no_round)?;
        live.ledger.borrow_mut().turn_at(rounds);
        if let (Cause::Started, Some(Past { dyn_game, half, step_log, .. })) = (&pending.cause, live.past.take()) {
            // The step began in the parent of this fork.
            (live.dyn_game, live.step_log) = (dyn_game, step_log);
            cause = half.ok_or_else(no_round)?.cause;
        }
        Ok((live, Half { first: pending.first, cause, rounds }))
    }
    /// Ends the replay and returns the game; the last step must be complete.
    ///
    /// # Errors
    /// As [`Replay::feed`], and [`ReplayFault::Incomplete`] if lines of the last step are missing.
    pub fn finish(mut self) -> Result<LiveGame, ReplayFault> {
        self.end()?;
        self.live.ok_or(ReplayFault::Empty)
    }
    /// Ends the replay as [`Replay::finish`] does, for a caller that needs only the
    /// [counts](Replay::counts).
    ///
    /// # Errors
    /// As [`Replay::finish`].
    pub fn end(&mut self) -> Result<(), ReplayFault> {
        self.go_back()?;
        self.flush(true)
    }
    /// Carries out the rewind that was fed last, if there is one: returns the rules to the position
    /// without the lines that it undoes. No line is read again; the rules replay the remaining
    /// steps from the step log, because they can only run forwards.
    fn go_back(&mut self) -> Result<(), ReplayFault> {
        let Some((rewind, rewinds)) = self.goes_back.take().zip(self.rewinds.as_mut()) else { return Ok(()) };
        rewinds.push(rewind);
        let undone = Undone::of(rewinds, rewind.at);
        let Some(live) = &mut self.live else { return Ok(()) };
        self.counts.again += live.play_back(&|n| !undone.holds(n), rewind.within)?;
        let Some(first) = rewind.within else { return Ok(()) };
        let step = live.step_log.with_round(rewind.to).filter(|step| step.first == first);
        let step = step.ok_or_else(|| no_round(rewind))?;
        let (again, skipped, marks) = (step.again.clone(), step.skipped(), step.marks.clone());
        let new = Pending::new(first, self.at, Cause::of(step, &live.opened.seats));
        let mut pending = Pending { again, skipped, marks, ..new };
        let rounds = pending.play_again(rewind, self.at).ok_or_else(|| no_round(rewind))?;
        let mut ledger = self.ledger.borrow_mut();
        ledger.record(step.chance.clone());
        ledger.turn_at(rounds);
        drop(ledger);
        self.pending = Some(pending);
        Ok(())
    }

    fn open(&mut self, line: &Line<'_>, opened: &postrider_journal::Opened<'_>) -> Result<(), ReplayFault> {
        let (game, hash) = (&*opened.game, line.hash);
        let found = self.catalog.find(opened)?;
        let past = match found.parent {
            Some(_) => {
                let public = |source: &Source, catalog: &Catalog, n, within, watch| match within {
                    true => rebuild_within(source, catalog, n, watch).map(|(live, half)| (live, Some(half))),
                    false => rebuild(source, catalog, None, Some(n), watch).map(|live| (live, None)),
                };
                let (past, ledger) = parent::past(self.catalog, &found, self.watch, &public)?;
                ledger.borrow_mut().fork(self.index.book.clone());
                self.ledger = ledger;
                Some(past)
            }
            None => None,
        };
        let deadlines = Deadlines::of(&found.clock).ok_or_else(|| {
            let what = Difference::Setup(format!("these are no terms of time: {}", found.clock));
            ReplayFault::Differs { n: 0, cause: 0, what: what.into() }
        })?;
        self.ledger.borrow_mut().opened(game, &opened.chains);
        self.live = Some(LiveGame {
            game: game.to_owned(),
            checker: None,
            joined: vec![None; found.seats.len()],
            seatings: Seatings::default(),
            deadlines,
            opened: found,
            started: None,
            dyn_game: None,
            head: Head { game: game.to_owned(), n: 0, hash },
            story: Vec::new(),
            marks: Vec::new(),
            undone_marks: Vec::new(),
            closed: false,
            motions: Motions::of(opened),
            leaves: Leaves::of(opened),
            ended: Vec::new(),
            past,
            ledger: self.ledger.clone(),
            step_log: StepLog::new(self.index.rewinds.clone()),
            watch: self.watch,
        });
        if let (Some(_), Some(live)) = (self.logged, &mut self.live) {
            // Only the last Round's digest is compared unless undone lines are replayed too.
            live.deadlines.remember(self.digest_at.is_none());
        }
        Ok(())
    }

    /// Passes the pending step to the rules and compares the result. `last` is `true` at the end of
    /// the journal.
    fn flush(&mut self, last: bool) -> Result<(), ReplayFault> {
        let Some(pending) = self.pending.take() else { return Ok(()) };
        let Some(live) = &mut self.live else { return Ok(()) };
        let of_round = |at: Option<u64>| pending.derived.iter().any(|&(n, _)| Some(n) == at);
        let digests = self.watch.digests && self.digest_at.is_none_or(of_round);
        let logged = self.logged.is_some_and(|until| pending.n <= until);
        let asks_from = live.dyn_game.as_ref().map_or(0, |dyn_game| dyn_game.next_prompt());
        let split = pending.again.last().map(|again| again.rounds);
        let watch = Watch { digests, split, ..self.watch };
        if let Err(why) = act(live, &self.ledger, &pending, watch) {
            return Err(match why {
                Stop::Fault(fault) => fault,
                Stop::Missing(what) => pending.missing(what, last),
            });
        }
        let (chance, given_before) = self.ledger.borrow_mut().take_given();
        if self.ledger.borrow().missed_a_turn() {
            let to = pending.marks.last().map_or(pending.first, |mark| mark.n);
            return Err(differs(pending.n, pending.first, Difference::NoRound(to)));
        }
        live.hear_step(pending.n, pending.first, pending.at, pending.answers());
        hear_derived(live, &pending);
        nothing_left(&mut self.ledger.borrow_mut(), &pending)?;
        let told = live.dyn_game.as_mut().map(|dyn_game| dyn_game.take_told()).unwrap_or_default();
        if let Some(cause) = pending.cause.logged(&live.opened.seats) {
            let (n, first, again, last) = (pending.n, pending.first, pending.again.clone(), pending.last());
            let (kind, marks) = (pending.cause.kind().into(), pending.marks());
            let step = LoggedStep { n, first, again, last, cause, kind, asks_from, chance, marks, given_before };
            live.tell(&step, told);
            if logged {
                live.step_log.push(step);
            }
        }
        self.compare(&pending, last)
    }

    /// Compares the events of a step with the lines that follow from it, dice and cards included.
    /// `last` as for [`Replay::flush`].
    fn compare(&mut self, pending: &Pending, last: bool) -> Result<(), ReplayFault> {
        let Some(live) = &mut self.live else { return Ok(()) };
        let Some(dyn_game) = &mut live.dyn_game else { return Ok(()) };
        let events = dyn_game.take_events();
        let outcome = live.outcome_by_rules();
        live.closed = outcome.is_some();
        let mut lines = pending.derived.iter();
        if events.iter().any(|event| matches!(event, Event::Rolled { .. })) {
            // The rules have used the dice themselves; only the place and number of their line are
            // checked here.
            match lines.next() {
                Some((_, Derived::Rolled)) => {}
                Some((n, line)) => {
                    let rules = "dice are rolled".to_owned();
                    return Err(differs(*n, pending.n, Difference::Line { rules, line: line.words() }));
                }
                None => return Err(pending.missing("dice".into(), last)),
            }
        } else if !self.watch.events {
            lines = [].iter();
        }
        if self.watch.events {
            let mut ledger = self.ledger.borrow_mut();
            for event in &events {
                if ledger.is_public(event) {
                    continue;
                }
                let Some(rules) = EventLine::of(event, &live.opened.seats) else { continue };
                let (n, line) = lines.next().ok_or_else(|| pending.missing(rules.words(), last))?;
                line.compare(&rules).map_err(|what| differs(*n, pending.n, what))?;
                if let Derived::Event(EventLine::Revealed { deck, epoch }) = line {
                    ledger.revealed(deck, *epoch);
                }
            }
            if let Some(outcome) = outcome {
                let right = outcome.json().to_string();
                match lines.next() {
                    Some((_, Derived::Closed { outcome, chains })) if *outcome == right => {
                        ledger.laid_open(chains.iter().map(String::as_str));
                    }
                    Some((n, line)) => {
                        let rules = Derived::Closed { outcome: right, chains: Vec::new() }.words();
                        return Err(differs(*n, pending.n, Difference::Line { rules, line: line.words() }));
                    }
                    None => return Err(pending.missing("the game is over".into(), last)),
                }
            }
        }
        match lines.next() {
            Some((n, line)) => return Err(differs(*n, pending.n, Difference::NotAsked(line.words()))),
            None => self.counts.steps += 1,
        }
        if self.watch.events {
            self.counts.derived += pending.derived.len() as u64;
            let digests = pending.derived.iter().filter(|(_, line)| line.is_round());
            self.counts.digests += digests.count() as u64;
        }
        Ok(())
    }
}

/// Checks that a step has used all dice and shuffles of its lines.
fn nothing_left(ledger: &mut ChanceLedger, pending: &Pending) -> Result<(), ReplayFault> {
    let left = ledger.left_over();
    if let Some(die) = left.dice.front() {
        let at = first(pending, |d| matches!(d, Derived::Rolled));
        let what = Difference::NotAsked(format!("\"{}\" from {} to {}", die.label, die.low, die.high));
        return Err(differs(at, pending.n, what));
    }
    if let Some(shuffle) = left.shuffles.front() {
        let (deck, epoch) = (&shuffle.deck, u64::from(shuffle.epoch));
        let at = first(
            pending,
            |d| matches!(d, Derived::Event(EventLine::Shuffled { deck: k, epoch: e, .. }) if k == deck && *e == epoch),
        );
        return Err(differs(at, pending.n, Difference::NotAsked(format!("a shuffle of {deck}"))));
    }
    Ok(())
}

fn no_round(rewind: Rewind) -> ReplayFault {
    differs(rewind.at, rewind.to, Difference::NoRound(rewind.to))
}

/// Ends the game by the motion that a `closed` line names.
fn ends_by_motion(live: &mut LiveGame, n: u64, closed: &postrider_journal::Closed<'_>) -> Result<(), ReplayFault> {
    let of = closed.of.unwrap_or_default();
    let Some(outcome) = live.outcome_by_motion(of).ok().flatten() else {
        return Err(differs(n, of, Difference::NotAsked("the game is over".into())));
    };
    let (rules, line) = (outcome.json().to_string(), closed.outcome.get().to_owned());
    if rules != line {
        return Err(differs(n, of, Difference::Line { rules, line }));
    }
    live.ended.push((n, outcome));
    live.closed = true;
    Ok(())
}

fn set_luck(live: &mut LiveGame, seat: &str, luck: &str) {
    if let Some(seat) = live.seat(seat) {
        live.join(seat, luck);
    }
}
