#![doc = include_str!("README.md")]

mod grid;
mod layer;
mod line;
mod retreat;
#[cfg(test)]
mod tests;
mod ways;

pub use self::{
    grid::{Direction, Edge, Grid, Hex, HexSet, Low, Side},
    layer::{Layer, Sides},
    line::{Line, Passed},
    retreat::{Retreat, Way},
    ways::{Reach, Step, Walk},
};
