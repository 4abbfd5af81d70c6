//! The members of each kind of body, as section 4 lists them.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::{
    roll::Roll,
    text::{Json, Text, from_object, from_some_object},
};
use postrider_dice::Hash;

/// Which rules, of which version, over which components. It pins the game for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruleset<'a> {
    /// The game, as the registry names it.
    #[serde(borrow)]
    pub name: Text<'a>,
    /// 1, 2 …: goes up when a fix would change a running game.
    pub version: u64,
    /// SHA-256 of the component data in use.
    pub components: Hash,
}

/// The line of another game's journal after which a fork goes its own way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parent<'a> {
    /// The other game.
    #[serde(borrow)]
    pub game: Text<'a>,
    /// The last line that both have in common.
    pub n: u64,
    /// Its hash.
    pub hash: Hash,
    /// How many shuffles of each deck there were up to that line, undone ones counted; decks without any are left out. The
    /// fork's own shuffles are counted on from there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub epochs: BTreeMap<Text<'a>, u64>,
    /// Why the game was forked; "" if nobody said.
    #[serde(default, skip_serializing_if = "is_silent")]
    pub reason: Text<'a>,
}

impl Parent<'_> {
    /// The same, no longer tied to its line.
    #[must_use]
    pub fn to_owned(&self) -> Parent<'static> {
        Parent {
            game: self.game.to_string().into(),
            n: self.n,
            hash: self.hash,
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

/// The first line of every journal: what is settled before anybody plays.
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
    /// The options that the ruleset knows; an object.
    pub options: Json<'a>,
    /// The seats; their order is that of `started.luck`.
    pub seats: Vec<Text<'a>>,
    /// Those of the seats that the operator himself holds: he could foresee dice and see hands.
    pub operator_seats: Vec<Text<'a>>,
    /// The tip of each seed chain, by label: `dice`, `deck:<id>`.
    pub chains: BTreeMap<Text<'a>, Hash>,
    /// How deadlines are counted; an object of the office's own.
    pub clock: Json<'a>,
    /// The service's Ed25519 public key, with which heads are signed.
    pub key: Hash,
    /// Where the game forks from, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "from_some_object")]
    pub parent: Option<Box<Parent<'a>>>,
}

/// A player has taken a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joined<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// [Commitment](super::address_commitment) to his mail address.
    pub address: Hash,
    /// The phrase he chose, which goes into every seed; "" if none.
    pub luck: Text<'a>,
    /// The way it came: by mail, from the host, or from the program for a bot. Not written for what came by mail.
    #[serde(default = "by_mail", skip_serializing_if = "is_mail", deserialize_with = "other_than_mail")]
    pub via: Via,
    /// With [`Via::Mail`], and only then: SHA-256 of the raw message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<Hash>,
}

/// All seats are settled: the luck of the game is fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Started {
    /// [Digest](super::luck_digest) of the luck phrases.
    pub luck: Hash,
}

/// The way in which a decision or a joining came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Via {
    /// By mail.
    Mail,
    /// On the command line.
    Cli,
    /// From a standing order.
    Standing,
    /// Because the deadline passed.
    Deadline,
    /// From the program, for a seat that nobody holds.
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

/// A seat has answered a prompt.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision<'a> {
    /// Who decided.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// The prompt's ordinal.
    pub prompt: u64,
    /// The prompt's kind.
    pub ask: Text<'a>,
    /// The answer; an object that the ruleset understands.
    pub order: Json<'a>,
    /// The way it came. Not written for what came by mail.
    #[serde(default = "by_mail", skip_serializing_if = "is_mail", deserialize_with = "other_than_mail")]
    pub via: Via,
    /// With [`Via::Mail`], and only then: the [digest](crate::words_digest) of the lines from which the order was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Hash>,
}

/// All dice of one step of the rules, from one stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rolled<'a> {
    /// The next link of chain `dice`.
    pub secret: Hash,
    /// The dice, in the order in which the rules asked; at least one roll.
    #[serde(borrow)]
    pub rolls: Vec<Roll<'a>>,
}

/// A deck was shuffled: its cards in the order before, and a commitment to each position after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shuffled<'a> {
    /// The deck's id.
    #[serde(borrow)]
    pub deck: Text<'a>,
    /// Which shuffle of this deck, from 0.
    pub epoch: u64,
    /// Card ids before the shuffle.
    pub list: Vec<Text<'a>>,
    /// One commitment per position.
    pub cards: Vec<Hash>,
}

/// Positions of a deck went to a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dealt<'a> {
    /// The deck's id.
    #[serde(borrow)]
    pub deck: Text<'a>,
    /// Which shuffle of it.
    pub epoch: u64,
    /// To whom; "" to nobody, for a card drawn for all to see.
    pub seat: Text<'a>,
    /// The first position.
    pub from: u64,
    /// How many positions, at least one.
    pub count: u64,
}

/// A card became public.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown<'a> {
    /// The deck's id.
    #[serde(borrow)]
    pub deck: Text<'a>,
    /// Which shuffle of it.
    pub epoch: u64,
    /// The position.
    pub pos: u64,
    /// The card there.
    pub card: Text<'a>,
    /// The salt of the position.
    pub salt: Hash,
    /// Who held it; "" if nobody.
    pub seat: Text<'a>,
}

/// The secret of a shuffle became public, and with it the whole order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revealed<'a> {
    /// The deck's id.
    #[serde(borrow)]
    pub deck: Text<'a>,
    /// Which shuffle of the deck.
    pub epoch: u64,
    /// The link it used.
    pub secret: Hash,
}

/// A seat has bound itself to something hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed<'a> {
    /// Who.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// What sort of thing, such as `standing`.
    pub what: Text<'a>,
    /// [Commitment](super::sealed_commitment) to the content.
    pub commit: Hash,
}

/// Something sealed was opened.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsealed<'a> {
    /// n of the sealed entry.
    pub of: u64,
    /// What was sealed.
    #[serde(borrow)]
    pub content: Json<'a>,
    /// The salt of its commitment.
    pub salt: Hash,
}

/// A Round begins: a digest of the public state, by which a replay proves itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round<'a> {
    /// The Turn.
    pub turn: u64,
    /// The Round of the Turn.
    pub round: u64,
    /// What people call it.
    #[serde(borrow)]
    pub label: Text<'a>,
    /// [Digest](super::state_digest) of what a spectator may see.
    pub state: Hash,
}

/// Play goes on after an earlier line, with fresh seed chains or, where nothing was drawn, with those in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rewound<'a> {
    /// n of the line after which play goes on.
    pub to: u64,
    /// Who decided it.
    #[serde(borrow)]
    pub by: Text<'a>,
    /// Why.
    pub reason: Text<'a>,
    /// New tips for every chain of `opened`; empty where those in use stay.
    pub chains: BTreeMap<Text<'a>, Hash>,
}

/// A director has ruled.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ruling<'a> {
    /// Who ruled.
    #[serde(borrow)]
    pub by: Text<'a>,
    /// The ruling in words.
    pub text: Text<'a>,
    /// What it does to the game; an object that the ruleset understands.
    pub effect: Json<'a>,
}

/// Another player has taken a seat over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reseated<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// [Commitment](super::address_commitment) to his mail address.
    pub address: Hash,
    /// The phrase he chose; counts only before `started`.
    pub luck: Text<'a>,
}

/// Somebody wrote to somebody. Who, to whom and what stands beside the journal, and may be deleted there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Press {
    /// [Commitment](super::press_commitment) to the message.
    pub commit: Hash,
}

/// What happened to a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockEvent {
    /// The seat was reminded.
    Reminded,
    /// The deadline passed.
    Expired,
    /// The clock stands still.
    Paused,
    /// The clock runs again.
    Resumed,
}

/// Something happened to a deadline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock<'a> {
    /// The prompt's ordinal.
    pub prompt: u64,
    /// The seat that is to answer.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// What happened.
    pub event: ClockEvent,
}

/// The game is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closed<'a> {
    /// Who won and how; an object of the ruleset's.
    #[serde(borrow)]
    pub outcome: Json<'a>,
    /// s_0 of each chain that is laid open; such a chain is used no more.
    pub secrets: BTreeMap<Text<'a>, Hash>,
}
