//! The End of Turn Phase (4.7).

use super::{State, T};

/// 4.1G.
pub fn end_of_turn(_t: &T, _g: &mut State) {
    todo!()
}
