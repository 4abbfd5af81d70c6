//! A game that is open on the office's desk: its journal locked, its secrets read, its rules running.

mod notify;

use super::{
    commands::rewind::RewindReports,
    intake::{refusal, sentence},
};
use crate::office::{OfficeError, Services};
use crate::{
    dice::Hash,
    journal::{
        self, Body, Head, JournalFile, Json, Sealed, SecretsFile, Unsealed, Via, Writer, sealed_commitment, to_canon,
    },
    orders::{Misread, Phrase},
    table::{Asked, Hosted, Listed, Rejected, Seat, Understood, Watch},
};
use crate::{
    letters::{self, OrderReport},
    replay::{
        LiveFault, LiveGame, ReplayFault, Source, deadlines::unix, facts::Facts, rebuild, rebuild_with, step::Derived,
    },
    store::{SealedContent, Seats, Thread},
};
use chrono::{DateTime, Utc};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// More standing orders than this are not carried out after one decision: a game that asks so often asks for ever.
const MOST_STANDING: usize = 10_000;

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
    batch: String,
    /// n of those of them that follow from no other.
    causes: Vec<u64>,
    /// What letters tell of rewinds.
    pub(crate) rewind_reports: RewindReports,
    /// Remarks for the seats whose standing orders came to an end.
    notes: Vec<(Seat, String)>,
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

    /// Everything that follows of itself: the game begins when all have joined, standing orders answer what they can, the
    /// lines are appended, and the mails that are owed lie in the outbox when this returns. Doing it again changes nothing.
    pub fn run_pending(&mut self, services: &Services, reply: Option<(Seat, Reply)>) -> Result<(), OfficeError> {
        if self.live.started.is_none() && self.live.joined.iter().all(Option::is_some) {
            let step = self.live.start(self.writer.n())?;
            for body in &step.bodies {
                self.line(services, body)?;
            }
        }
        // What one bot does may be what another, or a standing order, waited for.
        loop {
            self.use_standing(services)?;
            if !self.use_bots(services)? {
                break;
            }
        }
        if self.live.closed {
            // Nothing of a game that is over need stay hidden; with this all of it can be proved.
            let sealed: Vec<u64> = self.facts.standing.iter().chain(&self.facts.forgotten).map(|one| one.n).collect();
            for n in sealed {
                self.unseal(services, n)?;
            }
        }
        self.commit(reply.as_ref().map(|(seat, reply)| (*seat, reply.mail)))?;
        self.notify(services, reply)
    }

    /// The number that the next line will have.
    pub fn next_line(&self) -> u64 {
        self.writer.n()
    }

    /// Answers questions from standing orders, as long as there are any to answer.
    fn use_standing(&mut self, services: &Services) -> Result<(), OfficeError> {
        'again: for _ in 0..MOST_STANDING {
            if self.facts.standing.is_empty() {
                return Ok(());
            }
            for asked in self.asked()?.into_iter().filter(|asked| asked.required) {
                let Some((n, queue)) = self.standing(asked.seat, asked.kind) else { continue };
                let used = self.facts.uses(n, asked.seat, asked.kind);
                let next = if queue.always { 0 } else { used };
                let Some(order) = queue.orders.get(next) else {
                    self.unseal(services, n)?;
                    continue 'again;
                };
                let why = match self.read(asked.seat, &Phrase::new(order)) {
                    Ok(understood) if understood.prompt == asked.id => {
                        match self.decide(services, asked.seat, &understood, Via::Standing, None) {
                            Ok(()) => {
                                if !queue.always && next + 1 == queue.orders.len() {
                                    self.unseal(services, n)?;
                                }
                                continue 'again;
                            }
                            Err(OfficeError::Live(LiveFault::Rejected(why))) => refusal(&why, "-"),
                            Err(other) => return Err(other),
                        }
                    }
                    Ok(_) => "It answers another question.".to_owned(),
                    Err(why) => sentence(&why.to_string()),
                };
                self.unseal(services, n)?;
                let kind = asked.kind;
                let note = format!(
                    "Your standing order for \"{kind}\" is at an end, since \"{order}\" could not be carried out. {why}"
                );
                self.notes.push((asked.seat, note));
                continue 'again;
            }
            return Ok(());
        }
        Ok(())
    }

    /// The standing order of a seat for a kind of question: n of its line and what it says.
    pub fn standing(&self, seat: Seat, kind: &str) -> Option<(u64, Queue)> {
        self.all_standing(seat).into_iter().find(|(_, queue)| queue.kind == kind)
    }

    /// The standing orders of a seat.
    pub fn all_standing(&self, seat: Seat) -> Vec<(u64, Queue)> {
        let mine = self.facts.standing.iter().filter(|one| one.seat == seat);
        let content = |commit| self.seats.sealed.iter().find(|sealed| sealed.commit == commit);
        mine.filter_map(|one| Some((one.n, serde_json::from_str(&content(one.commit)?.content).ok()?))).collect()
    }

    /// Seals a standing order; one for the same kind comes to an end.
    pub fn seal(&mut self, services: &mut Services, seat: Seat, queue: &Queue) -> Result<(), OfficeError> {
        if let Some((n, _)) = self.standing(seat, &queue.kind) {
            self.unseal(services, n)?;
        }
        let content = serde_json::to_value(queue).map_err(|why| OfficeError::Bug(why.to_string()))?;
        let content = to_canon(&content).map_err(|why| OfficeError::Bug(why.to_string()))?;
        let salt = services.environment.secret()?;
        let commit = sealed_commitment(&self.game, self.live.seat_name(seat), &salt, &content);
        self.seats.keep_sealed(SealedContent { commit, salt, content })?;
        let seat = self.live.seat_name(seat).to_owned().into();
        self.line(services, &Body::Sealed(Sealed { seat, what: "standing".into(), commit }))?;
        Ok(())
    }

    /// Opens the standing order sealed in line `n`: it is in force no longer.
    pub fn unseal(&mut self, services: &Services, n: u64) -> Result<(), OfficeError> {
        let all = self.facts.standing.iter().chain(&self.facts.forgotten);
        let commit = all.filter(|one| one.n == n).map(|one| one.commit).next();
        let Some(sealed) = self.seats.sealed.iter().find(|sealed| Some(sealed.commit) == commit).cloned() else {
            return Err(OfficeError::Bug(format!("the content of the sealed line {n} is missing")));
        };
        let content: serde_json::Value =
            serde_json::from_str(&sealed.content).map_err(|why| OfficeError::Bug(why.to_string()))?;
        let content = Json::new(&content).map_err(|why| OfficeError::Bug(why.to_string()))?;
        self.line(services, &Body::Unsealed(Unsealed { of: n, content, salt: sealed.salt }))?;
        Ok(())
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

/// What a standing order says; this is sealed in the journal.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Queue {
    /// The kind of question that it answers.
    #[serde(rename = "for")]
    pub kind: String,
    /// The orders, as written; the first is used first.
    pub orders: Vec<String>,
    /// Whether the first order answers every such question until it is ended.
    pub always: bool,
    /// SHA-256 of the mail that left it and its place in that mail; "" for the command line.
    pub from: String,
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
