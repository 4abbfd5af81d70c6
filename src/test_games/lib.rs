//! Two games that are made for tests: small, with every kind of question, chance and secret that a
//! real one has; and [`relay`], the example of docs/adding-a-game.md.

pub mod auction;
pub mod raffle;
pub mod relay;
