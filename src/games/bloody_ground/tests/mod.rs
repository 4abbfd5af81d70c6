//! The rules, each under its number.

mod actions;
mod alone;
mod board;
mod charts;
mod combat;
mod doctrine;
mod figures;
mod mobilization;
mod raids;
mod seasons;
mod setups;
mod supply;
mod together;
