//! Forces that act together, and second activations (9.3, 9.4.2).

use super::{
    Ask, State, T,
    asking::{Asking, Named, choose},
    components::{Drm, KindId, LeaderId, Post, Season, Side},
    order::{Count, Which},
    state::{Force, Spot, UnitId},
};
use postrider_orders::with_article;
use postrider_table::{
    Refusal, refuse,
    status::{Condition, LevelCheck},
};
use std::collections::BTreeSet;

/// Returns `true` if a unit can still be activated this turn (9.3).
pub fn can_act(g: &State, u: UnitId) -> bool {
    let unit = g.unit(u);
    let second = unit.acts == 0 || (unit.acts == 1 && !unit.starved && unit.condition == Condition::Normal);
    !unit.done && !unit.raiding && second && g.is_face_up(u)
}

/// Returns `true` if a leader can still be activated this turn. Leaders of peaceful nations cannot
/// act.
pub fn can_lead(g: &State, l: LeaderId) -> bool {
    let chief = g.chief(l);
    !chief.done && !chief.raiding && g.is_up(l) && (chief.acts == 0 || (chief.acts == 1 && !chief.starved))
}

/// Returns the words for a count of units: `fresh regular`, or the kind alone.
fn said_which(count: &Count) -> String {
    count.which.map_or_else(|| count.what.clone(), |which| format!("{} {}", which.word(), count.what))
}

/// Checks that an order may select like units by their state here.
///
/// # Errors
/// A [`Refusal`] if it selects a leader this way: no two leaders are alike.
pub fn may_single_out(g: &State, count: &Count) -> Result<(), Refusal> {
    match count.which {
        Some(_) if g.c.leader(&count.what).is_some() => refuse("9.3", format!("There is one {} only.", count.what)),
        _ => Ok(()),
    }
}

/// Returns `true` if a unit has the state that an order asks for (9.3).
pub fn is_meant(g: &State, u: UnitId, count: &Count) -> bool {
    let unit = g.unit(u);
    count.which.is_none_or(|which| match which {
        Which::Fresh => unit.acts == 0,
        Which::Acted => unit.acts == 1,
        Which::Rifled => unit.rifle,
        Which::Unrifled => !unit.rifle,
        Which::Disrupted => unit.condition == Condition::Disrupted,
        Which::Sound => unit.condition == Condition::Normal,
    })
}

/// Sort key of like units when an order for an action names only a number: the units that can do
/// most come first, then those without rifles.
fn to_act(g: &State, u: UnitId) -> [u8; 5] {
    let unit = g.unit(u);
    [unit.acts, unit.condition as u8, unit.starved.into(), unit.inside.into(), unit.rifle.into()]
}

/// Sort key of like units when an order for a raid names only a number. All units that may raid do
/// so equally well, so those with least to lose come first.
fn to_raid(g: &State, u: UnitId) -> [u8; 5] {
    let unit = g.unit(u);
    let barred = unit.acts > 0 || unit.starved;
    let sound = unit.condition == Condition::Normal;
    [barred.into(), unit.rifle.into(), sound.into(), unit.inside.into(), unit.acts]
}

/// Returns the pieces in a spot that an order names. Among like units it takes those that can do
/// most.
///
/// # Errors
/// A [`Refusal`] if a piece is not there or cannot act any more.
pub fn force(g: &State, side: Side, from: Spot, who: &[Count]) -> Result<Force, Refusal> {
    force_by(g, side, from, who, to_act)
}

/// Returns the pieces in a spot that a raid order names (12.0.1). Among like units it takes those
/// with least to lose.
///
/// # Errors
/// As for [`force`].
pub fn raiders(g: &State, from: Spot, who: &[Count]) -> Result<Force, Refusal> {
    force_by(g, Side::Na, from, who, to_raid)
}

fn force_by(
    g: &State,
    side: Side,
    from: Spot,
    who: &[Count],
    order: impl Fn(&State, UnitId) -> [u8; 5],
) -> Result<Force, Refusal> {
    let mut force = Force::default();
    for count in who {
        may_single_out(g, count)?;
        if let Some(kind) = g.c.kind(&count.what).filter(|&kind| g.c[kind].class.side() == side) {
            let fits = |u: &UnitId| {
                let named = force.units.contains(u);
                g.unit(*u).kind == kind && can_act(g, *u) && is_meant(g, *u, count) && !named
            };
            let mut units: Vec<UnitId> = g.units_at(from).filter(fits).collect();
            units.sort_by_key(|&u| order(g, u));
            if units.len() < usize::from(count.n) || count.n == 0 {
                let what = said_which(count);
                let why = why_not(g, from, kind);
                return refuse("9.3", format!("{} {what} can still act there, not {}.{why}", units.len(), count.n));
            }
            force.units.extend(units.into_iter().take(usize::from(count.n)));
        } else if let Some(l) = g.c.leader(&count.what).filter(|&l| g.c[l].side == side) {
            if g.chief(l).spot != from || !can_lead(g, l) || count.n != 1 {
                return refuse("9.3", format!("{} is not there, or can act no more.", count.what));
            }
            force.leaders.push(l);
        } else {
            return refuse("9.3", format!("{} is none of yours.", count.what));
        }
    }
    let leaders = force.leaders.len();
    force.units.sort();
    force.leaders.sort();
    force.leaders.dedup();
    if force.is_empty() || force.leaders.len() != leaders {
        return refuse("9.3", "Name each unit and leader once.");
    }
    Ok(force)
}

/// Returns the reasons why units of a kind in a spot cannot act any more, with the number of units
/// for each reason.
fn why_not(g: &State, from: Spot, kind: KindId) -> String {
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for u in g.units_at(from).filter(|&u| g.unit(u).kind == kind && !can_act(g, u)) {
        let unit = g.unit(u);
        let why = match () {
            () if !g.is_face_up(u) => "at peace (8.1)",
            () if unit.raiding => "on a raid (12.0)",
            () if unit.acts >= 2 => "done after a second activation (9.3)",
            () if unit.done && unit.acts == 0 => "staying in their town (8.4.2)",
            () if unit.done => {
                "done for this turn: who pillages (9.5.1), is dropped (9.4.1) or fails a second activation (9.4.2) acts no more"
            }
            () if unit.starved => "Out of Supply and have acted (7.0.4)",
            () => "Disrupted and have acted (9.4.2)",
        };
        match reasons.iter_mut().find(|known| known.0 == why) {
            Some(known) => known.1 += 1,
            None => reasons.push((why, 1)),
        }
    }
    let said = reasons.into_iter().map(|(why, n)| format!("{n} are {why}")).collect::<Vec<_>>().join("; ");
    if said.is_empty() { said } else { format!(" Of those there {said}.") }
}

/// Returns the names of a force in orders.
pub fn counts(g: &State, force: &Force) -> Vec<Count> {
    let units = super::events::by_kind(g, &force.units).into_iter().map(|(kind, n)| Count::new(n, &*g.c[kind].id));
    units.chain(force.leaders.iter().map(|&l| Count::new(1, &*g.c[l].name))).collect()
}

/// Returns a force in words: `3 regular, Harmar`, `2 Shawnee (1 with a rifle)`.
pub fn told(g: &State, force: &Force) -> String {
    let rifles = |what: &str| {
        let armed = |u: &&UnitId| g.unit(**u).rifle && g.c[g.unit(**u).kind].id == what;
        match force.units.iter().filter(armed).count() {
            0 => String::new(),
            1 => " (1 with a rifle)".to_owned(),
            n => format!(" ({n} with rifles)"),
        }
    };
    let one = |count: Count| match g.c.leader(&count.what) {
        Some(_) => count.what,
        None => format!("{} {}{}", count.n, count.what, rifles(&count.what)),
    };
    counts(g, force).into_iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Checks that a force may be activated together, for the first or second time (9.3, 9.3.1, 9.3.2).
///
/// # Errors
/// A [`Refusal`] if a stack has no leader who can activate each of its units, or if a second
/// activation lacks the leader it needs.
pub fn may_act(g: &State, force: &Force) -> Result<(), Refusal> {
    let led = |u: UnitId| force.leaders.iter().any(|&l| g.leads(l, u));
    let alone = force.units.len() + force.leaders.len() == 1;
    if !alone && !force.units.iter().all(|&u| led(u)) {
        return refuse("9.3", "Units act one by one, or as a stack with a leader of theirs.");
    }
    if is_second(g, force) {
        let helpers = helpers(g, force);
        let stacked = |u: UnitId| helpers.iter().any(|&l| g.leads(l, u));
        let needs = |&&u: &&UnitId| !stacked(u) && (g.side_of(u) == Side::Na || force.units.len() > 1);
        if force.units.iter().find(needs).is_some() {
            return refuse("9.3.2", "Who acts a second time needs a leader of his; a single US unit does not.");
        }
        // 7.0.4: a unit that has not acted may join a second activation of others, even if it is
        // Out of Supply or Disrupted.
        let unfit = |u: UnitId| g.unit(u).starved || g.unit(u).condition != Condition::Normal;
        if force.units.iter().any(|&u| g.unit(u).acts > 0 && unfit(u)) {
            return refuse("9.4.2", "Disrupted units and those Out of Supply do not act a second time.");
        }
    }
    Ok(())
}

/// Returns `true` if any member of the force has acted before.
pub fn is_second(g: &State, force: &Force) -> bool {
    force.units.iter().any(|&u| g.unit(u).acts > 0) || force.leaders.iter().any(|&l| g.chief(l).acts > 0)
}

/// Returns the leaders who help a force with a second activation: all who are stacked with it, even
/// if they do not go along (9.3.1, 9.3.2, 9.4.2).
pub fn helpers(g: &State, force: &Force) -> Vec<LeaderId> {
    let of_unit = |&u: &UnitId| (g.unit(u).spot, g.side_of(u));
    let of_leader = |&l: &LeaderId| (g.chief(l).spot, g.c[l].side);
    let place = force.units.first().map(of_unit).or(force.leaders.first().map(of_leader));
    let Some((spot, side)) = place else { return Vec::new() };
    g.leaders_at(spot).filter(|&l| g.c[l].side == side && !g.chief(l).raiding && g.is_up(l)).collect()
}

/// Returns the name and rating of the best of these leaders who can activate a unit; the rating is
/// 0 if none can.
pub fn best_rating(g: &State, u: UnitId, leaders: &[LeaderId]) -> (String, i32) {
    let best = leaders.iter().copied().filter(|&l| g.leads(l, u)).max_by_key(|&l| g.rating(l));
    best.map_or((String::new(), 0), |l| (g.c[l].name.clone(), g.rating(l)))
}

/// Returns the level check of a unit, with the best rating among these leaders.
pub fn check(g: &State, u: UnitId, leaders: &[LeaderId]) -> LevelCheck {
    let (name, rating) = best_rating(g, u, leaders);
    LevelCheck::new(g.level(u)).with(name, -rating)
}

/// Returns the level against which a lone leader rolls: that of his side, his nation or the
/// British.
pub fn leader_level(g: &State, l: LeaderId) -> u8 {
    let leader = &g.c[l];
    match (leader.side, leader.kind, leader.nation) {
        (Side::Us, ..) => g.commitment,
        (_, _, Some(n)) => g.tribe(n).ml,
        (_, Post::Agent, None) if leader.name == "Tecumseh" => g.c.nation("Shawnee").map_or(0, |n| g.tribe(n).ml),
        _ => super::state::MORALE,
    }
}

/// Rolls one die for a second activation and compares it with the level of each nation (9.3.1,
/// 9.3.2, 9.4.2). Returns the pieces that pass; the others have completed their actions.
pub async fn second(t: &T, g: &mut State, force: Force) -> Force {
    if !is_second(g, &force) {
        return force;
    }
    let helpers = helpers(g, &force);
    raise_one(t, g, &force, &helpers).await;
    try_again(t, g, &force, &helpers)
}

/// Asks NA which leader Tecumseh raises in a second activation, its march included (14.0.3). The candidates are the
/// leaders whose ratings count.
async fn raise_one(t: &T, g: &mut State, force: &Force, helpers: &[LeaderId]) {
    let best = |&u: &UnitId| helpers.iter().copied().filter(|&l| g.leads(l, u)).max_by_key(|&l| g.rating(l));
    let counted = match force.units.is_empty() {
        true => force.leaders.clone(),
        false => force.units.iter().filter_map(best).collect(),
    };
    let line = format!("One leader, for the second activation of {}.", told(g, force));
    raise(t, g, counted, line).await;
}

/// Asks NA which of these leaders Tecumseh raises, if he is stacked with several (14.0.3).
pub async fn raise(t: &T, g: &mut State, leaders: Vec<LeaderId>, line: String) {
    let mut among: BTreeSet<LeaderId> = leaders.into_iter().collect();
    among.retain(|&l| g.rating(l) > i32::from(g.c[l].command));
    if among.len() < 2 {
        return;
    }
    let asking = Asking { kind: Ask::Rating, rule: "14.0.3", title: "Whose rating Tecumseh raises" };
    let among = among.into_iter().map(|l| Named::new(g.c[l].name.clone(), l)).collect();
    g.raised = Some(choose(t, g, g.seat(Side::Na), asking, among, move |_: &State| line.clone()).await.value);
}

/// Rolls the die of a second activation.
fn try_again(t: &T, g: &mut State, force: &Force, helpers: &[LeaderId]) -> Force {
    let die = t.d6("second activation");
    let passed: Vec<UnitId> = force.units.iter().copied().filter(|&u| check(g, u, helpers).passes(die)).collect();
    let leads = |l: LeaderId| {
        let own = force.units.is_empty().then(|| die - i64::from(g.rating(l)) <= i64::from(leader_level(g, l)));
        own.unwrap_or(!passed.is_empty())
    };
    let leaders: Vec<LeaderId> = force.leaders.iter().copied().filter(|&l| leads(l)).collect();
    let ok = !passed.is_empty() || !leaders.is_empty();
    t.tell(|| {
        let end = if ok { "passed" } else { "failed" };
        // Units of one nation share one check.
        let mut checks: Vec<String> = force.units.iter().map(|&u| check(g, u, helpers).told(die)).collect();
        checks.dedup();
        let shown = if checks.is_empty() { format!("die {die}") } else { checks.join("; ") };
        format!("Second activation of {}: {end} ({shown}).", told(g, force))
    });
    let side = force.units.first().map(|&u| g.side_of(u)).or_else(|| force.leaders.first().map(|&l| g.c[l].side));
    if let Some(side) = side {
        g.since[side.index()].failed |= passed.len() < force.units.len() || leaders.len() < force.leaders.len();
    }
    let passed = Force { units: passed, leaders };
    finish(g, &force.without(&passed));
    passed
}

/// Ends an activation: pieces in their second one have completed their actions (9.3).
pub fn complete(g: &mut State, force: &Force) {
    for &u in &force.units {
        let unit = g.unit_mut(u);
        unit.acts += 1;
        unit.done |= unit.acts >= 2;
    }
    for &l in &force.leaders {
        let chief = g.chief_mut(l);
        chief.acts += 1;
        chief.done |= chief.acts >= 2;
    }
}

/// Marks pieces that do nothing more this turn: they have raided or pillaged, or have tried a
/// second activation in vain (9.3, 9.5.1, 12.0).
pub fn finish(g: &mut State, force: &Force) {
    complete(g, force);
    force.units.iter().for_each(|&u| g.unit_mut(u).done = true);
    force.leaders.iter().for_each(|&l| g.chief_mut(l).done = true);
}

/// Rolls a die for each unit at the end of its second action (9.4.2). A unit that fails is
/// Disrupted; a Disrupted unit is eliminated.
pub fn exhaustion(t: &T, g: &mut State, force: &Force) {
    for &u in &force.units {
        if g.unit(u).acts < 2 || g.unit(u).spot.area().is_none() {
            continue;
        }
        let mut check = check(g, u, &helpers(g, &Force { units: vec![u], leaders: Vec::new() }));
        match g.season {
            Season::Fall => check = check.with(Drm::MarchFall.name(), g.c.drm(Drm::MarchFall)),
            Season::Winter => check = check.with(Drm::MarchWinter.name(), g.c.drm(Drm::MarchWinter)),
            _ => {}
        }
        let die = t.d6("force march");
        let unit = with_article(&g.c[g.unit(u).kind].id);
        let end = match g.unit(u).condition {
            _ if check.passes(die) => "unhurt",
            Condition::Normal => "Disrupted",
            _ => "eliminated",
        };
        t.tell(|| format!("Force march, {unit}: {}: it is {end}.", check.told(die)));
        if check.passes(die) {
            continue;
        }
        match g.unit(u).condition {
            Condition::Normal => g.unit_mut(u).condition = Condition::Disrupted,
            _ => g.waste(u),
        }
    }
}

/// Returns the forces that options list for a spot: everything that its leaders can take along,
/// each leader alone, and each kind of unit alone.
pub fn stacks(g: &State, side: Side, from: Spot) -> Vec<Force> {
    let mut stacks = together(g, side, from);
    let mut known: Vec<Vec<Count>> = Vec::new();
    stacks.retain(|stack| {
        let counts = counts(g, stack);
        acts_as(g, side, from, stack, &counts) && !known.contains(&counts) && {
            known.push(counts);
            true
        }
    });
    stacks
}

/// Returns the first, and largest, of the forces of [`stacks`].
pub fn first_stack(g: &State, side: Side, from: Spot) -> Option<Force> {
    together(g, side, from).into_iter().find(|stack| acts_as(g, side, from, stack, &counts(g, stack)))
}

/// Returns `true` if a force can act and is exactly the one selected by `counts`.
fn acts_as(g: &State, side: Side, from: Spot, stack: &Force, counts: &[Count]) -> bool {
    force(g, side, from, counts).is_ok_and(|named| named == *stack && may_act(g, &named).is_ok())
}

fn together(g: &State, side: Side, from: Spot) -> Vec<Force> {
    let units: Vec<UnitId> = g.units_at(from).filter(|&u| g.side_of(u) == side && can_act(g, u)).collect();
    let leaders: Vec<LeaderId> = g.leaders_at(from).filter(|&l| g.c[l].side == side && can_lead(g, l)).collect();
    let mut stacks = Vec::new();
    let fresh = |u: &UnitId| g.unit(*u).acts == 0;
    let fresh_leaders: Vec<LeaderId> = leaders.iter().copied().filter(|&l| g.chief(l).acts == 0).collect();
    for (units, leaders) in
        [(units.iter().copied().filter(fresh).collect::<Vec<_>>(), &fresh_leaders), (units.clone(), &leaders)]
    {
        let led: Vec<UnitId> = units.into_iter().filter(|&u| leaders.iter().any(|&l| g.leads(l, u))).collect();
        if !led.is_empty() {
            stacks.push(Force { units: led, leaders: leaders.clone() });
        }
    }
    for l in leaders {
        stacks.push(Force { units: Vec::new(), leaders: vec![l] });
    }
    for (kind, _) in super::events::by_kind(g, &units) {
        let mut of: Vec<UnitId> = units.iter().copied().filter(|&u| g.unit(u).kind == kind).collect();
        of.sort_by_key(|&u| to_act(g, u));
        stacks.push(Force { units: vec![of[0]], leaders: Vec::new() });
    }
    stacks
}
