//! Fire ordered with a move (4.E), which waits for the Advance Fire Phase.

use super::{
    State, T, charge,
    components::UnitId,
    fire::{self, Target},
    movement::Mover,
    state::Mode,
};
use postrider_table::{Refusal, Whom, refuse};

/// Returns `true` if fire during a move is a Hit & Run attack (16.G). Under that option mounted
/// Indians cannot fire in any other way then.
pub fn runs(g: &State, who: &[Mover]) -> bool {
    let rider = |u: UnitId| g.unit(u).mode == Mode::Mounted && g.class(u) == super::components::Class::Warrior;
    g.variant.hit_and_run && who.iter().any(|mover| matches!(*mover, Mover::Unit(u) if rider(u)))
}

/// Returns the units of a group that will fire, and their target, from their places at the end of
/// the move.
///
/// # Errors
/// A [`Refusal`] if a unit cannot fire in the Advance Fire Phase, or not at this target.
pub fn check(g: &State, who: &[Mover], at: &str) -> Result<(Vec<UnitId>, UnitId), Refusal> {
    let units: Vec<UnitId> =
        who.iter().filter_map(|mover| if let Mover::Unit(u) = *mover { Some(u) } else { None }).collect();
    let Some(&first) = units.first() else { return refuse("9.A", "Leaders do not fire.") };
    let there = |o: &UnitId| g.side(*o) != g.side(first);
    let Some((target, to)) = g.c.unit(at).filter(there).and_then(|o| Some((o, g.hex(o)?))) else {
        return refuse("9.A", format!("{at} is no enemy unit on the map."));
    };
    for &u in &units {
        let name = g.name(u);
        if !fire::is_armed(g, u) {
            return refuse("9.A", format!("{name} does not fire."));
        }
        if g.unit(u).did.fired.is_some() {
            return refuse("4.E", format!("{name} has used Offensive Fire and does not use Advance Fire."));
        }
        if charge::binds(g, u).is_some_and(|hex| hex != to) {
            return refuse("16.A", format!("{name} charges another hex and fires at no other."));
        }
        if !fire::bears(g, u, to) {
            let why = format!(
                "{name} would not reach {at} in the Advance Fire Phase: too far, mounted, or no line of sight."
            );
            return refuse("4.E", why);
        }
    }
    Ok((units, target))
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
