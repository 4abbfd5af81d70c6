//! Cavalry charges (16.A).

use super::{
    State, T,
    components::{Ground, Side, UnitId},
    state::{Mode, Phase},
};
use postrider_table::{Refusal, hex::Hex, refuse};

/// 16.A: a mounted company in good order declares a charge before it moves.
pub fn declare(g: &mut State, u: UnitId, id: &str) -> Result<(), Refusal> {
    let unit = g.unit(u);
    let charges = g.c.class(g.class(u)).charge && unit.mode == Mode::Mounted;
    if !charges || !unit.did.fresh || unit.did.spent > 0 || !unit.is_good() {
        return refuse(
            "16.A",
            format!("{} cannot charge: only mounted cavalry that began in good order and has not moved.", g.name(u)),
        );
    }
    let Some(target) = g.charts.grid.hex(id).filter(|&hex| g.holds(hex, Side::Indian)) else {
        return refuse("16.A", format!("No enemy unit is in {id}."));
    };
    if g.ground(target) != Ground::Clear {
        return refuse("16.A", format!("{id} is not Clear."));
    }
    g.unit_mut(u).did.charge = Some(target);
    Ok(())
}

/// 16.A: a charge goes over Clear hexes, no creek, at most one level up in all, nowhere three levels at once.
pub fn step(g: &State, u: UnitId, from: Hex, to: Hex) -> Result<(), Refusal> {
    if g.unit(u).did.charge.is_none() {
        return Ok(());
    }
    let steep = (g.charts.level[to] - g.charts.level[from]).abs() >= 3;
    if g.ground(to) != Ground::Clear || g.charts.between(from, to).is_some() || steep {
        return refuse("16.A", format!("A charge does not go into {}.", g.id(to)));
    }
    Ok(())
}

/// 16.A: at the end of its move a charge stands beside its target, one hex nearer at least, and has not climbed too far. Who has charged
/// before this order, as `begun` says, may also recover where he stands (7.E).
pub fn ends(g: &State, u: UnitId, way: &[Hex], begun: bool) -> Result<(), Refusal> {
    let Some(target) = g.unit(u).did.charge else { return Ok(()) };
    if begun && way.len() < 2 {
        return Ok(());
    }
    let grid = &g.charts.grid;
    let (Some(&start), Some(&end)) = (way.first(), way.last()) else { return Ok(()) };
    let level = |hex: Hex| g.charts.level[hex];
    let climbs: i32 = way.windows(2).map(|two| (level(two[1]) - level(two[0])).max(0)).sum();
    let last = (level(target) - level(end)).max(0);
    if way.len() < 2 || !grid.adjacent(end, target) || grid.distance(end, target) >= grid.distance(start, target) {
        return refuse("16.A", format!("A charge moves at least one hex toward {} and ends beside it.", g.id(target)));
    }
    if climbs + last > 1 || g.charts.between(end, target).is_some() || (level(target) - level(end)).abs() >= 3 {
        return refuse("16.A", "A charge climbs one level at most and crosses no creek.");
    }
    // 10.B: units of one hex attack one hex.
    let other = |o: &UnitId| *o != u && binds(g, *o).is_some_and(|at| at != target);
    match g.of_side(end, g.side(u)).find(other) {
        Some(o) => refuse("10.B", format!("{} of {} charges another hex.", g.name(o), g.id(end))),
        None => Ok(()),
    }
}

/// 16.A: the hex that a unit has to engage: the target of its charge, while enemies hold it and the unit stands beside it, fit to attack.
pub fn binds(g: &State, u: UnitId) -> Option<Hex> {
    let unit = g.unit(u);
    let fit = !unit.pinned
        && !unit.routed
        && !unit.did.fought
        && unit.did.advance.is_none_or(|at| unit.did.charge == Some(at));
    let beside =
        |&at: &Hex| unit.spot.hex().is_some_and(|from| g.charts.grid.adjacent(from, at) && !g.charts.cliff(from, at));
    unit.did.charge.filter(|&at| fit && g.holds(at, g.side(u).enemy())).filter(beside)
}

/// 16.A: charges of whose targets nothing is left are over, and in the Melee Phase those of units that cannot attack them.
pub fn lapse(t: &T, g: &mut State) {
    for u in g.on_map(g.phasing).collect::<Vec<_>>() {
        let Some(at) = g.unit(u).did.charge else { continue };
        let vain = match g.phase {
            Phase::Melee => binds(g, u).is_none(),
            _ => !g.holds(at, g.side(u).enemy()),
        };
        if vain {
            g.unit_mut(u).did.charge = None;
            t.tell(|| format!("The charge of {} at {} is over.", g.called(u), g.id(at)));
        }
    }
}
