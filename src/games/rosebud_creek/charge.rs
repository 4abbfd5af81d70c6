//! Cavalry Charges (16.A).

use super::{
    State, T,
    components::{Ground, Side, UnitId},
    state::{Mode, Phase},
};
use postrider_table::{Refusal, hex::Hex, refuse};

/// Declares the charge of a mounted company in good order, before it moves (16.A).
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
    let did = &mut g.unit_mut(u).did;
    (did.charge, did.climbed) = (Some(target), 0);
    Ok(())
}

/// Checks a step of a charge: it enters Clear hexes only, crosses no creek, and never changes three
/// levels at once (16.A).
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

/// Counts the levels of a step of a charge that lead uphill (16.A).
pub fn climb(g: &mut State, u: UnitId, from: Hex, to: Hex) {
    if g.unit(u).did.charge.is_some() {
        g.unit_mut(u).did.climbed += (g.charts.level[to] - g.charts.level[from]).max(0);
    }
}

/// Checks the end of a charge move: adjacent to the target, at least one hex closer, and not more
/// than one level uphill in all, also over several orders (16.A). With `begun`, a unit that charged
/// in an earlier order may also recover without moving (7.E).
pub fn ends(g: &State, u: UnitId, way: &[Hex], begun: bool) -> Result<(), Refusal> {
    let Some(target) = g.unit(u).did.charge else { return Ok(()) };
    if begun && way.len() < 2 {
        return Ok(());
    }
    let grid = &g.charts.grid;
    let (Some(&start), Some(&end)) = (way.first(), way.last()) else { return Ok(()) };
    let level = |hex: Hex| g.charts.level[hex];
    let last = (level(target) - level(end)).max(0);
    if way.len() < 2 || !grid.adjacent(end, target) || grid.distance(end, target) >= grid.distance(start, target) {
        return refuse("16.A", format!("A charge moves at least one hex toward {} and ends beside it.", g.id(target)));
    }
    if g.unit(u).did.climbed + last > 1
        || g.charts.between(end, target).is_some()
        || (level(target) - level(end)).abs() >= 3
    {
        return refuse("16.A", "A charge climbs one level at most and crosses no creek.");
    }
    // 10.B: units in one hex must attack the same hex.
    let other = |o: &UnitId| *o != u && binds(g, *o).is_some_and(|at| at != target);
    match g.of_side(end, g.side(u)).find(other) {
        Some(o) => refuse("10.B", format!("{} of {} charges another hex.", g.name(o), g.id(end))),
        None => Ok(()),
    }
}

/// Returns the hex that a unit must attack: the target of its charge, while enemies hold it and the
/// unit is adjacent and able to attack (16.A).
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

/// Ends charges whose target is empty, and in the Melee Phase also those of units that cannot
/// attack it (16.A).
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
