//! A game's secrets, and other data that its journal does not contain.

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
use std::collections::{BTreeMap, BTreeSet};

/// The state of a seat's knowledge when it was last written to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// The `n` of the head at that time; the story in later lines is new to the seat.
    pub n: u64,
    /// The hash of that line. A journal without this hash there is not the one that the seat was
    /// told of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Hash>,
    /// The open questions that the letter asked.
    pub asked: Vec<PromptId>,
    /// The name of the letter that asked the newest of them first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub asked_in: String,
    /// The Turn of its last mail.
    pub turn: u32,
    /// `true` if it was invited.
    pub invited: bool,
    /// `true` if it was told that the game is over.
    pub over: bool,
    /// The commitment to the address that was written to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Hash>,
    /// The time of the letter, in seconds since 1970; 0 if an earlier release did not record it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub at: i64,
    /// The number of letters that have offered a standing order, by kind of question;
    /// [`Written::DECLINED`] if the player does not want it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub offered: BTreeMap<String, u32>,
    /// The `n` of the seat's last proposal of which it was told that it has lapsed.
    #[serde(default, skip_serializing_if = "is_none")]
    pub lapsed: u64,
}

impl Written {
    /// The number of offers after which none is made: the player has ignored them, or declined one.
    pub const DECLINED: u32 = 3;
}

fn is_zero(at: &i64) -> bool {
    *at == 0
}

fn is_none(n: &u64) -> bool {
    *n == 0
}

/// A standing order as stored by the host; the journal contains a commitment to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedContent {
    /// The commitment in the journal.
    pub commit: Hash,
    /// Its salt.
    pub salt: Hash,
    /// The content of the commitment, as canonical JSON.
    pub content: String,
}

/// The effect of a rewind on earlier questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undoing {
    /// The ordinal of the rewind in the journal, from 1.
    pub rewind: u64,
    /// The first question whose letters are void; those of later questions are void too.
    pub from: PromptId,
    /// The mail that asked for the rewind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<Hash>,
}

/// A note that lines `from` to `to` are about to be appended by one command, with more than one
/// step or by mail. If `to` is less than `from`, the lines were taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Append {
    /// The `n` of the first line.
    pub from: u64,
    /// The `n` of the last line.
    pub to: u64,
    /// The mail that caused the append, and its seat.
    pub by: Option<(Seat, Hash)>,
}

/// The contents of the letters about a command that do not follow from the journal. Stored before
/// the command is safe, so that the same letters are written if the program ends before all of them
/// are in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The hash of the journal's last line after the command.
    pub head: Hash,
    /// The time of the command, in seconds since 1970.
    pub at: i64,
    /// The seat and the mail that are answered.
    pub by: Option<(Seat, Hash)>,
    /// The rest, as JSON in the office's form.
    pub says: String,
}

/// Orders proposed in the answer to an unclear mail; a yes to that answer carries them out. Stored
/// before the answer is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// The writer of the mail.
    pub whose: Whose,
    /// SHA-256 of the mail; the Message-ID of the answer contains its beginning.
    pub mail: Hash,
    /// The lines that a `yes` carries out, each with the open question for which its words were
    /// read as an order, if there is one. None once the player has withdrawn them.
    pub lines: Vec<(Option<PromptId>, String)>,
    /// The lines that were shown as not understood.
    pub unread: Vec<String>,
}

/// The writer of a mail that is asked for a `yes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The player of a seat.
    Seat(Seat),
    /// A director.
    Director(Directed),
}

/// A director's proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directed {
    /// His name in the journal.
    pub director: String,
    /// Digest of the effects of the orders as shown in the letter. The orders are carried out only
    /// if they still have the same effects.
    pub shown: Hash,
    /// The director's answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<Answered>,
}

/// A director's answer to the question for a `yes`. No later mail can answer it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answered {
    /// He withdrew the orders.
    No,
    /// He confirmed them.
    Yes {
        /// SHA-256 of the mail.
        mail: Hash,
        /// Number of directors' entries before it was carried out.
        before: usize,
    },
}

/// A line that a player confirmed to be meaningless, such as a motto or a company's notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boilerplate {
    /// `true` if it is above the first order, `false` if it is below the last.
    pub above: bool,
    /// The line.
    pub line: String,
}

/// A player's preferred length of letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LetterLength {
    /// Shorter than usual.
    Short,
    /// The questions and the news on a screen or two; the position at the beginning of a Turn.
    #[default]
    Usual,
    /// The whole position and story in each letter with news.
    Long,
}

/// A player's preferences for orders and letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// `true` if every order is first proposed and then carried out by a yes.
    pub confirm: bool,
    /// The time for which orders wait in the inbox, in minutes.
    pub delay: u32,
    /// The length of letters.
    #[serde(default)]
    pub letters: LetterLength,
    /// The time at which messages from others are sent to the player.
    #[serde(default)]
    pub messages: Messages,
    /// The frequency of letters that ask nothing. `None`: at the beginning of a Turn, and for
    /// messages from others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// `true` if letters contain advice; `None` for the table's agreement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<bool>,
}

/// A table's agreement on advice, that is, on the answers of the steady bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AdviceTerms {
    /// Players who ask for it get it.
    #[default]
    Asked,
    /// It is in all letters that ask something, except to players who do not want it.
    Listed,
    /// There is none, and `as advised` is not accepted.
    Off,
}

/// Orders that a player collects over several mails before sending them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The orders in words, one per line.
    pub lines: Vec<String>,
    /// The mail that last changed or sent it; none for the command line. If the mail is taken in
    /// again after a crash, it has the same effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Hash>,
    /// After sending, the orders that were not carried out; they are the draft from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Vec<String>>,
}

impl Draft {
    /// Returns its current lines.
    #[must_use]
    pub fn now(&self) -> &[String] {
        self.left.as_deref().unwrap_or(&self.lines)
    }
}

/// A player's absence, during which the table's bot plays for him, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Away {
    /// The beginning, in seconds since 1970.
    pub from: i64,
    /// The end, in seconds since 1970.
    pub until: i64,
    /// `true` if a bot stands in because of the absence.
    #[serde(default)]
    pub stands_in: bool,
}

/// The hours in which a player answers, in the player's time zone. Reminders are sent and deadlines
/// pass only then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hours {
    /// The first hour, 0 to 23.
    pub from: u32,
    /// The end, 1 to 24; on the next day if it is less than the beginning.
    pub to: u32,
}

impl Hours {
    /// Returns `true` if an hour of the day, 0 to 23, is one of them.
    #[must_use]
    pub fn hold(self, hour: u32) -> bool {
        match self.from < self.to {
            true => (self.from..self.to).contains(&hour),
            false => hour >= self.from || hour < self.to,
        }
    }

    /// Returns their number.
    #[must_use]
    pub fn count(self) -> u32 {
        if self.from < self.to { self.to - self.from } else { 24 + self.to - self.from }
    }
}

/// The reason for a seat's new tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhyRenewed {
    /// The player asked for them.
    Asked,
    /// The host requested them.
    Host,
    /// The seat was given to another player, or its player has another address.
    Reseated,
}

/// A note that a seat has new tokens: the epoch of its address is raised, and earlier letters are
/// void. Stored before any letter with new tokens is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renewed {
    /// The seat.
    pub seat: Seat,
    /// The commitment to the address. The journal names it already or is about to.
    pub address: Hash,
    /// The reason.
    pub why: WhyRenewed,
    /// The mail that asked for them.
    pub mail: Option<Hash>,
}

/// A player's request to accept another address. Stored before the letter that must be answered
/// with a yes is sent to that address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressAsked {
    /// The address, its ASCII letters in lower case.
    pub address: String,
    /// `true` to add the address, `false` to replace the current one.
    pub also: bool,
    /// The mail with the request.
    pub mail: Hash,
    /// The time of the request, in seconds since 1970.
    pub at: i64,
}

/// A mail whose orders wait, with the data needed to take it in later as if it arrived then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Its SHA-256.
    pub mail: Hash,
    /// The time at which it is taken in, in seconds since 1970.
    pub until: i64,
    /// The question of its token, and how often letters about that question had become void.
    pub question: Option<(PromptId, u64)>,
    /// Its author.
    pub author: String,
    /// Its Message-ID.
    pub message_id: Option<String>,
    /// The Message-IDs that it answers.
    pub in_reply_to: Vec<String>,
    /// Its references.
    pub references: Vec<String>,
    /// Its subject.
    pub subject: String,
    /// The lines of its author, with their numbers.
    pub lines: Vec<(usize, String)>,
}

/// An item kept next to a game's journal. Items are only added, except that people may have some of
/// them [forgotten](super::Lease::forget). A later item replaces an earlier one of the same seat,
/// label or number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The root from which all seed chains of a label are derived.
    Root(ChainRoot),
    /// A seed chain.
    Chain(SeedChain),
    /// A player with seat and address.
    Player(Player),
    /// The letters written to seats, and the mail that they answered; stored after the letters are
    /// in the outbox.
    Written {
        /// The seats that were written to.
        seats: Vec<(Seat, Written)>,
        /// SHA-256 of the mail.
        mail: Option<Hash>,
        /// A hash that is the same for every copy of that mail, whatever way it came.
        copies: Option<Hash>,
    },
    /// The content of a standing order; stored before the journal commits to it.
    Sealed(SealedContent),
    /// The proposal in an answer.
    Proposed(Proposed),
    /// A meaningless line of a player.
    Boilerplate(Seat, Boilerplate),
    /// Removes all such lines of a player.
    NoBoilerplate(Seat),
    /// A player's preferences from now on.
    Pace(Seat, Pace),
    /// A player's draft.
    Draft(Seat, Draft),
    /// A player's absence; `None` on return.
    Away(Seat, Option<Away>),
    /// The bot that plays for players who are away.
    AwayBot(String),
    /// The bot that plays on for players who have given the game up.
    ConcededBot(String),
    /// The person who invites to the game.
    InvitedBy(String),
    /// The table's agreement on advice.
    Advice(AdviceTerms),
    /// The game counts in a rating.
    Rated,
    /// The id of the rematch that a player asked for.
    Rematch(String),
    /// The time zone in which a player reads times.
    Zone(Seat, String),
    /// `true` if the person invited to a seat has declined, `false` once a person has joined it.
    Declined(Seat, bool),
    /// The hours in which a player answers; `None` for the whole day.
    Hours(Seat, Option<Hours>),
    /// A watcher, with the state of the last letter.
    Watcher(Watcher),
    /// The watcher with this address has stopped.
    Unwatched(String),
    /// A message; stored before the journal commits to it.
    Message(Message),
    /// A mail whose orders wait.
    Waiting(Seat, Waiting),
    /// The mail with this hash no longer waits: it was taken in or taken back.
    Waited(Hash),
    /// New tokens for a seat.
    Renewed(Renewed),
    /// The required check of signatures of a seat's mails, which overrides the host's settings.
    SenderCheck(Seat, SenderCheck),
    /// The result of checking a mail's signatures; stored before its content has any effect.
    Signed {
        /// SHA-256 of the mail.
        mail: Hash,
        /// The domain that vouches for it, if any.
        signed: Signed,
    },
    /// A player's request for another address.
    AddressAsked(Seat, AddressAsked),
    /// An additional address for a seat's orders, or its removal.
    Address {
        /// The seat.
        seat: Seat,
        /// The address.
        address: String,
        /// `true` if orders from it count.
        counts: bool,
    },
    /// A head in a player's mail that the service signed and the journal contradicts.
    Contradicting(Contradicting),
    /// A rewind; stored before its line is written.
    Rewound(Undoing),
    /// The contents of the letters about a command that do not follow from the journal.
    Told(Told),
    /// An append of more than one step; stored before it is made. The rules reveal when a step is
    /// incomplete; only this note reveals that further steps are missing.
    Append(Append),
}

/// A head that the service signed, though the journal has another entry there, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradicting {
    /// The seat whose player's mail contains it.
    pub seat: Seat,
    /// The `n` of the entry.
    pub n: u64,
    /// The hash that the head gives it.
    pub hash: Hash,
    /// SHA-256 of the mail.
    pub mail: Hash,
}

/// The secrets of a game and the host's other notes, except on players.
#[derive(Clone, Debug, Default)]
pub struct GameSecrets {
    /// The seed chains of all generations, possibly including the next one.
    pub chains: Vec<SeedChain>,
    /// The roots of the chains, newest of each label last.
    pub roots: Vec<ChainRoot>,
    /// The state of each seat's knowledge when it was last written to.
    pub written: BTreeMap<Seat, Written>,
    /// Standing orders.
    pub sealed: Vec<SealedContent>,
    /// The rewinds by ordinal; one that was noted but not written has no line.
    pub rewinds: BTreeMap<u64, Undoing>,
    /// The mails that were answered, and the hashes that their copies share; they are not handled
    /// again.
    pub handled: BTreeSet<Hash>,
    /// The proposals in answers to unclear mails, oldest first.
    pub proposed: Vec<Proposed>,
    /// Meaningless lines, by seat.
    pub boilerplate: BTreeMap<Seat, Vec<Boilerplate>>,
    /// The players' preferences.
    pub paces: BTreeMap<Seat, Pace>,
    /// The players' drafts.
    pub drafts: BTreeMap<Seat, Draft>,
    /// The players' absences.
    pub away: BTreeMap<Seat, Away>,
    /// The bot that plays for players who are away, if the table wants one.
    pub away_bot: Option<String>,
    /// The bot that plays on for players who have given the game up, if it is not the usual one.
    pub conceded_bot: Option<String>,
    /// The person who invites to the game.
    pub invited_by: Option<String>,
    /// The table's agreement on advice.
    pub advice: AdviceTerms,
    /// `true` if the game counts in a rating, according to the host.
    pub rated: bool,
    /// The id of the rematch, if a player asked for one.
    pub rematch: Option<String>,
    /// Time zones that players have named since they were invited.
    pub zones: BTreeMap<Seat, String>,
    /// The seats whose invited persons have declined.
    pub declined: BTreeSet<Seat>,
    /// The hours in which players answer, if they named any.
    pub hours: BTreeMap<Seat, Hours>,
    /// The watchers, in the order in which they came.
    pub watchers: Vec<Watcher>,
    /// Mails that wait, oldest first.
    pub waiting: Vec<(Seat, Waiting)>,
    /// New tokens by seat and commitment to its address, oldest first.
    pub renewed: BTreeMap<(Seat, Hash), Vec<Renewed>>,
    /// The required checks of mail signatures by seat, where they override the host's settings.
    pub checks: BTreeMap<Seat, SenderCheck>,
    /// The results of checking mail signatures.
    pub signed: BTreeMap<Hash, Signed>,
    /// The addresses that players asked for, oldest first.
    pub addresses: Vec<(Seat, AddressAsked)>,
    /// The signed heads in players' mails that the journal contradicts.
    pub contradicting: Vec<Contradicting>,
    /// The messages by their commitments in the journal.
    pub messages: BTreeMap<Hash, Message>,
    /// The contents of the letters about the last command that do not follow from the journal.
    pub told: Option<Told>,
    /// The noted appends, by the `n` of their first lines.
    appends: BTreeMap<u64, Append>,
}

impl GameSecrets {
    /// Returns the secrets in these items, oldest first.
    pub fn of(kept: impl IntoIterator<Item = Kept>) -> GameSecrets {
        let mut secrets = GameSecrets::default();
        kept.into_iter().for_each(|one| secrets.learn(one));
        secrets
    }

    /// Returns the meaningless lines of a player.
    pub fn boilerplate(&self, seat: Seat) -> &[Boilerplate] {
        self.boilerplate.get(&seat).map_or(&[], Vec::as_slice)
    }

    /// Processes one more item; of a player it only resets the preferences of the seat.
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
                // One proposal for each mail: the same mail taken in again proposes the same.
                self.proposed.retain(|one| one.mail != proposed.mail);
                self.proposed.push(proposed);
            }
            Kept::Boilerplate(seat, line) => self.boilerplate.entry(seat).or_default().push(line),
            Kept::NoBoilerplate(seat) => _ = self.boilerplate.remove(&seat),
            Kept::Told(told) => self.told = Some(told),
            Kept::Rewound(undoing) => _ = self.rewinds.insert(undoing.rewind, undoing),
            Kept::Append(append) => {
                // After an interrupted append, its lines were cut off and other lines have their
                // numbers.
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
            // A player who takes over a seat has different preferences.
            Kept::Player(player) => {
                self.declined.remove(&player.seat);
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
            Kept::AwayBot(bot) => self.away_bot = Some(bot),
            Kept::ConcededBot(bot) => self.conceded_bot = Some(bot),
            Kept::InvitedBy(name) => self.invited_by = Some(name),
            Kept::Advice(agreed) => self.advice = agreed,
            Kept::Rated => self.rated = true,
            Kept::Rematch(game) => self.rematch = Some(game),
            Kept::Declined(seat, true) => _ = self.declined.insert(seat),
            Kept::Declined(seat, false) => _ = self.declined.remove(&seat),
            Kept::Zone(seat, zone) => _ = self.zones.insert(seat, zone),
            Kept::Hours(seat, Some(hours)) => _ = self.hours.insert(seat, hours),
            Kept::Hours(seat, None) => _ = self.hours.remove(&seat),
            Kept::Watcher(watcher) => match self.watchers.iter_mut().find(|one| one.address == watcher.address) {
                Some(known) => *known = watcher,
                None => self.watchers.push(watcher),
            },
            Kept::Unwatched(address) => self.watchers.retain(|one| one.address != address),
            Kept::SenderCheck(seat, check) => _ = self.checks.insert(seat, check),
            Kept::Signed { mail, signed } => _ = self.signed.insert(mail, signed),
            Kept::Contradicting(one) => self.contradicting.push(one),
            Kept::AddressAsked(seat, asked) => self.addresses.push((seat, asked)),
            Kept::Address { .. } => {}
        }
    }

    /// Returns the mail that caused the lines up to `n` and its seat, if the last noted append ends
    /// with that line.
    #[must_use]
    pub fn last_append_by(&self, n: u64) -> Option<(Seat, Hash)> {
        self.appends.values().next_back().filter(|append| append.to == n)?.by
    }

    /// Returns the mail that contained the decision in line `n`.
    #[must_use]
    pub fn mail_of(&self, n: u64) -> Option<Hash> {
        let (_, append) = self.appends.range(..=n).next_back()?;
        append.by.filter(|_| n <= append.to).map(|(_, mail)| mail)
    }

    /// Returns the `n` of the first line of an append that was interrupted before its last line, in a
    /// journal whose last line is `head`. No one was told of such lines, because letters are
    /// written only when all lines are safely stored.
    #[must_use]
    pub fn broken_append(&self, head: Option<u64>) -> Option<u64> {
        let Append { from, to, .. } = *self.appends.values().next_back()?;
        head.is_none_or(|n| n < to).then_some(from)
    }

    /// Returns how often new tokens were made for a seat with this address.
    #[must_use]
    pub fn epoch(&self, seat: Seat, address: &Hash) -> u64 {
        self.renewed.get(&(seat, *address)).map_or(0, |all| all.len() as u64)
    }

    /// Returns how often letters about this question have become void, in a journal with `rewinds`
    /// rewinds.
    #[must_use]
    pub fn voided(&self, prompt: PromptId, rewinds: u64) -> u64 {
        let void = |k: &u64| self.rewinds.get(k).is_none_or(|undoing| undoing.from <= prompt);
        (1..=rewinds).filter(void).count() as u64
    }
}
