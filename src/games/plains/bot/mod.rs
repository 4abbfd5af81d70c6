//! The `steady` bot, which looks one order ahead and chooses the position that [`worth`] values
//! most.
//!
//! As the Indians it attacks Wagons and weak groups, holds regions and drives builders away from
//! the railheads. As the US it spreads over unguarded regions, keeps Brown cubes next to the
//! railheads and does not attack at bad odds. It sees only what its seat can see (see
//! [`Game::masked`](postrider_table::Game::masked)).

mod events;
#[cfg(test)]
mod tests;
mod worth;

use self::worth::worth;
use super::{
    Ask, Order, Plains,
    components::{Faction, RegionId, Route, Spot, Trail},
    engagement::odds::{indians_win, two_hits},
    order::{Lot, counts, cubes, lots},
    state::{Cubes, STACK, State},
};
use postrider_table::{Below, Mind, NamedBot, PickOrder, Question, Thinking, best};

/// The bots of Plains Indian Wars, except the one that plays at random.
pub const BOTS: &[NamedBot] = &[NamedBot {
    name: "steady",
    about: "takes regions, guards or stops the railroad, attacks at good odds",
    make: || Box::new(Thinking::<Plains, _>::new(Steady)),
}];

/// Minimum value of a move, in VPs.
const WORTH_A_MOVE: f64 = 0.02;
/// Chance of winning below which cubes retreat.
const HOPELESS: f64 = 0.3;
/// Number of casualties that are worth a group move to recover.
const WORTH_RECOVERING: u8 = 5;

/// Minimum chance of destroying a Wagon for an attack, since each roll may also cost a cube.
const WORTH_AN_ATTACK: f64 = 0.1;

/// A bot without memory, which decides by the position alone.
pub struct Steady;

/// A question, and the position as seen by the seat that is asked.
struct Sight<'q> {
    q: &'q Question<'q, Plains>,
    g: &'q State,
    indian: bool,
}

impl Mind<Plains> for Steady {
    fn answer(&mut self, question: &Question<'_, Plains>, _: &mut Below<'_>) -> Option<Order> {
        let g = question.state;
        let sight = Sight { q: question, g, indian: g.variant.is_indian(question.seat) };
        match question.prompt.kind() {
            Ask::Card => sight.card(),
            Ask::Placement => sight.placement(),
            Ask::Movement => sight.movement(),
            Ask::Retreat => sight.retreat(),
            Ask::Wagons => question.pick(if sight.wagon_odds() >= WORTH_AN_ATTACK { "attack" } else { "call off" }),
            Ask::Recover => question.pick(if sight.q.state.ready[sight.active()] == 0 { "recover" } else { "go on" }),
            Ask::WinterCampaign | Ask::BlackKettle => question.pick("yes"),
            Ask::ToSacramento => question.pick_first(if g.through_mountains() { &["2", "0"] } else { &["0"] }),
            Ask::Trail => question.pick("1"),
            Ask::WagonsNorth => sight.safest_way(),
            Ask::Treaty => sight.treaty(),
            Ask::StaysOut => question.pick("Brown"),
            Ask::Loss => question.pick_first(&["Purple", "Brown", "Blue"]),
            Ask::Ambush => question.pick("Blue"),
            Ask::EventRegion => sight.best_pick(|g, spot| {
                let faction = sight.active();
                g.cubes_mut(spot)[faction] += 2;
            }),
            Ask::Custer => sight.best_pick(|g, spot| g.cubes_mut(spot)[Faction::Cavalry] += 4),
            Ask::Withdraw => sight.best_pick(|_, _| ()),
            Ask::BuffaloHunters | Ask::CrazyHorse | Ask::Geronimo | Ask::MedicineLine | Ask::PonyExpress => {
                sight.event_pick(question.prompt.kind())
            }
            Ask::Engagement | Ask::OverLimit => None,
        }
    }
}

impl Sight<'_> {
    /// Returns the value of a position to the seat.
    fn worth(&self, g: &State) -> f64 {
        worth(g, self.q.seat)
    }
    /// Returns `true` if the seat's side has more cubes at a spot than the limit allows (4.4).
    fn is_crowded(&self, g: &State, spot: Spot) -> bool {
        spot.region().is_some() && g.cubes(spot).side(self.indian) > STACK
    }
    /// Returns the faction whose disc was drawn last.
    fn active(&self) -> Faction {
        self.g.drawn.last().copied().unwrap_or(Faction::Cavalry)
    }
    /// Returns the answer for which `change` leads to the most valuable position.
    fn best_pick(&self, change: impl Fn(&mut State, Spot)) -> Option<Order> {
        self.q.best(|order| {
            let spot = self.g.c.spot(order.picked()?)?;
            let mut g = self.g.clone();
            change(&mut g, spot);
            Some(self.worth(&g))
        })
    }
    /// Chooses a card: Events first while they help the movement, then the strongest movement card,
    /// and enduring cards last so that they stay visible (9.2.1).
    fn card(&self) -> Option<Order> {
        let moved = self.q.is_legal(&Order::End {});
        self.q.best(|order| match order {
            Order::End {} => Some(0.0),
            Order::Activate { card } => {
                let event = self.g.c.card_named(card).and_then(|card| self.g.c[card].event);
                let kept = event.map_or(0.0, |event| self.event(event, moved));
                Some(1.0 - 0.1 * kept)
            }
            Order::Play { card } => {
                let card = &self.g.c[self.g.c.card_named(card)?];
                Some(match card.event {
                    None => 2.0 + f64::from(card.cubes) + f64::from(card.groups * card.moves) / 2.0,
                    Some(event) => self.event_card(event, moved),
                })
            }
            _ => None,
        })
    }
    /// Places one cube at a time, each where it adds the most value.
    fn placement(&self) -> Option<Order> {
        let (mut colour, mut n, mut places) = (Faction::Npt, 0, Vec::new());
        for order in self.q.orders() {
            if let Order::Put { lots } = &order {
                // No cube is ready: empty the Casualty Box first.
                let Some(lot) = lots.first() else { return Some(Order::Recover {}) };
                (colour, n) = (lot.colour, lot.n);
                places.push(self.g.c.spot(&lot.to)?);
            }
        }
        let (mut g, mut spots) = (self.g.clone(), Vec::new());
        for _ in 0..n {
            let tried = places.iter().map(|&spot| {
                let mut after = g.clone();
                after.cubes_mut(spot)[colour] += 1;
                (spot, if self.is_crowded(&after, spot) { f64::MIN } else { self.worth(&after) })
            });
            let (spot, _) = best(tried)?;
            g.cubes_mut(spot)[colour] += 1;
            spots.push(spot);
        }
        Some(Order::Put { lots: lots(&g.c, spots.into_iter().map(|spot| (colour, spot))) })
    }
    /// Chooses the most valuable move of a whole group or a part; none if no move is worth enough.
    fn movement(&self) -> Option<Order> {
        let now = self.worth(self.g);
        let mut tried = vec![(Order::Done {}, now + WORTH_A_MOVE)];
        for order in self.q.orders() {
            match &order {
                Order::Recover {} => {
                    let own = Faction::ALL.into_iter().take(6).filter(|&f| self.g.owner(f) == self.q.seat);
                    let lost = own.map(|f| self.g.casualties[f]).max().unwrap_or(0);
                    let worth = if lost >= WORTH_RECOVERING { 0.4 } else { -1.0 };
                    tried.push((order, now + worth));
                }
                Order::Stay { .. } => tried.push((order, now + 0.3)),
                Order::Move { from, to, cubes: list } | Order::Rail { from, to, cubes: list } => {
                    let (Some(a), Some(b), Some(group)) = (self.g.c.spot(from), self.g.c.spot(to), cubes(list)) else {
                        continue;
                    };
                    for part in parts(&group) {
                        let mut g = self.g.clone();
                        *g.cubes_mut(a) -= part;
                        *g.cubes_mut(b) += part;
                        if self.is_crowded(&g, b) {
                            continue;
                        }
                        let mut order = order.clone();
                        if let Order::Move { cubes, .. } | Order::Rail { cubes, .. } = &mut order {
                            *cubes = counts(&part);
                        }
                        tried.push((order, self.worth(&g)));
                    }
                }
                _ => {}
            }
        }
        self.q.best_legal(tried)
    }
    /// Returns the best chance of two hits in any region with unprotected Wagons that may be
    /// attacked.
    fn wagon_odds(&self) -> f64 {
        let beside = |r: &RegionId| self.g.targets(*r) > 0 && self.g.region(*r).us() == 0;
        self.g.c.region_ids().filter(beside).map(|r| two_hits(self.g, self.g.region(r))).fold(0.0, f64::max)
    }
    /// Sends all Wagons along the route with less danger in its first regions.
    fn safest_way(&self) -> Option<Order> {
        let danger = |trail: &Trail| -> f64 {
            let near = trail.regions.iter().take(3).map(|&r| self.g.region(r)).filter(|cubes| cubes.us() == 0);
            near.map(|cubes| two_hits(self.g, cubes)).sum()
        };
        let of = |route: Route| {
            let trails = self.g.c.trails.iter().filter(move |trail| trail.route == route);
            trails.map(danger).fold(f64::MAX, f64::min)
        };
        let numbers = self.q.orders().filter_map(|order| {
            let n: u8 = order.picked()?.parse().ok()?;
            Some((order, n))
        });
        let all_north = of(Route::North) < of(Route::South);
        numbers.max_by_key(|&(_, n)| if all_north { i16::from(n) } else { -i16::from(n) }).map(|(order, _)| order)
    }
    /// Relocates the weaker side of a Treaty to the spot that is worst for its player.
    fn treaty(&self) -> Option<Order> {
        let r = self.g.c.region_ids().find(|&r| self.g.region(r).both_sides())?;
        let here = *self.g.region(r);
        let goes = Faction::FIGHTING.into_iter().find(|f| f.is_indian() != self.indian && here[*f] > 0)?;
        self.best_pick(|g, spot| {
            g.region_mut(r)[goes] = 0;
            g.cubes_mut(spot)[goes] += here[goes];
        })
    }
    /// Retreats cubes from a fight that is almost lost.
    fn retreat(&self) -> Option<Order> {
        let first = self.q.orders().find(|order| matches!(order, Order::Put { .. }))?;
        let Order::Put { lots } = &first else { return None };
        // The question does not name the region; it is taken to be a contested one adjacent to the
        // destination.
        let (colour, to) = (lots.first()?.colour, self.g.c.spot(&lots.first()?.to)?);
        let near = |r: RegionId| to.region().is_none_or(|to| self.g.c[r].adjacent.contains(&to));
        let fought = |&r: &RegionId| self.g.region(r).both_sides() && self.g.region(r)[colour] > 0 && near(r);
        let chances = self.g.c.region_ids().filter(fought).map(|r| {
            let indians = indians_win(self.g, self.g.region(r));
            if self.indian { indians } else { 1.0 - indians }
        });
        // Without a fight, Wagons were attacked, and no cube has to retreat.
        if chances.min_by(f64::total_cmp).unwrap_or(1.0) >= HOPELESS {
            return Some(Order::Done {});
        }
        // Retreat as many cubes as possible to the same place.
        let fled = (2..=STACK).rev().find_map(|n| {
            let lots = lots.iter().map(|lot| Lot { n, ..lot.clone() }).collect();
            Some(Order::Put { lots }).filter(|order| self.q.is_legal(order))
        });
        fled.or(Some(first))
    }
}

/// Returns the parts of a group that are worth considering: the whole group and, if it has one
/// colour only, up to three of its cubes.
fn parts(group: &Cubes) -> Vec<Cubes> {
    let mut parts = vec![*group];
    let mut each = group.each();
    if let (Some((faction, n)), None) = (each.next(), each.next()) {
        parts.extend((1..n.min(4)).map(|few| Cubes::of(faction, few)));
    }
    parts
}
