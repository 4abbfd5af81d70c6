//! The Action Phase (4.5, 9): the sides alternate actions until both pass.

pub mod words;

use super::{
    Ask, BloodyGround, Order, State, T,
    activation::{self, can_act},
    atrocity, british, cautions,
    components::{AreaId, LeaderId, Side},
    drops::{self, Drops},
    facts, fort, leaders,
    movement::{self, Leg, Mover},
    order::{Band, Count},
    pillage, raid, reaction,
    state::{Force, Spot, UnitId},
};
use postrider_orders::{Grammar, Misread, Phrase, just, one_of, variant};
use postrider_standing::Fact;
use postrider_table::{Choice, Description, Prompt, Refusal, Seat, refuse};
use std::collections::BTreeMap;

/// An action of a side in the Action Phase.
pub enum Action {
    Pass,
    Move { force: Force, way: Vec<Leg>, fort: bool, drops: Drops },
    Raid { forces: Vec<(Force, raid::Journey)> },
    Fort { at: AreaId, crew: Force, dismantle: bool },
    Pillage { at: AreaId, force: Force },
    Atrocity { at: AreaId },
    Ambush { unit: UnitId },
    Assassinate { leader: LeaderId },
}

/// Rolls for the initiative, and sets the primary leaders and the number of Atrocity markers of the
/// turn (9.1, 9.2).
pub async fn initiative(t: &T, g: &mut State) {
    leaders::primaries(t, g).await;
    let rating = |side: Side| g.primary[side.index()].map_or(0, |l| g.rating(l));
    let ratings = Side::ALL.map(rating);
    loop {
        let dice = [t.d6("initiative, US"), t.d6("initiative, NA")];
        let totals = [dice[0] + i64::from(ratings[0]), dice[1] + i64::from(ratings[1])];
        t.tell(|| format!("Initiative: US {} + {}, NA {} + {}.", dice[0], ratings[0], dice[1], ratings[1]));
        if dice[0] == dice[1] {
            raid::mckee(t, g, dice[0]).await;
        }
        if totals[0] != totals[1] {
            g.initiative = if totals[0] > totals[1] { Side::Us } else { Side::Na };
            let n = (totals[0] - totals[1]).unsigned_abs() as u8;
            g.atrocities = [n; 2];
            g.ambushed = [false; 2];
            g.rolled = true;
            break;
        }
    }
    t.tell(|| {
        let markers = match g.atrocities[0] {
            1 => "1 Atrocity marker".to_owned(),
            n => format!("{n} Atrocity markers"),
        };
        format!("{} has the initiative; {markers} a side.", g.who(g.initiative))
    });
}

/// Runs the Action Phase: the sides alternate actions, starting with the side that has the
/// initiative, until both pass in succession (4.5).
pub async fn phase(t: &T, g: &mut State) {
    initiative(t, g).await;
    let (mut side, mut passes) = (g.initiative, 0);
    g.since = Default::default();
    while passes < 2 {
        let prompt = Act { side };
        if prompt.is_idle(g) {
            passes += 1;
        } else {
            g.at_rest = true;
            let action = t.ask(g, g.seat(side), prompt).await;
            g.at_rest = false;
            g.since[side.index()] = Default::default();
            match action {
                Action::Pass => {
                    t.tell(|| format!("{} passes.", g.who(side)));
                    passes += 1;
                }
                action => {
                    passes = 0;
                    act(t, g, side, action).await;
                    british::dorchester_leaves(t, g);
                    super::combat::lift(g);
                }
            }
        }
        side = side.enemy();
    }
}

async fn act(t: &T, g: &mut State, side: Side, action: Action) {
    match action {
        Action::Pass => {}
        Action::Move { force, way, fort, drops } => {
            march(t, g, side, force, &way, fort, &drops).await;
            g.raised = None;
        }
        Action::Raid { forces } => {
            forces.iter().for_each(|(force, path)| raid::set_out(t, g, force, path));
            if let Some((_, path)) = forces.first() {
                reaction::offer(t, g, side.enemy(), &[path.to]).await;
            }
        }
        Action::Fort { at, crew, dismantle } => fort::work(t, g, at, &crew, dismantle),
        Action::Pillage { at, force } => pillage::pillage(t, g, side, at, &force).await,
        Action::Atrocity { at } => atrocity::place(t, g, side, at),
        Action::Ambush { unit } => atrocity::ambush(t, g, side, unit).await,
        Action::Assassinate { leader } => atrocity::assassinate(t, g, side, leader).await,
    }
}

/// Carries out a move, as a first or second activation (9.4.1, 9.4.2).
async fn march(t: &T, g: &mut State, side: Side, force: Force, way: &[Leg], fort: bool, drops: &Drops) {
    fort::abandon(g, &force);
    let from = force.units.first().map(|&u| g.unit(u).spot).or_else(|| force.leaders.first().map(|&l| g.chief(l).spot));
    let named = force;
    let force = activation::second(t, g, named).await;
    if force.is_empty() || from.is_some_and(|from| movement::keeps_militia_led(g, side, from, &force).is_err()) {
        return;
    }
    // 14.0.1: a force that only enters or leaves the fort of its area rolls no gout die.
    let way = match from {
        Some(from) if !way.is_empty() => {
            let gout = movement::gout(t, g, &force);
            drops::within(g, side, (from, &force), way, drops, gout)
        }
        _ => Vec::new(),
    };
    let alone = force.units.len() + force.leaders.len() == 1;
    t.tell(|| {
        let who = activation::told(g, &force);
        match way.last() {
            Some(leg) => format!("{who} {} to {}.", if alone { "moves" } else { "move" }, g.name(leg.to)),
            None => {
                let go = if alone { "goes" } else { "go" };
                format!("{who} {go} {} the fort.", if fort { "into" } else { "out of" })
            }
        }
    });
    let (end, last) = drops::go(t, g, side, &force, &way, drops).await;
    if fort {
        movement::shelter(t, g, side, &last).await;
    }
    activation::complete(g, &force);
    activation::exhaustion(t, g, &force);
    leaders::settle_militia(t, g).await;
    if let Spot::On(a) = end {
        let dropped = drops::left_at(g, drops).filter(|&b| b != a);
        let moved: Vec<AreaId> = [a].into_iter().chain(dropped).collect();
        moved.iter().for_each(|&b| _ = g.since[side.enemy().index()].ends.add(b));
        reaction::offer(t, g, side.enemy(), &moved).await;
    }
}

/// Maximum number of forces listed in a question, largest first.
const FORCES: usize = 5;

/// The journeys of raiders from each spot, indexed by destination area.
type Ways = std::collections::BTreeMap<Spot, Vec<Option<raid::Journey>>>;

/// The question of the Action Phase.
pub struct Act {
    pub side: Side,
}

impl Act {
    fn grammar<'g>(&self, g: &'g State) -> Grammar<'g, Order> {
        let at = || words::place(g);
        let unit = words::kind(g, self.side.enemy()).and(postrider_orders::word(&["at", "in"]).then(at()));
        let crew = || at().and(words::crew(g));
        let pillagers = at().and(postrider_orders::word(&["with", "by"]).then(words::who(g, self.side)));
        let usual = one_of()
            .on(&["pass", "done"], just(Order::Pass {}))
            .on(&["raid"], words::raid(g))
            .on(&["fort", "build"], variant!(crew() => (at, who) => Order::Build { at, who }))
            .on(&["dismantle"], variant!(crew() => (at, who) => Order::Dismantle { at, who }))
            .on(&["pillage"], variant!(pillagers => (at, who) => Order::Pillage { at, who }))
            .on(&["atrocity"], variant!(at() => at => Order::Atrocity { at }))
            .on(&["ambush"], variant!(unit => (unit, at) => Order::Ambush { at, unit }))
            .on(&["assassinate"], variant!(words::victim(g, self.side) => leader => Order::Assassinate { leader }))
            .on(&["move"], words::movement(g, self.side))
            .also(&["march", "force march"], words::movement(g, self.side))
            .or_fail("an action: move, raid, fort, dismantle, pillage, atrocity, ambush, assassinate, or pass");
        words::or_bare_move(g, self.side, usual)
    }
    /// Returns the moves of all forces in a spot.
    fn moves<'a>(&'a self, g: &'a State, from: Spot) -> impl Iterator<Item = Order> + 'a {
        activation::stacks(g, self.side, from).into_iter().flat_map(move |force| self.moves_of(g, from, force))
    }
    /// Returns the moves of one force.
    fn moves_of<'a>(&self, g: &'a State, from: Spot, force: Force) -> impl Iterator<Item = Order> + 'a {
        let side = self.side;
        let kept = movement::keeps_militia_led(g, side, from, &force).is_ok();
        let mps = movement::allowance(g, &force);
        let reach = if kept { movement::reach(g, Mover::of(g, side, &force), from, mps) } else { Default::default() };
        let who = activation::counts(g, &force);
        let kept = move |a: AreaId| movement::keeps_tecumseh(g, &force, &[], a).is_ok();
        reach.into_iter().filter(move |(a, _)| kept(*a)).map(move |(_, (_, way))| Order::Move {
            from: words::spot(g, from),
            who: who.clone(),
            way: way.into_iter().map(|a| g.c[a].id.clone()).collect(),
            fort: false,
            drops: Vec::new(),
        })
    }
    fn others<'a>(&'a self, g: &'a State) -> impl Iterator<Item = Order> + 'a {
        let side = self.side;
        let id = |a: AreaId| g.c[a].id.clone();
        let forts = g.c.area_ids().filter(move |_| side == Side::Us).flat_map(move |a| {
            let may = |dismantle| fort::may_build(g, a, dismantle, &[]).is_ok();
            let build = may(false).then(|| Order::Build { at: id(a), who: Vec::new() });
            build.into_iter().chain(may(true).then(|| Order::Dismantle { at: id(a), who: Vec::new() }))
        });
        let pillages = movement::spots(g, side).into_iter().filter_map(move |spot| {
            let a = spot.area()?;
            let force = self.pillagers(g, a);
            let who = activation::counts(g, &force);
            pillage::may_pillage(g, a, &force).is_ok().then(|| Order::Pillage { at: id(a), who })
        });
        let markers = atrocity::left(g, side) > 0;
        let places = g.c.area_ids().filter(move |&a| markers && atrocity::may_place(g, side, a).is_ok());
        let ambushes = g.c.area_ids().filter(move |_| markers).flat_map(move |a| {
            let kinds = g.c.kind_ids().filter(move |&kind| atrocity::target(g, side, a, &g.c[kind].id).is_ok());
            kinds.map(move |kind| Order::Ambush { at: id(a), unit: g.c[kind].id.clone() })
        });
        let marked = g.c.leader_ids().filter(move |&l| markers && atrocity::may_assassinate(g, side, l).is_ok());
        let raids = movement::spots(g, side)
            .into_iter()
            .filter(move |_| side == Side::Na)
            .flat_map(move |from| raid::orders(g, from));
        forts
            .chain(pillages)
            .chain(raids)
            .chain(ambushes)
            .chain(marked.map(|l| Order::Assassinate { leader: g.c[l].name.clone() }))
            .chain(places.map(move |a| Order::Atrocity { at: id(a) }))
    }
    /// Returns all units of an area that can pillage, with Girty if he has not acted.
    fn pillagers(&self, g: &State, a: AreaId) -> Force {
        let fresh = |u: &UnitId| can_act(g, *u) && g.unit(*u).acts == 0;
        let leaders = g.leaders_in(a, self.side).filter(|&l| activation::can_lead(g, l) && g.chief(l).acts == 0);
        let leaders: Vec<LeaderId> = leaders.filter(|&l| g.c[l].name == "Girty").collect();
        Force { units: g.units_in(a, self.side).filter(fresh).collect(), leaders }
    }
    /// Returns the destinations of the largest force of a spot, grouped by cost, with the number of
    /// units: `Cincinnati (U1): 3 regular, Harmar, 4 MPs: to Fort Hamilton (1); Stillwater, Piqua
    /// (2)`.
    fn reaches(&self, g: &State, from: Spot) -> Option<(usize, String)> {
        let force = activation::stacks(g, self.side, from).into_iter().max_by_key(|force| force.units.len())?;
        let mps = movement::allowance(g, &force);
        let reach = movement::reach(g, Mover::of(g, self.side, &force), from, mps);
        let mut ends: BTreeMap<_, Vec<&str>> = BTreeMap::new();
        reach.iter().for_each(|(a, (cost, _))| ends.entry(*cost).or_default().push(&g.c[*a].name));
        let again = if activation::is_second(g, &force) { ", a second time" } else { "" };
        let (at, who) = (from.area().map_or_else(|| words::spot(g, from), |a| g.name(a)), activation::told(g, &force));
        let to =
            || ends.iter().map(|(cost, names)| format!("{} ({cost})", names.join(", "))).collect::<Vec<_>>().join("; ");
        let line = || format!("{at}: {who}{again}, {mps} MPs: to {}.", to());
        (!ends.is_empty()).then(|| (force.units.len(), line()))
    }
    /// Returns `true` if an action harms the land or people of the acting side.
    fn harms_own(&self, g: &State, order: &Order) -> bool {
        match (self.side, order) {
            (Side::Us, Order::Pillage { at, .. }) => {
                g.area(at).is_some_and(|a| g.c[a].nation.is_none() || g.is_settled(a) || g.fort_of(a, Side::Us))
            }
            (Side::Na, Order::Pillage { at, .. }) => {
                g.area(at).is_some_and(|a| g.c[a].nation.is_some() && !g.is_settled(a))
            }
            (Side::Us, Order::Atrocity { at }) => g.area(at).is_some_and(|a| g.people(a) > 0),
            _ => false,
        }
    }
    /// Returns the rank of an order among those of its kind, and its note (chances, modifiers).
    fn note(&self, g: &State, order: &Order, ways: &mut Ways) -> (i64, String) {
        let force = |from: &str, who: &[Count]| {
            let from = words::from(g, from).ok()?;
            Some((from, activation::force(g, self.side, from, who).ok()?))
        };
        let noted = match order {
            Order::Move { from, who, way, .. } => {
                let to = way.last().and_then(|id| g.area(id)).map_or("", |a| &g.c[a].name);
                let second = force(from, who).filter(|(_, force)| activation::is_second(g, force)).map(|(_, force)| {
                    let pass = force.units.iter().map(|&u| activation::check(g, u, &force.leaders).passing(6)).min();
                    format!(", a second time: {} of 6 pass", pass.unwrap_or(6))
                });
                Some((0, format!("{to}{}", second.unwrap_or_default())))
            }
            Order::Raid { from, who, to, .. } => g.area(to).and_then(|to| {
                let from = words::from(g, from).ok()?;
                let force = activation::raiders(g, from, who).ok()?;
                let known = ways.entry(from).or_insert_with(|| raid::journeys(g, false, from));
                let path = raid::may_go(g, from, &force, to, || known[to.index()]).ok()?;
                let mut after = g.clone();
                raid::go(&mut after, &force, &path);
                let drm = raid::modifiers(&after, to);
                Some((i64::from(drm.total()), drm.to_string()))
            }),
            Order::Pillage { at, who } => force(at, who).zip(g.area(at)).map(|((_, force), a)| {
                let drm = pillage::modifiers(g, self.side, a, &force).total();
                let n = (1..=6).filter(|die| die + drm <= 2).count() as i64;
                (n, format!("done on {n} of 6"))
            }),
            Order::Ambush { at, unit } => g.area(at).and_then(|a| {
                let u = atrocity::target(g, self.side, a, unit).ok()?;
                let n = 6 - atrocity::ambush_check(g, u).passing(6);
                Some((n, format!("eliminated on {n} of 6")))
            }),
            Order::Assassinate { leader } => g.c.leader(leader).map(|l| {
                let n = (4 - atrocity::guard(g, l)).max(0);
                (n, format!("falls on {n} of 6"))
            }),
            Order::Atrocity { at } => g.area(at).map(|a| (i64::from(g.people(a)), g.name(a))),
            _ => None,
        };
        noted.unwrap_or_default()
    }
    /// Returns `true` if passing is the only option. Nearly every force can take some step, so this
    /// is usually decided after a few checks.
    fn is_idle(&self, g: &State) -> bool {
        let tecumseh = [g.named("Tecumseh")];
        let leaves = |from: Spot, force: &Force| {
            // Tecumseh alone may only go where certain other units are, so his moves are computed
            // in full.
            let alone = force.units.is_empty() && force.leaders == tecumseh;
            movement::keeps_militia_led(g, self.side, from, force).is_ok()
                && movement::leads_on(g, self.side, force, from)
                && (!alone || self.moves_of(g, from, force.clone()).next().is_some())
        };
        // A unit in its first activation needs no leader.
        let goes_alone = |u: UnitId| {
            let (unit, alone) = (g.unit(u), || Force { units: vec![u], leaders: Vec::new() });
            let fresh = unit.acts == 0 && g.side_of(u) == self.side && can_act(g, u);
            fresh && unit.spot.is_in_play() && leaves(unit.spot, &alone())
        };
        let goes = |from: Spot| activation::stacks(g, self.side, from).iter().any(|force| leaves(from, force));
        !g.unit_ids().any(goes_alone)
            && !movement::spots(g, self.side).into_iter().any(goes)
            && self.orders(g).next().is_none()
    }
    /// Returns every option except passing.
    fn orders<'a>(&'a self, g: &'a State) -> impl Iterator<Item = Order> + 'a {
        self.others(g).chain(movement::spots(g, self.side).into_iter().flat_map(move |from| self.moves(g, from)))
    }
}

impl Prompt<BloodyGround> for Act {
    type Answer = Action;
    fn kind(&self) -> Ask {
        Ask::Action
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Action, Refusal> {
        let side = self.side;
        match order {
            Order::Pass {} => Ok(Action::Pass),
            Order::Move { from, who, way, fort, drops } => {
                let from = words::from(g, from)?;
                let force = activation::force(g, side, from, who)?;
                activation::may_act(g, &force)?;
                movement::keeps_militia_led(g, side, from, &force)?;
                let way = words::areas(g, way)?;
                let (way, drops) = drops::walk(g, side, from, &force, &way, drops)?;
                let end = way.last().map(|leg| leg.to).or(from.area());
                if *fort && !end.is_some_and(|a| g.fort_of(a, side)) {
                    return refuse("11.2.2", "You have no fort there.");
                }
                if let Some(a) = end {
                    movement::keeps_tecumseh(g, &force, &drops::dropped(&drops), a)?;
                }
                Ok(Action::Move { force, way, fort: *fort, drops })
            }
            Order::Raid { from, who, to, more } if side == Side::Na => {
                let to = words::area(g, to)?;
                let (mut after, mut forces) = (g.clone(), Vec::new());
                for (from, who) in bands(from, who, more) {
                    let from = words::from(g, from)?;
                    let force = activation::raiders(&after, from, who)?;
                    let path = raid::may_raid(&after, from, &force, to)?;
                    raid::go(&mut after, &force, &path);
                    forces.push((force, path));
                }
                Ok(Action::Raid { forces })
            }
            Order::Build { at, who } | Order::Dismantle { at, who } if side == Side::Us => {
                let at = words::area(g, at)?;
                let dismantle = matches!(order, Order::Dismantle { .. });
                Ok(Action::Fort { at, crew: fort::may_build(g, at, dismantle, who)?, dismantle })
            }
            Order::Pillage { at, who } => {
                let at = words::area(g, at)?;
                let force = activation::force(g, side, Spot::On(at), who)?;
                pillage::may_pillage(g, at, &force)?;
                Ok(Action::Pillage { at, force })
            }
            Order::Atrocity { at } => {
                let at = words::area(g, at)?;
                atrocity::may_place(g, side, at)?;
                Ok(Action::Atrocity { at })
            }
            Order::Ambush { at, unit } => {
                let at = words::area(g, at)?;
                Ok(Action::Ambush { unit: atrocity::target(g, side, at, unit)? })
            }
            Order::Assassinate { leader } => {
                let Some(leader) = g.c.leader(leader) else { return refuse("9.2.3", "There is no such leader.") };
                atrocity::may_assassinate(g, side, leader)?;
                Ok(Action::Assassinate { leader })
            }
            _ => refuse("9.3", "That is no action of yours here."),
        }
    }
    fn facts(&self, g: &State, _: Seat, order: Option<&Order>) -> Vec<Fact> {
        facts::acting(g, self.side, order)
    }
    fn cautions(&self, g: &State, seat: Seat, order: &Order) -> Vec<String> {
        match (self.accept(g, seat, order), order) {
            (Ok(Action::Move { force, way, .. }), _) => cautions::of_move(g, self.side, &force, &way, true),
            (Ok(Action::Raid { forces }), Order::Raid { from, who, more, .. }) => {
                let each = forces.iter().zip(bands(from, who, more));
                each.flat_map(|((force, _), (_, who))| cautions::of_raid(g, force, who)).collect()
            }
            (Ok(Action::Pillage { .. }), _) => vec!["Who pillages does nothing more in this turn.".to_owned()],
            _ => Vec::new(),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let left = atrocity::left(g, self.side);
        let mut d = Description::new("Your next action", "9.3");
        let mut lines: Vec<(usize, String)> =
            movement::spots(g, self.side).into_iter().filter_map(|from| self.reaches(g, from)).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.0));
        let more = lines.len().saturating_sub(FORCES);
        for (_, line) in lines.into_iter().take(FORCES) {
            d = d.line(line);
        }
        if more > 0 {
            d = d.line(format!("Others can act at {more} more places: reply `status` for all."));
        }
        let markers = match left {
            0 => String::new(),
            n => format!("Atrocity markers left: {n}. "),
        };
        d.line(format!("{markers}Two passes running end the phase.")).few(12)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        let order = self.grammar(g).whole(said)?;
        match barred(g, &order) {
            // An order for a later turn is not checked, but an order that can never become legal is
            // refused at once.
            Some(a) => Err(Misread {
                start: said.words().first().map_or(0, |word| word.start),
                end: said.words().last().map_or(0, |word| word.end),
                why: format!("{} lies outside the area of this scenario (15.1.3)", g.name(a)),
                nearest: Vec::new(),
                understood: said.words().len(),
            }),
            None => Ok(order),
        }
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        self.grammar(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = self.grammar(g);
        // Interleaves the kinds of actions, and the forces within the moves, so that the first few
        // options show what is possible.
        let moves = movement::spots(g, self.side).into_iter().map(|from| self.moves(g, from).collect::<Vec<_>>());
        let moves = by_turns(moves.collect());
        let mut ways = Ways::default();
        let (mut raids, mut deeds, mut works, mut harm) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for order in self.others(g) {
            match &order {
                _ if self.harms_own(g, &order) => harm.push((self.note(g, &order, &mut ways), order)),
                Order::Raid { .. } => raids.push((self.note(g, &order, &mut ways), order)),
                Order::Build { .. } | Order::Dismantle { .. } | Order::Pillage { .. } => {
                    works.push((self.note(g, &order, &mut ways), order));
                }
                _ => deeds.push((self.note(g, &order, &mut ways), order)),
            }
        }
        for list in [&mut raids, &mut deeds, &mut works] {
            list.sort_by_key(|(note, _)| std::cmp::Reverse(note.0));
        }
        let moves: Vec<_> = moves.into_iter().map(|order| (self.note(g, &order, &mut ways), order)).collect();
        let listed = by_turns(vec![moves, raids, works, deeds]);
        // Actions that harm the player's own side come last, so that none of them serves as an
        // example.
        let said = listed.into_iter().chain(harm).map(|((_, note), order)| Choice::said(order, &grammar).note(note));
        [Choice::said(Order::Pass {}, &grammar)].into_iter().chain(said).collect()
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        // Picks the kind of action first, so that rare kinds are not crowded out by long lists.
        let chosen = match below(6) {
            0 => None,
            1 => one_of_them(self.others(g).collect(), below),
            _ => {
                let spots = movement::spots(g, self.side);
                let at = below(u32::try_from(spots.len().max(1)).unwrap_or(1)) as usize;
                spots.get(at).and_then(|&from| one_of_them(self.moves(g, from).collect(), below))
            }
        };
        Some(chosen.unwrap_or(Order::Pass {}))
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Pass {})
    }
}

/// Returns the places and raiders of an order (12.0.1).
fn bands<'o>(from: &'o String, who: &'o [Count], more: &'o [Band]) -> impl Iterator<Item = (&'o String, &'o [Count])> {
    [(from, who)].into_iter().chain(more.iter().map(|band| (&band.from, &band.who[..])))
}

/// Returns the first area of an order that the scenario closes to all units for the whole game
/// (15.1.3).
fn barred(g: &State, order: &Order) -> Option<AreaId> {
    let (from, to): (&str, &[String]) = match order {
        Order::Move { from, way, .. } => (from, way),
        Order::Raid { from, to, .. } => (from, std::slice::from_ref(to)),
        _ => return None,
    };
    // A force that starts outside the scenario's areas may name its own area.
    to.iter().filter(|id| **id != from).filter_map(|id| g.area(id)).find(|&a| !g.in_bounds(a))
}

/// Interleaves the lists: the first item of each, then the second of each, and so on.
fn by_turns<A>(lists: Vec<Vec<A>>) -> Vec<A> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(lists.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}

fn one_of_them(mut orders: Vec<Order>, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
    let n = u32::try_from(orders.len()).unwrap_or(u32::MAX);
    (n > 0).then(|| orders.swap_remove(below(n) as usize))
}
