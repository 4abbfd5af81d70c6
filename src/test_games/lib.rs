//! Two games that are made for tests: small, with every kind of question, chance and secret that a real one has.

pub mod auction;
pub mod raffle;
