//! The help texts of random events.

use super::Event;

/// Returns the text of an event in one to three lines.
pub fn about(event: Event) -> &'static str {
    match event {
        Event::Gunrunners => {
            "an Active Tribe has +1 on all its Battle DRs this Turn\nAllied War Parties of which it is part have it too. The US Ignores it."
        }
        Event::BuffaloHunterCampaign => {
            "no Buffalo Skull is placed in a Buffalo Area this Turn\nOne where you have a Village or War Party; Skulls that lie there stay. The US Ignores it."
        }
        Event::TelegraphLinesCut => {
            "Columns react neither into an Area nor out of it this Turn\nOne where you have a Village or War Party. No Event before the Telegraph; the US Ignores it."
        }
        Event::Siege => {
            "a Column In Fort cannot go On Patrol or be reinforced this Turn\nOne in the Area of a War Party of yours that is not Finished. It loses a BP to Attrition even on a DR of 0. The US Ignores it."
        }
        Event::Stronghold => {
            "whoever attacks a Village has -3 on his Battle DRs this Turn\nUntil it relocates, tries to evade, is Devastated by an attack or has no BP at home. The US Ignores it."
        }
        Event::SandCreekMassacre => {
            "a Village of an inactive Tribe is destroyed, and Indians draw Tribal Cards\nIts Area becomes no State this Turn. Once in a game; it must be played."
        }
        Event::HorseKillers => {
            "once this Turn the US may kill the horses of a Village it Devastates\nEvasion -2; its new War Parties and its Raids stay in its own Area. The Indians Ignore it."
        }
        Event::Hostages => {
            "once this Turn the US may take hostages in place of a Massacre\nThe Village goes On Reservation at once, as if forced there. The Indians Ignore it."
        }
    }
}

/// Returns the DRs of an event, as printed in the table.
pub fn drs(event: Event) -> &'static str {
    match event {
        Event::Gunrunners => "DR 0-1",
        Event::BuffaloHunterCampaign => "DR 2",
        Event::TelegraphLinesCut => "DR 3",
        Event::Siege => "DR 4",
        Event::Stronghold => "DR 5",
        Event::SandCreekMassacre => "DR 6",
        Event::HorseKillers => "DR 7",
        Event::Hostages => "DR 8-9",
    }
}
