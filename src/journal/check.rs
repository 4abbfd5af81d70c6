//! Proving a journal, line by line: steps 1 to 7 of section 9.

use std::{collections::BTreeMap, fmt, io::Read};

use serde::{Serialize, Serializer};

use super::{
    body::{
        Body, Closed, Dealt, Joined, Opened, Reseated, Revealed, Rewound, Rolled, Sealed, Shown, Shuffled, Started,
        Unsealed,
    },
    commit::{luck_of_hashes, sealed_commitment},
    decks::{Epoch, Track},
    entry::{Line, LineFault},
    lines::{Lines, LinesFault},
    receipt::Head,
};
use crate::dice::{ChainFault, DICE_CHAIN, DiceStream, Hash, deck_chain, is_committed, roll_seed, sha256};

/// A step of section 9 that a [`Checker`] takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// 1: lines and canonical form.
    Lines = 1,
    /// 2: hash, n, prev, game, and the members of known bodies.
    Entries,
    /// 3: `opened` first, the key, seats, luck, and what must come before what.
    Frame,
    /// 4: seed chains, link by link.
    Chains,
    /// 5: dice.
    Dice,
    /// 6: decks.
    Decks,
    /// 7: sealed entries.
    Seals,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Step::Lines => "lines",
            Step::Entries => "entries",
            Step::Frame => "frame",
            Step::Chains => "chains",
            Step::Dice => "dice",
            Step::Decks => "decks",
            Step::Seals => "seals",
        };
        write!(f, "{} ({name})", *self as u8)
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}

/// The first thing in a journal that cannot be true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The place of the bad line, from 0; people count it from 1, see [`Fault::line`].
    pub n: u64,
    /// The step that found it.
    pub step: Step,
    /// What is wrong.
    pub wrong: Wrong,
    /// n of the line that it contradicts, where that is another one.
    pub contradicts: Option<u64>,
    /// What would be right, where that can be known.
    pub right: Option<String>,
}

impl Fault {
    /// The number of the bad line as editors count, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.n + 1
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, step {}: {}", self.line(), self.step, self.wrong)?;
        if let Some(n) = self.contradicts {
            write!(f, "; this contradicts line {}", n + 1)?;
        }
        match &self.right {
            Some(right) => write!(f, "; right would be {right}"),
            None => Ok(()),
        }
    }
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each means; fields are what the line says")]
pub enum Wrong {
    #[error("{0}")]
    File(String),
    #[error("{0}")]
    Line(#[from] LineFault),
    #[error("the body of {kind}: {what}")]
    Body { kind: String, what: String },
    #[error("game is {0:?}")]
    Game(String),
    #[error("n is {0}")]
    N(u64),
    #[error("prev is {0}")]
    Prev(Hash),
    #[error("hash is {0}, which does not fit the line's bytes")]
    Hash(Hash),
    #[error("the first line is {0}, not opened")]
    NotOpened(String),
    #[error("opened comes a second time")]
    OpenedAgain,
    #[error("the key {0} is not the one that the players' mails give")]
    Key(Hash),
    #[error("there is no seat {0:?}")]
    Seat(String),
    #[error("seat {0} is joined a second time")]
    JoinedAgain(String),
    #[error("{0} comes after started")]
    AfterStart(&'static str),
    #[error("{0} comes before started")]
    BeforeStart(&'static str),
    #[error("the luck {0} is not that of the players' phrases")]
    Luck(Hash),
    #[error("play cannot go on after n = {0}")]
    RewoundTo(u64),
    #[error("there is no chain {0:?}")]
    NoChain(String),
    #[error("the new chains are not those of opened")]
    OtherChains,
    #[error("{0}")]
    Chain(Box<ChainFault>),
    #[error("i is {0}")]
    Ordinal(u64),
    #[error("the cause n = {0} is not an earlier entry")]
    Cause(u64),
    #[error("die {die} of roll {roll} ({label}) shows {got}")]
    Die { roll: usize, die: usize, label: String, got: i64 },
    #[error("the epoch of deck {deck} is {epoch}")]
    EpochNumber { deck: String, epoch: u64 },
    #[error("deck {deck} has no shuffle with epoch {epoch} that is still hidden")]
    NoEpoch { deck: String, epoch: u64 },
    #[error("epoch {epoch} of deck {deck} is revealed before epoch {oldest}")]
    RevealOrder { deck: String, epoch: u64, oldest: u64 },
    #[error("deck {deck} has no position {pos}")]
    NoPosition { deck: String, pos: u64 },
    #[error("position {pos} of deck {deck} was never dealt")]
    NotDealt { deck: String, pos: u64 },
    #[error("card {card:?} with its salt does not fit the commitment of position {pos} of deck {deck}")]
    Card { deck: String, pos: u64, card: String },
    #[error("the revealed secret of deck {deck} does not make the commitment of position {pos}")]
    Shuffle { deck: String, pos: u64 },
    #[error("n = {0} is no sealed entry that waits to be opened")]
    NoSeal(u64),
    #[error("the content does not fit the commitment {0}")]
    Content(Hash),
}

impl From<ChainFault> for Wrong {
    fn from(fault: ChainFault) -> Wrong {
        Wrong::Chain(Box::new(fault))
    }
}

/// Something that the journal leaves open: nothing contradicts it, nothing proves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Unproved {
    /// The journal has no line.
    Empty,
    /// A shuffle whose secret is not revealed: only the cards that were shown are proved.
    Epoch {
        /// The deck.
        deck: String,
        /// Which shuffle of it.
        epoch: u64,
        /// n of its `shuffled` entry.
        n: u64,
    },
    /// Sealed and never opened.
    Seal {
        /// n of the `sealed` entry.
        n: u64,
    },
    /// A kind that this release does not know: only its place in the chain is proved.
    Kind {
        /// The kind.
        kind: String,
        /// n of the first such entry.
        n: u64,
        /// How many there are.
        count: u64,
    },
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unproved::Empty => f.write_str("the journal is empty"),
            Unproved::Epoch { deck, epoch, n } => {
                write!(f, "the order of deck {deck}, epoch {epoch} (line {}): its secret is not revealed yet", n + 1)
            }
            Unproved::Seal { n } => write!(f, "what was sealed in line {}: it is not opened", n + 1),
            Unproved::Kind { kind, n, count } => {
                write!(f, "{count} entries of kind {kind}, first in line {}: this release does not know them", n + 1)
            }
        }
    }
}

/// Something that was not looked at and that no claim rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub enum Note {
    /// The s_0 of a chain was not followed through the links that no entry used; see [`Checker::passing_unused_links`].
    Unused {
        /// The chain's label.
        chain: String,
        /// How many links lie between s_0 and the last one that is public.
        links: u64,
        /// n of the `closed` entry.
        n: u64,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Note::Unused { chain, links, n } = self;
        write!(f, "s_0 of chain {chain} (line {}) was not followed through the {links} links that no entry used", n + 1)
    }
}

/// One step and how much of the journal it has proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The step.
    pub step: Step,
    /// What was proved, and how often: `links`, `dice` ….
    pub proved: BTreeMap<&'static str, u64>,
    /// What stays open.
    pub unproved: Vec<Unproved>,
    /// What was passed over; it changes no grade.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// What steps 1 to 7 say about a journal that nothing contradicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claims {
    /// How many lines it has.
    pub lines: u64,
    /// The hash of the last line, 64 zeros if there is none.
    pub head: Hash,
    /// The game, "" if there is no line.
    pub game: String,
    /// The seats of the operator, who can foresee their dice and see their opponents' hands.
    pub operator_seats: Vec<String>,
    /// The seven steps in order.
    pub steps: Vec<Claim>,
}

impl Claims {
    /// Whether nothing is left open.
    #[must_use]
    pub fn all_proved(&self) -> bool {
        self.steps.iter().all(|claim| claim.unproved.is_empty())
    }
}

/// From how many unused links on a [`Checker`] may pass them over.
const PASSED: u64 = 1_000;

/// A line that holds, with its body read: a caller may go on to replay it.
#[derive(Debug, Clone)]
pub struct Checked<'l> {
    /// The line.
    pub line: Line<'l>,
    /// Its body.
    pub body: Body<'l>,
}

#[derive(Debug, Default)]
struct Counts {
    joined: u64,
    links: u64,
    rolled: u64,
    dice: u64,
    shuffled: u64,
    shown: u64,
    cards: u64,
    unsealed: u64,
}

#[derive(Debug)]
struct Seat {
    name: String,
    joined: bool,
    /// SHA-256 of the luck phrase.
    luck: Hash,
}

/// What waits to be opened.
#[derive(Debug)]
struct Seal {
    seat: String,
    commit: Hash,
}

/// Proves a journal while it is read, from the first line on. Its memory grows with what is still hidden (shuffles,
/// seals), not with the length of the journal.
#[derive(Debug, Default)]
pub struct Checker {
    expected_key: Option<Hash>,
    /// Whether long stretches of unused links are passed over.
    passing: bool,
    notes: Vec<Note>,
    game: String,
    n: u64,
    prev: Hash,
    operator_seats: Vec<String>,
    seats: Vec<Seat>,
    /// The luck of the game, and n of the entry that says it.
    started: Option<(Hash, u64)>,
    tracks: BTreeMap<String, Track>,
    rolled_at: Option<u64>,
    seals: BTreeMap<u64, Seal>,
    /// Kinds not known: how many, and n of the first.
    kinds: BTreeMap<String, (u64, u64)>,
    counts: Counts,
    failed: Option<Fault>,
}

/// A fault without its n, which the checker knows.
struct Found {
    step: Step,
    wrong: Wrong,
    contradicts: Option<u64>,
    right: Option<String>,
}

impl Found {
    fn new(step: Step, wrong: impl Into<Wrong>) -> Found {
        Found { step, wrong: wrong.into(), contradicts: None, right: None }
    }

    fn against(self, n: u64) -> Found {
        Found { contradicts: Some(n), ..self }
    }

    fn right(self, right: impl fmt::Display) -> Found {
        Found { right: Some(right.to_string()), ..self }
    }
}

impl Checker {
    /// A checker that waits for the first line.
    #[must_use]
    pub fn new() -> Checker {
        Checker::default()
    }

    /// Also holds `opened.key` against the public key that the players' mails give.
    #[must_use]
    pub fn expecting_key(key: Hash) -> Checker {
        Checker { expected_key: Some(key), ..Checker::default() }
    }

    /// Does not follow a published s_0 through 1,000 or more links that no entry used: they bear on no die and no card, and
    /// hashing them can cost more than all the rest. The claims then say so in a [`Note`].
    #[must_use]
    pub fn passing_unused_links(self) -> Checker {
        Checker { passing: true, ..self }
    }

    /// Checks the next line, given without its newline.
    ///
    /// # Errors
    /// The first [`Fault`] of the line. What follows a fault proves nothing, so the same fault is given ever after.
    pub fn feed<'l>(&mut self, text: &'l [u8]) -> Result<Checked<'l>, Fault> {
        if let Some(fault) = &self.failed {
            return Err(fault.clone());
        }
        self.next(text).map_err(|found| self.fail(found))
    }

    /// Checks all lines of a journal, however long.
    ///
    /// # Errors
    /// The first [`Fault`]; also when the file cannot be read or ends in a torn line.
    pub fn feed_all<R: Read>(&mut self, lines: &mut Lines<R>) -> Result<(), Fault> {
        loop {
            match lines.next_line() {
                Ok(Some(text)) => self.feed(text)?,
                Ok(None) => return Ok(()),
                Err(fault) => {
                    let (LinesFault::Io { n, .. } | LinesFault::TooLong { n } | LinesFault::Torn { n, .. }) = fault;
                    self.n = n;
                    return Err(self.fail(Found::new(Step::Lines, Wrong::File(fault.to_string()))));
                }
            };
        }
    }

    fn fail(&mut self, found: Found) -> Fault {
        let Found { step, wrong, contradicts, right } = found;
        let fault = Fault { n: self.n, step, wrong, contradicts, right };
        self.failed = Some(fault.clone());
        fault
    }

    fn next<'l>(&mut self, text: &'l [u8]) -> Result<Checked<'l>, Found> {
        let line = Line::parse(text).map_err(|fault| match fault {
            LineFault::Member { .. } => Found::new(Step::Entries, fault),
            LineFault::TooLong(_) | LineFault::Canon(_) => Found::new(Step::Lines, fault),
        })?;
        self.place(&line)?;
        let body = line.read_body().map_err(|fault| {
            Found::new(Step::Entries, Wrong::Body { kind: line.kind.to_owned(), what: fault.to_string() })
        })?;
        self.meaning(&line, &body)?;
        self.n += 1;
        self.prev = line.hash;
        Ok(Checked { line, body })
    }

    /// Step 2: the line continues the chain.
    fn place(&mut self, line: &Line<'_>) -> Result<(), Found> {
        let hash = line.entry_hash();
        let wrong = |wrong| Found::new(Step::Entries, wrong);
        let last = self.n.checked_sub(1);
        let against = |found: Found| Found { contradicts: last, ..found };
        if line.hash != hash {
            return Err(wrong(Wrong::Hash(line.hash)).right(hash));
        }
        if line.n != self.n {
            return Err(against(wrong(Wrong::N(line.n))).right(self.n));
        }
        if line.prev != self.prev {
            return Err(against(wrong(Wrong::Prev(line.prev))).right(self.prev));
        }
        if self.n == 0 {
            line.game.clone_into(&mut self.game);
        } else if line.game != self.game {
            return Err(wrong(Wrong::Game(line.game.to_owned())).against(0).right(&self.game));
        }
        Ok(())
    }

    /// Steps 3 to 7: what the line says fits what the lines before it said.
    fn meaning(&mut self, line: &Line<'_>, body: &Body<'_>) -> Result<(), Found> {
        let first = self.n == 0;
        match body {
            Body::Opened(opened) if first => self.opened(opened)?,
            _ if first => return Err(Found::new(Step::Frame, Wrong::NotOpened(line.kind.to_owned()))),
            Body::Opened(_) => return Err(Found::new(Step::Frame, Wrong::OpenedAgain).against(0)),
            Body::Joined(joined) => self.joined(joined)?,
            Body::Reseated(reseated) => self.reseated(reseated)?,
            Body::Started(started) => self.started(started)?,
            Body::Decision(decision) => _ = self.seat(&decision.seat)?,
            Body::Clock(clock) => _ = self.seat(&clock.seat)?,
            Body::Rolled(rolled) => self.rolled(rolled)?,
            Body::Shuffled(shuffled) => self.shuffled(shuffled)?,
            Body::Dealt(dealt) => self.dealt(dealt)?,
            Body::Shown(shown) => self.shown(shown)?,
            Body::Revealed(revealed) => self.revealed(revealed)?,
            Body::Sealed(sealed) => self.sealed(sealed)?,
            Body::Unsealed(unsealed) => self.unsealed(unsealed)?,
            Body::Rewound(rewound) => self.rewound(rewound)?,
            Body::Closed(closed) => self.closed(closed)?,
            // Rounds and rulings speak of the rules, which a replay (step 8) knows.
            Body::Round(_) | Body::Ruling(_) => {}
            Body::Other { .. } => match self.kinds.get_mut(line.kind) {
                Some((count, _)) => *count += 1,
                None => _ = self.kinds.insert(line.kind.to_owned(), (1, self.n)),
            },
        }
        Ok(())
    }

    fn opened(&mut self, opened: &Opened<'_>) -> Result<(), Found> {
        if let Some(key) = self.expected_key
            && key != opened.key
        {
            return Err(Found::new(Step::Frame, Wrong::Key(opened.key)).right(key));
        }
        let no_luck = sha256(b"");
        let seat = |name: &&str| Seat { name: (*name).to_owned(), joined: false, luck: no_luck };
        self.seats = opened.seats.iter().map(|name| seat(&&**name)).collect();
        self.operator_seats = opened.operator_seats.iter().map(ToString::to_string).collect();
        let tips = opened.chains.iter();
        self.tracks = tips.map(|(label, tip)| (label.to_string(), Track::new(label, *tip, 0))).collect();
        Ok(())
    }

    fn seat(&mut self, name: &str) -> Result<&mut Seat, Found> {
        let seat = self.seats.iter_mut().find(|seat| seat.name == name);
        seat.ok_or_else(|| Found::new(Step::Frame, Wrong::Seat(name.to_owned())).against(0))
    }

    /// A seat, or "" for nobody.
    fn seat_or_nobody(&mut self, name: &str) -> Result<(), Found> {
        if name.is_empty() { Ok(()) } else { self.seat(name).map(|_| ()) }
    }

    /// The luck of the game; `what` needs it.
    fn luck(&self, what: &'static str) -> Result<(Hash, u64), Found> {
        self.started.ok_or_else(|| Found::new(Step::Frame, Wrong::BeforeStart(what)))
    }

    fn not_started(&self, what: &'static str) -> Result<(), Found> {
        match self.started {
            Some((_, n)) => Err(Found::new(Step::Frame, Wrong::AfterStart(what)).against(n)),
            None => Ok(()),
        }
    }

    fn joined(&mut self, joined: &Joined<'_>) -> Result<(), Found> {
        self.not_started("joined")?;
        let seat = self.seat(&joined.seat)?;
        if seat.joined {
            return Err(Found::new(Step::Frame, Wrong::JoinedAgain(seat.name.clone())));
        }
        seat.joined = true;
        seat.luck = sha256(joined.luck.as_bytes());
        self.counts.joined += 1;
        Ok(())
    }

    fn reseated(&mut self, reseated: &Reseated<'_>) -> Result<(), Found> {
        // Once the luck is fixed a new player's phrase changes nothing; the seat keeps what it had.
        self.seat(&reseated.seat)?.luck = sha256(reseated.luck.as_bytes());
        Ok(())
    }

    fn started(&mut self, started: &Started) -> Result<(), Found> {
        self.not_started("started")?;
        let right = luck_of_hashes(self.seats.iter().map(|seat| seat.luck));
        if started.luck != right {
            return Err(Found::new(Step::Frame, Wrong::Luck(started.luck)).right(right));
        }
        self.started = Some((right, self.n));
        Ok(())
    }

    fn track(&mut self, label: &str) -> Result<&mut Track, Found> {
        let missing = || Found::new(Step::Chains, Wrong::NoChain(label.to_owned())).against(0);
        self.tracks.get_mut(label).ok_or_else(missing)
    }

    fn rolled(&mut self, rolled: &Rolled<'_>) -> Result<(), Found> {
        let (luck, _) = self.luck("rolled")?;
        let n = self.n;
        let dice = |wrong| Found::new(Step::Dice, wrong);
        if rolled.i != self.counts.rolled {
            let found = dice(Wrong::Ordinal(rolled.i)).right(self.counts.rolled);
            return Err(Found { contradicts: self.rolled_at, ..found });
        }
        if rolled.cause >= n {
            return Err(dice(Wrong::Cause(rolled.cause)));
        }
        let chain = self.track(DICE_CHAIN)?.current();
        chain.tip.reveal(rolled.secret).map_err(|fault| Found::new(Step::Chains, fault).against(chain.tip_at))?;
        chain.tip_at = n;
        let mut stream = DiceStream::new(roll_seed(&self.game, rolled.i, &rolled.secret, &luck));
        for (k, roll) in rolled.rolls.iter().enumerate() {
            for (die, &got) in roll.got.iter().enumerate() {
                let right = stream.die(roll.low, roll.high);
                if got != right {
                    let label = roll.label.to_string();
                    return Err(dice(Wrong::Die { roll: k + 1, die: die + 1, label, got }).right(right));
                }
            }
            self.counts.dice += roll.got.len() as u64;
        }
        self.rolled_at = Some(n);
        self.counts.rolled += 1;
        self.counts.links += 1;
        Ok(())
    }

    fn shuffled(&mut self, shuffled: &Shuffled<'_>) -> Result<(), Found> {
        self.luck("shuffled")?;
        let n = self.n;
        let track = self.track(&deck_chain(&shuffled.deck))?;
        if shuffled.epoch != track.epochs {
            let wrong = Wrong::EpochNumber { deck: shuffled.deck.to_string(), epoch: shuffled.epoch };
            return Err(Found::new(Step::Decks, wrong).right(track.epochs));
        }
        let epoch = Epoch {
            epoch: shuffled.epoch,
            at: n,
            list: shuffled.list.iter().map(ToString::to_string).collect(),
            cards: shuffled.cards.clone(),
            dealt: vec![false; shuffled.cards.len()],
        };
        let chain = track.current();
        chain.take(epoch).map_err(|fault| Found::new(Step::Chains, fault).against(chain.tip_at))?;
        track.epochs += 1;
        self.counts.shuffled += 1;
        Ok(())
    }

    fn epoch(&mut self, deck: &str, number: u64) -> Result<&mut Epoch, Found> {
        let missing = || Found::new(Step::Decks, Wrong::NoEpoch { deck: deck.to_owned(), epoch: number });
        self.track(&deck_chain(deck))?.epoch(number).ok_or_else(missing)
    }

    fn dealt(&mut self, dealt: &Dealt<'_>) -> Result<(), Found> {
        self.seat_or_nobody(&dealt.seat)?;
        let epoch = self.epoch(&dealt.deck, dealt.epoch)?;
        let cards = epoch.dealt.len() as u64;
        let last = dealt.from.saturating_add(dealt.count - 1);
        if last >= cards {
            let wrong = Wrong::NoPosition { deck: dealt.deck.to_string(), pos: last };
            return Err(Found::new(Step::Decks, wrong).against(epoch.at));
        }
        // Both lie below `cards`, which is the length of a vector.
        epoch.dealt[dealt.from as usize..=last as usize].fill(true);
        Ok(())
    }

    fn shown(&mut self, shown: &Shown<'_>) -> Result<(), Found> {
        self.seat_or_nobody(&shown.seat)?;
        let game = self.game.clone();
        let epoch = self.epoch(&shown.deck, shown.epoch)?;
        let (deck, pos) = (shown.deck.to_string(), shown.pos);
        let place = usize::try_from(pos).ok();
        let wrong = match place.and_then(|place| Some((*epoch.dealt.get(place)?, epoch.cards.get(place)?))) {
            None => Wrong::NoPosition { deck, pos },
            Some((false, _)) => Wrong::NotDealt { deck, pos },
            Some((true, card)) => {
                if is_committed(card, &game, &deck, shown.epoch, pos, &shown.card, &shown.salt) {
                    self.counts.shown += 1;
                    return Ok(());
                }
                Wrong::Card { deck, pos, card: shown.card.to_string() }
            }
        };
        Err(Found::new(Step::Decks, wrong).against(epoch.at))
    }

    fn revealed(&mut self, revealed: &Revealed<'_>) -> Result<(), Found> {
        let (luck, _) = self.luck("revealed")?;
        let (n, game) = (self.n, self.game.clone());
        let track = self.track(&revealed.chain)?;
        let deck = revealed.chain.strip_prefix("deck:").unwrap_or(&revealed.chain).to_owned();
        let number = revealed.epoch;
        let Some(chain) = track.generation_of(number) else {
            return Err(Found::new(Step::Decks, Wrong::NoEpoch { deck, epoch: number }));
        };
        let epoch = match chain.open.pop_front() {
            Some(epoch) if epoch.epoch == number => epoch,
            // An older link follows from a newer one, so revealing out of order would show what is still hidden.
            other => {
                let (oldest, at) = other.map_or((number, n), |epoch| (epoch.epoch, epoch.at));
                return Err(Found::new(Step::Decks, Wrong::RevealOrder { deck, epoch: number, oldest }).against(at));
            }
        };
        chain.tip.reveal(revealed.secret).map_err(|fault| Found::new(Step::Chains, fault).against(chain.tip_at))?;
        chain.tip_at = n;
        self.counts.links += 1;
        self.prove(epoch, &game, &deck, &revealed.secret, &luck)
    }

    fn prove(&mut self, epoch: Epoch, game: &str, deck: &str, secret: &Hash, luck: &Hash) -> Result<(), Found> {
        let at = epoch.at;
        self.counts.cards += epoch.prove(game, deck, secret, luck).map_err(|wrong| {
            let right = wrong.right;
            Found::new(Step::Decks, Wrong::Shuffle { deck: deck.to_owned(), pos: wrong.pos }).against(at).right(right)
        })?;
        Ok(())
    }

    fn sealed(&mut self, sealed: &Sealed<'_>) -> Result<(), Found> {
        let seat = self.seat(&sealed.seat)?.name.clone();
        self.seals.insert(self.n, Seal { seat, commit: sealed.commit });
        Ok(())
    }

    fn unsealed(&mut self, unsealed: &Unsealed<'_>) -> Result<(), Found> {
        let missing = || Found::new(Step::Seals, Wrong::NoSeal(unsealed.of));
        let seal = self.seals.remove(&unsealed.of).ok_or_else(missing)?;
        // The content is a piece of a canonical line, so its own text is canonical as it stands.
        let right = sealed_commitment(&self.game, &seal.seat, &unsealed.salt, unsealed.content.get());
        if right != seal.commit {
            return Err(Found::new(Step::Seals, Wrong::Content(seal.commit)).against(unsealed.of));
        }
        self.counts.unsealed += 1;
        Ok(())
    }

    fn rewound(&mut self, rewound: &Rewound<'_>) -> Result<(), Found> {
        let (_, started) = self.luck("rewound")?;
        if rewound.to < started || rewound.to >= self.n {
            return Err(Found::new(Step::Frame, Wrong::RewoundTo(rewound.to)).against(started));
        }
        if !rewound.chains.keys().map(|label| &**label).eq(self.tracks.keys()) {
            let right = self.tracks.keys().cloned().collect::<Vec<_>>().join(", ");
            return Err(Found::new(Step::Chains, Wrong::OtherChains).against(0).right(right));
        }
        for (track, tip) in self.tracks.values_mut().zip(rewound.chains.values()) {
            track.renew(*tip, self.n);
        }
        Ok(())
    }

    fn closed(&mut self, closed: &Closed<'_>) -> Result<(), Found> {
        let (luck, game) = (self.started.map(|(luck, _)| luck), self.game.clone());
        let (passing, n) = (self.passing, self.n);
        for (label, origin) in &closed.secrets {
            let chain = self.track(label)?.current();
            let left = chain.tip.length - chain.tip.used;
            // Shuffles that are still hidden take their secrets from s_0, so their chain is always followed.
            if passing && left >= PASSED && chain.open.is_empty() {
                chain.tip.used = chain.tip.length;
                self.notes.push(Note::Unused { chain: label.to_string(), links: left, n });
                continue;
            }
            let against = chain.tip_at;
            let links = chain.tip.unfold(*origin, chain.open.len());
            let links = links.map_err(|fault| Found::new(Step::Chains, fault).against(against))?;
            // Everything of the chain is public now, so nothing may be drawn from it any more.
            chain.tip.used = chain.tip.length;
            let open = std::mem::take(&mut chain.open);
            self.counts.links += left;
            let deck = label.strip_prefix("deck:").unwrap_or(label);
            for (epoch, secret) in open.into_iter().zip(links) {
                // A shuffle is only taken once the luck is known, so there is one wherever there is an epoch.
                self.prove(epoch, &game, deck, &secret, &luck.unwrap_or_default())?;
            }
        }
        Ok(())
    }

    /// The head as far as the journal was fed; `None` before the first line.
    #[must_use]
    pub fn head(&self) -> Option<Head> {
        let n = self.n.checked_sub(1)?;
        Some(Head { game: self.game.clone(), n, hash: self.prev })
    }

    /// What was proved and what stays open, if every line of the journal was fed without a fault.
    #[must_use]
    pub fn finish(self) -> Claims {
        let counts = &self.counts;
        let kinds = self.kinds.iter().map(|(kind, &(count, n))| Unproved::Kind { kind: kind.clone(), n, count });
        let epochs = self.tracks.iter().flat_map(|(label, track)| {
            let deck = label.strip_prefix("deck:").unwrap_or(label);
            track.open().map(|open| Unproved::Epoch { deck: deck.to_owned(), epoch: open.epoch, n: open.at })
        });
        let empty = if self.n == 0 { vec![Unproved::Empty] } else { vec![] };
        let claim = |step, proved: &[(&'static str, u64)], unproved| Claim {
            step,
            proved: proved.iter().copied().collect(),
            unproved,
            notes: vec![],
        };
        let mut steps = vec![
            claim(Step::Lines, &[("lines", self.n)], empty),
            claim(Step::Entries, &[("entries", self.n)], kinds.collect()),
            claim(Step::Frame, &[("joined", counts.joined)], vec![]),
            claim(Step::Chains, &[("links", counts.links)], vec![]),
            claim(Step::Dice, &[("dice", counts.dice), ("rolled", counts.rolled)], vec![]),
            claim(
                Step::Decks,
                &[("cards", counts.cards), ("shown", counts.shown), ("shuffled", counts.shuffled)],
                epochs.collect(),
            ),
            claim(
                Step::Seals,
                &[("unsealed", counts.unsealed)],
                self.seals.keys().map(|&n| Unproved::Seal { n }).collect(),
            ),
        ];
        for claim in &mut steps {
            if claim.step == Step::Chains {
                claim.notes.clone_from(&self.notes);
            }
        }
        Claims {
            lines: self.n,
            head: self.prev,
            game: self.game.clone(),
            operator_seats: self.operator_seats.clone(),
            steps,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::journal::{entry::entry_hash, to_canon};

    const SAMPLE: &str = include_str!("../../tests/vectors/journal.jsonl");

    fn first_fault(text: &[u8]) -> Option<Fault> {
        let mut checker = Checker::new();
        checker.feed_all(&mut Lines::new(text)).err()
    }

    fn sample() -> Vec<Value> {
        SAMPLE.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// What an operator could do who holds all lines: put them in order and hash them anew.
    fn forged(mut lines: Vec<Value>) -> String {
        let mut prev = Hash::ZERO.to_string();
        let mut text = String::new();
        for (n, line) in lines.iter_mut().enumerate() {
            line["n"] = json!(n);
            line["prev"] = json!(prev);
            line.as_object_mut().unwrap().remove("hash");
            prev = entry_hash(&to_canon(line).unwrap(), "").to_string();
            line["hash"] = json!(prev);
            text += &(to_canon(line).unwrap() + "\n");
        }
        text
    }

    /// The places of the lines of a kind.
    fn of(kind: &str) -> Vec<usize> {
        (0..).zip(sample()).filter(|(_, line)| line["kind"] == kind).map(|(n, _)| n).collect()
    }

    fn refused(lines: Vec<Value>) -> Fault {
        first_fault(forged(lines).as_bytes()).expect("the forgery is found")
    }

    #[test]
    fn the_sample_holds_and_hashing_it_anew_changes_nothing() {
        assert_eq!(first_fault(SAMPLE.as_bytes()), None);
        assert_eq!(forged(sample()), SAMPLE);
    }

    #[test]
    fn an_edit_of_any_byte_is_refused_at_its_line() {
        let mut text = SAMPLE.as_bytes().to_vec();
        let mut line = 0;
        for at in 0..text.len() {
            let byte = text[at];
            for edit in [byte ^ 1, b'\n', b' ', b'0', 0xff] {
                if edit != byte {
                    text[at] = edit;
                    let fault = first_fault(&text).unwrap_or_else(|| panic!("byte {at} as {edit} is accepted"));
                    assert_eq!(fault.n, line, "byte {at} as {edit}: {fault}");
                }
            }
            text[at] = byte;
            line += u64::from(byte == b'\n');
        }
    }

    #[test]
    fn a_line_left_out_doubled_or_swapped_is_refused() {
        let lines: Vec<&str> = SAMPLE.split_inclusive('\n').collect();
        for n in 0..lines.len() {
            let doubled = [&lines[..=n], &lines[n..]].concat().concat();
            assert_eq!(first_fault(doubled.as_bytes()).unwrap().n, n as u64 + 1);
            if n + 1 < lines.len() {
                let without = [&lines[..n], &lines[n + 1..]].concat().concat();
                assert_eq!(first_fault(without.as_bytes()).unwrap().n, n as u64);
                let mut swapped = lines.clone();
                swapped.swap(n, n + 1);
                assert_eq!(first_fault(swapped.concat().as_bytes()).unwrap().n, n as u64);
            }
        }
    }

    #[test]
    fn a_torn_file_is_refused_at_its_last_line() {
        let last = SAMPLE.lines().count() as u64 - 1;
        let start = SAMPLE.trim_end().rfind('\n').unwrap() + 1;
        for end in start + 1..SAMPLE.len() {
            let fault = first_fault(&SAMPLE.as_bytes()[..end]).unwrap();
            assert_eq!((fault.n, fault.step), (last, Step::Lines));
        }
    }

    /// Forges one value of the sample and hands back what the checker finds.
    fn with(kind: &str, nth: usize, pointer: &str, value: Value) -> (Fault, u64) {
        let n = of(kind)[nth];
        let mut lines = sample();
        *lines[n]["body"].pointer_mut(pointer).unwrap() = value;
        (refused(lines), n as u64)
    }

    #[test]
    fn a_forged_value_is_refused_though_every_hash_fits() {
        let zeros = json!(Hash::ZERO);
        let cases = [
            ("started", 0, "/luck", zeros.clone(), Step::Frame),
            ("joined", 1, "/seat", json!("red"), Step::Frame),
            ("joined", 1, "/seat", json!("green"), Step::Frame),
            ("decision", 0, "/seat", json!("green"), Step::Frame),
            ("decision", 0, "/via", json!("cli"), Step::Entries),
            ("decision", 0, "/order", json!([]), Step::Entries),
            ("clock", 0, "/event", json!("stopped"), Step::Entries),
            ("rolled", 0, "/secret", zeros.clone(), Step::Chains),
            ("rolled", 0, "/i", json!(1), Step::Dice),
            ("rolled", 2, "/i", json!(0), Step::Dice),
            ("rolled", 0, "/cause", json!(99), Step::Dice),
            ("rolled", 0, "/rolls/0/high", json!(7), Step::Dice),
            ("rolled", 1, "/rolls/0/got/0", json!(99), Step::Dice),
            ("rolled", 0, "/rolls/2/got", json!([]), Step::Entries),
            ("shuffled", 0, "/epoch", json!(1), Step::Decks),
            ("shuffled", 0, "/deck", json!("other"), Step::Chains),
            ("dealt", 0, "/count", json!(9), Step::Decks),
            ("dealt", 0, "/epoch", json!(1), Step::Decks),
            ("dealt", 1, "/seat", json!("green"), Step::Frame),
            ("shown", 0, "/card", json!("card-99"), Step::Decks),
            ("shown", 0, "/salt", zeros.clone(), Step::Decks),
            ("shown", 1, "/pos", json!(7), Step::Decks),
            ("shown", 1, "/pos", json!(8), Step::Decks),
            ("revealed", 0, "/secret", zeros.clone(), Step::Chains),
            ("revealed", 0, "/epoch", json!(1), Step::Decks),
            ("revealed", 0, "/chain", json!("dice"), Step::Decks),
            ("unsealed", 0, "/content/order", json!("stand"), Step::Seals),
            ("unsealed", 0, "/salt", zeros.clone(), Step::Seals),
            ("unsealed", 0, "/of", json!(0), Step::Seals),
            ("rewound", 0, "/to", json!(0), Step::Frame),
            ("rewound", 0, "/to", json!(1000), Step::Frame),
            ("rewound", 0, "/chains", json!({ "dice": zeros }), Step::Chains),
            ("closed", 0, "/secrets/dice", zeros.clone(), Step::Chains),
        ];
        for (kind, nth, pointer, value, step) in cases {
            let (fault, n) = with(kind, nth, pointer, value.clone());
            assert_eq!((fault.n, fault.step), (n, step), "{kind} {pointer} {value}: {fault}");
        }
    }

    #[test]
    fn what_is_found_later_names_the_line_that_lied() {
        let zeros = json!(Hash::ZERO);
        // A commitment that was never shown comes out at the reveal, and names the shuffle.
        let (fault, n) = with("shuffled", 0, "/cards/7", zeros.clone());
        assert_eq!((fault.n, fault.contradicts), (of("revealed")[0] as u64, Some(n)));
        // Another phrase comes out at the start.
        let (fault, _) = with("joined", 0, "/luck", json!("I like sixes"));
        assert_eq!(fault.n, of("started")[0] as u64);
        // Another tip comes out at the first use.
        let (fault, n) = with("opened", 0, "/chains/dice", zeros.clone());
        assert_eq!((fault.n, fault.contradicts), (of("rolled")[0] as u64, Some(n)));
        let (fault, n) = with("rewound", 0, "/chains/dice", zeros.clone());
        assert_eq!((fault.n, fault.contradicts), (of("rolled")[2] as u64, Some(n)));
        let (fault, n) = with("sealed", 0, "/commit", zeros);
        assert_eq!((fault.n, fault.contradicts), (of("unsealed")[0] as u64, Some(n)));
        let (fault, _) = with("rolled", 0, "/rolls/0/got/1", json!(99));
        let truth = &sample()[of("rolled")[0]]["body"]["rolls"][0]["got"][1];
        assert_eq!(fault.right, Some(truth.to_string()));
    }

    #[test]
    fn what_must_come_first_comes_first() {
        let without = |n: usize| {
            let mut lines = sample();
            lines.remove(n);
            refused(lines)
        };
        assert_eq!((without(0).n, without(0).step), (0, Step::Frame));
        let started = of("started")[0];
        let fault = without(started);
        assert_eq!((fault.n, fault.wrong), (of("shuffled")[0] as u64 - 1, Wrong::BeforeStart("shuffled")));
        let mut lines = sample();
        lines.insert(5, lines[0].clone());
        assert_eq!(refused(lines).wrong, Wrong::OpenedAgain);
        let mut lines = sample();
        lines.insert(5, lines[started].clone());
        assert_eq!(refused(lines).wrong, Wrong::AfterStart("started"));
        // A roll dropped altogether, so that a better one comes up: the ordinals show it.
        let fault = without(of("rolled")[2]);
        assert_eq!((fault.n, fault.step), (of("rolled")[3] as u64 - 1, Step::Dice));
        // Nothing is drawn from a chain that was laid open.
        let mut lines = sample();
        lines.push(lines[*of("rolled").last().unwrap()].clone());
        let last = lines.len() - 1;
        lines[last]["body"]["i"] = json!(of("rolled").len());
        let fault = refused(lines);
        let used_up = |fault: &ChainFault| matches!(fault, ChainFault::Exhausted { .. });
        assert!(matches!(&fault.wrong, Wrong::Chain(fault) if used_up(fault)), "{fault}");
        // What was revealed or unsealed is over.
        for kind in ["revealed", "unsealed"] {
            let mut lines = sample();
            lines.push(lines[of(kind)[0]].clone());
            assert_eq!(refused(lines).n, sample().len() as u64, "{kind}");
        }
    }

    #[test]
    fn a_key_can_be_expected() {
        let key = sample()[0]["body"]["key"].as_str().unwrap().parse().unwrap();
        let first = SAMPLE.lines().next().unwrap().as_bytes();
        assert!(Checker::expecting_key(key).feed(first).is_ok());
        let mut checker = Checker::expecting_key(Hash::ZERO);
        let fault = checker.feed(first).unwrap_err();
        assert_eq!(fault.wrong, Wrong::Key(key));
        assert_eq!(checker.feed(first).unwrap_err(), fault);
    }

    #[test]
    fn what_stays_open_is_said() {
        let mut checker = Checker::new();
        checker.feed_all(&mut Lines::new(SAMPLE.as_bytes())).unwrap();
        let claims = checker.finish();
        let open: Vec<String> =
            claims.steps.iter().flat_map(|claim| &claim.unproved).map(ToString::to_string).collect();
        assert_eq!(open.len(), 3, "{open:?}");
        assert!(open[0].contains("weather") && open[1].contains("epoch 1") && open[2].contains("sealed"), "{open:?}");
        assert_eq!(Checker::new().finish().steps[0].unproved, [Unproved::Empty]);
        assert_eq!(claims.operator_seats, ["blue"]);
    }
}
