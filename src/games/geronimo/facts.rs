//! The values that conditions of standing orders can compare.

use super::{
    State,
    components::AreaId,
    naming,
    ratings::{Force, Troops},
    statehood::counted_points,
};
use postrider_standing::{Fact, FactKind, Measure};
use postrider_table::{LEADS, SCORES, Seat, VPS};

const STRENGTH: Measure = Measure::Number(0, 999);
const BUILDING: &[&str] = &["settlement", "railroad"];

/// All facts.
pub static FACTS: &[FactKind] = &[
    FactKind::new("turn", Measure::Number(1, 8), &[], "the Turn"),
    FactKind::new("round", Measure::Number(0, 99), &[], "the Round of the Card Play Phase, 0 outside it"),
    FactKind::new(VPS, SCORES, &[], "your VPs").or(&["victory points", "my vps"]),
    FactKind::new("lead", LEADS, &[], "your VPs less those of the best of the others"),
    FactKind::new(
        "area",
        Measure::Name("Area"),
        &["settlement", "railroad", "evasion", "pursuit", "ambush", "reaction", "post-action"],
        "where it happens, or where this answer builds",
    )
    .or(&["in"]),
    FactKind::new("points", STRENGTH, BUILDING, "Resource Points that count for Statehood there (10.21)"),
    FactKind::new("lacking", Measure::Number(-999, 999), BUILDING, "points that this Area lacks for Statehood (10.2)"),
    FactKind::new("settlements", STRENGTH, BUILDING, "Settlements there"),
    FactKind::new("towns", STRENGTH, BUILDING, "Towns there"),
    FactKind::new("railroads", STRENGTH, BUILDING, "RR markers there, Broke ones too").or(&["rrs"]),
    FactKind::new("state", Measure::YesNo, BUILDING, "the Area is a State").or(&["a state"]),
    FactKind::new("villages near", STRENGTH, BUILDING, "Villages in this Area and next to it"),
    FactKind::new(
        "chance",
        Measure::Percent,
        &["evasion", "pursuit", "ambush", "reaction"],
        "that the DR of this answer works (of several Columns one at least)",
    ),
    FactKind::new(
        "outnumbered",
        Measure::Ratio,
        &["evasion", "pursuit", "ambush", "reaction"],
        "BPs of the others against your own there",
    ),
    FactKind::new(
        "outnumbering",
        Measure::Ratio,
        &["evasion", "pursuit", "ambush", "reaction"],
        "your BPs there against those of the others",
    ),
    FactKind::new("bps", STRENGTH, &["evasion", "pursuit", "ambush", "reaction", "post-action"], "your BPs there")
        .of(&["village", "column"]),
    FactKind::new("enemy bps", STRENGTH, &["evasion", "pursuit", "ambush", "reaction"], "BPs of the others there"),
    FactKind::new("caught", Measure::Percent, &["evasion"], "that a pursuit catches you (7.53)"),
    FactKind::new("waiting", Measure::YesNo, &["evasion"], "more Columns are still to join the attack (5.721)"),
    FactKind::new(
        "village",
        Measure::Name("Village"),
        &["evasion", "pursuit", "ambush", "reaction", "desk"],
        "whose people it is about",
    ),
    FactKind::new(
        "column",
        Measure::Name("Column"),
        &["evasion", "pursuit", "ambush", "reaction", "column-loss"],
        "a Column that takes part, or gives",
    ),
    FactKind::new("column bps", STRENGTH, &["column-loss"], "BPs of the Column that gives"),
    FactKind::new("evades", Measure::Percent, &["reaction"], "that the target evades (7.52), 0 where it may not"),
    FactKind::new("moving village", Measure::YesNo, &["reaction"], "the target is a Village, not a War Party"),
    FactKind::new("reactors", STRENGTH, &["post-action"], "Columns that can react to the way home"),
    FactKind::new("danger", Measure::Percent, &["post-action"], "the best chance of one of these Columns to react"),
    FactKind::new("offer", Measure::Number(0, 99), &["desk"], "VPs of the Treaty that this answer accepts or refuses")
        .or(&["for"]),
];

/// Returns the facts that are known at every question.
pub fn everywhere(g: &State, seat: Seat) -> Vec<Fact> {
    let mine = g.tally[seat.index()].vps;
    let best = g.seats().filter(|&other| other != seat).map(|other| g.tally[other.index()].vps).max();
    vec![
        Fact::number("turn", g.turn),
        Fact::number("round", g.round),
        Fact::number(VPS, mine),
        Fact::number("lead", mine - best.unwrap_or(0)),
    ]
}

/// Returns the possible names of a fact.
pub fn names(g: &State, fact: &str) -> Vec<String> {
    match fact {
        "area" => g.area_ids().map(|a| g.c[a].name.clone()).collect(),
        "village" => g.village_ids().map(|v| g.c[v].name.clone()).collect(),
        "column" => naming::commanders_of_game(g),
        _ => Vec::new(),
    }
}

/// Returns the number of die results, out of ten, that are at most `needed` (2.4).
pub fn dr(needed: i32) -> i64 {
    i64::from((needed + 1).clamp(0, 10))
}

/// Returns the facts of an Area in which the US may build.
pub fn site(g: &State, a: AreaId) -> Vec<Fact> {
    let (area, points) = (g.area(a), counted_points(g, a));
    let near = g.village_ids().filter_map(|v| g.area_of(v)).filter(|&b| a == b || g.c.adjacent(a, b)).count();
    vec![
        Fact::is("area", &g.c[a].name),
        Fact::number("points", points.max(0)),
        Fact::number("lacking", g.c[a].statehood - points),
        Fact::number("settlements", area.settlements),
        Fact::number("towns", area.towns),
        Fact::number("railroads", area.all_rrs()),
        Fact::whether("state", area.state),
        Fact::number("villages near", near as i64),
    ]
}

/// Returns the facts of Columns meeting Indians. `us` is `true` if the Columns are the player's own
/// side.
pub fn meeting(g: &State, troops: &Troops, force: &Force, us: bool) -> Vec<Fact> {
    let (columns, indians) = (troops.bps(g), force.bps(g));
    let (mine, theirs) = if us { (columns, indians) } else { (indians, columns) };
    let mut facts = vec![
        Fact::ratio("outnumbered", theirs, mine),
        Fact::ratio("outnumbering", mine, theirs),
        Fact::number("bps", mine),
        Fact::number("enemy bps", theirs),
        Fact::among("village", force.villages(g).into_iter().map(|v| g.c[v].name.clone())),
        Fact::among("column", troops.0.iter().map(|&id| g.column_name(id).to_owned())),
    ];
    facts.extend(force.area(g).map(|a| Fact::is("area", &g.c[a].name)));
    facts
}
