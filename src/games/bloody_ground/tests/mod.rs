//! The rules, each under its number.

mod actions;
mod alone;
mod amended_acts;
mod amended_battles;
mod amended_later;
mod amended_map;
mod amended_seventh;
mod amended_siege;
mod board;
mod charts;
mod combat;
mod doctrine;
mod figures;
mod limits;
mod mobilization;
mod raids;
mod seasons;
mod setups;
mod supply;
mod together;
