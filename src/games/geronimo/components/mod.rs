//! The components of Geronimo!: map, Tribal Cards, counters and tables.
//!
//! The rulebook prints the rules but not the values of these pieces. `components.toml` in the
//! game's folder supplies them, and an owner of the game may provide a file of their own.
//! [`Kit::parse`] reads such a file and reports all its errors at once; [`Kit::print`] shows it,
//! with each row marked as known from the rules or as a house value.
//!
//! Pieces are identified by small ids ([`AreaId`], [`VillageId`], …), which are indices in the
//! order of the file. An id is valid only for its own [`Components`]; in another file it may mean
//! another piece.

mod load;
#[cfg(test)]
mod tests;

pub use postrider_table::components::Kit;
use postrider_table::{ids, pieces};
use std::ops::RangeInclusive;

/// All components, checked on construction.
#[derive(Clone)]
pub struct Components {
    /// The 18 Areas.
    pub areas: Vec<Area>,
    /// The 28 Tribes, in the order of their first Villages in the file.
    pub tribes: Vec<Tribe>,
    /// The 32 Villages.
    pub villages: Vec<Village>,
    /// The Chiefs of all Tribes and Turns.
    pub chiefs: Vec<Chief>,
    /// The 24 Commanders.
    pub commanders: Vec<Commander>,
    /// The Mines. Names may repeat (the two Mother Lodes).
    pub mines: Vec<Mine>,
    /// The Battle Table (7.32).
    pub battle: BattleTable,
    /// The Odds DRMs next to the Battle Table (7.31).
    pub odds: OddsTable,
    /// The eight boxes of the Turn Track, Turn 1 first. [`Components::turn`] finds one by its
    /// number.
    pub turns: Vec<TurnTrack>,
    /// Pairs of Tribes whose relation is known from the rules text. All other relations are house
    /// values.
    pub known_relations: Vec<(TribeId, TribeId)>,
}

// The components are the same in every position of a game, and would dominate the output.
impl std::fmt::Debug for Components {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Components").finish_non_exhaustive()
    }
}

/// The two sides of the green line on the map (2.11).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Terrain {
    /// East of the line.
    Plains,
    /// West of the line, where Guerilla capability counts (2.21F, 5.42).
    Mountain,
}

/// A card of the Tribal Deck. Its [`Village`]s have the ratings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tribe {
    /// The name, such as "Apache".
    pub name: String,
    /// Its Villages in id order: three for the Sioux, two for Apache and Cheyenne, one for the
    /// others (2.21B).
    pub villages: Vec<VillageId>,
    /// The Tribes that may join it in an Alliance (6.71), including itself.
    pub friends: TribeSet,
    /// The Tribes against which it may send War Parties (2.21J).
    pub enemies: TribeSet,
}

/// A set of Tribes of one [`Components`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TribeSet(u32);

impl TribeSet {
    /// Returns an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns `true` if the Tribe is in the set.
    pub fn contains(self, tribe: TribeId) -> bool {
        self.0 & Self::bit(tribe) != 0
    }

    /// Adds a Tribe to the set, and returns `true` if it was new.
    pub fn insert(&mut self, tribe: TribeId) -> bool {
        let new = !self.contains(tribe);
        self.0 |= Self::bit(tribe);
        new
    }

    /// Returns the Tribes of the set in id order.
    pub fn iter(self) -> impl Iterator<Item = TribeId> {
        (0..32).map(TribeId).filter(move |&tribe| self.contains(tribe))
    }

    /// Returns the number of Tribes in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the bit of a Tribe, 0 for ids above 31. No Components has more than 28 Tribes.
    fn bit(tribe: TribeId) -> u32 {
        1u32.checked_shl(u32::from(tribe.0)).unwrap_or(0)
    }
}

impl FromIterator<TribeId> for TribeSet {
    fn from_iter<I: IntoIterator<Item = TribeId>>(tribes: I) -> Self {
        let mut set = Self::new();
        for tribe in tribes {
            set.insert(tribe);
        }
        set
    }
}

impl std::fmt::Debug for TribeSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A Village, with the ratings of its column on the Tribal Card and of its War Party marker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Village {
    /// The Tribe to which it belongs.
    pub tribe: TribeId,
    /// The full name as in the rules: "Mimbres Apache", "Teton Sioux 1", "Comanche".
    pub name: String,
    /// The short name: the Village's own word ("Mimbres", "Teton 1"), or the Tribe's name if that
    /// has only one Village.
    pub short: String,
    /// The starting Area (2.21C).
    pub area: AreaId,
    /// Battle Points printed on the card, 1 to 20. At half of it or less the Village may be forced
    /// On Reservation (2.21D, 8.14).
    pub size: i32,
    /// Battle Points at the start of the Basic Game (3.46); equal to `size` if 3.46 does not name
    /// the Village.
    pub basic_size: i32,
    /// `true` if it starts the Basic Game On Reservation (3.46).
    pub basic_on_reservation: bool,
    /// Battle DRM against Tribes, and in defence against Columns (2.21E).
    pub battle: i32,
    /// Evasion rating (2.21G), without Chiefs and Guerilla capability.
    pub evasion: i32,
    /// Aggression rating (2.21H), without Chiefs.
    pub aggression: i32,
    /// Survival rating. Fewer Survival Points cost a BP (2.21I, 6.65).
    pub survival: i32,
    /// Raid rating (6.44); 0 if the Tribe is not a Raider (6.41).
    pub raid: i32,
    /// Battle DRM of its Poison Arrows (7.31); 0 if it has none.
    pub poison_arrows: i32,
    /// `true` if the Evasion rating has a "G" (2.21F).
    pub guerilla: bool,
    /// `true` if it may choose Mexico as the target of a Raid (6.43).
    pub mexico_raids: bool,
    /// `true` if it can provide Scouts (9.2Y).
    pub scouts: bool,
    /// The values of this row known from the rules text; empty for a row of house values.
    pub known: String,
}

/// A Chief marker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chief {
    /// The name, such as "Crazy Horse".
    pub name: String,
    /// The Chief's Tribe.
    pub tribe: TribeId,
    /// The Chief's Village; `None` for a Teton Chief, whom the player assigns to either Teton
    /// Village (6.51).
    pub village: Option<VillageId>,
    /// Battle DRM (6.52).
    pub combat: i32,
    /// Added to the Tribe's Evasion rating (6.52).
    pub evasion: i32,
    /// Added to the Tribe's Aggression rating (6.52).
    pub aggression: i32,
    /// The first and last Turn in which the Chief is available (6.51), 1 to 8.
    pub turns: (u8, u8),
    /// The values of this row known from the rules text; empty for a row of house values.
    pub known: String,
}

impl Chief {
    /// Returns `true` if the marker lists this Turn (6.51). Death and prison are not considered.
    pub fn available_in(&self, turn: u8) -> bool {
        (self.turns.0..=self.turns.1).contains(&turn)
    }
}

/// The opponent's loss in a Battle Table result (7.32).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Loss {
    /// A number of Battle Points.
    Bps(i32),
    /// Everything that the opponent has there.
    All,
}

/// A row of the Battle Table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BattleResult {
    /// The opponent's loss.
    pub loss: Loss,
    /// The "M" number: a Commander of at least this Aggression who attacks a Village causes a
    /// Massacre (7.62).
    pub massacre: Option<i32>,
}

/// The Battle Table, with the result of each modified DR (7.32).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BattleTable {
    /// The modified DR of the first row.
    first: i32,
    /// The rows without gaps; never empty.
    rows: Vec<BattleRow>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct BattleRow {
    result: BattleResult,
    known: String,
}

impl BattleTable {
    /// Returns the result of a modified DR. Below the first row nothing is lost; above the last
    /// row, the last one applies.
    pub fn at(&self, total: i32) -> BattleResult {
        match usize::try_from(i64::from(total) - i64::from(self.first)) {
            Err(_) => BattleResult { loss: Loss::Bps(0), massacre: None },
            Ok(row) => self.rows[row.min(self.rows.len() - 1)].result,
        }
    }

    /// Returns the modified DRs that have a row.
    pub fn totals(&self) -> std::ops::RangeInclusive<i32> {
        // A checked table has a few dozen rows.
        self.first..=self.first + self.rows.len() as i32 - 1
    }
}

/// The odds of a Battle from one side's view, with its own BPs first (7.31). The best odds come
/// first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Odds {
    /// 3-1 or better.
    ThreeOne,
    /// 2-1.
    TwoOne,
    /// 3-2.
    ThreeTwo,
    /// 1-1.
    OneOne,
    /// 2-3.
    TwoThree,
    /// 1-2.
    OneTwo,
    /// 1-3 or worse.
    OneThree,
}

impl Odds {
    /// All odds, best first.
    pub const ALL: [Odds; 7] =
        [Odds::ThreeOne, Odds::TwoOne, Odds::ThreeTwo, Odds::OneOne, Odds::TwoThree, Odds::OneTwo, Odds::OneThree];

    /// Returns the same odds from the other side's view.
    pub fn inverse(self) -> Odds {
        Self::ALL[Self::ALL.len() - 1 - self as usize]
    }

    /// Returns the odds as in the rules, such as "3-1".
    pub fn as_str(self) -> &'static str {
        ["3-1", "2-1", "3-2", "1-1", "2-3", "1-2", "1-3"][self as usize]
    }
}

impl std::fmt::Display for Odds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// The Odds DRMs next to the Battle Table (7.31).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OddsTable {
    /// Indexed like [`Odds::ALL`].
    drms: [i32; 7],
    /// `true` for DRMs known from the rules text.
    known: [bool; 7],
}

impl OddsTable {
    /// Returns the DRM of the side that has these odds.
    pub fn drm(&self, odds: Odds) -> i32 {
        self.drms[odds as usize]
    }

    /// Returns `true` if this DRM is known from the rules text.
    pub fn is_known(&self, odds: Odds) -> bool {
        self.known[odds as usize]
    }
}

/// The range of ratings on the counters.
const RATING: RangeInclusive<i32> = -1..=6;

pieces! {
    /// An Area of the map.
    pub struct Area in "area" {
        /// The code of two letters, such as "NM".
        code: String = with(load::area_code),
        /// The name on the map, such as "New Mexico".
        name: String = label,
        /// Survival Points before the reduction by Resources and weather (2.12, 6.6).
        survival: i32 = number(0..=40),
        /// Resource Points to exceed for Statehood, and to keep for Maintenance (2.12, 10.2, 10.3).
        statehood: i32 = number(1..=40),
        /// The side of the green line, east or west (2.11).
        terrain: Terrain = with(load::terrain),
        /// `true` if part of the Buffalo range (2.11, 3.47).
        buffalo: bool = flag,
        /// Its borders at the edge of the map: Canada, Mexico, western edge, eastern edge.
        borders: [bool; 4] = with(load::borders),
        /// Adjacent Areas in id order, including those at corners (5.241), never the Area itself.
        adjacent: Vec<AreaId> = with(load::beside),
        /// The values of this row known from the rules text; empty for a row of house values.
        known: String = known,
    }
    also {
        /// `true` if it borders Canada.
        canada: bool = borders[0],
        /// `true` if it borders Mexico.
        mexico: bool = borders[1],
        /// `true` on the western edge of the map, an end of the Transcontinental Railroad (5.241).
        west_edge: bool = borders[2],
        /// `true` on the eastern edge of the map, the other end (5.241).
        east_edge: bool = borders[3],
    }

    /// A Commander marker.
    pub struct Commander in "commander" {
        /// The name, such as "George Crook".
        name: String = with(load::commander_name),
        /// Battle DRM (5.42).
        combat: i32 = number(RATING),
        /// Added to the Column's Speed (5.32); may be negative.
        pursuit: i32 = number(RATING),
        /// `true` if the Pursuit rating has a "G", as Crook's does (5.42).
        guerilla: bool = flag,
        /// Tendency to a Massacre (5.42, 7.62). A negative rating never causes one (7.63).
        aggression: i32 = number(RATING),
        /// The values of this row known from the rules text; empty for a row of house values.
        known: String = known,
    }
    also {
        /// The last word of the name, such as "Crook"; unique among the Commanders.
        surname: String = load::surname(&name).to_owned(),
    }

    /// A Mine marker.
    pub struct Mine in "mine" {
        /// The name, such as "Comstock Lode"; may repeat.
        name: String = name,
        /// The Area where it is placed when drawn (5.23).
        area: AreaId = of("area"),
        /// Resource Points, and VPs for a successful attack (10.12).
        value: i32 = number(1..=9),
        /// `true` for a Lode, which always stays in play (2.3).
        lode: bool = flag,
        /// The values of this row known from the rules text; empty for a row of house values.
        known: String = known,
    }

    /// A box of the Turn Track.
    pub struct TurnTrack in "turn" {
        /// The Turn, 1 to 8.
        turn: u8 = number(1..=8),
        /// The years of the Turn, such as "1851-55".
        years: String = name,
        /// Number of Commanders that the US draws (4.22); `None` in Turns 7 and 8, where a formula
        /// applies (5.46).
        commanders: Option<i32> = with(load::drawn),
        /// Number of new Artillery markers of the US (4.24).
        artillery: i32 = number(0..=9),
        /// The values of this row known from the rules text; empty for a row of house values.
        known: String = known,
    }
}

ids! {
    Components;
    /// An Area of the map, a State or Territory (2.1).
    AreaId, area_ids, area_by_code by code, area_by_name by name => areas: Area;
    /// A Tribe, represented by a card of the Tribal Deck (2.21).
    TribeId, tribe_ids, tribe_by_name by name => tribes: Tribe;
    /// A Village, of which a Tribe has one, two or three (2.21B).
    VillageId, village_ids => villages: Village;
    /// A Chief marker (6.5).
    ChiefId, chief_ids, chief_by_name by name => chiefs: Chief;
    /// A Commander marker (5.4).
    CommanderId, commander_ids => commanders: Commander;
    /// A Mine marker (5.23).
    MineId, mine_ids => mines: Mine;
}

impl Components {
    /// Returns `true` if two Areas touch at a side or corner (5.241). No Area is adjacent to
    /// itself.
    pub fn adjacent(&self, a: AreaId, b: AreaId) -> bool {
        self[a].adjacent.contains(&b)
    }

    /// Returns the number of steps from one Area to another through adjacent Areas: 0 for the Area
    /// itself, `None` if it cannot be reached (6.36).
    pub fn distance(&self, from: AreaId, to: AreaId) -> Option<u8> {
        let mut reached = vec![from];
        let mut ring_start = 0;
        for steps in 0.. {
            let ring = ring_start..reached.len();
            if ring.is_empty() {
                return None;
            }
            if reached[ring.clone()].contains(&to) {
                return Some(steps);
            }
            ring_start = ring.end;
            for at in ring {
                for next in &self[reached[at]].adjacent {
                    if !reached.contains(next) {
                        reached.push(*next);
                    }
                }
            }
        }
        None
    }

    /// Returns the Village with this full or short name, ignoring case.
    pub fn village_by_name(&self, name: &str) -> Option<VillageId> {
        self.village_ids()
            .find(|&id| self[id].name.eq_ignore_ascii_case(name) || self[id].short.eq_ignore_ascii_case(name))
    }

    /// Returns the Commander with this full name or surname, ignoring case.
    pub fn commander_by_name(&self, name: &str) -> Option<CommanderId> {
        self.commander_ids()
            .find(|&id| self[id].name.eq_ignore_ascii_case(name) || self[id].surname.eq_ignore_ascii_case(name))
    }

    /// Returns the Chiefs of a Tribe, in id order.
    pub fn chiefs_of(&self, tribe: TribeId) -> impl Iterator<Item = ChiefId> {
        self.chief_ids().filter(move |&id| self[id].tribe == tribe)
    }

    /// Returns the Villages that a Chief may be with: the Chief's own, or both Teton Villages for a
    /// Teton Chief (6.51).
    pub fn villages_of_chief(&self, chief: ChiefId) -> Vec<VillageId> {
        match self[chief].village {
            Some(village) => vec![village],
            None => {
                let mut villages = self[self[chief].tribe].villages.clone();
                villages.retain(|&village| is_teton(&self[village].short));
                villages
            }
        }
    }

    /// Returns the box of a Turn, or `None` outside 1 to 8.
    pub fn turn(&self, turn: u8) -> Option<&TurnTrack> {
        self.turns.iter().find(|track| track.turn == turn)
    }

    /// Returns `true` if two Tribes are friends and so may join in an Alliance (6.71). A Tribe is a
    /// friend of itself.
    pub fn friends(&self, a: TribeId, b: TribeId) -> bool {
        self[a].friends.contains(b)
    }

    /// Returns `true` if two Tribes are enemies (2.21J).
    pub fn enemies(&self, a: TribeId, b: TribeId) -> bool {
        self[a].enemies.contains(b)
    }
}

/// Returns `true` for the short name of a Teton Village, which shares its Chiefs with the other one
/// (6.51).
fn is_teton(village_word: &str) -> bool {
    village_word.starts_with("Teton")
}
