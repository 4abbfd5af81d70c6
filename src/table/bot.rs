//! Players that are programs.
//!
//! A [`Bot`] answers questions of a running game for one seat; whoever runs the game asks it ([`Bots::decide`]) and gives
//! its orders to the rules like anybody's. A bot of a game's own is a [`Mind`]: it is shown the position with everything
//! made up that its seat cannot know ([`Game::masked`]), so it cannot play by what it must not see, however it is written.

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

/// Numbers from 0 to n − 1, evenly: what a bot throws a coin with.
pub type Below<'b> = dyn FnMut(u32) -> u32 + 'b;

/// A program that plays.
pub trait Bot {
    /// An order for an open question of the seat that the bot plays. `None`: none, which where the game waits
    /// for an answer means that the bot knows none.
    fn answer(&mut self, game: &mut dyn DynGame, asked: &Asked, below: &mut Below<'_>) -> Option<AnyOrder>;
    /// Up to `most` orders for an open question, the one that it thinks best first: each is what it would answer if those before it
    /// were not legal. Fewer where it has no opinion on the others.
    fn ranked(&mut self, game: &mut dyn DynGame, asked: &Asked, below: &mut Below<'_>, _most: usize) -> Vec<AnyOrder> {
        self.answer(game, asked, below).into_iter().collect()
    }
}

/// A bot as a ruleset names it.
#[derive(Clone, Copy)]
pub struct NamedBot {
    /// Its name on the command line, `steady`.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub about: &'static str,
    /// A new one, for one seat of one game.
    pub make: fn() -> Box<dyn Bot>,
}

impl std::fmt::Debug for NamedBot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The bot that every game has.
pub const RANDOM: NamedBot = NamedBot { name: "random", about: "picks any legal answer", make: || Box::new(RandomBot) };

/// Plays any legal order. Questions for which nothing waits it answers now and then, so that no game drowns in offers.
struct RandomBot;

/// One in so many optional questions is answered at random.
const NOW_AND_THEN: u32 = 4;

impl Bot for RandomBot {
    fn answer(&mut self, game: &mut dyn DynGame, asked: &Asked, below: &mut Below<'_>) -> Option<AnyOrder> {
        if !asked.required && below(NOW_AND_THEN) > 0 {
            return None;
        }
        game.sample(asked.id, below)
    }
}

/// A question as a [`Mind`] sees it.
pub struct Question<'q, G: Game> {
    /// The position, with what is hidden from the seat made up.
    pub state: &'q G::State,
    /// Who is asked.
    pub seat: Seat,
    /// The question. What it says of `state` is what it would say of the true position.
    pub prompt: &'q dyn AnyPrompt<G>,
    /// Whether the game waits for the answer.
    pub required: bool,
}

impl<G: Game> Question<'_, G> {
    /// Whether the rules would take this answer.
    pub fn is_legal(&self, order: &G::Order) -> bool {
        self.prompt.check(self.state, self.seat, order).is_ok()
    }
    /// The answers that the question lists.
    pub fn orders(&self) -> impl Iterator<Item = G::Order> {
        self.prompt.options(self.state, self.seat).into_iter().map(|choice| choice.order)
    }
    /// The listed answer that is worth most, the first of equals; `None` where nothing is known of any.
    pub fn best(&self, mut worth: impl FnMut(&G::Order) -> Option<f64>) -> Option<G::Order> {
        let appraised = self.orders().filter_map(|order| worth(&order).map(|worth| (order, worth)));
        best(appraised).map(|(order, _)| order)
    }
    /// The order that is worth most of those that the rules would take, the first of equals.
    pub fn best_legal(&self, mut appraised: Vec<(G::Order, f64)>) -> Option<G::Order> {
        appraised.sort_by(|a, b| b.1.total_cmp(&a.1));
        appraised.into_iter().map(|(order, _)| order).find(|order| self.is_legal(order))
    }
    /// The pick of this name, where it can be chosen.
    pub fn pick(&self, key: &str) -> Option<G::Order>
    where
        G::Order: PickOrder,
    {
        Some(G::Order::pick(key.to_owned())).filter(|order| self.is_legal(order))
    }
    /// The pick of the first of these names that can be chosen.
    pub fn pick_first(&self, keys: &[&str]) -> Option<G::Order>
    where
        G::Order: PickOrder,
    {
        keys.iter().find_map(|key| self.pick(key))
    }
}

/// A bot of one game: an opinion on what to answer.
pub trait Mind<G: Game> {
    /// An order; `None` for no opinion, which is silence where nothing waits for the answer.
    fn answer(&mut self, question: &Question<'_, G>, below: &mut Below<'_>) -> Option<G::Order>;
}

/// What is worth most to a mind, and how much; the first of equals.
pub fn best<A>(among: impl IntoIterator<Item = (A, f64)>) -> Option<(A, f64)> {
    let mut best: Option<(A, f64)> = None;
    for (one, worth) in among {
        if best.as_ref().is_none_or(|(_, most)| worth > *most) {
            best = Some((one, worth));
        }
    }
    best
}

/// A [`Mind`] at the table. Where it has no opinion, or an illegal one, a random legal answer is given.
pub struct Thinking<G, M>(M, PhantomData<fn() -> G>);

impl<G: Game, M: Mind<G>> Thinking<G, M> {
    /// Seats a mind.
    pub fn new(mind: M) -> Self {
        Thinking(mind, PhantomData)
    }
}

impl<G: Game, M: Mind<G>> Bot for Thinking<G, M> {
    fn answer(&mut self, game: &mut dyn DynGame, asked: &Asked, below: &mut Below<'_>) -> Option<AnyOrder> {
        let session = game.any()?.downcast_mut::<Session<G>>()?;
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
    fn ranked(&mut self, game: &mut dyn DynGame, asked: &Asked, below: &mut Below<'_>, most: usize) -> Vec<AnyOrder> {
        let Some(seen) = game.any().and_then(|game| game.downcast_mut::<Session<G>>()?.look().ok()) else {
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

/// A question without some of its legal answers.
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

/// What a bot decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotDecision {
    /// The question that it answers.
    pub asked: Asked,
    /// The answer.
    pub order: AnyOrder,
}

/// The bots of a table, by seat.
#[derive(Default)]
pub struct Bots {
    seats: Vec<Option<Box<dyn Bot>>>,
    /// Beside which questions seats were asked whether they want to do something unasked: once is enough, or two bots
    /// could offer and refuse for ever.
    beside: BTreeSet<PromptId>,
    /// Who has lately answered what.
    lately: VecDeque<(Seat, &'static str)>,
}

/// When so many answers in a row are to no more than a few questions over and over, bots go round in a circle.
const CIRCLE: usize = 400;
/// So many different questions, each to one seat, may make a circle.
const FEW: usize = 3;

impl Bots {
    /// These bots, one a seat from the first on; `None` where a person plays.
    pub fn new(seats: Vec<Option<Box<dyn Bot>>>) -> Bots {
        Bots { seats, beside: BTreeSet::new(), lately: VecDeque::new() }
    }
    /// What one of them answers next; `None` when the game waits for none of them. Nothing is submitted. What has come in
    /// urgently goes first; other optional questions are put to a bot beside a question that it must answer.
    ///
    /// # Errors
    /// [`Rejected`] when the game is broken, or waits for an answer to a question that has no legal
    /// one: with its seat, kind and rule.
    pub fn decide(&mut self, game: &mut dyn DynGame, below: &mut Below<'_>) -> Result<Option<BotDecision>, Rejected> {
        let mut mine = game.asked()?;
        mine.retain(|asked| self.seats.get(asked.seat.index()).is_some_and(Option::is_some));
        let mut fresh = Vec::new();
        for asked in mine.iter().filter(|asked| asked.required) {
            if self.beside.insert(asked.id) {
                fresh.push(asked.seat);
            }
        }
        mine.retain(|asked| asked.urgent || fresh.contains(&asked.seat));
        // Optional ones first: the sort keeps the order otherwise.
        mine.sort_by_key(|asked| asked.required);
        for asked in mine {
            let Some(Some(bot)) = self.seats.get_mut(asked.seat.index()) else { continue };
            // A circle is left by chance.
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
            // A fault of the rules: the game would wait forever.
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

    /// Each holds a coin of 0 to 9 and says what the other's is; 10 is too much.
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

    /// Says what it sees in the other's hand, plus something.
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
            .decide(&mut game, &mut |n| {
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
        let mut game = Session::<Guessing>::start(Coins::default(), Box::new(SeededChance::new(1)), Watch::NONE);
        let mut bots = Bots::new(vec![None, Some((RANDOM.make)())]);
        let decided = bots.decide(&mut game, &mut |_| 0).expect("nothing breaks").expect("B is asked");
        assert_eq!((decided.asked.seat, decided.order.json()), (Seat(1), "{\"coin\":0}".to_owned()));
        assert_eq!(Bots::default().decide(&mut game, &mut |_| 0), Ok(None));
    }
}
