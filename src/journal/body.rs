//! The bodies of section 4, read in place where they can be and written canonically.

use std::{
    borrow::{Borrow, Cow},
    collections::BTreeMap,
    fmt,
    marker::PhantomData,
    ops::Deref,
};

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use super::{
    canon::{CanonFault, to_canon},
    entry::{is_game_id, is_kind, is_name},
};
use crate::dice::{Hash, deck_chain, faces, published_length};

/// Text of a body: borrowed from the line when it holds no escape, owned when it does or when it is being written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(transparent)]
pub struct Text<'a>(pub Cow<'a, str>);

impl Text<'_> {
    /// The text itself, no longer tied to the line.
    #[must_use]
    pub fn into_owned(self) -> String {
        self.0.into_owned()
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Text<'_> {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Text<'a> {
        Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Text<'a> {
    fn from(text: &'a String) -> Text<'a> {
        Text(Cow::Borrowed(text))
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Text(Cow::Owned(text))
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

/// A part of a body whose inside belongs to somebody else (an order, options, an outcome): kept as JSON text.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct Json<'a>(Cow<'a, RawValue>);

impl Json<'_> {
    /// Any value as JSON, for writing.
    ///
    /// # Errors
    /// When `value` cannot be serialised.
    pub fn new(value: &(impl Serialize + ?Sized)) -> Result<Json<'static>, serde_json::Error> {
        to_raw_value(value).map(|raw| Json(Cow::Owned(raw)))
    }

    /// The empty object.
    #[must_use]
    pub fn empty() -> Json<'static> {
        let raw = RawValue::from_string("{}".to_owned()).expect("{} is JSON");
        Json(Cow::Owned(raw))
    }

    /// The JSON text; canonical when it was read from a journal.
    #[must_use]
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Reads it as what its owner knows it to be.
    ///
    /// # Errors
    /// When it is something else.
    pub fn parse<'t, T: Deserialize<'t>>(&'t self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }

    fn is_object(&self) -> bool {
        self.get().trim_start().starts_with('{')
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Json(Cow::Borrowed(raw)))
    }
}

/// A struct read from an object only: left alone, serde would take an array of its members' values as well, and another
/// checker would not.
struct FromObject<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for FromObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_map(Visitor(PhantomData)).map(FromObject)
    }
}

fn from_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    FromObject::deserialize(deserializer).map(|object| object.0)
}

fn from_some_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    from_object(deserializer).map(Some)
}

fn from_objects<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let objects = Vec::<FromObject<T>>::deserialize(deserializer)?;
    Ok(objects.into_iter().map(|object| object.0).collect())
}

/// Which rules, of which version, over which components. It pins the game for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

fn is_silent(text: &Text<'_>) -> bool {
    text.is_empty()
}

/// The first line of every journal: what is settled before anybody plays.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Opened<'a> {
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
pub struct Joined<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// [Commitment](super::address_commitment) to his mail address.
    pub address: Hash,
    /// The phrase he chose, which goes into every seed; "" if none.
    pub luck: Text<'a>,
}

/// All seats are settled: the luck of the game is fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// [Digest](super::luck_digest) of the luck phrases.
    pub luck: Hash,
}

/// How a decision came.
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

/// A seat has answered a prompt.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
    /// How it came.
    pub via: Via,
    /// With [`Via::Mail`], and only then: SHA-256 of the raw message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<Hash>,
}

/// Equal dice thrown for one purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll<'a> {
    /// What they are for.
    #[serde(borrow)]
    pub label: Text<'a>,
    /// The lowest face.
    pub low: i64,
    /// The highest face.
    pub high: i64,
    /// What they show, in order; at least one.
    pub got: Vec<i64>,
}

/// All dice of one step of the rules, from one stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rolled<'a> {
    /// n of the entry whose step asked for the dice.
    pub cause: u64,
    /// Ordinal of this entry among all rolled ones, from 0.
    pub i: u64,
    /// The next link of chain `dice`.
    pub secret: Hash,
    /// The dice, in the order in which the rules asked; at least one roll.
    #[serde(borrow, deserialize_with = "from_objects")]
    pub rolls: Vec<Roll<'a>>,
}

/// A deck was shuffled: its cards in the order before, and a commitment to each position after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
pub struct Revealed<'a> {
    /// The chain, `deck:<id>`.
    #[serde(borrow)]
    pub chain: Text<'a>,
    /// Which shuffle of the deck.
    pub epoch: u64,
    /// The link it used.
    pub secret: Hash,
}

/// A seat has bound itself to something hidden.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// Play goes on after an earlier line, with fresh seed chains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewound<'a> {
    /// n of the line after which play goes on.
    pub to: u64,
    /// Who decided it.
    #[serde(borrow)]
    pub by: Text<'a>,
    /// Why.
    pub reason: Text<'a>,
    /// New tips for every chain of `opened`.
    pub chains: BTreeMap<Text<'a>, Hash>,
}

/// A director has ruled.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
pub struct Reseated<'a> {
    /// The seat.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// [Commitment](super::address_commitment) to his mail address.
    pub address: Hash,
    /// The phrase he chose; counts only before `started`.
    pub luck: Text<'a>,
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
pub struct Clock<'a> {
    /// The prompt's ordinal.
    pub prompt: u64,
    /// The seat that owes the answer.
    #[serde(borrow)]
    pub seat: Text<'a>,
    /// What happened.
    pub event: ClockEvent,
}

/// The game is over.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Closed<'a> {
    /// Who won and how; an object of the ruleset's.
    #[serde(borrow)]
    pub outcome: Json<'a>,
    /// s_0 of each chain that is laid open; such a chain is used no more.
    pub secrets: BTreeMap<Text<'a>, Hash>,
}

/// What a line says, by kind.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each variant is the type of its name")]
pub enum Body<'a> {
    Opened(Opened<'a>),
    Joined(Joined<'a>),
    Started(Started),
    Decision(Decision<'a>),
    Rolled(Rolled<'a>),
    Shuffled(Shuffled<'a>),
    Dealt(Dealt<'a>),
    Shown(Shown<'a>),
    Revealed(Revealed<'a>),
    Sealed(Sealed<'a>),
    Unsealed(Unsealed<'a>),
    Round(Round<'a>),
    Rewound(Rewound<'a>),
    Ruling(Ruling<'a>),
    Reseated(Reseated<'a>),
    Clock(Clock<'a>),
    Closed(Closed<'a>),
    /// A kind that this release does not know.
    Other {
        /// The kind.
        kind: Text<'a>,
        /// Its body, an object.
        body: Json<'a>,
    },
}

/// Why a body cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BodyFault {
    /// Members are missing or of the wrong type.
    #[error("{0}")]
    Members(#[from] serde_json::Error),
    /// The members break a rule of section 4.
    #[error("{0}")]
    Shape(#[from] ShapeFault),
    /// There is no canonical spelling for a value in it.
    #[error("no canonical form: {0}")]
    Canon(#[from] CanonFault),
}

/// A rule of section 4 that members of the right types break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShapeFault {
    /// Not a name.
    #[error("{0} is not a name (1 to 64 bytes of printable ASCII)")]
    Name(&'static str),
    /// Not an object.
    #[error("{0} is not an object")]
    Object(&'static str),
    /// Nothing where at least one is wanted.
    #[error("{0} is empty")]
    Empty(&'static str),
    /// The same twice where each may stand once.
    #[error("{0} names something twice")]
    Twice(&'static str),
    /// An operator's seat that is no seat.
    #[error("operator_seats names a seat that is not in seats")]
    OperatorSeat,
    /// A chain label other than `dice` or `deck:<id>`.
    #[error("a chain is labelled neither dice nor deck:<id>")]
    Label,
    /// `via` is `mail` without `mail`, or the other way round.
    #[error("mail goes with via \"mail\", and only with it")]
    Mail,
    /// A die with no face, or more than 2^32 − 1.
    #[error("no die goes from low to high")]
    Die,
    /// As many commitments as cards are wanted.
    #[error("list and cards differ in length")]
    Cards,
    /// Versions of rules count from 1.
    #[error("ruleset.version is 0, and versions count from 1")]
    Version,
    /// Not an id of a game.
    #[error("parent.game is not the id of a game")]
    Game,
    /// Shuffles of a deck that has no chain, or none of it.
    #[error("parent.epochs counts the shuffles, 1 at least, of decks that have a chain")]
    Epochs,
    /// Not a kind, or one that has a type of its own.
    #[error("not a further kind")]
    Kind,
}

/// The kinds that have a type.
const KNOWN: [&str; 17] = [
    "opened", "joined", "started", "decision", "rolled", "shuffled", "dealt", "shown", "revealed", "sealed",
    "unsealed", "round", "rewound", "ruling", "reseated", "clock", "closed",
];

fn name(what: &'static str, text: &str) -> Result<(), ShapeFault> {
    if is_name(text) { Ok(()) } else { Err(ShapeFault::Name(what)) }
}

fn object(what: &'static str, json: &Json<'_>) -> Result<(), ShapeFault> {
    if json.is_object() { Ok(()) } else { Err(ShapeFault::Object(what)) }
}

fn labels(chains: &BTreeMap<Text<'_>, Hash>) -> Result<(), ShapeFault> {
    for label in chains.keys() {
        name("a chain's label", label)?;
        published_length(label).ok_or(ShapeFault::Label)?;
    }
    Ok(())
}

impl<'a> Body<'a> {
    /// The kind, as the line spells it.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Body::Opened(_) => "opened",
            Body::Joined(_) => "joined",
            Body::Started(_) => "started",
            Body::Decision(_) => "decision",
            Body::Rolled(_) => "rolled",
            Body::Shuffled(_) => "shuffled",
            Body::Dealt(_) => "dealt",
            Body::Shown(_) => "shown",
            Body::Revealed(_) => "revealed",
            Body::Sealed(_) => "sealed",
            Body::Unsealed(_) => "unsealed",
            Body::Round(_) => "round",
            Body::Rewound(_) => "rewound",
            Body::Ruling(_) => "ruling",
            Body::Reseated(_) => "reseated",
            Body::Clock(_) => "clock",
            Body::Closed(_) => "closed",
            Body::Other { kind, .. } => kind,
        }
    }

    /// Reads the body of a line of this kind. Members beyond those of section 4 are passed over.
    ///
    /// # Errors
    /// [`BodyFault`] when members are missing, of the wrong type, or break a rule of section 4.
    pub fn read(kind: &'a str, body: &'a str) -> Result<Body<'a>, BodyFault> {
        let read = match kind {
            "opened" => Body::Opened(serde_json::from_str(body)?),
            "joined" => Body::Joined(serde_json::from_str(body)?),
            "started" => Body::Started(serde_json::from_str(body)?),
            "decision" => Body::Decision(serde_json::from_str(body)?),
            "rolled" => Body::Rolled(serde_json::from_str(body)?),
            "shuffled" => Body::Shuffled(serde_json::from_str(body)?),
            "dealt" => Body::Dealt(serde_json::from_str(body)?),
            "shown" => Body::Shown(serde_json::from_str(body)?),
            "revealed" => Body::Revealed(serde_json::from_str(body)?),
            "sealed" => Body::Sealed(serde_json::from_str(body)?),
            "unsealed" => Body::Unsealed(serde_json::from_str(body)?),
            "round" => Body::Round(serde_json::from_str(body)?),
            "rewound" => Body::Rewound(serde_json::from_str(body)?),
            "ruling" => Body::Ruling(serde_json::from_str(body)?),
            "reseated" => Body::Reseated(serde_json::from_str(body)?),
            "clock" => Body::Clock(serde_json::from_str(body)?),
            "closed" => Body::Closed(serde_json::from_str(body)?),
            _ => Body::Other { kind: kind.into(), body: serde_json::from_str(body)? },
        };
        read.shape()?;
        Ok(read)
    }

    /// The body's canonical text.
    ///
    /// # Errors
    /// [`BodyFault`] when it breaks a rule of section 4 or holds what has no canonical form.
    pub fn to_text(&self) -> Result<String, BodyFault> {
        self.shape()?;
        Ok(to_canon(&self.to_value()?)?)
    }

    fn to_value(&self) -> Result<Value, serde_json::Error> {
        match self {
            Body::Opened(body) => serde_json::to_value(body),
            Body::Joined(body) => serde_json::to_value(body),
            Body::Started(body) => serde_json::to_value(body),
            Body::Decision(body) => serde_json::to_value(body),
            Body::Rolled(body) => serde_json::to_value(body),
            Body::Shuffled(body) => serde_json::to_value(body),
            Body::Dealt(body) => serde_json::to_value(body),
            Body::Shown(body) => serde_json::to_value(body),
            Body::Revealed(body) => serde_json::to_value(body),
            Body::Sealed(body) => serde_json::to_value(body),
            Body::Unsealed(body) => serde_json::to_value(body),
            Body::Round(body) => serde_json::to_value(body),
            Body::Rewound(body) => serde_json::to_value(body),
            Body::Ruling(body) => serde_json::to_value(body),
            Body::Reseated(body) => serde_json::to_value(body),
            Body::Clock(body) => serde_json::to_value(body),
            Body::Closed(body) => serde_json::to_value(body),
            Body::Other { body, .. } => serde_json::to_value(body),
        }
    }

    /// The rules of section 4 that types alone do not hold.
    fn shape(&self) -> Result<(), ShapeFault> {
        match self {
            Body::Opened(body) => body.shape(),
            Body::Joined(Joined { seat, .. })
            | Body::Reseated(Reseated { seat, .. })
            | Body::Sealed(Sealed { seat, .. })
            | Body::Clock(Clock { seat, .. }) => name("seat", seat),
            Body::Decision(body) => {
                name("seat", &body.seat)?;
                object("order", &body.order)?;
                if (body.via == Via::Mail) == body.mail.is_some() { Ok(()) } else { Err(ShapeFault::Mail) }
            }
            Body::Rolled(body) => {
                if body.rolls.is_empty() {
                    return Err(ShapeFault::Empty("rolls"));
                }
                for roll in &body.rolls {
                    faces(roll.low, roll.high).ok_or(ShapeFault::Die)?;
                    if roll.got.is_empty() {
                        return Err(ShapeFault::Empty("got"));
                    }
                }
                Ok(())
            }
            Body::Shuffled(body) => {
                name("deck", &body.deck)?;
                body.list.iter().try_for_each(|card| name("a card", card))?;
                if body.list.len() == body.cards.len() { Ok(()) } else { Err(ShapeFault::Cards) }
            }
            Body::Dealt(body) => {
                name("deck", &body.deck)?;
                if body.count == 0 { Err(ShapeFault::Empty("count")) } else { Ok(()) }
            }
            Body::Shown(body) => {
                name("deck", &body.deck)?;
                name("card", &body.card)
            }
            Body::Revealed(body) => name("chain", &body.chain),
            Body::Rewound(body) => labels(&body.chains),
            Body::Ruling(body) => object("effect", &body.effect),
            Body::Closed(body) => {
                object("outcome", &body.outcome)?;
                labels(&body.secrets)
            }
            Body::Other { kind, body } => {
                object("body", body)?;
                if is_kind(kind) && !KNOWN.contains(&&**kind) { Ok(()) } else { Err(ShapeFault::Kind) }
            }
            Body::Started(_) | Body::Unsealed(_) | Body::Round(_) => Ok(()),
        }
    }
}

impl Opened<'_> {
    fn shape(&self) -> Result<(), ShapeFault> {
        object("options", &self.options)?;
        object("clock", &self.clock)?;
        labels(&self.chains)?;
        if self.ruleset.version == 0 {
            return Err(ShapeFault::Version);
        }
        if self.seats.is_empty() {
            return Err(ShapeFault::Empty("seats"));
        }
        for (list, what) in [(&self.seats, "seats"), (&self.operator_seats, "operator_seats")] {
            for (k, seat) in list.iter().enumerate() {
                name("a seat", seat)?;
                if list[..k].contains(seat) {
                    return Err(ShapeFault::Twice(what));
                }
            }
        }
        if !self.operator_seats.iter().all(|seat| self.seats.contains(seat)) {
            return Err(ShapeFault::OperatorSeat);
        }
        match &self.parent {
            Some(parent) if !is_game_id(&parent.game) => Err(ShapeFault::Game),
            Some(parent) => {
                let counts = |deck: &str, count: u64| count > 0 && self.chains.contains_key(deck_chain(deck).as_str());
                let whole = parent.epochs.iter().all(|(deck, &count)| counts(deck, count));
                if whole { Ok(()) } else { Err(ShapeFault::Epochs) }
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_json_are_borrowed_from_the_line() {
        let body = r#"{"ask":"x","order":{"a":[1]},"prompt":3,"seat":"red","via":"cli"}"#;
        let Body::Decision(decision) = Body::read("decision", body).unwrap() else { panic!() };
        assert!(matches!(decision.seat.0, Cow::Borrowed("red")));
        assert!(matches!(decision.order.0, Cow::Borrowed(_)));
        assert_eq!(decision.order.get(), r#"{"a":[1]}"#);
        assert_eq!(Body::Decision(decision).to_text().unwrap(), body);
        let Body::Ruling(ruling) = Body::read("ruling", r#"{"by":"a\nb","effect":{},"text":""}"#).unwrap() else {
            panic!()
        };
        assert_eq!(ruling.by, "a\nb");
    }

    #[test]
    fn broken_rules_of_section_4_are_named() {
        let zeros = Hash::ZERO;
        let opened = |seats: &str, operator: &str, label: &str| {
            format!(
                r#"{{"chains":{{"{label}":"{zeros}"}},"clock":{{}},"key":"{zeros}","operator_seats":{operator},"options":{{}},"ruleset":{{"components":"{zeros}","name":"x","version":1}},"scenario":"s","seats":{seats}}}"#
            )
        };
        assert!(Body::read("opened", &opened(r#"["a","b"]"#, r#"["b"]"#, "deck:x")).is_ok());
        let fork = |game: &str| {
            let parent = format!(r#""parent":{{"game":"{game}","hash":"{zeros}","n":7}},"ruleset""#);
            opened(r#"["a"]"#, "[]", "dice").replace(r#""ruleset""#, &parent)
        };
        let forked = fork("abc");
        let read = Body::read("opened", &forked).unwrap();
        assert!(matches!(&read, Body::Opened(Opened { parent: Some(parent), .. }) if parent.n == 7));
        assert_eq!(read.to_text().unwrap(), forked);
        let rolled = |low: i64, high: i64, got: &str| {
            format!(
                r#"{{"cause":1,"i":0,"rolls":[{{"got":{got},"high":{high},"label":"","low":{low}}}],"secret":"{zeros}"}}"#
            )
        };
        assert!(Body::read("rolled", &rolled(0, 9, "[1]")).is_ok());
        let cases = [
            ("opened", opened("[]", "[]", "dice"), ShapeFault::Empty("seats")),
            ("opened", opened(r#"["a","a"]"#, "[]", "dice"), ShapeFault::Twice("seats")),
            ("opened", opened(r#"["a"]"#, r#"["b"]"#, "dice"), ShapeFault::OperatorSeat),
            ("opened", opened(r#"["a\n"]"#, "[]", "dice"), ShapeFault::Name("a seat")),
            ("opened", opened(r#"["a"]"#, "[]", "deck:"), ShapeFault::Label),
            ("opened", fork("A"), ShapeFault::Game),
            ("rolled", rolled(1, 0, "[1]"), ShapeFault::Die),
            ("rolled", rolled(0, 9, "[]"), ShapeFault::Empty("got")),
            ("rolled", format!(r#"{{"cause":1,"i":0,"rolls":[],"secret":"{zeros}"}}"#), ShapeFault::Empty("rolls")),
            ("decision", r#"{"ask":"x","order":{},"prompt":3,"seat":"red","via":"mail"}"#.into(), ShapeFault::Mail),
            (
                "decision",
                r#"{"ask":"x","order":3,"prompt":3,"seat":"red","via":"cli"}"#.into(),
                ShapeFault::Object("order"),
            ),
            ("dealt", r#"{"count":0,"deck":"d","epoch":0,"from":0,"seat":""}"#.into(), ShapeFault::Empty("count")),
            ("shuffled", r#"{"cards":[],"deck":"d","epoch":0,"list":["a"]}"#.into(), ShapeFault::Cards),
        ];
        for (kind, body, wanted) in cases {
            match Body::read(kind, &body) {
                Err(BodyFault::Shape(fault)) => assert_eq!(fault, wanted, "{body}"),
                other => panic!("{body}: {other:?}"),
            }
        }
        assert!(matches!(Body::read("started", "{}"), Err(BodyFault::Members(_))));
        let listed = format!(r#"{{"cause":1,"i":0,"rolls":[["",0,9,[1]]],"secret":"{zeros}"}}"#);
        assert!(matches!(Body::read("rolled", &listed), Err(BodyFault::Members(_))));
        let ruleset = format!(r#"{{"components":"{zeros}","name":"x","version":1}}"#);
        let listed = opened(r#"["a"]"#, "[]", "dice").replace(&ruleset, &format!(r#"["x",1,"{zeros}"]"#));
        assert!(matches!(Body::read("opened", &listed), Err(BodyFault::Members(_))));
    }
}
