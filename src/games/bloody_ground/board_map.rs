//! The battle boards as drawings, made from the hexes of the component file, with the pieces of a
//! view.

use super::{
    components::{Battlefield, Board, Charts, Components, Ground, Kit as _, Terrain},
    map::{self, brief, unit},
};
use postrider_table::{
    hex::Hex,
    map::{
        Board as Drawn, Face, GameMap, Piece, PieceKind, Place, Point, River, Role, Scene, Shapes, Trail, read::text,
    },
};
use serde_json::Value;
use std::sync::LazyLock;

/// Distance from the middle of a hex to its left and right corners (`SIDE`), and to its upper and
/// lower sides (`HALF`), in units of the drawing.
const SIDE: i32 = 52;
const HALF: i32 = 45;
/// Margin around the board.
const EDGE: i32 = 14;
/// Minimum and maximum columns and rows of the part of a board in a letter. A hex of the maximum is
/// still readable on a phone.
const LEAST: [i32; 2] = [6, 5];
const MOST: [i32; 2] = [9, 8];
/// Distance in hexes within which enemies are close to each other.
const CLOSE: u16 = 3;

/// The boards, indexed by terrain.
static BOARDS: [GameMap; 3] = [
    GameMap::wide(|| shapes(Terrain::Wilderness), |_| None, scene, lines, |view| part(view, Terrain::Wilderness)),
    GameMap::wide(|| shapes(Terrain::Rough), |_| None, scene, lines, |view| part(view, Terrain::Rough)),
    GameMap::wide(|| shapes(Terrain::Settled), |_| None, scene, lines, |view| part(view, Terrain::Settled)),
];

/// The charts of the built-in file, which a test checks.
static CHARTS: LazyLock<Charts> = LazyLock::new(|| {
    Charts::of(Components::builtin()).unwrap_or_else(|(table, ..)| unreachable!("{table} was checked"))
});

/// Returns the board of the battle in a view.
pub fn of_view(view: &Value) -> Option<&'static GameMap> {
    let name = view["battle"]["board"].as_str()?;
    Terrain::ALL.into_iter().find(|terrain| terrain.name() == name).map(|terrain| &BOARDS[terrain.index()])
}

/// Returns `true` if two boards look the same.
pub fn alike(a: &Board, b: &Board) -> bool {
    let of = |board: &Board| {
        (board.rows.clone(), board.letters.clone(), board.trail.clone(), board.high.clone(), board.stream.clone())
    };
    of(a) == of(b)
}

/// Returns the drawing role, its name and its fill colour for the terrain of a hex, high or low.
fn role(ground: Ground, high: bool) -> (String, String, &'static str) {
    let fill = match (ground, high) {
        (Ground::Clear, false) => "#f3ecd2",
        (Ground::Clear, true) => "#dcc89a",
        (Ground::Woods, false) => "#bcd9a8",
        (Ground::Woods, true) => "#93b67c",
        (Ground::Swamp, false) => "#c6dcd8",
        (Ground::Swamp, true) => "#a3c2bd",
        (Ground::Cultivated, false) => "#f1dd8e",
        (Ground::Cultivated, true) => "#dcc066",
    };
    let id = format!("{}{}", if high { "high " } else { "" }, ground.name());
    (id.clone(), id, fill)
}

fn face(field: &Battlefield, hex: Hex) -> Face {
    let [x, y] = board(field).middle(hex);
    let id = field.grid.id(hex);
    // A lettered hex (10.2) is also known by its letter.
    let name =
        field.letters.iter().find(|(_, at)| *at == hex).map_or_else(|| id.clone(), |(letter, _)| letter.to_string());
    Face {
        abbr: name.clone(),
        role: role(field.ground[hex], field.high.has(hex)).0,
        ring: Vec::new(),
        corners: board(field).corners(hex).into(),
        label: Some([x, y - HALF + 12]),
        room: 50,
        rect: Some([x - 30, y - HALF + 21, 60, 2 * HALF - 36]),
        aside: None,
        id,
        name,
    }
}

/// Returns the layout of a board.
fn board(field: &Battlefield) -> Drawn<'_> {
    Drawn { grid: &field.grid, side: SIDE, half: HALF, edge: EDGE }
}

/// Returns the drawing of a board.
fn shapes(terrain: Terrain) -> Shapes {
    let field = CHARTS.board(terrain);
    let (hexes, drawn) = (|| field.grid.hexes(), board(field));
    let mut roles: Vec<Role> = Vec::new();
    for hex in hexes() {
        let (id, name, fill) = role(field.ground[hex], field.high.has(hex));
        if !roles.iter().any(|role| role.id == id) {
            roles.push(Role { id, name, fill: fill.to_owned() });
        }
    }
    let stream = (field.grid.sides()).filter(|&side| field.stream[side]).map(postrider_table::hex::Side::hexes);
    let lines: Vec<Vec<Point>> = stream.map(|(a, b)| drawn.hexside(a, b)).filter(|line| line.len() == 2).collect();
    let trail = Trail {
        name: "the trail".to_owned(),
        from: field.trail.first().map(|&hex| field.grid.id(hex)).unwrap_or_default(),
        areas: Vec::new(),
        stops: Vec::new(),
        line: field.trail.iter().map(|&hex| drawn.middle(hex)).collect(),
    };
    let fights = |kind: &&PieceKind| ["us", "british", "warrior", "us_leader", "leader"].contains(&kind.id.as_str());
    Shapes {
        roles,
        kinds: map::MAP.shapes.kinds.iter().filter(fights).cloned().collect(),
        areas: hexes().map(|hex| face(field, hex)).collect(),
        trails: vec![trail],
        rivers: vec![River { name: "the stream".to_owned(), lines, wide: false }],
        ..Shapes::empty(drawn.size())
    }
}

/// Returns the pieces on the board in a view.
fn scene(view: &Value) -> Scene {
    let battle = &view["battle"];
    let mut places: Vec<Place> = Vec::new();
    let mut put = |at: &str, piece: Piece| match places.iter_mut().find(|place| place.at == at) {
        Some(place) => place.pieces.push(piece),
        None => places.push(Place { at: at.to_owned(), says: String::new(), pieces: vec![piece] }),
    };
    let rows = |name: &str| battle[name].as_array().into_iter().flatten();
    for row in rows("pieces") {
        let label = text(row, "piece");
        let (id, nth) = label.rsplit_once(' ').unwrap_or((label, ""));
        let (kind, letters) = unit(id);
        let state = text(row, "state");
        let mark = match state {
            "Disrupted" => "D",
            "Routed" => "R",
            _ => "",
        };
        let words = if mark.is_empty() { label.to_owned() } else { format!("{label} ({state})") };
        put(text(row, "at"), Piece::new(kind, label, format!("{letters}{nth}{mark}"), words));
    }
    for row in rows("leaders") {
        let (name, us) = (text(row, "leader"), text(row, "side") == "us");
        put(text(row, "at"), Piece::new(if us { "us_leader" } else { "leader" }, name, brief(name), name));
    }
    let round = battle["round"].as_u64().unwrap_or(0);
    let area = battle["area"].as_str().map(|area| format!(" at {area}")).unwrap_or_default();
    Scene { moment: format!("Battle{area}, round {round}"), places, ..Scene::default() }
}

/// Returns the part of a board where the sides are close to each other, or else where the pieces
/// are.
fn part(view: &Value, terrain: Terrain) -> Option<[i32; 4]> {
    let field = CHARTS.board(terrain);
    let stacks = view["battle"]["stacks"].as_array().into_iter().flatten();
    let stacks: Vec<(&str, Hex)> =
        stacks.filter_map(|row| Some((text(row, "side"), field.grid.hex(text(row, "at"))?))).collect();
    let close = |&(side, hex): &(&str, Hex)| {
        let enemies = stacks.iter().filter(|(other, _)| *other != side).map(|(_, hex)| *hex);
        field.grid.nearest(hex, enemies).is_some_and(|far| far <= CLOSE)
    };
    let near: Vec<Hex> = stacks.iter().copied().filter(close).map(|(_, hex)| hex).collect();
    let all: Vec<Hex> = stacks.iter().map(|(_, hex)| *hex).collect();
    board(field).around(if near.is_empty() { &all } else { &near }, LEAST, MOST)
}

/// Returns the board of a view as text.
fn lines(view: &Value) -> Vec<String> {
    let map = view["battle"]["map"].as_array().into_iter().flatten();
    map.filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{map::MAP, ruleset::RULES};
    use postrider_drawing::Picture;
    use postrider_table::{Ruleset as _, SeededChance, Setup, Watch};
    use serde_json::json;

    /// dark-and-bloody-ground 2.1.1
    #[test]
    fn each_board_is_drawn_as_the_component_file_has_it() {
        for terrain in Terrain::ALL {
            let (shapes, field) = (&BOARDS[terrain.index()].shapes, CHARTS.board(terrain));
            assert_eq!(shapes.faults(), Vec::<String>::new());
            assert_eq!(shapes.areas.len(), field.grid.len());
            let stream = field.grid.sides().filter(|&side| field.stream[side]).count();
            assert_eq!(shapes.rivers[0].lines.len(), stream, "every hexside of the stream has its two corners");
            for (face, hex) in shapes.areas.iter().zip(field.grid.hexes()) {
                assert_eq!(
                    (&face.id, &face.role),
                    (&field.grid.id(hex), &role(field.ground[hex], field.high.has(hex)).0)
                );
                // Hexes whose middles are one hex apart are adjacent.
                let near = field.grid.hexes().filter(|&other| board(field).hexside(hex, other).len() == 2);
                assert_eq!(near.collect::<Vec<_>>(), {
                    let mut beside: Vec<Hex> = field.grid.neighbours(hex).collect();
                    beside.sort();
                    beside
                });
            }
        }
    }

    #[test]
    fn a_battle_is_shown_on_its_board_and_a_campaign_on_the_map() {
        let view = |scenario: &str| {
            let setup = Setup {
                seats: 2,
                scenario: scenario.to_owned(),
                options: [].into(),
                components: RULES.components.into(),
            };
            let game = RULES.open(&setup, Box::new(SeededChance::new(1)), Watch::NONE).expect("it opens");
            game.view(None).expect("a view")
        };
        assert!(of_view(&view("ohio-1790")).is_none());
        let mut view = view("fallen-timbers");
        assert_eq!(part(&view, Terrain::Wilderness), None, "nobody is on the board yet");
        let hexes: Vec<Hex> = CHARTS.board(Terrain::Wilderness).grid.hexes().take(2).collect();
        let stack =
            |side: &str, hex: Hex| json!({ "side": side, "at": CHARTS.board(Terrain::Wilderness).grid.id(hex) });
        view["battle"]["stacks"] = json!([stack("us", hexes[0]), stack("indians", hexes[1])]);
        let picture = Picture::shown(&MAP, "A battle", &view, None);
        assert!(std::ptr::eq(MAP.shown(&view), of_view(&view).expect("a board")));
        assert_eq!(picture.text().lines().skip(2).collect::<Vec<_>>(), lines(&view));
        assert!(picture.title().contains("round"), "{}", picture.title());
        // A letter shows at most nine columns and eight rows of it.
        let [_, _, wide, high] = part(&view, Terrain::Wilderness).expect("both sides are on the board");
        assert!(wide <= 9 * 78 + 26 + 8 && high <= 8 * 90 + 45 + 8, "{wide} x {high}");
        assert!(picture.part().is_some_and(|part| part.len() < picture.svg().len()));
    }
}
