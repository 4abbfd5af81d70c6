//! Markers of random events (12.14).

use super::ColumnId;
use crate::components::{AreaId, TribeId, VillageId};

/// Markers of random events (12.1). All fields except the last end with the Turn (12.14).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Tribes with a Gunrunner counter: +1 to their Battle DRs.
    pub gunrunners: Vec<TribeId>,
    /// Areas that get no new Buffalo Skulls.
    pub buffalo_campaigns: Vec<AreaId>,
    /// Areas into and out of which no Column reacts.
    pub lines_cut: Vec<AreaId>,
    /// Columns under siege in their Forts.
    pub sieges: Vec<ColumnId>,
    /// Villages whose attackers have -3 on their Battle DRs.
    pub strongholds: Vec<VillageId>,
    /// Villages without horses: Evasion -2, and new War Parties stay in the Village's Area.
    pub no_horses: Vec<VillageId>,
    /// The Area of Sand Creek this Turn, without Statehood.
    pub sand_creek: Option<AreaId>,
    /// `true` if the US may still kill the horses of a Village this Turn.
    pub horse_killers: bool,
    /// `true` if the US may still take hostages in a Village this Turn.
    pub hostages: bool,
    /// `true` if Sand Creek has happened in this game.
    pub sand_creek_over: bool,
}

impl Events {
    /// Returns what remains at the end of the Turn (12.14).
    pub fn after_turn(&self) -> Events {
        Events { sand_creek_over: self.sand_creek_over, ..Events::default() }
    }
    /// Returns `true` if no Column may react between two Areas by Telegraph.
    pub fn lines_cut_between(&self, one: AreaId, other: AreaId) -> bool {
        self.lines_cut.contains(&one) || self.lines_cut.contains(&other)
    }
}
