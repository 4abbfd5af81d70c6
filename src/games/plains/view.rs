//! The view of a seat, and the result of the game. Everything is public except hands and the order
//! of decks.

use super::{
    components::{Faction, Spot},
    control::Holding,
    events::card_line,
    state::{Cubes, State},
};
use postrider_table::{Counted, Outcome, Seat, Standing, joined, rows};
use serde_json::{Map, Value, json};

/// Returns the view of a seat, or of a spectator for `None`.
pub fn view(g: &State, seat: Option<Seat>) -> Value {
    let mut view = public(g);
    if let Some(seat) = seat {
        let carded = g.variant.factions_of(seat).filter(|faction| Faction::CARDED.contains(faction));
        view["you"] = json!({ "seat": seat.to_string(), "hands": rows(carded.map(|faction| hand(g, faction))) });
    }
    view
}

fn hand(g: &State, faction: Faction) -> Value {
    let cards = g.hand(faction).map(|card| {
        let kind = if g.c[card].is_movement() { faction.card_type() } else { "Event" };
        json!({ "card": g.c[card].name, "type": kind, "text": card_line(&g.c, card) })
    });
    json!({ "faction": faction.name(), "cards": rows(cards) })
}

fn counts(cubes: &Cubes) -> Value {
    cubes.each().map(|(f, n)| (f.word().to_owned(), n.into())).collect::<Map<_, _>>().into()
}

fn public(g: &State) -> Value {
    let seats = g.seats().map(|seat| {
        let factions = rows(g.variant.factions_of(seat).map(Faction::name));
        with_points(g, seat, json!({ "part": g.part(seat), "factions": factions }))
    });
    let decks = Faction::CARDED.into_iter().map(|faction| {
        let deck = g.deck(faction);
        let played: Vec<&str> = deck.discards.iter().map(|&card| &*g.c[card].name).collect();
        let mut row = json!({ "faction": faction.name(), "hand": deck.held(), "left": deck.left(), "played": played });
        if g.enduring(faction).is_some() {
            row["enduring"] = played.last().copied().into();
        }
        row
    });
    let map = g.c.region_ids().map(|r| {
        let (region, cubes) = (&g.c[r], g.region(r));
        let holding = match g.holding(r) {
            // Purple cubes alone deny a region but control nothing (4.6).
            Holding::Us if cubes[Faction::Enemies] == cubes.us() && cubes.us() > 0 => Faction::Enemies.name(),
            holding => holding.name(),
        };
        let mut row = json!({ "id": region.id, "name": region.name, "kind": region.kind.name(), "holding": holding });
        row["cubes"] = counts(cubes);
        if let Some(seat) = g.controller(r) {
            row["scores"] = seat.to_string().into();
        }
        row
    });
    let beside = Spot::BESIDE.iter().map(|&(spot, _, name)| json!({ "name": name, "cubes": counts(g.cubes(spot)) }));
    let boxes = Faction::ALL.into_iter().take(6).map(
        |f| json!({ "faction": f.name(), "colour": f.cubes(), "ready": g.ready[f], "casualties": g.casualties[f] }),
    );
    let spaces = g.c.rail.len();
    let space = |at: Option<usize>| at.and_then(|at| g.c.rail.get(at)).map_or("-", |space| &*space.space);
    json!({
        "turn": g.turn,
        "drawn": rows(g.drawn.iter().map(|f| f.name())),
        "bag": rows(g.bag.iter().map(|f| f.name())),
        "seats": rows(seats),
        "sides": g.sides(),
        "decks": rows(decks),
        "map": rows(map),
        "beside": rows(beside),
        "boxes": rows(boxes),
        "railroad": {
            "east": g.east,
            "west": g.west,
            "spaces": spaces,
            "left": spaces - g.east - g.west,
            "union_pacific": space(g.east.checked_sub(1)),
            "central_pacific": space(Some(spaces - g.west)),
        },
        "wagons": { "north": g.arrived[0], "south": g.arrived[1], "destroyed": g.destroyed },
        "ending": g.ending(),
        "finished": g.finished,
    })
}

/// Adds a seat's points, and their sources, to a row.
fn with_points(g: &State, seat: Seat, row: Value) -> Value {
    let score = g.score(seat);
    joined(joined(row, json!({ "seat": seat.to_string(), "vps": score.total() })), json!(score))
}

/// Returns the names that the story uses for the pieces of a seat.
pub fn pieces(g: &State, seat: Seat) -> Vec<String> {
    let own = g.variant.factions_of(seat);
    own.flat_map(|faction| [faction.name().to_owned(), faction.word().to_owned()]).collect()
}

/// Returns the result of the game (14.1, 15.4.1), with the sources of each player's points.
pub fn outcome(g: &State) -> Outcome {
    let standing = |seat: Seat| {
        let score = g.score(seat);
        let side = if g.variant.is_indian(seat) { "Indians" } else { "US" };
        let standing = Standing::new(seat, score.total()).of(side).playing(g.part(seat));
        score.parts().into_iter().fold(standing, |standing, (name, vps)| standing.with(name, vps))
    };
    Outcome::ranked(Counted::more("VPs"), g.seats().map(|seat| (g.place(seat), standing(seat))), g.decided_by())
}

/// Returns the values for statistics.
pub fn figures(g: &State) -> Vec<(&'static str, i64)> {
    vec![
        ("turns", g.turn.into()),
        ("railroad_joined", g.joined().into()),
        ("railroad_spaces", (g.east + g.west) as i64),
        ("wagons_arrived", (g.arrived[0] + g.arrived[1]).into()),
        ("wagons_destroyed", g.destroyed.into()),
    ]
}
