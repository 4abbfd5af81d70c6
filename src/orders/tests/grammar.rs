//! Properties of grammars: the words that a grammar says are read as the same order.

use super::super::*;
use crate::variant;
use proptest::{collection::vec, prelude::*, sample::select};

#[derive(Clone, Debug, PartialEq)]
enum Order {
    Move { n: i64, from: String, to: Option<String>, fast: bool },
    Put { lots: Vec<(i64, String)> },
    Stay {},
    Done {},
}

fn places() -> Names<usize> {
    Names::from_iter("place", PLACES.iter().enumerate().map(|(at, place)| (place, at)))
}

const PLACES: [&str; 5] = ["Utah", "Texas", "New Mexico", "Mexico", "Teton Sioux 2"];

fn place<'g>() -> Grammar<'g, String> {
    named(places, |at: usize| PLACES[at].to_owned())
}

fn grammar<'g>() -> Grammar<'g, Order> {
    let march = number("how many?").and(word(&["from"]).then(place()));
    let march = march.and(place().after(&["to", "into"])).and(flag(&["at once", "fast"]));
    let lot = number("how many?").and(filler("in", &["in", "at", "the"]).then(place()));
    let lots = lot.many(",", |words| {
        words.skip(&["and"]);
        !words.at_end()
    });
    one_of()
        .on(&["done", "stop"], just(Order::Done {}))
        .on(&["stay"], filler("", &["here"]).means(Order::Stay {}))
        .also(&["march"], variant!(march.clone() => (((n, from), to), fast) => Order::Move { n, from, to, fast }))
        .said("moves", &["move", "go"], variant!(march => (((n, from), to), fast) => Order::Move { n, from, to, fast }))
        .otherwise(filler("put", &["put", "place"]).then(variant!(lots => lots => Order::Put { lots })))
}

fn orders() -> impl Strategy<Value = Order> {
    let place = || select(&PLACES[..]).prop_map(str::to_owned);
    prop_oneof![
        Just(Order::Done {}),
        Just(Order::Stay {}),
        (-9_i64..1000, place(), proptest::option::of(place()), any::<bool>())
            .prop_map(|(n, from, to, fast)| Order::Move { n, from, to, fast }),
        vec((0_i64..100, place()), 1..6).prop_map(|lots| Order::Put { lots }),
    ]
}

proptest! {
    #[test]
    fn what_is_said_is_read_as_the_same_order(order in orders()) {
        let grammar = grammar();
        let words = grammar.say(&order).expect("it has words for every order of its own");
        prop_assert_eq!(grammar.whole(&Phrase::new(&words)), Ok(order), "{}", words);
    }

    #[test]
    fn what_is_read_can_be_said(words in vec(select(&WORDS[..]), 0..9)) {
        let grammar = grammar();
        if let Ok(order) = grammar.whole(&Phrase::new(&words.join(" "))) {
            let said = grammar.say(&order).expect("what was read can be said");
            prop_assert_eq!(grammar.whole(&Phrase::new(&said)), Ok(order), "{} as {}", words.join(" "), said);
        }
    }
}

const WORDS: [&str; 20] = [
    "done", "stop", "stay", "here", "march", "moves", "go", "3", "two", "from", "utah", "texs", "mexico", "to", "into",
    "fast", "put", "in", "and", "teton",
];

#[test]
fn forms_are_told_apart_by_their_first_words() {
    let read = |words: &str| grammar().whole(&Phrase::new(words));
    let to = |place: &str| Some(place.to_owned());
    let march = |to, fast| Ok(Order::Move { n: 3, from: "Utah".into(), to, fast });
    assert_eq!(read("march 3 from utah into new mex"), march(to("New Mexico"), false));
    assert_eq!(read("moved three from utah fast"), march(None, true));
    assert_eq!(
        read("2 in the texas and 1 utah"),
        Ok(Order::Put { lots: vec![(2, "Texas".into()), (1, "Utah".into())] })
    );
    assert_eq!(read("stop now").unwrap_err().to_string(), "“now” is left over");
    assert_eq!(read("march 3 to utah").unwrap_err().to_string(), "“from” is expected here, not “to”");
    assert_eq!(read("march from utah").unwrap_err().to_string(), "how many?");
}

#[test]
fn the_first_word_is_said_and_forms_that_are_only_read_are_not() {
    let say = |order: &Order| grammar().say(order);
    let from = || "Teton Sioux 2".to_owned();
    let march = Order::Move { n: -1, from: from(), to: Some("Utah".into()), fast: true };
    assert_eq!(say(&march).as_deref(), Some("moves -1 from teton sioux 2 to utah at once"));
    let put = Order::Put { lots: vec![(1, "Utah".into()), (2, "Texas".into())] };
    assert_eq!(say(&put).as_deref(), Some("put 1 in utah, 2 in texas"));
    assert_eq!(say(&Order::Put { lots: Vec::new() }), None, "it could not be read back");
}

#[test]
fn a_slip_in_the_first_word_is_forgiven_where_nothing_else_can_stand() {
    let grammar = one_of()
        .said("moves", &["move"], just(1))
        .on(&["attack"], flag(&["utah"]).map(|_| 2, |n| (*n == 2).then_some(false)))
        .or_fail("a Column moves or attacks");
    assert_eq!(grammar.whole(&Phrase::new("atacks utah")), Ok(2));
    // Not in a clause of one word.
    assert!(grammar.whole(&Phrase::new("atacks")).is_err());
    assert_eq!(grammar.say(&1).as_deref(), Some("moves"));
    assert_eq!(grammar.say(&3), None);
    assert_eq!(grammar.whole(&Phrase::new("sleeps")).unwrap_err().to_string(), "a Column moves or attacks");
}

#[test]
fn a_part_may_depend_on_the_one_before_it() {
    let grammar = number("a count").bind(|n| if *n == 1 { word(&["bp"]) } else { word(&["bps"]) });
    let grammar =
        grammar.try_map(|(n, ()), words| if n > 9 { Err(words.fail("too many")) } else { Ok(n) }, |n| Some((*n, ())));
    assert_eq!((grammar.say(&1).as_deref(), grammar.say(&6).as_deref()), (Some("1 bp"), Some("6 bps")));
    assert_eq!(grammar.whole(&Phrase::new("6 bps")), Ok(6));
    assert_eq!(grammar.whole(&Phrase::new("10 bps")).unwrap_err().why, "too many");
}
