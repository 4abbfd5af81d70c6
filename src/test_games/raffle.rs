//! A small game for tests of replays: it rolls, shuffles, deals, shows, reveals, marks Rounds and
//! ends. It has been released twice: version 1 has six tickets, none of which is shown, and a bonus
//! of one die.

use postrider_dice::{ChainRoot, Hash, SeedChain, deck_chain, sha256};
use postrider_journal::{Body, Drawn, FORMAT, Joined, Json, Opened, Rewound, Ruleset as Named, Sealed, Via, Writer};
use postrider_orders::{Misread, Phrase};
use postrider_replay::{Catalog, LiveFault, LiveGame, Source, Step, index::Rewind, rebuild};
use postrider_table::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{collections::BTreeMap, ops::RangeInclusive};

/// The game by version `V` of its rules.
pub struct Raffle<const V: u32>;

#[derive(Clone, Debug, Default)]
pub struct Draw {
    turns: u32,
    turn: u32,
    up: u32,
    hands: [Vec<(usize, u32)>; 2],
    points: [i64; 2],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    Play { card: u32 },
    Access {},
}

postrider_table::kinds! {
    pub enum Ask {
        ahead {}
        later { Ticket = "ticket" }
    }
}

/// Asks a seat to play one of its tickets, or none.
struct WhichTicket;
impl<const V: u32> Prompt<Raffle<V>> for WhichTicket {
    type Answer = Option<u32>;
    fn kind(&self) -> Ask {
        Ask::Ticket
    }
    fn accept(&self, g: &Draw, seat: Seat, order: &Order) -> Result<Option<u32>, Refusal> {
        match order {
            Order::Access {} => Ok(None),
            Order::Play { card } if g.hands[seat.index()].iter().any(|(_, held)| held == card) => Ok(Some(*card)),
            Order::Play { .. } => refuse("1.1", "play a ticket that you hold"),
        }
    }
    fn describe(&self, _: &Draw, _: Seat) -> Description {
        Description::new("Which ticket do you play", "1.1")
    }
    fn read(&self, _: &Draw, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        let mut words = said.reader();
        words.expect("pass")?;
        words.end().map(|()| Order::Access {})
    }
    fn options(&self, g: &Draw, seat: Seat) -> Vec<Choice<Order>> {
        let play = |&(_, card): &(usize, u32)| Choice::new(Order::Play { card }, format!("play {card}"));
        let access = Choice::new(Order::Access {}, "pass");
        g.hands[seat.index()].iter().map(play).chain([access]).collect()
    }
}

impl<const V: u32> Game for Raffle<V> {
    type State = Draw;
    type Order = Order;
    type Kind = Ask;
    fn play(t: Table<Self>, mut g: Draw) -> Rules<Self> {
        Box::pin(async move {
            for turn in 1..=g.turns {
                g.turn = turn;
                let deck = t.shuffle("tickets", (0..5 + V).map(|n| format!("ticket {n}")).collect());
                for seat in 0..2 {
                    t.deal("tickets", deck.epoch, Some(Seat(seat)), usize::from(seat) * 3, 3);
                    g.hands[usize::from(seat)] =
                        (0..3).map(|k| usize::from(seat) * 3 + k).map(|pos| (pos, deck.order[pos])).collect();
                }
                if V == 2 {
                    g.up = deck.order[6];
                    t.deal("tickets", deck.epoch, None, 6, 1);
                    t.show("tickets", deck.epoch, 6, &format!("ticket {}", g.up), None);
                }
                for round in 1..=2 {
                    t.round(&mut g, turn, round, &format!("Turn {turn}, Round {round}"));
                    if round == 2 {
                        let mut bonus = t.roll("bonus", 1, 6);
                        if V == 2 {
                            bonus += t.roll("bonus", 1, 6) + t.roll("malus", -3, 0);
                        }
                        t.tell(|| format!("The bonus is {bonus}."));
                        g.points[0] += bonus;
                    }
                    for seat in [Seat(0), Seat(1)] {
                        let Some(card) = t.ask(&mut g, seat, WhichTicket).await else { continue };
                        let hand = &mut g.hands[seat.index()];
                        let at = hand.iter().position(|(_, held)| *held == card).expect("accepted because it is held");
                        let (pos, _) = hand.remove(at);
                        t.show("tickets", deck.epoch, pos, &format!("ticket {card}"), Some(seat));
                        let won = t.roll("prize", 0, 9) + i64::from(card);
                        g.points[seat.index()] += won;
                        t.tell(|| format!("{seat} wins {won}."));
                    }
                }
                t.reveal("tickets", deck.epoch);
            }
            g
        })
    }
    fn view(g: &Draw, seat: Option<Seat>) -> Value {
        let hand = seat.map_or(json!([]), |seat| json!(g.hands[seat.index()].iter().map(|c| c.1).collect::<Vec<_>>()));
        json!({ "turn": g.turn, "up": g.up, "points": g.points, "hand": hand })
    }
    fn outcome(g: &Draw) -> Outcome {
        let seats = (0..).map(Seat).zip(g.points).map(|(seat, points)| Standing::new(seat, points));
        Outcome::by_points(Counted::more("points"), seats, "most points (1)")
    }
}

struct RaffleRules<const V: u32> {
    /// The bots, which the first release had, but its frozen copy does not.
    bots: &'static [NamedBot],
}

impl<const V: u32> Ruleset for RaffleRules<V> {
    fn name(&self) -> &'static str {
        "raffle"
    }
    fn title(&self) -> &'static str {
        "Raffle!"
    }
    fn version(&self) -> u32 {
        V
    }
    fn earlier(&self) -> &'static [&'static dyn Ruleset] {
        if V == 2 { &[&RaffleRules::<1> { bots: &[] }] } else { &[] }
    }
    fn seats(&self) -> RangeInclusive<u8> {
        2..=2
    }
    fn scenarios(&self) -> &'static [&'static str] {
        &["fair"]
    }
    fn decks(&self) -> &'static [&'static str] {
        &["tickets"]
    }
    fn components(&self) -> &'static str {
        if V == 2 { "tickets = 7\n" } else { "tickets = 6\n" }
    }
    fn print_components(&self, text: &str, _: &str) -> Result<String, SetupFault> {
        Ok(text.to_owned())
    }
    fn view_template(&self) -> &'static str {
        ""
    }
    fn bots(&self) -> &'static [NamedBot] {
        self.bots
    }
    fn open(&self, setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Result<Box<dyn DynGame>, SetupFault> {
        let turns = setup.options.get("turns").and_then(Value::as_u64).unwrap_or(2);
        let too_many =
            |_| SetupFault::OptionValue { name: "turns".into(), wanted: "a small number", found: turns.into() };
        let turns = u32::try_from(turns).map_err(too_many)?;
        Ok(Box::new(Session::<Raffle<V>>::start(Draw { turns, ..Draw::default() }, chance, watch)))
    }
}

/// The bot of the raffle.
const LUCKY: NamedBot = NamedBot { name: "lucky", ..RANDOM };

/// The rulesets of the first release.
pub static FIRST_RELEASE: &[&dyn Ruleset] = &[&RaffleRules::<1> { bots: &[LUCKY] }];

/// The rulesets of this release.
pub static RAFFLE: &[&dyn Ruleset] = &[&RaffleRules::<2> { bots: &[LUCKY] }];

const AT: &str = "2026-01-02T03:04:05Z";

/// A raffle in progress: seed chains, journal bytes, running game.
pub struct Played {
    pub chains: Vec<SeedChain>,
    pub writer: Writer,
    pub bytes: Vec<u8>,
    pub live: LiveGame,
    /// The number of rewinds with new chains.
    pub rewinds: u64,
    drawn: Drawn,
    /// The number of rewinds that needed no replay of the journal.
    pub remembered: u64,
    die: u32,
}

impl Played {
    pub fn begin() -> Played {
        Played::begin_with(2)
    }

    /// Opens a game with this number of Turns, at most 256; each takes a link of the deck's chain.
    pub fn begin_with(turns: u32) -> Played {
        let chains = chains(0);
        let tips = tips(&chains);
        let components = sha256(RAFFLE[0].components().as_bytes());
        let mut writer = Writer::new("raffle-1").unwrap();
        let opened = Body::Opened(Opened {
            format: FORMAT,
            game: "raffle-1".into(),
            ruleset: Named { name: "raffle".into(), version: 2, components },
            scenario: "fair".into(),
            options: Json::new(&json!({ "turns": turns })).unwrap(),
            seats: vec!["A".into(), "B".into()],
            operator_seats: vec!["B".into()],
            chains: tips,
            clock: Json::empty(),
            key: Hash([9; 32]),
            directors: vec![],
            consent: None,
            parent: None,
        });
        let mut bytes = writer.line(AT, &opened).unwrap().into_bytes();
        for (seat, luck, via, mail) in [("A", "heads", Via::Mail, Some(Hash([4; 32]))), ("B", "", Via::Cli, None)] {
            let joined =
                Joined { seat: seat.into(), address: Hash([3; 32]), luck: luck.into(), via, mail, director: None };
            bytes.extend_from_slice(writer.line(AT, &Body::Joined(joined)).unwrap().as_bytes());
        }
        let live = live(&bytes, &chains);
        let mut played =
            Played { chains, writer, bytes, live, rewinds: 0, drawn: Drawn::default(), remembered: 0, die: 1 };
        let step = played.live.start(played.writer.n()).unwrap();
        played.append(&step);
        played
    }

    pub fn whole() -> Played {
        let mut played = Played::begin();
        while played.decide() {}
        played
    }

    fn append(&mut self, step: &Step) {
        for body in &step.bodies {
            self.write(body);
        }
        self.live.advance(self.writer.head().unwrap());
    }

    pub fn write(&mut self, body: &Body<'_>) {
        self.drawn.note(self.writer.n(), body);
        self.bytes.extend_from_slice(self.writer.line(AT, body).unwrap().as_bytes());
    }

    /// Answers the first open question at random; returns `false` if there is none.
    pub fn decide(&mut self) -> bool {
        let dyn_game = self.live.dyn_game.as_mut().unwrap();
        let Some(asked) = dyn_game.asked().unwrap().into_iter().next() else { return false };
        let mut die = self.die;
        let below = &mut |n: u32| {
            die = die.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (die >> 16) % n
        };
        let order = dyn_game.sample(asked.id, below).unwrap();
        self.die = die;
        let step = self.order(&asked, order).unwrap();
        self.append(&step);
        true
    }

    pub fn order(&mut self, asked: &Asked, order: AnyOrder) -> Result<Step, LiveFault> {
        let answer = Understood::answer(asked, order);
        self.live.decide(self.writer.n(), asked.seat, &answer, Via::Cli, None)
    }

    /// Rewinds to the position after line `to`, with fresh chains if links of those in use are
    /// known, and rebuilds the game.
    pub fn rewind(&mut self, to: u64) {
        let fresh = self.fresh(to);
        self.rewind_with(to, fresh);
    }

    /// Returns the chains with which play continues after a rewind that undoes what was drawn after
    /// line `behind`.
    fn fresh(&mut self, behind: u64) -> Vec<SeedChain> {
        let fresh = self.drawn.renews(behind);
        self.rewinds += u64::from(fresh);
        if fresh { chains(self.rewinds) } else { Vec::new() }
    }

    /// Rewinds to the beginning of the Round that line `to` begins, within a step that goes on.
    pub fn rewind_to_round(&mut self, to: u64) {
        let within = self.live.step_log.goes_on(to).map(|step| step.first);
        let fresh = self.fresh(within.expect("something follows it in its step"));
        self.rewind_within(to, within, fresh);
    }

    /// Rewinds with chains chosen by the operator.
    pub fn rewind_with(&mut self, to: u64, fresh: Vec<SeedChain>) {
        self.rewind_within(to, None, fresh);
    }

    fn rewind_within(&mut self, to: u64, within: Option<u64>, fresh: Vec<SeedChain>) {
        let rewound = Rewound {
            to,
            by: "host".into(),
            reason: "a slip".into(),
            chains: tips(&fresh),
            of: None,
            within,
            via: None,
            words: None,
        };
        self.write(&Body::Rewound(rewound));
        self.chains.extend(fresh.iter().cloned());
        let at = self.writer.n() - 1;
        // A rewind from memory must result in the same game as a replay of the journal.
        let follows = self.live.go_back(Rewind { to, at, within }, fresh).unwrap();
        follows.iter().flatten().for_each(|body| self.write(body));
        let mut again = live(&self.bytes, &self.chains);
        if follows.is_some() {
            self.live.advance(self.writer.head().unwrap());
            let all = |live: &LiveGame| {
                let dyn_game = live.dyn_game.as_ref().unwrap();
                let views = [None, Some(Seat(0)), Some(Seat(1))].map(|seat| dyn_game.view(seat).unwrap());
                let beside = (dyn_game.decisions(), dyn_game.next_prompt(), dyn_game.asked().ok(), dyn_game.outcome());
                let story: Vec<_> = live.story.iter().map(|line| (line.n, line.told.clone())).collect();
                (views, beside, story, live.marks.clone(), live.closed, live.head.clone())
            };
            assert_eq!(all(&mut self.live), all(&mut again));
            self.remembered += 1;
        } else {
            self.live = again;
        }
    }

    /// Appends a line that does not affect the rules.
    pub fn seal(&mut self) {
        let sealed = Sealed { seat: "A".into(), what: "standing".into(), commit: Hash([5; 32]) };
        self.write(&Body::Sealed(sealed));
        self.live.advance(self.writer.head().unwrap());
    }

    pub fn source(&self) -> Source {
        Source::from(&self.bytes[..])
    }
}

fn live(bytes: &[u8], chains: &[SeedChain]) -> LiveGame {
    rebuild(&bytes.into(), &catalog(), Some(chains.to_vec()), None, Watch::ALL).unwrap()
}

pub fn catalog() -> Catalog {
    Catalog::new(RAFFLE)
}

fn chains(generation: u64) -> Vec<SeedChain> {
    let chain = |label: &str, secret| {
        let root = ChainRoot::new(label, Hash([secret; 32])).unwrap();
        root.chain(generation, root.first().unwrap().tip()).unwrap()
    };
    vec![chain("dice", 1), chain(&deck_chain("tickets"), 0x81)]
}

fn tips(chains: &[SeedChain]) -> BTreeMap<postrider_journal::Text<'static>, Hash> {
    chains.iter().map(|chain| (chain.label().to_owned().into(), chain.tip())).collect()
}
