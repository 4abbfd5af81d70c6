//! Movement (7): the cost of steps, and the effects of each act of a move. Nothing here asks, rolls
//! or tells.

use super::{
    State, charge,
    components::{Class, Crossing, LeaderId, Num, Side, UnitId},
    leaders, mode,
    order::Act,
    state::{Mode, Spot, Volume, Wound},
    zoc,
};
use postrider_table::{
    Refusal,
    hex::{Grid, Hex, Reach, Step},
    refuse,
};

/// A unit or Leader that moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    Unit(UnitId),
    Leader(LeaderId),
}

impl Mover {
    pub fn spot(self, g: &State) -> Spot {
        match self {
            Mover::Unit(u) => g.unit(u).spot,
            Mover::Leader(l) => g.chief(l).spot,
        }
    }
    pub fn name(self, g: &State) -> String {
        match self {
            Mover::Unit(u) => g.name(u),
            Mover::Leader(l) => g.c[l].id.clone(),
        }
    }
    pub fn side(self, g: &State) -> Side {
        match self {
            Mover::Unit(u) => g.side(u),
            Mover::Leader(l) => g.c[l].side,
        }
    }
    /// Returns the mover with this name.
    pub fn named(g: &State, name: &str) -> Option<Mover> {
        g.c.unit(name).map(Mover::Unit).or_else(|| g.c.leader(name).map(Mover::Leader))
    }
    fn spent(self, g: &State) -> u16 {
        match self {
            Mover::Unit(u) => g.unit(u).did.spent,
            Mover::Leader(l) => g.chief(l).spent,
        }
    }
    fn spend(self, g: &mut State, spent: u16) {
        match self {
            Mover::Unit(u) => {
                if g.unit(u).did.spent == 0 {
                    g.unit_mut(u).did.slowed = is_slowed(g, u);
                }
                g.unit_mut(u).did.spent = spent;
            }
            Mover::Leader(l) => g.chief_mut(l).spent = spent,
        }
    }
    /// Returns `true` if the mover pays the mounted costs; Leaders choose the better one (12.B).
    pub fn rides(self, g: &State) -> bool {
        match self {
            Mover::Unit(u) => g.unit(u).mode == Mode::Mounted,
            Mover::Leader(_) => true,
        }
    }
    /// Returns the mover's column of movement costs.
    pub fn gait(self, g: &State) -> Gait {
        match self {
            Mover::Leader(_) => Gait::Either,
            Mover::Unit(_) => Gait::of(self.rides(g)),
        }
    }
}

/// A column of movement costs in the Terrain Effects Chart (7.B).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gait {
    Mounted,
    Dismounted,
    /// The lower cost of both, for Leaders (8, 12.B).
    Either,
}

impl Gait {
    /// Returns the rate of mounted or dismounted units.
    pub fn of(rides: bool) -> Gait {
        if rides { Gait::Mounted } else { Gait::Dismounted }
    }
}

/// Returns the Movement Allowance of a unit in a mode (7, 4.B, 12.D.1, 16.A).
pub fn allowance(g: &State, u: UnitId, mode: Mode) -> u16 {
    let row = g.c.class(g.class(u));
    let unit = g.unit(u);
    let charge = if unit.did.charge.is_some() { g.c.steps(Num::ChargeMove) } else { 0 };
    let mut all = row.mas[usize::from(mode != Mode::Mounted)] + charge;
    if unit.did.fired == Some(Volume::Half) {
        all /= 2;
    }
    let slow = |l: LeaderId| g.chief(l).wound == Wound::Severe && !leaders::is_staff(g, l);
    // A unit that has begun its move keeps the state in which it began.
    let stacked = || if unit.did.spent > 0 { unit.did.slowed } else { is_slowed(g, u) };
    if is_any_severe(g) && g.class(u) != Class::Train && (leaders::attached(g, u).any(slow) || stacked()) {
        all /= 2;
    }
    all
}

/// Returns `true` if any Leader is severely wounded. This is rare, so it saves further checks.
fn is_any_severe(g: &State) -> bool {
    g.chiefs.iter().any(|chief| chief.wound == Wound::Severe)
}

/// Returns `true` if a severely wounded US Leader is in the hex of a US unit (12.D.1).
fn is_slowed(g: &State, u: UnitId) -> bool {
    let slow =
        |l: &LeaderId| g.c[*l].side == Side::Us && g.chief(*l).wound == Wound::Severe && !leaders::is_staff(g, *l);
    is_any_severe(g) && g.side(u) == Side::Us && g.hex(u).is_some_and(|hex| g.leaders_in(hex).any(|l| slow(&l)))
}

/// Returns the Movement Allowance of a mover.
pub fn allowance_of(g: &State, mover: Mover) -> u16 {
    match mover {
        Mover::Unit(u) => allowance(g, u, g.unit(u).mode),
        Mover::Leader(l) if g.chief(l).wound.index() >= Wound::Severe.index() => g.c[l].ma / 2,
        Mover::Leader(l) => g.c[l].ma,
    }
}

/// Returns the MPs that a mover has left.
pub fn left(g: &State, mover: Mover) -> u16 {
    allowance_of(g, mover).saturating_sub(mover.spent(g))
}

/// Returns the MPs to enter a hex for its terrain (7.B).
pub fn terrain_cost(g: &State, to: Hex, gait: Gait) -> u16 {
    let mps = &g.c.terrains[g.ground(to).index()].mps;
    match gait {
        Gait::Mounted => mps[0],
        Gait::Dismounted => mps[1],
        Gait::Either => mps[0].min(mps[1]),
    }
}

/// Returns the MPs of a step between adjacent hexes; `None` if it is prohibited (7.B, 7.C, 7.I).
/// Lone enemy Leaders do not block it (12.D.5).
pub fn cost(g: &State, side: Side, gait: Gait, from: Hex, to: Hex) -> Option<u16> {
    Some(entering(g, side, gait, from, to)? + leaving(g, side, from))
}

/// Returns the MPs of a step without those for leaving a ZOC.
fn entering(g: &State, side: Side, gait: Gait, from: Hex, to: Hex) -> Option<u16> {
    let crossing = g.charts.between(from, to);
    if crossing == Some(Crossing::Cliff) || g.holds(to, side.enemy()) {
        return None;
    }
    let over = crossing.map_or(0, |crossing| g.c.hexsides[crossing.index()].mps);
    let up = (g.charts.level[to] - g.charts.level[from]).max(0) as u16 * g.c.steps(Num::Uphill);
    Some(terrain_cost(g, to, gait) + over + up)
}

/// Returns the additional MPs to leave a hex in an enemy ZOC (7.I).
fn leaving(g: &State, side: Side, from: Hex) -> u16 {
    if zoc::exerting(g, from, side.enemy()).next().is_some() { g.c.steps(Num::LeaveZoc) } else { 0 }
}

/// Returns the step function of a path search, with the costs of [`cost`]. The cost of leaving a
/// hex is cached, because a search takes all steps from one hex in a row.
pub fn steps(g: &State, side: Side, gait: Gait) -> impl FnMut(Hex, Hex) -> Option<Step> + '_ {
    let mut left: Option<(Hex, u16)> = None;
    move |from, to| {
        let cost = entering(g, side, gait, from, to)?;
        let more = match left {
            Some((hex, more)) if hex == from => more,
            _ => leaving(g, side, from),
        };
        left = Some((from, more));
        Some(Step::of(cost + more))
    }
}

/// Returns the hexes that a mover can reach with its remaining MPs in its current mode.
pub fn reach(g: &State, mover: Mover) -> Option<Reach> {
    reach_where(g, mover, |_, _| true)
}

/// Like [`reach`], but only by steps for which `holds` is true.
pub fn reach_where(g: &State, mover: Mover, holds: impl Fn(Hex, Hex) -> bool) -> Option<Reach> {
    let at = mover.spot(g).hex()?;
    let (side, gait, left) = (mover.side(g), mover.gait(g), left(g, mover));
    let grid: &Grid = &g.charts.grid;
    let mut step = steps(g, side, gait);
    let step = |from: Hex, to: Hex| if holds(from, to) { step(from, to) } else { None };
    Some(if mover.spent(g) == 0 && left > 0 {
        grid.reach_at_least_one(at, left, step)
    } else {
        grid.reach(at, left, step)
    })
}

/// Checks that a mover can move now.
pub fn barred(g: &State, mover: Mover) -> Result<(), Refusal> {
    let name = || mover.name(g);
    match mover {
        Mover::Unit(u) => {
            let unit = g.unit(u);
            if unit.routed {
                return refuse("7.H", format!("{} is Routed: it moves first, by itself.", name()));
            }
            if unit.pinned {
                return refuse("9.D", format!("{} is Pinned.", name()));
            }
            if unit.did.fired == Some(Volume::Full) {
                return refuse("4.B", format!("{} has fired at full strength and cannot move.", name()));
            }
            if unit.did.halted {
                return refuse("7.A", format!("{} does not move any more in this phase.", name()));
            }
            if unit.abandoned {
                return refuse("15.B", format!("{} is abandoned.", name()));
            }
        }
        Mover::Leader(l) => {
            if leaders::is_staff(g, l) {
                return refuse("12.E", "The staff moves with the Column HQ.");
            }
            if g.chief(l).pinned {
                return refuse("12.A", format!("{} cannot move now.", name()));
            }
        }
    }
    if matches!(mover.spot(g), Spot::On(_) | Spot::Waiting) {
        Ok(())
    } else {
        refuse("7", format!("{} is not on the map.", name()))
    }
}

/// Spends MPs for an activity other than a step.
fn pay(g: &mut State, mover: Mover, mps: u16, what: &str) -> Result<(), Refusal> {
    let left = left(g, mover);
    if mps > left {
        return refuse("7.C", format!("{} has {left} MPs left; {what} takes {mps}.", mover.name(g)));
    }
    let spent = mover.spent(g) + mps;
    mover.spend(g, spent);
    Ok(())
}

/// Returns the adjacent hex named in an order.
fn neighbour(g: &State, from: Hex, id: &str) -> Result<Hex, Refusal> {
    let Some(to) = g.charts.grid.hex(id) else { return refuse("7.A", format!("{id} is no hex of the map.")) };
    if !g.charts.grid.adjacent(from, to) {
        return refuse("7.A", format!("{id} is not beside {}; hexes may not be skipped.", g.id(from)));
    }
    if g.charts.cliff(from, to) {
        return refuse("7.B", format!("A cliff lies between {} and {id}.", g.id(from)));
    }
    Ok(to)
}

/// Applies one act of a move to the position, except for dice and reactions.
///
/// # Errors
/// A [`Refusal`] with the rule that the act violates.
pub fn act(g: &mut State, mover: Mover, act: &Act) -> Result<(), Refusal> {
    barred(g, mover)?;
    match (act, mover) {
        (Act::Go { hex }, _) | (Act::Crawl { hex }, Mover::Leader(_)) => go(g, mover, hex),
        (Act::Exit {}, _) => exit(g, mover),
        (Act::Attach { unit }, Mover::Leader(l)) => attach(g, l, unit),
        // 12.B: Leaders change mode freely.
        (_, Mover::Leader(_)) => Ok(()),
        (Act::Mount {}, Mover::Unit(u)) => mount(g, u),
        (Act::Dismount {}, Mover::Unit(u)) => lower(g, u, Mode::Dismounted),
        (Act::Prone {}, Mover::Unit(u)) => lower(g, u, Mode::Prone),
        (Act::Recover {}, Mover::Unit(u)) => recover(g, u),
        (Act::Crawl { hex }, Mover::Unit(u)) => crawl(g, u, hex),
        (Act::Charge { hex }, Mover::Unit(u)) => charge::declare(g, u, hex),
        (Act::Fire { .. } | Act::Attach { .. }, Mover::Unit(_)) => Ok(()),
    }
}

/// Attaches a Leader who has entered a hex to the unit that his owner names; within a hex he may
/// change only in the Rally Phase (12.A).
fn attach(g: &mut State, l: LeaderId, id: &str) -> Result<(), Refusal> {
    let name = || g.c[l].id.clone();
    let at = g.chief(l).spot.hex();
    let own = |u: &UnitId| g.side(*u) == g.c[l].side && at.is_some() && g.hex(*u) == at && !g.unit(*u).abandoned;
    let Some(u) = g.c.unit(id).filter(own) else {
        return refuse("12.A", format!("{id} is not in the hex of {}.", name()));
    };
    if g.chief(l).with.is_some_and(|with| with != u && g.hex(with) == at) {
        return refuse("12.A", format!("{} stays with his unit until the Rally Phase.", name()));
    }
    g.chief_mut(l).with = Some(u);
    Ok(())
}

fn go(g: &mut State, mover: Mover, id: &str) -> Result<(), Refusal> {
    let side = mover.side(g);
    let Some(from) = mover.spot(g).hex() else { return super::entry::enter(g, mover, id) };
    let to = neighbour(g, from, id)?;
    if let Mover::Unit(u) = mover {
        if g.unit(u).mode == Mode::Prone {
            return refuse("8.C", format!("{} is Prone: it crawls, or changes mode first.", g.name(u)));
        }
        if lies_low(g, u) {
            return refuse(
                "16.C",
                format!("{} is Prone under Breastworks: it crawls, or gets up first: dismount.", g.name(u)),
            );
        }
        charge::step(g, u, from, to)?;
        if super::run::shuns(g, u, to) {
            return refuse("16.G", format!("{} has fired as Hit & Run: it does not move beside US units.", g.name(u)));
        }
    }
    super::eagle::allows(g, mover, from, Some(to))?;
    let Some(cost) = cost(g, side, mover.gait(g), from, to) else {
        return refuse("7.C", format!("An enemy unit is in {id}."));
    };
    kills(g, mover, to)?;
    let (all, spent, left) = (allowance_of(g, mover), mover.spent(g), left(g, mover));
    if cost <= left {
        mover.spend(g, spent + cost);
    } else if spent == 0 && all > 0 {
        // 7.D: a minimum move of one hex takes all MPs.
        mover.spend(g, all);
        // A Leader can still be attached, which takes none.
        if let Mover::Unit(u) = mover {
            g.unit_mut(u).did.halted = true;
        }
    } else {
        let (how, here) = (if mover.rides(g) { "mounted" } else { "on foot" }, g.id(from));
        let name = mover.name(g);
        let so_far = if spent > 0 { format!(" Let its way end in {here}.") } else { String::new() };
        return refuse("7.C", format!("{name} has {all} MPs {how}, {left} left in {here}; {id} takes {cost}.{so_far}"));
    }
    match mover {
        Mover::Unit(u) => {
            charge::climb(g, u, from, to);
            g.put(u, Spot::On(to));
        }
        Mover::Leader(l) => {
            let chief = g.chief_mut(l);
            chief.spot = Spot::On(to);
        }
    }
    Ok(())
}

/// Checks that a mover is a combat unit if it enters a hex with lone enemy Leaders, who are killed
/// (12.D.5).
fn kills(g: &State, mover: Mover, to: Hex) -> Result<(), Refusal> {
    let fights = matches!(mover, Mover::Unit(u) if g.class(u).is_combat());
    let side = mover.side(g);
    // Leaders come with a combat unit that has just entered.
    let led = || g.of_side(to, side).any(|u| g.class(u).is_combat() && !g.unit(u).abandoned);
    match g.leaders_in(to).find(|&l| g.c[l].side != side) {
        Some(l) if !fights && !led() => {
            refuse("12.D.5", format!("{} is in {}: only combat units go there.", g.c[l].id, g.id(to)))
        }
        _ => Ok(()),
    }
}

/// Moves a mover off the map from an edge hex (7.J), unless the Eagle's Nest holds it (16.D).
fn exit(g: &mut State, mover: Mover) -> Result<(), Refusal> {
    let Some(at) = mover.spot(g).hex().filter(|&hex| g.charts.grid.on_edge(hex)) else {
        return refuse("7.J", "Units leave from a hex at the edge.");
    };
    if let Mover::Unit(u) = mover
        && lies(g, u)
    {
        return refuse("7.C", format!("{} is Prone and changes mode first.", g.name(u)));
    }
    super::eagle::allows(g, mover, at, None)?;
    let zoc = zoc::exerting(g, at, mover.side(g).enemy()).next().is_some();
    let mps = g.c.steps(if mover.rides(g) { Num::ExitMounted } else { Num::ExitDismounted })
        + if zoc { g.c.steps(Num::LeaveZoc) } else { 0 };
    pay(g, mover, mps, "leaving")?;
    match mover {
        Mover::Unit(u) => super::fire::remove(g, u, Spot::Off),
        Mover::Leader(l) => {
            let chief = g.chief_mut(l);
            (chief.spot, chief.with) = (Spot::Off, None);
        }
    }
    Ok(())
}

/// Returns `true` if a unit is Prone under Breastworks, and so must get up before it moves (3.A,
/// 16.C). The Column HQ changes mode freely.
fn lies_low(g: &State, u: UnitId) -> bool {
    g.unit(u).works && g.class(u) != Class::Hq
}

/// Returns `true` if a unit must get up before it moves, or crawl (7.C, 8.C).
pub fn lies(g: &State, u: UnitId) -> bool {
    g.unit(u).mode == Mode::Prone || lies_low(g, u)
}

/// Checks that a unit may change to a mode: it must not be Disrupted or charging (8.D.1, 16.A).
fn changes(g: &State, u: UnitId, to: Mode) -> Result<(), Refusal> {
    let class = g.class(u);
    if class.stands() || to == Mode::Mounted && class.walks() {
        return refuse("8", format!("{} is always on foot.", g.name(u)));
    }
    if g.unit(u).disrupted {
        return refuse("8.D.1", format!("{} is Disrupted and must recover first.", g.name(u)));
    }
    if g.unit(u).did.charge.is_some() {
        return refuse("16.A", format!("{} charges.", g.name(u)));
    }
    Ok(())
}

/// Returns the MPs for a change of mode; none for the HQ (12.E.3).
fn change_cost(g: &State, u: UnitId) -> u16 {
    if g.class(u) == Class::Hq { 0 } else { g.c.steps(Num::ChangeMode) }
}

/// Mounts a unit; each MP that its Holder spent costs a quarter of its remaining MPs (8.D.2.b).
fn mount(g: &mut State, u: UnitId) -> Result<(), Refusal> {
    changes(g, u, Mode::Mounted)?;
    let name = g.name(u);
    let Some(hex) = g.hex(u).filter(|_| g.unit(u).mode != Mode::Mounted) else {
        return refuse("8.D.2", format!("{name} is mounted, or not on the map."));
    };
    if !mode::can_mount(g, u, hex) {
        return refuse("8.D.2", format!("{name} needs a Holder with mounts in {}.", g.id(hex)));
    }
    // 12.E.3: a change costs the HQ nothing.
    let free = g.class(u) == Class::Hq;
    let holder = mode::mounts(g, u, hex).filter(|_| !free).map_or(0, |h| g.unit(h).did.spent);
    pay(g, Mover::Unit(u), change_cost(g, u), "mounting")?;
    let all = allowance(g, u, Mode::Mounted);
    let left = all.saturating_sub(g.unit(u).did.spent);
    let left = left * 4_u16.saturating_sub(holder) / 4;
    mode::mount(g, u);
    g.unit_mut(u).did.spent = all - left;
    Ok(())
}

/// Changes a unit's mode to Dismounted or Prone; a mounted unit deploys its Holder (8.D.1, 8.D.4).
fn lower(g: &mut State, u: UnitId, to: Mode) -> Result<(), Refusal> {
    changes(g, u, to)?;
    if to == Mode::Prone && g.unit(u).spot == Spot::Waiting {
        return refuse("18.1", format!("{} enters Mounted or Dismounted, and may go Prone then.", g.name(u)));
    }
    if lies_low(g, u) && to == Mode::Dismounted {
        pay(g, Mover::Unit(u), change_cost(g, u), "getting up")?;
        g.leave_works(u);
        return Ok(());
    }
    if g.unit(u).mode == to || lies_low(g, u) {
        return refuse("8.D", format!("{} is {} already.", g.name(u), to.name()));
    }
    let crowded = |hex: &Hex| g.unit(u).mode == Mode::Mounted && !zoc::stables(g, *hex, u);
    if let Some(hex) = g.hex(u).filter(crowded) {
        return refuse("6.E", format!("{} has no room for more Pony Holders.", g.id(hex)));
    }
    pay(g, Mover::Unit(u), change_cost(g, u), "changing mode")?;
    mode::put_down(g, u);
    g.unit_mut(u).mode = to;
    Ok(())
}

/// Removes Disruption for 2 MPs (7.E).
fn recover(g: &mut State, u: UnitId) -> Result<(), Refusal> {
    if !g.unit(u).disrupted {
        return refuse("7.E", format!("{} is not Disrupted.", g.name(u)));
    }
    let mps = g.c.steps(Num::Recover);
    pay(g, Mover::Unit(u), mps, "recovery")?;
    g.unit_mut(u).disrupted = false;
    Ok(())
}

/// Moves a Prone unit one hex for its whole allowance (7.F).
fn crawl(g: &mut State, u: UnitId, id: &str) -> Result<(), Refusal> {
    let unit = g.unit(u);
    let Some(from) = unit.spot.hex().filter(|_| lies(g, u) && unit.did.spent == 0 && unit.did.fired.is_none()) else {
        return refuse("7.F", "Only a Prone unit crawls, with all its MPs, and not after Offensive Fire.");
    };
    let to = neighbour(g, from, id)?;
    if g.holds(to, g.side(u).enemy()) {
        return refuse("7.C", format!("An enemy unit is in {id}."));
    }
    super::eagle::allows(g, Mover::Unit(u), from, Some(to))?;
    g.unit_mut(u).did.spent = allowance(g, u, Mode::Prone);
    g.unit_mut(u).did.halted = true;
    g.unit_mut(u).mode = Mode::Prone;
    g.put(u, Spot::On(to));
    Ok(())
}
