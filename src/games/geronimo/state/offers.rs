//! Treaties that are offered or signed (8.11).

use crate::components::VillageId;
use postrider_table::{PromptId, Seat};

/// Offers on the table, and the seats' standing questions.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    /// One standing question a seat during the Card Play Phase.
    pub tickets: Vec<PromptId>,
    pub offers: Vec<Offer>,
    /// Signed, but not yet in force.
    pub signed: Vec<Offer>,
    /// VPs of his own that the US player has given away this Turn (8.11).
    pub given: i32,
}

/// A Treaty that has been offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    pub village: VillageId,
    pub vps: i32,
    /// The US, or the Tribe's player.
    pub by: Seat,
}
