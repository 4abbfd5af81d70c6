//! Maps: places with their neighbours, the drawing, and the pieces on it.
//!
//! [`steps`] computes distances. [`Shapes`] is the drawing of a game's map, read from a data file
//! next to its components: outlines with shared borders, space for counters, trails, arrows, a
//! railroad. [`Scene`] is the state of the map at one moment, which a game extracts from the view
//! of a seat. A [`Board`] positions hexes on a drawing. A [`GameMap`] combines drawing and scene,
//! and [explains](GameMap::explain) itself to players. This module does not render, and does not
//! know any game.

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

/// The map of a game: its drawing, and the function that extracts a scene from a view.
///
/// A scene is made only from a view, so a drawing shows only what the seat of this view may see.
pub struct GameMap {
    /// The drawing.
    pub shapes: LazyLock<Shapes>,
    /// Returns the pairs of ids of areas that are adjacent with these components, each pair once
    /// and sorted; empty on a board of hexes, whose adjacency does not depend on components.
    /// Returns `None` if the text is not a component file or contains another board.
    pub adjacent: fn(&str) -> Option<Vec<[String; 2]>>,
    /// Extracts the scene from a view of the game.
    pub scene: fn(&Value) -> Scene,
    /// Returns the text map for this view, for a game with its own layout; empty if it is derived
    /// from the shapes.
    pub lines: fn(&Value) -> Vec<String>,
    /// Returns another map that replaces this one for a view, such as the board of a battle.
    pub instead: fn(&Value) -> Option<&'static GameMap>,
    /// Returns the relevant part for this view, if the whole is too large for the picture in a
    /// letter: left, top, width, height.
    pub part: fn(&Value) -> Option<[i32; 4]>,
}

impl GameMap {
    /// Creates the map of a game; `shapes` reads its drawing from the game's own file.
    pub const fn new(
        shapes: fn() -> Shapes,
        adjacent: fn(&str) -> Option<Vec<[String; 2]>>,
        scene: fn(&Value) -> Scene,
    ) -> GameMap {
        let shapes = LazyLock::new(shapes);
        GameMap { shapes, adjacent, scene, lines: |_| Vec::new(), instead: |_| None, part: |_| None }
    }

    /// Creates a map with its own layout of the text map.
    pub const fn drawn(
        shapes: fn() -> Shapes,
        adjacent: fn(&str) -> Option<Vec<[String; 2]>>,
        scene: fn(&Value) -> Scene,
        lines: fn(&Value) -> Vec<String>,
    ) -> GameMap {
        GameMap { shapes: LazyLock::new(shapes), adjacent, scene, lines, instead: |_| None, part: |_| None }
    }

    /// Creates a map with its own layout of the text map, of which letters show a part.
    pub const fn wide(
        shapes: fn() -> Shapes,
        adjacent: fn(&str) -> Option<Vec<[String; 2]>>,
        scene: fn(&Value) -> Scene,
        lines: fn(&Value) -> Vec<String>,
        part: fn(&Value) -> Option<[i32; 4]>,
    ) -> GameMap {
        GameMap { shapes: LazyLock::new(shapes), adjacent, scene, lines, instead: |_| None, part }
    }

    /// Creates a map that other drawings replace at times.
    pub const fn or(
        shapes: fn() -> Shapes,
        adjacent: fn(&str) -> Option<Vec<[String; 2]>>,
        scene: fn(&Value) -> Scene,
        instead: fn(&Value) -> Option<&'static GameMap>,
    ) -> GameMap {
        GameMap { shapes: LazyLock::new(shapes), adjacent, scene, lines: |_| Vec::new(), instead, part: |_| None }
    }

    /// Returns the map to draw for a view: this one, or the one that replaces it.
    pub fn shown(&'static self, view: &Value) -> &'static GameMap {
        (self.instead)(view).unwrap_or(self)
    }

    /// Returns `true` if the drawing matches these components; those of a host may have areas with
    /// other neighbours.
    pub fn fits(&self, components: &str) -> bool {
        (self.adjacent)(components).is_some_and(|pairs| pairs == self.shapes.adjacent())
    }

    /// Extracts the scene from a view. Places that the drawing does not have (for example, in games
    /// with a host's own components) are removed.
    pub fn scene(&self, view: &Value) -> Scene {
        let mut scene = (self.scene)(view);
        scene.places.retain(|place| self.shapes.face(&place.at).is_some());
        scene
    }
}
