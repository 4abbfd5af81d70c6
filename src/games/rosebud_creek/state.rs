//! What there is to know of a position.

use super::{
    components::{Charts, Class, Components, Counter, Ground, LeaderId, Num, Side, UnitId, Vp},
    doctrine::Doctrine,
    variant::Variant,
};
use postrider_table::{Seat, hex::Hex};
use std::sync::Arc;

/// Where a counter is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spot {
    /// Not in play: a holder that nobody needs, a Pack Train of the other scenario.
    #[default]
    Pool,
    /// Comes in: a Scout before the set-up, an Indian in turn 1.
    Waiting,
    On(Hex),
    /// Left the map.
    Off,
    /// Eliminated.
    Dead,
}

impl Spot {
    /// The hex where it stands.
    pub fn hex(self) -> Option<Hex> {
        match self {
            Spot::On(hex) => Some(hex),
            _ => None,
        }
    }
}

postrider_table::named! {
    /// Unit Mode (3.A, 8).
    pub enum Mode {
        Mounted = "mounted", "mounted";
        Dismounted = "dismounted", "dismounted";
        Prone = "prone", "Prone";
    }

    /// The phases of a Player Turn (4).
    pub enum Phase {
        SetUp = "set-up", "Set-up";
        Rally = "rally", "Rally Phase";
        Offensive = "offensive", "Offensive Fire Phase";
        Movement = "movement", "Movement Phase";
        Defensive = "defensive", "Defensive Fire Phase";
        Advance = "advance", "Advance Fire Phase";
        Melee = "melee", "Melee Phase";
    }

    /// How badly a Leader is hurt (12.D.1).
    pub enum Wound {
        None = "none", "unhurt";
        Moderate = "moderate", "wounded";
        Severe = "severe", "severely wounded";
        Mortal = "mortal", "mortally wounded";
    }
}

/// What a unit has done since its phases began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Doings {
    /// MPs of this Movement Phase, counted against the allowance of the present mode (8.D); of a Routed unit the hexes that its Rout has taken
    /// in it (10.J).
    pub spent: u16,
    /// It spent all in a minimum move or a crawl, or may spend none: re-supply, Breastworks, a halt.
    pub halted: bool,
    /// Offensive Fire of this Player Turn (4.B).
    pub fired: Option<Volume>,
    /// The hex that Advance Fire binds it to (10.B).
    pub advance: Option<Hex>,
    /// Opportunity or Retreat Fire of this phase (9.F).
    pub reacted: bool,
    /// Opportunity Fire of this phase: who has used it in the Melee Phase does not attack (10.B).
    pub sniped: bool,
    /// Part of a melee in this phase (10.B).
    pub fought: bool,
    /// In good order when the Movement Phase began (16.A).
    pub fresh: bool,
    /// The target of its charge (16.A).
    pub charge: Option<Hex>,
    /// Its hex at the start of the Melee Phase (10.A); before that, in turn 1, where it entered
    /// (18.1).
    pub from: Option<Hex>,
    /// It gets its ammunition at the end of the Movement Phase (14.C).
    pub resupply: bool,
    /// It has made its Rout move of this Player Turn.
    pub fled: bool,
    /// It was Routed by a result in its own Movement Phase, in which it then moves no more (10.J).
    pub broke: bool,
    /// It has moved with other units in this phase (16.G).
    pub stacked: bool,
    /// It has fired as Hit & Run in this phase (16.G).
    pub ran: bool,
    /// It has failed a Morale Check since this was last put back (16.G).
    pub failed: bool,
    /// Routed or Pinned when the Rally Phase began (13.B).
    pub shaken: bool,
    /// A severely wounded Leader was in its hex when it spent its first MPs (12.D.1).
    pub slowed: bool,
}

/// How much a unit fires (4.B).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Volume {
    Half,
    Full,
}

/// A unit, a holder, a train.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    pub spot: Spot,
    pub mode: Mode,
    /// Casualty Points (11).
    pub losses: u8,
    pub disrupted: bool,
    pub pinned: bool,
    pub routed: bool,
    pub low_ammo: bool,
    /// A Holder that has lost its mounts (16.B).
    pub mountless: bool,
    /// A Pack Train without its Personnel (15.B).
    pub abandoned: bool,
    /// Behind Breastworks (16.C).
    pub works: bool,
    /// Halves of boxes used (14.D).
    pub used: u8,
    /// Ammunition of a Pack Train: points, or boxes (15, 14.F).
    pub ammo: u8,
    /// It has fired in this game (14.D).
    pub has_fired: bool,
    /// Where its Rout began (10.J.2.a).
    pub rout_from: Option<Hex>,
    pub did: Doings,
}

impl Unit {
    /// Not in play.
    pub fn new() -> Unit {
        Unit {
            spot: Spot::Pool,
            mode: Mode::Dismounted,
            losses: 0,
            disrupted: false,
            pinned: false,
            routed: false,
            low_ammo: false,
            mountless: false,
            abandoned: false,
            works: false,
            used: 0,
            ammo: 0,
            has_fired: false,
            rout_from: None,
            did: Doings::default(),
        }
    }
    /// 3.B: neither Disrupted nor Pinned nor Routed.
    pub fn is_good(&self) -> bool {
        !self.disrupted && !self.pinned && !self.routed
    }
}

impl Default for Unit {
    fn default() -> Self {
        Unit::new()
    }
}

/// A Leader (12).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chief {
    pub spot: Spot,
    /// The unit to which he is attached (12.A).
    pub with: Option<UnitId>,
    pub wound: Wound,
    /// He was Pinned with his unit, and has not recovered (12.A, 13.B).
    pub pinned: bool,
    /// The turn in whose Rally Phase he dies of his wound, unless he was brought to safety.
    pub dies: Option<u8>,
    /// Brought to safety; the next Rally Phase decides (12.D.1).
    pub safe: bool,
    /// What his wound has scored (12.D.1).
    pub scored: i32,
    pub spent: u16,
    pub halted: bool,
}

/// A hex that was attacked in this Melee Phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attacked {
    pub at: Hex,
    /// The hexes that the attack came from, and which attack no other (10.B); none of a pursuit.
    pub from: Vec<Hex>,
    /// Who of them advances in the end, where he may (10.H.3).
    pub advancing: Vec<UnitId>,
}

/// A Breastworks marker on the map (16.C).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    pub hex: Hex,
    pub train: UnitId,
    /// Who is under it.
    pub unit: Option<UnitId>,
    /// It counts from the end of the US Player Turn.
    pub ready: bool,
}

/// How a game ended (17).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    pub winner: Option<Side>,
    pub level: super::components::Level,
    pub why: &'static str,
}

/// A position.
#[derive(Clone, Debug)]
pub struct State {
    pub c: Arc<Components>,
    pub charts: Arc<Charts>,
    pub variant: Variant,
    pub scenario: usize,
    pub turn: u8,
    pub phasing: Side,
    pub phase: Phase,
    /// The phase of this Player Turn with which a director has ruled that it goes on.
    pub next_phase: Option<Phase>,
    pub units: Vec<Unit>,
    pub chiefs: Vec<Chief>,
    pub doctrine: [Doctrine; 2],
    pub works: Vec<Work>,
    /// How many units may still build in this phase, once the die is rolled (16.C).
    pub builders: Option<u8>,
    pub vps: [i32; 2],
    /// Casualty Points of each side.
    pub losses: [u16; 2],
    /// Objectives entered (17).
    pub entered: [bool; 3],
    pub ammo_points: u8,
    /// 16.D: Van Vliet is free to go.
    pub eagle_free: bool,
    /// 16.E: the village was searched in this game, and in this turn.
    pub searched: bool,
    pub searched_now: bool,
    /// The VPs that the story told last.
    pub told: [i32; 2],
    /// An order of this Movement Phase has moved somebody or begun work (16.E).
    pub ordered: bool,
    /// The units that look for the village.
    pub seekers: Vec<UnitId>,
    /// Lieutenants that may come (12.D.6).
    pub lieutenants_due: u8,
    /// The firers and targets of the Advance Fire Phase, in the order of the orders (4.E).
    pub aims: Vec<(UnitId, UnitId)>,
    /// The attacks of this Melee Phase.
    pub attacked: Vec<Attacked>,
    pub ending: Option<Ending>,
    /// An order is being carried out: stacks and Leaders may be on the way.
    pub resolving: bool,
    /// By hex: the first counter there, and by counter the next one in its hex; ids rise.
    pub(super) first: Vec<u8>,
    pub(super) next: Vec<u8>,
}

/// No counter, in the lists by hex.
const NOBODY: u8 = u8::MAX;

/// The counters in a hex.
#[derive(Clone)]
pub struct Here<'g> {
    next: &'g [u8],
    at: u8,
}

impl Iterator for Here<'_> {
    type Item = UnitId;
    fn next(&mut self) -> Option<UnitId> {
        if self.at == NOBODY {
            return None;
        }
        let unit = UnitId(self.at);
        self.at = self.next[unit.index()];
        Some(unit)
    }
}

impl State {
    /// A position with nothing on the map.
    pub fn empty(c: Arc<Components>, charts: Arc<Charts>, variant: Variant, scenario: usize) -> State {
        State {
            variant,
            scenario,
            turn: 0,
            phasing: Side::Indian,
            phase: Phase::SetUp,
            next_phase: None,
            units: vec![Unit::new(); c.units.len()],
            chiefs: vec![Chief::default(); c.leaders.len()],
            doctrine: [Doctrine::default(); 2],
            works: Vec::new(),
            builders: None,
            vps: [0; 2],
            losses: [0; 2],
            entered: [false; 3],
            ammo_points: 0,
            eagle_free: false,
            searched: false,
            searched_now: false,
            told: [0; 2],
            ordered: false,
            seekers: Vec::new(),
            lieutenants_due: 0,
            aims: Vec::new(),
            attacked: Vec::new(),
            ending: None,
            resolving: false,
            first: vec![NOBODY; charts.grid.len()],
            next: vec![NOBODY; c.units.len()],
            c,
            charts,
        }
    }

    /// The seat of a side.
    pub fn seat(&self, side: Side) -> Seat {
        // Two sides.
        Seat(side.index() as u8)
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
    /// What is printed on a counter.
    pub fn counter(&self, u: UnitId) -> &Counter {
        &self.c[u]
    }
    pub fn class(&self, u: UnitId) -> Class {
        self.c[u].class
    }
    pub fn side(&self, u: UnitId) -> Side {
        self.c.class(self.class(u)).side
    }
    /// The id of a hex.
    pub fn id(&self, hex: Hex) -> String {
        self.charts.grid.id(hex)
    }
    /// Its id, as orders name it.
    pub fn name(&self, u: UnitId) -> String {
        self.c[u].id.clone()
    }

    /// Puts a counter somewhere: the one way in which counters come and go.
    pub fn put(&mut self, u: UnitId, spot: Spot) {
        if let Spot::On(hex) = self.unit(u).spot {
            self.unlink(u, hex);
        }
        if let Spot::On(hex) = spot {
            self.link(u, hex);
        }
        let moved = self.unit(u).spot != spot;
        self.unit_mut(u).spot = spot;
        if moved {
            self.leave_works(u);
        }
    }
    /// 16.C: a unit is no longer under Breastworks; they stay where they are.
    pub fn leave_works(&mut self, u: UnitId) {
        if std::mem::take(&mut self.unit_mut(u).works) {
            self.works.iter_mut().filter(|work| work.unit == Some(u)).for_each(|work| work.unit = None);
        }
    }
    fn unlink(&mut self, u: UnitId, hex: Hex) {
        let after = self.next[u.index()];
        if self.first[hex.index()] == u.0 {
            self.first[hex.index()] = after;
        } else {
            let mut at = self.first[hex.index()];
            while at != NOBODY {
                if self.next[usize::from(at)] == u.0 {
                    self.next[usize::from(at)] = after;
                    break;
                }
                at = self.next[usize::from(at)];
            }
        }
        self.next[u.index()] = NOBODY;
    }
    fn link(&mut self, u: UnitId, hex: Hex) {
        let mut before = NOBODY;
        let mut at = self.first[hex.index()];
        while at != NOBODY && at < u.0 {
            before = at;
            at = self.next[usize::from(at)];
        }
        self.next[u.index()] = at;
        match before {
            NOBODY => self.first[hex.index()] = u.0,
            before => self.next[usize::from(before)] = u.0,
        }
    }

    /// The counters in a hex, in the order of their ids.
    pub fn here(&self, hex: Hex) -> Here<'_> {
        Here { next: &self.next, at: self.first[hex.index()] }
    }
    /// The counters of a side in a hex.
    pub fn of_side(&self, hex: Hex, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.here(hex).filter(move |&u| self.side(u) == side)
    }
    /// The side that stands in a hex; an abandoned Pack Train holds none (15.B).
    pub fn holder_of(&self, hex: Hex) -> Option<Side> {
        self.here(hex).find(|&u| !self.unit(u).abandoned).map(|u| self.side(u))
    }
    /// `true` if a side has a unit in a hex.
    pub fn holds(&self, hex: Hex, side: Side) -> bool {
        self.holder_of(hex) == Some(side)
    }
    /// Leaders in a hex.
    pub fn leaders_in(&self, hex: Hex) -> impl Iterator<Item = LeaderId> + '_ {
        self.c.leader_ids().filter(move |&l| self.chief(l).spot == Spot::On(hex))
    }
    /// All units of a side on the map.
    pub fn on_map(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.c.unit_ids().filter(move |&u| self.unit(u).spot.hex().is_some() && self.side(u) == side)
    }
    pub fn hex(&self, u: UnitId) -> Option<Hex> {
        self.unit(u).spot.hex()
    }

    /// The Combat Factors of a unit that has lost nothing, mounted or not.
    pub fn full(&self, u: UnitId) -> u8 {
        self.c[u].cf.iter().copied().max().unwrap_or(0)
    }
    /// 11: the Combat Factor now.
    pub fn cf(&self, u: UnitId) -> u8 {
        self.cf_as(u, self.unit(u).mode)
    }
    /// The Combat Factor that it has in a mode.
    pub fn cf_as(&self, u: UnitId, mode: Mode) -> u8 {
        self.c[u].cf[usize::from(mode != Mode::Mounted)].saturating_sub(self.unit(u).losses)
    }
    /// 6: what a unit counts in a hex.
    pub fn stacking(&self, u: UnitId) -> u32 {
        match self.class(u) {
            Class::PonyHolder => 0,
            class if class.is_holder() => 1,
            _ => self.cf(u).into(),
        }
    }
    /// 6: stacking points in a hex.
    pub fn stacked(&self, hex: Hex) -> u32 {
        self.here(hex).map(|u| self.stacking(u)).sum()
    }
    /// The mode in which a unit counts in combat: Prone under Breastworks (16.C); the HQ is
    /// dismounted unless it moves (12.E.3).
    pub fn posture(&self, u: UnitId) -> Mode {
        let unit = self.unit(u);
        match unit.mode {
            _ if unit.works => Mode::Prone,
            Mode::Mounted if self.class(u) == Class::Hq => Mode::Dismounted,
            mode => mode,
        }
    }
    /// Whether Light Woods, rocks and the like lie in a hex.
    pub fn ground(&self, hex: Hex) -> Ground {
        self.charts.ground[hex]
    }

    /// Adds to a side's Victory Points.
    pub fn score(&mut self, side: Side, points: i32) {
        self.vps[side.index()] += points;
    }
    /// 16.F, 17: so many Casualty Points of a side.
    pub fn casualties(&mut self, side: Side, points: u8) {
        for _ in 0..points {
            self.losses[side.index()] += 1;
            let late =
                self.variant.casualty_limit() && i32::from(self.losses[side.index()]) >= self.c.n(Num::CasualtyLimit);
            let vp = match side {
                Side::Us => Vp::UsCasualty,
                Side::Indian if late => Vp::IndianCasualtyLate,
                Side::Indian => Vp::IndianCasualty,
            };
            let points = self.c.vp(vp);
            self.score(side.enemy(), points);
        }
    }
    /// The time of day, `08:00` in turn 1 (18.1).
    pub fn clock(&self) -> String {
        let minutes = 8 * 60 + 20 * u16::from(self.turn.saturating_sub(1));
        format!("{:02}:{:02}", minutes / 60, minutes % 60)
    }
    /// The scenario has Pack Trains (18.2).
    pub fn has_trains(&self) -> bool {
        self.c.scenarios[self.scenario].trains
    }
    /// Everything a unit has done in the phases of a Player Turn is forgotten.
    pub fn fresh_turn(&mut self) {
        for unit in &mut self.units {
            unit.did = Doings::default();
        }
        self.aims.clear();
        for chief in &mut self.chiefs {
            (chief.spent, chief.halted) = (0, false);
        }
    }
    /// 9.F: one Opportunity or Retreat Fire a phase.
    pub fn fresh_phase(&mut self) {
        self.units.iter_mut().for_each(|unit| (unit.did.reacted, unit.did.sniped) = (false, false));
    }
}
