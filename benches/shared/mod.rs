//! Journals to measure: whole Basic Games by random players, of any length.

use postrider::{
    dice::{DICE_CHAIN, DiceStream, SeedChain, deck_chain, h, published_length, sha256},
    games::{
        self,
        geronimo::{
            Order,
            components::{Components, Kit as _},
        },
    },
    journal::{Body, FORMAT, Joined, Json, Opened, ReceiptKey, Ruleset, Via, Writer},
    replay::{Catalog, LiveGame, Source, rebuild},
    table::{AnyOrder, Asked, Ruleset as Rules, Understood, Watch},
};
use std::io::Write;

const AT: &str = "2026-01-01T00:00:00Z";

/// A game in progress that writes a journal.
pub struct Recorder<W> {
    live: LiveGame,
    writer: Writer,
    out: W,
    chance: DiceStream,
    /// Number of decisions so far.
    pub decisions: u64,
}

impl<W: Write> Recorder<W> {
    /// Opens a Basic Game that all players have joined, and starts it. The same seed gives the same
    /// game.
    pub fn begin(game: &str, players: u8, seed: u64, out: W) -> Self {
        let rules = games::rulesets()[0];
        Recorder::begin_scenario(game, rules, rules.scenarios()[0], players, seed, out)
    }

    pub fn begin_scenario(game: &str, rules: &dyn Rules, scenario: &str, players: u8, seed: u64, mut out: W) -> Self {
        let secret = |what: &str| h("postrider/bench/v1", &[what, &seed.to_string()]);
        let labels = std::iter::once(DICE_CHAIN.to_owned()).chain(rules.decks().iter().map(|deck| deck_chain(deck)));
        let chains: Vec<SeedChain> = labels
            .map(|label| {
                SeedChain::new(&label, published_length(&label).expect("it is dice or a deck"), secret(&label))
            })
            .collect();
        let seats: Vec<String> = (0..players).map(|seat| postrider::table::Seat(seat).to_string()).collect();
        let mut writer = Writer::new(game).expect("it is an id");
        let opened = Body::Opened(Opened {
            format: FORMAT,
            game: game.into(),
            ruleset: Ruleset {
                name: rules.name().into(),
                version: u64::from(rules.version()),
                components: sha256(rules.components().as_bytes()),
            },
            scenario: scenario.into(),
            options: Json::empty(),
            seats: seats.iter().map(Into::into).collect(),
            operator_seats: Vec::new(),
            chains: chains.iter().map(|chain| (chain.label().to_owned().into(), chain.tip())).collect(),
            clock: Json::empty(),
            key: ReceiptKey::from_seed(&secret("key").0).public(),
            directors: vec![],
            consent: None,
            parent: None,
        });
        let mut head = writer.line(AT, &opened).expect("it has a canonical form");
        for seat in &seats {
            let (seat, address, via) = (seat.into(), secret(seat), Via::Cli);
            let joined = Joined { seat, address, luck: "".into(), via, mail: None, director: None };
            head += &writer.line(AT, &Body::Joined(joined)).expect("it has a canonical form");
        }
        out.write_all(head.as_bytes()).expect("there is room");
        let watch = Watch { events: true, digests: true, ..Watch::NONE };
        let source = Source::from(head.as_bytes());
        let mut live = rebuild(&source, &Catalog::new(postrider::games::rulesets()), Some(chains), None, watch)
            .expect("the journal is sound");
        let step = live.start(writer.n()).expect("all have joined");
        let mut recorder = Recorder { live, writer, out, chance: DiceStream::new(secret("players")), decisions: 0 };
        recorder.append(&step.bodies);
        recorder
    }

    pub fn is_over(&self) -> bool {
        self.live.closed
    }

    pub fn lines(&self) -> u64 {
        self.writer.n()
    }

    pub fn asked(&mut self) -> Vec<Asked> {
        self.live.dyn_game.as_mut().expect("it has begun").asked().expect("it goes on")
    }

    /// Answers a question that the game waits for, at random.
    pub fn go_on(&mut self) {
        let required: Vec<Asked> = self.asked().into_iter().filter(|asked| asked.required).collect();
        let asked = &required[self.chance.below(required.len() as u32) as usize];
        let dyn_game = self.live.dyn_game.as_mut().expect("it has begun");
        let chance = &mut self.chance;
        let order = dyn_game.sample(asked.id, &mut |n| chance.below(n)).expect("a question has legal answers");
        assert!(self.decide(asked, &order), "{order} is legal");
    }

    pub fn decide(&mut self, asked: &Asked, order: &AnyOrder) -> bool {
        let answer = Understood::answer(asked, order.clone());
        let Ok(step) = self.live.decide(self.writer.n(), asked.seat, &answer, Via::Bot, None) else { return false };
        self.decisions += 1;
        self.append(&step.bodies);
        true
    }

    fn append(&mut self, bodies: &[Body<'_>]) {
        for body in bodies {
            let line = self.writer.line(AT, body).expect("it has a canonical form");
            self.out.write_all(line.as_bytes()).expect("there is room");
        }
        self.live.advance(self.writer.head().expect("there are lines"));
    }
}

pub fn finished_game(seed: u64) -> (Vec<u8>, u64) {
    let rules = games::rulesets()[0];
    finished_scenario(rules, rules.scenarios()[0], seed)
}

/// Returns the journal of a finished game with other rules or another scenario, for four players or
/// the nearest possible number, and its number of decisions.
pub fn finished_scenario(rules: &dyn Rules, scenario: &str, seed: u64) -> (Vec<u8>, u64) {
    let mut journal = Vec::new();
    let players = 4.clamp(*rules.seats().start(), *rules.seats().end());
    let mut recorder = Recorder::begin_scenario("bench", rules, scenario, players, seed, &mut journal);
    while !recorder.is_over() {
        recorder.go_on();
    }
    let decisions = recorder.decisions;
    (journal, decisions)
}

/// Plays a Basic Game in whose first Rounds the US repeatedly offers and withdraws Treaties, until
/// the journal has at least `lines` lines; then to its end.
#[allow(dead_code, reason = "only one of the benches needs it")]
pub fn long_game(lines: u64, out: impl Write) -> u64 {
    let mut recorder = Recorder::begin("bench-long", 4, 1, out);
    let villages: Vec<&str> = Components::builtin().villages.iter().map(|village| &*village.name).collect();
    while !recorder.is_over() {
        let asked = recorder.asked();
        for desk in asked.iter().filter(|asked| asked.kind == "desk") {
            for village in &villages {
                let village = (*village).to_owned();
                let offer = AnyOrder::new(Order::Offer { village: village.clone(), vps: 1 });
                let withdraw = AnyOrder::new(Order::Withdraw { village });
                while recorder.lines() < lines && recorder.decide(desk, &offer) {
                    assert!(recorder.decide(desk, &withdraw), "an offer can be withdrawn");
                }
            }
        }
        recorder.go_on();
    }
    recorder.lines()
}
