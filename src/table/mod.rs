//! The runtime in which rules run: asking, rolling, drawing, telling, views and replay.
//!
//! The rules of a game are one `async fn` that reads as its rulebook does. It never waits on I/O; `await` only marks the
//! places where a seat must decide. When a decision is missing the future is left pending, and what it asked is the set
//! of open prompts. When a decision comes it is validated at the very place where it was asked, and the future runs on to
//! the next question. State is never stored: it is rebuilt by running the same function over the same decisions.
//!
//! A [`Game`] is four things: a first state, the rules, what a seat may see of a state, and how a finished state is
//! scored. This is a whole game, in which two players bid in secret order for a coin that one die values:
//!
//! ```
//! use postrider::{
//!     orders::{Misread, Phrase},
//!     table::*,
//! };
//! use serde::{Deserialize, Serialize};
//!
//! struct Auction;
//!
//! #[derive(Clone, Default)]
//! struct Purse { worth: i64, won: [i64; 2] }
//!
//! #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
//! struct Bid { coins: i64 }
//!
//! struct HowMuch;
//! impl Prompt<Auction> for HowMuch {
//!     type Answer = i64;
//!     fn kind(&self) -> &'static str { "bid" }
//!     fn accept(&self, _: &Purse, _: Seat, order: &Bid) -> Result<i64, Refusal> {
//!         if (0..=9).contains(&order.coins) { Ok(order.coins) } else { refuse("2.1", "a bid is 0 to 9 coins") }
//!     }
//!     fn describe(&self, _: &Purse, _: Seat) -> Description { Description::new("Your bid, 0 to 9 coins", "2.1") }
//!     fn read(&self, _: &Purse, _: Seat, said: &Phrase) -> Result<Bid, Misread> {
//!         let mut words = said.reader();
//!         words.eat("bid");
//!         let coins = words.number().ok_or_else(|| words.fail("a bid is a number of coins"))?;
//!         words.end().map(|()| Bid { coins })
//!     }
//!     fn options(&self, _: &Purse, _: Seat) -> Vec<Choice<Bid>> {
//!         (0..=9).map(|coins| Choice::new(Bid { coins }, format!("bid {coins}"))).collect()
//!     }
//! }
//!
//! impl Game for Auction {
//!     type State = Purse;
//!     type Order = Bid;
//!     fn play(t: Table<Self>, mut g: Purse) -> Rules<Self> {
//!         Box::pin(async move {
//!             g.worth = t.roll("worth", 0, 9);
//!             let bids = t.all(&g, vec![t.open(Seat(0), HowMuch), t.open(Seat(1), HowMuch)]).await;
//!             let winner = usize::from(bids[1] > bids[0]);
//!             g.won[winner] += g.worth - bids[winner];
//!             t.tell(|| format!("Seat {winner} pays {} for {}.", bids[winner], g.worth));
//!             g
//!         })
//!     }
//!     fn view(g: &Purse, _: Option<Seat>) -> serde_json::Value { serde_json::json!({ "won": g.won }) }
//!     fn outcome(g: &Purse) -> serde_json::Value { serde_json::json!({ "won": g.won }) }
//! }
//!
//! let mut auction = Session::<Auction>::start(Purse::default(), Box::new(SeededChance::new(7)), Watch::ALL);
//! let asked: Vec<_> = auction.look().unwrap().tickets.clone();
//! assert_eq!(asked.len(), 2);
//! // Independent questions may be answered in any order; each ticket keeps its number.
//! let second = Decision { seat: Seat(1), prompt: asked[1].id, order: Bid { coins: 4 } };
//! auction.submit(&second).unwrap();
//! assert!(auction.submit(&second).is_err(), "a ticket is good for one answer");
//! let wild = Decision { seat: Seat(0), prompt: asked[0].id, order: Bid { coins: 40 } };
//! assert!(auction.submit(&wild).is_err(), "a refusal changes nothing");
//! auction.submit(&Decision { order: Bid { coins: 2 }, ..wild }).unwrap();
//! assert!(auction.outcome().is_some());
//! ```

mod chance;
mod hosted;
mod pick;
mod prompt;
mod session;
mod ticket;

pub use self::{
    chance::{Chance, ChanceFault, Recorded, RecordedChance, RecordedShuffle, RolledDie, SeededChance, Shuffle},
    hosted::{Asked, Hosted, Listed, Ruleset, Setup, SetupFault, Understood},
    pick::{Candidate, Pick, PickOrder},
    prompt::{AnyPrompt, Choice, Description, Prompt, Refusal, refuse},
    session::{Decision, Event, Rejected, Session, Snapshot, Told, Watch, Whom},
    ticket::{OpenTicket, Table, Ticket},
};
use serde::{Serialize, de::DeserializeOwned};
use std::{fmt, future::Future, pin::Pin};

/// A place at the table, counted from 0 in the order of the journal's `opened.seats`. Sides may move between seats
/// during a game; seats never do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(pub u8);

impl Seat {
    /// The position of this seat in lists that have one entry a seat.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// `Seat(0)` is shown as `A`, as in journals.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'A' + self.0))
    }
}

/// The ordinal of a prompt over a whole game, counted from 0 in the order in which the rules opened them.
pub type PromptId = u32;

/// The running rules of a game: they end with the last state.
pub type Rules<G> = Pin<Box<dyn Future<Output = <G as Game>::State>>>;

/// A game: a first state, rules, views and an outcome. The rules learn of the world through their [`Table`] alone, so a
/// game never knows whether it runs live, in a replay, in a test or for a bot.
pub trait Game: Sized + 'static {
    /// Everything there is to know about a position. Cloned when somebody looks, so keep it small.
    type State: Clone + 'static;
    /// What a seat can answer. Written into the journal as JSON: enum variants with named fields, so that an order is
    /// always an object.
    type Order: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned + 'static;

    /// The rulebook, from set-up to the last point.
    fn play(table: Table<Self>, state: Self::State) -> Rules<Self>;
    /// What one seat (or, with `None`, a spectator) may see. The one door between a state and anybody's eyes.
    fn view(state: &Self::State, seat: Option<Seat>) -> serde_json::Value;
    /// The final ranking; asked of finished states only.
    fn outcome(state: &Self::State) -> serde_json::Value;
}
