//! Reaction movement (9.4.5).

use super::{
    Ask, BloodyGround, Order, State, T,
    action::words,
    activation, cautions,
    components::{AreaId, Class, Drm, LeaderId, Side},
    facts,
    movement::{self, Mover},
    state::{Force, Spot, UnitId},
};
use postrider_orders::{Grammar, Misread, Phrase, just, one_of};
use postrider_standing::Fact;
use postrider_table::{
    Choice, Description, Prompt, Refusal, Seat, refuse,
    status::{Condition, LevelCheck},
};

/// Units stacked with a leader of theirs, who may react, and the leaders who may go along.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stack {
    pub at: AreaId,
    pub force: Force,
}

/// Returns the led stacks of units in or adjacent to the areas where a move has ended (9.4.5).
/// Disrupted units and those in `tried` are left out.
pub fn stacks(g: &State, side: Side, moved: &[AreaId], tried: &[UnitId]) -> Vec<Stack> {
    let mut areas: Vec<AreaId> = moved.iter().flat_map(|&a| g.beside(a).chain([a])).collect();
    areas.sort();
    areas.dedup();
    let stack = |a: AreaId| {
        let mut leaders: Vec<LeaderId> = g.leaders_up(a, side).collect();
        let fit = |u: &UnitId| {
            let normal = !tried.contains(u) && g.unit(*u).condition == Condition::Normal;
            normal && !stays_in_town(g, *u) && leaders.iter().any(|&l| moves(g, l, *u))
        };
        let units: Vec<UnitId> = g.fighters(a, side).filter(fit).collect();
        // 14.0.7: a militia leader goes along with militia of his state, or not at all.
        leaders.retain(|&l| {
            g.c[l].state.is_none_or(|state| units.iter().any(|&u| g.c[g.unit(u).kind].state == Some(state)))
        });
        (!units.is_empty()).then_some(Stack { at: a, force: Force { units, leaders } })
    };
    areas.into_iter().filter_map(stack).collect()
}

/// Returns `true` if a unit can react with a leader: one who can activate it, or Tecumseh, because
/// a reaction is not an activation (14.0.3).
fn moves(g: &State, l: LeaderId, u: UnitId) -> bool {
    let tecumseh = l == g.named("Tecumseh") && g.side_of(u) == Side::Na;
    tecumseh || g.leads(l, u)
}

/// Returns `true` for militia that cancels a removal by staying in its town: its actions are
/// completed although it has not acted (8.4.2).
fn stays_in_town(g: &State, u: UnitId) -> bool {
    let unit = g.unit(u);
    g.class(u) == Class::Militia && unit.done && unit.acts == 0
}

/// Returns the reaction check of a unit: with the primary leader's rating if he is stacked with it,
/// or else the best rating there, and +1 if any unit has completed its actions (9.4.5).
pub fn check(g: &State, side: Side, u: UnitId, force: &Force) -> LevelCheck {
    // 7.0.4: units Out of Supply act only once.
    let starved = |v: UnitId| g.unit(v).starved && g.unit(v).acts > 0;
    let done = force.units.iter().any(|&v| g.unit(v).done || starved(v));
    let helpers = activation::helpers(g, force);
    let primary = g.primary[side.index()].filter(|l| helpers.contains(l) && g.leads(*l, u));
    let check = activation::check(g, u, &primary.map_or(helpers, |l| vec![l]));
    check.with(Drm::ReactionCompleted.name(), if done { g.c.drm(Drm::ReactionCompleted) } else { 0 })
}

/// Returns the MPs of a reaction: half the printed ones of the slowest member.
fn mps(g: &State, force: &Force) -> u16 {
    let units = force.units.iter().map(|&u| u16::from(g.c[g.unit(u).kind].ma));
    units.chain(force.leaders.iter().map(|_| movement::LEADER_MA)).min().unwrap_or(0) / 2
}

pub struct React {
    side: Side,
    /// The area where the move ended, then those where units were dropped.
    moved: Vec<AreaId>,
    stacks: Vec<Stack>,
}

/// The answer of a side that may react.
pub enum Reaction {
    Stay,
    Go { at: AreaId, force: Force, way: Vec<movement::Leg>, fort: bool },
}

impl React {
    /// Returns the question without a move, for reading orders in advance.
    pub fn of(side: Side) -> React {
        React { side, moved: Vec::new(), stacks: Vec::new() }
    }
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        one_of()
            .on(&["stay", "pass", "no"], just(Order::Pass {}))
            .on(&["move", "react"], words::movement(g, self.side))
            .or_fail("stay, or move so many units, with or without a leader, from an area to others")
    }
    /// Returns the forces that options list: each stack with its leaders, then without them.
    fn forces<'a>(&'a self, g: &'a State) -> impl Iterator<Item = (Spot, Force)> + 'a {
        let led = self.stacks.iter().filter(|stack| !stack.force.leaders.is_empty());
        let led = led.map(|stack| (Spot::On(stack.at), stack.force.clone()));
        let alone = |stack: &Stack| (Spot::On(stack.at), Force { leaders: Vec::new(), ..stack.force.clone() });
        let all = led.chain(self.stacks.iter().map(alone));
        all.filter(|(at, force)| movement::keeps_militia_led(g, self.side, *at, force).is_ok())
    }
    /// Returns `true` if no stack can move.
    fn is_idle(&self, g: &State) -> bool {
        !self.forces(g).any(|(at, force)| movement::leads_on(g, self.side, &force, at))
    }
    fn ways<'a>(&'a self, g: &'a State) -> impl Iterator<Item = Order> + 'a {
        self.forces(g).flat_map(move |(at, force)| {
            let reach = movement::reach(g, Mover::of(g, self.side, &force), at, mps(g, &force));
            reach.into_values().map(move |(_, way)| Order::Move {
                from: words::spot(g, at),
                who: activation::counts(g, &force),
                way: way.into_iter().map(|a| g.c[a].id.clone()).collect(),
                fort: false,
                drops: Vec::new(),
            })
        })
    }
}

impl Prompt<BloodyGround> for React {
    type Answer = Reaction;
    fn kind(&self) -> Ask {
        Ask::Reaction
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Reaction, Refusal> {
        let (from, who, way, fort) = match order {
            Order::Pass {} => return Ok(Reaction::Stay),
            Order::Move { from, who, way, fort, drops } if drops.is_empty() => (from, who, way, *fort),
            Order::Move { .. } => return refuse("9.4.5", "Nobody is dropped in a reaction."),
            _ => return refuse("9.4.5", "Stay, or move a stack in reaction."),
        };
        let Some(stack) = self.stacks.iter().find(|stack| g.c[stack.at].id == *from) else {
            return refuse("9.4.5", "No stack with a leader can react there.");
        };
        let mut force = Force::default();
        for count in who {
            activation::may_single_out(g, count)?;
            let of = |u: &&UnitId| {
                let named = force.units.contains(u);
                g.c[g.unit(**u).kind].id == count.what && activation::is_meant(g, **u, count) && !named
            };
            let mut units: Vec<UnitId> = stack.force.units.iter().filter(of).copied().collect();
            units.sort_by_key(|&u| (!activation::can_act(g, u), g.unit(u).rifle));
            units.truncate(usize::from(count.n));
            let leader = stack.force.leaders.iter().copied().find(|&l| g.c[l].name == count.what);
            if units.len() != usize::from(count.n) && leader.is_none() || count.n == 0 {
                return refuse("9.4.5", format!("{} {} cannot react there.", count.n, count.what));
            }
            force.units.extend(units);
            force.leaders.extend(leader);
        }
        if force.units.is_empty() {
            return refuse("9.4.5", "Units react; leaders go with them or stay.");
        }
        let mut leaders = force.leaders.clone();
        leaders.sort();
        leaders.dedup();
        if leaders.len() != force.leaders.len() {
            return refuse("9.4.5", "Name each unit and leader once.");
        }
        movement::keeps_militia_led(g, self.side, Spot::On(stack.at), &force)?;
        let way = words::areas(g, way)?;
        let mover = Mover::of(g, self.side, &force);
        let way = match movement::in_place(g, self.side, Spot::On(stack.at), &way)? {
            true => Vec::new(),
            false => movement::walk(g, mover, Spot::On(stack.at), &way, mps(g, &force))?,
        };
        let end = way.last().map_or(stack.at, |leg| leg.to);
        if fort && !g.fort_of(end, self.side) {
            return refuse("11.2.2", "You have no fort there.");
        }
        Ok(Reaction::Go { at: stack.at, force, way, fort })
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let mut d = Description::new("Whether you react to the move", "9.4.5");
        let mut moved = self.moved.iter().map(|&a| g.name(a));
        d = d.line(format!("The enemy has moved to {}.", moved.next().unwrap_or_default()));
        let dropped: Vec<String> = moved.collect();
        if !dropped.is_empty() {
            d = d.line(format!("On the way he has dropped units at {}.", dropped.join(", ")));
        }
        for stack in &self.stacks {
            let odds =
                stack.force.units.iter().map(|&u| check(g, self.side, u, &stack.force).passing(6)).min().unwrap_or(0);
            let told = activation::told(g, &stack.force);
            d = d.line(format!(
                "At {}: {told}; {odds} of 6 pass, up to {} MPs.",
                g.name(stack.at),
                mps(g, &stack.force)
            ));
        }
        d.few(6)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        self.grammar(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
    }
    fn facts(&self, g: &State, seat: Seat, order: Option<&Order>) -> Vec<Fact> {
        let ended = self.moved[0];
        let Some(Reaction::Go { force, way, .. }) = order.and_then(|order| self.accept(g, seat, order).ok()) else {
            let mine = self.stacks.iter().map(|stack| stack.force.units.len()).sum();
            return facts::meeting(g, ended, self.side, mine);
        };
        // A reaction into an area with dropped units meets those.
        let met = way.last().map(|leg| leg.to).filter(|to| self.moved.contains(to)).unwrap_or(ended);
        let passing = force.units.iter().map(|&u| check(g, self.side, u, &force).passing(6)).min().unwrap_or(0);
        let tecumseh = g.named("Tecumseh");
        let at = force.units.first().map(|&u| g.unit(u).spot);
        let passing = if self.side == Side::Na && Some(g.chief(tecumseh).spot) == at { 6 } else { passing };
        let mut facts = facts::meeting(g, met, self.side, force.units.len());
        facts.push(Fact::share("chance", passing, 6));
        facts
    }
    fn cautions(&self, g: &State, seat: Seat, order: &Order) -> Vec<String> {
        match self.accept(g, seat, order) {
            Ok(Reaction::Go { force, way, .. }) => cautions::of_move(g, self.side, &force, &way, false),
            _ => Vec::new(),
        }
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = self.grammar(g);
        [Order::Pass {}].into_iter().chain(self.ways(g)).map(|order| Choice::said(order, &grammar)).collect()
    }
}

/// Offers reactions after a move (9.4.5). The first of the areas is where the force ended, the
/// others are those where it dropped units. Each led enemy stack in reach may react once to this
/// move.
pub async fn offer(t: &T, g: &mut State, side: Side, moved: &[AreaId]) {
    let mut tried: Vec<UnitId> = Vec::new();
    loop {
        let stacks = stacks(g, side, moved, &tried);
        let react = React { side, moved: moved.to_vec(), stacks };
        if react.is_idle(g) {
            return;
        }
        let Reaction::Go { at, force, way, fort } = t.ask(g, g.seat(side), react).await else { return };
        tried.extend(&force.units);
        let tecumseh = g.chief(g.named("Tecumseh")).spot == Spot::On(at) && side == Side::Na;
        let die = if tecumseh { 0 } else { t.d6("reaction") };
        let passes = |u: &UnitId| tecumseh || check(g, side, *u, &force).passes(die);
        let units: Vec<UnitId> = force.units.iter().copied().filter(passes).collect();
        t.tell(|| {
            let how = if tecumseh { "with Tecumseh".to_owned() } else { format!("die {die}") };
            format!(
                "Reaction of {}: {} of {} pass, {how}.",
                activation::told(g, &force),
                units.len(),
                force.units.len()
            )
        });
        if units.is_empty() {
            continue;
        }
        let force = Force { units, ..force };
        let end = movement::go(t, g, side, &force, &way).await;
        if let Some(a) = end.area() {
            g.since[side.enemy().index()].ends.add(a);
        }
        if fort {
            movement::shelter(t, g, side, &force).await;
        }
        t.tell(|| format!("They react to {}.", end.area().map_or(String::new(), |a| g.name(a))));
    }
}
