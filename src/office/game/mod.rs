//! A game open for reading: its journal, secrets and running rules. Nothing here changes it.

pub(crate) mod absence;
pub(crate) mod advice;
pub(crate) mod clock;
pub(crate) mod data;
pub(crate) mod director_orders;
pub(crate) mod directors;
pub(crate) mod draft;
pub(crate) mod fitting;
pub(crate) mod handled;
pub(crate) mod hours;
pub(crate) mod invitee;
pub(crate) mod local_time;
pub(crate) mod map;
pub(crate) mod messages;
pub(crate) mod motions;
pub(crate) mod names;
pub(crate) mod pace;
pub(crate) mod page;
pub(crate) mod queue;
pub(crate) mod refusals;
pub(crate) mod seats;
pub(crate) mod status;
pub(crate) mod story;
pub(crate) mod threads;
pub(crate) mod tokens;
pub(crate) mod undoing;
pub(crate) mod watching;

use crate::{
    error::OfficeError,
    game::queue::{ATTACKED, PAUSE, Planned, Queue},
    services::Services,
};
use chrono::{DateTime, Utc};
use postrider_dice::Hash;
use postrider_journal::Head;
use postrider_letters as letters;
use postrider_letters::HeadShown;
use postrider_mail::Token;
use postrider_orders::{Misread, Phrase};
use postrider_replay::{LiveGame, ReplayFault, Source, facts::Facts, marks::called, rebuild, rebuild_with};
use postrider_store::{
    Append, Bond, Draft, GameSecrets, Kept, Lease, Mark, Message, Pace, Player, Players, StoreError, TokenIssuer,
    Watcher, check_zone,
};
use postrider_table::{Asked, DynGame, Listed, PromptId, Seat, Understood, Watch};
use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A game according to its journal and secrets. It is read-only; a `Transaction` changes it.
pub struct Game {
    /// The game's id.
    pub id: String,
    /// The players.
    pub seats: Players,
    /// The data stored next to the journal.
    pub secrets: GameSecrets,
    /// The issuer of tokens for letters.
    pub tokens: TokenIssuer,
    /// The journal's information other than the play.
    pub facts: Facts,
    /// The running rules.
    pub live: LiveGame,
    /// The journal.
    pub(crate) source: Source,
    /// The state of the store that this game corresponds to; `None` while a transaction changes the
    /// game.
    pub(crate) mark: Option<Mark>,
    /// `true` if everything that follows from the journal has been done.
    pub(crate) settled: bool,
}

impl Game {
    /// Opens a game for reading, without the remains of an interrupted append. Changes nothing.
    /// `known` is the game as last read or committed, and is returned if nothing has changed since.
    ///
    /// # Errors
    /// [`OfficeError::NoGame`], or the reason why it cannot be read.
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

    /// Opens a game for changing it, and cuts off the remains of an interrupted append. If
    /// `newest`, the journal must be the one last used, not an older copy.
    ///
    /// # Errors
    /// The reason why it cannot be opened. Damaged secrets are an error, because without them
    /// nothing could be written that agrees with the journal.
    pub(crate) fn leased(
        services: &mut Services,
        id: &str,
        lease: &mut dyn Lease,
        newest: bool,
    ) -> Result<Game, OfficeError> {
        let read = lease.kept()?;
        if let Some(strange) = read.strange.first() {
            return Err(OfficeError::DamagedSecrets { game: id.to_owned(), what: strange.to_string() });
        }
        let seats = Players::of(&read.kept);
        let mut secrets = GameSecrets::of(read.kept);
        let known = newest.then(|| known_lines(services, id, &secrets)).transpose()?;
        // No line of an interrupted append is known, so what an older journal lacks is noticed
        // before anything is cut off.
        let lines = lease.head().map_or(0, |head| head.n + 1);
        if let Some(n) = known.iter().flatten().map(|(n, _)| *n).filter(|n| *n >= lines).max() {
            return Err(OfficeError::OlderJournal { game: id.to_owned(), lines, known: n, changed: false });
        }
        cut_broken_append(lease, &mut secrets)?;
        let (live, facts) = replayed(services, lease, &secrets, id)?;
        let mut sealed = facts.standing.iter().chain(&facts.forgotten);
        if let Some(lost) = sealed.find(|one| secrets.sealed.iter().all(|kept| kept.commit != one.commit)) {
            let what = format!("the content of the standing order that line {} seals is missing", lost.n);
            return Err(OfficeError::DamagedSecrets { game: id.to_owned(), what });
        }
        if let Some(known) = known {
            is_the_one(id, &facts, known)?;
            if live.opened.key != services.key.public() {
                return Err(OfficeError::OtherKey { game: id.to_owned() });
            }
        }
        Game::of(services, id, (seats, secrets), (live, facts), lease.journal())
    }

    /// Returns a game as its journal has it, up to the last whole command, and
    /// [`OfficeError::OlderJournal`] if that journal is an older copy, not the one last used. Takes
    /// no lease, so it changes nothing.
    ///
    /// # Errors
    /// The reason why the game cannot be read.
    pub(crate) fn as_left(services: &Services, id: &str) -> Result<(LiveGame, Result<(), OfficeError>), OfficeError> {
        let source = services.store.journal(id)?.ok_or_else(|| OfficeError::NoGame(id.to_owned()))?;
        let secrets = GameSecrets::of(services.store.kept(id)?.kept);
        let (live, facts) = seen(services, &source, &secrets, id)?;
        let is_newest = is_the_one(id, &facts, known_lines(services, id, &secrets)?);
        Ok((live, is_newest))
    }

    fn of(
        services: &mut Services,
        id: &str,
        (mut seats, secrets): (Players, GameSecrets),
        (live, facts): (LiveGame, Facts),
        source: Source,
    ) -> Result<Game, OfficeError> {
        seats.sit(&live.seatings);
        check_clock(id, services.now(), &facts.last_at);
        services.letters.add_view(&services.host, live.opened.ruleset)?;
        let tokens = TokenIssuer::new(id, services.key_seed);
        Ok(Game { id: id.to_owned(), seats, secrets, tokens, facts, live, source, mark: None, settled: false })
    }

    /// Reads the game and the facts from the journal again.
    #[cfg(test)]
    pub(crate) fn read_anew(&self, services: &Services) -> Result<(LiveGame, Facts), OfficeError> {
        Ok(read_once(services, &self.source, &self.secrets, None)?)
    }

    /// Returns the reason for which the game was abandoned, if it was.
    pub(crate) fn abandoned(&self) -> Option<&str> {
        let of = self.live.motions.ended_by()?;
        let abandoned = self.live.motions.places(of)?.is_empty();
        abandoned.then(|| self.live.motions.carried(of).map_or("", |motion| motion.reason.as_str()))
    }

    /// Returns the last line that is safe in the journal.
    pub fn head(&self) -> Head {
        self.live.head.clone()
    }

    /// Returns the game after line `n`. An answer is read with the list that its author saw.
    pub fn as_of(&self, services: &Services, n: u64) -> Result<Option<Box<dyn DynGame>>, OfficeError> {
        if let Some(then) = self.live.then(n)? {
            return Ok(then.dyn_game);
        }
        let chains = Some(self.secrets.chains.clone());
        Ok(rebuild(&self.source, &services.catalog, chains, Some(n), Watch::NONE)?.dyn_game)
    }

    /// Returns a seat's open questions, in the order in which letters number them.
    pub fn questions(&self, seat: Seat) -> Result<Vec<Listed>, OfficeError> {
        match &self.live.dyn_game {
            Some(dyn_game) if !self.live.closed => Ok(letters::questions(self.live.opened.ruleset, &**dyn_game, seat)?),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns all open questions in short.
    pub fn asked(&self) -> Result<Vec<Asked>, OfficeError> {
        match &self.live.dyn_game {
            Some(dyn_game) if !self.live.closed => Ok(dyn_game.asked()?),
            _ => Ok(Vec::new()),
        }
    }

    /// Finds the seat's question that the words answer. They may contain names of players.
    pub fn read(&self, seat: Seat, said: &Phrase) -> Result<Understood, Misread> {
        self.read_by(said, |dyn_game, said| dyn_game.read(seat, said))
    }

    /// Parses the words as an answer to one open question.
    pub fn read_at(&self, seat: Seat, prompt: PromptId, said: &Phrase) -> Result<Understood, Misread> {
        self.read_by(said, |dyn_game, said| dyn_game.read_at(seat, prompt, said))
    }

    fn read_by(
        &self,
        said: &Phrase,
        read: impl Fn(&dyn DynGame, &Phrase) -> Result<Understood, Misread>,
    ) -> Result<Understood, Misread> {
        let Some(dyn_game) = &self.live.dyn_game else {
            return Err(said.reader().fail("the game has not begun"));
        };
        let attempt = |phrase: &Phrase| {
            // Parsing changes nothing, so the game is intact even after a panic.
            catch_unwind(AssertUnwindSafe(|| read(&**dyn_game, phrase))).unwrap_or_else(|_| {
                Err(phrase.reader().fail(
                    "the rules failed on this order, which is a fault of this program, not yours. We are sorry. Nothing was done",
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

impl Game {
    pub(crate) fn zone<'a>(&'a self, services: &'a Services, seat: Seat) -> &'a str {
        let named = self.secrets.zones.get(&seat).map(String::as_str);
        let own = named.or_else(|| self.seats.player(seat)?.zone.as_deref());
        own.filter(|zone| check_zone(zone).is_ok()).unwrap_or(&services.host.settings.time_zone)
    }

    /// Returns the last line that a seat knows: that of its last letter or, without letters, the
    /// last one before the present Round. Returns `None` for a seat without any information yet.
    pub(crate) fn known_to(&self, seat: Seat) -> Option<u64> {
        if !self.seats.player(seat).is_some_and(Player::by_mail) {
            return self.live.marks.last().and_then(|mark| mark.n.checked_sub(1));
        }
        let written = self.secrets.written.get(&seat).map(|written| written.n);
        let taken = self.facts.reseated.get(&seat).copied().unwrap_or(0);
        written.filter(|&n| n >= taken && self.live.started.is_some_and(|begun| n >= begun.n))
    }

    /// Returns the messages that are still stored, each with the `n` of its line, oldest first.
    pub fn messages(&self) -> impl Iterator<Item = (u64, &Message)> {
        self.facts.press.iter().filter_map(|(n, commit)| Some((*n, self.secrets.messages.get(commit)?)))
    }

    /// Returns the Turn of the last Round that began; 0 before the first.
    pub(crate) fn turn(&self) -> u32 {
        self.live.marks.last().map_or(0, |mark| u32::try_from(mark.turn).unwrap_or(u32::MAX))
    }

    /// Returns the `n` of the line that began the present Turn; 0 before the first.
    pub(crate) fn turn_began(&self) -> u64 {
        let marks = &self.live.marks;
        let turn = marks.last().map(|mark| mark.turn);
        marks.iter().find(|mark| Some(mark.turn) == turn).map_or(0, |mark| mark.n)
    }

    /// Returns the Turn and Round in words.
    pub fn place(&self) -> String {
        called(&self.live.marks)
    }

    pub(crate) fn head_shown(&self, services: &Services, seat: Seat) -> HeadShown {
        let head = self.head();
        HeadShown {
            game: self.id.clone(),
            seat: self.live.seat_name(seat).to_owned(),
            n: head.n,
            hash: head.hash.to_string(),
            signature: services.key.sign(&head),
            key: services.key.public().to_string(),
        }
    }

    /// Returns the rest of a seat's plan, in order: the `n` of each line, and the order.
    pub(crate) fn plan_of(&self, seat: Seat) -> Vec<(u64, Planned, String)> {
        let order = |(n, queue): (u64, Queue)| Some((n, queue.plan?, queue.orders.into_iter().next()?));
        let mut plan: Vec<_> = self.all_standing(seat).into_iter().filter_map(order).collect();
        plan.sort_by_key(|(_, planned, _)| planned.place);
        plan
    }

    /// Returns the lines of a seat's draft, which have not been carried out.
    pub(crate) fn draft(&self, seat: Seat) -> &[String] {
        self.secrets.drafts.get(&seat).map_or(&[], Draft::now)
    }

    /// Returns how many times letters about this question have become void.
    pub(crate) fn voided(&self, prompt: PromptId) -> u64 {
        self.secrets.voided(prompt, self.facts.rewinds.len() as u64)
    }

    /// Returns `true` if a seat has paused its standing orders.
    pub(crate) fn pauses(&self, seat: Seat) -> bool {
        self.all_standing(seat).iter().any(|(_, queue)| queue.kind == PAUSE)
    }

    /// Returns a seat's standing order with this kind and name: the `n` of its line and its
    /// content.
    pub fn standing(&self, seat: Seat, kind: &str, name: &str) -> Option<(u64, Queue)> {
        self.all_standing(seat)
            .into_iter()
            .find(|(_, queue)| queue.kind == kind && queue.name == name && queue.plan.is_none())
    }

    /// Returns a seat's standing orders for a kind of question in the order in which they are
    /// tried: first those left with `first`, newest first, then the others, oldest first.
    pub(crate) fn standing_for(&self, seat: Seat, kind: &str) -> Vec<(u64, Queue)> {
        let mut all = self.all_standing(seat);
        let attacked = self.live.opened.ruleset.attacked().contains(&kind);
        all.retain(|(_, queue)| (queue.kind == kind || attacked && queue.kind == ATTACKED) && queue.plan.is_none());
        all.sort_by_key(|(n, queue)| (!queue.first, if queue.first { u64::MAX - n } else { *n }));
        all
    }

    /// Returns the seats that have standing orders in force. Those of a player who has given the
    /// game up rest, since a bot plays the seat, until a director brings the player back.
    pub(crate) fn seats_standing(&self) -> BTreeSet<Seat> {
        let seats = self.facts.standing.iter().map(|one| one.seat);
        seats.filter(|&seat| !motions::is_out(self, seat)).collect()
    }

    /// Returns a seat's standing orders.
    pub fn all_standing(&self, seat: Seat) -> Vec<(u64, Queue)> {
        let mine = self.facts.standing.iter().filter(|one| one.seat == seat);
        let content = |commit| self.secrets.sealed.iter().find(|sealed| sealed.commit == commit);
        mine.filter_map(|one| Some((one.n, serde_json::from_str(&content(one.commit)?.content).ok()?))).collect()
    }

    /// Returns the bot that stands in for a seat's player.
    pub(crate) fn stand_in(&self, seat: Seat) -> Option<&str> {
        self.live.motions.bots().stand_in(self.live.seat_name(seat))
    }

    /// Returns the address and epoch to which a seat's tokens are bound now.
    pub(crate) fn bond(&self, seat: Seat) -> Bond {
        let address = self.seats.player(seat).map_or(Hash([0; 32]), Player::commitment);
        Bond { address, epoch: self.secrets.epoch(seat, &address) }
    }

    /// Returns the token of a letter about this question.
    pub(crate) fn token(&self, seat: Seat, prompt: PromptId) -> Token {
        self.tokens.token(seat, self.bond(seat), prompt, self.voided(prompt))
    }

    /// Returns the token of a letter without a question.
    pub(crate) fn letterbox(&self, seat: Seat) -> Token {
        self.tokens.letterbox(seat, self.bond(seat))
    }

    /// Returns the spectator or director with this address.
    pub(crate) fn watcher(&self, address: &str) -> Option<&Watcher> {
        self.secrets.watchers.iter().find(|one| one.address.eq_ignore_ascii_case(address))
    }

    /// Returns `true` if an order only says that its player has done enough, such as `done`.
    pub(crate) fn says_enough(&self, order: &Phrase) -> bool {
        let words = self.live.opened.ruleset.enough();
        words.iter().any(|word| order.text().eq_ignore_ascii_case(word))
    }

    /// Returns a seat's open question of this kind.
    pub(crate) fn asked_of(&self, seat: Seat, kind: &str) -> Option<PromptId> {
        let asked = self.asked().ok()?;
        asked.into_iter().find(|asked| asked.seat == seat && asked.kind == kind).map(|asked| asked.id)
    }

    /// Returns the kinds of this game's questions, open or not, that the words completely answer.
    pub(crate) fn foreseen(&self, seat: Seat, phrase: &Phrase) -> Vec<&'static str> {
        let named = self.seats.lettered(phrase.text()).map(|text| Phrase::new(&text));
        let Some(dyn_game) = &self.live.dyn_game else { return Vec::new() };
        // Parsing changes nothing, so the game is intact even after a panic.
        let reads =
            |phrase: &Phrase| catch_unwind(AssertUnwindSafe(|| dyn_game.foreseen(seat, phrase))).unwrap_or_default();
        let plain = reads(phrase);
        if plain.is_empty() { named.map(|named| reads(&named)).unwrap_or_default() } else { plain }
    }

    /// Returns a player's settings for orders and letters.
    pub(crate) fn pace(&self, seat: Seat) -> Pace {
        self.secrets.paces.get(&seat).copied().unwrap_or_default()
    }
}

/// Reads a journal once. Returns the game and the journal's other facts.
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

/// Reads a journal for changing its game. A step that an interrupted append left incomplete is cut
/// off; repeating the decision gives the same dice.
pub(crate) fn replayed(
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

/// Reads a journal without changing it. Another process may be appending to it, so it is read up to
/// the last complete command.
pub(crate) fn seen(
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

/// Returns the lines known to have been in a journal: the newest in the index, and those reported
/// to the seats.
fn known_lines(services: &Services, game: &str, secrets: &GameSecrets) -> Result<Vec<(u64, Hash)>, StoreError> {
    let told = secrets.written.values().filter_map(|written| Some((written.n, written.hash?)));
    Ok(services.store.remembered(game)?.into_iter().chain(told).collect())
}

/// Checks that a journal contains these lines.
fn is_the_one(game: &str, facts: &Facts, known: Vec<(u64, Hash)>) -> Result<(), OfficeError> {
    let there = |n: u64| usize::try_from(n).ok().and_then(|n| facts.hashes.get(n));
    let wrong = known.into_iter().filter(|(n, hash)| there(*n) != Some(hash)).max_by_key(|(n, _)| *n);
    match wrong {
        None => Ok(()),
        Some((n, _)) => {
            let (game, lines) = (game.to_owned(), facts.hashes.len() as u64);
            Err(OfficeError::OlderJournal { game, lines, known: n, changed: there(n).is_some() })
        }
    }
}

/// Cuts off the remains of an interrupted append of several steps.
fn cut_broken_append(lease: &mut dyn Lease, secrets: &mut GameSecrets) -> Result<(), StoreError> {
    let there = lease.head().map(|head| head.n);
    let Some(from) = secrets.broken_append(there) else { return Ok(()) };
    if there.is_some_and(|n| n >= from) {
        tracing::warn!(from, "a command that was not whole is cut off");
        lease.cut_after(from.checked_sub(1))?;
    }
    // Future lines with these numbers will be different ones.
    let undone = Kept::Append(Append { from: from + 1, to: from, by: None });
    lease.keep(&undone)?;
    secrets.learn(undone);
    Ok(())
}

/// Warns the host if the clock is earlier than the journal's last line. Times in the journal are
/// only advisory, but deadlines and the dates of letters stay wrong until the clock is corrected.
fn check_clock(game: &str, now: DateTime<Utc>, last: &str) {
    if DateTime::parse_from_rfc3339(last).is_ok_and(|last| now < last) {
        tracing::error!(game, %now, last, "this machine's clock stands before the time of the journal's last line");
    }
}
