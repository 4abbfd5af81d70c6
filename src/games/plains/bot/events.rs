//! The value of Event cards (9.2) to the bot, and its answers to their questions.

use super::{
    super::{
        Ask, Order,
        components::{Event, Faction, RegionId, Spot},
        events::{hunted, struck_from},
        state::State,
    },
    Sight,
    worth::builders_east,
};
use postrider_table::PickOrder;

/// Minimum value of a card's text, in VPs. A card below this is kept, because each played card
/// brings the end of the game closer.
const WORTH_A_CARD: f64 = 0.3;
/// Additional value of a cube that is placed where it is needed.
const PLACED: f64 = 0.3;
/// Value of a casualty that becomes ready while few cubes are ready.
const BROUGHT_BACK: f64 = 0.08;
/// Number of ready cubes that is enough for the next cards.
const ENOUGH: u8 = 8;
/// Value of a hit that the enemy cannot answer.
const HIT: f64 = 0.4;

impl Sight<'_> {
    /// Returns the priority of playing an Event card for its text at this time: before the movement
    /// card, after it, or not at all if the text is worth too little.
    pub(super) fn event_card(&self, event: Event, moved: bool) -> f64 {
        let worth = self.event(event, moved);
        match (worth >= WORTH_A_CARD, event.endures(), moved) {
            (false, ..) | (_, true, false) => -1.0,
            (true, _, true) => 1.0 + worth,
            (true, false, false) => 20.0 + worth,
        }
    }
    /// Returns the value of a card's text now. `moved` is `true` after the movement card, when
    /// engagements are resolved immediately.
    pub(super) fn event(&self, event: Event, moved: bool) -> f64 {
        let g = self.g;
        let cubes = |faction: Faction, n: u8| PLACED * f64::from(g.ready[faction].min(n));
        let back = |faction: Faction, most: u8| match g.ready[faction] < ENOUGH {
            true => BROUGHT_BACK * f64::from(g.casualties[faction].min(most)),
            false => 0.0,
        };
        let to_come = |disc: Faction| !g.drawn.contains(&disc);
        match event {
            Event::CrazyHorse if moved => 0.0,
            Event::CrazyHorse => self.best_of(|r| self.fierce(r, Faction::Npt)),
            Event::BozemanTrail | Event::Lozen | Event::BuffaloSoldiers => cubes(self.active(), 2),
            Event::MedicineLine => self.best_crossing().map_or(0.0, |(worth, _)| worth),
            Event::TornUpTrack if to_come(Faction::Railroad) && !g.joined() => HIT * builders_east(g),
            Event::UnionPacificRailroad if to_come(Faction::Railroad) && !g.joined() => 0.2 + HIT * builders_east(g),
            Event::SantaFeTrailClosed if to_come(Faction::Wagons) => 0.2 * self.wagons_beside(),
            Event::TornUpTrack | Event::UnionPacificRailroad | Event::SantaFeTrailClosed => 0.0,
            Event::GreatHunt => cubes(Faction::Npt, 1) + back(Faction::Npt, 4),
            Event::ComancheroTrade => cubes(Faction::Spt, 1) + back(Faction::Spt, 4),
            Event::BlackKettle => cubes(Faction::Spt, 1) + 0.1,
            Event::RecruitingDepot => cubes(Faction::Cavalry, 1) + back(Faction::Cavalry, u8::MAX),
            Event::Geronimo => self.best_of(|r| self.strikes(r)),
            // Played as soon as it is drawn.
            Event::Custer => 0.0,
            Event::AlliedScouts => cubes(Faction::Enemies, 1) + 0.1,
            Event::WinterCampaign if moved => 0.0,
            Event::WinterCampaign => self.best_of(|r| self.fierce(r, Faction::Cavalry)),
            Event::PonyExpress if moved => 0.1,
            Event::PonyExpress => WORTH_A_CARD,
            Event::BuffaloHunters => {
                if hunted(g).is_empty() {
                    0.0
                } else {
                    HIT
                }
            }
            Event::BlackHillsGold => self.gold(),
            Event::PrairieSchooners => self.schooners(),
        }
    }
    fn best_of(&self, worth: impl Fn(RegionId) -> f64) -> f64 {
        self.g.c.region_ids().map(worth).fold(0.0, f64::max)
    }
    /// Returns the value of stronger fighting by a faction's cubes in a region with enemies or, for
    /// the US, next to enemies.
    fn fierce(&self, r: RegionId, faction: Faction) -> f64 {
        let (g, here) = (self.g, self.g.region(r));
        let enemies = |r: RegionId| {
            let there = g.region(r);
            if faction.is_indian() { there.us() + g.targets(r) } else { there.indian() }
        };
        let near = g.c[r].adjacent.iter().any(|&b| enemies(b) > 0 && !faction.is_indian());
        match here[faction] {
            0 | 1 => 0.0,
            _ if enemies(r) > 0 => HIT + WORTH_A_CARD,
            _ if near => WORTH_A_CARD,
            _ => 0.0,
        }
    }
    /// Returns the value of Geronimo's strikes from a region, less the value of the Orange cubes
    /// there.
    fn strikes(&self, from: RegionId) -> f64 {
        let g = self.g;
        let here = *g.region(from);
        if here[Faction::Spt] == 0 {
            return 0.0;
        }
        // Three of six faces remove a cube, and each faction rolls at most two dice.
        let dice = f64::from(here[Faction::Spt].min(2) + here[Faction::Npt].min(2)) * 0.5;
        let hits: f64 = struck_from(g, from).into_iter().map(|r| dice.min(f64::from(g.region(r).us().max(1)))).sum();
        let mut after = g.clone();
        after.region_mut(from)[Faction::Spt] = 0;
        after.cubes_mut(Spot::Mexico)[Faction::Spt] += here[Faction::Spt];
        HIT * hits + self.worth(&after) - self.worth(g)
    }
    /// Returns the number of regions with unprotected Wagons and Indians.
    fn wagons_beside(&self) -> f64 {
        let beside = |r: &RegionId| exposed(self.g, *r) && self.g.region(*r).indian() > 0;
        self.g.c.region_ids().filter(beside).count() as f64
    }
    fn gold(&self) -> f64 {
        let Some(spot) = self.g.c.spot("Black Hills") else { return 0.0 };
        let mut after = self.g.clone();
        after.cubes_mut(spot)[Faction::Settlers] += 2;
        self.worth(&after) - self.worth(self.g)
    }
    /// Returns the value of Prairie Schooners (9.2): each Wagon is one region nearer to its VP, and
    /// some escape from Indians.
    fn schooners(&self) -> f64 {
        let wagons = |spot: Spot| f64::from(self.g.cubes(spot)[Faction::Wagons]);
        0.1 * self.g.c.spots().map(wagons).sum::<f64>() + 0.2 * self.wagons_beside()
    }
    /// Returns the most valuable crossing of the Medicine Line, with its value.
    fn best_crossing(&self) -> Option<(f64, (Spot, Spot))> {
        let g = self.g;
        let green = |spot: Spot| g.cubes(spot)[Faction::Npt].min(4);
        let arrows = g.c.region_ids().filter(|&r| g.c[r].arrows.contains(&(Spot::Canada, Faction::Npt)));
        let back = arrows.map(|r| (Spot::Canada, Spot::Region(r)));
        let away = g.c.region_ids().map(|r| (Spot::Region(r), Spot::Canada));
        let ways = back.chain(away).filter(|&(from, _)| green(from) > 0);
        let worth = |(from, to)| (self.crossed(from, to, green(from)), (from, to));
        ways.map(worth).max_by(|a, b| a.0.total_cmp(&b.0))
    }
    /// Returns the value of moving `n` Green cubes from one spot to another.
    fn crossed(&self, from: Spot, to: Spot, n: u8) -> f64 {
        let mut after = self.g.clone();
        after.cubes_mut(from)[Faction::Npt] -= n.min(after.cubes(from)[Faction::Npt]);
        after.cubes_mut(to)[Faction::Npt] += n;
        if self.is_crowded(&after, to) {
            return f64::NEG_INFINITY;
        }
        self.worth(&after) - self.worth(self.g)
    }
    /// Returns the answer to a question of an Event card.
    pub(super) fn event_pick(&self, kind: Ask) -> Option<Order> {
        let g = self.g;
        self.q.best(|order| {
            let key = order.picked()?;
            let region = || g.c.spot(key).and_then(Spot::region);
            match kind {
                Ask::CrazyHorse => {
                    region().map(|r| self.fierce(r, Faction::Npt) + 0.01 * f64::from(g.region(r)[Faction::Npt]))
                }
                Ask::Geronimo => region().map(|r| self.strikes(r)),
                Ask::BuffaloHunters => region().map(|r| {
                    let mut after = g.clone();
                    let lost = if after.region(r)[Faction::Npt] > 0 { Faction::Npt } else { Faction::Spt };
                    after.region_mut(r)[lost] -= 1;
                    self.worth(&after)
                }),
                Ask::MedicineLine => {
                    let (n, way) = key.split_once(" from ")?;
                    let (from, to) = way.split_once(" to ")?;
                    Some(self.crossed(g.c.spot(from)?, g.c.spot(to)?, n.parse().ok()?))
                }
                // A hand without a movement card is worth exchanging. Custer is never in a hand.
                Ask::PonyExpress => {
                    let hand = || g.hand(self.active());
                    let stuck = !hand().any(|card| g.c[card].is_movement());
                    Some(match g.c.card_named(key) {
                        Some(card) if stuck => g.c[card].event.map_or(-1.0, |event| 1.0 - self.event(event, false)),
                        Some(_) => -1.0,
                        None => 0.0,
                    })
                }
                _ => None,
            }
        })
    }
}

/// Returns `true` if a region has unprotected Wagons that may be attacked.
fn exposed(g: &State, r: RegionId) -> bool {
    g.targets(r) > 0 && g.region(r).us() == 0
}
