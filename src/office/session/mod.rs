//! A game that is open: its secrets read, its rules running, and during a command its lease held.

mod advisor;
mod away;
mod bots;
mod clock;
mod data;
mod fitting;
mod heading;
mod hours;
mod joining;
mod local_time;
mod map;
mod messages;
mod notify;
mod pending;
mod plans;
mod queue;
mod refusals;
mod rewinds;
mod rulings;
mod seating;
mod standing;
mod tokens;
mod watching;

pub(crate) use self::{
    advisor::Wanted,
    data::is_by,
    fitting::{Fitting, Moment, is_as_advised},
    joining::joined,
    messages::NewMessage,
    queue::ATTACKED,
    refusals::{refusal, sentence},
    rewinds::{Point, RewindReport, RewindReports},
    rulings::changed,
    tokens::{Good, void},
    watching::{MOST_WATCHERS, ToWatcher, name_of},
};
pub use self::{bots::bot_called, clock::Ticked, queue::Queue};

use crate::{error::OfficeError, services::Services};
use chrono::{DateTime, Utc};
use postrider_dice::Hash;
use postrider_journal::{Body, Head, Via, Writer};
use postrider_letters::{self as letters, OrderReport, Section};
use postrider_orders::{Misread, Phrase};
use postrider_replay::{
    FromMail, LiveFault, LiveGame, ReplayFault, Source, deadlines::unix, facts::Facts, rebuild, rebuild_with,
    step::Derived,
};
use postrider_store::{
    Append, GameSecrets, GameStatus, Host, Kept, Lease, Mark, OfSeat, OutgoingLetter, Player, Players, StoreError,
    Thread, TokenIssuer, Written, compose,
};
use postrider_table::{Asked, DynGame, Listed, PromptId, Rejected, Seat, Understood, Watch, map::Way};
use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What a game is opened with.
enum Given {
    /// To be worked on; whether it must be the journal that was worked on before.
    Lease(Box<dyn Lease>, bool),
    /// To be looked at.
    Journal(Source),
}

/// A game that was opened. As long as it holds the lease nobody else can change it.
pub struct GameSession {
    /// The game's id.
    pub game: String,
    /// The players.
    pub seats: Players,
    /// What is kept beside the journal.
    pub secrets: GameSecrets,
    /// What makes the tokens of letters.
    pub tokens: TokenIssuer,
    /// What the journal says beyond the game itself.
    pub facts: Facts,
    /// The game.
    pub live: LiveGame,
    /// The right to change it.
    lease: Option<Box<dyn Lease>>,
    /// How it was kept when the lease was given back, or before it was read by somebody without one.
    mark: Option<Mark>,
    /// Whether it was opened by a command, so that all is done that was left undone.
    made_good: bool,
    pub(crate) writer: Writer,
    pub(crate) source: Source,
    /// Lines that are made but not yet appended.
    pub(crate) batch: String,
    /// n of those of them that follow from no other.
    pub(crate) causes: Vec<u64>,
    /// The mail of the decisions among them, and whose it is.
    ordered_by: Option<(Seat, Hash)>,
    /// What letters tell of rewinds.
    pub(crate) rewind_reports: RewindReports,
    /// Whether the mail that is worked on says `pause`, so that its own orders do not end the pause.
    pub(crate) paused_by_mail: bool,
    /// Remarks for the seats whose standing orders came to an end.
    pub(crate) notes: Vec<(Seat, String)>,
}

/// What a player is answered, apart from what is asked of him next.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The mail that is answered.
    pub mail: Hash,
    /// What is the same in every copy of it: see [`GameSession::is_handled`].
    pub copies: Option<Hash>,
    /// Its subject.
    pub subject: String,
    /// Its place in the thread.
    pub thread: Thread,
    /// What became of its orders.
    pub order_report: Option<OrderReport>,
    /// Remarks, a paragraph each.
    pub notes: Vec<String>,
    /// What else it says: help, a preview.
    pub extra: Vec<Section>,
    /// What the orders that it shows would do on the map.
    pub ways: Vec<Way>,
    /// Whether the position is wanted.
    pub status: bool,
    /// Whether what is kept of the reader is to go along.
    pub data: bool,
    /// Why none of its orders was looked at, if that is so.
    pub refused: Option<String>,
    /// The kinds of questions that its orders answered: what of these is asked again is not new to its writer.
    pub kinds: BTreeSet<&'static str>,
}

impl Reply {
    /// How many orders were carried out, and how many there were.
    pub(crate) fn counts(&self) -> (usize, usize) {
        self.order_report.as_ref().map_or((0, 0), |report| (report.done.len(), report.total))
    }
}

impl GameSession {
    /// Opens a game for a command: waits for its lease, cuts off what a broken append left, and makes good whatever a crash kept
    /// from being done. `known` is the same game as it was given back before; it is used if nothing was changed since.
    ///
    /// # Errors
    /// [`OfficeError::NoGame`], or why it cannot be opened.
    pub fn open(services: &mut Services, game: &str, known: Option<GameSession>) -> Result<GameSession, OfficeError> {
        let mark = known.as_ref().and_then(|session| session.mark.as_ref());
        let lease = services.store.lease(game, mark)?.ok_or_else(|| OfficeError::NoGame(game.to_owned()))?;
        let now = services.store.mark(game)?;
        if let Some(mut session) = known
            && session.made_good
            && session.mark.as_ref() == Some(&now)
        {
            session.lease = Some(lease);
            return Ok(session);
        }
        let mut session = GameSession::load(services, game, Given::Lease(lease, true))?;
        session.run_pending(services, None)?;
        session.made_good = true;
        Ok(session)
    }

    /// Opens a game whose journal is an older copy, to go on from there.
    ///
    /// # Errors
    /// [`OfficeError::NoGame`], or why it cannot be opened.
    pub fn open_older(services: &mut Services, game: &str) -> Result<GameSession, OfficeError> {
        let lease = services.store.lease(game, None)?.ok_or_else(|| OfficeError::NoGame(game.to_owned()))?;
        GameSession::load(services, game, Given::Lease(lease, false))
    }

    /// Opens a game for looking at it. Nothing is changed, and what a broken append left is not seen. `known` as for
    /// [`GameSession::open`].
    ///
    /// # Errors
    /// [`OfficeError::NoGame`], or why it cannot be read.
    pub fn look(services: &mut Services, game: &str, known: Option<GameSession>) -> Result<GameSession, OfficeError> {
        if services.store.journal(game)?.is_none() {
            return Err(OfficeError::NoGame(game.to_owned()));
        }
        let now = services.store.mark(game)?;
        let journal = services.store.journal(game)?.ok_or_else(|| OfficeError::NoGame(game.to_owned()))?;
        match known {
            Some(session) if session.mark.as_ref() == Some(&now) => Ok(session),
            _ => {
                let session = GameSession::load(services, game, Given::Journal(journal))?;
                Ok(GameSession { mark: Some(now), ..session })
            }
        }
    }

    fn load(services: &mut Services, game: &str, mut given: Given) -> Result<GameSession, OfficeError> {
        let read = match &mut given {
            Given::Lease(lease, _) => lease.kept()?,
            Given::Journal(_) => services.store.kept(game)?,
        };
        // Whoever works on with half of the secrets writes what contradicts the journal; who only looks may look.
        if let (Given::Lease(..), Some(strange)) = (&given, read.strange.first()) {
            return Err(OfficeError::DamagedSecrets { game: game.to_owned(), what: strange.to_string() });
        }
        let mut seats = Players::of(&read.kept);
        let mut secrets = GameSecrets::of(read.kept);
        let mut held = None;
        let (lease, source, (live, facts)) = match given {
            Given::Lease(mut lease, known) => {
                held = known.then(|| lease.remembered());
                cut_broken_append(&mut *lease, &mut secrets)?;
                let live = replayed(services, &mut *lease, &secrets, game)?;
                (Some(lease), None, live)
            }
            Given::Journal(source) => {
                let live = seen(services, &source, &secrets, game)?;
                (None, Some(source), live)
            }
        };
        if let Some(remembered) = held {
            let told = secrets.written.values().filter_map(|written| Some((written.n, written.hash?)));
            is_the_one(game, &facts, remembered.into_iter().chain(told))?;
            if live.opened.key != services.key.public() {
                return Err(OfficeError::OtherKey { game: game.to_owned() });
            }
        }
        let mut live = live;
        live.closed |= secrets.abandoned.is_some();
        let source = match (&lease, source) {
            (Some(lease), _) => lease.journal(),
            (None, source) => source.ok_or_else(|| OfficeError::NoGame(game.to_owned()))?,
        };
        let writer = Writer::after(&live.head);
        seats.sit(&live.seatings);
        look_at_clock(game, services.environment.now(), &facts.last_at);
        services.letters.add_view(&services.host, live.opened.ruleset)?;
        Ok(GameSession {
            game: game.to_owned(),
            seats,
            secrets,
            tokens: TokenIssuer::new(game, services.key_seed),
            facts,
            live,
            lease,
            mark: None,
            made_good: false,
            writer,
            source,
            batch: String::new(),
            causes: Vec::new(),
            ordered_by: None,
            rewind_reports: RewindReports::default(),
            paused_by_mail: false,
            notes: Vec::new(),
        })
    }

    /// Gives the lease back, with how the game stands now. The session can be used again as long as nothing is changed.
    ///
    /// # Errors
    /// When nobody knows whether everything is safe.
    pub fn release(&mut self, services: &Services) -> Result<(), OfficeError> {
        let mut status = GameStatus::of(&mut self.live, &self.seats)?;
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
        if let Some(lease) = self.lease.take() {
            self.mark = Some(lease.release(Some(&status))?);
        }
        Ok(())
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
        self.seats.learn(&kept);
        self.secrets.learn(kept);
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

    /// The thread and the return address of letters to a player; whoever else is written to has none.
    fn of_seat(&self, services: &Services, to: &Player) -> OfSeat {
        let Host { addresses, settings, .. } = &services.host;
        let plain = addresses.plain();
        let domain = plain.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
        if let Some(watcher) = self.watcher(&to.address) {
            let answer = addresses.reply_address(&self.game, 0, &self.watch_word(&to.address));
            let root = format!("{}@{domain}", self.watch_names(watcher).0);
            let unsubscribe = (answer != plain).then(|| format!("mailto:{answer}?body=stop%20watching"));
            return OfSeat { root: Some(root), returns: None, unsubscribe };
        }
        if self.seats.player(to.seat).is_none_or(|player| player.address != to.address) {
            return OfSeat::default();
        }
        let returns = settings.verp().then(|| {
            let code = self.tokens.return_code(to.seat, to.commitment());
            addresses.return_address(&self.game, &to.seat.to_string(), &code)
        });
        let root = format!("{}.thread-{}@{domain}", self.game, to.seat);
        OfSeat { root: Some(root), returns: returns.flatten(), unsubscribe: None }
    }

    /// Has the game as its journal has it.
    pub(crate) fn replay_again(&mut self, services: &Services) -> Result<(), OfficeError> {
        let Some(lease) = &mut self.lease else { return Err(StoreError::ReadOnly.into()) };
        (self.live, self.facts) = replayed(services, &mut **lease, &self.secrets, &self.game)?;
        Ok(())
    }

    /// The game and the facts as the journal, read anew, has them.
    #[cfg(test)]
    fn read_anew(&self, services: &Services) -> Result<(LiveGame, Facts), OfficeError> {
        Ok(read_once(services, &self.source, &self.secrets, None)?)
    }

    /// The last line that is safe in the journal.
    pub fn head(&self) -> Head {
        self.live.head.clone()
    }

    /// The game as it stood after line `n`, for reading an answer by the list that its reader had before him.
    pub fn as_of(&self, services: &Services, n: u64) -> Result<Option<Box<dyn DynGame>>, OfficeError> {
        if let Some(then) = self.live.then(n)? {
            return Ok(then.dyn_game);
        }
        let chains = Some(self.secrets.chains.clone());
        Ok(rebuild(&self.source, &services.catalog, chains, Some(n), Watch::NONE)?.dyn_game)
    }

    /// The questions open to a seat, in the order in which mails number them.
    pub fn questions(&mut self, seat: Seat) -> Result<Vec<Listed>, OfficeError> {
        match &mut self.live.dyn_game {
            Some(dyn_game) if !self.live.closed => {
                Ok(letters::questions(self.live.opened.ruleset, &mut **dyn_game, seat)?)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Every open question, in short.
    pub fn asked(&mut self) -> Result<Vec<Asked>, OfficeError> {
        match &mut self.live.dyn_game {
            Some(dyn_game) if !self.live.closed => Ok(dyn_game.asked()?),
            _ => Ok(Vec::new()),
        }
    }

    /// Makes the next line; [`GameSession::commit`] appends it.
    pub fn line(&mut self, services: &Services, body: &Body<'_>) -> Result<u64, OfficeError> {
        let n = self.writer.n();
        let at = services.environment.at();
        let text = self.writer.line(&at, body)?;
        self.batch.push_str(&text);
        match body {
            Body::Started(_) => self.live.hear_step(n, unix(&at), None),
            Body::Decision(decision) => self.live.hear_step(n, unix(&at), Some(decision.prompt)),
            other => self.live.hear_time(n, &at, other),
        }
        if self.live.seatings.hear(n, body) {
            self.seats.sit(&self.live.seatings);
        }
        if Derived::of(body).is_none() {
            self.causes.push(n);
        }
        self.facts.apply(n, body, false);
        self.facts.last_at = at;
        self.facts.hashes.extend(self.writer.head().map(|head| head.hash));
        Ok(n)
    }

    /// Appends all lines made since the last time, in one write; they are safe when this returns. `by`: the mail that made them
    /// necessary, and whose it is.
    pub fn commit(&mut self, by: Option<(Seat, Hash)>) -> Result<(), OfficeError> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let lines = std::mem::take(&mut self.batch);
        // Secrets that were damaged would make lines that contradict: none of them is written.
        if let Some(checker) = &mut self.live.checker {
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
        let expected = self.live.head.n + 1;
        let lease = self.lease()?;
        lease.append(expected, lines.as_bytes())?;
        self.source = lease.journal();
        self.causes.clear();
        if let Some(head) = self.writer.head() {
            self.live.advance(head);
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
        match self.live.decide(self.writer.n(), seat, order, via, mail) {
            Ok(step) => {
                let n = self.writer.n();
                for body in &step.bodies {
                    self.line(services, body)?;
                }
                if let Some(FromMail { mail, .. }) = mail {
                    self.facts.came_by(n, mail);
                    self.ordered_by = Some((seat, mail));
                }
                Ok(())
            }
            Err(why) => {
                if !matches!(&why, LiveFault::Rejected(Rejected::Refused(_) | Rejected::Over)) {
                    tracing::error!(game = self.game, %why, "the rules broke down; the game is rebuilt from its journal");
                    self.commit(None)?;
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

    /// Finds the question of this seat that the words answer. Players may be called by their names.
    pub fn read(&mut self, seat: Seat, said: &Phrase) -> Result<Understood, Misread> {
        self.read_by(said, |dyn_game, said| dyn_game.read(seat, said))
    }

    /// Makes an order of the words as an answer to this open question alone.
    pub fn read_at(&mut self, seat: Seat, prompt: PromptId, said: &Phrase) -> Result<Understood, Misread> {
        self.read_by(said, |dyn_game, said| dyn_game.read_at(seat, prompt, said))
    }

    fn read_by(
        &mut self,
        said: &Phrase,
        read: impl Fn(&mut dyn DynGame, &Phrase) -> Result<Understood, Misread>,
    ) -> Result<Understood, Misread> {
        let Some(dyn_game) = &mut self.live.dyn_game else {
            return Err(said.reader().fail("the game has not begun"));
        };
        let mut attempt = |phrase: &Phrase| {
            // Reading changes nothing, so whatever a breakdown leaves behind is as it was.
            catch_unwind(AssertUnwindSafe(|| read(&mut **dyn_game, phrase))).unwrap_or_else(|_| {
                Err(phrase.reader().fail(
                    "the rules broke down over this order, which is a fault of this program, not yours. We are sorry. \
                     Nothing was done",
                ))
            })
        };
        let first = match attempt(said) {
            Ok(understood) => return Ok(understood),
            Err(why) => why,
        };
        match self.seats.lettered(said.text()) {
            Some(text) => attempt(&Phrase::new(&text)).map_err(|_| first),
            None => Err(first),
        }
    }
}

/// Reads a journal once: the game, and what the journal says beyond it.
fn read_once(
    services: &Services,
    source: &Source,
    secrets: &GameSecrets,
    upto: Option<u64>,
) -> Result<(LiveGame, Facts), ReplayFault> {
    let mut facts = Facts::default();
    let chains = Some(secrets.chains.clone());
    let live = rebuild_with(source, &services.catalog, chains, upto, Watch::ALL, &mut [&mut facts])?;
    for (n, _) in facts.mailed.clone() {
        if let Some(mail) = secrets.mail_of(n) {
            facts.came_by(n, mail);
        }
    }
    Ok((live, facts))
}

/// The same for a game that is to be worked on: what a broken append left of a step is cut off, since the same decision taken
/// again has the same dice.
fn replayed(
    services: &Services,
    lease: &mut dyn Lease,
    secrets: &GameSecrets,
    game: &str,
) -> Result<(LiveGame, Facts), OfficeError> {
    loop {
        match read_once(services, &lease.journal(), secrets, None) {
            Ok(read) => return Ok(read),
            Err(ReplayFault::Empty) => return Err(OfficeError::NoGame(game.to_owned())),
            Err(ReplayFault::Incomplete { from, missing }) => {
                tracing::warn!(game, from, missing, "the last step was not whole and is cut off");
                lease.cut_after(from.checked_sub(1))?;
            }
            Err(why) => return Err(why.into()),
        }
    }
}

/// The same for a game that is only looked at: somebody may be appending to its journal, so it is read as far as its commands
/// are whole.
fn seen(
    services: &Services,
    source: &Source,
    secrets: &GameSecrets,
    game: &str,
) -> Result<(LiveGame, Facts), OfficeError> {
    let again = |upto| read_once(services, source, secrets, upto);
    let read = match again(None) {
        Err(ReplayFault::Incomplete { from, .. }) => again(Some(from.saturating_sub(1))),
        read => read,
    };
    let (live, facts) = match read {
        Ok(read) => read,
        Err(ReplayFault::Empty) => return Err(OfficeError::NoGame(game.to_owned())),
        Err(why) => return Err(why.into()),
    };
    match secrets.broken_append(Some(live.head.n)) {
        Some(from) if from <= live.head.n => Ok(again(Some(from.saturating_sub(1)))?),
        _ => Ok((live, facts)),
    }
}

/// Holds a journal against the lines that are known to have been in it: the newest that the index remembers and those of which
/// seats were told.
fn is_the_one(game: &str, facts: &Facts, known: impl Iterator<Item = (u64, Hash)>) -> Result<(), OfficeError> {
    let there = |n: u64| usize::try_from(n).ok().and_then(|n| facts.hashes.get(n));
    let wrong = { known }.filter(|(n, hash)| there(*n) != Some(hash)).max_by_key(|(n, _)| *n);
    match wrong {
        None => Ok(()),
        Some((n, _)) => {
            let (game, lines) = (game.to_owned(), facts.hashes.len() as u64);
            Err(OfficeError::OlderJournal { game, lines, known: n, changed: there(n).is_some() })
        }
    }
}

/// Cuts off what is there of an append of several steps that broke off.
fn cut_broken_append(lease: &mut dyn Lease, secrets: &mut GameSecrets) -> Result<(), StoreError> {
    let there = lease.head().map(|head| head.n);
    let Some(from) = secrets.broken_append(there) else { return Ok(()) };
    if there.is_some_and(|n| n >= from) {
        tracing::warn!(from, "a command that was not whole is cut off");
        lease.cut_after(from.checked_sub(1))?;
    }
    // The lines that will have these numbers are others.
    let undone = Kept::Append(Append { from: from + 1, to: from, by: None });
    lease.keep(&undone)?;
    secrets.learn(undone);
    Ok(())
}

/// Tells the host when his clock stands before the time of the last line. Nothing hangs on it, since times are advice, but
/// deadlines and the dates of letters are wrong until it is set right.
fn look_at_clock(game: &str, now: DateTime<Utc>, last: &str) {
    if DateTime::parse_from_rfc3339(last).is_ok_and(|last| now < last) {
        tracing::error!(game, %now, last, "this machine's clock stands before the time of the journal's last line");
    }
}
