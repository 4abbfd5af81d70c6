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
    components::{AreaId, Battlefield, Class, Ground, KindId, LeaderId, Post, Season, Side, Terrain},
    leaders,
    state::{Chief, Spot, UnitId},
};
use postrider_orders::Grammar;
use postrider_table::{
    hex::Hex,
    status::{Condition, LevelCheck, excess},
};
use std::collections::BTreeSet;

/// A function that returns the grammar of a question's orders.
pub type Words = for<'g> fn(&'g State) -> Grammar<'g, Order>;

/// The questions whose orders name pieces and actions, with their grammars.
pub const GRAMMARS: [(Ask, Words); 4] = [
    (Ask::BattleMove, words::march),
    (Ask::BattleFire, words::fire),
    (Ask::BattleMelee, words::melee),
    (Ask::BattleRally, words::rally),
];

/// Returns a position in which every counter of the game takes part in the battle; those not in the
/// real one are off the board. It is used to read orders in advance.
pub fn imagined(g: &State) -> State {
    let mut all = g.clone();
    let fight = all.fight.get_or_insert_with(|| set_up::empty(Terrain::default(), None, Side::Us, false));
    let units: Vec<UnitId> = g.unit_ids().filter(|&u| !fight.pieces.iter().any(|piece| piece.unit == u)).collect();
    let others: Vec<LeaderId> =
        g.c.leader_ids().filter(|&l| !fight.heads.iter().any(|head| head.leader == l)).collect();
    let pieces = set_up::pieces(&all, &units, Stand::Off);
    let head = |leader: LeaderId| Head { leader, stand: Stand::Off, left: None, endangered: false };
    let fight = all.battle_mut();
    fight.pieces.extend(pieces);
    fight.heads.extend(others.into_iter().map(head));
    all
}

/// Returns the ids of all hexes of the boards.
pub fn hexes(g: &State) -> Vec<String> {
    let ids = g.charts.boards.iter().flat_map(|board| board.grid.hexes().map(|hex| board.grid.id(hex)));
    ids.collect::<BTreeSet<String>>().into_iter().collect()
}

/// Returns the words that can name a unit to lose: its name, kind or state.
pub fn unit_words(g: &State) -> BTreeSet<String> {
    let kinds = g.c.kind_ids().map(|kind| g.c[kind].id.clone());
    let names = g.c.kind_ids().flat_map(|kind| (1..=g.c[kind].count).map(move |n| format!("{} {n}", g.c[kind].id)));
    let words = kinds.chain(doctrine::UNIT_WORDS.map(str::to_owned));
    words.flat_map(|word| [format!("any {word}"), word]).chain(names).chain(["any".to_owned()]).collect()
}

/// Returns the words that can name a unit's path or a leader's destination.
pub fn way_words(g: &State) -> BTreeSet<String> {
    hexes(g).into_iter().chain(doctrine::WAY_WORDS.map(str::to_owned)).collect()
}

/// Maximum number of rounds in a battle (10.1).
const ROUNDS: u8 = 10;

/// The place of a piece in a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stand {
    /// Enters in this round or later.
    Waiting(u8),
    On(Hex),
    /// Has left the board, and returns when the battle is over (10.7).
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
    /// Its name, for example `Shawnee 3`.
    pub label: String,
    pub stand: Stand,
    /// `true` if it has moved, fired or attacked in this impulse.
    pub used: bool,
}

/// A leader in a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    pub leader: LeaderId,
    pub stand: Stand,
    /// The place where he began this impulse, once he has moved.
    pub left: Option<Stand>,
    /// `true` if his hex was hit in this impulse (10.5.3).
    pub endangered: bool,
}

/// The state of a battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fight {
    pub board: Terrain,
    /// The area on the map; `None` in the scenarios of Module 16.
    pub area: Option<AreaId>,
    pub round: u8,
    /// The side that moves first (10.2).
    pub first: Side,
    pub surprise: bool,
    /// The primary leaders of the forces (10.7.1).
    pub primary: [Option<LeaderId>; 2],
    /// Number of units of each side at the start; `lost` counts those eliminated.
    pub start: [u8; 2],
    pub lost: [u8; 2],
    /// `true` for a side whose primary leader fell.
    pub headless: [bool; 2],
    /// `true` for a side whose last unit on the board left it by movement (10.4).
    pub walked: [bool; 2],
    pub pieces: Vec<Piece>,
    pub heads: Vec<Head>,
    /// Hexes attacked in this impulse (10.6).
    pub attacked: Vec<Hex>,
}

impl State {
    /// Returns the current battle.
    ///
    /// # Panics
    /// Panics if there is none; only the rules of battles may call this.
    pub fn battle(&self) -> &Fight {
        self.fight.as_ref().unwrap_or_else(|| unreachable!("the rules of battles run in a battle"))
    }
    pub fn battle_mut(&mut self) -> &mut Fight {
        self.fight.as_mut().unwrap_or_else(|| unreachable!("the rules of battles run in a battle"))
    }
    /// Returns the battle's board.
    pub fn field(&self) -> &Battlefield {
        self.charts.board(self.battle().board)
    }
    /// Returns the indices of a side's units on the board.
    pub fn on_board(&self, side: Side) -> impl Iterator<Item = usize> + '_ {
        let pieces = self.battle().pieces.iter().enumerate();
        pieces.filter(move |(_, p)| p.stand.hex().is_some() && self.side_of(p.unit) == side).map(|(i, _)| i)
    }
    /// Returns the indices of the units in a hex.
    pub fn in_hex(&self, hex: Hex) -> impl Iterator<Item = usize> + '_ {
        let pieces = self.battle().pieces.iter().enumerate();
        pieces.filter(move |(_, p)| p.stand == Stand::On(hex)).map(|(i, _)| i)
    }
    /// Returns the indices of the leaders in a hex.
    pub fn heads_in(&self, hex: Hex) -> impl Iterator<Item = usize> + '_ {
        let heads = self.battle().heads.iter().enumerate();
        heads.filter(move |(_, h)| h.stand == Stand::On(hex)).map(|(i, _)| i)
    }
    /// Returns `true` if a side has a unit in a hex.
    pub fn holds(&self, hex: Hex, side: Side) -> bool {
        self.in_hex(hex).any(|i| self.side_of(self.battle().pieces[i].unit) == side)
    }
    /// Returns `true` if an enemy unit is adjacent to a hex. With `sound`, Routed enemies do not
    /// count.
    pub fn threatened(&self, hex: Hex, side: Side, sound: bool) -> bool {
        self.field().grid.neighbours(hex).any(|near| {
            self.in_hex(near).any(|i| {
                let unit = self.battle().pieces[i].unit;
                self.side_of(unit) != side && (!sound || self.unit(unit).condition != Condition::Routed)
            })
        })
    }
    /// Returns the level check of a unit in the battle, with the best leader in its hex who can
    /// rally it.
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
    /// Returns the level check of a unit that retreats or routs; leaders do not help with it (10.4,
    /// T:mcrt-results).
    pub fn check_alone(&self, i: usize) -> LevelCheck {
        LevelCheck::new(self.level(self.battle().pieces[i].unit))
    }
    /// Returns the rating of a leader on the board; Tecumseh adds 1 for the best leader of his side in
    /// his hex (14.0.3).
    pub fn battle_rating(&self, l: LeaderId) -> i32 {
        let (tecumseh, heads) = (self.named("Tecumseh"), &self.battle().heads);
        let he = heads.iter().find(|head| head.leader == tecumseh).and_then(|head| head.stand.hex());
        let own = heads.iter().filter(|head| head.leader != tecumseh && self.c[head.leader].side == Side::Na);
        let with = own.filter(|head| he.is_some() && head.stand.hex() == he).map(|head| head.leader);
        let best = with.max_by_key(|&l| self.c[l].command);
        i32::from(self.c[l].command) + i32::from(best == Some(l))
    }
    /// Returns the stacking limit of a hex in units (10.4.1).
    pub fn hex_limit(&self, hex: Hex) -> usize {
        if self.field().ground[hex] == Ground::Woods { 2 } else { 3 }
    }
    /// Eliminates a unit of the battle.
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
        // 16.1.3, 16.3.3: VPs in the battle scenarios.
        let nation = self.nation_of(unit).map(|n| self.c[n].name.clone()).unwrap_or_default();
        let timbers = self.c.scenarios[self.scenario].id == "fallen-timbers";
        let dear = timbers && matches!(&*nation, "Delaware" | "Wyandot" | "Iroquois" | "Ottawa");
        let (vps, rule) = match self.class(unit) {
            Class::Regular => (2, "16.1.3"),
            _ if dear => (2, "16.3.3"),
            _ => (1, "16.1.3"),
        };
        self.remove(unit, Spot::Gone);
        self.score(side.enemy(), vps, rule);
    }
}

/// Returns the number of units of these kinds that are too many for a hex: it holds warriors of one
/// nation unless Tecumseh or Girty is in it, and one warrior with British or Canadians (10.4.1).
fn too_many(g: &State, kinds: &[KindId], mut leaders: impl Iterator<Item = LeaderId>, limit: usize) -> usize {
    let mut nations: Vec<_> = kinds.iter().filter_map(|&kind| g.c[kind].nation).collect();
    let warriors = nations.len();
    nations.sort();
    nations.dedup();
    let british = kinds.iter().any(|&kind| g.c[kind].class.is_british());
    let unites = |l: LeaderId| matches!(&*g.c[l].name, "Tecumseh" | "Girty");
    let mixed = (british && warriors > 1) || (nations.len() > 1 && !leaders.any(unites));
    excess(kinds.len(), limit).max(usize::from(mixed))
}

/// Returns the first of each group of units that differ only in name: same kind, state, rifle and
/// hex.
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

/// Resolves the fall of a leader in the battle (10.5.3, 10.6.2). His replacement joins units of his
/// in the battle, or on the map.
pub async fn fall(t: &T, g: &mut State, h: usize) {
    let l = g.battle().heads[h].leader;
    let side = g.c[l].side;
    // 8.5.3: Dorchester scores VPs for the enemy, but he is not eliminated.
    let dorchester = g.c[l].kind == Post::British;
    if g.battle().primary[side.index()] == Some(l) && !dorchester {
        g.battle_mut().headless[side.index()] = true;
    }
    if g.battle().area.is_none() {
        // 16.1.3, 16.3.3: VPs equal to his rank, and in Fallen Timbers 5 more for Tecumseh or
        // McKee.
        let dear = g.c.scenarios[g.scenario].id == "fallen-timbers" && matches!(&*g.c[l].name, "Tecumseh" | "McKee");
        let vps = i32::from(g.c[l].rank) + if dear { 5 } else { 0 };
        g.score(side.enemy(), vps, if dear { "16.3.3" } else { "16.1.3" });
        t.tell(|| format!("{} is eliminated: {}.", g.c[l].name, postrider_table::vps(vps)));
        if g.c[l].replacement {
            return;
        }
        g.battle_mut().heads[h].stand = Stand::Dead;
        let free = |o: LeaderId| !g.battle().heads.iter().any(|head| head.leader == o);
        let next = g.c.leader_ids().find(|&o| leaders::replaces(g, o, l) && free(o));
        if let Some(next) = next {
            alone::join(t, g, next).await;
        }
        return;
    }
    let area = g.battle().area;
    if g.c[l].replacement {
        // 10.5.3: his counter stays in its place.
        let (chief, primary) = (*g.chief(l), g.primary);
        leaders::fall(t, g, l);
        (*g.chief_mut(l), g.primary) = (chief, primary);
        return;
    }
    let next = leaders::fall(t, g, l);
    if !dorchester {
        g.battle_mut().heads[h].stand = Stand::Dead;
    }
    if let Some(next) = next {
        if alone::join(t, g, next).await {
            if let Some(a) = area {
                *g.chief_mut(next) = Chief { spot: Spot::On(a), ..Chief::default() };
            }
        } else {
            leaders::arrive(t, g, next, &[]).await;
        }
    }
    leaders::native_primary(g);
}

/// Runs a battle in an area of the map, and its consequences there (10.0).
pub async fn at(t: &T, g: &mut State, a: AreaId) {
    let season = g.season;
    t.tell(|| format!("Battle at {}.", g.name(a)));
    set_up::strategic(t, g, a).await;
    rounds(t, g, season).await;
    after::settle(t, g, a).await;
    g.fight = None;
}

/// Runs a battle scenario (16).
pub async fn scenario(t: &T, g: &mut State) {
    set_up::scenario(t, g).await;
    let season = g.season;
    rounds(t, g, season).await;
    field_held(t, g);
}

/// 16.1.3: 5 VPs for a side that leaves no un-routed enemy on the board.
fn field_held(t: &T, g: &mut State) {
    for side in Side::ALL {
        let sound = g.on_board(side.enemy()).any(|i| g.unit(g.battle().pieces[i].unit).condition != Condition::Routed);
        if !sound {
            g.score(side, 5, "16.1.3");
            t.tell(|| format!("No un-routed enemy is left: {} +5 VPs.", side.name()));
        }
    }
}

/// Runs up to ten rounds (10.1).
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
            // 10.2a: the surprised side does not fire in its defensive impulse either.
            if !(surprised && side == first) {
                fire::impulse(t, g, side.enemy(), season, true).await;
            }
            if !caught {
                fire::impulse(t, g, side, season, false).await;
                melee::impulse(t, g, side).await;
            }
            // 10.7: only a piece that leaves the board by choice ends the round at once.
            if g.battle().walked.contains(&true) {
                return;
            }
        }
        if over(g) {
            return;
        }
    }
}

/// Returns `true` if a side has no un-routed unit on the board at the end of a round (10.7). A side
/// that still awaits reinforcements does not count.
fn over(g: &State) -> bool {
    Side::ALL.into_iter().any(|side| {
        let coming =
            g.battle().pieces.iter().any(|p| matches!(p.stand, Stand::Waiting(_)) && g.side_of(p.unit) == side);
        let sound = |i: usize| g.unit(g.battle().pieces[i].unit).condition != Condition::Routed;
        !coming && !g.on_board(side).any(sound)
    })
}

/// Items that tests use to run parts of a round.
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
    pub fn over_for_tests(g: &State) -> bool {
        super::over(g)
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
    pub async fn rounds_for_tests(t: &T, g: &mut State) {
        let season = g.season;
        rounds(t, g, season).await;
        field_held(t, g);
    }
    pub async fn scenario_for_tests(t: &T, g: &mut State) {
        set_up::scenario(t, g).await;
    }
}
