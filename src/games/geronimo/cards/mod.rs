//! The effects of the Shaman Cards (9).
//!
//! To change a card: its event is one function in the file of its subject ([`weather`], [`policy`],
//! [`army`], [`resources`](mod@resources), [`tribes`], [`villages`], [`raids`]), the check whether
//! it has an effect now is one line of [`standing`], and its text in letters is one entry of
//! [`help`]. The functions run only if `standing` returned an effect.

pub mod among;
mod army;
mod choice;
pub mod civil_war;
mod help;
pub mod mormons;
pub mod policy;
pub mod raids;
pub mod resources;
mod tribes;
mod villages;
mod weather;

#[cfg(test)]
mod tests;

pub use self::{
    among::{Indians, OneTribe, OneVillage, choose, choose_by_hand},
    choice::ShamanChoice,
    help::{help, sentences},
    weather::takes_skulls,
};

use super::{State, T, card::Card, components::AreaId, solitaire, state::CivilWar};
use postrider_table::Seat;

/// The possible actions after a card, in the Operations Segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// Any Operation.
    Operation,
    /// Any Operation without a call for others to join: nobody has followed the one before (6.76).
    Alone,
    /// A Raid: it alone (9.2T) or, with `any_tribe`, also any other Operation (9.2B).
    Raid { any_tribe: bool },
    /// A Tribal Alliance (9.2FF).
    Alliance,
    /// Nothing, because the card itself was the Operation (9.2D on one's own Tribe).
    Nothing,
}

/// The result of playing a card now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The card takes effect, and the player cannot avoid it (9.13, 9.14).
    Effect,
    /// No Event, for this reason (9.13).
    NoEvent(&'static str),
    /// Must be Ignored by this side, for this reason (9.14).
    Ignored(&'static str),
}

/// Returns the effect of a card if this seat plays it now (9.13, 9.14), judged by public
/// information and the seat's own Tribal Cards.
pub fn standing(g: &State, seat: Seat, card: Card) -> Standing {
    use Standing::{Effect, Ignored};
    let unless = |possible: bool, why: &'static str| if possible { Effect } else { Standing::NoEvent(why) };
    let us = seat == g.us;
    let (war, after_the_war) = (g.fx.civil_war == CivilWar::Now, g.fx.civil_war == CivilWar::Over);
    if let Some(standing) = solitaire::events::standing(g, seat, card) {
        return standing;
    }
    match card {
        Card::AnyTribeMayRaid
        | Card::BadBlood
        | Card::BloodLust
        | Card::PeaceChief
        | Card::Raid
        | Card::Rampage
        | Card::TribalAlliances
            if us =>
        {
            Ignored("the US cannot use it")
        }
        Card::PublicOutrage if !us => Ignored("the Indians cannot use it"),
        Card::Scouts if us || !villages::may_hold_scouts(g, seat) => Ignored("no Scout Tribe to offer"),
        // These two are not in the deck of the Basic Game (3.42).
        Card::AmericanCivilWar => unless(g.fx.civil_war == CivilWar::ToCome, "the Civil War has come already"),
        Card::Mormons => Effect,
        Card::AgencyCorruption => unless(
            policy::corruption_matters(g),
            "no Peace Policy, no Reform Movement, and nobody On Reservation by a Treaty of this Turn",
        ),
        Card::AnyTribeMayRaid => unless(raids::able(g, seat, true), "none of your Tribes can raid"),
        Card::BadBlood => unless(tribes::any_in_play(g), "no Tribe is in play"),
        Card::BadWeather | Card::GoodWeather => {
            unless(weather::clear(g).next().is_some(), "every Area has a Weather marker")
        }
        Card::BloodLust => unless(tribes::with_chief(g).next().is_some(), "no Village has a Chief"),
        Card::BuffaloHunters => unless(weather::any_buffalo(g), "no Buffalo Skull marker can be placed"),
        Card::Federales => Standing::NoEvent("it only answers a Raid into Mexico, out of turn"),
        Card::GatlingGuns => unless(after_the_war && !g.fx.gatlings, "Gatlings come after the Civil War"),
        Card::GhostTowns => unless(resources::mines(g).next().is_some(), "no Mine but Lodes is in play"),
        Card::MassiveWinterStorm => unless(weather::stormy(g).next().is_some(), "Good Weather in every Mountain Area"),
        Card::Missionaries => unless(villages::parishes(g).next().is_some(), "there is no Area for a Mission"),
        Card::Parole => unless(g.chiefs.iter().any(|chief| chief.prison), "no Chief is In Prison"),
        Card::PublicOutrage => unless(g.fx.indian_massacre, "no Massacre by Indians this Turn"),
        Card::Raid => unless(raids::able(g, seat, false), "none of your Raider Tribes can raid"),
        Card::RailroadSkimmingScandal => unless(resources::railroads(g).next().is_some(), "no RR marker is on the map"),
        Card::ReservationUnrest => {
            unless(g.village_ids().any(|v| policy::on_reservation(g, v)), "no Tribe is On Reservation")
        }
        Card::ShamanMedicine => unless(villages::unblessed(g).next().is_some(), "no Village can take the marker"),
        Card::Smallpox => unless(villages::any_in_play(g), "no Village is in play"),
        // From a hand it can then only be discarded; in the Solitaire Game nothing is discarded
        // (11.36).
        Card::SpringfieldRifle => unless(g.turn >= army::SPRINGFIELD_TURN, "it is too early for the Springfield"),
        Card::Telegraph => unless(!g.fx.telegraph, "the Telegraph is already there"),
        Card::PeacePolicy | Card::ReformMovement => unless(!war, "the Civil War is in effect"),
        Card::TerritorialProblems if war => Standing::NoEvent("the Civil War is in effect"),
        Card::TerritorialProblems if after_the_war => {
            unless(!g.fx.land_rush, "the Land Rush comes once, after the Civil War")
        }
        Card::TexasRangers => unless(!villages::in_texas(g).is_empty(), "no Village or War Party is in Texas"),
        Card::TribalUnrest => {
            unless(tribes::with_peace_chief(g).next().is_some(), "there is no Peace Chief on the map")
        }
        Card::PeaceChief => unless(tribes::to_ask_for(g, seat).next().is_some(), "no Tribe can get a Peace Chief"),
        Card::AtrocityAndReprisal
        | Card::Rampage
        | Card::Scouts
        | Card::TerritorialProblems
        | Card::TribalAlliances
        | Card::WinterCampaigning => Effect,
    }
}

/// Carries out the event of a card that was played and has already left the hand (9.12).
pub async fn play(t: &T, g: &mut State, seat: Seat, card: Card) -> After {
    match standing(g, seat, card) {
        Standing::Effect => {}
        Standing::NoEvent(why) => {
            t.tell(|| format!("No Event: {why}."));
            return After::Operation;
        }
        Standing::Ignored(why) => {
            t.tell(|| format!("{} is Ignored: {why}.", card.name()));
            return After::Operation;
        }
    }
    if let Some(after) = solitaire::events::event(t, g, seat, card).await {
        return after;
    }
    match card {
        Card::AmericanCivilWar => civil_war::american_civil_war(t, g).await,
        Card::AgencyCorruption => policy::agency_corruption(t, g, seat).await,
        Card::AnyTribeMayRaid => return After::Raid { any_tribe: true },
        Card::AtrocityAndReprisal => raids::atrocity_and_reprisal(t, g, seat),
        Card::BadBlood => return tribes::bad_blood(t, g, seat).await,
        Card::BadWeather => weather::bad_weather(t, g, seat).await,
        Card::BloodLust => tribes::blood_lust(t, g, seat).await,
        Card::BuffaloHunters => weather::buffalo_hunters(t, g, seat).await,
        Card::GatlingGuns => army::gatling_guns(t, g),
        Card::GhostTowns => resources::ghost_towns(t, g, seat).await,
        Card::GoodWeather => weather::good_weather(t, g, seat).await,
        Card::MassiveWinterStorm => weather::massive_winter_storm(t, g, seat).await,
        Card::Missionaries => villages::missionaries(t, g, seat).await,
        Card::Mormons => mormons::mormons(t, g),
        Card::Parole => policy::parole(t, g),
        Card::PeaceChief => tribes::peace_chief(t, g, seat).await,
        Card::PeacePolicy => policy::peace_policy(t, g),
        Card::PublicOutrage => policy::public_outrage(t, g),
        Card::Raid => return raids::raid(),
        Card::RailroadSkimmingScandal => resources::railroad_skimming_scandal(t, g, seat).await,
        Card::Rampage => raids::rampage(t, g),
        Card::ReformMovement => policy::reform_movement(t, g),
        Card::ReservationUnrest => policy::reservation_unrest(t, g, seat).await,
        Card::Scouts => villages::scouts(t, g, seat).await,
        Card::ShamanMedicine => villages::shaman_medicine(t, g, seat).await,
        Card::Smallpox => villages::smallpox(t, g, seat).await,
        Card::SpringfieldRifle => army::springfield_rifle(t, g),
        Card::Telegraph => army::telegraph(t, g),
        Card::TerritorialProblems => policy::territorial_problems(t, g),
        Card::TexasRangers => villages::texas_rangers(t, g, seat).await,
        Card::TribalAlliances => return After::Alliance,
        Card::TribalUnrest => tribes::tribal_unrest(t, g, seat).await,
        Card::WinterCampaigning => weather::winter_campaigning(t, g),
        // Never has an effect in the player's own Round.
        Card::Federales => {}
    }
    After::Operation
}
