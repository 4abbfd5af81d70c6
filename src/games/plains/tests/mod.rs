//! Rules tried one by one on positions made by hand.

mod discs;
mod engagement;
mod events;
mod movement;
mod refusals;
mod rounds;
mod scoring;
mod setup;
mod view;
