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
mod transaction;
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
    transaction::Transaction,
    watching::{MOST_WATCHERS, ToWatcher, name_of},
};
pub use self::{bots::bot_called, clock::Ticked, queue::Queue};

use crate::{error::OfficeError, services::Services};
use chrono::{DateTime, Utc};
use postrider_dice::Hash;
use postrider_journal::Head;
use postrider_letters::{self as letters, OrderReport, Section};
use postrider_orders::{Misread, Phrase};
use postrider_replay::{LiveGame, ReplayFault, Source, facts::Facts, rebuild, rebuild_with};
use postrider_store::{
    Append, GameSecrets, Host, Kept, Lease, Mark, OfSeat, Player, Players, StoreError, Thread, TokenIssuer,
};
use postrider_table::{Asked, DynGame, Listed, PromptId, Seat, Understood, Watch, map::Way};
use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A game as its journal and its secrets have it. It is only read; a [`Transaction`] changes it.
pub struct Game {
    /// The game's id.
    pub id: String,
    /// The players.
    pub seats: Players,
    /// What is kept next to the journal.
    pub secrets: GameSecrets,
    /// Makes the tokens of letters.
    pub tokens: TokenIssuer,
    /// What the journal says besides the play.
    pub facts: Facts,
    /// The rules, running.
    pub live: LiveGame,
    /// The journal.
    pub(crate) source: Source,
    /// The state of the store in which this is the game; `None` while a transaction changes it.
    mark: Option<Mark>,
    /// `true` if nothing is left undone that follows from the journal.
    settled: bool,
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

impl Game {
    /// Opens a game for reading. Nothing is changed, and what a broken append left is not seen. `known` is the game as it
    /// was read or committed before; it is used if nothing was changed since.
    ///
    /// # Errors
    /// [`OfficeError::NoGame`], or why it cannot be read.
    pub fn look(services: &mut Services, id: &str, known: Option<Game>) -> Result<Game, OfficeError> {
        if services.store.journal(id)?.is_none() {
            return Err(OfficeError::NoGame(id.to_owned()));
        }
        let now = services.store.mark(id)?;
        let source = services.store.journal(id)?.ok_or_else(|| OfficeError::NoGame(id.to_owned()))?;
        match known {
            Some(game) if game.mark.as_ref() == Some(&now) => Ok(game),
            _ => {
                let read = services.store.kept(id)?;
                let seats = Players::of(&read.kept);
                let secrets = GameSecrets::of(read.kept);
                let replayed = seen(services, &source, &secrets, id)?;
                let game = Game::of(services, id, (seats, secrets), replayed, source)?;
                Ok(Game { mark: Some(now), ..game })
            }
        }
    }

    /// Opens a game for changing it. What a broken append left is cut off. `newest`: the journal must be the one that was worked
    /// on before, not an older copy of it.
    ///
    /// # Errors
    /// Why it cannot be opened. With half of the secrets nothing could be written that does not contradict the journal.
    fn leased(services: &mut Services, id: &str, lease: &mut dyn Lease, newest: bool) -> Result<Game, OfficeError> {
        let read = lease.kept()?;
        if let Some(strange) = read.strange.first() {
            return Err(OfficeError::DamagedSecrets { game: id.to_owned(), what: strange.to_string() });
        }
        let seats = Players::of(&read.kept);
        let mut secrets = GameSecrets::of(read.kept);
        let remembered = newest.then(|| lease.remembered());
        cut_broken_append(lease, &mut secrets)?;
        let (live, facts) = replayed(services, lease, &secrets, id)?;
        if let Some(remembered) = remembered {
            let told = secrets.written.values().filter_map(|written| Some((written.n, written.hash?)));
            is_the_one(id, &facts, remembered.into_iter().chain(told))?;
            if live.opened.key != services.key.public() {
                return Err(OfficeError::OtherKey { game: id.to_owned() });
            }
        }
        Game::of(services, id, (seats, secrets), (live, facts), lease.journal())
    }

    fn of(
        services: &mut Services,
        id: &str,
        (mut seats, secrets): (Players, GameSecrets),
        (mut live, facts): (LiveGame, Facts),
        source: Source,
    ) -> Result<Game, OfficeError> {
        live.closed |= secrets.abandoned.is_some();
        seats.sit(&live.seatings);
        check_clock(id, services.environment.now(), &facts.last_at);
        services.letters.add_view(&services.host, live.opened.ruleset)?;
        let tokens = TokenIssuer::new(id, services.key_seed);
        Ok(Game { id: id.to_owned(), seats, secrets, tokens, facts, live, source, mark: None, settled: false })
    }

    /// The thread and the return address of letters to a player; whoever else is written to has none.
    fn of_seat(&self, services: &Services, to: &Player) -> OfSeat {
        let Host { addresses, settings, .. } = &services.host;
        let plain = addresses.plain();
        let domain = plain.rsplit_once('@').map_or("localhost", |(_, domain)| domain);
        if let Some(watcher) = self.watcher(&to.address) {
            let answer = addresses.reply_address(&self.id, 0, &self.watch_word(&to.address));
            let root = format!("{}@{domain}", self.watch_names(watcher).0);
            let unsubscribe = (answer != plain).then(|| format!("mailto:{answer}?body=stop%20watching"));
            return OfSeat { root: Some(root), returns: None, unsubscribe };
        }
        if self.seats.player(to.seat).is_none_or(|player| player.address != to.address) {
            return OfSeat::default();
        }
        let returns = settings.verp().then(|| {
            let code = self.tokens.return_code(to.seat, to.commitment());
            addresses.return_address(&self.id, &to.seat.to_string(), &code)
        });
        let root = format!("{}.thread-{}@{domain}", self.id, to.seat);
        OfSeat { root: Some(root), returns: returns.flatten(), unsubscribe: None }
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
fn check_clock(game: &str, now: DateTime<Utc>, last: &str) {
    if DateTime::parse_from_rfc3339(last).is_ok_and(|last| now < last) {
        tracing::error!(game, %now, last, "this machine's clock stands before the time of the journal's last line");
    }
}
