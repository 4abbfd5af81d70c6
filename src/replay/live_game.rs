//! A running game: the rules at their current position, and the other state derived from the
//! journal.

use super::{
    catalog::Opened,
    chance_ledger::ChanceLedger,
    checkpoint::{Checkpoint, CheckpointError},
    deadlines::{Deadlines, only_moves_deadline},
    fault::ReplayFault,
    index::Rewind,
    marks::{Answered, Begun, RoundMark, StoryLine, called, mark},
    moment::Moment,
    seatings::Seatings,
    secret_book::SecretBook,
    step::{LiveFault, Step, lines_for},
    step_log::{Again, Cause, LoggedStep, Past, StepLog, When, run},
};
use postrider_dice::{DiceStream, Hash, SeedChain, h};
use postrider_journal::{
    ALL_PLAYERS, Body, Checker, Closed, Decision, Head, Json, Leaves, Motions, RolledOut, Ruling, SERVICE, Started,
    Via, What, luck_digest,
};
use postrider_orders::{capital, list_and};
use postrider_table::{DynGame, Outcome, PromptId, Rejected, Seat, SeededChance, Told, Understood, Watch};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// The mail from which an order was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FromMail {
    /// SHA-256 of the raw message.
    pub mail: Hash,
    /// The [digest](postrider_journal::words_digest) of the lines that the order was taken from.
    pub words: Hash,
}

/// A game rebuilt from its journal.
pub struct LiveGame {
    /// The game's id.
    pub game: String,
    /// The contents of the first line.
    pub opened: Opened,
    /// The luck phrase of each seat; `None` until a player joins it.
    pub joined: Vec<Option<String>>,
    /// The lines that gave seats to addresses.
    pub seatings: Seatings,
    /// The beginning of play; `None` before it.
    pub started: Option<Begun>,
    /// The rules at the current position; `None` before play has begun.
    pub dyn_game: Option<Box<dyn DynGame>>,
    /// The last line that was read or that [`LiveGame::advance`] recorded as appended.
    pub head: Head,
    /// The story of the effective history, if [`Watch::tell`] is set.
    pub story: Vec<StoryLine>,
    /// The Rounds of the effective history, if [`Watch::tell`] is set.
    pub marks: Vec<RoundMark>,
    /// The Rounds of undone play, in the order of their lines, if [`Watch::tell`] is set.
    pub undone_marks: Vec<RoundMark>,
    /// `true` if the game is over.
    pub closed: bool,
    /// The proposals, votes and concessions of the journal.
    pub motions: Motions,
    /// The leave that seats have taken.
    pub leaves: Leaves,
    /// The `n` of each entry by which a motion ended the game, and the outcome.
    pub ended: Vec<(u64, Outcome)>,
    /// The deadlines of its questions.
    pub deadlines: Deadlines,
    /// The checker of the lines so far, for a game that is played on: a line that contradicts them
    /// must not be written.
    pub checker: Option<Checker>,
    /// For a fork that has not begun: the parent game that it continues.
    pub past: Option<Past>,
    pub ledger: Rc<RefCell<ChanceLedger>>,
    /// The inputs of the rules so far.
    pub step_log: StepLog,
    pub watch: Watch,
}

impl LiveGame {
    /// Returns the seat with this name.
    #[must_use]
    pub fn seat(&self, name: &str) -> Option<Seat> {
        Seat::among(&self.opened.seats, name)
    }
    /// Returns the journal's name of a seat; "" if the game does not have it.
    #[must_use]
    pub fn seat_name(&self, seat: Seat) -> &str {
        self.opened.seats.get(seat.index()).map_or("", String::as_str)
    }
    /// Returns `true` if the game has the operator's secrets and can be played on.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.ledger.borrow().is_live()
    }
    /// Returns the secret of a shuffle, if it is known. [`postrider_dice::card_salt`] derives from
    /// it the salts that letters tell players about their cards.
    #[must_use]
    pub fn deck_secret(&self, deck: &str, epoch: u32) -> Option<Hash> {
        self.ledger.borrow().secret(deck, u64::from(epoch))
    }
    /// Returns the outcome; `None` for a game that is not over or was abandoned before it began.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let agreed = self.ended.iter().rfind(|(n, _)| self.motions.closed() == Some(*n));
        agreed.map(|(_, outcome)| outcome.clone()).or_else(|| self.outcome_by_rules())
    }
    /// Returns the outcome by the rules, with the seats that conceded placed last; `None` while the
    /// rules have not ended the game.
    pub(crate) fn outcome_by_rules(&self) -> Option<Outcome> {
        Some(self.with_concessions(self.dyn_game.as_ref()?.outcome()?))
    }
    /// Returns an outcome with the seats that conceded placed last.
    #[must_use]
    pub fn with_concessions(&self, outcome: Outcome) -> Outcome {
        if !self.motions.has_concessions() {
            return outcome;
        }
        let rank = |name: &str| self.seat(name).and_then(|seat| outcome.of(seat)).map_or(1, |one| one.rank);
        let stay = || self.opened.seats.iter().filter(|name| !self.motions.has_conceded(name));
        let ranked = self.motions.ranked(&|name| 1 + stay().filter(|other| rank(other) < rank(name)).count() as u64);
        let (why, level) = (outcome.why.to_string(), outcome.level);
        outcome.clone().placed(&|seat| place_of(&ranked, self.seat_name(seat)), why).at_level(level)
    }
    /// Returns the outcome if motion `of` ends the game; `None` if it does not. The game's own
    /// counts do not change.
    ///
    /// # Errors
    /// [`Rejected`] when the rules broke down.
    pub(crate) fn outcome_by_motion(&self, of: u64) -> Result<Option<Outcome>, Rejected> {
        let (Some(motion), Some(places)) = (self.motions.carried(of), self.motions.places(of)) else { return Ok(None) };
        let by = match self.seat(&motion.by) {
            Some(seat) => format!("@{seat}"),
            None if motion.by == SERVICE => "the host".to_owned(),
            None => motion.by.clone(),
        };
        let why = match motion.what {
            What::Concede {} => format!("{by} conceded (entry {of})"),
            What::Forfeit {} => {
                let late = self.motions.gone_with(of).filter_map(|name| self.seat(name));
                let late: Vec<String> = late.map(|seat| format!("@{seat}")).collect();
                format!("{} did not answer in time (entry {of})", list_and(&late))
            }
            _ if self.seat(&motion.by).is_some() => format!("agreed by all (entry {of})"),
            _ => {
                let after = motion.rollouts.as_ref().map(|one| format!(", after {}", rollouts_in_words(one)));
                format!("decided by {by} (entry {of}){}", after.unwrap_or_default())
            }
        };
        if places.is_empty() {
            return Ok(Some(Outcome::abandoned(why)));
        }
        let Some(dyn_game) = &self.dyn_game else { return Ok(None) };
        let now = dyn_game.outcome_now()?;
        Ok(Some(now.placed(&|seat| place_of(&places, self.seat_name(seat)), why)))
    }
    /// Ends the game by motion `of`. `n` is the place that the line will have.
    ///
    /// # Errors
    /// [`LiveFault`] when the motion does not end it.
    pub fn end_by_motion(&mut self, n: u64, of: u64) -> Result<Body<'static>, LiveFault> {
        let Some(outcome) = self.outcome_by_motion(of)? else { return Err(LiveFault::NotNow("the game goes on")) };
        let abandoned = outcome.counted().is_none();
        // The secrets of an abandoned game stay hidden, because it may be continued one day. If
        // nothing was drawn, the secrets prove nothing, and a game that is reopened needs them.
        let keeps = abandoned || !self.ledger.borrow().has_drawn(&self.opened.chains);
        let secrets = if keeps { BTreeMap::new() } else { self.ledger.borrow().origins()? };
        let body = Closed { outcome: Json::new(&outcome.json())?, secrets, of: Some(of) };
        self.ended.push((n, outcome));
        self.closed = true;
        Ok(Body::Closed(body))
    }
    /// Switches to random dice and shuffles from this seed. The game is then no longer live, and
    /// decisions in it are not real. Past rolls and deals stay.
    pub fn imagine(&mut self, seed: u64) {
        self.ledger.borrow_mut().imagine(SeededChance::new(seed));
    }
    /// Switches to random dice and shuffles as [`imagine`](LiveGame::imagine) does, from a moment
    /// in the last step.
    ///
    /// # Errors
    /// Returns a [`LiveFault`] if the rules reject a step; the game must then be rebuilt.
    pub fn imagine_from(&mut self, moment: &Moment, seed: u64) -> Result<(), LiveFault> {
        let step = moment.within.and_then(|within| Some((self.step_log.with_round(moment.n)?.clone(), within.rounds)));
        if let Some((step, rounds)) = step {
            self.play_back(&|line| line <= moment.n, Some(step.first))?;
            self.imagine(seed);
            return self.run_again(&step, rounds).map(|_| ());
        }
        self.imagine(seed);
        Ok(())
    }
    /// Begins play: fixes the luck and runs the rules to their first questions. `n` is the number
    /// of the `started` line.
    ///
    /// # Errors
    /// Returns a [`LiveFault`]. After any other than [`LiveFault::NotNow`] and
    /// [`LiveFault::NotLive`], the game must be rebuilt.
    pub fn start(&mut self, n: u64) -> Result<Step, LiveFault> {
        if self.started.is_some() {
            return Err(LiveFault::NotNow("the game has begun already"));
        }
        if !self.is_live() {
            return Err(LiveFault::NotLive);
        }
        let luck = luck_digest(self.joined.iter().map(|phrase| phrase.as_deref().unwrap_or("")));
        self.ledger.borrow_mut().started(luck);
        self.begin(n, self.watch)?;
        self.started = Some(Begun { n, luck });
        self.step(n, Body::Started(Started { luck }), Cause::Started, 0)
    }
    /// Passes a decision to the rules. `n` is the number that its line will have. The step's lines
    /// must be appended before the next decision; if that fails, the game must be rebuilt.
    ///
    /// # Errors
    /// [`LiveFault::Rejected`] with [`Rejected::Refused`]
    /// changes nothing.
    pub fn decide(
        &mut self,
        n: u64,
        seat: Seat,
        answer: &Understood,
        via: Via,
        mail: Option<FromMail>,
    ) -> Result<Step, LiveFault> {
        if !self.is_live() {
            return Err(LiveFault::NotLive);
        }
        let dyn_game = self.dyn_game.as_mut().ok_or(LiveFault::NotNow("the game has not begun"))?;
        let asks_from = dyn_game.next_prompt();
        dyn_game.decide(seat, answer.prompt, &answer.order)?;
        let decision = Decision {
            seat: self.seat_name(seat).to_owned().into(),
            prompt: u64::from(answer.prompt),
            ask: answer.kind.into(),
            order: Json::new(&answer.order.value()).expect("a Value is JSON"),
            via,
            words: mail.map(|from| from.words),
        };
        let cause = Cause::Decision { seat, prompt: answer.prompt, order: decision.order.get().into() };
        self.step(n, Body::Decision(decision), cause, asks_from)
    }
    /// Has the rules begin: they run to their first questions or, for a fork, go on from the
    /// position of its parent. `n` is the number of the `started` line.
    ///
    /// # Errors
    /// Returns an error if the rules break down.
    pub(crate) fn begin(&mut self, n: u64, watch: Watch) -> Result<(), LiveFault> {
        if let Some(Past { dyn_game, half, mark, step_log }) = self.past.take() {
            self.dyn_game = dyn_game;
            self.step_log.go_on_from(step_log, half);
            if self.watch.tell {
                self.marks.extend(mark.map(|mark| RoundMark { n, ..mark }));
            }
        }
        let (cause, split) = match self.step_log.fork() {
            None => (Some(&Cause::Started), None),
            Some(half) => half.map(|half| (&half.cause, half.rounds)).unzip(),
        };
        if let Some(cause) = cause {
            let split = watch.split.or(split);
            run(cause, &mut self.dyn_game, &self.opened, &self.ledger, Watch { split, ..watch })?;
        }
        if let Some(dyn_game) = &mut self.dyn_game {
            dyn_game.set_watch(watch);
        }
        Ok(())
    }
    fn step(&mut self, n: u64, line: Body<'static>, cause: Cause, asks_from: PromptId) -> Result<Step, LiveFault> {
        let dyn_game = self.dyn_game.as_mut().ok_or(LiveFault::NotNow("the game has not begun"))?;
        let (events, told) = (dyn_game.take_events(), dyn_game.take_told());
        let outcome = self.outcome_by_rules();
        self.closed = outcome.is_some();
        let kind = match &line {
            Body::Decision(decision) => decision.ask.to_string().into(),
            _ => "".into(),
        };
        let mut bodies = vec![line];
        let mut ledger = self.ledger.borrow_mut();
        let (chance, given_before) = ledger.take_given();
        bodies.extend(lines_for(&events, outcome, &self.opened.seats, &mut ledger)?);
        drop(ledger);
        let marks: Vec<RoundMark> = bodies.iter().zip(n..).filter_map(|(body, n)| mark(n, body)).collect();
        if self.watch.tell {
            self.marks.extend(marks.iter().cloned());
        }
        let (first, last, again) = (n, n + bodies.len() as u64 - 1, Vec::new());
        let step = LoggedStep { n, first, again, last, cause, kind, asks_from, chance, marks, given_before };
        let told = self.tell(&step, told);
        self.step_log.push(step);
        Ok(Step { bodies, told })
    }
    /// Executes a director's ruling. `n` is the number that its line will have. The step's lines
    /// must be appended before the next step.
    ///
    /// # Errors
    /// [`LiveFault::Rejected`] with [`Rejected::Refused`]
    /// changes nothing.
    pub fn rule(&mut self, n: u64, ruling: Ruling<'static>) -> Result<Step, LiveFault> {
        if !self.is_live() {
            return Err(LiveFault::NotLive);
        }
        let dyn_game = self.dyn_game.as_mut().ok_or(LiveFault::NotNow("the game has not begun"))?;
        let (effect, told) = (for_game(ruling.effect.get()), ruled(&ruling));
        let asks_from = dyn_game.next_prompt();
        dyn_game.rule(effect, &told)?;
        let cause = Cause::Ruling { effect: effect.into(), told: told.into() };
        self.step(n, Body::Ruling(ruling), cause, asks_from)
    }
    /// Returns the question answered by line `n`; `None` if it is not an order or was undone.
    pub fn answered(&self, n: u64) -> Option<Answered<'_>> {
        let step = self.step_log.step(n)?;
        let Cause::Decision { prompt, .. } = step.cause else { return None };
        Some(Answered { prompt, kind: &step.kind, asks_from: step.asks_from })
    }
    /// Returns the seat whose decision is in line `n`; `None` if there is none or the step log does
    /// not have it.
    pub fn decided_by(&self, n: u64) -> Option<Seat> {
        let Cause::Decision { seat, .. } = self.step_log.step(n)?.cause else { return None };
        Some(seat)
    }
    /// Records that the lines of the last step are appended; `head` is the last of them.
    pub fn advance(&mut self, head: Head) {
        self.head = head;
    }
    /// Returns the game after the step to which line `n` belongs, from the step log. Returns `None`
    /// if a rewind has undone that line.
    ///
    /// # Errors
    /// Returns a [`ReplayFault`] if the rules reject a logged step.
    pub fn then(&self, n: u64) -> Result<Option<Then>, ReplayFault> {
        let Some(to) = self.step_log.end_of_step(n.min(self.head.n), self.head.n) else { return Ok(None) };
        let ledger = Rc::new(RefCell::new(ChanceLedger::new(SecretBook::default())));
        let dyn_game = self.step_log.play(&|n| n <= to, &self.opened, &ledger)?;
        Ok(Some(Then { n: to, place: called(self.step_log.mark(to).as_slice()), dyn_game }))
    }
    /// Returns a copy of the game at its current position, from the step log, including decisions
    /// that are not appended yet. Its further dice and shuffles are random, from this seed, so
    /// decisions in it are not real. Returns `None` before play has begun.
    ///
    /// # Errors
    /// Returns a [`ReplayFault`] if the rules reject a logged step.
    pub fn imagined(&self, seed: u64) -> Result<Option<Box<dyn DynGame>>, ReplayFault> {
        if self.step_log.end_of_step(self.head.n, self.head.n).is_none() {
            return Ok(None);
        }
        let ledger = Rc::new(RefCell::new(ChanceLedger::new(SecretBook::default())));
        let dyn_game = self.step_log.play(&|_| true, &self.opened, &ledger)?;
        ledger.borrow_mut().imagine(SeededChance::new(seed));
        Ok(dyn_game)
    }
    /// Returns the same with everything that is hidden from a seat replaced by random values: a
    /// game that fits all that the seat knows. Also returns `None` if the rules cannot do that.
    ///
    /// # Errors
    /// Returns a [`ReplayFault`] if the rules reject a logged step.
    pub fn imagined_by(&self, seat: Seat, seed: u64) -> Result<Option<Box<dyn DynGame>>, ReplayFault> {
        let Some(mut dyn_game) = self.imagined(seed)? else { return Ok(None) };
        let mut hidden =
            DiceStream::new(h("postrider/made-up/v1", &[&self.game, &seat.to_string(), &seed.to_string()]));
        let made_up = dyn_game.make_up(seat, Box::new(move |n| hidden.below(n)));
        Ok(made_up.is_ok().then_some(dyn_game))
    }
    /// Returns the `n` of the line that marks a point of the effective history or, if it has none, of
    /// undone play.
    ///
    /// # Errors
    /// As [`Checkpoint::find`].
    pub fn find(&self, at: &Checkpoint) -> Result<u64, CheckpointError> {
        at.find(&self.marks).or_else(|why| match (&why, at.find(&self.undone_marks)) {
            (CheckpointError::Ambiguous { .. }, _) => Err(why),
            (_, found @ (Ok(_) | Err(CheckpointError::Ambiguous { .. }))) => found,
            _ => Err(why),
        })
    }
    /// Returns the view of a seat, or of a spectator, at the beginning of a Round, before its dice;
    /// this works even for a Round without questions. Returns `None` if the step log does not have
    /// it.
    ///
    /// # Errors
    /// Returns a [`ReplayFault`] if the rules reject a logged step.
    pub fn view_at(&self, mark: &RoundMark, seat: Option<Seat>) -> Result<Option<serde_json::Value>, ReplayFault> {
        let ledger = Rc::new(RefCell::new(ChanceLedger::new(SecretBook::default())));
        self.step_log.view_at(mark.n, seat, &self.opened, &ledger)
    }
    /// Replays the game from its beginning, from the step log, and calls `see` with the rules
    /// before and after each step. A fork begins at the position of its parent.
    ///
    /// # Errors
    /// Returns a [`ReplayFault`] if the rules reject a logged step.
    pub fn each_step(&self, see: &mut dyn FnMut(When, &LoggedStep, &dyn DynGame)) -> Result<(), ReplayFault> {
        let ledger = Rc::new(RefCell::new(ChanceLedger::new(SecretBook::default())));
        self.step_log.each(&self.opened, &ledger, see)
    }
    /// Carries out a rewind: continues after its line `to` with the chains in `fresh` or, if there
    /// are none, with the current ones. Returns the lines that follow, if `to` is within a step.
    /// Returns `None` if the step log does not have line `to`, because it was undone; then nothing
    /// has changed, and the game must be rebuilt.
    ///
    /// # Errors
    /// Returns a [`LiveFault`] if the rules reject a step; the game must then be rebuilt.
    pub fn go_back(&mut self, rewind: Rewind, fresh: Vec<SeedChain>) -> Result<Option<Vec<Body<'static>>>, LiveFault> {
        let Rewind { to, at, within } = rewind;
        let again = match within {
            Some(first) => {
                let step = self.step_log.with_round(to).filter(|step| step.first == first);
                Some(step.ok_or(LiveFault::NotNow("no Round of the effective history begins there"))?.clone())
            }
            None if self.step_log.end_of_step(to, at) != Some(to) => return Ok(None),
            None => None,
        };
        let live = {
            let mut ledger = self.ledger.borrow_mut();
            if self.closed {
                ledger.all_laid_open();
            }
            if !fresh.is_empty() {
                ledger.renew_with(fresh);
            }
            ledger.pause()
        };
        self.play_back(&|n| n <= to || n >= at, within)?;
        self.ledger.borrow_mut().go_on(live);
        let undone = self.marks.extract_if(.., |mark| mark.n > to);
        self.undone_marks.extend(undone);
        self.undone_marks.sort_by_key(|mark| mark.n);
        self.step_log.rewound(rewind);
        match again {
            Some(step) => self.play_on(rewind, step).map(Some),
            None => {
                self.story.retain(|line| line.n <= to);
                Ok(Some(Vec::new()))
            }
        }
    }
    /// Runs a step again, from its Round number `rounds` on with other dice and shuffles than were
    /// recorded.
    fn run_again(&mut self, step: &LoggedStep, rounds: usize) -> Result<&mut Box<dyn DynGame>, LiveFault> {
        let mut ledger = self.ledger.borrow_mut();
        ledger.record(step.chance.clone());
        ledger.turn_at(rounds);
        drop(ledger);
        let watch = Watch { split: Some(rounds), ..self.watch };
        match step.cause {
            Cause::Started => self.begin(step.first, watch)?,
            _ => run(&step.cause, &mut self.dyn_game, &self.opened, &self.ledger, watch)?,
        }
        let dyn_game = self.dyn_game.as_mut().ok_or(LiveFault::NotNow("the game has not begun"))?;
        dyn_game.set_watch(self.watch);
        Ok(dyn_game)
    }
    /// Plays a step again, from the Round on to which a rewind leads. The rules are where they were
    /// before the step. Returns the lines that follow.
    fn play_on(&mut self, Rewind { to, at, .. }: Rewind, step: LoggedStep) -> Result<Vec<Body<'static>>, LiveFault> {
        let rounds = step.rounds_before(to).unwrap_or_default();
        let dyn_game = self.run_again(&step, rounds)?;
        let (events, told) = (dyn_game.take_events(), dyn_game.take_told());
        let outcome = self.outcome_by_rules();
        self.closed = outcome.is_some();
        let mut ledger = self.ledger.borrow_mut();
        let (chance, given_before) = ledger.take_given();
        let bodies = lines_for(&events, outcome, &self.opened.seats, &mut ledger)?;
        drop(ledger);
        let new: Vec<RoundMark> = bodies.iter().zip(at + 1..).filter_map(|(body, n)| mark(n, body)).collect();
        if self.watch.tell {
            self.marks.extend(new.iter().cloned());
        }
        let marks = step.marks.into_iter().filter(|mark| mark.n <= to).chain(new).collect();
        let mut again = step.again;
        again.retain(|one| one.rounds < rounds);
        again.push(Again { rounds, at });
        let last = at + bodies.len() as u64;
        let step = LoggedStep { n: at, again, last, chance, marks, given_before, ..step };
        self.tell(&step, told);
        self.step_log.push(step);
        Ok(bodies)
    }
    /// Returns the story that a rewind to line `to` undoes.
    pub fn undone_story(&self, to: u64, within: Option<u64>) -> impl Iterator<Item = &StoryLine> {
        let step = within.and_then(|_| self.step_log.with_round(to));
        let stays = step.and_then(|step| Some((step.first, step.rounds_before(to)?)));
        let undone = move |line: &&StoryLine| {
            line.n > to || stays.is_some_and(|(first, rounds)| line.n >= first && line.told.rounds > rounds)
        };
        self.story.iter().filter(undone)
    }
    /// Adds the lines told by a step to the story, in place of those told before it was played
    /// again, and returns them. A fork does not repeat lines that its parent has told.
    pub(crate) fn tell(&mut self, step: &LoggedStep, mut told: Vec<Told>) -> Vec<Told> {
        told.retain(|told| told.rounds >= step.skipped());
        self.story.truncate(self.story.partition_point(|line| line.n < step.first));
        self.story.extend(told.iter().map(|told| StoryLine { n: step.told_in(told.rounds), told: told.clone() }));
        told
    }
    /// Returns the rules and the deadlines to the position after the lines that `wanted` selects
    /// or, if a step is to be played again, to that before line `again`, which caused it. Returns
    /// the number of steps that were replayed.
    pub(crate) fn play_back(&mut self, wanted: &dyn Fn(u64) -> bool, again: Option<u64>) -> Result<u64, ReplayFault> {
        let before = |n| again.is_none_or(|first| n < first);
        self.dyn_game = self.step_log.play(&|n| wanted(n) && before(n), &self.opened, &self.ledger)?;
        if self.dyn_game.is_none() {
            self.dyn_game = self.step_log.first(&self.opened, &self.ledger)?;
        }
        self.closed = self.motions.closed().is_some();
        if let Some(dyn_game) = &mut self.dyn_game {
            dyn_game.set_watch(self.watch);
            self.closed |= dyn_game.outcome().is_some();
        }
        self.deadlines.hear_again(wanted, again);
        Ok(self.dyn_game.as_ref().map_or(0, |dyn_game| u64::from(dyn_game.decisions())))
    }
    /// Records that a player has joined or taken over a seat; the line is already appended.
    pub fn join(&mut self, seat: Seat, luck: &str) {
        if let Some(phrase) = self.joined.get_mut(seat.index()) {
            *phrase = Some(luck.to_owned());
        }
    }
}

fn place_of(places: &BTreeMap<String, u64>, seat: &str) -> Option<u32> {
    u32::try_from(*places.get(seat)?).ok()
}

/// A game at an earlier position.
pub struct Then {
    /// The `n` of the last line before it.
    pub n: u64,
    /// The Turn and Round in words.
    pub place: String,
    /// The rules at that position; `None` before play had begun.
    pub dyn_game: Option<Box<dyn DynGame>>,
}

/// Returns the part of a ruling's effect that the rules handle; a moved deadline is not part of it.
pub(crate) fn for_game(effect: &str) -> &str {
    if only_moves_deadline(effect) { "{}" } else { effect }
}

/// Returns the text that announces a ruling, without its effect. A director's ruling that did not
/// come by mail was entered by the host.
pub fn ruled(ruling: &Ruling<'_>) -> String {
    let (by, text) = (&*ruling.by, &*ruling.text);
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    if by == ALL_PLAYERS {
        return format!("{}{stop}", capital(text));
    }
    // A director's own name needs no article.
    let the = if by.starts_with(char::is_uppercase) { "" } else { "The " };
    let entered = if ruling.via == Some(Via::Cli) { " (entered by the host)" } else { "" };
    format!("{the}{by} rules{entered}: {text}{stop}")
}

/// Describes rollouts, with `@A` and so on for players.
#[must_use]
pub fn rollouts_in_words(found: &RolledOut) -> String {
    let percent = |thousandths: u64| (thousandths + 5) / 10;
    let wins = found.wins.iter().map(|(seat, [share, low, high])| {
        format!("@{seat} {} % of the wins ({} to {})", percent(*share), percent(*low), percent(*high))
    });
    let wins: Vec<String> = wins.collect();
    let RolledOut { entry, bot, count, seed, .. } = found;
    format!("{count} rollouts from entry {entry} by the bot {bot} (seed {seed}): {}", wins.join(", "))
}
