//! Recovery (10.3) and rout movement (10.4).

use super::{
    super::{
        Ask, BloodyGround, Order, State, T,
        asking::{Asking, Named, choose_knowing},
        components::{LeaderId, Side},
        facts,
    },
    Stand, doctrine, words,
};
use postrider_orders::{Misread, Phrase};
use postrider_standing::Fact;
use postrider_table::{
    Choice, Description, PickOrder as _, Prompt, Refusal, Seat, hex::Hex, refuse, status::Condition,
};

/// Runs a Recovery Impulse: Disrupted units recover, Routed ones may be rallied, and those still
/// Routed move (10.3).
pub async fn impulse(t: &T, g: &mut State, side: Side) {
    for i in g.on_board(side).collect::<Vec<_>>() {
        let piece = &g.battle().pieces[i];
        let (Some(hex), unit) = (piece.stand.hex(), piece.unit) else { continue };
        if g.unit(unit).condition != Condition::Disrupted {
            continue;
        }
        let recovers = if g.threatened(hex, side, false) {
            let check = g.battle_check(i);
            let die = t.d6("recovery");
            let end = if check.passes(die) { "in order again" } else { "still Disrupted" };
            t.tell(|| format!("Recovery, {}: {}: {end}.", g.battle().pieces[i].label, check.told(die)));
            check.passes(die)
        } else {
            true
        };
        if recovers {
            g.unit_mut(unit).condition = Condition::Normal;
        }
    }
    let routed = |g: &State, i: usize| g.unit(g.battle().pieces[i].unit).condition == Condition::Routed;
    let near: Vec<usize> = g.on_board(side).filter(|&i| routed(g, i) && rallied(g, i)).collect();
    if !near.is_empty() {
        for i in t.ask(g, g.seat(side), Rally { side, near }).await {
            let check = g.battle_check(i);
            let die = t.d6("rally");
            let end = if check.passes(die) { "only Disrupted now" } else { "still Routed, it runs on" };
            t.tell(|| format!("Rally, {}: {}: {end}.", g.battle().pieces[i].label, check.told(die)));
            if check.passes(die) {
                let unit = g.battle().pieces[i].unit;
                g.unit_mut(unit).condition = Condition::Disrupted;
            }
        }
    }
    let fight = g.battle();
    // 10.2a: units of the surprised side do not move in the first round.
    if fight.surprise && fight.round == 1 && fight.first != side {
        return;
    }
    for i in g.on_board(side).filter(|&i| routed(g, i)).collect::<Vec<_>>() {
        run(t, g, i, false).await;
    }
}

/// The question of which Routed units near a leader try to rally: all, some or none (10.3).
struct Rally {
    side: Side,
    near: Vec<usize>,
}

impl Rally {
    fn label<'g>(&self, g: &'g State, i: usize) -> &'g str {
        &g.battle().pieces[i].label
    }
}

impl Prompt<BloodyGround> for Rally {
    type Answer = Vec<usize>;
    fn kind(&self) -> Ask {
        Ask::BattleRally
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Vec<usize>, Refusal> {
        let who = match order {
            Order::Pick { one } if one == "yes" => return Ok(self.near.clone()),
            Order::Pick { one } if one == "no" => return Ok(Vec::new()),
            Order::Rally { who } if !who.is_empty() => who,
            _ => return refuse("10.3", "Say `yes` for all, `no`, or which Routed units rally."),
        };
        let mut all: Vec<usize> = Vec::new();
        for label in who {
            match self.near.iter().find(|&&i| self.label(g, i) == label && !all.contains(&i)) {
                Some(&i) => all.push(i),
                None => {
                    let can: Vec<&str> = self.near.iter().map(|&i| self.label(g, i)).collect();
                    return refuse("10.3", format!("{label} cannot rally now; who can: {}.", can.join(", ")));
                }
            }
        }
        Ok(all)
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let near: Vec<&str> = self.near.iter().map(|&i| self.label(g, i)).collect();
        Description::new("Whether leaders rally the Routed", "10.3")
            .line(format!("Routed, with or beside a leader of theirs: {}.", near.join(", ")))
            .few(2)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        words::rally(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        words::rally(g).say(order)
    }
    fn facts(&self, g: &State, _: Seat, _: Option<&Order>) -> Vec<Fact> {
        let mut facts = facts::battle(g, self.side);
        facts.push(Fact::number("routed", self.near.len() as i64));
        facts
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = words::rally(g);
        let some = self.near.iter().filter(|_| self.near.len() > 1);
        let some = some.map(|&i| Order::Rally { who: vec![self.label(g, i).to_owned()] });
        let all = ["yes", "no"].map(|word| Order::pick(word.to_owned()));
        all.into_iter().chain(some).map(|order| Choice::said(order, &grammar)).collect()
    }
}

/// Returns `true` if a leader who can rally a unit is in its hex or an adjacent one.
fn rallied(g: &State, i: usize) -> bool {
    let piece = &g.battle().pieces[i];
    let Some(hex) = piece.stand.hex() else { return false };
    let grid = &g.field().grid;
    g.battle()
        .heads
        .iter()
        .any(|head| g.leads(head.leader, piece.unit) && head.stand.hex().is_some_and(|at| grid.distance(at, hex) <= 1))
}

/// Moves a Routed unit two hexes, each step away from the nearest enemy; it stops in the hex of a
/// friendly leader (10.4). A unit that enters a non-woods hex adjacent to an enemy must pass a
/// check or is eliminated; with `forced`, by a melee, it is eliminated without a check.
pub async fn run(t: &T, g: &mut State, i: usize, forced: bool) {
    for _ in 0..2 {
        let piece = g.battle().pieces[i].clone();
        let (Some(at), side) = (piece.stand.hex(), g.side_of(piece.unit)) else { return };
        let threats: Vec<Hex> = g.on_board(side.enemy()).filter_map(|i| g.battle().pieces[i].stand.hex()).collect();
        let open = |g: &State, hex: Hex| !g.holds(hex, side.enemy());
        let grid = g.field().grid.clone();
        let near = threats.iter().map(|&hex| grid.distance(at, hex)).min();
        let nearest: Vec<Hex> = threats.iter().copied().filter(|&hex| Some(grid.distance(at, hex)) == near).collect();
        let mut ways = grid.away(at, &nearest, |hex| open(g, hex));
        let mut cornered = false;
        if ways.is_empty() {
            // A cornered unit moves toward the furthest enemy, or one of several.
            cornered = true;
            let far = threats.iter().map(|&to| grid.distance(at, to)).max();
            let furthest = |to: &&Hex| Some(grid.distance(at, **to)) == far;
            let nearer = |hex: &Hex| threats.iter().filter(furthest).any(|&to| Some(grid.distance(*hex, to)) < far);
            ways = grid.neighbours(at).filter(|hex| nearer(hex) && open(g, *hex)).map(Some).collect();
        }
        if ways.is_empty() {
            if forced {
                g.slay(i);
            }
            return;
        }
        let among = ways.into_iter().map(|way| Named::new(way.map_or("off".to_owned(), |hex| grid.id(hex)), way));
        let asking = Asking { kind: Ask::BattleRetreat, rule: "10.4", title: "Where a Routed unit runs" };
        let label = piece.label.clone();
        let from = grid.id(at);
        let line = move |_: &State| format!("{label} runs from {from}.");
        let among = doctrine::ways_called(g, side, among.collect(), |way: &Option<Hex>| *way);
        let known = move |g: &State| facts::battle(g, side);
        let to = choose_knowing(t, g, side, asking, among, line, known).await.value;
        let Some(to) = to else {
            g.battle_mut().pieces[i].stand = Stand::Off;
            t.tell(|| format!("{} leaves the board.", piece.label));
            return;
        };
        g.battle_mut().pieces[i].stand = Stand::On(to);
        t.tell(|| format!("{}, Routed, runs to {}.", piece.label, grid.id(to)));
        let open_ground = g.field().ground[to] != super::Ground::Woods;
        if g.threatened(to, side, false) && (open_ground || cornered) {
            let check = g.check_alone(i);
            // T:melee-combat-results-table: a unit forced past an enemy is eliminated only in
            // non-woods terrain.
            let lost = forced && open_ground;
            let survives = !lost && {
                let die = t.d6("rout past an enemy");
                let end = if check.passes(die) { "it runs on" } else { "it is eliminated" };
                t.tell(|| format!("Past an enemy, {}: {}: {end}.", piece.label, check.told(die)));
                check.passes(die)
            };
            if !survives {
                if lost {
                    t.tell(|| format!("{}, forced past an enemy in the open, is eliminated.", piece.label));
                }
                g.slay(i);
                return;
            }
        }
        let friends: Vec<LeaderId> = g.heads_in(to).map(|h| g.battle().heads[h].leader).collect();
        if friends.into_iter().any(|l| g.c[l].side == side) {
            return;
        }
    }
}
