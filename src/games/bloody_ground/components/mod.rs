//! The contents of the box of A Dark and Bloody Ground: nations, units, leaders, the map, the
//! battle boards, charts and set-ups.
//!
//! The data is in `../components.toml`; an owner of the game may supply a copy. [`Kit::parse`]
//! checks it.

mod charts;
mod drm;
mod load;
mod ways;

pub use self::{
    charts::{Battlefield, Charts, Ground, Known, PERSONS, Toll},
    drm::Drm,
    ways::Ways,
};
pub use postrider_table::components::Kit;
use postrider_table::{ids, kit, named, pieces};
use serde::Deserialize;

named! {
    /// The two sides (3.0); the second includes the British and Canadians.
    pub enum Side {
        Us = "us", "US";
        Na = "na", "Native American nations";
    }

    /// The type of a combat unit (2.2.2).
    pub enum Class {
        Regular = "us_regular", "US regulars";
        Militia = "us_militia", "US militia";
        British = "british_regular", "British regulars";
        Canadian = "canadian_militia", "Canadian militia";
        Warrior = "warrior", "warriors";
    }

    /// The terrain of an area (2.1.1), which selects the battle board (10.0).
    pub enum Terrain {
        Wilderness = "wilderness", "Wilderness";
        Rough = "rough", "Rough";
        Settled = "settled", "Settled";
    }

    /// The state or territory of an area (6.0.1, 8.4.1).
    pub enum Province {
        Ohio = "Ohio", "Ohio";
        Kentucky = "Kentucky", "Kentucky";
        Virginia = "Virginia", "Virginia";
        Pennsylvania = "Pennsylvania", "Pennsylvania";
    }

    /// The type of a leader (2.2.2, 14).
    pub enum Post {
        Regular = "regular", "US Army";
        Militia = "militia", "US militia";
        Nation = "nation", "a nation's leader";
        British = "british", "British";
        /// Tecumseh, Girty and McKee (14.0.3 to 14.0.5).
        Agent = "agent", "agent";
    }

    /// The four seasons, in the order of the calendar (4.7).
    pub enum Season {
        Winter = "winter", "Winter";
        Spring = "spring", "Spring";
        Summer = "summer", "Summer";
        Fall = "fall", "Fall";
    }

    /// The attitude of a nation (8.1, 8.6).
    pub enum Stance {
        Peaceful = "peaceful", "peaceful";
        Warpath = "warpath", "on the warpath";
        Surrendered = "surrendered", "surrendered";
    }

    /// A special feature of an area.
    pub enum Special {
        Kekionga = "kekionga", "Kekionga";
        /// A permanent settlement printed on the map (15.1.1).
        Town = "permanent_settlement", "permanent settlement";
        /// A British fort at the start (3.0).
        BritishFort = "british_fort", "British fort";
        /// An entry area of the Iroquois (T:random-events-table).
        IroquoisEnter = "iroquois_enter", "entry of the Iroquois";
        /// An area on the north edge west of Lake Erie (8.5.3).
        BritishEnter = "british_enter", "north edge west of Lake Erie";
    }

    /// An edge of the map (7.0.1, 8.3.2).
    pub enum Border {
        North = "N", "north edge";
        East = "E", "east edge";
        South = "S", "south edge";
        West = "W", "west edge";
    }

    /// A random event (5.0).
    pub enum Event {
        None = "none", "No Event";
        GoodOmens = "good-omens", "Good Omens";
        BadOmens = "bad-omens", "Bad Omens";
        Funds = "congress-appropriates", "Congress Appropriates More Funds";
        SevereWeather = "severe-weather", "Severe Weather";
        Rifles = "rifles", "Rifles";
        Iroquois = "iroquois-intervention", "Iroquois Intervention";
        Girty = "simon-girty", "Simon Girty";
    }

    /// A kind of marker that a set-up places (15).
    pub enum SiteKind {
        Village = "village", "village";
        Settler = "settler", "settler";
        Fort = "us_fort", "US fort";
    }
}

impl Side {
    /// Returns the short name for tables and lists: `US`, `NA`.
    pub fn short(self) -> &'static str {
        match self {
            Side::Us => "US",
            Side::Na => "NA",
        }
    }
    /// Returns the other side.
    pub fn enemy(self) -> Side {
        match self {
            Side::Us => Side::Na,
            Side::Na => Side::Us,
        }
    }
}

impl Class {
    /// Returns `true` for British and US Army regulars.
    pub fn is_regular(self) -> bool {
        matches!(self, Class::Regular | Class::British)
    }
    /// Returns `true` for British and Canadians, who have a Morale Level instead of a Mobilization
    /// Level (8.5.3).
    pub fn is_british(self) -> bool {
        matches!(self, Class::British | Class::Canadian)
    }
    /// Returns the side of units of this class.
    pub fn side(self) -> Side {
        if matches!(self, Class::Regular | Class::Militia) { Side::Us } else { Side::Na }
    }
}

impl Season {
    /// Returns the next season.
    pub fn next(self) -> Season {
        Season::ALL[(self.index() + 1) % 4]
    }
}

/// A set of places where a set-up may put pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Where {
    Area(String),
    Nation(String),
    Own,
    Towns,
    BesideTowns,
    Province(Province),
    BritishForts,
    Within(u8, String),
    OfLetter(u8, String),
    OfTrail(u8),
    Hex(String),
    Ground(Ground),
    Anywhere,
}

/// A restriction on the places of a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub enum Without {
    Settler,
    Village,
    Fort,
    EnemyBeside,
    SouthBank,
}

pieces! {
    /// A nation (3.0).
    pub struct Nation in "nation" {
        name: String = label,
        code: String = label,
        /// The base level, the black box of its track (8.1).
        base: u8 = number(0..=5),
        /// A level that never changes (8.1.3); 0 if there is none.
        fixed: u8 = number_or_0(0..=5),
        /// The leader whose presence bars treaties (8.6.3); empty if there is none.
        no_treaty_while: String = known,
        known: String = known,
    }

    /// An area of the map (2.1).
    pub struct Area in "area" {
        /// The id on the map: `S4`.
        id: String = label,
        name: String = label,
        nation: Option<NationId> = with(load::nation),
        state: Province = word,
        terrain: Terrain = word,
        rivers: Vec<String> = with(load::texts),
        edges: Vec<Border> = each_if("a letter of N, E, S, W", Border::of_word),
        adjacent: Vec<AreaId> = neighbours,
        /// Areas across the Ohio (9.4.4).
        across: Vec<AreaId> = neighbours,
        special: Vec<Special> = each_if("what an area can have", Special::of_word),
        known: String = known,
    }

    /// A reach of the Ohio and its two banks (9.4.4).
    pub struct Reach in "reach" {
        number: String = label,
        north: AreaId = of("area"),
        south: AreaId = of("area"),
        known: String = known,
    }

    /// The counters of one kind of combat unit (2.2).
    pub struct Kind in "unit" {
        id: String = label,
        class: Class = word,
        /// The home state of militia.
        state: Option<Province> = word_if,
        /// The nation of warriors.
        nation: Option<NationId> = with(load::nation),
        fcf: u8 = number(1..=20),
        ma: u8 = number(1..=20),
        count: u8 = number(0..=60),
        known: String = known,
    }

    /// A leader (2.2, 14).
    pub struct Leader in "leader" {
        name: String = label,
        side: Side = word,
        kind: Post = word,
        state: Option<Province> = word_if,
        nation: Option<NationId> = with(load::nation),
        rank: u8 = number(1..=3),
        command: u8 = number(0..=5),
        replacement: bool = flag_if,
        known: String = known,
    }

    /// A battle board (2.1), identified by terrain.
    pub struct Board in "board" {
        id: Terrain = in_order(&Terrain::ALL, Terrain::word),
        rows: Vec<String> = with(load::texts),
        letters: Vec<(String, String)> = with(load::pairs),
        trail: Vec<String> = with(load::texts),
        high: Vec<String> = with(load::texts),
        stream: Vec<String> = with(load::texts),
        known: String = known,
    }

    /// A marker whose number is limited by the counter mix.
    pub struct Marker in "marker" {
        id: String = label,
        count: u8 = number(0..=60),
        known: String = known,
    }

    /// MPs to enter an area (T:main-map-terrain-effects-chart): US and NA for each season, spring
    /// to winter.
    pub struct MapCost in "map_cost" {
        terrain: Terrain = in_order(&Terrain::ALL, Terrain::word),
        mps: Vec<u8> = numbers(8, 1..=9),
        known: String = known,
    }

    /// MPs on the battle boards (T:battle-board-terrain-effects-chart), spring to winter.
    pub struct BoardCost in "board_cost" {
        id: String = label,
        mps: Vec<u8> = numbers(4, 0..=9),
        known: String = known,
    }

    /// The fire ranges and multipliers of a class (T:fire-combat-summary).
    pub struct Fire in "fire" {
        class: Class = in_order(&Class::ALL, Class::word),
        range: u8 = number(1..=9),
        /// Range with a Rifle marker (14.0.2).
        rifle: u8 = number(1..=9),
        /// Multiplier of the FCF outside woods; `woods` is that in woods.
        open: u8 = number(1..=9),
        woods: u8 = number(1..=9),
        known: String = known,
    }

    /// A row of T:random-events-table.
    pub struct EventRow in "event" {
        roll: String = label,
        event: Event = word,
        known: String = known,
    }

    /// A row of T:us-army-mobilization-chart.
    pub struct Army in "army" {
        die: String = label,
        got: Vec<u8> = numbers(5, 0..=20),
        known: String = known,
    }

    /// The columns of an odds chart.
    pub struct OddsRow in "odds" {
        column: String = label,
        labels: Vec<String> = with(load::texts),
        known: String = known,
    }

    /// A row of T:melee-combat-results-table.
    pub struct Melee in "melee" {
        die: String = label,
        cells: Vec<String> = with(load::texts),
        known: String = known,
    }

    /// A row of T:skirmish-combat-results.
    pub struct SkirmishRow in "skirmish" {
        result: String = label,
        max: Option<u8> = number_if(0..=20),
        known: String = known,
    }

    /// A row of T:raid-resolution-results.
    pub struct RaidRow in "raid" {
        name: String = label,
        max: Option<u8> = number_if(0..=20),
        warriors: u8 = number(0..=9),
        militia: u8 = number(0..=9),
        settlers: u8 = number(0..=9),
        marker_stays: bool = flag_if,
        leader_check: Option<Side> = word_if,
        vps: u8 = number(0..=9),
        known: String = known,
    }

    /// A modifier of a die.
    pub struct Modifier in "modifier" {
        id: Drm = in_order(&Drm::ALL, Drm::word),
        dm: i32 = number(-9..=9),
        text: String = name,
        known: String = known,
    }

    /// A scenario (15, 16).
    pub struct Scenario in "scenario" {
        id: String = label,
        name: String = name,
        rule: String = name,
        season: Season = word,
        year: u16 = number(0..=1800),
        /// Number of turns of a campaign; 0 for a battle.
        turns: u8 = number(0..=40),
        /// Number of rounds of a battle; 0 for a campaign.
        rounds: u8 = number(0..=10),
        board: Option<Terrain> = word_if,
        severe: bool = flag_if,
        setup_order: Vec<Side> = each_if("us or na", Side::of_word),
        first_player: Option<Side> = word_if,
        surprise: bool = flag_if,
        commitment: u8 = number(1..=5),
        nations: Vec<(String, Stance, u8)> = each_if("\"Shawnee warpath 3\"", load::stance),
        setup_of: String = known,
        may_enter: Vec<Where> = each_if("a place", load::place),
        skips: Vec<String> = with(load::texts),
        roll_at_setup: Vec<String> = with(load::texts),
    }

    /// Units and leaders of a scenario that set up in the same places.
    pub struct Muster in "force" {
        scenario: String = name,
        side: Side = word,
        units: Vec<(String, u8)> = each_if("\"regular 3\"", load::counted),
        random_militia: u8 = number_or_0(0..=40),
        /// A kind whose number is rolled: 1 or 2 is one, 3 or 4 two, 5 or 6 three (15.3.2).
        dice_units: String = known,
        leaders: Vec<String> = with(load::texts),
        primary: String = known,
        rifles: u8 = number_or_0(0..=6),
        rifle_die: bool = flag_if,
        place: Vec<Where> = each_if("a place", load::place),
        without: Vec<Without> = each_if("what may not be there", load::without),
        half_in: String = known,
        /// Maximum number of units per hex.
        most: Option<u8> = number_if(1..=9),
        round: u8 = number_or_0(0..=10),
        known: String = known,
    }

    /// Settlers, villages or a fort that a scenario places.
    pub struct Site in "site" {
        scenario: String = name,
        kind: SiteKind = word,
        count: u8 = number(0..=40),
        /// `true` if a die is added to the count.
        die: bool = flag_if,
        most: Option<u8> = number_if(1..=9),
        optional: bool = flag_if,
        place: Vec<Where> = each_if("a place", load::place),
        without: Vec<Without> = each_if("what may not be there", load::without),
        known: String = known,
    }
}

ids! {
    Components;
    /// A nation, by index in the file.
    NationId, nation_ids, nation by name => nations: Nation;
    /// An area, by index in the file.
    AreaId, area_ids, area by id => areas: Area;
    /// A kind of combat unit, by index in the file.
    KindId, kind_ids, kind by id => kinds: Kind;
    /// A leader, by index in the file.
    LeaderId, leader_ids, leader by name => leaders: Leader;
}

kit! {
    /// The contents of the box, checked.
    pub struct Components of include_str!("../components.toml"), check load::check {
        nations: Nation,
        areas: Area,
        reaches: Reach,
        kinds: Kind,
        leaders: Leader,
        boards: Board,
        markers: Marker,
        map_costs: MapCost,
        board_costs: BoardCost,
        fire: Fire,
        events: EventRow,
        army: Army,
        odds: OddsRow,
        melee: Melee,
        skirmish: SkirmishRow,
        raid: RaidRow,
        modifiers: Modifier,
        scenarios: Scenario,
        forces: Muster,
        sites: Site,
    }
}

impl Area {
    /// Returns `true` if the area has this feature.
    pub fn is(&self, special: Special) -> bool {
        self.special.contains(&special)
    }
    /// Returns `true` if the area is on this edge of the map.
    pub fn borders(&self, edge: Border) -> bool {
        self.edges.contains(&edge)
    }
}

impl Components {
    /// Returns the value of a modifier.
    pub fn drm(&self, drm: Drm) -> i32 {
        self.modifiers[drm.index()].dm
    }
    /// Returns the scenario with this id, or else the first;
    /// [`Ruleset::fits`](postrider_table::Ruleset::fits) rules out unknown ids.
    pub fn scenario(&self, id: &str) -> &Scenario {
        self.scenarios.iter().find(|s| s.id == id).unwrap_or(&self.scenarios[0])
    }
    /// Returns the id of the scenario whose forces and sites this one uses (15.4.1, 15.4.2).
    pub fn setup_of<'a>(&'a self, scenario: &'a Scenario) -> &'a str {
        if scenario.setup_of.is_empty() { &scenario.id } else { &scenario.setup_of }
    }
    /// Returns the number of markers of a type in the counter mix.
    pub fn markers(&self, id: &str) -> u8 {
        self.markers.iter().find(|m| m.id == id).map_or(0, |m| m.count)
    }
    /// Returns the kind of a nation's warriors.
    pub fn warriors(&self, nation: NationId) -> KindId {
        let found = self.kind_ids().find(|&k| self[k].nation == Some(nation));
        found.unwrap_or(KindId(0))
    }
    /// Returns the first kind of a class, which is the only one of regulars, British and Canadians.
    pub fn of_class(&self, class: Class) -> KindId {
        self.kind_ids().find(|&k| self[k].class == class).unwrap_or(KindId(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// dark-and-bloody-ground 2.1.1, 2.2.2, 3.0, T:main-map-terrain-effects-chart,
    /// T:us-army-mobilization-chart
    #[test]
    fn the_box_is_whole() {
        let c = Components::builtin();
        assert_eq!((c.nations.len(), c.areas.len(), c.reaches.len()), (7, 55, 17));
        assert_eq!(c.areas.iter().filter(|a| a.state == Province::Ohio).count(), 39);
        let special = |s: Special| c.areas.iter().filter(|a| a.is(s)).count();
        assert_eq!([Special::Kekionga, Special::Town, Special::BritishFort].map(special), [1, 3, 5]);
        let count = |class: Class| c.kinds.iter().filter(|k| k.class == class).map(|k| k.count).sum::<u8>();
        assert_eq!(Class::ALL.map(count), [20, 28, 6, 8, 47]);
        let army: Vec<&[u8]> = c.army.iter().map(|row| &row.got[..]).collect();
        assert_eq!(
            army,
            [[1, 1, 2, 2, 3], [1, 2, 2, 3, 3], [2, 2, 3, 3, 4], [2, 2, 3, 3, 4], [3, 3, 4, 4, 5], [3, 3, 4, 5, 6],]
        );
        let costs: Vec<&[u8]> = c.map_costs.iter().map(|row| &row.mps[..]).collect();
        assert_eq!(costs, [[2, 1, 1, 1, 1, 1, 2, 2], [2, 2, 2, 1, 2, 1, 3, 2], [1, 2, 1, 2, 1, 2, 2, 2]]);
        let tables = Components::print(Components::FILE, "components.toml").expect("it is right");
        assert!(tables.contains("Kekionga"));
    }
}
