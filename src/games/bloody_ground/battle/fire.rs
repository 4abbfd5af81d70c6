//! Fire combat (10.5).

use super::{
    super::{
        Ask, BloodyGround, Order, State, T,
        components::{Drm, Ground, Season, Side},
        facts,
        order::{Aim, Shot},
    },
    doctrine, words,
};
use postrider_orders::{Misread, Phrase, list_or};
use postrider_standing::Fact;
use postrider_table::{
    Choice, Description, Prompt, Refusal, Seat, chart::Modifiers, hex::Hex, refuse, status::Condition,
};

/// Returns `true` if a unit in one hex has a line of fire to another (10.5.1). Hexes in between
/// must contain no woods, units or standing crops. A slope blocks the line unless it is a side of
/// the higher of the two end hexes.
pub fn sees(g: &State, season: Season, from: Hex, to: Hex) -> bool {
    let field = g.field();
    let crops = matches!(season, Season::Summer | Season::Fall);
    let blocks = |hex: Hex| match field.ground[hex] {
        Ground::Woods => true,
        Ground::Cultivated if crops => true,
        _ => g.in_hex(hex).next().is_some(),
    };
    let adjacent = field.grid.adjacent(from, to);
    field.grid.sees(from, to, |prev, into| {
        let slope = field.high.has(prev) != field.high.has(into);
        let high = if field.high.has(prev) { prev } else { into };
        (into == to || !blocks(into)) && (!slope || adjacent || high == from || high == to)
    })
}

/// Returns the range of a unit in hexes, and its strength in its hex (T:fire-combat-summary).
pub fn power(g: &State, i: usize) -> (u16, i64) {
    let piece = &g.battle().pieces[i];
    let (unit, class) = (g.unit(piece.unit), g.class(piece.unit));
    let row = &g.c.fire[class.index()];
    let woods = piece.stand.hex().is_some_and(|hex| g.field().ground[hex] == Ground::Woods);
    let range = if unit.rifle { row.rifle } else { row.range };
    let times = if woods { row.woods } else { row.open };
    (range.into(), i64::from(g.c[unit.kind].fcf) * i64::from(times))
}

/// Returns the die roll modifiers of a shot (T:fire-combat-summary). Terrain protects neither the
/// Disrupted nor the Routed (T:mcrt-results, 10.6).
pub fn modifiers(g: &State, from: Hex, to: Hex, target: usize) -> Modifiers {
    let field = g.field();
    let mut drm = Modifiers::new();
    let mut add = |row: Drm, times: i32| {
        drm.add(row.name(), g.c.drm(row) * times);
    };
    let distance = i32::from(field.grid.distance(from, to));
    let condition = g.unit(g.battle().pieces[target].unit).condition;
    let sound = condition == Condition::Normal;
    add(Drm::FireWoods, i32::from(sound && field.ground[to] == Ground::Woods && distance > 1));
    add(Drm::FireHigher, i32::from(sound && field.high.has(to) && !field.high.has(from)));
    add(Drm::FireDisrupted, i32::from(condition == Condition::Disrupted));
    add(Drm::FireRouted, i32::from(condition == Condition::Routed));
    add(Drm::FireRange, if g.variant.range_drm { distance - 1 } else { 0 });
    drm
}

/// Returns `true` if a die hits: the modified die must be below the strength, and a 6 always misses
/// (10.5.2).
pub fn hits(die: i64, drm: &Modifiers, strength: i64) -> bool {
    die != 6 && die + i64::from(drm.total()) < strength
}

struct Fire {
    side: Side,
    season: Season,
    /// `true` in the defensive Fire Impulse, which answers the enemy's movement.
    defends: bool,
}

/// The fire order of a side.
pub enum Firing {
    Done,
    Shots(Vec<(usize, usize)>),
    Volley { aims: Vec<Aim>, least: u8 },
}

const RULE: &str = "10.5";

impl Fire {
    fn may(&self, g: &State, i: usize, target: usize) -> Option<(Hex, Hex)> {
        let fight = g.battle();
        let (firer, aim) = (&fight.pieces[i], &fight.pieces[target]);
        let (from, to) = (firer.stand.hex()?, aim.stand.hex()?);
        let ready = !firer.used
            && g.side_of(firer.unit) == self.side
            && g.unit(firer.unit).condition == Condition::Normal
            && g.side_of(aim.unit) != self.side;
        let reaches = g.field().grid.distance(from, to) <= power(g, i).0;
        (ready && reaches && sees(g, self.season, from, to)).then_some((from, to))
    }
    fn shots<'a>(&'a self, g: &'a State) -> impl Iterator<Item = (usize, usize)> + 'a {
        let targets: Vec<usize> = g.on_board(self.side.enemy()).collect();
        g.on_board(self.side)
            .flat_map(move |i| targets.clone().into_iter().map(move |j| (i, j)))
            .filter(move |&(i, j)| self.may(g, i, j).is_some())
    }
    /// Returns the number of die faces that hit, 0 to 6.
    fn chance(&self, g: &State, (i, j): (usize, usize)) -> usize {
        self.may(g, i, j).map_or(0, |(from, to)| {
            let (drm, strength) = (modifiers(g, from, to, j), power(g, i).1);
            (1..=6).filter(|&die| hits(die, &drm, strength)).count()
        })
    }
    /// Returns the shots that can hit, most likely first.
    fn apt(&self, g: &State) -> Vec<((usize, usize), usize)> {
        let mut shots: Vec<_> =
            self.shots(g).map(|shot| (shot, self.chance(g, shot))).filter(|shot| shot.1 > 0).collect();
        shots.sort_by_key(|shot| std::cmp::Reverse(shot.1));
        shots
    }
    /// Returns the best shot of every unit that can hit, as one order.
    fn volley(&self, g: &State) -> Option<Order> {
        let label = |i: usize| g.battle().pieces[i].label.clone();
        let mut known: Vec<usize> = Vec::new();
        let mut shots: Vec<Shot> = Vec::new();
        for ((i, j), _) in self.apt(g) {
            if !known.contains(&i) {
                known.push(i);
                shots.push(Shot { who: label(i), at: label(j) });
            }
        }
        (shots.len() > 1).then_some(Order::Fire { shots })
    }
    /// Returns a doctrine as a fire order if it can be followed now.
    fn doctrine(&self, g: &State, aims: &[Aim], least: u8) -> Result<Firing, Refusal> {
        if aims.is_empty() || !(1..=5).contains(&least) {
            return refuse(RULE, "Say at whom your units fire, and on 1 to 5 faces of six.");
        }
        match aims.iter().find(|aim| !doctrine::is_known(g, aim)) {
            Some(aim) => refuse(RULE, format!("Nobody here is called {}.", aim.at)),
            None => Ok(Firing::Volley { aims: aims.to_vec(), least }),
        }
    }
    /// Returns the first unit that has a target under a doctrine, and the target.
    fn next_shot(&self, g: &State, aims: &[Aim], least: u8) -> Option<(usize, usize)> {
        let shots = self.apt(g);
        g.on_board(self.side).find_map(|i| {
            let own: Vec<(usize, usize)> =
                shots.iter().filter(|(shot, _)| shot.0 == i).map(|&((_, j), faces)| (j, faces)).collect();
            doctrine::target(g, i, aims, least, &own).map(|j| (i, j))
        })
    }
    fn find(g: &State, label: &str) -> Option<usize> {
        g.battle().pieces.iter().position(|piece| piece.label == label)
    }
    fn order(g: &State, (i, j): (usize, usize)) -> Order {
        let label = |i: usize| g.battle().pieces[i].label.clone();
        Order::Fire { shots: vec![Shot { who: label(i), at: label(j) }] }
    }
}

impl Prompt<BloodyGround> for Fire {
    type Answer = Firing;
    fn kind(&self) -> Ask {
        Ask::BattleFire
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        let shots = match order {
            Order::Pass {} => return Ok(Firing::Done),
            Order::Volley { aims, least } => return self.doctrine(g, aims, *least),
            Order::Fire { shots } if !shots.is_empty() => shots,
            _ => return refuse(RULE, "Here units fire."),
        };
        let mut all: Vec<(usize, usize)> = Vec::new();
        for shot in shots {
            let (Some(i), Some(j)) = (Fire::find(g, &shot.who), Fire::find(g, &shot.at)) else {
                return refuse(RULE, format!("There is no {} or no {}.", shot.who, shot.at));
            };
            if self.may(g, i, j).is_none() || all.iter().any(|known| known.0 == i) {
                return refuse("10.5", format!("{} cannot fire at {} now.", shot.who, shot.at));
            }
            all.push((i, j));
        }
        Ok(Firing::Shots(all))
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let mut firers: Vec<usize> = self.apt(g).into_iter().map(|((i, _), _)| i).collect();
        firers.sort_unstable();
        firers.dedup();
        let firers: Vec<&str> = firers.into_iter().map(|i| &*g.battle().pieces[i].label).collect();
        Description::new("At whom your units fire", RULE)
            .line(format!("Who can hit: {}. Each fires once, in the order that you name.", firers.join(", ")))
            .few(8)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        let order = words::fire(g).whole(said)?;
        // Named targets that nobody can hit would end the fire, which the player is unlikely to
        // want.
        let idle = |aims: &[Aim], least: u8| {
            aims.iter().all(|aim| Fire::find(g, &aim.at).is_some())
                && self.doctrine(g, aims, least).is_ok()
                && self.next_shot(g, aims, 1).is_none()
        };
        match &order {
            Order::Volley { aims, least } if idle(aims, *least) => {
                let at = list_or(&aims.iter().map(|aim| aim.at.clone()).collect::<Vec<_>>());
                Err(said.reader().fail(format!("none of your units can fire at {at} now (10.5); “done” ends the fire")))
            }
            _ => Ok(order),
        }
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        words::fire(g).say(order)
    }
    fn facts(&self, g: &State, _: Seat, order: Option<&Order>) -> Vec<Fact> {
        let mut facts = facts::battle(g, self.side);
        facts.push(Fact::whether("defensive", self.defends));
        let best = self.apt(g).first().map_or(0, |shot| shot.1);
        facts.push(Fact::share("best chance", best as i64, 6));
        let worst = match order {
            Some(Order::Fire { shots }) => {
                let shot = |shot: &Shot| Some((Fire::find(g, &shot.who)?, Fire::find(g, &shot.at)?));
                shots.iter().filter_map(shot).map(|shot| self.chance(g, shot)).min()
            }
            Some(Order::Volley { aims, least }) => self.next_shot(g, aims, *least).map(|shot| self.chance(g, shot)),
            _ => None,
        };
        facts.extend(worst.map(|faces| Fact::share("chance", faces as i64, 6)));
        facts
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = words::fire(g);
        let shots = self
            .apt(g)
            .into_iter()
            .map(|(shot, hit)| Choice::said(Fire::order(g, shot), &grammar).note(format!("hits on {hit} of 6")));
        let volley = self.volley(g).map(|order| Choice::said(order, &grammar).note("the best shot of each"));
        [Choice::said(Order::Pass {}, &grammar)].into_iter().chain(volley).chain(shots).collect()
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let shots = self.apt(g);
        if shots.is_empty() || below(8) == 0 {
            return Some(Order::Pass {});
        }
        Some(Fire::order(g, shots[below(shots.len() as u32) as usize].0))
    }
}

/// Runs a Fire Impulse of a side (10.5). Each unit fires once and each result applies at once;
/// losses of leaders are checked at the end.
pub async fn impulse(t: &T, g: &mut State, side: Side, season: Season, defends: bool) {
    g.battle_mut().pieces.iter_mut().for_each(|piece| piece.used = false);
    let fire = || Fire { side, season, defends };
    loop {
        // A side without a possible hit is not asked.
        if fire().apt(g).is_empty() {
            break;
        }
        let shots = match t.ask(g, g.seat(side), fire()).await {
            Firing::Done => break,
            Firing::Shots(shots) => shots,
            Firing::Volley { aims, least } => {
                while let Some((i, j)) = fire().next_shot(g, &aims, least) {
                    let Some((from, to)) = fire().may(g, i, j) else { break };
                    shoot(t, g, i, j, from, to);
                }
                break;
            }
        };
        for (i, j) in shots {
            // Shots that earlier results have made impossible are skipped.
            if let Some((from, to)) = fire().may(g, i, j) {
                shoot(t, g, i, j, from, to);
            }
        }
    }
    super::leader_losses(t, g).await;
}

/// Resolves one shot (10.5.2).
pub fn shoot(t: &T, g: &mut State, i: usize, j: usize, from: Hex, to: Hex) {
    g.battle_mut().pieces[i].used = true;
    let strength = power(g, i).1;
    let drm = modifiers(g, from, to, j);
    let die = t.d6("fire");
    let hit = hits(die, &drm, strength);
    let (who, target) = (g.battle().pieces[i].label.clone(), g.battle().pieces[j].label.clone());
    t.tell(|| {
        let end = match (hit, g.unit(g.battle().pieces[j].unit).condition) {
            (false, _) => "a miss",
            (_, Condition::Normal) => "a hit, it is Disrupted",
            (_, Condition::Disrupted) => "a hit, it must pass a check",
            (_, Condition::Routed) => "a hit, it is eliminated",
        };
        format!("{who} fires at {target}: {}, below {strength} needed: {end}.", drm.told(die))
    });
    if !hit {
        return;
    }
    for h in g.heads_in(to).collect::<Vec<_>>() {
        g.battle_mut().heads[h].endangered = true;
    }
    let unit = g.battle().pieces[j].unit;
    match g.unit(unit).condition {
        Condition::Normal => g.unit_mut(unit).condition = Condition::Disrupted,
        Condition::Disrupted => {
            let check = g.battle_check(j);
            let die = t.d6("morale");
            let end = if check.passes(die) { "it stays Disrupted" } else { "it is Routed" };
            t.tell(|| format!("{target}, hit again: {}: {end}.", check.told(die)));
            if !check.passes(die) {
                g.unit_mut(unit).condition = Condition::Routed;
            }
        }
        Condition::Routed => g.slay(j),
    }
}

/// Returns the number of shots that a side could fire.
#[cfg(test)]
pub fn shots(g: &State, side: Side, season: Season) -> usize {
    Fire { side, season, defends: false }.shots(g).count()
}
