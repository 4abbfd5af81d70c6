//! Raids (6.4) and the destruction of Missions (6.45, 7.7).

use super::{
    State, T,
    battle::indian_massacre,
    card::Card,
    components::{AreaId, VillageId},
    order::Target,
    ratings::aggression,
    state::MexicoRaid,
};
use postrider_table::{Refusal, Seat, refuse};

/// The Raid rating of a Tribe that is not a Raider (6.42).
const NON_RAIDER: i32 = 2;

/// A checked target of a Raid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RaidTarget {
    /// Any Resource of the Area, since it makes no difference which one (6.44).
    Resource(AreaId),
    Mission(AreaId),
    Mexico,
}

/// Returns the maximum Raid DR for success, or `None` if a Village may not raid (6.42, 6.44).
pub fn rating(g: &State, v: VillageId, any_tribe: bool) -> Option<i32> {
    match g.c[v].raid {
        0 if any_tribe => Some(NON_RAIDER),
        0 => None,
        raid => Some(raid),
    }
}

/// Returns `true` if a Village of this player may raid now (6.41). Scouting for the US forbids only
/// Relocations and attacks (9.2Y).
pub fn able(g: &State, seat: Seat, v: VillageId, any_tribe: bool) -> bool {
    let state = g.village(v);
    g.player_of(v) == Some(seat) && g.area_of(v).is_some() && !state.finished && rating(g, v, any_tribe).is_some()
}

/// Checks the target of a Raid (6.43).
pub fn raid_target(g: &State, v: VillageId, area: &str, target: &Target) -> Result<RaidTarget, Refusal> {
    let Some(home) = g.area_of(v) else { return refuse("6.23", "A Village abroad can only return.") };
    if g.variant.solitaire && *target != (Target::Mission {}) {
        return refuse("11.36", "In the Solitaire Game only Missions are raided.");
    }
    if *target == (Target::Mexico {}) {
        if !g.c[v].mexico_raids {
            return refuse("6.43", format!("The {} do not raid into Mexico.", g.c[v].name));
        }
        if !g.c[home].mexico {
            return refuse("6.43", format!("{} does not border Mexico.", g.c[home].name));
        }
        if g.fx.mexico_closed {
            return refuse("9.2I", "Federales have ended all Raids into Mexico for this Turn.");
        }
        if g.events.no_horses.contains(&v) {
            return refuse("12.13", format!("The {} have no horses: they do not reach Mexico.", g.c[v].name));
        }
        return Ok(RaidTarget::Mexico);
    }
    let Some(a) = g.c.area_by_name(area) else { return refuse("6.43", format!("There is no Area called {area}.")) };
    if a != home && !g.c.adjacent(home, a) {
        return refuse(
            "6.43",
            format!("{} is out of reach: a Raid goes no farther than {}.", g.c[a].name, g.near(home)),
        );
    }
    if a != home && g.events.no_horses.contains(&v) {
        let (name, home) = (&g.c[v].name, &g.c[home].name);
        return refuse("12.13", format!("The {name} have no horses: they raid in {home} only."));
    }
    let there = g.area(a);
    let found = match target {
        Target::Settlement {} => there.settlements > 0,
        Target::Town {} => there.towns > 0,
        Target::Railroad {} => there.all_rrs() > 0,
        Target::Mine { value } => there.mines.iter().any(|m| g.c[m.id].value == *value),
        Target::Mission {} => there.mission,
        _ => return refuse("6.43", "A Raid is against a Resource, a Mission or Mexico."),
    };
    match (found, target) {
        (false, _) => refuse("6.43", format!("There is no such target in {}.", g.c[a].name)),
        (true, Target::Mission {}) => Ok(RaidTarget::Mission(a)),
        (true, _) => Ok(RaidTarget::Resource(a)),
    }
}

/// Carries out a Raid (6.44, 6.45).
pub fn raid(t: &T, g: &mut State, seat: Seat, v: VillageId, target: RaidTarget) {
    let needed = rating(g, v, true).unwrap_or(NON_RAIDER);
    let dr = t.d10("raid") as i32;
    let success = dr <= needed;
    let vps = match target {
        RaidTarget::Resource(_) => 1,
        RaidTarget::Mexico => 2,
        RaidTarget::Mission(_) => 0,
    };
    t.tell(|| {
        let where_ = match target {
            RaidTarget::Resource(a) => g.c[a].name.clone(),
            RaidTarget::Mission(a) => format!("the Mission in {}", g.c[a].name),
            RaidTarget::Mexico => "Mexico".into(),
        };
        let end = match (success, vps) {
            (false, _) => "nothing".into(),
            (true, 0) => "the Mission is destroyed".into(),
            (true, n) => format!("{n} VP{} for {}", if n == 1 { "" } else { "s" }, g.who(seat)),
        };
        format!("The {} raid {where_}: Raid DR {dr}, needed {needed} or less: {end}.", g.c[v].name)
    });
    if target == RaidTarget::Mexico {
        // Federales (9.2I) can answer the Raid even if it failed, because they also close the
        // border.
        g.fx.mexico_raid = Some(MexicoRaid { raider: seat, vps: if success { vps } else { 0 } });
    }
    if !success {
        return;
    }
    g.score(seat, vps, "6.44");
    match target {
        RaidTarget::Resource(_) | RaidTarget::Mexico => {}
        RaidTarget::Mission(a) => destroy_mission(t, g, a),
    }
}

fn destroy_mission(t: &T, g: &mut State, a: AreaId) {
    g.area_mut(a).mission = false;
    indian_massacre(t, g, a);
}

/// Returns the reason why this Village cannot raise a Mission War Party, if there is one (7.71).
pub fn mission_party_barred(g: &State, seat: Seat, v: VillageId) -> Option<(&'static str, String)> {
    let name = &g.c[v].name;
    let Some(a) = g.area_of(v).filter(|&a| g.area(a).mission) else {
        return Some(("7.71", format!("There is no Mission where the {name} are.")));
    };
    if g.village(v).peace_chief {
        return Some(("7.72", format!("The {name} have a Peace Chief.")));
    }
    // A Raid is "not possible" without a Raider in range or a Raid card in hand.
    let hand = &g.hands[seat.index()];
    let any = hand.iter().any(|h| h.card == Card::AnyTribeMayRaid);
    let raid = any || hand.iter().any(|h| h.card == Card::Raid);
    let in_range = |w: VillageId| able(g, seat, w, any) && g.area_of(w).is_some_and(|b| b == a || g.c.adjacent(a, b));
    if raid && g.village_ids().any(in_range) {
        return Some(("7.71", "You could raid the Mission: a Mission War Party is for those who cannot.".into()));
    }
    None
}

/// Tries to raise a Mission War Party, and returns `true` on success (7.71). Otherwise the caller
/// makes the Village Finished.
pub fn mission_war_party(t: &T, g: &mut State, v: VillageId) -> bool {
    let Some(a) = g.area_of(v) else { return false };
    let tribe = g.c[v].tribe;
    let chiefs: i32 = g.c[tribe].villages.iter().flat_map(|&w| g.chiefs_of(w)).map(|h| g.c[h].aggression).sum();
    let total = aggression(g, v) + chiefs;
    let dr = t.d10("mission war party") as i32;
    let success = dr <= total;
    t.tell(|| {
        let end = if success { "the Mission is destroyed" } else { "it does not form, and the Village is Finished" };
        format!(
            "A Mission War Party of the {} in {}: DR {dr}, needed {total} or less: {end}.",
            g.c[v].name, g.c[a].name
        )
    });
    if success {
        destroy_mission(t, g, a);
    }
    success
}
