//! What random events have laid on the map (12.14).

use super::ColumnId;
use crate::components::{AreaId, TribeId, VillageId};

/// What random events have laid on the map (12.1). All but the last field is over with the Turn (12.14).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Tribes with a Gunrunner counter: +1 to their Battle DRs.
    pub gunrunners: Vec<TribeId>,
    /// Areas that get no new Buffalo Skull.
    pub buffalo_campaigns: Vec<AreaId>,
    /// Areas into and out of which no Column reacts.
    pub lines_cut: Vec<AreaId>,
    /// Columns under siege in their Forts.
    pub sieges: Vec<ColumnId>,
    /// Villages whose attackers have -3 on their Battle DRs.
    pub strongholds: Vec<VillageId>,
    /// Villages without horses: Evasion -2, and new War Parties stay in the Village's Area.
    pub no_horses: Vec<VillageId>,
    /// Where Sand Creek was this Turn: no Statehood there.
    pub sand_creek: Option<AreaId>,
    /// The US may still kill the horses of a Village this Turn.
    pub horse_killers: bool,
    /// The US may still take hostages in a Village this Turn.
    pub hostages: bool,
    /// Sand Creek has happened in this game.
    pub sand_creek_over: bool,
}

impl Events {
    /// What is left of them when the Turn ends (12.14).
    pub fn after_turn(&self) -> Events {
        Events { sand_creek_over: self.sand_creek_over, ..Events::default() }
    }
    /// `true` if the Telegraph carries no Reaction between two Areas.
    pub fn lines_cut_between(&self, one: AreaId, other: AreaId) -> bool {
        self.lines_cut.contains(&one) || self.lines_cut.contains(&other)
    }
}
