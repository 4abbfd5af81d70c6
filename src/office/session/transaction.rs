//! A change of a game: its lease is held, and the entries of the change are collected and appended together.

use super::{Game, RewindReports, replayed};
use crate::{error::OfficeError, services::Services};
use postrider_dice::Hash;
use postrider_journal::{Body, Head, Via, Writer};
use postrider_replay::{FromMail, LiveFault, deadlines::unix, step::Derived};
use postrider_store::{Append, GameStatus, Kept, Lease, OutgoingLetter, Player, StoreError, Written, compose};
use postrider_table::{Asked, Rejected, Seat, Understood};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// A game that is being changed. It reads as the [`Game`] with every change made so far. As long as it holds the lease
/// nobody else can change the game.
pub struct Transaction {
    game: Game,
    /// The right to change the game; `None` for a dry run.
    lease: Option<Box<dyn Lease>>,
    writer: Writer,
    /// Lines that are made but not yet appended.
    batch: String,
    /// The numbers of those of them that follow from no other.
    causes: Vec<u64>,
    /// The mail of the decisions among them, and its seat.
    ordered_by: Option<(Seat, Hash)>,
    /// What letters tell of rewinds.
    pub(crate) rewind_reports: RewindReports,
    /// `true` if the mail that is worked on says `pause`, so that its own orders do not end the pause.
    pub(crate) paused_by_mail: bool,
    /// Remarks for the seats whose standing orders came to an end.
    pub(crate) notes: Vec<(Seat, String)>,
}

impl Deref for Transaction {
    type Target = Game;

    fn deref(&self) -> &Game {
        &self.game
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Game {
        &mut self.game
    }
}

impl Transaction {
    /// Begins to change a game: waits for its lease and finishes what a crash left undone. `known` is the game as it was
    /// committed before; it is used if nothing was changed since.
    ///
    /// # Errors
    /// [`OfficeError::NoGame`], or why it cannot be opened.
    pub fn begin(services: &mut Services, id: &str, known: Option<Game>) -> Result<Transaction, OfficeError> {
        let mark = known.as_ref().and_then(|game| game.mark.as_ref());
        let mut lease = services.store.lease(id, mark)?.ok_or_else(|| OfficeError::NoGame(id.to_owned()))?;
        let now = services.store.mark(id)?;
        if let Some(game) = known
            && game.settled
            && game.mark.as_ref() == Some(&now)
        {
            return Ok(Transaction::of(game, Some(lease)));
        }
        let game = Game::leased(services, id, &mut *lease, true)?;
        let mut transaction = Transaction::of(game, Some(lease));
        transaction.run_pending(services, None)?;
        transaction.game.settled = true;
        Ok(transaction)
    }

    /// Begins to go on from a journal that is an older copy.
    ///
    /// # Errors
    /// [`OfficeError::NoGame`], or why it cannot be opened.
    pub fn begin_with_older(services: &mut Services, id: &str) -> Result<Transaction, OfficeError> {
        let mut lease = services.store.lease(id, None)?.ok_or_else(|| OfficeError::NoGame(id.to_owned()))?;
        let game = Game::leased(services, id, &mut *lease, false)?;
        Ok(Transaction::of(game, Some(lease)))
    }

    /// A transaction that is never committed: it shows what a change would do.
    pub fn dry_run(game: Game) -> Transaction {
        Transaction::of(game, None)
    }

    fn of(game: Game, lease: Option<Box<dyn Lease>>) -> Transaction {
        let writer = Writer::after(&game.live.head);
        Transaction {
            game,
            lease,
            writer,
            batch: String::new(),
            causes: Vec::new(),
            ordered_by: None,
            rewind_reports: RewindReports::default(),
            paused_by_mail: false,
            notes: Vec::new(),
        }
    }

    /// Gives the lease back, and the game as it is now.
    ///
    /// # Errors
    /// When nobody knows whether everything is safe.
    pub fn commit(mut self, services: &Services) -> Result<Game, OfficeError> {
        let mut status = GameStatus::of(&mut self.game.live, &self.game.seats)?;
        let asked = self.asked()?;
        let required = asked.iter().filter(|asked| asked.required && self.live.started.is_some());
        let deadline = |asked: &Asked| {
            let seat = self.live.seat_name(asked.seat).to_owned();
            Some((seat, self.deadline_of(services, asked.seat, asked.id)?))
        };
        status.deadlines = required.clone().filter_map(deadline).collect();
        let deadlines = required.filter_map(|asked| self.next_due_for(services, asked.seat, asked.id));
        let others = [self.waits_until(), self.next_absence(services), self.next_digest(services)];
        status.due = deadlines.chain(others.into_iter().flatten()).min();
        status.spare_due = !self.live.closed && self.secrets.spare_due(self.facts.generations());
        let Transaction { mut game, lease, .. } = self;
        let lease = lease.ok_or(StoreError::ReadOnly)?;
        game.mark = Some(lease.release(Some(&status))?);
        Ok(game)
    }

    /// The right to change the game.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] for a game that is only looked at.
    fn lease(&mut self) -> Result<&mut dyn Lease, StoreError> {
        match &mut self.lease {
            Some(lease) => Ok(&mut **lease),
            None => Err(StoreError::ReadOnly),
        }
    }

    /// Keeps something beside the journal.
    pub(crate) fn keep(&mut self, kept: Kept) -> Result<(), StoreError> {
        self.lease()?.keep(&kept)?;
        self.game.seats.learn(&kept);
        self.game.secrets.learn(kept);
        Ok(())
    }

    /// Takes away what is to be forgotten. What was read of it stays in memory until the game is opened anew.
    pub(crate) fn forget(&mut self, gone: &dyn Fn(&Kept) -> bool) -> Result<bool, StoreError> {
        self.lease()?.forget(gone)
    }

    /// Keeps what seats have been written, and the mail that was answered with it.
    pub(crate) fn keep_written(
        &mut self,
        seats: BTreeMap<Seat, Written>,
        mail: Option<Hash>,
        copies: Option<Hash>,
    ) -> Result<(), StoreError> {
        if seats.is_empty() && mail.is_none() {
            return Ok(());
        }
        self.keep(Kept::Written { seats, mail, copies })
    }

    /// Puts a letter to a player into the outbox, as one that was written at this head.
    pub(crate) fn send(
        &mut self,
        services: &Services,
        head: &Head,
        to: &Player,
        letter: &OutgoingLetter,
    ) -> Result<(), StoreError> {
        let row = compose(&services.host, &services.key, head, to, letter, self.of_seat(services, to))?;
        self.lease()?.put(&row)?;
        Ok(())
    }

    /// Has the game as its journal has it.
    pub(crate) fn replay_again(&mut self, services: &Services) -> Result<(), OfficeError> {
        let Some(lease) = &mut self.lease else { return Err(StoreError::ReadOnly.into()) };
        (self.game.live, self.game.facts) = replayed(services, &mut **lease, &self.game.secrets, &self.game.id)?;
        Ok(())
    }

    /// Makes the next line; [`Transaction::append`] appends it.
    pub fn line(&mut self, services: &Services, body: &Body<'_>) -> Result<u64, OfficeError> {
        let n = self.writer.n();
        let at = services.environment.at();
        let text = self.writer.line(&at, body)?;
        self.batch.push_str(&text);
        match body {
            Body::Started(_) => self.game.live.hear_step(n, unix(&at), None),
            Body::Decision(decision) => self.game.live.hear_step(n, unix(&at), Some(decision.prompt)),
            other => self.game.live.hear_time(n, &at, other),
        }
        if self.game.live.seatings.hear(n, body) {
            self.game.seats.sit(&self.game.live.seatings);
        }
        if Derived::of(body).is_none() {
            self.causes.push(n);
        }
        self.game.facts.apply(n, body, false);
        self.game.facts.last_at = at;
        self.game.facts.hashes.extend(self.writer.head().map(|head| head.hash));
        Ok(n)
    }

    /// Appends all lines made since the last time, in one write; they are safe when this returns. `by`: the mail that made them
    /// necessary, and whose it is.
    pub fn append(&mut self, by: Option<(Seat, Hash)>) -> Result<(), OfficeError> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let lines = std::mem::take(&mut self.batch);
        // Secrets that were damaged would make lines that contradict: none of them is written.
        if let Some(checker) = &mut self.game.live.checker {
            for line in lines.lines() {
                checker.feed(line.as_bytes()).map_err(|fault| OfficeError::FalseLine(Box::new(fault)))?;
            }
        }
        // The journal does not name the mail of a decision.
        let ordered_by = self.ordered_by.take();
        if let [first, ref rest @ ..] = self.causes[..]
            && (!rest.is_empty() || ordered_by.is_some())
        {
            self.keep(Kept::Append(Append { from: first, to: self.writer.n() - 1, by: ordered_by.or(by) }))?;
        }
        let expected = self.game.live.head.n + 1;
        let lease = self.lease()?;
        lease.append(expected, lines.as_bytes())?;
        self.game.source = lease.journal();
        self.causes.clear();
        if let Some(head) = self.writer.head() {
            self.game.live.advance(head);
        }
        Ok(())
    }

    /// Gives a decision to the rules. When they break down, the game is put back to where it was before it.
    ///
    /// # Errors
    /// [`OfficeError::Live`] with the refusal; nothing has changed then.
    pub fn decide(
        &mut self,
        services: &Services,
        seat: Seat,
        order: &Understood,
        via: Via,
        mail: Option<FromMail>,
    ) -> Result<(), OfficeError> {
        match self.game.live.decide(self.writer.n(), seat, order, via, mail) {
            Ok(step) => {
                let n = self.writer.n();
                for body in &step.bodies {
                    self.line(services, body)?;
                }
                if let Some(FromMail { mail, .. }) = mail {
                    self.game.facts.came_by(n, mail);
                    self.ordered_by = Some((seat, mail));
                }
                Ok(())
            }
            Err(why) => {
                if !matches!(&why, LiveFault::Rejected(Rejected::Refused(_) | Rejected::Over)) {
                    tracing::error!(game = self.game.id, %why, "the rules broke down; the game is rebuilt from its journal");
                    self.append(None)?;
                    self.replay_again(services)?;
                }
                Err(why.into())
            }
        }
    }

    /// The number that the next line will have.
    pub fn next_line(&self) -> u64 {
        self.writer.n()
    }
}
