//! Games for tests. Two are small, but have every kind of question, chance and secret that a real
//! game has; [`relay`] is the example of docs/adding-a-game.md.

pub mod auction;
pub mod raffle;
pub mod relay;
