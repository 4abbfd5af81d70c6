//! The position of a game: units, leaders, markers and tracks.

use super::{
    area_set::AreaSet,
    battle::Fight,
    components::{
        AreaId, Charts, Class, Components, KindId, LeaderId, NationId, PERSONS, Post, Season, Side, Special, Stance,
        Terrain, Where,
    },
    pieces::{Piece, Pieces},
    variant::Variant,
    victory::Ending,
};
use postrider_table::{Earned, Seat, status::Condition};
use std::sync::Arc;

/// The Morale Level of British and Canadians (8.5.3).
pub const MORALE: u8 = 3;
/// Maximum number of settlers in an area (6.0.1).
pub const SETTLERS: u8 = 4;
/// Maximum Mobilization Level (8.1.1).
pub const LEVELS: u8 = 5;
/// Maximum US Commitment Level (8.2).
pub const COMMITMENTS: u8 = 5;
/// Maximum number of units in a fort (11.2.2).
pub const GARRISON: usize = 10;

/// The place of a counter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Spot {
    /// Not in play; may enter.
    #[default]
    Pool,
    /// Out of the game, or at least for this year (8.3.2).
    Gone,
    /// Off the map; enters by an edge in an Action Phase (8.3.2, 8.5.2).
    Edge,
    /// On the map.
    On(AreaId),
}

impl Spot {
    /// Returns `true` if a counter is in play: on the map, or waiting to enter it.
    pub fn is_in_play(self) -> bool {
        matches!(self, Spot::Edge | Spot::On(_))
    }
    /// Returns the area of a counter on the map.
    pub fn area(self) -> Option<AreaId> {
        match self {
            Spot::On(area) => Some(area),
            _ => None,
        }
    }
}

/// The index of a unit in the list of all units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u8);

impl UnitId {
    /// Returns the index in the list.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A combat unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    pub kind: KindId,
    pub spot: Spot,
    /// `true` if inside the fort of its area (11.2.2).
    pub inside: bool,
    pub condition: Condition,
    /// `true` if Out of Supply (7.0.4).
    pub starved: bool,
    /// Number of activations this turn (9.3).
    pub acts: u8,
    /// `true` if it has completed its actions.
    pub done: bool,
    /// `true` if under a Raid marker (12.0.1).
    pub raiding: bool,
    /// `true` if it has a Rifle marker (14.0.2).
    pub rifle: bool,
    /// `true` if it began the game (15.1.4).
    pub at_start: bool,
}

/// The state of a leader, in play or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chief {
    pub spot: Spot,
    pub inside: bool,
    pub starved: bool,
    pub acts: u8,
    pub done: bool,
    pub raiding: bool,
    /// `true` for a militia leader in the pool who returns when militia of his state is on the map
    /// (14.0.7).
    pub waits: bool,
}

/// A fort (11.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fort {
    pub side: Side,
    /// Number of Siege markers (11.3.1).
    pub siege: u8,
    /// The work on it, until the End Phase (11.2.1).
    pub work: Option<Work>,
}

/// The building or dismantling of a fort (11.2.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Work {
    pub crew: Force,
    /// `true` if they dismantle it, `false` if they build it.
    pub razes: bool,
}

impl Fort {
    /// Returns a completed fort of a side.
    pub fn of(side: Side) -> Fort {
        Fort { side, siege: 0, work: None }
    }
    /// Returns `true` if it is completed; it remains so while it is dismantled (11.2.1).
    pub fn is_ready(&self) -> bool {
        self.work.as_ref().is_none_or(|work| work.razes)
    }
}

/// The markers in an area.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Land {
    pub settlers: u8,
    /// Settlers who fled here and may be relocated (6.0.2). They count as settlers, but not toward
    /// the limit of four.
    pub fled: u8,
    pub village: bool,
    pub pillaged: bool,
    /// `true` if a Raid marker remains until the End Phase (12.0.3).
    pub raid: bool,
    /// Number of Atrocity markers, by the side that placed them.
    pub atrocity: [u8; 2],
    pub fort: Option<Fort>,
}

/// The state of a nation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tribe {
    /// Its Mobilization Level (8.1).
    pub ml: u8,
    pub stance: Stance,
    /// Good (positive) or Bad (negative) Omens for its roll (5.0).
    pub omens: i8,
    /// Its place in the order in which nations went to war this year, from 1; 0 if it did not
    /// (9.1.2).
    pub rose: u8,
    /// The turn in which it surrendered.
    pub gave_up: u32,
}

/// Units and leaders that act together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Force {
    pub units: Vec<UnitId>,
    pub leaders: Vec<LeaderId>,
}

impl Force {
    pub fn is_empty(&self) -> bool {
        self.units.is_empty() && self.leaders.is_empty()
    }
    /// Returns a force without the members of another.
    pub fn without(&self, gone: &Force) -> Force {
        Force {
            units: self.units.iter().copied().filter(|u| !gone.units.contains(u)).collect(),
            leaders: self.leaders.iter().copied().filter(|l| !gone.leaders.contains(l)).collect(),
        }
    }
    /// Returns `true` if two forces have a piece in common.
    pub fn meets(&self, other: &Force) -> bool {
        self.units.iter().any(|u| other.units.contains(u)) || self.leaders.iter().any(|l| other.leaders.contains(l))
    }
}

/// Events since a side last acted that may change its plans (4.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Since {
    /// Areas where the enemy ended moves or reactions or dropped units. Raiders do not count,
    /// because they meet no units (11.2.2).
    pub ends: AreaSet,
    /// `true` if a nation went to war because of a trespass (8.1.2).
    pub trespass: bool,
    /// `true` if a second activation of this side failed for any of its pieces (9.3.1).
    pub failed: bool,
    /// `true` if the enemy ambushed or attempted an assassination (9.2.2, 9.2.3).
    pub ambush: bool,
}

/// A complete position.
#[derive(Clone, Debug)]
pub struct State {
    pub c: Arc<Components>,
    pub charts: Arc<Charts>,
    pub variant: Variant,
    /// Index of the scenario in the file.
    pub scenario: usize,
    /// The turn, from 1; 0 during set-up.
    pub turn: u32,
    pub season: Season,
    pub year: u16,
    pub severe: bool,
    pub commitment: u8,
    pub vps: [i32; 2],
    /// The VPs by the rules that gave or took them.
    pub earned: Earned<Side>,
    /// The VPs when the story last told them.
    pub told: [i32; 2],
    pub tribes: Vec<Tribe>,
    pub units: Pieces<Unit>,
    pub chiefs: Pieces<Chief>,
    pub land: Vec<Land>,
    /// The primary leaders of this turn (9.1).
    pub primary: [Option<LeaderId>; 2],
    /// The journeys of raiders, by target area, each with those who took it (12.0.1).
    pub raids: Vec<Vec<(Force, super::raid::Journey)>>,
    /// The side with the initiative (9.1).
    pub initiative: Side,
    /// `true` if the initiative has been rolled this turn; before that neither side has it.
    pub rolled: bool,
    /// Number of Atrocity markers that each side may still place this turn (9.2).
    pub atrocities: [u8; 2],
    /// Number of Atrocity markers permanently removed, by side (9.2.3).
    pub spent_atrocities: [u8; 2],
    /// `true` for a side that has ambushed this turn (9.2.2).
    pub ambushed: [bool; 2],
    /// Number of Raid markers of the previous turn (8.4, 13.0).
    pub raid_total: u8,
    /// `true` if a US Army leader of rank 3 was eliminated in the previous turn, and in this one
    /// (T:us-commitment-level-chart).
    pub general_lost: [bool; 2],
    pub forts_destroyed: u8,
    /// `true` if the British have intervened (8.5.3).
    pub british: bool,
    /// Number of reinforcement groups received (8.5.2).
    pub groups: u8,
    /// `true` if the VPs for Kekionga were awarded (15.4.5).
    pub kekionga_vps: bool,
    /// `true` if Kekionga was pillaged at any time (15.1.4).
    pub kekionga_pillaged: bool,
    /// `true` for areas that gave their VP for being settled (15.4.5).
    pub settled: Vec<bool>,
    /// The only leader whom Tecumseh raises, while NA has chosen one (14.0.3).
    pub raised: Option<LeaderId>,
    /// `true` if Girty was hunted down, and so is permanently out of the game.
    pub girty_gone: bool,
    /// Number of consecutive checks with Commitment at 5, and at 1 (15.4.3, 15.4.4).
    pub streaks: [u8; 2],
    /// Combat units at the start, by side; `lost` counts those lost by combat, raids and lack of
    /// supply (15.1.4).
    pub started: [u8; 2],
    pub lost: [u8; 2],
    /// Of these, units that began the game (15.1.4).
    pub lost_at_start: [u8; 2],
    /// The battle in progress on its board.
    pub fight: Option<Fight>,
    /// `true` while a side chooses its action and nothing is in progress, so that a director may
    /// change the position.
    pub at_rest: bool,
    /// Events since each side last acted.
    pub since: [Since; 2],
    pub ending: Option<Ending>,
}

impl State {
    /// Returns the seat that plays a side. In solitaire games (1.0) the table gives both seats to
    /// one player.
    pub fn seat(&self, side: Side) -> Seat {
        Seat(side.index() as u8)
    }
    /// Returns `@A (US)`; the office replaces the `@` word by the player's name.
    pub fn who(&self, side: Side) -> String {
        format!("@{} ({})", self.seat(side), side.short())
    }
    pub fn unit_ids(&self) -> impl Iterator<Item = UnitId> + use<> {
        // There are 109 counters.
        (0..self.units.len() as u8).map(UnitId)
    }
    pub fn unit(&self, u: UnitId) -> &Unit {
        &self.units[u.index()]
    }
    pub fn unit_mut(&mut self, u: UnitId) -> &mut Unit {
        &mut self.units[u.index()]
    }
    pub fn chief(&self, l: LeaderId) -> &Chief {
        &self.chiefs[l.index()]
    }
    pub fn chief_mut(&mut self, l: LeaderId) -> &mut Chief {
        &mut self.chiefs[l.index()]
    }
    pub fn land(&self, a: AreaId) -> &Land {
        &self.land[a.index()]
    }
    pub fn land_mut(&mut self, a: AreaId) -> &mut Land {
        &mut self.land[a.index()]
    }
    pub fn tribe(&self, n: NationId) -> &Tribe {
        &self.tribes[n.index()]
    }
    pub fn tribe_mut(&mut self, n: NationId) -> &mut Tribe {
        &mut self.tribes[n.index()]
    }
    pub fn class(&self, u: UnitId) -> Class {
        self.c[self.unit(u).kind].class
    }
    /// Returns the nation of a warrior.
    pub fn nation_of(&self, u: UnitId) -> Option<NationId> {
        self.c[self.unit(u).kind].nation
    }
    pub fn side_of(&self, u: UnitId) -> Side {
        self.class(u).side()
    }
    /// Returns the counters of a kind.
    pub fn of_kind(&self, kind: KindId) -> impl Iterator<Item = UnitId> + '_ {
        self.unit_ids().filter(move |&u| self.unit(u).kind == kind)
    }
    /// Returns `true` if a unit is face up: warriors of a peaceful nation are face down and neither
    /// act nor fight (8.1).
    pub fn is_face_up(&self, u: UnitId) -> bool {
        self.nation_of(u).is_none_or(|n| self.tribe(n).stance != Stance::Peaceful)
    }
    /// Returns the units of a side in an area that are face up and not raiding.
    pub fn fighters(&self, a: AreaId, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.units_in(a, side).filter(|&u| !self.unit(u).raiding && self.is_face_up(u))
    }
    /// Returns all units in a spot.
    pub fn units_at(&self, spot: Spot) -> impl Iterator<Item = UnitId> + '_ {
        self.units.at(spot).map(UnitId)
    }
    /// Returns all leaders in a spot.
    pub fn leaders_at(&self, spot: Spot) -> impl Iterator<Item = LeaderId> + '_ {
        self.chiefs.at(spot).map(LeaderId)
    }
    /// Returns all units of a side in an area.
    pub fn units_in(&self, a: AreaId, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.units_at(Spot::On(a)).filter(move |&u| self.side_of(u) == side)
    }
    /// Returns the leaders of a side in an area.
    pub fn leaders_in(&self, a: AreaId, side: Side) -> impl Iterator<Item = LeaderId> + '_ {
        self.leaders_at(Spot::On(a)).filter(move |&l| self.c[l].side == side)
    }
    /// Returns `true` if the enemy of a side is in an area: he has a fort or fighters there.
    pub fn enemy_in(&self, a: AreaId, side: Side) -> bool {
        self.fort_of(a, side.enemy()) || self.fighters(a, side.enemy()).next().is_some()
    }
    /// Returns the leaders of a side in an area who are face up and not raiding.
    pub fn leaders_up(&self, a: AreaId, side: Side) -> impl Iterator<Item = LeaderId> + '_ {
        self.leaders_in(a, side).filter(|&l| self.is_up(l) && !self.chief(l).raiding)
    }
    /// Returns those of them who are not in the fort.
    pub fn leaders_outside(&self, a: AreaId, side: Side) -> impl Iterator<Item = LeaderId> + '_ {
        self.leaders_up(a, side).filter(|&l| !self.chief(l).inside)
    }
    /// Returns the fighters of a side in an area that are not in the fort.
    pub fn outside(&self, a: AreaId, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.fighters(a, side).filter(|&u| !self.unit(u).inside)
    }
    /// Returns the fort of an area if it is completed.
    pub fn fort(&self, a: AreaId) -> Option<&Fort> {
        self.land(a).fort.as_ref().filter(|fort| fort.is_ready())
    }
    /// Returns `true` if an area has a completed fort of a side.
    pub fn fort_of(&self, a: AreaId, side: Side) -> bool {
        self.fort(a).is_some_and(|fort| fort.side == side)
    }
    /// Returns `true` if an area has a besieged fort: an enemy fighter is there, and no friendly
    /// one outside the fort (11.3).
    pub fn besieged(&self, a: AreaId) -> bool {
        self.fort(a).is_some_and(|fort| {
            self.outside(a, fort.side.enemy()).next().is_some() && self.outside(a, fort.side).next().is_none()
        })
    }
    /// Returns `true` if a unit is inside a besieged fort.
    pub fn is_shut_in(&self, u: UnitId) -> bool {
        let unit = self.unit(u);
        unit.inside && unit.spot.area().is_some_and(|a| self.besieged(a))
    }
    /// Returns `true` if an area has a completed fort of a side that is not besieged.
    pub fn open_fort(&self, a: AreaId, side: Side) -> bool {
        self.fort_of(a, side) && !self.besieged(a)
    }
    /// Returns `true` if an area has a village or permanent settlement.
    pub fn town(&self, a: AreaId) -> bool {
        self.land(a).village || self.c[a].is(Special::Town)
    }
    /// Returns the terrain for MPs, boards and dice; a village makes it settled (6.0.3).
    pub fn terrain(&self, a: AreaId) -> Terrain {
        if self.town(a) { Terrain::Settled } else { self.c[a].terrain }
    }
    /// Returns `true` if an area is settled: by settled terrain or any settler.
    pub fn is_settled(&self, a: AreaId) -> bool {
        self.terrain(a) == Terrain::Settled || self.people(a) > 0
    }
    /// Returns the number of settlers in an area, including those who fled there.
    pub fn people(&self, a: AreaId) -> u8 {
        self.land(a).settlers + self.land(a).fled
    }
    /// Removes a settler from an area, which may lose its settled state (15.4.5).
    pub fn take_settler(&mut self, a: AreaId) {
        let land = self.land_mut(a);
        match land.settlers.checked_sub(1) {
            Some(left) => land.settlers = left,
            None => land.fled = land.fled.saturating_sub(1),
        }
        let settled = self.scores(a);
        self.settled[a.index()] &= settled;
    }
    /// Returns `true` if an area counts as settled for VPs: it has settlers, a village, or settled
    /// terrain (15.4.5).
    pub fn scores(&self, a: AreaId) -> bool {
        self.people(a) > 0 || self.land(a).village || self.terrain(a) == Terrain::Settled
    }
    /// Returns the number of villages and permanent settlements in the areas that fit (6.0.3); an
    /// area may have one of each.
    pub fn towns(&self, meant: impl Fn(AreaId) -> bool) -> i32 {
        let both = |a: AreaId| 1 + i32::from(self.land(a).village && self.c[a].is(Special::Town));
        self.c.area_ids().filter(|&a| self.town(a) && meant(a)).map(both).sum()
    }
    /// Puts a unit that was placed at a friendly fort, not moved there, inside if there is room
    /// (11.2.2).
    pub fn take_in(&mut self, u: UnitId) {
        let (side, Spot::On(a)) = (self.side_of(u), self.unit(u).spot) else { return };
        let inside = self.units_in(a, side).filter(|&v| v != u && self.unit(v).inside).count();
        if self.fort_of(a, side) && inside < GARRISON {
            self.unit_mut(u).inside = true;
        }
    }
    /// Puts a leader that was placed at a friendly fort inside; there is always room for leaders.
    pub fn take_in_leader(&mut self, l: LeaderId) {
        let (side, Spot::On(a)) = (self.c[l].side, self.chief(l).spot) else { return };
        if self.fort_of(a, side) {
            self.chief_mut(l).inside = true;
        }
    }
    /// Returns `true` if a leader is face up: those of peaceful nations are not (8.1).
    pub fn is_up(&self, l: LeaderId) -> bool {
        self.c[l].nation.is_none_or(|n| self.tribe(n).stance != Stance::Peaceful)
    }
    /// Returns `true` if an area is a US area for raids and Atrocity markers (9.2.1).
    pub fn us_area(&self, a: AreaId) -> bool {
        self.c[a].state != super::components::Province::Ohio || self.people(a) > 0 || self.town(a)
    }
    /// Returns the area of Kekionga (3.0).
    pub fn kekionga(&self) -> AreaId {
        self.special(Special::Kekionga)
    }
    fn special(&self, special: Special) -> AreaId {
        // The check of the file guarantees one.
        self.c.area_ids().find(|&a| self.c[a].is(special)).unwrap_or(AreaId(0))
    }
    /// Returns `true` if the scenario allows units in an area (15.1.3).
    pub fn in_bounds(&self, a: AreaId) -> bool {
        let limits = &self.c.scenarios[self.scenario].may_enter;
        limits.is_empty()
            || limits.iter().any(|limit| match limit {
                Where::Area(id) => self.c[a].id == *id,
                Where::Nation(name) => self.c[a].nation.is_some_and(|n| self.c[n].name == *name),
                _ => false,
            })
    }
    /// Returns the areas that the scenario allows, or all of them if it allows none.
    pub fn bounded(&self, areas: Vec<AreaId>) -> Vec<AreaId> {
        let inside: Vec<AreaId> = areas.iter().copied().filter(|&a| self.in_bounds(a)).collect();
        if inside.is_empty() { areas } else { inside }
    }
    /// Returns the areas adjacent by land or across the Ohio.
    pub fn beside(&self, a: AreaId) -> impl Iterator<Item = AreaId> + '_ {
        self.c[a].adjacent.iter().chain(&self.c[a].across).copied()
    }
    /// Returns the level for checks of a unit: Commitment, its nation's Mobilization Level, or the
    /// British Morale Level.
    pub fn level(&self, u: UnitId) -> u8 {
        match (self.class(u).side(), self.nation_of(u)) {
            (Side::Us, _) => self.commitment,
            (Side::Na, Some(n)) => self.tribe(n).ml,
            (Side::Na, None) => MORALE,
        }
    }
    /// Returns the name of an area with its id: `Kekionga (M1)`.
    pub fn name(&self, a: AreaId) -> String {
        format!("{} ({})", self.c[a].name, self.c[a].id)
    }
    /// Returns `true` if a leader can activate and rally a unit (9.3, 14.0.5).
    pub fn leads(&self, l: LeaderId, u: UnitId) -> bool {
        let leader = &self.c[l];
        let class = self.class(u);
        match leader.kind {
            Post::Regular | Post::Militia => class.side() == Side::Us,
            Post::British => class.is_british(),
            Post::Nation => leader.nation.is_some() && leader.nation == self.nation_of(u),
            Post::Agent => leader.name == "McKee" && class == Class::Warrior,
        }
    }
    /// Returns the leader with this name.
    #[inline]
    pub fn named(&self, name: &str) -> LeaderId {
        match PERSONS.iter().position(|&known| known == name) {
            Some(at) => self.charts.persons[at],
            // The check of the file guarantees every leader named in the rules.
            None => self.c.leader(name).unwrap_or(LeaderId(0)),
        }
    }
    /// Returns the area with this id.
    pub fn area(&self, id: &str) -> Option<AreaId> {
        self.charts.called.area(id)
    }
    /// Returns the leader of a nation on the map.
    pub fn nation_leader(&self, n: NationId) -> Option<LeaderId> {
        let of = |&l: &LeaderId| self.c[l].nation == Some(n) && self.chief(l).spot.area().is_some();
        self.c.leader_ids().find(of)
    }
    /// Returns the rating of a leader, plus 1 if Tecumseh is stacked with him and raises no other
    /// (14.0.3).
    pub fn rating(&self, l: LeaderId) -> i32 {
        let (tecumseh, chief) = (self.named("Tecumseh"), self.chief(l));
        let he = self.chief(tecumseh);
        let with = l != tecumseh
            && self.c[l].side == Side::Na
            && he.spot.area().is_some()
            && (he.spot, he.inside) == (chief.spot, chief.inside)
            && self.raised.is_none_or(|one| one == l);
        i32::from(self.c[l].command) + i32::from(with)
    }
    /// Returns the warriors of a nation that are in play.
    pub fn warriors(&self, n: NationId) -> impl Iterator<Item = UnitId> + '_ {
        self.of_kind(self.c.warriors(n)).filter(|&u| self.unit(u).spot.is_in_play())
    }
    /// Returns `true` if warriors of a nation are in play.
    pub fn has_warriors(&self, n: NationId) -> bool {
        self.warriors(n).next().is_some()
    }
    /// Returns `true` if a nation is at war. The Iroquois count only while they are in play (8.2,
    /// T:random-events-table).
    pub fn is_at_war(&self, n: NationId) -> bool {
        let absent = || self.c[n].fixed > 0 && !self.has_warriors(n);
        self.tribe(n).stance == Stance::Warpath && !absent()
    }
    /// Returns the number of nations at war.
    pub fn at_war(&self) -> usize {
        self.c.nation_ids().filter(|&n| self.is_at_war(n)).count()
    }
    /// Returns the number of surrendered nations.
    pub fn surrendered(&self) -> usize {
        self.tribes.iter().filter(|tribe| tribe.stance == Stance::Surrendered).count()
    }
    /// Adds VPs to a side by a rule; a loss below 0 goes to the other side (15.4.5).
    pub fn score(&mut self, side: Side, by: i32, rule: &'static str) {
        let own = &mut self.vps[side.index()];
        *own += by;
        let lack = (-*own).max(0);
        *own += lack;
        self.vps[side.enemy().index()] += lack;
        self.earned.add(side, rule, by + lack);
        if lack > 0 {
            self.earned.add(side.enemy(), "15.4.5", lack);
        }
    }
    /// Returns the US lead in VPs.
    pub fn lead(&self) -> i32 {
        self.vps[0] - self.vps[1]
    }
    /// Removes a unit from play, permanently or for the year.
    pub fn remove(&mut self, u: UnitId, to: Spot) {
        let unit = self.unit_mut(u);
        *unit = Unit { spot: to, ..Unit::new(unit.kind) };
    }
    /// Removes a leader from play: a named one for good, while a replacement can be used again
    /// (10.5.3, 14.0.7, 14.0.8).
    pub fn retire(&mut self, l: LeaderId) {
        let spot = if self.c[l].replacement { Spot::Pool } else { Spot::Gone };
        *self.chief_mut(l) = Chief { spot, ..Chief::default() };
    }
    /// Eliminates a unit for 2 VPs to the enemy (15.4.5). Only militia and regulars can be raised
    /// again (8.4.3, 8.3.2).
    pub fn eliminate(&mut self, u: UnitId) {
        let (side, at_start) = (self.side_of(u), self.unit(u).at_start);
        let to = match self.class(u) {
            Class::Militia => Spot::Pool,
            _ => Spot::Gone,
        };
        self.remove(u, to);
        self.lost[side.index()] += 1;
        self.lost_at_start[side.index()] += u8::from(at_start);
        self.score(side.enemy(), 2, "15.4.5");
    }
    /// Like [`eliminate`](State::eliminate), for causes that 15.1.4 does not count: neither combat,
    /// raids nor lack of supply.
    pub fn waste(&mut self, u: UnitId) {
        let (side, at_start) = (self.side_of(u), self.unit(u).at_start);
        self.eliminate(u);
        self.lost[side.index()] -= 1;
        self.lost_at_start[side.index()] -= u8::from(at_start);
    }
}

impl Piece for Unit {
    fn spot(&self) -> Spot {
        self.spot
    }
}

impl Piece for Chief {
    fn spot(&self) -> Spot {
        self.spot
    }
}

impl Unit {
    /// Returns a counter in the pool.
    pub fn new(kind: KindId) -> Unit {
        Unit {
            kind,
            spot: Spot::Pool,
            inside: false,
            condition: Condition::Normal,
            starved: false,
            acts: 0,
            done: false,
            raiding: false,
            rifle: false,
            at_start: false,
        }
    }
}
