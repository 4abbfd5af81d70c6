//! Tests of the rules, by rule number.

mod actions;
mod activation;
mod after;
mod alone;
mod board;
mod charts;
mod combat;
mod doctrine;
mod figures;
mod homes;
mod leaders;
mod legal;
mod limits;
mod melee;
mod mobilization;
mod movement;
mod pledges;
mod raids;
mod reaction;
mod refusals;
mod rout;
mod seasons;
mod settlers;
mod setups;
mod supply;
mod words;
