//! What things are worth, as the bot sees them: the prices by which it compares what it can do.

use super::on;
use crate::{
    games::geronimo::{
        State,
        components::{AreaId, VillageId},
        resources::ALLOTMENTS,
        restraint,
        state::Column,
        statehood::{no_state_yet, statehood_vps},
        survival::{at_half, earned, shares},
    },
    table::Seat,
};

/// What a BP of a Village is worth to its player while it is far from the Reservation.
const BP: f64 = 0.3;
/// 6.66.
const EXTINCTION: f64 = 3.0;
/// What is taken from others, as a part of what is earned oneself: with several others at the table a VP taken from one
/// of them is worth less than a VP.
pub(super) const OTHERS: f64 = 0.3;

/// A position as one seat looks at it.
pub(super) struct Sight<'g> {
    pub g: &'g State,
    pub me: Seat,
}

impl<'g> Sight<'g> {
    pub fn new(g: &'g State, me: Seat) -> Self {
        Sight { g, me }
    }
    pub fn is_us(&self) -> bool {
        self.me == self.g.us
    }
    /// The other seat with the most VPs.
    pub fn leader(&self) -> Option<Seat> {
        self.g.seats().filter(|&seat| seat != self.me).max_by_key(|seat| self.g.tally[seat.index()].vps)
    }
    /// +1 for what is good for me when it is good for this Village, down to -1 for the leader's; 0 for inactive ones.
    pub fn side(&self, v: VillageId) -> f64 {
        match self.g.player_of(v) {
            None => 0.0,
            Some(seat) if seat == self.me => 1.0,
            Some(seat) if Some(seat) == self.leader() => -1.0,
            Some(_) => -0.7,
        }
    }

    // States (10.2, 10.3)

    /// How many Settlements are still to come this Turn, the one of this Round included (4.4A).
    pub fn settlements_left(&self) -> i32 {
        let rounds = self.g.dealt * u32::from(self.g.players);
        // 11.2C.
        let rounds = if self.g.indians() == 1 { rounds.min(ALLOTMENTS) } else { rounds };
        (rounds + 1).saturating_sub(self.g.round.max(1)) as i32
    }
    /// Resource Points that an Area lacks: for Statehood, or a State for its Maintenance. Zero or less: none.
    pub fn lacks(&self, a: AreaId) -> i32 {
        let (g, level) = (self.g, self.g.c[a].statehood);
        match g.area(a).state {
            true => level - g.resource_points(a),
            false => level + 1 - (g.resource_points(a) - g.area(a).massacres),
        }
    }
    /// VPs that the US gets, or does not lose, when the Area has what it lacks.
    pub fn statehood(&self, a: AreaId) -> f64 {
        match self.g.area(a).state {
            // 10.32: while States fail, others may be kept waiting.
            true => 1.5,
            // 9.2A, 12.13: it is for the US player of a later Turn.
            false if no_state_yet(self.g, a).is_some() => 0.5,
            false => f64::from(statehood_vps(self.g.indians())),
        }
    }
    /// What so many Resource Points less in an Area cost the US.
    pub fn loss_of(&self, a: AreaId, points: i32) -> f64 {
        let lacks = self.lacks(a);
        let within = |lack: i32| lack <= self.settlements_left();
        match (lacks <= 0, lacks + points <= 0) {
            (true, true) => 0.1,
            // What was enough no longer is; it can be made good as long as Settlements come.
            (true, false) if within(lacks + points) => 0.25 * self.statehood(a),
            (true, false) => self.statehood(a),
            (false, _) if within(lacks) && !within(lacks + points) => 0.6 * self.statehood(a),
            (false, _) if within(lacks) => 0.3,
            (false, _) => 0.05,
        }
    }

    // Villages (6.6, 8.14)

    /// What the loss of a BP costs the player of a Village.
    pub fn bp(&self, v: VillageId) -> f64 {
        let (g, left) = (self.g, self.g.total_bps(v) - 1);
        if left <= 0 {
            return EXTINCTION;
        }
        match at_half(left, g.c[v].size) {
            // The Village may be forced On Reservation: what it could have done is lost, and the US earns 2 VPs.
            true => BP + on(g.c[v].survival - 1) * 0.8,
            false => BP,
        }
    }
    /// Survival Points that a Village gets with so many more in its Area, if it has acted or not.
    fn survival_points(&self, v: VillageId, more: i32, idle: bool) -> Option<i32> {
        let g = self.g;
        let a = g.area_of(v)?;
        Some(self.points_in(v, a, more, idle))
    }
    /// The same in another Area, as one Village more there.
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
    /// Whether a Village will lose a BP in the Survival Phase.
    pub fn starves(&self, v: VillageId, more: i32, idle: bool) -> bool {
        self.survival_points(v, more, idle).is_some_and(|points| points < self.g.c[v].survival)
    }
    /// What so many Survival Points more in an Area do for me, by what they do for the Villages there.
    pub fn weather(&self, a: AreaId, more: i32) -> f64 {
        let change = |v: VillageId| {
            let idle = self.g.village(v).actions == 0;
            let starves = |more| f64::from(u8::from(self.starves(v, more, idle)));
            (starves(0) - starves(more)) * self.bp(v) * self.side(v)
        };
        self.g.villages_in(a).map(change).sum()
    }
    /// How dangerous a Village is to the US this Turn: what it could still do, from 0 to about 3.
    pub fn threat(&self, v: VillageId) -> f64 {
        let (g, state) = (self.g, self.g.village(v));
        if state.finished || state.peace_chief || state.scouting || g.player_of(v).is_none() {
            return 0.0;
        }
        f64::from(g.total_bps(v)) / 5.0 + f64::from(g.c[v].raid) / 10.0
    }

    // Columns

    /// Whether a Column can act at all, and where an Area is within its reach when it reacts (5.35, 5.351).
    pub fn guards(&self, column: &Column, a: AreaId) -> bool {
        column.commander.is_some() && !column.in_fort && restraint::may_react(self.g, column, a)
    }
}
