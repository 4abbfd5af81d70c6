//! Unit Modes (8): mounting, dismounting, Holders.

use super::{
    State, T,
    components::{Class, UnitId},
    horses, leaders,
    state::{Mode, Spot, Unit},
};
use postrider_table::hex::Hex;

/// Returns the class of Holders for a class of units (8.D.2, 8.D.3); Scouts need none.
pub fn holders(class: Class) -> Option<Class> {
    match class {
        Class::Cavalry => Some(Class::HorseHolder),
        Class::Infantry | Class::Miners => Some(Class::MuleHolder),
        Class::Hq => Some(Class::HqHolder),
        Class::Warrior => Some(Class::PonyHolder),
        _ => None,
    }
}

/// Returns `true` if units of a class can be mounted.
pub fn rides(class: Class) -> bool {
    !class.walks()
}

/// Returns `true` if a Holder has mounts for a unit: of its kind, neither lost (16.B) nor busy with
/// ammunition (14.C).
pub fn serves(g: &State, h: UnitId, u: UnitId) -> bool {
    let holder = g.unit(h);
    let kept = !holder.mountless && !holder.routed && !holder.pinned && !holder.did.resupply;
    kept && holders(g.class(u)) == Some(g.class(h))
}

/// Returns the Holder in a hex with which a unit can mount: the one that has spent the fewest MPs,
/// and of these its own (8.D.2.b).
pub fn mounts(g: &State, u: UnitId, hex: Hex) -> Option<UnitId> {
    let own = g.charts.helper[u.index()];
    let here = g.of_side(hex, g.side(u)).filter(|&h| serves(g, h, u));
    here.min_by_key(|&h| (g.unit(h).did.spent, Some(h) != own, h))
}

/// Returns `true` if a unit on foot has mounts anywhere on the map.
pub fn has_mounts(g: &State, u: UnitId) -> bool {
    let on_foot = rides(g.class(u)) && g.unit(u).mode != Mode::Mounted;
    on_foot && g.on_map(g.side(u)).filter_map(|h| g.hex(h)).any(|hex| can_mount(g, u, hex))
}

/// Returns `true` if a unit can mount in a hex.
pub fn can_mount(g: &State, u: UnitId, hex: Hex) -> bool {
    rides(g.class(u)) && (holders(g.class(u)).is_none() || mounts(g, u, hex).is_some())
}

/// Mounts a unit in its hex, without spending MPs (8.D.2.b). Returns `false` if it cannot. Its Holder
/// keeps the record of its activities for the case that it is put down again (4.E, 7.C).
pub fn mount(g: &mut State, u: UnitId) -> bool {
    let Some(hex) = g.hex(u) else { return false };
    if g.unit(u).mode == Mode::Mounted || !can_mount(g, u, hex) {
        return false;
    }
    if let Some(h) = mounts(g, u, hex) {
        g.put(h, Spot::Pool);
        *g.unit_mut(h) = Unit { did: g.unit(h).did, ..Unit::new() };
    }
    g.unit_mut(u).mode = Mode::Mounted;
    g.leave_works(u);
    leaders::settle(g, hex);
    true
}

/// Dismounts a unit in its hex and deploys its Holder (8.D.2.a). A unit with one point left
/// abandons its horses instead, and keeps the point.
pub fn dismount(t: &T, g: &mut State, u: UnitId) {
    if g.unit(u).mode != Mode::Mounted {
        return;
    }
    let kept = put_down(g, u);
    // 16.A: only mounted units charge.
    g.unit_mut(u).did.charge = None;
    t.tell(|| format!("{}{}.", g.does(u, "dismounts"), if kept { "" } else { "; the mounts are let go" }));
    if !kept {
        horses::captured(t, g, u);
    }
}

/// Makes a Prone unit get up after melee, or when it has to move (8.C).
pub fn rise(t: &T, g: &mut State, u: UnitId) {
    if g.unit(u).mode == Mode::Prone {
        g.unit_mut(u).mode = Mode::Dismounted;
        t.tell(|| format!("{} no longer Prone.", g.does(u, "is")));
    }
}

/// Dismounts a unit without telling and without the die for lost horses. Returns `true` if it keeps
/// its mounts.
pub fn put_down(g: &mut State, u: UnitId) -> bool {
    let Some(hex) = g.hex(u) else { return true };
    if g.unit(u).mode != Mode::Mounted {
        return true;
    }
    let spent = g.cf_as(u, Mode::Dismounted) == 0;
    g.unit_mut(u).mode = Mode::Dismounted;
    let Some(kind) = holders(g.class(u)) else { return true };
    let own = g.charts.helper[u.index()].filter(|&h| g.unit(h).spot == Spot::Pool);
    let free = own.or_else(|| g.c.unit_ids().find(|&h| g.class(h) == kind && g.unit(h).spot == Spot::Pool));
    match free.filter(|_| !spent) {
        Some(h) => {
            g.put(h, Spot::On(hex));
            let did = &mut g.unit_mut(h).did;
            (did.from, did.fresh) = (Some(hex), true);
            true
        }
        None => {
            let lost = &mut g.unit_mut(u).losses;
            *lost = lost.saturating_sub(1);
            false
        }
    }
}
