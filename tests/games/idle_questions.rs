//! A question is not asked if its answer cannot matter: over whole games, every question has two
//! answers that lead to different positions.

use crate::whole::{Tried, games, random, session, setup, submit};
use postrider::{
    dice::{Hash, sha256},
    table::{
        Bot, Bots, Chance, ChanceFault, Decision, DynGame, Kind, OpenTicket, PromptId, RANDOM, SeededChance, Setup,
        Shuffle, Watch,
    },
};
use std::{cell::Cell, collections::BTreeMap, fmt::Debug, rc::Rc};

/// Maximum number of answers tried for a question, and number of seeds tried after each. With some
/// dice an answer may make no difference, such as a shot that hits only on one face of six.
const ANSWERS: usize = 4;
const LUCKS: u64 = 24;

/// Dice of one seed, and from some moment on those of another.
struct Turning {
    first: SeededChance,
    then: SeededChance,
    turned: Rc<Cell<bool>>,
}

impl Chance for Turning {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        if self.turned.get() { &mut self.then } else { &mut self.first }.roll(label, low, high)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        // Shuffles always come from the first, which counts the epochs.
        self.first.shuffle(deck, list)
    }
}

fn after<G: Tried>(setup: &Setup, seed: u64, taken: &[Decision<G::Order>]) -> Box<dyn DynGame> {
    let mut game = G::rules().open(setup, Box::new(SeededChance::new(seed)), Watch::NONE).expect("it opens");
    taken.iter().for_each(|decision| submit::<G>(&mut *game, decision).expect("it was accepted before"));
    game
}

pub fn first_bot<G: Tried>() -> Option<Box<dyn Bot>> {
    G::rules().bot(G::rules().bots().first().unwrap_or(&RANDOM).name)
}

/// Number of default answers that follow, because rules may delay effects to the end of a step.
const BEHIND: usize = 8;

/// Returns a hash of the position and the open questions, now and after some default answers.
fn stands<G: Tried>(game: &mut dyn DynGame) -> Hash
where
    G::State: Debug,
{
    let mut all = String::new();
    for _ in 0..BEHIND {
        let session = session::<G>(game);
        let seen = session.look().expect("a sound game");
        let asked = |ticket: &OpenTicket<G>| {
            let text = ticket.prompt.describe(&seen.state, ticket.seat);
            format!("{} {} {text:?}", ticket.seat, ticket.prompt.kind())
        };
        let asked: Vec<String> = seen.tickets.iter().map(asked).collect();
        all.push_str(&sha256(format!("{:?} {asked:?}", seen.state).as_bytes()).to_string());
        let silent = seen.tickets.iter().find(|ticket| ticket.required);
        let order = silent.and_then(|ticket| Some((ticket, ticket.prompt.at_deadline(&seen.state, ticket.seat)?)));
        let Some((ticket, order)) = order else { break };
        let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
        submit::<G>(game, &decision).expect("it is legal");
    }
    sha256(all.as_bytes())
}

/// Examines `questions` questions of a game between steady bots; returns their number, and the
/// kinds of those that did not matter.
fn looked_at<G: Tried>(setup: &Setup, seed: u64, questions: usize) -> (usize, BTreeMap<&'static str, String>)
where
    G::State: Debug,
{
    let mut game = after::<G>(setup, seed, &[]);
    let mut bots = Bots::new((0..setup.seats).map(|_| first_bot::<G>()).collect());
    let mut below = random("matters", seed);
    let mut taken = Vec::new();
    while let Some(decision) = bots.decide(&*game, &mut below).expect("it goes on") {
        let order = decision.order.of::<G::Order>().expect("an order of this game").clone();
        game.decide(decision.asked.seat, decision.asked.id, &decision.order).expect("a legal order");
        taken.push(Decision { seat: decision.asked.seat, prompt: decision.asked.id, order });
        // Later questions are similar to earlier ones, and each requires a replay.
        if taken.len() > 600 {
            break;
        }
    }
    let (mut looked, mut idle) = (0, BTreeMap::new());
    for at in (0..taken.len()).step_by((taken.len() / questions).max(1)) {
        let game = after::<G>(setup, seed, &taken[..at]);
        let seen = session::<G>(&*game).look().expect("a sound game");
        let Some(ticket) = seen.tickets.iter().find(|ticket| ticket.id == taken[at].prompt && ticket.required) else {
            continue;
        };
        let kind = ticket.prompt.kind();
        let mut orders = vec![taken[at].order.clone()];
        for choice in ticket.prompt.options(&seen.state, ticket.seat) {
            if !orders.contains(&choice.order) && orders.len() < ANSWERS {
                orders.push(choice.order);
            }
        }
        if G::SILENT.contains(&kind) || orders.len() < 2 {
            continue;
        }
        looked += 1;
        let before: Vec<PromptId> = seen.tickets.iter().map(|ticket| ticket.id).collect();
        let come = |order: &G::Order, luck: u64| {
            let turned = Rc::new(Cell::new(false));
            let chance = Turning {
                first: SeededChance::new(seed),
                then: SeededChance::new(1_000 + luck),
                turned: turned.clone(),
            };
            let mut game = G::rules().open(setup, Box::new(chance), Watch::NONE).expect("it opens");
            taken[..at].iter().for_each(|decision| submit::<G>(&mut *game, decision).expect("it was accepted before"));
            turned.set(true);
            let decision = Decision { seat: taken[at].seat, prompt: taken[at].prompt, order: order.clone() };
            submit::<G>(&mut *game, &decision).expect("a listed answer is legal");
            // Simultaneous questions to others must be answered before there is an effect.
            loop {
                let seen = session::<G>(&*game).look().expect("a sound game");
                let beside = seen.tickets.iter().find(|ticket| ticket.required && before.contains(&ticket.id));
                let Some(ticket) = beside else { break };
                let order = ticket.prompt.at_deadline(&seen.state, ticket.seat).expect("silence has an answer");
                let decision = Decision { seat: ticket.seat, prompt: ticket.id, order };
                submit::<G>(&mut *game, &decision).expect("and it is legal");
            }
            stands::<G>(&mut *game)
        };
        let differs = |luck| {
            let first = come(&orders[0], luck);
            orders[1..].iter().any(|order| come(order, luck) != first)
        };
        if !(0..LUCKS).any(differs) {
            idle.insert(kind.name(), format!("seed {seed}, decision {at}: {orders:?}"));
        }
    }
    (looked, idle)
}

/// The standard test for idle questions, with the smallest number of players greater than one.
pub fn no_answer_is_asked_for_nothing<G: Tried>() {
    let rules = G::rules();
    let questions = if G::SELDOM > 1 { 40 } else { 60 };
    let seats = rules.seats().find(|&seats| seats > 1).unwrap_or(1);
    let scenario = |seed: u64| rules.scenarios()[seed as usize % rules.scenarios().len()];
    for seed in 0..games(1) {
        let (looked, idle) = looked_at::<G>(&setup::<G>(seats, scenario(seed), &[]), seed, questions);
        println!("{looked} questions");
        assert!(looked >= questions / 3, "only {looked} questions");
        assert!(idle.is_empty(), "{idle:#?}");
    }
}
