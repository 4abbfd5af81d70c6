//! Test helpers: positions made by hand.

use super::{
    RosebudCreek, State,
    components::{Class, Components, Kit as _, LeaderId, Outcome, Side, UnitId},
    doctrine::{About, BeforeWill, Doctrine, FireWill},
    fire::{self, Target, Volley},
    leaders, march, melee, rally, setup,
    state::{Mode, Phase, Spot},
    variant::Variant,
};
use postrider_table::{hex::Hex, testing};

/// A single rule applied to a position.
pub type Trial = testing::Trial<RosebudCreek>;
/// A rule in progress.
pub type Running = testing::Running<RosebudCreek>;

pub fn game(variant: Variant) -> State {
    setup::position(Components::builtin().clone(), "historical", variant)
}

/// Returns an empty map in the Indian Player Turn of turn 2.
pub fn bare() -> State {
    bare_with(Variant::default())
}

pub fn bare_with(variant: Variant) -> State {
    let mut g = game(variant);
    for u in g.c.unit_ids() {
        g.put(u, Spot::Pool);
        *g.unit_mut(u) = super::state::Unit::new();
    }
    for l in g.c.leader_ids() {
        *g.chief_mut(l) = super::state::Chief::default();
    }
    (g.turn, g.phase, g.phasing) = (2, Phase::Movement, Side::Indian);
    g
}

pub fn hex(g: &State, id: &str) -> Hex {
    g.charts.grid.hex(id).unwrap_or_else(|| panic!("no hex {id}"))
}

pub fn unit(g: &State, id: &str) -> UnitId {
    g.c.unit(id).unwrap_or_else(|| panic!("no unit {id}"))
}

pub fn leader(g: &State, id: &str) -> LeaderId {
    g.c.leader(id).unwrap_or_else(|| panic!("no leader {id}"))
}

pub fn put(g: &mut State, id: &str, at: &str, mode: Mode) -> UnitId {
    let (u, hex) = (unit(g, id), hex(g, at));
    g.put(u, Spot::On(hex));
    g.unit_mut(u).mode = if g.class(u).walks() { Mode::Dismounted } else { mode };
    g.unit_mut(u).did.from = Some(hex);
    g.unit_mut(u).did.fresh = true;
    if g.class(u) == Class::Train {
        g.unit_mut(u).ammo = 6;
    }
    u
}

pub fn foot(g: &mut State, id: &str, at: &str) -> UnitId {
    put(g, id, at, Mode::Dismounted)
}

pub fn ride(g: &mut State, id: &str, at: &str) -> UnitId {
    put(g, id, at, Mode::Mounted)
}

/// Puts a Leader into a hex, attached to the largest unit there.
pub fn lead(g: &mut State, id: &str, at: &str) -> LeaderId {
    let (l, hex) = (leader(g, id), hex(g, at));
    g.chief_mut(l).spot = Spot::On(hex);
    leaders::settle(g, hex);
    l
}

/// Returns two dice that give a shot this result; their sum is at least 3, because a natural 2
/// endangers Leaders.
pub fn dice_for(g: &State, who: &str, at: &str, volley: Volley, outcome: Outcome) -> [i64; 2] {
    let (u, target) = (unit(g, who), unit(g, at));
    let to = g.hex(target).unwrap_or_else(|| panic!("{at} is not on the map"));
    let drm = fire::modifiers(g, u, Target::Unit(target)).total();
    let (thresholds, far) =
        (fire::thresholds(g, u, to, volley), !g.hex(u).is_some_and(|from| g.charts.grid.adjacent(from, to)));
    let brings = |sum: &i64| fire::result(thresholds, *sum as i32 + drm, far) == outcome;
    let sum = (3..=12).find(brings).unwrap_or_else(|| panic!("no dice bring {outcome:?}"));
    [sum / 2, sum - sum / 2]
}

pub fn at(g: &State, id: &str) -> String {
    g.hex(unit(g, id)).map_or_else(|| "-".to_owned(), |hex| g.id(hex))
}

pub fn far(g: &State, id: &str, from: &str) -> u16 {
    let at = g.hex(unit(g, id)).unwrap_or_else(|| panic!("{id} is not on the map"));
    g.charts.grid.distance(at, hex(g, from))
}

pub fn says(g: &mut State, side: Side, about: About, how: &str) {
    let new = g.doctrine[side.index()].with(about, how, &g.charts.grid);
    g.doctrine[side.index()] = new.unwrap_or_else(|| panic!("{how} is no doctrine"));
}

pub fn quiet(g: &mut State) {
    let (before, no) = (BeforeWill::Stand, FireWill::No);
    g.doctrine = [Doctrine { before, opportunity: no, retreat: no, ..Doctrine::default() }; 2];
}

pub fn rallying(g: &State, side: Side) -> Trial {
    Trial::new(State { phasing: side, ..g.clone() }, |t, mut g| async move {
        rally::phase(&t, &mut g).await;
        g
    })
}

pub fn moving(g: &State, side: Side) -> Trial {
    Trial::new(State { phasing: side, ..g.clone() }, |t, mut g| async move {
        march::phase(&t, &mut g).await;
        g
    })
}

pub fn fighting(g: &State, side: Side) -> Trial {
    Trial::new(State { phasing: side, ..g.clone() }, |t, mut g| async move {
        melee::phase(&t, &mut g).await;
        g
    })
}
