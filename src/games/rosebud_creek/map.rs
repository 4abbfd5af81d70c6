//! The map as a drawing, made from the hexes of the component file, with the pieces of a view.

use super::components::{Charts, Components, Crossing, Ground, Kit as _};
use postrider_table::{
    hex::{Hex, Side},
    map::{
        Arc, Aside, Board, Face, Figure, GameMap, Piece, PieceKind, Place, River, Role, Scene, Shapes, Town,
        read::{number, rows, text},
    },
};
use serde_json::Value;
use std::sync::LazyLock;

/// The map (2).
pub static MAP: GameMap = GameMap::wide(shapes, same_map, scene, lines, part);

/// Distance from the middle of a hex to its left and right corners (`SIDE`), and to its upper and
/// lower sides (`HALF`), in units of the drawing.
const SIDE: i32 = 40;
const HALF: i32 = 35;
/// Margin around the map.
const EDGE: i32 = 14;
/// Minimum columns and rows of the part of the map in a letter. `MOST` is the maximum, at which a
/// hex is still readable on a phone.
const LEAST: [i32; 2] = [9, 7];
const MOST: [i32; 2] = [15, 11];
/// Label of Breastworks.
const WORKS: &str = "Bw";
/// Colours of the levels, lowest first; woods, rocks and marsh tint them.
const LEVELS: [[i32; 3]; 5] = [[244, 238, 214], [235, 222, 184], [222, 203, 156], [205, 180, 128], [192, 164, 114]];

/// The charts of the built-in file, which a test checks.
static CHARTS: LazyLock<Charts> = LazyLock::new(|| {
    Charts::of(Components::builtin()).unwrap_or_else(|(table, ..)| unreachable!("{table} was checked"))
});

fn board(charts: &Charts) -> Board<'_> {
    Board { grid: &charts.grid, side: SIDE, half: HALF, edge: EDGE }
}

/// Returns an empty list of extra adjacencies if these components have the map that is drawn, or
/// else `None`.
fn same_map(components: &str) -> Option<Vec<[String; 2]>> {
    let theirs = Charts::of(&*Components::of(components).ok()?).ok()?;
    let drawn = &*CHARTS;
    let of = |charts: &Charts| {
        (charts.grid.clone(), charts.level.clone(), charts.ground.clone(), charts.crossing.clone(), charts.objectives)
    };
    (of(&theirs) == of(drawn)).then(Vec::new)
}

/// Returns the drawing role of a hex by level and terrain.
fn role(level: i32, ground: Ground) -> Role {
    let colour = LEVELS[usize::try_from(level - 1).unwrap_or(0).min(LEVELS.len() - 1)];
    let tint = |[r, g, b]: [i32; 3]| match ground {
        Ground::Clear => [r, g, b],
        Ground::Woods => [r - 62, g - 20, b - 58],
        Ground::Rocks => [r - 28, g - 28, b - 8],
        Ground::Marsh => [r - 60, g - 20, b + 6],
    };
    let [r, g, b] = tint(colour).map(|part| part.clamp(0, 255));
    let id = marks(level, ground);
    Role { name: format!("level {level}, {}", ground.name()), fill: format!("#{r:02x}{g:02x}{b:02x}"), id }
}

/// Returns the label of a hex: `3w` is level 3, Light Woods.
fn marks(level: i32, ground: Ground) -> String {
    let ground = if ground == Ground::Clear { "" } else { ground.word() };
    format!("{level}{ground}")
}

fn face(charts: &Charts, hex: Hex) -> Face {
    let ([x, y], id) = (board(charts).middle(hex), charts.grid.id(hex));
    let ground = marks(charts.level[hex], charts.ground[hex]);
    Face {
        name: id.clone(),
        abbr: id.clone(),
        role: ground.clone(),
        ring: Vec::new(),
        corners: board(charts).corners(hex).into(),
        label: Some([x, y - HALF + 10]),
        room: SIDE,
        rect: Some([x - 25, y - HALF + 18, 50, 34]),
        aside: Some(Aside { at: [x, y + HALF - 8], lines: vec![ground] }),
        id,
    }
}

/// Returns the kinds of pieces; those printed on the map come last.
fn kinds(charts: &Charts) -> Vec<PieceKind> {
    let kind = |id: &str, name: &str, figure, [fill, ink]: [&str; 2], sample: &str| PieceKind {
        id: id.to_owned(),
        name: name.to_owned(),
        figure,
        fill: fill.to_owned(),
        ink: ink.to_owned(),
        sample: sample.to_owned(),
        mark: String::new(),
    };
    let (us, indian, paper) = (["#23508c", "#ffffff"], ["#7a2e1d", "#ffffff"], ["#f4dd7c", "#1c1c1c"]);
    let mut kinds = vec![
        kind("us", "US, Combat Factors; H: holders and trains alone", Figure::Square, us, "12"),
        kind("indian", "Indians", Figure::Round, indian, "9"),
        kind("us_leader", "US Leader, +1: with another", Figure::Star, us, "Cr"),
        kind("leader", "Indian Leader", Figure::Point, indian, "Wo"),
        kind("marker", "Breastworks", Figure::Round, paper, WORKS),
    ];
    let bare = ["", "#1c1c1c"];
    for ground in Ground::ALL.into_iter().filter(|&ground| ground != Ground::Clear) {
        let level = charts.grid.hexes().find(|&hex| charts.ground[hex] == ground).map_or(1, |hex| charts.level[hex]);
        let name = format!("level {level}, {}", ground.name());
        kinds.push(kind(ground.name(), &name, Figure::Bare, bare, &marks(level, ground)));
    }
    kinds
}

/// Returns the drawing of the map.
fn shapes() -> Shapes {
    let charts = &*CHARTS;
    let drawn = board(charts);
    let mut roles: Vec<Role> = Vec::new();
    for hex in charts.grid.hexes() {
        let role = role(charts.level[hex], charts.ground[hex]);
        if !roles.iter().any(|known| known.id == role.id) {
            roles.push(role);
        }
    }
    let sides = |crossing: Crossing| {
        let of = charts.grid.sides().filter(|&side| charts.crossing[side] == Some(crossing));
        of.map(Side::hexes).collect::<Vec<_>>()
    };
    let river = |crossing: Crossing| River {
        name: crossing.name().to_owned(),
        lines: sides(crossing).into_iter().map(|(a, b)| drawn.hexside(a, b)).collect(),
        wide: crossing == Crossing::Rosebud,
    };
    // Cliffs are thick dark lines, like the border of the map.
    let cliffs = sides(Crossing::Cliff).into_iter();
    let arcs = cliffs.map(|(a, b)| Arc { between: vec![charts.grid.id(a)], points: drawn.hexside(a, b) });
    let towns = Components::builtin().places.iter().filter_map(|place| {
        let hex = charts.grid.hex(&place.hex)?;
        let [x, y] = drawn.middle(hex);
        Some(Town { name: place.name.clone(), area: place.hex.clone(), at: [x + 17, y + HALF - 9] })
    });
    Shapes {
        roles,
        kinds: kinds(charts),
        areas: charts.grid.hexes().map(|hex| face(charts, hex)).collect(),
        rivers: vec![river(Crossing::Dry), river(Crossing::Rosebud)],
        towns: towns.collect(),
        arcs: arcs.collect(),
        ..Shapes::empty(drawn.size())
    }
}

fn piece(kind: &str, name: &str, text: String, words: String) -> Piece {
    Piece { kind: kind.to_owned(), name: name.to_owned(), long: text.clone(), text, words }
}

/// Returns the letters for a Leader: the first two of his name, or the initials of a name of two
/// words, so that Crazy Horse differs from Crook.
fn letters(name: &str) -> String {
    let name = name.split(" with ").next().unwrap_or(name);
    let words: Vec<&str> = name.split(' ').collect();
    match &words[..] {
        [one, other, ..] => [one, other].iter().filter_map(|word| word.chars().next()).collect(),
        _ => name.chars().filter(|c| c.is_alphanumeric()).take(2).collect(),
    }
}

/// Returns the pieces on the map in a view.
fn scene(view: &Value) -> Scene {
    let mut places: Vec<Place> = rows(view, "stacks").map(stack).collect();
    for work in rows(view, "works").filter_map(Value::as_str) {
        let (hex, built) = work.split_once(' ').unwrap_or((work, ""));
        let works = piece("marker", "works", WORKS.to_owned(), format!("Breastworks {built}").trim_end().to_owned());
        match places.iter_mut().find(|place| place.at == hex) {
            Some(place) => place.pieces.push(works),
            None => places.push(Place { at: hex.to_owned(), says: String::new(), pieces: vec![works] }),
        }
    }
    let turn = number(view, "turn");
    let moment = format!("Turn {turn}, {}, {}", text(view, "clock"), text(view, "phase"));
    Scene { moment, places, ..Scene::default() }
}

/// Returns the pieces of a stack: its Combat Factors and its Leaders.
fn stack(row: &Value) -> Place {
    let us = text(row, "side") == "us";
    let list = |name: &str| rows(row, name).filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>();
    let (who, holders) = (list("who"), list("holders"));
    let mut pieces = Vec::new();
    let all: Vec<String> = who.iter().chain(&holders).cloned().collect();
    if !all.is_empty() {
        let cf = number(row, "cf");
        let on = if cf == 0 { "H".to_owned() } else { cf.to_string() };
        pieces.push(piece(if us { "us" } else { "indian" }, "", on, all.join("; ")));
    }
    let leaders = list("leaders");
    if let [first, others @ ..] = leaders.as_slice() {
        let more = if others.is_empty() { String::new() } else { format!("+{}", others.len()) };
        let kind = if us { "us_leader" } else { "leader" };
        pieces.push(piece(kind, "", format!("{}{more}", letters(first)), leaders.join(", ")));
    }
    Place { at: text(row, "hex").to_owned(), says: String::new(), pieces }
}

/// Returns the windows of the map in a view as text, with the pieces.
fn lines(view: &Value) -> Vec<String> {
    let of = |window: &Value| rows(window, "lines").filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>();
    let windows: Vec<Vec<String>> = rows(view, "windows").map(of).collect();
    windows.join(&String::new())
}

/// Returns the part of the map where the sides are closest to each other, or else where the pieces
/// are.
fn part(view: &Value) -> Option<[i32; 4]> {
    let charts = &*CHARTS;
    let of =
        |view: &Value| rows(view, "stacks").filter_map(|row| charts.grid.hex(text(row, "hex"))).collect::<Vec<_>>();
    let near = of(&view["focus"]);
    let hexes = if near.is_empty() { of(view) } else { near };
    board(&CHARTS).around(&hexes, LEAST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ruleset::RULES, testing::*, view};
    use postrider_drawing::Picture;

    /// rosebud-creek 7.B
    #[test]
    fn the_map_is_drawn_as_the_component_file_has_it() {
        let (charts, shapes) = (&*CHARTS, &MAP.shapes);
        assert_eq!(shapes.faults(), Vec::<String>::new());
        assert_eq!(shapes.areas.len(), charts.grid.len());
        for (face, hex) in shapes.areas.iter().zip(charts.grid.hexes()) {
            assert_eq!((&face.id, &face.role), (&charts.grid.id(hex), &marks(charts.level[hex], charts.ground[hex])));
            let near = charts.grid.hexes().filter(|&other| board(charts).hexside(hex, other).len() == 2);
            let mut beside: Vec<Hex> = charts.grid.neighbours(hex).collect();
            beside.sort();
            assert_eq!(near.collect::<Vec<_>>(), beside, "{}", face.id);
        }
        for (at, crossing) in [(0, Crossing::Dry), (1, Crossing::Rosebud)] {
            let sides = charts.grid.sides().filter(|&side| charts.crossing[side] == Some(crossing)).count();
            assert_eq!(shapes.rivers[at].lines.iter().filter(|line| line.len() == 2).count(), sides, "{crossing:?}");
        }
        assert!(MAP.fits(RULES.components) && !MAP.fits(""));
        let other = RULES.components.replacen(
            "3333333333333333333333333332112222233",
            "1333333333333333333333333332112222233",
            1,
        );
        assert_ne!(other, RULES.components);
        assert!(!MAP.fits(&other), "a map with other levels is not drawn");
    }

    #[test]
    fn a_letter_shows_the_part_where_enemies_are_near() {
        let mut g = bare();
        assert_eq!(part(&view::view(&g, None)), None, "nobody is there");
        for (id, at) in [("3A", "2707"), ("3E", "2707"), ("H1", "2808"), ("H2", "3005"), ("2A", "1115")] {
            foot(&mut g, id, at);
        }
        lead(&mut g, "Mills", "2707");
        let view = view::view(&g, None);
        let [_, _, wide, high] = part(&view).expect("both sides stand on the map");
        assert!(wide <= MOST[0] * SIDE * 3 / 2 + SIDE / 2 + 8 && high <= (2 * MOST[1] + 1) * HALF + 8);
        let picture = Picture::shown(&MAP, "A battle", &view, None);
        let (whole, part) = (picture.svg(), picture.part().expect("a part"));
        let shown = |svg: &str| svg.matches("class=\"place\"").count();
        assert_eq!(shown(&whole), MAP.shapes.areas.len());
        assert!((20..300).contains(&shown(&part)), "{}", shown(&part));
        assert!(part.contains("data-at=\"2707\"") && !part.contains("data-at=\"1115\""));
        assert!(picture.words().iter().any(|words| words.starts_with("2707: 3A") || words.contains("Mills")));
        // Every stack is on the drawing.
        let scene = MAP.scene(&view);
        assert_eq!(scene.places.len(), rows(&view, "stacks").count());
    }
}
