//! Tests of single rules in constructed positions.

mod discs;
mod engagement;
mod events;
mod movement;
mod peace;
mod placement;
mod refusals;
mod rounds;
mod scoring;
mod setup;
mod view;
