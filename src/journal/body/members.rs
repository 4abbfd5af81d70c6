//! The members of each kind of body (section 4).

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::{
    roll::Roll,
    text::{Json, Text, from_object, from_some_object},
};
use postrider_dice::Hash;

/// The rules of a game, their version, and the components. They never change during a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruleset<'a> {
    /// The name of the game's rules in the registry.
    #[serde(borrow)]
    pub name: Text<'a>,
    /// The version of the rules, counted from 1. It increases when a fix would change a running
    /// game.
    pub version: u64,
    /// SHA-256 of the component data.
    pub components: Hash,
}

/// The line of another game's journal after which a fork diverges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parent<'a> {
    /// The other game.
    #[serde(borrow)]
    pub game: Text<'a>,
    /// The `n` of the last line that both games share.
    pub n: u64,
    /// Its hash.
    pub hash: Hash,
    /// If that line begins a Round within a step, which the fork plays again from there on: the `n`
    /// of the line that caused the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u64>,
    /// The number of shuffles of each deck up to that line, including undone ones, without decks
    /// that have none. The fork continues to count from there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub epochs: BTreeMap<Text<'a>, u64>,
    /// The reason for the fork, or "" if none was given.
    #[serde(default, skip_serializing_if = "is_silent")]
    pub reason: Text<'a>,
}

impl Parent<'_> {
    /// Returns a copy that does not borrow from the line.
    #[must_use]
    pub fn to_owned(&self) -> Parent<'static> {
        Parent {
            game: self.game.to_string().into(),
            n: self.n,
            hash: self.hash,
            within: self.within,
            epochs: self.epochs.iter().map(|(deck, &count)| (deck.to_string().into(), count)).collect(),
            reason: self.reason.to_string().into(),
        }
    }
}

pub(super) fn is_silent(text: &Text<'_>) -> bool {
    text.is_empty()
}

/// The version of the format that this release writes and reads.
pub const FORMAT: u64 = 1;

/// The first line of every journal: everything that is fixed before play begins.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened<'a> {
    /// The version of the format, [`FORMAT`].
    pub format: u64,
    /// The game's id.
    pub game: Text<'a>,
    /// The rules in use.
    #[serde(borrow, deserialize_with = "from_object")]
    pub ruleset: Ruleset<'a>,
    /// The scenario's id.
    pub scenario: Text<'a>,
    /// The options of the ruleset; an object.
    pub options: Json<'a>,
    /// The seats, in the order used for `started.luck`.
    pub seats: Vec<Text<'a>>,
    /// The seats held by the operator, who could foresee dice and see hands.
    pub operator_seats: Vec<Text<'a>>,
    /// The tip of each seed chain, by label: `dice`, `deck:<id>`.
    pub chains: BTreeMap<Text<'a>, Hash>,
    /// The rules for deadlines; an object defined by the office.
    pub clock: Json<'a>,
    /// The service's Ed25519 public key, which verifies signed heads.
    pub key: Hash,
    /// The names of the directors; empty if the game names none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directors: Vec<Text<'a>>,
    /// The voters who must agree to a motion on going back, more time or a pause; all of them if it
    /// is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consent: Option<Consent>,
    /// The origin of a fork.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "from_some_object")]
    pub parent: Option<Box<Parent<'a>>>,
}

/// The voters who must agree to a motion that does not end the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Consent {
    /// More than half of those who can vote, the proposer among them.
    Majority,
}

/// A player took a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joined<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// Commitment to the player's mail address.
    pub address: Hash,
    /// The player's luck phrase, which goes into every seed, or "".
    pub luck: Text<'a>,
    /// The source of the entry: a mail, the host, or the program for a bot. Omitted for a mail.
    #[serde(default = "by_mail", skip_serializing_if = "is_mail", deserialize_with = "other_than_mail")]
    pub via: Via,
    /// SHA-256 of the raw message. Present only with [`Via::Mail`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<Hash>,
    /// The name of the player, if he is one of the game's directors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub director: Option<Text<'a>>,
}

/// All seats are settled, and the luck of the game is fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Started {
    /// Digest of the luck phrases.
    pub luck: Hash,
}

/// The source of a decision or of a `joined` entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Via {
    /// A mail.
    Mail,
    /// The command line.
    Cli,
    /// A standing order.
    Standing,
    /// A deadline that passed.
    Deadline,
    /// The program, for a seat without a player.
    Bot,
}

const fn by_mail() -> Via {
    Via::Mail
}

fn is_mail(via: &Via) -> bool {
    *via == Via::Mail
}

fn other_than_mail<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Via, D::Error> {
    match Via::deserialize(deserializer)? {
        Via::Mail => Err(de::Error::custom("via is not written for what came by mail")),
        via => Ok(via),
    }
}

/// A seat answered a prompt.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// The prompt's ordinal.
    pub prompt: u64,
    /// The prompt's kind.
    pub ask: Text<'a>,
    /// The answer; an object defined by the ruleset.
    pub order: Json<'a>,
    /// The source of the decision. Omitted for a mail.
    #[serde(default = "by_mail", skip_serializing_if = "is_mail", deserialize_with = "other_than_mail")]
    pub via: Via,
    /// The [digest](crate::words_digest) of the lines that contained the order. Present only with
    /// [`Via::Mail`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Hash>,
}

/// All dice of one step of the rules, from one stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rolled<'a> {
    /// The next link of chain `dice`.
    pub secret: Hash,
    /// The rolls, in the order in which the rules asked for them; at least one.
    #[serde(borrow)]
    pub rolls: Vec<Roll<'a>>,
}

/// A deck was shuffled: its cards in the order before the shuffle, and a commitment for each
/// position after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shuffled<'a> {
    /// The deck's id.
    #[serde(borrow)]
    pub deck: Text<'a>,
    /// The number of the shuffle, counted from 0.
    pub epoch: u64,
    /// The card ids before the shuffle.
    pub list: Vec<Text<'a>>,
    /// One commitment per position.
    pub cards: Vec<Hash>,
}

/// A seat was dealt cards at some positions of a deck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dealt<'a> {
    /// The deck's id.
    #[serde(borrow)]
    pub deck: Text<'a>,
    /// The number of the shuffle.
    pub epoch: u64,
    /// The seat, or "" for a card drawn face up.
    pub seat: Text<'a>,
    /// The first position.
    pub from: u64,
    /// The number of positions, at least 1.
    pub count: u64,
}

/// A card became public.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown<'a> {
    /// The deck's id.
    #[serde(borrow)]
    pub deck: Text<'a>,
    /// The number of the shuffle.
    pub epoch: u64,
    /// The position.
    pub pos: u64,
    /// The card at that position.
    pub card: Text<'a>,
    /// The salt of the position.
    pub salt: Hash,
    /// The seat that held the card, or "".
    pub seat: Text<'a>,
}

/// The secret of a shuffle became public, which reveals the whole order of the cards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revealed<'a> {
    /// The deck's id.
    #[serde(borrow)]
    pub deck: Text<'a>,
    /// The number of the shuffle.
    pub epoch: u64,
    /// The link that was used for the shuffle.
    pub secret: Hash,
}

/// A seat committed to something hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// The type of the content, such as `standing`.
    pub what: Text<'a>,
    /// Commitment to the content.
    pub commit: Hash,
}

/// Something sealed was opened.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsealed<'a> {
    /// The `n` of the sealed entry.
    pub of: u64,
    /// The content that was sealed.
    #[serde(borrow)]
    pub content: Json<'a>,
    /// The salt of its commitment.
    pub salt: Hash,
}

/// A Round begins. The digest of the public state lets a replay be checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round<'a> {
    /// The Turn.
    pub turn: u64,
    /// The Round of the Turn.
    pub round: u64,
    /// A label for people.
    #[serde(borrow)]
    pub label: Text<'a>,
    /// Digest of a spectator's view.
    pub state: Hash,
}

/// Play continues after an earlier line. The seed chains are new, unless nothing was drawn since
/// that line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewound<'a> {
    /// The `n` of the line after which play continues.
    pub to: u64,
    /// The person or seat that decided it.
    #[serde(borrow)]
    pub by: Text<'a>,
    /// The reason.
    pub reason: Text<'a>,
    /// New tips for all chains of `opened`, or empty if the current chains stay in use.
    pub chains: BTreeMap<Text<'a>, Hash>,
    /// The `n` of the motion by which the seats agreed on it, if they did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// If `to` begins a Round within a step, which is played again from there on: the `n` of the
    /// line that caused the step. The lines that follow from it come after this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u64>,
    /// [`Via::Cli`] if the host entered it for a director named by the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// The [digest](crate::words_digest) of the line by which such a director mailed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Hash>,
}

impl Rewound<'_> {
    /// Returns the `n` of the entry after which dice and cards are undone, or may be: the dice of a
    /// step are in one entry, before its Rounds.
    #[must_use]
    pub fn behind(&self) -> u64 {
        self.within.unwrap_or(self.to)
    }
}

/// A director made a ruling.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruling<'a> {
    /// The director.
    #[serde(borrow)]
    pub by: Text<'a>,
    /// The ruling in words.
    pub text: Text<'a>,
    /// The effect on the game; an object defined by the ruleset.
    pub effect: Json<'a>,
    /// The `n` of the appeal that it answers, or of the motion by which the players agreed on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// [`Via::Cli`] if the host entered it for a director named by the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// The [digest](crate::words_digest) of the line by which such a director mailed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Hash>,
}

impl<'a> Ruling<'a> {
    /// Creates a ruling without optional members.
    pub fn new(by: impl Into<Text<'a>>, text: impl Into<Text<'a>>, effect: Json<'a>) -> Ruling<'a> {
        Ruling { by: by.into(), text: text.into(), effect, of: None, via: None, words: None }
    }
}

/// A player asks the directors to decide something. As for [`Press`], the text is stored outside
/// the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Appeal<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// Commitment to the message.
    pub commit: Hash,
    /// The way it came. Omitted if it came by mail.
    #[serde(default = "by_mail", skip_serializing_if = "is_mail", deserialize_with = "other_than_mail")]
    pub via: Via,
    /// With [`Via::Mail`], and only then: the [digest](crate::words_digest) of its first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Hash>,
}

/// Something is proposed to the seats, or done by a director.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Motion<'a> {
    /// The seat, or the name of the director.
    #[serde(borrow)]
    pub by: Text<'a>,
    /// The proposal.
    #[serde(deserialize_with = "of_objects")]
    pub what: What,
    /// The reason; "" if none is given.
    #[serde(default, skip_serializing_if = "is_silent")]
    pub reason: Text<'a>,
    /// The rollouts that support a director's result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollouts: Option<RolledOut>,
    /// The way it came. Omitted if it came by mail.
    #[serde(default = "by_mail", skip_serializing_if = "is_mail", deserialize_with = "other_than_mail")]
    pub via: Via,
    /// With [`Via::Mail`], and only then: the [digest](crate::words_digest) of its line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Hash>,
}

/// A position that bots have played out many times, and how often each seat won.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RolledOut {
    /// The `n` of the entry after which they played.
    pub entry: u64,
    /// The bot that played all seats.
    pub bot: String,
    /// The number of games that it played.
    pub count: u64,
    /// The seed of its dice and shuffles.
    pub seed: u64,
    /// By seat the chance to win and its 95 % interval, in thousandths.
    pub wins: BTreeMap<String, [u64; 3]>,
}

/// The content of a motion: an object with one member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum What {
    /// The proposing seat gives the game up.
    Concede {},
    /// The seat loses the game, because it has not answered in time.
    Forfeit {},
    /// The game ends, with these places of all seats, from 1; without places it is abandoned.
    Result(BTreeMap<String, u64>),
    /// Play goes on after an earlier entry.
    Back {
        /// The `n` of that entry.
        to: u64,
        /// As in [`Rewound`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within: Option<u64>,
    },
    /// All seats get more time for their open questions.
    Extend {
        /// The additional time.
        seconds: u64,
    },
    /// The clocks are stopped.
    Pause {
        /// The time at which they go on, as `at` spells it.
        until: String,
    },
}

/// Reads a [`What`] from an object of objects: left alone, serde would take arrays of the members'
/// values as well.
fn of_objects<'de, D: Deserializer<'de>>(deserializer: D) -> Result<What, D::Error> {
    let members = serde_json::Map::deserialize(deserializer)?;
    if !members.values().all(serde_json::Value::is_object) {
        return Err(de::Error::custom("what is proposed is an object"));
    }
    serde_json::from_value(members.into()).map_err(de::Error::custom)
}

/// A seat has voted on a motion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vote<'a> {
    /// The `n` of the motion's entry.
    pub of: u64,
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// Its vote.
    pub vote: Ballot,
    /// The way it came. Omitted if it came by mail.
    #[serde(default = "by_mail", skip_serializing_if = "is_mail", deserialize_with = "other_than_mail")]
    pub via: Via,
    /// With [`Via::Mail`], and only then: the [digest](crate::words_digest) of its line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Hash>,
}

/// A vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ballot {
    /// For the motion.
    Agree,
    /// Against it.
    Disagree,
    /// The proposer takes it back.
    Withdraw,
}

/// A seat was given to another player, or its player has another address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reseated<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// Commitment to the new player's mail address.
    pub address: Hash,
    /// The new player's luck phrase. It counts only before `started`.
    pub luck: Text<'a>,
    /// [`Via::Bot`] if the new player is a bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// The name of the new player, if he is one of the game's directors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub director: Option<Text<'a>>,
}

/// A bot stands in for the absent player of a seat, or no longer does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandIn<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// The bot; `None` if the player plays again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<Text<'a>>,
    /// The director who decided it; [`SERVICE`](crate::SERVICE) if the host did, or if the table
    /// had agreed on it.
    pub by: Text<'a>,
    /// [`Via::Cli`] if the host entered it for a director named by the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// The [digest](crate::words_digest) of the line by which such a director mailed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Hash>,
}

/// A message was sent. Its sender, recipients and text are stored outside the journal, where they
/// can be deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Press {
    /// Commitment to the message.
    pub commit: Hash,
}

/// An event of a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockEvent {
    /// The seat was reminded.
    Reminded,
    /// The deadline passed.
    Expired,
    /// The clock was stopped.
    Paused,
    /// The clock was started again.
    Resumed,
    /// The letter with the question has not left: the clock of the seat has stood still since the
    /// question was asked.
    Held,
    /// That letter has left: the clock of the seat runs again.
    Sent,
}

/// An event of a deadline occurred.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock<'a> {
    /// The prompt's ordinal.
    pub prompt: u64,
    /// The seat that must answer.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// The event.
    pub event: ClockEvent,
}

/// A seat takes leave: its clock is stopped for a time. The rest of earlier leave ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leave<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// The time at which it begins, as `at` spells it.
    pub from: Text<'a>,
    /// The time at which it ends; the same if the player is back.
    pub until: Text<'a>,
    /// The way it came. Omitted if it came by mail.
    #[serde(default = "by_mail", skip_serializing_if = "is_mail", deserialize_with = "other_than_mail")]
    pub via: Via,
    /// With [`Via::Mail`], and only then: the [digest](crate::words_digest) of its line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Hash>,
}

/// The time zone of a seat's weekends, in a game whose clocks stop at weekends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Zone<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// The name in the IANA time zone database.
    pub zone: Text<'a>,
}

/// The game is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closed<'a> {
    /// The result; an object defined by the ruleset.
    #[serde(borrow)]
    pub outcome: Json<'a>,
    /// The published s_0 of chains, which cannot be used after that.
    pub secrets: BTreeMap<Text<'a>, Hash>,
    /// The `n` of the motion that ended the game; `None` if the rules did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
}
