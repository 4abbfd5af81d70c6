//! Offering and accepting Treaties (8.11), and playing Federales out of turn (9.2I).

use super::sight::Sight;
use crate::{
    Order,
    card::Card,
    components::VillageId,
    ratings::Troops,
    reservation::FREE_VPS,
    state::{Offer, Phase},
};
use postrider_table::Seat;

/// Answers the open question for Treaties: first offers of others, then possible offers of its own;
/// usually neither. While something urgent is open it makes no offers, because it is asked again
/// after every answer and might never stop offering.
pub(super) fn desk(sight: &Sight<'_>, legal: &dyn Fn(&Order) -> bool, urgent: bool) -> Option<Order> {
    let g = sight.g;
    if let Some(federales) = federales(sight).filter(legal) {
        return Some(federales);
    }
    for offer in g.desk.offers.iter().filter(|offer| offer.by != sight.me) {
        let village = g.c[offer.village].name.clone();
        let good = if sight.is_us() { us_gains(sight, offer) } else { i_gain(sight, offer.village, offer.vps) };
        // An offer that is no longer possible is refused.
        let accept = Order::Accept { village: village.clone() };
        let order = if good && legal(&accept) { accept } else { Order::Refuse { village } };
        if legal(&order) {
            return Some(order);
        }
    }
    if urgent || g.phase != Phase::CardPlay || g.active != Some(sight.me) {
        return None;
    }
    let offered = |v: VillageId| g.desk.offers.iter().any(|offer| offer.village == v && offer.by == sight.me);
    let mine = g.village_ids().filter(|&v| g.player_of(v) == Some(sight.me) && !offered(v));
    let accepted = |v: VillageId| {
        let offer = Offer { village: v, by: sight.me, vps: FREE_VPS };
        us_gains(&sight.of_seat(g.us), &offer)
    };
    let offers = mine
        .filter(|&v| is_doomed(sight, v) && accepted(v))
        .map(|v| Order::Offer { village: g.c[v].name.clone(), vps: FREE_VPS });
    offers.into_iter().find(legal)
}

/// Returns `true` if the US should accept. It gets 2 VPs for each Village (8.17), and would pay VPs
/// beyond the free ones itself. In the last Turn it gives nothing to a player who would be ahead of
/// it.
fn us_gains(sight: &Sight<'_>, offer: &Offer) -> bool {
    let g = sight.g;
    let vps = |seat: Seat| g.tally[seat.index()].vps;
    let ahead = g.turn == g.turns.1 && vps(offer.by) + offer.vps > vps(sight.me);
    offer.vps <= FREE_VPS && !ahead
}

/// Returns `true` if an Indian player should accept, because the Village is unlikely to earn as
/// much.
fn i_gain(sight: &Sight<'_>, v: VillageId, vps: i32) -> bool {
    let g = sight.g;
    let last = g.turn == g.turns.1;
    let prospects = if g.village(v).finished { 0.0 } else { 2.0 * sight.threat(v).min(2.0) };
    // In another Turn any player may get this Tribe, because the cards are dealt again.
    let later = if last { 0.0 } else { 1.0 };
    f64::from(vps) > if is_doomed(sight, v) { 0.0 } else { prospects + later }
}

/// Returns `true` if a Village is likely to be forced On Reservation or worse before the end of the
/// Turn (8.14). In the last Turn every Village that is Finished counts as doomed.
fn is_doomed(sight: &Sight<'_>, v: VillageId) -> bool {
    let g = sight.g;
    let total = g.total_bps(v);
    let hungry = i32::from(sight.starves(v, 0, g.village(v).actions == 0));
    let Some(a) = g.area_of(v) else { return false };
    let hunted = g.columns_in(a).filter(|k| k.commander.is_some() && !k.in_fort).any(|k| {
        let troops = Troops(vec![k.id]);
        troops.bps(g) >= total
    });
    let left = total - hungry - i32::from(hunted);
    let last = g.turn == g.turns.1 && g.village(v).finished;
    last || left * 2 <= g.c[v].size && g.village(v).finished || left <= 1
}

/// Returns Federales in answer to another player's successful Raid into Mexico (9.2I). It replaces
/// the player's next Shaman Card.
fn federales(sight: &Sight<'_>) -> Option<Order> {
    let g = sight.g;
    let holds = g.hands[sight.me.index()].iter().any(|held| held.card == Card::Federales);
    let raid = g.fx.mexico_raid.filter(|raid| raid.raider != sight.me && raid.vps > 0)?;
    (holds && raid.vps > 0).then_some(Order::Federales {})
}
