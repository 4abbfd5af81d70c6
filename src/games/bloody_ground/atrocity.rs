//! Atrocity markers, ambushes and assassinations (9.2).

use super::{
    State, T,
    components::{AreaId, Class, Drm, LeaderId, Side, Special},
    leaders, settlers,
    state::{Spot, UnitId},
};
use postrider_table::{Refusal, refuse, status::LevelCheck};

/// Returns the number of markers that a side can place now: its markers of this turn, limited by
/// the counter mix (9.2).
pub fn left(g: &State, side: Side) -> u8 {
    let id = if side == Side::Us { "atrocity_us" } else { "atrocity_na" };
    let on_map: u8 = g.land.iter().map(|land| land.atrocity[side.index()]).sum();
    let mix = g.c.markers(id).saturating_sub(on_map + g.spent_atrocities[side.index()]);
    mix.min(g.atrocities[side.index()])
}

/// Checks that a marker may be placed: US markers in areas of nations, NA markers in US areas
/// (9.2.1).
///
/// # Errors
/// A [`Refusal`] if the marker may not be placed.
pub fn may_place(g: &State, side: Side, a: AreaId) -> Result<(), Refusal> {
    if left(g, side) == 0 {
        return refuse("9.2", "You have no Atrocity marker left in this turn.");
    }
    let fits = match side {
        Side::Us => g.c[a].nation.is_some(),
        Side::Na => g.us_area(a),
    };
    if fits { Ok(()) } else { refuse("9.2.1", format!("{} is no area of the enemy.", g.name(a))) }
}

/// Places a marker and removes a settler (9.2.1, 6.0.2).
pub fn place(t: &T, g: &mut State, side: Side, a: AreaId) {
    g.atrocities[side.index()] -= 1;
    g.land_mut(a).atrocity[side.index()] += 1;
    t.tell(|| format!("An Atrocity marker of the {} in {}.", side.name(), g.name(a)));
    settlers::massacre(t, g, a);
}

/// Returns the unit of a kind that an ambush would attack: an enemy unit outside a fort; each side
/// may ambush once a turn (9.2.2).
///
/// # Errors
/// A [`Refusal`] if there is no such unit, or no marker is left.
pub fn target(g: &State, side: Side, a: AreaId, kind: &str) -> Result<UnitId, Refusal> {
    if g.ambushed[side.index()] || left(g, side) == 0 {
        return refuse("9.2.2", "One ambush a turn, with an Atrocity marker of this turn.");
    }
    let found = g
        .units_in(a, side.enemy())
        .filter(|&u| !g.unit(u).inside && g.c[g.unit(u).kind].id == kind)
        .min_by_key(|&u| (!g.unit(u).rifle, u));
    found.map_or_else(|| refuse("9.2.2", format!("There is no {kind} outside a fort there.")), Ok)
}

/// Returns the check that an ambushed unit must pass.
pub fn ambush_check(g: &State, u: UnitId) -> LevelCheck {
    let Some(a) = g.unit(u).spot.area() else { return LevelCheck::new(g.level(u)) };
    let company = |v: UnitId| match g.class(u) {
        Class::Regular => g.class(v) == Class::Militia,
        _ => matches!(g.class(v), Class::Warrior | Class::Canadian),
    };
    let stacked = |v: UnitId| v != u && !g.unit(v).inside && !g.unit(v).raiding;
    let alone = !g.units_in(a, g.side_of(u)).any(|v| stacked(v) && company(v));
    let wild = !g.is_settled(a);
    let by = if g.class(u).is_regular() && alone && wild { g.c.drm(Drm::AmbushRegular) } else { 0 };
    LevelCheck::new(g.level(u)).with(Drm::AmbushRegular.name(), by)
}

/// Resolves an ambush: a unit that rolls above its level is eliminated (9.2.2). The marker is
/// removed permanently.
pub async fn ambush(t: &T, g: &mut State, side: Side, u: UnitId) {
    spend(g, side);
    g.ambushed[side.index()] = true;
    let check = ambush_check(g, u);
    let die = t.d6("ambush");
    let id = g.c[g.unit(u).kind].id.clone();
    let at = g.unit(u).spot.area().map_or(String::new(), |a| format!(" at {}", g.name(a)));
    let end = if check.passes(die) { "it gets away" } else { "it is eliminated" };
    t.tell(|| format!("Ambush of 1 {id}{at}: {}: {end}.", check.told(die)));
    if !check.passes(die) {
        // 15.1.4 counts losses by combat, raids and lack of supply, but not by ambush.
        g.waste(u);
        leaders::settle_militia(t, g).await;
    }
}

fn spend(g: &mut State, side: Side) {
    g.since[side.enemy().index()].ambush = true;
    g.atrocities[side.index()] -= 1;
    g.spent_atrocities[side.index()] += 1;
}

/// Checks that an enemy leader may be assassinated: he is safe in an area with a friendly fort or
/// town, and at Kekionga (9.2.3).
///
/// # Errors
/// A [`Refusal`] if the leader is safe or not on the map, or no marker is left.
pub fn may_assassinate(g: &State, side: Side, l: LeaderId) -> Result<(), Refusal> {
    if left(g, side) == 0 {
        return refuse("9.2.3", "You have no Atrocity marker left in this turn.");
    }
    let Spot::On(a) = g.chief(l).spot else { return refuse("9.2.3", "He is not on the map.") };
    let own = g.c[l].side;
    let town = own == Side::Us && g.town(a);
    let safe = own == side || g.fort_of(a, own) || g.c[a].is(Special::Kekionga) || town;
    if safe { refuse("9.2.3", format!("{} is safe there.", g.c[l].name)) } else { Ok(()) }
}

/// Returns the rating that an assassination must exceed (9.2.3, 14.0.3).
pub fn guard(g: &State, l: LeaderId) -> i64 {
    g.rating(l).into()
}

/// Resolves an assassination: it succeeds on a die above the leader's rating plus two; a failure
/// costs 1 VP (9.2.3).
pub async fn assassinate(t: &T, g: &mut State, side: Side, l: LeaderId) {
    spend(g, side);
    let (die, rating) = (t.d6("assassination"), guard(g, l));
    let name = g.c[l].name.clone();
    let end = if die > rating + 2 { "he falls" } else { "it fails: -1 VP" };
    t.tell(|| format!("Assassination of {name}: {die}, above {} needed: {end}.", rating + 2));
    if die > rating + 2 {
        leaders::fall_on_map(t, g, l).await;
    } else {
        g.score(side, -1, "9.2.3");
    }
}
