//! Movement on the battle board (10.4).

use super::{
    super::{
        Ask, BloodyGround, Order, State, T,
        asking::{Asking, Named},
        components::{Class, Ground, Post, Season, Side},
        facts,
        movement::LEADER_MA,
        order::Path,
    },
    Stand, alone, doctrine, words,
};
use postrider_orders::{Misread, Phrase, counted, list_or};
use postrider_standing::Fact;
use postrider_table::{
    Choice, Description, Prompt, Refusal, Seat,
    hex::{Hex, Step},
    refuse,
    status::Condition,
};

/// A piece that moves: a unit or a leader, by its index in the battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    Unit(usize),
    Leader(usize),
}

/// The properties of a moving piece that determine its MPs and costs.
#[derive(Clone, Copy, Debug)]
pub struct Walker {
    pub side: Side,
    /// `true` for regulars, who pay more for clear terrain.
    pub regular: bool,
    pub warrior: bool,
    pub mps: u16,
    pub season: Season,
}

/// Returns the cost of a step between hexes, and if it ends the movement
/// (T:battle-board-terrain-effects-chart, 10.4).
pub fn cost(g: &State, walker: Walker, from: Hex, to: Hex) -> Option<Step> {
    if g.holds(to, walker.side.enemy()) {
        return None;
    }
    let field = g.field();
    let column = (walker.season.index() + 3) % 4;
    let mps = |id: &str| g.c.board_costs.iter().find(|row| row.id == id).map_or(1, |row| u16::from(row.mps[column]));
    let full = g.in_hex(to).count() >= g.hex_limit(to);
    let trail = field.on_trail(from, to) && !full;
    let ground = match (field.ground[to], walker.regular, walker.warrior) {
        _ if trail => mps("trail"),
        (Ground::Clear, true, _) => mps("clear-regular"),
        (Ground::Clear, false, _) => mps("clear-other"),
        (Ground::Woods, _, true) => mps("woods-warrior"),
        (Ground::Woods, _, false) => mps("woods-other"),
        (Ground::Swamp, _, true) => mps("swamp-warrior"),
        (Ground::Swamp, _, false) => mps("swamp-other"),
        (Ground::Cultivated, ..) => mps("cultivated"),
    };
    let slope = field.high.has(from) != field.high.has(to) && !trail;
    let stream = field.stream.between(&field.grid, from, to);
    let mut cost = ground + if slope { mps("slope-hexside") } else { 0 };
    if stream {
        cost += mps("stream-hexside");
    }
    if g.severe {
        cost *= 2;
        if stream {
            // Crossing a stream takes all MPs in severe weather.
            cost = cost.max(walker.mps);
        }
    }
    Some(Step::of(cost).ends(g.threatened(to, walker.side, true)))
}

fn walker(g: &State, who: Who, season: Season) -> Walker {
    let fight = g.battle();
    match who {
        Who::Unit(i) => {
            let unit = fight.pieces[i].unit;
            let class = g.class(unit);
            // A leader who began the impulse with the unit counts even if he has gone on.
            let led = fight.heads.iter().any(|head| {
                let began = head.left.unwrap_or(head.stand);
                began.hex().is_some() && began == fight.pieces[i].stand && g.c[head.leader].side == class.side()
            });
            let state = g.unit(unit);
            let less = u16::from(state.starved) + u16::from(state.condition == Condition::Disrupted);
            let mps = (u16::from(g.c[state.kind].ma) + u16::from(led)).saturating_sub(less);
            Walker { side: class.side(), regular: class.is_regular(), warrior: class == Class::Warrior, mps, season }
        }
        Who::Leader(h) => {
            let (leader, chief) = (&g.c[fight.heads[h].leader], g.chief(fight.heads[h].leader));
            let warrior = matches!(leader.kind, Post::Nation | Post::Agent);
            Walker { side: leader.side, regular: false, warrior, mps: LEADER_MA - u16::from(chief.starved), season }
        }
    }
}

/// Returns the piece of the battle with this name.
fn called(g: &State, name: &str) -> Option<Who> {
    let fight = g.battle();
    let unit = fight.pieces.iter().position(|piece| piece.label == name).map(Who::Unit);
    unit.or_else(|| fight.heads.iter().rposition(|head| g.c[head.leader].name == name).map(Who::Leader))
}

/// Returns the hex of the piece with this name.
pub fn stands(g: &State, name: &str) -> Option<Hex> {
    March::stand(g, called(g, name)?).hex()
}

/// Returns the cheapest path of a piece to a hex within its reach, including both ends.
pub fn cheapest(g: &State, name: &str, to: &str) -> Option<Vec<String>> {
    let who = called(g, name)?;
    let (grid, start) = (&g.field().grid, March::stand(g, who).hex()?);
    let walker = walker(g, who, g.season);
    let reach = grid.reach_at_least_one(start, walker.mps, |from, to| cost(g, walker, from, to));
    let way = reach.way(grid.hex(to)?)?;
    (way.len() > 1).then(|| way.into_iter().map(|hex| grid.id(hex)).collect())
}

/// A checked path: the piece, the hexes it enters, and if it leaves the board at the end.
#[derive(Clone, Debug)]
pub struct Gone {
    who: Who,
    hexes: Vec<Hex>,
    off: bool,
}

struct March {
    side: Side,
    season: Season,
}

impl March {
    /// Returns the pieces that can move now.
    fn movers(&self, g: &State) -> Vec<Who> {
        let fight = g.battle();
        let here = |stand: Stand| match stand {
            Stand::On(_) => true,
            Stand::Waiting(round) => round <= fight.round,
            _ => false,
        };
        let units = (0..fight.pieces.len()).filter(|&i| {
            let p = &fight.pieces[i];
            here(p.stand) && !p.used && g.side_of(p.unit) == self.side && g.unit(p.unit).condition != Condition::Routed
        });
        let heads = (0..fight.heads.len()).filter(|&h| {
            let head = &fight.heads[h];
            here(head.stand) && head.left.is_none() && g.c[head.leader].side == self.side
        });
        units.map(Who::Unit).chain(heads.map(Who::Leader)).collect()
    }
    fn name(g: &State, who: Who) -> String {
        match who {
            Who::Unit(i) => g.battle().pieces[i].label.clone(),
            Who::Leader(h) => g.c[g.battle().heads[h].leader].name.clone(),
        }
    }
    fn stand(g: &State, who: Who) -> Stand {
        match who {
            Who::Unit(i) => g.battle().pieces[i].stand,
            Who::Leader(h) => g.battle().heads[h].stand,
        }
    }
    /// Returns the end of the trail nearest to letter C (16.1.1).
    fn trail_end(g: &State) -> Option<Hex> {
        let field = g.field();
        let letter = field.letters.iter().find(|(letter, _)| *letter == 'C').map(|&(_, hex)| hex);
        let ends = [field.trail.first(), field.trail.last()].into_iter().flatten().copied();
        ends.min_by_key(|&hex| letter.map_or(0, |c| field.grid.distance(hex, c)))
    }
    /// Returns the hexes where reinforcements may enter: the end of the trail, or the nearest edge
    /// hexes without an enemy (10.4).
    fn entries(&self, g: &State) -> Vec<Hex> {
        let (field, Some(end)) = (g.field(), March::trail_end(g)) else { return Vec::new() };
        let free = |hex: &Hex| field.grid.on_edge(*hex) && !g.holds(*hex, self.side.enemy());
        let far = |hex: Hex| field.grid.distance(hex, end);
        let nearest = field.grid.hexes().filter(free).map(far).min();
        field.grid.hexes().filter(free).filter(|&hex| Some(far(hex)) == nearest).collect()
    }
    /// Returns the cost of entering the board at a hex.
    fn entering(&self, g: &State, walker: Walker, hex: Hex) -> u16 {
        let field = g.field();
        let full = g.in_hex(hex).count() >= g.hex_limit(hex);
        let on_trail = !full && (field.trail.first() == Some(&hex) || field.trail.last() == Some(&hex));
        let near = field
            .grid
            .neighbours(hex)
            .find(|&near| !field.stream.between(&field.grid, near, hex) && !field.on_trail(near, hex));
        let plain = near.and_then(|near| cost(g, walker, near, hex)).map_or(1, |step| step.cost);
        if on_trail { plain.min(if g.severe { 2 } else { 1 }) } else { plain }
    }
    /// Returns the MPs with which a piece moves on from its first hex: none if it enters the board
    /// next to an enemy (10.4).
    fn left(&self, g: &State, (start, enters): (Hex, bool), mps: u16) -> u16 {
        if enters && g.threatened(start, self.side, true) { 0 } else { mps }
    }
    /// Returns all paths that options list for a piece: one to every hex in reach, and one off the
    /// board from the edge.
    fn paths(&self, g: &State, who: Who) -> Vec<Path> {
        self.starts(g, who).into_iter().flat_map(|start| self.paths_from(g, who, start)).collect()
    }
    fn paths_from(&self, g: &State, who: Who, (start, spent, waits): (Hex, u16, bool)) -> Vec<Path> {
        let walker = walker(g, who, self.season);
        let grid = &g.field().grid;
        let name = March::name(g, who);
        let path = |mut way: Vec<String>| {
            if way.is_empty() {
                way.push(grid.id(start));
            }
            Path { who: name.clone(), way }
        };
        let left = self.left(g, (start, waits), walker.mps.saturating_sub(spent));
        let step = |from: Hex, to: Hex| cost(g, walker, from, to);
        let reach = if waits { grid.reach(start, left, step) } else { grid.reach_at_least_one(start, left, step) };
        let ids = |to: Hex| reach.way(to).unwrap_or_default().into_iter().map(|hex| grid.id(hex)).collect::<Vec<_>>();
        let mut paths: Vec<Path> = Vec::new();
        if waits {
            paths.push(path(vec![grid.id(start)]));
        }
        paths.extend(reach.each().map(|(to, _)| path(ids(to))));
        if !waits && grid.on_edge(start) {
            paths.push(path(vec![grid.id(start), "off".to_owned()]));
        }
        paths
    }
    /// Returns `true` if any piece can move.
    fn goes(&self, g: &State) -> bool {
        let (grid, season) = (&g.field().grid, self.season);
        self.movers(g).into_iter().any(|who| match March::stand(g, who) {
            Stand::On(hex) => {
                let walker = walker(g, who, season);
                grid.on_edge(hex) || grid.neighbours(hex).any(|to| cost(g, walker, hex, to).is_some())
            }
            _ => !self.entries(g).is_empty(),
        })
    }
    /// Returns the hexes where a move may begin, each with the MPs spent to enter the board, and
    /// `true` if the piece was waiting off the board.
    fn starts(&self, g: &State, who: Who) -> Vec<(Hex, u16, bool)> {
        match March::stand(g, who) {
            Stand::On(hex) => vec![(hex, 0, false)],
            _ => {
                let enter = |hex| (hex, self.entering(g, walker(g, who, self.season), hex), true);
                self.entries(g).into_iter().map(enter).collect()
            }
        }
    }
    fn check(&self, g: &State, path: &Path) -> Result<Gone, Refusal> {
        let known = self.movers(g).into_iter().find(|&who| March::name(g, who) == path.who);
        let Some((who, starts)) = known.map(|who| (who, self.starts(g, who))).filter(|(_, starts)| !starts.is_empty())
        else {
            return refuse("10.4", format!("{} cannot move now.", path.who));
        };
        let walker = walker(g, who, self.season);
        let grid = &g.field().grid;
        let (off, ids) = match path.way.split_last() {
            Some((last, rest)) if last == "off" => (true, rest),
            _ => (false, &path.way[..]),
        };
        let hexes: Option<Vec<Hex>> = ids.iter().map(|id| grid.hex(id)).collect();
        let Some(hexes) = hexes.filter(|hexes| !hexes.is_empty()) else {
            return refuse("10.4", "A way is hexes of the board, from where the unit stands.");
        };
        let Some(&(start, spent, waits)) = starts.iter().find(|start| start.0 == hexes[0]) else {
            let ids: Vec<String> = starts.iter().map(|start| grid.id(start.0)).collect();
            return refuse("10.4", format!("{} begins at {}.", path.who, list_or(&ids)));
        };
        let left = self.left(g, (start, waits), walker.mps.saturating_sub(spent));
        let walk = grid.walk(&hexes, left, !waits, |from, to| cost(g, walker, from, to));
        if walk.steps + 1 != hexes.len() {
            let at = grid.id(hexes[walk.steps]);
            let why =
                if walk.ended || left == 0 { "movement ends there" } else { "no step leads on, or it costs too much" };
            return refuse("10.4", format!("{} comes as far as {at}: {why}.", path.who));
        }
        let edge = hexes.last().is_some_and(|&hex| grid.on_edge(hex));
        if off && (!edge || walk.ended || walk.cost >= left || waits) {
            return refuse("10.4", "A unit leaves from a hex at the edge, for 1 MP.");
        }
        if hexes.len() == 1 && !off && !waits {
            return refuse("10.4", "Who stays needs no way.");
        }
        Ok(Gone { who, hexes, off })
    }
    /// Returns `true` if a path increases the excess of units in the hex where it ends (10.4.1).
    fn crowds(&self, g: &State, path: &Path) -> bool {
        let Ok(gone) = self.check(g, path) else { return false };
        let Some(&end) = gone.hexes.last() else { return false };
        let mut after = g.clone();
        March::go(&mut after, &gone);
        too_many(&after, end) > too_many(g, end)
    }
    /// Returns the entry of a piece that is due and may not be withheld: no enemy holds the end of the
    /// trail, and there is room (10.4, 16.1.1).
    fn comes(&self, g: &State) -> Option<Gone> {
        let end = March::trail_end(g).filter(|&end| self.entries(g) == [end])?;
        let waits = |who: &Who| matches!(March::stand(g, *who), Stand::Waiting(_));
        let path = |who| Path { who: March::name(g, who), way: vec![g.field().grid.id(end)] };
        let paths = self.movers(g).into_iter().filter(waits).map(path);
        paths.filter(|path| !self.crowds(g, path)).find_map(|path| self.check(g, &path).ok())
    }
    fn go(g: &mut State, gone: &Gone) {
        let stand = match gone.hexes.last() {
            Some(&hex) if !gone.off => Stand::On(hex),
            _ => Stand::Off,
        };
        match gone.who {
            Who::Unit(i) => {
                let piece = &mut g.battle_mut().pieces[i];
                (piece.stand, piece.used) = (stand, true);
            }
            Who::Leader(h) => {
                let head = &mut g.battle_mut().heads[h];
                (head.left, head.stand) = (Some(head.stand), stand);
            }
        }
    }
}

impl Prompt<BloodyGround> for March {
    type Answer = Option<Vec<Gone>>;
    fn kind(&self) -> Ask {
        Ask::BattleMove
    }
    fn accept(&self, g: &State, _: Seat, order: &Order) -> Result<Self::Answer, Refusal> {
        match order {
            Order::Pass {} => Ok(None),
            Order::March { ways } if ways.len() == 1 => Ok(Some(vec![self.check(g, &ways[0])?])),
            Order::March { ways } => {
                // Each path is checked from the position after the paths before it.
                let mut after = g.clone();
                let mut all = Vec::new();
                for path in ways {
                    let gone = self.check(&after, path)?;
                    March::go(&mut after, &gone);
                    all.push(gone);
                }
                if all.is_empty() { refuse("10.4", "Name a unit and its way, or done.") } else { Ok(Some(all)) }
            }
            _ => refuse("10.4", "Here units move on the board."),
        }
    }
    fn describe(&self, g: &State, _: Seat) -> Description {
        let movers = self.movers(g).into_iter().map(|who| {
            let at = match March::stand(g, who) {
                Stand::On(hex) => g.field().grid.id(hex),
                _ => "not on the board".to_owned(),
            };
            format!("{} ({at}, {})", March::name(g, who), walker(g, who, self.season).mps)
        });
        Description::new("How your units move", "10.4")
            .line(format!("Who can still move, where, and MPs: {}.", movers.collect::<Vec<_>>().join(", ")))
            .line("Several ways may stand in one order, parted by commas; `done` ends your movement.")
            .few(6)
    }
    fn read(&self, g: &State, _: Seat, said: &Phrase) -> Result<Order, Misread> {
        words::march(g).whole(said)
    }
    fn say(&self, g: &State, _: Seat, order: &Order) -> Option<String> {
        words::march(g).say(order)
    }
    fn options(&self, g: &State, _: Seat) -> Vec<Choice<Order>> {
        let grammar = words::march(g);
        // For each unit, the path that ends nearest to an enemy comes first; paths that end in a
        // full hex come last.
        let grid = &g.field().grid;
        let enemies: Vec<Hex> =
            g.on_board(self.side.enemy()).filter_map(|i| g.battle().pieces[i].stand.hex()).collect();
        let far = |path: &Path| {
            let end = path.way.last().and_then(|id| grid.hex(id));
            end.and_then(|hex| grid.nearest(hex, enemies.iter().copied())).unwrap_or(u16::MAX)
        };
        let (mut first, mut others, mut crowded) = (Vec::new(), Vec::new(), Vec::new());
        for who in self.movers(g) {
            let (full, mut paths): (Vec<_>, Vec<_>) =
                self.paths(g, who).into_iter().partition(|path| self.crowds(g, path));
            crowded.extend(full);
            if let Some((at, _)) = paths.iter().enumerate().min_by_key(|(_, path)| far(path)) {
                first.push(paths.remove(at));
            }
            others.extend(paths);
        }
        let march = |path| Choice::said(Order::March { ways: vec![path] }, &grammar);
        let crowded = crowded.into_iter().map(|path| march(path).note("one too many there"));
        let free = first.into_iter().chain(others).map(march);
        let over: usize = grid.hexes().filter(|&hex| g.holds(hex, self.side)).map(|hex| too_many(g, hex)).sum();
        let done = Choice::said(Order::Pass {}, &grammar);
        let done = if over > 0 { done.note(format!("eliminates {}", counted(over, "unit"))) } else { done };
        [done].into_iter().chain(free).chain(crowded).collect()
    }
    fn sample(&self, g: &State, _: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Order> {
        let movers = self.movers(g);
        if movers.is_empty() || below(4) == 0 {
            return Some(Order::Pass {});
        }
        let mut paths = self.paths(g, movers[below(movers.len() as u32) as usize]);
        if paths.is_empty() {
            return Some(Order::Pass {});
        }
        let at = below(paths.len() as u32) as usize;
        Some(Order::March { ways: vec![paths.swap_remove(at)] })
    }
    fn cautions(&self, g: &State, seat: Seat, order: &Order) -> Vec<String> {
        let Ok(ways) = self.accept(g, seat, order) else { return Vec::new() };
        let mut after = g.clone();
        ways.iter().flatten().for_each(|gone| March::go(&mut after, gone));
        let grid = &g.field().grid;
        let full = grid.hexes().filter(|&hex| after.holds(hex, self.side));
        let lost = full.map(|hex| (hex, too_many(&after, hex))).filter(|&(_, n)| n > 0);
        let told = lost.map(|(hex, n)| {
            let units = if n == 1 { "unit is" } else { "units are" };
            format!(
                "If it stays so, {n} {units} too many in {}, and eliminated at the end of the movement (10.4.1).",
                grid.id(hex)
            )
        });
        told.collect()
    }
    fn dangers(&self, g: &State, seat: Seat, order: &Order) -> Vec<String> {
        // During the impulse the player can still make room, so only `done` causes a caution about
        // stacking.
        if matches!(order, Order::Pass {}) { self.cautions(g, seat, order) } else { Vec::new() }
    }
    fn facts(&self, g: &State, _: Seat, _: Option<&Order>) -> Vec<Fact> {
        facts::battle(g, self.side)
    }
    fn at_deadline(&self, _: &State, _: Seat) -> Option<Order> {
        Some(Order::Pass {})
    }
}

/// Runs a Movement Impulse of a side: pieces move one by one, those who are due enter at the latest
/// at its end (16.1.1), and stacking is checked then (10.4, 10.4.1).
pub async fn impulse(t: &T, g: &mut State, side: Side, season: Season) {
    g.battle_mut().pieces.iter_mut().for_each(|piece| piece.used = false);
    g.battle_mut().heads.iter_mut().for_each(|head| head.left = None);
    let mut walked = false;
    loop {
        let march = March { side, season };
        if !march.goes(g) {
            break;
        }
        let Some(all) = t.ask(g, g.seat(side), march).await else { break };
        for gone in all {
            march_on(t, g, &gone);
            walked |= gone.off && matches!(gone.who, Who::Unit(_));
        }
    }
    while let Some(gone) = (March { side, season }).comes(g) {
        march_on(t, g, &gone);
    }
    alone::lone_leaders(t, g, &[]).await;
    let left = |g: &State| g.on_board(side).next().is_none();
    let coming = g.battle().pieces.iter().any(|p| matches!(p.stand, Stand::Waiting(_)) && g.side_of(p.unit) == side);
    if walked && left(g) && !coming {
        g.battle_mut().walked[side.index()] = true;
    }
    stacking(t, g, side).await;
}

/// Moves a piece along its path and reports it.
fn march_on(t: &T, g: &mut State, gone: &Gone) {
    March::go(g, gone);
    t.tell(|| {
        let way = g.field().grid.said(&gone.hexes);
        format!("{}: {way}{}.", March::name(g, gone.who), if gone.off { " and off the board" } else { "" })
    });
}

/// Returns the number of units in a hex that must be eliminated (10.4.1).
fn too_many(g: &State, hex: Hex) -> usize {
    let kinds: Vec<_> = g.in_hex(hex).map(|i| g.unit(g.battle().pieces[i].unit).kind).collect();
    let leaders = g.heads_in(hex).map(|h| g.battle().heads[h].leader);
    super::too_many(g, &kinds, leaders, g.hex_limit(hex))
}

/// Asks the owner which excess units in each hex to eliminate (10.4.1).
async fn stacking(t: &T, g: &mut State, side: Side) {
    for hex in g.field().grid.clone().hexes() {
        while g.holds(hex, side) && too_many(g, hex) > 0 {
            let units = super::unlike(g, &g.in_hex(hex).collect::<Vec<_>>());
            let among = units.into_iter().map(|i| Named::new(g.battle().pieces[i].label.clone(), i)).collect();
            let asking =
                Asking { kind: Ask::BattleStack, rule: "10.4.1", title: "Which unit of a stack is eliminated" };
            let id = g.field().grid.id(hex);
            let i = doctrine::choose_unit(t, g, side, asking, among, format!("Too many stand in {id}.")).await;
            t.tell(|| format!("{} is too many in its hex, and eliminated.", g.battle().pieces[i].label));
            g.slay(i);
        }
    }
}
