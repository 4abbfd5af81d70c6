//! Sides, Commanders, troops and cards at the start of a Turn (3.3, 3.5, 4.2, 4.3).

use super::{State, T};
use crate::table::Seat;

/// 3.31: who plays the US.
pub fn sides(_t: &T, _g: &mut State) {
    todo!()
}
/// 4.1B, 4.2: everything that is handed out at the start of a Turn.
pub async fn distribute(_t: &T, _g: &mut State) {
    todo!()
}
/// 4.3.
pub fn who_goes_first(_t: &T, _g: &mut State) -> Seat {
    todo!()
}
/// 6.51: the player of the Sioux divides the Teton Chiefs between the two Teton Villages, once a Turn.
pub async fn divide_teton_chiefs(_t: &T, _g: &mut State) {
    todo!()
}
