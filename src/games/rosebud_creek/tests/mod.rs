//! Tests of the rules, by rule number.

mod ammo;
mod before;
mod charges;
mod duties;
mod fire;
mod leaders;
mod limits;
mod map;
mod melee;
mod movement;
mod phases;
mod pursuit;
mod rally;
mod refusals;
mod retreats;
mod room;
mod routs;
mod scatter;
mod special;
mod trains;
mod view;
mod words;
