//! What a game keeps secret, and what it must keep in mind that its journal does not say.

use super::{
    folder::SenderCheck,
    messages::{Message, Messages},
    player::Player,
    watchers::{Digest, Watcher},
};
use postrider_dice::{ChainRoot, Hash, SeedChain};
use postrider_mail::Signed;
use postrider_table::{PromptId, Seat};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};

/// What a seat had been told when it was last written to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// n of the head at which that was: of the story, what later lines tell is new to it.
    pub n: u64,
    /// The hash of that line: a journal that has another one there, or none, is not the one of which the seat was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Hash>,
    /// The open questions that were put to it.
    pub asked: Vec<PromptId>,
    /// The Turn of its last mail.
    pub turn: u32,
    /// Whether it was invited.
    pub invited: bool,
    /// Whether it was told that the game is over.
    pub over: bool,
    /// When it was written to, in seconds since 1970; 0 where an earlier release has not kept it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub at: i64,
}

fn is_zero(at: &i64) -> bool {
    *at == 0
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

/// Lines `from` to `to` are about to be appended as one command of more than one step, or one that came by mail; they were and
/// were taken back where `to` comes before `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Append {
    /// n of its first line.
    pub from: u64,
    /// n of its last line.
    pub to: u64,
    /// The mail that made it, and whose it is.
    pub by: Option<(Seat, Hash)>,
}

/// Orders that the answer to a mail proposed, since that mail was not clear: they are carried out when its reader says yes to that
/// answer. Kept before the answer goes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// Whose mail it was.
    pub seat: Seat,
    /// SHA-256 of the mail, of which the Message-ID of the answer holds the beginning.
    pub mail: Hash,
    /// The lines that a `yes` carries out. With the question if one is open that reads the words as the order.
    pub lines: Vec<(Option<PromptId>, String)>,
    /// The lines that were shown as not understood.
    pub unread: Vec<String>,
}

/// A line that a player has confirmed to mean nothing, such as a motto or a company's notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boilerplate {
    /// Whether it is above the first order, and not below the last.
    pub above: bool,
    /// The line.
    pub line: String,
}

/// How long a player wants his letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LetterLength {
    /// Even shorter than usual.
    Short,
    /// What is asked and what is new on a screen or two; the position when a Turn begins.
    #[default]
    Usual,
    /// The whole position and story in each letter that tells something new.
    Long,
}

/// How a player wants his orders taken, and his letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Every order is proposed first, and done by a yes.
    pub confirm: bool,
    /// Orders wait so many minutes in the inbox.
    pub delay: u32,
    /// How long letters are.
    #[serde(default)]
    pub letters: LetterLength,
    /// When he is sent what others have written to him.
    #[serde(default)]
    pub messages: Messages,
    /// How often he is written to when nothing is asked of him; `None`: at the start of a Turn, and for words of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Whether advice stands in his letters; `None` as the table has agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<bool>,
}

/// What a table has agreed on about advice: what the steady bot would answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AdviceTerms {
    /// Who asks for it has it.
    #[default]
    Asked,
    /// It stands in all letters that ask something, but for those who want none.
    Listed,
    /// Nobody has any, and nothing is answered `as advised`.
    Off,
}

/// Orders that a player writes over several mails before he sends them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The orders, a line each, in words.
    pub lines: Vec<String>,
    /// The mail that changed or sent it last; none from the command line. Taken in again after a crash, it finds what it found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Hash>,
    /// Once it was sent: what was not carried out, and is the draft from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Vec<String>>,
}

impl Draft {
    /// Its lines now.
    #[must_use]
    pub fn now(&self) -> &[String] {
        self.left.as_deref().unwrap_or(&self.lines)
    }
}

/// When a player is away: for that time his table has agreed on [`WhenAway`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Away {
    /// From then on, in seconds since 1970.
    pub from: i64,
    /// Until then.
    pub until: i64,
    /// Whether a bot stands in for him because of that.
    #[serde(default)]
    pub stands_in: bool,
}

/// The hours of the day in which a player answers, by the clocks of his time zone: reminders come, and deadlines pass, only then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hours {
    /// The hour with which they begin, 0 to 23.
    pub from: u32,
    /// The hour with which they end, 1 to 24; after midnight where it is less than the first.
    pub to: u32,
}

impl Hours {
    /// Whether an hour of the day, 0 to 23, is one of them.
    #[must_use]
    pub fn hold(self, hour: u32) -> bool {
        match self.from < self.to {
            true => (self.from..self.to).contains(&hour),
            false => hour >= self.from || hour < self.to,
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(self) -> u32 {
        if self.from < self.to { self.to - self.from } else { 24 + self.to - self.from }
    }
}

/// What a table has agreed on for the time in which a player is away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhenAway {
    /// The deadlines stand still while the game waits for him.
    #[default]
    Pause,
    /// The others are told, and nothing else.
    Tell,
    /// This bot plays for him.
    Bot(String),
}

/// Why a seat has new tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhyRenewed {
    /// Its player asked for them.
    Asked,
    /// The host had them made.
    Host,
    /// The seat was given to another player, or its player has another address.
    Reseated,
}

/// From here on a seat has new tokens: the epoch of its address is raised, and letters from before are void. Kept before anything is
/// written with the new ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renewed {
    /// The seat.
    pub seat: Seat,
    /// The commitment to the address. One that the journal does not name yet is about to be.
    pub address: Hash,
    /// Why.
    pub why: WhyRenewed,
    /// The mail that asked for it.
    pub mail: Option<Hash>,
}

/// A player asked that another address of his count. Kept before the letter goes there that has to be answered with a yes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressAsked {
    /// The address, its ASCII letters in lower case.
    pub address: String,
    /// Whether it is to count beside the one that he has, or in its place.
    pub also: bool,
    /// The mail that asked for it.
    pub mail: Hash,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// A mail whose orders wait: what of it is needed to take it in later as if it came then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Its SHA-256.
    pub mail: Hash,
    /// When it is taken in, in seconds since 1970.
    pub until: i64,
    /// The question of its token, and how often letters about that had become void.
    pub question: Option<(PromptId, u64)>,
    /// Its author.
    pub author: String,
    /// Its Message-ID.
    pub message_id: Option<String>,
    /// What it answers.
    pub in_reply_to: Vec<String>,
    /// Its references.
    pub references: Vec<String>,
    /// Its subject.
    pub subject: String,
    /// Its writer's lines with their numbers.
    pub lines: Vec<(usize, String)>,
}

/// One thing that is kept beside a game's journal. All of them are only ever added, but for what people may ask to have
/// [forgotten](super::Lease::forget); a later one takes the place of an earlier one of the same seat, label or number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// What all seed chains of a label follow from.
    Root(ChainRoot),
    /// A seed chain.
    Chain(SeedChain),
    /// Who sits where, with his address.
    Player(Player),
    /// What seats have been written, and the mail that was answered with it; kept after the mails are in the outbox.
    Written {
        /// The seats that were written to.
        seats: BTreeMap<Seat, Written>,
        /// SHA-256 of the mail.
        mail: Option<Hash>,
        /// What is the same in every copy of that mail, whatever way it came.
        copies: Option<Hash>,
    },
    /// The content of a standing order; kept before the journal commits to it.
    Sealed(SealedContent),
    /// A bot plays for a player who is away; without a name no longer.
    StandIn {
        /// Whose seat it is.
        seat: Seat,
        /// The bot.
        bot: Option<String>,
    },
    /// What an answer proposes.
    Proposed(Proposed),
    /// A line of a player that means nothing.
    Boilerplate(Seat, Boilerplate),
    /// All such lines of a player are forgotten.
    NoBoilerplate(Seat),
    /// How a player wants his orders taken, from now on.
    Pace(Seat, Pace),
    /// The orders that a player means to send.
    Draft(Seat, Draft),
    /// When a player is away; `None` when he is back.
    Away(Seat, Option<Away>),
    /// What the table has agreed on for players who are away.
    WhenAway(WhenAway),
    /// What the table has agreed on about advice.
    Advice(AdviceTerms),
    /// The game counts in a rating.
    Rated,
    /// Whether the deadlines stand still because a player is away.
    Rests(bool),
    /// The time zone in which a player wants to read times.
    Zone(Seat, String),
    /// The hours in which a player answers; `None` for all of the day.
    Hours(Seat, Option<Hours>),
    /// The host has ended the game without an end by its rules; why.
    Abandoned(String),
    /// Who watches the game, with what he was last written.
    Watcher(Watcher),
    /// Whoever has this address watches no more.
    Unwatched(String),
    /// A message; kept before the journal commits to it.
    Message(Message),
    /// A mail waits.
    Waiting(Seat, Waiting),
    /// The mail with this hash waits no longer: it was taken in, or taken back.
    Waited(Hash),
    /// New tokens for a seat.
    Renewed(Renewed),
    /// What is asked of the signatures of a seat's mails, whatever the host's settings say.
    SenderCheck(Seat, SenderCheck),
    /// What the signatures of a mail said; kept before anything is done that it says.
    Signed {
        /// SHA-256 of the mail.
        mail: Hash,
        /// Whose domain vouches for it.
        signed: Signed,
    },
    /// A player asked for another address.
    AddressAsked(Seat, AddressAsked),
    /// Orders for a seat count from this address too, or no longer.
    Address {
        /// The seat.
        seat: Seat,
        /// The address.
        address: String,
        /// Whether they do.
        counts: bool,
    },
    /// A rewind; kept before its line is written.
    Rewound(Undoing),
    /// An append of more than one step; kept before it is made. A step of the rules that is there in part is known by what is missing
    /// of it; that further steps should follow can be known from here alone.
    Append(Append),
}

/// The secrets of a game and what its host keeps in mind, but for the players.
#[derive(Clone, Debug, Default)]
pub struct GameSecrets {
    /// The seed chains of all generations, and perhaps of the next.
    pub chains: Vec<SeedChain>,
    /// What the chains of each label follow from, the newest of each label last.
    pub roots: Vec<ChainRoot>,
    /// What each seat had read when it was last written to.
    pub written: BTreeMap<Seat, Written>,
    /// Standing orders.
    pub sealed: Vec<SealedContent>,
    /// Rewinds by their ordinals; of one that was noted and not written there is no line.
    pub rewinds: BTreeMap<u64, Undoing>,
    /// Mails to which an answer has been written, and what their copies have in common: they are not looked at again.
    pub handled: HashSet<Hash>,
    /// What answers to unclear mails proposed, oldest first.
    pub proposed: Vec<Proposed>,
    /// Lines that mean nothing, by player.
    pub boilerplate: BTreeMap<Seat, Vec<Boilerplate>>,
    /// How players want their orders taken.
    pub paces: BTreeMap<Seat, Pace>,
    /// The orders that players mean to send.
    pub drafts: BTreeMap<Seat, Draft>,
    /// When players are away.
    pub away: BTreeMap<Seat, Away>,
    /// What the table has agreed on for them.
    pub when_away: WhenAway,
    /// What the table has agreed on about advice.
    pub advice: AdviceTerms,
    /// Whether the game counts in a rating, by the host's word.
    pub rated: bool,
    /// Whether the deadlines stand still for one of them.
    pub rests: bool,
    /// Time zones that players have named since they were invited.
    pub zones: BTreeMap<Seat, String>,
    /// The hours in which players answer, of those who named some.
    pub hours: BTreeMap<Seat, Hours>,
    /// Why the host has ended the game without an end by its rules, if he has.
    pub abandoned: Option<String>,
    /// Who watches, in the order in which they came.
    pub watchers: Vec<Watcher>,
    /// Mails that wait, oldest first.
    pub waiting: Vec<(Seat, Waiting)>,
    /// New tokens by seat and the commitment to its address, oldest first.
    pub renewed: BTreeMap<(Seat, Hash), Vec<Renewed>>,
    /// What is asked of the signatures of mails, by seat, where that is not what the host's settings say.
    pub checks: BTreeMap<Seat, SenderCheck>,
    /// What the signatures of mails said.
    pub signed: BTreeMap<Hash, Signed>,
    /// Addresses that players asked for, oldest first.
    pub addresses: Vec<(Seat, AddressAsked)>,
    /// Messages by what the journal says of them.
    pub messages: BTreeMap<Hash, Message>,
    /// The appends that were kept, by the n of their first lines.
    appends: BTreeMap<u64, Append>,
}

impl GameSecrets {
    /// What was kept, oldest first.
    pub fn of(kept: impl IntoIterator<Item = Kept>) -> GameSecrets {
        let mut secrets = GameSecrets::default();
        kept.into_iter().for_each(|one| secrets.learn(one));
        secrets
    }

    /// The lines of a player that mean nothing.
    pub fn boilerplate(&self, seat: Seat) -> &[Boilerplate] {
        self.boilerplate.get(&seat).map_or(&[], Vec::as_slice)
    }

    /// Takes in one more thing; players are passed over.
    pub fn learn(&mut self, kept: Kept) {
        match kept {
            Kept::Root(root) => self.roots.push(root),
            Kept::Chain(chain) => self.chains.push(chain),
            Kept::Written { seats, mail, copies } => {
                self.handled.extend(mail.into_iter().chain(copies));
                self.written.extend(seats);
            }
            Kept::Sealed(sealed) => self.sealed.push(sealed),
            Kept::Proposed(proposed) => {
                // One answer for each mail: the same mail taken in again proposes the same.
                self.proposed.retain(|one| one.mail != proposed.mail);
                self.proposed.push(proposed);
            }
            Kept::Boilerplate(seat, line) => self.boilerplate.entry(seat).or_default().push(line),
            Kept::NoBoilerplate(seat) => _ = self.boilerplate.remove(&seat),
            Kept::Rewound(undoing) => _ = self.rewinds.insert(undoing.rewind, undoing),
            Kept::Append(append) => {
                // Where an append broke off its lines were cut off, and others have their numbers.
                self.appends.split_off(&append.from.min(append.to));
                if append.from <= append.to {
                    self.appends.insert(append.from, append);
                }
            }
            Kept::Renewed(renewed) => {
                self.renewed.entry((renewed.seat, renewed.address)).or_default().push(renewed);
            }
            Kept::Message(message) => _ = self.messages.insert(message.commit, message),
            Kept::Pace(seat, pace) => _ = self.paces.insert(seat, pace),
            Kept::Draft(seat, draft) => _ = self.drafts.insert(seat, draft),
            Kept::Waiting(seat, mail) => {
                self.waiting.retain(|(_, other)| other.mail != mail.mail);
                self.waiting.push((seat, mail));
            }
            Kept::Waited(mail) => self.waiting.retain(|(_, other)| other.mail != mail),
            // Who takes a seat over has his own ways.
            Kept::Player(player) => {
                self.paces.remove(&player.seat);
                self.boilerplate.remove(&player.seat);
                self.drafts.remove(&player.seat);
                self.checks.remove(&player.seat);
                self.away.remove(&player.seat);
                self.zones.remove(&player.seat);
                self.hours.remove(&player.seat);
            }
            Kept::Away(seat, Some(away)) => _ = self.away.insert(seat, away),
            Kept::Away(seat, None) => _ = self.away.remove(&seat),
            Kept::WhenAway(agreed) => self.when_away = agreed,
            Kept::Advice(agreed) => self.advice = agreed,
            Kept::Rated => self.rated = true,
            Kept::Rests(rests) => self.rests = rests,
            Kept::Zone(seat, zone) => _ = self.zones.insert(seat, zone),
            Kept::Hours(seat, Some(hours)) => _ = self.hours.insert(seat, hours),
            Kept::Hours(seat, None) => _ = self.hours.remove(&seat),
            Kept::Abandoned(why) => self.abandoned = Some(why),
            Kept::Watcher(watcher) => match self.watchers.iter_mut().find(|one| one.address == watcher.address) {
                Some(known) => *known = watcher,
                None => self.watchers.push(watcher),
            },
            Kept::Unwatched(address) => self.watchers.retain(|one| one.address != address),
            Kept::SenderCheck(seat, check) => _ = self.checks.insert(seat, check),
            Kept::Signed { mail, signed } => _ = self.signed.insert(mail, signed),
            Kept::AddressAsked(seat, asked) => self.addresses.push((seat, asked)),
            Kept::StandIn { .. } | Kept::Address { .. } => {}
        }
    }

    /// The mail that made the lines up to `n`, if an append that was kept ends with that line, and whose it is.
    #[must_use]
    pub fn last_append_by(&self, n: u64) -> Option<(Seat, Hash)> {
        self.appends.values().next_back().filter(|append| append.to == n)?.by
    }

    /// The mail by which the decision in line `n` came.
    #[must_use]
    pub fn mail_of(&self, n: u64) -> Option<Hash> {
        let (_, append) = self.appends.range(..=n).next_back()?;
        append.by.filter(|_| n <= append.to).map(|(_, mail)| mail)
    }

    /// n of the first line of an append that broke off before its last line, in a journal whose last line is `head`. Nobody has
    /// heard of it: mails are written when all lines are safe.
    #[must_use]
    pub fn broken_append(&self, head: Option<u64>) -> Option<u64> {
        let Append { from, to, .. } = *self.appends.values().next_back()?;
        head.is_none_or(|n| n < to).then_some(from)
    }

    /// How often new tokens were made for a seat with this address.
    #[must_use]
    pub fn epoch(&self, seat: Seat, address: &Hash) -> u64 {
        self.renewed.get(&(seat, *address)).map_or(0, |all| all.len() as u64)
    }

    /// How often letters about this question have become void, in a journal with so many rewinds.
    #[must_use]
    pub fn voided(&self, prompt: PromptId, rewinds: u64) -> u64 {
        let void = |k: &u64| self.rewinds.get(k).is_none_or(|undoing| undoing.from <= prompt);
        (1..=rewinds).filter(void).count() as u64
    }
}
