//! What a seat may see (the one door between a state and anybody's eyes), and the final ranking.

use super::State;
use crate::table::Seat;
use serde_json::Value;

/// What a seat, or a spectator, may see.
pub fn view(_g: &State, _seat: Option<Seat>) -> Value {
    todo!()
}
/// The final ranking (10.1).
pub fn outcome(_g: &State) -> Value {
    todo!()
}
/// Another position that differs only in what is hidden from this seat, for proving that views and prompts do not leak.
pub fn shuffle_hidden(_g: &State, _seat: Option<Seat>, _below: &mut dyn FnMut(u32) -> u32) -> State {
    todo!()
}
