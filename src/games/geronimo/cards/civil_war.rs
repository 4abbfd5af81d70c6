//! The American Civil War (9.2A, 5.44): the Army is halved and redeployed.

use super::super::{
    State, T,
    card::Card,
    columns::{reserve_commanders, strength},
    components::CommanderId,
    events::keep_markers,
    muster::{Deployment, MORMON_BPS, Post, muster},
    reservation::ask,
    restraint::{AT_WAR, is_bleeding, is_mormon},
    state::{CivilWar, CommanderPlace, Reserve},
};
use postrider_orders::{counted, list_and};
use postrider_table::Seat;

/// The Turn at whose start the war begins if nobody has played the card (9.2A, 13).
pub const LATEST_TURN: u8 = 6;

/// Returns `true` if a player can no longer play the card, which must be the player's first played
/// card of a Turn (9.2A).
pub fn is_too_late(g: &State, seat: Seat) -> bool {
    g.pile.iter().any(|&(by, _, how)| by == seat && how == super::super::state::Use::Played)
}

/// Starts the war at the beginning of Turn 6 if nobody has played the card (9.2A, 13). The new BPs
/// (four dice) and Commanders have already arrived.
pub async fn by_itself(t: &T, g: &mut State) {
    t.tell(|| "Nobody has played the American Civil War: it breaks out by itself.".to_owned());
    american_civil_war(t, g).await;
}

/// Carries out the immediate effects of the war (9.2A). The rules of Railroads, Statehood and
/// Column plays check for the others.
pub async fn american_civil_war(t: &T, g: &mut State) {
    g.fx.civil_war = CivilWar::Now;
    g.removed.push(Card::AmericanCivilWar);
    t.tell(|| {
        "The American Civil War is in effect for this Turn: no RRs, no Statehood for New Mexico and Arizona, no Column \
         plays in Texas and New Mexico."
            .to_owned()
    });
    if std::mem::take(&mut g.fx.peace_policy) {
        t.tell(|| "The Peace Policy is cancelled.".to_owned());
    }
    if std::mem::take(&mut g.fx.reform_movement) {
        t.tell(|| "The Reform Movement is over.".to_owned());
    }
    let stood: Vec<Post> = g.columns.iter().map(|k| Post { area: k.area, fort: k.in_fort, bps: k.bps }).collect();
    let mormons = g.columns.iter().find(|k| is_mormon(g, k)).map(|k| k.area);
    halve_commanders(t, g);
    let left = halve_troops(t, g);
    g.columns.clear();
    // Besieged Columns have left (12.13).
    keep_markers(t, g);
    g.fx.mormon_column = None;
    redeploy(t, g, left, stood, mormons).await;
}

/// Puts the Commanders in play into a cup and draws half of them, rounded down (5.44). The others
/// are out for this Turn.
fn halve_commanders(t: &T, g: &mut State) {
    let active = |place: CommanderPlace| matches!(place, CommanderPlace::Reserve | CommanderPlace::Column(_));
    let mut cup: Vec<CommanderId> = g.c.commander_ids().filter(|m| active(g.commanders[m.index()])).collect();
    let kept = cup.len() / 2;
    for m in &cup {
        g.commanders[m.index()] = CommanderPlace::Cup;
    }
    let mut names = Vec::with_capacity(kept);
    for _ in 0..kept {
        let m = cup.remove(t.draw("commander", cup.len()));
        g.commanders[m.index()] = CommanderPlace::Reserve;
        names.push(m);
    }
    t.tell(|| {
        let list = |ids: &[CommanderId]| match ids {
            [] => "nobody".to_owned(),
            _ => list_and(&ids.iter().map(|&m| g.c[m].surname.as_str()).collect::<Vec<_>>()),
        };
        format!("Commanders who stay: {}. Who go east: {}.", list(&names), list(&cup))
    });
}

/// Removes half of the BPs and half of the Artillery, each half rounded down (2.4), from the
/// Reserve first (9.2A). Moves the rest of the troops on the map to the Reserve, and returns their
/// numbers.
fn halve_troops(t: &T, g: &mut State) -> Reserve {
    let mut map = Reserve::default();
    for k in &g.columns {
        map.bps += k.bps;
        map.guns += k.guns;
        map.gatlings += k.gatlings;
    }
    let bps = (g.reserve.bps + map.bps) / 2;
    let artillery = (g.reserve.guns + g.reserve.gatlings + map.guns + map.gatlings) / 2;
    let mut due = bps;
    take(&mut due, [&mut g.reserve.bps, &mut map.bps]);
    let mut due = artillery;
    take(&mut due, [&mut g.reserve.guns, &mut g.reserve.gatlings, &mut map.guns, &mut map.gatlings]);
    g.reserve.bps += map.bps;
    g.reserve.guns += map.guns;
    g.reserve.gatlings += map.gatlings;
    t.tell(|| {
        let Reserve { bps: left, guns, gatlings } = map;
        format!(
            "The US loses {} and {}, from its Reserve first; on the map it keeps {}.",
            counted(bps, "BP"),
            counted(artillery, "Artillery marker"),
            strength(left, guns, gatlings)
        )
    });
    map
}

/// Takes a number from several piles, one after the other.
fn take<const N: usize>(due: &mut i32, heaps: [&mut i32; N]) {
    for heap in heaps {
        let now = (*due).min(*heap);
        *heap -= now;
        *due -= now;
    }
}

/// Lets the US place its remaining troops from the map as it likes, with Commanders of its choice
/// (5.44, 9.2A). Troops that are not placed stay in the Reserve.
///
/// House readings: Texas, New Mexico and Kansas during Bloody Kansas may have no more Columns than
/// before, the Mormon Column stays in Utah, and all Columns may be played in the next US Round.
async fn redeploy(t: &T, g: &mut State, mut left: Reserve, mut posts: Vec<Post>, mut mormons: Option<super::AreaId>) {
    let mut closed: Vec<(super::AreaId, usize)> = Vec::new();
    for a in g.area_ids().filter(|&a| AT_WAR.contains(&g.c[a].code.as_str()) || is_bleeding(g, a)) {
        closed.push((a, posts.iter().filter(|post| post.area == a).count()));
    }
    while left.bps > 0 && reserve_commanders(g).next().is_some() {
        let deployment = Deployment {
            title: "Place your Columns anew for the Civil War",
            rule: "9.2A",
            left,
            keep: 0,
            only: mormons.map(|utah| (utah, MORMON_BPS)),
            closed: closed.clone(),
            posts: posts.clone(),
            may_stop: true,
        };
        let us = g.us;
        let Some(new) = ask(t, g, us, deployment).await else { break };
        let id = muster(t, g, &new);
        if mormons.take().is_some() {
            g.fx.mormon_column = Some(id);
        }
        left.bps -= new.bps;
        left.guns -= new.guns;
        left.gatlings -= new.gatlings;
        if let Some(at) = posts.iter().position(|post| post.area == new.area) {
            posts.remove(at);
        }
        if let Some((_, more)) = closed.iter_mut().find(|(a, _)| *a == new.area) {
            *more -= 1;
        }
    }
}
