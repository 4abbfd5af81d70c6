#![no_main]

#[allow(dead_code)]
#[path = "../../tests/sentences/mod.rs"]
mod sentences;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sentences::hold("http", data));
