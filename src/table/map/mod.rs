//! Maps: places that lie beside each other, how they are drawn, and what lies on them.
//!
//! [`steps`] counts ways. [`Shapes`] is the drawing of a game's map, read from a data file beside its components: outlines with
//! shared borders, free room for counters, trails, arrows, a railroad. [`Scene`] is what lies where at one moment, as a game
//! reads it out of the view of a seat. A [`Board`] says where hexes lie on a drawing. A [`GameMap`] has both, and
//! [explains](GameMap::explain) itself to players who ask. Nothing here draws, and nothing here knows a game.

mod board;
mod explain;
pub mod read;
mod scene;
mod shapes;
mod steps;
mod way;

pub use self::{
    board::Board,
    scene::{Change, Compared, Marked, Piece, Place, Scene},
    shapes::{
        Arc, Arrow, Aside, Corner, Face, Figure, PieceKind, Point, River, Role, Shapes, Space, Town, Track, Trail,
    },
    steps::steps,
    way::{Way, WayKind},
};
use serde_json::Value;
use std::sync::LazyLock;

/// The map of a game: its drawing, and how what lies on it is read out of a view.
///
/// A scene is made from a view alone, so a drawing shows what the seat of this view may see and nothing more.
pub struct GameMap {
    /// The drawing.
    pub shapes: LazyLock<Shapes>,
    /// The areas that are adjacent by the rules with these components, by their ids, each pair once and in order; none on a board of
    /// hexes, where that is no matter of components. `None` where the text is no component file, or has another board.
    pub adjacent: fn(&str) -> Option<Vec<[String; 2]>>,
    /// What lies where, by a view of the game.
    pub scene: fn(&Value) -> Scene,
    /// The map in letters of this view, where it has a drawing of its own for that; empty where it follows from the shapes.
    pub lines: fn(&Value) -> Vec<String>,
    /// Another drawing that shows what a view is about just then, such as the board of a battle.
    pub instead: fn(&Value) -> Option<&'static GameMap>,
    /// The part that matters to this view, where the whole is too large for a letter's picture: left, top, width, height.
    pub part: fn(&Value) -> Option<[i32; 4]>,
}

impl GameMap {
    /// The map of a game; `shapes` reads its drawing from the game's own file.
    pub const fn new(
        shapes: fn() -> Shapes,
        adjacent: fn(&str) -> Option<Vec<[String; 2]>>,
        scene: fn(&Value) -> Scene,
    ) -> GameMap {
        let shapes = LazyLock::new(shapes);
        GameMap { shapes, adjacent, scene, lines: |_| Vec::new(), instead: |_| None, part: |_| None }
    }

    /// A map that has its own lines of letters.
    pub const fn drawn(
        shapes: fn() -> Shapes,
        adjacent: fn(&str) -> Option<Vec<[String; 2]>>,
        scene: fn(&Value) -> Scene,
        lines: fn(&Value) -> Vec<String>,
    ) -> GameMap {
        GameMap { shapes: LazyLock::new(shapes), adjacent, scene, lines, instead: |_| None, part: |_| None }
    }

    /// A map with lines of letters of its own, of which letters show a part.
    pub const fn wide(
        shapes: fn() -> Shapes,
        adjacent: fn(&str) -> Option<Vec<[String; 2]>>,
        scene: fn(&Value) -> Scene,
        lines: fn(&Value) -> Vec<String>,
        part: fn(&Value) -> Option<[i32; 4]>,
    ) -> GameMap {
        GameMap { shapes: LazyLock::new(shapes), adjacent, scene, lines, instead: |_| None, part }
    }

    /// A map in whose place other drawings stand at times.
    pub const fn or(
        shapes: fn() -> Shapes,
        adjacent: fn(&str) -> Option<Vec<[String; 2]>>,
        scene: fn(&Value) -> Scene,
        instead: fn(&Value) -> Option<&'static GameMap>,
    ) -> GameMap {
        GameMap { shapes: LazyLock::new(shapes), adjacent, scene, lines: |_| Vec::new(), instead, part: |_| None }
    }

    /// The drawing for a view: this one, or what stands in its place just then.
    pub fn shown(&'static self, view: &Value) -> &'static GameMap {
        (self.instead)(view).unwrap_or(self)
    }

    /// Whether the drawing is that of the map in these components: a host may have others, with areas that lie elsewhere.
    pub fn fits(&self, components: &str) -> bool {
        (self.adjacent)(components).is_some_and(|pairs| pairs == self.shapes.adjacent())
    }

    /// What lies where by a view. What lies at places that the drawing does not have, in games with components of the host's
    /// own, say, is left out of it.
    pub fn scene(&self, view: &Value) -> Scene {
        let mut scene = (self.scene)(view);
        scene.places.retain(|place| self.shapes.face(&place.at).is_some());
        scene
    }
}
