//! Whole games of any game, and the sentences that must hold of every position on the way. Random players make them here,
//! rows of bytes in `tests/sentences`.

pub mod games;
pub mod hold;

use postrider::{
    dice::{DiceStream, h},
    table::{
        Below, Chance, Decision, DynGame, Event, Game, NotedChance, Recorded, RecordedChance, Rejected, Ruleset, Seat,
        SeededChance, Session, Setup, Snapshot, Watch, every_setup,
    },
};
use serde_json::Value;
use std::{cell::RefCell, fmt::Debug, marker::PhantomData, rc::Rc};

/// What whole games want of a game beyond its rules.
pub trait Tried: Game<State: Debug> {
    /// How many games the standard tests play.
    const TRIED: u64 = 8;
    /// A standard test that looks closely looks at one position of three to this power.
    const SELDOM: u32 = 1;
    /// Kinds of questions that are asked although they may have one possible answer.
    const IDLE: &'static [Self::Kind] = &[];
    /// Kinds of questions that are asked although their answer may not matter, since who is not
    /// asked would tell what he holds.
    const SILENT: &'static [Self::Kind] = &[];
    /// Its entry in the registry.
    fn rules() -> &'static dyn Ruleset;
    /// One of the ways to play it, by a number: all games of the box in turn, unless there are too
    /// many for that.
    fn way(n: u64) -> Setup {
        let mut all = every_setup(Self::rules());
        all.swap_remove(n as usize % all.len())
    }
    /// What a director might rule here; it may be refused.
    fn ruling(_: &Snapshot<Self>, _: &mut Below<'_>) -> Option<Value> {
        None
    }
    /// The words by which the story of a step tells its dice, in their order; none for what is drawn and told by name.
    fn told(_: &Self::State, dice: &[Die]) -> Vec<String> {
        dice.iter().map(|die| die.got.to_string()).collect()
    }
    /// An order to a question that waits for nobody and has no sample; it may be refused.
    fn venture(_: &Self::State, _: &mut Below<'_>) -> Option<Self::Order> {
        None
    }
}

/// A die that has been rolled.
pub struct Die {
    pub label: String,
    pub low: i64,
    pub got: i64,
}

/// More decisions than any game has.
const ENDLESS: usize = 20_000;
/// A random player turns to one of the questions for which nothing waits one time in so many.
const NOW_AND_THEN: u32 = 6;

/// How many games a test plays: many on demand (`POSTRIDER_GAMES=1000`), a few in every run.
pub fn games(few: u64) -> u64 {
    std::env::var("POSTRIDER_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

/// Whether a test looks at this position closely: at one of three, at each on demand.
pub fn looks(below: &mut Below<'_>) -> bool {
    below(3) == 0 || games(0) > 0
}

/// Whether a test looks closely at this position of a game, of which many are alike.
pub fn looks_at<G: Tried>(below: &mut Below<'_>) -> bool {
    (0..G::SELDOM).all(|_| looks(below))
}

/// One of these, chosen at random, or all on demand.
pub fn some_of<T>(all: impl Iterator<Item = T>, below: &mut Below<'_>) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    if games(0) == 0 {
        all = vec![all.swap_remove(below(all.len() as u32) as usize)];
    }
    all
}

/// A game that can be opened: so many seats, this scenario, and of the optional rules those that such a
/// game has a use for.
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

/// Random numbers for this use and seed.
pub fn random(what: &str, seed: u64) -> impl FnMut(u32) -> u32 + use<> {
    let mut stream = DiceStream::new(h("postrider/test/v1", &[what, &seed.to_string()]));
    move |n| stream.below(n)
}

/// A game under way, and the decisions that made it.
pub struct Whole<G: Tried> {
    pub setup: Setup,
    pub seed: u64,
    pub taken: Vec<Decision<G::Order>>,
    game: Opened<G>,
}

/// A game that the registry opened, with its types.
struct Opened<G>(Box<dyn DynGame>, PhantomData<fn() -> G>);

impl<G: Tried> Opened<G> {
    fn new(setup: &Setup, chance: Box<dyn Chance>, watch: Watch) -> Self {
        let dyn_game = G::rules().open(setup, chance, watch).unwrap_or_else(|why| panic!("{setup:?}: {why}"));
        Opened(dyn_game, PhantomData)
    }
    fn session(&mut self) -> &mut Session<G> {
        self.0.any().and_then(|any| any.downcast_mut()).expect("the registry opens a session of the game")
    }
}

impl<G: Tried> Whole<G> {
    /// Sets a game up and runs it to its first questions.
    pub fn open(setup: Setup, seed: u64) -> Self {
        let game = Opened::new(&setup, Box::new(SeededChance::new(seed)), Watch::NONE);
        Whole { setup, seed, taken: Vec::new(), game }
    }
    /// What has happened and been told since this was last asked for; it begins with the first time.
    pub fn story(&mut self) -> (Vec<Event>, Vec<String>) {
        let session = self.game.session();
        session.set_watch(Watch::ALL);
        (session.take_events(), session.take_told().into_iter().map(|told| told.line).collect())
    }
    /// Plays a game to its end by random players; `look` sees each position that somebody is asked in.
    pub fn play(setup: Setup, seed: u64, mut look: impl FnMut(&Snapshot<G>)) -> Self {
        let mut game = Whole::open(setup, seed);
        let mut below = random("player", seed);
        while let Some(seen) = game.position() {
            look(seen);
            game.step(&mut below);
        }
        game
    }
    /// Plays a game to its end by random players and makes sure that the story of each step tells its dice, in their
    /// order, or the next lines do, after a question about a die; gives the number of dice.
    pub fn tells_every_die(setup: Setup, seed: u64) -> usize {
        let mut game = Whole::<G>::open(setup, seed);
        let mut below = random("told", seed);
        let (mut count, mut untold): (usize, Vec<String>) = (0, Vec::new());
        game.story();
        while game.position().is_some() {
            game.step(&mut below);
            let (events, lines) = game.story();
            let rolled = events.into_iter().filter_map(|event| match event {
                Event::Rolled { label, low, got, .. } => Some(Die { label: label.into_owned(), low, got }),
                _ => None,
            });
            let dice: Vec<Die> = rolled.collect();
            count += dice.len();
            let mut words = lines.iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
            let late = untold.len();
            untold.extend(G::told(&game.look().state, &dice));
            let told = untold.iter().take_while(|&die| words.any(|word| word == die)).count();
            let labels: Vec<&str> = dice.iter().map(|die| &*die.label).collect();
            assert!(lines.is_empty() || told >= late, "{}: {untold:?} of {labels:?} in {lines:#?}", game.at());
            untold.drain(..told);
        }
        assert!(untold.is_empty(), "{}: {untold:?}", game.at());
        count
    }
    /// A random player answers an open question.
    pub fn step(&mut self, below: &mut Below<'_>) {
        let seen = self.look();
        let at = |required: bool| seen.tickets.iter().enumerate().filter(move |(_, k)| k.required == required);
        let optional: Vec<usize> = at(false).map(|(at, _)| at).collect();
        let required: Vec<usize> = at(true).map(|(at, _)| at).collect();
        // Now and then somebody does something at his desk instead.
        let among = if !optional.is_empty() && below(NOW_AND_THEN) == 0 { optional } else { required };
        self.answer(among[below(among.len() as u32) as usize], below);
        assert!(self.taken.len() < ENDLESS, "{}: the game does not end", self.at());
    }
    /// Plays a game to its end while a director rules now and then; gives how many rulings stood. The rules must not break, and
    /// every position must be without faults.
    pub fn ruled(setup: Setup, seed: u64) -> u32 {
        let mut game = Whole::<G>::open(setup, seed);
        let (mut below, mut stood) = (random("ruled", seed), 0);
        while let Some(seen) = game.position() {
            if let Some(effect) = G::ruling(seen, &mut below) {
                match game.game.session().rule(&effect, "The director rules:") {
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
    /// Which game this is and how far it has gone, for messages.
    pub fn at(&self) -> String {
        let Setup { seats, scenario, options, .. } = &self.setup;
        let on: Vec<&str> = options.keys().map(String::as_str).collect();
        format!("{scenario} for {seats} {on:?}, seed {}, after {} decisions", self.seed, self.taken.len())
    }
    /// The position and its questions.
    pub fn look(&mut self) -> &Snapshot<G> {
        let at = self.at();
        let session = self.game.session();
        assert_eq!(session.fault(), None, "{at}");
        session.look().unwrap_or_else(|why| panic!("{at}: {why}"))
    }
    /// The position, if the game is not over: without faults, and somebody is asked.
    pub fn position(&mut self) -> Option<&Snapshot<G>> {
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
    /// Whether the game has ended.
    pub fn is_over(&mut self) -> bool {
        self.game.session().over().is_some()
    }
    /// The last position.
    pub fn end(&mut self) -> G::State {
        self.game.session().over().expect("the game is over").clone()
    }
    /// Takes a decision; says whether the rules accept it. They must not break.
    pub fn take(&mut self, decision: Decision<G::Order>) -> bool {
        match self.game.session().submit(&decision) {
            Ok(()) => {
                self.taken.push(decision);
                true
            }
            Err(Rejected::Refused(_)) => false,
            Err(why) => panic!("{}: {decision:?}: {why}", self.at()),
        }
    }
    /// Answers one of the open questions with a sample, which must be legal, or where there is none with a venture.
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
    /// The same decisions over the recorded dice and cards make the same game, told in the same words; nothing of the record
    /// is left over at any step. Gives how many decisions there were.
    pub fn replays(&mut self) -> usize {
        let notes = Rc::new(RefCell::new(Recorded::default()));
        let chance = NotedChance::new(SeededChance::new(self.seed), notes.clone());
        let mut live = Opened::<G>::new(&self.setup, Box::new(chance), Watch::ALL);
        let mut steps = vec![notes.take()];
        for decision in &self.taken {
            live.session().submit(decision).expect("it was accepted before");
            steps.push(notes.take());
        }
        let record = Rc::new(RefCell::new(steps.remove(0)));
        let mut replay = Opened::<G>::new(&self.setup, Box::new(RecordedChance(record.clone())), Watch::ALL);
        for (decision, step) in self.taken.iter().zip(steps) {
            assert!(record.borrow().is_spent(), "{}: dice or cards are left over", self.at());
            record.replace(step);
            replay.session().submit(decision).expect("it was accepted live");
        }
        assert!(record.borrow().is_spent(), "{}: dice or cards are left over", self.at());
        let (live, replay) = (live.session(), replay.session());
        assert_eq!(live.take_events(), replay.take_events(), "{}", self.at());
        assert_eq!(live.take_told(), replay.take_told(), "{}", self.at());
        let state = |session: &mut Session<G>| format!("{:?}", session.look().expect("a sound game").state);
        let lived = state(live);
        assert_eq!(lived, state(replay), "{}", self.at());
        assert_eq!(lived, format!("{:?}", self.look().state), "{}: a game that is told is the same", self.at());
        self.taken.len()
    }
    /// The whole story of the game, line by line.
    pub fn told(&self) -> Vec<String> {
        let chance = Box::new(SeededChance::new(self.seed));
        let mut live = Opened::<G>::new(&self.setup, chance, Watch::ALL);
        for decision in &self.taken {
            live.session().submit(decision).expect("it was accepted before");
        }
        live.session().take_told().into_iter().map(|told| told.line).collect()
    }
    /// The seats at the table, and nobody.
    pub fn onlookers(&self) -> impl Iterator<Item = Option<Seat>> + use<G> {
        (0..self.setup.seats).map(|seat| Some(Seat(seat))).chain([None])
    }
}
