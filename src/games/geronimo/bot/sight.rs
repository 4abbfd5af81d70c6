//! The prices by which the bot compares its actions.

use super::on;
use crate::{
    State,
    components::{AreaId, VillageId},
    ratings::Troops,
    resources::ALLOTMENTS,
    restraint,
    state::Column,
    statehood::{no_state_yet, statehood_vps},
    survival::{at_half, earned, shares},
};
use postrider_table::Seat;

/// Value of a BP of a Village to its player, if the Village is far from being forced On
/// Reservation.
const BP: f64 = 0.3;
/// Cost of an extinction (6.66).
const EXTINCTION: f64 = 3.0;
/// Value of a VP taken from another player, relative to a VP earned, if there are several other
/// players.
const OTHERS: f64 = 0.3;
/// Value of a VP as a hint for attacks in the Solitaire Game, where VPs do not count (11.31).
const UNCOUNTED: f64 = 0.15;

/// A position as seen by one seat.
pub(super) struct Sight<'g> {
    pub g: &'g State,
    pub me: Seat,
}

impl<'g> Sight<'g> {
    pub fn new(g: &'g State, me: Seat) -> Self {
        Sight { g, me }
    }
    /// Returns the same position as seen by another seat.
    pub fn of_seat(&self, seat: Seat) -> Self {
        Sight { g: self.g, me: seat }
    }
    pub fn is_us(&self) -> bool {
        self.me == self.g.us
    }
    /// Returns the value of a VP taken from another player: 1 if there is only one, otherwise less.
    pub fn others(&self) -> f64 {
        if self.g.indians() == 1 { 1.0 } else { OTHERS }
    }
    /// Returns the value of VPs for an attack. It is low in the Solitaire Game, where only States
    /// count (11.31).
    pub fn vps(&self, vps: f64) -> f64 {
        if self.g.variant.solitaire { UNCOUNTED * vps } else { vps }
    }
    /// Returns the other seat with the most VPs.
    pub fn leader(&self) -> Option<Seat> {
        self.g.seats().filter(|&seat| seat != self.me).max_by_key(|seat| self.g.tally[seat.index()].vps)
    }
    /// Returns the seat's attitude to a Village: 1 for its own, -1 for the leader's, 0 for inactive
    /// ones. In the Solitaire Game all Villages belong to the Indian side.
    pub fn side(&self, v: VillageId) -> f64 {
        match self.g.player_of(v) {
            None if self.g.variant.solitaire => {
                if self.is_us() {
                    -0.5
                } else {
                    0.5
                }
            }
            None => 0.0,
            Some(seat) if seat == self.me => 1.0,
            Some(seat) if Some(seat) == self.leader() => -1.0,
            Some(_) => -0.7,
        }
    }

    // States (10.2, 10.3).

    /// Returns the number of Settlements that the US will still place this Turn, including this
    /// Round (4.4A).
    pub fn settlements_left(&self) -> i32 {
        let rounds = self.g.rounds();
        // Limit with two players (11.2C).
        let rounds = if self.g.indians() == 1 { rounds.min(ALLOTMENTS) } else { rounds };
        (rounds + 1).saturating_sub(self.g.round.max(1)) as i32
    }
    /// Returns the Resource Points that an Area lacks for Statehood or, as a State, for its
    /// Maintenance. Zero or less if it has enough.
    pub fn lacks(&self, a: AreaId) -> i32 {
        let (g, level) = (self.g, self.g.c[a].statehood);
        match g.area(a).state {
            true => level - g.resource_points(a),
            false => level + 1 - (g.resource_points(a) - g.area(a).massacres),
        }
    }
    /// Returns the VPs that the US gains, or does not lose, if the Area reaches its goal.
    pub fn statehood(&self, a: AreaId) -> f64 {
        match self.g.area(a).state {
            // While States fail their Maintenance, others may not be admitted (10.32).
            true => 1.5,
            // A possible gain only for the US player of a later Turn (9.2A, 12.13).
            false if no_state_yet(self.g, a).is_some() => 0.5,
            false => f64::from(statehood_vps(self.g.indians())),
        }
    }
    /// Returns the cost to the US of losing Resource Points in an Area.
    pub fn loss_of(&self, a: AreaId, points: i32) -> f64 {
        let lacks = self.lacks(a);
        let within = |lack: i32| lack <= self.settlements_left();
        match (lacks <= 0, lacks + points <= 0) {
            (true, true) => 0.1,
            // The Area had enough and no longer has. It can recover while Settlements are still to
            // come.
            (true, false) if within(lacks + points) => 0.25 * self.statehood(a),
            (true, false) => self.statehood(a),
            (false, _) if within(lacks) && !within(lacks + points) => 0.6 * self.statehood(a),
            (false, _) if within(lacks) => 0.3,
            (false, _) => 0.05,
        }
    }

    // Villages (6.6, 8.14).

    /// Returns the cost of a lost BP to the player of a Village.
    pub fn bp(&self, v: VillageId) -> f64 {
        let (g, left) = (self.g, self.g.total_bps(v) - 1);
        if left <= 0 {
            return EXTINCTION;
        }
        match at_half(left, g.c[v].size) {
            // The Village may be forced On Reservation; its possible actions are lost, and the US
            // earns 2 VPs.
            true => BP + on(g.c[v].survival - 1) * 0.8,
            false => BP,
        }
    }
    /// Returns the Survival Points of a Village if its Area has `more` of them and the Village is
    /// `idle` or not.
    fn survival_points(&self, v: VillageId, more: i32, idle: bool) -> Option<i32> {
        let g = self.g;
        let a = g.area_of(v)?;
        Some(self.points_in(v, a, more, idle))
    }
    /// Returns the Survival Points of a Village in an Area, as an additional Village if it is not
    /// there.
    pub fn points_in(&self, v: VillageId, a: AreaId, more: i32, idle: bool) -> i32 {
        let g = self.g;
        let mut there: Vec<VillageId> = g.villages_in(a).collect();
        if !there.contains(&v) {
            there.push(v);
        }
        let sizes: Vec<i32> = there.iter().map(|&w| g.total_bps(w)).collect();
        let shares = shares((g.raw_survival_points(a) + more).max(0), &sizes);
        let share = there.iter().position(|&w| w == v).map_or(0, |at| shares.points[at]);
        earned(share, g.village(v).devastation, idle, g.area(a).mission)
    }
    /// Returns `true` if a Village would lose a BP in the Survival Phase.
    pub fn starves(&self, v: VillageId, more: i32, idle: bool) -> bool {
        self.survival_points(v, more, idle).is_some_and(|points| points < self.g.c[v].survival)
    }
    /// Returns the value to this seat of a change of Survival Points in an Area, from the effects
    /// on the Villages there.
    pub fn weather(&self, a: AreaId, more: i32) -> f64 {
        let change = |v: VillageId| {
            let idle = self.g.village(v).actions == 0;
            let starves = |more| f64::from(u8::from(self.starves(v, more, idle)));
            (starves(0) - starves(more)) * self.bp(v) * self.side(v)
        };
        self.g.villages_in(a).map(change).sum()
    }
    /// Returns the danger of a Village to the US for the rest of the Turn, from 0 to about 3.
    pub fn threat(&self, v: VillageId) -> f64 {
        let (g, state) = (self.g, self.g.village(v));
        if state.finished || state.peace_chief || state.scouting || !self.may_act(v) {
            return 0.0;
        }
        f64::from(g.total_bps(v)) / 5.0 + f64::from(g.c[v].raid) / 10.0
    }

    /// Returns `true` if a Village is or may still become active this Turn. Before the deal any
    /// may; in the Solitaire Game so may all whose card may still be drawn (11.34).
    fn may_act(&self, v: VillageId) -> bool {
        let g = self.g;
        let undealt = || g.in_play(v) && g.village_ids().all(|v| g.player_of(v).is_none());
        let to_come = || g.solo.tribal.iter().any(|card| card.tribe == g.c[v].tribe);
        g.player_of(v).is_some() || if g.variant.solitaire { to_come() || undealt() } else { undealt() }
    }

    // The Transcontinental Railroad (5.241).

    /// Returns the number of Areas without an RR on the shortest line from edge to edge, if `laid`
    /// gets one; `None` if no line is possible.
    pub fn gaps(&self, laid: Option<AreaId>) -> Option<i32> {
        let g = self.g;
        // Nothing is built in Indian Territory before the Land Rush (9.2DD).
        let open = |a: AreaId| g.c[a].code != "IT" || g.fx.land_rush;
        let gap = |a: AreaId| i32::from(g.area(a).all_rrs() == 0 && laid != Some(a));
        let mut least: Vec<Option<i32>> = g.area_ids().map(|a| (g.c[a].east_edge && open(a)).then(|| gap(a))).collect();
        // There are few Areas, so repeated passes until nothing changes are fast enough.
        let mut changed = true;
        while changed {
            changed = false;
            for a in g.area_ids().filter(|&a| open(a)) {
                let near = g.c[a].adjacent.iter().filter_map(|b| least[b.index()]).min();
                let Some(through) = near.map(|n| n + gap(a)) else { continue };
                if least[a.index()].is_none_or(|known| through < known) {
                    least[a.index()] = Some(through);
                    changed = true;
                }
            }
        }
        g.area_ids().filter(|&a| g.c[a].west_edge).filter_map(|a| least[a.index()]).min()
    }
    /// Returns the value to the US of closing a gap in that line.
    pub fn gap(&self) -> f64 {
        let g = self.g;
        match g.transcontinental {
            Some(_) => 0.0,
            // Without the line by the end of Turn 6 the game is lost (11.31).
            None if g.variant.solitaire => 2.0 + f64::from(g.turn),
            None => 0.5,
        }
    }

    // Columns.

    /// Returns the value of a lost US BP beyond VPs, since a destroyed Column no longer guards
    /// anything (11.31).
    pub fn broken(&self, troops: &Troops) -> f64 {
        if self.g.variant.solitaire && troops.bps(self.g) <= 6 { 0.2 } else { 0.0 }
    }
    /// Returns `true` if a Column can act and an Area is within its range of reaction (5.35,
    /// 5.351).
    pub fn guards(&self, column: &Column, a: AreaId) -> bool {
        column.commander.is_some() && !column.in_fort && restraint::may_react(self.g, column, a)
    }
}
