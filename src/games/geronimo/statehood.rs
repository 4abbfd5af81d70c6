//! State Maintenance and Statehood (4.6, 10.2, 10.3).

use super::{State, T};

/// 4.1F.
pub fn statehood_phase(_t: &T, _g: &mut State) {
    todo!()
}
