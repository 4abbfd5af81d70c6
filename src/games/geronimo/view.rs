//! What a seat may see (the one door between a state and anybody's eyes), and the final ranking.
//!
//! A view has two parts: what lies open to all, made without knowing who looks ([`public`]), and under `you` what only that
//! seat may see ([`private`]). Views are safe as canonical JSON: objects with ASCII keys, arrays, strings, booleans and
//! integers; what is absent is left out. The public part is hashed into the journal at every Round, so wording that may
//! improve (explanations, advice) belongs into the templates or under `you`, never there.

mod private;
mod public;
#[cfg(test)]
mod tests;

use super::{
    State,
    components::TribeId,
    solitaire,
    state::Place,
    tally::{TURNS, Tally},
};
use crate::table::{Figure, Seat};
use serde_json::{Value, json};

/// What a seat, or with `None` a spectator, may see.
pub fn view(g: &State, seat: Option<Seat>) -> Value {
    let mut view = public::public(g);
    if let Some(seat) = seat {
        view["you"] = private::private(g, seat);
    }
    without_nulls(&mut view);
    view
}

/// The final ranking (10.1): the most VPs win, equal VPs share a rank. Also how the West ended up; in the Solitaire Game that
/// is all there is, with a verdict on it (11.31).
pub fn outcome(g: &State) -> Value {
    let mut seats: Vec<Seat> = g.seats().collect();
    let vps = |seat: Seat| g.tally[seat.index()].vps;
    seats.sort_by_key(|&seat| (-vps(seat), seat));
    let ranking: Vec<Value> = seats
        .iter()
        .map(|&seat| {
            let better = seats.iter().filter(|&&other| vps(other) > vps(seat)).count();
            json!({ "rank": better + 1, "seat": seat.to_string(), "vps": vps(seat) })
        })
        .collect();
    let states: Vec<&str> = g.area_ids().filter(|&a| g.area(a).state).map(|a| g.c[a].name.as_str()).collect();
    let villages = |wanted: fn(Place) -> bool| -> Vec<&str> {
        g.village_ids().filter(|&v| wanted(g.village(v).place)).map(|v| g.c[v].name.as_str()).collect()
    };
    if g.variant.solitaire {
        let mut outcome = json!({
            "extinct": villages(|place| place == Place::Extinct),
            "on_reservation": villages(|place| matches!(place, Place::Reservation { .. })),
            "states": states,
            "transcontinental_turn": g.transcontinental,
            "verdict": solitaire::verdict(g).words(),
        });
        without_nulls(&mut outcome);
        return outcome;
    }
    let (as_us, as_indians) = vps_by_side(g);
    json!({
        "extinct": villages(|place| place == Place::Extinct),
        "on_reservation": villages(|place| matches!(place, Place::Reservation { .. })),
        "ranking": ranking,
        "states": states,
        "transcontinental": g.transcontinental.is_some(),
        "vps_as_us": as_us,
        "vps_as_indians": as_indians,
    })
}

/// All VPs that were earned as the US player, and as Indian players.
fn vps_by_side(g: &State) -> (i32, i32) {
    let as_us = g.tally.iter().map(Tally::as_us).sum();
    (as_us, g.tally.iter().map(|tally| tally.vps).sum::<i32>() - as_us)
}

/// How a game has ended, for the last letter: the outcome with the players' Tally Sheets Turn by Turn (10.1).
pub fn ending(g: &State) -> Value {
    let mut ending = outcome(g);
    ending["turns"] = (g.turns.0..=g.turns.1).collect();
    for row in ending["ranking"].as_array_mut().into_iter().flatten() {
        let Some(tally) = g.seats().find(|seat| row["seat"] == seat.to_string()).map(|seat| &g.tally[seat.index()])
        else {
            continue;
        };
        row["turns"] = tally.turns.iter().flatten().map(|line| json!({ "vps": line.vps, "us": line.us })).collect();
    }
    if let Some(turn) = g.transcontinental {
        ending["transcontinental_turn"] = turn.into();
        ending["transcontinental_years"] = g.c.turn(turn).map_or(Value::Null, |track| track.years.as_str().into());
    }
    without_nulls(&mut ending);
    ending
}

/// What a balance report compares: how the West ended up, by Tribes and Turns. A Tribe counts as Extinct, or as On
/// Reservation, when none of its Villages is left in play and the last of them went that way.
pub fn figures(g: &State) -> Value {
    let ends = |tribe: TribeId, place: fn(Place) -> bool| {
        !g.tribe_in_play(tribe) && g.c[tribe].villages.iter().any(|&v| place(g.village(v).place))
    };
    let on_reservation = |tribe: &TribeId| ends(*tribe, |place| matches!(place, Place::Reservation { .. }));
    let extinct = |tribe: &TribeId| ends(*tribe, |place| place == Place::Extinct) && !on_reservation(tribe);
    let (as_us, as_indians) = vps_by_side(g);
    let mut figures = json!({
        "states": g.areas.iter().filter(|area| area.state).count(),
        "transcontinental": g.transcontinental,
        "tribes_extinct": g.c.tribe_ids().filter(extinct).count(),
        "tribes_on_reservation": g.c.tribe_ids().filter(on_reservation).count(),
        "vps_as_us": as_us,
        "vps_as_indians": as_indians,
        "winners": winners(g),
    });
    without_nulls(&mut figures);
    figures
}

/// Which side has won each Turn: that of the player who earned most in it, since sides change from Turn to Turn. In the Solitaire
/// Game the side that has won the game (11.31).
fn winners(g: &State) -> Vec<&'static str> {
    if g.variant.solitaire {
        return vec![if solitaire::verdict(g) == solitaire::Verdict::Bettered { "US" } else { "Indians" }];
    }
    let turn = |turn: usize| {
        let lines = || g.tally.iter().filter_map(|tally| tally.turns.get(turn).copied().flatten());
        let most = lines().map(|line| line.vps).max()?;
        let side = |us: bool| lines().any(|line| line.us == us && line.vps == most);
        Some(match (side(true), side(false)) {
            (true, false) => "US",
            (false, _) => "Indians",
            (true, true) => "both alike",
        })
    };
    (0..TURNS).filter_map(turn).collect()
}

/// [`figures`] for people, with what history says of them.
pub const FIGURES: [Figure; 6] = [
    Figure { name: "states", title: "States at the end", history: Some(14) },
    // 1869: the Turn of 1866-70.
    Figure { name: "transcontinental", title: "Turn of the Transcontinental Railroad", history: Some(4) },
    Figure { name: "tribes_extinct", title: "Tribes extinct", history: None },
    Figure { name: "tribes_on_reservation", title: "Tribes On Reservation", history: None },
    Figure { name: "vps_as_us", title: "VPs as the US", history: None },
    Figure { name: "vps_as_indians", title: "VPs as Indians", history: None },
];

/// Leaves out what is absent.
fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, v| !v.is_null());
            map.values_mut().for_each(without_nulls);
        }
        Value::Array(list) => list.iter_mut().for_each(without_nulls),
        _ => {}
    }
}
