//! The contents of the box of The Battle of Rosebud Creek: the map, counters, leaders, charts and
//! set-ups.
//!
//! The data is in `../components.toml`; an owner of the game may supply a copy. [`Kit::parse`]
//! checks it.

mod charts;
mod load;

pub use self::charts::{Charts, Outcome, Score};
pub use postrider_table::components::Kit;
use postrider_table::{ids, kit, named, pieces};

named! {
    /// The two sides (4).
    pub enum Side {
        Us = "us", "US";
        Indian = "indian", "Indians";
    }

    /// The type of a counter (2.C).
    pub enum Class {
        Cavalry = "cavalry", "cavalry";
        Infantry = "infantry", "mounted infantry";
        Miners = "miners", "Miners";
        Scout = "scout", "Scouts";
        Hq = "hq", "Column HQ";
        Warrior = "warrior", "warriors";
        HorseHolder = "horse-holder", "Horse Holder";
        MuleHolder = "mule-holder", "Mule Holder";
        HqHolder = "hq-holder", "HQ Horse Holder";
        PonyHolder = "pony-holder", "Pony Holder";
        Train = "pack-train", "Pack Train";
        Personnel = "pack-personnel", "Pack Train Personnel";
    }

    /// A type of hexside (7.B).
    pub enum Crossing {
        Dry = "dry", "Dry Creek";
        Rosebud = "rosebud", "Rosebud Creek";
        Cliff = "cliff", "Cliff";
    }

    /// The terrain of a hex (7.B).
    pub enum Ground {
        Clear = ".", "Clear";
        Woods = "w", "Light Woods";
        Rocks = "r", "Rocks";
        Marsh = "m", "Marsh";
    }

    /// A table that is read by a die.
    pub enum BandTable {
        Morale = "morale", "Morale Check";
        Before = "retreat-before-melee", "Retreat Before Melee";
        LeaderLoss = "leader-loss", "Leader Loss Check";
        Wound = "wound", "Wound Severity";
    }

    /// Numbers in the rules, in the order of the file.
    pub enum Num {
        Turns = "turns", "turns";
        ChangeMode = "change-mode", "MPs to change mode";
        Recover = "recover", "MPs to recover from Disruption";
        LeaveZoc = "leave-zoc", "MPs to leave an enemy ZOC";
        Uphill = "uphill", "MPs for each level uphill";
        ChargeMove = "charge-move", "MPs that a charge adds";
        Stacking = "stacking", "Combat Factors in a hex";
        PonyHolders = "pony-holders", "Pony Holders in a hex";
        LowAmmoNatural = "low-ammo-natural", "dice that bring ammunition depletion";
        LowAmmoDie = "low-ammo-die", "a die up to which ammunition is low";
        HitAndRunLowDie = "hit-and-run-low-die", "the same of Hit & Run";
        AmmoPoints = "ammo-points", "Ammo Points";
        TrainPoints = "train-points", "ammunition points of a Pack Train";
        TrainBoxes = "train-boxes", "boxes of a Pack Train";
        TrainBoxesLost = "train-boxes-lost", "boxes lost by a casualty";
        LowBoxes = "low-boxes", "boxes that are low at the end";
        LongRange = "long-range", "hexes of Long Range Fire";
        LeaderNatural = "leader-natural", "dice that endanger a Leader";
        RallyYes = "rally-yes", "a die from which a Rally succeeds";
        PursuitYes = "pursuit-yes", "a die up to which pursuit succeeds";
        LostHorsesYes = "lost-horses-yes", "a die up to which horses are captured";
        BeforeMounted = "retreat-before-mounted", "hexes of a Retreat before melee, mounted";
        BeforeDismounted = "retreat-before-dismounted", "the same, dismounted";
        PursuitMounted = "pursuit-mounted", "hexes of pursuit, mounted";
        PursuitDismounted = "pursuit-dismounted", "the same, dismounted";
        MandatoryMounted = "mandatory-mounted", "hexes of a Mandatory Rout, mounted";
        MandatoryDismounted = "mandatory-dismounted", "the same, dismounted";
        SubsequentMounted = "subsequent-mounted", "hexes of a Subsequent Rout, mounted";
        SubsequentDismounted = "subsequent-dismounted", "the same, dismounted";
        RoutStop = "rout-stop", "hexes from enemies at which Indians and Scouts stop";
        RoutSight = "rout-sight", "hexes within which an enemy keeps the US in Rout";
        RoutMounting = "rout-mounting", "hexes that mounting takes in a Rout";
        RoutDismounting = "rout-dismounting", "the same of dismounting";
        Scatter = "scatter", "hexes within which Indians may Scatter";
        PinnedMountedRetreat = "pinned-mounted-retreat", "hexes of the Retreat instead of Pinned";
        EagleRadius = "eagle-radius", "hexes from the Eagle's Nest";
        EagleWarriors = "eagle-warriors", "warriors that end the order to stay there";
        EagleWithin = "eagle-within", "hexes within which they are near";
        EagleTurn = "eagle-turn", "the turn that ends it";
        VillageUnits = "village-units", "cavalry for the search of the village";
        VillageRows = "village-rows", "rows from the north edge";
        VillageLeave = "village-leave", "a die that lets units leave";
        VillageTrail = "village-trail", "a die that finds the trail";
        VillageAmbush = "village-ambush", "a die that is an ambush";
        BreastworksPerTrain = "breastworks-per-train", "Breastworks of one Pack Train";
        BreastworksWithin = "breastworks-within", "hexes from the Pack Train";
        BreastworksCounters = "breastworks-counters", "Breastworks in the box";
        CasualtyLimit = "casualty-limit", "the casualty from which each counts more";
        MeleeLimit = "melee-limit", "casualties that end melee attacks";
        Replacements = "replacements", "Lieutenants";
        ReplaceWithin = "replace-within", "hexes from the Personnel";
        ExitMounted = "map-exit-mounted", "MPs to leave the map, mounted";
        ExitDismounted = "map-exit-dismounted", "the same, dismounted";
        VictoryLeast = "victory-least", "points that each side counts at least";
    }

    /// Multipliers of strength, in the order of the file.
    pub enum Factor {
        LowAmmo = "low-ammo", "Low Ammo";
        Pinned = "pinned", "Pinned";
        HalfFire = "half-fire", "half strength before moving";
        AdvanceFire = "advance-fire", "Advance Fire";
        OpportunityFire = "opportunity-fire", "Opportunity Fire";
        RetreatFire = "retreat-fire", "Retreat Fire";
        HitAndRun = "hit-and-run", "Hit & Run";
        UpCliff = "up-cliff", "up a cliff";
        Disrupted = "disrupted", "Disrupted";
        LongRange = "long-range", "long range";
        InfantryDefending = "infantry-defending", "infantry defends";
        RoutedDefending = "routed-defending", "Routed";
        LowAmmoMelee = "low-ammo-melee", "Low Ammo";
    }

    /// Die roll modifiers, in the order of the file.
    pub enum Drm {
        FireDownCliff = "fire-down-cliff", "down a cliff";
        FireMounted = "fire-mounted", "target mounted";
        FireLow = "fire-low", "target Prone or Pinned";
        FireBreastworks = "fire-breastworks", "Breastworks";
        MoraleMc1 = "morale-mc-1", "MC-1";
        MoraleDisrupted = "morale-disrupted", "Disrupted";
        MoralePinned = "morale-pinned", "Pinned";
        MoraleRouted = "morale-routed", "Routed";
        RallyOutside = "rally-outside", "outside a Command Radius";
        RallyEnemy = "rally-enemy", "Routed next to an enemy";
        BeforeMounted = "before-mounted", "mounted";
        BeforeDisrupted = "before-disrupted", "Disrupted";
        BeforeRouted = "before-routed", "Routed";
        MeleeUphill = "melee-uphill", "uphill";
        MeleeLow = "melee-low", "defender Pinned or Prone";
        MeleeDisrupted = "melee-disrupted", "defender Disrupted";
        MeleeAttackerDisrupted = "melee-attacker-disrupted", "attacker Disrupted";
        MeleeInfantry = "melee-infantry", "half of the attack infantry";
        MeleeBreastworks = "melee-breastworks", "Breastworks";
    }

    /// Sources of Victory Points (17), in the order of the file.
    pub enum Vp {
        IndianCasualty = "indian-casualty", "Indian casualties";
        IndianCasualtyLate = "indian-casualty-late", "the 14th Indian casualty and later ones";
        IndianLeaderKilled = "indian-leader-killed", "Indian leader killed";
        IndianLeaderWounded = "indian-leader-wounded", "Indian leader wounded";
        CrooksHill = "crooks-hill", "Crook's Hill";
        ConicalHill = "conical-hill", "Conical Hill";
        AndrewsPoint = "andrews-point", "Andrew's Point";
        VillageSearch = "village-search", "search of the village";
        VillageTrail = "village-trail", "village trail found";
        LowAmmo = "low-ammo", "Low Ammo at the end";
        UsCasualty = "us-casualty", "US casualties";
        CrookKilled = "crook-killed", "Crook killed";
        CrookWounded = "crook-wounded", "Crook wounded";
        UsLeaderKilled = "us-leader-killed", "US leader killed";
        UsLeaderWounded = "us-leader-wounded", "US leader wounded";
        Horses = "horses", "horses captured";
        Train = "train", "Pack Train lost";
        TrainAmmo = "train-ammo", "ammunition of a lost Pack Train";
    }

    /// Levels of victory (17).
    pub enum Level {
        Draw = "draw", "Draw";
        Marginal = "marginal", "Marginal";
        Substantial = "substantial", "Substantial";
        Decisive = "decisive", "Decisive";
    }
}

impl Side {
    /// Returns the side as an adjective: `US`, `Indian`.
    pub fn of(self) -> &'static str {
        match self {
            Side::Us => "US",
            Side::Indian => "Indian",
        }
    }
    /// Returns the other side.
    pub fn enemy(self) -> Side {
        match self {
            Side::Us => Side::Indian,
            Side::Indian => Side::Us,
        }
    }
}

impl Class {
    /// Returns `true` for Horse, Mule, HQ and Pony Holders (8.D.2, 8.D.3).
    pub fn is_holder(self) -> bool {
        matches!(self, Class::HorseHolder | Class::MuleHolder | Class::HqHolder | Class::PonyHolder)
    }
    /// Returns `true` for units that mount and dismount with US Holders.
    pub fn has_us_holders(self) -> bool {
        matches!(self, Class::Cavalry | Class::Infantry | Class::Miners | Class::Hq)
    }
    /// Returns `true` for companies, Miners and Scouts, which have boxes on the Ammo Roster (14.D).
    pub fn has_boxes(self) -> bool {
        matches!(self, Class::Cavalry | Class::Infantry | Class::Miners | Class::Scout)
    }
    /// Returns `true` for units that are always Dismounted, and so never Prone (8).
    pub fn stands(self) -> bool {
        self.is_holder() || self == Class::Train
    }
    /// Returns `true` for units that have no mounts; Personnel may be Prone (8, 15.B).
    pub fn walks(self) -> bool {
        self.stands() || self == Class::Personnel
    }
    /// Returns `true` for combat units according to 3.I; Leaders have no class.
    pub fn is_combat(self) -> bool {
        self != Class::PonyHolder
    }
}

pieces! {
    /// A number in the rules.
    pub struct NumberRow in "number" {
        id: Num = in_order(&Num::ALL, Num::word),
        n: i32 = number(0..=99),
        known: String = known,
    }

    /// A row of the map.
    pub struct Line in "line" {
        id: String = label,
        levels: String = name,
        terrain: String = name,
        known: String = known,
    }

    /// A type of terrain.
    pub struct TerrainRow in "terrain" {
        id: Ground = in_order(&Ground::ALL, Ground::word),
        name: String = name,
        mps: Vec<u16> = numbers(2, 1..=9),
        fire: i32 = number(-9..=9),
        melee: i32 = number(-9..=9),
        blocks: bool = flag,
        charge: bool = flag,
        rally: bool = flag,
        known: String = known,
    }

    /// A type of hexside, and its locations.
    pub struct HexsideRow in "hexside" {
        id: Crossing = in_order(&Crossing::ALL, Crossing::word),
        name: String = name,
        mps: u16 = number(0..=9),
        melee: i32 = number(-9..=9),
        sides: Vec<String> = with(load::texts),
        known: String = known,
    }

    /// A named hex.
    pub struct Place in "place" {
        id: String = label,
        name: String = name,
        hex: String = name,
        known: String = known,
    }

    /// A part of the map.
    pub struct Area in "area" {
        id: String = label,
        columns: Vec<u8> = numbers(2, 0..=99),
        rows: Vec<u8> = numbers(2, 0..=99),
        known: String = known,
    }

    /// A column of the Fire Combat Matrix (9.A).
    pub struct FireColumn in "fire_column" {
        id: String = label,
        us: u32 = number(0..=99),
        indian: u32 = number(0..=99),
        mounted: String = name,
        dismounted: String = name,
        prone: String = name,
        known: String = known,
    }

    /// A column of the Fire Combat Results Table (9.D): the minimum dice for MC, MC-1, 1 and 2.
    pub struct FireResult in "fire_result" {
        id: String = label,
        least: Vec<i32> = numbers(4, 2..=99),
        known: String = known,
    }

    /// A row of the density table (9.B.2).
    pub struct Density in "density" {
        id: String = label,
        drm: i32 = number(-9..=9),
        known: String = known,
    }

    /// A multiplier of strength.
    pub struct FactorRow in "factor" {
        id: Factor = in_order(&Factor::ALL, Factor::word),
        times: String = name,
        known: String = known,
    }

    /// A die roll modifier.
    pub struct Modifier in "modifier" {
        id: Drm = in_order(&Drm::ALL, Drm::word),
        drm: i32 = number(-9..=9),
        text: String = name,
        known: String = known,
    }

    /// An odds column (10.A).
    pub struct OddsRow in "odds" {
        id: String = label,
        us: i32 = number(-9..=9),
        indian: i32 = number(-9..=9),
        known: String = known,
    }

    /// A row of the Melee Combat Results Table (10.C).
    pub struct MeleeRow in "melee" {
        id: String = label,
        attacker: String = name,
        defender: String = name,
        known: String = known,
    }

    /// A row of a table that is read by a die.
    pub struct Band in "band" {
        table: BandTable = word,
        least: Option<i32> = number_if(-99..=99),
        result: String = name,
        known: String = known,
    }

    /// The VPs of an event.
    pub struct VpRow in "vp" {
        id: Vp = in_order(&Vp::ALL, Vp::word),
        points: i32 = number(0..=99),
        known: String = known,
    }

    /// The minimum ratio of a level of victory, in tenths.
    pub struct LevelRow in "level" {
        id: Level = in_order(&Level::ALL, Level::word),
        tenths: i32 = number(0..=999),
        known: String = known,
    }

    /// A class of units.
    pub struct ClassRow in "class" {
        id: Class = in_order(&Class::ALL, Class::word),
        side: Side = word,
        holder: String = known,
        /// Movement allowances, mounted and dismounted.
        mas: Vec<u16> = numbers(2, 1..=20),
        charge: bool = flag,
        infantry: bool = flag,
        full_zoc: bool = flag,
        long_range: bool = flag,
        fires: bool = flag,
        known: String = known,
    }

    /// A unit or a Holder.
    pub struct Counter in "unit" {
        id: String = label,
        class: Class = word,
        name: String = name,
        /// Combat Factors, mounted and dismounted.
        cf: Vec<u8> = numbers(2, 0..=20),
        boxes: u8 = number_or_0(0..=40),
        tribe: String = known,
        /// The unit to which a Holder or Personnel belongs.
        of: String = known,
        known: String = known,
    }

    /// A leader (12).
    pub struct Leader in "leader" {
        id: String = label,
        title: String = name,
        side: Side = word,
        /// 1 for the US commander; 0 for Indians.
        rank: u8 = number(0..=20),
        rating: i32 = number(0..=9),
        radius: u16 = number(0..=20),
        /// Rating and radius of the wounded side.
        wounded: Vec<u8> = numbers(2, 0..=20),
        ma: u16 = number(1..=20),
        known: String = known,
    }

    /// A scenario (18).
    pub struct Scenario in "scenario" {
        id: String = label,
        name: String = name,
        rule: String = name,
        trains: bool = flag,
        known: String = known,
    }

    /// Units that set up in one hex (18.1).
    pub struct Group in "group" {
        hex: String = name,
        leaders: Vec<String> = with(load::texts),
        units: Vec<String> = with(load::texts),
        holders: String = name,
        known: String = known,
    }

    /// Scouts that set up in one hex unless the player places them elsewhere (18.1).
    pub struct ScoutGroup in "scouts" {
        hex: String = name,
        leaders: Vec<String> = with(load::texts),
        units: Vec<String> = with(load::texts),
        known: String = known,
    }
}

ids! {
    Components;
    /// A counter, by index in the file.
    UnitId, unit_ids, unit by id => units: Counter;
    /// A leader, by index in the file.
    LeaderId, leader_ids, leader by id => leaders: Leader;
}

kit! {
    /// The contents of the box, checked.
    pub struct Components of include_str!("../components.toml"), check load::check {
        numbers: NumberRow,
        lines: Line,
        terrains: TerrainRow,
        hexsides: HexsideRow,
        places: Place,
        areas: Area,
        fire_columns: FireColumn,
        fire_results: FireResult,
        densities: Density,
        factors: FactorRow,
        modifiers: Modifier,
        odds: OddsRow,
        melee: MeleeRow,
        bands: Band,
        vps: VpRow,
        levels: LevelRow,
        classes: ClassRow,
        units: Counter,
        leaders: Leader,
        scenarios: Scenario,
        groups: Group,
        scouts: ScoutGroup,
    }
}

impl Components {
    /// Returns a number in the rules.
    pub fn n(&self, num: Num) -> i32 {
        self.numbers[num.index()].n
    }
    /// Returns a number in the rules that counts hexes or MPs.
    pub fn steps(&self, num: Num) -> u16 {
        // No number in the file is negative.
        self.n(num) as u16
    }
    /// Returns the value of a modifier.
    pub fn drm(&self, drm: Drm) -> i32 {
        self.modifiers[drm.index()].drm
    }
    /// Returns the VPs of an event.
    pub fn vp(&self, vp: Vp) -> i32 {
        self.vps[vp.index()].points
    }
    /// Returns the row of a class.
    pub fn class(&self, class: Class) -> &ClassRow {
        &self.classes[class.index()]
    }
}
