//! Whole games of Geronimo! by random players: they end, every position on the way is legal, and replay is identity.

use postrider::{
    dice::{DiceStream, h},
    games::geronimo::{
        Geronimo, Order, State,
        components::Components,
        legal, setup,
        state::CivilWar,
        variant::{OPTIONS, Scenario, Variant},
        view,
    },
    orders::Phrase,
    table::{
        Chance, ChanceFault, Decision, Recorded, RecordedChance, RecordedShuffle, Rejected, RolledDie, Seat,
        SeededChance, Session, Setup, Shuffle, Snapshot, Watch,
    },
};
use proptest::{prelude::*, sample::select};
use std::{cell::RefCell, collections::BTreeSet, rc::Rc, sync::Arc};

type Orders = Vec<Decision<Order>>;

/// Which game is played; a number of players alone means the Basic Game, and one player a Solitaire Game.
#[derive(Clone, Copy)]
struct Kind {
    players: u8,
    scenario: Scenario,
    /// 12.1.
    random_events: bool,
}

impl Kind {
    fn campaign(players: u8) -> Kind {
        Kind { players, scenario: Scenario::Campaign, random_events: false }
    }
}

impl From<u8> for Kind {
    fn from(players: u8) -> Kind {
        Kind { players, scenario: Scenario::Basic, random_events: false }
    }
}

fn start(kind: impl Into<Kind>) -> State {
    let Kind { players, scenario, random_events } = kind.into();
    let variant = Variant { version: 1, scenario, solitaire: players == 1, random_events, ..Variant::default() };
    setup::position(Arc::new(Components::builtin().clone()), players, variant)
}

/// How many games a test plays: many on demand (`POSTRIDER_GAMES=1000`), a few in every run.
fn games(few: u64) -> u64 {
    std::env::var("POSTRIDER_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

fn play(kind: impl Into<Kind>, seed: u64) -> (Orders, State) {
    play_with(kind, seed, |_| ())
}

fn play_with(kind: impl Into<Kind>, seed: u64, look: impl FnMut(&Snapshot<Geronimo>)) -> (Orders, State) {
    play_from(start(kind), seed, look)
}

/// Plays a game to its end, asserting that every position is legal and that somebody is asked; `look` sees each position.
fn play_from(first: State, seed: u64, mut look: impl FnMut(&Snapshot<Geronimo>)) -> (Orders, State) {
    let mut below = {
        let mut stream = DiceStream::new(h("postrider/test-player/v1", &[&seed.to_string()]));
        move |n: u32| stream.below(n)
    };
    let mut session = Session::<Geronimo>::start(first, Box::new(SeededChance::new(seed)), Watch::NONE);
    let mut orders = Orders::new();
    while session.over().is_none() {
        assert_eq!(session.fault(), None, "seed {seed}");
        let seen = session.look().unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let faults = legal::faults(&seen.state);
        assert!(faults.is_empty(), "seed {seed}, decision {}: {faults:?}", orders.len());
        let required: Vec<_> = seen.tickets.iter().filter(|k| k.required).collect();
        assert!(!required.is_empty(), "seed {seed}, decision {}: the game waits for nobody", orders.len());
        look(seen);
        // Now and then somebody does something at his desk instead; the US makes an offer now and then.
        let optional: Vec<_> = seen.tickets.iter().filter(|k| !k.required).collect();
        let ticket = if !optional.is_empty() && below(6) == 0 {
            optional[below(optional.len() as u32) as usize]
        } else {
            required[below(required.len() as u32) as usize]
        };
        let order = match ticket.prompt.sample(&seen.state, ticket.seat, &mut below) {
            Some(order) => order,
            None => {
                let v = below(seen.state.villages.len() as u32) as usize;
                let village = seen.state.c.villages[v].name.clone();
                Order::Offer { village, vps: below(8) as i32 }
            }
        };
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        match session.submit(&decision) {
            Ok(()) => orders.push(decision),
            Err(Rejected::Refused(_)) if matches!(decision.order, Order::Offer { .. }) => {}
            Err(why) => panic!("seed {seed}, decision {}: {:?} refused: {why}", orders.len(), decision.order),
        }
        assert!(orders.len() < 20_000, "seed {seed}: the game does not end");
    }
    let end = session.over().cloned().unwrap_or_else(|| panic!("seed {seed}: no end"));
    (orders, end)
}

/// geronimo 3.2, 3.41, 4.1, 11.2
#[test]
fn games_of_two_to_five_end_by_the_rules() {
    for players in 2..=5 {
        for seed in 0..games(12) {
            let (_, end) = play(players, seed);
            assert_eq!(end.turn, 7);
            assert!(end.finished);
            assert!(end.hands.iter().all(Vec::is_empty), "every Shaman Card is played or discarded");
        }
    }
}

/// geronimo 11.3, 11.31, 11.35, 12.11
#[test]
fn solitaire_games_end_by_the_rules() {
    for seed in 0..games(12) {
        let mut hats = BTreeSet::new();
        let campaign = seed % 2 == 1;
        let kind = if campaign { Kind::campaign(1) } else { 1.into() };
        let (_, end) = play_with(Kind { random_events: seed % 4 > 1, ..kind }, seed, |seen| {
            hats.extend(seen.tickets.iter().map(|k| k.seat));
            assert!(seen.state.parties.is_empty() || seen.state.active != Some(Seat(0)), "War Parties go home (11.37)");
        });
        assert_eq!(hats, BTreeSet::from([Seat(0)]), "one person is asked everything");
        assert!(end.finished && [6, if campaign { 8 } else { 7 }].contains(&end.turn));
        assert_eq!(end.turn == 6, end.transcontinental.is_none(), "Sudden Death, and nothing else, ends Turn 6");
        let outcome = view::outcome(&end);
        assert!(outcome["verdict"].is_string() && outcome.get("ranking").is_none(), "{outcome}");
    }
}

/// geronimo 11.1, 9.2A, 5.46
#[test]
fn campaign_games_end_after_turn_eight() {
    for players in 2..=5 {
        for seed in 0..games(3) {
            let mut wars = BTreeSet::new();
            let (_, end) = play_with(Kind::campaign(players), seed, |seen| {
                if seen.state.fx.civil_war == CivilWar::Now {
                    wars.insert(seen.state.turn);
                }
            });
            assert_eq!((end.turn, end.finished), (8, true));
            // Played in Turn 6 at the latest, or come by itself; it lasts one Turn, in which somebody is asked something.
            assert!(wars.len() == 1 && wars.first() <= Some(&6), "players {players}, seed {seed}: {wars:?}");
            assert!(end.fx.civil_war == CivilWar::Over && end.hands.iter().all(Vec::is_empty));
        }
    }
}

/// Every option that a question lists is accepted, and its words are read back as the same order.
#[test]
fn options_are_accepted() {
    let mut wrong = BTreeSet::new();
    for players in 1..=5 {
        for seed in 100..100 + games(2) {
            // The last one is a Campaign Game, which has every kind of question but those of 3.45.
            let kind = if seed == 99 + games(2) { Kind::campaign(players) } else { players.into() };
            play_with(kind, seed, |seen| {
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
    }
    assert!(wrong.is_empty(), "{} options: {:#?}", wrong.len(), wrong.iter().take(20).collect::<Vec<_>>());
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
fn replayed(first: &State, seed: u64, orders: &Orders, end: &State) {
    let notes = Rc::new(RefCell::new(vec![Recorded::default()]));
    let notebook = Notebook { chance: SeededChance::new(seed), notes: notes.clone() };
    let mut live = Session::<Geronimo>::start(first.clone(), Box::new(notebook), Watch::ALL);
    for order in orders {
        notes.borrow_mut().push(Recorded::default());
        live.submit(order).expect("it was accepted before");
    }
    let record = Rc::new(RefCell::new(notes.borrow()[0].clone()));
    let mut replay = Session::<Geronimo>::start(first.clone(), Box::new(RecordedChance(record.clone())), Watch::ALL);
    for (order, step) in orders.iter().zip(&notes.borrow()[1..]) {
        assert!(record.borrow().is_spent(), "seed {seed}");
        *record.borrow_mut() = step.clone();
        replay.submit(order).expect("it was accepted live");
    }
    assert_eq!(live.take_events(), replay.take_events(), "seed {seed}");
    assert_eq!(live.take_told(), replay.take_told(), "seed {seed}");
    let state = |s: &Session<Geronimo>| format!("{:?}", s.over().expect("the game is over"));
    assert_eq!(state(&live), state(&replay), "seed {seed}");
    assert_eq!(state(&live), format!("{end:?}"), "seed {seed}: a game that is told is the same game");
}

#[test]
fn replay_is_identity() {
    for seed in 0..games(5) {
        let players = 1 + (seed % 5) as u8;
        let players = if seed % 2 == 1 { Kind::campaign(players) } else { players.into() };
        let (orders, end) = play(players, seed);
        replayed(&start(players), seed, &orders, &end);
    }
}

/// Every game of the box: scenarios, one to five players, all options that go together.
fn every_variant() -> Vec<(u8, Variant)> {
    let mut all = Vec::new();
    for (seats, scenario) in (1..=5).flat_map(|seats| Scenario::NAMES.map(|scenario| (seats, scenario))) {
        for on in 0..1 << OPTIONS.len() {
            let options = OPTIONS.iter().enumerate().map(|(i, o)| (o.name.to_owned(), (on >> i & 1 == 1).into()));
            let setup = Setup {
                seats,
                version: 1,
                scenario: scenario.to_owned(),
                options: options.collect(),
                components: "".into(),
            };
            // The Solitaire Game has no use for some of the options.
            all.extend(Variant::of(&setup).map(|variant| (seats, variant)));
        }
    }
    assert_eq!(all.len(), 2 * (4 * 16 + 4));
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: games(12) as u32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any game of the box ends, by legal positions alone, and its replay is the same game.
    #[test]
    fn every_variant_ends_and_replays((seats, variant) in select(every_variant()), seed in any::<u32>()) {
        let first = setup::position(Arc::new(Components::builtin().clone()), seats, variant);
        let (orders, end) = play_from(first.clone(), seed.into(), |_| ());
        assert!(end.finished && (end.turn == end.turns.1 || variant.solitaire), "{variant:?}");
        replayed(&first, seed.into(), &orders, &end);
    }
}

/// What a seat sees, and what it is asked, does not depend on what is hidden from it: everything hidden is shuffled, and
/// its view and its questions stay the same.
#[test]
fn views_do_not_leak() {
    for seed in 200..200 + games(5) {
        let players = 1 + (seed % 5) as u8;
        let mut stream = DiceStream::new(h("postrider/test-leak/v1", &[&seed.to_string()]));
        let mut shuffled = 0;
        let kind = if seed % 4 == 3 { Kind::campaign(players) } else { players.into() };
        play_with(kind, seed, |seen| {
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
