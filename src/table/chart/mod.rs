//! Charts of rulebooks as data: odds and their columns, dice kept inside, cells of a type of their own, and modifiers that add
//! up and print themselves.
//!
//! A chart is checked for completeness where it is loaded, so that looking something up cannot fail.

mod modifiers;
mod odds;
mod sheet;
#[cfg(test)]
mod tests;

pub use self::{
    modifiers::Modifiers,
    odds::{Columns, Ratio},
    sheet::{Bands, Both, Chart, ChartFault, laid_out},
};
