//! The games of the box.

use super::Tried;
use postrider::{
    games::{
        bloody_ground::{self, BloodyGround},
        geronimo::{self, Geronimo},
        plains::{self, Plains},
        rosebud_creek::{self, RosebudCreek},
    },
    table::{Below, Ruleset},
};

impl Tried for Geronimo {
    fn rules() -> &'static dyn Ruleset {
        &geronimo::ruleset::RULES
    }
    /// 8.11: the US makes an offer.
    fn venture(g: &geronimo::State, below: &mut Below<'_>) -> Option<geronimo::Order> {
        let village = below(g.villages.len() as u32) as usize;
        Some(geronimo::Order::Offer { village: g.c.villages[village].name.clone(), vps: below(12) as i32 })
    }
}

impl Tried for Plains {
    fn rules() -> &'static dyn Ruleset {
        &plains::ruleset::RULES
    }
}

impl Tried for BloodyGround {
    fn rules() -> &'static dyn Ruleset {
        &bloody_ground::ruleset::RULES
    }
}

impl Tried for RosebudCreek {
    fn rules() -> &'static dyn Ruleset {
        &rosebud_creek::ruleset::RULES
    }
}
