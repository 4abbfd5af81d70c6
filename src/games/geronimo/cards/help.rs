//! The help texts of the Shaman Cards.

use crate::{State, card::Card};
use postrider_table::Description;

/// Returns a function that adds a card's text to the description of its question.
pub fn told(card: Card) -> impl Fn(&State, Description) -> Description {
    move |_, d| sentences(card).fold(d, Description::line)
}

/// Returns the text of a card as whole sentences.
pub fn sentences(card: Card) -> impl Iterator<Item = String> {
    help(card).lines().map(|line| {
        let mut chars = line.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        let end = if line.ends_with('.') { "" } else { "." };
        format!("{}{}{end}", first.map(String::from).unwrap_or_default(), chars.as_str())
    })
}

/// Returns the text of a card in one to three lines. The first is short enough for a list.
pub fn help(card: Card) -> &'static str {
    match card {
        Card::AmericanCivilWar => {
            "halves the Army for this Turn; no Railroads are built\nNo Column is played in Texas and New Mexico. Half of the Commanders, BPs and Artillery go; the US places its Columns anew. New Mexico and Arizona become no States this Turn.\nIt must be your first card played in a Turn, or it can only be discarded. In Turn 6 the war comes by itself."
        }
        Card::AnyTribeMayRaid => {
            "your Operation is a Raid by any of your Villages\nA Tribe that is no Raider raids at rating 2. The US Ignores it."
        }
        Card::AtrocityAndReprisal => {
            "your attacks this Round count for more VPs, or cost 1\nOnly against Tribes and Columns whose leader has Aggression 2 or more; such an attack without VPs costs you 1 VP."
        }
        Card::BadBlood => {
            "a Tribe you name must attack other Indians at once\nIt may not be a Friend whom it attacks; VPs double. Another player's Tribe does so out of turn, and it counts as his next Operation.\nNo effect on a Tribe that is not Active or is Finished. The US Ignores it."
        }
        Card::BadWeather => "2 Survival Points less in an Area this Turn\nThe Area must not have a Weather marker yet.",
        Card::BloodLust => {
            "a Village with a Chief fights harder but cannot Evade\nBattle DRs and Aggression +2 for the Turn. Another player's Village must attack at once, out of turn.\nThe US Ignores it."
        }
        Card::BuffaloHunters => {
            "2 Survival Points less in a Buffalo Area, for good\nThe Area must still have Survival Points; Indian Territory only after the Land Rush."
        }
        Card::AgencyCorruption => {
            "ends the Peace Policy, or this Turn's Treaties lose VPs\nDR 0: no VPs lost, 1-3: 1, 4-5: 2, 6-7: 3, 8: 4, 9: 5. A Treaty with nothing left is void: the Village goes home.\nThe Reform Movement takes 2 off these DRs, and ends. In the Solitaire Game the US only ends the Peace Policy; the Indians only roll, for every Village On Reservation, which a 9 frees, and not under the Reform Movement. That ends either way."
        }
        Card::Federales => {
            "undoes another player's Raid into Mexico, out of turn\nThe Raid may have failed. It closes Mexico for the Turn and counts as your next Shaman Card. Played in your own Round it is No Event."
        }
        Card::GatlingGuns => "the US may take one Gatling a Turn from now on\nThe card leaves the game.",
        Card::GhostTowns => {
            "a Mine may be played out\nNot a Lode. It goes if DR - 2 is more than its value; with it goes a Settlement, or a Town becomes three of them."
        }
        Card::GoodWeather => {
            "2 Survival Points more in an Area this Turn\nThe Area must not have a Weather marker yet."
        }
        Card::MassiveWinterStorm => {
            "every Village and Column in a Mountain Area loses 1 BP\nA War Party there loses it instead of its Village; a Village whose BPs are all elsewhere is Devastated -1.\nNot where there is Good Weather."
        }
        Card::Missionaries => {
            "a Mission in an Area with a Village\nSurvival Points double there, but no War Parties and no Relocation. When all three are out, one moves."
        }
        Card::Mormons => {
            "the US must keep a Column in Utah this Turn\nIn its next Round with a card played the US names a Column of 3 BPs or more in Utah, On Patrol next to it, or a new one: one Column play. It stays in Utah, attacks nobody, and reacts only to whoever attacks it."
        }
        Card::Parole => "all Chiefs In Prison go free",
        Card::PeaceChief => {
            "a Village gets a Peace Chief\nOf another player: you ask for Tribes until one is Active; in games of two one of your own. It may not attack Resources or Columns, the US may not attack it.\nThe US Ignores it."
        }
        Card::PeacePolicy => {
            "Columns of Aggression below 3 may not attack Villages\nExcept when they React to a Relocation. Ends with the Turn, a Massacre by Indians, Agency Corruption or the Civil War."
        }
        Card::PublicOutrage => {
            "a DR of BPs for the US Reserve\nOnly after a Massacre by Indians this Turn. The Indians Ignore it."
        }
        Card::Raid => {
            "your Operation is a Raid by one of your Raider Tribes\nOn a Resource, Mission or Mexico. No Event if none of them can; the US Ignores it."
        }
        Card::RailroadSkimmingScandal => "one RR marker is removed, Broke or not",
        Card::Rampage => {
            "one War Party attacks two targets of one Area\nThis Round only, and it counts as one Operation. The US Ignores it."
        }
        Card::ReformMovement => {
            "Columns of Aggression below 2 may not attack Villages\nExcept when they React to a Relocation. Takes 2 off the DRs of the next Agency Corruption, which ends it."
        }
        Card::ReservationUnrest => {
            "a Tribe drawn at random leaves the Reservation\nOne of its Villages does; the others may. The US loses no VPs.\nIn the last Turn it must be played or discarded before your other cards."
        }
        Card::Scouts => {
            "one of your Scout Villages may help the US for 1 VP\nColumns in and next to its Area get Speed +1. It may not Relocate or attack, nor be attacked by the US."
        }
        Card::ShamanMedicine => {
            "a Village gets +2 in Battle and +1 Aggression\nUntil it loses a BP in Battle; then each of its Chiefs there dies on an even DR. The US may Ignore it."
        }
        Card::Smallpox => {
            "a Village is Finished and may lose BPs\nDR 0-4: no BP lost, 5-8: 1, 9: 2. Its War Parties go home at once."
        }
        Card::SpringfieldRifle => {
            "+1 to all Battle DRs of the US, for good\nNot before Turn 3: until then it can only be discarded.\nThe card leaves the game."
        }
        Card::Telegraph => {
            "Columns may React into adjacent Areas\nCampaign Game only; in the Basic Game it is already so."
        }
        Card::TerritorialProblems => {
            "Bloody Kansas; after the Civil War the Oklahoma Land Rush\nBefore the war no more Columns come into Kansas this Turn, and none out of its Fort. After it Indian Territory opens to settlers and Buffalo Hunters, and the card leaves the game.\nNo Event during the war."
        }
        Card::TexasRangers => {
            "a Village or War Party in Texas loses 1 BP on an odd DR\nIf only Villages without BPs are there, one is Devastated -1 instead. Nobody earns VPs."
        }
        Card::TribalAlliances => {
            "your Operation may be an Alliance of friendly Tribes\nWar Parties in or next to an Area combine; the other Indian players are asked whether they join. The US Ignores it."
        }
        Card::TribalUnrest => "a Peace Chief is removed",
        Card::WinterCampaigning => {
            "Evasion -1, Pursuit -2, and both cost BPs, this Turn\nA Tribe that Evades with success loses 1 BP; so does a Column that attempts Pursuit."
        }
    }
}
