//! The `eager` bot, which rides to the most mail.

use super::{Ask, Order, Relay, State};
use postrider_table::{Below, Mind, NamedBot, Question, Thinking};

/// The bots of Relay, in addition to the random one.
pub const BOTS: &[NamedBot] = &[NamedBot {
    name: "eager",
    about: "rides to the most mail, and pays robbers",
    make: || Box::new(Thinking::<Relay, _>::new(Eager)),
}];

struct Eager;

impl Mind<Relay> for Eager {
    fn answer(&mut self, question: &Question<'_, Relay>, _: &mut Below<'_>) -> Option<Order> {
        match question.prompt.kind() {
            Ask::Ride => question.best(|order| worth(question.state, order)),
            Ask::Robbers => question.pick("pay"),
        }
    }
}

/// Returns the mail that a ride gains, less a penalty for fast horses, which may be needed later.
fn worth(g: &State, order: &Order) -> Option<f64> {
    let Order::Ride { horse, to } = order else { return None };
    let mail = g.waiting[g.c.station(to)?.index()];
    Some(f64::from(mail) - 0.1 * f64::from(g.c[g.c.horse(horse)?].paces))
}
