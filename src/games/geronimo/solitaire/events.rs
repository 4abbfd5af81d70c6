//! Shaman Cards with different effects in the Solitaire Game (11.36, and notes in 9.2C, H, K, Q and
//! W).

use super::{
    super::{
        State, T,
        card::Card,
        cards::{After, Standing},
        columns,
        components::VillageId,
        indian::{Compelled, can_be_compelled, compelled_attack},
        reservation::leave_reservation,
        state::Place,
    },
    US, concerns, decks,
};
use postrider_table::Seat;

/// Number of the last Shaman Card in a Turn with which the Civil War can start (11.36).
const CIVIL_WAR_BY: u32 = 20;
/// The DR at which a Village leaves the Reservation (9.2H).
const CORRUPTED: i64 = 9;

/// Returns the effect of a card in this Round if it differs from other games; otherwise `None`.
pub fn standing(g: &State, seat: Seat, card: Card) -> Option<Standing> {
    use Standing::{Effect, Ignored, NoEvent};
    if !g.variant.solitaire {
        return None;
    }
    let us = seat == US;
    let with_tribe = |then: Option<Standing>| if g.solo.tribe.is_some() { then } else { Some(NoEvent(NO_TRIBE)) };
    match card {
        Card::AmericanCivilWar if g.round > CIVIL_WAR_BY => Some(Ignored("it was not among the first twenty cards")),
        Card::BadBlood | Card::BloodLust | Card::PeaceChief | Card::Rampage | Card::Scouts => {
            if us {
                Some(Ignored(ITS_TRIBE))
            } else {
                with_tribe(None)
            }
        }
        Card::ShamanMedicine | Card::Smallpox => {
            if us {
                Some(Ignored(ITS_TRIBE))
            } else {
                with_tribe(None)
            }
        }
        Card::TribalAlliances if !us => with_tribe(None),
        Card::AtrocityAndReprisal => {
            // A Mormon Column that must be designated is the only play of the US (9.2O, 11.38).
            let able = if us {
                !g.fx.mormons_due && columns::can_avenge(g)
            } else {
                can_be_compelled(g, &drawn(g), Compelled::Revenge)
            };
            Some(if able { Effect } else { Ignored("no leader of Aggression 2 or more can be attacked") })
        }
        Card::AgencyCorruption => {
            let matters = if us { g.fx.peace_policy } else { on_reservation(g).next().is_some() };
            let why = if us { "no Peace Policy and no Reform Movement" } else { "nobody is On Reservation" };
            Some(if matters || g.fx.reform_movement { Effect } else { NoEvent(why) })
        }
        _ => None,
    }
}

const ITS_TRIBE: &str = "it is for the Tribe of an Indian Round";
const NO_TRIBE: &str = "no Tribe was drawn";

/// Carries out the event of a card that is different here; returns `None` for all others.
pub async fn event(t: &T, g: &mut State, seat: Seat, card: Card) -> Option<After> {
    if !g.variant.solitaire {
        return None;
    }
    match card {
        Card::AgencyCorruption => agency_corruption(t, g, seat),
        Card::AtrocityAndReprisal => atrocity_and_reprisal(t, g, seat).await,
        Card::TribalAlliances => {
            decks::look_ahead(t, g);
            return Some(After::Alliance);
        }
        _ => return None,
    }
    Some(After::Operation)
}

/// Returns the Villages of the drawn Tribe that are not Finished.
fn drawn(g: &State) -> Vec<VillageId> {
    g.village_ids().filter(|&v| concerns(g, v) && g.player_of(v).is_some() && !g.village(v).finished).collect()
}

fn on_reservation(g: &State) -> impl Iterator<Item = VillageId> + '_ {
    g.village_ids().filter(|&v| matches!(g.village(v).place, Place::Reservation { .. }))
}

/// Resolves Agency Corruption (8.22, 9.2H, 9.2W). The US cancels the Peace Policy; the Indians make
/// a DR for every Village On Reservation, unless a Reform Movement was in effect. In both cases the
/// Reform Movement ends.
fn agency_corruption(t: &T, g: &mut State, seat: Seat) {
    let reform = std::mem::take(&mut g.fx.reform_movement);
    if reform {
        t.tell(|| "The Reform Movement is over.".to_owned());
    }
    if seat == US {
        if std::mem::take(&mut g.fx.peace_policy) {
            t.tell(|| "The Peace Policy is cancelled.".to_owned());
        }
        return;
    }
    if reform {
        return;
    }
    for v in on_reservation(g).collect::<Vec<_>>() {
        let dr = t.d10("agency corruption");
        t.tell(|| format!("Agency Corruption DR for the {}: {dr}, needed a {CORRUPTED} to leave.", g.c[v].name));
        if dr == CORRUPTED {
            leave_reservation(t, g, v, 1);
        }
    }
}

/// Requires an attack on a leader of Aggression 2 or more (9.2C, 11.36): by the drawn Tribe
/// immediately, or by the US as its Column play.
async fn atrocity_and_reprisal(t: &T, g: &mut State, seat: Seat) {
    g.fx.atrocity = Some(seat);
    t.tell(|| format!("{} must attack a leader of Aggression 2 or more.", g.who(seat)));
    if seat != US {
        let villages = drawn(g);
        compelled_attack(t, g, &villages, Compelled::Revenge).await;
    }
}
