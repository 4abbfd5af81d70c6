//! The public part of a view, made from the state without knowing the viewer, so that it cannot
//! contain anything private.

use crate::{
    State, columns,
    components::{AreaId, ChiefId, CommanderId, TribeId, VillageId},
    resources, restraint, solitaire,
    state::{Alliance, CivilWar, Column, CommanderPlace, Phase, Place, Use, WarParty, Weather},
    statehood::{counted_points, no_state_yet},
};
use postrider_orders::list_or;
use postrider_table::Seat;
use serde_json::{Value, json};

/// Returns `true` if an Alliance is listed: if it combines War Parties, or as the first entry of
/// its kind. An Alliance that has separated has several entries (6.75).
fn tells(g: &State, at: usize) -> bool {
    let a = &g.alliances[at];
    let same = |b: &Alliance| b.leader == a.leader && b.villages == a.villages;
    a.parties.len() > 1 || !g.alliances[..at].iter().any(same)
}

/// Returns the view of a spectator.
pub(super) fn public(g: &State) -> Value {
    json!({
        "active": g.active.map(|s| known_as(g, s)),
        "civil_war": g.is_campaign().then_some(match g.fx.civil_war {
            CivilWar::ToCome => "to come",
            CivilWar::Now => "in effect",
            CivilWar::Over => "over",
        }),
        "alliances": g.alliances.iter().enumerate().filter(|&(at, _)| tells(g, at)).map(|(_, a)| json!({
            "leader": known_as(g, a.leader),
            "parties": a.parties.iter().filter_map(|&p| g.party(p)).map(|p| g.party_name(p)).collect::<Vec<_>>(),
            "villages": names(g, a.villages.iter().copied()),
        })).collect::<Vec<_>>(),
        "areas": g.area_ids().map(|a| area(g, a)).collect::<Vec<_>>(),
        "chiefs": g.c.chief_ids().filter_map(|h| chief(g, h)).collect::<Vec<_>>(),
        "columns": g.columns.iter().map(|k| column(g, k)).collect::<Vec<_>>(),
        "commanders_dead": commanders(g, |place| place == CommanderPlace::Dead).map(|m| &g.c[m].name).collect::<Vec<_>>(),
        "effects": effects(g),
        "finished": g.finished,
        "last_turn": g.turns.1,
        "mines_left": g.mine_cup.len(),
        "mormon_column": g.fx.mormon_column.and_then(|id| g.column(id)).and_then(|k| k.commander).map(|m| &g.c[m].surname),
        "mormons_due": g.fx.mormons_due.then_some(true),
        "offers": g.desk.offers.iter().map(|o| json!({
            "by": o.by.to_string(), "village": g.c[o.village].name, "vps": o.vps,
        })).collect::<Vec<_>>(),
        "options": g.variant.optional_rules().map(|option| option.about).collect::<Vec<_>>(),
        "parties": g.parties.iter().map(|p| party(g, p)).collect::<Vec<_>>(),
        "phase": g.phase.name(),
        "railroads": railroads(g),
        "pile": g.pile.iter().map(|&(seat, card, what)| json!({
            "card": card.name(), "seat": known_as(g, seat), "use": if what == Use::Played { "played" } else { "discarded" },
        })).collect::<Vec<_>>(),
        "removed": g.removed.iter().map(|c| c.name()).collect::<Vec<_>>(),
        "reserve": {
            "bps": g.reserve.bps,
            "commanders": commanders(g, |place| place == CommanderPlace::Reserve).map(|m| commander(g, m)).collect::<Vec<_>>(),
            "gatlings": g.reserve.gatlings,
            "guns": g.reserve.guns,
        },
        "round": g.round,
        "rounds": if g.phase == Phase::CardPlay { g.rounds() } else { 0 },
        "seats": g.seats().map(|s| seat(g, s)).collect::<Vec<_>>(),
        "skulls_left": g.skulls_left(),
        "solitaire": g.variant.solitaire.then(|| solitaire(g)),
        "transcontinental": g.transcontinental.is_some(),
        "turn": g.turn,
        "us": g.chair(g.us).to_string(),
        "us_before": g.us_before.map(|s| g.chair(s).to_string()),
        "villages": g.village_ids().map(|v| village(g, v)).collect::<Vec<_>>(),
        "years": g.c.turn(g.turn).map(|t| &t.years),
    })
}

/// Returns the name of a seat in views: its letter or, in the Solitaire Game, the side of the hat.
fn known_as(g: &State, seat: Seat) -> String {
    if g.variant.solitaire { g.side(seat).to_owned() } else { seat.to_string() }
}

/// Returns the state of the Solitaire Game (11.3): States, drawn Tribes and remaining cards.
fn solitaire(g: &State) -> Value {
    let tribes = |wanted: &dyn Fn(TribeId) -> bool| -> Vec<&str> {
        g.c.tribe_ids().filter(|&tribe| wanted(tribe)).map(|tribe| g.c[tribe].name.as_str()).collect()
    };
    let drawn = |tribe: TribeId| g.tribes[tribe.index()].holder.is_some();
    // The two piles of used Tribal Cards, for Survival (11.37).
    let acted = |tribe: TribeId| g.c[tribe].villages.iter().any(|&v| g.village(v).actions > 0);
    json!({
        "acted": tribes(&|tribe| drawn(tribe) && acted(tribe)),
        "card": g.active.and(g.pile.last()).filter(|_| g.pile.len() == g.round as usize).map(|p| p.1.name()),
        "idle": tribes(&|tribe| drawn(tribe) && !acted(tribe) && g.solo.tribe != Some(tribe)),
        "next": g.solo.looked_at().map(|tribe| &g.c[tribe].name).collect::<Vec<_>>(),
        "railroad_turn": g.transcontinental,
        "shaman_left": g.solo.shaman.len(),
        "states": solitaire::states(g).count(),
        "tribal_left": g.solo.tribal.len(),
        "tribe": g.solo.tribe.map(|tribe| &g.c[tribe].name),
    })
}

/// Returns the restriction on building Railroads in the Campaign Game, if any (9.2A, 11.12).
fn railroads(g: &State) -> Option<String> {
    if let Some(why) = resources::no_railroads(g) {
        return Some(why.to_owned());
    }
    let first: Vec<&str> = resources::first_railroads(g).iter().map(|&a| g.c[a].name.as_str()).collect();
    (!first.is_empty()).then(|| format!("the next RR must go to {} (11.12)", list_or(&first)))
}

fn names(g: &State, villages: impl Iterator<Item = VillageId>) -> Vec<&str> {
    villages.map(|v| g.c[v].name.as_str()).collect()
}

/// Returns a Tally Sheet, and the public numbers of Shaman Cards in hand and of Tribal Cards held
/// and revealed.
fn seat(g: &State, seat: Seat) -> Value {
    let tally = &g.tally[seat.index()];
    let held = |t: &TribeId| g.tribes[t.index()].holder == Some(seat);
    let shown = |t: &TribeId| g.tribes[t.index()].revealed;
    json!({
        "card_used": tally.card_used,
        "cards": g.hands[seat.index()].len(),
        "event_rolled": marked(tally.event_rolled),
        "operation_used": tally.operation_used,
        "seat": g.chair(seat).to_string(),
        "shown": g.c.tribe_ids().filter(held).filter(shown).map(|t| &g.c[t].name).collect::<Vec<_>>(),
        "side": g.side(seat),
        "this_turn": tally.vps - tally.at_start,
        "tribes": g.c.tribe_ids().filter(held).count(),
        "vps": tally.vps,
    })
}

fn area(g: &State, a: AreaId) -> Value {
    let (printed, now) = (&g.c[a], g.area(a));
    json!({
        "broke": now.broke,
        "buffalo_campaign": marked(g.events.buffalo_campaigns.contains(&a)),
        "code": printed.code,
        "level": printed.statehood,
        "lines_cut": marked(g.events.lines_cut.contains(&a)),
        "massacres": now.massacres,
        "mines": now.mines.iter().map(|m| {
            let mine = &g.c[m.id];
            json!({ "hit": m.hit, "lode": mine.lode, "name": mine.name, "value": mine.value })
        }).collect::<Vec<_>>(),
        "mission": now.mission,
        "name": printed.name,
        "no_state": no_state_yet(g, a).filter(|_| !now.state).map(|(rule, _)| rule),
        "points": counted_points(g, a),
        "rrs": now.rrs,
        "sand_creek": marked(g.events.sand_creek == Some(a)),
        "settlements": now.settlements,
        "skulls": now.skulls,
        "state": now.state,
        "survival": g.survival_points(a),
        "terrain": if is_mountain(g, a) { "mountain" } else { "plains" },
        "towns": now.towns,
        "weather": now.weather.map(|w| if w == Weather::Good { "good" } else { "bad" }),
    })
}

/// Returns a rare marker. If absent, it is omitted from the view.
fn marked(there: bool) -> Option<bool> {
    there.then_some(true)
}

/// Returns `true` for an Area west of the green line (2.11).
pub(super) fn is_mountain(g: &State, a: AreaId) -> bool {
    g.c[a].terrain == crate::components::Terrain::Mountain
}

fn village(g: &State, v: VillageId) -> Value {
    let (printed, now) = (&g.c[v], g.village(v));
    let from = |a: AreaId| Some(&g.c[a].name);
    let (place, area, from) = match now.place {
        Place::Area(a) => ("map", Some(&g.c[a].name), None),
        Place::Mexico { from: a } => ("mexico", None, from(a)),
        Place::Canada { from: a } => ("canada", None, from(a)),
        Place::Reservation { from: a } => ("reservation", None, from(a)),
        Place::Extinct => ("extinct", None, None),
    };
    json!({
        "actions": now.actions,
        "area": area,
        "blood_lust": now.blood_lust,
        "bps": now.bps,
        "devastation": now.devastation,
        "dormant": now.dormant,
        "finished": now.finished,
        "from": from,
        "gunrunners": marked(g.events.gunrunners.contains(&printed.tribe)),
        "name": printed.name,
        "no_horses": marked(g.events.no_horses.contains(&v)),
        "peace_chief": now.peace_chief,
        "place": place,
        "player": g.known_player_of(v).map(|s| known_as(g, s)),
        "scouting": now.scouting,
        "shaman_medicine": now.shaman_medicine,
        "size": printed.size,
        "stronghold": marked(g.events.strongholds.contains(&v)),
        "treaty": now.treaty.map(|t| json!({ "lost": t.lost, "vps": t.vps, "with": t.with.to_string() })),
        "tribe": g.c[printed.tribe].name,
    })
}

fn party(g: &State, party: &WarParty) -> Value {
    json!({
        "actions": party.actions,
        "area": g.c[party.area].name,
        "bps": party.bps,
        "chiefs": party.chiefs.iter().map(|&h| ratings(g, h)).collect::<Vec<_>>(),
        "name": g.party_name(party),
        "on_foot": marked(party.on_foot),
        "player": g.known_player_of(party.village).map(|s| known_as(g, s)),
        "village": g.c[party.village].name,
    })
}

/// Returns a Chief with ratings as on the marker, such as `Quanah Parker (3 1 1)` (6.52).
pub(super) fn ratings(g: &State, chief: ChiefId) -> String {
    let h = &g.c[chief];
    format!("{} ({} {} {})", h.name, h.combat, h.evasion, h.aggression)
}

/// Returns the Village of a Chief, if it is public. The division of the Teton Chiefs is not, until
/// the card is revealed (6.51).
pub(super) fn known_village(g: &State, chief: ChiefId) -> Option<VillageId> {
    let shown = || g.chief_village(chief).filter(|_| g.tribes[g.c[chief].tribe.index()].revealed);
    g.c[chief].village.or_else(shown)
}

/// Returns a Chief if available this Turn or In Prison.
fn chief(g: &State, chief: ChiefId) -> Option<Value> {
    let (printed, now) = (&g.c[chief], &g.chiefs[chief.index()]);
    let place = match now {
        _ if now.killed => return None,
        _ if now.prison => "prison",
        _ if !g.chief_available(chief) => return None,
        _ if now.with.is_some() => "party",
        _ => "village",
    };
    Some(json!({
        "name": printed.name,
        "place": place,
        "ratings": ratings(g, chief),
        "tribe": g.c[printed.tribe].name,
        "used": now.used,
        "village": known_village(g, chief).map(|v| &g.c[v].name),
    }))
}

fn commanders(g: &State, wanted: impl Fn(CommanderPlace) -> bool) -> impl Iterator<Item = CommanderId> {
    g.c.commander_ids().filter(move |m| wanted(g.commanders[m.index()]))
}

fn commander(g: &State, m: CommanderId) -> Value {
    let m = &g.c[m];
    json!({
        "aggression": m.aggression, "combat": m.combat, "guerilla": m.guerilla, "name": m.surname, "pursuit": m.pursuit,
    })
}

fn column(g: &State, k: &Column) -> Value {
    json!({
        "area": g.c[k.area].name,
        "besieged": marked(g.events.sieges.contains(&k.id)),
        "bps": k.bps,
        "commander": k.commander.map(|m| commander(g, m)),
        "fort": k.in_fort,
        "gatlings": k.gatlings,
        "group": k.group,
        "held": held(g, k),
        "guns": k.guns,
        "name": k.commander.map(|m| &g.c[m].surname),
        "rests": rests(g, k),
        // Speed depends on the Commander, so there is none without one (5.31).
        "speed": k.commander.map(|_| columns::speed(g, k)),
    })
}

/// Returns the reason why a Column cannot be played, or only with restrictions, this Turn (9.2A,
/// 9.2O).
pub(super) fn held(g: &State, k: &Column) -> Option<&'static str> {
    if restraint::is_mormon(g, k) { Some("Mormons") } else { restraint::is_at_war(g, k.area).then_some("Civil War") }
}

/// Returns `true` if a Column cannot be played in the current US Round or, outside one, in the next
/// (5.33).
pub(super) fn rests(g: &State, k: &Column) -> bool {
    let on = g.phase == Phase::CardPlay && g.active == Some(g.us);
    let round = g.us_rounds + u32::from(!on);
    k.played_in > 0 && k.played_in + 1 >= round
}

/// Returns the names of Shaman Cards and events in effect.
fn effects(g: &State) -> Vec<&'static str> {
    let fx = &g.fx;
    [
        (fx.peace_policy, "Peace Policy"),
        (fx.reform_movement, "Reform Movement"),
        (fx.winter_campaigning, "Winter Campaigning"),
        (fx.indian_massacre, "Indian-led Massacre"),
        (fx.mexico_closed, "Federales"),
        (fx.atrocity.is_some(), "Atrocity and Reprisal"),
        (fx.rampage, "Rampage"),
        (fx.springfield, "Springfield Rifle"),
        (fx.gatlings, "Gatling Guns"),
        (fx.telegraph, "The Telegraph"),
        (fx.land_rush, "Oklahoma Land Rush"),
        (fx.civil_war == CivilWar::Now, "American Civil War"),
        (fx.bloody_kansas, "Bloody Kansas"),
        (g.events.horse_killers, "Horse Killers"),
        (g.events.hostages, "Hostages"),
        (g.events.sand_creek_over, "Sand Creek Massacre"),
    ]
    .into_iter()
    .filter_map(|(on, name)| on.then_some(name))
    .collect()
}
