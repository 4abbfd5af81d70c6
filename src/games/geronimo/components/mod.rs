//! What lies in the box of Geronimo!: map, Tribal Cards, counters and tables.
//!
//! The rulebook prints procedures, not the pieces; `components.toml` beside this folder fills them in, and an owner of the
//! game may hand in his own copy. [`Kit::parse`] reads such a file and reports everything that is wrong with it at
//! once; [`Kit::print`] shows it, each row marked as known from the rules or as a house value.
//!
//! Pieces are named by small ids ([`AreaId`], [`VillageId`], …): positions in the order of the file. Ids belong to the
//! [`Components`] they came from; those of another file may mean another piece.

mod load;
#[cfg(test)]
mod tests;

pub use postrider_table::components::Kit;
use postrider_table::{ids, pieces};
use std::ops::RangeInclusive;

/// Everything in the box, checked: whoever holds one need not doubt it.
#[derive(Clone)]
pub struct Components {
    /// The 18 Areas.
    pub areas: Vec<Area>,
    /// The 28 Tribes, in the order in which their first Village stands in the file.
    pub tribes: Vec<Tribe>,
    /// The 32 Villages.
    pub villages: Vec<Village>,
    /// The Chiefs of all Tribes and Turns.
    pub chiefs: Vec<Chief>,
    /// The 24 Commanders.
    pub commanders: Vec<Commander>,
    /// The Mines. Their names may repeat (the two Mother Lodes).
    pub mines: Vec<Mine>,
    /// The Battle Table (7.32).
    pub battle: BattleTable,
    /// The Odds DRMs beside the Battle Table (7.31).
    pub odds: OddsTable,
    /// The Turn Track: eight boxes, Turn 1 first. [`Components::turn`] finds one by its number.
    pub turns: Vec<TurnTrack>,
    /// Pairs of Tribes whose relation the rules text itself names; every other relation is a house value.
    pub known_relations: Vec<(TribeId, TribeId)>,
}

// What is in the box is the same in every position of a game, and far longer than the rest of it.
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
    /// West of the line: Guerilla capability counts here (2.21F, 5.42).
    Mountain,
}

/// One card of the Tribal Deck; the numbers stand with its [`Village`]s.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tribe {
    /// "Apache".
    pub name: String,
    /// Its Villages in id order: three for the Sioux, two for Apache and Cheyenne, one for all others (2.21B).
    pub villages: Vec<VillageId>,
    /// Tribes that may join it in an Alliance (6.71), itself among them.
    pub friends: TribeSet,
    /// Tribes it may send War Parties against (2.21J).
    pub enemies: TribeSet,
}

/// A set of Tribes of one [`Components`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TribeSet(u32);

impl TribeSet {
    /// The set without a Tribe.
    pub fn new() -> Self {
        Self::default()
    }

    /// `true` if the Tribe is in the set.
    pub fn contains(self, tribe: TribeId) -> bool {
        self.0 & Self::bit(tribe) != 0
    }

    /// Puts the Tribe into the set; says whether it was new there.
    pub fn insert(&mut self, tribe: TribeId) -> bool {
        let new = !self.contains(tribe);
        self.0 |= Self::bit(tribe);
        new
    }

    /// The Tribes of the set in id order.
    pub fn iter(self) -> impl Iterator<Item = TribeId> {
        (0..32).map(TribeId).filter(move |&tribe| self.contains(tribe))
    }

    /// How many Tribes are in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// `true` if no Tribe is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Ids past 31 have no bit: no Components has more than 28 Tribes.
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

/// A Village with the ratings of its Tribal Card column and of its War Party marker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Village {
    /// The Tribe it belongs to.
    pub tribe: TribeId,
    /// In full, as the rules write it: "Mimbres Apache", "Teton Sioux 1", "Comanche".
    pub name: String,
    /// Shorter: the Village's own word ("Mimbres", "Teton 1"), or the Tribe's name where it has only one.
    pub short: String,
    /// Where it starts, and returns from the Reservation (2.21C).
    pub area: AreaId,
    /// Battle Points printed on the card, 1 to 20; half of it is the mark for being forced on the Reservation (2.21D, 8.14).
    pub size: i32,
    /// Battle Points at the start of the Basic Game (3.46); equal to `size` where 3.46 does not name the Village.
    pub basic_size: i32,
    /// `true` if the Basic Game starts it On Reservation (3.46).
    pub basic_on_reservation: bool,
    /// Battle DRM against Tribes, and in defence against Columns (2.21E).
    pub battle: i32,
    /// Evasion rating (2.21G), before Chiefs and Guerilla capability.
    pub evasion: i32,
    /// Aggression rating (2.21H), before Chiefs.
    pub aggression: i32,
    /// Survival rating: fewer Survival Points cost a BP (2.21I, 6.65).
    pub survival: i32,
    /// Raid rating (6.44); 0 means that the Tribe is no Raider (6.41).
    pub raid: i32,
    /// Battle DRM of its Poison Arrows (7.31); 0 for all who have none.
    pub poison_arrows: i32,
    /// The "G" beside the Evasion rating (2.21F).
    pub guerilla: bool,
    /// May choose Mexico as the target of a Raid (6.43).
    pub mexico_raids: bool,
    /// Provides Scouts (9.2Y).
    pub scouts: bool,
    /// What the rules text itself gives of this row; empty for a row of house values.
    pub known: String,
}

/// A Chief marker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chief {
    /// "Crazy Horse".
    pub name: String,
    /// The Tribe he leads.
    pub tribe: TribeId,
    /// The Village he leads; `None` for a Teton Chief, whom the player puts with either Teton Village (6.51).
    pub village: Option<VillageId>,
    /// Battle DRM (6.52).
    pub combat: i32,
    /// Added to the Tribe's Evasion rating (6.52).
    pub evasion: i32,
    /// Added to the Tribe's Aggression rating (6.52).
    pub aggression: i32,
    /// First and last Turn in which he is available (6.51), 1 to 8.
    pub turns: (u8, u8),
    /// What the rules text itself gives of this row; empty for a row of house values.
    pub known: String,
}

impl Chief {
    /// `true` if his marker lists this Turn (6.51). Death and prison are not the marker's business.
    pub fn available_in(&self, turn: u8) -> bool {
        (self.turns.0..=self.turns.1).contains(&turn)
    }
}

/// What the opponent loses by a Battle Table result (7.32).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Loss {
    /// So many Battle Points.
    Bps(i32),
    /// All he has there.
    All,
}

/// One line of the Battle Table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BattleResult {
    /// What the opponent loses.
    pub loss: Loss,
    /// The "M" number: a Commander of at least this Aggression attacking a Village causes a Massacre (7.62).
    pub massacre: Option<i32>,
}

/// The Battle Table: what a modified DR does to the opponent (7.32).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BattleTable {
    /// The modified DR of the first row.
    first: i32,
    /// Row by row without gaps; never empty.
    rows: Vec<BattleRow>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct BattleRow {
    result: BattleResult,
    known: String,
}

impl BattleTable {
    /// The result of a modified DR. Below the first row nothing is lost; above the last row the last one counts.
    pub fn at(&self, total: i32) -> BattleResult {
        match usize::try_from(i64::from(total) - i64::from(self.first)) {
            Err(_) => BattleResult { loss: Loss::Bps(0), massacre: None },
            Ok(row) => self.rows[row.min(self.rows.len() - 1)].result,
        }
    }

    /// The modified DRs that have a row of their own.
    pub fn totals(&self) -> std::ops::RangeInclusive<i32> {
        // A checked table has a few dozen rows.
        self.first..=self.first + self.rows.len() as i32 - 1
    }
}

/// The odds of a Battle as one side sees them, own BPs first, best first (7.31).
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

    /// The same odds as the other side sees them.
    pub fn inverse(self) -> Odds {
        Self::ALL[Self::ALL.len() - 1 - self as usize]
    }

    /// As the rules write them, "3-1".
    pub fn as_str(self) -> &'static str {
        ["3-1", "2-1", "3-2", "1-1", "2-3", "1-2", "1-3"][self as usize]
    }
}

impl std::fmt::Display for Odds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// The Odds DRMs beside the Battle Table (7.31).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OddsTable {
    /// By position in [`Odds::ALL`].
    drms: [i32; 7],
    /// Whether the rules text itself gives that DRM.
    known: [bool; 7],
}

impl OddsTable {
    /// The DRM of the side that has these odds.
    pub fn drm(&self, odds: Odds) -> i32 {
        self.drms[odds as usize]
    }

    /// `true` if the rules text itself gives this DRM.
    pub fn is_known(&self, odds: Odds) -> bool {
        self.known[odds as usize]
    }
}

/// What a rating can be, as the counters show it.
const RATING: RangeInclusive<i32> = -1..=6;

pieces! {
    /// An Area of the map.
    pub struct Area in "area" {
        /// Two letters, as in "NM".
        code: String = with(load::area_code),
        /// As printed on the map, "New Mexico".
        name: String = label,
        /// Survival Points before Resources and weather take theirs (2.12, 6.6).
        survival: i32 = number(0..=40),
        /// Resource Points to exceed for Statehood, and to hold for Maintenance (2.12, 10.2, 10.3).
        statehood: i32 = number(1..=40),
        /// East or west of the green line (2.11).
        terrain: Terrain = with(load::terrain),
        /// Part of the Buffalo range (2.11, 3.47).
        buffalo: bool = flag,
        /// What it lies beside at the edge of the map: Canada, Mexico, the western edge, the eastern edge.
        borders: [bool; 4] = with(load::borders),
        /// Adjacent Areas in id order, corner contacts included (5.241); never the Area itself.
        adjacent: Vec<AreaId> = with(load::beside),
        /// What the rules text itself gives of this row; empty for a row of house values.
        known: String = known,
    }
    also {
        /// Borders Canada.
        canada: bool = borders[0],
        /// Borders Mexico.
        mexico: bool = borders[1],
        /// On the western edge of the map, where the Transcontinental Railroad ends (5.241).
        west_edge: bool = borders[2],
        /// On the eastern edge of the map, where it begins (5.241).
        east_edge: bool = borders[3],
    }

    /// A Commander marker.
    pub struct Commander in "commander" {
        /// "George Crook".
        name: String = with(load::commander_name),
        /// Battle DRM (5.42).
        combat: i32 = number(RATING),
        /// Added to his Column's Speed (5.32); may be negative.
        pursuit: i32 = number(RATING),
        /// The "G" of Crook's Pursuit rating (5.42).
        guerilla: bool = flag,
        /// Tendency to a Massacre (5.42, 7.62); negative never causes one (7.63).
        aggression: i32 = number(RATING),
        /// What the rules text itself gives of this row; empty for a row of house values.
        known: String = known,
    }
    also {
        /// "Crook": the last word of the name, unique among the Commanders.
        surname: String = load::surname(&name).to_owned(),
    }

    /// A Mine marker.
    pub struct Mine in "mine" {
        /// "Comstock Lode"; may repeat.
        name: String = name,
        /// Where it is placed when drawn (5.23).
        area: AreaId = of("area"),
        /// Resource Points, and VPs to whoever attacks it.
        value: i32 = number(1..=9),
        /// Lodes stay in play for ever (2.3).
        lode: bool = flag,
        /// What the rules text itself gives of this row; empty for a row of house values.
        known: String = known,
    }

    /// A box of the Turn Track.
    pub struct TurnTrack in "turn" {
        /// 1 to 8.
        turn: u8 = number(1..=8),
        /// The years it stands for, "1851-55".
        years: String = name,
        /// Commanders that the US draws (4.22); `None` where the formula of 5.46 says how many (Turns 7 and 8).
        commanders: Option<i32> = with(load::drawn),
        /// New Artillery markers of the US (4.24).
        artillery: i32 = number(0..=9),
        /// What the rules text itself gives of this row; empty for a row of house values.
        known: String = known,
    }
}

ids! {
    Components;
    /// An Area of the map: a State or Territory (2.1).
    AreaId, area_ids, area_by_code by code, area_by_name by name => areas: Area;
    /// A Tribe: one card of the Tribal Deck (2.21).
    TribeId, tribe_ids, tribe_by_name by name => tribes: Tribe;
    /// A Village: what a Tribe has one, two or three of on the map (2.21B).
    VillageId, village_ids => villages: Village;
    /// A Chief marker (6.5).
    ChiefId, chief_ids, chief_by_name by name => chiefs: Chief;
    /// A Commander marker (5.4).
    CommanderId, commander_ids => commanders: Commander;
    /// A Mine marker (5.23).
    MineId, mine_ids => mines: Mine;
}

impl Components {
    /// `true` if the two Areas touch, at a side or at a corner (5.241). No Area is adjacent to
    /// itself.
    pub fn adjacent(&self, a: AreaId, b: AreaId) -> bool {
        self[a].adjacent.contains(&b)
    }

    /// Steps from one Area to another by adjacent Areas: 0 for the Area itself, `None` if there is no way (6.36).
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

    /// The Village of this full or short name, in either case.
    pub fn village_by_name(&self, name: &str) -> Option<VillageId> {
        self.village_ids()
            .find(|&id| self[id].name.eq_ignore_ascii_case(name) || self[id].short.eq_ignore_ascii_case(name))
    }

    /// The Commander of this full name or surname, in either case.
    pub fn commander_by_name(&self, name: &str) -> Option<CommanderId> {
        self.commander_ids()
            .find(|&id| self[id].name.eq_ignore_ascii_case(name) || self[id].surname.eq_ignore_ascii_case(name))
    }

    /// The Mines that belong in an Area, in id order.
    pub fn mines_in(&self, area: AreaId) -> impl Iterator<Item = MineId> {
        self.mine_ids().filter(move |&id| self[id].area == area)
    }

    /// The Chiefs of a Tribe, in id order.
    pub fn chiefs_of(&self, tribe: TribeId) -> impl Iterator<Item = ChiefId> {
        self.chief_ids().filter(move |&id| self[id].tribe == tribe)
    }

    /// The Villages that a Chief may be with: his own, or both Teton Villages for a Teton Chief (6.51).
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

    /// The box of a Turn; `None` outside 1 to 8.
    pub fn turn(&self, turn: u8) -> Option<&TurnTrack> {
        self.turns.iter().find(|track| track.turn == turn)
    }

    /// `true` if two Tribes may join in an Alliance as far as their own cards go (6.71); a Tribe is
    /// a friend of itself.
    pub fn friends(&self, a: TribeId, b: TribeId) -> bool {
        self[a].friends.contains(b)
    }

    /// `true` if two Tribes are enemies (2.21J).
    pub fn enemies(&self, a: TribeId, b: TribeId) -> bool {
        self[a].enemies.contains(b)
    }
}

/// The Sioux Villages that share their Chiefs bear this word (6.51).
fn is_teton(village_word: &str) -> bool {
    village_word.starts_with("Teton")
}
