//! Set-up of the Basic Game (3.4).

use super::{State, T, components::Components};
use std::sync::Arc;

/// 3.4: the position of the Basic Game before anything is rolled or placed by choice.
pub fn basic_game(_c: Arc<Components>, _players: u8) -> State {
    todo!()
}
/// 3.44, 3.47: what is drawn and rolled at the start of the game.
pub async fn set_up(_t: &T, _g: &mut State) {
    todo!()
}
