//! The position of a game: the map, the boxes and the hands.

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

/// Maximum number of friendly cubes in a region (4.4).
pub const STACK: u8 = 8;
/// Number of cards in a hand (5, 9).
pub const HAND: usize = 3;

/// Numbers of cubes by faction. The Railroad's cubes are on the track.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cubes(pub [u8; 6]);

impl Cubes {
    /// Returns `n` cubes of one faction.
    pub fn of(faction: Faction, n: u8) -> Cubes {
        let mut cubes = Cubes::default();
        cubes[faction] = n;
        cubes
    }
    /// Returns the number of Green and Orange cubes.
    pub fn indian(&self) -> u8 {
        self[Faction::Npt] + self[Faction::Spt]
    }
    /// Returns the number of Blue, Brown and Purple cubes (4.5).
    pub fn us(&self) -> u8 {
        self[Faction::Cavalry] + self[Faction::Settlers] + self[Faction::Enemies]
    }
    /// Returns the number of fighting cubes of a side.
    pub fn side(&self, indian: bool) -> u8 {
        if indian { self.indian() } else { self.us() }
    }
    /// Returns `true` if both sides have fighting cubes.
    pub fn both_sides(&self) -> bool {
        self.indian() > 0 && self.us() > 0
    }
    /// Returns the number of cubes except Wagons.
    pub fn fighting(&self) -> u8 {
        self.indian() + self.us()
    }
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 6]
    }
    /// Returns `true` if all cubes of `other` are among these.
    pub fn has(&self, other: &Cubes) -> bool {
        self.0.iter().zip(other.0).all(|(&a, b)| a >= b)
    }
    /// Returns the factions with cubes, and their numbers.
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

/// The effects of cards played in this round.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Regions in whose engagements Treaty faces on Indian dice count as hits (Crazy Horse, Lozen).
    pub fierce: Vec<RegionId>,
    /// `true` if the Indian player may still end one engagement (Black Kettle).
    pub black_kettle: bool,
    /// `true` if Blue may still roll one more die in one engagement (Winter Campaign).
    pub winter: bool,
    /// `true` if one group of Brown may still move up to three regions (Pony Express).
    pub pony: bool,
    /// The region whose force Lozen leads. Treaty faces are hits wherever that force goes.
    pub lozen: Option<RegionId>,
    /// The region where Brown cubes were placed by Black Hills Gold, without a move (13).
    pub settled: Option<RegionId>,
}

/// A complete position.
#[derive(Clone, Debug)]
pub struct State {
    pub c: Arc<Components>,
    /// The spots to which some faction can step, in the order of [`Components::spots`]; see
    /// [`State::near`].
    pub near: Arc<[Vec<Spot>]>,
    /// The names of spots that players may use.
    pub names: Arc<Names<Spot>>,
    pub variant: Variant,
    /// The turn, from 1; 0 during set-up. All discs are drawn once each turn (8, 14).
    pub turn: u32,
    /// The discs in the bag, in the order of [`Faction::ALL`].
    pub bag: Vec<Faction>,
    /// The Disc Track: the discs drawn this turn, in order.
    pub drawn: Vec<Faction>,
    /// Cubes by spot: regions first, then [`Spot::BESIDE`].
    pub map: Vec<Cubes>,
    /// The Ready Boxes.
    pub ready: Cubes,
    /// The Casualty Boxes.
    pub casualties: Cubes,
    /// Number of spaces filled from St. Louis and from Sacramento (6.7).
    pub east: usize,
    pub west: usize,
    /// Deck, hand and discard pile of each faction that has them (4.2), indexed like
    /// [`Faction::CARDED`].
    pub decks: [Hands<CardId>; 4],
    /// The visible enduring instructions, indexed like [`Faction::CARDED`] (9.2.1). They end with
    /// the turn.
    pub enduring: [Option<Event>; 4],
    /// Wagons that reached the Rockies, by route: north, south (6.6.2).
    pub arrived: [u8; 2],
    /// Number of Wagons destroyed (12.1.2.1).
    pub destroyed: u8,
    /// VPs of the Indians for every two Cavalry cubes in a battle, and for Custer.
    pub battle_vps: i32,
    pub custer_vps: i32,
    /// The effects of this round.
    pub fx: Effects,
    /// Cubes that have already moved in this round, by spot. They do not move again (house reading
    /// of 11).
    pub moved: Vec<Cubes>,
    /// `true` while cubes are placed or moved, when regions may be over the limit (4.4, 9.1).
    pub moving: bool,
    /// The points of each seat as last told in the story.
    pub told: Vec<Score>,
    /// Factions that arrived in a region in one group in this round (11.2.2).
    pub together: Vec<(RegionId, [Faction; 2])>,
    /// `true` while a card is being chosen. Nothing is under way then, so that a director can
    /// correct pieces.
    pub at_rest: bool,
    /// Regions with a waiting engagement, in the order in which they were entered.
    pub contested: Vec<RegionId>,
    /// Number of Wagons, by region, that a Treaty spares for the rest of the turn (12.1.2.1).
    pub spared: Vec<u8>,
    /// Number of Wagons, by region, that have escaped from an attack in this round.
    pub escaped: Vec<u8>,
    /// Custer's cubes by spot in the turn in which they were placed (9.2.2); empty if they are not
    /// counted.
    pub custer: Vec<u8>,
    pub finished: bool,
    /// `true` if a deck was used up before the railroads were joined (14.1).
    pub stopped: bool,
}

impl State {
    /// Returns the number of Railroad cubes that are not on the track (6.7).
    pub fn black(&self) -> usize {
        usize::from(self.c.pieces[Faction::Railroad.index()].cubes).saturating_sub(self.east + self.west)
    }
    fn at(&self, spot: Spot) -> usize {
        self.c.place(spot)
    }
    /// Returns the spots to which at least one faction can step from here.
    pub fn near(&self, spot: Spot) -> &[Spot] {
        &self.near[self.at(spot)]
    }
    /// Returns the cubes at a spot.
    pub fn cubes(&self, spot: Spot) -> &Cubes {
        &self.map[self.at(spot)]
    }
    pub fn cubes_mut(&mut self, spot: Spot) -> &mut Cubes {
        let at = self.at(spot);
        &mut self.map[at]
    }
    /// Returns the cubes in a region.
    pub fn region(&self, r: RegionId) -> &Cubes {
        &self.map[usize::from(r.0)]
    }
    pub fn region_mut(&mut self, r: RegionId) -> &mut Cubes {
        &mut self.map[usize::from(r.0)]
    }
    /// Returns the cubes at a spot that have not moved this round.
    pub fn fresh(&self, spot: Spot) -> Cubes {
        let mut cubes = *self.cubes(spot);
        let moved = self.moved[self.at(spot)];
        // Losses may have removed some of the moved cubes.
        cubes.0.iter_mut().zip(moved.0).for_each(|(a, b)| *a = a.saturating_sub(b));
        cubes
    }
    /// Moves cubes that have not moved this round, and marks them as moved.
    pub fn advance(&mut self, from: Spot, to: Spot, cubes: Cubes) {
        self.carry(from, to, cubes);
        let to = self.at(to);
        self.moved[to] += cubes;
    }
    /// Moves cubes with their marks of having moved this round. Marked ones go first.
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
    /// Marks the cubes of a faction at a spot as moved, although they stay (4.3).
    pub fn hold(&mut self, spot: Spot, faction: Faction) {
        let at = self.at(spot);
        self.moved[at][faction] = self.map[at][faction];
    }
    /// Takes cubes from the Ready Box, at most the number that is there, and returns their number
    /// (10).
    pub fn muster(&mut self, faction: Faction, spot: Spot, wanted: u8) -> u8 {
        let n = wanted.min(self.ready[faction]);
        self.ready[faction] -= n;
        self.cubes_mut(spot)[faction] += n;
        n
    }
    /// Puts a cube into its Casualty Box (12.1.3). Not for Wagons, which go to the Indian Victory
    /// Point Box.
    pub fn kill(&mut self, spot: Spot, faction: Faction) {
        self.cubes_mut(spot)[faction] -= 1;
        self.casualties[faction] += 1;
        if faction == Faction::Cavalry && !self.custer.is_empty() {
            let at = self.at(spot);
            self.custer[at] = self.custer[at].saturating_sub(1);
        }
    }
    /// Returns cubes of a region that have nowhere to go to the Ready Box (10.5, 12.1.2, 13).
    pub fn send_back(&mut self, r: RegionId, faction: Faction, n: u8) {
        self.region_mut(r)[faction] -= n;
        self.ready[faction] += n;
        let left = self.region(r)[faction];
        let moved = &mut self.moved[usize::from(r.0)][faction];
        *moved = (*moved).min(left);
        if faction == Faction::Cavalry && self.custer.get(usize::from(r.0)).is_some_and(|&c| c > left) {
            // Cubes that have left the map are not eliminated.
            self.custer.clear();
        }
    }
    /// Records Custer's force for the rest of the turn (9.2.2).
    pub fn send_custer(&mut self, r: RegionId, n: u8) {
        self.custer = vec![0; self.map.len()];
        self.custer[usize::from(r.0)] = n;
    }
    /// Stops counting those of Custer's cubes at a spot that exceed its Blue cubes. Cubes that have
    /// left the map are not eliminated.
    pub fn limit_custer(&mut self, spot: Spot) {
        let (at, left) = (self.at(spot), self.cubes(spot)[Faction::Cavalry]);
        if let Some(led) = self.custer.get_mut(at).filter(|led| **led > left) {
            *led = left;
            if self.custer.iter().all(|&n| n == 0) {
                self.custer.clear();
            }
        }
    }
    /// Returns the number of Wagons in a region that may be attacked now (12.1.2.1).
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
    /// Returns the enduring instruction of a faction.
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
    /// Returns the cards in a faction's hand.
    pub fn hand(&self, faction: Faction) -> impl ExactSizeIterator<Item = CardId> + Clone {
        self.deck(faction).hand(self.owner(faction))
    }
    /// Returns a player's part in one word, such as `Indians` or `Cavalry`.
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
    /// Returns a player as `@A (Indians)`. The office replaces the `@` word with the player's name.
    pub fn who(&self, seat: Seat) -> String {
        format!("@{seat} ({})", self.part(seat))
    }
    /// Returns `true` if an instruction is in force now (9.2.1).
    pub fn endures(&self, event: Event) -> bool {
        self.enduring.contains(&Some(event))
    }
    /// Returns the name of a region.
    pub fn name(&self, r: RegionId) -> &str {
        &self.c[r].name
    }
    /// Returns `true` if all spaces of the railroad are filled (2, 6.7).
    pub fn joined(&self) -> bool {
        self.east + self.west >= self.c.rail.len()
    }
    /// Returns `true` if the railroads were joined before a player ran out of cards (14.1).
    pub fn joined_in_time(&self) -> bool {
        self.joined() && !(self.stopped && self.decks.iter().any(Hands::is_spent))
    }
    /// Returns `true` if the game ends with the last disc of this turn (14).
    pub fn ending(&self) -> bool {
        self.joined() || self.decks.iter().any(Hands::is_spent)
    }
    /// Returns `true` if the mountain spaces of the Central Pacific are filled (6.7.2).
    pub fn through_mountains(&self) -> bool {
        self.west >= self.c.rail.iter().filter(|s| s.mountain).count()
    }
    /// Returns the regions in which Brown cubes extend the railroad now (6.7): those next to both
    /// railheads, the western one only after the mountains are crossed.
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
    /// Returns `true` if a space of the railroad, counted from St. Louis, is filled.
    pub fn is_railed(&self, space: usize) -> bool {
        space < self.east || space >= self.c.rail.len() - self.west
    }
}

/// Returns the verb for a number of cubes.
pub fn goes(n: u8) -> &'static str {
    if n == 1 { "goes" } else { "go" }
}

/// Formats cubes, such as `3 Green and 1 Orange`.
pub fn tell_cubes(cubes: &Cubes) -> String {
    let parts: Vec<String> = cubes.each().map(|(f, n)| format!("{n} {}", f.cubes())).collect();
    if parts.is_empty() { "nothing".to_owned() } else { postrider_orders::list_and(&parts) }
}
