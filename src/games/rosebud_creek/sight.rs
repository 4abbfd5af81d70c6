//! Line of sight (9.C).

use super::{State, state::Mode};
use postrider_table::hex::Hex;

/// Returns `true` if a unit in one hex has a line of sight to another. The end hexes never block,
/// and adjacent hexes need no line.
pub fn sees(g: &State, from: Hex, to: Hex) -> bool {
    let charts = &g.charts;
    if charts.grid.distance(from, to) <= 1 {
        return true;
    }
    charts.grid.sees(from, to, |_, into| into == to || !blocks(g, from, to, into))
}

/// Returns `true` if a hex blocks the line of sight (9.C): woods, terrain higher than both ends, or
/// a unit with more than one point that is neither Prone nor behind Breastworks. The unit does not
/// block if the firer is above it, or if the target is above both and the firer not below it.
fn blocks(g: &State, from: Hex, to: Hex, at: Hex) -> bool {
    let level = &g.charts.level;
    let (firer, target, here) = (level[from], level[to], level[at]);
    if g.c.terrains[g.ground(at).index()].blocks || here > firer && here > target {
        return true;
    }
    let above = firer > here || target > firer && target > here && firer >= here;
    !above && g.here(at).any(|u| g.cf(u) > 1 && g.posture(u) != Mode::Prone)
}
