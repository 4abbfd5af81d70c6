//! The decisions of Indian players about their Villages (6, 7.2, 7.5).

use super::{
    fight::{against, against_bps, tribal},
    on,
    sight::Sight,
};
use crate::{
    Ask, Geronimo, Order, State, alliance,
    card::Card,
    cards::After,
    components::{AreaId, ChiefId, VillageId},
    order::{Contribution, Target},
    raids,
    ratings::{Force, Troops, highest_and_seconds, speed},
    relocation::Destination,
    restraint,
    state::{Column, PartyId, WarParty},
    village_action::VillageAction,
    war_party::{Resource, TOWN_DRM},
};
use postrider_table::Question;

/// The cost of leaving a Village without BPs within reach of Columns.
const EMPTY: f64 = 0.35;
/// Cost of each additional Village's action in an Alliance. It is low because Villages outnumber
/// Rounds.
const ALLY: f64 = 0.15;
/// The highest DR. An attack on a Resource with this strength always succeeds (7.2).
const CERTAIN: i32 = 9;

/// Chooses the best action, or none (6.1).
pub(super) fn action(sight: &Sight<'_>, question: &Question<'_, Geronimo>) -> Option<Order> {
    let legal = |order: &Order| question.prompt.check(sight.g, sight.me, order).is_ok();
    let listed = question.prompt.options(sight.g, sight.me).into_iter().map(|choice| choice.order);
    let mut orders: Vec<(Order, f64)> = operations(sight);
    // Raids, Alliances and compelled attacks are listed by the question itself.
    let mut allies = false;
    orders.extend(listed.filter_map(|order| {
        allies |= matches!(order, Order::Alliance { .. });
        worth(sight, &order).map(|worth| (order, worth))
    }));
    // The question lists only a few Alliances.
    if allies {
        orders.extend(alliances(sight));
    }
    orders.sort_by(|a, b| b.1.total_cmp(&a.1));
    let chosen = orders.iter().find(|(order, worth)| *worth > 0.0 && legal(order));
    let pass = Order::Pass {};
    match chosen {
        Some((order, _)) => Some(order.clone()),
        None if legal(&pass) => Some(pass),
        None => orders.into_iter().map(|(order, _)| order).find(legal),
    }
}

/// Returns the value of the best Operation now, without a card that changes it.
pub(super) fn prospect(sight: &Sight<'_>) -> f64 {
    operations(sight).into_iter().map(|(_, worth)| worth).fold(0.0, f64::max)
}

/// Returns all Alliances to consider, with all Villages in reach.
fn alliances(sight: &Sight<'_>) -> Vec<(Order, f64)> {
    let proposed = alliance::examples(sight.g, sight.me).into_iter();
    proposed.filter_map(|order| worth(sight, &order).map(|worth| (order, worth))).collect()
}

/// Returns the additional value of the best Alliance over the best Operation without it (6.7).
pub(super) fn alliance_prospect(sight: &Sight<'_>) -> f64 {
    let best = alliances(sight).into_iter().map(|(_, worth)| worth).fold(0.0, f64::max);
    (best - prospect(sight)).max(0.0)
}

/// Returns the value of the best Raid (6.44).
pub(super) fn raid_prospect(sight: &Sight<'_>, card: Card) -> f64 {
    let after = VillageAction { after: After::Raid { any_tribe: card == Card::AnyTribeMayRaid }, compelled: None };
    let acts = after.acts(sight.g, sight.me).into_iter();
    let raids = acts.filter(|(order, _)| matches!(order, Order::Raid { .. }));
    raids.filter_map(|(order, _)| worth(sight, &order)).fold(0.0, f64::max)
}

/// Returns all Operations without a card, with the BPs of new War Parties adapted to their targets.
fn operations(sight: &Sight<'_>) -> Vec<(Order, f64)> {
    let all = VillageAction { after: After::Operation, compelled: None }.acts(sight.g, sight.me);
    let mut orders = Vec::with_capacity(all.len());
    for (order, _) in all {
        let order = match order {
            Order::WarParty { village, bps, chiefs, area, target } => sized(sight, village, bps, chiefs, area, target),
            other => other,
        };
        if let Some(worth) = worth(sight, &order) {
            orders.push((order, worth));
        }
    }
    orders
}

/// Returns a War Party with as many BPs as the target needs; against a Resource only enough for
/// certain success.
fn sized(sight: &Sight<'_>, village: String, bps: i32, chiefs: Vec<String>, area: String, target: Target) -> Order {
    let g = sight.g;
    let combat = highest_and_seconds(named(g, &chiefs).map(|h| g.c[h].combat).collect::<Vec<_>>().into_iter());
    let enough = match target {
        Target::Town {} => CERTAIN + TOWN_DRM - combat,
        Target::Settlement {} | Target::Railroad {} | Target::Mine { .. } => CERTAIN - combat,
        _ => bps,
    };
    // One BP stays at home if it is not needed.
    let most = if enough >= bps && bps > 3 { bps - 1 } else { bps };
    let bps = enough.clamp(1, most);
    Order::WarParty { village, bps, chiefs, area, target }
}

fn named<'n>(g: &'n State, names: &'n [String]) -> impl Iterator<Item = ChiefId> + 'n {
    names.iter().filter_map(|name| g.c.chief_by_name(name))
}

/// Returns the value of an action, or `None` if the bot does not evaluate it.
pub(super) fn worth(sight: &Sight<'_>, order: &Order) -> Option<f64> {
    let g = sight.g;
    match order {
        Order::Pass {} => Some(0.0),
        Order::WarParty { village, bps, chiefs, area, target } => {
            let v = g.c.village_by_name(village)?;
            let a = g.c.area_by_name(area)?;
            let chiefs: Vec<ChiefId> = named(g, chiefs).collect();
            let party = Party { villages: vec![v], bps: *bps, chiefs, area: a };
            let home = g.village(v).bps - bps;
            let empty =
                if home == 0 && g.area_of(v).is_some_and(|b| hunters(g, b).next().is_some()) { EMPTY } else { 0.1 };
            Some(party.attack(sight, target)? - if home == 0 { empty } else { 0.0 } - wakes(sight, v))
        }
        Order::PartyAttack { party, area, target } => {
            let ids = match alliance::groups(g, sight.me).into_iter().find(|(name, _)| name == party) {
                Some((_, ids)) => ids,
                None => vec![g.parties.iter().find(|p| g.party_name(p) == *party).map(|p| p.id)?],
            };
            Party::of(g, &ids, g.c.area_by_name(area)?)?.attack(sight, target)
        }
        Order::Raid { village, area, target } => {
            let v = g.c.village_by_name(village)?;
            let vps = match target {
                Target::Mexico {} => 2.0,
                // War Parties may leave its Villages again (7.7).
                Target::Mission {} => 0.3,
                _ => 1.0,
            };
            let _ = area;
            Some(vps * on(raids::rating(g, v, true)?) - wakes(sight, v))
        }
        Order::MissionParty { .. } => Some(0.1),
        Order::Relocate { village, to } => {
            let v = g.c.village_by_name(village)?;
            relocation(sight, v, Destination::named(g, to)?)
        }
        // Every Village of the Alliance has taken an action (6.71).
        Order::Alliance { area, with, target } => {
            let allied = Party::allied(g, with, g.c.area_by_name(area)?)?;
            let woken: f64 = allied.villages.iter().map(|&v| wakes(sight, v)).sum();
            Some(allied.attack(sight, target)? - woken - ALLY * (allied.villages.len() as f64 - 1.0))
        }
        _ => None,
    }
}

/// Returns the cost of a Village's first action if without it the Village would survive (6.64).
fn wakes(sight: &Sight<'_>, v: VillageId) -> f64 {
    let idle = sight.g.village(v).actions == 0;
    if idle && sight.starves(v, 0, false) && !sight.starves(v, 0, true) { sight.bp(v) } else { 0.0 }
}

/// Returns the Columns that could attack or react in an Area (5.35, 5.351).
pub(super) fn hunters(g: &State, a: AreaId) -> impl Iterator<Item = &Column> {
    g.columns.iter().filter(move |k| k.commander.is_some() && !k.in_fort && restraint::may_react(g, k, a))
}

/// A War Party that is out or could be sent, or several that act as one (6.73).
struct Party {
    villages: Vec<VillageId>,
    bps: i32,
    chiefs: Vec<ChiefId>,
    area: AreaId,
}

impl Party {
    fn of(g: &State, ids: &[PartyId], area: AreaId) -> Option<Party> {
        let mut all = Party { villages: Vec::new(), bps: 0, chiefs: Vec::new(), area };
        for party in ids.iter().filter_map(|&id| g.party(id)) {
            all.villages.push(party.village);
            all.bps += party.bps;
            all.chiefs.extend(&party.chiefs);
        }
        (all.bps > 0).then_some(all)
    }
    /// Returns the combined War Party of an Alliance with these contributions.
    fn allied(g: &State, with: &[Contribution], area: AreaId) -> Option<Party> {
        let mut all = Party { villages: Vec::new(), bps: 0, chiefs: Vec::new(), area };
        for gift in with {
            let v = g.c.village_by_name(&gift.village)?;
            all.villages.push(v);
            all.bps += gift.bps;
            all.chiefs.extend(named(g, &gift.chiefs));
            // A War Party that is already out.
            for party in g.parties_of(v).take(usize::from(gift.bps == 0)) {
                all.bps += party.bps;
                all.chiefs.extend(&party.chiefs);
            }
        }
        Some(all)
    }
    fn combat(&self, g: &State) -> i32 {
        highest_and_seconds(self.chiefs.iter().map(|&h| g.c[h].combat))
    }
    /// Returns the sum of its Battle modifiers (6.73, 7.31).
    fn drm(&self, g: &State) -> i32 {
        let of = |v: &VillageId| {
            let state = g.village(*v);
            g.c[*v].poison_arrows + 2 * i32::from(state.blood_lust) + 2 * i32::from(state.shaman_medicine)
        };
        self.combat(g) + self.villages.iter().map(of).sum::<i32>() + g.gunrunner_drm(&self.villages)
    }
    /// Returns the Tribe's Battle rating, or the highest of allied Tribes (6.73).
    fn battle(&self, g: &State) -> i32 {
        self.villages.iter().map(|&v| g.c[v].battle).max().unwrap_or(0)
    }
    /// Returns the cost of a lost BP. The leader of an Alliance chooses who loses it (6.76).
    fn bp(&self, sight: &Sight<'_>) -> f64 {
        self.villages.iter().map(|&v| sight.bp(v)).reduce(f64::min).unwrap_or(0.3)
    }
    /// Returns the value of an attack, less the expected cost of reactions.
    fn attack(&self, sight: &Sight<'_>, target: &Target) -> Option<f64> {
        let g = sight.g;
        let resource = |resource: Resource, drm: i32, vps: f64, points: i32| {
            if resource.count(g, self.area) < 1 {
                return None;
            }
            let success = on(self.bps + self.combat(g) - drm);
            let taken = sight.others() * sight.loss_of(self.area, points);
            Some(success * (sight.vps(vps) + taken) - self.answer(sight))
        };
        match target {
            Target::Settlement {} => resource(Resource::Settlement, 0, 2.0, 1),
            Target::Town {} => resource(Resource::Town, TOWN_DRM, 5.0, 2),
            Target::Railroad {} => resource(Resource::Railroad, 0, 2.0, 2),
            // A Mine that is hit keeps its Resource Points (7.26).
            Target::Mine { value } => resource(Resource::Mine(*value), 0, f64::from(*value), 0),
            Target::Column { name } => {
                let column = g.column_named(name)?;
                let troops = Troops(crate::columns::together(g, column.id));
                let means = against_bps(sight, &troops, self.bps, self.drm(g), false);
                // The US earns nothing as the defender (7.33).
                let cost = means.theirs * self.bp(sight) + 1.5 * means.wiped;
                let gain = sight.vps(means.excess) + sight.broken(&troops) * means.ours;
                Some(gain - cost - 0.5 * self.answer(sight))
            }
            Target::Village { name } => {
                let v = g.c.village_by_name(name)?;
                let theirs = &g.c[v];
                let at_home = g.chiefs_at(v).map(|h| g.c[h].combat).collect::<Vec<_>>();
                let drm = theirs.battle + theirs.poison_arrows + highest_and_seconds(at_home.into_iter());
                Some(self.tribal(sight, v, g.village(v).bps, drm))
            }
            Target::Party { name } => {
                let party = g.parties.iter().find(|p| p.area == self.area && g.party_name(p) == *name)?;
                let combat = highest_and_seconds(party.chiefs.iter().map(|&h| g.c[h].combat));
                Some(self.tribal(sight, party.village, party.bps, g.c[party.village].battle + combat))
            }
            Target::Mission {} | Target::Mexico {} => None,
        }
    }
    /// Returns the value of an attack on other Indians (7.33, 7.4).
    fn tribal(&self, sight: &Sight<'_>, v: VillageId, bps: i32, drm: i32) -> f64 {
        let g = sight.g;
        let means = tribal(g, self.bps, self.drm(g) + self.battle(g), bps, drm);
        // In the Solitaire Game all Indians are on one side.
        if g.player_of(v) == Some(sight.me) || g.variant.solitaire {
            return -1.0;
        }
        let taken = if g.player_of(v).is_some() { sight.others() * means.theirs * sight.bp(v) } else { 0.0 };
        means.won + taken - means.ours * self.bp(sight) - 1.5 * means.lost
    }
    /// Returns the expected cost of reacting Columns (5.35, 7.5).
    fn answer(&self, sight: &Sight<'_>) -> f64 {
        let g = sight.g;
        let mut missed = 1.0;
        let mut strongest: Option<(&Column, i32)> = None;
        for column in hunters(g, self.area) {
            let far = i32::from(column.area != self.area);
            missed *= 1.0 - on(speed(g, column) - far);
            if strongest.is_none_or(|(_, bps)| column.bps > bps) {
                strongest = Some((column, column.bps));
            }
        }
        let Some((column, _)) = strongest else { return 0.0 };
        let troops = Troops(vec![column.id]);
        let tribe = self.villages.iter().map(|&v| g.c[v].evasion).max().unwrap_or(0);
        let chief = self.chiefs.iter().map(|&h| g.c[h].evasion).max().unwrap_or(0).max(0);
        let evades = on(tribe + chief + 3 - i32::from(g.fx.winter_campaigning));
        let caught = 1.0 - evades * (1.0 - on(troops.pursuit_capability(g)));
        let means = against_bps(sight, &troops, self.bps, self.drm(g) + self.battle(g), false);
        let gone = 1.5 + 0.3 * self.chiefs.len() as f64;
        let won = sight.others() * sight.vps(means.won);
        let cost = means.theirs.min(f64::from(self.bps)) * self.bp(sight) + won + gone * means.wiped;
        (1.0 - missed) * caught * (cost - sight.vps(means.excess))
    }
}

/// Returns the value of a relocation: more food, and distance from Columns (6.2, 6.6).
fn relocation(sight: &Sight<'_>, v: VillageId, to: Destination) -> Option<f64> {
    let g = sight.g;
    let idle = g.village(v).actions == 0;
    let hunted = |a: AreaId| {
        let troops = g.columns_in(a).filter(|k| !k.in_fort && k.commander.is_some()).map(|k| Troops(vec![k.id]));
        let losses =
            troops.map(|troops| against(sight, &troops, &Force::Village(v), true).theirs.min(1.0) * sight.bp(v));
        0.4 * losses.sum::<f64>()
    };
    // The cost of staying, if the Village does nothing.
    let starves = f64::from(u8::from(sight.starves(v, 0, idle)));
    let now = g.area_of(v).map_or(0.3 * sight.bp(v), |a| starves * sight.bp(v) + hunted(a));
    let then = match to {
        Destination::Area(a) => {
            let hungry = sight.points_in(v, a, 0, false) < g.c[v].survival;
            f64::from(u8::from(hungry)) * sight.bp(v) + hunted(a)
        }
        // In four of ten cases the Foreign Government drives it out or destroys it (6.25).
        Destination::Mexico | Destination::Canada => 0.3 * 2.0 * sight.bp(v) + 0.1 * 4.0,
    };
    Some(now - then - 0.1)
}

/// Returns the value of a candidate in a question to an Indian player about the player's own
/// Villages.
pub(super) fn pick(sight: &Sight<'_>, kind: Ask, key: &str) -> Option<f64> {
    let g = sight.g;
    match kind {
        Ask::InitialTribe => {
            let tribe = g.c.tribe_by_name(key)?;
            let villages = g.c[tribe].villages.iter().filter(|&&v| g.in_play(v));
            Some(villages.map(|&v| strength(g, v)).sum())
        }
        Ask::PostAction => Some(match key.strip_prefix("return ") {
            // From an Alliance, return War Parties whose next loss could eliminate them or send
            // them On Reservation.
            Some(name) => {
                let party = g.parties.iter().find(|p| g.party_name(p) == name)?;
                let home = g.area_of(party.village).is_some_and(|a| chasers(g, a).next().is_none());
                let fragile = g.total_bps(party.village) == party.bps && sight.bp(party.village) >= 1.0;
                if home && fragile && chasers(g, party.area).next().is_some() { 2.0 } else { -1.0 }
            }
            _ => f64::from(u8::from((key == "stay") == stays(sight))),
        }),
        Ask::Evasion => {
            let stand = stands(sight);
            Some(match key {
                "evade" => 0.5,
                _ => f64::from(u8::from(stand)),
            })
        }
        // A failed Ambush costs at most one BP, during the escape (7.54).
        Ask::Ambush => Some(f64::from(u8::from(key == "ambush"))),
        // A leader who never shared would find no allies (6.76); chance decides how much is shared.
        Ask::Share => Some(0.0),
        Ask::AllianceLoss | Ask::StormLoss => {
            let party = g.parties.iter().find(|p| g.party_name(p) == key)?;
            let own = g.player_of(party.village) == Some(sight.me);
            Some(f64::from(party.bps) - if own { 5.0 } else { 0.0 })
        }
        Ask::Rampage => Some(second(sight, key)),
        _ => None,
    }
}

/// Returns the potential of a Village in a Turn, from its BPs, best Chiefs and surroundings.
fn strength(g: &State, v: VillageId) -> f64 {
    let combat = highest_and_seconds(g.chiefs_of(v).map(|h| g.c[h].combat).collect::<Vec<_>>().into_iter());
    let reach = f64::from((g.total_bps(v) + combat).min(CERTAIN + TOWN_DRM));
    let near = g.area_of(v).map_or(0, |a| {
        let town = |b: &AreaId| i32::from(g.area(*b).towns > 0);
        town(&a) + g.c[a].adjacent.iter().map(town).sum::<i32>()
    });
    reach + f64::from(near.min(3)) + 0.3 * f64::from(g.c[v].raid)
}

/// Returns `true` if War Parties should stay out (6.35): if no Column hunts them, and Rounds remain
/// that no other Village needs.
fn stays(sight: &Sight<'_>) -> bool {
    let g = sight.g;
    let mine = |v: VillageId| g.player_of(v) == Some(sight.me);
    let rounds = g.hands[sight.me.index()].len();
    // On the map a War Party can act again, or go home without a reaction when the Turn ends.
    // Columns that are not there yet usually come too late.
    let out = || g.parties.iter().filter(|p| mine(p.village));
    let hunted = |p: &WarParty| chasers(g, p.area).any(|k| is_prey(sight, p, k));
    !out().any(hunted) && (rounds > 0 || out().any(|p| hunters(g, p.area).next().is_some()))
}

/// Returns the Columns that could attack in an Area in the next US Round (5.341).
fn chasers(g: &State, a: AreaId) -> impl Iterator<Item = &Column> {
    g.columns_in(a).filter(|k| k.commander.is_some() && !k.in_fort)
}

/// Returns `true` if a Column would gain more than it loses by attacking a War Party.
fn is_prey(sight: &Sight<'_>, party: &WarParty, column: &Column) -> bool {
    let g = sight.g;
    let force = Force::party(party.id);
    let means = against(sight, &Troops(vec![column.id]), &force, true);
    let most = f64::from(force.bps(g));
    means.theirs.min(most) * sight.bp(party.village) + means.won + 1.5 * means.wiped > sight.vps(means.excess)
}

/// Decides whether to join another player's Alliance (6.76). A Village joins only if it has nothing
/// better to do, because this uses up the player's next Operation; in return the leader may share a
/// VP.
pub(super) fn join(sight: &Sight<'_>, question: &Question<'_, Geronimo>) -> Order {
    let g = sight.g;
    let stay_out = Order::Pass {};
    if prospect(sight) > 0.4 {
        return stay_out;
    }
    let worth = |order: &Order| {
        let Order::Volunteer { with } = order else { return None };
        let villages = with.iter().filter_map(|gift| g.c.village_by_name(&gift.village));
        let risk: f64 = villages.map(|v| wakes(sight, v) + if sight.bp(v) >= 1.0 { 1.0 } else { 0.0 }).sum();
        Some(0.5 - prospect(sight) - risk)
    };
    let joins = question.best(|order| worth(order).filter(|worth| *worth > 0.0));
    joins.unwrap_or(stay_out)
}

/// Returns `true` if Indians that are being attacked should stand (7.51), because the Battle earns
/// more than it costs.
fn stands(sight: &Sight<'_>) -> bool {
    let g = sight.g;
    let mine = |v: VillageId| g.player_of(v) == Some(sight.me);
    let parties = g.parties.iter().filter(|p| mine(p.village) && p.attacked_in == g.round).map(|p| Force::party(p.id));
    let villages = g.village_ids().filter(|&v| mine(v) && g.village(v).attacked_in == g.round).map(Force::Village);
    let attacked: Vec<Force> = parties.chain(villages).collect();
    attacked.iter().all(|force| {
        let Some(a) = force.area(g) else { return false };
        let here = g.columns_in(a).filter(|k| !k.in_fort && k.commander.is_some());
        let Some(column) = here.max_by_key(|k| k.bps) else { return false };
        let means = against(sight, &Troops(vec![column.id]), force, true);
        let bp = force.villages(g).first().map_or(0.3, |&v| sight.bp(v));
        let most = if force.is_village() { 1.0 } else { f64::from(force.bps(g)) };
        sight.vps(means.excess) > means.theirs.min(most) * bp + sight.others() * means.won + 1.5 * means.wiped
    })
}

/// Returns the value of a second target of a Rampage (9.2V), given by the question's words.
fn second(_: &Sight<'_>, key: &str) -> f64 {
    match key {
        "none" => 0.0,
        "town" => 2.5,
        "settlement" | "rr" => 2.0,
        _ if key.ends_with(" mine") => 2.6,
        _ if key.starts_with("column") => -0.5,
        _ => 0.2,
    }
}
