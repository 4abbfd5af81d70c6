//! A running game as the office sees it: without its type.

use super::{
    AnyOrder, Choice, Description, Draws, Event, Game, Kind, Outcome, PromptId, Refusal, Rejected, Seat, Session,
    Snapshot, Told, VPS, Watch,
};
use postrider_orders::{Misread, Phrase};
use postrider_standing::{Fact, Value};
use std::any::Any;

/// An open question, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The ticket.
    pub id: PromptId,
    /// Who is asked.
    pub seat: Seat,
    /// The kind of question, as the journal names it.
    pub kind: &'static str,
    /// Whether the game waits for the answer.
    pub required: bool,
    /// Whether the seat should hear of it at once although nothing waits for it.
    pub urgent: bool,
}

/// An open question with its text and options.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The question in short.
    pub asked: Asked,
    /// How it reads.
    pub text: Description,
    /// Its options.
    pub choices: Vec<Choice<AnyOrder>>,
}

/// An order that was read from words, or come by otherwise: which question it answers, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Understood {
    /// The question it answers.
    pub prompt: PromptId,
    /// The kind of that question.
    pub kind: &'static str,
    /// The order.
    pub order: AnyOrder,
}

impl Understood {
    /// This answer to an open question.
    #[must_use]
    pub fn answer(asked: &Asked, order: AnyOrder) -> Understood {
        Understood { prompt: asked.id, kind: asked.kind, order }
    }
}

/// A running game whose types are forgotten.
pub trait DynGame {
    /// Makes an order of this game of JSON, as a journal has it.
    ///
    /// # Errors
    /// [`Rejected::Refused`] when it is none.
    fn order(&self, json: &str) -> Result<AnyOrder, Rejected>;
    /// Takes a decision. See [`Session::submit`].
    fn decide(&mut self, seat: Seat, prompt: PromptId, order: &AnyOrder) -> Result<(), Rejected>;
    /// Takes a decision of a journal; `order` is JSON.
    fn submit(&mut self, seat: Seat, prompt: PromptId, order: &str) -> Result<(), Rejected> {
        let order = self.order(order)?;
        self.decide(seat, prompt, &order)
    }
    /// Takes a director's ruling; `effect` is JSON. See [`Session::rule`].
    fn rule(&mut self, effect: &str, told: &str) -> Result<(), Rejected>;
    /// Whether a decision would be taken. Changes nothing.
    fn check(&mut self, seat: Seat, prompt: PromptId, order: &AnyOrder) -> Result<(), Rejected>;
    /// The open questions.
    fn asked(&mut self) -> Result<Vec<Asked>, Rejected>;
    /// One open question in full.
    fn listed(&mut self, prompt: PromptId) -> Result<Option<Listed>, Rejected>;
    /// Finds the question of this seat that the words answer (required ones first) and makes an order of them.
    fn read(&mut self, seat: Seat, said: &Phrase) -> Result<Understood, Misread>;
    /// Makes an order of the words as an answer to this open question of the seat and to no other.
    ///
    /// # Errors
    /// A [`Misread`], also where no such question is open to the seat.
    fn read_at(&mut self, seat: Seat, prompt: PromptId, said: &Phrase) -> Result<Understood, Misread>;
    /// The kinds of questions whose grammar reads these words whole, whether such a question is open or not.
    fn foreseen(&mut self, _seat: Seat, _said: &Phrase) -> Vec<&'static str> {
        Vec::new()
    }
    /// The kinds of questions whose orders can be read before they are asked.
    fn foreseen_kinds(&mut self, _seat: Seat) -> Vec<&'static str> {
        Vec::new()
    }
    /// Reads words as an answer to some question of this kind.
    ///
    /// # Errors
    /// A [`Misread`], also if no question of the kind is foreseen.
    fn reads_ahead(&mut self, _seat: Seat, kind: &str, said: &Phrase) -> Result<(), Misread> {
        Err(said.reader().fail(format!("no question “{kind}” is foreseen")))
    }
    /// An order for an open question in words that [`read`](DynGame::read) understands, where there are any.
    fn say(&mut self, prompt: PromptId, order: &AnyOrder) -> Option<String> {
        let choices = self.listed(prompt).ok()??.choices;
        choices.into_iter().find(|choice| choice.order == *order).map(|choice| choice.words)
    }
    /// What conditions of standing orders can compare at an open question; with an order also what is known of that answer. It
    /// follows from what the seat may see alone.
    fn facts(&mut self, _prompt: PromptId, _order: Option<&AnyOrder>) -> Vec<Fact> {
        Vec::new()
    }
    /// The VPs of a seat in the position as it is, where the game counts any: its fact of the name [`VPS`].
    fn vps(&mut self, _seat: Seat) -> Option<i64> {
        None
    }
    /// What may keep an order from being done as it says ([`Prompt::cautions`](super::Prompt::cautions)), by what its seat may see.
    fn cautions(&mut self, _prompt: PromptId, _order: &AnyOrder) -> Vec<String> {
        Vec::new()
    }
    /// What its writer can hardly want of an order ([`Prompt::dangers`](super::Prompt::dangers)), by what its seat may see.
    fn dangers(&mut self, _prompt: PromptId, _order: &AnyOrder) -> Vec<String> {
        Vec::new()
    }
    /// The names that a fact of this name can have; none where any may be.
    fn fact_names(&mut self, _fact: &str) -> Vec<String> {
        Vec::new()
    }
    /// What an order of a seat would do on the map: [`Game::ways`], by what the seat sees.
    fn ways(&mut self, _seat: Seat, _order: &AnyOrder) -> Vec<super::map::Way> {
        Vec::new()
    }
    /// What a seat knows at every question: its Turn, its VPs, its lead.
    fn known(&mut self, _seat: Seat) -> Vec<Fact> {
        Vec::new()
    }
    /// Makes up anew what is hidden from a seat. See [`Session::make_up`].
    ///
    /// # Errors
    /// [`Rejected`] where that cannot be done.
    fn make_up(&mut self, _seat: Seat, _below: Draws) -> Result<(), Rejected> {
        Err(Refusal { rule: "-", why: "nothing can be made up in this game".to_owned() }.into())
    }
    /// A random legal answer to an open question.
    fn sample(&mut self, prompt: PromptId, below: &mut dyn FnMut(u32) -> u32) -> Option<AnyOrder>;
    /// What counts as the answer when the deadline passes.
    fn at_deadline(&mut self, prompt: PromptId) -> Option<AnyOrder>;
    /// What a seat (or a spectator) may see.
    fn view(&mut self, seat: Option<Seat>) -> Result<serde_json::Value, Rejected>;
    /// See [`Session::freeze_at`].
    fn freeze_at(&mut self, _label: &str) {}
    /// What a seat (or a spectator) may see of the position that was kept.
    fn frozen_view(&mut self, _seat: Option<Seat>) -> Option<serde_json::Value> {
        None
    }
    /// The names by which the story calls what this seat has ([`Game::pieces`]).
    fn pieces(&mut self, seat: Seat) -> Vec<String>;
    /// See [`Session::take_events`].
    fn take_events(&mut self) -> Vec<Event>;
    /// See [`Session::take_told`].
    fn take_told(&mut self) -> Vec<Told>;
    /// How many decisions have been taken.
    fn decisions(&self) -> u32;
    /// The kind of the question that the last accepted decision answered; "" before the first.
    fn answered(&self) -> &'static str;
    /// See [`Session::next_prompt`].
    fn next_prompt(&self) -> PromptId;
    /// See [`Session::set_watch`].
    fn set_watch(&mut self, watch: Watch);
    /// What broke the session, if anything did.
    fn fault(&self) -> Option<&Rejected>;
    /// How the game ended, once it is over.
    fn outcome(&self) -> Option<Outcome>;
    /// Its [ending](Game::ending), once the game is over.
    fn ending(&self) -> Option<serde_json::Value> {
        None
    }
    /// Its [figures](Game::figures), once the game is over.
    fn figures(&self) -> Vec<(&'static str, i64)> {
        Vec::new()
    }
    /// The [`Session`] with its types, for bots of this game. `None` for a game that is not to be looked into.
    fn any(&mut self) -> Option<&mut dyn Any> {
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
            .map_err(|why| Refusal { rule: "-", why: format!("the effect of this ruling is no JSON: {why}") })?;
        Session::rule(self, &effect, told)
    }
    fn check(&mut self, seat: Seat, prompt: PromptId, order: &AnyOrder) -> Result<(), Rejected> {
        let order = typed::<G>(order)?;
        let seen = self.look()?;
        match seen.tickets.iter().find(|t| t.id == prompt && t.seat == seat) {
            Some(ticket) => Ok(ticket.prompt.check(&seen.state, seat, &order)?),
            None => Err(Refusal { rule: "-", why: format!("question {prompt} is not open to seat {seat}") }.into()),
        }
    }
    fn asked(&mut self) -> Result<Vec<Asked>, Rejected> {
        let seen = self.look()?;
        Ok(seen.tickets.iter().map(|t| asked(seen, t)).collect())
    }
    fn listed(&mut self, prompt: PromptId) -> Result<Option<Listed>, Rejected> {
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
    fn read(&mut self, seat: Seat, said: &Phrase) -> Result<Understood, Misread> {
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
    fn read_at(&mut self, seat: Seat, prompt: PromptId, said: &Phrase) -> Result<Understood, Misread> {
        let Ok(seen) = self.look() else { return Err(said.reader().fail("the game cannot take orders now")) };
        let Some(ticket) = seen.tickets.iter().find(|t| t.id == prompt && t.seat == seat) else {
            return Err(said.reader().fail("this is asked no longer"));
        };
        let order = ticket.prompt.read(&seen.state, seat, said)?;
        Ok(Understood { prompt, kind: ticket.prompt.kind().name(), order: AnyOrder::new(order) })
    }
    fn foreseen(&mut self, seat: Seat, said: &Phrase) -> Vec<&'static str> {
        let Ok(seen) = self.look() else { return Vec::new() };
        let state = G::masked(&seen.state, Some(seat), &mut |_| 0);
        let all = G::foreseen(&state, seat).into_iter();
        all.filter(|prompt| prompt.read(&state, seat, said).is_ok()).map(|prompt| prompt.kind().name()).collect()
    }
    fn foreseen_kinds(&mut self, seat: Seat) -> Vec<&'static str> {
        let Ok(seen) = self.look() else { return Vec::new() };
        let state = G::masked(&seen.state, Some(seat), &mut |_| 0);
        G::foreseen(&state, seat).iter().map(|prompt| prompt.kind().name()).collect()
    }
    fn reads_ahead(&mut self, seat: Seat, kind: &str, said: &Phrase) -> Result<(), Misread> {
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
    fn say(&mut self, prompt: PromptId, order: &AnyOrder) -> Option<String> {
        let order = typed::<G>(order).ok()?;
        let seen = self.look().ok()?;
        let ticket = seen.tickets.iter().find(|t| t.id == prompt)?;
        ticket.prompt.say(&seen.state, ticket.seat, &order)
    }
    fn facts(&mut self, prompt: PromptId, order: Option<&AnyOrder>) -> Vec<Fact> {
        let order = order.and_then(|order| typed::<G>(order).ok());
        let Ok(seen) = self.look() else { return Vec::new() };
        let Some(ticket) = seen.tickets.iter().find(|t| t.id == prompt) else { return Vec::new() };
        // Whatever is made up of what is hidden: the same is made up whatever it is.
        let state = G::masked(&seen.state, Some(ticket.seat), &mut |_| 0);
        let mut facts = G::facts(&state, ticket.seat);
        facts.extend(ticket.prompt.facts(&state, ticket.seat, order.as_ref()));
        facts
    }
    fn vps(&mut self, seat: Seat) -> Option<i64> {
        // What a seat may know, as for other facts.
        let state = G::masked(&self.look().ok()?.state, Some(seat), &mut |_| 0);
        let facts = G::facts(&state, seat);
        let vps = facts.into_iter().find(|fact| fact.name == VPS)?;
        match vps.value {
            Value::Number(points) => Some(points),
            _ => None,
        }
    }
    fn cautions(&mut self, prompt: PromptId, order: &AnyOrder) -> Vec<String> {
        let Ok(order) = typed::<G>(order) else { return Vec::new() };
        let Ok(seen) = self.look() else { return Vec::new() };
        let Some(ticket) = seen.tickets.iter().find(|t| t.id == prompt) else { return Vec::new() };
        let state = G::masked(&seen.state, Some(ticket.seat), &mut |_| 0);
        ticket.prompt.cautions(&state, ticket.seat, &order)
    }
    fn dangers(&mut self, prompt: PromptId, order: &AnyOrder) -> Vec<String> {
        let Ok(order) = typed::<G>(order) else { return Vec::new() };
        let Ok(seen) = self.look() else { return Vec::new() };
        let Some(ticket) = seen.tickets.iter().find(|t| t.id == prompt) else { return Vec::new() };
        let state = G::masked(&seen.state, Some(ticket.seat), &mut |_| 0);
        ticket.prompt.dangers(&state, ticket.seat, &order)
    }
    fn fact_names(&mut self, fact: &str) -> Vec<String> {
        self.look().map(|seen| G::fact_names(&seen.state, fact)).unwrap_or_default()
    }
    fn ways(&mut self, seat: Seat, order: &AnyOrder) -> Vec<super::map::Way> {
        let (Ok(order), Ok(seen)) = (typed::<G>(order), self.look()) else { return Vec::new() };
        G::ways(&G::masked(&seen.state, Some(seat), &mut |_| 0), &order)
    }
    fn known(&mut self, seat: Seat) -> Vec<Fact> {
        let Ok(seen) = self.look() else { return Vec::new() };
        G::facts(&G::masked(&seen.state, Some(seat), &mut |_| 0), seat)
    }
    fn make_up(&mut self, seat: Seat, below: Draws) -> Result<(), Rejected> {
        Session::make_up(self, seat, below)
    }
    fn sample(&mut self, prompt: PromptId, below: &mut dyn FnMut(u32) -> u32) -> Option<AnyOrder> {
        let seen = self.look().ok()?;
        let ticket = seen.tickets.iter().find(|t| t.id == prompt)?;
        ticket.prompt.sample(&seen.state, ticket.seat, below).map(AnyOrder::new)
    }
    fn at_deadline(&mut self, prompt: PromptId) -> Option<AnyOrder> {
        let seen = self.look().ok()?;
        let ticket = seen.tickets.iter().find(|t| t.id == prompt)?;
        ticket.prompt.at_deadline(&seen.state, ticket.seat).map(AnyOrder::new)
    }
    fn view(&mut self, seat: Option<Seat>) -> Result<serde_json::Value, Rejected> {
        let state = &self.look()?.state;
        // Whatever is made up will do: a view does not show it.
        Ok(G::view(&G::masked(state, seat, &mut |_| 0), seat))
    }
    fn freeze_at(&mut self, label: &str) {
        Session::freeze_at(self, label);
    }
    fn frozen_view(&mut self, seat: Option<Seat>) -> Option<serde_json::Value> {
        let state = self.take_frozen()?;
        Some(G::view(&G::masked(&state, seat, &mut |_| 0), seat))
    }
    fn pieces(&mut self, seat: Seat) -> Vec<String> {
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
    fn ending(&self) -> Option<serde_json::Value> {
        self.over().map(G::ending)
    }
    fn figures(&self) -> Vec<(&'static str, i64)> {
        self.over().map(G::figures).unwrap_or_default()
    }
    fn any(&mut self) -> Option<&mut dyn Any> {
        Some(self)
    }
}

fn asked<G: Game>(seen: &Snapshot<G>, t: &super::OpenTicket<G>) -> Asked {
    let urgent = t.required || t.prompt.urgent(&seen.state, t.seat);
    Asked { id: t.id, seat: t.seat, kind: t.prompt.kind().name(), required: t.required, urgent }
}

/// The order with its type; one of another type is read from what it would be in a journal.
pub(super) fn typed<G: Game>(order: &AnyOrder) -> Result<G::Order, Rejected> {
    match order.of::<G::Order>() {
        Some(order) => {
            // What is decided live must be what a replay will read.
            debug_assert_eq!(order_from::<G>(&AnyOrder::new(order.clone()).json()).as_ref(), Ok(order));
            Ok(order.clone())
        }
        None => order_from::<G>(&order.json()),
    }
}

fn order_from<G: Game>(text: &str) -> Result<G::Order, Rejected> {
    serde_json::from_str(text)
        .map_err(|why| Refusal { rule: "-", why: format!("this is not an order of this game: {why}") }.into())
}
