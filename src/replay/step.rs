//! One step of the rules as lines: what a live step writes, and where a recorded one differs from a replay.

use super::{
    chance_ledger::{ChanceLedger, Drawn},
    live_game::RoundMark,
};
use crate::{
    dice::{Hash, card_salt, deck_chain},
    journal::{
        Body, BodyFault, CanonFault, Closed, Dealt, Json, Revealed, Roll, Rolled, Round, Shown, Shuffled, check,
        state_digest,
    },
    table::{ChanceFault, Event, Rejected, Seat, SetupFault, Told},
};

/// What one live step owes to the journal and to the readers. The bodies belong in one append, in this order.
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
pub(crate) fn seat_name(seats: &[String], seat: Option<Seat>) -> &str {
    seat.and_then(|seat| seats.get(seat.index())).map_or("", String::as_str)
}

/// The journal bodies for what the rules did after line `cause`: the dice first, all in one entry; then everything else in
/// the order in which it happened; and, when the game is over, its end.
pub(crate) fn lines_for(
    cause: u64,
    events: &[Event],
    outcome: Option<serde_json::Value>,
    seats: &[String],
    ledger: &mut ChanceLedger,
) -> Result<Vec<Body<'static>>, LiveFault> {
    let Drawn { rolled, commitments } = ledger.take_drawn();
    let mut commitments = commitments.into_iter();
    let mut bodies = Vec::new();
    if let Some((i, secret)) = rolled {
        bodies.push(Body::Rolled(Rolled { cause, i, secret, rolls: rolls(events) }));
    }
    for event in events {
        if ledger.is_public(event) {
            continue;
        }
        bodies.push(match event {
            Event::Rolled { .. } => continue,
            Event::Shuffled { deck, epoch, list } => Body::Shuffled(Shuffled {
                deck: (*deck).into(),
                epoch: u64::from(*epoch),
                list: list.iter().map(|card| card.clone().into()).collect(),
                cards: commitments.next().ok_or_else(|| LiveFault::Body("a shuffle without commitments".into()))?,
            }),
            // Nothing dealt is nothing to write.
            Event::Dealt { count: 0, .. } => continue,
            Event::Dealt { deck, epoch, seat, from, count } => Body::Dealt(Dealt {
                deck: (*deck).into(),
                epoch: u64::from(*epoch),
                seat: seat_name(seats, *seat).to_owned().into(),
                from: *from as u64,
                count: *count as u64,
            }),
            Event::Shown { deck, epoch, pos, card, seat } => {
                let epoch = u64::from(*epoch);
                let secret = ledger.secret(deck, epoch).ok_or_else(|| no_secret(deck, epoch))?;
                Body::Shown(Shown {
                    deck: (*deck).into(),
                    epoch,
                    pos: *pos as u64,
                    card: card.clone().into(),
                    salt: card_salt(&secret, *pos as u64),
                    seat: seat_name(seats, *seat).to_owned().into(),
                })
            }
            Event::Revealed { deck, epoch } => {
                let epoch = u64::from(*epoch);
                let secret = ledger.secret(deck, epoch).ok_or_else(|| no_secret(deck, epoch))?;
                let chain = deck_chain(deck);
                ledger.revealed(&chain, epoch);
                Body::Revealed(Revealed { chain: chain.into(), epoch, secret })
            }
            Event::Round { turn, round, label, state } => {
                let state = state.as_ref().ok_or_else(|| LiveFault::Body("a Round without its digest".into()))?;
                // What is not canonical could not be hashed by anybody else. A replay need not look: its digest must equal this.
                check(state.as_bytes())?;
                Body::Round(Round {
                    turn: u64::from(*turn),
                    round: u64::from(*round),
                    label: label.clone().into(),
                    state: state_digest(state),
                })
            }
        });
    }
    if let Some(outcome) = outcome {
        bodies.push(Body::Closed(Closed { outcome: Json::new(&outcome)?, secrets: ledger.origins() }));
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
    /// The rolled entry names another cause than the line it stands behind.
    #[error("the cause of these dice is n = {right}, the line says {recorded}")]
    Cause {
        /// n of the decision.
        right: u64,
        /// What the line says.
        recorded: u64,
    },
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

/// A derived line as it waits to be compared, no longer tied to its text. `rolled` lines are checked as dice.
#[derive(Clone, Debug)]
pub(crate) enum Derived {
    Rolled,
    Shuffled { deck: String, epoch: u64, cards: usize },
    Dealt { deck: String, epoch: u64, seat: String, from: u64, count: u64 },
    Shown { deck: String, epoch: u64, pos: u64, card: String, seat: String },
    Revealed { chain: String, epoch: u64 },
    Round { turn: u64, round: u64, label: String, state: Hash },
    Closed { outcome: String, chains: Vec<String> },
}

impl Derived {
    /// The derived line in a body, if it is one.
    pub fn of(body: &Body<'_>) -> Option<Derived> {
        Some(match body {
            Body::Rolled(_) => Derived::Rolled,
            Body::Shuffled(b) => Derived::Shuffled { deck: b.deck.to_string(), epoch: b.epoch, cards: b.list.len() },
            Body::Dealt(b) => Derived::Dealt {
                deck: b.deck.to_string(),
                epoch: b.epoch,
                seat: b.seat.to_string(),
                from: b.from,
                count: b.count,
            },
            Body::Shown(b) => Derived::Shown {
                deck: b.deck.to_string(),
                epoch: b.epoch,
                pos: b.pos,
                card: b.card.to_string(),
                seat: b.seat.to_string(),
            },
            Body::Revealed(b) => Derived::Revealed { chain: b.chain.to_string(), epoch: b.epoch },
            Body::Round(b) => {
                Derived::Round { turn: b.turn, round: b.round, label: b.label.to_string(), state: b.state }
            }
            Body::Closed(b) => Derived::Closed {
                outcome: b.outcome.get().to_owned(),
                chains: b.secrets.keys().map(ToString::to_string).collect(),
            },
            _ => return None,
        })
    }

    /// The Round that begins with this line, line `n`.
    pub fn mark(&self, n: u64) -> Option<RoundMark> {
        match self {
            Derived::Round { turn, round, label, .. } => {
                Some(RoundMark { n, turn: *turn, round: *round, label: label.clone() })
            }
            _ => None,
        }
    }

    /// What the line says, in words.
    pub fn words(&self) -> String {
        match self {
            Derived::Rolled => "dice are rolled".into(),
            Derived::Shuffled { deck, epoch, cards } => shuffled(deck, *epoch, *cards),
            Derived::Dealt { deck, epoch, seat, from, count } => dealt(deck, *epoch, seat, *from, *count),
            Derived::Shown { deck, epoch, pos, card, seat } => shown(deck, *epoch, *pos, card, seat),
            Derived::Revealed { chain, epoch } => revealed(chain, *epoch),
            Derived::Round { turn, round, label, .. } => begun(*turn, *round, label),
            Derived::Closed { outcome, .. } => format!("the game is over with {outcome}"),
        }
    }

    /// Holds the line against what the rules did.
    pub fn compare(&self, event: &Event, seats: &[String]) -> Result<(), Difference> {
        if !self.says(event, seats) {
            return Err(Difference::Line { rules: words(event, seats), line: self.words() });
        }
        match (self, event) {
            (Derived::Round { state, .. }, Event::Round { state: Some(text), .. }) => {
                let right = state_digest(text);
                if right == *state { Ok(()) } else { Err(Difference::Digest { right, recorded: *state }) }
            }
            _ => Ok(()),
        }
    }

    /// Whether the line says what the rules did, digests apart.
    fn says(&self, event: &Event, seats: &[String]) -> bool {
        match (self, event) {
            (Derived::Shuffled { deck, epoch, cards }, Event::Shuffled { deck: d, epoch: e, list }) => {
                deck == d && *epoch == u64::from(*e) && *cards == list.len()
            }
            (
                Derived::Dealt { deck, epoch, seat, from, count },
                Event::Dealt { deck: d, epoch: e, seat: s, from: f, count: c },
            ) => {
                deck == d
                    && *epoch == u64::from(*e)
                    && seat == seat_name(seats, *s)
                    && (*from, *count) == (*f as u64, *c as u64)
            }
            (
                Derived::Shown { deck, epoch, pos, card, seat },
                Event::Shown { deck: d, epoch: e, pos: p, card: c, seat: s },
            ) => deck == d && *epoch == u64::from(*e) && *pos == *p as u64 && card == c && seat == seat_name(seats, *s),
            (Derived::Revealed { chain, epoch }, Event::Revealed { deck, epoch: e }) => {
                chain.strip_prefix("deck:") == Some(deck) && *epoch == u64::from(*e)
            }
            (Derived::Round { turn, round, label, .. }, Event::Round { turn: t, round: r, label: l, .. }) => {
                (*turn, *round) == (u64::from(*t), u64::from(*r)) && label == l
            }
            _ => false,
        }
    }
}

/// What the rules did, in the words that [`Derived::words`] has for the same, so that two that differ read well side by
/// side.
pub(crate) fn words(event: &Event, seats: &[String]) -> String {
    match event {
        Event::Rolled { .. } => "dice are rolled".into(),
        Event::Shuffled { deck, epoch, list } => shuffled(deck, u64::from(*epoch), list.len()),
        Event::Dealt { deck, epoch, seat, from, count } => {
            dealt(deck, u64::from(*epoch), seat_name(seats, *seat), *from as u64, *count as u64)
        }
        Event::Shown { deck, epoch, pos, card, seat } => {
            shown(deck, u64::from(*epoch), *pos as u64, card, seat_name(seats, *seat))
        }
        Event::Revealed { deck, epoch } => revealed(&deck_chain(deck), u64::from(*epoch)),
        Event::Round { turn, round, label, .. } => begun(u64::from(*turn), u64::from(*round), label),
    }
}

fn shuffled(deck: &str, epoch: u64, cards: usize) -> String {
    format!("{cards} cards of {deck}, epoch {epoch}, are shuffled")
}

fn dealt(deck: &str, epoch: u64, seat: &str, from: u64, count: u64) -> String {
    let whom = if seat.is_empty() { "nobody".to_owned() } else { format!("seat {seat}") };
    format!("{count} cards of {deck}, epoch {epoch}, from position {from}, are dealt to {whom}")
}

fn shown(deck: &str, epoch: u64, pos: u64, card: &str, seat: &str) -> String {
    let whose = if seat.is_empty() { "nobody".to_owned() } else { format!("seat {seat}") };
    format!("position {pos} of {deck}, epoch {epoch}, held by {whose}, is shown to be {card}")
}

fn revealed(chain: &str, epoch: u64) -> String {
    format!("the secret of {chain}, epoch {epoch}, is revealed")
}

fn begun(turn: u64, round: u64, label: &str) -> String {
    format!("Turn {turn}, Round {round} begins as {label:?}")
}
