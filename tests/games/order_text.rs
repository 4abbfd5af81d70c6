//! Arbitrary texts as orders: nothing breaks, and reading never changes a game.

use postrider::{
    dice::{DiceStream, h},
    games::geronimo::{
        Geronimo, Order,
        components::{Components, Kit as _},
        setup,
        variant::Variant,
    },
    orders::{Phrase, clauses},
    table::{Decision, DynGame, Kind, Rejected, Seat, SeededChance, Session, Watch},
};
use proptest::prelude::*;
use std::{cell::RefCell, collections::BTreeMap};

/// Number of texts in each test.
const CASES: u32 = 300;

/// Positions of a game for four, at the first question of each kind.
struct Places(BTreeMap<&'static str, Session<Geronimo>>);

impl Places {
    /// Plays a game, notes the first question of each kind, and replays the decisions up to each.
    fn of_a_game() -> Places {
        let mut below = {
            let mut stream = DiceStream::new(h("postrider/test-order-text/v1", &[]));
            move |n: u32| stream.below(n)
        };
        let mut session = fresh();
        let mut orders: Vec<Decision<Order>> = Vec::new();
        let mut first: BTreeMap<&'static str, usize> = BTreeMap::new();
        while session.over().is_none() && orders.len() < 600 {
            let seen = session.look().expect("the session runs");
            for ticket in &seen.tickets {
                first.entry(ticket.prompt.kind().name()).or_insert(orders.len());
            }
            let ticket = seen.tickets.iter().find(|k| k.required).expect("somebody is asked");
            let order = ticket.prompt.sample(&seen.state, ticket.seat, &mut below).expect("something is legal");
            let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
            session.submit(&decision).expect("samples are legal");
            orders.push(decision);
        }
        let upto = |count: &usize| {
            let mut session = fresh();
            for order in &orders[..*count] {
                session.submit(order).expect("they were taken before");
            }
            session
        };
        Places(first.iter().map(|(kind, count)| (*kind, upto(count))).collect())
    }
}

fn fresh() -> Session<Geronimo> {
    let state = setup::position(Components::builtin().clone(), 4, Variant::default());
    Session::start(state, Box::new(SeededChance::new(11)), Watch::NONE)
}

thread_local! {
    static PLACES: RefCell<Places> = RefCell::new(Places::of_a_game());
}

/// Words of orders, and others.
const WORDS: &[&str] = &[
    "column",
    "crook",
    "miles",
    "attacks",
    "attack",
    "village",
    "in",
    "of",
    "with",
    "and",
    "war",
    "party",
    "raid",
    "mexico",
    "comanche",
    "teton",
    "sioux",
    "1",
    "2",
    "-1",
    "99999999999999999999",
    "settle",
    "kansas",
    "play",
    "discard",
    "treaty",
    "for",
    "vp",
    "accept",
    "withdraw",
    "federales",
    "on",
    "patrol",
    "fort",
    "gun",
    "gatling",
    "react",
    "together",
    "evade",
    "relocate",
    "to",
    "alliance",
    "chiefs",
    "nobody",
    "pass",
    "done",
    "a",
    "the",
    ",",
    ".",
    "1a",
    "3zz",
    "geronimo",
    "apache",
    "agency",
    "corruption",
    "mine",
    "rr",
    "town",
    "stay",
    "return",
    "’",
    "ß",
    "\u{200b}",
    "“",
    "🏹",
    "null",
    "{}",
    "''",
    "\\",
    "%s",
];

/// Reads a text at every position and checks that nothing changes.
fn read_everywhere(text: &str) {
    PLACES.with_borrow_mut(|places| {
        // Formatting a position takes longer than everything else here, so each text compares only
        // one.
        let compared = text.len() % places.0.len();
        for (at, (kind, session)) in places.0.iter_mut().enumerate() {
            let state = |session: &mut Session<Geronimo>| {
                (at == compared).then(|| format!("{:?}", session.look().expect("the session runs").state))
            };
            let before = state(session);
            let decisions = session.decisions();
            let phrases: Vec<Phrase> = clauses(text).into_iter().chain([Phrase::new(text)]).collect();
            for said in &phrases {
                for seat in (0..4).map(Seat) {
                    match DynGame::read(session, seat, said) {
                        Ok(order) => {
                            let _ = DynGame::check(session, seat, order.prompt, &order.order);
                        }
                        Err(why) => assert!(!why.to_string().is_empty(), "{kind}: {text:?}"),
                    }
                }
            }
            assert_eq!(session.fault(), None, "{kind}: {text:?}");
            assert_eq!(session.decisions(), decisions);
            assert_eq!(before, state(session), "{kind}: {text:?}");
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_characters_are_read_without_harm(text in "\\PC{0,60}") {
        read_everywhere(&text);
    }

    #[test]
    fn any_bytes_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        read_everywhere(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_row_of_order_words_is_read_without_harm(words in prop::collection::vec(prop::sample::select(WORDS), 1..14)) {
        read_everywhere(&words.join(" "));
    }

    /// Orders in a journal that are of the wrong kind or nonsense are refused, and nothing breaks.
    #[test]
    fn any_json_is_refused_or_legal(
        variant in prop::sample::select(&["play", "pick", "raid", "war_party", "offer", "set_up", "react", "x"][..]),
        value in prop::sample::select(&["{}", "[]", "null", "{\"card\":\"Raid\"}", "{\"one\":\"\"}",
            "{\"village\":\"Crow\",\"vps\":-2147483648}", "{\"columns\":[\"\",\"Crook\"],\"coordinate\":true}",
            "{\"area\":\"Utah\",\"bps\":2147483647,\"guns\":-2147483648,\"fort\":true}"][..]),
    ) {
        let order = format!("{{\"{variant}\":{value}}}");
        PLACES.with_borrow_mut(|places| {
            for session in places.0.values_mut() {
                let asked = session.asked().expect("the session runs");
                for one in asked {
                    let checked =
                        DynGame::order(session, &order).and_then(|order| DynGame::check(session, one.seat, one.id, &order));
                    assert!(matches!(checked, Ok(()) | Err(Rejected::Refused(_))), "{order}: {checked:?}");
                }
            }
        });
    }
}

/// The texts above are read by most kinds of questions.
#[test]
fn the_places_are_of_many_kinds() {
    let kinds: Vec<_> = PLACES.with_borrow(|places| places.0.keys().copied().collect());
    for kind in ["desk", "settlement", "shaman-card", "column-play"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    assert!(kinds.len() >= 12, "{kinds:?}");
}
