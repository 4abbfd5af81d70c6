//! Pack Trains and their Personnel (15).

use super::{
    State, T,
    components::{Class, Num, Side, UnitId, Vp},
    state::{Mode, Spot, Unit},
};
use postrider_table::hex::Hex;

/// Returns the train of Personnel, or the Personnel of a train.
pub fn other(g: &State, u: UnitId) -> Option<UnitId> {
    match g.class(u) {
        Class::Train => g.charts.helper[u.index()],
        Class::Personnel => g.c.unit(&g.c[u].of),
        _ => None,
    }
}

/// Abandons a Routed train, which stays in its hex (15.B). Returns its Personnel, who flee.
pub fn abandon(t: &T, g: &mut State, train: UnitId) -> Option<UnitId> {
    if g.unit(train).abandoned {
        return None;
    }
    let personnel = leave(g, train)?;
    t.tell(|| format!("{} is abandoned.", g.called(train)));
    Some(personnel)
}

/// Places the Personnel of a train in its hex, and marks the train as abandoned.
pub fn leave(g: &mut State, train: UnitId) -> Option<UnitId> {
    let (hex, personnel) = (g.hex(train)?, other(g, train)?);
    let losses = g.unit(train).losses;
    let unit = g.unit_mut(train);
    (unit.abandoned, unit.routed, unit.pinned, unit.disrupted) = (true, false, false, false);
    *g.unit_mut(personnel) = Unit { losses, mode: Mode::Dismounted, ..Unit::new() };
    g.put(personnel, Spot::On(hex));
    for l in super::leaders::attached(g, train).collect::<Vec<_>>() {
        g.chief_mut(l).with = Some(personnel);
    }
    Some(personnel)
}

/// Scores the loss of a train and its ammunition (15.D).
pub fn lost(t: &T, g: &mut State, train: UnitId) {
    let each = if g.variant.ammo_roster { 10 } else { 1 };
    let points = g.c.vp(Vp::Train) + g.c.vp(Vp::TrainAmmo) * i32::from(g.unit(train).ammo / each);
    t.tell(|| format!("{} is lost: {}.", g.called(train), postrider_table::vps(points)));
    g.score(Side::Indian, points, "15.D");
}

/// Eliminates abandoned trains with warriors in their hexes, in the Indian Rally Phase (15.B).
pub fn plunder(t: &T, g: &mut State) {
    for train in g.on_map(Side::Us).filter(|&u| g.unit(u).abandoned).collect::<Vec<_>>() {
        let Some(hex) = g.hex(train) else { continue };
        if g.of_side(hex, Side::Indian).any(|u| g.class(u) == Class::Warrior) {
            lost(t, g, train);
            g.unit_mut(train).abandoned = false;
            super::fire::remove(g, train, Spot::Dead);
        }
    }
}

/// Returns the abandoned train in a hex that Personnel rejoin if they are there, by a move or a
/// Retreat, and neither Routed nor Pinned (15.B).
pub fn home(g: &State, personnel: UnitId, hex: Hex) -> Option<UnitId> {
    let unit = g.unit(personnel);
    let fit = g.class(personnel) == Class::Personnel && !unit.routed && !unit.pinned;
    other(g, personnel).filter(|&train| fit && g.unit(train).abandoned && g.hex(train) == Some(hex))
}

/// Returns Personnel to the abandoned train in their hex; the lower of both strengths remains
/// (15.B). Returns the train, or the unit itself if it does not rejoin.
pub fn rejoin(t: &T, g: &mut State, personnel: UnitId) -> UnitId {
    let Some(train) = g.hex(personnel).and_then(|hex| home(g, personnel, hex)) else { return personnel };
    let (theirs, its) = (g.unit(personnel).losses, g.unit(train).losses);
    if theirs > its {
        super::ammo::train_hit(t, g, train, theirs - its);
    }
    g.unit_mut(train).losses = theirs.max(its);
    man(g, train);
    t.tell(|| format!("{} is manned again.", g.called(train)));
    train
}

/// Mans a train with its Personnel, who are no longer a separate unit; what they have done in this
/// Player Turn, the train has (4.E, 7.C).
pub fn man(g: &mut State, train: UnitId) {
    let Some(personnel) = other(g, train) else { return };
    (g.unit_mut(train).abandoned, g.unit_mut(train).did) = (false, g.unit(personnel).did);
    for l in super::leaders::attached(g, personnel).collect::<Vec<_>>() {
        g.chief_mut(l).with = Some(train);
    }
    g.put(personnel, Spot::Pool);
    *g.unit_mut(personnel) = Unit::new();
}

/// Checks that Personnel can give points to a cavalry or infantry unit with losses, in their hex or
/// within two hexes if they have not moved, after their train is gone (15.B). Only the unit that
/// receives them must not be Pinned.
pub fn may_give(g: &State, from: UnitId, to: UnitId, points: u8) -> Result<(), &'static str> {
    let (giver, taker) = (g.unit(from), g.unit(to));
    let (Some(a), Some(b)) = (giver.spot.hex(), taker.spot.hex()) else { return Err("both must be on the map") };
    if g.class(from) != Class::Personnel || !matches!(g.class(to), Class::Cavalry | Class::Infantry) {
        return Err("Personnel give points to cavalry and infantry");
    }
    if other(g, from).is_some_and(|train| g.hex(train).is_some()) {
        return Err("as long as their train is there, they belong to it");
    }
    // They may move to the unit, or stay and transfer points over up to two hexes.
    let moved = giver.did.spent > 0 && a != b;
    if giver.routed || moved || taker.routed || taker.pinned {
        return Err("neither may be Routed, who receives not Pinned, and who gives must not have moved");
    }
    if g.charts.grid.distance(a, b) > g.c.steps(Num::ReplaceWithin) || !is_clear(g, from, to) {
        return Err("the unit is within two hexes, the way free of enemy ZOCs and cliffs");
    }
    if points == 0 || points > taker.losses || points > g.cf(from) {
        return Err("no more points than it has lost, or than there are");
    }
    if a != b && g.stacked(b) + u32::from(points) > g.c.steps(Num::Stacking).into() {
        return Err("the hex has no room for them");
    }
    Ok(())
}

/// Returns `true` if a path of at most two hexes avoids cliffs, enemies and enemy ZOCs.
fn is_clear(g: &State, from: UnitId, to: UnitId) -> bool {
    let (Some(a), Some(b)) = (g.hex(from), g.hex(to)) else { return false };
    let grid = &g.charts.grid;
    let free = |x, y| !g.charts.cliff(x, y) && !super::zoc::reaches(g, y, Side::Indian);
    match grid.distance(a, b) {
        0 => true,
        1 => free(a, b),
        _ => grid.neighbours(a).any(|mid| grid.adjacent(mid, b) && free(a, mid) && free(mid, b)),
    }
}

/// Replaces losses by points of Personnel, for 0 MPs (15.B).
pub async fn give(t: &T, g: &mut State, from: UnitId, to: UnitId, points: u8) {
    g.unit_mut(to).losses -= points;
    t.tell(|| format!("{} gives {points} to {}.", g.called(from), g.the(to)));
    if points >= g.cf(from) {
        super::fire::remove(g, from, Spot::Dead);
        super::leaders::bereft(t, g, from, false).await;
    } else {
        g.unit_mut(from).losses += points;
        g.unit_mut(from).did.halted = true;
    }
}
