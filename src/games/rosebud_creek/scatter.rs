//! Indian Scatter (7.K).

use super::{
    Ask, Order, RosebudCreek, State, T,
    components::{Class, Num, Side, UnitId},
    doctrine::{ScatterWill, WayWill},
    eagle,
    facts::Scene,
    leaders, march,
    movement::{self, Mover},
    order::{Act, Going},
    reaction, rout,
    state::{Doings, Mode},
    view, ways, zoc,
};
use postrider_orders::{Misread, Phrase, counted};
use postrider_standing::Fact;
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, hex::Hex, refuse};
use std::cmp::Reverse;

/// Lets warriors within two hexes Scatter after a US unit has entered a hex; they move at once and
/// are then Routed (7.K). A unit that is pushed back on the way continues with the MPs left (7.A).
///
/// Returns `true` if any could.
pub async fn near(t: &T, g: &mut State, at: Hex) -> bool {
    let will = g.doctrine[Side::Indian.index()].scatter;
    if will == ScatterWill::Never {
        return false;
    }
    let within = g.c.steps(Num::Scatter);
    let fit = |&u: &UnitId| {
        let unit = g.unit(u);
        g.class(u) == Class::Warrior && !unit.routed && !unit.pinned
    };
    let close: Vec<UnitId> =
        g.charts.grid.within(at, within).flat_map(|hex| g.of_side(hex, Side::Indian)).filter(fit).collect();
    let any = !close.is_empty();
    for u in close {
        let Some(from) = g.hex(u).filter(|_| !g.unit(u).routed && !g.unit(u).pinned) else { continue };
        let strength: u32 = g
            .charts
            .grid
            .within(from, within)
            .flat_map(|hex| g.of_side(hex, Side::Us))
            .map(|o| u32::from(g.cf(o)))
            .sum();
        if matches!(will, ScatterWill::Strength(n) if strength < u32::from(n)) {
            continue;
        }
        // Its record of activities starts fresh, because this is not its own turn.
        g.unit_mut(u).did = Doings { reacted: g.unit(u).did.reacted, ..Doings::default() };
        let mut begun = false;
        while let Some(flight) = wanted(t, g, u, begun).await {
            begun = true;
            if !scatter(t, g, u, flight).await {
                break;
            }
        }
        if let Some(end) = g.hex(u).filter(|_| begun) {
            ends_there(t, g, u, end).await;
        }
    }
    any
}

/// Returns how a unit Scatters, or goes on if it has begun: by the doctrine, or as its owner says.
async fn wanted(t: &T, g: &mut State, u: UnitId, begun: bool) -> Option<Flight> {
    match g.doctrine[Side::Indian.index()].scatter {
        ScatterWill::Never => None,
        ScatterWill::Strength(_) => away(g, u, begun),
        // One that cannot move is not asked about.
        ScatterWill::Ask if flights(g, u).is_empty() => None,
        ScatterWill::Ask => t.ask(g, g.seat(Side::Indian), Scattering { u, begun }).await,
    }
}

/// The acts of a Scatter, which is a full move (7.K).
type Flight = Vec<Act>;

/// The acts of a unit before it leaves its hex, in the order of the options. The first of equal
/// ways is preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Ready {
    recover: bool,
    change: Option<Change>,
}

/// A change of mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Change {
    Mount,
    Dismount,
}

impl Ready {
    /// Returns the acts. A Prone unit gets up.
    fn acts(self, g: &State, u: UnitId) -> Flight {
        let mode = match self.change {
            Some(Change::Mount) => Some(Act::Mount {}),
            Some(Change::Dismount) => Some(Act::Dismount {}),
            None => (g.unit(u).mode == Mode::Prone).then_some(Act::Dismount {}),
        };
        self.recover.then_some(Act::Recover {}).into_iter().chain(mode).collect()
    }
}

/// Checks the acts of a Scatter.
fn check(g: &State, u: UnitId, acts: &[Act]) -> Result<(), Refusal> {
    let mut after = g.clone();
    for act in acts {
        if !matches!(
            act,
            Act::Go { .. } | Act::Mount {} | Act::Dismount {} | Act::Prone {} | Act::Recover {} | Act::Crawl { .. }
        ) {
            return refuse("7.K", "Who Scatters moves, changes mode and recovers, and does nothing else.");
        }
        movement::act(&mut after, Mover::Unit(u), act)?;
    }
    match after.hex(u).filter(|&hex| zoc::fits(g, hex, u)) {
        Some(_) => Ok(()),
        None => refuse("6.A", format!("Where that ends there is no room for {}.", g.name(u))),
    }
}

/// Returns the shortest ways to every hex with room that a unit can reach with its MPs: each with
/// what it does before, its end, and its acts.
fn flights(g: &State, u: UnitId) -> Vec<(Ready, Hex, Flight)> {
    let changes = [Some(Change::Mount), None, Some(Change::Dismount)];
    let ready = [false, true].into_iter().flat_map(|recover| changes.map(|change| Ready { recover, change }));
    let fit = |one: &Ready| {
        let unit = g.unit(u);
        let mounted = unit.mode == Mode::Mounted;
        (!one.recover || unit.disrupted) && (one.change != Some(Change::Dismount) || mounted)
    };
    let ends = |ready: Ready| {
        let before = ready.acts(g, u);
        let mut after = g.clone();
        if before.iter().any(|act| movement::act(&mut after, Mover::Unit(u), act).is_err()) {
            return Vec::new();
        }
        let Some(reach) = movement::reach(&after, Mover::Unit(u)) else { return Vec::new() };
        let ends = reach.each().map(|(hex, _)| hex).filter(|&hex| zoc::fits(g, hex, u));
        let way = |to: Hex| {
            let goes = reach.way(to)?.into_iter().skip(1).map(|hex| Act::Go { hex: g.id(hex) });
            Some((ready, to, before.iter().cloned().chain(goes).collect()))
        };
        ends.filter_map(way).collect()
    };
    ready.filter(fit).flat_map(ends).collect()
}

/// Returns the flight that the doctrine chooses; this is a house rule, since the rulebook leaves
/// the choice to the owner. It leads to the hex farthest from enemies, or nearest to the hex of
/// `doctrine fall back`; among equals the unit does not change mode. One that has begun goes on
/// only to a better hex.
fn away(g: &State, u: UnitId, begun: bool) -> Option<Flight> {
    let far = |hex: Hex| zoc::enemy_distance(g, hex, Side::Indian).unwrap_or(u16::MAX);
    let worth = |hex: Hex| match g.doctrine[Side::Indian.index()].way {
        WayWill::Toward(goal) => (Reverse(g.charts.grid.distance(hex, goal)), far(hex)),
        _ => (Reverse(0), far(hex)),
    };
    let least = g.hex(u).filter(|_| begun).map(worth);
    let all = flights(g, u).into_iter().filter(|&(_, to, _)| least.is_none_or(|least| worth(to) > least));
    all.max_by_key(|&(ready, to, _)| (worth(to), Reverse((ready, to)))).map(|(_, _, flight)| flight)
}

/// The word of a unit that does not Scatter.
const STAY: &str = "stay";

/// Number of flights that a letter lists.
const LISTED: usize = 8;

/// The question of whether a unit Scatters, and how (7.K).
struct Scattering {
    u: UnitId,
    /// `true` if it was pushed back on its way, and may go on.
    begun: bool,
}

impl Scattering {
    fn order(&self, g: &State, acts: Flight) -> Order {
        Order::Move { moves: vec![Going { who: vec![g.name(self.u)], acts }] }
    }
}

impl Prompt<RosebudCreek> for Scattering {
    type Answer = Option<Flight>;
    fn kind(&self) -> Ask {
        Ask::Scatter
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Option<Flight>, Refusal> {
        match order {
            Order::Pick { one } if one == STAY => Ok(None),
            Order::Move { moves } => match &moves[..] {
                [Going { who, acts }] if who[..] == [g.name(self.u)] => {
                    check(g, self.u, acts).map(|()| Some(acts.clone()))
                }
                _ => refuse("7.K", format!("It is about {} alone.", g.called(self.u))),
            },
            _ => refuse("7.K", format!("`{STAY}`, or how it moves: the hexes, `mount`, `dismount`, `recover`.")),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let at = g.hex(self.u);
        let near: Vec<Hex> = at.map(|at| g.charts.grid.within(at, 2).collect()).unwrap_or_default();
        let (called, here) = (g.called(self.u), at.map(|hex| g.id(hex)).unwrap_or_default());
        let left = counted(movement::left(g, Mover::Unit(self.u)), "MP");
        let line = if self.begun {
            format!("{called}, pushed back to {here}, goes on with {left}; `{STAY}` ends its move there.")
        } else {
            format!(
                "{called} in {here}: the US has come near. It has a full move: name the hexes, with `mount`, `dismount` \
                 or `recover` where it does so. Who Scatters is Routed."
            )
        };
        Description::new("Whether a unit Scatters, and where to", "7.K")
            .line(line)
            .drawing(view::around(g, &near))
            .few(LISTED)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        ways::flight(g, self.u, STAY).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        ways::flight(g, self.u, STAY).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = ways::flight(g, self.u, STAY);
        let far = |hex: Hex| zoc::enemy_distance(g, hex, Side::Indian).unwrap_or(u16::MAX);
        let mut all = flights(g, self.u);
        all.sort_by_key(|&(ready, to, _)| (Reverse(far(to)), ready, to));
        let flights = all.into_iter().map(|(_, _, acts)| self.order(g, acts));
        let stay = Order::Pick { one: STAY.to_owned() };
        std::iter::once(stay).chain(flights).map(|order| Choice::said(order, &grammar)).collect()
    }
    fn facts(&self, g: &State, _: Seat, _: Option<&Order>) -> Vec<Fact> {
        Scene { at: g.hex(self.u), units: vec![self.u], attackers: Vec::new() }.facts(g)
    }
}

/// Moves the unit, with Opportunity Fire if it leaves a ZOC. Returns `true` if fire has changed its
/// plan, but it may go on (7.A).
async fn scatter(t: &T, g: &mut State, u: UnitId, flight: Flight) -> bool {
    for act in flight {
        let does = match &act {
            Act::Go { .. } => None,
            Act::Mount {} => Some("mounts"),
            Act::Dismount {} if g.unit(u).mode == Mode::Prone => Some("gets up"),
            Act::Dismount {} => Some("dismounts"),
            Act::Recover {} => Some("recovers"),
            _ => Some("lies down"),
        };
        let before = g.unit(u).spot;
        if matches!(act, Act::Go { .. } | Act::Crawl { .. }) {
            reaction::opportunity(t, g, &[u]).await;
            if g.unit(u).spot != before {
                return movement::barred(g, Mover::Unit(u)).is_ok();
            }
        }
        let along: Vec<_> = leaders::attached(g, u).collect();
        if movement::act(g, Mover::Unit(u), &act).is_err() {
            return movement::barred(g, Mover::Unit(u)).is_ok();
        }
        if let Some(does) = does {
            t.tell(|| format!("{} {does}.", g.called(u)));
        }
        if let Some(hex) = g.hex(u).filter(|_| g.unit(u).spot != before) {
            along.into_iter().for_each(|l| march::follow(g, l));
            before.hex().into_iter().for_each(|left| leaders::join(t, g, left));
            leaders::overrun(t, g, hex, Side::Indian);
            eagle::watch(t, g);
        }
    }
    false
}

/// Marks a unit as Routed in the hex where its Scatter ends (7.K). Its Leaders may join another one
/// there (12.A).
pub async fn ends_there(t: &T, g: &mut State, u: UnitId, end: Hex) {
    rout::unsettle(t, g, u, end);
    leaders::leave(t, g, u, "is Routed in").await;
    leaders::join(t, g, end);
    t.tell(|| format!("{} Scatters to {}.", g.called(u), g.id(end)));
    let enemy = zoc::exerting(g, end, Side::Us).next().and_then(|o| g.hex(o)).unwrap_or(end);
    super::retreat::room(t, g, u, super::retreat::Flight::step(enemy)).await;
}
