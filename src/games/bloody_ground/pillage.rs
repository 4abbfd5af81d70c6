//! Pillaging (9.5).

use super::{
    State, T, activation,
    components::{AreaId, Class, Drm, Season, Side, Terrain},
    settlers,
    state::{Force, Spot},
};
use postrider_table::{Refusal, chart::Modifiers, refuse};

/// Checks that a force may pillage: two or more units, all un-activated like the leaders with them,
/// in an area not yet pillaged (9.5.1).
///
/// # Errors
/// A [`Refusal`] if there are fewer units, one or a leader has acted, or the area is already
/// pillaged.
pub fn may_pillage(g: &State, a: AreaId, force: &Force) -> Result<(), Refusal> {
    if force.units.len() < 2 || activation::is_second(g, force) {
        return refuse("9.5.1", "Two or more units pillage; neither they nor leaders with them have acted.");
    }
    if g.land(a).pillaged {
        return refuse("9.5.2", "The area is pillaged already.");
    }
    Ok(())
}

/// Returns the modifiers of T:pillaging-table.
pub fn modifiers(g: &State, side: Side, a: AreaId, force: &Force) -> Modifiers {
    let mut drm = Modifiers::new();
    let mut add = |row: Drm, times: i32| {
        drm.add(row.name(), g.c.drm(row) * times);
    };
    add(Drm::PillageRough, i32::from(g.terrain(a) == Terrain::Rough));
    add(Drm::PillageWeather, i32::from(g.season == Season::Winter || g.severe));
    add(Drm::PillageUnit, i32::try_from(force.units.len()).unwrap_or(1) - 1);
    let militia = side == Side::Us && force.units.iter().any(|&u| g.class(u) == Class::Militia);
    add(Drm::PillageMilitia, i32::from(militia));
    let girty = g.chief(g.named("Girty"));
    let with = girty.spot == Spot::On(a) && !girty.raiding;
    add(Drm::PillageGirty, i32::from(side == Side::Na && with));
    drm
}

/// Rolls for pillage; the settlers of a pillaged area flee or are lost (9.5.1, 9.5.2).
pub async fn pillage(t: &T, g: &mut State, side: Side, a: AreaId, force: &Force) {
    let drm = modifiers(g, side, a, force);
    let die = t.d6("pillage");
    let done = die + i64::from(drm.total()) <= 2;
    let end = if done { "it is done" } else { "it fails" };
    t.tell(|| format!("Pillage of {}: {}, 2 or less needed: {end}.", g.name(a), drm.told(die)));
    activation::finish(g, force);
    if !done {
        return;
    }
    g.land_mut(a).pillaged = true;
    g.kekionga_pillaged |= a == g.kekionga();
    t.tell(|| format!("{} is pillaged.", g.name(a)));
    while g.people(a) > 0 {
        settlers::strike(t, g, a).await;
    }
}
