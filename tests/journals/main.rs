//! The proofs of a journal: the format, the golden games, and all ways of tampering.

#[path = "../checker/other.rs"]
mod other;
#[path = "../samples/mod.rs"]
mod samples;

mod format;
mod golden;
mod malformed;
mod mutants;
mod receipts;
mod rounds;
mod tampering;
mod vectors;
