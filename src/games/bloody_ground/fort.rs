//! US fortifications (11.2.1).

use super::{
    State, T,
    activation::{self, can_act, can_lead},
    components::{AreaId, LeaderId, Side},
    order::Count,
    state::{Force, Fort, Spot},
};
use postrider_table::{Refusal, refuse};

/// FCFs or MCFs that a leader needs to build (11.2.1).
const FACTORS: u32 = 5;

/// Returns the force that can build in an area: a leader who has not acted, with units of at least
/// 5 FCFs or MCFs that have not acted.
pub fn crew(g: &State, a: AreaId) -> Option<Force> {
    let fresh = |l: &LeaderId| can_lead(g, *l) && g.chief(*l).acts == 0;
    let leader = g.leaders_in(a, Side::Us).find(fresh)?;
    let ready = |u: &super::state::UnitId| can_act(g, *u) && g.unit(*u).acts == 0 && g.leads(leader, *u);
    let units: Vec<_> = g.units_in(a, Side::Us).filter(ready).collect();
    let fcf: u32 = units.iter().map(|&u| u32::from(g.c[g.unit(u).kind].fcf)).sum();
    let mcf = units.len() as u32;
    (fcf >= FACTORS || mcf >= FACTORS).then_some(Force { units, leaders: vec![leader] })
}

/// Returns the crew that an order names if it can build: a leader who has not acted, with units of
/// at least 5 FCFs or MCFs that have not acted (11.2.1, 9.3).
fn named(g: &State, a: AreaId, who: &[Count]) -> Result<Option<Force>, Refusal> {
    let force = activation::force(g, Side::Us, Spot::On(a), who)?;
    let led = force.units.iter().all(|&u| force.leaders.iter().any(|&l| g.leads(l, u)));
    let fcf: u32 = force.units.iter().map(|&u| u32::from(g.c[g.unit(u).kind].fcf)).sum();
    let enough = fcf >= FACTORS || force.units.len() as u32 >= FACTORS;
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
    let fort = g.land(a).fort;
    if dismantle {
        let own = fort.is_some_and(|fort| fort.side == Side::Us && fort.builder.is_none() && fort.razer.is_none());
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
/// completed in the End Phase.
pub fn work(t: &T, g: &mut State, a: AreaId, crew: &Force, dismantle: bool) {
    let leader = crew.leaders.first().copied();
    let land = g.land_mut(a);
    if dismantle {
        if let Some(fort) = &mut land.fort {
            fort.razer = leader;
        }
    } else {
        land.fort = Some(Fort { side: Side::Us, siege: 0, builder: leader, razer: None });
    }
    activation::complete(g, crew);
    let verb = if dismantle { "take down the fort" } else { "build a fort" };
    t.tell(|| format!("{} {verb} at {}.", activation::told(g, crew), g.name(a)));
}

/// Abandons a leader's work on a fort when he acts again, leaves or falls (11.2.1).
pub fn abandon(g: &mut State, l: LeaderId) {
    for land in g.land.iter_mut().filter(|land| land.fort.is_some()) {
        if land.fort.is_some_and(|fort| fort.builder == Some(l)) {
            land.fort = None;
        }
        if let Some(fort) = land.fort.as_mut().filter(|fort| fort.razer == Some(l)) {
            fort.razer = None;
        }
    }
}

/// Completes forts being built and removes those being dismantled, if the leader and enough units
/// are still there (4.7, 11.2.1).
pub fn finish(t: &T, g: &mut State) {
    for a in g.c.area_ids() {
        let Some(fort) = g.land(a).fort else { continue };
        let Some(l) = fort.builder.or(fort.razer) else { continue };
        let units = g.units_in(a, Side::Us);
        let (fcf, mcf) = units.fold((0, 0), |(fcf, mcf), u| (fcf + u32::from(g.c[g.unit(u).kind].fcf), mcf + 1));
        let there = g.chief(l).spot == Spot::On(a) && (fcf >= FACTORS || mcf >= FACTORS);
        let land = g.land_mut(a);
        match (fort.builder, there) {
            (Some(_), true) => {
                land.fort = Some(Fort { builder: None, ..fort });
                t.tell(|| format!("The fort at {} is ready.", g.name(a)));
            }
            (Some(_), false) => land.fort = None,
            (None, true) => {
                land.fort = None;
                for u in g.units_in(a, Side::Us).collect::<Vec<_>>() {
                    g.unit_mut(u).inside = false;
                }
                for l in g.leaders_in(a, Side::Us).collect::<Vec<_>>() {
                    g.chief_mut(l).inside = false;
                }
                t.tell(|| format!("The fort at {} is taken down.", g.name(a)));
            }
            (None, false) => land.fort = Some(Fort { razer: None, ..fort }),
        }
    }
    super::settlers::kekionga(t, g);
}

/// Destroys a fort for 4 VPs to the besieger (11.3.2). The pieces inside are then outside.
pub fn destroy(t: &T, g: &mut State, a: AreaId) {
    let Some(fort) = g.land_mut(a).fort.take() else { return };
    g.score(fort.side.enemy(), 4, "11.3.2");
    if fort.side == Side::Na {
        g.forts_destroyed += 1;
    }
    for u in g.units_in(a, fort.side).collect::<Vec<_>>() {
        g.unit_mut(u).inside = false;
    }
    for l in g.leaders_in(a, fort.side).collect::<Vec<_>>() {
        g.chief_mut(l).inside = false;
    }
    t.tell(|| format!("The fort at {} is destroyed: +4 VPs.", g.name(a)));
}
