//! Opportunity Fire (9.F) and Retreat Fire (9.G).

use super::{
    State, T, ammo, charge,
    components::{Class, Side, UnitId},
    doctrine::FireWill,
    fire::{self, Target, Volley},
    state::{Phase, Volume},
    volley::{self, Fires},
    zoc,
};
use postrider_table::hex::Hex;

/// Returns the units that can fire at pieces in a hex according to 9.F or 9.G.
fn firers(g: &State, hex: Hex, side: Side, volley: Volley, fighting: &[UnitId]) -> Vec<UnitId> {
    let ready = |&u: &UnitId| {
        let did = &g.unit(u).did;
        // 16.A: a charging unit must attack, which Opportunity Fire would bar (10.B).
        let charges = || matches!(volley, Volley::Opportunity(_)) && charge::binds(g, u).is_some();
        let fights = g.phase == Phase::Melee && (did.fought || charges());
        let able = fire::is_armed(g, u) && ammo::allows(g, u, loaded(g, u, volley));
        able && !did.reacted && !fights && !fighting.contains(&u)
    };
    zoc::exerting(g, hex, side).filter(ready).collect()
}

/// Returns the fire of a unit, at half strength if it has only half a box left (14.D).
fn loaded(g: &State, u: UnitId, volley: Volley) -> Volley {
    volley.of(if ammo::allows(g, u, volley) { Volume::Full } else { Volume::Half })
}

impl FireWill {
    /// Returns `true` if a doctrine has a unit fire at another; never for `Ask`.
    pub fn wants(self, g: &State, u: UnitId, at: UnitId, volley: Volley) -> bool {
        match self {
            FireWill::No | FireWill::Ask => false,
            FireWill::Yes => true,
            FireWill::Cavalry => g.class(at) == Class::Cavalry,
            FireWill::Chance(n) => {
                let (_, losses) = fire::chances(g, u, Target::Unit(at), volley);
                u32::from(losses) * 100 >= u32::from(n) * 36
            }
        }
    }
}

/// Resolves Opportunity Fire at units that leave an enemy ZOC together (9.F). All firers are named
/// before any of them fires.
///
/// Returns `true` if any unit fired.
pub async fn opportunity(t: &T, g: &mut State, leaving: &[UnitId]) -> bool {
    opportunity_but(t, g, leaving, &[]).await
}

/// Like [`opportunity`], but the units in `fighting` do not fire (10.B).
pub async fn opportunity_but(t: &T, g: &mut State, leaving: &[UnitId], fighting: &[UnitId]) -> bool {
    let Some((first, hex)) = leaving.first().and_then(|&u| Some((u, g.hex(u)?))) else { return false };
    let side = g.side(first);
    // Another unit that stays in the hex negates the ZOC (5).
    if g.of_side(hex, side).any(|u| !leaving.contains(&u)) {
        return false;
    }
    react(t, g, leaving, hex, Volley::Opportunity(Volume::Full), fighting).await
}

/// Resolves Retreat Fire at a unit that has entered an enemy ZOC by a Retreat or Rout (9.G).
pub async fn retreat_fire(t: &T, g: &mut State, u: UnitId) {
    if let Some(hex) = g.hex(u) {
        react(t, g, &[u], hex, Volley::Retreat(Volume::Full), &[]).await;
    }
}

/// Resolves reaction fire. Returns `true` if any unit fired, or its owner was asked.
async fn react(t: &T, g: &mut State, at: &[UnitId], hex: Hex, volley: Volley, fighting: &[UnitId]) -> bool {
    let Some(&first) = at.first() else { return false };
    let side = g.side(first).enemy();
    let firers = firers(g, hex, side, volley, fighting);
    if firers.is_empty() {
        return false;
    }
    let doctrine = &g.doctrine[side.index()];
    let retreats = matches!(volley, Volley::Retreat(_));
    let will = if retreats { doctrine.retreat } else { doctrine.opportunity };
    let best = |u: UnitId| {
        let shots = at.iter().map(|&to| (fire::chances(g, u, Target::Unit(to), loaded(g, u, volley)), to));
        shots.max_by_key(|&((checks, losses), to)| (losses, checks, std::cmp::Reverse(to)))
    };
    let apt: Vec<(UnitId, UnitId)> = firers
        .iter()
        .filter_map(|&u| best(u).map(|(_, to)| (u, to)))
        .filter(|&(u, to)| fire::matters(g, u, Target::Unit(to), loaded(g, u, volley)))
        .collect();
    if apt.is_empty() {
        return false;
    }
    let shots: Vec<(UnitId, UnitId, Volley)> = if will == FireWill::Ask {
        let prompt = Fires::reaction(side, volley, apt.iter().map(|shot| shot.0).collect(), at.to_vec());
        volley::answer(t, g, prompt).await
    } else {
        let wanted = apt.into_iter().filter(|&(u, to)| will.wants(g, u, to, loaded(g, u, volley)));
        wanted.map(|(u, to)| (u, to, loaded(g, u, volley))).collect()
    };
    let stirred = !shots.is_empty() || will == FireWill::Ask;
    for &(u, ..) in &shots {
        let did = &mut g.unit_mut(u).did;
        (did.reacted, did.sniped) = (true, did.sniped || !retreats);
    }
    for (u, to, volley) in shots {
        // All named units fire, as long as there is a target.
        let there = g.hex(to) == Some(hex) && !g.unit(to).abandoned;
        if there && fire::is_armed(g, u) {
            fire::shoot(t, g, u, Target::Unit(to), volley).await;
        } else if fire::is_armed(g, u) {
            fire::waste(t, g, u, volley);
        }
    }
    stirred
}
