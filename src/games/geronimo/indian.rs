//! The Indian Operations Segment (6.1).

use super::{State, T, cards::After, components::VillageId};
use crate::table::Seat;

/// 6.1: one action with one Village, as the card played allows.
pub async fn operation(_t: &T, _g: &mut State, _seat: Seat, _after: After) {
    todo!()
}
/// 6.8, 6.35: the Village is "Finished"; its War Parties go home at once, and Columns may react to them.
pub async fn finish(_t: &T, _g: &mut State, _v: VillageId) {
    todo!()
}
/// Why a Village must attack at once (9.2D, 9.2F).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compelled {
    /// Any Village or War Party that is no Friend; VPs double.
    BadBlood,
    /// Anything a War Party may attack.
    BloodLust,
}
/// An out-of-Round attack by one of these Villages (the player chooses which), if any can make one: says whether it was made.
pub async fn compelled_attack(_t: &T, _g: &mut State, _villages: &[VillageId], _why: Compelled) -> bool {
    todo!()
}
/// 7.64, 9.2R, 9.2W: an Indian-led Massacre: the marker, and the end of Peace Policy and Reform Movement.
pub fn indian_massacre(_t: &T, _g: &mut State, _area: super::components::AreaId) {
    todo!()
}
