//! The movements after a melee: pursuit of units that retreated before it (10.H.2), and advance
//! into vacated hexes (10.H.3).

use super::{
    Ask, Order, State, T,
    asking::{Asking, Named, choose, choose_at},
    before,
    components::{Class, LeaderId, Num, UnitId},
    duties, eagle,
    facts::Scene,
    leaders, melee,
    state::{Attacked, Mode, Spot},
    victory, zoc,
};
use postrider_table::{
    NO, Refusal, Word, YES,
    chart::Ratio,
    hex::{Hex, Step},
    refuse,
};

/// The decision of pursuers to attack again (10.H.2); with `Ask` also the one to pursue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Again {
    Always,
    /// Attack at this odds column or better; otherwise there is no pursuit either.
    From(usize),
    Never,
    Ask,
}

impl Again {
    /// Returns the decision in an order.
    pub fn of(g: &State, said: &str) -> Again {
        match said {
            Order::NEVER => Again::Never,
            Order::ASK => Again::Ask,
            odds => melee::column_of(g, odds).map_or(Again::Always, Again::From),
        }
    }
}

/// The actions of attackers after all defenders have left (10.H.2, 10.H.3).
pub struct Chase {
    /// The units that pursue.
    pub pursuing: Vec<UnitId>,
    pub again: Again,
    /// The units that advance.
    pub advancing: Vec<UnitId>,
    /// `true` if these units were named, so that pursuers among them may return to the hex attacked
    /// first.
    pub named: bool,
}

/// Checks the pursuing and advancing units and the hex to retreat from in an order.
///
/// # Errors
/// A [`Refusal`] if a unit or hex has no part in the attack.
pub fn check(
    g: &State,
    at: Hex,
    units: &[UnitId],
    pursuing: &[String],
    advancing: &[String],
    from: &str,
) -> Result<(), Refusal> {
    if let Some(name) = pursuing.iter().find(|name| !g.c.unit(name).is_some_and(|u| units.contains(&u))) {
        return refuse("10.H.2", format!("{name} is not among those who attack, and so does not pursue."));
    }
    // 10.H.3: all attackers of the phase may advance, also those who attack another hex, before or
    // after this one.
    let others = melee::Assault { side: g.phasing }.targets(g).into_iter().filter(|&(hex, _)| hex != at);
    let others: Vec<UnitId> = others.flat_map(|(_, units)| units).collect();
    let attacks =
        |u: UnitId| units.contains(&u) || others.contains(&u) || g.side(u) == g.phasing && g.unit(u).did.fought;
    let of = |name: &&String| g.c.unit(name).is_some_and(attacks);
    if let Some(name) = advancing.iter().find(|name| !of(name)) {
        return refuse("10.H.3", format!("{name} does not attack and so does not advance."));
    }
    let hex = g.charts.grid.hex(from);
    if !from.is_empty() && !units.iter().any(|&u| hex.is_some() && g.hex(u) == hex) {
        return refuse("10.I", format!("None of those who attack is in {from}."));
    }
    Ok(())
}

/// Returns `true` if the odds against the retreated units reach a column in any of their hexes
/// (10.H.2).
fn promises(g: &State, attackers: &[UnitId], gone: &[UnitId], column: usize) -> bool {
    gone.iter().filter_map(|&u| g.hex(u)).any(|hex| {
        let all = |u: &UnitId| melee::attack_strength(g, *u, hex);
        let defence = melee::defenders(g, attackers, hex).iter().map(|&u| melee::defence_strength(g, u)).sum::<Ratio>();
        g.charts.odds.find(attackers.iter().map(all).sum::<Ratio>(), defence) >= column
    })
}

/// Resolves pursuit of retreated units (10.H.2). Each stack needs a die of 1 or 2, after which its
/// player may be asked; charging units need none. Pursuers adjacent to the retreated units may start another melee, before which no
/// unit may retreat.
pub async fn chase(t: &T, g: &mut State, attackers: &[UnitId], at: Hex, gone: &[UnitId], will: Chase) {
    let mut stacks: Vec<Hex> = attackers.iter().filter_map(|&u| g.hex(u)).collect();
    stacks.sort_unstable();
    stacks.dedup();
    let pursue = match will.again {
        Again::From(column) => promises(g, &will.pursuing, gone, column),
        _ => true,
    };
    let (mut hunters, mut charged) = (Vec::new(), Vec::new());
    for stack in stacks {
        let all: Vec<UnitId> = attackers.iter().copied().filter(|&u| g.hex(u) == Some(stack)).collect();
        let (must, may): (Vec<UnitId>, Vec<UnitId>) = all.iter().partition(|&&u| g.unit(u).did.charge == Some(at));
        let may: Vec<UnitId> = may.into_iter().filter(|u| pursue && will.pursuing.contains(u)).collect();
        charged.extend(&must);
        let goes = !may.is_empty() && follows(t, g, &may, stack, gone, will.again).await;
        for u in all.into_iter().filter(|u| must.contains(u) || goes && may.contains(u)) {
            if hunt(t, g, u, gone, will.again).await {
                hunters.push(u);
            }
        }
    }
    // 16.A: a pursuit is not a charge.
    charged.iter().for_each(|&u| g.unit_mut(u).did.charge = None);
    // 10.H.3: a pursuer returns to the hex that it first attacked only if its player named it.
    let first = g.attacked.iter_mut().filter(|attacked| attacked.at == at && !will.named);
    first.for_each(|attacked| attacked.advancing.retain(|u| !hunters.contains(u)));
    // One melee for each hex with retreated units.
    let mut hexes: Vec<Hex> = gone.iter().filter_map(|&u| g.hex(u)).collect();
    hexes.sort_unstable();
    hexes.dedup();
    for hex in hexes {
        let beside = |u: &UnitId| {
            let near = g.hex(*u).is_some_and(|from| g.charts.grid.adjacent(from, hex) && !g.charts.cliff(from, hex));
            near && !g.unit(*u).routed && !melee::is_closed(g, *u)
        };
        let units: Vec<UnitId> = hunters.iter().copied().filter(beside).collect();
        if units.is_empty() || !g.holds(hex, g.phasing.enemy()) {
            continue;
        }
        let units = again(t, g, units, &charged, hex, will.again).await;
        if units.is_empty() {
            continue;
        }
        // 10.B: units of one hex attack one hex.
        let from: Vec<Hex> = units.iter().filter_map(|&u| g.hex(u)).collect();
        hunters.retain(|&u| g.hex(u).is_some_and(|at| !from.contains(&at)));
        let advancing = units.iter().copied().filter(|u| will.advancing.contains(u)).collect();
        g.attacked.push(Attacked { at: hex, from: Vec::new(), advancing });
        melee::overwhelm(t, g, hex, &units).await;
        if melee::defenders(g, &units, hex).is_empty() {
            continue;
        }
        melee::fight(t, g, &units, hex, None).await;
    }
}

/// Rolls for the pursuit of a stack, and asks its player after a success if he wants that. Returns
/// `true` if it pursues (10.H.2).
async fn follows(t: &T, g: &mut State, units: &[UnitId], stack: Hex, gone: &[UnitId], will: Again) -> bool {
    let die = t.d6("pursuit");
    let yes = die <= i64::from(g.c.n(Num::PursuitYes));
    t.tell(|| format!("Pursuit from {}: {die}: {}.", g.id(stack), if yes { "yes" } else { "no" }));
    let fled: Vec<UnitId> = gone.iter().copied().filter(|&u| g.hex(u).is_some()).collect();
    if !yes || will != Again::Ask || fled.is_empty() {
        return yes;
    }
    let asking = Asking { kind: Ask::Pursue, rule: "10.H.2", title: "Whether a stack pursues" };
    let line = format!("{} pursue {} from {}.", g.all_do(units, "may"), g.all_called(&fled), g.id(stack));
    let scene = Scene { at: Some(stack), units: units.to_vec(), attackers: Vec::new() };
    choose_at(t, g, g.side(units[0]), asking, vec![YES, NO], (line, scene)).await == YES
}

/// Returns the pursuers adjacent to a hex that attack it: as the player decides, but charging units
/// must attack (10.H.2, 16.A).
async fn again(t: &T, g: &mut State, units: Vec<UnitId>, charged: &[UnitId], hex: Hex, will: Again) -> Vec<UnitId> {
    let battle = melee::reckon(g, &units, hex);
    let all = match will {
        Again::Always => true,
        Again::From(column) => battle.column >= column,
        Again::Never => false,
        Again::Ask => {
            let asking = Asking { kind: Ask::PursuitAttack, rule: "10.H.2", title: "Whether pursuers attack again" };
            let line = format!(
                "{} can attack {} in {}: odds {}.",
                g.all_called(&units),
                g.all_called(&melee::defenders(g, &units, hex)),
                g.id(hex),
                g.charts.odds.label(battle.column)
            );
            let both: Vec<Word> = vec![YES, NO];
            choose(t, g, g.seat(g.side(units[0])), asking, both, move |_| line.clone()).await == YES
        }
    };
    units.into_iter().filter(|u| all || charged.contains(u)).collect()
}

/// Moves a pursuer closer to a retreated unit, also through hexes without room or around them;
/// stacking binds only where it ends (6, 10.H.2). It comes as close as it can to the nearest one, or
/// where its player says if he is asked. Returns `true` if it moved.
async fn hunt(t: &T, g: &mut State, u: UnitId, gone: &[UnitId], will: Again) -> bool {
    let Some(start) = g.hex(u).filter(|&at| !leaves_ponies(g, u, at)) else { return false };
    let hexes = g.c.steps(if before::rides(g, u) { Num::PursuitMounted } else { Num::PursuitDismounted });
    let (side, far) = (g.side(u), |a: Hex, b: Hex| g.charts.grid.distance(a, b));
    let prey: Vec<Hex> = gone.iter().filter_map(|&o| g.hex(o)).collect();
    let step = |from: Hex, to: Hex| {
        let open = !g.charts.cliff(from, to) && !g.holds(to, side.enemy());
        (open && duties::lets(g, u, from, to)).then(|| Step::of(1))
    };
    let reach = g.charts.grid.reach(start, hexes, step);
    let closer = |hex: Hex| prey.iter().any(|&at| far(hex, at) < far(start, at));
    let ends = reach.each().filter(|&(hex, _)| closer(hex) && zoc::fits(g, hex, u));
    let mut ends: Vec<_> = ends.map(|(hex, mps)| (prey.iter().map(|&at| far(hex, at)).min(), mps, hex)).collect();
    ends.sort_unstable();
    if will != Again::Ask {
        ends.truncate(1);
    }
    let ends: Vec<_> = ends.into_iter().map(|(.., hex)| Named::new(g.id(hex), hex)).collect();
    if ends.is_empty() {
        return false;
    }
    let asking = Asking { kind: Ask::Advance, rule: "10.H.2", title: "Into which hex a unit pursues" };
    let line = format!("{} from {}.", g.does(u, "pursues"), g.id(start));
    let scene = Scene { at: Some(start), units: vec![u], attackers: Vec::new() };
    let end = choose_at(t, g, side, asking, ends, (line, scene)).await.value;
    for to in reach.way(end).into_iter().flatten().skip(1) {
        enter(t, g, u, to);
    }
    t.tell(|| format!("{} to {}.", g.does(u, "pursues"), g.id(end)));
    true
}

/// Returns `true` if too many Pony Holders would remain in a hex without this unit (6.E).
fn leaves_ponies(g: &State, u: UnitId, from: Hex) -> bool {
    let (ponies, others): (Vec<UnitId>, Vec<UnitId>) =
        g.of_side(from, g.side(u)).filter(|&o| o != u).partition(|&o| g.class(o) == Class::PonyHolder);
    ponies.len() > zoc::pony_limit(g, others.len())
}

/// Moves a unit and its Leaders into a hex without enemies, by pursuit or advance.
fn enter(t: &T, g: &mut State, u: UnitId, to: Hex) {
    let along: Vec<LeaderId> = leaders::attached(g, u).collect();
    let from = g.hex(u);
    g.put(u, Spot::On(to));
    g.unit_mut(u).did.from = Some(to);
    for l in along {
        g.chief_mut(l).spot = Spot::On(to);
    }
    leaders::overrun(t, g, to, g.side(u));
    victory::objective(t, g, u);
    eagle::watch(t, g);
    for hex in [from, Some(to)].into_iter().flatten() {
        leaders::join(t, g, hex);
    }
}

/// Resolves advances after the last melee (10.H.3). Units that have attacked and are still in their
/// hexes may each advance into one vacated hex of the player's choice.
pub async fn advances(t: &T, g: &mut State) {
    let attacked = std::mem::take(&mut g.attacked);
    let mut due: Vec<UnitId> = Vec::new();
    for u in attacked.iter().flat_map(|attacked| &attacked.advancing) {
        if !due.contains(u) {
            due.push(*u);
        }
    }
    for u in due {
        let wanted = attacked.iter().filter(|attacked| attacked.advancing.contains(&u)).map(|attacked| attacked.at);
        let open: Vec<Hex> = wanted.filter(|&at| may_advance(g, u, at)).collect();
        let Some(from) = g.hex(u).filter(|_| !open.is_empty()) else { continue };
        let asking = Asking { kind: Ask::Advance, rule: "10.H.3", title: "Into which hex a unit advances" };
        let line = format!("{} advance from {}.", g.does(u, "may"), g.id(from));
        let scene = Scene { at: Some(from), units: vec![u], attackers: Vec::new() };
        let open: Vec<_> = open.into_iter().map(|at| Named::new(g.id(at), at)).collect();
        let at = choose_at(t, g, g.side(u), asking, open, (line, scene)).await.value;
        enter(t, g, u, at);
        g.unit_mut(u).did.from = None;
        t.tell(|| format!("{} to {}.", g.does(u, "advances"), g.id(at)));
    }
}

/// Returns `true` if a unit can advance into a hex that was attacked (10.H.3).
fn may_advance(g: &State, u: UnitId, at: Hex) -> bool {
    let unit = g.unit(u);
    let stays = |from: &Hex| unit.did.fought && unit.did.from == Some(*from) && !unit.routed && !unit.pinned;
    unit.spot.hex().filter(stays).is_some_and(|from| {
        g.charts.grid.adjacent(from, at)
            && !g.charts.cliff(from, at)
            && !g.holds(at, g.side(u).enemy())
            && zoc::fits(g, at, u)
            && duties::lets(g, u, from, at)
            && !leaves_ponies(g, u, from)
            && g.posture(u) != Mode::Prone
    })
}
