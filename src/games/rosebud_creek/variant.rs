//! The scenario and options of a game, from the first line of its journal.

use postrider_table::settings;

settings! {
    /// The settings of a game, fixed by its `opened` entry.
    pub struct Variant {
    }
    options {
        no_casualty_limit = "no-casualty-limit", "16.F: every Indian casualty gives 1 VP, and melee is never closed to the Indians";
        first_shot_free = "first-shot-free", "14.D, option 1: a US unit cannot run low on ammunition by its first fire";
        ammo_roster = "ammo-roster", "14.D, option 2: US units have boxes of ammunition";
        indian_resupply = "indian-resupply", "14.C: an Indian unit of a melee with a US loss may re-supply";
        hit_and_run = "hit-and-run", "16.G: mounted Indian units may fire while they move";
        village_every_turn = "village-every-turn", "16.E: the US may look for the village more than once";
    }
}

impl Variant {
    /// Returns `true` if the Indian casualty limit is used (16.F).
    pub fn casualty_limit(&self) -> bool {
        !self.no_casualty_limit
    }
}
