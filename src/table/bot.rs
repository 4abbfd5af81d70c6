//! Players that are programs.
//!
//! A [`Bot`] answers the questions of a running game for one seat. The caller that runs the game
//! asks it ([`Bots::decide`]) and submits its orders to the rules like those of any player. A
//! game's own bot implements [`Mind`]: it is shown a position in which everything that its seat
//! cannot know is made up ([`Game::masked`]), so it cannot use hidden information, no matter how it
//! is written.

use super::{
    AnyOrder, AnyPrompt, Asked, Choice, Description, DynGame, Game, PickOrder, PromptId, Refusal, Rejected, Seat,
    Session, refuse,
};
use postrider_orders::{Misread, Phrase};
use postrider_standing::Fact;
use std::{
    collections::{BTreeSet, VecDeque},
    marker::PhantomData,
};

/// A source of uniform random numbers from 0 to n − 1.
pub type Below<'b> = dyn FnMut(u32) -> u32 + 'b;

/// A program that plays for one seat.
pub trait Bot {
    /// Returns an order for an open question of the bot's seat, or `None` if it does not answer. If
    /// the game is waiting for the answer, `None` means that the bot knows none.
    fn answer(&mut self, game: &dyn DynGame, asked: &Asked, below: &mut Below<'_>) -> Option<AnyOrder>;
    /// Returns up to `most` orders for an open question, best first: each is the bot's answer if
    /// those before it were not legal. Returns fewer if the bot has no opinion on the others.
    fn ranked(&mut self, game: &dyn DynGame, asked: &Asked, below: &mut Below<'_>, _most: usize) -> Vec<AnyOrder> {
        self.answer(game, asked, below).into_iter().collect()
    }
}

/// A bot as listed in a ruleset.
#[derive(Clone, Copy)]
pub struct NamedBot {
    /// The name on the command line, such as `steady`.
    pub name: &'static str,
    /// The style of play, in a few words.
    pub about: &'static str,
    /// Creates an instance for one seat of one game.
    pub make: fn() -> Box<dyn Bot>,
}

impl std::fmt::Debug for NamedBot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The bot available in every game.
pub const RANDOM: NamedBot = NamedBot { name: "random", about: "picks any legal answer", make: || Box::new(RandomBot) };

/// A bot that gives any legal order. It answers optional questions only occasionally, so that
/// offers do not swamp the game.
struct RandomBot;

/// The bot answers one in this many optional questions.
const NOW_AND_THEN: u32 = 4;

impl Bot for RandomBot {
    fn answer(&mut self, game: &dyn DynGame, asked: &Asked, below: &mut Below<'_>) -> Option<AnyOrder> {
        if !asked.required && below(NOW_AND_THEN) > 0 {
            return None;
        }
        game.sample(asked.id, below)
    }
}

/// A question as seen by a [`Mind`].
pub struct Question<'q, G: Game> {
    /// The position, with everything hidden from the seat made up.
    pub state: &'q G::State,
    /// The seat that is asked.
    pub seat: Seat,
    /// The question. It describes `state` just as it would describe the true position.
    pub prompt: &'q dyn AnyPrompt<G>,
    /// `true` if the game waits for the answer.
    pub required: bool,
}

impl<G: Game> Question<'_, G> {
    /// Returns `true` if the rules would accept this order.
    pub fn is_legal(&self, order: &G::Order) -> bool {
        self.prompt.check(self.state, self.seat, order).is_ok()
    }
    /// Returns the orders that the question lists.
    pub fn orders(&self) -> impl Iterator<Item = G::Order> {
        self.prompt.options(self.state, self.seat).into_iter().map(|choice| choice.order)
    }
    /// Returns the listed order of the highest worth, the first among equals, or `None` if `worth`
    /// returns `None` for all of them.
    pub fn best(&self, mut worth: impl FnMut(&G::Order) -> Option<f64>) -> Option<G::Order> {
        let appraised = self.orders().filter_map(|order| worth(&order).map(|worth| (order, worth)));
        best(appraised).map(|(order, _)| order)
    }
    /// Returns the legal order of the highest worth, the first among equals.
    pub fn best_legal(&self, mut appraised: Vec<(G::Order, f64)>) -> Option<G::Order> {
        appraised.sort_by(|a, b| b.1.total_cmp(&a.1));
        appraised.into_iter().map(|(order, _)| order).find(|order| self.is_legal(order))
    }
    /// Returns the pick with this name if it is legal.
    pub fn pick(&self, key: &str) -> Option<G::Order>
    where
        G::Order: PickOrder,
    {
        Some(G::Order::pick(key.to_owned())).filter(|order| self.is_legal(order))
    }
    /// Returns the first legal pick among these names.
    pub fn pick_first(&self, keys: &[&str]) -> Option<G::Order>
    where
        G::Order: PickOrder,
    {
        keys.iter().find_map(|key| self.pick(key))
    }
}

/// A bot of one game, written against the game's own types.
pub trait Mind<G: Game> {
    /// Returns an order, or `None` for no opinion. If the game does not wait for the answer, `None`
    /// leaves the question unanswered.
    fn answer(&mut self, question: &Question<'_, G>, below: &mut Below<'_>) -> Option<G::Order>;
}

/// Returns the item of the highest worth and its worth; the first among equals.
pub fn best<A>(among: impl IntoIterator<Item = (A, f64)>) -> Option<(A, f64)> {
    let mut best: Option<(A, f64)> = None;
    for (one, worth) in among {
        if best.as_ref().is_none_or(|(_, most)| worth > *most) {
            best = Some((one, worth));
        }
    }
    best
}

/// A [`Mind`] as a [`Bot`]. If the game waits for an answer and the mind has none or an illegal
/// one, a random legal order is given.
pub struct Thinking<G, M>(M, PhantomData<fn() -> G>);

impl<G: Game, M: Mind<G>> Thinking<G, M> {
    /// Wraps a mind.
    pub fn new(mind: M) -> Self {
        Thinking(mind, PhantomData)
    }
}

impl<G: Game, M: Mind<G>> Bot for Thinking<G, M> {
    fn answer(&mut self, game: &dyn DynGame, asked: &Asked, below: &mut Below<'_>) -> Option<AnyOrder> {
        let session = game.any()?.downcast_ref::<Session<G>>()?;
        let seen = session.look().ok()?;
        let ticket = seen.tickets.iter().find(|ticket| ticket.id == asked.id)?;
        let (seat, prompt) = (ticket.seat, &*ticket.prompt);
        let state = G::masked(&seen.state, Some(seat), below);
        let legal = |order: &G::Order| prompt.check(&seen.state, seat, order).is_ok();
        let question = Question { state: &state, seat, prompt, required: ticket.required };
        let opinion = self.0.answer(&question, below).filter(legal);
        let order = match opinion {
            None if ticket.required => {
                let sample = prompt.sample(&state, seat, below).filter(legal);
                sample.or_else(|| prompt.sample(&seen.state, seat, below))
            }
            opinion => opinion,
        };
        order.map(AnyOrder::new)
    }
    fn ranked(&mut self, game: &dyn DynGame, asked: &Asked, below: &mut Below<'_>, most: usize) -> Vec<AnyOrder> {
        let Some(seen) = game.any().and_then(|game| game.downcast_ref::<Session<G>>()?.look().ok()) else {
            return Vec::new();
        };
        let Some(ticket) = seen.tickets.iter().find(|ticket| ticket.id == asked.id) else { return Vec::new() };
        let state = G::masked(&seen.state, Some(ticket.seat), below);
        let mut without = Without { prompt: &*ticket.prompt, taken: Vec::new() };
        while without.taken.len() < most {
            let question = Question { state: &state, seat: ticket.seat, prompt: &without, required: ticket.required };
            let opinion = self.0.answer(&question, below);
            let legal = |order: &G::Order| without.check(&seen.state, ticket.seat, order).is_ok();
            let Some(order) = opinion.filter(legal) else { break };
            without.taken.push(order);
        }
        without.taken.into_iter().map(AnyOrder::new).collect()
    }
}

/// A question with some of its legal orders removed.
struct Without<'q, G: Game> {
    prompt: &'q dyn AnyPrompt<G>,
    taken: Vec<G::Order>,
}

impl<G: Game> AnyPrompt<G> for Without<'_, G> {
    fn kind(&self) -> G::Kind {
        self.prompt.kind()
    }
    fn check(&self, g: &G::State, seat: Seat, order: &G::Order) -> Result<(), Refusal> {
        match self.taken.contains(order) {
            true => refuse("-", "this answer is left out"),
            false => self.prompt.check(g, seat, order),
        }
    }
    fn describe(&self, g: &G::State, seat: Seat) -> Description {
        self.prompt.describe(g, seat)
    }
    fn read(&self, g: &G::State, seat: Seat, said: &Phrase) -> Result<G::Order, Misread> {
        self.prompt.read(g, seat, said)
    }
    fn options(&self, g: &G::State, seat: Seat) -> Vec<Choice<G::Order>> {
        let mut options = self.prompt.options(g, seat);
        options.retain(|choice| !self.taken.contains(&choice.order));
        options
    }
    fn sample(&self, g: &G::State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<G::Order> {
        self.prompt.sample(g, seat, below).filter(|order| !self.taken.contains(order))
    }
    fn at_deadline(&self, g: &G::State, seat: Seat) -> Option<G::Order> {
        self.prompt.at_deadline(g, seat).filter(|order| !self.taken.contains(order))
    }
    fn urgent(&self, g: &G::State, seat: Seat) -> bool {
        self.prompt.urgent(g, seat)
    }
    fn facts(&self, g: &G::State, seat: Seat, order: Option<&G::Order>) -> Vec<Fact> {
        self.prompt.facts(g, seat, order)
    }
    fn cautions(&self, g: &G::State, seat: Seat, order: &G::Order) -> Vec<String> {
        self.prompt.cautions(g, seat, order)
    }
    fn dangers(&self, g: &G::State, seat: Seat, order: &G::Order) -> Vec<String> {
        self.prompt.dangers(g, seat, order)
    }
    fn say(&self, g: &G::State, seat: Seat, order: &G::Order) -> Option<String> {
        self.prompt.say(g, seat, order)
    }
}

/// The decision of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotDecision {
    /// The question answered.
    pub asked: Asked,
    /// The answer.
    pub order: AnyOrder,
}

/// The bots of a table, by seat.
#[derive(Default)]
pub struct Bots {
    seats: Vec<Option<Box<dyn Bot>>>,
    /// The required questions for which the seats' optional questions have already been offered.
    /// They are offered once per required question; otherwise two bots could offer and refuse
    /// forever.
    beside: BTreeSet<PromptId>,
    /// The most recent answers, as seat and kind, oldest first.
    lately: VecDeque<(Seat, &'static str)>,
}

/// Number of recent answers examined for a cycle: bots are in a cycle if these are answers to at
/// most `FEW` different questions.
const CIRCLE: usize = 400;
/// Maximum number of different questions, as pairs of seat and kind, that make up a cycle.
const FEW: usize = 3;

impl Bots {
    /// Creates the bots of a table, one per seat from the first seat on; `None` if a person plays
    /// the seat.
    pub fn new(seats: Vec<Option<Box<dyn Bot>>>) -> Bots {
        Bots { seats, beside: BTreeSet::new(), lately: VecDeque::new() }
    }
    /// Returns the next decision of a bot, or `None` if the game waits for none of them. Nothing is
    /// submitted. Urgent optional questions come first; other optional questions are offered to a
    /// bot together with a question that it must answer.
    ///
    /// # Errors
    ///
    /// Returns [`Rejected`] if the game is broken, or if it waits for the answer to a question
    /// without legal answers; the error names the seat, the kind and the rule.
    pub fn decide(&mut self, game: &dyn DynGame, below: &mut Below<'_>) -> Result<Option<BotDecision>, Rejected> {
        let mut mine = game.asked()?;
        mine.retain(|asked| self.seats.get(asked.seat.index()).is_some_and(Option::is_some));
        let mut fresh = Vec::new();
        for asked in mine.iter().filter(|asked| asked.required) {
            if self.beside.insert(asked.id) {
                fresh.push(asked.seat);
            }
        }
        mine.retain(|asked| asked.urgent || fresh.contains(&asked.seat));
        // Optional questions first; the sort is stable.
        mine.sort_by_key(|asked| asked.required);
        for asked in mine {
            let Some(Some(bot)) = self.seats.get_mut(asked.seat.index()) else { continue };
            // A random answer breaks the cycle.
            let answer = match self.lately.len() {
                CIRCLE if self.lately.iter().collect::<BTreeSet<_>>().len() <= FEW => game.sample(asked.id, below),
                _ => bot.answer(game, &asked, below),
            };
            if let Some(order) = answer {
                self.lately.push_back((asked.seat, asked.kind));
                if self.lately.len() > CIRCLE {
                    self.lately.pop_front();
                }
                return Ok(Some(BotDecision { asked, order }));
            }
            // A fault in the rules: the game would wait forever.
            if asked.required
                && let Some(listed) = game.listed(asked.id)?.filter(|listed| listed.choices.is_empty())
            {
                let why = format!("@{} is asked {}, and no answer is legal", asked.seat, asked.kind);
                return Err(Refusal { rule: listed.text.rule, why }.into());
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counted, Outcome, Prompt, Rules, SeededChance, Standing, Table, Watch};
    use serde::{Deserialize, Serialize};
    use serde_json::{Value, json};

    /// Each seat holds a coin worth 0 to 9 and guesses the other's. A guess of 10 is refused.
    struct Guessing;

    #[derive(Clone, Debug, Default)]
    struct Coins {
        held: [u32; 2],
        said: Vec<u32>,
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Guess {
        coin: u32,
    }

    crate::kinds! {
        enum Ask {
            ahead { Guess = "guess" }
        }
    }

    struct HisCoin;
    impl Prompt<Guessing> for HisCoin {
        type Answer = u32;
        fn kind(&self) -> Ask {
            Ask::Guess
        }
        fn accept(&self, _: &Coins, _: Seat, order: &Guess) -> Result<u32, Refusal> {
            if order.coin < 10 { Ok(order.coin) } else { refuse("1", "a coin is 0 to 9") }
        }
        fn describe(&self, _: &Coins, _: Seat) -> Description {
            Description::new("His coin", "1")
        }
        fn read(&self, _: &Coins, _: Seat, said: &Phrase) -> Result<Guess, Misread> {
            Err(said.reader().fail("a number"))
        }
        fn options(&self, _: &Coins, _: Seat) -> Vec<Choice<Guess>> {
            vec![Choice::new(Guess { coin: 0 }, "0")]
        }
    }

    impl Game for Guessing {
        type State = Coins;
        type Order = Guess;
        type Kind = Ask;
        fn play(t: Table<Self>, mut g: Coins) -> Rules<Self> {
            Box::pin(async move {
                for _ in 0..3 {
                    let said = t.all(&mut g, vec![t.open(Seat(0), HisCoin), t.open(Seat(1), HisCoin)]).await;
                    g.said.extend(said);
                }
                g
            })
        }
        fn masked(g: &Coins, seat: Option<Seat>, below: &mut Below<'_>) -> Coins {
            let mut other = g.clone();
            for (held, owner) in other.held.iter_mut().zip([Seat(0), Seat(1)]) {
                if seat != Some(owner) {
                    *held = below(10);
                }
            }
            other
        }
        fn view(g: &Coins, seat: Option<Seat>) -> Value {
            json!({ "held": seat.map(|seat| g.held[seat.index()]) })
        }
        fn outcome(g: &Coins) -> Outcome {
            let said = |seat: Seat| Standing::new(seat, g.said.iter().skip(seat.index()).step_by(2).sum::<u32>());
            Outcome::by_points(Counted::more("coins said"), [Seat(0), Seat(1)].map(said), "said most (1)")
        }
    }

    /// Guesses the coin that it sees in the other hand, plus a constant.
    struct Peeping(u32);
    impl Mind<Guessing> for Peeping {
        fn answer(&mut self, question: &Question<'_, Guessing>, _: &mut Below<'_>) -> Option<Guess> {
            assert!(question.required);
            Some(Guess { coin: question.state.held[1 - question.seat.index()] + self.0 })
        }
    }

    fn said(held: [u32; 2], plus: u32) -> Vec<u32> {
        let state = Coins { held, said: Vec::new() };
        let mut game = Session::<Guessing>::start(state, Box::new(SeededChance::new(1)), Watch::NONE);
        let bot = || Some(Box::new(Thinking::<Guessing, _>::new(Peeping(plus))) as Box<dyn Bot>);
        let mut bots = Bots::new(vec![bot(), bot()]);
        let mut last = 0;
        while let Some(BotDecision { asked, order }) = bots
            .decide(&game, &mut |n| {
                last = (last + 3) % n;
                last
            })
            .expect("nothing breaks")
        {
            game.decide(asked.seat, asked.id, &order).expect("a legal order");
        }
        game.over().expect("three Rounds are the game").said.clone()
    }

    #[test]
    fn a_mind_plays_by_nothing_that_is_hidden_from_it() {
        let once = said([4, 7], 0);
        assert_eq!(once.len(), 6);
        for held in [[0, 0], [9, 1], [3, 3]] {
            assert_eq!(said(held, 0), once, "{held:?}");
        }
    }

    #[test]
    fn an_illegal_opinion_is_replaced_by_a_legal_order() {
        assert_eq!(said([4, 7], 10), [0; 6]);
    }

    #[test]
    fn nobody_is_asked_where_people_play() {
        let game = Session::<Guessing>::start(Coins::default(), Box::new(SeededChance::new(1)), Watch::NONE);
        let mut bots = Bots::new(vec![None, Some((RANDOM.make)())]);
        let decided = bots.decide(&game, &mut |_| 0).expect("nothing breaks").expect("B is asked");
        assert_eq!((decided.asked.seat, decided.order.json()), (Seat(1), "{\"coin\":0}".to_owned()));
        assert_eq!(Bots::default().decide(&game, &mut |_| 0), Ok(None));
    }
}
