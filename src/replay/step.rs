//! One step of the rules as lines: what a live step writes, and where a recorded one differs from a replay.

use super::{
    chance_ledger::{ChanceLedger, Drawn},
    marks::RoundMark,
};
use postrider_dice::{Hash, card_salt};
use postrider_journal::{
    Body, BodyFault, CanonFault, Closed, Dealt, Json, Revealed, Roll, Rolled, Round, Shown, Shuffled, check,
    state_digest,
};
use postrider_table::{ChanceFault, Event, Outcome, Rejected, Seat, SetupFault, Told};

/// What one live step brings to the journal and to the readers. The bodies belong in one append, in this order.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line that caused the step (`started` or a decision) and all that follows from it.
    pub bodies: Vec<Body<'static>>,
    /// The story that the step told.
    pub told: Vec<Told>,
}

/// Why a live step cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum LiveFault {
    /// The rules refuse the decision (nothing has changed) or the session broke (it must be rebuilt).
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// The game has not begun, or has begun already.
    #[error("{0}")]
    NotNow(&'static str),
    /// There is no such seat.
    #[error("there is no seat {0}")]
    NoSeat(String),
    /// The game was rebuilt without the operator's secrets.
    #[error("the operator's secrets are needed to play on")]
    NotLive,
    /// The ruleset refuses the set-up.
    #[error(transparent)]
    Setup(#[from] SetupFault),
    /// The rules made something that no line can say.
    #[error("no line can say what the rules did: {0}")]
    Body(String),
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

/// How the journal names a seat; "" for nobody.
pub fn seat_name(seats: &[String], seat: Option<Seat>) -> &str {
    seat.and_then(|seat| seats.get(seat.index())).map_or("", String::as_str)
}

/// The journal bodies for what the rules did in a step: the dice first, all in one entry; then everything else in
/// the order in which it happened; and, when the game is over, its end.
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
            // What is not canonical could not be hashed by anybody else. A replay need not look: its digest must equal this.
            check(state.as_bytes())?;
        }
        if let Some(line) = EventLine::of(event, seats) {
            bodies.push(line.into_body(&mut commitments, ledger)?);
        }
    }
    if let Some(outcome) = outcome {
        bodies.push(Body::Closed(Closed { outcome: Json::new(&outcome.json())?, secrets: ledger.origins()? }));
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

/// Dice in the order of their fall; equal dice that follow each other stand together.
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

/// Where a recorded step and its replay part ways.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// A derived line that no decision stands before.
    #[error("{0} follows from no decision")]
    Orphan(String),
    /// A decision before the game began or after it ended.
    #[error("{0}")]
    OutOfTime(&'static str),
    /// The decision is not legal, or not asked for.
    #[error("the rules refuse the decision: {0}")]
    Refused(String),
    /// The ruling has an effect that the game does not know, or that leaves no legal position.
    #[error("the rules refuse the ruling: {0}")]
    Ruling(String),
    /// A `clock` line names a question that is not open to that seat.
    #[error("the clock speaks of question {prompt} of seat {seat}, which is not open")]
    NotOpen {
        /// The question's number.
        prompt: u64,
        /// The seat.
        seat: String,
    },
    /// The decision answers a question of another kind.
    #[error("the question is \"{asked}\", the line says \"{recorded}\"")]
    Ask {
        /// What the rules asked.
        asked: String,
        /// What the line says they asked.
        recorded: String,
    },
    /// The rules ask for other dice or cards than recorded.
    #[error("the rules and the recorded dice or cards part ways: {0}")]
    Chance(String),
    /// Recorded dice or shuffles that the rules never asked for.
    #[error("the rules did not ask for {0}")]
    NotAsked(String),
    /// The line says something else than the rules did.
    #[error("the rules say: {rules}; the line says: {line}")]
    Line {
        /// What happened under the rules.
        rules: String,
        /// What the line says happened.
        line: String,
    },
    /// A line is missing here.
    #[error("a line is missing before this one: {0}")]
    Missing(String),
    /// The public position is another one.
    #[error("what a spectator sees has the digest {right}, the line says {recorded}")]
    Digest {
        /// The digest of the replayed position.
        right: Hash,
        /// The digest on record.
        recorded: Hash,
    },
    /// The game from which this one goes on is not what the line says.
    #[error("this game cannot go on from {game}: {why}")]
    Parent {
        /// The parent.
        game: String,
        /// What differs.
        why: String,
    },
    /// The set-up is refused.
    #[error("the game cannot be set up so: {0}")]
    Setup(String),
}

/// What an event of the rules says in its line: all but what secrets are needed for. Live writing and the comparison with a
/// recorded line both begin with it, so an event has one line only. Dice are not among them: those of a step stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventLine {
    Shuffled { deck: String, epoch: u64, list: Vec<String> },
    Dealt { deck: String, epoch: u64, seat: String, from: u64, count: u64 },
    Shown { deck: String, epoch: u64, pos: u64, card: String, seat: String },
    Revealed { deck: String, epoch: u64 },
    Round { turn: u64, round: u64, label: String, state: Option<Hash> },
}

impl EventLine {
    /// The line of an event; `None` for a die, and where nothing was dealt.
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

    /// The same line in a body, if it is one of these.
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

    /// The body of the line, with its secrets: the next shuffle's commitments, or what the ledger knows.
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

    /// Whether both say the same, digests apart.
    fn agrees(&self, other: &EventLine) -> bool {
        match (self, other) {
            (
                EventLine::Round { turn, round, label, .. },
                EventLine::Round { turn: other_turn, round: other_round, label: other_label, .. },
            ) => (turn, round, label) == (other_turn, other_round, other_label),
            (one, other) => one == other,
        }
    }

    /// What the line says, in words.
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

/// A derived line as it waits to be compared, no longer tied to its text. `rolled` lines are checked as dice.
#[derive(Clone, Debug)]
pub enum Derived {
    Rolled,
    Event(EventLine),
    Closed { outcome: String, chains: Vec<String> },
}

impl Derived {
    /// The derived line in a body, if it is one.
    pub fn of(body: &Body<'_>) -> Option<Derived> {
        match body {
            Body::Rolled(_) => Some(Derived::Rolled),
            Body::Closed(b) => Some(Derived::Closed {
                outcome: b.outcome.get().to_owned(),
                chains: b.secrets.keys().map(ToString::to_string).collect(),
            }),
            other => EventLine::in_body(other).map(Derived::Event),
        }
    }

    /// The Round that begins with this line, line `n`.
    pub fn mark(&self, n: u64) -> Option<RoundMark> {
        match self {
            Derived::Event(EventLine::Round { turn, round, label, .. }) => {
                Some(RoundMark { n, turn: *turn, round: *round, label: label.clone() })
            }
            _ => None,
        }
    }

    /// What the line says, in words.
    pub fn words(&self) -> String {
        match self {
            Derived::Rolled => "dice are rolled".into(),
            Derived::Event(line) => line.words(),
            Derived::Closed { outcome, .. } => format!("the game is over with {outcome}"),
        }
    }

    /// Holds the line against what an event of the rules says.
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
