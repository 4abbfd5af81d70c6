//! The choice of Shaman Cards, and of their targets (4.4B, 9).

use super::{indians, sight::Sight};
use crate::{
    Ask, Order,
    card::Card,
    cards::{Standing, standing},
    components::{AreaId, Terrain, VillageId},
    state::{Place, Weather},
};
use postrider_table::best;

/// Value of a card without effect now. It may have one later, but playing it makes room for the
/// next.
const KEPT: f64 = -0.05;

/// Chooses the best card of the hand (4.4B). It is discarded only if its harm exceeds the value of
/// the Operation.
pub(super) fn shaman(sight: &Sight<'_>, legal: &dyn Fn(&Order) -> bool) -> Option<Order> {
    let g = sight.g;
    let operation = if sight.is_us() { 0.8 } else { indians::prospect(sight) };
    let mut cards: Vec<Card> = g.hands[sight.me.index()].iter().map(|held| held.card).collect();
    cards.sort();
    cards.dedup();
    let orders = cards.into_iter().flat_map(|card| {
        let name = card.name().to_owned();
        let after = if replaces_operation(card) { 0.0 } else { operation };
        let worth = if sight.is_us() { to_us(sight, card) } else { to_indians(sight, card) };
        let unless = match standing(g, sight.me, card) {
            Standing::Effect => worth,
            Standing::NoEvent(_) => KEPT,
            Standing::Ignored(_) => 0.0,
        };
        // In the last Round the remaining card must be played or discarded anyway, so harmful cards
        // wait.
        [(Order::Play { card: name.clone() }, unless + after), (Order::Discard { card: name }, 0.1 * unless.min(0.0))]
    });
    best(orders.filter(|(order, _)| legal(order))).map(|(order, _)| order)
}

/// Returns `true` for cards that replace the Operation (6.41).
fn replaces_operation(card: Card) -> bool {
    matches!(card, Card::Raid | Card::AnyTribeMayRaid)
}

/// Returns the value of a card to the US.
fn to_us(sight: &Sight<'_>, card: Card) -> f64 {
    let early = f64::from(sight.g.turns.1.saturating_sub(sight.g.turn)) * 0.3;
    match card {
        Card::SpringfieldRifle | Card::Telegraph => 1.5 + early,
        Card::GatlingGuns => 1.2 + early,
        Card::PublicOutrage => 1.4,
        Card::Smallpox => 1.0,
        Card::WinterCampaigning | Card::BuffaloHunters => 0.9,
        Card::BadWeather => best_area(sight, |a| sight.weather(a, Weather::Bad.points())),
        Card::GoodWeather => best_area(sight, |a| sight.weather(a, Weather::Good.points())).min(0.0),
        Card::MassiveWinterStorm => best_area(sight, |a| storm(sight, a)),
        Card::TexasRangers => best_village(sight, |v| hurt(sight, v)).max(0.1),
        Card::Missionaries => best_area(sight, |a| mission(sight, a)),
        Card::AgencyCorruption => {
            if sight.g.fx.peace_policy {
                1.0
            } else {
                0.3
            }
        }
        Card::TerritorialProblems => 0.2,
        Card::Parole | Card::TribalUnrest => -0.4,
        Card::ReservationUnrest => -1.2,
        Card::RailroadSkimmingScandal | Card::GhostTowns => -0.6,
        Card::ReformMovement => -0.7,
        Card::PeacePolicy => -0.9,
        Card::AmericanCivilWar => -1.5,
        Card::Mormons | Card::AtrocityAndReprisal => -0.5,
        _ => 0.0,
    }
}

/// Returns the value of a card to an Indian player.
fn to_indians(sight: &Sight<'_>, card: Card) -> f64 {
    let g = sight.g;
    match card {
        Card::Raid | Card::AnyTribeMayRaid => indians::raid_prospect(sight, card),
        Card::Rampage => 1.2,
        Card::Scouts => 0.9,
        Card::PeacePolicy => 0.8,
        Card::ReformMovement => 0.6,
        Card::ShamanMedicine => 0.4,
        Card::GoodWeather => best_area(sight, |a| sight.weather(a, Weather::Good.points())),
        Card::BadWeather => best_area(sight, |a| sight.weather(a, Weather::Bad.points())),
        Card::BuffaloHunters => best_area(sight, |a| sight.weather(a, -2)) - 0.1,
        Card::MassiveWinterStorm => best_area(sight, |a| storm(sight, a)),
        Card::Smallpox => best_village(sight, |v| hurt(sight, v)),
        Card::TexasRangers => texas(sight),
        Card::PeaceChief | Card::BadBlood | Card::BloodLust => 0.3,
        Card::Missionaries => best_area(sight, |a| mission(sight, a)),
        Card::TribalAlliances => indians::alliance_prospect(sight),
        Card::TribalUnrest => 0.1,
        Card::GhostTowns | Card::RailroadSkimmingScandal => 0.4,
        Card::ReservationUnrest => 0.2,
        Card::Parole => 0.3,
        Card::AgencyCorruption => {
            let own = g.village_ids().filter(|&v| g.village(v).treaty.is_some_and(|t| t.with == sight.me)).count();
            if own > 0 { -1.5 * own as f64 } else { 0.2 }
        }
        Card::WinterCampaigning => -0.5,
        Card::SpringfieldRifle | Card::GatlingGuns | Card::Telegraph => -0.4,
        _ => 0.0,
    }
}

fn best_area(sight: &Sight<'_>, worth: impl Fn(AreaId) -> f64) -> f64 {
    sight.g.area_ids().map(worth).fold(f64::NEG_INFINITY, f64::max)
}

fn best_village(sight: &Sight<'_>, worth: impl Fn(VillageId) -> f64) -> f64 {
    sight.g.village_ids().map(worth).fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the value to this seat of a BP lost by a Village.
fn hurt(sight: &Sight<'_>, v: VillageId) -> f64 {
    let idle = if sight.g.village(v).finished { 0.0 } else { 0.3 * sight.threat(v).min(2.0) };
    -sight.side(v) * (sight.bp(v) + idle)
}

/// Returns the value to this seat of a storm (9.2M).
fn storm(sight: &Sight<'_>, a: AreaId) -> f64 {
    let g = sight.g;
    if g.c[a].terrain != Terrain::Mountain {
        return f64::NEG_INFINITY;
    }
    let villages: f64 = g.villages_in(a).map(|v| -sight.side(v) * sight.bp(v)).sum();
    let columns = g.columns_in(a).count() as f64 * 0.25;
    villages + if sight.is_us() { -columns } else { columns }
}

/// Returns the value to this seat if the Texas Rangers attack the target that is best for it
/// (9.2EE). They must attack a target.
fn texas(sight: &Sight<'_>) -> f64 {
    let texas = sight.g.c.area_by_code("TX");
    let hunted = sight.g.village_ids().filter(|&v| texas.is_some() && sight.g.area_of(v) == texas);
    let worst = hunted.map(|v| 0.5 * hurt(sight, v)).fold(f64::NEG_INFINITY, f64::max);
    if worst.is_finite() { worst } else { 0.0 }
}

/// Returns the value of a Mission (7.7, 9.2N), which feeds its Villages and prevents their War
/// Parties.
fn mission(sight: &Sight<'_>, a: AreaId) -> f64 {
    let g = sight.g;
    let held = |v: VillageId| {
        let hungry = f64::from(u8::from(sight.starves(v, 0, g.village(v).actions == 0)));
        sight.side(v) * (hungry * sight.bp(v) - sight.threat(v).min(2.0) * 0.4)
    };
    g.villages_in(a).map(held).sum()
}

/// Returns the value of a candidate in a card's question.
pub(super) fn pick(sight: &Sight<'_>, kind: Ask, key: &str) -> Option<f64> {
    let g = sight.g;
    let area = || g.c.area_by_name(key);
    let village = || g.c.village_by_name(key);
    let tribe = |worth: &dyn Fn(VillageId) -> f64| {
        let tribe = g.c.tribe_by_name(key)?;
        Some(g.c[tribe].villages.iter().map(|&v| worth(v)).sum())
    };
    match kind {
        Ask::BadWeather => area().map(|a| sight.weather(a, Weather::Bad.points())),
        Ask::BuffaloHunters => area().map(|a| sight.weather(a, -2)),
        Ask::GoodWeather => area().map(|a| sight.weather(a, Weather::Good.points())),
        Ask::WinterStorm => area().map(|a| storm(sight, a)),
        Ask::Mission => area().map(|a| mission(sight, a)),
        Ask::MissionFrom => area().map(|a| -mission(sight, a)),
        Ask::Smallpox => village().map(|v| hurt(sight, v)),
        Ask::TexasRangers => match key.strip_prefix("War Party ") {
            Some(party) => {
                let party = g.parties.iter().find(|p| g.party_name(p) == party)?;
                Some(-sight.side(party.village) * (sight.bp(party.village) + 0.1))
            }
            None => village().map(|v| hurt(sight, v)),
        },
        // A Peace Chief's Village neither attacks Resources nor is attacked (9.2Q).
        Ask::PeaceChief => tribe(&|v| -sight.side(v) * sight.threat(v)),
        Ask::PeaceVillage => village().map(|v| -sight.side(v) * sight.threat(v)),
        Ask::TribalUnrest => Some(village().map_or(0.0, |v| sight.side(v) * f64::from(g.total_bps(v)))),
        // Another player's Operation is used up, and that player's BPs are at risk (9.2D, 9.2F).
        Ask::BadBlood => tribe(&|v| -sight.side(v) * f64::from(u8::from(sight.threat(v) > 0.0))),
        Ask::BloodLust => village().map(|v| -sight.side(v) * f64::from(u8::from(sight.threat(v) > 0.0))),
        Ask::ShamanMedicine => match village() {
            Some(v) => Some(sight.side(v) * sight.threat(v)),
            None => Some(0.0),
        },
        // 1 VP for a Village that would rather do nothing (9.2Y).
        Ask::Scouts => match village() {
            Some(v) => Some(1.0 - 0.3 * sight.threat(v)),
            None => Some(0.0),
        },
        Ask::AgencyCorruption => {
            let treaties: f64 = g
                .village_ids()
                .filter_map(|v| g.village(v).treaty)
                .map(|t| match t.with {
                    with if with == sight.me => -1.0,
                    _ => 1.0,
                })
                .sum();
            let cancel = if sight.is_us() { 1.0 } else { -0.5 };
            Some(if key == "cancel Peace Policy" { cancel } else { treaties })
        }
        Ask::GhostTowns => {
            let mine = g.c.mine_ids().find(|&m| g.c[m].name == key)?;
            Some(against_us(sight, g.c[mine].area, g.c[mine].value + 1))
        }
        Ask::RrSkimming => {
            let a = g.c.area_by_name(key.trim_end_matches(" Broke"))?;
            let broke = key.ends_with(" Broke");
            Some(if broke { 0.0 } else { against_us(sight, a, 2) })
        }
        // Any other effect on a Village is assumed to be harmful.
        _ => village().filter(|&v| matches!(g.village(v).place, Place::Area(_))).map(|v| -sight.side(v)),
    }
}

/// Returns the value to this seat of Resource Points that the US loses in an Area.
fn against_us(sight: &Sight<'_>, a: AreaId, points: i32) -> f64 {
    let loss = sight.loss_of(a, points);
    if sight.is_us() { -loss } else { loss }
}
