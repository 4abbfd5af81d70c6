//! The markers of random events (12.14), and when they come off before the Turn ends.

use crate::games::geronimo::{
    State, T,
    components::{AreaId, TribeId, VillageId},
    state::{ColumnId, Place},
};

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
    /// Whether the Telegraph carries no Reaction between two Areas.
    pub fn lines_cut_between(&self, one: AreaId, other: AreaId) -> bool {
        self.lines_cut.contains(&one) || self.lines_cut.contains(&other)
    }
}

/// DRM on the Battle DRs of whoever attacks a Stronghold.
const STRONGHOLD: i32 = -3;
/// Taken off the Evasion total of a Village without horses.
const NO_HORSES: i32 = -2;

impl State {
    /// The DRM of an attack on this Village for its Stronghold (12.13).
    pub fn stronghold_drm(&self, v: VillageId) -> i32 {
        if self.events.strongholds.contains(&v) { STRONGHOLD } else { 0 }
    }
    /// What a Village without horses has on its Evasion total (12.13).
    pub fn no_horses_drm(&self, v: VillageId) -> i32 {
        if self.events.no_horses.contains(&v) { NO_HORSES } else { 0 }
    }
    /// +1 for each Tribe among these Villages that has bought guns (12.13).
    pub fn gunrunner_drm(&self, villages: &[VillageId]) -> i32 {
        let armed = |tribe: &&TribeId| villages.iter().any(|&v| self.c[v].tribe == **tribe);
        self.events.gunrunners.iter().filter(armed).count() as i32
    }
}

/// Takes off the markers of what is no more: Strongholds without a BP or off the map, Villages without horses that are out
/// of play, Columns that are lost. To be called whenever BPs leave a Village.
pub fn keep_markers(t: &T, g: &mut State) {
    if g.events == Events::default() {
        return;
    }
    let mut events = std::mem::take(&mut g.events);
    let held = |v: &VillageId| matches!(g.village(*v).place, Place::Area(_)) && g.village(*v).bps > 0;
    let (kept, lost): (Vec<_>, Vec<_>) = events.strongholds.iter().copied().partition(held);
    events.strongholds = kept;
    events.no_horses.retain(|&v| g.in_play(v));
    events.sieges.retain(|&k| g.column(k).is_some());
    g.events = events;
    for v in lost {
        tell_removed(t, g, v);
    }
}

/// A Village that relocates, tries to evade or is Devastated by an attack gives up its Stronghold.
pub fn lose_stronghold(t: &T, g: &mut State, v: VillageId) {
    let before = g.events.strongholds.len();
    g.events.strongholds.retain(|&other| other != v);
    if g.events.strongholds.len() < before {
        tell_removed(t, g, v);
    }
}

/// Says that a Stronghold is no more.
fn tell_removed(t: &T, g: &State, v: VillageId) {
    t.tell(|| format!("The {} lose their Stronghold.", g.c[v].name));
}
