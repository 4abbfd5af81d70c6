//! The private part of a view: the seat's cards, its Tribes, and their possible actions.

use super::public::{held, is_mountain, known_village, ratings, rests};
use crate::{
    State, columns,
    components::{AreaId, TribeId, VillageId},
    help, solitaire,
    state::{Column, Place, WarParty},
    survival::did_nothing,
    village_action::VillageAction,
};
use postrider_table::Seat;
use serde_json::{Value, json};

/// Returns the part of a view under `you`.
pub(super) fn private(g: &State, seat: Seat) -> Value {
    let hand = &g.hands[seat.index()];
    // In the Solitaire Game both hats belong to this seat, and its Tribes are those whose Round it
    // is (11.37).
    let own = |holder: Option<Seat>| holder.map(|hat| g.chair(hat)) == Some(seat);
    let tribes: Vec<TribeId> =
        g.c.tribe_ids().filter(|&t| own(g.tribes[t.index()].holder) && solitaire::is_up(g, t)).collect();
    let shaman = hand.iter().map(|h| {
        json!({
            "card": h.card.name(), "deck": "shaman", "epoch": g.shaman_epoch, "pos": h.pos,
        })
    });
    let tribal = tribes.iter().filter(|t| !g.tribes[t.index()].revealed).filter_map(|&t| {
        let pos = g.tribes[t.index()].pos?;
        Some(json!({ "card": g.c[t].name, "deck": "tribal", "epoch": g.tribal_epoch, "pos": pos }))
    });
    let us = seat == g.us;
    let indians = !us || g.variant.solitaire;
    let mine: Vec<VillageId> = g.village_ids().filter(|&v| own(g.player_of(v))).collect();
    json!({
        "cards": shaman.chain(tribal).collect::<Vec<_>>(),
        "hand": hand.iter().map(|h| json!({
            "card": h.card.name(), "help": help::card_line(h.card), "rule": h.card.rule(),
        })).collect::<Vec<_>>(),
        "mexico": if g.variant.solitaire { Vec::new() } else { mexico(g, &mine) },
        "reach": if indians { reach(g, &mine) } else { Vec::new() },
        "seat": seat.to_string(),
        "side": if g.variant.solitaire { "both" } else { g.side(seat) },
        "targets": us.then(|| targets(g)),
        "tribes": tribes.iter().map(|&t| tribe(g, t)).collect::<Vec<_>>(),
    })
}

fn tribe(g: &State, tribe: TribeId) -> Value {
    let others = |set: crate::components::TribeSet| {
        set.iter().filter(|&t| t != tribe && g.tribe_in_play(t)).map(|t| g.c[t].name.as_str()).collect::<Vec<_>>()
    };
    json!({
        "enemies": others(g.c[tribe].enemies),
        "friends": others(g.c[tribe].friends),
        "name": g.c[tribe].name,
        "revealed": g.tribes[tribe.index()].revealed,
        "villages": g.c[tribe].villages.iter().filter(|&&v| g.player_of(v).is_some())
            .map(|&v| village(g, v)).collect::<Vec<_>>(),
    })
}

/// Returns a Village for its player: its place, strength, ratings and Survival Points.
fn village(g: &State, v: VillageId) -> Value {
    let (printed, now) = (&g.c[v], g.village(v));
    let place = match now.place {
        Place::Area(a) => g.c[a].name.as_str(),
        Place::Mexico { .. } => "Mexico",
        Place::Canada { .. } => "Canada",
        Place::Reservation { .. } => "On Reservation",
        Place::Extinct => "extinct",
    };
    let survival = g.area_of(v).map(|a| {
        let (least, most) = survival_share(g, v, a);
        json!({ "at_best": most, "gets": least, "needs": printed.survival })
    });
    json!({
        "actions": now.actions,
        "aggression": printed.aggression,
        "battle": printed.battle,
        "blood_lust": now.blood_lust,
        "bps": now.bps,
        "chiefs": g.chiefs_at(v).map(|h| ratings(g, h)).collect::<Vec<_>>(),
        "devastation": now.devastation,
        "evasion": printed.evasion,
        "gunrunners": g.events.gunrunners.contains(&printed.tribe).then_some(true),
        "finished": now.finished,
        "guerilla": printed.guerilla,
        // At half of the printed size or less it may be forced On Reservation (8.14).
        "half": g.total_bps(v) <= printed.size / 2,
        "mexico_raids": printed.mexico_raids,
        "name": printed.name,
        "no_horses": g.events.no_horses.contains(&v).then_some(true),
        "parties": g.parties_of(v).map(|p| json!({
            "area": g.c[p.area].name,
            "bps": p.bps,
            "chiefs": p.chiefs.iter().map(|&h| ratings(g, h)).collect::<Vec<_>>(),
            "name": g.party_name(p),
        })).collect::<Vec<_>>(),
        "peace_chief": now.peace_chief,
        "place": place,
        "poison_arrows": printed.poison_arrows,
        "raid": printed.raid,
        "scouting": now.scouting,
        "scouts": printed.scouts,
        "shaman_medicine": now.shaman_medicine,
        "stronghold": g.events.strongholds.contains(&v).then_some(true),
        "survival": survival,
    })
}

/// Returns the minimum and maximum SPs that a Village would get now (6.62 to 6.64). A DR may decide
/// among equally large ones.
fn survival_share(g: &State, v: VillageId, a: AreaId) -> (i32, i32) {
    let mine = g.total_bps(v);
    let (mut all, mut larger, mut equal) = (0, 0, 0);
    for other in g.villages_in(a) {
        let bps = g.total_bps(other);
        all += 1;
        larger += i32::from(bps > mine);
        equal += i32::from(bps == mine);
    }
    let points = g.survival_points(a);
    // The Village itself is in the Area, so `all` is at least 1.
    let (share, left) = (points / all.max(1), points % all.max(1));
    let adjusted = |share: i32| {
        let doubled = if did_nothing(g, v) { 2 } else { 1 };
        let mission = if g.area(a).mission { 2 } else { 1 };
        (share - g.village(v).devastation).max(0) * doubled * mission
    };
    let least = share + i32::from(left >= larger + equal);
    let most = share + i32::from(left > larger);
    (adjusted(least), adjusted(most))
}

/// Returns the seat's Villages that could raid Mexico, while the border is open (6.43).
fn mexico(g: &State, mine: &[VillageId]) -> Vec<String> {
    let borders = |&v: &VillageId| g.area_of(v).is_some_and(|a| g.c[a].mexico);
    let can = |v: &VillageId| !g.fx.mexico_closed && g.c[*v].mexico_raids && is_usable(g, *v) && borders(v);
    mine.iter().copied().filter(can).map(|v| g.c[v].name.clone()).collect()
}

/// Returns `true` if a Village may still act this Turn (6.8).
fn is_usable(g: &State, v: VillageId) -> bool {
    !g.village(v).finished && g.village(v).actions < g.most_actions(v)
}

/// Returns the Areas in which the seat's Villages and War Parties can act, with the possible
/// targets there (6.36).
fn reach(g: &State, mine: &[VillageId]) -> Vec<Value> {
    let here_or_next = |from: AreaId, to: AreaId| from == to || g.c.adjacent(from, to);
    let usable: Vec<VillageId> = mine.iter().copied().filter(|&v| is_usable(g, v)).collect();
    let reaches_by_party = |p: &WarParty, a: AreaId| {
        g.area_of(p.village).is_some_and(|home| VillageAction::reach(g, p.area, home, a).is_ok())
    };
    g.area_ids()
        .filter_map(|a| {
            let villages: Vec<VillageId> =
                usable.iter().copied().filter(|&v| g.area_of(v).is_some_and(|home| here_or_next(home, a))).collect();
            let parties: Vec<&WarParty> =
                usable.iter().flat_map(|&v| g.parties_of(v)).filter(|p| reaches_by_party(p, a)).collect();
            if villages.is_empty() && parties.is_empty() {
                return None;
            }
            let mut from: Vec<String> = villages.iter().map(|&v| g.c[v].name.clone()).collect();
            from.extend(parties.iter().map(|p| format!("War Party {}", g.party_name(p))));
            let by = villages.into_iter().chain(parties.into_iter().map(|p| p.village));
            let tribes: Vec<TribeId> = by.map(|v| g.c[v].tribe).collect();
            Some(target_area(g, a, &from, &tribes, mine))
        })
        .collect()
}

/// Returns the possible targets of these Tribes in an Area (6.33, 7.22).
fn target_area(g: &State, a: AreaId, from: &[String], tribes: &[TribeId], mine: &[VillageId]) -> Value {
    let attacked_by =
        |tribe: TribeId, by: TribeId| g.c[tribe].villages.iter().any(|&v| g.village(v).attacked_by.contains(by));
    // With two players all Active Villages and all War Parties are `mine` (11.2E).
    let foe = |other: TribeId| tribes.iter().any(|&t| g.c.enemies(t, other) || attacked_by(t, other));
    let stranger = |other: TribeId| tribes.iter().any(|&t| !g.c.friends(t, other));
    let area = g.area(a);
    let villages = g.villages_in(a).filter(|v| !mine.contains(v) && foe(g.c[*v].tribe));
    let parties =
        g.parties.iter().filter(|p| p.area == a && !mine.contains(&p.village) && stranger(g.c[p.village].tribe));
    json!({
        "area": g.c[a].name,
        "columns": g.columns_in(a).filter(|k| !k.in_fort).map(|k| json!({
            "bps": k.bps, "name": g.column_name(k.id), "speed": k.commander.map(|_| columns::speed(g, k)),
        })).collect::<Vec<_>>(),
        "from": from,
        // In the Solitaire Game Indians cannot attack them (11.39).
        "mines": area.mines.iter().filter(|m| !m.hit && !g.variant.solitaire).map(|m| g.c[m.id].value).collect::<Vec<_>>(),
        "mission": area.mission,
        "parties": parties.map(|p| json!({ "bps": p.bps, "name": g.party_name(p) })).collect::<Vec<_>>(),
        "rrs": area.rrs,
        "settlements": area.settlements,
        "towns": area.towns,
        "villages": villages.map(|v| json!({ "bps": g.village(v).bps, "name": g.c[v].name })).collect::<Vec<_>>(),
    })
}

/// Returns, for the US, the Columns On Patrol with Indians in their Area (5.341), with the needs of
/// evasion and pursuit.
fn targets(g: &State) -> Vec<Value> {
    g.columns.iter().filter(|k| !k.in_fort && k.commander.is_some()).filter_map(|k| hunted_by(g, k)).collect()
}

fn hunted_by(g: &State, k: &Column) -> Option<Value> {
    let commander = &g.c[k.commander?];
    let mountain = is_mountain(g, k.area);
    let winter = i32::from(g.fx.winter_campaigning);
    // Evasion Capability (7.52) from public information. A Tribe that turns out to be inactive
    // cannot evade (7.4).
    let evades = |v: VillageId, chiefs: i32, party: i32| {
        let printed = &g.c[v];
        let guerilla = i32::from(printed.guerilla && mountain);
        (!g.village(v).blood_lust).then(|| printed.evasion + chiefs + guerilla + party - winter)
    };
    let villages = g.villages_in(k.area).map(|v| {
        let at_home = g.c.chief_ids().filter(|&h| {
            known_village(g, h) == Some(v) && g.chief_available(h) && g.chiefs[h.index()].with.is_none()
        });
        let best = at_home.map(|h| g.c[h].evasion).max().unwrap_or(0);
        let barred = match g.village(v) {
            now if now.peace_chief => Some("Peace Chief"),
            now if now.scouting => Some("Scouts"),
            _ if g.fx.peace_policy && commander.aggression < 3 => Some("Peace Policy"),
            _ if g.fx.reform_movement && commander.aggression < 2 => Some("Reform Movement"),
            _ => None,
        };
        json!({
            "barred": barred, "bps": g.village(v).bps, "evades": evades(v, best, 0), "kind": "village", "name": g.c[v].name,
        })
    });
    let parties = g.parties.iter().filter(|p| p.area == k.area).map(|p| {
        let best = p.chiefs.iter().map(|&h| g.c[h].evasion).max().unwrap_or(0);
        json!({ "bps": p.bps, "evades": evades(p.village, best, 3), "kind": "party", "name": g.party_name(p) })
    });
    let found: Vec<Value> = villages.chain(parties).collect();
    (!found.is_empty()).then(|| {
        json!({
            "area": g.c[k.area].name,
            "column": commander.surname,
            "held": held(g, k),
            "pursues": columns::speed(g, k) + i32::from(commander.guerilla && mountain) - 2 * winter,
            "rests": rests(g, k),
            "targets": found,
        })
    })
}
