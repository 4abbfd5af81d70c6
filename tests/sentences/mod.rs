//! Sentences that must hold of every game, whatever its players do. A row of bytes chooses the game and plays it.
//!
//! The first bytes choose players, scenario, options, the dice and how far the game has gone when they begin to decide;
//! every position from there on is tried until the bytes are spent. The fuzz targets in `fuzz/` look for bytes that break a
//! sentence; `tests/sentences.rs` tries their corpus and some bytes of its own.

mod bytes;
mod geronimo;
mod orders;
mod plains;

pub use bytes::Bytes;

use postrider::{
    dice::{DiceStream, h},
    orders::Phrase,
    table::{
        Chance, ChanceFault, Decision, Game, Recorded, RecordedChance, RecordedShuffle, Rejected, RolledDie, Seat,
        SeededChance, Session, Shuffle, Snapshot, Watch,
    },
};
use serde::{Serialize, de::DeserializeOwned};
use std::{cell::RefCell, fmt::Debug, rc::Rc};

/// What the sentences want of a game beyond its rules.
pub trait Tried: Game<State: Clone + Debug, Order: Clone + Debug + PartialEq + Serialize + DeserializeOwned> {
    /// The first position of one of the games that can be opened.
    fn first(bytes: &mut Bytes<'_>) -> Self::State;
    /// What is wrong with a position.
    fn faults(state: &Self::State) -> Vec<String>;
    /// The seats at the table.
    fn seats(state: &Self::State) -> Vec<Seat>;
    /// Another position that looks the same to a seat.
    fn disguised(state: &Self::State, seat: Option<Seat>, below: &mut dyn FnMut(u32) -> u32) -> Self::State;
    /// An order to a question that waits for nobody and has no sample; it may be refused.
    fn venture(state: &Self::State, bytes: &mut Bytes<'_>) -> Self::Order;
}

/// The most positions that one row of bytes is tried on.
const POSITIONS: usize = 48;
/// The most decisions that are taken before the bytes decide: eight for each value of their byte.
const AHEAD: usize = 8;

/// A game under way, and the decisions that made it.
struct Play<G: Tried> {
    first: G::State,
    seed: u64,
    session: Session<G>,
    taken: Vec<Decision<G::Order>>,
}

impl<G: Tried> Play<G> {
    /// Opens the game that the bytes choose and plays it as far as they say.
    fn open(bytes: &mut Bytes<'_>) -> Self {
        let first = G::first(bytes);
        let seed = u64::from(u16::from_le_bytes([bytes.byte(), bytes.byte()]));
        let ahead = AHEAD * usize::from(bytes.byte());
        let session = Session::start(first.clone(), Box::new(SeededChance::new(seed)), Watch::NONE);
        let mut play = Play { first, seed, session, taken: Vec::new() };
        let mut stream = DiceStream::new(h("postrider/test-player/v1", &[&seed.to_string()]));
        for _ in 0..ahead {
            let seen = play.look();
            let required: Vec<_> = seen.tickets.iter().filter(|ticket| ticket.required).collect();
            if required.is_empty() {
                break;
            }
            let ticket = required[stream.below(required.len() as u32) as usize];
            let order = ticket.prompt.sample(&seen.state, ticket.seat, &mut |n| stream.below(n));
            let order = order.expect("a required question has a legal answer");
            let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
            play.session.submit(&decision).expect("a sample is legal");
            play.taken.push(decision);
        }
        play
    }
    fn look(&mut self) -> &Snapshot<G> {
        assert_eq!(self.session.fault(), None, "seed {}", self.seed);
        self.session.look().expect("a sound game can be looked at")
    }
    /// The position, if the game is not over: legal, and somebody is asked.
    fn position(&mut self) -> Option<&Snapshot<G>> {
        let over = self.session.over().is_some();
        let (seed, after) = (self.seed, self.taken.len());
        let seen = self.look();
        let faults = G::faults(&seen.state);
        assert!(faults.is_empty(), "seed {seed}, after {after} decisions: {faults:?}");
        if over {
            return None;
        }
        assert!(seen.tickets.iter().any(|ticket| ticket.required), "seed {seed}: the game waits for nobody");
        Some(seen)
    }
    /// Takes a decision; says whether the rules accept it. They must not break.
    fn take(&mut self, decision: Decision<G::Order>) -> bool {
        match self.session.submit(&decision) {
            Ok(()) => {
                self.taken.push(decision);
                true
            }
            Err(Rejected::Refused(_)) => false,
            Err(why) => panic!("seed {}, after {} decisions: {decision:?}: {why}", self.seed, self.taken.len()),
        }
    }
    /// One decision as the bytes have it.
    fn decide(&mut self, bytes: &mut Bytes<'_>) {
        let seen = self.look();
        let Some(ticket) = bytes.pick(&seen.tickets) else { return };
        let (seat, prompt) = (ticket.seat, ticket.id);
        let sample = ticket.prompt.sample(&seen.state, seat, &mut |n| bytes.below(n));
        match sample {
            Some(order) => assert!(self.take(Decision { seat, prompt, order }), "seed {}: a sample", self.seed),
            None => {
                let order = G::venture(&seen.state, bytes);
                self.take(Decision { seat, prompt, order });
            }
        }
    }
    /// Shows every position from here on, as long as the bytes last.
    fn positions(&mut self, bytes: &mut Bytes<'_>, mut each: impl FnMut(&Snapshot<G>, &mut Bytes<'_>)) {
        for _ in 0..POSITIONS {
            let Some(seen) = self.position() else { break };
            each(seen, bytes);
            if bytes.is_spent() {
                break;
            }
            self.decide(bytes);
        }
    }
}

/// Every option that a question lists is accepted, and its words are read as the same order; samples and the answers of
/// silence are legal.
pub fn options_are_accepted<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    Play::<G>::open(&mut bytes).positions(&mut bytes, |seen, bytes| {
        for ticket in &seen.tickets {
            let (kind, seat) = (ticket.prompt.kind(), ticket.seat);
            let check = |order: &G::Order| ticket.prompt.check(&seen.state, seat, order);
            let options = ticket.prompt.options(&seen.state, seat);
            assert!(!ticket.required || !options.is_empty(), "{kind} has no options");
            for choice in options {
                assert_eq!(check(&choice.order), Ok(()), "{kind}: {}", choice.words);
                let read = ticket.prompt.read(&seen.state, seat, &Phrase::new(&choice.words));
                assert_eq!(read.as_ref(), Ok(&choice.order), "{kind}: {}", choice.words);
            }
            let sample = ticket.prompt.sample(&seen.state, seat, &mut |n| bytes.below(n));
            let late = ticket.prompt.at_deadline(&seen.state, seat);
            assert!(!ticket.required || (sample.is_some() && late.is_some()), "{kind} has no answer");
            for order in sample.iter().chain(&late) {
                assert_eq!(check(order), Ok(()), "{kind}: {order:?}");
            }
        }
    });
}

/// Whatever a player writes, and whatever a journal says: it is taken or refused, the rules do not break, and the position
/// after it is legal.
pub fn orders_never_panic<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut play = Play::<G>::open(&mut bytes);
    for _ in 0..POSITIONS {
        let Some(seen) = play.position() else { break };
        if bytes.is_spent() {
            break;
        }
        let Some(ticket) = bytes.pick(&seen.tickets) else { break };
        let (seat, prompt) = (ticket.seat, ticket.id);
        let order = match bytes.below(3) {
            0 => {
                let words = orders::words(seen, &mut bytes);
                ticket.prompt.read(&seen.state, seat, &Phrase::new(&words)).ok()
            }
            1 => orders::changed(seen, &mut bytes),
            _ => ticket.prompt.sample(&seen.state, seat, &mut |n| bytes.below(n)),
        };
        if let Some(order) = order {
            // What would be taken is taken, and what would not is not.
            let may = ticket.prompt.check(&seen.state, seat, &order).is_ok();
            assert_eq!(play.take(Decision { seat, prompt, order: order.clone() }), may, "{order:?}");
        }
    }
}

/// The same decisions over the recorded dice and cards make the same game, told in the same words.
pub fn replay_is_identity<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut play = Play::<G>::open(&mut bytes);
    play.positions(&mut bytes, |_, _| ());
    let notes = Rc::new(RefCell::new(vec![Recorded::default()]));
    let notebook = Notebook { chance: SeededChance::new(play.seed), notes: notes.clone() };
    let mut live = Session::<G>::start(play.first.clone(), Box::new(notebook), Watch::ALL);
    for decision in &play.taken {
        notes.borrow_mut().push(Recorded::default());
        live.submit(decision).expect("it was accepted before");
    }
    let record = Rc::new(RefCell::new(notes.borrow()[0].clone()));
    let mut replay = Session::<G>::start(play.first.clone(), Box::new(RecordedChance(record.clone())), Watch::ALL);
    for (decision, step) in play.taken.iter().zip(&notes.borrow()[1..]) {
        assert!(record.borrow().is_spent(), "seed {}: dice or cards are left over", play.seed);
        *record.borrow_mut() = step.clone();
        replay.submit(decision).expect("it was accepted live");
    }
    assert!(record.borrow().is_spent(), "seed {}: dice or cards are left over", play.seed);
    assert_eq!(live.take_events(), replay.take_events(), "seed {}", play.seed);
    assert_eq!(live.take_told(), replay.take_told(), "seed {}", play.seed);
    let state = |session: &mut Session<G>| format!("{:?}", session.look().expect("a sound game").state);
    let lived = state(&mut live);
    assert_eq!(lived, state(&mut replay), "seed {}", play.seed);
    assert_eq!(lived, format!("{:?}", play.look().state), "seed {}: a game that is told is the same", play.seed);
}

/// What a seat sees, and what it is asked, is the same when everything hidden from it is another.
pub fn views_do_not_leak<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    Play::<G>::open(&mut bytes).positions(&mut bytes, |seen, bytes| {
        let seats = G::seats(&seen.state);
        let seat = match bytes.below(seats.len() as u32 + 1) as usize {
            0 => None,
            at => Some(seats[at - 1]),
        };
        let mut stream = DiceStream::new(h("postrider/test-leak/v1", &[&bytes.byte().to_string()]));
        let other = G::disguised(&seen.state, seat, &mut |n| stream.below(n));
        assert_eq!(G::view(&seen.state, seat), G::view(&other, seat), "seat {seat:?}");
        let digest = |state: &G::State| {
            let mut text = String::new();
            G::public(state, &mut text);
            text
        };
        assert_eq!(digest(&seen.state), digest(&other));
        for ticket in seen.tickets.iter().filter(|ticket| Some(ticket.seat) == seat) {
            let texts = |g: &G::State| (ticket.prompt.describe(g, ticket.seat), ticket.prompt.options(g, ticket.seat));
            assert_eq!(texts(&seen.state), texts(&other), "{}", ticket.prompt.kind());
        }
    });
}

/// Notes down what chance brings, step by step.
struct Notebook {
    chance: SeededChance,
    notes: Rc<RefCell<Vec<Recorded>>>,
}

impl Chance for Notebook {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        let got = self.chance.roll(label, low, high)?;
        let die = RolledDie { label: label.to_owned(), low, high, got };
        self.notes.borrow_mut().last_mut().expect("a step is open").dice.push_back(die);
        Ok(got)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let shuffle = self.chance.shuffle(deck, list)?;
        let order = Some(shuffle.order.clone());
        let note = RecordedShuffle { deck: deck.to_owned(), list: list.to_vec(), epoch: shuffle.epoch, order };
        self.notes.borrow_mut().last_mut().expect("a step is open").shuffles.push_back(note);
        Ok(shuffle)
    }
}
