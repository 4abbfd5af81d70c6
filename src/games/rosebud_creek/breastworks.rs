//! Breastworks (16.C).

use super::{
    State, T,
    components::{Class, Num, Side, UnitId},
    eagle,
    movement::Mover,
    state::{Mode, Volume, Work},
};
use postrider_table::{Refusal, refuse};

/// Returns `true` if a unit has all its MPs, and need not spend them to go back (16.D). A Pack Train may have given ammunition or boxes; who builds
/// or loads must not be halted besides.
fn is_idle(g: &State, u: UnitId) -> bool {
    let unit = g.unit(u);
    unit.spot.hex().is_some()
        && !unit.pinned
        && !unit.routed
        && unit.did.spent == 0
        && unit.did.fired != Some(Volume::Full)
        && !eagle::is_due(g, Mover::Unit(u))
}

/// Returns the Pack Trains near a unit that have not moved.
fn trains(g: &State, u: UnitId) -> impl Iterator<Item = UnitId> + '_ {
    let at = g.hex(u);
    g.on_map(Side::Us).filter(move |&train| {
        let near = at
            .zip(g.hex(train))
            .is_some_and(|(a, b)| g.charts.grid.distance(a, b) <= g.c.steps(Num::BreastworksWithin));
        g.class(train) == Class::Train && near && !g.unit(train).abandoned && is_idle(g, train)
    })
}

/// Returns the unit that can build Breastworks, and the train that supplies them (16.C).
///
/// # Errors
/// A [`Refusal`] with the reason why it cannot.
pub fn may_build(g: &State, side: Side, who: &str) -> Result<(UnitId, UnitId), Refusal> {
    let Some(u) = g.c.unit(who).filter(|&u| side == Side::Us && g.side(u) == Side::Us && g.class(u) != Class::Train)
    else {
        return refuse("16.C", format!("There is no {who} that could build; only US units do."));
    };
    let unit = g.unit(u);
    if !is_idle(g, u) || unit.did.halted || unit.works || unit.mode == Mode::Mounted && g.class(u) != Class::Hq {
        return refuse(
            "16.C",
            format!("{who} cannot build now: on foot, with all its MPs, neither Pinned nor Routed."),
        );
    }
    if g.builders == Some(0) {
        return refuse("16.C", "No more units may build in this turn.");
    }
    if g.works.len() >= g.c.n(Num::BreastworksCounters) as usize {
        return refuse("16.C", "All Breastworks are on the map.");
    }
    let most = g.c.n(Num::BreastworksPerTrain) as usize;
    let free = |&train: &UnitId| g.works.iter().filter(|work| work.train == train).count() < most;
    match trains(g, u).find(free) {
        Some(train) => Ok((u, train)),
        None => refuse("16.C", format!("No Pack Train with boxes left stands still within two hexes of {who}.")),
    }
}

/// Builds Breastworks with a unit; the first one of a phase rolls the maximum number of builders
/// (16.C).
pub fn build(t: &T, g: &mut State, who: &str) {
    let Ok((u, train)) = may_build(g, Side::Us, who) else { return };
    let Some(hex) = g.hex(u) else { return };
    let left = match g.builders {
        Some(left) => left,
        None => {
            let die = t.d6("breastworks");
            t.tell(|| format!("{} may build Breastworks in this turn.", postrider_orders::counted(die, "unit")));
            // A die of at most 6.
            die as u8
        }
    };
    g.builders = Some(left.saturating_sub(1));
    g.works.push(Work { hex, train, unit: Some(u), ready: false });
    let unit = g.unit_mut(u);
    unit.did.halted = true;
    if unit.mode == Mode::Prone {
        unit.mode = Mode::Dismounted;
    }
    g.unit_mut(train).did.halted = true;
    t.tell(|| format!("{} Breastworks in {}.", g.does(u, "builds"), g.id(hex)));
}

/// Returns the unit that can load Breastworks of its hex back onto their train, and their index
/// (16.C).
///
/// # Errors
/// A [`Refusal`] with the reason why it cannot.
pub fn may_load(g: &State, side: Side, who: &str) -> Result<(UnitId, usize), Refusal> {
    let Some(u) = g.c.unit(who).filter(|&u| side == Side::Us && g.side(u) == Side::Us) else {
        return refuse("16.C", format!("There is no {who} of yours."));
    };
    if !is_idle(g, u) || g.unit(u).did.halted {
        return refuse("16.C", format!("{who} needs its entire Movement Phase for that."));
    }
    let near: Vec<UnitId> = trains(g, u).collect();
    let fit = |work: &Work| Some(work.hex) == g.hex(u) && work.ready && near.contains(&work.train);
    // Its own first, then those over nobody.
    let works = g.works.iter().enumerate().filter(|(_, work)| fit(work));
    let work = works.min_by_key(|(_, work)| (work.unit != Some(u), work.unit.is_some())).map(|(at, _)| at);
    match work {
        Some(at) => Ok((u, at)),
        None => refuse("16.C", "There are no Breastworks in its hex whose Pack Train stands still within two hexes."),
    }
}

/// Loads Breastworks back onto their train (16.C).
pub fn load(t: &T, g: &mut State, who: &str) {
    let Ok((u, at)) = may_load(g, Side::Us, who) else { return };
    let work = g.works.remove(at);
    if let Some(under) = work.unit {
        g.unit_mut(under).works = false;
    }
    g.unit_mut(u).did.halted = true;
    g.unit_mut(work.train).did.halted = true;
    t.tell(|| format!("{} the Breastworks of {} again.", g.does(u, "loads"), g.id(work.hex)));
}

/// Places units on foot under the Breastworks of their hex at the end of the US Player Turn (16.C).
pub fn settle(t: &T, g: &mut State) {
    let covered = |g: &State| g.c.unit_ids().filter(|&u| g.unit(u).works).collect::<Vec<_>>();
    let before = covered(g);
    for at in 0..g.works.len() {
        let work = g.works[at];
        let under = |g: &State, u: UnitId| {
            let on_foot = g.unit(u).mode != Mode::Mounted || g.class(u) == Class::Hq;
            g.hex(u) == Some(work.hex) && g.side(u) == Side::Us && on_foot && !g.unit(u).routed
        };
        let kept = work.unit.filter(|&u| under(g, u));
        let free =
            |&u: &UnitId| under(g, u) && !g.unit(u).works && !g.class(u).is_holder() && g.class(u) != Class::Train;
        let unit = kept.or_else(|| g.here(work.hex).find(free));
        if let Some(u) = work.unit.filter(|_| kept.is_none()) {
            g.unit_mut(u).works = false;
        }
        g.works[at] = Work { unit, ready: true, ..work };
        if let Some(u) = unit {
            let unit = g.unit_mut(u);
            unit.works = true;
            if unit.mode == Mode::Prone {
                unit.mode = Mode::Dismounted;
            }
        }
    }
    for u in covered(g).into_iter().filter(|u| !before.contains(u)) {
        t.tell(|| format!("{} under Breastworks.", g.does(u, "is")));
    }
}
