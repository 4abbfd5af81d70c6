//! Loads and checks [`Components`] from a file's text.
//!
//! The numbers of pieces, and the names that the rules use, must be correct. The values may be
//! anything that the rules can work with, since most of them are house values that an owner of the
//! game will replace.

use super::{
    Area, AreaId, BattleResult, BattleRow, BattleTable, Chief, Commander, Components, Loss, Mine, Odds, OddsTable,
    RATING, Terrain, Tribe, TribeId, TribeSet, TurnTrack, Village, VillageId, is_teton,
};
use postrider_table::components::{FaultKind, File, Id as _, Kit, Piece as _, Row, Table, Word};

/// The codes of the Areas (2.1), most of which the rules use.
const AREAS: [&str; 18] =
    ["WA", "OR", "CA", "NV", "ID", "MT", "WY", "UT", "CO", "AZ", "NM", "ND", "SD", "NE", "KS", "IT", "TX", "MN"];

/// The Villages that the set-up of the Basic Game names (3.46).
const BASIC_VILLAGES: [&str; 22] = [
    "Flathead",
    "Shoshone",
    "Mojave",
    "Umatilla",
    "Yakima",
    "Rogues",
    "Klamath",
    "Coeur d'Alene",
    "Miwok-Yokuts",
    "Santee Sioux",
    "Navajo",
    "Arapaho",
    "Kiowa",
    "Snake",
    "Comanche",
    "Teton Sioux 1",
    "Teton Sioux 2",
    "Blackfoot",
    "Mimbres Apache",
    "Chiricahua Apache",
    "Southern Cheyenne",
    "Northern Cheyenne",
];

/// Mines that the set-up of the Basic Game puts on the map (3.44): Area, value if specified,
/// number.
const BASIC_MINES: [(&str, Option<i32>, usize); 3] = [("CA", Some(4), 2), ("NV", Some(3), 3), ("OR", None, 1)];

impl Kit for Components {
    const FILE: &'static str = include_str!("../components.toml");
    const TABLES: &'static [Table] = &[
        ("areas_note", &[]),
        Area::TABLE,
        (
            "village",
            &[
                "tribe",
                "village",
                "area",
                "size",
                "basic_size",
                "basic_on_reservation",
                "battle",
                "evasion",
                "guerilla",
                "aggression",
                "survival",
                "raid",
                "mexico_raids",
                "scouts",
                "poison_arrows",
                "known",
            ],
        ),
        ("relations", &["friends", "enemies", "apache_enemy_of_all_but", "known"]),
        ("chief", &["name", "tribe", "village", "combat", "evasion", "aggression", "turns", "known"]),
        Commander::TABLE,
        Mine::TABLE,
        ("battle", &["total", "loss", "massacre", "known"]),
        ("odds", &["3-1", "2-1", "3-2", "1-1", "2-3", "1-2", "1-3", "known"]),
        TurnTrack::TABLE,
    ];

    fn assemble(file: &mut File<'_, '_>) -> Components {
        // Areas before the pieces located in them, and Tribes (with their Villages) before the
        // pieces that belong to them.
        let areas = areas(file);
        let (villages, mut tribes) = villages(file);
        let known_relations = relations(file, &mut tribes);
        Components {
            areas,
            chiefs: file.rows("chief", |row| chief(row, &tribes, &villages)),
            tribes,
            villages,
            commanders: commanders(file),
            mines: mines(file),
            battle: battle(file),
            odds: odds(file),
            turns: turns(file),
            known_relations,
        }
    }
}

fn areas(file: &mut File<'_, '_>) -> Vec<Area> {
    let mut areas: Vec<Area> = file.pieces();
    for code in AREAS.iter().filter(|code| areas.iter().all(|area| area.code != **code)) {
        missing(file, "area", format!("Area {code}"), "2.1");
    }
    areas.iter_mut().for_each(|area| area.adjacent.sort());
    areas
}

/// Reads an Area's code, which must be one that the rules know (2.1).
pub(super) fn area_code(row: &mut Row<'_, '_, '_>, key: &'static str) -> String {
    let code = row.name_at(key);
    row.find(&code, key, "area code", &AREAS);
    row.once(&code, &code.text, key);
    code.text
}

/// Reads the Areas adjacent to one. If the row of an Area is missing, this is reported once, not
/// for every neighbour.
pub(super) fn beside(row: &mut Row<'_, '_, '_>, key: &'static str) -> Vec<AreaId> {
    row.neighbours_among(key, &AREAS)
}

/// Reads the side of the green line, east or west (2.11).
pub(super) fn terrain(row: &mut Row<'_, '_, '_>, key: &'static str) -> Terrain {
    let side = row.choice(key, "terrain", &["plains", "mountain"]);
    if side == Some(1) { Terrain::Mountain } else { Terrain::Plains }
}

/// Reads whether an Area borders Canada, Mexico, the western edge and the eastern edge.
pub(super) fn borders(row: &mut Row<'_, '_, '_>, key: &'static str) -> [bool; 4] {
    let mut has = [false; 4];
    for border in row.words(key) {
        if let Some(edge) = row.find(&border, key, "border", &["canada", "mexico", "west-edge", "east-edge"]) {
            has[edge] = true;
        }
    }
    has
}

/// Reports a piece that a rule names and the file lacks.
fn missing(file: &mut File<'_, '_>, what: &'static str, name: String, rule: &'static str) {
    if file.has(what) {
        file.fault(what, FaultKind::MissingPiece { what, name, rule });
    }
}

/// Reads the Villages and the Tribes, which are in the order of their first Villages in the file.
fn villages(file: &mut File<'_, '_>) -> (Vec<Village>, Vec<Tribe>) {
    let mut tribes: Vec<Tribe> = Vec::new();
    let villages = file.rows("village", |row| village(row, &mut tribes));
    file.name("tribe", tribes.iter().map(|tribe| tribe.name.clone()));
    file.count("village", "Villages", villages.len(), 32, "2.21");
    file.count("village", "Tribes", tribes.len(), 28, "2.21");
    for tribe in &tribes {
        let want = match tribe.name.as_str() {
            "Sioux" => 3,
            "Apache" | "Cheyenne" => 2,
            _ => 1,
        };
        file.count("village", &format!("Villages of the {}", tribe.name), tribe.villages.len(), want, "2.21B");
    }
    for name in BASIC_VILLAGES.iter().filter(|name| villages.iter().all(|village| village.name != **name)) {
        missing(file, "village", (*name).to_owned(), "3.46");
    }
    (villages, tribes)
}

fn village(row: &mut Row<'_, '_, '_>, tribes: &mut Vec<Tribe>) -> Village {
    let (tribe_name, word) = (row.name_at("tribe"), row.text("village"));
    let name = full_name(&tribe_name.text, &word);
    row.once(&tribe_name, &name, "village");
    let tribe = tribes.iter().position(|known| known.name == tribe_name.text).unwrap_or_else(|| {
        let (friends, enemies) = (TribeSet::new(), TribeSet::new());
        tribes.push(Tribe { name: tribe_name.text.clone(), villages: Vec::new(), friends, enemies });
        tribes.len() - 1
    });
    tribes[tribe].villages.push(VillageId::at(row.at()));
    let (size, basic_size) = (row.number("size", 1..=20), row.number("basic_size", 1..=20));
    if basic_size > size && row.has("basic_size") {
        let why =
            format!("{basic_size} is above the size of {size}; BPs never grow (rule 2.21D), so write 1 to {size}");
        row.fault("basic_size", FaultKind::Other(why));
    }
    Village {
        tribe: TribeId::at(tribe),
        name,
        short: if word.is_empty() { tribe_name.text } else { word },
        area: row.of("area", "area"),
        size,
        basic_size,
        basic_on_reservation: row.flag("basic_on_reservation"),
        battle: row.number("battle", RATING),
        evasion: row.number("evasion", RATING),
        aggression: row.number("aggression", RATING),
        survival: row.number("survival", 1..=12),
        raid: row.number("raid", 0..=9),
        poison_arrows: row.number("poison_arrows", 0..=6),
        guerilla: row.flag("guerilla"),
        mexico_raids: row.flag("mexico_raids"),
        scouts: row.flag("scouts"),
        known: row.known("known"),
    }
}

/// Returns the Tribes of a pair, unless a name is unknown or both are the same.
fn pair(row: &mut Row<'_, '_, '_>, key: &'static str, (a, b): &(Word, Word)) -> Option<(TribeId, TribeId)> {
    let (left, right) = (row.row_of(a, key, "tribe"), row.row_of(b, key, "tribe"));
    let (left, right) = (left?, right?);
    if left == right {
        row.fault_of(b, key, FaultKind::WithItself { name: a.text.clone() });
        return None;
    }
    Some((TribeId::at(left), TribeId::at(right)))
}

/// Reads friends and enemies, and returns the pairs known from the rules text.
fn relations(file: &mut File<'_, '_>, tribes: &mut [Tribe]) -> Vec<(TribeId, TribeId)> {
    // More Tribes than a TribeSet can hold; already reported as a wrong count.
    if tribes.len() > 32 {
        return Vec::new();
    }
    let known = file.table("relations", |row| {
        for (at, tribe) in tribes.iter_mut().enumerate() {
            tribe.friends.insert(TribeId::at(at));
        }
        for (key, friendly) in [("friends", true), ("enemies", false)] {
            for words in row.pairs(key) {
                let Some((a, b)) = pair(row, key, &words) else { continue };
                let mut names = [a, b].map(|tribe| tribes[tribe.index()].name.as_str());
                names.sort();
                row.once(&words.0, &format!("{key} {} and {}", names[0], names[1]), key);
                if let Err(why) = relate(tribes, a, b, friendly) {
                    row.fault_of(&words.0, key, why);
                }
            }
        }
        apache(row, tribes);
        let pairs = if row.has("known") { row.pairs("known") } else { Vec::new() };
        pairs.iter().filter_map(|words| pair(row, "known", words)).collect()
    });
    known.unwrap_or_default()
}

fn relate(tribes: &mut [Tribe], a: TribeId, b: TribeId, friendly: bool) -> Result<(), FaultKind> {
    if !friendly && tribes[a.index()].friends.contains(b) {
        let (a, b) = (&tribes[a.index()].name, &tribes[b.index()].name);
        let why = format!("{a} and {b} are friends and enemies at once; keep one of the two");
        return Err(FaultKind::Other(why));
    }
    for (one, other) in [(a, b), (b, a)] {
        let tribe = &mut tribes[one.index()];
        let set = if friendly { &mut tribe.friends } else { &mut tribe.enemies };
        set.insert(other);
    }
    Ok(())
}

/// Makes all Tribes except its friends enemies of the Apache (2.21J).
fn apache(row: &mut Row<'_, '_, '_>, tribes: &mut [Tribe]) {
    let key = "apache_enemy_of_all_but";
    let spared: Vec<TribeId> = row.list_of(key, "tribe");
    // A missing Tribe or key has already been reported.
    let Some(apache) = tribes.iter().position(|tribe| tribe.name == "Apache").filter(|_| row.has(key)) else { return };
    let apache = TribeId::at(apache);
    for tribe in (0..tribes.len()).map(TribeId::at).filter(|tribe| *tribe != apache && !spared.contains(tribe)) {
        if let Err(why) = relate(tribes, apache, tribe, false) {
            row.fault(key, why);
        }
    }
}

fn chief(row: &mut Row<'_, '_, '_>, tribes: &[Tribe], villages: &[Village]) -> Chief {
    let (name, tribe) = (row.label("name"), row.name_at("tribe"));
    let tribe = row.row_of(&tribe, "tribe", "tribe");
    Chief {
        name,
        tribe: TribeId::at(tribe.unwrap_or(0)),
        village: village_of_chief(row, tribe.map(|tribe| &*tribes[tribe].villages), villages),
        combat: row.number("combat", RATING),
        evasion: row.number("evasion", RATING),
        aggression: row.number("aggression", RATING),
        turns: turns_of_chief(row, "turns"),
        known: row.known("known"),
    }
}

/// Reads a Chief's Village (6.51): the Tribe's only one, one given by its short name, or none for a
/// Teton Chief.
fn village_of_chief(row: &mut Row<'_, '_, '_>, tribe: Option<&[VillageId]>, villages: &[Village]) -> Option<VillageId> {
    let key = "village";
    let word = row.text_at(key);
    let own = tribe?;
    if let ([only], "") = (own, word.text.as_str()) {
        return Some(*only);
    }
    let short = |village: VillageId| villages[village.index()].short.as_str();
    let (tetons, others): (Vec<VillageId>, Vec<VillageId>) = own.iter().partition(|village| is_teton(short(**village)));
    let names: Vec<&str> = others.iter().map(|&village| short(village)).collect();
    match word.text.as_str() {
        "" if !tetons.is_empty() => None,
        "" => {
            if row.get(key).is_some_and(|value| value.get_ref().is_str()) {
                row.wrong(key, format!("the Village he leads, one of {}", names.join(", ")));
            }
            None
        }
        teton if is_teton(teton) && !tetons.is_empty() => {
            row.wrong(key, "\"\" for a Chief of the Tetons: the player puts him with either Village (rule 6.51)");
            None
        }
        _ => row.find(&word, key, "Village of this Tribe", &names).map(|at| others[at]),
    }
}

fn turns_of_chief(row: &mut Row<'_, '_, '_>, key: &'static str) -> (u8, u8) {
    let Some(value) = row.get(key) else {
        // Reports the missing key, unless it is only misspelt.
        row.words(key);
        return (1, 8);
    };
    let numbers: Option<Vec<u8>> = value.get_ref().as_array().and_then(|array| {
        let numbers = array.iter().map(|item| item.get_ref().as_integer()?.as_str().parse().ok());
        numbers.collect()
    });
    match numbers.as_deref() {
        Some(&[first, last]) if 1 <= first && first <= last && last <= 8 => (first, last),
        _ => {
            row.wrong(key, "[first, last], two Turns from 1 to 8 in order");
            (1, 8)
        }
    }
}

/// Reads a Commander's name. The surname must be unique, because orders use it alone.
pub(super) fn commander_name(row: &mut Row<'_, '_, '_>, key: &'static str) -> String {
    let name = row.name_at(key);
    row.once(&name, surname(&name.text), key);
    name.text
}

/// Returns the last word of a name.
pub(super) fn surname(name: &str) -> &str {
    name.split_whitespace().next_back().unwrap_or_default()
}

fn commanders(file: &mut File<'_, '_>) -> Vec<Commander> {
    let commanders: Vec<Commander> = file.pieces();
    file.count("commander", "Commanders", commanders.len(), 24, "5.4");
    commanders
}

fn mines(file: &mut File<'_, '_>) -> Vec<Mine> {
    let mines: Vec<Mine> = file.pieces();
    let mut set_up = 0;
    for (code, value, want) in BASIC_MINES {
        let lies = |mine: &&Mine| file.names("area").get(mine.area.index()).is_some_and(|area| area == code);
        let fits = mines.iter().filter(lies).filter(|mine| value.is_none_or(|value| mine.value == value));
        for _ in fits.count()..want {
            let of_value = value.map_or(String::new(), |value| format!(" of value {value}"));
            missing(file, "mine", format!("a Mine{of_value} in {code}"), "3.44");
        }
        set_up += want;
    }
    for _ in mines.len()..set_up + 2 {
        missing(file, "mine", "a Mine to draw beside those set up".to_owned(), "3.44");
    }
    mines
}

fn battle(file: &mut File<'_, '_>) -> BattleTable {
    let rows: Vec<(i32, BattleRow)> = file.rows("battle", |row| {
        let total = row.number("total", -8..=30);
        let result = BattleResult { loss: loss(row, "loss"), massacre: row.number_if("massacre", 0..=9) };
        (total, BattleRow { result, known: row.known("known") })
    });
    for (at, pair) in rows.windows(2).enumerate() {
        let [(last, before), (total, row)] = pair else { continue };
        if *total != last + 1 {
            let kind = FaultKind::Sequence { found: *total, before: format!("total {last}"), want: last + 1 };
            file.fault_at("battle", at + 1, "total", kind);
        }
        if row.result.loss < before.result.loss {
            let (loss, least) = (describe(row.result.loss), describe(before.result.loss));
            file.fault_at("battle", at + 1, "loss", falls(&loss, &least, &format!("total {last}")));
        }
    }
    let first = rows.first().map_or(0, |row| row.0);
    BattleTable { first, rows: rows.into_iter().map(|row| row.1).collect() }
}

fn loss(row: &mut Row<'_, '_, '_>, key: &'static str) -> Loss {
    match row.get(key) {
        Some(value) if value.get_ref().is_str() => {
            if value.get_ref().as_str() != Some("all") {
                row.wrong(key, "\"all\" or a whole number from 0 to 20");
            }
            Loss::All
        }
        _ => Loss::Bps(row.number(key, 0..=20)),
    }
}

fn odds(file: &mut File<'_, '_>) -> OddsTable {
    let table = file.table("odds", |row| {
        let mut table = OddsTable { drms: Odds::ALL.map(|odds| row.number(odds.as_str(), -8..=8)), known: [false; 7] };
        for pair in Odds::ALL.windows(2) {
            let [better, worse] = [pair[0], pair[1]];
            if table.drm(better) < table.drm(worse) && row.has(better.as_str()) {
                let kind = falls(&table.drm(better).to_string(), &table.drm(worse).to_string(), worse.as_str());
                row.fault(better.as_str(), kind);
            }
        }
        for word in row.words_if("known") {
            if let Some(at) = row.find(&word, "known", "odds", &Odds::ALL.map(Odds::as_str)) {
                table.known[at] = true;
            }
        }
        table
    });
    table.unwrap_or(OddsTable { drms: [0; 7], known: [false; 7] })
}

/// Reads the number of Commanders of a Turn. In Turns 7 and 8 a formula replaces it (5.46).
pub(super) fn drawn(row: &mut Row<'_, '_, '_>, key: &'static str) -> Option<i32> {
    let by_formula = row.at() >= 6;
    let number: i32 = row.number(key, if by_formula { 0..=0 } else { 1..=24 });
    (!by_formula).then_some(number)
}

fn turns(file: &mut File<'_, '_>) -> Vec<TurnTrack> {
    let turns: Vec<TurnTrack> = file.pieces();
    for (at, track) in turns.iter().enumerate() {
        let last = if at == 0 { 0 } else { i32::from(turns[at - 1].turn) };
        if i32::from(track.turn) != last + 1 {
            let before = if last == 0 { "the start".to_owned() } else { format!("Turn {last}") };
            let kind = FaultKind::Sequence { found: track.turn.into(), before, want: last + 1 };
            file.fault_at("turn", at, "turn", kind);
        }
    }
    file.count("turn", "Turns", turns.len(), 8, "1");
    turns
}

/// Returns the full name of a Village: "Mimbres" of the Apache is "Mimbres Apache". A number comes
/// last: "Teton 1" of the Sioux is "Teton Sioux 1".
fn full_name(tribe: &str, village: &str) -> String {
    match village.rsplit_once(' ') {
        _ if village.is_empty() => tribe.to_owned(),
        Some((word, number)) if number.parse::<u8>().is_ok() => format!("{word} {tribe} {number}"),
        _ => format!("{village} {tribe}"),
    }
}

fn describe(loss: Loss) -> String {
    match loss {
        Loss::Bps(bps) => bps.to_string(),
        Loss::All => "\"all\"".to_owned(),
    }
}

/// Returns the error for a higher total or better odds with a lower result than the previous row.
fn falls(found: &str, before: &str, row: &str) -> FaultKind {
    FaultKind::Other(format!("{found} is below the {before} of {row}; write at least {before}"))
}
