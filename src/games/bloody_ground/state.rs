//! The position of a game: where units, leaders and markers are, and how the war stands.

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
use postrider_table::{Seat, status::Condition};
use std::sync::Arc;

/// 8.5.3: the morale of British and Canadians.
pub const MORALE: u8 = 3;
/// 6.0.1: settlers in an area, at most.
pub const SETTLERS: u8 = 4;
/// 8.1.1: the highest Mobilization Level.
pub const LEVELS: u8 = 5;
/// 8.2: the highest US Commitment.
pub const COMMITMENTS: u8 = 5;
/// 11.2.2: units in a fort, at most.
pub const GARRISON: usize = 10;

/// Where a counter is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Spot {
    /// Not in play; may come.
    #[default]
    Pool,
    /// Out of the game, or not to come again this year (8.3.2).
    Gone,
    /// Beside the map: enters by an edge in an Action Phase (8.3.2, 8.5.2).
    Edge,
    /// On the map.
    On(AreaId),
}

impl Spot {
    /// The area, of what is on the map.
    pub fn area(self) -> Option<AreaId> {
        match self {
            Spot::On(area) => Some(area),
            _ => None,
        }
    }
}

/// The place of a unit in the list of all units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u8);

impl UnitId {
    /// The place in the list.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A combat unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    pub kind: KindId,
    pub spot: Spot,
    /// Inside the fort of its area (11.2.2).
    pub inside: bool,
    pub condition: Condition,
    /// Out of Supply (7.0.4).
    pub starved: bool,
    /// Activations of this turn (9.3).
    pub acts: u8,
    /// Actions Completed.
    pub done: bool,
    /// Under a Raid marker (12.0.1).
    pub raiding: bool,
    /// With a Rifle marker (14.0.2).
    pub rifle: bool,
}

/// A leader in play or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chief {
    pub spot: Spot,
    pub inside: bool,
    pub starved: bool,
    pub acts: u8,
    pub done: bool,
    pub raiding: bool,
    /// A leader of militia who is in the pool and comes back as soon as militia of his state is on the map (14.0.7).
    pub waits: bool,
}

/// A fort (11.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fort {
    pub side: Side,
    /// Siege markers (11.3.1).
    pub siege: u8,
    /// Who builds it, as long as it is not ready (11.2.1).
    pub builder: Option<LeaderId>,
    /// Who takes it down; it stands until the End Phase.
    pub razer: Option<LeaderId>,
}

/// What lies in an area.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Land {
    pub settlers: u8,
    /// Settlers who fled here, and may be relocated (6.0.2); they count with the others, above four.
    pub fled: u8,
    pub village: bool,
    pub pillaged: bool,
    /// A Raid marker stays here until the End Phase (12.0.3).
    pub raid: bool,
    /// Atrocity markers, by the side that placed them.
    pub atrocity: [u8; 2],
    pub fort: Option<Fort>,
}

/// How a nation stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tribe {
    /// Its Mobilization Level (8.1).
    pub ml: u8,
    pub stance: Stance,
    /// Good or Bad Omens for its roll (5.0).
    pub omens: i8,
    /// When in this year it went to war: 1 for the first (9.1.2), 0 for none.
    pub rose: u8,
    /// The turn in which it surrendered.
    pub gave_up: u32,
}

/// Units and leaders that do something together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Force {
    pub units: Vec<UnitId>,
    pub leaders: Vec<LeaderId>,
}

impl Force {
    pub fn is_empty(&self) -> bool {
        self.units.is_empty() && self.leaders.is_empty()
    }
}

/// What may make a side think again since it last acted (4.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Since {
    /// Areas where the enemy has ended moves or reactions, or has dropped units; raiders pass, and meet nobody (11.2.2).
    pub ends: AreaSet,
    /// A trespass has brought a nation to war (8.1.2).
    pub trespass: bool,
    /// A second activation of this side has failed, for some of a force at least (9.3.1).
    pub failed: bool,
    /// The enemy has ambushed, or tried to assassinate (9.2.2, 9.2.3).
    pub ambush: bool,
}

/// Everything there is to know about a position.
#[derive(Clone, Debug)]
pub struct State {
    pub c: Arc<Components>,
    pub charts: Arc<Charts>,
    pub variant: Variant,
    /// The scenario, by its place in the file.
    pub scenario: usize,
    /// The turn, from 1; 0 during set-up.
    pub turn: u32,
    pub season: Season,
    pub year: u16,
    pub severe: bool,
    pub commitment: u8,
    pub vps: [i32; 2],
    pub tribes: Vec<Tribe>,
    pub units: Pieces<Unit>,
    pub chiefs: Pieces<Chief>,
    pub land: Vec<Land>,
    /// The primary leaders of this turn (9.1).
    pub primary: [Option<LeaderId>; 2],
    /// The ways of the raiders, by their target (12.0.1).
    pub raids: Vec<super::raid::Track>,
    /// Who has the initiative (9.1).
    pub initiative: Side,
    /// It has been rolled for in this turn: before that nobody has it.
    pub rolled: bool,
    /// Atrocity markers that may still be placed this turn, by side (9.2).
    pub atrocities: [u8; 2],
    /// Those removed for good (9.2.3).
    pub spent_atrocities: [u8; 2],
    /// Who has ambushed this turn (9.2.2).
    pub ambushed: [bool; 2],
    /// Raid markers of the last turn (8.4, 13.0).
    pub raid_total: u8,
    /// A general of rank 3 of the US Army fell in the last turn, and in this one (T:us-commitment-level-chart).
    pub general_lost: [bool; 2],
    pub forts_destroyed: u8,
    /// 8.5.3: the British have intervened.
    pub british: bool,
    /// 8.5.2: groups received, and the year of the last.
    pub groups: u8,
    pub group_year: u16,
    /// 15.4.5: VPs for Kekionga were awarded.
    pub kekionga_vps: bool,
    /// 15.1.4: Kekionga was pillaged at some time.
    pub kekionga_pillaged: bool,
    /// Areas that gave their VP for being settled (15.4.5).
    pub settled: Vec<bool>,
    /// Girty was hunted down, McKee died: for good.
    pub girty_gone: bool,
    /// How many checks running Commitment was 5, and 1 (15.4.3, 15.4.4).
    pub streaks: [u8; 2],
    /// Combat units at the start and since lost by combat, raids and want of supply, by side (15.1.4).
    pub started: [u8; 2],
    pub lost: [u8; 2],
    /// The battle that is fought, on its board.
    pub fight: Option<Fight>,
    /// A side chooses its action, and nothing has been counted for it: a director may set things right now.
    pub at_rest: bool,
    /// What has happened since each side last acted, by side.
    pub since: [Since; 2],
    pub ending: Option<Ending>,
}

impl State {
    /// The seat that plays a side. Solitaire (1.0): one seat plays both.
    pub fn seat(&self, side: Side) -> Seat {
        Seat(side.index() as u8)
    }
    /// `@A (US)`: the office puts the player's name for the `@` word.
    pub fn who(&self, side: Side) -> String {
        format!("@{} ({})", self.seat(side), side.short())
    }
    pub fn unit_ids(&self) -> impl Iterator<Item = UnitId> + use<> {
        // 109 counters.
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
    /// The nation of a warrior.
    pub fn nation_of(&self, u: UnitId) -> Option<NationId> {
        self.c[self.unit(u).kind].nation
    }
    pub fn side_of(&self, u: UnitId) -> Side {
        self.class(u).side()
    }
    /// The counters of a kind.
    pub fn of_kind(&self, kind: KindId) -> impl Iterator<Item = UnitId> + '_ {
        self.unit_ids().filter(move |&u| self.unit(u).kind == kind)
    }
    /// 8.1: warriors of a nation that is peaceful are face down: they neither act nor fight.
    pub fn is_face_up(&self, u: UnitId) -> bool {
        self.nation_of(u).is_none_or(|n| self.tribe(n).stance != Stance::Peaceful)
    }
    /// Units of a side in an area that take part in the war: face up, not raiding.
    pub fn fighters(&self, a: AreaId, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.units_in(a, side).filter(|&u| !self.unit(u).raiding && self.is_face_up(u))
    }
    /// All units in a spot.
    pub fn units_at(&self, spot: Spot) -> impl Iterator<Item = UnitId> + '_ {
        self.units.at(spot).map(UnitId)
    }
    /// All leaders in a spot.
    pub fn leaders_at(&self, spot: Spot) -> impl Iterator<Item = LeaderId> + '_ {
        self.chiefs.at(spot).map(LeaderId)
    }
    /// All units of a side in an area.
    pub fn units_in(&self, a: AreaId, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.units_at(Spot::On(a)).filter(move |&u| self.side_of(u) == side)
    }
    /// Leaders of a side in an area.
    pub fn leaders_in(&self, a: AreaId, side: Side) -> impl Iterator<Item = LeaderId> + '_ {
        self.leaders_at(Spot::On(a)).filter(move |&l| self.c[l].side == side)
    }
    /// Fighters outside the fort of their area.
    pub fn outside(&self, a: AreaId, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.fighters(a, side).filter(|&u| !self.unit(u).inside)
    }
    /// A fort that is ready.
    pub fn fort(&self, a: AreaId) -> Option<&Fort> {
        self.land(a).fort.as_ref().filter(|fort| fort.builder.is_none())
    }
    /// A ready fort of a side.
    pub fn fort_of(&self, a: AreaId, side: Side) -> bool {
        self.fort(a).is_some_and(|fort| fort.side == side)
    }
    /// 11.3: a fort in an area with an enemy unit that does not raid, and no friend outside.
    pub fn besieged(&self, a: AreaId) -> bool {
        self.fort(a).is_some_and(|fort| {
            self.outside(a, fort.side.enemy()).next().is_some() && self.outside(a, fort.side).next().is_none()
        })
    }
    /// `true` if a unit is inside a besieged fort.
    pub fn is_shut_in(&self, u: UnitId) -> bool {
        let unit = self.unit(u);
        unit.inside && unit.spot.area().is_some_and(|a| self.besieged(a))
    }
    /// A ready fort of a side that is not under siege.
    pub fn open_fort(&self, a: AreaId, side: Side) -> bool {
        self.fort_of(a, side) && !self.besieged(a)
    }
    /// A village or a permanent settlement.
    pub fn town(&self, a: AreaId) -> bool {
        self.land(a).village || self.c[a].is(Special::Town)
    }
    /// The terrain, for MPs, boards and dice: a village makes it settled (6.0.3).
    pub fn terrain(&self, a: AreaId) -> Terrain {
        if self.town(a) { Terrain::Settled } else { self.c[a].terrain }
    }
    /// A settled area: settled terrain, or any settler.
    pub fn is_settled(&self, a: AreaId) -> bool {
        self.terrain(a) == Terrain::Settled || self.people(a) > 0
    }
    /// Settlers in an area, those who fled there too.
    pub fn people(&self, a: AreaId) -> u8 {
        self.land(a).settlers + self.land(a).fled
    }
    /// Takes a settler off an area, which may be settled no more then (15.4.5).
    pub fn take_settler(&mut self, a: AreaId) {
        let land = self.land_mut(a);
        match land.settlers.checked_sub(1) {
            Some(left) => land.settlers = left,
            None => land.fled = land.fled.saturating_sub(1),
        }
        let settled = self.scores(a);
        self.settled[a.index()] &= settled;
    }
    /// 15.4.5: `true` if an area is one of those that score for being settled: with settlers or a
    /// village, and settled ground.
    pub fn scores(&self, a: AreaId) -> bool {
        self.people(a) > 0 || self.land(a).village || self.terrain(a) == Terrain::Settled
    }
    /// Villages and permanent settlements in the areas that are meant (6.0.3); an area may have one of each.
    pub fn towns(&self, meant: impl Fn(AreaId) -> bool) -> i32 {
        let both = |a: AreaId| 1 + i32::from(self.land(a).village && self.c[a].is(Special::Town));
        self.c.area_ids().filter(|&a| self.town(a) && meant(a)).map(both).sum()
    }
    /// 11.2.2: a unit that was placed at a fort of its own, and not by a move, is inside as long as there is room.
    pub fn take_in(&mut self, u: UnitId) {
        let (side, Spot::On(a)) = (self.side_of(u), self.unit(u).spot) else { return };
        let inside = self.units_in(a, side).filter(|&v| v != u && self.unit(v).inside).count();
        if self.fort_of(a, side) && inside < GARRISON {
            self.unit_mut(u).inside = true;
        }
    }
    /// The same of a leader, for whom there is always room.
    pub fn take_in_leader(&mut self, l: LeaderId) {
        let (side, Spot::On(a)) = (self.c[l].side, self.chief(l).spot) else { return };
        if self.fort_of(a, side) {
            self.chief_mut(l).inside = true;
        }
    }
    /// 8.1: `true` if a leader takes part in the war: he whose nation is peaceful lies face down.
    pub fn is_up(&self, l: LeaderId) -> bool {
        self.c[l].nation.is_none_or(|n| self.tribe(n).stance != Stance::Peaceful)
    }
    /// 9.2.1: an area of the US.
    pub fn us_area(&self, a: AreaId) -> bool {
        self.c[a].state != super::components::Province::Ohio || self.people(a) > 0 || self.town(a)
    }
    /// Kekionga (3.0).
    pub fn kekionga(&self) -> AreaId {
        self.special(Special::Kekionga)
    }
    fn special(&self, special: Special) -> AreaId {
        // The file was checked.
        self.c.area_ids().find(|&a| self.c[a].is(special)).unwrap_or(AreaId(0))
    }
    /// 15.1.3: `true` if a scenario lets units be in an area.
    pub fn in_bounds(&self, a: AreaId) -> bool {
        let limits = &self.c.scenarios[self.scenario].may_enter;
        limits.is_empty()
            || limits.iter().any(|limit| match limit {
                Where::Area(id) => self.c[a].id == *id,
                Where::Nation(name) => self.c[a].nation.is_some_and(|n| self.c[n].name == *name),
                _ => false,
            })
    }
    /// Of places to go to those that the scenario lets units be in; all of them where it would leave none.
    pub fn bounded(&self, areas: Vec<AreaId>) -> Vec<AreaId> {
        let inside: Vec<AreaId> = areas.iter().copied().filter(|&a| self.in_bounds(a)).collect();
        if inside.is_empty() { areas } else { inside }
    }
    /// Areas beside an area, by land or over the Ohio.
    pub fn beside(&self, a: AreaId) -> impl Iterator<Item = AreaId> + '_ {
        self.c[a].adjacent.iter().chain(&self.c[a].across).copied()
    }
    /// The level by which a unit is checked: Commitment, its nation's Mobilization Level, morale.
    pub fn level(&self, u: UnitId) -> u8 {
        match (self.class(u).side(), self.nation_of(u)) {
            (Side::Us, _) => self.commitment,
            (Side::Na, Some(n)) => self.tribe(n).ml,
            (Side::Na, None) => MORALE,
        }
    }
    /// The name of an area with its id: `Kekionga (M1)`.
    pub fn name(&self, a: AreaId) -> String {
        format!("{} ({})", self.c[a].name, self.c[a].id)
    }
    /// Which leaders can activate and rally a unit: 9.3, 14.0.5.
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
    /// A leader by his name.
    #[inline]
    pub fn named(&self, name: &str) -> LeaderId {
        match PERSONS.iter().position(|&known| known == name) {
            Some(at) => self.charts.persons[at],
            // Every leader whom the rules name is in the file, which was checked.
            None => self.c.leader(name).unwrap_or(LeaderId(0)),
        }
    }
    /// The area of this id.
    pub fn area(&self, id: &str) -> Option<AreaId> {
        self.charts.called.area(id)
    }
    /// The leader of a nation who is in play or would come.
    pub fn nation_leader(&self, n: NationId) -> Option<LeaderId> {
        let of = |&l: &LeaderId| self.c[l].nation == Some(n) && self.chief(l).spot.area().is_some();
        self.c.leader_ids().find(of)
    }
    /// 14.0.3: the rating of a leader, with Tecumseh's 1 if he is next to him.
    pub fn rating(&self, l: LeaderId) -> i32 {
        let tecumseh = self.named("Tecumseh");
        let with = l != tecumseh
            && self.c[l].side == Side::Na
            && self.chief(tecumseh).spot.area().is_some_and(|a| self.chief(l).spot == Spot::On(a));
        i32::from(self.c[l].command) + i32::from(with)
    }
    /// `true` if warriors of a nation are on the map or beside it.
    pub fn has_warriors(&self, n: NationId) -> bool {
        self.of_kind(self.c.warriors(n)).any(|u| matches!(self.unit(u).spot, Spot::On(_) | Spot::Edge))
    }
    /// `true` if a nation is at war: the Iroquois only as long as they are in play (8.2,
    /// T:random-events-table).
    pub fn is_at_war(&self, n: NationId) -> bool {
        let absent = || self.c[n].fixed > 0 && !self.has_warriors(n);
        self.tribe(n).stance == Stance::Warpath && !absent()
    }
    /// How many nations are at war.
    pub fn at_war(&self) -> usize {
        self.c.nation_ids().filter(|&n| self.is_at_war(n)).count()
    }
    /// How many have surrendered.
    pub fn surrendered(&self) -> usize {
        self.tribes.iter().filter(|tribe| tribe.stance == Stance::Surrendered).count()
    }
    /// 15.4.5: VPs; a loss below 0 goes to the other side.
    pub fn score(&mut self, side: Side, by: i32) {
        let own = &mut self.vps[side.index()];
        *own += by;
        let lack = (-*own).max(0);
        *own += lack;
        self.vps[side.enemy().index()] += lack;
    }
    /// The difference of VPs, positive where the US has more.
    pub fn lead(&self) -> i32 {
        self.vps[0] - self.vps[1]
    }
    /// Takes a unit out of play for good or for the year.
    pub fn remove(&mut self, u: UnitId, to: Spot) {
        let unit = self.unit_mut(u);
        *unit = Unit { spot: to, ..Unit::new(unit.kind) };
    }
    /// 15.4.5: a unit is eliminated: 2 VPs for the enemy. Militia and regulars can be raised again (8.4.3, 8.3.2), others not.
    pub fn eliminate(&mut self, u: UnitId) {
        let side = self.side_of(u);
        let to = match self.class(u) {
            Class::Militia => Spot::Pool,
            _ => Spot::Gone,
        };
        self.remove(u, to);
        self.lost[side.index()] += 1;
        self.score(side.enemy(), 2);
    }
    /// The same where neither combat nor a raid nor want of supply is the cause, which 15.1.4 does not count.
    pub fn waste(&mut self, u: UnitId) {
        let side = self.side_of(u);
        self.eliminate(u);
        self.lost[side.index()] -= 1;
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
    /// A counter in the box.
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
        }
    }
}
