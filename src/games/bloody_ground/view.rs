//! What a seat may see, and the final ranking. All lies open.

use super::{
    components::Side,
    events::by_kind,
    state::{Spot, State},
};
use crate::table::{Seat, joined, rows};
use serde_json::{Value, json};

/// What anybody may see.
pub fn view(g: &State, seat: Option<Seat>) -> Value {
    let nations = g.c.nation_ids().map(|n| {
        let tribe = g.tribe(n);
        json!({ "name": g.c[n].name, "level": tribe.ml, "stance": tribe.stance.name() })
    });
    let areas = g.c.area_ids().map(|a| {
        let land = g.land(a);
        let units = |side: Side| {
            let units: Vec<_> = g.units_in(a, side).collect();
            rows(by_kind(g, &units).into_iter().map(|(kind, n)| format!("{n} {}", g.c[kind].id)))
        };
        let leaders = |side: Side| rows(g.leaders_in(a, side).map(|l| g.c[l].name.clone()));
        let fort = land
            .fort
            .map(|fort| json!({ "side": fort.side.word(), "siege": fort.siege, "ready": fort.builder.is_none() }));
        let row = json!({
            "id": g.c[a].id, "name": g.c[a].name, "terrain": g.terrain(a).name(), "settlers": g.people(a),
            "village": land.village, "pillaged": land.pillaged, "raid": land.raid, "atrocities": land.atrocity,
            "us": units(Side::Us), "na": units(Side::Na),
            "us_leaders": leaders(Side::Us), "na_leaders": leaders(Side::Na),
        });
        joined(row, fort.map_or(json!({}), |fort| json!({ "fort": fort })))
    });
    let pieces = g.fight.as_ref().map(|fight| fight.view(g));
    let view = json!({
        "turn": g.turn, "season": g.season.name(), "year": g.year, "severe": g.severe, "commitment": g.commitment,
        "vps": g.vps, "nations": rows(nations), "areas": rows(areas), "finished": g.ending.is_some(),
    });
    let view = joined(view, pieces.map_or(json!({}), |pieces| json!({ "battle": pieces })));
    match seat {
        Some(seat) => joined(view, json!({ "you": seat.to_string() })),
        None => view,
    }
}

/// The end: who won, and how.
pub fn outcome(g: &State) -> Value {
    let rank = |side: Side| match &g.ending {
        Some(ending) => i32::from(ending.winner.is_some_and(|winner| winner != side)) + 1,
        None => 1,
    };
    let ranking = Side::ALL.into_iter().map(|side| {
        json!({ "seat": g.seat(side).to_string(), "side": side.word(), "rank": rank(side), "vps": g.vps[side.index()] })
    });
    let (winner, level) = g.ending.as_ref().map_or((None, "none"), |e| (e.winner, e.level));
    let on_map = g.units.iter().filter(|unit| matches!(unit.spot, Spot::On(_))).count();
    json!({
        "ranking": rows(ranking), "winner": winner.map_or("nobody", Side::word), "level": level, "turns": g.turn,
        "commitment": g.commitment, "british": g.british, "units": on_map,
    })
}
