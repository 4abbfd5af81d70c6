//! Rout (10.J): Mandatory, Subsequent and Voluntary.

use super::{
    Ask, State, T,
    asking::{Asking, Named, choose_at},
    components::{Class, Ground, Num, Side, UnitId},
    doctrine::{RallyWill, RoutWill},
    eagle,
    facts::Scene,
    fire::Cause,
    horses, leaders, mode, pack, reaction,
    retreat::{self, Came, Flight, Step},
    scatter, sight,
    state::{Mode, Phase, Spot},
    zoc,
};
use postrider_table::{NO, Word, YES, hex::Hex};

/// Marks a unit as Routed (10.J.3). Returns `false` if it is gone.
async fn mark(t: &T, g: &mut State, u: UnitId) -> bool {
    let Some(hex) = g.hex(u) else { return false };
    if g.class(u).is_holder() {
        horses::lose(t, g, u).await;
    }
    if g.hex(u).is_none() {
        return false;
    }
    t.tell(|| format!("{}.", g.does(u, "Routs")));
    unsettle(t, g, u, hex);
    true
}

/// Puts the marker of a Rout that begins in a hex on a unit, which is no longer Pinned, Prone or
/// under Breastworks (8.C, 10.J.3).
pub fn unsettle(t: &T, g: &mut State, u: UnitId, hex: Hex) {
    let unit = g.unit_mut(u);
    (unit.routed, unit.pinned, unit.rout_from) = (true, false, Some(hex));
    (unit.did.charge, unit.did.halted) = (None, true);
    mode::rise(t, g, u);
    g.leave_works(u);
    leaders::pin(g, u, false);
}

/// Resolves a Rout result: two hexes away from the enemy dismounted, three mounted (10.J.2).
pub async fn mandatory(t: &T, g: &mut State, u: UnitId, cause: Cause) {
    driven(t, g, u, Flight { foes: &[cause.foe], ..Flight::step(cause.from) }).await;
}

/// Resolves a Rout result with all enemies of a melee (10.J.2).
pub async fn mandatory_from(t: &T, g: &mut State, u: UnitId, enemy: Hex, foes: &[UnitId]) {
    driven(t, g, u, Flight { foes, melee: true, ..Flight::step(enemy) }).await;
}

async fn driven(t: &T, g: &mut State, u: UnitId, flight: Flight<'_>) {
    let u = if g.class(u) == Class::Train {
        match pack::abandon(t, g, u) {
            Some(personnel) => personnel,
            None => return,
        }
    } else {
        u
    };
    if !mark(t, g, u).await {
        return;
    }
    if eagle::companies(g).any(|company| company == u) {
        eagle::free(t, g);
    }
    g.unit_mut(u).did.broke |= g.phase == Phase::Movement && g.side(u) == g.phasing;
    let hexes = first_move(g, u);
    retreat::driven(t, g, u, Flight { hexes, rout: true, ..flight }).await;
}

/// Returns the hexes of a Mandatory Rout in the unit's current mode (10.J.2).
pub fn first_move(g: &State, u: UnitId) -> u16 {
    let mounted = g.unit(u).mode == Mode::Mounted;
    g.c.steps(if mounted { Num::MandatoryMounted } else { Num::MandatoryDismounted })
}

/// Returns the hexes of a Subsequent Rout in the unit's current mode (10.J.2).
fn rate(g: &State, u: UnitId) -> u16 {
    let mounted = g.unit(u).mode == Mode::Mounted;
    g.c.steps(if mounted { Num::SubsequentMounted } else { Num::SubsequentDismounted })
}

/// Returns `true` if a unit may Rout voluntarily (10.J.1).
pub fn may_volunteer(g: &State, u: UnitId) -> bool {
    let class = g.class(u);
    let unit = g.unit(u);
    unit.spot.hex().is_some()
        && !unit.pinned
        && !unit.did.broke
        && (!unit.did.fled || goes_on(g, u))
        && !matches!(class, Class::Train | Class::Personnel | Class::PonyHolder)
}

/// Returns `true` if a Subsequent Rout ended before using all its hexes in this Movement Phase, so
/// that an order may continue it, once (10.J.1), also off the map (7.J).
fn goes_on(g: &State, u: UnitId) -> bool {
    let unit = g.unit(u);
    let begun = unit.routed && unit.did.fled && unit.did.spent > 0;
    g.phase == Phase::Movement && begun && unit.did.spent < rate(g, u)
}

/// Rout, and mount first.
pub const MOUNTED: Word = Word::new("mounted");
/// Rout, and dismount at the end.
pub const DISMOUNTED: Word = Word::new("dismounted");

/// Offers a Voluntary Rout at one of its windows (10.J.1).
pub async fn window(t: &T, g: &mut State, u: UnitId) {
    let Some(hex) = g.hex(u) else { return };
    if !may_volunteer(g, u) || g.unit(u).routed {
        return;
    }
    let side = g.side(u);
    // 10.J.1: mounting first takes two of the eight hexes; on foot there are four.
    let mounts = g.unit(u).mode != Mode::Mounted && mode::can_mount(g, u, hex);
    let mode = |changes: bool, mode: Mode| changes.then_some(mode);
    let (wants, mode) = match g.doctrine[side.index()].rout {
        RoutWill::Never => (false, None),
        RoutWill::Left(n) => {
            let alone =
                !g.charts.grid.within(hex, 1).any(|at| g.of_side(at, side).any(|o| o != u && !g.class(o).is_holder()));
            (g.cf(u) <= n && alone, mode(mounts, Mode::Mounted))
        }
        RoutWill::Ask => {
            let asking = Asking { kind: Ask::Rout, rule: "10.J.1", title: "Whether a unit Routs of its own will" };
            let line = format!("{} Rout from {} now.", g.does(u, "may"), g.id(hex));
            let mut all: Vec<Word> = vec![NO, YES];
            if mounts {
                all.push(MOUNTED);
            }
            if g.unit(u).mode == Mode::Mounted {
                all.push(DISMOUNTED);
            }
            let said = choose_at(
                t,
                g,
                side,
                asking,
                all,
                (line, Scene { at: Some(hex), units: vec![u], attackers: Vec::new() }),
            )
            .await;
            (said != NO, mode(said == MOUNTED, Mode::Mounted).or(mode(said == DISMOUNTED, Mode::Dismounted)))
        }
    };
    if wants {
        voluntary(t, g, u, Willing { mode, after: None }).await;
    }
}

/// Routs a unit voluntarily; it moves at once as in a Subsequent Rout (10.J.1).
pub async fn voluntary(t: &T, g: &mut State, u: UnitId, will: Willing) {
    if !g.unit(u).routed && !mark(t, g, u).await {
        return;
    }
    let taken = if goes_on(g, u) { g.unit(u).did.spent } else { 0 };
    subsequent(t, g, u, taken, Some(will)).await;
}

/// The choices of a Voluntary Rout (10.J.1).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Willing {
    /// The mode to change to on the way.
    pub mode: Option<Mode>,
    /// The number of hexes before the change. With `None` the unit mounts as soon as it can, and
    /// dismounts at the end.
    pub after: Option<u16>,
}

impl Willing {
    /// Returns `true` if a unit can do this; a hex must be left for a change of mode (10.J.1).
    pub fn suits(self, g: &State, u: UnitId) -> bool {
        let fit = match self.mode {
            None => self.after.is_none(),
            Some(Mode::Mounted) => mode::has_mounts(g, u),
            Some(mode) => mode == Mode::Dismounted && g.unit(u).mode == Mode::Mounted,
        };
        fit && self.after.is_none_or(|after| after < rate(g, u))
    }
    /// Returns the number of hexes kept for dismounting at the end.
    fn kept(self, g: &State, u: UnitId) -> u16 {
        let keeps = self.mode == Some(Mode::Dismounted) && self.after.is_none() && g.unit(u).mode == Mode::Mounted;
        if keeps { g.c.steps(Num::RoutDismounting) } else { 0 }
    }
    /// Changes the unit's mode if it is due and possible: a hex is left, and there are mounts, or
    /// room for them (10.J.1, 6.E). Returns the number of hexes that it takes.
    fn change(self, t: &T, g: &mut State, u: UnitId, taken: u16, ends: bool) -> u16 {
        let due = self.after.map_or(ends || self.mode == Some(Mode::Mounted), |after| taken >= after);
        let (Some(to), Some(at)) = (self.mode.filter(|_| due), g.hex(u)) else { return 0 };
        if taken >= rate(g, u) || g.unit(u).pinned || g.unit(u).mode == to {
            return 0;
        }
        if to == Mode::Mounted {
            if !mode::mount(g, u) {
                return 0;
            }
            t.tell(|| format!("{}.", g.does(u, "mounts")));
            return g.c.steps(Num::RoutMounting);
        }
        if g.unit(u).mode != Mode::Mounted || !zoc::stables(g, at, u) {
            return 0;
        }
        mode::dismount(t, g, u);
        g.c.steps(Num::RoutDismounting)
    }
}

/// Returns `true` if a hex is a Rally Location of a US unit, by terrain or by the pieces in it
/// (10.J.2.a).
pub fn is_location(g: &State, u: UnitId, hex: Hex) -> bool {
    let origin = g.unit(u).rout_from;
    if origin.is_some_and(|from| g.charts.grid.distance(from, hex) <= 1) {
        return false;
    }
    g.c.terrains[g.ground(hex).index()].rally || shelters(g, u, hex)
}

/// Returns `true` if a hex has a non-Routed unit, a Leader, the Column HQ or a Pack Train.
fn shelters(g: &State, u: UnitId, hex: Hex) -> bool {
    let unit = |o: UnitId| o != u && !g.unit(o).routed && !g.unit(o).abandoned;
    g.of_side(hex, Side::Us).any(unit)
        || g.leaders_in(hex).any(|l| g.c[l].side == Side::Us && g.chief(l).with != Some(u))
}

/// Returns `true` if a Routing unit may stop in a hex (10.J.2.a, b).
pub fn may_stop(g: &State, u: UnitId, at: Hex) -> bool {
    let (side, grid) = (g.side(u), &g.charts.grid);
    if side == Side::Indian || g.class(u) == Class::Scout {
        return zoc::enemy_distance(g, at, side).is_none_or(|far| i32::from(far) >= g.c.n(Num::RoutStop));
    }
    let origin = g.unit(u).rout_from;
    let apart = |hex: Hex| origin.is_none_or(|from| grid.distance(from, hex) > 1);
    if apart(at) && g.c.terrains[g.ground(at).index()].rally
        || grid.within(at, 1).any(|hex| apart(hex) && shelters(g, u, hex))
    {
        return true;
    }
    let enemies: Vec<Hex> =
        g.on_map(Side::Indian).filter(|&o| g.class(o).is_combat()).filter_map(|o| g.hex(o)).collect();
    let near = enemies.iter().any(|&hex| grid.distance(at, hex) <= g.c.steps(Num::RoutSight));
    !near || !enemies.iter().any(|&hex| sight::sees(g, hex, at))
}

/// Returns each hex's distance from the goals over hexes open to a side, indexed by hex.
fn ways_to(g: &State, goals: &[Hex], side: Side) -> Vec<u16> {
    let mut far = vec![u16::MAX; g.charts.grid.len()];
    let mut due: Vec<Hex> = goals.to_vec();
    goals.iter().for_each(|hex| far[hex.index()] = 0);
    let mut at = 0;
    while at < due.len() {
        let hex = due[at];
        at += 1;
        for next in g.charts.grid.neighbours(hex) {
            if retreat::is_open(g, hex, next, side) && far[next.index()] == u16::MAX {
                far[next.index()] = far[hex.index()] + 1;
                due.push(next);
            }
        }
    }
    far
}

/// Returns the next steps of a Subsequent Rout.
fn onward(g: &State, u: UnitId, at: Hex, kind: RallyWill) -> Vec<Step> {
    let (side, grid) = (g.side(u), &g.charts.grid);
    let near: Vec<Hex> = grid.neighbours(at).filter(|&to| retreat::is_open(g, at, to, side)).collect();
    if near.is_empty() {
        return if grid.on_edge(at) { vec![Step::Off] } else { Vec::new() };
    }
    let flees = side == Side::Indian || g.class(u) == Class::Scout;
    if flees && !may_stop(g, u, at) {
        let far = |hex: Hex| zoc::enemy_distance(g, hex, side).unwrap_or(u16::MAX);
        let here = far(at);
        let away: Vec<Hex> = near.into_iter().filter(|&to| far(to) > here).collect();
        if away.is_empty() {
            return if grid.on_edge(at) { vec![Step::Off] } else { Vec::new() };
        }
        return retreat::calm(g, u, away);
    }
    if side == Side::Indian {
        let edge = |hex: Hex| {
            use postrider_table::hex::Edge::*;
            [North, East, South, West].map(|edge| grid.to_edge(hex, edge)).into_iter().min().unwrap_or(0)
        };
        if grid.on_edge(at) {
            return vec![Step::Off];
        }
        let here = edge(at);
        return retreat::calm(g, u, near.into_iter().filter(|&to| edge(to) < here).collect());
    }
    let all = || grid.hexes().filter(|&hex| hex != at && !g.holds(hex, Side::Indian));
    let apart = |hex: Hex| g.unit(u).rout_from.is_none_or(|from| grid.distance(from, hex) > 1);
    let mut goals: Vec<Hex> = all().filter(|&hex| apart(hex) && kind.is_in(g, u, hex)).collect();
    if goals.is_empty() {
        goals = all().filter(|&hex| is_location(g, u, hex)).collect();
    }
    let far = ways_to(g, &goals, side);
    let best = near.iter().map(|to| far[to.index()]).min().filter(|&best| best != u16::MAX);
    let Some(best) = best else { return Vec::new() };
    retreat::calm(g, u, near.into_iter().filter(|to| far[to.index()] == best).collect())
}

impl RallyWill {
    /// Returns `true` if a hex is a Rally Location of this kind for a unit (10.J.2.a).
    fn is_in(self, g: &State, u: UnitId, hex: Hex) -> bool {
        let unit = |o: UnitId| o != u && !g.unit(o).routed && !g.unit(o).abandoned;
        let of = |class: Class| g.of_side(hex, Side::Us).any(|o| unit(o) && g.class(o) == class);
        let rally = g.c.terrains[g.ground(hex).index()].rally;
        match self {
            RallyWill::Nearest | RallyWill::Ask => is_location(g, u, hex),
            RallyWill::Hq => of(Class::Hq),
            RallyWill::Train => of(Class::Train),
            RallyWill::Unit => shelters(g, u, hex),
            RallyWill::Woods => rally && g.ground(hex) != Ground::Rocks,
            RallyWill::Rocks => rally && g.ground(hex) == Ground::Rocks,
        }
    }
}

/// Returns `true` if the owner chooses the kind of Rally Location for a unit (10.J.2.a).
fn side_picks(g: &State, u: UnitId) -> bool {
    g.side(u) == Side::Us && g.class(u) != Class::Scout
}

/// Returns the kind of Rally Location from the owner's doctrine, or asks for it (10.J.2.a).
async fn place(t: &T, g: &mut State, u: UnitId) -> RallyWill {
    let will = g.doctrine[Side::Us.index()].place;
    let Some(hex) = g.hex(u).filter(|_| will == RallyWill::Ask) else { return will };
    let kinds = [RallyWill::Hq, RallyWill::Unit, RallyWill::Woods, RallyWill::Rocks, RallyWill::Train];
    let there = |kind: &RallyWill| {
        let apart = |at: Hex| g.unit(u).rout_from.is_none_or(|from| g.charts.grid.distance(from, at) > 1);
        g.charts.grid.hexes().any(|at| at != hex && apart(at) && kind.is_in(g, u, at))
    };
    let kinds = std::iter::once(RallyWill::Nearest).chain(kinds.into_iter().filter(there));
    let all: Vec<_> = kinds.map(|kind| Named::new(kind.word(), kind)).collect();
    let asking = Asking { kind: Ask::RallyPlace, rule: "10.J.2.a", title: "Toward what a unit Routs" };
    let line = format!("{} from {}.", g.does(u, "Routs"), g.id(hex));
    let scene = Scene { at: Some(hex), units: vec![u], attackers: Vec::new() };
    choose_at(t, g, Side::Us, asking, all, (line, scene)).await.value
}

/// Returns `true` if a Voluntary Rout has reached its goal: a Rally Location for a US unit, the
/// edge of the map for an Indian one, which it leaves only if it must.
fn is_home(g: &State, u: UnitId, at: Hex) -> bool {
    if g.side(u) == Side::Indian { g.charts.grid.on_edge(at) } else { is_location(g, u, at) }
}

/// Moves a unit in a Subsequent Rout: four hexes dismounted, eight mounted, until it may stop
/// (10.J.2). With `wills`, a Voluntary Rout, it continues where it could stop.
pub async fn subsequent(t: &T, g: &mut State, u: UnitId, begun: u16, wills: Option<Willing>) {
    let Some(start) = g.hex(u) else { return };
    let begun = begun + wills.map_or(0, |will| will.change(t, g, u, begun, false));
    // 10.J.1: a unit that could not move may be ordered to continue.
    g.unit_mut(u).did.fled = begun > 0;
    g.unit_mut(u).did.halted = true;
    let Some(taken) = flee(t, g, u, begun, wills).await else { return };
    if g.phase == Phase::Movement {
        // A unit continues voluntarily only once (10.J.1).
        g.unit_mut(u).did.spent = if wills.is_some() { rate(g, u) } else { taken };
    }
    if let Some(end) = g.hex(u) {
        let enemy = nearest_enemy(g, u, end).unwrap_or(start);
        retreat::room(t, g, u, Flight::step(enemy)).await;
    }
    if let Spot::On(end) = g.unit(u).spot {
        leaders::join(t, g, end);
        if end != start {
            t.tell(|| format!("{} to {}.", g.does(u, "Routs"), g.id(end)));
        }
    }
}

/// Takes the steps of a Subsequent Rout. Returns the number of hexes taken, or `None` if the unit
/// is lost.
async fn flee(t: &T, g: &mut State, u: UnitId, begun: u16, wills: Option<Willing>) -> Option<u16> {
    let will = wills.unwrap_or_default();
    let mut kind = None;
    let mut taken = begun;
    while let Some(at) = g.hex(u) {
        let first = wills.is_some() && (taken == begun || !is_home(g, u, at));
        let spent = taken + will.kept(g, u) >= rate(g, u);
        if spent || g.unit(u).pinned || may_stop(g, u, at) && !first {
            break;
        }
        if kind.is_none() && side_picks(g, u) {
            kind = Some(place(t, g, u).await);
        }
        let among = onward(g, u, at, kind.unwrap_or(RallyWill::Nearest));
        if among.is_empty() {
            if taken == begun && wills.is_none() && retreat::is_surrounded(g, u, at) {
                retreat::lost(t, g, u, at, false).await;
                return None;
            }
            break;
        }
        if g.phase == Phase::Movement {
            reaction::opportunity(t, g, &[u]).await;
            // 9.D: fire may have dismounted it.
            if g.hex(u) != Some(at) || g.unit(u).pinned || taken >= rate(g, u) {
                return Some(taken);
            }
        }
        let begins = taken == begun;
        if !begins {
            retreat::passes(t, g, u, at);
        }
        let next = retreat::pick(t, g, u, among, Flight::step(at)).await;
        taken += 1;
        g.unit_mut(u).did.fled = true;
        if retreat::step(t, g, u, next, begins).await != Came::There {
            return Some(taken);
        }
        taken += will.change(t, g, u, taken, false);
        // 7.K: a Rout past Indians also lets them Scatter.
        let comes = g.phase == Phase::Movement && g.side(u) == Side::Us && g.phasing == Side::Us;
        if let Some(here) = g.hex(u).filter(|_| comes) {
            scatter::near(t, g, here).await;
        }
    }
    Some(taken + will.change(t, g, u, taken, true))
}

fn nearest_enemy(g: &State, u: UnitId, at: Hex) -> Option<Hex> {
    let enemies = g.on_map(g.side(u).enemy()).filter_map(|o| g.hex(o));
    enemies.min_by_key(|&hex| (g.charts.grid.distance(hex, at), hex))
}

/// Returns `true` if an order may continue the Rout of a unit in this Movement Phase (10.J.1).
pub fn may_go_on(g: &State, u: UnitId) -> bool {
    let kind = g.doctrine[Side::Us.index()].place;
    g.unit(u).routed && may_volunteer(g, u) && g.hex(u).is_some_and(|at| !onward(g, u, at, kind).is_empty())
}

/// Moves all Routed units of the phasing side first (4.C).
pub async fn phase(t: &T, g: &mut State) {
    for u in g.on_map(g.phasing).collect::<Vec<_>>() {
        let unit = g.unit(u);
        if unit.routed && !unit.pinned && !unit.did.fled && unit.spot.hex().is_some() {
            subsequent(t, g, u, 0, None).await;
        }
    }
}
