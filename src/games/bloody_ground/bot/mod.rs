//! The `steady` bot. It looks one order ahead and takes the order that [`worth`] values most. On
//! the battle board it shoots at the best targets, keeps to cover, and attacks where it expects the
//! enemy to lose more.
//!
//! As the US it leads its army to Kekionga in strength, builds forts, pillages and settles. As NA
//! it raids where raids pay, gathers where it outnumbers the US, and spends its Atrocity markers.

mod board;
#[cfg(test)]
mod tests;
mod worth;

use self::worth::{Judge, raid_worth};
use super::{
    Ask, BloodyGround, Order, State,
    action::words,
    activation, atrocity,
    components::{AreaId, Side},
    movement,
    order::{Count, Lot},
    pillage,
    raid::{self, Journey},
    state::{Force, Spot},
};
use postrider_table::{Below, Mind, NamedBot, Question, Thinking};
use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
};

/// The bots of A Dark and Bloody Ground, apart from the random one.
pub const BOTS: &[NamedBot] = &[NamedBot {
    name: "steady",
    about: "marches on Kekionga or raids, by a plain valuation; fights at good odds",
    make: || Box::new(Thinking::<BloodyGround, _>::new(Steady)),
}];

/// Minimum value of an action that is worth taking, in VPs.
const WORTH_AN_ACTION: f64 = 0.05;
/// Cost of a second activation, for the die that may fail and the exhaustion.
const AGAIN: f64 = 0.4;
/// Value of a fort in a nation's land if no other is near.
const FORT: f64 = 0.6;
/// Value of an Atrocity marker that is used up permanently.
const MARKER: f64 = 0.3;
/// Value of a leader in addition to his VPs.
const LEADER: f64 = 1.5;
/// Cost of a pillaged area to its nation. Kekionga costs twice as much, where the scenario counts
/// it (15.1.4).
const PILLAGED: f64 = 0.5;

/// A bot without memory: it decides by the position alone.
pub struct Steady;

/// A question with the side that is asked.
struct Sight<'q> {
    q: &'q Question<'q, BloodyGround>,
    g: &'q State,
    side: Side,
    judge: OnceCell<Judge>,
    /// The journeys of raiders from each spot, computed once.
    journeys: RefCell<BTreeMap<Spot, Vec<Option<Journey>>>>,
}

impl Mind<BloodyGround> for Steady {
    fn answer(&mut self, question: &Question<'_, BloodyGround>, _: &mut Below<'_>) -> Option<Order> {
        let g = question.state;
        let side = if question.seat == g.seat(Side::Us) { Side::Us } else { Side::Na };
        let sight = Sight { q: question, g, side, judge: OnceCell::new(), journeys: RefCell::default() };
        match question.prompt.kind() {
            Ask::Action => sight.action(),
            Ask::Reaction => sight.reaction(),
            Ask::SetUp | Ask::Muster | Ask::Settlers | Ask::Home | Ask::Gather | Ask::BattleRelocate => sight.placed(),
            Ask::Pairing | Ask::Pledge => sight.most(),
            Ask::Assault => question.pick_first(&[if sight.assaults() { "assault" } else { "siege" }, "fight"]),
            Ask::CombatKind => question.pick("battle"),
            Ask::Group | Ask::BattleRally => question.pick("yes"),
            Ask::Rating => question.pick("yes").or_else(|| question.orders().next()),
            Ask::Treaties => question.pick("0").or_else(|| question.orders().next()),
            Ask::BattleHex | Ask::BattleSetUp => sight.battle_set_up(),
            Ask::BattleMove => sight.battle_move(),
            Ask::BattleFire => sight.battle_fire(),
            Ask::BattleMelee => sight.battle_melee(),
            Ask::BattleRetreat => sight.battle_retreat(),
            Ask::BattleLoss | Ask::BattleStack => sight.battle_loss(),
            Ask::BattleLeader
            | Ask::BattlePrimary
            | Ask::BritishEntry
            | Ask::Combat
            | Ask::Event
            | Ask::Loss
            | Ask::MilitiaLeader
            | Ask::NextNation
            | Ask::PairOrder
            | Ask::Primary
            | Ask::RaidOrder
            | Ask::Removal
            | Ask::Retreat
            | Ask::Shelter
            | Ask::Supply => question.orders().next(),
        }
    }
}

impl Sight<'_> {
    fn worth(&self, g: &State) -> f64 {
        self.judge.get_or_init(|| Judge::new(self.g, self.side)).worth(g)
    }
    fn journey(&self, from: Spot, to: AreaId) -> Option<Journey> {
        let mut known = self.journeys.borrow_mut();
        known.entry(from).or_insert_with(|| raid::journeys(self.g, false, from))[to.index()]
    }
    /// Returns the action with the highest value, or a pass.
    fn action(&self) -> Option<Order> {
        let now = self.worth(self.g);
        self.q.best(|order| match order {
            Order::Pass {} => Some(WORTH_AN_ACTION),
            order => self.gain(order, now),
        })
    }
    /// Returns the value of an action; `None` for those that the bot never takes.
    fn gain(&self, order: &Order, now: f64) -> Option<f64> {
        let g = self.g;
        match order {
            Order::Move { from, who, way, .. } => self.moved(from, who, way, now),
            Order::Raid { from, who, to, .. } => {
                let (from, to) = (words::from(g, from).ok()?, g.c.area(to)?);
                let force = activation::raiders(g, from, who).ok()?;
                let path = raid::may_go(g, from, &force, to, || self.journey(from, to)).ok()?;
                let mut after = g.clone();
                raid::go(&mut after, &force, &path);
                let lost = self.worth(&after) - now;
                Some(raid_worth(&after, to) - raid_worth(g, to) + lost.min(0.0))
            }
            Order::Build { at, .. } => {
                let a = g.c.area(at)?;
                let near = g.beside(a).any(|b| g.land(b).fort.is_some() || g.town(b)) || g.is_settled(a);
                Some(if near { -1.0 } else { FORT })
            }
            Order::Pillage { at, who } => {
                let a = g.c.area(at)?;
                let force = activation::force(g, self.side, Spot::On(a), who).ok()?;
                let drm = pillage::modifiers(g, self.side, a, &force).total();
                let chance = f64::from((1..=6).filter(|die| die + drm <= 2).count() as u8) / 6.0;
                let people = f64::from(g.people(a));
                let value = match self.side {
                    Side::Us if a == g.kekionga() => 2.0 * PILLAGED,
                    Side::Us if g.c[a].nation.is_some() && !g.is_settled(a) => PILLAGED,
                    Side::Na if people > 0.0 => people,
                    _ => -1.0,
                };
                Some(chance * value)
            }
            Order::Atrocity { at } => {
                let a = g.c.area(at)?;
                (self.side == Side::Na && g.people(a) > 0).then_some(1.0 - MARKER)
            }
            Order::Ambush { at, unit } => {
                let u = atrocity::target(g, self.side, g.c.area(at)?, unit).ok()?;
                let fails = 6 - atrocity::ambush_check(g, u).passing(6);
                Some(2.0 * f64::from(fails as u8) / 6.0 - MARKER)
            }
            Order::Assassinate { leader } => {
                let rating = f64::from(g.c[g.c.leader(leader)?].command);
                let chance = (4.0 - rating).max(0.0) / 6.0;
                Some(chance * (LEADER + rating) - (1.0 - chance) - MARKER)
            }
            _ => None,
        }
    }
    /// Returns the gain from moving a force to the end of a route.
    fn moved(&self, from: &str, who: &[Count], way: &[String], now: f64) -> Option<f64> {
        let g = self.g;
        let from = words::from(g, from).ok()?;
        let force = activation::force(g, self.side, from, who).ok()?;
        let again = if activation::is_second(g, &force) { AGAIN } else { 0.0 };
        Some(self.put(&force, way)? - now - again)
    }
    fn put(&self, force: &Force, way: &[String]) -> Option<f64> {
        let mut after = self.g.clone();
        movement::put(&mut after, force, Spot::On(self.g.c.area(way.last()?)?));
        Some(self.worth(&after))
    }
    /// Returns the best reaction, or a pass.
    fn reaction(&self) -> Option<Order> {
        let g = self.g;
        let now = self.worth(g);
        self.q.best(|order| match order {
            Order::Pass {} => Some(WORTH_AN_ACTION),
            Order::Move { from, who, way, .. } => {
                let a = g.c.area(from)?;
                let mut force = Force::default();
                for count in who {
                    force.leaders.extend(g.c.leader(&count.what));
                    let of = |u: &super::state::UnitId| {
                        g.c[g.unit(*u).kind].id == count.what && activation::is_meant(g, *u, count)
                    };
                    force.units.extend(g.fighters(a, self.side).filter(of).take(count.n.into()));
                }
                Some(self.put(&force, way)? - now)
            }
            _ => None,
        })
    }
    /// Returns the listed placement that leads to the best position.
    fn placed(&self) -> Option<Order> {
        self.q.best(|order| match order {
            Order::Put { lots } => {
                let mut after = self.g.clone();
                lots.iter().for_each(|lot| place(&mut after, lot));
                let put: u8 = lots.iter().map(|lot| lot.n).sum();
                Some(self.worth(&after) + WORTH_AN_ACTION * f64::from(put))
            }
            order => {
                // An order that picks an area, as for a village or a destination.
                Some(if order.is_place(self.g) { 1.0 } else { 0.0 })
            }
        })
    }
    /// Returns the order that places the most pieces.
    fn most(&self) -> Option<Order> {
        self.q.best(|order| match order {
            Order::Put { lots } => Some(lots.iter().map(|lot| f64::from(lot.n)).sum()),
            _ => None,
        })
    }
    /// Returns `true` if some besieged fort is weak enough to be assaulted.
    fn assaults(&self) -> bool {
        let g = self.g;
        g.c.area_ids().filter(|&a| g.besieged(a) && g.fort_of(a, self.side.enemy())).any(|a| {
            let inside = g.fighters(a, self.side.enemy()).filter(|&u| g.unit(u).inside).count();
            g.outside(a, self.side).count() >= 3 * (inside + 2)
        })
    }
}

impl Order {
    /// Returns `true` if the order picks an area.
    fn is_place(&self, g: &State) -> bool {
        use postrider_table::PickOrder;
        self.picked().is_some_and(|one| g.c.area(one).is_some())
    }
}

/// Places the pieces of an order on a copy of the position.
fn place(g: &mut State, lot: &Lot) {
    let Some(a) = g.c.area(&lot.at) else { return };
    if let Some(l) = g.c.leader(&lot.what) {
        g.chief_mut(l).spot = Spot::On(a);
    } else if let Some(kind) = g.c.kind(&lot.what) {
        // From the box, or from where they fought.
        let mut free: Vec<_> = g.of_kind(kind).filter(|&u| g.unit(u).spot != Spot::On(a)).collect();
        free.sort_by_key(|&u| g.unit(u).spot);
        free.into_iter().take(lot.n.into()).for_each(|u| g.unit_mut(u).spot = Spot::On(a));
    } else if lot.what == "village" {
        g.land_mut(a).village = true;
    } else if lot.what.ends_with("settler") {
        g.land_mut(a).settlers = g.land(a).settlers.saturating_add(lot.n);
    }
}
