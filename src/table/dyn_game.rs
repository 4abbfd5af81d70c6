//! A running game as seen by the office, with its types erased.

use super::{
    AnyOrder, Choice, Description, Draws, Event, Game, Kind, Outcome, PromptId, Refusal, Rejected, Seat, Session,
    Snapshot, Told, VPS, Watch,
};
use postrider_orders::{Misread, Phrase};
use postrider_standing::{Fact, Value};
use std::any::Any;

/// The summary of an open question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The ticket.
    pub id: PromptId,
    /// The seat that is asked.
    pub seat: Seat,
    /// The name of the kind of question, as in the journal.
    pub kind: &'static str,
    /// `true` if the game waits for the answer.
    pub required: bool,
    /// `true` if the seat should be told at once, even though the game does not wait for the
    /// answer.
    pub urgent: bool,
}

/// An open question with its text and options.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The summary of the question.
    pub asked: Asked,
    /// The text.
    pub text: Description,
    /// The options.
    pub choices: Vec<Choice<AnyOrder>>,
}

/// An order with the question that it answers, usually read from words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Understood {
    /// The question that it answers.
    pub prompt: PromptId,
    /// The kind of that question.
    pub kind: &'static str,
    /// The order.
    pub order: AnyOrder,
}

impl Understood {
    /// Creates the answer to an open question.
    #[must_use]
    pub fn answer(asked: &Asked, order: AnyOrder) -> Understood {
        Understood { prompt: asked.id, kind: asked.kind, order }
    }
}

/// A running game with its types erased.
pub trait DynGame {
    /// Parses an order of this game from its JSON form in a journal.
    ///
    /// # Errors
    ///
    /// Returns [`Rejected::Refused`] if the text is not an order of this game.
    fn order(&self, json: &str) -> Result<AnyOrder, Rejected>;
    /// Executes a decision. See [`Session::submit`].
    fn decide(&mut self, seat: Seat, prompt: PromptId, order: &AnyOrder) -> Result<(), Rejected>;
    /// Executes a decision of a journal; `order` is JSON.
    fn submit(&mut self, seat: Seat, prompt: PromptId, order: &str) -> Result<(), Rejected> {
        let order = self.order(order)?;
        self.decide(seat, prompt, &order)
    }
    /// Executes a director's ruling; `effect` is JSON. See [`Session::rule`].
    fn rule(&mut self, effect: &str, told: &str) -> Result<(), Rejected>;
    /// Checks whether a decision would be accepted. Changes nothing.
    fn check(&self, seat: Seat, prompt: PromptId, order: &AnyOrder) -> Result<(), Rejected>;
    /// Returns the open questions.
    fn asked(&self) -> Result<Vec<Asked>, Rejected>;
    /// Returns an open question with its text and options.
    fn listed(&self, prompt: PromptId) -> Result<Option<Listed>, Rejected>;
    /// Reads words as an order: finds the question of this seat that they answer, trying required
    /// questions first.
    fn read(&self, seat: Seat, said: &Phrase) -> Result<Understood, Misread>;
    /// Reads words as an answer to this open question of the seat and to no other.
    ///
    /// # Errors
    ///
    /// Returns a [`Misread`], also if the seat has no such open question.
    fn read_at(&self, seat: Seat, prompt: PromptId, said: &Phrase) -> Result<Understood, Misread>;
    /// Returns the kinds of questions whose grammar reads these words completely, whether or not
    /// such a question is open.
    fn foreseen(&self, _seat: Seat, _said: &Phrase) -> Vec<&'static str> {
        Vec::new()
    }
    /// Returns the kinds of questions whose orders can be read before the question is asked.
    fn foreseen_kinds(&self, _seat: Seat) -> Vec<&'static str> {
        Vec::new()
    }
    /// Checks that words can be read as an answer to some question of this kind.
    ///
    /// # Errors
    ///
    /// Returns a [`Misread`], also if no question of the kind is foreseen.
    fn reads_ahead(&self, _seat: Seat, kind: &str, said: &Phrase) -> Result<(), Misread> {
        Err(said.reader().fail(format!("no question “{kind}” is foreseen")))
    }
    /// Returns words for an order to an open question that [`read`](DynGame::read) understands, if
    /// there are any.
    fn say(&self, prompt: PromptId, order: &AnyOrder) -> Option<String> {
        let choices = self.listed(prompt).ok()??.choices;
        choices.into_iter().find(|choice| choice.order == *order).map(|choice| choice.words)
    }
    /// Returns the facts that conditions of standing orders can compare at an open question, and,
    /// with an order, the facts about that answer. They depend only on what the seat may see.
    fn facts(&self, _prompt: PromptId, _order: Option<&AnyOrder>) -> Vec<Fact> {
        Vec::new()
    }
    /// Returns the seat's VPs in the current position, if the game counts VPs: the value of its
    /// fact named [`VPS`].
    fn vps(&self, _seat: Seat) -> Option<i64> {
        None
    }
    /// Returns the seat's VPs in the current position by the rules that gave or took them
    /// ([`Game::earned`]).
    fn earned(&self, _seat: Seat) -> Vec<(&'static str, i64)> {
        Vec::new()
    }
    /// Returns reasons why an order might not be carried out as written
    /// ([`Prompt::cautions`](super::Prompt::cautions)), based on what its seat may see.
    fn cautions(&self, _prompt: PromptId, _order: &AnyOrder) -> Vec<String> {
        Vec::new()
    }
    /// Returns effects of an order that its author probably does not want
    /// ([`Prompt::dangers`](super::Prompt::dangers)), based on what its seat may see.
    fn dangers(&self, _prompt: PromptId, _order: &AnyOrder) -> Vec<String> {
        Vec::new()
    }
    /// Returns the names that a fact can have as its value; empty if any name is possible.
    fn fact_names(&self, _fact: &str) -> Vec<String> {
        Vec::new()
    }
    /// Returns the effects of a seat's order on the map ([`Game::ways`]), based on what the seat
    /// sees.
    fn ways(&self, _seat: Seat, _order: &AnyOrder) -> Vec<super::map::Way> {
        Vec::new()
    }
    /// Returns the facts that a seat knows at every question: its Turn, its VPs, its lead.
    fn known(&self, _seat: Seat) -> Vec<Fact> {
        Vec::new()
    }
    /// Replaces everything hidden from a seat by newly made-up values. See [`Session::make_up`].
    ///
    /// # Errors
    ///
    /// Returns [`Rejected`] if that is impossible.
    fn make_up(&mut self, _seat: Seat, _below: Draws) -> Result<(), Rejected> {
        Err(Refusal { rule: "-", why: "nothing can be made up in this game".to_owned() }.into())
    }
    /// Returns a random legal answer to an open question.
    fn sample(&self, prompt: PromptId, below: &mut dyn FnMut(u32) -> u32) -> Option<AnyOrder>;
    /// Returns the answer that applies if the deadline passes.
    fn at_deadline(&self, prompt: PromptId) -> Option<AnyOrder>;
    /// Returns the view of a seat (or of a spectator).
    fn view(&self, seat: Option<Seat>) -> Result<serde_json::Value, Rejected>;
    /// Returns the view for a seat (or a spectator) of the Round at which the last step was
    /// [split](Watch::split).
    fn frozen_view(&self, _seat: Option<Seat>) -> Option<serde_json::Value> {
        None
    }
    /// Returns the names that the story uses for the seat's pieces ([`Game::pieces`]).
    fn pieces(&self, seat: Seat) -> Vec<String>;
    /// See [`Session::take_events`].
    fn take_events(&mut self) -> Vec<Event>;
    /// See [`Session::take_told`].
    fn take_told(&mut self) -> Vec<Told>;
    /// Returns the number of decisions executed.
    fn decisions(&self) -> u32;
    /// Returns the kind of the question that the last accepted decision answered; "" before the
    /// first.
    fn answered(&self) -> &'static str;
    /// See [`Session::next_prompt`].
    fn next_prompt(&self) -> PromptId;
    /// See [`Session::set_watch`].
    fn set_watch(&mut self, watch: Watch);
    /// Returns the error that broke the session, if any.
    fn fault(&self) -> Option<&Rejected>;
    /// Returns the outcome if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the outcome if the game ended now, with the present count of each seat.
    ///
    /// # Errors
    /// [`Rejected`] when the rules broke down.
    fn outcome_now(&self) -> Result<Outcome, Rejected>;
    /// Returns its [ending](Game::ending) if the game is over.
    fn ending(&self) -> Option<serde_json::Value> {
        None
    }
    /// Returns its [figures](Game::figures) if the game is over.
    fn figures(&self) -> Vec<(&'static str, i64)> {
        Vec::new()
    }
    /// Returns the typed [`Session`], for bots of this game, or `None` if the game cannot be
    /// inspected.
    fn any(&self) -> Option<&dyn Any> {
        None
    }
}

impl<G: Game> DynGame for Session<G> {
    fn order(&self, json: &str) -> Result<AnyOrder, Rejected> {
        order_from::<G>(json).map(AnyOrder::new)
    }
    fn decide(&mut self, seat: Seat, prompt: PromptId, order: &AnyOrder) -> Result<(), Rejected> {
        let order = typed::<G>(order)?;
        Session::submit(self, &super::Decision { seat, prompt, order })
    }
    fn submit(&mut self, seat: Seat, prompt: PromptId, order: &str) -> Result<(), Rejected> {
        let order = order_from::<G>(order)?;
        Session::submit(self, &super::Decision { seat, prompt, order })
    }
    fn rule(&mut self, effect: &str, told: &str) -> Result<(), Rejected> {
        let effect = serde_json::from_str(effect)
            .map_err(|why| Refusal { rule: "-", why: format!("the effect of this ruling is not JSON: {why}") })?;
        Session::rule(self, &effect, told)
    }
    fn check(&self, seat: Seat, prompt: PromptId, order: &AnyOrder) -> Result<(), Rejected> {
        let order = typed::<G>(order)?;
        let seen = self.look()?;
        match seen.tickets.iter().find(|t| t.id == prompt && t.seat == seat) {
            Some(ticket) => Ok(ticket.prompt.check(&seen.state, seat, &order)?),
            None => Err(Refusal { rule: "-", why: format!("question {prompt} is not open to seat {seat}") }.into()),
        }
    }
    fn asked(&self) -> Result<Vec<Asked>, Rejected> {
        let seen = self.look()?;
        Ok(seen.tickets.iter().map(|t| asked(seen, t)).collect())
    }
    fn listed(&self, prompt: PromptId) -> Result<Option<Listed>, Rejected> {
        let seen = self.look()?;
        Ok(seen.tickets.iter().find(|t| t.id == prompt).map(|t| Listed {
            asked: asked(seen, t),
            text: t.prompt.describe(&seen.state, t.seat),
            choices: t
                .prompt
                .options(&seen.state, t.seat)
                .into_iter()
                .map(|c| Choice { order: AnyOrder::new(c.order), words: c.words, note: c.note })
                .collect(),
        }))
    }
    fn read(&self, seat: Seat, said: &Phrase) -> Result<Understood, Misread> {
        let Ok(seen) = self.look() else { return Err(said.reader().fail("the game cannot take orders now")) };
        let mut illegal = None;
        let mut misread: Option<Misread> = None;
        let mine = |required: bool| seen.tickets.iter().filter(move |t| t.seat == seat && t.required == required);
        for ticket in mine(true).chain(mine(false)) {
            match ticket.prompt.read(&seen.state, seat, said) {
                Ok(order) => {
                    let legal = ticket.prompt.check(&seen.state, seat, &order).is_ok();
                    let (kind, order) = (ticket.prompt.kind().name(), AnyOrder::new(order));
                    let understood = Understood { prompt: ticket.id, kind, order };
                    if legal {
                        return Ok(understood);
                    }
                    illegal.get_or_insert(understood);
                }
                Err(why) => {
                    misread = Some(match misread {
                        Some(other) => other.best(why),
                        None => why,
                    });
                }
            }
        }
        match (illegal, misread) {
            (Some(understood), _) => Ok(understood),
            (None, Some(why)) => Err(why),
            (None, None) => Err(said.reader().fail("nothing is asked of you now")),
        }
    }
    fn read_at(&self, seat: Seat, prompt: PromptId, said: &Phrase) -> Result<Understood, Misread> {
        let Ok(seen) = self.look() else { return Err(said.reader().fail("the game cannot take orders now")) };
        let Some(ticket) = seen.tickets.iter().find(|t| t.id == prompt && t.seat == seat) else {
            return Err(said.reader().fail("this question is no longer open"));
        };
        let order = ticket.prompt.read(&seen.state, seat, said)?;
        Ok(Understood { prompt, kind: ticket.prompt.kind().name(), order: AnyOrder::new(order) })
    }
    fn foreseen(&self, seat: Seat, said: &Phrase) -> Vec<&'static str> {
        let Ok(seen) = self.look() else { return Vec::new() };
        let state = G::masked(&seen.state, Some(seat), &mut |_| 0);
        let all = G::foreseen(&state, seat).into_iter();
        all.filter(|prompt| prompt.read(&state, seat, said).is_ok()).map(|prompt| prompt.kind().name()).collect()
    }
    fn foreseen_kinds(&self, seat: Seat) -> Vec<&'static str> {
        let Ok(seen) = self.look() else { return Vec::new() };
        let state = G::masked(&seen.state, Some(seat), &mut |_| 0);
        G::foreseen(&state, seat).iter().map(|prompt| prompt.kind().name()).collect()
    }
    fn reads_ahead(&self, seat: Seat, kind: &str, said: &Phrase) -> Result<(), Misread> {
        let Ok(seen) = self.look() else { return Err(said.reader().fail("the game cannot take orders now")) };
        let state = G::masked(&seen.state, Some(seat), &mut |_| 0);
        let mut trouble: Option<Misread> = None;
        for prompt in G::foreseen(&state, seat).iter().filter(|prompt| prompt.kind().name() == kind) {
            match prompt.read(&state, seat, said) {
                Ok(_) => return Ok(()),
                Err(why) => {
                    trouble = Some(match trouble {
                        Some(other) => other.best(why),
                        None => why,
                    });
                }
            }
        }
        Err(trouble.unwrap_or_else(|| said.reader().fail(format!("no question “{kind}” is foreseen"))))
    }
    fn say(&self, prompt: PromptId, order: &AnyOrder) -> Option<String> {
        let order = typed::<G>(order).ok()?;
        let seen = self.look().ok()?;
        let ticket = seen.tickets.iter().find(|t| t.id == prompt)?;
        ticket.prompt.say(&seen.state, ticket.seat, &order)
    }
    fn facts(&self, prompt: PromptId, order: Option<&AnyOrder>) -> Vec<Fact> {
        let order = order.and_then(|order| typed::<G>(order).ok());
        let Ok(seen) = self.look() else { return Vec::new() };
        let Some(ticket) = seen.tickets.iter().find(|t| t.id == prompt) else { return Vec::new() };
        // The numbers are constant, so that made-up values do not depend on hidden ones.
        let state = G::masked(&seen.state, Some(ticket.seat), &mut |_| 0);
        let mut facts = G::facts(&state, ticket.seat);
        facts.extend(ticket.prompt.facts(&state, ticket.seat, order.as_ref()));
        facts
    }
    fn vps(&self, seat: Seat) -> Option<i64> {
        // Masked, because VPs may depend on hidden information, as other facts may.
        let state = G::masked(&self.look().ok()?.state, Some(seat), &mut |_| 0);
        let facts = G::facts(&state, seat);
        let vps = facts.into_iter().find(|fact| fact.name == VPS)?;
        match vps.value {
            Value::Number(points) => Some(points),
            _ => None,
        }
    }
    fn earned(&self, seat: Seat) -> Vec<(&'static str, i64)> {
        let Ok(seen) = self.look() else { return Vec::new() };
        // Masked, because points may depend on hidden information.
        G::earned(&G::masked(&seen.state, Some(seat), &mut |_| 0), seat)
    }
    fn cautions(&self, prompt: PromptId, order: &AnyOrder) -> Vec<String> {
        let Ok(order) = typed::<G>(order) else { return Vec::new() };
        let Ok(seen) = self.look() else { return Vec::new() };
        let Some(ticket) = seen.tickets.iter().find(|t| t.id == prompt) else { return Vec::new() };
        let state = G::masked(&seen.state, Some(ticket.seat), &mut |_| 0);
        ticket.prompt.cautions(&state, ticket.seat, &order)
    }
    fn dangers(&self, prompt: PromptId, order: &AnyOrder) -> Vec<String> {
        let Ok(order) = typed::<G>(order) else { return Vec::new() };
        let Ok(seen) = self.look() else { return Vec::new() };
        let Some(ticket) = seen.tickets.iter().find(|t| t.id == prompt) else { return Vec::new() };
        let state = G::masked(&seen.state, Some(ticket.seat), &mut |_| 0);
        ticket.prompt.dangers(&state, ticket.seat, &order)
    }
    fn fact_names(&self, fact: &str) -> Vec<String> {
        self.look().map(|seen| G::fact_names(&seen.state, fact)).unwrap_or_default()
    }
    fn ways(&self, seat: Seat, order: &AnyOrder) -> Vec<super::map::Way> {
        let (Ok(order), Ok(seen)) = (typed::<G>(order), self.look()) else { return Vec::new() };
        G::ways(&G::masked(&seen.state, Some(seat), &mut |_| 0), &order)
    }
    fn known(&self, seat: Seat) -> Vec<Fact> {
        let Ok(seen) = self.look() else { return Vec::new() };
        G::facts(&G::masked(&seen.state, Some(seat), &mut |_| 0), seat)
    }
    fn make_up(&mut self, seat: Seat, below: Draws) -> Result<(), Rejected> {
        Session::make_up(self, seat, below)
    }
    fn sample(&self, prompt: PromptId, below: &mut dyn FnMut(u32) -> u32) -> Option<AnyOrder> {
        let seen = self.look().ok()?;
        let ticket = seen.tickets.iter().find(|t| t.id == prompt)?;
        ticket.prompt.sample(&seen.state, ticket.seat, below).map(AnyOrder::new)
    }
    fn at_deadline(&self, prompt: PromptId) -> Option<AnyOrder> {
        let seen = self.look().ok()?;
        let ticket = seen.tickets.iter().find(|t| t.id == prompt)?;
        ticket.prompt.at_deadline(&seen.state, ticket.seat).map(AnyOrder::new)
    }
    fn view(&self, seat: Option<Seat>) -> Result<serde_json::Value, Rejected> {
        let state = &self.look()?.state;
        // The numbers do not matter, because a view does not show made-up values.
        Ok(G::view(&G::masked(state, seat, &mut |_| 0), seat))
    }
    fn frozen_view(&self, seat: Option<Seat>) -> Option<serde_json::Value> {
        let state = self.frozen()?;
        Some(G::view(&G::masked(&state, seat, &mut |_| 0), seat))
    }
    fn pieces(&self, seat: Seat) -> Vec<String> {
        self.look().map(|seen| G::pieces(&seen.state, seat)).unwrap_or_default()
    }
    fn take_events(&mut self) -> Vec<Event> {
        Session::take_events(self)
    }
    fn take_told(&mut self) -> Vec<Told> {
        Session::take_told(self)
    }
    fn decisions(&self) -> u32 {
        Session::decisions(self)
    }
    fn answered(&self) -> &'static str {
        Session::answered(self).map_or("", Kind::name)
    }
    fn next_prompt(&self) -> PromptId {
        Session::next_prompt(self)
    }
    fn set_watch(&mut self, watch: Watch) {
        Session::set_watch(self, watch);
    }
    fn fault(&self) -> Option<&Rejected> {
        Session::fault(self)
    }
    fn outcome(&self) -> Option<Outcome> {
        Session::outcome(self)
    }
    fn outcome_now(&self) -> Result<Outcome, Rejected> {
        match Session::outcome(self) {
            Some(outcome) => Ok(outcome),
            None => Ok(G::outcome(&self.look()?.state)),
        }
    }
    fn ending(&self) -> Option<serde_json::Value> {
        self.over().map(G::ending)
    }
    fn figures(&self) -> Vec<(&'static str, i64)> {
        self.over().map(G::figures).unwrap_or_default()
    }
    fn any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

fn asked<G: Game>(seen: &Snapshot<G>, t: &super::OpenTicket<G>) -> Asked {
    let urgent = t.required || t.prompt.urgent(&seen.state, t.seat);
    Asked { id: t.id, seat: t.seat, kind: t.prompt.kind().name(), required: t.required, urgent }
}

/// Returns the order with its type; an order of another type is parsed from its JSON form.
pub(super) fn typed<G: Game>(order: &AnyOrder) -> Result<G::Order, Rejected> {
    match order.of::<G::Order>() {
        Some(order) => {
            // A replay must read back exactly the order that was decided.
            debug_assert_eq!(order_from::<G>(&AnyOrder::new(order.clone()).json()).as_ref(), Ok(order));
            Ok(order.clone())
        }
        None => order_from::<G>(&order.json()),
    }
}

/// Parses an order from its JSON form. Only a forged journal has one that is not of the game, so
/// the error does not explain the form.
fn order_from<G: Game>(text: &str) -> Result<G::Order, Rejected> {
    let refusal = || Refusal { rule: "-", why: "no question of this game takes such an order".to_owned() };
    serde_json::from_str(text).map_err(|_| refusal().into())
}
