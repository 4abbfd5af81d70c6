//! Questions and their timing reveal no hidden information.
//!
//! A whole game is played twice with the same decisions and dice. In the second game two cards of
//! one deck that were not shown are exchanged. As long as neither is shown, and the holders only do
//! what would be possible with the other card, everything that other players learn must be the
//! same: the story, the lines of the journal, and the questions to each seat. A question that is
//! asked in only one of the games would reveal the holder of the card. So would a standing order
//! that depends on it, so the facts for conditions must be the same as well, including those of the
//! holder.
//!
//! `POSTRIDER_GAMES=40` plays more games.

use crate::{
    standard::enough,
    whole::{Tried, games, random, setup, submit},
};
use postrider::{
    dice::sha256,
    games::plains::Plains,
    standing::Fact,
    table::{
        Bots, Chance, ChanceFault, Decision, DynGame, Event, Game, PromptId, RANDOM, Rejected, Seat, SeededChance,
        Setup, Shuffle, Told, Watch, Whom,
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    marker::PhantomData,
};

/// Number of pairs of cards exchanged in a game.
const PAIRS: usize = 16;

/// Two positions of one shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Swap {
    deck: &'static str,
    epoch: u32,
    one: usize,
    other: usize,
}

/// Seeded dice and shuffles, with two cards exchanged.
struct Exchanged(SeededChance, Option<Swap>);

impl Chance for Exchanged {
    fn roll(&mut self, label: &'static str, low: i64, high: i64) -> Result<i64, ChanceFault> {
        self.0.roll(label, low, high)
    }
    fn shuffle(&mut self, deck: &'static str, list: &[String]) -> Result<Shuffle, ChanceFault> {
        let mut shuffle = self.0.shuffle(deck, list)?;
        if let Some(swap) = self.1.filter(|swap| (swap.deck, swap.epoch) == (deck, shuffle.epoch)) {
            shuffle.order.swap(swap.one, swap.other);
        }
        Ok(shuffle)
    }
}

/// An open question, as far as other players could learn of it.
#[derive(Clone, Debug, PartialEq)]
struct Open {
    id: PromptId,
    seat: Seat,
    kind: &'static str,
    required: bool,
    /// `true` if its seat is told at once, which only that seat learns.
    urgent: bool,
    facts: Vec<Fact>,
}

/// The public results of a step, and the open questions after it.
#[derive(Clone, Debug, PartialEq, Default)]
struct Step {
    told: Vec<Told>,
    events: Vec<Event>,
    open: Vec<Open>,
    /// The kind of question that was answered.
    kind: &'static str,
}

/// A game in progress.
struct World<G> {
    game: Box<dyn DynGame>,
    /// `true` to add a fact to each question that reveals the first seat's view, to test the
    /// comparison.
    tells: bool,
    what: PhantomData<G>,
}

impl<G: Tried> World<G> {
    fn open(setup: &Setup, seed: u64, swap: Option<Swap>, tells: bool) -> Self {
        let chance = Exchanged(SeededChance::new(seed), swap);
        let game = G::rules().open(setup, Box::new(chance), Watch::ALL).expect("it opens");
        World { game, tells, what: PhantomData }
    }
    fn take(&mut self, decision: &Decision<G::Order>) -> Result<(), Rejected> {
        submit::<G>(&mut *self.game, decision)
    }
    fn step(&mut self) -> Step {
        let mut told = self.game.take_told();
        told.retain(|told| told.whom == Whom::All);
        let events = self.game.take_events();
        let asked = self.game.asked().expect("a sound game");
        let seen = self.tells.then(|| self.game.view(Some(Seat(0))).expect("a sound game").to_string());
        let [a, b, c, d, ..] = seen.map_or([0; 32], |seen| sha256(seen.as_bytes()).0);
        let telling = Fact::number("seen", u32::from_be_bytes([a, b, c, d]));
        let open = asked.into_iter().map(|asked| Open {
            id: asked.id,
            seat: asked.seat,
            kind: asked.kind,
            required: asked.required,
            urgent: asked.urgent,
            facts: match asked.required {
                true => {
                    self.game.facts(asked.id, None).into_iter().chain(self.tells.then(|| telling.clone())).collect()
                }
                false => Vec::new(),
            },
        });
        Step { told, events, open: open.collect(), kind: self.game.answered() }
    }
}

fn played<G: Tried>(setup: &Setup, seed: u64, bot: &str) -> Vec<Decision<G::Order>> {
    let mut world = World::<G>::open(setup, seed, None, false);
    let mut bots = Bots::new((0..setup.seats).map(|_| G::rules().bot(bot)).collect());
    let mut below = random("silent", seed);
    let mut taken = Vec::new();
    while let Some(decision) = bots.decide(&*world.game, &mut below).expect("it goes on") {
        let order = decision.order.of::<G::Order>().expect("an order of this game").clone();
        world.game.decide(decision.asked.seat, decision.asked.id, &decision.order).expect("a legal order");
        taken.push(Decision { seat: decision.asked.seat, prompt: decision.asked.id, order });
    }
    assert!(world.game.outcome().is_some(), "it comes to its end");
    taken
}

/// A card of a shuffle: its holder, the step in which it was dealt, and the step in which it was
/// shown.
#[derive(Clone, Default)]
struct Card {
    holder: Option<Seat>,
    dealt: usize,
    shown: Option<usize>,
}

/// Every shuffle by deck and epoch, with its step and its cards.
type Shuffles = BTreeMap<(&'static str, u32), (usize, Vec<Card>)>;

/// An entry of [`Shuffles`].
type Dealing = ((&'static str, u32), (usize, Vec<Card>));

fn shuffles(steps: &[Step]) -> Shuffles {
    fn cards<'s>(all: &'s mut Shuffles, deck: &'static str, epoch: u32) -> &'s mut Vec<Card> {
        &mut all.get_mut(&(deck, epoch)).expect("it was shuffled").1
    }
    let mut all = Shuffles::new();
    for (at, event) in steps.iter().enumerate().flat_map(|(at, step)| step.events.iter().map(move |event| (at, event)))
    {
        match event {
            Event::Shuffled { deck, epoch, list } => {
                _ = all.insert((deck, *epoch), (at, vec![Card { dealt: at, ..Card::default() }; list.len()]));
            }
            Event::Dealt { deck, epoch, seat, from, count } => {
                let dealt = &mut cards(&mut all, deck, *epoch)[*from..from + count];
                dealt.iter_mut().for_each(|card| (card.holder, card.dealt) = (*seat, at));
            }
            Event::Shown { deck, epoch, pos, .. } => {
                _ = cards(&mut all, deck, *epoch)[*pos].shown.get_or_insert(at);
            }
            Event::Revealed { deck, epoch } => {
                cards(&mut all, deck, *epoch).iter_mut().for_each(|card| _ = card.shown.get_or_insert(at));
            }
            Event::Rolled { .. } | Event::Round { .. } => {}
        }
    }
    all
}

/// The findings.
#[derive(Default, Debug)]
struct Found {
    /// Number of steps after an exchange in which everything was the same.
    same: usize,
    /// Number of exchanges after which everything was the same until one of the cards was shown.
    whole: usize,
    /// Questions and facts that reveal hidden information; the first of each kind.
    leaks: BTreeMap<String, String>,
}

/// Returns `true` if the public results of a step are the beginning of those of the other.
fn begins(step: &Step, other: &Step) -> bool {
    other.told.starts_with(&step.told) && other.events.starts_with(&step.events)
}

/// A finished game, and the shuffles in which cards can be exchanged.
struct Base<G: Game> {
    setup: Setup,
    seed: u64,
    tells: bool,
    taken: Vec<Decision<G::Order>>,
    steps: Vec<Step>,
    shuffles: Vec<Dealing>,
}

impl<G: Tried> Base<G> {
    fn play(setup: Setup, seed: u64, bot: &str, tells: bool) -> Self {
        let taken = played::<G>(&setup, seed, bot);
        let mut world = World::<G>::open(&setup, seed, None, tells);
        let mut steps = vec![world.step()];
        for decision in &taken {
            world.take(decision).expect("it was accepted before");
            steps.push(world.step());
        }
        let mut shuffles: Vec<_> = shuffles(&steps).into_iter().collect();
        shuffles.retain(|(_, (_, cards))| cards.len() > 1);
        Base { setup, seed, tells, taken, steps, shuffles }
    }

    /// Exchanges this number of pairs of cards, one after the other.
    fn exchange(&self, pairs: usize, found: &mut Found) {
        let mut below = random("pairs", self.seed);
        for _ in 0..pairs {
            let ((deck, epoch), (at, cards)) = &self.shuffles[below(self.shuffles.len() as u32) as usize];
            let [one, other] = [(); 2].map(|()| below(cards.len() as u32) as usize);
            let (a, b) = (&cards[one], &cards[other]);
            let hidden = |card: &Card| card.shown.is_none_or(|shown| shown > *at + 1);
            if one != other && (a.holder, a.dealt) != (b.holder, b.dealt) && hidden(a) && hidden(b) {
                self.compare(Swap { deck, epoch: *epoch, one, other }, (*at, [a, b]), found);
            }
        }
    }

    fn compare(&self, swap: Swap, (from, cards): (usize, [&Card; 2]), found: &mut Found) {
        let holders: BTreeSet<Seat> = cards.iter().filter_map(|card| card.holder).collect();
        let until = cards.iter().filter_map(|card| card.shown).min().unwrap_or(self.steps.len());
        let mut world = World::<G>::open(&self.setup, self.seed, Some(swap), self.tells);
        world.step();
        for (n, (decision, then)) in self.taken.iter().zip(&self.steps[1..]).enumerate().take(until - 1) {
            match world.take(decision) {
                Ok(()) => {}
                // The decision is impossible with the other card, so others learn of the card from
                // the decision.
                Err(Rejected::Refused(_)) => return,
                Err(why) => panic!("{swap:?}: {why}"),
            }
            let mut now = world.step();
            if n + 1 < from {
                continue;
            }
            let mut then = then.clone();
            for open in now.open.iter_mut().chain(&mut then.open).filter(|open| holders.contains(&open.seat)) {
                open.urgent = false;
            }
            // The rules have revealed it, for example because a card is `No Event` without a Tribe,
            // or because the seat asked for a Tribe has one. If one story is only the beginning of
            // the other, nothing was revealed: one of the games has stopped to ask.
            if !(begins(&now, &then) || begins(&then, &now)) {
                return;
            }
            if now != then {
                let kinds = |step: &Step| {
                    step.open.iter().filter(|open| open.required).map(|open| open.kind).collect::<Vec<_>>()
                };
                let what = format!("{} after {}: {:?} or {:?}", swap.deck, then.kind, kinds(&then), kinds(&now));
                let Setup { seats, scenario, .. } = &self.setup;
                found.leaks.entry(what).or_insert_with(|| {
                    let told: Vec<&str> = then.told.iter().map(|told| told.line.as_str()).collect();
                    format!("{scenario} for {seats}, seed {}, decision {n}, {swap:?}: {told:?}", self.seed)
                });
                return;
            }
            found.same += 1;
        }
        found.whole += 1;
    }
}

fn games_of<G: Tried>(found: &mut Found, tells: bool, seeds: u64) {
    let rules = G::rules();
    let option: Vec<&str> = rules.options().iter().take(1).map(|option| option.name).collect();
    for seed in 0..seeds {
        for seats in rules.seats().filter(|&seats| seats > 1) {
            let scenario = rules.scenarios()[(seed as usize + usize::from(seats) + 1) % rules.scenarios().len()];
            let setup = setup::<G>(seats, scenario, &option);
            let bot = rules.bots().first().filter(|_| seed % 2 == 1).unwrap_or(&RANDOM);
            Base::<G>::play(setup, seed, bot.name, tells).exchange(PAIRS, found);
        }
    }
}

/// The standard test for hidden cards.
pub fn no_question_tells_what_is_hidden<G: Tried>() {
    if G::rules().decks().is_empty() {
        return;
    }
    let mut found = Found::default();
    games_of::<G>(&mut found, false, games(2));
    println!("{found:#?}");
    assert!(found.leaks.is_empty(), "{:#?}", found.leaks);
    enough("steps after an exchange", found.same);
    assert!(found.whole > 0, "{found:?}");
}

#[test]
fn the_comparison_notices_a_question_that_tells() {
    let mut found = Found::default();
    games_of::<Plains>(&mut found, true, 1);
    assert!(!found.leaks.is_empty(), "{found:?}");
}
