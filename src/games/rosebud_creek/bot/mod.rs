//! The `steady` bot for both sides. It keeps a line, uses the terrain, fires at good chances,
//! attacks where it expects the enemy to lose more, and withdraws weak units. Its Indians hold the
//! hills, fire from cover two hexes away, and fall back where they are outnumbered.

mod ground;
#[cfg(test)]
mod tests;

use super::{
    Ask, Order, RosebudCreek, State, ammo,
    components::{Num, Side, UnitId},
    doctrine::{About, FireWill},
    entry,
    fire::Volley,
    march::March,
    melee::{self, Assault, Battle},
    movement::{self, Mover},
    order::{Act, Going},
    state::{Mode, Spot, Volume},
    volley::Fires,
};
use postrider_table::{Below, Mind, NamedBot, Question, Thinking, hex::Hex};

/// The bots of The Battle of Rosebud Creek, apart from the random one.
pub const BOTS: &[NamedBot] = &[NamedBot {
    name: "steady",
    about: "keeps a line and the high ground, fires at good odds, withdraws weak units",
    make: || Box::new(Thinking::<RosebudCreek, _>::new(Steady)),
}];

/// Minimum chance of a Casualty Point for a shot, in percent; before a move a shot must be good.
const CHANCE: u32 = 5;
const GOOD_CHANCE: u32 = 14;
/// Minimum value of a move.
const WORTH_A_MOVE: f64 = 0.4;
/// Minimum expected gain of a melee, in Casualty Points.
const WORTH_A_MELEE: f64 = 0.35;
/// The same for Indians, who win by denying the US its points.
const WORTH_A_BRAWL: f64 = 0.5;
/// Minimum chance of a shot for Indians, in percent. Low ammunition costs them no VP, so they take
/// nearly any shot.
const ANY_CHANCE: u32 = 2;

/// A bot without memory: it decides by the position alone.
///
/// The Indians are wary: they hold the hills that the US wants, dismount to fire from two hexes,
/// fall back where they are outnumbered, and attack only for a large gain.
pub struct Steady;

impl Mind<RosebudCreek> for Steady {
    fn answer(&mut self, q: &Question<'_, RosebudCreek>, _: &mut Below<'_>) -> Option<Order> {
        let g = q.state;
        let side = Side::ALL[q.seat.index()];
        let wary = side == Side::Indian;
        let least = if wary { ANY_CHANCE } else { CHANCE };
        match q.prompt.kind() {
            Ask::Rally => rally(q, g, side),
            Ask::OffensiveFire => shots(g, side, Volley::Offensive(Volume::Full), GOOD_CHANCE),
            Ask::DefensiveFire => shots(g, side, Volley::Defensive(Volume::Full), least),
            Ask::AdvanceFire => shots(g, side, Volley::Advance, least),
            Ask::Movement => moves(q, g, side, wary),
            Ask::Melee => attack(q, g, side, wary),
            Ask::SetUp => set_up(g, side, wary),
            Ask::BeforeMelee => q.pick("stand"),
            Ask::Rout | Ask::Village => q.pick("no"),
            Ask::Scatter => q.pick("stay"),
            Ask::Replace | Ask::Pursue | Ask::PursuitAttack => q.pick("yes"),
            Ask::OpportunityFire | Ask::RetreatFire | Ask::HitAndRun => q.orders().nth(1).or_else(|| q.orders().next()),
            Ask::HowFar
            | Ask::Advance
            | Ask::Losses
            | Ask::Ammunition
            | Ask::FallBack
            | Ask::Leader
            | Ask::RallyPlace => q.orders().next(),
        }
    }
}

/// Cautious Indians set their doctrine to fire at every leaving unit, whatever the chance.
fn set_up(g: &State, side: Side, wary: bool) -> Option<Order> {
    let fires = g.doctrine[side.index()].opportunity == FireWill::Yes;
    Some(match wary && !fires {
        true => Order::Doctrine { about: About::OpportunityFire.word().to_owned(), how: "yes".to_owned() },
        false => Order::Done {},
    })
}

/// Re-supplies units that need it and are away from the enemy; then the dice are rolled.
fn rally(q: &Question<'_, RosebudCreek>, g: &State, side: Side) -> Option<Order> {
    let calm =
        |u: &UnitId| g.hex(*u).is_some_and(|hex| super::zoc::enemy_distance(g, hex, side).is_none_or(|far| far > 2));
    let low = g.on_map(side).filter(calm).find(|&u| ammo::source(g, u).is_ok());
    let resupply = low.map(|u| Order::resupply(g.name(u)));
    resupply.filter(|order| q.is_legal(order)).or(Some(Order::Done {}))
}

/// Returns the best shot of each unit, if it is good enough.
fn shots(g: &State, side: Side, volley: Volley, least: u32) -> Option<Order> {
    let shots = Fires::phase(side, volley).best(g, least);
    Some(if shots.is_empty() { Order::Done {} } else { Order::fire(shots) })
}

/// Returns the move with the highest value; every unit moves once.
fn moves(q: &Question<'_, RosebudCreek>, g: &State, side: Side, wary: bool) -> Option<Order> {
    if let Some(order) = enters(q, g, side) {
        return Some(order);
    }
    let march = March { side };
    let field = ground::Field::new(g, side, wary);
    let fresh = |u: UnitId| g.unit(u).did.spent == 0 && !g.class(u).walks();
    let units = march.movers(g).into_iter().filter_map(|mover| match mover {
        Mover::Unit(u) if fresh(u) => Some(u),
        _ => None,
    });
    let mut best: Vec<(Order, f64)> = Vec::new();
    for u in units {
        let order = |acts: Vec<Act>| Order::Move { moves: vec![Going { who: vec![g.name(u)], acts }] };
        let (Some(at), Some(reach)) = (g.hex(u), movement::reach(g, Mover::Unit(u))) else { continue };
        if g.unit(u).disrupted {
            // A cautious unit uses its remaining MPs to go to a safer hex.
            let left = movement::left(g, Mover::Unit(u)).saturating_sub(g.c.steps(Num::Recover));
            let safer = reach.each().filter(|&(_, cost)| wary && cost <= left);
            let safer = safer.map(|(hex, _)| (hex, field.worth(u, hex))).max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((to, worth)) = safer.filter(|(_, worth)| worth - field.worth(u, at) > WORTH_A_MOVE)
                && let Some(way) = March::way_to(g, Mover::Unit(u), to)
            {
                best.push((order(std::iter::once(Act::Recover {}).chain(way).collect()), 2.0 + worth));
            }
            best.push((order(vec![Act::Recover {}]), 2.0));
            continue;
        }
        let stays = field.worth(u, at);
        let goal = reach
            .each()
            .map(|(hex, cost)| (hex, field.worth(u, hex) - f64::from(cost) * 0.02))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((to, worth)) = goal.filter(|(_, worth)| worth - stays > WORTH_A_MOVE) {
            if let Some(mut acts) = March::way_to(g, Mover::Unit(u), to) {
                // Mounted units dismount where they expect to fight.
                let left = movement::left(g, Mover::Unit(u)).saturating_sub(reach.cost(to).unwrap_or(0));
                let fights = if wary { 2 } else { 3 };
                if g.unit(u).mode == Mode::Mounted
                    && left > 0
                    && field.near(to, fights)
                    && (side == Side::Us || wary && !field.near(to, 1))
                {
                    acts.push(Act::Dismount {});
                }
                best.push((order(acts), worth - stays));
            }
        } else if g.unit(u).mode == Mode::Mounted && field.near(at, 2) && movement::left(g, Mover::Unit(u)) > 0 {
            best.push((order(vec![Act::Dismount {}]), 0.1));
        }
    }
    // Several moves are worthwhile; the best legal one is taken.
    q.best_legal(best).or(Some(Order::Done {}))
}

/// Returns the entry order of the next Indian unit, spread along the edge.
fn enters(q: &Question<'_, RosebudCreek>, g: &State, side: Side) -> Option<Order> {
    if side == Side::Us {
        return None;
    }
    let u = entry::waiting(g).into_iter().next()?;
    let north = &g.charts.entries[0];
    let entered = g.on_map(side).filter(|&o| !g.class(o).walks()).count();
    // From column 24 eastward, where the hills are closest to the creek.
    let hexes = (0..north.len()).map(|i| north[(13 + entered / 3 * 2 + i) % north.len()]);
    let along: Vec<String> = if entered % 8 == 0 {
        entry::waiting_leaders(g).into_iter().take(1).map(|l| g.c[l].id.clone()).collect()
    } else {
        Vec::new()
    };
    let orders = hexes.flat_map(|hex| {
        let acts = vec![Act::Go { hex: g.id(hex) }];
        let who = |names: Vec<String>| Order::Move { moves: vec![Going { who: names, acts: acts.clone() }] };
        let with: Vec<String> = std::iter::once(g.name(u)).chain(along.clone()).collect();
        [who(with), who(vec![g.name(u)])]
    });
    orders.into_iter().find(|order| q.is_legal(order))
}

/// Returns the melee with the highest expected gain, if it is high enough.
fn attack(q: &Question<'_, RosebudCreek>, g: &State, side: Side, wary: bool) -> Option<Order> {
    let least = if wary { WORTH_A_BRAWL } else { WORTH_A_MELEE };
    let targets = (Assault { side }).targets(g);
    let appraised = targets.into_iter().filter_map(|(at, units)| {
        let horses = g.of_side(at, side.enemy()).filter(|&u| g.class(u).is_holder() && !g.unit(u).mountless).count();
        let booty = if wary { horses as f64 * 0.5 } else { 0.0 };
        let worth = promise(g, &melee::reckon(g, &units, at)) + booty;
        let with = units.iter().map(|&u| g.name(u)).collect();
        let order = Order::melee(g.id(at), with, false, side == Side::Us);
        (worth > least).then_some((order, worth))
    });
    q.best_legal(appraised.collect()).or(Some(Order::Done {}))
}

/// Returns the expected result of a melee: enemy points lost minus own, with a Retreat as half a
/// point and a Rout as one and a half.
fn promise(g: &State, battle: &Battle) -> f64 {
    let toll = |score: super::components::Score| {
        f64::from(score.lost) + f64::from(score.retreat.min(1)) * 0.5 + if score.rout { 1.5 } else { 0.0 }
    };
    let of = |die: i64| {
        let [attacker, defender] = battle.result(g, die);
        toll(defender) - toll(attacker)
    };
    (1..=6).map(of).sum::<f64>() / 6.0
}

/// Returns `true` if a hex has a friendly unit that is neither Routed nor a Holder.
fn stands(g: &State, hex: Hex, side: Side) -> bool {
    g.of_side(hex, side).any(|u| !g.unit(u).routed && !g.class(u).is_holder() && g.unit(u).spot == Spot::On(hex))
}
