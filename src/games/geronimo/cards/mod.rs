//! What each Shaman Card does (9.2).

use super::{Geronimo, Order, State, T, card::Card, state::Use};
use crate::{
    orders::{Misread, Phrase},
    table::{Choice, Description, Prompt, Refusal, Seat},
};

/// What a card leaves its player to do in the Operations Segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// Any Operation.
    Operation,
    /// A Raid, and nothing else (9.2T; with `any_tribe` 9.2B).
    Raid { any_tribe: bool },
    /// A Tribal Alliance (9.2FF).
    Alliance,
    /// Nothing: the card itself was the Operation (9.2D on one's own Tribe).
    Nothing,
}

/// 4.4B: play or discard a Shaman Card.
pub struct ShamanChoice;

impl Prompt<Geronimo> for ShamanChoice {
    type Answer = (Card, Use);
    fn kind(&self) -> &'static str {
        "shaman-card"
    }
    fn accept(&self, _g: &State, _seat: Seat, _order: &Order) -> Result<Self::Answer, Refusal> {
        todo!()
    }
    fn describe(&self, _g: &State, _seat: Seat) -> Description {
        todo!()
    }
    fn read(&self, _g: &State, _seat: Seat, _said: &Phrase) -> Result<Order, Misread> {
        todo!()
    }
    fn options(&self, _g: &State, _seat: Seat) -> Vec<Choice<Order>> {
        todo!()
    }
}

/// 9.12: the event of a card that was played; it is already out of the hand.
pub async fn play(_t: &T, _g: &mut State, _seat: Seat, _card: Card) -> After {
    todo!()
}
