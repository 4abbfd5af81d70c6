//! A game that is open on the office's desk: its journal locked, its secrets read, its rules running.

use super::{
    LiveFault, ReplayFault, Running, Source, Tools, Trouble,
    clock::unix,
    facts::Facts,
    intake::{refusal, sentence},
    layout::{self, capital, spelt},
    letters::{self, CardShown, Deeds, HeadShown, Invitation, Invited, Letter, Question},
    outbox::{Owed, Thread},
    rebuild,
    rewind::RewoundTexts,
    seats::{Player, SealedContent, Seats, Written, seat_of},
    source::Survey,
    step::Derived,
};
use crate::{
    dice::{Hash, Shuffled},
    journal::{
        self, Body, FileFault, Head, JournalFile, Json, Line, LinesFault, Sealed, SecretsFile, Unsealed, Via, Writer,
        sealed_commitment, to_canon,
    },
    orders::{Misread, Phrase, list_and},
    table::{Asked, Hosted, Listed, PromptId, Rejected, Seat, Understood, Watch},
};
use chrono::{DateTime, Utc};
use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// More standing orders than this are not carried out after one decision: a game that asks so often asks for ever.
const MOST_STANDING: usize = 10_000;

/// A game on the desk. While it lies there nobody else can write its journal.
pub struct Desk {
    /// The game's id.
    pub game: String,
    /// The players.
    pub seats: Seats,
    /// What the journal says beyond the game itself.
    pub facts: Facts,
    /// The game.
    pub running: Running,
    pub(super) journal: JournalFile,
    pub(super) writer: Writer,
    pub(super) source: Source,
    /// Lines that are made but not yet appended.
    batch: String,
    /// n of those of them that follow from no other.
    causes: Vec<u64>,
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
    pub deeds: Option<Deeds>,
    /// Remarks, a paragraph each.
    pub notes: Vec<String>,
    /// Text that is laid out already.
    pub extra: String,
    /// Whether the position is wanted.
    pub status: bool,
}

impl Desk {
    /// Opens a game: waits for its lock, cuts off what a broken append left, replays, and makes good whatever a crash kept
    /// from being done.
    ///
    /// # Errors
    /// [`Trouble::NoGame`], or why it cannot be opened.
    pub fn open(tools: &mut Tools, game: &str) -> Result<Desk, Trouble> {
        let path = tools.host.journal(game);
        if !journal::is_game_id(game) || !path.try_exists()? {
            return Err(Trouble::NoGame(game.to_owned()));
        }
        let mut journal = JournalFile::open(&path)?;
        if journal.cut() > 0 {
            tracing::warn!(game, bytes = journal.cut(), "a torn last line was cut off");
        }
        let mut seats = Seats::read(SecretsFile::open(tools.host.secrets(game))?, game, tools.key_seed)?;
        seats.undo_broken_append(&mut journal)?;
        let source = Source::from(path.as_path());
        let running = replayed(tools, &mut journal, &source, &seats, game)?;
        let Some(head) = journal.head() else { return Err(Trouble::NoGame(game.to_owned())) };
        let writer = Writer::after(head);
        let (facts, last) = facts_of(&mut journal, &source)?;
        seats.sit(&facts.addresses);
        look_at_clock(game, tools.world.now(), &last);
        tools.letters.add_view(&tools.host, running.opened.ruleset)?;
        let mut desk = Desk {
            game: game.to_owned(),
            seats,
            facts,
            running,
            journal,
            writer,
            source,
            batch: String::new(),
            causes: Vec::new(),
            notes: Vec::new(),
        };
        desk.settle(tools, None)?;
        Ok(desk)
    }

    /// The last line that is safe in the journal.
    pub fn head(&self) -> Head {
        self.running.head.clone()
    }

    /// The game as it stood after line `n`, for reading an answer by the list that its reader had before him.
    pub fn as_of(&self, tools: &Tools, n: u64) -> Result<Option<Box<dyn Hosted>>, Trouble> {
        if let Some(then) = self.running.then(n)? {
            return Ok(then.hosted);
        }
        let chains = Some(self.seats.chains.clone());
        Ok(rebuild(&self.source, &tools.shelf, chains, Some(n), Watch::NONE)?.hosted)
    }

    /// The questions open to a seat, in the order in which mails number them.
    pub fn questions(&mut self, seat: Seat) -> Result<Vec<Listed>, Trouble> {
        match &mut self.running.hosted {
            Some(hosted) if !self.running.closed => letters::questions(&mut **hosted, seat),
            _ => Ok(Vec::new()),
        }
    }

    /// Every open question, in short.
    pub fn asked(&mut self) -> Result<Vec<Asked>, Trouble> {
        match &mut self.running.hosted {
            Some(hosted) if !self.running.closed => Ok(hosted.asked()?),
            _ => Ok(Vec::new()),
        }
    }

    /// Makes the next line; [`Desk::commit`] appends it.
    pub fn line(&mut self, tools: &Tools, body: &Body<'_>) -> Result<u64, Trouble> {
        let n = self.writer.n();
        let at = tools.world.at();
        let text = self.writer.line(&at, body)?;
        self.batch.push_str(&text);
        match body {
            Body::Started(_) => self.running.hear_step(n, unix(&at), None),
            Body::Decision(decision) => self.running.hear_step(n, unix(&at), Some(decision.prompt)),
            other => self.running.hear_time(n, &at, other),
        }
        if Derived::of(body).is_none() {
            self.causes.push(n);
        }
        self.facts.learn(n, body, false);
        Ok(n)
    }

    /// Appends all lines made since the last time, in one write; they are safe when this returns. `by`: the mail that made them
    /// necessary, and whose it is.
    pub fn commit(&mut self, by: Option<(Seat, Hash)>) -> Result<(), Trouble> {
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
            self.running.advance(head);
        }
        Ok(())
    }

    /// Gives a decision to the rules. When they break down, the game is put back to where it was before it.
    ///
    /// # Errors
    /// [`Trouble::Live`] with the refusal; nothing has changed then.
    pub fn decide(
        &mut self,
        tools: &Tools,
        seat: Seat,
        order: &Understood,
        via: Via,
        mail: Option<Hash>,
    ) -> Result<(), Trouble> {
        let value: serde_json::Value =
            serde_json::from_str(&order.order).map_err(|why| Trouble::Defect(why.to_string()))?;
        let decision = journal::Decision {
            seat: self.running.seat_name(seat).to_owned().into(),
            prompt: u64::from(order.prompt),
            ask: order.kind.into(),
            order: Json::new(&value).map_err(|why| Trouble::Defect(why.to_string()))?,
            via,
            mail,
        };
        match self.running.decide(self.writer.n(), decision) {
            Ok(step) => {
                for body in &step.bodies {
                    self.line(tools, body)?;
                }
                Ok(())
            }
            Err(why) => {
                if !matches!(&why, LiveFault::Rejected(Rejected::Refused(_) | Rejected::Over)) {
                    tracing::error!(game = self.game, %why, "the rules broke down; the game is rebuilt from its journal");
                    self.commit(None)?;
                    self.running = replayed(tools, &mut self.journal, &self.source, &self.seats, &self.game)?;
                }
                Err(why.into())
            }
        }
    }

    /// Everything that follows of itself: the game begins when all have joined, standing orders answer what they can, the
    /// lines are appended, and the mails that are owed lie in the outbox when this returns. Doing it again changes nothing.
    pub fn settle(&mut self, tools: &Tools, reply: Option<(Seat, Reply)>) -> Result<(), Trouble> {
        if self.running.started.is_none() && self.running.joined.iter().all(Option::is_some) {
            let step = self.running.start(self.writer.n())?;
            for body in &step.bodies {
                self.line(tools, body)?;
            }
        }
        // What one bot does may be what another, or a standing order, waited for.
        loop {
            self.use_standing(tools)?;
            if !self.use_bots(tools)? {
                break;
            }
        }
        if self.running.closed {
            // Nothing of a game that is over need stay hidden; with this all of it can be proved.
            let sealed: Vec<u64> = self.facts.standing.iter().chain(&self.facts.forgotten).map(|one| one.n).collect();
            for n in sealed {
                self.unseal(tools, n)?;
            }
        }
        self.commit(reply.as_ref().map(|(seat, reply)| (*seat, reply.mail)))?;
        self.owe(tools, reply)
    }

    /// The number that the next line will have.
    pub fn next_line(&self) -> u64 {
        self.writer.n()
    }

    /// Answers questions from standing orders, as long as there are any to answer.
    fn use_standing(&mut self, tools: &Tools) -> Result<(), Trouble> {
        'again: for _ in 0..MOST_STANDING {
            if self.facts.standing.is_empty() {
                return Ok(());
            }
            for asked in self.asked()?.into_iter().filter(|asked| asked.required) {
                let Some((n, queue)) = self.standing(asked.seat, asked.kind) else { continue };
                let used = self.facts.uses(n, asked.seat, asked.kind);
                let next = if queue.always { 0 } else { used };
                let Some(order) = queue.orders.get(next) else {
                    self.unseal(tools, n)?;
                    continue 'again;
                };
                let why = match self.read(asked.seat, &Phrase::new(order)) {
                    Ok(understood) if understood.prompt == asked.id => {
                        match self.decide(tools, asked.seat, &understood, Via::Standing, None) {
                            Ok(()) => {
                                if !queue.always && next + 1 == queue.orders.len() {
                                    self.unseal(tools, n)?;
                                }
                                continue 'again;
                            }
                            Err(Trouble::Live(LiveFault::Rejected(why))) => refusal(&why, "-"),
                            Err(other) => return Err(other),
                        }
                    }
                    Ok(_) => "It answers another question.".to_owned(),
                    Err(why) => sentence(&why.to_string()),
                };
                self.unseal(tools, n)?;
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
    pub fn seal(&mut self, tools: &mut Tools, seat: Seat, queue: &Queue) -> Result<(), Trouble> {
        if let Some((n, _)) = self.standing(seat, &queue.kind) {
            self.unseal(tools, n)?;
        }
        let content = serde_json::to_value(queue).map_err(|why| Trouble::Defect(why.to_string()))?;
        let content = to_canon(&content).map_err(|why| Trouble::Defect(why.to_string()))?;
        let salt = tools.world.secret()?;
        let commit = sealed_commitment(&self.game, self.running.seat_name(seat), &salt, &content);
        self.seats.keep_sealed(SealedContent { commit, salt, content })?;
        let seat = self.running.seat_name(seat).to_owned().into();
        self.line(tools, &Body::Sealed(Sealed { seat, what: "standing".into(), commit }))?;
        Ok(())
    }

    /// Opens the standing order sealed in line `n`: it is in force no longer.
    pub fn unseal(&mut self, tools: &Tools, n: u64) -> Result<(), Trouble> {
        let all = self.facts.standing.iter().chain(&self.facts.forgotten);
        let commit = all.filter(|one| one.n == n).map(|one| one.commit).next();
        let Some(sealed) = self.seats.sealed.iter().find(|sealed| Some(sealed.commit) == commit).cloned() else {
            return Err(Trouble::Defect(format!("the content of the sealed line {n} is missing")));
        };
        let content: serde_json::Value =
            serde_json::from_str(&sealed.content).map_err(|why| Trouble::Defect(why.to_string()))?;
        let content = Json::new(&content).map_err(|why| Trouble::Defect(why.to_string()))?;
        self.line(tools, &Body::Unsealed(Unsealed { of: n, content, salt: sealed.salt }))?;
        Ok(())
    }

    /// Finds the question of this seat that the words answer. Players may be called by their names.
    pub fn read(&mut self, seat: Seat, said: &Phrase) -> Result<Understood, Misread> {
        let Some(hosted) = &mut self.running.hosted else {
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

    /// Puts the mails that are owed now into the outbox, and keeps in mind that it was done.
    fn owe(&mut self, tools: &Tools, reply: Option<(Seat, Reply)>) -> Result<(), Trouble> {
        let head = self.head();
        let all = self.asked()?;
        let mut rewound = RewoundTexts::default();
        let mut news = BTreeMap::new();
        let mut dues = Vec::new();
        for player in self.seats.players.clone() {
            if !player.by_mail() {
                continue;
            }
            let mut old = self.seats.written.get(&player.seat).cloned().unwrap_or_default();
            // Who takes a seat over has read nothing yet; what was decided before him he need not be told.
            let taken = self.facts.reseated.get(&player.seat).copied().filter(|&n| n > old.n);
            let since = taken.unwrap_or(old.n);
            if taken.is_some() {
                old = Written { invited: true, ..Written::default() };
            }
            let mine = all.iter().filter(|asked| asked.seat == player.seat && (asked.required || asked.urgent));
            let asked: Vec<PromptId> = mine.map(|asked| asked.id).collect();
            let (clock, reminded) = self.running.deadlines.news(player.seat, since, &asked);
            let due = Due {
                taken: taken.is_some(),
                clock,
                reminded,
                fresh: asked.iter().any(|id| !old.asked.contains(id)),
                turn: self.turn() > old.turn,
                over: self.running.closed && !old.over,
                invitation: !old.invited && self.running.started.is_none(),
                ruled: self.facts.rulings.iter().any(|&n| n > since),
                rewound: self.facts.rewinds.iter().any(|r| r.n > since && r.taken_back().is_none()),
            };
            dues.push((player, old, since, asked, due));
        }
        let answered = reply.as_ref().map(|(seat, _)| *seat);
        let told = dues.iter().any(|(player, .., due)| Some(player.seat) != answered && due.any());
        for (player, old, since, asked, due) in dues {
            let seat = player.seat;
            let reply = reply.as_ref().filter(|(whose, _)| *whose == seat).map(|(_, reply)| reply);
            if self.running.started.is_none() && reply.is_none() && old.invited {
                continue;
            }
            if reply.is_none() && self.unanswered_back() == Some(seat) {
                continue;
            }
            let new = Written { n: head.n, asked, turn: self.turn(), invited: true, over: self.running.closed };
            if reply.is_none() && !due.any() {
                // What was asked once and is no longer may be asked again.
                if new.asked != old.asked {
                    news.insert(seat, Written { n: old.n, ..new });
                }
                continue;
            }
            let owed = if due.invitation && reply.is_none() {
                self.invitation(tools, &player)?
            } else {
                if due.clock {
                    let notes = self.clock_notes(tools, seat, since, &all);
                    self.notes.extend(notes.into_iter().map(|note| (seat, note)));
                }
                let mut extra = String::new();
                if due.rewound {
                    extra = rewound.text(self, tools, seat, since)?;
                }
                let back = reply.is_some_and(|reply| reply.deeds.as_ref().is_some_and(|deeds| !deeds.done.is_empty()))
                    && !told
                    && self.can_take_back(seat).is_ok();
                self.letter(tools, &player, &old, &due, reply, &Beside { extra, back })?
            };
            tools.outbox.put(&tools.host, &tools.key, &head, &player, &owed)?;
            if new != old {
                news.insert(seat, new);
            }
        }
        self.notes.clear();
        self.seats.keep_written(news, reply.map(|(_, reply)| reply.mail))
    }

    /// The Turn of the last Round that began; 0 before the first.
    fn turn(&self) -> u32 {
        self.running.marks.last().map_or(0, |mark| u32::try_from(mark.turn).unwrap_or(u32::MAX))
    }

    /// Turn and Round in words.
    pub fn place(&self) -> String {
        super::running::place(&self.running.marks)
    }

    fn head_shown(&self, tools: &Tools, seat: Seat) -> HeadShown {
        let head = self.head();
        HeadShown {
            seat: self.running.seat_name(seat).to_owned(),
            n: head.n,
            hash: head.hash.to_string(),
            signature: tools.key.sign(&head),
            key: tools.key.public().to_string(),
        }
    }

    fn invitation(&self, tools: &Tools, player: &Player) -> Result<Owed, Trouble> {
        let joined = |seat: Seat| self.running.joined.get(seat.index()).is_some_and(Option::is_some);
        let setup = &self.running.opened.setup;
        let ruleset = self.running.opened.ruleset;
        let mut options = vec![match ruleset.about_scenario(&setup.scenario) {
            "" => format!("Scenario: {}", setup.scenario),
            about => format!("Scenario: {}, {about}", setup.scenario),
        }];
        options.extend(setup.options.iter().map(|(key, value)| {
            match ruleset.options().iter().find(|rule| rule.name == key && *value == serde_json::Value::Bool(true)) {
                Some(rule) => format!("Optional rule {key}: {}", rule.about),
                None => format!("{key}: {}", layout::plain(value)),
            }
        }));
        if let Some(parent) = &self.running.opened.parent {
            options.push(format!(
                "It goes on from the game {}, after entry {}: {}. Everything drawn there is public and stays; what comes is \
                 drawn anew, with your words for luck.",
                parent.game, parent.n, parent.reason
            ));
        }
        options.extend(self.running.deadlines.terms().map(|terms| terms.words()));
        let bots: BTreeSet<&str> = self.seats.players.iter().filter_map(Player::bot).collect();
        for bot in bots {
            let of = |other: &&Player| other.bot() == Some(bot);
            let seats: Vec<String> = self.seats.players.iter().filter(of).map(|other| other.seat.to_string()).collect();
            options.push(match seats.as_slice() {
                [seat] => format!(
                    "Seat {seat} is kept by a program of the host's, the bot {bot}. It is shown what its seat may see."
                ),
                several => format!(
                    "Seats {} are kept by a program of the host's, the bot {bot}. At each seat it is shown what that seat may \
                     see.",
                    list_and(several)
                ),
            });
        }
        let by_bots = |name: &&String| {
            seat_of(name).is_some_and(|seat| self.seats.player(seat).is_some_and(|player| player.bot().is_some()))
        };
        let host: Vec<&str> =
            self.running.opened.operator_seats.iter().filter(|name| !by_bots(name)).map(String::as_str).collect();
        if !host.is_empty() {
            let seats = host.join(", ");
            options.push(format!("The host himself plays seat {seats}: he could foresee dice and see hidden cards."));
        }
        let one = |other: &Player| Invited {
            seat: other.seat.to_string(),
            name: other.name.clone(),
            you: other.seat == player.seat,
            joined: joined(other.seat),
        };
        let invitation = Invitation {
            game: self.game.clone(),
            title: self.running.opened.ruleset.title().to_owned(),
            name: player.name.clone(),
            joined: joined(player.seat),
            players: self.seats.players.iter().map(one).collect(),
            options,
            head: self.head_shown(tools, player.seat),
        };
        Ok(Owed {
            unique: format!("{}.{}.invitation", self.game, player.seat),
            kind: "invitation".to_owned(),
            subject: format!("{} by mail: will you play, {}?", invitation.title, player.name),
            text: tools.letters.render("invitation.txt", &invitation)?,
            token: (0, self.seats.letterbox(player.seat)),
            thread: None,
            date: tools.world.now(),
        })
    }

    fn letter(
        &mut self,
        tools: &Tools,
        player: &Player,
        old: &Written,
        due: &Due,
        reply: Option<&Reply>,
        beside: &Beside,
    ) -> Result<Owed, Trouble> {
        let seat = player.seat;
        let questions = self.questions(seat)?;
        let (mut asked, open) = letters::shown(&questions, &self.seats);
        for question in &mut asked {
            question.deadline = self.deadline(tools, seat, questions[question.no - 1].asked.id);
        }
        let urgent = questions.iter().any(|q| !q.asked.required && q.asked.urgent);
        let closed = self.running.closed;
        let nothing_done = reply.is_some_and(|reply| reply.deeds.as_ref().is_none_or(|deeds| deeds.done.is_empty()));
        let in_full = due.in_full() || reply.is_some_and(|reply| reply.status);
        let view = match &mut self.running.hosted {
            Some(hosted) if in_full => {
                let view = hosted.view(Some(seat))?;
                tools.letters.view(self.running.opened.ruleset, view, &self.seats)?.trim_end().to_owned()
            }
            _ => String::new(),
        };
        let outcome = match &self.running.hosted {
            Some(hosted) if closed => tools.letters.ending(self.running.opened.ruleset, &**hosted, &self.seats)?,
            _ => String::new(),
        };
        let help_alone = reply.is_some_and(|reply| !reply.extra.is_empty()) && !in_full;
        let mut notes: Vec<String> = reply.map(|reply| reply.notes.clone()).unwrap_or_default();
        notes.extend(self.notes.iter().filter(|(whose, _)| *whose == seat).map(|(_, note)| self.seats.named(note)));
        if beside.back {
            notes.push("As long as nobody else has acted, `back` takes your last order back.".to_owned());
        }
        let extra = reply.map(|reply| reply.extra.trim_end()).into_iter().chain([beside.extra.trim_end()]);
        let letter = Letter {
            game: self.game.clone(),
            opening: self.opening(player, due, reply, &asked, urgent),
            deeds: reply.and_then(|reply| reply.deeds.clone()),
            notes,
            extra: extra.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n"),
            first_mail: old.n == 0,
            since: match nothing_done && !in_full {
                true => Vec::new(),
                false => letters::story(&self.running.story, Some(seat), Some(old.n).filter(|&n| n > 0), &self.seats),
            },
            outcome,
            view,
            examples: if help_alone { Vec::new() } else { examples(&asked) },
            lettered: lettered(&asked),
            asked: if help_alone { Vec::new() } else { asked },
            open: if help_alone || !in_full { Vec::new() } else { open },
            over: closed,
            cards: match (in_full, nothing_done) {
                (true, _) => self.hidden_cards(seat, None),
                (false, true) => Vec::new(),
                (false, false) => self.hidden_cards(seat, Some(old.n)),
            },
            head: self.head_shown(tools, seat),
        };
        let title = questions.iter().find(|q| q.asked.required || q.asked.urgent).map(|q| q.text.title.clone());
        let place = self.place();
        let subject = match (reply, title) {
            (Some(reply), _) if !due.any() => format!("Re: {}", bare_subject(&reply.subject)),
            _ if closed => "the game is over".to_owned(),
            _ if due.taken => format!("{place}: seat {seat} is yours"),
            _ if due.rewound => format!("{place}: the game was rewound"),
            _ if due.ruled => format!("{place}: a ruling"),
            (_, Some(title)) if due.reminds() => format!("{place}: a reminder: {}", self.seats.named(&title)),
            (_, Some(title)) => format!("{place}: {}", self.seats.named(&title)),
            (_, None) => format!("{place}: the position"),
        };
        let last_mail = self.facts.last_mail.or_else(|| self.seats.last_append_by(self.head().n));
        let last_mail = last_mail.filter(|(whose, mail)| *whose == seat && !self.seats.handled.contains(mail));
        let answers = reply.map(|reply| reply.mail).or(last_mail.map(|(_, mail)| mail));
        let (unique, kind) = match answers {
            Some(mail) => {
                let mail = mail.to_string();
                (format!("{}.{seat}.re.{}", self.game, &mail[..16]), format!("re-{}", &mail[..8]))
            }
            None => (format!("{}.{seat}.{}.letter", self.game, self.head().n), "letter".to_owned()),
        };
        let first = questions.first().map(|q| q.asked.id);
        Ok(Owed {
            unique,
            kind,
            subject,
            text: tools.letters.render("letter.txt", &letter)?,
            token: first.map_or((0, self.seats.letterbox(seat)), |id| (id, self.token(seat, id))),
            thread: reply.map(|reply| reply.thread.clone()),
            date: tools.world.now(),
        })
    }

    /// The cards of a seat that are still hidden from others, each with its salt: all of them, or those dealt after line `after`.
    fn hidden_cards(&self, seat: Seat, after: Option<u64>) -> Vec<CardShown> {
        let Some(begun) = &self.running.started else { return Vec::new() };
        let show = |(deck, epoch, list, pos): (&str, u64, &[String], u64)| {
            let secret = self.running.deck_secret(deck, u32::try_from(epoch).ok()?)?;
            let shuffled = Shuffled::new(&self.game, deck, epoch, secret, &begun.luck, list.to_vec());
            let name = shuffled.order().get(usize::try_from(pos).ok()?)?.clone();
            let place = format!("{deck}, epoch {epoch}, position {pos}");
            Some(CardShown { place, name, salt: shuffled.salt(pos).to_string() })
        };
        self.facts.hidden_cards(seat, after).filter_map(show).collect()
    }

    fn opening(&self, player: &Player, due: &Due, reply: Option<&Reply>, asked: &[Question], urgent: bool) -> String {
        let name = &player.name;
        let failed = reply.and_then(|reply| reply.deeds.as_ref()).is_some_and(|deeds| deeds.failed.is_some());
        let what = match asked.len() {
            0 => None,
            1 => Some("one thing is asked of you".to_owned()),
            n => Some(format!("{} things are asked of you", spelt(n))),
        };
        let place = self.place();
        match (what, reply) {
            _ if self.running.closed && due.over => format!("{name}, the game is over. Thank you for playing."),
            (what, None) if due.taken => {
                let what = what.unwrap_or_else(|| "nothing is asked of you now".to_owned());
                format!("{name}, you play seat {} of this game from now on; {what} ({place}).", player.seat)
            }
            (Some(what), None) if due.rewound => format!("{name}, the game was rewound, and {what} ({place})."),
            (None, None) if due.rewound => {
                format!("{name}, the game was rewound; nothing is asked of you now ({place}).")
            }
            (Some(what), None) if due.ruled => format!("{name}, the director has ruled, and {what} ({place})."),
            (None, None) if due.ruled => {
                format!("{name}, the director has ruled; nothing is asked of you now ({place}).")
            }
            (Some(what), None) if due.reminds() => {
                format!("{name}, this is a reminder: half of your time is gone, and {what} ({place}).")
            }
            // What went wrong comes first.
            _ if failed => String::new(),
            (_, Some(reply)) if !due.any() && (reply.deeds.is_none() && !reply.status) => String::new(),
            (Some(what), None) => format!("{name}, {what} ({place})."),
            (Some(what), Some(reply)) if reply.deeds.is_some() => {
                capital(&format!("{name}, your orders were carried out; {what} ({place})."))
            }
            (Some(what), Some(_)) => format!("{name}, {what} ({place})."),
            (None, Some(reply)) if reply.deeds.is_some() && !urgent => {
                format!("{name}, your orders were carried out. Nothing more is asked of you now.")
            }
            (None, _) if self.running.started.is_none() => String::new(),
            (None, _) if urgent => format!("{name}, nothing waits for you ({place}), but you may want to answer this."),
            (None, _) => format!("{name}, nothing is asked of you now ({place})."),
        }
    }
}

/// Why a seat is written to.
#[derive(Clone, Copy, Debug, Default)]
struct Due {
    /// The reader has taken the seat over.
    taken: bool,
    fresh: bool,
    turn: bool,
    over: bool,
    invitation: bool,
    rewound: bool,
    ruled: bool,
    /// A deadline passed or was moved, or the clock stopped or went on.
    clock: bool,
    /// Half of the time for a question is gone.
    reminded: bool,
}

/// What a letter says beside the game.
#[derive(Clone, Debug, Default)]
struct Beside {
    /// Text that is laid out already.
    extra: String,
    /// Whether the reader can take back his last order.
    back: bool,
}

impl Due {
    fn any(self) -> bool {
        self.in_full() || self.reminded
    }

    /// Whether it is worth the whole position.
    fn in_full(self) -> bool {
        let game = self.fresh || self.turn || self.over || self.invitation;
        game || self.taken || self.rewound || self.ruled || self.clock
    }

    /// Whether it is for a reminder alone.
    fn reminds(self) -> bool {
        self.reminded && !self.in_full()
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

/// Replays a journal; what a broken append left of a step is cut off, since the same decision taken again has the same dice.
pub(super) fn replayed(
    tools: &Tools,
    journal: &mut JournalFile,
    source: &Source,
    seats: &Seats,
    game: &str,
) -> Result<Running, Trouble> {
    loop {
        match rebuild(source, &tools.shelf, Some(seats.chains.clone()), None, Watch::ALL) {
            Ok(running) => return Ok(running),
            Err(ReplayFault::Empty) => return Err(Trouble::NoGame(game.to_owned())),
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

/// What the journal says beyond the game, and the time of its last line.
pub(super) fn facts_of(journal: &mut JournalFile, source: &Source) -> Result<(Facts, String), Trouble> {
    let path = journal.path().to_owned();
    let damaged = |what: String| Trouble::Journal(FileFault::Damaged { path: path.clone(), what });
    let undone = Survey::of(source)?.undone(u64::MAX);
    let (mut facts, mut last) = (Facts::default(), String::new());
    let mut lines = journal.lines()?;
    while let Some(text) = lines.next_line().map_err(|why: LinesFault| damaged(why.to_string()))? {
        let line = Line::parse(text).map_err(|why| damaged(why.to_string()))?;
        if Facts::wants(line.kind) {
            let body = line.read_body().map_err(|why| damaged(why.to_string()))?;
            facts.learn(line.n, &body, undone.holds(line.n));
        }
        line.at.clone_into(&mut last);
    }
    Ok((facts, last))
}

/// Orders that answer the questions: the first choice of each, or two of one, if they fit on a line.
fn examples(asked: &[Question]) -> Vec<String> {
    let fits = |row: &&layout::Row| "     ".len() + row.words.chars().count() <= layout::WIDTH;
    match asked {
        [one] => one.rows.iter().filter(fits).take(2).map(|row| row.words.clone()).collect(),
        several => {
            several.iter().take(3).filter_map(|q| q.rows.iter().find(fits)).map(|row| row.words.clone()).collect()
        }
    }
}

fn lettered(asked: &[Question]) -> String {
    let first = asked.iter().find(|question| !question.rows.is_empty());
    first.map(|question| format!("{}{}", question.no, question.rows[0].letter)).unwrap_or_default()
}

/// A subject without the marks of answers and without our own tag.
fn bare_subject(subject: &str) -> &str {
    let mut rest = subject.trim();
    loop {
        let answer = ["re:", "aw:", "sv:", "antw:", "fwd:", "fw:"].iter().find_map(|mark| {
            rest.get(..mark.len()).filter(|start| start.eq_ignore_ascii_case(mark)).map(|_| mark.len())
        });
        let tag = rest.starts_with('[').then(|| rest.find(']').map(|at| at + 1)).flatten();
        match answer.or(tag) {
            Some(length) => rest = rest[length..].trim_start(),
            None => return rest,
        }
    }
}
