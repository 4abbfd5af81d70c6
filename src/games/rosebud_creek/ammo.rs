//! Ammunition (14).

use super::{
    Order, State, T,
    components::{Class, Num, Side, UnitId},
    fire::Volley,
    state::Mode,
};
use postrider_table::hex::Hex;

/// 14.D, option 2: whether boxes of this unit are counted.
pub fn counted(g: &State, u: UnitId) -> bool {
    g.variant.ammo_roster && g.class(u).has_boxes()
}

/// Halves of boxes that a unit has left (14.D).
pub fn left(g: &State, u: UnitId) -> u8 {
    (g.c[u].boxes * 2).saturating_sub(g.unit(u).used)
}

/// 14.D: `true` if the boxes left allow this fire.
pub fn allows(g: &State, u: UnitId, volley: Volley) -> bool {
    !counted(g, u) || left(g, u) >= volley.halves()
}

/// 14.D: a shot takes its boxes.
pub fn mark(g: &mut State, u: UnitId, volley: Volley) {
    if counted(g, u) {
        g.unit_mut(u).used += volley.halves();
    }
}

/// 14.B, 14.D: `true` if a US unit is weak in melee for want of ammunition.
pub fn is_low_in_melee(g: &State, u: UnitId) -> bool {
    if counted(g, u) { left(g, u) == 0 } else { g.unit(u).low_ammo && g.side(u) == Side::Us }
}

/// 14.A: dice of five before modifiers, then a die of 1 to 3: low on ammunition.
pub fn depletion(t: &T, g: &mut State, u: UnitId, natural: i64, volley: Volley) {
    let class = g.class(u);
    let exempt = class.is_holder() || class == Class::Train || counted(g, u) || g.unit(u).low_ammo;
    let spared = g.variant.first_shot_free && g.side(u) == Side::Us && !g.unit(u).has_fired;
    if natural != i64::from(g.c.n(Num::LowAmmoNatural)) || exempt || spared {
        return;
    }
    let die = t.roll("ammunition", 1, 6);
    let most = g.c.n(if volley == Volley::HitAndRun { Num::HitAndRunLowDie } else { Num::LowAmmoDie });
    let low = die <= i64::from(most);
    g.unit_mut(u).low_ammo = low;
    t.tell(|| format!("Ammunition of {}: {die}: {}.", g.called(u), if low { "low" } else { "enough" }));
}

/// Where a unit gets ammunition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// An Ammo Point, from saddle bags; the Holder beside it, or none for mounted units.
    Saddle(Option<UnitId>),
    Train(UnitId),
}

/// 14.C: whether a unit can be given ammunition in the Rally Phase, and where it stands.
fn wanting(g: &State, u: UnitId) -> Result<Hex, &'static str> {
    let unit = g.unit(u);
    let Some(hex) =
        unit.spot.hex().filter(|_| g.side(u) == Side::Us && !g.class(u).is_holder() && g.class(u) != Class::Train)
    else {
        return Err("only US units on the map are re-supplied");
    };
    let wants = if counted(g, u) { unit.used > 0 } else { unit.low_ammo };
    if !wants {
        return Err("it is not low on ammunition");
    }
    let gave = unit.did.halted && counted(g, u);
    if unit.routed || unit.pinned || unit.did.resupply || gave {
        return Err("a unit that is Routed, Pinned or busy is not re-supplied");
    }
    Ok(hex)
}

/// `true` if a unit is in a hex or beside it.
fn is_beside(g: &State, h: UnitId, hex: Hex) -> bool {
    g.hex(h).is_some_and(|at| g.charts.grid.distance(at, hex) <= 1)
}

/// 14.C: the Pack Trains that can give ammunition to who stands in a hex.
fn trains(g: &State, hex: Hex) -> impl Iterator<Item = UnitId> + '_ {
    g.on_map(Side::Us).filter(move |&h| {
        let train = g.unit(h);
        let sound = !train.pinned && !train.routed && !train.abandoned && train.ammo > 0;
        g.class(h) == Class::Train && is_beside(g, h, hex) && sound
    })
}

/// 14.C: an Ammo Point for a unit, from its saddle bags.
fn saddle(g: &State, u: UnitId, hex: Hex) -> Result<Source, &'static str> {
    if counted(g, u) {
        return Err("boxes come from a Pack Train or another unit");
    }
    if g.ammo_points == 0 {
        return Err("no Ammo Point is left");
    }
    // 12.E.3: the Column HQ, too, unless it is marked Dismounted or Prone.
    if g.unit(u).mode == Mode::Mounted {
        return Ok(Source::Saddle(None));
    }
    let kind = super::mode::holders(g.class(u));
    let serves = |&h: &UnitId| {
        let holder = g.unit(h);
        Some(g.class(h)) == kind
            && is_beside(g, h, hex)
            && !holder.mountless
            && !holder.routed
            && !holder.pinned
            && !holder.did.resupply
    };
    let own = g.charts.helper[u.index()];
    let holder = g.on_map(Side::Us).filter(serves).min_by_key(|&h| (Some(h) != own, h));
    holder.map(|h| Source::Saddle(Some(h))).ok_or("it is neither mounted nor beside its Holder and horses")
}

/// 14.C: the source of ammunition for a unit in the Rally Phase, or why there is none: a train before an Ammo Point, of which there are
/// few.
pub fn source(g: &State, u: UnitId) -> Result<Source, &'static str> {
    let hex = wanting(g, u)?;
    trains(g, hex).next().map_or_else(|| saddle(g, u, hex), |train| Ok(Source::Train(train)))
}

/// The same as an order says it.
pub fn source_from(g: &State, u: UnitId, from: &str) -> Result<Source, &'static str> {
    let hex = wanting(g, u)?;
    match from {
        "" => source(g, u),
        Order::OWN => saddle(g, u, hex),
        name => {
            let meant = |&train: &UnitId| name == Order::TRAIN || g.c.unit(name) == Some(train);
            let train = trains(g, hex).find(meant).map(Source::Train);
            train.ok_or("no such Pack Train beside it can give ammunition")
        }
    }
}

/// 14.C: a unit spends its MPs on ammunition, and so does its Holder or the train; the marker goes at the end of movement.
pub fn resupply(t: &T, g: &mut State, u: UnitId, source: Source) {
    let also = match source {
        Source::Saddle(holder) => {
            g.ammo_points -= 1;
            holder
        }
        Source::Train(train) => {
            let boxes = if counted(g, u) { g.unit(u).used.div_ceil(2).min(g.unit(train).ammo) } else { 1 };
            g.unit_mut(train).ammo -= boxes;
            if counted(g, u) {
                let used = &mut g.unit_mut(u).used;
                *used = used.saturating_sub(boxes * 2);
            }
            // The train gives to any number of units; it does not move.
            g.unit_mut(train).did.halted = true;
            None
        }
    };
    for one in [Some(u), also].into_iter().flatten() {
        let did = &mut g.unit_mut(one).did;
        (did.resupply, did.halted) = (true, true);
    }
    t.tell(|| format!("{} re-supplies.", g.called(u)));
}

/// 14.G: takes boxes from one unit to another beside it; both spend all MPs.
pub fn cross_level(t: &T, g: &mut State, from: UnitId, to: UnitId, boxes: u8) {
    g.unit_mut(from).used += boxes * 2;
    let used = &mut g.unit_mut(to).used;
    *used = used.saturating_sub(boxes * 2);
    // The giver may give to others too, like a train.
    g.unit_mut(to).did.resupply = true;
    for one in [from, to] {
        g.unit_mut(one).did.halted = true;
    }
    t.tell(|| format!("{} gives {} {boxes} boxes.", g.called(from), g.called(to)));
}

/// 14.G: whether it can.
pub fn may_cross_level(g: &State, from: UnitId, to: UnitId, boxes: u8) -> Result<(), &'static str> {
    let (giver, taker) = (g.unit(from), g.unit(to));
    if !counted(g, from) || !counted(g, to) || from == to {
        return Err("boxes are counted only with the ammo roster");
    }
    let near = giver.spot.hex().zip(taker.spot.hex()).is_some_and(|(a, b)| g.charts.grid.distance(a, b) <= 1);
    let sound = |u: UnitId| !g.unit(u).routed && !g.unit(u).pinned && !g.unit(u).did.resupply;
    // A unit that has given something is given nothing.
    if !near || !sound(from) || !sound(to) || taker.did.halted {
        return Err("both stand together or side by side, neither Routed nor Pinned nor busy");
    }
    if boxes == 0 || left(g, from) < boxes * 2 || taker.used < boxes * 2 {
        return Err("a unit gives what it has, and none takes more than its roster holds");
    }
    Ok(())
}

/// 14.C: at the end of the Movement Phase the markers of those who re-supplied go.
pub fn settle(t: &T, g: &mut State) {
    for u in g.c.unit_ids().filter(|&u| g.unit(u).did.resupply && g.unit(u).low_ammo).collect::<Vec<_>>() {
        g.unit_mut(u).low_ammo = false;
        t.tell(|| format!("{} is no longer low on ammunition.", g.called(u)));
    }
}

/// 15.C, 14.F: each Casualty Point of a train costs ammunition.
pub fn train_hit(t: &T, g: &mut State, train: UnitId, points: u8) {
    let each = if g.variant.ammo_roster { g.c.n(Num::TrainBoxesLost) } else { 1 };
    // A few points of a few each.
    let lost = points * each as u8;
    let ammo = &mut g.unit_mut(train).ammo;
    *ammo = ammo.saturating_sub(lost);
    t.tell(|| format!("{} has ammunition for {} left.", g.called(train), g.unit(train).ammo));
}

/// 14.B, 14.G: `true` if a unit counts as low on ammunition at the end of the game.
pub fn low_at_end(g: &State, u: UnitId) -> bool {
    if g.side(u) != Side::Us || g.hex(u).is_none() {
        return false;
    }
    if counted(g, u) { i32::from(left(g, u)) <= 2 * g.c.n(Num::LowBoxes) } else { g.unit(u).low_ammo }
}
