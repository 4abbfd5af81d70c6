#![no_main]

#[allow(dead_code)]
#[path = "../../tests/sentences/mod.rs"]
mod sentences;

use postrider::games::rosebud_creek::RosebudCreek;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sentences::options_are_accepted::<RosebudCreek>(data));
