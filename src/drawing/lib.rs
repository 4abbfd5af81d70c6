#![doc = include_str!("README.md")]

mod canvas;
mod counters;
mod font;
mod ground;
mod key;
mod picture;
mod png;
#[cfg(test)]
mod tests;
mod text;
mod ways;

pub use self::{
    picture::{Parts, Picture},
    png::{DrawingFault, png},
};
