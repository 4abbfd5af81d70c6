//! One step of the rules as lines: the lines of a live step, and the comparison of a recorded step
//! with its replay.

use super::{
    chance_ledger::{ChanceLedger, Drawn},
    fault::ReplayFault,
    marks::RoundMark,
};
use postrider_dice::{Hash, card_salt};
use postrider_journal::{
    Body, BodyFault, CanonFault, Closed, Dealt, Json, Revealed, Roll, Rolled, Round, Shown, Shuffled, check,
    state_digest,
};
use postrider_table::{ChanceFault, Event, Outcome, Rejected, Seat, SetupFault, Told};

/// The result of one live step. The bodies belong in one append, in this order.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line that caused the step (`started`, a decision or a ruling) and all lines that follow
    /// from it.
    pub bodies: Vec<Body<'static>>,
    /// The story that the step told.
    pub told: Vec<Told>,
}

/// An error that prevents a live step.
#[derive(Debug, thiserror::Error)]
pub enum LiveFault {
    /// The rules refuse the decision and nothing has changed, or the session broke and must be
    /// rebuilt.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The game has not begun yet, or has already begun.
    #[error("{0}")]
    NotNow(&'static str),
    /// There is no such seat.
    #[error("there is no seat {0}")]
    NoSeat(String),
    /// The game was rebuilt without the operator's secrets.
    #[error("the operator's secrets are needed to play on")]
    NotLive,
    /// The ruleset rejects the set-up.
    #[error(transparent)]
    Setup(#[from] SetupFault),
    /// The game cannot be brought to the position from which the step is taken.
    #[error(transparent)]
    Replay(#[from] Box<ReplayFault>),
    /// No journal line can express what the rules did.
    #[error("the journal cannot record what the rules did: {0}")]
    Body(String),
}

impl From<ReplayFault> for LiveFault {
    fn from(why: ReplayFault) -> Self {
        Box::new(why).into()
    }
}

impl From<BodyFault> for LiveFault {
    fn from(why: BodyFault) -> Self {
        LiveFault::Body(why.to_string())
    }
}

impl From<serde_json::Error> for LiveFault {
    fn from(why: serde_json::Error) -> Self {
        LiveFault::Body(why.to_string())
    }
}

impl From<CanonFault> for LiveFault {
    fn from(why: CanonFault) -> Self {
        LiveFault::Body(why.to_string())
    }
}

/// Returns the name of a seat in the journal; "" for none.
pub fn seat_name(seats: &[String], seat: Option<Seat>) -> &str {
    seat.and_then(|seat| seats.get(seat.index())).map_or("", String::as_str)
}

/// Returns the journal bodies for one step of the rules: the dice first, all in one entry; then the
/// other events in the order in which they happened; and the end, if the game is over.
pub fn lines_for(
    events: &[Event],
    outcome: Option<Outcome>,
    seats: &[String],
    ledger: &mut ChanceLedger,
) -> Result<Vec<Body<'static>>, LiveFault> {
    let Drawn { rolled, commitments } = ledger.take_drawn();
    let mut commitments = commitments.into_iter();
    let mut bodies = Vec::new();
    if let Some(secret) = rolled {
        bodies.push(Body::Rolled(Rolled { secret, rolls: rolls(events) }));
    }
    for event in events {
        if ledger.is_public(event) {
            continue;
        }
        if let Event::Round { state: Some(state), .. } = event {
            // Non-canonical JSON could not be hashed by other programs. A replay need not check it,
            // because its digest must equal this one.
            check(state.as_bytes())?;
        }
        if let Some(line) = EventLine::of(event, seats) {
            bodies.push(line.into_body(&mut commitments, ledger)?);
        }
    }
    if let Some(outcome) = outcome {
        bodies.push(Body::Closed(Closed {
            outcome: Json::new(&outcome.json())?,
            secrets: ledger.origins()?,
            of: None,
        }));
    }
    Ok(bodies)
}

fn no_secret(deck: &str, epoch: u64) -> LiveFault {
    ChanceFault::Hidden { deck: deck.to_owned(), epoch: u32::try_from(epoch).unwrap_or(u32::MAX) }.into()
}

impl From<ChanceFault> for LiveFault {
    fn from(why: ChanceFault) -> Self {
        LiveFault::Rejected(Rejected::Chance(why))
    }
}

/// Returns the dice in the order in which they were rolled; equal dice in a row are grouped.
fn rolls(events: &[Event]) -> Vec<Roll<'static>> {
    let mut rolls: Vec<Roll<'static>> = Vec::new();
    for event in events {
        let Event::Rolled { label, low, high, got } = event else { continue };
        match rolls.last_mut() {
            Some(last) if *last.label == **label && (last.low, last.high) == (*low, *high) => last.got.push(*got),
            _ => rolls.push(Roll { label: label.to_string().into(), low: *low, high: *high, got: vec![*got] }),
        }
    }
    rolls
}

/// A difference between a recorded step and its replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// A derived line without a decision before it.
    #[error("{0} does not follow from a decision")]
    Orphan(String),
    /// A decision before the game began or after it ended.
    #[error("{0}")]
    OutOfTime(&'static str),
    /// The decision is not legal, or was not asked for.
    #[error("the rules refuse the decision: {0}")]
    Refused(String),
    /// The game does not know the ruling's effect, or the effect leaves no legal position.
    #[error("the rules refuse the ruling: {0}")]
    Ruling(String),
    /// A `clock` line names a question that is not open to that seat.
    #[error("the clock entry names question {prompt} of seat {seat}, which is not open")]
    NotOpen {
        /// The question's number.
        prompt: u64,
        /// The seat.
        seat: String,
    },
    /// The decision names a different kind of question.
    #[error("the question is \"{asked}\", the line says \"{recorded}\"")]
    Ask {
        /// The kind that the rules asked.
        asked: String,
        /// The kind in the line.
        recorded: String,
    },
    /// The rules requested other dice or cards than those recorded.
    #[error("the rules and the recorded dice or cards differ: {0}")]
    Chance(String),
    /// Recorded dice or shuffles that the rules never requested.
    #[error("the rules did not ask for {0}")]
    NotAsked(String),
    /// The line differs from what the rules did.
    #[error("the rules say: {rules}; the line says: {line}")]
    Line {
        /// The event by the rules.
        rules: String,
        /// The event in the line.
        line: String,
    },
    /// A rewind leads to a line that begins no Round within the step that it names.
    #[error("entry {0} does not begin a Round of the step that is to continue")]
    NoRound(u64),
    /// A line is missing here; the text describes it.
    #[error("a line is missing before this one: {0}")]
    Missing(String),
    /// The digest of the public position differs.
    #[error("the public position has the digest {right}, the line says {recorded}")]
    Digest {
        /// The digest of the replayed position.
        right: Hash,
        /// The recorded digest.
        recorded: Hash,
    },
    /// The parent game is not as the fork's first line says.
    #[error("this game cannot continue {game}: {why}")]
    Parent {
        /// The parent's id.
        game: String,
        /// The difference.
        why: String,
    },
    /// The ruleset rejects the set-up.
    #[error("the game cannot be set up: {0}")]
    Setup(String),
}

impl From<LiveFault> for Difference {
    fn from(why: LiveFault) -> Difference {
        match why {
            LiveFault::Setup(why) => Difference::Setup(why.to_string()),
            why => Difference::Refused(why.to_string()),
        }
    }
}

/// The contents of an event's line, without the parts that need secrets. Both live writing and the
/// comparison with a recorded line are based on it, so each event has only one form. It does not
/// include dice, because those of a step share one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventLine {
    Shuffled { deck: String, epoch: u64, list: Vec<String> },
    Dealt { deck: String, epoch: u64, seat: String, from: u64, count: u64 },
    Shown { deck: String, epoch: u64, pos: u64, card: String, seat: String },
    Revealed { deck: String, epoch: u64 },
    Round { turn: u64, round: u64, label: String, state: Option<Hash> },
}

impl EventLine {
    /// Returns the line of an event; `None` for a die, and for a deal of no cards.
    pub fn of(event: &Event, seats: &[String]) -> Option<EventLine> {
        let named = |seat: &Option<Seat>| seat_name(seats, *seat).to_owned();
        Some(match event {
            Event::Rolled { .. } | Event::Dealt { count: 0, .. } => return None,
            Event::Shuffled { deck, epoch, list } => {
                EventLine::Shuffled { deck: (*deck).to_owned(), epoch: u64::from(*epoch), list: list.clone() }
            }
            Event::Dealt { deck, epoch, seat, from, count } => EventLine::Dealt {
                deck: (*deck).to_owned(),
                epoch: u64::from(*epoch),
                seat: named(seat),
                from: *from as u64,
                count: *count as u64,
            },
            Event::Shown { deck, epoch, pos, card, seat } => EventLine::Shown {
                deck: (*deck).to_owned(),
                epoch: u64::from(*epoch),
                pos: *pos as u64,
                card: card.clone(),
                seat: named(seat),
            },
            Event::Revealed { deck, epoch } => {
                EventLine::Revealed { deck: (*deck).to_owned(), epoch: u64::from(*epoch) }
            }
            Event::Round { turn, round, label, state } => EventLine::Round {
                turn: u64::from(*turn),
                round: u64::from(*round),
                label: label.clone(),
                state: state.as_deref().map(state_digest),
            },
        })
    }

    /// Returns the same from a journal body, if it has one of these kinds.
    fn in_body(body: &Body<'_>) -> Option<EventLine> {
        Some(match body {
            Body::Shuffled(b) => EventLine::Shuffled {
                deck: b.deck.to_string(),
                epoch: b.epoch,
                list: b.list.iter().map(ToString::to_string).collect(),
            },
            Body::Dealt(b) => EventLine::Dealt {
                deck: b.deck.to_string(),
                epoch: b.epoch,
                seat: b.seat.to_string(),
                from: b.from,
                count: b.count,
            },
            Body::Shown(b) => EventLine::Shown {
                deck: b.deck.to_string(),
                epoch: b.epoch,
                pos: b.pos,
                card: b.card.to_string(),
                seat: b.seat.to_string(),
            },
            Body::Revealed(b) => EventLine::Revealed { deck: b.deck.to_string(), epoch: b.epoch },
            Body::Round(b) => {
                EventLine::Round { turn: b.turn, round: b.round, label: b.label.to_string(), state: Some(b.state) }
            }
            _ => return None,
        })
    }

    /// Returns the body of the line, including its secrets: the commitments of the next shuffle, or
    /// secrets from the ledger.
    fn into_body(
        self,
        commitments: &mut impl Iterator<Item = Vec<Hash>>,
        ledger: &mut ChanceLedger,
    ) -> Result<Body<'static>, LiveFault> {
        Ok(match self {
            EventLine::Shuffled { deck, epoch, list } => Body::Shuffled(Shuffled {
                deck: deck.into(),
                epoch,
                list: list.into_iter().map(Into::into).collect(),
                cards: commitments.next().ok_or_else(|| LiveFault::Body("a shuffle without commitments".into()))?,
            }),
            EventLine::Dealt { deck, epoch, seat, from, count } => {
                Body::Dealt(Dealt { deck: deck.into(), epoch, seat: seat.into(), from, count })
            }
            EventLine::Shown { deck, epoch, pos, card, seat } => {
                let secret = ledger.secret(&deck, epoch).ok_or_else(|| no_secret(&deck, epoch))?;
                let salt = card_salt(&secret, pos);
                Body::Shown(Shown { deck: deck.into(), epoch, pos, card: card.into(), salt, seat: seat.into() })
            }
            EventLine::Revealed { deck, epoch } => {
                let secret = ledger.secret(&deck, epoch).ok_or_else(|| no_secret(&deck, epoch))?;
                ledger.revealed(&deck, epoch);
                Body::Revealed(Revealed { deck: deck.into(), epoch, secret })
            }
            EventLine::Round { turn, round, label, state } => {
                let state = state.ok_or_else(|| LiveFault::Body("a Round without its digest".into()))?;
                Body::Round(Round { turn, round, label: label.into(), state })
            }
        })
    }

    /// Returns `true` if both are the same, except for digests.
    fn agrees(&self, other: &EventLine) -> bool {
        match (self, other) {
            (
                EventLine::Round { turn, round, label, .. },
                EventLine::Round { turn: other_turn, round: other_round, label: other_label, .. },
            ) => (turn, round, label) == (other_turn, other_round, other_label),
            (one, other) => one == other,
        }
    }

    /// Describes the line in words.
    pub fn words(&self) -> String {
        let of_seat = |seat: &str| if seat.is_empty() { "nobody".to_owned() } else { format!("seat {seat}") };
        match self {
            EventLine::Shuffled { deck, epoch, list } => {
                format!("{} cards of {deck}, epoch {epoch}, are shuffled", list.len())
            }
            EventLine::Dealt { deck, epoch, seat, from, count } => {
                let whom = of_seat(seat);
                format!("{count} cards of {deck}, epoch {epoch}, from position {from}, are dealt to {whom}")
            }
            EventLine::Shown { deck, epoch, pos, card, seat } => {
                let whose = of_seat(seat);
                format!("position {pos} of {deck}, epoch {epoch}, held by {whose}, is shown to be {card}")
            }
            EventLine::Revealed { deck, epoch } => format!("the secret of {deck}, epoch {epoch}, is revealed"),
            EventLine::Round { turn, round, label, .. } => format!("Turn {turn}, Round {round} begins as {label:?}"),
        }
    }
}

/// A recorded derived line, copied for a later comparison. `rolled` lines are checked as dice.
#[derive(Clone, Debug)]
pub enum Derived {
    Rolled,
    Event(EventLine),
    Closed { outcome: String, chains: Vec<String> },
}

impl Derived {
    /// Returns the derived line in a body, if it is one.
    pub fn of(body: &Body<'_>) -> Option<Derived> {
        match body {
            Body::Rolled(_) => Some(Derived::Rolled),
            Body::Closed(b) if b.of.is_none() => Some(Derived::Closed {
                outcome: b.outcome.get().to_owned(),
                chains: b.secrets.keys().map(ToString::to_string).collect(),
            }),
            other => EventLine::in_body(other).map(Derived::Event),
        }
    }

    /// Returns `true` if dice were rolled or cards drawn.
    pub fn draws(&self) -> bool {
        matches!(self, Derived::Rolled | Derived::Event(EventLine::Shuffled { .. } | EventLine::Dealt { .. }))
    }

    /// Returns `true` if a Round begins with this line.
    pub fn is_round(&self) -> bool {
        matches!(self, Derived::Event(EventLine::Round { .. }))
    }

    /// Returns the Round that begins with this line, number `n`.
    pub fn mark(&self, n: u64) -> Option<RoundMark> {
        match self {
            Derived::Event(EventLine::Round { turn, round, label, .. }) => {
                Some(RoundMark { n, turn: *turn, round: *round, label: label.clone() })
            }
            _ => None,
        }
    }

    /// Describes the line in words.
    pub fn words(&self) -> String {
        match self {
            Derived::Rolled => "dice are rolled".into(),
            Derived::Event(line) => line.words(),
            Derived::Closed { outcome, .. } => format!("the game is over with {outcome}"),
        }
    }

    /// Compares the line with an event of the rules.
    pub fn compare(&self, rules: &EventLine) -> Result<(), Difference> {
        match (self, rules) {
            (Derived::Event(line), _) if !line.agrees(rules) => {
                Err(Difference::Line { rules: rules.words(), line: line.words() })
            }
            (
                Derived::Event(EventLine::Round { state: Some(recorded), .. }),
                EventLine::Round { state: Some(right), .. },
            ) if recorded != right => Err(Difference::Digest { right: *right, recorded: *recorded }),
            (Derived::Event(_), _) => Ok(()),
            (other, _) => Err(Difference::Line { rules: rules.words(), line: other.words() }),
        }
    }
}
