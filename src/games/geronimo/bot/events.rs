//! Random events (12.1): whether to roll, and whom what comes up is for.

use super::{indians::hunters, sight::Sight};
use crate::{
    Ask,
    components::{AreaId, VillageId},
};

/// What a candidate is worth where a random event asks.
pub(super) fn pick(sight: &Sight<'_>, kind: Ask, key: &str) -> Option<f64> {
    let g = sight.g;
    let yes = |wanted: &str| Some(f64::from(u8::from(key == wanted)));
    match kind {
        // More events help whoever rolls than harm him; what is no use to him is Ignored.
        Ask::RandomEvent => yes("roll"),
        // 9.11: discarding it would end the Round.
        Ask::Event => yes("play"),
        Ask::HorseKillers => yes("kill the horses"),
        // A Village On Reservation and no Massacre.
        Ask::Hostages => yes("take hostages"),
        Ask::SandCreek => yes("draw"),
        Ask::Gunrunners => {
            let tribe = g.c.tribe_by_name(key)?;
            Some(g.c[tribe].villages.iter().map(|&v| sight.side(v) * sight.threat(v)).sum())
        }
        // What keeps a marker away feeds the Village; what is shown already costs nothing.
        Ask::BuffaloCampaign => place(sight, key).map(|(v, a)| -sight.weather(a, -2) + shown(sight, v)),
        Ask::LinesCut => place(sight, key).map(|(v, a)| {
            let far = hunters(g, a).filter(|k| k.area != a).count() as f64;
            far * acting(sight, a) + shown(sight, v)
        }),
        Ask::Siege => g.column_named(key).map(|k| f64::from(k.bps)),
        // Where Columns are, and BPs at home that stand.
        Ask::Stronghold => {
            let v = g.c.village_by_name(key)?;
            let near = g.area_of(v).map_or(0, |a| hunters(g, a).count()) as f64;
            Some(sight.side(v) * (0.5 + near) * f64::from(g.village(v).bps.min(3)) + shown(sight, v))
        }
        _ => None,
    }
}

/// Where a Village or War Party stands that a question names.
fn place(sight: &Sight<'_>, key: &str) -> Option<(VillageId, AreaId)> {
    let g = sight.g;
    match key.strip_prefix("War Party ") {
        Some(name) => g.parties.iter().find(|p| g.party_name(p) == name).map(|p| (p.village, p.area)),
        None => {
            let v = g.c.village_by_name(key)?;
            Some((v, g.area_of(v)?))
        }
    }
}

/// What my Villages in and next to an Area could still do there.
fn acting(sight: &Sight<'_>, a: AreaId) -> f64 {
    let g = sight.g;
    let mine = g.village_ids().filter(|&v| g.player_of(v) == Some(sight.me));
    let near = mine.filter(|&v| g.area_of(v).is_some_and(|b| a == b || g.c.adjacent(a, b)));
    near.map(|v| sight.threat(v)).sum()
}

/// A card that lies open already need not be shown for it.
fn shown(sight: &Sight<'_>, v: VillageId) -> f64 {
    if sight.g.known_player_of(v).is_some() { 0.1 } else { 0.0 }
}
