#![doc = include_str!("README.md")]

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
