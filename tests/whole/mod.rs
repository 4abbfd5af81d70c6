//! Whole games of any system, with the properties that every position must have. The players are
//! random here; in `tests/sentences` bytes decide.

pub mod games;
pub mod hold;

use postrider::{
    dice::{DiceStream, h},
    table::{
        AnyOrder, Below, Chance, Decision, DynGame, Event, Game, NotedChance, Recorded, RecordedChance, Rejected,
        Ruleset, Seat, SeededChance, Session, Setup, Snapshot, Watch, every_setup,
    },
};
use serde_json::Value;
use std::{cell::RefCell, collections::BTreeMap, fmt::Debug, marker::PhantomData, rc::Rc};

/// The properties of a game for tests of whole games.
pub trait Tried: Game<State: Debug> {
    /// Number of games that the standard tests play.
    const TRIED: u64 = 8;
    /// Standard tests with close examination look at one position in 3 to the power of this.
    const SELDOM: u32 = 1;
    /// Kinds of questions that are asked even if they have only one possible answer.
    const IDLE: &'static [Self::Kind] = &[];
    /// Kinds of questions that are asked even if the answer may not matter, because omitting the
    /// question would reveal hidden cards.
    const SILENT: &'static [Self::Kind] = &[];
    /// Returns its entry in the registry.
    fn rules() -> &'static dyn Ruleset;
    /// Returns one of the setups of the game, by number: all setups in turn, unless there are too
    /// many.
    fn way(n: u64) -> Setup {
        let mut all = every_setup(Self::rules());
        all.swap_remove(n as usize % all.len())
    }
    /// Returns a ruling that a director might give here; it may be refused.
    fn ruling(_: &Snapshot<Self>, _: &mut Below<'_>) -> Option<Value> {
        None
    }
    /// Returns for each die of a step, in order, the phrases of which the story has one: its number
    /// or, for a draw, the names of all that could be drawn. Fails for a draw that it does not know.
    fn told(_: &Self::State, dice: &[Die]) -> Vec<Vec<String>> {
        dice.iter().map(Die::number).collect()
    }
    /// Returns the changes of VPs in a line of the story, each with the name of a player or side and
    /// the new total if the line has it.
    fn points(line: &str) -> Vec<(String, i32, Option<i32>)> {
        points_of_both(line)
    }
    /// Returns the VPs of a finished game by the names in the story; nothing in games without VPs.
    fn scores(_: &Self::State) -> BTreeMap<String, i32> {
        BTreeMap::new()
    }
    /// Returns an order for an optional question without a sample; it may be refused.
    fn venture(_: &Self::State, _: &mut Below<'_>) -> Option<Self::Order> {
        None
    }
}

/// A die roll, or a draw.
pub struct Die {
    pub label: String,
    pub range: (i64, i64),
    pub got: i64,
}

impl Die {
    /// Returns the number on it. Fails for a draw, which is told by name.
    pub fn number(&self) -> Vec<String> {
        assert!([(1, 6), (0, 9)].contains(&self.range), "how is the draw of \"{}\" told?", self.label);
        vec![self.got.to_string()]
    }
}

/// Returns the changes in a line like `VPs: US 3 (+1), Indians 2.`, in which the changes of a player
/// may have reasons.
pub fn points_of_both(line: &str) -> Vec<(String, i32, Option<i32>)> {
    let Some(told) = line.strip_prefix("VPs: ").and_then(|told| told.strip_suffix('.')) else { return Vec::new() };
    let mut depth = 0;
    let players = told.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    let one = |player: &str| {
        let (player, changes) = player.trim().split_once(" (").unwrap_or((player.trim(), "0"));
        let (who, total) = player.rsplit_once(' ').expect("a total");
        let number = |text: &str| text.parse::<i32>().unwrap_or_else(|_| panic!("{text} in {line}"));
        let changes = changes.trim_end_matches(')').split(", ").map(|one| number(one.split(' ').next().unwrap_or(one)));
        (who.to_owned(), changes.sum(), Some(number(total)))
    };
    players.map(one).collect()
}

/// Returns where the first of these phrases ends, as whole words, in the lines from a place on. Only
/// names are looked for in headings, because all headings have numbers.
fn find(lines: &[(bool, String)], from: (usize, usize), phrases: &[String]) -> Option<(usize, usize)> {
    let is_number = phrases.iter().all(|phrase| phrase.parse::<i64>().is_ok());
    let whole = |line: &str, start: usize, phrase: &str| {
        let within = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let mut found = line[start..].match_indices(phrase).map(|(at, _)| start + at);
        found.find(|&at| !within(line[..at].chars().last()) && !within(line[at + phrase.len()..].chars().next()))
    };
    lines.iter().enumerate().skip(from.0).filter(|(_, (heading, _))| !(*heading && is_number)).find_map(
        |(at, (_, line))| {
            let start = if at == from.0 { from.1 } else { 0 };
            let ends = phrases.iter().filter_map(|phrase| Some((whole(line, start, phrase)?, phrase.len())));
            ends.min_by_key(|&(first, length)| (first, std::cmp::Reverse(length)))
                .map(|(first, length)| (at, first + length))
        },
    )
}

/// A number of decisions greater than that of any game.
const ENDLESS: usize = 20_000;
/// A random player answers an optional question once in this many decisions.
const NOW_AND_THEN: u32 = 6;

/// Returns the number of games to play in a test: `few` by default, or `POSTRIDER_GAMES`.
pub fn games(few: u64) -> u64 {
    std::env::var("POSTRIDER_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

/// Returns `true` if a test should examine this position closely: one in three, or all on demand.
pub fn looks(below: &mut Below<'_>) -> bool {
    below(3) == 0 || games(0) > 0
}

/// Returns `true` if a test should examine this position of a game closely; see [`Tried::SELDOM`].
pub fn looks_at<G: Tried>(below: &mut Below<'_>) -> bool {
    (0..G::SELDOM).all(|_| looks(below))
}

/// Returns one of these, chosen at random, or all on demand.
pub fn some_of<T>(all: impl Iterator<Item = T>, below: &mut Below<'_>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    if games(0) == 0 {
        all = vec![all.swap_remove(below(all.len() as u32) as usize)];
    }
    all
}

/// Returns a setup that can be opened, with this number of seats, this scenario, and those of the
/// optional rules that can be used with it.
pub fn setup<G: Tried>(seats: u8, scenario: &str, on: &[&str]) -> Setup {
    let with = |on: &[&str]| Setup {
        seats,
        scenario: scenario.to_owned(),
        options: on.iter().map(|&name| (name.to_owned(), true.into())).collect(),
        components: G::rules().components().into(),
    };
    if opens::<G>(&with(on)) {
        return with(on);
    }
    let useful: Vec<&str> = on.iter().copied().filter(|&name| opens::<G>(&with(&[name]))).collect();
    with(&useful)
}

fn opens<G: Tried>(setup: &Setup) -> bool {
    G::rules().open(setup, Box::new(SeededChance::new(0)), Watch::NONE).is_ok()
}

/// Returns a source of random numbers for this use and seed.
pub fn random(what: &str, seed: u64) -> impl FnMut(u32) -> u32 + use<> {
    let mut stream = DiceStream::new(h("postrider/test/v1", &[what, &seed.to_string()]));
    move |n| stream.below(n)
}

/// A game in progress, with its decisions.
pub struct Whole<G: Tried> {
    pub setup: Setup,
    pub seed: u64,
    pub taken: Vec<Decision<G::Order>>,
    game: Box<dyn DynGame>,
    /// The heading of the last line of the story.
    heading: String,
    what: PhantomData<fn() -> G>,
}

/// Opens a game by the registry.
pub fn open<G: Tried>(setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Box<dyn DynGame> {
    G::rules().open(setup, chance, watch).unwrap_or_else(|why| panic!("{setup:?}: {why}"))
}

pub fn session<G: Tried>(game: &dyn DynGame) -> &Session<G> {
    game.any().and_then(|any| any.downcast_ref()).expect("the registry opens a session of the game")
}

pub fn submit<G: Game>(game: &mut dyn DynGame, decision: &Decision<G::Order>) -> Result<(), Rejected> {
    game.decide(decision.seat, decision.prompt, &AnyOrder::new(decision.order.clone()))
}

impl<G: Tried> Whole<G> {
    /// Sets up a game and runs it to its first questions.
    pub fn open(setup: Setup, seed: u64) -> Self {
        let game = open::<G>(&setup, Box::new(SeededChance::new(seed)), Watch::NONE);
        Whole { setup, seed, taken: Vec::new(), game, heading: String::new(), what: PhantomData }
    }
    /// Returns the dice since the last call, and the lines of the story, with `true` for headings.
    /// The first call starts the recording.
    fn story(&mut self) -> (Vec<Die>, Vec<(bool, String)>) {
        self.game.set_watch(Watch::ALL);
        let dice = self.game.take_events().into_iter().filter_map(|event| match event {
            Event::Rolled { label, low, high, got } => Some(Die { label: label.into_owned(), range: (low, high), got }),
            _ => None,
        });
        let (dice, mut lines) = (dice.collect(), Vec::new());
        for told in self.game.take_told() {
            if *self.heading != *told.under {
                self.heading = told.under.to_string();
                lines.push((true, self.heading.clone()));
            }
            lines.push((false, told.line));
        }
        (dice, lines)
    }
    /// Plays a game to its end with random players; `look` sees each position with a question.
    pub fn play(setup: Setup, seed: u64, mut look: impl FnMut(&Snapshot<G>)) -> Self {
        let mut game = Whole::open(setup, seed);
        let mut below = random("player", seed);
        while let Some(seen) = game.position() {
            look(seen);
            game.step(&mut below);
        }
        game
    }
    /// Plays a game to its end with random players and checks that the story tells all dice and
    /// draws in order: those of a step in its own lines or, after a question about one, in the next
    /// ones. Returns the number of dice for each label.
    pub fn tells_every_die(setup: Setup, seed: u64) -> BTreeMap<String, usize> {
        let game = open::<G>(&setup, Box::new(SeededChance::new(seed)), Watch::ALL);
        let mut game = Whole::<G> { game, ..Whole::open(setup, seed) };
        let mut below = random("told", seed);
        let (mut counts, mut untold) = (BTreeMap::new(), Vec::<Vec<String>>::new());
        loop {
            let (dice, lines) = game.story();
            for die in &dice {
                *counts.entry(die.label.clone()).or_default() += 1;
            }
            let late = untold.len();
            untold.extend(G::told(&game.look().state, &dice));
            let mut place = (0, 0);
            let told = untold.iter().take_while(|phrases| {
                let found = find(&lines, place, phrases);
                place = found.unwrap_or(place);
                found.is_some()
            });
            let told = told.count();
            let labels: Vec<&str> = dice.iter().map(|die| &*die.label).collect();
            assert!(lines.is_empty() || told >= late, "{}: {untold:?} of {labels:?} in {lines:#?}", game.at());
            untold.drain(..told);
            if game.position().is_none() {
                break;
            }
            game.step(&mut below);
        }
        assert!(untold.is_empty(), "{}: {untold:?}", game.at());
        counts
    }
    /// Lets a random player answer an open question.
    pub fn step(&mut self, below: &mut Below<'_>) {
        let seen = self.look();
        let at = |required: bool| seen.tickets.iter().enumerate().filter(move |(_, k)| k.required == required);
        let optional: Vec<usize> = at(false).map(|(at, _)| at).collect();
        let required: Vec<usize> = at(true).map(|(at, _)| at).collect();
        // Occasionally a player answers an optional question instead.
        let among = if !optional.is_empty() && below(NOW_AND_THEN) == 0 { optional } else { required };
        self.answer(among[below(among.len() as u32) as usize], below);
        assert!(self.taken.len() < ENDLESS, "{}: the game does not end", self.at());
    }
    /// Plays a game to its end with occasional rulings by a director; returns the number of
    /// accepted rulings. The rules must not break, and every position must be free of faults.
    pub fn ruled(setup: Setup, seed: u64) -> usize {
        let mut game = Whole::<G>::open(setup, seed);
        let (mut below, mut stood) = (random("ruled", seed), 0);
        while let Some(seen) = game.position() {
            if let Some(effect) = G::ruling(seen, &mut below) {
                match game.game.rule(&effect.to_string(), "The director rules:") {
                    Ok(()) => stood += 1,
                    Err(Rejected::Refused(_)) => {}
                    Err(why) => panic!("{}: {effect}: {why}", game.at()),
                }
                assert!(game.position().is_some(), "{}: {effect}", game.at());
            }
            game.step(&mut below);
        }
        stood
    }
    /// Describes the game and its progress, for messages.
    pub fn at(&self) -> String {
        let Setup { seats, scenario, options, .. } = &self.setup;
        let on: Vec<&str> = options.keys().map(String::as_str).collect();
        format!("{scenario} for {seats} {on:?}, seed {}, after {} decisions", self.seed, self.taken.len())
    }
    pub fn look(&self) -> &Snapshot<G> {
        let at = self.at();
        let session = session::<G>(&*self.game);
        assert_eq!(session.fault(), None, "{at}");
        session.look().unwrap_or_else(|why| panic!("{at}: {why}"))
    }
    /// Returns the position, or `None` if the game is over. Checks that it has no faults, and that
    /// a question is open.
    pub fn position(&self) -> Option<&Snapshot<G>> {
        let (at, over) = (self.at(), self.is_over());
        let last = self.taken.last().map(|decision| format!("{decision:?}"));
        let seen = self.look();
        let faults = G::faults(&seen.state);
        assert!(faults.is_empty(), "{at}, the last {last:?}: {faults:?}");
        if over {
            return None;
        }
        assert!(seen.tickets.iter().any(|ticket| ticket.required), "{at}: the game waits for nobody");
        Some(seen)
    }
    pub fn is_over(&self) -> bool {
        session::<G>(&*self.game).over().is_some()
    }
    pub fn end(&self) -> G::State {
        session::<G>(&*self.game).over().expect("the game is over").clone()
    }
    /// Submits a decision; returns `true` if the rules accept it. They must not break.
    pub fn take(&mut self, decision: Decision<G::Order>) -> bool {
        match submit::<G>(&mut *self.game, &decision) {
            Ok(()) => {
                self.taken.push(decision);
                true
            }
            Err(Rejected::Refused(_)) => false,
            Err(why) => panic!("{}: {decision:?}: {why}", self.at()),
        }
    }
    /// Answers an open question with a sample, which must be legal, or with a venture if there is
    /// no sample.
    pub fn answer(&mut self, ticket: usize, below: &mut Below<'_>) {
        let seen = self.look();
        let ticket = &seen.tickets[ticket];
        let (seat, prompt) = (ticket.seat, ticket.id);
        match ticket.prompt.sample(&seen.state, seat, below) {
            Some(order) => {
                let said = format!("{order:?}");
                assert!(self.take(Decision { seat, prompt, order }), "{}: {said} is refused", self.at());
            }
            None => {
                let (kind, rule) = (ticket.prompt.kind(), ticket.prompt.describe(&seen.state, seat).rule);
                assert!(!ticket.required, "{seat} is asked {kind} ({rule}), and no answer is legal");
                if let Some(order) = G::venture(&seen.state, below) {
                    self.take(Decision { seat, prompt, order });
                }
            }
        }
    }
    /// Checks that the same decisions with the recorded dice and cards result in the same game and
    /// the same story, and that each step uses its whole record. Returns the number of decisions.
    pub fn replays(&self) -> usize {
        let notes = Rc::new(RefCell::new(Recorded::default()));
        let chance = NotedChance::new(SeededChance::new(self.seed), notes.clone());
        let mut live = open::<G>(&self.setup, Box::new(chance), Watch::ALL);
        let mut steps = vec![notes.take()];
        for decision in &self.taken {
            submit::<G>(&mut *live, decision).expect("it was accepted before");
            steps.push(notes.take());
        }
        let record = Rc::new(RefCell::new(steps.remove(0)));
        let mut replay = open::<G>(&self.setup, Box::new(RecordedChance(record.clone())), Watch::ALL);
        for (decision, step) in self.taken.iter().zip(steps) {
            assert!(record.borrow().is_spent(), "{}: dice or cards are left over", self.at());
            record.replace(step);
            submit::<G>(&mut *replay, decision).expect("it was accepted live");
        }
        assert!(record.borrow().is_spent(), "{}: dice or cards are left over", self.at());
        assert_eq!(live.take_events(), replay.take_events(), "{}", self.at());
        assert_eq!(live.take_told(), replay.take_told(), "{}", self.at());
        let state = |game: &dyn DynGame| format!("{:?}", session::<G>(game).look().expect("a sound game").state);
        let lived = state(&*live);
        assert_eq!(lived, state(&*replay), "{}", self.at());
        assert_eq!(lived, format!("{:?}", self.look().state), "{}: a game that is told is the same", self.at());
        self.taken.len()
    }
    pub fn told(&self) -> Vec<String> {
        let chance = Box::new(SeededChance::new(self.seed));
        let mut live = open::<G>(&self.setup, chance, Watch::ALL);
        for decision in &self.taken {
            submit::<G>(&mut *live, decision).expect("it was accepted before");
        }
        live.take_told().into_iter().map(|told| told.line).collect()
    }
    pub fn onlookers(&self) -> impl Iterator<Item = Option<Seat>> + use<G> {
        (0..self.setup.seats).map(|seat| Some(Seat(seat))).chain([None])
    }
}
