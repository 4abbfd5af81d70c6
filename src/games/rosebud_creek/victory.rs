//! Victory (17) and the end of the game (18.1).

use super::{
    State, T, ammo,
    components::{Class, Level, Num, Side, UnitId, Vp},
    leaders,
    state::{Ending, Spot},
    village,
};
use postrider_table::tell_vps;

/// Tells the VPs that have changed since they were last told.
pub fn tell_points(t: &T, g: &mut State) {
    tell_vps(t, Side::ALL.map(Side::name), &mut g.told, g.vps);
}

/// Marks the current VPs as already told in the story.
pub fn set_told(g: &mut State) {
    g.told = g.vps;
}

/// Returns `true` if a side has no units left on the map; Leaders and Pony Holders do not count
/// (18.1).
pub fn is_swept(g: &State) -> bool {
    Side::ALL.into_iter().any(|side| !g.on_map(side).any(|u| g.class(u).is_combat()))
}

/// Returns the level of victory for the current VPs, and the winner (17).
pub fn level(g: &State) -> (Option<Side>, Level) {
    let least = g.c.n(Num::VictoryLeast);
    let [us, indian] = g.vps.map(|vps| vps.max(least));
    let (winner, more, fewer) = if us >= indian { (Side::Us, us, indian) } else { (Side::Indian, indian, us) };
    let reached = g.c.levels.iter().rev().find(|row| more * 10 >= row.tenths * fewer).map_or(Level::Draw, |row| row.id);
    ((reached != Level::Draw).then_some(winner), reached)
}

/// Makes the final counts: mortal wounds, the column that left to find the village, and low
/// ammunition; then sets the result.
pub fn finish(t: &T, g: &mut State, why: &'static str) {
    let wounded = |l: &super::components::LeaderId| g.chief(*l).dies.is_some() && g.chief(*l).spot != Spot::Dead;
    for l in g.c.leader_ids().filter(wounded).collect::<Vec<_>>() {
        leaders::surgeon(t, g, l);
    }
    village::outcome(t, g);
    let low = g.c.unit_ids().filter(|&u| ammo::low_at_end(g, u)).count();
    if low > 0 {
        let points = g.c.vp(Vp::LowAmmo) * low as i32;
        g.score(Side::Us, -points, "17");
        t.tell(|| format!("{low} US units are low on ammunition: {} less.", postrider_table::vps(points)));
    }
    tell_points(t, g);
    let (winner, level) = level(g);
    g.ending = Some(Ending { winner, level, why });
    t.tell(|| {
        let [us, indian] = g.vps;
        let result = match winner {
            Some(side) => format!("{} victory of the {}", level.name(), side.name()),
            None => "a Draw".to_owned(),
        };
        format!("The battle is over: US {us}, Indians {indian}: {result}.")
    });
}

/// Scores an objective the first time a cavalry or infantry company enters it, except in a Retreat
/// or Rout (17).
pub fn objective(t: &T, g: &mut State, u: UnitId) {
    let Some(at) = g.hex(u).filter(|_| matches!(g.class(u), Class::Cavalry | Class::Infantry) && !g.unit(u).routed)
    else {
        return;
    };
    let rows = [Vp::CrooksHill, Vp::ConicalHill, Vp::AndrewsPoint];
    for (i, row) in rows.into_iter().enumerate() {
        if g.charts.objectives[i] == at && !g.entered[i] {
            g.entered[i] = true;
            let points = g.c.vp(row);
            g.score(Side::Us, points, "17");
            t.tell(|| format!("{} {}: {}.", g.does(u, "enters"), row.name(), postrider_table::vps(points)));
        }
    }
}
