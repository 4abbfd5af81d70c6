//! The map of Geronimo!: its drawing, and the pieces on it according to a view.

use super::components::{Components, Kit as _};
use postrider_orders::counted;
use postrider_table::map::{
    GameMap, Piece, Place, Scene, Shapes,
    read::{number, pairs, rows, text},
};
use serde_json::Value;

/// The map: Areas and the land around them (2.1).
pub static MAP: GameMap = GameMap::new(|| Shapes::built_in(include_str!("shapes.json")), adjacent, scene);

/// Returns the pairs of Areas that are adjacent by the rules.
fn adjacent(components: &str) -> Option<Vec<[String; 2]>> {
    let c = Components::of(components).ok()?;
    Some(pairs(
        c.areas.iter().map(|area| (area.code.as_str(), area.adjacent.iter().map(|&other| c[other].code.as_str()))),
    ))
}

/// Returns the scene of a view: all pieces and their places.
fn scene(view: &Value) -> Scene {
    let (turn, round) = (number(view, "turn"), number(view, "round"));
    let years = Some(text(view, "years")).filter(|years| !years.is_empty());
    let mut moment = format!("Turn {turn}{}", years.map(|years| format!(" ({years})")).unwrap_or_default());
    moment += &match round {
        0 => format!(", {}", text(view, "phase")),
        round => format!(", Round {round} of {}", number(view, "rounds")),
    };
    let mut places: Vec<Place> = rows(view, "areas").map(|area| place(view, area)).collect();
    for (abroad, id) in [("mexico", "MEXICO"), ("canada", "CANADA")] {
        let there = rows(view, "villages").filter(|village| text(village, "place") == abroad);
        places.push(Place { at: id.to_owned(), says: String::new(), pieces: there.map(village).collect() });
    }
    Scene { moment: if turn == 0 { String::new() } else { moment }, places, built: Default::default() }
}

/// Returns an Area with its points, its pieces, and what can be attacked there.
fn place(view: &Value, area: &Value) -> Place {
    let name = text(area, "name");
    let here = |list: &str| rows(view, list).filter(|row| text(row, "area") == name).collect::<Vec<_>>();
    let mut pieces = vec![points(area)];
    pieces.extend(here("villages").into_iter().map(village));
    pieces.extend(here("parties").into_iter().map(party));
    pieces.extend(here("columns").into_iter().map(column));
    pieces.extend(resources(area));
    Place { at: text(area, "code").to_owned(), says: String::new(), pieces }
}

/// Returns the Resource Points and Statehood Level of an Area (2.12).
fn points(area: &Value) -> Piece {
    let (points, level) = (number(area, "points"), number(area, "level"));
    let state = area["state"] == true;
    let words = format!("{}{points} of {level} Resource Points", if state { "State, " } else { "" });
    Piece::new(if state { "state" } else { "points" }, "", format!("{points}/{level}"), words)
}

/// Returns a name of at most four characters by which a piece can be recognised:
/// `Northern Cheyenne` is NChe, `Teton Sioux 2` is Tet2.
fn brief(name: &str) -> String {
    let some = |word: &str, n: usize| word.chars().filter(|c| c.is_alphanumeric()).take(n).collect::<String>();
    let words: Vec<&str> = name.split_whitespace().collect();
    match words.as_slice() {
        [first @ ("Northern" | "Southern" | "Eastern" | "Western"), second, ..] => some(first, 1) + &some(second, 3),
        [first, .., last] if last.chars().all(|c| c.is_ascii_digit()) => some(first, 3) + last,
        [first, ..] => some(first, 4),
        [] => String::new(),
    }
}

fn force(kind: &str, what: &str, name: &str, bps: i64) -> Piece {
    Piece {
        kind: kind.to_owned(),
        name: name.to_owned(),
        text: format!("{} {bps}", brief(name)),
        long: format!("{name} {bps}"),
        words: format!("{what} {name} with {}", counted(bps, "BP")),
    }
}

fn village(row: &Value) -> Piece {
    force("village", "Village", text(row, "name"), number(row, "bps"))
}

fn party(row: &Value) -> Piece {
    let name = match text(row, "name") {
        "" => text(row, "village"),
        name => name,
    };
    force("party", "War Party", name, number(row, "bps"))
}

fn column(row: &Value) -> Piece {
    let (kind, what) = if row["fort"] == true { ("fort", "Column In Fort,") } else { ("column", "Column On Patrol,") };
    let name = Some(text(row, "name")).filter(|name| !name.is_empty());
    let mut piece = force(kind, what, name.unwrap_or("no Commander"), number(row, "bps"));
    if name.is_none() {
        piece.text = format!("- {}", number(row, "bps"));
    }
    piece
}

/// Returns Resources and markers (2.2).
fn resources(area: &Value) -> Vec<Piece> {
    let counted = |kind: &str, member: &str, letters: &str, one: &str, many: &str| {
        let n = number(area, member);
        let words = format!("{n} {}", if n == 1 { one } else { many });
        (n > 0).then(|| Piece::new(kind, member, format!("{n}{letters}"), words))
    };
    let mut pieces: Vec<Piece> = [
        counted("town", "towns", "T", "Town", "Towns"),
        counted("settlement", "settlements", "S", "Settlement", "Settlements"),
        counted("railroad", "rrs", "R", "RR", "RRs"),
        counted("broke", "broke", "Br", "Broke RR", "Broke RRs"),
    ]
    .into_iter()
    .flatten()
    .collect();
    pieces.extend(mines(area));
    let marker = |on: bool, letters: &str, words: &str| on.then(|| Piece::new("marker", words, letters, words));
    let weather = text(area, "weather");
    let markers = [
        marker(area["mission"] == true, "Mi", "Mission"),
        marker(weather == "good", "+W", "Good Weather"),
        marker(weather == "bad", "-W", "Bad Weather"),
        counted("marker", "massacres", "Ma", "Massacre", "Massacres"),
        counted("marker", "skulls", "Sk", "Buffalo Skull", "Buffalo Skulls"),
        marker(area["buffalo_campaign"] == true, "BH", "Buffalo Hunter Campaign"),
        marker(area["lines_cut"] == true, "LC", "Lines Cut"),
        marker(area["sand_creek"] == true, "SC", "Sand Creek"),
    ];
    pieces.extend(markers.into_iter().flatten());
    pieces
}

/// Returns Mines and Lodes, grouped by value and whether they are Hit.
fn mines(area: &Value) -> Vec<Piece> {
    let mut pieces: Vec<(Piece, i64)> = Vec::new();
    for mine in rows(area, "mines") {
        let (value, hit) = (number(mine, "value"), mine["hit"] == true);
        let what = if mine["lode"] == true { "Lode" } else { "Mine" };
        let name = format!("{what} {value}{}", if hit { " Hit" } else { "" });
        if let Some((_, n)) = pieces.iter_mut().find(|(piece, _)| piece.name == name) {
            *n += 1;
            continue;
        }
        let letters = format!("{}{value}{}", &what[..1], if hit { "x" } else { "" });
        let piece = Piece { kind: "mine".to_owned(), name, text: letters, ..Piece::default() };
        pieces.push((piece, 1));
    }
    let counted = |(piece, n): (Piece, i64)| {
        let text = if n > 1 { format!("{n}{}", piece.text) } else { piece.text.clone() };
        let words = if n > 1 { format!("{n} of {}", piece.name) } else { piece.name.clone() };
        Piece { long: text.clone(), text, words, ..piece }
    };
    pieces.into_iter().map(counted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Terrain;
    use std::collections::BTreeSet;

    /// geronimo 2.1, 5.241
    #[test]
    fn areas_share_a_border_where_the_rules_call_them_adjacent() {
        let (shapes, c) = (&MAP.shapes, Components::builtin());
        assert_eq!(shapes.faults(), Vec::<String>::new());
        assert_eq!(adjacent(Components::FILE).expect("the built-in file"), shapes.adjacent());
        // Areas that meet at a corner share no line.
        let corners = shapes.corners.iter().flat_map(|corner| &corner.pairs);
        assert!(corners.into_iter().all(|[a, b]| {
            !shapes.borders().iter().any(|pair| pair.contains(&a.as_str()) && pair.contains(&b.as_str()))
        }));
        let names: BTreeSet<_> = shapes.areas.iter().map(|area| (area.id.as_str(), area.name.as_str())).collect();
        assert_eq!(names, c.area_ids().map(|a| (c[a].code.as_str(), c[a].name.as_str())).collect());
    }

    /// geronimo 2.12
    #[test]
    fn an_area_shows_its_points_its_level_and_if_it_is_a_state() {
        let shown = |state: bool| points(&serde_json::json!({ "points": 7, "level": 9, "state": state }));
        assert_eq!(shown(false), Piece::new("points", "", "7/9", "7 of 9 Resource Points"));
        assert_eq!(shown(true), Piece::new("state", "", "7/9", "State, 7 of 9 Resource Points"));
    }

    /// geronimo 2.11
    #[test]
    fn areas_lie_at_the_edges_that_the_components_name() {
        let (shapes, c) = (&MAP.shapes, Components::builtin());
        let borders = shapes.borders();
        for a in c.area_ids() {
            let beside = |id: &str| borders.iter().any(|pair| pair.contains(&id) && pair.contains(&c[a].code.as_str()));
            let drawn = ["CANADA", "MEXICO", "PACIFIC", "EAST"].map(beside);
            assert_eq!(drawn, [c[a].canada, c[a].mexico, c[a].west_edge, c[a].east_edge], "{}", c[a].name);
            let role = &shapes.face(&c[a].code).expect("it is drawn").role;
            assert_eq!(role == "mountain", c[a].terrain == Terrain::Mountain);
        }
    }

    #[test]
    fn short_names_tell_villages_and_commanders_apart() {
        let c = Components::builtin();
        let villages: Vec<String> = c.village_ids().map(|v| brief(&c[v].name)).collect();
        assert_eq!(villages.iter().collect::<BTreeSet<_>>().len(), villages.len(), "{villages:?}");
        let commanders: Vec<String> = c.commander_ids().map(|m| brief(&c[m].surname)).collect();
        assert_eq!(commanders.iter().collect::<BTreeSet<_>>().len(), commanders.len(), "{commanders:?}");
    }
}
