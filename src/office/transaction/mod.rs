//! A change of a game: holds its lease, collects its entries, and appends them together.

pub(crate) mod answering;
pub(crate) mod bots;
pub(crate) mod following;
pub(crate) mod joining;
mod leased;
pub(crate) mod motions;
pub(crate) mod news;
pub(crate) mod opening;
pub(crate) mod plans;
pub(crate) mod reply;
pub(crate) mod rewinding;
pub(crate) mod saying;
pub(crate) mod settings;
pub(crate) mod stand_ins;
pub(crate) mod standing_orders;
pub(crate) mod ticking;
mod told;

use crate::{
    bug::Bug,
    error::{NotDone, OfficeError},
    game::{
        Game,
        directors::By,
        handled,
        queue::{LONGEST_CONTENT, PAUSE, Queue},
        replayed,
        status::status,
        undoing::{self, Point},
    },
    misuse::Misuse,
    services::Services,
    transaction::{
        leased::Leased,
        news::{News, Notices},
    },
};
use chrono::{DateTime, Utc};
use postrider_dice::{GENERATIONS, Hash, SeedChain};
use postrider_journal::{
    Body, Json, Rewound, Ruling, Sealed, Unsealed, Via, Writer, sealed_commitment, to_canon, unix,
};
use postrider_replay::{FromMail, LiveFault, index::Rewind, step::Derived};
use postrider_store::{Append, InHand, Kept, SealedContent, StoreError, Undoing};
use postrider_table::{PromptId, Refusal, Rejected, Seat, Understood, mended};
use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

/// A game that is being changed. It dereferences to the [`Game`] with all changes so far. While it
/// holds the lease nobody else can change the game.
pub struct Transaction {
    leased: Leased,
    entries: Entries,
    /// The contents of the letters about the change that do not follow from the journal.
    pub(crate) news: News,
    /// `true` after any change, even one that leaves no trace in the journal.
    touched: bool,
}

/// The lines that a change has made and not yet appended.
struct Entries {
    writer: Writer,
    /// Their text.
    lines: String,
    /// The numbers of those that do not follow from others.
    causes: Vec<u64>,
    /// The mail of the decisions among them, and its seat.
    ordered_by: Option<(Seat, Hash)>,
}

/// A change that is in the journal. It still holds the lease, for the letters about it.
pub(crate) struct Committed {
    leased: Leased,
    /// The contents of these letters that do not follow from the journal.
    pub news: News,
}

/// A request to go back.
#[derive(Clone)]
pub(crate) struct Back {
    /// The author: a seat that takes back its order, a director, or all players.
    pub by: String,
    /// The reason.
    pub reason: String,
    /// The `n` of the motion by which the players agreed to it.
    pub of: Option<u64>,
    /// The first question whose letters become void.
    pub from: PromptId,
    /// The mail that takes back an order.
    pub mail: Option<Hash>,
    /// The `via` and `words` of a director named by the game.
    pub said: (Option<Via>, Option<Hash>),
}

impl Deref for Transaction {
    type Target = Game;

    fn deref(&self) -> &Game {
        &self.leased.game
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Game {
        &mut self.leased.game
    }
}

impl Committed {
    /// Returns the game with the change.
    pub fn game(&self) -> &Game {
        &self.leased.game
    }

    /// Puts letters into the outbox, and records that.
    pub fn deliver(&mut self, services: &Services, notices: Notices) -> Result<(), OfficeError> {
        self.leased.deliver(services, notices)
    }

    /// Begins another change under the same lease.
    pub fn go_on(self) -> Transaction {
        Transaction::of(self.leased)
    }

    /// Releases the lease. Returns the changed game.
    ///
    /// # Errors
    /// An error means that it is unknown whether everything is safe.
    pub fn release(self, services: &Services) -> Result<Game, OfficeError> {
        let Leased { mut game, lease, .. } = self.leased;
        let status = status(&game, services)?;
        let lease = lease.ok_or(StoreError::ReadOnly)?;
        game.mark = Some(lease.release(Some(&status))?);
        Ok(game)
    }
}

impl Transaction {
    /// Begins a change: waits for the game's lease and cuts off the remains of an interrupted
    /// append. `known` is the game as last committed, and is used if nothing has changed since.
    ///
    /// # Errors
    /// [`OfficeError::NoGame`], or the reason why the game cannot be opened.
    pub fn begin(services: &mut Services, id: &str, known: Option<Game>) -> Result<Transaction, OfficeError> {
        let mark = known.as_ref().and_then(|game| game.mark.as_ref());
        let mut lease = services.store.lease(id, mark)?.ok_or_else(|| OfficeError::NoGame(id.to_owned()))?;
        services.moment.set(Some(services.time_by(lease.now())));
        if let Some(game) = known.filter(|game| game.settled)
            && game.mark == Some(services.store.mark(id)?)
        {
            return Ok(Transaction::of(Leased::new(game, Some(lease))));
        }
        let game = Game::leased(services, id, &mut *lease, true)?;
        Ok(Transaction::of(Leased::new(game, Some(lease))))
    }

    /// Begins a change on a journal that is an older copy.
    ///
    /// # Errors
    /// [`OfficeError::NoGame`], or the reason why the game cannot be opened.
    pub fn begin_with_older(services: &mut Services, id: &str) -> Result<Transaction, OfficeError> {
        let mut lease = services.store.lease(id, None)?.ok_or_else(|| OfficeError::NoGame(id.to_owned()))?;
        services.moment.set(Some(services.time_by(lease.now())));
        let game = Game::leased(services, id, &mut *lease, false)?;
        Ok(Transaction::of(Leased::new(game, Some(lease))))
    }

    /// Makes a transaction that cannot be committed, to see the effect of a change.
    pub fn dry_run(game: Game) -> Transaction {
        Transaction::of(Leased::new(game, None))
    }

    fn of(leased: Leased) -> Transaction {
        let writer = Writer::after(&leased.game.live.head);
        let entries = Entries { writer, lines: String::new(), causes: Vec::new(), ordered_by: None };
        Transaction { leased, entries, news: News::default(), touched: false }
    }

    /// Names the mail that causes the change.
    pub(crate) fn is_caused_by(&mut self, mail: Option<&Arc<InHand>>) {
        self.leased.in_hand = mail.cloned();
    }

    /// Carries out all consequences of the change, and appends all its lines in one write.
    /// Repeating it changes nothing.
    ///
    /// # Errors
    /// [`OfficeError`]; the game must then be opened again.
    pub fn commit(mut self, services: &Services) -> Result<Committed, OfficeError> {
        if !self.is_untouched() {
            self.follow(services)?;
        }
        let told = told::to_keep(&self, services, self.last_hash())?;
        let mail = self.news.mail();
        self.append_with(told.map(Kept::Told).into_iter().collect(), mail)?;
        let Transaction { leased, news, .. } = self;
        Ok(Committed { leased, news })
    }

    /// Returns the last change as if it had just been committed, for letters that an interrupted
    /// program has not written, and the time of that change.
    pub(crate) fn last_change(self) -> (Committed, Option<DateTime<Utc>>) {
        let (at, news) = told::of_last_command(&self);
        (Committed { leased: self.leased, news }, at)
    }

    /// Returns `true` if nothing was changed, so that no letter can be due.
    pub(crate) fn is_untouched(&self) -> bool {
        !self.touched && self.news.answer.is_none() && self.news.beside.is_empty()
    }

    /// Stores data next to the journal.
    pub(crate) fn keep(&mut self, kept: Kept) -> Result<(), StoreError> {
        self.touched = true;
        self.leased.keep_all(vec![kept])
    }

    /// Returns `true` if a crash leaves nothing of a command or all of it.
    pub(crate) fn is_atomic(&self) -> bool {
        self.leased.lease.as_ref().is_none_or(|lease| lease.is_atomic())
    }

    /// Deletes data next to the journal. Data already read stay in memory until the game is opened
    /// again.
    pub(crate) fn forget(&mut self, gone: &dyn Fn(&Kept) -> bool) -> Result<bool, StoreError> {
        self.leased.on_disk(|lease| lease.forget(gone))
    }

    /// Rebuilds the game from its journal.
    pub(crate) fn replay_again(&mut self, services: &Services) -> Result<(), OfficeError> {
        let Leased { game, lease, .. } = &mut self.leased;
        let lease = lease.as_deref_mut().ok_or(StoreError::ReadOnly)?;
        (game.live, game.facts) = replayed(services, lease, &game.secrets, &game.id)?;
        Ok(())
    }

    /// Makes the next line; [`Transaction::commit`] appends it.
    pub fn line(&mut self, services: &Services, body: &Body<'_>) -> Result<u64, OfficeError> {
        self.touched = true;
        let Transaction { leased: Leased { game, .. }, entries, .. } = self;
        let n = entries.writer.n();
        let at = services.at();
        let text = entries.writer.line(&at, body)?;
        entries.lines.push_str(&text);
        match body {
            Body::Started(_) => game.live.hear_step(n, n, unix(&at), None),
            Body::Decision(decision) => game.live.hear_step(n, n, unix(&at), Some(decision.prompt)),
            other => game.live.hear_time(n, &at, other),
        }
        if matches!(body, Body::Ruling(_)) {
            game.live.hear_step(n, n, unix(&at), None);
        }
        // A line that cannot follow is refused by the checker before it is appended.
        let _ = game.live.motions.hear(n, &at, body);
        if game.live.seatings.hear(n, body) {
            game.seats.sit(&game.live.seatings);
        }
        if Derived::of(body).is_none() {
            entries.causes.push(n);
        }
        game.facts.apply(n, &at, body, false);
        game.facts.hashes.extend(entries.writer.head().map(|head| head.hash));
        Ok(n)
    }

    /// Appends all lines made since the last time, in one write. They are safe on return. `by` is
    /// the mail that caused them, and its seat. Only a rewind needs this before the change is
    /// committed.
    pub(crate) fn append(&mut self, by: Option<(Seat, Hash)>) -> Result<(), OfficeError> {
        self.append_with(Vec::new(), by)
    }

    fn append_with(&mut self, mut kept: Vec<Kept>, by: Option<(Seat, Hash)>) -> Result<(), OfficeError> {
        let Transaction { leased, entries, .. } = self;
        if entries.lines.is_empty() {
            return Ok(leased.keep_all(kept)?);
        }
        let lines = std::mem::take(&mut entries.lines);
        // Damaged secrets would produce lines that contradict the journal; none of these is
        // written.
        if let Some(checker) = &mut leased.game.live.checker {
            for line in lines.lines() {
                checker.feed(line.as_bytes()).map_err(|fault| OfficeError::FalseLine(Box::new(fault)))?;
            }
        }
        // The journal does not name the mail of a decision.
        let ordered_by = entries.ordered_by.take();
        let causes = std::mem::take(&mut entries.causes);
        if let [first, ref rest @ ..] = causes[..]
            && (!rest.is_empty() || ordered_by.is_some())
        {
            kept.push(Kept::Append(Append { from: first, to: entries.writer.n() - 1, by: ordered_by.or(by) }));
        }
        leased.keep_all(kept)?;
        let expected = leased.game.live.head.n + 1;
        leased.game.source = leased.on_disk(|lease| {
            lease.append(expected, lines.as_bytes())?;
            Ok(lease.journal())
        })?;
        if let Some(head) = entries.writer.head() {
            leased.game.live.advance(head);
        }
        Ok(())
    }

    /// Passes a decision to the rules. If they panic, the game is restored to the position before
    /// it.
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
        match self.leased.game.live.decide(self.entries.writer.n(), seat, order, via, mail) {
            Ok(step) => {
                let n = self.next_line();
                for body in &step.bodies {
                    self.line(services, body)?;
                }
                if let Some(FromMail { mail, .. }) = mail {
                    self.facts.came_by(n, mail);
                    self.entries.ordered_by = Some((seat, mail));
                }
                Ok(())
            }
            Err(why) => {
                if !matches!(&why, LiveFault::Rejected(Rejected::Refused(_) | Rejected::Over)) {
                    tracing::error!(game = self.id, %why, "the rules failed; the game is rebuilt from its journal");
                    self.append(None)?;
                    self.replay_again(services)?;
                }
                Err(why.into())
            }
        }
    }

    /// Returns the hash of the last line, appended or not.
    pub(crate) fn last_hash(&self) -> Hash {
        self.entries.writer.head().unwrap_or_else(|| self.head()).hash
    }

    /// Returns the number that the next line will have.
    pub fn next_line(&self) -> u64 {
        self.entries.writer.n()
    }
}

impl Transaction {
    /// Appends a rewind and restores the game's position at that point. The chains in use stay
    /// unless links of them have become known: going back alone does not change the dice.
    pub(crate) fn undo(&mut self, services: &Services, point: &Point, back: Back) -> Result<(), OfficeError> {
        // A Round of undone play can be restarted only after its step is restored.
        if point.within.is_some() && back.of.is_none() && self.live.step_log.with_round(point.to).is_none() {
            self.undo(services, &undoing::point(self, services, point.to)?, back.clone())?;
        }
        self.can_undo(point)?;
        let Back { by, reason, of, from, mail, said: (via, words) } = back;
        let fresh = if self.facts.renews(point.within.unwrap_or(point.to)) { self.fresh_chains()? } else { Vec::new() };
        let rewind = self.facts.rewinds.len() as u64 + 1;
        self.keep(Kept::Rewound(Undoing { rewind, from, mail }))?;
        let chains = fresh.iter().map(|chain| (chain.label().to_owned().into(), chain.tip())).collect();
        let (to, within, by, reason) = (point.to, point.within, by.into(), reason.into());
        let rewound = Rewound { to, by, reason, chains, of, within, via, words };
        let rewind = Rewind::of(&rewound, self.next_line());
        let at = self.line(services, &Body::Rewound(rewound))?;
        let bodies = self.live.go_back(rewind, fresh)?;
        // The consequences of a step that is played again are written together with the rewind.
        if let Some(first) = within {
            let dated = unix(&self.facts.last_at);
            self.live.hear_step(at, first, dated, None);
        }
        bodies.iter().flatten().try_for_each(|body| self.line(services, body).map(drop))?;
        self.append(None)?;
        match bodies {
            Some(_) => {
                self.facts.rewound(rewind);
                #[cfg(test)]
                assert_eq!(self.read_anew(services)?.1, self.facts, "the journal, read anew, says the same");
            }
            None => self.replay_again(services)?,
        }
        // Orders of undone mails must not be carried out if a copy of such a mail arrives.
        let old: Vec<Hash> = self.facts.mails.keys().copied().filter(|hash| Some(*hash) != mail).collect();
        for hash in old {
            if !self.secrets.handled.contains(&hash) {
                self.keep(handled::of(hash, None))?;
            }
        }
        Ok(())
    }

    /// Checks that a rewind would not let the operator choose among dice.
    ///
    /// # Errors
    /// [`Misuse::ChainsChosen`].
    pub(crate) fn can_undo(&self, point: &Point) -> Result<(), Misuse> {
        match self.facts.renews(point.within.unwrap_or(point.to)) && self.facts.leaves_a_choice() {
            true => Err(Misuse::ChainsChosen),
            false => Ok(()),
        }
    }

    /// Returns the next chain of each label, with which play continues after a rewind.
    fn fresh_chains(&mut self) -> Result<Vec<SeedChain>, OfficeError> {
        let generation = self.facts.generations() + 1;
        if generation >= GENERATIONS {
            return Err(Misuse::NoMoreRewinds { most: GENERATIONS - 1 }.into());
        }
        if self.secrets.roots.is_empty() {
            return Err(Misuse::NoRoots.into());
        }
        let mut fresh = Vec::new();
        for (label, tip) in self.live.opened.chains.clone() {
            // If opening the game was interrupted and repeated, there are also roots that do not
            // match.
            let roots = self.secrets.roots.iter().filter(|root| root.label() == label);
            let chain = roots.filter_map(|root| root.chain(generation, tip)).next();
            let chain = chain.ok_or(Misuse::StrangeRoots { label })?;
            // An interrupted rewind may have stored it.
            if !self.secrets.chains.contains(&chain) {
                self.keep(Kept::Chain(chain.clone()))?;
            }
            fresh.push(chain);
        }
        Ok(fresh)
    }

    /// Applies a ruling and makes its lines. Returns the number of its own line, and its text for
    /// letters.
    ///
    /// # Errors
    /// [`OfficeError::Use`] if the rules refuse it, or if they had to guess the meaning of a name:
    /// a player sees the guess in the answer and can take it back, but a ruling takes effect for
    /// all at once. No line has been made then.
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

    /// Makes the lines of a ruling in words only, which is possible even before play.
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

    /// Suspends a seat's standing orders in this Round, until the seat answers again.
    pub(crate) fn pause(&mut self, services: &mut Services, seat: Seat) -> Result<(), NotDone> {
        if self.pauses(seat) {
            return Ok(());
        }
        let queue = Queue { kind: PAUSE.to_owned(), within: Some(self.place()), ..Queue::default() };
        self.seal(services, seat, &queue)
    }

    /// Ends the pause of a seat's standing orders after its own answer.
    pub(crate) fn end_pause(&mut self, services: &Services, seat: Seat) -> Result<(), OfficeError> {
        for (n, _) in self.all_standing(seat).into_iter().filter(|(_, queue)| queue.kind == PAUSE) {
            self.unseal(services, n)?;
        }
        Ok(())
    }

    /// Seals a standing order. An earlier one of the same kind and name ends.
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

    /// Reveals the standing order sealed in line `n`, which ends it.
    pub fn unseal(&mut self, services: &Services, n: u64) -> Result<(), OfficeError> {
        let all = self.facts.standing.iter().chain(&self.facts.forgotten);
        let commit = all.filter(|one| one.n == n).map(|one| one.commit).next();
        let Some(sealed) = self.secrets.sealed.iter().find(|sealed| Some(sealed.commit) == commit).cloned() else {
            let what = format!("the content of the standing order that line {n} seals is missing");
            return Err(OfficeError::DamagedSecrets { game: self.id.clone(), what });
        };
        let content: serde_json::Value = serde_json::from_str(&sealed.content)
            .map_err(|why| Bug::NotJson { what: "a sealed standing order", why })?;
        let content = Json::new(&content).map_err(|why| Bug::NotJson { what: "a sealed standing order", why })?;
        self.line(services, &Body::Unsealed(Unsealed { of: n, content, salt: sealed.salt }))?;
        Ok(())
    }
}
