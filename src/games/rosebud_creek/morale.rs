//! Morale Checks (13.A) and Pinned results (9.D.2).

use super::{
    State, T,
    components::{Class, Drm, Num, UnitId},
    fire::{Cause, Volley},
    horses, leaders, mode, retreat, rout,
    state::Mode,
};
use postrider_table::chart::Modifiers;

/// Returns the modifiers of a Morale Check (13.A).
pub fn modifiers(g: &State, u: UnitId, mc_1: bool) -> Modifiers {
    let mut drm = Modifiers::new();
    if let Some((l, rating)) = leaders::of_unit(g, u) {
        drm.add(g.c[l].id.clone(), rating);
    }
    let unit = g.unit(u);
    let states = [
        (mc_1, Drm::MoraleMc1),
        (unit.disrupted, Drm::MoraleDisrupted),
        (unit.pinned, Drm::MoralePinned),
        (unit.routed, Drm::MoraleRouted),
    ];
    for (applies, row) in states {
        drm.add_if(applies, row.name(), g.c.drm(row));
    }
    drm
}

/// Makes a Morale Check and applies its result immediately (13.A, 9.D.1). Returns `true` if the unit
/// failed.
pub async fn check(t: &T, g: &mut State, u: UnitId, mc_1: bool, cause: Cause) -> bool {
    let drm = modifiers(g, u, mc_1);
    let dice = t.d6("morale") + t.d6("morale");
    let result = g.charts.morale.at(dice as i32 + drm.total()).clone();
    t.tell(|| format!("{} morale: {}: {}.", g.does(u, "checks"), drm.told(dice), told(&result)));
    let (routed, failed) = (g.unit(u).routed, result != "none");
    // 9.G: of an MC result by Retreat Fire, only Pinned affects a Routing unit.
    if routed && matches!(cause.volley, Some(Volley::Retreat(_))) && result != "pinned" {
        return failed;
    }
    match &*result {
        "disrupted" => set_disrupted(g, u),
        "r1" | "r2" => {
            if !g.unit(u).pinned {
                let steps = if result == "r1" { 1 } else { 2 };
                retreat::fall_back(t, g, u, steps, cause).await;
            }
            set_disrupted(g, u);
        }
        "pinned" => pin(t, g, u, cause).await,
        "routed" => rout::mandatory(t, g, u, cause).await,
        _ => {}
    }
    failed
}

fn told(result: &str) -> &str {
    match result {
        "none" => "it holds",
        "r1" => "r1, Disrupted",
        "r2" => "r2, Disrupted",
        other => other,
    }
}

/// Disrupts a unit, unless it is Routed or gone, and tells it (10.J.3).
pub fn disrupt(t: &T, g: &mut State, u: UnitId) {
    let was = g.unit(u).disrupted;
    set_disrupted(g, u);
    if !was && g.unit(u).disrupted {
        t.tell(|| format!("{} Disrupted.", g.does(u, "is")));
    }
}

/// Disrupts a unit without telling, because the result that was told implies it; not a train that
/// its Personnel have abandoned meanwhile (15.B).
pub fn set_disrupted(g: &mut State, u: UnitId) {
    let unit = g.unit_mut(u);
    unit.disrupted |= unit.spot.hex().is_some() && !unit.routed && !unit.abandoned;
}

/// Pins a unit; mounted units dismount (US) or retreat two hexes (Scouts, Indians) instead (8.A,
/// 9.D.2). The HQ counts as dismounted here and deploys no Holder (12.E.3).
pub async fn pin(t: &T, g: &mut State, u: UnitId, cause: Cause) {
    if g.unit(u).pinned {
        return;
    }
    let class = g.class(u);
    if g.posture(u) == Mode::Mounted {
        if class.has_us_holders() {
            mode::dismount(t, g, u);
            return;
        }
        let steps = g.c.steps(Num::PinnedMountedRetreat);
        retreat::fall_back(t, g, u, steps, cause).await;
        disrupt(t, g, u);
        return;
    }
    if class.is_holder() {
        horses::lose(t, g, u).await;
        if class == Class::PonyHolder || g.hex(u).is_none() {
            return;
        }
    }
    let unit = g.unit_mut(u);
    unit.pinned = true;
    unit.did.halted = true;
    leaders::leave(t, g, u, "is Pinned in").await;
    leaders::pin(g, u, true);
    for l in leaders::attached(g, u).filter(|&l| g.chief(l).pinned).collect::<Vec<_>>() {
        t.tell(|| format!("{} is Pinned with it.", g.c[l].id));
    }
}
