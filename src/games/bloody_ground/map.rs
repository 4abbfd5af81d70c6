//! The drawing of the map, with the pieces of a view.

use super::{
    board_map,
    components::{AreaId, Components, Kit as _},
};
use postrider_orders::counted;
use postrider_table::map::{
    GameMap, Piece, Place, Scene, Shapes,
    read::{pairs, text},
};
use serde_json::Value;

/// The map: areas, rivers, towns and the surrounding land (3.0).
pub static MAP: GameMap =
    GameMap::or(|| Shapes::built_in(include_str!("shapes.json")), adjacent, scene, board_map::of_view);

/// Returns the pairs of areas that are adjacent by the rules, including across the Ohio (9.4.4).
fn adjacent(components: &str) -> Option<Vec<[String; 2]>> {
    let c = Components::of(components).ok()?;
    // The battle boards are drawn from the built-in file.
    if c.boards.iter().zip(&Components::builtin().boards).any(|(a, b)| !board_map::alike(a, b)) {
        return None;
    }
    let beside = |area: AreaId| c[area].adjacent.iter().chain(&c[area].across).map(|&other| c[other].id.as_str());
    Some(pairs(c.area_ids().map(|area| (c[area].id.as_str(), beside(area)))))
}

/// Returns the places and pieces in a view.
fn scene(view: &Value) -> Scene {
    let areas = view["areas"].as_array().into_iter().flatten();
    let places = areas.map(|row| Place {
        at: text(row, "id").to_owned(),
        says: text(row, "terrain").to_lowercase(),
        pieces: pieces(row),
    });
    let turn = view["turn"].as_u64().unwrap_or(0);
    let moment = format!("Turn {turn}, {} {}", text(view, "season"), view["year"].as_u64().unwrap_or(0));
    Scene { moment, places: places.collect(), ..Scene::default() }
}

/// Returns the pieces in an area.
fn pieces(row: &Value) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let number = |name: &str| row[name].as_u64().unwrap_or(0);
    if number("settlers") > 0 {
        let n = number("settlers");
        pieces.push(Piece::new("settler", "", format!("{n}S"), counted(n, "settler")));
    }
    if row["village"] == true {
        pieces.push(Piece::new("village", "", "Vi", "a village"));
    }
    if row["fort"].is_object() {
        let (us, siege) = (text(&row["fort"], "side") == "us", row["fort"]["siege"] == true);
        let (kind, letters) = if us { ("fort", "F") } else { ("british_fort", "BF") };
        let x = if siege { "x" } else { "" };
        let words = format!("a{} fort{}", if us { "" } else { " British" }, if siege { " under siege" } else { "" });
        pieces.push(Piece::new(kind, "", format!("{letters}{x}"), words));
    }
    let list = |name: &str| row[name].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
    for counted in ["us", "na"].into_iter().flat_map(list) {
        let (n, what) = counted.split_once(' ').unwrap_or(("", counted));
        let (kind, letters) = unit(what);
        pieces.push(Piece::new(kind, what, format!("{n}{letters}"), format!("{n} {}", what.replace('-', " "))));
    }
    for (side, kind) in [("us_leaders", "us_leader"), ("na_leaders", "leader")] {
        for name in list(side) {
            let long = Piece { long: name.to_owned(), ..Piece::new(kind, name, brief(name), name) };
            pieces.push(long);
        }
    }
    for (member, letters, words) in [("pillaged", "Pi", "pillaged"), ("raid", "Ra", "a raid")] {
        if row[member] == true {
            pieces.push(Piece::new("marker", member, letters, words));
        }
    }
    let atrocities: u64 = row["atrocities"].as_array().into_iter().flatten().filter_map(Value::as_u64).sum();
    if atrocities > 0 {
        pieces.push(Piece::new(
            "marker",
            "atrocities",
            format!("{atrocities}At"),
            match atrocities {
                1 => "1 Atrocity".to_owned(),
                n => format!("{n} Atrocities"),
            },
        ));
    }
    pieces
}

/// Returns the kind and abbreviation of a unit: for militia and warriors the first two letters of
/// their state or nation.
pub(super) fn unit(id: &str) -> (&'static str, String) {
    let two = |word: &str| {
        word.chars()
            .take(2)
            .enumerate()
            .map(|(at, c)| if at == 0 { c.to_ascii_uppercase() } else { c })
            .collect::<String>()
    };
    match id {
        "regular" => ("us", "Rg".to_owned()),
        "british-regular" | "canadian-militia" => ("british", two(id)),
        "kentucky-militia" => ("us", "Ky".to_owned()),
        _ if id.ends_with("-militia") => ("us", two(id)),
        // `Mi` would be ambiguous with Miami.
        "Mingo" => ("warrior", "Mg".to_owned()),
        _ => ("warrior", two(id)),
    }
}

/// Returns a short form of a leader's name: four letters, or two of each of two words.
pub(super) fn brief(name: &str) -> String {
    let some = |word: &str, n: usize| word.chars().filter(|c| c.is_alphanumeric()).take(n).collect::<String>();
    match name.split_whitespace().collect::<Vec<_>>().as_slice() {
        [one] => some(one, 4),
        [first, second, ..] => some(first, 2) + &some(second, 2),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn areas_share_a_border_where_the_rules_call_them_adjacent() {
        let (shapes, c) = (&MAP.shapes, Components::builtin());
        assert_eq!(shapes.faults(), Vec::<String>::new());
        assert_eq!(adjacent(Components::FILE).expect("the built-in file"), shapes.adjacent());
        let names: BTreeSet<_> = shapes.areas.iter().map(|area| (area.id.as_str(), area.name.as_str())).collect();
        assert_eq!(names, c.area_ids().map(|a| (c[a].id.as_str(), c[a].name.as_str())).collect());
    }

    #[test]
    fn units_are_told_apart_by_their_letters() {
        let c = Components::builtin();
        let letters: Vec<_> = c.kind_ids().map(|kind| unit(&c[kind].id)).collect();
        assert_eq!(letters.iter().collect::<BTreeSet<_>>().len(), letters.len(), "{letters:?}");
    }
}
