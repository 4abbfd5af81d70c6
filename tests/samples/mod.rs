//! The finished games under `journal/`, which `tests/sample_journal.rs` writes.

use std::{fs, io::Read as _, path::Path};

/// The journal `journal/<name>.jsonl.gz`, unpacked.
pub fn read(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("journal/{name}.jsonl.gz"));
    let packed = fs::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut journal = Vec::new();
    let read = flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut journal);
    read.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    journal
}
