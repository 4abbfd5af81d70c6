//! The effect of an order as lines on the map.

use super::{
    State,
    movement::Mover,
    order::{Act, Order},
    volley::Fires,
};
use postrider_table::map::{Way, WayKind};

/// Returns the moves, shots and attacks of an order, hex by hex as far as it names them.
pub fn ways(g: &State, order: &Order) -> Vec<Way> {
    let from = |name: &str| Mover::named(g, name).and_then(|mover| mover.spot(g).hex()).map(|hex| g.id(hex));
    let at = |name: &str| from(name).unwrap_or_else(|| name.to_owned());
    let line = |what: WayKind, who: &str, to: &str| Way::over(what, from(who).into_iter().chain([at(to)]).collect());
    match order {
        Order::Move { moves } => {
            let mut all = Vec::new();
            for going in moves {
                let Some(first) = going.who.first() else { continue };
                let mut places: Vec<String> = from(first).into_iter().collect();
                for act in &going.acts {
                    match act {
                        Act::Go { hex } | Act::Crawl { hex } => places.push(hex.clone()),
                        Act::Charge { hex } => {
                            let here = places.last().cloned();
                            all.extend(Way::over(WayKind::Attack, here.into_iter().chain([hex.clone()]).collect()));
                        }
                        Act::Fire { at: target } => {
                            let here = places.last().cloned();
                            all.extend(Way::over(WayKind::Fire, here.into_iter().chain([at(target)]).collect()));
                        }
                        Act::Mount {}
                        | Act::Dismount {}
                        | Act::Prone {}
                        | Act::Recover {}
                        | Act::Exit {}
                        | Act::Attach { .. } => {}
                    }
                }
                all.extend(Way::over(WayKind::Move, places));
            }
            all
        }
        Order::Fire { shots, best } => {
            // Shots that would be fired in the current position; in play each is chosen in turn.
            let others = best.and_then(|least| Some(Fires::of_phase(g)?.rest(g, shots, least.into())));
            let all = shots.iter().chain(others.iter().flatten());
            all.filter_map(|shot| line(WayKind::Fire, &shot.who, &shot.at)).collect()
        }
        Order::Melee { at, with, .. } => with.iter().filter_map(|who| line(WayKind::Attack, who, at)).collect(),
        _ => Vec::new(),
    }
}
