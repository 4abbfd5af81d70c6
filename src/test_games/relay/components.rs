//! The contents of the box: stations and horses.

use postrider_table::components::{FaultKind, File};
use postrider_table::{ids, kit, pieces};

pieces! {
    /// A station (2).
    pub struct Station in "station" {
        name: String = label,
        /// The stations that are one step away.
        roads: Vec<StationId> = neighbours,
        /// The mail to be fetched.
        mail: u8 = number(0..=9),
        /// `true` if robbers wait here (5).
        wild: bool = flag,
        known: String = text,
    }

    /// A kind of horse, with its number of cards (3).
    pub struct Horse in "horse" {
        name: String = label,
        /// The number of steps that it runs.
        paces: u8 = number(1..=9),
        count: u8 = number(1..=20),
        known: String = text,
    }
}

ids! {
    Components;
    /// A station, by its index in the file.
    StationId, station_ids, station by name => stations: Station;
    /// A kind of horse, by its index in the file.
    HorseId, horse_ids, horse by name => horses: Horse;
}

kit! {
    /// The contents of the box.
    pub struct Components of include_str!("components.toml"), check check {
        stations: Station,
        horses: Horse,
    }
}

/// Notes a station with fewer than two roads.
fn check(c: &Components, file: &mut File<'_, '_>) {
    if c.stations.iter().any(|station| station.roads.len() < 2) {
        file.fault("station", FaultKind::Other("two roads lead away from each station".to_owned()));
    }
}
