//! Unit Modes (8): mounting, dismounting, Holders.

use super::{
    State, T,
    components::{Class, UnitId},
    horses, leaders,
    state::{Doings, Mode, Spot},
};
use postrider_table::hex::Hex;

/// The Holders that serve a class (8.D.2, 8.D.3); Scouts need none.
pub fn holders(class: Class) -> Option<Class> {
    match class {
        Class::Cavalry => Some(Class::HorseHolder),
        Class::Infantry | Class::Miners => Some(Class::MuleHolder),
        Class::Hq => Some(Class::HqHolder),
        Class::Warrior => Some(Class::PonyHolder),
        _ => None,
    }
}

/// `true` if a unit of a class can ride at all.
pub fn rides(class: Class) -> bool {
    !class.walks()
}

/// 8.D.2.b: the Holder in a hex that a unit can mount with: its own first.
pub fn mounts(g: &State, u: UnitId, hex: Hex) -> Option<UnitId> {
    let kind = holders(g.class(u))?;
    let fit = |&h: &UnitId| {
        let holder = g.unit(h);
        g.class(h) == kind && !holder.mountless && !holder.routed && !holder.pinned && !holder.did.resupply
    };
    let own = g.charts.helper[u.index()];
    g.of_side(hex, g.side(u)).filter(fit).min_by_key(|&h| (Some(h) != own, h))
}

/// `true` if a unit on foot has mounts on the map, where it is or elsewhere.
pub fn has_mounts(g: &State, u: UnitId) -> bool {
    let on_foot = rides(g.class(u)) && g.unit(u).mode != Mode::Mounted;
    on_foot && g.on_map(g.side(u)).filter_map(|h| g.hex(h)).any(|hex| can_mount(g, u, hex))
}

/// `true` if a unit can mount in a hex.
pub fn can_mount(g: &State, u: UnitId, hex: Hex) -> bool {
    rides(g.class(u)) && (holders(g.class(u)).is_none() || mounts(g, u, hex).is_some())
}

/// 8.D.2.b: a unit mounts where it stands; gives whether it could. MPs are the mover's business.
pub fn mount(g: &mut State, u: UnitId) -> bool {
    let Some(hex) = g.hex(u) else { return false };
    if g.unit(u).mode == Mode::Mounted || !can_mount(g, u, hex) {
        return false;
    }
    if let Some(h) = mounts(g, u, hex) {
        g.put(h, Spot::Pool);
        *g.unit_mut(h) = super::state::Unit::new();
    }
    g.unit_mut(u).mode = Mode::Mounted;
    g.leave_works(u);
    leaders::settle(g, hex);
    true
}

/// 8.D.2.a: a unit dismounts where it stands. A Holder is put down; who has one point left lets the horses go and keeps it.
pub fn dismount(t: &T, g: &mut State, u: UnitId) {
    if g.unit(u).mode != Mode::Mounted {
        return;
    }
    let kept = put_down(g, u);
    // 16.A: nobody charges on foot.
    g.unit_mut(u).did.charge = None;
    t.tell(|| format!("{} dismounts{}.", g.called(u), if kept { "" } else { " and lets its mounts go" }));
    if !kept {
        horses::captured(t, g, u);
    }
}

/// 8.C: a Prone unit that fought or has to go gets up.
pub fn rise(t: &T, g: &mut State, u: UnitId) {
    if g.unit(u).mode == Mode::Prone {
        g.unit_mut(u).mode = Mode::Dismounted;
        t.tell(|| format!("{} is no longer Prone.", g.called(u)));
    }
}

/// The same without a word and without the die for lost horses; gives whether the mounts are kept.
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
            g.unit_mut(h).did = Doings { from: Some(hex), fresh: true, ..Doings::default() };
            true
        }
        None => {
            let lost = &mut g.unit_mut(u).losses;
            *lost = lost.saturating_sub(1);
            false
        }
    }
}
