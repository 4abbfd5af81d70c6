//! Invariants of every position. Simulations assert them after each decision, and rulings must keep
//! them.

use super::{
    State,
    card::Card,
    columns::together,
    solitaire,
    state::{
        ACTIONS, AreaState, COLUMN_ARTILLERY, COLUMN_BPS, CivilWar, CommanderPlace, Events, MISSIONS, Phase, Place,
        SETTLEMENTS, SKULLS,
    },
};

/// Returns everything that is wrong with a position; empty for every position that the rules can
/// reach.
pub fn faults(g: &State) -> Vec<String> {
    let mut faults = Vec::new();
    let mut must = |holds: bool, what: &dyn Fn() -> String| {
        if !holds {
            faults.push(what());
        }
    };
    villages(g, &mut must);
    war_parties(g, &mut must);
    treaties(g, &mut must);
    areas(g, &mut must);
    columns(g, &mut must);
    markers(g, &mut must);
    let r = g.reserve;
    must(r.bps >= 0 && r.guns >= 0 && r.gatlings >= 0, &|| "a negative Reserve".into());
    for card in Card::all() {
        let held = g.hands.iter().flatten().filter(|h| h.card == card).count();
        let piled = g.pile.iter().filter(|p| p.1 == card).count();
        must(held + piled <= card.count(), &|| format!("{}: {} copies", card.name(), held + piled));
    }
    if g.variant.solitaire {
        solitaire_game(g, &mut must);
    }
    faults
}

/// Checks Villages: BPs, actions, Devastation.
fn villages(g: &State, must: &mut dyn FnMut(bool, &dyn Fn() -> String)) {
    for v in g.village_ids() {
        let (piece, state) = (&g.c[v], g.village(v));
        let name = &piece.name;
        must(state.bps >= 0, &|| format!("{name}: {} BPs", state.bps));
        must(g.total_bps(v) <= piece.size, &|| format!("{name}: {} BPs of {}", g.total_bps(v), piece.size));
        must(!g.in_play(v) || g.total_bps(v) > 0, &|| format!("{name}: in play without BPs"));
        let away = matches!(state.place, Place::Reservation { .. });
        must(!away || state.bps > 0, &|| format!("{name}: On Reservation without BPs"));
        must(state.place != Place::Extinct || g.total_bps(v) == 0, &|| format!("{name}: extinct with BPs"));
        must((0..=g.devastations()).contains(&state.devastation), &|| {
            format!("{name}: Devastated -{}", state.devastation)
        });
        must(state.actions <= ACTIONS, &|| format!("{name}: {} actions (6.8)", state.actions));
        let out = g.parties_of(v).count();
        must(out <= 2, &|| format!("{name}: {out} War Parties (6.32)"));
        must(out == 0 || g.player_of(v).is_some(), &|| format!("{name}: a War Party of an Inactive Tribe"));
    }
}

/// Checks War Parties and the Chiefs with them.
fn war_parties(g: &State, must: &mut dyn FnMut(bool, &dyn Fn() -> String)) {
    for party in &g.parties {
        let name = g.party_name(party);
        must(party.bps > 0, &|| format!("War Party of the {name}: {} BPs", party.bps));
        for &chief in &party.chiefs {
            let state = &g.chiefs[chief.index()];
            must(state.with == Some(party.id) && !state.killed, &|| {
                format!("{} is not with the {name}", g.c[chief].name)
            });
        }
        let mates = g.alliances.iter().filter(|a| a.parties.contains(&party.id)).flat_map(|a| &a.parties);
        let apart = mates.filter_map(|&id| g.party(id)).any(|mate| mate.area != party.area);
        must(!apart, &|| format!("War Party of the {name}: allied with one in another Area (6.7)"));
        if let Some(home) = g.area_of(party.village) {
            // One Area more, while Columns may react to a Relocation that will recall the War Party
            // (5.35).
            let most = g.variant.range() + 1;
            let far = g.c.distance(home, party.area).is_none_or(|d| d > most);
            must(!far, &|| format!("War Party of the {name}: far from home (6.36)"));
        }
    }
    for (h, state) in g.chiefs.iter().enumerate() {
        if let Some(id) = state.with {
            let there = g.party(id).is_some_and(|p| p.chiefs.iter().any(|c| c.index() == h));
            must(there, &|| format!("Chief {h}: with a War Party that does not have him"));
        }
    }
}

/// Checks Treaties, offers and the holders of Tribal Cards.
fn treaties(g: &State, must: &mut dyn FnMut(bool, &dyn Fn() -> String)) {
    for offer in &g.desk.offers {
        let name = &g.c[offer.village].name;
        must(g.area_of(offer.village).is_some(), &|| {
            format!("{name}: a Treaty is offered, and it is off the map (8.11)")
        });
    }
    for treaty in g.villages.iter().filter_map(|village| village.treaty) {
        let most = g.variant.treaty_most().unwrap_or(i32::MAX);
        must((0..=most).contains(&treaty.vps), &|| format!("a Treaty for {} VPs (8.11)", treaty.vps));
    }
    let of_the_us = g.tribes.iter().filter(|tribe| tribe.holder == Some(g.us)).count();
    must(of_the_us == 0, &|| format!("{of_the_us} Tribal Cards are held by the US (3.5)"));
}

/// Checks Areas and their markers.
fn areas(g: &State, must: &mut dyn FnMut(bool, &dyn Fn() -> String)) {
    for a in g.area_ids() {
        let (name, area) = (&g.c[a].name, g.area(a));
        let counts = [area.settlements, area.towns, area.rrs, area.broke, area.massacres, area.skulls];
        must(counts.iter().all(|&n| n >= 0), &|| format!("{name}: a negative count of markers"));
        must(area.settlements <= SETTLEMENTS, &|| format!("{name}: {} Settlements (5.22)", area.settlements));
        must(area.all_rrs() <= area.town_points(), &|| {
            format!("{name}: {} RRs on {} town points (5.24)", area.all_rrs(), area.town_points())
        });
    }
    must(g.is_campaign() || g.rr_due.is_empty(), &|| "first RRs are due in the Basic Game (11.12)".into());
    if let Some(a) = g.rr_due.iter().find(|a| g.area(**a).all_rrs() > 0) {
        must(false, &|| format!("{}: its first RR is due and is there (11.12)", g.c[*a].name));
    }
    let rrs: i32 = g.areas.iter().map(AreaState::all_rrs).sum();
    must(rrs == 0 || !g.is_campaign() || g.turn >= 3, &|| format!("{rrs} RRs in Turn {} (11.12)", g.turn));
    if let Some(k) = g.fx.mormon_column.and_then(|id| g.column(id)) {
        must(g.c[k.area].code == "UT", &|| format!("the Mormon Column is in {} (9.2O)", g.c[k.area].name));
    }
    let came = g.removed.contains(&Card::AmericanCivilWar);
    must(came == (g.fx.civil_war != CivilWar::ToCome), &|| format!("the Civil War: {:?} (9.2A)", g.fx.civil_war));
    must(g.turn <= 6 || g.fx.civil_war == CivilWar::Over, &|| "no Civil War by the end of Turn 6 (9.2A)".into());
    let skulls = SKULLS - g.skulls_left();
    must(g.skulls_left() >= 0, &|| format!("{skulls} Buffalo Skulls placed (9.2G)"));
    must(g.areas.iter().filter(|a| a.mission).count() <= MISSIONS, &|| "more than three Missions (9.2N)".into());
    let placed: usize = g.areas.iter().map(|a| a.mines.len()).sum();
    must(placed + g.mine_cup.len() <= g.c.mines.len(), &|| "more Mines than there are".into());
}

/// Checks Columns, their groups and their Commanders.
fn columns(g: &State, must: &mut dyn FnMut(bool, &dyn Fn() -> String)) {
    for column in &g.columns {
        let name = g.column_name(column.id);
        must((1..=COLUMN_BPS).contains(&column.bps), &|| format!("{name}: {} BPs (5.31)", column.bps));
        let artillery = column.guns + column.gatlings;
        must(column.guns >= 0 && column.gatlings >= 0 && artillery <= COLUMN_ARTILLERY, &|| {
            format!("{name}: {artillery} Artillery markers (5.52)")
        });
        let mut mates = together(g, column.id).into_iter().filter_map(|id| g.column(id));
        let united = mates.all(|mate| mate.area == column.area && mate.in_fort == column.in_fort);
        must(united, &|| format!("{name}: apart from its coordinated Columns (5.723)"));
        if let Some(m) = column.commander {
            let place = g.commanders[m.index()];
            must(place == CommanderPlace::Column(column.id), &|| format!("{name}: its Commander is at {place:?}"));
        }
    }
    for (m, &place) in g.commanders.iter().enumerate() {
        if let CommanderPlace::Column(id) = place {
            must(g.column(id).is_some(), &|| format!("{}: commands a Column that is gone", g.c.commanders[m].surname));
        }
    }
}

/// Checks the Solitaire Game.
fn solitaire_game(g: &State, must: &mut dyn FnMut(bool, &dyn Fn() -> String)) {
    must(g.hands.iter().all(Vec::is_empty), &|| "a hand in the Solitaire Game (11.32)".into());
    must(g.desk.offers.is_empty() && g.tally.iter().all(|s| s.vps == 0), &|| "Treaties or VPs (11.31, 11.39)".into());
    must(g.tribes.iter().all(|s| s.holder.is_none_or(|hat| hat == solitaire::INDIANS)), &|| {
        "the US with a Tribal Card (11.35)".into()
    });
    let to_come = |tribe| g.solo.tribal.iter().filter(|card| card.tribe == tribe).count();
    for tribe in g.c.tribe_ids() {
        let cards = to_come(tribe) + usize::from(g.tribes[tribe.index()].holder.is_some());
        must(cards <= 1, &|| format!("{}: {cards} Tribal Cards (11.34)", g.c[tribe].name));
    }
    must(g.solo.seen <= g.solo.tribal.len(), &|| "more cards looked at than there are (11.36)".into());
    let cards = g.pile.len() + g.solo.shaman.len();
    must(g.phase != Phase::CardPlay || cards == solitaire::decks::SHAMAN_CARDS, &|| {
        format!("{cards} Shaman Cards in a Turn (11.33)")
    });
}

/// Checks the markers of random events (12.13, 12.14).
fn markers(g: &State, must: &mut dyn FnMut(bool, &dyn Fn() -> String)) {
    let events = &g.events;
    must(g.variant.random_events || *events == Events::default(), &|| "a random event in a game without them".into());
    for &v in &events.strongholds {
        let name = &g.c[v].name;
        must(g.area_of(v).is_some() && g.village(v).bps > 0, &|| format!("{name}: a Stronghold without BPs (12.13)"));
    }
    for &v in &events.no_horses {
        must(g.in_play(v), &|| format!("{}: No Horses, and out of play (12.13)", g.c[v].name));
    }
    for &id in &events.sieges {
        must(g.column(id).is_some_and(|k| k.in_fort), &|| format!("{}: besieged On Patrol (12.13)", g.column_name(id)));
    }
    for &a in &events.buffalo_campaigns {
        must(g.c[a].buffalo, &|| format!("{}: a campaign without Buffalo (12.13)", g.c[a].name));
    }
    must(events.sand_creek.is_none() || events.sand_creek_over, &|| "Sand Creek has not happened (12.13)".into());
    let twice = |list: &[u16]| (1..list.len()).any(|i| list[..i].contains(&list[i]));
    let marked = [
        events.gunrunners.iter().map(|t| u16::from(t.0)).collect::<Vec<_>>(),
        events.lines_cut.iter().map(|a| u16::from(a.0)).collect(),
        events.buffalo_campaigns.iter().map(|a| u16::from(a.0)).collect(),
        events.strongholds.iter().map(|v| u16::from(v.0)).collect(),
        events.no_horses.iter().map(|v| u16::from(v.0)).collect(),
        events.sieges.iter().map(|k| k.0).collect(),
    ];
    must(!marked.iter().any(|list| twice(list)), &|| format!("a marker twice on the same piece (12.13): {marked:?}"));
}
