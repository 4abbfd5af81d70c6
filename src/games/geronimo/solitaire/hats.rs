//! One player with two hats (11.3): the rules ask the US and the Indians, and both questions go to
//! the same seat.

use super::super::{Ask, Geronimo, Order, State, T};
use postrider_orders::{Misread, Phrase};
use postrider_standing::Fact;
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, Ticket};

/// A question to a seat of the rules, whichever seat at the table is asked. Outside the Solitaire
/// Game the two are the same, and this has no effect.
pub struct Worn<P> {
    pub hat: Seat,
    pub prompt: P,
}

/// Asks a seat of the rules.
pub fn open<P: Prompt<Geronimo>>(t: &T, g: &State, hat: Seat, prompt: P) -> Ticket<Geronimo, P::Answer> {
    t.open(g.chair(hat), Worn { hat, prompt })
}

impl<P: Prompt<Geronimo>> Prompt<Geronimo> for Worn<P> {
    type Answer = P::Answer;
    fn kind(&self) -> Ask {
        self.prompt.kind()
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<P::Answer, Refusal> {
        self.prompt.accept(g, self.hat, order)
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let mut d = self.prompt.describe(g, self.hat);
        if g.variant.solitaire {
            d.title = format!("{}: {}", g.side(self.hat), d.title);
        }
        d
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.prompt.read(g, self.hat, said)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        self.prompt.options(g, self.hat)
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        self.prompt.sample(g, self.hat, below)
    }
    fn at_deadline(&self, g: &State, _: Seat) -> Option<Order> {
        self.prompt.at_deadline(g, self.hat)
    }
    fn facts(&self, g: &State, _: Seat, order: Option<&Order>) -> Vec<Fact> {
        self.prompt.facts(g, self.hat, order)
    }
    fn urgent(&self, g: &State, _: Seat) -> bool {
        self.prompt.urgent(g, self.hat)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.prompt.say(g, self.hat, order)
    }
}
