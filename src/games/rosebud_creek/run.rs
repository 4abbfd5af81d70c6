//! Hit & Run (16.G, 7.L), an optional rule.

use super::{
    State, T, ammo,
    components::{LeaderId, Side, UnitId},
    doctrine::FireWill,
    fire::{self, Target, Volley},
    leaders,
    movement::Mover,
    volley::{self, Fires},
};
use postrider_table::{Refusal, hex::Hex, refuse};

/// Returns the single unit of a group with mounted Indians if it may halt and fire at an adjacent
/// unit (16.G).
pub fn check(g: &State, who: &[Mover], at: &str) -> Result<UnitId, Refusal> {
    let units: Vec<UnitId> =
        who.iter().filter_map(|mover| if let Mover::Unit(u) = *mover { Some(u) } else { None }).collect();
    let [u] = units[..] else { return refuse("16.G", "One unit by itself attacks as Hit & Run.") };
    let unit = g.unit(u);
    if unit.did.stacked {
        return refuse(
            "16.G",
            format!("{} has moved with other units, and attacks as Hit & Run by itself.", g.name(u)),
        );
    }
    if unit.did.ran || unit.did.fired.is_some() {
        return refuse("16.G", format!("{} cannot: mounted Indians do it, once a phase.", g.name(u)));
    }
    let to = g.c.unit(at).and_then(|o| g.hex(o).filter(|&hex| fire::is_target(g, hex, Side::Us, Target::Unit(o))));
    // 16.G: the attack is from the hex that the move has reached in the rehearsal.
    let led = |l: &LeaderId| g.chief(*l).with == Some(u) || who.contains(&Mover::Leader(*l));
    if g.c.leader_ids().filter(led).count() > 1 {
        return refuse("16.G", format!("One Leader at most goes with {}.", g.name(u)));
    }
    let beside = to.zip(g.hex(u)).is_some_and(|(a, b)| g.charts.grid.adjacent(a, b));
    if beside { Ok(u) } else { refuse("16.G", format!("{at} is no target beside {}.", g.name(u))) }
}

/// Resolves a Hit & Run attack: the US fires first, then the unit if it has not Routed (16.G).
pub async fn attack(t: &T, g: &mut State, who: &[Mover], at: &str) {
    let (Ok(u), Some(target)) = (check(g, who, at), g.c.unit(at)) else { return };
    let Some(hex) = g.hex(u) else { return };
    g.unit_mut(u).did.ran = true;
    let shots = answers(t, g, u, hex).await;
    for o in shots {
        fire::shoot(t, g, o, Target::Unit(u), Volley::HitAndRun).await;
        if g.unit(u).routed || g.hex(u).is_none() {
            return leaders::join(t, g, hex);
        }
    }
    fire::shoot(t, g, u, Target::Unit(target), Volley::HitAndRun).await;
}

/// Returns the US units that return fire: any that can fire at the hex, regardless of other fire in
/// this phase (16.G).
async fn answers(t: &T, g: &mut State, u: UnitId, hex: Hex) -> Vec<UnitId> {
    let ready = |&o: &UnitId| {
        fire::is_armed(g, o)
            && fire::bears(g, o, hex)
            && ammo::allows(g, o, Volley::HitAndRun)
            && fire::matters(g, o, Target::Unit(u), Volley::HitAndRun)
    };
    let firers: Vec<UnitId> = g.on_map(Side::Us).filter(ready).collect();
    match g.doctrine[Side::Us.index()].opportunity {
        FireWill::Ask if !firers.is_empty() => {
            let prompt = Fires::reaction(Side::Us, Volley::HitAndRun, firers, vec![u]);
            volley::answer(t, g, prompt).await.into_iter().map(|(o, ..)| o).collect()
        }
        will => firers.into_iter().filter(|&o| will.wants(g, o, u, Volley::HitAndRun)).collect(),
    }
}

/// Returns `true` if a unit that has fired may not move into a hex because it is adjacent to a US
/// unit (16.G).
pub fn shuns(g: &State, u: UnitId, to: Hex) -> bool {
    g.unit(u).did.ran && g.charts.grid.neighbours(to).any(|near| g.holds(near, Side::Us))
}
