//! Mandatory moves at the end of the Movement Phase: the Column HQ (12.E.5), wounded Leaders
//! (12.D.1), Personnel (15.B), Van Vliet (16.D).

use super::{
    State, T,
    components::{Class, LeaderId, Side, UnitId},
    eagle, leaders, march,
    movement::{self, Mover},
    order::Act,
    pack,
    state::{Spot, Wound},
    victory, zoc,
};
use postrider_table::{
    Refusal,
    hex::{Hex, Reach},
    refuse,
};

/// Returns `true` if a mandatory move may end in a hex. Stacking binds only there, not on the way (6,
/// 7.C).
pub fn has_room(g: &State, mover: Mover, hex: Hex) -> bool {
    !matches!(mover, Mover::Unit(u) if !zoc::fits(g, hex, u))
}

/// Moves a mover by the cheapest path to a hex within reach. Hexes entered by a unit are added to
/// `trail`. Returns `true` if it moved.
pub fn walk(t: &T, g: &mut State, mover: Mover, (reach, end): (&Reach, Hex), trail: &mut Vec<Hex>) -> bool {
    let mut moved = false;
    for hex in reach.way(end).into_iter().flatten().skip(1) {
        let id = g.id(hex);
        if movement::act(g, mover, &Act::Go { hex: id }).is_err() {
            break;
        }
        moved = true;
        if let Mover::Unit(u) = mover {
            trail.push(hex);
            leaders::attached(g, u).collect::<Vec<_>>().into_iter().for_each(|l| march::follow(g, l));
            victory::objective(t, g, u);
            eagle::watch(t, g);
        }
    }
    moved
}

/// Moves a mover toward the nearest hex within a distance of a goal, if a path free of enemy ZOCs
/// leads there: of the hexes with room that its remaining MPs reach, to the one from which the
/// fewest are left to go. Returns `true` if it moved.
fn toward(t: &T, g: &mut State, mover: Mover, (goals, near): (&[Hex], u16), trail: &mut Vec<Hex>) -> bool {
    let Some(start) = mover.spot(g).hex().filter(|_| movement::barred(g, mover).is_ok()) else { return false };
    let (enemy, bound) = (mover.side(g).enemy(), is_bound(mover));
    let far = |hex: Hex| crow(g, hex, goals, near);
    if far(start) == 0 || bound && zoc::reaches(g, start, enemy) {
        return false;
    }
    let free = |_, to: Hex| !bound || !zoc::reaches(g, to, enemy);
    let Some((had, reach)) = togo(g, mover, start, goals, near).zip(movement::reach_where(g, mover, free)) else {
        return false;
    };
    // At least the rest of the cheapest path is left, which saves most of the searches.
    let ways = free_ways(g, mover, start);
    let least = |hex: Hex| had.saturating_sub(ways.cost(hex).unwrap_or(0)).max(far(hex));
    let ends = reach.each().filter(|&(hex, _)| has_room(g, mover, hex));
    let mut ends: Vec<_> = ends.map(|(hex, cost)| (least(hex), cost, hex)).collect();
    ends.sort_unstable();
    let mut best = (had, 0, start);
    for (least, cost, hex) in ends {
        if least > best.0 {
            break;
        }
        if let Some(left) = togo(g, mover, hex, goals, near) {
            best = best.min((left, cost, hex));
        }
    }
    walk(t, g, mover, (&reach, best.2), trail)
}

/// Returns the number of hexes from a hex to within a distance of the nearest goal.
fn crow(g: &State, from: Hex, goals: &[Hex], near: u16) -> u16 {
    g.charts.grid.nearest(from, goals.iter().copied()).map_or(u16::MAX, |far| far.saturating_sub(near))
}

/// Like [`toward`], for a unit that gets up first if it is Prone, also under Breastworks, and then
/// moves (8.C, 12.E.3, 16.C).
fn up_and_toward(t: &T, g: &mut State, u: UnitId, goals: (&[Hex], u16), trail: &mut Vec<Hex>) -> bool {
    let mover = Mover::Unit(u);
    if !movement::lies(g, u) {
        return toward(t, g, mover, goals, trail);
    }
    let (mut up, mut way) = (g.clone(), Vec::new());
    let gets_up = [Act::Mount {}, Act::Dismount {}].iter().any(|act| movement::act(&mut up, mover, act).is_ok());
    if !gets_up || !toward(t, &mut up, mover, goals, &mut way) {
        return false;
    }
    *g = up;
    trail.extend(way);
    t.tell(|| format!("{} is no longer Prone.", g.called(u)));
    true
}

/// Returns the MPs of the cheapest path of a mover from a hex to within a distance of a goal, free
/// of enemy ZOCs if it must be.
fn togo(g: &State, mover: Mover, from: Hex, goals: &[Hex], near: u16) -> Option<u16> {
    if crow(g, from, goals, near) == 0 {
        return Some(0);
    }
    let ways = free_ways(g, mover, from);
    goals.iter().flat_map(|&goal| g.charts.grid.within(goal, near)).filter_map(|hex| ways.cost(hex)).min()
}

/// Returns `true` if a mandatory path must be free of enemy ZOCs (12.E.5, 15.B); that of a wounded
/// Leader need not be (12.D.1).
fn is_bound(mover: Mover) -> bool {
    matches!(mover, Mover::Unit(_))
}

/// Returns all paths of a mover from a hex, of any length on the map, through enemy ZOCs only if it
/// may.
fn free_ways(g: &State, mover: Mover, start: Hex) -> Reach {
    let (side, bound) = (mover.side(g), is_bound(mover));
    let mut step = movement::steps(g, side, mover.gait(g));
    let free = |from: Hex, to: Hex| if bound && zoc::reaches(g, to, side.enemy()) { None } else { step(from, to) };
    g.charts.grid.reach(start, 200, free)
}

/// Carries out all mandatory moves of the phasing side. Returns the hexes that units entered.
pub fn fulfil(t: &T, g: &mut State) -> Vec<Hex> {
    let mut trail = Vec::new();
    if g.phasing != Side::Us {
        return trail;
    }
    if !g.eagle_free {
        trail.extend(eagle::go_back(t, g));
    }
    column_hq(t, g, &mut trail);
    wounded(t, g, &mut trail);
    for u in g.on_map(Side::Us).filter(|&u| g.class(u) == Class::Personnel).collect::<Vec<_>>() {
        let goal = pack::other(g, u).filter(|&train| g.unit(train).abandoned).and_then(|train| g.hex(train));
        if let Some(goal) = goal
            && !g.unit(u).routed
            && up_and_toward(t, g, u, (&[goal], 0), &mut trail)
        {
            t.tell(|| format!("{} goes back to its train.", g.called(u)));
            pack::rejoin(t, g, u);
        }
    }
    trail.iter().for_each(|&hex| leaders::overrun(t, g, hex, Side::Us));
    for hex in g.charts.grid.hexes().collect::<Vec<_>>() {
        if g.leaders_in(hex).next().is_some() {
            leaders::join(t, g, hex);
        }
    }
    trail
}

/// Returns Crook's hex and Command Radius, unless he is killed or wounded mortally or severely
/// (12.E.5). A severe wound is treated as mortal (12.D.1).
fn crook(g: &State) -> Option<(Hex, u16)> {
    let l = g.c.leader("Crook").filter(|&l| !leaders::is_badly_hurt(g, l))?;
    Some((g.chief(l).spot.hex()?, leaders::radius(g, l).unwrap_or(0)))
}

/// Returns `true` if a unit and its Leaders may go to an adjacent hex by choice outside the Movement
/// Phase: in a Retreat Before Melee, a pursuit or an advance (12.E.5, 16.D).
pub fn lets(g: &State, u: UnitId, from: Hex, to: Hex) -> bool {
    let mut all = std::iter::once(Mover::Unit(u)).chain(leaders::attached(g, u).map(Mover::Leader));
    all.all(|mover| eagle::allows(g, mover, from, Some(to)).is_ok()) && hq_stays(g, u, from, Some(to)).is_ok()
}

/// Checks that no order takes the HQ out of Crook's radius; if he moves away, it follows at the end
/// of movement (12.E.5).
pub fn keeps_hq(g: &State, who: &[Mover], starts: &[Option<Hex>]) -> Result<(), Refusal> {
    who.iter().zip(starts).try_for_each(|(mover, start)| match (*mover, *start) {
        (Mover::Unit(u), Some(start)) => hq_stays(g, u, start, g.hex(u)),
        _ => Ok(()),
    })
}

/// Checks that the HQ, if the unit is that, stays in Crook's radius or comes closer to it when it
/// goes to a hex by choice; `None` is off the map, where it may only follow him (12.E.5).
fn hq_stays(g: &State, hq: UnitId, start: Hex, end: Option<Hex>) -> Result<(), Refusal> {
    let with_him = |l: LeaderId| g.chief(l).spot == Spot::Off && end.is_none() && !leaders::is_badly_hurt(g, l);
    if g.class(hq) != Class::Hq || end == Some(start) || g.c.leader("Crook").is_some_and(with_him) {
        return Ok(());
    }
    let Some((at, radius)) = crook(g) else { return hq_goes_there(g, hq, start, end) };
    let was = g.charts.grid.distance(start, at);
    // Separated, it comes closer, in hexes or at least in MPs, while a free path exists.
    let mps = |from: Hex| togo(g, Mover::Unit(hq), from, &[at], radius);
    let lags = |end: Hex| {
        let free = || !zoc::reaches(g, start, Side::Indian);
        free() && mps(start).is_some_and(|had| mps(end).is_none_or(|left| left >= had))
    };
    let keeps = |end: Hex| match g.charts.grid.distance(end, at) {
        far if far <= radius => true,
        far => far < was || far == was && !lags(end),
    };
    if end.is_some_and(keeps) {
        return Ok(());
    }
    refuse("12.E.5", format!("The Column HQ stays, or comes, within {radius} hexes of Crook, who is in {}.", g.id(at)))
}

/// Checks the HQ's move without Crook: while a path free of enemy ZOCs exists, it may only move
/// closer to the nearest US unit, Leader or train (12.E.5).
fn hq_goes_there(g: &State, hq: UnitId, start: Hex, end: Option<Hex>) -> Result<(), Refusal> {
    let goals = hq_goals(g, hq);
    if end.is_some_and(|end| goals.contains(&end)) || zoc::reaches(g, start, Side::Indian) {
        return Ok(());
    }
    let far = |from: Hex| togo(g, Mover::Unit(hq), from, &goals, 0);
    if far(start).is_none_or(|mps| end.and_then(far).is_some_and(|left| left < mps)) {
        return Ok(());
    }
    refuse("12.E.5", "Without Crook the Column HQ goes to the closest US unit, Leader or Pack Train, with all its MPs.")
}

/// Returns the goals of the HQ without Crook: US units, including trains, and Leaders (12.E.5).
fn hq_goals(g: &State, hq: UnitId) -> Vec<Hex> {
    let fit = |&u: &UnitId| u != hq && g.class(u).is_combat();
    let units = g.on_map(Side::Us).filter(fit).filter_map(|u| g.hex(u));
    let heads = g.c.leader_ids().filter(|&l| g.c[l].side == Side::Us && g.chief(l).with != Some(hq));
    units.chain(heads.filter_map(|l| g.chief(l).spot.hex())).collect()
}

/// Checks that Personnel do not leave the map without their abandoned train, and only move closer to
/// it and do not go Prone while a path free of enemy ZOCs leads there (15.B).
pub fn keeps_personnel(g: &State, who: &[Mover], starts: &[Option<Hex>], acts: &[Act]) -> Result<(), Refusal> {
    let lies = acts.contains(&Act::Prone {});
    for (mover, start) in who.iter().zip(starts) {
        let Mover::Unit(u) = *mover else { continue };
        let train = Some(u).filter(|&u| g.class(u) == Class::Personnel).and_then(|u| pack::other(g, u));
        let goal = train.filter(|&train| g.unit(train).abandoned).and_then(|train| g.hex(train));
        let (Some(goal), Some(start)) = (goal, *start) else { continue };
        let far = |from: Hex| togo(g, *mover, from, &[goal], 0);
        let strays = |end: Hex| {
            (start != end || lies)
                && !zoc::reaches(g, start, Side::Indian)
                && far(start).is_some_and(|mps| lies || far(end).is_none_or(|left| left >= mps))
        };
        if g.hex(u).is_none_or(strays) {
            return refuse("15.B", format!("{} has to go back to its train in {}.", g.name(u), g.id(goal)));
        }
    }
    Ok(())
}

/// Returns the severely or mortally wounded US Leaders who are with a unit.
pub fn patients(g: &State) -> Vec<LeaderId> {
    let ill = |l: &LeaderId| g.c[*l].side == Side::Us && leaders::is_badly_hurt(g, *l) && !leaders::is_staff(g, *l);
    g.c.leader_ids().filter(|l| ill(l) && g.chief(*l).with.is_some()).collect()
}

/// Returns the hexes to which badly wounded US Leaders are evacuated (12.D.1).
fn havens(g: &State) -> Vec<Hex> {
    let haven = |u: &UnitId| matches!(g.class(*u), Class::Hq | Class::Train) && !g.unit(*u).abandoned;
    g.on_map(Side::Us).filter(haven).filter_map(|u| g.hex(u)).collect()
}

/// Checks that no order leaves a badly wounded US Leader alone, or moves him by himself except
/// straight to the Column HQ or a train with all his MPs (12.D.1). `with` are the Leaders who were
/// with units before, `ways` the hexes of the movers.
pub fn keeps_wounded(g: &State, who: &[Mover], ways: &[Vec<Hex>], with: &[LeaderId]) -> Result<(), Refusal> {
    let stacked = who.iter().any(|mover| matches!(mover, Mover::Unit(_)));
    for (mover, way) in who.iter().zip(ways) {
        let Mover::Leader(l) = *mover else { continue };
        let moves = way.len() > 1 || g.chief(l).spot.hex().is_none();
        if g.c[l].side == Side::Us && leaders::is_badly_hurt(g, l) && moves && !stacked && !goes_straight(g, l, way) {
            return refuse(
                "12.D.1",
                format!(
                    "{} is {}: by himself he goes straight to the Column HQ or a Pack Train, with all his MPs.",
                    g.c[l].id,
                    g.chief(l).wound.name()
                ),
            );
        }
    }
    let alone = |l: &LeaderId| {
        let hex = g.chief(*l).spot.hex();
        let ordered = who.contains(&Mover::Leader(*l)) && !stacked;
        !ordered && hex.is_some_and(|hex| leaders::largest(g, hex, Side::Us, None).is_none())
    };
    match with.iter().copied().find(alone) {
        Some(l) => refuse(
            "12.D.1",
            format!("{} is {} and would be left alone: he does not keep up.", g.c[l].id, g.chief(l).wound.name()),
        ),
        None => Ok(()),
    }
}

/// Returns `true` if each step of a Leader brings him closer to a haven, in hexes or MPs, until he
/// reaches it or cannot take another step.
fn goes_straight(g: &State, l: LeaderId, way: &[Hex]) -> bool {
    let mover = Mover::Leader(l);
    let straight = |goal: Hex| {
        // 200 MPs are enough for any path on the map.
        let reach = |from: Hex| g.charts.grid.reach(from, 200, movement::steps(g, Side::Us, mover.gait(g)));
        let falls = |left: &Vec<u16>| left.windows(2).all(|two| two[1] < two[0]);
        let hexes = way.iter().map(|&hex| g.charts.grid.distance(hex, goal)).collect();
        let nearer = falls(&hexes)
            || way.iter().map(|&hex| reach(hex).cost(goal)).collect::<Option<_>>().is_some_and(|mps| falls(&mps));
        let Some(&end) = way.last().filter(|&&end| nearer && mover.spot(g).hex() == Some(end)) else { return false };
        let next = reach(end).way(goal).and_then(|way| way.get(1).copied());
        let price = next.and_then(|to| movement::cost(g, Side::Us, mover.gait(g), end, to));
        end == goal || price.is_none_or(|mps| mps > movement::left(g, mover))
    };
    havens(g).into_iter().any(straight)
}

/// Moves the HQ into Crook's radius, or without him to the nearest US unit, Leader or train
/// (12.E.5).
fn column_hq(t: &T, g: &mut State, trail: &mut Vec<Hex>) {
    let Some(hq) = g.on_map(Side::Us).find(|&u| g.class(u) == Class::Hq) else { return };
    if g.unit(hq).routed || g.unit(hq).pinned {
        return;
    }
    let (goals, radius) = match crook(g) {
        Some((at, radius)) => (vec![at], radius),
        None => (hq_goals(g, hq), 0),
    };
    if up_and_toward(t, g, hq, (&goals, radius), trail) {
        t.tell(|| format!("The Column HQ moves to {}.", g.hex(hq).map(|hex| g.id(hex)).unwrap_or_default()));
    }
}

/// Moves mortally and severely wounded US Leaders who are with no unit to the Column HQ or a train
/// (12.D.1).
fn wounded(t: &T, g: &mut State, trail: &mut Vec<Hex>) {
    let bad = |l: &LeaderId| {
        let chief = g.chief(*l);
        g.c[*l].side == Side::Us
            && chief.spot.hex().is_some()
            && chief.wound.index() >= Wound::Severe.index()
            && chief.with.is_none()
    };
    for l in g.c.leader_ids().filter(bad).collect::<Vec<_>>() {
        let goals = havens(g);
        if toward(t, g, Mover::Leader(l), (&goals, 0), trail) {
            t.tell(|| format!("{} is brought toward safety.", g.c[l].id));
        }
    }
}
