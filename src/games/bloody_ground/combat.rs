//! Combat after the actions (4.5, 10, 11): sieges, and the kind of each combat.

use super::{
    Ask, State, T,
    asking::{Asking, Place, choose, choose_knowing},
    battle, british,
    components::{AreaId, Side},
    facts, leaders, skirmish,
};
use postrider_orders::counted;
use postrider_table::Word;

const BATTLE: Word = Word::new("battle");
const SKIRMISH: Word = Word::new("skirmish");
const SIEGE: Word = Word::new("siege");
const ASSAULT: Word = Word::new("assault");
const AGREE: Word = Word::new("fight").or(&["yes"]);
const REFUSE: Word = Word::new("refuse").or(&["no"]);

/// The choices of a side whose units are led while those of the enemy are not (11.1).
pub const BATTLE_OR_SKIRMISH: [Word; 2] = [BATTLE, SKIRMISH];
/// The choices of a besieger (11.3.2).
pub const SIEGE_OR_ASSAULT: [Word; 2] = [SIEGE, ASSAULT];
/// The answers of a garrison to an assault, under the option that both sides must agree (11.3.2).
pub const AGREE_OR_REFUSE: [Word; 2] = [AGREE, REFUSE];

/// Adds a Siege marker to each besieged fort, and removes the markers of the others (11.3.1).
pub fn sieges(t: &T, g: &mut State) {
    for a in g.c.area_ids() {
        let besieged = g.besieged(a);
        if let Some(fort) = &mut g.land_mut(a).fort {
            fort.siege = if besieged { fort.siege.saturating_add(1) } else { 0 };
            let n = fort.siege;
            if n > 0 {
                t.tell(|| format!("Siege of the fort at {}: {}.", g.name(a), counted(n, "marker")));
            }
        }
    }
}

/// Returns `true` if there is a combat in an area: both sides have units outside a fort there, or a
/// fort is besieged.
fn contested(g: &State, a: AreaId) -> bool {
    let both = Side::ALL.into_iter().all(|side| g.outside(a, side).next().is_some());
    both || g.besieged(a)
}

/// Returns `true` if a side's units outside the fort are led, by a leader who can activate one of
/// them (4.5, 11.1).
fn led(g: &State, a: AreaId, side: Side) -> bool {
    g.outside(a, side).any(|u| g.leaders_outside(a, side).any(|l| g.leads(l, u)))
}

/// Resolves all combats. The sides choose alternately, starting with the side that has the
/// initiative (4.5).
pub async fn phase(t: &T, g: &mut State) {
    sieges(t, g);
    lone_leaders(t, g).await;
    let mut left: Vec<AreaId> = g.c.area_ids().filter(|&a| contested(g, a)).collect();
    let mut side = g.initiative;
    loop {
        left.retain(|&a| contested(g, a));
        if left.is_empty() {
            break;
        }
        let asking = Asking { kind: Ask::Combat, rule: "4.5", title: "Which combat is resolved next" };
        let at =
            choose(t, g, g.seat(side), asking, left.iter().copied().map(Place).collect(), |_| String::new()).await.0;
        left.retain(|&a| a != at);
        resolve(t, g, at).await;
        british::dorchester_leaves(t, g);
        side = side.enemy();
    }
    lone_leaders(t, g).await;
    lift(g);
    leaders::settle_militia(t, g).await;
}

/// Moves leaders without friendly units away from enemies (11.1).
async fn lone_leaders(t: &T, g: &mut State) {
    for side in [g.initiative, g.initiative.enemy()] {
        for a in g.c.area_ids() {
            skirmish::lone_leaders(t, g, a, side).await;
        }
    }
}

/// Removes the Siege markers of forts that are not besieged any more (11.3.1).
pub fn lift(g: &mut State) {
    for a in g.c.area_ids() {
        let besieged = g.besieged(a);
        if let Some(fort) = g.land_mut(a).fort.as_mut().filter(|_| !besieged) {
            fort.siege = 0;
        }
    }
}

/// Resolves the combat in an area (10.0, 11.1, 11.3.2).
async fn resolve(t: &T, g: &mut State, a: AreaId) {
    if let Some(besieger) = g.fort(a).map(|fort| fort.side.enemy()).filter(|_| g.besieged(a)) {
        return siege(t, g, a, besieger).await;
    }
    let led = Side::ALL.map(|side| led(g, a, side));
    let fights = match led {
        [true, true] => true,
        [false, false] => false,
        [us, _] => {
            let side = if us { Side::Us } else { Side::Na };
            let asking = Asking { kind: Ask::CombatKind, rule: "11.1", title: "Battle or skirmish" };
            let line = move |g: &State| format!("Your units at {} are led, those of the enemy are not.", g.name(a));
            let known = move |g: &State| facts::meeting(g, a, side, g.fighters(a, side).count());
            choose_knowing(t, g, side, asking, BATTLE_OR_SKIRMISH.to_vec(), line, known).await == BATTLE
        }
    };
    if fights {
        battle::at(t, g, a).await;
    } else {
        skirmish::open(t, g, a).await;
    }
}

/// Asks the besieger to continue the siege or assault the fort; with the option, the garrison must
/// agree to an assault (11.3.2, 4.5).
async fn siege(t: &T, g: &mut State, a: AreaId, besieger: Side) {
    let asking = Asking { kind: Ask::Assault, rule: "11.3.2", title: "Siege or assault" };
    let line = move |g: &State| {
        let inside = g.fighters(a, besieger.enemy()).filter(|&u| g.unit(u).inside).count();
        let n = g.fort(a).map_or(0, |fort| fort.siege);
        format!("The fort at {}: {} inside, {}.", g.name(a), counted(inside, "unit"), counted(n, "Siege marker"))
    };
    let known = move |g: &State| facts::siege(g, a, besieger);
    if choose_knowing(t, g, besieger, asking, SIEGE_OR_ASSAULT.to_vec(), line, known).await == SIEGE {
        return;
    }
    let garrison = g.fighters(a, besieger.enemy()).any(|u| g.unit(u).inside);
    if g.variant.assault_agreed && garrison {
        let asking = Asking { kind: Ask::Assault, rule: "11.3.2", title: "Whether you fight the assault" };
        let line = move |g: &State| format!("The besiegers of {} want to assault it.", g.name(a));
        let known = move |g: &State| facts::siege(g, a, besieger.enemy());
        if choose_knowing(t, g, besieger.enemy(), asking, AGREE_OR_REFUSE.to_vec(), line, known).await == REFUSE {
            return;
        }
    }
    skirmish::assault(t, g, a, besieger).await;
}
