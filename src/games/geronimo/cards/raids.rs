//! Shaman Cards that determine the player's actions this Round (9.2B, C, T, V, FF).

use super::{
    super::{
        State, T,
        components::{AreaId, VillageId},
        state::AreaState,
    },
    After,
};
use postrider_table::Seat;

/// Returns `true` if a Village can raid now, for any player (6.41 to 6.43). It must not be Finished
/// and must be a Raider, unless any Tribe may raid. It needs a Resource or Mission in its Area or
/// an adjacent one, or Mexico if it may raid there.
pub fn can_raid(g: &State, v: VillageId, any_tribe: bool) -> bool {
    let Some(a) = g.area_of(v) else { return false };
    if g.village(v).finished || !(any_tribe || g.c[v].raid > 0) {
        return false;
    }
    // In the Solitaire Game only Missions are raided (11.36).
    let mexico = !g.variant.solitaire && g.c[v].mexico_raids && g.c[a].mexico && !g.fx.mexico_closed;
    mexico || std::iter::once(&a).chain(&g.c[a].adjacent).any(|&a| worth_raiding(g, a))
}

/// Returns `true` if an Area has a Mission or a Resource, one that was attacked too (6.43, 7.26).
fn worth_raiding(g: &State, a: AreaId) -> bool {
    let area = g.area(a);
    area.mission || !g.variant.solitaire && has_resource(area)
}

fn has_resource(area: &AreaState) -> bool {
    area.town_points() > 0 || area.all_rrs() > 0 || !area.mines.is_empty()
}

/// Returns `true` if any Village of this seat can raid (9.2B, 9.2T).
pub fn able(g: &State, seat: Seat, any_tribe: bool) -> bool {
    g.village_ids().any(|v| g.player_of(v) == Some(seat) && can_raid(g, v, any_tribe))
}

/// Makes a Raid the Operation of this Round (9.2T).
pub fn raid() -> After {
    After::Raid { any_tribe: false }
}

/// Allows one War Party two attacks this Round (9.2V).
pub fn rampage(t: &T, g: &mut State) {
    g.fx.rampage = true;
    t.tell(|| "One War Party may attack two targets of the same Area this Round.".to_owned());
}

/// Changes the VPs of the player's attacks this Round (9.2C). [`battle`](super::super::battle)
/// scores them.
pub fn atrocity_and_reprisal(t: &T, g: &mut State, seat: Seat) {
    g.fx.atrocity = Some(seat);
    t.tell(|| {
        format!(
            "Attacks by {} this Round on leaders of Aggression 2 or more count for more, or cost 1 VP.",
            g.who(seat)
        )
    });
}
