//! The components of Plains Indian Wars: factions and their dice, map, railroad, trails, cards.
//!
//! The rulebook prints the rules but not the values of these pieces. `components.toml` in the
//! game's folder supplies them, and an owner of the game may provide a file of their own.
//! [`Kit::parse`] checks such a file.

mod load;

pub use postrider_table::components::Kit;
use postrider_table::{ids, kit, named, pieces};
use serde::Deserialize;
use std::ops::RangeInclusive;

named! {
    /// The seven factions (1.1 to 1.3), in the order of the file, with the colours that players use
    /// and the short names of the rulebook.
    pub enum Faction {
        /// Northern Plains Tribes.
        Npt = "green", "NPT";
        /// Southern Plains Tribes.
        Spt = "orange", "SPT";
        Cavalry = "blue", "Cavalry";
        Settlers = "brown", "Settlers";
        Enemies = "purple", "Enemies";
        Wagons = "white", "Wagons";
        Railroad = "black", "Railroad";
    }

    /// The home of a region (4.4).
    pub enum Kind {
        /// Green border.
        North = "north", "NPT";
        /// Orange border.
        South = "south", "SPT";
        PurpleNorth = "purple-north", "Northern Purple";
        PurpleSouth = "purple-south", "Southern Purple";
    }

    /// A face of a faction die (6.1 to 6.5).
    pub enum Face {
        Blank = "b", "Blank";
        Treaty = "t", "Treaty";
        Weapon = "w", "Weapon";
    }

    /// The two wagon routes (15.4).
    pub enum Route {
        North = "north", "northern";
        South = "south", "southern";
    }
}

impl Faction {
    /// The factions that fight (12.1.2). Wagons only roll when attacked.
    pub const FIGHTING: [Faction; 5] =
        [Faction::Npt, Faction::Spt, Faction::Cavalry, Faction::Settlers, Faction::Enemies];
    /// The factions with a deck (4.2).
    pub const CARDED: [Faction; 4] = [Faction::Npt, Faction::Spt, Faction::Cavalry, Faction::Settlers];

    /// Returns the colour as a name, such as `Green`.
    pub fn cubes(self) -> &'static str {
        ["Green", "Orange", "Blue", "Brown", "Purple", "White", "Black"][self.index()]
    }
    /// Returns `true` for the Plains Indians (1.1). The Enemies count with the US (4.5).
    pub fn is_indian(self) -> bool {
        matches!(self, Faction::Npt | Faction::Spt)
    }
    /// Returns the name of the faction's movement cards (9.1).
    pub fn card_type(self) -> &'static str {
        match self {
            Faction::Npt | Faction::Spt => "War Party",
            Faction::Cavalry => "Engagement",
            _ => "Migration",
        }
    }
    /// Returns the index in [`Faction::CARDED`]. Only meaningful for a faction with a deck.
    pub fn deck_index(self) -> usize {
        self.index().min(3)
    }
    /// Returns the name of the faction's deck in the journal.
    pub fn deck(self) -> &'static str {
        ["npt", "spt", "cavalry", "settlers"][self.deck_index()]
    }
}

/// A place for cubes: a region, a box, or an area next to the map (4.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Spot {
    Region(RegionId),
    StLouis,
    Sacramento,
    Canada,
    Mexico,
    Rockies,
}

impl Spot {
    /// The areas and boxes next to the map, with their names in component files and for players.
    pub const BESIDE: [(Spot, &'static str, &'static str); 5] = [
        (Spot::StLouis, "st-louis", "St. Louis"),
        (Spot::Sacramento, "sacramento", "Sacramento"),
        (Spot::Canada, "canada", "Canada"),
        (Spot::Mexico, "mexico", "Mexico"),
        (Spot::Rockies, "rockies", "Rockies"),
    ];
    /// Returns the region, or `None` for an area or box.
    pub fn region(self) -> Option<RegionId> {
        match self {
            Spot::Region(r) => Some(r),
            _ => None,
        }
    }
}

impl Kind {
    pub fn is_purple(self) -> bool {
        matches!(self, Kind::PurpleNorth | Kind::PurpleSouth)
    }
}

/// The effect of an Event card's text (9.2). `events` implements them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    #[default]
    CrazyHorse,
    BozemanTrail,
    MedicineLine,
    TornUpTrack,
    GreatHunt,
    Geronimo,
    Lozen,
    BlackKettle,
    SantaFeTrailClosed,
    ComancheroTrade,
    Custer,
    BuffaloSoldiers,
    AlliedScouts,
    WinterCampaign,
    RecruitingDepot,
    UnionPacificRailroad,
    PonyExpress,
    BuffaloHunters,
    BlackHillsGold,
    PrairieSchooners,
}

impl Event {
    /// Returns `true` if the instruction remains in force while the card is on top of the discard
    /// pile (9.2.1).
    pub fn endures(self) -> bool {
        matches!(self, Event::TornUpTrack | Event::SantaFeTrailClosed | Event::UnionPacificRailroad)
    }
}

/// The range of a number of cubes.
const CUBES: RangeInclusive<i32> = 0..=99;

pieces! {
    /// The cubes and the die of a faction.
    pub struct Pieces in "faction" {
        name: String = label,
        colour: Faction = in_order(&Faction::ALL, Faction::word),
        cubes: u8 = number(CUBES),
        /// The six faces; empty for the Railroad, which never rolls.
        die: Vec<Face> = with(load::die),
        known: String = known,
    }

    /// A region of the map (4.4).
    pub struct Region in "region" {
        /// The label on the map, such as `N4`.
        id: String = label,
        name: String = label,
        kind: Kind = word,
        adjacent: Vec<RegionId> = neighbours,
        /// The factions that may cross to an area next to the map (4.4, 11.3).
        arrows: Vec<(Spot, Faction)> = each_if("an arrow as \"canada green\"", load::arrow),
        /// `true` if adjacent to the shield of St. Louis (6.3).
        st_louis: bool = flag_if,
        known: String = known,
    }

    /// A space of the railroad (6.7).
    pub struct RailSpace in "rail" {
        space: String = name,
        regions: Vec<RegionId> = list_of("region"),
        mountain: bool = flag_if,
        known: String = known,
    }

    /// A wagon trail (6.6.1).
    pub struct Trail in "trail" {
        name: String = name,
        route: Route = word,
        /// From St. Louis westward. The Rockies follow the last region.
        regions: Vec<RegionId> = list_of("region"),
        known: String = known,
    }

    /// A card of one of the four decks (9).
    pub struct Card in "card" {
        id: String = label,
        deck: Faction = word_among(&Faction::CARDED, load::no_deck),
        name: String = label,
        /// Number of cubes to place.
        cubes: u8 = number_or_0(CUBES),
        /// Number of groups, and regions each may move; 0 for an Event.
        groups: u8 = number_or_0(CUBES),
        moves: u8 = number_or_0(CUBES),
        event: Option<Event> = word_if,
        known: String = known,
    }
}

ids! {
    Components;
    /// A region of the map, by its index in the file.
    RegionId, region_ids, region by id => regions: Region;
    /// A card, by its index in the file.
    CardId, card_ids, card_named by name => cards: Card;
}

impl Card {
    /// Returns `true` for a War Party, Engagement or Migration card (9.1).
    pub fn is_movement(&self) -> bool {
        self.event.is_none()
    }
}

kit! {
    /// All components, checked.
    pub struct Components of include_str!("../components.toml"), check load::check {
        pieces: Pieces,
        regions: Region,
        /// From St. Louis (first) to Sacramento (last).
        rail: RailSpace,
        trails: Trail,
        cards: Card,
    }
}

impl Components {
    /// Returns the cards of a deck, in the order of the file.
    pub fn deck(&self, faction: Faction) -> impl Iterator<Item = CardId> + '_ {
        self.card_ids().filter(move |&k| self[k].deck == faction)
    }
    /// Returns the name of a spot, as in orders and on the map.
    pub fn spot_name(&self, spot: Spot) -> &str {
        match spot {
            Spot::Region(r) => &self[r].name,
            _ => Spot::BESIDE.iter().find(|row| row.0 == spot).map_or("", |row| row.2),
        }
    }
    /// Returns the name of a spot as used within a sentence.
    pub fn told(&self, spot: Spot) -> String {
        let the = if spot == Spot::Rockies { "the " } else { "" };
        format!("{the}{}", self.spot_name(spot))
    }
    /// Returns the spot with this name.
    pub fn spot(&self, name: &str) -> Option<Spot> {
        self.spots().find(|&spot| self.spot_name(spot) == name)
    }
    /// Returns every spot, regions first.
    pub fn spots(&self) -> impl Iterator<Item = Spot> + use<> {
        self.region_ids().map(Spot::Region).chain(Spot::BESIDE.map(|row| row.0))
    }
    /// Returns the index of a spot in [`Components::spots`].
    pub fn place(&self, spot: Spot) -> usize {
        match spot {
            Spot::Region(r) => r.index(),
            Spot::StLouis => self.regions.len(),
            Spot::Sacramento => self.regions.len() + 1,
            Spot::Canada => self.regions.len() + 2,
            Spot::Mexico => self.regions.len() + 3,
            Spot::Rockies => self.regions.len() + 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// plains-indian-wars 4.1, 4.2, 4.4, 6.1, 6.2, 6.3, 6.0, 6.4, 6.5, 9.0, 11.3
    #[test]
    fn the_box_is_whole() {
        let c = Components::builtin();
        let count = |kind: Kind| c.regions.iter().filter(|r| r.kind == kind).count();
        assert_eq!([Kind::North, Kind::South, Kind::PurpleNorth, Kind::PurpleSouth].map(count), [12, 12, 5, 5]);
        assert_eq!(c.pieces.iter().map(|p| p.cubes).collect::<Vec<_>>(), [30, 30, 25, 35, 20, 20, 30]);
        let faces = |f: Faction, face: Face| c.pieces[f.index()].die.iter().filter(|&&x| x == face).count();
        for (f, want) in
            Faction::ALL.into_iter().zip([[3, 1, 2], [3, 1, 2], [2, 1, 3], [4, 1, 1], [3, 1, 2], [4, 1, 1]])
        {
            assert_eq!([Face::Blank, Face::Treaty, Face::Weapon].map(|x| faces(f, x)), want, "{f:?}");
        }
        assert_eq!(Faction::CARDED.map(|f| c.deck(f).count()), [15; 4]);
        assert_eq!((c.rail.len(), c.rail.iter().filter(|s| s.mountain).count()), (25, 5));
        assert_eq!(c.trails.iter().map(|t| t.regions.len()).collect::<Vec<_>>(), [5, 5, 5]);
        let crossing = |spot: Spot, f: Faction| c.regions.iter().filter(|r| r.arrows.contains(&(spot, f))).count();
        assert_eq!([Faction::Npt, Faction::Enemies, Faction::Spt].map(|f| crossing(Spot::Canada, f)), [3, 1, 0]);
        assert_eq!([Faction::Npt, Faction::Enemies, Faction::Spt].map(|f| crossing(Spot::Mexico, f)), [0, 2, 2]);
        assert_eq!(Faction::FIGHTING.map(|f| crossing(Spot::Rockies, f)), [1, 2, 8, 3, 5]);
    }

    #[test]
    fn faults_are_named_where_they_stand() {
        let wrong = |from: &str, to: &str| {
            let text = Components::FILE.replacen(from, to, 1);
            assert_ne!(text, Components::FILE, "{from}");
            Components::parse(&text, "mine.toml").expect_err("a fault").to_string()
        };
        for (from, to, word) in [
            ("cubes = 30", "cubes = \"many\"", "mine.toml:10:9: faction.cubes: \"many\" is not possible here"),
            ("die = \"bbbtww\"", "die = \"bbbtwx\"", "six faces of b, t and w"),
            (
                "adjacent = [\"N2\", \"N6\", \"S1\"]",
                "adjacent = [\"N2\", \"N6\"]",
                "region.adjacent: N1 does not list S1",
            ),
            ("arrows = [\"canada green\"]", "arrows = [\"canada\"]", "canada green"),
            ("space = \"P1\"", "space = \"P1\"\nmountain = true", "Plains spaces"),
            ("name = \"Gall\"", "name = \"Hump\"", "\"Hump\" is already on line"),
            ("groups = 2\n", "", "moves groups"),
            (
                "regions = [\"N1\", \"N2\", \"N3\", \"N9\", \"PN5\"]",
                "regions = [\"N2\", \"N3\"]",
                "Oregon Trail: neighbouring regions",
            ),
            ("event = \"geronimo\"", "event = \"cochise\"", "unknown variant"),
        ] {
            let why = wrong(from, to);
            assert!(why.contains(word), "{to}: {why}");
        }
    }

    #[test]
    fn tables_mark_every_row() {
        let tables = Components::print(Components::FILE, "components.toml").expect("it is right");
        let marks = tables.lines().filter(|line| line.ends_with("house") || line.contains("known:")).count();
        assert_eq!(marks, 7 + 34 + 25 + 3 + 60);
        assert!(tables.lines().all(|line| line.chars().count() <= 100));
        assert!(tables.starts_with("FACTIONS\n"), "{tables}");
    }
}
