//! The pieces as tables of plain text, for `games components`.
//!
//! Every line ends with where it comes from: `known: …` for what the rules text gives, `house` for the rest. No line is
//! wider than 100 columns: long lists and notes go on below themselves.

use std::fmt::Write as _;

use super::{Components, Loss, Odds, Terrain, TribeSet};

/// No line is wider, in characters.
const WIDTH: usize = 100;

impl Components {
    /// All tables, one after another, ready to be shown on a terminal; ends with a newline.
    pub fn tables(&self) -> String {
        let tables = [
            self.area_table(),
            self.village_table(),
            self.relation_table(),
            self.chief_table(),
            self.commander_table(),
            self.mine_table(),
            self.battle_table(),
            self.odds_table(),
            self.turn_table(),
        ];
        tables.join("\n")
    }

    /// The Areas.
    pub fn area_table(&self) -> String {
        let mut table = Table::new("AREAS", &["", "Area", "Surv", "State", "Land", "Edges", "Adjacent", "Source"]);
        for area in &self.areas {
            let marks = [
                (area.buffalo, "buffalo"),
                (area.canada, "canada"),
                (area.mexico, "mexico"),
                (area.west_edge, "west"),
                (area.east_edge, "east"),
            ];
            let land = match area.terrain {
                Terrain::Plains => "plains",
                Terrain::Mountain => "mountain",
            };
            let codes: Vec<&str> = area.adjacent.iter().map(|&id| self[id].code.as_str()).collect();
            table.row([
                area.code.clone(),
                area.name.clone(),
                area.survival.to_string(),
                area.statehood.to_string(),
                land.to_owned(),
                words(&marks),
                codes.join(" "),
                source(&area.known),
            ]);
        }
        table.render()
    }

    /// The Villages with their ratings.
    pub fn village_table(&self) -> String {
        let heads = ["Village", "Area", "Size", "Basic", "Battle", "Evade", "Aggr", "Surv", "Raid", "Notes", "Source"];
        let mut table = Table::new("VILLAGES (Basic: BPs at the start of the Basic Game, R On Reservation)", &heads);
        for village in &self.villages {
            let poison = format!("poison {:+}", village.poison_arrows);
            let notes = [
                (village.mexico_raids, "mexico"),
                (village.scouts, "scouts"),
                (village.poison_arrows != 0, poison.as_str()),
            ];
            table.row([
                village.name.clone(),
                self[village.area].code.clone(),
                village.size.to_string(),
                format!("{}{}", village.basic_size, if village.basic_on_reservation { "R" } else { "" }),
                village.battle.to_string(),
                guerilla(village.evasion, village.guerilla),
                village.aggression.to_string(),
                village.survival.to_string(),
                if village.raid == 0 { "-".to_owned() } else { village.raid.to_string() },
                words(&notes),
                source(&village.known),
            ]);
        }
        table.render()
    }

    /// Friends and enemies of each Tribe.
    pub fn relation_table(&self) -> String {
        let mut table = Table::new("RELATIONS", &["Tribe", "Friends", "Enemies", "Source"]);
        for id in self.tribe_ids() {
            let tribe = &self[id];
            let friends: TribeSet = tribe.friends.iter().filter(|&friend| friend != id).collect();
            let known: TribeSet = self
                .known_relations
                .iter()
                .filter_map(|&(a, b)| if a == id { Some(b) } else { (b == id).then_some(a) })
                .collect();
            // Lists of nearly everybody are easier to read by who is not on them.
            let others: TribeSet =
                self.tribe_ids().filter(|&other| other != id && !tribe.enemies.contains(other)).collect();
            let enemies = if tribe.enemies.len() > self.tribes.len() / 2 {
                format!("all but {}", self.names(others))
            } else {
                self.names(tribe.enemies)
            };
            table.row([tribe.name.clone(), self.names(friends), enemies, source(&self.names(known))]);
        }
        table.render()
    }

    /// The Chiefs.
    pub fn chief_table(&self) -> String {
        let mut table = Table::new("CHIEFS", &["Chief", "Leads", "Combat", "Evade", "Aggr", "Turns", "Source"]);
        for chief in &self.chiefs {
            let leads = match chief.village {
                Some(village) => self[village].name.clone(),
                None => format!("Teton {}", self[chief.tribe].name),
            };
            table.row([
                chief.name.clone(),
                leads,
                chief.combat.to_string(),
                chief.evasion.to_string(),
                chief.aggression.to_string(),
                format!("{}-{}", chief.turns.0, chief.turns.1),
                source(&chief.known),
            ]);
        }
        table.render()
    }

    /// The Commanders.
    pub fn commander_table(&self) -> String {
        let mut table = Table::new("COMMANDERS", &["Commander", "Combat", "Pursuit", "Aggr", "Source"]);
        for commander in &self.commanders {
            table.row([
                commander.name.clone(),
                commander.combat.to_string(),
                guerilla(commander.pursuit, commander.guerilla),
                commander.aggression.to_string(),
                source(&commander.known),
            ]);
        }
        table.render()
    }

    /// The Mines.
    pub fn mine_table(&self) -> String {
        let mut table = Table::new("MINES", &["Mine", "Area", "Value", "Lode", "Source"]);
        for mine in &self.mines {
            table.row([
                mine.name.clone(),
                self[mine.area].code.clone(),
                mine.value.to_string(),
                if mine.lode { "lode".to_owned() } else { String::new() },
                source(&mine.known),
            ]);
        }
        table.render()
    }

    /// The Battle Table.
    pub fn battle_table(&self) -> String {
        let mut table = Table::new("BATTLE TABLE (below it nothing is lost)", &["Total", "Loss", "Source"]);
        for (total, row) in self.battle.totals().zip(&self.battle.rows) {
            let loss = match row.result.loss {
                Loss::Bps(bps) => bps.to_string(),
                Loss::All => "all".to_owned(),
            };
            let massacre = row.result.massacre.map(|number| format!(" [M{number}]")).unwrap_or_default();
            table.row([total.to_string(), loss + &massacre, source(&row.known)]);
        }
        table.render()
    }

    /// The Odds DRMs.
    pub fn odds_table(&self) -> String {
        let mut table = Table::new("ODDS", &["Odds", "DRM", "Source"]);
        for odds in Odds::ALL {
            let mark = if self.odds.is_known(odds) { "known" } else { "house" };
            table.row([odds.to_string(), format!("{:+}", self.odds.drm(odds)), mark.to_owned()]);
        }
        table.render()
    }

    /// The Turn Track.
    pub fn turn_table(&self) -> String {
        let mut table = Table::new("TURN TRACK", &["Turn", "Years", "Commanders", "Artillery", "Source"]);
        for track in &self.turns {
            table.row([
                track.turn.to_string(),
                track.years.clone(),
                track.commanders.map_or("by 5.46".to_owned(), |number| number.to_string()),
                track.artillery.to_string(),
                source(&track.known),
            ]);
        }
        table.render()
    }

    fn names(&self, tribes: TribeSet) -> String {
        let names: Vec<&str> = tribes.iter().map(|id| self[id].name.as_str()).collect();
        names.join(", ")
    }
}

fn source(known: &str) -> String {
    if known.is_empty() { "house".to_owned() } else { format!("known: {known}") }
}

/// A rating with the "G" of Guerilla capability (2.21F, 5.42).
fn guerilla(rating: i32, guerilla: bool) -> String {
    format!("{rating}{}", if guerilla { "G" } else { "" })
}

fn words(marks: &[(bool, &str)]) -> String {
    let words: Vec<&str> = marks.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect();
    words.join(" ")
}

/// Rows of cells under a title and heads, columns as wide as they must be.
struct Table<const N: usize> {
    title: &'static str,
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    fn new(title: &'static str, heads: &[&str; N]) -> Self {
        Self { title, rows: vec![heads.map(str::to_owned)] }
    }

    fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }

    fn render(&self) -> String {
        let widths = self.widths();
        let mut text = format!("{}\n", self.title);
        for row in &self.rows {
            let cells: Vec<Vec<String>> = row.iter().zip(widths).map(|(cell, width)| wrap(cell, width)).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let mut out = String::new();
                for (cell, width) in cells.iter().zip(widths) {
                    let part = cell.get(line).map_or("", String::as_str);
                    // Writing to a String cannot fail.
                    let _ = write!(out, "{part:width$}  ");
                }
                text.push_str(out.trim_end());
                text.push('\n');
            }
        }
        text
    }

    /// As wide as the widest cell; while that is too wide for the page, the widest column gives way.
    fn widths(&self) -> [usize; N] {
        let mut widths = [0; N];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        while widths.iter().sum::<usize>() + 2 * (N - 1) > WIDTH {
            let Some(widest) = widths.iter_mut().max_by_key(|width| **width) else { break };
            *widest -= 1;
        }
        widths
    }
}

/// Breaks a text at spaces into lines of at most `width` characters; a longer word stays whole.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last =
            lines.last_mut().filter(|line| line.is_empty() || line.chars().count() + 1 + word.chars().count() <= width);
        match last {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}
