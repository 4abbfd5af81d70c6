//! What a journal proves: the format, the golden games, and every way to tamper with one.

#[path = "../checker/other.rs"]
mod other;
#[path = "../samples/mod.rs"]
mod samples;

mod format;
mod golden;
mod malformed;
mod mutants;
mod receipts;
mod rewinding;
mod tampering;
mod vectors;
