//! Combat after the actions (4.5, 10, 11): sieges, and which combat is fought how.

use super::{
    Ask, State, T,
    asking::{Asking, Place, choose, choose_knowing},
    battle,
    components::{AreaId, Side},
    facts, leaders, skirmish,
};
use postrider_table::Word;

const BATTLE: Word = Word::new("battle");
const SKIRMISH: Word = Word::new("skirmish");
const SIEGE: Word = Word::new("siege");
const ASSAULT: Word = Word::new("assault");
const AGREE: Word = Word::new("fight").or(&["yes"]);
const REFUSE: Word = Word::new("refuse").or(&["no"]);

/// What the side whose units alone are led chooses from (11.1).
pub const BATTLE_OR_SKIRMISH: [Word; 2] = [BATTLE, SKIRMISH];
/// What a besieger chooses from (11.3.2).
pub const SIEGE_OR_ASSAULT: [Word; 2] = [SIEGE, ASSAULT];
/// What a garrison says to an assault, by the option that both must want it (11.3.2).
pub const AGREE_OR_REFUSE: [Word; 2] = [AGREE, REFUSE];

/// 11.3.1: a Siege marker more on each fort under siege; where it is lifted the markers go.
pub fn sieges(t: &T, g: &mut State) {
    for a in g.c.area_ids() {
        let besieged = g.besieged(a);
        if let Some(fort) = &mut g.land_mut(a).fort {
            fort.siege = if besieged { fort.siege.saturating_add(1) } else { 0 };
            let n = fort.siege;
            if n > 0 {
                t.tell(|| format!("Siege of the fort at {}: {n} markers.", g.name(a)));
            }
        }
    }
}

/// `true` if a combat is to be resolved in an area: both sides have units there that fight, or a
/// fort has an enemy before it.
fn contested(g: &State, a: AreaId) -> bool {
    let both = Side::ALL.into_iter().all(|side| g.outside(a, side).next().is_some());
    both || g.besieged(a)
}

/// 4.5, 11.1: `true` if a side's units outside in an area are led: by a leader who can activate one
/// of them.
fn led(g: &State, a: AreaId, side: Side) -> bool {
    g.outside(a, side)
        .any(|u| g.leaders_in(a, side).any(|l| !g.chief(l).inside && !g.chief(l).raiding && g.leads(l, u)))
}

/// 4.5: all combats, chosen by the sides in turn, the one with the initiative first.
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
        side = side.enemy();
    }
    lone_leaders(t, g).await;
    lift(g);
    leaders::settle_militia(t, g).await;
}

/// 11.1: leaders who have no units of their side with them leave before enemies.
async fn lone_leaders(t: &T, g: &mut State) {
    for side in [g.initiative, g.initiative.enemy()] {
        for a in g.c.area_ids() {
            skirmish::lone_leaders(t, g, a, side).await;
        }
    }
}

/// 11.3.1: no Siege marker stays where nobody besieges any more.
pub fn lift(g: &mut State) {
    for a in g.c.area_ids() {
        let besieged = g.besieged(a);
        if let Some(fort) = g.land_mut(a).fort.as_mut().filter(|_| !besieged) {
            fort.siege = 0;
        }
    }
}

/// 10.0, 11.1, 11.3.2: what is fought in an area.
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

/// 11.3.2, 4.5: the besieger goes on with the siege or assaults the fort; by an option both must want it.
async fn siege(t: &T, g: &mut State, a: AreaId, besieger: Side) {
    let asking = Asking { kind: Ask::Assault, rule: "11.3.2", title: "Siege or assault" };
    let line = move |g: &State| {
        let inside = g.fighters(a, besieger.enemy()).filter(|&u| g.unit(u).inside).count();
        let n = g.fort(a).map_or(0, |fort| fort.siege);
        format!("The fort at {}: {inside} units inside, {n} Siege markers.", g.name(a))
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
