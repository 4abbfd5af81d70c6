//! Resources of the US (5.2).

use super::{State, T, components::AreaId};

/// 4.4A.
pub async fn resource_allotment(_t: &T, _g: &mut State) {
    todo!()
}
/// 5.22 and 5.24 after anything changed in an Area: six Settlements become a Town and one, surplus RRs go.
pub fn settle_up(_t: &T, _g: &mut State, _area: AreaId) {
    todo!()
}
/// 5.241, at the end of every Round.
pub fn transcontinental(_t: &T, _g: &mut State) {
    todo!()
}
