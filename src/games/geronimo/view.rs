//! The view of a seat, which is the only access to a state, and the result of the game.
//!
//! A view has two parts: public information, made without knowing who looks (`public`), and under
//! `you` the information for one seat only (`private`). Views are valid canonical JSON: objects
//! with ASCII keys, arrays, strings, booleans and integers; missing values are omitted. The public
//! part is hashed into the journal at every Round, so wording that may be improved (explanations,
//! advice) belongs in the templates or under `you`, never there.

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
use postrider_table::{Counted, Figure, Outcome, Seat, Standing, joined, rows};
use serde_json::{Value, json};

/// Returns the view of a seat, or of a spectator for `None`.
pub fn view(g: &State, seat: Option<Seat>) -> Value {
    let mut view = public::public(g);
    if let Some(seat) = seat {
        view["you"] = private::private(g, seat);
    }
    without_nulls(&mut view);
    view
}

/// Returns the names that the story uses for the Columns or Villages of a seat.
pub fn pieces(g: &State, seat: Seat) -> Vec<String> {
    if seat == g.us {
        return g.columns.iter().map(|column| g.column_name(column.id).to_owned()).collect();
    }
    let own = g.village_ids().filter(|&v| g.player_of(v) == Some(seat));
    own.map(|v| g.c[v].name.clone()).collect()
}

/// Returns the result of the game: most VPs win, and equal VPs share a place (10.1). The Solitaire
/// Game has a verdict (11.31).
pub fn outcome(g: &State) -> Outcome {
    if g.variant.solitaire {
        let verdict = solitaire::verdict(g);
        let winner = if verdict == solitaire::Verdict::Bettered { "US" } else { "Indians" };
        let states = solitaire::states(g).count();
        return Outcome::verdict(verdict.words(), winner, format!("{states} States (11.31)"));
    }
    let seats = g.seats().map(|seat| Standing::new(seat, g.tally[seat.index()].vps));
    Outcome::by_points(Counted::more("VPs"), seats, "most VPs (10.1)").with_turns(turns_won(g))
}

/// Returns the final state of the Tribes, the States and the Railroad.
fn west(g: &State) -> Value {
    let villages = |wanted: fn(Place) -> bool| -> Vec<&str> {
        g.village_ids().filter(|&v| wanted(g.village(v).place)).map(|v| g.c[v].name.as_str()).collect()
    };
    json!({
        "extinct": villages(|place| place == Place::Extinct),
        "on_reservation": villages(|place| matches!(place, Place::Reservation { .. })),
        "states": g.area_ids().filter(|&a| g.area(a).state).map(|a| g.c[a].name.as_str()).collect::<Vec<_>>(),
        "transcontinental_turn": g.transcontinental,
        "transcontinental_years": g.transcontinental.and_then(|turn| g.c.turn(turn)).map(|track| track.years.as_str()),
    })
}

/// Returns the total VPs earned as the US, and as Indians.
fn vps_by_side(g: &State) -> (i32, i32) {
    let as_us = g.tally.iter().map(Tally::as_us).sum();
    (as_us, g.tally.iter().map(|tally| tally.vps).sum::<i32>() - as_us)
}

/// Returns the additions of the last letter to the result: the final state, and the Tally Sheets
/// Turn by Turn (10.1).
pub fn ending(g: &State) -> Value {
    let mut ending = west(g);
    if !g.variant.solitaire {
        let sheet = |one: &Standing| {
            let turns = g.tally[one.seat.index()].turns.iter().flatten();
            let turns: Vec<Value> = turns.map(|line| json!({ "vps": line.vps, "us": line.us })).collect();
            json!({ "seat": one.seat.to_string(), "turns": turns })
        };
        let (as_us, as_indians) = vps_by_side(g);
        let tally = json!({
            "turns": (g.turns.0..=g.turns.1).collect::<Vec<_>>(), "sheets": rows(outcome(g).ranking().iter().map(sheet)),
            "vps_as_us": as_us, "vps_as_indians": as_indians,
        });
        ending = joined(ending, tally);
    }
    without_nulls(&mut ending);
    ending
}

/// Returns the values for a balance report. A Tribe counts as Extinct or On Reservation if none of
/// its Villages is left in play; On Reservation if any of them is there.
pub fn figures(g: &State) -> Vec<(&'static str, i64)> {
    let ends = |tribe: TribeId, place: fn(Place) -> bool| {
        !g.tribe_in_play(tribe) && g.c[tribe].villages.iter().any(|&v| place(g.village(v).place))
    };
    let on_reservation = |tribe: &TribeId| ends(*tribe, |place| matches!(place, Place::Reservation { .. }));
    let extinct = |tribe: &TribeId| ends(*tribe, |place| place == Place::Extinct) && !on_reservation(tribe);
    let (as_us, as_indians) = vps_by_side(g);
    let mut figures = vec![
        ("states", solitaire::states(g).count() as i64),
        ("tribes_extinct", g.c.tribe_ids().filter(extinct).count() as i64),
        ("tribes_on_reservation", g.c.tribe_ids().filter(on_reservation).count() as i64),
        ("vps_as_us", as_us.into()),
        ("vps_as_indians", as_indians.into()),
    ];
    figures.extend(g.transcontinental.map(|turn| ("transcontinental", turn.into())));
    figures
}

/// Returns the side that won each Turn: that of the player who earned most in it, since sides
/// change from Turn to Turn.
fn turns_won(g: &State) -> Vec<&'static str> {
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

/// The titles of [`figures`], with the values in history.
pub const FIGURES: [Figure; 6] = [
    Figure { name: "states", title: "States at the end", history: Some(14) },
    // 1869, in the Turn of 1866-70.
    Figure { name: "transcontinental", title: "Turn of the Transcontinental Railroad", history: Some(4) },
    Figure { name: "tribes_extinct", title: "Tribes extinct", history: None },
    Figure { name: "tribes_on_reservation", title: "Tribes On Reservation", history: None },
    Figure { name: "vps_as_us", title: "VPs as the US", history: None },
    Figure { name: "vps_as_indians", title: "VPs as Indians", history: None },
];

/// Removes null values.
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
