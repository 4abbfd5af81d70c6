//! Random events (12.1): the decision to roll, and the choice of targets.

use super::{indians::hunters, sight::Sight};
use crate::{
    Ask,
    components::{AreaId, VillageId},
};

/// Returns the value of a candidate in a random event's question.
pub(super) fn pick(sight: &Sight<'_>, kind: Ask, key: &str) -> Option<f64> {
    let g = sight.g;
    let yes = |wanted: &str| Some(f64::from(u8::from(key == wanted)));
    match kind {
        // More events help the player who rolls than harm that player, and useless ones are
        // Ignored.
        Ask::RandomEvent => yes("roll"),
        // Discarding would end the Round (9.11).
        Ask::Event => yes("play"),
        Ask::HorseKillers => yes("kill the horses"),
        // The US gains a Village On Reservation, and there is no Massacre.
        Ask::Hostages => yes("take hostages"),
        Ask::SandCreek => yes("draw"),
        Ask::Gunrunners => {
            let tribe = g.c.tribe_by_name(key)?;
            Some(g.c[tribe].villages.iter().map(|&v| sight.side(v) * sight.threat(v)).sum())
        }
        // Keeping a marker away feeds the Village. Revealing a card that is already known costs
        // nothing.
        Ask::BuffaloCampaign => place(sight, key).map(|(v, a)| -sight.weather(a, -2) + shown(sight, v)),
        Ask::LinesCut => place(sight, key).map(|(v, a)| {
            let far = hunters(g, a).filter(|k| k.area != a).count() as f64;
            far * acting(sight, a) + shown(sight, v)
        }),
        Ask::Siege => g.column_named(key).map(|k| f64::from(k.bps)),
        // Near Columns, and with BPs at home.
        Ask::Stronghold => {
            let v = g.c.village_by_name(key)?;
            let near = g.area_of(v).map_or(0, |a| hunters(g, a).count()) as f64;
            Some(sight.side(v) * (0.5 + near) * f64::from(g.village(v).bps.min(3)) + shown(sight, v))
        }
        _ => None,
    }
}

/// Returns the Village and the Area of a Village or War Party named in a question.
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

/// Returns what the seat's Villages in and next to an Area could still do there.
fn acting(sight: &Sight<'_>, a: AreaId) -> f64 {
    let g = sight.g;
    let mine = g.village_ids().filter(|&v| g.player_of(v) == Some(sight.me));
    let near = mine.filter(|&v| g.area_of(v).is_some_and(|b| a == b || g.c.adjacent(a, b)));
    near.map(|v| sight.threat(v)).sum()
}

/// Returns a bonus if a Village's card is already revealed.
fn shown(sight: &Sight<'_>, v: VillageId) -> f64 {
    if sight.g.known_player_of(v).is_some() { 0.1 } else { 0.0 }
}
