//! The Rally Phase (4.A, 13.B, 13.C), with re-supply, attachments and Replacement Leaders.

use super::{
    Ask, Order, RosebudCreek, State, T, ammo, asking,
    components::{Class, Drm, LeaderId, Num, Side, UnitId},
    horses, leaders, pack,
    rout::{self, Willing},
    standing,
    state::{Mode, Spot, Unit},
    view, words, zoc,
};
use postrider_orders::{Misread, Phrase};
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, chart::Modifiers, refuse};

/// Returns the modifiers of a Rally die (13.B).
pub fn modifiers(g: &State, u: UnitId, routed: bool) -> Modifiers {
    let mut drm = Modifiers::new();
    let Some(at) = g.hex(u) else { return drm };
    let side = g.side(u);
    let own = |l: &LeaderId| g.c[*l].side == side;
    if let Some(l) = g.leaders_in(at).filter(own).max_by_key(|&l| (leaders::rating(g, l), std::cmp::Reverse(l))) {
        drm.add(g.c[l].id.clone(), leaders::rating(g, l));
    }
    if side == Side::Us && g.class(u) != Class::Scout {
        let led = g.c.leader_ids().filter(own).any(|l| leaders::commands(g, l, at));
        drm.add_if(!led, Drm::RallyOutside.name(), g.c.drm(Drm::RallyOutside));
    }
    let beside = routed && zoc::beside_enemy(g, at, side);
    drm.add_if(beside, Drm::RallyEnemy.name(), g.c.drm(Drm::RallyEnemy));
    drm
}

/// Makes one Rally attempt, from the Pin or from the Rout (13.C).
fn attempt(t: &T, g: &mut State, u: UnitId, routed: bool) {
    let drm = modifiers(g, u, routed);
    let die = t.d6("rally");
    let yes = die + i64::from(drm.total()) >= i64::from(g.c.n(Num::RallyYes));
    t.tell(|| {
        let from = if routed { "Rout" } else { "being Pinned" };
        let yes = if yes { "yes" } else { "no" };
        format!("{} to Rally from {from}: {}: {yes}.", g.does(u, "tries"), drm.told(die))
    });
    if yes {
        let unit = g.unit_mut(u);
        if routed {
            (unit.routed, unit.rout_from) = (false, None);
        } else {
            unit.pinned = false;
        }
    }
}

/// Returns the units that may roll: Routed ones, and Pinned ones adjacent to enemies, which must,
/// but not those Routed or Pinned during this phase (13.B, 10.J.1).
pub fn shaken(g: &State, side: Side) -> Vec<UnitId> {
    let due = |unit: &Unit| unit.did.shaken && (unit.routed || unit.pinned);
    g.on_map(side).filter(|&u| due(g.unit(u))).collect()
}

/// The question of the Rally Phase.
pub struct Rallying {
    side: Side,
    /// `true` if the dice have been rolled.
    tried: bool,
}

impl Rallying {
    /// Returns the question before any dice.
    pub fn of(side: Side) -> Rallying {
        Rallying { side, tried: false }
    }
    fn unit(&self, g: &State, name: &str) -> Result<UnitId, Refusal> {
        match g.c.unit(name).filter(|&u| g.side(u) == self.side && g.hex(u).is_some()) {
            Some(u) => Ok(u),
            None => refuse("4.A", format!("There is no {name} of yours on the map.")),
        }
    }
    fn all(&self, g: &State) -> Order {
        Order::Rally { who: shaken(g, self.side).into_iter().map(|u| g.name(u)).collect() }
    }
    /// Checks the hex of a Lieutenant: with any US Leader or combat unit (12.D.6).
    fn lieutenant(&self, g: &State, id: &str) -> Result<(), Refusal> {
        if self.side != Side::Us || leaders::lieutenants(g).is_empty() {
            return refuse("12.D.6", "No Replacement Leader is due.");
        }
        let hex = g.charts.grid.hex(id);
        let there = hex.is_some_and(|hex| g.holds(hex, Side::Us) || g.leaders_in(hex).any(|l| g.c[l].side == Side::Us));
        if there { Ok(()) } else { refuse("12.D.6", format!("Neither a US unit nor a Leader is in {id}.")) }
    }
}

impl Prompt<RosebudCreek> for Rallying {
    type Answer = Order;
    fn kind(&self) -> Ask {
        Ask::Rally
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Order, Refusal> {
        match order {
            Order::Done {} => {}
            Order::Doctrine { about, how } => standing::check(g, self.side, about, how)?,
            Order::Rally { who } => {
                if self.tried {
                    return refuse("13.B", "Units have tried to Rally in this phase.");
                }
                for (at, name) in who.iter().enumerate() {
                    let u = self.unit(g, name)?;
                    if who[..at].contains(name) {
                        return refuse("13.B", format!("{name} is named twice; it tries once."));
                    }
                    if !g.unit(u).routed && !g.unit(u).pinned {
                        return refuse("13.B", format!("{name} is neither Routed nor Pinned."));
                    }
                    if !shaken(g, self.side).contains(&u) {
                        return refuse("10.J.1", format!("{name} has Routed in this phase and does not try in it."));
                    }
                }
                let left_out = |u: &UnitId| g.unit(*u).pinned && !who.contains(&g.name(*u));
                if let Some(u) = shaken(g, self.side).into_iter().find(left_out) {
                    return refuse("13.B", format!("{} is Pinned beside an enemy and must try.", g.name(u)));
                }
            }
            Order::Attach { leader, unit } => {
                let u = self.unit(g, unit)?;
                if g.unit(u).abandoned {
                    return refuse("15.B", format!("{unit} is abandoned."));
                }
                let l = g.c.leader(leader).filter(|&l| g.chief(l).spot.hex() == g.hex(u) && g.c[l].side == self.side);
                if l.is_none_or(|l| leaders::is_staff(g, l)) {
                    return refuse("12.A", format!("{leader} is not in the hex of {unit}."));
                }
            }
            Order::Resupply { unit, from, boxes } => {
                let u = self.unit(g, unit)?;
                if let Err(why) = ammo::supply(g, u, from, *boxes) {
                    return refuse("14.C", format!("{unit}: {why}."));
                }
            }
            Order::CrossLevel { from, to, boxes } => {
                let (from, to) = (self.unit(g, from)?, self.unit(g, to)?);
                if let Err(why) = ammo::may_cross_level(g, from, to, *boxes) {
                    return refuse("14.G", format!("{why}."));
                }
            }
            Order::Lieutenant { hex } => self.lieutenant(g, hex)?,
            Order::Rout { who, mode, after } => {
                let u = self.unit(g, who)?;
                if !self.tried && !shaken(g, self.side).is_empty() {
                    return refuse("10.J.1", "Units Rout of their own will after the Rally dice: rally first.");
                }
                if g.unit(u).routed {
                    return refuse(
                        "10.J.1",
                        format!("{who} is Routed already: it goes on in the Movement Phase, unless it Rallies."),
                    );
                }
                // Nothing but ammunition halts a unit in this phase (14.C, 14.G).
                if g.unit(u).did.halted {
                    return refuse("14.C", format!("{who} is busy with ammunition and does not leave."));
                }
                let will = Willing { mode: *mode, after: *after };
                if !rout::may_volunteer(g, u) || !will.suits(g, u) {
                    return refuse("10.J.1", format!("{who} cannot Rout so."));
                }
            }
            _ => return refuse("4.A", "This is the Rally Phase: rally all, or done."),
        }
        Ok(order.clone())
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let shaken: Vec<String> = shaken(g, self.side)
            .into_iter()
            .map(|u| {
                let unit = g.unit(u);
                let state = match (unit.pinned, unit.routed) {
                    (true, true) => "Pinned and Routed",
                    (true, false) => "Pinned",
                    _ => "Routed",
                };
                format!("{} {state}, {}", g.called(u), modifiers(g, u, unit.routed))
            })
            .collect();
        let d = Description::new(format!("Rally Phase, turn {}, {}", g.turn, g.clock()), "4.A");
        let d = if shaken.is_empty() || self.tried {
            d.line(
                "Nobody has to Rally. Leaders may change their units, and units Rout of their own will; else `done`.",
            )
        } else {
            d.line(format!("Who tries to Rally, all unless you say otherwise: {}.", shaken.join("; ")))
        };
        let low: Vec<UnitId> = g.on_map(self.side).filter(|&u| ammo::source(g, u).is_ok()).collect();
        let d = if low.is_empty() { d } else { d.line(format!("Who can re-supply: {}.", g.all_called(&low))) };
        d.line(
            "`done` rolls for all who have not tried and ends the phase; `standing rally always: done` does so in every turn.",
        )
        .drawing(view::contact(g)).few(6)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        words::rally(g, self.side).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        words::rally(g, self.side).say(order)
    }
    fn options(&self, g: &State, seat: Seat) -> Vec<Choice<Order>> {
        let grammar = words::rally(g, self.side);
        let mut all = vec![Order::Done {}];
        if !self.tried && !shaken(g, self.side).is_empty() {
            all.push(self.all(g));
        }
        all.extend(g.on_map(self.side).map(|u| Order::resupply(g.name(u))));
        // An Ammo Point is listed where a train would be used by default.
        let by_train = |u: &UnitId| matches!(ammo::source(g, *u), Ok(ammo::Source::Train(_)));
        let own = |u: UnitId| Order::Resupply { unit: g.name(u), from: Order::OWN.to_owned(), boxes: None };
        all.extend(g.on_map(self.side).filter(by_train).map(own));
        if !leaders::lieutenants(g).is_empty() {
            let heads = g.c.leader_ids().filter(|&l| g.c[l].side == Side::Us);
            let mut hexes: Vec<String> = heads.filter_map(|l| g.chief(l).spot.hex()).map(|hex| g.id(hex)).collect();
            hexes.sort_unstable();
            hexes.dedup();
            all.extend(hexes.into_iter().map(|hex| Order::Lieutenant { hex }));
        }
        let good = all.into_iter().filter(|order| self.accept(g, seat, order).is_ok());
        good.map(|order| Choice::said(order, &grammar)).collect()
    }
    fn sample(&self, g: &State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let units: Vec<UnitId> = g.on_map(self.side).collect();
        if units.is_empty() {
            return Some(Order::Done {});
        }
        let who = |below: &mut dyn FnMut(u32) -> u32| g.name(units[below(units.len() as u32) as usize]);
        let order = match below(12) {
            0 => standing::sample(below),
            1 => self.all(g),
            2 => {
                let mode = [None, Some(Mode::Mounted), Some(Mode::Dismounted)][below(3) as usize];
                let after = mode.filter(|_| below(2) == 0).and_then(|_| u16::try_from(below(8)).ok());
                Order::rout(who(below), Willing { mode, after })
            }
            3 | 4 => {
                let low = units.iter().find(|&&u| ammo::source(g, u).is_ok());
                let from = [String::new(), Order::TRAIN.to_owned(), Order::OWN.to_owned()];
                let from = if below(2) == 0 { from[below(3) as usize].clone() } else { String::new() };
                let boxes = (g.variant.ammo_roster && below(2) == 0).then_some(1);
                low.map_or(Order::Done {}, |&u| Order::Resupply { unit: g.name(u), from, boxes })
            }
            5 => {
                let heads: Vec<LeaderId> =
                    g.c.leader_ids().filter(|&l| g.c[l].side == self.side && g.chief(l).spot.hex().is_some()).collect();
                let unit = who(below);
                let hex = g.c.unit(&unit).and_then(|u| g.hex(u)).map(|hex| g.id(hex)).unwrap_or_default();
                match heads.is_empty() {
                    true => Order::Done {},
                    false if below(2) == 0 => Order::Lieutenant { hex },
                    false => Order::Attach { leader: g.c[heads[below(heads.len() as u32) as usize]].id.clone(), unit },
                }
            }
            6 => Order::CrossLevel { from: who(below), to: who(below), boxes: 1 },
            _ => Order::Done {},
        };
        Some(if self.accept(g, seat, &order).is_ok() { order } else { Order::Done {} })
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Done {})
    }
}

/// Runs the Rally Phase (4.A).
pub async fn phase(t: &T, g: &mut State) {
    let side = g.phasing;
    g.fresh_phase();
    if side == Side::Indian {
        pack::plunder(t, g);
    }
    leaders::mortal(t, g, side);
    // 13.B.2: Pinned units not adjacent to enemies rally automatically.
    for u in g.on_map(side).filter(|&u| g.unit(u).pinned).collect::<Vec<_>>() {
        if g.hex(u).is_some_and(|hex| !zoc::beside_enemy(g, hex, side)) {
            g.unit_mut(u).pinned = false;
            t.tell(|| format!("{} no longer Pinned.", g.does(u, "is")));
        }
    }
    for unit in &mut g.units {
        unit.did.shaken = unit.routed || unit.pinned;
    }
    if g.on_map(side).next().is_none() {
        leaders::recover(t, g, side);
        return;
    }
    let mut tried = false;
    loop {
        match asking::settled(t, g, side, Rallying { side, tried }).await {
            Order::Done {} => break,
            Order::Rally { who } => {
                tried = true;
                let who: Vec<UnitId> = who.iter().filter_map(|name| g.c.unit(name)).collect();
                roll(t, g, &who);
            }
            order @ Order::Doctrine { .. } => standing::set(t, g, side, &order),
            Order::Attach { leader, unit } => {
                if let Some((l, u)) = g.c.leader(&leader).zip(g.c.unit(&unit)) {
                    g.chief_mut(l).with = Some(u);
                    t.tell(|| format!("{leader} is with {unit}."));
                }
            }
            Order::Resupply { unit, from, boxes } => {
                if let Some((u, supply)) =
                    g.c.unit(&unit).and_then(|u| Some((u, ammo::supply(g, u, &from, boxes).ok()?)))
                {
                    ammo::resupply(t, g, u, supply);
                }
            }
            Order::CrossLevel { from, to, boxes } => {
                if let Some((from, to)) = g.c.unit(&from).zip(g.c.unit(&to)) {
                    ammo::cross_level(t, g, from, to, boxes);
                }
            }
            Order::Lieutenant { hex } => lieutenant(t, g, &hex),
            Order::Rout { who, mode, after } => {
                if let Some(u) = g.c.unit(&who) {
                    rout::voluntary(t, g, u, Willing { mode, after }).await;
                }
            }
            _ => {}
        }
    }
    if !tried {
        let all = shaken(g, side);
        roll(t, g, &all);
    }
    // 15.B: Personnel may have rallied in the hex of their train.
    for u in g.on_map(side).collect::<Vec<_>>() {
        pack::rejoin(t, g, u);
    }
    leaders::recover(t, g, side);
    horses::replacements(t, g).await;
}

/// Rolls first for the Pin, then for the Rout, even if the first fails (13.B).
fn roll(t: &T, g: &mut State, who: &[UnitId]) {
    for &u in who {
        if g.unit(u).pinned {
            attempt(t, g, u, false);
        }
        if g.unit(u).routed {
            attempt(t, g, u, true);
        }
    }
}

/// Brings on a Lieutenant (12.D.6).
fn lieutenant(t: &T, g: &mut State, id: &str) {
    let (Some(l), Some(hex)) = (leaders::lieutenants(g).first().copied(), g.charts.grid.hex(id)) else { return };
    g.lieutenants_due -= 1;
    g.chief_mut(l).spot = Spot::On(hex);
    leaders::settle(g, hex);
    t.tell(|| format!("{} joins in {id}.", g.c[l].id));
}
