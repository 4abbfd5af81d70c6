//! Whole games of Plains Indian Wars by random players: they end, every position on the way is legal, and replay is
//! identity.

use postrider::{
    dice::{DiceStream, h},
    games::plains::{
        Order, Plains, State, components::Components, components::Faction, legal, setup, variant::Variant, view,
    },
    orders::Phrase,
    table::{
        Chance, ChanceFault, Decision, Recorded, RecordedChance, RecordedShuffle, RolledDie, Seat, SeededChance,
        Session, Shuffle, Snapshot, Watch,
    },
};
use std::{cell::RefCell, collections::BTreeSet, rc::Rc, sync::Arc};

type Orders = Vec<Decision<Order>>;

/// The ways in which the game is played, one for each number: 2, 3 (US allies, then Indian allies) and 4 players, with and
/// without the optional rule.
fn variant(way: u64) -> Variant {
    let (players, indian_allies) = [(2, false), (3, false), (3, true), (4, false)][(way % 4) as usize];
    Variant { version: 1, players, indian_allies, wagons_again: way / 4 % 2 == 1 }
}

fn start(way: u64) -> State {
    setup::position(Arc::new(Components::builtin().clone()), variant(way))
}

/// How many games a test plays: many on demand (`POSTRIDER_GAMES=1000`), a few in every run.
fn games(few: u64) -> u64 {
    std::env::var("POSTRIDER_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

/// Plays a game to its end, asserting that every position is legal and that somebody is asked; `look` sees each position.
fn play(way: u64, seed: u64, mut look: impl FnMut(&Snapshot<Plains>)) -> (Orders, State) {
    let mut below = {
        let mut stream = DiceStream::new(h("postrider/test-player/v1", &["plains", &seed.to_string()]));
        move |n: u32| stream.below(n)
    };
    let mut session = Session::<Plains>::start(start(way), Box::new(SeededChance::new(seed)), Watch::NONE);
    let mut orders = Orders::new();
    while session.over().is_none() {
        assert_eq!(session.fault(), None, "way {way}, seed {seed}");
        let seen = session.look().unwrap_or_else(|why| panic!("way {way}, seed {seed}: {why}"));
        let faults = legal::faults(&seen.state);
        assert!(faults.is_empty(), "way {way}, seed {seed}, decision {}: {faults:?}", orders.len());
        assert!(!seen.tickets.is_empty(), "way {way}, seed {seed}: the game waits for nobody");
        look(seen);
        let ticket = &seen.tickets[below(seen.tickets.len() as u32) as usize];
        let order = ticket.prompt.sample(&seen.state, ticket.seat, &mut below).expect("every question has an answer");
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        if let Err(why) = session.submit(&decision) {
            panic!("way {way}, seed {seed}, decision {}: {:?} refused: {why}", orders.len(), decision.order);
        }
        orders.push(decision);
        assert!(orders.len() < 20_000, "way {way}, seed {seed}: the game does not end");
    }
    let end = session.over().cloned().expect("the game is over");
    assert_eq!(legal::faults(&end), Vec::<String>::new(), "way {way}, seed {seed}");
    (orders, end)
}

/// plains-indian-wars 2.0, 14.0, 14.1, 15.0
#[test]
fn games_of_two_to_four_end_by_the_rules() {
    for seed in 0..games(48) {
        let (_, end) = play(seed, seed, |_| ());
        assert!(end.finished && end.bag.is_empty(), "the last disc of the turn is drawn");
        let spent = Faction::CARDED.into_iter().any(|f| end.deck(f).is_spent());
        assert!(end.joined() || spent, "seed {seed}");
        // Every round takes at least one of fifteen cards.
        assert!((5..=15).contains(&end.turn), "seed {seed}: {} turns", end.turn);
        let outcome = view::outcome(&end);
        assert_eq!(outcome["ranking"].as_array().map(Vec::len), Some(usize::from(variant(seed).players)));
    }
}

/// A question with one possible answer is not asked.
#[test]
fn no_question_is_idle() {
    let mut idle = BTreeSet::new();
    for seed in 300..300 + games(12) {
        play(seed, seed, |seen| {
            for ticket in &seen.tickets {
                let complete = ticket.prompt.describe(&seen.state, ticket.seat).complete;
                if complete && ticket.prompt.options(&seen.state, ticket.seat).len() < 2 {
                    idle.insert(ticket.prompt.kind());
                }
            }
        });
    }
    // The first card of a round must be played even where it is the only one; it is the player's to turn it up.
    idle.remove("card");
    assert!(idle.is_empty(), "{idle:?}");
}

/// Every option that a question lists is accepted, and its words are read back as the same order.
#[test]
fn options_are_accepted() {
    let mut wrong = BTreeSet::new();
    for seed in 100..100 + games(4) {
        play(seed, seed, |seen| {
            for ticket in &seen.tickets {
                for choice in ticket.prompt.options(&seen.state, ticket.seat) {
                    let (kind, words) = (ticket.prompt.kind(), &choice.words);
                    let taken = ticket.prompt.check(&seen.state, ticket.seat, &choice.order);
                    let read = ticket.prompt.read(&seen.state, ticket.seat, &Phrase::new(words));
                    if taken.is_err() || read.as_ref() != Ok(&choice.order) {
                        wrong.insert(format!("{kind}: `{words}` is {taken:?} and read as {read:?}"));
                    }
                }
            }
        });
    }
    assert!(wrong.is_empty(), "{} options: {:#?}", wrong.len(), wrong.iter().take(20).collect::<Vec<_>>());
}

/// The kinds of questions that come up are those that the ruleset names, so that orders can be left for them.
#[test]
fn kinds_are_known() {
    let known: BTreeSet<&str> =
        postrider::games::ruleset("plains-indian-wars").expect("the game").kinds().iter().copied().collect();
    for seed in 500..500 + games(16) {
        play(seed, seed, |seen| {
            for ticket in &seen.tickets {
                assert!(known.contains(ticket.prompt.kind()), "{} is not named", ticket.prompt.kind());
            }
        });
    }
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

/// The same decisions over the recorded dice and cards make the same game, told in the same words; nothing of the record
/// is left over at any step.
#[test]
fn replay_is_identity() {
    for seed in 0..games(8) {
        let (orders, end) = play(seed, seed, |_| ());
        let notes = Rc::new(RefCell::new(vec![Recorded::default()]));
        let notebook = Notebook { chance: SeededChance::new(seed), notes: notes.clone() };
        let mut live = Session::<Plains>::start(start(seed), Box::new(notebook), Watch::ALL);
        for order in &orders {
            notes.borrow_mut().push(Recorded::default());
            live.submit(order).expect("it was accepted before");
        }
        let record = Rc::new(RefCell::new(notes.borrow()[0].clone()));
        let mut replay = Session::<Plains>::start(start(seed), Box::new(RecordedChance(record.clone())), Watch::ALL);
        for (order, step) in orders.iter().zip(&notes.borrow()[1..]) {
            assert!(record.borrow().is_spent(), "seed {seed}");
            *record.borrow_mut() = step.clone();
            replay.submit(order).expect("it was accepted live");
        }
        assert_eq!(live.take_events(), replay.take_events(), "seed {seed}");
        assert_eq!(live.take_told(), replay.take_told(), "seed {seed}");
        let state = |s: &Session<Plains>| format!("{:?}", s.over().expect("the game is over"));
        assert_eq!(state(&live), state(&replay), "seed {seed}");
        assert_eq!(state(&live), format!("{end:?}"), "seed {seed}: a game that is told is the same game");
    }
}

/// What a seat sees, and what it is asked, does not depend on what is hidden from it.
#[test]
fn views_do_not_leak() {
    for seed in 200..200 + games(8) {
        let players = variant(seed).players;
        let mut stream = DiceStream::new(h("postrider/test-leak/v1", &["plains", &seed.to_string()]));
        let mut shuffled = 0;
        play(seed, seed, |seen| {
            for seat in (0..players).map(|s| Some(Seat(s))).chain([None]) {
                let other = view::shuffle_hidden(&seen.state, seat, &mut |n| stream.below(n));
                shuffled += usize::from(format!("{other:?}") != format!("{:?}", seen.state));
                assert_eq!(view::view(&seen.state, seat), view::view(&other, seat), "seed {seed}, seat {seat:?}");
                for ticket in seen.tickets.iter().filter(|k| Some(k.seat) == seat) {
                    let texts =
                        |g: &State| (ticket.prompt.describe(g, ticket.seat), ticket.prompt.options(g, ticket.seat));
                    assert_eq!(texts(&seen.state), texts(&other), "seed {seed}, {}", ticket.prompt.kind());
                }
            }
        });
        assert!(shuffled > 100, "there was something to hide");
    }
}
