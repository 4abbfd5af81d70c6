//! US fortifications (11.2.1).

use super::{
    State, T,
    activation::{self, can_act, can_lead},
    components::{AreaId, LeaderId, Side},
    order::Count,
    state::{Force, Fort, Spot, UnitId, Work},
};
use postrider_table::{Refusal, refuse};

/// FCFs or MCFs that a leader needs to build (11.2.1).
const FACTORS: u32 = 5;

/// Returns `true` if units have the FCFs or MCFs that a leader needs to build (11.2.1).
fn suffice(g: &State, units: &[UnitId]) -> bool {
    let fcf: u32 = units.iter().map(|&u| u32::from(g.c[g.unit(u).kind].fcf)).sum();
    fcf >= FACTORS || units.len() as u32 >= FACTORS
}

/// Returns the force that can build in an area: a leader who has not acted, with units of at least
/// 5 FCFs or MCFs that have not acted.
pub fn crew(g: &State, a: AreaId) -> Option<Force> {
    let fresh = |l: &LeaderId| can_lead(g, *l) && g.chief(*l).acts == 0;
    let leader = g.leaders_in(a, Side::Us).find(fresh)?;
    let ready = |u: &UnitId| can_act(g, *u) && g.unit(*u).acts == 0 && g.leads(leader, *u);
    let units: Vec<UnitId> = g.units_in(a, Side::Us).filter(ready).collect();
    suffice(g, &units).then_some(Force { units, leaders: vec![leader] })
}

/// Returns the crew that an order names if it can build: a leader who has not acted, with units of
/// at least 5 FCFs or MCFs that have not acted (11.2.1, 9.3).
fn named(g: &State, a: AreaId, who: &[Count]) -> Result<Option<Force>, Refusal> {
    let force = activation::force(g, Side::Us, Spot::On(a), who)?;
    let led = force.units.iter().all(|&u| force.leaders.iter().any(|&l| g.leads(l, u)));
    let enough = suffice(g, &force.units);
    Ok((led && enough && !force.leaders.is_empty() && !activation::is_second(g, &force)).then_some(force))
}

/// Returns the crew that can build or dismantle a fort in an area: those named, or every eligible
/// piece if none is.
///
/// # Errors
/// A [`Refusal`] if there is no such crew, or if no fort can be built or dismantled there.
pub fn may_build(g: &State, a: AreaId, dismantle: bool, who: &[Count]) -> Result<Force, Refusal> {
    let crew = if who.is_empty() { crew(g, a) } else { named(g, a, who)? };
    let Some(crew) = crew else {
        return refuse(
            "11.2.1",
            "A fort takes a leader who has not acted, with 5 FCFs or MCFs of units that have not.",
        );
    };
    let fort = g.land(a).fort.as_ref();
    if dismantle {
        let own = fort.is_some_and(|fort| fort.side == Side::Us && fort.work.is_none());
        return if own { Ok(crew) } else { refuse("11.2.1", "You have no fort there that could be taken down.") };
    }
    if fort.is_some() {
        return refuse("11.2.1", "A fort stands there, or is being built.");
    }
    if g.land(a).pillaged {
        return refuse("9.5.2", "No fort is built in a pillaged area.");
    }
    Ok(crew)
}

/// Starts building or dismantling a fort, which takes the whole activation of the crew and is
/// completed in the End Phase (11.2.1).
pub fn work(t: &T, g: &mut State, a: AreaId, crew: &Force, dismantle: bool) {
    let work = Work { crew: crew.clone(), razes: dismantle };
    g.land_mut(a).fort.get_or_insert_with(|| Fort::of(Side::Us)).work = Some(work);
    activation::complete(g, crew);
    let verb = if dismantle { "take down the fort" } else { "build a fort" };
    t.tell(|| format!("{} {verb} at {}.", activation::told(g, crew), g.name(a)));
}

/// Abandons the work on a fort if any of its crew acts again or leaves (11.2.1).
pub fn abandon(g: &mut State, force: &Force) {
    for land in &mut g.land {
        let Some(fort) = &mut land.fort else { continue };
        let abandoned = fort.work.take_if(|work| work.crew.meets(force));
        if abandoned.is_some_and(|work| !work.razes) {
            land.fort = None;
        }
    }
}

/// Completes forts being built and removes those being dismantled, if the crew is still there (4.7,
/// 11.2.1).
pub fn finish(t: &T, g: &mut State) {
    for a in g.c.area_ids() {
        let Some(work) = g.land_mut(a).fort.as_mut().and_then(|fort| fort.work.take()) else { continue };
        let done = is_there(g, a, &work.crew);
        if done == work.razes {
            remove(g, a);
        }
        if done {
            let end = if work.razes { "taken down" } else { "ready" };
            t.tell(|| format!("The fort at {} is {end}.", g.name(a)));
        }
    }
    super::settlers::kekionga(t, g);
}

/// Returns `true` if nobody of a crew has left its area, and a leader with enough units survives
/// there (11.2.1).
fn is_there(g: &State, a: AreaId, crew: &Force) -> bool {
    let here = |spot: Spot| spot.area().is_none_or(|at| at == a);
    let stay = crew.units.iter().all(|&u| here(g.unit(u).spot)) && crew.leaders.iter().all(|&l| here(g.chief(l).spot));
    let units: Vec<UnitId> = g.units_in(a, Side::Us).filter(|u| crew.units.contains(u)).collect();
    stay && suffice(g, &units) && g.leaders_in(a, Side::Us).any(|l| crew.leaders.contains(&l))
}

/// Returns `true` if an area has a fort with a combat unit inside, even one of a nation at peace
/// (11.1.3).
pub fn is_manned(g: &State, a: AreaId) -> bool {
    g.fort(a).is_some_and(|fort| g.units_in(a, fort.side).any(|u| g.unit(u).inside))
}

/// Removes a fort. The pieces inside are then outside.
fn remove(g: &mut State, a: AreaId) -> Option<Fort> {
    let fort = g.land_mut(a).fort.take()?;
    for u in g.units_in(a, fort.side).collect::<Vec<_>>() {
        g.unit_mut(u).inside = false;
    }
    for l in g.leaders_in(a, fort.side).collect::<Vec<_>>() {
        g.chief_mut(l).inside = false;
    }
    Some(fort)
}

/// Destroys a fort for 4 VPs to the besieger (11.3.2).
pub fn destroy(t: &T, g: &mut State, a: AreaId) {
    let Some(fort) = remove(g, a) else { return };
    g.score(fort.side.enemy(), 4, "11.3.2");
    if fort.side == Side::Na {
        g.forts_destroyed += 1;
    }
    t.tell(|| format!("The fort at {} is destroyed: +4 VPs.", g.name(a)));
}
