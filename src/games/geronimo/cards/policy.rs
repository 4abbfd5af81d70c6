//! Shaman Cards about policy, Agencies and Reservations (9.2H, P, R, S, W, X, DD).

use super::{
    super::{
        Ask, Geronimo, State, T,
        card::Card,
        components::{TribeId, VillageId},
        reservation::{ask, leave_reservation},
        state::{CivilWar, Place},
    },
    among::{OneVillage, choose},
};
use postrider_table::{Candidate, OneOr, Pick, Seat, Word, vps};
use std::borrow::Cow;

/// Puts the Peace Policy into effect (9.2R). The rules of Column attacks check it.
pub fn peace_policy(t: &T, g: &mut State) {
    g.fx.peace_policy = true;
    t.tell(|| "The Peace Policy: Columns of Aggression below 3 may not attack Villages.".to_owned());
}

/// Puts the Reform Movement into effect (9.2W).
pub fn reform_movement(t: &T, g: &mut State) {
    g.fx.reform_movement = true;
    t.tell(|| "The Reform Movement: Columns of Aggression below 2 may not attack Villages.".to_owned());
}

/// Adds a DR of BPs to the US Reserve (9.2S).
pub fn public_outrage(t: &T, g: &mut State) {
    let dr = t.d10("public outrage") as i32;
    g.reserve.bps += dr;
    t.tell(|| format!("Public Outrage DR {dr}: so many BPs for the US Reserve."));
}

/// Releases all Chiefs In Prison (7.82, 9.2P).
pub fn parole(t: &T, g: &mut State) {
    for (chief, piece) in g.chiefs.iter_mut().zip(&g.c.chiefs) {
        if std::mem::take(&mut chief.prison) {
            t.tell(|| format!("{} is released.", piece.name));
        }
    }
}

/// Before the Civil War starts Bloody Kansas for the rest of the Turn, any number of times (house
/// reading); after it the Oklahoma Land Rush, once (9.2DD).
pub fn territorial_problems(t: &T, g: &mut State) {
    if g.fx.civil_war == CivilWar::ToCome {
        g.fx.bloody_kansas = true;
        t.tell(|| "Bloody Kansas: no more Columns come into Kansas this Turn, and none out of its Fort.".to_owned());
        return;
    }
    g.fx.land_rush = true;
    g.removed.push(Card::TerritorialProblems);
    t.tell(|| "The Oklahoma Land Rush opens Indian Territory to Resources and to Buffalo Skull markers.".to_owned());
}

/// Returns the Villages that went On Reservation by a Treaty of this Turn (8.13, 8.22), without
/// those that have left it and whose Treaty has no VPs left.
fn by_treaty(g: &State) -> impl Iterator<Item = VillageId> + '_ {
    g.village_ids()
        .filter(|&v| g.village(v).treaty.is_some_and(|treaty| on_reservation(g, v) || treaty.lost < treaty.vps))
}

/// Returns `true` if an Agency Corruption card has an effect now. The first one after a Reform
/// Movement at least ends that (9.2H, 9.2W).
pub fn corruption_matters(g: &State) -> bool {
    g.fx.peace_policy || g.fx.reform_movement || by_treaty(g).next().is_some()
}

/// The alternatives of an Agency Corruption card (9.2H).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Corruption {
    CancelPeacePolicy,
    Rolls,
}

impl Candidate<Geronimo> for Corruption {
    fn key<'g>(&self, _: &'g State) -> Cow<'g, str> {
        match self {
            Corruption::CancelPeacePolicy => "cancel Peace Policy".into(),
            Corruption::Rolls => "Corruption DRs".into(),
        }
    }
    fn aliases(&self, _: &State) -> Vec<String> {
        match self {
            Corruption::CancelPeacePolicy => vec!["Peace Policy".to_owned(), "cancel".to_owned()],
            Corruption::Rolls => vec!["roll".to_owned(), "DR".to_owned()],
        }
    }
    fn note(&self, g: &State) -> String {
        match self {
            Corruption::CancelPeacePolicy => "the US may attack Villages again".to_owned(),
            Corruption::Rolls => {
                let names: Vec<_> = by_treaty(g).map(|v| g.c[v].short.as_str()).collect();
                format!("for the Treaties of this Turn: {}", names.join(", "))
            }
        }
    }
}

/// Returns the VPs lost for a modified DR, from the Agency Corruption Table.
pub(super) fn corruption_loss(dr: i32) -> i32 {
    match dr {
        ..=0 => 0,
        1..=3 => 1,
        4..=5 => 2,
        6..=7 => 3,
        8 => 4,
        _ => 5,
    }
}

/// Ends the Peace Policy, or makes this Turn's Treaties lose VPs (8.13, 8.22, 9.2H). In both cases
/// the Reform Movement ends.
pub async fn agency_corruption(t: &T, g: &mut State, seat: Seat) {
    let treaties = by_treaty(g).next().is_some();
    let cancel = match (g.fx.peace_policy, treaties) {
        (true, true) => {
            let among = vec![Corruption::CancelPeacePolicy, Corruption::Rolls];
            let pick = Pick::new(Ask::AgencyCorruption, "9.2H", "What Agency Corruption does", among);
            ask(t, g, seat, pick).await == Corruption::CancelPeacePolicy
        }
        (peace_policy, _) => peace_policy,
    };
    let reform = std::mem::take(&mut g.fx.reform_movement);
    if cancel {
        g.fx.peace_policy = false;
        t.tell(|| "The Peace Policy is cancelled.".to_owned());
    } else {
        for v in by_treaty(g).collect::<Vec<_>>() {
            corrupt(t, g, v, if reform { -2 } else { 0 });
        }
    }
    if reform {
        t.tell(|| "The Reform Movement is over.".to_owned());
    }
}

/// Rolls for the VPs that a Treaty loses. If none are left, the Village leaves the Reservation
/// (8.22).
fn corrupt(t: &T, g: &mut State, v: VillageId, drm: i32) {
    let Some(mut treaty) = g.village(v).treaty else { return };
    if treaty.vps > 0 {
        let dr = t.d10("agency corruption") as i32;
        let loss = corruption_loss(dr + drm).min(treaty.vps - treaty.lost);
        treaty.lost += loss;
        g.village_mut(v).treaty = Some(treaty);
        g.score(treaty.with, -loss, "8.22");
        t.tell(|| {
            let left = treaty.vps - treaty.lost;
            let drm = if drm == 0 { String::new() } else { format!(" ({drm})") };
            let (who, name) = (g.who(treaty.with), &g.c[v].name);
            format!(
                "Agency Corruption DR for the {name}: {dr}{drm}: {who} loses {}, left of the Treaty: {left}.",
                vps(loss)
            )
        });
    }
    if treaty.lost >= treaty.vps {
        leave_reservation(t, g, v, 1);
    }
}

pub fn on_reservation(g: &State, v: VillageId) -> bool {
    matches!(g.village(v).place, Place::Reservation { .. })
}

/// The answer that leaves the Tribe's other Villages where they are.
pub const NO_MORE: Word = Word::new("no more").or(&["none", "nobody"]);

/// Draws the card of a Tribe On Reservation at random, one for each of its Villages there (2.22).
/// One of these Villages returns to the map, and the others may (8.18, 8.23, 9.2X).
///
/// The player of the Tribe chooses which, if the Tribe is revealed; otherwise the player of this
/// card does, so that nobody learns who holds the Tribe. The US loses no VPs, since 8.17 only
/// mentions Agency Corruption and Massacres.
pub async fn reservation_unrest(t: &T, g: &mut State, seat: Seat) {
    let cards: Vec<TribeId> = g.village_ids().filter(|&v| on_reservation(g, v)).map(|v| g.c[v].tribe).collect();
    // Not empty, because the card has an effect only if a Tribe is there.
    let Some(&tribe) = cards.get(t.draw("reservation unrest", cards.len())) else { return };
    t.tell(|| format!("Reservation Unrest among the {}.", g.c[tribe].name));
    let player = g.tribes[tribe.index()].holder.filter(|_| g.tribes[tribe.index()].revealed).unwrap_or(seat);
    let mut first = true;
    loop {
        let there = g.c[tribe].villages.iter().copied().filter(|&v| on_reservation(g, v));
        let villages: Vec<_> = there.map(|v| OneOr::One(OneVillage(v))).collect();
        let stay = (!first && !villages.is_empty()).then_some(OneOr::Word(NO_MORE));
        let among = villages.into_iter().chain(stay).collect();
        let question = |among| {
            Pick::new(Ask::ReservationUnrest, "8.18", "Which Village leaves the Reservation", among)
                .verbs(&["bring back"])
                .telling(|_, d| d.line("One of the Tribe returns to the map; the others may."))
        };
        match choose(t, g, player, among, question).await {
            Some(OneOr::One(OneVillage(v))) => leave_reservation(t, g, v, 0),
            Some(OneOr::Word(_)) | None => return,
        }
        first = false;
    }
}
