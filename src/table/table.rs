//! The table, the interface of the rules: asking, rolling, shuffling, telling.

use super::{
    AnyPrompt, Chance, ChanceFault, Decision, Event, Game, Prompt, PromptId, Refusal, Seat, Shuffle, Told, Watch, Whom,
    prompt::Erased,
};
use std::{
    borrow::Cow,
    cell::{RefCell, RefMut},
    future::poll_fn,
    panic::resume_unwind,
    rc::Rc,
    task::Poll,
};

/// A function that converts an order to an answer of type `A`.
type Acceptor<G, A> = Box<dyn Fn(&<G as Game>::State, &<G as Game>::Order) -> Result<A, Refusal>>;

/// A prompt that has been put to a seat. Its number does not change when other prompts are
/// answered, so that an answer that is still in the mail remains valid.
pub struct Ticket<G: Game, A> {
    id: PromptId,
    seat: Seat,
    required: bool,
    prompt: Rc<dyn AnyPrompt<G>>,
    accept: Acceptor<G, A>,
}

impl<G: Game, A: 'static> Ticket<G, A> {
    /// Returns the ticket's number.
    pub fn id(&self) -> PromptId {
        self.id
    }
    /// Makes the ticket optional: the game does not wait for it.
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }
    /// Converts the answer type, so that tickets of several kinds can be awaited together.
    pub fn map<B: 'static>(self, change: impl Fn(A) -> B + 'static) -> Ticket<G, B> {
        let Ticket { id, seat, required, prompt, accept } = self;
        Ticket { id, seat, required, prompt, accept: Box::new(move |g, order| accept(g, order).map(&change)) }
    }
}

/// An open question as seen outside the rules.
pub struct OpenTicket<G: Game> {
    /// The ticket's number.
    pub id: PromptId,
    /// The seat that is asked.
    pub seat: Seat,
    /// `true` if the game waits for the answer.
    pub required: bool,
    /// The question.
    pub prompt: Rc<dyn AnyPrompt<G>>,
}

impl<G: Game> Clone for OpenTicket<G> {
    fn clone(&self) -> Self {
        OpenTicket { prompt: self.prompt.clone(), ..*self }
    }
}

/// The position and its open questions at a given moment.
pub struct Snapshot<G: Game> {
    /// A copy of the state.
    pub state: G::State,
    /// The open questions, required and optional.
    pub tickets: Vec<OpenTicket<G>>,
}

/// A director's ruling that is about to be applied.
pub(super) struct Ruled {
    /// Its effect: a non-empty JSON object.
    pub effect: serde_json::Value,
    /// The beginning of the line to tell.
    pub told: String,
}

/// A source of random numbers that a session stores until it uses them.
pub type Draws = Box<dyn FnMut(u32) -> u32>;

/// The data shared by the rules and their session.
pub(super) struct Inner<G: Game> {
    pub inbox: Option<Decision<G::Order>>,
    /// The director's ruling to apply before the next decision.
    pub ruling: Option<Ruled>,
    /// The seat for which everything hidden is to be made up, and the random numbers to use.
    pub made_up: Option<(Seat, Draws)>,
    pub refused: Option<Refusal>,
    pub next_id: PromptId,
    pub decisions: u32,
    /// The kind of the question that the last decision answered.
    pub answered: Option<G::Kind>,
    pub chance: Box<dyn Chance>,
    pub watch: Watch,
    pub events: Vec<Event>,
    pub told: Vec<Told>,
    pub mark: Rc<str>,
    pub look: bool,
    pub snapshot: Option<Snapshot<G>>,
    /// The number of Rounds that began in the current step.
    pub rounds: usize,
    /// The copy of the position at the Round at which the step was split.
    pub frozen: Option<G::State>,
}

impl<G: Game> Inner<G> {
    fn told(&self, whom: Whom, line: String) -> Told {
        Told { whom, line, under: self.mark.clone(), after: self.decisions, rounds: self.rounds }
    }
    /// Tells everyone a line of the story.
    pub fn tell(&mut self, line: String) {
        if self.watch.tell {
            let told = self.told(Whom::All, line);
            self.told.push(told);
        }
    }
}

/// The table of a game: the only interface between its rules and the world.
pub struct Table<G: Game>(pub(super) Rc<RefCell<Inner<G>>>);

impl<G: Game> Clone for Table<G> {
    fn clone(&self) -> Self {
        Table(self.0.clone())
    }
}

impl<G: Game> Table<G> {
    /// Puts a prompt to a seat, with the next number.
    pub fn open<P: Prompt<G>>(&self, seat: Seat, prompt: P) -> Ticket<G, P::Answer> {
        let id = self.number();
        self.reopen(id, seat, prompt)
    }
    /// Reserves the next prompt number, for a question that stays open while many others are asked
    /// (see [`Table::reopen`]).
    pub fn number(&self) -> PromptId {
        let mut t = self.0.borrow_mut();
        t.next_id += 1;
        t.next_id - 1
    }
    /// Puts a question again under its reserved number.
    pub fn reopen<P: Prompt<G>>(&self, id: PromptId, seat: Seat, prompt: P) -> Ticket<G, P::Answer> {
        let prompt = Rc::new(prompt);
        let same = prompt.clone();
        Ticket {
            id,
            seat,
            required: true,
            prompt: Rc::new(Erased(prompt)),
            accept: Box::new(move |g, order| same.accept(g, seat, order)),
        }
    }
    /// Waits for the first answer to any of the tickets; the others stay open with their numbers.
    /// Meanwhile a director's ruling may change the position, so rules must not rely on anything
    /// they derived from it before the question.
    pub async fn any<A>(&self, g: &mut G::State, tickets: &[&Ticket<G, A>]) -> A {
        G::tell_points(self, g);
        poll_fn(|_| {
            if let Some((seat, mut below)) = self.0.borrow_mut().made_up.take() {
                *g = G::masked(g, Some(seat), &mut *below);
            }
            self.set_right(g, tickets);
            let mut t = self.0.borrow_mut();
            let t = &mut *t;
            if let Some(decision) = t.inbox.take() {
                let ticket = tickets.iter().find(|k| k.id == decision.prompt && k.seat == decision.seat);
                match ticket.map(|k| ((k.accept)(g, &decision.order), &k.prompt)) {
                    Some((Ok(answer), prompt)) => {
                        t.decisions += 1;
                        t.answered = Some(prompt.kind());
                        return Poll::Ready(answer);
                    }
                    Some((Err(why), _)) => t.refused = Some(why),
                    None => {
                        let why = format!("question {} is not open to seat {}", decision.prompt, decision.seat);
                        t.refused = Some(Refusal { rule: "-", why });
                    }
                }
            }
            if t.look {
                let open = |k: &&Ticket<G, A>| OpenTicket {
                    id: k.id,
                    seat: k.seat,
                    required: k.required,
                    prompt: k.prompt.clone(),
                };
                t.snapshot = Some(Snapshot { state: g.clone(), tickets: tickets.iter().map(open).collect() });
                t.look = false;
            }
            Poll::Pending
        })
        .await
    }
    /// Carries out a director's ruling, if there is one, and tells the change in VPs.
    fn set_right<A>(&self, g: &mut G::State, tickets: &[&Ticket<G, A>]) {
        let Some(ruled) = self.0.borrow_mut().ruling.take() else { return };
        let left = super::ruled::<G>(g, &ruled.effect).and_then(|(changed, words)| {
            let stuck = |k: &&&Ticket<G, A>| k.required && k.prompt.options(&changed, k.seat).is_empty();
            match tickets.iter().find(stuck) {
                Some(k) => {
                    let title = k.prompt.describe(&changed, k.seat).title;
                    let why = format!("the question to @{} would have no answer left: {title}", k.seat);
                    super::refuse("-", why)
                }
                None => Ok((changed, words)),
            }
        });
        match left {
            Ok((changed, words)) => {
                *g = changed;
                self.0.borrow_mut().tell(format!("{} {words}", ruled.told));
                G::tell_points(self, g);
            }
            Err(why) => self.0.borrow_mut().refused = Some(why),
        }
    }
    /// Asks one seat one question.
    pub async fn ask<P: Prompt<G>>(&self, g: &mut G::State, seat: Seat, prompt: P) -> P::Answer {
        let ticket = self.open(seat, prompt);
        self.any(g, &[&ticket]).await
    }
    /// Waits for an answer to every ticket, in any order; returns the answers in the order of the
    /// tickets.
    pub async fn all<A: 'static>(&self, g: &mut G::State, tickets: Vec<Ticket<G, A>>) -> Vec<A> {
        let mut answers: Vec<Option<A>> = tickets.iter().map(|_| None).collect();
        let tickets: Vec<_> = tickets.into_iter().enumerate().map(|(i, k)| k.map(move |a| (i, a))).collect();
        loop {
            let open: Vec<_> = tickets.iter().zip(&answers).filter(|(_, a)| a.is_none()).map(|(k, _)| k).collect();
            if open.is_empty() {
                return answers.into_iter().flatten().collect();
            }
            let (i, answer) = self.any(g, &open).await;
            answers[i] = Some(answer);
        }
    }
    /// Rolls one die from `low` to `high`, both included. The label gives its purpose and is
    /// recorded in the journal. If no die is available this function never returns: the rules end
    /// here, and their session fails with [`Rejected::Chance`](super::Rejected::Chance).
    pub fn roll(&self, label: &'static str, low: i64, high: i64) -> i64 {
        let mut t = self.0.borrow_mut();
        match t.chance.roll(label, low, high) {
            Ok(got) => {
                if t.watch.events {
                    t.events.push(Event::Rolled { label: Cow::Borrowed(label), low, high, got });
                }
                got
            }
            Err(fault) => stop(t, fault),
        }
    }
    /// Rolls a die with six sides, from 1 to 6, like [`Table::roll`].
    pub fn d6(&self, label: &'static str) -> i64 {
        self.roll(label, 1, 6)
    }
    /// Rolls a die with ten sides, from 0 to 9, like [`Table::roll`].
    pub fn d10(&self, label: &'static str) -> i64 {
        self.roll(label, 0, 9)
    }
    /// Returns a number from 0 to `n` − 1 determined by a public die, for draws from a cup and
    /// other public random choices.
    pub fn draw(&self, label: &'static str, n: usize) -> usize {
        if n <= 1 { 0 } else { self.roll(label, 0, n as i64 - 1) as usize }
    }
    /// Shuffles a deck of hidden cards. `list` names the cards in a public order. The result gives
    /// the index in `list` for each position of the deck, and the number of this shuffle of the
    /// deck. As with [`Table::roll`], the rules end here if the shuffle is not available.
    pub fn shuffle(&self, deck: &'static str, list: Vec<String>) -> Shuffle {
        let mut t = self.0.borrow_mut();
        let shuffle = match t.chance.shuffle(deck, &list) {
            Ok(shuffle) => shuffle,
            Err(fault) => stop(t, fault),
        };
        if t.watch.events {
            t.events.push(Event::Shuffled { deck, epoch: shuffle.epoch, list });
        }
        shuffle
    }
    /// Deals `count` cards from position `from` to a seat.
    pub fn deal(&self, deck: &'static str, epoch: u32, seat: Option<Seat>, from: usize, count: usize) {
        self.event(|| Event::Dealt { deck, epoch, seat, from, count });
    }
    /// Turns a card face up; `seat` held it.
    pub fn show(&self, deck: &'static str, epoch: u32, pos: usize, card: &str, seat: Option<Seat>) {
        self.event(|| Event::Shown { deck, epoch, pos, card: card.to_owned(), seat });
    }
    /// Reveals the seed of a shuffle: no card of it remains hidden.
    pub fn reveal(&self, deck: &'static str, epoch: u32) {
        self.event(|| Event::Revealed { deck, epoch });
    }
    /// Begins a Round: the journal gets a mark with the digest of the game's public form, and the
    /// story continues under the heading `label`. A game without Turns passes 0 for the Turn; its
    /// moments are then named by their labels alone.
    pub fn round(&self, g: &mut G::State, turn: u32, round: u32, label: &str) {
        // The first points are told under the first heading.
        if !self.0.borrow().mark.is_empty() {
            G::tell_points(self, g);
        }
        let mut t = self.0.borrow_mut();
        if t.watch.events {
            let state = t.watch.digests.then(|| {
                let mut text = String::new();
                G::public(g, &mut text);
                text
            });
            t.events.push(Event::Round { turn, round, label: label.to_owned(), state });
        }
        t.chance.round();
        if t.watch.split == Some(t.rounds) {
            t.frozen = Some(g.clone());
            t.events.clear();
        }
        t.rounds += 1;
        // Set even if nobody listens now, as a heading for lines told later.
        t.mark = label.into();
    }
    /// Tells everyone a line of the story. The line is created only if there is a listener.
    pub fn tell(&self, line: impl FnOnce() -> String) {
        self.tell_to(Whom::All, line);
    }
    /// Tells a line to one seat, or to all.
    pub fn tell_to(&self, whom: Whom, line: impl FnOnce() -> String) {
        let mut t = self.0.borrow_mut();
        if t.watch.tell {
            let told = t.told(whom, line());
            t.told.push(told);
        }
    }
    fn event(&self, event: impl FnOnce() -> Event) {
        let mut t = self.0.borrow_mut();
        if t.watch.events {
            t.events.push(event());
        }
    }
}

/// Ends the rules if dice or cards are not available. The rules are in the middle of a function
/// that cannot return a correct value, so the stack is unwound to their session, without a panic
/// message; the session recognizes the fault by the payload.
fn stop<G: Game>(t: RefMut<'_, Inner<G>>, fault: ChanceFault) -> ! {
    drop(t);
    resume_unwind(Box::new(fault))
}
