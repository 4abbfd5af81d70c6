//! A running game: the rules at work on what the journal says, and what is known beside them.

use super::{
    catalog::Opened,
    chance_ledger::{ChanceLedger, LedgerChance},
    deadlines::{Deadlines, only_moves_deadline},
    fault::ReplayFault,
    index::Rewind,
    marks::{Answered, Begun, RoundMark, StoryLine, mark, place},
    seatings::Seatings,
    secret_book::SecretBook,
    step::{LiveFault, Step, lines_for},
    step_log::{Cause, LoggedStep, Past, StepLog, When},
};
use postrider_dice::{DiceStream, Hash, SeedChain, h};
use postrider_journal::{Body, Checker, Decision, Head, Json, Ruling, Started, Via, luck_digest};
use postrider_table::{DynGame, Outcome, PromptId, Seat, SeededChance, SetupFault, Understood, Watch};
use std::{cell::RefCell, rc::Rc};

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
    /// What the first line says.
    pub opened: Opened,
    /// The luck phrase of each seat; `None` while nobody has joined it.
    pub joined: Vec<Option<String>>,
    /// Who came to sit where.
    pub seatings: Seatings,
    /// The beginning of play, once it has begun.
    pub started: Option<Begun>,
    /// The rules at work, once play has begun.
    pub dyn_game: Option<Box<dyn DynGame>>,
    /// The last line that was read or, by [`LiveGame::advance`], appended.
    pub head: Head,
    /// The story of the effective history, where [`Watch::tell`] asks for it.
    pub story: Vec<StoryLine>,
    /// The Rounds of the effective history, where [`Watch::tell`] asks for it.
    pub marks: Vec<RoundMark>,
    /// Whether the game is closed.
    pub closed: bool,
    /// Until when its questions are to be answered.
    pub deadlines: Deadlines,
    /// What the lines so far are held against, of a game that is played on: a line that contradicts them must not be written.
    pub checker: Option<Checker>,
    /// Of a fork that has not begun: the game that it goes on with.
    pub past: Option<Past>,
    pub ledger: Rc<RefCell<ChanceLedger>>,
    /// What the rules were fed so far.
    pub step_log: StepLog,
    pub watch: Watch,
}

impl LiveGame {
    /// The seat of this name.
    #[must_use]
    pub fn seat(&self, name: &str) -> Option<Seat> {
        Seat::among(&self.opened.seats, name)
    }
    /// How the journal names a seat; "" for one that the game does not have.
    #[must_use]
    pub fn seat_name(&self, seat: Seat) -> &str {
        self.opened.seats.get(seat.index()).map_or("", String::as_str)
    }
    /// Whether the operator's secrets are at hand to play on.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.ledger.borrow().is_live()
    }
    /// The secret of a shuffle, where it is known: with it [`postrider_dice::card_salt`] makes the salts that a player's
    /// mail tells of his cards.
    #[must_use]
    pub fn deck_secret(&self, deck: &str, epoch: u32) -> Option<Hash> {
        self.ledger.borrow().secret(deck, u64::from(epoch))
    }
    /// How the game ended by its rules; `None` while it is not over, and for a game that was
    /// abandoned.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.dyn_game.as_ref()?.outcome()
    }
    /// From now on dice and shuffles are made up from this seed: the game is no longer live, and what is decided in it is
    /// nobody's decision. What has been rolled and dealt stays.
    pub fn imagine(&mut self, seed: u64) {
        self.ledger.borrow_mut().imagine(SeededChance::new(seed));
    }
    /// Begins play: fixes the luck and runs the rules to their first questions. `n` is the place of the `started` line.
    ///
    /// # Errors
    /// [`LiveFault`]; after anything but [`LiveFault::NotNow`] and [`LiveFault::NotLive`] the game must be rebuilt.
    pub fn start(&mut self, n: u64) -> Result<Step, LiveFault> {
        if self.started.is_some() {
            return Err(LiveFault::NotNow("the game has begun already"));
        }
        if !self.is_live() {
            return Err(LiveFault::NotLive);
        }
        let luck = luck_digest(self.joined.iter().map(|phrase| phrase.as_deref().unwrap_or("")));
        self.ledger.borrow_mut().started(luck);
        let dyn_game = self.first_position(n, self.watch)?;
        if let Some(fault) = dyn_game.fault() {
            return Err(fault.clone().into());
        }
        self.started = Some(Begun { n, luck });
        self.dyn_game = Some(dyn_game);
        self.step(n, Body::Started(Started { luck }), Cause::Started, 0)
    }
    /// Gives one decision to the rules. `n` is the place that its line will have. The step's lines must be appended
    /// before the next decision; if that fails the game must be rebuilt.
    ///
    /// # Errors
    /// [`LiveFault::Rejected`] with [`Rejected::Refused`] changes nothing.
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
    /// The rules at their first questions, or those of a fork's parent where it left them. `n` is the place of `started`.
    pub fn first_position(&mut self, n: u64, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault> {
        let Some(Past { mut dyn_game, mark, step_log }) = self.past.take() else {
            return self.opened.open(Box::new(LedgerChance(self.ledger.clone())), watch);
        };
        dyn_game.set_watch(watch);
        self.step_log.go_on_from(step_log);
        if self.watch.tell {
            self.marks.extend(mark.map(|mark| RoundMark { n, ..mark }));
        }
        Ok(dyn_game)
    }
    fn step(&mut self, n: u64, line: Body<'static>, cause: Cause, asks_from: PromptId) -> Result<Step, LiveFault> {
        let dyn_game = self.dyn_game.as_mut().ok_or(LiveFault::NotNow("the game has not begun"))?;
        let (events, told, outcome) = (dyn_game.take_events(), dyn_game.take_told(), dyn_game.outcome());
        self.closed = outcome.is_some();
        let kind = match &line {
            Body::Decision(decision) => decision.ask.to_string().into(),
            _ => "".into(),
        };
        let mut bodies = vec![line];
        let mut ledger = self.ledger.borrow_mut();
        let chance = ledger.take_given();
        bodies.extend(lines_for(&events, outcome, &self.opened.seats, &mut ledger)?);
        drop(ledger);
        let marks = bodies.iter().zip(n..).filter_map(|(body, n)| mark(n, body)).collect();
        self.step_log.push(LoggedStep { n, last: n + bodies.len() as u64 - 1, cause, kind, asks_from, chance, marks });
        if self.watch.tell {
            self.story.extend(told.iter().map(|told| StoryLine { n, told: told.clone() }));
            self.marks.extend(bodies.iter().zip(n..).filter_map(|(body, n)| mark(n, body)));
        }
        Ok(Step { bodies, told })
    }
    /// Does what a director rules. `n` is the place that its line will have, which must be appended before anything else
    /// happens.
    ///
    /// # Errors
    /// [`LiveFault::Rejected`] with [`Rejected::Refused`] changes nothing.
    pub fn rule(&mut self, n: u64, ruling: Ruling<'static>) -> Result<Step, LiveFault> {
        if !self.is_live() {
            return Err(LiveFault::NotLive);
        }
        let dyn_game = self.dyn_game.as_mut().ok_or(LiveFault::NotNow("the game has not begun"))?;
        let (effect, told) = (for_game(ruling.effect.get()), ruled(&ruling.by, &ruling.text));
        let asks_from = dyn_game.next_prompt();
        dyn_game.rule(effect, &told)?;
        let cause = Cause::Ruling { effect: effect.into(), told: told.into() };
        self.step(n, Body::Ruling(ruling), cause, asks_from)
    }
    /// What line `n` answers; `None` where it is no order or a rewind has undone it.
    pub fn answered(&self, n: u64) -> Option<Answered<'_>> {
        let step = self.step_log.step(n)?;
        let Cause::Decision { prompt, .. } = step.cause else { return None };
        Some(Answered { prompt, kind: &step.kind, asks_from: step.asks_from })
    }
    /// Whose decision stands in line `n`. `None` where none stands or it is not remembered.
    pub fn decided_by(&self, n: u64) -> Option<Seat> {
        let Cause::Decision { seat, .. } = self.step_log.step(n)?.cause else { return None };
        Some(seat)
    }
    /// The lines of the last step are safe; `head` is the last of them.
    pub fn advance(&mut self, head: Head) {
        self.head = head;
    }
    /// The game as it stood behind the step to which line `n` belongs, from memory. `None` where it is not remembered: a
    /// rewind has undone that line.
    ///
    /// # Errors
    /// [`ReplayFault`] when the rules do not do again what they did.
    pub fn then(&self, n: u64) -> Result<Option<Then>, ReplayFault> {
        let Some(to) = self.step_log.end_of_step(n.min(self.head.n), self.head.n) else { return Ok(None) };
        let ledger = Rc::new(RefCell::new(ChanceLedger::new(SecretBook::default())));
        let dyn_game = self.step_log.play(&|n| n <= to, &self.opened, &ledger)?;
        Ok(Some(Then { n: to, place: place(self.step_log.mark(to).as_slice()), dyn_game }))
    }
    /// The game as it stands, from memory, with what is decided and not yet appended, and with dice and shuffles made up from this seed
    /// from here on: what is tried in it is nobody's decision. `None` before play has begun.
    ///
    /// # Errors
    /// [`ReplayFault`] when the rules do not do again what they did.
    pub fn imagined(&self, seed: u64) -> Result<Option<Box<dyn DynGame>>, ReplayFault> {
        if self.step_log.end_of_step(self.head.n, self.head.n).is_none() {
            return Ok(None);
        }
        let ledger = Rc::new(RefCell::new(ChanceLedger::new(SecretBook::default())));
        let dyn_game = self.step_log.play(&|_| true, &self.opened, &ledger)?;
        ledger.borrow_mut().imagine(SeededChance::new(seed));
        Ok(dyn_game)
    }
    /// The same with everything made up anew that is hidden from a seat: a game that could be this one for all that the seat knows.
    ///
    /// # Errors
    /// [`ReplayFault`] when the rules do not do again what they did.
    pub fn imagined_by(&self, seat: Seat, seed: u64) -> Result<Option<Box<dyn DynGame>>, ReplayFault> {
        let Some(mut dyn_game) = self.imagined(seed)? else { return Ok(None) };
        let mut hidden =
            DiceStream::new(h("postrider/made-up/v1", &[&self.game, &seat.to_string(), &seed.to_string()]));
        let made_up = dyn_game.make_up(seat, Box::new(move |n| hidden.below(n)));
        Ok(made_up.is_ok().then_some(dyn_game))
    }
    /// What a seat (or a spectator) could see where a Round began, before its dice, also where nobody was asked in it. `None` where
    /// that is not remembered.
    ///
    /// # Errors
    /// [`ReplayFault`] when the rules do not do again what they did.
    pub fn view_at(&self, mark: &RoundMark, seat: Option<Seat>) -> Result<Option<serde_json::Value>, ReplayFault> {
        let mut view = None;
        let holds = |step: &LoggedStep| (step.n..=step.last).contains(&mark.n);
        self.each_step(&mut |when, step, dyn_game| match when {
            When::Before if holds(step) => dyn_game.freeze_at(&mark.label),
            When::After if holds(step) => view = dyn_game.frozen_view(seat),
            _ => {}
        })?;
        Ok(view)
    }
    /// Plays the game again from its beginning, from memory, and shows the rules before and after
    /// each step that counts. A fork begins where its parent was.
    ///
    /// # Errors
    /// [`ReplayFault`] when the rules do not do again what they did.
    pub fn each_step(&self, see: &mut dyn FnMut(When, &LoggedStep, &mut dyn DynGame)) -> Result<(), ReplayFault> {
        let ledger = Rc::new(RefCell::new(ChanceLedger::new(SecretBook::default())));
        self.step_log.each(&self.opened, &ledger, see)
    }
    /// Goes on after line `to` with fresh chains, or with those in use if there are none, as line `at` says, which is appended. `false` where that is not remembered;
    /// then nothing has changed, and the game must be rebuilt.
    ///
    /// # Errors
    /// [`ReplayFault`] when the rules do not do again what they did; the game must be rebuilt then.
    pub fn go_back(&mut self, Rewind { to, at }: Rewind, fresh: Vec<SeedChain>) -> Result<bool, ReplayFault> {
        if self.step_log.end_of_step(to, at) != Some(to) {
            return Ok(false);
        }
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
        self.play_back(&|n| n <= to || n >= at)?;
        self.ledger.borrow_mut().go_on(live);
        self.story.retain(|line| line.n <= to);
        self.marks.retain(|mark| mark.n <= to);
        self.step_log.rewound(Rewind { to, at });
        Ok(true)
    }
    /// Has the rules and the deadlines where the lines that are `wanted` bring them. Gives how many steps that took.
    pub fn play_back(&mut self, wanted: &dyn Fn(u64) -> bool) -> Result<u64, ReplayFault> {
        self.dyn_game = self.step_log.play(wanted, &self.opened, &self.ledger)?;
        self.closed = false;
        if let Some(dyn_game) = &mut self.dyn_game {
            dyn_game.set_watch(self.watch);
            self.closed = dyn_game.outcome().is_some();
        }
        self.deadlines.hear_again(wanted);
        Ok(self.dyn_game.as_ref().map_or(0, |dyn_game| u64::from(dyn_game.decisions())))
    }
    /// Somebody has joined or taken over a seat; his line is appended.
    pub fn join(&mut self, seat: Seat, luck: &str) {
        if let Some(phrase) = self.joined.get_mut(seat.index()) {
            *phrase = Some(luck.to_owned());
        }
    }
}

/// A game as it stood earlier.
pub struct Then {
    /// n of the last line before it.
    pub n: u64,
    /// Turn and Round in words.
    pub place: String,
    /// The rules at work, once play had begun.
    pub dyn_game: Option<Box<dyn DynGame>>,
}

/// The part of a ruling's effect that is the game's own: a deadline is not.
pub fn for_game(effect: &str) -> &str {
    if only_moves_deadline(effect) { "{}" } else { effect }
}

/// How a ruling is told, up to what it does.
pub fn ruled(by: &str, text: &str) -> String {
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("The {by} rules: {text}{stop}")
}
