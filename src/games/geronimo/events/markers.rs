//! The markers of random events (12.14), and their removal before the end of the Turn.

use crate::{
    State, T,
    components::{TribeId, VillageId},
    state::{Events, Place},
};

/// DRM on the Battle DRs of attackers of a Stronghold.
const STRONGHOLD: i32 = -3;
/// DRM on the Evasion total of a Village without horses.
const NO_HORSES: i32 = -2;

impl State {
    /// Returns the DRM of an attack on a Village for its Stronghold (12.13).
    pub fn stronghold_drm(&self, v: VillageId) -> i32 {
        if self.events.strongholds.contains(&v) { STRONGHOLD } else { 0 }
    }
    /// Returns the DRM on a Village's Evasion total if it has no horses (12.13).
    pub fn no_horses_drm(&self, v: VillageId) -> i32 {
        if self.events.no_horses.contains(&v) { NO_HORSES } else { 0 }
    }
    /// Returns +1 for each Tribe of these Villages that has Gunrunners (12.13).
    pub fn gunrunner_drm(&self, villages: &[VillageId]) -> i32 {
        let armed = |tribe: &&TribeId| villages.iter().any(|&v| self.c[v].tribe == **tribe);
        self.events.gunrunners.iter().filter(armed).count() as i32
    }
}

/// Removes invalid markers: of Strongholds without BPs or off the map, of Villages without horses
/// that are out of play, and of lost Columns. Must be called whenever BPs leave a Village.
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

/// Removes the Stronghold of a Village that relocates, tries to evade, or is Devastated by an
/// attack.
pub fn lose_stronghold(t: &T, g: &mut State, v: VillageId) {
    let before = g.events.strongholds.len();
    g.events.strongholds.retain(|&other| other != v);
    if g.events.strongholds.len() < before {
        tell_removed(t, g, v);
    }
}

/// Tells that a Stronghold is lost.
fn tell_removed(t: &T, g: &State, v: VillageId) {
    t.tell(|| format!("The {} lose their Stronghold.", g.c[v].name));
}
