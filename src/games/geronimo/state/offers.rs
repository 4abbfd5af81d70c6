//! Offered and signed Treaties (8.11).

use crate::components::VillageId;
use postrider_table::{PromptId, Seat};

/// The open offers, and the permanent questions of all seats.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    /// The permanent question of each seat during the Card Play Phase.
    pub tickets: Vec<PromptId>,
    pub offers: Vec<Offer>,
    /// Signed, but not yet in effect.
    pub signed: Vec<Offer>,
    /// VPs that the US player has given away this Turn, beyond the free ones (8.11).
    pub given: i32,
}

/// An offered Treaty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    pub village: VillageId,
    pub vps: i32,
    /// The US or the Tribe's player.
    pub by: Seat,
}
