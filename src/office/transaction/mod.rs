//! A change of a game: its lease is held, and its entries are collected and appended together.

pub(crate) mod answering;
pub(crate) mod bots;
pub(crate) mod joining;
pub(crate) mod motions;
pub(crate) mod plans;
pub(crate) mod rewinding;
pub(crate) mod saying;
pub(crate) mod settings;
pub(crate) mod stand_ins;
pub(crate) mod standing_orders;
pub(crate) mod ticking;

use crate::{
    bug::Bug,
    error::{NotDone, OfficeError},
    game::{
        Game,
        directors::By,
        queue::{LONGEST_CONTENT, PAUSE, Queue, can_be_opened},
        replayed,
        status::status,
        threads::of_seat,
        undoing::{Point, RewindReports},
    },
    misuse::Misuse,
    services::Services,
};
use postrider_dice::{GENERATIONS, Hash, SeedChain};
use postrider_journal::{
    Body, Head, Json, Rewound, Ruling, Sealed, Unsealed, Via, Writer, sealed_commitment, to_canon, unix,
};
use postrider_replay::{FromMail, LiveFault, index::Rewind, step::Derived};
use postrider_store::{
    Append, InHand, Kept, Lease, OutgoingLetter, Player, SealedContent, StoreError, Undoing, Written, compose,
};
use postrider_table::{PromptId, Refusal, Rejected, Seat, Understood, mended};
use std::{
    collections::BTreeMap,
    ops::{Deref, DerefMut},
    sync::Arc,
};

/// A game that is being changed. It reads as the [`Game`] with every change made so far. As long as it holds the lease
/// nobody else can change the game.
pub struct Transaction {
    game: Game,
    /// The right to change the game; `None` for a dry run.
    lease: Option<Box<dyn Lease>>,
    /// The mail that makes the change.
    pub(crate) in_hand: Option<Arc<InHand>>,
    writer: Writer,
    /// Lines that are made but not yet appended.
    batch: String,
    /// The numbers of those of them that follow from no other.
    causes: Vec<u64>,
    /// The mail of the decisions among them, and its seat.
    ordered_by: Option<(Seat, Hash)>,
    /// `true` if the mail that is worked on says `pause`, so that its own orders do not end the pause.
    pub(crate) paused_by_mail: bool,
    /// What the next letters tell besides the journal.
    pub(crate) news: News,
}

/// What letters tell besides the journal.
#[derive(Default)]
pub(crate) struct News {
    /// Remarks for the seats whose standing orders came to an end.
    pub notes: Vec<(Seat, String)>,
    /// What rewinds undid.
    pub rewinds: RewindReports,
}

/// Letters that are due, and what is kept once they are in the outbox.
#[derive(Default)]
pub(crate) struct Notices {
    /// The letters with their readers.
    pub letters: Vec<(Player, OutgoingLetter)>,
    /// What is kept.
    pub kept: Vec<Kept>,
}

/// Who goes back, and why.
pub(crate) struct Back {
    /// A seat that takes its order back, a director, or all players.
    pub by: String,
    /// Why.
    pub reason: String,
    /// n of the motion by which the players agreed on it.
    pub of: Option<u64>,
    /// The first question that letters were written about and that is void.
    pub from: PromptId,
    /// The mail that takes an order back.
    pub mail: Option<Hash>,
    /// How a director whom the game names said it.
    pub said: (Option<Via>, Option<Hash>),
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
    /// Begins to change a game: waits for its lease and cuts off what a broken append left. `known` is the game as it was
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
        Ok(Transaction::of(game, Some(lease)))
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
            in_hand: None,
            writer,
            batch: String::new(),
            causes: Vec::new(),
            ordered_by: None,
            paused_by_mail: false,
            news: News::default(),
        }
    }

    /// Gives the lease back, and the game as it is now.
    ///
    /// # Errors
    /// When nobody knows whether everything is safe.
    pub fn commit(mut self, services: &Services) -> Result<Game, OfficeError> {
        let status = status(&mut self.game, services)?;
        let Transaction { mut game, lease, .. } = self;
        let lease = lease.ok_or(StoreError::ReadOnly)?;
        game.mark = Some(lease.release(Some(&status))?);
        Ok(game)
    }

    /// Uses the right to change the game; an end of the process meanwhile is no fault of a mail.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] for a game that is only looked at.
    fn on_disk<T>(&mut self, work: impl FnOnce(&mut dyn Lease) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let lease = self.lease.as_deref_mut().ok_or(StoreError::ReadOnly)?;
        let blame = |blamed| self.in_hand.iter().for_each(|mail| mail.blame(blamed));
        blame(false);
        let done = work(lease)?;
        blame(true);
        Ok(done)
    }

    /// Keeps something beside the journal.
    pub(crate) fn keep(&mut self, kept: Kept) -> Result<(), StoreError> {
        self.on_disk(|lease| lease.keep(&kept))?;
        self.game.seats.learn(&kept);
        self.game.secrets.learn(kept);
        Ok(())
    }

    /// Takes away what is to be forgotten. What was read of it stays in memory until the game is opened anew.
    pub(crate) fn forget(&mut self, gone: &dyn Fn(&Kept) -> bool) -> Result<bool, StoreError> {
        self.on_disk(|lease| lease.forget(gone))
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
        let row = compose(&services.host, &services.key, head, to, letter, of_seat(&self.game, services, to))?;
        self.on_disk(|lease| lease.put(&row)).map(drop)
    }

    /// Puts letters into the outbox, and keeps that it was done.
    pub(crate) fn deliver(&mut self, services: &Services, notices: Notices) -> Result<(), StoreError> {
        let head = self.head();
        for (to, letter) in &notices.letters {
            self.send(services, &head, to, letter)?;
        }
        notices.kept.into_iter().try_for_each(|kept| self.keep(kept))
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
        if matches!(body, Body::Ruling(_)) {
            self.game.live.hear_step(n, unix(&at), None);
        }
        // What cannot follow is never appended: the checker refuses it.
        let _ = self.game.live.motions.hear(n, &at, body);
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
        self.game.source = self.on_disk(|lease| {
            lease.append(expected, lines.as_bytes())?;
            Ok(lease.journal())
        })?;
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

impl Transaction {
    /// Writes a rewind, and has the game as it was then. Where nothing was drawn behind the point the chains in use stay: nobody is to
    /// have other dice by going back.
    pub(crate) fn undo(&mut self, services: &Services, point: &Point, back: Back) -> Result<(), OfficeError> {
        let stays = !self.facts.drawn_since(point.to);
        let fresh = if stays { Vec::new() } else { self.fresh_chains()? };
        self.undo_with(services, point, back, fresh)
    }

    pub(crate) fn undo_with(
        &mut self,
        services: &Services,
        point: &Point,
        Back { by, reason, of, from, mail, said: (via, words) }: Back,
        fresh: Vec<SeedChain>,
    ) -> Result<(), OfficeError> {
        let rewind = self.facts.rewinds.len() as u64 + 1;
        self.keep(Kept::Rewound(Undoing { rewind, from, mail }))?;
        let chains = fresh.iter().map(|chain| (chain.label().to_owned().into(), chain.tip())).collect();
        let (to, by, reason) = (point.to, by.into(), reason.into());
        let at = self.line(services, &Body::Rewound(Rewound { to, by, reason, chains, of, via, words }))?;
        self.append(None)?;
        let rewind = Rewind { to: point.to, at };
        match self.live.go_back(rewind, fresh) {
            Ok(true) => {
                self.facts.rewound(rewind);
                #[cfg(test)]
                assert_eq!(self.read_anew(services)?.1, self.facts, "the journal, read anew, says the same");
            }
            _ => {
                self.replay_again(services)?;
            }
        }
        // Orders of mails that are undone are not carried out again if a mail comes a second time.
        let old: Vec<Hash> = self.facts.mails.keys().copied().filter(|hash| Some(*hash) != mail).collect();
        for hash in old {
            if !self.secrets.handled.contains(&hash) {
                self.keep_written(BTreeMap::new(), Some(hash), None)?;
            }
        }
        Ok(())
    }

    /// The chains with which play goes on after a rewind, the next of each label.
    pub(crate) fn fresh_chains(&mut self) -> Result<Vec<SeedChain>, OfficeError> {
        let generation = self.facts.generations() + 1;
        if generation >= GENERATIONS {
            return Err(Misuse::NoMoreRewinds { most: GENERATIONS - 1 }.into());
        }
        if self.secrets.roots.is_empty() {
            return Err(Misuse::NoRoots.into());
        }
        let mut fresh = Vec::new();
        for (label, tip) in self.live.opened.chains.clone() {
            // A game whose opening was broken off and done again has roots that lead elsewhere, too.
            let roots = self.secrets.roots.iter().filter(|root| root.label() == label);
            let chain = roots.filter_map(|root| root.chain(generation, tip)).next();
            let chain = chain.ok_or(Misuse::StrangeRoots { label })?;
            // A rewind that was broken off may have kept it.
            if !self.secrets.chains.contains(&chain) {
                self.keep(Kept::Chain(chain.clone()))?;
            }
            fresh.push(chain);
        }
        Ok(fresh)
    }

    /// Does what a ruling says and makes its lines: the number of the ruling's, and how it is told.
    ///
    /// # Errors
    /// [`OfficeError::Use`] when the rules refuse it, or when they had to guess which thing a name means: a player sees by the answer
    /// what his order was taken for and has `back`, a ruling stands at once for all. No line has been made then.
    pub fn rule(&mut self, services: &Services, ruling: Ruling<'static>) -> Result<(u64, Vec<String>), OfficeError> {
        let n = self.next_line();
        let (ruled, mended) = mended(|| self.live.rule(n, ruling));
        let step = match ruled {
            Ok(_) if !mended.is_empty() => return Err(Misuse::RulingMended { mended }.into()),
            Ok(step) => step,
            Err(LiveFault::Rejected(Rejected::Refused(Refusal { rule, why }))) => {
                let by = if rule == "-" { String::new() } else { format!(" (rule {rule})") };
                return Err(Misuse::RulingRefused { why: self.seats.named(&format!("{why}{by}")) }.into());
            }
            Err(LiveFault::Rejected(Rejected::Over)) => {
                return Err(Misuse::OverRewindFirst.into());
            }
            Err(other) => return Err(other.into()),
        };
        for body in &step.bodies {
            self.line(services, body)?;
        }
        Ok((n, step.told.iter().map(|told| self.seats.named(&told.line)).collect()))
    }

    /// Makes the lines of a ruling in words alone, also before play has begun.
    pub(crate) fn rule_in_words(&mut self, services: &Services, by: &By<'_>, text: String) -> Result<u64, OfficeError> {
        let (via, words) = by.said(self);
        let ruling = Ruling { via, words, ..Ruling::new(by.name.to_owned(), text, Json::empty()) };
        match self.live.dyn_game.is_some() {
            true => self.rule(services, ruling).map(|(n, _)| n),
            false => self.line(services, &Body::Ruling(ruling)),
        }
    }

    pub(crate) fn end(&mut self, services: &Services, seat: Seat, n: u64, note: String) -> Result<(), OfficeError> {
        self.unseal(services, n)?;
        self.news.notes.push((seat, note));
        Ok(())
    }

    /// Has nothing that a seat has left answer for it in this Round, until it answers again itself.
    pub(crate) fn pause(&mut self, services: &mut Services, seat: Seat) -> Result<(), NotDone> {
        if self.pauses(seat) {
            return Ok(());
        }
        let queue = Queue { kind: PAUSE.to_owned(), within: Some(self.place()), ..Queue::default() };
        self.seal(services, seat, &queue)
    }

    /// A seat has answered itself: what it has left answers for it again.
    pub(crate) fn end_pause(&mut self, services: &Services, seat: Seat) -> Result<(), OfficeError> {
        for (n, _) in self.all_standing(seat).into_iter().filter(|(_, queue)| queue.kind == PAUSE) {
            self.unseal(services, n)?;
        }
        Ok(())
    }

    /// Seals a standing order; one for the same kind and of the same name comes to an end.
    pub(crate) fn seal(&mut self, services: &mut Services, seat: Seat, queue: &Queue) -> Result<(), NotDone> {
        let content = serde_json::to_value(queue).map_err(|why| Bug::NotJson { what: "a standing order", why })?;
        let content = to_canon(&content).map_err(|why| Bug::NotCanonical { what: "a standing order", why })?;
        if content.len() > LONGEST_CONTENT {
            return Err(NotDone::why(format!(
                "This standing order is too long to be sealed: {} bytes, of which {LONGEST_CONTENT} fit into a line of the journal.",
                content.len()
            )));
        }
        let salt = services.environment.secret()?;
        if queue.plan.is_none()
            && let Some((n, _)) = self.standing(seat, &queue.kind, &queue.name)
        {
            self.unseal(services, n)?;
        }
        let commit = sealed_commitment(&self.id, self.live.seat_name(seat), &salt, &content);
        self.keep(Kept::Sealed(SealedContent { commit, salt, content }))?;
        let seat = self.live.seat_name(seat).to_owned().into();
        self.line(services, &Body::Sealed(Sealed { seat, what: "standing".into(), commit }))?;
        Ok(())
    }

    /// Opens the standing order sealed in line `n`: it is in force no longer.
    pub fn unseal(&mut self, services: &Services, n: u64) -> Result<(), OfficeError> {
        let all = self.facts.standing.iter().chain(&self.facts.forgotten);
        let commit = all.filter(|one| one.n == n).map(|one| one.commit).next();
        let Some(sealed) = self.secrets.sealed.iter().find(|sealed| Some(sealed.commit) == commit).cloned() else {
            return Err(Bug::NoContent { game: self.id.clone(), n }.into());
        };
        if !can_be_opened(&sealed) {
            tracing::warn!(
                game = self.id,
                n,
                "a standing order that an earlier release sealed is too long to be opened"
            );
            return Ok(());
        }
        let content: serde_json::Value = serde_json::from_str(&sealed.content)
            .map_err(|why| Bug::NotJson { what: "a sealed standing order", why })?;
        let content = Json::new(&content).map_err(|why| Bug::NotJson { what: "a sealed standing order", why })?;
        self.line(services, &Body::Unsealed(Unsealed { of: n, content, salt: sealed.salt }))?;
        Ok(())
    }
}
