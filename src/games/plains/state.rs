//! The position of a game: what lies on the map, in the boxes and in the hands.

use super::{
    components::{CardId, Components, Event, Faction, RegionId, Spot},
    scoring::Score,
    variant::Variant,
};
use postrider_orders::Names;
use postrider_table::{Hands, Seat};
use std::{
    ops::{AddAssign, Index, IndexMut, SubAssign},
    sync::Arc,
};

/// The most friendly cubes in a region (4.4).
pub const STACK: u8 = 8;
/// Cards in a hand (5, 9).
pub const HAND: usize = 3;

/// Cubes by faction; the Railroad's lie on the track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cubes(pub [u8; 6]);

impl Cubes {
    /// So many of one faction.
    pub fn of(faction: Faction, n: u8) -> Cubes {
        let mut cubes = Cubes::default();
        cubes[faction] = n;
        cubes
    }
    /// Green and Orange.
    pub fn indian(&self) -> u8 {
        self[Faction::Npt] + self[Faction::Spt]
    }
    /// Blue, Brown and Purple (4.5).
    pub fn us(&self) -> u8 {
        self[Faction::Cavalry] + self[Faction::Settlers] + self[Faction::Enemies]
    }
    /// Those of one side.
    pub fn side(&self, indian: bool) -> u8 {
        if indian { self.indian() } else { self.us() }
    }
    /// `true` if both sides are there.
    pub fn both_sides(&self) -> bool {
        self.indian() > 0 && self.us() > 0
    }
    /// All but Wagons.
    pub fn fighting(&self) -> u8 {
        self.indian() + self.us()
    }
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 6]
    }
    /// `true` if all of `other` are among these.
    pub fn has(&self, other: &Cubes) -> bool {
        self.0.iter().zip(other.0).all(|(&a, b)| a >= b)
    }
    /// The factions that are there, with how many.
    pub fn each(&self) -> impl Iterator<Item = (Faction, u8)> + use<> {
        let cubes = *self;
        Faction::ALL.into_iter().take(6).map(move |f| (f, cubes[f])).filter(|&(_, n)| n > 0)
    }
}

impl Index<Faction> for Cubes {
    type Output = u8;
    fn index(&self, f: Faction) -> &u8 {
        &self.0[f.index()]
    }
}

impl IndexMut<Faction> for Cubes {
    fn index_mut(&mut self, f: Faction) -> &mut u8 {
        &mut self.0[f.index()]
    }
}

impl AddAssign for Cubes {
    fn add_assign(&mut self, other: Cubes) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

impl SubAssign for Cubes {
    fn sub_assign(&mut self, other: Cubes) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a -= b);
    }
}

/// What cards played in this round have in effect.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Regions in whose engagements Treaty faces on Indian dice count as hits (Crazy Horse, Lozen).
    pub fierce: Vec<RegionId>,
    /// Black Kettle: the Indian player may end one engagement.
    pub black_kettle: bool,
    /// Winter Campaign: Blue may roll one more die in one engagement.
    pub winter: bool,
    /// Pony Express: one group of Brown may move up to three regions.
    pub pony: bool,
    /// Lozen: the region whose force she leads; where it goes its Treaty faces are hits.
    pub lozen: Option<RegionId>,
    /// Black Hills Gold: the region into which Brown cubes came without a move (13).
    pub settled: Option<RegionId>,
}

/// Everything there is to know about a position.
#[derive(Clone, Debug)]
pub struct State {
    pub c: Arc<Components>,
    /// The spots to which some faction can step, in the order of [`Components::spots`]; see
    /// [`State::near`].
    pub near: Arc<[Vec<Spot>]>,
    /// How players write the spots.
    pub names: Arc<Names<Spot>>,
    pub variant: Variant,
    /// The turn, from 1: all discs are drawn once in each (8, 14); 0 during set-up.
    pub turn: u32,
    /// Discs that are still in the bag, in the order of [`Faction::ALL`].
    pub bag: Vec<Faction>,
    /// The Disc Track: those drawn this turn, in order.
    pub drawn: Vec<Faction>,
    /// Cubes by spot: regions first, then [`Spot::BESIDE`].
    pub map: Vec<Cubes>,
    /// Ready Boxes.
    pub ready: Cubes,
    /// Casualty Boxes.
    pub casualties: Cubes,
    /// Spaces filled from St. Louis and from Sacramento (6.7).
    pub east: usize,
    pub west: usize,
    /// Deck, hand and discard pile of each faction that has them (4.2), by [`Faction::CARDED`].
    pub decks: [Hands<CardId>; 4],
    /// The enduring instructions that are visible, by [`Faction::CARDED`] (9.2.1); they end with the turn.
    pub enduring: [Option<Event>; 4],
    /// Wagons that reached the Rockies, by route: north, south (6.6.2).
    pub arrived: [u8; 2],
    /// Wagons destroyed (12.1.2.1).
    pub destroyed: u8,
    /// VPs of the Indians for every two Cavalry cubes in a battle, and for Custer.
    pub battle_vps: i32,
    pub custer_vps: i32,
    /// The round's effects.
    pub fx: Effects,
    /// Cubes that have already moved in this round, by spot: they move no more (house reading of 11).
    pub moved: Vec<Cubes>,
    /// Cubes have been placed or may still move: regions may be over the limit until all movement has ended (4.4, 9.1).
    pub moving: bool,
    /// The points of each seat as the story told them last.
    pub told: Vec<Score>,
    /// Factions that came to a region in one group in this round (11.2.2).
    pub together: Vec<(RegionId, [Faction; 2])>,
    /// A card is being chosen: nothing is under way, and a director can set pieces right.
    pub at_rest: bool,
    /// Regions that an engagement waits for, in the order in which they were entered.
    pub contested: Vec<RegionId>,
    /// Wagons, by region, that a Treaty spares for the rest of the turn (12.1.2.1).
    pub spared: Vec<u8>,
    /// Wagons, by region, that have escaped from an attack in this round.
    pub escaped: Vec<u8>,
    /// Custer's cubes by spot in the turn in which they were placed (9.2.2, VP); empty when there are none to count.
    pub custer: Vec<u8>,
    /// The end has come with the last disc of this turn (14).
    pub ending: bool,
    pub finished: bool,
}

impl State {
    /// Railroad cubes off the track (6.7).
    pub fn black(&self) -> usize {
        usize::from(self.c.pieces[Faction::Railroad.index()].cubes).saturating_sub(self.east + self.west)
    }
    fn at(&self, spot: Spot) -> usize {
        self.c.place(spot)
    }
    /// Where a step from here can lead for some faction at least.
    pub fn near(&self, spot: Spot) -> &[Spot] {
        &self.near[self.at(spot)]
    }
    /// The cubes of a spot.
    pub fn cubes(&self, spot: Spot) -> &Cubes {
        &self.map[self.at(spot)]
    }
    pub fn cubes_mut(&mut self, spot: Spot) -> &mut Cubes {
        let at = self.at(spot);
        &mut self.map[at]
    }
    /// The cubes of a region.
    pub fn region(&self, r: RegionId) -> &Cubes {
        &self.map[usize::from(r.0)]
    }
    pub fn region_mut(&mut self, r: RegionId) -> &mut Cubes {
        &mut self.map[usize::from(r.0)]
    }
    /// Cubes of a spot that have not moved this round.
    pub fn fresh(&self, spot: Spot) -> Cubes {
        let mut cubes = *self.cubes(spot);
        let moved = self.moved[self.at(spot)];
        // Losses may have taken some of those that moved.
        cubes.0.iter_mut().zip(moved.0).for_each(|(a, b)| *a = a.saturating_sub(b));
        cubes
    }
    /// Moves cubes that have not moved this round, and marks them as moved.
    pub fn advance(&mut self, from: Spot, to: Spot, cubes: Cubes) {
        self.carry(from, to, cubes);
        let to = self.at(to);
        self.moved[to] += cubes;
    }
    /// Moves cubes with their marks of having moved this round; marked ones go first.
    pub fn shift(&mut self, from: Spot, to: Spot, cubes: Cubes) {
        let (a, b) = (self.at(from), self.at(to));
        for (f, n) in cubes.each() {
            let marked = n.min(self.moved[a][f]);
            self.moved[a][f] -= marked;
            self.moved[b][f] += marked;
        }
        self.carry(from, to, cubes);
    }
    fn carry(&mut self, from: Spot, to: Spot, cubes: Cubes) {
        *self.cubes_mut(from) -= cubes;
        *self.cubes_mut(to) += cubes;
        let (a, b) = (self.at(from), self.at(to));
        if !self.custer.is_empty() {
            // Other Blue cubes go first.
            let stay = self.map[a][Faction::Cavalry].min(self.custer[a]);
            self.custer[b] += self.custer[a] - stay;
            self.custer[a] = stay;
        }
    }
    /// Marks the cubes of a faction in a spot as moved, where they stay (4.3).
    pub fn hold(&mut self, spot: Spot, faction: Faction) {
        let at = self.at(spot);
        self.moved[at][faction] = self.map[at][faction];
    }
    /// Takes cubes from the Ready Box, as many as there are; says how many (10).
    pub fn muster(&mut self, faction: Faction, spot: Spot, wanted: u8) -> u8 {
        let n = wanted.min(self.ready[faction]);
        self.ready[faction] -= n;
        self.cubes_mut(spot)[faction] += n;
        n
    }
    /// Puts a cube into its Casualty Box (12.1.3); Wagons lost are in the Indian Victory Point Box instead.
    pub fn kill(&mut self, spot: Spot, faction: Faction) {
        self.cubes_mut(spot)[faction] -= 1;
        self.casualties[faction] += 1;
        if faction == Faction::Cavalry && !self.custer.is_empty() {
            let at = self.at(spot);
            self.custer[at] = self.custer[at].saturating_sub(1);
        }
    }
    /// Puts cubes of a region that have nowhere to go back into the Ready Box (10.5, 12.1.2, 13).
    pub fn send_back(&mut self, r: RegionId, faction: Faction, n: u8) {
        self.region_mut(r)[faction] -= n;
        self.ready[faction] += n;
        let left = self.region(r)[faction];
        let moved = &mut self.moved[usize::from(r.0)][faction];
        *moved = (*moved).min(left);
        if faction == Faction::Cavalry && self.custer.get(usize::from(r.0)).is_some_and(|&c| c > left) {
            // Who is not on the map is not eliminated.
            self.custer.clear();
        }
    }
    /// 9.2.2: notes Custer's force, for the rest of the turn.
    pub fn send_custer(&mut self, r: RegionId, n: u8) {
        self.custer = vec![0; self.map.len()];
        self.custer[usize::from(r.0)] = n;
    }
    /// If fewer Blue cubes stand in a spot than Custer led there, the others count for him no more;
    /// who is not on the map is not eliminated.
    pub fn limit_custer(&mut self, spot: Spot) {
        let (at, left) = (self.at(spot), self.cubes(spot)[Faction::Cavalry]);
        if let Some(led) = self.custer.get_mut(at).filter(|led| **led > left) {
            *led = left;
            if self.custer.iter().all(|&n| n == 0) {
                self.custer.clear();
            }
        }
    }
    /// Wagons of a region that may be attacked now (12.1.2.1).
    pub fn targets(&self, r: RegionId) -> u8 {
        let at = usize::from(r.0);
        self.region(r)[Faction::Wagons].saturating_sub(self.spared[at] + self.escaped[at])
    }
    pub fn owner(&self, faction: Faction) -> Seat {
        self.variant.owner(faction)
    }
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.variant.players).map(Seat)
    }
    /// The enduring instruction of a faction.
    pub fn enduring(&self, faction: Faction) -> Option<Event> {
        self.enduring[faction.deck_index()]
    }
    pub fn set_enduring(&mut self, faction: Faction, event: Option<Event>) {
        self.enduring[faction.deck_index()] = event;
    }
    pub fn deck(&self, faction: Faction) -> &Hands<CardId> {
        &self.decks[faction.deck_index()]
    }
    pub fn deck_mut(&mut self, faction: Faction) -> &mut Hands<CardId> {
        &mut self.decks[faction.deck_index()]
    }
    /// The cards in a faction's hand.
    pub fn hand(&self, faction: Faction) -> impl ExactSizeIterator<Item = CardId> + Clone {
        self.deck(faction).hand(self.owner(faction))
    }
    /// What a player plays, in a word: `Indians`, `Cavalry`.
    pub fn part(&self, seat: Seat) -> &'static str {
        match (self.variant.is_indian(seat), seat) {
            (true, _) if !self.variant.separate_indians() => "Indians",
            (true, s) => {
                if s == self.owner(Faction::Npt) {
                    "NPT"
                } else {
                    "SPT"
                }
            }
            (false, _) if !self.variant.separate_us() => "US",
            (false, s) => {
                if s == self.owner(Faction::Cavalry) {
                    "Cavalry"
                } else {
                    "Settlers"
                }
            }
        }
    }
    /// `@A (Indians)`: the office puts the player's name for the `@` word.
    pub fn who(&self, seat: Seat) -> String {
        format!("@{seat} ({})", self.part(seat))
    }
    /// Says which instructions endure now (9.2.1).
    pub fn endures(&self, event: Event) -> bool {
        self.enduring.contains(&Some(event))
    }
    /// The name of a region.
    pub fn name(&self, r: RegionId) -> &str {
        &self.c[r].name
    }
    /// All spaces of the railroad are filled (2, 6.7).
    pub fn joined(&self) -> bool {
        self.east + self.west >= self.c.rail.len()
    }
    /// The mountain spaces of the Central Pacific are filled (6.7.2).
    pub fn through_mountains(&self) -> bool {
        self.west >= self.c.rail.iter().filter(|s| s.mountain).count()
    }
    /// The regions in which Brown cubes extend the railroad now (6.7): beside both railheads, the western one once the mountains
    /// are crossed.
    pub fn railheads(&self) -> Vec<RegionId> {
        if self.joined() {
            return Vec::new();
        }
        let mut beside = self.c.rail[self.east.saturating_sub(1)].regions.clone();
        if self.through_mountains() {
            beside.extend(&self.c.rail[self.c.rail.len() - self.west].regions);
        }
        beside
    }
    /// `true` if a space of the railroad, counted from St. Louis, is filled.
    pub fn is_railed(&self, space: usize) -> bool {
        space < self.east || space >= self.c.rail.len() - self.west
    }
}

/// The verb behind so many cubes.
pub fn goes(n: u8) -> &'static str {
    if n == 1 { "goes" } else { "go" }
}

/// `3 Green and 1 Orange`.
pub fn tell_cubes(cubes: &Cubes) -> String {
    let parts: Vec<String> = cubes.each().map(|(f, n)| format!("{n} {}", f.cubes())).collect();
    if parts.is_empty() { "nothing".to_owned() } else { postrider_orders::list_and(&parts) }
}
