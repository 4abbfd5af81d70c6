//! Geronimo!: the Indian wars of 1850 to 1890, for two to five players.

pub mod components;
