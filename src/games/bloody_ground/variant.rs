//! The scenario and options of a game, from the first line of its journal.

use postrider_table::settings;

settings! {
    /// The settings of a game, fixed by its `opened` entry.
    pub struct Variant {
    }
    options {
        rating_after_roll = "rating-after-roll", "8.1.1: NA adds the leader's rating to a mobilization die after seeing it, or not";
        range_drm = "range-drm", "10.5.2: +1 to the fire die for each hex of range over one";
        late_commitment = "late-commitment", "8.2: Commitment is rolled after the nations' mobilization, not before";
        severe_doubled = "severe-doubled", "Severe weather doubles MPs on the map instead of costing what winter does";
        pillage_until_winter = "pillage-until-winter", "4.7, 13.0: Pillaged markers go at the end of winter, not of fall";
        raid_losses = "raid-losses", "Raiders lose only where militia defends";
        assault_agreed = "assault-agreed", "11.2.2, 11.3.2: a fort is assaulted only if both want combat";
        british_edge = "british-edge", "8.5.3: the British enter at any fort of theirs and along the north edge west of Lake Erie";
        settled_at_end = "settled-at-end", "15.4.5: settled areas are counted once, at the end";
        fourteen_militia = "fourteen-militia", "15.2.1: the fourteen militia of the list, without two drawn at random";
        pillage_at_end = "pillage-at-end", "15.1.4: Kekionga counts as pillaged only with its marker at the end";
    }
}
