#![no_main]

#[allow(dead_code)]
#[path = "../../tests/sentences/mod.rs"]
mod sentences;

use postrider::games::plains::Plains;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sentences::views_do_not_leak::<Plains>(data));
