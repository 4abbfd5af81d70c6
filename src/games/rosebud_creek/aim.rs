//! Fire ordered with a move (4.E), which waits for the Advance Fire Phase.

use super::{
    State, T,
    components::UnitId,
    fire::{Target, Volley},
    movement::Mover,
    state::Mode,
    volley::Fires,
};
use postrider_table::{Refusal, Whom, refuse};

/// Returns `true` if fire during a move is a Hit & Run attack (16.G). Under that option mounted
/// Indians cannot fire in any other way then.
pub fn runs(g: &State, who: &[Mover]) -> bool {
    let rider = |u: UnitId| g.unit(u).mode == Mode::Mounted && g.class(u) == super::components::Class::Warrior;
    g.variant.hit_and_run && who.iter().any(|mover| matches!(*mover, Mover::Unit(u) if rider(u)))
}

/// Checks that the units of a group could use Advance Fire at a target from their places at the end
/// of the move, and returns the target (4.E).
///
/// # Errors
/// A [`Refusal`] if a unit cannot fire in the Advance Fire Phase, or not at this target.
pub fn check(g: &State, who: &[Mover], at: &str) -> Result<UnitId, Refusal> {
    let units: Vec<UnitId> =
        who.iter().filter_map(|mover| if let Mover::Unit(u) = *mover { Some(u) } else { None }).collect();
    let Some(&first) = units.first() else { return refuse("9.A", "Leaders do not fire.") };
    let there = |o: &UnitId| g.side(*o) != g.side(first);
    let Some(target) = g.c.unit(at).filter(there) else {
        return refuse("9.A", format!("{at} is no enemy unit on the map."));
    };
    let fires = Fires::phase(g.side(first), Volley::Advance);
    for &u in &units {
        fires.may(g, u, Target::Unit(target), false)?;
    }
    Ok(target)
}

/// Records the target of a group.
pub fn take(t: &T, g: &mut State, who: &[Mover], at: &str) {
    let Some(target) = g.c.unit(at) else { return };
    for mover in who {
        let Mover::Unit(u) = *mover else { continue };
        if g.hex(u).is_none() {
            continue;
        }
        g.aims.retain(|aim| aim.0 != u);
        g.aims.push((u, target));
        // The target is hidden from the enemy until the fire is carried out.
        t.tell_to(Whom::Seat(g.seat(g.side(u))), || {
            format!("{} at {} for the Advance Fire Phase.", g.does(u, "aims"), Target::Unit(target).the(g))
        });
    }
}
