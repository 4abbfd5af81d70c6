//! From a file's text to checked [`Components`].
//!
//! The numbers of pieces and the names that the rules themselves use must hold; the values may be anything that the
//! rules can work with, since most of them are house values that an owner of the game will replace.

use std::{ops::Range, sync::LazyLock};

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use super::{
    Area, AreaId, BattleResult, BattleRow, BattleTable, Chief, Commander, Components, Loss, Mine, Odds, OddsTable,
    Terrain, Tribe, TribeId, TribeSet, TurnTrack, Village, VillageId, is_teton,
};
use crate::table::components::{self, ComponentFault, FaultKind, Reader, Row, Seen, Word};

/// The Areas of the map (2.1) by their codes; the rules name most of them.
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

/// Mines that the set-up of the Basic Game puts on the map (3.44): Area, value where it is named, how many.
const BASIC_MINES: [(&str, Option<i32>, usize); 3] = [("CA", Some(4), 2), ("NV", Some(3), 3), ("OR", None, 1)];

const RATING: std::ops::RangeInclusive<i32> = -1..=6;

impl Components {
    /// The pieces that come with Postrider.
    pub fn builtin() -> &'static Components {
        static BUILTIN: LazyLock<Components> = LazyLock::new(|| {
            let text = include_str!("../components.toml");
            Components::parse(text, "components.toml").expect("the tests parse this very text")
        });
        &BUILTIN
    }

    /// Reads a component file. `file_name` is only used to name it in messages.
    ///
    /// # Errors
    /// [`ComponentFault`] lists everything found wrong: text that is no TOML, missing or unknown keys, values out of
    /// range, names that nothing bears, pieces that the rules name and the file lacks, tables with gaps.
    pub fn parse(text: &str, file_name: &str) -> Result<Components, ComponentFault> {
        let keys =
            ["areas_note", "area", "village", "relations", "chief", "commander", "mine", "battle", "odds", "turn"];
        components::read(text, file_name, &keys, |reader, file| Loader::new(reader, file).components(text))
    }
}

struct Loader<'r, 'v, 't> {
    reader: &'r mut Reader<'t>,
    file: Row<'v, 't>,
    areas: Vec<Area>,
    codes: Vec<String>,
    tribes: Vec<Tribe>,
    tribe_names: Vec<String>,
    villages: Vec<Village>,
}

impl<'r, 'v, 't> Loader<'r, 'v, 't> {
    fn new(reader: &'r mut Reader<'t>, file: Row<'v, 't>) -> Self {
        Self {
            reader,
            file,
            areas: Vec::new(),
            codes: Vec::new(),
            tribes: Vec::new(),
            tribe_names: Vec::new(),
            villages: Vec::new(),
        }
    }

    fn components(&mut self, text: &str) -> Components {
        // Areas before all that lies in them, Tribes (with their Villages) before all that belongs to them.
        self.areas();
        self.villages();
        let known_relations = self.relations();
        let chiefs = self.chiefs();
        let commanders = self.commanders();
        let mines = self.mines();
        let battle = self.battle();
        let odds = self.odds();
        let turns = self.turns();
        Components {
            areas: std::mem::take(&mut self.areas),
            tribes: std::mem::take(&mut self.tribes),
            villages: std::mem::take(&mut self.villages),
            chiefs,
            commanders,
            mines,
            battle,
            odds,
            turns,
            known_relations,
            digest: HEXLOWER.encode(&Sha256::digest(text.as_bytes())),
            source: text.to_owned(),
        }
    }

    fn rows(&mut self, key: &'static str, keys: &[&'static str]) -> Vec<Row<'v, 't>> {
        self.reader.rows(&self.file, key, keys)
    }

    /// Where a fault of a whole list is shown: at its first row.
    fn head(rows: &[Row<'_, '_>]) -> Range<usize> {
        rows.first().map_or(0..0, |row| row.span.clone())
    }

    fn count(&mut self, span: &Range<usize>, key: &str, what: String, found: usize, want: usize, rule: &'static str) {
        if found != want {
            self.reader.fault(span, key, FaultKind::Count { what, found, want, rule });
        }
    }

    fn areas(&mut self) {
        let rows = self.rows(
            "area",
            &["code", "name", "survival", "statehood", "terrain", "buffalo", "borders", "adjacent", "known"],
        );
        let all: Vec<String> = AREAS.map(str::to_owned).to_vec();
        let (mut codes_seen, mut names_seen) = (Seen::new(), Seen::new());
        for row in &rows {
            let r = &mut self.reader;
            let code = r.name(row, "code");
            r.find(&code, row.key("code"), "area code", &all);
            r.once(&mut codes_seen, &code, &code.text, row.key("code"));
            let name = r.name(row, "name");
            r.once(&mut names_seen, &name, &name.text, row.key("name"));
            let terrain = r.text(row, "terrain");
            let sides = ["plains", "mountain"].map(str::to_owned);
            let side = r.find(&terrain, row.key("terrain"), "terrain", &sides);
            let borders = r.words(row, "borders");
            let edges = ["canada", "mexico", "west-edge", "east-edge"].map(str::to_owned);
            let mut has = [false; 4];
            for border in &borders {
                if let Some(edge) = r.find(border, row.key("borders"), "border", &edges) {
                    has[edge] = true;
                }
            }
            self.codes.push(code.text.clone());
            self.areas.push(Area {
                code: code.text,
                name: name.text,
                survival: r.int(row, "survival", 0..=40),
                statehood: r.int(row, "statehood", 1..=40),
                terrain: if side == Some(1) { Terrain::Mountain } else { Terrain::Plains },
                buffalo: r.flag(row, "buffalo"),
                canada: has[0],
                mexico: has[1],
                west_edge: has[2],
                east_edge: has[3],
                adjacent: Vec::new(),
                known: r.known(row),
            });
        }
        for code in &all {
            if !rows.is_empty() && !codes_seen.contains_key(code) {
                let kind = FaultKind::MissingPiece { what: "area", name: format!("Area {code}"), rule: "2.1" };
                self.reader.fault(&Self::head(&rows), "area", kind);
            }
        }
        let neighbours = self.reader.neighbours(&rows, "adjacent", "area code", &self.codes, &all);
        for (area, near) in self.areas.iter_mut().zip(neighbours) {
            // Lists longer than a u8 cannot pass: every code is one of 18 and stands once.
            area.adjacent = near.into_iter().map(|there| AreaId(there as u8)).collect();
            area.adjacent.sort();
        }
    }

    fn villages(&mut self) {
        let rows = self.rows(
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
        );
        let mut seen = Seen::new();
        // Ids are u8; a file with more rows than that has its count noted below.
        for row in rows.iter().take(usize::from(u8::MAX)) {
            let r = &mut self.reader;
            let tribe_name = r.name(row, "tribe");
            let word = r.text(row, "village").text;
            let name = full_name(&tribe_name.text, &word);
            r.once(&mut seen, &tribe_name, &name, "village".to_owned());
            let area_word = r.name(row, "area");
            let area = r.find(&area_word, row.key("area"), "area code", &self.codes).unwrap_or(0);
            let size = r.int(row, "size", 1..=20);
            let basic_size = r.int(row, "basic_size", 1..=20);
            if let Some(value) = row.get("basic_size").filter(|_| basic_size > size) {
                let why = format!(
                    "{basic_size} is above the size of {size}; BPs never grow (rule 2.21D), so write 1 to {size}"
                );
                let kind = FaultKind::Other(why);
                r.fault(&value.span(), row.key("basic_size"), kind);
            }
            let id = VillageId(self.villages.len() as u8);
            let tribe = match self.tribe_names.iter().position(|known| *known == tribe_name.text) {
                Some(tribe) => tribe,
                None => {
                    let (friends, enemies) = (TribeSet::new(), TribeSet::new());
                    self.tribe_names.push(tribe_name.text.clone());
                    self.tribes.push(Tribe { name: tribe_name.text.clone(), villages: Vec::new(), friends, enemies });
                    self.tribes.len() - 1
                }
            };
            self.tribes[tribe].villages.push(id);
            self.villages.push(Village {
                tribe: TribeId(tribe as u8),
                name,
                short: if word.is_empty() { tribe_name.text } else { word },
                area: AreaId(area as u8),
                size,
                basic_size,
                basic_on_reservation: r.flag(row, "basic_on_reservation"),
                battle: r.int(row, "battle", RATING),
                evasion: r.int(row, "evasion", RATING),
                aggression: r.int(row, "aggression", RATING),
                survival: r.int(row, "survival", 1..=12),
                raid: r.int(row, "raid", 0..=9),
                poison_arrows: r.int(row, "poison_arrows", 0..=6),
                guerilla: r.flag(row, "guerilla"),
                mexico_raids: r.flag(row, "mexico_raids"),
                scouts: r.flag(row, "scouts"),
                known: r.known(row),
            });
        }
        if rows.is_empty() {
            return;
        }
        let head = Self::head(&rows);
        self.count(&head, "village", "Villages".to_owned(), rows.len(), 32, "2.21");
        self.count(&head, "village", "Tribes".to_owned(), self.tribes.len(), 28, "2.21");
        for tribe in 0..self.tribes.len() {
            let name = &self.tribe_names[tribe];
            let want = match name.as_str() {
                "Sioux" => 3,
                "Apache" | "Cheyenne" => 2,
                _ => 1,
            };
            let what = format!("Villages of the {name}");
            let villages = &self.tribes[tribe].villages;
            let span = villages.first().map_or(head.clone(), |first| rows[first.index()].span.clone());
            self.count(&span, "village", what, self.tribes[tribe].villages.len(), want, "2.21B");
        }
        for name in BASIC_VILLAGES {
            if !seen.contains_key(name) {
                let kind = FaultKind::MissingPiece { what: "village", name: name.to_owned(), rule: "3.46" };
                self.reader.fault(&head, "village", kind);
            }
        }
    }

    /// The Tribes of a pair, unless a name is unknown or both are the same.
    fn pair(&mut self, key: &str, (a, b): &(Word, Word)) -> Option<(usize, usize)> {
        let left = self.reader.find(a, key.to_owned(), "tribe", &self.tribe_names);
        let right = self.reader.find(b, key.to_owned(), "tribe", &self.tribe_names);
        let (left, right) = (left?, right?);
        if left == right {
            self.reader.fault(&b.span, key, FaultKind::WithItself { name: a.text.clone() });
            return None;
        }
        Some((left, right))
    }

    /// Fills in friends and enemies; returns the pairs that are known from the rules text.
    fn relations(&mut self) -> Vec<(TribeId, TribeId)> {
        let keys = ["friends", "enemies", "apache_enemy_of_all_but", "known"];
        let Some(row) = self.reader.table(&self.file, "relations", &keys) else { return Vec::new() };
        if self.tribes.len() > 32 {
            // More than a TribeSet can hold; the count is noted already.
            return Vec::new();
        }
        for tribe in 0..self.tribes.len() {
            self.tribes[tribe].friends.insert(TribeId(tribe as u8));
        }
        let mut seen = Seen::new();
        for (key, friendly) in [("friends", true), ("enemies", false)] {
            let full_key = row.key(key);
            for pair in self.reader.pairs(&row, key) {
                let Some((a, b)) = self.pair(&full_key, &pair) else { continue };
                let mut names = [&self.tribe_names[a], &self.tribe_names[b]];
                names.sort();
                let name = format!("{key} {} and {}", names[0], names[1]);
                self.reader.once(&mut seen, &pair.0, &name, full_key.clone());
                self.relate(a, b, friendly, &full_key, &pair.0.span);
            }
        }
        self.apache(&row);
        if row.get("known").is_none() {
            return Vec::new();
        }
        let pairs = self.reader.pairs(&row, "known");
        let known = row.key("known");
        let found = pairs.iter().filter_map(|pair| self.pair(&known, pair)).collect::<Vec<_>>();
        found.into_iter().map(|(a, b)| (TribeId(a as u8), TribeId(b as u8))).collect()
    }

    fn relate(&mut self, a: usize, b: usize, friendly: bool, key: &str, span: &Range<usize>) {
        let (a_id, b_id) = (TribeId(a as u8), TribeId(b as u8));
        if friendly {
            self.tribes[a].friends.insert(b_id);
            self.tribes[b].friends.insert(a_id);
            return;
        }
        if self.tribes[a].friends.contains(b_id) {
            let (a, b) = (self.tribe_names[a].clone(), self.tribe_names[b].clone());
            let why = format!("{a} and {b} are friends and enemies at once; keep one of the two");
            self.reader.fault(span, key, FaultKind::Other(why));
            return;
        }
        self.tribes[a].enemies.insert(b_id);
        self.tribes[b].enemies.insert(a_id);
    }

    /// 2.21J: everybody but their friends is an enemy of the Apache.
    fn apache(&mut self, row: &Row<'v, 't>) {
        let key = "apache_enemy_of_all_but";
        let words = self.reader.words(row, key);
        let spared: Vec<_> =
            words.iter().filter_map(|word| self.reader.find(word, row.key(key), "tribe", &self.tribe_names)).collect();
        // A file without Apache, or without this key, was noted for that.
        let (Some(value), Some(apache)) = (row.get(key), self.tribe_names.iter().position(|name| name == "Apache"))
        else {
            return;
        };
        for tribe in 0..self.tribes.len() {
            if tribe != apache && !spared.contains(&tribe) {
                self.relate(apache, tribe, false, &row.key(key), &value.span());
            }
        }
    }

    fn chiefs(&mut self) -> Vec<Chief> {
        let rows =
            self.rows("chief", &["name", "tribe", "village", "combat", "evasion", "aggression", "turns", "known"]);
        let mut seen = Seen::new();
        let mut chiefs = Vec::with_capacity(rows.len());
        for row in &rows {
            let name = self.reader.name(row, "name");
            self.reader.once(&mut seen, &name, &name.text, row.key("name"));
            let tribe_word = self.reader.name(row, "tribe");
            let tribe = self.reader.find(&tribe_word, row.key("tribe"), "tribe", &self.tribe_names);
            let word = self.reader.text(row, "village");
            let village = tribe.and_then(|tribe| self.village_of_chief(row, tribe, &word));
            let turns = self.turns_of_chief(row);
            let r = &mut self.reader;
            chiefs.push(Chief {
                name: name.text,
                tribe: TribeId(tribe.unwrap_or(0) as u8),
                village,
                combat: r.int(row, "combat", RATING),
                evasion: r.int(row, "evasion", RATING),
                aggression: r.int(row, "aggression", RATING),
                turns,
                known: r.known(row),
            });
        }
        self.fits_ids(&rows, "chief");
        chiefs
    }

    /// 6.51: the Tribe's only Village, one named by its word, or none for a Chief of the Tetons.
    fn village_of_chief(&mut self, row: &Row<'v, 't>, tribe: usize, word: &Word) -> Option<VillageId> {
        let villages = self.tribes[tribe].villages.clone();
        let shorts: Vec<String> = villages.iter().map(|village| self.villages[village.index()].short.clone()).collect();
        if let ([only], "") = (villages.as_slice(), word.text.as_str()) {
            return Some(*only);
        }
        let tetons = shorts.iter().any(|short| is_teton(short));
        if word.text.is_empty() && tetons {
            return None;
        }
        let names: Vec<String> = shorts.iter().filter(|short| !is_teton(short)).cloned().collect();
        if word.text.is_empty() {
            let right = format!("the Village he leads, one of {}", names.join(", "));
            if let Some(value) = row.get("village").filter(|value| value.get_ref().is_str()) {
                self.reader.wrong(value, row.key("village"), right);
            }
            return None;
        }
        if is_teton(&word.text) && tetons {
            if let Some(value) = row.get("village") {
                let right = "\"\" for a Chief of the Tetons: the player puts him with either Village (rule 6.51)";
                self.reader.wrong(value, row.key("village"), right.to_owned());
            }
            return None;
        }
        let at = self.reader.find(word, row.key("village"), "Village of this Tribe", &names)?;
        villages.into_iter().find(|village| self.villages[village.index()].short == names[at])
    }

    fn turns_of_chief(&mut self, row: &Row<'v, 't>) -> (u8, u8) {
        let right = "[first, last], two Turns from 1 to 8 in order";
        let Some(value) = row.get("turns") else {
            // Notes the missing key, unless it is only misspelt.
            self.reader.words(row, "turns");
            return (1, 8);
        };
        let numbers: Option<Vec<u8>> = value.get_ref().as_array().and_then(|array| {
            let numbers = array.iter().map(|item| item.get_ref().as_integer()?.as_str().parse().ok());
            numbers.collect()
        });
        match numbers.as_deref() {
            Some(&[first, last]) if 1 <= first && first <= last && last <= 8 => (first, last),
            _ => {
                self.reader.wrong(value, row.key("turns"), right.to_owned());
                (1, 8)
            }
        }
    }

    /// Ids are u8, so lists of free length must stay below.
    fn fits_ids(&mut self, rows: &[Row<'v, 't>], key: &'static str) {
        const MOST: usize = 200;
        if let Some(row) = rows.get(MOST) {
            let (found, right) = (format!("row {}", MOST + 1), format!("at most {MOST} [[{key}]] tables"));
            self.reader.fault(&row.span, key, FaultKind::Value { found, right });
        }
    }

    fn commanders(&mut self) -> Vec<Commander> {
        let rows = self.rows("commander", &["name", "combat", "pursuit", "guerilla", "aggression", "known"]);
        let mut seen = Seen::new();
        let mut commanders = Vec::with_capacity(rows.len());
        for row in &rows {
            let r = &mut self.reader;
            let name = r.name(row, "name");
            let surname = name.text.split_whitespace().next_back().unwrap_or_default().to_owned();
            // Orders name a Commander by his surname alone, so that is what must not repeat.
            r.once(&mut seen, &name, &surname, row.key("name"));
            commanders.push(Commander {
                name: name.text,
                surname,
                combat: r.int(row, "combat", RATING),
                pursuit: r.int(row, "pursuit", RATING),
                aggression: r.int(row, "aggression", RATING),
                guerilla: r.flag(row, "guerilla"),
                known: r.known(row),
            });
        }
        if !rows.is_empty() {
            self.count(&Self::head(&rows), "commander", "Commanders".to_owned(), rows.len(), 24, "5.4");
        }
        commanders
    }

    fn mines(&mut self) -> Vec<Mine> {
        let rows = self.rows("mine", &["name", "area", "value", "lode", "known"]);
        let mut mines = Vec::with_capacity(rows.len());
        for row in &rows {
            let r = &mut self.reader;
            let name = r.name(row, "name");
            let area_word = r.name(row, "area");
            let area = r.find(&area_word, row.key("area"), "area code", &self.codes).unwrap_or(0);
            mines.push(Mine {
                name: name.text,
                area: AreaId(area as u8),
                value: r.int(row, "value", 1..=9),
                lode: r.flag(row, "lode"),
                known: r.known(row),
            });
        }
        if rows.is_empty() {
            return mines;
        }
        let head = Self::head(&rows);
        let mut set_up = 0;
        for (code, value, want) in BASIC_MINES {
            let fits = |mine: &&Mine| {
                self.codes.get(mine.area.index()).is_some_and(|area| area == code)
                    && value.is_none_or(|value| mine.value == value)
            };
            let found = mines.iter().filter(fits).count();
            for _ in found..want {
                let name = match value {
                    Some(value) => format!("a Mine of value {value} in {code}"),
                    None => format!("a Mine in {code}"),
                };
                self.reader.fault(&head, "mine", FaultKind::MissingPiece { what: "mine", name, rule: "3.44" });
            }
            set_up += want;
        }
        for _ in mines.len()..set_up + 2 {
            let name = "a Mine to draw beside those set up".to_owned();
            self.reader.fault(&head, "mine", FaultKind::MissingPiece { what: "mine", name, rule: "3.44" });
        }
        self.fits_ids(&rows, "mine");
        mines
    }

    fn battle(&mut self) -> BattleTable {
        let rows = self.rows("battle", &["total", "loss", "massacre", "known"]);
        let mut table = BattleTable { first: 0, rows: Vec::with_capacity(rows.len()) };
        let mut before: Option<(i32, Loss)> = None;
        for row in &rows {
            let total = self.reader.int(row, "total", -8..=30);
            let loss = self.loss(row);
            if let (Some((last, least)), Some(at), Some(value)) = (before, row.get("total"), row.get("loss")) {
                if total != last + 1 {
                    let kind = FaultKind::Sequence { found: total, before: format!("total {last}"), want: last + 1 };
                    self.reader.fault(&at.span(), row.key("total"), kind);
                }
                if loss < least {
                    let kind = falls(&describe(loss), &describe(least), &format!("total {last}"));
                    self.reader.fault(&value.span(), row.key("loss"), kind);
                }
            }
            before = Some((total, loss));
            if table.rows.is_empty() {
                table.first = total;
            }
            let massacre = self.reader.optional_int(row, "massacre", 0..=9);
            let known = self.reader.known(row);
            table.rows.push(BattleRow { result: BattleResult { loss, massacre }, known });
        }
        table
    }

    fn loss(&mut self, row: &Row<'v, 't>) -> Loss {
        match row.get("loss") {
            Some(value) if value.get_ref().as_str() == Some("all") => Loss::All,
            Some(value) if value.get_ref().is_str() => {
                let right = "\"all\" or a whole number from 0 to 20".to_owned();
                self.reader.wrong(value, row.key("loss"), right);
                Loss::All
            }
            _ => Loss::Bps(self.reader.int(row, "loss", 0..=20)),
        }
    }

    fn odds(&mut self) -> OddsTable {
        let mut table = OddsTable { drms: [0; 7], known: [false; 7] };
        let mut keys = Odds::ALL.map(Odds::as_str).to_vec();
        keys.push("known");
        let Some(row) = self.reader.table(&self.file, "odds", &keys) else { return table };
        let names = Odds::ALL.map(|odds| odds.as_str().to_owned());
        for odds in Odds::ALL {
            table.drms[odds as usize] = self.reader.int(&row, odds.as_str(), -8..=8);
        }
        for pair in Odds::ALL.windows(2) {
            let [better, worse] = [pair[0], pair[1]];
            if let Some(value) = row.get(better.as_str()).filter(|_| table.drm(better) < table.drm(worse)) {
                let kind = falls(&table.drm(better).to_string(), &table.drm(worse).to_string(), &worse.to_string());
                self.reader.fault(&value.span(), row.key(better.as_str()), kind);
            }
        }
        if row.get("known").is_some() {
            for word in self.reader.words(&row, "known") {
                if let Some(at) = self.reader.find(&word, row.key("known"), "odds", &names) {
                    table.known[at] = true;
                }
            }
        }
        table
    }

    fn turns(&mut self) -> Vec<TurnTrack> {
        let rows = self.rows("turn", &["turn", "years", "commanders", "artillery", "known"]);
        let mut turns: Vec<TurnTrack> = Vec::with_capacity(rows.len());
        for row in rows.iter().take(8) {
            let r = &mut self.reader;
            let turn = r.int(row, "turn", 1..=8);
            let last = turns.last().map_or(0, |track| i32::from(track.turn));
            if let Some(value) = row.get("turn").filter(|_| turn != last + 1) {
                let before = if last == 0 { "the start".to_owned() } else { format!("Turn {last}") };
                let kind = FaultKind::Sequence { found: turn, before, want: last + 1 };
                r.fault(&value.span(), row.key("turn"), kind);
            }
            // 5.46: a formula stands in for the number in Turns 7 and 8, and nowhere else.
            let commanders = match turn {
                7 | 8 => r.int(row, "commanders", 0..=0),
                _ => r.int(row, "commanders", 1..=24),
            };
            turns.push(TurnTrack {
                turn: u8::try_from(turn).unwrap_or(1),
                years: r.name(row, "years").text,
                commanders: (commanders > 0).then_some(commanders),
                artillery: r.int(row, "artillery", 0..=9),
                known: r.known(row),
            });
        }
        if !rows.is_empty() {
            self.count(&Self::head(&rows), "turn", "Turns".to_owned(), rows.len(), 8, "1");
        }
        turns
    }
}

/// "Mimbres" of the Apache is "Mimbres Apache"; a number goes last: "Teton 1" of the Sioux is "Teton Sioux 1".
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

/// A higher total or better odds give less than the row before.
fn falls(found: &str, before: &str, row: &str) -> FaultKind {
    FaultKind::Other(format!("{found} is below the {before} of {row}; write at least {before}"))
}
