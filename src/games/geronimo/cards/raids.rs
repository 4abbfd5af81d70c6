//! Shaman Cards that say what their player may do this Round (9.2B, C, T, V, FF).

use super::{
    super::{
        State, T,
        components::{AreaId, VillageId},
        state::AreaState,
    },
    After,
};
use postrider_table::Seat;

/// 6.41 to 6.43: whether a Village can raid anything now: unfinished, a Raider unless any Tribe may raid, and with a
/// Resource or a Mission in or next to its Area, or Mexico if it raids there. Who plays it is not asked.
pub fn can_raid(g: &State, v: VillageId, any_tribe: bool) -> bool {
    let Some(a) = g.area_of(v) else { return false };
    if g.village(v).finished || !(any_tribe || g.c[v].raid > 0) {
        return false;
    }
    // 11.36: in the Solitaire Game only Missions are raided.
    let mexico = !g.variant.solitaire && g.c[v].mexico_raids && g.c[a].mexico && !g.fx.mexico_closed;
    mexico || std::iter::once(&a).chain(&g.c[a].adjacent).any(|&a| worth_raiding(g, a))
}

/// 6.43, 7.22: an Area with a Resource that is not Broke, or a Mission.
fn worth_raiding(g: &State, a: AreaId) -> bool {
    let area = g.area(a);
    area.mission || !g.variant.solitaire && has_resource(area)
}

fn has_resource(area: &AreaState) -> bool {
    area.town_points() > 0 || area.rrs > 0 || !area.mines.is_empty()
}

/// 9.2B, 9.2T: `true` if any Village of this seat can raid.
pub fn able(g: &State, seat: Seat, any_tribe: bool) -> bool {
    g.village_ids().any(|v| g.player_of(v) == Some(seat) && can_raid(g, v, any_tribe))
}

/// 9.2T: the Raid is the Operation of this Round.
pub fn raid() -> After {
    After::Raid { any_tribe: false }
}

/// 9.2B: a Raid by any Tribe, Raider or not.
pub fn any_tribe_may_raid() -> After {
    After::Raid { any_tribe: true }
}

/// 9.2FF: an Alliance (6.7).
pub fn tribal_alliances() -> After {
    After::Alliance
}

/// 9.2V: two attacks by one War Party this Round.
pub fn rampage(t: &T, g: &mut State) {
    g.fx.rampage = true;
    t.tell(|| "One War Party may attack two targets of the same Area this Round.".to_owned());
}

/// 9.2C: what the attacks of this Round earn (or cost) is the Battle's business.
pub fn atrocity_and_reprisal(t: &T, g: &mut State, seat: Seat) {
    g.fx.atrocity = Some(seat);
    t.tell(|| {
        format!(
            "Attacks by {} this Round on leaders of Aggression 2 or more count for more, or cost 1 VP.",
            g.who(seat)
        )
    });
}
