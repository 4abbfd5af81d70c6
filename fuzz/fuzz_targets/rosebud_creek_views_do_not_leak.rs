#![no_main]

#[allow(dead_code)]
#[path = "../../tests/sentences/mod.rs"]
mod sentences;

use postrider::games::rosebud_creek::RosebudCreek;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sentences::views_do_not_leak::<RosebudCreek>(data));
