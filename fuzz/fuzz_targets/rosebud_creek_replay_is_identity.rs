#![no_main]

#[allow(dead_code)]
#[path = "../../tests/sentences/mod.rs"]
mod sentences;

use postrider::games::rosebud_creek::RosebudCreek;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sentences::replay_is_identity::<RosebudCreek>(data));
