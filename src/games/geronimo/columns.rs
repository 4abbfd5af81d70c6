//! Columns: Speed, status, plays (5.3 to 5.6).

use super::{State, T, state::Column};

/// 5.32: the Speed of a Column, never below zero.
pub fn speed(_g: &State, _column: &Column) -> i32 {
    todo!()
}
/// 5.33: the US Operations Segment.
pub async fn operations(_t: &T, _g: &mut State) {
    todo!()
}
