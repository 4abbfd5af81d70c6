//! The position of a game.

use super::{
    components::{Charts, Class, Components, Counter, Ground, LeaderId, Num, Side, UnitId, Vp},
    doctrine::Doctrine,
    variant::Variant,
};
use postrider_table::{Earned, Seat, hex::Hex};
use std::sync::Arc;

/// The place of a counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spot {
    /// Not in play, such as a Holder that is not deployed, or a Pack Train of the other scenario.
    #[default]
    Pool,
    /// Waiting to enter: a Scout before the set-up, an Indian in turn 1.
    Waiting,
    On(Hex),
    /// Has left the map.
    Off,
    /// Eliminated.
    Dead,
}

impl Spot {
    /// Returns the hex of a counter on the map.
    pub fn hex(self) -> Option<Hex> {
        match self {
            Spot::On(hex) => Some(hex),
            _ => None,
        }
    }
}

postrider_table::named! {
    /// The mode of a unit (3.A, 8).
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

    /// The severity of a Leader's wound (12.D.1).
    pub enum Wound {
        None = "none", "unhurt";
        Moderate = "moderate", "wounded";
        Severe = "severe", "severely wounded";
        Mortal = "mortal", "mortally wounded";
    }
}

/// The activities of a unit in the current phases.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Doings {
    /// MPs spent in this Movement Phase, counted against the allowance of the current mode (8.D);
    /// for a Routed unit, the hexes of its Rout (10.J).
    pub spent: u16,
    /// `true` if it may not move any more: after a minimum move or a crawl, for re-supply or
    /// Breastworks, or because it was stopped.
    pub halted: bool,
    /// Its Offensive Fire in this Player Turn (4.B).
    pub fired: Option<Volume>,
    /// The hex at which it fired in the Advance Fire Phase, and to which its melee is restricted
    /// (10.B).
    pub advance: Option<Hex>,
    /// `true` if it has used Opportunity or Retreat Fire in this phase (9.F).
    pub reacted: bool,
    /// `true` if it has used Opportunity Fire in this phase; in the Melee Phase it then may not
    /// attack (10.B).
    pub sniped: bool,
    /// `true` if it has taken part in a melee in this phase (10.B).
    pub fought: bool,
    /// `true` if it was in good order at the start of the Movement Phase (16.A).
    pub fresh: bool,
    /// The target hex of its charge (16.A).
    pub charge: Option<Hex>,
    /// The levels that it has climbed in its charge (16.A).
    pub climbed: i32,
    /// Its hex at the start of the Melee Phase (10.A); in turn 1 before that, the hex where it
    /// entered (18.1).
    pub from: Option<Hex>,
    /// `true` if it is re-supplied at the end of the Movement Phase (14.C).
    pub resupply: bool,
    /// `true` if it has made its Rout move of this Player Turn.
    pub fled: bool,
    /// `true` if it was Routed by a result in its own Movement Phase, in which it then does not
    /// move again (10.J).
    pub broke: bool,
    /// `true` if it has moved with other units in this phase (16.G).
    pub stacked: bool,
    /// `true` if it has fired as Hit & Run in this phase (16.G).
    pub ran: bool,
    /// `true` if it was Routed or Pinned at the start of the Rally Phase (13.B).
    pub shaken: bool,
    /// `true` if a severely wounded Leader was in its hex when it spent its first MPs (12.D.1).
    pub slowed: bool,
}

/// The strength of a fire (4.B).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Volume {
    Half,
    Full,
}

/// A unit, a Holder or a Pack Train.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    pub spot: Spot,
    pub mode: Mode,
    /// Number of Casualty Points (11).
    pub losses: u8,
    pub disrupted: bool,
    pub pinned: bool,
    pub routed: bool,
    pub low_ammo: bool,
    /// `true` for a Holder that has lost its mounts (16.B).
    pub mountless: bool,
    /// `true` for a Pack Train without its Personnel (15.B).
    pub abandoned: bool,
    /// `true` if under Breastworks (16.C).
    pub works: bool,
    /// Number of half boxes used (14.D).
    pub used: u8,
    /// Ammunition of a Pack Train, in points or boxes (15, 14.F).
    pub ammo: u8,
    /// `true` if it has fired in this game (14.D).
    pub has_fired: bool,
    /// The hex where its Rout began (10.J.2.a).
    pub rout_from: Option<Hex>,
    pub did: Doings,
}

impl Unit {
    /// Returns a unit that is not in play.
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
    /// Returns `true` if it is in good order: neither Disrupted, Pinned nor Routed (3.B).
    pub fn is_good(&self) -> bool {
        !self.disrupted && !self.pinned && !self.routed
    }
}

impl Default for Unit {
    fn default() -> Self {
        Unit::new()
    }
}

/// The state of a Leader (12).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chief {
    pub spot: Spot,
    /// The unit to which he is attached (12.A).
    pub with: Option<UnitId>,
    pub wound: Wound,
    /// `true` if he was Pinned with his unit and has not recovered (12.A, 13.B).
    pub pinned: bool,
    /// The turn in whose Rally Phase he dies of his wound, unless he has been evacuated.
    pub dies: Option<u8>,
    /// `true` if he has been evacuated; the next Rally Phase decides (12.D.1).
    pub safe: bool,
    /// VPs scored for his wound (12.D.1).
    pub scored: i32,
    pub spent: u16,
}

/// A hex that was attacked in this Melee Phase.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attacked {
    pub at: Hex,
    /// The hexes from which it was attacked, and which may attack no other hex (10.B); empty for a
    /// pursuit.
    pub from: Vec<Hex>,
    /// The units that advance at the end, if they may (10.H.3).
    pub advancing: Vec<UnitId>,
}

/// A Breastworks marker on the map (16.C).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    pub hex: Hex,
    pub train: UnitId,
    /// The unit under it.
    pub unit: Option<UnitId>,
    /// `true` from the end of the US Player Turn in which it was built.
    pub ready: bool,
}

/// The result of a game (17).
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
    /// The next phase of this Player Turn, if a director has ruled that others are skipped.
    pub next_phase: Option<Phase>,
    pub units: Vec<Unit>,
    pub chiefs: Vec<Chief>,
    pub doctrine: [Doctrine; 2],
    pub works: Vec<Work>,
    /// Number of units that may still build in this phase; `None` before the die is rolled (16.C).
    pub builders: Option<u8>,
    pub vps: [i32; 2],
    /// The Victory Points by the rules that gave or took them.
    pub earned: Earned<Side>,
    /// Casualty Points by side.
    pub losses: [u16; 2],
    /// Objectives entered by the US (17).
    pub entered: [bool; 3],
    pub ammo_points: u8,
    /// `true` if Van Vliet may leave the Eagle's Nest (16.D).
    pub eagle_free: bool,
    /// `true` if the village has been searched for in this game; `searched_now` is for this turn
    /// (16.E).
    pub searched: bool,
    pub searched_now: bool,
    /// The VPs when the story last told them.
    pub told: [i32; 2],
    /// `true` if an order of this Movement Phase has moved a piece or begun work (16.E).
    pub ordered: bool,
    /// The units that left to find the village.
    pub seekers: Vec<UnitId>,
    /// Number of Lieutenants available (12.D.6).
    pub lieutenants_due: u8,
    /// Firers and targets of the Advance Fire Phase, in the sequence of the orders (4.E).
    pub aims: Vec<(UnitId, UnitId)>,
    /// The attacks of this Melee Phase.
    pub attacked: Vec<Attacked>,
    pub ending: Option<Ending>,
    /// `true` while an order is carried out, when stacks may exceed limits and Leaders may be
    /// between units.
    pub resolving: bool,
    /// The first counter of each hex; `next` links the counters of a hex in ascending order of id.
    pub(super) first: Vec<u8>,
    pub(super) next: Vec<u8>,
}

/// The end of a list of counters.
const NOBODY: u8 = u8::MAX;

/// An iterator over the counters in a hex.
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
    /// Returns a position with an empty map.
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
            earned: Earned::default(),
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

    /// Returns the seat of a side.
    pub fn seat(&self, side: Side) -> Seat {
        // There are two sides.
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
    /// Returns the printed values of a counter.
    pub fn counter(&self, u: UnitId) -> &Counter {
        &self.c[u]
    }
    pub fn class(&self, u: UnitId) -> Class {
        self.c[u].class
    }
    pub fn side(&self, u: UnitId) -> Side {
        self.c.class(self.class(u)).side
    }
    /// Returns the id of a hex.
    pub fn id(&self, hex: Hex) -> String {
        self.charts.grid.id(hex)
    }
    /// Returns the id of a unit, its name in orders.
    pub fn name(&self, u: UnitId) -> String {
        self.c[u].id.clone()
    }

    /// Moves a counter to a place. All movements of counters use this function.
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
    /// Removes a unit from its Breastworks, which remain in the hex (16.C).
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

    /// Returns the counters in a hex, in ascending order of id.
    pub fn here(&self, hex: Hex) -> Here<'_> {
        Here { next: &self.next, at: self.first[hex.index()] }
    }
    /// Returns the counters of a side in a hex.
    pub fn of_side(&self, hex: Hex, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.here(hex).filter(move |&u| self.side(u) == side)
    }
    /// Returns the side that holds a hex; an abandoned Pack Train does not count (15.B).
    pub fn holder_of(&self, hex: Hex) -> Option<Side> {
        self.here(hex).find(|&u| !self.unit(u).abandoned).map(|u| self.side(u))
    }
    /// Returns `true` if a side has a unit in a hex.
    pub fn holds(&self, hex: Hex, side: Side) -> bool {
        self.holder_of(hex) == Some(side)
    }
    /// Returns the Leaders in a hex.
    pub fn leaders_in(&self, hex: Hex) -> impl Iterator<Item = LeaderId> + '_ {
        self.c.leader_ids().filter(move |&l| self.chief(l).spot == Spot::On(hex))
    }
    /// Returns all units of a side on the map.
    pub fn on_map(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.c.unit_ids().filter(move |&u| self.unit(u).spot.hex().is_some() && self.side(u) == side)
    }
    pub fn hex(&self, u: UnitId) -> Option<Hex> {
        self.unit(u).spot.hex()
    }

    /// Returns the full Combat Factor of a unit, the higher of both modes.
    pub fn full(&self, u: UnitId) -> u8 {
        self.c[u].cf.iter().copied().max().unwrap_or(0)
    }
    /// Returns the current Combat Factor of a unit (11).
    pub fn cf(&self, u: UnitId) -> u8 {
        self.cf_as(u, self.unit(u).mode)
    }
    /// Returns the Combat Factor of a unit in a mode, less its losses.
    pub fn cf_as(&self, u: UnitId, mode: Mode) -> u8 {
        self.c[u].cf[usize::from(mode != Mode::Mounted)].saturating_sub(self.unit(u).losses)
    }
    /// Returns the stacking points of a unit (6).
    pub fn stacking(&self, u: UnitId) -> u32 {
        match self.class(u) {
            Class::PonyHolder => 0,
            class if class.is_holder() => 1,
            _ => self.cf(u).into(),
        }
    }
    /// Returns the stacking points in a hex (6).
    pub fn stacked(&self, hex: Hex) -> u32 {
        self.here(hex).map(|u| self.stacking(u)).sum()
    }
    /// Returns the mode in which a unit counts in combat: Prone under Breastworks (16.C), and
    /// dismounted for the HQ unless it is moving (12.E.3).
    pub fn posture(&self, u: UnitId) -> Mode {
        let unit = self.unit(u);
        match unit.mode {
            _ if unit.works => Mode::Prone,
            Mode::Mounted if self.class(u) == Class::Hq => Mode::Dismounted,
            mode => mode,
        }
    }
    /// Returns the terrain of a hex.
    pub fn ground(&self, hex: Hex) -> Ground {
        self.charts.ground[hex]
    }

    /// Adds Victory Points to a side by a rule.
    pub fn score(&mut self, side: Side, points: i32, rule: &'static str) {
        self.vps[side.index()] += points;
        self.earned.add(side, rule, points);
    }
    /// Adds Casualty Points to a side, and the VPs for them to the enemy (16.F, 17).
    pub fn casualties(&mut self, side: Side, points: u8) {
        for _ in 0..points {
            self.losses[side.index()] += 1;
            let late =
                self.variant.casualty_limit() && i32::from(self.losses[side.index()]) >= self.c.n(Num::CasualtyLimit);
            let (vp, rule) = match side {
                Side::Us => (Vp::UsCasualty, "17"),
                Side::Indian if late => (Vp::IndianCasualtyLate, "16.F"),
                Side::Indian => (Vp::IndianCasualty, "17"),
            };
            let points = self.c.vp(vp);
            self.score(side.enemy(), points, rule);
        }
    }
    /// Returns the time of day: `08:00` in turn 1 (18.1).
    pub fn clock(&self) -> String {
        let minutes = 8 * 60 + 20 * u16::from(self.turn.saturating_sub(1));
        format!("{:02}:{:02}", minutes / 60, minutes % 60)
    }
    /// Returns `true` if the scenario has Pack Trains (18.2).
    pub fn has_trains(&self) -> bool {
        self.c.scenarios[self.scenario].trains
    }
    /// Clears the activities of all units and Leaders at the start of a Player Turn.
    pub fn fresh_turn(&mut self) {
        for unit in &mut self.units {
            unit.did = Doings::default();
        }
        self.aims.clear();
        for chief in &mut self.chiefs {
            chief.spent = 0;
        }
    }
    /// Allows each unit one Opportunity or Retreat Fire in the new phase (9.F).
    pub fn fresh_phase(&mut self) {
        self.units.iter_mut().for_each(|unit| (unit.did.reacted, unit.did.sniped) = (false, false));
    }
}
