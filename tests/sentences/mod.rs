//! Sentences: properties of every game that must hold whatever its players do. A sequence of bytes
//! chooses the game and plays it. [`READERS`] are called with any bytes.
//!
//! The first byte selects the game, the next ones players, scenario, options, the dice, and the
//! number of decisions before the bytes decide. Every position after that is checked until the
//! bytes are used up. The fuzz targets in `fuzz/` look for bytes that violate a sentence;
//! `tests/games/sentences_hold.rs` checks their corpus and some random bytes.

mod bytes;
mod orders;
#[path = "../readers/mod.rs"]
mod readers;
#[allow(dead_code, reason = "the tests of whole games use all of it")]
#[path = "../whole/mod.rs"]
pub mod whole;

pub use bytes::Bytes;
pub use readers::READERS;

use postrider::{
    orders::Phrase,
    table::{Decision, Setup, Snapshot},
};
use whole::{Tried, Whole, random};

/// A sentence for one game, as a check of the game that the bytes play.
pub type Sentence = fn(&[u8]);

macro_rules! of_each {
    ([$sentence:ident] $($name:ident: $Game:ty),*) => { &[$($sentence::<$Game>),*] };
}

/// The sentences by name, each for every game of the box.
pub const SENTENCES: [(&str, &[Sentence]); 4] = [
    ("options_are_accepted", whole::games::every_game! { of_each options_are_accepted }),
    ("orders_never_panic", whole::games::every_game! { of_each orders_never_panic }),
    ("replay_is_identity", whole::games::every_game! { of_each replay_is_identity }),
    ("views_do_not_leak", whole::games::every_game! { of_each views_do_not_leak }),
];

/// Checks the sentence with this name for the game selected by the first byte, or has the reader
/// with this name read all.
pub fn hold(sentence: &str, data: &[u8]) {
    if let Some((_, read)) = READERS.iter().find(|(name, _)| *name == sentence) {
        return read(data);
    }
    let (_, games) = SENTENCES.iter().find(|(name, _)| *name == sentence).expect("a sentence");
    let (game, data) = data.split_first().unwrap_or((&0, data));
    games[usize::from(*game) % games.len()](data);
}

/// Maximum number of positions checked for one input.
const POSITIONS: usize = 48;
/// Number of decisions made before the bytes decide, per unit of their byte.
const AHEAD: usize = 8;

/// Returns a setup that can be opened; the bytes choose players, scenario and options.
fn chosen<G: Tried>(bytes: &mut Bytes<'_>) -> Setup {
    let rules = G::rules();
    let (least, most) = (*rules.seats().start(), *rules.seats().end());
    let seats = least + bytes.below(u32::from(most - least) + 1) as u8;
    let scenario = bytes.pick(rules.scenarios()).copied().unwrap_or_default();
    let on: Vec<&str> = rules.options().iter().filter(|_| bytes.below(2) == 1).map(|option| option.name).collect();
    whole::setup::<G>(seats, scenario, &on)
}

/// Opens the game that the bytes choose and plays it as far as they say.
fn open<G: Tried>(bytes: &mut Bytes<'_>) -> Whole<G> {
    let game = chosen::<G>(bytes);
    let seed = u64::from(u16::from_le_bytes([bytes.byte(), bytes.byte()]));
    let ahead = AHEAD * usize::from(bytes.byte());
    let mut play = Whole::open(game, seed);
    let mut below = random("player", seed);
    for _ in 0..ahead {
        let seen = play.look();
        let required: Vec<usize> = (0..seen.tickets.len()).filter(|&at| seen.tickets[at].required).collect();
        if required.is_empty() {
            break;
        }
        play.answer(required[below(required.len() as u32) as usize], &mut below);
    }
    play
}

/// Passes every position from here on to `each`, and lets the bytes decide until they are used up.
fn positions<G: Tried>(play: &mut Whole<G>, bytes: &mut Bytes<'_>, mut each: impl FnMut(&Snapshot<G>, &mut Bytes<'_>)) {
    for _ in 0..POSITIONS {
        let Some(seen) = play.position() else { break };
        each(seen, bytes);
        if bytes.is_spent() {
            break;
        }
        let ticket = bytes.below(seen.tickets.len() as u32) as usize;
        play.answer(ticket, &mut |n| bytes.below(n));
    }
}

/// Every listed option is accepted, and its words are read as the same order; samples and default
/// answers are legal.
pub fn options_are_accepted<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    positions(&mut open::<G>(&mut bytes), &mut bytes, |seen, bytes| {
        let wrong = whole::hold::options(seen, &mut |n| bytes.below(n));
        assert!(wrong.is_empty(), "{wrong:#?}");
    });
}

/// Anything that a player writes or a journal contains is accepted or refused, the rules do not
/// break, and the position afterwards is legal.
pub fn orders_never_panic<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut play = open::<G>(&mut bytes);
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
            // The rules accept exactly the orders that pass the check.
            let may = ticket.prompt.check(&seen.state, seat, &order).is_ok();
            assert_eq!(play.take(Decision { seat, prompt, order: order.clone() }), may, "{order:?}");
        }
    }
}

/// The same decisions with the recorded dice and cards result in the same game and the same story.
pub fn replay_is_identity<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut play = open::<G>(&mut bytes);
    positions(&mut play, &mut bytes, |_, _| ());
    play.replays();
}

/// A seat's view and questions do not depend on information hidden from it.
pub fn views_do_not_leak<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut play = open::<G>(&mut bytes);
    // The spectator comes first, so that the bytes have the same meaning for any number of players.
    let onlookers: Vec<_> = [None].into_iter().chain(play.onlookers().filter(Option::is_some)).collect();
    positions(&mut play, &mut bytes, |seen, bytes| {
        let onlooker = onlookers[bytes.below(onlookers.len() as u32) as usize];
        let mut enough = whole::hold::ENOUGH;
        whole::hold::secrets(seen, onlooker, &mut random("leak", bytes.byte().into()), &mut enough);
    });
}
