//! A game that is open on the office's desk: its journal locked, its secrets read, its rules running.

mod bots;
mod clock;
mod joining;
mod notify;
mod pending;
mod refusals;
mod rewinds;
mod rulings;
mod standing;

pub(crate) use self::{
    bots::check_bot,
    joining::joined,
    refusals::{refusal, sentence},
    rewinds::{Point, RewindReport, RewindReports},
};
pub use self::{clock::Ticked, standing::Queue};

use crate::{
    dice::Hash,
    journal::{self, Body, Head, JournalFile, SecretsFile, Via, Writer},
    letters::{self, OrderReport},
    office::{error::OfficeError, services::Services},
    orders::{Misread, Phrase},
    replay::{
        LiveFault, LiveGame, ReplayFault, Source, deadlines::unix, facts::Facts, rebuild, rebuild_with, step::Derived,
    },
    store::{Seats, Thread},
    table::{Asked, Hosted, Listed, Rejected, Seat, Understood, Watch},
};
use chrono::{DateTime, Utc};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A game on the desk. While it lies there nobody else can write its journal.
pub struct GameSession {
    /// The game's id.
    pub game: String,
    /// The players.
    pub seats: Seats,
    /// What the journal says beyond the game itself.
    pub facts: Facts,
    /// The game.
    pub live: LiveGame,
    pub(crate) journal: JournalFile,
    pub(crate) writer: Writer,
    pub(crate) source: Source,
    /// Lines that are made but not yet appended.
    pub(crate) batch: String,
    /// n of those of them that follow from no other.
    pub(crate) causes: Vec<u64>,
    /// What letters tell of rewinds.
    pub(crate) rewind_reports: RewindReports,
    /// Remarks for the seats whose standing orders came to an end.
    pub(crate) notes: Vec<(Seat, String)>,
}

/// What a player is answered, apart from what is asked of him next.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The mail that is answered.
    pub mail: Hash,
    /// Its subject.
    pub subject: String,
    /// Its place in the thread.
    pub thread: Thread,
    /// What became of its orders.
    pub order_report: Option<OrderReport>,
    /// Remarks, a paragraph each.
    pub notes: Vec<String>,
    /// Text that is laid out already.
    pub extra: String,
    /// Whether the position is wanted.
    pub status: bool,
}

impl GameSession {
    /// Opens a game: waits for its lock, cuts off what a broken append left, replays, and makes good whatever a crash kept
    /// from being done.
    ///
    /// # Errors
    /// [`OfficeError::NoGame`], or why it cannot be opened.
    pub fn open(services: &mut Services, game: &str) -> Result<GameSession, OfficeError> {
        let path = services.host.journal(game);
        if !journal::is_game_id(game) || !path.try_exists()? {
            return Err(OfficeError::NoGame(game.to_owned()));
        }
        let mut journal = JournalFile::open(&path)?;
        if journal.cut() > 0 {
            tracing::warn!(game, bytes = journal.cut(), "a torn last line was cut off");
        }
        let mut seats = Seats::read(SecretsFile::open(services.host.secrets(game))?, game, services.key_seed)?;
        seats.undo_broken_append(&mut journal)?;
        let source = Source::from(path.as_path());
        let (live, facts) = replayed(services, &mut journal, &source, &seats, game)?;
        let Some(head) = journal.head() else { return Err(OfficeError::NoGame(game.to_owned())) };
        let writer = Writer::after(head);
        seats.sit(&facts.addresses);
        look_at_clock(game, services.environment.now(), &facts.last_at);
        services.letters.add_view(&services.host, live.opened.ruleset)?;
        let mut session = GameSession {
            game: game.to_owned(),
            seats,
            facts,
            live,
            journal,
            writer,
            source,
            batch: String::new(),
            causes: Vec::new(),
            rewind_reports: RewindReports::default(),
            notes: Vec::new(),
        };
        session.run_pending(services, None)?;
        Ok(session)
    }

    /// The last line that is safe in the journal.
    pub fn head(&self) -> Head {
        self.live.head.clone()
    }

    /// The game as it stood after line `n`, for reading an answer by the list that its reader had before him.
    pub fn as_of(&self, services: &Services, n: u64) -> Result<Option<Box<dyn Hosted>>, OfficeError> {
        if let Some(then) = self.live.then(n)? {
            return Ok(then.hosted);
        }
        let chains = Some(self.seats.chains.clone());
        Ok(rebuild(&self.source, &services.catalog, chains, Some(n), Watch::NONE)?.hosted)
    }

    /// The questions open to a seat, in the order in which mails number them.
    pub fn questions(&mut self, seat: Seat) -> Result<Vec<Listed>, OfficeError> {
        match &mut self.live.hosted {
            Some(hosted) if !self.live.closed => Ok(letters::questions(&mut **hosted, seat)?),
            _ => Ok(Vec::new()),
        }
    }

    /// Every open question, in short.
    pub fn asked(&mut self) -> Result<Vec<Asked>, OfficeError> {
        match &mut self.live.hosted {
            Some(hosted) if !self.live.closed => Ok(hosted.asked()?),
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
        if Derived::of(body).is_none() {
            self.causes.push(n);
        }
        self.facts.apply(n, body, false);
        self.facts.last_at = at;
        Ok(n)
    }

    /// Appends all lines made since the last time, in one write; they are safe when this returns. `by`: the mail that made them
    /// necessary, and whose it is.
    pub fn commit(&mut self, by: Option<(Seat, Hash)>) -> Result<(), OfficeError> {
        if self.batch.is_empty() {
            return Ok(());
        }
        if let [first, _, ..] = self.causes[..] {
            self.seats.keep_append(first, self.writer.n() - 1, by)?;
        }
        self.journal.append(self.batch.as_bytes())?;
        self.batch.clear();
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
        mail: Option<Hash>,
    ) -> Result<(), OfficeError> {
        match self.live.decide(self.writer.n(), seat, order, via, mail) {
            Ok(step) => {
                for body in &step.bodies {
                    self.line(services, body)?;
                }
                Ok(())
            }
            Err(why) => {
                if !matches!(&why, LiveFault::Rejected(Rejected::Refused(_) | Rejected::Over)) {
                    tracing::error!(game = self.game, %why, "the rules broke down; the game is rebuilt from its journal");
                    self.commit(None)?;
                    (self.live, self.facts) =
                        replayed(services, &mut self.journal, &self.source, &self.seats, &self.game)?;
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
        let Some(hosted) = &mut self.live.hosted else {
            return Err(said.reader().fail("the game has not begun"));
        };
        let mut attempt = |phrase: &Phrase| {
            // Reading changes nothing, so whatever a breakdown leaves behind is as it was.
            catch_unwind(AssertUnwindSafe(|| hosted.read(seat, phrase))).unwrap_or_else(|_| {
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

/// Reads a journal once: the game, and what the journal says beyond it. What a broken append left of a step is cut off, since
/// the same decision taken again has the same dice.
pub(crate) fn replayed(
    services: &Services,
    journal: &mut JournalFile,
    source: &Source,
    seats: &Seats,
    game: &str,
) -> Result<(LiveGame, Facts), OfficeError> {
    loop {
        let mut facts = Facts::default();
        let secrets = Some(seats.chains.clone());
        match rebuild_with(source, &services.catalog, secrets, None, Watch::ALL, &mut [&mut facts]) {
            Ok(live) => return Ok((live, facts)),
            Err(ReplayFault::Empty) => return Err(OfficeError::NoGame(game.to_owned())),
            Err(ReplayFault::Incomplete { from, missing }) => {
                tracing::warn!(game, from, missing, "the last step was not whole and is cut off");
                journal.truncate_after(from.checked_sub(1))?;
            }
            Err(why) => return Err(why.into()),
        }
    }
}

/// Tells the host when his clock stands before the time of the last line. Nothing hangs on it, since times are advice, but
/// deadlines and the dates of letters are wrong until it is set right.
fn look_at_clock(game: &str, now: DateTime<Utc>, last: &str) {
    if DateTime::parse_from_rfc3339(last).is_ok_and(|last| now < last) {
        tracing::error!(game, %now, last, "this machine's clock stands before the time of the journal's last line");
    }
}
