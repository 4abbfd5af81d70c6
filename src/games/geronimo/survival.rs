//! The Survival Phase (4.5, 5.38, 6.25, 6.6, 8.14).

use super::{State, T};

/// 4.1E.
pub async fn survival_phase(_t: &T, _g: &mut State) {
    todo!()
}
