//! The names of pieces that players may use.

use super::{
    State,
    components::{AreaId, ChiefId, CommanderId, MineId, VillageId},
    state::{ColumnId, PartyId},
};
use postrider_orders::{Grammar, Names, named};

/// Returns all Areas, by name and code.
pub fn areas(g: &State) -> Names<AreaId> {
    let mut names = Names::new("Area");
    for a in g.area_ids() {
        names.add(&g.c[a].name, a).add(&g.c[a].code, a);
    }
    names
}

/// Returns Villages, by full and short name.
pub fn villages(g: &State, among: impl Iterator<Item = VillageId>) -> Names<VillageId> {
    let mut names = Names::new("Village");
    for v in among {
        names.add(&g.c[v].name, v).add(&g.c[v].short, v);
    }
    names
}

/// Returns Columns, by their Commander's surname and full name.
pub fn columns(g: &State) -> Names<ColumnId> {
    let mut names = Names::new("Column");
    for column in &g.columns {
        if let Some(m) = column.commander {
            names.add(&g.c[m].surname, column.id).add(&g.c[m].name, column.id);
        }
    }
    names
}

/// Returns all Commanders, by surname and full name.
pub fn commanders(g: &State) -> Names<CommanderId> {
    let mut names = Names::new("Commander");
    for m in (0..g.commanders.len() as u8).map(CommanderId) {
        names.add(&g.c[m].surname, m).add(&g.c[m].name, m);
    }
    names
}

/// Returns the surnames of all Commanders.
pub fn commanders_of_game(g: &State) -> Vec<String> {
    (0..g.commanders.len() as u8).map(|m| g.c[CommanderId(m)].surname.clone()).collect()
}

/// Returns the Chiefs of all Tribes.
pub fn chiefs(g: &State) -> Names<ChiefId> {
    let mut names = Names::new("Chief");
    for h in (0..g.chiefs.len() as u8).map(ChiefId) {
        names.add(&g.c[h].name, h);
    }
    names
}

/// Returns the Mines of an Area or, if `there` is `false`, those of all others.
pub fn mines(g: &State, a: AreaId, there: bool) -> Names<MineId> {
    let among = g.c.mine_ids().filter(|&id| (g.c[id].area == a) == there);
    Names::from_iter("Mine", among.map(|id| (mine(g, id), id)))
}

/// Returns the name of a Mine in rulings. Mines of the same name in an Area are numbered.
pub fn mine(g: &State, id: MineId) -> String {
    let one = &g.c[id];
    let alike = |other: &MineId| g.c[*other].area == one.area && g.c[*other].name == one.name;
    let all: Vec<MineId> = g.c.mine_ids().filter(alike).collect();
    match all.iter().position(|&other| other == id) {
        Some(at) if all.len() > 1 => format!("{} {}", one.name, at + 1),
        _ => one.name.clone(),
    }
}

/// Returns the War Parties on the map.
pub fn parties(g: &State) -> Names<PartyId> {
    let mut names = Names::new("War Party");
    for party in &g.parties {
        names.add(&g.party_name(party), party.id);
        if party.no == 1 || g.parties_of(party.village).count() == 1 {
            names.add(&g.c[party.village].name, party.id).add(&g.c[party.village].short, party.id);
        }
    }
    names
}

/// Parses an Area, as orders record it.
pub fn area(g: &State) -> Grammar<'_, String> {
    named(|| areas(g), |a| g.c[a].name.clone())
}

/// Parses a Column on the map, by its Commander.
pub fn column(g: &State) -> Grammar<'_, String> {
    named(|| columns(g), |id| g.column_name(id).to_owned())
}

/// Parses a Commander.
pub fn commander(g: &State) -> Grammar<'_, String> {
    named(|| commanders(g), |m| g.c[m].surname.clone())
}

/// Parses a Village of any player.
pub fn village(g: &State) -> Grammar<'_, String> {
    named(|| villages(g, g.village_ids()), |v| g.c[v].name.clone())
}
