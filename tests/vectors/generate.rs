//! Generates the test vectors. Everything in them depends on fixed seeds, so that generating them
//! again changes nothing.

use postrider::{
    dice::{
        ChainTip, DiceStream, Hash, SeedChain, Shuffled, card_salt, deck_seed, earlier_origin, h, roll_seed, sha256,
        shuffle,
    },
    journal::{
        Body, Closed, Dealt, Decision, FORMAT, Joined, Json, Line, Opened, Parent, ReceiptKey, Revealed, Rewound, Roll,
        Rolled, Round, Ruleset, Sealed, Shown, Started, Unsealed, Via, Writer, address_commitment, luck_digest,
        sealed_commitment, state_digest, to_canon, words_digest,
    },
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const GAME: &str = "sample-game";
const FORK: &str = "sample-fork";
const DECK: &str = "events";
const DECK_CHAIN: &str = "deck:events";
const PHRASES: [&str; 2] = ["the river is high\nthis year", ""];

fn seed(what: &str) -> Hash {
    h("postrider/vectors", &[what])
}

/// Returns the name of each file under `tests/vectors`, with its content.
pub fn all() -> Vec<(&'static str, String)> {
    let pretty = |value: Value| serde_json::to_string_pretty(&value).unwrap() + "\n";
    let (journal, claims) = journal();
    let (fork, fork_claims) = fork(&journal);
    vec![
        ("canonical.json", pretty(canonical())),
        ("hash.json", pretty(hash())),
        ("chain.json", pretty(chain())),
        ("below.json", pretty(below())),
        ("d10.json", pretty(d10())),
        ("shuffle.json", pretty(shuffle_and_cards())),
        ("commitments.json", pretty(commitments())),
        ("receipt.json", pretty(receipt())),
        ("journal.jsonl", journal),
        ("journal.claims.json", pretty(claims)),
        ("fork.jsonl", fork),
        ("fork.claims.json", pretty(fork_claims)),
        ("words.json", pretty(words())),
    ]
}

fn canonical() -> Value {
    let values = [
        json!({"b": [1, -2, 0], "a": {"z": true, "A": false, "": "empty key"}, "a b": []}),
        json!("\u{8}\t\n\u{b}\u{c}\r\u{1f}\"\\/\u{7f}é\u{2028}😀"),
        json!([9_007_199_254_740_991_i64, -9_007_199_254_740_991_i64]),
        json!({}),
    ];
    let accepted: Vec<Value> =
        values.iter().map(|value| json!({"value": value, "canonical": to_canon(value).unwrap()})).collect();
    let refused = [
        ("", "nothing"),
        (" 1", "white space before"),
        ("1\n", "white space after"),
        ("[1, 2]", "white space between"),
        ("null", "null"),
        ("1.0", "a fraction"),
        ("1e3", "an exponent"),
        ("-0", "negative zero"),
        ("01", "a leading zero"),
        ("9007199254740992", "2^53"),
        ("-9007199254740992", "-2^53"),
        ("{\"b\":1,\"a\":2}", "keys out of order"),
        ("{\"a\":1,\"a\":1}", "a key twice"),
        ("{\"é\":1}", "a key beyond ASCII"),
        ("{\"\\n\":1}", "a key with an escape"),
        ("\"\\/\"", "an escape that is not needed"),
        ("\"\\u000a\"", "a long escape where there is a short one"),
        ("\"\\u001F\"", "upper-case hex in an escape"),
        ("\"\\u0041\"", "an escaped letter"),
        ("\"\\ud83d\\ude00\"", "escaped surrogates"),
        ("\"\\ud800\"", "a lone surrogate"),
        ("\"\t\"", "a bare control character"),
        ("[1,]", "a trailing comma"),
        ("{\"a\":1", "no end"),
    ];
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let mut refused: Vec<Value> = refused.iter().map(|(text, why)| json!({"text": text, "why": why})).collect();
    refused.push(json!({"text": deep(65), "why": "65 levels"}));
    json!({"accepted": accepted, "accepted_depth": deep(64), "refused": refused})
}

fn hash() -> Value {
    let cases: [(&str, &[&str]); 3] =
        [("postrider/test", &[]), ("postrider/test", &["a", "", "12"]), ("postrider/test", &["é"])];
    let cases = cases.map(|(tag, fields)| {
        let preimage: String = std::iter::once(&tag).chain(fields).flat_map(|field| [field, "\n"]).collect();
        json!({"tag": tag, "fields": fields, "preimage": preimage, "hash": h(tag, fields)})
    });
    json!({ "cases": cases })
}

fn chain() -> Value {
    let (label, n) = ("deck:events", 5);
    let chain = SeedChain::new(label, n, seed("chain"));
    let links: Vec<Hash> = (0..=n).map(|k| chain.link(k).unwrap()).collect();
    let mut tip = ChainTip::new(label, n, chain.tip());
    let uses: Vec<Hash> = (0..n).map(|used| chain.reveal(used).unwrap()).collect();
    for link in &uses {
        tip.reveal(*link).unwrap();
    }
    let real = SeedChain::new("dice", 65_536, seed("chain"));
    json!({
        "label": label, "n": n, "s": links, "uses": uses,
        "generations": generations(),
        "full": {"label": "dice", "n": 65_536, "s_0": real.origin(), "first_use": real.reveal(0).unwrap(), "tip": real.tip()},
    })
}

/// Returns the s_0 of a label's chains for `opened` and three rewinds, in this order.
fn generations() -> Value {
    let mut s_0 = vec![seed("third rewind")];
    for k in (1..=3).rev() {
        s_0.insert(0, earlier_origin(DECK_CHAIN, k, &s_0[0]));
    }
    json!({"label": DECK_CHAIN, "s_0": s_0})
}

/// A number for which more than a quarter of all words is rejected, so that a run of 16 includes
/// some.
const REJECTING: u32 = 0xC000_0001;

fn below() -> Value {
    let seed = seed("below");
    // For n = 2^32 − 1 only the last word would be rejected, so these are practically the words
    // themselves.
    let mut words = DiceStream::new(seed);
    let words: Vec<u32> = (0..40).map(|_| words.below(u32::MAX)).collect();
    let case = |n: u32| {
        let mut stream = DiceStream::new(seed);
        let got: Vec<u32> = (0..16).map(|_| stream.below(n)).collect();
        let limit = (1_u64 << 32) - (1_u64 << 32) % u64::from(n);
        let mut accepted = 0;
        let taken = words.iter().position(|&word| {
            accepted += usize::from(u64::from(word) < limit);
            accepted == 16
        });
        let taken = taken.unwrap() + 1;
        json!({"n": n, "limit": limit, "got": got, "words_taken": taken, "words_rejected": taken - 16})
    };
    json!({"seed": seed, "words": words, "cases": [case(1), case(6), case(10), case(REJECTING)]})
}

fn d10() -> Value {
    let luck = luck_digest(PHRASES);
    let secret = seed("d10");
    let roll = |i: u64| {
        let seed = roll_seed(GAME, i, &secret, &luck);
        let mut stream = DiceStream::new(seed);
        let got: Vec<i64> = (0..60).map(|_| stream.die(0, 9)).collect();
        json!({"i": i, "seed": seed, "low": 0, "high": 9, "got": got})
    };
    json!({"game": GAME, "secret": secret, "luck": luck, "phrases": PHRASES, "rolls": [roll(0), roll(65_535)]})
}

fn cards(count: usize) -> Vec<String> {
    (1..=count).map(|k| format!("card-{k}")).collect()
}

fn shuffle_and_cards() -> Value {
    let (secret, luck, epoch) = (seed("shuffle"), luck_digest(PHRASES), 2);
    let shuffled = Shuffled::new(GAME, DECK, epoch, secret, &luck, cards(20));
    let seed = deck_seed(GAME, DECK, epoch, &secret, &luck);
    let mut order = cards(20);
    shuffle(seed, &mut order);
    assert_eq!(order, shuffled.order());
    let salts: Vec<Hash> = (0..20).map(|pos| card_salt(&secret, pos)).collect();
    json!({
        "game": GAME, "deck": DECK, "epoch": epoch, "secret": secret, "luck": luck, "seed": seed, "list": cards(20),
        "order": order, "salts": salts, "cards": shuffled.commitments().collect::<Vec<_>>(),
    })
}

fn commitments() -> Value {
    let salt = seed("salt");
    let content = to_canon(&json!({"when": "always", "order": "evade"})).unwrap();
    let state = to_canon(&json!({"turn": 1, "vp": {"red": 3, "blue": -2}})).unwrap();
    json!({
        "address": {"salt": salt, "address": "Ann.É@Example.ORG", "commit": address_commitment(&salt, "Ann.É@Example.ORG")},
        "luck": {"phrases": PHRASES, "luck": luck_digest(PHRASES)},
        "sealed": {
            "game": GAME, "seat": "red", "salt": salt, "content": content,
            "commit": sealed_commitment(GAME, "red", &salt, &content),
        },
        "state": {"canonical": state, "digest": state_digest(&state)},
    })
}

fn receipt() -> Value {
    let (key, head) = receipt_parts();
    json!({
        "seed": seed("key"), "key": key.public(), "game": head.game, "n": head.n, "hash": head.hash,
        "signed": String::from_utf8(head.signed_bytes()).unwrap(), "sig": key.sign(&head),
    })
}

pub fn receipt_parts() -> (ReceiptKey, postrider::journal::Head) {
    let head = postrider::journal::Head { game: GAME.to_owned(), n: 12, hash: seed("head") };
    (ReceiptKey::from_seed(&seed("key").0), head)
}

/// The writer of a small journal with every kind of section 4, and one that no release knows.
struct Table {
    game: &'static str,
    writer: Writer,
    text: String,
    luck: Hash,
    rolled: u64,
    dice: SeedChain,
    dice_used: u64,
    deck: SeedChain,
    deck_used: u64,
    epoch: u64,
}

impl Table {
    fn write(&mut self, body: &Body<'_>) -> u64 {
        let n = self.writer.n();
        let at = format!("2026-03-{:02}T18:{:02}:00Z", 1 + n / 10, n);
        self.text += &self.writer.line(&at, body).unwrap();
        n
    }

    fn decide(&mut self, seat: &str, prompt: u64, order: &Value, via: Via) -> u64 {
        let order = Json::new(order).unwrap();
        let words = (via == Via::Mail).then(|| {
            let [id, line] = words_of(prompt);
            words_digest(self.game, seat, &id, [line.as_str()])
        });
        self.write(&Body::Decision(Decision { seat: seat.into(), prompt, ask: "move".into(), order, via, words }))
    }

    fn roll(&mut self, wanted: &[(&str, i64, i64, usize)]) {
        let secret = self.dice.reveal(self.dice_used).unwrap();
        let mut stream = DiceStream::new(roll_seed(self.game, self.rolled, &secret, &self.luck));
        let rolls = wanted
            .iter()
            .map(|&(label, low, high, count)| {
                let got = (0..count).map(|_| stream.die(low, high)).collect();
                Roll { label: label.into(), low, high, got }
            })
            .collect();
        self.write(&Body::Rolled(Rolled { secret, rolls }));
        self.dice_used += 1;
        self.rolled += 1;
    }

    fn shuffle(&mut self, list: Vec<String>) -> (Shuffled, Hash) {
        let secret = self.deck.reveal(self.deck_used).unwrap();
        let shuffled = Shuffled::new(self.game, DECK, self.epoch, secret, &self.luck, list.clone());
        self.write(&Body::Shuffled(postrider::journal::Shuffled {
            deck: DECK.into(),
            epoch: self.epoch,
            list: list.into_iter().map(Into::into).collect(),
            cards: shuffled.commitments().collect(),
        }));
        self.deck_used += 1;
        self.epoch += 1;
        (shuffled, secret)
    }

    fn deal(&mut self, epoch: u64, seat: &str, from: u64, count: u64) {
        self.write(&Body::Dealt(Dealt { deck: DECK.into(), epoch, seat: seat.into(), from, count }));
    }

    fn show(&mut self, shuffled: &Shuffled, epoch: u64, seat: &str, pos: u64) {
        let card = shuffled.order()[pos as usize].as_str().into();
        let salt = shuffled.salt(pos);
        self.write(&Body::Shown(Shown { deck: DECK.into(), epoch, pos, card, salt, seat: seat.into() }));
    }
}

impl Table {
    /// Creates a table that all players have joined.
    fn begun(
        game: &'static str,
        phrases: [&str; 2],
        dice: Hash,
        deck: Hash,
        clock: &Value,
        parent: Option<Parent<'static>>,
    ) -> Table {
        let epoch = parent.as_ref().and_then(|parent| parent.epochs.values().next().copied()).unwrap_or(0);
        let mut t = Table {
            game,
            writer: Writer::new(game).unwrap(),
            text: String::new(),
            luck: luck_digest(phrases),
            rolled: 0,
            dice: SeedChain::new("dice", 65_536, dice),
            dice_used: 0,
            deck: SeedChain::new(DECK_CHAIN, 256, deck),
            deck_used: 0,
            epoch,
        };
        let opened = Opened {
            format: FORMAT,
            game: game.into(),
            ruleset: Ruleset { name: "sample".into(), version: 1, components: seed("components") },
            scenario: "short".into(),
            options: Json::empty(),
            seats: vec!["red".into(), "blue".into()],
            operator_seats: vec!["blue".into()],
            chains: t.tips(),
            clock: Json::new(clock).unwrap(),
            key: ReceiptKey::from_seed(&seed("key").0).public(),
            directors: vec![],
            consent: None,
            parent: parent.map(Box::new),
        };
        t.write(&Body::Opened(opened));
        for (seat, luck) in ["red", "blue"].into_iter().zip(phrases) {
            let address = address_commitment(&seed(seat), &format!("{seat}@example.org"));
            // Words for luck are given by mail.
            let mail = (!luck.is_empty()).then(|| seed("joining"));
            let via = if mail.is_some() { Via::Mail } else { Via::Cli };
            let luck = luck.to_owned().into();
            t.write(&Body::Joined(Joined { seat: seat.into(), address, luck, via, mail, director: None }));
        }
        let luck = t.luck;
        t.write(&Body::Started(Started { luck }));
        t
    }

    fn tips<K: From<&'static str> + Ord>(&self) -> BTreeMap<K, Hash> {
        [(DECK_CHAIN.into(), self.deck.tip()), ("dice".into(), self.dice.tip())].into()
    }

    fn claims(self) -> (String, Value) {
        let mut checker = postrider::journal::Checker::new();
        checker.feed_all(&mut postrider::journal::Lines::new(self.text.as_bytes())).unwrap();
        let claims = serde_json::to_value(checker.finish()).unwrap();
        (self.text, claims)
    }
}

fn journal() -> (String, Value) {
    let (dice, deck) = (seed("dice again"), seed("deck again"));
    let first = |label, s_0| earlier_origin(label, 1, s_0);
    let (dice_0, deck_0) = (first("dice", &dice), first(DECK_CHAIN, &deck));
    let mut t = Table::begun(GAME, PHRASES, dice_0, deck_0, &json!({"days": 3}), None);
    let started = t.writer.n() - 1;
    t.write(&Body::Round(Round { turn: 1, round: 1, label: "Turn 1, Round 1".into(), state: state_digest("{}") }));
    let (first, first_secret) = t.shuffle(cards(8));
    t.deal(0, "red", 0, 3);
    t.deal(0, "blue", 3, 3);
    let moved = t.decide("red", 1, &json!({"to": ["fort \"Bowie\"", "río"], "men": 4}), Via::Mail);
    t.roll(&[("battle", 0, 9, 2), ("loss", 1, 6, 3), ("drift", -2, 2, 1)]);
    t.show(&first, 0, "red", 1);

    let (salt, content) = (seed("sealed"), json!({"for": "move", "orders": ["evade"], "until": "turn 2"}));
    let commit = sealed_commitment(GAME, "blue", &salt, &to_canon(&content).unwrap());
    let sealed = t.write(&Body::Sealed(Sealed { seat: "blue".into(), what: "standing".into(), commit }));
    t.write(&Body::Sealed(Sealed { seat: "red".into(), what: "standing".into(), commit: seed("never opened") }));
    t.write(&Body::Unsealed(Unsealed { of: sealed, content: Json::new(&content).unwrap(), salt }));
    t.decide("blue", 2, &content, Via::Standing);
    t.roll(&[("evasion", 0, 9, 1)]);
    t.write(&Body::Clock(postrider::journal::Clock {
        prompt: 3,
        seat: "red".into(),
        event: postrider::journal::ClockEvent::Reminded,
    }));
    t.deal(0, "", 6, 1);
    t.show(&first, 0, "", 6);

    (t.dice, t.dice_used) = (SeedChain::new("dice", 65_536, dice), 0);
    (t.deck, t.deck_used) = (SeedChain::new(DECK_CHAIN, 256, deck), 0);
    let (by, reason) = ("host".into(), "a wrong map".into());
    let chains = t.tips();
    let back = Rewound { to: moved, by, reason, chains, of: None, within: None, via: None, words: None };
    let rewound = t.write(&Body::Rewound(back));
    assert!(rewound > started);
    let effect = Json::new(&json!({"vp": 1})).unwrap();
    t.write(&Body::Ruling(postrider::journal::Ruling::new("host", "Red keeps 1 VP.", effect)));
    t.roll(&[("battle", 0, 9, 2), ("loss", 1, 6, 3), ("drift", -2, 2, 1)]);
    // The first shuffle took its link of the chain before the rewind, and is verified with that
    // chain.
    t.write(&Body::Revealed(Revealed { deck: DECK.into(), epoch: 0, secret: first_secret }));
    let (second, _) = t.shuffle(cards(5));
    t.deal(1, "red", 0, 2);
    t.show(&second, 1, "red", 0);
    t.write(&Body::Reseated(postrider::journal::Reseated {
        seat: "red".into(),
        address: address_commitment(&seed("third"), "third@example.org"),
        luck: "too late to count".into(),
        via: None,
        director: None,
    }));
    t.write(&Body::Other { kind: "weather".into(), body: Json::new(&json!({"rain": true})).unwrap() });
    // Red takes back an order after which nothing was drawn, so the chains remain.
    let before = t.writer.n() - 1;
    t.decide("red", 3, &json!({"to": [], "men": 1}), Via::Mail);
    let back = Rewound {
        to: before,
        by: "red".into(),
        reason: "taken back".into(),
        chains: BTreeMap::new(),
        of: None,
        within: None,
        via: None,
        words: None,
    };
    t.write(&Body::Rewound(back));
    t.decide("red", 3, &json!({}), Via::Deadline);
    t.roll(&[("battle", 0, 9, 1)]);
    // Only the chain of dice is revealed; the second shuffle remains unproved.
    let secrets = [("dice".into(), t.dice.origin())].into();
    t.write(&Body::Closed(Closed { outcome: Json::new(&json!({"winner": "red"})).unwrap(), secrets, of: None }));
    t.claims()
}

/// Generates a fork of the small journal, after the first move with its dice and the card shown: a
/// game of its own that continues with question 2 and the deck's epoch 1. It is proved completely
/// in the end.
fn fork(parent: &str) -> (String, Value) {
    let last = parent.lines().find(|line| line.contains("\"kind\":\"shown\"")).unwrap();
    let last = Line::parse(last.as_bytes()).unwrap();
    let parent = Parent {
        game: GAME.into(),
        n: last.n,
        hash: last.hash,
        within: None,
        epochs: [(DECK.into(), 1)].into(),
        reason: "What if blue stands?".into(),
    };
    let phrases = ["", "a short night"];
    let mut t =
        Table::begun(FORK, phrases, seed("dice of the fork"), seed("deck of the fork"), &json!({}), Some(parent));
    t.decide("blue", 2, &json!({"order": "stand"}), Via::Cli);
    t.roll(&[("battle", 0, 9, 2), ("loss", 1, 6, 1)]);
    t.write(&Body::Round(Round { turn: 1, round: 2, label: "Turn 1, Round 2".into(), state: state_digest("{}") }));
    let (cards, secret) = t.shuffle(cards(5));
    t.deal(1, "blue", 0, 2);
    t.show(&cards, 1, "blue", 1);
    t.decide("red", 3, &json!({"to": [], "men": 0}), Via::Mail);
    t.roll(&[("drift", -2, 2, 3)]);
    t.write(&Body::Revealed(Revealed { deck: DECK.into(), epoch: 1, secret }));
    let secrets = [(DECK_CHAIN.into(), t.deck.origin()), ("dice".into(), t.dice.origin())].into();
    t.write(&Body::Closed(Closed { outcome: Json::new(&json!({"winner": "blue"})).unwrap(), secrets, of: None }));
    t.claims()
}

/// Returns the words of a mail of two lines, of one without a Message-ID, and of the first decision
/// in `journal.jsonl`.
fn words() -> Value {
    let [id, line] = words_of(1);
    let cases = [
        ("my-game", "A", "42@mail.example", vec!["column of 6 in Texas", "with Crook"]),
        ("my-game", "B", "", vec!["pass"]),
        (GAME, "red", id.as_str(), vec![line.as_str()]),
    ];
    let case = |(game, seat, message_id, lines): (&str, &str, &str, Vec<&str>)| {
        let hash = words_digest(game, seat, message_id, lines.iter().copied());
        let hashed = format!("postrider/words/v1\n{game}\n{seat}\n{message_id}\n{}\n", lines.join("\n"));
        assert_eq!(sha256(hashed.as_bytes()), hash);
        json!({ "game": game, "seat": seat, "message_id": message_id, "lines": lines, "hashed": hashed, "hash": hash })
    };
    json!({ "cases": cases.map(case) })
}

/// Returns the Message-ID and the line of a mail that answers question `prompt`.
fn words_of(prompt: u64) -> [String; 2] {
    [format!("{prompt}.move@red.example"), format!("move to Fort \u{201c}Bowie\u{201d}, {prompt} men")]
}
