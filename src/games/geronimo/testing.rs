//! Test helpers: constructed positions, and components by name.

use super::{
    Geronimo, State,
    components::{AreaId, ChiefId, CommanderId, Components, Kit as _, TribeId, VillageId},
    setup,
    state::{Column, ColumnId, CommanderPlace},
    variant::{Scenario, Variant},
};
use postrider_table::{Seat, testing};
use std::sync::Arc;

/// A trial of one rule in one position.
pub type Trial = testing::Trial<Geronimo>;
/// A rule in progress.
pub type Running = testing::Running<Geronimo>;

pub fn pieces() -> Arc<Components> {
    Components::builtin().clone()
}

/// Returns the initial position of the Basic Game, before any dice are rolled; A plays the US.
pub fn basic(players: u8) -> State {
    setup::position(pieces(), players, Variant::default())
}

/// Returns the initial position of the Campaign Game; A plays the US.
pub fn campaign(players: u8) -> State {
    setup::position(pieces(), players, Variant { scenario: Scenario::Campaign, ..Variant::default() })
}

pub fn area(g: &State, code: &str) -> AreaId {
    g.c.area_by_code(code).unwrap_or_else(|| panic!("no Area {code}"))
}

pub fn village(g: &State, name: &str) -> VillageId {
    g.c.village_by_name(name).unwrap_or_else(|| panic!("no Village {name}"))
}

pub fn tribe(g: &State, name: &str) -> TribeId {
    g.c.tribe_by_name(name).unwrap_or_else(|| panic!("no Tribe {name}"))
}

pub fn chief(g: &State, name: &str) -> ChiefId {
    g.c.chief_by_name(name).unwrap_or_else(|| panic!("no Chief {name}"))
}

pub fn commander(g: &State, name: &str) -> CommanderId {
    g.c.commander_by_name(name).unwrap_or_else(|| panic!("no Commander {name}"))
}

/// Places a Column On Patrol; its Commander leaves the cup.
pub fn column(g: &mut State, surname: &str, code: &str, bps: i32) -> ColumnId {
    let id = ColumnId(g.next_column);
    g.next_column += 1;
    let (m, area) = (commander(g, surname), area(g, code));
    g.commanders[m.index()] = CommanderPlace::Column(id);
    g.columns.push(Column {
        id,
        commander: Some(m),
        bps,
        guns: 0,
        gatlings: 0,
        area,
        in_fort: false,
        played_in: 0,
        group: None,
        attacked_in: 0,
    });
    id
}

pub fn deal_to(g: &mut State, tribe_name: &str, seat: Seat) {
    let tribe = tribe(g, tribe_name);
    g.tribes[tribe.index()].holder = Some(seat);
}
