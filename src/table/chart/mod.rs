//! Charts of rulebooks as data: odds and their columns, die rolls clamped to the chart's rows,
//! typed cells, and modifiers that add up and print themselves.
//!
//! A chart is checked for completeness when it is loaded, so that lookups cannot fail.

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
