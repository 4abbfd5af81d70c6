//! Fire Combat (9): strength, modifiers, results.

use super::{
    State, T, ammo,
    components::{Class, Drm, Factor, LeaderId, Num, Outcome, Side, UnitId},
    eagle, leaders, morale, rout, sight,
    state::{Mode, Spot, Volume},
};
use postrider_table::{
    chart::{Modifiers, Ratio},
    hex::Hex,
};
use std::{future::Future, pin::Pin};

/// The type of a fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Volley {
    /// Offensive Fire: at full strength, or at half strength before moving (4.B).
    Offensive(Volume),
    /// Defensive Fire (4.D); half strength only if boxes are counted (14.D).
    Defensive(Volume),
    /// Advance Fire (4.E).
    Advance,
    /// Opportunity Fire (9.F); halved again only if boxes are counted (14.D).
    Opportunity(Volume),
    /// Retreat Fire (9.G); half strength only if boxes are counted (14.D).
    Retreat(Volume),
    /// Hit & Run (16.G).
    HitAndRun,
}

impl Volley {
    /// Returns the multipliers of strength.
    fn factors(self) -> &'static [Factor] {
        match self {
            Volley::Offensive(Volume::Half) | Volley::Defensive(Volume::Half) => &[Factor::HalfFire],
            Volley::Offensive(Volume::Full) | Volley::Defensive(Volume::Full) => &[],
            Volley::Advance => &[Factor::AdvanceFire],
            Volley::Opportunity(Volume::Full) => &[Factor::OpportunityFire],
            Volley::Opportunity(Volume::Half) => &[Factor::OpportunityFire, Factor::HalfFire],
            Volley::Retreat(Volume::Full) => &[Factor::RetreatFire],
            Volley::Retreat(Volume::Half) => &[Factor::RetreatFire, Factor::HalfFire],
            Volley::HitAndRun => &[Factor::HitAndRun],
        }
    }
    /// Returns the same fire at full or half strength, if it has both.
    pub fn of(self, volume: Volume) -> Volley {
        match self {
            Volley::Offensive(_) => Volley::Offensive(volume),
            Volley::Defensive(_) => Volley::Defensive(volume),
            Volley::Opportunity(_) => Volley::Opportunity(volume),
            Volley::Retreat(_) => Volley::Retreat(volume),
            Volley::Advance | Volley::HitAndRun => self,
        }
    }
    /// Returns the name for the story.
    pub fn name(self) -> &'static str {
        match self {
            Volley::Offensive(_) => "Offensive Fire",
            Volley::Defensive(_) => "Defensive Fire",
            Volley::Advance => "Advance Fire",
            Volley::Opportunity(_) => "Opportunity Fire",
            Volley::Retreat(_) => "Retreat Fire",
            Volley::HitAndRun => "Hit & Run",
        }
    }
    /// Returns the number of half boxes used (14.D).
    pub fn halves(self) -> u8 {
        match self {
            Volley::Advance | Volley::HitAndRun => 1,
            _ if self == self.of(Volume::Half) => 1,
            _ => 2,
        }
    }
}

/// A target of fire (9.A): a unit, or a Leader in a hex without units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Unit(UnitId),
    Leader(LeaderId),
}

impl Target {
    pub fn hex(self, g: &State) -> Option<Hex> {
        match self {
            Target::Unit(u) => g.hex(u),
            Target::Leader(l) => g.chief(l).spot.hex(),
        }
    }
    pub fn name(self, g: &State) -> String {
        match self {
            Target::Unit(u) => g.name(u),
            Target::Leader(l) => g.c[l].id.clone(),
        }
    }
    /// Returns the display name.
    pub fn short(self, g: &State) -> String {
        match self {
            Target::Unit(u) => g.short(u),
            Target::Leader(_) => self.name(g),
        }
    }
    /// Returns the target as it is called within a sentence.
    pub fn the(self, g: &State) -> String {
        match self {
            Target::Unit(u) => g.the(u),
            Target::Leader(_) => self.name(g),
        }
    }
}

/// Returns `true` if a unit can fire into a hex: an adjacent one, or on foot one two hexes away in
/// line of sight (9.A, 9.B.3).
pub fn bears(g: &State, u: UnitId, to: Hex) -> bool {
    let Some(from) = g.hex(u) else { return false };
    match g.charts.grid.distance(from, to) {
        1 => true,
        far => {
            far == g.c.steps(Num::LongRange)
                && g.c.class(g.class(u)).long_range
                && g.posture(u) != Mode::Mounted
                && sight::sees(g, from, to)
        }
    }
}

/// Returns `true` if a unit can fire in its current state (9.A, 9.B.3, 10.J.3).
pub fn is_armed(g: &State, u: UnitId) -> bool {
    let unit = g.unit(u);
    g.c.class(g.class(u)).fires && !unit.routed && !unit.abandoned && g.cf(u) > 0 && g.hex(u).is_some()
}

/// Returns `true` if the line of fire between two hexes crosses a cliff (9.B). A line along a
/// hexside does if there is a cliff on both ways around.
fn across_cliff(g: &State, from: Hex, to: Hex) -> bool {
    let (grid, cliff) = (&g.charts.grid, |a, b| g.charts.cliff(a, b));
    match grid.adjacent(from, to) {
        true => cliff(from, to),
        false => grid.neighbours(from).filter(|&m| grid.adjacent(m, to)).all(|m| cliff(from, m) || cliff(m, to)),
    }
}

/// Returns the multipliers of a unit's strength when it fires at a hex, except for long range (9.A,
/// 9.B).
fn factors(g: &State, u: UnitId, to: Hex, volley: Volley) -> impl Iterator<Item = Factor> {
    let unit = g.unit(u);
    let up = g.hex(u).is_some_and(|from| g.charts.level[from] < g.charts.level[to] && across_cliff(g, from, to));
    let own = [
        (unit.low_ammo, Factor::LowAmmo),
        (unit.pinned, Factor::Pinned),
        (unit.disrupted, Factor::Disrupted),
        (up, Factor::UpCliff),
    ];
    let own = own.into_iter().filter(|(applies, _)| *applies).map(|(_, factor)| factor);
    volley.factors().iter().copied().chain(own)
}

/// Returns the strength after these multipliers.
fn power(g: &State, u: UnitId, to: Hex, volley: Volley) -> Ratio {
    let times = |strength: Ratio, factor: Factor| multiplied(g, strength, factor);
    factors(g, u, to, volley).fold(Ratio::whole(g.cf(u).into()), times)
}

/// Returns the strength of a unit that fires at a hex, before long range, and its multipliers (9.A,
/// 9.B).
pub fn strength(g: &State, u: UnitId, to: Hex, volley: Volley) -> (Ratio, Vec<Factor>) {
    (power(g, u, to, volley), factors(g, u, to, volley).collect())
}

/// Returns a strength times a factor.
pub fn multiplied(g: &State, strength: Ratio, factor: Factor) -> Ratio {
    let by = g.charts.factors[factor.index()];
    // [`Ratio`] multiplies by integers only, so this divides by the inverse of the factor.
    strength.to(Ratio::whole(1).to(by).unwrap_or(Ratio::whole(1))).unwrap_or(strength)
}

/// Returns the column of the Fire Combat Matrix; `None` for no effect (9.A, 9.B).
pub fn column(g: &State, u: UnitId, to: Hex, volley: Volley) -> Option<usize> {
    let mut strength = power(g, u, to, volley);
    let far = g.hex(u).is_some_and(|from| g.charts.grid.distance(from, to) > 1);
    let infantry = g.c.class(g.class(u)).infantry;
    if far && !infantry {
        strength = Ratio::whole(multiplied(g, strength, Factor::LongRange).floor());
    }
    let column = g.charts.column(g.side(u), strength)?;
    Some(if far && infantry { column.saturating_sub(1) } else { column })
}

/// The source of a fire modifier.
#[derive(Clone, Copy)]
enum Part {
    Ground(usize),
    Row(Drm),
    /// The number of stacking points.
    Density(u32),
}

/// Passes each die roll modifier of a shot to `part` (9.B, 9.D).
fn each_modifier(g: &State, u: UnitId, target: Target, mut part: impl FnMut(Part, i32)) {
    let (Some(from), Some(to)) = (g.hex(u), target.hex(g)) else { return };
    let (mode, pinned, works) = match target {
        Target::Unit(at) => (g.posture(at), g.unit(at).pinned, g.unit(at).works),
        Target::Leader(_) => (Mode::Dismounted, false, false),
    };
    let ground = g.ground(to).index();
    if mode != Mode::Mounted {
        part(Part::Ground(ground), g.c.terrains[ground].fire);
    }
    let down =
        g.charts.grid.adjacent(from, to) && g.charts.cliff(from, to) && g.charts.level[from] > g.charts.level[to];
    let mut add = |applies: bool, row: Drm| {
        if applies {
            part(Part::Row(row), g.c.drm(row));
        }
    };
    add(down, Drm::FireDownCliff);
    add(mode == Mode::Mounted, Drm::FireMounted);
    add(works, Drm::FireBreastworks);
    add(!works && (pinned || mode == Mode::Prone), Drm::FireLow);
    let points = g.stacked(to);
    part(Part::Density(points), g.charts.density_drm(points));
}

/// Returns the die roll modifiers of a shot (9.B, 9.D).
pub fn modifiers(g: &State, u: UnitId, target: Target) -> Modifiers {
    let mut drm = Modifiers::new();
    each_modifier(g, u, target, |part, by| match part {
        _ if by == 0 => {}
        Part::Ground(ground) => _ = drm.add(g.c.terrains[ground].name.clone(), by),
        Part::Row(row) => _ = drm.add(row.name(), by),
        Part::Density(points) => _ = drm.add(format!("{points} stacking points"), by),
    });
    drm
}

/// Returns the sum of the die roll modifiers of a shot.
pub fn modifier(g: &State, u: UnitId, target: Target) -> i32 {
    let mut sum = 0;
    each_modifier(g, u, target, |_, by| sum += by);
    sum
}

/// Returns the result of modified dice (9.D). At long range one Casualty Point becomes MC-1
/// (9.B.3).
pub fn result(thresholds: Option<[i32; 4]>, dice: i32, far: bool) -> Outcome {
    let Some(thresholds) = thresholds else { return Outcome::None };
    let reached = thresholds.iter().rposition(|&least| dice >= least);
    match reached {
        None => Outcome::None,
        Some(0) => Outcome::Mc,
        Some(1) => Outcome::Mc1,
        Some(2) if far => Outcome::Mc1,
        Some(2) => Outcome::One,
        Some(_) => Outcome::Two,
    }
}

/// Returns the thresholds of a shot; `None` if it can have no effect.
pub fn thresholds(g: &State, u: UnitId, to: Hex, volley: Volley) -> Option<[i32; 4]> {
    let column = column(g, u, to, volley)?;
    g.charts.fire[column][g.posture(u).index()]
}

/// Returns a row of the Fire Combat Results Table in words, with the minimum dice of each result:
/// `MC 7, MC-1 9, 1 11, 2 13`. At long range one Casualty Point is omitted (9.B.3). Sums that the
/// dice cannot reach are included.
pub fn line(thresholds: [i32; 4], far: bool) -> String {
    let mut said: Vec<String> = Vec::new();
    for (least, outcome) in thresholds.into_iter().zip([Outcome::Mc, Outcome::Mc1, Outcome::One, Outcome::Two]) {
        // 99 means never.
        if least < 99 && !(far && outcome == Outcome::One) {
            said.push(format!("{} {least}", outcome.word()));
        }
    }
    said.join(", ")
}

/// Returns how many of 36 dice rolls give at least a Morale Check, and how many give a Casualty
/// Point.
pub fn chances(g: &State, u: UnitId, target: Target, volley: Volley) -> (u8, u8) {
    let (Some(from), Some(to)) = (g.hex(u), target.hex(g)) else { return (0, 0) };
    let Some(thresholds) = thresholds(g, u, to, volley) else { return (0, 0) };
    let drm = modifier(g, u, target);
    let far = g.charts.grid.distance(from, to) > 1;
    let (mut checks, mut losses) = (0, 0);
    for dice in 2..=12 {
        let throws = 6 - u8::try_from((dice - 7_i32).abs()).unwrap_or(5);
        let outcome = result(Some(thresholds), dice + drm, far);
        checks += if outcome >= Outcome::Mc { throws } else { 0 };
        losses += if outcome >= Outcome::One { throws } else { 0 };
    }
    (checks, losses)
}

/// Returns `true` if a natural 2 would endanger a Leader in a hex (9.E).
pub fn endangers_leader(g: &State, u: UnitId, to: Hex) -> bool {
    g.leaders_in(to).any(|l| g.c[l].side == g.side(u).enemy())
}

/// Returns `true` if a shot can have any effect: dice of 12 reach a result, or a natural 2
/// endangers a Leader (9.E).
pub fn matters(g: &State, u: UnitId, target: Target, volley: Volley) -> bool {
    let Some(to) = target.hex(g) else { return false };
    if endangers_leader(g, u, to) {
        return true;
    }
    thresholds(g, u, to, volley).is_some_and(|least| {
        let most = 12 + modifier(g, u, target);
        least.iter().any(|&least| most >= least)
    })
}

/// Returns `true` if a target is in a hex and can be fired at there.
pub fn is_target(g: &State, hex: Hex, side: Side, at: Target) -> bool {
    match at {
        Target::Unit(u) => g.hex(u) == Some(hex) && g.side(u) == side && !g.unit(u).abandoned,
        Target::Leader(l) => g.holder_of(hex).is_none() && g.chief(l).spot.hex() == Some(hex) && g.c[l].side == side,
    }
}

/// Returns the targets of a side in a hex: its units, or its Leaders if there is no unit.
pub fn targets(g: &State, hex: Hex, side: Side) -> Vec<Target> {
    // 15.B: an abandoned Pack Train has no personnel to fire at.
    let units: Vec<Target> = g.of_side(hex, side).filter(|&u| !g.unit(u).abandoned).map(Target::Unit).collect();
    if !units.is_empty() || g.holder_of(hex).is_some() {
        return units;
    }
    g.leaders_in(hex).filter(|&l| g.c[l].side == side).map(Target::Leader).collect()
}

/// Returns the target with this name.
pub fn target_named(g: &State, name: &str) -> Option<Target> {
    match g.c.unit(name) {
        Some(u) if g.hex(u).is_some() => Some(Target::Unit(u)),
        _ => g.c.leader(name).filter(|&l| g.chief(l).spot.hex().is_some()).map(Target::Leader),
    }
}

/// Resolves one shot (9.A, 9.D). The future is boxed because results may lead to Retreats, which
/// may lead to other fire.
pub fn shoot<'a>(
    t: &'a T,
    g: &'a mut State,
    u: UnitId,
    target: Target,
    volley: Volley,
) -> Pin<Box<dyn Future<Output = ()> + 'a>> {
    Box::pin(async move {
        let (Some(from), Some(to)) = (g.hex(u), target.hex(g)) else { return };
        ammo::mark(g, u, volley);
        let far = g.charts.grid.distance(from, to) > 1;
        let (thresholds, drm) = (thresholds(g, u, to, volley), modifiers(g, u, target));
        let natural = t.d6("fire") + t.d6("fire");
        let outcome = result(thresholds, natural as i32 + drm.total(), far);
        t.tell(|| {
            let (strength, factors) = strength(g, u, to, volley);
            let halves: Vec<&str> = factors.iter().map(|f| f.name()).collect();
            let how = if halves.is_empty() { String::new() } else { format!(" ({})", halves.join(", ")) };
            let range = if far { ", long range" } else { "" };
            let (who, at) = (g.the(u), target.the(g));
            let (name, to) = (volley.name(), g.id(to));
            format!(
                "{name}: {who} at {at} in {to}, strength {strength}{how}{range}: {}: {}.",
                drm.told(natural),
                outcome.word()
            )
        });
        ammo::depletion(t, g, u, natural, volley);
        g.unit_mut(u).has_fired = true;
        // 9.E, 12.D.1: Leaders are checked before the results apply.
        if outcome.casualties() > 0 || natural == i64::from(g.c.n(Num::LeaderNatural)) {
            let side = g.side(u).enemy();
            leaders::one_in_hex(t, g, to, side).await;
        }
        if let Target::Unit(at) = target {
            strike(t, g, at, outcome, Cause { from, foe: u, volley: Some(volley) }).await;
        }
    })
}

/// Resolves a shot of a reaction whose target is gone: it only uses ammunition (9.F, 9.G).
pub fn waste(t: &T, g: &mut State, u: UnitId, volley: Volley) {
    ammo::mark(g, u, volley);
    let natural = t.d6("fire") + t.d6("fire");
    t.tell(|| format!("{}: {} at nobody who is left: {natural}.", volley.name(), g.does(u, "fires")));
    ammo::depletion(t, g, u, natural, volley);
    g.unit_mut(u).has_fired = true;
}

/// The source of a result: the enemy unit and its hex, and the type of fire, if it was fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cause {
    pub from: Hex,
    pub foe: UnitId,
    pub volley: Option<Volley>,
}

/// Applies Casualty Points, then one Morale Check (9.D). After any fire the unit may Rout
/// voluntarily (10.J.1).
async fn strike(t: &T, g: &mut State, u: UnitId, outcome: Outcome, cause: Cause) {
    if outcome == Outcome::None {
        return rout::window(t, g, u).await;
    }
    if g.unit(u).abandoned {
        return;
    }
    let lost = outcome.casualties();
    let was_routed = g.unit(u).routed;
    if lost > 0 {
        lose(t, g, u, lost);
    }
    if g.hex(u).is_none() {
        return leaders::bereft(t, g, u, false).await;
    }
    if was_routed && lost > 0 {
        // 9.G, 10.J.3: Casualty Points on a Routed unit cause another Rout, except by Retreat Fire.
        if !matches!(cause.volley, Some(Volley::Retreat(_))) {
            rout::mandatory(t, g, u, cause).await;
        }
        return;
    }
    let failed = morale::check(t, g, u, outcome == Outcome::Mc1, cause).await;
    // 16.G: a loss or a failed check Routs the unit that attacks as Hit & Run.
    let runs = cause.volley == Some(Volley::HitAndRun) && g.side(u) == Side::Indian;
    if runs && (failed || lost > 0) && !g.unit(u).routed {
        return rout::mandatory(t, g, u, cause).await;
    }
    rout::window(t, g, u).await;
}

/// Inflicts Casualty Points on a unit and eliminates it if no strength is left (9.D.2, 11). Holders
/// are eliminated with their mounts.
pub fn lose(t: &T, g: &mut State, u: UnitId, points: u8) {
    let class = g.class(u);
    let left = g.cf(u);
    if class.is_holder() || points >= left {
        // 15.C: these points cost ammunition before the rest is lost with the train (15.D).
        if class == Class::Train {
            ammo::train_hit(t, g, u, points.min(left));
        }
        t.tell(|| format!("{} eliminated.", g.does(u, "is")));
        return eliminate(t, g, u);
    }
    g.unit_mut(u).losses += points;
    g.casualties(g.side(u), points);
    t.tell(|| format!("{} {points}: {} left.", g.does(u, "loses"), g.cf(u)));
    if class == Class::Train {
        ammo::train_hit(t, g, u, points);
    }
}

/// Eliminates a unit; its remaining points count as casualties (11).
pub fn eliminate(t: &T, g: &mut State, u: UnitId) {
    let (side, left) = (g.side(u), g.cf(u));
    if g.class(u) == Class::Train {
        super::pack::lost(t, g, u);
    }
    g.casualties(side, left);
    remove(g, u, Spot::Dead);
    eagle::watch(t, g);
}

/// Removes a unit from the map; its Leaders stay in their hex.
pub fn remove(g: &mut State, u: UnitId, spot: Spot) {
    g.put(u, spot);
    let unit = g.unit_mut(u);
    (unit.disrupted, unit.pinned, unit.routed, unit.rout_from) = (false, false, false, None);
    unit.did.charge = None;
}
