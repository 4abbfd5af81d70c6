//! Who sits where, and what has been written to whom: the part of a game that only its host knows.

use super::StoreError;
use crate::{
    dice::{ChainRoot, Hash, SeedChain, h},
    journal::{JournalFile, Secret, SecretsFile, address_commitment},
    mail::Token,
    table::{PromptId, Seat},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Where he sits.
    pub seat: Seat,
    /// What he is called.
    pub name: String,
    /// His mail address, lower-cased.
    pub address: String,
    /// The salt of his address's commitment.
    pub salt: Hash,
    /// His time zone, if he named one.
    pub zone: Option<String>,
}

/// How the address of a seat begins that a program keeps: `bot:steady` stands for an address wherever one is wanted, and
/// nobody is written to there.
const BOT: &str = "bot:";

/// The name of the bot that an address stands for.
#[must_use]
pub fn bot_name(address: &str) -> Option<&str> {
    address.strip_prefix(BOT)
}

impl Player {
    /// The bot that keeps this seat, if it is not a person.
    #[must_use]
    pub fn bot(&self) -> Option<&str> {
        bot_name(&self.address)
    }
    /// Whether the player is written to: neither a bot is, nor who sits at the host's terminal.
    #[must_use]
    pub fn by_mail(&self) -> bool {
        self.address.contains('@')
    }
}

/// What a seat had been told when it was last written to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// n of the head at which that was: of the story, what later lines tell is new to it.
    pub n: u64,
    /// The open questions that were put to it.
    pub asked: Vec<PromptId>,
    /// The Turn of its last mail.
    pub turn: u32,
    /// Whether it was invited.
    pub invited: bool,
    /// Whether it was told that the game is over.
    pub over: bool,
}

/// A standing order as the host keeps it; the journal holds a commitment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedContent {
    /// The commitment in the journal.
    pub commit: Hash,
    /// Its salt.
    pub salt: Hash,
    /// What is committed to, as canonical JSON.
    pub content: String,
}

/// What a rewind does to questions that were put before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undoing {
    /// Its ordinal in the journal, from 1.
    pub rewind: u64,
    /// Letters about the questions from this number on are void.
    pub from: PromptId,
    /// The mail that asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<Hash>,
}

/// A secret that the office itself adds to a game's secrets.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Note {
    Player {
        seat: String,
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        zone: Option<String>,
    },
    Written {
        seats: BTreeMap<String, Written>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mail: Option<Hash>,
    },
    Sealed(SealedContent),
    /// A bot plays for a player who is away; without a name no longer.
    StandIn {
        seat: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bot: Option<String>,
    },
    /// A rewind, noted before its line is written.
    Rewound(Undoing),
    /// Lines `from` to `to` are about to be appended as one, or were and were taken back where `to` comes before `from`.
    Append {
        from: u64,
        to: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<(String, Hash)>,
    },
}

/// The last append of more than one step.
#[derive(Clone, Copy)]
struct Append {
    /// n of its first line.
    from: u64,
    /// n of its last line.
    to: u64,
    /// The mail that made it, and whose it is.
    by: Option<(Seat, Hash)>,
}

/// A game's secrets, read once and kept up to date.
pub struct Seats {
    /// None for a game that is only looked at.
    file: Option<SecretsFile>,
    game: String,
    key: Hash,
    /// The seed chains of all generations, and perhaps of the next.
    pub chains: Vec<SeedChain>,
    /// What the chains of each label follow from, the newest of each label last.
    pub roots: Vec<ChainRoot>,
    /// The players by seat.
    pub players: Vec<Player>,
    /// All that ever sat somewhere or were about to, oldest first.
    known: Vec<Player>,
    /// What each seat had read when it was last written to.
    pub written: BTreeMap<Seat, Written>,
    /// Standing orders.
    pub sealed: Vec<SealedContent>,
    /// The bots that stand in for players who are away.
    pub stand_ins: BTreeMap<Seat, String>,
    /// Rewinds by their ordinals; of one that was noted and not written there is no line.
    pub rewinds: BTreeMap<u64, Undoing>,
    /// Mails to which an answer has been written: they are not looked at again.
    pub handled: HashSet<Hash>,
    append: Option<Append>,
}

impl Seats {
    /// Reads a game's secrets. `key` is the seed of the service's signing key. Whoever calls holds the journal's lock, or
    /// the journal does not exist yet.
    ///
    /// # Errors
    /// [`StoreError::Secrets`] when they cannot be read.
    pub fn read(mut file: SecretsFile, game: &str, key: Hash) -> Result<Seats, StoreError> {
        let all = file.read()?;
        Ok(Seats::of(Some(file), all, game, key))
    }

    /// The players' names, for showing a game to somebody who changes nothing in it. `secrets` is the text of its secrets,
    /// or as much of it as can be read; who is not named there is called by the letter of his seat.
    pub fn names(game: &str, seats: usize, secrets: &str) -> Seats {
        let all = secrets.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let mut known = Seats::of(None, all, game, Hash([0; 32]));
        for seat in (0..=u8::MAX).map(Seat).take(seats) {
            if known.player(seat).is_none() {
                let (name, address) = (seat.to_string(), String::new());
                known.players.push(Player { seat, name, address, salt: Hash([0; 32]), zone: None });
            }
        }
        known
    }

    fn of(file: Option<SecretsFile>, all: Vec<serde_json::Value>, game: &str, key: Hash) -> Seats {
        let mut seats = Seats {
            file,
            game: game.to_owned(),
            key,
            chains: Vec::new(),
            roots: Vec::new(),
            players: Vec::new(),
            known: Vec::new(),
            written: BTreeMap::new(),
            sealed: Vec::new(),
            stand_ins: BTreeMap::new(),
            rewinds: BTreeMap::new(),
            handled: HashSet::new(),
            append: None,
        };
        let mut names: BTreeMap<Seat, (String, Option<String>)> = BTreeMap::new();
        for value in all {
            match serde_json::from_value::<Secret>(value.clone()) {
                Ok(Secret::Chain(chain)) => seats.chains.push(chain),
                Ok(Secret::Root(root)) => seats.roots.push(root),
                Ok(Secret::Address { seat, address, salt }) => {
                    let Some(seat) = Seat::from_letter(&seat) else { continue };
                    // His name stands before his address.
                    let (name, zone) = names.get(&seat).cloned().unwrap_or_else(|| (seat.to_string(), None));
                    seats.known.push(Player { seat, name, address: address.to_lowercase(), salt, zone });
                }
                Ok(Secret::Key { .. }) => {}
                Err(_) => match serde_json::from_value::<Note>(value) {
                    Ok(Note::Player { seat, name, zone }) => {
                        names.extend(Seat::from_letter(&seat).map(|seat| (seat, (name, zone))));
                    }
                    Ok(Note::Written { seats: written, mail }) => {
                        seats.handled.extend(mail);
                        let known = written.into_iter().filter_map(|(seat, w)| Some((Seat::from_letter(&seat)?, w)));
                        seats.written.extend(known);
                    }
                    Ok(Note::Sealed(sealed)) => seats.sealed.push(sealed),
                    Ok(Note::Append { from, to, by }) => {
                        let by = by.and_then(|(seat, mail)| Some((Seat::from_letter(&seat)?, mail)));
                        seats.append = Some(Append { from, to, by });
                    }
                    Ok(Note::StandIn { seat, bot }) => {
                        if let Some(seat) = Seat::from_letter(&seat) {
                            seats.stands_in(seat, bot);
                        }
                    }
                    Ok(Note::Rewound(undoing)) => _ = seats.rewinds.insert(undoing.rewind, undoing),
                    // Somebody else's secret.
                    Err(_) => {}
                },
            }
        }
        // Who takes a seat over takes the place of who held it.
        let newest: BTreeMap<Seat, Player> = seats.known.iter().map(|player| (player.seat, player.clone())).collect();
        seats.players = newest.into_values().collect();
        seats
    }

    /// Seats the players whose addresses the journal commits to. Somebody else may be noted already for a seat that was about to be
    /// given away when the program ended: as long as no line says so it is not his, and he must not be written to.
    pub fn sit(&mut self, addresses: &BTreeMap<Seat, Hash>) {
        for player in &mut self.players {
            let Some(commitment) = addresses.get(&player.seat) else { continue };
            let right =
                |one: &&Player| one.seat == player.seat && address_commitment(&one.salt, &one.address) == *commitment;
            if let Some(right) = self.known.iter().rev().find(right) {
                *player = right.clone();
            }
        }
    }

    fn file(&mut self) -> Result<&mut SecretsFile, StoreError> {
        self.file.as_mut().ok_or(StoreError::ReadOnly)
    }

    /// Keeps what all chains of a label follow from.
    ///
    /// # Errors
    /// [`StoreError::Secrets`].
    pub fn keep_root(&mut self, root: ChainRoot) -> Result<(), StoreError> {
        self.file()?.keep(&Secret::Root(root.clone()))?;
        self.roots.push(root);
        Ok(())
    }

    /// Keeps a seed chain.
    ///
    /// # Errors
    /// [`StoreError::Secrets`].
    pub fn keep_chain(&mut self, chain: SeedChain) -> Result<(), StoreError> {
        self.file()?.keep(&Secret::Chain(chain.clone()))?;
        self.chains.push(chain);
        Ok(())
    }

    /// Keeps who sits where.
    ///
    /// # Errors
    /// [`StoreError::Secrets`].
    pub fn keep_player(&mut self, player: Player) -> Result<(), StoreError> {
        let seat = player.seat.to_string();
        self.append(&Note::Player { seat: seat.clone(), name: player.name.clone(), zone: player.zone.clone() })?;
        self.file()?.keep(&Secret::Address { seat, address: player.address.clone(), salt: player.salt })?;
        self.known.push(player.clone());
        self.players.retain(|other| other.seat != player.seat);
        self.players.push(player);
        self.players.sort_by_key(|player| player.seat);
        Ok(())
    }

    /// Keeps the content of a standing order, before the journal commits to it.
    ///
    /// # Errors
    /// [`StoreError::Secrets`].
    pub fn keep_sealed(&mut self, sealed: SealedContent) -> Result<(), StoreError> {
        self.append(&Note::Sealed(sealed.clone()))?;
        self.sealed.push(sealed);
        Ok(())
    }

    /// Keeps what a rewind does to letters, before its line is written.
    ///
    /// # Errors
    /// [`StoreError::Secrets`].
    pub fn keep_rewind(&mut self, undoing: Undoing) -> Result<(), StoreError> {
        self.append(&Note::Rewound(undoing.clone()))?;
        self.rewinds.insert(undoing.rewind, undoing);
        Ok(())
    }

    /// Keeps what seats have been written, and the mail that was answered with it, after the mails are safe in the outbox.
    ///
    /// # Errors
    /// [`StoreError::Secrets`].
    pub fn keep_written(&mut self, news: BTreeMap<Seat, Written>, mail: Option<Hash>) -> Result<(), StoreError> {
        if news.is_empty() && mail.is_none() {
            return Ok(());
        }
        let seats = news.iter().map(|(seat, written)| (seat.to_string(), written.clone())).collect();
        self.append(&Note::Written { seats, mail })?;
        self.written.extend(news);
        self.handled.extend(mail);
        Ok(())
    }

    /// Keeps that lines `from` to `to` belong together, and by whose mail, before they are appended. A step of the rules that is there in part is
    /// known by what is missing of it; that further steps should follow can be known from here alone.
    ///
    /// # Errors
    /// [`StoreError::Secrets`].
    pub fn keep_append(&mut self, from: u64, to: u64, by: Option<(Seat, Hash)>) -> Result<(), StoreError> {
        self.append(&Note::Append { from, to, by: by.map(|(seat, mail)| (seat.to_string(), mail)) })?;
        self.append = Some(Append { from, to, by });
        Ok(())
    }

    /// The mail that made the lines up to `n`, if several steps were appended with that line as the last, and whose it is.
    pub fn last_append_by(&self, n: u64) -> Option<(Seat, Hash)> {
        self.append.filter(|append| append.to == n)?.by
    }

    /// Cuts off what is there of an append of several steps that broke off. Nobody has heard of it: mails are written when all
    /// lines are safe.
    ///
    /// # Errors
    /// [`StoreError::Journal`] or [`StoreError::Secrets`].
    pub fn undo_broken_append(&mut self, journal: &mut JournalFile) -> Result<(), StoreError> {
        let (Some(Append { from, to, .. }), there) = (self.append, journal.head().map(|head| head.n)) else {
            return Ok(());
        };
        if from > to || there.is_some_and(|n| n >= to) {
            return Ok(());
        }
        if there.is_some_and(|n| n >= from) {
            tracing::warn!(game = self.game, from, "a command that was not whole is cut off");
            journal.truncate_after(from.checked_sub(1))?;
        }
        // The lines that will have these numbers are others.
        self.keep_append(from + 1, from, None)
    }
    /// Keeps that a bot stands in for a seat, or (`None`) does so no longer.
    ///
    /// # Errors
    /// [`StoreError::Secrets`].
    pub fn keep_stand_in(&mut self, seat: Seat, bot: Option<&str>) -> Result<(), StoreError> {
        let bot = bot.map(str::to_owned);
        self.append(&Note::StandIn { seat: seat.to_string(), bot: bot.clone() })?;
        self.stands_in(seat, bot);
        Ok(())
    }

    fn stands_in(&mut self, seat: Seat, bot: Option<String>) {
        match bot {
            Some(bot) => _ = self.stand_ins.insert(seat, bot),
            None => _ = self.stand_ins.remove(&seat),
        }
    }

    /// The bot that plays a seat: the one that keeps it, or the one that stands in for its player.
    #[must_use]
    pub fn bot(&self, seat: Seat) -> Option<&str> {
        self.stand_ins.get(&seat).map(String::as_str).or_else(|| self.player(seat)?.bot())
    }

    fn append(&mut self, note: &Note) -> Result<(), StoreError> {
        let value = serde_json::to_value(note)?;
        Ok(self.file()?.append(&value)?)
    }

    /// Who sits there.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.iter().find(|player| player.seat == seat)
    }

    /// How often letters about this question have become void, in a journal with so many rewinds.
    pub fn voided(&self, prompt: PromptId, rewinds: u64) -> u64 {
        let void = |k: &u64| self.rewinds.get(k).is_none_or(|undoing| undoing.from <= prompt);
        (1..=rewinds).filter(void).count() as u64
    }

    /// The token of a question: it stands in the mail to that seat alone, and whoever sends it back has read that mail. It is
    /// another one each time that letters about the question became [void](Seats::voided).
    /// Derived from the service's key, so that no list of tokens need be kept.
    pub fn token(&self, seat: Seat, prompt: PromptId, voided: u64) -> Token {
        let (seat, prompt) = (seat.to_string(), prompt.to_string());
        match voided {
            0 => self.derived("postrider/token/v1", &[&self.game, &seat, &prompt]),
            _ => self.derived("postrider/token/v1", &[&self.game, &seat, &prompt, &voided.to_string()]),
        }
    }

    /// The token of mails that ask nothing: the invitation, reports and answers.
    pub fn letterbox(&self, seat: Seat) -> Token {
        self.derived("postrider/letterbox/v1", &[&self.game, &seat.to_string()])
    }

    fn derived(&self, domain: &str, fields: &[&str]) -> Token {
        let key = self.key.hex();
        let fields: Vec<&str> = fields.iter().copied().chain([key.as_str()]).collect();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&h(domain, &fields).0[..16]);
        Token::new(bytes)
    }

    /// What a seat is called: its player's name and its letter, or the letter alone where no name is known.
    pub fn called(&self, seat: Seat) -> String {
        match self.player(seat).map(|player| player.name.as_str()) {
            Some(name) if name != seat.to_string() => format!("{name} ({seat})"),
            _ => seat.to_string(),
        }
    }

    /// Writes the players' names for `@A`, `@B` … in a text.
    pub fn named(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('@') {
            let (before, mark) = rest.split_at(at);
            out.push_str(before);
            let mut next = mark[1..].chars();
            let seat = next.next().and_then(|c| Seat::from_letter(c.encode_utf8(&mut [0; 4])));
            let ends = next.next().is_none_or(|c| !c.is_alphanumeric());
            // A letter before it makes it part of a mail address.
            let begins = !before.ends_with(char::is_alphanumeric);
            match seat.and_then(|seat| self.player(seat)).filter(|_| begins && ends) {
                Some(player) => {
                    out.push_str(&player.name);
                    rest = &mark[2..];
                }
                None => {
                    out.push('@');
                    rest = &mark[1..];
                }
            }
        }
        out.push_str(rest);
        out
    }

    /// Writes `@A`, `@B` … for the players' names in an order, in any case; `None` if it names none of them.
    pub fn lettered(&self, text: &str) -> Option<String> {
        let mut out = text.to_owned();
        // A name may be the beginning of another.
        let mut players: Vec<&Player> = self.players.iter().collect();
        players.sort_by_key(|player| std::cmp::Reverse(player.name.len()));
        for player in players {
            // Lower-casing ASCII alone keeps every byte in its place.
            let (lower, name) = (out.to_ascii_lowercase(), player.name.to_ascii_lowercase());
            let at = lower.match_indices(&name).map(|(at, _)| at).find(|&at| {
                !lower[..at].ends_with(char::is_alphanumeric)
                    && !lower[at + name.len()..].starts_with(char::is_alphanumeric)
            });
            if let Some(at) = at.filter(|_| !name.is_empty()) {
                out.replace_range(at..at + name.len(), &format!("@{}", player.seat));
            }
        }
        (out != text).then_some(out)
    }

    /// The same in every text of a JSON value; keys stay as they are.
    pub fn name_all(&self, value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) if text.contains('@') => *text = self.named(text),
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| self.name_all(item)),
            serde_json::Value::Object(members) => members.values_mut().for_each(|item| self.name_all(item)),
            _ => {}
        }
    }

    /// Puts players' names for seats also where an outcome names them by letter alone, as `"seat": "A"`.
    pub fn name_outcome(&self, outcome: &mut serde_json::Value) {
        match outcome {
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| self.name_outcome(item)),
            serde_json::Value::Object(members) => {
                for (key, item) in members {
                    let player =
                        self.players.iter().find(|p| key == "seat" && item.as_str() == Some(&p.seat.to_string()));
                    match player {
                        Some(player) => *item = player.name.clone().into(),
                        None => self.name_outcome(item),
                    }
                }
            }
            other => self.name_all(other),
        }
    }
}
