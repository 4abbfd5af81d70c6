//! The contents of the box: stations and horses.

use postrider_table::components::{FaultKind, File};
use postrider_table::{ids, kit, pieces};

pieces! {
    /// A station (2).
    pub struct Station in "station" {
        name: String = label,
        /// Those that a ride of one step leads to.
        roads: Vec<StationId> = neighbours,
        /// What can be fetched there.
        mail: u8 = number(0..=9),
        /// Whether robbers wait there (5).
        wild: bool = flag,
        known: String = text,
    }

    /// A kind of horse, with its number of cards (3).
    pub struct Horse in "horse" {
        name: String = label,
        /// How many steps it runs.
        paces: u8 = number(1..=9),
        count: u8 = number(1..=20),
        known: String = text,
    }
}

ids! {
    Components;
    /// A station, by its place in the file.
    StationId, station_ids, station by name => stations: Station;
    /// A kind of horse, by its place in the file.
    HorseId, horse_ids, horse by name => horses: Horse;
}

kit! {
    /// Everything in the box.
    pub struct Components of include_str!("components.toml"), check check {
        stations: Station,
        horses: Horse,
    }
}

/// Everybody can ride away from everywhere.
fn check(c: &Components, file: &mut File<'_, '_>) {
    if c.stations.iter().any(|station| station.roads.len() < 2) {
        file.fault("station", FaultKind::Other("two roads lead away from each station".to_owned()));
    }
}
