//! The Movement Phase (4.C): its question, moves, and the reactions to them.

use super::{
    Ask, Order, RosebudCreek, State, T, aim, ammo, asking, breastworks, charge,
    components::{Class, LeaderId, Num, Side, UnitId},
    duties, eagle, entry, horses, leaders,
    movement::{self, Mover},
    naming::{self, agreeing},
    order::{Act, Going},
    pack, reaction,
    rout::{self, Willing},
    run, scatter, standing,
    state::{Mode, Phase, Spot},
    victory, view, village, ways, zoc,
};
use postrider_orders::{Misread, Phrase, capital, counted};
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, hex::Hex, refuse};

/// The question of the Movement Phase.
pub struct March {
    pub side: Side,
}

/// Returns the movers of an order and the Leaders attached to them.
fn party(g: &State, who: &[Mover]) -> Vec<Mover> {
    let mut all = who.to_vec();
    for mover in who {
        if let Mover::Unit(u) = *mover {
            let along = leaders::attached(g, u).map(Mover::Leader).filter(|l| !who.contains(l));
            all.extend(along);
        }
    }
    all
}

/// Checks that a unit that uses Hit & Run moves alone, before and after the attack (16.G).
fn apart(g: &mut State, who: &[Mover], act: &Act) -> Result<(), Refusal> {
    let units = || who.iter().filter_map(|mover| if let Mover::Unit(u) = *mover { Some(u) } else { None });
    if !matches!(act, Act::Go { .. }) || units().count() < 2 {
        return Ok(());
    }
    if let Some(u) = units().find(|&u| g.unit(u).did.ran) {
        return refuse("16.G", format!("{} has fired as Hit & Run and moves by itself.", g.name(u)));
    }
    units().for_each(|u| g.unit_mut(u).did.stacked = true);
    Ok(())
}

/// Applies one act of a move for a group to a position: first the units, then the Leaders named and
/// those attached to the units. A Leader who cannot follow stays behind.
fn step(g: &mut State, who: &[Mover], act: &Act) -> Result<(), Refusal> {
    apart(g, who, act)?;
    let party = party(g, who);
    for leads in [false, true] {
        let of = |mover: &&Mover| who.contains(mover) && matches!(**mover, Mover::Leader(_)) == leads;
        for &mover in party.iter().filter(of) {
            movement::act(g, mover, act)?;
        }
    }
    for &mover in party.iter().filter(|mover| !who.contains(mover)) {
        let Mover::Leader(l) = mover else { continue };
        follow(g, l);
    }
    Ok(())
}

/// Moves a Leader after his unit, also off the map, if he may and has the MPs; the staff always
/// follows.
pub fn follow(g: &mut State, l: LeaderId) {
    let Some(u) = g.chief(l).with else { return };
    let spot = g.unit(u).spot;
    let act = match spot {
        _ if g.chief(l).spot == spot => return,
        Spot::On(to) => Act::Go { hex: g.id(to) },
        Spot::Off => Act::Exit {},
        _ => return,
    };
    if leaders::is_staff(g, l) {
        let chief = g.chief_mut(l);
        (chief.spot, chief.with) = (spot, chief.with.filter(|_| spot != Spot::Off));
    } else if movement::act(g, Mover::Leader(l), &act).is_err() {
        g.chief_mut(l).with = None;
    }
}

impl March {
    /// Returns the movers with these names, which must belong to the side.
    fn who(&self, g: &State, names: &[String]) -> Result<Vec<Mover>, Refusal> {
        let mut all = Vec::new();
        for name in names {
            let Some(mover) = Mover::named(g, name).filter(|mover| mover.side(g) == self.side) else {
                return refuse("7", format!("There is no {name} of yours."));
            };
            if all.contains(&mover) {
                return refuse("7", format!("{name} is named twice."));
            }
            all.push(mover);
        }
        if all.is_empty() { refuse("7", "Name who moves.") } else { Ok(all) }
    }
    /// Tries a move on a position, without reactions. Returns the hexes that it leaves and enters.
    fn rehearse(&self, g: &mut State, going: &Going) -> Result<Vec<Hex>, Refusal> {
        let who = self.who(g, &going.who)?;
        if going.acts.is_empty() {
            return refuse("7", "Say where they go or what they do.");
        }
        let patients = duties::patients(g);
        let charges = |mover: &Mover| matches!(*mover, Mover::Unit(u) if g.unit(u).did.charge.is_some());
        let begun: Vec<bool> = who.iter().map(charges).collect();
        // Hexes where the movers may have put down Holders.
        let mut dropped = Vec::new();
        let starts: Vec<Option<Hex>> = who.iter().map(|mover| mover.spot(g).hex()).collect();
        let mut ways: Vec<Vec<Hex>> = starts.iter().map(|start| start.iter().copied().collect()).collect();
        for (i, act) in going.acts.iter().enumerate() {
            if let Act::Fire { at } = act {
                if !aim::runs(g, &who) {
                    if i + 1 < going.acts.len() {
                        return refuse(
                            "4.E",
                            "Fire behind a move is Advance Fire: it comes after all moves, and stands last.",
                        );
                    }
                    aim::check(g, &who, at)?;
                    continue;
                }
                if i == 0 {
                    who.iter().try_for_each(|&mover| movement::barred(g, mover))?;
                }
                let u = run::check(g, &who, at)?;
                g.unit_mut(u).did.ran = true;
                continue;
            }
            if let (Act::Go { .. }, Some(first)) = (act, who.first()) {
                let apart = who.iter().any(|mover| mover.spot(g) != first.spot(g));
                if apart {
                    return refuse("7.A", "Who moves together begins in one hex.");
                }
            }
            if matches!(act, Act::Attach { .. }) && !who.iter().any(|mover| matches!(mover, Mover::Leader(_))) {
                return refuse(
                    "12.A",
                    "Only a Leader who comes by himself is attached: mills alone: to 2808, attach 3e.",
                );
            }
            step(g, &who, act)?;
            if matches!(act, Act::Dismount {} | Act::Prone {}) {
                dropped.extend(who.iter().filter_map(|mover| mover.spot(g).hex()));
            }
            for (way, mover) in ways.iter_mut().zip(&who) {
                way.extend(mover.spot(g).hex().filter(|hex| way.last() != Some(hex)));
            }
        }
        let entered = ways.iter().zip(&starts).filter(|(_, start)| start.is_none());
        dropped.extend(entered.filter_map(|(way, _)| way.first().copied()));
        for ((mover, way), begun) in who.iter().zip(&ways).zip(begun) {
            if let Mover::Unit(u) = *mover {
                charge::ends(g, u, way, begun)?;
            }
        }
        duties::keeps_hq(g, &who, &starts)?;
        duties::keeps_personnel(g, &who, &starts, &going.acts)?;
        duties::keeps_wounded(g, &who, &ways, &patients)?;
        // 15.B: Personnel who rejoin their train add nothing to its hex.
        let back = who.iter().filter_map(|mover| if let Mover::Unit(u) = *mover { Some((u, g.hex(u)?)) } else { None });
        let manned: Vec<UnitId> = back.filter_map(|(u, hex)| pack::home(g, u, hex)).collect();
        manned.into_iter().for_each(|train| pack::man(g, train));
        let ends: Vec<Hex> = who.iter().filter_map(|mover| mover.spot(g).hex()).collect();
        let touched: Vec<Hex> = starts.iter().flatten().copied().chain(dropped).chain(ends).collect();
        touched.iter().for_each(|&hex| leaders::settle(g, hex));
        Ok(touched)
    }
    /// Checks that a hex is within its limits at the end of a phase, or no farther beyond them than it
    /// was before (6): Retreats and Routs may leave too many Pony Holders in it (6.E).
    fn room(&self, (before, g): (&State, &State), hex: Hex, who: &[Mover]) -> Result<(), Refusal> {
        let was = zoc::crowded(before, hex).map_or(0, |(over, _)| over);
        match zoc::crowded(g, hex).filter(|&(over, _)| over > was) {
            Some((_, why)) => refuse("6", format!("{why}.{}", self.could_leave(g, hex, who))),
            None => Ok(()),
        }
    }
    /// Tries the moves of an order in sequence (6). The first `first` moves must be possible and
    /// leave room in their hexes; later ones are skipped if they are impossible.
    fn rehearse_all(&self, g: &State, moves: &[Going], first: usize) -> Result<(), Refusal> {
        let mut after = g.clone();
        let mut touched = Vec::new();
        for (at, going) in moves.iter().enumerate() {
            let mut tried = after.clone();
            match self.rehearse(&mut tried, going) {
                Ok(hexes) => {
                    after = tried;
                    touched.extend(hexes.into_iter().filter(|_| at < first));
                }
                Err(why) if at < first => return Err(why),
                Err(_) => {}
            }
        }
        let movers = |going: &Going| self.who(g, &going.who).unwrap_or_default();
        let who: Vec<Mover> = moves.iter().flat_map(movers).collect();
        touched.into_iter().try_for_each(|hex| self.room((g, &after), hex, &who))
    }
    /// Returns a hint about the units in a full hex that can still leave first, alone or in the
    /// same order (6).
    fn could_leave(&self, g: &State, hex: Hex, who: &[Mover]) -> String {
        let goes = |u: &UnitId| {
            let mover = Mover::Unit(*u);
            g.stacking(*u) > 0
                && !who.contains(&mover)
                && movement::left(g, mover) > 0
                && movement::barred(g, mover).is_ok()
        };
        let units: Vec<UnitId> = g.of_side(hex, self.side).filter(goes).collect();
        match units.first() {
            None => String::new(),
            Some(_) => format!(
                " There {} can still go first: order that in a line before, or with `also` in this one.",
                g.all_called(&units)
            ),
        }
    }
    /// Returns the pieces that can still do something.
    pub fn movers(&self, g: &State) -> Vec<Mover> {
        self.each_mover(g).collect()
    }
    /// Returns `true` if no piece can do anything, and no village be searched for (16.E).
    fn is_idle(&self, g: &State) -> bool {
        self.each_mover(g).next().is_none()
            && entry::waiting(g).is_empty()
            && self.fugitives(g).is_empty()
            && village::may_search(g, self.side).is_err()
    }
    fn each_mover(&self, g: &State) -> impl Iterator<Item = Mover> {
        let side = self.side;
        let units = g.c.unit_ids().filter(move |&u| g.side(u) == side).map(Mover::Unit);
        let chiefs = g.c.leader_ids().filter(move |&l| g.c[l].side == side).map(Mover::Leader);
        let can = move |mover: &Mover| {
            let there = matches!(mover.spot(g), Spot::On(_) | Spot::Waiting);
            there && movement::left(g, *mover) > 0 && movement::barred(g, *mover).is_ok()
        };
        units.chain(chiefs).filter(move |mover| can(mover) && !self.only_entering(g, *mover))
    }
    /// Returns the Routed units that may continue their Rout by an order (10.J.1).
    fn fugitives(&self, g: &State) -> Vec<UnitId> {
        g.on_map(self.side).filter(|&u| rout::may_go_on(g, u)).collect()
    }
    /// Returns `true` for Pony Holders waiting to enter, which do not move on their own.
    fn only_entering(&self, g: &State, mover: Mover) -> bool {
        mover.spot(g) == Spot::Waiting && matches!(mover, Mover::Unit(u) if g.class(u) != Class::Warrior)
    }
    /// Returns the steps to a hex within reach.
    pub fn way_to(g: &State, mover: Mover, to: Hex) -> Option<Vec<Act>> {
        let way = movement::reach(g, mover)?.way(to)?;
        Some(way.into_iter().skip(1).map(|hex| Act::Go { hex: g.id(hex) }).collect())
    }
    fn move_of(g: &State, mover: Mover, acts: Vec<Act>) -> Order {
        Order::Move { moves: vec![Going { who: vec![mover.name(g)], acts }] }
    }
}

/// Returns a random legal order, or `None`.
fn drawn(march: &March, g: &State, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
    let movers = march.movers(g);
    let fled = march.fugitives(g);
    if !fled.is_empty() && (movers.is_empty() || below(10) == 0) {
        return Some(Order::rout(g.name(fled[below(fled.len() as u32) as usize]), Willing::default()));
    }
    if movers.is_empty() {
        return None;
    }
    let mover = movers[below(movers.len() as u32) as usize];
    let mut acts = Vec::new();
    if mover.spot(g) == Spot::Waiting {
        let side = below(3) as usize;
        let hexes = &g.charts.entries[side];
        acts.push(Act::Go { hex: g.id(hexes[below(hexes.len() as u32) as usize]) });
        return Some(March::move_of(g, mover, acts));
    }
    if let Mover::Unit(u) = mover {
        let act = match below(8) {
            0 => Some(Act::Mount {}),
            1 => Some(Act::Dismount {}),
            2 => Some(Act::Prone {}),
            3 => Some(Act::Recover {}),
            4 => {
                let near: Vec<Hex> = g.hex(u).map(|at| g.charts.grid.neighbours(at).collect()).unwrap_or_default();
                let to = near.get(below(6) as usize).map(|&hex| g.id(hex));
                to.filter(|_| g.unit(u).mode == Mode::Prone).map(|hex| Act::Crawl { hex })
            }
            _ => None,
        };
        if let Some(act) = act {
            return Some(March::move_of(g, mover, vec![act]));
        }
    }
    let reach = movement::reach(g, mover)?;
    let ends: Vec<Hex> = reach.each().map(|(hex, _)| hex).collect();
    if ends.is_empty() {
        return None;
    }
    let to = ends[below(ends.len() as u32) as usize];
    acts.extend(reach.way(to)?.into_iter().skip(1).map(|hex| Act::Go { hex: g.id(hex) }));
    Some(March::move_of(g, mover, acts))
}

impl Prompt<RosebudCreek> for March {
    type Answer = Order;
    fn kind(&self) -> Ask {
        Ask::Movement
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Order, Refusal> {
        match order {
            Order::Done {} => {}
            Order::Doctrine { about, how } => standing::check(g, self.side, about, how)?,
            Order::Move { moves } if !moves.is_empty() => self.rehearse_all(g, moves, moves.len())?,
            Order::Rout { who, mode, after } => {
                let u = g.c.unit(who).filter(|&u| g.side(u) == self.side);
                // 10.J.1: in the Movement Phase only Routed units may continue.
                let free = |u: &UnitId| g.unit(*u).routed && rout::may_volunteer(g, *u);
                let will = Willing { mode: *mode, after: *after };
                if u.filter(free).is_none_or(|u| !will.suits(g, u)) {
                    return refuse("10.J.1", format!("{who} cannot go on in its Rout now."));
                }
            }
            Order::Build { who } => breastworks::may_build(g, self.side, who).map(drop)?,
            Order::Load { who } => breastworks::may_load(g, self.side, who).map(drop)?,
            Order::Abandon { who } => {
                let holder = |&u: &UnitId| g.side(u) == Side::Us && g.class(u).is_holder() && !g.unit(u).mountless;
                let own = g.c.unit(who).filter(|u| self.side == Side::Us && holder(u));
                if own.is_none_or(|h| g.hex(h).is_none()) {
                    return refuse("16.B", format!("{who} has no horses to let go."));
                }
            }
            Order::Personnel { from, to, points } => {
                let both = g.c.unit(from).zip(g.c.unit(to)).filter(|_| self.side == Side::Us);
                let Some((from, to)) = both else { return refuse("15.B", "There is no such unit of yours.") };
                if let Err(why) = pack::may_give(g, from, to, *points) {
                    return refuse("15.B", format!("{why}."));
                }
            }
            Order::Search {} => village::may_search(g, self.side).map(drop)?,
            _ => return refuse("4.C", "Here units move: 3a to 2808, dismount; or done."),
        }
        Ok(order.clone())
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let movers = self.movers(g);
        let waits = movers.iter().filter(|mover| mover.spot(g) == Spot::Waiting).count();
        let example = match self.side {
            Side::Us => "3a 3e: 2909 > 2808, dismount",
            Side::Indian => "h1-h3: 2405 > 2406, dismount",
        };
        let d = Description::new(format!("Movement, turn {}, {}", g.turn, g.clock()), "4.C").line(format!(
            "{} of yours can still move. A group one line: who, the way, what they do on it ({example}). `done` ends the phase.",
            movers.len()
        ));
        let d = if waits > 0 {
            d.line(format!(
                "{waits} wait to enter in this turn: `hunkpapa 1-3 to 2400`; who is not named comes by the north edge (18.1, `help enter`)."
            ))
        } else {
            d
        };
        let fled = self.fugitives(g);
        let d = if fled.is_empty() {
            d
        } else {
            let (are, first) = (g.all_do(&fled, "is"), g.name(fled[0]).to_lowercase());
            d.line(format!("{are} Routed and may go on: rout {first}."))
        };
        let entering = waits > 0 && g.on_map(self.side).next().is_none();
        // For an entry the map shows the entry edge instead of the distant enemy.
        let map = if entering { view::around(g, &entry::middle(g)) } else { view::contact(g) };
        d.drawing(map).few(5)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        ways::march(g, self.side).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        ways::march(g, self.side).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = ways::march(g, self.side);
        let mut all = vec![Choice::said(Order::Done {}, &grammar)];
        if village::may_search(g, self.side).is_ok() {
            all.push(Choice::said(Order::Search {}, &grammar));
        }
        let fled = self.fugitives(g).into_iter().map(|u| Order::rout(g.name(u), Willing::default()));
        all.extend(fled.map(|order| Choice::said(order, &grammar)));
        all.extend(entry::example(g).map(|order| Choice::said(order, &grammar)));
        let enemies: Vec<Hex> = g.on_map(self.side.enemy()).filter_map(|u| g.hex(u)).collect();
        for mover in self.movers(g) {
            if all.len() > 40 {
                break;
            }
            if matches!(mover, Mover::Unit(u) if g.unit(u).disrupted && movement::left(g, mover) >= g.c.steps(Num::Recover))
            {
                all.push(Choice::said(March::move_of(g, mover, vec![Act::Recover {}]), &grammar));
            }
            let Some(reach) =
                movement::reach(g, mover).filter(|_| matches!(mover, Mover::Unit(u) if !g.class(u).is_holder()))
            else {
                continue;
            };
            let fits = |hex: &Hex| matches!(mover, Mover::Unit(u) if zoc::fits(g, *hex, u));
            let near = |hex: Hex| g.charts.grid.nearest(hex, enemies.iter().copied());
            let best = reach.each().map(|(hex, _)| hex).filter(fits).min_by_key(|&hex| (near(hex), hex));
            let order = best.and_then(|to| March::way_to(g, mover, to)).map(|acts| March::move_of(g, mover, acts));
            if let Some(order) = order.filter(|order| self.accept(g, Seat(0), order).is_ok()) {
                let (name, cost) = (mover.called(g), best.and_then(|to| reach.cost(to)).unwrap_or(0));
                let note = format!("{name}, {cost} of {}", counted(movement::left(g, mover), "MP"));
                all.push(Choice::said(order, &grammar).note(note));
            }
        }
        all
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        match below(60) {
            0 => return Some(standing::sample(below)),
            1 if village::may_search(g, self.side).is_ok() => return Some(Order::Search {}),
            2..=4 => return Some(Order::Done {}),
            5 if self.side == Side::Us => {
                let units: Vec<UnitId> = g.on_map(Side::Us).collect();
                let who = g.name(*units.get(below(units.len().max(1) as u32) as usize)?);
                let order = if below(2) == 0 { Order::Build { who } } else { Order::Abandon { who } };
                if self.accept(g, Seat(0), &order).is_ok() {
                    return Some(order);
                }
            }
            _ => {}
        }
        for _ in 0..4 {
            let order = drawn(self, g, below);
            if let Some(order) = order.filter(|order| self.accept(g, Seat(0), order).is_ok()) {
                return Some(order);
            }
        }
        Some(Order::Done {})
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Done {})
    }
}

/// Resolves the effects of a mover's entry into a hex in the Movement Phase. Returns `true` if
/// other pieces may have moved, or the mover may be gone.
async fn arrive(t: &T, g: &mut State, mover: Mover) -> bool {
    let Some(at) = mover.spot(g).hex() else { return false };
    leaders::overrun(t, g, at, mover.side(g));
    if let Mover::Unit(u) = mover {
        victory::objective(t, g, u);
        pack::rejoin(t, g, u);
        eagle::watch(t, g);
        if g.side(u) == Side::Us {
            let scattered = scatter::near(t, g, at).await;
            charge::lapse(t, g);
            return scattered || g.class(u) == Class::Personnel;
        }
    }
    false
}

/// Resolves Opportunity Fire at a group that leaves an enemy ZOC; those that cannot continue as
/// ordered are removed from it (9.F). Returns `true` if there was any fire.
async fn under_fire(t: &T, g: &mut State, who: &mut Vec<Mover>, resume: bool) -> bool {
    let units: Vec<UnitId> =
        who.iter().filter_map(|mover| if let Mover::Unit(u) = *mover { Some(u) } else { None }).collect();
    let before: Vec<(Spot, Mode)> = units.iter().map(|&u| (g.unit(u).spot, g.unit(u).mode)).collect();
    let fired = reaction::opportunity(t, g, &units).await;
    let moved = |u: UnitId, g: &State| {
        let at = units.iter().position(|&o| o == u);
        at.is_some_and(|at| g.unit(u).spot != before[at].0 || !resume && g.unit(u).mode != before[at].1)
    };
    // 7.A: units that were pushed back stop; those forced to dismount stop unless their doctrine
    // says otherwise.
    who.retain(|&mover| match mover {
        Mover::Unit(u) => movement::barred(g, mover).is_ok() && !moved(u, g),
        Mover::Leader(_) => movement::barred(g, mover).is_ok(),
    });
    fired
}

/// Scores a mover that left the map voluntarily: the points of a unit count as casualties (7.J).
fn gone(t: &T, g: &mut State, mover: Mover, cf: u8) {
    t.tell(|| format!("{} the map.", mover.does(g, "leaves")));
    if let Mover::Unit(u) = mover {
        if g.class(u) == Class::Train {
            pack::lost(t, g, u);
        }
        g.casualties(mover.side(g), cf);
    }
}

/// Tells where a group has arrived.
fn arrived(t: &T, g: &State, going: &Going, who: &[Mover], starts: &[(Mover, Hex)]) {
    if who.is_empty() {
        t.tell(|| format!("The move of {} ends.", going.who.join(" ")));
    }
    // The acts of pieces that did not leave their hexes have already been told.
    let gone = |mover: &&Mover| mover.spot(g).hex().is_some_and(|at| !starts.contains(&(**mover, at)));
    if let Some(end) = who.iter().filter(gone).filter_map(|mover| mover.spot(g).hex()).next_back() {
        t.tell(|| {
            let (all, moves) = (capital(&names(g, who)), agreeing(g, who, "moves"));
            format!("{all}{} {moves} to {}.", along(g, who), g.id(end))
        });
    }
}

/// Returns the mounted units that an act dismounts.
fn dismounting(g: &State, who: &[Mover], act: &Act) -> Vec<UnitId> {
    let lowers = matches!(act, Act::Dismount {} | Act::Prone {});
    let riders = who.iter().filter_map(|mover| match *mover {
        Mover::Unit(u) if lowers && g.unit(u).mode == Mode::Mounted => Some(u),
        _ => None,
    });
    riders.collect()
}

/// Carries out a move of a group, with Opportunity Fire and all other reactions. Pieces that are
/// stopped stay behind. Returns the pieces that completed the move.
async fn carry_out(t: &T, g: &mut State, march: &March, going: &Going) -> Vec<Mover> {
    let Ok(mut who) = march.who(g, &going.who) else { return Vec::new() };
    let starts: Vec<(Mover, Hex)> = who.iter().filter_map(|&mover| Some((mover, mover.spot(g).hex()?))).collect();
    // `true` if the position may differ from the one for which the order was checked.
    let mut surprised = false;
    let resume = g.doctrine[march.side.index()].resume == super::doctrine::Will::Yes;
    for act in &going.acts {
        if let (Act::Fire { at }, Ok(all)) = (act, march.who(g, &going.who))
            && !aim::runs(g, &all)
        {
            // Each unit's ability to fire is checked in the Advance Fire Phase.
            aim::take(t, g, &all, at);
            continue;
        }
        // A unit that a minimum move has halted may still attack as Hit & Run (7.D, 16.G).
        if surprised || !matches!(act, Act::Fire { .. }) {
            who.retain(|&mover| movement::barred(g, mover).is_ok() || mover.spot(g) == Spot::Waiting);
        }
        if let Act::Fire { at } = act {
            run::attack(t, g, &who, at).await;
            surprised = true;
            continue;
        }
        let leaves = matches!(act, Act::Go { .. } | Act::Crawl { .. } | Act::Exit {});
        if leaves {
            surprised |= under_fire(t, g, &mut who, resume).await;
        }
        if who.is_empty() {
            break;
        }
        let abandons = dismounting(g, &who, act);
        let losses: Vec<u8> = abandons.iter().map(|&u| g.unit(u).losses).collect();
        let cfs: Vec<u8> = who.iter().map(|mover| if let Mover::Unit(u) = *mover { g.cf(u) } else { 0 }).collect();
        // After a reaction the order must be checked again; otherwise it proceeds as when it was
        // checked.
        if surprised {
            let mut after = g.clone();
            if let Err(why) = step(&mut after, &who, act) {
                t.tell(|| format!("The move of {} ends: {}", names(g, &who), why.why));
                break;
            }
            *g = after;
        } else if let Err(why) = step(g, &who, act) {
            debug_assert!(false, "{:?}: {why:?}", going.acts);
            break;
        }
        if let Some(what) = told(g, &who, act) {
            t.tell(|| what);
        }
        for (u, before) in abandons.into_iter().zip(losses) {
            if g.unit(u).losses < before {
                t.tell(|| format!("{} the mounts go.", g.does(u, "lets")));
                horses::captured(t, g, u);
            }
        }
        if matches!(act, Act::Exit {}) {
            who.iter().zip(cfs).for_each(|(&mover, cf)| gone(t, g, mover, cf));
        }
        if leaves {
            for mover in who.clone() {
                surprised |= arrive(t, g, mover).await;
            }
        }
    }
    // Leaders who could not keep up may be anywhere along the path.
    let heads: Vec<Hex> = g.c.leader_ids().filter_map(|l| g.chief(l).spot.hex()).collect();
    for hex in heads {
        leaders::join(t, g, hex);
    }
    arrived(t, g, going, &who, &starts);
    who
}

/// Returns the story of an act that is not a step: `Lawson (3A) dismounts.`
fn told(g: &State, who: &[Mover], act: &Act) -> Option<String> {
    let leaders = matches!(act, Act::Attach { .. });
    let of_it: Vec<Mover> = who.iter().copied().filter(|mover| matches!(mover, Mover::Leader(_)) == leaders).collect();
    if of_it.is_empty() {
        return None;
    }
    let does = |verb: &str| agreeing(g, &of_it, verb);
    let what = match act {
        Act::Mount {} => does("mounts"),
        Act::Dismount {} => does("dismounts"),
        Act::Prone {} => does("goes") + " Prone",
        Act::Recover {} => does("recovers") + " from Disruption",
        Act::Charge { hex } => format!("{} {hex}", does("charges")),
        Act::Attach { unit } => format!("{} {unit}", does("joins")),
        Act::Go { .. } | Act::Crawl { .. } | Act::Exit {} | Act::Fire { .. } => return None,
    };
    Some(format!("{} {what}.", capital(&names(g, &of_it))))
}

/// Makes room in the hexes where a move was cut short (6).
async fn make_room(t: &T, g: &mut State, side: Side, who: &[Mover]) {
    for mover in who {
        if let (Mover::Unit(u), Some(at)) = (*mover, mover.spot(g).hex()) {
            let enemy = zoc::exerting(g, at, side.enemy()).next().and_then(|o| g.hex(o)).unwrap_or(at);
            super::retreat::room(t, g, u, super::retreat::Flight::step(enemy)).await;
        }
    }
}

/// Returns the Leaders who moved with their units, in words: `, with Crook and Royall,` (12.A).
fn along(g: &State, who: &[Mover]) -> String {
    let units = who.iter().filter_map(|mover| if let Mover::Unit(u) = *mover { Some(u) } else { None });
    let heads = units.flat_map(|u| leaders::attached(g, u));
    let heads = heads.filter(|&l| !leaders::is_staff(g, l) && !who.contains(&Mover::Leader(l)));
    let heads: Vec<String> = heads.map(|l| g.c[l].id.clone()).collect();
    if heads.is_empty() { String::new() } else { format!(", with {},", postrider_orders::list_and(&heads)) }
}

fn names(g: &State, who: &[Mover]) -> String {
    if who.is_empty() { "the group".to_owned() } else { naming::all(g, who) }
}

/// Runs the Movement Phase: first Routed units, then the player's orders, then mandatory moves
/// (4.C).
pub async fn phase(t: &T, g: &mut State) {
    g.phase = Phase::Movement;
    g.fresh_phase();
    g.builders = None;
    let side = g.phasing;
    for unit in &mut g.units {
        unit.did.fresh = unit.is_good();
    }
    (g.searched_now, g.ordered) = (false, false);
    rout::phase(t, g).await;
    loop {
        let march = March { side };
        if march.is_idle(g) {
            break;
        }
        let order = asking::settled(t, g, side, march).await;
        g.ordered |= !matches!(order, Order::Doctrine { .. } | Order::Rout { .. } | Order::Search {});
        match order {
            Order::Done {} => break,
            order @ Order::Doctrine { .. } => standing::set(t, g, side, &order),
            Order::Move { moves } => {
                let mut ended = Vec::new();
                for (at, going) in moves.iter().enumerate() {
                    let march = March { side };
                    // Moves that earlier ones have made impossible are skipped; the first was
                    // checked when the order came.
                    if at > 0
                        && let Err(why) = march.rehearse_all(g, &moves[at..], 1)
                    {
                        t.tell(|| format!("{} holds: {}", going.who.join(", "), why.why));
                        continue;
                    }
                    ended.extend(carry_out(t, g, &march, going).await);
                }
                make_room(t, g, side, &ended).await;
            }
            Order::Rout { who, mode, after } => {
                if let Some(u) = g.c.unit(&who) {
                    rout::voluntary(t, g, u, Willing { mode, after }).await;
                }
            }
            Order::Build { who } => breastworks::build(t, g, &who),
            Order::Load { who } => breastworks::load(t, g, &who),
            Order::Abandon { who } => {
                if let Some(u) = g.c.unit(&who) {
                    horses::lose(t, g, u).await;
                }
            }
            Order::Personnel { from, to, points } => {
                if let Some((from, to)) = g.c.unit(&from).zip(g.c.unit(&to)) {
                    pack::give(t, g, from, to, points).await;
                }
            }
            Order::Search {} => village::search(t, g).await,
            _ => {}
        }
    }
    if side == Side::Indian && g.turn == 1 {
        enter_rest(t, g);
    }
    for at in duties::fulfil(t, g) {
        scatter::near(t, g, at).await;
    }
    ammo::settle(t, g);
    horses::replacements(t, g).await;
}

/// Brings on the units that were not ordered to enter, by the north edge (18.1).
fn enter_rest(t: &T, g: &mut State) {
    for u in entry::rest(g) {
        t.tell(|| {
            let at = g.hex(u).map(|hex| format!(" in {}", g.id(hex))).unwrap_or_default();
            format!("{}{at}.", g.does(u, "enters"))
        });
    }
    for hex in g.charts.entries[0].clone() {
        leaders::join(t, g, hex);
    }
    eagle::watch(t, g);
}
