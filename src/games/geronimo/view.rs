//! What a seat may see (the one door between a state and anybody's eyes), and how the game ended.
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
use postrider_table::{Counted, Figure, Outcome, Seat, Standing, joined, rows};
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

/// The names by which the story calls the Columns or Villages of a seat.
pub fn pieces(g: &State, seat: Seat) -> Vec<String> {
    if seat == g.us {
        return g.columns.iter().map(|column| g.column_name(column.id).to_owned()).collect();
    }
    let own = g.village_ids().filter(|&v| g.player_of(v) == Some(seat));
    own.map(|v| g.c[v].name.clone()).collect()
}

/// How the game ended: the most VPs win, equal VPs share a place (10.1); the Solitaire Game has a
/// verdict (11.31).
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

/// How the West ended up.
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

/// All VPs that were earned as the US player, and as Indian players.
fn vps_by_side(g: &State) -> (i32, i32) {
    let as_us = g.tally.iter().map(Tally::as_us).sum();
    (as_us, g.tally.iter().map(|tally| tally.vps).sum::<i32>() - as_us)
}

/// What the last letter adds to the outcome: how the West ended up, and the players' Tally Sheets
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

/// The figures that a balance report compares: how the West ended up, by Tribes and Turns. A Tribe
/// counts as Extinct, or as On Reservation, when none of its Villages is left in play and the last
/// of them went that way.
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

/// Which side won each Turn: that of the player who earned most in it, since sides change from Turn
/// to Turn.
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
