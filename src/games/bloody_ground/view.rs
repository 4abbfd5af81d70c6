//! The view of a seat, and the result of a game. All information is open.

use super::{
    atrocity,
    components::{AreaId, Province, Side},
    events::by_kind,
    state::{Spot, State, UnitId},
};
use postrider_table::{Counted, Figure, Outcome, Seat, Standing, joined, rows, status::Condition};
use serde_json::{Value, json};

/// Returns the view, which is the same for every seat except for `you`.
pub fn view(g: &State, seat: Option<Seat>) -> Value {
    let scenario = &g.c.scenarios[g.scenario];
    let seats = Side::ALL.map(|side| {
        let primary = g.primary[side.index()].map_or("-", |l| &*g.c[l].name);
        json!({
            "seat": g.seat(side).to_string(), "side": side.word(), "part": side.short(), "vps": g.vps[side.index()],
            "primary": primary, "atrocities": atrocity::left(g, side),
        })
    });
    let view = json!({
        "scenario": scenario.name, "map": scenario.turns > 0, "turn": g.turn, "turns": scenario.turns,
        "season": g.season.name(), "year": g.year, "severe": g.severe, "commitment": g.commitment, "vps": g.vps,
        "initiative": if g.rolled { g.initiative.short() } else { "" }, "british": g.british, "seats": seats, "nations": nations(g),
        "leaders": leaders(g), "beside": beside(g), "areas": rows(g.c.area_ids().map(|a| area(g, a))),
        "finished": g.ending.is_some(),
    });
    let fight = g.fight.as_ref().map_or(json!({}), |fight| json!({ "battle": fight.view(g) }));
    let you = seat.map_or(json!({}), |seat| json!({ "you": seat.to_string() }));
    joined(joined(view, fight), you)
}

fn nations(g: &State) -> Value {
    rows(g.c.nation_ids().map(|n| {
        let tribe = g.tribe(n);
        let warriors = g.of_kind(g.c.warriors(n)).filter(|&u| g.unit(u).spot.area().is_some()).count();
        json!({ "name": g.c[n].name, "level": tribe.ml, "stance": tribe.stance.name(), "warriors": warriors })
    }))
}

/// Returns the leaders on the map or waiting off it.
fn leaders(g: &State) -> Value {
    let here = g.c.leader_ids().filter_map(|l| {
        let (chief, leader) = (g.chief(l), &g.c[l]);
        let at = match chief.spot {
            Spot::On(a) => g.name(a),
            Spot::Edge => "beside the map".to_owned(),
            Spot::Pool if chief.waits => "off the map until militia of his state comes".to_owned(),
            Spot::Pool | Spot::Gone => return None,
        };
        let marks = [
            (chief.acts > 0 || chief.done, "has acted"),
            (chief.inside, "in the fort"),
            (chief.raiding, "raids"),
            (chief.starved, "Out of Supply"),
        ];
        let marks: Vec<&str> = marks.into_iter().filter_map(|(holds, mark)| holds.then_some(mark)).collect();
        let (rank, rating) = (leader.rank, g.rating(l));
        Some(json!({
            "name": leader.name, "side": leader.side.word(), "kind": leader.kind.name(), "rank": rank,
            "rating": rating, "at": at, "marks": marks.join(", "),
        }))
    });
    rows(here)
}

/// Returns the number of units of each kind, such as `3 regular`.
fn counted(g: &State, units: &[UnitId]) -> Vec<String> {
    by_kind(g, units).into_iter().map(|(kind, n)| format!("{n} {}", g.c[kind].id)).collect()
}

/// Returns the pieces waiting off the map (8.3.2).
fn beside(g: &State) -> Value {
    rows(Side::ALL.into_iter().filter(|_| g.fight.is_none()).filter_map(|side| {
        let units: Vec<UnitId> =
            g.unit_ids().filter(|&u| g.unit(u).spot == Spot::Edge && g.side_of(u) == side).collect();
        let heads = g.c.leader_ids().filter(|&l| g.chief(l).spot == Spot::Edge && g.c[l].side == side);
        let all: Vec<String> = counted(g, &units).into_iter().chain(heads.map(|l| g.c[l].name.clone())).collect();
        (!all.is_empty()).then(|| json!({ "side": side.short(), "pieces": all }))
    }))
}

fn area(g: &State, a: AreaId) -> Value {
    let land = g.land(a);
    let of = |side: Side| g.units_in(a, side).collect::<Vec<UnitId>>();
    let heads = |side: Side| rows(g.leaders_in(a, side).map(|l| g.c[l].name.clone()));
    let fort = land.fort.as_ref().map(|fort| {
        let (ready, worked) = (fort.is_ready(), fort.work.is_some());
        json!({ "side": fort.side.word(), "siege": fort.siege, "ready": ready, "razed": ready && worked })
    });
    // States that only some of the units may have.
    let units: Vec<UnitId> = Side::ALL.into_iter().flat_map(of).collect();
    let marks: [(&str, &dyn Fn(UnitId) -> bool); 7] = [
        ("raid", &|u| g.unit(u).raiding),
        ("in the fort", &|u| g.unit(u).inside),
        ("have acted", &|u| !g.unit(u).raiding && (g.unit(u).done || g.unit(u).acts > 0)),
        ("Disrupted", &|u| g.unit(u).condition != Condition::Normal),
        ("Out of Supply", &|u| g.unit(u).starved),
        ("with rifles", &|u| g.unit(u).rifle),
        ("at peace", &|u| !g.is_face_up(u)),
    ];
    let notes = marks.into_iter().filter_map(|(mark, holds)| {
        let some: Vec<UnitId> = units.iter().copied().filter(|&u| holds(u)).collect();
        let who = if some.len() == units.len() { "all".to_owned() } else { counted(g, &some).join(", ") };
        (!some.is_empty()).then(|| format!("{who} {mark}"))
    });
    let nation = g.c[a].nation.map_or("", |n| &*g.c[n].name);
    let row = json!({
        "id": g.c[a].id, "name": g.c[a].name, "state": g.c[a].state.name(), "nation": nation,
        "terrain": g.terrain(a).name(), "settlers": g.people(a), "village": land.village, "town": g.town(a),
        "pillaged": land.pillaged, "raid": land.raid, "atrocities": land.atrocity,
        "us": counted(g, &of(Side::Us)), "na": counted(g, &of(Side::Na)),
        "us_leaders": heads(Side::Us), "na_leaders": heads(Side::Na), "notes": rows(notes),
    });
    joined(row, fort.map_or(json!({}), |fort| json!({ "fort": fort })))
}

/// Returns the result of the game (15.1.4, 15.2.4, 15.4.3, 15.4.4, 16.1.3). Not every scenario is
/// decided by VPs.
pub fn outcome(g: &State) -> Outcome {
    let ending = g.ending.as_ref();
    let winner = ending.and_then(|ending| ending.winner);
    let standing =
        |side: Side| Standing::new(g.seat(side), g.vps[side.index()]).of(side.name()).with("units lost", lost(g, side));
    let seats = Side::ALL.map(|side| (winner.is_some_and(|winner| winner != side), standing(side)));
    let level = ending.filter(|_| winner.is_some()).and_then(|ending| ending.level);
    let why = ending.map_or("".into(), |ending| ending.why.clone());
    Outcome::ranked(Counted::more("VPs"), seats, why).at_level(level)
}

/// Returns the number of units that a side has lost; a battle scenario counts its own (10.7.1).
fn lost(g: &State, side: Side) -> i64 {
    let board = g.fight.as_ref().filter(|fight| fight.area.is_none());
    (g.lost[side.index()] + board.map_or(0, |fight| fight.lost[side.index()])).into()
}

/// The figures of a balance report.
pub const FIGURES: [Figure; 13] = [
    figure("turns", "game turns"),
    figure("rounds", "rounds of a battle scenario"),
    figure("commitment", "Commitment at the end"),
    figure("british_entered", "the British intervened"),
    figure("at_war", "nations at war at the end"),
    figure("surrendered", "nations that surrendered"),
    figure("forts_destroyed", "forts destroyed"),
    figure("vps_us", "VPs of the US"),
    figure("vps_na", "VPs of the nations"),
    figure("lost_us", "units of the US lost"),
    figure("lost_na", "units of the nations lost"),
    figure("villages", "villages"),
    figure("settled", "areas of Ohio with settlers or a village"),
];

const fn figure(name: &'static str, title: &'static str) -> Figure {
    Figure { name, title, history: None }
}

/// Returns the statistics of a finished game.
pub fn figures(g: &State) -> Vec<(&'static str, i64)> {
    let ohio = |a: &AreaId| g.c[*a].state == Province::Ohio && (g.people(*a) > 0 || g.land(*a).village);
    vec![
        ("turns", g.turn.into()),
        ("rounds", g.fight.as_ref().map_or(0, |fight| fight.round.into())),
        ("commitment", g.commitment.into()),
        ("british_entered", g.british.into()),
        ("at_war", g.at_war() as i64),
        ("surrendered", g.surrendered() as i64),
        ("forts_destroyed", g.forts_destroyed.into()),
        ("vps_us", g.vps[0].into()),
        ("vps_na", g.vps[1].into()),
        ("lost_us", lost(g, Side::Us)),
        ("lost_na", lost(g, Side::Na)),
        ("villages", g.land.iter().filter(|land| land.village).count() as i64),
        ("settled", g.c.area_ids().filter(ohio).count() as i64),
    ]
}
