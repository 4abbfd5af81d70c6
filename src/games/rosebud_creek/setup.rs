//! Set-up (18).

use super::{
    Ask, Order, RosebudCreek, State, T, asking,
    components::{Charts, Class, Components, Num, Side, UnitId},
    leaders, mode, standing,
    state::{Mode, Spot},
    variant::Variant,
    words, zoc,
};
use postrider_orders::{Misread, Phrase};
use postrider_table::{Choice, Description, Introduction, Prompt, Refusal, Seat, Setup, hex::Hex, refuse};
use std::sync::Arc;

/// Returns the text of an invitation about a scenario (1, 17, 18).
pub fn introduction(setup: &Setup) -> Introduction {
    let trains = if setup.scenario == "pack-train" { " Crook has brought his two Pack Trains." } else { "" };
    Introduction {
        sides: vec!["the US".to_owned(), "the Indians".to_owned()],
        goal: format!(
            "Both sides score Victory Points for casualties and for Leaders, the US for Crook's Hill, Conical Hill and Andrew's Point, the \
             Indians for horses and trains; the ratio of the totals says who wins and by how much (17).{trains}"
        ),
        length: "At most nineteen turns of twenty minutes; each is a Player Turn of the Indians and one of the US."
            .to_owned(),
    }
}

/// Returns the position before any question: the US in its set-up hexes, the Indians off the map.
pub fn position(c: Arc<Components>, scenario: &str, variant: Variant) -> State {
    // The reader of the file has already built them successfully.
    let charts = Charts::of(&c).unwrap_or_else(|(table, ..)| unreachable!("{table} was checked"));
    let at = c.scenarios.iter().position(|s| s.id == scenario).unwrap_or(0);
    let mut g = State::empty(c, Arc::new(charts), variant, at);
    let c = g.c.clone();
    for group in &c.groups {
        let (Some(hex), Some(beside)) = (g.charts.grid.hex(&group.hex), g.charts.grid.hex(&group.holders)) else {
            continue;
        };
        for u in group.units.iter().filter_map(|id| c.unit(id)) {
            g.put(u, Spot::On(hex));
            if g.class(u) == Class::Hq {
                // 12.E.3: the HQ's Holder is not on the map unless the HQ is marked Dismounted or
                // Prone.
                g.unit_mut(u).mode = Mode::Mounted;
            } else if let Some(h) = g.charts.helper[u.index()] {
                g.put(h, Spot::On(beside));
            }
        }
        for l in group.leaders.iter().filter_map(|id| c.leader(id)) {
            g.chief_mut(l).spot = Spot::On(hex);
        }
        if let (Some(staff), true) = (c.leader("Staff"), group.units.iter().any(|id| id == "HQ")) {
            let chief = g.chief_mut(staff);
            (chief.spot, chief.with) = (Spot::On(hex), c.unit("HQ"));
        }
        leaders::settle(&mut g, hex);
    }
    for group in &c.scouts {
        let Some(hex) = g.charts.grid.hex(&group.hex) else { continue };
        for u in group.units.iter().filter_map(|id| c.unit(id)) {
            g.put(u, Spot::On(hex));
            g.unit_mut(u).mode = Mode::Mounted;
        }
        for l in group.leaders.iter().filter_map(|id| c.leader(id)) {
            g.chief_mut(l).spot = Spot::On(hex);
        }
        leaders::settle(&mut g, hex);
    }
    let boxes = if g.variant.ammo_roster { Num::TrainBoxes } else { Num::TrainPoints };
    if let (true, Some(hex)) = (g.has_trains(), c.unit("MIN").and_then(|u| g.hex(u))) {
        for u in c.unit_ids().filter(|&u| c[u].class == Class::Train) {
            g.put(u, Spot::On(hex));
            g.unit_mut(u).ammo = g.c.steps(boxes) as u8;
        }
    }
    g.ammo_points = g.c.steps(Num::AmmoPoints) as u8;
    for u in c.unit_ids().filter(|&u| c[u].class == Class::Warrior) {
        let unit = g.unit_mut(u);
        (unit.spot, unit.mode) = (Spot::Waiting, Mode::Mounted);
    }
    for l in c.leader_ids().filter(|&l| c[l].side == Side::Indian) {
        g.chief_mut(l).spot = Spot::Waiting;
    }
    g
}

/// The set-up question: the US may move Holders and Scouts from their default hexes (18.1), and the
/// Indians choose which units enter dismounted.
pub struct Placing {
    pub side: Side,
}

impl Placing {
    /// Returns `true` if a Holder may set up in a hex: adjacent to its unit.
    fn beside(g: &State, h: UnitId, hex: Hex) -> bool {
        let of = g.c.unit(&g.c[h].of).and_then(|u| g.hex(u));
        of.is_some_and(|at| g.charts.grid.adjacent(at, hex))
    }
    fn check(
        &self,
        g: &State,
        who: &[String],
        id: &str,
        mode: &str,
    ) -> Result<(Vec<UnitId>, bool, Hex, Option<Mode>), Refusal> {
        let Some(hex) = g.charts.grid.hex(id) else { return refuse("18.1", format!("{id} is no hex of the map.")) };
        let mode = match mode {
            "" => None,
            word => Some(Mode::of_word(word).ok_or(Refusal { rule: "8", why: format!("{word} is no mode.") })?),
        };
        let mut units = Vec::new();
        let mut randall = false;
        for name in who {
            if g.c.leader(name).is_some() && name == "Randall" {
                randall = true;
                continue;
            }
            let Some(u) = g.c.unit(name).filter(|&u| g.side(u) == self.side) else {
                return refuse("18.1", format!("{name} is not to be placed."));
            };
            match g.class(u) {
                Class::Scout if g.charts.scout_band.has(hex) => {}
                Class::Scout => {
                    return refuse(
                        "17",
                        format!(
                            "Scouts begin four to eight hexes from an edge, west of the Rosebud; {id} is not there."
                        ),
                    );
                }
                class if class.is_holder() && Placing::beside(g, u, hex) && mode.is_none() => {}
                class if class.is_holder() => {
                    return refuse("18.1", format!("{name} begins on foot in a hex beside its unit."));
                }
                _ => return refuse("18.1", format!("{name} begins where the scenario puts it.")),
            }
            units.push(u);
        }
        if randall && !g.charts.scout_band.has(hex) {
            return refuse("17", "Randall begins with the Scouts.");
        }
        if units.is_empty() && !randall {
            refuse("18.1", "Name who is placed.")
        } else {
            Ok((units, randall, hex, mode))
        }
    }
    fn put(g: &mut State, (units, randall, hex, mode): (Vec<UnitId>, bool, Hex, Option<Mode>)) {
        for u in units {
            g.put(u, Spot::On(hex));
            if let Some(mode) = mode {
                g.unit_mut(u).mode = mode;
            }
            // 12.E.3: the Holder of the HQ is there only if the HQ is marked Dismounted.
            if let Some(hq) = g.c.unit(&g.c[u].of).filter(|_| g.class(u) == Class::HqHolder) {
                g.unit_mut(hq).mode = Mode::Dismounted;
            }
        }
        if let (true, Some(l)) = (randall, g.c.leader("Randall")) {
            let chief = g.chief_mut(l);
            (chief.spot, chief.with) = (Spot::On(hex), None);
        }
        for l in g.c.leader_ids() {
            if let Some(at) = g.chief(l).spot.hex() {
                leaders::settle(g, at);
            }
        }
    }
}

impl Prompt<RosebudCreek> for Placing {
    type Answer = Order;
    fn kind(&self) -> Ask {
        Ask::SetUp
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Order, Refusal> {
        match order {
            Order::Done {} => {}
            Order::Doctrine { about, how } => standing::check(g, self.side, about, how)?,
            Order::Place { who, hex, mode } => {
                let found = self.check(g, who, hex, mode)?;
                let at = found.2;
                let mut after = g.clone();
                Placing::put(&mut after, found);
                if let Some((_, why)) = zoc::crowded(&after, at) {
                    return refuse("6", format!("{why}."));
                }
            }
            Order::Attach { leader, unit } => {
                let own = |u: &UnitId| g.side(*u) == self.side && g.hex(*u).is_some();
                let hex = g.c.unit(unit).filter(own).and_then(|u| g.hex(u));
                let l = g.c.leader(leader).filter(|&l| g.chief(l).spot.hex() == hex && !leaders::is_staff(g, l));
                if hex.is_none() || l.is_none() {
                    return refuse("12.A", format!("{leader} is not in the hex of {unit}."));
                }
            }
            _ => return refuse("18.1", "This is the set-up: place old in 2806, or done."),
        }
        Ok(order.clone())
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let scouts: Vec<String> = g
            .on_map(Side::Us)
            .filter(|&u| g.class(u) == Class::Scout)
            .map(|u| {
                format!(
                    "{} in {}, {}",
                    g.called(u),
                    g.hex(u).map(|hex| g.id(hex)).unwrap_or_default(),
                    g.unit(u).mode.name()
                )
            })
            .collect();
        let d = Description::new("The set-up", "18.1");
        match self.side {
            Side::Us => d
                .line(format!("Scouts: {}. Each may begin elsewhere four to eight hexes from the north, west or east edge, west of the Rosebud.", scouts.join("; ")))
                .line("Holders (2AH is that of 2A) may stand in any hex beside their unit. Your doctrine may be given now (`help doctrine`). `attach mills to 3m` says with whom a Leader is. `done` ends your set-up. `help one mail` shows a whole Player Turn in one mail.")
                .few(4),
            Side::Indian => d
                .line("All enter mounted in turn 1 unless they dismount on the way. Your doctrine may be given now (`help doctrine`); `done` begins the game. `help one mail` shows a whole Player Turn in one mail.")
                .few(4),
        }
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        words::place(g, self.side).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        words::place(g, self.side).say(order)
    }
    fn options(&self, g: &State, seat: Seat) -> Vec<Choice<Order>> {
        let grammar = words::place(g, self.side);
        let mut all = vec![Order::Done {}];
        if self.side == Side::Us {
            let scouts = g.on_map(Side::Us).filter(|&u| g.class(u) == Class::Scout);
            let there = scouts.filter_map(|u| Some((u, g.hex(u)?)));
            all.extend(there.map(|(u, hex)| Order::Place {
                who: vec![g.name(u)],
                hex: g.id(hex),
                mode: "dismounted".to_owned(),
            }));
        } else {
            all.push(Order::Doctrine { about: "before-melee".to_owned(), how: "odds 2 mounted".to_owned() });
            all.push(Order::Doctrine { about: "scatter".to_owned(), how: "strength 12".to_owned() });
        }
        let good = all.into_iter().filter(|order| self.accept(g, seat, order).is_ok());
        good.map(|order| Choice::said(order, &grammar)).collect()
    }
    fn sample(&self, g: &State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let units: Vec<UnitId> =
            g.on_map(self.side).filter(|&u| g.class(u) == Class::Scout || g.class(u).is_holder()).collect();
        if units.is_empty() || below(4) == 0 {
            return Some(Order::Done {});
        }
        if below(3) == 0 {
            return Some(standing::sample(below));
        }
        let u = units[below(units.len() as u32) as usize];
        let hexes: Vec<Hex> = if g.class(u) == Class::Scout {
            g.charts.grid.hexes().filter(|&hex| g.charts.scout_band.has(hex)).collect()
        } else {
            let of = g.c.unit(&g.c[u].of).and_then(|of| g.hex(of));
            of.map(|at| g.charts.grid.neighbours(at).collect()).unwrap_or_default()
        };
        if hexes.is_empty() {
            return Some(Order::Done {});
        }
        let mode = if g.class(u) == Class::Scout { Mode::ALL[below(3) as usize].word() } else { "" };
        let order = Order::Place {
            who: vec![g.name(u)],
            hex: g.id(hexes[below(hexes.len() as u32) as usize]),
            mode: mode.to_owned(),
        };
        Some(if self.accept(g, seat, &order).is_ok() { order } else { Order::Done {} })
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Done {})
    }
}

/// Runs the set-up: first the US, then the doctrines of the Indians (18.1).
pub async fn phase(t: &T, g: &mut State) {
    for side in [Side::Us, Side::Indian] {
        loop {
            match asking::settled(t, g, side, Placing { side }).await {
                Order::Done {} => break,
                order @ Order::Doctrine { .. } => standing::set(t, g, side, &order),
                Order::Attach { leader, unit } => {
                    if let Some((l, u)) = g.c.leader(&leader).zip(g.c.unit(&unit)) {
                        g.chief_mut(l).with = Some(u);
                        t.tell(|| format!("{leader} is with {unit}."));
                    }
                }
                Order::Place { who, hex, mode } => {
                    if let Ok(found) = (Placing { side }).check(g, &who, &hex, &mode) {
                        Placing::put(g, found);
                        let mode = if mode.is_empty() { mode } else { format!(", {mode}") };
                        t.tell(|| format!("{} in {hex}{mode}.", who.join(" ")));
                    }
                }
                _ => {}
            }
        }
    }
    debug_assert!(mode::rides(Class::Warrior));
}
