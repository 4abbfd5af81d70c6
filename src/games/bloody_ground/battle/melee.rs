//! Melee combat (10.6).

use super::{
    super::{
        Ask, BloodyGround, Order, State, T,
        asking::{Asking, Named},
        components::{Class, Drm, Ground, Side, Toll},
        facts,
        state::MORALE,
    },
    alone, doctrine, retreat, words,
};
use postrider_orders::{Misread, Phrase};
use postrider_standing::Fact;
use postrider_table::{
    Choice, Description, Prompt, Refusal, Seat,
    chart::{Modifiers, Ratio},
    hex::Hex,
    refuse,
    status::Condition,
};

/// The odds of a melee: combat factors, columns, modifiers and shifts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Odds {
    pub attack: Ratio,
    pub defence: Ratio,
    /// The column before shifts, by which leader losses are checked (10.6.2).
    pub plain: usize,
    pub column: usize,
    pub drm: Modifiers,
    pub shifts: Modifiers,
}

/// Returns the odds of these attackers against a hex (T:melee-combat-modifiers).
pub fn odds(g: &State, attackers: &[usize], at: Hex) -> Odds {
    let field = g.field();
    let fight = g.battle();
    let one = |i: usize, from: Option<Hex>| {
        let piece = &fight.pieces[i];
        let (class, sound) = (g.class(piece.unit), g.unit(piece.unit).condition == Condition::Normal);
        let mut factor = Ratio::whole(1);
        let ground = piece.stand.hex().map(|hex| field.ground[hex]);
        if sound && class == Class::Warrior && ground == Some(Ground::Woods) {
            factor = factor.times(2);
        }
        if let Some(from) = from {
            if field.high.has(at) && !field.high.has(from) {
                factor = factor.half();
            }
            if class != Class::Warrior && field.stream.between(&field.grid, from, at) {
                factor = factor.half();
            }
        }
        factor
    };
    let attack: Ratio = attackers.iter().map(|&i| one(i, fight.pieces[i].stand.hex())).sum();
    let mut defenders: Vec<usize> = g.in_hex(at).collect();
    // 10.4.1: units that retreated into the hex in this impulse have no part in the melee, unless
    // no other unit defends.
    let came = |i: &usize| fight.pieces[*i].used;
    if !defenders.iter().all(came) {
        defenders.retain(|i| !came(i));
    }
    let defence: Ratio = defenders.iter().map(|&i| one(i, None)).sum();
    let plain = g.charts.odds.find(attack, defence);
    let hexes: Vec<Hex> = attackers.iter().filter_map(|&i| fight.pieces[i].stand.hex()).collect();
    let best = |hexes: &[Hex], side: Option<Side>| {
        let here = fight.heads.iter().filter(|head| head.stand.hex().is_some_and(|hex| hexes.contains(&hex)));
        here.filter(|head| Some(g.c[head.leader].side) == side).max_by_key(|head| g.battle_rating(head.leader))
    };
    let side = attackers.first().map(|&i| g.side_of(fight.pieces[i].unit));
    let mut shifts = Modifiers::new();
    if let Some(head) = best(&hexes, side) {
        shifts.add(g.c[head.leader].name.clone(), g.battle_rating(head.leader));
    }
    if let Some(head) = best(&[at], side.map(Side::enemy)) {
        shifts.add(g.c[head.leader].name.clone(), -g.battle_rating(head.leader));
    }
    let shaken = |list: &[usize]| list.iter().any(|&i| g.unit(fight.pieces[i].unit).condition == Condition::Disrupted);
    for (row, holds) in
        [(Drm::MeleeShiftAttackerDisrupted, shaken(attackers)), (Drm::MeleeShiftDefenderDisrupted, shaken(&defenders))]
    {
        shifts.add_if(holds, row.name(), g.c.drm(row));
    }
    let column = g.charts.odds.shifted(plain, shifts.total());
    let level =
        |list: &[usize]| list.iter().map(|&i| i32::from(g.level(fight.pieces[i].unit))).max().unwrap_or(MORALE.into());
    let mut drm = Modifiers::new();
    drm.add("levels", (level(attackers) - level(&defenders)).clamp(-3, 3));
    Odds { attack, defence, plain, column, drm, shifts }
}

struct Melee {
    side: Side,
}

/// The attack order of a side.
pub enum Attack {
    Done,
    Hex(Hex, Vec<usize>),
    /// Attacks every hex for which the odds are at least those of this column.
    Wherever(usize),
}

impl Melee {
    /// Returns the units that can attack a hex now.
    fn attackers(&self, g: &State, at: Hex) -> Vec<usize> {
        let fight = g.battle();
        let grid = &g.field().grid;
        let can = |&i: &usize| {
            let piece = &fight.pieces[i];
            !piece.used
                && g.unit(piece.unit).condition != Condition::Routed
                && piece.stand.hex().is_some_and(|hex| grid.adjacent(hex, at))
        };
        g.on_board(self.side).filter(can).collect()
    }
    /// Returns the hexes that can be attacked.
    fn targets(&self, g: &State) -> Vec<Hex> {
        let fight = g.battle();
        let mut hexes: Vec<Hex> = g.on_board(self.side.enemy()).filter_map(|i| fight.pieces[i].stand.hex()).collect();
        hexes.sort();
        hexes.dedup();
        hexes.retain(|&hex| !fight.attacked.contains(&hex) && !self.attackers(g, hex).is_empty());
        hexes
    }
    /// Returns the attack with the best odds column; among equals, the one with the highest
    /// modifier.
    fn best(&self, g: &State) -> Option<(Hex, Vec<usize>, Odds)> {
        let attacks = self.targets(g).into_iter().map(|at| {
            let (with, odds) = doctrine::attack(g, at, &self.attackers(g, at));
            (at, with, odds)
        });
        attacks.max_by_key(|(at, _, odds)| (odds.column, odds.drm.total(), std::cmp::Reverse(*at)))
    }
    fn order(g: &State, at: Hex, with: &[usize]) -> Order {
        let label = |&i: &usize| g.battle().pieces[i].label.clone();
        Order::Melee { at: g.field().grid.id(at), with: with.iter().map(label).collect() }
    }
}

/// Returns the order to attack wherever the odds are at least `odds`.
fn wherever(g: &State, odds: &str) -> Result<Attack, Refusal> {
    match doctrine::column(g, odds) {
        Some(column) => Ok(Attack::Wherever(column)),
        None => refuse("10.6", format!("The table has no column {odds}.")),
    }
}

impl Prompt<BloodyGround> for Melee {
    type Answer = Attack;
    fn kind(&self) -> Ask {
        Ask::BattleMelee
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        let (at, with) = match order {
            Order::Pass {} => return Ok(Attack::Done),
            Order::Attack { odds } => return wherever(g, odds),
            Order::Melee { at, with } => (at, with),
            _ => return refuse("10.6", "Here units fight hand to hand."),
        };
        let at = g.field().grid.hex(at).filter(|at| self.targets(g).contains(at));
        let Some(at) = at else { return refuse("10.6", "No enemy stands there who can be attacked now.") };
        let can = self.attackers(g, at);
        let mut all: Vec<usize> = Vec::new();
        for label in with {
            match can.iter().find(|&&i| g.battle().pieces[i].label == *label && !all.contains(&i)) {
                Some(&i) => all.push(i),
                None => return refuse("10.6", format!("{label} cannot attack that hex now.")),
            }
        }
        if all.is_empty() { refuse("10.6", "Say who attacks.") } else { Ok(Attack::Hex(at, all)) }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let n = self.targets(g).len();
        Description::new("Which hex your units attack", "10.6")
            .line(format!("Hexes that can be attacked: {n}. Each is attacked once, and each unit attacks once."))
            .few(8)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        words::melee(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        words::melee(g).say(order)
    }
    fn facts(&self, g: &State, _: Seat, order: Option<&Order>) -> Vec<Fact> {
        let mut facts = facts::battle(g, self.side);
        let attack = match order {
            Some(Order::Melee { at, with }) => g.field().grid.hex(at).map(|at| {
                let label = |i: usize| with.contains(&g.battle().pieces[i].label);
                let with: Vec<usize> = self.attackers(g, at).into_iter().filter(|&i| label(i)).collect();
                (at, odds(g, &with, at))
            }),
            Some(Order::Attack { .. }) => self.best(g).map(|(at, _, odds)| (at, odds)),
            _ => None,
        };
        if let Some((at, odds)) = attack {
            let label = g.charts.odds.label(odds.column).split_once('-');
            let (one, other) = label.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?))).unwrap_or((0_i64, 1));
            facts.push(Fact::ratio("odds", one, other));
            facts.push(Fact::number("modifier", odds.drm.total()));
            let enemy = |h: usize| g.c[g.battle().heads[h].leader].side != self.side;
            facts.push(Fact::whether("leader", g.heads_in(at).any(enemy)));
        }
        facts
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = words::melee(g);
        // The best attack on each hex comes first, in order of odds; then the other attacks.
        let mut attacks: Vec<(Hex, Vec<usize>, Odds)> = Vec::new();
        for at in self.targets(g) {
            let all = self.attackers(g, at);
            let (with, best) = doctrine::attack(g, at, &all);
            attacks.push((at, with, best));
        }
        let good = |odds: &Odds| (odds.column, odds.drm.total());
        attacks.sort_by_key(|(at, _, odds)| (std::cmp::Reverse(good(odds)), *at));
        for at in attacks.iter().map(|(at, ..)| *at).collect::<Vec<_>>() {
            let all = self.attackers(g, at);
            for with in (1..=all.len()).rev().map(|n| all[..n].to_vec()) {
                if !attacks.iter().any(|(known, who, _)| *known == at && *who == with) {
                    let odds = odds(g, &with, at);
                    attacks.push((at, with, odds));
                }
            }
        }
        let said = |(at, with, odds): (Hex, Vec<usize>, Odds)| {
            let note = format!("{}, {}", g.charts.odds.label(odds.column), odds.drm);
            Choice::said(Melee::order(g, at, &with), &grammar).note(note)
        };
        [Choice::said(Order::Pass {}, &grammar)].into_iter().chain(attacks.into_iter().map(said)).collect()
    }
}

/// Runs a Melee Impulse of a side: each hex is attacked at most once, and each unit attacks at most
/// once (10.6).
pub async fn impulse(t: &T, g: &mut State, side: Side) {
    g.battle_mut().pieces.iter_mut().for_each(|piece| piece.used = false);
    g.battle_mut().attacked.clear();
    loop {
        let melee = Melee { side };
        if melee.targets(g).is_empty() {
            return;
        }
        match t.ask(g, g.seat(side), melee).await {
            Attack::Done => return,
            Attack::Hex(at, with) => fight(t, g, side, at, &with).await,
            Attack::Wherever(column) => {
                while let Some((at, with, _)) = (Melee { side }).best(g).filter(|(.., odds)| odds.column >= column) {
                    fight(t, g, side, at, &with).await;
                }
                return;
            }
        }
    }
}

/// Returns the column shifts and their reasons: `shifted 3 right: Little Turtle +3`.
fn shifted(shifts: &Modifiers) -> String {
    let parts: Vec<String> = shifts.parts().map(|(name, by)| format!("{name} {by:+}")).collect();
    let way = match shifts.total() {
        0 => "not shifted".to_owned(),
        n @ 1.. => format!("shifted {n} right"),
        n => format!("shifted {} left", -n),
    };
    format!("{way}: {}", parts.join(", "))
}

/// Resolves one melee, applying the defender's result first (10.6.1).
async fn fight(t: &T, g: &mut State, side: Side, at: Hex, with: &[usize]) {
    let odds = odds(g, with, at);
    for &i in with {
        g.battle_mut().pieces[i].used = true;
    }
    g.battle_mut().attacked.push(at);
    let die = t.d6("melee");
    let result = *g.charts.melee.at((die as i32) + odds.drm.total(), odds.column);
    t.tell(|| {
        let chart = &g.charts.odds;
        let moved = if odds.shifts.is_empty() {
            String::new()
        } else {
            format!(" ({} from {})", shifted(&odds.shifts), chart.label(odds.plain))
        };
        let id = g.field().grid.id(at);
        format!(
            "Melee at {id}, {} against {}, {}{moved}: {}: {result}.",
            odds.attack,
            odds.defence,
            chart.label(odds.column),
            odds.drm.told(die)
        )
    });
    let defenders: Vec<usize> = g.in_hex(at).collect();
    let mut hexes: Vec<Hex> = with.iter().filter_map(|&i| g.battle().pieces[i].stand.hex()).collect();
    hexes.sort();
    hexes.dedup();
    let even = Ratio::whole(1);
    let plain = odds.attack.to(odds.defence);
    let three = g.charts.odds.find(Ratio::whole(3), even);
    let risky_defence = odds.plain > three;
    let risky_attack = plain.is_some_and(|odds| odds < even);
    suffer(t, g, side.enemy(), &defenders, result.defender, &[at], risky_defence).await;
    suffer(t, g, side, with, result.attacker, &hexes, risky_attack).await;
    alone::lone_leaders(t, g, &[]).await;
}

/// Applies a result to one side: lost units, leaders at risk (10.6.2), and the retreat of the
/// surviving units (T:mcrt-results).
async fn suffer(t: &T, g: &mut State, side: Side, units: &[usize], toll: Toll, hexes: &[Hex], risky: bool) {
    if toll == Toll::default() {
        return;
    }
    let mut left: Vec<usize> = units.iter().copied().filter(|&i| g.battle().pieces[i].stand.hex().is_some()).collect();
    for nth in 1..=toll.lost {
        if left.is_empty() {
            break;
        }
        let i = lost(t, g, side, &left, (nth, toll.lost)).await;
        left.retain(|&other| other != i);
        t.tell(|| format!("{} is eliminated.", g.battle().pieces[i].label));
        g.slay(i);
    }
    let mut heads: Vec<usize> = Vec::new();
    for &hex in hexes {
        heads.extend(g.heads_in(hex).filter(|&h| g.c[g.battle().heads[h].leader].side == side));
    }
    for h in heads {
        let l = g.battle().heads[h].leader;
        let mut drm = Modifiers::new();
        drm.add_if(risky, Drm::LeaderLossOdds.name(), g.c.drm(Drm::LeaderLossOdds));
        let die = t.d6("leader in melee");
        let falls = die + i64::from(drm.total()) >= 6;
        let end = if falls { "he is hit" } else { "he is unhurt" };
        t.tell(|| format!("{} in melee: {}: {end}.", g.c[l].name, drm.told(die)));
        if falls {
            super::fall(t, g, h).await;
        }
    }
    if toll.retreat {
        retreat::retreat(t, g, side, &left).await;
    }
}

/// Asks the owner which unit is lost. Like units in like state count as one choice.
async fn lost(t: &T, g: &mut State, side: Side, units: &[usize], (nth, of): (u8, u8)) -> usize {
    let among = super::unlike(g, units).into_iter().map(|i| {
        let condition = g.unit(g.battle().pieces[i].unit).condition.word();
        Named::new(g.battle().pieces[i].label.clone(), i).note(condition)
    });
    let asking = Asking { kind: Ask::BattleLoss, rule: "10.6.1", title: "Which unit is lost" };
    let lose = |named: Named<usize>| {
        let name = named.name.clone();
        named.or(format!("we lose {name}")).or(format!("lose {name}"))
    };
    let among = among.map(lose).collect();
    let line = match of {
        1 => "The melee costs you one unit of those listed.".to_owned(),
        _ => format!("The melee costs you {of} units of those listed, asked for one by one; this is number {nth}."),
    };
    doctrine::choose_unit(t, g, side, asking, among, line).await
}
