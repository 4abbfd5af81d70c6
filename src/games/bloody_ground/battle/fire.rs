//! Fire (10.5).

use super::{
    super::{
        Ask, BloodyGround, Order, State, T,
        components::{Drm, Ground, Season, Side},
        order::Shot,
    },
    words,
};
use crate::{
    orders::{Misread, Phrase},
    table::{Choice, Description, Prompt, Refusal, Seat, chart::Modifiers, hex::Hex, refuse, status::Condition},
};

/// 10.5.1: whether a unit in one hex sees another hex: nothing but the ends may hold woods, units or standing crops; a slope only
/// where it is a side of the higher of the two ends.
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

/// T:fire-combat-summary: the range of a unit in hexes, and its strength where it stands.
pub fn power(g: &State, i: usize) -> (u16, i64) {
    let piece = &g.battle().pieces[i];
    let (unit, class) = (g.unit(piece.unit), g.class(piece.unit));
    let row = &g.c.fire[class.index()];
    let woods = piece.stand.hex().is_some_and(|hex| g.field().ground[hex] == Ground::Woods);
    let range = if unit.rifle { row.rifle } else { row.range };
    let times = if woods { row.woods } else { row.open };
    (range.into(), i64::from(g.c[unit.kind].fcf) * i64::from(times))
}

/// T:fire-combat-summary: what is added to the die.
pub fn modifiers(g: &State, from: Hex, to: Hex, target: usize) -> Modifiers {
    let field = g.field();
    let mut drm = Modifiers::new();
    let mut add = |row: Drm, times: i32| {
        drm.add(row.name(), g.c.drm(row) * times);
    };
    let distance = i32::from(field.grid.distance(from, to));
    add(Drm::FireWoods, i32::from(field.ground[to] == Ground::Woods && distance > 1));
    add(Drm::FireHigher, i32::from(field.high.has(to) && !field.high.has(from)));
    let condition = g.unit(g.battle().pieces[target].unit).condition;
    add(Drm::FireDisrupted, i32::from(condition == Condition::Disrupted));
    add(Drm::FireRouted, i32::from(condition == Condition::Routed));
    add(Drm::FireRange, if g.variant.range_drm { distance - 1 } else { 0 });
    drm
}

/// 10.5.2: whether a die hits: below the strength, and 6 never.
pub fn hits(die: i64, drm: &Modifiers, strength: i64) -> bool {
    die != 6 && die + i64::from(drm.total()) < strength
}

struct Fire {
    side: Side,
    season: Season,
    rule: &'static str,
}

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
    fn find(g: &State, label: &str) -> Option<usize> {
        g.battle().pieces.iter().position(|piece| piece.label == label)
    }
    fn order(g: &State, (i, j): (usize, usize)) -> Order {
        let label = |i: usize| g.battle().pieces[i].label.clone();
        Order::Fire { shots: vec![Shot { who: label(i), at: label(j) }] }
    }
}

impl Prompt<BloodyGround> for Fire {
    type Answer = Option<Vec<(usize, usize)>>;
    fn kind(&self) -> Ask {
        Ask::BattleFire
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        let shots = match order {
            Order::Pass {} => return Ok(None),
            Order::Fire { shots } if !shots.is_empty() => shots,
            _ => return refuse(self.rule, "Here units fire."),
        };
        let mut all: Vec<(usize, usize)> = Vec::new();
        for shot in shots {
            let (Some(i), Some(j)) = (Fire::find(g, &shot.who), Fire::find(g, &shot.at)) else {
                return refuse(self.rule, format!("There is no {} or no {}.", shot.who, shot.at));
            };
            if self.may(g, i, j).is_none() || all.iter().any(|known| known.0 == i) {
                return refuse("10.5", format!("{} cannot fire at {} now.", shot.who, shot.at));
            }
            all.push((i, j));
        }
        Ok(Some(all))
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let n = self.shots(g).count();
        Description::new("At whom your units fire", self.rule).line(format!("{n} shots are possible.")).few(6)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        words::fire(g).whole(said)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = words::fire(g);
        let odds = |(i, j): (usize, usize)| {
            let ends = self.may(g, i, j);
            let hit = ends.map_or(0, |(from, to)| {
                let drm = modifiers(g, from, to, j);
                (1..=6).filter(|&die| hits(die, &drm, power(g, i).1)).count()
            });
            format!("{hit} of 6")
        };
        let shots = self.shots(g).map(|shot| Choice::said(Fire::order(g, shot), &grammar).note(odds(shot)));
        [Choice::said(Order::Pass {}, &grammar)].into_iter().chain(shots).collect()
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let shots: Vec<_> = self.shots(g).collect();
        if shots.is_empty() || below(8) == 0 {
            return Some(Order::Pass {});
        }
        Some(Fire::order(g, shots[below(shots.len() as u32) as usize]))
    }
}

/// 10.5: a side fires, each unit once, each result at once; leaders who were hit are looked after at the end.
pub async fn impulse(t: &T, g: &mut State, side: Side, season: Season, rule: &'static str) {
    g.battle_mut().pieces.iter_mut().for_each(|piece| piece.used = false);
    loop {
        let fire = Fire { side, season, rule };
        if fire.shots(g).next().is_none() {
            break;
        }
        let Some(shots) = t.ask(g, g.seat(side), fire).await else { break };
        for (i, j) in shots {
            // What an earlier shot has made impossible falls out.
            if let Some((from, to)) = (Fire { side, season, rule }).may(g, i, j) {
                shoot(t, g, i, j, from, to);
            }
        }
    }
    super::leader_losses(t, g).await;
}

/// 10.5.2: one shot.
pub fn shoot(t: &T, g: &mut State, i: usize, j: usize, from: Hex, to: Hex) {
    g.battle_mut().pieces[i].used = true;
    let strength = power(g, i).1;
    let drm = modifiers(g, from, to, j);
    let die = t.roll("fire", 1, 6);
    let hit = hits(die, &drm, strength);
    let (who, target) = (g.battle().pieces[i].label.clone(), g.battle().pieces[j].label.clone());
    t.tell(|| {
        format!("{who} fires at {target}: {}, below {strength}: {}.", drm.told(die), if hit { "hit" } else { "miss" })
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
            let die = t.roll("morale", 1, 6);
            t.tell(|| format!("{target}, hit again: {}.", check.told(die)));
            if !check.passes(die) {
                g.unit_mut(unit).condition = Condition::Routed;
            }
        }
        Condition::Routed => {
            t.tell(|| format!("{target} is eliminated."));
            g.slay(j);
        }
    }
}

/// How many shots a side could fire.
#[cfg(test)]
pub fn shots(g: &State, side: Side, season: Season) -> usize {
    Fire { side, season, rule: "10.5" }.shots(g).count()
}
