#![doc = include_str!("README.md")]

mod canvas;
mod counters;
mod font;
mod ground;
mod key;
mod picture;
#[cfg_attr(not(feature = "pictures"), path = "no_png.rs")]
mod png;
#[cfg(test)]
mod tests;
mod text;
mod ways;

/// `true` if this program can make pictures ([`png`]).
pub const PICTURES: bool = cfg!(feature = "pictures");

/// The reason why a program makes none.
pub const NO_PICTURES: &str =
    "this program was built without pictures (Cargo's feature `pictures`); it draws maps as .svg and .txt";

pub use self::{
    picture::{Parts, Picture},
    png::{DrawingFault, png},
};
