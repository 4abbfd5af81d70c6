//! What a seat may see, and the final ranking. Everything but hands and the order of decks lies open.

use super::{
    Plains,
    components::{CardId, Faction, Spot},
    control::Holding,
    events::card_line,
    state::{Cubes, State},
};
use crate::table::{Below, Masked, Seat};
use serde_json::{Map, Value, json};

/// What a seat, or with `None` a spectator, may see.
pub fn view(g: &State, seat: Option<Seat>) -> Value {
    let mut view = public(g);
    if let Some(seat) = seat {
        let hands = g.variant.factions_of(seat).filter(|f| Faction::CARDED.contains(f)).map(|f| hand(g, f));
        view["you"] = json!({ "seat": seat.to_string(), "hands": hands.collect::<Vec<_>>() });
    }
    view
}

fn hand(g: &State, faction: Faction) -> Value {
    let cards = g.deck(faction).hand.iter().map(
        |held| json!({ "card": g.c[held.card].name, "type": card_type(g, held.card), "text": card_line(g, held.card) }),
    );
    json!({ "faction": faction.name(), "cards": cards.collect::<Vec<_>>() })
}

fn card_type(g: &State, card: CardId) -> &'static str {
    if g.c[card].is_movement() { g.c[card].deck.card_type() } else { "Event" }
}

fn counts(cubes: &Cubes) -> Value {
    Value::Object(cubes.each().map(|(f, n)| (f.colour().to_owned(), n.into())).collect::<Map<_, _>>())
}

fn public(g: &State) -> Value {
    let seats = g.seats().map(|seat| {
        let factions: Vec<&str> = g.variant.factions_of(seat).map(Faction::name).collect();
        with_points(g, seat, json!({ "part": g.part(seat), "factions": factions }))
    });
    let decks = Faction::CARDED.into_iter().map(|f| {
        let deck = g.deck(f);
        let mut row = json!({
            "faction": f.name(),
            "hand": deck.hand.len(),
            "left": deck.order.len() - deck.drawn,
            "played": deck.discards.iter().map(|&k| g.c[k].name.as_str()).collect::<Vec<_>>(),
        });
        if deck.enduring.is_some() {
            row["enduring"] = deck.discards.last().map_or(Value::Null, |&k| g.c[k].name.as_str().into());
        }
        row
    });
    let map = g.c.region_ids().map(|r| {
        let region = &g.c[r];
        let mut row = json!({
            "id": region.id,
            "name": region.name,
            "kind": region.kind.name(),
            "cubes": counts(g.region(r)),
            "holding": match g.holding(r) {
                Holding::Indians => "Indians",
                // Purple cubes alone deny a region and control nothing (4.6).
                Holding::Us if g.region(r)[Faction::Enemies] == g.region(r).us() && g.region(r).us() > 0 => "Enemies",
                Holding::Us => "US",
                Holding::Contested => "contested",
                Holding::Nobody => "nobody",
            },
        });
        if let Some(seat) = g.controller(r) {
            row["scores"] = seat.to_string().into();
        }
        row
    });
    let beside = Spot::BESIDE.iter().map(|&(spot, _, name)| json!({ "name": name, "cubes": counts(g.cubes(spot)) }));
    let boxes = Faction::ALL.into_iter().take(6).map(
        |f| json!({ "faction": f.name(), "colour": f.cubes(), "ready": g.ready[f], "casualties": g.casualties[f] }),
    );
    let space = |i: Option<usize>| i.and_then(|i| g.c.rail.get(i)).map_or("-", |s| s.space.as_str());
    json!({
        "turn": g.turn,
        "drawn": g.drawn.iter().map(|f| f.name()).collect::<Vec<_>>(),
        "bag": g.bag.iter().map(|f| f.name()).collect::<Vec<_>>(),
        "seats": seats.collect::<Vec<_>>(),
        "decks": decks.collect::<Vec<_>>(),
        "map": map.collect::<Vec<_>>(),
        "beside": beside.collect::<Vec<_>>(),
        "boxes": boxes.collect::<Vec<_>>(),
        "railroad": {
            "east": g.east,
            "west": g.west,
            "spaces": g.c.rail.len(),
            "left": g.c.rail.len() - g.east - g.west,
            "union_pacific": space(g.east.checked_sub(1)),
            "central_pacific": space(if g.west > 0 { Some(g.c.rail.len() - g.west) } else { None }),
        },
        "wagons": { "north": g.arrived[0], "south": g.arrived[1], "destroyed": g.destroyed },
        "ending": g.ending,
        "finished": g.finished,
    })
}

/// A row on a seat, with what its points are made of.
fn with_points(g: &State, seat: Seat, mut row: Value) -> Value {
    let score = g.score(seat);
    let points = json!({
        "seat": seat.to_string(),
        "vps": score.total(),
        "plains": score.plains,
        "purple": score.purple,
        "wagons": score.wagons,
        "battles": score.battles,
        "railroad": score.railroad,
    });
    if let (Value::Object(row), Value::Object(points)) = (&mut row, points) {
        row.extend(points);
    }
    row
}

/// The final ranking (14.1), what each player's points are made of, and how the Plains ended up.
pub fn outcome(g: &State) -> Value {
    let ranking = g.ranking().into_iter().zip(1..).map(|(seat, rank)| {
        let side = if g.variant.is_indian(seat) { "Indians" } else { "US" };
        with_points(g, seat, json!({ "rank": rank, "side": side }))
    });
    json!({
        "ranking": ranking.collect::<Vec<_>>(),
        "turns": g.turn,
        "railroad_joined": g.joined(),
        "railroad_spaces": g.east + g.west,
        "wagons_arrived": g.arrived[0] + g.arrived[1],
        "wagons_destroyed": g.destroyed,
    })
}

/// How a game has ended, for the last letter: the outcome with what everybody played.
pub fn ending(g: &State) -> Value {
    let mut ending = outcome(g);
    for row in ending["ranking"].as_array_mut().into_iter().flatten() {
        let part = g.seats().find(|seat| row["seat"] == seat.to_string()).map(|seat| g.part(seat));
        row["part"] = part.into();
    }
    ending["spaces"] = g.c.rail.len().into();
    ending
}

impl Masked for Plains {
    fn masked(g: &State, seat: Option<Seat>, below: &mut Below<'_>) -> State {
        shuffle_hidden(g, seat, below)
    }
}

/// Another position that differs only in what is hidden from this seat: cards in other hands and the order of the decks.
/// `below(n)` gives a number from 0 to n - 1.
pub fn shuffle_hidden(g: &State, seat: Option<Seat>, below: &mut dyn FnMut(u32) -> u32) -> State {
    let mut other = g.clone();
    for faction in Faction::CARDED {
        let own = seat == Some(g.owner(faction));
        let deck = other.deck_mut(faction);
        let mut pool: Vec<CardId> = deck.order[deck.drawn..].to_vec();
        if !own {
            pool.extend(deck.hand.iter().map(|held| held.card));
        }
        // Custer is never in a hand (9.2.2): among the undealt cards he may be anywhere.
        let custer = |card: &CardId| g.c[*card].event == Some(super::components::Event::Custer);
        // What is made up must not hang on what is true.
        pool.sort();
        let hidden = pool.len();
        for i in (1..hidden).rev() {
            pool.swap(i, below(i as u32 + 1) as usize);
        }
        if !own {
            let held = deck.hand.len();
            if let Some(at) = pool[hidden - held..].iter().position(custer)
                && hidden > held
            {
                pool.swap(hidden - held + at, 0);
            }
            let hands = pool.split_off(hidden - held);
            for (held, card) in deck.hand.iter_mut().zip(hands) {
                held.card = card;
                deck.order[held.pos] = card;
            }
        }
        deck.order.truncate(deck.drawn);
        deck.order.extend(pool);
    }
    other
}
