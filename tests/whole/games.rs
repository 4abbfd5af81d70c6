//! The games of the box.

use super::{Die, Tried};
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
    fn told(_: &geronimo::State, dice: &[Die]) -> Vec<String> {
        const DRAWN: &[&str] =
            &["commander", "mine", "us player", "tribe", "reservation unrest", "sand creek", "sand creek tribe"];
        dice.iter().filter(|die| !DRAWN.contains(&&*die.label)).map(|die| die.got.to_string()).collect()
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
    /// Faces of dice by their names.
    fn told(g: &plains::State, dice: &[Die]) -> Vec<String> {
        const LABELS: [&str; 6] = ["green die", "orange die", "blue die", "brown die", "purple die", "white die"];
        let face = |die: &Die| {
            let faction = LABELS.iter().position(|label| *label == die.label)?;
            Some(g.c.pieces[faction].die[(die.got - 1) as usize].name().to_owned())
        };
        dice.iter().filter_map(face).collect()
    }
}

impl Tried for BloodyGround {
    fn rules() -> &'static dyn Ruleset {
        &bloody_ground::ruleset::RULES
    }
    /// What is drawn has numbers from 0 on.
    fn told(_: &bloody_ground::State, dice: &[Die]) -> Vec<String> {
        dice.iter().filter(|die| die.low == 1).map(|die| die.got.to_string()).collect()
    }
}

impl Tried for RosebudCreek {
    fn rules() -> &'static dyn Ruleset {
        &rosebud_creek::ruleset::RULES
    }
    /// Two dice by their sum.
    fn told(_: &rosebud_creek::State, dice: &[Die]) -> Vec<String> {
        let (mut sums, mut dice) = (Vec::new(), dice.iter().filter(|die| die.low == 1));
        while let Some(die) = dice.next() {
            let second = matches!(&*die.label, "fire" | "morale" | "leader loss").then(|| dice.next()).flatten();
            sums.push((die.got + second.map_or(0, |second| second.got)).to_string());
        }
        sums
    }
}
