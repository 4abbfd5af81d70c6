//! Sentences that must hold of every game, whatever its players do. A row of bytes chooses the game and plays it.
//!
//! The first byte names the game, the next choose players, scenario, options, the dice and how far
//! the game has gone when they begin to decide; every position from there on is tried until the
//! bytes are spent. The fuzz targets in `fuzz/` look for bytes that break a sentence;
//! `tests/games/sentences_hold.rs` tries their corpus and some bytes of its own.

mod bytes;
mod orders;
#[allow(dead_code, reason = "the tests of whole games use all of it")]
#[path = "../whole/mod.rs"]
pub mod whole;

pub use bytes::Bytes;

use postrider::{
    orders::Phrase,
    table::{Decision, Setup, Snapshot},
};
use whole::{Tried, Whole, random};

/// A sentence, of a game that a row of bytes plays.
pub type Sentence = fn(&[u8]);

macro_rules! of_each {
    ([$sentence:ident] $($name:ident: $Game:ty),*) => { &[$($sentence::<$Game>),*] };
}

/// The sentences by name, each of every game of the box.
pub const SENTENCES: [(&str, &[Sentence]); 4] = [
    ("options_are_accepted", whole::games::every_game! { of_each options_are_accepted }),
    ("orders_never_panic", whole::games::every_game! { of_each orders_never_panic }),
    ("replay_is_identity", whole::games::every_game! { of_each replay_is_identity }),
    ("views_do_not_leak", whole::games::every_game! { of_each views_do_not_leak }),
];

/// Tries the sentence of this name on the game that the first byte names.
pub fn hold(sentence: &str, data: &[u8]) {
    let (_, games) = SENTENCES.iter().find(|(name, _)| *name == sentence).expect("a sentence");
    let (game, data) = data.split_first().unwrap_or((&0, data));
    games[usize::from(*game) % games.len()](data);
}

/// The most positions that one row of bytes is tried on.
const POSITIONS: usize = 48;
/// The most decisions that are taken before the bytes decide: eight for each value of their byte.
const AHEAD: usize = 8;

/// One of the games that can be opened: the bytes choose players, scenario and options.
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

/// Shows every position from here on, as long as the bytes last; they decide.
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

/// Every option that a question lists is accepted, and its words are read as the same order; samples and the answers of
/// silence are legal.
pub fn options_are_accepted<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    positions(&mut open::<G>(&mut bytes), &mut bytes, |seen, bytes| {
        let wrong = whole::hold::options(seen, &mut |n| bytes.below(n));
        assert!(wrong.is_empty(), "{wrong:#?}");
    });
}

/// Whatever a player writes, and whatever a journal says: it is taken or refused, the rules do not break, and the position
/// after it is legal.
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
            // What would be taken is taken, and what would not is not.
            let may = ticket.prompt.check(&seen.state, seat, &order).is_ok();
            assert_eq!(play.take(Decision { seat, prompt, order: order.clone() }), may, "{order:?}");
        }
    }
}

/// The same decisions over the recorded dice and cards make the same game, told in the same words.
pub fn replay_is_identity<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut play = open::<G>(&mut bytes);
    positions(&mut play, &mut bytes, |_, _| ());
    play.replays();
}

/// What a seat sees, and what it is asked, is the same when everything hidden from it is another.
pub fn views_do_not_leak<G: Tried>(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let mut play = open::<G>(&mut bytes);
    // Nobody first: the numbers of the bytes mean the same at any table.
    let onlookers: Vec<_> = [None].into_iter().chain(play.onlookers().filter(Option::is_some)).collect();
    positions(&mut play, &mut bytes, |seen, bytes| {
        let onlooker = onlookers[bytes.below(onlookers.len() as u32) as usize];
        let mut enough = whole::hold::ENOUGH;
        whole::hold::secrets(seen, onlooker, &mut random("leak", bytes.byte().into()), &mut enough);
    });
}
