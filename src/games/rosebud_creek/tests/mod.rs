//! Tests by rule number.

mod ammo;
mod fifth;
mod fire;
mod fourth;
mod games;
mod leaders;
mod map;
mod melee;
mod movement;
mod phases;
mod retreats;
mod seventh;
mod sixth;
mod sixth_rest;
mod special;
mod third;
mod third_rest;
mod versions;
mod view;
mod words;
