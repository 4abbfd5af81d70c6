//! Component files: the pieces of a game as TOML, read into a game's own tables with every fault named where it stands.
//!
//! A game declares its pieces ([`pieces!`](crate::pieces)): each field of a piece is a key of its row, and says what stands
//! there: a name, a number in a range, a word, a row of another table. From that one declaration follow the struct, its
//! reading, every fault with its line ([`read`]) and the printed tables ([`print`]). What is missing, misspelt, out of range or
//! named twice is noted and reading goes on, so that an owner of the box sees all that is wrong at once.
//!
//! ```
//! use postrider::{ids, pieces, table::components::{self, Piece}};
//!
//! pieces! {
//!     /// A town of the map.
//!     pub struct Town in "town" {
//!         /// As on the map.
//!         name: String = label,
//!         /// Neighbours, which list it in turn.
//!         roads: Vec<TownId> = neighbours,
//!         /// How many live there, in thousands.
//!         people: u8 = number(1..=90),
//!         /// Where the row comes from.
//!         known: String = known,
//!     }
//! }
//! struct Map { towns: Vec<Town> }
//! ids! {
//!     Map;
//!     /// A town, by its place in the file.
//!     TownId, town_ids => towns: Town;
//! }
//!
//! let parse = |text: &str| components::read(text, "map.toml", &[Town::TABLE], |file| Map { towns: file.pieces() });
//! let rows = "[[town]]\nname = \"Hays\"\nroads = [\"Dodge\"]\npeople = 4\n\
//!             [[town]]\nname = \"Dodge\"\nroads = [\"Hays\"]\npeople = 12\n";
//! let map = parse(rows).unwrap();
//! assert_eq!(map[map.town_ids().next().unwrap()].roads, [TownId(1)]);
//! let fault = parse(&rows.replace("[\"Hays\"]", "[]").replace("12", "120")).err().unwrap().to_string();
//! assert!(fault.contains("map.toml:3:10: town.roads: Dodge does not list Hays; add \"Hays\" to roads of Dodge"), "{fault}");
//! assert!(fault.contains("map.toml:8:10: town.people: 120 cannot stand here; write a whole number from 1 to 90"), "{fault}");
//! ```

mod fault;
mod file;
mod kit;
mod piece;
mod row;
mod sheet;

pub use self::{
    fault::{ComponentFault, Fault, FaultKind},
    file::{File, read},
    kit::Kit,
    piece::{Id, Piece, Table},
    row::{Row, Word},
    sheet::print,
};
