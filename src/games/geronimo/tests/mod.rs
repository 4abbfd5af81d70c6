//! Tests of the chapters on Columns, Indian actions, Combat and Reservations, by rule, in small
//! positions.

mod alliances;
mod battle;
mod campaign;
mod chiefs;
mod civil_war;
mod columns;
mod events;
mod hidden_hands;
mod invariants;
mod limits;
mod map;
mod out_of_turn;
mod raids;
mod reaction;
mod refusals;
mod relocation;
mod treaties;
mod two_players;
mod war_parties;

use super::{
    State, T,
    cards::After,
    columns::operations,
    indian::operation,
    legal,
    state::{ColumnId, CommanderPlace, MineState, PartyId, Phase},
    testing::{Running, Trial, area, basic, chief, column, commander, deal_to, tribe, village},
    view,
};
use postrider_table::Seat;

/// The US player.
const US: Seat = Seat(0);
/// An Indian player.
const B: Seat = Seat(1);
/// Another Indian player.
const C: Seat = Seat(2);

/// Returns a position with four players in the middle of the Card Play Phase; A plays the US, and
/// nobody holds a Tribe.
fn field() -> State {
    let mut g = basic(4);
    (g.phase, g.round, g.us_rounds, g.active) = (Phase::CardPlay, 1, 5, Some(B));
    g
}

fn hold(g: &mut State, name: &str, seat: Seat) {
    deal_to(g, name, seat);
    let tribe = tribe(g, name);
    let state = &mut g.tribes[tribe.index()];
    (state.revealed, state.divided) = (true, true);
}

fn party(g: &mut State, name: &str, bps: i32, chiefs: &[&str], code: &str) -> PartyId {
    let (v, a) = (village(g, name), area(g, code));
    let chiefs: Vec<_> = chiefs.iter().map(|name| chief(g, name)).collect();
    g.send_party(v, bps, &chiefs, a)
}

/// Moves a Mine from the cup to the map.
fn mine(g: &mut State, code: &str, value: i32) {
    let a = area(g, code);
    let at = g.mine_cup.iter().position(|&id| g.c[id].area == a && g.c[id].value == value).expect("such a Mine");
    let id = g.mine_cup.remove(at);
    g.area_mut(a).mines.push(MineState { id, hit: false });
}

fn in_reserve(g: &mut State, surname: &str) {
    let m = commander(g, surname);
    g.commanders[m.index()] = CommanderPlace::Reserve;
}

/// Returns a position with Custer, Terry and Miles in Wyoming with 5 BPs each, a Mine there, and
/// B's Arapaho.
fn wyoming() -> (State, [ColumnId; 3]) {
    let mut g = field();
    let ids = ["Custer", "Terry", "Miles"].map(|name| column(&mut g, name, "WY", 5));
    hold(&mut g, "Arapaho", B);
    mine(&mut g, "WY", 2);
    (g, ids)
}

/// Returns the group of each Column; Columns that stay together have the same number (5.723).
fn groups(g: &State, ids: &[ColumnId]) -> Vec<Option<u16>> {
    ids.iter().map(|&id| g.column(id).and_then(|k| k.group)).collect()
}

fn us_round(g: State) -> Trial {
    Trial::new(g, |t: T, mut g| async move {
        operations(&t, &mut g).await;
        g
    })
}

fn b_round(g: State) -> Trial {
    b_after(g, After::Operation)
}

fn b_after(g: State, after: After) -> Trial {
    Trial::new(g, move |t: T, mut g| async move {
        operation(&t, &mut g, B, after).await;
        g
    })
}

fn refused_by(trial: &mut Running, rule: &str, words: &str) {
    let why = trial.refused(words);
    assert!(why.ends_with(&format!("({rule})")), "{words}: {why}");
}

fn vps(g: &State, seat: Seat) -> i32 {
    g.tally[seat.index()].vps
}
