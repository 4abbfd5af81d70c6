//! Ammunition (14).

use super::{
    Order, State, T,
    components::{Class, Num, Side, UnitId},
    eagle,
    fire::Volley,
    mode,
    movement::Mover,
    state::Mode,
};
use postrider_table::hex::Hex;

/// Returns `true` if ammo boxes are counted for a unit (14.D, option 2).
pub fn counted(g: &State, u: UnitId) -> bool {
    g.variant.ammo_roster && g.class(u).has_boxes()
}

/// Returns the number of half boxes that a unit has left (14.D).
pub fn left(g: &State, u: UnitId) -> u8 {
    (g.c[u].boxes * 2).saturating_sub(g.unit(u).used)
}

/// Returns `true` if the boxes left allow this fire (14.D).
pub fn allows(g: &State, u: UnitId, volley: Volley) -> bool {
    !counted(g, u) || left(g, u) >= volley.halves()
}

/// Marks the boxes used by a shot (14.D).
pub fn mark(g: &mut State, u: UnitId, volley: Volley) {
    if counted(g, u) {
        g.unit_mut(u).used += volley.halves();
    }
}

/// Returns `true` if a US unit is weak in melee because of low ammunition (14.B, 14.D).
pub fn is_low_in_melee(g: &State, u: UnitId) -> bool {
    if counted(g, u) { left(g, u) == 0 } else { g.unit(u).low_ammo && g.side(u) == Side::Us }
}

/// Checks for ammunition depletion: on natural dice of five, a die of 1 to 3 makes the unit low on
/// ammunition (14.A).
pub fn depletion(t: &T, g: &mut State, u: UnitId, natural: i64, volley: Volley) {
    let class = g.class(u);
    let exempt = class.is_holder() || class == Class::Train || counted(g, u) || g.unit(u).low_ammo;
    let spared = g.variant.first_shot_free && g.side(u) == Side::Us && !g.unit(u).has_fired;
    if natural != i64::from(g.c.n(Num::LowAmmoNatural)) || exempt || spared {
        return;
    }
    let die = t.d6("ammunition");
    let most = g.c.n(if volley == Volley::HitAndRun { Num::HitAndRunLowDie } else { Num::LowAmmoDie });
    let low = die <= i64::from(most);
    g.unit_mut(u).low_ammo = low;
    t.tell(|| format!("Ammunition of {}: {die}: {}.", g.the(u), if low { "low" } else { "enough" }));
}

/// A source of ammunition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// An Ammo Point from saddle bags, with the Holder that takes part; `None` for mounted units.
    Saddle(Option<UnitId>),
    Train(UnitId),
}

/// Returns the hex of a unit if it can be re-supplied in the Rally Phase (14.C).
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
    // 16.D: a company that has to go back to the Eagle's Nest is busy with that.
    if unit.routed || unit.pinned || unit.did.halted || eagle::is_due(g, Mover::Unit(u)) {
        return Err("a unit that is Routed, Pinned or busy is not re-supplied");
    }
    Ok(hex)
}

/// Returns `true` if a unit is in a hex or adjacent to it.
fn is_beside(g: &State, h: UnitId, hex: Hex) -> bool {
    g.hex(h).is_some_and(|at| g.charts.grid.distance(at, hex) <= 1)
}

/// Returns the Pack Trains that can re-supply units in a hex (14.C).
fn trains(g: &State, hex: Hex) -> impl Iterator<Item = UnitId> + '_ {
    g.on_map(Side::Us).filter(move |&h| {
        let train = g.unit(h);
        let sound = !train.pinned && !train.routed && !train.abandoned && train.ammo > 0;
        g.class(h) == Class::Train && is_beside(g, h, hex) && sound
    })
}

/// Returns the saddle bags as a source for a unit, at the cost of an Ammo Point (14.C).
fn saddle(g: &State, u: UnitId, hex: Hex) -> Result<Source, &'static str> {
    if counted(g, u) {
        return Err("boxes come from a Pack Train or another unit");
    }
    if g.ammo_points == 0 {
        return Err("no Ammo Point is left");
    }
    // 12.E.3: including the Column HQ, unless it is marked Dismounted or Prone.
    if g.unit(u).mode == Mode::Mounted {
        return Ok(Source::Saddle(None));
    }
    let own = g.charts.helper[u.index()];
    let near = g.on_map(Side::Us).filter(|&h| is_beside(g, h, hex) && mode::serves(g, h, u));
    let holder = near.min_by_key(|&h| (Some(h) != own, h));
    holder.map(|h| Source::Saddle(Some(h))).ok_or("it is neither mounted nor beside its Holder and horses")
}

/// Returns the source of ammunition for a unit in the Rally Phase, or the reason why there is none
/// (14.C). A train is preferred to the scarce Ammo Points.
pub fn source(g: &State, u: UnitId) -> Result<Source, &'static str> {
    let hex = wanting(g, u)?;
    trains(g, hex).next().map_or_else(|| saddle(g, u, hex), |train| Ok(Source::Train(train)))
}

/// Returns the source that an order names for a unit, or the reason why it cannot be used.
fn source_from(g: &State, u: UnitId, from: &str) -> Result<Source, &'static str> {
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

/// Returns the source of a re-supply and the amount taken, or the reason why an order for it is
/// refused (14.C): one point, or the boxes that it names, by default all that are missing (14.F).
pub fn supply(g: &State, u: UnitId, from: &str, boxes: Option<u8>) -> Result<(Source, u8), &'static str> {
    let source = source_from(g, u, from)?;
    let (Source::Train(train), true) = (source, counted(g, u)) else {
        return if boxes.is_none() { Ok((source, 1)) } else { Err("boxes are counted only with the ammo roster") };
    };
    let most = g.unit(u).used.div_ceil(2).min(g.unit(train).ammo);
    match boxes.unwrap_or(most) {
        boxes if (1..=most).contains(&boxes) => Ok((source, boxes)),
        _ => Err("a unit takes at least one box, and no more than it lacks or the train has"),
    }
}

/// Re-supplies a unit with an amount (14.C, 14.F). The unit and its Holder or the train spend all
/// their MPs; the Low Ammo marker is removed at the end of movement.
pub fn resupply(t: &T, g: &mut State, u: UnitId, (source, amount): (Source, u8)) {
    let also = match source {
        Source::Saddle(holder) => {
            g.ammo_points -= amount;
            holder
        }
        Source::Train(train) => {
            g.unit_mut(train).ammo -= amount;
            if counted(g, u) {
                let used = &mut g.unit_mut(u).used;
                *used = used.saturating_sub(amount * 2);
            }
            // The train may supply any number of units, but cannot move.
            g.unit_mut(train).did.halted = true;
            None
        }
    };
    for one in [Some(u), also].into_iter().flatten() {
        let did = &mut g.unit_mut(one).did;
        (did.resupply, did.halted) = (true, true);
    }
    t.tell(|| format!("{}.", g.does(u, "re-supplies")));
}

/// Transfers boxes between adjacent or stacked units, which both spend all MPs (14.G).
pub fn cross_level(t: &T, g: &mut State, from: UnitId, to: UnitId, boxes: u8) {
    g.unit_mut(from).used += boxes * 2;
    let used = &mut g.unit_mut(to).used;
    *used = used.saturating_sub(boxes * 2);
    // The giver may also give to other units, like a train.
    g.unit_mut(to).did.resupply = true;
    for one in [from, to] {
        g.unit_mut(one).did.halted = true;
    }
    t.tell(|| format!("{} {} {boxes} boxes.", g.does(from, "gives"), g.the(to)));
}

/// Checks that a transfer of boxes is possible (14.G).
pub fn may_cross_level(g: &State, from: UnitId, to: UnitId, boxes: u8) -> Result<(), &'static str> {
    let (giver, taker) = (g.unit(from), g.unit(to));
    if !counted(g, from) || !counted(g, to) || from == to {
        return Err("boxes are counted only with the ammo roster");
    }
    let near = giver.spot.hex().zip(taker.spot.hex()).is_some_and(|(a, b)| g.charts.grid.distance(a, b) <= 1);
    let sound = |u: UnitId| !g.unit(u).routed && !g.unit(u).pinned && !g.unit(u).did.resupply;
    // A unit that has given boxes cannot receive any.
    if !near || !sound(from) || !sound(to) || taker.did.halted {
        return Err("both stand together or side by side, neither Routed nor Pinned nor busy");
    }
    if boxes == 0 || boxes > left(g, from) / 2 || boxes > taker.used / 2 {
        return Err("a unit gives what it has, and none takes more than its roster holds");
    }
    Ok(())
}

/// Removes the markers of re-supplied units at the end of the Movement Phase (14.C).
pub fn settle(t: &T, g: &mut State) {
    for u in g.c.unit_ids().filter(|&u| g.unit(u).did.resupply && g.unit(u).low_ammo).collect::<Vec<_>>() {
        g.unit_mut(u).low_ammo = false;
        t.tell(|| format!("{} no longer low on ammunition.", g.does(u, "is")));
    }
}

/// Reduces a train's ammunition for its Casualty Points (15.C, 14.F).
pub fn train_hit(t: &T, g: &mut State, train: UnitId, points: u8) {
    let each = if g.variant.ammo_roster { g.c.n(Num::TrainBoxesLost) } else { 1 };
    // Both values are small, so this cannot overflow.
    let lost = points * each as u8;
    let ammo = &mut g.unit_mut(train).ammo;
    *ammo = ammo.saturating_sub(lost);
    t.tell(|| format!("{} has ammunition for {} left.", g.called(train), g.unit(train).ammo));
}

/// Returns `true` if a unit counts as low on ammunition at the end of the game (14.B, 14.G).
pub fn low_at_end(g: &State, u: UnitId) -> bool {
    if g.side(u) != Side::Us || g.hex(u).is_none() {
        return false;
    }
    if counted(g, u) { i32::from(left(g, u)) <= 2 * g.c.n(Num::LowBoxes) } else { g.unit(u).low_ammo }
}
