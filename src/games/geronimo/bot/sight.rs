//! What things are worth, as the bot sees them: the prices by which it compares what it can do.

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

/// What a BP of a Village is worth to its player while it is far from the Reservation.
const BP: f64 = 0.3;
/// 6.66.
const EXTINCTION: f64 = 3.0;
/// The worth of VPs taken from others, as a part of VPs earned: with several others at the table a
/// VP taken from one of them is worth less than a VP.
const OTHERS: f64 = 0.3;
/// 11.31: what VPs that nobody counts still tell of an attack in the Solitaire Game.
const UNCOUNTED: f64 = 0.15;

/// A position as one seat looks at it.
pub(super) struct Sight<'g> {
    pub g: &'g State,
    pub me: Seat,
    /// Which `steady` looks: see [`Steady`](super::Steady).
    version: u8,
}

impl<'g> Sight<'g> {
    #[cfg(test)]
    pub fn new(g: &'g State, me: Seat) -> Self {
        Sight::of(g, me, super::NEWEST)
    }
    /// As this version of the bot sees it.
    pub fn of(g: &'g State, me: Seat, version: u8) -> Self {
        Sight { g, me, version }
    }
    /// The same position with the eyes of another seat.
    pub fn of_seat(&self, seat: Seat) -> Self {
        Sight { g: self.g, me: seat, version: self.version }
    }
    /// `true` if it is the bot that uses Forts, keeps War Parties out, and so on.
    pub fn is_second(&self) -> bool {
        self.version >= 2
    }
    pub fn is_us(&self) -> bool {
        self.me == self.g.us
    }
    /// What a VP less for somebody else is worth: as much as one's own where there is but one other.
    pub fn others(&self) -> f64 {
        if self.g.indians() == 1 { 1.0 } else { OTHERS }
    }
    /// The worth of VPs for an attack: in the Solitaire Game nearly nothing, as States alone decide
    /// (11.31).
    pub fn vps(&self, vps: f64) -> f64 {
        if self.g.variant.solitaire { UNCOUNTED * vps } else { vps }
    }
    /// The other seat with the most VPs.
    pub fn leader(&self) -> Option<Seat> {
        self.g.seats().filter(|&seat| seat != self.me).max_by_key(|seat| self.g.tally[seat.index()].vps)
    }
    /// +1 for what is good for me when it is good for this Village, down to -1 for the leader's; 0 for inactive ones. In
    /// the Solitaire Game all are the Indians'.
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
    /// `true` if a Village will lose a BP in the Survival Phase.
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
        if state.finished || state.peace_chief || state.scouting || !self.may_act(v) {
            return 0.0;
        }
        f64::from(g.total_bps(v)) / 5.0 + f64::from(g.c[v].raid) / 10.0
    }

    /// `true` if a Village is, or may still be, in somebody's hand this Turn: before the deal any
    /// may be, and in the Solitaire Game all whose card is still to come (11.34).
    fn may_act(&self, v: VillageId) -> bool {
        let g = self.g;
        let undealt = || g.in_play(v) && g.village_ids().all(|v| g.player_of(v).is_none());
        let to_come = || g.solo.tribal.iter().any(|card| card.tribe == g.c[v].tribe);
        g.player_of(v).is_some() || if g.variant.solitaire { to_come() || undealt() } else { undealt() }
    }

    // The Transcontinental Railroad (5.241)

    /// The number of Areas without an RR on the shortest line from edge to edge, with one more in
    /// `laid`; `None` where no line is possible.
    pub fn gaps(&self, laid: Option<AreaId>) -> Option<i32> {
        let g = self.g;
        // 9.2DD: nothing is built in Indian Territory before the Land Rush.
        let open = |a: AreaId| g.c[a].code != "IT" || g.fx.land_rush;
        let gap = |a: AreaId| i32::from(g.area(a).all_rrs() == 0 && laid != Some(a));
        let mut least: Vec<Option<i32>> = g.area_ids().map(|a| (g.c[a].east_edge && open(a)).then(|| gap(a))).collect();
        // There are few Areas: looking at all of them until nothing changes is quick enough.
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
    /// What it is worth to the US to close a gap in that line.
    pub fn gap(&self) -> f64 {
        let g = self.g;
        match g.transcontinental {
            Some(_) => 0.0,
            // 11.31: without the line by the end of Turn 6 all is lost.
            None if g.variant.solitaire => 2.0 + f64::from(g.turn),
            None => 0.5,
        }
    }

    // Columns

    /// The worth of a lost BP that VPs do not count: a Column that is lost guards nothing any more
    /// (11.31).
    pub fn broken(&self, troops: &Troops) -> f64 {
        if self.g.variant.solitaire && troops.bps(self.g) <= 6 { 0.2 } else { 0.0 }
    }
    /// `true` if a Column can act at all and an Area is within its reach when it reacts (5.35,
    /// 5.351).
    pub fn guards(&self, column: &Column, a: AreaId) -> bool {
        column.commander.is_some() && !column.in_fort && restraint::may_react(self.g, column, a)
    }
}
