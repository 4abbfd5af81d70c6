//! Melee Combat (10).

use super::{
    Ask, Order, RosebudCreek, State, T, ammo, asking,
    asking::{Asking, choose},
    before, charge,
    components::{Class, Drm, Factor, LeaderId, Num, Score, Side, UnitId},
    doctrine::LossWill,
    fire, horses, leaders, mode, morale,
    pursuit::{self, Again, Chase},
    retreat, rout, standing,
    state::{Attacked, Mode, Phase},
    view, words,
};
use postrider_orders::{Misread, Phrase};
use postrider_table::{
    Choice, Description, Prompt, Refusal, Seat,
    chart::{Modifiers, Ratio},
    hex::Hex,
    refuse,
};

/// The state of a melee: strengths, odds and modifiers.
#[derive(Clone, Debug)]
pub struct Battle {
    pub attack: Ratio,
    pub defence: Ratio,
    /// The odds column; `shift` is what it adds to the die.
    pub column: usize,
    pub shift: i32,
    pub drm: Modifiers,
}

impl Battle {
    /// Returns the results of attacker and defender for a die.
    pub fn result(&self, g: &State, die: i64) -> [Score; 2] {
        g.charts.melee_at(die as i32 + self.shift + self.drm.total())
    }
    /// Returns the results for all six die faces, attacker / defender: `1-2 c1 r1 / -, 3-6 - / c1`.
    pub fn line(&self, g: &State) -> String {
        let mut runs: Vec<(i64, i64, [Score; 2])> = Vec::new();
        for die in 1..=6 {
            let scores = self.result(g, die);
            match runs.last_mut() {
                Some(last) if last.2 == scores => last.1 = die,
                _ => runs.push((die, die, scores)),
            }
        }
        let one = |&(from, to, [attacker, defender]): &(i64, i64, [Score; 2])| {
            let faces = if from == to { from.to_string() } else { format!("{from}-{to}") };
            format!("{faces}: {attacker} / {defender}")
        };
        runs.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// Returns a unit's strength when attacking (10.A, 14.B, 16.A).
pub fn attack_strength(g: &State, u: UnitId, at: Hex) -> Ratio {
    let mut strength = Ratio::whole(g.cf(u).into());
    if ammo::is_low_in_melee(g, u) {
        strength = fire::multiplied(g, strength, Factor::LowAmmoMelee);
    }
    if g.unit(u).did.charge == Some(at) {
        // The charge bonus: half of the strength, rounded up.
        let (over, under) = strength.half().parts();
        strength = strength + Ratio::whole(over.div_ceil(under));
    }
    strength
}

/// Returns a unit's strength when defending (10.B, 10.F, 14.B).
pub fn defence_strength(g: &State, u: UnitId) -> Ratio {
    let mut strength = Ratio::whole(g.cf(u).into());
    let rows = [
        (g.c.class(g.class(u)).infantry, Factor::InfantryDefending),
        (g.unit(u).routed, Factor::RoutedDefending),
        (ammo::is_low_in_melee(g, u), Factor::LowAmmoMelee),
    ];
    for (applies, factor) in rows {
        if applies {
            strength = fire::multiplied(g, strength, factor);
        }
    }
    strength
}

/// Returns `true` if the units for which `holds` is true have at least half of the total strength
/// (10.B, 10.G).
fn at_least_half(
    g: &State,
    units: &[UnitId],
    strength: impl Fn(UnitId) -> Ratio,
    holds: impl Fn(&State, UnitId) -> bool,
) -> bool {
    let all: Ratio = units.iter().map(|&u| strength(u)).sum();
    let some: Ratio = units.iter().filter(|&&u| holds(g, u)).map(|&u| strength(u)).sum();
    units.iter().any(|&u| holds(g, u)) && some.times(2) >= all
}

/// Returns the melee of these attackers against a hex (10.A, 10.D, 10.E, 10.G).
pub fn reckon(g: &State, attackers: &[UnitId], at: Hex) -> Battle {
    let defenders: Vec<UnitId> = defenders(g, attackers, at);
    let (strong, firm) = (|u: UnitId| attack_strength(g, u, at), |u: UnitId| defence_strength(g, u));
    let attack: Ratio = attackers.iter().map(|&u| strong(u)).sum();
    let defence: Ratio = defenders.iter().map(|&u| firm(u)).sum();
    let column = g.charts.odds.find(attack, defence);
    let side = attackers.first().map_or(g.phasing, |&u| g.side(u));
    let shift = match side {
        Side::Us => g.c.odds[column].us,
        Side::Indian => g.c.odds[column].indian,
    };
    let mut drm = Modifiers::new();
    let ground = &g.c.terrains[g.ground(at).index()];
    drm.add(ground.name.clone(), ground.melee);
    // 10.D: one hexside and one height count, those best for the defender.
    let from = || attackers.iter().filter_map(|&u| g.hex(u));
    let sides = from().filter_map(|hex| g.charts.between(hex, at));
    if let Some(row) = sides.map(|crossing| &g.c.hexsides[crossing.index()]).min_by_key(|row| row.melee) {
        drm.add(row.name.clone(), row.melee);
    }
    let levels = from().map(|hex| (g.charts.level[at] - g.charts.level[hex]).max(0)).max().unwrap_or(0);
    drm.add(Drm::MeleeUphill.name(), levels * g.c.drm(Drm::MeleeUphill));
    // 10.E: one Leader per side counts, the senior one attached to a participant.
    let head = |units: &[UnitId]| {
        let all = units.iter().flat_map(|&u| leaders::attached(g, u).collect::<Vec<LeaderId>>());
        leaders::senior(g, all)
    };
    if let Some(l) = head(attackers) {
        drm.add(g.c[l].id.clone(), leaders::rating(g, l));
    }
    if let Some(l) = head(&defenders) {
        drm.add(g.c[l].id.clone(), -leaders::rating(g, l));
    }
    let works = at_least_half(g, &defenders, firm, |g, u| g.unit(u).works);
    let low = at_least_half(g, &defenders, firm, |g, u| {
        !g.unit(u).works && (g.unit(u).pinned || g.posture(u) == Mode::Prone)
    });
    let rows = [
        (works, Drm::MeleeBreastworks),
        (low, Drm::MeleeLow),
        (at_least_half(g, &defenders, firm, |g, u| g.unit(u).disrupted), Drm::MeleeDisrupted),
        (at_least_half(g, attackers, strong, |g, u| g.unit(u).disrupted), Drm::MeleeAttackerDisrupted),
        (at_least_half(g, attackers, strong, |g, u| g.c.class(g.class(u)).infantry), Drm::MeleeInfantry),
    ];
    for (applies, row) in rows {
        drm.add_if(applies, row.name(), g.c.drm(row));
    }
    Battle { attack, defence, column, shift, drm }
}

/// Returns all enemies in the hex, except for Pony Holders, which are just removed (16.B).
pub fn defenders(g: &State, attackers: &[UnitId], at: Hex) -> Vec<UnitId> {
    let side = attackers.first().map_or(g.phasing, |&u| g.side(u));
    g.of_side(at, side.enemy()).filter(|&u| g.class(u) != Class::PonyHolder && !g.unit(u).abandoned).collect()
}

/// Returns the hex with the greatest attacking strength, from which the defenders retreat (10.I);
/// among equals, the one that the attacker names.
pub fn strongest_hex(g: &State, units: &[UnitId], at: Hex, leading: Option<Hex>) -> Option<Hex> {
    let hexes = units.iter().filter_map(|&u| g.hex(u));
    let strength =
        |hex: Hex| units.iter().filter(|&&u| g.hex(u) == Some(hex)).map(|&u| attack_strength(g, u, at)).sum::<Ratio>();
    hexes.max_by_key(|&hex| (strength(hex), Some(hex) == leading, std::cmp::Reverse(hex)))
}

/// Returns the total modifier of an attack by its odds and other modifiers.
fn promise(g: &State, units: &[UnitId], at: Hex) -> i32 {
    let battle = reckon(g, units, at);
    battle.shift + battle.drm.total()
}

/// Returns attacks with fewer units that have at least the modifier of an attack with all of them,
/// best first: without units that add nothing, without Disrupted units, or from a single hex.
fn parts(g: &State, at: Hex, all: &[UnitId]) -> Vec<Vec<UnitId>> {
    let promise = |units: &[UnitId]| promise(g, units, at);
    let whole = promise(all);
    let mut fewest = all.to_vec();
    let mut weakest = all.to_vec();
    weakest.sort_by_key(|&u| (attack_strength(g, u, at), u));
    for u in weakest {
        let rest: Vec<UnitId> = fewest.iter().copied().filter(|&o| o != u).collect();
        if !rest.is_empty() && promise(&rest) >= whole {
            fewest = rest;
        }
    }
    let fresh: Vec<UnitId> = all.iter().copied().filter(|&u| !g.unit(u).disrupted).collect();
    let mut hexes: Vec<Hex> = all.iter().filter_map(|&u| g.hex(u)).collect();
    hexes.sort_unstable();
    hexes.dedup();
    let stack = |hex: Hex| all.iter().copied().filter(|&u| g.hex(u) == Some(hex)).collect::<Vec<_>>();
    let mut some: Vec<Vec<UnitId>> = Vec::new();
    for units in [fewest, fresh].into_iter().chain(hexes.into_iter().map(stack)) {
        let fewer = !units.is_empty() && units.len() < all.len();
        if fewer && promise(&units) >= whole && !some.contains(&units) {
            some.push(units);
        }
    }
    some.sort_by_key(|units| (std::cmp::Reverse(promise(units)), units.len()));
    some.truncate(PARTS);
    some
}

/// Maximum number of smaller attacks listed for a hex.
const PARTS: usize = 2;

/// Returns the odds column with this label.
pub fn column_of(g: &State, odds: &str) -> Option<usize> {
    g.c.odds.iter().position(|row| row.id == odds)
}

/// Returns `true` if a unit may not attack because of the casualty limit: after enough losses only
/// warriors stacked with a Leader may (16.F).
pub fn is_closed(g: &State, u: UnitId) -> bool {
    let led = |hex: Hex| g.leaders_in(hex).any(|l| g.c[l].side == Side::Indian);
    g.side(u) == Side::Indian
        && g.variant.casualty_limit()
        && i32::from(g.losses[Side::Indian.index()]) >= g.c.n(Num::MeleeLimit)
        && !(g.class(u) == Class::Warrior && g.hex(u).is_some_and(led))
}

/// The question of the Melee Phase.
pub struct Assault {
    pub side: Side,
}

impl Assault {
    /// Checks that a unit may attack a hex in this phase (10.A, 10.B, 16.F).
    pub fn may(&self, g: &State, u: UnitId, at: Hex) -> Result<(), Refusal> {
        let (unit, name, class) = (g.unit(u), g.name(u), g.class(u));
        let Some(from) = unit.spot.hex().filter(|_| g.side(u) == self.side) else {
            return refuse("10.A", format!("{name} is no unit of yours on the map."));
        };
        if unit.pinned || unit.routed || g.posture(u) == Mode::Prone || class.walks() {
            return refuse(
                "10.B",
                format!("{name} cannot attack: Holders, trains, Personnel, Pinned, Routed and Prone units do not."),
            );
        }
        if unit.did.fought {
            return refuse("10.B", format!("{name} has fought in this phase."));
        }
        if unit.did.from != Some(from) || !g.charts.grid.adjacent(from, at) {
            return refuse("10.A", format!("{name} did not begin the phase beside {}.", g.id(at)));
        }
        if g.charts.cliff(from, at) {
            return refuse("10.D", format!("A cliff lies between {name} and {}.", g.id(at)));
        }
        if unit.did.advance.is_some_and(|hex| hex != at) {
            return refuse("10.B", format!("{name} has fired into another hex in the Advance Fire Phase."));
        }
        // 10.B: all units of a hex must attack the target of a charge from it.
        let bound = |o: &UnitId| charge::binds(g, *o).is_some_and(|hex| hex != at);
        if let Some(o) = g.of_side(from, self.side).find(bound).filter(|_| unit.did.charge != Some(at)) {
            return refuse("16.A", format!("{} in {} charges another hex.", g.name(o), g.id(from)));
        }
        if unit.did.sniped {
            return refuse("10.B", format!("{name} has used Opportunity Fire in this phase."));
        }
        if let Some(other) = g.attacked.iter().find(|other| other.at != at && other.from.contains(&from)) {
            return refuse("10.B", format!("Units of {} have attacked {}.", g.id(from), g.id(other.at)));
        }
        if is_closed(g, u) {
            return refuse("16.F", "After so many casualties only warriors stacked with a Leader attack.");
        }
        if unit.did.ran {
            return refuse("16.G", format!("{name} has fired as Hit & Run."));
        }
        Ok(())
    }
    /// Returns the hexes that can be attacked, with the possible attackers.
    pub fn targets(&self, g: &State) -> Vec<(Hex, Vec<UnitId>)> {
        let enemy = self.side.enemy();
        let mut hexes: Vec<Hex> = g.on_map(enemy).filter(|&u| !g.unit(u).abandoned).filter_map(|u| g.hex(u)).collect();
        let alone = g.c.leader_ids().filter(|&l| g.c[l].side == enemy).filter_map(|l| g.chief(l).spot.hex());
        hexes.extend(alone.filter(|&hex| g.holder_of(hex).is_none()));
        hexes.sort_unstable();
        hexes.dedup();
        let near = |hex: Hex| {
            let beside = g.charts.grid.neighbours(hex).flat_map(|near| g.of_side(near, self.side));
            beside.filter(|&u| self.may(g, u, hex).is_ok()).collect::<Vec<_>>()
        };
        hexes.into_iter().map(|hex| (hex, near(hex))).filter(|(_, units)| !units.is_empty()).collect()
    }
    /// Randomizes the pursuit and advance of a random attack.
    fn vary(&self, g: &State, order: &mut Order, below: &mut dyn FnMut(u32) -> u32) {
        let Order::Melee { with, pursue, pursuing, again, advancing, from, .. } = order else { return };
        if *pursue {
            let odds = &g.c.odds[below(g.c.odds.len() as u32) as usize].id;
            *again = ["", odds, Order::NEVER, Order::ASK][below(4) as usize].to_owned();
        }
        let one = &with[below(with.len() as u32) as usize];
        if *pursue && below(3) == 0 {
            pursuing.push(one.clone());
        }
        if below(3) == 0 {
            advancing.push(one.clone());
        }
        if below(3) == 0 {
            *from = g.c.unit(one).and_then(|u| g.hex(u)).map(|hex| g.id(hex)).unwrap_or_default();
        }
    }
    fn order(g: &State, at: Hex, units: &[UnitId], pursue: bool) -> Order {
        let with = units.iter().map(|&u| g.name(u)).collect();
        Order::melee(g.id(at), with, pursue, true)
    }
}

impl Prompt<RosebudCreek> for Assault {
    type Answer = Order;
    fn kind(&self) -> Ask {
        Ask::Melee
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Order, Refusal> {
        match order {
            Order::Done {} => {}
            Order::Doctrine { about, how } => standing::check(g, self.side, about, how)?,
            Order::Melee { at, with, odds, pursuing, again, advancing, from, .. } => {
                let Some(hex) = g.charts.grid.hex(at) else { return refuse("10.A", format!("{at} is no hex.")) };
                if with.is_empty() || !self.targets(g).iter().any(|(target, _)| *target == hex) {
                    return refuse("10.A", format!("Nobody can attack {at} now."));
                }
                let mut units: Vec<UnitId> = Vec::new();
                for name in with {
                    let Some(u) = g.c.unit(name) else { return refuse("10.A", format!("There is no {name}.")) };
                    if units.contains(&u) {
                        return refuse("10.B", format!("{name} is named twice."));
                    }
                    self.may(g, u, hex)?;
                    units.push(u);
                }
                let unknown = |odds: &&String| !odds.is_empty() && column_of(g, odds).is_none();
                let of_pursuit = Some(again).filter(|again| ![Order::NEVER, Order::ASK].contains(&again.as_str()));
                if let Some(odds) = std::iter::once(odds).chain(of_pursuit).find(unknown) {
                    let all: Vec<&str> = g.c.odds.iter().map(|row| &*row.id).collect();
                    let all = postrider_orders::list_or(&all);
                    return refuse("10.A", format!("{odds} are no odds of the table, which has {all}."));
                }
                pursuit::check(g, hex, &units, pursuing, advancing, from)?;
            }
            _ => return refuse("4.F", "Here units attack: melee 2707 with 3a 3e, or done."),
        }
        Ok(order.clone())
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let mut hexes: Vec<Hex> = Vec::new();
        for (at, units) in self.targets(g) {
            hexes.extend(units.iter().filter_map(|&u| g.hex(u)).chain([at]));
        }
        hexes.sort_unstable();
        hexes.dedup();
        Description::new(format!("Melee, turn {}", g.turn), "4.F")
            .line(
                "Each hex that can be attacked, with all who can; name fewer if you like. Behind `if` stand the least odds, `if 2-1`; \
                 `pursue` follows those who go, `no advance` stays. `done` ends the phase.",
            )
            .drawing(view::around(g, &hexes))
            .few(6)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        words::melee(g, self.side).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        words::melee(g, self.side).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = words::melee(g, self.side);
        let mut all = vec![Choice::said(Order::Done {}, &grammar)];
        // The best attack on each hex comes first: with all units, unless fewer have a higher
        // modifier.
        let attacks = self.targets(g).into_iter().map(|(at, units)| {
            let mut each = vec![units.clone()];
            each.extend(parts(g, at, &units));
            each.sort_by_key(|units| std::cmp::Reverse(promise(g, units, at)));
            (at, each)
        });
        let (mut best, mut others) = (Vec::new(), Vec::new());
        for (at, each) in attacks {
            let mut each = each.into_iter().map(|units| (at, units));
            best.extend(each.next());
            others.extend(each);
        }
        for (at, units) in best.into_iter().chain(others) {
            let battle = reckon(g, &units, at);
            let against = g.all_called(&defenders(g, &units, at));
            let against = if against.is_empty() { against } else { format!("; against {against}") };
            // The odds come first because short letters cut off the end.
            let note = format!(
                "odds {} ({:+}), {} to {}, {}; {}{against}",
                g.charts.odds.label(battle.column),
                battle.shift,
                battle.attack,
                battle.defence,
                battle.drm,
                battle.line(g)
            );
            all.push(Choice::said(Assault::order(g, at, &units, false), &grammar).note(note));
        }
        all
    }
    fn sample(&self, g: &State, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let targets = self.targets(g);
        if targets.is_empty() || below(3) == 0 {
            return Some(Order::Done {});
        }
        let (at, units) = &targets[below(targets.len() as u32) as usize];
        let some: Vec<UnitId> = units.iter().copied().filter(|_| below(3) > 0).collect();
        let mut order = Assault::order(g, *at, if some.is_empty() { units } else { &some }, below(2) == 0);
        self.vary(g, &mut order, below);
        Some(if self.accept(g, seat, &order).is_ok() { order } else { Order::Done {} })
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Done {})
    }
}

/// An attack that was ordered.
struct Attack {
    at: Hex,
    units: Vec<UnitId>,
    will: Chase,
    /// The hex of attackers that the defenders retreat from, if it is one of those with the
    /// greatest strength (10.I).
    from: Option<Hex>,
}

/// Runs the Melee Phase: each melee is completed before the next is declared, then remaining
/// charges are resolved, then advances (4.F).
pub async fn phase(t: &T, g: &mut State) {
    g.phase = Phase::Melee;
    g.fresh_phase();
    g.attacked.clear();
    let side = g.phasing;
    for unit in &mut g.units {
        (unit.did.fought, unit.did.from) = (false, unit.spot.hex());
    }
    charge::lapse(t, g);
    loop {
        let assault = Assault { side };
        if assault.targets(g).is_empty() {
            break;
        }
        match asking::settled(t, g, side, assault).await {
            Order::Done {} => break,
            order @ Order::Doctrine { .. } => standing::set(t, g, side, &order),
            Order::Melee { at, with, odds, pursue, advance, pursuing, again, advancing, from } => {
                let of = |all: &[String]| all.iter().filter_map(|name| g.c.unit(name)).collect::<Vec<UnitId>>();
                let (units, named) = (of(&with), !advancing.is_empty());
                let some = |does: bool, all: &[String]| match (does, all) {
                    (false, _) => Vec::new(),
                    (true, []) => units.clone(),
                    (true, all) => of(all),
                };
                let (pursuing, advancing) = (some(pursue, &pursuing), some(advance, &advancing));
                let Some(at) = g.charts.grid.hex(&at) else { continue };
                let least = column_of(g, &odds).unwrap_or(0);
                if reckon(g, &units, at).column < least {
                    t.tell(|| format!("No melee against {}: the odds are below {odds}.", g.id(at)));
                    continue;
                }
                let will = Chase { pursuing, again: Again::of(g, &again), advancing, named };
                let from = g.charts.grid.hex(&from);
                declare(t, g, Attack { at, units, will, from }).await;
            }
            _ => {}
        }
    }
    // 16.A: charging units must attack.
    while let Some((at, units)) = charges(g, side) {
        let (pursuing, advancing) = (units.clone(), units.clone());
        let will = Chase { pursuing, again: Again::Always, advancing, named: false };
        declare(t, g, Attack { at, units, will, from: None }).await;
    }
    for unit in &mut g.units {
        unit.did.charge = None;
    }
    pursuit::advances(t, g).await;
    horses::replacements(t, g).await;
}

/// Returns the first hex that is the target of unresolved charges, and the charging units.
fn charges(g: &State, side: Side) -> Option<(Hex, Vec<UnitId>)> {
    let assault = Assault { side };
    let fit = |u: &UnitId| {
        let target = g.unit(*u).did.charge;
        target.is_some_and(|at| g.holds(at, side.enemy()) && assault.may(g, *u, at).is_ok())
    };
    let at = g.on_map(side).find(fit).and_then(|u| g.unit(u).did.charge)?;
    let units = g.on_map(side).filter(|u| fit(u) && g.unit(*u).did.charge == Some(at)).collect();
    Some((at, units))
}

/// Resolves one melee from its declaration to its end (10.A, 10.H).
async fn declare(t: &T, g: &mut State, attack: Attack) {
    let Attack { at, units, will, from: leading } = attack;
    t.tell(|| format!("{} {}.", g.all_do(&units, "attacks"), g.id(at)));
    for &u in &units {
        g.unit_mut(u).did.fought = true;
    }
    let mut from: Vec<Hex> = units.iter().filter_map(|&u| g.hex(u)).collect();
    from.dedup();
    g.attacked.push(Attacked { at, from, advancing: will.advancing.clone() });
    // 12.D.5, 16.B: pieces without a combat unit are eliminated without a roll.
    let alone = !g.of_side(at, g.phasing.enemy()).any(|u| g.class(u).is_combat() && !g.unit(u).abandoned);
    if alone {
        overwhelm(t, g, at, &units).await;
    }
    let gone = before::retreat(t, g, at, &units, leading).await;
    let units: Vec<UnitId> = units.into_iter().filter(|&u| g.hex(u).is_some()).collect();
    if units.is_empty() {
        return;
    }
    overwhelm(t, g, at, &units).await;
    if !defenders(g, &units, at).is_empty() {
        fight(t, g, &units, at, leading).await;
    } else if !gone.is_empty() {
        pursuit::chase(t, g, &units, at, &gone, will).await;
    }
}

/// Applies the effects of an attack on a hex to its Holders, which lose their mounts, and to
/// Leaders without units, who are killed (16.B, 12.D.5).
pub async fn overwhelm(t: &T, g: &mut State, at: Hex, attackers: &[UnitId]) {
    let side = attackers.first().map_or(g.phasing, |&u| g.side(u));
    for h in g.of_side(at, side.enemy()).collect::<Vec<_>>() {
        horses::lose(t, g, h).await;
    }
    if g.holder_of(at).is_none() {
        leaders::overrun(t, g, at, side);
    }
}

/// Rolls for a melee and applies the results of both sides (10.A, 10.C).
pub async fn fight(t: &T, g: &mut State, attackers: &[UnitId], at: Hex, leading: Option<Hex>) {
    let defenders = defenders(g, attackers, at);
    let battle = reckon(g, attackers, at);
    let die = t.d6("melee");
    let scores = battle.result(g, die);
    t.tell(|| {
        // The die is told with the odds modifier, so that it matches the row of the table.
        let mut drm = Modifiers::new();
        let odds = g.charts.odds.label(battle.column);
        drm.add(format!("odds {odds}"), battle.shift);
        for (name, by) in battle.drm.parts() {
            drm.add(name.to_owned(), by);
        }
        format!(
            "Melee in {}: {} to {}, odds {odds}: {}: attacker {}, defender {}.",
            g.id(at),
            battle.attack,
            battle.defence,
            drm.told(die),
            scores[0],
            scores[1]
        )
    });
    let charged: Vec<UnitId> = attackers.iter().copied().filter(|&u| g.unit(u).did.charge == Some(at)).collect();
    let us_loss = g.losses[Side::Us.index()];
    let from = strongest_hex(g, attackers, at, leading).unwrap_or(at);
    defenders.iter().for_each(|&u| g.unit_mut(u).did.fought = true);
    let mut again = Vec::new();
    for (units, score) in [(attackers, scores[0]), (&defenders[..], scores[1])] {
        again.extend(toll(t, g, units, score.lost).await);
    }
    resupply(t, g, attackers, &defenders, g.losses[Side::Us.index()] > us_loss).await;
    for (units, score, enemy, foes) in
        [(attackers, scores[0], at, &defenders[..]), (&defenders[..], scores[1], from, attackers)]
    {
        driven(t, g, units, score, &again, Enemy { at: enemy, foes }).await;
    }
    for u in charged {
        // 16.A: a charging unit is Disrupted after the melee.
        morale::disrupt(t, g, u);
        g.unit_mut(u).did.charge = None;
    }
    for &u in attackers.iter().chain(&defenders) {
        // 8.C: a Prone unit gets up after the melee.
        if g.hex(u).is_some() {
            mode::rise(t, g, u);
        }
        rout::window(t, g, u).await;
    }
}

/// Lets one Indian unit of a melee re-supply after a US loss, under the option (14.C). Its owner
/// chooses the unit.
async fn resupply(t: &T, g: &mut State, attackers: &[UnitId], defenders: &[UnitId], us_loss: bool) {
    if !g.variant.indian_resupply || !us_loss {
        return;
    }
    let low = |u: &&UnitId| g.side(**u) == Side::Indian && g.unit(**u).low_ammo && g.hex(**u).is_some();
    let all: Vec<_> = attackers.iter().chain(defenders).filter(low).map(|&u| asking::unit(g, u, u)).collect();
    if all.is_empty() {
        return;
    }
    let asking = Asking { kind: Ask::Ammunition, rule: "14.C", title: "Which unit takes ammunition after the melee" };
    let u = choose(t, g, g.seat(Side::Indian), asking, all, |_| String::new()).await.value;
    g.unit_mut(u).low_ammo = false;
    t.tell(|| format!("{} takes ammunition.", g.called(u)));
}

/// Distributes the losses of a side (10.C.1). Units that take one are Disrupted, and all its
/// Leaders in the melee are checked. Returns the Routed units that were hit, which Rout again
/// (10.J.3).
async fn toll(t: &T, g: &mut State, units: &[UnitId], lost: u8) -> Vec<UnitId> {
    let mut again = Vec::new();
    if lost == 0 {
        return again;
    }
    let heads: Vec<LeaderId> = units.iter().flat_map(|&u| leaders::attached(g, u).collect::<Vec<_>>()).collect();
    for _ in 0..lost {
        let alive: Vec<UnitId> = units.iter().copied().filter(|&u| g.hex(u).is_some() && g.cf(u) > 0).collect();
        let Some(&first) = alive.first() else { break };
        let will = g.doctrine[g.side(first).index()].losses;
        let infantry = |u: UnitId| g.c.class(g.class(u)).infantry;
        let u = match will {
            // Infantry takes losses last because it defends at double strength.
            LossWill::Largest => alive.iter().copied().max_by_key(|&u| (!infantry(u), g.cf(u), std::cmp::Reverse(u))),
            LossWill::Smallest => alive.iter().copied().min_by_key(|&u| (infantry(u), g.cf(u), u)),
            LossWill::Ask => {
                let asking = Asking { kind: Ask::Losses, rule: "10.C", title: "Who takes a loss of the melee" };
                let all: Vec<_> = alive
                    .iter()
                    .map(|&u| asking::unit(g, u, u).note(format!("{}, {} left", g.short(u), g.cf(u))))
                    .collect();
                Some(choose(t, g, g.seat(g.side(first)), asking, all, |_| String::new()).await.value)
            }
        };
        let Some(u) = u else { break };
        fire::lose(t, g, u, 1);
        if g.unit(u).routed && !again.contains(&u) {
            again.push(u);
        }
        if g.hex(u).is_none() {
            leaders::bereft(t, g, u, true).await;
        } else {
            morale::disrupt(t, g, u);
        }
    }
    for l in heads {
        if g.chief(l).spot.hex().is_some() {
            leaders::check(t, g, l);
        }
    }
    again
}

/// The enemy that units retreat from: a hex, and all enemies in the melee.
#[derive(Clone, Copy)]
struct Enemy<'u> {
    at: Hex,
    foes: &'u [UnitId],
}

/// Applies a Retreat or Rout result to a side's units (10.C.2, 10.C.3). Units in `again` Rout in
/// any case.
async fn driven(t: &T, g: &mut State, units: &[UnitId], score: Score, again: &[UnitId], enemy: Enemy<'_>) {
    let Enemy { at: enemy, foes } = enemy;
    for &u in units {
        let routs = score.rout || again.contains(&u);
        if g.hex(u).is_none() || score.retreat == 0 && !routs {
            continue;
        }
        if routs {
            rout::mandatory_from(t, g, u, enemy, foes).await;
        } else {
            retreat::fall_back_from(t, g, u, score.retreat, enemy, foes).await;
            morale::disrupt(t, g, u);
        }
    }
}
