//! The battle boards (10, 16): rounds of recovery, movement, fire and melee.

mod after;
mod alone;
mod doctrine;
mod fire;
pub mod march;
mod melee;
mod rally;
mod retreat;
pub mod set_up;
mod view;
mod words;

pub use self::{
    after::third,
    alone::leader_losses,
    fire::{hits, modifiers, power, sees},
    melee::{Odds, odds},
};
use super::{
    Ask, Order, State, T,
    components::{AreaId, Battlefield, Class, Ground, LeaderId, Post, Season, Side, Terrain},
    leaders,
    state::UnitId,
};
use postrider_orders::Grammar;
use postrider_table::{
    hex::Hex,
    status::{Condition, LevelCheck},
};
use std::collections::BTreeSet;

/// The grammar of the orders of a question.
pub type Words = for<'g> fn(&'g State) -> Grammar<'g, Order>;

/// The orders of a battle that name pieces and what they do.
pub const GRAMMARS: [(Ask, Words); 4] = [
    (Ask::BattleMove, words::march),
    (Ask::BattleFire, words::fire),
    (Ask::BattleMelee, words::melee),
    (Ask::BattleRally, words::rally),
];

/// A position in which all counters of the game meet in the battle, those that are not in it off the board: by it orders are read before
/// they are set up.
pub fn imagined(g: &State) -> State {
    let mut all = g.clone();
    let fight = all.fight.get_or_insert_with(|| set_up::empty(Terrain::default(), None, Side::Us, false));
    let units: Vec<UnitId> = g.unit_ids().filter(|&u| !fight.pieces.iter().any(|piece| piece.unit == u)).collect();
    let others: Vec<LeaderId> =
        g.c.leader_ids().filter(|&l| !fight.heads.iter().any(|head| head.leader == l)).collect();
    let pieces = set_up::pieces(&all, &units, Stand::Off);
    let head = |leader: LeaderId| Head { leader, stand: Stand::Off, moved: false, endangered: false };
    let fight = all.battle_mut();
    fight.pieces.extend(pieces);
    fight.heads.extend(others.into_iter().map(head));
    all
}

/// The hexes of the boards by their ids.
pub fn hexes(g: &State) -> Vec<String> {
    let ids = g.charts.boards.iter().flat_map(|board| board.grid.hexes().map(|hex| board.grid.id(hex)));
    ids.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The words by which a unit can be chosen that is lost: its name, its kind or its state.
pub fn unit_words(g: &State) -> BTreeSet<String> {
    let kinds = g.c.kind_ids().map(|kind| g.c[kind].id.clone());
    let names = g.c.kind_ids().flat_map(|kind| (1..=g.c[kind].count).map(move |n| format!("{} {n}", g.c[kind].id)));
    kinds.chain(names).chain(doctrine::UNIT_WORDS.map(str::to_owned)).collect()
}

/// The words by which the way of a unit or the place of a leader can be chosen.
pub fn way_words(g: &State) -> BTreeSet<String> {
    hexes(g).into_iter().chain(doctrine::WAY_WORDS.map(str::to_owned)).collect()
}

/// 10.1: rounds, at most.
const ROUNDS: u8 = 10;

/// Where a piece of a battle is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stand {
    /// Comes in this round, or a later one.
    Waiting(u8),
    On(Hex),
    /// Left the board, and comes back when the battle is over (10.7).
    Off,
    Dead,
}

impl Stand {
    pub fn hex(self) -> Option<Hex> {
        match self {
            Stand::On(hex) => Some(hex),
            _ => None,
        }
    }
}

/// A combat unit in a battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    pub unit: UnitId,
    /// `Shawnee 3`.
    pub label: String,
    pub stand: Stand,
    /// It has moved, fired or attacked in this impulse.
    pub used: bool,
}

/// A leader in a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    pub leader: LeaderId,
    pub stand: Stand,
    pub moved: bool,
    /// In a hex that was hit in this impulse (10.5.3).
    pub endangered: bool,
}

/// A battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fight {
    pub board: Terrain,
    /// Where on the map; none in the scenarios of Module 16.
    pub area: Option<AreaId>,
    pub round: u8,
    /// Who moves first (10.2).
    pub first: Side,
    pub surprise: bool,
    /// The primary leaders of the forces (10.7.1).
    pub primary: [Option<LeaderId>; 2],
    /// Units at the start, and those eliminated.
    pub start: [u8; 2],
    pub lost: [u8; 2],
    /// The primary leader fell.
    pub headless: [bool; 2],
    /// The last unit on the board left it by movement (10.4).
    pub walked: [bool; 2],
    pub pieces: Vec<Piece>,
    pub heads: Vec<Head>,
    /// Hexes attacked in this impulse (10.6).
    pub attacked: Vec<Hex>,
}

impl State {
    /// The battle that is fought. Only the rules of battles ask for it.
    pub fn battle(&self) -> &Fight {
        self.fight.as_ref().unwrap_or_else(|| unreachable!("the rules of battles run in a battle"))
    }
    pub fn battle_mut(&mut self) -> &mut Fight {
        self.fight.as_mut().unwrap_or_else(|| unreachable!("the rules of battles run in a battle"))
    }
    /// Its board.
    pub fn field(&self) -> &Battlefield {
        self.charts.board(self.battle().board)
    }
    /// Units of a side on the board, by their place in the list.
    pub fn on_board(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        let pieces = self.battle().pieces.iter().enumerate();
        pieces.filter(move |(_, p)| p.stand.hex().is_some() && self.side_of(p.unit) == side).map(|(i, _)| i)
    }
    /// Units in a hex.
    pub fn in_hex(&self, hex: Hex) -> impl Iterator<Item = usize> + '_ {
        let pieces = self.battle().pieces.iter().enumerate();
        pieces.filter(move |(_, p)| p.stand == Stand::On(hex)).map(|(i, _)| i)
    }
    /// Leaders in a hex, by their place in the list.
    pub fn heads_in(&self, hex: Hex) -> impl Iterator<Item = usize> + '_ {
        let heads = self.battle().heads.iter().enumerate();
        heads.filter(move |(_, h)| h.stand == Stand::On(hex)).map(|(i, _)| i)
    }
    /// `true` if a side has a unit in a hex.
    pub fn holds(&self, hex: Hex, side: Side) -> bool {
        self.in_hex(hex).any(|i| self.side_of(self.battle().pieces[i].unit) == side)
    }
    /// `true` if an enemy unit, if `sound` one that is not Routed, is beside a hex.
    pub fn threatened(&self, hex: Hex, side: Side, sound: bool) -> bool {
        self.field().grid.neighbours(hex).any(|near| {
            self.in_hex(near).any(|i| {
                let unit = self.battle().pieces[i].unit;
                self.side_of(unit) != side && (!sound || self.unit(unit).condition != Condition::Routed)
            })
        })
    }
    /// The check of a unit of the battle, with a leader stacked with it who can rally it.
    pub fn battle_check(&self, i: usize) -> LevelCheck {
        let piece = &self.battle().pieces[i];
        let Some(hex) = piece.stand.hex() else { return LevelCheck::new(self.level(piece.unit)) };
        let heads: Vec<LeaderId> = self.heads_in(hex).map(|h| self.battle().heads[h].leader).collect();
        let best = heads.into_iter().filter(|&l| self.leads(l, piece.unit)).max_by_key(|&l| self.battle_rating(l));
        match best {
            Some(l) => LevelCheck::new(self.level(piece.unit)).with(self.c[l].name.clone(), -self.battle_rating(l)),
            None => LevelCheck::new(self.level(piece.unit)),
        }
    }
    /// The check of a unit that retreats or runs, in which no leader helps (10.4, T:mcrt-results).
    pub fn check_alone(&self, i: usize) -> LevelCheck {
        LevelCheck::new(self.level(self.battle().pieces[i].unit))
    }
    /// The rating of a leader on the board: Tecumseh in his hex adds 1 (14.0.3).
    pub fn battle_rating(&self, l: LeaderId) -> i32 {
        let tecumseh = self.named("Tecumseh");
        let heads = &self.battle().heads;
        let at = |l: LeaderId| heads.iter().find(|head| head.leader == l).and_then(|head| head.stand.hex());
        let with = l != tecumseh && self.c[l].side == Side::Na && at(l).is_some() && at(l) == at(tecumseh);
        i32::from(self.c[l].command) + i32::from(with)
    }
    /// 10.4.1: units that may stand in a hex.
    pub fn hex_limit(&self, hex: Hex) -> usize {
        if self.field().ground[hex] == Ground::Woods { 2 } else { 3 }
    }
    /// A unit of the battle is eliminated.
    pub fn slay(&mut self, i: usize) {
        let unit = self.battle().pieces[i].unit;
        let side = self.side_of(unit);
        let fight = self.battle_mut();
        fight.pieces[i].stand = Stand::Dead;
        fight.lost[side.index()] += 1;
        if fight.area.is_some() {
            self.eliminate(unit);
            return;
        }
        // 16.1.3, 16.3.3.
        let nation = self.nation_of(unit).map(|n| self.c[n].name.clone()).unwrap_or_default();
        let timbers = self.c.scenarios[self.scenario].id == "fallen-timbers";
        let dear = timbers && matches!(&*nation, "Delaware" | "Wyandot" | "Iroquois" | "Ottawa");
        let vps = if self.class(unit) == Class::Regular || dear { 2 } else { 1 };
        self.remove(unit, super::state::Spot::Gone);
        self.score(side.enemy(), vps);
    }
}

/// Of like units in like state and in one hex the first: they differ in nothing but their names.
pub fn unlike(g: &State, units: &[usize]) -> Vec<usize> {
    let like = |i: usize| {
        let piece = &g.battle().pieces[i];
        (g.unit(piece.unit).kind, g.unit(piece.unit).condition, g.unit(piece.unit).rifle, piece.stand.hex())
    };
    let mut kinds: Vec<usize> = Vec::new();
    for &i in units {
        if !kinds.iter().any(|&known| like(known) == like(i)) {
            kinds.push(i);
        }
    }
    kinds
}

/// A leader of the battle falls (10.5.3, 10.6.2); his replacement joins units of his in the battle, or on the map.
pub async fn fall(t: &T, g: &mut State, h: usize) {
    let l = g.battle().heads[h].leader;
    let side = g.c[l].side;
    // 8.5.3: Dorchester scores, but he is not eliminated.
    let dorchester = g.c[l].kind == Post::British;
    if g.battle().primary[side.index()] == Some(l) && !dorchester {
        g.battle_mut().headless[side.index()] = true;
    }
    if g.battle().area.is_none() {
        // 16.1.3, 16.3.3: his rank, and in Fallen Timbers 5 for Tecumseh and McKee.
        let dear = g.c.scenarios[g.scenario].id == "fallen-timbers" && matches!(&*g.c[l].name, "Tecumseh" | "McKee");
        let vps = i32::from(g.c[l].rank) + if dear { 5 } else { 0 };
        g.score(side.enemy(), vps);
        t.tell(|| format!("{} is eliminated: {}.", g.c[l].name, postrider_table::vps(vps)));
        if g.c[l].replacement {
            return;
        }
        g.battle_mut().heads[h].stand = Stand::Dead;
        let leader = &g.c[l];
        let same = |o: &LeaderId| {
            let other = &g.c[*o];
            let free = !g.battle().heads.iter().any(|head| head.leader == *o);
            other.replacement
                && free
                && other.kind == leader.kind
                && other.nation == leader.nation
                && other.state == leader.state
                && (leader.kind != Post::Regular || other.rank == leader.rank)
        };
        let next = g.c.leader_ids().find(same).filter(|_| leader.kind != Post::Agent && leader.kind != Post::British);
        if let Some(next) = next {
            alone::join(t, g, next).await;
        }
        return;
    }
    let area = g.battle().area;
    if g.c[l].replacement {
        // 10.5.3: his counter stays where it is.
        let (spot, primary) = (g.chief(l).spot, g.primary);
        leaders::fall(t, g, l);
        (g.chief_mut(l).spot, g.primary) = (spot, primary);
        return;
    }
    let next = leaders::fall(t, g, l);
    if !dorchester {
        g.battle_mut().heads[h].stand = Stand::Dead;
    }
    let Some(next) = next else { return };
    if alone::join(t, g, next).await {
        if let Some(a) = area {
            g.chief_mut(next).spot = super::state::Spot::On(a);
        }
    } else {
        leaders::arrive(t, g, next, &[]).await;
    }
}

/// 10.0: a battle in an area of the map, and what follows for the map.
pub async fn at(t: &T, g: &mut State, a: AreaId) {
    let season = g.season;
    t.tell(|| format!("Battle at {}.", g.name(a)));
    set_up::strategic(t, g, a).await;
    rounds(t, g, season).await;
    after::settle(t, g, a).await;
    g.fight = None;
}

/// 16: a battle scenario.
pub async fn scenario(t: &T, g: &mut State) {
    set_up::scenario(t, g).await;
    let season = g.season;
    rounds(t, g, season).await;
    for side in Side::ALL {
        let sound = g.on_board(side.enemy()).any(|i| g.unit(g.battle().pieces[i].unit).condition != Condition::Routed);
        if !sound {
            g.score(side, 5);
            t.tell(|| format!("No un-routed enemy is left: {} +5 VPs.", side.name()));
        }
    }
}

/// 10.1: up to ten rounds.
async fn rounds(t: &T, g: &mut State, season: Season) {
    let label = |g: &State| match g.battle().area {
        Some(a) => format!("Battle at {}, round {}", g.name(a), g.battle().round),
        None => format!("Round {}", g.battle().round),
    };
    for round in 1..=ROUNDS {
        g.battle_mut().round = round;
        let turn = g.turn;
        t.round(g, turn, 10 + u32::from(round), &label(g));
        let first = g.battle().first;
        let surprised = g.battle().surprise && round == 1;
        for side in [first, first.enemy()] {
            let caught = surprised && side != first;
            rally::impulse(t, g, side).await;
            if !caught {
                march::impulse(t, g, side, season).await;
            }
            // 10.2a: who is surprised fires no defence either.
            if !(surprised && side == first) {
                fire::impulse(t, g, side.enemy(), season, true).await;
            }
            if !caught {
                fire::impulse(t, g, side, season, false).await;
                melee::impulse(t, g, side).await;
            }
            if over(g, true) {
                return;
            }
        }
        if over(g, false) {
            return;
        }
    }
}

/// 10.7: a side has left, or at the end of a round has no un-routed unit on the board.
fn over(g: &State, left: bool) -> bool {
    Side::ALL.into_iter().any(|side| {
        let coming =
            g.battle().pieces.iter().any(|p| matches!(p.stand, Stand::Waiting(_)) && g.side_of(p.unit) == side);
        let mut here = g.on_board(side);
        let none = if left {
            here.next().is_none()
        } else {
            !here.any(|i| g.unit(g.battle().pieces[i].unit).condition != Condition::Routed)
        };
        none && !coming
    })
}

/// What tests need of the parts of a round.
#[cfg(test)]
pub use self::for_tests::*;

#[cfg(test)]
mod for_tests {
    pub use super::{march::cheapest, rally::run};

    use super::*;

    pub fn walker_of(side: Side, regular: bool, warrior: bool, mps: u16, season: Season) -> march::Walker {
        march::Walker { side, regular, warrior, mps, season }
    }
    pub async fn fire_for_tests(t: &T, g: &mut State, side: Side) {
        let season = g.season;
        fire::impulse(t, g, side, season, false).await;
    }
    pub fn shots_for_tests(g: &State, side: Side, season: Season) -> usize {
        fire::shots(g, side, season)
    }
    pub fn said_for_tests(g: &State, order: &super::super::Order) -> Option<String> {
        words::fire(g).say(order)
    }
    pub async fn march_for_tests(t: &T, g: &mut State, side: Side) {
        let season = g.season;
        march::impulse(t, g, side, season).await;
    }
    pub async fn rally_for_tests(t: &T, g: &mut State, side: Side) {
        rally::impulse(t, g, side).await;
    }
    pub async fn melee_for_tests(t: &T, g: &mut State, side: Side) {
        melee::impulse(t, g, side).await;
    }
    pub async fn settle_for_tests(t: &T, g: &mut State, a: AreaId) {
        after::settle(t, g, a).await;
    }
    pub async fn scenario_for_tests(t: &T, g: &mut State) {
        set_up::scenario(t, g).await;
    }
}
